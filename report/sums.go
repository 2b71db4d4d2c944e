package report

import (
	"fmt"
	"math"
	"slices"
)

// Thin returns about most of a series' points, at least 4: of every stretch the lowest and the
// highest, in their order. What stands out is kept. Points are ascending in X.
func Thin(points []Point, most int) []Point {
	if len(points) <= max(most, 4) {
		return points
	}
	stretches := max(most/2, 2)
	var out []Point
	for i := range stretches {
		part := points[i*len(points)/stretches : (i+1)*len(points)/stretches]
		low, high := 0, 0
		for k := range part {
			if part[k].Y < part[low].Y {
				low = k
			}
			if part[k].Y > part[high].Y {
				high = k
			}
		}
		out = append(out, part[min(low, high)])
		if low != high {
			out = append(out, part[max(low, high)])
		}
	}
	return out
}

// Histogram returns what part of the values lies in each of some bins, as an area's
// points. Bins are equally wide on a logarithmic axis; what is not above 0 is left out.
func Histogram(values []float64, bins int) []Point {
	values = slices.DeleteFunc(slices.Clone(values), func(v float64) bool { return !(v > 0) || math.IsInf(v, 0) })
	if len(values) == 0 || bins < 1 {
		return nil
	}
	from, to := math.Log(slices.Min(values)), math.Log(slices.Max(values))
	if to-from < 0.1 {
		from, to = from-0.05, to+0.05
	}
	counts := make([]int, bins)
	for _, v := range values {
		counts[min(int((math.Log(v)-from)/(to-from)*float64(bins)), bins-1)]++
	}
	points := make([]Point, 0, bins+1)
	edge := func(i int) float64 { return math.Exp(from + (to-from)*float64(i)/float64(bins)) }
	for i, n := range counts {
		points = append(points, Point{edge(i), float64(n) / float64(len(values))})
	}
	return append(points, Point{edge(bins), 0})
}

// Percentile returns the value that a part of them does not exceed, by nearest rank; 0 of
// none. They are ascending.
func Percentile(ascending []float64, part float64) float64 {
	if len(ascending) == 0 {
		return 0
	}
	return ascending[min(max(int(math.Ceil(part*float64(len(ascending))))-1, 0), len(ascending)-1)]
}

// TimesChart shows how values are distributed, with their median and p99.
func TimesChart(title, label, unit string, values []float64) *Chart {
	bins := Histogram(values, 40)
	most := 0.0
	for _, b := range bins {
		most = max(most, b.Y)
	}
	sorted := slices.Sorted(slices.Values(values))
	at := func(name string, part float64) Series {
		v := Percentile(sorted, part)
		return Series{Name: fmt.Sprintf("%s, %.3g %s", name, v, unit), Points: []Point{{X: v}, {X: v, Y: most}}}
	}
	return &Chart{
		Title: title, X: Axis{Label: label, Log: true}, Y: Axis{Label: "part of them", Zero: true},
		Series: []Series{{Style: Area, Points: bins}, at("median", 0.5), at("p99", 0.99)},
	}
}
