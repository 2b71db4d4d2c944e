package systems

import (
	"bytes"
	"testing"

	"github.com/gait-engine/gait/space"
)

// Under the retail clock the time is state, and an input of the tape.
func TestSnapshotUnderRetailClock(t *testing.T) {
	viewer := spot(110, 100, 0)
	r := frames(t, Options{RetailClock: true, Viewer: &viewer, TicksPerSecond: 30})
	gaps := []float64{0.033, 0.05, 0.01, 0.2, 0.5, 0.034, 3, 0.09, -0.5, 0.6, 0.04}
	now := r.clock.now
	step := func(e *Engine, i int, at float64) {
		t.Helper()
		if i%3 == 0 {
			stir(t, e)
		}
		if _, err := e.AdvanceTo(at); err != nil {
			t.Fatal(err)
		}
		if err := e.Check(); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 60 {
		kept := snapshotOf(t, r)
		o := r.options
		o.Workers, o.ChunkRows = 1+i%3, 7
		e, err := Restore(o, bytes.NewReader(kept))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(snapshotOf(t, e), kept) {
			t.Fatal("the snapshot of what was restored is another")
		}
		played, err := Restore(o, bytes.NewReader(kept))
		if err != nil {
			t.Fatal(err)
		}
		var tape Tape
		e.Record(&tape)
		for k := range 4 {
			now += gaps[(i+k)%len(gaps)]
			step(r, k, now)
			step(e, k, now)
			if r.Hash() != e.Hash() {
				t.Fatalf("round %d: another state %d frames on", i, k)
			}
		}
		if err := played.Play(tape.Bytes(), nil); err != nil || played.Hash() != r.Hash() {
			t.Fatalf("round %d: the tape plays to another state: %v", i, err)
		}
	}
}

// frames is an engine with humanoids under the retail clock, one frame old.
func frames(t *testing.T, o Options) *Engine {
	t.Helper()
	o.Tables = fixtureTables(t)
	e, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	for i := range uint32(12) {
		s := human(me+i, 100+float32(i%4)*3, 90+float32(i/4)*4)
		if i == 7 {
			s.Owned = OwnedMonster
		}
		if i == 11 { // out of the viewer's reach
			s.Place.Frame.Origin = space.Vec3{1, 1, 0}
		}
		if err := e.Spawn(s); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := e.AdvanceTo(1); err != nil {
		t.Fatal(err)
	}
	return e
}

// A tape may come from anywhere, too: whatever is on it, the engine stays whole.
func FuzzTape(f *testing.F) {
	r := scene(f, sceneOptions(f, "flat"))
	kept := snapshotOf(f, r.e)
	var tape Tape
	r.e.Record(&tape)
	onward(f, r.e, 3)
	f.Add(bytes.Clone(tape.Bytes()))
	f.Add([]byte{tapeTick, tapeSequence, tapeRemove, 1, 0, 0, 0x50, tapeViewer, 0})
	f.Add([]byte{tapeMessage, 255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1<<14 {
			return
		}
		e, err := Restore(r.e.options, bytes.NewReader(kept))
		if err != nil {
			t.Fatal(err)
		}
		ticks := 0
		_ = e.Play(b, func() error { // where it is refused, what came before has happened
			if ticks++; ticks > 50 {
				return ErrTape
			}
			return nil
		})
		e.Tick()
		if err := e.Check(); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzSnapshot reads anything as a snapshot.
func FuzzSnapshot(f *testing.F) {
	r := scene(f, sceneOptions(f, "none"))
	kept := snapshotOf(f, r.e)
	f.Add(kept)
	f.Add(kept[:headerBytes+100])
	f.Add(packed(kept, nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		e, err := Restore(r.e.options, bytes.NewReader(b))
		if err == nil && e.Hash() != r.e.Hash() {
			t.Error("another state")
		}
	})
}
