package dat_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

func loadLand(t testing.TB, sources ...dat.Source) *dat.Tables {
	t.Helper()
	tables, err := dat.LoadLand(sources...)
	if err != nil {
		t.Fatal(err)
	}
	return tables
}

func blockOf(t testing.TB, tables *dat.Tables, x, y uint8, sources ...dat.Source) *dat.Block {
	t.Helper()
	b, err := dat.CompileBlock(tables, x, y, sources...)
	if err != nil {
		t.Fatal(err)
	}
	if b == nil {
		t.Fatalf("no block %02X%02X", x, y)
	}
	return b
}

func TestSpec14_L1_Split(t *testing.T) {
	for _, c := range []struct {
		x, y int32
		v    uint32
		swne bool
	}{
		{0, 0, 0xAE6470DB, true}, {1, 0, 0x6C488D1E, false}, {0, 1, 0x1A7F3662, false}, {1, 1, 0xE52E12D8, true},
		{1352, 1440, 0xC15BD913, true}, {1353, 1440, 0x73B91436, false}, {1352, 1441, 0xBC3DABF2, true}, {1000, 1000, 0x7540A0AB, false},
	} {
		if v := dat.SplitValue(c.x, c.y); v != c.v || v>>31 != 0 != c.swne {
			t.Errorf("(%d, %d): 0x%08X, want 0x%08X", c.x, c.y, v, c.v)
		}
	}
	b := blockOf(t, loadLand(t, folder(t, "land")), 0xA9, 0xB4, folder(t, "land"))
	n := 0
	for i, swne := range b.SWNE {
		if swne {
			n++
		} else if i < 8 {
			t.Errorf("cell (1352, %d) is cut NW–SE", 1440+i)
		}
	}
	if n != 40 {
		t.Errorf("%d cells of 0xA9B4 are cut SW–NE, want 40", n)
	}
}

// The heights that the page of the fixture states, north row first.
var landHeights = map[[2]uint8]string{
	{0xA9, 0xB4}: `
		100  100  100  100  100  100  100  100  100
		100  100  102  100  100  100  100  100  100
		100  102  106  102  100  100  100  100  100
		100  100  102  100  100  100  100  100  100
		100  100  100  100  100  100  100  100  100
		100  100  100  100  100  100  100  100  100
		100  100  100  100  100  100  100  100  100
		100  100  100  100  100  100  100  100  100
		100  100  100  100  100  100  100  100  100`,
	{0xAA, 0xB4}: `
		100  100  100   88   88   62   62   88  100
		100  100  100   88   88   62   62   88  100
		100  100  100   88   88   62   62   88  100
		100  100  100   88   88   62   62   88  100
		100  100  100  100  100  100  100  100  100
		100  100  100  112  112  138  166  166  166
		100  100  100  112  112  138  166  166  166
		100  100  100  112  112  138  166  166  166
		100  100  100  112  112  138  166  166  166`,
	{0xA9, 0xB5}: `
		 60   60   60   60   60   60   76   88  100
		 60   60   60   60   60   60   76   88  100
		 60   60   60   60   60   60   76   88  100
		 60   60   60   60   60   60   76   88  100
		 60   60   60   60   60   60   76   88  100
		100  100  100  100  100  100  100  100  100
		100  100  100  100  100  100  100  100  100
		100  100  100  100  100  100  100  100  100
		100  100  100  100  100  100  100  100  100`,
	{0xAA, 0xB5}: `
		100  100  102  104   96   98  100  102  104
		100   96   96   96   96   96   96   96   96
		100  102  100   98   96  104  102  100   98
		100   98  104  100   96  102   98  104  100
		100  104   98  102   96  100  104   98  102
		100  100  102  104   96   98  100  102  104
		100   96   96   96   96   96   96   96   96
		100  100  100  100  100  100  100  100  100
		100  100  100   88   88   62   62   88  100`,
	{0xA8, 0xB4}: strings.Repeat(" 100", 81),
}

