package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"github.com/gait-engine/gait/record"
	"github.com/gait-engine/gait/systems"
)

// lane is one of the engines that run side by side.
type lane struct {
	name     string
	options  systems.Options
	restores bool // it is snapshotted and restored at random ticks,
	recovers bool // or recorded, and recovered from that

	e     *systems.Engine
	log   *record.Log
	dir   string
	times int // that it was restored or recovered
	hash  uint64
	err   error
}

// lanesFor are the engines that run side by side, the reference first: one, two,
// three and eight workers, small chunks and large, with rest and without.
func lanesFor(o systems.Options) []*lane {
	make := func(name string, workers, chunk int, always bool) *lane {
		l := &lane{name: name, options: o}
		l.options.Workers, l.options.ChunkRows, l.options.AlwaysUpdate = workers, chunk, always
		return l
	}
	lanes := []*lane{
		make("reference", 1, 256, false),
		make("two workers", 2, 64, false),
		make("three workers", 3, 256, false),
		make("eight workers", 8, 64, false),
		make("without rest", 2, 256, true),
		make("restored", 1, 64, false),
		make("recovered", 2, 256, false),
	}
	lanes[5].restores, lanes[6].recovers = true, true
	return lanes
}

// begin has the lane stand where a snapshot was taken. dir is where one that
// recovers keeps what it needs for that.
func (l *lane) begin(snapshot []byte, dir string) (err error) {
	if l.e, err = systems.Restore(l.options, bytes.NewReader(snapshot)); err != nil || !l.recovers {
		return err
	}
	l.dir = dir
	l.log, err = record.Create(dir, l.e, record.Options{})
	return err
}

// errPanic is what a panic of an engine becomes.
var errPanic = errors.New("the engine panicked")

// guarded calls f and makes an error of its panic.
func guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", errPanic, p)
		}
	}()
	return f()
}

// advance gives the lane what a tick was given, and looks at what it comes to if it
// is to. chance decides whether it is restored or recovered now.
func (l *lane) advance(tape []byte, chance func(one int) bool, looks bool) {
	l.err = guarded(func() error {
		if err := l.e.Play(tape, nil); err != nil {
			return err
		}
		if err := l.again(chance); err != nil {
			return err
		}
		if !looks {
			return nil
		}
		return l.look()
	})
}

// look checks the lane and takes its hash.
func (l *lane) look() error {
	if err := l.e.Check(); err != nil {
		return err
	}
	l.hash = l.e.Hash()
	return nil
}

const (
	restoreOnceIn  = 60  // ticks
	recoverOnceIn  = 400 // ticks
	snapshotOnceIn = 150 // ticks
)

// again has the lane begin again from what it has kept, at random.
func (l *lane) again(chance func(one int) bool) error {
	switch {
	case l.restores && chance(restoreOnceIn):
		var b bytes.Buffer
		if err := l.e.Snapshot(&b); err != nil {
			return err
		}
		e, err := systems.Restore(l.options, &b)
		if err != nil {
			return err
		}
		l.e = e
		l.times++
	case l.recovers:
		if err := l.log.Commit(); err != nil {
			return err
		}
		if chance(snapshotOnceIn) {
			return l.log.Snapshot()
		}
		if !chance(recoverOnceIn) {
			return nil
		}
		if err := l.log.Close(); err != nil {
			return err
		}
		e, report, err := record.Recover(l.dir, l.options)
		if err != nil {
			return err
		}
		if report.Tick != l.e.Now() {
			return fmt.Errorf("recovered on tick %d, not %d", report.Tick, l.e.Now())
		}
		l.e = e
		l.times++
		l.log, err = record.Resume(l.dir, e, report, record.Options{})
		return err
	}
	return nil
}

// end lets go of what the lane holds.
func (l *lane) end() error {
	if l.log == nil {
		return nil
	}
	return errors.Join(l.log.Close(), os.RemoveAll(l.dir))
}

// what says what became of the lane besides its ticks.
func (l *lane) what() string {
	switch {
	case l.restores:
		return fmt.Sprintf("snapshotted and restored %d times", l.times)
	case l.recovers:
		return fmt.Sprintf("replayed from its own log %d times", l.times)
	}
	return ""
}
