package space

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestSpec10_1_Constants(t *testing.T) {
	if !near(float64(Eps), 0.00019999999, 1e-11) {
		t.Errorf("Eps = %v", Eps)
	}
	if !near(float64(Eps2), 3.9999996e-8, 4e-15) {
		t.Errorf("Eps2 = %v", Eps2)
	}
	if BlockSide != 8*CellSide || CellSide != 24 || WorldCells != 2040 {
		t.Errorf("block %d, cell %d, world %d", BlockSide, CellSide, WorldCells)
	}
}

func TestSpec10_1_IsZero(t *testing.T) {
	below, above := math.Nextafter32(Eps, 0), Eps
	for _, c := range []struct {
		v    Vec3
		want bool
	}{
		{Vec3{}, true},
		{Vec3{negZero32, 0, 0}, true},
		{Vec3{below, -below, below}, true}, // longer than Eps, yet zero: per component
		{Vec3{above, 0, 0}, false},
		{Vec3{0, -above, 0}, false},
		{Vec3{0, 0, above}, false},
		{Vec3{nan32, 0, 0}, false},
		{Vec3{0, -inf32, 0}, false},
	} {
		if got := IsZero(c.v); got != c.want {
			t.Errorf("IsZero(%v) = %v", c.v, got)
		}
	}
}

func TestSpec10_1_EqualIsPerComponent(t *testing.T) {
	above := math.Nextafter32(Eps, 1)
	for _, c := range []struct {
		a, b Vec3
		want bool
	}{
		{Vec3{}, Vec3{Eps, -Eps, Eps}, true}, // the bound belongs to it; √3·Eps long
		{Vec3{}, Vec3{above, 0, 0}, false},
		{Vec3{}, Vec3{0, above, 0}, false},
		{Vec3{}, Vec3{0, 0, -above}, false},
		{Vec3{1, 2, 3}, Vec3{1, 2, 3}, true},
		{Vec3{nan32, 0, 0}, Vec3{nan32, 0, 0}, false},
	} {
		if got := Equal(c.a, c.b); got != c.want {
			t.Errorf("Equal(%v, %v) = %v", c.a, c.b, got)
		}
	}
}

func TestSpec10_1_NormalizeCheckSmall(t *testing.T) {
	below := math.Nextafter32(Eps, 0)
	if v, small := NormalizeCheckSmall(Vec3{0, below, 0}); !small || v != (Vec3{0, below, 0}) {
		t.Errorf("shorter than Eps: %v, %v; want it untouched, and true", v, small)
	}
	if v, small := NormalizeCheckSmall(Vec3{0, -Eps, 0}); small || !nearVec(v, Vec3{0, -1, 0}, 1e-6) {
		t.Errorf("as long as Eps: %v, %v", v, small)
	}
	// each component below Eps, the length not
	if v, small := NormalizeCheckSmall(Vec3{below, below, 0}); small || !near(float64(Length(v)), 1, 1e-6) {
		t.Errorf("(Eps,Eps,0): %v, %v", v, small)
	}
	if v, small := NormalizeCheckSmall(Vec3{3, 0, -4}); small || !nearVec(v, Vec3{0.6, 0, -0.8}, 1e-7) {
		t.Errorf("(3,0,-4): %v, %v", v, small)
	}
	// the square, and even the length, leaves float32
	m := float32(math.MaxFloat32)
	if v, small := NormalizeCheckSmall(Vec3{m, m, m}); small || !near(float64(Length(v)), 1, 1e-6) {
		t.Errorf("greatest: %v, %v", v, small)
	}
	if v, small := NormalizeCheckSmall(Vec3{nan32, 0, 0}); small || FiniteVec(v) {
		t.Errorf("NaN: %v, %v", v, small)
	}
}

func TestVec_Arithmetic(t *testing.T) {
	a, b := Vec3{1, -2, 3}, Vec3{4, 5, -6}
	wantVec(t, "Add", Add(a, b), Vec3{5, 3, -3}, 0)
	wantVec(t, "Sub", Sub(a, b), Vec3{-3, -7, 9}, 0)
	wantVec(t, "Mul", Mul(a, b), Vec3{4, -10, -18}, 0)
	wantVec(t, "Scale", Scale(a, -0.5), Vec3{-0.5, 1, -1.5}, 0)
	wantNear(t, "Dot", Dot(a, b), -24, 0)
	wantNear(t, "Length2", Length2(a), 14, 0)
	wantNear(t, "Length", Length(Vec3{2, -3, 6}), 7, 0)
	wantNear(t, "Length of a tiny one", Length(Vec3{3e-30, 0, 4e-30}), 5e-30, 1e-36)
	wantNear(t, "Length of a huge one", Length(Vec3{3e30, 0, 4e30}), 5e30, 1e24)
	if math.Float32bits(Abs(negZero32)) != 0 || Abs(-inf32) != inf32 || Abs(-2) != 2 {
		t.Error("Abs")
	}
}

func TestVec_Finite(t *testing.T) {
	for _, x := range hostile {
		want := !math.IsNaN(float64(x)) && !math.IsInf(float64(x), 0)
		for i := range 3 {
			var v Vec3
			v[i] = x
			if Finite(x) != want || FiniteVec(v) != want {
				t.Errorf("Finite(%v) = %v, FiniteVec(%v) = %v", x, Finite(x), v, FiniteVec(v))
			}
		}
	}
}

func TestVec_NormalizedIsUnit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawVec(math.MaxFloat32).Draw(t, "v")
		n, small := NormalizeCheckSmall(v)
		if small != (Length(v) < Eps) {
			t.Fatalf("small %v at length %v", small, Length(v))
		}
		if !small && !near(float64(Length(n)), 1, 2e-7) {
			t.Fatalf("%v has length %v", n, Length(n))
		}
	})
}
