package systems

import (
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/wire"
)

// The life of an object by messages: 20 §2.7, §5.1, §5.4, §5.5.

// creates is a create message for a humanoid at (x, y), at an instance.
func creates(guid uint32, instance uint16, x, y float32) *wire.Create {
	d := wire.NewDescriptor()
	d.State = uint32(components.DefaultState)
	d.Position = spot(x, y, 0)
	d.MotionTable, d.Setup = humanTable, humanSetup
	d.Stamps[wire.SlotInstance] = instance
	d.Fresh()
	return &wire.Create{Guid: guid, Physics: d}
}

func TestSpec20_2_7_CreateIsThereInItsTick(t *testing.T) {
	r := newRig(t, Options{})
	c := creates(me, 3, 108, 108)
	c.Physics.Stamps = wire.Slots{10, 20, 30, 40, 50, 60, 70, 80, 3}
	c.Physics.Scale, c.Physics.Friction, c.Physics.Elasticity = 1.5, 0.5, 0.07
	c.Physics.Velocity = space.Vec3{100, 0, 0}
	c.Physics.Fresh()
	r.instance[me], r.moves[me] = 3, 20
	for _, d := range []does{{forward: walk}, {forward: run}} { // before its create and behind it, in one tick
		m := r.movement(me, d)
		m.ServerControl = 60
		r.send(m)
		if d.forward == walk {
			r.send(c)
		}
	}
	r.tick(1)
	r.wantVerdicts(Applied, Applied, Applied)
	got := r.row(me)
	same(t, "forward", got.Interpreted.Forward, run)
	same(t, "scale", got.Rest.Scale, 1.5)
	near(t, "radius", float64(got.Traits.Radius), 0.6788225*1.5, 1e-5)
	same(t, "friction", got.Body.Friction, 0.5)
	same(t, "elasticity", got.Traits.Elasticity, 0.07)
	same(t, "stamps", got.Stamps, components.Stamps{Slot: [9]uint16{10, 22, 30, 40, 50, 60, 70, 80, 3}})
	if v := space.Length(got.Body.Velocity); !(v > 40 && v <= 50) {
		t.Errorf("velocity %v is not capped at 50", got.Body.Velocity)
	}
	same(t, "first event", r.kinds(me)[0], Entered)
	same(t, "rows", r.e.Len(), 1)
}

// A create says what the object was doing: it shows as its cycle, never as a
// way into it (R4.16), and it moves from the first tick.
func TestR4_16_CreatedRunning(t *testing.T) {
	r := newRig(t, Options{})
	c := creates(me, 1, 108, 108)
	c.Physics.HasBody = true
	c.Physics.Body.State = does{forward: run, speed: 1.5}.state()
	c.Physics.BodyAutonomous = 1
	c.Physics.Fresh()
	r.send(c)
	r.tick(1)
	r.wantVerdicts(Applied)
	sameList(t, "list", r.list(me), 0x03000004)
	got := r.row(me)
	same(t, "substate", got.MotionState.Substate, run)
	same(t, "last move was autonomous", got.Interpreter.LastMoveAutonomous, true)
	near(t, "way of the first tick", r.world(me)[1]-0xB4*192-108, 4.0/30, 1e-3)
	// nothing of what entering dropped was told
	sameList(t, "done", r.done(me))
	sameList(t, "events", r.kinds(me), Entered)
}

func TestSpec20_2_7_CreateWithPlacement(t *testing.T) {
	r := newRig(t, Options{})
	c := creates(me, 1, 108, 108)
	c.Physics.MotionTable = 0
	c.Physics.Placement = 0x65
	c.Physics.Fresh()
	r.send(c)
	r.tick(1)
	got := r.row(me)
	same(t, "table", got.Identity.Table, -1)
	same(t, "list", len(got.nodes), 0)
	if got.Sequence.Placement < 0 {
		t.Error("no placement")
	}
}

