package collision

import (
	"math"
	"slices"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
	"pgregory.net/rapid"
)

// arena is flat land with solids of all kinds around (100, 100), whose shapes a
// sweep that begins clear of them must not end in.
type arena struct {
	*rig
	balls []dat.Sphere // in the axes of the block
	posts []dat.Cylinder
	boxes [][2]space.Vec3
}

func newArena(t testing.TB, draw func(low, high float32, what string) float32, n int) *arena {
	a := &arena{}
	var r dat.Records
	type thing struct {
		setup uint32
		at    space.Vec3
	}
	var list []thing
	for i := range uint32(n) {
		at := space.Vec3{100 + draw(-6, 6, "x"), 100 + draw(-6, 6, "y"), 0}
		switch i % 3 {
		case 0:
			at[2] = draw(-1, 2, "z")
			radius := draw(0.3, 2, "radius")
			r.Setups = append(r.Setups, ballSetup(0x02000100+i, 0, radius))
			a.balls = append(a.balls, dat.Sphere{Centre: at, Radius: radius})
		case 1:
			at[2] = draw(-1, 2, "z")
			radius, height := draw(0.1, 1.5, "radius"), draw(0.1, 4, "height")
			r.Setups = append(r.Setups, postSetup(0x02000100+i, radius, height))
			a.posts = append(a.posts, dat.Cylinder{Low: at, Radius: radius, Height: height})
		default:
			half := space.Vec3{draw(0.2, 3, "half"), draw(0.2, 3, "half"), 0}
			top := draw(0.2, 4, "top")
			low, high := space.Vec3{-half[0], -half[1], -0.5}, space.Vec3{half[0], half[1], top}
			r.GfxObjs = append(r.GfxObjs, boxModel(0x01000100+i, low, high))
			r.Setups = append(r.Setups, model(0x02000100+i, 0x01000100+i))
			a.boxes = append(a.boxes, [2]space.Vec3{space.Add(low, at), space.Add(high, at)})
		}
		list = append(list, thing{0x02000100 + i, at})
	}
	a.rig = onFlat(t, r)
	for i, k := range list {
		o := a.obstacle(uint32(2+i), k.setup, spot(k.at[0], k.at[1], k.at[2]))
		o.State |= components.Static
		a.add(o)
	}
	return a
}

// depth is how deep the body, whose spheres are those, lies in a solid or in the ground.
func (a *arena) depth(at space.Vec3, body *Body) float64 {
	deepest := math.Inf(-1)
	for i := range body.SphereCount {
		c := space.Add(at, body.Spheres[i].Centre)
		r := float64(body.Spheres[i].Radius)
		if i == 0 {
			deepest = max(deepest, r-float64(c[2]))
		}
		for _, b := range a.balls {
			deepest = max(deepest, r+float64(b.Radius)-float64(space.Length(space.Sub(c, b.Centre))))
		}
		for _, p := range a.posts {
			d := space.Sub(c, p.Low)
			side := r + float64(p.Radius) - math.Hypot(float64(d[0]), float64(d[1]))
			half := float64(p.Height) / 2
			deepest = max(deepest, min(side, half+r-math.Abs(float64(d[2])-half)))
		}
		for _, b := range a.boxes {
			out := 0.0
			in := math.Inf(1)
			for k := range 3 {
				below, above := float64(b[0][k]-c[k]), float64(c[k]-b[1][k])
				if d := max(below, above); d > 0 {
					out += d * d
				} else {
					in = min(in, -d)
				}
			}
			if out > 0 {
				in = -math.Sqrt(out)
			}
			deepest = max(deepest, r+in)
		}
	}
	return deepest
}

// standsOf is what a sweep that succeeded left, for the next.
func standsOf(s *Sweep) Standing {
	n := s.Stationary
	if n == 3 {
		n = 0
	}
	return Standing{Ground: s.Contact, OnWalkable: s.OnWalkable(), Sliding: s.Slide.Valid, Normal: s.Slide.Normal, Stationary: n}
}

// A body that begins clear of everything is in nothing afterwards, wherever it goes.
func TestNothingIsEntered(t *testing.T) {
	rapid.Check(t, func(t2 *rapid.T) {
		draw := func(low, high float32, what string) float32 { return rapid.Float32Range(low, high).Draw(t2, what) }
		a := newArena(t, draw, rapid.IntRange(1, 7).Draw(t2, "things"))
		a.body = twoSpheres()
		if rapid.Bool().Draw(t2, "one") {
			a.body = oneSphere()
		}
		a.body.State = rapid.SampledFrom([]components.StateBits{walker, components.Gravity}).Draw(t2, "state")
		p := spot(100+draw(-9, 9, "x"), 100+draw(-9, 9, "y"), draw(0, 5, "z"))
		if a.depth(p.Frame.Origin, &a.body) > 0.01 {
			t2.Skip("it begins in something")
		}
		m := &mover{rig: a.rig, p: p}
		heading := float64(draw(0, 360, "heading"))
		fall := float32(0)
		for i := range 40 {
			if i%10 == 9 {
				heading += float64(draw(-90, 90, "turn"))
			}
			speed := float32(0.25)
			if m.walks() {
				fall = 0
			} else {
				fall -= 0.03
			}
			sin, cos := math.Sincos(radians(heading))
			if fall < 0 && m.s.KillsVelocity {
				fall = 0
			}
			m.step(speed*float32(sin), speed*float32(cos), fall)
			if d := a.depth(m.where(), &a.body); d > 0.02 {
				t2.Fatalf("step %d: %v m deep in something, at %v", i, d, m.where())
			}
		}
	})
}

