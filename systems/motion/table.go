package motion

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// none is the index of absent motion data.
const none = dat.None

// maxReissues bounds the modifiers that one request may issue again, nested
// ones included. Real tables gate the motions that are both substate and
// modifier, and stay far below; a table that does not would never return.
const maxReissues = 256

// count is n(m) of spec 03 §3.1.
func (m *Mover) count(data int32) uint32 {
	if data < 0 {
		return 0
	}
	return m.Tables.Data[data].Count()
}

// cycle returns the cycle of c in a style (R3.2).
func (m *Mover) cycle(style, c uint32) int32 {
	return m.Tables.Cycle(m.Identity.Table, Key(style, c))
}

// modifier returns the style's own modifier, else the one of any style (R3.2).
func (m *Mover) modifier(style, c uint32) int32 {
	if d := m.Tables.Modifier(m.Identity.Table, Key(style, c)); d >= 0 {
		return d
	}
	return m.Tables.Modifier(m.Identity.Table, Ordinal(c))
}

// link returns the way from one motion to another in a style (R3.3).
func (m *Mover) link(style, from uint32, fromSpeed float32, to uint32, toSpeed float32) int32 {
	t, table := m.Tables, m.Identity.Table
	if fromSpeed < 0 || toSpeed < 0 {
		if d := t.Link(table, Key(style, to), from); d >= 0 {
			return d
		}
		rest, ok := t.StyleDefault(table, style)
		if !ok {
			return none
		}
		return t.Link(table, Key(style, from), rest)
	}
	if d := t.Link(table, Key(style, from), to); d >= 0 {
		return d
	}
	return t.Link(table, style<<16, to)
}

// rest is the default substate of a style; a style without one has no links to
// or from it, and nothing equals it (R3.10).
type rest struct {
	motion uint32
	ok     bool
}

func (r rest) is(c uint32) bool { return r.ok && r.motion == c }

func (m *Mover) restOf(style uint32) rest {
	d, ok := m.Tables.StyleDefault(m.Identity.Table, style)
	return rest{d, ok}
}

func (m *Mover) linkToRest(style, from uint32, fromSpeed float32, d rest, speed float32) int32 {
	if !d.ok {
		return none
	}
	return m.link(style, from, fromSpeed, d.motion, speed)
}

func (m *Mover) linkFromRest(style uint32, d rest, fromSpeed float32, to uint32, speed float32) int32 {
	if !d.ok {
		return none
	}
	return m.link(style, d.motion, fromSpeed, to, speed)
}

// sameSign: zero is positive (R3.5).
func sameSign(a, b float32) bool { return (a >= 0) == (b >= 0) }

// allowed reports whether c with its data may become the substate (R3.4).
func (m *Mover) allowed(c uint32, data int32) bool {
	if data < 0 {
		return false
	}
	s := m.MotionState
	if m.Tables.Data[data].Flags&dat.FromDefaultOnly == 0 || c == s.Substate {
		return true
	}
	return m.restOf(s.Style).is(s.Substate)
}

// addMotion puts motion data into the sequence: its velocity and omega replace
// what was there, its animations follow (R3.6, R2.2, R2.3).
func (m *Mover) addMotion(data int32, speed float32) {
	if data < 0 {
		return
	}
	d := &m.Tables.Data[data]
	SetPhysics(m.Sequence, space.Scale(d.Velocity, speed), space.Scale(d.Omega, speed))
	for _, c := range m.Tables.ClipsOf(data) {
		if c.Anim >= 0 {
			Append(&m.Pools.Nodes, m.Sequence, components.Node{
				Anim: c.Anim, Rate: clamp(c.Rate * speed), Low: c.Low, High: c.High,
			})
		}
	}
}

// combineMotion and subtractMotion change velocity and omega alone (R3.7).
func (m *Mover) combineMotion(data int32, speed float32) {
	d := &m.Tables.Data[data]
	CombinePhysics(m.Sequence, &d.Velocity, &d.Omega, speed)
}

func (m *Mover) subtractMotion(data int32, speed float32) {
	d := &m.Tables.Data[data]
	SubtractPhysics(m.Sequence, &d.Velocity, &d.Omega, speed)
}

// changeCycleSpeed retimes the looping block. A block frozen at rate 0 stays
// frozen (R3.8).
func (m *Mover) changeCycleSpeed(old, speed float32) {
	switch {
	case space.Abs(old) > space.Eps:
		MultiplyCyclicRate(&m.Pools.Nodes, m.Sequence, clamp(speed/old))
	case space.Abs(speed) < space.Eps:
		MultiplyCyclicRate(&m.Pools.Nodes, m.Sequence, 0)
	}
}

// rebuild clears what a new chain of motions replaces (spec 03 §3.4).
func (m *Mover) rebuild() {
	ClearPhysics(m.Sequence)
	RemoveCyclic(&m.Pools.Nodes, m.Sequence)
}

// request asks the motion table for a motion (spec 03 §3.4): refused, or
// accepted with the number of animations that will report done. The branches
// are tried in order; one that does not apply falls through. stopping asks for
// the style's default as a stop does (R3.10). budget bounds re-issues.
func (m *Mover) request(motion uint32, speed float32, stopping bool, budget *int) (count uint32, ok bool) {
	s := m.MotionState
	if s.Style == 0 || s.Substate == 0 { // R3.9
		return 0, false
	}
	if !stopping && IsModifier(s.Substate) && m.restOf(s.Style).is(motion) { // R3.10
		return 0, true
	}
	if IsStyle(motion) {
		if count, ok = m.requestStyle(motion, speed, budget); ok {
			return count, true
		}
	}
	if IsSubstate(motion) {
		if count, ok = m.requestSubstate(motion, speed, budget); ok {
			return count, true
		}
	}
	if IsAction(motion) {
		if count, ok = m.requestAction(motion, speed, budget); ok {
			return count, true
		}
	}
	if IsModifier(motion) {
		return m.requestModifier(motion, speed, budget)
	}
	return 0, false
}

