package space

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestSpec10_3_HeadingExamples(t *testing.T) {
	wantNear(t, "identity", Heading(IdentityQuat), 0, 0)
	wantNear(t, "Rz(−90°)", Heading(about(axisZ, -90)), 90, 1e-4)
	wantNear(t, "Rz(+90°)", Heading(about(axisZ, 90)), 270, 1e-4)
	wantNear(t, "the zero quaternion", Heading(Quat{}), 0, 0)
	wantVec(t, "set_heading(180) on identity", Forward(SetHeading(IdentityQuat, 180)), Vec3{0, -1, 0}, 1e-6)
}

// D-46: the z of the current forward vector alone is kept.
func TestD_46_SetHeadingKeepsForwardZ(t *testing.T) {
	q := SetHeading(tilted, 90)
	wantQuat(t, "set_heading(90)", q, Quat{W: 0.68948, V: Vec3{0.15691, -0.15691, -0.68948}}, 5e-6)
	wantNear(t, "heading", Heading(q), 90, 1e-4)
}

func TestSpec10_3_Compass(t *testing.T) {
	s := float32(math.Sqrt2 / 2)
	for _, c := range []struct {
		x, y float32
		want float64
	}{
		{0, 1, 0}, {s, s, 45}, {1, 0, 90}, {s, -s, 135}, {0, -1, 180}, {-s, -s, 225}, {-1, 0, 270}, {-s, s, 315},
		{1, negZero32, 90}, {-1, negZero32, 270}, {negZero32, 1, 0}, {negZero32, -1, 180},
		{0, 0, 90}, {negZero32, negZero32, 90},
		{-1e-9, 1, 0}, {-1e-12, 1, 0}, {-1e-30, 1, 0}, // 360 less nothing that float32 can hold
		{inf32, 1, 90}, {1, inf32, 0}, {-inf32, inf32, 315},
		{math.MaxFloat32, math.MaxFloat32, 45}, {math.SmallestNonzeroFloat32, math.SmallestNonzeroFloat32, 45},
	} {
		got := Compass(c.x, c.y)
		wantNear(t, "Compass", got, c.want, 1e-5)
		if math.Signbit(float64(got)) {
			t.Errorf("Compass(%v, %v) is −0", c.x, c.y)
		}
	}
	if h := Compass(nan32, 1); !math.IsNaN(float64(h)) {
		t.Errorf("NaN gives %v", h)
	}
}

// The sum above 360 is reduced as fmod would.
func TestSpec10_3_CompassIsFmod(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float32Range(-1e4, 1e4).Draw(t, "x")
		y := rapid.Float32Range(-1e4, 1e4).Draw(t, "y")
		h := Compass(x, y)
		if !(h >= 0 && h < 360) {
			t.Fatalf("Compass(%v, %v) = %v", x, y, h)
		}
		want := float32(math.Mod(450-float64(Atan2(float64(y), float64(x))*(180/math.Pi)), 360))
		if h != want && !(want == 360 && h == 0) {
			t.Fatalf("Compass(%v, %v) = %v, want %v", x, y, h, want)
		}
	})
}

func TestSpec10_3_SetVectorHeading(t *testing.T) {
	q := SetVectorHeading(IdentityQuat, Vec3{0, 0, 5})
	wantVec(t, "straight up", Forward(q), axisZ, 1e-6)
	q = SetVectorHeading(tilted, Vec3{3, 0, 4})
	wantVec(t, "up and east", Forward(q), Vec3{0.6, 0, 0.8}, 1e-6)
	wantNear(t, "no roll: the x axis is level", AxesOf(q).X[2], 0, 1e-6)
	for _, v := range []Vec3{{}, {0, math.Nextafter32(Eps, 0), 0}, {nan32, 1, 0}, {1, 0, inf32}} {
		if got := SetVectorHeading(tilted, v); !exact(got, tilted) {
			t.Errorf("SetVectorHeading(%v) = %v, want no change", v, got)
		}
	}
	for _, h := range []float32{nan32, inf32, -inf32} {
		if got := SetHeading(tilted, h); !exact(got, tilted) {
			t.Errorf("SetHeading(%v) = %v, want no change", h, got)
		}
	}
}

func TestSpec10_3_HeadingRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := rapid.Float32Range(-720, 720).Draw(t, "h")
		q := drawQuat().Draw(t, "q")
		r := SetHeading(q, h)
		if e := unitError(r); !(e <= 1e-7) {
			t.Fatalf("not unit: %v", r)
		}
		if f := Forward(r); math.Hypot(float64(f[0]), float64(f[1])) < 0.05 {
			t.Skip("straight up or down")
		}
		d := math.Abs(math.Mod(float64(Heading(r))-float64(h), 360))
		if d > 180 {
			d = 360 - d
		}
		if d > 1e-3 {
			t.Fatalf("set to %v, heads %v", h, Heading(r))
		}
		if x := AxesOf(r).X; Abs(x[2]) > 1e-6 {
			t.Fatalf("rolled: x axis %v", x)
		}
	})
}

// A whole turn in tenths of a degree on an upright body, to the hundredth.
func TestSpec10_3_EveryHeading(t *testing.T) {
	for i := range 3600 {
		h := float32(i) / 10
		got := Heading(SetHeading(IdentityQuat, h))
		if d := math.Abs(float64(got - h)); d > 3e-5 && d < 360-3e-5 {
			t.Fatalf("set to %v, heads %v", h, got)
		}
	}
}

func TestSpec10_3_FacesAlongVector(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawVec(100).Draw(t, "v")
		n, small := NormalizeCheckSmall(v)
		if small {
			t.Skip("no direction")
		}
		q := SetVectorHeading(tilted, v)
		if !nearVec(Forward(q), n, 1e-5) { // asin is steep near straight up
			if !(Abs(n[2]) > 0.999 && nearVec(Forward(q), n, 1e-3)) {
				t.Fatalf("faces %v, want %v", Forward(q), n)
			}
		}
	})
}
