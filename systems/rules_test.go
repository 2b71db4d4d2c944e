package systems

import (
	"slices"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/wire"
)

// Rows of the deviations register that need a whole tick, or the way from the
// wire into the state.

// pended are the motions that wait in the interpreter's queue.
func (c *row) pended() (ids []uint32) {
	for _, m := range c.motions {
		ids = append(ids, m.Motion)
	}
	return ids
}

func TestDEV_1_OneFunnel(t *testing.T) {
	r := newRig(t, Options{})
	r.spawn(creature(me, 108, 108))
	r.tick(1)
	r.move(me, does{forward: run, turn: right, spin: 1.5})
	r.tick(1)
	c := r.row(me)
	// the style waits for nothing and is done by the end of the tick; the refused
	// stop of the sidestep leaves no trace
	sameList(t, "pending", c.pended(), run, right)
	sameList(t, "done", r.done(me), motion.NonCombat)
	sameList(t, "list", r.list(me), 0x03000A06, 0x03000A03)
	same(t, "velocity", c.Sequence.Velocity, space.Vec3{0, 6, 0})
	same(t, "omega", c.Sequence.Omega, space.Vec3{0, 0, -3})
	same(t, "forward", c.Interpreted.Forward, run)
	same(t, "turn", c.Interpreted.Turn, right)
}

// Nothing is inferred from where somebody is (R5.31).
func TestDEV_2_PositionsChangeNoMotion(t *testing.T) {
	for _, state := range []does{{}, {forward: walk}} {
		r := standing(t, Options{})
		r.move(me, state)
		r.seconds(2)
		before := r.row(me)
		for i := range 100 {
			r.place(me, spot(108, 108+float32(i)*0.4, 0)) // 4 m/s at ten a second
			r.tick(3)
			after := r.row(me)
			if after.Interpreted != before.Interpreted || after.MotionState != before.MotionState || after.raw != before.raw ||
				after.Interpreter != before.Interpreter || after.Pending.Counter != before.Pending.Counter ||
				!slices.Equal(after.nodes, before.nodes) || !slices.Equal(after.anims, before.anims) || !slices.Equal(after.motions, before.motions) {
				t.Fatalf("position %d changed the motion:\n%+v\n%+v", i, before, after)
			}
		}
		if far := apart(r.world(me), inWorld(&before.Pose.Position)); far < 30 {
			t.Errorf("moved only %v m", far)
		}
	}
}

func TestDEV_3_StopKeepsTheChase(t *testing.T) {
	r := standing(t, Options{})
	r.move(me, does{forward: run})
	r.seconds(1)
	here := r.row(me).Pose.Frame.Origin
	r.place(me, spot(here[0], here[1]+5, 0))
	r.tick(1)
	r.move(me, does{})
	r.tick(1)
	c := r.row(me)
	sameList(t, "list", r.list(me), 0x03000008, 0x03000001)
	same(t, "velocity", c.Sequence.Velocity, space.Vec3{})
	same(t, "queue", len(c.queue), 1)
	same(t, "substate", c.MotionState.Substate, ready)
}

func TestDEV_4_O_8_LinkBeginsAtOnce(t *testing.T) {
	r := standing(t, Options{})
	r.move(me, does{forward: walk})
	r.seconds(2.5) // in the middle of the walk cycle
	if f := r.row(me).Sequence.Frame; f < 2 || f > 28 {
		t.Fatalf("frame %v is not inside the cycle", f)
	}
	r.move(me, does{forward: run})
	r.tick(1)
	c := r.row(me)
	sameList(t, "list", r.list(me), 0x03000009, 0x03000004)
	same(t, "playing", c.Sequence.Curr, 0)
	near(t, "frame, a quantum after the link's first", c.Sequence.Frame, 1, 1e-6)

	// the velocity is the new cycle's, while the link still plays
	r = newRig(t, Options{})
	r.spawn(creature(me, 108, 108))
	r.tick(1)
	r.move(me, does{forward: run})
	r.tick(1)
	c = r.row(me)
	sameList(t, "list", r.list(me), 0x03000A06, 0x03000A03)
	same(t, "playing", c.Sequence.Curr, 0)
	same(t, "velocity", c.Sequence.Velocity, space.Vec3{0, 6, 0})
}

