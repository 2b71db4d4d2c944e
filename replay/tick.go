package replay

import (
	"math"

	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems"
)

// pendingSample is a position of the tick in hand: whether it counts shows when it
// has been applied.
type pendingSample struct {
	sample sample
	worst  Worst
	guid   uint32
	opcode uint32
	fate   Fate
	told   bool
	place  space.Position
	stamp  uint16
	at     int64
}

// advance runs ticks up to a number.
func (v *View) advance(to int64) {
	for v.tick < to {
		if v.tick >= MaxTicks {
			v.Seen.Cut = true
			return
		}
		v.step()
	}
}

// step runs one tick and looks at what came of it.
func (v *View) step() {
	v.tick++
	v.Seen.Ticks++
	v.engine.Tick()
	v.Seen.Replayed += uint64(len(v.engine.Outcomes()) - v.waiting) // each message has an outcome, and a parked one another
	v.queued, v.waiting = 0, 0
	for i := range v.engine.Outcomes() {
		o := &v.engine.Outcomes()[i]
		v.outcome(o)
		if r := v.remotes[o.Guid]; r != nil && r.pending > 0 && r.pendingAt == v.tick {
			if s := &v.pending[r.pending-1]; s.opcode == o.Opcode && !s.told {
				s.told = true
				s.judge(o.Verdict)
			}
		}
	}
	v.follow()
	v.conclude()
	v.Seen.Largest = max(v.Seen.Largest, v.engine.Len())
	if v.tick%int64(math.Ceil(v.hz)) == 0 {
		v.fade()
	}
	if v.options.AfterTick != nil {
		v.options.AfterTick(v)
	}
}

// judge corrects what was thought of a position by what became of it.
func (s *pendingSample) judge(v systems.Verdict) {
	switch {
	case v == systems.Parked:
		s.fate = NotKnown
	case v == systems.Refused:
		s.fate = Broken
	case v == systems.Stale && s.fate == Measured:
		s.fate = Stale
	case v == systems.Ignored && s.fate == Measured:
		s.fate = NoContact
	}
}

// follow counts who came and went.
func (v *View) follow() {
	clear(v.left)
	events := v.engine.Events()
	for i := range events {
		if events[i].Kind == systems.Left {
			v.left[events[i].Guid] = struct{}{}
			if r := v.remotes[events[i].Guid]; r != nil && r.fading {
				r.fading = false
				v.Seen.Faded++
			} else {
				v.Seen.Deleted++
			}
		}
	}
	for i := range events {
		ev := &events[i]
		switch ev.Kind {
		case systems.Entered:
			if _, rebuilt := v.left[ev.Guid]; rebuilt {
				v.Seen.Rebuilt++
				v.Seen.Deleted--
				delete(v.left, ev.Guid)
			} else {
				v.Seen.Created++
			}
			v.refate(ev.Guid, JustCreated)
		case systems.Teleported:
			v.refate(ev.Guid, Teleported)
		}
	}
	for guid := range v.left { // each by itself
		if r := v.remotes[guid]; r != nil {
			r.known, r.created, r.away = false, 0, 0
		}
	}
}

// refate takes a position of this tick out of what is measured.
func (v *View) refate(guid uint32, f Fate) {
	if r := v.remotes[guid]; r != nil && r.pending > 0 && r.pendingAt == v.tick {
		if s := &v.pending[r.pending-1]; s.fate == Measured {
			s.fate = f
		}
	}
}

// conclude takes the samples of the tick.
func (v *View) conclude() {
	for i := range v.pending {
		s := &v.pending[i]
		v.samples.fates[s.fate]++
		r := v.remotes[s.guid]
		r.pending = 0
		switch s.fate {
		case Measured:
			v.samples.add(&s.sample, &s.worst)
		case Stale, NotKnown, Broken:
			continue // no position of its
		}
		if _, gone := v.left[s.guid]; !gone {
			r.last, r.known, r.at, r.placed = s.place, true, s.at, v.tick
			if v.options.placed != nil {
				v.options.placed(s.guid, s.at, &s.place)
			}
		}
	}
	v.pending = v.pending[:0]
}
