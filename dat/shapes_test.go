package dat_test

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

func sameBlock(a, b *dat.Block) bool { return reflect.DeepEqual(a, b) }

func TestLandFixture_Boxes(t *testing.T) {
	s := &loadLand(t, folder(t, "land")).Shapes
	for id, want := range map[uint32][2]space.Vec3{
		0x01000A01: {{-1.5, -1.5, -0.5}, {1.5, 1.5, 2.5}},
		0x01000A08: {{-0.4, -0.4, 1.1}, {0.4, 0.4, 1.6}},
		0x01000A10: {{-4, -0.25, 0}, {4, 0.25, 3}},
		0x01000A12: {{-1.5, -1.5, 0}, {1.5, 1.5, 0.6}},
		0x01000A15: {{-1.5, 0, 0}, {1.5, 4.5, 1.5}},
		0x01000A1B: {{-2, 0, 0}, {2, 0, 3}},
		0x01000A1D: {{-2, -0.2, 1.1}, {2, 0.2, 1.7}},
		0x01000A20: {{-4, -6, -1}, {4, 6, 4}},
	} {
		i, ok := s.GfxObj(id)
		if !ok || s.Hulls[i].Min != want[0] || s.Hulls[i].Max != want[1] || s.Hulls[i].ID != id {
			t.Errorf("0x%08X: %+v", id, s.Hulls[i])
		}
	}
	for _, id := range []uint32{0x01000A00, 0x02000A01, 0} {
		if i, ok := s.GfxObj(id); ok || i != dat.None {
			t.Errorf("0x%08X is there", id)
		}
	}
	if _, ok := s.Structure(0x0D000A01, 2); ok {
		t.Error("a third room")
	}
}

func TestLandFixture_Ramps(t *testing.T) {
	s := &loadLand(t, folder(t, "land")).Shapes
	for id, want := range map[uint32]space.Vec3{
		0x01000A16: {0, -0.642788, 0.766044}, 0x01000A17: {0, -0.819152, 0.573576},
	} {
		i, _ := s.GfxObj(id)
		h := s.Hulls[i]
		found := false
		for _, p := range s.Polygons[h.FirstPolygon : h.FirstPolygon+h.PolygonCount] {
			found = found || space.Length(space.Sub(p.Normal, want)) < 2e-6
		}
		if !found {
			t.Errorf("0x%08X has no slope with the normal %v", id, want)
		}
	}
}

// A wall's six planes look outwards, in the record's order.
func TestSpec21_7_WallPlanes(t *testing.T) {
	s := &loadLand(t, folder(t, "land")).Shapes
	i, _ := s.GfxObj(0x01000A10)
	h := s.Hulls[i]
	want := []dat.Plane{{Normal: space.Vec3{0, 0, 1}, D: -3}, {Normal: space.Vec3{0, 0, -1}}, {Normal: space.Vec3{0, -1, 0}, D: -0.25},
		{Normal: space.Vec3{1, 0, 0}, D: -4}, {Normal: space.Vec3{0, 1, 0}, D: -0.25}, {Normal: space.Vec3{-1, 0, 0}, D: -4}}
	if int(h.PolygonCount) != len(want) || h.Root < 0 || h.Cell != dat.None || h.PortalCount != 0 {
		t.Fatalf("%+v", h)
	}
	for k, p := range s.Polygons[h.FirstPolygon : h.FirstPolygon+h.PolygonCount] {
		if (dat.Plane{Normal: p.Normal, D: p.D}) != want[k] || p.Count != 4 || p.Sides != 0 || int(p.ID) != k {
			t.Errorf("polygon %d: %+v", k, p)
		}
	}
	root := s.Nodes[h.Root]
	if root.Leaf || root.Pos != h.Root+1 || root.Neg < 0 || (dat.Plane{Normal: root.Normal, D: root.D}) != want[0] {
		t.Errorf("root %+v", root)
	}
	if r := float32(math.Sqrt(16+0.0625+2.25) + 0.001); space.Abs(root.Radius-r) > 1e-5 || root.Centre != (space.Vec3{0, 0, 1.5}) {
		t.Errorf("the root's sphere is %v r %v, want %v", root.Centre, root.Radius, r)
	}
}

