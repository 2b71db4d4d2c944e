package collision

import (
	"math"
	"reflect"
	"testing"

	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
	"pgregory.net/rapid"
)

// outcome is all that a sweep says.
type outcome struct {
	Place         space.Position
	Present       bool
	Contact       Ground
	Slide, Hit    direction
	Stationary    int
	Environment   bool
	KillsVelocity bool
	Collisions    []uint32
	Cells         []space.CellID
}

func outcomeOf(s *Sweep) outcome {
	return outcome{
		*s.Position(), s.Present(), s.Contact, direction{s.Slide.Valid, space.Vec3{}}, direction{s.Hit.Valid, space.Vec3{}}, s.Stationary,
		s.Environment, s.KillsVelocity, append([]uint32{}, s.Collisions...), s.Cells([]space.CellID{}),
	}
}

// strideOutcome is what a sweep says that comes to the same as a stride.
func strideOutcome(to *space.Position, stride *Stride, cells []space.CellID) outcome {
	o := outcome{Place: *to, Present: true, Collisions: []uint32{}, Cells: cells}
	o.Place.Cell, o.Place.Frame.Origin = stride.Cell, stride.Origin
	o.Contact.set(stride.Plane, stride.Cell, stride.Water)
	return o
}

// What strolls goes, bit for bit, where the whole algorithm takes it.
func TestStrollIsMove(t *testing.T) {
	w := fixtureLand(t)
	t.Run("land", func(t *testing.T) { strollIsMove(t, w) })
	flat := *w
	flat.Land, flat.Crowd = NewFlat(100), &Crowd{}
	t.Run("flat", func(t *testing.T) { strollIsMove(t, &flat) })
}

