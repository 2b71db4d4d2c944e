package record

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/gait-engine/gait/bench"
)

// BenchmarkCommit measures what recording costs, in ticks of the same load and in one
// run: two engines get the same inputs in turn, of which one is recorded, without hashes
// and with.
func BenchmarkCommit(b *testing.B) {
	for _, c := range []struct {
		kind bench.Load
		n    int
	}{{bench.Busy, 2000}, {bench.Mixed, 2000}, {bench.Busy, 100_000}, {bench.Mixed, 100_000}, {bench.Idle, 100_000}} {
		for _, every := range []int{-1, 128} {
			b.Run(fmt.Sprintf("%s/%d/hash-every-%d", c.kind, c.n, every), func(b *testing.B) {
				l := loadOf(b, c.kind, c.n)
				plain, taken := l.engine(b), l.engine(b)
				rec, err := Create(b.TempDir(), taken, Options{HashEvery: every})
				if err != nil {
					b.Fatal(err)
				}
				step := func(i int) (without, with float64) {
					if err := l.stream.Fill(&l.window, 1, nil); err != nil {
						b.Fatal(err)
					}
					one := func() {
						began := time.Now()
						l.at = 0
						l.feed(b, plain)
						plain.Tick()
						without = float64(time.Since(began).Nanoseconds())
					}
					other := func() {
						began := time.Now()
						l.at = 0
						l.feed(b, taken)
						taken.Tick()
						if err := rec.Commit(); err != nil {
							b.Fatal(err)
						}
						with = float64(time.Since(began).Nanoseconds())
					}
					if i%2 == 0 {
						one()
						other()
					} else {
						other()
						one()
					}
					return without, with
				}
				for i := range 128 {
					step(i)
				}
				size := rec.size
				var without, with []float64
				for i := 0; b.Loop(); i++ {
					x, y := step(i)
					without, with = append(without, x), append(with, y)
				}
				sum := func(v []float64) (s float64) {
					for _, x := range v {
						s += x
					}
					return s
				}
				b.ReportMetric(sum(with)/sum(without)-1, "cost/tick")
				ratio := make([]float64, len(with))
				for i := range with {
					ratio[i] = with[i]/without[i] - 1
				}
				slices.Sort(ratio)
				b.ReportMetric(ratio[len(ratio)/2], "median-cost/tick")
				b.ReportMetric(float64(rec.size-size)/float64(len(with)), "file-B/tick")
			})
		}
	}
}
