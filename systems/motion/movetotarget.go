package motion

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

// HandleTarget takes what the target manager has to tell of the target. The
// move-to is told before the position manager (R6.20). t is read before
// anything comes of it, so it may be the mover's own component.
//
// Nothing is completed here: what the update begins is pending until the
// quantum's check (D-44).
func (m *Mover) HandleTarget(t *components.Target) {
	if m.MovingTo() == InvalidMovement {
		return
	}
	s := m.Errand.MoveTo(m.Pools)
	if t.ID != s.TopID {
		return
	}
	switch ok := t.Status == components.TargetOK; {
	case !ok && s.Initialized:
		m.CancelMoveTo(ObjectGone)
	case !ok:
		m.CancelMoveTo(NoObject)
	case s.Initialized:
		if s.Type == uint32(MoveToObject) {
			s.Sought, s.Goal = t.Interpolated, t.Place
			m.restartProgress(s, farthest)
		}
	case s.Type == uint32(MoveToObject):
		m.firstMoveUpdate(s, t)
	case s.Type == uint32(TurnToObject):
		m.firstTurnUpdate(s, t)
	}
}

// firstMoveUpdate begins a MoveToObject; somebody who is close enough has no
// node to go through and arrives at once (R6.21).
func (m *Mover) firstMoveUpdate(s *components.MoveTo, t *components.Target) {
	s.Sought, s.Goal = t.Interpolated, t.Place
	b := space.HeadingTo(&m.Pose.Position, &s.Sought)
	if c, _, _ := getCommand(&s.Params, m.goalDistance(s)); c != 0 {
		m.pushGo(s, b)
	}
	if s.Params.Has(components.ParamUseFinalHeading) { // relative to the way there
		m.pushTurn(s, wrapOnce(b+s.Params.DesiredHeading))
	}
	s.Initialized = true
	m.beginNext(s)
}

// firstTurnUpdate begins a TurnToObject. What is sought has no heading of its
// own, so the object is faced exactly (R6.22).
func (m *Mover) firstTurnUpdate(s *components.MoveTo, t *components.Target) {
	s.Goal = t.Place
	h := wrapOnce(space.HeadingTo(&m.Pose.Position, &s.Goal) + space.Heading(s.Sought.Frame.Rotation))
	s.Sought.Frame.Rotation = space.SetHeading(s.Sought.Frame.Rotation, h)
	m.pushTurn(s, h)
	s.Initialized = true
	m.beginNext(s)
}
