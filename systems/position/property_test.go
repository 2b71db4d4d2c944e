package position

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

func drawPosition(t *rapid.T, span float32, label string) space.Position {
	c := rapid.Float32Range(-span, span)
	p := atXY(96+c.Draw(t, label+" x"), 96+c.Draw(t, label+" y"))
	p.Frame.Origin[2] = c.Draw(t, label+" z")
	return facing(p, rapid.Float32Range(0, 360).Draw(t, label+" heading"))
}

func drawVec(t *rapid.T, span float32, label string) space.Vec3 {
	c := rapid.Float32Range(-span, span)
	return space.Vec3{c.Draw(t, label+" x"), c.Draw(t, label+" y"), c.Draw(t, label+" z")}
}

// Whatever comes in whatever order: the invariants hold after each update
// (update checks them), the leash's odometer falls only when it is tied anew.
func TestPropertyAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t)
		w.q = rapid.SampledFrom([]float32{1. / 60, 1. / 30, .1, .2}).Draw(t, "q")
		w.Pose.Position = drawPosition(t, 90, "start")
		travelled := w.Leash.Travelled
		tied := func() { travelled = w.Leash.Travelled }
		t.Repeat(map[string]func(*rapid.T){
			"event": func(t *rapid.T) {
				p := drawPosition(t, rapid.SampledFrom([]float32{.1, 5, 90, 300}).Draw(t, "span"), "to")
				w.PositionEvent(p, rapid.Bool().Draw(t, "contact"), rapid.IntRange(0, 9).Draw(t, "teleport") == 0)
				tied()
			},
			"many events": func(t *rapid.T) {
				p := w.Pose.Position
				for range rapid.IntRange(1, 40).Draw(t, "n") {
					p.Frame.Origin[1] += 1
					w.InterpolateTo(p, w.movingTo)
				}
			},
			"far events": func(t *rapid.T) {
				for i := range rapid.IntRange(1, 40).Draw(t, "n") {
					w.InterpolateTo(atXY(96, 96+150*float32(i%2)), w.movingTo)
				}
			},
			"ticks":  func(t *rapid.T) { w.run(w.tick + rapid.IntRange(1, 12).Draw(t, "n")) },
			"ground": func(t *rapid.T) { w.GroundEvent(rapid.Bool().Draw(t, "contact"), rapid.Bool().Draw(t, "walkable")) },
			"velocity": func(t *rapid.T) {
				SetVelocity(w.Body, drawVec(t, 90, "v"))
				SetOmega(w.Body, drawVec(t, 9, "w"))
			},
			"root": func(t *rapid.T) {
				w.root = space.Frame{Origin: drawVec(t, .5, "root"), Rotation: space.SetHeading(space.IdentityQuat, rapid.Float32Range(-5, 5).Draw(t, "turn"))}
			},
			"world": func(t *rapid.T) {
				w.immovable, w.refuse, w.movingTo = rapid.Bool().Draw(t, "immovable"), rapid.Bool().Draw(t, "refuse"), rapid.Bool().Draw(t, "moving to")
				w.maxSpeed = rapid.SampledFrom([]float32{0, -4, .5, 4, 18, 1e30}).Draw(t, "speed")
			},
			"state": func(t *rapid.T) {
				bits := rapid.SampledFrom([]components.StateBits{0, components.Hidden, components.Frozen, components.Sledding, components.AlignPath, components.Static}).Draw(t, "bit")
				SetState(w.Body, components.DefaultState|bits)
			},
			"": func(t *rapid.T) {
				if w.Leash.Travelled < travelled {
					t.Fatalf("odometer went from %v to %v", travelled, w.Leash.Travelled)
				}
				tied()
				if err := Check(*w.Row, w.Pools, 0); err != nil {
					t.Fatal(err)
				}
			},
		})
	})
}

// The distance to the tail never grows while a straight queue is chased, no step
// is longer than twice the speed allows, and the body ends there.
func TestPropertyChaseArrives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t)
		w.q = rapid.Float32Range(1./60, .2).Draw(t, "q")
		w.maxSpeed = rapid.Float32Range(.5, 20).Draw(t, "speed")
		w.Pose.Position = drawPosition(t, 400, "start")
		w.Pose.Normalize()
		way := space.SetHeading(space.IdentityQuat, rapid.Float32Range(0, 360).Draw(t, "way"))
		goal := w.Pose.Position
		for range rapid.IntRange(1, 20).Draw(t, "nodes") {
			step := rapid.Float32Range(.06, 4).Draw(t, "step")
			goal.Frame.Origin = space.Add(goal.Frame.Origin, space.LocalToGlobalVec(way, space.Vec3{0, step, 0}))
			w.InterpolateTo(goal, false)
		}
		d := space.Distance(&w.Pose.Position, &goal)
		for w.Chase.Queue.Len > 0 {
			if w.tick > 20000 {
				t.Fatal("never arrives")
			}
			was := w.Pose.Position
			w.update()
			now := space.Distance(&w.Pose.Position, &goal)
			if now > d+1e-3 {
				t.Fatalf("tick %d: %v m to the tail after %v", w.tick, now, d)
			}
			if s := space.Distance(&was, &w.Pose.Position); s > 2*w.maxSpeed*w.q*1.0001+1e-3 {
				t.Fatalf("tick %d: a step of %v m", w.tick, s)
			}
			d = now
		}
		if d > .05+1e-4 || len(w.places) != 0 {
			t.Fatalf("rests %v m away, blips %v", d, w.places)
		}
	})
}

