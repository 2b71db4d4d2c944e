package position

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

// Mover is what the rules of position see of one remote.
type Mover struct {
	components.Row
	Pools *components.Pools
	Host  Host
}

// Host is what position asks of the rest of the mover.
type Host interface {
	// HitGround is motion's answer to ON_WALKABLE false→true (spec 11 §7).
	HitGround()
	// LeaveGround is its answer to true→false.
	LeaveGround()
	// CancelMoveTo ends a move-to for a reason of 01; nothing without one.
	CancelMoveTo(code uint32)
	// Unstick lets go of a sticky target; nothing without one.
	Unstick()
	// MovingTo reports whether a move-to is in progress.
	MovingTo() bool
	// Place is SetPosition (spec 11 §9): a hard placement, true for OK. Without a
	// sweep it is [AcceptPlace].
	Place(p space.Position, flags PlaceFlags) bool
}

// NewBody returns a body's initial values (spec 11 §1, §2). Its player distance
// is "never yet"; where there is no viewer it must be 0, so that every position
// is near.
func NewBody() components.Body {
	return components.Body{
		State:          components.DefaultState,
		ContactNormal:  space.Vec3{0, 0, 1},
		Friction:       DefaultFriction,
		Elasticity:     DefaultElasticity,
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
func SetElasticity(b *components.Body, e float32) {
	switch {
	case !(e > 0):
		e = 0
	case e > MaxElasticity:
		e = MaxElasticity
	}
	b.Elasticity = e
}
