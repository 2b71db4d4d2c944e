package collision

import (
	"math"
	"reflect"
	"testing"

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
	strolled, stayed, crossed, descended, wet, slid, beside := 0, 0, 0, 0, 0, 0, 0
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
			step := rapid.Float32Range(-0.3, 0.3)
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
				if whole.near {
					beside++
				}
				want := outcome{Place: to, Present: true, Collisions: []uint32{}, Cells: cells}
				want.Place.Cell, want.Place.Frame.Origin = stride.Cell, stride.Origin
				want.Contact.set(stride.Plane, stride.Cell, stride.Water)
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
	t.Logf("%d steps strolled, %d calm, %d into another cell, %d down, %d in water, %d after sliding, %d beside something", strolled, stayed, crossed, descended, wet, slid, beside)
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
		"far": {1, 0, 0}, "nowhere": {}, "not a number": {float32(math.NaN()), 0, 0}, "nor that": {0.1, 0, float32(math.NaN())}, "no way": {1e-5, 0, 0},
	} {
		p := from.Frame
		p.Origin = space.Add(p.Origin, way)
		if s.Stroll(body, 0, &from, &p, &on, false, &out) {
			t.Errorf("%s: strolls", name)
		}
	}
}
