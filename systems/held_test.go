package systems

import (
	"testing"
	"testing/fstest"

	"io/fs"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/testdata/fixtures"
	"github.com/gait-engine/gait/wire"
)

// What is held follows its holder: 15 §3 "Children", 15 §8, 11 §2, 20 §2.6.

const handySetup = 0x02000A01 // the humanoid's, with places to hold things at

// hands are these places: on a part, on one that no animation poses, on one that
// is not there.
var hands = []dat.Location{
	{Key: 1, Part: 1, Frame: space.Frame{Origin: space.Vec3{0.5, 0.1, 0.2}, Rotation: space.SetHeading(space.IdentityQuat, 90)}},
	{Key: 2, Part: 2, Frame: space.Frame{Origin: space.Vec3{0, 0, 1}, Rotation: space.IdentityQuat}},
	{Key: 9, Part: 77, Frame: space.Frame{Origin: space.Vec3{1, 0, 0}, Rotation: space.IdentityQuat}},
}

// handyRig is a rig whose tables have handySetup.
func handyRig(t testing.TB, o Options) *rig {
	t.Helper()
	b, err := fs.ReadFile(fixtures.FS, "humanoid/02000001.bin")
	if err != nil {
		t.Fatal(err)
	}
	s, err := dat.DecodeSetup(b)
	if err != nil {
		t.Fatal(err)
	}
	s.ID, s.Holding = handySetup, hands
	s.Parts = append(s.Parts, s.Parts[0])
	for i := range s.Placements {
		s.Placements[i].Parts = append(s.Placements[i].Parts, space.Frame{Origin: space.Vec3{0, 0, float32(2 + i)}, Rotation: space.IdentityQuat})
	}
	s.Parents, s.Scales, s.Flags = nil, nil, s.Flags&^3
	b, err = dat.EncodeSetup(s)
	if err != nil {
		t.Fatal(err)
	}
	var sources []dat.Source
	for _, folder := range []string{"humanoid", "creature"} {
		source, err := dat.OpenFolder(fixtures.FS, folder)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, source)
	}
	more, err := dat.OpenFolder(fstest.MapFS{"more/02000A01.bin": &fstest.MapFile{Data: b}}, "more")
	if err != nil {
		t.Fatal(err)
	}
	o.Tables, err = dat.Load(append(sources, more)...)
	if err != nil {
		t.Fatal(err)
	}
	e, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, Options{})
	r.e = e
	return r
}

func handy(guid uint32, x, y float32) Spawn {
	s := human(guid, x, y)
	s.Setup = handySetup
	return s
}

// hangs is the next message that puts one remote into a hand of another's.
func (r *rig) hangs(holder, held, location uint32) *wire.Parent {
	m := r.holds(holder, held)
	m.Location = location
	return m
}

// shown is where the view has a remote, and whether it has it held.
func (r *rig) shown(guid uint32) (space.Position, bool) {
	r.Helper()
	v := r.e.View()
	for i := range v.Len() {
		if v.Guid[i] == guid {
			return space.Position{Cell: v.Cell[i], Frame: space.Frame{Origin: v.Origin[i], Rotation: v.Rotation[i]}}, v.Flags[i]&IsHeld != 0
		}
	}
	r.Fatalf("0x%08X is not in the view", guid)
	return space.Position{}, false
}

