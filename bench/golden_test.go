package bench

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gait-engine/gait/systems"
)

var update = flag.Bool("update", false, "rewrite golden files")

// finalHash runs a load and returns the hash of the state in which it ends.
func finalHash(t *testing.T, load Load, n, ticks int, o systems.Options) string {
	t.Helper()
	s, err := NewStream(load, n, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	o.Tables = tables(t)
	e, err := Spawned(s, o)
	if err != nil {
		t.Fatal(err)
	}
	var w Window
	if err := s.Fill(&w, ticks, nil); err != nil {
		t.Fatal(err)
	}
	for i := range ticks {
		bytes, sizes := w.Messages(i)
		if err := Feed(e, bytes, sizes); err != nil {
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
	golden := filepath.Join("..", "testdata", "golden", fmt.Sprintf("%s-%d-%d.txt", load, n, ticks))
	if *update {
		hash := finalHash(t, load, n, ticks, systems.Options{})
		if err := os.WriteFile(golden, []byte(hash+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.TrimSpace(string(b))
	type variant struct {
		workers, chunk int
		always         bool
	}
	variants := []variant{{1, 0, false}, {1, 64, false}, {2, 64, false}, {3, 1024, false}, {8, 64, false}, {8, 1024, false}, {2, 1024, true}}
	if runtime.GOARCH != "amd64" {
		variants = variants[:1] // under emulation one is what there is time for
	}
	for _, v := range variants {
		got := finalHash(t, load, n, ticks, systems.Options{Workers: v.workers, ChunkRows: v.chunk, AlwaysUpdate: v.always})
		if got != want {
			t.Errorf("%+v: %s, want %s", v, got, want)
		}
	}
}
