package components

// Stamps are the nine sequence numbers of an object (spec 11 §11, 20 §5).
type Stamps struct{ Slot [9]uint16 }

// The slots of [Stamps].
const (
	StampPosition = iota
	StampMovement
	StampState
	StampVector
	StampTeleport
	StampServerControl
	StampForcePosition
	StampAppearance
	StampInstance
)

// Rest says since when a mover rests: the tick after which it was last
// advanced, 0 while it is awake. A resting mover's sequence stands at that tick.
type Rest struct{ Since uint32 }
