package systems

import (
	"errors"
	"fmt"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/systems/position"
	"github.com/gait-engine/gait/wire"
)

// Leaving the world and being held, and what those hear of it who follow:
// 11 §9, 13 §5, 20 §2.6 and §5.1.

// pickup is the next pick-up message of a remote.
func (r *rig) pickup(guid uint32) *wire.Pickup {
	r.places[guid]++
	return &wire.Pickup{Guid: guid, Instance: r.instance[guid], Position: r.places[guid]}
}

// holds is the next message that puts one remote into another's hands.
func (r *rig) holds(holder, held uint32) *wire.Parent {
	r.places[held]++
	return &wire.Parent{Holder: holder, Held: held, Placement: 0x65, HolderInstance: r.instance[holder], HeldPosition: r.places[held]}
}

// followed is a target at (108, 90) and three who are about it: one goes to it, one
// is stuck to it, one turns to it.
func followed(t testing.TB, o Options) (r *rig, target, mover, sticker, turner uint32) {
	r = newRig(t, o)
	target, mover, sticker, turner = me, me-1, me+1, me+2
	r.spawn(human(target, 108, 90))
	r.spawn(human(mover, 108, 120))
	r.spawn(human(sticker, 120, 90))
	r.spawn(human(turner, 108, 80.1))
	r.tick(30)
	r.order(mover, goTo(target))
	r.order(sticker, sticking(target))
	b := face(target)
	b.Params.Speed = 0.1
	r.order(turner, turn(180)) // away, and then slowly back
	r.tick(1)
	r.order(turner, b)
	r.tick(3)
	sameList(t, "voyeurs", r.errand(target).voyeurs, mover, sticker, turner)
	return r, target, mover, sticker, turner
}

// Whatever takes the target away, who follows hears of it in that tick, with its
// reason, and follows no more (13 §5, R6.20).
func TestSpec13_5_VoyeursHear(t *testing.T) {
	for name, c := range map[string]struct {
		do     func(r *rig, target uint32)
		status components.TargetStatus
		known  bool
	}{
		"picked up": {func(r *rig, target uint32) { r.send(r.pickup(target)) }, components.TargetContained, true},
		"held": {func(r *rig, target uint32) {
			r.send(r.holds(me+9, target))
		}, components.TargetParented, true},
		"teleported": {func(r *rig, target uint32) { r.send(r.teleportTo(target, spot(20, 20, 0))) }, components.TargetTeleported, true},
		"removed":    {func(r *rig, target uint32) { r.e.Remove(target) }, components.TargetExitWorld, false},
		"removed and back": {func(r *rig, target uint32) {
			r.e.Remove(target)
			r.spawn(human(target, 108, 90))
		}, components.TargetExitWorld, true},
		"created anew": {func(r *rig, target uint32) { r.send(creates(target, 1, 108, 90)) }, components.TargetExitWorld, true},
		"updated": {func(r *rig, target uint32) {
			c := creates(target, 0, 108, 90)
			c.Update = true
			r.send(c)
		}, components.TargetExitWorld, true},
		"created anew, held": {func(r *rig, target uint32) {
			c := creates(target, 1, 108, 90)
			c.Physics.Parent = me + 9
			c.Physics.Fresh()
			r.send(c)
		}, components.TargetExitWorld, true},
	} {
		for _, o := range []Options{{}, {AlwaysUpdate: true}, {Workers: 2, ChunkRows: 1}} {
			r, target, mover, sticker, turner := followed(t, o)
			r.spawn(human(me+9, 50, 50))
			r.tick(1)
			c.do(r, target)
			r.tick(1)
			for _, guid := range []uint32{mover, sticker, turner} {
				sameList(t, name+": told", r.told(guid), c.status)
				same(t, name+": target", r.errand(guid).target.ID, 0)
			}
			sameList(t, name+": mover", r.ended(mover), "6 "+gone)
			sameList(t, name+": turner", r.ended(turner), "8 "+gone)
			same(t, name+": stuck", r.stuck(sticker), false)
			same(t, name+": known", r.has(target), c.known)
			if c.known {
				sameList(t, name+": voyeurs", r.errand(target).voyeurs)
			}
			r.tick(1)
			stand := r.world(sticker)
			r.tick(70)
			same(t, name+": sticker stands", r.world(sticker), stand)
			same(t, name+": mover is idle", r.row(mover).Interpreted.Forward, ready)
		}
	}
}

