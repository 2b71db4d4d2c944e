package systems

import (
	"fmt"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/ecs"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/wire"
)

// Orders to go and to turn, and sticking, through messages: 06, 13, and the
// field cases F12 and F40 to F45.

// errand is a copy of what a remote is about.
type errand struct {
	moveTo  components.MoveTo
	sticky  components.Sticky
	target  components.Target
	voyeurs []uint32
	lastRun float64
}

func (r *rig) errand(guid uint32) (c errand) {
	r.Helper()
	ok := r.e.Inspect(guid, func(v *components.Row, p *components.Pools) {
		e := v.Errand
		if m := e.MoveTo(p); m != nil {
			c.moveTo = *m
		}
		if s := e.Sticky(p); s != nil {
			c.sticky = *s
		}
		if t := e.Target(p); t != nil {
			c.target = *t
		}
		for _, v := range e.Voyeurs(p) {
			c.voyeurs = append(c.voyeurs, v.ID)
		}
		if m := e.Targets.Get(&p.TargetManagers); m != nil {
			c.lastRun = m.LastRun
		}
	})
	if !ok {
		r.Fatalf("0x%08X is not there", guid)
	}
	return c
}

// order sends a remote a movement message with this body.
func (r *rig) order(guid uint32, b wire.Body) {
	r.Helper()
	m := r.movement(guid, does{})
	m.Body = b
	r.send(m)
}

// goTo is the body of an order to go to an object, by the distance of centres.
func goTo(target uint32) wire.Body {
	p := wire.DefaultParams()
	p.Flags &^= uint32(components.ParamUseSpheres)
	return wire.Body{Type: wire.TypeMoveToObject, Target: target, Cell: 0xA9B40001, Origin: space.Vec3{20, 20, 0}, Params: p, RunRate: 1}
}

// goThere is one to go to a place.
func goThere(p space.Position) wire.Body {
	b := goTo(0)
	b.Type, b.Cell, b.Origin = wire.TypeMoveToPosition, p.Cell, p.Frame.Origin
	return b
}

// face is one to turn to an object.
func face(target uint32) wire.Body {
	p := wire.DefaultParams()
	return wire.Body{Type: wire.TypeTurnToObject, Target: target, Params: wire.Params{Flags: p.Flags, Speed: 1}}
}

// turn is one to turn to a heading.
func turn(heading float32) wire.Body {
	return wire.Body{Type: wire.TypeTurnToHeading, Params: wire.Params{Flags: wire.DefaultParams().Flags, Speed: 1, DesiredHeading: heading}}
}

// sticking is a state of standing still, stuck to an object.
func sticking(target uint32) wire.Body {
	b := wire.Body{State: does{}.state(), Sticky: target}
	b.Style = b.State.Style
	b.Fresh()
	return b
}

func (r *rig) heading(guid uint32) float64 {
	return float64(space.Heading(r.row(guid).Pose.Frame.Rotation))
}

func (r *rig) stuck(guid uint32) bool { return r.row(guid).Rest.Busy&components.Stuck != 0 }

// told are the statuses that a remote heard of its target in the last tick.
func (r *rig) told(guid uint32) (s []components.TargetStatus) {
	for _, e := range r.e.Events() {
		if e.Guid == guid && e.Kind == TargetTold {
			s = append(s, components.TargetStatus(e.Code))
		}
	}
	return s
}

// ended are the orders of a remote that ended in the last tick, as type and code.
func (r *rig) ended(guid uint32) (s []string) {
	for _, e := range r.e.Events() {
		if e.Guid == guid && e.Kind == MoveToEnded {
			s = append(s, fmt.Sprintf("%d %#x", e.Motion, e.Code))
		}
	}
	return s
}

// until ticks until an order of a remote ends, at most n ticks.
func (r *rig) until(guid uint32, n int) []string {
	r.Helper()
	for range n {
		r.tick(1)
		if e := r.ended(guid); len(e) > 0 {
			return e
		}
	}
	return nil
}

const (
	cancelled = "0x36"
	gone      = "0x37"
	noObject  = "0x38"
)

