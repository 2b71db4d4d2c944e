// Command bench measures the engine under a load and prints the figures.
//
//	bench                                 10,000 remotes, 600 ticks, load mixed, one worker, embedded records
//	bench -n 100000 -count 5 -json        medians of five runs, as a JSON object
//	bench -scan                           how the cost grows, 1,000 to 1,000,000 remotes, one worker and two
//	bench -world population.csv.gz        a real world's placements
//	bench -dat client_portal.dat          records out of a container
//	bench -sweep terrain                  on the embedded land, running into it and into each other
//	bench -sweep terrain -dat client_portal.dat -cell client_cell_1.dat
//	bench -out folder                     and a page with charts: folder/bench.html
//
// It exits with 0, with 1 when a run fails, with 2 when it is called wrongly.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pkg/profile"
	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/gait-engine/gait/bench"
)

func main() {
	var bar io.Writer
	if term.IsTerminal(int(os.Stderr.Fd())) {
		bar = os.Stderr
	}
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr, bar))
}

// options are the flags.
type options struct {
	n, ticks, count          int
	workers                  list
	seed                     uint64
	load, world, tables, dat string
	sweep, cell              string
	side                     int
	profile, out             string
	json, scan               bool
}

// list is a flag of numbers with commas between them.
type list []int

func (l *list) String() string {
	s := make([]string, len(*l))
	for i, n := range *l {
		s[i] = strconv.Itoa(n)
	}
	return strings.Join(s, ",")
}

func (l *list) Set(text string) error {
	*l = nil
	for s := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(s)
		if err != nil {
			return errors.New("not whole numbers with commas between them")
		}
		*l = append(*l, n)
	}
	return nil
}

// usageError is what the caller got wrong, as opposed to what went wrong.
type usageError string

func (e usageError) Error() string { return string(e) }

// profiles are what -profile takes.
var profiles = map[string]func(*profile.Profile){
	"cpu": profile.CPUProfile, "mem": profile.MemProfile, "trace": profile.TraceProfile,
}

// run is the program; bar is where progress is shown, nil for nowhere.
func run(args []string, stdout, stderr, bar io.Writer) int {
	o := options{workers: list{1}}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&o.n, "n", 10_000, "remotes; with -world, unless given, every placement; with -scan at most, or a million")
	flags.IntVar(&o.ticks, "ticks", 600, "ticks that are timed")
	flags.StringVar(&o.load, "load", string(bench.Mixed), "the load: mixed, idle, dense, storm or busy")
	flags.Var(&o.workers, "workers", "goroutines that share a tick; with -scan several, 1,2 unless given")
	flags.Uint64Var(&o.seed, "seed", 1, "seed of the load")
	flags.StringVar(&o.world, "world", "", "`file` with a world's population, csv or csv.gz")
	flags.StringVar(&o.tables, "tables", "", "`folder` of loose records, instead of the embedded ones")
	flags.StringVar(&o.dat, "dat", "", "container `file` with records, instead of the embedded ones")
	flags.StringVar(&o.sweep, "sweep", bench.SweepNone, "what remotes run into: none, flat or terrain")
	flags.StringVar(&o.cell, "cell", "", "cell `file` with the land for -sweep terrain, instead of the embedded one; needs -dat or -tables")
	flags.IntVar(&o.side, "side", bench.DefaultSide, "landblocks to a side of the embedded land")
	flags.BoolVar(&o.json, "json", false, "print a JSON object, with -scan one a line")
	flags.BoolVar(&o.scan, "scan", false, "run with 1, 3, 10, … thousand remotes up to -n, with every number of workers, and print how the figures grow")
	flags.StringVar(&o.profile, "profile", "", "write a profile of the first run's ticks into this folder: cpu, mem or trace")
	flags.StringVar(&o.out, "out", "", "write a page with charts into this `folder`; for it the load is run once more, without a clock")
	flags.IntVar(&o.count, "count", 1, "runs; the figures are medians")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2 // flag has said why
	}
	given := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	if o.scan {
		o.scans(given)
	}
	err := o.check(flags.Args())
	if err == nil {
		err = o.bench(given["n"], stdout, bar)
	}
	if err == nil {
		return 0
	}
	fmt.Fprintln(stderr, "bench:", strings.TrimPrefix(err.Error(), "bench: "))
	if _, wrong := errors.AsType[usageError](err); wrong || errors.Is(err, bench.ErrConfig) {
		return 2
	}
	return 1
}

func usage(format string, a ...any) error {
	return usageError(fmt.Sprintf(format, a...))
}

