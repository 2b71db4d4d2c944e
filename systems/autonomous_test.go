package systems

import "testing"

// An autonomous event about the player himself is nothing; of a remote its flag is
// kept, and the rest is as without.
func TestR6_28_AutonomousEvents(t *testing.T) {
	event := func(o Options, autonomous uint8) *rig {
		r := standing(t, o)
		m := r.movement(me, does{forward: run})
		m.Autonomous = autonomous
		r.send(m)
		r.tick(1)
		return r
	}
	r := event(Options{LocalPlayer: me}, 1)
	r.wantVerdicts(Stale)
	if c := r.row(me); c.Interpreted.Forward == run || c.Interpreter.LastMoveAutonomous {
		t.Errorf("the player's own: %+v", c.Interpreted)
	}
	own, others := event(Options{}, 1), event(Options{}, 0)
	own.wantVerdicts(Applied)
	a, b := own.row(me), others.row(me)
	same(t, "kept", a.Interpreter.LastMoveAutonomous, true)
	same(t, "kept", b.Interpreter.LastMoveAutonomous, false)
	same(t, "forward", a.Interpreted.Forward, uint32(run))
	same(t, "interpreted", a.Interpreted, b.Interpreted)
	same(t, "where", own.world(me), others.world(me))
}
