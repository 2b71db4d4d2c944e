package motion

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

// walking is a walker on his way to a place straight ahead, nothing pending.
func walking(t testing.TB, dist float32, p *components.MoveParams) *rig {
	r := walker(t, 0)
	r.MoveToPosition(spot(0, dist, 0), p)
	r.RemoveLinkAnimations()
	r.forget()
	eq(t, "goes", r.plan(), "go")
	return r
}

func TestR6_14_BeginMove(t *testing.T) {
	r := walker(t, 0)
	r.now = 3
	p := params(components.ParamMoveAway, components.ParamMoveTowards)
	p.MinDistance, p.Speed = 20, 1.5
	r.MoveToPosition(spot(0, -2, 0), p) // turns towards it first
	r.CheckForCompletedMotions()
	r.face(180)
	r.now = 4
	for r.plan() != "go" {
		r.face(r.heading() + 1) // to the right it must be passed
		r.MoveToTime()
	}
	s := r.manager()
	eq(t, "command", s.CurrentCommand, WalkForward)
	eq(t, "away", s.MovingAway, true)
	near(t, "distance", float64(s.PrevDistance), 2)
	near(t, "first distance", float64(s.OrigDistance), 2)
	eq(t, "since", s.PrevTime, 4)
	eq(t, "first", s.OrigTime, 4)
	eq(t, "speed", r.Interpreted.ForwardSpeed, 1.5)

	run := walking(t, 30, params(components.ParamCanCharge, 0))
	eq(t, "hold", run.manager().Params.HoldKey, components.HoldRun)
	run.stand(0, 28)
	run.quantum(fps)
	eq(t, "chosen once", run.Interpreted.Forward, RunForward)
	back := walker(t, 0)
	both := params(components.ParamMoveAway, 0)
	both.MinDistance, both.DistanceToObject = 3, 5
	back.MoveToPosition(spot(0, 2, 0), both)
	eq(t, "backs away", back.manager().CurrentCommand, WalkBackwards)
	near(t, "by walking forward at a negative speed", float64(back.Interpreted.ForwardSpeed), -0.65)
	for back.MovingTo() != 0 && back.now < 5 {
		back.quantum(fps)
	}
	back.wantEnd(MoveToPosition, 0)
	goal := spot(0, 2, 0)
	if d := space.Distance(&back.Pose.Position, &goal); d < 3 || d > 3.3 {
		t.Errorf("backed to %v", d)
	}
}

func TestR6_15_BeginTurn(t *testing.T) {
	for _, c := range []struct {
		own, to float32
		want    uint32 // 0: passed over
	}{
		{0, 0, 0}, {0, 0.0001, 0}, {0, 0.001, TurnRight}, {0, 90, TurnRight}, {0, 180, TurnRight}, {0, 180.01, TurnLeft}, {0, 270, TurnLeft},
		{0, 359.999, TurnLeft}, {0, 359.9999, 0}, {90, 89.99995, 0}, {90, 0, TurnLeft}, {350, 10, TurnRight}, {10, 350, TurnLeft},
		{0, 360, 0}, {0, 400, 0}, {50, 400, TurnLeft}, {90, -100, TurnRight}, {0, 1e30, 0}, {0, -1e30, 0},
	} {
		r := walker(t, c.own)
		p := params(0, 0)
		p.DesiredHeading = c.to
		r.TurnToHeading(p)
		if c.want == 0 {
			if r.wantEnd(TurnToHeading, 0); t.Failed() {
				t.Fatalf("%v to %v", c.own, c.to)
			}
			continue
		}
		if got := r.manager().CurrentCommand; got != c.want {
			t.Errorf("%v to %v: %s", c.own, c.to, CommandName(got))
		}
		near(t, "difference", float64(r.manager().PrevHeading), float64(headingDiff(c.to, c.own, TurnRight)))
	}
	r := walker(t, 0)
	p := params(components.ParamCanCharge, 0)
	p.DesiredHeading, p.HoldKey, p.Speed = 90, components.HoldRun, 2
	r.TurnToHeading(p)
	eq(t, "run turns faster", r.Interpreted.TurnSpeed, 3)
}

