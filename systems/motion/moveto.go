package motion

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

// maxMoveToNodes is the longest order: turn, go, turn (06 §6.3).
const maxMoveToNodes = 3

// targetRadius is how far, in m, a target moves before its next update is sent (06 §6.3).
const targetRadius = 0.5

// MovingTo returns the type of the move-to or turn-to in progress (R6.1).
func (m *Mover) MovingTo() MovementType {
	if m.Rest.Busy&components.MovingTo == 0 {
		return InvalidMovement
	}
	return MovementType(m.Errand.MoveTo(m.Pools).Type)
}

// setMovingTo sets the type, and the bit that repeats it.
func (m *Mover) setMovingTo(s *components.MoveTo, kind MovementType) {
	s.Type = uint32(kind)
	m.Rest.Busy &^= components.MovingTo
	if kind != InvalidMovement {
		m.Rest.Busy |= components.MovingTo
	}
}

// initialise resets the manager. Of the parameters it clears the flag word and
// the context alone; where it began and the nodes stay too (R6.1, D-39).
func (m *Mover) initialise(s *components.MoveTo) {
	m.setMovingTo(s, InvalidMovement)
	s.Params.Flags, s.Params.Context = 0, 0
	nowhere := space.Position{Frame: space.Identity}
	s.Sought, s.Goal = nowhere, nowhere
	s.SoughtID, s.TopID, s.SoughtRadius, s.SoughtHeight = 0, 0, 0, 0
	s.CurrentCommand, s.AuxCommand = 0, 0
	s.MovingAway, s.Initialized = false, false
	s.PrevHeading, s.FailCount = 0, 0
	m.restartProgress(s, farthest)
}

// order is what every order begins with: the end of the one before, and of
// sticking (R6.12). It makes the manager when there is none.
func (m *Mover) order() *components.MoveTo {
	m.CancelMoveTo(ActionCancelled)
	m.Host.Unstick()
	s := m.Errand.MoveTo(m.Pools)
	if s == nil {
		s = m.Errand.Own.Make(&m.Pools.Errands).MoveTo.Make(&m.Pools.MoveTos)
		s.Params = DefaultParams()
		s.Start.Frame = space.Identity
		m.initialise(s)
	}
	return s
}

// MoveToObject goes to an object: id is the one named, topID its parent or
// itself, which is followed; radius and height are the named one's, m (06 §6.3).
// It moves from the first target update on, which may come in this call.
//
// It returns 0. A number that is not finite is 0x47 and changes nothing, here
// and in the three orders below.
func (m *Mover) MoveToObject(id, topID uint32, radius, height float32, p *components.MoveParams) uint32 {
	if !finiteParams(p) || !space.Finite(radius) || !space.Finite(height) {
		return GeneralMovementFailure
	}
	s := m.order()
	m.stopObject()
	s.Start = m.Pose.Position
	s.SoughtID, s.TopID, s.SoughtRadius, s.SoughtHeight = id, topID, radius, height
	s.Params = *p
	m.setMovingTo(s, MoveToObject)
	m.seek(s)
	return 0
}

// MoveToPosition goes to a place, whatever way pos is turned (06 §6.3).
func (m *Mover) MoveToPosition(pos space.Position, p *components.MoveParams) uint32 {
	if !finiteParams(p) || !finitePlace(&pos) {
		return GeneralMovementFailure
	}
	s := m.order()
	m.stopObject()
	s.Goal = pos
	dist := m.goalDistance(s) // before p is copied there is no flag: the plain distance (D-40)
	if c, _, _ := getCommand(p, dist); c != 0 {
		m.pushGo(s, space.HeadingTo(&m.Pose.Position, &pos))
	}
	if p.Has(components.ParamUseFinalHeading) { // the new parameters' (D-23)
		m.pushTurn(s, p.DesiredHeading)
	}
	s.Sought = pos
	s.Start = m.Pose.Position
	s.Params = *p
	s.Params.Flags &^= components.ParamSticky
	m.setMovingTo(s, MoveToPosition)
	m.beginNext(s)
	return 0
}

// TurnToObject turns to face an object, from its first target update on; the
// desired heading is not used (06 §6.3, R6.22).
func (m *Mover) TurnToObject(id, topID uint32, p *components.MoveParams) uint32 {
	if !finiteParams(p) {
		return GeneralMovementFailure
	}
	s := m.order()
	if p.Has(components.ParamStopCompletely) {
		m.stopObject()
	}
	s.SoughtID, s.TopID = id, topID
	s.Params = *p
	s.Goal.Frame.Rotation = space.SetHeading(s.Goal.Frame.Rotation, p.DesiredHeading)
	m.setMovingTo(s, TurnToObject)
	m.seek(s)
	return 0
}

// TurnToHeading turns to the desired heading. When nothing is pending it begins
// in the call (06 §6.3, D-36, D-37).
func (m *Mover) TurnToHeading(p *components.MoveParams) uint32 {
	if !finiteParams(p) {
		return GeneralMovementFailure
	}
	s := m.order()
	if p.Has(components.ParamStopCompletely) {
		m.stopObject()
	}
	s.Params = *p
	s.Params.Flags &^= components.ParamSticky
	s.Sought.Frame.Rotation = space.SetHeading(s.Sought.Frame.Rotation, p.DesiredHeading)
	m.setMovingTo(s, TurnToHeading)
	m.pushTurn(s, p.DesiredHeading)
	m.beginNext(s)
	return 0
}

