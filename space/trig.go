package space

import "math"

// Trigonometry of our own: math's differs between machines (spec design rule 2).
// Each function rounds every product explicitly, so it is one function everywhere.
// Measured against math over the ranges that state uses (angles to ±1e4 rad): the
// greatest error of SinCos, Atan2 and Asin is below 1e-14; the tests hold them to it.

// π/2 in three parts; k times either of the first two is exact for |k| < 2²⁰.
const (
	halfPiHi  = 0x1.921fb544p+00
	halfPiMid = 0x1.0b4611a6p-34
	halfPiLo  = 0x1.3198a2e037073p-69
	// beyond this the argument is first brought down by an exact remainder
	reduceMax = 1e5
)

// SinCos returns the sine and cosine of x radians. NaN and infinities give NaN.
func SinCos(x float64) (sin, cos float64) {
	if !(math.Abs(x) <= reduceMax) {
		x = math.Mod(x, 2*math.Pi)
	}
	if x == x && x > -0.7853981633974483 && x < 0.7853981633974483 {
		return sinPoly(x), cosPoly(x)
	}
	if x != x {
		return x, x
	}
	k := math.Floor(float64(x*(2/math.Pi)) + 0.5)
	r := x - float64(k*halfPiHi)
	r -= float64(k * halfPiMid)
	r -= float64(k * halfPiLo)
	s, c := sinPoly(r), cosPoly(r)
	switch int64(k) & 3 {
	case 0:
		return s, c
	case 1:
		return c, -s
	case 2:
		return -s, -c
	default:
		return -c, s
	}
}

// Sin returns the sine of x radians.
func Sin(x float64) float64 { s, _ := SinCos(x); return s }

// Cos returns the cosine of x radians.
func Cos(x float64) float64 { _, c := SinCos(x); return c }

// sinPoly is Taylor's series to x¹⁵, enough for |x| ≤ π/4 (next term 5e-17).
func sinPoly(x float64) float64 {
	z := float64(x * x)
	p := -1.0 / 1307674368000
	p = float64(p*z) + 1.0/6227020800
	p = float64(p*z) - 1.0/39916800
	p = float64(p*z) + 1.0/362880
	p = float64(p*z) - 1.0/5040
	p = float64(p*z) + 1.0/120
	p = float64(p*z) - 1.0/6
	return x + float64(x*float64(z*p))
}

// cosPoly is Taylor's series to x¹⁶, enough for |x| ≤ π/4.
func cosPoly(x float64) float64 {
	z := float64(x * x)
	p := 1.0 / 20922789888000
	p = float64(p*z) - 1.0/87178291200
	p = float64(p*z) + 1.0/479001600
	p = float64(p*z) - 1.0/3628800
	p = float64(p*z) + 1.0/40320
	p = float64(p*z) - 1.0/720
	p = float64(p*z) + 1.0/24
	p = float64(p*z) - 0.5
	return 1 + float64(z*p)
}

// atanEighths[k] is the arctangent of k/8.
var atanEighths = [9]float64{
	0,
	0.12435499454676144,
	0.24497866312686414,
	0.35877067027057225,
	0.4636476090008061,
	0.5585993153435624,
	0.6435011087932844,
	0.7188299996216245,
	0.7853981633974483,
}

// atanUnit is the arctangent of t in [0,1]: the nearest eighth, and a series for the rest (|z| ≤ 1/16).
func atanUnit(t float64) float64 {
	k := math.Floor(float64(t*8) + 0.5)
	c := float64(k * 0.125) // exact; a plain k / 8 would be fused into the next line
	z := (t - c) / (1 + float64(t*c))
	w := float64(z * z)
	p := 1.0 / 13
	p = 1.0/11 - float64(p*w)
	p = 1.0/9 - float64(p*w)
	p = 1.0/7 - float64(p*w)
	p = 1.0/5 - float64(p*w)
	p = 1.0/3 - float64(p*w)
	return atanEighths[int(k)] + (z - float64(z*float64(w*p)))
}

// Atan2 returns the angle of (x, y) in (−π, π]. Atan2(0, 0) is 0; NaN in gives NaN.
func Atan2(y, x float64) float64 {
	if x != x || y != y {
		return math.NaN()
	}
	ax, ay := math.Abs(x), math.Abs(y)
	var a float64
	switch {
	case ax == 0 && ay == 0:
		a = 0
	case math.IsInf(ax, 0) && math.IsInf(ay, 0):
		a = math.Pi / 4
	case ay <= ax:
		a = atanUnit(ay / ax)
	default:
		a = math.Pi/2 - atanUnit(ax/ay)
	}
	if x < 0 {
		a = math.Pi - a
	}
	if y < 0 {
		a = -a
	}
	return a
}

// Asin returns the arcsine of x, x clamped to [−1,1]; NaN gives NaN.
func Asin(x float64) float64 {
	if x > 1 {
		x = 1
	} else if x < -1 {
		x = -1
	}
	return Atan2(x, math.Sqrt((1-x)*(1+x)))
}
