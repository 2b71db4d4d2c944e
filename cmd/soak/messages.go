package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/gait-engine/gait/bench"
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/wire"
)

// Recordings are JSON lines; of each line these fields are read.
type recorded struct {
	T   float64 `json:"t"` // s in its recording
	Hex string  `json:"hex"`
}

const (
	maxRecordedLine = 4 << 20 // bytes
	maxGapSeconds   = 60      // a longer silence, or a step back, is another recording: no time passes
)

// tally is what became of one guid's messages.
type tally struct {
	verdicts [systems.Refused + 1]int
	reasons  []string // of refusals, each once
}

// runMessages plays a recording: each message at its time, remotes made by
// create messages and otherwise on first sight. It writes a table of what
// became of the messages, a line a guid.
func runMessages(file, tables, container string, workers, chunk int, stdout io.Writer) error {
	t, err := bench.LoadTables(tables, container)
	if err != nil {
		return err
	}
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	unknown := systems.NewSpawn(0, space.Position{Cell: 0xA9B40001, Frame: space.Identity})
	if len(t.Motions) > 0 {
		unknown.MotionTable = t.Motions[0].ID
	}
	if len(t.Setups) > 0 {
		unknown.Setup = t.Setups[0].ID
	}
	e, err := systems.New(systems.Options{Tables: t, Workers: workers, ChunkRows: chunk, Unknown: &unknown})
	if err != nil {
		return err
	}
	tallies := map[uint32]*tally{}
	tick := func() {
		e.Tick()
		for _, o := range e.Outcomes() {
			count(tallies, &o)
		}
	}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxRecordedLine)
	last, messages := 0.0, 0
	for n := 1; lines.Scan(); n++ {
		at, msg, err := recordedLine(lines.Bytes())
		if err != nil {
			return fmt.Errorf("%s:%d: %w", file, n, err)
		}
		if msg == nil {
			continue
		}
		if gap := at - last; n > 1 && gap > 0 && gap <= maxGapSeconds {
			for range int(gap / float64(e.Quantum())) {
				tick()
			}
		}
		last = at
		messages++
		if err := e.Inbound(msg); err != nil {
			guid, _ := wire.Guid(msg)
			count(tallies, &systems.Outcome{Guid: guid, Verdict: systems.Refused, Err: err})
			continue
		}
		tick()
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	fmt.Fprintf(stdout, "%d messages, %d ticks of 1/%.0f s, %d remotes, state %016x\n\n",
		messages, e.Now(), 1/e.Quantum(), e.Len(), e.Hash())
	return printTallies(stdout, tallies, e)
}

// recordedLine reads a line of a recording: when, and what. An empty line is no message.
func recordedLine(line []byte) (at float64, msg []byte, err error) {
	if len(line) == 0 {
		return 0, nil, nil
	}
	var m recorded
	if err := json.Unmarshal(line, &m); err != nil {
		return 0, nil, err
	}
	if m.Hex == "" {
		return 0, nil, errors.New("no message in hex")
	}
	if msg, err = hex.DecodeString(m.Hex); err != nil {
		return 0, nil, err
	}
	return m.T, msg, nil
}

func count(tallies map[uint32]*tally, o *systems.Outcome) {
	t := tallies[o.Guid]
	if t == nil {
		t = &tally{}
		tallies[o.Guid] = t
	}
	t.verdicts[o.Verdict]++
	if o.Err != nil {
		reason := o.Err.Error()
		var kind wire.Kind
		if errors.As(o.Err, &kind) {
			reason = kind.Error()
		}
		if !slices.Contains(t.reasons, reason) {
			t.reasons = append(t.reasons, reason)
		}
	}
}

// printTallies writes a line a guid, in guid order; what names no guid comes first, as "-".
func printTallies(stdout io.Writer, tallies map[uint32]*tally, e *systems.Engine) error {
	guids := make([]uint32, 0, len(tallies))
	for guid := range tallies {
		guids = append(guids, guid)
	}
	slices.Sort(guids)
	w := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "guid\t")
	for v := systems.Applied; v <= systems.Refused; v++ {
		fmt.Fprintf(w, "%s\t", v)
	}
	fmt.Fprintln(w, "  stands in / refused for")
	for _, guid := range guids {
		t := tallies[guid]
		name := "-"
		if guid != 0 {
			name = fmt.Sprintf("0x%08X", guid)
		}
		fmt.Fprintf(w, "%s\t", name)
		for v := systems.Applied; v <= systems.Refused; v++ {
			fmt.Fprintf(w, "%d\t", t.verdicts[v])
		}
		e.Inspect(guid, func(r *components.Row, _ *components.Pools) {
			o := r.Pose.Frame.Origin
			fmt.Fprintf(w, "  0x%08X (%.2f, %.2f, %.2f)", uint32(r.Pose.Cell), o[0], o[1], o[2])
		})
		for _, reason := range t.reasons {
			fmt.Fprintf(w, "  %s", reason)
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}