func finiteParams(p *components.MoveParams) bool {
	return space.Finite(p.DistanceToObject) && space.Finite(p.MinDistance) && space.Finite(p.DesiredHeading) &&
		space.Finite(p.Speed) && space.Finite(p.FailDistance) && space.Finite(p.WalkRunThreshold)
}

func finitePlace(p *space.Position) bool {
	q := p.Frame.Rotation
	return space.FiniteVec(p.Frame.Origin) && space.Finite(q.W) && space.FiniteVec(q.V)
}

// seek subscribes to the target; whoever seeks himself has arrived.
func (m *Mover) seek(s *components.MoveTo) {
	if s.TopID == m.Identity.Guid {
		m.endMoveTo(s, 0)
		return
	}
	m.Host.SetTarget(0, s.TopID, targetRadius, 0)
}

func (m *Mover) pushTurn(s *components.MoveTo, heading float32) {
	s.Nodes.Push(&m.Pools.MoveToNodes, components.MoveToNode{Turn: true, Heading: heading})
}

// pushGo pushes the two nodes of going somewhere: face it, walk.
func (m *Mover) pushGo(s *components.MoveTo, heading float32) {
	m.pushTurn(s, heading)
	s.Nodes.Push(&m.Pools.MoveToNodes, components.MoveToNode{})
}

// popNode drops the head, if there is one.
func (m *Mover) popNode(s *components.MoveTo) {
	if s.Nodes.Len > 0 {
		s.Nodes.Remove(&m.Pools.MoveToNodes, 0, 1)
	}
}

// CancelMoveTo ends the move-to in progress with an error code, which the
// outside is told; without one it does nothing (R6.24).
func (m *Mover) CancelMoveTo(code uint32) {
	if m.MovingTo() == InvalidMovement {
		return
	}
	s := m.Errand.MoveTo(m.Pools)
	s.Nodes.Clear(&m.Pools.MoveToNodes)
	m.endMoveTo(s, code)
}

// endMoveTo cleans up and stops everything; then the outside is told.
func (m *Mover) endMoveTo(s *components.MoveTo, code uint32) {
	kind := m.cleanUp(s)
	m.stopObject()
	if kind != InvalidMovement {
		m.Host.MoveToDone(kind, code)
	}
}

// cleanUp stops what the manager drives and forgets the order, whose type it
// returns (R6.23). Stopping may come back and end the order; then there is none.
func (m *Mover) cleanUp(s *components.MoveTo) (kind MovementType) {
	p := ownParams(s, 1)
	if s.CurrentCommand != 0 {
		m.moveToStop(s.CurrentCommand, &p)
	}
	if s.AuxCommand != 0 {
		m.moveToStop(s.AuxCommand, &p)
	}
	if s.TopID != 0 && s.Type != 0 {
		m.Host.ClearTarget()
	}
	kind = MovementType(s.Type)
	m.initialise(s)
	return kind
}

// arrive is what an order that has no node left comes to (R6.13).
func (m *Mover) arrive(s *components.MoveTo) {
	id, radius, height := s.TopID, s.SoughtRadius, s.SoughtHeight
	stick := s.Params.Has(components.ParamSticky)
	m.endMoveTo(s, 0)
	if stick {
		m.Host.StickTo(id, radius, height)
	}
}

// ownParams are those of the manager's own commands (R6.9).
func ownParams(s *components.MoveTo, speed float32) components.MoveParams {
	p := DefaultParams()
	p.Flags &^= components.ParamCancelMoveTo
	p.Speed, p.HoldKey = speed, s.Params.HoldKey
	return p
}

// moveToDo does a command; it drives the interpreted state alone. The speed is
// adjusted in place, so a later call with the same p sees it so (R6.10).
func (m *Mover) moveToDo(c uint32, p *components.MoveParams) uint32 {
	if !m.Interpreter.Initted {
		return NoMotionInterpreter
	}
	c, p.Speed = m.AdjustMotion(c, p.Speed, p.HoldKey)
	return m.DoInterpretedMotion(c, p)
}

// moveToStop stops a command in the same way; nobody looks at what comes of it (R6.10).
func (m *Mover) moveToStop(c uint32, p *components.MoveParams) {
	if m.Interpreter.Initted {
		c, p.Speed = m.AdjustMotion(c, p.Speed, p.HoldKey)
		m.StopInterpretedMotion(c, p)
	}
}

// stopObject is StopCompletely asked of the object: a movement of type 5, which
// makes the interpreter if there is none (R6.11, R6.29).
func (m *Mover) stopObject() {
	if m.Host != nil {
		m.Host.Activate()
	}
	if !m.Interpreter.Initted {
		m.EnterDefaultState()
	}
	m.PerformMovement(StopCompletely, 0, nil)
}
