package components

import "github.com/gait-engine/gait/space"

// Body is the free body: flags, vectors, and the ground it stands on (spec 11).
type Body struct {
	State          StateBits
	Transient      TransientBits
	Velocity       space.Vec3 // m/s, world axes: the dynamic velocity
	Omega          space.Vec3 // rad/s, world axes
	Achieved       space.Vec3 // m/s, what the last step really moved
	ContactNormal  space.Vec3
	Friction       float32
	PlayerDistance float32 // m to the viewer, as the last update found it
}

// FloorZ is the limit of walking: a plane is walkable when its normal's z is at
// least this (spec 11 §1).
const FloorZ float32 = 0.66417414618662751

// StateBits is the persistent state word, from the object's description or a state event (spec 11 §2).
type StateBits uint32

const (
	Static              StateBits = 0x1
	Ethereal            StateBits = 0x4
	ReportCollisions    StateBits = 0x8
	IgnoreCollisions    StateBits = 0x10
	NoDraw              StateBits = 0x20
	Missile             StateBits = 0x40
	AlignPath           StateBits = 0x100
	PathClipped         StateBits = 0x200
	Gravity             StateBits = 0x400
	LightingOn          StateBits = 0x800
	ParticleEmitter     StateBits = 0x1000
	Hidden              StateBits = 0x4000
	HasPhysicsBSP       StateBits = 0x10000
	Inelastic           StateBits = 0x20000
	HasDefaultAnim      StateBits = 0x40000
	HasDefaultScript    StateBits = 0x80000
	ReportAsEnvironment StateBits = 0x200000
	EdgeSlide           StateBits = 0x400000
	Sledding            StateBits = 0x800000
	Frozen              StateBits = 0x1000000
	// DefaultState is the state word of a new body (spec 11 §1).
	DefaultState StateBits = 0x400C08
)

// TransientBits are owned by the engine (spec 11 §2).
type TransientBits uint32

const (
	Contact         TransientBits = 0x1
	OnWalkable      TransientBits = 0x2
	Sliding         TransientBits = 0x4
	WaterContact    TransientBits = 0x8
	StationaryFall  TransientBits = 0x10
	StationaryStop  TransientBits = 0x20
	StationaryStuck TransientBits = 0x40
	Active          TransientBits = 0x80
	CheckEthereal   TransientBits = 0x100
	// Falling stands for the acceleration, which is (0,0,−9.8) with it and 0
	// without: what the last calc_acceleration found (spec 11 §6). Not a bit of retail's.
	Falling TransientBits = 0x10000
	// JumpedThisFrame is set by set_velocity and cleared by each step (spec 11 §5). Not a bit of retail's.
	JumpedThisFrame TransientBits = 0x20000
	// Lost: the cell that the body is in is not there (spec 11 §8.1). Not a bit of retail's.
	Lost TransientBits = 0x40000
	// Placed: the body has not entered the world yet and is not to be placed when
	// it does. Not a bit of retail's.
	Placed TransientBits = 0x100000
	// AtWalls: the body collides with the environment, and that has been reported
	// (spec 11 §8). Not a bit of retail's.
	AtWalls TransientBits = 0x80000
)
