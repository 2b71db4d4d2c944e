package systems

import (
	"errors"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/wire"
)

// client returns a rig at tick 1 with the local player, whose reports are written.
func client(t testing.TB) *rig {
	t.Helper()
	r := newRig(t, Options{LocalPlayer: me, Reports: true})
	s := human(me, 108, 108)
	s.Stamps.Slot = [9]uint16{1, 2, 3, 4, 5, 6, 7, 8, 9}
	s.JumpHeight, s.Game = 1, s.Game|components.CanJump|components.HasJumpHeight
	r.spawn(s)
	r.tick(1)
	return r
}

func (r *rig) reported() (m []wire.Message) {
	r.Helper()
	same(r, "messages to others", len(r.e.Outbound()), 0)
	for _, o := range r.e.Reports() {
		if o.Err != nil {
			r.Fatal(o.Err)
		}
		m = append(m, roundTrip(r, o.Message))
	}
	return m
}

var quad = wire.Quad{Instance: 9, ServerControl: 6, Teleport: 5, ForcePosition: 7}

// A movement state at each command change, the hold-run toggle while moving
// included; a position a second after the last message if he has moved (15 §7).
func TestSpec15_7_Reports(t *testing.T) {
	r := client(t)
	key := func(hold components.HoldKey, forward uint32) *wire.MoveToState {
		t.Helper()
		raw := motion.DefaultRaw()
		raw.HoldKey, raw.Forward.Motion = hold, forward
		r.command(Command{Guid: me, Do: DoRaw, Raw: raw})
		here := r.row(me).Pose.Position
		r.tick(1)
		m := r.reported()
		if len(m) == 0 {
			return nil
		}
		x, ok := m[0].(*wire.MoveToState)
		if len(m) != 1 || !ok || x.Stamps != quad || x.Bits != wire.ContactGrounded || x.Place != here {
			t.Fatalf("%+v", m)
		}
		return x
	}
	if x := key(components.HoldRun, ready); x != nil {
		t.Errorf("a hold key alone: %+v", x)
	}
	if x := key(components.HoldRun, walk); x == nil || x.Raw.Flags != wire.RawHoldKey|wire.RawForward || x.Raw.Forward != walk || x.Raw.HoldKey != 2 {
		t.Fatalf("%+v", x)
	}
	if x := key(components.HoldRun, walk); x != nil {
		t.Errorf("no change: %+v", x)
	}
	if x := key(components.HoldNone, walk); x == nil || x.Raw.HoldKey != 1 || x.Sequence != 1 {
		t.Errorf("toggle: %+v", x)
	}
	toggled := r.e.Now()
	same(t, "the embedder's own number", r.e.NextSequence(), 2)
	for len(r.reported()) != 0 || r.e.Now() == toggled {
		r.tick(1)
	}
	for len(r.reported()) == 0 {
		r.tick(1)
	}
	x, ok := r.reported()[0].(*wire.AutonomousPosition)
	if !ok || x.Sequence != 3 || x.Stamps != quad || x.Place != r.row(me).Pose.Position || !x.Contact() {
		t.Fatalf("%+v", x)
	}
	same(t, "ticks since the toggle", r.e.Now()-toggled, uint64(31)) // more than 1.0 s
	key(components.HoldNone, ready)
	n := 0
	for range 300 {
		r.tick(1)
		n += len(r.reported())
	}
	same(t, "reports after he stopped", n, 1)
	r.command(Command{Guid: me, Do: DoMotion, Motion: wave, Speed: 1})
	r.tick(1)
	if x := r.reported()[0].(*wire.MoveToState); len(x.Raw.List()) != 1 || !x.Raw.List()[0].Autonomous() || x.Raw.List()[0].Stamp() != 1 {
		t.Errorf("%+v", x.Raw.List())
	}
	r.tick(90)
	r.command(Command{Guid: me, Do: DoJump, Extent: 0.5})
	r.tick(1)
	if j, ok := r.reported()[0].(*wire.Jump); !ok || j.Extent != 0.5 || j.Velocity[2] < 3 || j.Stamps != quad {
		t.Errorf("%+v", r.reported())
	}
}

// A change of cell is reported at once (15 §7).
func TestSpec15_7_CellChange(t *testing.T) {
	r := client(t)
	r.command(Command{Guid: me, Do: DoPosition, Place: spot(10, 10, 0), Contact: true, Teleport: true})
	r.tick(1)
	if _, ok := r.reported()[0].(*wire.AutonomousPosition); !ok {
		t.Errorf("%+v", r.reported())
	}
}

