package dat_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/gait-engine/gait/dat"
	"pgregory.net/rapid"
)

var (
	anyShort = rapid.Uint16()
	anyPlane = rapid.Custom(func(t *rapid.T) dat.Plane {
		return dat.Plane{Normal: anyVec.Draw(t, "normal"), D: anyFloat.Draw(t, "d")}
	})
	anySphere = rapid.Custom(func(t *rapid.T) dat.Sphere {
		return dat.Sphere{Centre: anyVec.Draw(t, "centre"), Radius: anyFloat.Draw(t, "radius")}
	})
	anyObject = rapid.Custom(func(t *rapid.T) dat.ObjectRecord {
		return dat.ObjectRecord{Model: rapid.Uint32().Draw(t, "model"), Frame: anyFrame.Draw(t, "frame")}
	})
)

func anyVertices(t *rapid.T) dat.VertexArray {
	ids := rapid.SliceOfNDistinct(anyShort, 1, 6, rapid.ID[uint16]).Draw(t, "vertex ids")
	if rapid.Bool().Draw(t, "in order") {
		for i := range ids {
			ids[i] = uint16(i)
		}
	}
	v := dat.VertexArray{Type: rapid.Uint32().Draw(t, "type")}
	for _, id := range ids {
		uv := rapid.Custom(func(t *rapid.T) [2]float32 { return [2]float32{anyFloat.Draw(t, "u"), anyFloat.Draw(t, "v")} })
		v.Vertices = append(v.Vertices, dat.Vertex{ID: id, Origin: anyVec.Draw(t, "origin"), Normal: anyVec.Draw(t, "normal"), UVs: some(t, uv, 0, 2, "uvs")})
	}
	return v
}

func anyPolygons(t *rapid.T, v dat.VertexArray, least int) (s []dat.PolygonRecord) {
	for _, id := range rapid.SliceOfNDistinct(anyShort, least, 4, rapid.ID[uint16]).Draw(t, "polygon ids") {
		n := rapid.IntRange(0, 5).Draw(t, "corners")
		p := dat.PolygonRecord{ID: id, Stippling: rapid.Byte().Draw(t, "stippling"), Sides: rapid.OneOf(rapid.Int32Range(0, 3), rapid.Int32()).Draw(t, "sides"),
			PosSurface: rapid.Int16().Draw(t, "pos"), NegSurface: rapid.Int16().Draw(t, "neg")}
		for range n {
			p.Vertices = append(p.Vertices, rapid.SampledFrom(v.Vertices).Draw(t, "vertex").ID)
		}
		if p.Stippling&4 == 0 {
			p.PosUVs = some(t, rapid.Byte(), n, n, "pos uvs")
		}
		if p.Sides == 2 && p.Stippling&8 == 0 {
			p.NegUVs = some(t, rapid.Byte(), n, n, "neg uvs")
		}
		s = append(s, p)
	}
	return s
}

// tree kinds, as the tests name them
const (
	cellTree = iota
	physicsTree
	drawingTree
)

func anyTree(t *rapid.T, kind int, polygons []dat.PolygonRecord, depth int) *dat.BSPNode {
	names := func() (s []uint16) {
		for range rapid.IntRange(0, min(3, len(polygons))).Draw(t, "names") {
			s = append(s, rapid.SampledFrom(polygons).Draw(t, "polygon").ID)
		}
		return s
	}
	tags := []string{"LEAF", "LEAF", "BPOL", "BPFL"}
	if depth < 4 {
		tags = append(tags, "PORT", "BPnn", "BPIn", "BpIN", "BpnN", "BPIN", "BPnN")
	}
	n := &dat.BSPNode{Tag: rapid.SampledFrom(tags).Draw(t, "tag")}
	child := func() *dat.BSPNode { return anyTree(t, kind, polygons, depth+1) }
	if n.Tag == "LEAF" {
		n.Index = rapid.Int32().Draw(t, "index")
		if kind == physicsTree {
			n.Solid, n.Sphere, n.Polygons = rapid.Int32().Draw(t, "solid"), anySphere.Draw(t, "sphere"), names()
		}
		return n
	}
	n.Plane = anyPlane.Draw(t, "plane")
	switch n.Tag {
	case "BPnn", "BPIn":
		n.Pos = child()
	case "BpIN", "BpnN":
		n.Neg = child()
	case "PORT", "BPIN", "BPnN":
		n.Pos, n.Neg = child(), child()
	}
	if kind == drawingTree || kind == physicsTree && n.Tag != "PORT" {
		n.Sphere = anySphere.Draw(t, "sphere")
	}
	if kind == drawingTree {
		n.Polygons = names()
		if n.Tag == "PORT" {
			for _, id := range names() {
				n.Portals = append(n.Portals, dat.BSPPortal{Polygon: id, Portal: anyShort.Draw(t, "portal")})
			}
		}
	}
	return n
}

