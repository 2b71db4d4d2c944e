package space

import (
	"math"
	"testing"
)

// FuzzAdjustToOutside: any cell and any bits for a point.
func FuzzAdjustToOutside(f *testing.F) {
	f.Add(uint32(0xA9B40001), math.Float32bits(193), math.Float32bits(10))
	f.Add(uint32(0xA9B40001), math.Float32bits(-48.000004), math.Float32bits(-0.00001))
	f.Add(uint32(0x00010001), math.Float32bits(-1), math.Float32bits(nan32))
	f.Add(uint32(0xFFFF0001), math.Float32bits(-1e5), math.Float32bits(inf32))
	f.Fuzz(func(t *testing.T, c, x, y uint32) {
		checkAdjust(t.Fatalf, CellID(c), Vec3{math.Float32frombits(x), math.Float32frombits(y), 0})
	})
}

// FuzzRotations: any bits at all leave a valid rotation valid.
func FuzzRotations(f *testing.F) {
	f.Add(uint32(0x3F800000), uint32(0), uint32(0), uint32(0))
	f.Add(uint32(0x7FC00000), uint32(0xFF800000), uint32(1), uint32(0x80000000))
	f.Fuzz(func(t *testing.T, w, x, y, z uint32) {
		q := Quat{W: math.Float32frombits(w), V: Vec3{math.Float32frombits(x), math.Float32frombits(y), math.Float32frombits(z)}}
		for i, got := range []Quat{
			SetRotate(q, tilted), Combine(Frame{Rotation: tilted}, Frame{Rotation: q}).Rotation,
			Subtract(Frame{Rotation: tilted}, Frame{Rotation: q}).Rotation,
			GRotate(tilted, q.V), Rotate(tilted, q.V), SetHeading(tilted, q.W), SetVectorHeading(tilted, q.V),
			InterpolateRotation(tilted, q, q.W),
		} {
			if !ValidQuat(got) {
				t.Fatalf("%d: %v gives %v", i, q, got)
			}
			if again := SetRotate(got, IdentityQuat); !exact(again, got) {
				t.Fatalf("%d: %v is not at rest: %v", i, got, again)
			}
		}
	})
}

// FuzzTrig: any bits give what math gives, or the one NaN.
func FuzzTrig(f *testing.F) {
	f.Add(uint64(0), uint64(1)<<63)
	f.Add(math.Float64bits(math.Pi), math.Float64bits(-1e6))
	f.Add(math.Float64bits(math.Inf(1)), math.Float64bits(math.NaN()))
	f.Fuzz(func(t *testing.T, a, b uint64) {
		y, x := math.Float64frombits(a), math.Float64frombits(b)
		s, c := SinCos(y)
		switch {
		case y != y || math.IsInf(y, 0):
			if s == s || c == c {
				t.Fatalf("SinCos(%v) = %v, %v", y, s, c)
			}
		case math.Abs(y) <= reduceMax:
			if !near(s, math.Sin(y), sinCosError) || !near(c, math.Cos(y), sinCosError) {
				t.Fatalf("SinCos(%v) = %v, %v; math has %v, %v", y, s, c, math.Sin(y), math.Cos(y))
			}
		default:
			if !near(float64(s*s)+float64(c*c), 1, 1e-15) {
				t.Fatalf("SinCos(%v) = %v, %v", y, s, c)
			}
		}
		if y == 0 {
			y = 0
		}
		if x == 0 {
			x = 0
		}
		got, want := Atan2(y, x), math.Atan2(y, x)
		if (got != got) != (want != want) || got == got && !near(got, want, atan2Error) {
			t.Fatalf("Atan2(%v, %v) = %v, math has %v", y, x, got, want)
		}
	})
}
