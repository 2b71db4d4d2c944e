package bench

import (
	"fmt"
	"testing"

	"github.com/gait-engine/gait/systems"
)

// An engine that takes every short way comes, tick by tick, to what one that takes
// none comes to. These runs have neighbours come into a cell in one tick, and a walker
// who stops on the border of a block.
func TestShortWaysAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("long runs")
	}
	for _, c := range []struct {
		sweep string
		load  Load
		n     int
		seed  uint64
		ticks int
	}{{SweepFlat, Dense, 400, 1, 400}, {SweepFlat, Busy, 400, 4, 600}, {SweepTerrain, Busy, 300, 5, 700}} {
		t.Run(fmt.Sprint(c.sweep, c.load), func(t *testing.T) {
			tables, ground, err := LoadGround(GroundOptions{Sweep: c.sweep})
			if err != nil {
				t.Fatal(err)
			}
			defer ground.Close()
			s, err := NewStreamOn(ground, c.load, c.n, c.seed, nil)
			if err != nil {
				t.Fatal(err)
			}
			var engines [2]*systems.Engine
			for i := range engines {
				o := systems.Options{Tables: tables, Land: ground.Land, AlwaysUpdate: i == 1}
				if engines[i], err = Spawned(s, o); err != nil {
					t.Fatal(err)
				}
			}
			var w Window
			if err := s.Fill(&w, c.ticks, nil); err != nil {
				t.Fatal(err)
			}
			for tick := range c.ticks {
				b, sizes := w.Messages(tick)
				for _, e := range engines {
					if err := Feed(e, b, sizes); err != nil {
						t.Fatal(err)
					}
					e.Tick()
					if err := e.Check(); err != nil {
						t.Fatalf("tick %d: %v", e.Now(), err)
					}
				}
				if a, b := engines[0].Hash(), engines[1].Hash(); a != b {
					t.Fatalf("tick %d: %016x and %016x", engines[0].Now(), a, b)
				}
			}
		})
	}
}
