package bench

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gait-engine/gait/systems"
)

// TestGoldenLoads: every load, and what faults make of one, ends in one state, on
// every machine and however the engine is built. Mixed and busy have longer runs of
// their own.
func TestGoldenLoads(t *testing.T) {
	for _, c := range []struct {
		name   string
		load   Load
		sweep  string
		faults bool
	}{
		{"idle", Idle, SweepNone, false}, {"dense", Dense, SweepNone, false}, {"storm", Storm, SweepNone, false},
		{"dense-flat", Dense, SweepFlat, false}, {"busy-flat", Busy, SweepFlat, false},
		{"faults", Busy, SweepNone, true}, {"faults-flat", Busy, SweepFlat, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			const n, ticks = 300, 240
			hash := func(o systems.Options) string {
				tables, ground, err := LoadGround(GroundOptions{Sweep: c.sweep})
				if err != nil {
					t.Fatal(err)
				}
				defer ground.Close()
				s, err := NewStreamOn(ground, c.load, n, 1, nil)
				if err != nil {
					t.Fatal(err)
				}
				if o.Tables = tables; ground != nil {
					o.Land = ground.Land
				}
				e, err := Spawned(s, o)
				if err != nil {
					t.Fatal(err)
				}
				feed := Feed
				if c.faults {
					feed = NewFaults(1).Feed
				}
				var w Window
				if err := s.Fill(&w, ticks, nil); err != nil {
					t.Fatal(err)
				}
				for i := range ticks {
					b, sizes := w.Messages(i)
					if err := feed(e, b, sizes); err != nil {
						t.Fatal(err)
					}
					e.Tick()
				}
				return fmt.Sprintf("%016x", e.Hash())
			}
			golden := filepath.Join(goldenDir, fmt.Sprintf("%s-%d-%d.txt", c.name, n, ticks))
			if *update {
				if err := os.WriteFile(golden, []byte(hash(systems.Options{})+"\n"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			b, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			variants := []systems.Options{{}, {Workers: 2, ChunkRows: 64}, {Workers: 8, ChunkRows: 16, AlwaysUpdate: true}}
			if runtime.GOARCH != "amd64" {
				variants = variants[:1] // under emulation one is what there is time for
			}
			for _, o := range variants {
				if got, want := hash(o), strings.TrimSpace(string(b)); got != want {
					t.Errorf("%d workers: %s, want %s", o.Workers, got, want)
				}
			}
		})
	}
}

var goldenDir = filepath.Join("..", "testdata", "golden")

// TestChangedGoldenHashIsAccountedFor: who changes a golden file says in CHANGES.md
// which rule moved it, in a line with the file's name and the first eight digits of
// its SHA-256.
func TestChangedGoldenHashIsAccountedFor(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("..", "CHANGES.md"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(goldenDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		content, err := os.ReadFile(filepath.Join(goldenDir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		line := fmt.Sprintf("`%s` %x", f.Name(), sha256.Sum256(content))[:len(f.Name())+3+8]
		if !strings.Contains(string(b), line) {
			t.Errorf("CHANGES.md has no line with %s", line)
		}
	}
}
