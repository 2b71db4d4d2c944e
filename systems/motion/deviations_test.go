package motion

import (
	"strings"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

// Rows of the deviations register whose rule the tests of its own heading hold
// in passing; each has its acceptance test here, under its id.

func TestO_5_ReModifyHeadTwice(t *testing.T) {
	b := newBook(NonCombat).rests(NonCombat, Ready).cycle(NonCombat, Ready, md("R")).
		cycle(NonCombat, RunForward, vel(md("U"), 0, 4, 0)).cycle(NonCombat, WalkForward, vel(md("W"), 0, 3, 0)).
		mod(0, TurnRight, turning(md(""), 1)).mod(0, SideStepRight, vel(md(""), 1, 0, 0))
	r := newRig(t, b.with(an('R', 4, 0), an('U', 4, 0), an('W', 4, 0))).standing()
	r.ask(RunForward, 1)
	r.ask(SideStepRight, 1)
	r.ask(TurnRight, 1)
	r.ask(WalkForward, 1) // the head, TurnRight, is applied twice, the other not at all
	eq(t, "omega", r.Sequence.Omega, space.Vec3{0, 0, 2})
	eq(t, "velocity", r.Sequence.Velocity, space.Vec3{0, 3, 0})
	eq(t, "modifiers", r.modifiers(), "TurnRight, SideStepRight")
}

func TestO_8_OnlyALinkPlaysToItsEnd(t *testing.T) {
	r := newRig(t, human()).standing()
	r.do(moving(WalkForward, 1))
	r.tick(1. / 30)
	eq(t, "walks by way of a link", r.list(), "aW")
	for range 12 {
		r.tick(1. / 30)
	}
	eq(t, "then walks", r.list(), "W")
	eq(t, "in the middle of a cycle", r.Sequence.Frame > 0, true)
	r.do(moving(RunForward, 1))
	eq(t, "the cycle is gone", r.list(), "cU")
	eq(t, "the link is at its start", r.Sequence.Frame, 0)
	r.do(moving(WalkForward, 1)) // a link that plays stays
	eq(t, "the link goes on", strings.HasPrefix(r.list(), "c"), true)
}

func TestD_1_DefaultsWalkTwoMetres(t *testing.T) {
	p := DefaultParams()
	eq(t, "flags", p.Flags, 0x1EE0F)
	eq(t, "threshold", p.WalkRunThreshold, 15)
	c, hold, _ := getCommand(&p, 2)
	eq(t, "command", c, WalkForward)
	eq(t, "hold key", hold, components.HoldNone)
}

func TestD_2_ChargeForcesRun(t *testing.T) {
	p := DefaultParams()
	p.Flags |= 0x10
	c, hold, _ := getCommand(&p, 2)
	eq(t, "command", c, WalkForward)
	eq(t, "hold key", hold, components.HoldRun)
}

func TestD_11_FallenBlocksJumping(t *testing.T) {
	eq(t, "Fallen", MotionAllowsJump(Fallen), 0x48)
	eq(t, "Falling", MotionAllowsJump(Falling), 0)
	for c, want := range map[uint32]uint32{
		Fallen: 0x48, Crouch: 0x48, Sitting: 0x48, Sleeping: 0x48, Falling: 0, Ready: 0,
	} {
		r := newRig(t, human()).standing()
		r.Interpreted.Forward = c
		eq(t, "charge, "+CommandName(c), r.ChargeJump(), want)
	}
}

func TestD_12_PurplePowerUps(t *testing.T) {
	eq(t, "0x10000134", MotionAllowsJump(0x10000134), 0x48)
	eq(t, "0x10000128", MotionAllowsJump(0x10000128), 0)
}

func TestD_17_WithoutGameObjectJumpsFromTheGroundOnly(t *testing.T) {
	r := newRig(t, human()).standing()
	r.Traits.Flags = 0
	eq(t, "grounded", r.JumpIsAllowed(1), 0)
	r.Body.Transient = 0
	eq(t, "airborne", r.JumpIsAllowed(1), 0x24)
}

func TestD_18_HeadRefusesWhateverTheLength(t *testing.T) {
	r := newRig(t, human()).standing()
	r.pendMotion(0, WalkForward, 0x48)
	eq(t, "a single node", r.JumpIsAllowed(1), 0x48)
	r.pendMotion(0, Ready, 0)
	eq(t, "two", r.JumpIsAllowed(1), 0x48)
	r.popMotion()
	eq(t, "the other one", r.JumpIsAllowed(1), 0)
}

// The head that is popped is the one that is there after the callback: with the
// stick went the move, whose stop drained what the outer call was about.
func TestD_21_PopsTheCurrentHead(t *testing.T) {
	r := newRig(t, human()).standing()
	r.Pose.Cell = 0
	r.turnPending().queueUp(entry{Cheer, 1}, entry{TurnRight, 0})
	r.onUnstick = func() { r.CancelMoveTo(ActionCancelled) }
	r.AnimationDone(false)
	eq(t, "done", strings.Join(r.done, ", "), "Cheer false, Cheer false, TurnRight false, Ready false")
	eq(t, "anims", r.anims(), "")
	eq(t, "motions", r.motions(), "")
	eq(t, "counter", r.Pending.Counter, 0)
	r.check()
}

func TestD_26_FullRunRateAtSkill800Alone(t *testing.T) {
	eq(t, "800", RunRateOf(800, 0, 1), 4.5)
	near(t, "801", float64(RunRateOf(801, 0, 1)), 3.200549)
}

func TestD_28_UnknownMovementType(t *testing.T) {
	r := newRig(t, human()).standing()
	before := *r.MotionState
	for _, kind := range []MovementType{InvalidMovement, MoveToObject, MoveToPosition, TurnToObject, TurnToHeading, 10, 255} {
		eq(t, "code", r.PerformMovement(kind, WalkForward, withSpeed(1)), 0x47)
	}
	eq(t, "state", *r.MotionState, before)
	eq(t, "pending", r.motions(), "")
}

func TestD_39_InitialiseKeepsHoldKeyAndDistances(t *testing.T) {
	r := walker(t, 0)
	p := params(components.ParamCanCharge, 0)
	p.DistanceToObject, p.MinDistance, p.FailDistance, p.Context = 1.5, 0.25, 40, 7
	r.MoveToPosition(spot(0, 30, 0), p)
	eq(t, "runs", r.Interpreted.Forward, RunForward)
	r.CancelMoveTo(ActionCancelled)
	q := r.manager().Params
	eq(t, "flags", q.Flags, 0)
	eq(t, "context", q.Context, 0)
	eq(t, "hold key", q.HoldKey, components.HoldRun)
	eq(t, "distance", q.DistanceToObject, 1.5)
	eq(t, "least distance", q.MinDistance, 0.25)
	eq(t, "fail distance", q.FailDistance, 40)
	eq(t, "threshold", q.WalkRunThreshold, 15)
}

func TestD_43_UnaffordableJump(t *testing.T) {
	r := newRig(t, human()).standing()
	r.Traits.Flags |= components.HasStamina
	r.Traits.Stamina = float32(JumpStamina(0, 1)) - 1
	eq(t, "one short", r.JumpIsAllowed(1), 0x47)
	r.Traits.Stamina++
	eq(t, "enough", r.JumpIsAllowed(1), 0)
}
