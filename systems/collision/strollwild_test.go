package collision

import (
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"strconv"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// wildLand is the fixture's land with houses and objects turned, tilted and moved at
// random, of whatever models there are, over borders too.
func wildLand(t testing.TB, w *World, rng *rand.Rand) *World {
	within := func(low, high float32) float32 { return low + (high-low)*rng.Float32() }
	turn := func() space.Quat {
		q := space.SetHeading(space.IdentityQuat, within(0, 360))
		switch rng.IntN(4) {
		case 0: // anyhow
			q = space.Quat{W: within(-1, 1), V: space.Vec3{within(-1, 1), within(-1, 1), within(-1, 1)}}
		case 1: // a little
			a := within(-0.02, 0.02)
			q = space.Quat{W: q.W, V: space.Vec3{a, a / 2, q.V[2]}}
		case 2:
			q = space.IdentityQuat
		}
		l := float32(math.Sqrt(space.Norm2(q)))
		return space.Quat{W: q.W / l, V: space.Vec3{q.V[0] / l, q.V[1] / l, q.V[2] / l}}
	}
	out := *w
	out.Crowd = &Crowd{}
	out.Land = NewLand(w.Tables, w.Land.sources...)
	if err := out.Land.LoadAll(); err != nil {
		t.Fatal(err)
	}
	var hulls []int32
	for i := range w.Shapes.Hulls {
		if h := &w.Shapes.Hulls[i]; h.Root >= 0 && h.Cell < 0 {
			hulls = append(hulls, int32(i))
		}
	}
	model := *out.Land.block(0xA9, 0xB4).Land
	for _, xy := range [][2]int32{{0xA9, 0xB4}, {0xAA, 0xB4}, {0xA9, 0xB5}, {0xAA, 0xB5}} {
		b := out.Land.block(xy[0], xy[1])
		land := b.Land
		land.Buildings, land.BuildingPortals, land.Cells = nil, nil, nil
		land.Portals, land.Visible = append([]dat.CellPortal(nil), model.Portals...), model.Visible
		for k := range b.plots {
			b.plots[k].building = -1
		}
		outdoor := land.Statics[:land.Outdoor]
		land.Statics = append([]dat.Static(nil), outdoor...)
		for i := range land.Statics {
			o := &land.Statics[i]
			if rng.IntN(2) == 0 {
				o.Frame.Rotation = turn()
			}
			if rng.IntN(3) == 0 {
				o.Frame.Origin = space.Add(o.Frame.Origin, space.Vec3{within(-20, 20), within(-20, 20), within(-2, 2)})
				for k := range 2 {
					o.Frame.Origin[k] = min(191, max(0.5, o.Frame.Origin[k]))
				}
			}
		}
		for range 12 {
			house := model.Buildings[0]
			house.Frame.Origin = space.Vec3{within(0, 191.9), within(0, 191.9), 0}
			if rng.IntN(3) == 0 {
				house.Frame.Origin[rng.IntN(2)] = within(180, 191.9)
			}
			at := space.Position{Cell: space.CellID(uint32(xy[0])<<24 | uint32(xy[1])<<16 | 1), Frame: house.Frame}
			at.Normalize()
			plane, _, ok := w.Below(&at, space.Vec3{0, 0, 1})
			if !ok {
				continue
			}
			house.Frame.Origin[2] = -height(&Plane{Normal: plane.Normal, D: plane.D}, house.Frame.Origin)/plane.Normal[2] + within(-1, 1)*float32(rng.IntN(4))
			house.Frame.Rotation = turn()
			if rng.IntN(2) == 0 {
				house.Hull = hulls[rng.IntN(len(hulls))]
			}
			if rng.IntN(8) == 0 {
				house.Hull = dat.None
			}
			frame := house.Frame
			if rng.IntN(2) == 0 { // rooms that lie elsewhere than their house
				frame.Origin = space.Add(frame.Origin, space.Vec3{within(-8, 8), within(-8, 8), within(-3, 3)})
				frame.Rotation = turn()
			}
			house.FirstPortal, house.PortalCount = int32(len(land.BuildingPortals)), int32(rng.IntN(2))
			first := uint16(0x100 + len(land.Cells))
			p := model.BuildingPortals[0]
			p.OtherCell = first
			land.BuildingPortals = append(land.BuildingPortals, p)
			if rng.IntN(2) == 0 {
				p.OtherCell++
				house.PortalCount *= 2
				land.BuildingPortals = append(land.BuildingPortals, p)
			}
			for k := range model.Cells {
				c := model.Cells[k]
				c.Frame = frame
				c.StaticCount, c.FirstStatic = 0, 0
				from := c.FirstPortal
				c.FirstPortal = int32(len(land.Portals))
				for _, q := range model.Portals[from:][:c.PortalCount] {
					if !q.Outside {
						q.OtherCell += first - 0x100
					}
					land.Portals = append(land.Portals, q)
				}
				land.Cells = append(land.Cells, c)
			}
			k := int(at.Cell.Index()) - 1
			if b.plots[k].building < 0 {
				b.plots[k].building = int16(len(land.Buildings))
			}
			land.Buildings = append(land.Buildings, house)
		}
	}
	return &out
}

// wildLands is how many wild lands to try and from which seed on, unless STROLL_LANDS and
// STROLL_SEED say otherwise.
func wildLands(lands int) (int, uint64) {
	seed := uint64(1)
	if v := os.Getenv("STROLL_LANDS"); v != "" {
		lands, _ = strconv.Atoi(v)
	}
	if v := os.Getenv("STROLL_SEED"); v != "" {
		seed, _ = strconv.ParseUint(v, 10, 64)
	}
	return lands, seed
}

// What strolls goes where the whole algorithm takes it, over land on which houses and
// objects stand anyhow.
func TestStrollOverWildLand(t *testing.T) {
	lands, seed := wildLands(12)
	w := fixtureLand(t)
	var n [8]int
	for i := range lands {
		strollWildly(t, w, seed+uint64(i), &n)
		if t.Failed() {
			return
		}
	}
	t.Logf("%d steps: %d strolled, %d calm, %d beside something, %d of those down, %d far, %d in a house's cell", n[0], n[1], n[2], n[3], n[4], n[5], n[6])
	if n[1] < 1000*lands/12 {
		t.Errorf("%d strolled", n[1])
	}
}

func strollWildly(t *testing.T, fixture *World, seed uint64, count *[8]int) {
	rng := rand.New(rand.NewPCG(seed, 7))
	within := func(low, high float32) float32 { return low + (high-low)*rng.Float32() }
	w := wildLand(t, fixture, rng)
	var o Obstacle
	body := humanoid(t, w, &o)
	o.Scale = []float32{1, 1, 1, 0.4, 2, 0.1}[rng.IntN(6)]
	if rng.IntN(3) == 0 {
		o.Traits |= components.Player
	}
	o.Reach = w.Reach(&o)
	w.Body(&o, body)
	other := o
	other.Guid = 2
	other.Scale = within(0.5, 2)
	other.Reach = w.Reach(&other)
	w.Crowd.Resize(2)
	w.Crowd.Obstacles[0] = o
	s := &Sweep{World: w}
	tick := uint32(0)
	radius := body.Spheres[0].Radius
	for range 400 {
		block := w.Land.block(int32(0xA9+rng.IntN(2)), int32(0xB4+rng.IntN(2)))
		base := space.CellID(uint32(block.Land.X)<<24 | uint32(block.Land.Y)<<16 | 1)
		what := block.Land.Buildings[rng.IntN(len(block.Land.Buildings))].Frame.Origin
		switch rng.IntN(3) {
		case 0:
			what = block.Land.Statics[rng.IntN(len(block.Land.Statics))].Frame.Origin
		case 1:
			if rng.IntN(2) == 0 {
				what = space.Vec3{float32(rng.IntN(8) * 24), float32(rng.IntN(8) * 24), 0} // a corner
			}
		}
		at := space.Position{Cell: base, Frame: space.Identity}
		at.Frame.Origin = space.Add(what, space.Vec3{within(-14, 14), within(-14, 14), 0})
		at.Normalize()
		plane, _, ok := w.Below(&at, body.Spheres[0].Centre)
		if !ok {
			continue
		}
		at.Frame.Origin[2] = 0
		at.Frame.Origin[2] = 0.005 - height(&plane, at.Frame.Origin)/plane.Normal[2]
		if !s.Place(body, &at, true) || s.Position().Cell.Indoors() {
			continue
		}
		from, on := *s.Position(), Standing{Ground: s.Contact, OnWalkable: s.OnWalkable()}
		tick++
		w.Crowd.Turn(tick, math.MaxUint32)
		w.Crowd.Obstacles[0].Place = from
		w.Crowd.Register(0, s.Cells(nil))
		other.Place = from
		other.Place.Frame.Origin = space.Add(other.Place.Frame.Origin, space.Vec3{within(-20, 20), within(-20, 20), 0})
		other.Place.Normalize()
		w.Crowd.Obstacles[1] = other
		w.Crowd.Register(1, s.Filled(&other, nil))
		pace := []float32{0.1, 0.49, 0.49, 0.7, 1.2, 1.9}[rng.IntN(6)] // of its radius for the small
		if radius < 0.3 {
			pace *= radius * 2
		}
		heading := rng.Float64() * 2 * math.Pi
		towards := rng.IntN(2) == 0
		for range 40 {
			if towards {
				d := space.Sub(what, from.Frame.Origin)
				heading = math.Atan2(float64(d[1]), float64(d[0])) + float64(within(-0.5, 0.5))
			} else if rng.IntN(6) == 0 {
				heading += float64(within(-2, 2))
			}
			sin, cos := math.Sincos(heading)
			to := from
			to.Frame.Origin = space.Add(to.Frame.Origin, space.Vec3{pace * float32(cos), pace * float32(sin), within(-1, 1) / 30})
			to.Frame.Rotation = space.SetHeading(to.Frame.Rotation, within(0, 360))
			may := on.OnWalkable && on.Stationary == 0 && on.Ground.Valid && on.Ground.Cell.SameBlock(from.Cell)
			var stride Stride
			before := w.Crowd.shadows[0]
			did, near := false, false
			if may {
				if before.calm > tick && rng.IntN(2) == 0 {
					did = s.Stroll(body, 0, &from, &to.Frame, &on, true, &stride)
				}
				if !did {
					did = s.Stroll(body, 0, &from, &to.Frame, &on, false, &stride)
				}
				near = s.near
			}
			if now := w.Crowd.shadows[0]; !did && (now.calm > before.calm || now.stay != before.stay || now.calm != 0 && now != before) {
				t.Fatalf("seed %d: who does not come to %v is %+v, before %+v", seed, to, now, before)
			}
			cells := append([]space.CellID{}, stride.Cells...)
			if stride.Stays {
				cells = append(cells[:0], w.Crowd.CellsOf(0)...)
			}
			done := s.Move(body, &from, &to, &on)
			count[0]++
			if did {
				count[1]++
				if stride.Stays {
					count[2]++
				}
				if near {
					count[3]++
					if stride.Origin[2] < from.Frame.Origin[2] {
						count[4]++
					}
				}
				if subSteps(space.Sub(to.Frame.Origin, from.Frame.Origin), radius) > 1 {
					count[5]++
				}
				if w.Land.block(stride.Cell.BlockX(), stride.Cell.BlockY()).plots[stride.Cell.Index()-1].building >= 0 {
					count[6]++
				}
				if got, want := outcomeOf(s), strideOutcome(&to, &stride, cells); !done || !reflect.DeepEqual(got, want) {
					t.Fatalf("seed %d, scale %v: from %v (on %+v) to %v the whole algorithm (%v) goes\n%+v, who strolls (calm %t, near %t)\n%+v", seed, o.Scale, from, on, to, done, got, stride.Stays, near, want)
				}
			}
			if !done || !s.Present() || s.Position().Cell.Indoors() {
				break
			}
			tick++
			w.Crowd.Turn(tick, math.MaxUint32)
			way := space.Sub(s.Position().Frame.Origin, from.Frame.Origin)
			from = *s.Position()
			w.Crowd.Obstacles[0].Place = from
			switch {
			case did && !stride.Stays:
				w.Crowd.Step(0, cells, stride.Leaps, stride.Marches)
			case !did:
				w.Crowd.Step(0, s.Cells(nil), Leaps(way[0], way[1]) || !from.Cell.SameBlock(to.Cell), false)
			}
			on = Standing{Ground: s.Contact, OnWalkable: s.OnWalkable(), Sliding: s.Slide.Valid, Normal: s.Slide.Normal, Stationary: s.Stationary}
			if w.Crowd.disturbs(0, from.Cell) >= 0 {
				t.Fatalf("seed %d: calm beside the other", seed)
			}
		}
	}
}
