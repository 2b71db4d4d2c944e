package dat_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// leaf is a tree of one leaf, as its bytes: "FAEL".
var leaf = []byte("FAEL")

// A count is checked before anything is allocated, in every list of geometry and land.
func TestSpec21_11_HugeCountsOfLand(t *testing.T) {
	zeros := func(b []byte, n int) []byte { return append(b, make([]byte, n)...) }
	flagged := word(word(nil, 0x01000001, 1)[:8:8]) // physics
	flagged = append(flagged, 0)                    // no surfaces
	flagged = word(flagged, 1, 0)                   // no vertices
	drawn := append(word(nil, 0x01000001, 2), 0)
	drawn = zeros(word(drawn, 1, 0), 12)
	vertex := word(append(word(nil, 0x01000001, 0), 0), 1, 1)
	cell := func(surfaces, portals byte, visible uint16) []byte {
		b := append(word(nil, 0x00010100, 2, 0x00010100), surfaces, portals)
		return zeros(binary.LittleEndian.AppendUint16(b, visible), 4+28)
	}
	info := word(nil, 0x0001FFFE, 0)
	for name, b := range map[string][]byte{
		"surfaces":           append(word(nil, 0x01000001, 0), 0xFF, 0xFF, 0xFF, 0xFF),
		"vertices":           word(append(word(nil, 0x01000001, 0), 0), 1, 0xFFFFFFFF),
		"uvs":                zeros(append(vertex, 0, 0, 0xFF, 0xFF), 24),
		"physics polygons":   append(bytes.Clone(flagged), 0xFF, 0xFF, 0xFF, 0xFF),
		"corners":            append(bytes.Clone(flagged), 1, 0, 0, 255, 4, 0, 0, 0, 0, 0, 0, 0, 0),
		"leaf polygons":      word(zeros(append(append(bytes.Clone(flagged), 0), leaf...), 24), 0x7FFFFFFF),
		"drawing polygons":   append(bytes.Clone(drawn), 0xFF, 0xFF, 0xFF, 0xFF),
		"node polygons":      word(zeros(append(append(bytes.Clone(drawn), 0), "LOPB"...), 32), 0xFFFFFFFF),
		"structures":         word(nil, 0x0D000001, 0xFFFFFFFF),
		"structure polygons": zeros(word(nil, 0x0D000001, 1, 0, 0xFFFFFFFF, 0, 0, 1, 0), 60),
		"structure physics":  append(append(word(nil, 0x0D000001, 1, 0, 0, 0x10000000, 0, 1, 0), leaf...), make([]byte, 60)...),
		"structure portals":  zeros(word(nil, 0x0D000001, 1, 0, 0, 0, 0xFFFFFFFF, 1, 0), 60),
		"objects":            word(bytes.Clone(info), 0x10000000),
		"buildings":          append(word(bytes.Clone(info), 0), 0xFF, 0xFF, 0, 0),
		"building portals":   word(zeros(append(word(bytes.Clone(info), 0), 1, 0, 0, 0), 36), 0x20000000),
		"building cells":     append(zeros(word(zeros(append(word(bytes.Clone(info), 0), 1, 0, 0, 0), 36), 1), 6), 0xFF, 0xFF),
		"restrictions":       append(word(bytes.Clone(info), 0), 0, 0, 1, 0, 0xFF, 0xFF, 0, 0),
		"cell surfaces":      cell(255, 0, 0),
		"cell portals":       cell(0, 255, 0),
		"cell visible":       cell(0, 0, 0xFFFF),
		"cell objects":       word(cell(0, 0, 0), 0x10000000),
		"name":               append(word(nil, 0x13000000, 1, 3), 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F),
	} {
		t.Run(name, func(t *testing.T) {
			var err error
			allocated := allocatedBytes(func() { _, _, err = reencode(b) })
			if !errors.Is(err, dat.ErrTruncated) {
				t.Error(err)
			}
			if allocated > 1<<14 {
				t.Errorf("%d bytes allocated for %d", allocated, len(b))
			}
		})
	}
}

