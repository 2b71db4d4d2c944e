package systems

import (
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/systems/motion"
)

// R6.29: types 1-5: "the object is made active first"; 05 §5.11 has do_motion,
// stop_motion, stop_completely be PerformMovement.
func TestR6_29_PerformMovementActivates(t *testing.T) {
	for name, c := range map[string]Command{
		"do_motion":       {Guid: me, Do: DoMotion, Motion: walk, Speed: 1},
		"stop_motion":     {Guid: me, Do: DoStopMotion, Motion: walk, Speed: 1},
		"stop_completely": {Guid: me, Do: DoStopCompletely},
	} {
		r := standing(t, Options{})
		r.send(r.state(me, components.DefaultState|components.Frozen))
		r.tick(1)
		r.send(r.state(me, components.DefaultState))
		r.tick(1)
		r.command(c)
		r.tick(1)
		if r.row(me).Body.Transient&components.Active == 0 {
			t.Errorf("%s: not active", name)
		}
	}
}

// 11 §3: "Things that activate: creating the movement manager". R5.45, R6.29: a
// body without motion table has its interpreter made by its first movement.
func TestSpec11_3_CreatingTheMovementManagerActivates(t *testing.T) {
	r := newRig(t, Options{})
	s := human(me, 108, 108)
	s.MotionTable = 0
	s.Game = components.HasGame // no creature: LeaveGround, which would activate, does nothing
	r.spawn(s)
	r.tick(1)
	r.send(r.state(me, components.DefaultState|components.Frozen))
	r.tick(1)
	r.send(r.state(me, components.DefaultState))
	r.tick(1)
	same(t, "initted", r.row(me).Interpreter.Initted, false)
	r.move(me, does{forward: walk})
	r.tick(1)
	same(t, "initted", r.row(me).Interpreter.Initted, true)
	if r.row(me).Body.Transient&components.Active == 0 {
		t.Error("not active")
	}
}

// R6.11 with R6.29: the StopCompletely of a move-to that an inbound event cancels is the
// object's, a PerformMovement of type 5: "the object is made active first".
func TestR6_11_CancelledMoveToActivates(t *testing.T) {
	r := standing(t, Options{})
	r.command(Command{Guid: me, Do: DoMoveToPosition, Place: spot(108, 140, 0), Params: motion.DefaultParams()})
	r.tick(3)
	r.send(r.state(me, components.DefaultState|components.Frozen))
	r.tick(1)
	r.send(r.state(me, components.DefaultState))
	r.tick(1)
	same(t, "active before", r.row(me).Body.Transient&components.Active, 0)
	r.move(me, does{forward: walk})
	r.tick(1)
	if r.row(me).Body.Transient&components.Active == 0 {
		t.Error("not active")
	}
}