func TestDEV_6_StaleMovementChangesNothing(t *testing.T) {
	a, b := standing(t, Options{}), standing(t, Options{})
	for _, r := range []*rig{a, b} {
		r.moves[me] = 0xFFFE
		for _, d := range []does{{forward: walk}, {forward: run}} { // stamps 0xFFFF and 0
			r.move(me, d)
			r.tick(4)
		}
	}
	for _, stamp := range []uint16{0, 0xFFFF, 0xFFFE, 0x8001, 0x8000} {
		m := a.movement(me, does{forward: motion.Dead})
		m.Movement = stamp
		a.send(m)
		a.tick(1)
		a.wantVerdicts(Stale)
		b.tick(1)
		if a.e.Hash() != b.e.Hash() {
			t.Fatalf("stamp %#x changed the state", stamp)
		}
	}
	m := a.movement(me, does{})
	m.Movement = 0x7FFF
	a.send(m)
	a.tick(1)
	a.wantVerdicts(Applied)
}

// A server-control stamp that is too old stops the message, but the movement
// stamp is taken (20 §5.2); equal and newer ones pass.
func TestSpec20_5_2_ServerControl(t *testing.T) {
	r := standing(t, Options{})
	send := func(movement, control uint16, want Verdict) {
		t.Helper()
		m := r.movement(me, does{forward: walk})
		m.Movement, m.ServerControl = movement, control
		r.send(m)
		r.tick(1)
		r.wantVerdicts(want)
	}
	send(1, 5, Applied)
	send(2, 4, Stale)
	same(t, "movement stamp", r.row(me).Stamps.Slot[wire.SlotMovement], 2)
	same(t, "server-control stamp", r.row(me).Stamps.Slot[wire.SlotServerControl], 5)
	send(2, 5, Stale)
	send(3, 5, Applied)
	send(4, 6, Applied)
	same(t, "server-control stamp", r.row(me).Stamps.Slot[wire.SlotServerControl], 6)
}

func TestDEV_7_TwentyTogglesInOneTick(t *testing.T) {
	r := standing(t, Options{})
	r.tick(5)
	for i := range 20 {
		r.move(me, does{forward: []uint32{walk, ready}[i%2]})
	}
	r.tick(1)
	sameList(t, "list", r.list(me), 0x03000005, 0x03000007, 0x03000001) // the last Ready's link is not redundant yet
	done := len(r.done(me))
	r.move(me, does{forward: walk})
	r.tick(1)
	done += len(r.done(me))
	sameList(t, "list", r.list(me), 0x03000005, 0x03000003)
	counts := uint32(0)
	for _, a := range r.row(me).anims {
		counts += a.Count
	}
	same(t, "counts", counts, 1)
	for range 60 {
		r.tick(1)
		done += len(r.done(me))
	}
	same(t, "completions of 21 styles and 21 forwards", done, 42)
	c := r.row(me)
	same(t, "pending", len(c.anims)+len(c.motions), 0)
	sameList(t, "list", r.list(me), 0x03000003)
}

func TestDEV_8_PositionFramesMove(t *testing.T) {
	r := standing(t, Options{})
	r.move(me, does{forward: run, speed: 1.5})
	r.seconds(1)
	a := r.world(me)
	r.seconds(4)
	b := r.world(me)
	c := r.row(me)
	same(t, "velocity", c.Sequence.Velocity, space.Vec3{})
	same(t, "dynamic velocity", c.Body.Velocity, space.Vec3{})
	near(t, "way of 4 s at 1.5 × 4 m/s", b[1]-a[1], 24, 0.21)
	near(t, "sideways", b[0]-a[0], 0, 1e-3)
}

