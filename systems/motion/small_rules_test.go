package motion

import (
	"testing"

	"github.com/gait-engine/gait/components"
)

// Rules of a line or two that no other test stands for.

func TestR3_1_ModifierThatIsActiveIsRefused(t *testing.T) {
	r := newRig(t, human()).standing()
	eq(t, "the substate", r.addModifier(Ready, 1), false)
	eq(t, "a new one", r.addModifier(TurnRight, 1), true)
	eq(t, "again", r.addModifier(TurnRight, 2), false)
	eq(t, "another", r.addModifier(SideStepRight, 1), true)
	eq(t, "new ones go to the head", r.modifiers(), "SideStepRight, TurnRight")
	r.pushModifier(TurnRight, 2)
	eq(t, "unchecked", r.modifiers(), "TurnRight, SideStepRight, TurnRight")
}

func TestR4_3_MotionsPending(t *testing.T) {
	r := newRig(t, human()).standing()
	eq(t, "at rest", r.MotionsPending(), false)
	r.DoInterpretedMotion(Cheer, withSpeed(1))
	eq(t, "cheering", r.MotionsPending(), true)
	for range 100 {
		r.tick(1. / 30)
	}
	eq(t, "after it", r.MotionsPending(), false)
}

func TestR5_6_CopyLeavesActions(t *testing.T) {
	r := newRig(t, human()).standing()
	r.interpretedApply(Cheer, withSpeed(1))
	s := State{Style: SwordCombat, Forward: WalkForward, Sidestep: SideStepRight, Turn: TurnRight, ForwardSpeed: 2, SidestepSpeed: 3, TurnSpeed: 4}
	r.setInterpreted(&s)
	i := r.Interpreted
	eq(t, "the seven", State{i.Style, i.Forward, i.Sidestep, i.Turn, i.ForwardSpeed, i.SidestepSpeed, i.TurnSpeed}, s)
	eq(t, "actions", i.Actions.Len, 1)
}

func TestR6_9_OwnParameters(t *testing.T) {
	order := params(components.ParamCanCharge|components.ParamSticky, components.ParamSetHoldKey)
	order.HoldKey, order.Context, order.DistanceToObject = components.HoldRun, 7, 9
	p := ownParams(&components.MoveTo{Params: *order}, 1.5)
	want := DefaultParams()
	want.Flags &^= components.ParamCancelMoveTo
	want.Speed, want.HoldKey = 1.5, components.HoldRun
	eq(t, "parameters", p, want)
}
