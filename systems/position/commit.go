package position

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

// Commit makes next, a frame in the current block, the body's frame after a step
// of q seconds, where no sweep stands in the way (spec 11 §5.6). A place that is
// not finite is refused like one that a sweep does not reach.
func Commit(pose *components.Pose, b *components.Body, next *space.Frame, q float32) {
	o := &pose.Frame.Origin
	dx, dy, dz := next.Origin[0]-o[0], next.Origin[1]-o[1], next.Origin[2]-o[2]
	if space.At(o, next.Origin[0], next.Origin[1], next.Origin[2]) {
		Refuse(pose, b, &next.Rotation) // 6a, W-29: the origin does not creep
		return
	}
	vx, vy, vz := dx/q, dy/q, dz/q
	if !(space.Finite(vx) && space.Finite(vy) && space.Finite(vz)) {
		Refuse(pose, b, &next.Rotation)
		return
	}
	b.Achieved[0], b.Achieved[1], b.Achieved[2] = vx, vy, vz
	if b.State&(components.AlignPath|components.Sledding) != 0 {
		next.Rotation = MoveHeading(b, next.Rotation, space.Vec3{dx, dy, dz})
	}
	o[0], o[1], o[2] = next.Origin[0], next.Origin[1], next.Origin[2]
	Take(&pose.Frame.Rotation, &next.Rotation)
	storePosition(pose, b)
}

// Moves reports whether a way of so many metres is more than [Eps] in one of its numbers for
// sure, and less than any limit; false for what is no number.
func Moves(dx, dy, dz float32) bool {
	d2 := float32(dx*dx) + float32(dy*dy) + float32(dz*dz)
	return d2 > 4*space.Eps2 && d2 < 1e6
}

// Glide is [Commit] of a step by (dx, dy, dz) to (x, y, z), for who is neither
// [components.AlignPath] nor Sledding, when [Moves] and [space.Settled] say that it is no
// other. It takes no rotation, and returns the velocity.
func Glide(pose *components.Pose, b *components.Body, x, y, z, dx, dy, dz, q float32) (vx, vy, vz float32) {
	o, a := &pose.Frame.Origin, &b.Achieved
	vx, vy, vz = dx/q, dy/q, dz/q
	a[0], a[1], a[2] = vx, vy, vz
	o[0], o[1], o[2] = x, y, z
	return vx, vy, vz
}

// Take copies a rotation number by number: see [space.CombineTo].
func Take(to, from *space.Quat) {
	to.W, to.V[0], to.V[1], to.V[2] = from.W, from.V[0], from.V[1], from.V[2]
}

// MoveHeading turns rotation the way a missile or a sled faces as it moves
// (spec 11 §5.6b); others keep it.
func MoveHeading(b *components.Body, rotation space.Quat, move space.Vec3) space.Quat {
	switch {
	case b.State&(components.AlignPath|components.Sledding) == 0:
	case b.State&components.AlignPath != 0:
		return space.SetVectorHeading(rotation, move)
	case !space.IsZero(b.Velocity):
		return space.SetHeading(rotation, space.Compass(b.Velocity[0], b.Velocity[1]))
	}
	return rotation
}

// Refuse commits a step that does not move: the rotation is taken, the origin
// stays and nothing was achieved (spec 11 §5.6, 6a and the sweep's failure).
func Refuse(pose *components.Pose, b *components.Body, rotation *space.Quat) {
	Take(&pose.Frame.Rotation, rotation)
	b.Achieved[0], b.Achieved[1], b.Achieved[2] = 0, 0, 0
}

// AcceptPlace is SetPosition where no sweep stands in the way: the position is
// taken as it is and contact does not change (spec 11 §9, 10 §6). It always
// succeeds; outside the world a body goes to the lost cell.
func AcceptPlace(pose *components.Pose, b *components.Body, p space.Position) bool {
	if pose.Cell == 0 {
		SetActive(b, true) // prepare_to_enter_world
	}
	pose.Position = p
	storePosition(pose, b)
	return true
}

// storePosition brings an outdoor position into its cell (spec 10 §6). A body
// for which there is none is in the lost cell, id 0, and not active.
func storePosition(pose *components.Pose, b *components.Body) {
	pose.Normalize()
	if pose.Cell == 0 {
		SetActive(b, false)
	}
}