// Who goes is no voyeur any more, whatever he was about (11 §9 exit_world).
func TestSpec11_9_VoyeursGo(t *testing.T) {
	for _, how := range []string{"removed", "deleted", "picked up", "held", "created anew", "teleported"} {
		r, target, mover, sticker, turner := followed(t, Options{})
		for _, guid := range []uint32{sticker, mover, turner} {
			switch how {
			case "removed":
				r.e.Remove(guid)
			case "deleted":
				r.send(&wire.Delete{Guid: guid})
			case "picked up":
				r.send(r.pickup(guid))
			case "held":
				r.send(r.holds(target, guid))
			case "created anew":
				r.send(creates(guid, 1, 50, 50))
			case "teleported":
				r.send(r.teleportTo(guid, spot(50, 50, 0)))
			}
		}
		r.tick(2)
		sameList(t, how+": voyeurs", r.errand(target).voyeurs)
		r.move(target, does{forward: run}) // and tells nobody
		r.tick(40)
		for _, e := range r.e.Events() {
			if e.Kind == TargetTold {
				t.Errorf("%s: %+v", how, e)
			}
		}
	}
}

// All go in one tick, each telling who is still there.
func TestAllGoTogether(t *testing.T) {
	for _, back := range []bool{false, true} {
		r := newRig(t, Options{})
		ids := []uint32{5, 1, 4, 2, 3}
		for i, guid := range ids {
			r.spawn(human(guid, 100+float32(i)*3, 100))
		}
		r.tick(1)
		for i, guid := range ids {
			r.order(guid, sticking(ids[(i+1)%len(ids)]))
		}
		r.tick(1)
		for _, guid := range ids {
			r.e.Remove(guid)
			if back {
				r.spawn(human(guid, 100, 100))
			}
		}
		r.tick(1)
		same(t, "rows", r.e.Len(), map[bool]int{true: 5}[back])
		r.tick(40)
		r.e.Hash()
		for _, guid := range ids {
			if back {
				sameList(t, "voyeurs", r.errand(guid).voyeurs)
			}
		}
	}
}

func TestSpec20_2_6_Pickup(t *testing.T) {
	r := newRig(t, Options{})
	r.send(creates(me, 5, 108, 108))
	r.tick(1)
	r.instance[me] = 5
	r.move(me, does{forward: run})
	r.seconds(1)
	r.place(me, spot(108, 120, 0)) // takes position stamp 1

	stale := &wire.Pickup{Guid: me, Instance: 5, Position: 1}
	r.send(stale)
	r.send(&wire.Pickup{Guid: me, Instance: 4, Position: 9})
	r.send(&wire.Pickup{Guid: me, Instance: 6, Position: 9})
	r.tick(1)
	r.wantVerdicts(Applied, Stale, Stale, Parked)
	from := r.row(me).Pose.Position
	r.send(r.pickup(me))
	r.tick(1)
	r.wantVerdicts(Applied)
	sameList(t, "events", r.kinds(me), GroundChanged, LeftGround, Deactivated, CellChanged)
	for _, e := range r.e.Events() {
		if e.Kind == CellChanged && (e.From != placeOf(&from) || e.To.Cell != 0) {
			t.Errorf("%+v", e)
		}
	}
	c := r.row(me)
	same(t, "cell", c.Pose.Cell, 0)
	same(t, "contact", c.Body.Transient&(components.Contact|components.OnWalkable|components.Active), 0)
	same(t, "pending", len(c.anims)+len(c.motions), 0)
	same(t, "stamp", c.Stamps.Slot[wire.SlotPosition], 2)
	for range 40 { // not updated
		r.tick(1)
		same(t, "frame", r.row(me).Pose.Frame, c.Pose.Frame)
		same(t, "sequence", r.row(me).Sequence.Frame, c.Sequence.Frame)
	}
	r.send(r.pickup(me)) // once more: taken, and nothing to do
	r.tick(1)
	r.wantVerdicts(Applied)
	sameList(t, "events", r.kinds(me))

	// its motion is known of meanwhile, and shows when it is put down: hard
	r.move(me, does{forward: walk})
	r.tick(1)
	r.wantVerdicts(Applied)
	same(t, "forward", r.row(me).Interpreted.Forward, walk)
	r.place(me, spot(50, 50, 90))
	r.tick(1)
	r.wantVerdicts(Applied)
	sameList(t, "events", r.kinds(me), Activated, Teleported, CellChanged)
	near(t, "x", float64(r.row(me).Pose.Frame.Origin[0]), 50, 0.2)
	same(t, "active", r.row(me).Body.Transient&components.Active != 0, true)

	// that of the instance to come waited for it
	r.send(creates(me, 6, 60, 60))
	r.tick(1)
	r.wantVerdicts(Applied, Applied)
	same(t, "cell", r.row(me).Pose.Cell, 0)
}

