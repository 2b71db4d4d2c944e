package systems

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/motion"
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
	same(t, "scale", got.Traits.Scale, 1.5)
	near(t, "radius", float64(got.Traits.Radius), 0.6788225*1.5, 1e-5)
	same(t, "friction", got.Body.Friction, 0.5)
	same(t, "elasticity", got.Body.Elasticity, 0.07)
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

// A create brings no run rate: what it runs at is learned from its movement,
// and the chase goes by it (R5.9, R5.23).
func TestR5_9_CreatedLearnsItsRunRate(t *testing.T) {
	r := newRig(t, Options{})
	r.send(creates(me, 0, 108, 108))
	r.tick(1)
	r.move(me, does{forward: run, speed: 2.25})
	r.tick(1)
	r.move(me, does{})
	r.seconds(2)
	y := r.world(me)[1]
	r.place(me, spot(108, 108+float32(r.north(me))+10, 0))
	r.tick(1)
	near(t, "a step of the chase", r.world(me)[1]-y, 2*4*2.25/30, 1e-3)
}

// Omega is clamped as the wire's speeds are (20 §7). A sled keeps it on the ground.
func TestSpec20_7_OmegaIsClamped(t *testing.T) {
	r := newRig(t, Options{})
	c := creates(me, 0, 108, 108)
	c.Physics.State |= wire.PhysicsSledding
	c.Physics.Omega = space.Vec3{0, 0, 1e9}
	c.Physics.Fresh()
	r.send(c)
	r.tick(1)
	same(t, "omega of the create", r.row(me).Body.Omega, space.Vec3{0, 0, 1e3})
	r.send(r.vector(me, space.Vec3{}, space.Vec3{0, -1e9, 0}))
	r.tick(1)
	same(t, "omega of the vector update", r.row(me).Body.Omega, space.Vec3{0, -1e3, 0})
}

// Who is spawned in the air falls from its first tick on, with a motion table or
// without (11 §6): the first step changes the velocity alone.
func TestSpec11_6_SpawnedInTheAir(t *testing.T) {
	r := newRig(t, Options{TicksPerSecond: 5})
	for i, table := range []uint32{humanTable, 0} {
		s := human(me+uint32(i), 108, 108)
		s.MotionTable, s.Contact, s.OnWalkable = table, false, false
		r.spawn(s)
	}
	for _, want := range [][2]float64{{-1.96, 0}, {-3.92, -0.588}} {
		r.tick(1)
		for guid := uint32(me); guid <= me+1; guid++ {
			c := r.row(guid)
			near(t, "velocity", float64(c.Body.Velocity[2]), want[0], 1e-5)
			near(t, "height", float64(c.Pose.Frame.Origin[2]), want[1], 1e-5)
		}
	}
}

