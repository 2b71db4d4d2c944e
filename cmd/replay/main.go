// Replay runs recordings of the game through the engine and reports how well it
// predicted what came.
//
//	replay [flags] FILE…
//
// A FILE is a packet capture, pcap or pcapng, sniffed or made by the recorder in the
// client, or JSON lines with a datagram each; gzip or zstd may lie around it, and zip
// archives are looked into. Captures that say when they were made are taken together,
// in order of time: a long play in several files is one.
//
//	replay -dat client_portal.dat pkt_2017-1-29_1485735833_log.pcap
//	replay -dat client_portal.dat -cell client_cell_1.dat *.pcapng
//	replay -own remote -side 14 seen.pcapng     what examples/server wrote, on its land
//	replay -own raw FILE                        the player moved by what his client sent
//	replay -json FILE
//	replay -trace 0x8000001F -connection 2 FILE
//	replay -out folder FILE
//
// What each client was told goes into an engine of its own, at the recorded times.
// The report has the time span, packets by what is in them, checksums, loss, messages
// by opcode, remotes, refusals, and for every inbound position of a remote the
// distance between where the engine had it just before and where it is said to be.
// The player whose recording it is has a line of his own with -own: remote, how far
// others saw him from where his client said he was; raw, how far his keys took him from
// there, since he was last put there.
//
// With -out it is a page with charts too, folder/replay.html.
//
// Exit status 1: nothing could be read, or not all of it, or a file ends in the middle of a
// record; what there was is reported all the same. 2: called wrongly.
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
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/gait-engine/gait/bench"
	"github.com/gait-engine/gait/replay"
	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/wire/transport"
)

func main() {
	var bar io.Writer
	if term.IsTerminal(int(os.Stderr.Fd())) {
		bar = os.Stderr
	}
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr, bar))
}

// flags are what the caller asks for.
type flags struct {
	dat, cell, tables string
	hz, speed         float64
	workers, side     int
	views, connection int
	own, trace, out   string
	json, strict      bool
}

// run is main with its surroundings as arguments; bar is where progress is shown,
// nil for nowhere. It returns the exit status.
func run(args []string, stdout, stderr, bar io.Writer) int {
	var o flags
	f := flag.NewFlagSet("replay", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&o.dat, "dat", "", "container `file` with the records that remotes play from, instead of the embedded ones")
	f.StringVar(&o.tables, "tables", "", "`folder` of loose records, likewise")
	f.StringVar(&o.cell, "cell", "", "cell `file` with the land that remotes walk on; needs -dat or -tables")
	f.IntVar(&o.side, "side", 0, "walk on the land that comes with the module, of so many landblocks to a side; 0 on none")
	f.Float64Var(&o.hz, "hz", 30, "ticks a second")
	f.Float64Var(&o.speed, "speed", 0, "play at this multiple of the recorded time; 0 as fast as can be")
	f.IntVar(&o.workers, "workers", 1, "goroutines that share a tick")
	f.IntVar(&o.views, "views", replay.DefaultViews, "connections that are played at a time; each takes some 300 KB, and what its objects take")
	f.StringVar(&o.own, "own", "out", "the recording player's own object: out, left out; remote, moved as others see it; or raw, moved by the keys that its client sends")
	f.StringVar(&o.trace, "trace", "", "`guid` of a remote: print its trace lines, a tick each, instead of the report")
	f.IntVar(&o.connection, "connection", 0, "in whose view the remote is traced, by the report's number; 0 the first that has it")
	f.BoolVar(&o.json, "json", false, "print the report as one JSON object")
	f.StringVar(&o.out, "out", "", "write a page with charts into this `folder`; for the paths on it the files are read once more")
	f.BoolVar(&o.strict, "strict", false, "refuse encrypted packets whose checksum fails")
	if err := f.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2
	}
	options, guid, err := o.options()
	if err == nil && f.NArg() == 0 {
		err = errors.New("name at least one capture")
	}
	if err != nil {
		fmt.Fprintln(stderr, "replay:", err)
		return 2
	}
	if err := o.replay(f.Args(), options, guid, stdout, stderr, bar); err != nil {
		fmt.Fprintln(stderr, "replay:", err)
		return 1
	}
	return 0
}

