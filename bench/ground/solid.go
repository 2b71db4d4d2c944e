package ground

import (
	"math"

	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// face is a flat polygon, counter-clockwise as seen from where its normal points.
type face []space.Vec3

// vec is a point or direction while planes are worked out.
type vec [3]float64

func wide(v space.Vec3) vec { return vec{float64(v[0]), float64(v[1]), float64(v[2])} }

func (a vec) sub(b vec) vec { return vec{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

func (a vec) dot(b vec) float64 {
	return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2])
}

func (a vec) cross(b vec) vec {
	return vec{
		float64(a[1]*b[2]) - float64(a[2]*b[1]),
		float64(a[2]*b[0]) - float64(a[0]*b[2]),
		float64(a[0]*b[1]) - float64(a[1]*b[0]),
	}
}

// plane is n·p + d = 0, n of unit length.
type plane struct {
	n vec
	d float64
}

func (p *plane) height(v vec) float64 { return p.n.dot(v) + p.d }

// outline is a face, or what of it lies on one side of planes.
type outline struct {
	face  int // which one
	shape []vec
}

// planeOf returns the plane of a face, from its first three corners.
func (f face) plane() plane {
	a, b, c := wide(f[0]), wide(f[1]), wide(f[2])
	n := b.sub(a).cross(c.sub(a))
	l := math.Sqrt(n.dot(n))
	n = vec{n[0] / l, n[1] / l, n[2] / l}
	return plane{n, -n.dot(a)}
}

// near is how far a corner may lie from a plane and still be on it, metres.
const near = 1e-5

// clip returns what of a shape lies in front of a plane.
func (p plane) clip(shape []vec) (front []vec) {
	for i, a := range shape {
		b := shape[(i+1)%len(shape)]
		da, db := p.height(a), p.height(b)
		if da >= -near {
			front = append(front, a)
		}
		if da > near && db < -near || da < -near && db > near {
			t := da / (da - db)
			front = append(front, vec{a[0] + float64(t*(b[0]-a[0])), a[1] + float64(t*(b[1]-a[1])), a[2] + float64(t*(b[2]-a[2]))})
		}
	}
	return front
}

func (p plane) turned() plane { return plane{vec{-p.n[0], -p.n[1], -p.n[2]}, -p.d} }

// split sorts an outline to both sides of a plane. A shape in the plane lies
// behind it when it faces the same way, in front of it otherwise.
func (p plane) split(o outline, facing vec) (front, back *outline) {
	low, high := math.MaxFloat64, -math.MaxFloat64
	for _, v := range o.shape {
		h := p.height(v)
		low, high = min(low, h), max(high, h)
	}
	switch {
	case low >= -near && high <= near:
		if facing.dot(p.n) > 0 {
			return nil, &o
		}
		return &o, nil
	case low >= -near:
		return &o, nil
	case high <= near:
		return nil, &o
	}
	return &outline{o.face, p.clip(o.shape)}, &outline{o.face, p.turned().clip(o.shape)}
}

// grower makes the physics tree of some faces: the outline of a solid, or of a
// room as seen from inside. Its planes are those of the faces, in their order.
// What lies behind every plane about it is solid, and lists the faces in front of it.
type grower struct {
	faces  []face
	planes []plane
	leaves int32
}

func treeOf(faces []face) *dat.BSPNode {
	g := grower{faces: faces}
	all := make([]outline, len(faces))
	for i, f := range faces {
		g.planes = append(g.planes, f.plane())
		all[i].face = i
		for _, v := range f {
			all[i].shape = append(all[i].shape, wide(v))
		}
	}
	root := g.grow(all, false)
	for _, o := range all {
		g.hang(root, o)
	}
	g.finish(root)
	return root
}

// grow makes the nodes over some outlines, of which the first gives the plane;
// solid is which side of the last plane they are on.
func (g *grower) grow(over []outline, solid bool) *dat.BSPNode {
	if len(over) == 0 {
		n := &dat.BSPNode{Tag: "LEAF"}
		if solid {
			g.leaves++
			n.Index, n.Solid = g.leaves, 1
		}
		return n
	}
	p := g.planes[over[0].face]
	var front, back []outline
	for _, o := range over {
		f, b := p.split(o, g.planes[o.face].n)
		if f != nil {
			front = append(front, *f)
		}
		if b != nil && !(f == nil && g.within(*b, p)) {
			back = append(back, *b)
		}
	}
	n := &dat.BSPNode{Tag: "BPnN", Plane: dat.Plane{Normal: space.Vec3{float32(p.n[0]), float32(p.n[1]), float32(p.n[2])}, D: float32(p.d)}}
	n.Pos, n.Neg = g.grow(front, false), g.grow(back, true)
	return n
}

// within reports whether an outline lies in a plane, which is done with it then.
func (g *grower) within(o outline, p plane) bool {
	for _, v := range o.shape {
		if math.Abs(p.height(v)) > near {
			return false
		}
	}
	return true
}

// hang puts an outline into the leaves behind it.
func (g *grower) hang(n *dat.BSPNode, o outline) {
	if n.Tag == "LEAF" {
		id := uint16(o.face)
		for _, p := range n.Polygons {
			if p == id {
				return
			}
		}
		n.Polygons = append(n.Polygons, id)
		return
	}
	p := plane{wide(n.Plane.Normal), float64(n.Plane.D)}
	front, back := p.split(o, g.planes[o.face].n)
	if front != nil {
		g.hang(n.Pos, *front)
	}
	if back != nil {
		g.hang(n.Neg, *back)
	}
}

// finish gives every node the sphere around the faces below it, and returns their corners.
func (g *grower) finish(n *dat.BSPNode) (corners []space.Vec3) {
	if n.Tag == "LEAF" {
		for _, p := range n.Polygons {
			corners = append(corners, g.faces[p]...)
		}
	} else {
		corners = append(g.finish(n.Pos), g.finish(n.Neg)...)
	}
	n.Sphere = around(corners)
	return corners
}

// around returns a sphere about the middle of some points that holds them all, a
// little larger than it must be.
func around(points []space.Vec3) dat.Sphere {
	if len(points) == 0 {
		return dat.Sphere{}
	}
	low, high := wide(points[0]), wide(points[0])
	for _, p := range points {
		for k, x := range wide(p) {
			low[k], high[k] = min(low[k], x), max(high[k], x)
		}
	}
	var c space.Vec3
	for k := range c {
		c[k] = float32((low[k] + high[k]) / 2)
	}
	far := 0.0
	for _, p := range points {
		d := wide(p).sub(wide(c))
		far = max(far, d.dot(d))
	}
	const more = 0.01 // m
	return dat.Sphere{Centre: c, Radius: float32(math.Sqrt(far) + more)}
}

// polygons returns faces as polygons over the vertices of one array, to which it
// adds those that are missing.
func polygons(faces []face, v *dat.VertexArray) []dat.PolygonRecord {
	list := make([]dat.PolygonRecord, len(faces))
	for i, f := range faces {
		p := &list[i]
		const noTexture = 4
		p.ID, p.Stippling, p.PosSurface, p.NegSurface = uint16(i), noTexture, -1, -1
		for _, corner := range f {
			p.Vertices = append(p.Vertices, vertex(v, corner))
		}
	}
	return list
}

func vertex(v *dat.VertexArray, at space.Vec3) uint16 {
	v.Type = 1
	for i := range v.Vertices {
		if v.Vertices[i].Origin == at {
			return uint16(i)
		}
	}
	id := uint16(len(v.Vertices))
	v.Vertices = append(v.Vertices, dat.Vertex{ID: id, Origin: at, Normal: space.Vec3{0, 0, 1}})
	return id
}

// model returns a model that bodies collide with.
func model(id uint32, faces []face) *dat.GfxObj {
	const physics = 1
	g := &dat.GfxObj{ID: id, Flags: physics, PhysicsTree: treeOf(faces)}
	g.Physics = polygons(faces, &g.Vertices)
	return g
}

// box returns the six faces of a box.
func box(low, high space.Vec3) []face {
	return prism([]space.Vec3{{0, low[1], low[2]}, {0, high[1], low[2]}, {0, high[1], high[2]}, {0, low[1], high[2]}}, low[0], high[0])
}

// prism returns the faces of a convex profile, drawn along x. The profile is
// counter-clockwise as seen from the east; its x is not looked at.
func prism(profile []space.Vec3, west, east float32) []face {
	at := func(v space.Vec3, x float32) space.Vec3 { return space.Vec3{x, v[1], v[2]} }
	var faces []face
	ends := [2]face{}
	for i, a := range profile {
		b := profile[(i+1)%len(profile)]
		faces = append(faces, face{at(a, west), at(b, west), at(b, east), at(a, east)})
		ends[0] = append(ends[0], at(a, east))
		ends[1] = append(ends[1], at(profile[len(profile)-1-i], west))
	}
	return append(faces, ends[0], ends[1])
}
