package systems

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/gait-engine/gait/bench/ground"
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/collision"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/testdata/fixtures"
	"github.com/gait-engine/gait/wire"
)

// 10 §7.1: the cell is that of the first sphere's centre. A creature whose
// centre lies behind it may have its origin beyond the block's border.
func TestSpec10_7_1_OriginAcrossTheBorder(t *testing.T) {
	across := 0
	for _, c := range []struct{ x, y, heading float32 }{{100, 191, 0}, {191, 100, 90}, {100, 193, 180}, {193, 100, 270}} {
		r := onLand(t, Options{})
		s := stander(me, c.x, c.y, 100, c.heading)
		s.Place = over(c.x, c.y, 100, c.heading)
		s.MotionTable, s.Setup = creatureTable, creatureSetup
		r.spawn(s)
		r.tick(1)
		r.move(me, does{forward: walk})
		for range 90 {
			r.tick(1)
			if !inBlock(r.row(me).Pose.Frame.Origin) {
				across++
			}
		}
	}
	if across == 0 {
		t.Error("no origin was across the border: no test")
	}
}

// It stays where it is when a hook makes it smaller there, and is no damaged snapshot.
func TestSpec10_7_1_ShrinksAcrossTheBorder(t *testing.T) {
	o := glideOptions(t, "terrain", true) // whose animations have such hooks
	r := newRig(t, Options{})
	var err error
	if r.e, err = New(o); err != nil {
		t.Fatal(err)
	}
	s := stander(me, 100, 192.3, 100, 0)
	s.MotionTable, s.Setup, s.Scale = creatureTable, creatureSetup, 3
	r.spawn(s)
	r.tick(1)
	m := r.mover(me)
	if inBlock(m.row().Pose.Frame.Origin) {
		t.Fatalf("it stands at %v: no test", m.row().Pose.Position)
	}
	m.row().Rest.Scale = 0.01
	m.noted()
	if err := r.e.Check(); err != nil {
		t.Error(err)
	}
	if _, err := Restore(o, bytes.NewReader(snapshotOf(t, r.e))); err != nil {
		t.Error(err)
	}
}

// differs runs a script with short ways and without, and returns the first tick
// after which the two are not the same, −1 for none.
func differs(t *testing.T, setUp func(r *rig), each func(r *rig, tick int), ticks int) int {
	t.Helper()
	var hashes [2][]uint64
	for k := range hashes {
		r := onLand(t, Options{AlwaysUpdate: k == 1})
		setUp(r)
		for i := range ticks {
			each(r, i)
			r.tick(1)
			hashes[k] = append(hashes[k], r.e.Hash())
		}
	}
	for i := range hashes[0] {
		if hashes[0][i] != hashes[1][i] {
			return i
		}
	}
	return -1
}

// Others run into the parts of a body as they are posed, at rest too.
func TestPartsAtRestAreSeenAsPosed(t *testing.T) {
	for _, table := range []uint32{humanTable, creatureTable} {
		for _, setup := range []uint32{0x02000A32, 0x02000A20} {
			at := differs(t, func(r *rig) {
				s := stander(me, 100, 100, 96, 0)
				s.Scale, s.Setup, s.MotionTable, s.Placed = 5, setup, table, true
				r.spawn(s)
				for i := range 6 {
					r.spawn(stander(me+1+uint32(i), 88, 98+float32(i)*0.9, 100.005, 90))
				}
			}, func(r *rig, tick int) {
				if tick == 40 {
					for i := range 6 {
						r.move(me+1+uint32(i), does{forward: run, speed: 1 + 0.1*float32(i)})
					}
				}
			}, 120)
			if at >= 0 {
				t.Errorf("table %08X setup %08X: another at tick %d", table, setup, at)
			}
		}
	}
}

// A body without a motion table that a blip puts onto ground has a step to
// take before it is inactive (11 §5.6).
func TestRestAfterABlip(t *testing.T) {
	for _, setup := range []uint32{0x02000A02, 0x02000A30, 0} {
		at := differs(t, func(r *rig) {
			s := stander(me, 175, 169, 118, 0)
			s.Setup, s.MotionTable = setup, 0
			s.State |= components.Inelastic
			r.spawn(s)
		}, func(r *rig, tick int) {
			if tick == 3 {
				r.place(me, over(84.6, 81.4, 100, 0))
			}
		}, 20)
		if at >= 0 {
			t.Errorf("setup %08X: another at tick %d", setup, at)
		}
	}
}

