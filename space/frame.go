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

// Unturned reports whether q is exactly no rotation.
func Unturned(q *Quat) bool { return q.W == 1 && q.V[0] == 0 && q.V[1] == 0 && q.V[2] == 0 }

// IsIdentity reports whether f changes nothing, exactly.
func (f *Frame) IsIdentity() bool { return Zero(&f.Origin) && Unturned(&f.Rotation) }

// Reset makes f [Identity], number by number: see [CombineTo].
func (f *Frame) Reset() {
	f.Origin[0], f.Origin[1], f.Origin[2] = 0, 0, 0
	f.Rotation.W, f.Rotation.V[0], f.Rotation.V[1], f.Rotation.V[2] = 1, 0, 0, 0
}

// Axes are the columns of a rotation matrix: where the local axes point.
type Axes struct{ X, Y, Z Vec3 }

// AxesOf returns the local axes of q in the outer axes (spec 10 §2). The
// all-zero quaternion gives the identity matrix.
func AxesOf(q Quat) (a Axes) {
	AxesTo(&a, &q)
	return a
}

// AxesTo is [AxesOf] in place: see [CombineTo].
func AxesTo(a *Axes, q *Quat) {
	a.X[0], a.X[1], a.X[2], a.Y[0], a.Y[1], a.Y[2], a.Z[0], a.Z[1], a.Z[2] = matrix(q.W, q.V[0], q.V[1], q.V[2])
}

// matrix is the table of 10 §2 in scalars, which stay in registers where
// arrays go through memory. Doubling comes first and is exact.
func matrix(w, x, y, z float32) (xx, xy, xz, yx, yy, yz, zx, zy, zz float32) {
	xx, xy, xz = columnX(w, x, y, z)
	yx, yy, yz = columnY(w, x, y, z)
	zx, zy, zz = columnZ(w, x, y, z)
	return xx, xy, xz, yx, yy, yz, zx, zy, zz
}

// The columns of the matrix, where the local axes point, and below its rows are small enough for the compiler to put them
// in line, where it makes products that two of them have in common once.
func columnX(w, x, y, z float32) (xx, xy, xz float32) {
	y2, z2 := y+y, z+z
	return 1 - (float32(y*y2) + float32(z*z2)), float32(x*y2) + float32(w*z2), float32(x*z2) - float32(w*y2)
}

func columnY(w, x, y, z float32) (yx, yy, yz float32) {
	x2, y2, z2 := x+x, y+y, z+z
	return float32(x*y2) - float32(w*z2), 1 - (float32(x*x2) + float32(z*z2)), float32(y*z2) + float32(w*x2)
}

func columnZ(w, x, y, z float32) (zx, zy, zz float32) {
	x2, y2, z2 := x+x, y+y, z+z
	return float32(x*z2) + float32(w*y2), float32(y*z2) - float32(w*x2), 1 - (float32(x*x2) + float32(y*y2))
}

// OutX, OutY and OutZ are the numbers of v, in the axes of a rotation, as [Axes.Out] has them.
func OutX(w, x, y, z float32, v *Vec3) float32 {
	y2, z2 := y+y, z+z
	return float32((1-(float32(y*y2)+float32(z*z2)))*v[0]) + float32((float32(x*y2)-float32(w*z2))*v[1]) + float32((float32(x*z2)+float32(w*y2))*v[2])
}

// OutY is the second of them.
func OutY(w, x, y, z float32, v *Vec3) float32 {
	x2, y2, z2 := x+x, y+y, z+z
	return float32((float32(x*y2)+float32(w*z2))*v[0]) + float32((1-(float32(x*x2)+float32(z*z2)))*v[1]) + float32((float32(y*z2)-float32(w*x2))*v[2])
}

// OutZ is the third of them.
func OutZ(w, x, y, z float32, v *Vec3) float32 {
	x2, y2, z2 := x+x, y+y, z+z
	return float32((float32(x*z2)-float32(w*y2))*v[0]) + float32((float32(y*z2)+float32(w*x2))*v[1]) + float32((1-(float32(x*x2)+float32(y*y2)))*v[2])
}