// Every polygon lies in a leaf; those leaves are the solid ones, except the panels'; empty leaves are not.
func TestLandFixture_Leaves(t *testing.T) {
	s := &loadLand(t, folder(t, "land")).Shapes
	panels := map[uint32]bool{0x01000A1B: true, 0x01000A1C: true}
	for _, h := range s.Hulls {
		seen := map[int32]bool{}
		var walk func(i int32, depth int)
		walk = func(i int32, depth int) {
			if i < 0 {
				return
			}
			n := s.Nodes[i]
			if n.Leaf && n.Solid != (n.Count > 0 && !panels[h.ID]) {
				t.Errorf("0x%08X: a leaf of %d polygons, solid %v", h.ID, n.Count, n.Solid)
			}
			for _, p := range s.Leaves[n.First : n.First+n.Count] {
				if p < h.FirstPolygon || p >= h.FirstPolygon+h.PolygonCount {
					t.Errorf("0x%08X: a leaf holds polygon %d", h.ID, p)
				}
				seen[p] = true
			}
			walk(n.Pos, depth+1)
			walk(n.Neg, depth+1)
		}
		walk(h.Root, 0)
		if len(seen) != int(h.PolygonCount) {
			t.Errorf("0x%08X: %d polygons of %d in leaves", h.ID, len(seen), h.PolygonCount)
		}
	}
}

func TestLandFixture_Bodies(t *testing.T) {
	tables := loadLand(t, folder(t, "land"), folder(t, "humanoid"))
	for id, want := range map[uint32]struct {
		spheres []dat.Sphere
		cyls    []dat.Cylinder
		sorting dat.Sphere
		free    bool
		bsp     bool
	}{
		0x02000A01: {spheres: []dat.Sphere{{Centre: space.Vec3{0, 0, 1}, Radius: 1.5}}, sorting: dat.Sphere{Centre: space.Vec3{0, 0, 1.25}, Radius: 1.6}},
		0x02000A02: {cyls: []dat.Cylinder{{Radius: 0.15, Height: 2.5}}, sorting: dat.Sphere{Centre: space.Vec3{0, 0, 1.25}, Radius: 1.35}},
		0x02000A06: {cyls: []dat.Cylinder{{Low: space.Vec3{0, 0, 1.1}, Radius: 0.4, Height: 0.5}}, sorting: dat.Sphere{Centre: space.Vec3{0, 0, 0.8}, Radius: 0.9}},
		0x02000A20: {bsp: true, sorting: dat.Sphere{Centre: space.Vec3{0, 0, 1.25}, Radius: 1.7}},
		0x02000A30: {spheres: []dat.Sphere{{Centre: space.Vec3{0, 0, 0.3}, Radius: 0.3}}, cyls: []dat.Cylinder{{Radius: 0.3, Height: 0.6}},
			sorting: dat.Sphere{Centre: space.Vec3{0, 0, 0.3}, Radius: 0.45}, free: true},
		0x02000A34: {spheres: []dat.Sphere{{Centre: space.Vec3{0, 0, 0.3}, Radius: 0.3}}, cyls: []dat.Cylinder{{Radius: 0.3, Height: 0.6}},
			sorting: dat.Sphere{Centre: space.Vec3{0, 0, 0.3}, Radius: 0.45}},
	} {
		i, _ := tables.Setup(id)
		f := tables.Setups[i]
		if !equal(tables.SpheresOf(i), want.spheres) || !equal(tables.CylindersOf(i), want.cyls) || f.FreeHeading != want.free || f.PhysicsBSP != want.bsp {
			t.Errorf("0x%08X: %v, %v, %+v", id, tables.SpheresOf(i), tables.CylindersOf(i), f)
		}
		if space.Abs(f.Sorting.Radius-want.sorting.Radius) > 1e-6 || f.Sorting.Centre != want.sorting.Centre {
			t.Errorf("0x%08X: sorting %v", id, f.Sorting)
		}
		if s := tables.PartScales(i); len(s) != 1 || s[0] != (space.Vec3{1, 1, 1}) {
			t.Errorf("0x%08X: scales %v", id, s)
		}
	}
	door, _ := tables.Setup(0x02000A20)
	leaf, _ := tables.Shapes.GfxObj(0x01000A18)
	if p := tables.PartHulls(door); !equal(p, []int32{leaf}) {
		t.Errorf("%v", p)
	}
	human, _ := tables.Setup(0x02000001)
	if s := tables.SpheresOf(human); len(s) != 2 || s[0].Radius != 0.48 || tables.Setups[human].PhysicsBSP {
		t.Errorf("%v", s)
	}
	if tables.SpheresOf(dat.None) != nil || tables.CylindersOf(dat.None) != nil || tables.PartHulls(dat.None) != nil || tables.PartScales(dat.None) != nil {
		t.Error("None has a body")
	}
	// without the models, parts collide with nothing
	bare := load(t, folder(t, "land"))
	door, _ = bare.Setup(0x02000A20)
	if p := bare.PartHulls(door); !equal(p, []int32{dat.None}) || bare.Setups[door].PhysicsBSP {
		t.Errorf("%v", p)
	}
}

