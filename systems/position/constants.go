package position

import (
	"math"

	"github.com/gait-engine/gait/components"
)

// Free bodies (spec 11 §1).
const (
	Gravity            float32 = -9.8   // m/s², along z
	MaxVelocity        float32 = 50     // m/s
	MaxVelocity2       float32 = 2500   // m²/s²
	SmallVelocity2     float32 = 0.0625 // m²/s², of 0.25 m/s: what is slower is stopped
	FrictionFreeSpeed  float32 = 0.25   // m/s off the ground and faster: no friction (spec 11 §6)
	DefaultFriction    float32 = 0.95
	DefaultElasticity  float32 = 0.05
	MaxElasticity      float32 = 0.1
	ActiveDistance     float32 = 96         // m from the viewer, beyond which bodies are not active
	SledSlowSpeed2     float32 = 1.5625     // m²/s²: a slower sled stops
	SledFastSpeed2     float32 = 6.25       // m²/s²: a faster one slides on a slope
	SledSlopeZ         float32 = 0.98480775 // cos 10°
	SledFriction       float32 = 0.2
	transientMask              = components.TransientBits(0xFFFFFE0B) // what clear_transient_states keeps (spec 11 §2)
	neverSeen          float32 = math.MaxFloat32                      // FLT_MAX
	collidingStateBits         = components.ReportCollisions | components.IgnoreCollisions
	sideEffectBits             = components.LightingOn | components.NoDraw | components.Hidden
)

// Clocks, in seconds (spec 11 §1, §4).
const (
	MinQuantum  = 1.0 / 30
	MaxQuantum  = 0.2
	HugeQuantum = 2.0
	MinStep     = 0.0002
)

// The chase (spec 12 §2).
const (
	BlipDistanceOutdoors float32 = 100    // m, a remote body's
	BlipDistanceIndoors  float32 = 20     // m
	FarDistance          float32 = 96     // m from the viewer, at and beyond which positions are set hard
	QueueCapacity                = 20     // nodes
	CloseDistance        float32 = 0.05   // m, "desired distance"
	StallDistance        float32 = 0.2    // m, in which a stalled body counts as arrived
	SpeedFactor          float32 = 2      // × the adjusted max speed
	FallbackSpeed        float32 = 7.5    // m/s, for who has next to none
	ProgressWindow               = 5      // calls
	ProgressRatio        float32 = 0.3    // of full speed
	FailLimit                    = 3      // more failed windows than this: blip
	NoDistance           float32 = 999999 // m, "LARGE": no window has begun
)

// The leash (spec 12 §2, 13 §4), in metres.
const (
	LeashStartOutdoors float32 = 10
	LeashStartIndoors  float32 = 5
	LeashMaxOutdoors   float32 = 50
	LeashMaxIndoors    float32 = 20
	FullyConstrained   float32 = 0.9 // × max
)

// Sticky (spec 13 §2).
const (
	StickyTimeout               = 1.0 // s that a stick lasts at most
	StickyDistance      float32 = 0.3 // m that are left between the two
	StickySpeedFactor   float32 = 5   // × the max speed
	StickyFallbackSpeed float32 = 15  // m/s, for who has next to none
	StickyTargetRadius  float32 = 0.5 // m, what a stick subscribes with
	StickyTargetQuantum float32 = 0.5 // s
)

// Targets (spec 13 §5), in seconds.
const (
	TargetInterval = 0.5  // between two looks at the voyeurs
	TargetTimeout  = 10.0 // in which a target must answer
)

// What a move-to is cancelled with.
const (
	CancelUnstick  uint32 = 0x36 // a stick is let go of (spec 13 §2)
	CancelTeleport uint32 = 0x3C // a teleport (spec 11 §9)
)

// PlaceFlags say how SetPosition goes about it (spec 11 §9).
type PlaceFlags uint32

const (
	PlacePlacement       PlaceFlags = 0x1
	PlaceTeleport        PlaceFlags = 0x2
	PlaceRestore         PlaceFlags = 0x4
	PlaceSlide           PlaceFlags = 0x10
	PlaceDontCreateCells PlaceFlags = 0x20
	PlaceScatter         PlaceFlags = 0x100
	PlaceRandomScatter   PlaceFlags = 0x200
	PlaceLine            PlaceFlags = 0x400
	PlaceSendEvent       PlaceFlags = 0x1000
	// PlaceHard is what blips, far positions and teleports are set with: 0x1012.
	PlaceHard = PlaceSendEvent | PlaceSlide | PlaceTeleport
)
