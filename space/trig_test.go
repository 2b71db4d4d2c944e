package space

import (
	"math"
	"testing"
)

// The greatest errors against math that the doc comments of trig.go state.
const (
	sinCosError = 2.3e-16
	atan2Error  = 4.5e-16
	asinError   = 4.5e-16
)

// errorMax remembers the greatest error and where it was.
type errorMax struct{ err, x, y float64 }

func (m *errorMax) see(got, want, x, y float64) {
	if e := math.Abs(got - want); !(e <= m.err) {
		m.err, m.x, m.y = e, x, y
	}
}

func (m *errorMax) hold(t *testing.T, name string, limit float64) {
	t.Helper()
	t.Logf("%s: greatest error %.3g at (%v, %v)", name, m.err, m.x, m.y)
	if !(m.err <= limit) {
		t.Errorf("%s: greatest error %g at (%v, %v), stated %g", name, m.err, m.x, m.y, limit)
	}
}

func sinCosInputs(visit func(x float64)) {
	r := lcg(7)
	for range 300_000 {
		u := 2*r.unit() - 1
		visit(u * math.Pi)
		visit(u * 20)
		visit(u * 1e4)
		visit(u * reduceMax)
	}
	// the quadrants, their borders, and their neighbours
	for k := -5000; k <= 5000; k++ {
		x := float64(k) * (math.Pi / 4)
		visit(x)
		visit(math.Nextafter(x, math.Inf(1)))
		visit(math.Nextafter(x, math.Inf(-1)))
		visit(float64(float32(x)))
	}
	for e := -1074; e < 0; e++ {
		visit(math.Ldexp(1, e))
		visit(-math.Ldexp(1.5, e))
	}
	visit(reduceMax)
	visit(-reduceMax)
}

func TestTrig_SinCosError(t *testing.T) {
	var s, c errorMax
	sinCosInputs(func(x float64) {
		gs, gc := SinCos(x)
		s.see(gs, math.Sin(x), x, 0)
		c.see(gc, math.Cos(x), x, 0)
		if Sin(x) != gs || Cos(x) != gc {
			t.Fatalf("Sin, Cos and SinCos differ at %v", x)
		}
		if math.Abs(gs) > 1 || math.Abs(gc) > 1 {
			t.Fatalf("SinCos(%v) = %v, %v leaves [-1,1]", x, gs, gc)
		}
	})
	s.hold(t, "sin", sinCosError)
	c.hold(t, "cos", sinCosError)
}

// Beyond reduceMax the error grows with |x|, as the doc comment says.
func TestTrig_SinCosBeyondReduceMax(t *testing.T) {
	r := lcg(8)
	for range 100_000 {
		x := math.Ldexp(2*r.unit()-1, 20+int(r.next()%20))
		s, c := SinCos(x)
		limit := sinCosError + math.Abs(x)*4e-17
		if !near(s, math.Sin(x), limit) || !near(c, math.Cos(x), limit) {
			t.Fatalf("SinCos(%v) = %v, %v; want %v, %v within %g", x, s, c, math.Sin(x), math.Cos(x), limit)
		}
	}
	for _, x := range []float64{1e15, 1e30, 1e100, math.MaxFloat64, 1 << 62, 1 << 63, 1 << 64} {
		for _, x := range []float64{x, -x} {
			s, c := SinCos(x)
			if !near(float64(s*s)+float64(c*c), 1, 1e-15) {
				t.Errorf("SinCos(%v) = %v, %v, not on the unit circle", x, s, c)
			}
		}
	}
}

func TestTrig_Atan2Error(t *testing.T) {
	var m errorMax
	see := func(y, x float64) {
		if y == 0 {
			y = 0 // the sign of a zero is not looked at: see EdgeValues
		}
		m.see(Atan2(y, x), math.Atan2(y, x), y, x)
	}
	r := lcg(9)
	for range 500_000 {
		y, x := 2*r.unit()-1, 2*r.unit()-1
		see(y, x)
		see(math.Ldexp(y, int(r.next()%60)-30), x)
		a := (2*r.unit() - 1) * math.Pi
		see(math.Sin(a), math.Cos(a))
	}
	// the borders between the eighths of atanUnit, in all octants
	for k := 0; k <= 16; k++ {
		b := float64(k) / 16
		for _, t := range []float64{b, math.Nextafter(b, 1), math.Nextafter(b, 0)} {
			for _, s := range [][2]float64{{t, 1}, {1, t}} {
				see(s[0], s[1])
				see(s[0], -s[1])
				see(-s[0], s[1])
				see(-s[0], -s[1])
			}
		}
	}
	m.hold(t, "atan2", atan2Error)
}

// asinReference is math.Asin, kept away from ±1, where it is off by 2.3e-13
// since it takes 1 − x² with x² rounded.
func asinReference(x float64) float64 {
	switch {
	case x > 0.5:
		return math.Pi/2 - 2*math.Asin(math.Sqrt((1-x)/2))
	case x < -0.5:
		return 2*math.Asin(math.Sqrt((1+x)/2)) - math.Pi/2
	}
	return math.Asin(x)
}

