package systems

import (
	"math"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/wire"
)

// Jumping through the engine (05 §5.8, §5.9), with what the embedder says of a
// remote for the answers of its game object.

// jumper is a humanoid that jumps 5 m high at full extent.
func jumper(guid uint32) Spawn {
	s := human(guid, 108, 108)
	s.Game |= components.CanJump | components.HasJumpHeight
	s.JumpHeight = 5
	return s
}

func jumping(t testing.TB, change func(*Spawn)) *rig {
	t.Helper()
	r := newRig(t, Options{})
	s := jumper(me)
	if change != nil {
		change(&s)
	}
	r.spawn(s)
	r.tick(1)
	return r
}

// answer gives a command to the next tick and returns what the rules answered.
func (r *rig) answer(c Command) uint32 {
	r.Helper()
	c.Guid = me
	r.command(c)
	r.tick(1)
	r.wantVerdicts(Applied)
	return r.e.Outcomes()[0].Code
}

func (r *rig) jump(extent float32) uint32 {
	r.Helper()
	return r.answer(Command{Do: DoJump, Extent: extent})
}

var (
	airborne = Command{Guid: me, Do: DoGround}
	landed   = Command{Guid: me, Do: DoGround, Contact: true, OnWalkable: true}
)

func TestR5_33_JumpCodes(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(s *Spawn)
		before func(r *rig)
		want   uint32
	}{
		{"standing", nil, nil, 0},
		{"in the air", nil, func(r *rig) { r.command(airborne) }, 0x24},
		{"D-17 in the air, without game object", func(s *Spawn) { s.Game = 0 }, func(r *rig) { r.command(airborne) }, 0x24},
		{"in the air, no creature", func(s *Spawn) { s.Game &^= components.Creature }, func(r *rig) { r.command(airborne) }, 0},
		{"in the air, without gravity", func(s *Spawn) { s.State &^= components.Gravity }, func(r *rig) { r.command(airborne) }, 0},
		{"F11 without game object", func(s *Spawn) { s.Game = 0 }, nil, 0},
		{"nobody said that it can", func(s *Spawn) { s.Game = human(me, 0, 0).Game }, nil, 0x49},
		{"crouched", nil, func(r *rig) { r.move(me, does{forward: motion.Crouch}) }, 0x48},
		{"asleep", nil, func(r *rig) { r.move(me, does{forward: motion.Sleeping}); r.seconds(5) }, 0x48},
		{"exhausted", func(s *Spawn) { s.Game |= components.HasStamina; s.Stamina = 5 }, nil, 0x47},
		{"just not", func(s *Spawn) { s.Game |= components.HasStamina; s.Stamina = 6 }, nil, 0},
		{"exhausted by its load", func(s *Spawn) { s.Game |= components.HasStamina; s.Stamina, s.Load = 6, 0.5 }, nil, 0x47},
		{"at the end of its leash", nil, func(r *rig) {
			r.command(Command{Guid: me, Do: DoConstrain, Place: spot(108, 108, 0), Start: 1, Max: 2})
			r.move(me, does{forward: run})
			r.seconds(1)
		}, 0x47},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := jumping(t, c.change)
			if c.before != nil {
				c.before(r)
				r.tick(1)
			}
			before := r.row(me).Body.Transient & components.OnWalkable
			same(t, "code", r.jump(1), c.want)
			left := before != 0 && c.want == 0
			same(t, "on the ground", r.row(me).Body.Transient&components.OnWalkable != 0, before != 0 && !left)
			told := false
			for _, k := range r.kinds(me) {
				told = told || k == LeftGround
			}
			same(t, "told", told, left)
		})
	}
}

// R5.35, R5.36, and the least height.
func TestR5_35_JumpVelocities(t *testing.T) {
	const game = components.HasGame | components.Creature | components.CanJump
	for _, c := range []struct {
		game           components.TraitFlags
		height, extent float32
		want           float64 // m/s
	}{
		{game | components.HasJumpHeight, 5, 1, math.Sqrt(19.6 * 5)},
		{game | components.HasJumpHeight, 5, 0.5, math.Sqrt(19.6 * 2.5)},
		{game | components.HasJumpHeight, 5, 3, math.Sqrt(19.6 * 5)},
		{game | components.HasJumpHeight, 5, 0.01, math.Sqrt(19.6 * 0.35)},
		{game | components.HasJumpHeight, motion.JumpHeightOf(1300, 0, 1), 1, math.Sqrt(19.6 * 11.15)},
		{game | components.HasJumpHeight, 5, 0, 0},
		{game, 5, 1, 0}, // it answers no height
		{0, 0, 0.3, 10},
	} {
		r := jumping(t, func(s *Spawn) { s.Game, s.JumpHeight = c.game, c.height })
		same(t, "code", r.jump(c.extent), 0)
		v := r.row(me).Body.Velocity
		near(t, "up", float64(v[2]), c.want-9.8/30, 1e-5)
		near(t, "ahead", float64(v[1]), 0, 1e-6)
	}
}

