package collision

import (
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// 14 L3 hits_sphere, on a level polygon of 2 m at height 0.
func TestSpec14_L3_HitsSphere(t *testing.T) {
	r, polygon := oneSheet(t)
	p := &r.Shapes.Polygons[polygon]
	for _, c := range []struct {
		what   string
		v      space.Vec3
		radius float32
		want   bool
	}{
		{"over it", space.Vec3{0.5, 0.5, 0.3}, 0.5, true},
		{"below it", space.Vec3{0.5, 0.5, -0.3}, 0.5, true},
		{"too high", space.Vec3{0.5, 0.5, 0.5}, 0.5, false},
		{"short of the radius by EPS", space.Vec3{0.5, 0.5, 0.49975}, 0.5, true},
		{"beside an edge", space.Vec3{1.3, 0.5, 0.3}, 0.5, true},
		{"too far beside an edge", space.Vec3{1.41, 0.5, 0.3}, 0.5, false},
		{"at a corner", space.Vec3{1.2, 1.2, 0.3}, 0.5, true},
		{"too far off a corner", space.Vec3{1.3, 1.3, 0.3}, 0.5, false},
		{"in the plane, far off", space.Vec3{5, 0, 0}, 0.5, false},
	} {
		if got := hits(r.Shapes, p, &dat.Sphere{Centre: c.v, Radius: c.radius}); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
}

// A polygon that a sphere moves away from is noted, and is no hit.
func TestSpec14_L3_PosHitsSphere(t *testing.T) {
	r, polygon := oneSheet(t)
	h, _ := r.Shapes.GfxObj(0x01000100)
	root := r.Shapes.Hulls[h].Root
	for _, c := range []struct {
		movement space.Vec3
		hit      bool
	}{{space.Vec3{0, 0, -0.1}, true}, {space.Vec3{0, 0, 0.1}, false}, {space.Vec3{1, 0, 0}, false}, {space.Vec3{}, false}} {
		out := strike{polygon: none}
		got := strikes(r.Shapes, root, &dat.Sphere{Centre: space.Vec3{0, 0, 0.3}, Radius: 0.5}, &c.movement, &out)
		if got != c.hit || out.hit != c.hit || out.polygon != polygon {
			t.Errorf("moving by %v: %v, %+v", c.movement, got, out)
		}
	}
}

// 14 L3 adjust_sphere_to_plane.
func TestSpec14_L3_AdjustSphereToPlane(t *testing.T) {
	r, polygon := oneSheet(t)
	p := &r.Shapes.Polygons[polygon]
	for _, c := range []struct {
		what      string
		z         float32
		m         space.Vec3
		due       float32
		want      bool
		at, spent float32
	}{
		{"on the way down", 0.2, space.Vec3{0, 0, -0.6}, 1, true, 0.5, 0.5},
		{"up to half more than the way", -0.39, space.Vec3{0, 0, -0.6}, 1, true, 0.5, 1 - 0.89/0.6},
		{"more than that", -0.41, space.Vec3{0, 0, -0.6}, 1, false, -0.41, 1},
		{"above its place", 0.6, space.Vec3{0, 0, -0.6}, 1, false, 0.6, 1},
		{"half is spent already", 0.4, space.Vec3{0, 0, -0.6}, 0.5, true, 0.5, 0.5 * (1 - 0.1/0.6)},
		{"with the normal, cut by it", -0.2, space.Vec3{0, 0, 0.6}, 1, false, -0.2, 1},
		{"with the normal, short of it", -0.8, space.Vec3{0, 0, 0.6}, 1, true, -1.1, 0.5}, // far = −r − d
		{"along it", 0.2, space.Vec3{1, 0, 0.0001}, 1, false, 0.2, 1},
	} {
		b := dat.Sphere{Centre: space.Vec3{0, 0, c.z}, Radius: 0.5}
		w := c.due
		if got := toPlane(p, &b, &c.m, &w); got != c.want || !near32(b.Centre[2], c.at, 1e-5) || !near32(w, c.spent, 1e-5) {
			t.Errorf("%s: %v at %v, walk_interp %v, want %v at %v, %v", c.what, got, b.Centre[2], w, c.want, c.at, c.spent)
		}
	}
}

// check_walkable refuses no slope but one along the axis, and an edge that the
// centre lies outside of does not end the walk over the edges.
func TestW9_CheckWalkable(t *testing.T) {
	r, polygon := oneSheet(t)
	for _, c := range []struct {
		what   string
		v, up  space.Vec3
		radius float32
		want   bool
	}{
		{"over it", space.Vec3{0, 0, 2}, up, 0.5, true},
		{"below it", space.Vec3{0, 0, -2}, up, 0.5, true},
		{"from behind", space.Vec3{0, 0, 2}, space.Vec3{0, 0, -1}, 0.5, true}, // n·up = −1
		{"steeply", space.Vec3{0, -0.4, 0.2}, space.Vec3{0, 0.98, 0.2}, 0.5, true},
		{"along it", space.Vec3{0, 0, 0}, space.Vec3{1, 0, 0}, 0.5, false},
		{"beside an edge", space.Vec3{1.4, 0, 2}, up, 0.5, true},
		{"beyond the radius", space.Vec3{1.6, 0, 2}, up, 0.5, false},
		{"outside two edges, near the corner", space.Vec3{1.2, 1.2, 2}, up, 0.5, true},
		{"outside two edges, off the corner", space.Vec3{1.4, 1.4, 2}, up, 0.5, false},
	} {
		if got := carries(r.Shapes, polygon, &dat.Sphere{Centre: c.v, Radius: c.radius}, &c.up, 1); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
	// the small variant: a quarter of the square, half the radius
	for x, want := range map[float32]bool{1.24: true, 1.26: false} {
		if got := carries(r.Shapes, polygon, &dat.Sphere{Centre: space.Vec3{x, 0, 2}, Radius: 0.5}, &up, 0.25); got != want {
			t.Errorf("the small variant at %v: %v", x, got)
		}
	}
	// no vertex order spares the corner: the first edge that the point lies outside of must not decide
	for turn := range 4 {
		list := tile(2, 0)
		list = append(list[turn:], list[:turn]...)
		q := onFlat(t, dat.Records{GfxObjs: []*dat.GfxObj{sheet(0x01000100, list)}})
		if !carries(q.Shapes, 0, &dat.Sphere{Centre: space.Vec3{1.2, 1.2, 2}, Radius: 0.5}, &up, 1) {
			t.Errorf("beginning at vertex %d: the corner does not carry", turn)
		}
	}
}

func TestSpec14_L3_FindCrossedEdge(t *testing.T) {
	r, polygon := oneSheet(t)
	for _, c := range []struct {
		v, n space.Vec3
		ok   bool
	}{
		{space.Vec3{0, 1.1, 3}, space.Vec3{0, -1, 0}, true}, {space.Vec3{-1.1, 0, 3}, space.Vec3{1, 0, 0}, true},
		{space.Vec3{0, 0, 3}, space.Vec3{}, false}, {space.Vec3{0, 1, 3}, space.Vec3{}, false},
	} {
		n, ok := crossedEdge(r.Shapes, polygon, &dat.Sphere{Centre: c.v, Radius: 0.5}, &up)
		if ok != c.ok || ok && !nearVec(n, c.n, 1e-6) {
			t.Errorf("%v: %v, %v", c.v, n, ok)
		}
	}
}

// 14 L3 adjust_to_placement_poly: the sign turns for a centre in the solid, and
// once more behind the plane.
func TestW10_PlacementPushNegatesTwice(t *testing.T) {
	r, polygon := oneSheet(t)
	p := &r.Shapes.Polygons[polygon]
	for _, c := range []struct {
		z             float32
		solid, check  bool
		want, radius_ float32
	}{
		{0.2, false, true, 0.5, 0.5}, {0.2, true, true, -0.5, 0.5}, {-0.2, false, true, -0.5, 0.5}, {-0.2, true, true, 0.5, 0.5},
		{0, true, true, 0.5, 0.5}, {0.2, false, false, 0.5, 0.5}, {-0.2, true, false, 0.5, 0.5}, {-0.2, true, true, 1, 1},
	} {
		a, b := dat.Sphere{Centre: space.Vec3{0, 0, c.z}, Radius: 0.5}, dat.Sphere{Centre: space.Vec3{0, 0, 1}, Radius: 0.5}
		push(p, &a, &b, c.radius_, c.solid, c.check)
		if !near32(a.Centre[2], c.want, 1e-6) || !near32(b.Centre[2], 1+c.want-c.z, 1e-6) {
			t.Errorf("%+v: at %v and %v", c, a.Centre[2], b.Centre[2])
		}
	}
}

// Node spheres count as touched up to EPS beyond the sum of the radii, in squares.
func TestW25_NodeSpheresTouch(t *testing.T) {
	n := &dat.Node{Radius: 1}
	for d, want := range map[float32]bool{1.4: false, 1.5: false, 1.50005: false, 1.5001: true, 1.6: true} {
		if got := miss(n, &dat.Sphere{Centre: space.Vec3{d, 0, 0}, Radius: 0.5}); got != want {
			t.Errorf("%v apart: missed %v", d, got)
		}
	}
	n.Radius = 0 // empty leaves
	if miss(n, &dat.Sphere{Radius: 0.5}) {
		t.Error("a point in a sphere is missed")
	}
}

// 14 L3 Tree walk: which children a sphere gets to.
func TestSpec14_L3_Sides(t *testing.T) {
	n := &dat.Node{Normal: up}
	for _, c := range []struct {
		z        float32
		pos, neg bool
	}{{0.5, true, false}, {0.4998, true, false}, {0.4997, true, true}, {0, true, true}, {-0.4997, true, true}, {-0.4998, false, true}, {-2, false, true}} {
		if _, pos, neg := sides(n, &dat.Sphere{Centre: space.Vec3{0, 0, c.z}, Radius: 0.5}, 0.5); pos != c.pos || neg != c.neg {
			t.Errorf("at %v: %v %v", c.z, pos, neg)
		}
	}
}

// solidBox is a rig with a box of 4 × 4 × 4 m and its tree.
func solidBox(t testing.TB) (*rig, int32) {
	r := onFlat(t, dat.Records{
		GfxObjs: []*dat.GfxObj{boxModel(0x01000100, space.Vec3{-2, -2, 0}, space.Vec3{2, 2, 4})},
		Setups:  []*dat.Setup{model(0x02000100, 0x01000100)},
	})
	h, _ := r.Shapes.GfxObj(0x01000100)
	return r, r.Shapes.Hulls[h].Root
}

func TestSpec14_L3_Solid(t *testing.T) {
	r, root := solidBox(t)
	for _, c := range []struct {
		what  string
		v     space.Vec3
		check bool
		want  bool
	}{
		{"deep inside", space.Vec3{0, 0, 2}, true, true},
		{"deep inside, no centre check", space.Vec3{0, 0, 2}, false, false},
		{"in the wall from outside", space.Vec3{2.3, 0, 2}, true, true},
		{"in the wall from outside, no centre check", space.Vec3{2.3, 0, 2}, false, true},
		{"in the wall from inside, no centre check", space.Vec3{1.7, 0, 2}, false, true},
		{"outside", space.Vec3{2.6, 0, 2}, true, false},
		{"off an edge", space.Vec3{2.4, 2.4, 2}, true, false},
		{"at an edge", space.Vec3{2.3, 2.3, 2}, true, true},
	} {
		b := dat.Sphere{Centre: c.v, Radius: 0.5}
		if got := solid(r.Shapes, root, &b, c.check); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
	// the centre check goes with the side that the centre is on
	for _, solidBelow := range []bool{false, true} {
		g := sheet(0x01000100, tile(2, 9)) // so far off that nothing hits it
		full, empty := g.PhysicsTree, &dat.BSPNode{Tag: "LEAF", Index: 1}
		full.Solid = 1
		tree := &dat.BSPNode{Tag: "BPIN", Plane: dat.Plane{Normal: up}, Sphere: full.Sphere, Pos: full, Neg: empty}
		if solidBelow {
			tree.Pos, tree.Neg = empty, full
		}
		g.PhysicsTree = tree
		q := onFlat(t, dat.Records{GfxObjs: []*dat.GfxObj{g}})
		h, _ := q.Shapes.GfxObj(0x01000100)
		at := q.Shapes.Hulls[h].Root
		for _, z := range []float32{-0.3, 0.3} {
			b := dat.Sphere{Centre: space.Vec3{0, 0, z}, Radius: 0.5}
			in := depth{polygon: none}
			want := z < 0 == solidBelow
			if solid(q.Shapes, at, &b, true) != want || solidPolygon(q.Shapes, at, &b, 0.5, true, &in) != want {
				t.Errorf("solid below %v, centre at %v: not %v", solidBelow, z, want)
			}
		}
	}
	in := depth{polygon: none}
	b := dat.Sphere{Centre: space.Vec3{0, 0, 2}, Radius: 0.5}
	if !solidPolygon(r.Shapes, root, &b, 0.5, true, &in) || in.polygon >= 0 || !in.centre {
		t.Errorf("deep inside: %+v", in)
	}
	in = depth{polygon: none}
	b.Centre[0] = 1.7
	if !solidPolygon(r.Shapes, root, &b, 0.5, true, &in) || in.polygon < 0 || !in.centre {
		t.Errorf("in the wall from inside: %+v", in)
	}
	in = depth{polygon: none}
	b.Centre[0] = 2.3
	if !solidPolygon(r.Shapes, root, &b, 0.5, true, &in) || in.polygon < 0 || in.centre {
		t.Errorf("in the wall from outside: %+v", in)
	}
}

// placed is placement_insert on the box, of a sphere at a place.
func placed(r *rig, root int32, at space.Vec3) (Transition, space.Vec3) {
	p := spot(100, 100, 0)
	o := p
	p.Frame.Origin = space.Add(space.Add(p.Frame.Origin, at), space.Vec3{0, 0, -0.5})
	s := r.at(p, p, false)
	s.insert = initialPlacement
	s.localize(&o, 1)
	t := s.placementInsert(root)
	return t, space.Sub(s.global[0].Centre, space.Vec3{100, 100, 0})
}

// 14 L3 placement_insert: out through the polygon that it cuts.
func TestSpec14_L3_PlacementInsert(t *testing.T) {
	r, root := solidBox(t)
	for _, c := range []struct {
		what string
		v    space.Vec3
		want Transition
		at   space.Vec3
	}{
		{"free", space.Vec3{3, 0, 2}, OK, space.Vec3{3, 0, 2}},
		{"in the wall from outside", space.Vec3{2.3, 0, 2}, Adjusted, space.Vec3{2.5, 0, 2}},
		{"in the wall from inside", space.Vec3{1.8, 0, 2}, Adjusted, space.Vec3{2.5, 0, 2}},
		{"deeper than every plane", space.Vec3{0, 0, 2}, Collided, space.Vec3{0, 0, 2}},
	} {
		got, at := placed(r, root, c.v)
		if got != c.want || !nearVec(at, c.at, 1e-4) {
			t.Errorf("%s: %v at %v, want %v at %v", c.what, got, at, c.want, c.at)
		}
	}
}

// Each round of the push begins with the body's own radius. Here the first finds
// the body in a solid with no polygon in reach, and doubles the radius; by that it
// comes 1 m above the polygon beyond the plane, where a wall stands .3 m off: from
// that it is pushed by .5.
func TestW37_EachRoundStartsFromTheRadius(t *testing.T) {
	g := sheet(0x01000100,
		tile(8, 0.3),
		[]space.Vec3{{0.3, -4, 0.9}, {0.3, -4, 3}, {0.3, 4, 3}, {0.3, 4, 0.9}},
		tile(8, -9))
	all := dat.Sphere{Radius: 100}
	g.PhysicsTree = &dat.BSPNode{
		Tag: "BPIN", Plane: dat.Plane{Normal: up, D: -1}, Sphere: all,
		Pos: &dat.BSPNode{Tag: "LEAF", Sphere: all, Polygons: []uint16{0, 1}},
		Neg: &dat.BSPNode{Tag: "LEAF", Index: 1, Solid: 1, Sphere: all, Polygons: []uint16{2}},
	}
	r := onFlat(t, dat.Records{GfxObjs: []*dat.GfxObj{g}})
	h, _ := r.Shapes.GfxObj(0x01000100)
	got, at := placed(r, r.Shapes.Hulls[h].Root, space.Vec3{0, 0, 0.4})
	if got != Adjusted || !nearVec(at, space.Vec3{-0.2, 0, 1.3}, 1e-4) {
		t.Errorf("%v at %v", got, at)
	}
}

// crate is a rig with a box of 4 × 4 m and some height around (100, 105).
func crate(t testing.TB, height float32) *rig {
	r := onFlat(t, dat.Records{
		GfxObjs: []*dat.GfxObj{boxModel(0x01000100, space.Vec3{-2, -2, 0}, space.Vec3{2, 2, height})},
		Setups:  []*dat.Setup{model(0x02000100, 0x01000100)},
	})
	r.body = twoSpheres()
	r.body.StepDown = 1.5
	r.add(r.obstacle(2, 0x02000100, spot(100, 105, 0)))
	return r
}

// A flat top is stepped on up to one and a half times the step height.
func TestL3_CrateHeights(t *testing.T) {
	for _, c := range []struct {
		height float32
		want   bool
	}{{0.5, true}, {0.65, true}, {0.7, true}, {0.89, true}, {0.91, false}, {1.5, false}} {
		r := crate(t, c.height)
		// the step that meets it must reach well over its edge, or the edge is not in reach
		m := r.stand(100.1, 100.09, 0)
		m.steps(20, 0, 0.24, 0)
		if got := near32(m.z(), c.height, 0.01); got != c.want || !m.walks() || !c.want && (m.y() > 102.51 || m.y() < 102.3) {
			t.Errorf("%v m high: at %v, stands %v", c.height, m.where(), m.walks())
		}
		if c.want {
			n, g := m.standing.Ground.Plane, m.standing.Ground
			if n.Normal != up || !near32(n.D, -c.height, 1e-3) || g.Water {
				t.Errorf("%v m high: stands on %+v", c.height, g)
			}
		}
	}
}

// With EDGE_SLIDE it stays on top of what is too high to step down from; the edge's normal is level.
func TestL3_CrateEdge(t *testing.T) {
	r := crate(t, 3)
	m := r.stand(100, 105.5, 3)
	level := false
	for i := range 60 {
		m.step(0.04, 0.12, 0)
		if !near32(m.z(), 3, 0.01) || !m.walks() {
			t.Fatalf("step %d: at %v", i, m.where())
		}
		if m.s.Hit.Valid && nearVec(m.s.Hit.Normal, space.Vec3{0, -1, 0}, 1e-4) {
			level = true
		}
	}
	if !level || m.y() > 107.5 || m.x() < 101 {
		t.Errorf("at %v, edge met %v", m.where(), level)
	}
	r.body.State = components.Gravity
	m = r.stand(100, 105.5, 3)
	for range 30 {
		if m.step(0, 0.12, 0); !m.walks() {
			break
		}
	}
	if m.walks() {
		t.Errorf("without EDGE_SLIDE it stays: %v", m.where())
	}
}

func TestL3_FallsOntoACrate(t *testing.T) {
	r := crate(t, 2)
	m := r.float(100.3, 105, 5)
	m.fly(2, 0.05)
	g := m.standing.Ground
	if !near32(m.z(), 2, 0.01) || !m.walks() || g.Water || g.Plane.Normal != up || !near32(g.Plane.D, -2, 1e-3) {
		t.Errorf("at %v on %+v", m.where(), g)
	}
}

// A crate of scale 1.1 at height 100 with a polygon at .5 stores the distance
// −110.55, though its top lies at 100.55; and the move is scaled, not only the sphere.
func TestW8_ScaledCrate(t *testing.T) {
	r := onFlat(t, dat.Records{
		GfxObjs: []*dat.GfxObj{boxModel(0x01000100, space.Vec3{-2, -2, 0}, space.Vec3{2, 2, 0.5})},
		Setups:  []*dat.Setup{model(0x02000100, 0x01000100)},
	})
	o := r.obstacle(2, 0x02000100, spot(100, 100, 100))
	o.Scale = 1.1
	p := spot(100, 100, 100.35)
	s := r.at(p, p, true)
	s.stepDown, s.amount, s.interp, s.allowance = true, 0.6, 1, FloorZ
	if got := s.shapes(&o, false); got != Adjusted {
		t.Fatalf("%v", got)
	}
	if z := s.check.Frame.Origin[2]; !near32(z, 100.55, 1e-3) {
		t.Errorf("on top at %v", z)
	}
	if d := s.Contact.Plane.D; !near32(d, -110.55, 2e-3) || s.Contact.Water || s.Contact.Cell != p.Cell || !s.walkable.ok || s.walkable.scale != 1.1 {
		t.Errorf("plane %+v", s.Contact)
	}
}

// The rows of find_collisions in 14 L3, on the top of the box.
func TestSpec14_L3_FindCollisions(t *testing.T) {
	r, root := solidBox(t)
	r.body = twoSpheres()
	for _, c := range []struct {
		what     string
		from, to space.Vec3 // of the lower centre
		set      func(*Sweep)
		want     Transition
		after    func(*Sweep) bool
	}{
		{"placement", space.Vec3{0, 0, 4.3}, space.Vec3{0, 0, 4.3}, func(s *Sweep) { s.insert = placement }, Collided, nil},
		{"placement, clear", space.Vec3{0, 0, 4.6}, space.Vec3{0, 0, 4.6}, func(s *Sweep) { s.insert = placement }, OK, nil},
		{"placement by the head", space.Vec3{0, 0, -1.3}, space.Vec3{0, 0, -1.3}, func(s *Sweep) { s.insert = placement }, Collided, nil},
		{"ethereal", space.Vec3{0, 0, 2}, space.Vec3{0, 0, 2}, func(s *Sweep) { s.obstructionEthereal = true }, Collided, nil},
		{"inside a shell, come in", space.Vec3{0, 0, 2}, space.Vec3{0, 0, 2}, func(s *Sweep) { s.insert, s.buildingCheck, s.hitsInterior = placement, true, true }, OK, nil},
		{"inside a shell", space.Vec3{0, 0, 2}, space.Vec3{0, 0, 2}, func(s *Sweep) { s.insert, s.buildingCheck = placement, true }, Collided, nil},
		{"probing", space.Vec3{0, 0, 4.3}, space.Vec3{0, 0, 4.3}, func(s *Sweep) { s.checkWalkable, s.allowance = true, FloorZ }, Collided, nil},
		{"probing a wall", space.Vec3{2.3, 0, 2}, space.Vec3{2.3, 0, 2}, func(s *Sweep) { s.checkWalkable, s.allowance = true, FloorZ }, OK, nil},
		{"stepping down", space.Vec3{0, 0, 4.3}, space.Vec3{0, 0, 4.3}, func(s *Sweep) { s.stepDown, s.amount, s.allowance = true, 0.6, FloorZ }, Adjusted,
			func(s *Sweep) bool {
				return near32(s.check.Frame.Origin[2], 4, 1e-4) && s.walkable.ok && s.Contact.Valid
			}},
		{"stepping down beside a wall", space.Vec3{2.3, 0, 2}, space.Vec3{2.3, 0, 2}, func(s *Sweep) { s.stepDown, s.amount, s.allowance = true, 0.6, FloorZ }, OK, nil},
		{"landing", space.Vec3{0, 0.1, 4.7}, space.Vec3{0, 0.3, 4.3}, func(s *Sweep) { s.collide, s.allowance = true, LandingZ }, Adjusted,
			func(s *Sweep) bool { return nearVec(s.check.Frame.Origin, space.Vec3{100, 100.2, 4}, 1e-4) }},
		{"a missile", space.Vec3{2.7, 0, 2}, space.Vec3{2.3, 0, 2}, func(s *Sweep) { s.info = pathClipped }, Collided,
			func(s *Sweep) bool { return s.Hit.Valid && nearVec(s.Hit.Normal, space.Vec3{1, 0, 0}, 1e-5) }},
		{"a missile, from behind the face", space.Vec3{2.2, 0, 2}, space.Vec3{2.3, 0, 2}, func(s *Sweep) { s.info = pathClipped }, Collided, nil},
		{"flying", space.Vec3{2.7, 0, 2}, space.Vec3{2.3, 0, 2}, func(s *Sweep) {}, Adjusted,
			func(s *Sweep) bool {
				return s.collide && s.allowance == LandingZ && nearVec(s.stepUpNormal, space.Vec3{1, 0, 0}, 1e-5)
			}},
		{"flying, by the head", space.Vec3{0, 0, -1.6}, space.Vec3{0, 0, -1.3}, func(s *Sweep) {}, Collided,
			func(s *Sweep) bool { return nearVec(s.Hit.Normal, space.Vec3{0, 0, -1}, 1e-5) }},
		{"walking, back face of sphere 1", space.Vec3{2.2, 0, 2}, space.Vec3{2.3, 0, 2}, func(s *Sweep) { s.info = inContact }, OK,
			func(s *Sweep) bool {
				return s.negPolyHit && !s.negStepUp && nearVec(s.negNormal, space.Vec3{-1, 0, 0}, 1e-5)
			}},
		{"walking, back face of sphere 0", space.Vec3{2.2, 0, 3.5}, space.Vec3{2.3, 0, 3.9}, func(s *Sweep) { s.info = inContact }, OK,
			func(s *Sweep) bool { return s.negPolyHit && s.negStepUp }},
		{"walking, sphere 1 hit", space.Vec3{2.7, 0.1, -0.9}, space.Vec3{2.4, 0.3, -0.6}, func(s *Sweep) { s.info = inContact | onWalkable; s.LastKnown.set(&Plane{Normal: up}, home, false) }, Slid,
			func(s *Sweep) bool { return nearVec(s.check.Frame.Origin, space.Vec3{102.7, 100.3, -1.4}, 1e-4) }},
	} {
		o, from, to := spot(100, 100, 0), spot(100, 100, -0.5), spot(100, 100, -0.5)
		from.Frame.Origin, to.Frame.Origin = space.Add(from.Frame.Origin, c.from), space.Add(to.Frame.Origin, c.to)
		s := r.at(from, to, false)
		s.interp = 1
		c.set(s)
		s.localize(&o, 1)
		if got := s.findCollisions(root); got != c.want || c.after != nil && !c.after(s) {
			t.Errorf("%s: %v, want %v; at %v, hit %v, back face %v %v %v", c.what, got, c.want, s.check.Frame.Origin, s.Hit, s.negPolyHit, s.negStepUp, s.negNormal)
		}
	}
	// one sphere only: no back faces
	r.body = oneSphere()
	o, p := spot(100, 100, 0), spot(102.3, 100, 1.5)
	s := r.at(spot(102.2, 100, 1.5), p, true)
	s.localize(&o, 1)
	if got := s.findCollisions(root); got != OK || s.negPolyHit {
		t.Errorf("one sphere: %v, struck from behind %v", got, s.negPolyHit)
	}
}

// Walls of the fixture: head-on, along, and the 40 and the 55 degree ramps.
func TestL3_Ramps(t *testing.T) {
	r := onLand(t)
	m := r.stand(110, 82, 100)
	for range 90 {
		if m.step(0, 0.1, 0); !m.walks() {
			t.Fatalf("in the air at %v", m.where())
		}
	}
	if m.z() < 103.3 {
		t.Errorf("the ramp of 40 degrees: at %v", m.where())
	}
	m = r.stand(125.3, 82, 100)
	m.steps(90, 0, 0.1, 0)
	if m.z() > 100.5 {
		t.Errorf("the ramp of 55 degrees: at %v", m.where())
	}
}

func TestL3_Stairs(t *testing.T) {
	r := onLand(t)
	m := r.stand(160, 54, 100)
	for range 60 {
		if m.step(0, 0.1, 0); !m.walks() {
			t.Fatalf("in the air at %v", m.where())
		}
	}
	if !near32(m.z(), 101.5, 0.02) {
		t.Errorf("up: at %v", m.where())
	}
	for range 60 {
		if m.step(0, -0.1, 0); !m.walks() {
			t.Fatalf("in the air at %v", m.where())
		}
	}
	if !near32(m.z(), 100.005, 0.02) {
		t.Errorf("down: at %v", m.where())
	}
}

func TestL3_WallsAreNotEntered(t *testing.T) {
	r := onLand(t)
	for _, dx := range []float32{0, 0.05, 0.1, -0.15} {
		m := r.stand(110, 34, 100)
		for i := range 60 {
			m.step(dx, 0.2, 0)
			if x, y := m.x(), m.y(); x > 106 && x < 114 && y > 35.75-0.48+0.005 && y < 36.25+0.48 {
				t.Fatalf("%v: step %d in the wall at %v", dx, i, m.where())
			}
		}
		if dx != 0 && space.Abs(m.x()-110) < 2 {
			t.Errorf("%v: does not slide along, at %v", dx, m.where())
		}
		if !m.walks() {
			t.Errorf("%v: in the air", dx)
		}
	}
}

// A part that its placement or animation has turned blocks where it is then.
func TestL3_TurnedDoor(t *testing.T) {
	r := onLand(t)
	shut := r.obstacle(2, doorID, spot(100, 105, 100))
	row := r.add(shut)
	walk := func() float32 {
		m := r.stand(100.3, 103, 100)
		m.steps(40, 0, 0.12, 0)
		return m.y()
	}
	if y := walk(); y > 104.5 {
		t.Errorf("through the shut door, to %v", y)
	}
	// opened: its leaf turned by 90 degrees about a hinge in the west
	open := space.Identity
	open.Rotation = space.SetHeading(space.IdentityQuat, 90)
	open.Origin = space.Vec3{-1, -1, 0}
	tables := *r.Tables
	tables.Parts = append(append([]space.Frame(nil), tables.Parts...), open)
	r.World.Tables = &tables
	shut.Parts, shut.Posed = int32(len(tables.Parts)-1), 1
	r.Crowd.Obstacles[row] = shut
	if y := walk(); y < 107 {
		t.Errorf("the open door holds it up at %v", y)
	}
	m := r.stand(97, 104.2, 100)
	m.steps(40, 0.12, 0, 0)
	if m.x() > 98.6 {
		t.Errorf("through the leaf of the open door, to %v", m.where())
	}
}

// Struck from behind, a face lets a body slide along: it does not stick. (One
// that begins with its spheres across a single face does: of its moves each is a
// hit, or a slide that leaves it across. Placements push out of what is solid.)
func TestL3_BackFaces(t *testing.T) {
	r := onLand(t)
	// the panel and the low panel of the fixture face south, at y 156
	for _, x := range []float32{104.5, 114.5} {
		p := spot(x, 156.6, 100.005)
		m := &mover{rig: r, p: p}
		m.standing = Standing{Ground: Ground{Plane: Plane{Normal: up, D: -100}, Cell: p.Cell, Valid: true}, OnWalkable: true}
		for range 30 {
			if m.step(0.1, -0.05, 0); m.y() < 156.3 && m.x() < x+1.6 {
				t.Fatalf("it gets through, at %v", m.where())
			}
		}
		if m.x() < x+2.5 || !m.walks() {
			t.Errorf("it sticks at %v", m.where())
		}
	}
}