// roundTrip holds a record to come back equal from its bytes, and these to the record's id.
func roundTrip[T any](t *rapid.T, v *T, encode func(*T) ([]byte, error), decode func([]byte) (*T, error)) []byte {
	b, err := encode(v)
	if err != nil {
		t.Fatal(err)
	}
	got, err := decode(b)
	if err != nil || !reflect.DeepEqual(got, v) {
		t.Fatalf("%+v\n%+v, %v", v, got, err)
	}
	if _, err := decode(b[:len(b)-1]); !errors.Is(err, dat.ErrTruncated) {
		t.Fatalf("without its last byte: %v", err)
	}
	return b
}

func TestGfxObjRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := &dat.GfxObj{ID: dat.GfxObjFirst + uint32(anyShort.Draw(t, "id")), Flags: rapid.Uint32().Draw(t, "flags"), SortCentre: anyVec.Draw(t, "centre")}
		for range rapid.SampledFrom([]int{0, 1, 2, 0x7F, 0x80, 0x81, 0x3FFF, 0x4000}).Draw(t, "surfaces") {
			g.Surfaces = append(g.Surfaces, uint32(len(g.Surfaces)))
		}
		g.Vertices = anyVertices(t)
		if g.Flags&1 != 0 {
			g.Physics = anyPolygons(t, g.Vertices, 0)
			g.PhysicsTree = anyTree(t, physicsTree, g.Physics, 0)
		}
		if g.Flags&2 != 0 {
			g.Polygons = anyPolygons(t, g.Vertices, 0)
			g.DrawingTree = anyTree(t, drawingTree, g.Polygons, 0)
		}
		if g.Flags&8 != 0 {
			g.Degrade = rapid.Uint32().Draw(t, "degrade")
		}
		roundTrip(t, g, dat.EncodeGfxObj, dat.DecodeGfxObj)
	})
}

func TestEnvironmentRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := &dat.Environment{ID: dat.EnvironmentFirst + uint32(anyShort.Draw(t, "id"))}
		for range rapid.IntRange(1, 3).Draw(t, "structures") {
			s := dat.CellStructure{Number: rapid.Uint32().Draw(t, "number"), Vertices: anyVertices(t), HasDrawing: rapid.SampledFrom([]uint32{0, 1, 9}).Draw(t, "drawing")}
			s.Polygons = anyPolygons(t, s.Vertices, 0)
			for range rapid.IntRange(0, min(2, len(s.Polygons))).Draw(t, "portals") {
				s.Portals = append(s.Portals, rapid.SampledFrom(s.Polygons).Draw(t, "portal").ID)
			}
			s.CellTree = anyTree(t, cellTree, nil, 0)
			s.Physics = anyPolygons(t, s.Vertices, 0)
			s.PhysicsTree = anyTree(t, physicsTree, s.Physics, 0)
			if s.HasDrawing != 0 {
				s.DrawingTree = anyTree(t, drawingTree, s.Polygons, 0)
			}
			e.Cells = append(e.Cells, s)
		}
		if b := roundTrip(t, e, dat.EncodeEnvironment, dat.DecodeEnvironment); len(b)%4 != 0 {
			t.Fatalf("%d bytes", len(b))
		}
	})
}

func TestLandBlockRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := &dat.LandBlock{ID: rapid.Uint32().Draw(t, "id")<<16 | 0xFFFF, HasObjects: rapid.Uint32().Draw(t, "objects"), Pad: rapid.Byte().Draw(t, "pad")}
		copy(l.Terrain[:], rapid.SliceOfN(anyShort, 81, 81).Draw(t, "terrain"))
		copy(l.Heights[:], rapid.SliceOfN(rapid.Byte(), 81, 81).Draw(t, "heights"))
		if b := roundTrip(t, l, dat.EncodeLandBlock, dat.DecodeLandBlock); len(b) != 252 {
			t.Fatalf("%d bytes", len(b))
		}
	})
}

func TestLandBlockInfoRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := &dat.LandBlockInfo{ID: rapid.Uint32().Draw(t, "id")<<16 | 0xFFFE, Cells: rapid.Uint32().Draw(t, "cells"), PackMask: anyShort.Draw(t, "mask"),
			Objects: some(t, anyObject, 0, 3, "objects")}
		for range rapid.IntRange(0, 3).Draw(t, "buildings") {
			b := dat.BuildingRecord{Model: rapid.Uint32().Draw(t, "model"), Frame: anyFrame.Draw(t, "frame"), Leaves: rapid.Uint32().Draw(t, "leaves")}
			for range rapid.IntRange(0, 3).Draw(t, "portals") {
				p := dat.BuildingPortalRecord{Flags: anyShort.Draw(t, "flags"), OtherCell: anyShort.Draw(t, "cell"), OtherPortal: anyShort.Draw(t, "portal"),
					Cells: some(t, anyShort, 0, 5, "cells")}
				if len(p.Cells)%2 != 0 {
					p.Pad = dat.Pad{rapid.Byte().Draw(t, "pad"), rapid.Byte().Draw(t, "pad")}
				}
				b.Portals = append(b.Portals, p)
			}
			l.Buildings = append(l.Buildings, b)
		}
		if l.PackMask&1 != 0 {
			l.Buckets = anyShort.Draw(t, "buckets")
			for range rapid.IntRange(0, 3).Draw(t, "restrictions") {
				l.Restrictions = append(l.Restrictions, dat.Restriction{Key: rapid.Uint32().Draw(t, "key"), Object: rapid.Uint32().Draw(t, "object")})
			}
		}
		roundTrip(t, l, dat.EncodeLandBlockInfo, dat.DecodeLandBlockInfo)
	})
}

func TestEnvCellRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := &dat.EnvCell{ID: rapid.Uint32().Draw(t, "block")<<16 | rapid.Uint32Range(0x100, 0xFFFD).Draw(t, "cell"), Flags: rapid.Uint32().Draw(t, "flags"),
			Surfaces: some(t, anyShort, 0, 5, "surfaces"), Environment: anyShort.Draw(t, "environment"), Structure: anyShort.Draw(t, "structure"),
			Frame: anyFrame.Draw(t, "frame"), Visible: some(t, anyShort, 0, 5, "visible")}
		if e.ID == dat.IterationID {
			t.Skip()
		}
		for range rapid.IntRange(0, 3).Draw(t, "portals") {
			e.Portals = append(e.Portals, dat.CellPortalRecord{Flags: anyShort.Draw(t, "flags"), Polygon: anyShort.Draw(t, "polygon"),
				OtherCell: anyShort.Draw(t, "other cell"), OtherPortal: anyShort.Draw(t, "other portal")})
		}
		if e.Flags&2 != 0 {
			e.Objects = some(t, anyObject, 0, 3, "objects")
		}
		if e.Flags&8 != 0 {
			e.Restriction = rapid.Uint32().Draw(t, "restriction")
		}
		roundTrip(t, e, dat.EncodeEnvCell, dat.DecodeEnvCell)
	})
}

func TestRegionRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := func() float32 { return anyFloat.Draw(t, "float") }
		i := func() int32 { return rapid.Int32().Draw(t, "number") }
		r := &dat.Region{ID: dat.RegionID, Number: uint32(i()), Version: uint32(i()), BlockLength: i(), BlockWidth: i(), Square: f(),
			SquaresPerBlock: i(), VerticesPerCell: i(), MaxObjectHeight: f(), SkyHeight: f(), RoadWidth: f()}
		n := rapid.SampledFrom([]int{0, 1, 2, 3, 6, 0xFFFE, 0xFFFF, 0x10001}).Draw(t, "length of the name")
		name := make([]byte, n)
		for k := range name {
			name[k] = byte(k*7 + n)
		}
		r.Name = string(name)
		for k := range r.Heights {
			r.Heights[k] = float32(k) * f() / 1e30
			if r.Heights[k] != r.Heights[k] || r.Heights[k]-r.Heights[k] != 0 {
				r.Heights[k] = 0
			}
		}
		b, err := dat.EncodeRegion(r)
		if err != nil {
			t.Fatal(err)
		}
		roundTrip(t, r, dat.EncodeRegion, dat.DecodeRegion) // the record ends after the heights
		rest := some(t, rapid.Byte(), 0, 9, "rest")
		r.Rest = rest
		got, err := dat.DecodeRegion(append(b, rest...))
		if err != nil || !reflect.DeepEqual(got, r) {
			t.Fatalf("%+v, %v", got, err)
		}
		if again, err := dat.EncodeRegion(got); err != nil || string(again) != string(b)+string(rest) {
			t.Fatalf("encodes to other bytes, %v", err)
		}
	})
}
