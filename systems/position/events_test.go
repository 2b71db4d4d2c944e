package position

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

func TestSpec12_4_Teleport(t *testing.T) {
	w := newWorld(t)
	w.event(at(5))
	w.movingTo = true
	w.Body.Velocity = space.Vec3{1, 2, 3}
	w.Body.PlayerDistance = 500
	transient := w.Body.Transient
	r := w.PositionEvent(facing(at(150), 90), false, true) // without contact too
	if r.Outcome != Teleported || !near(w.x(), 150) || !near(w.heading(), 90) || r.From != at(0) || r.To != w.Pose.Position {
		t.Errorf("%+v", r)
	}
	if !slices.Equal(w.calls, []string{"cancel"}) {
		t.Errorf("called %v", w.calls)
	}
	if w.Body.Velocity != (space.Vec3{1, 2, 3}) || w.Body.Transient != transient {
		t.Error("a teleport touches neither velocity nor contact")
	}
	if w.Chase.Queue.Len != 0 || !w.Leash.Constrained || w.Leash.Travelled != 0 || w.Anchors.Leash.Value(&w.Pools.Places) != w.Pose.Position {
		t.Errorf("queue %d, leash %+v", w.Chase.Queue.Len, *w.Leash)
	}
	// a refused placement is a teleport all the same
	w.refuse = true
	if r := w.PositionEvent(at(1), true, true); r.Outcome != Teleported || r.From != r.To {
		t.Errorf("%+v", r)
	}
}

func TestSpec12_4_FarFromTheViewer(t *testing.T) {
	w := newWorld(t)
	*w.Body = NewBody()
	w.Body.Transient = components.Active | components.Contact | components.OnWalkable
	viewer := at(0)
	w.viewer = &viewer
	w.event(at(1)) // not yet seen: far
	if w.x() != 1 || w.Chase.Queue.Len != 0 {
		t.Errorf("first event: x %v, queue %d", w.x(), w.Chase.Queue.Len)
	}
	w.update()
	if o := w.event(at(2)); o != Queued {
		t.Errorf("near: %v", o)
	}
	w.movingTo = true
	for _, c := range []struct {
		distance float32
		want     Outcome
	}{{96, Snapped}, {95.9, Queued}} {
		w.Body.PlayerDistance = c.distance
		w.calls = nil
		if r := w.PositionEvent(facing(at(500-5*c.distance), 10), true, false); r.Outcome != c.want {
			t.Errorf("%v m: %v", c.distance, r.Outcome)
		}
		if w.calls != nil { // no teleport hook
			t.Errorf("called %v", w.calls)
		}
	}
	w.Body.PlayerDistance = 96
	if r := w.PositionEvent(at(70), false, false); r.Outcome != Ignored {
		t.Errorf("far in the air: %v", r.Outcome)
	}
}

// backwards is the furthest step back along y in a run, and the path's end.
func (w *world) backwards(tick int, each func(tick int)) (worst float32) {
	x := w.x()
	for w.tick < tick {
		each(w.tick + 1)
		w.update()
		worst = min(worst, w.x()-x)
		x = w.x()
	}
	return worst
}

func TestF20_IdealPathAtOneHertz(t *testing.T) {
	for _, root := range []float32{0, 4. / 30} { // tables without velocity, and with the right one
		w := newWorld(t)
		w.root.Origin = space.Vec3{0, root, 0}
		back := w.backwards(40*30, func(tick int) {
			if tick%30 == 0 {
				w.event(at(4 * float32(tick) / 30))
			}
		})
		if back < -1e-4 || len(w.places) != 0 {
			t.Errorf("root %v: back by %v, blips %v", root, back, w.places)
		}
		w.run(41 * 30)
		if x := w.x(); x < 159.9 {
			t.Errorf("root %v: at %v", root, x)
		}
	}
}

func TestF21_SlidesOnAfterAStop(t *testing.T) {
	w := newWorld(t)
	w.root.Origin = space.Vec3{0, 4. / 30, 0}
	w.run(60)
	w.root = space.Identity // Ready
	stopped := w.x()
	w.event(at(stopped - .3))
	if back := w.backwards(120, func(int) {}); back < -8./30-1e-5 {
		t.Errorf("a step of %v", back)
	}
	if d := w.x() - (stopped - .3); d > .05 || d < -.05 {
		t.Errorf("rests %v from the node", d)
	}
}

func TestF22_FarAfterStandingLong(t *testing.T) {
	for _, c := range []struct {
		y    float32
		want Outcome
	}{{101, Armed}, {99, Queued}} {
		w := newWorld(t)
		w.run(30 * 30)
		if o := w.event(at(c.y)); o != c.want {
			t.Errorf("%v m: %v", c.y, o)
		}
		w.update()
		if blipped := w.blip.Outcome == Blipped; blipped != (c.want == Armed) {
			t.Errorf("%v m: blipped %v", c.y, blipped)
		}
	}
}

func TestF24_TeleportDropsTheQueue(t *testing.T) {
	w := newWorld(t)
	for y := float32(1); y <= 5; y++ {
		w.event(at(y))
	}
	w.run(3)
	w.PositionEvent(at(120), true, true)
	w.want(3, 120, 0, 0)
	for w.tick < 200 {
		w.update()
		if w.x() != 120 {
			t.Fatalf("tick %d: x %v", w.tick, w.x())
		}
	}
}

