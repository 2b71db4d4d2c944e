package motion

import (
	"math"
	"reflect"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
	"pgregory.net/rapid"
)

var (
	someStyles  = []uint32{NonCombat, HandCombat, SwordCombat}
	someMotions = []uint32{Ready, WalkForward, RunForward, TurnRight, SideStepRight, Falling, Dead, Crouch, Cheer, 0x10000058, JumpModifier}
	anyCommand  = append(append([]uint32{0, TurnLeft, SideStepLeft, WalkBackwards, 0x85000001, 0x80000000, 0xFFFFFFFF, AimLevel, Magic}, someStyles...), someMotions...)
	someSpeeds  = []float32{1, 1, 1, 0, -1, 0.5, 1.53, -6.7, 1e-5, 1e20, -1e20, math.MaxFloat32, -math.MaxFloat32, math.SmallestNonzeroFloat32}
)

// anyRecords draws a motion table without any of the good sense of a real one.
func anyRecords(t *rapid.T) dat.Records {
	data := rapid.Custom(func(t *rapid.T) dat.MotionData {
		d := md(rapid.StringOfN(rapid.RuneFrom([]rune("ABCX")), 0, 3, -1).Draw(t, "clips"))
		for i := range d.Clips {
			d.Clips[i].Rate = rapid.SampledFrom([]float32{30, 30, -30, 0, 45.5, 1e20}).Draw(t, "rate")
			d.Clips[i].Low = rapid.Int32Range(-1, 3).Draw(t, "low")
			d.Clips[i].High = rapid.Int32Range(-1, 3).Draw(t, "high")
		}
		d.Velocity = space.Vec3{0, rapid.SampledFrom([]float32{0, 3, 1e30}).Draw(t, "velocity"), 0}
		d.Omega = space.Vec3{0, 0, rapid.SampledFrom([]float32{0, -1.5}).Draw(t, "omega")}
		d.Flags = uint8(rapid.IntRange(0, 3).Draw(t, "flags"))
		return d
	})
	chance := func(what string) bool { return rapid.IntRange(0, 2).Draw(t, what) > 0 }
	b := newBook(NonCombat)
	for _, s := range someStyles {
		if chance("default") {
			b.rests(s, rapid.SampledFrom(someMotions).Draw(t, "rest"))
		}
		for _, c := range someMotions {
			if chance("cycle") {
				b.cycle(s, c, data.Draw(t, "cycle data"))
			}
			if IsModifier(c) && chance("modifier") {
				b.mod(rapid.SampledFrom([]uint32{s, 0}).Draw(t, "mod style"), c, data.Draw(t, "modifier data"))
			}
		}
		for range rapid.IntRange(0, 12).Draw(t, "links") {
			from := rapid.SampledFrom(append([]uint32{0}, someMotions...)).Draw(t, "from")
			b.link(s, from, rapid.SampledFrom(append(someStyles, someMotions...)).Draw(t, "to"), data.Draw(t, "link data"))
		}
	}
	return b.with(an('A', 3, 0.1), an('B', 1, 0), an('C', 4, 0.2))
}

func drawState(t *rapid.T) State {
	speed, c := rapid.SampledFrom(someSpeeds), rapid.SampledFrom(anyCommand)
	return State{
		Style: rapid.SampledFrom(someStyles).Draw(t, "style"), Forward: c.Draw(t, "forward"), Sidestep: c.Draw(t, "sidestep"), Turn: c.Draw(t, "turn"),
		ForwardSpeed: speed.Draw(t, "forward speed"), SidestepSpeed: speed.Draw(t, "sidestep speed"), TurnSpeed: speed.Draw(t, "turn speed"),
	}
}