// What is quiet stays as it is, to the last bit.
func TestPropertyQuietIsQuiet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t)
		w.Pose.Position = drawPosition(t, 90, "start")
		w.Pose.Normalize()
		w.GroundEvent(rapid.Bool().Draw(t, "contact"), rapid.Bool().Draw(t, "walkable"))
		if rapid.Bool().Draw(t, "event") {
			w.event(drawPosition(t, 90, "to"))
		}
		SetOmega(w.Body, space.Vec3{0, 0, rapid.SampledFrom([]float32{0, 1}).Draw(t, "omega")})
		CalcAcceleration(w.Body)
		for range 200 {
			pose, body, chase, leash := *w.Pose, *w.Body, *w.Chase, *w.Leash
			quiet := Quiet(w.Body, w.Chase)
			off := space.Identity
			AdjustOffset(w.Mover, &off, w.q, 4, false)
			AdjustLeash(w.Leash, w.Body, &off.Origin)
			next := w.Pose.Frame
			if off != space.Identity {
				next = space.Combine(next, off)
			}
			UpdatePhysics(w.Body, w.q, &next)
			Commit(w.Pose, w.Body, &next, w.q)
			w.UseTime()
			if same := *w.Pose == pose && *w.Body == body && *w.Chase == chase && *w.Leash == leash; quiet && !same {
				t.Fatal("quiet, and yet something changed")
			}
		}
	})
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	w := newWorld(t)
	each := func() {
		for i := range 25 {
			w.InterpolateTo(at(float32(i)), false)
		}
		for range 30 {
			w.tick = 0
			w.update()
		}
		w.PositionEvent(at(0), true, true)
		w.places = w.places[:0]
		w.calls = w.calls[:0]
	}
	each()
	if n := testing.AllocsPerRun(50, each); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestCheckFindsWhatIsBroken(t *testing.T) {
	nan := float32(math.NaN())
	for name, spoil := range map[string]func(w *world){
		"no such cell":  func(w *world) { w.Pose.Cell = 0xA9B40099 },
		"origin":        func(w *world) { w.Pose.Frame.Origin[1] = -1 },
		"nan origin":    func(w *world) { w.Pose.Cell, w.Pose.Frame.Origin[2] = 0, nan },
		"rotation":      func(w *world) { w.Pose.Frame.Rotation.W = .9 },
		"velocity":      func(w *world) { w.Body.Velocity[0] = float32(math.Inf(-1)) },
		"omega":         func(w *world) { w.Body.Omega[2] = nan },
		"achieved":      func(w *world) { w.Body.Achieved[2] = nan },
		"friction":      func(w *world) { w.Body.Friction = 2 },
		"distance":      func(w *world) { w.Body.PlayerDistance = nan },
		"leash":         func(w *world) { w.Leash.Travelled = -1 },
		"leash max":     func(w *world) { w.Leash.Max = nan },
		"anchor":        func(w *world) { w.Anchors.BlipTo.Make(&w.Pools.Places).Frame.Origin[0] = nan },
		"no anchor":     func(w *world) { w.Anchors.Leash.Make(&w.Pools.Places) },
		"node kind":     func(w *world) { w.fill(4) },
		"node velocity": func(w *world) { w.fill(vel); w.nodes()[0].Velocity[1] = nan },
		"node place":    func(w *world) { w.fill(pos, pos); w.nodes()[1].Place.Frame.Origin[1] = nan },
		"21 nodes":      func(w *world) { w.fill(make([]components.ChaseKind, 21)...) },
		"lost slab":     func(w *world) { w.fill(pos, pos); w.Chase.Queue.Len = 0 },
		"fail":          func(w *world) { w.Chase.Fail = -1 },
		"counter":       func(w *world) { w.Chase.FrameCounter = 5 },
		"progress":      func(w *world) { w.Chase.Progress = nan },
		"original":      func(w *world) { w.Chase.OriginalDistance = nan },
	} {
		w := newWorld(t)
		if err := Check(*w.Row, w.Pools, 0); err != nil {
			t.Fatal(err)
		}
		spoil(w)
		if err := Check(*w.Row, w.Pools, 0); !errors.Is(err, ErrInvariant) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
