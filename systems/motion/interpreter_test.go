package motion

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

func withSpeed(speed float32) *components.MoveParams {
	p := DefaultParams()
	p.Speed = speed
	return &p
}

func TestR5_8_DefaultParams(t *testing.T) {
	p := DefaultParams()
	eq(t, "flags", p.Flags, 0x1EE0F)
	eq(t, "can charge", p.Has(components.ParamCanCharge), false)
	eq(t, "threshold", p.WalkRunThreshold, 15) // D-1
	eq(t, "distance", p.DistanceToObject, 0.6)
	eq(t, "fail distance", p.FailDistance, math.MaxFloat32)
	for _, c := range []struct {
		cancel, disallow bool
	}{{false, false}, {true, false}, {false, true}, {true, true}} {
		want := uint32(0x1EE0F) & 0xFFFD37FF
		if c.cancel {
			want |= 1 << 15
		}
		if c.disallow {
			want |= 1 << 17
		}
		eq(t, "apply flags", applyFlags(c.cancel, c.disallow), components.ParamFlags(want))
	}
}

// R5.3 is the second half.
func TestR5_2_RawApplyAndRemove(t *testing.T) {
	r := newRig(t, human())
	p := withSpeed(2)
	p.HoldKey = components.HoldRun
	before := r.raw()
	r.rawApply(RunForward, p)
	eq(t, "RunForward is nothing", r.raw(), before) // R5.1
	r.rawApply(TurnLeft, p)
	eq(t, "turn", r.raw().Turn, components.Axis{Motion: TurnLeft, Speed: 2}) // set_hold_key: the key is Invalid
	p.Flags &^= components.ParamSetHoldKey
	r.rawApply(SideStepLeft, p)
	eq(t, "sidestep", r.raw().Sidestep, components.Axis{Motion: SideStepLeft, Hold: components.HoldRun, Speed: 2})
	r.rawApply(WalkBackwards, p)
	eq(t, "forward", r.raw().Forward.Motion, WalkBackwards)
	r.rawApply(NonCombat, p)
	eq(t, "same style: nothing", r.raw().Forward.Motion, WalkBackwards)
	r.rawApply(SwordCombat, p)
	eq(t, "style", r.raw().Style, SwordCombat)
	eq(t, "forward", r.raw().Forward, components.Axis{Motion: Ready, Hold: components.HoldRun, Speed: 2})
	p.ActionStamp = 7
	p.Flags |= components.ParamAutonomous
	r.rawApply(Cheer, p)
	eq(t, "action", r.rawActions()[0], components.Action{Motion: Cheer, Speed: 2, Stamp: 7, Autonomous: true})

	r.rawRemove(TurnRight)
	eq(t, "turn", r.raw().Turn, components.Axis{Motion: 0, Speed: 2})
	r.rawRemove(SideStepLeft)
	eq(t, "sidestep", r.raw().Sidestep.Motion, 0)
	r.rawRemove(Ready)
	eq(t, "forward speed", r.raw().Forward.Speed, 1)
	r.rawRemove(SwordCombat)
	eq(t, "style", r.raw().Style, NonCombat)
}

// R5.5 and R5.7 are the second half.
func TestR5_4_InterpretedApplyAndRemove(t *testing.T) {
	r := newRig(t, human())
	p := withSpeed(2)
	for _, c := range []uint32{TurnRight, SideStepRight, WalkForward, Cheer} {
		r.interpretedApply(c, p)
	}
	i := r.Interpreted
	eq(t, "turn", i.Turn, TurnRight)
	eq(t, "sidestep speed", i.SidestepSpeed, 2)
	eq(t, "forward", i.Forward, WalkForward)
	eq(t, "actions", i.Actions.Len, 1)
	r.interpretedApply(NonCombat, p)
	eq(t, "same style: Ready all the same", i.Forward, Ready)
	eq(t, "speed kept", i.ForwardSpeed, 2)
	r.interpretedRemove(TurnRight)
	r.interpretedRemove(SideStepRight)
	r.interpretedRemove(Ready)
	eq(t, "turn", i.Turn, 0)
	eq(t, "turn speed kept", i.TurnSpeed, 2)
	eq(t, "sidestep", i.Sidestep, 0)
	eq(t, "forward speed", i.ForwardSpeed, 1)
	r.removeActions()
	eq(t, "actions", i.Actions.Len, 0)
}

