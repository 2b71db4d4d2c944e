package dat_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"testing"

	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// Decoded structs are larger than their bytes by a constant (an animation frame
// without parts: 4 bytes, 48 in memory); what is allocated stays within it.
const allocatedPerByte = 64

// fuzzRecord is what holds for every record: no panic, an error that is an
// [dat.Error] of that record, bounded memory, and bytes that encode to themselves,
// or to fewer that do, where lengths may be stored in longer forms than they need.
func fuzzRecord[T any](f *testing.F, d dat.DataSet, k dat.Kind, decode func([]byte) (*T, error), encode func(*T) ([]byte, error), records func(*T) dat.Records) {
	fixtureFiles(f, func(_ string, b []byte) {
		if dat.KindOf(d, binary.LittleEndian.Uint32(b)) == k && len(b) < 1<<14 {
			f.Add(b)
		}
	})
	f.Fuzz(func(t *testing.T, b []byte) {
		var v *T
		var err error
		if n := allocatedBytes(func() { v, err = decode(b) }); n > uint64(len(b))*allocatedPerByte+1<<16 {
			t.Fatalf("%d bytes allocated for %d", n, len(b))
		}
		if err != nil {
			var e *dat.Error
			if v != nil || !errors.As(err, &e) || !e.InRecord || e.Offset < 0 || e.Offset > int64(len(b)) || e.Error() == "" {
				t.Fatalf("%#v", err)
			}
			return
		}
		out, err := encode(v)
		if err == nil && len(out) < len(b) && (k == dat.GfxObjKind || k == dat.RegionKind) {
			b = out
			if v, err = decode(b); err == nil {
				out, err = encode(v)
			}
		}
		if err != nil || !bytes.Equal(out, b) {
			t.Fatalf("encodes to other bytes: %v\n% X\n% X", err, b, out)
		}
		if tables, err := dat.Compile(records(v)); err == nil {
			walkTables(t, tables)
		} else if !errors.Is(err, dat.ErrFloat) && !errors.Is(err, dat.ErrGeometry) && !errors.Is(err, dat.ErrTwice) && !errors.Is(err, dat.ErrLimit) {
			t.Fatalf("what decodes does not compile: %v", err)
		}
	})
}

// walkTables goes everywhere that playing can go.
func walkTables(t *testing.T, tables *dat.Tables) {
	for i := range tables.Data {
		for _, c := range tables.ClipsOf(int32(i)) {
			if c.Anim >= 0 && (c.Low > c.High || uint32(c.High) >= tables.Anims[c.Anim].Frames) {
				t.Fatalf("clip %+v", c)
			}
		}
	}
	for i := range tables.Anims {
		for k := range int32(min(tables.Anims[i].Frames, 1000)) {
			for _, h := range tables.HooksOf(int32(i), k) {
				_ = tables.Hook(h).Args()
			}
			_ = tables.PartFrames(int32(i), k)
			if p := tables.PositionFrame(int32(i), k); p != nil && p.Rotation == (space.Quat{}) {
				t.Fatalf("frame %d of animation %d has no rotation", k, i)
			}
		}
	}
	for i := range tables.Motions {
		tables.RunSpeed(int32(i))
		tables.TurnSpeed(int32(i))
		tables.MotionLength(int32(i), nonCombat, walk, handCombat, 1)
		tables.AttackFrames(int32(i), nonCombat, walk)
	}
	for i := range tables.Setups {
		if p, _ := tables.Placement(int32(i), 0x65); p >= 0 {
			_ = tables.PoseParts(int32(i), p)
		}
		for _, p := range tables.SpheresOf(int32(i)) {
			if !(p.Radius > 0) {
				t.Fatalf("sphere %v", p)
			}
		}
		_, _, _ = tables.CylindersOf(int32(i)), tables.PartHulls(int32(i)), tables.PartScales(int32(i))
	}
	walkShapes(t, &tables.Shapes)
}

