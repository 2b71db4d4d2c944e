package main

import (
	"bufio"
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"github.com/gait-engine/gait/bench"
)

// game is what was played.
type game struct {
	setup   *setup
	server  *server
	clients []*client
	lines   []line // that are open
	lasted  time.Duration
}

// play runs a game until its time is over or the context ends.
func play(ctx context.Context, s *setup) (g *game, err error) {
	clean, err := s.furnish()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, clean()) }()
	clock := &wallClock{time.Now()}
	s.clock = clock
	lower, upper, err := listenPair()
	if err != nil {
		return nil, err
	}
	made := &game{setup: s}
	g = made
	defer func() { err = errors.Join(err, made.hangUp()) }() // whatever is returned
	if err := g.open(lower, upper); err != nil {
		return nil, err
	}
	clock.began = time.Now()
	rec, closeRecorder, err := s.record(clock.began)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, closeRecorder()) }()
	for range s.clients {
		l, err := listen(0)
		if err != nil {
			return nil, err
		}
		if err := g.join(l, rec); err != nil {
			return nil, err
		}
	}
	err = g.run(ctx)
	g.lasted = time.Since(clock.began)
	return g, errors.Join(err, g.server.close())
}

// furnish makes the land, and a folder for the log if none was named; clean undoes it.
func (s *setup) furnish() (clean func() error, err error) {
	if s.tables, s.ground, err = bench.LoadGround(bench.GroundOptions{Sweep: bench.SweepTerrain, Side: s.side}); err != nil {
		return nil, err
	}
	if s.logDir != "" {
		return s.ground.Close, nil
	}
	if s.logDir, err = os.MkdirTemp("", "gait-server-"); err != nil {
		return nil, errors.Join(err, s.ground.Close())
	}
	return func() error { return errors.Join(s.ground.Close(), os.RemoveAll(s.logDir)) }, nil
}

// open makes the server, with the lines that it listens on.
func (g *game) open(lower, upper line) (err error) {
	g.lines = append(g.lines, lower, upper)
	g.server, err = newServer(g.setup, lower, upper)
	return err
}

// join adds a client; the first keeps paths.
func (g *game) join(l line, r *recorder) error {
	g.lines = append(g.lines, l)
	c, err := newClient(g.setup, len(g.clients), g.server, l, r)
	if err != nil {
		return err
	}
	if len(g.clients) == 0 {
		c.scores.trails = map[uint32]*trail{}
	}
	g.clients = append(g.clients, c)
	return nil
}

// hangUp closes the lines.
func (g *game) hangUp() (err error) {
	for _, l := range g.lines {
		err = errors.Join(err, l.Close())
	}
	g.lines = nil
	return err
}

// record opens the capture, if one is asked for.
func (s *setup) record(began time.Time) (*recorder, func() error, error) {
	if s.pcap == "" {
		return nil, func() error { return nil }, nil
	}
	f, err := os.Create(s.pcap)
	if err != nil {
		return nil, nil, err
	}
	w := bufio.NewWriter(f)
	r, err := newRecorder(w, began, s.clients)
	return r, func() error { return errors.Join(r.close(), w.Flush(), f.Close()) }, err
}

// run has all at work, each in a goroutine; the first that fails ends all.
func (g *game) run(ctx context.Context) error {
	ctx, timeout := context.WithTimeout(ctx, g.setup.lasts)
	defer timeout()
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	var playing, reading sync.WaitGroup
	start := func(group *sync.WaitGroup, f func() error) {
		group.Go(func() {
			if err := f(); err != nil {
				fail(err)
			}
		})
	}
	start(&reading, func() error { return g.server.lower.read(g.server.box) })
	start(&reading, func() error { return g.server.upper.read(g.server.box) })
	start(&playing, func() error { return g.server.run(ctx) })
	for _, c := range g.clients {
		start(&reading, func() error { return c.line.read(c.box) })
		start(&playing, func() error { return c.run(ctx) })
	}
	playing.Wait()
	err := g.hangUp()
	reading.Wait()
	if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) && !errors.Is(cause, context.DeadlineExceeded) {
		err = errors.Join(cause, err)
	}
	return err
}
