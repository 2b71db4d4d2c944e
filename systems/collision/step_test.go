package collision

import (
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// slid is slide_sphere of sphere 0 that came 1 m to the north, with a support plane.
func slid(r *rig, n, support space.Vec3, d space.Vec3) (Transition, space.Vec3, *Sweep) {
	from, to := spot(100, 100, 5), spot(100, 100, 5)
	to.Frame.Origin = space.Add(to.Frame.Origin, d)
	s := r.at(from, to, false)
	s.LastKnown = Ground{Plane: Plane{Normal: support}, Cell: home} // known once, not valid
	t := s.slideSphere(0, n, 0)
	return t, space.Sub(s.check.Frame.Origin, from.Frame.Origin), s
}

// Against the plane that it stands on a slide has no way left.
func TestW2_DegenerateSlideIsACollision(t *testing.T) {
	r := onFlat(t, dat.Records{})
	got, at, s := slid(r, space.Vec3{0, 0, -1}, up, space.Vec3{0.3, 0.4, 0})
	if got != Collided {
		t.Errorf("result %v", got)
	}
	if !nearVec(s.Hit.Normal, space.Vec3{-0.6, -0.8, 0}, 1e-5) || !nearVec(at, space.Vec3{0.3, 0.4, 0}, 1e-5) {
		t.Errorf("hit %v, moved to %v", s.Hit, at)
	}
}

// 14 §6 slide_sphere, step by step.
func TestSpec14_6_SlideSphere(t *testing.T) {
	r := onFlat(t, dat.Records{})
	south := space.Vec3{0, -1, 0}
	for _, c := range []struct {
		what       string
		n, support space.Vec3
		d          space.Vec3
		want       Transition
		at         space.Vec3
	}{
		{"no normal: half the way back", space.Vec3{}, up, space.Vec3{0, 1, 0}, Adjusted, space.Vec3{0, 0.5, 0}},
		{"along the crease", south, up, space.Vec3{0.3, 1, -0.2}, Slid, space.Vec3{0.3, 0, 0}},
		{"along a turned crease", space.Vec3{-0.6, -0.8, 0}, up, space.Vec3{0, 1, 0}, Slid, space.Vec3{-0.48, 0.36, 0}},
		{"along the crease with a support that leans", south, space.Vec3{0, 0.6, 0.8}, space.Vec3{0.3, 1, 0}, Slid, space.Vec3{0.3, 0, 0}},
		{"head-on: no way along the crease", south, up, space.Vec3{0, 1, 0}, Collided, space.Vec3{0, 1, 0}},
		{"the crease's way just too short", south, up, space.Vec3{0.0141, 1, 0}, Collided, space.Vec3{0.0141, 1, 0}},
		{"the crease's way just long enough", south, up, space.Vec3{0.0142, 1, 0}, Slid, space.Vec3{0.0142, 0, 0}},
		{"along the support", up, up, space.Vec3{0.5, 0, -0.2}, Slid, space.Vec3{0.5, 0, 0}},
		{"nothing was ever known", south, space.Vec3{}, space.Vec3{0.3, 1, -0.2}, Slid, space.Vec3{0.3, 0, -0.2}},
	} {
		got, at, s := slid(r, c.n, c.support, c.d)
		if got != c.want || !nearVec(at, c.at, 1e-5) {
			t.Errorf("%s: %v at %v, want %v at %v", c.what, got, at, c.want, c.at)
		}
		if s.Hit.Valid != (c.n != space.Vec3{}) {
			t.Errorf("%s: collision normal %v", c.what, s.Hit)
		}
	}
	// over a block's border
	from, to := spot(191.9, 100, 5), spot(192.3, 101, 5)
	s := r.at(from, to, false)
	s.LastKnown.Plane.Normal = up
	if got := s.slideSphere(0, south, 0); got != Slid {
		t.Errorf("over a border: %v", got)
	}
	if at := s.check.Frame.Origin; !nearVec(at, space.Vec3{0.3, 100, 5}, 1e-4) {
		t.Errorf("over a border: at %v", at)
	}
}

// An edge stops or turns the body from where it stood, not from where the probe was.
func TestW14_EdgeSlideRestoresFirst(t *testing.T) {
	r := onFlat(t, dat.Records{})
	steep := space.Vec3{0, 0.8, 0.6}
	for _, dz := range []float32{0, -0.6} { // how far the probe had been lowered
		from, to := spot(100, 100, 5), spot(100.1, 100.2, 5)
		s := r.at(from, to, true)
		s.save()
		s.move(space.Vec3{0, 0, dz})
		s.Contact.set(&Plane{Normal: steep}, home, false)
		got, stop := s.edgeSlide(0.6, FloorZ)
		if stop || got != Adjusted {
			t.Fatalf("%v, stop %v", got, stop)
		}
		if at := s.check.Frame.Origin; !nearVec(at, space.Vec3{100.1, 100, 5}, 1e-5) {
			t.Errorf("probe %v lower: slid to %v", dz, at)
		}
		if s.Contact.Valid || !s.Hit.Valid {
			t.Errorf("contact %v hit %v", s.Contact, s.Hit)
		}
	}
}

// 14 §6 cliff_slide.
func TestSpec14_6_CliffSlide(t *testing.T) {
	r := onFlat(t, dat.Records{})
	steep := space.Vec3{0, 0.8, 0.6} // falls off to the north
	for _, c := range []struct {
		d, at, hit space.Vec3
		want       Transition
	}{
		{space.Vec3{0.1, 0.2, 0}, space.Vec3{0.1, 0, 0}, space.Vec3{0, -1, 0}, Adjusted},
		{space.Vec3{0.1, -0.2, 0}, space.Vec3{0.1, -0.4, 0}, space.Vec3{0, 0, 0}, Adjusted},
	} {
		from, to := spot(100, 100, 5), spot(100, 100, 5)
		to.Frame.Origin = space.Add(to.Frame.Origin, c.d)
		s := r.at(from, to, true)
		got := s.cliffSlide(steep)
		// c = steep × up = (0.8, 0, 0); n = (0, 0.8, 0) normalised: to the north
		at := space.Sub(s.check.Frame.Origin, from.Frame.Origin)
		if got != c.want || !nearVec(at, c.at, 1e-5) {
			t.Errorf("by %v: %v at %v, want %v", c.d, got, at, c.at)
		}
		if c.d[1] > 0 && !nearVec(s.Hit.Normal, c.hit, 1e-6) || c.d[1] < 0 && !nearVec(s.Hit.Normal, space.Vec3{0, 1, 0}, 1e-6) {
			t.Errorf("by %v: hit %v", c.d, s.Hit)
		}
	}
	s := r.at(spot(100, 100, 5), spot(100, 101, 5), true)
	if got := s.cliffSlide(up); got != OK || s.Hit.Valid {
		t.Errorf("a cliff that is level: %v", got)
	}
}

// 14 §6 edge_slide 1: who has no EDGE_SLIDE, or does not walk, goes over the edge.
func TestSpec14_6_WalksOff(t *testing.T) {
	r := onFlat(t, dat.Records{})
	for _, c := range []struct {
		state components.StateBits
		walks bool
	}{{components.Gravity, true}, {walker, false}} {
		r.body.State = c.state
		s := r.at(spot(100, 100, 5), spot(100, 101, 5), true)
		if !c.walks {
			s.info &^= onWalkable
		}
		s.save()
		s.move(space.Vec3{0, 0, -0.6})
		s.walkable.ok = true
		got, stop := s.edgeSlide(0.6, FloorZ)
		if got != OK || !stop || s.walkable.ok || s.Contact.Valid || s.check != spot(100, 101, 5) {
			t.Errorf("%+v: %v, stop %v, at %v", c, got, stop, s.check.Frame.Origin)
		}
	}
}

// oneSheet is a rig with one level polygon of 2 m around a place, 1 m high, and its index.
func oneSheet(t testing.TB) (*rig, int32) {
	r := onFlat(t, dat.Records{GfxObjs: []*dat.GfxObj{sheet(0x01000100, tile(2, 0))}, Setups: []*dat.Setup{model(0x02000100, 0x01000100)}})
	h, _ := r.Shapes.GfxObj(0x01000100)
	return r, r.Shapes.Hulls[h].FirstPolygon
}

// Every check shrinks the sphere that is recorded with the polygon.
//
// (14 §3, check_walkables)
func TestW15_RecordedSphereIsHalvedInPlace(t *testing.T) {
	r, polygon := oneSheet(t)
	s := r.at(spot(100, 100, 5), spot(100, 100, 5), true)
	if !s.onRecorded() {
		t.Error("without a polygon there is nothing to check")
	}
	// beyond the rim by .3: a radius of 1 carries once (.5), and no more then (.25)
	s.walkable = walkable{ok: true, polygon: polygon, sphere: dat.Sphere{Centre: space.Vec3{1.3, 0, 0.4}, Radius: 1}, up: up, scale: 1}
	for i, want := range []bool{true, false, false} {
		if got := s.onRecorded(); got != want {
			t.Errorf("check %d: %v, want %v", i, got, want)
		}
	}
	if got := s.walkable.sphere.Radius; got != 0.125 {
		t.Errorf("radius %v after three checks", got)
	}
}

// 14 §6 precipice_slide: the normal is that of the edge, level, and against the way.
func TestSpec14_6_PrecipiceSlide(t *testing.T) {
	r, polygon := oneSheet(t)
	for _, c := range []struct {
		turn float32 // heading of the obstacle
		d    space.Vec3
		at   space.Vec3
		hit  space.Vec3
	}{
		{0, space.Vec3{0.2, 0.3, 0}, space.Vec3{0.2, 0, 0}, space.Vec3{0, -1, 0}},
		{90, space.Vec3{0.3, 0.2, 0}, space.Vec3{0, 0.2, 0}, space.Vec3{-1, 0, 0}},
	} {
		from, to := spot(100, 100, 5), spot(100, 100, 5)
		to.Frame.Origin = space.Add(to.Frame.Origin, c.d)
		s := r.at(from, to, true)
		s.walkable = walkable{
			ok: true, polygon: polygon, sphere: dat.Sphere{Centre: space.Vec3{0, 1.1, 0.5}, Radius: 0.5}, up: up, scale: 1,
			place: turned(spot(100, 99, 5), c.turn),
		}
		got := s.precipiceSlide()
		at := space.Sub(s.check.Frame.Origin, from.Frame.Origin)
		if got != Slid || !nearVec(at, c.at, 1e-5) || !nearVec(s.Hit.Normal, c.hit, 1e-5) || s.walkable.ok {
			t.Errorf("heading %v: %v at %v hit %v", c.turn, got, at, s.Hit)
		}
	}
	s := r.at(spot(100, 100, 5), spot(100, 101, 5), true)
	s.walkable = walkable{ok: true, polygon: polygon, sphere: dat.Sphere{Centre: space.Vec3{0, 0.5, 0.5}, Radius: 0.5}, up: up, scale: 1}
	if got := s.precipiceSlide(); got != Collided || s.walkable.ok {
		t.Errorf("no edge was crossed: %v", got)
	}
}

// The test for walkable ground leaves what will be restored alone.
func TestW26_WalkabilityTestLeavesTheBackup(t *testing.T) {
	r := onLand(t)
	for _, below := range []float32{0, 0.7, 1.2, 30} { // half its step-down is probed
		s := r.at(spot(100, 100, 100), spot(100, 100.2, 100+below), true)
		s.save()
		s.backup.Frame.Origin[0] = 77
		// a polygon that carries no more, or nothing would be tested
		s.walkable = walkable{ok: true, sphere: dat.Sphere{Centre: space.Vec3{900, 900, 900}, Radius: 1}, up: up, scale: 1}
		backup, check, global := s.backup, s.check, s.global
		s.Contact.set(&Plane{Normal: up, D: -100}, home, false)
		found := s.canWalk(FloorZ)
		if s.backup != backup || s.check != check || s.global != global || s.checkWalkable {
			t.Errorf("%v m up: backup %v, check %v", below, s.backup.Frame.Origin, s.check.Frame.Origin)
		}
		if found != (below < 0.75) {
			t.Errorf("%v m up: found %v", below, found)
		}
	}
}

// 14 §6 check_walkable: how far down is probed. The humanoid's spheres are .48,
// its step-down 1.5: halves of .75, and one sphere of .5 and .6 goes .6.
func TestSpec14_5_ProbeAmounts(t *testing.T) {
	for _, c := range []struct {
		count        int
		radius, down float32
		want         float32
		halves       bool
	}{
		{2, 0.48, 1.5, 0.75, true},
		{2, 0.48, 0.96, 0.96, false}, // radius sum at least the step: one whole step
		{2, 0.48, 0.9, 0.9, false},
		{1, 0.5, 0.6, 0.6, false},
		{1, 0.3, 0.4, 0.4, false},
		{1, 0.3, 1.5, 0.15, false}, // one sphere that is smaller: half its radius
		{1, 0.1, 0.04, 0.04, false},
		{2, 0.1, 0.6, 0.3, true},
	} {
		b := Body{SphereCount: c.count, StepDown: c.down}
		b.Spheres[0].Radius, b.Spheres[1].Radius = c.radius, c.radius
		s := Sweep{body: &b, count: c.count}
		s.global[0].Radius = c.radius
		got, halves := s.body.probe(c.down)
		if !near32(got, c.want, 1e-6) || halves != c.halves {
			t.Errorf("%+v: %v, halves %v", c, got, halves)
		}
	}
}

// 14 §5: what is farther down than both halves is not stepped on; retail makes no third half.
func TestW1_NoThirdHalfStep(t *testing.T) {
	r := onFlat(t, dat.Records{})
	r.body = twoSpheres()
	r.body.Spheres[0].Radius, r.body.Spheres[0].Centre[2] = 0.2, 0.2
	r.body.StepDown = 1
	r.body.State = components.Gravity // goes over edges
	for _, c := range []struct {
		z    float32
		want bool
	}{{0.3, true}, {0.6, true}, {0.98, true}, {1.06, false}, {1.2, false}, {1.45, false}} {
		m := r.float(100, 100, c.z)
		m.standing = Standing{Ground: Ground{Plane: Plane{Normal: up, D: -c.z}, Cell: m.p.Cell, Valid: true}, OnWalkable: true}
		m.step(0, 0.1, 0)
		if got := m.walks(); got != c.want {
			t.Errorf("ground %v m down: stands %v, want %v", c.z, got, c.want)
		}
		if c.want != near32(m.z(), 0, 1e-3) {
			t.Errorf("ground %v m down: z %v", c.z, m.z())
		}
	}
}

// F53: with a radius sum of at least the step-down height one whole step is made,
// and what lies just below it is not found; below that there are two halves.
func TestF53_OneStepDownOrTwoHalves(t *testing.T) {
	r := onFlat(t, dat.Records{})
	for _, c := range []struct {
		radius, down, z float32
		want            bool
	}{{0.5, 1, 0.98, true}, {0.5, 1, 1.12, false}, {0.5, 0.9, 0.88, true}, {0.5, 0.9, 1.05, false}, {0.49, 1, 0.98, true}, {0.49, 1, 1.12, false}} {
		r.body = twoSpheres()
		r.body.Spheres[0] = dat.Sphere{Centre: space.Vec3{0, 0, c.radius}, Radius: c.radius}
		r.body.StepDown, r.body.State = c.down, components.Gravity
		m := r.float(100, 100, c.z)
		m.standing = Standing{Ground: Ground{Plane: Plane{Normal: up, D: -c.z}, Cell: m.p.Cell, Valid: true}, OnWalkable: true}
		if m.step(0, 0.1, 0); m.walks() != c.want {
			t.Errorf("%+v: stands %v, at %v", c, m.walks(), m.z())
		}
	}
}

// 14 §5: a missile does not step down.
func TestSpec14_5_MissilesDoNotStepDown(t *testing.T) {
	r := onFlat(t, dat.Records{})
	for _, missile := range []bool{false, true} {
		r.body.State = components.Gravity
		if missile {
			r.body.State |= components.Missile
		}
		m := r.float(100, 100, 0.3)
		m.standing = Standing{Ground: Ground{Plane: Plane{Normal: up, D: -0.3}, Cell: m.p.Cell, Valid: true}, OnWalkable: true}
		m.step(0, 0.1, 0)
		if m.walks() == missile {
			t.Errorf("missile %v: stands %v at %v", missile, m.walks(), m.z())
		}
	}
}

// A collision forgets what the step struck from behind.
func TestW36_CollisionForgetsTheBackFace(t *testing.T) {
	r := onLand(t)
	// the sea in the west refuses whatever comes
	s := r.at(spot(1, 100, 100.005), spot(-1, 100, 100.005), true)
	s.negPolyHit, s.negStepUp, s.negNormal = true, true, up
	if got := s.transitionalInsert(3); got != Collided || s.negPolyHit {
		t.Errorf("%v, struck from behind %v", got, s.negPolyHit)
	}
	to := spot(1, 100, 100.005) // likewise in another cell than its own
	to.Frame.Origin[0] = -1
	s = r.at(spot(1, 100, 100.005), to, true)
	s.negPolyHit = true
	if got := s.transitionalInsert(3); got != Collided || s.negPolyHit {
		t.Errorf("at the border: %v, struck from behind %v", got, s.negPolyHit)
	}
}

// 14 §5, "if collide": a landing that comes to nothing kills the velocity where
// ground was known, and else has the collision normal.
func TestSpec14_5_FailedLanding(t *testing.T) {
	r := onFlat(t, dat.Records{})
	for _, known := range []bool{true, false} {
		from, to := spot(100, 100, 5), spot(100, 101, 5)
		s := r.at(from, to, false)
		s.LastKnown.Valid = known
		south := space.Vec3{0, -1, 0}
		s.check = from
		s.placeSpheres()
		s.setCollide(south)
		s.check = to
		s.placeSpheres()
		if got := s.transitionalInsert(3); got != Collided {
			t.Fatalf("%v", got)
		}
		if s.collide || s.check != from || s.KillsVelocity != known || s.LastKnown.Valid || s.Hit.Valid == known {
			t.Errorf("known %v: kills %v, hit %v, check %v", known, s.KillsVelocity, s.Hit, s.check.Frame.Origin)
		}
		if !known && s.Hit.Normal != south {
			t.Errorf("hit %v", s.Hit)
		}
	}
}
