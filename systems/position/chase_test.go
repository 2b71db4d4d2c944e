package position

import (
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

func TestSpec12_9A_FallbackSpeed(t *testing.T) {
	w := newWorld(t)
	w.maxSpeed = 0
	w.event(at(1))
	for i, x := range []float32{.25, .5, .75, 1} {
		w.want(i+1, x, 1, 0)
		if !near(w.off, .25) {
			t.Errorf("tick %d: off %v", i+1, w.off)
		}
	}
	w.want(5, 1, 0, 0)
	if w.moved {
		t.Error("tick 5 still chases")
	}
}

func TestSpec12_9A_FallbackBelowEps(t *testing.T) {
	for _, c := range []struct{ maxSpeed, off float32 }{
		{0.000099, .25}, {0.0001001, 0.0002002 / 30}, {-4, .25}, {2, 4. / 30},
	} {
		w := newWorld(t)
		w.maxSpeed = c.maxSpeed
		w.event(at(1))
		w.update()
		if d := w.off - c.off; d > 1e-6 || d < -1e-6 {
			t.Errorf("max speed %v: off %v, want %v", c.maxSpeed, w.off, c.off)
		}
	}
}

func TestSpec12_9B_EightMetresASecond(t *testing.T) {
	w := newWorld(t)
	w.event(at(1))
	for i, x := range []float32{.26667, .53333, .8, 1} {
		w.want(i+1, x, 1, 0)
	}
	if !near(w.off, .2) {
		t.Errorf("tick 4: off %v", w.off)
	}
	w.want(5, 1, 0, 0)
}

func TestSpec12_9C_RootMotionIsReplaced(t *testing.T) {
	w := newWorld(t)
	w.root.Origin = space.Vec3{0, .05, 0}
	w.event(at(1))
	for i, x := range []float32{.26667, .53333, .8, 1} {
		w.want(i+1, x, 1, 0)
	}
	w.want(5, 1.05, 0, 0)
	w.want(6, 1.10, 0, 0)
}

func TestSpec12_9D_ImmovableOneNode(t *testing.T) {
	w := newWorld(t)
	w.immovable = true
	w.event(at(5))
	for k := 1; k <= 4; k++ {
		w.wantWindow(k, k, NoDistance)
		w.want(k, 0, 1, 0)
	}
	w.wantWindow(5, 0, 5)
	w.want(5, 0, 1, 0)
	for k := 6; k <= 9; k++ {
		w.wantWindow(k, k-5, 5)
		w.want(k, 0, 1, 0)
	}
	w.want(10, 5, 0, 0)
	w.wantWindow(10, 0, NoDistance)
	if w.blip.Outcome != Blipped || !near(w.blip.From.Frame.Origin[1], 0) || !near(w.blip.To.Frame.Origin[1], 5) {
		t.Errorf("blip %+v", w.blip)
	}
	if w.Anchors.BlipTo.Value(&w.Pools.Places) != at(5) {
		t.Errorf("blip place %v", w.Anchors.BlipTo.Value(&w.Pools.Places))
	}
}

func TestSpec12_9E_ImmovableSixNodes(t *testing.T) {
	w := newWorld(t)
	w.immovable = true
	for y := float32(5); y <= 10; y++ {
		w.event(at(y))
	}
	w.want(9, 0, 6, 0)
	w.want(10, 0, 5, 1)
	w.wantWindow(10, 0, 6)
	w.want(15, 0, 4, 2)
	w.want(20, 0, 3, 3)
	w.want(24, 0, 3, 3)
	w.want(25, 10, 0, 0)
	if w.blip.Outcome != Blipped {
		t.Error("no blip reported")
	}
}

func TestSpec12_9F_TwoNodes(t *testing.T) {
	w := newWorld(t)
	w.event(at(.5))
	w.event(at(2))
	w.want(1, .26667, 2, 0)
	w.want(2, .5, 2, 0)
	if !near(w.off, .23333) {
		t.Errorf("tick 2: off %v", w.off)
	}
	w.want(3, .5, 1, 0)
	w.wantWindow(3, 0, 1.5)
	if w.moved {
		t.Error("tick 3 should be root motion")
	}
	for i, x := range []float32{.76667, 1.03333, 1.3, 1.56667, 1.83333} {
		w.want(4+i, x, 1, 0)
	}
	w.wantWindow(8, 0, .43333)
	w.want(9, 2, 1, 0)
	if !near(w.off, .16667) {
		t.Errorf("tick 9: off %v", w.off)
	}
	w.want(10, 2, 0, 0)
}

func TestSpec12_9G_BeyondBlipDistance(t *testing.T) {
	w := newWorld(t)
	if o := w.event(at(150)); o != Armed || w.Chase.Queue.Len != 1 || w.Chase.Fail != 4 {
		t.Fatalf("%v, queue %d, fail %d", o, w.Chase.Queue.Len, w.Chase.Fail)
	}
	w.want(1, 150, 0, 0)
	if !near(w.blip.From.Frame.Origin[1], .26667) || w.blip.To != w.Pose.Position {
		t.Errorf("blip %+v", w.blip)
	}
}

func TestSpec12_9H_TenHertz(t *testing.T) {
	w := newWorld(t)
	w.q = .1
	w.event(at(.7))
	w.want(1, .7, 1, 0)
	w.want(2, .7, 0, 0)
}

func TestSpec12_9I_StallNearby(t *testing.T) {
	w := newWorld(t)
	w.immovable = true
	w.event(at(.15))
	w.want(9, 0, 1, 0)
	w.want(10, 0, 0, 0)
	if len(w.places) != 0 || w.blip.Outcome != Ignored {
		t.Errorf("placed %v", w.places)
	}
}

func TestSpec12_9J_QueueRules(t *testing.T) {
	w := newWorld(t)
	for y := float32(1); y <= 30; y++ {
		w.event(at(y))
	}
	n := w.nodes()
	if len(n) != 20 || n[0].Place.Frame.Origin[1] != 11 || n[19].Place.Frame.Origin[1] != 30 {
		t.Errorf("%d nodes, %v to %v", len(n), n[0].Place, n[len(n)-1].Place)
	}
	w = newWorld(t)
	w.event(at(5))
	w.event(at(5.03))
	if n := w.nodes(); len(n) != 1 || n[0].Place.Frame.Origin[1] != 5.03 {
		t.Errorf("nodes %v", n)
	}
	w.event(at(5.09)) // 0.06 away: kept
	if w.Chase.Queue.Len != 2 {
		t.Errorf("queue %d", w.Chase.Queue.Len)
	}
}

func TestSpec12_9K_LeashOutdoors(t *testing.T) {
	w := newWorld(t)
	w.ConstrainTo(w.Pose.Position, LeashStartOutdoors, LeashMaxOutdoors)
	w.InterpolateTo(at(40), false)
	for _, c := range []struct {
		tick int
		x    float32
	}{{20, 5.3333}, {40, 10.6631}, {60, 15.5888}, {80, 19.8977}, {100, 23.6670}, {140, 29.8488}, {180, 34.5794}, {220, 38.1995}} {
		w.want(c.tick, c.x, 1, 0)
	}
	w.run(224)
	if len(w.places) != 0 {
		t.Error("blipped before tick 225")
	}
	w.want(225, 40, 0, 0)
	if w.blip.Outcome != Blipped {
		t.Error("tick 225 should blip")
	}
}

func TestSpec12_9K_LeashIndoors(t *testing.T) {
	indoors := func(y float32) space.Position {
		p := at(y)
		p.Cell = 0xA9B40100
		return p
	}
	w := newWorld(t)
	w.Pose.Position = indoors(0)
	w.ConstrainTo(w.Pose.Position, LeashStartIndoors, LeashMaxIndoors)
	w.InterpolateTo(indoors(19), false)
	w.want(20, 5.3321, 1, 0)
	w.want(40, 9.7538, 1, 0)
	w.want(60, 12.8426, 1, 0)
	w.want(80, 15.0002, 1, 0)
	w.run(89)
	if len(w.places) != 0 {
		t.Error("blipped before tick 90")
	}
	w.want(90, 19, 0, 0)
}

func TestSpec12_9L_Heading(t *testing.T) {
	w := newWorld(t)
	w.event(facing(at(2), 90))
	w.update()
	if !near(w.heading(), 90) || !near(w.x(), .26667) {
		t.Errorf("heading %v x %v", w.heading(), w.x())
	}
	w.want(20, 2, 0, 0) // and goes on in the same direction
	w = newWorld(t)
	w.movingTo = true
	w.event(facing(at(2), 90))
	if h := space.Heading(w.nodes()[0].Place.Frame.Rotation); !near(h, 0) {
		t.Errorf("node heading %v", h)
	}
	w.update()
	if !near(w.heading(), 0) || !near(w.x(), .26667) {
		t.Errorf("heading %v x %v", w.heading(), w.x())
	}
	// the turn that is in progress is the body's own: no chase step undoes it
	w.Pose.Frame.Rotation = space.SetHeading(space.IdentityQuat, 45)
	w.update()
	if !near(w.heading(), 45) || !near(w.x(), .53333) {
		t.Errorf("turned: heading %v x %v", w.heading(), w.x())
	}
}

func TestSpec12_9M_Airborne(t *testing.T) {
	w := newWorld(t)
	before, body := *w.Chase, *w.Body
	if r := w.PositionEvent(at(5), false, false); r.Outcome != Ignored {
		t.Errorf("outcome %v", r.Outcome)
	}
	if *w.Chase != before || *w.Body != body || w.Leash.Constrained {
		t.Error("an event without contact changed something")
	}
	w = newWorld(t)
	w.GroundEvent(false, false)
	w.Body.State &^= components.Gravity
	CalcAcceleration(w.Body)
	w.event(at(5))
	w.want(30, 0, 1, 0)
	w.wantWindow(30, 0, NoDistance)
	w.Body.Transient |= components.Contact // contact alone is enough
	w.want(31, .26667, 1, 0)
}

func TestD_47_FarNodeHeadingByMember(t *testing.T) {
	w := newWorld(t)
	w.GroundEvent(false, false)
	w.movingTo = true
	w.event(facing(at(150), 70))
	w.update()
	if w.blip.Outcome != Blipped || !near(w.heading(), 70) {
		t.Errorf("%v, heading %v", w.blip.Outcome, w.heading())
	}
	// the other way round: the last queued target kept the heading, this one would not
	w = newWorld(t)
	w.movingTo = true
	w.event(at(3))
	w.movingTo = false
	w.event(facing(at(150), 70))
	w.update()
	if w.blip.Outcome != Blipped || !near(w.heading(), 0) {
		t.Errorf("%v, heading %v", w.blip.Outcome, w.heading())
	}
}

// Blip is measured from where the queue ends, closeness from the body.
func TestSpec12_5_TwoDistances(t *testing.T) {
	w := newWorld(t)
	w.event(at(60))
	if o := w.event(at(130)); o != Queued {
		t.Errorf("130 m by way of 60: %v", o)
	}
	if o := w.event(at(20)); o != Armed {
		t.Errorf("back by 110 m: %v", o)
	}
	w = newWorld(t)
	w.event(at(60))
	if o := w.event(at(.05)); o != Closed || w.Chase.Queue.Len != 0 {
		t.Errorf("close to the body: %v, queue %d", o, w.Chase.Queue.Len)
	}
	w = newWorld(t)
	for _, c := range []struct {
		y    float32
		want Outcome
	}{{100, Queued}, {.0501, Queued}} {
		if o := newWorld(t).event(at(c.y)); o != c.want {
			t.Errorf("%v m: %v", c.y, o)
		}
	}
	if o := w.event(at(100.01)); o != Armed {
		t.Errorf("100.01 m: %v", o)
	}
	w.Pose.Position.Cell = 0xA9B40100
	w.StopInterpolating()
	if o := w.event(at(20)); o != Queued {
		t.Errorf("20 m indoors: %v", o)
	}
	w.StopInterpolating()
	if o := w.event(at(20.01)); o != Armed {
		t.Errorf("20.01 m indoors: %v", o)
	}
}

func TestSpec12_5_CloseTakesTheHeading(t *testing.T) {
	for _, keep := range []bool{false, true} {
		w := newWorld(t)
		w.event(at(3))
		w.movingTo = keep
		if o := w.event(facing(at(.01), 135)); o != Closed || w.Chase.Queue.Len != 0 {
			t.Errorf("%v, queue %d", o, w.Chase.Queue.Len)
		}
		want := float32(135)
		if keep {
			want = 0
		}
		if !near(w.heading(), want) || w.x() != 0 {
			t.Errorf("keep %v: heading %v, x %v", keep, w.heading(), w.x())
		}
	}
}

// 11 §3: every InterpolateTo and ConstrainTo activates; a static body refuses.
func TestSpec11_3_ActivatedByTheChase(t *testing.T) {
	w := newWorld(t)
	SetActive(w.Body, false)
	w.InterpolateTo(at(1), false)
	if w.Body.Transient&components.Active == 0 {
		t.Error("InterpolateTo does not activate")
	}
	SetActive(w.Body, false)
	w.ConstrainTo(at(1), 1, 2)
	if w.Body.Transient&components.Active == 0 {
		t.Error("ConstrainTo does not activate")
	}
	SetActive(w.Body, false)
	w.Body.State |= components.Static
	w.InterpolateTo(at(2), false)
	if w.Body.Transient&components.Active != 0 {
		t.Error("a static body became active")
	}
}

// Only one window in five calls is judged, by its pace: 30 % of full speed passes, less fails.
func TestSpec12_6_ProgressRatio(t *testing.T) {
	for _, c := range []struct {
		pace float32
		fail int32
	}{{.31, 0}, {.29, 1}} {
		w := newWorld(t)
		w.immovable = true
		w.event(at(50))
		w.event(at(51))
		for range 10 {
			w.update()
			w.Pose.Frame.Origin[1] += c.pace * 8 / 30
		}
		if w.Chase.Fail != c.fail {
			t.Errorf("pace %v: fail %d, want %d", c.pace, w.Chase.Fail, c.fail)
		}
	}
}

func TestSpec12_6_StuckPassesEveryWindow(t *testing.T) {
	w := newWorld(t)
	w.event(at(5))
	for range 50 {
		off := space.Identity
		if !AdjustOffset(w.Mover, &off, w.q, 4, true) {
			t.Fatal("the chase let go")
		}
	}
	if w.Chase.Fail != 0 || w.Chase.Queue.Len != 1 {
		t.Errorf("fail %d, queue %d", w.Chase.Fail, w.Chase.Queue.Len)
	}
}

// fill queues nodes of the given kinds, 1 m apart, the velocity of each (kind, 0, 0).
func (w *world) fill(kinds ...components.ChaseKind) {
	w.Chase.Queue.Clear(&w.Pools.Chase)
	for i, k := range kinds {
		w.Chase.Queue.Push(&w.Pools.Chase, components.ChaseNode{
			Place: at(float32(i + 1)), Kind: k, Velocity: space.Vec3{float32(k), 0, 0}})
	}
}

const (
	pos  = components.ChasePosition
	stop = components.ChaseStop
	vel  = components.ChaseVelocity
)

func TestSpec12_7_BlipTargets(t *testing.T) {
	for _, c := range []struct {
		name  string
		kinds []components.ChaseKind
		x     float32
		v     float32
	}{
		{"tail is a place", []components.ChaseKind{pos, vel, pos}, 3, 0},
		{"tail is a velocity", []components.ChaseKind{pos, pos, stop, vel}, 2, 3},
		{"tail is a stop", []components.ChaseKind{pos, stop}, 1, 2},
		{"no place", []components.ChaseKind{stop, vel}, 77, 0},
		{"nothing", nil, 77, 0},
	} {
		w := newWorld(t)
		*w.Anchors.BlipTo.Make(&w.Pools.Places) = at(77)
		w.fill(c.kinds...)
		w.Chase.Fail = 4
		r := w.UseTime()
		if r.Outcome != Blipped || !near(w.x(), c.x) || w.Body.Velocity[0] != c.v {
			t.Errorf("%s: %v, x %v, velocity %v", c.name, r.Outcome, w.x(), w.Body.Velocity)
		}
		if w.Chase.Queue.Len != 0 || w.Chase.Fail != 0 {
			t.Errorf("%s: queue %d, fail %d", c.name, w.Chase.Queue.Len, w.Chase.Fail)
		}
	}
}

func TestSpec12_7_RefusedBlipIsRetried(t *testing.T) {
	w := newWorld(t)
	w.immovable, w.refuse = true, true
	w.event(at(5))
	w.want(12, 0, 0, 1)
	if len(w.places) != 3 || w.blip.Outcome != Ignored {
		t.Errorf("%d placements, %v", len(w.places), w.blip.Outcome)
	}
	w.refuse = false
	w.want(13, 5, 0, 0)
}

func TestSpec12_7_MarkersAtTheHead(t *testing.T) {
	w := newWorld(t)
	w.fill(vel, stop, pos)
	w.update()
	if w.moved || w.Body.Velocity != (space.Vec3{3, 0, 0}) || w.Chase.Queue.Len != 2 {
		t.Errorf("moved %v, velocity %v, queue %d", w.moved, w.Body.Velocity, w.Chase.Queue.Len)
	}
	w.Body.Velocity = space.Vec3{}
	w.want(2, 0, 1, 0)
	w.wantWindow(2, 0, 3)
	w.want(3, .26667, 1, 0)
}

// A failed head in front of a marker leaves its place to blip to, and the fail counter.
func TestSpec12_6_NodeCompleted(t *testing.T) {
	w := newWorld(t)
	w.fill(pos, stop)
	w.Chase.Fail, w.Chase.FrameCounter, w.Chase.Progress = 2, 3, 1
	w.NodeCompleted(false)
	if w.Anchors.BlipTo.Value(&w.Pools.Places) != at(1) || w.Chase.Fail != 2 || w.Chase.FrameCounter != 0 || w.Chase.Progress != 0 {
		t.Errorf("%+v, blip to %v", *w.Chase, w.Anchors.BlipTo.Value(&w.Pools.Places))
	}
	w.NodeCompleted(true)
	if w.Chase.Fail != 0 || w.Chase.OriginalDistance != NoDistance || w.Anchors.BlipTo.Value(&w.Pools.Places) != at(1) {
		t.Errorf("%+v, blip to %v", *w.Chase, w.Anchors.BlipTo.Value(&w.Pools.Places))
	}
	w.fill(pos, pos)
	*w.Anchors.BlipTo.Make(&w.Pools.Places) = at(9)
	w.NodeCompleted(false) // next is a place: nothing to remember
	if w.Anchors.BlipTo.Value(&w.Pools.Places) != at(9) || !near(w.Chase.OriginalDistance, 2) {
		t.Errorf("%+v, blip to %v", *w.Chase, w.Anchors.BlipTo.Value(&w.Pools.Places))
	}
	w.fill()
	w.NodeCompleted(false) // nothing popped
	if w.Anchors.BlipTo.Value(&w.Pools.Places) != at(9) {
		t.Errorf("blip to %v", w.Anchors.BlipTo.Value(&w.Pools.Places))
	}
}

// A head at exactly 0.05 m is not close, and yet done: it is completed and moved to in one call.
func TestSpec12_6_ExactlyClose(t *testing.T) {
	w := newWorld(t)
	w.fill(pos)
	w.nodes()[0].Place = at(CloseDistance)
	w.want(1, CloseDistance, 0, 0)
	if !w.moved || IsInterpolating(w.Chase) {
		t.Errorf("moved %v, interpolating %v", w.moved, IsInterpolating(w.Chase))
	}
}

func TestSpec11_5_InactiveIsNotStepped(t *testing.T) {
	w := newWorld(t)
	w.event(at(3))
	SetActive(w.Body, false)
	w.want(5, 0, 1, 0)
}
