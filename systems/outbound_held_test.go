package systems

import (
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/wire"
)

// What the embedder does with his own movers is told: pick-ups, hands, the run key.

// relay gives what one engine has to send to another, which ticks; it returns how
// many messages there were.
func relay(from, to *rig) (n int) {
	for _, o := range from.e.Outbound() {
		if o.Err != nil {
			from.Fatal(o.Err)
		}
		to.send(o.Message)
		n++
	}
	to.tick(1)
	return n
}

// 20 §2.6, 15 §6: an owned mover that is picked up, given to somebody and put down
// again is so for those who read of it.
func TestSpec20_2_6_OwnedInHands(t *testing.T) {
	for _, kind := range []Ownership{OwnedMonster, OwnedCreature, OwnedPlayer, OwnedProjectile} {
		server, client := handyRig(t, Options{}), handyRig(t, Options{})
		holder, sword := handy(me, 108, 108), handy(me+1, 100, 100)
		holder.Owned, sword.Owned = OwnedMonster, kind
		holder.Stamps.Slot, sword.Stamps.Slot = [9]uint16{9, 8, 7, 6, 5, 4, 3, 2, 1}, [9]uint16{0xFFFF, 8, 7, 6, 5, 4, 3, 2, 11}
		server.spawn(holder)
		server.spawn(sword)
		server.tick(1)
		for guid := uint32(me); guid <= me+1; guid++ {
			b, err := server.e.CreateMessage(nil, guid)
			if err != nil {
				t.Fatal(err)
			}
			client.send(b)
		}
		client.tick(1)
		agree := func(what string, cell bool) {
			t.Helper()
			s, _ := server.shown(me + 1)
			c, _ := client.shown(me + 1)
			same(t, what+": in the world", s.Cell != 0, cell)
			if s.Cell != c.Cell || apart(inWorld(&s), inWorld(&c)) > 0.01 {
				t.Errorf("%s: the server has it at %v, the client at %v", what, s, c)
			}
			a, b := server.row(me+1), client.row(me+1)
			same(t, what+": held by", b.Identity.Parent, a.Identity.Parent)
			same(t, what+": position stamp", b.Stamps.Slot[wire.SlotPosition], a.Stamps.Slot[wire.SlotPosition])
		}
		do := func(c Command, messages int) {
			t.Helper()
			c.Guid = me + 1
			server.command(c)
			server.tick(1)
			if got := relay(server, client); got != messages {
				t.Errorf("kind %d: command %d tells %d messages", kind, c.Do, got)
			}
		}
		do(Command{Do: DoPickUp}, 1)
		agree("picked up", false)
		do(Command{Do: DoParent, Target: me, Location: 1, Placement: 0x65}, 1)
		agree("held", true)
		do(Command{Do: DoPosition, Place: spot(50, 60, 90), Contact: true}, 1)
		agree("put down", true)
		do(Command{Do: DoParent, Target: me, Location: 2}, 1)
		agree("held again", true)
		do(Command{Do: DoParent, Target: me, Location: 3}, 0) // he has no such place
		server.wantVerdicts(Ignored)
		do(Command{Do: DoParent, Target: me + 1}, 0)
		do(Command{Do: DoParent, Target: me + 7}, 0)
		agree("still", true)
		do(Command{Do: DoPickUp}, 1)
		agree("picked up out of a hand", false)
		for range 40 {
			server.tick(1)
			relay(server, client)
		}
		agree("and later", false)
	}
}

// R5.17: set_hold_run over a walk; what is on already, or off, changes nothing.
func TestR5_17_DoHoldRun(t *testing.T) {
	r := newRig(t, Options{})
	s := human(me, 108, 108)
	s.Game = 0 // its own raw input is what counts
	s.Owned = OwnedPlayer
	r.spawn(s)
	r.tick(1)
	r.command(Command{Guid: me, Do: DoMotion, Motion: walk, Speed: 1, Hold: components.HoldInvalid})
	r.tick(1)
	toggle := func(hold components.HoldKey, forward uint32, told int) {
		t.Helper()
		r.command(Command{Guid: me, Do: DoHoldRun, Hold: hold})
		r.tick(1)
		same(t, "forward", r.row(me).Interpreted.Forward, forward)
		n := 0
		for _, m := range r.sentOut() {
			if x, ok := m.(*wire.Movement); ok {
				n++
				same(t, "told", x.Body.State.Forward, wire.CommandIndex(forward))
			}
		}
		same(t, "movements told", n, told)
	}
	toggle(components.HoldNone, walk, 0)
	toggle(components.HoldRun, run, 1)
	toggle(components.HoldRun, run, 0)
	toggle(components.HoldNone, walk, 1)
	same(t, "hold key", r.row(me).raw.HoldKey, components.HoldNone)
}

// 15 §7: the hold-run toggle while moving is reported, with the position; while
// standing it is not.
func TestSpec15_7_HoldRunWhileMoving(t *testing.T) {
	r := client(t)
	toggle := func(hold components.HoldKey) *wire.MoveToState {
		t.Helper()
		r.command(Command{Guid: me, Do: DoHoldRun, Hold: hold})
		r.tick(1)
		for _, m := range r.reported() {
			if x, ok := m.(*wire.MoveToState); ok {
				return x
			}
		}
		return nil
	}
	if x := toggle(components.HoldRun); x != nil {
		t.Errorf("standing: %+v", x)
	}
	toggle(components.HoldNone)
	r.command(Command{Guid: me, Do: DoMotion, Motion: walk, Speed: 1})
	r.tick(5)
	here := r.row(me).Pose.Position
	x := toggle(components.HoldRun)
	if x == nil || x.Raw.HoldKey != uint32(components.HoldRun) || x.Raw.Forward != walk || x.Place != here {
		t.Fatalf("%+v", x)
	}
	same(t, "runs", r.row(me).Interpreted.Forward, run)
	if x := toggle(components.HoldRun); x != nil {
		t.Errorf("no change: %+v", x)
	}
	if x := toggle(components.HoldNone); x == nil || x.Raw.HoldKey != uint32(components.HoldNone) {
		t.Errorf("%+v", x)
	}
	same(t, "walks", r.row(me).Interpreted.Forward, walk)
}

// Those who fall silent together are not refreshed together, and none later than a
// quarter of the time after it.
func TestRefreshIsStaggered(t *testing.T) {
	const movers = 100
	r := newRig(t, Options{Refresh: 4})
	r.unchecked = true
	for i := range uint32(movers) {
		s := NewSpawn(me+i, space.Position{Cell: 0xA9B40001, Frame: space.Frame{Origin: space.Vec3{10, 10, 0}, Rotation: space.IdentityQuat}})
		s.Owned = OwnedMonster
		r.spawn(s)
	}
	r.tick(1)
	first, most := 0, 0
	last := map[uint32]uint64{}
	for range 40 * 30 {
		r.tick(1)
		n := 0
		for _, o := range r.e.Outbound() {
			if wire.Opcode(o.Message) != wire.OpPosition {
				continue
			}
			n++
			if since := r.e.Now() - max(last[o.Guid], 1); since < 4*30 || since > 5*30 {
				t.Fatalf("0x%08X is told after %d ticks", o.Guid, since)
			}
			last[o.Guid] = r.e.Now()
		}
		most = max(most, n)
		first += n
	}
	if most > movers/10 || first < movers*7 {
		t.Errorf("at most %d in a tick, %d in all", most, first)
	}
}