// Forward returns the local Y axis of q: the way a body faces (spec 10 §3).
func Forward(q Quat) (y Vec3) {
	y[0], y[1], y[2] = columnY(q.W, q.V[0], q.V[1], q.V[2])
	return y
}

// Out rotates v from local to outer axes.
func (a *Axes) Out(v Vec3) (r Vec3) {
	r[0], r[1], r[2] = a.Outwards(v[0], v[1], v[2])
	return r
}

// Outwards is [Axes.Out] of (x, y, z), for hot loops: see [At].
func (a *Axes) Outwards(x, y, z float32) (ox, oy, oz float32) {
	return float32(a.X[0]*x) + float32(a.Y[0]*y) + float32(a.Z[0]*z),
		float32(a.X[1]*x) + float32(a.Y[1]*y) + float32(a.Z[1]*z),
		float32(a.X[2]*x) + float32(a.Y[2]*y) + float32(a.Z[2]*z)
}

// In rotates v from outer to local axes.
func (a *Axes) In(v Vec3) (r Vec3) {
	r[0], r[1], r[2] = a.Inwards(v[0], v[1], v[2])
	return r
}

// Inwards is [Axes.In] of (x, y, z).
func (a *Axes) Inwards(x, y, z float32) (ix, iy, iz float32) {
	return float32(a.X[0]*x) + float32(a.X[1]*y) + float32(a.X[2]*z),
		float32(a.Y[0]*x) + float32(a.Y[1]*y) + float32(a.Y[2]*z),
		float32(a.Z[0]*x) + float32(a.Z[1]*y) + float32(a.Z[2]*z)
}

// LocalToGlobalVec rotates v, in the frame's own axes, outwards. To rotate
// several vectors by one q, take [AxesOf] once.
func LocalToGlobalVec(q Quat, v Vec3) (r Vec3) {
	w, x, y, z := q.W, q.V[0], q.V[1], q.V[2]
	r[0], r[1], r[2] = OutX(w, x, y, z, &v), OutY(w, x, y, z, &v), OutZ(w, x, y, z, &v)
	return r
}

// GlobalToLocalVec rotates v into the frame's own axes.
func GlobalToLocalVec(q Quat, v Vec3) (r Vec3) {
	xx, xy, xz, yx, yy, yz, zx, zy, zz := matrix(q.W, q.V[0], q.V[1], q.V[2])
	r[0] = float32(xx*v[0]) + float32(xy*v[1]) + float32(xz*v[2])
	r[1] = float32(yx*v[0]) + float32(yy*v[1]) + float32(yz*v[2])
	r[2] = float32(zx*v[0]) + float32(zy*v[1]) + float32(zz*v[2])
	return r
}

// MulQuat returns a ⊗ b, not normalised.
func MulQuat(a, b Quat) (r Quat) {
	r.W, r.V[0], r.V[1], r.V[2] = mul(a.W, a.V[0], a.V[1], a.V[2], b.W, b.V[0], b.V[1], b.V[2])
	return r
}

func mul(aw, ax, ay, az, bw, bx, by, bz float32) (w, x, y, z float32) {
	return float32(aw*bw) - float32(ax*bx) - float32(ay*by) - float32(az*bz),
		float32(aw*bx) + float32(ax*bw) + float32(ay*bz) - float32(az*by),
		float32(aw*by) - float32(ax*bz) + float32(ay*bw) + float32(az*bx),
		float32(aw*bz) + float32(ax*by) - float32(ay*bx) + float32(az*bw)
}

// Conj returns the inverse of a unit q.
func Conj(q Quat) Quat { return Quat{W: q.W, V: Vec3{-q.V[0], -q.V[1], -q.V[2]}} }

// Norm2 returns |q|² in float64, where each product is exact.
func Norm2(q Quat) float64 { return norm2(q.W, q.V[0], q.V[1], q.V[2]) }

func norm2(qw, qx, qy, qz float32) float64 {
	w, x, y, z := float64(qw), float64(qx), float64(qy), float64(qz)
	return float64(w*w) + float64(x*x) + float64(y*y) + float64(z*z)
}

// ValidQuat reports whether q is finite and of unit length within [NormTolerance].
func ValidQuat(q Quat) bool {
	n := Norm2(q) - 1
	return n <= NormTolerance && n >= -NormTolerance // false for NaN and infinities
}

