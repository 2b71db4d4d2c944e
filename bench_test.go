package gait_test

import (
	"runtime"
	"testing"

	"github.com/gait-engine/gait"
	"github.com/gait-engine/gait/bench"
)

// BenchmarkEngine is a tick by way of the front door, messages taken in included; an
// operation is a tick of all remotes. The same without it is BenchmarkTick of package bench.
func BenchmarkEngine(b *testing.B) {
	b.Run("load=mixed/n=10k/workers=1", func(b *testing.B) {
		const n = 10_000
		s, err := bench.NewStream(bench.Mixed, n, 1, nil)
		if err != nil {
			b.Fatal(err)
		}
		e, err := gait.New(gait.Options{Capacity: n})
		if err != nil {
			b.Fatal(err)
		}
		for i := range n {
			guid, place, made, scale := s.Start(i)
			spawn := gait.NewSpawn(guid, place)
			spawn.MotionTable, spawn.Setup, spawn.Scale = made.MotionTable, made.Setup, scale
			if err := e.Spawn(spawn); err != nil {
				b.Fatal(err)
			}
		}
		for range 4 {
			e.Tick()
		}
		var w bench.Window
		tick := 0
		b.ReportAllocs()
		b.ResetTimer()
		for range b.N {
			if tick == w.Ticks() {
				b.StopTimer()
				if err := s.Fill(&w, 300, nil); err != nil {
					b.Fatal(err)
				}
				runtime.GC()
				tick = 0
				b.StartTimer()
			}
			bytes, sizes := w.Messages(tick)
			for _, size := range sizes {
				if err := e.Inbound(bytes[:size]); err != nil {
					b.Fatal(err)
				}
				bytes = bytes[size:]
			}
			e.Tick()
			tick++
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/remote")
	})
}
