package systems

import (
	"cmp"
	"slices"
	"unsafe"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

// EventKind says what happened to a remote.
type EventKind uint8

const (
	// MotionDone: a motion completed or was dropped (R4.7). Motion, Success.
	MotionDone EventKind = iota + 1
	// HookFired: an animation hook was executed, before the step was committed.
	// Anim, Frame, and Hook, the index into the tables' Hooks: its type, direction
	// and payload are e.Tables().Hook(e.Tables().Hooks[ev.Hook]), for e the engine.
	HookFired
	// Teleported: a newer teleport stamp set the remote hard (spec 12 §4). From, To.
	Teleported
	// Blipped: the chase gave up, or the event was too far from the viewer, and
	// the remote was set hard (spec 12 §4, §7). From, To.
	Blipped
	// CellChanged: the remote stands in another cell, 0 being none. From, To.
	CellChanged
	// Entered: the remote is new in this tick. To.
	Entered
	// Left: the remote is gone since this tick. From.
	Left
	// MoveToEnded: a move-to or turn-to ended. Motion is its movement type, Code 0
	// for arrived, else an error code (spec 01 §1.6, 06 §6.7).
	MoveToEnded
	// TargetTold: the remote heard of whom it targets. Other, Code is the
	// [components.TargetStatus], To (spec 13 §5).
	TargetTold
	// HitGround: the remote came to stand on walkable ground (spec 11 §7).
	HitGround
	// LeftGround: it stands no more.
	LeftGround
	// GroundChanged: the remote touches the ground, or can stand on it, or no more:
	// Was, Is. It comes before HitGround and LeftGround, whose cause it is.
	GroundChanged
	// StickBegan: the remote sticks to another. Other (spec 13 §2).
	StickBegan
	// StickEnded: it has let go. Other.
	StickEnded
	// Met: the remote ran into another, Other, which it was clear of before, or
	// Other ran into it; 0 is something fixed (spec 11 §8). Only who reports
	// collisions is told of.
	Met
	// Parted: it is clear of it again. Other, never 0.
	Parted
	// Activated: the remote has dynamics and managers from now on (spec 11 §3). A
	// newcomer that is in a cell and not STATIC has them without saying so.
	Activated
	// Deactivated: it has none: it is frozen, in no cell, or far from the viewer.
	Deactivated
)

var eventNames = [...]string{"none", "motion done", "hook fired", "teleported", "blipped", "cell changed", "entered", "left", "move-to ended", "target told",
	"hit ground", "left ground", "ground changed", "stick began", "stick ended", "met", "parted", "activated", "deactivated"}

// String returns what happened in words.
func (k EventKind) String() string {
	if int(k) < len(eventNames) {
		return eventNames[k]
	}
	return "unknown event"
}

// Ground is how a remote is to the ground.
type Ground uint8

const (
	Touches Ground = 1 << iota // it is in contact
	Stands                     // on ground that it can walk on
)

func groundOf(b components.TransientBits) Ground {
	return Ground(b & (components.Contact | components.OnWalkable)) // the same bits
}

// Place is a point in a cell.
type Place struct {
	Cell   space.CellID
	Origin space.Vec3
}

func placeOf(p *space.Position) Place { return Place{p.Cell, p.Frame.Origin} }

// Event is a notice about one remote; which fields mean something is said at its kind.
type Event struct {
	Guid     uint32
	Kind     EventKind
	Success  bool
	Was, Is  Ground
	Motion   uint32 // full command
	Anim     uint32 // animation id
	Frame    int32
	Hook     int32 // index into the tables' Hooks
	Other    uint32
	Code     uint32
	From, To Place
}

// BlockChanged reports whether a remote that changed cell is in another landblock
// now, or in none (spec 15 §4).
func (ev *Event) BlockChanged() bool {
	return ev.Kind == CellChanged && ev.From.Cell>>16 != ev.To.Cell>>16
}

// byGuid puts events into guid order; those of one remote keep their order.
// They mostly lie so already: chunks are walked in row order, and rows spawned
// in guid order stay so.
func byGuid(events []Event) {
	guid := func(a, b Event) int { return cmp.Compare(a.Guid, b.Guid) }
	if !slices.IsSortedFunc(events, guid) {
		slices.SortStableFunc(events, guid)
	}
}

// merge brings the events of a chunk up to end, those before mid from some passes over its
// rows and those from mid on from others, into row order. Rows ascend by guid.
func (w *worker) merge(at, mid, end int) {
	a, b := w.events[at:mid], w.events[mid:end]
	byGuid(a)
	byGuid(b)
	if len(a) == 0 || len(b) == 0 {
		return
	}
	w.merged = append(w.merged[:0], a...)
	a, out := w.merged, w.events[at:end]
	for i := range out {
		if len(a) == 0 {
			return // the rest of b lies where it belongs
		}
		if len(b) > 0 && b[0].Guid < a[0].Guid {
			out[i], b = b[0], b[1:]
		} else {
			out[i], a = a[0], a[1:]
		}
	}
}

// reuse empties a buffer and keeps its room, unless that is far more than the
// last tick needed: a bulk spawn's events, or a burst of messages, are not worth
// keeping room for.
func reuse[T any](buffer []T) []T {
	const always = 1 << 18 // bytes
	var one T
	if uintptr(cap(buffer))*unsafe.Sizeof(one) > always && len(buffer) < cap(buffer)/16 {
		return nil
	}
	return buffer[:0]
}

// room is the memory of a buffer in bytes.
func room[T any](buffer []T) uintptr {
	var one T
	return uintptr(cap(buffer)) * unsafe.Sizeof(one)
}
