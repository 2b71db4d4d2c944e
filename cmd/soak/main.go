// Soak runs recorded inputs through the engine.
//
//	soak -scenario FILE [-trace FILE] [-workers N] [-chunk ROWS]
//
// runs a scenario and writes its trace, JSON Lines, to standard output or to
// the file.
//
//	soak -messages FILE [-tables DIR | -dat FILE] [-workers N] [-chunk ROWS]
//
// plays recorded messages (JSON Lines with t in seconds and hex), makes remotes
// from create messages and otherwise on first sight, and prints per guid what
// was applied, parked, stale or refused.
//
// Exit status 1: it could not be run; 2: called wrongly.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/gait-engine/gait/systems"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is main with its surroundings as arguments; it returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	f := flag.NewFlagSet("soak", flag.ContinueOnError)
	f.SetOutput(stderr)
	scenarioFile := f.String("scenario", "", "scenario `file` to run")
	traceFile := f.String("trace", "", "`file` to write the trace to (default standard output)")
	messagesFile := f.String("messages", "", "`file` of recorded messages to play")
	tables := f.String("tables", "", "with -messages: `folder` of loose records, instead of the embedded ones")
	container := f.String("dat", "", "with -messages: container `file` with records, instead of the embedded ones")
	workers := f.Int("workers", 1, "goroutines that share a tick")
	chunk := f.Int("chunk", 0, "remotes that a worker takes at a time, 0 for the engine's choice")
	if err := f.Parse(args); err != nil {
		if err == flag.ErrHelp {
			return 0
		}
		return 2
	}
	if (*scenarioFile == "") == (*messagesFile == "") || f.NArg() > 0 || *tables != "" && *container != "" ||
		*scenarioFile != "" && *tables+*container != "" || *messagesFile != "" && *traceFile != "" {
		fmt.Fprintln(stderr, "soak: one of -scenario and -messages is needed, with -messages at most one of -tables and -dat and no -trace, and nothing but flags")
		f.Usage()
		return 2
	}
	if *workers < 0 || *workers > systems.MaxWorkers || *chunk < 0 || *chunk > systems.MaxChunkRows/max(*workers, 1) {
		fmt.Fprintf(stderr, "soak: -workers is 0 to %d, -chunk 0 to %d over all workers\n", systems.MaxWorkers, systems.MaxChunkRows)
		f.Usage()
		return 2
	}
	if *messagesFile != "" {
		if err := runMessages(*messagesFile, *tables, *container, *workers, *chunk, stdout); err != nil {
			fmt.Fprintln(stderr, "soak:", err)
			return 1
		}
		return 0
	}
	if err := runScenario(*scenarioFile, *traceFile, *workers, *chunk, stdout); err != nil {
		fmt.Fprintln(stderr, "soak:", err)
		return 1
	}
	return 0
}
