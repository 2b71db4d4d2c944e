package collision

import (
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// The walks of a physics tree (14 L3 Tree walk). Trees are bounded in depth when
// they are compiled, so walks call themselves.

// miss reports whether a sphere lies clear of what a node holds (W-25).
func miss(n *dat.Node, b *dat.Sphere) bool {
	sum := n.Radius + b.Radius
	way := of(&b.Centre).minus(of(&n.Centre))
	return way.dot(way)-float32(sum*sum) >= Eps
}

// sides tells which children a sphere of some reach gets to.
func sides(n *dat.Node, b *dat.Sphere, radius float32) (d float32, pos, neg bool) {
	d = of(&n.Normal).dot(of(&b.Centre)) + n.D
	reach := radius - Eps
	switch {
	case d >= reach:
		return d, true, false
	case d <= -reach:
		return d, false, true
	}
	return d, true, true
}

// strike is what a sphere that moves ran into (pos_hits_sphere): hit is
// whether it moves against the polygon, which is recorded even if it does not.
type strike struct {
	polygon int32 // None: nothing was touched
	hit     bool
}

// strikes finds what a moving sphere runs into.
func strikes(g *dat.Shapes, node int32, b *dat.Sphere, movement *space.Vec3, out *strike) bool {
	if node < 0 {
		return false
	}
	n := &g.Nodes[node]
	if miss(n, b) {
		return false
	}
	if n.Leaf {
		for _, i := range g.Leaves[n.First : n.First+n.Count] {
			p := &g.Polygons[i]
			if hits(g, p, b) {
				out.polygon = i
				if of(movement).dot(of(&p.Normal)) < 0 {
					out.hit = true
					return true
				}
			}
		}
		return false
	}
	_, pos, neg := sides(n, b, b.Radius)
	return pos && strikes(g, n.Pos, b, movement, out) || neg && strikes(g, n.Neg, b, movement, out)
}

// solid reports whether a sphere lies in something solid. The centre check goes
// with the side the centre is on.
func solid(g *dat.Shapes, node int32, b *dat.Sphere, centreCheck bool) bool {
	if node < 0 {
		return false
	}
	n := &g.Nodes[node]
	if n.Leaf {
		if n.Count == 0 {
			return false
		}
		if n.Solid && centreCheck {
			return true // however deep: a leaf's sphere is about its polygons
		}
		if miss(n, b) {
			return false
		}
		for _, i := range g.Leaves[n.First : n.First+n.Count] {
			if hits(g, &g.Polygons[i], b) {
				return true
			}
		}
		return false
	}
	if miss(n, b) {
		return false
	}
	d, pos, neg := sides(n, b, b.Radius)
	if pos && neg {
		return solid(g, n.Pos, b, centreCheck && d >= 0) || solid(g, n.Neg, b, centreCheck && d < 0)
	}
	return pos && solid(g, n.Pos, b, centreCheck) || neg && solid(g, n.Neg, b, centreCheck)
}

// depth is how a sphere lies in something solid: the polygon that it cuts, and
// whether its centre is inside.
type depth struct {
	polygon int32 // None: deeper than any polygon
	centre  bool
}

// solidPolygon is solid with the polygon that is cut, with a radius of its own for the
// planes of the tree (14 L3, placement variant).
func solidPolygon(g *dat.Shapes, node int32, b *dat.Sphere, radius float32, centreCheck bool, out *depth) bool {
	if node < 0 {
		return false
	}
	n := &g.Nodes[node]
	if n.Leaf {
		in := n.Count > 0 && n.Solid && centreCheck
		if n.Count > 0 && !miss(n, b) {
			for _, i := range g.Leaves[n.First : n.First+n.Count] {
				if hits(g, &g.Polygons[i], b) {
					out.polygon, out.centre = i, in
					return true
				}
			}
		}
		out.centre = out.centre || in
		return in
	}
	if miss(n, b) {
		return false
	}
	d, pos, neg := sides(n, b, radius)
	if pos && neg {
		in := solidPolygon(g, n.Pos, b, radius, centreCheck && d >= 0, out)
		if out.polygon != dat.None {
			return true
		}
		return solidPolygon(g, n.Neg, b, radius, centreCheck && d < 0, out) || in
	}
	return pos && solidPolygon(g, n.Pos, b, radius, centreCheck, out) || neg && solidPolygon(g, n.Neg, b, radius, centreCheck, out)
}

// onWalkablePolygon reports whether a sphere touches a polygon that it could stand on (hits_walkable).
func (s *Sweep) onWalkablePolygon(node int32, b *dat.Sphere) bool {
	if node < 0 {
		return false
	}
	g := s.World.Shapes
	n := &g.Nodes[node]
	if miss(n, b) {
		return false
	}
	if n.Leaf {
		for _, i := range g.Leaves[n.First : n.First+n.Count] {
			if s.walkableHits(&g.Polygons[i], b) && carries(g, i, b, &s.localUp, 0.25) {
				return true
			}
		}
		return false
	}
	_, pos, neg := sides(n, b, b.Radius)
	return pos && s.onWalkablePolygon(n.Pos, b) || neg && s.onWalkablePolygon(n.Neg, b)
}

// walkableHits is walkable_hits_sphere.
func (s *Sweep) walkableHits(p *dat.Polygon, b *dat.Sphere) bool {
	return s.allowable(of(&p.Normal).dot(of(&s.localUp))) && hits(s.World.Shapes, p, b)
}

// findWalkable moves a sphere onto the polygons it could stand on, each one that
// takes it moving it further; found is the last (find_walkable).
func (s *Sweep) findWalkable(node int32, b *dat.Sphere, movement *space.Vec3, found *int32) {
	if node < 0 {
		return
	}
	g := s.World.Shapes
	n := &g.Nodes[node]
	if miss(n, b) {
		return
	}
	if n.Leaf {
		for _, i := range g.Leaves[n.First : n.First+n.Count] {
			p := &g.Polygons[i]
			if s.walkableHits(p, b) && toPlane(p, b, movement, &s.interp) {
				*found = i
			}
		}
		return
	}
	_, pos, neg := sides(n, b, b.Radius)
	if pos {
		s.findWalkable(n.Pos, b, movement, found)
	}
	if neg {
		s.findWalkable(n.Neg, b, movement, found)
	}
}

// holds reports whether an indoor cell contains a point of its own axes (14 §9
// Containment tests).
func holds(g *dat.Shapes, c *cell, v space.Vec3) bool {
	return reachesIn(g, c, func(n *dat.Node) bool { return space.Dot(n.Normal, v)+n.D >= -Eps })
}

// cellReach is how far beyond a containment tree's planes something still touches
// what the cell contains, metres.
const cellReach = 0.01

// touches reports whether a sphere reaches into what an indoor cell contains.
func touches(g *dat.Shapes, c *cell, v space.Vec3, radius float32) bool {
	return reachesIn(g, c, func(n *dat.Node) bool { return space.Dot(n.Normal, v)+n.D > -(radius + cellReach) })
}

// touchesBox is touches for a part's box.
func touchesBox(f *finder, c *cell, b *box) bool {
	return reachesIn(f.world.Shapes, c, func(n *dat.Node) bool {
		for _, v := range b.corners {
			if space.Dot(n.Normal, f.into(c, v))+n.D > -cellReach {
				return true
			}
		}
		return false
	})
}

// reachesIn goes down the planes of a cell's containment tree, as far as what it
// is about lies inside them; it reports whether that is all the way. A cell whose
// structure has no portals contains nothing.
func reachesIn(g *dat.Shapes, c *cell, inside func(n *dat.Node) bool) bool {
	h := &g.Hulls[c.indoor().Hull]
	if h.PortalCount == 0 || h.Cell < 0 {
		return false
	}
	for node := h.Cell; node >= 0; {
		n := &g.Nodes[node]
		if n.Leaf {
			break
		}
		if !inside(n) {
			return false
		}
		node = n.Pos
	}
	return true
}
