package space

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
)

// Eps is retail's general tolerance (spec 10 §1): the vector zero test, vector
// equality, small normalisation, clock noise.
const Eps float32 = 0.00019999999

// Eps2 is Eps squared: the squared rotation angle or step below which nothing moves.
const Eps2 float32 = 3.9999996e-8

// Vec3 is a vector in metres, metres a second or radians, as the name holding it says.
type Vec3 = mgl32.Vec3

// Add returns a + b.
func Add(a, b Vec3) Vec3 { return Vec3{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }

// Sub returns a − b.
func Sub(a, b Vec3) Vec3 { return Vec3{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

// Scale returns v·s, rounded per component, so that adding to it cannot fuse.
func Scale(v Vec3, s float32) Vec3 {
	return Vec3{float32(v[0] * s), float32(v[1] * s), float32(v[2] * s)}
}

// Mul returns the componentwise product a·b.
func Mul(a, b Vec3) Vec3 {
	return Vec3{float32(a[0] * b[0]), float32(a[1] * b[1]), float32(a[2] * b[2])}
}

// Dot returns the scalar product.
func Dot(a, b Vec3) float32 {
	return float32(a[0]*b[0]) + float32(a[1]*b[1]) + float32(a[2]*b[2])
}

// Length2 returns |v|².
func Length2(v Vec3) float32 { return Dot(v, v) }

// ScaleBy makes v what [Scale] returns.
func ScaleBy(v *Vec3, s float32) {
	v[0], v[1], v[2] = float32(v[0]*s), float32(v[1]*s), float32(v[2]*s)
}

// Length returns |v|, with float64 inside so that it neither overflows nor vanishes.
func Length(v Vec3) float32 { return LengthOf(v[0], v[1], v[2]) }

// LengthOf is [Length] of (x, y, z), for hot loops: see [At].
func LengthOf(x, y, z float32) float32 {
	fx, fy, fz := float64(x), float64(y), float64(z)
	return float32(math.Sqrt(float64(fx*fx) + float64(fy*fy) + float64(fz*fz)))
}

// IsZero reports whether every component is smaller than [Eps] (spec 10 §1).
func IsZero(v Vec3) bool {
	return Abs(v[0]) < Eps && Abs(v[1]) < Eps && Abs(v[2]) < Eps
}

// At is [Equal] of v and (x, y, z), for hot loops: arguments that are arrays go through memory.
func At(v *Vec3, x, y, z float32) bool {
	return Abs(x-v[0]) <= Eps && Abs(y-v[1]) <= Eps && Abs(z-v[2]) <= Eps
}

// Equal reports whether a and b differ by at most [Eps] in each component,
// which is not a bound on the length of their difference (spec 10 §1).
func Equal(a, b Vec3) bool {
	return Abs(a[0]-b[0]) <= Eps && Abs(a[1]-b[1]) <= Eps && Abs(a[2]-b[2]) <= Eps
}

// NormalizeCheckSmall returns v at length 1 and false, or v untouched and true
// when it is shorter than [Eps] (spec 10 §1). A v that is not finite gives NaN
// and false.
func NormalizeCheckSmall(v Vec3) (Vec3, bool) {
	x, y, z := float64(v[0]), float64(v[1]), float64(v[2])
	l := math.Sqrt(float64(x*x) + float64(y*y) + float64(z*z))
	if float32(l) < Eps {
		return v, true
	}
	s := 1 / l
	return Vec3{float32(x * s), float32(y * s), float32(z * s)}, false
}

// Zero reports whether v is exactly the zero vector. Comparing with Vec3{} says
// the same, by way of a call.
func Zero(v *Vec3) bool { return v[0] == 0 && v[1] == 0 && v[2] == 0 }

// Abs is |x| for a float32.
func Abs(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }

// Finite reports whether x is neither NaN nor an infinity.
func Finite(x float32) bool { return math.Float32bits(x)&0x7F800000 != 0x7F800000 }

// FiniteVec reports whether every component is finite.
func FiniteVec(v Vec3) bool { return Finite(v[0]) && Finite(v[1]) && Finite(v[2]) }
