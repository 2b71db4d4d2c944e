package components

import "github.com/gait-engine/gait/space"

// Errand holds the managers that few movers have at a time: each is made when it
// is first needed and stays (spec 06, 13).
type Errand struct {
	MoveTo  Box[MoveTo]
	Sticky  Box[Sticky]
	Target  Box[Target]
	Stood   Box[Stood]              // made with the target manager
	Ramp    Box[Ramp]               // while its scale changes
	Voyeurs List[Voyeur, [0]Voyeur] // who targets this mover, in order of subscription
	LastRun float64                 // s, when the target manager last checked its voyeurs
	// UpdateTime, in seconds, is how far the mover's own clock has come (spec 11
	// §4.2). It is kept under the retail clock only, else 0.
	UpdateTime float64
}

// MoveTo is the move-to manager (spec 06 §6.1).
type MoveTo struct {
	Type           uint32     // movement type in progress, 6 to 9; 0 none
	Params         MoveParams // what it was ordered with
	Sought         space.Position
	Goal           space.Position // "target": where the target was
	Start          space.Position
	SoughtID       uint32
	TopID          uint32  // the sought object's parent, or itself
	SoughtRadius   float32 // m
	SoughtHeight   float32 // m
	CurrentCommand uint32
	AuxCommand     uint32
	PrevHeading    float32 // degrees
	PrevDistance   float32 // m
	OrigDistance   float32 // m
	PrevTime       float64 // s
	OrigTime       float64 // s
	FailCount      uint32
	MovingAway     bool
	Initialized    bool
	Nodes          List[MoveToNode, [3]MoveToNode]
}

// MoveToNode is a step of a move-to: go there, or face a heading.
type MoveToNode struct {
	Turn    bool    // face Heading; else go to the place sought
	Heading float32 // degrees
}

// Sticky is the sticky manager (spec 13 §2).
type Sticky struct {
	TargetID    uint32 // 0 none
	Radius      float32
	Initialized bool
	Deadline    float64 // s
	Place       space.Position
}

// TargetStatus is what is known of a target (spec 13 §5).
type TargetStatus uint32

const (
	TargetUndefined TargetStatus = iota
	TargetOK
	TargetExitWorld
	TargetTeleported
	TargetContained
	TargetParented
	TargetTimedOut
)

// Target is whom a mover targets, and what it last heard of him (spec 13 §5).
type Target struct {
	ID           uint32 // 0 none
	Context      uint32
	Radius       float32 // m
	Quantum      float32 // s
	Status       TargetStatus
	LastUpdate   float64 // s
	Place        space.Position
	Interpolated space.Position
	Heading      space.Vec3
	Velocity     space.Vec3
}

// Voyeur is somebody who targets this mover (spec 13 §5).
type Voyeur struct {
	ID       uint32
	Radius   float32 // m
	Quantum  float32 // s
	LastSent space.Position
}

// Stood is what others may read of a mover while they are updated: how it stood
// when the tick's inbound stage was done. It is kept for movers that have a
// target manager.
type Stood struct {
	Place     space.Position
	Achieved  space.Vec3     // m/s
	Committed space.Position // where this tick's step ended, before any blip: what voyeurs are told
}

// Ramp is a change of scale that takes its time (spec 11 §10).
type Ramp struct {
	Start, End float32 // scales
	Seconds    float32
	Began      float64 // s
}
