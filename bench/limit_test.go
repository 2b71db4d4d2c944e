package bench

import (
	"fmt"
	"testing"

	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/wire"
)

// BenchmarkRunning ticks remotes that all run straight on, without a message, over nothing
// and over flat land: the least that a tick does of who moves. Alike, they do so in step, and
// every branch goes the way that it went for the one before; in turn, each began in another
// tick and at another speed. A few fit into a core's own cache, many into none: between the
// figures lies what the arithmetic costs, what branches do that go either way, and what
// memory does.
func BenchmarkRunning(b *testing.B) {
	for _, sweep := range []string{SweepNone, SweepFlat} {
		for _, n := range []int{250, 100_000} {
			for _, alike := range []bool{true, false} {
				b.Run(fmt.Sprintf("sweep=%s/n=%d/alike=%t", sweep, n, alike), func(b *testing.B) {
					b.ReportAllocs()
					var e *systems.Engine
					for tick := range b.N {
						if tick%1000 == 0 { // lest they come to the end of the world
							b.StopTimer()
							e = running(b, sweep, n, alike)
							b.StartTimer()
						}
						e.Tick()
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/remote")
				})
			}
		}
	}
}

// running returns an engine in which all run.
func running(b *testing.B, sweep string, n int, alike bool) *systems.Engine {
	tables, ground, err := LoadGround(GroundOptions{Sweep: sweep})
	if err != nil {
		b.Fatal(err)
	}
	if ground != nil {
		b.Cleanup(func() { ground.Close() })
	}
	s, err := NewStreamOn(ground, Idle, n, 1, nil)
	if err != nil {
		b.Fatal(err)
	}
	e, err := Spawned(s, systems.Options{Tables: tables})
	if err != nil {
		b.Fatal(err)
	}
	const begin, settle = 30, 60 // ticks: in which they begin, and till all are past the way there
	for tick := range begin + settle {
		for i := range n {
			k := i % begin
			if alike {
				k = 0
			}
			if k != tick {
				continue
			}
			m := wire.Movement{Guid: FirstGuid + uint32(i), Movement: 1}
			m.Body.Style = wire.CommandIndex(wire.CommandNonCombat)
			m.Body.State = wire.NewState()
			m.Body.State.Forward, m.Body.State.ForwardSpeed = wire.CommandIndex(runForward), 1.5+float32(k)/begin
			m.Body.Fresh()
			msg, err := m.Append(nil)
			if err != nil {
				b.Fatal(err)
			}
			if err := e.Inbound(msg); err != nil {
				b.Fatal(err)
			}
		}
		e.Tick()
	}
	v, moving := e.View(), 0
	for i := range v.Flags {
		if v.Flags[i]&systems.Moving != 0 {
			moving++
		}
	}
	if moving < n*9/10 { // on land a few have run into somebody
		b.Fatalf("%d of %d run", moving, n)
	}
	b.ReportMetric(float64(moving)/float64(n), "running")
	return e
}
