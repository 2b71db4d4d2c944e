package space

import "math"

const ln2 = 0.6931471805599453

// Pow returns base to the power of exponent for a base in [0,1] and an exponent
// of at least 0, as friction needs it (spec 11 §6). A base outside is taken for
// the nearer bound; an exponent that is not greater than 0 gives 1, so the answer
// is always in [0,1] and never NaN. It differs from the true value by less than
// 1e-12 (the tests hold it to that, measured it is below 1e-15).
func Pow(base, exponent float64) float64 {
	switch {
	case !(exponent > 0) || base >= 1:
		return 1
	case !(base > 0):
		return 0
	}
	return exp2(float64(exponent * log2(base)))
}

// log2 of a positive x: the binary exponent, and for the mantissa m in
// [√½, √2) the series of 2·artanh((m−1)/(m+1)) to the 19th power (next term below 1e-17).
func log2(x float64) float64 {
	k := 0.0
	b := math.Float64bits(x)
	if b>>52 == 0 { // subnormal
		b = math.Float64bits(float64(x * (1 << 54)))
		k = -54
	}
	k += float64(int(b>>52) - 1023)
	m := math.Float64frombits(b&(1<<52-1) | 1023<<52)
	if m >= math.Sqrt2 {
		m *= 0.5
		k++
	}
	s := (m - 1) / (m + 1)
	z := float64(s * s)
	p := 1.0 / 19
	p = float64(p*z) + 1.0/17
	p = float64(p*z) + 1.0/15
	p = float64(p*z) + 1.0/13
	p = float64(p*z) + 1.0/11
	p = float64(p*z) + 1.0/9
	p = float64(p*z) + 1.0/7
	p = float64(p*z) + 1.0/5
	p = float64(p*z) + 1.0/3
	ln := 2 * (s + float64(s*float64(z*p)))
	return k + float64(ln*(1/ln2))
}

// exp2 is 2 to the power of t ≤ 0: a whole power, and Taylor's series to the
// 13th power for the rest (|x| ≤ ½·ln 2, next term below 1e-17). What would be
// subnormal is 0.
func exp2(t float64) float64 {
	if t < -1021 {
		return 0
	}
	n := math.Floor(t + 0.5)
	x := float64((t - n) * ln2)
	p := 1.0 / 6227020800
	p = float64(p*x) + 1.0/479001600
	p = float64(p*x) + 1.0/39916800
	p = float64(p*x) + 1.0/3628800
	p = float64(p*x) + 1.0/362880
	p = float64(p*x) + 1.0/40320
	p = float64(p*x) + 1.0/5040
	p = float64(p*x) + 1.0/720
	p = float64(p*x) + 1.0/120
	p = float64(p*x) + 1.0/24
	p = float64(p*x) + 1.0/6
	p = float64(p*x) + 0.5
	p = float64(p*x) + 1
	p = float64(p*x) + 1
	return float64(p * math.Float64frombits(uint64(int64(n)+1023)<<52))
}