// What has no place of its own in the world is known, in no cell and not updated.
func TestSpec20_2_7_HeldOrNowhere(t *testing.T) {
	r := newRig(t, Options{})
	held, nowhere := creates(me, 1, 108, 108), creates(me+1, 1, 0, 0)
	held.Physics.Parent, held.Physics.ParentLocation = me+5, 3
	held.Physics.Fresh()
	nowhere.Physics.Position = space.Position{}
	nowhere.Physics.HasBody = true
	nowhere.Physics.Body.State = does{forward: run}.state()
	nowhere.Physics.Fresh()
	r.spawn(human(me+5, 100, 100))
	r.send(held)
	r.send(nowhere)
	r.tick(40)
	same(t, "rows", r.e.Len(), 3)
	for guid, parent := range map[uint32]uint32{me: me + 5, me + 1: 0} {
		c := r.row(guid)
		same(t, "parent", c.Identity.Parent, parent)
		same(t, "cell", c.Pose.Cell, 0)
		same(t, "active", c.Body.Transient, components.Falling)
		same(t, "velocity", c.Body.Velocity, space.Vec3{})
		same(t, "frame", c.Sequence.Frame, 0)
	}
	same(t, "location", r.row(me).Identity.Location, 3)
	// a position brings each into the world, hard (20 §5.3, 12 §3)
	r.instance[me], r.instance[me+1] = 1, 1
	r.place(me, spot(50, 50, 0))
	r.place(me+1, spot(60, 50, 0))
	r.tick(2)
	same(t, "parent", r.row(me).Identity.Parent, 0)
	near(t, "y", r.world(me)[1]-0xB4*192, 50, 1e-3)
	same(t, "runs on", r.row(me+1).Interpreted.Forward, run)
}

// 20 §5.1: a create waits for the parent that it names, is new or known.
func TestSpec20_5_1_CreateWaitsForItsParent(t *testing.T) {
	const holder, other = me + 5, me + 6
	held := func(instance uint16, parent uint32) *wire.Create {
		c := creates(me, instance, 108, 108)
		c.Physics.Parent = parent
		c.Physics.Fresh()
		return c
	}
	r := newRig(t, Options{})
	r.send(held(1, holder))
	r.tick(1)
	r.wantVerdicts(Parked)
	same(t, "known", r.has(me), false)
	r.send(creates(holder, 1, 100, 100))
	r.tick(1)
	r.wantVerdicts(Applied, Applied) // it comes in the next tick
	r.tick(1)
	same(t, "parent", r.row(me).Identity.Parent, holder)

	// a known one waits too, and is what it was meanwhile
	r.send(held(2, other))
	r.tick(1)
	r.wantVerdicts(Parked)
	same(t, "parent", r.row(me).Identity.Parent, holder)
	same(t, "instance", r.row(me).Stamps.Slot[wire.SlotInstance], 1)
	// an older one is dropped, whomever it names
	r.send(held(0, other+1))
	r.tick(1)
	r.wantVerdicts(Stale)
	// merged: by the stamp of the position slot
	r.send(held(1, other))
	c := held(1, holder)
	r.send(c)
	r.tick(1)
	r.wantVerdicts(Parked, Stale)
	r.send(creates(other, 1, 90, 90))
	r.tick(2)
	same(t, "instance", r.row(me).Stamps.Slot[wire.SlotInstance], 2)
	same(t, "parent", r.row(me).Identity.Parent, other)
	c = held(2, holder)
	c.Physics.Stamps[wire.SlotPosition] = 1
	c.Physics.ParentLocation = 7
	r.send(c)
	r.tick(1)
	r.wantVerdicts(Applied)
	same(t, "parent", r.row(me).Identity.Parent, holder)
	same(t, "location", r.row(me).Identity.Location, 7)

	// all in one tick, in whatever order, a ring among them
	r = newRig(t, Options{})
	for i := range uint32(4) {
		c := creates(me+i, 1, 108, 108)
		if c.Physics.Parent = me + i + 1; i == 3 {
			c.Physics.Parent = 0
		}
		c.Physics.Fresh()
		r.send(c)
	}
	for i := range uint32(3) {
		c := creates(other+i, 1, 0, 0)
		c.Physics.Parent = other + (i+1)%3
		c.Physics.Fresh()
		r.send(c)
	}
	c = creates(me+20, 1, 0, 0)
	c.Physics.Parent = me + 20 // nobody holds himself
	c.Physics.Fresh()
	r.send(c)
	r.tick(1)
	same(t, "rows", r.e.Len(), 4)
	n, _, _ := r.e.ParkedCount()
	same(t, "wait", n, 3)
	for i := range uint32(3) {
		same(t, "parent", r.row(me+i).Identity.Parent, me+i+1)
	}
	r.tick(31 * 30)
	_, _, expired := r.e.ParkedCount()
	same(t, "expired", expired, 3)
}

