package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gait-engine/gait/bench"
	"github.com/gait-engine/gait/components"
)

func short(n, ticks int) config {
	return config{n: n, ticks: ticks, seed: 1, load: "busy", ground: bench.GroundOptions{Sweep: bench.SweepNone}}
}

// A short soak passes, and says what it did in words and as an object.
func TestSoakPasses(t *testing.T) {
	runs := [][]string{
		{"-ticks", "200", "-n", "40", "-faults", "-sweep", "flat", "-seed", "3"},
		{"-ticks", "450", "-n", "60"},
		{"-ticks", "60", "-n", "30", "-load", "storm"},
	}
	if testing.Short() {
		runs = runs[:1]
	}
	for _, args := range runs {
		var out, errs bytes.Buffer
		if code := run(args, &out, &errs); code != 0 {
			t.Fatalf("%v: status %d: %s%s", args, code, &out, &errs)
		}
		for _, want := range []string{"PASS", "eight workers", "restored", "applied", "memory"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%v: no %q in %s", args, want, &out)
			}
		}
		if strings.Contains(strings.Join(args, " "), "faults") != strings.Contains(out.String(), "refused: ") {
			t.Errorf("%v: %s", args, &out)
		}
	}
	var out, errs bytes.Buffer
	if code := run([]string{"-ticks", "30", "-n", "10", "-json"}, &out, &errs); code != 0 {
		t.Fatalf("status %d: %s", code, &errs)
	}
	var r struct {
		Result, Hash string
		Ticks        int
		Failure      *struct{}
	}
	if err := json.Unmarshal(out.Bytes(), &r); err != nil || r.Result != "PASS" || r.Ticks != 30 || len(r.Hash) != 16 || r.Failure != nil {
		t.Errorf("%s: %v", &out, err)
	}
}

// Who interrupts a soak is told how far it came, and no folder is left of it but the one
// that he asked for.
func TestInterrupted(t *testing.T) {
	scratch, dir := t.TempDir(), filepath.Join(t.TempDir(), "rec")
	t.Setenv("TMPDIR", scratch)
	x := short(20, 0)
	x.hours, x.record = 1, dir
	x.progress = func(p progress) {
		if p.ticks == 3 {
			if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
				t.Error(err)
			}
		}
	}
	if r, err := x.run(); r != nil || !errors.Is(err, errInterrupted) {
		t.Errorf("%+v: %v", r, err)
	}
	if left, err := os.ReadDir(scratch); err != nil || len(left) > 0 {
		t.Errorf("%v is left: %v", left, err)
	}
	if r, err := (config{seed: 1, replay: dir, ground: x.ground}).run(); err != nil || r.Ticks < 3 {
		t.Errorf("%+v: %v", r, err)
	}
}

// What was recorded ends, when it is run again, where it had ended.
func TestSoakReplays(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "rec")
	c := short(30, 120)
	c.record, c.faults = dir, true
	first, err := c.run()
	if err != nil {
		t.Fatal(err)
	}
	again, err := config{seed: 1, replay: dir, ground: c.ground}.run()
	if err != nil {
		t.Fatal(err)
	}
	if again.Ticks != 120 || again.Hash != first.Hash || again.Messages != first.Messages {
		t.Errorf("%d ticks to %s, and %d to %s", first.Ticks, first.Hash, again.Ticks, again.Hash)
	}
	var out, errs bytes.Buffer
	if code := run([]string{"-replay", dir, "-every", "4"}, &out, &errs); code != 0 || !strings.Contains(out.String(), "PASS: every state was equal after every 4 ticks") ||
		!strings.Contains(out.String(), "load recorded") || strings.Contains(out.String(), "after a tenth") {
		t.Errorf("status %d: %s%s", code, &out, &errs)
	}
	if code := run([]string{"-record", dir, "-ticks", "1"}, &out, &errs); code != 1 || !strings.Contains(errs.String(), "already") {
		t.Errorf("a second recording: status %d: %s", code, &errs)
	}
	if code := run([]string{"-replay", t.TempDir()}, &out, &errs); code != 1 {
		t.Errorf("nothing: status %d", code)
	}
}

// breaks makes a column of a remote another in one engine, from a tick on.
func breaks(engine int, at uint64, guid uint32, how func(r *components.Row, p *components.Pools)) func(uint64, []*lane) {
	return func(tick uint64, lanes []*lane) {
		if tick == at {
			lanes[engine].e.Inspect(guid, how)
		}
	}
}

