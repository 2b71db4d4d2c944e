package systems

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/collision"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/wire"
)

// owner returns a rig at tick 1 with one humanoid of a kind.
func owner(t testing.TB, kind Ownership, o Options) *rig {
	t.Helper()
	r := newRig(t, o)
	s := human(me, 108, 108)
	s.Owned = kind
	r.spawn(s)
	r.tick(1)
	if len(r.e.Outbound()) != 0 {
		t.Fatalf("%+v", r.e.Outbound())
	}
	return r
}

// told are the messages of the last tick, decoded.
func (r *rig) sentOut() (m []wire.Message) {
	r.Helper()
	for _, o := range r.e.Outbound() {
		if o.Err != nil {
			r.Fatal(o.Err)
		}
		m = append(m, roundTrip(r, o.Message))
	}
	return m
}

// toldOne is the only one, of type M.
func toldOne[M wire.Message](r *rig) M {
	r.Helper()
	var found []M
	for _, m := range r.sentOut() {
		if x, ok := m.(M); ok {
			found = append(found, x)
		}
	}
	if len(found) != 1 {
		r.Fatalf("tick %d: %d of %T in %+v", r.e.Now(), len(found), *new(M), r.sentOut())
	}
	return found[0]
}

func opcodes(outs []Out) (op []uint32) {
	for _, o := range outs {
		op = append(op, wire.Opcode(o.Message))
	}
	return op
}

func running() motion.RawState {
	s := motion.DefaultRaw()
	s.HoldKey, s.Forward.Motion = components.HoldRun, motion.WalkForward
	return s
}

// UpdateMotion: on every change of commanded motion, at once, with its stamps;
// what changes nothing is not told (15 §6).
func TestSpec15_6_UpdateMotion(t *testing.T) {
	r := owner(t, OwnedMonster, Options{})
	r.command(Command{Guid: me, Do: DoRaw, Raw: running()})
	r.tick(1)
	x := toldOne[*wire.Movement](r)
	if x.Movement != 1 || x.ServerControl != 1 || x.Autonomous != 0 || x.Body.State.ForwardID() != run || x.Body.State.ForwardSpeed != 1 {
		t.Errorf("%+v", x)
	}
	same(t, "state flags", x.Body.State.Flags, wire.StateForward)
	r.command(Command{Guid: me, Do: DoRaw, Raw: running()})
	r.tick(1)
	for _, m := range r.sentOut() {
		if _, ok := m.(*wire.Movement); ok {
			t.Error("no change is told")
		}
	}
	r.command(Command{Guid: me, Do: DoMotion, Motion: wave, Speed: 2})
	r.tick(1)
	x = toldOne[*wire.Movement](r)
	if a := x.Body.State.List(); len(a) != 1 || a[0] != wire.NewAction(wire.CommandIndex(wave), 1, false, 2) {
		t.Errorf("%+v", a)
	}
	r.command(Command{Guid: me, Do: DoStopCompletely})
	r.tick(1)
	x = toldOne[*wire.Movement](r)
	if x.Movement != 3 || x.Body.State.Count != 0 || x.Body.State.Flags != 0 { // new actions only
		t.Errorf("%+v", x)
	}
	// two changes in a tick are two messages; forty actions are two as well
	actions := make([]components.Action, 40)
	for i := range actions {
		actions[i] = components.Action{Motion: wave, Speed: 1, Stamp: uint16(i + 1)}
	}
	r.command(Command{Guid: me, Do: DoRaw, Raw: running()})
	r.command(Command{Guid: me, Do: DoInterpreted, State: motion.DefaultState(), Actions: actions})
	r.tick(1)
	var counts []uint8
	for _, m := range r.sentOut() {
		if x, ok := m.(*wire.Movement); ok {
			counts = append(counts, x.Body.State.Count)
		}
	}
	sameList(t, "actions", counts, 0, 31, 9)
}