// Child root = the holder's part frame, the holding frame in its axes: in the
// holder's tick, whatever plays, however deep.
func TestSpec15_3_ChildrenFollow(t *testing.T) {
	const sword, gem, staff, far = me + 1, me - 2, me + 3, me + 4
	for _, o := range []Options{{}, {AlwaysUpdate: true}, {Workers: 3, ChunkRows: 1}} {
		r := handyRig(t, o)
		holder := handy(me, 108, 108)
		holder.Scale = 2
		r.spawn(holder)
		for _, guid := range []uint32{sword, gem, staff, far} {
			r.spawn(handy(guid, 10, 10))
		}
		r.tick(1)
		r.send(r.hangs(me, sword, 1))
		r.send(r.hangs(sword, gem, 1))
		r.send(r.hangs(me, staff, 2))
		r.send(r.hangs(me, far, 9))
		tables := r.e.Tables()
		moved := 0
		var was space.Position
		for tick := range 400 {
			switch tick {
			case 5:
				r.move(me, does{forward: run, turn: right, spin: 1})
			case 100:
				r.move(me, does{})
			}
			r.tick(1)
			c := r.row(me)
			parts, ok := r.e.PartFrames(me, nil)
			if !ok || len(parts) < 2 {
				t.Fatalf("parts %v", parts)
			}
			hand := func(k int) space.Frame { return hands[k].Frame }
			want := map[uint32]space.Frame{
				sword: space.Combine(parts[1], hand(0)),
				far:   space.Combine(c.Pose.Frame, hand(2)),
			}
			// no animation poses the third part: it stays as the placement has it
			pose, _ := tables.Placement(c.Identity.Setup, c.Sequence.PlacementID)
			third := tables.PoseParts(c.Identity.Setup, pose)[2]
			want[staff] = space.Combine(motion.PartFrame(c.Pose.Frame, third, space.Vec3{2, 2, 2}), hand(1))
			// the gem is on a part of the sword's, which plays nothing on
			s := r.row(sword)
			same(t, "cell of the held", s.Pose.Cell, 0)
			part := tables.PartFrames(s.nodes[s.Sequence.Curr].Anim, int32(s.Sequence.Frame))[1]
			want[gem] = space.Combine(motion.PartFrame(want[sword], part, space.Vec3{1, 1, 1}), hand(0))
			for guid, f := range want {
				p, held := r.shown(guid)
				same(t, "held", held, true)
				same(t, "shown", p, space.Position{Cell: c.Pose.Cell, Frame: f})
				mine, ok := r.e.PartFrames(guid, nil)
				same(t, "has parts", ok, true)
				held0 := r.row(guid)
				at := tables.PartFrames(held0.nodes[held0.Sequence.Curr].Anim, int32(held0.Sequence.Frame))[0]
				same(t, "part", mine[0], motion.PartFrame(f, at, space.Vec3{1, 1, 1}))
			}
			if p, _ := r.shown(sword); p != was {
				was = p
				moved++
			}
			for _, ev := range r.e.Events() {
				if tick > 0 && ev.Guid != me && ev.Kind == CellChanged {
					t.Fatalf("tick %d: %+v", tick, ev)
				}
			}
			if t.Failed() {
				t.Fatalf("tick %d", tick)
			}
		}
		if moved < 100 {
			t.Errorf("the sword moves in %d ticks", moved)
		}

		// let go of: where it is put
		r.place(sword, spot(50, 60, 0))
		r.tick(1)
		p, held := r.shown(sword)
		same(t, "held", held, false)
		near(t, "y", float64(p.Frame.Origin[1]), 60, 1e-3)
		g, _ := r.shown(gem)
		if apart(inWorld(&g), inWorld(&p)) > 3 {
			t.Errorf("the gem is at %v", g)
		}
		// picked up: nowhere, and so is what it holds
		r.send(r.pickup(sword))
		r.tick(1)
		for _, guid := range []uint32{sword, gem} {
			p, _ := r.shown(guid)
			same(t, "cell", p.Cell, 0)
			if _, ok := r.e.PartFrames(guid, nil); ok {
				t.Error("it has parts")
			}
		}
		// the holder goes: what he held is nowhere, and known
		r.e.Remove(me)
		r.tick(1)
		p, _ = r.shown(staff)
		same(t, "cell", p.Cell, 0)
		r.e.Remove(staff)
		r.tick(1)
		same(t, "rows", r.e.Len(), 3)
	}
}

// Held things are no state beyond who holds them where: the hash says so.
func TestSpec15_8_ChildrenDoNotChangeTheAnswer(t *testing.T) {
	hash := func(o Options) uint64 {
		r := handyRig(t, o)
		for i := range uint32(20) {
			r.spawn(handy(me+2*i, 100+float32(i), 108))
			s := handy(me+2*i+1, 0, 0)
			s.Parent, s.Location = me+2*i, 1+i%2
			r.spawn(s)
		}
		r.tick(1)
		for i := range uint32(20) {
			r.move(me+2*i, does{forward: run})
		}
		r.send(r.hangs(me, me+2, 1)) // a holder is held
		r.tick(50)
		sum := r.e.Hash()
		for i := range uint32(40) {
			p, _ := r.shown(me + i)
			sum = sum*31 + uint64(int64(p.Frame.Origin[1]*1000))
		}
		return sum
	}
	want := hash(Options{})
	for _, o := range []Options{{Workers: 4, ChunkRows: 1}, {Workers: 2, ChunkRows: 7}, {AlwaysUpdate: true}} {
		same(t, "hash", hash(o), want)
	}
}

