package bench

import (
	"math"

	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/wire"
)

// errandKind is something that a mover of the busy load does besides its cycle.
type errandKind uint8

// A minute's errands; which comes when is drawn.
const (
	goesTo    errandKind = iota // a move-to to a place near
	goesAfter                   // a move-to to the neighbour
	sticks                      // to the neighbour, for a second
	jumps                       // straight up
	acts                        // a one-shot action
	errandKinds
)

// What the busy load draws, and how its ideal movers go about it.
const (
	slotTicks              = 60 * TicksPerSecond / int32(errandKinds)
	nearMin, nearMax       = 3.0, 12.0 // m, of a place near, and of a neighbour's start
	jumpMin, jumpMax       = 2.5, 4.0  // m/s upwards
	fallAcceleration       = 9.8       // m/s²
	moveToDistance         = 0.6       // m, how near is there
	walkDistance           = 15.0      // m, how much further one still walks
	arrived                = 1e-6      // m, how far from there counts as there
	bodies                 = 1.3       // m, about two radii
	stickDistance          = 0.3 + bodies
	stickSpeed             = 5 * 4.0 // m/s, five times the run
	runTurn                = 1.5     // × the turn, of who runs
	stickTicks       int32 = TicksPerSecond
)

// lead is what moves an ideal mover in place of its cycle.
type lead uint8

const (
	byCycle  lead = iota
	byMoveTo      // to a place, or after the neighbour
	byStick
	byNothing // it has arrived, and stands until its next change
)

// errands are those of one mover: what is to come, and what is under way.
type errands struct {
	script  rng
	goal    worldPoint // of a move-to to a place
	slot    int32      // how many were planned
	due     int32      // tick of the next
	until   int32      // tick at which a stick ends
	lands   int32      // tick at which a jump ends, 0 while there is none
	order   [errandKinds]errandKind
	lead    lead
	after   bool // the move-to is after the neighbour
	vectors uint16
	acts    uint16
}

// forErrands is a mover's generator of errands.
const forErrands = forNoise + 1

func (e *errands) begin(seed uint64, index int) {
	e.script = newRNG(seed, index, forErrands)
	e.plan()
}

// plan draws when the next errand comes: somewhere in its twelve seconds. Every
// minute has its own order.
func (e *errands) plan() {
	k := e.slot % int32(errandKinds)
	if k == 0 {
		for i := range e.order {
			e.order[i] = errandKind(i)
			j := e.script.below(uint32(i) + 1)
			e.order[i], e.order[j] = e.order[j], e.order[i]
		}
	}
	e.due = e.slot*slotTicks + int32(e.script.below(uint32(slotTicks)))
	e.slot++
}

// kind is that of the errand that is due next.
func (e *errands) kind() errandKind { return e.order[(e.slot-1)%int32(errandKinds)] }

// neighbour returns who is next to mover i: its pair, which started near it. The
// last of an odd count has none.
func (s *Stream) neighbour(i int) (int, bool) {
	i ^= 1
	return i, i < len(s.movers)
}

// runErrands lands mover i when its jump is over, and begins the errand that is
// due. A change of its cycle has ended what led it: a movement event of type 0
// ends move-tos and sticks.
func (s *Stream) runErrands(w *Window, i int, changed bool) error {
	e := &s.errands[i]
	if changed {
		e.lead = byCycle
	}
	if e.lands != 0 && s.tick >= e.lands {
		e.lands = 0
		if err := s.sendVector(w, i, 0); err != nil {
			return err
		}
		if err := s.sendPosition(w, i); err != nil {
			return err
		}
	}
	if s.tick < e.due {
		return nil
	}
	kind := e.kind()
	e.plan()
	if _, ok := s.neighbour(i); !ok && (kind == goesAfter || kind == sticks) {
		kind = goesTo
	}
	switch kind {
	case goesTo, goesAfter:
		return s.sendMoveTo(w, i, kind == goesAfter)
	case sticks:
		e.lead, e.until = byStick, s.tick+stickTicks
		other, _ := s.neighbour(i)
		s.movement.Body.Sticky = FirstGuid + uint32(other)
		err := s.sendMovement(w, i)
		s.movement.Body.Sticky = 0
		return err
	case jumps:
		up := e.script.within(jumpMin, jumpMax)
		e.lands = s.tick + int32(math.Ceil(2*up/fallAcceleration*TicksPerSecond))
		return s.sendVector(w, i, float32(up))
	}
	e.lead = byCycle // as any movement event of type 0
	e.acts++
	st := &s.movement.Body.State
	st.Count, st.Actions[0] = 1, wire.NewAction(wire.CommandIndex(s.movers[i].gait.Action), e.acts, false, 1)
	err := s.sendMovement(w, i)
	st.Count, st.Actions[0] = 0, wire.Action{}
	return err
}