func (r *rig) anything(t *rapid.T, stamp *uint16) {
	c := rapid.SampledFrom(anyCommand).Draw(t, "command")
	p := withSpeed(rapid.SampledFrom(someSpeeds).Draw(t, "speed"))
	p.HoldKey = components.HoldKey(rapid.IntRange(0, 2).Draw(t, "hold"))
	switch rapid.IntRange(0, 14).Draw(t, "what") {
	case 0, 1, 2:
		s := drawState(t)
		*stamp++
		r.InboundState(s.Style, &s, []components.Action{{Motion: c, Speed: p.Speed, Stamp: *stamp}}, rapid.IntRange(0, 9).Draw(t, "long jump") == 0)
	case 3:
		r.PerformMovement(RawCommand, c, p)
	case 4:
		r.PerformMovement(StopRawCommand, c, p)
	case 5:
		r.PerformMovement(StopCompletely, 0, nil)
	case 6:
		r.DoInterpretedMotion(c, p)
	case 7:
		r.StopInterpretedMotion(c, p)
	case 8:
		r.Body.Transient ^= components.OnWalkable
		if r.Body.Transient&components.OnWalkable != 0 {
			r.HitGround()
		} else {
			r.LeaveGround()
		}
	case 9:
		r.Pose.Cell ^= 0xA9B40025
	case 10:
		rapid.SampledFrom([]func(){r.EnterWorld, r.ExitWorld, r.EnterDefaultState}).Draw(t, "world")()
	case 11:
		r.Jump(p.Speed)
	default:
		f := space.Identity
		Advance(r.Tables, &r.Pools.Nodes, r.Sequence, rapid.SampledFrom([]float64{1. / 30, 0.2, 1, -0.1}).Draw(t, "dt"), &f, r.Hooks)
		for i := range r.queue.Fired {
			if r.queue.Fired[i].Hook == AnimationDone {
				r.AnimationDone(true)
			}
		}
		r.queue.Reset()
		r.CheckForCompletedMotions()
	}
}

// Whatever is called, every invariant holds, and what is pending is paired by
// position (R4.1).
func TestPropertyInvariantsHold(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := newRig(t, anyRecords(rt))
		r.EnterDefaultState()
		moveTos := 0
		r.onUnstick = func() {
			if moveTos > 0 {
				moveTos--
				r.PerformMovement(StopCompletely, 0, nil)
			}
		}
		var stamp uint16
		for range rapid.IntRange(1, 30).Draw(rt, "calls") {
			moveTos = rapid.IntRange(0, 1).Draw(rt, "move-to")
			r.anything(rt, &stamp)
			if err := Check(r.Row, r.Tables, r.Pools); err != nil {
				rt.Fatalf("%v\n%s", err, Describe(r.Row, r.Tables, r.Pools))
			}
			if r.Pending.Anims.Len != r.Pending.Motions.Len {
				rt.Fatalf("R4.1: not paired\n%s", Describe(r.Row, r.Tables, r.Pools))
			}
		}
	})
}

// TestPropertyOneAnswer plays the same calls twice, the second time in pools
// that others have used.
func TestPropertyOneAnswer(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		recs := anyRecords(rt)
		one, two := newRig(t, recs), newRig(t, recs)
		for range 3 {
			two.Sequence.Nodes.Push(&two.Pools.Nodes, components.Node{})
		}
		for range 20 {
			two.pendMotion(1, 2, 3)
			two.Interpreted.Actions.Push(&two.Pools.Actions, components.Action{})
		}
		two.Release()
		Init(two.Row)
		for _, r := range []*rig{one, two} {
			r.EnterDefaultState()
		}
		for range rapid.IntRange(1, 12).Draw(rt, "calls") {
			s, speed := drawState(rt), rapid.SampledFrom(someSpeeds).Draw(rt, "speed")
			for _, r := range []*rig{one, two} {
				r.InboundState(s.Style, &s, nil, false)
				r.DoMotion(s.Turn, withSpeed(speed))
				f := space.Identity
				Advance(r.Tables, &r.Pools.Nodes, r.Sequence, 0.05, &f, nil)
			}
		}
		a, b := Describe(one.Row, one.Tables, one.Pools), Describe(two.Row, two.Tables, two.Pools)
		if a != b || !reflect.DeepEqual(one.told, two.told) {
			rt.Fatalf("%s\n%s", a, b)
		}
	})
}