func TestSpec20_5_1_CreateGate(t *testing.T) {
	r := newRig(t, Options{})
	r.send(creates(me, 5, 108, 108))
	r.tick(1)
	r.instance[me] = 5
	r.move(me, does{forward: run})
	r.seconds(1)

	// older: dropped
	r.send(creates(me, 4, 50, 50))
	r.tick(1)
	r.wantVerdicts(Stale)
	same(t, "forward", r.row(me).Interpreted.Forward, run)

	// equal: merged, each part by its own stamp
	c := creates(me, 5, 108, 120)
	c.Physics.HasBody = true
	c.Physics.Body.State = does{forward: walk}.state()
	c.Physics.Velocity = space.Vec3{0, 0, 3}
	c.Physics.Stamps[wire.SlotMovement] = 1 // what it has: not newer
	c.Physics.Stamps[wire.SlotPosition] = 1
	c.Physics.Fresh()
	r.send(c)
	r.tick(1)
	r.wantVerdicts(Applied)
	got := r.row(me)
	same(t, "forward", got.Interpreted.Forward, run)
	same(t, "queue", len(got.queue), 1)
	same(t, "velocity", got.Body.Velocity, space.Vec3{})
	c.Physics.Stamps[wire.SlotMovement] = 2
	c.Physics.Stamps[wire.SlotVector] = 1
	c.Physics.BodyAutonomous = 1
	r.send(c)
	r.tick(1)
	r.wantVerdicts(Applied)
	same(t, "autonomous", r.row(me).Interpreter.LastMoveAutonomous, true)
	same(t, "forward", r.row(me).Interpreted.Forward, walk)
	if r.row(me).Body.Velocity == (space.Vec3{}) {
		t.Error("the velocity was not merged")
	}
	r.send(c)
	r.tick(1)
	r.wantVerdicts(Stale)

	// newer: built again, in this tick, with all nine stamps
	c = creates(me, 6, 60, 60)
	c.Physics.Stamps[wire.SlotMovement] = 9
	r.instance[me], r.moves[me] = 6, 9
	r.send(c)
	r.move(me, does{forward: walk})
	r.tick(1)
	r.wantVerdicts(Applied, Applied)
	sameList(t, "events", r.kinds(me), Left, Entered)
	got = r.row(me)
	same(t, "forward", got.Interpreted.Forward, walk)
	same(t, "queue", len(got.queue), 0)
	same(t, "movement stamp", got.Stamps.Slot[wire.SlotMovement], 10)
	same(t, "rows", r.e.Len(), 1)

	// an update always builds again, at the same instance too, and from an older one
	for _, instance := range []uint16{6, 5} {
		c = creates(me, instance, 70, 70)
		c.Update = true
		r.send(c)
		r.tick(1)
		r.wantVerdicts(Applied)
		sameList(t, "events", r.kinds(me), Left, Entered)
		same(t, "forward", r.row(me).Interpreted.Forward, ready)
		same(t, "instance", r.row(me).Stamps.Slot[wire.SlotInstance], instance)
	}
}

// A create that cannot be built leaves alone who is there, whether it came newer or as an
// update, and so does one that follows a merge in its tick (20 §7).
func TestSpec20_7_RefusedCreateChangesNothing(t *testing.T) {
	scale := creates(me, 6, 60, 60)
	scale.Physics.Scale = 0
	outside := creates(me, 6, 60, 60)
	outside.Physics.Position = space.Position{Cell: 0x00010001, Frame: space.Frame{Origin: space.Vec3{-50, 60, 0}, Rotation: space.IdentityQuat}}
	itself := creates(me, 6, 60, 60)
	itself.Physics.Parent = me
	for _, c := range []struct {
		bad  *wire.Create
		want Verdict
	}{{scale, Refused}, {outside, Refused}, {itself, Ignored}} {
		for _, update := range []bool{false, true} {
			r, twin := newRig(t, Options{}), newRig(t, Options{})
			for _, r := range []*rig{r, twin} {
				r.send(creates(me, 5, 108, 108))
				r.tick(1)
			}
			c.bad.Update = update
			c.bad.Physics.Fresh()
			r.send(c.bad)
			r.tick(1)
			twin.tick(1)
			r.wantVerdicts(c.want)
			same(t, "there", r.has(me), true)
			same(t, "hash", r.e.Hash(), twin.e.Hash())
		}
	}
	// in its turn, behind a create that the rebuild waits for
	r := newRig(t, Options{})
	r.send(creates(me, 5, 108, 108))
	r.tick(1)
	scale.Physics.Parent = me + 1 // unknown until then
	scale.Physics.Fresh()
	r.send(scale)
	r.send(creates(me+1, 1, 100, 100))
	r.tick(1)
	same(t, "there", r.has(me), true)
}