// walkShapes goes everywhere that a sweep can go.
func walkShapes(t *testing.T, s *dat.Shapes) {
	nodes := 0
	var walk func(i, depth int32)
	walk = func(i, depth int32) {
		if i == dat.None {
			return
		}
		n := &s.Nodes[i]
		if nodes++; depth > dat.MaxTreeDepth || nodes > len(s.Nodes) || !(n.Radius >= 0) {
			t.Fatalf("node %d at depth %d: %+v", i, depth, *n)
		}
		for _, p := range s.Leaves[n.First : n.First+n.Count] {
			_ = s.Polygons[p]
		}
		walk(n.Pos, depth+1)
		walk(n.Neg, depth+1)
	}
	for i := range s.Hulls {
		h := &s.Hulls[i]
		walk(h.Root, 1)
		for _, p := range s.Portals[h.FirstPortal : h.FirstPortal+h.PortalCount] {
			_ = s.Polygons[p]
		}
		_ = s.Polygons[h.FirstPolygon : h.FirstPolygon+h.PolygonCount]
	}
	for i := range s.Hulls { // of containment trees only the planes count
		for k := s.Hulls[i].Cell; k != dat.None; k = s.Nodes[k].Pos {
			_ = s.Nodes[k].Normal
		}
	}
	for i := range s.Polygons {
		p := &s.Polygons[i]
		if l := space.Length(p.Normal); !(l > 0.999 && l < 1.001) || !space.Finite(p.D) || p.Count < 3 {
			t.Fatalf("polygon %d: %+v", i, *p)
		}
		_ = s.Vertices[p.First : p.First+p.Count]
	}
}

func FuzzDecodeMotionTable(f *testing.F) {
	fuzzRecord(f, dat.Portal, dat.MotionTableKind, dat.DecodeMotionTable, dat.EncodeMotionTable, func(m *dat.MotionTable) dat.Records {
		return dat.Records{Motions: []*dat.MotionTable{m}, Anims: []*dat.Animation{still(0x03000001, 3), still(0x03000003, 2), still(0x03000101, 1)}}
	})
}

func FuzzDecodeAnimation(f *testing.F) {
	fuzzRecord(f, dat.Portal, dat.AnimationKind, dat.DecodeAnimation, dat.EncodeAnimation, func(a *dat.Animation) dat.Records {
		return dat.Records{Anims: []*dat.Animation{a}}
	})
}

func FuzzDecodeSetup(f *testing.F) {
	fuzzRecord(f, dat.Portal, dat.SetupKind, dat.DecodeSetup, dat.EncodeSetup, func(s *dat.Setup) dat.Records {
		return dat.Records{Setups: []*dat.Setup{s}}
	})
}

func FuzzDecodeGfxObj(f *testing.F) {
	fuzzRecord(f, dat.Portal, dat.GfxObjKind, dat.DecodeGfxObj, dat.EncodeGfxObj, func(g *dat.GfxObj) dat.Records {
		return dat.Records{GfxObjs: []*dat.GfxObj{g}, Setups: []*dat.Setup{{ID: 0x02000001, Parts: []uint32{g.ID}}}}
	})
}

func FuzzDecodeEnvironment(f *testing.F) {
	fuzzRecord(f, dat.Portal, dat.EnvironmentKind, dat.DecodeEnvironment, dat.EncodeEnvironment, func(e *dat.Environment) dat.Records {
		return dat.Records{Environments: []*dat.Environment{e}}
	})
}

func FuzzDecodeRegion(f *testing.F) {
	fuzzRecord(f, dat.Portal, dat.RegionKind, dat.DecodeRegion, dat.EncodeRegion, func(r *dat.Region) dat.Records {
		return dat.Records{Region: r}
	})
}

func FuzzDecodeLandBlock(f *testing.F) {
	fuzzRecord(f, dat.Cell, dat.LandBlockKind, dat.DecodeLandBlock, dat.EncodeLandBlock, func(*dat.LandBlock) (r dat.Records) { return r })
}

func FuzzDecodeLandBlockInfo(f *testing.F) {
	fuzzRecord(f, dat.Cell, dat.LandBlockInfoKind, dat.DecodeLandBlockInfo, dat.EncodeLandBlockInfo, func(*dat.LandBlockInfo) (r dat.Records) { return r })
}

func FuzzDecodeEnvCell(f *testing.F) {
	fuzzRecord(f, dat.Cell, dat.EnvCellKind, dat.DecodeEnvCell, dat.EncodeEnvCell, func(*dat.EnvCell) (r dat.Records) { return r })
}

