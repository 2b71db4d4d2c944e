package systems

import (
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/collision"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/wire"
)

// Whatever the next ticks depend on is in the hash; once it is over it leaves no trace.
func TestHashCoversWhatWaits(t *testing.T) {
	at := spot(1, 2, 0)
	plain := func() *rig { return standing(t, Options{}) }
	want := plain().e.Hash()
	again := plain()
	again.tick(0)
	same(t, "equal", again.e.Hash(), want)
	parked := func(msg func(r *rig) any) func(r *rig) {
		return func(r *rig) { // tick 1 again, with a message that waits
			*r = *newRig(t, Options{})
			r.spawn(human(me, 108, 108))
			r.send(msg(r))
			r.tick(1)
		}
	}
	seen := map[uint64]string{want: "nothing"}
	for _, c := range []struct {
		name string
		do   func(r *rig)
	}{
		{"spawn", func(r *rig) { r.spawn(human(me+1, 1, 1)) }},
		{"another spawn", func(r *rig) { r.spawn(human(me+1, 1, 2)) }},
		{"owned spawn", func(r *rig) {
			s := human(me+1, 1, 1)
			s.Owned = OwnedMonster
			r.spawn(s)
		}},
		{"removal", func(r *rig) { r.e.Remove(me) }},
		{"viewer", func(r *rig) {
			if err := r.e.SetViewer(&at); err != nil {
				t.Fatal(err)
			}
		}},
		{"parked", parked(func(r *rig) any { return r.movement(me+1, does{forward: run}) })},
		{"parked, other", parked(func(r *rig) any { return r.movement(me+1, does{forward: walk}) })},
		{"parked for another", parked(func(r *rig) any { return r.movement(me+2, does{forward: walk}) })},
	} {
		r := plain()
		c.do(r)
		h := r.e.Hash()
		if other, ok := seen[h]; ok {
			t.Errorf("%s hashes as %s", c.name, other)
		}
		seen[h] = c.name
	}
	// what a create said it was doing, while it waits for its row
	waiting := func(forward uint32, placement uint32) uint64 {
		r := standing(t, Options{})
		c := creates(me, 0, 108, 108)
		if forward != 0 {
			c.Physics.HasBody, c.Physics.Body.State = true, does{forward: forward}.state()
		}
		c.Physics.Placement = placement
		c.Physics.Fresh()
		r.send(&wire.Delete{Guid: me})
		r.send(c)
		r.tick(1)
		same(t, "waits", r.e.world.Leaving(me), true)
		return r.e.Hash()
	}
	for name, h := range map[string]uint64{"standing": waiting(0, 0), "placed": waiting(0, 3), "running": waiting(run, 0), "walking": waiting(walk, 0)} {
		if other, ok := seen[h]; ok {
			t.Errorf("%s hashes as %s", name, other)
		}
		seen[h] = name
	}
	// spawns asked for in another order are the same
	order := func(a, b uint32) uint64 {
		r := plain()
		r.spawn(human(a, 1, 1))
		r.spawn(human(b, 1, 1))
		return r.e.Hash()
	}
	same(t, "order", order(me+1, me+2), order(me+2, me+1))
	// over
	r := plain()
	r.e.Remove(me)
	r.tick(1)
	q := newRig(t, Options{})
	q.tick(2)
	same(t, "over", r.e.Hash(), q.e.Hash())
}

// The viewer moves between ticks: the distance of each is as if it had been taken
// in its update, at rest or not (11 §4.2, 12 §4).
func TestSpec12_4_TheViewerMoves(t *testing.T) {
	here, there := spot(108, 108, 0), spot(108, 400, 0)
	viewed := func(o Options) []*rig {
		var rigs []*rig
		for _, always := range []bool{false, true} {
			o := o
			o.AlwaysUpdate = always
			r := newRig(t, o)
			r.spawn(human(me, 108, 108))
			r.spawn(human(me+1, 108, 120))
			r.tick(40)
			rigs = append(rigs, r)
		}
		return rigs
	}
	rigs := viewed(Options{Viewer: &here})
	if rigs[0].row(me).Rest.Since == 0 {
		t.Error("it does not rest, the test shows less")
	}
	for i, r := range rigs {
		distance := func() float64 { return float64(r.row(me).Body.PlayerDistance) }
		near(t, "here", distance(), 0, 1e-4)
		if err := r.e.SetViewer(&there); err != nil {
			t.Fatal(err)
		}
		there.Frame.Origin[0] = 5 // it was copied
		r.place(me, spot(108, 110, 0))
		r.tick(1)
		there.Frame.Origin[0] = 108
		same(t, "chases by where the viewer was", len(r.row(me).queue), 1)
		near(t, "there", distance(), 292, 1)
		r.place(me+1, spot(108, 122, 0))
		r.tick(1)
		near(t, "snaps", r.north(me+1), 14, 1e-3)
		r.tick(60)
		if err := r.e.SetViewer(nil); err != nil {
			t.Fatal(err)
		}
		r.tick(1)
		near(t, "nobody looks", distance(), 0, 0)
		if err := r.e.SetViewer(&here); err != nil {
			t.Fatal(err)
		}
		r.tick(20)
		nowhere := space.Position{}
		wantErr(t, r.e.SetViewer(&nowhere), ErrOptions)
		if i == 1 {
			same(t, "hash", r.e.Hash(), rigs[0].e.Hash())
		}
	}
}

