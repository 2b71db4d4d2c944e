package systems

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/gait-engine/gait/space"
)

// Ticks are counted in 32 bits where that has to do; when these are through, an engine goes on
// as one that takes no short way: who rests, who marches, and who is restored just before.
func TestTicksBeyond32Bits(t *testing.T) {
	for _, land := range []bool{false, true} {
		s := newScript(t, 77)
		ways := []Options{{AlwaysUpdate: true}, {}, {Workers: 3, ChunkRows: 7}, {ChunkRows: 16}}
		var rigs []*rig
		for _, o := range ways {
			r := newRig(t, o)
			if land {
				r = onLand(t, o)
				r.e.land.crowd.Turn(count(math.MaxUint32-80), math.MaxUint32)
			}
			r.unchecked = true
			r.e.tick, r.e.done = math.MaxUint32-80, math.MaxUint32-80
			if land {
				r.spawn(stander(me, 74, 76, 100.005, 0))
				r.spawn(stander(me+1, 84, 76, 100.005, 0))
				r.spawn(stander(me+2, 84, 86, 100.005, 0))
			}
			rigs = append(rigs, r)
		}
		for tick := range 200 {
			for n := 0; tick == 0 && n < 60 || tick%7 == 3 && n < 2; n++ {
				in := s.next()
				for _, r := range rigs {
					_ = r.give(in)
				}
			}
			for i, r := range rigs {
				if land && tick == 2 {
					r.move(me, does{forward: walk})
				}
				if land && tick == 60 {
					r.move(me, does{})
					r.move(me+2, does{forward: walk})
				}
				if i == 3 && tick == 79 {
					r.e = restored(t, r.e)
				}
				r.tick(1)
				if tick%10 == 9 {
					if err := r.e.Check(); err != nil {
						t.Fatalf("tick %d: %v", r.e.Now(), err)
					}
				}
			}
			for _, r := range rigs[1:] {
				if !slices.Equal(r.e.Events(), rigs[0].e.Events()) {
					t.Fatalf("tick %d: events\n%v\n%v", r.e.Now(), rigs[0].e.Events(), r.e.Events())
				}
				r.wantViewOf(rigs[0])
			}
			if tick%50 == 49 {
				for _, r := range rigs[1:] {
					if r.e.Hash() != rigs[0].e.Hash() {
						t.Fatalf("tick %d: %s", r.e.Now(), firstDifference(rigs[0].e, r.e))
					}
				}
			}
		}
		if rigs[0].e.Now() <= 1<<32 {
			t.Fatalf("tick %d", rigs[0].e.Now())
		}
	}
}

// Under the retail clock bodies of one clock are stepped after those of another in an order that
// does not depend on in which rows they are: an engine goes on from a snapshot with other rows.
func TestRetailClassesGoByGuid(t *testing.T) {
	r := onLand(t, Options{RetailClock: true})
	r.unchecked = true
	now := 1.0
	advance := func(e *Engine, dt float64) {
		now += dt
		if _, err := e.AdvanceTo(now); err != nil {
			t.Fatal(err)
		}
	}
	spawn := func(guid uint32, y float32) { r.spawn(stander(guid, 100, y, 100.005, 90)) }
	spawn(me+9, 100)
	advance(r.e, 0)
	advance(r.e, .1)
	spawn(me+5, 104)
	r.move(me+9, does{forward: run})
	advance(r.e, .05)
	spawn(me+1, 108)
	advance(r.e, .21)
	e := restored(t, r.e)
	if r.e.world.Sorted() || !e.world.Sorted() {
		t.Fatal("the rows lie alike")
	}
	for _, x := range []*Engine{r.e, e} {
		for _, guid := range []uint32{me + 1, me + 5, me + 9} {
			if err := x.Command(Command{Guid: guid, Do: DoVelocity, Velocity: space.Vec3{1, 0, 3}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for range 40 {
		advance(r.e, .13)
		advance(e, 0)
		if r.e.Hash() != e.Hash() || !slices.Equal(r.e.Events(), e.Events()) {
			t.Fatalf("at %v: %s", now, firstDifference(r.e, e))
		}
	}
}

// A runner who is known to have nobody near meets one who grows at once beside his way.
func TestWhoGrowsIsMet(t *testing.T) {
	for when := range 40 {
		var ends [2]uint64
		for k := range ends {
			r := onLand(t, Options{AlwaysUpdate: k == 1, TicksPerSecond: 10})
			r.unchecked = true
			r.spawn(stander(me, 84, 74, 100.005, 0))
			r.spawn(stander(me+1, 84, 90, 100.005, 0))
			r.tick(1)
			r.move(me, does{forward: run, speed: 1.05}) // just under what is announced
			for tick := range 55 {
				if tick == when {
					m := r.mover(me + 1)
					m.scaleTo(6, 0)
					m.noted()
					m.lose()
				}
				r.tick(1)
			}
			ends[k] = r.e.Hash()
		}
		if ends[0] != ends[1] {
			t.Fatalf("grown in tick %d: another state", when)
		}
	}
}

// Who is not upright does not stroll.
func TestTiltedWalkers(t *testing.T) {
	for _, tilt := range []space.Vec3{{0.4, 0, 0}, {0, 0.4, 0}, {0.3, -0.3, 0}} {
		at := differs(t, func(r *rig) {
			s := stander(me, 84, 74, 100.005, 0)
			s.Place.Frame.Rotation = space.GRotate(s.Place.Frame.Rotation, tilt)
			r.spawn(s)
			r.tick(1)
			r.move(me, does{forward: walk})
		}, func(*rig, int) {}, 60)
		if at >= 0 {
			t.Errorf("tilted by %v: another in tick %d", tilt, at)
		}
	}
}

// restored returns what an engine's snapshot makes.
func restored(t *testing.T, e *Engine) *Engine {
	t.Helper()
	var b bytes.Buffer
	if err := e.Snapshot(&b); err != nil {
		t.Fatal(err)
	}
	again, err := Restore(e.options, &b)
	if err != nil {
		t.Fatal(err)
	}
	return again
}