func TestLandFixture_Heights(t *testing.T) {
	land := folder(t, "land")
	tables := loadLand(t, land)
	for i, h := range tables.Heights {
		want := float32(2 * i)
		if i > 200 {
			want = 400 + 5*float32(i-200)
		}
		if h != want {
			t.Errorf("entry %d of the table is %v, want %v", i, h, want)
		}
	}
	for at, page := range landHeights {
		b := blockOf(t, tables, at[0], at[1], land)
		if b.X != int32(at[0]) || b.Y != int32(at[1]) {
			t.Errorf("block (%d, %d)", b.X, b.Y)
		}
		for i, want := range strings.Fields(page) {
			x, y := int32(i%9), int32(8-i/9)
			if got := b.Vertex(x, y); got != (space.Vec3{float32(24 * x), float32(24 * y), number(t, want)}) {
				t.Errorf("%X: vertex (%d, %d) is %v, want the height %s", at, x, y, got, want)
			}
		}
		if b.Whole == dat.EntirelyWater != (at[0] == 0xA8) {
			t.Errorf("%X: water %d", at, b.Whole)
		}
	}
}

func number(t testing.TB, s string) float32 {
	n := float32(0)
	for _, r := range s {
		if r < '0' || r > '9' {
			t.Fatalf("%q", s)
		}
		n = 10*n + float32(r-'0')
	}
	return n
}

// In 0xA9B5 the cells with x 0..2 and y 6, 7 are entirely water; those with y 5 and x 0..3 and with x 3 and y 5..7 partly.
func TestLandFixture_Water(t *testing.T) {
	land := folder(t, "land")
	tables := loadLand(t, land)
	b := blockOf(t, tables, 0xA9, 0xB5, land)
	for cell, got := range b.Water {
		x, y := cell/8, cell%8
		want := dat.Dry
		switch {
		case x <= 2 && y >= 6:
			want = dat.EntirelyWater
		case x <= 3 && y >= 5:
			want = dat.PartlyWater
		}
		if got != want {
			t.Errorf("cell (%d, %d): %d, want %d", x, y, got, want)
		}
	}
	if b.Whole != dat.PartlyWater || blockOf(t, tables, 0xA9, 0xB4, land).Whole != dat.Dry {
		t.Errorf("the whole is %d", b.Whole)
	}
	for typ, want := range map[uint16]bool{0: false, 15: false, 16: true, 18: true, 20: true, 21: false, 31: false} {
		if dat.WaterType(typ<<2|0xF803) != want || dat.WaterType(typ<<2) != want {
			t.Errorf("type %d", typ)
		}
	}
}

// The slopes that are planar over whole cells, metres from the corner of 0xA9B4.
func TestLandFixture_Slopes(t *testing.T) {
	land := folder(t, "land")
	tables := loadLand(t, land)
	for _, c := range []struct {
		x0, x1, y0, y1 int32
		rise           float64
		normal         space.Vec3
		walkable       bool
	}{
		{240, 264, 0, 72, 12, space.Vec3{-0.447214, 0, 0.894427}, true},
		{288, 312, 0, 72, 26, space.Vec3{-0.734803, 0, 0.67828}, true},
		{312, 336, 0, 72, 28, space.Vec3{-0.759257, 0, 0.650791}, false},
		{240, 264, 120, 192, 12, space.Vec3{0.447214, 0, 0.894427}, true},
		{288, 312, 120, 192, 26, space.Vec3{0.734803, 0, 0.67828}, true},
		{336, 360, 120, 192, 26, space.Vec3{-0.734803, 0, 0.67828}, true},
		{360, 384, 120, 192, 12, space.Vec3{-0.447214, 0, 0.894427}, true},
		{0, 120, 264, 288, 40, space.Vec3{0, 0.857493, 0.514496}, false},
		{120, 144, 288, 384, 16, space.Vec3{-0.5547, 0, 0.83205}, true},
		{144, 168, 288, 384, 12, space.Vec3{-0.447214, 0, 0.894427}, true},
	} {
		for x := c.x0 / 24; x < c.x1/24; x++ {
			for y := c.y0 / 24; y < c.y1/24; y++ {
				b := blockOf(t, tables, uint8(0xA9+x/8), uint8(0xB4+y/8), land)
				for i := range int32(2) {
					cell := x%8*8 + y%8
					p := b.Planes[2*cell+i]
					if d := space.Sub(p.Normal, c.normal); space.Length(d) > 2e-6 || p.Normal[2] >= 0.66417414 != c.walkable {
						t.Errorf("cell (%d, %d) triangle %d: normal %v, want %v", x, y, i, p.Normal, c.normal)
					}
					if rise := 24 * math.Hypot(float64(p.Normal[0]), float64(p.Normal[1])) / float64(p.Normal[2]); math.Abs(rise-c.rise) > 1e-4 {
						t.Errorf("cell (%d, %d) rises %v, want %v", x, y, rise, c.rise)
					}
				}
			}
		}
	}
}