func TestSpec20_5_1_Parent(t *testing.T) {
	const sword = me + 1
	begin := func() *rig {
		r := newRig(t, Options{})
		r.send(creates(me, 5, 108, 108))
		r.send(creates(sword, 1, 108, 110))
		r.instance[me], r.instance[sword] = 5, 1
		r.tick(2)
		return r
	}
	r := begin()
	r.send(r.holds(me, sword))
	r.tick(1)
	r.wantVerdicts(Applied)
	same(t, "outcome is the held one's", r.e.Outcomes()[0].Guid, sword)
	c := r.row(sword)
	same(t, "parent", c.Identity.Parent, me)
	same(t, "cell", c.Pose.Cell, 0)
	r.send(&wire.Parent{Holder: me, Held: sword, HolderInstance: 5, HeldPosition: 1})
	r.tick(1)
	r.wantVerdicts(Stale) // the position stamp is not newer
	r.send(r.holds(sword, sword))
	r.tick(1)
	r.wantVerdicts(Ignored)
	same(t, "parent", r.row(sword).Identity.Parent, me)

	// a position event lets it go
	r.places[sword] = 9
	r.place(sword, spot(100, 100, 0))
	r.tick(1)
	r.wantVerdicts(Applied)
	same(t, "parent", r.row(sword).Identity.Parent, 0)
	near(t, "x", float64(r.row(sword).Pose.Frame.Origin[0]), 100, 0.01)

	// the holder's instance is the gate
	r = begin()
	for instance, want := range map[uint16]Verdict{4: Stale, 6: Parked} {
		m := r.holds(me, sword)
		m.HolderInstance = instance
		r.send(m)
		r.tick(1)
		r.wantVerdicts(want)
		same(t, "parent", r.row(sword).Identity.Parent, 0)
	}
}

// A parent message waits for a holder that is unknown or older, under the
// holder; for a held one alone, under that (20 §5.1).
func TestSpec20_5_1_ParentWaits(t *testing.T) {
	const sword = me + 1
	for _, order := range [][]uint32{{me, sword}, {sword, me}, {me}, {sword}} {
		r := newRig(t, Options{})
		r.instance[me], r.instance[sword] = 5, 1
		there := map[uint32]bool{}
		if len(order) == 1 { // the other one is there
			other := me + sword - order[0]
			r.send(creates(other, r.instance[other], 108, 108))
			r.tick(1)
			there[other] = true
		}
		r.send(r.holds(me, sword))
		r.tick(1)
		r.wantVerdicts(Parked)
		for i, guid := range order {
			r.send(creates(guid, r.instance[guid], 108, 108))
			r.tick(1)
			there[guid] = true
			want := []Verdict{Applied}
			switch {
			case there[me] && there[sword]:
				want = append(want, Applied)
			case guid == me: // looked at, and waits for the held one now
				want = append(want, Parked)
			}
			if fmt.Sprint(r.verdicts()) != fmt.Sprint(want) {
				t.Errorf("%X, step %d: %v, want %v", order, i, r.verdicts(), want)
			}
		}
		same(t, "parent", r.row(sword).Identity.Parent, me)
		if n, dropped, expired := r.e.ParkedCount(); n+int(dropped+expired) != 0 {
			t.Errorf("%d wait, %d dropped, %d expired", n, dropped, expired)
		}
	}
}

