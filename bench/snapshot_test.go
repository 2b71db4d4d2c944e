package bench

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/gait-engine/gait/systems"
)

// BenchmarkSnapshot measures what a snapshot costs, in ticks of the same world and
// in one run: writing, restoring, and the ticks in between. stored is what the file
// takes a remote.
func BenchmarkSnapshot(b *testing.B) {
	for _, c := range []struct {
		load  Load
		sweep string
	}{{Mixed, SweepNone}, {Busy, SweepNone}, {Mixed, SweepFlat}} {
		b.Run(fmt.Sprintf("%s/sweep-%s/100000", c.load, c.sweep), func(b *testing.B) {
			const n, settle = 100_000, 200
			tables, ground, err := LoadGround(GroundOptions{Sweep: c.sweep})
			if err != nil {
				b.Fatal(err)
			}
			s, err := NewStreamOn(ground, c.load, n, 1, nil)
			if err != nil {
				b.Fatal(err)
			}
			o := systems.Options{Tables: tables}
			if ground != nil {
				o.Land = ground.Land
			}
			e, err := Spawned(s, o)
			if err != nil {
				b.Fatal(err)
			}
			var w Window
			if err := s.Fill(&w, settle, nil); err != nil {
				b.Fatal(err)
			}
			run := func(e *systems.Engine) {
				for i := range w.Ticks() {
					bytes, sizes := w.Messages(i)
					if err := Feed(e, bytes, sizes); err != nil {
						b.Fatal(err)
					}
					e.Tick()
				}
			}
			run(e)
			var writes, restores, ticks []float64
			var kept bytes.Buffer
			since := func(t time.Time) float64 { return float64(time.Since(t).Nanoseconds()) / 1e6 }
			for b.Loop() {
				if err := s.Fill(&w, 10, nil); err != nil {
					b.Fatal(err)
				}
				began := time.Now()
				run(e)
				ticks = append(ticks, since(began))
				kept.Reset()
				began = time.Now()
				if err := e.Snapshot(&kept); err != nil {
					b.Fatal(err)
				}
				writes = append(writes, since(began))
				began = time.Now()
				if _, err := systems.Restore(o, bytes.NewReader(kept.Bytes())); err != nil {
					b.Fatal(err)
				}
				restores = append(restores, since(began))
			}
			b.ReportMetric(float64(kept.Len())/n, "stored-B/remote")
			b.ReportMetric(median(ticks), "ms/10-ticks")
			b.ReportMetric(median(writes)/median(ticks), "write/10-ticks")
			b.ReportMetric(median(restores)/median(ticks), "restore/10-ticks")
		})
	}
}