// A sweep has one answer, whatever the Sweep was used for before.
func TestReuseIsAsGoodAsNew(t *testing.T) {
	land := onLand(t)
	rapid.Check(t, func(t2 *rapid.T) {
		number := func(low, high float32, what string) float32 { return rapid.Float32Range(low, high).Draw(t2, what) }
		at := func() space.Position {
			return turned(spot(number(40, 200, "x"), number(0, 200, "y"), 100+number(0, 6, "z")), number(0, 360, "heading"))
		}
		body := land.body
		body.State = components.StateBits(rapid.SampledFrom([]uint32{uint32(walker), 0x400, 0x40, 0x448, 0x404}).Draw(t2, "state"))
		sweep := func(s *Sweep, p space.Position, v space.Vec3) (bool, Sweep) {
			to := p
			to.Frame.Origin = space.Add(to.Frame.Origin, v)
			ok := s.Move(&body, &p, &to, &Standing{})
			return ok, *s
		}
		used, fresh := &Sweep{World: land.World}, &Sweep{World: land.World}
		for range rapid.IntRange(1, 3).Draw(t2, "before") {
			if p := at(); rapid.Bool().Draw(t2, "placed") {
				used.Place(&body, &p, true)
			} else {
				sweep(used, p, space.Vec3{number(-2, 2, "dx"), number(-2, 2, "dy"), number(-2, 2, "dz")})
			}
		}
		p := at()
		v := space.Vec3{number(-3, 3, "dx"), number(-3, 3, "dy"), number(-3, 3, "dz")}
		okA, a := sweep(used, p, v)
		okB, b := sweep(fresh, p, v)
		if okA != okB || a.KillsVelocity != b.KillsVelocity {
			t2.Fatalf("used %v, fresh %v", okA, okB)
		}
		if okA && (*a.Position() != *b.Position() || standsOf(&a) != standsOf(&b) || a.Hit != b.Hit || a.Environment != b.Environment ||
			!slices.Equal(a.Collisions, b.Collisions) || !slices.Equal(a.Cells(nil), b.Cells(nil))) {
			t2.Fatalf("used %v, fresh %v", a.Position(), b.Position())
		}
		okA, okB = used.Place(&body, &p, true), fresh.Place(&body, &p, true)
		if okA != okB || okA && (*used.Position() != *fresh.Position() || standsOf(used) != standsOf(fresh)) {
			t2.Fatalf("placed: used %v, fresh %v", used.Position(), fresh.Position())
		}
	})
}

// What the rows of a crowd say of their cells, and the cells of their rows, is one and the same.
func TestCrowdListsAgree(t *testing.T) {
	rapid.Check(t, func(t2 *rapid.T) {
		c := &Crowd{}
		where := map[uint32][]space.CellID{} // by guid
		guid := uint32(1000)
		cell := rapid.SampledFrom([]space.CellID{1, 2, 0x40, 0x100, 0x105, 0xA9B40001, 0xA9B40002, 0xFEFE0040})
		for range rapid.IntRange(1, 60).Draw(t2, "steps") {
			n := len(c.Obstacles)
			switch k := rapid.IntRange(0, 3).Draw(t2, "do"); {
			case k == 0 || n == 0: // spawn
				c.Resize(n + 1)
				guid++
				c.Obstacles[n].Guid = guid
			case k == 1: // remove: the last row takes its number
				i := rapid.IntRange(0, n-1).Draw(t2, "row")
				c.Register(i, nil)
				c.Renumber(n-1, i)
				c.Resize(n - 1)
			default:
				i := rapid.IntRange(0, n-1).Draw(t2, "row")
				cells := rapid.SliceOfNDistinct(cell, 0, 8, func(c space.CellID) space.CellID { return c }).Draw(t2, "cells")
				c.Register(i, cells)
				where[c.Obstacles[i].Guid] = cells
			}
			in := map[space.CellID]int{}
			for i := range c.Obstacles {
				want := where[c.Obstacles[i].Guid]
				if !slices.Equal(c.CellsOf(i), want) {
					t2.Fatalf("row %d is in %x, want %x", i, c.CellsOf(i), want)
				}
				for _, id := range want {
					in[id]++
					if c.Rank(i, id) < 0 {
						t2.Fatalf("row %d is not in the list of %x", i, uint32(id))
					}
				}
			}
			for _, id := range []space.CellID{1, 2, 0x40, 0x100, 0x105, 0xA9B40001, 0xA9B40002, 0xFEFE0040} {
				if got := len(c.in(id)); got != in[id] {
					t2.Fatalf("%d rows in the list of %x, want %d", got, uint32(id), in[id])
				}
			}
		}
	})
}
