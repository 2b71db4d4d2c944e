package scenario

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/systems"
)

const testdata = "../../testdata"

// tables loads and keeps the tables of a folder; tests run in parallel.
func tables(t testing.TB, s *Scenario) *dat.Tables {
	t.Helper()
	type loaded struct {
		tables *dat.Tables
		err    error
	}
	load, _ := tableCache.LoadOrStore(s.Tables+"|"+s.Land, sync.OnceValue(func() loaded {
		tables, err := s.LoadTables()
		return loaded{tables, err}
	}))
	l := load.(func() loaded)()
	if l.err != nil {
		t.Fatal(l.err)
	}
	return l.tables
}

var tableCache sync.Map

// files returns the scenario files under a folder, by name without .json.
func files(t testing.TB, root string) (names []string) {
	t.Helper()
	for _, pattern := range []string{"*.json", "random/*.json", "world/*.json"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			name, err := filepath.Rel(root, f)
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, filepath.ToSlash(strings.TrimSuffix(name, ".json")))
		}
	}
	return names
}

func load(t testing.TB, root, name string) *Scenario {
	t.Helper()
	s, err := Load(scenarioPath(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func scenarioPath(root, name string) string {
	return filepath.Join(root, filepath.FromSlash(name)+".json")
}

func tracePath(root, name string) string {
	full := filepath.Join(root, filepath.FromSlash(name))
	return filepath.Join(filepath.Dir(full), "expected", filepath.Base(full)+".jsonl.gz")
}

// sameFile reports whether a scenario and its trace are the same bytes under both roots.
func sameFile(t *testing.T, name, a, b string) bool {
	t.Helper()
	for _, path := range []func(root, name string) string{scenarioPath, tracePath} {
		x, err := os.ReadFile(path(a, name))
		if err != nil {
			t.Fatal(err)
		}
		if y, err := os.ReadFile(path(b, name)); err != nil || !bytes.Equal(x, y) {
			return false
		}
	}
	return true
}

// compareRun runs a scenario, checking the engine every tick, and holds the trace against the expected one.
func compareRun(t *testing.T, s *Scenario, root, name string, allowed []Allowed) {
	t.Helper()
	var ours bytes.Buffer
	err := Run(s, tables(t, s), Options{AfterTick: (*systems.Engine).Check}, &ours)
	if err != nil {
		t.Fatal(err)
	}
	expected, err := os.Open(tracePath(root, name))
	if err != nil {
		t.Fatal(err)
	}
	defer expected.Close()
	found, err := Compare(&ours, expected)
	if err != nil {
		t.Fatal(err)
	}
	unknown, absent := Settle(name, found, allowed)
	for _, a := range absent {
		t.Errorf("known difference of %s does not occur first at tick %d (%s)", a.Field, a.Tick, a.Rule)
	}
	seen := make(map[string]bool)
	for _, d := range unknown { // the first of each field says enough
		if !seen[d.Field] {
			seen[d.Field] = true
			t.Error(d)
		}
	}
}

func known(t *testing.T) []Allowed {
	t.Helper()
	f, err := os.Open(filepath.Join(testdata, "differences.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	allowed, err := ReadAllowed(f)
	if err != nil {
		t.Fatal(err)
	}
	return allowed
}

// TestScenarios runs every scenario of the repository against its expected trace.
func TestScenarios(t *testing.T) {
	if testing.Short() {
		t.Skip("TestGoldenHashes has where each of them ends")
	}
	root := filepath.Join(testdata, "scenarios")
	names := files(t, root)
	if len(names) < 321 {
		t.Fatalf("%d scenarios, want 321 at least", len(names))
	}
	allowed := known(t)
	for _, a := range allowed {
		if _, err := os.Stat(scenarioPath(root, a.Scenario)); err != nil {
			t.Errorf("known difference of a scenario that is not there: %s", a.Scenario)
		}
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			compareRun(t, load(t, root, name), root, name, allowed)
		})
	}
}

// TestScenariosShared runs every scenario beside the repository that asks for nothing unbuilt.
func TestScenariosShared(t *testing.T) {
	if testing.Short() {
		t.Skip("as TestScenarios")
	}
	shared := os.Getenv("GAIT_SHARED")
	if shared == "" {
		shared = "../../../shared"
	}
	root := filepath.Join(shared, "scenarios")
	names := files(t, root)
	if len(names) == 0 {
		t.Skip("there are no shared scenarios here")
	}
	allowed := known(t)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if sameFile(t, name, root, filepath.Join(testdata, "scenarios")) {
				t.Skip("TestScenarios has it")
			}
			s, err := Load(scenarioPath(root, name))
			if err != nil {
				t.Fatal(err)
			}
			compareRun(t, s, root, name, allowed)
		})
	}
}