// What an inbound state has him do is the server's own word, and is not reported to
// it: neither its style nor its actions (15 §7).
func TestSpec15_7_InboundStateIsNoCommand(t *testing.T) {
	r := client(t)
	state := motion.DefaultState()
	state.Style = 0x8000003E
	r.command(Command{Guid: me, Do: DoInterpreted, State: state, Actions: []components.Action{{Motion: wave, Speed: 1, Stamp: 1}}})
	r.tick(1)
	same(t, "stamp", r.row(me).Interpreter.ServerActionStamp, 1)
	for _, m := range r.reported() {
		t.Errorf("%+v", m)
	}
}

// Own input that ends what the server ordered takes control back (20 §5.2 step 6): it is
// reported though no key is held that was not before, or the server would have him go on.
func TestSpec15_7_TakingControlBack(t *testing.T) {
	for name, c := range map[string]Command{
		"stop": {Do: DoStopCompletely}, "key released": {Do: DoStopMotion, Motion: right, Speed: 1}, "jump refused": {Do: DoJump, Extent: 1},
	} {
		r := client(t)
		m := &wire.Movement{Guid: me, Instance: 9, Movement: 3, ServerControl: 6}
		m.Body = wire.Body{Type: wire.TypeMoveToPosition, Cell: 0xA9B40025, Origin: spot(108, 180, 0).Frame.Origin, Params: wire.DefaultParams(), RunRate: 1}
		r.send(m)
		r.command(Command{Guid: me, Do: DoSetTraits, Game: components.HasGame | components.Creature}) // he can jump no more
		r.tick(5)
		c.Guid = me
		r.command(c)
		r.tick(1)
		same(t, name+": under way", r.row(me).Rest.Busy&components.MovingTo != 0, false)
		var told []*wire.MoveToState
		for _, m := range r.reported() {
			if x, ok := m.(*wire.MoveToState); ok {
				told = append(told, x)
			}
		}
		if len(told) != 1 || told[0].Raw.Forward != ready {
			t.Errorf("%s: %+v", name, told)
		}
	}
	// a teleport ends it as well, and is the server's own word
	r := client(t)
	r.command(Command{Guid: me, Do: DoMoveToPosition, Place: spot(108, 180, 0), Params: motion.DefaultParams()})
	r.tick(5)
	r.command(Command{Guid: me, Do: DoPosition, Place: spot(10, 10, 0), Contact: true, Teleport: true})
	r.tick(1)
	for _, m := range r.reported() {
		if _, ok := m.(*wire.MoveToState); ok {
			t.Errorf("%+v", m)
		}
	}
}

// What a client reports, its server applies and tells to others: they see him
// where he is.
func TestSpec15_6_ClientToServerToObserver(t *testing.T) {
	c := newRig(t, Options{LocalPlayer: me, Reports: true})
	server, observer := newRig(t, Options{}), newRig(t, Options{})
	mine := human(me, 108, 108)
	c.spawn(mine)
	mine.Owned = OwnedPlayer
	server.spawn(mine)
	c.tick(1)
	server.tick(1)
	b, err := server.e.CreateMessage(nil, me)
	if err != nil {
		t.Fatal(err)
	}
	observer.send(b)
	ops := map[uint32]int{}
	step := func() {
		c.tick(1)
		for _, o := range c.e.Reports() {
			if err := server.e.ClientAction(me, o.Message); err != nil {
				t.Fatal(err)
			}
		}
		server.tick(1)
		for _, o := range server.e.Outcomes() {
			if o.Verdict != Applied {
				t.Fatalf("%+v", o)
			}
		}
		for _, m := range server.sentOut() {
			ops[m.Opcode()]++
			if x, ok := m.(*wire.Movement); ok && (x.Autonomous != 1 || x.ServerControl != 0) {
				t.Errorf("%+v", x)
			}
			observer.send(m)
		}
		observer.tick(1)
	}
	raw := motion.DefaultRaw()
	for k := range 600 {
		if k%40 == 0 && k < 400 {
			raw.Forward.Motion = []uint32{walk, ready, walk}[k/40%3]
			raw.Turn.Motion = []uint32{0, motion.TurnLeft}[k/40%2]
			raw.HoldKey = components.HoldKey(1 + k/80%2)
			c.command(Command{Guid: me, Do: DoRaw, Raw: raw})
		}
		if k == 400 {
			c.command(Command{Guid: me, Do: DoRaw, Raw: motion.DefaultRaw()})
		}
		step()
	}
	near(t, "server and client", apart(c.world(me), server.world(me)), 0, 0.001)
	near(t, "observer and client", apart(c.world(me), observer.world(me)), 0, 0.05)
	same(t, "movements", ops[wire.OpMovement], 11)
	if ops[wire.OpPosition] < 5 {
		t.Errorf("%v", ops)
	}
}