func TestCheckFindsWhatIsBroken(t *testing.T) {
	for name, breakIt := range map[string]func(r *rig){
		"table":     func(r *rig) { r.Identity.Table = 9 },
		"frame":     func(r *rig) { r.Sequence.Frame = 99 },
		"frame NaN": func(r *rig) { r.Sequence.Frame = math.NaN() },
		"curr":      func(r *rig) { r.Sequence.Curr = 7 },
		"curr none": func(r *rig) { r.Sequence.Curr = -1 },
		"anim":      func(r *rig) { r.Sequence.Nodes.Inline[0].Anim = 99 },
		"rate":      func(r *rig) { r.Sequence.Nodes.Inline[0].Rate = float32(math.Inf(1)) },
		"bounds":    func(r *rig) { r.Sequence.Nodes.Inline[0].High = 99 },
		"room":      func(r *rig) { r.Sequence.Nodes.Len = 99 },
		"velocity":  func(r *rig) { r.Sequence.Velocity[1] = float32(math.NaN()) },
		"placement": func(r *rig) { r.Sequence.Placement = 3 },
		"speed":     func(r *rig) { r.Interpreted.TurnSpeed = float32(math.NaN()) },
		"modifier":  func(r *rig) { r.pushModifier(TurnRight, float32(math.Inf(1))) },
		"action": func(r *rig) {
			r.keys(func(k *components.Raw) {
				k.Actions.Push(&r.Pools.Actions, components.Action{Speed: float32(math.NaN())})
			})
		},
		"errand":     func(r *rig) { r.Errand.Own.Make(&r.Pools.Errands) },
		"raw":        func(r *rig) { *r.Raw.Make(&r.Pools.Raws) = components.DefaultRaw() },
		"counter":    func(r *rig) { r.Pending.Counter = 5 },
		"no queue":   func(r *rig) { r.Pending.Anims.Clear(&r.Pools.PendingAnims); r.Pending.Counter = 1 },
		"not paired": func(r *rig) { r.Pending.Motions.Clear(&r.Pools.PendingMotions) },
	} {
		r := newRig(t, small()).standing()
		r.do(moving(WalkForward, 1))
		breakIt(r)
		if Check(r.Row, r.Tables, r.Pools) == nil {
			t.Errorf("%s: not found", name)
		}
	}
}

func TestCheckFindsABrokenMoveTo(t *testing.T) {
	nan := float32(math.NaN())
	for name, breakIt := range map[string]func(r *rig, s *components.MoveTo){
		"type":        func(r *rig, s *components.MoveTo) { s.Type = 5 },
		"type beyond": func(r *rig, s *components.MoveTo) { s.Type = 10 },
		"not busy":    func(r *rig, s *components.MoveTo) { r.Rest.Busy = 0 },
		"busy":        func(r *rig, s *components.MoveTo) { s.Type = 0; s.Nodes.Clear(&r.Pools.MoveToNodes) },
		"no order":    func(r *rig, s *components.MoveTo) { r.setMovingTo(s, InvalidMovement) },
		"never made":  func(r *rig, s *components.MoveTo) { *r.Errand = components.Errands{} },
		"nodes":       func(r *rig, s *components.MoveTo) { r.pushGo(s, 1); r.pushGo(s, 1) },
		"heading":     func(r *rig, s *components.MoveTo) { r.pushTurn(s, nan) },
		"params":      func(r *rig, s *components.MoveTo) { s.Params.MinDistance = nan },
		"sought":      func(r *rig, s *components.MoveTo) { s.Sought.Frame.Rotation.W = nan },
		"goal":        func(r *rig, s *components.MoveTo) { s.Goal.Frame.Origin[2] = nan },
		"start":       func(r *rig, s *components.MoveTo) { s.Start.Frame.Rotation.V[1] = float32(math.Inf(-1)) },
		"size":        func(r *rig, s *components.MoveTo) { s.SoughtHeight = nan },
		"distance":    func(r *rig, s *components.MoveTo) { s.PrevDistance = float32(math.Inf(1)) },
		"time":        func(r *rig, s *components.MoveTo) { s.PrevTime = math.NaN() },
		"no time":     func(r *rig, s *components.MoveTo) { s.PrevTime = math.Inf(1) },
		"aux":         func(r *rig, s *components.MoveTo) { s.AuxCommand = WalkForward },
	} {
		r := walker(t, 90)
		r.MoveToPosition(spot(0, 10, 0), params(0, 0))
		r.check()
		breakIt(r, r.manager())
		if Check(r.Row, r.Tables, r.Pools) == nil {
			t.Errorf("%s: not found", name)
		}
	}
}

