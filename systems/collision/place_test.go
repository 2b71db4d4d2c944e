package collision

import (
	"math"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// sealed is a rig in which a body of a radius finds the place taken by a ball
// that reaches so far around (100, 100).
func sealed(t testing.TB, radius, reach float32) *rig {
	r := onFlat(t, setups(ballSetup(0x02000100, 0, reach)))
	r.body.Spheres[0] = dat.Sphere{Centre: space.Vec3{0, 0, radius}, Radius: radius}
	r.body.StepDown = 0.1
	r.add(r.obstacle(2, 0x02000100, spot(100, 100, 0)))
	return r
}

// 14 §8: the rings, by the first place on them that is free.
func TestSpec14_8_Rings(t *testing.T) {
	for _, c := range []struct {
		what          string
		radius, reach float32 // of the body, of the obstacle
		want          float32 // m from the place asked for, 0 none
	}{
		{"free", 0.5, 0, 0},
		{"r .5, the first ring", 0.5, 0.1, 0.5},
		{"r .5, the second", 0.5, 0.6, 1},
		{"r .5, the last", 0.5, 3.4, 4},
		{"r .5, beyond", 0.5, 4.2, -1},
		{"r .1, the first", 0.1, 0.03, 0.1},
		{"r .1, the last of 20", 0.1, 1.85, 2},
		{"r .1, beyond", 0.1, 2.3, -1},
		{"r .3, in rings of .444", 0.3, 0.2, 4.0 / 9},
		{"r 5, no rings", 5, 0.1, -1},
	} {
		r := sealed(t, c.radius, max(c.reach, 0.001))
		if c.reach == 0 {
			r = onFlat(t, dat.Records{})
		}
		p := spot(100, 100, 0)
		ok := r.s.Place(&r.body, &p, true)
		if ok != (c.want >= 0) {
			t.Errorf("%s: placed %v", c.what, ok)
			continue
		}
		if !ok {
			continue
		}
		d := space.Sub(r.s.Position().Frame.Origin, p.Frame.Origin)
		if h := float32(math.Hypot(float64(d[0]), float64(d[1]))); !near32(h, c.want, 1e-3) {
			t.Errorf("%s: %v m away, want %v", c.what, h, c.want)
		}
		if d[0] != 0 && c.want > 0 {
			t.Errorf("%s: by %v, the first sample is due north", c.what, d)
		}
		if r.s.Place(&r.body, &p, false) != (c.want == 0) {
			t.Errorf("%s: who may not slide is placed", c.what)
		}
	}
}

// The samples go round by equal headings: with the north closed the next is taken.
func TestSpec14_8_Samples(t *testing.T) {
	r := sealed(t, 0.5, 0.6)
	o := r.obstacle(3, 0x02000100, spot(100, 101.4, 0))
	o.Scale = 0.4 / 0.6
	r.add(o)
	p := spot(100, 100, 0)
	if !r.s.Place(&r.body, &p, true) {
		t.Fatal("no room")
	}
	// ring 2: the angle is 2 π·.5/.5 = 6.2832, 2·ceil of that are 14 samples
	d := space.Sub(r.s.Position().Frame.Origin, p.Frame.Origin)
	heading := float32(math.Atan2(float64(d[0]), float64(d[1])) * 180 / math.Pi)
	if k := heading / (360.0 / 14); !near32(k, float32(math.Round(float64(k))), 1e-3) || k < 1 || k > 4 {
		t.Errorf("heading %v is no sample of 14", heading)
	}
}

// What the place asked for was refused by is forgotten before the rings.
func TestW28_RefusedPlaceIsForgotten(t *testing.T) {
	r := onFlat(t, setups(ballSetup(0x02000100, 0, 0.1)))
	r.add(r.obstacle(2, 0x02000100, spot(100, 100, 5)))
	p := spot(100, 100, 4.9)
	if !r.s.Place(&r.body, &p, true) {
		t.Fatal("no room")
	}
	if s := r.s; s.Position().Frame.Origin[1] != 100.5 || len(s.Collisions) != 0 || s.Environment || s.Slide.Valid || s.Stationary != 0 {
		t.Errorf("at %v, met %v, environment %v", s.Position(), s.Collisions, s.Environment)
	}
	// the normal, the planes too
	s := r.at(p, p, false)
	s.LastKnown.set(&Plane{Normal: up}, home, false)
	s.sliding, s.insert = true, placement
	s.Hit, s.Slide, s.Environment, s.Stationary = direction{true, up}, direction{true, up}, true, 2
	if !s.findPlacement() {
		t.Fatal("no room")
	}
	if s.Hit.Valid || s.LastKnown.Valid || s.Environment || s.Stationary != 0 || s.Slide.Valid {
		t.Errorf("hit %v last known %v environment %v stationary %d", s.Hit, s.LastKnown, s.Environment, s.Stationary)
	}
	// one that fails keeps what it met
	if r.s.Place(&r.body, &p, false); len(r.s.Collisions) != 1 {
		t.Errorf("who may not slide met %v", r.s.Collisions)
	}
}

// 14 §8, 3: it comes down onto ground within its step-down height; a missile does not.
func TestSpec14_8_Settles(t *testing.T) {
	for _, c := range []struct {
		z       float32
		missile bool
		want    float32
		stands  bool
	}{
		{0, false, 0, true}, {0.5, false, 0, true}, {0.59, false, 0, true}, {0.7, false, 0.7, false}, {0.5, true, 0.5, false}, {0, true, 0, false},
	} {
		r := onFlat(t, dat.Records{})
		if c.missile {
			r.body.State |= components.Missile
		}
		p := spot(100, 100, c.z)
		if !r.s.Place(&r.body, &p, true) {
			t.Fatal("no room")
		}
		if z := r.s.Position().Frame.Origin[2]; !near32(z, c.want, 1e-4) {
			t.Errorf("%+v: at %v", c, z)
		}
		if c.z != 0 && r.s.Contact.Valid != c.stands {
			t.Errorf("%+v: contact %v", c, r.s.Contact.Valid)
		}
	}
	r := onFlat(t, dat.Records{})
	r.body = twoSpheres()
	r.body.Spheres[0].Radius, r.body.Spheres[0].Centre[2], r.body.StepDown = 0.2, 0.2, 1 // in two halves
	for z, want := range map[float32]float32{0.4: 0, 0.95: 0, 1.2: 1.2} {
		p := spot(100, 100, z)
		if !r.s.Place(&r.body, &p, true) || !near32(r.s.Position().Frame.Origin[2], want, 1e-4) {
			t.Errorf("from %v: at %v", z, r.s.Position().Frame.Origin)
		}
	}
}

// 14 §8, 1: out of what is solid, not counting bodies; no room in no cell.
func TestSpec14_8_InitialPlacement(t *testing.T) {
	l := onLand(t)
	p := spot(110, 35.6, 100.2) // in the south face of a wall, 35.75; statics are bodies, so that it is gone round in rings
	if !l.s.Place(&l.body, &p, true) || l.s.Position().Frame.Origin[1] > 35.75-0.47 && l.s.Position().Frame.Origin[1] < 36.25+0.47 {
		t.Errorf("placed into a wall: at %v", l.s.Position())
	}
	p = space.Position{Cell: front, Frame: space.Frame{Origin: space.Vec3{56.4, 33, 100.2}, Rotation: space.IdentityQuat}}
	if !l.s.Place(&l.body, &p, false) || !near32(l.s.Position().Frame.Origin[0], 56.68, 1e-3) { // in a room's wall, 56.2: pushed out
		t.Errorf("placed into a room's wall: at %v", l.s.Position())
	}
	p = spot(60, 33, 100.2) // deep in the shell of the house: only who is told that he is in it fits
	if l.s.Place(&l.body, &p, true) {
		t.Errorf("placed into the solid house: at %v", l.s.Position())
	}
	if p.Cell = front; !l.s.Place(&l.body, &p, true) || l.s.Position().Cell != front || !near32(l.s.Position().Frame.Origin[2], 100.105, 1e-3) {
		t.Errorf("placed into the front room: at %v", l.s.Position())
	}
	p = spot(50, 192*2+10, 60)
	if l.s.Place(&l.body, &p, true) {
		t.Error("placed where nothing is on record")
	}
}

// Placed where another stands, each body finds a place of its own.
func TestSpec14_8_PlacesBesideOthers(t *testing.T) {
	r := onLand(t)
	var at []space.Vec3
	for guid := uint32(2); guid < 12; guid++ {
		r.become(humanID)
		r.body.Guid = guid
		m := r.stand(100, 100, 100.2)
		for _, v := range at {
			if d := space.Sub(m.where(), v); math.Hypot(float64(d[0]), float64(d[1])) < 0.77 { // its post is .3 wide, its spheres are .48
				t.Errorf("body %d: %v from another", guid, d)
			}
		}
		at = append(at, m.where())
		o := r.obstacle(guid, humanID, m.p)
		r.add(o)
	}
}

// 11 §2 set_ethereal: whether there is room to be solid.
func TestSpec11_2_Overlaps(t *testing.T) {
	r := onLand(t)
	a := r.obstacle(2, humanID, spot(100, 100, 100.005))
	a.State |= components.Ethereal
	row := r.add(a)
	b := r.obstacle(3, humanID, spot(100.5, 100, 100.005))
	other := r.add(b)
	var scratch Body
	if !r.s.Overlaps(row, &scratch) {
		t.Error("another stands in it, and it may become solid")
	}
	r.Crowd.Obstacles[other].Traits |= Held
	if r.s.Overlaps(row, &scratch) {
		t.Error("who is held is in its way")
	}
	r.Crowd.Obstacles[other].Traits &^= Held
	r.Crowd.Obstacles[other].Place = spot(103, 100, 100.005)
	if r.s.Overlaps(row, &scratch) {
		t.Error("who stands 3 m off is in its way")
	}
	if r.Crowd.Obstacles[row].State&components.Ethereal == 0 {
		t.Error("the test made it solid")
	}
}