// Every triangle's vertices lie on its plane, which looks up; the two of a cell share its diagonal.
func TestSpec14_L1_Planes(t *testing.T) {
	land := folder(t, "land")
	tables := loadLand(t, land)
	for at := range landHeights {
		b := blockOf(t, tables, at[0], at[1], land)
		for cell := range int32(64) {
			x, y := cell/8, cell%8
			if b.SWNE[cell] != (dat.SplitValue(b.X*8+x, b.Y*8+y)>>31 == 1) {
				t.Errorf("%X cell %d", at, cell)
			}
			first, second := b.Triangle(cell, 0), b.Triangle(cell, 1)
			sw, se, ne, nw := b.Vertex(x, y), b.Vertex(x+1, y), b.Vertex(x+1, y+1), b.Vertex(x, y+1)
			want := [2][3]space.Vec3{{sw, se, nw}, {ne, nw, se}}
			if b.SWNE[cell] {
				want = [2][3]space.Vec3{{sw, se, ne}, {sw, ne, nw}}
			}
			if first != want[0] || second != want[1] {
				t.Errorf("%X cell %d: %v and %v", at, cell, first, second)
			}
			for i, tri := range want {
				p := b.Planes[2*cell+int32(i)]
				if p.Normal[2] <= 0 || math.Abs(float64(space.Length(p.Normal))-1) > 1e-6 {
					t.Errorf("%X cell %d: normal %v", at, cell, p.Normal)
				}
				for _, v := range tri {
					if d := space.Dot(p.Normal, v) + p.D; space.Abs(d) > 1e-4 {
						t.Errorf("%X cell %d: %v is %v off its plane", at, cell, v, d)
					}
				}
			}
		}
	}
}

func TestLandFixture_Objects(t *testing.T) {
	land := folder(t, "land")
	tables := loadLand(t, land)
	b := blockOf(t, tables, 0xA9, 0xB4, land)
	if len(b.Statics) != 34 || b.Outdoor != 33 || len(b.Buildings) != 1 || len(b.Cells) != 2 || len(b.Restrictions) != 0 {
		t.Fatalf("%d statics, %d on the land, %d buildings, %d cells", len(b.Statics), b.Outdoor, len(b.Buildings), len(b.Cells))
	}
	for i, want := range map[int]struct {
		model  uint32
		origin space.Vec3
		turned float64
	}{
		0: {0x02000A01, space.Vec3{110, 12, 100}, 0}, 6: {0x01000A10, space.Vec3{130, 36, 100}, 45},
		8: {0x01000A10, space.Vec3{156.25, 32, 100}, 90}, 15: {0x01000A15, space.Vec3{160, 56, 100}, 0},
		26: {0x01000A11, space.Vec3{130, 132, 100}, 30}, 32: {0x02000A08, space.Vec3{162, 156, 100}, 0},
		33: {0x02000A03, space.Vec3{62, 39, 100.1}, 0}, // in the back room
	} {
		s := b.Statics[i]
		setup, isSetup := tables.Setup(s.Model)
		hull, isHull := tables.Shapes.GfxObj(s.Model)
		if s.Model != want.model || s.Frame.Origin != want.origin || s.Setup != setup || s.Hull != hull || isSetup == isHull {
			t.Errorf("static %d: %+v", i, s)
		}
		half := want.turned / 2 * math.Pi / 180
		if got := s.Frame.Rotation; math.Abs(float64(got.W)-math.Cos(half)) > 1e-6 || math.Abs(float64(got.V[2])-math.Sin(half)) > 1e-6 {
			t.Errorf("static %d is turned %v", i, got)
		}
	}
	for at, n := range map[[2]uint8]int{{0xAA, 0xB4}: 2, {0xA9, 0xB5}: 2, {0xAA, 0xB5}: 4, {0xA8, 0xB4}: 0} {
		if b := blockOf(t, tables, at[0], at[1], land); len(b.Statics) != n || len(b.Cells) != 0 {
			t.Errorf("%X: %d statics, %d cells", at, len(b.Statics), len(b.Cells))
		}
	}
	if b, err := dat.CompileBlock(tables, 0xA8, 0xB5, land); b != nil || err != nil {
		t.Errorf("a block that is not there: %v, %v", b, err)
	}
}