func TestR6_16_Gates(t *testing.T) {
	r := walking(t, 10, params(0, 0))
	r.stand(0, 9.9)
	r.Body.Transient = components.OnWalkable
	r.MoveToTime()
	eq(t, "no contact", r.MovingTo(), MoveToPosition)
	r.Body.Transient = components.Contact // walkable or not
	r.MoveToTime()
	r.wantEnd(MoveToPosition, 0)
	r.MoveToTime()
	eq(t, "an empty queue", len(r.ended), 1)
	nobody := walker(t, 0)
	nobody.MoveToTime()
	eq(t, "never ordered", nobody.MovingTo(), InvalidMovement)
}

func TestD_22_WaitsForTheFirstUpdate(t *testing.T) {
	for _, order := range []func(r *rig){
		func(r *rig) { r.MoveToObject(other, other, 0.5, 2, params(0, 0)) },
		func(r *rig) { r.TurnToObject(other, other, params(0, 0)) },
	} {
		r := walker(t, 0)
		order(r)
		for range 50 {
			r.quantum(fps)
			eq(t, "turn", r.Interpreted.Turn, 0)
			eq(t, "forward", r.Interpreted.Forward, Ready)
			eq(t, "nodes", r.plan(), "")
		}
		eq(t, "still on", r.MovingTo() != 0, true)
		r.update(news(spot(10, 0, 0), spot(10, 0, 0)))
		eq(t, "now it turns", r.Interpreted.Turn, TurnRight)
	}
}

func TestR6_17_HandleTurn(t *testing.T) {
	r := walker(t, 0)
	p := params(0, 0)
	p.DesiredHeading = 90
	r.TurnToHeading(p)
	r.CheckForCompletedMotions()
	s := r.manager()
	s.FailCount = 3
	r.face(40) // 90 → 40: the first look compares with the difference
	r.MoveToTime()
	eq(t, "fails", s.FailCount, 4)
	near(t, "heading", float64(s.PrevHeading), 40)
	r.face(50)
	r.MoveToTime()
	eq(t, "gets on", s.FailCount, 0)
	r.MoveToTime()
	eq(t, "does not", s.FailCount, 1)
	r.pendMotion(0, Ready, 0)
	r.MoveToTime()
	eq(t, "something is pending", s.FailCount, 1)
	r.popMotion()
	r.Chase.Queue.Push(&r.Pools.Chase, components.ChaseNode{})
	r.MoveToTime()
	eq(t, "it is being moved", s.FailCount, 1)
	r.face(90)
	r.MoveToTime()
	eq(t, "equality is not passed to the right", r.MovingTo(), TurnToHeading)
	r.face(97)
	r.MoveToTime()
	r.wantEnd(TurnToHeading, 0)
	near(t, "snapped", float64(r.heading()), 90)
	eq(t, "turn", r.Interpreted.Turn, 0)
	eq(t, "omega", r.Sequence.Omega, space.Vec3{})

	r = walker(t, 90) // turn, a walk that needs nothing, turn (D-40)
	r.Traits.Radius, r.Traits.Height = 0.5, 2
	both := final(45)
	both.Flags |= components.ParamUseSpheres
	r.MoveToPosition(spot(0, 0.8, 0), both)
	eq(t, "nodes", r.plan(), "turn 0, go, turn 45")
	r.face(0)
	r.MoveToTime()
	eq(t, "nodes", r.plan(), "turn 45")
	eq(t, "waits for what is pending", r.manager().CurrentCommand, 0)
	r.MoveToTime()
	near(t, "no snap before it has turned", float64(r.heading()), 0)
}

func TestR6_18_Steering(t *testing.T) {
	for _, c := range []struct {
		heading float32
		want    uint32
	}{
		{0, 0}, {20, 0}, {340, 0}, {20.1, TurnLeft}, {339.9, TurnRight}, {90, TurnLeft}, {179, TurnLeft}, {180, TurnLeft}, {181, TurnRight}, {270, TurnRight},
	} {
		r := walking(t, 10, params(0, 0))
		r.face(c.heading)
		r.MoveToTime()
		if got := r.manager().AuxCommand; got != c.want {
			t.Errorf("facing %v: %s", c.heading, CommandName(got))
		}
		eq(t, "turns", r.Interpreted.Turn != 0, c.want != 0)
		eq(t, "walks on", r.Interpreted.Forward, WalkForward)
		before := r.motions()
		r.RemoveLinkAnimations()
		r.MoveToTime()
		eq(t, "the same again is not asked for", r.motions(), "")
		if c.want != 0 {
			eq(t, "asked once", before, "TurnRight")
			r.pendMotion(0, Ready, 0)
			r.MoveToTime()
			eq(t, "pending motions stop it", r.manager().AuxCommand, 0)
			eq(t, "turn", r.Interpreted.Turn, 0)
		}
	}
}