// TestSoakFails: a difference is found in its tick, and told with the remote, the
// column and both values; what is kept shows it again.
func TestSoakFails(t *testing.T) {
	const guid = bench.FirstGuid + 17
	for _, c := range []struct {
		name   string
		engine int
		how    func(r *components.Row, p *components.Pools)
		column string
		engineName,
		value string
	}{
		{"a number", 3, func(r *components.Row, _ *components.Pools) { r.Body.Friction = 0.25 }, "Body.Friction", "eight workers", "0.25"},
		{"one of an array", 0, func(r *components.Row, _ *components.Pools) { r.Stamps.Slot[4] = 777 }, "Stamps.Slot[4]", "reference", "777"},
		{"in a list", 5, func(r *components.Row, p *components.Pools) { r.Sequence.Nodes.Items(&p.Nodes)[0].Rate = 9 }, "Sequence.Nodes[0].Rate", "restored", "9"},
		{"a list's length", 6, func(r *components.Row, p *components.Pools) {
			r.MotionState.Modifiers.Push(&p.Speeded, components.Speeded{Motion: 1})
		}, "length of MotionState.Modifiers", "recovered", "1"},
		{"a box", 1, func(r *components.Row, p *components.Pools) {
			r.Errand.Own.Make(&p.Errands).Sticky.Make(&p.Stickies).Radius = 3
		}, "Errand.Own is there", "two workers", "true"},
	} {
		if testing.Short() && c.engine != 3 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			x := short(20, 300)
			x.corrupt = breaks(c.engine, 40, guid, c.how)
			r, err := x.run()
			if !errors.Is(err, errSoak) {
				t.Fatal(err)
			}
			defer os.RemoveAll(filepath.Dir(r.Failure.Bundle))
			f := r.Failure
			if f.Tick != 40 || f.Guid != guid || !strings.HasPrefix(f.Column, c.column) || f.Values[0] != c.value || f.Values[1] == c.value || f.Engine != c.engineName {
				t.Fatalf("%+v", f)
			}
			var out bytes.Buffer
			r.writeTable(&out)
			for _, want := range []string{"FAIL at tick 40", "0x50000012 " + c.column, c.engineName + ": " + c.value, "-replay " + f.Bundle} {
				if !strings.Contains(out.String(), want) {
					t.Errorf("no %q in %s", want, &out)
				}
			}
			// once more from the bundle, which has all of it but what the test does to it
			again, err := config{seed: 1, replay: f.Bundle, ground: x.ground, corrupt: x.corrupt}.run()
			if !errors.Is(err, errSoak) || again.Failure.difference != f.difference || again.Failure.Tick != 40 {
				t.Fatalf("%+v: %v", again, err)
			}
			if r, err := (config{seed: 1, replay: f.Bundle, ground: x.ground}).run(); err != nil || r.Ticks == 0 {
				t.Errorf("without: %v", err)
			}
		})
	}
}

// Who looks seldom finds a difference later, and its tick when that is run again.
func TestSoakLooksSeldom(t *testing.T) {
	x := short(20, 300)
	x.every = 64
	x.corrupt = breaks(3, 90, bench.FirstGuid+17, func(r *components.Row, _ *components.Pools) { r.Body.Friction = 0.25 })
	r, err := x.run()
	if !errors.Is(err, errSoak) || r.Ticks != 127 {
		t.Fatalf("%+v: %v", r, err)
	}
	defer os.RemoveAll(filepath.Dir(r.Failure.Bundle))
	again, err := config{seed: 1, replay: r.Failure.Bundle, ground: x.ground, corrupt: x.corrupt}.run()
	if !errors.Is(err, errSoak) || again.Failure.Tick != 90 || again.Failure.Column != "Body.Friction" {
		t.Fatalf("%+v: %v", again, err)
	}
	x = short(20, 300)
	x.every = 64
	if r, err := x.run(); err != nil || r.Restored == 0 {
		t.Errorf("%+v: %v", r, err)
	}
}

// A difference in what is no remote's column is told as well, and so is an engine
// that fails.
func TestSoakFailsBesides(t *testing.T) {
	x := short(20, 100)
	x.corrupt = func(tick uint64, lanes []*lane) {
		if tick == 25 {
			lanes[4].e.Remove(bench.FirstGuid) // which is state that waits
		}
	}
	r, err := x.run()
	if !errors.Is(err, errSoak) {
		t.Fatal(err)
	}
	defer os.RemoveAll(filepath.Dir(r.Failure.Bundle))
	if f := r.Failure; f.Tick != 25 || f.Guid != 0 || f.Engine != "without rest" {
		t.Errorf("%+v", f)
	}

	x.corrupt = func(tick uint64, lanes []*lane) {
		if tick == 25 {
			lanes[2].e.Inspect(bench.FirstGuid+3, func(r *components.Row, _ *components.Pools) { r.Sequence.Curr = 99 })
			lanes[2].hash = lanes[0].hash
		}
	}
	r, err = x.run()
	if !errors.Is(err, errSoak) {
		t.Fatal(err)
	}
	defer os.RemoveAll(filepath.Dir(r.Failure.Bundle))
	var out bytes.Buffer
	r.writeTable(&out)
	if f := r.Failure; f.Engine != "three workers" || !strings.Contains(out.String(), "FAIL at tick") {
		t.Errorf("%+v", f)
	}
	if err := r.writeJSON(&out); err != nil || !strings.Contains(out.String(), `"result":"FAIL"`) {
		t.Errorf("%s: %v", &out, err)
	}
}

// A panic is a failure like any other.
func TestPanicIsToldOf(t *testing.T) {
	err := guarded(func() error { panic("no") })
	if !errors.Is(err, errPanic) || !strings.Contains(err.Error(), "no") {
		t.Error(err)
	}
	if err := guarded(func() error { return os.ErrClosed }); err != os.ErrClosed {
		t.Error(err)
	}
}
