package bench

import (
	"errors"
	"math"
	"sync"
	"testing"

	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/systems/collision"
)

type grounded struct {
	tables *dat.Tables
	ground *Ground
}

var islands = sync.OnceValues(func() (grounded, error) {
	tables, g, err := LoadGround(GroundOptions{Sweep: SweepTerrain, Side: 16})
	return grounded{tables, g}, err
})

// island returns the tables and the ground of a small embedded land.
func island(t testing.TB) (*dat.Tables, *Ground) {
	t.Helper()
	g, err := islands()
	if err != nil {
		t.Fatal(err)
	}
	return g.tables, g.ground
}

// On a plane and on land, every load runs; on the plane remotes track as well as
// without a sweep.
func TestRunOnGround(t *testing.T) {
	tables, land := island(t)
	flatTables, flat, err := LoadGround(GroundOptions{Sweep: SweepFlat})
	if err != nil {
		t.Fatal(err)
	}
	loads, workers := Loads, []int{1, 2, 3}
	if testing.Short() {
		loads, workers = []Load{Busy}, []int{3}
	}
	for _, load := range loads {
		for _, c := range []Config{{Tables: flatTables, Ground: flat}, {Tables: tables, Ground: land}} {
			c.Load, c.Remotes, c.Ticks, c.Seed = load, 200, 300, 1
			var hash string
			for _, c.Workers = range workers {
				r, err := Run(c)
				if err != nil {
					t.Fatalf("%s on %s: %v", load, c.Ground.Sweep, err)
				}
				if r.Sweep != c.Ground.Sweep || r.Lost != 0 {
					t.Errorf("%s on %s: %+v", load, c.Ground.Sweep, r)
				}
				if load == Mixed && (r.ErrorMedian > 0.4 || r.Sweep == SweepFlat && r.ErrorMean > 0.35) {
					t.Errorf("%s on %s: error mean %.3f m, median %.3f m", load, r.Sweep, r.ErrorMean, r.ErrorMedian)
				}
				if hash != "" && r.Hash != hash {
					t.Errorf("%s on %s: %d workers end in %s, fewer in %s", load, r.Sweep, c.Workers, r.Hash, hash)
				}
				hash = r.Hash
			}
		}
	}
}

// Starts lie on the ground of the land's inner blocks, where one can stand; ideal
// movers stay there, and what is said of them is at the ground's height.
func TestStartsOnLand(t *testing.T) {
	tables, g := island(t)
	w := collision.World{Tables: tables, Shapes: &tables.Shapes, Land: g.Land}
	for _, load := range []Load{Mixed, Dense, Busy} {
		s, err := NewStreamOn(g, load, 3000, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range s.Len() {
			_, p, _, _ := s.Start(i)
			plane, id, ok := w.Below(&p, space.Vec3{})
			if !ok || id != p.Cell && load != Busy {
				t.Fatalf("%s: mover %d starts in 0x%08X, above 0x%08X", load, i, uint32(p.Cell), uint32(id))
			}
			o := p.Frame.Origin
			if h := float64(plane.Normal[0])*float64(o[0]) + float64(plane.Normal[1])*float64(o[1]) + float64(plane.Normal[2])*float64(o[2]) + float64(plane.D); math.Abs(h) > 0.001 {
				t.Fatalf("%s: mover %d starts %v m above the ground", load, i, h)
			}
			if load != Busy && (plane.Normal[2] < collision.FloorZ || w.Sea(p.Cell)) {
				t.Fatalf("%s: mover %d starts where it cannot stand", load, i)
			}
			if x, y := int(p.Cell>>24), int(p.Cell>>16&0xFF); load == Dense && (x < 0xA8 || x > 0xAA || y < 0xB3 || y > 0xB5) ||
				x < g.rect.West || x >= g.rect.West+g.rect.Width || y < g.rect.South || y >= g.rect.South+g.rect.Depth {
				t.Fatalf("%s: mover %d starts in 0x%08X", load, i, uint32(p.Cell))
			}
			m := s.movers[i]
			m.x, m.y = m.x-1e5, m.y+1e5
			m.keepIn()
			if _, ok := g.height(m.worldPoint); m.x != g.area.west || m.y != g.area.north {
				t.Fatalf("mover %d goes to (%v, %v), %v", i, m.x, m.y, ok)
			}
		}
	}
}

// A land that drops what it does not need gives the same answers.
func TestLandLimitHasNoEffect(t *testing.T) {
	portalTables, g := island(t)
	ticks, enough := 450, 100
	if testing.Short() {
		ticks, enough = 120, 30
	}
	hash := func(limit int64, workers int) (uint64, int) {
		land := collision.NewLand(portalTables, g.cell)
		land.Limit(limit)
		s, err := NewStreamOn(g, Mixed, 300, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		e, err := Spawned(s, systems.Options{Tables: portalTables, Workers: workers, Land: land, ChunkRows: 32})
		if err != nil {
			t.Fatal(err)
		}
		w := fill(t, s, ticks)
		for tick := range ticks {
			play(t, e, w, tick)
		}
		if errs := land.Errors(); len(errs) > 0 {
			t.Fatal(errs)
		}
		_, _, dropped := land.Loaded()
		return e.Hash(), dropped
	}
	want, dropped := hash(1<<40, 1)
	if dropped != 0 {
		t.Errorf("%d blocks dropped without need", dropped)
	}
	for _, limit := range []int64{0, 100_000} {
		for workers := 1; workers <= 4; workers += 3 {
			got, dropped := hash(limit, workers)
			if got != want {
				t.Errorf("with %d bytes and %d workers: %x, want %x", limit, workers, got, want)
			}
			if dropped < enough {
				t.Errorf("with %d bytes only %d blocks were dropped: this proves nothing", limit, dropped)
			}
		}
	}
}

func TestLoadGroundRefuses(t *testing.T) {
	for name, o := range map[string]GroundOptions{
		"sweep": {Sweep: "rain"}, "no sweep": {}, "cell without sweep": {Sweep: SweepNone, Cell: "x"},
		"cell without records": {Sweep: SweepTerrain, Cell: "x"}, "side": {Sweep: SweepTerrain, Side: 1},
	} {
		if _, _, err := LoadGround(o); !errors.Is(err, ErrConfig) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
