package motion

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

// Speeds per unit of speed, m/s, and factors (05 §5.3). They translate commands
// and drive leaving the ground; the sequence moves by its own data (DEV-8).
const (
	walkSpeed       float32 = 3.12
	runSpeed        float32 = 4.0
	sidestepSpeed   float32 = 1.25
	backwardsFactor float32 = 0.65
	sidestepFactor  float32 = 1.248 // 0.5 · (3.12 / 1.25)
	runTurnFactor   float32 = 1.5
	maxSidestep     float32 = 3.0
)

// RunRate returns how much faster than the base speed the mover runs (R5.9).
func (m *Mover) RunRate() float32 {
	switch {
	case !m.has(components.HasGame):
		return 1
	case m.has(components.HasRunRate):
		return m.Traits.RunRate
	}
	return m.Interpreter.RunRate
}

// AdjustMotion translates a command as a key gives it into what is done: left
// into right and backwards into forwards at a negative speed, walking into
// running under the hold key (R5.10).
func (m *Mover) AdjustMotion(c uint32, speed float32, hold components.HoldKey) (uint32, float32) {
	if m.inanimate() {
		return c, speed
	}
	switch c {
	case WalkBackwards:
		c, speed = WalkForward, speed*-backwardsFactor
	case TurnLeft:
		c, speed = TurnRight, -speed
	case SideStepLeft:
		c, speed = SideStepRight, -speed
	case RunForward:
		return c, speed
	}
	if c == SideStepRight {
		speed *= sidestepFactor
	}
	if hold == components.HoldInvalid { // R1.7
		hold = m.RawState(m.Pools).HoldKey
	}
	if hold == components.HoldRun {
		c, speed = m.applyRun(c, speed)
	}
	return c, clamp(speed)
}

// applyRun is apply_run_to_command; backing up stays WalkForward (R5.11).
func (m *Mover) applyRun(c uint32, speed float32) (uint32, float32) {
	switch c {
	case WalkForward:
		if speed > 0 {
			c = RunForward
		}
		speed *= m.RunRate()
	case TurnRight:
		speed *= runTurnFactor
	case SideStepRight:
		speed *= m.RunRate()
		if speed > maxSidestep {
			speed = maxSidestep
		} else if speed < -maxSidestep {
			speed = -maxSidestep
		}
	}
	return c, speed
}

// MaxSpeed returns get_max_speed, m/s (R5.12), 0 without an interpreter (13 §2).
func (m *Mover) MaxSpeed() float32 {
	if !m.Interpreter.Initted {
		return 0
	}
	return clamp(runSpeed * m.RunRate())
}

// AdjustedMaxSpeed returns get_adjusted_max_speed, m/s: that of the run in
// progress, when it runs (R5.12); 0 without an interpreter (12 §6).
func (m *Mover) AdjustedMaxSpeed() float32 {
	if !m.Interpreter.Initted || m.Interpreted.Forward != RunForward {
		return m.MaxSpeed()
	}
	return clamp(runSpeed * (m.Interpreted.ForwardSpeed / m.Interpreter.SpeedFactor))
}

// FindPace keeps the adjusted max speed where chasing finds it, after anything that it follows
// from has changed: the interpreted state, a run rate, what the game object answers.
func (m *Mover) FindPace() { m.Chase.Pace = m.AdjustedMaxSpeed() }

// SetRunRate sets the mover's own run rate, which counts when no game object answers one (R5.9).
func (m *Mover) SetRunRate(rate float32) {
	m.Interpreter.RunRate = rate
	m.FindPace()
}

// StateVelocity returns the velocity that the interpreted state stands for, m/s
// in the object's axes. The cap may be negative, then it turns the direction
// round; a zero velocity stays zero (R5.13, D-50).
func (m *Mover) StateVelocity() space.Vec3 {
	var v space.Vec3
	i := m.Interpreted
	if i.Sidestep == SideStepRight {
		v[0] = clamp(sidestepSpeed * i.SidestepSpeed)
	}
	switch i.Forward {
	case WalkForward:
		v[1] = clamp(walkSpeed * i.ForwardSpeed)
	case RunForward:
		v[1] = clamp(runSpeed * i.ForwardSpeed)
	}
	if length, most := space.Length(v), m.MaxSpeed(); length > most && length > 0 {
		v = clampVec(space.Scale(v, most/length))
	}
	return v
}