// R5.10 is the order of it, and lets all but creatures be; an Invalid hold key is the
// raw state's (R1.7).
func TestR5_11_AdjustMotion(t *testing.T) {
	r := newRig(t, human())
	r.Traits.RunRate = 2
	for _, c := range []struct {
		c     uint32
		speed float32
		hold  components.HoldKey
		want  uint32
		out   float64
	}{
		{WalkForward, 1, components.HoldRun, RunForward, 2},
		{WalkBackwards, 1, components.HoldRun, WalkForward, -1.3},
		{TurnLeft, 1, components.HoldRun, TurnRight, -1.5},
		{SideStepRight, 1, components.HoldRun, SideStepRight, 2.496},
		{RunForward, 1, components.HoldRun, RunForward, 1},
		{SideStepLeft, 1, components.HoldNone, SideStepRight, -1.248},
		{SideStepLeft, 4, components.HoldRun, SideStepRight, -3},
		{WalkBackwards, 1, components.HoldNone, WalkForward, -0.65},
		{WalkForward, 1, components.HoldInvalid, WalkForward, 1}, // the raw state walks
		{0, 1, components.HoldRun, 0, 1},
	} {
		got, speed := r.AdjustMotion(c.c, c.speed, c.hold)
		eq(t, CommandName(c.c), got, c.want)
		near(t, CommandName(c.c), float64(speed), c.out)
	}
	r.Traits.RunRate = 2.404
	_, speed := r.AdjustMotion(SideStepRight, 1, components.HoldRun)
	eq(t, "clamped", speed, 3)
	r.keys(func(k *components.Raw) { k.HoldKey = components.HoldRun })
	got, _ := r.AdjustMotion(WalkForward, 1, components.HoldInvalid)
	eq(t, "R1.7 the raw state runs", got, RunForward)
	r.Traits.Flags = components.HasGame // no creature
	got, _ = r.AdjustMotion(WalkBackwards, 1, components.HoldRun)
	eq(t, "not a creature", got, WalkBackwards)
}

func TestF5_BackwardsUnderRunStaysBackwards(t *testing.T) {
	r := newRig(t, human()).standing()
	r.Traits.RunRate = 2
	s := DefaultRaw()
	s.HoldKey = components.HoldRun
	s.Forward.Motion = WalkBackwards
	eq(t, "code", r.InstallRaw(s), 0)
	eq(t, "forward", r.Interpreted.Forward, WalkForward)
	near(t, "speed", float64(r.Interpreted.ForwardSpeed), -1.3)
	eq(t, "substate", r.MotionState.Substate, WalkForward)
	near(t, "velocity", float64(r.Sequence.Velocity[1]), -1.3*3.12)
}

func TestF6_RunRateReachesSpeedAndAnimation(t *testing.T) {
	r := newRig(t, human()).standing()
	r.Traits.RunRate = 2.25
	s := DefaultRaw()
	s.HoldKey = components.HoldRun
	s.Forward.Motion = WalkForward
	r.InstallRaw(s)
	near(t, "state velocity", float64(r.StateVelocity()[1]), 9)
	near(t, "max speed", float64(r.AdjustedMaxSpeed()), 9)
	near(t, "animation", float64(r.Sequence.Nodes.Items(&r.Pools.Nodes)[1].Rate), 67.5)
}

func TestR5_12_MaxSpeed(t *testing.T) {
	r := newRig(t, human())
	r.Traits.RunRate = 2
	eq(t, "12 §6, without an interpreter", r.MaxSpeed()+r.AdjustedMaxSpeed(), 0)
	r.Interpreter.Initted = true
	eq(t, "max", r.MaxSpeed(), 8)
	r.Interpreted.Forward, r.Interpreted.ForwardSpeed = RunForward, 1.5
	eq(t, "adjusted", r.AdjustedMaxSpeed(), 6)
	r.Interpreted.Forward = WalkForward
	eq(t, "adjusted, not running", r.AdjustedMaxSpeed(), 8)
	r.Traits.Flags &^= components.HasRunRate
	r.Interpreter.RunRate = 3
	eq(t, "no answer: myRunRate", r.RunRate(), 3)
	r.Traits.Flags = 0
	eq(t, "D-16 no game object", r.MaxSpeed(), 4)
}

