package motion

import (
	"math"
	"strings"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"pgregory.net/rapid"
)

func TestR6_21_FirstUpdateOfMoveToObject(t *testing.T) {
	r := walker(t, 0)
	p := final(300)
	r.standsAt(other, spot(0, 10, 0), spot(10, 0, 0))
	r.MoveToObject(9, other, 0, 0, p) // known: all in the call
	eq(t, "faces where it will be; the final heading is relative, 390 − 360", r.plan(), "turn 90, go, turn 30")
	s := r.manager()
	eq(t, "sought", s.Sought, spot(10, 0, 0))
	eq(t, "goal", s.Goal, spot(0, 10, 0))
	eq(t, "turns", s.CurrentCommand, TurnRight)
	eq(t, "initialized", s.Initialized, true)

	near := walker(t, 0)
	near.standsAt(other, spot(0, 0.5, 0), spot(0, 3, 0))
	near.MoveToObject(9, other, 0, 0, params(0, 0))
	near.wantEnd(MoveToObject, 0)
	eq(t, "dropped the target", near.target.ID, 0)

	spheres := walker(t, 0) // the named one's size counts
	spheres.standsAt(other, spot(0, 3, 0), spot(0, 3, 0))
	spheres.MoveToObject(9, other, 2.5, 2, params(components.ParamUseSpheres, 0))
	spheres.wantEnd(MoveToObject, 0)
	spheres.MoveToObject(9, other, 2.3, 2, params(components.ParamUseSpheres, 0))
	eq(t, "too small to touch", spheres.MovingTo(), MoveToObject)
}

func TestR6_22_FirstUpdateOfTurnToObject(t *testing.T) {
	r := walker(t, 0)
	p := params(0, 0)
	p.DesiredHeading = 77 // not used
	r.standsAt(other, spot(-10, 0, 0), spot(10, 0, 0))
	r.TurnToObject(9, other, p)
	eq(t, "faces where it is", r.plan(), "turn 270")
	near(t, "sought", float64(space.Heading(r.manager().Sought.Frame.Rotation)), 270)
	eq(t, "turns", r.manager().CurrentCommand, TurnLeft)
	for r.MovingTo() != 0 && r.now < 5 {
		r.quantum(fps)
	}
	r.wantEnd(TurnToObject, 0)
	near(t, "faces", float64(r.heading()), 270)
}

func TestR6_20_LaterUpdates(t *testing.T) {
	r := walker(t, 0)
	r.standsAt(other, spot(0, 20, 0), spot(0, 20, 0))
	r.MoveToObject(other, other, 0, 0, params(0, 0))
	plan := r.plan()
	r.now = 2
	r.update(news(spot(0, 21, 0), spot(0, 22, 0)))
	s := r.manager()
	eq(t, "sought", s.Sought, spot(0, 22, 0))
	eq(t, "goal", s.Goal, spot(0, 21, 0))
	eq(t, "distances", s.PrevDistance+s.OrigDistance, float32(math.Inf(1))) // both FLT_MAX
	eq(t, "times", s.PrevTime+s.OrigTime, 4)
	eq(t, "nothing else", r.plan(), plan)

	before := *s
	other := news(spot(0, 5, 0), spot(0, 5, 0))
	other.ID = 77
	r.HandleTarget(&other)
	eq(t, "somebody else's", *s, before)

	turn := walker(t, 0)
	turn.standsAt(9, spot(10, 0, 0), spot(10, 0, 0))
	turn.TurnToObject(9, 9, params(0, 0))
	before = *turn.manager()
	turn.update(news(spot(0, -10, 0), spot(0, -10, 0)))
	eq(t, "a turn-to keeps its heading", *turn.manager(), before)
}

