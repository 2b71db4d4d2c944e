package space

import "math"

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

// near reports whether two numbers differ by at most tol; a NaN is near nothing.
func near(a, b, tol float64) bool { return math.Abs(a-b) <= tol }