func strollIsMove(t *testing.T, w *World) {
	var o Obstacle
	body := humanoid(t, w, &o)
	// another body, registered where it stands
	w.Crowd.Resize(2)
	w.Crowd.Obstacles[0] = o
	tick := uint32(0)
	other := o
	other.Guid = 2
	other.Reach = w.Reach(&other)
	strolled, stayed, crossed, descended, wet, slid, beside, far := 0, 0, 0, 0, 0, 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		whole := &Sweep{World: w}
		blocks := []space.CellID{0xA9B40001, 0xAAB40001, 0xA9B50001, 0xAAB50001}
		at := space.Position{Cell: rapid.SampledFrom(blocks).Draw(t, "block"), Frame: space.Identity}
		coordinate := rapid.OneOf(rapid.Float32Range(0, 191.9), rapid.Map(rapid.Float32Range(0.1, 190), func(v float32) float32 {
			return float32(int(v)/24*24) + v/400 // near a border
		}))
		at.Frame.Origin = space.Vec3{coordinate.Draw(t, "x"), coordinate.Draw(t, "y"), 0}
		if rapid.Bool().Draw(t, "beside something") {
			o := rapid.SampledFrom([]space.Vec3{{110, 36}, {130, 36}, {152, 36}, {120, 60}, {144, 60}, {160, 56}, {110, 84}, {125, 84}, {60, 36}, {126, 156}, {190, 132}, {150, 12}}).Draw(t, "what")
			d := rapid.Float32Range(-6, 6)
			at.Cell, at.Frame.Origin = 0xA9B40001, space.Vec3{o[0] + d.Draw(t, "beside x"), o[1] + d.Draw(t, "beside y"), 0}
		}
		at.Normalize()
		plane, _, ok := w.Below(&at, body.Spheres[0].Centre)
		if !ok {
			t.Fatal("no ground")
		}
		o := at.Frame.Origin
		at.Frame.Origin[2] = -(float32(plane.Normal[0]*o[0])+float32(plane.Normal[1]*o[1])+plane.D)/plane.Normal[2] + 0.005
		at.Frame.Rotation = space.SetHeading(space.IdentityQuat, rapid.Float32Range(0, 360).Draw(t, "heading"))
		if !whole.Place(body, &at, true) {
			t.Skip("no room")
		}
		from, standing := *whole.Position(), Standing{Ground: whole.Contact, OnWalkable: whole.OnWalkable()}
		other.Place = from
		other.Place.Frame.Origin[0] += rapid.Float32Range(-9, 9).Draw(t, "other x")
		other.Place.Frame.Origin[1] += rapid.Float32Range(-9, 9).Draw(t, "other y")
		other.Place.Normalize()
		w.Crowd.Obstacles[1] = other
		w.Crowd.Register(1, []space.CellID{from.Cell}) // which is told to row 0
		for range 8 {
			to := from
			step := rapid.OneOf(rapid.Float32Range(-0.3, 0.3), rapid.Float32Range(-0.3, 0.3), rapid.Float32Range(-1.2, 1.2))
			to.Frame.Origin = space.Add(to.Frame.Origin, space.Vec3{step.Draw(t, "dx"), step.Draw(t, "dy"), step.Draw(t, "dz") / 30})
			to.Frame.Rotation = space.SetHeading(to.Frame.Rotation, rapid.Float32Range(0, 360).Draw(t, "to heading"))
			may := standing.OnWalkable && standing.Stationary == 0 && standing.Ground.Valid && standing.Ground.Cell.SameBlock(from.Cell)
			var stride Stride
			calm := w.Crowd.shadows[0].calm
			did := whole.Stroll(body, 0, &from, &to.Frame, &standing, false, &stride)
			if now := w.Crowd.shadows[0].calm; !did && now > calm {
				t.Fatalf("who does not come to %v is calm there until tick %d, before until %d", to, now, calm)
			}
			cells := append([]space.CellID{}, stride.Cells...)
			if stride.Stays {
				cells = append(cells[:0], w.Crowd.CellsOf(0)...)
			}
			tick++
			w.Crowd.Turn(tick, math.MaxUint32)
			done := whole.Move(body, &from, &to, &standing)
			if may && did {
				strolled++
				if stride.Stays {
					stayed++
				} else {
					w.Crowd.Step(0, cells, stride.Leaps, stride.Marches)
				}
				if n := subSteps(space.Sub(to.Frame.Origin, from.Frame.Origin), body.Spheres[0].Radius); n > 1 {
					far++
				}
				if whole.near {
					beside++
				}
				want := strideOutcome(&to, &stride, cells)
				if stride.Water {
					wet++
				}
				if standing.Sliding {
					slid++
				}
				if stride.Cell != from.Cell {
					crossed++
				}
				if stride.Origin[2] < from.Frame.Origin[2] {
					descended++
				}
				if got := outcomeOf(whole); !done || !reflect.DeepEqual(got, want) {
					t.Fatalf("from %v to %v the whole algorithm (%v) goes\n%+v, who strolls\n%+v", from, to, done, got, want)
				}
			}
			if !done || !whole.Present() {
				return
			}
			from = *whole.Position()
			standing = Standing{Ground: whole.Contact, OnWalkable: whole.OnWalkable(), Sliding: whole.Slide.Valid, Normal: whole.Slide.Normal, Stationary: whole.Stationary}
		}
	})
	if stayed == 0 {
		t.Errorf("of %d that strolled none was calm", strolled)
	}
	if strolled > 100 && far == 0 { // one in six does
		t.Errorf("of %d that strolled none went far", strolled)
	}
	t.Logf("%d steps strolled, %d calm, %d into another cell, %d down, %d in water, %d after sliding, %d beside something, %d far", strolled, stayed, crossed, descended, wet, slid, beside, far)
}

// stroller walks over the fixture land alone, and checks that who strolls goes where the whole
// algorithm takes it, and lies in the same cells.
type stroller struct {
	w    *World
	body *Body
	s    *Sweep
	from space.Position
	on   Standing
	tick uint32
}

func newStroller(t *testing.T) *stroller {
	r := &stroller{w: fixtureLand(t)}
	var o Obstacle
	r.body = humanoid(t, r.w, &o)
	r.s = &Sweep{World: r.w}
	r.w.Crowd.Resize(1)
	r.w.Crowd.Obstacles[0] = o
	return r
}