// 12 §3 step 5: who is held and told where he is is held no more, the local player too.
func TestHeldSelfIsLetGo(t *testing.T) {
	for _, land := range []bool{false, true} {
		r := newRig(t, Options{LocalPlayer: me})
		if land {
			r = onLand(t, Options{LocalPlayer: me})
		}
		r.spawn(stander(me, 100, 100, 100, 0))
		r.spawn(stander(me+1, 103, 100, 100, 0))
		r.tick(1)
		r.command(Command{Guid: me, Do: DoParent, Target: me + 1})
		r.tick(1)
		r.send(r.teleportTo(me, over(110, 100, 100, 0)))
		r.tick(1)
		if r.row(me).Identity.Parent != 0 {
			t.Errorf("land %v: still held", land)
		}
	}
}

// So is one whom a position event does not move: the holder lets go of him before it is
// asked what follows (12 §3 step 5), and his resting pose is set.
func TestSpec12_3_SelfIsLetGoByAnyPosition(t *testing.T) {
	r := newRig(t, Options{LocalPlayer: me})
	s := stander(me, 100, 100, 100, 0)
	s.MotionTable = 0
	r.spawn(s)
	r.spawn(stander(me+1, 103, 100, 100, 0))
	r.tick(1)
	r.command(Command{Guid: me, Do: DoParent, Target: me + 1})
	r.tick(1)
	same(t, "holder", r.row(me).Identity.Parent, me+1)
	i, _ := r.e.world.Row(me)
	r.e.world.Columns().Sequence[i].Placement = -1 // the setup has but one placement
	p := r.position(me, over(110, 100, 100, 0))
	p.Pack.Placement, p.Pack.Flags = 0x77, p.Pack.Flags|wire.PackPlacement
	r.send(p)
	r.tick(1)
	r.wantVerdicts(Ignored)
	same(t, "holder", r.row(me).Identity.Parent, 0)
	same(t, "cell", r.row(me).Pose.Cell, 0) // nothing has put him into one
	if r.row(me).Sequence.Placement < 0 {
		t.Error("the placement was not set")
	}
}

