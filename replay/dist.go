package replay

import (
	"math"
	"slices"
)

// Edges are the upper edges of a distribution's histogram in metres, or whatever
// it is of; what lies beyond the last has a bin of its own (22 §11.6).
var Edges = []float64{0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 96}

// MaxSamples is how many samples a run keeps one by one; percentiles beyond it come
// from a logarithmic histogram, and say so (22 §11.6).
const MaxSamples = 10_000_000

// The logarithmic histogram: 64 bins for each factor of ten from 0.1 mm on.
const (
	logBins   = 64
	logFrom   = 1e-4
	logFactor = 9 // powers of ten, up to 100 km
)

// dist gathers values of one kind that are not kept one by one.
type dist struct {
	count   uint64
	sum     float64
	largest float32
	edges   [12]uint64 // len(Edges)+1
	log     [logBins*logFactor + 1]uint64
}

func (d *dist) add(v float32) {
	d.count++
	d.sum += float64(v)
	d.largest = max(d.largest, v)
	i, _ := slices.BinarySearch(Edges, float64(v)) // an edge belongs to the bin below it
	d.edges[i]++
	d.log[logBin(v)]++
}

func logBin(v float32) int {
	if !(v > logFrom) {
		return 0
	}
	return min(int(math.Log10(float64(v)/logFrom)*logBins), logBins*logFactor-1) + 1
}

// merge adds what another gathered.
func (d *dist) merge(o *dist) {
	d.count += o.count
	d.sum += o.sum
	d.largest = max(d.largest, o.largest)
	for i, n := range o.edges {
		d.edges[i] += n
	}
	for i, n := range o.log {
		d.log[i] += n
	}
}

// Summary is a distribution. Percentiles are by nearest rank on all samples, unless
// Approximate; with no samples all is zero.
type Summary struct {
	Count       uint64   `json:"count"`
	Mean        float64  `json:"mean"`
	Median      float64  `json:"p50"`
	P90         float64  `json:"p90"`
	P95         float64  `json:"p95"`
	P99         float64  `json:"p99"`
	Largest     float64  `json:"largest"`
	Histogram   []uint64 `json:"histogram"` // by Edges, and beyond the last
	Approximate bool     `json:"approximate,omitempty"`
}

// summarize makes a summary of values that were kept, which it sorts, and of those
// that were not, nil for none.
func summarize(kept []float32, beyond *dist) Summary {
	var d dist
	if beyond != nil {
		d = *beyond
	}
	exact := d.count == 0
	for _, v := range kept {
		d.add(v)
	}
	s := Summary{Count: d.count, Largest: float64(d.largest), Histogram: d.edges[:], Approximate: !exact}
	if d.count == 0 {
		return s
	}
	s.Mean = d.sum / float64(d.count)
	rank := d.ranked
	if exact {
		slices.Sort(kept)
		rank = func(n uint64) float64 { return float64(kept[n-1]) }
	}
	for _, p := range []struct {
		to   *float64
		part float64
	}{{&s.Median, 0.50}, {&s.P90, 0.90}, {&s.P95, 0.95}, {&s.P99, 0.99}} {
		*p.to = rank(max(uint64(math.Ceil(p.part*float64(d.count))), 1))
	}
	return s
}

// ranked is the upper edge of the bin in which the n-th smallest value lies.
func (d *dist) ranked(n uint64) float64 {
	sum := uint64(0)
	for i, k := range d.log {
		if sum += k; sum >= n {
			return min(logFrom*math.Pow(10, float64(i)/logBins), float64(d.largest))
		}
	}
	return float64(d.largest)
}
