package systems

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/ecs"
	"github.com/gait-engine/gait/systems/collision"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/wire"
)

// scene is an engine in which everything that a snapshot keeps is there: remotes
// that go, stick, jump, are held and watched, owned movers, parked messages, spawns,
// removals and inputs that wait.
func scene(t testing.TB, o Options) *rig {
	t.Helper()
	unknown := human(0, 100, 100)
	o.Unknown, o.MaxUnknown = &unknown, 2
	r := newRig(t, o)
	r.unchecked = true
	for i := range uint32(40) {
		s := human(me+i, 100+float32(i%8)*3, 90+float32(i/8)*4)
		if i%5 == 4 {
			s = creature(me+i, 100+float32(i%8)*3, 90+float32(i/8)*4)
		}
		switch i {
		case 7, 17:
			s.Owned = OwnedMonster
		case 27:
			s.Owned, s.Game = OwnedPlayer, s.Game|components.CanJump|components.HasJumpHeight
			s.JumpHeight = 1
		}
		if i == 9 {
			s.Scale = 1.5
		}
		if i%11 == 10 {
			s.Parent, s.Location = me+i-3, 1
		}
		r.spawn(s)
	}
	r.tick(1)
	return r
}

// grow has somebody's scale change, as a hook does.
func grow(e *Engine) {
	m := &e.workers[0].mover
	m.lose()
	m.at(0)
	m.wake()
	m.scaleTo(1.7, 30)
	m.lose()
}

// stir gives a scene inputs that follow from the tick alone.
func stir(t testing.TB, e *Engine) {
	t.Helper()
	draw := rand.New(rand.NewPCG(e.Now(), 7))
	for range 6 {
		i := draw.Uint32N(44)
		c := Command{Guid: me + i, Target: me + draw.Uint32N(44), Params: motion.DefaultParams(), Speed: 1, RunRate: 1, HasRunRate: true}
		c.Place = spot(100+draw.Float32()*20, 90+draw.Float32()*20, draw.Float32()*360)
		switch draw.IntN(12) {
		case 0:
			c.Do = DoMoveToObject
		case 1:
			c.Do = DoMoveToPosition
		case 2:
			c.Do, c.Radius, c.Height = DoStick, 0.5, 1.8
		case 3:
			c.Do, c.Motion = DoMotion, 0x45000005
		case 4:
			c.Do, c.Motion = DoStopMotion, 0x45000005
		case 5:
			c.Do, c.Contact = DoPosition, true
		case 6:
			c.Do, c.Velocity = DoVelocity, [3]float32{0, 0, 3}
		case 7:
			c.Do, c.Start, c.Max = DoConstrain, 5, 20
		case 8:
			c.Do, c.Location = DoParent, 1
		case 9:
			c.Do = DoTurnToObject
		case 10:
			c.Do, c.Extent = DoJump, 0.5
		case 11:
			c.Do, c.Actions = DoInterpreted, []components.Action{{Motion: wave, Speed: 1, Stamp: uint16(e.Now()), Autonomous: true}}
			c.State.Style, c.State.Forward, c.State.ForwardSpeed = 0x8000003D, 0x44000007, 1.5
		}
		if err := e.Command(c); err != nil {
			t.Fatal(err)
		}
	}
	stranger := wire.Movement{Guid: 0x60000000 + draw.Uint32N(8), Movement: uint16(e.Now()), Body: wire.Body{State: wire.NewState()}}
	msg, err := stranger.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	inbound(t, e, msg)
	inbound(t, e, msg[:draw.IntN(len(msg))]) // most of these are broken
	switch e.Now() % 7 {
	case 0:
		e.Remove(me + draw.Uint32N(40))
	case 1: // goes, and comes again behind that
		guid := me + draw.Uint32N(20)
		if msg, err := e.CreateMessage(nil, guid); err == nil {
			e.Remove(guid)
			inbound(t, e, msg)
		}
	case 2:
		s := human(0x70000000+uint32(e.Now()), 115, 100)
		s.Owned = OwnedMonster
		_ = e.Spawn(s) // or it is there, when a frame came too early to be one
	case 4:
		e.Remove(0x70000000 + uint32(e.Now()) - 2)
	case 3:
		_ = e.Spawn(human(me+draw.Uint32N(44), 110, 100)) // or it is taken
	case 5:
		v := spot(110+draw.Float32()*50, 100, 0)
		if err := e.SetViewer(&v); err != nil {
			t.Fatal(err)
		}
		e.NextSequence()
	}
}

func inbound(t testing.TB, e *Engine, msg []byte) {
	t.Helper()
	if err := e.Inbound(msg); err != nil && len(msg) >= 4 {
		t.Fatal(err)
	}
}