func TestR5_13_StateVelocity(t *testing.T) {
	r := newRig(t, human())
	r.Interpreter.Initted = true
	i := r.Interpreted
	i.Forward, i.ForwardSpeed = WalkForward, 1
	i.Sidestep, i.SidestepSpeed = SideStepRight, 1
	v := r.StateVelocity()
	near(t, "x", float64(v[0]), 1.25)
	near(t, "y", float64(v[1]), 3.12)
	r.Traits.Flags = 0
	r.Interpreter.RunRate = 9
	i.Forward, i.SidestepSpeed = RunForward, 3
	near(t, "D-16 capped at 4", float64(space.Length(r.StateVelocity())), 4)
}

func TestD_50_ZeroVelocityIsNotScaled(t *testing.T) {
	r := newRig(t, human()).standing()
	r.Traits.Flags &^= components.HasRunRate
	r.do(moving(RunForward, -6.7))
	eq(t, "my run rate", r.Interpreter.RunRate, -6.7)
	r.PerformMovement(StopCompletely, 0, nil)
	r.Body.Transient = 0
	r.LeaveGround()
	eq(t, "velocity", r.Body.Velocity, space.Vec3{})
}

func TestR5_14_ContactGate(t *testing.T) {
	r := newRig(t, human())
	for _, c := range []struct {
		name     string
		set      func()
		walk     bool
		alsoTurn bool
	}{
		{"grounded", func() {}, true, true},
		{"airborne", func() { r.Body.Transient = 0 }, false, true},
		{"steep", func() { r.Body.Transient = components.Contact }, false, true},
		{"no gravity", func() { r.Body.State = 0 }, true, true},
		{"no creature", func() { r.Body.State = components.Gravity; r.Traits.Flags = components.HasGame }, true, true},
		{"no game object", func() { r.Traits.Flags = 0 }, false, true},
	} {
		c.set()
		eq(t, c.name, r.contactAllowsMove(WalkForward), c.walk)
		for _, always := range []uint32{Dead, Falling, TurnRight, TurnLeft} {
			eq(t, c.name, r.contactAllowsMove(always), c.alsoTurn)
		}
	}
}

func TestR5_15_MotionAllowsJump(t *testing.T) {
	for c, want := range map[uint32]uint32{
		Fallen: 0x48, Falling: 0, Crouch: 0x48, Sitting: 0x48, Sleeping: 0x48, Ready: 0, RunForward: 0, Dead: 0,
		0x40000016: 0x48, 0x40000018: 0x48, 0x40000019: 0, 0x4000001D: 0, 0x4000001E: 0x48, 0x40000039: 0x48, 0x4000003A: 0,
		0x1000006F: 0x48, 0x10000078: 0x48, 0x10000079: 0,
		0x10000134: 0x48, 0x1000012B: 0x48, 0x10000128: 0, // D-12
		Sanctuary: 0, AITelegraphCast: 0, // D-42
	} {
		eq(t, CommandName(c), MotionAllowsJump(c), want)
	}
}

func TestD_42_SanctuaryStoresNoJumpCode(t *testing.T) {
	recs := human()
	b := &book{*recs.Motions[0]}
	b.link(NonCombat, Ready, Sanctuary, md("g"))
	r := newRig(t, b.with(recs.Anims...)).standing()
	eq(t, "code", r.DoInterpretedMotion(Sanctuary, withSpeed(1)), 0)
	eq(t, "jump code", r.Pending.Motions.Items(&r.Pools.PendingMotions)[0].JumpError, 0)
}

func TestD_41_HoldKeyReAppliesOnBothEdges(t *testing.T) {
	r := newRig(t, human()).standing()
	r.Traits.Flags |= components.LocalPlayer
	r.Interpreter.LastMoveAutonomous = true
	r.PerformMovement(RawCommand, WalkForward, withSpeed(1))
	eq(t, "forward", r.Interpreted.Forward, WalkForward)
	p := withSpeed(1)
	p.HoldKey = components.HoldRun
	r.PerformMovement(RawCommand, TurnRight, p)
	eq(t, "forward", r.Interpreted.Forward, RunForward)
	r.SetHoldRun(false, false)
	eq(t, "forward", r.Interpreted.Forward, WalkForward)
	r.SetHoldKey(components.HoldInvalid, false)
	eq(t, "Invalid never sets", r.raw().HoldKey, components.HoldNone)
	r.keys(func(k *components.Raw) { k.HoldKey = components.HoldInvalid })
	r.SetHoldKey(components.HoldNone, false)
	eq(t, "None over Invalid does not write", r.raw().HoldKey, components.HoldInvalid)

	remote := newRig(t, human()).standing()
	remote.Interpreter.LastMoveAutonomous = true
	remote.PerformMovement(RawCommand, WalkForward, withSpeed(1))
	remote.PerformMovement(RawCommand, TurnRight, p)
	eq(t, "a remote re-applies its interpreted state", remote.Interpreted.Forward, WalkForward)
}

