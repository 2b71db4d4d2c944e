package dat

import "github.com/gait-engine/gait/space"

// MotionTable is a record 0x09: which animations a motion means (spec 21 §4).
type MotionTable struct {
	ID            uint32
	DefaultStyle  uint32
	StyleDefaults []StyleDefault
	Cycles        []KeyedMotion // key(style, substate)
	Modifiers     []KeyedMotion // key(style, modifier), or the bare modifier
	Links         []LinkGroup   // key(style, from), or style<<16
}

// StyleDefault is the substate that a style rests in; both are full commands.
type StyleDefault struct{ Style, Motion uint32 }

// KeyedMotion is motion data under a key.
type KeyedMotion struct {
	Key  uint32
	Data MotionData
}

// LinkGroup holds the links from one place; the keys inside are full destination commands.
type LinkGroup struct {
	Key uint32
	To  []KeyedMotion
}

// MotionData is what one motion plays and how it moves (spec 03 §3.1).
type MotionData struct {
	Clips    []Clip
	Flags    uint8 // behaviour: 1 clears modifiers, 2 only from the style's default
	Present  uint8 // which of the vectors the record holds: 1 velocity, 2 omega
	Velocity space.Vec3
	Omega    space.Vec3
	Pad      uint8 // the padding after Present, kept so that the record encodes to its own bytes
}

// Clip is a part of an animation at a rate.
type Clip struct {
	Anim      uint32
	Low, High int32 // frames, both included; High −1 is the last
	Rate      float32
}

// Animation is a record 0x03 (spec 21 §5). Rotations are kept as stored, whatever
// their length; [Compile] makes them playable.
type Animation struct {
	ID        uint32
	Flags     uint32 // 1 has position frames, 2 has hooks (advisory)
	Parts     uint32
	Positions []space.Frame // one a frame, or none
	Frames    []AnimFrame
}

// AnimFrame is the pose of the parts in one frame, and the hooks it fires.
type AnimFrame struct {
	Parts []space.Frame
	Hooks []Hook
}

// Setup is a record 0x02: what a figure is made of (spec 21 §6).
type Setup struct {
	ID          uint32
	Flags       uint32 // 1 parents, 2 scales, 4 free heading, 8 physics tree (advisory)
	Parts       []uint32
	Parents     []uint32     // with flags & 1
	Scales      []space.Vec3 // with flags & 2
	Holding     []Location
	Connections []Location
	Placements  []Placement
	Cylinders   []Cylinder
	Spheres     []Sphere
	Height      float32
	Radius      float32
	StepUp      float32
	StepDown    float32
	Sorting     Sphere
	Selection   Sphere
	Lights      []Light

	DefaultAnimation   uint32
	DefaultScript      uint32
	DefaultMotionTable uint32
	DefaultSoundTable  uint32
	DefaultScriptTable uint32
}

// Location is where something is held.
type Location struct {
	Key, Part uint32
	Frame     space.Frame
}

// Placement is a resting pose.
type Placement struct {
	Key   uint32
	Parts []space.Frame
	Hooks []Hook
}

// Cylinder stands on its low point.
type Cylinder struct {
	Low            space.Vec3
	Radius, Height float32
}

// Sphere is a ball.
type Sphere struct {
	Centre space.Vec3
	Radius float32
}

// Light is a lamp of a setup; Cone may be fill (0xCDCDCDCD).
type Light struct {
	Key                      uint32
	Frame                    space.Frame
	Colour                   uint32
	Intensity, Falloff, Cone float32
}