// Valid reports whether the origin holds no NaN or infinity and the rotation is valid (spec 10 §2).
func (f Frame) Valid() bool { return FiniteVec(f.Origin) && ValidQuat(f.Rotation) }

// ValidExceptHeading reports whether the origin is finite while some component
// of the rotation is NaN (spec 10 §2).
func (f Frame) ValidExceptHeading() bool {
	q := f.Rotation
	return FiniteVec(f.Origin) && (q.W != q.W || q.V[0] != q.V[0] || q.V[1] != q.V[1] || q.V[2] != q.V[2])
}

// SetFrame returns the frame a body stores when it is given f: a rotation that
// is NaN becomes all zero, which turns nothing, and the origin is kept
// (spec 10 §2 set_frame).
func SetFrame(f Frame) Frame {
	if f.ValidExceptHeading() {
		f.Rotation = Quat{}
	}
	return f
}

const (
	// unitSlack is how far | |q|² − 1 | can be from 0 when every component of
	// a unit quaternion was rounded to 32 bits once: 2⁻²³, and a little for the
	// sum. No 32-bit normalisation does better, so such a q is left alone, and
	// SetRotate of its own result is that result.
	unitSlack = 1.25e-7
	// below firstOrder, 1 − d/2 is 1/√(1+d) to within 4e-11
	firstOrder = 1e-5
)

// SetRotate returns q normalised, or old when that is no valid rotation: q has
// a NaN or an infinity, or no length (spec 10 §2 set_rotate). A q that is unit
// as far as 32 bits can tell comes back as it is.
func SetRotate(q, old Quat) (r Quat) {
	w, x, y, z, ok := normal(q.W, q.V[0], q.V[1], q.V[2])
	if !ok {
		return old
	}
	r.W, r.V[0], r.V[1], r.V[2] = w, x, y, z
	return r
}

// IsUnit reports whether q is unit as far as 32 bits can tell: [SetRotate] leaves it as it is.
func IsUnit(q *Quat) bool { return isUnit(norm2(q.W, q.V[0], q.V[1], q.V[2])) }

func isUnit(norm2 float64) bool { return norm2-1 <= unitSlack && norm2-1 >= -unitSlack }

func normal(w, x, y, z float32) (nw, nx, ny, nz float32, ok bool) {
	fw, fx, fy, fz := float64(w), float64(x), float64(y), float64(z)
	n := norm2(w, x, y, z)
	d := n - 1
	if isUnit(n) {
		return w, x, y, z, true
	}
	var s float64
	if d < firstOrder && d > -firstOrder {
		s = 1 - float64(0.5*d)
	} else if n > 0 && n <= math.MaxFloat64 { // the square of no finite float32 leaves float64's range
		s = 1 / math.Sqrt(n)
	} else {
		return w, x, y, z, false
	}
	return float32(fw * s), float32(fx * s), float32(fy * s), float32(fz * s), true
}

// Combine returns b, expressed in a, in a's outer axes (spec 10 §2, R2.20).
// Combining with [Identity] changes no bit of a valid frame that was stored
// through [SetRotate].
func Combine(a, b Frame) (r Frame) {
	CombineTo(&r, &a, &b)
	return r
}

// Moved returns where f's origin is when it has moved by v in f's own axes: that of [Combine].
func Moved(f *Frame, v *Vec3) (x, y, z float32) {
	w, i, j, k := f.Rotation.W, f.Rotation.V[0], f.Rotation.V[1], f.Rotation.V[2]
	return f.Origin[0] + OutX(w, i, j, k, v), f.Origin[1] + OutY(w, i, j, k, v), f.Origin[2] + OutZ(w, i, j, k, v)
}

