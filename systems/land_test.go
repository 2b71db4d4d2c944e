package systems

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/collision"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/testdata/fixtures"
)

// landSource is the fixture's land, with the humanoid.
var landSource = sync.OnceValues(func() ([]dat.Source, error) {
	var sources []dat.Source
	for _, dir := range []string{"humanoid", "creature", "land"} {
		s, err := dat.OpenFolder(fixtures.FS, dir)
		if err != nil {
			return nil, err
		}
		sources = append(sources, s)
	}
	return sources, nil
})

var landTables = sync.OnceValues(func() (*dat.Tables, error) {
	s, err := landSource()
	if err != nil {
		return nil, err
	}
	return dat.LoadLand(s...)
})

// onLand returns a rig on the fixture's land, without remotes.
func onLand(t testing.TB, o Options) *rig {
	t.Helper()
	tables, err := landTables()
	if err != nil {
		t.Fatal(err)
	}
	sources, _ := landSource()
	o.Tables, o.Land = tables, collision.NewLand(tables, sources...)
	r := newRig(t, Options{}) // for its stamps
	if r.e, err = New(o); err != nil {
		t.Fatal(err)
	}
	return r
}

// over is a place above the fixture's ground.
func over(x, y, z, heading float32) space.Position {
	p := spot(x, y, heading)
	p.Frame.Origin[2] = z
	return p
}

// stander is a humanoid at a place.
func stander(guid uint32, x, y, z, heading float32) Spawn {
	s := human(guid, 0, 0)
	s.Place = over(x, y, z, heading)
	return s
}

// at is where a remote is, in metres from the corner of A9B4.
func (r *rig) at(guid uint32) space.Vec3 {
	p := r.row(guid).Pose.Position
	start := space.Position{Cell: 0xA9B40001, Frame: space.Identity}
	return space.Offset(&start, &p)
}

// walks reports whether a remote stands on walkable ground.
func (r *rig) walks(guid uint32) bool {
	return r.row(guid).Body.Transient&(components.Contact|components.OnWalkable) == components.Contact|components.OnWalkable
}

// meets are the other sides of a remote's Met and Parted events of the last tick,
// the latter negative; what is fixed, the ground among it, is left out.
func (r *rig) meets(guid uint32) (s []int64) {
	for _, ev := range r.e.Events() {
		switch {
		case ev.Guid != guid || ev.Other == 0:
		case ev.Kind == Met:
			s = append(s, int64(ev.Other))
		case ev.Kind == Parted:
			s = append(s, -int64(ev.Other))
		}
	}
	return s
}

// DEV-10: every remote is swept, so that one that walks into a wall stops at it.
func TestDEV10_StopsAtAWall(t *testing.T) {
	r := onLand(t, Options{})
	r.spawn(stander(me, 110.3, 31, 100.005, 0))
	r.tick(1)
	r.move(me, does{forward: run})
	for range 120 {
		r.tick(1)
		if v := r.at(me); v[1] > 35.75-0.48+0.01 || !r.walks(me) {
			t.Fatalf("tick %d: at %v, walks %v", r.e.Now(), v, r.walks(me))
		}
	}
	v := r.at(me)
	near(t, "y", float64(v[1]), 35.2, 0.1)
	if r.row(me).MotionState.Substate != motion.RunForward {
		t.Error("it does not run on the spot")
	}
	if got := r.row(me).Body.Achieved; space.Length(got) > 0.01 {
		t.Errorf("it achieves %v", got)
	}
}

// F54: a teleport meets nothing that lies between.
func TestF54_TeleportMeetsNothingBetween(t *testing.T) {
	r := onLand(t, Options{})
	r.spawn(stander(me, 110, 30, 100.005, 0))
	for i := range uint32(4) { // somebody all along the way, and a wall
		r.spawn(stander(me+1+i, 110, 32+float32(i)*2+float32(i/2), 100.005, 0))
	}
	r.tick(10)
	r.send(r.teleportTo(me, over(110, 44, 100.005, 0)))
	for range 40 {
		r.tick(1)
		for guid := range uint32(5) {
			if m := r.meets(me + guid); len(m) > 0 {
				t.Fatalf("tick %d: 0x%X meets %v", r.e.Now(), me+guid, m)
			}
		}
	}
	if v := r.at(me); !(v[1] > 43.99 && v[1] < 44.01) || !r.walks(me) {
		t.Errorf("at %v, walks %v", v, r.walks(me))
	}
}