// A tree is as deep as it may be, and no deeper.
func TestSpec21_7_TreeDepth(t *testing.T) {
	deep := func(n int) []byte {
		b := append(append(word(nil, 0x01000001, 1), 0), word(nil, 1, 0)...)
		b = append(b, 0)
		for range n - 1 {
			b = append(append(b, "nnPB"...), make([]byte, 16)...)
		}
		b = append(append(b, leaf...), make([]byte, 28)...)
		return append(b, make([]byte, 16*(n-1)+12)...)
	}
	g, err := dat.DecodeGfxObj(deep(dat.MaxTreeDepth))
	must(t, err)
	if out, err := dat.EncodeGfxObj(g); err != nil || !bytes.Equal(out, deep(dat.MaxTreeDepth)) {
		t.Errorf("encodes to other bytes, %v", err)
	}
	if _, err := dat.DecodeGfxObj(deep(dat.MaxTreeDepth + 1)); !errors.Is(err, dat.ErrGeometry) || !strings.Contains(err.Error(), "deeper than 512") {
		t.Errorf("one node more: %v", err)
	}
	if _, err := dat.DecodeGfxObj(deep(1 << 20)); !errors.Is(err, dat.ErrGeometry) {
		t.Errorf("a million nodes: %v", err)
	}
}

// What a polygon, a tree or a list of portals names must be there.
func TestSpec21_7_NamesAreChecked(t *testing.T) {
	g := slab()
	good, err := dat.EncodeGfxObj(g)
	must(t, err)
	vertex := bytes.Index(good, []byte{0, 0, 1, 0, 2, 0, 3, 0}) // the corners
	leaf := bytes.LastIndex(good, []byte{1, 0, 0, 0, 0, 0})     // one polygon, number 0
	for name, c := range map[string]struct {
		at     int
		reason string
	}{"vertex": {vertex + 6, "polygon 0: there is no vertex 9"}, "polygon": {leaf + 4, "LEAF of the tree: there is no polygon 9"}} {
		b := bytes.Clone(good)
		b[c.at] = 9
		if _, err := dat.DecodeGfxObj(b); !errors.Is(err, dat.ErrGeometry) || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%s: %v", name, err)
		}
	}
	b := bytes.Clone(good)
	b[9+8+28] = 0 // the second vertex has the first one's id
	if _, err := dat.DecodeGfxObj(b); !errors.Is(err, dat.ErrGeometry) || !strings.Contains(err.Error(), "the id 0 is there twice") {
		t.Errorf("%v", err)
	}
	e := room()
	e.Cells[0].Portals[0] = 3
	if _, err := dat.EncodeEnvironment(e); !errors.Is(err, dat.ErrGeometry) {
		t.Errorf("encoding a portal that is no polygon: %v", err)
	}
}

func TestEncodeRefusesLandThatDoesNotFit(t *testing.T) {
	check := func(name string, kind, err error) {
		t.Helper()
		if !errors.Is(err, kind) {
			t.Errorf("%s: %v", name, err)
		}
	}
	model := func(change func(*dat.GfxObj)) error {
		g := slab()
		change(g)
		_, err := dat.EncodeGfxObj(g)
		return err
	}
	check("physics without its bit", dat.ErrShape, model(func(g *dat.GfxObj) { g.Flags = 0 }))
	check("the bit without a tree", dat.ErrGeometry, model(func(g *dat.GfxObj) { g.PhysicsTree = nil }))
	check("drawing without its bit", dat.ErrShape, model(func(g *dat.GfxObj) { g.DrawingTree = &dat.BSPNode{Tag: "LEAF"} }))
	check("degrade without its bit", dat.ErrShape, model(func(g *dat.GfxObj) { g.Degrade = 1 }))
	check("texture coordinates", dat.ErrShape, model(func(g *dat.GfxObj) { g.Physics[0].PosUVs = []uint8{1} }))
	check("256 corners", dat.ErrLimit, model(func(g *dat.GfxObj) { g.Physics[0].Vertices = make([]uint16, 256) }))
	check("a cycle", dat.ErrGeometry, model(func(g *dat.GfxObj) { g.PhysicsTree.Neg = g.PhysicsTree }))
	check("a node's field", dat.ErrGeometry, model(func(g *dat.GfxObj) { g.PhysicsTree.Index = 1 }))
	check("an infinite corner", dat.ErrFloat, model(func(g *dat.GfxObj) { g.Vertices.Vertices[0].Origin[0] /= g.Vertices.Vertices[0].Origin[0] }))
	e := room()
	e.Cells[0].DrawingTree = &dat.BSPNode{Tag: "LEAF"}
	_, err := dat.EncodeEnvironment(e)
	check("a drawing tree that is not announced", dat.ErrShape, err)
	e = room()
	e.Cells[0].PortalPad = dat.Pad{0, 0, 1}
	_, err = dat.EncodeEnvironment(e)
	check("more padding than there is room for", dat.ErrShape, err)
	_, err = dat.EncodeEnvCell(&dat.EnvCell{ID: 0x00010100, Objects: make([]dat.ObjectRecord, 1)})
	check("objects without their bit", dat.ErrShape, err)
	_, err = dat.EncodeEnvCell(&dat.EnvCell{ID: 0x00010100, Restriction: 1})
	check("a restriction without its bit", dat.ErrShape, err)
	_, err = dat.EncodeEnvCell(&dat.EnvCell{ID: 0x00010100, Surfaces: make([]uint16, 256)})
	check("256 surfaces", dat.ErrLimit, err)
	_, err = dat.EncodeEnvCell(&dat.EnvCell{ID: 0x00010001})
	check("an outdoor cell", dat.ErrID, err)
	_, err = dat.EncodeLandBlockInfo(&dat.LandBlockInfo{ID: 0x0001FFFE, Restrictions: make([]dat.Restriction, 1)})
	check("restrictions without their bit", dat.ErrShape, err)
	_, err = dat.EncodeLandBlock(&dat.LandBlock{ID: 0x0001FFFE})
	check("a landblock with an info's id", dat.ErrID, err)
	_, err = dat.EncodeRegion(&dat.Region{ID: 0x13000001})
	check("a second region", dat.ErrID, err)
}