func TestLandFixture_House(t *testing.T) {
	land := folder(t, "land")
	tables := loadLand(t, land)
	b := blockOf(t, tables, 0xA9, 0xB4, land)
	at := space.Frame{Origin: space.Vec3{60, 36, 100}, Rotation: space.IdentityQuat}
	shell, _ := tables.Shapes.GfxObj(0x01000A20)
	if got, want := b.Buildings[0], (dat.Building{Model: 0x01000A20, Setup: dat.None, Hull: shell, Frame: at, Leaves: 1, PortalCount: 1}); got != want {
		t.Errorf("%+v", got)
	}
	if got, want := b.BuildingPortals, []dat.BuildingPortal{{Flags: 1, OtherCell: 0x100, CellCount: 2}}; !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	if !slices.Equal(b.BuildingCells, []uint16{0x100, 0x101}) || !slices.Equal(b.Visible, []uint16{0x100, 0x101, 0x100, 0x101}) {
		t.Errorf("%X, %X", b.BuildingCells, b.Visible)
	}
	front, _ := tables.Shapes.Structure(0x0D000A01, 0)
	back, _ := tables.Shapes.Structure(0x0D000A01, 1)
	want := []dat.IndoorCell{
		{ID: 0xA9B40100, Hull: front, Frame: at, PortalCount: 2, VisibleCount: 2, FirstStatic: 33, SeenOutside: true},
		{ID: 0xA9B40101, Hull: back, Frame: at, FirstPortal: 2, PortalCount: 1, FirstVisible: 2, VisibleCount: 2, FirstStatic: 33, StaticCount: 1, SeenOutside: true},
	}
	if !slices.Equal(b.Cells, want) {
		t.Errorf("%+v", b.Cells)
	}
	polygon := func(hull, i int32) int32 { return tables.Shapes.Portals[tables.Shapes.Hulls[hull].FirstPortal+i] }
	portals := []dat.CellPortal{
		{OtherCell: 0xFFFF, Polygon: polygon(front, 0), Flags: 5, Side: true, Outside: true},
		{OtherCell: 0x101, Polygon: polygon(front, 1), Flags: 1, Side: true},
		{OtherCell: 0x100, OtherPortal: 1, Polygon: polygon(back, 0), Flags: 1, Side: true},
	}
	if !slices.Equal(b.Portals, portals) {
		t.Errorf("%+v", b.Portals)
	}
	// the portal to the outside is at y −6, the one between the rooms at y 0, seen from either
	for i, want := range []dat.Plane{{Normal: space.Vec3{0, -1, 0}, D: -6}, {Normal: space.Vec3{0, 1, 0}}, {Normal: space.Vec3{0, -1, 0}}} {
		p := tables.Shapes.Polygons[b.Portals[i].Polygon]
		if (dat.Plane{Normal: p.Normal, D: p.D}) != want || p.Count != 4 {
			t.Errorf("portal %d: %+v", i, p)
		}
	}
	// containment, in the block: 0x0100 is y 30..36, 0x0101 y 36..41.8, both x 56.2..63.8, z 100..103.5
	for _, c := range []struct {
		p    space.Vec3
		want [2]bool
	}{
		{space.Vec3{60, 33, 101}, [2]bool{true, false}}, {space.Vec3{60, 39, 101}, [2]bool{false, true}},
		{space.Vec3{60, 30.1, 100.1}, [2]bool{true, false}}, {space.Vec3{60, 29.9, 101}, [2]bool{}},
		{space.Vec3{56.3, 33, 103.4}, [2]bool{true, false}}, {space.Vec3{56.1, 33, 103.4}, [2]bool{}},
		{space.Vec3{60, 41.7, 101}, [2]bool{false, true}}, {space.Vec3{60, 41.9, 101}, [2]bool{}},
		{space.Vec3{60, 33, 103.6}, [2]bool{}}, {space.Vec3{60, 33, 99.9}, [2]bool{}},
	} {
		for i, want := range c.want {
			if got := inside(&tables.Shapes, b.Cells[i].Hull, space.Sub(c.p, at.Origin)); got != want {
				t.Errorf("%v in cell %d: %v", c.p, i, got)
			}
		}
	}
}

