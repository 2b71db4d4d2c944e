package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gait-engine/gait"
	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/systems/collision"
	"github.com/gait-engine/gait/wire"
)

// TestLimits holds limits.md against the code.
func TestLimits(t *testing.T) {
	b, err := os.ReadFile("limits.md")
	if err != nil {
		t.Fatal(err)
	}
	limits := map[string]int{
		"gait.DefaultMaxWaiting":  gait.DefaultMaxWaiting,
		"systems.MaxMessage":      systems.MaxMessage,
		"systems.MaxPending":      systems.MaxPending,
		"systems.MaxHeldDepth":    systems.MaxHeldDepth,
		"systems.MaxWorkers":      systems.MaxWorkers,
		"systems.MaxCapacity":     systems.MaxCapacity,
		"systems.MaxChunkRows":    systems.MaxChunkRows,
		"wire.MaxActions":         wire.MaxActions,
		"wire.MaxParkedPerGuid":   wire.MaxParkedPerGuid,
		"wire.MaxParkedGuids":     wire.MaxParkedGuids,
		"wire.MaxParkedBytes":     wire.MaxParkedBytes,
		"wire.MaxSpeed":           wire.MaxSpeed,
		"collision.MaxLandErrors": collision.MaxLandErrors,
	}
	for name, value := range limits {
		if row := fmt.Sprintf("| `%s` | %d |", name, value); !strings.Contains(string(b), row) {
			t.Errorf("limits.md has no %s", row)
		}
	}
	if rows := regexp.MustCompile("(?m)^\\| `").FindAll(b, -1); len(rows) != len(limits) {
		t.Errorf("limits.md has %d limits, %d are known here", len(rows), len(limits))
	}
}

// TestLinks: what documents link to is there.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]+)\)`)
	files, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, "../README.md", "../CONTRIBUTING.md", "../CHANGES.md") {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(b), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(file), m[1])); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
}

// TestREADME: the program in it is the one that [gait.Engine]'s example runs.
func TestREADME(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("../example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, program, _ := strings.Cut(string(readme), "func main() {\n")
	program, _, ok := strings.Cut(program, "\n}\n```")
	if !ok || !strings.Contains(string(example), "func Example() {\n"+program+"\n\t// Output:") {
		t.Error("the program in README.md is not the body of Example in example_test.go")
	}
}