// What has no place of its own in the world is not simulated.
func TestSpec20_2_7_HeldOrNowhere(t *testing.T) {
	r := newRig(t, Options{})
	held, nowhere := creates(me, 1, 108, 108), creates(me+1, 1, 0, 0)
	held.Physics.Parent = me + 5
	held.Physics.Fresh()
	nowhere.Physics.Position = space.Position{}
	nowhere.Physics.Fresh()
	r.send(held)
	r.send(nowhere)
	r.tick(1)
	r.wantVerdicts(Ignored, Ignored)
	same(t, "rows", r.e.Len(), 0)
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
	same(t, "movement stamp", got.Stamps.Slot[components.StampMovement], 10)
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
		same(t, "instance", r.row(me).Stamps.Slot[components.StampInstance], instance)
	}
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
		same(t, "instance", got.Stamps.Slot[components.StampInstance], order[1])
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
	same(t, "instance", r.row(me).Stamps.Slot[components.StampInstance], 6)
	r.tick(1)
	r.wantVerdicts(Applied)
	sameList(t, "events", r.kinds(me), Left, Entered)
	c := r.row(me)
	same(t, "instance", c.Stamps.Slot[components.StampInstance], 7)
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
	same(t, "instance", r.row(me).Stamps.Slot[components.StampInstance], 5)
	r.tick(1)
	same(t, "instance", r.row(me).Stamps.Slot[components.StampInstance], 6)
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
	same(t, "movement stamp", got.Stamps.Slot[components.StampMovement], 6)
	if n, dropped, expired := r.e.ParkedCount(); n+int(dropped+expired) != 0 {
		t.Errorf("%d wait, %d dropped, %d expired", n, dropped, expired)
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
	same(t, "movement stamp", r.row(me).Stamps.Slot[components.StampMovement], 5)
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
		same(t, "vector", c.Stamps.Slot[components.StampVector], stamp)
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

// The player's first force-position stamp is no news, whatever it is; a newer
// one is.
func TestFirstForcePositionIsNoNews(t *testing.T) {
	for _, stamp := range []uint16{0, 1, 0x7FFF, 0x8000, 0xFFFF} {
		u := human(0, 108, 108)
		r := newRig(t, Options{Unknown: &u, LocalPlayer: me})
		for i, want := range []Verdict{Ignored, Applied} {
			p := r.position(me, spot(50, 50, 0))
			p.Pack.ForcePosition = stamp + uint16(i)
			r.send(p)
			r.tick(1)
			r.wantVerdicts(want)
		}
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

// 20 §5.4: at normal autonomy the player is moved only by force and by teleports.
func TestSpec20_5_4_LocalPlayer(t *testing.T) {
	r := standing(t, Options{LocalPlayer: me})
	r.spawn(human(me+1, 50, 50))
	r.tick(1)
	start := r.world(me)

	// an ordinary position does nothing but take its stamp
	r.place(me, spot(120, 108, 90))
	r.place(me+1, spot(52, 50, 90))
	r.tick(1)
	r.wantVerdicts(Ignored, Applied)
	r.tick(10)
	same(t, "where", r.world(me), start)
	same(t, "position stamp", r.row(me).Stamps.Slot[components.StampPosition], 1)

	// a newer force-position blips him and keeps his heading
	r.move(me, does{forward: run})
	r.tick(20)
	p := r.position(me, spot(110, 108, 90))
	p.Pack.ForcePosition = 1
	r.send(p)
	r.tick(1)
	r.wantVerdicts(Applied)
	sameList(t, "events", r.kinds(me), Blipped)
	c := r.row(me)
	near(t, "x", float64(c.Pose.Frame.Origin[0]), 110, 0.2)
	near(t, "heading", float64(space.Heading(c.Pose.Frame.Rotation)), 0, 1e-3)
	same(t, "forward", c.Interpreted.Forward, run)
	sameList(t, "done, the movement having been applied again", r.done(me), motion.NonCombat, run)
	r.send(p) // not newer any more
	r.tick(1)
	r.wantVerdicts(Stale)

	// with an older teleport stamp it is nothing
	r.teleport[me] = 0xFFFF
	p = r.position(me, spot(112, 108, 90))
	p.Pack.ForcePosition = 2
	r.send(p)
	r.tick(1)
	r.wantVerdicts(Stale)
	r.teleport[me] = 0

	// a newer teleport moves and stops him
	r.command(Command{Guid: me, Do: DoVelocity, Velocity: space.Vec3{3, 0, 0}})
	r.tick(1)
	r.send(r.teleportTo(me, spot(20, 20, 180)))
	r.tick(1)
	r.wantVerdicts(Applied)
	sameList(t, "events", r.kinds(me), Teleported, CellChanged)
	c = r.row(me)
	near(t, "x", float64(c.Pose.Frame.Origin[0]), 20, 0.01)
	same(t, "velocity", c.Body.Velocity, space.Vec3{})

	// vector updates take their stamp and nothing else
	r.send(r.vector(me, space.Vec3{0, 0, 9}, space.Vec3{}))
	r.tick(1)
	r.wantVerdicts(Ignored)
	same(t, "velocity", r.row(me).Body.Velocity, space.Vec3{})
	same(t, "vector stamp", r.row(me).Stamps.Slot[components.StampVector], 1)

	// the echo of his own movement is taken and not applied
	m := r.movement(me, does{forward: walk})
	m.Autonomous = 1
	r.send(m)
	r.tick(1)
	r.wantVerdicts(Stale)
	same(t, "forward", r.row(me).Interpreted.Forward, run)
	same(t, "movement stamp", r.row(me).Stamps.Slot[components.StampMovement], m.Movement)
	r.move(me, does{forward: walk}) // the server's own word is
	r.tick(1)
	r.wantVerdicts(Applied)
	same(t, "forward", r.row(me).Interpreted.Forward, walk)

	// he is never deleted
	r.send(&wire.Delete{Guid: me})
	r.send(&wire.Delete{Guid: me + 1})
	r.tick(2)
	same(t, "he", r.has(me), true)
	same(t, "the other", r.has(me+1), false)
}

// An autonomous movement of anybody else is applied and remembered as such.
func TestSpec20_5_2_AutonomousRemote(t *testing.T) {
	r := standing(t, Options{LocalPlayer: me + 9})
	m := r.movement(me, does{forward: run})
	m.Autonomous = 1
	r.send(m)
	r.tick(1)
	r.wantVerdicts(Applied)
	same(t, "autonomous", r.row(me).Interpreter.LastMoveAutonomous, true)
	r.move(me, does{forward: run})
	r.tick(1)
	same(t, "autonomous", r.row(me).Interpreter.LastMoveAutonomous, false)
}

func TestSpec20_5_5_Vector(t *testing.T) {
	r := standing(t, Options{})
	r.command(Command{Guid: me, Do: DoGround})
	r.tick(1)
	v := r.vector(me, space.Vec3{60, 80, 0}, space.Vec3{0, 0, 1})
	r.send(v)
	r.tick(1)
	r.wantVerdicts(Applied)
	b := r.row(me).Body
	near(t, "capped speed", float64(space.Length(space.Vec3{b.Velocity[0], b.Velocity[1], 0})), 50, 1e-3)
	same(t, "omega", b.Omega, space.Vec3{0, 0, 1})
	at, heading := r.world(me), space.Heading(r.row(me).Pose.Frame.Rotation)
	r.send(v)
	r.tick(1)
	r.wantVerdicts(Stale)
	to := r.world(me)
	near(t, "x", to[0]-at[0], 30.0/30, 1e-2)
	near(t, "turned", float64(heading-space.Heading(r.row(me).Pose.Frame.Rotation)), 180/3.14159265/30, 1e-2)
}

// Both edges of hiding end what links play (R4.14); a hidden remote neither
// animates nor moves (11 §5.1).
func TestR4_14_Hiding(t *testing.T) {
	r := standing(t, Options{})
	r.move(me, does{forward: run})
	r.tick(3)
	same(t, "list", len(r.list(me)), 2)
	hidden := components.DefaultState | components.Hidden
	r.send(r.state(me, hidden))
	r.tick(1)
	r.wantVerdicts(Applied)
	sameList(t, "list", r.list(me), 0x03000004)
	sameList(t, "dropped", r.done(me), run)
	c := r.row(me)
	same(t, "state", c.Body.State&(components.Hidden|components.IgnoreCollisions|components.ReportCollisions), components.Hidden|components.IgnoreCollisions)
	same(t, "view", r.e.View().Flags[0]&IsHidden, IsHidden)
	at, frame := r.world(me), c.Sequence.Frame
	r.tick(10)
	same(t, "where", r.world(me), at)
	same(t, "frame", r.row(me).Sequence.Frame, frame)

	r.move(me, does{forward: walk}) // a link, pending
	r.tick(1)
	same(t, "list", len(r.list(me)), 2)
	r.send(r.state(me, hidden)) // no edge
	r.tick(1)
	same(t, "list", len(r.list(me)), 2)
	r.send(r.state(me, components.DefaultState))
	r.tick(1)
	sameList(t, "list", r.list(me), 0x03000003)
	same(t, "state", r.row(me).Body.State&(components.Hidden|components.IgnoreCollisions|components.ReportCollisions), components.ReportCollisions)
	r.tick(10)
	if apart(r.world(me), at) < 0.5 {
		t.Error("walks not when shown again")
	}
	// an old stamp changes nothing
	r.states[me] -= 2
	r.send(r.state(me, hidden))
	r.tick(1)
	r.wantVerdicts(Stale)
}

// A hidden remote does not fall, but for what it falls faster by (11 §5.1).
func TestSpec11_5_1_HiddenHangs(t *testing.T) {
	r := standing(t, Options{})
	r.command(Command{Guid: me, Do: DoGround})
	r.tick(5)
	r.send(r.state(me, components.DefaultState|components.Hidden))
	r.tick(1)
	c := r.row(me)
	r.tick(10)
	same(t, "pose", r.row(me).Pose, c.Pose)
	same(t, "velocity", r.row(me).Body.Velocity, c.Body.Velocity)
}

// A hidden remote still chases (11 §5.1).
func TestSpec11_5_1_HiddenChases(t *testing.T) {
	r := standing(t, Options{})
	r.send(r.state(me, components.DefaultState|components.Hidden))
	r.place(me, spot(110, 108, 0))
	r.tick(20)
	near(t, "x", float64(r.row(me).Pose.Frame.Origin[0]), 110, 0.05)
}

// Frozen bodies are not updated at all, and rejoin when something activates them.
func TestSpec11_4_2_Frozen(t *testing.T) {
	r := standing(t, Options{})
	r.move(me, does{forward: run})
	r.tick(30)
	r.send(r.state(me, components.DefaultState|components.Frozen))
	r.tick(1)
	c := r.row(me)
	same(t, "active", c.Body.Transient&components.Active, 0)
	r.tick(10)
	same(t, "where", r.row(me).Pose, c.Pose)
	same(t, "frame", r.row(me).Sequence.Frame, c.Sequence.Frame)
	r.send(r.state(me, components.DefaultState))
	r.place(me, spot(108, 114, 0))
	r.tick(5)
	if r.row(me).Pose == c.Pose {
		t.Error("stays frozen")
	}
}

// The position's placement id sets the pose of what plays nothing (20 §5.3, 12 §3).
func TestSpec20_5_3_Placement(t *testing.T) {
	r := newRig(t, Options{})
	s := human(me, 108, 108)
	s.MotionTable = 0
	r.spawn(s)
	r.spawn(human(me+1, 108, 108))
	r.tick(1)
	for i := range r.e.world.Columns().Sequence { // the setup has but one placement
		r.e.world.Columns().Sequence[i].Placement = -1
	}
	for guid := uint32(me); guid <= me+1; guid++ {
		p := r.position(guid, spot(108, 108, 0))
		p.Pack.Placement, p.Pack.Flags = 0x77, p.Pack.Flags|wire.PackPlacement
		r.send(p)
	}
	r.tick(1)
	r.wantVerdicts(Applied, Applied)
	if got := r.row(me).Sequence; got.Placement < 0 {
		t.Errorf("placement %d", got.Placement)
	}
	same(t, "placement of who plays something", r.row(me+1).Sequence.Placement, -1)
}

// 20 §2.3: of a message with both the position goes first; a stale half does
// not stop the other, an instance that is not there yet stops both.
func TestSpec20_2_3_PositionAndMovement(t *testing.T) {
	r := standing(t, Options{})
	both := func(d does, x float32) *wire.PositionMovement {
		p, m := r.position(me, spot(x, 108, 0)), r.movement(me, d)
		return &wire.PositionMovement{Guid: me, Pack: p.Pack, Movement: m.Movement, Body: m.Body}
	}
	r.send(both(does{forward: walk}, 112))
	r.tick(1)
	r.wantVerdicts(Applied)
	same(t, "queue", len(r.row(me).queue), 1)
	same(t, "forward", r.row(me).Interpreted.Forward, walk)
	b := both(does{forward: run}, 113)
	b.Pack.Position = 0 // stale
	r.send(b)
	r.tick(1)
	r.wantVerdicts(Applied)
	same(t, "queue", len(r.row(me).queue), 1)
	same(t, "forward", r.row(me).Interpreted.Forward, run)
	r.places[me]--
	b = both(does{forward: walk}, 114)
	b.Movement = 0 // stale
	r.send(b)
	r.tick(1)
	r.wantVerdicts(Applied)
	same(t, "queue", len(r.row(me).queue), 2)
	same(t, "forward", r.row(me).Interpreted.Forward, run)
	b = both(does{forward: walk}, 115)
	b.Pack.Position, b.Movement = 0, 0
	r.send(b)
	r.tick(1)
	r.wantVerdicts(Stale)
	b = both(does{forward: walk}, 115)
	b.Pack.Instance = 1
	r.send(b)
	r.tick(1)
	r.wantVerdicts(Parked)
	same(t, "forward", r.row(me).Interpreted.Forward, run)
}

// What the engine cannot do yet is said, and what is no business of a remote's.
func TestOutcomesOfOtherMessages(t *testing.T) {
	r := standing(t, Options{})
	turn := r.movement(me, does{})
	turn.Body = wire.Body{Type: wire.TypeTurnToHeading, Params: wire.Params{Speed: 1, DesiredHeading: 90}}
	r.send(turn)
	r.send(&wire.Parent{Holder: me, Held: me + 1})
	r.send(&wire.Pickup{Guid: me})
	r.send(&wire.PlayerTeleport{Teleport: 1})
	r.send(&wire.AutonomyLevel{Level: 2})
	r.send([]byte{1, 2, 3, 4, 5})
	r.move(me, does{forward: walk})
	r.tick(1)
	r.wantVerdicts(NotBuilt, NotBuilt, NotBuilt, Ignored, Ignored, Refused, Applied)
	guids := []uint32{}
	for _, o := range r.e.Outcomes() {
		guids = append(guids, o.Guid)
	}
	sameList(t, "guids", guids, me, me, me, 0, 0, 0, me)
	wantErr(t, r.e.Outcomes()[5].Err, wire.ErrOpcode)
	r.tick(1)
	same(t, "outcomes of a tick without inputs", len(r.e.Outcomes()), 0)
	for v := Verdict(0); v < Refused+3; v++ {
		if v.String() == "" {
			t.Errorf("verdict %d has no words", v)
		}
	}
}

// Commands and messages are applied in the order in which they came.
func TestInputsAreAppliedInOrder(t *testing.T) {
	r := standing(t, Options{})
	r.move(me, does{forward: walk})
	r.command(Command{Guid: me, Do: DoInterpreted, State: motion.State{Style: motion.NonCombat, Forward: run, ForwardSpeed: 2}})
	r.tick(1)
	same(t, "forward", r.row(me).Interpreted.Forward, run)
	r.command(Command{Guid: me, Do: DoInterpreted, State: motion.DefaultState()})
	r.move(me, does{forward: walk})
	r.tick(1)
	r.wantVerdicts(Applied, Applied)
	same(t, "forward", r.row(me).Interpreted.Forward, walk)
	same(t, "a command has no opcode", r.e.Outcomes()[0].Opcode, 0)
	r.command(Command{Guid: 99, Do: DoStopCompletely})
	r.tick(1)
	r.wantVerdicts(Refused)
	wantErr(t, r.e.Outcomes()[0].Err, ErrUnknown)
}

func TestMessageSizes(t *testing.T) {
	r := standing(t, Options{})
	for _, n := range []int{0, 1, 3, MaxMessage + 1} {
		wantErr(t, r.e.Inbound(make([]byte, n)), ErrMessage)
	}
	for _, n := range []int{4, MaxMessage} {
		if err := r.e.Inbound(make([]byte, n)); err != nil {
			t.Error(err)
		}
	}
	r.tick(1)
	r.wantVerdicts(Refused, Refused)
}

// The caller may use its buffer again at once.
func TestInboundCopies(t *testing.T) {
	r := standing(t, Options{})
	b := encode(t, r.movement(me, does{forward: run}))
	r.send(b)
	clear(b)
	r.tick(1)
	r.wantVerdicts(Applied)
}

func TestLenient(t *testing.T) {
	for _, lenient := range []bool{false, true} {
		r := standing(t, Options{Lenient: lenient})
		b := encode(t, r.movement(me, does{forward: run}))
		r.send(append(b, 9, 9, 9, 9, 9))
		r.tick(1)
		counts := r.e.Counts()
		if lenient {
			r.wantVerdicts(Applied)
			same(t, "trailing", counts.Trailing, 1)
			same(t, "decoded", counts.Decoded, 1)
		} else {
			r.wantVerdicts(Refused)
			wantErr(t, r.e.Outcomes()[0].Err, wire.ErrLong)
			same(t, "rejected", counts.Rejected(wire.ErrLong), 1)
			same(t, "forward", r.row(me).Interpreted.Forward, ready)
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	tables := fixtureTables(t)
	nowhere := space.Position{}
	far := space.Position{Cell: 0xA9B40001, Frame: space.Frame{Origin: space.Vec3{0, 1e30, 0}}}
	for _, o := range []Options{
		{}, {Tables: tables, TicksPerSecond: -1}, {Tables: tables, TicksPerSecond: 0.1}, {Tables: tables, TicksPerSecond: 1e6},
		{Tables: tables, Workers: -1}, {Tables: tables, Workers: 5000}, {Tables: tables, ChunkRows: -1}, {Tables: tables, Capacity: -1},
		{Tables: tables, Viewer: &nowhere}, {Tables: tables, Viewer: &far},
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
		"unknown":         func(c *Command) { c.Do = DoVelocity + 1 },
		"speed":           func(c *Command) { c.Speed = float32NaN },
		"state":           func(c *Command) { c.State.TurnSpeed = float32NaN },
		"raw":             func(c *Command) { c.Raw.Sidestep.Speed = float32NaN },
		"action":          func(c *Command) { c.Actions = []components.Action{{Speed: float32NaN}} },
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

// What last moved a remote is remembered (05 §5.11).
func TestSpec5_11_CommandsAndAutonomy(t *testing.T) {
	r := standing(t, Options{})
	for _, c := range []struct {
		do   Do
		want bool
	}{{DoRaw, true}, {DoInterpreted, false}, {DoMotion, true}, {DoInterpreted, false}, {DoStopMotion, true}, {DoStopCompletely, true}, {DoGround, true}} {
		r.command(Command{Guid: me, Do: c.do, Motion: walk, Speed: 1, State: motion.DefaultState(), Raw: motion.DefaultRaw(), Contact: true, OnWalkable: true})
		r.tick(1)
		same(t, fmt.Sprint("after ", c.do), r.row(me).Interpreter.LastMoveAutonomous, c.want)
	}
}

// Hooks that the engine itself acts on (15 §4), out of an animation that holds
// one of each.
func TestSpec15_4_Hooks(t *testing.T) {
	r := standing(t, Options{})
	tables := r.e.Tables()
	anim := slices.IndexFunc(tables.Anims, func(a dat.Anim) bool { return a.ID == 0x030000FF })
	from, to := tables.HookEnds[tables.Anims[anim].HooksAt], tables.HookEnds[tables.Anims[anim].HooksAt+1]
	i, _ := r.e.world.Row(me)
	w := &r.e.workers[0]
	w.mover.at(i)
	before := r.row(me)
	changed, told := map[dat.HookType]bool{}, 0
	for h := from; h < to; h++ {
		told = len(w.events)
		w.mover.execute(motion.FiredHook{Anim: int32(anim), Frame: 1, Hook: int32(h)})
		if len(w.events) != told+1 {
			t.Fatalf("hook %d is told %d times", h, len(w.events)-told)
		}
		ev := w.events[told]
		if ev.Guid != me || ev.Kind != HookFired || ev.Anim != 0x030000FF || ev.Frame != 1 || ev.Hook != int32(h) {
			t.Errorf("%+v", ev)
		}
		after := r.row(me)
		kind := dat.HookType(tables.Hooks[h].Type)
		changed[kind] = after.Body != before.Body
		args := dat.Hook{Type: kind, Payload: tables.HookPayload(tables.Hooks[h])}
		switch kind {
		case dat.HookSetOmega:
			same(t, "omega", after.Body.Omega, args.Args().Axis)
		case dat.HookNoDraw:
			same(t, "no draw", after.Body.State&components.NoDraw != 0, args.Args().Flag != 0)
		case dat.HookEthereal:
			same(t, "ethereal", after.Body.State&components.Ethereal != 0, args.Args().Flag != 0)
		}
		w.mover.row().Body.Omega, w.mover.row().Body.State = before.Body.Omega, before.Body.State
	}
	if to-from < 20 || !changed[dat.HookSetOmega] || changed[dat.HookSoundTable] {
		t.Errorf("%d hooks, of which change the body: %v", to-from, changed)
	}
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
	if b, w := r.e.Bytes(), r.e.world.Bytes(); b < w+2*1000*row || b > w+2*1400*(row+32) {
		t.Errorf("%d bytes, of which %d are the world's", b, w)
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
