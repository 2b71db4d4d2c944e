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

func distance(p *dat.Polygon, v space.Vec3) float32 { return space.Dot(p.Normal, v) + p.D }

// outsideBy returns how far outside an edge from a to b a point of the plane
// lies, negative there, in units of the edge's length, and that length squared.
func outsideBy(p *dat.Polygon, a, b, v space.Vec3) (d, edge2 float32) {
	normal := cross(p.Normal, space.Sub(b, a))
	return space.Dot(normal, space.Sub(v, a)), space.Length2(normal)
}

// inside reports whether a point of the plane lies inside all edges.
func inside(g *dat.Shapes, p *dat.Polygon, v space.Vec3) bool {
	list := vertices(g, p)
	last := list[len(list)-1]
	for _, next := range list {
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
func near(g *dat.Shapes, p *dat.Polygon, v space.Vec3, r2 float32, on func(outside bool) bool) bool {
	list := vertices(g, p)
	last := list[len(list)-1]
	outside := false
	for _, next := range list {
		way := space.Sub(v, last)
		if d, edge2 := outsideBy(p, last, next, v); d < 0 {
			if float32(edge2*r2) < float32(d*d) {
				return false
			}
			edge := space.Sub(next, last)
			if along := space.Dot(way, edge); along >= 0 && along <= space.Length2(edge) {
				return true
			}
			outside = true
		}
		if space.Length2(way) <= r2 {
			return true
		}
		last = next
	}
	return on(outside)
}

// hits reports whether a sphere touches the polygon (hits_sphere).
func hits(g *dat.Shapes, p *dat.Polygon, b *dat.Sphere) bool {
	d := distance(p, b.Centre)
	r := b.Radius - Eps
	if space.Abs(d) > r {
		return false
	}
	foot := space.Sub(b.Centre, space.Scale(p.Normal, d))
	if inside(g, p, foot) {
		return true
	}
	return near(g, p, foot, float32(r*r)-float32(d*d), never)
}

func never(bool) bool          { return false }
func unless(outside bool) bool { return !outside }

// drop moves a point along up onto the polygon's plane; false when up lies in it.
func drop(p *dat.Polygon, v, up space.Vec3) (space.Vec3, bool) {
	slope := space.Dot(p.Normal, up)
	if space.Abs(slope) < Eps {
		return v, false
	}
	return space.Sub(v, space.Scale(up, distance(p, v)/slope)), true
}

// carries reports whether a sphere stands on the polygon (check_walkable). share
// is 1, or 1/4 for the small variant.
func carries(g *dat.Shapes, polygon int32, b *dat.Sphere, up space.Vec3, share float32) bool {
	p := &g.Polygons[polygon]
	v, ok := drop(p, b.Centre, up)
	return ok && near(g, p, v, float32(b.Radius*b.Radius)*share, unless) // W-9
}

// crossedEdge returns the normal of the first edge that the sphere's centre has
// gone over (find_crossed_edge).
func crossedEdge(g *dat.Shapes, polygon int32, b *dat.Sphere, up space.Vec3) (n space.Vec3, ok bool) {
	p := &g.Polygons[polygon]
	v, ok := drop(p, b.Centre, up)
	if !ok {
		return n, false
	}
	list := vertices(g, p)
	last := list[len(list)-1]
	for _, next := range list {
		if d, edge2 := outsideBy(p, last, next, v); d < 0 && edge2 > 0 {
			n, _ = space.NormalizeCheckSmall(cross(p.Normal, space.Sub(next, last)))
			return n, true
		}
		last = next
	}
	return n, false
}

// toPlane moves a sphere against its movement until it touches the polygon's
// plane, taking that from interp (adjust_sphere_to_plane). It reports false, and
// moves nothing, when that is out of reach.
func toPlane(p *dat.Polygon, b *dat.Sphere, movement space.Vec3, interp *float32) bool {
	d, m := distance(p, b.Centre), space.Dot(movement, p.Normal)
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
	b.Centre = space.Sub(b.Centre, space.Scale(movement, k))
	*interp = w
	return true
}

// push moves two spheres together until the first, which the polygon cuts, is
// clear of it (adjust_to_placement_poly; W-10).
func push(p *dat.Polygon, struck, other *dat.Sphere, radius float32, centreSolid, solidCheck bool) {
	d := distance(p, struck.Centre)
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
