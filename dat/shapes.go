package dat

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/gait-engine/gait/space"
)

// shapeCompiler builds the shapes of a [Tables].
type shapeCompiler struct {
	s  *Shapes
	id uint32 // of the record that is being compiled, for refusals
}

// part is the half of a model that bodies collide with, as it is stored.
type part struct {
	vertices *VertexArray
	polygons []PolygonRecord
	tree     *BSPNode // nil without
}

// addShapes compiles all models, ascending by id, and then all cell structures.
func (c *compiler) addShapes(r Records) error {
	models, inside := slices.Clone(r.GfxObjs), slices.Clone(r.Environments)
	slices.SortFunc(models, func(a, b *GfxObj) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortFunc(inside, func(a, b *Environment) int { return cmp.Compare(a.ID, b.ID) })
	s := shapeCompiler{s: &c.t.Shapes}
	s.s.hulls = make(map[hullKey]int32, len(models)+len(inside))
	for _, g := range models {
		if KindOf(Portal, g.ID) != GfxObjKind {
			return recordError(g.ID, ErrID, "not the id of a %s", GfxObjKind)
		}
		if err := s.addGfxObj(g); err != nil {
			return err
		}
	}
	for _, e := range inside {
		if KindOf(Portal, e.ID) != EnvironmentKind {
			return recordError(e.ID, ErrID, "not the id of an %s", EnvironmentKind)
		}
		for i := range e.Cells {
			if err := s.addStructure(e.ID, &e.Cells[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *shapeCompiler) addGfxObj(g *GfxObj) error {
	c.id = g.ID
	h, _, err := c.addPart(part{&g.Vertices, g.Physics, g.PhysicsTree})
	if err != nil {
		return err
	}
	return c.register(h)
}

func (c *shapeCompiler) addStructure(id uint32, p *CellStructure) error {
	c.id = id
	h, vertices, err := c.addPart(part{&p.Vertices, p.Physics, p.PhysicsTree})
	if err != nil {
		return err
	}
	h.Number = p.Number
	if p.PhysicsTree == nil || p.CellTree == nil {
		return c.refuse(ErrGeometry, "cell structure %d lacks a tree", p.Number)
	}
	if h.Cell, _, err = c.addNode(p.CellTree, cellTree, ids{}, 0, 0, map[*BSPNode]struct{}{}); err != nil {
		return err
	}
	drawn, twice := polygonIDs(p.Polygons)
	if twice != "" {
		return c.refuse(ErrGeometry, "polygons: %s", twice)
	}
	h.FirstPortal, h.PortalCount = int32(len(c.s.Portals)), int32(len(p.Portals))
	for _, polygon := range p.Portals {
		i, ok := drawn.get(polygon)
		if !ok {
			return c.refuse(ErrGeometry, "portals: there is no polygon %d", polygon)
		}
		c.s.Portals = append(c.s.Portals, int32(len(c.s.Polygons)))
		if err := c.addPolygon(&p.Polygons[i], p.Vertices.Vertices, vertices); err != nil {
			return err
		}
	}
	return c.register(h)
}

func (c *shapeCompiler) refuse(kind error, format string, a ...any) error {
	return recordError(c.id, kind, format, a...)
}

func (c *shapeCompiler) register(h Hull) error {
	k := hullKey{h.ID, h.Number}
	if _, twice := c.s.hulls[k]; twice {
		return c.refuse(ErrTwice, "structure %d", h.Number)
	}
	c.s.hulls[k] = int32(len(c.s.Hulls))
	c.s.Hulls = append(c.s.Hulls, h)
	if n := max(len(c.s.Vertices), len(c.s.Polygons), len(c.s.Nodes), len(c.s.Leaves)); n > math.MaxInt32 {
		return c.refuse(ErrLimit, "%d vertices, polygons or nodes", n)
	}
	return nil
}

// addPart compiles the box, the physics polygons and their tree.
func (c *shapeCompiler) addPart(p part) (Hull, ids, error) {
	h := Hull{ID: c.id, Root: None, Cell: None, FirstPolygon: int32(len(c.s.Polygons)), PolygonCount: int32(len(p.polygons))}
	vertices, twice := vertexIDs(p.vertices.Vertices)
	if twice != "" {
		return h, vertices, c.refuse(ErrGeometry, "vertices: %s", twice)
	}
	for i := range p.vertices.Vertices {
		v := &p.vertices.Vertices[i]
		if !bounded(v.Origin[:]...) {
			return h, vertices, c.refuse(ErrFloat, "vertex %d is at %v", v.ID, v.Origin)
		}
		if i == 0 {
			h.Min, h.Max = v.Origin, v.Origin
		}
		for k, x := range v.Origin {
			h.Min[k], h.Max[k] = min(h.Min[k], x), max(h.Max[k], x)
		}
	}
	for i := range p.polygons {
		if err := c.addPolygon(&p.polygons[i], p.vertices.Vertices, vertices); err != nil {
			return h, vertices, err
		}
	}
	if p.tree == nil {
		return h, vertices, nil
	}
	polygons, twice := polygonIDs(p.polygons)
	if twice != "" {
		return h, vertices, c.refuse(ErrGeometry, "polygons: %s", twice)
	}
	var err error
	h.Root, _, err = c.addNode(p.tree, physicsTree, polygons, h.FirstPolygon, 0, map[*BSPNode]struct{}{})
	return h, vertices, err
}

func (c *shapeCompiler) addPolygon(r *PolygonRecord, vertices []Vertex, at ids) error {
	p := Polygon{First: int32(len(c.s.Vertices)), Count: int32(len(r.Vertices)), Sides: r.Sides, ID: r.ID}
	for _, id := range r.Vertices {
		i, ok := at.get(id)
		if !ok {
			return c.refuse(ErrGeometry, "polygon %d: there is no vertex %d", r.ID, id)
		}
		c.s.Vertices = append(c.s.Vertices, vertices[i].Origin)
	}
	plane, reason := planeOf(c.s.Vertices[p.First:])
	if reason != "" {
		return c.refuse(ErrGeometry, "polygon %d: %s", r.ID, reason)
	}
	p.Normal, p.D = plane.Normal, plane.D
	c.s.Polygons = append(c.s.Polygons, p)
	return nil
}

// flat is the least area of a polygon, doubled and divided by the square of its
// longest line from the first vertex, below which rounding alone could have
// made its plane.
const flat = 1e-6

// planeOf is the plane of a polygon: the normalised sum of the cross products
// of its fan, at the mean distance of its vertices (spec 14 L1). It says why
// there is none.
func planeOf(v []space.Vec3) (p Plane, reason string) {
	if len(v) < 3 {
		return p, fmt.Sprintf("%d vertices have no plane", len(v))
	}
	var n space.Vec3
	long := float64(0)
	for i := 1; i < len(v); i++ {
		a := space.Sub(v[i], v[0])
		long = max(long, length2(a))
		if i+1 < len(v) {
			n = space.Add(n, cross(a, space.Sub(v[i+1], v[0])))
		}
	}
	l := math.Sqrt(length2(n))
	if !(l > flat*long) || math.IsInf(l, 0) {
		return p, "its vertices lie on a line, or cancel each other: it has no plane"
	}
	for k, x := range n {
		p.Normal[k] = float32(float64(x) / l)
	}
	sum := float32(0)
	for i := range v {
		sum += space.Dot(p.Normal, v[i])
	}
	p.D = -(sum / float32(len(v)))
	return p, ""
}

func cross(a, b space.Vec3) space.Vec3 {
	return space.Vec3{
		float32(a[1]*b[2]) - float32(a[2]*b[1]),
		float32(a[2]*b[0]) - float32(a[0]*b[2]),
		float32(a[0]*b[1]) - float32(a[1]*b[0]),
	}
}

func length2(v space.Vec3) float64 {
	x, y, z := float64(v[0]), float64(v[1]), float64(v[2])
	return float64(x*x) + float64(y*y) + float64(z*z)
}

// addNode compiles a node and all below it; it returns the node's index and how
// many polygons are below. Spheres must have a size where polygons are.
func (c *shapeCompiler) addNode(n *BSPNode, k treeKind, polygons ids, first int32, depth int, seen map[*BSPNode]struct{}) (at int32, below int, err error) {
	if bad := n.check(k, polygons, depth, seen); bad != "" {
		return None, 0, c.refuse(ErrGeometry, "%s", bad)
	}
	if !bounded(n.Plane.Normal[:]...) || !bounded(n.Plane.D, n.Sphere.Radius) || !bounded(n.Sphere.Centre[:]...) {
		return None, 0, c.refuse(ErrFloat, "a %s of the tree has the plane %v and the sphere %v", n.Tag, n.Plane, n.Sphere)
	}
	if pos, neg := children(n.Tag); (pos || neg) && space.IsZero(n.Plane.Normal) {
		return None, 0, c.refuse(ErrGeometry, "a %s of the tree splits along no plane: its normal is %v", n.Tag, n.Plane.Normal)
	}
	at = int32(len(c.s.Nodes))
	c.s.Nodes = append(c.s.Nodes, Node{})
	d := Node{
		Normal: n.Plane.Normal, D: n.Plane.D, Centre: n.Sphere.Centre, Radius: n.Sphere.Radius,
		Pos: None, Neg: None, First: int32(len(c.s.Leaves)), Count: int32(len(n.Polygons)),
		Leaf: n.Tag == "LEAF", Solid: n.Solid != 0,
	}
	for _, id := range n.Polygons {
		i, _ := polygons.get(id) // check has found them all
		c.s.Leaves = append(c.s.Leaves, first+i)
	}
	below = len(n.Polygons)
	for _, child := range []struct {
		from *BSPNode
		to   *int32
	}{{n.Pos, &d.Pos}, {n.Neg, &d.Neg}} {
		if child.from == nil {
			continue
		}
		i, more, err := c.addNode(child.from, k, polygons, first, depth+1, seen)
		if err != nil {
			return None, 0, err
		}
		*child.to = i
		below += more
	}
	if k == physicsTree && (d.Radius < 0 || d.Radius == 0 && below > 0) {
		return None, 0, c.refuse(ErrGeometry, "a %s of the tree with %d polygons below has a sphere of radius %v", n.Tag, below, d.Radius)
	}
	c.s.Nodes[at] = d
	return at, below, nil
}
