package motion

import (
	"math"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

// State is a whole interpreted state without its actions: the seven scalars of
// copyMovement (R5.6).
type State struct {
	Style, Forward, Sidestep, Turn         uint32
	ForwardSpeed, SidestepSpeed, TurnSpeed float32
}

// RawState is a whole raw state without its actions: which keys are held (05 §5.1).
type RawState struct {
	HoldKey                 components.HoldKey
	Style                   uint32
	Forward, Sidestep, Turn components.Axis
}

// DefaultState returns the interpreted state that a mover begins with.
func DefaultState() State {
	return State{Style: NonCombat, Forward: Ready, ForwardSpeed: 1, SidestepSpeed: 1, TurnSpeed: 1}
}

// DefaultRaw returns the raw state that a mover begins with.
func DefaultRaw() RawState {
	r := components.DefaultRaw()
	return rawState(&r)
}

func rawState(r *components.Raw) RawState {
	return RawState{HoldKey: r.HoldKey, Style: r.Style, Forward: r.Forward, Sidestep: r.Sidestep, Turn: r.Turn}
}

// RawOf returns the raw state of a remote, without its actions.
func RawOf(r *components.Row, p *components.Pools) RawState {
	s := r.RawState(p)
	return rawState(&s)
}

func (s *State) finite() bool {
	return space.Finite(s.ForwardSpeed) && space.Finite(s.SidestepSpeed) && space.Finite(s.TurnSpeed)
}

func (s *RawState) finite() bool {
	return space.Finite(s.Forward.Speed) && space.Finite(s.Sidestep.Speed) && space.Finite(s.Turn.Speed)
}

func (m *Mover) setInterpreted(s *State) {
	i := m.Interpreted
	i.Style, i.Forward, i.Sidestep, i.Turn = s.Style, s.Forward, s.Sidestep, s.Turn
	i.ForwardSpeed, i.SidestepSpeed, i.TurnSpeed = s.ForwardSpeed, s.SidestepSpeed, s.TurnSpeed
	m.FindPace()
}

// install makes s the raw state, without actions.
func (m *Mover) install(s RawState) {
	was := m.RawState(m.Pools)
	was.Actions.Clear(&m.Pools.Actions)
	m.SetRawState(m.Pools, components.Raw{HoldKey: s.HoldKey, Style: s.Style, Forward: s.Forward, Sidestep: s.Sidestep, Turn: s.Turn})
}

// DefaultParams returns the default movement parameters (05 §5.2, R5.8).
func DefaultParams() components.MoveParams { return defaultParams }

// defaultParams is never written. It is for what every message does: a call's result is
// copied twice, part of it while it is still being stored.
var defaultParams = components.MoveParams{
	Flags: components.ParamDefaults, DistanceToObject: 0.6, Speed: 1, FailDistance: math.MaxFloat32, WalkRunThreshold: 15,
}

// rawApply records a key pressed (R5.2). RunForward is nothing: running is the
// hold key (R5.1).
func (m *Mover) rawApply(c uint32, p *components.MoveParams) {
	r := m.RawState(m.Pools)
	axis := components.Axis{Motion: c, Hold: p.HoldKey, Speed: p.Speed}
	if p.Has(components.ParamSetHoldKey) {
		axis.Hold = components.HoldInvalid
	}
	switch {
	case c == RunForward:
	case c == TurnRight || c == TurnLeft:
		r.Turn = axis
	case c == SideStepRight || c == SideStepLeft:
		r.Sidestep = axis
	case IsSubstate(c):
		r.Forward = axis
	case IsStyle(c):
		if r.Style != c {
			r.Forward.Motion, r.Style = Ready, c
		}
	case IsAction(c):
		r.Actions.Push(&m.Pools.Actions, action(c, p))
	}
	m.SetRawState(m.Pools, r)
}

// rawRemove records a key released (R5.3).
func (m *Mover) rawRemove(c uint32) {
	r := m.RawState(m.Pools)
	switch {
	case c == TurnRight || c == TurnLeft:
		r.Turn.Motion = 0
	case c == SideStepRight || c == SideStepLeft:
		r.Sidestep.Motion = 0
	case c == r.Forward.Motion:
		r.Forward.Motion, r.Forward.Speed = Ready, 1
	case c == r.Style:
		r.Style = NonCombat
	}
	m.SetRawState(m.Pools, r)
}

// interpretedApply records a motion begun. A style sets forward to Ready even
// when it is the present one (R5.4, D-38).
func (m *Mover) interpretedApply(c uint32, p *components.MoveParams) {
	i := m.Interpreted
	switch {
	case c == TurnRight:
		i.Turn, i.TurnSpeed = c, p.Speed
	case c == SideStepRight:
		i.Sidestep, i.SidestepSpeed = c, p.Speed
	case IsSubstate(c):
		i.Forward, i.ForwardSpeed = c, p.Speed
		m.FindPace()
	case IsStyle(c):
		i.Forward, i.Style = Ready, c
		m.FindPace()
	case IsAction(c):
		i.Actions.Push(&m.Pools.Actions, action(c, p))
	}
}

// interpretedRemove records a motion ended (R5.5).
func (m *Mover) interpretedRemove(c uint32) {
	i := m.Interpreted
	switch {
	case c == TurnRight:
		i.Turn = 0
	case c == SideStepRight:
		i.Sidestep = 0
	case c == i.Forward:
		i.Forward, i.ForwardSpeed = Ready, 1
		m.FindPace()
	case c == i.Style:
		i.Style = NonCombat
	}
}

func action(c uint32, p *components.MoveParams) components.Action {
	return components.Action{Motion: c, Speed: p.Speed, Stamp: p.ActionStamp, Autonomous: p.Has(components.ParamAutonomous)}
}

// removeActions pops the front of both states' action lists (R5.7, R4.11).
func (m *Mover) removeActions() {
	if l := &m.Interpreted.Actions; l.Len > 0 {
		l.Remove(&m.Pools.Actions, 0, 1)
	}
	if r := m.RawState(m.Pools); r.Actions.Len > 0 {
		r.Actions.Remove(&m.Pools.Actions, 0, 1)
		m.SetRawState(m.Pools, r)
	}
}
