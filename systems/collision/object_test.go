package collision

import (
	"fmt"
	"math"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// 14 L2, step 4: who passes through whom.
//
// The bits are those of 14 §1.
func TestSpec14_L2_PlayersPass(t *testing.T) {
	const solid, pk, lite = components.Impenetrable, components.PlayerKiller, components.PlayerKillerLite
	for _, c := range []struct {
		me, he components.TraitFlags
		want   bool
	}{
		{player, player, true}, {player, creature, false}, {creature, player, false}, {creature, creature, false},
		{player | solid, player, false}, {player, player | solid, false},
		{player | pk, player, true}, {player | pk, player | pk, false}, {player | lite, player | lite, false}, {player | pk, player | lite, true},
		{player | pk | lite, player | lite, false},
	} {
		s := Sweep{body: &Body{Traits: c.me}}
		if got := s.passes(&Obstacle{Traits: c.he}); got != c.want {
			t.Errorf("%#x through %#x: %v, want %v", c.me, c.he, got, c.want)
		}
	}
}

// Whether a missile goes through something is asked of the mover as missile and
// of the obstacle as missile, and not the other way round.
//
// The target is the object info's (14 §1).
func TestW35_MissileIgnoreLooksOneWay(t *testing.T) {
	const missile, ethereal = components.Missile, components.Ethereal
	for _, c := range []struct {
		what   string
		state  components.StateBits // of the mover
		target uint32
		o      Obstacle
		want   bool
	}{
		{"a walker meets a missile", 0, 0, Obstacle{Guid: 2, State: missile}, true},
		{"a missile meets a missile", missile, 2, Obstacle{Guid: 2, State: missile}, true},
		{"a walker meets a creature", 0, 7, Obstacle{Guid: 2, Traits: creature}, false},
		{"a missile meets its target", missile, 2, Obstacle{Guid: 2, Traits: creature}, false},
		{"a missile meets its ethereal target", missile, 2, Obstacle{Guid: 2, State: ethereal, Traits: creature}, false},
		{"a missile meets another creature", missile, 7, Obstacle{Guid: 2, Traits: creature}, true},
		{"a missile for nobody meets a creature", missile, 0, Obstacle{Guid: 2, Traits: creature}, false},
		{"a missile for nobody meets an object of the land", missile, 0, Obstacle{State: components.Static}, false},
		{"a missile meets a thing", missile, 7, Obstacle{Guid: 2, Traits: components.HasGame}, false},
		{"a missile meets an ethereal thing", missile, 0, Obstacle{Guid: 2, State: ethereal, Traits: components.HasGame}, true},
		{"a missile meets ethereal decoration", missile, 0, Obstacle{Guid: 2, State: ethereal}, false},
	} {
		s := Sweep{body: &Body{State: c.state, Target: c.target}}
		if got := s.missileIgnores(&c.o); got != c.want {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
	}
	// flying: by one, into the other
	r := onFlat(t, setups(ballSetup(0x02000100, 1, 0.5)))
	r.body.State, r.body.Target = missile, 3
	r.body.Spheres[0] = dat.Sphere{Radius: 0.1}
	r.add(r.obstacle(2, 0x02000100, spot(100, 102, 0)))
	r.add(r.obstacle(3, 0x02000100, spot(100, 105, 0)))
	if d := r.float(100, 100, 1).step(0, 8, 0); d[1] < 4.2 || d[1] > 4.41 {
		t.Errorf("went %v", d)
	}
	if got := r.s.Collisions; len(got) != 1 || got[0] != 3 {
		t.Errorf("met %v", got)
	}
}

// 14 L2 FindObjCollisions: what an overlap in the way of a walker leads to.
func TestSpec14_L2_FindObjCollisions(t *testing.T) {
	r := onFlat(t, setups(ballSetup(0x02000100, 1, 1)))
	const ethereal, static = components.Ethereal, components.Static
	for _, c := range []struct {
		what   string
		mine   components.StateBits
		o      components.StateBits
		traits components.TraitFlags
		blocks bool
		met    bool
	}{
		{"a creature", 0, 0, creature, true, true},
		{"a thing", 0, 0, components.HasGame, true, true},
		{"an ethereal creature", 0, ethereal, creature, false, true},
		{"ethereal and ignoring collisions", 0, ethereal | components.IgnoreCollisions, creature, false, false},
		{"only ignoring collisions", 0, components.IgnoreCollisions, creature, true, true},
		{"a fixed thing", 0, static, 0, true, false},
		{"a fixed ethereal thing", 0, static | ethereal, 0, true, false},
		{"who is ethereal and a creature", ethereal, 0, creature, false, true},
		{"who is ethereal and a fixed thing", ethereal, static, 0, true, false},
	} {
		r.Crowd = &Crowd{}
		r.World.Crowd = r.Crowd
		r.body.State = walker | c.mine
		o := r.obstacle(2, 0x02000100, spot(100, 102, 0))
		o.State, o.Traits = c.o, c.traits
		r.add(o)
		m := r.stand(100, 100, 0)
		var met []uint32
		for range 20 {
			m.step(0, 0.2, 0)
			met = append(met, r.s.Collisions...)
		}
		if blocks := m.y() < 101; blocks != c.blocks || (len(met) > 0) != c.met {
			t.Errorf("%s: y %v, met %v", c.what, m.y(), met)
		}
		if c.met && !c.blocks && r.s.Hit.Valid {
			t.Errorf("%s: hit %v", c.what, r.s.Hit)
		}
	}
	// who is ethereal steps onto what is fixed, as anybody
	r.World.Crowd = &Crowd{}
	r.body.State = walker | ethereal
	low := r.obstacle(2, 0x02000100, spot(100, 102, -1.6))
	low.State, low.Traits = static, 0
	r.add(low)
	m := r.stand(100, 100, 0)
	top := float32(0)
	for range 20 {
		m.step(0, 0.2, 0)
		top = max(top, m.z())
	}
	if top < 0.35 || m.y() < 103 {
		t.Errorf("who is ethereal gets %v up and to %v", top, m.where())
	}
	// the mover itself and what is held are left out
	for _, o := range []Obstacle{{Guid: 1}, {Guid: 2, Traits: Held}} {
		r.World.Crowd = &Crowd{}
		r.body.State = walker
		full := r.obstacle(o.Guid, 0x02000100, spot(100, 102, 0))
		full.Traits |= o.Traits
		r.add(full)
		m := r.stand(100, 100, 0)
		m.steps(20, 0, 0.2, 0)
		if m.y() < 103.9 {
			t.Errorf("%+v stops it at %v", o, m.y())
		}
	}
}

// 14 L2: a collision while nothing is touched is told: with what is fixed as one
// with the environment.
func TestSpec14_L2_Environment(t *testing.T) {
	r := onFlat(t, setups(ballSetup(0x02000100, 1, 1)))
	o := r.obstacle(2, 0x02000100, spot(100, 103, 0))
	o.State, o.Traits = components.Static, 0
	r.add(o)
	m := r.float(100, 100, 1.2)
	met := false
	for range 10 {
		m.step(0, 0.2, 0)
		met = met || r.s.Environment
	}
	if !met || len(r.s.Collisions) > 0 {
		t.Error("from the air: no collision with the environment")
	}
	w := r.stand(100, 100, 0)
	w.steps(10, 0, 0.2, 0)
	if r.s.Environment || w.y() > 102 {
		t.Errorf("from the ground: environment %v at %v", r.s.Environment, w.where())
	}
}

func TestL2_PlayerThroughPlayer(t *testing.T) {
	r := onFlat(t, setups(postSetup(0x02000100, 0.5, 2)))
	for _, c := range []struct {
		me, he components.TraitFlags
		passes bool
	}{{player, player, true}, {player | components.PlayerKiller, player | components.PlayerKiller, false}, {creature, player, false}} {
		r.World.Crowd = &Crowd{}
		r.body = twoSpheres()
		r.body.Traits = c.me
		o := r.obstacle(2, 0x02000100, spot(100, 102, 0))
		o.Traits = c.he
		r.add(o)
		m := r.stand(100, 100, 0)
		m.steps(30, 0, 0.15, 0)
		if (m.y() > 104) != c.passes {
			t.Errorf("%#x through %#x: at %v", c.me, c.he, m.y())
		}
	}
}

// The step height decides what is climbed: just below it, and not it itself.
func TestL2_StepHeights(t *testing.T) {
	for _, c := range []struct {
		height, step float32
		want         bool
	}{
		{0.56, 0.6, true}, {0.599, 0.6, true}, {0.64, 0.6, false}, {0.64, 0.7, true}, {0.56, 0.5, false},
	} {
		r := onFlat(t, setups(postSetup(0x02000100, 0.5, c.height)))
		r.body = twoSpheres()
		r.body.StepUp, r.body.StepDown = c.step, 1
		r.add(r.obstacle(2, 0x02000100, spot(100, 102, 0)))
		m := r.stand(100, 100, 0)
		top := float32(0)
		for range 30 {
			m.step(0, 0.1, 0)
			if m.y() > 101.6 && m.y() < 102.4 {
				top = max(top, m.z())
			}
		}
		if got := near32(top, c.height, 0.02); got != c.want || !c.want && m.y() > 101.01 {
			t.Errorf("%v m high with steps of %v: y %v, height %v", c.height, c.step, m.y(), top)
		}
	}
	// exactly at the step height the last digit decides: who rests a tenth of a
	// millimetre in the ground, as EPS allows, is refused what he is let onto else
	for sunk, want := range map[float32]bool{0: true, 0.0001: false} {
		r := onFlat(t, setups(postSetup(0x02000100, 0.5, 0.6)))
		r.body = twoSpheres()
		r.add(r.obstacle(2, 0x02000100, spot(100, 102, 0)))
		m := r.stand(100, 100, 0)
		top := float32(0)
		for range 30 {
			if m.y() < 101 {
				m.p.Frame.Origin[2] = -sunk
			}
			m.step(0, 0.1, 0)
			top = max(top, m.z())
		}
		if near32(top, 0.6, 0.02) != want {
			t.Errorf("at the step height, %v m in the ground: height %v", sunk, top)
		}
	}
}

// The wall of the acceptance: head-on it stops, and never lies inside.
func TestL2_WallOfASphere(t *testing.T) {
	r := onFlat(t, setups(ballSetup(0x02000100, 0, 1.5)))
	r.body = twoSpheres()
	r.add(r.obstacle(2, 0x02000100, spot(100, 105, 0)))
	m := r.stand(100, 100, 0)
	for i := range 60 {
		m.step(0, 0.12, 0)
		for k := range 2 {
			c := space.Add(m.where(), r.body.Spheres[k].Centre)
			if d := space.Length(space.Sub(c, space.Vec3{100, 105, 0})); d < 2-0.01 {
				t.Fatalf("step %d: %v m inside", i, 2-d)
			}
		}
	}
	if m.y() < 102.8 || m.y() > 103.2 {
		t.Errorf("stops at %v", m.y())
	}
}

// Pillars: off the axis it slides along, its sliding normal level; and of a row of seven none is entered.
func TestL2_PillarsAreNotEntered(t *testing.T) {
	for _, dx := range []float32{0, 0.05, 0.3, -0.7, 1.0} {
		r := onFlat(t, setups(postSetup(0x02000100, 0.6, 2)))
		r.body = twoSpheres()
		var at []space.Vec3
		for i := range 7 {
			p := spot(97+float32(i), 105, 0)
			at = append(at, p.Frame.Origin)
			r.add(r.obstacle(uint32(2+i), 0x02000100, p))
		}
		m := r.stand(100+dx, 100, 0)
		slides := false
		for i := range 80 {
			m.step(0, 0.12, 0)
			for _, p := range at {
				d := space.Sub(m.where(), p)
				if h := math.Hypot(float64(d[0]), float64(d[1])); h < 1.1-0.01 {
					t.Fatalf("%v off, step %d: %v m inside", dx, i, 1.1-h)
				}
			}
			if n := m.standing.Normal; m.standing.Sliding {
				slides = slides || n[0] != 0 || n[1] != 0
				if n[2] != 0 {
					t.Fatalf("sliding normal %v", n)
				}
			}
		}
		if m.y() > 105 {
			t.Errorf("%v off: passes the row, at %v", dx, m.where())
		}
		if dx != 0 && dx != 1 && !slides {
			t.Errorf("%v off: does not slide", dx)
		}
	}
	r := onFlat(t, setups(postSetup(0x02000100, 0.6, 2)))
	r.body = twoSpheres()
	r.add(r.obstacle(2, 0x02000100, spot(100, 105, 0)))
	m := r.stand(100.4, 100, 0)
	m.steps(100, 0, 0.12, 0)
	if m.y() < 107 {
		t.Errorf("it does not get round a single pillar: %v", m.where())
	}
}

// 14 L2 Sphere: the rows of the table, by one look at an obstacle.
func TestSpec14_L2_BallRows(t *testing.T) {
	r := onFlat(t, setups(ballSetup(0x02000100, 1, 1)))
	r.body = twoSpheres()
	o := r.obstacle(2, 0x02000100, spot(100, 100, 0))
	sphere := r.Tables.SpheresOf(o.Setup)[0]
	south := spot(100, 97, 0)
	low := spot(100, 98.6, 0) // both spheres overlap
	head := spot(100, 98.9, -1.2)
	for _, c := range []struct {
		what     string
		at       space.Position
		set      func(s *Sweep)
		creature bool
		want     Transition
	}{
		{"clear", south, func(s *Sweep) {}, true, OK},
		{"placement", low, func(s *Sweep) { s.insert = placement }, true, Collided},
		{"placement, clear", south, func(s *Sweep) { s.insert = placement }, true, OK},
		{"placement by the head", head, func(s *Sweep) { s.insert = placement }, true, Collided},
		{"ethereal", low, func(s *Sweep) { s.obstructionEthereal = true }, true, Collided},
		{"ethereal, clear", south, func(s *Sweep) { s.obstructionEthereal = true }, true, OK},
		{"stepping down on a creature", low, func(s *Sweep) { s.stepDown, s.amount = true, 1 }, true, OK},
		{"stepping down by nothing", low, func(s *Sweep) { s.stepDown, s.amount = true, 0 }, false, Collided},
		{"stepping down, clear", south, func(s *Sweep) { s.stepDown, s.amount = true, 0 }, false, OK},
		{"probing", low, func(s *Sweep) { s.checkWalkable = true }, true, Collided},
		{"probing, clear", south, func(s *Sweep) { s.checkWalkable = true }, true, OK},
		{"a missile", low, func(s *Sweep) { s.info = pathClipped }, true, Collided},
		{"a missile, by its second sphere", head, func(s *Sweep) { s.info = pathClipped }, true, OK},
		{"flying", low, func(s *Sweep) {}, true, Adjusted},
		{"flying, by the head", head, func(s *Sweep) {}, true, Collided},
		{"landing on a creature", low, func(s *Sweep) { s.collide = true }, true, OK},
		{"landing, clear", south, func(s *Sweep) { s.collide = true }, false, OK},
	} {
		s := r.at(south, c.at, false)
		c.set(s)
		if got := s.ball(&o, &sphere, c.creature); got != c.want {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
		if c.what == "flying" && (!s.collide || s.allowance != LandingZ || s.interp != 1 || s.backup != s.check) {
			t.Errorf("flying: collide %v allowance %v", s.collide, s.allowance)
		}
		if c.what == "a missile" && !s.Hit.Valid {
			t.Error("a missile: no collision normal")
		}
	}
	// the reach is short of both radii by EPS, and counts the edge
	for _, c := range []struct {
		gap  float32
		want Transition
	}{{-0.0003, Collided}, {-0.0001, OK}, {0, OK}} {
		p := spot(100, 98.5-c.gap, 0.5)
		s := r.at(p, p, false)
		s.insert = placement
		if got := s.ball(&o, &sphere, false); got != c.want {
			t.Errorf("gap %v: %v", c.gap, got)
		}
	}
}

// The radius of sphere 0 is taken for both spheres.
func TestSpec14_L2_BallTakesTheFirstRadius(t *testing.T) {
	r := onFlat(t, setups(ballSetup(0x02000100, 2, 0.5)))
	r.body = twoSpheres()
	r.body.Spheres[1] = dat.Sphere{Centre: space.Vec3{0, 0, 2}, Radius: 0.1}
	o := r.obstacle(2, 0x02000100, spot(100, 100.9, 0))
	s := r.at(spot(100, 100, 0), spot(100, 100, 0), false)
	s.insert = placement
	if got := s.ball(&o, &r.Tables.SpheresOf(o.Setup)[0], false); got != Collided {
		t.Errorf("the head, .1 wide, .9 off a sphere of .5: %v", got)
	}
}

// An obstacle of another block is met where this block sees it, at its scale.
//
// Spheres are taken into the obstacle's space, across blocks and scaled (14 §3).
func TestSpec14_L2_AcrossBlocksAndScales(t *testing.T) {
	r := onFlat(t, setups(ballSetup(0x02000100, 1, 1), postSetup(0x02000101, 1, 1)))
	for _, setup := range []uint32{0x02000100, 0x02000101} {
		o := r.obstacle(2, setup, spot(192.5, 100, 0))
		if o.Place.Cell.SameBlock(home) {
			t.Fatal("not in another block")
		}
		o.Scale = 2
		for _, c := range []struct {
			x    float32
			want Transition
		}{{190.05, Collided}, {189.95, OK}} {
			s := r.at(spot(c.x, 100, 1.5), spot(c.x, 100, 1.5), false)
			s.insert = placement
			if got := s.shapes(&o, false); got != c.want {
				t.Errorf("setup %x at %v: %v", setup, c.x, got)
			}
		}
	}
}

// A sphere's own slide divides once, and asks the length of the whole way.
func TestW4_OwnSlideOfASphere(t *testing.T) {
	r := onFlat(t, setups(ballSetup(0x02000100, 0.5, 1)))
	south, centre := spot(100, 98.4, 0), space.Vec3{100, 100, 0.5}
	for _, c := range []struct {
		what string
		d    space.Vec3
		want Transition
		at   space.Vec3
	}{
		{"along x", space.Vec3{0.3, 0.2, 0}, Slid, space.Vec3{0.3, 0, 0}},
		{"too short", space.Vec3{0.01, 0.2, 0}, Collided, space.Vec3{0.01, 0.2, 0}},
	} {
		p := south
		p.Frame.Origin = space.Add(p.Frame.Origin, c.d)
		s := r.at(south, p, true)
		got := s.ballSlide(space.Sub(s.global[0].Centre, centre), centre)
		if at := space.Sub(s.check.Frame.Origin, south.Frame.Origin); got != c.want || !nearVec(at, c.at, 1e-5) || !nearVec(s.Hit.Normal, space.Vec3{0, -1, 0}, 1e-6) {
			t.Errorf("%s: %v at %v, hit %v", c.what, got, at, s.Hit)
		}
	}
	// on a support that leans the axis is shorter than 1: divided by its square once
	p := south
	p.Frame.Origin = space.Add(p.Frame.Origin, space.Vec3{0.3, 0.2, 0})
	leaning := r.at(south, p, true)
	leaning.LastKnown.Plane.Normal = space.Vec3{0, 0.6, 0.8}
	if got := leaning.ballSlide(space.Sub(leaning.global[0].Centre, centre), centre); got != Slid || !nearVec(leaning.check.Frame.Origin, space.Vec3{100.3, 98.4, 0}, 1e-5) {
		t.Errorf("on a support that leans: %v at %v", got, leaning.check.Frame.Origin)
	}
	// beside it in y: the way lies in y alone, and counts as long as one in x
	east := spot(101.6, 100, 0)
	to := spot(101.4, 100.3, 0)
	s := r.at(east, to, true)
	if got := s.ballSlide(space.Sub(s.global[0].Centre, centre), centre); got != Slid || !nearVec(s.check.Frame.Origin, space.Vec3{101.6, 100.3, 0}, 1e-5) {
		t.Errorf("along y: %v at %v", got, s.check.Frame.Origin)
	}
	// its normal along the support: out by what it came, or stopped when it lies below
	for _, c := range []struct {
		z    float32
		want Transition
	}{{2.0, Slid}, {-1.0, Collided}} {
		p := spot(100, 100, c.z)
		to := p
		to.Frame.Origin[2] -= 0.2
		s := r.at(p, to, true)
		if got := s.ballSlide(space.Sub(s.global[0].Centre, centre), centre); got != c.want {
			t.Errorf("over its axis at %v: %v", c.z, got)
		}
	}
	s = r.at(spot(100, 100, 0), spot(100, 100.1, 0), true)
	if got := s.ballSlide(space.Vec3{0, 0.1, 0}, centre); got != Collided {
		t.Errorf("from its centre: %v", got)
	}
}

// 14 L2 step-down of a sphere, and its numbers.
func TestSpec14_L2_BallStepDown(t *testing.T) {
	r := onFlat(t, setups(ballSetup(0x02000100, 0, 2.5)))
	o := r.obstacle(2, 0x02000100, spot(100, 100, 0))
	sphere := r.Tables.SpheresOf(o.Setup)[0]
	for _, c := range []struct {
		what        string
		x, z        float32 // of the body's centre
		amount, due float32 // due: walk_interp before
		allowance   float32
		want        Transition
		interp      float32
	}{
		{"on top", 0, 2.7, 0.6, 1, FloorZ, Adjusted, 0.5},
		{"half the way is gone", 0, 2.85, 0.6, 0.5, FloorZ, Adjusted, 0.25},
		{"deeper than the step", 0, 2.3, 0.6, 1, FloorZ, Collided, 1},
		{"by a tenth", 0, 2.36, 0.6, 1, FloorZ, Adjusted, 1 - 0.64/0.6},
		{"too steep there", 2.4, 1.6, 0.6, 1, FloorZ, OK, 1},
		{"steep, but landing", 2.4, 1.6, 0.6, 1, LandingZ, Adjusted, 1 - 0.2/0.6},
		{"no step left", 0, 2.7, 0.6, 0.0003, FloorZ, Collided, 0.0003},
	} {
		p := spot(100+c.x, 100, c.z-0.5)
		s := r.at(p, p, true)
		s.stepDown, s.amount, s.interp, s.allowance = true, c.amount, c.due, c.allowance
		got := s.ball(&o, &sphere, false)
		if got != c.want || !near32(s.interp, c.interp, 1e-3) {
			t.Errorf("%s: %v, walk_interp %v, want %v", c.what, got, s.interp, c.interp)
		}
		if got == Adjusted {
			d := space.Sub(s.global[0].Centre, space.Vec3{100, 100, 0})
			if l := space.Length(d); !near32(l, 3, 1e-3) || !s.Contact.Water || s.Contact.Cell != p.Cell || !s.Contact.Valid {
				t.Errorf("%s: %v from its centre; contact %+v", c.what, l, s.Contact)
			}
			n := space.Scale(d, 1.0/3)
			if !nearVec(s.Contact.Plane.Normal, n, 1e-3) || !near32(height(&s.Contact.Plane, s.global[0].Centre), 0.5, 1e-3) {
				t.Errorf("%s: plane %v", c.what, s.Contact.Plane)
			}
		}
	}
}

// A dome that is touched 2.5 m off its axis, where its normal's z is .6999, counts as walkable.
func TestL2_DomeIsWalkable(t *testing.T) {
	const r0, big = 0.5, 3.0
	off := float64(2.5)
	z := math.Sqrt((r0+big)*(r0+big) - off*off) // of the body's centre
	if n := z / (r0 + big); n < 0.699 || n > 0.7003 {
		t.Fatalf("normal z %v", n)
	}
	r := onFlat(t, setups(ballSetup(0x02000100, 0, big)))
	o := r.obstacle(2, 0x02000100, spot(100, 100, 0))
	p := spot(102.5, 100, float32(z)-0.5-0.2)
	s := r.at(p, p, true)
	s.stepDown, s.amount, s.allowance = true, 0.6, FloorZ
	if got := s.ball(&o, &r.Tables.SpheresOf(o.Setup)[0], false); got != Adjusted || !s.OnWalkable() {
		t.Errorf("%v, contact %+v", got, s.Contact)
	}
}

// A landing on a sphere is refused for creatures only; a lone sphere that does not touch answers OK.
func TestW5_LandingOnASphere(t *testing.T) {
	r := onFlat(t, setups(ballSetup(0x02000100, 0, 1)))
	o := r.obstacle(2, 0x02000100, spot(100, 100, 0))
	sphere := r.Tables.SpheresOf(o.Setup)[0]
	land := func(from, to float32, x float32, creature bool) (Transition, *Sweep) {
		s := r.at(spot(100+x, 100, from-0.5), spot(100+x, 100, to-0.5), false)
		s.collide, s.interp, s.allowance = true, 1, LandingZ
		return s.ball(&o, &sphere, creature), s
	}
	if got, s := land(2, 1.2, 0, true); got != OK || s.Contact.Valid {
		t.Errorf("a creature: %v", got)
	}
	if got, _ := land(3, 2, 0, false); got != OK {
		t.Errorf("no overlap: %v", got)
	}
	got, s := land(2, 1.2, 0, false)
	if got != Adjusted || !near32(s.global[0].Centre[2], 1.5, 1e-4) || !near32(s.interp, 1-0.3/0.8, 1e-4) {
		t.Errorf("%v at %v, walk_interp %v", got, s.global[0].Centre, s.interp)
	}
	if s.Contact.Plane.Normal != up || !s.Contact.Water || !near32(s.Contact.Plane.D, -(1.2-0.5), 1e-4) {
		t.Errorf("plane %+v: through the lowest point before the move", s.Contact)
	}
	if got, _ := land(1.2001, 1.2, 0, false); got != Collided {
		t.Errorf("by no way: %v", got)
	}
	if got, _ := land(1.3, 1.2, 0, false); got != Collided {
		t.Errorf("it began inside: %v", got)
	}
	if got, s := land(0.4, -0.1, 1.4985, false); got != OK || s.Contact.Valid {
		t.Errorf("at its side: %v, %+v", got, s.Contact)
	}
}

// cylinderAt is one look at a cylsphere of radius 1 and height 2 around (100, 100, 0).
func cylinderAt(r *rig, o *Obstacle, from, to space.Position, set func(*Sweep)) (Transition, *Sweep) {
	s := r.at(from, to, false)
	s.interp = 1
	set(s)
	return s.cylinder(o, &r.Tables.CylindersOf(o.Setup)[0]), s
}

// 14 L2 Cylsphere: overlap, and the rows of the table.
func TestSpec14_L2_CylinderRows(t *testing.T) {
	r := onFlat(t, setups(postSetup(0x02000100, 1, 2)))
	r.body = twoSpheres()
	o := r.obstacle(2, 0x02000100, spot(100, 100, 0))
	south, side, head := spot(100, 97, 0), spot(100, 98.6, 0), spot(100, 98.6, -1.6)
	for _, c := range []struct {
		what string
		at   space.Position
		set  func(s *Sweep)
		want Transition
	}{
		{"clear", south, func(*Sweep) {}, OK},
		{"placement", side, func(s *Sweep) { s.insert = placement }, Collided},
		{"placement by the head", head, func(s *Sweep) { s.insert = placement }, Collided},
		{"ethereal", side, func(s *Sweep) { s.obstructionEthereal = true }, Collided},
		{"probing", side, func(s *Sweep) { s.checkWalkable = true }, Collided},
		{"stepping down by nothing", side, func(s *Sweep) { s.stepDown = true }, Collided},
		{"stepping down, out of reach", side, func(s *Sweep) { s.stepDown, s.amount = true, 1 }, Collided},
		{"a missile", side, func(s *Sweep) { s.info = pathClipped }, Collided},
		{"a missile by its second sphere", head, func(s *Sweep) { s.info = pathClipped }, OK},
		{"flying", side, func(*Sweep) {}, Adjusted},
		{"flying, by the head", head, func(*Sweep) {}, Collided},
		{"landing, not from above", side, func(s *Sweep) { s.collide = true }, Collided},
		{"placement above", spot(100, 100, 2), func(s *Sweep) { s.insert = placement }, OK},
		{"placement just in its top", spot(100, 100, 1.999), func(s *Sweep) { s.insert = placement }, Collided},
		{"placement at its side", spot(100, 98.501, 0), func(s *Sweep) { s.insert = placement }, Collided},
		{"placement beside it", spot(100, 98.5, 0), func(s *Sweep) { s.insert = placement }, OK},
	} {
		if got, s := cylinderAt(r, &o, south, c.at, c.set); got != c.want {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		} else if c.what == "flying" && (!s.collide || s.stepUpNormal != (space.Vec3{0, -1, 0}) || s.allowance != LandingZ) {
			t.Errorf("flying: %v", s.stepUpNormal)
		}
	}
	// vertical overlap is each sphere's own, the horizontal one sphere 0's
	r.body.Spheres[1].Radius = 0.1
	if got, _ := cylinderAt(r, &o, south, spot(100, 98.6, -1.61), func(s *Sweep) { s.insert = placement }); got != OK {
		t.Errorf("a small head below it: %v", got)
	}
	if got, _ := cylinderAt(r, &o, south, spot(100, 98.6, -1.5), func(s *Sweep) { s.insert = placement }); got != Collided {
		t.Errorf("a small head at its foot: %v", got)
	}
}

// 14 L2 Cylsphere normal(i).
func TestSpec14_L2_CylinderNormal(t *testing.T) {
	r := onFlat(t, setups(postSetup(0x02000100, 1, 2)))
	r.body = twoSpheres()
	for _, c := range []struct {
		what     string
		from, to space.Position
		i        int
		want     space.Vec3
	}{
		{"from the side", spot(100, 98, 0), spot(100, 98.6, 0), 0, space.Vec3{0, -2, 0}},
		{"from above", spot(100, 99, 3), spot(100, 99, 2), 0, up},
		{"from below", spot(100, 99, -3), spot(100, 99, -2), 0, space.Vec3{0, 0, -1}},
		{"level, from inside", spot(100, 99.5, 1), spot(100, 99.4, 1), 0, up},
		{"the head, from below", spot(100, 99, -3), spot(100, 99, -2.1), 1, space.Vec3{0, 0, -1}},
	} {
		s := r.at(c.from, c.to, false)
		p := post{low: space.Vec3{100, 100, 0}, height: 2, reach: 1.5 - Eps}
		p.overlaps(s, 0)
		p.overlaps(s, 1)
		if got := p.normal(s, c.i); !nearVec(got, c.want, 1e-5) {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
	}
}

// A landing on a cylsphere goes straight up its way, to the height of its top.
func TestW6_LandingOnACylinder(t *testing.T) {
	r := onFlat(t, setups(postSetup(0x02000100, 1, 2)))
	o := r.obstacle(2, 0x02000100, spot(100, 100, 0))
	collide := func(s *Sweep) { s.collide = true }
	got, s := cylinderAt(r, &o, spot(100.2, 100, 2.5), spot(100.6, 100, 1.5), collide)
	if got != Adjusted || !nearVec(s.check.Frame.Origin, space.Vec3{100.4, 100, 2}, 1e-4) || !near32(s.interp, 0.5, 1e-4) {
		t.Errorf("%v at %v, walk_interp %v", got, s.check.Frame.Origin, s.interp)
	}
	if s.Contact.Plane.Normal != up || !near32(s.Contact.Plane.D, -2, 1e-4) || !s.Contact.Water {
		t.Errorf("plane %+v", s.Contact)
	}
	if got, _ = cylinderAt(r, &o, spot(100.2, 100, 1.5), spot(100.6, 100, 1.5), collide); got != Collided {
		t.Errorf("level: %v", got)
	}
	if got, s = cylinderAt(r, &o, spot(102.5, 100, 2.4), spot(101.4, 100, 1.8), collide); got != OK || s.Contact.Valid {
		t.Errorf("it came from beside it: %v", got)
	}
	if got, _ = cylinderAt(r, &o, spot(100, 100, 1.7), spot(100, 100, 1.5), collide); got != Collided {
		t.Errorf("it began inside: %v", got)
	}
}

// The example of 14 L2: a step of .6 that is lifted by .3 leaves .5 of it. The
// plane lies in the top, level, below the body.
func TestW7_StepDownOntoACylinder(t *testing.T) {
	r := onFlat(t, setups(postSetup(0x02000100, 1, 2)))
	o := r.obstacle(2, 0x02000100, spot(100, 100, 0))
	at := spot(100.3, 100.2, 1.7)
	got, s := cylinderAt(r, &o, at, at, func(s *Sweep) { s.stepDown, s.amount = true, 0.6 })
	if got != Adjusted || !near32(s.interp, 0.5, 1e-4) || !nearVec(s.check.Frame.Origin, space.Vec3{100.3, 100.2, 2}, 1e-4) {
		t.Errorf("%v at %v, walk_interp %v", got, s.check.Frame.Origin, s.interp)
	}
	if p := s.Contact.Plane; p.Normal != up || !near32(p.D, -2, 1e-4) {
		t.Errorf("plane %v", p)
	}
	if got, _ = cylinderAt(r, &o, at, at, func(s *Sweep) { s.stepDown, s.amount = true, 0.2 }); got != Collided {
		t.Errorf("a lift of .3 of a step of .2: %v", got)
	}
}

// The plane of a cylsphere's top has a cell; the slide of sphere 1 goes by sphere 1.
func TestW24_CylinderPlaneHasACell(t *testing.T) {
	r := onFlat(t, setups(postSetup(0x02000100, 1, 2)))
	o := r.obstacle(2, 0x02000100, spot(100, 100, 0))
	at := spot(100.3, 100.2, 1.7)
	_, s := cylinderAt(r, &o, at, at, func(s *Sweep) { s.stepDown, s.amount = true, 0.6 })
	if g := s.Contact; g.Cell != at.Cell || !g.Valid || !g.Water {
		t.Errorf("contact %+v", g)
	}
	// under a sign: sphere 0 passes below, sphere 1 comes up against it from below
	r = onFlat(t, setups(&dat.Setup{ID: 0x02000100, Cylinders: []dat.Cylinder{{Low: space.Vec3{0, 0, 1.5}, Radius: 1, Height: 1}}}))
	r.body = twoSpheres()
	o = r.obstacle(2, 0x02000100, spot(100, 100, 0))
	got, s := cylinderAt(r, &o, spot(100, 100, -1), spot(100, 100.1, -0.4), func(s *Sweep) {
		s.info = inContact | onWalkable
		s.LastKnown.set(&Plane{Normal: up}, home, false)
	})
	if !s.Hit.Valid || s.Hit.Normal[2] >= 0 || got != Collided {
		t.Errorf("sphere 1 from below: %v, hit %v", got, s.Hit)
	}
	got, s = cylinderAt(r, &o, spot(100, 98.4, 0), spot(100.3, 98.7, 0), func(s *Sweep) {
		s.info = inContact | onWalkable
		s.LastKnown.set(&Plane{Normal: up}, home, false)
	})
	if got != Slid || !nearVec(s.check.Frame.Origin, space.Vec3{100.3, 98.4, 0}, 1e-4) {
		t.Errorf("sphere 1 from the side: %v at %v", got, s.check.Frame.Origin)
	}
	r.body.Spheres[1].Centre[1] = 1 // leaning forward: its own centre gives the normal (−.5, −1.6)
	from := spot(99.5, 97.4, 0)
	got, s = cylinderAt(r, &o, from, spot(99.5, 97.7, 0), func(s *Sweep) {
		s.info = inContact | onWalkable
		s.LastKnown.set(&Plane{Normal: up}, home, false)
	})
	if at := space.Sub(s.check.Frame.Origin, from.Frame.Origin); got != Slid || !nearVec(at, space.Vec3{-0.0854, 0.0267, 0}, 2e-4) {
		t.Errorf("sphere 1, leaning forward: %v by %v", got, at)
	}
}

// Normals are kept at length 1, or zero when there is none.
func TestW21_NormalsAreKeptNormalised(t *testing.T) {
	var d direction
	for _, c := range []struct{ v, full, flat space.Vec3 }{
		{space.Vec3{3, 0, 4}, space.Vec3{0.6, 0, 0.8}, space.Vec3{1, 0, 0}},
		{space.Vec3{0, -0.01, 0}, space.Vec3{0, -1, 0}, space.Vec3{0, -1, 0}},
		{space.Vec3{0, 0, 2}, space.Vec3{0, 0, 1}, space.Vec3{}},
		{space.Vec3{0.0001, 0, 0}, space.Vec3{}, space.Vec3{}},
	} {
		if d.set(c.v); !d.Valid || !nearVec(d.Normal, c.full, 1e-6) {
			t.Errorf("%v: %v", c.v, d)
		}
		if d.setFlat(c.v); !d.Valid || !nearVec(d.Normal, c.flat, 1e-6) {
			t.Errorf("%v without z: %v", c.v, d)
		}
	}
	// a boulder is met with a normal from its centre, which is longer than 1
	r := onFlat(t, setups(ballSetup(0x02000100, 0.5, 1.5)))
	r.add(r.obstacle(2, 0x02000100, spot(100, 103, 0)))
	m := r.stand(100.3, 100, 0)
	for i := range 30 {
		m.step(0, 0.12, 0)
		for what, n := range map[string]direction{"collision": r.s.Hit, "sliding": r.s.Slide} {
			if l := space.Length(n.Normal); n.Valid && l != 0 && !near32(l, 1, 1e-5) {
				t.Fatal(fmt.Sprint("step ", i, ": a ", what, " normal of length ", l))
			}
		}
	}
}

// What stands for good reaches as far in plan as it does as it is turned, however deep it goes
// into the ground; a body, which may be turned any way, as far as it would then.
func TestReachInPlan(t *testing.T) {
	w := fixtureLand(t)
	var o Obstacle
	humanoid(t, w, &o)
	c := &w.Tables.CylindersOf(o.Setup)[0]
	c.Low = space.Vec3{0.3, 0.4, -2}
	lying := space.Quat{W: math.Sqrt2 / 2, V: space.Vec3{math.Sqrt2 / 2}}
	for _, turned := range []struct {
		q   space.Quat
		off float64
	}{{space.IdentityQuat, 0.5}, {space.SetHeading(space.IdentityQuat, 77), 0.5}, {lying, math.Hypot(0.3, 2)}} {
		o.Place.Frame.Rotation = turned.q
		want := (float32(turned.off)+c.Radius)*reachSlack + reachLeast
		if got := w.reachStill(&o); space.Abs(got-want) > 1e-4 {
			t.Errorf("turned %v: %v m, want %v", turned.q, got, want)
		}
		want = (space.Length(c.Low)+c.Radius)*reachSlack + reachLeast
		if got := w.Reach(&o); space.Abs(got-want) > 1e-4 {
			t.Errorf("a body turned %v: %v m, want %v", turned.q, got, want)
		}
	}
}

// 14 §4: "not FREE_ROTATE: check rotation := slerp(begin, end, (i+1)/n)"; §3 cache_localspace: "localspace sphere =
// localtolocal(p, check, local centre)/s". Polygons are met where the spheres are turned to, though the spheres
// themselves stay as they were (…SpheresAreNotDerivedAnewInASubStep).
func TestSpec14_3_PolygonsAreMetAsTheBodyIsTurned(t *testing.T) {
	aside := oneSphere()
	aside.Spheres[0].Centre[1] = 0.6
	for _, c := range []struct {
		what string
		body Body
		turn space.Quat
		box  space.Vec3 // what stands there, .2 m wide, as seen from the body
	}{
		{"the head of who falls on his face", twoSpheres(), space.GRotate(space.IdentityQuat, space.Vec3{-math.Pi / 2, 0, 0}), space.Vec3{0, 1.7, 0}},
		{"a sphere that swings round", aside, space.SetHeading(space.IdentityQuat, 170), space.Vec3{0, -1, 0.5}},
	} {
		at := spot(108, 108, 5)
		r := besideStatic(t, boxModel(0x01000100, space.Vec3{-0.1, -0.1, -0.1}, space.Vec3{0.1, 0.1, 0.1}), space.Add(at.Frame.Origin, c.box))
		r.body = c.body
		to := at
		to.Frame.Origin[1] += 0.1
		to.Frame.Rotation = c.turn
		if !r.s.Move(&r.body, &at, &to, &Standing{}) || !r.s.Environment {
			t.Errorf("%s meets nothing", c.what)
		}
	}
}

// besideStatic is a level block with one object of the land.
func besideStatic(t testing.TB, model *dat.GfxObj, at space.Vec3) *rig {
	t.Helper()
	tables, err := dat.Compile(dat.Records{GfxObjs: []*dat.GfxObj{model}, Region: &dat.Region{ID: dat.RegionID}})
	if err != nil {
		t.Fatal(err)
	}
	block, err := dat.EncodeLandBlock(&dat.LandBlock{ID: uint32(home) | 0xFFFF, HasObjects: 1})
	if err != nil {
		t.Fatal(err)
	}
	info := dat.LandBlockInfo{ID: dat.LandBlockInfoID(0xA9, 0xB4), Objects: []dat.ObjectRecord{{Model: model.ID, Frame: space.Frame{Origin: at, Rotation: space.IdentityQuat}}}}
	what, err := dat.EncodeLandBlockInfo(&info)
	if err != nil {
		t.Fatal(err)
	}
	l := NewLand(tables, loose{uint32(home) | 0xFFFF: block, info.ID: what})
	if l.block(0xA9, 0xB4).Land == nil {
		t.Fatal(l.Errors())
	}
	return newRig(t, World{Tables: tables, Shapes: &tables.Shapes, Land: l})
}
