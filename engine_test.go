package gait

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/ecs"
	"github.com/gait-engine/gait/record"
	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/systems/collision"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/testdata/fixtures"
	"github.com/gait-engine/gait/wire"
	"pgregory.net/rapid"
)

func TestZeroOptions(t *testing.T) {
	e := newEngine(t, Options{})
	if e.View().Len() != 0 || e.TicksPerSecond() != 30 || e.Now() != 0 {
		t.Errorf("%d remotes, %v ticks a second, tick %d", e.View().Len(), e.TicksPerSecond(), e.Now())
	}
	for _, guid := range []uint32{one, two} {
		s := humanoid(guid)
		if guid == two {
			s.MotionTable, s.Setup = 0x09000007, 0x02000007 // as DefaultTables says
		}
		must(t, e.Spawn(s))
	}
	e.Tick()
	must(t, e.Check())
	if e.Len() != 2 {
		t.Errorf("%d remotes", e.Len())
	}
}

func TestOptionsRefused(t *testing.T) {
	for name, o := range map[string]Options{
		"waiting": {MaxWaiting: -1}, "rate": {TicksPerSecond: -1}, "workers": {Workers: -1}, "viewer": {Viewer: &Position{}},
		"land": {Land: landOfItsOwn(t)}, "reports of nobody": {Reports: true},
	} {
		if _, err := New(o); !errors.Is(err, ErrOptions) {
			t.Errorf("%s: %v", name, err)
		}
		o.Viewer = nil // which is the snapshot's
		if _, err := Restore(o, bytes.NewReader(nil)); name != "viewer" && !errors.Is(err, ErrOptions) {
			t.Errorf("%s, restored: %v", name, err)
		}
	}
}

// TestFrontIsTheEngine: what is fed through the front door ends in the state that
// the engine below comes to by itself.
func TestFrontIsTheEngine(t *testing.T) {
	o := Options{Land: FlatLand(10)}
	must(t, o.fill())
	below, err := systems.New(o.systems())
	must(t, err)
	front := newEngine(t, o)
	must(t, errors.Join(below.Spawn(humanoid(one)), front.Spawn(humanoid(one))))
	for tick := range uint16(60) {
		if tick%7 == 1 {
			m := run(t, one, tick)
			must(t, errors.Join(below.Inbound(m), front.Inbound(m)))
		}
		below.Tick()
		front.Tick()
		if below.Hash() != front.Hash() {
			t.Fatalf("tick %d: %016x, not %016x", tick+1, front.Hash(), below.Hash())
		}
	}
	r, ok := front.Lookup(one)
	if !ok || r.Position().Frame.Origin != below.View().Origin[0] || r.Guid != one {
		t.Errorf("%v at %v, not %v", ok, r.Origin, below.View().Origin[0])
	}
	if _, ok := front.Lookup(two); ok {
		t.Error("somebody is found who is not there")
	}
}

// TestSourcesHaveAnOrder: however the calls of several sources are mixed, what comes
// of them is the same, as long as each source keeps its own order.
func TestSourcesHaveAnOrder(t *testing.T) {
	commands := []uint32{motion.WalkForward, motion.RunForward, motion.TurnRight, motion.SideStepRight}
	rapid.Check(t, func(t *rapid.T) {
		script := make([][]Command, rapid.IntRange(1, 4).Draw(t, "sources"))
		total := 0
		for s := range script {
			for range rapid.IntRange(0, 5).Draw(t, "inputs") {
				c := press(one, rapid.SampledFrom(commands).Draw(t, "command"))
				if rapid.Bool().Draw(t, "released") {
					c.Do = systems.DoStopMotion
				}
				script[s] = append(script[s], c)
				total++
			}
		}
		play := func(pick func(left []int) int) uint64 {
			e, err := New(Options{})
			if err != nil {
				t.Fatal(err)
			}
			if err := e.Spawn(humanoid(one)); err != nil {
				t.Fatal(err)
			}
			at := make([]int, len(script))
			for range total {
				var left []int
				for s := range script {
					if at[s] < len(script[s]) {
						left = append(left, s)
					}
				}
				s := pick(left)
				if err := e.From(uint32(s)).Command(script[s][at[s]]); err != nil {
					t.Fatal(err)
				}
				at[s]++
			}
			for range 5 {
				e.Tick()
			}
			return e.Hash()
		}
		inOrder := play(func(left []int) int { return left[0] })
		mixed := play(func(left []int) int { return rapid.SampledFrom(left).Draw(t, "next") })
		if inOrder != mixed {
			t.Fatalf("%016x, not %016x", mixed, inOrder)
		}
	})
}

