package replay

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Percentiles are by nearest rank on all samples; beyond what is kept they come from
// the logarithmic histogram, and are right to one of its bins (22 §11.6).
func TestSummary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float32Range(0, 500), 1, 300).Draw(t, "values")
		keep := rapid.IntRange(0, len(values)).Draw(t, "kept")
		var beyond dist
		for _, v := range values[keep:] {
			beyond.add(v)
		}
		s := summarize(slices.Clone(values[:keep]), &beyond)
		sum := 0.0
		for _, v := range values {
			sum += float64(v)
		}
		slices.Sort(values)
		if s.Count != uint64(len(values)) || s.Largest != float64(values[len(values)-1]) || math.Abs(s.Mean-sum/float64(len(values))) > 1e-6*sum+1e-9 || s.Approximate != (keep < len(values)) {
			t.Fatalf("%+v of %v", s, values)
		}
		for p, got := range map[float64]float64{0.5: s.Median, 0.9: s.P90, 0.95: s.P95, 0.99: s.P99} {
			want := float64(values[int(math.Ceil(p*float64(len(values))))-1])
			off := math.Abs(got - want)
			if !s.Approximate && off != 0 || off > want*0.04+logFrom {
				t.Fatalf("percentile %v is %v, want %v", p, got, want)
			}
		}
		total := uint64(0)
		for i, n := range s.Histogram {
			total += n
			for _, v := range values {
				if in := (i == 0 || float64(v) > Edges[i-1]) && (i == len(Edges) || float64(v) <= Edges[i]); in {
					n--
				}
			}
			if n != 0 {
				t.Fatalf("bin %d of %v is off by %d", i, s.Histogram, int64(n))
			}
		}
		if total != s.Count {
			t.Fatalf("%d in the histogram", total)
		}
	})
}

// When there is no room for samples one by one, the report says that it is
// approximate, and loses none.
func TestSamplesBeyondRoom(t *testing.T) {
	r := record(t, 10, 10, 1, 5)
	path := put(t, "file", pcapng(t, r.datagrams, began))
	exact := mustRun(t, options(t), path).Errors
	run := &runner{options: options(t), room: &Room{Samples: 100, Guids: MaxGuids}}
	got := mustRunWith(t, run, path).Errors
	if !got.Distance.Approximate || got.Distance.Count != exact.Distance.Count || got.Distance.Largest != exact.Distance.Largest ||
		math.Abs(got.Distance.Mean-exact.Distance.Mean) > 1e-9 || math.Abs(got.Distance.P95-exact.Distance.P95) > 0.04*exact.Distance.P95+logFrom || len(got.ByMotion) != len(exact.ByMotion) {
		t.Errorf("%+v\nwant about %+v", got.Distance, exact.Distance)
	}
}