// stands puts it on the ground under a point, and reports whether there is room.
func (r *stroller) stands(t *testing.T, at space.Position) bool {
	at.Frame.Rotation = space.IdentityQuat
	at.Normalize()
	plane, _, ok := r.w.Below(&at, r.body.Spheres[0].Centre)
	if !ok {
		t.Fatal("no ground")
	}
	at.Frame.Origin[2] += 0.005 - height(&plane, at.Frame.Origin)/plane.Normal[2]
	ok = r.s.Place(r.body, &at, false) && !r.s.Position().Cell.Indoors()
	r.from, r.on = *r.s.Position(), Standing{Ground: r.s.Contact, OnWalkable: r.s.OnWalkable()}
	return ok
}

// strolls takes a step, and reports whether it strolled.
func (r *stroller) strolls(t *testing.T, way space.Vec3) (stride Stride, did bool) {
	to := r.from
	to.Frame.Origin = space.Add(to.Frame.Origin, way)
	if !r.on.OnWalkable || r.on.Stationary != 0 || !r.on.Ground.Cell.SameBlock(r.from.Cell) ||
		!r.s.Stroll(r.body, 0, &r.from, &to.Frame, &r.on, false, &stride) {
		return stride, false
	}
	cells := append([]space.CellID{}, stride.Cells...)
	if stride.Stays {
		cells = append(cells[:0], r.w.Crowd.CellsOf(0)...)
	}
	r.tick++
	crowd := r.w.Crowd
	crowd.Obstacles[0].Place.Cell, crowd.Obstacles[0].Place.Frame.Origin = stride.Cell, stride.Origin
	crowd.Turn(r.tick, math.MaxUint32)
	if !stride.Stays {
		crowd.Step(0, cells, stride.Leaps, stride.Marches)
	}
	done := r.s.Move(r.body, &r.from, &to, &r.on)
	if got, want := outcomeOf(r.s), strideOutcome(&to, &stride, cells); !done || !reflect.DeepEqual(got, want) {
		t.Fatalf("from %v to %v the whole algorithm (%v) goes\n%+v, who strolls\n%+v", r.from, to, done, got, want)
	}
	r.from = *r.s.Position()
	r.on = Standing{Ground: r.s.Contact, OnWalkable: r.s.OnWalkable(), Sliding: r.s.Slide.Valid, Normal: r.s.Slide.Normal, Stationary: r.s.Stationary}
	return stride, true
}

// Who goes around a house strolls until a tick in which it may touch that or come in by a door.
func TestStrollAroundAHouse(t *testing.T) {
	r := newStroller(t)
	block := r.w.Land.block(0xA9, 0xB4)
	strolled, was := 0, dat.Building{}
	for k := range 3 * len(block.Land.Buildings) {
		house := &block.Land.Buildings[k/3]
		switch k % 3 {
		case 0:
			was = *house
		case 1: // the shell alone, and tilted
			house.PortalCount = 0
			house.Frame.Rotation = space.Quat{W: math.Sqrt2 / 2, V: space.Vec3{math.Sqrt2 / 2}}
			id, _ := space.AdjustToOutside(0xA9B40001, house.Frame.Origin)
			if _, walls, _ := r.s.houseGaps(block, id, 1000, 1000); walls > 0 {
				t.Errorf("a tilted house has walls, %v m off", walls)
			}
		case 2: // the rooms alone
			*house = was
			house.Hull = dat.None
		}
		for i := range 96 * 96 {
			at := space.Position{Cell: 0xA9B40001}
			at.Frame.Origin = space.Add(house.Frame.Origin, space.Vec3{float32(i%96)/4 - 12, float32(i/96)/4 - 12, 0})
			if !r.stands(t, at) {
				continue
			}
			// towards the house, so that it is calm no longer than it has to be
			way := space.Sub(house.Frame.Origin, r.from.Frame.Origin)
			way[2] = 0
			way = space.Scale(way, 0.4/max(0.4, space.Length(way)))
			for range 40 {
				stride, did := r.strolls(t, way)
				if !did {
					break
				}
				if block.plots[stride.Cell.Index()-1].building >= 0 {
					strolled++
				}
			}
		}
	}
	if strolled < 1000 {
		t.Errorf("%d steps in the cell of a house", strolled)
	}
}