// TestOneSourceKeepsItsOrder: of one source, inputs are applied as they came, and
// what carries is copied.
func TestOneSourceKeepsItsOrder(t *testing.T) {
	e := newEngine(t, Options{})
	must(t, e.Spawn(humanoid(one)))
	message := run(t, one, 1)
	actions := []components.Action{{Motion: 0x13000087, Speed: 1, Stamp: 1}}
	must(t, e.Inbound(message))
	must(t, e.Command(Command{Guid: one, Do: systems.DoInterpreted, State: motion.DefaultState(), Actions: actions}))
	must(t, e.Inbound(run(t, one, 2)))
	e.Hash() // hands them on
	clear(message)
	clear(actions)
	must(t, e.Command(Command{Guid: one, Do: systems.DoInterpreted, State: motion.DefaultState(), Actions: []components.Action{{Motion: 0x1300007D, Speed: 1, Stamp: 2}}}))
	must(t, e.Inbound(run(t, one, 3)))
	e.Tick()
	var got []uint32
	for _, o := range e.Outcomes() {
		if o.Verdict != systems.Applied {
			t.Errorf("%+v", o)
		}
		got = append(got, o.Opcode)
	}
	if want := []uint32{wire.OpMovement, 0, wire.OpMovement, 0, wire.OpMovement}; !slices.Equal(got, want) {
		t.Errorf("%x, not %x", got, want)
	}

	plain := newEngine(t, Options{})
	must(t, plain.Spawn(humanoid(one)))
	must(t, plain.Inbound(run(t, one, 1)))
	must(t, plain.Command(Command{Guid: one, Do: systems.DoInterpreted, State: motion.DefaultState(), Actions: []components.Action{{Motion: 0x13000087, Speed: 1, Stamp: 1}}}))
	must(t, plain.Inbound(run(t, one, 2)))
	must(t, plain.Command(Command{Guid: one, Do: systems.DoInterpreted, State: motion.DefaultState(), Actions: []components.Action{{Motion: 0x1300007D, Speed: 1, Stamp: 2}}}))
	must(t, plain.Inbound(run(t, one, 3)))
	plain.Tick()
	if plain.Hash() != e.Hash() {
		t.Error("something was read after it was the caller's again")
	}
}

func TestRefusalsAreCounted(t *testing.T) {
	e := newEngine(t, Options{LocalPlayer: two})
	bad := humanoid(one)
	bad.Setup = 1
	nowhere, nobody := Position{}, humanoid(0)
	for _, c := range []struct {
		err  error
		want error
	}{
		{e.Inbound(nil), systems.ErrMessage},
		{e.Spawn(bad), systems.ErrSpawn},
		{e.Spawn(nobody), ecs.ErrGuid},
		{e.Command(Command{Guid: one}), systems.ErrCommand},
		{e.ClientAction(0, make([]byte, 12)), systems.ErrUnknown},
		{e.SetViewer(&nowhere), systems.ErrOptions},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%v, not %v", c.err, c.want)
		}
	}
	must(t, e.Spawn(humanoid(one)))
	must(t, e.Spawn(humanoid(one)))                  // taken
	must(t, e.Remove(7))                             // nobody
	must(t, e.Command(press(7, motion.WalkForward))) // nobody
	must(t, e.Inbound([]byte{1, 2, 3, 4}))           // no opcode
	must(t, e.Inbound(run(t, one, 1)[:9]))           // short
	must(t, e.Inbound(run(t, one, 1)))               // applied
	must(t, e.Inbound(run(t, 99, 1)))                // parked
	if s := e.Stats(); s.Waiting != 8 || s.WaitingBytes < 8*inputBytes || s.Messages != 4 || s.Spawns != 2 || s.Removals != 1 || s.Commands != 1 {
		t.Errorf("%+v", s)
	}
	e.Tick()
	s := e.Stats()
	want := [Reasons]uint64{
		RefusedLength: 1, RefusedSpawn: 1, RefusedCommand: 1, RefusedViewer: 1, RefusedUnknown: 3,
		RefusedTaken: 2, RefusedOpcode: 1, RefusedShort: 1,
	}
	if s.Refused != want || s.RefusedAll() != 11 || s.Applied != 1 || s.Parked != 1 || s.ParkedNow != 1 || s.Waiting != 0 {
		t.Errorf("%+v", s)
	}
	if out := e.Outcomes(); len(out) != 7 || !errors.Is(out[0].Err, ecs.ErrGuid) || out[0].Guid != one || !errors.Is(out[1].Err, systems.ErrUnknown) {
		t.Errorf("outcomes %+v", out)
	}
	e.Tick()
	if len(e.Outcomes()) != 0 {
		t.Errorf("%d outcomes are left", len(e.Outcomes()))
	}
}

