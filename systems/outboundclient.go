package systems

import (
	"errors"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/systems/position"
	"github.com/gait-engine/gait/wire"
)

// ClientAction takes a game action that the client of an owned player has sent,
// for the next tick, in order with messages and commands. A movement state, an
// autonomous position and a jump are applied, and told to others by 15 §6; any
// other action means nothing here. The bytes are copied. What became of it is in
// [Engine.Outcomes]; what is no message at all is refused ([ErrMessage]), and the guid 0,
// which is nobody's ([ErrUnknown]).
//
// The client is believed where it stands: an embedder who does not trust it looks
// at the place first.
func (e *Engine) ClientAction(guid uint32, msg []byte) error {
	if err := CheckAction(guid, msg); err != nil {
		return err
	}
	b := &e.inbound
	b.items = append(b.items, item{at: len(b.arena), length: int32(len(msg)), client: guid})
	b.arena = append(b.arena, msg...)
	e.tape.message(guid, msg)
	return nil
}

// CheckAction returns why [Engine.ClientAction] would refuse an action unread, nil if it would not.
func CheckAction(guid uint32, msg []byte) error {
	err := checkLength(msg, 12)
	if err == nil && guid == 0 { // it would count as a message of the server's
		return ErrUnknown
	}
	return err
}

// ErrNotPlayer is the outcome of a client's action for a remote that is no owned player.
var ErrNotPlayer = errors.New("systems: not an owned player")

// clientAction applies one. What was written before the server last moved the
// player, and what comes behind a later action, is stale (20 §5.5).
func (m *mover) clientAction(guid uint32, msg []byte) {
	e := m.w.e
	l, o := &m.w.letters, &e.outbound
	op := wire.Opcode(msg)
	row, known := e.world.Row(guid)
	var p *published
	if known && !e.world.Leaving(guid) {
		p = o.find(guid)
	}
	if p == nil || p.kind != OwnedPlayer {
		err := ErrUnknown
		if known {
			err = ErrNotPlayer
		}
		e.inbound.outcome(guid, op, Refused, err)
		return
	}
	m.at(row)
	var err error
	verdict := Ignored
	switch op {
	case wire.ActMoveToState:
		x := &l.toState
		if err = l.decoder.Into(msg, x); err == nil {
			verdict, err = m.unlessFlooded(func() Verdict { return m.clientMoves(p, x) })
		}
	case wire.ActAutonomousPosition:
		x := &l.report
		if err = l.decoder.Into(msg, x); err == nil {
			if verdict = m.clientStands(p, x.Sequence, &x.Stamps, x.Place); verdict == Applied {
				p.force = true
			}
		}
	case wire.ActJump:
		x := &l.jump
		if err = l.decoder.Into(msg, x); err == nil {
			verdict, err = m.unlessFlooded(func() Verdict { return m.clientJumps(p, x) })
		}
	default:
		_, err = l.decoder.Decode(msg)
	}
	if err != nil {
		verdict = Refused
	}
	e.inbound.outcome(guid, op, verdict, err)
}

// unlessFlooded does an action that makes motions, unless too many are pending.
func (m *mover) unlessFlooded(do func() Verdict) (Verdict, error) {
	if Flooded(m.row()) {
		return Refused, ErrFlood
	}
	return do(), nil
}

// clientStands passes an action through its gates and puts the player where it says.
func (m *mover) clientStands(p *published, sequence uint32, q *wire.Quad, place space.Position) Verdict {
	r := m.row()
	if wire.ClientGate(r.Stamps.Slot, *q) != wire.Process || p.client && int32(sequence-p.sequence) <= 0 {
		return Stale
	}
	place = wire.Settle(place)
	if place.Cell == 0 || r.Pose.Cell == 0 {
		return Ignored
	}
	p.client, p.sequence = true, sequence
	m.wake()
	if r.Pose.Position != place {
		was := m.where()
		m.Place(place, position.PlaceHard)
		m.moved(was)
	}
	return Applied
}

// clientMoves applies a movement state: it is told to others whatever it says,
// its position when a second has passed (15 §6).
func (m *mover) clientMoves(p *published, x *wire.MoveToState) Verdict {
	if v := m.clientStands(p, x.Sequence, &x.Stamps, x.Place); v != Applied {
		return v
	}
	r, o := m.row(), &m.w.e.outbound
	m.initInterpreter()
	m.motion.CancelMoveTo(motion.ActionCancelled)
	m.position.Unstick()
	r.Interpreter.LastMoveAutonomous = true
	m.motion.InstallRaw(RawOf(&x.Raw))
	r.Interpreter.StandingLongJump = x.LongJump()
	o.actions = o.actions[:0]
	for _, a := range x.Raw.List() {
		id, ok := a.Command()
		if !ok || !motion.NewerAction(a.Stamp(), r.Interpreter.ServerActionStamp) {
			continue
		}
		r.Interpreter.ServerActionStamp = a.Stamp()
		q := motion.DefaultParams()
		q.Speed = wire.ClampSpeed(a.Speed)
		q.Flags |= components.ParamAutonomous
		if m.motion.PerformMovement(motion.InterpretedCommand, id, &q) == 0 {
			o.actions = append(o.actions, components.Action{Motion: id, Speed: q.Speed, Autonomous: true})
		}
	}
	m.sayMotion(p, o.actions, true)
	p.asked = true
	return Applied
}

// clientJumps applies a jump: the player leaves the ground with the velocity that
// his client says, if he may jump here as well.
func (m *mover) clientJumps(p *published, x *wire.Jump) Verdict {
	if v := m.clientStands(p, x.Sequence, &x.Stamps, x.Place); v != Applied {
		return v
	}
	m.initInterpreter()
	if m.motion.Jump(x.Extent) != 0 {
		return Ignored
	}
	r := m.row()
	m.position.SetVelocity(space.LocalToGlobalVec(r.Pose.Frame.Rotation, wire.ClampVelocity(x.Velocity)))
	m.sayVector(p)
	return Applied
}

// RawOf is a wire raw state in the engine's terms, without its actions; speeds are
// clamped, what is no hold key is none (20 §7).
func RawOf(w *wire.Raw) motion.RawState {
	axis := func(id, hold uint32, speed float32) components.Axis {
		return components.Axis{Motion: id, Hold: components.HoldKey(wire.HoldKey(hold)), Speed: wire.ClampSpeed(speed)}
	}
	return motion.RawState{
		HoldKey: components.HoldKey(wire.HoldKey(w.HoldKey)), Style: w.Style,
		Forward:  axis(w.Forward, w.ForwardHold, w.ForwardSpeed),
		Sidestep: axis(w.Sidestep, w.SidestepHold, w.SidestepSpeed),
		Turn:     axis(w.Turn, w.TurnHold, w.TurnSpeed),
	}
}

// localVelocity is the body's velocity in its own axes.
func (m *mover) localVelocity() space.Vec3 {
	r := m.row()
	return space.GlobalToLocalVec(r.Pose.Frame.Rotation, r.Body.Velocity)
}
