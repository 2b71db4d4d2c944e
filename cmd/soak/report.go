package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/wire"
)

// refused are how many messages an engine has refused, by reason.
func refused(e *systems.Engine) map[string]uint64 {
	by, counts := map[string]uint64{}, e.Counts()
	for _, k := range wire.Kinds() {
		if n := counts.Rejected(k); n > 0 {
			by[k.Error()] = n
		}
	}
	return by
}

// shows returns what shows progress: on a terminal one line that is written over,
// elsewhere a line now and then.
func shows(w io.Writer, terminal bool) func(progress) {
	last, every := time.Duration(0), 15*time.Second
	if terminal {
		every = time.Second / 4
	}
	return func(p progress) {
		if p.wall-last < every {
			return
		}
		last = p.wall
		restored, recovered := 0, 0
		for _, l := range p.lanes {
			if l.restores {
				restored += l.times
			}
			if l.recovers {
				recovered += l.times
			}
		}
		e := p.lanes[0].e
		line := ""
		if p.done > 0 {
			line = fmt.Sprintf("%3.0f%%  ", 100*min(p.done, 1))
		}
		line += fmt.Sprintf("tick %d, %v of the game, %.0f ticks/s, restored %d times, replayed %d times, all equal", p.ticks, game(float64(p.ticks)*float64(e.Quantum())), float64(p.ticks)/p.wall.Seconds(), restored, recovered)
		if terminal {
			fmt.Fprintf(w, "\r%s\x1b[K", line)
		} else {
			fmt.Fprintln(w, line)
		}
	}
}

// game rounds seconds for reading.
func game(seconds float64) time.Duration {
	return time.Duration(seconds * float64(time.Second)).Round(time.Second)
}

// writeJSON prints the result as one object.
func (r *result) writeJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(struct {
		Result string `json:"result"`
		*result
	}{r.verdict(), r})
}

func (r *result) verdict() string {
	if r.Failure != nil {
		return "FAIL"
	}
	return "PASS"
}

// writeTable prints the result for reading.
func (r *result) writeTable(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "\nengine\tworkers\tchunk\trest\tstate\t")
	for _, l := range r.lanes {
		rest := "on"
		if l.options.AlwaysUpdate {
			rest = "off"
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t%s\t%016x\t%s\n", l.name, l.options.Workers, l.options.ChunkRows, rest, l.hash, l.what())
	}
	fmt.Fprintf(t, "\n%d remotes, load %s, sweep %s, seed %d\t\n", r.Remotes, r.Load, r.Sweep, r.Seed)
	_ = t.Flush() // what cannot be shown is no reason to fail
	fmt.Fprintf(w, "%d ticks, %v of the game, in %v; %d inputs: %s\n",
		r.Ticks, game(r.GameSeconds), game(r.Seconds), r.Messages, tallies(r.Verdicts))
	if len(r.Faults) > 0 {
		fmt.Fprintf(w, "faults: %s\n", tallies(r.Faults))
	}
	if len(r.Refused) > 0 {
		fmt.Fprintf(w, "refused: %s\n", tallies(r.Refused))
	}
	fmt.Fprint(w, "memory: ")
	if r.HeapEarly > 0 {
		fmt.Fprintf(w, "%.1f MB after a tenth, ", float64(r.HeapEarly)/1e6)
	}
	fmt.Fprintf(w, "%.1f MB at the end\n", float64(r.HeapLate)/1e6)
	if r.Recording != "" {
		fmt.Fprintf(w, "recorded in %s\n", r.Recording)
	}
	f := r.Failure
	if f == nil {
		when := "every tick"
		if r.Every > 1 {
			when = fmt.Sprintf("every %d ticks", r.Every)
		}
		fmt.Fprintf(w, "\nPASS: every state was equal after %s, and every invariant held.\n", when)
		return
	}
	fmt.Fprintf(w, "\nFAIL at tick %d\n", f.Tick)
	switch {
	case f.Error != "":
		fmt.Fprintf(w, "  %s: %s\n", f.Engine, f.Error)
	case f.Guid == 0:
		fmt.Fprintf(w, "  %s\n  %s: %s\n  %s: %s\n", f.Column, f.Engine, f.Values[0], f.Against, f.Values[1])
	default:
		fmt.Fprintf(w, "  0x%08X %s\n  %s: %s\n  %s: %s\n", f.Guid, f.Column, f.Engine, f.Values[0], f.Against, f.Values[1])
	}
	fmt.Fprintf(w, "To see it again:\n  %s\n", f.Command)
}

// tallies lists numbers by name.
func tallies(m map[string]uint64) string {
	var s []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		s = append(s, fmt.Sprintf("%s %d", k, m[k]))
	}
	return strings.Join(s, ", ")
}