// The gates of a client's actions: instance, teleport, force-position (20 §5.5),
// and the order of sending; positions of movement states are told once a second.
func TestSpec20_5_5_ClientGate(t *testing.T) {
	r := newRig(t, Options{})
	s := human(me, 108, 108)
	s.Owned = OwnedPlayer
	s.Stamps.Slot = [9]uint16{1, 2, 3, 4, 5, 6, 7, 8, 9}
	r.spawn(s)
	s.Guid, s.Owned = me+1, OwnedMonster
	r.spawn(s)
	r.tick(1)
	act := func(guid uint32, m message) Verdict {
		t.Helper()
		if err := r.e.ClientAction(guid, encode(t, m)); err != nil {
			t.Fatal(err)
		}
		r.tick(1)
		return r.verdicts()[0]
	}
	stands := func(sequence uint32, q wire.Quad, x float32) *wire.AutonomousPosition {
		return &wire.AutonomousPosition{Sequence: sequence, Stamps: q, Place: spot(x, 100, 90), Bits: wire.ContactGrounded}
	}
	same(t, "good", act(me, stands(5, quad, 100)), Applied)
	same(t, "place", r.row(me).Pose.Position, spot(100, 100, 90))
	same(t, "place told", toldOne[*wire.PositionEvent](r).Pack.Place, spot(100, 100, 90))
	same(t, "late", act(me, stands(4, quad, 90)), Stale)
	same(t, "twice", act(me, stands(5, quad, 90)), Stale)
	same(t, "not a player", act(me+1, stands(6, quad, 90)), Refused)
	same(t, "nobody", act(me+2, stands(6, quad, 90)), Refused)
	for _, change := range []func(*wire.Quad){
		func(q *wire.Quad) { q.Instance++ }, func(q *wire.Quad) { q.Teleport-- }, func(q *wire.Quad) { q.ForcePosition-- },
	} {
		q := quad
		change(&q)
		same(t, "gate", act(me, stands(6, q, 90)), Stale)
	}
	same(t, "another action", act(me, &wire.AutonomyLevel{Sequence: 6, Level: 2}), Ignored)
	moves := &wire.MoveToState{Sequence: 7, Stamps: quad, Place: spot(101, 100, 90), Raw: wire.NewRaw()}
	moves.Raw.Forward = walk
	moves.Raw.Fresh()
	same(t, "moves", act(me, moves), Applied)
	same(t, "movement told", toldOne[*wire.Movement](r).Body.State.ForwardID(), walk)
	sameList(t, "and no position within a second", opcodes(r.e.Outbound()), wire.OpMovement)
	r.tick(30)
	moves.Sequence++
	moves.Place = spot(104, 100, 90)
	same(t, "moves again", act(me, moves), Applied)
	sameList(t, "told whatever it says, a second later with the position", opcodes(r.e.Outbound()), wire.OpMovement, wire.OpPosition)
	same(t, "jump that is not allowed", act(me, &wire.Jump{Sequence: 9, Extent: 1, Stamps: quad, Place: spot(104, 100, 90)}), Ignored)

	wantErr(t, r.e.ClientAction(me, []byte{1, 2, 3}), ErrMessage)
	if err := r.e.ClientAction(me, encode(t, stands(10, quad, 90))[:30]); err != nil {
		t.Fatal(err)
	}
	r.tick(1)
	r.wantVerdicts(Refused)
	if err := r.e.Outcomes()[0].Err; !errors.Is(err, wire.ErrShort) {
		t.Error(err)
	}
}

// A position that is said again because nothing else was said is no broadcast: with
// the next movement state the position is told, when a second has passed since the
// last that was one (15 §6).
func TestSpec15_6_RefreshesDoNotPutOffPositions(t *testing.T) {
	r := newRig(t, Options{Refresh: 0.5})
	s := human(me, 108, 108)
	s.Owned = OwnedPlayer
	r.spawn(s)
	r.tick(1)
	act := func(m message) {
		t.Helper()
		if err := r.e.ClientAction(me, encode(t, m)); err != nil {
			t.Fatal(err)
		}
		r.tick(1)
		r.wantVerdicts(Applied)
	}
	act(&wire.AutonomousPosition{Sequence: 1, Place: spot(100, 100, 90), Bits: wire.ContactGrounded})
	toldOne[*wire.PositionEvent](r)
	refreshes := 0
	for range 29 {
		r.tick(1)
		for _, op := range opcodes(r.e.Outbound()) {
			if op == wire.OpPosition {
				refreshes++
			}
		}
	}
	same(t, "refreshes", refreshes, 1)
	moves := &wire.MoveToState{Sequence: 2, Place: spot(101, 100, 90), Raw: wire.NewRaw()}
	act(moves)
	same(t, "told", toldOne[*wire.PositionEvent](r).Pack.Place, spot(101, 100, 90))
	moves.Sequence++
	act(moves)
	sameList(t, "once a second", opcodes(r.e.Outbound()), wire.OpMovement)
}

