package collision

import (
	"math"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// The examples of 14 §4.
func TestSpec14_4_Steps(t *testing.T) {
	for _, c := range []struct {
		way, radius float32
		want        int
	}{
		{3, 0.5, 6}, {3.1, 0.5, 7}, {0.2, 0.5, 1}, {1e-7, 0.5, 1}, {0, 0.5, 0},
		{0.5, 0.5, 1}, {0.50001, 0.5, 2}, {-3, 0.5, 6}, {0.3, 0.1, 3},
	} {
		if got := subSteps(space.Vec3{0, c.way, 0}, c.radius); got != c.want {
			t.Errorf("%v m by %v: %d sub-steps, want %d", c.way, c.radius, got, c.want)
		}
	}
	if got := subSteps(space.Vec3{0, 1e-30, 0}, 0.5); got != 1 {
		t.Errorf("a way that is not exactly zero: %d sub-steps, want 1", got)
	}
}

// 14 §4: no way but a turn succeeds, with the new rotation and the cells.
func TestSpec14_4_TurningOnTheSpot(t *testing.T) {
	r := onFlat(t, dat.Records{})
	for _, free := range []bool{false, true} {
		r.body.FreeRotate = free
		m := r.stand(97.5, 100, 0)
		m.p = turned(m.p, 0)
		to := turned(m.p, 90)
		if !r.s.Move(&r.body, &m.p, &to, &m.standing) {
			t.Fatal("failed")
		}
		if h := space.Heading(r.s.Position().Frame.Rotation); !near32(h, 90, 1e-3) {
			t.Errorf("free %v: heading %v", free, h)
		}
		if got := r.s.Cells(nil); len(got) != 1 || got[0] != m.p.Cell {
			t.Errorf("cells %x", got)
		}
	}
}

// The rotation that a body keeps when a wall ends its way is that of the last
// sub-step that it could go: on the slerp, not on the straight line.
func TestW27_RotationOfSubStepsIsASlerp(t *testing.T) {
	r := onFlat(t, setups(postSetup(0x02000100, 1, 5)))
	r.body.StepUp, r.body.State = 0.1, walker
	r.add(r.obstacle(2, 0x02000100, spot(100, 103.2, 0)))
	m := r.stand(100, 100, 0)
	from, to := turned(m.p, 0), turned(m.p, 160)
	to.Frame.Origin[1] += 2
	if !r.s.Move(&r.body, &from, &to, &m.standing) {
		t.Fatal("failed")
	}
	// three of four sub-steps: 120 of 160 degrees, where the straight line has 125
	y, h := r.s.Position().Frame.Origin[1], space.Heading(r.s.Position().Frame.Rotation)
	if !near32(y, 101.5, 1e-4) || !near32(h, 120, 0.01) {
		t.Errorf("y %v, heading %v", y, h)
	}
}

// 14 §2: what is seeded from the body.
func TestSpec14_2_Seeds(t *testing.T) {
	r := onFlat(t, dat.Records{})
	ground := Ground{Plane: Plane{Normal: up}, Cell: home, Valid: true}
	begin := func(at Standing) *Sweep {
		p := spot(100, 100, 0)
		r.s.Move(&r.body, &p, &p, &at) // no way: what was seeded stays
		return r.s
	}
	s := begin(Standing{Ground: ground, OnWalkable: true})
	if !s.Contact.Valid || !s.LastKnown.Valid || !s.is(inContact) || !s.is(onWalkable) {
		t.Error("contact: not seeded")
	}
	s = begin(Standing{Ground: ground})
	if !s.Contact.Valid || !s.is(inContact) || s.is(onWalkable) {
		t.Error("contact on what is too steep: not seeded")
	}
	s = begin(Standing{Ground: ground, OnWalkable: true, Velocity: space.Vec3{0, 0, 1}})
	if s.Contact.Valid || !s.LastKnown.Valid || s.is(inContact) || s.is(onWalkable) {
		t.Error("moving off the ground: only the last known plane is seeded")
	}
	s = begin(Standing{Ground: ground, OnWalkable: true, Velocity: space.Vec3{0, 0, Eps}})
	if !s.Contact.Valid {
		t.Error("velocity·normal of EPS is not moving off")
	}
	s = begin(Standing{Sliding: true, Normal: space.Vec3{3, 4, 5}})
	if !s.Slide.Valid || !nearVec(s.Slide.Normal, space.Vec3{0.6, 0.8, 0}, 1e-6) || s.LastKnown.Valid {
		t.Errorf("sliding normal %v: z is dropped and the rest normalised", s.Slide)
	}
	for n := range 4 {
		if s := begin(Standing{Stationary: n}); s.Stationary != n {
			t.Errorf("stationary %d, want %d", s.Stationary, n)
		}
	}
	for _, c := range []struct {
		state components.StateBits
		free  bool
		want  infoBits
	}{{0, false, 0}, {components.EdgeSlide, false, edgeSlide}, {components.Missile, false, pathClipped}, {components.PathClipped, false, 0}, {0, true, freeRotate}} {
		r.body.State, r.body.FreeRotate = c.state, c.free
		if s := begin(Standing{}); s.info != c.want {
			t.Errorf("state %#x: info %#x, want %#x", c.state, s.info, c.want)
		}
	}
}

// The last known plane has the cell of the body's own contact plane, here that of
// the neighbouring block, and its height is measured there.
func TestW3_LastKnownKeepsItsCell(t *testing.T) {
	r := onFlat(t, dat.Records{})
	const west space.CellID = 0xA8B40039
	plane := Plane{Normal: space.Vec3{0.6, 0, 0.8}, D: -0.6 * 191}
	p := spot(2, 2, 0.1)
	at := Standing{Ground: Ground{Plane: plane, Cell: west, Valid: true}, OnWalkable: true, Velocity: space.Vec3{1, 0, 1}}
	r.s.Move(&r.body, &p, &p, &at)
	if g := r.s.LastKnown; g.Cell != west || g.Plane != plane || !g.Valid {
		t.Errorf("last known %+v", g)
	}
	if g := r.s.Contact; g.Valid || g.Cell == p.Cell {
		t.Errorf("contact %+v", g)
	}
}

// Nothing of an earlier sweep shows in a later one.
func TestW20_FreshSweepStartsFromZero(t *testing.T) {
	r := onLand(t)
	m := r.stand(110, 34, 100)
	m.steps(20, 0, 0.2, 0) // into a wall
	if s := r.s; !s.LastKnown.Valid || s.Slide.Normal == (space.Vec3{}) {
		t.Fatal("the wall left nothing to forget")
	}
	r.s.reset(&r.body)
	s := r.s
	if s.Contact != (Ground{}) || s.LastKnown != (Ground{}) || s.Slide != (direction{}) || s.Hit != (direction{}) ||
		s.Stationary != 0 || s.Environment || s.KillsVelocity || len(s.Collisions) != 0 || s.walkable.ok || s.collide || s.negPolyHit {
		t.Errorf("%+v", s)
	}
	used, fresh := r.float(110, 34, 105), onLand(t).float(110, 34, 105)
	a, b := used.step(0.3, 2, -0.4), fresh.step(0.3, 2, -0.4)
	if a != b || used.standing != fresh.standing || *used.s.Position() != *fresh.s.Position() {
		t.Errorf("%v after a sweep, %v without", a, b)
	}
}

// 14 §4 adjust_offset, branch by branch.
func TestSpec14_4_AdjustOffset(t *testing.T) {
	r := onFlat(t, dat.Records{})
	slope := space.Vec3{-0.6, 0, 0.8}
	try := func(v space.Vec3, contact, slide *space.Vec3) (space.Vec3, *Sweep) {
		p := spot(100, 100, 5)
		s := r.at(p, p, false)
		if contact != nil { // sphere 0 just touches it
			c := s.global[0].Centre
			s.Contact.set(&Plane{Normal: *contact, D: 0.5 - space.Dot(*contact, c)}, p.Cell, false)
		}
		if slide != nil {
			s.Slide = direction{true, *slide}
		}
		return s.adjustOffset(v), s
	}
	want := func(what string, got, want space.Vec3) {
		t.Helper()
		if !nearVec(got, want, 1e-5) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	east, west := space.Vec3{1, 0, 0}, space.Vec3{-1, 0, 0}
	v, _ := try(space.Vec3{1, 2, 3}, nil, nil)
	want("nothing", v, space.Vec3{1, 2, 3})
	v, s := try(space.Vec3{1, 2, 0}, nil, &west)
	want("into a slide without ground", v, space.Vec3{0, 2, 0})
	if !s.Slide.Valid {
		t.Error("the slide ended")
	}
	v, s = try(space.Vec3{1, 2, 0}, nil, &east)
	want("away from a slide", v, space.Vec3{1, 2, 0})
	if s.Slide.Valid {
		t.Error("the slide goes on")
	}
	v, _ = try(space.Vec3{0, 2, -1}, &up, nil)
	want("into level ground", v, space.Vec3{0, 2, 0})
	v, _ = try(space.Vec3{1, 0, 0}, &slope, nil) // uphill: moves into the slope
	want("up a slope", v, space.Vec3{0.64, 0, 0.48})
	v, _ = try(space.Vec3{-1, 0, 0}, &slope, nil) // downhill: snapped to it
	want("down a slope", v, space.Vec3{-1, 0, -0.75})
	v, _ = try(space.Vec3{1, 2, 0}, &up, &west)
	want("along the crease of ground and wall", v, space.Vec3{0, 2, 0})
	flat := space.Vec3{0, 0, -1}
	v, _ = try(space.Vec3{0, 0, 1}, &up, &flat)
	want("a crease of parallel planes", v, space.Vec3{})
	level := space.Vec3{0, 1, 0}
	v, _ = try(space.Vec3{1, 0.5, 7}, &level, nil)
	want("away from a wall: not snapped", v, space.Vec3{1, 0.5, 7})
}

// 14 §4 anti-sink: a body that lies in its plane is raised at once; not out of
// water, not without a cell, not by its radius or more.
func TestSpec14_4_AntiSink(t *testing.T) {
	r := onFlat(t, dat.Records{})
	for _, c := range []struct {
		sunk, lift float32
		water      bool
		cell       space.CellID
	}{
		{0.2, 0.2, false, home}, {0.2, 0, true, home}, {0.2, 0, false, 0}, {0.6, 0, false, home}, {0.0001, 0, false, home}, {-0.1, 0, false, home},
	} {
		p := spot(100, 100, 0)
		s := r.at(p, p, true)
		s.Contact.set(&Plane{Normal: up, D: -c.sunk}, c.cell, c.water)
		s.adjustOffset(space.Vec3{1, 0, 0})
		if got := s.check.Frame.Origin[2]; !near32(got, c.lift, 1e-6) {
			t.Errorf("%+v: raised by %v", c, got)
		}
	}
	// the plane of another block is measured in that block
	p := spot(2, 2, 0)
	s := r.at(p, p, true)
	n := space.Vec3{0.6, 0, 0.8}
	s.Contact.set(&Plane{Normal: n, D: -(0.6*194 + 0.8*0.5) + 0.4}, 0xA8B40039, false)
	s.adjustOffset(space.Vec3{})
	if got := s.check.Frame.Origin[2]; !near32(got, 0.1/0.8, 1e-4) {
		t.Errorf("raised by %v, want .125", got)
	}
}

// 14 §4: a first step that vanishes fails, a later one ends the sweep.
func TestSpec14_4_VanishingSteps(t *testing.T) {
	r := onFlat(t, dat.Records{})
	m := r.stand(100, 100, 0)
	m.step(0, 0, -0.3) // straight into the ground
	if !m.failed {
		t.Error("a step straight into the ground: no failure")
	}
	if m.step(0, 0.0001, 0); !m.failed {
		t.Error("a step below EPS: no failure")
	}
	m.p.Cell = 0
	if m.step(0, 1, 0); !m.failed {
		t.Error("no begin cell: no failure")
	}
	l := onLand(t)
	a := l.float(100, 100, 110)
	a.p.Cell = 0x00010001 // not on record
	if a.step(0, 1, 0); !a.failed {
		t.Error("a begin cell that is not there: no failure")
	}
}

// A way that has more sub-steps than there can be is refused, as is one that is no number.
func TestSpec14_4_BoundedSteps(t *testing.T) {
	r := onFlat(t, dat.Records{})
	for _, v := range []float32{1e5, 1e9, 1e20, 3e38, float32(math.Inf(1)), float32(math.NaN())} {
		m := r.stand(100, 100, 0)
		if m.step(0, v, 0); !m.failed {
			t.Errorf("a step of %v m is gone", v)
		}
	}
	m := r.stand(100, 100, 0)
	if d := m.step(0, 500, 0); !near32(d[1], 500, 0.01) {
		t.Errorf("of 500 m %v were gone", d)
	}
}

// 14 §7: what counts as having moved: cell, place or rotation.
func TestW33_MovedComparesPlaceAndRotation(t *testing.T) {
	r := onFlat(t, dat.Records{})
	for _, c := range []struct {
		what string
		to   func(p *space.Position)
		want int // stationary frames afterwards
	}{
		{"nothing", func(*space.Position) {}, 1},
		{"up to EPS", func(p *space.Position) { p.Frame.Origin[1] += 0.00019 }, 1},
		{"place", func(p *space.Position) { p.Frame.Origin[1] += 0.001 }, 0},
		{"rotation", func(p *space.Position) { *p = turned(*p, 1) }, 0},
		{"cell", func(p *space.Position) { p.Cell++ }, 0},
	} {
		from := spot(100, 100, 0)
		to := from
		c.to(&to)
		s := r.at(from, to, true)
		s.validate(OK)
		if s.Stationary != c.want {
			t.Errorf("%s: stationary %d, want %d", c.what, s.Stationary, c.want)
		}
		if s.current != to {
			t.Errorf("%s: current is not check", c.what)
		}
	}
}

// 14 §7, point by point.
func TestSpec14_7_Validate(t *testing.T) {
	r := onFlat(t, dat.Records{})
	from, to := spot(100, 100, 0), spot(100, 101, 0)

	s := r.at(from, to, true) // blocked on known ground, near enough
	s.Hit.set(space.Vec3{0, -3, 4})
	if s.validate(Collided) != OK || s.current != from || s.check != from {
		t.Error("blocked: not back where it was")
	}
	if !s.Contact.Valid || !s.KillsVelocity || s.Stationary != 0 || !s.LastKnown.Valid {
		t.Error("blocked on known walkable ground: contact with it, velocity killed, no stationary frame")
	}
	if !s.Slide.Valid || !nearVec(s.Slide.Normal, space.Vec3{0, -1, 0}, 1e-6) {
		t.Errorf("the sliding normal is the collision normal without z: %v", s.Slide)
	}

	s = r.at(from, to, true) // not walkable
	s.info &^= onWalkable
	s.validate(Slid)
	if !s.Contact.Valid || s.Stationary != 1 {
		t.Errorf("blocked on steep ground: stationary %d", s.Stationary)
	}

	s = r.at(from, to, true) // the known plane is too far away
	s.LastKnown.Plane.D = -(r.body.Spheres[0].Radius + 1)
	s.LastKnown.Plane.D = 0.1
	s.validate(Adjusted)
	if s.Contact.Valid || s.Stationary != 1 || !s.KillsVelocity {
		t.Error("the known plane is farther than the radius: no contact")
	}
	if s.Hit.Normal != up || !s.Slide.Valid || s.Slide.Normal != (space.Vec3{}) {
		t.Errorf("no collision normal: it is up, and the sliding normal zero; %v %v", s.Hit, s.Slide)
	}

	s = r.at(from, to, false)
	s.validate(Collided)
	if s.KillsVelocity || s.Contact.Valid {
		t.Error("without known ground velocity stays")
	}

	// stationary frames: 0 1 2 3, and at the third ground is made
	for n, want := range []int{1, 2, 3, 3} {
		s = r.at(from, from, false)
		s.Stationary = n
		s.validate(OK)
		if s.Stationary != want || s.Contact.Valid != (want == 3) || s.Environment != (want == 3) || s.is(onWalkable) != (want == 3) {
			t.Errorf("stationary %d: %d, contact %v", n, s.Stationary, s.Contact)
		}
		if want == 3 && (s.Contact.Plane.Normal != up || !near32(s.Contact.Plane.D, 0, 1e-6) || s.Contact.Water || s.Contact.Cell != from.Cell || s.Hit.Normal != up) {
			t.Errorf("made ground %+v hit %v", s.Contact, s.Hit)
		}
	}
	s = r.at(from, from, true) // in contact: no collision is reported
	s.Stationary = 2
	s.validate(OK)
	if s.Environment || s.Hit.Valid || !s.Contact.Valid {
		t.Error("made ground is no collision for who was in contact")
	}
	r.body.State &^= components.Gravity
	s = r.at(from, from, false)
	s.validate(OK)
	if s.Stationary != 0 {
		t.Error("without gravity nothing counts")
	}
	r.body.State |= components.Gravity

	// contact bits follow the plane
	for _, c := range []struct {
		z    float32
		want infoBits
	}{{1, inContact | onWalkable}, {FloorZ, inContact | onWalkable}, {0.664, inContact}, {0.1, inContact}} {
		s = r.at(from, to, true)
		s.Contact.set(&Plane{Normal: space.Vec3{0, 0, c.z}}, home, false)
		s.validate(OK)
		if got := s.info & (inContact | onWalkable); got != c.want || s.LastKnown != s.Contact {
			t.Errorf("plane z %v: %#x, last known %v", c.z, got, s.LastKnown)
		}
	}
	s = r.at(from, to, true)
	s.validate(OK)
	if s.info&(inContact|onWalkable) != 0 || s.LastKnown.Valid {
		t.Error("no plane: no contact, and none known any more")
	}
}

// 14 §4: a missile's sweep ends with the first collision, and any with a frame that was stationary.
func TestSpec14_4_MissileStopsAtTheFirstCollision(t *testing.T) {
	r := onFlat(t, setups(ballSetup(0x02000100, 1, 1), ballSetup(0x02000101, 0, 0.1)))
	r.body.State = components.Missile | components.PathClipped | components.AlignPath | components.ReportCollisions
	r.body.Traits = components.HasGame
	r.body.Spheres[0] = dat.Sphere{Radius: 0.1}
	r.add(r.obstacle(2, 0x02000100, spot(100, 105, 0)))
	m := r.float(100, 100, 1)
	d := m.step(0, 8, 0)
	if d[1] < 3.7 || d[1] > 3.9+1e-3 {
		t.Errorf("went %v, the target's surface is 3.9 off", d)
	}
	if got := r.s.Collisions; len(got) != 1 || got[0] != 2 {
		t.Errorf("met %v", got)
	}
	if !r.s.Hit.Valid || !nearVec(r.s.Hit.Normal, space.Vec3{0, -1, 0}, 1e-3) {
		t.Errorf("hit %v", r.s.Hit)
	}
}
