package motion

import (
	"math"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

const (
	jumpWithoutGame = 10.0 // m/s upwards, of an object without game object (R5.35)
	leastJump       = 0.35 // m (R5.36)
	jumpGravity     = 19.6 // 2 g, m/s² (R5.36)
	leashFull       = 0.9  // of the leash: fully constrained beyond (13 §4)
)

// jumpCharge is the test of charging a jump: 0, or why not (R5.32).
func (m *Mover) jumpCharge() uint32 {
	if m.has(components.HasGame) && !m.has(components.CanJump) {
		return CantJumpLoadedDown
	}
	switch m.Interpreted.Forward {
	case Fallen, Crouch, Sitting, Sleeping:
		return YouCantJumpFromThis
	}
	return 0
}

// ChargeJump begins to charge a jump; from standing still it will be a standing
// long jump (R5.32).
func (m *Mover) ChargeJump() uint32 {
	if r := m.jumpCharge(); r != 0 {
		return r
	}
	if m.StandingStill() {
		m.Interpreter.StandingLongJump = true
	}
	return 0
}

// JumpIsAllowed returns 0, or why a jump to this extent is refused (R5.33).
func (m *Mover) JumpIsAllowed(extent float32) uint32 {
	if !m.inanimate() && m.gravity() && !m.grounded() {
		return YouCantJumpWhileInTheAir
	}
	if m.Leash.Travelled > float32(m.Leash.Max*leashFull) {
		return GeneralMovementFailure
	}
	if m.MotionsPending() {
		if j := m.Pending.Motions.Items(&m.Pools.PendingMotions)[0].JumpError; j != 0 {
			return j
		}
	}
	if r := m.jumpCharge(); r != 0 {
		return r
	}
	if r := MotionAllowsJump(m.Interpreted.Forward); r != 0 {
		return r
	}
	if m.has(components.HasGame|components.HasStamina) && JumpStamina(m.Traits.Load, extent) > m.Traits.Stamina {
		return GeneralMovementFailure
	}
	return 0
}

// Jump leaves the ground, or says why not (R5.34). An extent that is not finite
// is 0x47 and changes nothing.
func (m *Mover) Jump(extent float32) uint32 {
	if !space.Finite(extent) {
		return GeneralMovementFailure
	}
	m.CancelMoveTo(ActionCancelled)
	r := m.JumpIsAllowed(extent)
	if r != 0 {
		m.Interpreter.StandingLongJump = false
		return r
	}
	m.Interpreter.JumpExtent = extent
	m.leaveWalkable()
	return 0
}

// jumpVelocity is get_jump_v_z, m/s (R5.35).
func (m *Mover) jumpVelocity() float32 {
	extent := m.Interpreter.JumpExtent
	switch {
	case extent < space.Eps:
		return 0
	case !m.has(components.HasGame):
		return jumpWithoutGame
	case !m.has(components.HasJumpHeight):
		return 0
	}
	if extent > 1 {
		extent = 1
	}
	return launch(float64(m.Traits.JumpHeight) * float64(extent))
}

// launch is the speed upwards, m/s, that a jump of this height begins with (R5.36).
func launch(height float64) float32 {
	return clamp(float32(math.Sqrt(float64(jumpGravity * max(leastJump, height)))))
}

// loadMod is what a load, as a fraction of what can be carried, leaves of an ability (R5.36).
func loadMod(load float32) float64 {
	switch {
	case load < 1:
		return 1
	case load < 2:
		return 2 - float64(load)
	}
	return 0
}

// RunRateOf is the run rate that a game object may answer with (R5.36). Skill
// 800, exactly, has a rate of its own.
func RunRateOf(skill, load, scale float32) float32 {
	if skill == 800 {
		return 4.5
	}
	s := float64(skill)
	return clamp(float32((float64(loadMod(load)*s/(s+200)*11) + 4) / float64(scale) / 4))
}

// JumpHeightOf is the height in metres of a jump at full extent (R5.36), for
// Traits.JumpHeight. It is before the least height, which is a jump's own.
func JumpHeightOf(skill, load, scale float32) float32 {
	return clamp(float32(jumpHeight(skill, load, 1, scale)))
}

func jumpHeight(skill, load, extent, scale float32) float64 {
	s, e := float64(skill), float64(min(max(extent, 0), 1))
	return (float64(s/(s+1300)*22.2) + 0.05) * loadMod(load) * e / float64(scale)
}

// JumpVelocityOf is the speed upwards, m/s, of a jump, rounded once at the end (R5.36).
func JumpVelocityOf(skill, load, extent, scale float32) float32 {
	return launch(jumpHeight(skill, load, extent, scale))
}

// JumpStamina is the stamina that a jump costs (R5.36).
func JumpStamina(load, extent float32) float32 {
	return clamp(float32(math.Ceil(float64((float64(load)+0.5)*float64(extent)*8) + 2)))
}

// LeaveGroundVelocity is what the body leaves the ground with, m/s in its own
// axes: the state's velocity and the jump's; when that is nothing, the drift
// that it has (R5.37, D-19).
func (m *Mover) LeaveGroundVelocity() space.Vec3 {
	v := m.StateVelocity()
	v[2] = m.jumpVelocity()
	if space.IsZero(v) {
		v = space.GlobalToLocalVec(m.Pose.Frame.Rotation, m.Body.Velocity)
	}
	return v
}
