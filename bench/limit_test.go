package bench

import (
	"fmt"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/ecs"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/wire"
)

// BenchmarkRunning ticks remotes that all run straight on, without a message, over nothing
// and over flat land: the least that a tick does of who moves. Alike, they do so in step, and
// every branch goes the way that it went for the one before; in turn, each began in another
// tick and at another speed. A few fit into a core's own cache, many into none: between the
// figures lies what the arithmetic costs, what branches do that go either way, and what
// memory does.
func BenchmarkRunning(b *testing.B) {
	for _, sweep := range []string{SweepNone, SweepFlat} {
		for _, n := range []int{250, 100_000} {
			for _, alike := range []bool{true, false} {
				b.Run(fmt.Sprintf("sweep=%s/n=%d/alike=%t", sweep, n, alike), func(b *testing.B) {
					b.ReportAllocs()
					var e *systems.Engine
					for tick := range b.N {
						if tick%1000 == 0 { // lest they come to the end of the world
							b.StopTimer()
							e = running(b, sweep, n, alike)
							b.StartTimer()
						}
						e.Tick()
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/remote")
				})
			}
		}
	}
}

// BenchmarkLeast takes the columns of remotes that run straight on, and does to them and to
// a view what one tick of that comes to, without asking whether it may: the frame goes on,
// what the frames left amount to is turned into the world and added (10 §2), the way is
// counted and becomes a velocity, and all of it is shown. No engine that goes row by row can
// take less for who runs.
func BenchmarkLeast(b *testing.B) {
	for _, n := range []int{250, 100_000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			e := running(b, SweepNone, n, false)
			t, q := e.Tables(), e.Quantum()
			c := ecs.Columns{
				Rest: make([]components.Rest, n), Pose: make([]components.Pose, n), Body: make([]components.Body, n),
				Sequence: make([]components.Sequence, n), Leash: make([]components.Leash, n),
			}
			for i := range n {
				e.Inspect(FirstGuid+uint32(i), func(r *components.Row, _ *components.Pools) {
					c.Rest[i], c.Pose[i], c.Body[i], c.Sequence[i], c.Leash[i] = *r.Rest, *r.Pose, *r.Body, *r.Sequence, *r.Leash
				})
			}
			v := *e.View()
			frames, rest := make([]float64, n), make([]int32, 4*n) // as the view has them
			b.ResetTimer()
			for range b.N {
				for i := range c.Rest {
					pose, body, seq := &c.Pose[i], &c.Body[i], &c.Sequence[i]
					node := &seq.Nodes.Inline[0]
					frame := seq.Frame + float64(node.Rate*q)
					if end := float64(node.High) + 1; frame >= end { // so that they run on
						seq.Frame, frame = seq.Frame-end, frame-end
					}
					first, last := max(int32(seq.Frame), 0), int32(frame)
					anim := &t.Anims[node.Anim]
					way := t.Crossing(anim, first, max(last-first, 1))
					x, y, z := space.Moved(&pose.Frame, &way.Way)
					o, a := &pose.Frame.Origin, &body.Achieved
					a[0], a[1], a[2] = (x-o[0])/q, (y-o[1])/q, (z-o[2])/q
					o[0], o[1], o[2] = x, y, z
					c.Leash[i].Travelled += way.Length
					seq.Frame = frame
					v.Cell[i], v.Anim[i], v.Flags[i] = pose.Cell, anim.ID, systems.Flags(body.Transient)
					v.Origin[i], v.Velocity[i], v.Rotation[i] = *o, *a, pose.Frame.Rotation
					frames[i], rest[4*i] = frame, int32(c.Rest[i].Since)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/remote")
		})
	}
}

// BenchmarkBent is [BenchmarkRunning] without a sweep for who runs straight on, who turns on the
// way, and who chases a place that he was said to stand at: what the latter two take more.
func BenchmarkBent(b *testing.B) {
	for _, kind := range []string{"straight", "turn", "chase"} {
		for _, n := range []int{250, 100_000} {
			b.Run(fmt.Sprintf("%s/n=%d", kind, n), func(b *testing.B) {
				var e *systems.Engine
				for tick := range b.N {
					if tick%60 == 0 { // who chases gets there after a hundred ticks
						b.StopTimer()
						e = running(b, SweepNone, n, false)
						v := e.View()
						for i := range n {
							switch guid := FirstGuid + uint32(i); kind {
							case "turn":
								tell(b, e, toRun(guid, 2, 1.5+float32(i%30)/30, 1.5))
							case "chase":
								row, _ := e.Row(guid)
								p := wire.PositionEvent{Guid: guid}
								p.Pack.Flags, p.Pack.Position = wire.PackContact, 1
								at := space.Add(v.Origin[row], space.Vec3{90, 0, 0})
								p.Pack.Place.Cell, p.Pack.Place.Frame.Origin = space.AdjustToOutside(v.Cell[row], at)
								p.Pack.Place.Frame.Rotation = v.Rotation[row]
								p.Pack.Fresh()
								tell(b, e, &p)
							}
						}
						for range 3 {
							e.Tick()
						}
						b.StartTimer()
					}
					e.Tick()
				}
				chasing := 0
				for _, f := range e.View().Flags {
					if f&systems.Chasing != 0 {
						chasing++
					}
				}
				if (chasing == n) != (kind == "chase") {
					b.Fatalf("%d of %d chase", chasing, n)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/remote")
			})
		}
	}
}

// toRun is the message that has one run, and turn right at a speed unless that is 0.
func toRun(guid uint32, stamp uint16, speed, turn float32) *wire.Movement {
	m := &wire.Movement{Guid: guid, Movement: stamp}
	m.Body.Style = wire.CommandIndex(wire.CommandNonCombat)
	m.Body.State = wire.NewState()
	m.Body.State.Forward, m.Body.State.ForwardSpeed = wire.CommandIndex(runForward), speed
	if turn != 0 {
		m.Body.State.Turn, m.Body.State.TurnSpeed = wire.CommandIndex(turnRight), turn
	}
	m.Body.Fresh()
	return m
}

// tell feeds a message.
func tell(b *testing.B, e *systems.Engine, m wire.Message) {
	msg, err := m.Append(nil)
	if err == nil {
		err = e.Inbound(msg)
	}
	if err != nil {
		b.Fatal(err)
	}
}

// running returns an engine in which all run.
func running(b *testing.B, sweep string, n int, alike bool) *systems.Engine {
	tables, ground, err := LoadGround(GroundOptions{Sweep: sweep})
	if err != nil {
		b.Fatal(err)
	}
	if ground != nil {
		b.Cleanup(func() { ground.Close() })
	}
	s, err := NewStreamOn(ground, Idle, n, 1, nil)
	if err != nil {
		b.Fatal(err)
	}
	e, err := Spawned(s, systems.Options{Tables: tables})
	if err != nil {
		b.Fatal(err)
	}
	const begin, settle = 30, 60 // ticks: in which they begin, and till all are past the way there
	for tick := range begin + settle {
		for i := range n {
			k := i % begin
			if alike {
				k = 0
			}
			if k != tick {
				continue
			}
			tell(b, e, toRun(FirstGuid+uint32(i), 1, 1.5+float32(k)/begin, 0))
		}
		e.Tick()
	}
	v, moving := e.View(), 0
	for i := range v.Flags {
		if v.Flags[i]&systems.Moving != 0 {
			moving++
		}
	}
	if moving < n*9/10 { // on land a few have run into somebody
		b.Fatalf("%d of %d run", moving, n)
	}
	b.ReportMetric(float64(moving)/float64(n), "running")
	return e
}