// requestStyle is branch A.
func (m *Mover) requestStyle(style uint32, speed float32, budget *int) (uint32, bool) {
	s := m.MotionState
	if style == s.Style {
		return 0, true
	}
	d, d2 := m.restOf(s.Style), m.restOf(style)
	if !d2.ok {
		return 0, false
	}
	c := m.cycle(style, d2.motion)
	if c < 0 {
		return 0, false
	}
	l1, l3 := none, none
	if !d.is(s.Substate) {
		l1 = m.linkToRest(s.Style, s.Substate, s.Speed, d, speed)
	}
	if m.Tables.Data[c].Flags&dat.ClearsModifiers != 0 {
		s.Modifiers.Clear(&m.Pools.Speeded)
	}
	l2 := m.linkFromRest(s.Style, d, s.Speed, style, speed)
	if l2 < 0 {
		standard := m.Tables.Motions[m.Identity.Table].DefaultStyle
		l2 = m.linkFromRest(s.Style, d, 1, standard, 1)
		l3 = m.linkFromRest(standard, m.restOf(standard), 1, style, 1)
	}
	m.rebuild()
	m.addMotion(l1, speed)
	m.addMotion(l2, speed)
	m.addMotion(l3, speed)
	m.addMotion(c, speed)
	s.Substate, s.Style, s.Speed = d2.motion, style, speed
	m.reissueModifiers(budget)
	return m.count(l1) + m.count(l2) + m.count(l3) + m.count(c) - 1, true
}

// requestSubstate is branch B.
func (m *Mover) requestSubstate(motion uint32, speed float32, budget *int) (uint32, bool) {
	s := m.MotionState
	c := m.cycle(s.Style, motion)
	if c < 0 {
		c = m.cycle(m.Tables.Motions[m.Identity.Table].DefaultStyle, motion)
	}
	if !m.allowed(motion, c) {
		return 0, false
	}
	same := sameSign(speed, s.Speed)
	if motion == s.Substate && same && HasAnims(m.Sequence) { // retime
		m.changeCycleSpeed(s.Speed, speed)
		m.subtractMotion(c, s.Speed)
		m.combineMotion(c, speed)
		s.Speed = speed
		return 0, true
	}
	if m.Tables.Data[c].Flags&dat.ClearsModifiers != 0 {
		s.Modifiers.Clear(&m.Pools.Speeded)
	}
	d := m.restOf(s.Style)
	l1 := m.link(s.Style, s.Substate, s.Speed, motion, speed)
	l2 := none
	if l1 < 0 || !same { // two hops, by way of the style's default
		l1 = m.linkToRest(s.Style, s.Substate, s.Speed, d, 1)
		l2 = m.linkFromRest(s.Style, d, 1, motion, speed)
	}
	m.rebuild()
	if l2 >= 0 {
		m.addMotion(l1, s.Speed)
		m.addMotion(l2, speed)
	} else if s.Speed < 0 && speed > 0 {
		m.addMotion(l1, -speed)
	} else {
		m.addMotion(l1, speed)
	}
	m.addMotion(c, speed)
	if s.Substate != motion && IsModifier(s.Substate) && !d.is(motion) {
		m.pushModifier(s.Substate, s.Speed)
	}
	s.Speed, s.Substate = speed, motion
	m.reissueModifiers(budget)
	return m.count(l1) + m.count(l2) + m.count(c) - 1, true
}

// requestAction is branch C: play through the action's link and come back to
// the cycle. It never changes style, substate or speed.
func (m *Mover) requestAction(motion uint32, speed float32, budget *int) (uint32, bool) {
	s := m.MotionState
	c := m.cycle(s.Style, s.Substate)
	if c < 0 {
		return 0, false
	}
	if l := m.link(s.Style, s.Substate, s.Speed, motion, speed); l >= 0 {
		s.Actions.Push(&m.Pools.Speeded, components.Speeded{Motion: motion, Speed: speed})
		m.rebuild()
		m.addMotion(l, speed)
		m.addMotion(c, s.Speed)
		m.reissueModifiers(budget)
		return m.count(l), true
	}
	d := m.restOf(s.Style)
	p1 := m.linkToRest(s.Style, s.Substate, s.Speed, d, 1)
	p2 := m.linkFromRest(s.Style, d, 1, motion, speed)
	if p1 < 0 || p2 < 0 {
		return 0, false
	}
	p3 := m.linkFromRest(s.Style, d, 1, s.Substate, s.Speed)
	s.Actions.Push(&m.Pools.Speeded, components.Speeded{Motion: motion, Speed: speed})
	m.rebuild()
	m.addMotion(p1, 1)
	m.addMotion(p2, speed)
	m.addMotion(p3, 1)
	m.addMotion(c, s.Speed)
	m.reissueModifiers(budget)
	return m.count(p1) + m.count(p2) + m.count(p3), true
}

// requestModifier is branch D: velocity and omega on top of the cycle's.
func (m *Mover) requestModifier(motion uint32, speed float32, budget *int) (uint32, bool) {
	s := m.MotionState
	c := m.cycle(s.Style, s.Substate)
	if c < 0 || m.Tables.Data[c].Flags&dat.ClearsModifiers != 0 {
		return 0, false
	}
	d := m.modifier(s.Style, motion)
	if d < 0 {
		return 0, false
	}
	if !m.addModifier(motion, speed) {
		m.stop(motion, budget)
		if !m.addModifier(motion, speed) {
			return 0, false
		}
	}
	m.combineMotion(d, speed)
	return 0, true
}
