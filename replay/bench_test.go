package replay

import (
	"testing"

	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/wire/transport"
)

// What a view adds to the engine, in ns a message: a recorded minute played with and
// without measuring.
func BenchmarkView(b *testing.B) {
	r := record(b, 60, 40, 1, 9)
	type told struct {
		at  int64
		dir transport.Dir
		msg []byte
	}
	var all []told
	reader := transport.NewReader(transport.Options{}, transport.Handler{Message: func(c *transport.Connection, m *transport.Message) {
		all = append(all, told{m.At - c.First, m.Dir, append([]byte(nil), m.Data...)})
	}})
	for i := range r.datagrams {
		reader.Add(&r.datagrams[i])
	}
	reader.Close()
	tables := tables(b)
	per := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(all)), "ns/message")
	}
	b.Run("engine", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			e, err := systems.New(systems.Options{Tables: tables, TicksPerSecond: hz, Lenient: true})
			if err != nil {
				b.Fatal(err)
			}
			for i := range all {
				for e.Now() < uint64(all[i].at*hz/1e9) {
					e.Tick()
				}
				if all[i].dir == transport.S2C {
					if err := e.Inbound(all[i].msg); err != nil {
						b.Fatal(err)
					}
				}
			}
		}
		per(b)
	})
	b.Run("view", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			v, err := NewView(ViewOptions{Tables: tables, TicksPerSecond: hz}, NewRoom())
			if err != nil {
				b.Fatal(err)
			}
			for i := range all {
				v.Message(all[i].at, all[i].dir, all[i].msg)
			}
		}
		per(b)
	})
}