// inside walks a containment tree down its positive side.
func inside(s *dat.Shapes, hull int32, p space.Vec3) bool {
	for i := s.Hulls[hull].Cell; i >= 0 && !s.Nodes[i].Leaf; i = s.Nodes[i].Pos {
		if space.Dot(s.Nodes[i].Normal, p)+s.Nodes[i].D < -space.Eps {
			return false
		}
	}
	return true
}

// A landblock's records, changed and then refused, each by name.
func TestIssue4_BlockRefusals(t *testing.T) {
	good := func() map[uint32][]byte {
		f := folder(t, "land")
		all := map[uint32][]byte{}
		for _, id := range f.IDs(0, math.MaxUint32) {
			b, err := f.Read(id)
			must(t, err)
			all[id] = b
		}
		return all
	}
	tables := loadLand(t, folder(t, "land"))
	info := func(change func(*dat.LandBlockInfo)) func(map[uint32][]byte) {
		return func(all map[uint32][]byte) {
			changed(t, all, 0xA9B4FFFE, dat.DecodeLandBlockInfo, dat.EncodeLandBlockInfo, change)
		}
	}
	cell := func(change func(*dat.EnvCell)) func(map[uint32][]byte) {
		return func(all map[uint32][]byte) { changed(t, all, 0xA9B40100, dat.DecodeEnvCell, dat.EncodeEnvCell, change) }
	}
	for name, c := range map[string]struct {
		change func(map[uint32][]byte)
		kind   error
		record uint32
		reason string
	}{
		"no info":          {func(all map[uint32][]byte) { delete(all, 0xA9B4FFFE) }, dat.ErrMissing, 0xA9B4FFFF, "0xA9B4FFFE"},
		"no cell":          {func(all map[uint32][]byte) { delete(all, 0xA9B40101) }, dat.ErrMissing, 0xA9B4FFFE, "0xA9B40101"},
		"short":            {func(all map[uint32][]byte) { all[0xA9B4FFFF] = all[0xA9B4FFFF][:200] }, dat.ErrTruncated, 0xA9B4FFFF, ""},
		"a model":          {info(func(l *dat.LandBlockInfo) { l.Objects[3].Model = 0x01000A0F }), dat.ErrMissing, 0xA9B4FFFE, "object 3 is a 0x01000A0F"},
		"a setup":          {info(func(l *dat.LandBlockInfo) { l.Objects[3].Model = 0x02000A0F }), dat.ErrMissing, 0xA9B4FFFE, "object 3 is a 0x02000A0F"},
		"no model":         {info(func(l *dat.LandBlockInfo) { l.Objects[3].Model = 0x03000A01 }), dat.ErrMissing, 0xA9B4FFFE, "object 3"},
		"a shell":          {info(func(l *dat.LandBlockInfo) { l.Buildings[0].Model = 0x01000A0F }), dat.ErrMissing, 0xA9B4FFFE, "building 0"},
		"no rotation":      {info(func(l *dat.LandBlockInfo) { l.Objects[3].Frame.Rotation.W = 5 }), dat.ErrFloat, 0xA9B4FFFE, "object 3"},
		"too far":          {info(func(l *dat.LandBlockInfo) { l.Objects[3].Frame.Origin[0] = 1e30 }), dat.ErrFloat, 0xA9B4FFFE, "object 3"},
		"building portal":  {info(func(l *dat.LandBlockInfo) { l.Buildings[0].Portals[0].OtherCell = 0x102 }), dat.ErrMissing, 0xA9B4FFFE, "0x0102"},
		"building list":    {info(func(l *dat.LandBlockInfo) { l.Buildings[0].Portals[0].Cells[1] = 0xFF }), dat.ErrMissing, 0xA9B4FFFE, "0x00FF"},
		"too many cells":   {info(func(l *dat.LandBlockInfo) { l.Cells = 0xFFFFFFFF }), dat.ErrLimit, 0xA9B4FFFE, "4294967295"},
		"an environment":   {cell(func(e *dat.EnvCell) { e.Environment++ }), dat.ErrMissing, 0xA9B40100, "0x0D000A02"},
		"a structure":      {cell(func(e *dat.EnvCell) { e.Structure = 2 }), dat.ErrMissing, 0xA9B40100, "structure 2"},
		"a portal":         {cell(func(e *dat.EnvCell) { e.Portals[1].OtherCell = 0x102 }), dat.ErrMissing, 0xA9B40100, "0x0102"},
		"a portal polygon": {cell(func(e *dat.EnvCell) { e.Portals[1].Polygon = 2 }), dat.ErrMissing, 0xA9B40100, "polygon 2"},
		"a visible cell":   {cell(func(e *dat.EnvCell) { e.Visible[0] = 0xFFFE }), dat.ErrMissing, 0xA9B40100, "0xFFFE"},
		"an object":        {cell(func(e *dat.EnvCell) { e.Flags |= 2; e.Objects = []dat.ObjectRecord{{Model: 1}} }), dat.ErrMissing, 0xA9B40100, "object 0"},
		"a place":          {cell(func(e *dat.EnvCell) { e.Frame.Rotation.W = 2 }), dat.ErrFloat, 0xA9B40100, "the cell"},
	} {
		t.Run(name, func(t *testing.T) {
			all := good()
			c.change(all)
			b, err := dat.CompileBlock(tables, 0xA9, 0xB4, records(t, all))
			var e *dat.Error
			if b != nil || !errors.Is(err, c.kind) || !errors.As(err, &e) || e.Record != c.record || !strings.Contains(e.Reason, c.reason) {
				t.Errorf("%v", err)
			}
		})
	}
	if _, err := dat.CompileBlock(load(t, folder(t, "land")), 0xA9, 0xB4, folder(t, "land")); !errors.Is(err, dat.ErrMissing) {
		t.Errorf("without a region: %v", err)
	}
}

