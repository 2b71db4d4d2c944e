package motion

import "github.com/gait-engine/gait/components"

// hasTable reports whether there is a motion table to ask.
func (m *Mover) hasTable() bool { return m.Identity.Table >= 0 }

// tableRequest asks the motion-table manager for a motion: 0 and a pending
// animation, or 7 without a table, 0x43 when refused (spec 04 §4.2, R4.4).
func (m *Mover) tableRequest(motion uint32, speed float32) uint32 {
	if !m.hasTable() {
		return NoAnimationTable
	}
	budget := maxReissues
	count, ok := m.request(motion, speed, false, &budget)
	if !ok {
		return NoMtableData
	}
	m.pend(motion, count)
	return 0
}

// tableStop stops a motion; what is pending is Ready.
func (m *Mover) tableStop(motion uint32) uint32 {
	if !m.hasTable() {
		return NoAnimationTable
	}
	budget := maxReissues
	count, ok := m.stop(motion, &budget)
	if !ok {
		return NoMtableData
	}
	m.pend(Ready, count)
	return 0
}

// tableStopAll stops everything; the manager takes it as accepted (R3.14, O-4).
func (m *Mover) tableStopAll() {
	if m.hasTable() {
		m.pend(Ready, m.stopAll())
	}
}

// initializeState is the manager's part of entering the default state; refused
// or without a table it waits for no animation (R5.44).
func (m *Mover) initializeState() {
	var count uint32
	if m.hasTable() {
		count, _ = m.setDefaultState()
	}
	m.pend(Ready, count)
}

// pend appends to the manager's queue and removes what that makes redundant.
func (m *Mover) pend(motion, count uint32) {
	m.Pending.Anims.Push(&m.Pools.PendingAnims, components.PendingAnim{Motion: motion, Count: count})
	m.Rest.Busy |= components.Pends
	m.removeRedundantLinks()
}

// pendMotion appends to the interpreter's queue.
func (m *Mover) pendMotion(context, motion, jumpError uint32) {
	m.Pending.Motions.Push(&m.Pools.PendingMotions, components.PendingMotion{Context: context, Motion: motion, JumpError: jumpError})
	m.Rest.Busy |= components.Pends | components.Waits
}

// MotionsPending reports whether the interpreter waits for anything (R4.3).
func (m *Mover) MotionsPending() bool { return m.Pending.Motions.Len > 0 }

// removeRedundantLinks shortens the way when a motion that is still pending is
// asked for again with nothing in between that counts (R4.5).
func (m *Mover) removeRedundantLinks() {
	queue := m.Pending.Anims.Items(&m.Pools.PendingAnims)
	last := len(queue) - 1
	for last >= 0 && queue[last].Count == 0 {
		last--
	}
	if last < 0 {
		return
	}
	motion := queue[last].Motion
	substate := IsSubstate(motion) && !IsModifier(motion)
	if !substate && !IsStyle(motion) {
		return
	}
	blocks := SubstateBit | ModifierBit | ActionBit
	if substate {
		blocks = StyleBit | ModifierBit | ActionBit
	}
	for i := last - 1; i >= 0; i-- {
		e := queue[i]
		if e.Motion == motion && (e.Count != 0 || !substate) {
			m.truncateAfter(queue[i+1:])
			return
		}
		if e.Count != 0 && e.Motion&blocks != 0 {
			return
		}
	}
}

// truncateAfter makes the entries behind one wait for nothing and removes the
// links they waited for; the entries stay (R4.6).
func (m *Mover) truncateAfter(behind []components.PendingAnim) {
	var total uint32
	for i := range behind {
		total += behind[i].Count
		behind[i].Count = 0
	}
	RemoveLink(&m.Pools.Nodes, m.Sequence, total)
}

// AnimationDone credits one ended animation and completes what that pays for
// (R4.7). It is what an [AnimationDone] hook executes, with success true (R2.34).
func (m *Mover) AnimationDone(success bool) {
	p, queue := m.Pending, &m.Pending.Anims
	if queue.Len == 0 {
		return
	}
	p.Counter++
	for queue.Len > 0 {
		head := queue.Items(&m.Pools.PendingAnims)[0]
		if head.Count > p.Counter {
			break
		}
		m.completeHead(head.Motion, success)
		p.Counter -= head.Count
		m.popAnim()
	}
	if queue.Len == 0 {
		p.Counter = 0
	}
}

// CheckForCompletedMotions completes the entries at the head that wait for
// nothing (R4.8). It runs after every PerformMovement and once a quantum, after
// the movement manager's clock (R4.9).
func (m *Mover) CheckForCompletedMotions() {
	queue := &m.Pending.Anims
	for queue.Len > 0 {
		head := queue.Items(&m.Pools.PendingAnims)[0]
		if head.Count != 0 {
			return
		}
		m.completeHead(head.Motion, true)
		m.popAnim()
	}
}

// completeHead reports a completion. It may come back into anything: whoever
// calls it then pops the head of that moment, whichever it is (R4.12).
func (m *Mover) completeHead(motion uint32, success bool) {
	if IsAction(motion) && m.MotionState.Actions.Len > 0 {
		m.MotionState.Actions.Remove(&m.Pools.Speeded, 0, 1)
	}
	if m.Host != nil {
		m.Host.MotionDone(motion, success)
	}
	m.motionDone()
}

// motionDone is the interpreter's part. The motion and its success are not
// looked at: the oldest entry goes (R4.11).
func (m *Mover) motionDone() {
	m.finishAction()
	m.popMotion()
}

// finishAction unsticks and drops the action, when one heads the queue.
func (m *Mover) finishAction() {
	if m.Pending.Motions.Len == 0 || !IsAction(m.Pending.Motions.Items(&m.Pools.PendingMotions)[0].Motion) {
		return
	}
	if m.Host != nil {
		m.Host.Unstick()
	}
	m.removeActions()
}

func (m *Mover) popAnim() {
	if m.Pending.Anims.Len > 0 {
		m.Pending.Anims.Remove(&m.Pools.PendingAnims, 0, 1)
	}
}

func (m *Mover) popMotion() {
	if m.Pending.Motions.Len > 0 {
		m.Pending.Motions.Remove(&m.Pools.PendingMotions, 0, 1)
		if m.Pending.Motions.Len == 0 {
			m.Rest.Busy &^= components.Waits
		}
	}
}

// drain completes everything without success. It counts as AnimationDone(false)
// called until the queue is empty would, without stepping through the counts,
// which may be as great as 2³²−1 (R4.13).
func (m *Mover) drain() {
	p := m.Pending
	for p.Anims.Len > 0 {
		if c := p.Anims.Items(&m.Pools.PendingAnims)[0].Count; c > p.Counter {
			p.Counter = c - 1
		}
		m.AnimationDone(false)
	}
}

// RemoveLinkAnimations shows the cycle at once and completes everything that
// waited for a way there (R4.13). Hiding and unhiding call it too (R4.14).
func (m *Mover) RemoveLinkAnimations() {
	RemoveAllLink(&m.Pools.Nodes, m.Sequence)
	m.drain()
}

// EnterWorld shows the cycle of whatever motion the object was created with (R4.16).
func (m *Mover) EnterWorld() { m.RemoveLinkAnimations() }

// ExitWorld completes everything without success and leaves the sequence as it
// is (R4.15).
func (m *Mover) ExitWorld() {
	m.drain()
	for m.Pending.Motions.Len > 0 {
		m.motionDone()
	}
}
