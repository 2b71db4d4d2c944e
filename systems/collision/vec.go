package collision

import "github.com/gait-engine/gait/space"

// vec is a vector that stays in registers, for the kernels: a [space.Vec3] is an array, which
// goes through memory, and one that is read at once when it has just been written number by
// number has to wait for it. What it comes to is space's, to the bit.
type vec struct{ x, y, z float32 }

func of(v *space.Vec3) vec { return vec{v[0], v[1], v[2]} }

func (a vec) array() space.Vec3 { return space.Vec3{a.x, a.y, a.z} }

func (a vec) to(v *space.Vec3) { v[0], v[1], v[2] = a.x, a.y, a.z }

func (a vec) plus(b vec) vec  { return vec{a.x + b.x, a.y + b.y, a.z + b.z} }
func (a vec) minus(b vec) vec { return vec{a.x - b.x, a.y - b.y, a.z - b.z} }

func (a vec) times(s float32) vec { return vec{float32(a.x * s), float32(a.y * s), float32(a.z * s)} }

func (a vec) over(s float32) vec { return vec{a.x / s, a.y / s, a.z / s} }

// out and in rotate v from the axes of a outwards and back.
func out(a *space.Axes, v vec) (r vec) {
	r.x, r.y, r.z = a.Outwards(v.x, v.y, v.z)
	return r
}

func in(a *space.Axes, v vec) (r vec) {
	r.x, r.y, r.z = a.Inwards(v.x, v.y, v.z)
	return r
}

func (a vec) dot(b vec) float32 { return float32(a.x*b.x) + float32(a.y*b.y) + float32(a.z*b.z) }

func (a vec) cross(b vec) vec {
	return vec{
		float32(a.y*b.z) - float32(a.z*b.y),
		float32(a.z*b.x) - float32(a.x*b.z),
		float32(a.x*b.y) - float32(a.y*b.x),
	}
}