func TestF12_CreatedGoing(t *testing.T) {
	for _, c := range []struct {
		x, y float32
		turn uint32
	}{{108, 118, 0}, {118, 108, motion.TurnRight}, {98, 108, motion.TurnLeft}, {250, 108, motion.TurnRight}} {
		r := newRig(t, Options{})
		goal := spot(c.x, c.y, 0)
		m := creates(me, 1, 108, 108)
		m.Physics.HasBody, m.Physics.Body = true, goThere(goal)
		m.Physics.Fresh()
		r.send(m)
		r.tick(1)
		r.wantVerdicts(Applied)
		same(t, "moving to", r.errand(me).moveTo.Type, uint32(motion.MoveToPosition))
		sameList(t, "events", r.kinds(me), Entered)
		last := apart(r.world(me), inWorld(&goal))
		if c.turn == 0 {
			if last > 9.95 {
				t.Errorf("%v m to go after the first tick", last)
			}
		} else {
			h := r.heading(me)
			if h > 180 {
				h -= 360
			}
			if h == 0 || h > 0 != (c.turn == motion.TurnRight) {
				t.Errorf("to %v, %v: heading %v after the first tick", c.x, c.y, h)
			}
		}
		same(t, "end", fmt.Sprint(r.until(me, 2000)), "[7 0x0]")
		if d := apart(r.world(me), inWorld(&goal)); d > 0.6 || d < 0.3 {
			t.Errorf("ends %v m off", d)
		}
	}
}

// To somebody who is created in the same tick, before or after it, as well as to
// somebody who is there; one who is not known is a place (R6.26).
func TestF12_CreatedGoingToSomebody(t *testing.T) {
	for name, c := range map[string]struct {
		other  uint32
		before bool
		want   motion.MovementType
	}{
		"there": {me + 1, true, motion.MoveToObject}, "later guid": {me + 1, false, motion.MoveToObject},
		"earlier guid": {me - 1, false, motion.MoveToObject}, "unknown": {me + 9, false, motion.MoveToPosition},
	} {
		r := newRig(t, Options{})
		r.unchecked = true
		if c.before {
			r.send(creates(c.other, 1, 108, 118))
			r.tick(1)
		}
		m := creates(me, 1, 108, 108)
		m.Physics.HasBody, m.Physics.Body = true, goTo(c.other)
		m.Physics.Fresh()
		r.send(m)
		if !c.before && c.other != me+9 {
			r.send(creates(c.other, 1, 108, 118))
		}
		r.tick(1)
		same(t, name, motion.MovementType(r.errand(me).moveTo.Type), c.want)
		if c.want == motion.MoveToObject {
			sameList(t, name+": voyeurs", r.errand(c.other).voyeurs, me)
			near(t, name+": way of the first tick", r.north(me), 3.12/30, 0.02)
		}
		same(t, name+": end", fmt.Sprint(r.until(me, 3000)), fmt.Sprintf("[%d 0x0]", c.want))
	}
}

// Whom a creature goes to when it is created it finds from where it stands, and
// what it was doing shows at once as ever (R4.16).
func TestF12_CreatedSticking(t *testing.T) {
	r := newRig(t, Options{})
	r.send(creates(me+1, 1, 108, 118))
	r.tick(1)
	m := creates(me, 1, 108, 108)
	m.Physics.HasBody, m.Physics.Body = true, sticking(me+1)
	m.Physics.Fresh()
	r.send(m)
	r.tick(1)
	near(t, "way of the first tick", r.north(me), 20./30, 1e-4)
	target := r.errand(me).target
	same(t, "heading of the target", target.Heading, space.Vec3{0, 1, 0})
	same(t, "stuck", r.stuck(me), true)
}

func TestF40_FollowsForASecond(t *testing.T) {
	for _, hz := range []float64{30, 16, 10} {
		for _, other := range []uint32{me - 1, me + 1} {
			r := newRig(t, Options{TicksPerSecond: hz})
			r.spawn(human(me, 108, 108))
			r.spawn(human(other, 108, 110.5))
			r.tick(1)
			r.move(other, does{forward: run, speed: 1.25}) // 5 m/s
			r.seconds(2)
			r.send(r.teleportTo(me, spot(108, 108+float32(r.north(other))-2, 0)))
			r.tick(1)
			r.order(me, sticking(other))
			at := r.e.Now() + 1
			for r.e.Now() < at+uint64(hz) { // up to and with t = 1 s
				y := r.north(me)
				r.tick(1)
				if r.north(me) < y+3.9/hz {
					t.Fatalf("%v Hz: %v m in tick %d", hz, r.north(me)-y, r.e.Now()-at)
				}
				same(t, "stuck", r.stuck(me), true)
			}
			r.tick(1) // in its adjust it still followed; then the clock was past the deadline
			same(t, "stuck", r.stuck(me), false)
			sameList(t, "voyeurs", r.errand(other).voyeurs)
			was := r.world(me)
			r.seconds(1)
			same(t, "stands", r.world(me), was)
		}
	}
}

