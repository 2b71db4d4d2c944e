package dat

import (
	"fmt"
	"math"
)

// MaxTreeDepth bounds how deep a BSP tree may go (spec 21 §7.1).
const MaxTreeDepth = 512

// The least bytes that an element takes.
const (
	vertexBytes  = 28
	polygonBytes = 12
)

// treeKind says what a node reads; it comes from the tree's place in a record.
type treeKind uint8

const (
	cellTree treeKind = iota
	physicsTree
	drawingTree
)

// children says which children a node with this tag has (spec 21 §7.1).
func children(tag string) (pos, neg bool) {
	switch tag {
	case "PORT", "BPIN", "BPnN":
		return true, true
	case "BPnn", "BPIn":
		return true, false
	case "BpIN", "BpnN":
		return false, true
	}
	return false, false
}

// ids finds elements of a list by their ids. Where every id is its element's
// index, as it mostly is, there is no map.
type ids struct {
	n  int
	at map[uint16]int32
}

// idsOf lists ids, and says which is there twice.
func idsOf[T any](s []T, id func(*T) uint16) (d ids, twice string) {
	d.n = len(s)
	for i := range s {
		if int(id(&s[i])) != i {
			d.at = make(map[uint16]int32, len(s))
			break
		}
	}
	if d.at == nil {
		return d, ""
	}
	for i := range s {
		k := id(&s[i])
		if _, ok := d.at[k]; ok {
			return d, fmt.Sprintf("the id %d is there twice", k)
		}
		d.at[k] = int32(i)
	}
	return d, ""
}

func vertexIDs(v []Vertex) (ids, string) { return idsOf(v, func(v *Vertex) uint16 { return v.ID }) }

func polygonIDs(p []PolygonRecord) (ids, string) {
	return idsOf(p, func(p *PolygonRecord) uint16 { return p.ID })
}

func (d ids) get(id uint16) (int32, bool) {
	if d.at == nil {
		return int32(id), int(id) < d.n
	}
	i, ok := d.at[id]
	return i, ok
}

// stranger returns the first of s that is not an id, as a reason.
func (d ids) stranger(what string, s []uint16) string {
	for _, id := range s {
		if _, ok := d.get(id); !ok {
			return fmt.Sprintf("there is no %s %d", what, id)
		}
	}
	return ""
}

// readVertices reads a vertex array and the ids in it.
func readVertices(c *cursor) (VertexArray, ids) {
	at := c.at
	v := VertexArray{Type: c.u32()}
	v.Vertices = list(c, c.count("vertices", vertexBytes), func(c *cursor) Vertex {
		v := Vertex{ID: c.u16()}
		n := c.u16()
		v.Origin, v.Normal = c.vec3(), c.vec3()
		v.UVs = list(c, c.fits(c.at, "texture coordinates", uint64(n), 8), func(c *cursor) [2]float32 {
			return [2]float32{c.f32(), c.f32()}
		})
		return v
	})
	d, twice := vertexIDs(v.Vertices)
	if twice != "" {
		c.failAt(at, ErrGeometry, "vertices: %s", twice)
	}
	return v, d
}

func writeVertices(w *writer, v *VertexArray) ids {
	w.u32(v.Type)
	w.count(len(v.Vertices))
	for i := range v.Vertices {
		p := &v.Vertices[i]
		w.u16(p.ID)
		w.short("texture coordinates", len(p.UVs), math.MaxUint16)
		w.vec3(p.Origin)
		w.vec3(p.Normal)
		for _, uv := range p.UVs {
			w.f32(uv[0])
			w.f32(uv[1])
		}
	}
	d, twice := vertexIDs(v.Vertices)
	if twice != "" {
		w.fail(ErrGeometry, "vertices: %s", twice)
	}
	return d
}

// uvCounts returns how many texture coordinates the polygon names.
func (p *PolygonRecord) uvCounts() (pos, neg int) {
	if p.Stippling&noPosUVs == 0 {
		pos = len(p.Vertices)
	}
	if p.Sides == 2 && p.Stippling&noNegUVs == 0 {
		neg = len(p.Vertices)
	}
	return pos, neg
}

