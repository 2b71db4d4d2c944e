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
			s, tables := loadOn(t, c.sweep, c.load, c.n, c.seed)
			var engines [2]*systems.Engine
			for i := range engines {
				var err error
				if engines[i], err = Spawned(s, systems.Options{Tables: tables, AlwaysUpdate: i == 1}); err != nil {
					t.Fatal(err)
				}
			}
			w := fill(t, s, c.ticks)
			for tick := range c.ticks {
				for _, e := range engines {
					play(t, e, w, tick)
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