// noHost wants to know nothing, and answers what a mover alone would hear.
type noHost struct{ now float64 }

func (h *noHost) Now() float64                               { return h.now }
func (h *noHost) Unstick()                                   {}
func (h *noHost) SetVelocity(space.Vec3)                     {}
func (h *noHost) MotionDone(uint32, bool)                    {}
func (h *noHost) LeavesGround()                              {}
func (h *noHost) Activate()                                  {}
func (h *noHost) SetTarget(uint32, uint32, float32, float32) {}
func (h *noHost) ClearTarget()                               {}
func (h *noHost) TargetQuantum() float32                     { return 0 }
func (h *noHost) SetTargetQuantum(float32)                   {}
func (h *noHost) StickTo(uint32, float32, float32)           {}
func (h *noHost) MoveToDone(MovementType, uint32)            {}

func TestMoveToAllocatesNothing(t *testing.T) {
	r := walker(t, 0)
	h := &noHost{}
	r.Host = h
	orders, place := []*components.MoveParams{params(0, 0), final(90), params(components.ParamCanCharge, 0)}, spot(3, 3, 0)
	target := news(spot(0, 9, 0), spot(0, 9, 0))
	target.ID = other
	round := func() {
		for _, p := range orders {
			r.MoveToPosition(place, p)
			for range 30 {
				h.now += fps
				r.quantum(fps)
			}
			r.MoveToObject(other, other, 1, 1, p)
			r.HandleTarget(&target)
			r.quantum(fps)
			r.TurnToHeading(p)
			r.quantum(fps)
		}
	}
	for range 10 {
		round()
	}
	if n := testing.AllocsPerRun(10, round); n != 0 {
		t.Errorf("%v allocations a round", n)
	}
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	r := newRig(t, human()).standing()
	r.Host = nil
	walk, run := moving(WalkForward, 1), moving(RunForward, 1.5)
	run.Turn = TurnRight
	actions := []components.Action{{Motion: Cheer, Speed: 1}}
	var stamp uint16
	round := func() {
		for _, s := range []*State{&walk, &run} {
			stamp++
			actions[0].Stamp = stamp
			r.InboundState(s.Style, s, actions, false)
			r.PerformMovement(StopCompletely, 0, nil)
			for range 4 {
				f := space.Identity
				Advance(r.Tables, &r.Pools.Nodes, r.Sequence, 0.2, &f, r.Hooks)
				for range r.queue.Fired {
					r.AnimationDone(true)
				}
				r.queue.Reset()
				r.CheckForCompletedMotions()
			}
		}
	}
	for range 50 {
		round()
	}
	if n := testing.AllocsPerRun(50, round); n != 0 {
		t.Errorf("%v allocations a round", n)
	}
}

func BenchmarkInboundState(b *testing.B) {
	r := newRig(b, human()).standing()
	r.Host = nil
	states := []State{moving(WalkForward, 1), moving(RunForward, 1.5), moving(RunForward, 1.5), moving(Ready, 1)}
	states[2].Turn = TurnRight
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		s := &states[i%len(states)]
		r.InboundState(s.Style, s, nil, false)
		r.RemoveLinkAnimations()
	}
}