func TestR5_18_DoMotion(t *testing.T) {
	r := newRig(t, human()).standing()
	r.do(State{Style: HandCombat, Forward: Ready, ForwardSpeed: 1, SidestepSpeed: 1, TurnSpeed: 1})
	for c, want := range map[uint32]uint32{Crouch: 0x3F, Sitting: 0x40, Sleeping: 0x41, Cheer: 0x42} {
		r.turnPending().forget()
		eq(t, CommandName(c), r.DoMotion(c, withSpeed(1)), want)
		eq(t, "cancels all the same", strings.Join(r.ended, ","), "9 0x36")
	}
	r = newRig(t, human()).standing()
	for range maxActions {
		eq(t, "code", r.PerformMovement(RawCommand, Cheer, withSpeed(1)), 0)
	}
	eq(t, "a seventh", r.PerformMovement(RawCommand, Cheer, withSpeed(1)), TooManyActions)
	eq(t, "no cap here", r.DoInterpretedMotion(Cheer, withSpeed(1)), 0)
	eq(t, "raw actions", r.raw().Actions.Len, maxActions)
	eq(t, "unknown type", r.PerformMovement(MoveToObject, 0, withSpeed(1)), GeneralMovementFailure) // D-28
	eq(t, "not finite", r.PerformMovement(RawCommand, WalkForward, withSpeed(float32(math.NaN()))), GeneralMovementFailure)
	r.check()
}

// And so does its stop (R5.20).
func TestR5_18_RawKeepsTheUnadjustedCommand(t *testing.T) {
	r := newRig(t, human()).standing()
	r.PerformMovement(RawCommand, TurnLeft, withSpeed(1))
	eq(t, "raw", r.raw().Turn, components.Axis{Motion: TurnLeft, Speed: 1})
	eq(t, "interpreted", r.Interpreted.Turn, TurnRight)
	eq(t, "speed", r.Interpreted.TurnSpeed, -1)
	eq(t, "stop", r.PerformMovement(StopRawCommand, TurnLeft, withSpeed(1)), 0)
	eq(t, "raw", r.raw().Turn.Motion, 0)
	eq(t, "interpreted", r.Interpreted.Turn, 0)
}

func TestD_20_ContextReachesThePendingMotions(t *testing.T) {
	r := newRig(t, human()).standing()
	p := withSpeed(1)
	p.Context = 77
	p.ActionStamp = 9
	p.Flags |= components.ParamAutonomous | components.ParamDisableJumpDuringLink
	r.DoMotion(Cheer, p)
	eq(t, "pending", r.Pending.Motions.Items(&r.Pools.PendingMotions)[0], components.PendingMotion{Context: 77, Motion: Cheer, JumpError: 0x48})
	eq(t, "action", r.Interpreted.Actions.Items(&r.Pools.Actions)[0], components.Action{Motion: Cheer, Speed: 1, Stamp: 9, Autonomous: true})
}

func TestR5_19_JumpCodeFromTheOldForward(t *testing.T) {
	r := newRig(t, human()).standing()
	r.DoInterpretedMotion(Crouch, withSpeed(1))
	r.DoInterpretedMotion(WalkForward, withSpeed(1))
	r.DoInterpretedMotion(Ready, withSpeed(1))
	r.Interpreted.Forward = Crouch
	r.DoInterpretedMotion(Cheer, withSpeed(1))
	q := r.Pending.Motions.Items(&r.Pools.PendingMotions)
	for i, want := range []uint32{0x48, 0x48, 0, 0} { // an action does not look at forward
		eq(t, "jump code", q[i].JumpError, want)
	}
}

