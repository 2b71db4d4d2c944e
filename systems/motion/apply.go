package motion

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

// applyFlags is the flag word of the calls that apply a whole state (R5.23).
func applyFlags(cancel, disallowJump bool) components.ParamFlags {
	f := components.ParamDefaults &^ (components.ParamSetHoldKey | components.ParamModifyInterpretedState | components.ParamCancelMoveTo | components.ParamDisableJumpDuringLink)
	if cancel {
		f |= components.ParamCancelMoveTo
	}
	if disallowJump {
		f |= components.ParamDisableJumpDuringLink
	}
	return f
}

// ApplyInterpretedMovement does everything that the interpreted state says: style,
// forward, sidestep, turn, in this order. Refusals are ignored, the state itself
// is not modified (R5.23).
func (m *Mover) ApplyInterpretedMovement(cancel, disallowJump bool) {
	p := defaultParams
	p.Flags = applyFlags(cancel, disallowJump)
	i := m.Interpreted
	do := func(c uint32, speed float32) {
		p.Speed = speed
		m.DoInterpretedMotion(c, &p)
	}
	if i.Forward == RunForward {
		m.SetRunRate(i.ForwardSpeed)
	}
	do(i.Style, 1)
	switch {
	case !m.contactAllowsMove(i.Forward):
		do(Falling, 1)
	case m.Interpreter.StandingLongJump:
		do(Ready, 1)
		m.StopInterpretedMotion(SideStepRight, &p)
	default:
		do(i.Forward, i.ForwardSpeed)
		if i.Sidestep != 0 {
			do(i.Sidestep, i.SidestepSpeed)
		} else {
			m.StopInterpretedMotion(SideStepRight, &p)
		}
	}
	if i.Turn != 0 {
		do(i.Turn, i.TurnSpeed)
	} else {
		m.StopInterpretedMotion(TurnRight, &p)
	}
	if !m.inCell() {
		m.RemoveLinkAnimations()
	}
}

// ApplyRawMovement derives the interpreted state from the raw one and applies it (R5.24).
func (m *Mover) ApplyRawMovement(cancel, disallowJump bool) {
	i, r := m.Interpreted, m.RawState(m.Pools)
	i.Style = r.Style
	i.Forward, i.ForwardSpeed = m.AdjustMotion(r.Forward.Motion, r.Forward.Speed, r.Forward.Hold)
	i.Sidestep, i.SidestepSpeed = m.AdjustMotion(r.Sidestep.Motion, r.Sidestep.Speed, r.Sidestep.Hold)
	i.Turn, i.TurnSpeed = m.AdjustMotion(r.Turn.Motion, r.Turn.Speed, r.Turn.Hold)
	m.FindPace()
	m.ApplyInterpretedMovement(cancel, disallowJump)
}

// ApplyCurrentMovement applies the raw state of whoever gives his own input and
// last moved by it, the interpreted state of everybody else (R5.25, D-15).
// Binding the object or the game object calls it with (true, false) (R5.26).
func (m *Mover) ApplyCurrentMovement(cancel, disallowJump bool) {
	switch {
	case !m.Interpreter.Initted:
	case m.OwnInput() && m.Interpreter.LastMoveAutonomous:
		m.ApplyRawMovement(cancel, disallowJump)
	default:
		m.ApplyInterpretedMovement(cancel, disallowJump)
	}
}

// ReportExhaustion applies the movement again when stamina has run out (R5.27).
func (m *Mover) ReportExhaustion() { m.ApplyCurrentMovement(false, false) }

// InstallRaw installs a whole raw state, without actions, and applies it (05
// §5.11 `raw`). A state that is not finite is 0x47 and changes nothing.
func (m *Mover) InstallRaw(s RawState) uint32 {
	if !s.finite() {
		return GeneralMovementFailure
	}
	disallow := MotionAllowsJump(m.Interpreted.Forward) != 0
	m.install(s)
	m.ApplyRawMovement(true, disallow)
	return 0
}

// MoveToInterpretedState takes over a whole state from the wire and plays the
// actions that are new (R5.28). The state is stomped each time, there is no
// diffing (R5.31). A state that is not finite is 0x47 and changes nothing.
func (m *Mover) MoveToInterpretedState(s *State, actions []components.Action) uint32 {
	if !s.finite() || !finiteActions(actions) {
		return GeneralMovementFailure
	}
	if m.RawStyle(m.Pools) != s.Style {
		r := m.RawState(m.Pools)
		r.Style = s.Style
		m.SetRawState(m.Pools, r)
	}
	m.CancelMoveTo(ActionCancelled)
	disallow := MotionAllowsJump(m.Interpreted.Forward) != 0
	m.setInterpreted(s)
	m.ApplyCurrentMovement(true, disallow)
	p := defaultParams // its action stamp stays 0 (R5.29)
	for i := range actions {
		a := &actions[i]
		if !NewerAction(a.Stamp, m.Interpreter.ServerActionStamp) {
			continue
		}
		if a.Autonomous && m.OwnInput() {
			continue // he already played it; the stamp does not move
		}
		m.Interpreter.ServerActionStamp = a.Stamp
		p.Speed = a.Speed
		p.Flags &^= components.ParamAutonomous
		if a.Autonomous {
			p.Flags |= components.ParamAutonomous
		}
		m.DoInterpretedMotion(a.Motion, &p)
	}
	return 0
}

func finiteActions(actions []components.Action) bool {
	for i := range actions {
		if !space.Finite(actions[i].Speed) {
			return false
		}
	}
	return true
}

// NewerAction reports whether the action stamp node is newer than the object's
// last one, both taken as 15 bits (R5.28, R5.30, D-13).
func NewerAction(node, server uint16) bool {
	a, b := node&0x7FFF, server&0x7FFF
	if b < a {
		return a-b <= 0x3FFF
	}
	return b-a > 0x3FFF
}