// W-18: who runs off the land is in the lost cell, keeps his place, and comes back with a position.
func TestW18_LostCell(t *testing.T) {
	r := onLand(t, Options{})
	r.spawn(stander(me, 50, 2*192-6, 60, 0))
	r.spawn(stander(me+1, 100, 100, 100, 0))
	r.tick(1)
	r.move(me, does{forward: run})
	for range 200 {
		r.tick(1)
		if r.row(me).Body.Transient&components.Lost != 0 {
			break
		}
	}
	c := r.row(me)
	if c.Body.Transient&components.Lost == 0 || c.Body.Transient&components.Active != 0 || c.Pose.Cell>>16 != 0xA9B6 {
		t.Fatalf("at %v in %x, bits %#x", r.at(me), uint32(c.Pose.Cell), c.Body.Transient)
	}
	at := c.Pose.Position
	row, _ := r.e.world.Row(me)
	if got := r.e.land.crowd.CellsOf(row); len(got) != 0 {
		t.Errorf("it stands in %x", got)
	}
	r.tick(30)
	if got := r.row(me).Pose.Position; got != at {
		t.Errorf("moves on to %v", got)
	}
	r.move(me, does{})
	r.send(r.teleportTo(me, over(100, 104, 100.005, 0)))
	r.tick(2)
	if c = r.row(me); c.Body.Transient&components.Lost != 0 || !r.walks(me) || len(r.e.land.crowd.CellsOf(row)) == 0 {
		t.Errorf("at %v, bits %#x", r.at(me), c.Body.Transient)
	}
	r.move(me, does{forward: walk})
	y := r.at(me)[1]
	r.tick(30)
	if r.at(me)[1] < y+1 {
		t.Errorf("it does not walk any more: %v", r.at(me))
	}
	// a teleport to where nothing is
	r.send(r.teleportTo(me+1, over(50, 3*192, 60, 0)))
	r.tick(1)
	if c = r.row(me + 1); c.Body.Transient&components.Lost == 0 || c.Body.Transient&components.Active != 0 {
		t.Errorf("teleported into nothing: bits %#x", c.Body.Transient)
	}
}

// The lost cell is none (11 §8.1): what one there is told is shown as its cycle and waits for nothing (R4.14).
func TestR4_14_LostCell(t *testing.T) {
	r := onLand(t, Options{})
	r.spawn(stander(me, 100, 100, 100, 0))
	r.tick(1)
	r.send(r.teleportTo(me, over(50, 3*192, 60, 0))) // where nothing is
	r.move(me, does{forward: run})
	r.tick(1)
	c := r.row(me)
	if c.Body.Transient&components.Lost == 0 {
		t.Fatalf("it is in %x", uint32(c.Pose.Cell))
	}
	if c.Pending.Anims.Len != 0 || c.Pending.Motions.Len != 0 || c.Sequence.Nodes.Len != 1 {
		t.Errorf("pending %+v, %d nodes", c.Pending, c.Sequence.Nodes.Len)
	}
}

// W-19: a teleport may be put beside the place asked for.
func TestW19_TeleportsSlide(t *testing.T) {
	r := onLand(t, Options{})
	r.spawn(stander(me, 100, 100, 100, 0))
	r.spawn(stander(me+1, 100, 110, 100, 0))
	r.tick(5)
	r.send(r.teleportTo(me, over(100, 110, 100, 0))) // where another stands
	r.tick(1)
	a, b := r.at(me), r.at(me+1)
	d := space.Length(space.Sub(a, b))
	if d < 0.77 || d > 1.5 || !r.walks(me) {
		t.Errorf("at %v, %v m from who stands there", a, d)
	}
	r.send(r.teleportTo(me, over(110, 36, 100, 0))) // into a wall
	r.tick(1)
	if v := r.at(me); v[1] > 35.28 && v[1] < 36.72 || v[1] < 30 || v[1] > 42 {
		t.Errorf("at %v", v)
	}
}

// mover points a worker's mover at a remote, as between two ticks.
func (r *rig) mover(guid uint32) *mover {
	row, _ := r.e.world.Row(guid)
	w := &r.e.workers[0]
	w.begin(r.e.views.latest.Load(), false)
	w.mover.at(row)
	w.mover.wake()
	return &w.mover
}

