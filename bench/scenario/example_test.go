package scenario_test

import (
	"bytes"
	"fmt"
	"os"

	"github.com/gait-engine/gait/bench/scenario"
)

// A scenario run and held against the trace that other implementations agree on.
func Example() {
	s, err := scenario.Load("../../testdata/scenarios/walk-and-stop.json")
	if err != nil {
		fmt.Println(err)
		return
	}
	tables, err := s.LoadTables()
	if err != nil {
		fmt.Println(err)
		return
	}
	var trace bytes.Buffer
	if err := scenario.Run(s, tables, scenario.Options{}, &trace); err != nil {
		fmt.Println(err)
		return
	}
	lines := bytes.Count(trace.Bytes(), []byte("\n"))
	expected, err := os.Open("../../testdata/scenarios/expected/walk-and-stop.jsonl.gz")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer expected.Close()
	differences, err := scenario.Compare(&trace, expected)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %d lines, %d differences\n", s.Name, lines, len(differences))
	// Output: walk-and-stop: 90 lines, 0 differences
}