// A jump by a runner, its flight and its landing, as the outside sees it (R5.38–R5.42).
func TestR5_41_JumpAndLand(t *testing.T) {
	r := jumping(t, nil)
	r.move(me, does{forward: run})
	r.seconds(1)
	from := r.world(me)
	same(t, "code", r.jump(1), 0)
	first := func(want ...EventKind) { // told before what it sets off
		t.Helper()
		for i, k := range want {
			same(t, "told", r.e.Events()[i].Kind, k)
		}
	}
	first(GroundChanged, LeftGround) // its link was over: no motion is done
	same(t, "was", r.e.Events()[0].Was, Touches|Stands)
	same(t, "is", r.e.Events()[0].Is, Touches) // there is no sweep to see that it is gone
	c := r.row(me)
	same(t, "kept", c.Interpreted.Forward, run)
	same(t, "substate", c.MotionState.Substate, motion.Falling)
	same(t, "extent is used up", c.Interpreter.JumpExtent, 0)
	same(t, "again", r.jump(1), 0x24)
	v0, top, ticks := math.Sqrt(19.6*5), 0.0, 2
	for r.world(me)[2] >= from[2] {
		r.tick(1)
		top = max(top, r.world(me)[2]-from[2])
		ticks++
	}
	near(t, "top", top, 5, 0.02)
	near(t, "flight", float64(ticks)/30, 2*v0/9.8, 0.05)
	near(t, "way", r.world(me)[1]-from[1], 4*float64(ticks)/30, 0.01)
	r.command(landed)
	r.tick(1)
	c = r.row(me)
	same(t, "vertical", c.Body.Velocity[2], 0)
	same(t, "runs on", c.MotionState.Substate, run)
	first(GroundChanged, HitGround, MotionDone)
	r.seconds(1)
	same(t, "and may jump again", r.jump(0.5), 0)
}

// F7: a jump charged from standing holds the feet still until it is let go (R5.32, R5.19).
func TestF7_StandingLongJump(t *testing.T) {
	r := jumping(t, nil)
	same(t, "charge", r.answer(Command{Do: DoChargeJump}), 0)
	same(t, "charged", r.row(me).Interpreter.StandingLongJump, true)
	from := r.world(me)
	same(t, "run", r.answer(Command{Do: DoMotion, Motion: walk, Speed: 1, Hold: components.HoldRun}), 0)
	r.seconds(1)
	near(t, "no ground motion", apart(from, r.world(me)), 0, 1e-6)
	same(t, "forward", r.row(me).Interpreted.Forward, run)
	same(t, "released", r.jump(1), 0)
	c := r.row(me)
	near(t, "ahead", float64(c.Body.Velocity[1]), 4, 1e-5)
	near(t, "up", float64(c.Body.Velocity[2]), math.Sqrt(19.6*5)-9.8/30, 1e-5)
	same(t, "charge is used up", c.Interpreter.StandingLongJump, false)

	r = jumping(t, nil) // who moves charges an ordinary jump
	r.move(me, does{forward: walk})
	r.seconds(1)
	same(t, "charge", r.answer(Command{Do: DoChargeJump}), 0)
	same(t, "not charged", r.row(me).Interpreter.StandingLongJump, false)

	r = jumping(t, nil) // a refusal loses the charge
	same(t, "charge", r.answer(Command{Do: DoChargeJump}), 0)
	r.command(airborne)
	r.tick(1)
	same(t, "lost", r.row(me).Interpreter.StandingLongJump, false)
	same(t, "loaded down", jumping(t, func(s *Spawn) { s.Game &^= components.CanJump }).answer(Command{Do: DoChargeJump}), 0x49)
}

// A hidden body neither animates nor falls; when it is shown the jump goes on (11 §5.1).
func TestSpec11_5_1_HiddenJump(t *testing.T) {
	r := jumping(t, nil)
	r.send(r.state(me, components.DefaultState|components.Hidden))
	r.tick(1)
	from := r.world(me)
	same(t, "code", r.jump(1), 0)
	r.seconds(1)
	same(t, "stays", r.world(me), from)
	near(t, "up", float64(r.row(me).Body.Velocity[2]), math.Sqrt(19.6*5), 1e-5)
	r.send(r.state(me, components.DefaultState))
	r.tick(2)
	near(t, "rises", r.world(me)[2], 2*math.Sqrt(19.6*5)/30, 0.05)
}

// Out of the world there is no ground to jump from, and coming back brings none.
func TestSpec11_9_JumpOutOfTheWorld(t *testing.T) {
	r := jumping(t, nil)
	r.send(&wire.Pickup{Guid: me, Position: 1})
	r.places[me] = 1
	r.tick(1)
	same(t, "cell", r.row(me).Pose.Cell, 0)
	same(t, "picked up", r.jump(1), 0x24)
	r.place(me, spot(110, 108, 0))
	r.tick(1)
	same(t, "back, in the air", r.jump(1), 0x24)
	r.command(landed)
	r.tick(1)
	same(t, "on the ground", r.jump(1), 0)
}

