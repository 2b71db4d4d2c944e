package scenario

import (
	"bufio"
	"fmt"
	"io"

	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/systems"
)

// Options say how to run; none of them has an effect on the trace.
type Options struct {
	Workers      int  // 0 is 1
	ChunkRows    int  // 0 is the engine's own
	AlwaysUpdate bool // update remotes at rest too
	// AfterTick is called after every tick, for the hash or a check; an error ends the run.
	AfterTick func(e *systems.Engine) error
}

// Run runs s and writes its trace to w, unless w is nil. The entities are there
// from tick 1 on; the events of a tick are applied in it, in their order.
//
// A command that the engine refuses is an error, and a message that asks for
// what is not built; a message that it refuses, or that comes too late, is what
// wire events are there to show, and is not.
func Run(s *Scenario, tables *dat.Tables, o Options, w io.Writer) error {
	land, err := s.land(tables)
	if err != nil {
		return fmt.Errorf("scenario %q: %w", s.Name, err)
	}
	e, err := systems.New(systems.Options{
		Tables: tables, Land: land, TicksPerSecond: s.TickHz, Workers: o.Workers, ChunkRows: o.ChunkRows,
		Capacity: len(s.Entities), Viewer: s.Viewer, AlwaysUpdate: o.AlwaysUpdate,
	})
	if err != nil {
		return fmt.Errorf("scenario %q: %w", s.Name, err)
	}
	for i := range s.Entities {
		if err := e.Spawn(s.Entities[i]); err != nil {
			return fmt.Errorf("scenario %q: entity %d: %w", s.Name, i, err)
		}
	}
	var t *tracer
	if w != nil {
		t = &tracer{e: e, swept: land != nil, out: bufio.NewWriterSize(w, 1<<16)}
	}
	events := s.Events
	for tick := 1; tick <= s.Ticks; tick++ {
		n := 0
		for n < len(events) && events[n].Tick == tick {
			n++
		}
		if err := step(e, events[:n]); err != nil {
			return fmt.Errorf("scenario %q: %w", s.Name, err)
		}
		events = events[n:]
		if t != nil {
			for i := range s.Entities {
				if err := t.line(s.Entities[i].Guid); err != nil {
					return fmt.Errorf("scenario %q: tick %d: %w", s.Name, tick, err)
				}
			}
		}
		if o.AfterTick != nil {
			if err := o.AfterTick(e); err != nil {
				return err
			}
		}
	}
	if t != nil {
		return t.out.Flush()
	}
	return nil
}

// step gives the events of one tick to the engine and lets it tick.
func step(e *systems.Engine, events []Event) error {
	for i := range events {
		ev := &events[i]
		var err error
		if ev.Message != nil {
			err = e.Inbound(ev.Message)
		} else {
			err = e.Command(ev.Command)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", ev.where(), err)
		}
	}
	e.Tick()
	for _, out := range e.Outcomes() {
		switch {
		case out.Verdict == systems.Refused && out.Opcode == 0: // a command
			return fmt.Errorf("tick %d: command for 0x%08X: %w", e.Now(), out.Guid, out.Err)
		}
	}
	return nil
}