// sendMoveTo sends mover i to a place near, or after its neighbour: a 0xF74C of
// type 7 or 6 with default parameters (20 §2.1).
func (s *Stream) sendMoveTo(w *Window, i int, after bool) error {
	m, e := &s.movers[i], &s.errands[i]
	e.lead, e.after = byMoveTo, after
	o := &s.order
	b := &o.Body
	if after {
		other, _ := s.neighbour(i)
		to := &s.movers[other]
		b.Type, b.Target = wire.TypeMoveToObject, FirstGuid+uint32(other)
		b.Cell, b.Origin = s.at(to).inCell(to.indoors)
	} else {
		sin, cos := space.SinCos(e.script.within(0, 2*math.Pi))
		far := e.script.within(nearMin, nearMax)
		to := *m
		to.x += float64(far * sin)
		to.y += float64(far * cos)
		to.keepIn()
		e.goal = to.worldPoint
		b.Type, b.Target = wire.TypeMoveToPosition, 0
		b.Cell, b.Origin = s.at(&to).inCell(m.indoors)
	}
	m.moves++
	o.Guid, o.Movement = FirstGuid+uint32(i), m.moves
	return w.append(i, o)
}

// sendVector encodes a 0xF74E with a velocity upwards.
func (s *Stream) sendVector(w *Window, i int, up float32) error {
	e, v := &s.errands[i], &s.vector
	e.vectors++
	v.Guid, v.Vector, v.Velocity = FirstGuid+uint32(i), e.vectors, space.Vec3{0, 0, up}
	return w.append(i, v)
}

// advanceErrand moves mover i on by a tick where an errand leads it, and reports
// whether one did; there is true when it has just come to the errand's end.
func (s *Stream) advanceErrand(i int) (led, there bool) {
	m, e := &s.movers[i], &s.errands[i]
	goal := e.goal
	if e.lead == byStick || e.after {
		if other, ok := s.neighbour(i); ok {
			goal = s.movers[other].worldPoint
		}
	}
	switch e.lead {
	case byCycle:
		return false, false
	case byStick:
		if s.tick >= e.until {
			e.lead = byCycle
			return false, true
		}
		m.turnTowards(goal, math.Pi)
		m.stepAhead(min(stickSpeed*tickSeconds, m.flat(goal)-stickDistance))
	case byMoveTo:
		left := m.flat(goal) - moveToDistance
		if e.after {
			left -= bodies
		}
		if left < arrived {
			e.lead = byNothing
			return true, true
		}
		v, turn := m.gait.Walk, m.gait.Turn
		if left > walkDistance {
			v, turn = m.gait.Run, float64(turn*runTurn)
		}
		if m.turnTowards(goal, float64(turn*tickSeconds)) {
			m.stepAhead(min(float64(float64(v*float64(m.scale))*tickSeconds), left))
		}
	}
	return true, false
}

// turnTowards turns a mover towards a point, by so much at most; it reports
// whether it faces it then.
func (m *mover) turnTowards(p worldPoint, most float64) bool {
	d := math.Remainder(space.Atan2(p.x-m.x, p.y-m.y)-m.heading, 2*math.Pi)
	if math.Abs(d) > most {
		m.heading += math.Copysign(most, d)
		return false
	}
	m.heading += d
	return true
}

// stepAhead moves a mover the way it faces; not back.
func (m *mover) stepAhead(way float64) {
	if way <= 0 {
		return
	}
	s, c := space.SinCos(m.heading)
	m.x += float64(way * s)
	m.y += float64(way * c)
	m.keepIn()
}

// flat is the distance to a point, seen from above.
func (m *mover) flat(p worldPoint) float64 {
	x, y := p.x-m.x, p.y-m.y
	return math.Sqrt(float64(x*x) + float64(y*y))
}