func TestDEV_9_ModifiersComeAndGo(t *testing.T) {
	r := newRig(t, Options{})
	r.spawn(creature(me, 108, 108))
	r.tick(1)
	state := does{style: motion.HandCombat, forward: walk}
	r.move(me, state)
	r.seconds(4)
	before := r.row(me).Sequence
	same(t, "velocity", before.Velocity, space.Vec3{0, 2, 0})
	same(t, "omega", before.Omega, space.Vec3{0, 0, 0.5})
	state.turn, state.spin = right, 0.75
	r.move(me, state)
	r.tick(1)
	c := r.row(me)
	same(t, "omega with the turn", c.Sequence.Omega, space.Vec3{0, 0, 0.5 - 3*0.75})
	sameList(t, "modifiers", c.modifiers, components.Speeded{Motion: right, Speed: 0.75})
	state.turn, state.spin = 0, 0
	r.move(me, state)
	r.tick(1)
	c = r.row(me)
	same(t, "omega after it", c.Sequence.Omega, before.Omega)
	same(t, "velocity after it", c.Sequence.Velocity, before.Velocity)
	same(t, "modifiers", len(c.modifiers), 0)
}

// The stamps of actions: each plays once, in 15 bits.
func TestD_13_ActionStamps(t *testing.T) {
	r := standing(t, Options{})
	act := func(stamp uint16, plays bool) {
		t.Helper()
		r.command(Command{Guid: me, Do: DoInterpreted, State: motion.DefaultState(), Actions: []components.Action{{Motion: wave, Speed: 1, Stamp: stamp}}})
		r.tick(1)
		if begun := len(r.row(me).actions); (begun == 1) != plays {
			t.Errorf("stamp %#x: %d actions", stamp, begun)
		}
		r.seconds(3)
	}
	act(0x8005, true) // the server's stamp has 16 bits, 15 count
	act(5, false)
	act(6, true)
	act(6, false)
	act(0x4000+6, false)
	act(0x3FFF+6, true)
	act(5, true) // beyond half a turn
}

func TestD_14_AutonomyGate(t *testing.T) {
	for _, c := range []struct {
		name  string
		local bool
		game  components.TraitFlags
		plays bool
	}{
		{"a remote creature", false, components.HasGame | components.Creature, true},
		{"the player", true, components.HasGame | components.Creature, false},
		{"without game object", false, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := Options{}
			if c.local {
				o.LocalPlayer = me
			}
			r := newRig(t, o)
			s := human(me, 108, 108)
			s.Game = c.game
			r.spawn(s)
			r.tick(1)
			r.move(me, does{actions: []wire.Action{wire.NewAction(wire.CommandIndex(wave), 7, true, 1)}})
			r.tick(1)
			r.wantVerdicts(Applied)
			got := r.row(me)
			same(t, "actions begun", len(got.actions) == 1, c.plays)
			want := uint16(0)
			if c.plays {
				want = 7
			}
			same(t, "stamp", got.Interpreter.ServerActionStamp, want)
			// not autonomous: played by all
			r.move(me, does{actions: []wire.Action{wire.NewAction(wire.CommandIndex(wave), 8, false, 1)}})
			r.tick(1)
			same(t, "stamp", r.row(me).Interpreter.ServerActionStamp, 8)
		})
	}
}

func TestD_15_RemoteLandsByTheInterpretedPath(t *testing.T) {
	r := standing(t, Options{})
	m := r.movement(me, does{forward: run})
	m.Autonomous = 1
	r.send(m)
	r.seconds(1)
	same(t, "last move was autonomous", r.row(me).Interpreter.LastMoveAutonomous, true)
	r.command(Command{Guid: me, Do: DoGround})
	r.seconds(0.5)
	c := r.row(me)
	same(t, "substate in the air", c.MotionState.Substate, motion.Falling)
	same(t, "forward in the air", c.Interpreted.Forward, run)
	r.command(Command{Guid: me, Do: DoGround, Contact: true, OnWalkable: true})
	r.tick(1)
	c = r.row(me)
	same(t, "forward after landing", c.Interpreted.Forward, run)
	same(t, "substate after landing", c.MotionState.Substate, run)
}

