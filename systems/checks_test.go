package systems

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/wire"
)

// What an engine refuses, and how it keeps its rows.

func TestOptionsAreChecked(t *testing.T) {
	tables := fixtureTables(t)
	nowhere := space.Position{}
	far := space.Position{Cell: 0xA9B40001, Frame: space.Frame{Origin: space.Vec3{0, 1e30, 0}}}
	tableless, shapeless, owned := human(0, 108, 108), human(0, 108, 108), human(0, 108, 108)
	tableless.MotionTable, shapeless.Scale, owned.Owned = 0x0900FFFF, float32NaN, OwnedMonster
	for _, o := range []Options{
		{}, {Tables: tables, TicksPerSecond: -1}, {Tables: tables, TicksPerSecond: 0.1}, {Tables: tables, TicksPerSecond: 1e6},
		{Tables: tables, Workers: -1}, {Tables: tables, Workers: 5000}, {Tables: tables, ChunkRows: -1}, {Tables: tables, Capacity: -1},
		{Tables: tables, Workers: 1024, ChunkRows: 1 << 20}, {Tables: tables, ChunkRows: math.MaxInt},
		{Tables: tables, Capacity: 1 << 32}, {Tables: tables, Capacity: math.MaxInt},
		{Tables: tables, Viewer: &nowhere}, {Tables: tables, Viewer: &far}, {Tables: tables, Reports: true},
		{Tables: tables, Unknown: &tableless}, {Tables: tables, Unknown: &shapeless}, {Tables: tables, Unknown: &owned},
	} {
		if _, err := New(o); !errors.Is(err, ErrOptions) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	e, err := New(Options{Tables: tables})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "quantum", e.Quantum(), float32(1.0/30))
	same(t, "tick", e.Now(), 0)
	if e.View() != nil || e.Inspect(me, nil) || e.Len() != 0 {
		t.Error("something before the first tick")
	}
}

// The viewer is where he was when the engine was made: were he moved behind its
// back, remotes at rest would not notice.
func TestViewerIsCopied(t *testing.T) {
	viewer := spot(108, 108, 0)
	r := standing(t, Options{Viewer: &viewer})
	viewer.Frame.Origin = space.Vec3{float32NaN, 0, 0}
	r.tick(3)
	same(t, "distance", r.row(me).Body.PlayerDistance, 0)
	r.place(me, spot(108, 113, 0))
	r.tick(60)
	near(t, "distance", float64(r.row(me).Body.PlayerDistance), 5, 0.06)
}

// So is what unknown remotes are made of.
func TestUnknownIsCopied(t *testing.T) {
	unknown := human(0, 108, 108)
	r := newRig(t, Options{Unknown: &unknown})
	unknown.MotionTable = 0x0900FFFF
	r.place(me, spot(109, 108, 0))
	r.tick(1)
	same(t, "remotes", r.e.Len(), 1)
}

