package position

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

// Mover is what the rules of position see of one remote.
type Mover struct {
	*components.Row
	Pools *components.Pools
	Host  Host
}

// Host is what position asks of the rest of the mover.
type Host interface {
	// HitGround is motion's answer to ON_WALKABLE false→true (spec 11 §7).
	HitGround()
	// LeaveGround is its answer to true→false.
	LeaveGround()
	// GroundChanges reports that CONTACT, ON_WALKABLE or both become other than
	// they were, before anything that follows from it (15 §4).
	GroundChanges(was, is components.TransientBits)
	// ActivityChanges reports an edge of ACTIVE (15 §4).
	ActivityChanges(on bool)
	// StickBegan and StickEnded report that the mover has stuck to an object, and
	// that it has let go of it (13 §2).
	StickBegan(id uint32)
	StickEnded(id uint32)
	// CancelMoveTo ends a move-to for a reason of 01; nothing without one.
	CancelMoveTo(code uint32)
	// MovingTo reports whether a move-to is in progress.
	MovingTo() bool
	// Place is SetPosition (spec 11 §9): a hard placement, true for OK. Without a
	// sweep it is [AcceptPlace].
	Place(p space.Position, flags PlaceFlags) bool

	// Met and Parted report that the mover has run into another, 0 for something
	// fixed, and that it got clear of it (11 §8).
	Met(other uint32)
	Parted(other uint32)
	// MetBy reports to another that the mover has run into it.
	MetBy(other uint32)
	// StateOf is the state word of a body that was run into; false when it is gone.
	StateOf(other uint32) (components.StateBits, bool)
	// Stepping reports whether the mover is in a step, not being told something.
	Stepping() bool

	// Now is the simulated clock in seconds, and WallNow the wall clock: one and the
	// same in a fixed tick (11 §4.2).
	Now() float64
	WallNow() float64
	// Resolve is how another object stands, as far as the caller may read it now;
	// false when it is not in the world.
	Resolve(id uint32) (Other, bool)
	// Subscribe makes the mover a voyeur of an object (13 §5 add_voyeur; see
	// [AddVoyeur]). When that is known and the mover is new to it, its OK update,
	// [Answer], comes back through [Mover.ReceiveUpdate] before Subscribe returns.
	Subscribe(id uint32, radius, quantum float32)
	// Unsubscribe undoes that ([RemoveVoyeur]); nothing when the object is not known.
	Unsubscribe(id uint32)
	// Tell sends an update to a voyeur of the mover's, at once: its
	// [Mover.ReceiveUpdate]. Nothing when that one is not in the world.
	Tell(to uint32, info components.Target)
	// HandleTarget is the move-to driver's answer to news of the target (R6.20),
	// which it gets before sticky does. It may call back into the mover.
	HandleTarget(info components.Target)
}

// NewBody returns a body's initial values (spec 11 §1, §2). Its player distance
// is "never yet"; where there is no viewer it must be 0, so that every position
// is near.
func NewBody() components.Body {
	return components.Body{
		State:          components.DefaultState,
		ContactNormal:  space.Vec3{0, 0, 1},
		Friction:       DefaultFriction,
		PlayerDistance: neverSeen,
	}
}

// NewChase returns an empty chase.
func NewChase() components.Chase { return components.Chase{OriginalDistance: NoDistance} }

// SetFriction takes f as friction when it lies in [0,1] (spec 11 §1).
func SetFriction(b *components.Body, f float32) {
	if f >= 0 && f <= 1 {
		b.Friction = f
	}
}

// SetElasticity takes e, clamped to [0, 0.1], as elasticity (spec 11 §1).
func SetElasticity(t *components.Traits, e float32) {
	switch {
	case !(e > 0):
		e = 0
	case e > MaxElasticity:
		e = MaxElasticity
	}
	t.Elasticity = e
}