// It waits in order with others, at most 32 a guid, thirty seconds.
func TestSpec20_7_ParentsWaitInBounds(t *testing.T) {
	const sword = me + 1
	r := newRig(t, Options{})
	r.send(creates(sword, 0, 108, 108))
	r.tick(1)
	for range 40 {
		r.send(r.holds(me, sword))
	}
	r.tick(1)
	if n, dropped, _ := r.e.ParkedCount(); n != wire.MaxParkedPerGuid || dropped != 8 {
		t.Errorf("%d wait, %d dropped", n, dropped)
	}
	r.send(creates(me, 0, 108, 108))
	r.tick(1)
	want := []Verdict{Applied}
	for range wire.MaxParkedPerGuid {
		want = append(want, Applied) // each newer than the one before
	}
	r.wantVerdicts(want...)
	same(t, "stamp", r.row(sword).Stamps.Slot[wire.SlotPosition], 40)
	for range 3 {
		r.send(r.holds(me+7, sword))
	}
	r.tick(1 + 30*30)
	if n, _, expired := r.e.ParkedCount(); n != 3 || expired != 0 {
		t.Errorf("%d wait, %d expired", n, expired)
	}
	r.tick(1)
	if n, _, expired := r.e.ParkedCount(); n != 0 || expired != 3 {
		t.Errorf("%d wait, %d expired", n, expired)
	}
}

// D-27 and R6.27: who is told to stick to something held sticks to its holder,
// with the holder's radius; who goes there goes to the holder, with the named
// one's. One hop.
func TestD_27_FollowsTheHolder(t *testing.T) {
	const holder, sword, gem = me + 1, me + 2, me + 3
	begin := func() *rig {
		r := newRig(t, Options{})
		mine := human(me, 0, 0)
		mine.Place = spot(108, 100, 90)
		r.spawn(mine)
		big := creature(holder, 108, 112)
		big.Scale = 2
		r.spawn(big)
		small := human(sword, 90, 90)
		small.Scale = 0.1
		r.spawn(small)
		r.spawn(human(gem, 70, 70))
		r.tick(1)
		r.send(r.holds(holder, sword))
		r.send(r.holds(sword, gem))
		r.tick(1)
		r.wantVerdicts(Applied, Applied)
		return r
	}
	// one that was created in his hands is held no less
	created := begin()
	bow := creates(gem+1, 0, 0, 0)
	bow.Physics.Parent, bow.Physics.Position = holder, space.Position{}
	bow.Physics.Fresh()
	created.send(bow)
	created.tick(1)
	created.order(me, sticking(gem+1))
	created.tick(1)
	same(t, "stuck to", created.errand(me).sticky.TargetID, holder)
	same(t, "answered", created.errand(me).sticky.Initialized, true)
	created.order(me, goTo(gem+1))
	created.tick(1)
	same(t, "followed", created.errand(me).moveTo.TopID, holder)

	r := begin()
	r.order(me, sticking(sword))
	r.tick(1)
	s := r.errand(me).sticky
	same(t, "stuck to", s.TargetID, holder)
	same(t, "radius", s.Radius, r.row(holder).Traits.Radius)
	same(t, "answered", s.Initialized, true)
	sameList(t, "voyeurs of the holder", r.errand(holder).voyeurs, me)
	sameList(t, "of the held", r.errand(sword).voyeurs)
	near(t, "way", r.north(me), -8+20./30, 1e-3)
	r.tick(25)
	near(t, "stands", r.north(holder)-r.north(me), float64(r.row(me).Traits.Radius+s.Radius)+0.3, 0.02)

	r = begin()
	b := goTo(sword)
	b.Params.Flags |= uint32(components.ParamSticky)
	r.order(me, b)
	r.tick(1)
	m := r.errand(me).moveTo
	same(t, "sought", m.SoughtID, sword)
	same(t, "followed", m.TopID, holder)
	same(t, "radius of the named one", m.SoughtRadius, r.row(sword).Traits.Radius)
	sameList(t, "voyeurs of the holder", r.errand(holder).voyeurs, me)
	sameList(t, "ended", r.until(me, 400), "6 0x0")
	same(t, "sticks to", r.errand(me).sticky.TargetID, holder)

	r = begin()
	r.order(me, face(sword))
	r.tick(1)
	same(t, "followed", r.errand(me).moveTo.TopID, holder)

	// one hop: the gem's holder is itself held, and nowhere
	r = begin()
	r.order(me, sticking(gem))
	r.tick(1)
	same(t, "stuck to", r.errand(me).sticky.TargetID, sword)
	same(t, "answered", r.errand(me).sticky.Initialized, false)

	// by who holds it: he is there already (R6.12)
	r = begin()
	r.order(holder, goTo(sword))
	r.tick(1)
	sameList(t, "ended", r.ended(holder), "6 0x0")
	sameList(t, "voyeurs", r.errand(holder).voyeurs)

	// a holder that is gone: nothing to stick to
	r = begin()
	r.e.Remove(holder)
	r.tick(1)
	r.order(me, sticking(sword))
	r.tick(1)
	same(t, "stuck", r.stuck(me), false)

	// let go of, it is followed itself
	r = begin()
	r.place(sword, spot(108, 104, 0))
	r.order(me, sticking(sword))
	r.tick(1)
	same(t, "stuck to", r.errand(me).sticky.TargetID, sword)
}

