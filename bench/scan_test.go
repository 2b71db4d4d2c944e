package bench

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestScanRemotes(t *testing.T) {
	for n, want := range map[int][]int{
		1: {1}, 1000: {1000}, 1001: {1000, 1001}, 3000: {1000, 3000}, 20_000: {1000, 3000, 10_000, 20_000},
		ScanMax: {1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000},
	} {
		if got := ScanRemotes(n); !slices.Equal(got, want) {
			t.Errorf("up to %d: %v, want %v", n, got, want)
		}
	}
}

func TestScan(t *testing.T) {
	if testing.Short() {
		t.Skip("eight floors are measured, each of which takes its time")
	}
	c := Config{Tables: tables(t), Load: Mixed, Ticks: 30, Seed: 1}
	stages := map[string]bool{}
	c.Progress = func(stage string, done, total int) { stages[stage] = true }
	var results []Result
	each := func(r *Result) error { results = append(results, *r); return nil }
	if err := Scan(c, []int{20, 40}, []int{1, 2}, each); err != nil {
		t.Fatal(err)
	}
	for i, want := range [][2]int{{20, 1}, {20, 2}, {40, 1}, {40, 2}} {
		if r := &results[i]; r.Remotes != want[0] || r.Workers != want[1] || r.Ticks != 30 {
			t.Errorf("run %d: %+v", i, r)
		}
	}
	if len(results) != 4 || results[0].Hash != results[1].Hash || !stages["40 remotes, 2 workers: running"] {
		t.Errorf("%d results, stages %v", len(results), stages)
	}

	full := errors.New("disk full")
	if err := Scan(c, []int{20}, []int{1}, func(*Result) error { return full }); err != full {
		t.Error(err)
	}
	if err := Scan(c, []int{20, -1}, []int{1}, each); !errors.Is(err, ErrConfig) || len(results) != 5 {
		t.Errorf("%v after %d results", err, len(results))
	}
}

// Growth counts from 100,000 remotes or the most below, speed-up from the fewest workers.
func TestWriteGrowth(t *testing.T) {
	run := func(n, workers int, ns float64) Result {
		return Result{Remotes: n, Workers: workers, Load: Storm, Sweep: SweepNone, Ticks: 7, NsMedian: ns, TimesFloor: ns / 50, GCShare: 0.0125}
	}
	var b strings.Builder
	if err := WriteGrowth(&b, []Result{
		run(1000, 1, 80), run(1000, 2, 50), run(100_000, 1, 100), run(100_000, 2, 60), run(1_000_000, 1, 130), run(1_000_000, 2, 66),
	}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if !strings.HasPrefix(lines[0], "load storm, sweep none, 7 ticks") {
		t.Error(lines[0])
	}
	for i, want := range [][]string{
		{"1000", "1", "80.0", "1.60", "0.80", "1.00"}, {"1000", "2", "50.0", "1.00", "0.83", "1.60"},
		{"100000", "1", "100.0", "2.00", "1.00", "1.00"}, {"100000", "2", "60.0", "1.20", "1.00", "1.67"},
		{"1000000", "1", "130.0", "2.60", "1.30", "1.00"}, {"1000000", "2", "66.0", "1.32", "1.10", "1.97"},
	} {
		got := strings.Fields(lines[2+i])
		if !slices.Equal(got[:6], want) || got[9] != "1.25" {
			t.Errorf("%v, want %v", got, want)
		}
	}
	b.Reset()
	if err := WriteGrowth(&b, nil); err != nil || b.Len() != 0 {
		t.Errorf("%v, %q", err, b.String())
	}
}
