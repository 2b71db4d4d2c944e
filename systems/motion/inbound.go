package motion

import "github.com/gait-engine/gait/components"

// InboundBegin is what every movement event does first, whatever its type: end
// a move-to and a stick, take on the style (06 R6.26, steps 1 and 3). A style
// that is the present one issues nothing.
func (m *Mover) InboundBegin(style uint32) {
	m.CancelMoveTo(ActionCancelled)
	if m.Host != nil {
		m.Host.Unstick()
	}
	if style != m.Interpreted.Style {
		p := DefaultParams()
		m.DoMotion(style, &p)
	}
}

// InboundState is a movement event of type 0 behind its staleness gate (06
// R6.26): style is the header's, s and actions are the body. The flag of a
// standing long jump is assigned each time, both ways (R5.47). Sticking to an
// object that the event names comes after this. The caller has stored the
// event's autonomy in Interpreter.LastMoveAutonomous (R6.28).
//
// A state that is not finite is 0x47 and changes nothing.
func (m *Mover) InboundState(style uint32, s *State, actions []components.Action, standingLongJump bool) uint32 {
	if !s.finite() || !finiteActions(actions) {
		return GeneralMovementFailure
	}
	m.InboundBegin(style)
	r := m.MoveToInterpretedState(s, actions)
	m.Interpreter.StandingLongJump = standingLongJump
	return r
}
