package dat_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// The tests in this file hold the reader to known values of the retail files
// (spec 21 §10). They run when their owner names the files.
func retail(t *testing.T, env string) *dat.File {
	t.Helper()
	path := os.Getenv(env)
	if path == "" {
		t.Skip(env + " is not set")
	}
	f, err := dat.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func contains(t *testing.T, f *dat.File, ok bool, ids ...uint32) {
	t.Helper()
	for _, id := range ids {
		if _, found := f.Lookup(id); found != ok {
			t.Errorf("0x%08X: %v", id, found)
		}
	}
}

func TestSpec21_10_Portal(t *testing.T) {
	f := retail(t, "GAIT_PORTAL_DAT")
	if h := f.Header(); h.DataSet != dat.Portal || h.Subset != 0 {
		t.Errorf("%+v", h)
	}
	contains(t, f, true, 0x010022A8, 0x06004A07, 0x08001947, 0x0A0005AC, 0x33000421, 0x0300055B, 0x13000000)
	contains(t, f, false, 0x06001C4C, 0x04001737, 0x0A000999)
	counts := map[dat.Kind]int{}
	for _, e := range f.Entries() {
		counts[dat.KindOf(dat.Portal, e.ID)]++
	}
	t.Logf("%s: %v (2013: 79,694 entries, 15,318 GfxObj, 5,935 Setup, 2,066 Animation, 436 MotionTable, 772 Environment)", f, counts)
	if counts[dat.RegionKind] != 1 || len(f.IDs(0x05000000, 0x05FFFFFF)) != 7221 {
		t.Errorf("%d regions, %d textures", counts[dat.RegionKind], len(f.IDs(0x05000000, 0x05FFFFFF)))
	}
}

// Every record of the kinds that are known is consumed to its last byte and encodes to itself.
func TestSpec21_10_PortalRecordsEncodeToTheirBytes(t *testing.T) {
	f := retail(t, "GAIT_PORTAL_DAT")
	for _, r := range [][2]uint32{{dat.GfxObjFirst, dat.GfxObjLast}, {dat.EnvironmentFirst, dat.EnvironmentLast}, {dat.RegionID, dat.RegionID},
		{dat.SetupFirst, dat.SetupLast}, {dat.AnimationFirst, dat.AnimationLast}, {dat.MotionTableFirst, dat.MotionTableLast}} {
		for _, id := range f.IDs(r[0], r[1]) {
			b, err := f.Read(id)
			if err != nil {
				t.Error(err)
				continue
			}
			if _, out, err := reencode(b); err != nil || string(out) != string(b) {
				t.Errorf("0x%08X: %v", id, err)
			}
		}
	}
}

func read[T any](t *testing.T, f *dat.File, id uint32, decode func([]byte) (*T, error)) *T {
	t.Helper()
	b, err := f.Read(id)
	must(t, err)
	v, err := decode(b)
	must(t, err)
	return v
}

func TestSpec21_10_PortalRecords(t *testing.T) {
	f := retail(t, "GAIT_PORTAL_DAT")
	if m := read(t, f, 0x09000202, dat.DecodeMotionTable); m.DefaultStyle != nonCombat || len(m.StyleDefaults) != 1 || m.StyleDefaults[0].Motion != 0x4000000C {
		t.Errorf("0x09000202: %+v", m.StyleDefaults)
	}
	a := read(t, f, 0x03000514, dat.DecodeAnimation)
	if a.Parts != 17 || len(a.Frames) != 44 || len(a.Frames[0].Hooks) != 1 || a.Frames[0].Hooks[0].Type != 2 || a.Frames[0].Hooks[0].Direction != 1 {
		t.Errorf("0x03000514: %d parts, %d frames, %+v", a.Parts, len(a.Frames), a.Frames[0].Hooks)
	}
	near := func(name string, got, want float32) {
		if math.Abs(float64(got-want)) > 1e-4 {
			t.Errorf("%s %v, want %v", name, got, want)
		}
	}
	s := read(t, f, 0x02000108, dat.DecodeSetup)
	if s.Flags != 8 || len(s.Parts) != 1 || s.Parts[0] != 0x010008AB || len(s.Placements) != 1 || s.Placements[0].Key != 0 ||
		s.Placements[0].Parts[0] != space.Identity || len(s.Cylinders) != 0 || len(s.Spheres) != 1 {
		t.Errorf("0x02000108: %+v", s)
	}
	near("height", s.Height, 0.878)
	near("radius", s.Radius, 0.5269661)
	near("step up", s.StepUp, 0.3612)
	near("step down", s.StepDown, 0.3612)
	near("sorting", s.Sorting.Radius, 0.520641)
	near("selection", s.Selection.Radius, 0.5269661)
	if s := read(t, f, 0x02000172, dat.DecodeSetup); s.Flags != 5 || s.Parents[0] != 0xFFFFFFFF || s.Parts[0] != 0x01000657 {
		t.Errorf("0x02000172: %+v", s)
	}
	s = read(t, f, 0x02000229, dat.DecodeSetup)
	if len(s.Lights) != 1 || s.Lights[0].Cone != -431602080 || s.Lights[0].Colour != 0xFFFAC800 || s.Lights[0].Intensity != 100 || s.Lights[0].Falloff != 5 {
		t.Errorf("0x02000229: %+v", s.Lights)
	}
	near("light w", s.Lights[0].Frame.Rotation.W, 0.88112)
	s = read(t, f, 0x02000240, dat.DecodeSetup)
	if s.Flags != 7 || len(s.Parts) != 5 || s.Parts[4] != 0x0100376D {
		t.Errorf("0x02000240: %+v", s)
	}
	near("scale 0", s.Scales[0][0], 0.532)
	near("scale 4", s.Scales[4][2], 0.795999)
	s = read(t, f, 0x0200185A, dat.DecodeSetup)
	if s.Flags != 5 || len(s.Holding) != 9 {
		t.Errorf("0x0200185A: %+v", s.Holding)
	}
}

func TestSpec21_10_Cell(t *testing.T) {
	f := retail(t, "GAIT_CELL_DAT")
	if h := f.Header(); h.DataSet != dat.Cell {
		t.Errorf("%+v", h)
	}
	contains(t, f, true, 0x040FFFFF, 0xFEFBFFFF, 0x0001FFFE, 0x9682FFFE, 0x00010100, 0x5644012B)
	contains(t, f, false, 0xFFFFFFFF, 0xFCFCFFFE, 0x00010088)
	counts := map[dat.Kind]int{}
	for _, e := range f.Entries() {
		counts[dat.KindOf(dat.Cell, e.ID)]++
	}
	t.Logf("%s: %v (2013: 805,348 entries, 65,025 LandBlock, 5,346 LandBlockInfo, 734,976 EnvCell)", f, counts)
	if counts[dat.LandBlockKind] != 65025 || counts[dat.IterationKind] != 1 {
		t.Errorf("%v", counts)
	}
}

// Models, environments and the region.
func TestSpec21_10_Geometry(t *testing.T) {
	f := retail(t, "GAIT_PORTAL_DAT")
	near := func(name string, got space.Vec3, want ...float32) {
		t.Helper()
		for i := range want {
			if space.Abs(got[i]-want[i]) > 1e-5 {
				t.Errorf("%s %v, want %v", name, got, want)
			}
		}
	}
	g := read(t, f, 0x010005E8, dat.DecodeGfxObj)
	v := g.Vertices.Vertices
	if g.Flags != 2 || !slices.Equal(g.Surfaces, []uint32{0x080001B8}) || len(v) != 4 || len(g.Polygons) != 1 || g.DrawingTree.Tag != "BPOL" ||
		!slices.Equal(g.DrawingTree.Polygons, []uint16{0}) || v[0].UVs[0] != [2]float32{1, 1} || v[3].UVs[0] != [2]float32{0, 1} {
		t.Errorf("0x010005E8: %+v", g)
	}
	near("first vertex", v[0].Origin, 0.05, 0, -0.0759375)
	near("its normal", v[0].Normal, 0, -1, 0)
	near("last vertex", v[3].Origin, -0.05, 0, -0.0759375)
	near("sort centre", g.SortCentre, 0.024821, 0, 0.0127083)
	near("radius", space.Vec3{g.DrawingTree.Sphere.Radius}, 0.126001)

	e := read(t, f, 0x0D00062E, dat.DecodeEnvironment)
	c := e.Cells[0]
	if len(e.Cells) != 1 || len(c.Vertices.Vertices) != 8 || len(c.Polygons) != 6 || len(c.Physics) != 6 {
		t.Fatalf("0x0D00062E: %+v", e)
	}
	near("vertex 0", c.Vertices.Vertices[0].Origin, 4, -0.6, 1.8)
	for _, p := range c.Polygons {
		if p.Stippling != 4 || p.Sides != 0 {
			t.Errorf("polygon %+v", p)
		}
	}
	if !slices.Equal(c.Polygons[0].Vertices, []uint16{0, 1, 2, 3}) || !slices.Equal(c.Polygons[5].Vertices, []uint16{7, 6, 5, 4}) ||
		!slices.Equal(c.Physics[0].Vertices, []uint16{3, 2, 1, 0}) || !slices.Equal(c.Physics[5].Vertices, []uint16{3, 0, 5, 4}) {
		t.Errorf("polygons %+v, %+v", c.Polygons, c.Physics)
	}
	if c.CellTree.Tag != "BPnn" || c.PhysicsTree.Tag != "BPnN" || c.PhysicsTree.Pos.Tag != "LEAF" {
		t.Errorf("trees %+v, %+v", c.CellTree, c.PhysicsTree)
	}
	near("cell plane", space.Vec3{c.CellTree.Plane.D, c.PhysicsTree.Plane.D}, -1.8, 1.8)

	r := read(t, f, dat.RegionID, dat.DecodeRegion)
	if r.Number != 1 || r.Name != "Dereth" {
		t.Errorf("region %d %q", r.Number, r.Name)
	}
	for i, h := range r.Heights[:201] {
		if h != float32(2*i) {
			t.Errorf("height %d is %v", i, h)
		}
	}
}

func TestSpec21_10_CellRecords(t *testing.T) {
	f := retail(t, "GAIT_CELL_DAT")
	if e, ok := f.Lookup(0xFB21FFFF); !ok || e.First != 0x0F18E000 || e.Size != 252 {
		t.Logf("0xFB21FFFF: %+v (2013: at 0x0F18E000)", e)
	}
	c := read(t, f, 0x00020102, dat.DecodeEnvCell)
	if c.Environment != 0x2E6 || c.Structure != 2 || c.Frame.Origin != (space.Vec3{0, -40, -12}) ||
		space.Abs(c.Frame.Rotation.W+0.707107) > 1e-6 || space.Abs(c.Frame.Rotation.V[2]+0.707107) > 1e-6 ||
		!slices.Equal(c.Portals, []dat.CellPortalRecord{{2, 3, 0x104, 3}, {3, 4, 0x101, 1}, {1, 5, 0x103, 2}}) {
		t.Errorf("0x00020102: %+v", c)
	}
	c = read(t, f, 0x7D64010D, dat.DecodeEnvCell)
	if c.Flags != 3 || len(c.Surfaces) != 16 || c.Surfaces[0] != 0x372 || c.Surfaces[15] != 0x71B || c.Environment != 0x3B2 || c.Structure != 13 ||
		c.Frame.Origin != (space.Vec3{85.5, 109.5, 12}) || len(c.Portals) != 2 || len(c.Visible) != 13 || len(c.Objects) != 4 ||
		c.Objects[0].Model != 0x0200033F || c.Objects[0].Frame.Origin != (space.Vec3{77, 118, 12}) ||
		c.Objects[3].Model != 0x02000372 || c.Objects[3].Frame.Origin != (space.Vec3{80.675, 114.325, 14.375}) {
		t.Errorf("0x7D64010D: %+v", c)
	}
	for i, v := range c.Visible {
		if v != 0x100+uint16(i) {
			t.Errorf("0x7D64010D sees %X", c.Visible)
		}
	}
	l := read(t, f, 0x9AB1FFFF, dat.DecodeLandBlock)
	if l.HasObjects != 0 || l.Terrain[0]&3 != 0 || l.Terrain[0]>>11 != 9 || l.Terrain[1]&3 != 0 || l.Terrain[1]>>11 != 13 || l.Terrain[80]>>11 != 11 ||
		l.Terrain[0]>>2&31 != l.Terrain[80]>>2&31 || l.Heights[0] != 120 || l.Heights[1] != 139 || l.Heights[40] != 93 || l.Heights[79] != 93 || l.Heights[80] != 110 {
		t.Errorf("0x9AB1FFFF: %+v", l)
	}
	i := read(t, f, 0x1455FFFE, dat.DecodeLandBlockInfo)
	b := i.Buildings[0]
	if i.Cells != 5 || len(i.Buildings) != 1 || b.Model != 0x010011A9 || b.Leaves != 127 || len(b.Portals) != 1 || len(i.Restrictions) != 0 ||
		b.Portals[0].Flags != 3 || b.Portals[0].OtherCell != 260 || b.Portals[0].OtherPortal != 1 ||
		!slices.Equal(b.Portals[0].Cells, []uint16{256, 257, 258, 259, 260}) {
		t.Errorf("0x1455FFFE: %+v", i)
	}
	i = read(t, f, 0x5262FFFE, dat.DecodeLandBlockInfo)
	if i.Cells != 74 || len(i.Objects) != 0 || len(i.Buildings) != 0 || !slices.Equal(i.Restrictions, []dat.Restriction{{Key: 0, Object: 0x7526200C}}) {
		t.Errorf("0x5262FFFE: %+v", i)
	}
}

// Every record of the cell file encodes to itself, and every landblock compiles.
func TestSpec21_10_CellRecordsEncodeToTheirBytes(t *testing.T) {
	f := retail(t, "GAIT_CELL_DAT")
	for _, e := range f.Entries() {
		if e.ID == dat.IterationID {
			continue
		}
		b, err := f.Read(e.ID)
		if err != nil {
			t.Error(err)
			continue
		}
		var out []byte
		switch dat.KindOf(dat.Cell, e.ID) {
		case dat.LandBlockKind:
			_, out, err = both(b, dat.DecodeLandBlock, dat.EncodeLandBlock)
		case dat.LandBlockInfoKind:
			_, out, err = both(b, dat.DecodeLandBlockInfo, dat.EncodeLandBlockInfo)
		case dat.EnvCellKind:
			_, out, err = both(b, dat.DecodeEnvCell, dat.EncodeEnvCell)
		}
		if err != nil || string(out) != string(b) {
			t.Errorf("0x%08X: %v", e.ID, err)
		}
	}
	portal := retail(t, "GAIT_PORTAL_DAT")
	tables := loadLand(t, portal)
	for x := range 255 {
		for y := range 255 {
			if _, err := dat.CompileBlock(tables, uint8(x), uint8(y), f); err != nil {
				t.Error(err)
			}
		}
	}
}

// Measured values of the shipped portal file.
func TestSpec21_10_AnimationVectors(t *testing.T) {
	f := retail(t, "GAIT_PORTAL_DAT")
	shared, ok := sharedFolder()
	if !ok {
		t.Skip("no shared folder")
	}
	b, err := os.ReadFile(filepath.Join(shared, "vectors", "anim.json"))
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("no vectors")
	}
	must(t, err)
	var v struct {
		Speeds  map[string]struct{ Run, Turn float32 }
		Lengths map[string]map[string]map[string]float32      `json:"animation_length"`
		Cycles  map[string]map[string]map[string]any          `json:"cycle_length"`
		Attacks map[string]map[string]map[string][][2]float64 `json:"attack_frames"`
		Physics []struct {
			Table    string `json:"motion_table"`
			Style    string
			Motion   string
			Velocity space.Vec3
		} `json:"cycle_physics"`
		Root []struct {
			Table      string `json:"motion_table"`
			Motion     string
			Scale      float32
			Start, End struct {
				Origin   space.Vec3
				Rotation [4]float32
			}
		} `json:"root_motion"`
	}
	must(t, json.Unmarshal(b, &v))
	tables := load(t, f)
	hex := func(s string) uint32 { n, err := strconv.ParseUint(s, 0, 32); must(t, err); return uint32(n) }
	table := func(s string) int32 {
		i, ok := tables.MotionTable(hex(s))
		if !ok {
			t.Fatalf("no table %s", s)
		}
		return i
	}
	same := func(name string, got, want float32) {
		t.Helper()
		if got != want && !(got != got && want != want) && !(math.Abs(float64(got-want)) <= 1e-6*math.Abs(float64(want))) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	for id, s := range v.Speeds {
		same(id+" run", tables.RunSpeed(table(id)), s.Run)
		same(id+" turn", tables.TurnSpeed(table(id)), s.Turn)
	}
	for id, styles := range v.Lengths {
		for style, motions := range styles {
			for motion, want := range motions {
				same(id+" "+style+" "+motion, tables.AnimationLength(table(id), hex(style), 0, hex(motion), 1), want)
			}
		}
	}
	for id, styles := range v.Cycles {
		for style, motions := range styles {
			for motion, want := range motions {
				w, err := strconv.ParseFloat(fmt.Sprint(want), 64)
				must(t, err)
				same(id+" cycle "+style+" "+motion, tables.CycleLength(table(id), hex(style), hex(motion), 1), float32(w))
			}
		}
	}
	for id, styles := range v.Attacks {
		for style, motions := range styles {
			for motion, want := range motions {
				got := tables.AttackFrames(table(id), hex(style), hex(motion))
				if len(got) != len(want) {
					t.Errorf("%s %s %s: %v, want %v", id, style, motion, got, want)
					continue
				}
				for i := range got {
					same(id+" attack "+motion, got[i].At, float32(want[i][0]))
					if got[i].Part != uint32(want[i][1]) {
						t.Errorf("%s %s: part %d", id, motion, got[i].Part)
					}
				}
			}
		}
	}
	for _, p := range v.Physics {
		i := tables.Cycle(table(p.Table), dat.Key(hex(p.Style), hex(p.Motion)))
		if i < 0 || tables.Data[i].Velocity != p.Velocity {
			t.Errorf("%+v: %d", p, i)
		}
	}
	for _, r := range v.Root {
		i := table(r.Table)
		link := tables.ServerLink(i, tables.Motions[i].DefaultStyle, 0, hex(r.Motion))
		q := r.Start.Rotation
		end := tables.RootMotion(link, space.Frame{Origin: r.Start.Origin, Rotation: space.Quat{W: q[0], V: space.Vec3{q[1], q[2], q[3]}}}, r.Scale)
		if space.Length(space.Sub(end.Origin, r.End.Origin)) > 0.01 {
			t.Errorf("%s leads to %v, want %v", r.Motion, end.Origin, r.End.Origin)
		}
	}
}