// hashes returns the state hash after every tick.
func hashes(t *testing.T, s *Scenario, o Options) (out []uint64) {
	t.Helper()
	o.AfterTick = func(e *systems.Engine) error {
		out = append(out, e.Hash())
		return nil
	}
	if err := Run(s, tables(t, s), o, nil); err != nil {
		t.Fatal(err)
	}
	return out
}

// sameHashes runs s in every way that must not matter.
func sameHashes(t *testing.T, s *Scenario) {
	t.Helper()
	want := hashes(t, s, Options{Workers: 1, ChunkRows: 1024, AlwaysUpdate: true})
	if len(want) != s.Ticks {
		t.Fatalf("%d hashes of %d ticks", len(want), s.Ticks)
	}
	counts := []int{1, 2, 3, 8}
	if testing.Short() {
		counts = counts[3:] // what has the most to share
	}
	for _, workers := range counts {
		for _, chunk := range []int{64, 1024} {
			for _, always := range []bool{false, true} {
				got := hashes(t, s, Options{Workers: workers, ChunkRows: chunk, AlwaysUpdate: always})
				for i := range want {
					if got[i] != want[i] {
						t.Errorf("%d workers, chunks of %d, always %v: tick %d hashes to %016X, not %016X",
							workers, chunk, always, i+1, got[i], want[i])
						break
					}
				}
			}
		}
	}
}

// TestScenarioHashes: the state after each tick is one value, however it was come by.
func TestScenarioHashes(t *testing.T) {
	root := filepath.Join(testdata, "scenarios")
	for _, name := range files(t, root) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sameHashes(t, load(t, root, name))
		})
	}
}

// crowd returns s with every entity n times and every event for all of them:
// enough rows that workers and chunks have something to share.
func crowd(s *Scenario, n int) *Scenario {
	c := *s
	c.Entities, c.Events = nil, nil
	renamed := func(guid uint32, k int) uint32 { return guid + uint32(k)<<8 }
	for k := range n {
		for _, e := range s.Entities {
			e.Guid = renamed(e.Guid, k)
			c.Entities = append(c.Entities, e)
		}
	}
	for _, e := range s.Events {
		guid := e.Command.Guid
		for k := range n {
			e.Command.Guid = renamed(guid, k)
			c.Events = append(c.Events, e)
		}
	}
	return &c
}

// TestCrowdHashes: the same, with rows enough for many chunks; and every copy does what the first does.
func TestCrowdHashes(t *testing.T) {
	root := filepath.Join(testdata, "scenarios")
	for _, name := range []string{"ten-toggles-in-a-second", "twenty-in-one-tick", "positions-overflow", "idle", "landblock-edge", "random/s-5019"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := load(t, root, name)
			s.Ticks = min(s.Ticks, 60)
			const copies = 100
			c := crowd(s, copies)
			sameHashes(t, c)

			var one, all bytes.Buffer
			if err := Run(s, tables(t, s), Options{}, &one); err != nil {
				t.Fatal(err)
			}
			if err := Run(c, tables(t, c), Options{Workers: 3, ChunkRows: 64}, &all); err != nil {
				t.Fatal(err)
			}
			want := strings.SplitAfter(one.String(), "\n")
			got := strings.SplitAfter(all.String(), "\n")
			entities := len(s.Entities)
			for tick := range s.Ticks {
				for k := range copies {
					for i := range entities {
						w, g := want[tick*entities+i], got[(tick*copies+k)*entities+i]
						w = strings.Replace(w, guidKey(s.Entities[i].Guid), guidKey(c.Entities[k*entities+i].Guid), 1)
						if w != g {
							t.Fatalf("copy %d:\n%swant\n%s", k, g, w)
						}
					}
				}
			}
		})
	}
}

func guidKey(guid uint32) string { return fmt.Sprintf(`"guid":"0x%08X"`, guid) }

// TestInspectChangesNothing: a run that is looked at after every tick ends as one that is not.
func TestInspectChangesNothing(t *testing.T) {
	root := filepath.Join(testdata, "scenarios")
	for _, name := range []string{"idle", "run-stop", "missing-link"} {
		s := load(t, root, name)
		want := hashes(t, s, Options{})
		var got []uint64
		err := Run(s, tables(t, s), Options{AfterTick: func(e *systems.Engine) error {
			for _, x := range s.Entities {
				e.Inspect(x.Guid, func(*components.Row, *components.Pools) {})
			}
			got = append(got, e.Hash())
			return nil
		}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("%s: tick %d hashes to %016X, not %016X", name, i+1, got[i], want[i])
			}
		}
	}
}
