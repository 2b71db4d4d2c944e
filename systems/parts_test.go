package systems

import (
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/motion"
)

// wantParts holds the parts of a remote to its animation or placement, by 15 §3.
func (r *rig) wantParts(guid uint32, source []space.Frame) {
	r.Helper()
	got, ok := r.e.PartFrames(guid, nil)
	if !ok || len(got) != len(source) {
		r.Fatalf("%d parts (%v), want %d", len(got), ok, len(source))
	}
	c := r.row(guid)
	for i, f := range source {
		for k := range f.Origin {
			f.Origin[k] *= c.Rest.Scale
		}
		same(r, "part", got[i], space.Combine(c.Pose.Frame, f))
	}
}

func TestSpec15_3_PartFrames(t *testing.T) {
	r := newRig(t, Options{})
	tables := r.e.Tables()
	big, bare := human(me, 108, 108), human(me+1, 100, 108)
	big.Scale, big.Place = 2.5, spot(108, 108, 60)
	bare.MotionTable = 0 // plays nothing: its setup has no default animation
	r.spawn(big)
	r.spawn(bare)
	r.tick(1)
	playing := func() []space.Frame {
		c := r.row(me)
		return tables.PartFrames(c.nodes[c.Sequence.Curr].Anim, int32(c.Sequence.Frame))
	}
	moved := false
	for tick := range 120 {
		switch tick {
		case 3:
			r.move(me, does{forward: run, turn: right, spin: 1})
		case 70:
			r.move(me, does{})
		}
		r.tick(1)
		r.wantParts(me, playing())
		if p := playing(); p[1] != space.Identity {
			moved = true
		}
	}
	if !moved {
		t.Error("the animations pose nothing, the test shows nothing")
	}
	// at rest the frame is not written every tick, and is what it would be
	for range 200 {
		r.e.Tick()
		got, _ := r.e.PartFrames(me, nil)
		r.wantParts(me, playing())
		again, _ := r.e.PartFrames(me, nil)
		sameList(t, "parts", again, got...)
	}
	if r.row(me).Rest.Since == 0 {
		t.Error("it never rested")
	}

	// R2.17: the placement asked for falls back to key 0
	c := r.row(me + 1)
	pose, key := tables.Placement(c.Identity.Setup, motion.DefaultPlacement)
	same(t, "key", key, c.Sequence.PlacementID)
	r.wantParts(me+1, tables.PoseParts(c.Identity.Setup, pose))
}

func TestSpec15_3_NothingPosesTheParts(t *testing.T) {
	r := newRig(t, Options{})
	r.spawn(human(me, 108, 108))
	bare := human(me+1, 108, 108)
	bare.Setup = 0
	r.spawn(bare)
	emitter := human(me+2, 108, 108)
	emitter.State |= components.ParticleEmitter
	r.spawn(emitter)
	r.spawn(human(me+3, 108, 108))
	r.tick(1)
	r.e.Inspect(me+3, func(v *components.Row, _ *components.Pools) { v.Pose.Cell = 0 })
	dst := []space.Frame{space.Identity}
	for _, guid := range []uint32{0, me + 1, me + 2, me + 3, me + 4} {
		if got, ok := r.e.PartFrames(guid, dst); ok || len(got) != 1 {
			t.Errorf("0x%08X: %v %v", guid, got, ok)
		}
	}
	got, ok := r.e.PartFrames(me, dst)
	if !ok || len(got) != 3 || got[0] != space.Identity {
		t.Errorf("appended to what was there: %v %v", got, ok)
	}
}

// An animation may have more parts than the setup, or fewer.
func TestSpec15_3_AsManyPartsAsBothHave(t *testing.T) {
	for parts := range uint32(5) {
		tables := *fixtureTables(t)
		tables.Setups = append([]dat.Figure(nil), tables.Setups...)
		for i := range tables.Setups {
			tables.Setups[i].PartCount = parts
		}
		e, err := New(Options{Tables: &tables})
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Spawn(human(me, 108, 108)); err != nil {
			t.Fatal(err)
		}
		e.Tick()
		got, _ := e.PartFrames(me, nil)
		same(t, "parts", len(got), int(min(parts, 2)))
	}
}

func TestPartFramesAllocateNothing(t *testing.T) {
	r := standing(t, Options{})
	r.seconds(3)
	dst := make([]space.Frame, 0, 2)
	if n := testing.AllocsPerRun(100, func() {
		r.e.Tick()
		dst, _ = r.e.PartFrames(me, dst[:0])
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