// readPolygons reads n polygons, n having been checked, and their ids; every
// vertex of theirs must be there.
func readPolygons(c *cursor, n int, vertices ids) ([]PolygonRecord, ids) {
	at := c.at
	s := list(c, n, func(c *cursor) PolygonRecord {
		at := c.at
		p := PolygonRecord{ID: c.u16()}
		n := int(c.u8())
		p.Stippling, p.Sides = c.u8(), c.i32()
		p.PosSurface, p.NegSurface = c.i16(), c.i16()
		p.Vertices = list(c, c.fits(c.at, "vertices", uint64(n), 2), (*cursor).u16)
		pos, neg := p.uvCounts()
		p.PosUVs = list(c, c.fits(c.at, "texture coordinates", uint64(pos), 1), (*cursor).u8)
		p.NegUVs = list(c, c.fits(c.at, "texture coordinates", uint64(neg), 1), (*cursor).u8)
		if bad := vertices.stranger("vertex", p.Vertices); bad != "" {
			c.failAt(at, ErrGeometry, "polygon %d: %s", p.ID, bad)
		}
		return p
	})
	d, twice := polygonIDs(s)
	if twice != "" {
		c.failAt(at, ErrGeometry, "polygons: %s", twice)
	}
	return s, d
}

func writePolygons(w *writer, s []PolygonRecord, vertices ids) ids {
	for i := range s {
		p := &s[i]
		if pos, neg := p.uvCounts(); len(p.PosUVs) != pos || len(p.NegUVs) != neg {
			w.fail(ErrShape, "polygon %d has %d and %d texture coordinates, its sides and stippling call for %d and %d",
				p.ID, len(p.PosUVs), len(p.NegUVs), pos, neg)
		}
		if bad := vertices.stranger("vertex", p.Vertices); bad != "" {
			w.fail(ErrGeometry, "polygon %d: %s", p.ID, bad)
		}
		w.u16(p.ID)
		w.short("vertices", len(p.Vertices), math.MaxUint8)
		w.b = append(w.b, p.Stippling)
		w.u32(uint32(p.Sides))
		w.u16(uint16(p.PosSurface))
		w.u16(uint16(p.NegSurface))
		w.shorts(p.Vertices)
		w.b = append(w.b, p.PosUVs...)
		w.b = append(w.b, p.NegUVs...)
	}
	d, twice := polygonIDs(s)
	if twice != "" {
		w.fail(ErrGeometry, "polygons: %s", twice)
	}
	return d
}

// readTree reads a node and all below it. polygons are those that its lists name.
func readTree(c *cursor, k treeKind, polygons ids, depth int) *BSPNode {
	at := c.at
	if depth >= MaxTreeDepth {
		c.failAt(at, ErrGeometry, "the tree is deeper than %d", MaxTreeDepth)
	}
	b := c.take(4)
	if b == nil {
		return nil
	}
	n := &BSPNode{Tag: string([]byte{b[3], b[2], b[1], b[0]})}
	names := func(count int) { n.Polygons = list(c, count, (*cursor).u16) }
	if n.Tag == "LEAF" {
		n.Index = c.i32()
		if k == physicsTree {
			n.Solid, n.Sphere = c.i32(), c.sphere()
			names(c.count("polygons", 2))
		}
	} else {
		n.Plane = c.plane()
		pos, neg := children(n.Tag)
		if pos {
			n.Pos = readTree(c, k, polygons, depth+1)
		}
		if neg {
			n.Neg = readTree(c, k, polygons, depth+1)
		}
		switch {
		case k == drawingTree && n.Tag == "PORT":
			n.Sphere = c.sphere()
			count, portals := c.u32(), c.u32()
			names(c.fits(c.at-8, "polygons", uint64(count), 2))
			n.Portals = list(c, c.fits(c.at, "portals", uint64(portals), 4), func(c *cursor) BSPPortal { return BSPPortal{c.u16(), c.u16()} })
		case k == drawingTree:
			n.Sphere = c.sphere()
			names(c.count("polygons", 2))
		case k == physicsTree && n.Tag != "PORT":
			n.Sphere = c.sphere()
		}
	}
	if bad := n.strangers(polygons); bad != "" {
		c.failAt(at, ErrGeometry, "a %s of the tree: %s", n.Tag, bad)
	}
	return n
}