// Land is of use only with the tables that it was made for, and level ground
// only at a height.
func TestLandOptionsAreChecked(t *testing.T) {
	src, err := landSource()
	if err != nil {
		t.Fatal(err)
	}
	tables, err := landTables()
	if err != nil {
		t.Fatal(err)
	}
	other := fixtureTables(t)
	for name, o := range map[string]Options{
		"other tables":   {Tables: other, Land: collision.NewLand(tables, src...)},
		"another's land": {Tables: tables, Land: collision.NewLand(other, src...)},
		"no number":      {Tables: tables, Land: collision.NewFlat(float32(math.NaN()))},
		"endless":        {Tables: tables, Land: collision.NewFlat(float32(math.Inf(1)))},
	} {
		if _, err := New(o); !errors.Is(err, ErrOptions) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The very smallest find no room in a wall, and the search for it ends.
func TestSearchForRoomEnds(t *testing.T) {
	for _, scale := range []float32{1e-2, 1e-4, 1e-30} {
		r := onLand(t, Options{})
		s := stander(me, 110, 36, 101, 0)
		s.Scale = scale
		r.spawn(s)
		r.tick(2)
	}
}

// Two engines may share a land that neither has met yet, and that forgets.
func TestSharedColdLand(t *testing.T) {
	rect := ground.Around(8)
	portal, cell, err := ground.Open(1, rect)
	if err != nil {
		t.Fatal(err)
	}
	sources := []dat.Source{portal}
	for _, d := range []string{"humanoid", "creature", "tiny"} {
		s, err := dat.OpenFolder(fixtures.FS, d)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, s)
	}
	tables, err := dat.LoadLand(sources...)
	if err != nil {
		t.Fatal(err)
	}
	land := collision.NewLand(tables, cell)
	land.Limit(200_000)
	var wg sync.WaitGroup
	var hashes [2]uint64
	for g := range hashes {
		e, err := New(Options{Tables: tables, Land: land, Workers: 8, ChunkRows: 8})
		if err != nil {
			t.Fatal(err)
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			r := newRig(t, Options{})
			r.e, r.unchecked = e, true
			rng := rand.New(rand.NewPCG(1, 1))
			for i := range uint32(200) {
				x := float32(rect.West+1+rng.IntN(rect.Width-2)-0xA9)*192 + rng.Float32()*192
				y := float32(rect.South+1+rng.IntN(rect.Depth-2)-0xB4)*192 + rng.Float32()*192
				s := human(i+1, 0, 0)
				s.Place = over(x, y, 60, float32(rng.IntN(360)))
				r.spawn(s)
			}
			for i := range 30 {
				for guid := uint32(1); guid <= 200; guid++ {
					if (int(guid)+i)%10 == 0 {
						r.move(guid, does{forward: run, speed: 3})
					}
				}
				r.tick(1)
			}
			if err := e.Check(); err != nil {
				t.Error(err)
			}
			hashes[g] = e.Hash()
		}()
	}
	wg.Wait()
	if hashes[0] != hashes[1] {
		t.Error("two answers")
	}
}

// 14 L3: what has polygons is met as it is posed, whether its state word says that it has some, as those of
// real doors do, or not: that is its setup's to say.
func TestSpec14_L3_PartsAreMetAsPosedWhateverTheStateSays(t *testing.T) {
	const first = me + 1
	var ways [2][]space.Vec3
	for k, bit := range []components.StateBits{0, components.HasPhysicsBSP} {
		r := onLand(t, Options{}) // which checks after each tick that everybody is seen as he is posed
		s := stander(me, 100, 100, 96, 0)
		s.Scale, s.Setup, s.MotionTable, s.Placed = 5, 0x02000A32, humanTable, true
		s.State |= bit
		r.spawn(s)
		for i := range uint32(6) {
			r.spawn(stander(first+i, 88, 98+float32(i)*0.9, 100.005, 90))
		}
		for tick := range 120 {
			if tick == 40 {
				for i := range uint32(6) {
					r.move(first+i, does{forward: run, speed: 1 + 0.1*float32(i)})
				}
			}
			r.tick(1)
			for i := range uint32(6) {
				ways[k] = append(ways[k], r.row(first+i).Pose.Frame.Origin)
			}
		}
	}
	if !slices.Equal(ways[0], ways[1]) {
		t.Error("who runs into it goes another way")
	}
}

// Who stops because of what becomes of another in the inbound stage is met as he then stands, in the same
// tick: others see him as that stage left him (15 §8; 14 L3).
func TestSpec15_8_WhoIsToldSomethingIsSeenAsPosed(t *testing.T) {
	r := onLand(t, Options{})
	s := stander(me, 100, 100, 100, 0)
	s.Setup, s.MotionTable = 0x02000A32, humanTable
	r.spawn(s)
	r.spawn(stander(me+1, 100, 130, 100, 0))
	r.tick(1)
	r.command(Command{Guid: me, Do: DoMoveToObject, Target: me + 1, Params: motion.DefaultParams()})
	r.tick(30)
	same(t, "on the way", r.row(me).Interpreted.Forward != ready, true)
	r.send(r.pickup(me + 1))
	r.e.begin()
	same(t, "on the way", r.row(me).Interpreted.Forward != ready, false)
	if err := r.e.checkCrowd(); err != nil {
		t.Error(err)
	}
}

// So is a newcomer, who plays what he comes with.
func TestSpec15_8_ANewcomerIsSeenAsPosed(t *testing.T) {
	for _, placed := range []bool{false, true} {
		r := onLand(t, Options{})
		s := stander(me, 100, 100, 100, 0)
		s.Setup, s.MotionTable, s.Placed = 0x02000A32, humanTable, placed
		r.spawn(s)
		r.e.begin()
		same(t, "in a cell", len(r.e.land.crowd.CellsOf(0)) > 0, true)
		if err := r.e.checkCrowd(); err != nil {
			t.Errorf("placed %t: %v", placed, err)
		}
	}
}
