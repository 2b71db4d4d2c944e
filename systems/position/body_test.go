package position

import (
	"math"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

func airborne() components.Body {
	b := NewBody()
	b.Transient = components.Active
	CalcAcceleration(&b)
	return b
}

func TestSpec11_6_FromRest(t *testing.T) {
	b, f := airborne(), space.Identity
	UpdatePhysics(&b, .2, &f)
	if f != space.Identity || !near(b.Velocity[2], -1.96) {
		t.Errorf("first step: %v, velocity %v", f, b.Velocity)
	}
	UpdatePhysics(&b, .2, &f)
	if !near(f.Origin[2], -.588) || !near(b.Velocity[2], -3.92) {
		t.Errorf("second step: %v, velocity %v", f, b.Velocity)
	}
}

func TestSpec11_6_SmallVelocityStops(t *testing.T) {
	b, f := airborne(), space.Identity
	b.Velocity = space.Vec3{.2, 0, 0}
	UpdatePhysics(&b, .2, &f)
	if !nearVec(f.Origin, space.Vec3{0, 0, -.196}) || !nearVec(b.Velocity, space.Vec3{0, 0, -1.96}) {
		t.Errorf("%v, velocity %v", f, b.Velocity)
	}
	// by the speed before friction: .26 m/s survives the step that brings it below .25
	b = NewBody()
	b.Transient = components.Contact | components.OnWalkable
	b.Velocity = space.Vec3{.26, 0, 0}
	UpdatePhysics(&b, .2, &f)
	if v := b.Velocity[0]; !(v > .1 && v < .25) {
		t.Errorf("velocity %v", v)
	}
	UpdatePhysics(&b, .2, &f)
	if b.Velocity != (space.Vec3{}) {
		t.Errorf("velocity %v", b.Velocity)
	}
}

func TestSpec11_6_FrictionExample(t *testing.T) {
	w := newWorld(t)
	w.q = 1.0 / 16
	w.GroundEvent(false, false)
	SetVelocity(w.Body, space.Vec3{3.4641, 2, -4.9})
	w.GroundEvent(true, true)
	for i, v := range []space.Vec3{{2.8726, 1.6586, 0}, {2.3821, 1.3753, 0}} {
		w.update()
		if !nearVec(w.Body.Velocity, v) {
			t.Errorf("step %d: %v, want %v", i+1, w.Body.Velocity, v)
		}
	}
}

func TestF52_LandsMoving(t *testing.T) {
	w := newWorld(t)
	w.q = 1.0 / 16
	w.GroundEvent(false, false)
	w.Pose.Frame.Origin[2] = 5
	SetVelocity(w.Body, space.Vec3{1, 2, 0})
	w.run(8)
	if z := w.Body.Velocity[2]; !near(z, -4.9) {
		t.Fatalf("falling at %v", z)
	}
	w.GroundEvent(true, true)
	if w.Body.Velocity[2] >= 0 {
		t.Error("the event itself keeps the velocity")
	}
	w.update()
	f := float32(math.Pow(.05, 1./16))
	if !nearVec(w.Body.Velocity, space.Vec3{f, 2 * f, 0}) {
		t.Errorf("velocity %v", w.Body.Velocity)
	}
	z := w.Pose.Frame.Origin[2]
	w.run(40)
	if w.Body.Velocity != (space.Vec3{}) || !near(w.Pose.Frame.Origin[2], z) {
		t.Errorf("velocity %v, z %v, was %v", w.Body.Velocity, w.Pose.Frame.Origin[2], z)
	}
}

func TestSpec11_6_NoFrictionOffTheGround(t *testing.T) {
	for _, c := range []struct {
		v    space.Vec3
		kept bool
	}{{space.Vec3{3, 0, .25}, true}, {space.Vec3{3, 0, .24}, false}, {space.Vec3{3, 0, -9}, false}} {
		b, f := NewBody(), space.Identity
		b.Transient = components.Contact | components.OnWalkable
		b.Velocity = c.v
		UpdatePhysics(&b, .2, &f)
		if kept := b.Velocity == c.v; kept != c.kept {
			t.Errorf("%v became %v", c.v, b.Velocity)
		}
	}
}

func TestSpec11_6_FrictionTable(t *testing.T) {
	slope := space.Vec3{float32(math.Sin(.2)), 0, float32(math.Cos(.2))} // 11.5°
	up := space.Vec3{0, 0, 1}
	for _, c := range []struct {
		name   string
		sled   bool
		v      float32
		normal space.Vec3
		f      float64
	}{
		{"normal", false, 3, up, .95},
		{"sled, slow", true, 1.2, up, 1},
		{"sled, slow on a slope", true, 1.2, slope, 1},
		{"sled, fast on a slope", true, 2.6, slope, .2},
		{"sled, fast on the level", true, 2.6, up, .95},
		{"sled, not so fast on a slope", true, 2.4, slope, .95},
		{"sled, not so slow", true, 1.26, up, .95},
	} {
		b, f := NewBody(), space.Identity
		b.State &^= components.Gravity
		if c.sled {
			b.State |= components.Sledding
		}
		b.Transient = components.Contact | components.OnWalkable
		b.ContactNormal = c.normal
		b.Velocity = space.Vec3{0, c.v, 0} // along the slope
		UpdatePhysics(&b, .2, &f)
		if want := c.v * float32(math.Pow(1-c.f, .2)); !near(b.Velocity[1], want) {
			t.Errorf("%s: %v, want %v", c.name, b.Velocity, want)
		}
	}
}

func TestSpec11_6_CapsAtFifty(t *testing.T) {
	b, f := NewBody(), space.Identity
	SetVelocity(&b, space.Vec3{60, 80, 0})
	if !nearVec(b.Velocity, space.Vec3{30, 40, 0}) {
		t.Errorf("set: %v", b.Velocity)
	}
	b.Velocity = space.Vec3{0, 0, -100}
	UpdatePhysics(&b, .1, &f)
	if !nearVec(f.Origin, space.Vec3{0, 0, -5}) || !nearVec(b.Velocity, space.Vec3{0, 0, -50}) {
		t.Errorf("step: %v, %v", f.Origin, b.Velocity)
	}
	SetVelocity(&b, space.Vec3{math.MaxFloat32, -math.MaxFloat32, 0})
	if !near(space.Length(b.Velocity), 50) {
		t.Errorf("huge: %v", b.Velocity)
	}
}

func TestSpec11_6_SetVelocity(t *testing.T) {
	b := NewBody()
	SetVelocity(&b, space.Vec3{.0001, 0, 0}) // within EPS: not taken, and yet it activates
	if b.Velocity != (space.Vec3{}) || b.Transient != components.Active {
		t.Errorf("%v, %#x", b.Velocity, b.Transient)
	}
	SetVelocity(&b, space.Vec3{.0003, 0, 0})
	if b.Velocity[0] != .0003 || b.Transient&components.JumpedThisFrame == 0 {
		t.Errorf("%v, %#x", b.Velocity, b.Transient)
	}
	pose := components.Pose{Position: at(0)}
	if !BeginStep(&pose, &b) || b.Transient&components.JumpedThisFrame != 0 {
		t.Error("a step clears the jump")
	}
	s := NewBody()
	s.State |= components.Static
	SetVelocity(&s, space.Vec3{1, 0, 0})
	if s.Velocity[0] != 1 || s.Transient&components.Active != 0 {
		t.Errorf("static: %v, %#x", s.Velocity, s.Transient)
	}
	o := NewBody()
	SetOmega(&o, space.Vec3{0, 0, 1})
	if o.Transient != 0 {
		t.Error("omega activates")
	}
}

func TestF51_LocalJumpIsRotatedOnce(t *testing.T) {
	for _, c := range []struct {
		heading float32
		want    space.Vec3
	}{{0, space.Vec3{0, 4, 6}}, {90, space.Vec3{4, 0, 6}}, {180, space.Vec3{0, -4, 6}}, {270, space.Vec3{-4, 0, 6}}} {
		b := NewBody()
		SetLocalVelocity(&b, space.SetHeading(space.IdentityQuat, c.heading), space.Vec3{0, 4, 6})
		if !nearVec(b.Velocity, c.want) {
			t.Errorf("heading %v: %v, want %v", c.heading, b.Velocity, c.want)
		}
	}
}

func TestSpec11_6_CalcAcceleration(t *testing.T) {
	const c, w = components.Contact, components.OnWalkable
	for _, x := range []struct {
		transient components.TransientBits
		state     components.StateBits
		falls     bool
		turns     bool
	}{
		{c | w, components.Gravity, false, false},
		{c | w, 0, false, false},
		{c, components.Gravity, true, true},
		{w, components.Gravity, true, true},
		{0, components.Gravity, true, true},
		{0, 0, false, true},
		{c | w, components.Gravity | components.Sledding, true, true},
		{c | w, components.Sledding, false, true},
	} {
		for _, was := range []components.TransientBits{0, components.Falling} {
			b := components.Body{Transient: x.transient | was, State: x.state, Omega: space.Vec3{0, 0, 1}}
			CalcAcceleration(&b)
			if falls, turns := b.Transient&components.Falling != 0, b.Omega[2] != 0; falls != x.falls || turns != x.turns {
				t.Errorf("%#x %#x: falls %v, turns %v", x.transient, x.state, falls, turns)
			}
		}
	}
}

func TestSpec11_6_OmegaTurnsAfterTheOrigin(t *testing.T) {
	b, f := NewBody(), space.Identity
	b.State &^= components.Gravity
	SetOmega(&b, space.Vec3{0, 0, -math.Pi / 2})
	SetVelocity(&b, space.Vec3{0, 4, 0})
	UpdatePhysics(&b, 1, &f)
	if !nearVec(f.Origin, space.Vec3{0, 4, 0}) || !near(space.Heading(f.Rotation), 90) {
		t.Errorf("%v, heading %v", f, space.Heading(f.Rotation))
	}
}

func TestSpec11_6_CheckContact(t *testing.T) {
	b := NewBody()
	b.Velocity = space.Vec3{0, 0, 1}
	if !CheckContact(&b, true) || CheckContact(&b, false) {
		t.Error("without contact the answer is the question's")
	}
	b.Transient = components.Contact
	if CheckContact(&b, true) {
		t.Error("a body that leaves its ground has no contact")
	}
	b.Velocity[2] = .0001
	if !CheckContact(&b, true) {
		t.Error("within EPS it stays")
	}
}

func TestSpec11_1_FrictionAndElasticity(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct{ in, friction, elasticity float32 }{
		{.5, .5, .1}, {0, 0, 0}, {1, 1, .1}, {1.01, .95, .1}, {-.1, .95, 0}, {nan, .95, 0}, {.07, .07, .07},
	} {
		b := NewBody()
		SetFriction(&b, c.in)
		var traits components.Traits
		SetElasticity(&traits, c.in)
		if b.Friction != c.friction || traits.Elasticity != c.elasticity {
			t.Errorf("%v: friction %v, elasticity %v", c.in, b.Friction, traits.Elasticity)
		}
	}
}

func TestSpec11_2_Hidden(t *testing.T) {
	const show = components.DefaultState | components.ReportCollisions
	b := NewBody()
	b.State = show
	if c := SetState(&b, show|components.Hidden); c != components.Hidden {
		t.Errorf("changed %#x", c)
	}
	if b.State&components.ReportCollisions != 0 || b.State&(components.IgnoreCollisions|components.Hidden) != components.IgnoreCollisions|components.Hidden {
		t.Errorf("hidden: %#x", b.State)
	}
	if c := SetState(&b, components.Gravity|components.IgnoreCollisions|components.NoDraw); c != components.LightingOn|components.NoDraw|components.Hidden {
		t.Errorf("changed %#x", c)
	}
	if b.State != components.Gravity|components.ReportCollisions|components.NoDraw {
		t.Errorf("shown: %#x", b.State)
	}
	// without an edge the word is taken as it is
	if c := SetState(&b, components.NoDraw|components.IgnoreCollisions|components.Sledding); c != 0 || b.State != components.NoDraw|components.IgnoreCollisions|components.Sledding {
		t.Errorf("changed %#x, state %#x", c, b.State)
	}
}

// 11 §5.1: a hidden body does not fall, but is chased.
func TestSpec11_5_HiddenStillInterpolates(t *testing.T) {
	w := newWorld(t)
	w.GroundEvent(true, false)
	w.Body.State |= components.Hidden
	w.Body.Velocity = space.Vec3{0, 0, 1}
	w.event(at(1))
	w.want(1, .26667, 1, 0)
	if w.Pose.Frame.Origin[2] != 0 {
		t.Error("moved by its physics")
	}
}