// TestRefusalsSayWhich: a spawn that was not begun with NewSpawn, and a local player who is to be
// owned, are told what is wrong; the log names ids as they are written.
func TestRefusalsSayWhich(t *testing.T) {
	var said bytes.Buffer
	e := newEngine(t, Options{LocalPlayer: one, Log: slog.New(slog.NewTextHandler(&said, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	if err := e.Spawn(Spawn{Guid: two, Place: At(0xA9B40025, 108, 108, 10)}); err == nil || !strings.Contains(err.Error(), "Scale is 0") {
		t.Error(err)
	}
	mine := humanoid(one)
	mine.Owned = systems.OwnedPlayer
	must(t, e.Spawn(mine))
	e.Tick()
	if s := said.String(); !strings.Contains(s, "guid=0x50000001") || !strings.Contains(s, "the local player is not owned") {
		t.Error(s)
	}
}

// TestReasonsFollowWire: a message's reason is its kind.
func TestReasonsFollowWire(t *testing.T) {
	kinds := wire.Kinds()
	if Reason(kinds[0]) != RefusedShort || Reason(kinds[len(kinds)-1]) != RefusedContent || RefusedLength != RefusedContent+1 {
		t.Errorf("kinds %d to %d", kinds[0], kinds[len(kinds)-1])
	}
	seen := map[string]bool{}
	for r := range Reason(Reasons) {
		if seen[r.String()] || r.String() == "" {
			t.Errorf("reason %d is %q", r, r)
		}
		seen[r.String()] = true
	}
	if len(methodNames) != int(atClose)+1 {
		t.Errorf("%d methods have names, not %d", len(methodNames), atClose+1)
	}
}

func TestFull(t *testing.T) {
	m := run(t, one, 1)
	e := newEngine(t, Options{MaxWaiting: 3 * (len(m) + inputBytes)})
	for i := range 5 {
		if err := e.Inbound(m); (i < 3) != (err == nil) || err != nil && !errors.Is(err, ErrFull) {
			t.Errorf("message %d: %v", i, err)
		}
	}
	if err := e.Spawn(humanoid(one)); !errors.Is(err, ErrFull) {
		t.Errorf("a spawn: %v", err)
	}
	if s := e.Stats(); s.Refused[RefusedFull] != 3 || s.Waiting != 3 || s.WaitingBytes != e.options.MaxWaiting {
		t.Errorf("%+v", s)
	}
	e.Tick()
	must(t, e.Inbound(m))
}

// TestInputsFromEverywhere: inputs come from many goroutines while ticks run; none is
// lost, and a view is read meanwhile. The race detector looks on.
func TestInputsFromEverywhere(t *testing.T) {
	const goroutines, each = 8, 200
	e := newEngine(t, Options{Workers: 2, ChunkRows: 16})
	var feeders sync.WaitGroup
	for g := range goroutines {
		feeders.Go(func() {
			guid := uint32(one + g)
			from := e.From(uint32(g))
			if err := from.Spawn(humanoid(guid)); err != nil {
				t.Error(err)
			}
			for i := range each {
				if err := from.Command(press(guid, motion.WalkForward)); err != nil {
					t.Error(err)
				}
				if i%50 == 0 {
					e.View()
					e.Stats()
				}
			}
		})
	}
	done := make(chan bool)
	go func() { feeders.Wait(); close(done) }()
	for fed := false; !fed; {
		select {
		case <-done:
			fed = true
		default:
		}
		var reader sync.WaitGroup
		v := e.View()
		reader.Go(func() { // while the next tick runs
			for r := range v.All() {
				if r.Guid < one || r.Guid >= one+goroutines {
					t.Errorf("%08x is seen", r.Guid)
				}
			}
		})
		e.Tick()
		reader.Wait()
	}
	e.Tick()
	s := e.Stats()
	if s.Commands != goroutines*each || s.Applied != goroutines*each || s.Spawns != goroutines || s.Remotes != goroutines || s.RefusedAll() != 0 {
		t.Errorf("%+v", s)
	}
	must(t, e.Check())
}

// TestWhatWaitsIsInTheSnapshot: and the engine that is made of it goes on alike.
func TestWhatWaitsIsInTheSnapshot(t *testing.T) {
	e := newEngine(t, Options{})
	must(t, e.Spawn(humanoid(one)))
	for range 3 {
		e.Tick()
	}
	must(t, e.Inbound(run(t, one, 1)))
	must(t, e.Spawn(humanoid(two)))
	must(t, e.Spawn(humanoid(two))) // refused as it is handed on, and told of after the tick
	var b bytes.Buffer
	must(t, e.Snapshot(&b))
	again, err := Restore(Options{Workers: 2}, &b)
	must(t, err)
	if v := again.View(); v.Tick() != 3 || v.Len() != 1 || v.Remote(0).Guid != one {
		t.Errorf("it shows %d remotes after tick %d", v.Len(), v.Tick())
	}
	for range 10 {
		e.Tick()
		again.Tick()
		if e.Now() == 4 && len(e.Outcomes()) != 2 {
			t.Errorf("outcomes %+v", e.Outcomes())
		}
	}
	if e.Hash() != again.Hash() || again.Len() != 2 {
		t.Errorf("%016x with %d remotes, not %016x", again.Hash(), again.Len(), e.Hash())
	}
}

func TestRecordRecoverReplay(t *testing.T) {
	dir := t.TempDir()
	e := newEngine(t, Options{})
	must(t, e.Spawn(humanoid(one))) // waits, and is in the first snapshot
	must(t, e.Record(dir, record.Options{HashEvery: 1}))
	var hashes []uint64
	for i := range uint16(20) {
		must(t, e.Inbound(run(t, one, i+1)))
		if i == 10 {
			must(t, e.Checkpoint()) // has what waits
		}
		e.Tick()
		hashes = append(hashes, e.Hash())
	}
	must(t, e.RecordingErr())
	must(t, e.Close())

	again, report, err := Recover(dir, Options{}, record.Options{})
	must(t, err)
	if again.Hash() != hashes[19] || report.Tick != 20 || len(report.Warnings) != 0 {
		t.Errorf("%016x at tick %d, not %016x; %v", again.Hash(), report.Tick, hashes[19], report.Warnings)
	}
	again.Tick() // it is recorded on
	last := again.Hash()
	must(t, again.Close())

	var seen uint64
	report, err = Replay(dir, Options{Workers: 2}, func(e *Engine) error {
		switch {
		case e.Now() != seen:
			t.Errorf("tick %d is shown after %d", e.Now(), seen)
		case e.Now() > 0 && e.Now() <= 20 && (e.Hash() != hashes[e.Now()-1] || e.View().Tick() != e.Now() || len(e.Outcomes()) != 1):
			t.Errorf("tick %d is not as it was", e.Now())
		case e.Now() == 21 && e.Hash() != last:
			t.Error("what was recorded after recovery is not as it was")
		}
		seen++
		return nil
	})
	must(t, err)
	if seen != 22 || report.Tick != 21 {
		t.Errorf("%d were shown, to tick %d", seen, report.Tick)
	}
	stop := errors.New("enough")
	if _, err := Replay(dir, Options{}, func(*Engine) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("a replay that is stopped returns %v", err)
	}
}

// TestARecordingThatFails ends, says so, and the engine goes on.
func TestARecordingThatFails(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "recording")
	e := newEngine(t, Options{})
	must(t, e.Record(dir, record.Options{SegmentBytes: 1})) // every commit begins a file
	must(t, os.RemoveAll(dir))
	e.Tick()
	e.Tick()
	if !errors.Is(e.RecordingErr(), os.ErrNotExist) || e.Now() != 2 {
		t.Errorf("at tick %d: %v", e.Now(), e.RecordingErr())
	}
	for range 2 {
		if err := e.Close(); !errors.Is(err, os.ErrNotExist) || e.RecordingErr() != err {
			t.Errorf("Close says %v, and RecordingErr %v", err, e.RecordingErr())
		}
	}
}

// TestARecordingThatFailsInACheckpoint has ended there, not in the tick after.
func TestARecordingThatFailsInACheckpoint(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "recording")
	e := newEngine(t, Options{})
	must(t, e.Record(dir, record.Options{SegmentBytes: 1}))
	must(t, os.RemoveAll(dir))
	must(t, e.Spawn(humanoid(one))) // is committed first
	if err := e.Checkpoint(); !errors.Is(err, os.ErrNotExist) || !errors.Is(e.RecordingErr(), os.ErrNotExist) {
		t.Errorf("Checkpoint says %v, and RecordingErr %v", err, e.RecordingErr())
	}
	if err := e.Close(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Close says %v", err)
	}
}

// TestSteadyStateAllocatesNothing: once warm, nor do inputs.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	e := newEngine(t, Options{})
	for g := range uint32(64) {
		must(t, e.Spawn(humanoid(one+g)))
	}
	var messages [64][8][]byte
	for g := range messages {
		for i := range messages[g] {
			messages[g][i] = run(t, uint32(one+g), uint16(i+1))
		}
	}
	at := 0
	step := func() {
		for g := range messages {
			must(t, e.Inbound(messages[g][at%8])) // stale when they come again, and decoded all the same
			must(t, e.Command(press(uint32(one+g), motion.WalkForward)))
		}
		at++
		e.Tick()
		e.Events()
		e.View()
		e.Stats()
	}
	for range 100 {
		step()
	}
	if n := testing.AllocsPerRun(100, step); n > 0 {
		t.Errorf("%v allocations a tick", n)
	}
}

func TestStagesAreTimed(t *testing.T) {
	now := int64(0)
	e := newEngine(t, Options{Stopwatch: func() int64 { now++; return now }})
	must(t, e.Spawn(humanoid(one)))
	e.Tick()
	e.Tick()
	s := e.Stats()
	if s.Stages[systems.StageSequence] == 0 || s.Ticks <= s.Last || s.Last == 0 {
		t.Errorf("%+v", s)
	}
	silent := newEngine(t, Options{})
	silent.Tick()
	if s := silent.Stats(); s.Ticks != 0 || s.Stages != [systems.Stages]time.Duration{} {
		t.Errorf("without a clock %+v", s)
	}
}

// TestViewerMoves: the viewer is an input like others.
func TestViewerMoves(t *testing.T) {
	e := newEngine(t, Options{})
	must(t, e.Spawn(humanoid(one)))
	before := e.Hash()
	here := At(0xA9B40025, 1, 1, 1)
	must(t, e.SetViewer(&here))
	here = Position{}
	if e.Hash() == before {
		t.Error("a viewer is nothing to the state")
	}
	must(t, e.SetViewer(nil))
	e.Tick()
	must(t, e.Check())
}

// brokenLand is a source of one landblock, which is not the one that it says it is.
type brokenLand struct{ dat.Source }

func (brokenLand) Name() string                    { return "broken" }
func (brokenLand) IDs(first, last uint32) []uint32 { return nil }
func (brokenLand) Read(id uint32) ([]byte, error) {
	if id == 0xA9B4FFFF {
		return []byte{1, 2, 3}, nil
	}
	return nil, dat.ErrNotFound
}

// TestLandErrorsAreTold: whoever stands on land that cannot be read is in no cell, and the log and
// the counters say why, once.
func TestLandErrorsAreTold(t *testing.T) {
	sources, err := dat.OpenFolders(fixtures.FS)
	must(t, err)
	tables, err := dat.LoadLand(sources...)
	must(t, err)
	var said bytes.Buffer
	e := newEngine(t, Options{
		Tables: tables, Land: collision.NewLand(tables, append([]dat.Source{brokenLand{}}, sources...)...),
		Log: slog.New(slog.NewTextHandler(&said, nil)),
	})
	e.Tick()
	if s := e.Stats(); s.LandErrors != 0 || said.Len() > 0 {
		t.Errorf("%d errors before anybody came: %s", s.LandErrors, &said)
	}
	must(t, e.Spawn(humanoid(one)))
	for range 3 {
		e.Tick()
	}
	if s := e.Stats(); s.LandErrors == 0 || strings.Count(said.String(), "0xA9B4FFFF") != 1 {
		t.Errorf("%d errors, and the log has %s", s.LandErrors, &said)
	}
}