// The autonomous flag is an owned player's own input, and leaves the server-control stamp alone.
func TestSpec15_6_Autonomous(t *testing.T) {
	r := owner(t, OwnedPlayer, Options{})
	r.command(Command{Guid: me, Do: DoRaw, Raw: running()})
	r.tick(1)
	if x := toldOne[*wire.Movement](r); x.Autonomous != 1 || x.Movement != 1 || x.ServerControl != 0 {
		t.Errorf("%+v", x)
	}
	r.command(Command{Guid: me, Do: DoInterpreted, State: motion.DefaultState()})
	r.tick(1)
	if x := toldOne[*wire.Movement](r); x.Autonomous != 0 || x.Movement != 2 || x.ServerControl != 1 {
		t.Errorf("%+v", x)
	}
}

// The run key is the player's own input as well (20 §2.1).
func TestSpec15_6_AutonomousHoldKey(t *testing.T) {
	for _, do := range []Do{DoHoldKey, DoHoldRun} {
		r := newRig(t, Options{})
		s := human(me, 108, 108)
		s.Game, s.Owned = 0, OwnedPlayer // its own raw input is what counts (R5.25)
		r.spawn(s)
		r.tick(1)
		r.command(Command{Guid: me, Do: DoMotion, Motion: walk, Speed: 1})
		r.tick(1)
		r.command(Command{Guid: me, Do: do, Hold: components.HoldRun})
		r.tick(1)
		if x := toldOne[*wire.Movement](r); x.Body.State.ForwardID() != run || x.Autonomous != 1 || x.Movement != 2 || x.ServerControl != 0 {
			t.Errorf("%d: %+v", do, x)
		}
	}
}

// An action is told when it is begun here: of one with its own input, an autonomous
// one in an inbound state is not, and moves no stamp (R5.28).
func TestSpec15_6_SkippedActionIsNotTold(t *testing.T) {
	r := newRig(t, Options{})
	s := human(me, 108, 108)
	s.Game, s.Owned = 0, OwnedMonster
	r.spawn(s)
	r.tick(1)
	r.command(Command{Guid: me, Do: DoInterpreted, State: motion.DefaultState(), Actions: []components.Action{
		{Motion: wave, Speed: 1, Stamp: 5, Autonomous: true}, {Motion: wave, Speed: 2, Stamp: 3},
	}})
	r.tick(1)
	same(t, "stamp", r.row(me).Interpreter.ServerActionStamp, 3)
	if a := toldOne[*wire.Movement](r).Body.State.List(); len(a) != 1 || a[0].Speed != 2 {
		t.Errorf("%+v", a)
	}
}

// Positions of a moving monster: every 0.2 s while that changes, once more at rest, then none.
func TestSpec15_6_MonsterPositions(t *testing.T) {
	r := owner(t, OwnedMonster, Options{})
	r.command(Command{Guid: me, Do: DoRaw, Raw: running()})
	var at []uint64
	var stamps []uint16
	note := func() {
		r.tick(1)
		for _, m := range r.sentOut() {
			if x, ok := m.(*wire.PositionEvent); ok {
				at, stamps = append(at, r.e.Now()), append(stamps, x.Pack.Position)
				same(t, "place", x.Pack.Place, r.row(me).Pose.Position)
				same(t, "flags", x.Pack.Flags, wire.PackContact|wire.PackOmitX|wire.PackOmitY|wire.PackOmitZ)
			}
		}
	}
	for range 30 {
		note()
	}
	sameList(t, "ticks", at, 7, 13, 19, 25, 31)
	sameList(t, "stamps", stamps, 1, 2, 3, 4, 5)
	r.command(Command{Guid: me, Do: DoRaw, Raw: motion.DefaultRaw()})
	at = nil
	for range 90 {
		note()
	}
	if len(at) < 2 || at[len(at)-1] > 70 {
		t.Errorf("told at %v after the stop", at)
	}
	if r.row(me).Rest.Since == 0 {
		t.Error("an owned mover does not rest")
	}
}

