package motion

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

// maxActions is how many actions may be outstanding when DoMotion is asked for
// another (R5.18).
const maxActions = 6

// PerformMovement does a movement of types 1 to 5 and then completes what waits
// for nothing (05 §5.5, R4.9). It returns an error code of 01 §1.6; other
// types are 0x47 and change nothing. c is not looked at for type 5.
func (m *Mover) PerformMovement(kind MovementType, c uint32, p *components.MoveParams) uint32 {
	var r uint32
	switch kind {
	case RawCommand:
		r = m.DoMotion(c, p)
	case InterpretedCommand:
		r = m.DoInterpretedMotion(c, p)
	case StopRawCommand:
		r = m.StopMotion(c, p)
	case StopInterpretedCommand:
		r = m.StopInterpretedMotion(c, p)
	case StopCompletely:
		r = m.StopCompletely()
	default: // R1.8
		return GeneralMovementFailure
	}
	m.CheckForCompletedMotions()
	return r
}

// DoMotion does a command as a key gives it (R5.18). A speed that is not finite
// is 0x47 and changes nothing, here and in the functions below.
func (m *Mover) DoMotion(c uint32, params *components.MoveParams) uint32 {
	if !space.Finite(params.Speed) {
		return GeneralMovementFailure
	}
	p := *params // every field counts (D-20)
	if p.Has(components.ParamCancelMoveTo) {
		m.CancelMoveTo(ActionCancelled)
	}
	if p.Has(components.ParamSetHoldKey) {
		m.SetHoldKey(p.HoldKey, p.Has(components.ParamCancelMoveTo))
	}
	var done uint32
	done, p.Speed = m.AdjustMotion(c, p.Speed, p.HoldKey)
	if m.Interpreted.Style != NonCombat {
		switch {
		case c == Crouch:
			return CantCrouchInCombat
		case c == Sitting:
			return CantSitInCombat
		case c == Sleeping:
			return CantLieDownInCombat
		case IsEmote(c):
			return CantChatEmoteInCombat
		}
	}
	if IsAction(c) && m.Interpreted.Actions.Len >= maxActions {
		return TooManyActions
	}
	r := m.DoInterpretedMotion(done, &p)
	if r == 0 && p.Has(components.ParamModifyRawState) {
		m.rawApply(c, params)
	}
	return r
}

// heldByStandingJump: what a charged standing jump does not do (R5.19, F7).
func (m *Mover) heldByStandingJump(c uint32) bool {
	return m.Interpreter.StandingLongJump && (c == WalkForward || c == RunForward || c == SideStepRight)
}

// DoInterpretedMotion does a motion: asks the table, waits for it, records it (R5.19).
func (m *Mover) DoInterpretedMotion(c uint32, p *components.MoveParams) uint32 {
	if !space.Finite(p.Speed) {
		return GeneralMovementFailure
	}
	var r uint32
	switch {
	case m.contactAllowsMove(c) && !m.heldByStandingJump(c):
		if c == Dead { // death begins at once (R5.46)
			m.RemoveLinkAnimations()
		}
		r = m.tableRequest(c, p.Speed)
		if r == 0 {
			m.pendMotion(p.Context, c, m.jumpErrorOf(c, p))
			if p.Has(components.ParamModifyInterpretedState) {
				m.interpretedApply(c, p)
			}
		}
	case IsAction(c) && !m.contactAllowsMove(c):
		r = YouCantJumpWhileInTheAir
	case p.Has(components.ParamModifyInterpretedState): // state only
		m.interpretedApply(c, p)
	}
	if !m.inCell() {
		m.RemoveLinkAnimations()
	}
	return r
}

// jumpErrorOf is the jump code that a pending motion carries (R5.19).
func (m *Mover) jumpErrorOf(c uint32, p *components.MoveParams) uint32 {
	if p.Has(components.ParamDisableJumpDuringLink) {
		return YouCantJumpFromThis
	}
	j := MotionAllowsJump(c)
	if j == 0 && !IsAction(c) {
		j = MotionAllowsJump(m.Interpreted.Forward)
	}
	return j
}

// StopMotion ends a command as a key gives it (R5.20). The cancel that comes
// first may stop the motion itself; then this stop is refused, and says so.
func (m *Mover) StopMotion(c uint32, params *components.MoveParams) uint32 {
	if !space.Finite(params.Speed) {
		return GeneralMovementFailure
	}
	p := *params
	if p.Has(components.ParamCancelMoveTo) {
		m.CancelMoveTo(ActionCancelled)
	}
	var done uint32
	done, p.Speed = m.AdjustMotion(c, p.Speed, p.HoldKey)
	r := m.StopInterpretedMotion(done, &p)
	if r == 0 && p.Has(components.ParamModifyRawState) {
		m.rawRemove(c)
	}
	return r
}

// StopInterpretedMotion ends a motion (R5.21).
func (m *Mover) StopInterpretedMotion(c uint32, p *components.MoveParams) uint32 {
	var r uint32
	if m.contactAllowsMove(c) && !m.heldByStandingJump(c) {
		r = m.tableStop(c)
		if r == 0 {
			m.pendMotion(p.Context, Ready, 0)
		}
	}
	if r == 0 && p.Has(components.ParamModifyInterpretedState) {
		m.interpretedRemove(c)
	}
	if !m.inCell() {
		m.RemoveLinkAnimations()
	}
	return r
}

// StopCompletely ends every motion; the speeds of the side axes stay (R5.22).
// It always returns 0.
func (m *Mover) StopCompletely() uint32 {
	m.CancelMoveTo(ActionCancelled)
	j := MotionAllowsJump(m.Interpreted.Forward)
	i, r := m.Interpreted, m.RawState(m.Pools)
	i.Forward, i.ForwardSpeed, i.Sidestep, i.Turn = Ready, 1, 0, 0
	m.FindPace()
	r.Forward.Motion, r.Forward.Speed, r.Sidestep.Motion, r.Turn.Motion = Ready, 1, 0, 0
	m.SetRawState(m.Pools, r)
	m.tableStopAll()
	m.pendMotion(0, Ready, j)
	if !m.inCell() {
		m.RemoveLinkAnimations()
	}
	return 0
}

// EnterDefaultState puts both states and the motion table at their defaults
// and re-applies them; what is pending stays (R5.44, D-29). Every interpreter
// does this when it is made (R5.45).
func (m *Mover) EnterDefaultState() {
	m.Interpreted.Actions.Clear(&m.Pools.Actions)
	s := DefaultState()
	m.setInterpreted(&s)
	m.install(DefaultRaw())
	m.initializeState()
	m.pendMotion(0, Ready, 0)
	m.Interpreter.Initted = true
	m.Rest.Busy &^= components.Unmanaged
	m.FindPace()
	m.LeaveGround()
}

// ChangeTable gives the mover another motion table, index −1 for none: the
// manager and the interpreter start anew. The same one changes nothing (R5.45).
func (m *Mover) ChangeTable(table int32) {
	if table == m.Identity.Table {
		return
	}
	m.Identity.Table = table
	m.MotionState.Modifiers.Clear(&m.Pools.Speeded)
	m.MotionState.Actions.Clear(&m.Pools.Speeded)
	m.Pending.Anims.Clear(&m.Pools.PendingAnims)
	m.Pending.Motions.Clear(&m.Pools.PendingMotions)
	m.Rest.Busy &^= components.Waits
	m.MotionState.Style, m.MotionState.Substate, m.MotionState.Speed = 0, 0, 1
	*m.Interpreter = components.Interpreter{RunRate: 1, SpeedFactor: 1}
	m.Pending.Counter = 0
	m.EnterDefaultState()
}
