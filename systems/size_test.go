package systems_test

import (
	"testing"

	"github.com/gait-engine/gait/bench"
	"github.com/gait-engine/gait/systems"
)

// Without compression a snapshot is at most a tenth larger than the columns and pools
// that it is of; what is in the lists of cells besides is part of that tenth.
func TestSnapshotIsNoLargerThanTheState(t *testing.T) {
	loads, n := bench.Loads, 400
	if testing.Short() {
		loads, n = []bench.Load{bench.Storm}, 60
	}
	for _, sweep := range []string{bench.SweepNone, bench.SweepFlat} {
		for _, load := range loads {
			tables, ground, err := bench.LoadGround(bench.GroundOptions{Sweep: sweep})
			if err != nil {
				t.Fatal(err)
			}
			s, err := bench.NewStreamOn(ground, load, n, 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			e, err := bench.Spawned(s, systems.Options{Tables: tables})
			if err != nil {
				t.Fatal(err)
			}
			var w bench.Window
			if err := s.Fill(&w, 600, nil); err != nil {
				t.Fatal(err)
			}
			for i := range w.Ticks() {
				b, sizes := w.Messages(i)
				if err := bench.Feed(e, b, sizes); err != nil {
					t.Fatal(err)
				}
				e.Tick()
			}
			bytes, err := e.SnapshotBytes()
			if err != nil {
				t.Fatal(err)
			}
			ratio := float64(bytes) / float64(e.StateBytes())
			t.Logf("sweep %s, load %s: %.2f", sweep, load, ratio)
			if ratio > 1.1 {
				t.Errorf("sweep %s, load %s: %.2f of the state's bytes", sweep, load, ratio)
			}
		}
	}
}
