package collision

import (
	"math"
	"reflect"
	"testing"

	"github.com/gait-engine/gait/components"
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
	var o Obstacle
	body := humanoid(t, w, &o)
	// another body, registered where it stands
	w.Crowd.Resize(2)
	w.Crowd.Obstacles[0] = o
	other := o
	other.Guid = 2
	other.Reach = w.Reach(&other)
	strolled := 0
	rapid.Check(t, func(t *rapid.T) {
		fast, whole := &Sweep{World: w}, &Sweep{World: w}
		blocks := []space.CellID{0xA9B40001, 0xAAB40001, 0xA9B50001, 0xAAB50001}
		at := space.Position{Cell: rapid.SampledFrom(blocks).Draw(t, "block"), Frame: space.Identity}
		coordinate := rapid.Float32Range(0, 191.9)
		at.Frame.Origin = space.Vec3{coordinate.Draw(t, "x"), coordinate.Draw(t, "y"), 0}
		at.Normalize()
		plane, _, ok := w.Below(&at, body.Spheres[0].Centre)
		if !ok {
			t.Fatal("no ground")
		}
		o := at.Frame.Origin
		at.Frame.Origin[2] = -(float32(plane.Normal[0]*o[0])+float32(plane.Normal[1]*o[1])+plane.D)/plane.Normal[2] + 0.005
		at.Frame.Rotation = space.SetHeading(space.IdentityQuat, rapid.Float32Range(0, 360).Draw(t, "heading"))
		if !fast.Place(body, &at, true) {
			t.Skip("no room")
		}
		from, standing := *fast.Position(), Standing{Ground: fast.Contact, OnWalkable: fast.OnWalkable()}
		other.Place = from
		other.Place.Frame.Origin[0] += rapid.Float32Range(-9, 9).Draw(t, "other x")
		other.Place.Frame.Origin[1] += rapid.Float32Range(-9, 9).Draw(t, "other y")
		other.Place.Normalize()
		w.Crowd.Obstacles[1] = other
		w.Crowd.Register(1, []space.CellID{from.Cell})
		for range 8 {
			to := from
			step := rapid.Float32Range(-0.3, 0.3)
			to.Frame.Origin = space.Add(to.Frame.Origin, space.Vec3{step.Draw(t, "dx"), step.Draw(t, "dy"), step.Draw(t, "dz") / 30})
			to.Frame.Rotation = space.SetHeading(to.Frame.Rotation, rapid.Float32Range(0, 360).Draw(t, "to heading"))
			did := fast.stroll(body, &from, &to, &standing)
			done := whole.forge(body, &from, &to, &standing)
			if did {
				strolled++
				if got, want := outcomeOf(fast), outcomeOf(whole); !done || !reflect.DeepEqual(got, want) {
					t.Fatalf("strolls from %v to %v:\n%+v, the whole algorithm (%v)\n%+v", from, to, got, done, want)
				}
			}
			if !done || !whole.Present() {
				return
			}
			from = *whole.Position()
			standing = Standing{Ground: whole.Contact, OnWalkable: whole.OnWalkable(), Sliding: whole.Slide.Valid, Normal: whole.Slide.Normal, Stationary: whole.Stationary}
		}
	})
	if strolled == 0 {
		t.Error("nothing strolled")
	}
	t.Logf("%d steps strolled", strolled)
}

// A walker in the middle of open ground strolls; so that the property above is about something.
func TestStrollApplies(t *testing.T) {
	w := fixtureLand(t)
	var o Obstacle
	body := humanoid(t, w, &o)
	s := &Sweep{World: w}
	at := space.Position{Cell: 0xA9B40025, Frame: space.Frame{Origin: space.Vec3{108, 108, 100.005}, Rotation: space.IdentityQuat}}
	if !s.Place(body, &at, true) {
		t.Fatal("no room")
	}
	to := *s.Position()
	to.Frame.Origin[0] += 0.1
	from, standing := *s.Position(), Standing{Ground: s.Contact, OnWalkable: true}
	if !s.stroll(body, &from, &to, &standing) {
		t.Error("does not stroll")
	}
	// and these do not
	for name, not := range map[string]func(b *Body, at *Standing, to *space.Position){
		"missile":         func(b *Body, _ *Standing, _ *space.Position) { b.State |= components.Missile },
		"no free heading": func(b *Body, _ *Standing, _ *space.Position) { b.FreeRotate = false },
		"in the air":      func(_ *Body, at *Standing, _ *space.Position) { at.Ground.Valid = false },
		"sliding":         func(_ *Body, at *Standing, _ *space.Position) { at.Sliding = true },
		"leaving":         func(_ *Body, at *Standing, _ *space.Position) { at.Velocity[2] = 1 },
		"far":             func(_ *Body, _ *Standing, to *space.Position) { to.Frame.Origin[0] += 1 },
		"nowhere":         func(_ *Body, _ *Standing, to *space.Position) { *to = from },
		"not a number":    func(_ *Body, _ *Standing, to *space.Position) { to.Frame.Origin[0] = float32(math.NaN()) },
	} {
		b, a, p := *body, standing, to
		not(&b, &a, &p)
		if s.stroll(&b, &from, &p, &a) {
			t.Errorf("%s: strolls", name)
		}
	}
}
