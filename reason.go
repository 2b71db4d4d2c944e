package gait

import (
	"errors"

	"github.com/gait-engine/gait/ecs"
	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/wire"
)

// Reason is why an input was refused, as [Stats] counts it.
type Reason uint8

// The reasons. Those of messages are the kinds of package wire, in their order.
const (
	RefusedOther       Reason = iota // none of these
	RefusedShort                     // a message that ends inside a field
	RefusedLong                      // bytes are left over
	RefusedType                      // no layout belongs to its type
	RefusedNotFinite                 // a float is no number
	RefusedRotation                  // a quaternion is no rotation
	RefusedCell                      // a cell is none
	RefusedGuid                      // a guid is 0
	RefusedCount                     // a count promises other than there is
	RefusedCoordinates               // an origin far from its block
	RefusedOpcode                    // none of our messages
	RefusedContent                   // flags and content disagree
	RefusedLength                    // too short or too long for any message
	RefusedFlood                     // too many motions of the remote are pending
	RefusedUnknown                   // there is no such remote, or no player of one's own
	RefusedTaken                     // a spawn's guid is 0 or taken
	RefusedSpawn                     // a spawn with unknown tables, or what is no number or place
	RefusedCommand                   // a command with what is no number, place or rotation
	RefusedViewer                    // a viewer at no place
	RefusedFull                      // too much waits: [ErrFull]
	RefusedClosed                    // the engine is closed, or a replay

	// Reasons is how many there are.
	Reasons = int(iota)
)

var reasonNames = [Reasons]string{
	"other", "short", "long", "type", "not_finite", "rotation", "cell", "guid", "count", "coordinates", "opcode", "content",
	"length", "flood", "unknown", "taken", "spawn", "command", "viewer", "full", "closed",
}

// String returns the reason in a word, good as a label.
func (r Reason) String() string {
	if int(r) < Reasons {
		return reasonNames[r]
	}
	return "no reason"
}

// reasonErrors are the errors that have a reason of their own, besides wire's.
var reasonErrors = [...]struct {
	err    error
	reason Reason
}{
	{ErrFull, RefusedFull},
	{ErrClosed, RefusedClosed},
	{ErrReplay, RefusedClosed},
	{systems.ErrFlood, RefusedFlood},
	{systems.ErrUnknown, RefusedUnknown}, {systems.ErrNotPlayer, RefusedUnknown},
	{systems.ErrMessage, RefusedLength},
	{ecs.ErrGuid, RefusedTaken},
	{systems.ErrSpawn, RefusedSpawn},
	{systems.ErrCommand, RefusedCommand},
	{systems.ErrOptions, RefusedViewer},
}

// reasonOf finds the reason of an input's refusal.
func reasonOf(err error) Reason {
	if e, ok := errors.AsType[*wire.Error](err); ok {
		return Reason(e.Kind)
	}
	for _, r := range reasonErrors {
		if errors.Is(err, r.err) {
			return r.reason
		}
	}
	return RefusedOther
}