func TestF41_StepsByTheGap(t *testing.T) {
	const step = 20. / 30
	radii := 2*0.6788225 + 0.3
	// a hair less than a whole step inwards: rounding is not what is tested
	for _, c := range []struct{ gap, want float64 }{{2, 1}, {1, 1}, {0.5, 0.5}, {0, 0}, {-0.5, -0.5}, {-0.9999, -0.9999}, {-2, 1}} {
		r := newRig(t, Options{})
		r.spawn(human(me, 108, 108))
		r.spawn(human(me+1, 108, 108+float32(radii+c.gap*step)))
		r.tick(1)
		r.order(me, sticking(me+1))
		r.tick(1)
		near(t, fmt.Sprintf("%v steps", c.gap), r.north(me)/step, c.want, 2e-4)
		near(t, "heading", r.heading(me), 0, 1e-3)
	}
}

func TestF42_HeadingStaysWhereThereIsNone(t *testing.T) {
	for _, order := range []wire.Body{sticking(me + 1), goTo(me + 1), face(me + 1)} {
		r := newRig(t, Options{})
		r.unchecked = true
		s := human(me, 108, 108)
		s.Place = spot(108, 108, 77)
		r.spawn(s)
		r.spawn(human(me+1, 108, 108)) // on the spot
		r.tick(1)
		rotation := r.row(me).Pose.Frame.Rotation
		r.order(me, order)
		for range 20 {
			r.tick(1)
			c := r.row(me).Pose.Frame
			if order.Type != wire.TypeTurnToObject { // its bearing is 0: R6.2
				same(t, "rotation", c.Rotation, rotation)
			}
			same(t, "origin", c.Origin, space.Vec3{108, 108, 0})
		}
	}
	// nearer than the radii: the way to it is a way, and is faced
	r := newRig(t, Options{})
	r.spawn(human(me, 108, 108))
	r.spawn(human(me+1, 108.2, 108))
	r.tick(1)
	r.order(me, sticking(me+1))
	r.tick(1)
	near(t, "heading", r.heading(me), 90, 1e-3)
}

func TestF43_ReadyInTheTurn(t *testing.T) {
	r := standing(t, Options{})
	r.order(me, goThere(spot(108, 98, 0)))
	r.tick(6)
	same(t, "turns", r.row(me).Interpreted.Turn, motion.TurnRight)
	r.move(me, does{})
	r.tick(1)
	sameList(t, "ended", r.ended(me), "7 "+cancelled)
	h := r.heading(me)
	r.tick(5)
	same(t, "heading", r.heading(me), h)
	same(t, "turn", r.row(me).Interpreted.Turn, 0)
}

func TestF43_TargetLeft(t *testing.T) {
	for _, order := range []wire.Body{goTo(me + 1), face(me + 1)} {
		r := standing(t, Options{})
		r.spawn(human(me+1, 108, 90))
		r.tick(1)
		r.order(me, order)
		r.tick(5)
		r.e.Remove(me + 1)
		r.tick(1)
		sameList(t, "told", r.told(me), components.TargetExitWorld)
		sameList(t, "ended", r.ended(me), fmt.Sprintf("%d %s", order.Type, gone))
		same(t, "target", r.errand(me).target.ID, 0)
		was := r.heading(me)
		r.tick(30)
		same(t, "turns no more", r.heading(me), was)
	}
}

