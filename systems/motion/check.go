package motion

import (
	"errors"
	"fmt"
	"math"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// ErrInvariant is what every error of [Check] wraps.
var ErrInvariant = errors.New("motion: invariant broken")

func broken(format string, v ...any) error {
	return fmt.Errorf("%w: %s", ErrInvariant, fmt.Sprintf(format, v...))
}

// Check tests the invariants of one mover's motion: indices in range, frame
// inside its node, finite numbers, counter against queue, an order within its
// bounds. It returns an error that wraps [ErrInvariant] and says what is wrong.
func Check(r components.Row, t *dat.Tables, p *components.Pools) error {
	if i := r.Identity.Table; i < -1 || int(i) >= len(t.Motions) {
		return broken("motion table %d of %d", i, len(t.Motions))
	}
	if err := checkSequence(r.Sequence, t, p); err != nil {
		return err
	}
	if err := checkSpeeds(r, p); err != nil {
		return err
	}
	if m := (Mover{Row: r}); r.Chase.Pace != m.AdjustedMaxSpeed() {
		return broken("a pace of %v m/s at %v", r.Chase.Pace, m.AdjustedMaxSpeed())
	}
	if err := checkPending(r, p); err != nil {
		return err
	}
	return checkMoveTo(r, p)
}

func checkSequence(s *components.Sequence, t *dat.Tables, p *components.Pools) error {
	if int(s.Nodes.Len) > len(s.Nodes.Inline) && s.Nodes.Over == 0 {
		return broken("%d nodes without room", s.Nodes.Len)
	}
	nodes := s.Nodes.Items(&p.Nodes)
	for i, n := range nodes {
		if n.Anim < 0 || int(n.Anim) >= len(t.Anims) {
			return broken("node %d plays animation %d of %d", i, n.Anim, len(t.Anims))
		}
		if !space.Finite(n.Rate) {
			return broken("node %d has rate %v", i, n.Rate)
		}
		if n.High < n.Low || int64(n.High) >= int64(t.Anims[n.Anim].Frames) {
			return broken("node %d plays frames %d to %d of %d", i, n.Low, n.High, t.Anims[n.Anim].Frames)
		}
	}
	if int(s.Curr) >= len(nodes) || s.Curr < -1 || s.Curr == -1 && len(nodes) > 0 {
		return broken("plays node %d of %d", s.Curr, len(nodes))
	}
	if s.Curr < 0 {
		if s.Frame != 0 {
			return broken("frame %v of no node", s.Frame)
		}
	} else if n := nodes[s.Curr]; !(s.Frame >= float64(n.Low) && s.Frame <= float64(n.High)+1) {
		return broken("frame %v outside its node's %d to %d", s.Frame, n.Low, n.High)
	}
	if !space.FiniteVec(s.Velocity) || !space.FiniteVec(s.Omega) {
		return broken("velocity %v, omega %v", s.Velocity, s.Omega)
	}
	if int(s.Placement) >= len(t.Poses) || s.Placement < -1 {
		return broken("placement %d of %d", s.Placement, len(t.Poses))
	}
	return nil
}

func checkSpeeds(r components.Row, p *components.Pools) error {
	raw := r.RawState(p)
	if raw == components.DefaultRaw() && !r.Raw.Empty() {
		return broken("a raw state that is the default lies in a box")
	}
	speeds := [...]float32{
		r.MotionState.Speed, r.Interpreted.ForwardSpeed, r.Interpreted.SidestepSpeed, r.Interpreted.TurnSpeed,
		raw.Forward.Speed, raw.Sidestep.Speed, raw.Turn.Speed,
		r.Interpreter.RunRate, r.Interpreter.SpeedFactor, r.Interpreter.JumpExtent,
	}
	for i, v := range speeds {
		if !space.Finite(v) {
			return broken("speed %d is %v", i, v)
		}
	}
	for _, l := range [...][]components.Speeded{r.MotionState.Modifiers.Items(&p.Speeded), r.MotionState.Actions.Items(&p.Speeded)} {
		for _, a := range l {
			if !space.Finite(a.Speed) {
				return broken("motion 0x%08X at speed %v", a.Motion, a.Speed)
			}
		}
	}
	for _, l := range [...][]components.Action{r.Interpreted.Actions.Items(&p.Actions), raw.Actions.Items(&p.Actions)} {
		for _, a := range l {
			if !space.Finite(a.Speed) {
				return broken("action 0x%08X at speed %v", a.Motion, a.Speed)
			}
		}
	}
	return nil
}

// checkPending: the counter is credit toward the head, and none without one
// (R4.7); with a motion table every animation has its motion (R4.1, R4.2).
func checkPending(r components.Row, p *components.Pools) error {
	q := r.Pending
	anims := q.Anims.Items(&p.PendingAnims)
	if len(anims) == 0 && q.Counter != 0 {
		return broken("counter %d with nothing pending", q.Counter)
	}
	if len(anims) > 0 && q.Counter != 0 && q.Counter >= anims[0].Count {
		return broken("counter %d for a head that waits for %d", q.Counter, anims[0].Count)
	}
	if len(anims) > int(q.Motions.Len) {
		return broken("%d animations pending for %d motions", len(anims), q.Motions.Len)
	}
	return nil
}

// checkMoveTo: a known type, which the busy bit repeats; no more nodes than an
// order has, none without an order; finite numbers.
func checkMoveTo(r components.Row, p *components.Pools) error {
	if own := r.Errand.Own.Get(&p.Errands); own != nil && *own == (components.Errand{}) {
		return broken("errands that there are none of lie in a box")
	}
	busy := r.Rest.Busy&components.MovingTo != 0
	s := r.Errand.MoveTo(p)
	if s == nil {
		if busy {
			return broken("busy with a move-to that was never made")
		}
		return nil
	}
	kind := MovementType(s.Type)
	if kind != InvalidMovement && (kind < MoveToObject || kind > TurnToHeading) {
		return broken("a move-to of type %d", kind)
	}
	if busy != (kind != InvalidMovement) {
		return broken("a move-to of type %d, busy %v", kind, busy)
	}
	nodes := s.Nodes.Items(&p.MoveToNodes)
	if len(nodes) > maxMoveToNodes || len(nodes) > 0 && kind == InvalidMovement {
		return broken("%d nodes of a move-to of type %d", len(nodes), kind)
	}
	for i, n := range nodes {
		if !space.Finite(n.Heading) {
			return broken("node %d turns to %v", i, n.Heading)
		}
	}
	if !finiteParams(&s.Params) || !finitePlace(&s.Sought) || !finitePlace(&s.Goal) || !finitePlace(&s.Start) {
		return broken("move-to %+v", *s)
	}
	for i, v := range [...]float32{s.SoughtRadius, s.SoughtHeight, s.PrevHeading, s.PrevDistance, s.OrigDistance} {
		if !space.Finite(v) {
			return broken("number %d of the move-to is %v", i, v)
		}
	}
	if !(s.PrevTime >= s.OrigTime) || math.IsInf(s.PrevTime, 0) || math.IsInf(s.OrigTime, 0) {
		return broken("a move-to since %v, looked at last at %v", s.OrigTime, s.PrevTime)
	}
	if c := s.AuxCommand; c != 0 && c != TurnRight && c != TurnLeft {
		return broken("a move-to steers by 0x%08X", c)
	}
	return nil
}