// A stop in the air changes the state alone (R5.21).
func TestR5_19_Airborne(t *testing.T) {
	r := newRig(t, human()).standing()
	r.Body.Transient = 0
	eq(t, "action", r.DoInterpretedMotion(Cheer, withSpeed(1)), YouCantJumpWhileInTheAir)
	eq(t, "walk", r.DoInterpretedMotion(WalkForward, withSpeed(2)), 0)
	eq(t, "state only", r.Interpreted.Forward, WalkForward)
	eq(t, "substate", r.MotionState.Substate, Ready)
	eq(t, "nothing pending", r.motions(), "")
	eq(t, "stop", r.StopInterpretedMotion(WalkForward, withSpeed(1)), 0)
	eq(t, "state only", r.Interpreted.Forward, Ready)
}

func TestF7_StandingLongJumpStandsStill(t *testing.T) {
	r := newRig(t, human()).standing()
	r.Interpreter.StandingLongJump = true
	for _, c := range []uint32{WalkForward, RunForward, SideStepRight} {
		eq(t, "code", r.DoInterpretedMotion(c, withSpeed(1)), 0)
	}
	eq(t, "state", r.Interpreted.Forward, RunForward)
	eq(t, "list", r.list(), "R")
	r.ApplyInterpretedMovement(false, false)
	eq(t, "list", r.list(), "R")
	f, _ := r.tick(1. / 30)
	eq(t, "no ground motion", f.Origin, space.Vec3{})
	r.do(moving(RunForward, 1)) // the wire clears the flag, after the state was applied (R5.47)
	eq(t, "flag", r.Interpreter.StandingLongJump, false)
	r.do(moving(RunForward, 1))
	eq(t, "substate", r.MotionState.Substate, RunForward)
}

func TestR5_22_StopCompletely(t *testing.T) {
	r := newRig(t, human()).standing()
	s := moving(Crouch, 2)
	s.Sidestep, s.SidestepSpeed, s.Turn, s.TurnSpeed = SideStepRight, 1.5, TurnRight, 0.5
	r.do(s)
	eq(t, "code", r.StopCompletely(), 0)
	want := DefaultState()
	want.SidestepSpeed, want.TurnSpeed = 1.5, 0.5
	i := r.Interpreted
	eq(t, "state", State{i.Style, i.Forward, i.Sidestep, i.Turn, i.ForwardSpeed, i.SidestepSpeed, i.TurnSpeed}, want)
	q := r.Pending.Motions.Items(&r.Pools.PendingMotions)
	eq(t, "jump code of the old forward", q[len(q)-1], components.PendingMotion{Motion: Ready, JumpError: 0x48})
	r.turnPending()
	eq(t, "code", r.StopCompletely(), 0)
	eq(t, "cancels", strings.Join(r.ended, ","), "9 0x36")
}

func TestDEV_1_OneFunnel(t *testing.T) {
	r := newRig(t, human()).standing()
	s := moving(RunForward, 1.5)
	s.Turn = TurnRight
	r.do(s)
	eq(t, "motions", r.motions(), "NonCombat, RunForward, TurnRight")
	eq(t, "list", r.list(), "dU")
	eq(t, "velocity", r.Sequence.Velocity, space.Vec3{0, 6, 0})
	eq(t, "omega", r.Sequence.Omega[2], -1.5)
	eq(t, "my run rate", r.Interpreter.RunRate, 1.5)
}

func TestDEV_3_OneStopPath(t *testing.T) {
	r := newRig(t, human()).standing()
	r.do(moving(RunForward, 1))
	for range 12 {
		r.tick(1. / 30)
	}
	r.do(moving(Ready, 1))
	eq(t, "list", r.list(), "eR")
	eq(t, "velocity", r.Sequence.Velocity, space.Vec3{})
}

func TestDEV_4_LinkPlaysVelocitySnaps(t *testing.T) {
	r := newRig(t, human()).standing()
	r.do(moving(WalkForward, 1))
	for range 12 {
		r.tick(1. / 30)
	}
	eq(t, "list", r.list(), "W")
	if r.Sequence.Frame == 0 {
		t.Fatal("not mid-cycle")
	}
	r.do(moving(RunForward, 1))
	eq(t, "O-8 list", r.list(), "cU")
	eq(t, "playing", r.Sequence.Curr, 0)
	eq(t, "O-8 the link begins at once", r.Sequence.Frame, 0)
	eq(t, "velocity", r.Sequence.Velocity, space.Vec3{0, 4, 0})
}