// What is too high to reach is left when the mover has gone too far for it.
func TestF43_PointAboveTheGround(t *testing.T) {
	r := standing(t, Options{})
	goal := spot(108, 118, 0)
	goal.Frame.Origin[2] = 5
	b := goThere(goal)
	b.Params.FailDistance = 9
	r.order(me, b)
	if e := fmt.Sprint(r.until(me, 3000)); e != "[7 0x3d]" {
		t.Errorf("ended %s", e)
	}
}

func TestF44_CancelledInItsTick(t *testing.T) {
	for _, order := range []wire.Body{goThere(spot(98, 98, 0)), goTo(me + 1), face(me + 1), turn(123), sticking(me + 1)} {
		r := newRig(t, Options{})
		s := human(me, 108, 108)
		s.Place = spot(108, 108, 77)
		r.spawn(s)
		r.spawn(human(me+1, 100, 90))
		r.tick(10)
		before := r.row(me).Pose.Frame
		r.order(me, order)
		r.move(me, does{})
		for range 60 {
			r.tick(1)
			same(t, fmt.Sprint("frame after type ", order.Type), r.row(me).Pose.Frame, before)
		}
		sameList(t, "voyeurs", r.errand(me+1).voyeurs)
	}
}

// A target that walks backwards out of reach is in reach whenever it is asked,
// since who follows moves before he asks; a new order to strike every so often
// does not turn him away.
func TestF45_FollowFirstThenAsk(t *testing.T) {
	for _, other := range []uint32{me - 1, me + 1} {
		for _, every := range []int{6, 15, 30} {
			r := newRig(t, Options{})
			s := creature(other, 0, 0)
			s.Place = spot(108, 110, 180)
			s.MotionTable, s.Setup = humanTable, humanSetup
			r.spawn(human(me, 108, 108))
			r.spawn(s)
			r.tick(1)
			r.move(other, does{forward: walk, speed: -0.65}) // faces him, and recedes at 0.65·3.12 m/s
			r.tick(30)
			began := r.north(other)
			for tick := range 90 {
				if tick%every == 0 {
					b := sticking(me + 1)
					b.Sticky = other
					if every < 30 { // else the stick would be over long before
						b.State.Actions[0] = wire.NewAction(wire.CommandIndex(wave), uint16(tick+1), false, 1)
						b.State.Count = 1
					}
					b.Fresh()
					r.order(me, b)
				}
				r.tick(1)
				if tick < 5 || !r.stuck(me) && tick%every != 0 {
					continue // catching up; or a stroke is done, and with it the stick
				}
				a, b := r.row(me), r.row(other)
				d := space.CylinderDistanceNoZ(a.Traits.Radius, &a.Pose.Position, b.Traits.Radius, &b.Pose.Position)
				if d > 0.6 {
					t.Fatalf("other 0x%X, an order every %d ticks: %v m at tick %d", other, every, d, tick)
				}
				near(t, "heading", r.heading(me), 0, 0.1)
			}
			near(t, "way of the target", r.north(other)-began, 0.65*3.12*3, 0.1)
		}
	}
}

// D-22: no turn before the first update. One who is out of the world does not
// answer; after more than ten seconds the order fails (13 §5).
func TestD_22_NoTurnBeforeTheFirstUpdate(t *testing.T) {
	for _, order := range []wire.Body{goTo(me + 1), face(me + 1)} {
		r := standing(t, Options{})
		r.spawn(human(me+1, 108, 90))
		r.tick(1)
		r.send(&wire.Pickup{Guid: me + 1, Position: 1})
		r.tick(1)
		r.wantVerdicts(Applied)
		before := r.row(me).Pose.Frame
		r.order(me, order)
		for range 300 {
			r.tick(1)
			same(t, "frame", r.row(me).Pose.Frame, before)
			same(t, "nodes", r.errand(me).moveTo.Nodes.Len, 0)
			sameList(t, "ended", r.ended(me))
		}
		sameList(t, "ended", r.until(me, 17), fmt.Sprintf("%d %s", order.Type, noObject))
		sameList(t, "told", r.told(me), components.TargetTimedOut)
	}
}

