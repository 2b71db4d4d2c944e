package systems

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/systems/collision"
)

// Crowds about a house, in strides of many lengths and in few ticks a second, so that a
// step takes several sub-steps, come to what those do who take every step whole.
func TestStridesOfAllLengths(t *testing.T) {
	seeds, first := uint64(6), uint64(1)
	if v := os.Getenv("STRIDE_SEED"); v != "" {
		first, _ = strconv.ParseUint(v, 10, 64)
		seeds = 1 << 40
	}
	secs, _ := strconv.Atoi(os.Getenv("STRIDE_SECS"))
	end := time.Now().Add(time.Duration(secs) * time.Second)
	n := uint64(0)
	for ; n < seeds && (secs == 0 || time.Now().Before(end)); n++ {
		stridesOfAllLengths(t, first+n)
	}
	t.Logf("%d seeds from %d", n, first)
}

func stridesOfAllLengths(t *testing.T, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 11))
	ticks, rate := 150, []float64{30, 10, 6, 4}[rng.IntN(4)]
	bodies := []int{5, 20, 60}[rng.IntN(3)]
	within := func(low, high float32) float32 { return low + (high-low)*rng.Float32() }
	x0, y0, x1, y1 := float32(40), float32(15), float32(85), float32(60) // about the house
	switch rng.IntN(4) {
	case 0:
		x0, y0, x1, y1 = 60, 60, 330, 330 // over the borders of blocks
	case 1:
		x0, y0, x1, y1 = 95, 5, 168, 90 // among objects
	}
	var rigs [3]*rig
	for i, o := range []Options{{}, {Workers: 3, ChunkRows: 8}, {AlwaysUpdate: true}} {
		o.TicksPerSecond = rate
		rigs[i] = onLand(t, o)
		rigs[i].unchecked = true
	}
	w := &collision.World{Tables: rigs[0].e.options.Tables, Shapes: &rigs[0].e.options.Tables.Shapes, Land: rigs[0].e.options.Land}
	place := func() (x, y, z float32) {
		x, y = within(x0, x1), within(y0, y1)
		p := over(x, y, 0, 0)
		p.Normalize()
		plane, _, ok := w.Below(&p, p.Frame.Origin.Mul(0))
		if !ok {
			return x, y, 100.1
		}
		o := p.Frame.Origin
		return x, y, 0.02 - (plane.Normal[0]*o[0]+plane.Normal[1]*o[1]+plane.D)/plane.Normal[2]
	}
	each := func(f func(r *rig)) {
		for _, r := range rigs {
			f(r)
		}
	}
	born := uint32(0)
	come := func() {
		born++
		x, y, z := place()
		s := stander(born*0x9E3779B1, x, y, z, within(0, 360))
		if rng.IntN(4) == 0 {
			s.Scale = within(0.3, 1.8)
		}
		each(func(r *rig) { r.spawn(s) })
	}
	for range bodies {
		come()
	}
	every := []int{1, 13, 60}[rng.IntN(3)]
	for tick := range ticks {
		for range 3 {
			guid := (1 + rng.Uint32N(born)) * 0x9E3779B1
			d := does{forward: []uint32{run, walk, run, ready}[rng.IntN(4)], turn: []uint32{0, 0, right}[rng.IntN(3)]}
			d.speed = []float32{0, 0, 1.5, 3, 5}[rng.IntN(5)]
			x, y, z := place()
			h := within(0, 360)
			what := rng.IntN(60)
			if !rigs[0].has(guid) {
				continue
			}
			switch {
			case what == 0:
				each(func(r *rig) { r.e.Remove(guid) })
				come()
			case what == 1:
				each(func(r *rig) { r.send(r.teleportTo(guid, over(x, y, z, h))) })
			case what < 8:
				each(func(r *rig) { r.place(guid, over(x, y, z, h)) })
			case what == 8:
				bits := components.DefaultState
				if rng.IntN(2) == 0 {
					bits |= components.Ethereal
				}
				each(func(r *rig) { r.send(r.state(guid, bits)) })
			default:
				each(func(r *rig) { r.move(guid, d) })
			}
		}
		each(func(r *rig) { r.tick(1) })
		if tick%every == 0 || tick == ticks-1 {
			want := rigs[2].e.Hash()
			for i := range 2 {
				if err := rigs[i].e.Check(); err != nil {
					t.Fatalf("seed %d, tick %d: %v", seed, tick, err)
				}
				if got := rigs[i].e.Hash(); got != want {
					t.Fatalf("seed %d, %v ticks a second, tick %d: engine %d comes to %x, who take every step whole to %x", seed, rate, tick, i, got, want)
				}
			}
		}
	}
}
