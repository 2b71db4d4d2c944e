package systems

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/wire"
)

// What a mover says, each message with its next stamp (15 §6, 20 §2).

// next moves a stamp slot on and returns it.
func (m *mover) next(slot int) uint16 {
	s := m.row().Stamps
	s.Unseen &^= 1 << slot
	s.Slot[slot]++
	return s.Slot[slot]
}

func (m *mover) stamp(slot int) uint16 { return m.row().Stamps.Slot[slot] }

// sayMotion tells what m does now (15 §6 UpdateMotion): the order in progress,
// or else the interpreted state with the actions that are new. The server-control
// stamp moves on when it is not the mover's own client that moved it (20 §5.2).
func (m *mover) sayMotion(p *published, actions []components.Action, autonomous bool) {
	r, o := m.row(), &m.w.e.outbound
	x := &o.movement
	autonomous = autonomous && p.kind == OwnedPlayer
	for {
		x.Guid, x.Instance, x.Autonomous = p.guid, m.stamp(wire.SlotInstance), 0
		m.doing(&x.Body)
		if x.Body.Type == wire.TypeState {
			n := min(len(actions), wire.MaxActions)
			x.Body.State.Count = uint8(n)
			for i, a := range actions[:n] {
				x.Body.State.Actions[i] = wire.NewAction(wire.CommandIndex(a.Motion), p.nextAction(), a.Autonomous, a.Speed)
			}
			actions = actions[n:]
			x.Body.Fresh()
		}
		x.Movement = m.next(wire.SlotMovement)
		if autonomous {
			x.Autonomous = 1
			x.ServerControl = m.stamp(wire.SlotServerControl)
		} else {
			x.ServerControl = m.next(wire.SlotServerControl)
		}
		o.write(p.guid, false, x)
		if x.Body.Type != wire.TypeState || len(actions) == 0 {
			break
		}
	}
	p.motion, p.moveTick, p.autonomous = stateNow(r), m.w.e.clock.beat, autonomous
	p.ordered = x.Body.Type != wire.TypeState
}

// nextAction is the next of the stamps of 15 bits that order a mover's actions (20 §5.2).
func (p *published) nextAction() uint16 {
	p.actionStamp = (p.actionStamp + 1) & 0x7FFF
	return p.actionStamp
}

// doing is what m does, as a movement body (20 §2.1).
func (m *mover) doing(b *wire.Body) {
	r := m.row()
	*b = wire.Body{Style: wire.CommandIndex(r.Interpreted.Style)}
	if m.MovingTo() {
		m.going(b)
		return
	}
	i := r.Interpreted
	b.State = wire.State{
		Style: wire.CommandIndex(i.Style), Forward: wire.CommandIndex(i.Forward),
		Sidestep: wire.CommandIndex(i.Sidestep), Turn: wire.CommandIndex(i.Turn),
		ForwardSpeed: i.ForwardSpeed, SidestepSpeed: i.SidestepSpeed, TurnSpeed: i.TurnSpeed,
	}
	if r.Interpreter.StandingLongJump {
		b.Options |= wire.OptionStandingLongJump
	}
	b.Sticky = m.position.StickyID()
	b.Fresh()
}

// going is the order in progress, types 6 to 9.
func (m *mover) going(b *wire.Body) {
	r := m.row()
	s := r.Errand.MoveTo(&m.w.e.world.Pools)
	b.Type = wire.MovementType(s.Type)
	q := &s.Params
	b.Params = wire.DefaultParams()
	b.Params.Flags, b.Params.Speed, b.Params.DesiredHeading = uint32(q.Flags), q.Speed, q.DesiredHeading
	switch b.Type {
	case wire.TypeMoveToObject, wire.TypeMoveToPosition:
		goal := &s.Goal
		if goal.Cell == 0 { // nothing was heard of the target yet
			goal = &r.Pose.Position
		}
		b.Cell, b.Origin = goal.Cell, goal.Frame.Origin
		b.Params.DistanceToObject, b.Params.MinDistance = q.DistanceToObject, q.MinDistance
		b.Params.FailDistance, b.Params.WalkRunThreshold = q.FailDistance, q.WalkRunThreshold
		b.RunRate = m.motion.RunRate()
	case wire.TypeTurnToObject:
		b.Heading = q.DesiredHeading
	}
	if b.Type == wire.TypeMoveToObject || b.Type == wire.TypeTurnToObject {
		b.Target = s.SoughtID
	}
}

