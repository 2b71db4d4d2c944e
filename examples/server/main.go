// Server is a whole game in one process: a server, its clients, and the loopback
// between them.
//
//	go run ./examples/server
//	go run ./examples/server -movers 200 -clients 10 -for 20s -loss 0.2 -out folder
//	go run ./examples/server -pcap seen.pcapng -compare
//	go run ./cmd/replay -own remote -side 14 seen.pcapng
//
// The server moves everybody over a land, running into it and into each other.
// Bots play the first movers, each with a UDP socket of its own: they send what keys
// are down, and where they are, as clients do. The others are the server's. Each
// client is told of those in its landblock and the eight around it, in the game's own
// packets, which the way delays, loses and puts into another order; what is missing
// is asked for again, and the server takes what comes in the order in which it was sent.
// What a client is told goes into an engine of remotes.
//
// At the end it says how far what clients show is from what the server holds, and
// takes up the server's log again. With -compare it replays the capture too, and says
// for each client for how many ticks the replay was in the state that the client was
// in. An interrupt ends it as the time does.
//
// Exit status 1: something failed, or a replay came to another state; 2: called wrongly.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/gait-engine/gait/bench"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/systems"
)

// setup says what to run.
type setup struct {
	clients, movers int
	hz              float64
	lasts           time.Duration
	way             way
	side            int
	refresh         float64 // s
	settle          float64 // s after which who stands is at rest
	seed            uint64
	logDir          string
	out, pcap       string

	clock   clock
	tables  *dat.Tables
	ground  *bench.Ground
	compare bool // clients keep the hash of every tick, and the capture's replay is held against them
}

func (s *setup) serverOptions() systems.Options {
	return systems.Options{Tables: s.tables, Land: s.ground.Land, TicksPerSecond: s.hz, Refresh: s.refresh, Capacity: s.movers}
}

// tickTime is when a tick of the server's is due, in ns.
func (s *setup) tickTime(tick int64) int64 { return int64(float64(tick) * 1e9 / s.hz) }

// sampleEvery is every how many ticks errors are taken: three times a second.
func (s *setup) sampleEvery() int64 { return max(int64(s.hz/3), 1) }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the program; it returns the exit status: 1 when something failed, 2 when
// it was called wrongly.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	s := &setup{}
	f := flag.NewFlagSet("server", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.IntVar(&s.clients, "clients", 100, "bots with a client each")
	f.IntVar(&s.movers, "movers", 1000, "movers in all, of which the clients play the first")
	f.Float64Var(&s.hz, "hz", 30, "ticks a second, of the server and of clients")
	f.DurationVar(&s.lasts, "for", time.Minute, "how long it runs")
	f.DurationVar(&s.way.delay, "delay", 100*time.Millisecond, "how long datagrams take, each way")
	f.DurationVar(&s.way.jitter, "jitter", 50*time.Millisecond, "how much more or less, at most")
	f.Float64Var(&s.way.loss, "loss", 0.05, "the part of datagrams that never arrives")
	f.Float64Var(&s.way.reorder, "reorder", 0.01, "the part that takes twice as long")
	f.IntVar(&s.side, "side", 14, "landblocks to a side of the land")
	f.Float64Var(&s.refresh, "refresh", 1, "after how many seconds of silence the server says again how movers stand; 0 is never")
	f.Float64Var(&s.settle, "settle", 3, "after how many seconds who stands is at rest")
	f.Uint64Var(&s.seed, "seed", 1, "of bots and of the way")
	f.StringVar(&s.logDir, "log", "", "empty `folder` for the server's log; else one that is removed again")
	f.StringVar(&s.out, "out", "", "write a page with charts into this `folder`")
	f.StringVar(&s.pcap, "pcap", "", "write what the clients see into this `file`, as pcapng")
	f.BoolVar(&s.compare, "compare", false, "replay that file, and compare each client's state with the replay's, tick by tick")
	if err := f.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2
	}
	if err := s.check(f.Args()); err != nil {
		fmt.Fprintln(stderr, "server:", err)
		return 2
	}
	g, err := play(ctx, s)
	if err == nil {
		err = g.write(stdout)
	}
	if err == nil && s.out != "" {
		_, err = g.page().WriteFile(s.out, "server.html")
	}
	if err == nil && s.compare {
		err = g.compare(stdout)
	}
	if err != nil {
		fmt.Fprintln(stderr, "server:", err)
		return 1
	}
	return 0
}

func (s *setup) check(rest []string) error {
	part := func(v float64) bool { return v >= 0 && v < 1 }
	switch {
	case len(rest) > 0:
		return fmt.Errorf("%q is no flag; -h lists them", rest[0])
	case s.clients < 1 || s.clients > 10_000 || s.movers < s.clients || s.movers > 1_000_000:
		return fmt.Errorf("-clients %d -movers %d: 1 to 10000 clients, and a mover for each", s.clients, s.movers)
	case !(s.hz >= 1 && s.hz <= 200):
		return fmt.Errorf("-hz %v: 1 to 200 ticks a second", s.hz)
	case s.lasts <= 0 || s.way.delay < 0 || s.way.jitter < 0 || s.way.jitter > s.way.delay:
		return errors.New("-for, -delay, -jitter: times are not negative, and there is no more jitter than delay")
	case !part(s.way.loss) || !part(s.way.reorder):
		return errors.New("-loss and -reorder are parts, from 0 to below 1")
	case s.compare && s.pcap == "":
		return errors.New("-compare replays what -pcap writes; give that too")
	case !(s.settle > 0 && s.settle <= 3600):
		return fmt.Errorf("-settle %v: seconds, up to an hour", s.settle)
	}
	return nil
}
