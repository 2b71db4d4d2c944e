package space

import "math"

const (
	degrees = 180 / math.Pi
	radians = math.Pi / 180
)

// Compass returns the compass angle of the direction (x, y) in degrees, [0,360):
// fmod(450 − deg(atan2(y, x)), 360), narrowed once (spec 10 §3). No direction,
// (0,0), is 90, as atan2 has it; NaN gives NaN.
func Compass(x, y float32) float32 {
	h := float32(compass(x, y))
	if h >= 360 { // narrowing 359.99999… may round up
		h = 0
	}
	return h
}

func compass(x, y float32) float64 {
	a := 450 - float64(Atan2(float64(y), float64(x))*degrees)
	if a >= 360 { // a is in [270,630], where this is the remainder, and exact
		a -= 360
	}
	return a
}

// Heading returns the way q faces, in compass degrees (spec 10 §3 get_heading).
func Heading(q Quat) float32 {
	f := Forward(q)
	return Compass(f[0], f[1])
}

// SetHeading returns q turned to face h compass degrees; the forward vector
// keeps its z, a roll is lost (spec 10 §3, D-46).
func SetHeading(q Quat, h float32) Quat {
	s, c := SinCos(float64(float64(h) * radians))
	return SetVectorHeading(q, Vec3{float32(s), float32(c), Forward(q)[2]})
}

// SetVectorHeading returns the rotation that faces along v without roll: yaw,
// then pitch about X. A v shorter than [Eps] changes nothing (spec 10 §3).
func SetVectorHeading(q Quat, v Vec3) Quat {
	v, small := NormalizeCheckSmall(v)
	if small {
		return q
	}
	yaw := -float64(compass(v[0], v[1]) * radians)
	pitch := Asin(float64(v[2]))
	sy, cy := SinCos(float64(yaw * 0.5))
	sp, cp := SinCos(float64(pitch * 0.5))
	// Rz(yaw) ⊗ Rx(pitch)
	r := Quat{
		W: float32(float64(cy * cp)),
		V: Vec3{float32(float64(cy * sp)), float32(float64(sy * sp)), float32(float64(sy * cp))},
	}
	return SetRotate(r, q)
}