// strangers returns the first polygon that n names and that is not there, as a reason.
func (n *BSPNode) strangers(polygons ids) string {
	if bad := polygons.stranger("polygon", n.Polygons); bad != "" {
		return bad
	}
	for _, p := range n.Portals {
		if bad := polygons.stranger("polygon", []uint16{p.Polygon}); bad != "" {
			return bad
		}
	}
	return ""
}

// writeTree writes a tree; seen holds the nodes that have been, so that a tree
// that runs into itself is refused.
func writeTree(w *writer, n *BSPNode, k treeKind, polygons ids, depth int, seen map[*BSPNode]struct{}) {
	if w.err != nil {
		return
	}
	if n == nil {
		w.fail(ErrGeometry, "a tree lacks a node")
		return
	}
	if bad := n.check(k, polygons, depth, seen); bad != "" {
		w.fail(ErrGeometry, "%s", bad)
		return
	}
	w.b = append(w.b, n.Tag[3], n.Tag[2], n.Tag[1], n.Tag[0])
	if n.Tag == "LEAF" {
		w.u32(uint32(n.Index))
		if k == physicsTree {
			w.u32(uint32(n.Solid))
			w.sphere(n.Sphere)
			w.count(len(n.Polygons))
			w.shorts(n.Polygons)
		}
		return
	}
	w.plane(n.Plane)
	pos, neg := children(n.Tag)
	if pos {
		writeTree(w, n.Pos, k, polygons, depth+1, seen)
	}
	if neg {
		writeTree(w, n.Neg, k, polygons, depth+1, seen)
	}
	port := n.Tag == "PORT"
	if k == drawingTree || k == physicsTree && !port {
		w.sphere(n.Sphere)
	}
	if k == drawingTree {
		w.count(len(n.Polygons))
		if port {
			w.count(len(n.Portals))
		}
		w.shorts(n.Polygons)
		for _, p := range n.Portals {
			w.u16(p.Polygon)
			w.u16(p.Portal)
		}
	}
}

// check returns what is wrong with a node that did not come from a record, as a
// reason: fields that its record cannot hold, a place that is too deep, or a
// second way that leads to it.
func (n *BSPNode) check(k treeKind, polygons ids, depth int, seen map[*BSPNode]struct{}) string {
	if len(n.Tag) != 4 {
		return fmt.Sprintf("%q is not the tag of a node", n.Tag)
	}
	if depth >= MaxTreeDepth {
		return fmt.Sprintf("the tree is deeper than %d", MaxTreeDepth)
	}
	if _, twice := seen[n]; twice {
		return fmt.Sprintf("a %s of the tree is reached twice", n.Tag)
	}
	seen[n] = struct{}{}
	leaf, port := n.Tag == "LEAF", n.Tag == "PORT"
	pos, neg := children(n.Tag)
	sphere := k == drawingTree && !leaf || k == physicsTree && !port
	names := k == drawingTree && !leaf || k == physicsTree && leaf
	switch {
	case pos != (n.Pos != nil) || neg != (n.Neg != nil):
		return fmt.Sprintf("a %s of the tree has other children than its tag says", n.Tag)
	case leaf && n.Plane != Plane{}, !leaf && (n.Index != 0 || n.Solid != 0), k != physicsTree && n.Solid != 0,
		!sphere && n.Sphere != Sphere{}, !names && len(n.Polygons) > 0, !(port && k == drawingTree) && len(n.Portals) > 0:
		return fmt.Sprintf("a %s of the tree has fields that its place does not hold", n.Tag)
	}
	if bad := n.strangers(polygons); bad != "" {
		return fmt.Sprintf("a %s of the tree: %s", n.Tag, bad)
	}
	return ""
}
