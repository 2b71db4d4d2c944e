package motion

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

// groundMatters: creatures and objects without game object, under gravity (R5.39).
func (m *Mover) groundMatters() bool { return !m.inanimate() && m.gravity() }

// HitGround is the edge of ON_WALKABLE from clear to set: the way down is over,
// the kept movement goes on, then the move-to (R5.38, R5.40, R5.41, R6.29).
func (m *Mover) HitGround() {
	if m.groundMatters() {
		m.RemoveLinkAnimations()
		m.ApplyCurrentMovement(false, false)
	}
	m.resumeMoveTo()
}

// LeaveGround is the edge of ON_WALKABLE from set to clear: the body takes its
// own velocity along and falls (R5.42).
func (m *Mover) LeaveGround() {
	if !m.groundMatters() {
		return
	}
	v := m.LeaveGroundVelocity()
	if m.Host != nil {
		m.Host.SetVelocity(space.LocalToGlobalVec(m.Pose.Frame.Rotation, v))
	}
	m.Interpreter.StandingLongJump = false
	m.Interpreter.JumpExtent = 0
	m.RemoveLinkAnimations()
	m.ApplyCurrentMovement(false, false)
}

// leaveWalkable clears ON_WALKABLE as a jump does (R5.34, 11 §7): off the edge
// there is nothing but gravity.
func (m *Mover) leaveWalkable() {
	b := m.Body
	if b.Transient&components.OnWalkable != 0 {
		if m.Host != nil {
			m.Host.LeavesGround()
		}
		b.Transient &^= components.OnWalkable
		m.LeaveGround()
	}
	b.Transient &^= components.Falling
	if m.gravity() {
		b.Transient |= components.Falling
	}
}

// StandingStill is is_standing_still (R5.43).
func (m *Mover) StandingStill() bool {
	i := m.Interpreted
	return m.grounded() && i.Forward == Ready && i.Sidestep == 0 && i.Turn == 0
}
