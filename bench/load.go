package bench

import (
	"errors"
	"fmt"
)

// Load names a workload.
type Load string

// The loads.
const (
	Mixed Load = "mixed" // the reference load: stand, walk, run, turn
	Idle  Load = "idle"  // every remote stands: what rest costs
	Dense Load = "dense" // as mixed, but all remotes share 9 landblocks around one
	Storm Load = "storm" // a movement and a position event per remote and tick: the inbound path
	Busy  Load = "busy"  // as mixed, in pairs, with errands: move-tos, sticks, jumps, actions
)

// Loads lists them.
var Loads = []Load{Mixed, Idle, Dense, Storm, Busy}

// ErrConfig refuses a configuration.
var ErrConfig = errors.New("bench: bad configuration")

// ParseLoad returns the load of a name.
func ParseLoad(name string) (Load, error) {
	for _, l := range Loads {
		if name == string(l) {
			return l, nil
		}
	}
	return "", fmt.Errorf("%w: no load is named %q, only %v", ErrConfig, name, Loads)
}

// TicksPerSecond is the rate that every load is made for.
const TicksPerSecond = 30

// tickSeconds is the length of a tick.
const tickSeconds = 1.0 / TicksPerSecond

// perRemoteTick is about how many messages the load sends per remote and tick,
// for making room.
func (l Load) perRemoteTick() float64 {
	switch l {
	case Idle:
		return 0
	case Storm:
		return 2
	case Busy:
		return 1.5 / TicksPerSecond
	}
	return 1.25 / TicksPerSecond
}
