package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/gait-engine/gait/bench"
	"github.com/gait-engine/gait/replay"
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
	tallies := replay.Tallies{}
	tick := func() {
		e.Tick()
		for _, o := range e.Outcomes() {
			tallies.Count(&o)
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
			tallies.Count(&systems.Outcome{Guid: guid, Verdict: systems.Refused, Err: err})
			continue
		}
		tick()
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	fmt.Fprintf(stdout, "%d messages, %d ticks of 1/%.0f s, %d remotes, state %016x\n\n",
		messages, e.Now(), 1/e.Quantum(), e.Len(), e.Hash())
	return tallies.Write(stdout, e)
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
