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
			s, tables := loadOn(b, c.sweep, c.load, n, 1)
			e, err := Spawned(s, systems.Options{Tables: tables})
			if err != nil {
				b.Fatal(err)
			}
			o := e.Options()
			w := fill(b, s, settle)
			run := func() {
				for i := range w.Ticks() {
					play(b, e, w, i)
				}
			}
			run()
			var writes, restores, ticks []float64
			var kept bytes.Buffer
			since := func(t time.Time) float64 { return float64(time.Since(t).Nanoseconds()) / 1e6 }
			for b.Loop() {
				if err := s.Fill(w, 10, nil); err != nil {
					b.Fatal(err)
				}
				began := time.Now()
				run()
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
