package components

import "github.com/gait-engine/gait/space"

// Node is one animation to play (spec 02 §2.1): bounds resolved when it was made (R2.1).
type Node struct {
	Anim      int32   // index into the tables' animations
	Rate      float32 // frames a second, the sign is the direction
	Low, High int32   // frames, both included
}

// Sequence is the animation list of one mover and where it stands in it (spec
// 02). What the common tick reads, up to the head of the list, is the first 64
// bytes: one cache line.
type Sequence struct {
	Frame       float64    // position in the current node, frames
	Curr        int32      // index of the node being played, −1 none
	Velocity    space.Vec3 // m/s, object axes, for the whole sequence
	Omega       space.Vec3 // rad/s, object axes
	Nodes       List[Node, [2]Node]
	Placement   int32  // index of the pose used when there is no node, −1 none
	PlacementID uint32 // its key in the setup, 0 when it fell back
}

// FirstCyclic is the index of the node to wrap to, −1 none: always the last,
// since appending makes it so and removing keeps it so (R2.7 to R2.10).
func (s *Sequence) FirstCyclic() int32 { return int32(s.Nodes.Len) - 1 }