// Who goes so far in a tick that it takes several sub-steps strolls, into and out of water too.
func TestStrollFar(t *testing.T) {
	r := newStroller(t)
	strolled, slid, shores := 0, 0, 0
	blocks := []space.CellID{0xA9B40001, 0xAAB40001, 0xA9B50001, 0xAAB50001}
	for i := range 4 * 48 * 48 {
		at := space.Position{Cell: blocks[i&3]}
		at.Frame.Origin = space.Vec3{float32(i>>2%48)*4 + 0.7, float32(i>>2/48)*4 + 0.3, 0}
		if !r.stands(t, at) {
			continue
		}
		sin, cos := math.Sincos(float64(i))
		for step := range 8 {
			if step == 4 { // as one does who has run into something
				r.on.Sliding, r.on.Normal = true, space.Vec3{float32(-sin), float32(cos), 0}
			}
			was := r.on
			if _, did := r.strolls(t, space.Vec3{float32(1.3 * cos), float32(1.3 * sin), 0}); !did {
				break
			}
			strolled++
			if was.Sliding {
				slid++
			}
			if was.Ground.Water != r.on.Ground.Water {
				shores++
			}
		}
	}
	t.Logf("%d steps, %d after sliding, %d into or out of water", strolled, slid, shores)
	if strolled < 1000 || slid < 100 || shores < 10 {
		t.Errorf("%d steps, %d after sliding, %d into or out of water", strolled, slid, shores)
	}
}

// A walker in the middle of open ground strolls; so that the property above is about something.
func TestStrollApplies(t *testing.T) {
	w := fixtureLand(t)
	var o Obstacle
	body := humanoid(t, w, &o)
	w.Crowd.Resize(1)
	s := &Sweep{World: w}
	at := space.Position{Cell: 0xA9B40025, Frame: space.Frame{Origin: space.Vec3{108, 108, 100.005}, Rotation: space.IdentityQuat}}
	if !s.Place(body, &at, true) {
		t.Fatal("no room")
	}
	to := *s.Position()
	to.Frame.Origin[0] += 0.1
	from, on := *s.Position(), Standing{Ground: s.Contact, OnWalkable: true}
	var out Stride
	if !s.Stroll(body, 0, &from, &to.Frame, &on, false, &out) {
		t.Error("does not stroll")
	}
	for name, way := range map[string]space.Vec3{
		"far": {3, 0, 0}, "nowhere": {}, "not a number": {float32(math.NaN()), 0, 0}, "nor that": {0.1, 0, float32(math.NaN())}, "no way": {1e-5, 0, 0},
	} {
		p := from.Frame
		p.Origin = space.Add(p.Origin, way)
		if s.Stroll(body, 0, &from, &p, &on, false, &out) {
			t.Errorf("%s: strolls", name)
		}
	}
}

// How far a room is says an upright wall of what it contains, and neither its floor nor a wall
// whose plane is not in metres.
func TestRoomGap(t *testing.T) {
	wall := func(normal space.Vec3, d float32, pos int32) dat.Node {
		return dat.Node{Normal: normal, D: d, Pos: pos, Neg: dat.None}
	}
	g := &dat.Shapes{
		Nodes: []dat.Node{
			wall(space.Vec3{0, 0, 1}, -3, 1), wall(space.Vec3{0, 9, 0}, -90, 2), wall(space.Vec3{0.6, 0, 0.8}, -7, 3), {Leaf: true},
			wall(space.Vec3{-1, 0, 0}, 5, 0),
		},
		Hulls: []dat.Hull{{Cell: 0, PortalCount: 1}, {Cell: 4, PortalCount: 1}, {Cell: 4}, {Cell: dat.None, PortalCount: 1}},
	}
	inf := float32(math.Inf(1))
	for _, c := range []struct {
		hull    int32
		x, want float32
	}{{0, 40, -inf}, {1, 40, 25 - cellReach}, {1, 12, -3 - cellReach}, {2, 40, inf}, {3, 40, inf}} {
		frame := space.Identity
		frame.Origin[0] = 10
		b := &Block{Land: &dat.Block{Cells: []dat.IndoorCell{{Hull: c.hull, Frame: frame}}}}
		if got := roomGap(g, &cell{id: 0xA9B40100, block: b}, c.x, 0); got != c.want {
			t.Errorf("structure %d at %v m: %v, want %v", c.hull, c.x, got, c.want)
		}
	}
}
