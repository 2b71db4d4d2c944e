package main

import (
	"io"
	"os"

	"github.com/gait-engine/gait/bench/scenario"
)

// runScenario runs a scenario file and writes its trace to a file, or to stdout if that has no name.
func runScenario(file, trace string, workers, chunk int, stdout io.Writer) (err error) {
	s, err := scenario.Load(file)
	if err != nil {
		return err
	}
	tables, err := s.LoadTables()
	if err != nil {
		return err
	}
	out := stdout
	if trace != "" {
		f, e := os.Create(trace)
		if e != nil {
			return e
		}
		defer func() {
			if e := f.Close(); err == nil {
				err = e
			}
		}()
		out = f
	}
	return scenario.Run(s, tables, scenario.Options{Workers: workers, ChunkRows: chunk}, out)
}
