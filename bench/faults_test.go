package bench

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/wire"
)

// An engine survives what the field brings: every invariant holds after every tick,
// what is bad is refused and counted by reason, memory stays in bounds, and engines
// that are built in other ways come to the same, restored ones too.
func TestFaultsAreSurvived(t *testing.T) {
	for _, sweep := range []string{SweepNone, SweepFlat} {
		t.Run(sweep, func(t *testing.T) {
			ticks := 900
			if testing.Short() {
				ticks = 250
			}
			faulty(t, sweep, ticks)
		})
	}
}

func faulty(t *testing.T, sweep string, ticks int) {
	s, tables := loadOn(t, sweep, Busy, 300, 5)
	e, err := Spawned(s, systems.Options{Tables: tables})
	if err != nil {
		t.Fatal(err)
	}
	o := e.Options()
	o.Workers, o.ChunkRows, o.AlwaysUpdate = 3, 64, true
	other := restored(t, e, o)
	var tape systems.Tape
	e.Record(&tape)
	faults := NewFaults(5)
	var w Window
	verdicts := map[systems.Verdict]int{}
	early, most := uintptr(0), uintptr(0)
	for tick := range ticks {
		if err := s.Fill(&w, 1, nil); err != nil {
			t.Fatal(err)
		}
		b, sizes := w.Messages(0)
		if err := faults.Feed(e, b, sizes); err != nil {
			t.Fatal(err)
		}
		e.Tick()
		for _, o := range e.Outcomes() {
			verdicts[o.Verdict]++
			if (o.Verdict == systems.Refused) != (o.Err != nil) {
				t.Fatalf("tick %d: %+v", e.Now(), o)
			}
		}
		if err := other.Play(tape.Bytes(), nil); err != nil {
			t.Fatal(err)
		}
		tape.Reset()
		for _, e := range []*systems.Engine{e, other} {
			if err := e.Check(); err != nil {
				t.Fatalf("tick %d: %v", e.Now(), err)
			}
		}
		if a, b := e.Hash(), other.Hash(); a != b {
			t.Fatalf("tick %d: %016x and %016x", e.Now(), a, b)
		}
		if tick%100 == 99 {
			other = restored(t, e, o)
		}
		most = max(most, e.Bytes())
		if tick == ticks/3 {
			early = most
		}
	}
	if most > 2*early {
		t.Errorf("%d bytes after a third, then %d", early, most)
	}
	for k, n := range faults.Done {
		if n == 0 {
			t.Errorf("nothing was %s", FaultKind(k))
		}
	}
	for v := systems.Applied; v <= systems.Refused; v++ {
		if verdicts[v] == 0 {
			t.Errorf("nothing was %v", v)
		}
	}
	counts := e.Counts()
	for _, k := range []wire.Kind{wire.ErrShort, wire.ErrLong, wire.ErrType, wire.ErrNotFinite, wire.ErrRotation, wire.ErrCell, wire.ErrGuid, wire.ErrCoordinates, wire.ErrOpcode} {
		if counts.Rejected(k) == 0 {
			t.Errorf("nothing was refused since %v", k)
		}
	}
	t.Logf("%v; %v; refused %d; at most %d remotes' bytes", faults.Done, verdicts, counts.RejectedAll(), most)
}

func restored(t *testing.T, e *systems.Engine, o systems.Options) *systems.Engine {
	t.Helper()
	var b bytes.Buffer
	if err := e.Snapshot(&b); err != nil {
		t.Fatal(err)
	}
	again, err := systems.Restore(o, &b)
	if err != nil {
		t.Fatal(err)
	}
	return again
}

// Every word of every message that a load sends is poisoned in turn, with everything
// that a float may be and should not.
func TestEveryFloatIsPoisoned(t *testing.T) {
	s := newStream(t, Busy, 40, nil)
	e := spawned(t, s, 1)
	w := fill(t, s, 900)
	kinds := map[string]bool{}
	n := 0
	for tick := range w.Ticks() {
		b, sizes := w.Messages(tick)
		for _, size := range sizes {
			msg := b[:size]
			b = b[size:]
			kind := string(msg[:4]) + string(msg[12:min(len(msg), 20)])
			if kinds[kind] {
				continue // one of each shape is enough
			}
			kinds[kind] = true
			for word := range uint32(len(msg) / 4) {
				for with := range uint32(len(poisons)) {
					bad := bytes.Clone(msg)
					poison(bad, word, with)
					if err := e.Inbound(bad); err != nil {
						t.Fatal(err)
					}
					n++
				}
				e.Tick()
				if err := e.Check(); err != nil {
					t.Fatalf("word %d of %x: %v", word, msg, err)
				}
			}
		}
	}
	if counts := e.Counts(); n < 1000 || counts.Rejected(wire.ErrNotFinite) == 0 {
		t.Errorf("%d messages, %d refused as not finite", n, counts.Rejected(wire.ErrNotFinite))
	}
}

// Every float of every command and spawn is, too: one that is used is refused, and
// none gets into the state.
func TestEveryFloatOfACommandIsPoisoned(t *testing.T) {
	if testing.Short() {
		t.Skip("thousands of commands, all by one worker")
	}
	s := newStream(t, Busy, 40, nil)
	e := spawned(t, s, 1)
	refused := 0
	var floats func(v reflect.Value, each func(reflect.Value))
	floats = func(v reflect.Value, each func(reflect.Value)) {
		switch v.Kind() {
		case reflect.Float32:
			each(v)
		case reflect.Struct:
			for i := range v.NumField() {
				if v.Type().Field(i).IsExported() {
					floats(v.Field(i), each)
				}
			}
		case reflect.Array:
			for i := range v.Len() {
				floats(v.Index(i), each)
			}
		}
	}
	nan, inf := math.Float32frombits(poisons[0]), math.Float32frombits(poisons[2])
	guid := uint32(0)
	tick := func(what any) {
		e.Tick()
		if err := e.Check(); err != nil {
			t.Fatalf("%+v: %v", what, err)
		}
	}
	_, place, gait, _ := s.Start(0)
	for do := systems.DoInterpreted; do <= systems.DoParent; do++ {
		c := systems.Command{Do: do, Place: place, Target: 0x7F000001, Speed: 1, RunRate: 1, HasRunRate: true, Motion: walkForward, Game: 1}
		c.State.Style, c.State.Forward = wire.CommandNonCombat, walkForward
		floats(reflect.ValueOf(&c).Elem(), func(v reflect.Value) {
			old := v.Float()
			for _, bad := range []float32{nan, inf, -inf, 3e38, -3e38, 1e-40} {
				guid = (guid + 1) % 40
				c.Guid = FirstGuid + guid
				v.SetFloat(float64(bad))
				if e.Command(c) != nil {
					refused++
				}
			}
			v.SetFloat(old)
			tick(c)
			tick(c)
		})
	}
	spawn := systems.NewSpawn(0x65000001, place)
	spawn.MotionTable, spawn.Setup = gait.MotionTable, gait.Setup
	floats(reflect.ValueOf(&spawn).Elem(), func(v reflect.Value) {
		old := v.Float()
		for _, bad := range []float32{nan, inf, -inf, 3e38, -3e38, 1e-40} {
			spawn.Guid++
			v.SetFloat(float64(bad))
			err := e.Spawn(spawn)
			if err != nil && !errors.Is(err, systems.ErrSpawn) {
				t.Error(err)
			}
			if err != nil {
				refused++
			}
		}
		v.SetFloat(old)
		tick(spawn)
		tick(spawn)
	})
	if refused < 100 {
		t.Errorf("%d were refused", refused)
	}
}
