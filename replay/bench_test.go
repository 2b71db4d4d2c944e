package replay

import (
	"testing"

	"github.com/gait-engine/gait/bench"
	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/wire"
	"github.com/gait-engine/gait/wire/transport"
)

// told is a message of a recording.
type told struct {
	at  int64
	dir transport.Dir
	msg []byte
}

// minute is a recorded minute of 40 remotes.
func minute(b *testing.B) (all []told) {
	r := record(b, 60, 40, 1, 9)
	reader := transport.NewReader(transport.Options{}, transport.Handler{Message: func(c *transport.Connection, m *transport.Message) {
		all = append(all, told{m.At - c.First, m.Dir, append([]byte(nil), m.Data...)})
	}})
	for i := range r.datagrams {
		reader.Add(&r.datagrams[i])
	}
	reader.Close()
	return all
}

// storm is the load storm: a movement and a position of each of 1,000 remotes, every tick.
func storm(b *testing.B) (all []told) {
	const remotes, ticks = 1000, 60
	s, err := bench.NewStream(bench.Storm, remotes, 1, nil)
	if err != nil {
		b.Fatal(err)
	}
	for i := range remotes {
		guid, place, gait, scale := s.Start(i)
		d := wire.NewDescriptor()
		d.State, d.Position, d.MotionTable, d.Setup, d.Scale = 0x400C08, place, gait.MotionTable, gait.Setup, scale
		d.Fresh()
		all = append(all, told{0, transport.S2C, encode(b, &wire.Create{Guid: guid, Physics: d})})
	}
	var w bench.Window
	if err := s.Fill(&w, ticks, nil); err != nil {
		b.Fatal(err)
	}
	for t := range ticks {
		bytes, sizes := w.Messages(t)
		for _, n := range sizes {
			all = append(all, told{int64(float64(t+1)*1e9/hz) + 1, transport.S2C, bytes[:n]})
			bytes = bytes[n:]
		}
	}
	return all
}

// What a view adds to the engine, in ns a message: recordings played with and without
// measuring.
func BenchmarkView(b *testing.B) {
	tables := tables(b)
	for name, recording := range map[string]func(*testing.B) []told{"minute": minute, "storm": storm} {
		all := recording(b)
		per := func(b *testing.B) {
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(all)), "ns/message")
		}
		b.Run(name+"/engine", func(b *testing.B) {
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
		b.Run(name+"/view", func(b *testing.B) {
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
}