func TestR6_18_SteeringAway(t *testing.T) {
	p := params(components.ParamMoveAway, components.ParamMoveTowards)
	p.MinDistance = 20
	r := walker(t, 0)
	r.MoveToPosition(spot(0, 5, 0), p)
	r.RemoveLinkAnimations()
	eq(t, "faces it, so goes at once", r.plan(), "go")
	r.MoveToTime()
	eq(t, "wants it behind", r.manager().AuxCommand, TurnLeft) // 180 and above
	r.RemoveLinkAnimations()
	r.face(170)
	r.MoveToTime()
	eq(t, "on course", r.manager().AuxCommand, 0)
}

// TestD_24: the aux turn ends without a snap, and only R6.19 and the distance
// of the flags decide about arriving.
func TestD_24_HeadingStaysWhenTheAuxTurnEnds(t *testing.T) {
	r := walking(t, 40, params(0, 0))
	r.face(60)
	var last float32
	for r.now < 3 {
		was := r.manager().AuxCommand
		last = r.heading()
		r.quantum(fps)
		if was != 0 && r.manager().AuxCommand == 0 {
			break
		}
	}
	h := r.heading()
	if h > 20 || h < 20-1.5*fps*180/math.Pi-1e-3 || last <= 20 {
		t.Errorf("from %v to %v", last, h)
	}

	r = walking(t, 10, params(0, 0))
	r.Traits.Radius, r.Traits.Height = 2, 2 // cylinders would touch
	r.stand(0, 9)
	r.MoveToTime()
	eq(t, "no shortcut", r.MovingTo(), MoveToPosition)
}

func TestR6_18_Arrival(t *testing.T) {
	p := params(0, 0)
	p.DistanceToObject = 0.5
	r := walking(t, 10, p)
	r.stand(0, 9.4)
	r.MoveToTime()
	eq(t, "not yet", r.plan(), "go")
	r.stand(0, 9.5)
	r.MoveToTime()
	r.wantEnd(MoveToPosition, 0)

	fin := final(90)
	r = walking2(t, fin)
	r.stand(0, 9)
	r.face(330)
	r.MoveToTime()
	eq(t, "steers", r.manager().AuxCommand, TurnRight)
	r.CheckForCompletedMotions()
	r.RemoveLinkAnimations()
	r.stand(0, 9.5)
	r.MoveToTime()
	eq(t, "the final turn waits", r.plan(), "turn 90")
	eq(t, "turn", r.Interpreted.Turn, 0)
	eq(t, "aux", r.manager().AuxCommand, 0)
	for r.MovingTo() != 0 && r.now < 5 {
		r.quantum(fps)
	}
	near(t, "faces", float64(r.heading()), 90)
	r.wantEnd(MoveToPosition, 0)

	away := params(components.ParamMoveAway, components.ParamMoveTowards)
	away.MinDistance = 20
	r = walking(t, 5, away)
	r.stand(0, -14)
	r.MoveToTime()
	eq(t, "not yet away", r.plan(), "go")
	r.stand(0, -15)
	r.MoveToTime()
	r.wantEnd(MoveToPosition, 0)
}

// walking2 is walking with a final turn to come.
func walking2(t testing.TB, p *components.MoveParams) *rig {
	r := walker(t, 0)
	r.MoveToPosition(spot(0, 10, 0), p)
	r.RemoveLinkAnimations()
	eq(t, "goes", r.plan(), "go, turn 90")
	return r
}

func TestR6_18_FailDistance(t *testing.T) {
	p := params(0, 0)
	p.FailDistance = 4
	r := walking(t, 10, p)
	r.stand(0, 4)
	r.MoveToTime()
	eq(t, "not beyond", r.MovingTo(), MoveToPosition)
	r.stand(0, 4.1)
	r.MoveToTime()
	r.wantEnd(MoveToPosition, YouChargedTooFar)

	r = walking(t, 4.5, p) // arriving comes first
	r.stand(0, 4.1)
	r.MoveToTime()
	r.wantEnd(MoveToPosition, 0)

	r = walking(t, 10, p) // and so does making progress
	r.stand(0, 4.1)
	r.manager().PrevDistance = 5.9
	r.now = 1.1
	r.MoveToTime()
	eq(t, "no progress, no failure", r.MovingTo(), MoveToPosition)
}