func TestSpec20_5_1_Delete(t *testing.T) {
	r := newRig(t, Options{})
	r.send(creates(me, 5, 108, 108))
	r.send(creates(me+1, 1, 110, 108))
	r.tick(2)
	r.send(&wire.Delete{Guid: me, Instance: 4})
	r.tick(1)
	r.wantVerdicts(Stale)
	r.send(&wire.Delete{Guid: me, Instance: 5})
	r.tick(1)
	r.wantVerdicts(Applied)
	last := r.row(me)
	where := placeOf(&last.Pose.Position)
	r.tick(1)
	same(t, "there", r.has(me), false)
	same(t, "rows", r.e.Len(), 1)
	for _, e := range r.e.Events() {
		if e.Guid == me && (e.Kind != Left || e.From != where) {
			t.Errorf("event %+v", e)
		}
	}
	sameList(t, "events", r.kinds(me), Left)
	same(t, "the other", r.has(me+1), true)

	// with and without its pad (20 §2.6)
	b := encode(t, &wire.Delete{Guid: me + 1, Instance: 1})
	r.send(b[:10])
	r.tick(2)
	same(t, "rows", r.e.Len(), 0)
}

// Deleted and created in one tick, at the same instance: the old one goes and
// the new one comes, together, in the next tick; what is sent in between waits.
func TestSpec20_5_1_DeleteAndCreateInOneTick(t *testing.T) {
	for _, order := range [][2]uint16{{5, 5}, {5, 4}} { // an instance after a delete may be any
		r := newRig(t, Options{})
		r.send(creates(me, order[0], 108, 108))
		r.tick(1)
		r.instance[me] = order[0]
		r.move(me, does{forward: run})
		r.tick(5)
		r.send(&wire.Delete{Guid: me, Instance: order[0]})
		r.send(creates(me, order[1], 60, 60))
		r.instance[me], r.moves[me] = order[1], 0
		r.move(me, does{forward: walk})
		r.tick(1)
		r.wantVerdicts(Applied, Applied, Parked)
		r.tick(1)
		r.wantVerdicts(Applied) // what had waited
		sameList(t, "events", r.kinds(me), Left, Entered)
		got := r.row(me)
		same(t, "forward", got.Interpreted.Forward, walk)
		near(t, "x", float64(got.Pose.Frame.Origin[0]), 60, 0.01)
		same(t, "instance", got.Stamps.Slot[wire.SlotInstance], order[1])
	}
}

// A create at a newer instance, and the old instance's delete behind it.
func TestSpec20_5_1_LateDelete(t *testing.T) {
	r := newRig(t, Options{})
	r.send(creates(me, 5, 108, 108))
	r.tick(1)
	r.send(creates(me, 6, 60, 60))
	r.send(&wire.Delete{Guid: me, Instance: 5})
	r.tick(1)
	r.wantVerdicts(Applied, Stale)
	r.tick(1)
	same(t, "there", r.has(me), true)
}

// Created, deleted and created twice again within one tick: the last one stands
// in the end, and what was sent to it is done.
func TestSpec20_5_1_CreateDeleteCreate(t *testing.T) {
	r := newRig(t, Options{})
	r.send(creates(me, 5, 108, 108))
	r.send(&wire.Delete{Guid: me, Instance: 5})
	r.send(creates(me, 6, 60, 60))
	r.send(creates(me, 7, 70, 70))
	r.instance[me] = 7
	r.move(me, does{forward: walk})
	r.tick(1)
	r.wantVerdicts(Applied, Applied, Applied, Parked, Parked)
	r.tick(1)
	r.wantVerdicts(Applied, Parked)
	sameList(t, "events", r.kinds(me), Left, Entered)
	same(t, "instance", r.row(me).Stamps.Slot[wire.SlotInstance], 6)
	r.tick(1)
	r.wantVerdicts(Applied)
	sameList(t, "events", r.kinds(me), Left, Entered)
	c := r.row(me)
	same(t, "instance", c.Stamps.Slot[wire.SlotInstance], 7)
	same(t, "forward", c.Interpreted.Forward, walk)
	near(t, "x", float64(c.Pose.Frame.Origin[0]), 70, 0.01)
	r.tick(1)
	same(t, "rows", r.e.Len(), 1)
	if n, _, _ := r.e.ParkedCount(); n != 0 {
		t.Errorf("%d messages wait", n)
	}
}

