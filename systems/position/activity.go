package position

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

// SetActive sets or clears ACTIVE; a STATIC body refuses to become active
// (spec 11 §3). Who keeps an update time of his own per body sets it to now when
// the bit goes from false to true.
func SetActive(b *components.Body, on bool) {
	switch {
	case !on:
		b.Transient &^= components.Active
	case b.State&components.Static == 0:
		b.Transient |= components.Active
	}
}

// SetActive is [SetActive] of the mover's body; the host is told of an edge (15 §4).
func (m *Mover) SetActive(on bool) {
	was := m.Body.Transient
	SetActive(m.Body, on)
	m.tellActivity(was)
}

// SetVelocity is [SetVelocity] of the mover's body; the host is told when that activates it.
func (m *Mover) SetVelocity(v space.Vec3) {
	was := m.Body.Transient
	SetVelocity(m.Body, v)
	m.tellActivity(was)
}

// tellActivity reports ACTIVE if it is not what it was.
func (m *Mover) tellActivity(was components.TransientBits) {
	if is := m.Body.Transient & components.Active; is != was&components.Active {
		m.Host.ActivityChanges(is != 0)
	}
}

// Guard is the head of update_object (spec 11 §4.2): false when the body is not
// updated at all, since it is in no cell or FROZEN. With a viewer it takes the
// distance to it, and with maintenance (of objects by distance, which fixed
// ticks do without) lets bodies beyond 96 m rest; all others become active.
func Guard(pose *components.Pose, b *components.Body, viewer *space.Position, maintenance bool) bool {
	if pose.Cell == 0 || b.Transient&components.Lost != 0 || b.State&components.Frozen != 0 {
		SetActive(b, false)
		return false
	}
	if viewer != nil {
		b.PlayerDistance = space.Distance(viewer, &pose.Position)
		SetActive(b, !(maintenance && b.PlayerDistance > ActiveDistance))
	}
	return true
}

// BeginStep is the head of a step (spec 11 §5.1, 2 and 4): false when there is
// nothing to step, else the body has not jumped this frame.
func BeginStep(pose *components.Pose, b *components.Body) bool {
	if b.Transient&components.Active == 0 || pose.Cell == 0 {
		return false
	}
	b.Transient &^= components.JumpedThisFrame
	return true
}

// Quiet reports whether a step with an offset that changes nothing would leave
// everything here as it is: no chase, no velocity, no fall, and a last step
// that did not move.
func Quiet(b *components.Body, c *components.Chase) bool {
	return c.Queue.Len == 0 && c.Fail == 0 &&
		b.Transient&(components.Falling|components.JumpedThisFrame) == 0 &&
		space.Zero(&b.Velocity) && space.Zero(&b.Omega) && space.Zero(&b.Achieved)
}
