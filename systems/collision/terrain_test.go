package collision

import (
	"fmt"
	"math"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// The table of splits of 14 L1.
func TestSpec14_L1_Splits(t *testing.T) {
	for _, c := range []struct {
		x, y int32
		v    uint32
	}{
		{0, 0, 0xAE6470DB}, {1, 0, 0x6C488D1E}, {0, 1, 0x1A7F3662}, {1, 1, 0xE52E12D8},
		{1352, 1440, 0xC15BD913}, {1353, 1440, 0x73B91436}, {1352, 1441, 0xBC3DABF2}, {1000, 1000, 0x7540A0AB},
	} {
		if got := dat.SplitValue(c.x, c.y); got != c.v {
			t.Errorf("(%d,%d): %#x, want %#x", c.x, c.y, got, c.v)
		}
	}
	b := onLand(t).Land.block(0xA9, 0xB4).Land
	n := 0
	for i, swne := range b.SWNE {
		if swne {
			n++
		}
		if i < 8 && !swne {
			t.Errorf("cell %d of column 1352 is not SW–NE", i)
		}
	}
	if n != 40 {
		t.Errorf("%d cells of 0xA9B4 are SW–NE, want 40", n)
	}
}

// 14 L1 Mesh: of two triangles the first that contains a point, edges included.
func TestSpec14_L1_PointInTriangle(t *testing.T) {
	var b dat.Block
	for i := range b.Planes {
		b.Planes[i].D = float32(i)
	}
	b.SWNE[9] = true // cells (1,1) and (1,2)
	for _, c := range []struct {
		cell uint32
		x, y float32
		want float32 // index of the plane, −1 none
	}{
		{9, 24, 24, 18}, {9, 48, 24, 18}, {9, 24, 48, 19}, {9, 48, 48, 18}, {9, 36, 36, 18}, {9, 30, 36, 19}, {9, 36, 30, 18},
		{10, 24, 48, 20}, {10, 48, 48, 20}, {10, 24, 72, 20}, {10, 48, 72, 21}, {10, 36, 60, 20}, {10, 40, 70, 21}, {10, 30, 50, 20},
		{9, 23.999, 30, -1}, {9, 48.001, 30, -1}, {9, 30, 23.999, -1}, {9, 30, 48.001, -1}, {9, float32(math.NaN()), 30, -1},
	} {
		got := float32(-1)
		if p := newBlock(&b).plots[c.cell].triangle(c.cell, c.x, c.y); p != nil {
			got = p.D
		}
		if got != c.want {
			t.Errorf("cell %d at (%v,%v): plane %v, want %v", c.cell, c.x, c.y, got, c.want)
		}
	}
}

// The planes of the fixture's slopes, as its page gives them.
func TestSpec14_L1_Normals(t *testing.T) {
	r := onLand(t)
	for _, c := range []struct {
		x, y float32
		n    space.Vec3
	}{
		{250, 30, space.Vec3{-0.447214, 0, 0.894427}}, {300, 30, space.Vec3{-0.734803, 0, 0.67828}},
		{320, 30, space.Vec3{-0.759257, 0, 0.650791}}, {250, 150, space.Vec3{0.447214, 0, 0.894427}},
		{60, 270, space.Vec3{0, 0.857493, 0.514496}}, {130, 300, space.Vec3{-0.5547, 0, 0.83205}}, {100, 100, up},
	} {
		p := spot(c.x, c.y, 100)
		got, id, ok := r.Below(&p, space.Vec3{})
		if !ok || id != p.Cell || !nearVec(got.Normal, c.n, 1e-5) {
			t.Errorf("(%v,%v): %v in %x, want %v", c.x, c.y, got, uint32(id), c.n)
		}
	}
}

// 14 L1, 4: how deep bodies sink.
func TestSpec14_L1_WaterDepth(t *testing.T) {
	const sea, land = 18 << 2, 1 << 2
	var b dat.Block
	b.Water[9], b.Water[10] = dat.PartlyWater, dat.EntirelyWater
	for i := range b.Terrain {
		b.Terrain[i] = land
	}
	b.Terrain[1*9+1], b.Terrain[2*9+2] = sea, sea // SW and NE corners of cell 9
	for _, c := range []struct {
		cell uint32
		x, y float32
		want float32
	}{
		{8, 30, 5, 0}, {10, 30, 50, 0.9},
		{9, 24, 24, 0.45}, {9, 35.99, 35.99, 0.45}, {9, 36, 36, 0.45}, {9, 36, 35.99, 0.1}, {9, 35.99, 36, 0.1}, {9, 47, 47, 0.45}, {9, 47, 25, 0.1},
	} {
		if got := newBlock(&b).waterDepth(c.cell, space.Vec3{c.x, c.y, 0}); got != c.want {
			t.Errorf("cell %d at (%v,%v): %v, want %v", c.cell, c.x, c.y, got, c.want)
		}
	}
	for kind := range uint16(32) {
		if got := dat.WaterType(kind << 2); got != (kind >= 16 && kind <= 20) {
			t.Errorf("terrain type %d: water %v", kind, got)
		}
	}
}

// validated is one call of validate_walkable on a plane of a normal through a body's lowest point, less h.
func validated(r *rig, n space.Vec3, h float32, set func(s *Sweep)) (Transition, space.Vec3, *Sweep) {
	p := spot(100, 100, 5)
	s := r.at(p, p, false)
	set(s)
	plane := Plane{Normal: n}
	plane.D = h - space.Dot(n, s.low())
	t := s.validateWalkable(s.global[0].Centre, &plane, false, 0, p.Cell)
	return t, space.Sub(s.check.Frame.Origin, p.Frame.Origin), s
}

// The table of 14 L1 validate_walkable. (The plane's distance is cut to 2e-5 at
// these heights, so that EPS is tried a tenth to either side.)
func TestSpec14_L1_ValidateWalkable(t *testing.T) {
	r := onFlat(t, dat.Records{})
	slope, steep := space.Vec3{-0.6, 0, 0.8}, space.Vec3{-0.8, 0, 0.6}
	air := func(*Sweep) {}
	walks := func(s *Sweep) { s.info = inContact | onWalkable }
	touches := func(s *Sweep) { s.info = inContact }
	steps := func(s *Sweep) { walks(s); s.stepDown, s.amount, s.interp = true, 1, 1 }
	probes := func(s *Sweep) { walks(s); s.checkWalkable = true }
	for _, c := range []struct {
		what    string
		n       space.Vec3
		h       float32
		set     func(*Sweep)
		want    Transition
		contact bool
		hit     bool
		lift    float32
	}{
		{"above", up, 0.0003, air, OK, false, false, 0},
		{"on it, flying", up, 0, air, OK, true, true, 0},
		{"on it, from above", up, 0.00015, air, OK, true, true, 0},
		{"on it, from below", up, -0.00015, air, OK, true, true, 0},
		{"on it, walking", up, 0, walks, OK, true, false, 0},
		{"on it, walking, too steep", steep, 0, walks, OK, false, false, 0},
		{"on it, in contact, too steep", steep, 0, touches, OK, true, false, 0},
		{"on it, stepping down, too steep", steep, 0, steps, OK, true, false, 0},
		{"on it, probing", up, 0, probes, OK, true, false, 0},
		{"in it, probing", up, -0.1, probes, Collided, false, false, 0},
		{"in it, flying", up, -0.1, air, Adjusted, true, true, 0.1},
		{"in it, walking", slope, -0.1, walks, Adjusted, true, false, 0.125},
		{"in it, in contact, too steep", steep, -0.12, touches, Adjusted, true, false, 0.2},
		{"in it, stepping down", slope, -0.1, steps, Adjusted, true, false, 0.125},
		{"in it, stepping down, too steep", steep, -0.12, steps, Adjusted, true, false, 0.2},
		{"in it, stepping down, out of reach", up, -1.2, steps, Collided, true, false, 0},
		{"in it, stepping down, just in reach", up, -1.09, steps, Adjusted, true, false, 1.09},
	} {
		got, at, s := validated(r, c.n, c.h, c.set)
		if got != c.want || s.Contact.Valid != c.contact || s.Hit.Valid != c.hit || s.Environment != c.hit || !nearVec(at, space.Vec3{0, 0, c.lift}, 2e-4) {
			t.Errorf("%s: %v, contact %v, hit %v, environment %v, moved %v", c.what, got, s.Contact.Valid, s.Hit, s.Environment, at)
		}
		if s.stepDown && got == Adjusted && !near32(s.interp, 1-c.lift, 2e-4) {
			t.Errorf("%s: walk_interp %v", c.what, s.interp)
		}
	}
}

// Ground that is too steep for a walker does not answer at all.
func TestW13_UnwalkableGroundInTheWay(t *testing.T) {
	r := onFlat(t, dat.Records{})
	got, at, s := validated(r, space.Vec3{-0.8, 0, 0.6}, -0.3, func(s *Sweep) { s.info = inContact | onWalkable })
	if got != OK || at != (space.Vec3{}) || s.Contact.Valid || s.Hit.Valid || s.Environment {
		t.Errorf("%v, moved %v, contact %v, hit %v", got, at, s.Contact, s.Hit)
	}
}

// fly has a body fall for some seconds, q at a time, as 11 §6 has it: it bounces
// off, or stops at, what it hits.
func (m *mover) fly(seconds, q float32) {
	for range int(seconds / q) {
		v := &m.standing.Velocity
		if !m.walks() {
			v[2] -= 9.8 * q
		}
		m.step(v[0]*q, v[1]*q, v[2]*q)
		if n := m.s.Hit.Normal; m.s.Hit.Valid {
			if d := space.Dot(*v, n); d < 0 {
				*v = space.Sub(*v, space.Scale(n, d*1.05))
			}
		}
		if m.walks() {
			*v = space.Vec3{}
		}
	}
}

// Dropped from 5 m it stands where the plane is, walkable.
func TestL1_FreeFallOnFlatGround(t *testing.T) {
	w := World{Tables: &dat.Tables{}, Land: NewFlat(20)}
	w.Shapes = &w.Tables.Shapes
	r := newRig(t, w)
	r.body = twoSpheres()
	m := r.float(100, 100, 25)
	m.fly(4, 0.05)
	if !near32(m.z(), 20, 0.05) || !m.walks() {
		t.Errorf("z %v, stands %v", m.z(), m.walks())
	}
}

func TestL1_WalkingEastOverTheBorder(t *testing.T) {
	for _, r := range []*rig{onLand(t), onFlat(t, dat.Records{})} {
		m := r.stand(191, 100, 100)
		if r.Land.flat != nil {
			m = r.stand(191, 100, 0)
		}
		for i := range 40 {
			if d := m.step(0.15, 0, 0); !nearVec(d, space.Vec3{0.15, 0, 0}, 1e-4) || !m.walks() {
				t.Fatalf("step %d: %v, stands %v", i, d, m.walks())
			}
			if x := m.p.Frame.Origin[0]; x < 0 || x >= 192 {
				t.Fatalf("step %d: x %v in %x", i, x, uint32(m.p.Cell))
			}
		}
		if m.p.Cell>>16 != 0xAAB4 || !near32(m.x(), 197, 0.01) {
			t.Errorf("at %v in %x", m.x(), uint32(m.p.Cell))
		}
	}
}

// The fixture's slopes: 26.6 degrees, and 47.3, whose normal's z is .678.
func TestL1_WalksUpAndDownSlopes(t *testing.T) {
	r := onLand(t)
	for _, c := range []struct{ from, to, y float32 }{{238, 266, 30}, {266, 238, 30}, {288, 311, 30}, {311, 288, 30}} {
		z := float32(112)
		if c.from < 240 {
			z = 100
		} else if c.from > 300 {
			z = 137
		}
		m := r.stand(c.from, c.y, z)
		dx := float32(0.2)
		if c.to < c.from {
			dx = -dx
		}
		for range 1000 {
			m.step(dx, 0, 0)
			if !m.walks() {
				t.Fatalf("from %v to %v: in the air at %v", c.from, c.to, m.where())
			}
			if (m.x()-c.to)*dx > 0 {
				break
			}
		}
		if (m.x()-c.to)*dx < 0 {
			t.Errorf("from %v to %v: only to %v", c.from, c.to, m.x())
		}
	}
}

// slope is a block of one even slope that rises to the east by a tangent, from z 0.
func slope(t testing.TB, degrees float64) *rig {
	rise := float32(math.Tan(radians(degrees)) * 24)
	var heights [256]float32
	for i := range heights {
		heights[i] = min(800, rise*float32(i))
	}
	tables, err := dat.Compile(dat.Records{Region: &dat.Region{ID: dat.RegionID, Heights: heights}})
	if err != nil {
		t.Fatal(err)
	}
	block := dat.LandBlock{ID: uint32(home)&0xFFFF0000 | 0xFFFF}
	for i := range block.Heights {
		block.Heights[i] = uint8(i / 9)
	}
	b, err := dat.EncodeLandBlock(&block)
	if err != nil {
		t.Fatal(err)
	}
	l := NewLand(tables, loose{block.ID: b})
	if l.block(0xA9, 0xB4).Land == nil {
		t.Fatal(l.Errors())
	}
	r := newRig(t, World{Tables: tables, Shapes: &tables.Shapes, Land: l})
	r.body = twoSpheres()
	return r
}

// 45 degrees can be walked on (.707), 60 not (.5); the limit lies at 48.38.
func TestL1_SteepestWalkableSlope(t *testing.T) {
	for _, c := range []struct {
		degrees float64
		want    bool
	}{{26.6, true}, {45, true}, {48.3, true}, {48.5, false}, {60, false}} {
		r := slope(t, c.degrees)
		m := r.float(60, 60, float32(math.Tan(radians(c.degrees))*60)+1)
		touches, stands := false, false
		for range 20 { // it hops down what is too steep
			m.fly(0.05, 0.05)
			touches, stands = touches || m.standing.Ground.Valid, stands || m.walks()
		}
		if !touches || stands != c.want {
			t.Errorf("%v degrees: contact %v, stands %v", c.degrees, touches, stands)
		}
	}
}

// Dropped onto 60 degrees: it touches, does not stand, and slides down along the slope.
func TestL1_SlidesDownASteepSlope(t *testing.T) {
	r := slope(t, 60)
	m := r.float(100, 60, float32(math.Tan(radians(60))*100)+0.5)
	touches := false
	for range 60 {
		m.fly(0.05, 0.05)
		if m.walks() {
			t.Fatal("it stands")
		}
		touches = touches || m.standing.Ground.Valid
		if h := m.z() - float32(math.Tan(radians(60)))*m.x(); h < -0.01 {
			t.Fatalf("%v m below the slope", -h)
		}
	}
	if !touches || m.x() > 98 {
		t.Errorf("contact %v, x %v", touches, m.x())
	}
}

// The shelf of the fixture at y 264 falls off at 59 degrees.
func TestL1_CliffEdge(t *testing.T) {
	r := onLand(t)
	m := r.stand(60, 262, 100)
	for i := range 60 {
		m.step(0.05, 0.15, 0)
		if !m.walks() || m.z() < 99.9 {
			t.Fatalf("step %d: with EDGE_SLIDE it went over, to %v", i, m.where())
		}
	}
	if m.y() > 264.5 || m.x() < 61 {
		t.Errorf("ends at %v: not along the edge", m.where())
	}
	r.body.State &^= components.EdgeSlide
	m = r.stand(60, 262, 100)
	for range 60 {
		if m.step(0, 0.15, 0); !m.walks() {
			break
		}
	}
	if m.walks() || m.y() < 263.9 {
		t.Errorf("without EDGE_SLIDE it stays on the ground: %v", m.where())
	}
}

// The block in the west is entirely water.
func TestL1_EntirelyWaterBlockIsRefused(t *testing.T) {
	r := onLand(t)
	m := r.stand(3, 100, 100)
	m.steps(60, -0.15, 0.02, 0)
	if m.x() < 0 || m.p.Cell>>16 != 0xA9B4 {
		t.Errorf("it swims, at %v", m.where())
	}
	if m.x() > 0.3 || !m.walks() {
		t.Errorf("at %v, stands %v", m.where(), m.walks())
	}
	r.become(missileID)
	r.body.State |= components.Missile
	f := r.float(3, 100, 103)
	f.steps(20, -0.5, 0, 0)
	if f.p.Cell>>16 != 0xA8B4 {
		t.Errorf("a missile may fly over it, at %v", f.where())
	}
}

// In water a body stands deeper: .9 in the middle, .45 or .1 at the shore.
func TestL1_StandsInWater(t *testing.T) {
	r := onLand(t)
	for _, c := range []struct{ x, y, z float32 }{
		{36, 192 + 170, 60 + 0.005 - 0.9}, {100, 192 + 170, 60.005},
		{74, 192 + 160, 60.005 - 0.45}, {94, 192 + 160, 60.005 - 0.1},
	} {
		m := r.float(c.x, c.y, 62)
		m.fly(2, 0.05)
		if !near32(m.z(), c.z, 0.002) || !m.walks() || m.standing.Ground.Water != (c.x < 96) {
			t.Errorf("(%v,%v): z %v, want %v; water %v, stands %v", c.x, c.y, m.z(), c.z, m.standing.Ground.Water, m.walks())
		}
	}
}

func TestL1_StandingDoesNotDrift(t *testing.T) {
	r := onLand(t)
	for _, p := range []space.Vec3{{100, 100, 100}, {250, 30, 105}, {300, 30, 125}, {48, 144, 106}} {
		m := r.stand(p[0], p[1], p[2]+0.2)
		m.fly(0.5, 0.05)
		at := m.where()
		m.standing.Velocity = space.Vec3{}
		m.fly(2, 0.05)
		if d := space.Length(space.Sub(m.where(), at)); d > 0.01 {
			t.Errorf("at %v: drifts by %v m", p, d)
		}
		if !m.walks() {
			t.Errorf("at %v: does not stand", p)
		}
	}
}

func TestSpec14_10_Flat(t *testing.T) {
	l := NewFlat(-12.5)
	for _, id := range []space.CellID{0x00000001, 0xFEFE0040, home} {
		c := l.cell(id)
		if !c.present() || c.block.Land.Whole != dat.Dry {
			t.Fatalf("%x", uint32(id))
		}
		for _, p := range c.block.Land.Planes {
			if p.Normal != up || p.D != 12.5 {
				t.Fatal(fmt.Sprint(p))
			}
		}
	}
	if c := l.cell(0xA9B40100); c.present() {
		t.Error("there are rooms on flat land")
	}
}
