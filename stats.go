package gait

import (
	"fmt"
	"log/slog"
	"time"

	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/systems/collision"
)

// Stats are counters since the engine was made, and a few facts after its last
// tick. They are for operations: nothing depends on them, and no snapshot has them.
type Stats struct {
	Tick    uint64 // number of the last
	Remotes int
	Unknown int // of those, made of [Options.Unknown]

	// Inputs that were taken for a tick, by kind, and those that wait for the next.
	Messages, Actions, Commands, Spawns, Removals uint64
	Waiting, WaitingBytes                         int

	// What became of messages, actions and commands, by [systems.Verdict].
	Applied, Parked, Stale, Ignored uint64
	// Refused counts inputs of all kinds by [Reason], at once or in their tick.
	Refused [Reasons]uint64

	Decoded, Pads, Trailing uint64 // as [wire.Counts]
	ParkedNow               int    // messages that wait for their remote
	ParkedDropped           uint64 // for lack of room
	ParkedExpired           uint64 // for age
	UnknownRefused          uint64 // first sights beyond [Options.MaxUnknown]
	LandErrors              uint64 // blocks of land that could not be read, and are as if they were not there ([collision.Land.Errors])

	Events        uint64
	Outbound      uint64 // messages to send
	OutboundBytes uint64
	OutboundFails uint64 // that could not be written

	// Times, by [Options.Stopwatch]; zero without. Of stages that workers share a
	// time is the sum over workers ([systems.Stage]).
	Stages [systems.Stages]time.Duration
	Ticks  time.Duration // in all
	Last   time.Duration // the last tick, the recording's commit included
	Record time.Duration // of Ticks: writing to the recording
}

// RefusedAll is how many inputs were refused.
func (s *Stats) RefusedAll() (n uint64) {
	for _, r := range s.Refused {
		n += r
	}
	return n
}

// Stats returns the counters as of the end of the last tick, and those of inputs as
// of now. Any goroutine may call it.
func (e *Engine) Stats() Stats {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.stats
	s.Messages, s.Actions, s.Commands = e.taken[inMessage], e.taken[inAction], e.taken[inCommand]
	s.Spawns, s.Removals = e.taken[inSpawn], e.taken[inRemove]
	for r, n := range e.refused {
		s.Refused[r] += n
	}
	s.Waiting, s.WaitingBytes = len(e.waiting.inputs), e.waiting.size
	return s
}

// hex is how ids are written everywhere else.
func hex(id uint32) string { return fmt.Sprintf("0x%08X", id) }

// tally adds what a tick told to the counters, and logs what was refused.
func (e *Engine) tally(s *Stats) {
	b := e.engine
	s.Tick, s.Remotes = b.Now(), b.Len()
	s.Unknown, s.UnknownRefused = b.UnknownCount()
	debug := e.options.Log.Enabled(e.ctx, slog.LevelDebug)
	outcomes := e.outcomes()
	for i := range outcomes {
		o := &outcomes[i]
		switch o.Verdict {
		case systems.Applied:
			s.Applied++
		case systems.Parked:
			s.Parked++
		case systems.Stale:
			s.Stale++
		case systems.Ignored:
			s.Ignored++
		default:
			s.Refused[reasonOf(o.Err)]++
			if debug {
				e.options.Log.Debug("refused", "tick", s.Tick, "guid", hex(o.Guid), "opcode", hex(o.Opcode), "err", o.Err)
			}
		}
	}
	if land := e.options.Land; land != nil {
		if failed := land.Failed(); failed != s.LandErrors {
			for _, err := range land.Errors()[min(s.LandErrors, collision.MaxLandErrors):] {
				e.options.Log.Error("land cannot be read: who stands there is in no cell", "tick", s.Tick, "err", err)
			}
			s.LandErrors = failed
		}
	}
	c := b.Counts()
	s.Decoded, s.Pads, s.Trailing = c.Decoded, c.Pads, c.Trailing
	s.ParkedNow, s.ParkedDropped, s.ParkedExpired = b.ParkedCount()
	s.Events += uint64(len(b.Events()))
	for _, out := range b.Outbound() {
		if out.Err != nil {
			s.OutboundFails++
			continue
		}
		s.Outbound++
		s.OutboundBytes += uint64(len(out.Message))
	}
	if e.options.Stopwatch != nil {
		cost := b.Cost()
		for i, ns := range cost.Ns {
			s.Stages[i] += time.Duration(ns)
		}
	}
}