// Two creates in one tick: equal instances merge, a newer one builds again.
func TestSpec20_5_1_TwoCreatesInOneTick(t *testing.T) {
	r := newRig(t, Options{})
	r.send(creates(me, 5, 108, 108))
	r.send(creates(me, 5, 108, 108))
	r.send(creates(me, 6, 60, 60))
	r.tick(1)
	r.wantVerdicts(Applied, Stale, Applied)
	same(t, "instance", r.row(me).Stamps.Slot[wire.SlotInstance], 5)
	r.tick(1)
	same(t, "instance", r.row(me).Stamps.Slot[wire.SlotInstance], 6)
	same(t, "rows", r.e.Len(), 1)
}

// Whatever the embedder did with a guid in between, a remote does what its own
// create said, and nobody else's.
func TestCreationIsOfItsOwnRemote(t *testing.T) {
	r := newRig(t, Options{})
	r.send(creates(me, 5, 108, 108))
	r.tick(1)
	r.send(&wire.Delete{Guid: me, Instance: 5})
	c := creates(me, 5, 60, 60)
	c.Physics.HasBody = true
	c.Physics.Body.State = does{forward: run}.state()
	c.Physics.Fresh()
	r.send(c)
	r.tick(1) // the running one waits for its row
	same(t, "taken back", r.e.Remove(me), true)
	r.spawn(human(me, 40, 40))
	r.tick(1)
	same(t, "forward", r.row(me).Interpreted.Forward, ready)
	near(t, "x", float64(r.row(me).Pose.Frame.Origin[0]), 40, 0.01)
}

// Movement before the create waits for it and is then done, in order, before
// anything that comes in that tick (20 §5.1).
func TestSpec20_5_1_ParkedIsReplayedInOrder(t *testing.T) {
	r := newRig(t, Options{})
	r.instance[me] = 1
	for range 5 {
		r.move(me, does{forward: walk})
		r.tick(1)
		r.wantVerdicts(Parked)
	}
	r.place(me, spot(108, 110, 0))
	r.tick(1)
	if n, _, _ := r.e.ParkedCount(); n != 6 {
		t.Fatalf("%d messages wait", n)
	}
	r.move(me, does{forward: run}) // comes before the create, in its tick
	r.send(creates(me, 1, 108, 108))
	r.tick(1)
	r.wantVerdicts(Applied, Applied, Applied, Applied, Applied, Applied, Applied, Applied)
	ops := []uint32{}
	for _, o := range r.e.Outcomes() {
		ops = append(ops, o.Opcode)
	}
	m := wire.OpMovement
	sameList(t, "order", ops, wire.OpCreate, m, m, m, m, m, wire.OpPosition, m)
	got := r.row(me)
	same(t, "forward", got.Interpreted.Forward, run)
	same(t, "queue", len(got.queue), 1)
	same(t, "movement stamp", got.Stamps.Slot[wire.SlotMovement], 6)
	if n, dropped, expired := r.e.ParkedCount(); n+int(dropped+expired) != 0 {
		t.Errorf("%d wait, %d dropped, %d expired", n, dropped, expired)
	}
}

// What waited is done by whom it was for, whoever the last input of the tick before was for,
// and wherever inputs lay.
func TestSpec20_5_1_ParkedIsReplayedByItsOwn(t *testing.T) {
	const late, other = me + 7, me + 3
	for _, workers := range []int{1, 2} {
		for _, more := range []bool{false, true} {
			r := newRig(t, Options{Workers: workers})
			r.spawn(human(me, 40, 40))
			r.tick(1)
			r.move(late, does{forward: run})
			r.send(creates(other, 0, 60, 60)) // answered before all others
			r.tick(1)
			r.wantVerdicts(Applied, Parked)
			r.send(creates(late, 0, 80, 80))
			if more {
				r.send(&wire.Delete{Guid: 0x777})
			}
			r.tick(1)
			if is := r.row(me).Interpreted.Forward; is == run {
				t.Error("somebody else runs")
			}
			same(t, "forward", r.row(late).Interpreted.Forward, run)
		}
	}
}

