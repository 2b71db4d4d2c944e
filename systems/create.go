package systems

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/wire"
)

// admitCreate answers a create message whose object is new or newer, so that it
// is there in this very tick (20 §5.1). It reports whether the message is done
// with; what merges into a known object waits for its turn, and is decoded again and
// counted then (20 §7). late says that its parent is not known so far.
func (e *Engine) admitCreate(msg []byte) (done, late bool) {
	l := &e.workers[0].letters
	counts := l.decoder.Counts
	defer func() {
		if !done {
			l.decoder.Counts = counts
		}
	}()
	x := &l.create
	op := wire.Opcode(msg)
	if err := l.decoder.Into(msg, x); err != nil {
		guid, _ := wire.Guid(msg)
		e.inbound.outcome(guid, op, Refused, err)
		return true, false
	}
	row, known := e.world.Row(x.Guid)
	var slot uint16
	if e.outbound.owns(x.Guid) {
		return false, false // the embedder's own: ignored in its turn
	}
	if known {
		s := &e.world.Columns().Cold[row].Stamps
		s.Meet(wire.SlotInstance, x.Physics.Stamps[wire.SlotInstance])
		slot = s.Slot[wire.SlotInstance]
	}
	if e.world.Leaving(x.Guid) || known != e.world.Lives(x.Guid) {
		return false, false // asked to go or to come already: in its turn
	}
	late = e.lacksParent(x)
	switch wire.CreateGate(known, x.Update, slot, x.Physics.Stamps[wire.SlotInstance]) {
	case wire.Build, wire.Rebuild:
		if late {
			return false, true
		}
		e.build(x, op)
	default:
		return false, false
	}
	return true, false
}

// lacksParent reports whether a create names a parent that is not known, on whom
// it waits (20 §5.1).
func (e *Engine) lacksParent(x *wire.Create) bool {
	parent := x.Physics.Parent
	return parent != 0 && parent != x.Guid && !e.world.Lives(parent)
}

// parkOnParent keeps a create for when its parent comes (20 §5.1, §7).
func (e *Engine) parkOnParent(x *wire.Create, msg []byte) {
	e.inbound.parked.Add(x.Physics.Parent, e.seconds(), msg)
	e.inbound.outcome(x.Guid, x.Opcode(), Parked, nil)
}

// createAgain answers a create message in its turn: the object is known, or was
// asked to come or go in this tick.
func (m *mover) createAgain(x *wire.Create, msg []byte) {
	e := m.w.e
	op, guid := x.Opcode(), x.Guid
	row, known := e.world.Row(guid)
	known = known && !e.world.Leaving(guid)
	if !known {
		if e.world.Lives(guid) { // behind another create that waits for its row
			e.inbound.parked.Add(guid, e.seconds(), msg)
			e.inbound.outcome(guid, op, Parked, nil)
			return
		}
		if e.lacksParent(x) {
			e.parkOnParent(x, msg)
			return
		}
		e.build(x, op) // deleted in this tick: comes back in the next
		return
	}
	m.at(row)
	if m.isOwned() {
		e.inbound.outcome(guid, op, Ignored, nil)
		return
	}
	d := &x.Physics
	m.row().Stamps.Meet(wire.SlotInstance, d.Stamps[wire.SlotInstance])
	slot := m.row().Stamps.Slot[wire.SlotInstance]
	gate := wire.CreateGate(true, x.Update, slot, d.Stamps[wire.SlotInstance])
	switch {
	case gate == wire.Drop:
		e.inbound.outcome(guid, op, Stale, nil)
	case e.lacksParent(x):
		e.parkOnParent(x, msg)
	case gate == wire.Rebuild:
		e.build(x, op)
	default: // wire.Merge
		e.inbound.outcome(guid, op, m.merge(d), nil)
	}
}

// merge passes each part of a descriptor through the gate of its own message (20 §2.7).
func (m *mover) merge(d *wire.Descriptor) Verdict {
	verdict := Stale
	note := func(v Verdict) {
		if v == Applied {
			verdict = Applied
		}
	}
	switch {
	case d.Parent != 0 && d.Parent != m.guid():
		if m.takes(wire.SlotPosition, d.Stamps[wire.SlotPosition]) {
			note(m.hang(d.Parent, d.ParentLocation, d.Placement))
		}
	case d.Flags&wire.PhysPosition != 0:
		note(m.stands(&wire.PositionPack{
			Flags: wire.PackContact, Place: d.Position,
			Position: d.Stamps[wire.SlotPosition], Teleport: d.Stamps[wire.SlotTeleport], ForcePosition: d.Stamps[wire.SlotForcePosition],
		}))
	}
	if d.HasBody {
		how := &m.w.letters.movement
		*how = wire.Movement{
			Movement: d.Stamps[wire.SlotMovement], ServerControl: d.Stamps[wire.SlotServerControl], Body: d.Body,
		}
		if d.BodyAutonomous != 0 {
			how.Autonomous = 1
		}
		note(m.moves(how))
	}
	note(m.changes(&wire.SetState{State: d.State, Stamp: d.Stamps[wire.SlotState]}))
	if d.Flags&(wire.PhysVelocity|wire.PhysOmega) != 0 {
		note(m.flies(&wire.VectorUpdate{Velocity: d.Velocity, Omega: d.Omega, Vector: d.Stamps[wire.SlotVector]}))
	}
	return verdict
}