// W-29: a move of at most EPS a step keeps the origin to the bit, and takes the rotation.
func TestW29_TheOriginDoesNotCreep(t *testing.T) {
	r := onLand(t, Options{})
	r.spawn(stander(me, 100, 100, 103, 0))
	r.tick(1)
	at := r.row(me).Pose.Frame.Origin
	for i := range 100 {
		m := r.mover(me)
		next := m.row().Pose.Frame
		next.Origin = space.Add(next.Origin, space.Vec3{0.0001, -0.0001, 0.00015})
		next.Rotation = space.SetHeading(next.Rotation, float32(i))
		m.step(&next)
		p := r.row(me).Pose.Frame
		if p.Origin != at || p.Rotation != next.Rotation || r.row(me).Body.Achieved != (space.Vec3{}) {
			t.Fatalf("step %d: from %v to %v", i, at, p)
		}
	}
	m := r.mover(me)
	next := m.row().Pose.Frame
	next.Origin[1] += 0.001
	if m.step(&next); r.row(me).Pose.Frame.Origin == at {
		t.Error("a move of .001 is none either")
	}
}

// 11 §8: whom it runs into it has met once, until it is clear of him for a second.
func TestSpec11_8_MetAndParted(t *testing.T) {
	r := onLand(t, Options{})
	r.spawn(stander(me, 100, 100, 100.005, 0))
	r.spawn(stander(me+1, 100.05, 104, 100.005, 0))
	r.tick(1)
	r.move(me, does{forward: run})
	var log []string
	note := func(n int) {
		for range n {
			r.tick(1)
			for _, m := range r.meets(me) {
				log = append(log, fmt.Sprint(m))
			}
		}
	}
	note(45)
	r.move(me, does{})
	r.send(r.teleportTo(me, over(100, 90, 100.005, 180)))
	note(60)
	if want := []string{fmt.Sprint(me + 1), fmt.Sprint(-int64(me + 1))}; !slices.Equal(log, want) {
		t.Errorf("%v, want %v", log, want)
	}
	// an ethereal one is met, does not block, and is parted from in the next tick
	r.spawn(func() Spawn { s := stander(me+2, 100, 86, 100.005, 0); s.State |= components.Ethereal; return s }())
	r.tick(1)
	log = nil
	r.move(me, does{forward: run})
	note(90)
	if v := r.at(me); v[1] > 84 {
		t.Errorf("the ethereal one blocks at %v", v)
	}
	if len(log) < 2 || len(log)%2 != 0 || log[0] != fmt.Sprint(me+2) || log[len(log)-1] != fmt.Sprint(-int64(me+2)) {
		t.Errorf("%v", log)
	}
}

// 11 §2 set_ethereal: who is to be solid waits until nobody stands in him.
func TestSpec11_2_SetEthereal(t *testing.T) {
	r := onLand(t, Options{})
	for i, x := range []float32{100, 100.3} {
		s := stander(me+uint32(i), x, 100, 100.005, 0)
		s.Placed = true
		s.State |= components.Ethereal
		r.spawn(s)
	}
	r.tick(1)
	r.command(Command{Guid: me + 1, Do: DoState, Physics: components.DefaultState})
	r.tick(1)
	set := func(guid uint32, on bool) {
		m := r.mover(guid)
		m.setEthereal(on)
		m.lose()
	}
	want := func(what string, ethereal, waits bool) {
		t.Helper()
		b := r.row(me).Body
		if b.State&components.Ethereal != 0 != ethereal || b.Transient&components.CheckEthereal != 0 != waits {
			t.Errorf("%s: state %#x, bits %#x", what, b.State, b.Transient)
		}
	}
	set(me, false)
	want("another stands in it", true, true)
	r.tick(30)
	want("and still does", true, true)
	r.send(r.teleportTo(me+1, over(104, 100, 100.005, 0)))
	r.tick(2)
	want("it is gone", false, false)
	set(me, true)
	want("on", true, false)
	set(me, false)
	want("off, alone", false, false)
}

// crowdAgrees holds the crowd against the world: each row stands in cells of its
// own, and each cell's list holds those rows once.
func (r *rig) crowdAgrees() {
	r.Helper()
	c := &r.e.land.crowd
	for i := range r.e.world.Rows() {
		guid := r.e.world.Guid(i)
		cells := c.CellsOf(i)
		if len(cells) > 0 && c.Obstacles[i].Guid != guid {
			r.Fatalf("tick %d: row %d is 0x%X, the crowd has 0x%X", r.e.Now(), i, guid, c.Obstacles[i].Guid)
		}
		for _, id := range cells {
			if c.Rank(i, id) < 0 {
				r.Fatalf("tick %d: 0x%X is not in the list of %x", r.e.Now(), guid, uint32(id))
			}
		}
		k := r.row(guid)
		if k.Pose.Cell == 0 || k.Body.Transient&components.Lost != 0 {
			if len(cells) > 0 {
				r.Fatalf("tick %d: 0x%X, in no cell, stands in %x", r.e.Now(), guid, cells)
			}
			continue
		}
		if o := &c.Obstacles[i]; len(cells) > 0 && o.Place != k.Pose.Position {
			r.Fatalf("tick %d: 0x%X is at %v, for others at %v", r.e.Now(), guid, k.Pose.Position, o.Place)
		}
	}
	for i := r.e.world.Rows(); i < len(c.Obstacles); i++ {
		if got := c.CellsOf(i); len(got) > 0 {
			r.Fatalf("tick %d: row %d is gone and stands in %x", r.e.Now(), i, got)
		}
	}
}