// onward ticks an engine and returns its hash after every tick.
func onward(t testing.TB, e *Engine, ticks int) (hashes []uint64) {
	t.Helper()
	for range ticks {
		stir(t, e)
		e.Tick()
		if err := e.Check(); err != nil {
			t.Fatal(err)
		}
		hashes = append(hashes, e.Hash())
	}
	return hashes
}

func snapshotOf(t testing.TB, e *Engine) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := e.Snapshot(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// sceneOptions are how a scene may be built, the options of the answer aside.
func sceneOptions(t testing.TB, land string) Options {
	o := Options{Tables: fixtureTables(t), Refresh: 2, LocalPlayer: me + 3, Reports: true}
	switch land {
	case "flat":
		o.Land = collision.NewFlat(0)
	}
	return o
}

// What is restored has the hash and the future of what was written, whatever
// workers, chunks and rest the two have; and its own snapshot is the same bytes.
func TestSnapshotHasTheSameFuture(t *testing.T) {
	for _, land := range []string{"none", "flat"} {
		t.Run(land, func(t *testing.T) {
			r := scene(t, sceneOptions(t, land))
			o := r.e.options
			seen := map[string]bool{}
			for round := range 14 {
				onward(t, r.e, 8+round%3)
				grow(r.e)
				stir(t, r.e) // what waits is in it too
				look(r.e, seen)
				kept := snapshotOf(t, r.e)
				o.Workers, o.ChunkRows, o.AlwaysUpdate = 1+round%3, 5+round, round%2 == 1
				e, err := Restore(o, bytes.NewReader(kept))
				if err != nil {
					t.Fatal(err)
				}
				if again := snapshotOf(t, e); !bytes.Equal(kept, again) {
					t.Fatal("the snapshot of what was restored is another")
				}
				sameView(t, r.e, e)
				sameCounts(t, r.e, e)
				r.e.Tick()
				e.Tick()
				for i := range 40 {
					if a, b := r.e.Hash(), e.Hash(); a != b {
						t.Fatalf("%d ticks after round %d: %016x and %016x", i, round, a, b)
					}
					sameView(t, r.e, e)
					if err := e.Check(); err != nil {
						t.Fatal(err)
					}
					stir(t, r.e)
					stir(t, e)
					r.e.Tick()
					e.Tick()
				}
			}
			for _, what := range []string{"parked", "creation", "coming", "unknown", "owned", "held", "ramp", "voyeurs", "move-to", "moved"} {
				if !seen[what] {
					t.Errorf("nothing was %s when a snapshot was taken", what)
				}
			}
		})
	}
}

// look notes what there is to be kept.
func look(e *Engine, seen map[string]bool) {
	b, p := &e.inbound, &e.world.Pools
	note := func(what string, is bool) { seen[what] = seen[what] || is }
	note("parked", b.parked.Len() > 0)
	note("creation", len(b.creation) > 0)
	note("coming", len(e.outbound.coming) > 0)
	note("unknown", len(b.unknown) > 0)
	note("owned", len(e.outbound.owned) > 0)
	note("held", len(e.held.holds) > 0)
	note("moved", e.moved)
	for i := range e.world.Columns().Cold {
		x := &e.world.Columns().Cold[i].Errand
		note("ramp", x.Ramp(p) != nil)
		note("voyeurs", len(x.Voyeurs(p)) > 0)
		m := x.MoveTo(p)
		note("move-to", m != nil && m.Nodes.Len > 0)
	}
}

// sameView compares what two engines show, remote by remote.
func sameView(t testing.TB, a, b *Engine) {
	t.Helper()
	v, w := a.View(), b.View()
	if v.Len() != w.Len() || v.Tick != w.Tick {
		t.Fatalf("%d remotes at tick %d, and %d at %d", v.Len(), v.Tick, w.Len(), w.Tick)
	}
	rows := map[uint32]int{}
	for i, guid := range w.Guid {
		rows[guid] = i
	}
	for i, guid := range v.Guid {
		k := rows[guid]
		if v.Cell[i] != w.Cell[k] || v.Origin[i] != w.Origin[k] || v.Rotation[i] != w.Rotation[k] || v.Velocity[i] != w.Velocity[k] ||
			v.Flags[i] != w.Flags[k] || v.Anim[i] != w.Anim[k] || v.Frame(i) != w.Frame(k) {
			t.Fatalf("0x%08X is seen otherwise", guid)
		}
	}
}

// sameCounts compares what two engines tell of themselves.
func sameCounts(t testing.TB, a, b *Engine) {
	t.Helper()
	tallies := func(e *Engine) (n [6]uint64) {
		waiting, dropped, expired := e.ParkedCount()
		there, refused := e.UnknownCount()
		return [...]uint64{uint64(waiting), dropped, expired, uint64(there), refused, uint64(e.Len())}
	}
	if x, y := tallies(a), tallies(b); x != y || a.Counts() != b.Counts() {
		t.Fatalf("%v and %v, %+v and %+v", x, y, a.Counts(), b.Counts())
	}
}

// Every byte counts: one that is flipped, wherever it is, has a snapshot refused.
func TestFlippedByteIsRefused(t *testing.T) {
	r := scene(t, sceneOptions(t, "flat"))
	onward(t, r.e, 20)
	kept := snapshotOf(t, r.e)
	o := r.e.options
	for i := range kept {
		if testing.Short() && i > 200 && i%29 != 0 {
			continue
		}
		flip := byte(1) << (i % 8)
		kept[i] ^= flip
		_, err := Restore(o, bytes.NewReader(kept))
		kept[i] ^= flip
		if !errors.Is(err, ecs.ErrDamaged) {
			t.Fatalf("byte %d of %d, ^%02x: %v", i, len(kept), flip, err)
		}
	}
}

// Cut short anywhere, it is refused as that.
func TestCutShortIsRefused(t *testing.T) {
	r := scene(t, sceneOptions(t, "flat"))
	onward(t, r.e, 20)
	kept := snapshotOf(t, r.e)
	for n := range kept {
		if testing.Short() && n%29 != 0 {
			continue
		}
		if _, err := Restore(r.e.options, bytes.NewReader(kept[:n])); !errors.Is(err, ecs.ErrCutShort) {
			t.Fatalf("%d of %d bytes: %v", n, len(kept), err)
		}
	}
	after := bytes.NewReader(append(kept, "more"...))
	if _, err := Restore(r.e.options, after); err != nil {
		t.Fatal(err)
	}
	if rest, _ := io.ReadAll(after); string(rest) != "more" {
		t.Errorf("%q is left", rest)
	}
}

// A snapshot says what it is for, and is refused by anything else.
func TestSnapshotForOthersIsRefused(t *testing.T) {
	r := scene(t, sceneOptions(t, "none"))
	kept := snapshotOf(t, r.e)
	o := r.e.options
	try := func(what string, want error, o Options, b []byte) {
		t.Helper()
		if _, err := Restore(o, bytes.NewReader(b)); !errors.Is(err, want) {
			t.Errorf("%s: %v", what, err)
		}
	}
	other := o
	tables := *o.Tables
	tables.Identity[3]++
	other.Tables = &tables
	try("other tables", ecs.ErrTables, other, kept)
	for what, change := range map[string]func(o *Options){
		"TicksPerSecond": func(o *Options) { o.TicksPerSecond = 20 }, "LocalPlayer": func(o *Options) { o.LocalPlayer++ },
		"Reports": func(o *Options) { o.Reports = !o.Reports }, "Refresh": func(o *Options) { o.Refresh++ },
		"Unknown": func(o *Options) { o.Unknown = nil }, "MaxUnknown": func(o *Options) { o.MaxUnknown++ },
		"Lenient": func(o *Options) { o.Lenient = true }, "RetailClock": func(o *Options) { o.RetailClock = true },
		"Land": func(o *Options) { o.Land = collision.NewFlat(0) },
	} {
		other := o
		change(&other)
		try(what, ecs.ErrSettings, other, kept)
		if _, err := Restore(other, bytes.NewReader(kept)); !strings.Contains(err.Error(), what) {
			t.Errorf("%s is not named: %v", what, err)
		}
	}
	try("nothing", ErrOptions, Options{}, kept)
	layout := bytes.Clone(kept)
	layout[16]++
	try("another layout, damaged", ecs.ErrDamaged, o, layout)
	try("another layout", ecs.ErrLayout, o, reseal(layout))
	try("a text", ecs.ErrDamaged, o, bytes.Repeat([]byte("no snapshot "), 100))
}

// An engine that has not ticked, and one without remotes, are engines too.
func TestSnapshotOfLittle(t *testing.T) {
	e, err := New(Options{Tables: fixtureTables(t)})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		again, err := Restore(e.options, bytes.NewReader(snapshotOf(t, e)))
		if err != nil {
			t.Fatal(err)
		}
		if again.Hash() != e.Hash() || again.Now() != e.Now() || (again.View() == nil) != (e.View() == nil) {
			t.Errorf("tick %d comes back as %d", e.Now(), again.Now())
		}
		e.Tick()
	}
}

// What a tape holds makes the same of an engine, at once and after a snapshot.
func TestTapePlays(t *testing.T) {
	for _, land := range []string{"none", "flat"} {
		a := scene(t, sceneOptions(t, land))
		kept := snapshotOf(t, a.e)
		var tape Tape
		a.e.Record(&tape)
		want := onward(t, a.e, 80)
		b, err := Restore(a.e.options, bytes.NewReader(kept))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		if err := b.Play(tape.Bytes(), func() error {
			if b.Hash() != want[n] {
				return errors.New("it goes another way")
			}
			n++
			return nil
		}); err != nil || n != len(want) {
			t.Fatalf("after %d ticks: %v", n, err)
		}
	}
}
