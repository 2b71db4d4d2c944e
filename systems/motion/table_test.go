package motion

import (
	"strings"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

func TestR1_1_ClassesAndKeys(t *testing.T) {
	eq(t, "turn is a substate", IsSubstate(TurnRight), true)
	eq(t, "and a modifier", IsModifier(TurnRight), true)
	eq(t, "HoldRun has the style bit", IsStyle(0x85000001), true)
	eq(t, "emote", IsEmote(Cheer) && IsAction(Cheer), true)
	eq(t, "key", Key(DualWieldCombat, Ready), 0x00460003)
	eq(t, "key", Key(NonCombat, Ready), 0x003D0003)
}

func TestO_3_OrdinalsHave24Bits(t *testing.T) {
	wide := uint32(0x40FF0003) // ordinal 0xFF0003
	r := newRig(t, newBook(NonCombat).rests(NonCombat, Ready).cycle(NonCombat, Ready, md("R")).
		cycle(NonCombat, wide, md("W")).link(NonCombat, Ready, wide, md("a")).
		with(an('R', 4, 0), an('W', 4, 0), an('a', 4, 0))).standing()
	r.ask(wide, 1)
	eq(t, "list", r.list(), "aW")
}

func TestF2_LinkFromAWideOrdinal(t *testing.T) {
	for bit := 20; bit <= 23; bit++ {
		wide := uint32(0x40000100) | 1<<bit
		r := newRig(t, newBook(NonCombat).rests(NonCombat, Ready).cycle(NonCombat, Ready, md("R")).
			cycle(NonCombat, wide, md("W")).link(NonCombat, wide, Ready, md("a")).
			with(an('R', 4, 0), an('W', 4, 0), an('a', 4, 0))).standing()
		if r.link(NonCombat, wide, 1, Ready, 1) < 0 {
			t.Errorf("bit %d: no link", bit)
		}
	}
}

// F3: outer group there or not, inner entry there or not, both signs.
func TestF3_SecondLookUp(t *testing.T) {
	for _, c := range []struct {
		name      string
		links     func(b *book)
		speed     float32
		wantClips string
	}{
		{"forward, inner hit", func(b *book) { b.link(NonCombat, Ready, WalkForward, md("a")).link(NonCombat, 0, WalkForward, md("b")) }, 1, "a"},
		{"forward, inner miss", func(b *book) { b.link(NonCombat, Ready, RunForward, md("a")).link(NonCombat, 0, WalkForward, md("b")) }, 1, "b"},
		{"forward, no group", func(b *book) { b.link(NonCombat, 0, WalkForward, md("b")) }, 1, "b"},
		{"forward, neither", func(b *book) { b.link(NonCombat, Ready, RunForward, md("a")) }, 1, "-"},
		{"backward, inner hit", func(b *book) { b.link(NonCombat, WalkForward, Ready, md("a")).link(NonCombat, Ready, Ready, md("b")) }, -1, "a"},
		{"backward, inner miss", func(b *book) {
			b.link(NonCombat, WalkForward, RunForward, md("a")).link(NonCombat, Ready, Ready, md("b"))
		}, -1, "b"},
		{"backward, no group", func(b *book) { b.link(NonCombat, Ready, Ready, md("b")) }, -1, "b"},
		{"backward, neither", func(b *book) { b.link(NonCombat, 0, WalkForward, md("b")) }, -1, "-"},
	} {
		b := newBook(NonCombat).rests(NonCombat, Ready).cycle(NonCombat, Ready, md("R"))
		c.links(b)
		r := newRig(t, b.with(an('R', 4, 0), an('a', 4, 0), an('b', 4, 0)))
		got := "-"
		if d := r.link(NonCombat, Ready, 1, WalkForward, c.speed); d >= 0 {
			got = string(rune(r.Tables.Anims[r.Tables.ClipsOf(d)[0].Anim].ID & 0xFF))
		}
		eq(t, c.name, got, c.wantClips)
	}
}

func TestR3_3_NoDefaultNoSecondLookUp(t *testing.T) {
	r := newRig(t, newBook(NonCombat).with())
	eq(t, "link", r.link(NonCombat, Ready, -1, WalkForward, 1), none)
}

func TestR3_9_RefusedWithoutState(t *testing.T) {
	r := newRig(t, small())
	_, ok := r.ask(WalkForward, 1)
	eq(t, "accepted", ok, false)
}

func TestSpec3_9_WorkedExample(t *testing.T) {
	r := newRig(t, small())
	n, _ := r.setDefaultState()
	step := func(what string, count uint32, list string, y float64, wantCount uint32) {
		t.Helper()
		eq(t, what+" count", count, wantCount)
		eq(t, what+" list", r.list(), list)
		near(t, what+" velocity", float64(r.Sequence.Velocity[1]), y)
		r.checkList()
	}
	step("default", n, "R", 0, 0)
	n, _ = r.ask(WalkForward, 1)
	step("walk", n, "aW", 3.12, 1)
	n, _ = r.ask(WalkForward, 2)
	step("walk 2", n, "aW", 6.24, 0)
	eq(t, "cycle rate", r.Sequence.Nodes.Items(&r.Pools.Nodes)[1].Rate, 60)
	eq(t, "link rate", r.Sequence.Nodes.Items(&r.Pools.Nodes)[0].Rate, 30)
	n, _ = r.ask(RunForward, 1.5)
	step("run", n, "acU", 6, 1)
	n, _ = r.ask(WalkForward, 1)
	step("two hops", n, "aceaW", 3.12, 2)
	n, _ = r.askStop(WalkForward)
	step("stop", n, "aceabR", 0, 1)
}

func TestSpec3_9_ThroughTheManager(t *testing.T) {
	r := newRig(t, small())
	r.initializeState()
	r.tableRequest(WalkForward, 1)
	r.tableRequest(WalkForward, 2)
	r.tableRequest(RunForward, 1.5)
	eq(t, "before", r.anims(), "Ready 0, WalkForward 1, WalkForward 0, RunForward 1")
	r.tableRequest(WalkForward, 1)
	eq(t, "after", r.anims(), "Ready 0, WalkForward 1, WalkForward 0, RunForward 0, WalkForward 0")
	eq(t, "list", r.list(), "aW")
}

func TestSpec3_5_HeadIsIssuedTwice(t *testing.T) {
	b := newBook(NonCombat).rests(NonCombat, Ready).cycle(NonCombat, Ready, md("R")).
		cycle(NonCombat, RunForward, vel(md("U"), 0, 4, 0)).cycle(NonCombat, WalkForward, vel(md("W"), 0, 3, 0)).
		mod(0, TurnRight, turning(md(""), 1)).mod(0, SideStepRight, vel(md(""), 1, 0, 0))
	r := newRig(t, b.with(an('R', 4, 0), an('U', 4, 0), an('W', 4, 0))).standing()
	r.ask(RunForward, 1)
	r.ask(SideStepRight, 1)
	r.ask(TurnRight, 1)
	eq(t, "modifiers", r.modifiers(), "TurnRight, SideStepRight")
	r.ask(WalkForward, 1)
	eq(t, "velocity", r.Sequence.Velocity, space.Vec3{0, 3, 0})
	eq(t, "omega", r.Sequence.Omega[2], 2)
	eq(t, "O-5 modifiers", r.modifiers(), "TurnRight, SideStepRight")
	r.ask(SideStepRight, 1)
	eq(t, "velocity", r.Sequence.Velocity, space.Vec3{0, 3, 0})
	eq(t, "modifiers", r.modifiers(), "SideStepRight, TurnRight")
}

// beast is the creature fixture's way to fight: HandCombat has no turn and no
// sidestep cycle.
func beast() *book {
	b := newBook(NonCombat).rests(NonCombat, Ready).rests(HandCombat, Ready).
		cycle(NonCombat, Ready, md("R")).cycle(NonCombat, WalkForward, vel(md("W"), 0, 2.5, 0)).
		cycle(HandCombat, Ready, md("H")).link(NonCombat, 0, HandCombat, md("hh")).link(NonCombat, Ready, WalkForward, md("a"))
	return gated(b)
}

func beastRecords(b *book) dat.Records {
	return b.with(an('R', 4, 0), an('W', 4, 0), an('H', 4, 0), an('h', 4, 0), an('a', 4, 0), an('T', 4, 0), an('S', 4, 0))
}

func TestD_45_ReissueStopsOnAnEmptyList(t *testing.T) {
	r := newRig(t, beastRecords(beast())).standing()
	r.ask(WalkForward, 1)
	r.ask(SideStepRight, 1)
	r.ask(TurnRight, 1)
	eq(t, "modifiers", r.modifiers(), "TurnRight, SideStepRight")
	_, ok := r.ask(HandCombat, 1)
	eq(t, "accepted", ok, true)
	eq(t, "modifiers", r.modifiers(), "")
	eq(t, "substate", r.MotionState.Substate, TurnRight)
	eq(t, "style", r.MotionState.Style, HandCombat)
}

func TestR3_11_UngatedModifiersEnd(t *testing.T) {
	// turn and sidestep are ungated substates: each re-issue makes the other a modifier
	b := newBook(NonCombat).rests(NonCombat, Ready).cycle(NonCombat, Ready, md("R")).
		cycle(NonCombat, TurnRight, md("T")).cycle(NonCombat, SideStepRight, md("S")).cycle(NonCombat, WalkForward, md("W"))
	r := newRig(t, b.with(an('R', 4, 0), an('T', 4, 0), an('S', 4, 0), an('W', 4, 0))).standing()
	for range 3 {
		r.ask(TurnRight, 1)
		r.ask(SideStepRight, 1)
		r.checkList()
	}
	if n := r.Sequence.Nodes.Len; n > 3*2*(2*maxReissues+4) {
		t.Errorf("%d nodes", n)
	}
	r.tableStopAll()
	r.checkList()
}

func TestR3_10_ReadyWhileTurningKeepsTurning(t *testing.T) {
	r := newRig(t, human()).standing()
	r.ask(TurnRight, 1)
	n, ok := r.ask(Ready, 1)
	eq(t, "accepted", ok, true)
	eq(t, "count", n, 0)
	eq(t, "substate", r.MotionState.Substate, TurnRight)
}

func TestR3_4_GatedCycleOnlyFromTheDefault(t *testing.T) {
	r := newRig(t, human()).standing()
	r.ask(WalkForward, 1)
	r.ask(TurnRight, 1)
	eq(t, "substate", r.MotionState.Substate, WalkForward)
	eq(t, "modifiers", r.modifiers(), "TurnRight")
	eq(t, "omega", r.Sequence.Omega[2], -1.5)
}

func TestR3_7_CycleThatClearsModifiersRefusesThem(t *testing.T) {
	r := newRig(t, human()).standing()
	r.ask(WalkForward, 1)
	r.ask(TurnRight, 1)
	r.ask(Crouch, 1)
	eq(t, "modifiers", r.modifiers(), "")
	eq(t, "omega", r.Sequence.Omega[2], 0)
	_, ok := r.ask(TurnRight, 1)
	eq(t, "accepted", ok, false)
}

func TestR3_10_D_StyleChange(t *testing.T) {
	r := newRig(t, human()).standing()
	r.ask(WalkForward, 1)
	n, ok := r.ask(HandCombat, 1)
	eq(t, "accepted", ok, true)
	eq(t, "list", r.list(), "abhH")
	eq(t, "count", n, 2)
	n, _ = r.ask(HandCombat, 1)
	eq(t, "the same: nothing", n, 0)
	_, ok = r.ask(Magic, 1)
	eq(t, "unknown style", ok, false)
}

func TestR3_10_A5_StyleByWayOfTheDefaultStyle(t *testing.T) {
	recs := human()
	b := &book{*recs.Motions[0]}
	b.rests(SwordCombat, Ready).cycle(SwordCombat, Ready, md("R")).link(NonCombat, Ready, SwordCombat, md("cd"))
	r := newRig(t, b.with(recs.Anims...)).standing()
	r.ask(HandCombat, 1)
	r.ask(Ready, 1)
	RemoveAllLink(&r.Pools.Nodes, r.Sequence)
	n, ok := r.ask(SwordCombat, 2)
	eq(t, "accepted", ok, true)
	eq(t, "list", r.list(), "kcdR") // no link HandCombat → SwordCombat
	eq(t, "count", n, 3)
	eq(t, "speed", r.MotionState.Speed, 2)
}

func TestD_4_NewStylesOwnDefault(t *testing.T) {
	r := newRig(t, newBook(NonCombat).rests(NonCombat, Ready).rests(SwordCombat, Crouch).
		cycle(NonCombat, Ready, md("R")).cycle(SwordCombat, Crouch, md("C")).cycle(SwordCombat, Ready, md("W")).
		with(an('R', 4, 0), an('C', 4, 0), an('W', 4, 0))).standing()
	r.ask(SwordCombat, 1)
	eq(t, "substate", r.MotionState.Substate, Crouch)
	eq(t, "list", r.list(), "C")
}

func TestO_1_ActionFallbackCountsThreeLinks(t *testing.T) {
	r := newRig(t, newBook(NonCombat).rests(NonCombat, Ready).cycle(NonCombat, Ready, md("R")).cycle(NonCombat, WalkForward, md("W")).
		link(NonCombat, WalkForward, Ready, md("a")).link(NonCombat, Ready, Cheer, md("b")).link(NonCombat, Ready, WalkForward, md("ccc")).
		with(an('R', 4, 0), an('W', 4, 0), an('a', 4, 0), an('b', 4, 0), an('c', 4, 0))).standing()
	r.ask(WalkForward, 2)
	RemoveAllLink(&r.Pools.Nodes, r.Sequence)
	n, ok := r.ask(Cheer, 1.5)
	eq(t, "accepted", ok, true)
	eq(t, "count", n, 5)
	eq(t, "list", r.list(), "abcccW")
	nodes := r.Sequence.Nodes.Items(&r.Pools.Nodes)
	for i, rate := range []float32{30, 45, 30, 30, 30, 60} {
		eq(t, "rate", nodes[i].Rate, rate)
	}
	eq(t, "substate", r.MotionState.Substate, WalkForward)
	eq(t, "actions", r.MotionState.Actions.Len, 1)
}

func TestR3_C_ActionDirect(t *testing.T) {
	r := newRig(t, human()).standing()
	n, ok := r.ask(Cheer, 2)
	eq(t, "accepted", ok, true)
	eq(t, "count", n, 1) // no −1
	eq(t, "list", r.list(), "gR")
	_, ok = r.ask(0x10000058, 1)
	eq(t, "no way there", ok, false)
}

func TestO_2_FrozenCycleStaysFrozen(t *testing.T) {
	r := newRig(t, small()).standing()
	r.ask(WalkForward, 0)
	eq(t, "rate", r.Sequence.Nodes.Items(&r.Pools.Nodes)[1].Rate, 0)
	n, _ := r.ask(WalkForward, 1)
	eq(t, "count", n, 0)
	eq(t, "rate", r.Sequence.Nodes.Items(&r.Pools.Nodes)[1].Rate, 0)
	near(t, "velocity", float64(r.Sequence.Velocity[1]), 3.12)
}

func TestR3_8_ChangeCycleSpeed(t *testing.T) {
	for _, c := range []struct{ old, new, want float32 }{
		{2, 3, 45}, {0.001, 0.002, 60}, {1, 0, 0}, {0.0001, 0.0001, 0}, {0, 0, 0}, {0, 0.0002, 30}, {0.0001, 5, 30},
	} {
		r := seqRig(t, an('C', 4, 0)).play("C")
		r.changeCycleSpeed(c.old, c.new)
		near(t, "rate", float64(r.Sequence.Nodes.Items(&r.Pools.Nodes)[0].Rate), float64(c.want))
	}
}

func TestD_3_ZeroIsPositive(t *testing.T) {
	r := newRig(t, small()).standing()
	r.ask(WalkForward, 1)
	n, ok := r.ask(WalkForward, 0)
	eq(t, "accepted", ok, true)
	eq(t, "count", n, 0)
	eq(t, "list", r.list(), "aW")
	eq(t, "same", sameSign(0, 1) && sameSign(-1, -2) && !sameSign(0, -1), true)
}

// Negative speeds scale rates, and swap no bounds (R2.3).
func TestR3_B5_SignFlip(t *testing.T) {
	r := newRig(t, small()).standing()
	r.ask(WalkForward, -1)
	// signs differ: to the default (already there), then default→Walk, which at
	// a negative speed is Walk→Ready played backwards
	eq(t, "list", r.list(), "bW")
	nodes := r.Sequence.Nodes.Items(&r.Pools.Nodes)
	eq(t, "link", nodes[0].Rate, -30)
	eq(t, "cycle", nodes[1].Rate, -30)
	RemoveAllLink(&r.Pools.Nodes, r.Sequence)
	r.ask(WalkForward, 2)
	eq(t, "list", r.list(), "aaW")
	nodes = r.Sequence.Nodes.Items(&r.Pools.Nodes)
	eq(t, "first hop at the old speed", nodes[0].Rate, -30)
	eq(t, "second hop", nodes[1].Rate, 60)
	eq(t, "cycle", nodes[2].Rate, 60)
}

func TestR3_B5_OneHopIsTurnedRound(t *testing.T) {
	// only Walk→Ready: no link from the default, so there is no second hop
	r := newRig(t, newBook(NonCombat).rests(NonCombat, Ready).cycle(NonCombat, Ready, md("R")).cycle(NonCombat, WalkForward, md("W")).
		link(NonCombat, WalkForward, Ready, md("b")).with(an('R', 4, 0), an('W', 4, 0), an('b', 4, 0))).standing()
	r.MotionState.Substate, r.MotionState.Speed = WalkForward, -1
	n, _ := r.ask(WalkForward, 2)
	eq(t, "count", n, 1)
	eq(t, "list", r.list(), "bW")
	eq(t, "link", r.Sequence.Nodes.Items(&r.Pools.Nodes)[0].Rate, -60)
}

func TestD_5_StyledModifierIsFoundAndStopped(t *testing.T) {
	recs := human()
	b := &book{*recs.Motions[0]}
	b.mod(HandCombat, TurnRight, turning(md(""), -3)).cycle(HandCombat, WalkForward, md("W"))
	r := newRig(t, b.with(recs.Anims...)).standing()
	r.ask(HandCombat, 1)
	r.ask(WalkForward, 1)
	r.ask(TurnRight, 2)
	eq(t, "omega", r.Sequence.Omega[2], -6)
	_, ok := r.askStop(TurnRight)
	eq(t, "stopped", ok, true)
	eq(t, "omega", r.Sequence.Omega[2], 0)
}

func TestF1_ThousandTurnsLeaveNothing(t *testing.T) {
	recs := human()
	b := &book{*recs.Motions[0]}
	b.mod(NonCombat, TurnRight, turning(md(""), -1.7))
	r := newRig(t, b.with(recs.Anims...)).standing()
	r.ask(WalkForward, 1)
	for range 1000 {
		r.ask(TurnRight, 1.5)
		near(t, "omega", float64(r.Sequence.Omega[2]), -2.55)
		r.askStop(TurnRight)
	}
	eq(t, "omega", r.Sequence.Omega, space.Vec3{})
	eq(t, "modifiers", r.modifiers(), "")
}

func TestR3_13_StopOfWhatIsNotActive(t *testing.T) {
	r := newRig(t, human()).standing()
	for _, c := range []uint32{WalkForward, TurnRight, Cheer, HandCombat} {
		if _, ok := r.askStop(c); ok {
			t.Errorf("%s stopped", CommandName(c))
		}
	}
}

func TestD_34_StyleWithoutDefault(t *testing.T) {
	r := newRig(t, newBook(NonCombat).rests(NonCombat, Ready).cycle(NonCombat, Ready, md("R")).cycle(Magic, WalkForward, md("W")).
		with(an('R', 4, 0), an('W', 4, 0))).standing()
	r.MotionState.Style, r.MotionState.Substate = Magic, WalkForward
	before := r.list()
	eq(t, "code", r.tableStop(WalkForward), 0)
	eq(t, "pending", r.anims(), "Ready 0")
	eq(t, "list", r.list(), before)
}

func TestO_4_RefusedFinalStopAppendsReady(t *testing.T) {
	r := newRig(t, small())
	r.tableStopAll() // no state at all
	eq(t, "pending", r.anims(), "Ready 0")
}

func TestR3_14_StopCompletelyStopsModifiersFirst(t *testing.T) {
	r := newRig(t, human()).standing()
	r.ask(WalkForward, 1)
	r.ask(SideStepRight, 1)
	r.ask(TurnRight, 1)
	r.MotionState.Modifiers.Push(&r.Pools.Speeded, components.Speeded{Motion: 0x200000FF, Speed: 1}) // has no data: cannot be removed
	eq(t, "count", r.stopAll(), 1)
	eq(t, "modifiers", r.modifiers(), "")
	eq(t, "list", r.list(), "abR")
	eq(t, "velocity", r.Sequence.Velocity, space.Vec3{})
}

// A modifier that is active where the style's default plays, to which stopping the substate is no
// rebuild: each is taken off by its own stop, at the speed that it was put on with, also behind
// a head that does not go.
func TestR3_14_ModifiersAreTakenOff(t *testing.T) {
	r := newRig(t, human()).standing()
	was := *r.Sequence
	for _, a := range []components.Speeded{{Motion: SideStepRight, Speed: 2}, {Motion: TurnRight, Speed: 3}} {
		r.pushModifier(a.Motion, a.Speed)
		r.combineMotion(r.modifier(NonCombat, a.Motion), a.Speed)
	}
	r.pushModifier(0x200000FF, 1) // has no data: cannot be removed
	eq(t, "velocity", r.Sequence.Velocity, space.Vec3{2.5, 0, 0})
	eq(t, "omega", r.Sequence.Omega, space.Vec3{0, 0, -4.5})
	eq(t, "count", r.stopAll(), 0)
	eq(t, "modifiers", r.modifiers(), "")
	eq(t, "velocity", r.Sequence.Velocity, was.Velocity)
	eq(t, "omega", r.Sequence.Omega, was.Omega)
	eq(t, "list", r.list(), "R")
}

func TestR3_12_DefaultStateMissing(t *testing.T) {
	r := newRig(t, newBook(NonCombat).with())
	_, ok := r.setDefaultState()
	eq(t, "no default", ok, false)
	r = newRig(t, newBook(NonCombat).rests(NonCombat, Ready).with())
	r.pushModifier(TurnRight, 1)
	_, ok = r.setDefaultState()
	eq(t, "no cycle", ok, false)
	eq(t, "modifiers already gone", r.modifiers(), "")
}

func TestD_32_ZeroAnimationCountsWrap(t *testing.T) {
	r := newRig(t, newBook(NonCombat).rests(NonCombat, Ready).cycle(NonCombat, Ready, md("")).cycle(NonCombat, WalkForward, md("")).with())
	r.EnterDefaultState()
	r.forget()
	p := DefaultParams()
	r.DoInterpretedMotion(WalkForward, &p)
	if !strings.Contains(r.anims(), "WalkForward 4294967295") {
		t.Fatal(r.anims())
	}
	r.AnimationDone(true)
	r.RemoveLinkAnimations()
	eq(t, "anims", r.anims(), "")
	eq(t, "motions", r.motions(), "")
	eq(t, "counter", r.Pending.Counter, 0)
	r.check()
}

func TestD_31_LinkLength(t *testing.T) {
	recs := small()
	recs.Motions[0].Links[0].To[0].Data.Clips[0] = dat.Clip{Anim: letter('R'), Low: 0, High: 9, Rate: 30}
	r := newRig(t, recs)
	near(t, "seconds", r.Tables.ClipsOf(r.link(NonCombat, Ready, 1, WalkForward, 1))[0].Seconds(1), 10./30)
}

func TestR3_13_StopOfATurnGoesToReady(t *testing.T) {
	r := newRig(t, human()).standing()
	r.ask(TurnRight, 1)
	n, ok := r.askStop(TurnRight)
	eq(t, "stopped", ok, true)
	eq(t, "count", n, 0)
	eq(t, "substate", r.MotionState.Substate, Ready)
	eq(t, "B7: going to the default leaves no modifier", r.modifiers(), "")
	eq(t, "omega", r.Sequence.Omega[2], 0)
}

func TestR3_4_CurrentGatedCycleIsAllowed(t *testing.T) {
	r := newRig(t, human()).standing()
	r.ask(TurnRight, 1)
	_, ok := r.ask(TurnRight, -1) // signs differ: a rebuild
	eq(t, "accepted", ok, true)
	eq(t, "substate", r.MotionState.Substate, TurnRight)
	eq(t, "speed", r.MotionState.Speed, -1)
	eq(t, "omega", r.Sequence.Omega[2], 1.5)
}

func TestR3_12_DefaultStateClearsTheWholeList(t *testing.T) {
	r := newRig(t, human()).standing()
	r.ask(WalkForward, 1)
	r.tick(1. / 30)
	r.setDefaultState()
	eq(t, "list", r.list(), "R")
	eq(t, "frame", r.Sequence.Frame, 0)
}
