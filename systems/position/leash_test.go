package position

import (
	"math"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

func TestSpec13_4_Example(t *testing.T) {
	w := newWorld(t)
	w.root.Origin = space.Vec3{0, .3, 0}
	w.ConstrainTo(w.Pose.Position, 10, 50)
	for k := 1; k <= 34; k++ {
		w.run(k)
		if !near(w.Leash.Travelled, .3*float32(k)) || !near(w.off, .3) {
			t.Fatalf("tick %d: travelled %v, off %v", k, w.Leash.Travelled, w.off)
		}
	}
	w.run(35)
	if !near(w.off, .2985) {
		t.Errorf("tick 35: off %v", w.off)
	}
	full := 0
	for k := 36; k <= 4000; k++ {
		w.run(k)
		if is := IsFullyConstrained(w.Leash); is != (w.Leash.Travelled > 45) {
			t.Fatalf("travelled %v: full %v", w.Leash.Travelled, is)
		} else if is && full == 0 {
			full = k
		}
	}
	if full == 0 || w.Leash.Travelled > 50 || w.Leash.Travelled < 49.9 || w.off > .001 {
		t.Errorf("full at %d, travelled %v, off %v", full, w.Leash.Travelled, w.off)
	}
	UnConstrain(w.Leash)
	if w.Leash.Constrained || !IsFullyConstrained(w.Leash) {
		t.Error("letting go clears the flag only")
	}
	w.run(4001)
	if !near(w.off, .3) {
		t.Errorf("off the leash: %v", w.off)
	}
}

func TestSpec13_4_OdometerCountsBothWays(t *testing.T) {
	w := newWorld(t)
	w.ConstrainTo(w.Pose.Position, 10, 50)
	for k := range 10 {
		w.root.Origin = space.Vec3{0, 1 - 2*float32(k%2), 0}
		w.update()
	}
	if !near(w.x(), 0) || !near(w.Leash.Travelled, 10) {
		t.Errorf("x %v, travelled %v", w.x(), w.Leash.Travelled)
	}
}

func TestSpec13_4_ContactScalesButAlwaysCounts(t *testing.T) {
	b := NewBody()
	l := components.Leash{Constrained: true, Start: 10, Max: 50, Travelled: 60}
	off := space.Frame{Origin: space.Vec3{3, 4, 0}, Rotation: space.Quat{W: .6, V: space.Vec3{0, 0, .8}}}
	AdjustLeash(&l, &b, &off.Origin)
	if l.Travelled != 65 || off.Origin != (space.Vec3{3, 4, 0}) {
		t.Errorf("in the air: %v, %v", l, off)
	}
	b.Transient |= components.Contact
	AdjustLeash(&l, &b, &off.Origin)
	if l.Travelled != 65 || off.Origin != (space.Vec3{}) || off.Rotation.W != .6 {
		t.Errorf("on the ground: %v, %v", l, off)
	}
	off.Origin = space.Vec3{3, 4, 0}
	l.Constrained = false
	AdjustLeash(&l, &b, &off.Origin)
	if l.Travelled != 65 || off.Origin != (space.Vec3{3, 4, 0}) {
		t.Errorf("not tied: %v, %v", l, off)
	}
}

func TestSpec13_4_ConstrainToMeasures(t *testing.T) {
	w := newWorld(t)
	w.ConstrainTo(at(195), 10, 50) // in the next block
	if !near(w.Leash.Travelled, 195) || w.Anchors.Leash.Value(&w.Pools.Places) != at(195) || !IsFullyConstrained(w.Leash) {
		t.Errorf("%+v, anchor %v", *w.Leash, w.Anchors.Leash.Value(&w.Pools.Places))
	}
}

// 12 §3: every accepted event ties the body anew where it is.
func TestSpec12_3_LeashAfterEachEvent(t *testing.T) {
	w := newWorld(t)
	w.root.Origin = space.Vec3{0, .5, 0}
	for range 5 {
		w.event(atXY(0, w.x()+1))
		if l := *w.Leash; !l.Constrained || l.Travelled != 0 || l.Start != 10 || l.Max != 50 || w.Anchors.Leash.Value(&w.Pools.Places) != w.Pose.Position {
			t.Fatalf("leash %+v at %v", l, w.Anchors.Leash.Value(&w.Pools.Places))
		}
		w.run(w.tick + 7)
		if w.Leash.Travelled == 0 {
			t.Fatal("nothing counted")
		}
	}
	w.Pose.Position.Cell = 0xA9B40123
	w.event(w.Pose.Position)
	if l := *w.Leash; l.Start != 5 || l.Max != 20 {
		t.Errorf("indoors %+v", l)
	}
	before := *w.Leash
	w.PositionEvent(at(0), false, false)
	if *w.Leash != before {
		t.Error("an event that is ignored ties nothing")
	}
}

// The odometer stays a number, however far off the leash is tied.
func TestSpec13_4_TiedBeyondAllNumbers(t *testing.T) {
	w := newWorld(t)
	p := at(0)
	p.Frame.Origin = space.Vec3{math.MaxFloat32, math.MaxFloat32, 0}
	w.ConstrainTo(p, 0, 0)
	if err := Check(*w.Row, w.Pools, 0); err != nil {
		t.Error(err)
	}
}
