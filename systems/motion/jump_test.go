package motion

import (
	"math"
	"strings"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

func TestR5_32_ChargeJump(t *testing.T) {
	r := newRig(t, human()).standing()
	eq(t, "code", r.ChargeJump(), 0)
	eq(t, "standing long jump", r.Interpreter.StandingLongJump, true)
	for _, c := range []uint32{Fallen, Crouch, Sitting, Sleeping} { // D-11
		r.Interpreted.Forward = c
		eq(t, CommandName(c), r.ChargeJump(), YouCantJumpFromThis)
	}
	r.Interpreted.Forward = Falling
	r.Interpreter.StandingLongJump = false
	eq(t, "Falling", r.ChargeJump(), 0)
	eq(t, "not standing", r.Interpreter.StandingLongJump, false)
	r.Traits.Flags &^= components.CanJump
	eq(t, "loaded down", r.ChargeJump(), CantJumpLoadedDown)
}

func TestR5_33_JumpIsAllowed(t *testing.T) {
	for _, c := range []struct {
		name string
		set  func(r *rig)
		want uint32
	}{
		{"standing", func(r *rig) {}, 0},
		{"airborne", func(r *rig) { r.Body.Transient = 0 }, YouCantJumpWhileInTheAir},
		{"D-17 airborne, no game object", func(r *rig) { r.Body.Transient = 0; r.Traits.Flags = 0 }, YouCantJumpWhileInTheAir},
		{"F11 grounded, no game object", func(r *rig) { r.Traits.Flags = 0 }, 0},
		{"airborne, not a creature", func(r *rig) { r.Body.Transient = 0; r.Traits.Flags &^= components.Creature }, 0},
		{"airborne, no gravity", func(r *rig) { r.Body.Transient, r.Body.State = 0, 0 }, 0},
		{"leash at its end", func(r *rig) { r.Leash.Max, r.Leash.Travelled = 10, 9.5 }, GeneralMovementFailure},
		{"leash", func(r *rig) { r.Leash.Max, r.Leash.Travelled = 10, 9 }, 0},
		{"D-18 one pending node", func(r *rig) { r.pendMotion(0, WalkForward, 0x48) }, YouCantJumpFromThis},
		{"only the head", func(r *rig) { r.pendMotion(0, WalkForward, 0); r.pendMotion(0, Crouch, 0x48) }, 0},
		{"loaded down", func(r *rig) { r.Traits.Flags &^= components.CanJump }, CantJumpLoadedDown},
		{"crouched", func(r *rig) { r.Interpreted.Forward = Crouch }, YouCantJumpFromThis},
		{"aiming", func(r *rig) { r.Interpreted.Forward = AimLevel }, YouCantJumpFromThis},
		{"D-43 exhausted", func(r *rig) { r.Traits.Flags |= components.HasStamina; r.Traits.Stamina = 5 }, GeneralMovementFailure},
		{"D-43 just enough", func(r *rig) { r.Traits.Flags |= components.HasStamina; r.Traits.Stamina = 6 }, 0},
	} {
		r := newRig(t, human()).standing()
		c.set(r)
		eq(t, c.name, r.JumpIsAllowed(1), c.want)
	}
}

func TestR5_34_Jump(t *testing.T) {
	r := newRig(t, human()).standing()
	r.Traits.Flags |= components.HasJumpHeight
	r.Traits.JumpHeight = 2
	r.do(moving(RunForward, 1))
	r.Pending.Motions.Items(&r.Pools.PendingMotions)[0].JumpError = 0
	r.forget()
	eq(t, "code", r.Jump(0.5), 0)
	near(t, "up", float64(r.Body.Velocity[2]), math.Sqrt(19.6))
	near(t, "ahead", float64(r.Body.Velocity[1]), 4)
	eq(t, "extent is used up", r.Interpreter.JumpExtent, 0)
	eq(t, "falling", r.MotionState.Substate, Falling)
	eq(t, "gravity", r.Body.Transient&(components.OnWalkable|components.Falling), components.Falling)
	r.Interpreter.StandingLongJump = true
	eq(t, "again", r.Jump(0.5), YouCantJumpWhileInTheAir)
	eq(t, "charge is lost", r.Interpreter.StandingLongJump, false)
	r.turnPending().Jump(0.5)
	eq(t, "cancels even so", strings.Join(r.ended, ","), "9 0x36")
	eq(t, "not finite", r.Jump(float32(math.NaN())), GeneralMovementFailure)
}

func TestR5_35_JumpVelocity(t *testing.T) {
	r := newRig(t, human())
	for _, c := range []struct {
		extent float32
		flags  components.TraitFlags
		height float32
		want   float64
	}{
		{0.0001, 0, 0, 0}, {0.5, 0, 0, 10}, {0.5, components.HasGame, 0, 0},
		{1, components.HasGame | components.HasJumpHeight, 5, math.Sqrt(98)},
		{3, components.HasGame | components.HasJumpHeight, 5, math.Sqrt(98)},
		{0.1, components.HasGame | components.HasJumpHeight, 1, math.Sqrt(19.6 * 0.35)},
	} {
		r.Interpreter.JumpExtent, r.Traits.Flags, r.Traits.JumpHeight = c.extent, c.flags, c.height
		near(t, "up", float64(r.jumpVelocity()), c.want)
	}
}

func TestR5_36_Formulas(t *testing.T) {
	near(t, "D-26 run rate at 799", float64(RunRateOf(799, 0, 1)), 3.199449)
	eq(t, "at 800", RunRateOf(800, 0, 1), 4.5)
	near(t, "at 801", float64(RunRateOf(801, 0, 1)), 3.200550)
	near(t, "no skill", float64(RunRateOf(0, 0, 1)), 1)
	near(t, "half loaded", float64(RunRateOf(200, 1.5, 1)), (0.5*5.5+4)/4)
	near(t, "overloaded", float64(RunRateOf(200, 3, 2)), 0.5)
	height := 1300./2600*22.2 + 0.05
	near(t, "jump", float64(JumpVelocityOf(1300, 0, 1, 1)), math.Sqrt(19.6*height))
	near(t, "height", float64(JumpHeightOf(1300, 0, 2)), height/2)
	near(t, "least", float64(JumpVelocityOf(0, 0, 1, 1)), math.Sqrt(19.6*0.35))
	eq(t, "stamina", JumpStamina(0, 1), 6)
	eq(t, "stamina", JumpStamina(1.2, 0.5), 9)
	eq(t, "no scale stays finite", space.Finite(RunRateOf(100, 0, 0)), true)
}

func TestD_19_StandingDropKeepsItsDrift(t *testing.T) {
	r := newRig(t, human()).standing()
	r.Pose.Frame.Rotation = space.SetHeading(space.IdentityQuat, 90)
	r.Body.Velocity = space.Vec3{1, 2, 0}
	r.LeaveGround()
	near(t, "x", float64(r.Body.Velocity[0]), 1)
	near(t, "y", float64(r.Body.Velocity[1]), 2)
	r.do(moving(WalkForward, 1))
	r.LeaveGround()
	near(t, "F51 rotated to the world once: x", float64(r.Body.Velocity[0]), 3.12)
	near(t, "y", float64(r.Body.Velocity[1]), 0)
}

func TestR5_39_NoGroundEdges(t *testing.T) {
	for _, set := range []func(r *rig){
		func(r *rig) { r.Body.State = 0 },
		func(r *rig) { r.Traits.Flags = components.HasGame },
	} {
		r := newRig(t, human()).standing()
		set(r)
		r.do(moving(RunForward, 1))
		list := r.list()
		r.LeaveGround()
		r.HitGround()
		eq(t, "list", r.list(), list)
		eq(t, "velocity", r.Body.Velocity, space.Vec3{})
	}
}

func TestF11_JumpWithoutAnything(t *testing.T) {
	r := newRig(t, dat.Records{})
	r.Traits.Flags = 0
	r.Body.Transient = 0
	eq(t, "code", r.Jump(1), YouCantJumpWhileInTheAir)
	r.Host = nil
	r.Body.Transient = components.Contact | components.OnWalkable
	eq(t, "code", r.Jump(1), 0)
}

func TestR5_43_StandingStill(t *testing.T) {
	r := newRig(t, human()).standing()
	eq(t, "still", r.StandingStill(), true)
	r.Interpreted.Turn = TurnRight
	eq(t, "turning", r.StandingStill(), false)
	r.Interpreted.Turn = 0
	r.Body.Transient = components.Contact
	eq(t, "steep", r.StandingStill(), false)
}
