package bench

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/systems"
)

var update = flag.Bool("update", false, "rewrite golden files")

var goldenDir = filepath.Join("..", "testdata", "golden")

// holdGolden holds the hash that engines end in, each built in its way, against a golden file.
func holdGolden(t *testing.T, name string, ways []systems.Options, hash func(o systems.Options) string) {
	t.Helper()
	golden := filepath.Join(goldenDir, name)
	if *update {
		if err := os.WriteFile(golden, []byte(hash(ways[0])+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOARCH != "amd64" {
		ways = ways[:1] // under emulation one is what there is time for
	}
	for _, o := range ways {
		if got, want := hash(o), strings.TrimSpace(string(b)); got != want {
			t.Errorf("%d workers, chunks of %d rows, always updated %v: %s, want %s", o.Workers, o.ChunkRows, o.AlwaysUpdate, got, want)
		}
	}
}

// loadOn makes a load on a ground, and the tables that go with it.
func loadOn(t testing.TB, sweep string, load Load, n int, seed uint64) (*Stream, *dat.Tables) {
	t.Helper()
	tables, ground, err := LoadGround(GroundOptions{Sweep: sweep})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := ground.Close(); err != nil {
			t.Error(err)
		}
	})
	s, err := NewStreamOn(ground, load, n, seed, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s, tables
}

// finalHash runs a load, as it is or with what faults make of it, and returns the hash
// of the state in which it ends.
func finalHash(t *testing.T, sweep string, load Load, n, ticks int, faults bool, o systems.Options) string {
	t.Helper()
	s, tables := loadOn(t, sweep, load, n, 1)
	o.Tables = tables
	e, err := Spawned(s, o)
	if err != nil {
		t.Fatal(err)
	}
	feed := Feed
	if faults {
		feed = NewFaults(1).Feed
	}
	w := fill(t, s, ticks)
	for i := range ticks {
		b, sizes := w.Messages(i)
		if err := feed(e, b, sizes); err != nil {
			t.Fatal(err)
		}
		e.Tick()
	}
	return fmt.Sprintf("%016x", e.Hash())
}

// TestGoldenRun: a default run ends in one state, on every machine, for every
// number of workers, chunk size and way to build the engine.
func TestGoldenRun(t *testing.T) { goldenRun(t, Mixed) }

// TestGoldenBusyRun: so does one in which remotes follow, stick, jump and act.
func TestGoldenBusyRun(t *testing.T) { goldenRun(t, Busy) }

func goldenRun(t *testing.T, load Load) {
	n, ticks := 10_000, 600
	if testing.Short() {
		n = 1000
	}
	ways := []systems.Options{
		{Workers: 1}, {Workers: 1, ChunkRows: 64}, {Workers: 2, ChunkRows: 64}, {Workers: 3, ChunkRows: 1024},
		{Workers: 8, ChunkRows: 64}, {Workers: 8, ChunkRows: 1024}, {Workers: 2, ChunkRows: 1024, AlwaysUpdate: true},
	}
	if testing.Short() {
		ways = ways[4:5] // the one that has the most to share
	}
	holdGolden(t, fmt.Sprintf("%s-%d-%d.txt", load, n, ticks), ways, func(o systems.Options) string {
		return finalHash(t, SweepNone, load, n, ticks, false, o)
	})
}

// TestGoldenLoads: every load, and what faults make of one, ends in one state, on
// every machine and however the engine is built. Mixed and busy have longer runs of
// their own.
func TestGoldenLoads(t *testing.T) {
	const n, ticks = 300, 240
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
			ways := []systems.Options{{}, {Workers: 8, ChunkRows: 16, AlwaysUpdate: true}, {Workers: 2, ChunkRows: 64}}
			if testing.Short() {
				ways = ways[2:]
			}
			holdGolden(t, fmt.Sprintf("%s-%d-%d.txt", c.name, n, ticks), ways, func(o systems.Options) string {
				return finalHash(t, c.sweep, c.load, n, ticks, c.faults, o)
			})
		})
	}
}

// TestGoldenLandRun: a run on the embedded land ends in one state, on every
// machine and for every number of workers.
func TestGoldenLandRun(t *testing.T) {
	tables, g := island(t)
	holdGolden(t, "land-1000-300.txt", []systems.Options{{Workers: 1}, {Workers: 3}}, func(o systems.Options) string {
		r, err := Run(Config{Tables: tables, Ground: g, Load: Mixed, Remotes: 1000, Ticks: 300, Workers: o.Workers, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		return r.Hash
	})
}

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