// Rings, and what is held deeper than anything is, are nowhere.
func TestSpec15_3_HeldInARing(t *testing.T) {
	r := handyRig(t, Options{})
	for i := range uint32(12) {
		r.spawn(handy(me+i, 100, 100))
	}
	r.tick(1)
	r.send(r.hangs(me, me+1, 1))
	r.send(r.hangs(me+1, me, 1))
	for i := uint32(2); i < 11; i++ {
		r.send(r.hangs(me+i, me+i+1, 1))
	}
	r.tick(2)
	for i := range uint32(12) {
		p, _ := r.shown(me + i)
		same(t, "somewhere", p.Cell != 0, i >= 2 && i < 3+MaxHeldDepth)
	}
}

// 20 §2.6: a place that the holder's setup has not refuses the attachment.
func TestSpec20_2_6_NoSuchPlaceToHold(t *testing.T) {
	r := handyRig(t, Options{})
	r.spawn(handy(me, 108, 108))
	r.spawn(human(me+1, 100, 100))
	r.tick(1)
	r.send(r.hangs(me, me+1, 3))
	r.tick(1)
	r.wantVerdicts(Ignored)
	same(t, "parent", r.row(me+1).Identity.Parent, 0)
	same(t, "in the world", r.row(me+1).Pose.Cell != 0, true)
	same(t, "stamp", r.row(me + 1).Stamps.Slot[wire.SlotPosition], 1)
	c := creates(me+2, 1, 0, 0)
	c.Physics.Parent, c.Physics.ParentLocation = me, 3
	c.Physics.Fresh()
	r.send(c)
	r.tick(1)
	same(t, "parent", r.row(me+2).Identity.Parent, 0)
	same(t, "cell", r.row(me+2).Pose.Cell, 0)
	// one whose setup names no places at all holds at the root
	r.send(r.hangs(me+1, me+2, 3))
	r.instance[me+2], r.places[me+2] = 1, 0
	r.tick(1)
	m := r.hangs(me+1, me+2, 3)
	r.send(m)
	r.tick(1)
	p, _ := r.shown(me + 2)
	same(t, "at", p.Frame, r.row(me+1).Pose.Frame)
}

// 11 §2: what a hidden one holds is not drawn.
func TestSpec11_2_HiddenHandsAreNotDrawn(t *testing.T) {
	r := handyRig(t, Options{})
	r.spawn(handy(me, 108, 108))
	r.spawn(human(me+1, 100, 100))
	r.spawn(human(me+2, 100, 100))
	r.tick(1)
	drawn := func(guid uint32) bool { return r.row(guid).Body.State&components.NoDraw == 0 }
	r.send(r.hangs(me, me+1, 1))
	r.send(r.state(me, components.DefaultState|components.Hidden))
	r.tick(1)
	same(t, "held before", drawn(me+1), false)
	r.send(r.hangs(me, me+2, 2))
	c := creates(me+3, 1, 0, 0)
	c.Physics.Parent, c.Physics.ParentLocation = me, 2
	c.Physics.Fresh()
	r.send(c)
	r.tick(1)
	same(t, "held since", drawn(me+2), false)
	same(t, "created held", drawn(me+3), false)
	r.send(r.pickup(me + 1))
	r.tick(1)
	same(t, "let go", drawn(me+1), true)
	r.send(r.state(me, components.DefaultState))
	r.tick(1)
	same(t, "shown", drawn(me+2), true)
	same(t, "shown", drawn(me+3), true)
}

// What the embedder spawns held, and what its create message says.
func TestSpec20_2_7_SpawnHeld(t *testing.T) {
	r := handyRig(t, Options{})
	s := human(me+1, 0, 0)
	s.Place, s.Parent, s.Location = space.Position{}, me, 2
	r.spawn(s) // before its holder
	r.spawn(handy(me, 108, 108))
	s.Guid, s.Parent = me+2, me+2
	wantErr(t, r.e.Spawn(s), ErrSpawn)
	r.tick(1)
	p, held := r.shown(me + 1)
	same(t, "held", held, true)
	same(t, "cell", p.Cell, r.row(me).Pose.Cell)
	b, err := r.e.CreateMessage(nil, me+1)
	if err != nil {
		t.Fatal(err)
	}
	to := handyRig(t, Options{})
	to.spawn(handy(me, 108, 108))
	to.send(b)
	to.tick(1)
	to.wantVerdicts(Applied)
	same(t, "parent", to.row(me+1).Identity, r.row(me+1).Identity)
	q, _ := to.shown(me + 1)
	same(t, "shown", q, p)
}
