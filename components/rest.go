package components

// Rest is what a tick looks at first: whether the mover rests, and if not, what
// there is to heed besides the hot columns.
type Rest struct {
	// Since is the tick after which a resting mover was last advanced, 0 while it
	// is awake. A resting mover's sequence stands at that tick.
	Since uint32
	// Busy repeats what [Cold] says in full, so that a tick needs not look there.
	Busy Busy
	// Scale is how large the body is beside its setup; Busy says when that is not 1.
	Scale float32
}

// Busy are what a tick must heed and would not see in its columns.
type Busy uint32

const (
	// MovingTo: a move-to or turn-to is in progress (06).
	MovingTo Busy = 1 << iota
	// Stuck: a sticky target is set (13 §2).
	Stuck
	// Scaled: the scale is not 1 (11 §5.1).
	Scaled
	// Pends: something was put into the pending queues that no check for completed
	// motions has seen yet (R4.9 b). What waits for animations needs none.
	Pends
	// Waits: motions are pending (R4.3).
	Waits
	// Chases: the interpolation queue may hold a place, or have failed (12). As Pends.
	Chases
	// Targeting: there is a target manager, with or without target and voyeurs (13 §5).
	Targeting
	// Owned: the mover is published (15 §6, §7). It changes nothing about its update.
	Owned
	// Ramping: the scale is changing (11 §10).
	Ramping
	// Rooted: the setup has no path spheres, so that steps only turn the body (11 §5.6).
	Rooted
	// Unmanaged: it has no movement manager: without a motion table it gets one by its
	// first movement (R5.45), and until then is not active where it stands (11 §6).
	Unmanaged
)