func TestTrig_AsinError(t *testing.T) {
	var m errorMax
	see := func(x float64) {
		m.see(Asin(x), asinReference(x), x, 0)
		if !near(Asin(x), math.Asin(x), 1e-12) {
			t.Fatalf("Asin(%v) = %v, math has %v", x, Asin(x), math.Asin(x))
		}
	}
	r := lcg(10)
	for range 500_000 {
		x := 2*r.unit() - 1
		see(x)
		see(float64(float32(x)))
		see(1 - math.Ldexp(r.unit(), -int(r.next()%53)))
	}
	for x := 1.0; x > 0.999999999999; x = math.Nextafter(x, 0) {
		see(x)
		see(-x)
		if x < 0.9999999999999 {
			x -= 1e-15
		}
	}
	m.hold(t, "asin", asinError)
}

func TestTrig_EdgeValues(t *testing.T) {
	inf, nan, tiny, negZero := math.Inf(1), math.NaN(), math.SmallestNonzeroFloat64, math.Copysign(0, -1)
	huge := math.MaxFloat64
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"sin 0", Sin(0), 0},
		{"sin -0", Sin(negZero), 0},
		{"cos 0", Cos(0), 1},
		{"cos -0", Cos(negZero), 1},
		{"sin denormal", Sin(tiny), tiny},
		{"sin -denormal", Sin(-tiny), -tiny},
		{"cos denormal", Cos(tiny), 1},
		{"sin inf", Sin(inf), nan},
		{"sin -inf", Sin(-inf), nan},
		{"cos inf", Cos(inf), nan},
		{"sin nan", Sin(nan), nan},
		{"cos nan", Cos(nan), nan},
		{"sin π/2", Sin(math.Pi / 2), 1},
		{"sin -π/2", Sin(-math.Pi / 2), -1},
		{"cos π", Cos(math.Pi), -1},
		{"cos -π", Cos(-math.Pi), -1},
		{"cos 2π", Cos(2 * math.Pi), 1},
		{"atan2 0 0", Atan2(0, 0), 0},
		{"atan2 -0 0", Atan2(negZero, 0), 0},
		{"atan2 0 -0", Atan2(0, negZero), 0},
		{"atan2 -0 -0", Atan2(negZero, negZero), 0},
		{"atan2 east", Atan2(0, 1), 0},
		{"atan2 east -0", Atan2(negZero, 1), 0},
		{"atan2 north", Atan2(1, 0), math.Pi / 2},
		{"atan2 north -0", Atan2(1, negZero), math.Pi / 2},
		{"atan2 west", Atan2(0, -1), math.Pi},
		{"atan2 west -0", Atan2(negZero, -1), math.Pi},
		{"atan2 south", Atan2(-1, 0), -math.Pi / 2},
		{"atan2 1 1", Atan2(1, 1), math.Pi / 4},
		{"atan2 1 -1", Atan2(1, -1), math.Pi - math.Pi/4},
		{"atan2 -1 1", Atan2(-1, 1), -math.Pi / 4},
		{"atan2 -1 -1", Atan2(-1, -1), -(math.Pi - math.Pi/4)},
		{"atan2 inf inf", Atan2(inf, inf), math.Pi / 4},
		{"atan2 inf -inf", Atan2(inf, -inf), math.Pi - math.Pi/4},
		{"atan2 -inf inf", Atan2(-inf, inf), -math.Pi / 4},
		{"atan2 -inf -inf", Atan2(-inf, -inf), -(math.Pi - math.Pi/4)},
		{"atan2 1 inf", Atan2(1, inf), 0},
		{"atan2 -1 inf", Atan2(-1, inf), 0},
		{"atan2 1 -inf", Atan2(1, -inf), math.Pi},
		{"atan2 inf 1", Atan2(inf, 1), math.Pi / 2},
		{"atan2 -inf 1", Atan2(-inf, 1), -math.Pi / 2},
		{"atan2 huge huge", Atan2(huge, huge), math.Pi / 4},
		{"atan2 vanishing", Atan2(-tiny, huge), 0},
		{"atan2 vanishing north", Atan2(huge, -tiny), math.Pi / 2},
		{"atan2 denormals", Atan2(tiny, tiny), math.Pi / 4},
		{"atan2 denormal 1", Atan2(tiny, 1), tiny},
		{"atan2 nan", Atan2(nan, 1), nan},
		{"atan2 _ nan", Atan2(1, nan), nan},
		{"asin 0", Asin(0), 0},
		{"asin -0", Asin(negZero), 0},
		{"asin 1", Asin(1), math.Pi / 2},
		{"asin -1", Asin(-1), -math.Pi / 2},
		{"asin 1.5", Asin(1.5), math.Pi / 2},
		{"asin inf", Asin(inf), math.Pi / 2},
		{"asin -inf", Asin(-inf), -math.Pi / 2},
		{"asin denormal", Asin(tiny), tiny},
		{"asin nan", Asin(nan), nan},
	} {
		// to the bit: a zero is +0, a NaN is math.NaN
		if math.Float64bits(c.got) != math.Float64bits(c.want) {
			t.Errorf("%s: %v (%#x), want %v", c.name, c.got, math.Float64bits(c.got), c.want)
		}
	}
}

// Every NaN, whatever its sign and payload, gives the one NaN.
func TestTrig_OneNaN(t *testing.T) {
	want := math.Float64bits(math.NaN())
	for _, b := range []uint64{0x7FF8000000000000, 0xFFF8000000000000, 0x7FF0000000000001, 0xFFFFFFFFFFFFFFFF} {
		n := math.Float64frombits(b)
		s, c := SinCos(n)
		for _, got := range []float64{s, c, Atan2(n, 1), Atan2(1, n), Asin(n)} {
			if math.Float64bits(got) != want {
				t.Errorf("%#x gives %#x", b, math.Float64bits(got))
			}
		}
	}
}
