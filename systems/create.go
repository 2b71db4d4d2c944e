package systems

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/wire"
)

// admitCreate answers a create message whose object is new or newer, so that it
// is there in this very tick (20 §5.1). It reports whether the message is done
// with; what merges into a known object waits for its turn.
func (e *Engine) admitCreate(msg []byte) bool {
	b := &e.inbound
	x := &b.create
	op := wire.Opcode(msg)
	if err := b.decoder.Into(msg, x); err != nil {
		guid, _ := wire.Guid(msg)
		b.outcome(guid, op, Refused, err)
		return true
	}
	row, known := e.world.Row(x.Guid)
	var slot uint16
	if e.outbound.owns(x.Guid) {
		return false // the embedder's own: ignored in its turn
	}
	if known {
		s := &e.world.Columns().Cold[row].Stamps
		s.Meet(wire.SlotInstance, x.Physics.Stamps[wire.SlotInstance])
		slot = s.Slot[wire.SlotInstance]
	}
	if e.world.Leaving(x.Guid) || known != e.world.Lives(x.Guid) {
		return false // asked to go or to come already: in its turn
	}
	switch wire.CreateGate(known, x.Update, slot, x.Physics.Stamps[wire.SlotInstance]) {
	case wire.Rebuild:
		e.Remove(x.Guid)
		e.build(x, op)
	case wire.Build:
		e.build(x, op)
	default:
		return false
	}
	return true
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
	switch wire.CreateGate(true, x.Update, slot, d.Stamps[wire.SlotInstance]) {
	case wire.Rebuild:
		e.Remove(guid)
		e.build(x, op)
	case wire.Merge:
		e.inbound.outcome(guid, op, m.merge(d), nil)
	default:
		e.inbound.outcome(guid, op, Stale, nil)
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
	if d.Flags&wire.PhysPosition != 0 {
		note(m.stands(&wire.PositionPack{
			Flags: wire.PackContact, Place: d.Position,
			Position: d.Stamps[wire.SlotPosition], Teleport: d.Stamps[wire.SlotTeleport], ForcePosition: d.Stamps[wire.SlotForcePosition],
		}))
	}
	if d.HasBody {
		how := &m.w.e.inbound.movement
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
// without a place, has no cell and is not simulated.
func (e *Engine) build(x *wire.Create, op uint32) {
	d := &x.Physics
	if d.Flags&wire.PhysPosition == 0 || d.Parent != 0 {
		e.inbound.outcome(x.Guid, op, Ignored, nil)
		return
	}
	s := NewSpawn(x.Guid, wire.Settle(d.Position))
	s.MotionTable, s.Setup = e.tablesFor(d.MotionTable, d.Setup)
	s.State = components.StateBits(d.State)
	s.Scale, s.Friction, s.Elasticity = d.Scale, d.Friction, d.Elasticity
	s.Velocity, s.Omega = d.Velocity, wire.ClampVelocity(d.Omega)
	s.Stamps.Slot = d.Stamps
	s.Game &^= components.HasRunRate // its run rate comes with its movement
	err := e.Spawn(s)
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
	b := &e.inbound
	s := *e.options.Unknown
	var instance uint16
	switch op {
	case wire.OpMovement:
		if wire.DecodeMovement(msg, &b.movement) != nil {
			return // refused and counted in its turn
		}
		instance = b.movement.Instance
	default:
		pack := &b.position.Pack
		if op == wire.OpPosition {
			if wire.DecodePosition(msg, &b.position) != nil {
				return
			}
		} else {
			var d wire.Decoder
			if d.Into(msg, &b.both) != nil {
				return
			}
			pack = &b.both.Pack
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
	_ = e.Spawn(s) // a refusal leaves the guid unknown: its messages are parked
}