func TestSpawnsAreChecked(t *testing.T) {
	r := standing(t, Options{})
	nan := space.Vec3{0, 0, float32NaN}
	for name, change := range map[string]func(*Spawn){
		"no such table":  func(s *Spawn) { s.MotionTable = 0x0900FFFF },
		"no such setup":  func(s *Spawn) { s.Setup = 0x0200FFFF },
		"no rotation":    func(s *Spawn) { s.Place.Frame.Rotation = space.Quat{} },
		"origin NaN":     func(s *Spawn) { s.Place.Frame.Origin = nan },
		"origin far off": func(s *Spawn) { s.Place.Frame.Origin[0] = 1e30 },
		"far indoors":    func(s *Spawn) { s.Place.Cell, s.Place.Frame.Origin[0] = 0xA9B40100, 1e30 },
		"no cell":        func(s *Spawn) { s.Place.Cell = 0xA9B40000 },
		"between cells":  func(s *Spawn) { s.Place.Cell = 0xA9B40041 },
		"velocity":       func(s *Spawn) { s.Velocity = nan },
		"omega":          func(s *Spawn) { s.Omega = nan },
		"run rate":       func(s *Spawn) { s.RunRate = float32NaN },
		"jump height":    func(s *Spawn) { s.JumpHeight = float32NaN },
		"load":           func(s *Spawn) { s.Load = float32NaN },
		"stamina":        func(s *Spawn) { s.Stamina = float32NaN },
		"friction":       func(s *Spawn) { s.Friction = float32NaN },
		"elasticity":     func(s *Spawn) { s.Elasticity = float32NaN },
		"scale 0":        func(s *Spawn) { s.Scale = 0 },
		"scale -1":       func(s *Spawn) { s.Scale = -1 },
		"scale 1e30":     func(s *Spawn) { s.Scale = 1e30 },
		"scale NaN":      func(s *Spawn) { s.Scale = float32NaN },
	} {
		s := human(me+1, 108, 108)
		change(&s)
		if err := r.e.Spawn(s); !errors.Is(err, ErrSpawn) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, guid := range []uint32{0, me} {
		if err := r.e.Spawn(human(guid, 108, 108)); err == nil {
			t.Errorf("guid %d is taken", guid)
		}
	}
	r.tick(1)
	same(t, "rows", r.e.Len(), 1)
}

func TestCommandsAreChecked(t *testing.T) {
	r := standing(t, Options{})
	place := spot(108, 108, 0)
	for name, change := range map[string]func(*Command){
		"nothing":         func(c *Command) { c.Do = 0 },
		"unknown":         func(c *Command) { c.Do = lastDo + 1 },
		"goal":            func(c *Command) { c.Do, c.Place = DoMoveToPosition, space.Position{} },
		"run rate":        func(c *Command) { c.RunRate = float32NaN },
		"order's speed":   func(c *Command) { c.Params.Speed = float32NaN },
		"speed":           func(c *Command) { c.Speed = float32NaN },
		"state":           func(c *Command) { c.State.TurnSpeed = float32NaN },
		"raw":             func(c *Command) { c.Raw.Sidestep.Speed = float32NaN },
		"action":          func(c *Command) { c.Actions = []components.Action{{Speed: float32NaN}} },
		"extent":          func(c *Command) { c.Extent = float32NaN },
		"jump height":     func(c *Command) { c.JumpHeight = float32NaN },
		"load":            func(c *Command) { c.Load = float32NaN },
		"stamina":         func(c *Command) { c.Stamina = float32NaN },
		"velocity":        func(c *Command) { c.Velocity[1] = float32NaN },
		"leash":           func(c *Command) { c.Max = float32NaN },
		"leash's slack":   func(c *Command) { c.Do, c.Start, c.Max = DoConstrain, -3e38, 3e38 },
		"position":        func(c *Command) { c.Do, c.Place = DoPosition, space.Position{} },
		"constrain":       func(c *Command) { c.Do, c.Place = DoConstrain, space.Position{Cell: place.Cell} },
		"position's cell": func(c *Command) { c.Do, c.Place.Cell = DoPosition, 0xA9B40050 },
		"position far":    func(c *Command) { c.Do, c.Place.Frame.Origin[0] = DoPosition, 1e30 },
		"far indoors":     func(c *Command) { c.Do, c.Place.Cell, c.Place.Frame.Origin[0] = DoConstrain, 0xA9B40100, 1e30 },
	} {
		c := Command{Guid: me, Do: DoStopCompletely, Place: place}
		change(&c)
		if err := r.e.Command(c); !errors.Is(err, ErrCommand) {
			t.Errorf("%s: %v", name, err)
		}
	}
	r.tick(1)
	same(t, "outcomes", len(r.e.Outcomes()), 0)
}

// Rows that go and come while columns grow are each their own, and not who stood
// there before.
func TestRowsMoveUnderTheMover(t *testing.T) {
	r := newRig(t, Options{})
	const n = 64 // as many as there is room for
	for i := range uint32(n) {
		r.spawn(human(me+i, 108, 108))
	}
	r.tick(1)
	for i := range uint32(n) {
		r.place(me+i, spot(112, 108, 0)) // all are worked on to the end of the tick
	}
	r.tick(1)
	r.e.Remove(me + 3)
	for i := range uint32(200) {
		r.spawn(creature(me+n+i, 50, 50))
	}
	r.tick(1)
	same(t, "rows", r.e.Len(), n-1+200)
	for i := range uint32(200) {
		c := r.row(me + n + i)
		if c.MotionState.Substate != ready || len(c.nodes) != 1 || !c.Interpreter.Initted {
			t.Fatalf("0x%08X has not entered: %+v", me+n+i, c.MotionState)
		}
	}
	wantView(t, r.e)
}

// The memory reported is that of the columns and of both views.
func TestBytes(t *testing.T) {
	r := newRig(t, Options{})
	for i := range uint32(1000) {
		r.spawn(human(me+i, 108, 108))
	}
	r.tick(2)
	const row = 4 + 4 + 12 + 16 + 12 + 4 + 4 + 8
	if b, w := r.e.Bytes()-r.e.buffers(), r.e.world.Bytes(); b < w+2*1000*row || b > w+2*1400*(row+32) {
		t.Errorf("%d bytes, of which %d are the world's", b, w)
	}
}

// What a burst of inputs took is given back when it is over, and counted until then.
func TestBytesAfterABurst(t *testing.T) {
	alone(t)
	r := standing(t, Options{})
	r.tick(2)
	calm := r.e.Bytes()
	long := make([]byte, MaxMessage)
	for range 1000 {
		r.send(long)
	}
	for range 20000 {
		r.command(Command{Guid: me, Do: DoUnconstrain})
	}
	if b := r.e.Bytes(); b < calm+1000*MaxMessage {
		t.Errorf("%d bytes with %d of messages", b, 1000*MaxMessage)
	}
	r.tick(1)
	same(t, "outcomes", len(r.e.Outcomes()), 21000)
	r.tick(2)
	if b := r.e.Bytes(); b > calm+1<<20 {
		t.Errorf("%d bytes after it, %d before", b, calm)
	}
}

// So is what lanes took of it.
func TestLanesAfterABurst(t *testing.T) {
	r := standing(t, Options{Workers: 2}).laned()
	r.unchecked = true
	b := encode(r, r.movement(me, does{}))
	flood := func(n int) {
		for range n {
			if err := r.e.Inbound(b); err != nil {
				t.Fatal(err)
			}
		}
		r.tick(1)
	}
	flood(1 << 17)
	if b := r.e.inbound.lanes.bytes(); b < 4<<17 {
		t.Errorf("%d bytes for %d messages", b, 1<<17)
	}
	flood(2)
	if b := r.e.inbound.lanes.bytes(); b > 1<<10 {
		t.Errorf("%d bytes for 2 messages", b)
	}
}

// What queues took in a flood is given back when it is over, though nobody comes or goes.
func TestQueuesAfterAFlood(t *testing.T) {
	alone(t)
	const n = 500
	r := newRig(t, Options{})
	r.unchecked = true
	for i := range uint32(n) {
		r.spawn(human(me+i, 108, 108))
	}
	r.tick(60)
	calm := r.e.world.Pools.Bytes()
	for k := range 40 {
		for i := range uint32(n) {
			r.move(me+i, does{forward: []uint32{run, walk, ready}[k%3]})
			r.place(me+i, spot(100+float32(k%10), 108, 0))
		}
		r.tick(1)
	}
	if b := r.e.world.Pools.Bytes(); b < calm+1<<20 {
		t.Errorf("%d bytes in the flood, %d before", b, calm)
	}
	r.tick(3 * trimEvery)
	if b := r.e.world.Pools.Bytes(); b > calm+1<<19 {
		t.Errorf("%d bytes after it, %d before", b, calm)
	}
}

// First sights make no more than Options.MaxUnknown remotes at a time; the rest
// waits, within 20 §7, and is counted.
func TestMaxUnknown(t *testing.T) {
	u := human(0, 50, 50)
	r := newRig(t, Options{Unknown: &u, MaxUnknown: 3})
	for i := range uint32(10) {
		r.place(me+i, spot(50, 50, 0))
	}
	r.send(creates(me+20, 0, 50, 50)) // no first sight
	r.tick(1)
	count := func(there int, refused uint64, rows int) {
		t.Helper()
		n, refusals := r.e.UnknownCount()
		same(t, "there", n, there)
		same(t, "refused", refusals, refused)
		same(t, "rows", r.e.Len(), rows)
	}
	count(3, 7, 4)
	n, _, _ := r.e.ParkedCount()
	same(t, "parked", n, 7)
	r.send(&wire.Delete{Guid: me})
	r.tick(2)
	count(2, 7, 3)
	r.place(me+9, spot(50, 50, 0))
	r.tick(1)
	count(3, 7, 4)
	same(t, "has", r.has(me+9), true)
	r.send(creates(me+9, 1, 50, 50)) // the real one
	r.tick(1)
	count(2, 7, 4)
	for _, bad := range []int{-1} {
		if _, err := New(Options{Tables: fixtureTables(t), MaxUnknown: bad}); !errors.Is(err, ErrOptions) {
			t.Error(err)
		}
	}
}

// Guids come in ascending order in events, whoever is spawned first.
func TestEventsAreInGuidOrder(t *testing.T) {
	r := newRig(t, Options{ChunkRows: 2})
	for _, g := range []uint32{9, 3, 12, 1, 7} {
		r.spawn(human(g, 108, 108))
		r.tick(1)
	}
	r.e.Remove(3)
	r.tick(1)
	for _, g := range []uint32{12, 7, 1, 9} {
		r.move(g, does{forward: run})
	}
	r.spawn(human(2, 108, 108))
	r.e.Remove(1)
	for range 30 {
		r.tick(1)
		if !slices.IsSortedFunc(r.e.Events(), func(a, b Event) int { return int(a.Guid) - int(b.Guid) }) {
			t.Fatalf("%+v", r.e.Events())
		}
	}
}