// A monster that runs against somebody moves, for all that it stands still: its
// position is told every 0.2 s, since its copies run on where nobody is in their way.
func TestSpec15_6_BlockedMonsterPositions(t *testing.T) {
	r := newRig(t, Options{Land: collision.NewFlat(0)})
	s := human(me, 108, 108)
	s.Owned = OwnedMonster
	r.spawn(s)
	r.spawn(human(me+1, 108, 110)) // heading 0 is north
	r.tick(1)
	r.command(Command{Guid: me, Do: DoRaw, Raw: running()})
	r.tick(60)
	stood := r.row(me).Pose.Position
	var at []uint64
	note := func(ticks int) {
		at = nil
		for range ticks {
			r.tick(1)
			for _, m := range r.sentOut() {
				if _, ok := m.(*wire.PositionEvent); ok {
					at = append(at, r.e.Now())
				}
			}
		}
	}
	note(24)
	same(t, "place", r.row(me).Pose.Position, stood)
	sameList(t, "ticks", at, 67, 73, 79, 85)
	r.command(Command{Guid: me, Do: DoRaw, Raw: motion.DefaultRaw()})
	note(30)
	note(30)
	if len(at) > 0 {
		t.Errorf("told at %v, at rest", at)
	}
}

// Creatures that are no monsters tell their position at the end of move-tos,
// projectiles never, players when a second has passed.
func TestSpec15_6_OtherPositions(t *testing.T) {
	for kind, want := range map[Ownership]int{OwnedCreature: 0, OwnedProjectile: 0, OwnedPlayer: 2} {
		r := owner(t, kind, Options{})
		r.command(Command{Guid: me, Do: DoRaw, Raw: running()})
		got := 0
		for range 75 {
			r.tick(1)
			for _, m := range r.sentOut() {
				if _, ok := m.(*wire.PositionEvent); ok {
					got++
				}
			}
		}
		if got != want {
			t.Errorf("kind %d: %d positions in 2.5 s, want %d", kind, got, want)
		}
	}
}

// A move-to is told as an order; its end by a position, forced; one that fails, by
// the state as well (15 §6, 06 §6.7).
func TestSpec15_6_MoveTo(t *testing.T) {
	for _, kind := range []Ownership{OwnedMonster, OwnedCreature} {
		r := owner(t, kind, Options{})
		c := Command{Guid: me, Do: DoMoveToPosition, Place: spot(108, 112, 0), Params: motion.DefaultParams()}
		r.command(c)
		r.tick(1)
		x := toldOne[*wire.Movement](r)
		if b := &x.Body; b.Type != wire.TypeMoveToPosition || b.Origin != c.Place.Frame.Origin || b.RunRate != 1 ||
			b.Params != wire.DefaultParams() || x.ServerControl != 1 {
			t.Errorf("%+v", x)
		}
		ended := false
		for range 200 {
			r.tick(1)
			for _, m := range r.sentOut() {
				if _, ok := m.(*wire.Movement); ok {
					t.Error("arriving is told, and shows by itself")
				}
			}
			if slices.Contains(r.kinds(me), MoveToEnded) {
				ended = true
				same(t, "place", toldOne[*wire.PositionEvent](r).Pack.Place, r.row(me).Pose.Position)
			}
		}
		if !ended {
			t.Fatal("it does not arrive")
		}
	}

	r := owner(t, OwnedMonster, Options{})
	r.spawn(human(me+1, 108, 150))
	r.tick(1)
	r.command(Command{Guid: me, Do: DoMoveToObject, Target: me + 1, Params: motion.DefaultParams()})
	r.tick(1)
	if b := toldOne[*wire.Movement](r).Body; b.Type != wire.TypeMoveToObject || b.Target != me+1 || b.Origin != spot(108, 150, 0).Frame.Origin {
		t.Errorf("%+v", b)
	}
	r.tick(20)
	r.e.Remove(me + 1)
	r.tick(1)
	if b := toldOne[*wire.Movement](r).Body; b.Type != wire.TypeState || b.State.Flags != 0 {
		t.Errorf("%+v", b)
	}
	toldOne[*wire.PositionEvent](r)
	for do, want := range map[Do]wire.MovementType{DoTurnToObject: wire.TypeTurnToObject, DoTurnToHeading: wire.TypeTurnToHeading} {
		r := owner(t, OwnedMonster, Options{})
		r.spawn(human(me+1, 140, 108))
		r.tick(1)
		c := Command{Guid: me, Do: do, Target: me + 1, Params: motion.DefaultParams()}
		c.Params.DesiredHeading = 90
		r.command(c)
		r.tick(1)
		b := toldOne[*wire.Movement](r).Body
		if b.Type != want || b.Params.DesiredHeading != 90 || want == wire.TypeTurnToObject && (b.Heading != 90 || b.Target != me+1) {
			t.Errorf("%+v", b)
		}
	}
}

