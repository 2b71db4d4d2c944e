package motion

import (
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// play puts whole animations at 30 into an empty list, the last one cyclic.
func (r *rig) play(letters string, rates ...float32) *rig {
	for i := range letters {
		a, ok := r.Tables.Animation(letter(letters[i]))
		if !ok {
			r.t.Fatalf("no animation %c", letters[i])
		}
		rate := float32(30)
		if i < len(rates) {
			rate = rates[i]
		}
		Append(&r.Pools.Nodes, r.Sequence, components.Node{Anim: a, Rate: rate, High: int32(r.Tables.Anims[a].Frames) - 1})
	}
	return r
}

func seqRig(t testing.TB, anims ...*dat.Animation) *rig {
	return newRig(t, dat.Records{Anims: anims})
}

func abc(t *testing.T) *rig {
	return seqRig(t, an('A', 4, 0), an('B', 4, 0), an('C', 4, 0), an('D', 4, 0))
}

func TestR2_1_BoundsOfANode(t *testing.T) {
	for _, c := range []struct{ low, high, wantLow, wantHigh int32 }{
		{0, -1, 0, 9}, {3, -1, 3, 9}, {12, -1, 9, 9}, {0, 40, 0, 9}, {12, 40, 9, 9}, {5, 3, 5, 5}, {2, 7, 2, 7},
	} {
		d := md("R")
		d.Clips[0].Low, d.Clips[0].High = c.low, c.high
		r := newRig(t, newBook(NonCombat).rests(NonCombat, Ready).cycle(NonCombat, Ready, d).with(an('R', 10, 0))).standing()
		n := r.Sequence.Nodes.Items(&r.Pools.Nodes)[0]
		eq(t, "low", n.Low, c.wantLow)
		eq(t, "high", n.High, c.wantHigh)
	}
}

func TestR2_2_UnresolvedAnimationIsDropped(t *testing.T) {
	r := newRig(t, newBook(NonCombat).rests(NonCombat, Ready).cycle(NonCombat, Ready, md("RX")).with(an('R', 3, 0)))
	n, ok := r.setDefaultState()
	eq(t, "accepted", ok, true)
	eq(t, "count", n, 1) // n(m) counts what the record names
	eq(t, "list", r.list(), "R")
	eq(t, "first cyclic", r.Sequence.FirstCyclic(), 0)
}

// The cycle alone is retimed (R2.11), and is turned with its bounds kept.
func TestR2_4_MultiplyFramerate(t *testing.T) {
	r := abc(t).play("AB")
	MultiplyCyclicRate(&r.Pools.Nodes, r.Sequence, 2)
	n := r.Sequence.Nodes.Items(&r.Pools.Nodes)
	eq(t, "link", n[0].Rate, 30)
	eq(t, "cycle", n[1].Rate, 60)
	MultiplyCyclicRate(&r.Pools.Nodes, r.Sequence, -1)
	eq(t, "turned", n[1], components.Node{Anim: n[1].Anim, Rate: -60, Low: 3, High: 0})
}

func TestR2_5_StartAndEnd(t *testing.T) {
	n := components.Node{Low: 2, High: 9, Rate: 30}
	eq(t, "forward start", startingFrame(&n), 2)
	eq(t, "forward end", endingFrame(&n), float64(float32(9.9998)))
	n.Rate = -30
	near(t, "backward start", startingFrame(&n), 9.999799728)
	eq(t, "backward end", endingFrame(&n), 2)
	n.Rate = 0
	eq(t, "frozen start", startingFrame(&n), 2)
}

func TestR2_7_AppendMakesTheLastNodeTheLoop(t *testing.T) {
	r := abc(t).play("ABC")
	eq(t, "first cyclic", r.Sequence.FirstCyclic(), 2)
	eq(t, "curr", r.Sequence.Curr, 0)
	for range 14 {
		r.tick(1. / 30)
	}
	eq(t, "after the first ones", r.list(), "C")
	r = abc(t).play("A", -30)
	near(t, "starts at its end", r.Sequence.Frame, 3.9998)
}

func TestR2_8_RemoveCyclic(t *testing.T) {
	r := abc(t).play("A")
	RemoveCyclic(&r.Pools.Nodes, r.Sequence)
	eq(t, "list", r.list(), "")
	eq(t, "curr", r.Sequence.Curr, -1)
	eq(t, "first cyclic", r.Sequence.FirstCyclic(), -1)
	r.play("B")
	eq(t, "the next begins at once", r.Sequence.Frame, 0)

	r = abc(t).play("ABC")
	r.Sequence.Curr, r.Sequence.Frame = 2, 1.5
	RemoveCyclic(&r.Pools.Nodes, r.Sequence)
	eq(t, "list", r.list(), "AB")
	eq(t, "curr is the one before", r.Sequence.Curr, 1)
	near(t, "at its end", r.Sequence.Frame, 3.9998)
	eq(t, "first cyclic", r.Sequence.FirstCyclic(), 1)

	r = abc(t).play("ABC")
	r.Sequence.Frame = 2.5
	RemoveCyclic(&r.Pools.Nodes, r.Sequence)
	eq(t, "a playing link goes on", r.Sequence.Frame, 2.5)
	eq(t, "curr", r.Sequence.Curr, 0)
}

func TestR2_9_RemoveLink(t *testing.T) {
	r := abc(t).play("ABC")
	r.Sequence.Frame = 2.5
	RemoveLink(&r.Pools.Nodes, r.Sequence, 1)
	eq(t, "k=1", r.list(), "AC")
	eq(t, "curr", r.Sequence.Curr, 0)
	eq(t, "frame", r.Sequence.Frame, 2.5)
	for _, k := range []uint32{2, 3, 1<<32 - 1} {
		r = abc(t).play("ABC")
		r.Sequence.Frame = 2.5
		RemoveLink(&r.Pools.Nodes, r.Sequence, k)
		eq(t, "k≥2", r.list(), "C")
		eq(t, "curr", r.Sequence.Curr, 0)
		eq(t, "frame", r.Sequence.Frame, 0)
		r.check()
	}
	r = abc(t).play("ABCD")
	r.Sequence.Curr, r.Sequence.Frame = 3, 1
	RemoveLink(&r.Pools.Nodes, r.Sequence, 2)
	eq(t, "cycle playing", r.list(), "AD")
	eq(t, "curr", r.Sequence.Curr, 1)
	eq(t, "frame", r.Sequence.Frame, 1)
	r = abc(t)
	RemoveLink(&r.Pools.Nodes, r.Sequence, 3)
	eq(t, "empty", r.list(), "")
}

func TestR2_10_RemoveAllLinkOfALongList(t *testing.T) {
	r := abc(t).play("ABCABCABCD") // beyond the inline room
	RemoveAllLink(&r.Pools.Nodes, r.Sequence)
	eq(t, "list", r.list(), "D")
	eq(t, "back inline", r.Sequence.Nodes.Over, 0)
	r.check()
}

// R2.12 to R2.15 together: R2.13 clears, R2.14 combines, R2.15 asks whether anything plays.
func TestR2_12_ClearAndPhysics(t *testing.T) {
	r := abc(t).play("AB")
	SetPhysics(r.Sequence, space.Vec3{1, 2, 3}, space.Vec3{0, 0, 1})
	CombinePhysics(r.Sequence, &space.Vec3{1, 0, 0}, &space.Vec3{0, 0, 2}, 1)
	eq(t, "velocity", r.Sequence.Velocity, space.Vec3{2, 2, 3})
	SubtractPhysics(r.Sequence, &space.Vec3{0, 2, 0}, &space.Vec3{0, 0, 1}, 1)
	eq(t, "velocity", r.Sequence.Velocity, space.Vec3{2, 0, 3})
	eq(t, "omega", r.Sequence.Omega, space.Vec3{0, 0, 2})
	ClearAnimations(&r.Pools.Nodes, r.Sequence)
	eq(t, "anims", HasAnims(r.Sequence), false)
	eq(t, "velocity stays", r.Sequence.Velocity, space.Vec3{2, 0, 3})
	r.Sequence.Placement, r.Sequence.PlacementID = 4, 5
	ClearSequence(&r.Pools.Nodes, r.Sequence)
	eq(t, "velocity", r.Sequence.Velocity, space.Vec3{})
	eq(t, "placement", r.Sequence.Placement, -1)
	eq(t, "placement id", r.Sequence.PlacementID, 0)
	CombinePhysics(r.Sequence, &space.Vec3{3e38}, &space.Vec3{}, 1)
	CombinePhysics(r.Sequence, &space.Vec3{3e38}, &space.Vec3{}, 1)
	r.check()
}

func TestR2_31_CollectStopsAtTheLoop(t *testing.T) {
	r := abc(t).play("ABC")
	r.Sequence.Curr = 1
	collect(&r.Pools.Nodes, r.Sequence)
	eq(t, "list", r.list(), "BC")
	eq(t, "curr", r.Sequence.Curr, 0)
	eq(t, "first cyclic", r.Sequence.FirstCyclic(), 1)
	r.Sequence.Curr = 1
	collect(&r.Pools.Nodes, r.Sequence)
	eq(t, "list", r.list(), "C")
}

func setupRecords() dat.Records {
	pose := func(z float32) []space.Frame {
		return []space.Frame{{Origin: space.Vec3{0, 0, z}, Rotation: space.IdentityQuat}}
	}
	a := &dat.Animation{ID: letter('A'), Parts: 1}
	for k := range 3 {
		a.Frames = append(a.Frames, dat.AnimFrame{Parts: pose(float32(k))})
	}
	s := func(id uint32, keys ...uint32) *dat.Setup {
		u := &dat.Setup{ID: id, Parts: []uint32{0x01000001}, DefaultAnimation: letter('A')}
		for _, k := range keys {
			u.Placements = append(u.Placements, dat.Placement{Key: k, Parts: pose(float32(k) + 100)})
		}
		return u
	}
	return dat.Records{Anims: []*dat.Animation{a}, Setups: []*dat.Setup{s(0x02000001, 0, 0x65), s(0x02000002, 0), s(0x02000003, 7)}}
}

func TestR2_16_PoseIsThePartFrameOfTheWholeFrame(t *testing.T) {
	r := newRig(t, setupRecords()).play("A")
	r.Sequence.Frame = 1.9
	eq(t, "part", CurrentPose(r.Tables, &r.Pools.Nodes, r.Sequence, 0)[0].Origin[2], 1)
	r.Sequence.Frame = 3 // outside: no pose
	eq(t, "parts", len(CurrentPose(r.Tables, &r.Pools.Nodes, r.Sequence, 0)), 0)
}

func TestR2_17_Placement(t *testing.T) {
	r := newRig(t, setupRecords())
	for setup, want := range []struct {
		id uint32
		z  float32
	}{{0x65, 0x65 + 100}, {0, 100}, {0, -1}} {
		SetPlacement(r.Tables, r.Sequence, int32(setup), DefaultPlacement)
		eq(t, "id", r.Sequence.PlacementID, want.id)
		pose := CurrentPose(r.Tables, &r.Pools.Nodes, r.Sequence, int32(setup))
		if want.z < 0 {
			eq(t, "parts", len(pose), 0)
		} else {
			eq(t, "part", pose[0].Origin[2], want.z)
		}
	}
}

func TestD_9_DefaultAnimationAdvances(t *testing.T) {
	r := newRig(t, setupRecords())
	SetDefaultAnimation(r.Tables, &r.Pools.Nodes, r.Sequence, 0)
	SetDefaultAnimation(r.Tables, &r.Pools.Nodes, r.Sequence, -1)
	eq(t, "node", r.Sequence.Nodes.Items(&r.Pools.Nodes)[0], components.Node{Rate: 30, High: 2})
	r.tick(1. / 30)
	near(t, "frame", r.Sequence.Frame, 1)
}

// "after clearing the list": what played before is gone, and it begins at its first frame.
func TestR2_18_TheDefaultAnimationClearsTheList(t *testing.T) {
	r := newRig(t, setupRecords()).play("A")
	r.Sequence.Frame = 1.5
	SetDefaultAnimation(r.Tables, &r.Pools.Nodes, r.Sequence, 0)
	eq(t, "list", r.list(), "A")
	eq(t, "rate", r.Sequence.Nodes.Items(&r.Pools.Nodes)[0].Rate, 30)
	eq(t, "frame", r.Sequence.Frame, 0)
}

func TestR2_19_PartFrame(t *testing.T) {
	s := float32(0.70710677)
	object := space.Frame{Origin: space.Vec3{10, 0, 0}, Rotation: space.Quat{W: s, V: space.Vec3{0, 0, s}}} // a quarter to the left
	part := space.Frame{Origin: space.Vec3{1, 0, 1}, Rotation: space.IdentityQuat}
	f := PartFrame(object, part, space.Vec3{2, 2, 3})
	near(t, "x", float64(f.Origin[0]), 10)
	near(t, "y", float64(f.Origin[1]), 2)
	near(t, "z", float64(f.Origin[2]), 3)
}
