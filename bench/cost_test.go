package bench

import (
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/gait-engine/gait/systems"
)

// Costs by stage are of the ticks in the middle: neither of the one that was
// disturbed nor of the one with nothing to do.
func TestStagesAreOfTheMiddleHalf(t *testing.T) {
	tick := func(took time.Duration, sweep, publish int64) (m measured) {
		m.took, m.feed, m.fed = took, 2, 10
		m.cost.Ns[systems.StageSweep], m.cost.Ns[systems.StagePublish], m.cost.Bytes[systems.StagePublish] = sweep, publish, 60
		m.cost.Ns[systems.StageInbound], m.cost.Shared = 4, (sweep+publish)/2+1
		return m
	}
	costs, sharing := stages([]measured{tick(9000, 8000, 1), tick(110, 80, 20), tick(1, 1, 0), tick(90, 60, 20)}, 2)
	want := map[string]StageCost{
		"feed": {Ns: 1, Bytes: 10}, "inbound": {Ns: 2}, "sweep": {Ns: 35}, "publish": {Ns: 10, Bytes: 30},
	}
	total := 0.0
	for _, c := range costs {
		w := want[c.Stage]
		if c.Ns != w.Ns || c.Bytes != w.Bytes || c.Share != w.Ns/48 {
			t.Errorf("%+v, want %+v", c, w)
		}
		total += c.Share
	}
	if len(costs) != 1+systems.Stages || math.Abs(total-1) > 1e-9 || sharing != 180.0/92 {
		t.Errorf("%d stages, in all %v; %v workers at work", len(costs), total, sharing)
	}
	if costs, sharing := stages(nil, 2); costs != nil || sharing != 0 {
		t.Errorf("of no tick: %v, %v", costs, sharing)
	}
}

func TestClockCost(t *testing.T) {
	ticks := []measured{{took: 1}, {after: 1, took: 300}, {after: 2, took: 330}, {after: 3, took: 990}, {after: 4, took: 1}}
	if v := clockCost(ticks, []float64{100, 300, 300, 100}); math.Abs(v-0.5) > 1e-9 {
		t.Error(v)
	}
	if v := clockCost(nil, []float64{100}); v != 0 {
		t.Error(v)
	}
}

// A run measures every seventh tick; what stages take fits into the tick.
func TestRunMeasuresStages(t *testing.T) {
	if testing.Short() {
		t.Skip("runs of one worker, of which stages are measured")
	}
	for _, sweep := range []string{SweepNone, SweepFlat} {
		tables, ground, err := LoadGround(GroundOptions{Sweep: sweep})
		if err != nil {
			t.Fatal(err)
		}
		c := Config{Tables: tables, Ground: ground, Load: Mixed, Remotes: 500, Ticks: 210, Workers: 1, Seed: 1, Count: 2}
		r, err := Run(c)
		if err != nil {
			t.Fatal(err)
		}
		total := 0.0
		for _, s := range r.Stages {
			crowd := s.Stage == systems.StageShow.String() || s.Stage == systems.StageRegister.String()
			alone := s.Stage == systems.StageLanes.String() // for one worker there are none
			if (s.Ns > 0) != (!alone && (sweep != SweepNone || !crowd)) || s.Share < 0 {
				t.Errorf("%s: %+v", sweep, s)
			}
			total += s.Share
		}
		if math.Abs(total-1) > 1e-9 || !(r.Sharing > 0 && r.Sharing <= 1) || !(r.ClockCost > -1) {
			t.Errorf("%s: %+v", sweep, r)
		}
		c.Ticks, c.Count = measureEvery-1, 1
		if r, err = Run(c); err != nil || r.Stages != nil || r.NsMedian <= 0 {
			t.Errorf("too few ticks: %v, %+v", err, r)
		}
	}
}

// What the collector did between two looks, as the runtime tells it.
func TestCollected(t *testing.T) {
	var from, to look
	from.memory.NumGC, to.memory.NumGC = 511, 513
	for i := range to.memory.PauseNs {
		to.memory.PauseNs[i] = 9e6 // of cycles before
	}
	to.memory.PauseNs[511%256], to.memory.PauseNs[512%256] = 3e6, 1e6
	from.memory.Mallocs, to.memory.Mallocs = 5, 12
	from.cpu, to.cpu = 1, 1.5
	to.at = from.at.Add(2 * time.Second)
	var c collected
	c.add(&from, &to)
	passed := 2 * float64(runtime.GOMAXPROCS(0))
	if c != (collected{cycles: 2, cpu: 0.5, passed: passed, pause: 0.003, mallocs: 7}) || c.share() != 0.5/passed {
		t.Errorf("%+v", c)
	}
	c.join(&collected{cycles: 1, cpu: 2, passed: 3, pause: 0.001, mallocs: 4})
	if c != (collected{cycles: 3, cpu: 2.5, passed: passed + 3, pause: 0.003, mallocs: 11}) {
		t.Errorf("%+v", c)
	}
	to.memory.NumGC = from.memory.NumGC + 1000 // more than the runtime remembers
	c = collected{}
	if c.add(&from, &to); c.cycles != 1000 || c.pause != 0.009 {
		t.Errorf("%+v", c)
	}

	kept := make([]byte, 1<<24)
	one, live := collect()
	if one.cycles < 1 || one.cpu <= 0 || one.pause <= 0 || live < uint64(len(kept)) {
		t.Errorf("%+v, %d bytes", one, live)
	}
	runtime.KeepAlive(kept)
}