func equal[T comparable](a, b []T) bool {
	return len(a) == len(b) && (len(a) == 0 || reflect.DeepEqual(a, b))
}

// slab is a model of one square and a tree of one plane.
func slab() *dat.GfxObj {
	sphere := dat.Sphere{Radius: 2}
	return &dat.GfxObj{
		ID: 0x01000001, Flags: 1,
		Vertices: dat.VertexArray{Type: 1, Vertices: []dat.Vertex{{ID: 0}, {ID: 1, Origin: space.Vec3{1, 0, 0}},
			{ID: 2, Origin: space.Vec3{1, 1, 0}}, {ID: 3, Origin: space.Vec3{0, 1, 0}}}},
		Physics: []dat.PolygonRecord{{Stippling: 4, Vertices: []uint16{0, 1, 2, 3}}},
		PhysicsTree: &dat.BSPNode{Tag: "BPnN", Plane: dat.Plane{Normal: space.Vec3{0, 0, 1}}, Sphere: sphere,
			Pos: &dat.BSPNode{Tag: "LEAF"}, Neg: &dat.BSPNode{Tag: "LEAF", Index: 1, Solid: 1, Sphere: sphere, Polygons: []uint16{0}}},
	}
}

func room() *dat.Environment {
	g := slab()
	return &dat.Environment{ID: 0x0D000001, Cells: []dat.CellStructure{{
		Number: 7, Vertices: g.Vertices, Polygons: []dat.PolygonRecord{{Stippling: 4, Vertices: []uint16{0, 1, 2, 3}}}, Portals: []uint16{0},
		CellTree: &dat.BSPNode{Tag: "BPnn", Plane: dat.Plane{Normal: space.Vec3{0, 0, 1}}, Pos: &dat.BSPNode{Tag: "LEAF", Index: 1}},
		Physics:  g.Physics, PhysicsTree: g.PhysicsTree,
	}}}
}

