package bench

import (
	"runtime"
	"runtime/metrics"
	"time"
)

// look is how memory and the collector stand at one time.
type look struct {
	memory runtime.MemStats
	cpu    float64 // s that the collector has taken, up to its last cycle
	at     time.Time
}

func (l *look) take() {
	var cpu [1]metrics.Sample
	cpu[0].Name = "/cpu/classes/gc/total:cpu-seconds"
	metrics.Read(cpu[:])
	l.cpu = cpu[0].Value.Float64()
	l.at = time.Now()
	runtime.ReadMemStats(&l.memory)
}

// collected is what the collector did, over some spans of time.
type collected struct {
	cycles  int     // that ended
	cpu     float64 // s, of these
	passed  float64 // s of CPU that there were: time by processors
	pause   float64 // s, of the cycle with the longest in all
	mallocs uint64
}

// add adds the span between two looks.
func (c *collected) add(from, to *look) {
	cycles := to.memory.NumGC - from.memory.NumGC
	c.cycles += int(cycles)
	c.cpu += to.cpu - from.cpu
	c.passed += to.at.Sub(from.at).Seconds() * float64(runtime.GOMAXPROCS(0))
	c.mallocs += to.memory.Mallocs - from.memory.Mallocs
	pauses := &to.memory.PauseNs // the last ones, in a ring
	for i := range min(cycles, uint32(len(pauses))) {
		pause := pauses[(to.memory.NumGC-i+uint32(len(pauses))-1)%uint32(len(pauses))]
		c.pause = max(c.pause, float64(pause)/1e9)
	}
}

// join adds what it did over other spans.
func (c *collected) join(o *collected) {
	c.cycles += o.cycles
	c.cpu += o.cpu
	c.passed += o.passed
	c.pause = max(c.pause, o.pause)
	c.mallocs += o.mallocs
}

// share is the collector's of all CPU that there was.
func (c *collected) share() float64 { return c.cpu / max(c.passed, 1e-9) }

// collect has the collector run once, and returns what that took and the bytes
// of live objects.
func collect() (c collected, live uint64) {
	var from, to look
	from.take()
	runtime.GC()
	to.take()
	c.add(&from, &to)
	return c, to.memory.HeapAlloc
}

// collections returns what one collection takes, medians of some: s of CPU, and s of pauses.
func collections() (cpu, pause float64) {
	var cpus, pauses [5]float64
	for i := range cpus {
		c, _ := collect()
		cpus[i], pauses[i] = c.cpu, c.pause
	}
	return median(cpus[:]), median(pauses[:])
}