// sayPosition tells where m stands (15 §6 UpdatePosition).
func (m *mover) sayPosition(p *published) {
	r, o := m.row(), &m.w.e.outbound
	x := &o.position
	*x = wire.PositionEvent{Guid: p.guid}
	k := &x.Pack
	k.Place, k.Velocity = r.Pose.Position, r.Body.Velocity
	if r.Body.Transient&components.OnWalkable != 0 {
		k.Flags |= wire.PackContact
	}
	if r.Sequence.Nodes.Len == 0 { // what shows is the resting pose
		k.Placement = r.Sequence.PlacementID
	}
	k.Fresh()
	k.Instance, k.Position = m.stamp(wire.SlotInstance), m.next(wire.SlotPosition)
	if p.teleport {
		m.next(wire.SlotTeleport)
	}
	if p.correct {
		m.next(wire.SlotForcePosition)
	}
	k.Teleport, k.ForcePosition = m.stamp(wire.SlotTeleport), m.stamp(wire.SlotForcePosition)
	o.write(p.guid, false, x)
	p.settled = p.place == r.Pose.Position
	p.placeTick = m.w.e.clock.beat
	p.stood(r)
}

// sayVector tells of a jump or a launch.
func (m *mover) sayVector(p *published) {
	b, o := m.row().Body, &m.w.e.outbound
	o.vector = wire.VectorUpdate{
		Guid: p.guid, Velocity: b.Velocity, Omega: b.Omega,
		Instance: m.stamp(wire.SlotInstance), Vector: m.next(wire.SlotVector),
	}
	o.write(p.guid, false, &o.vector)
}

// sayState tells of a new state word.
func (m *mover) sayState(p *published) {
	o := &m.w.e.outbound
	p.state = m.row().Body.State
	o.state = wire.SetState{
		Guid: p.guid, State: uint32(p.state),
		Instance: m.stamp(wire.SlotInstance), Stamp: m.next(wire.SlotState),
	}
	o.write(p.guid, false, &o.state)
}

// sayPickup tells that m has left the world.
func (m *mover) sayPickup(p *published) {
	o := &m.w.e.outbound
	o.pickup = wire.Pickup{Guid: p.guid, Instance: m.stamp(wire.SlotInstance), Position: m.next(wire.SlotPosition)}
	o.write(p.guid, false, &o.pickup)
}

// sayParent tells who holds m, and where.
func (m *mover) sayParent(p *published, c *Command) {
	e := m.w.e
	o := &e.outbound
	row, _ := e.world.Row(c.Target)
	o.parent = wire.Parent{
		Holder: c.Target, Held: p.guid, Location: c.Location, Placement: c.Placement,
		HolderInstance: e.world.Columns().Cold[row].Stamps.Slot[wire.SlotInstance], HeldPosition: m.next(wire.SlotPosition),
	}
	o.write(p.guid, false, &o.parent)
}

// CreateMessage appends to dst the create message of a mover, a remote's too, as
// it stands after the last tick: all that somebody needs who comes to know of it
// (15 §5, 20 §2.7). Appearance and game data, which the engine does not have, are
// empty; who has them sets them in a decoded [wire.Create]. It returns dst as it
// was, and [ErrUnknown], when there is no such mover in the world, nor in
// somebody's hands.
func (e *Engine) CreateMessage(dst []byte, guid uint32) ([]byte, error) {
	row, ok := e.world.Row(guid)
	if !ok || e.world.Columns().Pose[row].Cell == 0 && e.world.Columns().Cold[row].Identity.Parent == 0 {
		return dst, ErrUnknown
	}
	m := &e.workers[0].mover
	m.lose() // rows may have moved since
	m.at(row)
	r := m.row()
	x := &e.outbound.create
	*x = wire.Create{Guid: guid, Physics: wire.NewDescriptor()}
	d := &x.Physics
	d.State = uint32(r.Body.State)
	if d.Parent, d.ParentLocation = r.Identity.Parent, r.Identity.Location; d.Parent == 0 {
		d.Position = r.Pose.Position
	}
	if r.Interpreter.Initted {
		d.HasBody = true
		m.doing(&d.Body)
		if p := e.outbound.find(guid); p != nil && p.autonomous {
			d.BodyAutonomous = 1
		}
	} else {
		d.Placement = r.Sequence.PlacementID
	}
	if r.Identity.Table >= 0 {
		d.MotionTable = e.tables.Motions[r.Identity.Table].ID
	}
	if r.Identity.Setup >= 0 {
		d.Setup = e.tables.Setups[r.Identity.Setup].ID
	}
	d.Scale, d.Friction, d.Elasticity = r.Rest.Scale, r.Body.Friction, r.Traits.Elasticity
	d.Velocity, d.Omega = r.Body.Velocity, r.Body.Omega
	d.Stamps = r.Stamps.Slot
	d.Fresh()
	return x.Append(dst)
}

