package report

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// What stands out is kept, in its order, and no more points than asked for.
func TestThin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-9, 9), 1, 200).Draw(t, "values")
		most := rapid.IntRange(0, 100).Draw(t, "most")
		points := make([]Point, len(values))
		for i, v := range values {
			points[i] = Point{float64(i), v}
		}
		thin := Thin(points, most)
		if len(thin) > max(most, 4) || !slices.IsSortedFunc(thin, func(a, b Point) int { return int(a.X - b.X) }) {
			t.Fatalf("%d of %d: %v", len(thin), len(points), thin)
		}
		lowest, highest := math.Inf(1), math.Inf(-1)
		for _, p := range thin {
			if points[int(p.X)] != p {
				t.Fatalf("%v is made up", p)
			}
			lowest, highest = min(lowest, p.Y), max(highest, p.Y)
		}
		if lowest != slices.Min(values) || highest != slices.Max(values) {
			t.Fatalf("%v to %v of %v", lowest, highest, values)
		}
	})
}

// Every value above 0 is in one bin.
func TestHistogram(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOf(rapid.OneOf(rapid.Float64Range(-1, 1e6), rapid.SampledFrom([]float64{0, 1, math.NaN(), math.Inf(1)}))).Draw(t, "values")
		bins := rapid.IntRange(1, 50).Draw(t, "bins")
		total, good := 0.0, 0
		h := Histogram(values, bins)
		for i, p := range h {
			total += p.Y
			if i > 0 && p.X <= h[i-1].X {
				t.Fatalf("edges %v", h)
			}
		}
		for _, v := range values {
			if v > 0 && !math.IsInf(v, 0) {
				good++
				if v < h[0].X*0.999 || v > h[bins].X*1.001 {
					t.Fatalf("%v is outside of %v", v, h)
				}
			}
		}
		if good == 0 && h != nil || good > 0 && (len(h) != bins+1 || math.Abs(total-1) > 1e-9) {
			t.Fatalf("%d values, %v", good, h)
		}
	})
}

func TestPercentile(t *testing.T) {
	v := []float64{1, 2, 3, 4}
	for part, want := range map[float64]float64{0: 1, 0.25: 1, 0.26: 2, 0.5: 2, 0.99: 4, 1: 4} {
		if got := Percentile(v, part); got != want {
			t.Errorf("%v: %v, want %v", part, got, want)
		}
	}
	if Percentile(nil, 0.5) != 0 {
		t.Error("of none")
	}
}

// Axes have a handful of marks at round values.
func TestTicks(t *testing.T) {
	for _, c := range []struct {
		log      bool
		from, to float64
		want     []string
	}{
		{false, 0, 30, []string{"0", "5", "10", "15", "20", "25", "30"}},
		{false, -0.1, 0.25, []string{"-0.1", "0", "0.1", "0.2"}},
		{false, 0, 50000, []string{"0", "10 k", "20 k", "30 k", "40 k", "50 k"}},
		{true, 900, 60000, []string{"1000", "2000", "5000", "10 k", "20 k", "50 k"}},
		{true, 0.01, 200, []string{"0.01", "0.1", "1", "10", "100"}},
		{true, 400, 900, []string{"500"}},
		{true, 1e-12, 1e12, []string{"1e-12", "1e-09", "1e-06", "0.001", "1", "1000", "1 M", "1 G", "1000 G"}},
	} {
		ticks := linearTicks
		if c.log {
			ticks = logTicks
		}
		var got []string
		for _, k := range ticks(c.from, c.to) {
			got = append(got, k.Label)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v to %v: %q, want %q", c.from, c.to, got, c.want)
		}
	}
}