// Restrictions, an outside portal that only its other cell tells, and rotations of all zeros.
func TestSpec21_8_BlockVariants(t *testing.T) {
	all := map[uint32][]byte{}
	f := folder(t, "land")
	for _, id := range f.IDs(0, math.MaxUint32) {
		b, err := f.Read(id)
		must(t, err)
		all[id] = b
	}
	changed(t, all, 0xA9B4FFFE, dat.DecodeLandBlockInfo, dat.EncodeLandBlockInfo, func(l *dat.LandBlockInfo) {
		l.PackMask, l.Buckets, l.Restrictions = 1, 8, []dat.Restriction{{Key: 0, Object: 0x7526200C}}
		l.Objects[0].Frame.Rotation = space.Quat{}
		l.Buildings[0].Model = 0x02000A20 // a door, whose only part has polygons
		l.Buildings[0].Portals[0].OtherPortal = 0xFFFF
	})
	changed(t, all, 0xA9B40100, dat.DecodeEnvCell, dat.EncodeEnvCell, func(e *dat.EnvCell) {
		e.Flags, e.Restriction = 8, 0x7526200C
		e.Portals[0].Flags, e.Portals[1].Flags = 3, 4 // by the other cell alone, by the bit alone
	})
	tables := loadLand(t, f)
	b := blockOf(t, tables, 0xA9, 0xB4, records(t, all))
	if !slices.Equal(b.Restrictions, []dat.Restriction{{Key: 0, Object: 0x7526200C}}) || b.Cells[0].Restriction != 0x7526200C || b.Cells[0].SeenOutside {
		t.Errorf("%+v, %+v", b.Restrictions, b.Cells[0])
	}
	if p := b.Portals; !p[0].Outside || p[0].Side || !p[1].Outside || !p[1].Side || p[1].OtherCell != 0xFFFF || p[2].Outside {
		t.Errorf("%+v", p)
	}
	door, _ := tables.Setup(0x02000A20)
	if s := b.Buildings[0]; b.Statics[0].Frame.Rotation != space.IdentityQuat || s.Setup != door || s.Hull != tables.PartHulls(door)[0] || s.Hull < 0 {
		t.Errorf("%+v", s)
	}
	if b.BuildingPortals[0].OtherPortal != -1 {
		t.Errorf("%+v", b.BuildingPortals)
	}
}

