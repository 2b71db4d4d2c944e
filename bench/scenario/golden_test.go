package scenario

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/gait-engine/gait/systems"
)

var update = flag.Bool("update", false, "rewrite golden files")

// TestGoldenHashes: the state in which every scenario ends has one hash, on
// every machine and for every way to build the engine. What changes a hash on
// one machine only is a fault; what changes it on all is to be meant.
func TestGoldenHashes(t *testing.T) {
	root := filepath.Join(testdata, "scenarios")
	var got bytes.Buffer
	for _, name := range files(t, root) {
		s := load(t, root, name)
		var last uint64
		o := Options{AfterTick: func(e *systems.Engine) error { last = e.Hash(); return nil }}
		if err := Run(s, tables(t, s), o, nil); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&got, "%s %016x\n", name, last)
	}
	golden := filepath.Join(testdata, "golden", "scenarios.txt")
	if *update {
		if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	w, g := bytes.Split(want, []byte("\n")), bytes.Split(got.Bytes(), []byte("\n"))
	if len(w) != len(g) {
		t.Fatalf("%d scenarios, %d in %s", len(g)-1, len(w)-1, golden)
	}
	for i := range g {
		if !bytes.Equal(w[i], g[i]) {
			t.Errorf("%s, want %s", g[i], w[i])
		}
	}
}