// tells has a server do something for a tick, and another engine what that sends.
func (r *rig) tells(copies *rig, commands ...Command) {
	r.Helper()
	for _, c := range commands {
		r.command(c)
	}
	r.tick(1)
	for _, m := range r.sentOut() {
		copies.send(m)
	}
	copies.tick(1)
}

// A teleport ends an order where it is told (12 §4), so it does here, with Force or
// without; so does coming back into the world, and a mere correction does not.
func TestSpec15_6_TeleportEndsAnOrder(t *testing.T) {
	to := Command{Guid: me, Do: DoPosition, Place: spot(60, 60, 0), Contact: true}
	for name, c := range map[string]struct {
		teleport, force, nowhere, goesOn bool
	}{
		"teleport": {teleport: true}, "forced teleport": {teleport: true, force: true}, "correction": {force: true, goesOn: true},
		"back": {nowhere: true}, "forced back": {nowhere: true, force: true},
	} {
		server, copies := owner(t, OwnedMonster, Options{}), standing(t, Options{})
		server.tells(copies, Command{Guid: me, Do: DoMoveToPosition, Place: spot(108, 180, 0), Params: motion.DefaultParams()})
		server.tells(copies)
		if c.nowhere {
			server.tells(copies, Command{Guid: me, Do: DoPickUp})
		}
		to.Teleport, to.Force = c.teleport, c.force
		server.tells(copies, to)
		for _, r := range []*rig{server, copies} {
			same(t, name+": under way", r.row(me).Rest.Busy&components.MovingTo != 0, c.goesOn)
		}
	}
}

// What is commanded behind a teleport, or behind coming back, in the same tick is told behind
// it: where it came first, the teleport would end it (12 §4).
func TestSpec15_6_OrderBehindATeleport(t *testing.T) {
	for _, nowhere := range []bool{false, true} {
		server, copies := owner(t, OwnedMonster, Options{}), standing(t, Options{})
		if nowhere {
			server.tells(copies, Command{Guid: me, Do: DoPickUp})
		}
		server.tells(copies, Command{Guid: me, Do: DoPosition, Place: spot(60, 60, 0), Contact: true, Teleport: !nowhere},
			Command{Guid: me, Do: DoMoveToPosition, Place: spot(60, 90, 0), Params: motion.DefaultParams()})
		for _, r := range []*rig{server, copies} {
			same(t, "under way", r.row(me).Rest.Busy&components.MovingTo != 0, true)
		}
		sameList(t, "told", opcodes(server.e.Outbound()), wire.OpPosition, wire.OpMovement)
	}
}

// Each state is told, with its own stamp: of two in a tick the second is no edge, and
// leaves the word as it is (11 §2).
func TestSpec15_6_EachState(t *testing.T) {
	server, copies := owner(t, OwnedMonster, Options{}), standing(t, Options{})
	hidden := components.DefaultState | components.ReportCollisions | components.Hidden
	for range 2 {
		server.command(Command{Guid: me, Do: DoState, Physics: hidden})
	}
	server.tick(1)
	var stamps []uint16
	for _, m := range server.sentOut() {
		stamps = append(stamps, m.(*wire.SetState).Stamp)
		copies.send(m)
	}
	copies.tick(1)
	sameList(t, "stamps", stamps, 1, 2)
	same(t, "state", copies.row(me).Body.State, server.row(me).Body.State)
}

