package position

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

// Commit makes next, a frame in the current block, the body's frame after a step
// of q seconds, where no sweep stands in the way (spec 11 §5.6). A place that is
// not finite is refused like one that a sweep does not reach.
func Commit(pose *components.Pose, b *components.Body, next space.Frame, q float32) {
	old := pose.Frame.Origin
	if space.Equal(old, next.Origin) { // 6a, W-29: the origin does not creep
		Refuse(pose, b, next.Rotation)
		return
	}
	move := space.Sub(next.Origin, old)
	achieved := space.Vec3{move[0] / q, move[1] / q, move[2] / q}
	if !space.FiniteVec(achieved) {
		Refuse(pose, b, next.Rotation)
		return
	}
	b.Achieved = achieved
	pose.Frame = space.Frame{Origin: next.Origin, Rotation: MoveHeading(b, next.Rotation, move)}
	storePosition(pose, b)
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
func Refuse(pose *components.Pose, b *components.Body, rotation space.Quat) {
	pose.Frame.Rotation = rotation
	b.Achieved = space.Vec3{}
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