func TestDEV_5_TypesEightAndNineAreTurns(t *testing.T) {
	for _, order := range []wire.Body{turn(90), face(me + 1)} {
		order.Params.Flags &^= uint32(components.ParamStopCompletely)
		r := standing(t, Options{})
		r.spawn(human(me+1, 1000, 108))
		r.move(me, does{forward: run})
		r.seconds(2)
		r.order(me, order)
		r.tick(1)
		same(t, "moving to", r.errand(me).moveTo.Type, uint32(order.Type))
		for len(r.ended(me)) == 0 {
			same(t, "substate", r.row(me).MotionState.Substate, run)
			same(t, "forward", r.row(me).Interpreted.Forward, run)
			r.tick(1)
			if r.e.Now() > 300 {
				t.Fatal("never ends")
			}
		}
		sameList(t, "ended", r.ended(me), fmt.Sprintf("%d 0x0", order.Type))
	}
}

func TestD_36_D_37_TurnToHeadingByMessage(t *testing.T) {
	for _, stops := range []bool{true, false} {
		r := standing(t, Options{})
		r.move(me, does{forward: run})
		r.seconds(1)
		b := turn(90)
		b.Params.Flags &^= uint32(components.ParamStopCompletely)
		want := run
		if stops {
			b.Params.Flags |= uint32(components.ParamStopCompletely)
			want = ready
		}
		r.order(me, b)
		r.tick(1)
		same(t, "D-37 forward", r.row(me).Interpreted.Forward, want)
	}
	r := standing(t, Options{})
	r.seconds(1)
	b := turn(90)
	b.Params.Flags &^= uint32(components.ParamStopCompletely) // whose Ready would be pending
	r.order(me, b)
	r.tick(1)
	same(t, "D-36 turns in its tick", r.row(me).Interpreted.Turn, right)
	if h := r.heading(me); h == 0 {
		t.Error("does not turn in its tick")
	}
}

func TestD_40_GoesNowhereByTheSpheres(t *testing.T) {
	r := standing(t, Options{})
	goal := spot(109.2, 108, 0) // 1.2 m off, 0.52 m off the body
	b := goThere(goal)
	b.Params.Flags |= uint32(components.ParamUseSpheres)
	r.order(me, b)
	r.tick(1)
	same(t, "nodes", r.errand(me).moveTo.Nodes.Len, 2)
	at := r.row(me).Pose.Frame.Origin
	sameList(t, "ended", r.until(me, 100), "7 0x0")
	same(t, "origin", r.row(me).Pose.Frame.Origin, at)
	near(t, "heading", r.heading(me), 90, 1e-3)
}

// B sticks to nobody there is; A, going to B, hears of B on B's half seconds.
func TestD_48_ServedWhateverTheTargetSaid(t *testing.T) {
	r := newRig(t, Options{})
	a, b := uint32(me), uint32(me+1)
	r.spawn(human(a, 108, 40))
	r.spawn(human(b, 108, 108))
	r.tick(1)
	r.move(b, does{forward: run})
	r.seconds(1)
	r.command(Command{Guid: b, Do: DoStick, Target: 0x77})
	r.order(a, goTo(b))
	r.tick(1)
	first := r.e.Now()
	// the answer; and since a new manager is due at once, how far B will get in
	// the time that A, who is on his way by now, thinks he needs
	sameList(t, "told at once", r.told(a), components.TargetOK, components.TargetOK)
	var ticks []uint64
	for range 60 {
		r.tick(1)
		if len(r.told(a)) > 0 {
			ticks = append(ticks, r.e.Now()-first)
		}
	}
	sameList(t, "ticks", ticks, 15, 30, 45, 60)
}

// Two who stick to each other read each other as they stood, so neither is ahead.
func TestSpec13_5_StuckToEachOther(t *testing.T) {
	r := newRig(t, Options{})
	a, b := uint32(me), uint32(me+1)
	r.spawn(human(a, 108, 100))
	r.spawn(human(b, 108, 116))
	r.tick(1)
	r.order(a, sticking(b))
	r.order(b, sticking(a))
	for range 31 {
		r.tick(1)
		near(t, "the middle", (r.north(a)+r.north(b))/2, 0, 1e-4)
		near(t, "heading of one", r.heading(a), 0, 1e-3)
		near(t, "heading of the other", r.heading(b), 180, 1e-3)
	}
	r.tick(5)
	same(t, "stuck", r.stuck(a) || r.stuck(b), false)
	sameList(t, "voyeurs", append(r.errand(a).voyeurs, r.errand(b).voyeurs...))
}