// What bodies cannot collide with is refused when it is compiled, by record and reason.
func TestIssue4_GeometryRefusals(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	models := map[string]struct {
		change func(*dat.GfxObj)
		kind   error
		reason string
	}{
		"two vertices": {func(g *dat.GfxObj) { g.Physics[0].Vertices = []uint16{0, 1} }, dat.ErrGeometry, "polygon 0: 2 vertices"},
		"no vertices":  {func(g *dat.GfxObj) { g.Physics[0].Vertices = nil }, dat.ErrGeometry, "polygon 0: 0 vertices"},
		"on a line": {func(g *dat.GfxObj) {
			g.Vertices.Vertices[2].Origin = space.Vec3{3, 0, 0}
			g.Physics[0].Vertices = []uint16{0, 1, 2}
		}, dat.ErrGeometry, "polygon 0"},
		"one point":        {func(g *dat.GfxObj) { g.Physics[0].Vertices = []uint16{1, 1, 1} }, dat.ErrGeometry, "polygon 0"},
		"a figure eight":   {func(g *dat.GfxObj) { g.Physics[0].Vertices = []uint16{0, 1, 3, 2} }, dat.ErrGeometry, "polygon 0"},
		"no such vertex":   {func(g *dat.GfxObj) { g.Physics[0].Vertices[2] = 4 }, dat.ErrGeometry, "vertex 4"},
		"a vertex twice":   {func(g *dat.GfxObj) { g.Vertices.Vertices[2].ID = 1 }, dat.ErrGeometry, "id 1 is there twice"},
		"a polygon twice":  {func(g *dat.GfxObj) { g.Physics = append(g.Physics, g.Physics[0]) }, dat.ErrGeometry, "id 0 is there twice"},
		"NaN":              {func(g *dat.GfxObj) { g.Vertices.Vertices[2].Origin[1] = nan }, dat.ErrFloat, "vertex 2"},
		"infinite":         {func(g *dat.GfxObj) { g.Vertices.Vertices[2].Origin[1] = inf }, dat.ErrFloat, "vertex 2"},
		"no such polygon":  {func(g *dat.GfxObj) { g.PhysicsTree.Neg.Polygons[0] = 1 }, dat.ErrGeometry, "polygon 1"},
		"a cycle":          {func(g *dat.GfxObj) { g.PhysicsTree.Neg = g.PhysicsTree }, dat.ErrGeometry, "reached twice"},
		"a shared leaf":    {func(g *dat.GfxObj) { g.PhysicsTree.Pos = g.PhysicsTree.Neg }, dat.ErrGeometry, "reached twice"},
		"a missing child":  {func(g *dat.GfxObj) { g.PhysicsTree.Pos = nil }, dat.ErrGeometry, "other children"},
		"a child too many": {func(g *dat.GfxObj) { g.PhysicsTree.Tag = "BPnn" }, dat.ErrGeometry, "other children"},
		"no tag":           {func(g *dat.GfxObj) { g.PhysicsTree.Tag = "BP" }, dat.ErrGeometry, "tag"},
		"no plane":         {func(g *dat.GfxObj) { g.PhysicsTree.Plane = dat.Plane{} }, dat.ErrGeometry, "splits along no plane"},
		"a NaN plane":      {func(g *dat.GfxObj) { g.PhysicsTree.Plane.D = nan }, dat.ErrFloat, "BPnN"},
		"no size":          {func(g *dat.GfxObj) { g.PhysicsTree.Neg.Sphere.Radius = 0 }, dat.ErrGeometry, "radius 0"},
		"no size above":    {func(g *dat.GfxObj) { g.PhysicsTree.Sphere.Radius = 0 }, dat.ErrGeometry, "radius 0"},
		"negative size":    {func(g *dat.GfxObj) { g.PhysicsTree.Pos.Sphere.Radius = -1 }, dat.ErrGeometry, "radius -1"},
		"too deep": {func(g *dat.GfxObj) {
			for range dat.MaxTreeDepth {
				g.PhysicsTree = &dat.BSPNode{Tag: "BPnn", Plane: g.PhysicsTree.Plane, Sphere: g.PhysicsTree.Sphere, Pos: g.PhysicsTree}
			}
		}, dat.ErrGeometry, "deeper than 512"},
		"another id": {func(g *dat.GfxObj) { g.ID = 0x02000001 }, dat.ErrID, "GfxObj"},
	}
	if _, err := dat.Compile(dat.Records{GfxObjs: []*dat.GfxObj{slab()}, Environments: []*dat.Environment{room()}}); err != nil {
		t.Fatal(err)
	}
	for name, c := range models {
		t.Run(name, func(t *testing.T) {
			g := slab()
			c.change(g)
			_, err := dat.Compile(dat.Records{GfxObjs: []*dat.GfxObj{g}})
			geometryRefused(t, err, c.kind, g.ID, c.reason)
		})
	}
	rooms := map[string]struct {
		change func(*dat.CellStructure)
		kind   error
		reason string
	}{
		"flat portal":         {func(s *dat.CellStructure) { s.Polygons[0].Vertices = []uint16{0, 1, 1} }, dat.ErrGeometry, "polygon 0"},
		"no portal polygon":   {func(s *dat.CellStructure) { s.Portals[0] = 1 }, dat.ErrGeometry, "polygon 1"},
		"no containment":      {func(s *dat.CellStructure) { s.CellTree = nil }, dat.ErrGeometry, "structure 7"},
		"no physics":          {func(s *dat.CellStructure) { s.PhysicsTree = nil }, dat.ErrGeometry, "structure 7"},
		"polygons in a cell":  {func(s *dat.CellStructure) { s.CellTree.Pos.Polygons = []uint16{0} }, dat.ErrGeometry, "its place does not hold"},
		"containment, cyclic": {func(s *dat.CellStructure) { s.CellTree.Pos = s.CellTree }, dat.ErrGeometry, "reached twice"},
		"a flat wall":         {func(s *dat.CellStructure) { s.Physics[0].Vertices = []uint16{0, 0, 0} }, dat.ErrGeometry, "polygon 0"},
	}
	for name, c := range rooms {
		t.Run(name, func(t *testing.T) {
			e := room()
			c.change(&e.Cells[0])
			_, err := dat.Compile(dat.Records{Environments: []*dat.Environment{e}})
			geometryRefused(t, err, c.kind, e.ID, c.reason)
		})
	}
	e := room()
	e.Cells = append(e.Cells, room().Cells[0])
	_, err := dat.Compile(dat.Records{Environments: []*dat.Environment{e}})
	geometryRefused(t, err, dat.ErrTwice, e.ID, "structure 7")
	_, err = dat.Compile(dat.Records{GfxObjs: []*dat.GfxObj{slab(), slab()}})
	geometryRefused(t, err, dat.ErrTwice, 0x01000001, "")
}