func TestD_16_NoGameObjectIsCappedAt4(t *testing.T) {
	r := newRig(t, Options{})
	s := human(me, 108, 108)
	s.Game = 0
	r.spawn(s)
	r.tick(1)
	r.move(me, does{forward: run, speed: 1, sidestep: motion.SideStepRight, side: 2})
	r.tick(1)
	r.command(Command{Guid: me, Do: DoGround})
	r.tick(1)
	v := r.row(me).Body.Velocity
	near(t, "speed in plan", float64(space.Length(space.Vec3{v[0], v[1], 0})), 4, 1e-5)
}

func TestD_19_StandingDropKeepsItsDrift(t *testing.T) {
	r := standing(t, Options{})
	r.command(Command{Guid: me, Do: DoVelocity, Velocity: space.Vec3{3, 0, 0}})
	r.command(Command{Guid: me, Do: DoGround})
	r.tick(1)
	v := r.row(me).Body.Velocity
	near(t, "drift", float64(v[0]), 3, 1e-5)
	near(t, "fall", float64(v[2]), -9.8/30, 1e-5)
}

// A command index beyond the table names nothing: the field keeps its default,
// an action is dropped (R1.5, 20 §7).
func TestD_30_IndexBeyondTheTable(t *testing.T) {
	for _, index := range []uint16{wire.CommandCount, 0x0FFF, 0xFFFF} {
		r := standing(t, Options{})
		r.move(me, does{forward: run, turn: right})
		r.seconds(2)
		m := r.movement(me, does{forward: ready, actions: []wire.Action{
			wire.NewAction(index, 1, false, 1), wire.NewAction(wire.CommandIndex(wave), 2, false, 1),
		}})
		st := &m.Body.State
		st.Style, st.Forward, st.Sidestep, st.Turn = index, index, index, index
		m.Body.Style = index
		m.Body.Fresh()
		r.send(m)
		r.tick(1)
		r.wantVerdicts(Applied)
		in := r.row(me).Interpreted
		same(t, "style", in.Style, motion.NonCombat)
		same(t, "forward", in.Forward, ready)
		same(t, "sidestep", in.Sidestep, 0)
		same(t, "turn", in.Turn, 0)
		sameList(t, "actions", r.row(me).actions, components.Speeded{Motion: wave, Speed: 1})
	}
}

// Completions come before the commit: on a tick in which a link ends and the
// body comes into another cell, the completion is told first.
func TestD_35_HooksBeforeTheCommit(t *testing.T) {
	// when does the link Ready → Run of a standing humanoid end, and where is it then?
	r := standing(t, Options{})
	r.move(me, does{forward: run})
	ticks, y := 0, 0.0
	for ; !slices.Contains(r.done(me), run); ticks++ {
		if ticks > 100 {
			t.Fatal("the link never ends")
		}
		y = r.world(me)[1]
		r.tick(1)
	}
	way := r.world(me)[1] - y
	if way < 0.01 {
		t.Fatalf("moves %v m in the tick", way)
	}
	// stand so that this very tick crosses y = 120
	r = newRig(t, Options{})
	start := 108 + (120 - way/2 - (y - 0xB4*192))
	r.spawn(human(me, 108, float32(start)))
	r.tick(1)
	r.move(me, does{forward: run})
	r.tick(ticks)
	at := map[EventKind]int{}
	for i, e := range r.e.Events() {
		if e.Kind == MotionDone && e.Motion != run {
			continue
		}
		if e.Kind == MotionDone && !e.Success {
			t.Error("the link was dropped")
		}
		at[e.Kind] = i + 1
	}
	if at[MotionDone] == 0 || at[CellChanged] == 0 || at[MotionDone] > at[CellChanged] {
		t.Errorf("events %+v", r.e.Events())
	}
}

