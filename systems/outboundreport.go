package systems

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/wire"
)

// What the client of the local player reports to its server (15 §7, 20 §3).

// quad are the stamps that its messages end with.
func (m *mover) quad() wire.Quad {
	return wire.Quad{
		Instance: m.stamp(wire.SlotInstance), ServerControl: m.stamp(wire.SlotServerControl),
		Teleport: m.stamp(wire.SlotTeleport), ForcePosition: m.stamp(wire.SlotForcePosition),
	}
}

// contactBits is "in contact and on a walkable surface" (20 §3).
func (m *mover) contactBits() uint8 {
	if m.row().Body.Transient&grounded == grounded {
		return wire.ContactGrounded
	}
	return 0
}

// report tells of a command of the local player's that changed his raw state, or
// made him jump. A hold key that nothing is held with is no command, nor is an inbound
// state, which is the server's own word.
func (m *mover) report(p *published, b *before, actions []components.Action, c *Command) {
	r, o := m.row(), &m.w.e.outbound
	if r.Pose.Cell == 0 || c.Do == DoInterpreted {
		return
	}
	if c.Do == DoJump && m.code == 0 {
		x := &o.jump
		*x = wire.Jump{
			Sequence: m.w.e.nextSequence(), Extent: c.Extent, Velocity: m.localVelocity(),
			Place: r.Pose.Position, Stamps: m.quad(),
		}
		o.write(p.guid, true, x)
		p.placeTick = m.w.e.clock.beat
		return
	}
	was, now := b.raw, motion.RawOf(r, &m.w.e.world.Pools)
	if now.Forward.Motion == motion.Ready && now.Sidestep.Motion == 0 && now.Turn.Motion == 0 {
		was.HoldKey = now.HoldKey
	}
	// what ends an order of the server's takes control back, whatever keys are held (20 §5.2)
	took := b.moving && !m.MovingTo() && (c.Do <= DoStopCompletely || c.Do == DoJump)
	if was == now && len(actions) == 0 && !took {
		return
	}
	x := &o.toState
	*x = wire.MoveToState{Place: r.Pose.Position, Stamps: m.quad(), Bits: m.contactBits()}
	if r.Interpreter.StandingLongJump {
		x.Bits |= wire.ContactLongJump
	}
	x.Raw = wire.Raw{
		HoldKey: uint32(now.HoldKey), Style: now.Style,
		Forward: now.Forward.Motion, ForwardHold: uint32(now.Forward.Hold), ForwardSpeed: now.Forward.Speed,
		Sidestep: now.Sidestep.Motion, SidestepHold: uint32(now.Sidestep.Hold), SidestepSpeed: now.Sidestep.Speed,
		Turn: now.Turn.Motion, TurnHold: uint32(now.Turn.Hold), TurnSpeed: now.Turn.Speed,
	}
	x.Raw.Count = uint8(min(len(actions), wire.MaxActions))
	for i := range x.Raw.List() {
		a := &actions[i]
		x.Raw.Actions[i] = wire.NewAction(wire.CommandIndex(a.Motion), p.nextAction(), true, a.Speed)
	}
	x.Raw.Fresh()
	x.Sequence = m.w.e.nextSequence()
	o.write(p.guid, true, x)
	p.placeTick = m.w.e.clock.beat // the message carries the position, and so counts as one in time
}

// reportPosition reports the local player's position when that is due.
func (m *mover) reportPosition(p *published) {
	r, o := m.row(), &m.w.e.outbound
	if r.Pose.Cell == 0 || !m.reportDue(p) {
		return
	}
	x := &o.report
	*x = wire.AutonomousPosition{
		Sequence: m.w.e.nextSequence(), Place: r.Pose.Position, Stamps: m.quad(), Bits: m.contactBits(),
	}
	o.write(p.guid, true, x)
	p.placeTick = m.w.e.clock.beat
	p.stood(r)
}