func TestF25_TwentyInOneTick(t *testing.T) {
	for _, n := range []int{20, 21} {
		w := newWorld(t)
		for i := 1; i <= n; i++ {
			w.event(at(.5 * float32(i)))
		}
		if first := w.nodes()[0].Place.Frame.Origin[1]; len(w.nodes()) != 20 || first != .5*float32(n-19) {
			t.Errorf("%d nodes from %v", len(w.nodes()), first)
		}
		x := w.x()
		back := w.backwards(60+30, func(int) {
			if w.x()-x > 8./30+1e-4 {
				t.Errorf("tick %d: a step of %v", w.tick, w.x()-x)
			}
			x = w.x()
		})
		if back < -1e-5 || len(w.places) != 0 {
			t.Errorf("back by %v, blips %v", back, w.places)
		}
		if d := w.x() - .5*float32(n); d < -.05 || d > 1e-4 || w.Chase.Queue.Len != 0 {
			t.Errorf("rests %v m from the tail, queue %d", d, w.Chase.Queue.Len)
		}
	}
}

func TestF26_Arrives(t *testing.T) {
	for _, speed := range []float32{0, .5, 4, 12} {
		w := newWorld(t)
		w.maxSpeed = speed
		goal := atXY(7, 9)
		w.event(goal)
		d := space.Distance(&w.Pose.Position, &goal)
		for w.tick < 1000 && w.Chase.Queue.Len > 0 {
			w.update()
			now := space.Distance(&w.Pose.Position, &goal)
			if now > d+1e-5 {
				t.Fatalf("tick %d: %v after %v", w.tick, now, d)
			}
			d = now
		}
		if d > .05 || len(w.places) != 0 {
			t.Errorf("speed %v: rests %v away, blips %v", speed, d, w.places)
		}
	}
}

func TestF27_FirstStepAfterLongRest(t *testing.T) {
	w := newWorld(t)
	w.run(300)
	w.root.Origin = space.Vec3{0, 4 * w.q, 0}
	w.update()
	if w.x() > 4*w.q+1e-6 {
		t.Errorf("moved %v", w.x())
	}
	// on a clock of its own the ten seconds are not made good
	s := Quanta(0, 10)
	if s.Whole != 0 || s.Rest != 0 || s.UpdateTime != 10 {
		t.Errorf("%+v", s)
	}
	if s = Quanta(s.UpdateTime, 10+1./30); s.Whole != 0 || !near(s.Rest, 1./30) {
		t.Errorf("%+v", s)
	}
}

func TestF28_OtherTickRates(t *testing.T) {
	for _, hz := range []int{30, 20, 15, 10, 7} {
		w := newWorld(t)
		w.q = 1 / float32(hz)
		w.root.Origin = space.Vec3{0, 4 * w.q, 0}
		for s := 1; s <= 10; s++ {
			w.run(s * hz)
			w.event(at(4*float32(s) + .5))
		}
		w.run(11 * hz)
		// the last chase ends on a node after a whole number of steps; running on differs by that much
		if x := w.x(); x < 44-.6 || x > 44.5+8*w.q {
			t.Errorf("%d Hz: x %v", hz, x)
		}
		w.root = space.Identity
		w.event(at(50))
		w.run(13 * hz)
		if d := w.x() - 50; math.Abs(float64(d)) > .05 || w.Chase.Queue.Len != 0 {
			t.Errorf("%d Hz: rests at %v", hz, w.x())
		}
	}
}

func TestF29_TurnOnTheSpot(t *testing.T) {
	w := newWorld(t)
	w.event(facing(at(0), 90))
	w.update()
	if !near(w.heading(), 90) || w.x() != 0 || w.Chase.Queue.Len != 0 {
		t.Errorf("heading %v, x %v", w.heading(), w.x())
	}
}

func TestF30_SpawnNearTheCellOrigin(t *testing.T) {
	for _, y := range []float32{.5, 3, 7.9} {
		w := newWorld(t)
		*w.Pose = components.Pose{}
		spawn := atXY(1, y)
		spawn.Cell, spawn.Frame.Origin = 0xA9B40001, space.Vec3{1, y, 0}
		if r := w.PositionEvent(spawn, true, false); r.Outcome != Teleported { // in no cell yet
			t.Errorf("%v", r.Outcome)
		}
		w.event(spawn)
		w.run(60)
		if w.Pose.Position != spawn {
			t.Errorf("at %v, want %v", w.Pose.Position, spawn)
		}
	}
}

func TestF54_TeleportTouchesNothingBetween(t *testing.T) {
	w := newWorld(t)
	w.PositionEvent(at(180), true, true)
	w.update()
	if len(w.places) != 1 || w.places[0] != at(180) || !slices.Equal(w.calls, []string{"cancel"}) {
		t.Errorf("placed %v, called %v", w.places, w.calls)
	}
}

func TestOutcomeText(t *testing.T) {
	if s := fmt.Sprint(Armed, Blipped, Outcome(99)); s != "armed blipped unknown outcome" {
		t.Error(s)
	}
	for o := Ignored; o <= Blipped; o++ {
		if want := o == Teleported || o == Snapped || o == Blipped; o.Moved() != want {
			t.Errorf("%v moved %v", o, o.Moved())
		}
	}
}
