package components

import "github.com/gait-engine/gait/space"

// Node is one animation to play (spec 02 §2.1): bounds resolved when it was made (R2.1).
type Node struct {
	Anim      int32   // index into the tables' animations
	Rate      float32 // frames a second, the sign is the direction
	Low, High int32   // frames, both included
}

// Sequence is the animation list of one mover and where it stands in it (spec 02).
type Sequence struct {
	Frame       float64 // position in the current node, frames
	Curr        int32   // index of the node being played, −1 none
	FirstCyclic int32   // index of the node to wrap to, −1 none
	Nodes       List[Node, [4]Node]
	Velocity    space.Vec3 // m/s, object axes, for the whole sequence
	Omega       space.Vec3 // rad/s, object axes
	Placement   int32      // index of the pose used when there is no node, −1 none
	PlacementID uint32     // its key in the setup, 0 when it fell back
}
