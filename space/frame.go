package space

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
)

// Quat is a rotation, W and V = (x, y, z).
type Quat = mgl32.Quat

// Frame is a place and a rotation in the axes of something else: of the
// landblock for a body, of the body for a part or an offset (spec 10 §2).
type Frame struct {
	Origin   Vec3
	Rotation Quat
}

// NormTolerance bounds | |q|² − 1 | of a valid rotation (spec 10 §1).
const NormTolerance = 0.0009999999

// IdentityQuat is no rotation.
var IdentityQuat = Quat{W: 1}

// Identity is the frame that changes nothing.
var Identity = Frame{Rotation: IdentityQuat}

// Axes are the columns of a rotation matrix: where the local axes point.
type Axes struct{ X, Y, Z Vec3 }

// AxesOf returns the local axes of q in the outer axes (spec 10 §2). The
// all-zero quaternion gives the identity matrix.
func AxesOf(q Quat) Axes {
	w, x, y, z := q.W, q.V[0], q.V[1], q.V[2]
	xx, yy, zz := float32(x*x), float32(y*y), float32(z*z)
	xy, xz, yz := float32(x*y), float32(x*z), float32(y*z)
	wx, wy, wz := float32(w*x), float32(w*y), float32(w*z)
	return Axes{
		Vec3{1 - 2*(yy+zz), 2 * (xy + wz), 2 * (xz - wy)},
		Vec3{2 * (xy - wz), 1 - 2*(xx+zz), 2 * (yz + wx)},
		Vec3{2 * (xz + wy), 2 * (yz - wx), 1 - 2*(xx+yy)},
	}
}

// Forward returns the local Y axis of q: the way a body faces (spec 10 §3).
func Forward(q Quat) Vec3 {
	w, x, y, z := q.W, q.V[0], q.V[1], q.V[2]
	return Vec3{
		2 * (float32(x*y) - float32(w*z)),
		1 - 2*(float32(x*x)+float32(z*z)),
		2 * (float32(y*z) + float32(w*x)),
	}
}

// Out rotates v from local to outer axes.
func (a Axes) Out(v Vec3) Vec3 {
	return Vec3{
		float32(a.X[0]*v[0]) + float32(a.Y[0]*v[1]) + float32(a.Z[0]*v[2]),
		float32(a.X[1]*v[0]) + float32(a.Y[1]*v[1]) + float32(a.Z[1]*v[2]),
		float32(a.X[2]*v[0]) + float32(a.Y[2]*v[1]) + float32(a.Z[2]*v[2]),
	}
}

// In rotates v from outer to local axes.
func (a Axes) In(v Vec3) Vec3 { return Vec3{Dot(a.X, v), Dot(a.Y, v), Dot(a.Z, v)} }

// LocalToGlobalVec rotates v, in the frame's own axes, outwards.
func LocalToGlobalVec(q Quat, v Vec3) Vec3 { return AxesOf(q).Out(v) }

// GlobalToLocalVec rotates v into the frame's own axes.
func GlobalToLocalVec(q Quat, v Vec3) Vec3 { return AxesOf(q).In(v) }

// MulQuat returns a ⊗ b, not normalised.
func MulQuat(a, b Quat) Quat {
	aw, ax, ay, az := a.W, a.V[0], a.V[1], a.V[2]
	bw, bx, by, bz := b.W, b.V[0], b.V[1], b.V[2]
	return Quat{
		W: float32(aw*bw) - float32(ax*bx) - float32(ay*by) - float32(az*bz),
		V: Vec3{
			float32(aw*bx) + float32(ax*bw) + float32(ay*bz) - float32(az*by),
			float32(aw*by) - float32(ax*bz) + float32(ay*bw) + float32(az*bx),
			float32(aw*bz) + float32(ax*by) - float32(ay*bx) + float32(az*bw),
		},
	}
}

// Conj returns the inverse of a unit q.
func Conj(q Quat) Quat { return Quat{W: q.W, V: Vec3{-q.V[0], -q.V[1], -q.V[2]}} }

// Norm2 returns |q|² in float64, where each product is exact.
func Norm2(q Quat) float64 {
	w, x, y, z := float64(q.W), float64(q.V[0]), float64(q.V[1]), float64(q.V[2])
	return float64(w*w) + float64(x*x) + float64(y*y) + float64(z*z)
}

