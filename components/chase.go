package components

import "github.com/gait-engine/gait/space"

// ChaseKind is the kind of a node of the interpolation queue (spec 12 §5).
type ChaseKind uint32

const (
	ChasePosition ChaseKind = 1
	ChaseStop     ChaseKind = 2
	ChaseVelocity ChaseKind = 3
)

// ChaseNode is a place to go to, or a marker.
type ChaseNode struct {
	Place    space.Position
	Velocity space.Vec3 // m/s, of a velocity node
	Kind     ChaseKind
}

// Chase is the interpolation manager: the queue of places that position events
// asked for, and how well the body gets there (spec 12).
type Chase struct {
	Fail             int32
	FrameCounter     int32
	Progress         float32 // s in this window
	OriginalDistance float32 // m to the head when the window began
	KeepHeading      bool
	// Pace is the adjusted max speed of the motion interpreter, m/s (R5.12), which keeps it
	// here, where chasing finds it without a look at what is cold.
	Pace  float32
	Queue List[ChaseNode, [0]ChaseNode]
}

// Leash scales movement down when the server has been silent for long (spec 13 §4).
type Leash struct {
	Constrained bool
	Travelled   float32 // m, pos_offset: an odometer, not a distance
	Start, Max  float32 // m
}
