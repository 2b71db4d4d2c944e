package motion

import "github.com/gait-engine/gait/components"

// addModifier refuses what is active already, as modifier or as substate (R3.1).
func (m *Mover) addModifier(id uint32, speed float32) bool {
	if id == m.MotionState.Substate || m.modifierAt(id) >= 0 {
		return false
	}
	m.pushModifier(id, speed)
	return true
}

// pushModifier is addModifierUnchecked: new ones go to the head (R3.1).
func (m *Mover) pushModifier(id uint32, speed float32) {
	m.MotionState.Modifiers.Insert(&m.Pools.Speeded, 0, components.Speeded{Motion: id, Speed: speed})
}

// modifierAt returns the place of the first modifier with this id from the head, −1 without.
func (m *Mover) modifierAt(id uint32) int {
	for i, a := range m.MotionState.Modifiers.Items(&m.Pools.Speeded) {
		if a.Motion == id {
			return i
		}
	}
	return -1
}

// reissueModifiers is re_modify: as often as there are modifiers, take the head
// and issue it again. One that is accepted goes back to the head, so of several
// the first is issued again and again and the others not at all (R3.11).
func (m *Mover) reissueModifiers(budget *int) {
	list := &m.MotionState.Modifiers
	for k := list.Len; k > 0 && list.Len > 0 && *budget > 0; k-- {
		*budget--
		head := list.Items(&m.Pools.Speeded)[0]
		list.Remove(&m.Pools.Speeded, 0, 1)
		m.request(head.Motion, head.Speed, false, budget)
	}
}

// stop ends a substate or a modifier (R3.13). The substate goes back to the
// style's default; a modifier is taken off at the speed it was put on with.
func (m *Mover) stop(motion uint32, budget *int) (count uint32, ok bool) {
	s := m.MotionState
	if IsSubstate(motion) && motion == s.Substate {
		if d := m.restOf(s.Style); d.ok {
			if n, ok := m.request(d.motion, 1, true, budget); ok {
				count = n
			}
		}
		return count, true
	}
	if !IsModifier(motion) {
		return 0, false
	}
	i := m.modifierAt(motion)
	if i < 0 {
		return 0, false
	}
	d := m.modifier(s.Style, motion)
	if d < 0 {
		return 0, false
	}
	m.subtractMotion(d, s.Modifiers.Items(&m.Pools.Speeded)[i].Speed)
	s.Modifiers.Remove(&m.Pools.Speeded, i, i+1)
	return 0, true
}

// stopAll ends every modifier, then the substate, whose count it returns
// (R3.14). A head that does not go is dropped.
func (m *Mover) stopAll() uint32 {
	s := m.MotionState
	budget := maxReissues
	for tries := maxReissues; s.Modifiers.Len > 0 && tries > 0; tries-- {
		before := s.Modifiers.Len
		m.stop(s.Modifiers.Items(&m.Pools.Speeded)[0].Motion, &budget)
		if s.Modifiers.Len >= before {
			s.Modifiers.Remove(&m.Pools.Speeded, 0, 1)
		}
	}
	s.Modifiers.Clear(&m.Pools.Speeded)
	count, _ := m.stop(s.Substate, &budget)
	return count
}

// setDefaultState puts the mover into the table's default state: the cycle of
// the default style's default substate, and nothing before it (R3.12).
func (m *Mover) setDefaultState() (count uint32, ok bool) {
	style := m.Tables.Motions[m.Identity.Table].DefaultStyle
	d := m.restOf(style)
	if !d.ok {
		return 0, false
	}
	s := m.MotionState
	s.Modifiers.Clear(&m.Pools.Speeded)
	s.Actions.Clear(&m.Pools.Speeded)
	c := m.cycle(style, d.motion)
	if c < 0 {
		return 0, false
	}
	s.Style, s.Substate, s.Speed = style, d.motion, 1
	ClearPhysics(m.Sequence)
	ClearAnimations(&m.Pools.Nodes, m.Sequence)
	m.addMotion(c, 1)
	return m.count(c) - 1, true
}