// Sticking is the option bit; while it lasts a monster's position is not told (15 §6).
func TestSpec15_6_Sticky(t *testing.T) {
	r := owner(t, OwnedMonster, Options{})
	r.spawn(human(me+1, 108, 111))
	r.tick(1)
	r.command(Command{Guid: me, Do: DoStick, Target: me + 1, Radius: 0.3, Height: 1.8})
	r.tick(1)
	if b := toldOne[*wire.Movement](r).Body; b.Sticky != me+1 || b.Options != wire.OptionSticky {
		t.Errorf("%+v", b)
	}
	r.tick(5)
	for range 15 {
		r.tick(1)
		if len(r.sentOut()) != 0 {
			t.Errorf("tick %d: %+v", r.e.Now(), r.sentOut())
		}
	}
	r.command(Command{Guid: me, Do: DoBroadcast, Teleport: true}) // the first swing's blip
	r.tick(1)
	if p := toldOne[*wire.PositionEvent](r).Pack; p.Teleport != 1 {
		t.Errorf("%+v", p)
	}
	r.command(Command{Guid: me, Do: DoUnstick})
	r.tick(1)
	if b := toldOne[*wire.Movement](r).Body; b.Sticky != 0 || b.Options != 0 {
		t.Errorf("%+v", b)
	}
}

// Teleports, corrections, launches, jumps, states, and the end: each with its own stamp.
func TestSpec15_6_OtherMessages(t *testing.T) {
	r := newRig(t, Options{})
	s := human(me, 108, 108)
	s.Owned, s.JumpHeight, s.Game = OwnedMonster, 1, s.Game|components.CanJump|components.HasJumpHeight
	s.Stamps.Slot[wire.SlotInstance] = 9
	r.spawn(s)
	r.spawn(human(me+1, 108, 120)) // of which nothing is told
	r.tick(1)

	r.command(Command{Guid: me, Do: DoPosition, Place: spot(20, 20, 90), Contact: true, Teleport: true})
	r.tick(1)
	if p := toldOne[*wire.PositionEvent](r).Pack; p.Teleport != 1 || p.ForcePosition != 0 || p.Position != 1 || p.Instance != 9 {
		t.Errorf("%+v", p)
	}
	r.command(Command{Guid: me, Do: DoPosition, Place: spot(30, 20, 90), Contact: true, Force: true})
	r.tick(1)
	if p := toldOne[*wire.PositionEvent](r).Pack; p.Teleport != 1 || p.ForcePosition != 1 || p.Position != 2 || p.Place != spot(30, 20, 90) {
		t.Errorf("%+v", p)
	}
	r.command(Command{Guid: me, Do: DoState, Physics: components.DefaultState | components.Ethereal})
	r.tick(1)
	if x := toldOne[*wire.SetState](r); x.Stamp != 1 || x.State != uint32(components.DefaultState|components.Ethereal) || x.Instance != 9 {
		t.Errorf("%+v", x)
	}
	r.tick(30)
	r.command(Command{Guid: me, Do: DoJump, Extent: 1})
	r.tick(1)
	r.wantVerdicts(Applied)
	if x := toldOne[*wire.VectorUpdate](r); x.Vector != 1 || x.Velocity[2] < 4 || x.Instance != 9 {
		t.Errorf("%+v", x)
	}
	r.tick(6)
	if p := toldOne[*wire.PositionEvent](r).Pack; p.Contact() || p.Flags&wire.PackVelocity == 0 || p.Velocity != r.row(me).Body.Velocity {
		t.Errorf("in the air: %+v", p)
	}
	r.command(Command{Guid: me, Do: DoJump, Extent: 1})
	r.tick(1)
	same(t, "in the air", r.e.Outcomes()[0].Code, motion.YouCantJumpWhileInTheAir)
	r.e.Remove(me)
	r.e.Remove(me + 1)
	r.tick(1)
	if x := toldOne[*wire.Delete](r); x.Guid != me || x.Instance != 9 {
		t.Errorf("%+v", x)
	}
	r.tick(1)
	same(t, "messages when all have gone", len(r.e.Outbound()), 0)
}

