package motion

import (
	"strings"
	"testing"

	"github.com/gait-engine/gait/components"
)

type entry struct {
	motion uint32
	count  uint32
}

func (r *rig) queueUp(entries ...entry) *rig {
	for _, e := range entries {
		r.Pending.Anims.Push(&r.Pools.PendingAnims, components.PendingAnim{Motion: e.motion, Count: e.count})
		r.pendMotion(0, e.motion, 0)
		if IsAction(e.motion) {
			r.MotionState.Actions.Push(&r.Pools.Speeded, components.Speeded{Motion: e.motion, Speed: 1})
			a := components.Action{Motion: e.motion, Speed: 1}
			r.Interpreted.Actions.Push(&r.Pools.Actions, a)
			r.keys(func(k *components.Raw) { k.Actions.Push(&r.Pools.Actions, a) })
		}
	}
	return r
}

func TestR4_5_RedundantLinks(t *testing.T) {
	for _, c := range []struct {
		before []entry
		want   string
	}{
		{[]entry{{WalkForward, 1}, {SwordCombat, 2}, {WalkForward, 3}}, "WalkForward 1, SwordCombat 2, WalkForward 3"},
		{[]entry{{WalkForward, 1}, {SwordCombat, 0}, {WalkForward, 3}}, "WalkForward 1, SwordCombat 0, WalkForward 0"},
		{[]entry{{SwordCombat, 1}, {NonCombat, 2}, {SwordCombat, 3}}, "SwordCombat 1, NonCombat 0, SwordCombat 0"},
		{[]entry{{SwordCombat, 1}, {WalkForward, 2}, {SwordCombat, 3}}, "SwordCombat 1, WalkForward 2, SwordCombat 3"},
		{[]entry{{WalkForward, 1}, {Cheer, 1}, {WalkForward, 1}}, "WalkForward 1, Cheer 1, WalkForward 1"},
		{[]entry{{WalkForward, 0}, {WalkForward, 1}}, "WalkForward 0, WalkForward 1"},
		{[]entry{{SwordCombat, 0}, {SwordCombat, 1}}, "SwordCombat 0, SwordCombat 0"},
		{[]entry{{TurnRight, 1}, {TurnRight, 1}}, "TurnRight 1, TurnRight 1"},
		{[]entry{{Cheer, 1}, {Cheer, 1}}, "Cheer 1, Cheer 1"},
		{[]entry{{WalkForward, 1}, {TurnRight, 1}, {WalkForward, 1}}, "WalkForward 1, TurnRight 1, WalkForward 1"},
		{[]entry{{WalkForward, 1}, {Ready, 1}, {WalkForward, 1}, {Ready, 0}}, "WalkForward 1, Ready 0, WalkForward 0, Ready 0"},
	} {
		r := newRig(t, small()).queueUp(c.before...)
		r.removeRedundantLinks()
		eq(t, "after", r.anims(), c.want)
	}
}

// What is truncated (R4.6) leaves the queue with count 0 and the list without its links.
func TestSpec4_3_WalkReadyFlicker(t *testing.T) {
	r := newRig(t, small()).standing()
	r.tableRequest(WalkForward, 1)
	r.tableStop(WalkForward)
	eq(t, "list", r.list(), "abR")
	r.tableRequest(WalkForward, 1)
	eq(t, "anims", r.anims(), "WalkForward 1, Ready 0, WalkForward 0")
	eq(t, "list", r.list(), "aW")
	near(t, "velocity", float64(r.Sequence.Velocity[1]), 3.12)
	r.checkList()
}

func TestDEV_7_TwentyTogglesInOneTick(t *testing.T) {
	r := newRig(t, small()).standing()
	for k := range 20 {
		if k%2 == 0 {
			r.do(moving(WalkForward, 1))
		} else {
			r.do(moving(Ready, 1))
		}
		eq(t, "nodes", r.Sequence.Nodes.Len <= 3, true)
	}
	eq(t, "list", r.list(), "abR") // the last Ready's link is not redundant yet
	r.do(moving(WalkForward, 1))
	eq(t, "list", r.list(), "aW")
	sum := uint32(0)
	for _, a := range r.Pending.Anims.Items(&r.Pools.PendingAnims) {
		sum += a.Count
	}
	eq(t, "counts", sum, 1)
}

