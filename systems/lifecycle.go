package systems

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/systems/position"
	"github.com/gait-engine/gait/wire"
)

// exitWorld ends what ties a remote to the world while it can still be found:
// pending motions, whom it targets, and those who target it hear of it (11 §9).
func (m *mover) exitWorld() {
	m.motion.ExitWorld()
	m.position.ExitWorld()
}

// leaveWorld takes a remote out of its cell; it stays known (11 §9 leave_world).
// status is what its voyeurs are told: one that is lost, in no cell already, may
// still have some.
func (m *mover) leaveWorld(status components.TargetStatus) {
	r := m.row()
	m.wake()
	position.NotifyVoyeurs(r, &m.w.e.world.Pools, status, m.Tell)
	m.exitWorld()
	if r.Pose.Cell == 0 {
		return
	}
	from := m.where()
	r.Pose.Cell = 0
	if m.w.e.land != nil {
		m.register(nil, true)
	}
	m.position.ClearTransientStates()
	if from.Cell != 0 { // else it was lost
		m.emit(Event{Kind: CellChanged, From: from, To: m.where()})
	}
}

// pickedUp applies a pickup past the instance gate: the object leaves the world
// but stays known (20 §2.6, §5.5).
func (m *mover) pickedUp(x *wire.Pickup) Verdict {
	if !m.takes(wire.SlotPosition, x.Position) {
		return Stale
	}
	m.unsetParent()
	m.leaveWorld(components.TargetContained)
	return Applied
}

// parented applies a parent message: the instance gate is the holder's, the
// stamp the held object's position slot (20 §2.6, §5.1).
func (m *mover) parented(x *wire.Parent, msg []byte) {
	e := m.w.e
	known := func(guid uint32) (int, bool) {
		row, ok := e.world.Row(guid)
		return row, ok && !e.world.Leaving(guid)
	}
	holder, holderKnown := known(x.Holder)
	held, heldKnown := known(x.Held)
	var slot uint16
	if holderKnown {
		s := &e.world.Columns().Cold[holder].Stamps
		s.Accept(wire.SlotInstance, x.HolderInstance)
		slot = s.Slot[wire.SlotInstance]
	}
	verdict := Stale
	switch wire.ParentGate(holderKnown, heldKnown, slot, x.HolderInstance) {
	case wire.Park:
		e.inbound.parked.Add(x.Holder, e.seconds(), msg)
		verdict = Parked
	case wire.ParkOnHeld:
		e.inbound.parked.Add(x.Held, e.seconds(), msg)
		verdict = Parked
	case wire.Process:
		m.at(held)
		if x.Held == x.Holder {
			verdict = Ignored // nobody holds himself
		} else if m.isOwned() {
			verdict = Ignored
		} else if m.takes(wire.SlotPosition, x.HeldPosition) {
			verdict = m.hang(x.Holder, x.Location, x.Placement)
		}
	}
	e.inbound.outcome(x.Held, wire.OpParent, verdict, nil)
}

// takes is "test and take" of a stamp slot (20 §5).
func (m *mover) takes(slot int, stamp uint16) bool {
	s := m.row().Stamps
	s.Meet(slot, stamp)
	return wire.Take((*wire.Slots)(&s.Slot), slot, stamp)
}