func TestR6_18_TargetQuantum(t *testing.T) {
	r := walker(t, 0)
	r.standsAt(other, spot(0, 20, 0), spot(0, 20, 0))
	r.MoveToObject(other, other, 0, 0, params(0, 0))
	r.RemoveLinkAnimations()
	for _, c := range []struct {
		pace, y float32
		want    string
	}{
		{0.1, 0, ""}, {4, 0, "quantum 5"}, {4, 1, ""}, {4, 4, ""}, {4, 4.1, "quantum 3.975"}, {1, 16, ""}, {40, 17, "quantum 0.075"},
	} {
		r.forget()
		r.Body.Achieved = space.Vec3{0, c.pace, 0}
		r.stand(0, c.y)
		r.MoveToTime()
		eq(t, "told", strings.Join(r.toldButDone(), ", "), c.want)
	}
	place := walking(t, 20, params(0, 0))
	place.Body.Achieved = space.Vec3{0, 4, 0}
	place.MoveToTime()
	eq(t, "a place has no quantum", len(place.toldButDone()), 0)
}

func TestR6_19_Progress(t *testing.T) {
	for _, c := range []struct {
		name       string
		away       bool
		prev, orig float32 // distances
		prevT, now float64
		dist       float32
		made       bool
		keeps      bool // the stamps
	}{
		{"the first second", false, 10, 10, 0, 1, 12, true, true},
		{"closing at 0.25", false, 10, 10, 0, 2, 9.5, true, false},
		{"slower", false, 10, 10, 0, 2, 9.51, false, true},
		{"getting away", false, 10, 10, 0, 2, 11, false, true},
		{"this window, but not on the whole", false, 10, 5, 8, 10, 9, false, false},
		{"away", true, 10, 10, 0, 2, 10.5, true, false},
		{"away, slower", true, 10, 10, 0, 2, 10.4, false, true},
		{"never measured", false, math.MaxFloat32, math.MaxFloat32, 0, 2, 10, true, false},
	} {
		r := walker(t, 0)
		r.now = c.now
		s := &components.MoveTo{MovingAway: c.away, PrevDistance: c.prev, OrigDistance: c.orig, PrevTime: c.prevT}
		was := *s
		eq(t, c.name, r.progress(s, c.dist), c.made)
		if c.keeps {
			eq(t, c.name+" keeps", *s, was)
		} else {
			was.PrevDistance, was.PrevTime = c.dist, c.now
			eq(t, c.name+" restarts", *s, was)
		}
	}
	// without progress there is no arriving, and no end either
	r := walking(t, 10, params(0, 0))
	r.now = 1.5
	r.MoveToTime()
	eq(t, "fails", r.manager().FailCount, 1)
	r.stand(0, 0.2)
	r.manager().PrevDistance = 0.5
	r.manager().Goal.Frame.Origin[1] = 0.6
	for range 100 {
		r.now += fps
		r.MoveToTime()
	}
	eq(t, "counts", r.manager().FailCount, 101)
	eq(t, "goes on", r.MovingTo(), MoveToPosition)
}

// TestR6_10_SpeedAdjustedInPlace: an aux turn to the left begins, and the mover
// arrives, in one quantum under Run; the stop of WalkForward that follows sees
// the turn's negative speed and is refused.
func TestR6_10_SpeedAdjustedInPlace(t *testing.T) {
	for _, c := range []struct {
		heading float32
		pending string
	}{
		{0, ""}, {320, ""}, {40, ""},
	} {
		r := walking(t, 10, params(components.ParamCanCharge, 0))
		eq(t, "runs", r.Interpreted.Forward, RunForward)
		r.stand(0, 9.5)
		r.face(c.heading)
		r.forget()
		r.MoveToTime()
		r.wantEnd(MoveToPosition, 0)
		eq(t, "forward", r.Interpreted.Forward, Ready)
		zeros, counts := 0, []uint32{}
		for _, a := range r.Pending.Anims.Items(&r.Pools.PendingAnims) {
			counts = append(counts, a.Count)
			if a.Count == 0 && a.Motion == Ready {
				zeros++
			}
		}
		switch c.heading {
		case 40: // TurnLeft: refused; StopCompletely stops, once
			eq(t, "left", r.anims(), "Ready 1")
		default:
			if !slices.Contains(counts, 1) || zeros == 0 {
				t.Errorf("facing %v: %s", c.heading, r.anims())
			}
		}
	}
}