// A target that leaves the world by its own step, off its edge, tells nobody: who
// sticks goes on to where it was last told of, and reads no pose that is none.
func TestSpec13_2_TargetLost(t *testing.T) {
	for _, other := range []uint32{me - 1, me + 1} {
		for _, o := range []Options{{}, {Workers: 2, ChunkRows: 1}} {
			r := newRig(t, o)
			edge := func(guid uint32, y float32) Spawn {
				s := human(guid, 0, 0)
				s.Place = space.Position{Cell: 0xA9FE0008, Frame: space.Frame{Origin: space.Vec3{12, y, 0}, Rotation: space.IdentityQuat}}
				return s
			}
			r.spawn(edge(me, 180))
			r.spawn(edge(other, 186))
			r.tick(1)
			r.move(other, does{forward: run})
			r.tick(20)
			for r.row(other).Pose.Cell != 0 {
				if r.e.Now()%10 == 0 {
					r.order(me, sticking(other))
				}
				r.tick(1)
			}
			r.order(me, sticking(other)) // known, and nowhere: no answer
			r.tick(1)
			same(t, "answered", r.errand(me).sticky.Initialized, false)
			at := r.world(me)
			r.tick(40)
			same(t, "stuck", r.stuck(me), false)
			same(t, "stands", r.world(me), at)
			if r.row(me).Pose.Cell == 0 {
				t.Error("follows into nowhere")
			}
		}
	}
}

// Frozen or hidden, in the air or out of the world: who is told of his target
// takes note, moved or not.
func TestToldWhileNotUpdated(t *testing.T) {
	r, target, mover, sticker, _ := followed(t, Options{})
	r.send(r.state(mover, components.DefaultState|components.Frozen))
	r.send(r.state(sticker, components.DefaultState|components.Hidden))
	r.tick(1)
	at := r.world(mover)
	r.tick(20)
	same(t, "the frozen one stands", r.world(mover), at)
	same(t, "the hidden one is stuck", r.stuck(sticker), true)
	r.tick(20)
	same(t, "and lets go", r.stuck(sticker), false) // the deadline is not kept from him
	r.move(target, does{forward: run})
	r.tick(60)
	same(t, "the frozen one was told", r.errand(mover).target.Velocity != space.Vec3{}, true)
	same(t, "and is on his way", r.errand(mover).moveTo.Type, uint32(motion.MoveToObject))
	r.e.Remove(target)
	r.tick(1)
	sameList(t, "ended", r.ended(mover), "6 "+gone)
	r.send(r.state(mover, components.DefaultState))
	r.tick(30)
	same(t, "stands", r.world(mover), at)
}