// Messages of an instance that is still to come wait on when an older one is
// created, whole and in order, while those of this instance are done.
func TestSpec20_5_1_ParkedForALaterInstance(t *testing.T) {
	r := newRig(t, Options{})
	for i := range 6 {
		r.instance[me] = uint16(2 - i%2)
		r.moves[me] = uint16(i)
		r.move(me, does{forward: walk, speed: float32(i + 1)})
	}
	r.tick(1)
	r.send(creates(me, 1, 108, 108))
	r.tick(1)
	r.wantVerdicts(Applied, Parked, Applied, Parked, Applied, Parked, Applied)
	same(t, "speed", r.row(me).Interpreted.ForwardSpeed, 6)
	r.send(creates(me, 2, 108, 108))
	r.tick(1)
	r.wantVerdicts(Applied, Applied, Applied, Applied)
	same(t, "speed", r.row(me).Interpreted.ForwardSpeed, 5)
	same(t, "movement stamp", r.row(me).Stamps.Slot[wire.SlotMovement], 5)
	if n, _, _ := r.e.ParkedCount(); n != 0 {
		t.Errorf("%d still wait", n)
	}
}

// A message of a newer instance of somebody known waits too.
func TestSpec20_5_1_NewerInstanceWaits(t *testing.T) {
	r := newRig(t, Options{})
	r.send(creates(me, 1, 108, 108))
	r.tick(1)
	before := r.row(me)
	r.instance[me] = 2
	r.move(me, does{forward: run})
	r.place(me, spot(100, 100, 0))
	r.send(r.state(me, 0))
	r.send(r.vector(me, space.Vec3{1, 1, 1}, space.Vec3{}))
	r.send(&wire.Delete{Guid: me, Instance: 2})
	r.tick(1)
	r.wantVerdicts(Parked, Parked, Parked, Parked, Parked)
	after := r.row(me)
	same(t, "interpreted", after.Interpreted, before.Interpreted)
	same(t, "stamps", after.Stamps, before.Stamps)
	same(t, "body", after.Body, before.Body)
	r.send(creates(me, 2, 108, 108))
	r.tick(1)
	r.wantVerdicts(Applied, Applied, Applied, Applied, Applied, Applied)
	r.tick(1)
	same(t, "there after its delete", r.has(me), false)
}

// At most 32 messages wait a guid, for 30 seconds (20 §7).
func TestSpec20_7_ParkedBounds(t *testing.T) {
	r := newRig(t, Options{})
	for range 40 {
		r.move(me, does{forward: walk})
	}
	r.tick(1)
	if n, dropped, _ := r.e.ParkedCount(); n != wire.MaxParkedPerGuid || dropped != 8 {
		t.Errorf("%d wait, %d dropped", n, dropped)
	}
	r.tick(29 * 30)
	r.move(me+1, does{forward: walk})
	r.tick(29)
	if n, _, expired := r.e.ParkedCount(); n != 33 || expired != 0 {
		t.Errorf("before 30 s: %d wait, %d expired", n, expired)
	}
	r.tick(2)
	if n, _, expired := r.e.ParkedCount(); n != 1 || expired != 32 {
		t.Errorf("after more: %d wait, %d expired", n, expired)
	}
	r.send(creates(me, 0, 108, 108))
	r.tick(1)
	same(t, "forward", r.row(me).Interpreted.Forward, ready)
}