// R6.25 and R4.15: leaving the world does not touch a move-to; coming back, which
// is a hard placement, ends it with 0x3C (11 §9 teleport_hook).
func TestR6_25_LeavingTheWorldKeepsAMoveTo(t *testing.T) {
	for _, held := range []bool{false, true} {
		r := standing(t, Options{})
		r.spawn(human(me+1, 50, 50))
		r.tick(20)
		r.order(me, goThere(spot(108, 150, 0)))
		r.tick(30)
		if held {
			r.send(r.holds(me+1, me))
		} else {
			r.send(r.pickup(me))
		}
		r.tick(1)
		sameList(t, "ended", r.ended(me))
		same(t, "moving to", r.errand(me).moveTo.Type, uint32(motion.MoveToPosition))
		c := r.row(me)
		same(t, "pending", len(c.anims)+len(c.motions), 0) // R4.15
		r.tick(30)
		sameList(t, "ended", r.ended(me))
		r.place(me, spot(100, 100, 0))
		r.tick(1)
		sameList(t, "ended", r.ended(me), "7 0x3c")
	}
	// one that goes to somebody lets go of him, and waits for word that never comes
	r := standing(t, Options{})
	r.spawn(human(me+1, 108, 150))
	r.tick(20)
	r.order(me, goTo(me+1))
	r.tick(30)
	r.send(r.pickup(me))
	r.tick(1)
	sameList(t, "ended", r.ended(me))
	same(t, "target", r.errand(me).target.ID, 0)
	sameList(t, "voyeurs", r.errand(me+1).voyeurs)
	// one that is stuck lets go, and so ends what shares its target (11 §9, 13 §2)
	r.place(me, spot(108, 108, 0))
	r.tick(1)
	r.order(me, sticking(me+1))
	r.tick(1)
	r.send(r.pickup(me))
	r.tick(1)
	same(t, "stuck", r.stuck(me), false)
}

// R6.19: not making progress never cancels, so a point above the ground with the
// default fail distance is gone to for good.
func TestR6_19_PointAboveTheGroundNeverEnds(t *testing.T) {
	r := standing(t, Options{})
	goal := spot(108, 118, 0)
	goal.Frame.Origin[2] = 5
	r.order(me, goThere(goal))
	if e := r.until(me, 120*30); e != nil {
		t.Errorf("ended %v", e)
	}
	m := r.errand(me).moveTo
	same(t, "moving to", m.Type, uint32(motion.MoveToPosition))
	if m.FailCount == 0 {
		t.Error("it makes progress")
	}
	same(t, "busy", r.row(me).Rest.Busy&components.MovingTo != 0, true)
}

// Who comes may get the number of the row that has just gone, in columns that have
// grown since: it is its own row that is given its first state.
func TestLastRowGoesAndColumnsGrow(t *testing.T) {
	var hashes []uint64
	for _, capacity := range []int{0, 4096} {
		r := newRig(t, Options{Capacity: capacity, Land: collision.NewFlat(0)})
		for i := range uint32(64) {
			r.spawn(human(me+i, 20+float32(i)*2, 20))
		}
		r.tick(1)
		r.e.Remove(me + 63)
		for i := range uint32(100) {
			r.spawn(human(me+100+i, 20+float32(i), 60))
		}
		r.tick(3)
		hashes = append(hashes, r.e.Hash())
	}
	if hashes[0] != hashes[1] {
		t.Errorf("%016x when columns grow, %016x when not", hashes[0], hashes[1])
	}
}
