package collision

import (
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// The polygon primitives of 14 L3. An edge runs from a polygon's vertex to the
// next, the last one's to the first; its normal points inwards.

// vertices returns the vertices of a polygon.
func vertices(g *dat.Shapes, p *dat.Polygon) []space.Vec3 {
	return g.Vertices[p.First : p.First+p.Count]
}

func distance(p *dat.Polygon, v vec) float32 { return of(&p.Normal).dot(v) + p.D }

// outsideBy returns how far outside an edge from a to b a point of the plane
// lies, negative there, in units of the edge's length, and that length squared.
func outsideBy(p *dat.Polygon, a, b, v vec) (d, edge2 float32) {
	normal := of(&p.Normal).cross(b.minus(a))
	return normal.dot(v.minus(a)), normal.dot(normal)
}

// inside reports whether a point of the plane lies inside all edges.
func inside(g *dat.Shapes, p *dat.Polygon, v vec) bool {
	list := vertices(g, p)
	last := of(&list[len(list)-1])
	for k := range list {
		next := of(&list[k])
		if d, _ := outsideBy(p, last, next, v); d < 0 {
			return false
		}
		last = next
	}
	return true
}

// near reports whether a point of the plane lies inside the polygon or no
// farther than the square root of r2 from its rim. on is the answer when no edge
// decides, given whether the point lies outside one.
func near(g *dat.Shapes, p *dat.Polygon, v vec, r2 float32, on func(outside bool) bool) bool {
	list := vertices(g, p)
	last := of(&list[len(list)-1])
	outside := false
	for k := range list {
		next, way := of(&list[k]), v.minus(last)
		if d, edge2 := outsideBy(p, last, next, v); d < 0 {
			if float32(edge2*r2) < float32(d*d) {
				return false
			}
			edge := next.minus(last)
			if along := way.dot(edge); along >= 0 && along <= edge.dot(edge) {
				return true
			}
			outside = true
		}
		if way.dot(way) <= r2 {
			return true
		}
		last = next
	}
	return on(outside)
}

// hits reports whether a sphere touches the polygon (hits_sphere).
func hits(g *dat.Shapes, p *dat.Polygon, b *dat.Sphere) bool {
	centre := of(&b.Centre)
	d := distance(p, centre)
	r := b.Radius - Eps
	if space.Abs(d) > r {
		return false
	}
	foot := centre.minus(of(&p.Normal).times(d))
	if inside(g, p, foot) {
		return true
	}
	return near(g, p, foot, float32(r*r)-float32(d*d), never)
}

func never(bool) bool          { return false }
func unless(outside bool) bool { return !outside }

// drop moves a point along up onto the polygon's plane; false when up lies in it.
func drop(p *dat.Polygon, v, up vec) (vec, bool) {
	slope := of(&p.Normal).dot(up)
	if space.Abs(slope) < Eps {
		return v, false
	}
	return v.minus(up.times(distance(p, v) / slope)), true
}

// carries reports whether a sphere stands on the polygon (check_walkable). share
// is 1, or 1/4 for the small variant.
func carries(g *dat.Shapes, polygon int32, b *dat.Sphere, up *space.Vec3, share float32) bool {
	p := &g.Polygons[polygon]
	v, ok := drop(p, of(&b.Centre), of(up))
	return ok && near(g, p, v, float32(b.Radius*b.Radius)*share, unless) // W-9
}

// crossedEdge returns the normal of the first edge that the sphere's centre has
// gone over (find_crossed_edge).
func crossedEdge(g *dat.Shapes, polygon int32, b *dat.Sphere, up *space.Vec3) (n space.Vec3, ok bool) {
	p := &g.Polygons[polygon]
	v, ok := drop(p, of(&b.Centre), of(up))
	if !ok {
		return n, false
	}
	list := vertices(g, p)
	last := of(&list[len(list)-1])
	for k := range list {
		next := of(&list[k])
		if d, edge2 := outsideBy(p, last, next, v); d < 0 && edge2 > 0 {
			n, _ = space.NormalizeCheckSmall(of(&p.Normal).cross(next.minus(last)).array())
			return n, true
		}
		last = next
	}
	return n, false
}

// toPlane moves a sphere against its movement until it touches the polygon's
// plane, taking that from interp (adjust_sphere_to_plane). It reports false, and
// moves nothing, when that is out of reach.
func toPlane(p *dat.Polygon, b *dat.Sphere, movement *space.Vec3, interp *float32) bool {
	d, m := distance(p, of(&b.Centre)), of(movement).dot(of(&p.Normal))
	if space.Abs(m) <= Eps {
		return false
	}
	far := d - b.Radius
	if m > 0 {
		far = -b.Radius - d
	}
	k := far / m
	w := float32((1 - k) * *interp)
	if w >= *interp || w < -0.5 {
		return false
	}
	of(&b.Centre).minus(of(movement).times(k)).to(&b.Centre)
	*interp = w
	return true
}

// push moves two spheres together until the first, which the polygon cuts, is
// clear of it (adjust_to_placement_poly; W-10).
func push(p *dat.Polygon, struck, other *dat.Sphere, radius float32, centreSolid, solidCheck bool) {
	d := distance(p, of(&struck.Centre))
	by := radius
	if solidCheck {
		if centreSolid {
			by = -by
		}
		if d <= 0 {
			by = -by
		}
	}
	v := space.Scale(p.Normal, by-d)
	struck.Centre = space.Add(struck.Centre, v)
	other.Centre = space.Add(other.Centre, v)
}
