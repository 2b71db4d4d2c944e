package position

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

// grounded are the two bits whose edges are told.
const grounded = components.Contact | components.OnWalkable

// tellGround reports what contact and on walkable become, where that is a change (15 §4).
func (m *Mover) tellGround(contact, onWalkable bool) {
	var is components.TransientBits
	if contact {
		is |= components.Contact
	}
	if onWalkable {
		is |= components.OnWalkable
	}
	if was := m.Body.Transient & grounded; was != is {
		m.Host.GroundChanges(was, is)
	}
}

// SetOnWalkable writes ON_WALKABLE and tells motion of the edge (spec 11 §7).
func (m *Mover) SetOnWalkable(on bool) {
	m.tellGround(m.Body.Transient&components.Contact != 0, on)
	m.setOnWalkable(on)
}

func (m *Mover) setOnWalkable(on bool) {
	was := m.Body.Transient&components.OnWalkable != 0
	if on {
		m.Body.Transient |= components.OnWalkable
	} else {
		m.Body.Transient &^= components.OnWalkable
	}
	switch {
	case on && !was:
		m.Host.HitGround()
	case was && !on:
		m.Host.LeaveGround()
	}
	CalcAcceleration(m.Body)
}

// SetContact takes what a step found below the body (spec 11 §8 steps 4 and 5):
// a contact plane or none, its normal, whether it is water, whether it can be
// walked on. Without contact the rest says nothing.
func (m *Mover) SetContact(contact bool, normal space.Vec3, water, walkable bool) {
	m.tellGround(contact, contact && walkable)
	b := m.Body
	b.Transient &^= components.Contact | components.WaterContact
	if contact {
		b.Transient |= components.Contact
		b.ContactNormal = normal
	}
	CalcAcceleration(b)
	if contact && water {
		b.Transient |= components.WaterContact
	}
	m.setOnWalkable(contact && walkable)
}

// GroundEvent is the scenario's contact change: level ground or none, without a
// bounce and with the velocity kept (spec 05 §5.11).
func (m *Mover) GroundEvent(contact, onWalkable bool) {
	m.SetContact(contact, space.Vec3{0, 0, 1}, false, onWalkable)
}

// ClearTransientStates is for leaving the world and for being let go by a parent (spec 11 §2).
func (m *Mover) ClearTransientStates() {
	m.tellGround(false, false)
	b := m.Body
	b.Transient &^= components.Contact
	CalcAcceleration(b)
	was := b.Transient&components.OnWalkable != 0
	b.Transient &^= components.OnWalkable | components.WaterContact
	if was {
		m.Host.LeaveGround()
	}
	CalcAcceleration(b)
	m.SetActive(false)
	b.Transient &= transientMask
}
