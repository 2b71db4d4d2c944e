package bench

import (
	"math"
	"slices"
	"testing"
)

// Who looks on sees the errors that a run ends with, and the paths of those that moved.
func TestWatchSeesTheRun(t *testing.T) {
	c := Config{Tables: tables(t), Load: Mixed, Remotes: 100, Ticks: 450, Workers: 1, Seed: 1}
	r, err := Run(c)
	if err != nil {
		t.Fatal(err)
	}
	w, err := Watch(c)
	if err != nil {
		t.Fatal(err)
	}
	last := w.Errors[len(w.Errors)-1]
	if len(w.Errors) < errorTimes || last.Seconds != 15 || last.Median != r.ErrorMedian || last.P99 != r.ErrorP99 {
		t.Errorf("%d, the last %+v; the run ended with %v and %v", len(w.Errors), last, r.ErrorMedian, r.ErrorP99)
	}
	if len(w.Paths) != 3 || !slices.IsSortedFunc(w.Paths, func(a, b Path) int { return int(math.Copysign(1, a.Mean-b.Mean)) }) {
		t.Errorf("%d paths", len(w.Paths))
	}
	for _, p := range w.Paths {
		mean := 0.0
		for i := range p.Server {
			mean += math.Hypot(p.Server[i][0]-p.Client[i][0], p.Server[i][1]-p.Client[i][1]) / pathTicks
		}
		if len(p.Server) != pathTicks || len(p.Client) != pathTicks || len(p.Events) == 0 || math.Abs(mean-p.Mean) > 1e-3 {
			t.Errorf("%s: %d, %d, %d places; %v m off, told %v", p.Choice, len(p.Server), len(p.Client), len(p.Events), mean, p.Mean)
		}
	}
	if _, err := Watch(Config{}); err == nil {
		t.Error("there are no tables")
	}
}