// Who leaves is out of everybody's way, whatever rows move for it.
func TestCrowdFollowsTheWorld(t *testing.T) {
	for seed := range uint64(3) {
		r := onLand(t, Options{Workers: 2, ChunkRows: 8})
		rng := rand.New(rand.NewPCG(seed, 7))
		within := func(low, high float32) float32 { return low + (high-low)*rng.Float32() }
		var there []uint32
		born := uint32(0)
		for range 150 {
			for range rng.IntN(3) {
				born++
				guid := born * 0x9E3779B1
				s := stander(guid, within(96, 112), within(96, 112), 100.1, within(0, 360))
				if rng.IntN(8) == 0 {
					s.Setup, s.MotionTable = 0x02000A32, 0 // a crate
				}
				r.spawn(s)
				there = append(there, guid)
			}
			if len(there) > 0 && rng.IntN(2) == 0 {
				k := rng.IntN(len(there))
				r.e.Remove(there[k])
				there = slices.Delete(there, k, k+1)
			}
			if len(there) > 4 {
				switch guid := there[rng.IntN(len(there)-3)]; rng.IntN(4) {
				case 0:
					r.move(guid, does{forward: run})
				case 1:
					r.send(r.teleportTo(guid, over(within(90, 120), within(90, 120), 100.1, 0)))
				case 2:
					r.send(r.teleportTo(guid, over(within(0, 100), 3*192+10, 60, 0))) // to nowhere
				}
			}
			r.tick(1)
			r.crowdAgrees()
		}
	}
}

// The state is one whatever the workers and chunks, in a crowd that pushes.
func TestLandHashesAreEqual(t *testing.T) {
	if testing.Short() {
		t.Skip("many engines")
	}
	const bodies, ticks = 220, 60
	play := func(o Options) (hashes []uint64, met int) {
		r := onLand(t, o)
		r.unchecked = true
		rng := rand.New(rand.NewPCG(5, 5))
		within := func(low, high float32) float32 { return low + (high-low)*rng.Float32() }
		for i := range uint32(bodies) {
			s := stander((i+1)*0x9E3779B1, within(99, 112), within(99, 112), 100.1, within(0, 360))
			switch i % 8 {
			case 5:
				s.Game |= components.Player
			case 6:
				s.Setup, s.MotionTable = 0x02000A30, 0
				s.Velocity = space.Vec3{within(-3, 3), within(-3, 3), within(0, 3)}
			case 7:
				s.State |= components.Ethereal
			}
			r.spawn(s)
		}
		for tick := range ticks {
			for i := range uint32(bodies) {
				if guid := (i + 1) * 0x9E3779B1; (tick+int(i))%20 == 0 {
					r.move(guid, does{forward: []uint32{run, walk, ready}[i%3], turn: []uint32{0, right}[i%2]})
				}
			}
			r.tick(1)
			for _, ev := range r.e.Events() {
				if ev.Kind == Met {
					met++
				}
			}
			hashes = append(hashes, r.e.Hash())
		}
		if err := r.e.Check(); err != nil {
			t.Fatal(err)
		}
		r.crowdAgrees()
		return hashes, met
	}
	want, met := play(Options{Workers: 1, ChunkRows: 64})
	if met < bodies/4 {
		t.Fatalf("%d meetings are no crowd", met)
	}
	for _, workers := range []int{1, 2, 3, 8} {
		for _, chunk := range []int{64, 1024, 16} {
			for _, always := range []bool{false, true} {
				if always && (workers != 2 || chunk != 64) {
					continue
				}
				got, n := play(Options{Workers: workers, ChunkRows: chunk, AlwaysUpdate: always})
				if i := slices.Compare(got, want); i != 0 || n != met {
					for k := range got {
						if got[k] != want[k] {
							t.Fatalf("%d workers, chunks of %d, always %v: other in tick %d", workers, chunk, always, k+1)
						}
					}
				}
			}
		}
	}
}