// The second id of an indoor cell is the first again.
func TestSpec21_8_3_IDAgain(t *testing.T) {
	b := fixture(t, "land/A9B40100.bin")
	b = bytes.Clone(b)
	b[8]++
	var e *dat.Error
	if _, err := dat.DecodeEnvCell(b); !errors.Is(err, dat.ErrID) || !errors.As(err, &e) || e.Offset != 8 {
		t.Errorf("%v", err)
	}
}

// Lengths in every form, by hand: all are read, the shortest is written.
func TestSpec21_1_CompressedCounts(t *testing.T) {
	model := func(count ...byte) []byte { return append(word(nil, 0x01000001, 0), count...) }
	for _, c := range []struct {
		count []byte
		n     int
	}{{[]byte{0x7F}, 0x7F}, {[]byte{0x80, 0x80}, 0x80}, {[]byte{0xBF, 0xFF}, 0x3FFF}, {[]byte{0xC0, 0x00, 0x00, 0x40}, 0x4000}, {[]byte{0xC0, 0x01, 0x34, 0x12}, 0x11234}} {
		b := append(model(c.count...), make([]byte, 4*c.n)...)
		b = append(word(b, 1, 0), make([]byte, 12)...)
		g, err := dat.DecodeGfxObj(b)
		if err != nil || len(g.Surfaces) != c.n {
			t.Errorf("% X: %v", c.count, err)
			continue
		}
		if out, err := dat.EncodeGfxObj(g); err != nil || !bytes.Equal(out, b) {
			t.Errorf("% X encodes to other bytes, %v", c.count, err)
		}
	}
	rest := append(word(word(nil, 0x08000001), 1, 0), make([]byte, 12)...)
	for _, count := range [][]byte{{0x80, 1}, {0xC0, 0, 1, 0}} {
		g, err := dat.DecodeGfxObj(append(model(count...), rest...))
		if err != nil || len(g.Surfaces) != 1 || g.Surfaces[0] != 0x08000001 {
			t.Errorf("% X: %+v, %v", count, g, err)
			continue
		}
		if out, err := dat.EncodeGfxObj(g); err != nil || !bytes.Equal(out, append(model(1), rest...)) {
			t.Errorf("% X encodes to % X, %v", count, out, err)
		}
	}
}