// changed decodes a record, changes and encodes it.
func changed[T any](t *testing.T, all map[uint32][]byte, id uint32, decode func([]byte) (*T, error), encode func(*T) ([]byte, error), change func(*T)) {
	t.Helper()
	v, err := decode(all[id])
	must(t, err)
	change(v)
	all[id], err = encode(v)
	must(t, err)
}

// records is a cell file of what in all belongs into one.
func records(t *testing.T, all map[uint32][]byte) dat.Source {
	t.Helper()
	return mustOpen(t, image(t, dat.WriteOptions{DataSet: dat.Cell, Scatter: true}, split(all, dat.Cell)...))
}

// split returns the records of a data set out of a folder that holds both.
func split(all map[uint32][]byte, d dat.DataSet) (s []dat.Record) {
	for id, b := range all {
		if portal := dat.KindOf(dat.Portal, id) != dat.Other; portal == (d == dat.Portal) {
			s = append(s, dat.Record{ID: id, Data: b})
		}
	}
	return s
}

// The land in two containers gives the same tables and blocks as in a folder,
// and neither file is asked for the other's records.
func TestIssue4_LandFromContainers(t *testing.T) {
	f := folder(t, "land")
	all := map[uint32][]byte{}
	for _, id := range f.IDs(0, math.MaxUint32) {
		b, err := f.Read(id)
		must(t, err)
		all[id] = b
	}
	// ids of land that are a model's and a setup's in a portal file
	empty := &dat.LandBlock{ID: 0x0100FFFF}
	b, err := dat.EncodeLandBlock(empty)
	must(t, err)
	land := append(split(all, dat.Cell), dat.Record{ID: 0x0100FFFF, Data: b})
	portal := mustOpen(t, image(t, dat.WriteOptions{}, split(all, dat.Portal)...))
	cell := mustOpen(t, image(t, dat.WriteOptions{DataSet: dat.Cell, Subset: 1}, land...))
	tables := loadLand(t, cell, portal)
	want := loadLand(t, f)
	if tables.Identity != want.Identity {
		t.Error("other tables")
	}
	if load(t, f).Identity == want.Identity {
		t.Error("the shapes do not count for the identity")
	}
	for at := range landHeights {
		got, err := dat.CompileBlock(tables, at[0], at[1], portal, cell)
		must(t, err)
		if !sameBlock(got, blockOf(t, want, at[0], at[1], f)) {
			t.Errorf("%X differs", at)
		}
	}
	if b := blockOf(t, tables, 1, 0, portal, cell); b.Whole != dat.Dry {
		t.Error("block 0100 is not read as land")
	}
	if _, err := dat.LoadLand(folder(t, "tiny")); !errors.Is(err, dat.ErrNotFound) {
		t.Errorf("no region: %v", err)
	}
}