// A jump wakes who rests, and skipping rest does not show.
func TestJumpFromRest(t *testing.T) {
	a := jumping(t, nil)
	b := newRig(t, Options{AlwaysUpdate: true})
	b.spawn(jumper(me))
	b.tick(1)
	for _, r := range []*rig{a, b} {
		r.seconds(20)
	}
	if a.row(me).Rest.Since == 0 {
		t.Fatal("it does not rest")
	}
	for tick := range 150 {
		for _, r := range []*rig{a, b} {
			switch tick {
			case 0:
				r.command(Command{Guid: me, Do: DoChargeJump})
			case 3:
				r.command(Command{Guid: me, Do: DoJump, Extent: 0.5})
			case 40:
				r.command(landed)
			}
			r.tick(1)
		}
		if a.e.Hash() != b.e.Hash() {
			t.Fatalf("tick %d differs", tick)
		}
	}
}

func TestDoSetTraits(t *testing.T) {
	r := newRig(t, Options{LocalPlayer: me})
	r.spawn(human(me, 108, 108))
	r.tick(1)
	same(t, "cannot", r.jump(1), 0x49)
	game := human(me, 0, 0).Game | components.CanJump | components.HasJumpHeight
	same(t, "code", r.answer(Command{Do: DoSetTraits, Game: game, RunRate: 2, JumpHeight: 1, Load: 0.25, Stamina: 3}), 0)
	want := components.Traits{Radius: r.row(me).Traits.Radius, Height: r.row(me).Traits.Height,
		RunRate: 2, Elasticity: r.row(me).Traits.Elasticity, JumpHeight: 1, Load: 0.25, Stamina: 3, Flags: game | components.LocalPlayer}
	same(t, "traits", r.row(me).Traits, want)
	same(t, "run", r.answer(Command{Do: DoMotion, Motion: walk, Speed: 1, Hold: components.HoldRun}), 0)
	same(t, "speed", r.row(me).Interpreted.ForwardSpeed, 2)
	r.seconds(1)
	same(t, "can", r.jump(1), 0)
	near(t, "up", float64(r.row(me).Body.Velocity[2]), math.Sqrt(19.6)-9.8/30, 1e-5)
	near(t, "ahead", float64(r.row(me).Body.Velocity[1]), 8, 1e-5)

	// binding a game object applies what the remote does anew: a remote's own raw
	// input is no longer what counts (R5.26, R5.25)
	r = newRig(t, Options{})
	s := human(me, 108, 108)
	s.Game = 0
	r.spawn(s)
	r.tick(1)
	r.command(Command{Guid: me, Do: DoMotion, Motion: walk, Speed: 1})
	r.seconds(1)
	done := 0
	r.command(Command{Guid: me, Do: DoSetTraits, Game: game, RunRate: 1})
	r.tick(1)
	done += len(r.done(me))
	if done == 0 {
		t.Error("binding applied nothing")
	}
	r.command(Command{Guid: me, Do: DoSetTraits, Game: game, RunRate: 1})
	r.tick(1)
	same(t, "bound already", len(r.done(me)), 0)
}

// R5.16: the run key over a walk.
func TestR5_16_DoHoldKey(t *testing.T) {
	r := newRig(t, Options{})
	s := human(me, 108, 108)
	s.Game = 0 // its own raw input is what counts
	r.spawn(s)
	r.tick(1)
	key := func(hold components.HoldKey, want uint32) {
		t.Helper()
		same(t, "code", r.answer(Command{Do: DoHoldKey, Hold: hold}), 0)
		same(t, "forward", r.row(me).Interpreted.Forward, want)
	}
	r.command(Command{Guid: me, Do: DoMotion, Motion: walk, Speed: 1, Hold: components.HoldNone})
	r.tick(1)
	key(components.HoldRun, run)
	key(components.HoldRun, run)
	key(components.HoldInvalid, run)
	key(components.HoldNone, walk)
}

// Codes of the other commands (01 §1.6).
func TestOutcomesHaveCodes(t *testing.T) {
	r := jumping(t, nil)
	act := Command{Do: DoMotion, Motion: wave, Speed: 1}
	same(t, "wave", r.answer(act), 0)
	same(t, "no data", r.answer(Command{Do: DoMotion, Motion: motion.MagicPowerUp01, Speed: 1}), 0x43)
	same(t, "nothing to stop", r.answer(Command{Do: DoStopMotion, Motion: motion.SideStepRight, Speed: 1}), 0x43)
	same(t, "stop", r.answer(Command{Do: DoStopCompletely}), 0)
	r.command(airborne)
	r.tick(1)
	same(t, "in the air", r.answer(act), 0x24)
	r.command(Command{Guid: me + 1, Do: DoJump})
	r.tick(1)
	r.wantVerdicts(Refused)
	wantErr(t, r.e.Outcomes()[0].Err, ErrUnknown)
}