// What cannot be written is an error, and costs no other message.
func TestOutboundErrors(t *testing.T) {
	r := newRig(t, Options{})
	for i := range uint32(3) {
		s := human(me+i, 108, 108)
		s.Owned = OwnedMonster
		if i == 1 {
			s.Place.Frame.Origin[2] = -99999.9
			s.Contact, s.OnWalkable, s.Velocity = false, false, space.Vec3{0, 0, -50}
		}
		r.spawn(s)
	}
	r.tick(7)
	for i := range uint32(3) {
		r.command(Command{Guid: me + i, Do: DoBroadcast})
	}
	r.tick(1)
	outs := r.e.Outbound()
	if len(outs) != 3 || outs[0].Err != nil || !errors.Is(outs[1].Err, wire.ErrCoordinates) || outs[1].Message != nil || outs[2].Err != nil {
		t.Fatalf("%+v", outs)
	}
	same(t, "the third's guid", outs[2].Guid, uint32(me+2))
	roundTrip(t, outs[2].Message)
}

// A newcomer's copy does what the owned mover does, whatever that is (15 §5, 20 §2.7).
func TestSpec20_2_7_CreateMessage(t *testing.T) {
	for name, c := range map[string]Command{
		"standing": {Do: DoStopCompletely},
		"running":  {Do: DoRaw, Raw: running()},
		"going":    {Do: DoMoveToPosition, Place: spot(108, 150, 0), Params: motion.DefaultParams()},
	} {
		server, client := newRig(t, Options{}), newRig(t, Options{})
		s := human(me, 108, 108)
		s.Owned, s.Scale, s.Friction = OwnedMonster, 1.5, 0.5
		s.Stamps.Slot = [9]uint16{1, 2, 3, 4, 5, 6, 7, 8, 9}
		server.spawn(s)
		server.tick(1)
		c.Guid = me
		server.command(c)
		server.tick(20)
		b, err := server.e.CreateMessage(nil, me)
		if err != nil {
			t.Fatal(err)
		}
		roundTrip(t, b)
		client.send(b)
		client.tick(1)
		want, got := server.row(me), client.row(me)
		same(t, name+": stamps", got.Stamps.Slot, want.Stamps.Slot)
		same(t, name+": identity", got.Identity, want.Identity)
		same(t, name+": scale", got.Rest.Scale, want.Rest.Scale)
		same(t, name+": friction", got.Body.Friction, want.Body.Friction)
		same(t, name+": state", got.Body.State, want.Body.State)
		same(t, name+": busy", got.Rest.Busy&components.MovingTo, want.Rest.Busy&components.MovingTo)
		server.tick(4) // an order begins when what entering left pending is done
		client.tick(3)
		same(t, name+": forward", client.row(me).Interpreted.Forward, server.row(me).Interpreted.Forward)
		near(t, name+": apart", apart(server.world(me), client.world(me)), 0, 0.8) // at 6 m/s, a few ticks of setting out
	}
	r := owner(t, OwnedMonster, Options{})
	b := []byte{1}
	if out, err := r.e.CreateMessage(b, me+7); !errors.Is(err, ErrUnknown) || !bytes.Equal(out, b) {
		t.Errorf("% x, %v", out, err)
	}
}

// No message decides of a mover that the embedder owns.
func TestOwnedMoversHeedNoMessages(t *testing.T) {
	r := owner(t, OwnedMonster, Options{})
	before := r.row(me)
	create, _ := r.e.CreateMessage(nil, me)
	x, err := wire.Decode(create)
	if err != nil {
		t.Fatal(err)
	}
	x.(*wire.Create).Physics.Stamps[wire.SlotInstance] = 5
	r.move(me, does{forward: run})
	r.place(me, spot(20, 20, 0))
	r.send(r.state(me, 0))
	r.send(r.vector(me, space.Vec3{1, 1, 1}, space.Vec3{}))
	r.send(&wire.Delete{Guid: me})
	r.send(&wire.Pickup{Guid: me, Position: 5})
	r.send(&wire.Parent{Holder: me + 1, Held: me, HeldPosition: 5})
	r.send(x)
	r.spawn(human(me+1, 108, 112))
	r.tick(1)
	r.wantVerdicts(Ignored, Ignored, Ignored, Ignored, Ignored, Ignored, Ignored, Ignored)
	after := r.row(me)
	same(t, "stamps", after.Stamps, before.Stamps)
	same(t, "place", after.Pose, before.Pose)
	same(t, "messages", len(r.e.Outbound()), 0)
}