// It is called with success by the hook (R2.34).
func TestR4_7_AnimationDone(t *testing.T) {
	r := newRig(t, small())
	r.AnimationDone(true)
	eq(t, "empty queue, no credit", r.Pending.Counter, 0)
	r.queueUp(entry{WalkForward, 2}, entry{Ready, 0}, entry{RunForward, 1})
	r.AnimationDone(true)
	eq(t, "counter", r.Pending.Counter, 1)
	eq(t, "done", len(r.done), 0)
	r.AnimationDone(true)
	eq(t, "done", strings.Join(r.done, ", "), "WalkForward true, Ready true")
	eq(t, "counter", r.Pending.Counter, 0)
	r.Pending.Counter = 3 // surplus credit is lost when the queue empties
	r.AnimationDone(false)
	eq(t, "done", r.done[2], "RunForward false")
	eq(t, "counter", r.Pending.Counter, 0)
	eq(t, "motions", r.motions(), "")
}

func TestF9_TwoEqualActionsOneCompletion(t *testing.T) {
	r := newRig(t, human()).queueUp(entry{Cheer, 1}, entry{Cheer, 1})
	r.AnimationDone(true)
	eq(t, "anims", r.anims(), "Cheer 1")
	eq(t, "motions", r.motions(), "Cheer")
	eq(t, "table actions", r.MotionState.Actions.Len, 1)
	eq(t, "interpreted actions", r.Interpreted.Actions.Len, 1)
	eq(t, "raw actions", r.raw().Actions.Len, 1)
}

func TestO_6_CompletionIgnoresTheMotion(t *testing.T) {
	r := newRig(t, human())
	r.Pending.Anims.Push(&r.Pools.PendingAnims, components.PendingAnim{Motion: WalkForward, Count: 1})
	r.pendMotion(0, Ready, 0)
	r.AnimationDone(true)
	eq(t, "motions", r.motions(), "")
}

// Heads whose count is 0 complete, successfully (R4.8).
func TestO_9_ZeroCountsCompleteInTheSameTick(t *testing.T) {
	r := newRig(t, human()).standing()
	r.do(DefaultState())
	eq(t, "pending", r.anims(), "NonCombat 0, Ready 0")
	r.tick(1. / 30)
	eq(t, "pending", r.anims(), "")
	eq(t, "done", strings.Join(r.done, ", "), "NonCombat true, Ready true")
}

func TestR4_12_ReEntrancy(t *testing.T) {
	for _, c := range []struct {
		table int32
		want  string
	}{
		{0, "Cheer false, Cheer false, TurnRight false, Ready false"},
		{-1, "Cheer false, Cheer false, TurnRight false"},
	} {
		r := newRig(t, human()).standing()
		r.Identity.Table = c.table
		r.Pose.Cell = 0
		r.turnPending().queueUp(entry{Cheer, 1}, entry{TurnRight, 0})
		r.onUnstick = func() { r.CancelMoveTo(ActionCancelled) } // as clearing a stick does
		r.AnimationDone(false)
		eq(t, "done", strings.Join(r.done, ", "), c.want)
		eq(t, "anims", r.anims(), "")
		eq(t, "motions", r.motions(), "")
		eq(t, "counter", r.Pending.Counter, 0)
		eq(t, "actions", r.MotionState.Actions.Len+r.Interpreted.Actions.Len+r.raw().Actions.Len, 0)
		eq(t, "D-49: told before what it sets off", r.told[0], "Cheer false")
		r.check()
	}
}

func TestD_49_ActionBeforeTheReadysOfACancelledMove(t *testing.T) {
	r := newRig(t, human()).standing()
	r.turnPending().queueUp(entry{Cheer, 1})
	r.onUnstick = func() { r.CancelMoveTo(ActionCancelled) }
	r.AnimationDone(true)
	eq(t, "told", strings.Join(r.told, ", "), "Cheer true, unstick, moved 9 0x36, Ready true")
}

func TestR4_13_DrainIsAnimationDoneUntilEmpty(t *testing.T) {
	for _, counter := range []uint32{0, 1, 2, 5} {
		entries := []entry{{WalkForward, 3}, {Cheer, 1}, {Ready, 0}, {RunForward, 7}}
		one, two := newRig(t, human()).queueUp(entries...), newRig(t, human()).queueUp(entries...)
		one.Pending.Counter, two.Pending.Counter = counter, counter
		one.drain()
		for two.Pending.Anims.Len > 0 {
			two.AnimationDone(false)
		}
		eq(t, "told", strings.Join(one.told, ","), strings.Join(two.told, ","))
		eq(t, "counter", one.Pending.Counter, 0)
	}
}