// ValidQuat reports whether q is finite and of unit length within [NormTolerance].
func ValidQuat(q Quat) bool {
	n := Norm2(q) - 1
	return n <= NormTolerance && n >= -NormTolerance // false for NaN and infinities
}

// Valid reports whether the origin holds no NaN or infinity and the rotation is valid (spec 10 §2).
func (f Frame) Valid() bool { return FiniteVec(f.Origin) && ValidQuat(f.Rotation) }

// SetRotate returns q normalised, or old when that is no valid rotation (spec 10 §2 set_rotate).
func SetRotate(q, old Quat) Quat {
	n := Norm2(q)
	if !(n > 0 && n <= math.MaxFloat64) {
		return old
	}
	if n == 1 {
		return q
	}
	s := 1 / math.Sqrt(n)
	r := Quat{
		W: float32(float64(q.W) * s),
		V: Vec3{float32(float64(q.V[0]) * s), float32(float64(q.V[1]) * s), float32(float64(q.V[2]) * s)},
	}
	if !ValidQuat(r) {
		return old
	}
	return r
}

// Combine returns b, expressed in a, in a's outer axes (spec 10 §2, R2.20).
func Combine(a, b Frame) Frame {
	return Frame{
		Origin:   Add(a.Origin, AxesOf(a.Rotation).Out(b.Origin)),
		Rotation: SetRotate(MulQuat(a.Rotation, b.Rotation), a.Rotation),
	}
}

// Subtract undoes Combine(·, b): rotation first, then the origin by the new
// rotation (spec 10 §2 subtract1, R2.21).
func Subtract(a, b Frame) Frame {
	q := SetRotate(MulQuat(a.Rotation, Conj(b.Rotation)), a.Rotation)
	return Frame{Origin: Sub(a.Origin, AxesOf(q).Out(b.Origin)), Rotation: q}
}

// GRotate turns q by the rotation vector v in outer axes, |v| the angle in
// radians; below [Eps] nothing happens (spec 10 §2 grotate).
func GRotate(q Quat, v Vec3) Quat {
	x, y, z := float64(v[0]), float64(v[1]), float64(v[2])
	n2 := float64(x*x) + float64(y*y) + float64(z*z)
	if !(n2 >= float64(Eps2)) {
		return q
	}
	n := math.Sqrt(n2)
	s, c := SinCos(float64(n * 0.5))
	s /= n
	r := Quat{W: float32(c), V: Vec3{float32(float64(x * s)), float32(float64(y * s)), float32(float64(z * s))}}
	return SetRotate(MulQuat(r, q), q)
}

// Rotate turns q by the rotation vector v in q's own axes (spec 10 §2 rotate, R2.22).
func Rotate(q Quat, v Vec3) Quat { return GRotate(q, AxesOf(q).Out(v)) }

// InterpolateRotation goes the fraction t of the shortest way from a to b
// (spec 10 §2): a slerp, a straight line when they are close or a weight would
// leave [0,1].
func InterpolateRotation(a, b Quat, t float32) Quat {
	dot := float64(float64(a.W)*float64(b.W)) + float64(float64(a.V[0])*float64(b.V[0])) +
		float64(float64(a.V[1])*float64(b.V[1])) + float64(float64(a.V[2])*float64(b.V[2]))
	if dot < 0 {
		dot = -dot
		b = Quat{W: -b.W, V: Vec3{-b.V[0], -b.V[1], -b.V[2]}}
	}
	ta := float64(t)
	wa, wb := 1-ta, ta
	if 1-dot > float64(Eps) {
		s := math.Sqrt((1 - dot) * (1 + dot))
		angle := Atan2(s, dot)
		p, q := Sin(float64((1-ta)*angle))/s, Sin(float64(ta*angle))/s
		if p >= 0 && p <= 1 && q >= 0 && q <= 1 {
			wa, wb = p, q
		}
	}
	mix := func(x, y float32) float32 { return float32(float64(wa*float64(x)) + float64(wb*float64(y))) }
	return SetRotate(Quat{W: mix(a.W, b.W), V: Vec3{mix(a.V[0], b.V[0]), mix(a.V[1], b.V[1]), mix(a.V[2], b.V[2])}}, a)
}

// InterpolateOrigin goes the fraction t of the straight way from a to b.
func InterpolateOrigin(a, b Vec3, t float32) Vec3 { return Add(a, Scale(Sub(b, a), t)) }