// On the tick of landing what was pending has been completed by the hooks of
// the ticks before, and landing drops only the rest.
func TestD_35_LandingDropsWhatIsPending(t *testing.T) {
	r := standing(t, Options{})
	r.command(Command{Guid: me, Do: DoGround})
	r.seconds(1)
	same(t, "pending in the air", len(r.row(me).anims), 0)
	r.move(me, does{forward: run}) // Falling again: nothing to wait for
	r.command(Command{Guid: me, Do: DoGround, Contact: true, OnWalkable: true})
	r.tick(1)
	c := r.row(me)
	same(t, "substate", c.MotionState.Substate, run)
	for _, e := range r.e.Events() {
		if e.Kind == MotionDone && e.Motion == run {
			t.Errorf("%+v", e)
		}
	}
}

func TestD_38_OwnStyleSetsReady(t *testing.T) {
	r := standing(t, Options{})
	r.move(me, does{forward: run})
	r.seconds(1)
	r.command(Command{Guid: me, Do: DoMotion, Motion: motion.NonCombat, Speed: 1})
	r.tick(1)
	c := r.row(me)
	same(t, "forward", c.Interpreted.Forward, ready)
	same(t, "substate", c.MotionState.Substate, run)
}

func TestD_41_HoldKeyReApplies(t *testing.T) {
	for _, local := range []uint32{me, 0} {
		r := standing(t, Options{LocalPlayer: local})
		r.command(Command{Guid: me, Do: DoMotion, Motion: walk, Speed: 1, Hold: components.HoldNone})
		r.tick(1)
		same(t, "forward", r.row(me).Interpreted.Forward, walk)
		r.command(Command{Guid: me, Do: DoMotion, Motion: right, Speed: 1, Hold: components.HoldRun})
		r.tick(1)
		want := run
		if local == 0 {
			want = walk // only its interpreted state is applied again
		}
		same(t, "forward under the hold key", r.row(me).Interpreted.Forward, want)
		r.command(Command{Guid: me, Do: DoMotion, Motion: right, Speed: 1, Hold: components.HoldNone})
		r.tick(1)
		same(t, "forward after it", r.row(me).Interpreted.Forward, walk)
	}
}

func TestD_50_ZeroVelocityIsNotScaled(t *testing.T) {
	r := newRig(t, Options{})
	s := human(me, 108, 108)
	s.Game &^= components.HasRunRate
	r.spawn(s)
	r.tick(1)
	r.move(me, does{forward: run, speed: -6.7})
	r.tick(1)
	r.command(Command{Guid: me, Do: DoStopCompletely})
	r.tick(1)
	r.command(Command{Guid: me, Do: DoGround})
	for i := range 10 {
		r.tick(1)
		v := r.row(me).Body.Velocity
		same(t, "x", v[0], 0)
		same(t, "y", v[1], 0)
		near(t, "z", float64(v[2]), -9.8/30*float64(i+1), 1e-4)
	}
}

func TestO_9_ZeroCountsCompleteInTheSameTick(t *testing.T) {
	r := standing(t, Options{})
	r.tick(3)
	r.move(me, does{})
	r.tick(1)
	sameList(t, "done", r.done(me), motion.NonCombat, ready)
	same(t, "pending", len(r.row(me).anims)+len(r.row(me).motions), 0)
}

// Entering the world puts a remote into its default state; what that leaves
// pending is done in the first tick (04 §4.9).
func TestSpec4_9_EnteringTheDefaultState(t *testing.T) {
	r := newRig(t, Options{})
	r.spawn(human(me, 108, 108))
	r.tick(1)
	sameList(t, "events", r.kinds(me), Entered)
	sameList(t, "done in the first tick", r.done(me), motion.NonCombat, ready)
	c := r.row(me)
	same(t, "pending", len(c.anims)+len(c.motions), 0)
	same(t, "counter", c.Pending.Counter, 0)
	sameList(t, "list", r.list(me), 0x03000001)

	air := human(me+1, 110, 108)
	air.Contact, air.OnWalkable = false, false
	r.spawn(air)
	r.tick(1)
	same(t, "substate in the air", r.row(me+1).MotionState.Substate, motion.Falling)

	door := human(me+2, 112, 108)
	door.Game = components.HasGame
	r.spawn(door)
	r.tick(1)
	sameList(t, "done, of one that is no creature", r.done(me+2), ready)
}
