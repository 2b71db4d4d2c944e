package space

import (
	"math"
	"math/big"
	"testing"
)

func TestPowAgainstMath(t *testing.T) {
	worst := 0.0
	check := func(b, e float64) {
		t.Helper()
		d := math.Abs(Pow(b, e) - math.Pow(b, e))
		worst = max(worst, d)
		if !(d <= 1e-12) {
			t.Fatalf("Pow(%v, %v) = %v, want %v", b, e, Pow(b, e), math.Pow(b, e))
		}
	}
	for i := 0; i <= 2000; i++ {
		for _, e := range []float64{0, 1e-6, 1.0 / 60, 1.0 / 30, 1.0 / 16, 0.1, 0.2, 0.5, 1, 2, 7.5} {
			check(float64(i)/2000, e)
			check(1-math.Ldexp(1, -i%60), e)
			check(math.Ldexp(0.7, -i%1020), e)
		}
	}
	t.Logf("greatest error %.2g", worst)
	if worst > 1e-15 {
		t.Errorf("greatest error %.2g is above what the comment says", worst)
	}
}

// The other side of the comparison is no float at all: (1/20)^(1/16) has its 16th power checked in big.
func TestPowRoot(t *testing.T) {
	for _, n := range []int{2, 5, 10, 16, 30, 60} {
		r := new(big.Float).SetPrec(200).SetFloat64(Pow(0.05, 1/float64(n)))
		p := new(big.Float).SetPrec(200).SetInt64(1)
		for range n {
			p.Mul(p, r)
		}
		got, _ := p.Float64()
		if math.Abs(got-0.05) > 1e-12 {
			t.Errorf("Pow(0.05, 1/%d)^%d = %v", n, n, got)
		}
	}
}

func TestPowEdges(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct{ b, e, want float64 }{
		{0, 0.2, 0}, {0, 0, 1}, {1, 5, 1}, {1, inf, 1}, {0.5, 1, 0.5}, {0.25, 0.5, 0.5}, {0.5, inf, 0},
		{-1, 0.2, 0}, {2, 3, 1}, {nan, 0.2, 0}, {0.5, nan, 1}, {0.5, -1, 1}, {0.5, 5000, 0}, {math.Nextafter(1, 0), 1e15, 0.8949187898136988},
		{math.Ldexp(1, -1070), 1.0 / 1070, 0.5}, {math.Ldexp(1, -1060), 0.25, math.Ldexp(1, -265)}, // subnormal, where math.Log is wrong on some machines
	} {
		if got := Pow(c.b, c.e); got != c.want {
			t.Errorf("Pow(%v, %v) = %v, want %v", c.b, c.e, got, c.want)
		}
	}
}
