package position

import (
	"math"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

// SetVelocity sets the dynamic velocity in world axes, m/s, at most 50 of it,
// and activates the body even when that changes nothing (spec 11 §6). One that
// differs by at most EPS per component is not taken.
func SetVelocity(b *components.Body, v space.Vec3) {
	if !space.Equal(v, b.Velocity) {
		b.Velocity = capSpeed(v)
		b.Transient |= components.JumpedThisFrame
	}
	SetActive(b, true)
}

// SetLocalVelocity is [SetVelocity] of v in the axes of rotation.
func SetLocalVelocity(b *components.Body, rotation space.Quat, v space.Vec3) {
	SetVelocity(b, space.LocalToGlobalVec(rotation, v))
}

// SetOmega sets the angular velocity in world axes, rad/s; it does not activate (spec 11 §3, §6).
func SetOmega(b *components.Body, w space.Vec3) { b.Omega = w }

// capSpeed shortens v to 50 m/s. In float64, where no finite v overflows.
func capSpeed(v space.Vec3) space.Vec3 {
	x, y, z := float64(v[0]), float64(v[1]), float64(v[2])
	n2 := float64(x*x) + float64(y*y) + float64(z*z)
	if n2 <= float64(MaxVelocity2) {
		return v
	}
	s := float64(MaxVelocity) / math.Sqrt(n2)
	return space.Vec3{float32(x * s), float32(y * s), float32(z * s)}
}

// CalcAcceleration finds whether the body falls (spec 11 §6). On the ground,
// unless it sleds, it does not, nor does it turn.
func CalcAcceleration(b *components.Body) {
	switch {
	case b.Transient&grounded == grounded && b.State&components.Sledding == 0:
		b.Transient &^= components.Falling
		b.Omega = space.Vec3{}
	case b.State&components.Gravity != 0:
		b.Transient |= components.Falling
	default:
		b.Transient &^= components.Falling
	}
}

// UpdatePhysics moves and turns frame by q seconds of the body's velocities, and
// the velocity by friction and gravity (spec 11 §6 UpdatePhysicsInternal). It is
// not for HIDDEN bodies (spec 11 §5.1).
func UpdatePhysics(b *components.Body, q float32, frame *space.Frame) {
	falling := b.Transient&components.Falling != 0
	if !falling && space.Zero(&b.Velocity) && space.Zero(&b.Omega) {
		return
	}
	var az float32
	if falling {
		az = Gravity
	}
	if m2 := space.Length2(b.Velocity); m2 > 0 {
		if m2 > MaxVelocity2 {
			b.Velocity = capSpeed(b.Velocity)
			m2 = MaxVelocity2
		}
		calcFriction(b, q, m2)
		if m2-SmallVelocity2 < space.Eps { // by the speed before friction
			b.Velocity = space.Vec3{}
		}
		step := space.Scale(b.Velocity, q)
		step[2] += float32(0.5 * az * q * q)
		frame.Origin = space.Add(frame.Origin, step)
	}
	b.Velocity[2] += float32(az * q)
	frame.Rotation = space.GRotate(frame.Rotation, space.Scale(b.Omega, q))
}

// calcFriction brakes a body that is on walkable ground and does not leave it;
// m2 is its speed squared (spec 11 §6 calc_friction).
func calcFriction(b *components.Body, q, m2 float32) {
	if b.Transient&components.OnWalkable == 0 {
		return
	}
	d := space.Dot(b.ContactNormal, b.Velocity)
	if d >= FrictionFreeSpeed {
		return
	}
	f := b.Friction
	if b.State&components.Sledding != 0 {
		switch {
		case m2 < SledSlowSpeed2:
			f = 1
		case m2 >= SledFastSpeed2 && b.ContactNormal[2] < SledSlopeZ:
			f = SledFriction
		}
	}
	v := space.Sub(b.Velocity, space.Scale(b.ContactNormal, d))
	b.Velocity = space.Scale(v, float32(space.Pow(1-float64(f), float64(q))))
}

// CheckContact refuses contact to a body that has it and is moving off its ground (spec 11 §6).
func CheckContact(b *components.Body, contact bool) bool {
	if b.Transient&components.Contact != 0 && space.Dot(b.Velocity, b.ContactNormal) > space.Eps {
		return false
	}
	return contact
}