func TestDEV_8_NoVelocityButTheTables(t *testing.T) {
	recs := newBook(NonCombat).rests(NonCombat, Ready).cycle(NonCombat, Ready, md("R")).cycle(NonCombat, RunForward, md("U")).
		with(an('R', 4, 0), an('U', 8, 0.13))
	r := newRig(t, recs).standing()
	r.do(moving(RunForward, 1))
	f, _ := r.tick(1. / 30)
	eq(t, "velocity", r.Sequence.Velocity, space.Vec3{})
	near(t, "y", float64(f.Origin[1]), 0.13)
}

func TestDEV_9_ModifiersCombineAndLeave(t *testing.T) {
	recs := human()
	for i := range recs.Motions[0].Cycles {
		if c := &recs.Motions[0].Cycles[i]; c.Key == Key(NonCombat, RunForward) {
			c.Data.Omega = space.Vec3{0, 0, 0.25}
		}
	}
	r := newRig(t, recs).standing()
	s := moving(RunForward, 1)
	s.Turn, s.TurnSpeed = TurnRight, 0.5
	r.do(s)
	eq(t, "omega", r.Sequence.Omega[2], 0.25-0.75)
	r.do(moving(RunForward, 1))
	eq(t, "omega", r.Sequence.Omega[2], 0.25)
}

func TestD_38_OwnStyleSetsReady(t *testing.T) {
	r := newRig(t, human()).standing()
	r.do(moving(RunForward, 1))
	r.PerformMovement(RawCommand, NonCombat, withSpeed(1))
	eq(t, "forward", r.Interpreted.Forward, Ready)
	eq(t, "substate", r.MotionState.Substate, RunForward)
}

func TestR5_30_ActionStamps(t *testing.T) {
	for _, c := range []struct {
		node, server uint16
		newer        bool
	}{
		{5, 4, true}, {4, 5, false}, {1, 0x7FFE, true}, {0x7FFE, 1, false}, {5, 5, false}, {0x4000, 0, false}, {0, 0x4000, true},
		{6, 0x8005, true}, // D-13
	} {
		eq(t, fmt.Sprintf("(%#x,%#x)", c.node, c.server), NewerAction(c.node, c.server), c.newer)
	}
}

func TestR5_30_NewerAction(t *testing.T) {
	for _, c := range []struct {
		node, server uint16
		want         bool
	}{
		{5, 4, true}, {4, 5, false}, {1, 0x7FFE, true}, {0x7FFE, 1, false}, {7, 7, false},
		{0x4000, 0, false}, {0, 0x4000, true},
		{6, 0x8005, true}, {0x8006, 5, true}, {0x8005, 5, false}, // D-13: 15 bits on both sides
	} {
		if NewerAction(c.node, c.server) != c.want {
			t.Errorf("NewerAction(%#x, %#x) = %v", c.node, c.server, !c.want)
		}
	}
}

func TestF63_EveryActionStamp(t *testing.T) {
	for b := range 0x10000 {
		for _, d := range []int{0, 1, -1, 0x3FFF, -0x3FFF, 0x4000, -0x4000} {
			node, server := uint16(b+d), uint16(b)
			x, y := int(node&0x7FFF), int(server&0x7FFF)
			delta := max(x-y, y-x)
			want := x < y
			if delta <= 0x3FFF {
				want = y < x
			}
			if NewerAction(node, server) != want {
				t.Fatalf("NewerAction(%#x, %#x) = %v", node, server, !want)
			}
		}
	}
}

// What plays is recorded with stamp 0 (R5.29).
func TestD_14_AutonomyGate(t *testing.T) {
	for _, c := range []struct {
		name  string
		flags components.TraitFlags
		auto  bool
		plays bool
	}{
		{"remote, autonomous", components.HasGame | components.Creature, true, true},
		{"player, autonomous", components.HasGame | components.Creature | components.LocalPlayer, true, false},
		{"player, from the server", components.HasGame | components.Creature | components.LocalPlayer, false, true},
		{"no game object, autonomous", 0, true, false},
	} {
		r := newRig(t, human()).standing()
		r.Traits.Flags = c.flags
		r.do(DefaultState(), components.Action{Motion: Cheer, Stamp: 5, Speed: 2, Autonomous: c.auto})
		eq(t, c.name, strings.Contains(r.motions(), "Cheer"), c.plays)
		stamp := uint16(0)
		if c.plays {
			stamp = 5
			eq(t, "R5.29", r.Interpreted.Actions.Items(&r.Pools.Actions)[0], components.Action{Motion: Cheer, Speed: 2, Autonomous: c.auto})
		}
		eq(t, c.name+" stamp", r.Interpreter.ServerActionStamp, stamp)
	}
}

