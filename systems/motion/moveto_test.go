package motion

import (
	"math"
	"strings"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

const (
	other uint32 = 0x50000002
	fps          = 1. / 16
)

// walker is a creature that stands at the corner of a block and faces this way.
func walker(t testing.TB, heading float32) *rig {
	r := newRig(t, human()).standing()
	r.known = map[uint32]func() components.Target{}
	r.Pose.Cell = 0xA9B40001
	r.face(heading)
	return r
}

func (r *rig) face(heading float32) {
	r.Pose.Frame.Rotation = space.SetHeading(r.Pose.Frame.Rotation, heading)
}

func (r *rig) stand(x, y float32) { r.Pose.Frame.Origin = space.Vec3{x, y, 0} }

// spot is a place in the block of a walker.
func spot(x, y, z float32) space.Position {
	return space.Position{Cell: 0xA9B40001, Frame: space.Frame{Origin: space.Vec3{x, y, z}, Rotation: space.IdentityQuat}}
}

// standsAt makes an object known that stands somewhere and is expected elsewhere.
func (r *rig) standsAt(id uint32, at, expected space.Position) {
	r.known[id] = func() components.Target { return news(at, expected) }
}

func news(at, expected space.Position) components.Target {
	return components.Target{Status: components.TargetOK, Place: at, Interpolated: expected}
}

// params are the defaults with some flags set and some cleared; distances are
// those of centres.
func params(set, cleared components.ParamFlags) *components.MoveParams {
	p := DefaultParams()
	p.Flags = p.Flags&^components.ParamUseSpheres&^cleared | set
	return &p
}

func final(heading float32) *components.MoveParams {
	p := params(components.ParamUseFinalHeading, 0)
	p.DesiredHeading = heading
	return p
}

func (r *rig) manager() *components.MoveTo { return r.Errand.MoveTo(r.Pools) }

// plan prints the nodes of the order.
func (r *rig) plan() string {
	var out []string
	if s := r.manager(); s != nil {
		for _, n := range s.Nodes.Items(&r.Pools.MoveToNodes) {
			word := "go"
			if n.Turn {
				word = "turn " + strings.TrimSuffix(strings.TrimRight(fmtFloat(n.Heading), "0"), ".")
			}
			out = append(out, word)
		}
	}
	return strings.Join(out, ", ")
}

func (r *rig) wantEnd(kind MovementType, code uint32) {
	r.t.Helper()
	want := endOf(kind, code)
	if got := strings.Join(r.ended, ", "); got != want || r.MovingTo() != InvalidMovement {
		r.t.Errorf("ended %q, moving to %d, want %q", got, r.MovingTo(), want)
	}
}

// toldButDone is what the host was told, completions left out.
func (r *rig) toldButDone() (out []string) {
	for _, s := range r.told {
		if !strings.HasSuffix(s, "true") && !strings.HasSuffix(s, "false") {
			out = append(out, s)
		}
	}
	return out
}

func TestSpec06_WorkedExample(t *testing.T) {
	r := walker(t, 90)
	eq(t, "returns", r.MoveToPosition(spot(0, 10, 0), params(0, 0)), 0)
	eq(t, "nodes", r.plan(), "turn 0, go")
	eq(t, "command", r.manager().CurrentCommand, TurnLeft)
	near(t, "difference", float64(r.manager().PrevHeading), 270)
	eq(t, "turns", r.Interpreted.Turn, TurnRight)
	eq(t, "to the left", r.Interpreted.TurnSpeed, -1)
	r.CheckForCompletedMotions()

	r.face(5)
	r.MoveToTime()
	eq(t, "not passed", r.plan(), "turn 0, go")
	near(t, "now a heading", float64(r.manager().PrevHeading), 5)
	r.face(0)
	r.manager().FailCount = 3
	r.MoveToTime()
	eq(t, "passed", r.plan(), "go")
	eq(t, "failures", r.manager().FailCount, 0)
	eq(t, "command", r.manager().CurrentCommand, WalkForward)
	eq(t, "forward", r.Interpreted.Forward, WalkForward)
	eq(t, "turn", r.Interpreted.Turn, 0)
	eq(t, "hold", r.manager().Params.HoldKey, components.HoldNone)

	r.stand(0, 9.400001) // 0.6 away, in 32 bits
	r.now = 0.5
	r.MoveToTime()
	eq(t, "nodes", r.plan(), "")
	r.wantEnd(MoveToPosition, 0)
	eq(t, "forward", r.Interpreted.Forward, Ready)
	r.check()

	far := walker(t, 0)
	far.MoveToPosition(spot(0, 20, 0), params(0, 0))
	eq(t, "hold", far.manager().Params.HoldKey, components.HoldRun)
	eq(t, "command", far.manager().CurrentCommand, WalkForward)
	eq(t, "forward", far.Interpreted.Forward, RunForward)
}

func TestR6_1_D_39_Initialise(t *testing.T) {
	r := walker(t, 0)
	r.now = 7
	p := params(components.ParamCanCharge|components.ParamSticky|components.ParamUseSpheres, 0)
	p.Context, p.DistanceToObject, p.MinDistance, p.FailDistance, p.WalkRunThreshold, p.Speed, p.DesiredHeading = 5, 2, 1, 40, 3, 1.5, 30
	r.stand(0, 3)
	r.standsAt(other, spot(0, 50, 0), spot(0, 50, 0))
	r.MoveToObject(9, other, 0.7, 1.8, p)
	eq(t, "runs", r.Interpreted.Forward, RunForward)
	s := r.manager()
	eq(t, "id", s.SoughtID, 9)
	eq(t, "busy", r.Rest.Busy&components.MovingTo, components.MovingTo)
	r.now = 9
	r.CancelMoveTo(ActionCancelled)
	eq(t, "type", r.MovingTo(), InvalidMovement)
	eq(t, "busy", r.Rest.Busy&components.MovingTo, 0)
	want := *p
	want.Flags, want.Context, want.HoldKey = 0, 0, components.HoldRun
	eq(t, "params", s.Params, want)
	nowhere := space.Position{Frame: space.Identity}
	left := *s
	left.Params = components.MoveParams{}
	eq(t, "the rest", left, components.MoveTo{
		Sought: nowhere, Goal: nowhere, Start: spot(0, 3, 0), PrevDistance: math.MaxFloat32, OrigDistance: math.MaxFloat32, PrevTime: 9, OrigTime: 9,
	})
}

// TestR6_12_Orders: each order ends the one before and a stick.
func TestR6_12_Orders(t *testing.T) {
	for _, c := range []struct {
		do   func(r *rig) uint32
		kind MovementType
		told string // after the end of the order before
	}{
		{func(r *rig) uint32 { return r.MoveToObject(other, other, 1, 2, params(0, 0)) }, MoveToObject, "unstick, target 0 50000002 0.5 0"},
		{func(r *rig) uint32 { return r.MoveToPosition(spot(0, 50, 0), params(0, 0)) }, MoveToPosition, "unstick"},
		{func(r *rig) uint32 { return r.TurnToObject(other, other, params(0, 0)) }, TurnToObject, "unstick, target 0 50000002 0.5 0"},
		{func(r *rig) uint32 { return r.TurnToHeading(params(0, 0)) }, TurnToHeading, "unstick"},
	} {
		r := walker(t, 90).turnPending()
		eq(t, "code", c.do(r), 0)
		eq(t, "told", strings.Join(r.toldButDone(), ", "), "moved 9 0x36, "+c.told)
		eq(t, "type", r.MovingTo(), c.kind)
		r.check()
	}
}

// TestD_37_DEV_5_TurnToHeadingWhileRunning: it stops first when it is to, and is
// an order, not a state.
func TestD_37_DEV_5_TurnToHeadingWhileRunning(t *testing.T) {
	for _, stops := range []bool{true, false} {
		r := walker(t, 90)
		r.do(moving(RunForward, 1))
		r.AnimationDone(true)
		eq(t, "pending", r.MotionsPending(), false)
		p := params(0, components.ParamStopCompletely)
		want := RunForward
		if stops {
			p.Flags |= components.ParamStopCompletely
			want = Ready
		}
		r.TurnToHeading(p)
		eq(t, "DEV-5 type", r.MovingTo(), TurnToHeading)
		eq(t, "forward", r.Interpreted.Forward, want)
		for r.MovingTo() != 0 && r.now < 10 {
			eq(t, "substate", stops || r.MotionState.Substate == RunForward, true)
			r.quantum(fps)
		}
		r.wantEnd(TurnToHeading, 0)
		eq(t, "in the end all stops", r.Interpreted.Forward, Ready)
		near(t, "heading", float64(r.heading()), 0)
	}
}

func TestD_36_TurnToHeadingBeginsInTheCall(t *testing.T) {
	r := walker(t, 0)
	p := params(0, components.ParamStopCompletely)
	p.DesiredHeading = 90
	r.TurnToHeading(p)
	eq(t, "list", r.list(), "T")
	eq(t, "pending", r.motions(), "TurnRight")
	eq(t, "turns", r.Interpreted.Turn, TurnRight)

	r = walker(t, 0)
	r.pendMotion(0, Ready, 0)
	r.TurnToHeading(p)
	eq(t, "with something pending the node waits", r.manager().CurrentCommand, 0)
	eq(t, "nodes", r.plan(), "turn 90")
	r.MoveToTime()
	eq(t, "and still does", r.manager().CurrentCommand, 0)
	r.popMotion()
	r.MoveToTime()
	eq(t, "then begins", r.manager().CurrentCommand, TurnRight)
}

func TestD_40_FirstDistanceIsThePlainOne(t *testing.T) {
	r := walker(t, 90)
	r.Traits.Radius, r.Traits.Height = 0.5, 2
	r.MoveToPosition(spot(0, 0.8, 0), params(components.ParamUseSpheres, 0))
	eq(t, "nodes", r.plan(), "turn 0, go")
	walked := false
	for r.MovingTo() != 0 && r.now < 10 {
		r.quantum(fps)
		walked = walked || r.Interpreted.Forward != Ready
	}
	r.wantEnd(MoveToPosition, 0)
	eq(t, "walked", walked, false)
	near(t, "turned", float64(r.heading()), 0)
	near(t, "stands", float64(r.Pose.Frame.Origin[1]), 0)
}

func TestD_23_FinalHeadingOfTheNewParameters(t *testing.T) {
	r := walker(t, 0)
	r.TurnToHeading(params(0, 0)) // the previous order has none
	r.MoveToPosition(spot(0, 5, 0), final(45))
	eq(t, "a final turn, absolute", r.plan(), "go, turn 45") // the first turn needs nothing
	r.MoveToPosition(spot(5, 0, 0), params(0, 0))
	eq(t, "and none", r.plan(), "turn 90, go")
	near := spot(0, 0.3, 0)
	r.MoveToPosition(near, final(45))
	eq(t, "near enough: the turn alone", r.plan(), "turn 45")
}

func TestR6_12_OfOneself(t *testing.T) {
	r := walker(t, 90)
	r.MoveToObject(other, self, 1, 2, params(components.ParamSticky, 0))
	r.wantEnd(MoveToObject, 0)
	r.forget()
	r.TurnToObject(other, self, params(0, 0))
	r.wantEnd(TurnToObject, 0)
	for _, s := range r.told {
		if strings.HasPrefix(s, "target") || strings.HasPrefix(s, "stick") {
			t.Error(s)
		}
	}
}

func TestR6_13_ArrivesAndSticks(t *testing.T) {
	for _, sticky := range []components.ParamFlags{0, components.ParamSticky} {
		r := walker(t, 0)
		r.standsAt(other, spot(0, 0.5, 0), spot(0, 0.5, 0))
		r.MoveToObject(9, other, 0.7, 1.8, params(sticky, 0))
		r.wantEnd(MoveToObject, 0)
		want := "unstick, target 0 50000002 0.5 0, clear, moved 6 0x00"
		if sticky != 0 {
			want += ", stick 50000002 0.7 1.8"
		}
		eq(t, "told", strings.Join(r.toldButDone(), ", "), want)
	}
	// types 7 and 9 never stick
	r := walker(t, 0)
	r.MoveToPosition(spot(0, 0.5, 0), params(components.ParamSticky, 0))
	r.TurnToHeading(params(components.ParamSticky, 0))
	eq(t, "ended", strings.Join(r.ended, ", "), "7 0x00, 9 0x00")
	eq(t, "sticks", strings.Contains(strings.Join(r.told, ", "), ", stick"), false)
}

func TestR6_10_Refusals(t *testing.T) {
	for _, c := range []struct {
		name string
		set  func(r *rig)
		want uint32
	}{
		{"the table refuses", func(r *rig) { r.MotionState.Style = 0 }, NoMtableData},
		{"no interpreter", func(r *rig) { r.Interpreter.Initted = false }, NoMotionInterpreter},
		{"no motion table", func(r *rig) { r.Identity.Table = -1 }, NoAnimationTable},
	} {
		r := walker(t, 0)
		c.set(r)
		p := params(0, components.ParamStopCompletely)
		p.DesiredHeading = 90
		r.TurnToHeading(p)
		if r.wantEnd(TurnToHeading, c.want); t.Failed() {
			t.Fatal(c.name)
		}
		eq(t, c.name+": nodes", r.plan(), "")
		r.check()
	}
	r := walker(t, 0)
	r.Tables.Motions[0].DefaultStyle = 0 // refuses to walk
	r.MotionState.Style = 0
	r.Pending.Motions.Clear(&r.Pools.PendingMotions)
	r.MoveToPosition(spot(0, 5, 0), params(0, 0))
	r.wantEnd(MoveToPosition, NoMtableData)
}

// TestR6_29_StopMakesTheInterpreter: an order that stops first finds one.
//
// An order that stops first stops the object (R6.11).
func TestR6_29_StopMakesTheInterpreter(t *testing.T) {
	r := newRig(t, human())
	r.MoveToPosition(spot(0, 5, 0), params(0, 0))
	eq(t, "made", r.Interpreter.Initted, true)
	eq(t, "type", r.MovingTo(), MoveToPosition)
}

func TestOrdersRefuseWhatIsNotFinite(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	r := walker(t, 90)
	r.MoveToPosition(spot(0, 5, 0), params(0, 0))
	before := Describe(r.Row, r.Tables, r.Pools)
	for _, breakIt := range []func(p *components.MoveParams){
		func(p *components.MoveParams) { p.DistanceToObject = nan }, func(p *components.MoveParams) { p.MinDistance = inf },
		func(p *components.MoveParams) { p.DesiredHeading = nan }, func(p *components.MoveParams) { p.Speed = inf },
		func(p *components.MoveParams) { p.FailDistance = inf }, func(p *components.MoveParams) { p.WalkRunThreshold = nan },
	} {
		p := params(0, 0)
		breakIt(p)
		eq(t, "object", r.MoveToObject(other, other, 1, 1, p), GeneralMovementFailure)
		eq(t, "position", r.MoveToPosition(spot(0, 5, 0), p), GeneralMovementFailure)
		eq(t, "turn to object", r.TurnToObject(other, other, p), GeneralMovementFailure)
		eq(t, "turn", r.TurnToHeading(p), GeneralMovementFailure)
	}
	eq(t, "radius", r.MoveToObject(other, other, nan, 1, params(0, 0)), GeneralMovementFailure)
	eq(t, "height", r.MoveToObject(other, other, 1, inf, params(0, 0)), GeneralMovementFailure)
	eq(t, "place", r.MoveToPosition(spot(nan, 5, 0), params(0, 0)), GeneralMovementFailure)
	eq(t, "changed nothing", Describe(r.Row, r.Tables, r.Pools), before)
}

func TestR6_23_CleanUp(t *testing.T) {
	r := walker(t, 0)
	r.standsAt(other, spot(0, 50, 0), spot(0, 50, 0))
	r.MoveToObject(other, other, 1, 2, params(0, 0))
	r.RemoveLinkAnimations() // nothing pending
	r.face(30)
	r.MoveToTime()
	eq(t, "steers", r.manager().AuxCommand, TurnLeft)
	r.forget()
	r.CancelMoveTo(ITeleported)
	r.wantEnd(MoveToObject, ITeleported)
	eq(t, "forward", r.Interpreted.Forward, Ready)
	eq(t, "turn", r.Interpreted.Turn, 0)
	eq(t, "no turning left in the sequence", r.Sequence.Omega, space.Vec3{})
	eq(t, "stops both, then everything", r.anims(), "Ready 1, Ready 0, Ready 0")
	eq(t, "target", r.target.ID, 0)
	r.forget()
	r.CancelMoveTo(ITeleported)
	eq(t, "once", len(r.told), 0)
}

func TestR6_25_HitGroundResumes(t *testing.T) {
	r := walker(t, 0)
	r.Body.Transient = 0
	r.MoveToPosition(spot(0, 50, 0), params(0, 0))
	eq(t, "the state alone runs", r.Interpreted.Forward, RunForward)
	r.quantum(fps)
	eq(t, "R6.16 no clock in the air", r.plan(), "go")
	r.manager().PrevDistance = 1
	r.Body.Transient = components.Contact | components.OnWalkable
	r.HitGround()
	eq(t, "runs", r.MotionState.Substate, RunForward)
	near(t, "measured anew", float64(r.manager().PrevDistance), 50)

	// not gated by what gates the interpreter (R5.39)
	statue := walker(t, 0)
	statue.Body.State = 0
	statue.MoveToPosition(spot(0, 50, 0), params(0, 0))
	statue.manager().PrevDistance = 1
	statue.HitGround()
	near(t, "measured anew", float64(statue.manager().PrevDistance), 50)

	// waiting for its target it has no node, and has arrived
	waits := walker(t, 0)
	waits.MoveToObject(other, other, 1, 1, params(0, 0))
	waits.HitGround()
	waits.wantEnd(MoveToObject, 0)

	nobody := walker(t, 0)
	nobody.HitGround()
	eq(t, "no order", len(nobody.ended), 0)
}

// TestSpec06_8_WhoCancels: who ends an order, and who does not.
//
// Cancelling ends what is under way, and is nothing without (R6.24).
func TestSpec06_8_WhoCancels(t *testing.T) {
	quiet := params(0, components.ParamCancelMoveTo)
	for _, c := range []struct {
		name    string
		do      func(r *rig)
		cancels bool
	}{
		{"movement event", func(r *rig) { s := DefaultState(); r.InboundState(NonCombat, &s, nil, false) }, true},
		{"its first step", func(r *rig) { r.InboundBegin(NonCombat) }, true},
		{"DoMotion", func(r *rig) { r.DoMotion(WalkForward, params(0, 0)) }, true},
		{"DoMotion without the bit", func(r *rig) { r.DoMotion(TurnRight, quiet) }, false},
		{"StopMotion", func(r *rig) { r.StopMotion(WalkForward, params(0, 0)) }, true},
		{"StopMotion without the bit", func(r *rig) { r.StopMotion(WalkForward, quiet) }, false},
		{"StopCompletely", func(r *rig) { r.StopCompletely() }, true},
		{"jump", func(r *rig) { r.Jump(1) }, true},
		{"move_to_interpreted_state", func(r *rig) { s := DefaultState(); r.MoveToInterpretedState(&s, nil) }, true},
		{"raw", func(r *rig) { r.InstallRaw(DefaultRaw()) }, false},
		{"interpreted commands", func(r *rig) { r.DoInterpretedMotion(WalkForward, params(0, 0)) }, false},
		{"leaving ground", func(r *rig) { r.LeaveGround() }, false},
		{"leaving the world", func(r *rig) { r.ExitWorld() }, false},
		{"the manager's own commands", func(r *rig) { r.CheckForCompletedMotions(); r.MoveToTime() }, false},
	} {
		r := walker(t, 0)
		r.MoveToPosition(spot(40, 0, 0), params(0, 0))
		r.forget()
		c.do(r)
		if c.cancels {
			r.wantEnd(MoveToPosition, ActionCancelled)
		}
		if got := r.MovingTo() == InvalidMovement; got != c.cancels {
			t.Errorf("%s: cancelled %v", c.name, got)
		}
		r.check()
	}
}

// TestF43: orders that might never end do, and the outside is told.
func TestF43_EveryOrderEnds(t *testing.T) {
	run := func(r *rig, limit float64) {
		for r.MovingTo() != 0 && r.now < limit {
			r.quantum(fps)
		}
	}
	r := walker(t, 180)
	r.MoveToPosition(spot(0, 10, 0), params(0, 0))
	r.quantum(fps)
	eq(t, "in the turn", r.manager().CurrentCommand == TurnRight || r.manager().CurrentCommand == TurnLeft, true)
	r.do(DefaultState())
	r.wantEnd(MoveToPosition, ActionCancelled)

	r = walker(t, 0) // out of reach, above the ground
	p := params(0, 0)
	p.FailDistance = 5
	r.MoveToPosition(spot(0, 8, 3), p)
	run(r, 10)
	r.wantEnd(MoveToPosition, YouChargedTooFar)

	r = walker(t, 0) // above the ground, no higher than the mover
	r.Traits.Radius, r.Traits.Height = 0.5, 2
	r.MoveToPosition(spot(0, 4, 1), params(components.ParamUseSpheres, 0))
	run(r, 10)
	r.wantEnd(MoveToPosition, 0)

	for _, status := range []components.TargetStatus{components.TargetExitWorld, components.TargetTimedOut} {
		r = walker(t, 0) // who left, or never answered
		p = params(0, 0)
		if status == components.TargetExitWorld {
			r.standsAt(other, spot(0, 30, 0), spot(0, 30, 0))
		}
		r.MoveToObject(other, other, 0, 0, p)
		r.quantum(fps)
		r.update(components.Target{Status: status})
		if status == components.TargetExitWorld {
			r.wantEnd(MoveToObject, ObjectGone)
		} else {
			r.wantEnd(MoveToObject, NoObject)
		}
	}
}

func TestF44_StartedAndCancelledInOneTick(t *testing.T) {
	for _, heading := range []float32{0, 37, 90, 211} {
		for _, do := range []func(r *rig){
			func(r *rig) { r.MoveToPosition(spot(3, -7, 0), params(0, 0)) },
			func(r *rig) { r.TurnToHeading(final(123)) },
			func(r *rig) {
				r.standsAt(other, spot(5, 5, 0), spot(5, 5, 0))
				r.TurnToObject(other, other, params(0, 0))
			},
		} {
			r := walker(t, heading)
			before := r.Pose.Position
			do(r)
			r.CancelMoveTo(ActionCancelled)
			eq(t, "pose", r.Pose.Position, before)
			for range 20 {
				r.quantum(fps)
			}
			eq(t, "a second later", r.Pose.Position, before)
		}
	}
}

// TestF12: an order from before the world was entered runs from the first tick.
func TestF12_OrderBeforeTheWorld(t *testing.T) {
	r := walker(t, 0)
	cell := r.Pose.Cell
	r.Pose.Cell = 0
	r.MoveToPosition(space.Position{Cell: cell, Frame: space.Frame{Origin: space.Vec3{0, 10, 0}, Rotation: space.IdentityQuat}}, params(0, 0))
	r.Pose.Cell = cell
	r.EnterWorld()
	eq(t, "type", r.MovingTo(), MoveToPosition)
	for r.MovingTo() != 0 && r.now < 10 {
		r.quantum(fps)
	}
	r.wantEnd(MoveToPosition, 0)
	if y := r.Pose.Frame.Origin[1]; y < 9.3 || y > 9.8 {
		t.Errorf("stands at %v", y)
	}
}