// With Options.Unknown an object is there from its first message on, whatever
// stamps that has: the first of each kind is newer (components.Stamps.Unseen).
func TestUnknownIsMetAtFirstSight(t *testing.T) {
	for _, stamp := range []uint16{0, 1, 0x7FFF, 0x8000, 0xFFFF} {
		u := human(0, 108, 108)
		r := newRig(t, Options{Unknown: &u})
		all := func(guid uint32, n uint16) {
			r.instance[guid], r.teleport[guid] = stamp, stamp
			r.moves[guid], r.places[guid], r.states[guid], r.vectors[guid] = n, n, n, n
		}
		all(me, stamp-1)
		r.place(me, spot(50, 50, 90))
		m := r.movement(me, does{forward: run})
		m.ServerControl = stamp
		r.send(m)
		r.send(r.vector(me, space.Vec3{0, 0, 1}, space.Vec3{}))
		r.send(r.state(me, components.DefaultState|components.Frozen))
		r.tick(1)
		r.wantVerdicts(Applied, Applied, Applied, Applied)
		c := r.row(me)
		near(t, "x", float64(c.Pose.Frame.Origin[0]), 50, 0.01)
		same(t, "forward", c.Interpreted.Forward, run)
		same(t, "vector", c.Stamps.Slot[wire.SlotVector], stamp)
		// and then they gate as ever
		all(me, stamp-1)
		r.place(me, spot(60, 60, 90))
		r.move(me, does{forward: walk})
		r.tick(1)
		r.wantVerdicts(Stale, Stale)
		// a later instance waits for its create
		r.instance[me] = stamp + 1
		r.move(me, does{forward: walk})
		r.tick(1)
		r.wantVerdicts(Parked)

		// first seen by its movement: it stands where Unknown says
		all(me+1, stamp-1)
		r.move(me+1, does{forward: walk})
		r.tick(1)
		r.wantVerdicts(Applied)
		near(t, "x", float64(r.row(me + 1).Pose.Frame.Origin[0]), 108, 0.01)
		// its first position is no teleport
		r.place(me+1, spot(109, 108, 0))
		r.tick(1)
		same(t, "queue", len(r.row(me+1).queue), 1)

		// by both in one
		all(me+2, stamp-1)
		p, how := r.position(me+2, spot(70, 70, 0)), r.movement(me+2, does{forward: walk})
		r.send(&wire.PositionMovement{Guid: me + 2, Pack: p.Pack, Movement: how.Movement, Body: how.Body})
		r.tick(1)
		r.wantVerdicts(Applied)
		near(t, "x", float64(r.row(me + 2).Pose.Frame.Origin[0]), 70, 0.01)
		same(t, "forward", r.row(me+2).Interpreted.Forward, walk)
	}
}

// A remote that the embedder spawned without stamps takes those of the first
// create as newer: it is built as that says.
func TestCreateOfWhoHasNoStamps(t *testing.T) {
	for _, stamp := range []uint16{0, 1, 0x7FFF, 0x8000, 0xFFFF} {
		r := newRig(t, Options{})
		s := human(me, 108, 108)
		s.Stamps.Unseen = 1<<9 - 1
		r.spawn(s)
		r.tick(1)
		r.send(creates(me, stamp, 60, 60))
		r.tick(1)
		r.wantVerdicts(Applied)
		sameList(t, "events", r.kinds(me), Left, Entered)
		same(t, "stamps", r.row(me).Stamps, components.Stamps{Slot: [9]uint16{8: stamp}})
	}
}

// What nobody has seen and what is no movement or position is not guessed at,
// and a broken first message makes nobody.
func TestUnknownIsNotGuessed(t *testing.T) {
	u := human(0, 108, 108)
	r := newRig(t, Options{Unknown: &u})
	r.send(r.vector(me, space.Vec3{}, space.Vec3{}))
	r.send(r.state(me, 0))
	r.send(&wire.Delete{Guid: me})
	r.send(encode(t, r.movement(me, does{}))[:16])
	r.tick(1)
	r.wantVerdicts(Parked, Parked, Parked, Refused)
	same(t, "rows", r.e.Len(), 0)
}

// An Unknown without a place cannot stand anywhere before its first position.
func TestUnknownWithoutAPlace(t *testing.T) {
	u := human(0, 108, 108)
	u.Place = space.Position{}
	r := newRig(t, Options{Unknown: &u})
	r.move(me, does{forward: walk})
	r.tick(1)
	r.wantVerdicts(Parked)
	r.place(me, spot(50, 50, 0))
	r.tick(1)
	r.wantVerdicts(Applied, Applied)
	same(t, "forward", r.row(me).Interpreted.Forward, walk)
}

// A create that names tables which are not there gets those of Unknown, or none.
func TestCreateWithUnknownTables(t *testing.T) {
	u := human(0, 108, 108)
	for _, o := range []Options{{Unknown: &u}, {}} {
		r := newRig(t, o)
		c := creates(me, 1, 108, 108)
		c.Physics.MotionTable, c.Physics.Setup = 0x0900FFFF, 0x0200FFFF
		r.send(c)
		r.tick(1)
		r.wantVerdicts(Applied)
		r.instance[me] = 1
		got := r.row(me).Identity
		if has := o.Unknown != nil; (got.Table >= 0) != has || (got.Setup >= 0) != has {
			t.Errorf("%+v", got)
		}
		r.move(me, does{forward: run})
		r.tick(10)
		same(t, "forward", r.row(me).Interpreted.Forward, run)
	}
}
