package gait

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/record"
	"github.com/gait-engine/gait/systems/collision"
)

// says checks that a mistake was answered with a sentence that has these words.
func says(t *testing.T, said string, words ...string) {
	t.Helper()
	if !strings.HasPrefix(said, "gait: ") || !strings.HasSuffix(said, ".") {
		t.Errorf("no full sentence: %q", said)
	}
	for _, w := range words {
		if !strings.Contains(said, w) {
			t.Errorf("%q does not say %q", said, w)
		}
	}
}

// handler calls something with every line that is logged.
type handler struct {
	slog.Handler
	f func()
}

func (h handler) Handle(context.Context, slog.Record) error { h.f(); return nil }

func TestMisuse_TickInsideATick(t *testing.T) {
	var e *Engine
	said := ""
	tick := func() { said = panics(t, func() { e.Tick() }) }
	log := slog.NewTextHandler(&bytes.Buffer{}, &slog.HandlerOptions{Level: slog.LevelDebug})
	e = newEngine(t, Options{Log: slog.New(handler{log, tick})})
	must(t, e.Inbound([]byte{1, 2, 3, 4})) // refused in the tick, and logged
	e.Tick()
	says(t, said, "Tick was called while Tick was at work")

	must(t, e.Spawn(humanoid(one)))
	e.Tick()
	e.Inspect(one, func(*Row, *components.Pools) { tick() })
	says(t, said, "Tick was called while Inspect was at work")
	e.Tick() // and nothing is left of it
	if e.Now() != 3 {
		t.Errorf("at tick %d", e.Now())
	}
}

func TestMisuse_TickInAnotherGoroutine(t *testing.T) {
	in, out := make(chan bool), make(chan bool)
	stop := false
	e := newEngine(t, Options{Stopwatch: func() int64 {
		if !stop { // in the first reading alone
			stop = true
			in <- true
			<-out
		}
		return 0
	}})
	go func() {
		e.Tick()
		close(in)
	}()
	<-in
	for name, f := range map[string]func(){
		"Tick": e.Tick, "Events": func() { e.Events() }, "Hash": func() { e.Hash() }, "Len": func() { e.Len() }, "Outbound": func() { e.Outbound() },
		"Lookup": func() { e.Lookup(one) }, "Close": func() { _ = e.Close() }, "Snapshot": func() { _ = e.Snapshot(&bytes.Buffer{}) },
	} {
		says(t, panics(t, f), name+" was called while Tick was at work", "another goroutine")
	}
	must(t, e.Inbound([]byte{1, 2, 3, 4})) // these are for any time
	e.View()
	e.Stats()
	out <- true
	<-in
}

func TestMisuse_AfterClose(t *testing.T) {
	e := newEngine(t, Options{})
	must(t, e.Spawn(humanoid(one)))
	e.Tick()
	must(t, e.Close())
	must(t, e.Close())
	says(t, panics(t, e.Tick), "Tick", "closed")
	says(t, panics(t, func() { e.Events() }), "Events", "closed")
	for _, err := range []error{
		e.Inbound(run(t, one, 1)), e.Command(press(one, 0x45000005)), e.Spawn(humanoid(two)), e.Remove(one), e.SetViewer(nil),
		e.ClientAction(one, make([]byte, 12)),
	} {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("an input is answered with %v", err)
		}
	}
	if n := e.Stats().Refused[RefusedClosed]; n != 6 {
		t.Errorf("%d refusals are counted", n)
	}
	if v := e.View(); v.Len() != 1 || v.Tick() != 1 {
		t.Errorf("the last view shows %d remotes after tick %d", v.Len(), v.Tick())
	}
}

func TestMisuse_AViewHeldTooLong(t *testing.T) {
	e := newEngine(t, Options{})
	must(t, e.Spawn(humanoid(one)))
	e.Tick()
	v := e.View()
	e.Tick()
	if r := v.Remote(0); r.Guid != one || v.Err() != nil { // it lives through one tick
		t.Errorf("%08x, %v", r.Guid, v.Err())
	}
	e.Tick()
	if !errors.Is(v.Err(), ErrStale) {
		t.Errorf("Err is %v", v.Err())
	}
	for _, f := range []func(){
		func() { v.Len() }, func() { v.Remote(0) }, func() { v.Columns() },
		func() {
			for range v.All() {
				t.Error("something is seen")
			}
		},
	} {
		says(t, panics(t, f), "view of tick 1", "tick 3 had begun")
	}
	if e.View().Err() != nil || e.View().Remote(0).Guid != one {
		t.Error("the newest view cannot be read")
	}
}

func TestMisuse_AReplayIsNotFedNorTicked(t *testing.T) {
	dir := t.TempDir()
	e := newEngine(t, Options{})
	must(t, e.Record(dir, record.Options{}))
	if err := e.Record(t.TempDir(), record.Options{}); !errors.Is(err, ErrRecording) {
		t.Errorf("a second recording is answered with %v", err)
	}
	e.Tick()
	must(t, e.Close())
	shown := 0
	_, err := Replay(dir, Options{}, func(e *Engine) error {
		shown++
		says(t, panics(t, e.Tick), "replay")
		if err := e.Spawn(humanoid(one)); !errors.Is(err, ErrReplay) {
			t.Errorf("a spawn is answered with %v", err)
		}
		if err := e.Record(t.TempDir(), record.Options{}); !errors.Is(err, ErrRecording) {
			t.Errorf("a recording is answered with %v", err)
		}
		return nil
	})
	must(t, err)
	if shown != 2 { // as it begins, and after the tick
		t.Errorf("shown %d times", shown)
	}
	plain := newEngine(t, Options{})
	if err := plain.Checkpoint(); !errors.Is(err, ErrRecording) {
		t.Errorf("a checkpoint of what is not recorded is answered with %v", err)
	}
}

// TestMisuse_NoEngine: the zero Engine is none.
func TestMisuse_NoEngine(t *testing.T) {
	var e Engine
	for name, f := range map[string]func(){
		"Tick": e.Tick, "Len": func() { e.Len() }, "Lookup": func() { e.Lookup(one) }, "Events": func() { e.Events() }, "Now": func() { e.Now() },
		"Hash": func() { e.Hash() }, "Snapshot": func() { _ = e.Snapshot(&bytes.Buffer{}) }, "Close": func() { _ = e.Close() },
	} {
		says(t, panics(t, f), name+" was called on an Engine that neither New nor Restore nor Recover has made")
	}
	for _, f := range []func(){func() { _ = e.Inbound(make([]byte, 8)) }, func() { _ = e.Spawn(humanoid(one)) }, func() { _ = e.From(1).Remove(one) }} {
		says(t, panics(t, f), "an input was fed to an Engine that neither New nor Restore nor Recover has made")
	}
}

// TestNilIsRefused: where something has to be given that is not there.
func TestNilIsRefused(t *testing.T) {
	l := landOfItsOwn(t)
	tables := newEngine(t, Options{}).Tables()
	for name, f := range map[string]func() error{
		"snapshot": func() error { _, err := Restore(Options{}, nil); return err },
		"replay":   func() error { _, err := Replay(t.TempDir(), Options{}, nil); return err },
		"source":   func() error { _, err := New(Options{Tables: tables, Land: collision.NewLand(tables, nil)}); return err },
		"tables":   func() error { _, err := New(Options{Tables: tables, Land: collision.NewLand(nil)}); return err },
		"own":      func() error { _, err := New(Options{Land: l}); return err },
		"zero":     func() error { _, err := New(Options{Tables: tables, Land: &Land{}}); return err },
	} {
		if err := f(); !errors.Is(err, ErrOptions) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