func TestR5_28_AirborneActionIsLost(t *testing.T) {
	r := newRig(t, human()).standing()
	r.Body.Transient = 0
	r.do(DefaultState(), components.Action{Motion: Cheer, Stamp: 5, Speed: 1})
	eq(t, "stamp consumed", r.Interpreter.ServerActionStamp, 5)
	eq(t, "actions", r.Interpreted.Actions.Len, 0)
}

func TestD_15_RemoteTakesTheInterpretedPath(t *testing.T) {
	r := newRig(t, human()).standing()
	r.do(moving(RunForward, 1.5))
	r.Interpreter.LastMoveAutonomous = true
	r.Body.Transient = 0
	r.LeaveGround()
	eq(t, "substate", r.MotionState.Substate, Falling)
	eq(t, "R5.41 forward is kept", r.Interpreted.Forward, RunForward)
	r.Body.Transient = components.Contact | components.OnWalkable
	r.HitGround()
	eq(t, "forward", r.Interpreted.Forward, RunForward)
	eq(t, "substate", r.MotionState.Substate, RunForward)
	eq(t, "through Falling→Ready→Run", r.list(), "idU")
}

// By way of exhaustion (R5.27), to the raw state applied (R5.24).
func TestR5_25_LocalPlayerTakesTheRawPath(t *testing.T) {
	for _, flags := range []components.TraitFlags{0, components.HasGame | components.Creature | components.LocalPlayer} {
		r := newRig(t, human()).standing()
		r.Traits.Flags = flags
		r.Interpreter.LastMoveAutonomous = true
		r.keys(func(k *components.Raw) { k.Forward.Motion = WalkForward })
		r.ReportExhaustion()
		eq(t, "forward", r.Interpreted.Forward, WalkForward)
	}
	r := newRig(t, human())
	r.ApplyCurrentMovement(true, false) // not initted
	eq(t, "pending", r.motions(), "")
}

func TestR6_26_Inbound(t *testing.T) {
	r := newRig(t, human()).standing().turnPending()
	r.InboundBegin(NonCombat)
	eq(t, "told", strings.Join(r.told, ", "), "Ready true, moved 9 0x36, unstick")
	eq(t, "a repeated style issues nothing", r.motions(), "")
	r.InboundBegin(HandCombat)
	eq(t, "style", r.Interpreted.Style, HandCombat)
	eq(t, "no completion check", r.motions(), "HandCombat")
	s := moving(float32Nan())
	eq(t, "not finite", r.InboundState(NonCombat, &s, nil, true), GeneralMovementFailure)
	s = DefaultState()
	eq(t, "not finite", r.InboundState(NonCombat, &s, []components.Action{{Speed: float32(math.Inf(1))}}, true), GeneralMovementFailure)
	eq(t, "nothing changed", r.motions(), "HandCombat")
	eq(t, "code", r.InboundState(NonCombat, &s, nil, true), 0)
	eq(t, "R5.47", r.Interpreter.StandingLongJump, true)
}

func float32Nan() (uint32, float32) { return WalkForward, float32(math.NaN()) }

func TestR5_46_DeathStartsAtOnce(t *testing.T) {
	r := newRig(t, human()).standing()
	r.do(moving(WalkForward, 1))
	r.forget()
	r.Body.Transient = 0
	eq(t, "code", r.DoInterpretedMotion(Dead, withSpeed(1)), 0)
	eq(t, "links gone", r.list(), "blD")
	eq(t, "done", strings.Join(r.done, ", "), "NonCombat false, WalkForward false")
}

