// Soak holds engines against each other, and runs recorded inputs.
//
//	soak [-faults] [-hours H | -ticks N] [-n REMOTES] [-load LOAD] [-sweep SWEEP] [-world FILE] [-seed N] [-every TICKS] [-json]
//
// runs one load through engines side by side: with one, two, three and eight
// workers, in small chunks and large, with rest and without, one that is snapshotted
// and restored at random ticks, and one that is recorded and replayed from its own
// log. After every tick their states are compared and every invariant is checked.
// Without flags it takes two minutes. It ends with PASS, or at the first difference:
// with the tick, the remote, the column and both values, and one command that shows
// it again. -every 64 looks after every 64th tick alone, which is several times as
// fast, and running it again still finds the tick. -faults adds what the field brings:
// messages lost, doubled, late and broken, floats that are none, floods, storms of
// spawns.
//
//	soak -record DIR ...      keeps the inputs of the whole run
//	soak -replay DIR          runs them again, in every engine
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
// Exit status 1: engines differed, or it could not be run, or not to its end as it was
// interrupted; 2: called wrongly.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/term"

	"github.com/gait-engine/gait/bench"
	"github.com/gait-engine/gait/systems"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// flags are what the program was called with.
type flags struct {
	config
	scenario, trace, messages string
	workers, chunk            int
	json                      bool
	given                     map[string]bool
}

// defaultHours is how long a soak takes that is not told: two minutes.
const defaultHours = 2.0 / 60

// run is main with its surroundings as arguments; it returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	var o flags
	f := flag.NewFlagSet("soak", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&o.scenario, "scenario", "", "scenario `file` to run")
	f.StringVar(&o.trace, "trace", "", "with -scenario: `file` to write the trace to (default standard output)")
	f.StringVar(&o.messages, "messages", "", "`file` of recorded messages to play")
	f.StringVar(&o.ground.Tables, "tables", "", "`folder` of loose records, instead of the embedded ones")
	f.StringVar(&o.ground.Container, "dat", "", "container `file` with records, instead of the embedded ones")
	f.IntVar(&o.workers, "workers", 1, "with -scenario and -messages: goroutines that share a tick")
	f.IntVar(&o.chunk, "chunk", 0, "with -scenario and -messages: remotes that a worker takes at a time, 0 for the engine's choice")
	f.Float64Var(&o.hours, "hours", defaultHours, "how long to soak, by the clock on the wall")
	f.IntVar(&o.ticks, "ticks", 0, "how many ticks to soak, instead of hours; 30 are a second of the game")
	f.IntVar(&o.every, "every", 1, "after how many `ticks` states are compared and checked: 1, 2, 4, ... 512")
	f.IntVar(&o.n, "n", 1000, "remotes; with -world, unless given, every placement")
	f.Uint64Var(&o.seed, "seed", 1, "seed of the load, of the faults, and of when engines are restored")
	f.StringVar(&o.load, "load", string(bench.Busy), "the load: mixed, idle, dense, storm or busy")
	f.StringVar(&o.world, "world", "", "`file` with a world's population, csv or csv.gz")
	f.StringVar(&o.ground.Sweep, "sweep", bench.SweepNone, "what remotes run into: none, flat or terrain")
	f.StringVar(&o.ground.Cell, "cell", "", "cell `file` with the land for -sweep terrain; needs -dat or -tables")
	f.BoolVar(&o.faults, "faults", false, "bring what the field brings to the load")
	f.StringVar(&o.record, "record", "", "`folder` to keep the inputs of the run in")
	f.StringVar(&o.replay, "replay", "", "`folder` that a run, or a difference, was recorded in, to run again")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	if err := f.Parse(args); err != nil {
		if err == flag.ErrHelp {
			return 0
		}
		return 2
	}
	o.given = map[string]bool{}
	f.Visit(func(x *flag.Flag) { o.given[x.Name] = true })
	o.nGiven = o.given["n"]
	if wrong := o.wrong(f.Args()); wrong != "" {
		fmt.Fprintln(stderr, "soak:", wrong)
		f.Usage()
		return 2
	}
	err := o.do(stdout, stderr)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errSoak):
		return 1 // it has been said how
	}
	fmt.Fprintln(stderr, "soak:", strings.TrimPrefix(err.Error(), "soak: "))
	if errors.Is(err, bench.ErrConfig) {
		return 2
	}
	return 1
}

