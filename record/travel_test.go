package record

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// travelDir names a folder that is brought from one machine to another.
const travelDir = "GAIT_TRAVEL"

// TestTravels: what one machine has recorded another takes up, whatever its byte
// order, and goes on as if it had recorded it itself. Each run of the test is a leg of
// the journey: it recovers what is there, holds it against a run that was never
// interrupted, and records on, with a snapshot on the way. Without a folder
// given all legs are of this machine.
func TestTravels(t *testing.T) {
	dir, legs := os.Getenv(travelDir), 1
	if dir == "" {
		dir, legs = filepath.Join(t.TempDir(), "journey"), 4
	}
	const n, ticks = 150, 45
	for range legs {
		load := newLoad(t, n)
		reference := load.engine(t)
		e, report, err := Recover(dir, load.options)
		var l *Log
		if errors.Is(err, os.ErrNotExist) {
			e = newLoad(t, n).engine(t)
			l, err = Create(dir, e, Options{HashEvery: 3})
		} else if err == nil {
			l, err = Resume(dir, e, report, Options{HashEvery: 3})
		}
		if err != nil {
			t.Fatal(err)
		}
		came := e.Now()
		for range came + ticks - warm {
			load.feed(t, reference)
			reference.Tick()
			if reference.Now() <= came {
				continue
			}
			load.at-- // the same again
			load.feed(t, e)
			e.Tick()
			if err := l.Commit(); err != nil {
				t.Fatal(err)
			}
			if a, b := e.Hash(), reference.Hash(); a != b {
				t.Fatalf("tick %d, having come on tick %d: %016x and %016x", e.Now(), came, a, b)
			}
			if err := e.Check(); err != nil {
				t.Fatal(err)
			}
			if reference.Now() == came+ticks/2 {
				if err := l.Snapshot(); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		t.Logf("on %s from tick %d, with a snapshot after commit %d, to tick %d; %d states were those that came with it",
			runtime.GOARCH, came, report.Snapshot, e.Now(), report.Hashes)
	}
}