func TestR6_20_Trouble(t *testing.T) {
	for _, first := range []bool{true, false} {
		for status := components.TargetUndefined; status <= components.TargetTimedOut; status++ {
			if status == components.TargetOK {
				continue
			}
			for _, kind := range []MovementType{MoveToObject, TurnToObject} {
				r := walker(t, 0)
				if !first {
					r.standsAt(other, spot(10, 0, 0), spot(10, 0, 0))
				}
				if kind == MoveToObject {
					r.MoveToObject(other, other, 0, 0, params(0, 0))
				} else {
					r.TurnToObject(other, other, params(0, 0))
				}
				r.forget()
				r.update(components.Target{Status: status})
				if first {
					r.wantEnd(kind, NoObject)
				} else {
					r.wantEnd(kind, ObjectGone)
				}
				eq(t, "target", r.target.ID, 0)
				r.check()
			}
		}
	}
	r := walker(t, 0) // 13 §5: nobody is told to be timed out at once
	r.MoveToObject(0, 0, 0, 0, params(0, 0))
	r.wantEnd(MoveToObject, NoObject)
	nobody := walker(t, 0)
	nobody.HandleTarget(&components.Target{})
	eq(t, "no order", len(nobody.ended), 0)
}

// TestR6_20_UpdateOfOneself: the mover's own component may be what is handed over.
func TestR6_20_TheComponentItself(t *testing.T) {
	r := walker(t, 0)
	r.standsAt(other, spot(0, 20, 0), spot(0, 20, 0))
	r.MoveToObject(other, other, 0, 0, params(0, 0))
	r.target.Status = components.TargetExitWorld
	r.HandleTarget(&r.target)
	r.wantEnd(MoveToObject, ObjectGone)
}

func TestD_44_NoCompletionCheckAfterAnUpdate(t *testing.T) {
	r := walker(t, 0)
	r.MoveToObject(other, other, 0, 0, params(0, 0))
	eq(t, "pending", r.anims(), "")
	r.update(news(spot(10, 0, 0), spot(10, 0, 0)))
	eq(t, "pending", r.anims(), "TurnRight 0")
	r.forget()
	r.quantum(fps)
	eq(t, "pending", r.anims(), "")
	eq(t, "done", strings.Join(r.done, ", "), "TurnRight true")
}

// TestMoveToFollows: somebody who walks away is followed and reached.
func TestMoveToFollows(t *testing.T) {
	r := walker(t, 90)
	r.Traits.RunRate = 1.5
	at := float32(20)
	place := func() components.Target { return news(spot(0, at, 0), spot(0, at, 0)) }
	r.known[other] = place
	r.MoveToObject(other, other, 0, 0, params(components.ParamCanCharge, 0))
	for tick := 1; r.MovingTo() != 0 && tick < 400; tick++ {
		at += 2 * fps
		r.quantum(fps)
		if tick%8 == 0 && r.MovingTo() != 0 {
			r.update(place())
		}
	}
	r.wantEnd(MoveToObject, 0)
	goal := spot(0, at, 0)
	if d := space.Distance(&r.Pose.Position, &goal); d > 2 {
		t.Errorf("%v away", d)
	}
}

// stickyHost gives a rig a stick that behaves as 13 §2 has it.
func (r *rig) stickyHost() {
	stuck := true
	r.onUnstick = func() {
		if stuck {
			stuck = false
			r.ClearTarget()
			r.CancelMoveTo(ActionCancelled)
		}
	}
}

var (
	someNumbers = []float32{0, 0.6, 1, -1, 3, 15, 90, 180, 359.9999, 360, 400, -90, 1e-30, 1e10, -1e20, math.MaxFloat32, -math.MaxFloat32}
	someFlags   = []components.ParamFlags{
		0, components.ParamDefaults, ^components.ParamFlags(0), components.ParamDefaults &^ components.ParamStopCompletely,
		components.ParamDefaults | components.ParamUseFinalHeading | components.ParamSticky, components.ParamDefaults | components.ParamMoveAway | components.ParamCanCharge,
		components.ParamMoveAway | components.ParamUseFinalHeading,
	}
)