// Guid order, whatever the order of commands, workers or rest; and one that comes
// again under its guid is told to have gone first.
func TestOutboundOrder(t *testing.T) {
	run := func(o Options) (log []byte, hash uint64) {
		r := newRig(t, o)
		spawn := func(i, instance uint32) {
			s := human(me+i, 20+float32(i), 108)
			s.Owned = Ownership(1 + i%4)
			if i%7 == 3 {
				s.Owned = Remote
			}
			s.Stamps.Slot[wire.SlotInstance] = uint16(instance)
			r.spawn(s)
		}
		for i := range uint32(40) {
			spawn(i*17%40, 1)
		}
		for tick := range uint32(120) {
			for i := range uint32(40) {
				if j := i * 23 % 40; (tick+j)%30 == 0 {
					raw := running()
					raw.Turn.Motion = []uint32{0, motion.TurnLeft}[tick/30%2]
					r.command(Command{Guid: me + j, Do: DoRaw, Raw: raw})
				}
			}
			if tick == 60 {
				for i := range uint32(20) {
					r.e.Remove(me + i*2)
					if i%2 == 0 {
						spawn(i*2, 2)
					}
				}
			}
			r.tick(1)
			last := uint32(0)
			for _, out := range r.e.Outbound() {
				if out.Guid < last || out.Err != nil || (out.Guid-me)%7 == 3 {
					t.Fatalf("%+v after 0x%08X", out, last)
				}
				last = out.Guid
				log = append(log, out.Message...)
			}
		}
		return log, r.e.Hash()
	}
	want, hash := run(Options{Refresh: 1})
	for _, o := range []Options{{Workers: 3, ChunkRows: 1}, {AlwaysUpdate: true}, {Workers: 2, ChunkRows: 7, Capacity: 1000}} {
		o.Refresh = 1
		if log, h := run(o); h != hash || !bytes.Equal(log, want) {
			t.Errorf("%+v: hash %x, want %x; %d bytes, want %d", o, h, hash, len(log), len(want))
		}
	}
}

// An engine with owned movers allocates nothing once warm (house rule 6).
func TestOutboundAllocatesNothing(t *testing.T) {
	r := newRig(t, Options{Refresh: 1, LocalPlayer: me + 500, Reports: true})
	r.unchecked = true
	for i := range uint32(64) {
		s := human(me+i, 20+float32(i), 108)
		s.Owned = Ownership(1 + i%4)
		r.spawn(s)
	}
	r.spawn(human(me+500, 20, 20))
	r.tick(1)
	client := encode(t, &wire.AutonomousPosition{Place: spot(30, 30, 0)})
	n := uint32(0)
	var create []byte
	step := func() {
		n++
		for i := range uint32(65) {
			guid := me + i
			if i == 64 {
				guid = me + 500
			}
			if (n+i)%10 == 0 {
				raw := running()
				raw.HoldKey = components.HoldKey(1 + n/10%2)
				r.command(Command{Guid: guid, Do: DoRaw, Raw: raw})
			}
			if (n+i)%40 == 1 {
				r.command(Command{Guid: guid, Do: DoMoveToPosition, Place: spot(60, 60, 0), Params: motion.DefaultParams()})
			}
			if (n+i)%20 == 2 {
				r.command(Command{Guid: guid, Do: DoMotion, Motion: wave, Speed: 1})
				r.command(Command{Guid: guid, Do: DoVelocity, Velocity: space.Vec3{0, float32(n % 3), 0}})
			}
		}
		client[4], client[5] = byte(n), byte(n>>8)
		if err := r.e.ClientAction(me+2, client); err != nil {
			t.Fatal(err)
		}
		r.e.Tick()
		create, _ = r.e.CreateMessage(create[:0], me+5)
	}
	for range 400 {
		step()
	}
	if len(create) == 0 || len(r.e.Outbound()) == 0 {
		t.Fatal("nothing is written")
	}
	if got := testing.AllocsPerRun(200, step); got != 0 {
		t.Errorf("%v allocations a tick", got)
	}
}