func TestR4_15_ExitWorld(t *testing.T) {
	r := newRig(t, human()).standing()
	r.do(moving(WalkForward, 1))
	r.forget()
	list := r.list()
	r.pendMotion(0, Cheer, 0) // unpaired, as R4.2 leaves them
	r.Interpreted.Actions.Push(&r.Pools.Actions, components.Action{Motion: Cheer})
	r.ExitWorld()
	eq(t, "list", r.list(), list)
	eq(t, "motions", r.motions(), "")
	eq(t, "actions", r.Interpreted.Actions.Len, 0)
	eq(t, "told", strings.Join(r.told, ", "), "NonCombat false, WalkForward false, unstick")
}

func TestR4_16_EnterWorldShowsTheCycle(t *testing.T) {
	r := newRig(t, human()).standing()
	r.do(moving(WalkForward, 1))
	r.EnterWorld()
	eq(t, "list", r.list(), "W")
	eq(t, "anims", r.anims(), "")
}

func TestR4_2_StopWithoutATableNeverCompletes(t *testing.T) {
	r := newRig(t, human())
	r.Identity.Table = -1
	eq(t, "code", r.PerformMovement(StopCompletely, 0, nil), 0)
	eq(t, "anims", r.anims(), "")
	eq(t, "motions", r.motions(), "Ready")
	p := DefaultParams()
	eq(t, "code", r.PerformMovement(InterpretedCommand, WalkForward, &p), NoAnimationTable)
	eq(t, "code", r.PerformMovement(StopInterpretedCommand, WalkForward, &p), NoAnimationTable)
	eq(t, "R4.4 refused: nothing", r.motions(), "Ready")
	r.check()
}

func TestR4_4_RefusedAppendsNothing(t *testing.T) {
	r := newRig(t, human()).standing()
	p := DefaultParams()
	eq(t, "code", r.DoInterpretedMotion(0x40000099, &p), NoMtableData)
	eq(t, "code", r.StopInterpretedMotion(WalkForward, &p), NoMtableData)
	eq(t, "anims", r.anims(), "")
	eq(t, "motions", r.motions(), "")
}

func TestSpec4_9_EnteringTheDefaultState(t *testing.T) {
	for _, c := range []struct {
		name                  string
		set                   func(r *rig)
		anims, motions, doneA string
	}{
		{"standing in a cell", func(r *rig) {}, "NonCombat 0, Ready 0", "NonCombat, Ready", "Ready false"},
		{"in no cell", func(r *rig) { r.Pose.Cell = 0 }, "", "", "Ready false, NonCombat false, Ready false"},
		{"airborne", func(r *rig) { r.Body.Transient = 0 }, "Falling 1", "Falling", "Ready false"},
		{"no gravity", func(r *rig) { r.Body.State = 0 }, "Ready 0", "Ready", ""},
		{"not a creature", func(r *rig) { r.Traits.Flags = components.HasGame }, "Ready 0", "Ready", ""},
	} {
		r := newRig(t, human())
		c.set(r)
		r.EnterDefaultState()
		eq(t, c.name+" anims", r.anims(), c.anims)
		eq(t, c.name+" motions", r.motions(), c.motions)
		eq(t, c.name+" done", strings.Join(r.done, ", "), c.doneA)
		r.check()
	}
	r := newRig(t, human())
	r.EnterDefaultState()
	r.forget()
	r.tick(1. / 30)
	eq(t, "first quantum", strings.Join(r.done, ", "), "NonCombat true, Ready true")
}

func TestD_29_PendingSurvivesTheDefaultState(t *testing.T) {
	r := newRig(t, human()).standing()
	r.Body.State = 0 // no gravity: LeaveGround drains nothing
	r.do(moving(WalkForward, 1))
	r.EnterDefaultState()
	eq(t, "motions", r.motions(), "NonCombat, WalkForward, Ready")
	r.RemoveLinkAnimations()
	eq(t, "drained", r.motions(), "")
}
