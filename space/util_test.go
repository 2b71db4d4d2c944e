package space

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// lcg is a generator whose numbers are the same on every machine and in every
// release, for tables and golden values. Rapid's draws are not.
type lcg uint64

func (g *lcg) next() uint64 {
	*g = *g*6364136223846793005 + 1442695040888963407
	return uint64(*g >> 33)
}

// unit returns a number in [0,1).
func (g *lcg) unit() float64 { return float64(g.next()) / (1 << 31) }

// float returns a number in [low,high).
func (g *lcg) float(low, high float64) float32 {
	return float32(low + float64((high-low)*g.unit()))
}

var (
	inf32     = float32(math.Inf(1))
	nan32     = float32(math.NaN())
	negZero32 = float32(math.Copysign(0, -1))
)

// hostile are the numbers that no state holds but any function may be handed.
var hostile = []float32{
	0, negZero32, 1, -1, Eps, -Eps, math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32,
	1e10, -1e10, 1e20, -1e20, math.MaxFloat32, -math.MaxFloat32, inf32, -inf32, nan32,
}

// near reports whether two numbers differ by at most tol; a NaN is near nothing.
func near(a, b, tol float64) bool { return math.Abs(a-b) <= tol }

func nearVec(a, b Vec3, tol float64) bool {
	for i := range a {
		if !near(float64(a[i]), float64(b[i]), tol) {
			return false
		}
	}
	return true
}

func nearQuat(a, b Quat, tol float64) bool {
	return near(float64(a.W), float64(b.W), tol) && nearVec(a.V, b.V, tol)
}

// sameTurn reports whether two quaternions are one rotation: q and −q are.
func sameTurn(a, b Quat, tol float64) bool {
	return nearQuat(a, b, tol) || nearQuat(a, Quat{W: -b.W, V: Vec3{-b.V[0], -b.V[1], -b.V[2]}}, tol)
}

// exact compares bits: NaN equals itself, +0 and −0 differ.
func exact(a, b Quat) bool {
	same := math.Float32bits(a.W) == math.Float32bits(b.W)
	for i := range a.V {
		same = same && math.Float32bits(a.V[i]) == math.Float32bits(b.V[i])
	}
	return same
}

// unitError is | |q| − 1 |.
func unitError(q Quat) float64 { return math.Abs(math.Sqrt(Norm2(q)) - 1) }

// about is the rotation by an angle in degrees about an axis.
func about(axis Vec3, degreesAround float64) Quat {
	s, c := math.Sincos(degreesAround * math.Pi / 360)
	return SetRotate(Quat{W: float32(c), V: Scale(axis, float32(s))}, IdentityQuat)
}

var (
	axisX = Vec3{1, 0, 0}
	axisY = Vec3{0, 1, 0}
	axisZ = Vec3{0, 0, 1}
)

func wantVec(t *testing.T, what string, got, want Vec3, tol float64) {
	t.Helper()
	if !nearVec(got, want, tol) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func wantQuat(t *testing.T, what string, got, want Quat, tol float64) {
	t.Helper()
	if !nearQuat(got, want, tol) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func wantNear(t *testing.T, what string, got float32, want, tol float64) {
	t.Helper()
	if !near(float64(got), want, tol) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// Generators of valid state.

func drawVec(max float32) *rapid.Generator[Vec3] {
	return rapid.Custom(func(t *rapid.T) Vec3 {
		g := rapid.Float32Range(-max, max)
		return Vec3{g.Draw(t, "x"), g.Draw(t, "y"), g.Draw(t, "z")}
	})
}

func drawQuat() *rapid.Generator[Quat] {
	return rapid.Custom(func(t *rapid.T) Quat {
		g := rapid.Float32Range(-1, 1)
		return SetRotate(Quat{W: g.Draw(t, "w"), V: drawVec(1).Draw(t, "v")}, IdentityQuat)
	})
}

func drawFrame(max float32) *rapid.Generator[Frame] {
	return rapid.Custom(func(t *rapid.T) Frame {
		return Frame{Origin: drawVec(max).Draw(t, "origin"), Rotation: drawQuat().Draw(t, "rotation")}
	})
}

// drawOutdoorCell stays two blocks away from the edge of the world.
func drawOutdoorCell() *rapid.Generator[CellID] {
	return rapid.Custom(func(t *rapid.T) CellID {
		g := rapid.Int32Range(16, WorldCells-17)
		return LCoordToCell(g.Draw(t, "x"), g.Draw(t, "y"))
	})
}