func TestIssue4_BodyAndRegionRefusals(t *testing.T) {
	nan := float32(math.NaN())
	for name, c := range map[string]struct {
		change func(*dat.Setup)
		kind   error
		reason string
	}{
		"sphere without size":   {func(s *dat.Setup) { s.Spheres[0].Radius = 0 }, dat.ErrGeometry, "sphere 0 has the radius 0"},
		"negative sphere":       {func(s *dat.Setup) { s.Spheres[0].Radius = -1 }, dat.ErrGeometry, "sphere 0"},
		"sphere nowhere":        {func(s *dat.Setup) { s.Spheres[0].Centre[2] = nan }, dat.ErrFloat, "sphere 0"},
		"sphere too large":      {func(s *dat.Setup) { s.Spheres[0].Radius = 1e30 }, dat.ErrFloat, "sphere 0"},
		"cylinder without size": {func(s *dat.Setup) { s.Cylinders[0].Radius = 0 }, dat.ErrGeometry, "cylinder 0"},
		"cylinder hanging down": {func(s *dat.Setup) { s.Cylinders[0].Height = -1 }, dat.ErrGeometry, "cylinder 0"},
		"cylinder nowhere":      {func(s *dat.Setup) { s.Cylinders[0].Low[0] = nan }, dat.ErrFloat, "cylinder 0"},
		"sorting":               {func(s *dat.Setup) { s.Sorting.Radius = -1 }, dat.ErrGeometry, "sorting"},
		"sorting nowhere":       {func(s *dat.Setup) { s.Sorting.Radius = nan }, dat.ErrFloat, "sorting"},
		"part scale":            {func(s *dat.Setup) { s.Flags, s.Scales = 2, []space.Vec3{{1, 1, 0}} }, dat.ErrGeometry, "part 0"},
		"part scale NaN":        {func(s *dat.Setup) { s.Flags, s.Scales = 2, []space.Vec3{{1, nan, 1}} }, dat.ErrFloat, "part 0"},
		"scales":                {func(s *dat.Setup) { s.Scales = make([]space.Vec3, 2) }, dat.ErrShape, "2 scales"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &dat.Setup{ID: 0x02000001, Parts: []uint32{0x01000001}, Spheres: []dat.Sphere{{Radius: 1}}, Cylinders: []dat.Cylinder{{Radius: 1}}}
			c.change(s)
			_, err := dat.Compile(dat.Records{GfxObjs: []*dat.GfxObj{slab()}, Setups: []*dat.Setup{s}})
			geometryRefused(t, err, c.kind, s.ID, c.reason)
		})
	}
	for h, kind := range map[float32]error{nan: dat.ErrFloat, -1: dat.ErrLimit, 801: dat.ErrLimit, float32(math.Inf(-1)): dat.ErrFloat} {
		r := &dat.Region{ID: dat.RegionID}
		r.Heights[7] = h
		_, err := dat.Compile(dat.Records{Region: r})
		geometryRefused(t, err, kind, r.ID, "height 7")
	}
}

func geometryRefused(t *testing.T, err, kind error, id uint32, reason string) {
	t.Helper()
	var e *dat.Error
	if !errors.Is(err, kind) || !errors.As(err, &e) || e.Record != id || !strings.Contains(e.Reason, reason) {
		t.Errorf("%v", err)
	}
}

// A record whose vertices and polygons are not numbered from 0 in order.
func TestSpec21_7_IDsAreNotIndexes(t *testing.T) {
	g := slab()
	for i := range g.Vertices.Vertices {
		g.Vertices.Vertices[i].ID = uint16(100 - i)
	}
	g.Physics[0].ID, g.Physics[0].Vertices = 9, []uint16{100, 99, 98, 97}
	g.PhysicsTree.Neg.Polygons[0] = 9
	b, err := dat.EncodeGfxObj(g)
	must(t, err)
	got, err := dat.DecodeGfxObj(b)
	must(t, err)
	s := compile(t, dat.Records{GfxObjs: []*dat.GfxObj{got}}).Shapes
	if want := []space.Vec3{{}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}; !reflect.DeepEqual(s.Vertices, want) || s.Polygons[0].ID != 9 || s.Leaves[0] != 0 {
		t.Errorf("%v, %+v", s.Vertices, s.Polygons)
	}
}