// A chain moves as one: each follows where the one before stood.
func TestSpec13_5_Chain(t *testing.T) {
	for _, up := range []bool{true, false} {
		r := newRig(t, Options{})
		var ids []uint32
		for i := range uint32(6) {
			guid := me + i
			if !up {
				guid = me + 5 - i
			}
			ids = append(ids, guid)
			r.spawn(human(guid, 108, 108-3*float32(i)))
		}
		r.tick(1)
		r.move(ids[0], does{forward: run})
		r.tick(20)
		for i := 1; i < len(ids); i++ {
			r.order(ids[i], sticking(ids[i-1]))
		}
		r.tick(25)
		gap := 2*0.6788225 + 0.3
		for i := 1; i < len(ids); i++ { // a tick's run behind each
			near(t, fmt.Sprint("link ", i), r.north(ids[i-1])-r.north(ids[i]), gap+4./30, 0.01)
		}
	}
}

func TestFollowingOneself(t *testing.T) {
	for _, order := range []wire.Body{sticking(me), goTo(me), face(me)} {
		r := standing(t, Options{})
		before := r.row(me).Pose.Frame
		r.order(me, order)
		r.tick(1)
		if order.Type == wire.TypeState {
			sameList(t, "voyeurs", r.errand(me).voyeurs, me)
		} else {
			sameList(t, "ended", r.ended(me), fmt.Sprintf("%d 0x0", order.Type))
		}
		r.tick(40)
		same(t, "frame", r.row(me).Pose.Frame, before)
		sameList(t, "voyeurs", r.errand(me).voyeurs)
		r.order(me, order) // and goes so
		r.tick(1)
		r.send(&wire.Delete{Guid: me})
		r.tick(2)
		same(t, "there", r.has(me), false)
	}
}

// A sticky arrival subscribes while all are updated: answered at once with where
// the target stood, and the target's list has it when the tick is done (13 §5).
func TestSpec13_5_ArrivesAndSticks(t *testing.T) {
	for _, other := range []uint32{me - 1, me + 1} {
		r := newRig(t, Options{})
		r.spawn(human(me, 108, 100))
		r.spawn(human(other, 108, 108))
		r.tick(1)
		b := goTo(other)
		b.Params.Flags |= uint32(components.ParamSticky)
		r.order(me, b)
		sameList(t, "ended", r.until(me, 300), "6 0x0")
		same(t, "stuck", r.stuck(me), true)
		e := r.errand(me)
		same(t, "answered", e.sticky.Initialized, true)
		same(t, "deadline", e.sticky.Deadline, float64(r.e.Now())/30+1)
		sameList(t, "voyeurs", r.errand(other).voyeurs, me)
		r.tick(31)
		same(t, "stuck", r.stuck(me), false)
		sameList(t, "voyeurs", r.errand(other).voyeurs)
	}
}

// A target that rests tells what it would tell if it did not: on its own grid,
// and to who came while it rested.
func TestSpec13_5_RestingTarget(t *testing.T) {
	rests, always := newRig(t, Options{}), newRig(t, Options{AlwaysUpdate: true})
	for _, r := range []*rig{rests, always} {
		r.unchecked = true
		r.spawn(human(me, 108, 60))
		r.spawn(human(me+1, 108, 108))
		r.spawn(human(me+2, 90, 108))
	}
	script := map[int]func(r *rig){
		40:   func(r *rig) { r.order(me, goTo(me+1)) },
		90:   func(r *rig) { r.order(me+2, goTo(me+1)) },
		307:  func(r *rig) { r.order(me+2, sticking(me+1)) },
		411:  func(r *rig) { r.move(me+1, does{forward: run}) },
		440:  func(r *rig) { r.order(me, goTo(me+1)); r.order(me+2, goTo(me+1)) },
		520:  func(r *rig) { r.move(me+1, does{}) },
		1111: func(r *rig) { r.order(me, goTo(me+1)); r.move(me+1, does{forward: walk}) },
	}
	rested := 0
	for tick := range 1300 {
		for _, r := range []*rig{rests, always} {
			if f := script[tick]; f != nil {
				f(r)
			}
			r.tick(1)
		}
		rests.wantViewOf(always)
		if a, b := rests.e.Events(), always.e.Events(); fmt.Sprint(a) != fmt.Sprint(b) {
			t.Fatalf("tick %d: %v and %v", tick, a, b)
		}
		if row, _ := rests.e.world.Row(me + 1); rests.e.world.Columns().Rest[row].Since != 0 {
			rested++
		}
	}
	same(t, "last run", rests.errand(me+1).lastRun, always.errand(me+1).lastRun)
	if rests.e.Hash() != always.e.Hash() {
		t.Error(firstDifference(rests.e, always.e))
	}
	if rested < 500 {
		t.Errorf("the target rests in %d ticks", rested)
	}
}

