package record_test

import (
	"fmt"
	"log"
	"os"

	"github.com/gait-engine/gait/bench"
	"github.com/gait-engine/gait/record"
	"github.com/gait-engine/gait/systems"
)

// A server records what its engine is given. When it starts again it goes on from
// there, however it ended.
func Example() {
	tables, err := bench.EmbeddedTables()
	if err != nil {
		log.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "example-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	options := systems.Options{Tables: tables}

	engine, err := systems.New(options)
	if err != nil {
		log.Fatal(err)
	}
	recording, err := record.Create(dir, engine, record.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for range 100 {
		engine.Tick()
		if err := recording.Commit(); err != nil { // from here on the tick is not lost
			log.Fatal(err)
		}
	}
	// here the process ends, and another begins

	again, report, err := record.Recover(dir, options)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("stands on tick", report.Tick, "the same:", again.Hash() == engine.Hash())
	recording, err = record.Resume(dir, again, report, record.Options{})
	if err != nil {
		log.Fatal(err)
	}
	again.Tick()
	if err := recording.Commit(); err != nil {
		log.Fatal(err)
	}
	fmt.Println("goes on to tick", again.Now())
	// Output:
	// stands on tick 100 the same: true
	// goes on to tick 101
}
