package systems

import (
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/systems/motion"
)

// R4.16: "Entering the world: R4.13 on the object"; R4.9/§4.9: in no cell "both queues are
// empty on return". A create without movement data enters the world too: nothing of its
// default state may be pending, nor be told of as done, afterwards.
func TestR4_16_CreatedWithoutMovement(t *testing.T) {
	r := newRig(t, Options{})
	c := creates(me, 1, 108, 108)
	c.Physics.Fresh()
	r.send(c)
	r.tick(1)
	r.wantVerdicts(Applied)
	sameList(t, "done", r.done(me))
}

// What comes of it: D-36, "TurnToHeading begins its node in the call", nothing pending. A turn
// that arrives in the tick of the create has to wait for motions that should have been drained.
func TestD_36_TurnInTheTickOfTheCreate(t *testing.T) {
	r := newRig(t, Options{})
	c := creates(me, 1, 108, 108)
	c.Physics.Fresh()
	r.send(c)
	p := motion.DefaultParams()
	p.DesiredHeading = 90
	p.Flags &^= components.ParamStopCompletely
	r.command(Command{Guid: me, Do: DoTurnToHeading, Params: p})
	r.tick(1)
	r.wantVerdicts(Applied, Applied)
	same(t, "turn", r.row(me).Interpreted.Turn, right)
}