func drawParams(t *rapid.T) *components.MoveParams {
	n := rapid.SampledFrom(someNumbers)
	return &components.MoveParams{
		Flags:            rapid.SampledFrom(someFlags).Draw(t, "flags"),
		DistanceToObject: n.Draw(t, "distance"), MinDistance: n.Draw(t, "min distance"), DesiredHeading: n.Draw(t, "heading"),
		Speed: rapid.SampledFrom(someSpeeds).Draw(t, "speed"), FailDistance: n.Draw(t, "fail distance"), WalkRunThreshold: n.Draw(t, "threshold"),
		HoldKey: components.HoldKey(rapid.IntRange(0, 2).Draw(t, "hold")),
	}
}

func drawPlace(t *rapid.T) space.Position {
	n := rapid.SampledFrom(someNumbers)
	return space.Position{
		Cell: rapid.SampledFrom([]space.CellID{0, 0xA9B40025, 0xA9B40001, 0xAAB40001, 0x00000100, 0xFFFFFFFF}).Draw(t, "cell"),
		Frame: space.Frame{
			Origin:   space.Vec3{n.Draw(t, "x"), n.Draw(t, "y"), n.Draw(t, "z")},
			Rotation: space.SetHeading(space.IdentityQuat, n.Draw(t, "heading")),
		},
	}
}

// TestPropertyMoveTo: whatever is ordered, told and done, nothing panics or
// loops, the invariants hold, and every order ends once.
func TestPropertyMoveTo(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		recs := human()
		if rapid.IntRange(0, 2).Draw(rt, "odd table") == 0 {
			recs = anyRecords(rt)
		}
		r := newRig(t, recs)
		if rapid.IntRange(0, 5).Draw(rt, "no table") == 0 {
			r.Identity.Table = -1
		}
		if rapid.IntRange(0, 5).Draw(rt, "interpreter") > 0 {
			r.EnterDefaultState()
		}
		r.Traits.Radius = rapid.SampledFrom([]float32{0, 0.5, 1e30}).Draw(rt, "own radius")
		r.known = map[uint32]func() components.Target{}
		there := func() components.Target { return news(drawPlace(rt), drawPlace(rt)) }
		begun := 0
		var stamp uint16
		for range rapid.IntRange(1, 40).Draw(rt, "calls") {
			delete(r.known, other)
			if rapid.Bool().Draw(rt, "known") {
				r.known[other] = there
			}
			r.stickyHost()
			top := rapid.SampledFrom([]uint32{other, other, self, 0}).Draw(rt, "top")
			size := rapid.SampledFrom(someNumbers)
			switch rapid.IntRange(0, 12).Draw(rt, "call") {
			case 0:
				r.MoveToObject(other, top, size.Draw(rt, "radius"), size.Draw(rt, "height"), drawParams(rt))
				begun++
			case 1, 2:
				r.MoveToPosition(drawPlace(rt), drawParams(rt))
				begun++
			case 3:
				r.TurnToObject(other, top, drawParams(rt))
				begun++
			case 4:
				r.TurnToHeading(drawParams(rt))
				begun++
			case 5:
				u := there()
				u.Status = components.TargetStatus(rapid.Uint32Range(0, 6).Draw(rt, "status"))
				r.update(u)
			case 6:
				r.CancelMoveTo(ITeleported)
			case 7:
				r.anything(rt, &stamp)
			case 8:
				r.Body.Transient ^= components.Contact
			default:
				dt := rapid.SampledFrom([]float32{1. / 30, 0.2, 1, 2}).Draw(rt, "dt")
				for range rapid.IntRange(1, 8).Draw(rt, "ticks") {
					r.quantum(dt)
				}
			}
			if err := Check(r.Row, r.Tables, r.Pools); err != nil {
				rt.Fatalf("%v\n%s", err, Describe(r.Row, r.Tables, r.Pools))
			}
			open := 0
			if r.MovingTo() != InvalidMovement {
				open = 1
			}
			if len(r.ended)+open != begun {
				rt.Fatalf("%d orders, %d ended, %d open\n%v", begun, len(r.ended), open, r.told)
			}
		}
		r.Row.Release(r.Pools)
	})
}
