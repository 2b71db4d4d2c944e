package motion

import "github.com/gait-engine/gait/components"

// contactAllowsMove reports whether c may be done with the ground as it is (R5.14).
func (m *Mover) contactAllowsMove(c uint32) bool {
	switch c {
	case Dead, Falling, TurnRight, TurnLeft:
		return true
	}
	return m.inanimate() || !m.gravity() || m.grounded()
}

// MotionAllowsJump returns 0, or 0x48 for a motion that one does not jump from
// (R5.15).
func MotionAllowsJump(c uint32) uint32 {
	switch {
	case c >= Reload && c <= Pickup, c >= AimLevel && c <= MagicPray,
		c >= MagicPowerUp01 && c <= MagicPowerUp10, c >= MagicPowerUp01Prp && c <= MagicPowerUp10Prp,
		c == Fallen, c == Crouch, c == Sitting, c == Sleeping:
		return YouCantJumpFromThis
	}
	return 0
}

// SetHoldKey changes between walking and running and applies it at once. Only
// None and Run count, and None only over Run (R5.16, D-41).
func (m *Mover) SetHoldKey(k components.HoldKey, cancel bool) {
	r := m.RawState(m.Pools)
	if k == r.HoldKey {
		return
	}
	if k == components.HoldRun || k == components.HoldNone && r.HoldKey == components.HoldRun {
		r.HoldKey = k
		m.SetRawState(m.Pools, r)
		m.ApplyCurrentMovement(cancel, false)
	}
}

// SetHoldRun is SetHoldKey by yes or no (R5.17).
func (m *Mover) SetHoldRun(on, cancel bool) {
	r := m.RawState(m.Pools)
	if on == (r.HoldKey == components.HoldRun) {
		return
	}
	r.HoldKey = components.HoldNone
	if on {
		r.HoldKey = components.HoldRun
	}
	m.SetRawState(m.Pools, r)
	m.ApplyCurrentMovement(cancel, false)
}
