package collision

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// World is what sweeps run against. Nothing in it changes while sweeps run side
// by side, but that Land may load blocks.
type World struct {
	Tables *dat.Tables
	Shapes *dat.Shapes
	Land   *Land
	Crowd  *Crowd // nil: nobody
}

// Plane is Normal·p + D = 0, the normal of unit length.
type Plane = dat.Plane

// height returns the distance of v from the plane, positive on the side of the normal.
func height(p *Plane, v space.Vec3) float32 { return heightAt(p, v[0], v[1], v[2]) }

func heightAt(p *Plane, x, y, z float32) float32 {
	return float32(p.Normal[0]*x) + float32(p.Normal[1]*y) + float32(p.Normal[2]*z) + p.D
}

// Ground is the plane that a body touches: in the axes of the block of Cell.
type Ground struct {
	Plane Plane
	Cell  space.CellID
	Valid bool
	Water bool
}

func (g *Ground) set(p *Plane, cell space.CellID, water bool) {
	*g = Ground{Plane: *p, Cell: cell, Valid: true, Water: water}
}

// clear is "clear contact" of spec 14 §1: plane and cell stay.
func (g *Ground) clear() { g.Valid, g.Water = false, false }

// direction is a normal that there may be.
type direction struct {
	Valid  bool
	Normal space.Vec3
}

// set takes v at length 1, the zero vector when it is too small (14 §1, W-21).
func (d *direction) set(v space.Vec3) {
	n, small := space.NormalizeCheckSmall(v)
	if small {
		n = space.Vec3{}
	}
	*d = direction{true, n}
}

// setFlat is set_sliding_normal: z is dropped first.
func (d *direction) setFlat(v space.Vec3) { d.set(space.Vec3{v[0], v[1], 0}) }

// Body says who is swept (14 §1, object info). Lengths in metres.
type Body struct {
	Guid   uint32 // whom its own sweep does not meet
	Target uint32 // of a missile, 0 none
	// Spheres are the setup's path spheres times the scale.
	Spheres     [2]dat.Sphere
	SphereCount int
	StepUp      float32
	StepDown    float32
	State       components.StateBits
	Traits      components.TraitFlags
	// Passes is the restriction object that does not hold this player up, 0 none.
	Passes     uint32
	FreeRotate bool // the setup allows free heading

	upright bool    // the spheres' centres lie on its axis
	widest  float32 // the greatest radius, m
}

// reach is how far in plan from the centre of the first sphere a body runs into
// things, with its spheres around two centres: by the radius of the first against
// bodies, by each one's own against polygons.
func (b *Body) reach(centre *[2]space.Vec3) float32 {
	const slack = 0.01 // m, for what rounding does
	r := b.Spheres[0].Radius + slack
	if b.SphereCount > 1 {
		x, y := centre[1][0]-centre[0][0], centre[1][1]-centre[0][1]
		r = max(r, b.Spheres[1].Radius+slack)
		if x != 0 || y != 0 {
			r += space.Abs(x) + space.Abs(y)
		}
	}
	return r
}

// swing bounds how far in plan the centres of the spheres, which a sub-step only moves, come
// to lie from where they are for polygons, which see them turned (14 §3, §4), metres.
func (b *Body) swing(from, to *space.Quat) (far float32) {
	if *from == *to || b.upright && from.V[0] == 0 && from.V[1] == 0 && to.V[0] == 0 && to.V[1] == 0 {
		return 0
	}
	for i := range b.SphereCount {
		far = max(far, space.Length(b.Spheres[i].Centre))
	}
	return far + far + 0.01 // for what rounding does
}

// DummySphere stands for the spheres of a body without any (14 §2).
var DummySphere = dat.Sphere{Centre: space.Vec3{0, 0, 0.1}, Radius: 0.1}

// Standing is what a body brings into a movement sweep from the last one.
type Standing struct {
	Ground     Ground     // Valid: transient CONTACT
	OnWalkable bool       // transient ON_WALKABLE
	Sliding    bool       // transient SLIDING
	Normal     space.Vec3 // the sliding normal
	Velocity   space.Vec3 // m/s, world axes: whether it moves off its ground
	Stationary int        // 3 STUCK, 2 STOP, 1 FALL: the first of the transient bits that is set (14 §2)
}