func TestR5_45_ChangeTable(t *testing.T) {
	recs := human()
	other := *recs.Motions[0]
	other.ID = 0x09000002
	recs.Motions = append(recs.Motions, &other)
	r := newRig(t, recs).standing()
	r.do(moving(WalkForward, 2))
	before := Describe(r.Row, r.Tables, r.Pools)
	r.ChangeTable(0)
	eq(t, "the same: nothing", Describe(r.Row, r.Tables, r.Pools), before)
	r.ChangeTable(1)
	eq(t, "substate", r.MotionState.Substate, Ready)
	eq(t, "motions", r.motions(), "NonCombat, Ready")
	eq(t, "list", r.list(), "R")
	r.ChangeTable(-1)
	eq(t, "substate", r.MotionState.Substate, 0)
	r.check()
}

// "destroys the manager and starts anew": nothing of what was active, pending or counted is left or
// told of, nor what the interpreter knew. It shows where nothing sets it anew: without a
// table, and of an object that LeaveGround does nothing to.
func TestR5_45_NothingIsLeftOfTheOldManager(t *testing.T) {
	r := newRig(t, human())
	r.Traits.Flags &^= components.Creature
	r.standing()
	r.do(moving(WalkForward, 2), components.Action{Motion: Cheer, Stamp: 7, Speed: 1})
	r.pushModifier(TurnRight, 1)
	r.Pending.Counter = 1
	r.SetRunRate(3)
	r.Interpreter.LastMoveAutonomous, r.Interpreter.StandingLongJump = true, true
	if r.MotionState.Actions.Len == 0 || r.Pending.Anims.Len == 0 || r.Interpreter.ServerActionStamp != 7 {
		t.Fatal("nothing to leave behind")
	}
	r.forget()
	r.ChangeTable(-1)
	eq(t, "modifiers", r.modifiers(), "")
	eq(t, "actions", r.MotionState.Actions.Len, 0)
	eq(t, "anims", r.anims(), "Ready 0")
	eq(t, "motions", r.motions(), "Ready")
	eq(t, "counter", r.Pending.Counter, 0)
	eq(t, "told", strings.Join(r.told, ", "), "")
	eq(t, "interpreter", *r.Interpreter, components.Interpreter{RunRate: 1, SpeedFactor: 1, Initted: true})
	r.check()
}

func TestNoTable(t *testing.T) {
	r := newRig(t, dat.Records{})
	r.EnterDefaultState()
	r.do(moving(WalkForward, 1), components.Action{Motion: Cheer, Stamp: 1, Speed: 1})
	eq(t, "motions", r.motions(), "")
	eq(t, "forward", r.Interpreted.Forward, WalkForward)
	r.tick(1. / 30)
	r.check()
}

// TestSpec5_12_OneEvent follows one event through all layers.
func TestSpec5_12_OneEvent(t *testing.T) {
	recs := gated(newBook(NonCombat).rests(NonCombat, Ready).cycle(NonCombat, Ready, md("R")).cycle(NonCombat, RunForward, md("U")).
		link(NonCombat, Ready, RunForward, md("d")).link(NonCombat, RunForward, Ready, md("e"))).
		with(an('R', 33, 0), an('U', 24, 0.1333), an('d', 11, 0.066), an('e', 11, 0.07), an('T', 29, 0), an('S', 25, 0))
	for _, a := range recs.Anims {
		for i := range a.Frames {
			a.Frames[i].Hooks = nil
		}
	}
	r := newRig(t, recs)
	r.EnterDefaultState()
	r.forget()
	var out strings.Builder
	for k := 1; k <= 41; k++ {
		s := DefaultState()
		event := true
		switch k {
		case 3:
			s.Turn, s.TurnSpeed = TurnRight, 0.97
		case 12:
			s.Forward, s.ForwardSpeed, s.Turn, s.TurnSpeed = RunForward, 1.53, TurnRight, 0.97
		case 40:
			s.Forward, s.ForwardSpeed = RunForward, 1.53
		default:
			event = false
		}
		if event {
			r.do(s)
			fmt.Fprintf(&out, "tick %d after the event\n%s", k, Describe(r.Row, r.Tables, r.Pools))
		}
		f, _ := r.tick(1. / 16)
		if event || len(r.done) > 0 {
			fmt.Fprintf(&out, "tick %d done %v, offset %.6v turned %.6v\n%s\n", k, r.done, f.Origin, f.Rotation.V[2], Describe(r.Row, r.Tables, r.Pools))
		}
		r.forget()
	}
	golden(t, "one-event.txt", out.String())
}