// The same of a string: 0xFFFF, then its length as a dword (spec 21 §1).
func TestSpec21_1_StringLengths(t *testing.T) {
	b := fixture(t, "land/13000000.bin")
	n := len("Test land")
	long := append(bytes.Clone(b[:12]), 0xFF, 0xFF, byte(n), 0, 0, 0)
	long = append(long, b[14:]...) // the padding is the same
	r, err := dat.DecodeRegion(long)
	must(t, err)
	out, err := dat.EncodeRegion(r)
	if must(t, err); r.Name != "Test land" || r.Heights[50] != 100 || !bytes.Equal(out, b) {
		t.Errorf("%q, heights to %v, encoded to %d bytes of %d", r.Name, r.Heights[255], len(out), len(b))
	}
	r.Name = strings.Repeat("n", 0xFFFF) // the first that needs the long form
	r.NamePad = dat.Pad{}
	out, err = dat.EncodeRegion(r)
	must(t, err)
	if again, err := dat.DecodeRegion(out); err != nil || again.Name != r.Name || out[16] != 0 {
		t.Errorf("% X: %v", out[:20], err)
	}
}

// The region may be read no further than its heights; what is behind them is kept.
func TestSpec21_8_4_Region(t *testing.T) {
	r, err := dat.DecodeRegion(fixture(t, "land/13000000.bin"))
	must(t, err)
	want := dat.Region{ID: dat.RegionID, Number: 1, Version: 3, Name: "Test land", BlockLength: 255, BlockWidth: 255, Square: 24,
		SquaresPerBlock: 8, VerticesPerCell: 1, MaxObjectHeight: 200, SkyHeight: 1000, RoadWidth: 5}
	if len(r.Rest) < 100 || r.Heights[50] != 100 || r.Heights[255] != 675 {
		t.Errorf("%d bytes behind heights to %v", len(r.Rest), r.Heights[255])
	}
	got := *r
	got.Rest, got.Heights = nil, [256]float32{}
	if got.Name != want.Name || got.Square != want.Square || got.RoadWidth != want.RoadWidth || got.BlockWidth != want.BlockWidth || got.Version != 3 {
		t.Errorf("%+v", got)
	}
	b := fixture(t, "land/13000000.bin")
	if _, err := dat.DecodeRegion(b[:1000]); !errors.Is(err, dat.ErrTruncated) {
		t.Errorf("cut in its heights: %v", err)
	}
}

// Every dword of a record of geometry or land, changed to NaN, is refused or kept as it is.
func TestSpec21_11_NonFiniteLand(t *testing.T) {
	for name, least := range map[string]int{"land/01000A10.bin": 100, "land/0D000A01.bin": 300, "land/A9B4FFFE.bin": 200, "land/A9B40101.bin": 10, "land/13000000.bin": 250} {
		b := fixture(t, name)
		refused := 0
		for at := 4; at+4 <= len(b); at++ {
			c := bytes.Clone(b)
			binary.LittleEndian.PutUint32(c[at:], 0x7FC00001)
			_, out, err := reencode(c)
			switch {
			case errors.Is(err, dat.ErrFloat):
				refused++
			case err == nil && !bytes.Equal(out, c):
				t.Errorf("%s: byte 0x%X changed in decoding and encoding", name, at)
			}
		}
		if refused < least {
			t.Errorf("%s: %d floats refused", name, refused)
		}
	}
}

// A landblock's own heights and terrain, by hand: index x·9 + y.
func TestSpec21_8_1_Order(t *testing.T) {
	b := word(nil, 0x1234FFFF, 7)
	for i := range uint16(81) {
		b = binary.LittleEndian.AppendUint16(b, i<<2)
	}
	for i := range byte(81) {
		b = append(b, i)
	}
	l, err := dat.DecodeLandBlock(append(b, 0xCD))
	must(t, err)
	if l.HasObjects != 7 || l.Terrain[3*9+5] != 32<<2 || l.Heights[3*9+5] != 32 || l.Pad != 0xCD {
		t.Errorf("%+v", l)
	}
	r := &dat.Region{ID: dat.RegionID}
	for i := range r.Heights {
		r.Heights[i] = float32(2 * i)
	}
	tables := compile(t, dat.Records{Region: r})
	l.HasObjects = 0
	enc, err := dat.EncodeLandBlock(l)
	must(t, err)
	block := blockOf(t, tables, 0x12, 0x34, mustOpen(t, image(t, dat.WriteOptions{DataSet: dat.Cell}, dat.Record{ID: l.ID, Data: enc})))
	if block.Vertex(3, 5) != (space.Vec3{72, 120, 64}) || block.Terrain[32] != 32<<2 || block.X != 0x12 || block.Y != 0x34 {
		t.Errorf("%v", block.Vertex(3, 5))
	}
}