// options checks the flags.
func (o *flags) options() (r replay.Options, trace uint32, err error) {
	owns := [...]replay.Own{replay.LeftOut, replay.AsRemote, replay.Raw}
	own := slices.IndexFunc(owns[:], func(w replay.Own) bool { return w.String() == o.own })
	switch {
	case !(o.hz >= 1 && o.hz <= 1000):
		return r, 0, fmt.Errorf("-hz %v: 1 to 1000 ticks a second", o.hz)
	case !(o.speed >= 0 && o.speed <= 1e6):
		return r, 0, fmt.Errorf("-speed %v: 0, or a multiple up to a million", o.speed)
	case o.workers < 1 || o.workers > systems.MaxWorkers:
		return r, 0, fmt.Errorf("-workers %d: 1 to %d", o.workers, systems.MaxWorkers)
	case o.views < 1 || o.views > transport.MaxConnections:
		return r, 0, fmt.Errorf("-views %d: 1 to %d", o.views, transport.MaxConnections)
	case o.side < 0:
		return r, 0, fmt.Errorf("-side %d: landblocks, or 0 for no land", o.side)
	case o.side > 0 && o.cell != "":
		return r, 0, errors.New("-side and -cell both say what land there is; give one")
	case o.dat != "" && o.tables != "":
		return r, 0, errors.New("-dat and -tables both say where records come from; give one")
	case o.cell != "" && o.dat == "" && o.tables == "":
		return r, 0, errors.New("-cell needs the records that its land is made of: give -dat or -tables")
	case own < 0:
		return r, 0, fmt.Errorf("-own %s: out, remote or raw", o.own)
	case o.connection < 0 || o.connection > 0 && o.trace == "":
		return r, 0, fmt.Errorf("-connection %d: says which view's remote -trace is of", o.connection)
	case o.trace != "" && o.json:
		return r, 0, errors.New("-trace prints lines of its own; leave -json out")
	}
	r.TicksPerSecond, r.Workers, r.MaxViews, r.Strict = o.hz, o.workers, o.views, o.strict
	r.Own = owns[own]
	if o.trace != "" {
		guid, err := strconv.ParseUint(o.trace, 0, 32)
		if err != nil || guid == 0 {
			return r, 0, fmt.Errorf("-trace %s: a guid, as 0x8000001F", o.trace)
		}
		trace = uint32(guid)
	}
	return r, trace, nil
}

// embeddedNotice is what a report without the user's data files begins with.
const embeddedNotice = "no -dat: remotes play from the records that come with the module, which are made up. " +
	"Those of retail objects are not among them: such objects are moved by positions alone, and the errors below mean less."

func (o *flags) replay(files []string, r replay.Options, trace uint32, stdout, stderr, bar io.Writer) (err error) {
	g := bench.GroundOptions{Sweep: bench.SweepNone, Tables: o.tables, Container: o.dat, Cell: o.cell, Side: o.side}
	if o.cell != "" || o.side > 0 {
		g.Sweep = bench.SweepTerrain
	}
	tables, ground, err := bench.LoadGround(g)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ground.Close()) }()
	r.Tables = tables
	if ground != nil {
		r.Land = ground.Land
	}
	if bar != nil {
		r.Progress = progress(bar)
	}
	if o.speed > 0 {
		r.Pace = pace(o.speed)
	}
	t := tracer{guid: trace, of: o.connection, others: map[int]struct{}{}, swept: r.Land != nil, out: stdout}
	if trace != 0 {
		r.AfterTick = t.look
	}
	report, err := replay.Run(files, r)
	if err != nil {
		return err
	}
	if o.dat == "" && o.tables == "" {
		report.Notices = append(report.Notices, embeddedNotice)
	}
	if report.Unplayed > 0 {
		report.Notices = append(report.Notices, fmt.Sprintf("%d of %d connections were read and not played, since at most %d are at a time: the errors below are of the others. -views raises it.",
			report.Unplayed, len(report.Connections), o.views))
	}
	switch {
	case trace != 0:
		err = t.end(stderr)
	case o.json:
		e := json.NewEncoder(stdout)
		e.SetIndent("", "  ")
		err = e.Encode(report)
	default:
		err = report.Write(stdout)
	}
	if o.out != "" {
		r.AfterTick, r.Pace = nil, nil
		err = errors.Join(err, page(files, r, report, o.out))
	}
	return errors.Join(err, report.Unread())
}

// pace sleeps until a datagram's time has come.
func pace(speed float64) func(at time.Duration) {
	began := time.Now()
	return func(at time.Duration) {
		time.Sleep(time.Until(began.Add(time.Duration(float64(at) / speed))))
	}
}

// progress returns what shows progress on a terminal.
func progress(w io.Writer) func(read, of int64) {
	var bar *progressbar.ProgressBar
	return func(read, of int64) {
		if bar == nil {
			bar = progressbar.NewOptions64(of, progressbar.OptionSetWriter(w), progressbar.OptionShowBytes(true), progressbar.OptionSetDescription("replaying"),
				progressbar.OptionSetWidth(30), progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(100*time.Millisecond))
		}
		_ = bar.Set64(read) // a bar that cannot be drawn is no reason to stop
	}
}