// The flags of a soak alone, and those of recorded inputs alone.
var (
	soakFlags     = []string{"hours", "ticks", "n", "seed", "load", "world", "sweep", "cell", "faults", "record", "replay", "every", "json"}
	recordedFlags = []string{"workers", "chunk"}
	// newFlags say what is run, which a replay has recorded.
	newFlags = []string{"hours", "ticks", "n", "load", "world", "faults", "record"}
)

// any returns the first of some flags that was given, "" for none.
func (o *flags) any(names []string) string {
	for _, n := range names {
		if o.given[n] {
			return n
		}
	}
	return ""
}

// wrong says what the caller got wrong.
func (o *flags) wrong(rest []string) string {
	recorded := o.scenario + o.messages
	switch {
	case len(rest) > 0:
		return fmt.Sprintf("%q is no flag", rest[0])
	case o.scenario != "" && o.messages != "":
		return "-scenario and -messages are two things; give one"
	case recorded != "" && o.any(soakFlags) != "":
		return fmt.Sprintf("-%s belongs to a soak, not to recorded inputs", o.any(soakFlags))
	case recorded == "" && o.any(recordedFlags) != "":
		return fmt.Sprintf("-%s belongs to -scenario and -messages; a soak has engines of all kinds", o.any(recordedFlags))
	case o.trace != "" && o.scenario == "":
		return "-trace is of a scenario"
	case o.ground.Tables != "" && o.ground.Container != "":
		return "-tables and -dat both say where records come from; give one"
	case o.scenario != "" && o.ground.Tables+o.ground.Container != "":
		return "a scenario names its own tables"
	case o.workers < 0 || o.workers > systems.MaxWorkers || o.chunk < 0 || o.chunk > systems.MaxChunkRows/max(o.workers, 1):
		return fmt.Sprintf("-workers is 0 to %d, -chunk 0 to %d over all workers", systems.MaxWorkers, systems.MaxChunkRows)
	case recorded != "":
		return ""
	case o.replay != "" && o.any(newFlags) != "":
		return fmt.Sprintf("-%s is in what is replayed", o.any(newFlags))
	case o.given["hours"] && o.given["ticks"]:
		return "-hours and -ticks both say how long; give one"
	case !(o.hours > 0 && o.hours < 1e5) || o.ticks < 0 || o.given["ticks"] && o.ticks == 0:
		return "-hours and -ticks are more than 0"
	case o.every < 1 || bundleTicks%o.every != 0:
		return fmt.Sprintf("-every is 1, 2, 4 and so on up to %d", bundleTicks)
	case !slices.Contains(bench.Sweeps, o.ground.Sweep):
		return fmt.Sprintf("-sweep %s: there are none, flat and terrain", o.ground.Sweep)
	}
	if _, err := bench.ParseLoad(o.load); err != nil {
		return err.Error()
	}
	return ""
}

func (o *flags) do(stdout, stderr io.Writer) error {
	switch {
	case o.messages != "":
		return runMessages(o.messages, o.ground.Tables, o.ground.Container, o.workers, o.chunk, stdout)
	case o.scenario != "":
		return runScenario(o.scenario, o.trace, o.workers, o.chunk, stdout)
	}
	if o.ticks == 0 && o.replay == "" {
		fmt.Fprintf(stderr, "soak: seven engines side by side, load %s, for %v\n", o.load, game(o.hours*3600))
	}
	file, ok := stderr.(*os.File)
	terminal := ok && term.IsTerminal(int(file.Fd()))
	o.progress = shows(stderr, terminal)
	r, err := o.config.run()
	if terminal {
		fmt.Fprintln(stderr)
	}
	if r == nil {
		return err
	}
	if o.json {
		return errors.Join(err, r.writeJSON(stdout))
	}
	r.writeTable(stdout)
	return err
}