// before is what a command may change of an owned mover.
type before struct {
	motion   motion.State
	raw      motion.RawState
	sticky   uint32
	velocity space.Vec3
	stamp    uint16
	moving   bool
	longJump bool
	nowhere  bool
}

func (m *mover) before() before {
	r := m.row()
	return before{
		motion: stateNow(r), raw: motion.RawOf(r, &m.w.e.world.Pools), sticky: m.position.StickyID(), velocity: r.Body.Velocity,
		stamp: r.Interpreter.ServerActionStamp, moving: m.MovingTo(), longJump: r.Interpreter.StandingLongJump, nowhere: r.Pose.Cell == 0,
	}
}

// doOwned does what a command asks of a mover that is published, and tells of
// what it changed, at once (15 §6).
func (m *mover) doOwned(c *Command) Verdict {
	p := m.w.e.outbound.find(c.Guid)
	b := m.before()
	verdict := m.do(c)
	r := m.row()
	if verdict == Applied && p.kind != reporter {
		switch c.Do {
		case DoPickUp:
			m.sayPickup(p)
		case DoParent:
			m.sayParent(p, c)
		}
	}
	autonomous := c.Do == DoRaw || c.Do == DoMotion || c.Do == DoStopMotion || c.Do == DoHoldKey || c.Do == DoHoldRun
	actions := m.begun(c, &b)
	if p.kind == reporter {
		m.report(p, &b, actions, c)
		return verdict
	}
	switch {
	case c.Do == DoPosition:
		p.teleport = p.teleport || c.Teleport && verdict == Applied
		p.correct = p.correct || c.Force && !c.Teleport && verdict == Applied
		// at once: where it is told a teleport ends what was commanded before, and not what
		// comes after (12 §4); so does the place of who comes back, where nobody thinks he is
		if r.Pose.Cell != 0 && (p.teleport || b.nowhere) {
			m.sayPosition(p)
			p.ruledTick, p.teleport, p.correct = m.w.e.clock.beat, false, false
		}
	case c.Do == DoBroadcast:
		p.force = true
		p.teleport = p.teleport || c.Teleport
		verdict = Applied
	}
	if r.Pose.Cell == 0 {
		return verdict
	}
	if r.Body.State != p.state {
		m.sayState(p)
	}
	ordered := c.Do >= DoMoveToObject && c.Do <= DoTurnToHeading
	changed := b.motion != stateNow(r) || b.moving || b.sticky != m.position.StickyID() ||
		b.longJump != r.Interpreter.StandingLongJump || len(actions) > 0
	if ordered || changed && !m.MovingTo() {
		m.sayMotion(p, actions, autonomous)
	}
	if b.velocity != r.Body.Velocity {
		m.sayVector(p)
	}
	return verdict
}

// begun are the actions that a command has begun.
func (m *mover) begun(c *Command, b *before) []components.Action {
	o := &m.w.e.outbound
	o.actions = o.actions[:0]
	switch {
	case c.Do == DoMotion && motion.IsAction(c.Motion) && m.code == 0:
		o.actions = append(o.actions, components.Action{Motion: c.Motion, Speed: c.Speed, Autonomous: m.isSelf()})
	case c.Do == DoInterpreted:
		last := b.stamp
		for _, a := range c.Actions {
			if motion.NewerAction(a.Stamp, last) && !(a.Autonomous && m.motion.OwnInput()) { // who gives his own has played it (R5.28)
				last = a.Stamp
				o.actions = append(o.actions, a)
			}
		}
	}
	return o.actions
}
