package components

// Rest is what a tick looks at first: whether the mover rests, and if not,
// which of the rarer managers have something to do.
type Rest struct {
	// Since is the tick after which a resting mover was last advanced, 0 while it
	// is awake. A resting mover's sequence stands at that tick.
	Since uint32
	// Busy repeats what [Errand] says in full, so that a tick needs not look there.
	Busy Busy
}

// Busy are the managers that are at work.
type Busy uint32

const (
	// MovingTo: a move-to or turn-to is in progress (06).
	MovingTo Busy = 1 << iota
	// Stuck: a sticky target is set (13 §2).
	Stuck
	// Targeting: there is a target manager, with or without target and voyeurs (13 §5).
	Targeting
)