// Whoever else comes and goes, and wherever rows lie, those who follow each other
// do the same.
func TestBystandersDoNotMatter(t *testing.T) {
	alone, crowded := newRig(t, Options{}), newRig(t, Options{Workers: 2, ChunkRows: 3})
	followers := []uint32{0x50000012, 0x50000022, 0x50000032, 0x50000044}
	for _, r := range []*rig{alone, crowded} {
		r.unchecked = true
	}
	for i := range uint32(20) {
		crowded.spawn(human(0x50000001+i*5, 50, 50)) // between them, too
	}
	for _, r := range []*rig{alone, crowded} {
		for i, guid := range followers {
			r.spawn(human(guid, 100+float32(i)*4, 100))
		}
	}
	for tick := range 400 {
		for _, r := range []*rig{alone, crowded} {
			k := tick / 7
			a, b := followers[k%4], followers[(k+1+k/4%3)%4]
			switch {
			case tick%7 != 0:
			case k%5 == 0:
				o := goTo(b)
				o.Params.Flags |= uint32(components.ParamSticky)
				r.order(a, o)
			case k%5 < 3:
				r.order(a, sticking(b))
			case k%5 == 3:
				r.move(a, does{forward: run})
			default:
				r.order(a, face(b))
			}
		}
		guid := 0x50000001 + uint32(tick%20)*5
		switch tick % 6 {
		case 1:
			if crowded.has(guid) {
				crowded.e.Remove(guid)
			}
		case 2, 4:
			_ = crowded.e.Spawn(human(guid, 50, 50)) // taken or not
		case 3:
			if crowded.has(guid) {
				crowded.e.Remove(guid)
				crowded.spawn(human(guid, 60, 50)) // gone and back in one tick
			}
		}
		if tick == 111 || tick == 222 || tick == 333 { // beyond the room that there is
			for i := range uint32(150) {
				crowded.spawn(human(0x60000000+uint32(tick)*1000+i, 50, 50))
			}
		}
		alone.tick(1)
		crowded.tick(1)
		for _, guid := range followers {
			if a, b := alone.hashOf(guid), crowded.hashOf(guid); a != b {
				t.Fatalf("tick %d: 0x%08X differs", tick, guid)
			}
		}
	}
}

func (r *rig) hashOf(guid uint32) (h uint64) {
	r.e.Inspect(guid, func(v *components.Row, p *components.Pools) { h = ecs.HashRow(v, p) })
	return h
}

// Who arrive in one tick come into the target's list in the order of their guids,
// whatever rows they have and whichever worker had them (house rule 3).
func TestDeliveredInSenderOrder(t *testing.T) {
	const n = 40
	for _, o := range []Options{{}, {ChunkRows: 1}, {Workers: 2, ChunkRows: 1}, {Workers: 8, ChunkRows: 3}} {
		r := newRig(t, o)
		r.spawn(human(me+n/2, 108, 108))
		r.tick(1)
		want := []uint32{}
		for i := range uint32(n) {
			if guid := me + n - 1 - i; guid != me+n/2 { // rows descend by guid
				r.spawn(human(guid, 108, 100))
				r.tick(1)
			}
			if guid := me + i; guid != me+n/2 {
				want = append(want, guid)
			}
		}
		order := goTo(me + n/2)
		order.Params.Flags |= uint32(components.ParamSticky)
		for i := range want {
			r.order(want[(i*7+5)%len(want)], order) // any order
		}
		sameList(t, "ended", r.until(want[0], 300), "6 0x0")
		sameList(t, "voyeurs", r.errand(me+n/2).voyeurs, want...)
	}
}