// scans sets what -scan does unless it is given.
func (o *options) scans(given map[string]bool) {
	if !given["n"] {
		o.n = bench.ScanMax
	}
	if !given["workers"] {
		o.workers = list{1, 2}
	}
}

func (o *options) check(rest []string) error {
	if len(rest) > 0 {
		return usage("%q is no flag; -h lists them", rest[0])
	}
	if o.count < 1 {
		return usage("-count %d: at least one run is needed", o.count)
	}
	for _, n := range o.workers {
		if n < 1 || n > 1024 {
			return usage("-workers %d: between 1 and 1024 goroutines can share a tick", n)
		}
	}
	if len(o.workers) != 1 && !o.scan {
		return usage("-workers %s: several need -scan", &o.workers)
	}
	if o.profile != "" && o.scan {
		return usage("-profile is of one run, not of a -scan")
	}
	if _, ok := profiles[o.profile]; !ok && o.profile != "" {
		return usage("-profile %s: there are cpu, mem and trace", o.profile)
	}
	if o.tables != "" && o.dat != "" {
		return usage("-tables and -dat both say where records come from; give one")
	}
	if !slices.Contains(bench.Sweeps, o.sweep) {
		return usage("-sweep %s: there are none, flat and terrain", o.sweep)
	}
	if o.cell != "" && o.sweep != bench.SweepTerrain {
		return usage("-cell is the land of -sweep terrain")
	}
	if o.cell != "" && o.tables == "" && o.dat == "" {
		return usage("-cell needs the records that its land is made of: give -dat or -tables")
	}
	if o.sweep == bench.SweepTerrain && o.world != "" && o.cell == "" {
		return usage("a population stands on no embedded land: give -cell with its world")
	}
	_, err := bench.ParseLoad(o.load)
	return err
}

func (o *options) bench(nGiven bool, stdout, bar io.Writer) (err error) {
	c := bench.Config{Load: bench.Load(o.load), Remotes: o.n, Ticks: o.ticks, Workers: o.workers[0], Seed: o.seed, Count: o.count}
	g := bench.GroundOptions{Sweep: o.sweep, Tables: o.tables, Container: o.dat, Cell: o.cell, Side: o.side}
	if c.Tables, c.Ground, err = bench.LoadGround(g); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Ground.Close()) }()
	if o.world != "" {
		if c.Population, err = bench.LoadPopulation(o.world); err != nil {
			return err
		}
		if !nGiven {
			c.Remotes = len(c.Population)
		}
	}
	if bar != nil {
		c.Progress = progress(bar)
	}
	if kind, ok := profiles[o.profile]; ok {
		c.Timed = func() func() {
			return profile.Start(kind, profile.ProfilePath("."), profile.NoShutdownHook).Stop
		}
	}
	if o.scan {
		return o.runs(c, stdout)
	}
	result, err := bench.Run(c)
	if err != nil {
		return err
	}
	if o.json {
		err = json.NewEncoder(stdout).Encode(result)
	} else {
		err = result.WriteTable(stdout)
	}
	return errors.Join(err, o.page(c, []bench.Result{result}))
}

// page writes the page of results, if one is asked for.
func (o *options) page(c bench.Config, results []bench.Result) error {
	if o.out == "" || len(results) == 0 {
		return nil
	}
	watched, err := bench.Watch(c)
	if err != nil {
		return err
	}
	_, err = pageOf(results, &watched).WriteFile(o.out, "bench.html")
	return err
}

// runs is -scan: JSON line by line, or a table of what was run.
func (o *options) runs(c bench.Config, stdout io.Writer) error {
	var results []bench.Result
	each := func(r *bench.Result) error {
		results = append(results, *r)
		if o.json {
			return json.NewEncoder(stdout).Encode(r)
		}
		return nil
	}
	err := bench.Scan(c, bench.ScanRemotes(c.Remotes), o.workers, each)
	if !o.json {
		err = errors.Join(err, bench.WriteGrowth(stdout, results))
	}
	return errors.Join(err, o.page(c, results))
}

// progress returns what shows progress on a terminal.
func progress(w io.Writer) func(stage string, done, total int) {
	bar, at := (*progressbar.ProgressBar)(nil), ""
	return func(stage string, done, total int) {
		if bar == nil || done == 1 {
			bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(w),
				progressbar.OptionSetWidth(30), progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(100*time.Millisecond))
		}
		if stage != at {
			bar.Describe(stage)
			at = stage
		}
		_ = bar.Set(done) // a bar that cannot be drawn is no reason to stop
	}
}
