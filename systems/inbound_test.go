package systems

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/wire"
)

// What messages and commands do to a remote: 20 §2 and §5, 11 §2 and §5, 05 §5.11.

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
	c.Physics.State |= uint32(components.Sledding)
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

// 13 §4: "a local player is leashed on the server's position, so pos_offset starts at the discrepancy"; 12 §3 step 6: so he is
// by every event, one that teleports him, too.
func TestSpec13_4_TheLocalPlayersLeash(t *testing.T) {
	r := standing(t, Options{LocalPlayer: me})
	r.place(me, spot(108, 128, 0))
	r.tick(1)
	l := r.row(me).Leash
	if l.Start != 10 || l.Max != 50 || !l.Constrained {
		t.Errorf("leash %+v", l)
	}
	near(t, "travelled", float64(l.Travelled), 20, 1e-3)
	r.command(Command{Guid: me, Do: DoInterpreted, State: motion.State{Style: motion.NonCombat, Forward: run, ForwardSpeed: 1}})
	free := standing(t, Options{LocalPlayer: me})
	free.command(Command{Guid: me, Do: DoInterpreted, State: motion.State{Style: motion.NonCombat, Forward: run, ForwardSpeed: 1}})
	r.tick(1)
	free.tick(1)
	near(t, "the first step, of the way that it has without a leash", r.north(me)/free.north(me), .75, 1e-3) // (50 − 20)/40

	// on land a teleport may leave him beside the place
	r = onLand(t, Options{LocalPlayer: me})
	r.spawn(stander(me, 100, 10, 100.005, 0))
	r.spawn(stander(me+1, 100, 13, 100.005, 0))
	r.tick(2)
	r.send(r.teleportTo(me, over(100, 13, 100.005, 0)))
	r.tick(1)
	beside := r.row(me).Pose.Position
	there := over(100, 13, 100.005, 0)
	if d := space.Distance(&beside, &there); d < .1 {
		t.Fatalf("he is %v m beside it", d)
	} else {
		near(t, "travelled after a teleport", float64(r.row(me).Leash.Travelled), float64(d), 1e-3)
	}
}

// 20 §5.4: at normal autonomy the player is moved only by force and by teleports.
func TestSpec20_5_4_LocalPlayer(t *testing.T) {
	r := standing(t, Options{LocalPlayer: me})
	r.spawn(human(me+1, 50, 50))
	r.tick(1)
	start := r.world(me)

	// an ordinary position does not move him
	r.place(me, spot(120, 108, 90))
	r.place(me+1, spot(52, 50, 90))
	r.tick(1)
	r.wantVerdicts(Ignored, Applied)
	r.tick(10)
	same(t, "where", r.world(me), start)
	same(t, "position stamp", r.row(me).Stamps.Slot[wire.SlotPosition], 1)

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

	// a command has the same of him, but that it turns him too; of others it is as any position
	east := spot(115, 108, 90)
	east.Frame.Rotation = space.SetHeading(east.Frame.Rotation, 90)
	r.command(Command{Guid: me, Do: DoPosition, Place: east, Contact: true, Force: true})
	r.command(Command{Guid: me + 1, Do: DoPosition, Place: spot(54, 50, 90), Contact: true, Force: true})
	r.tick(1)
	r.wantVerdicts(Applied, Applied)
	sameList(t, "events", r.kinds(me), Blipped)
	sameList(t, "events of the other", r.kinds(me+1))
	c = r.row(me)
	near(t, "x", float64(c.Pose.Frame.Origin[0]), 115, 0.2)
	near(t, "heading", float64(space.Heading(c.Pose.Frame.Rotation)), 90, 1e-3)
	same(t, "forward", c.Interpreted.Forward, run)
	same(t, "force stamp, which is the server's", c.Stamps.Slot[wire.SlotForcePosition], 1)

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
	same(t, "vector stamp", r.row(me).Stamps.Slot[wire.SlotVector], 1)

	// the echo of his own movement is taken and not applied
	m := r.movement(me, does{forward: walk})
	m.Autonomous = 1
	r.send(m)
	r.tick(1)
	r.wantVerdicts(Stale)
	same(t, "forward", r.row(me).Interpreted.Forward, run)
	same(t, "movement stamp", r.row(me).Stamps.Slot[wire.SlotMovement], m.Movement)
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

// What is no business of a remote's is said to be so.
func TestOutcomesOfOtherMessages(t *testing.T) {
	r := standing(t, Options{})
	turn := r.movement(me, does{})
	turn.Body = wire.Body{Type: wire.TypeTurnToHeading, Params: wire.Params{Speed: 1, DesiredHeading: 90}}
	r.send(turn)
	r.send(&wire.Parent{Holder: me, Held: me + 1})
	r.send(&wire.Pickup{Guid: me, Position: 1})
	r.send(&wire.PlayerTeleport{Teleport: 1})
	r.send(&wire.AutonomyLevel{Level: 2})
	r.send([]byte{1, 2, 3, 4, 5})
	r.move(me, does{forward: walk})
	r.tick(1)
	r.wantVerdicts(Applied, Parked, Applied, Ignored, Ignored, Refused, Applied)
	guids := []uint32{}
	for _, o := range r.e.Outcomes() {
		guids = append(guids, o.Guid)
	}
	sameList(t, "guids", guids, me, me+1, me, 0, 0, 0, me)
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
	changed, told, had := map[dat.HookType]bool{}, 0, map[dat.HookType]bool{}
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
		had[kind] = true
		changed[kind] = after.Body != before.Body
		if changed[kind] && !acts(&tables.Hooks[h]) {
			t.Errorf("hook of type %d acts", kind)
		}
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
	if changed[dat.HookReplaceObject] || !had[dat.HookReplaceObject] || !had[dat.HookNoDraw] {
		t.Errorf("hooks %v, of which change the body: %v", had, changed)
	}
	if to-from < 20 || !changed[dat.HookSetOmega] || changed[dat.HookSoundTable] {
		t.Errorf("%d hooks, of which change the body: %v", to-from, changed)
	}
}