// Whatever a client sends, no more of his player's motions are pending than [MaxPending] and
// those of one message.
func TestClientCannotFlood(t *testing.T) {
	r := newRig(t, Options{})
	s := human(me, 108, 108)
	s.Owned, s.Game = OwnedPlayer, s.Game|components.CanJump
	r.spawn(s)
	r.tick(1)
	x := &wire.MoveToState{Place: spot(108, 108, 0), Raw: wire.NewRaw(), Bits: wire.ContactGrounded}
	x.Raw.Count = 4
	for range 3000 {
		x.Sequence++
		for i := range x.Raw.List() {
			x.Raw.Actions[i] = wire.NewAction(wire.CommandIndex(wave), uint16(4*x.Sequence)+uint16(i), false, 1)
		}
		x.Raw.Fresh()
		for _, m := range []message{x, &wire.Jump{Sequence: x.Sequence + 1, Place: x.Place, Extent: 1}} {
			if err := r.e.ClientAction(me, encode(t, m)); err != nil {
				t.Fatal(err)
			}
		}
		x.Sequence++
	}
	r.tick(1)
	if n := r.row(me).Pending.Motions.Len; n < MaxPending || n > MaxPending+wire.MaxActions {
		t.Errorf("%d motions are pending", n)
	}
	outcomes := r.e.Outcomes()
	if o := outcomes[len(outcomes)-2]; o.Verdict != Refused || !errors.Is(o.Err, ErrFlood) {
		t.Errorf("%+v", o)
	}
}

// An owned mover is not the local player's, and of a known kind.
func TestOwnedSpawnsAreChecked(t *testing.T) {
	r := newRig(t, Options{LocalPlayer: me})
	s := human(me, 108, 108)
	s.Owned = OwnedPlayer
	wantErr(t, r.e.Spawn(s), ErrSpawn)
	s.Guid, s.Owned = me+1, reporter
	wantErr(t, r.e.Spawn(s), ErrSpawn)
	s.Owned, s.JumpHeight = OwnedMonster, float32NaN
	wantErr(t, r.e.Spawn(s), ErrSpawn)
	if _, err := New(Options{Tables: fixtureTables(t), Refresh: -1}); !errors.Is(err, ErrOptions) {
		t.Error(err)
	}
}

// Any action, from anybody's client: no panic, no broken invariant, and nothing
// that cannot be written (house rule 8).
func FuzzClientAction(f *testing.F) {
	for _, m := range []message{
		&wire.AutonomousPosition{Sequence: 1, Place: spot(100, 100, 0)},
		&wire.MoveToState{Sequence: 1, Place: spot(100, 100, 0), Raw: wire.NewRaw()},
		&wire.Jump{Sequence: 1, Extent: 1, Place: spot(100, 100, 0)},
	} {
		f.Add(encode(f, m))
	}
	f.Fuzz(func(t *testing.T, msg []byte) {
		r := newRig(t, Options{Refresh: 0.1})
		s := human(me, 108, 108)
		s.Owned, s.Game = OwnedPlayer, s.Game|components.CanJump
		r.spawn(s)
		r.tick(1)
		if err := r.e.ClientAction(me, msg); err != nil {
			return
		}
		for range 8 {
			r.tick(1)
			for _, m := range r.sentOut() {
				if x, ok := m.(*wire.PositionEvent); ok && x.Pack.Instance != 0 {
					t.Errorf("%+v", x)
				}
			}
		}
	})
}

// 20 §5.5: only players of the embedder's own have clients.
func TestClientOfNobody(t *testing.T) {
	r := newRig(t, Options{})
	monster := human(me, 108, 108)
	monster.Owned = OwnedMonster
	r.spawn(monster)
	r.spawn(human(me+1, 110, 110))
	r.tick(1)
	for guid, want := range map[uint32]error{me: ErrNotPlayer, me + 1: ErrNotPlayer, me + 2: ErrUnknown} {
		if err := r.e.ClientAction(guid, encode(t, &wire.AutonomyLevel{Sequence: 1, Level: 2})); err != nil {
			t.Fatal(err)
		}
		r.tick(1)
		r.wantVerdicts(Refused)
		wantErr(t, r.e.Outcomes()[0].Err, want)
	}
}

// What a client sends is never a message of the server's, whoever he is.
func TestClientIsNoServer(t *testing.T) {
	r := newRig(t, Options{})
	r.spawn(human(me, 108, 108))
	r.tick(1)
	m := encode(t, r.movement(me, does{forward: run}))
	wantErr(t, r.e.ClientAction(0, m), ErrUnknown)
	if err := r.e.ClientAction(me, m); err != nil {
		t.Fatal(err)
	}
	r.tick(1)
	wantErr(t, r.e.Outcomes()[0].Err, ErrNotPlayer)
	same(t, "runs", r.row(me).Interpreted.Forward == run, false)
}
