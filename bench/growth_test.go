package bench

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/gait-engine/gait/systems"
)

// BenchmarkGrowth ticks a hundred thousand remotes on land in one world, and in ten
// worlds that take turns: what a small world's tick leaves in the cache the others
// have driven out before its next. All stand equally close together, 26 to a block.
// An operation is a tick of all remotes; how the two compare is how the cost grows
// once nothing fits into the cache.
func BenchmarkGrowth(b *testing.B) {
	for _, c := range []struct{ worlds, n, side int }{{1, 100_000, DefaultSide}, {10, 10_000, 21}} {
		b.Run(fmt.Sprintf("load=mixed/sweep=terrain/worlds=%d/n=%dk", c.worlds, c.n/1000), func(b *testing.B) {
			type world struct {
				s *Stream
				e *systems.Engine
				w Window
			}
			worlds := make([]world, c.worlds)
			for i := range worlds {
				tables, ground, err := LoadGround(GroundOptions{Sweep: SweepTerrain, Side: c.side})
				if err != nil {
					b.Fatal(err)
				}
				b.Cleanup(func() { ground.Close() })
				w := &worlds[i]
				if w.s, err = NewStreamOn(ground, Mixed, c.n, uint64(i+1), nil); err != nil {
					b.Fatal(err)
				}
				if w.e, err = Spawned(w.s, systems.Options{Tables: tables, Land: ground.Land}); err != nil {
					b.Fatal(err)
				}
			}
			next := func(tick int) {
				for i := range worlds {
					play(b, worlds[i].e, &worlds[i].w, tick)
				}
			}
			const window = 60
			fill := func() {
				for i := range worlds {
					if err := worlds[i].s.Fill(&worlds[i].w, window, nil); err != nil {
						b.Fatal(err)
					}
				}
				runtime.GC()
			}
			for range 2 { // till as many move as ever will, nearly
				fill()
				for tick := range window {
					next(tick)
				}
			}
			b.ResetTimer()
			for tick := range b.N {
				if tick%window == 0 {
					b.StopTimer()
					fill()
					b.StartTimer()
				}
				next(tick % window)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(c.n*c.worlds), "ns/remote")
		})
	}
}
