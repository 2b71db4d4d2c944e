package replay

import (
	"math"
	"testing"
)

// Around each of the largest errors the path holds the event at its middle, and the
// engine as far from it, in the tick before, as was measured (22 §11.6).
func TestPathsLeadToTheErrors(t *testing.T) {
	r := record(t, 20, 15, 2, 8)
	path := put(t, "file.pcapng", pcapng(t, r.datagrams, began))
	o := options(t)
	report := mustRun(t, o, path)
	worst := report.Errors.Worst
	paths, err := Paths([]string{path}, o, worst)
	if err != nil || len(paths) != MaxWorst {
		t.Fatalf("%d paths, %v", len(paths), err)
	}
	for i, p := range paths {
		if p.Worst != worst[i] || len(p.Client) < 30 || len(p.Client) > (pathBefore+pathAfter)*hz+1 {
			t.Errorf("%+v has %d places, want %+v", p.Worst, len(p.Client), worst[i])
		}
		there := false
		for _, e := range p.Events {
			there = there || e == [2]float64{}
		}
		nearest := math.Inf(1)
		for _, c := range p.Client {
			nearest = min(nearest, math.Abs(math.Hypot(c[0], c[1])-p.Metres))
		}
		if !there || nearest > 0.02 {
			t.Errorf("%+v: the event is there: %v; no place of the engine's is as far off, by %v m", p.Worst, there, nearest)
		}
	}
	if _, err := Paths([]string{path + "x"}, o, worst); err == nil {
		t.Error("there is no such file")
	}
}