// Set-state and vector messages reach one who follows, and he follows on.
func TestStateAndVectorOfWhoFollows(t *testing.T) {
	r, target, mover, sticker, _ := followed(t, Options{})
	r.send(r.state(mover, components.DefaultState&^components.Gravity))
	r.send(r.vector(sticker, space.Vec3{0, 0, 4}, space.Vec3{}))
	r.tick(1)
	r.wantVerdicts(Applied, Applied)
	same(t, "state", r.row(mover).Body.State, components.DefaultState&^components.Gravity)
	same(t, "going", r.errand(mover).moveTo.Type, uint32(motion.MoveToObject))
	same(t, "stuck", r.stuck(sticker), true)
	sameList(t, "ended", r.until(mover, 2000), "6 0x0")
	if d := apart(r.world(mover), r.world(target)); d > 0.61 {
		t.Errorf("%v m off", d)
	}
}

// Check sees when who watches and who targets do not agree.
func TestCheckFindsVoyeursThatDisagree(t *testing.T) {
	for name, breakIt := range map[string]func(follower, target *components.Row, p *components.Pools){
		"not watched": func(_, target *components.Row, p *components.Pools) { position.RemoveVoyeur(target, p, me+1) },
		"not targeted": func(follower, _ *components.Row, p *components.Pools) {
			*follower.Errand.Target(p) = components.Target{}
		},
		"watched twice": func(_, target *components.Row, p *components.Pools) {
			v := target.Errand.Voyeurs(p)[0]
			target.Errand.Targets.Get(&p.TargetManagers).Voyeurs.Push(&p.Voyeurs, v)
		},
		"watched by nobody": func(_, target *components.Row, p *components.Pools) {
			target.Errand.Targets.Get(&p.TargetManagers).Voyeurs.Push(&p.Voyeurs, components.Voyeur{ID: 0x77})
		},
	} {
		r := standing(t, Options{})
		r.spawn(human(me+1, 100, 100))
		r.tick(1)
		r.order(me+1, sticking(me))
		r.tick(1)
		var follower, target components.Row
		r.e.find(me+1, &follower)
		r.e.find(me, &target)
		breakIt(&follower, &target, &r.e.world.Pools)
		if err := r.e.Check(); !errors.Is(err, position.ErrInvariant) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Who got lost on the way and is picked up tells those who followed him (13 §5).
func TestSpec13_5_LostAndPickedUp(t *testing.T) {
	for _, held := range []bool{false, true} {
		r := newRig(t, Options{})
		s := human(me, 0, 0)
		s.Place = space.Position{Cell: 0xA9FE0008, Frame: space.Frame{Origin: space.Vec3{12, 190, 0}, Rotation: space.IdentityQuat}}
		r.spawn(s)
		s.Guid, s.Place.Frame.Origin[1] = me+1, 100
		r.spawn(s)
		s.Guid, s.Place.Frame.Origin[1] = me+2, 150
		r.spawn(s)
		r.tick(1)
		r.order(me+1, goTo(me))
		r.order(me, goTo(me+2)) // about somebody himself, while
		r.command(Command{Guid: me, Do: DoVelocity, Velocity: space.Vec3{0, 20, 0}})
		for r.row(me).Pose.Cell != 0 {
			r.tick(1)
		}
		sameList(t, "voyeurs", r.errand(me).voyeurs, me+1)
		sameList(t, "voyeurs of the other", r.errand(me+2).voyeurs, me)
		want := components.TargetContained
		if held {
			want = components.TargetParented
			r.send(r.holds(me+2, me))
		} else {
			r.send(r.pickup(me))
		}
		r.tick(1)
		r.wantVerdicts(Applied)
		sameList(t, "told", r.told(me+1), want)
		sameList(t, "ended", r.ended(me+1), "6 "+gone)
		sameList(t, "voyeurs", r.errand(me).voyeurs)
		sameList(t, "voyeurs of the other", r.errand(me+2).voyeurs)
	}
}