// FuzzCompileBlock compiles a landblock out of whatever its three records hold.
func FuzzCompileBlock(f *testing.F) {
	source := folder(f, "land")
	tables := loadLand(f, source)
	f.Add(fixture(f, "land/A9B4FFFF.bin"), fixture(f, "land/A9B4FFFE.bin"), fixture(f, "land/A9B40100.bin"))
	f.Fuzz(func(t *testing.T, land, info, cell []byte) {
		changes := loose{0xA9B4FFFF: land, 0xA9B4FFFE: info, 0xA9B40100: cell}
		b, err := dat.CompileBlock(tables, 0xA9, 0xB4, changes, source)
		if err != nil {
			var e *dat.Error
			if b != nil || !errors.As(err, &e) || e.Record == 0 {
				t.Fatalf("%#v", err)
			}
			return
		}
		for i := range b.Statics {
			if s := &b.Statics[i]; (s.Setup < 0) == (s.Hull < 0) || !s.Frame.Valid() {
				t.Fatalf("static %d: %+v", i, *s)
			}
		}
		for i := range b.Planes {
			if p := &b.Planes[i]; !(p.Normal[2] > 0) || !space.Finite(p.D) {
				t.Fatalf("plane %d: %+v", i, *p)
			}
		}
		for i := range b.Buildings {
			p := &b.Buildings[i]
			for k := range b.BuildingPortals[p.FirstPortal : p.FirstPortal+p.PortalCount] {
				q := &b.BuildingPortals[int(p.FirstPortal)+k]
				_, _ = b.Cells[q.OtherCell-0x100], b.BuildingCells[q.FirstCell:q.FirstCell+q.CellCount]
			}
		}
		for i := range b.Cells {
			c := &b.Cells[i]
			_, _ = b.Statics[c.FirstStatic:c.FirstStatic+c.StaticCount], tables.Shapes.Hulls[c.Hull]
			for _, v := range b.Visible[c.FirstVisible : c.FirstVisible+c.VisibleCount] {
				_ = b.Cells[v-0x100]
			}
			for _, p := range b.Portals[c.FirstPortal : c.FirstPortal+c.PortalCount] {
				if _ = tables.Shapes.Polygons[p.Polygon]; !p.Outside {
					_ = b.Cells[p.OtherCell-0x100]
				}
			}
		}
	})
}

// loose is a source of records that are checked by nobody before they are decoded.
type loose map[uint32][]byte

func (l loose) Name() string { return "loose" }

func (l loose) IDs(first, last uint32) (ids []uint32) { return nil }

func (l loose) Read(id uint32) ([]byte, error) {
	if b, ok := l[id]; ok {
		return b, nil
	}
	return nil, &dat.Error{Record: id, Offset: -1, Kind: dat.ErrNotFound}
}

// FuzzContainer opens, lists, reads and checks whatever it is given.
func FuzzContainer(f *testing.F) {
	for _, o := range []dat.WriteOptions{{}, {DataSet: dat.Cell, FreeBlocks: 2}, {BlockSize: 64, Scatter: true}, {BlockSize: 512, Compress: true}} {
		f.Add(image(f, o, record(0x01000001, 900), record(0x03000101, 20)))
	}
	f.Add(image(f, dat.WriteOptions{BlockSize: 300}, many(70)...))
	f.Add(deep(17))
	f.Fuzz(func(t *testing.T, b []byte) {
		var file *dat.File
		var err error
		if n := allocatedBytes(func() { file, err = open(b) }); n > uint64(len(b))*allocatedPerByte+1<<18 {
			t.Fatalf("%d bytes allocated for %d", n, len(b))
		}
		fine := func(err error) {
			var e *dat.Error
			if !errors.As(err, &e) || e.File != "test.dat" || e.Error() == "" {
				t.Fatalf("%#v", err)
			}
		}
		if err != nil {
			fine(err)
			return
		}
		last := int64(-1)
		for i, id := range file.IDs(0, math.MaxUint32) {
			if int64(id) <= last {
				t.Fatalf("0x%08X after 0x%08X", id, last)
			}
			last = int64(id)
			if e, ok := file.Lookup(id); !ok || e.ID != id {
				t.Fatalf("0x%08X is listed and not found", id)
			}
			if i > 100 {
				continue
			}
			if got, err := file.Read(id); err != nil {
				fine(err)
			} else if id != dat.IterationID && binary.LittleEndian.Uint32(got) != id {
				t.Fatalf("0x%08X reads as another", id)
			}
		}
		if len(file.Entries()) < 100 {
			if err := file.Check(); err != nil {
				fine(err)
			}
		}
	})
}

// FuzzIterations holds the iteration record to encode to its own bytes.
func FuzzIterations(f *testing.F) {
	f.Add(word(nil, 3, 0xFFFFFFFD, 1))
	f.Add(word(nil, 3, 1, 2, 3))
	f.Fuzz(func(t *testing.T, b []byte) {
		it, err := dat.DecodeIterations(b)
		if err != nil {
			return
		}
		if out, err := dat.EncodeIterations(it); err != nil || !bytes.Equal(out, b) {
			t.Fatalf("% X encodes to % X, %v", b, out, err)
		}
	})
}