// CombineTo is [Combine] in place; r may be a or b. Frames that are handed on
// in hot loops go by pointer and are written number by number: a copy that
// reads wide what was just written narrow has to wait for it.
func CombineTo(r, a, b *Frame) {
	aw, ax, ay, az := a.Rotation.W, a.Rotation.V[0], a.Rotation.V[1], a.Rotation.V[2]
	ox, oy, oz := Moved(a, &b.Origin)
	w, x, y, z := aw, ax, ay, az
	if !Unturned(&b.Rotation) {
		w, x, y, z = mul(aw, ax, ay, az, b.Rotation.W, b.Rotation.V[0], b.Rotation.V[1], b.Rotation.V[2])
	}
	w, x, y, z, ok := normal(w, x, y, z)
	if !ok {
		w, x, y, z = aw, ax, ay, az
	}
	r.Origin[0], r.Origin[1], r.Origin[2] = ox, oy, oz
	r.Rotation.W, r.Rotation.V[0], r.Rotation.V[1], r.Rotation.V[2] = w, x, y, z
}

// CombineScaled is [Combine] with b's origin scaled component by component
// first, as part placement does (spec 10 §2).
func CombineScaled(a, b Frame, scale Vec3) Frame {
	b.Origin = Mul(b.Origin, scale)
	return Combine(a, b)
}

// Subtract undoes Combine(·, b): rotation first, then the origin by the new
// rotation (spec 10 §2 subtract1, R2.21, D-6).
func Subtract(a, b Frame) (r Frame) {
	aw, ax, ay, az := a.Rotation.W, a.Rotation.V[0], a.Rotation.V[1], a.Rotation.V[2]
	w, x, y, z, ok := normal(mul(aw, ax, ay, az, b.Rotation.W, -b.Rotation.V[0], -b.Rotation.V[1], -b.Rotation.V[2]))
	if !ok {
		w, x, y, z = aw, ax, ay, az
	}
	r.Rotation.W, r.Rotation.V[0], r.Rotation.V[1], r.Rotation.V[2] = w, x, y, z
	xx, xy, xz, yx, yy, yz, zx, zy, zz := matrix(w, x, y, z)
	x, y, z = b.Origin[0], b.Origin[1], b.Origin[2]
	r.Origin[0] = a.Origin[0] - (float32(xx*x) + float32(yx*y) + float32(zx*z))
	r.Origin[1] = a.Origin[1] - (float32(xy*x) + float32(yy*y) + float32(zy*z))
	r.Origin[2] = a.Origin[2] - (float32(xz*x) + float32(yz*y) + float32(zz*z))
	return r
}

// GRotate turns q by the rotation vector v in outer axes, |v| the angle in
// radians; below [Eps] nothing happens, nor when v is not finite (spec 10 §2
// grotate, D-7).
func GRotate(q Quat, v Vec3) Quat {
	var r Quat
	if TurnTo(&r, v[0], v[1], v[2]) {
		SetProduct(&q, &r, &q)
	}
	return q
}

// Rotate turns q by the rotation vector v in q's own axes (spec 10 §2 rotate,
// R2.22). Turning v outwards and then turning by it from the left, as the rule
// has it, is turning by it from the right.
func Rotate(q Quat, v Vec3) Quat {
	var r Quat
	if TurnTo(&r, v[0], v[1], v[2]) {
		SetProduct(&q, &q, &r)
	}
	return q
}

// TurnTo makes r the rotation that the rotation vector (x, y, z) stands for, its length the angle
// in radians; ok is false when it is below [Eps] or not finite, and so turns nothing.
func TurnTo(r *Quat, x, y, z float32) (ok bool) {
	fx, fy, fz := float64(x), float64(y), float64(z)
	n2 := float64(fx*fx) + float64(fy*fy) + float64(fz*fz)
	if !(n2 >= float64(Eps2)) {
		return false
	}
	n := math.Sqrt(n2)
	s, c := SinCos(float64(n * 0.5))
	s /= n
	r.W, r.V[0], r.V[1], r.V[2] = float32(c), float32(fx*s), float32(fy*s), float32(fz*s)
	return true
}

// SetProduct makes r a ⊗ b through set_rotate: what gives no valid rotation
// changes nothing. r may be a or b.
func SetProduct(r, a, b *Quat) {
	w, x, y, z, ok := normal(mul(a.W, a.V[0], a.V[1], a.V[2], b.W, b.V[0], b.V[1], b.V[2]))
	if ok {
		r.W, r.V[0], r.V[1], r.V[2] = w, x, y, z
	}
}

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