// build asks for the remote that a create describes. A held object, or one
// without a place, has no cell and is not updated, but known: others may name
// it, and a position event brings it into the world (20 §2.7, §5.3). Who is there
// under its guid goes, but only for one that can be made: a refused message leaves
// its object untouched (20 §7).
func (e *Engine) build(x *wire.Create, op uint32) {
	d := &x.Physics
	s := NewSpawn(x.Guid, space.Position{})
	switch {
	case d.Parent == x.Guid: // nobody holds himself
		e.inbound.outcome(x.Guid, op, Ignored, nil)
		return
	case d.Parent != 0:
		s.Parent, s.Location = d.Parent, d.ParentLocation
	case d.Flags&wire.PhysPosition == 0:
		s.nowhere = true
	default:
		s.Place = wire.Settle(d.Position)
	}
	s.MotionTable, s.Setup = e.tablesFor(d.MotionTable, d.Setup)
	s.State = components.StateBits(d.State)
	s.Scale, s.Friction, s.Elasticity = d.Scale, d.Friction, d.Elasticity
	s.Velocity, s.Omega = d.Velocity, wire.ClampVelocity(d.Omega)
	s.Stamps.Slot = d.Stamps
	s.Game &^= components.HasRunRate // its run rate comes with its movement
	v, err := e.values(&s)
	if err == nil {
		e.remove(x.Guid)
		err = e.come(&s, &v)
	}
	if err != nil {
		e.inbound.outcome(x.Guid, op, Refused, err)
		return
	}
	c := creation{placement: d.Placement}
	if d.HasBody {
		c.body, c.autonomous, c.moves = d.Body, d.BodyAutonomous != 0, true
	}
	e.inbound.creation[x.Guid] = c
	e.inbound.outcome(x.Guid, op, Applied, nil)
}

// tablesFor returns the ids that a remote plays from: those named, where the
// tables have them, else those of Options.Unknown.
func (e *Engine) tablesFor(table, setup uint32) (uint32, uint32) {
	u := e.options.Unknown
	if u == nil {
		u = &Spawn{}
	}
	if _, ok := e.tables.MotionTable(table); !ok && table != 0 {
		table = u.MotionTable
	}
	if _, ok := e.tables.Setup(setup); !ok && setup != 0 {
		setup = u.Setup
	}
	return table, setup
}

// created does to a new remote what its create said it was doing. The object is
// described before it enters the world, so what it does shows as its cycle and
// never as a way into it (R4.16); whom or what it goes to it finds from the
// place where it will stand.
func (m *mover) created(c *creation) {
	r := m.row()
	if c.placement != 0 {
		m.setPlacement(c.placement)
	}
	if !c.moves {
		m.motion.EnterWorld()
		return
	}
	r.Interpreter.LastMoveAutonomous = c.autonomous
	m.motion.Described = true
	m.body(&c.body)
	m.motion.Described = false
	m.motion.EnterWorld()
}

// admitUnknown makes a remote of a guid that nobody created, on first sight.
func (e *Engine) admitUnknown(op uint32, msg []byte) {
	guid, ok := wire.Guid(msg)
	if !ok || e.world.Lives(guid) {
		return
	}
	b, l := &e.inbound, &e.workers[0].letters
	if len(b.unknown) >= e.options.MaxUnknown {
		b.refused++
		return
	}
	s := *e.options.Unknown
	var instance uint16
	d := wire.Decoder{Lenient: e.options.Lenient} // whose counts nobody asks for
	switch op {
	case wire.OpMovement:
		if d.Into(msg, &l.movement) != nil {
			return // refused and counted in its turn
		}
		instance = l.movement.Instance
	default:
		pack := &l.position.Pack
		if op == wire.OpPosition {
			if d.Into(msg, &l.position) != nil {
				return
			}
		} else {
			if d.Into(msg, &l.both) != nil {
				return
			}
			pack = &l.both.Pack
		}
		instance = pack.Instance
		if p := wire.Settle(pack.Place); p.Cell != 0 {
			s.Place = p
		}
	}
	s.Guid = guid
	s.Stamps = components.Stamps{Unseen: 1<<9 - 1}
	s.Stamps.Slot[wire.SlotInstance] = instance
	s.Stamps.Unseen &^= 1 << wire.SlotInstance
	if e.spawn(&s) == nil { // a refusal leaves the guid unknown: its messages are parked
		b.unknown[guid] = struct{}{}
	}
}
