package systems

import (
	"errors"
	"fmt"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/systems/position"
	"github.com/gait-engine/gait/wire"
)

// MaxMessage is the length in bytes beyond which a message is refused unread.
const MaxMessage = 1 << 16

// ErrMessage refuses a message that is too short to have an opcode, or too long.
var ErrMessage = errors.New("systems: not a message")

// MaxPending is how many motions of one remote may be pending before movement messages, commands to
// move, and its client's movements and jumps, are refused (engine policy, as 20 §7). Redundant ones cost nothing, so
// nobody comes near who is updated, has a motion table and has not been sent actions by the hundred. Without a
// table nothing completes (R4.2): after some five hundred orders to go somewhere such a remote is refused more until it leaves.
const MaxPending = 1024

// ErrFlood refuses what would move a remote with [MaxPending] motions pending.
var ErrFlood = errors.New("systems: too many motions are pending")

// Verdict says what became of an input.
type Verdict uint8

const (
	Applied Verdict = iota + 1
	Parked          // kept until its object is created
	Stale           // a stamp said that newer has been applied already; or it is the local player's own echo
	Ignored         // taken, and means nothing here: a place for a body in the air
	Refused         // hostile or broken; it changed nothing
)

var verdictNames = [...]string{"none", "applied", "parked", "stale", "ignored", "refused"}

// String returns the verdict in words.
func (v Verdict) String() string {
	if int(v) < len(verdictNames) {
		return verdictNames[v]
	}
	return "unknown verdict"
}

// Outcome is what became of one message or command of the last tick.
type Outcome struct {
	Guid    uint32
	Opcode  uint32 // 0 for a command
	Verdict Verdict
	// Code is what the rules answered to a command to move, jump or stop: 0, or
	// why not (spec 01 §1.6). Such a command was Applied even so: what comes before
	// the refusal, like the end of a move-to, has happened.
	Code uint32
	Err  error // why it was Refused
}

// inbox holds what came since the last tick, in order of arrival.
type inbox struct {
	arena    []byte
	items    []item
	commands []Command
	outcomes []Outcome

	parked   wire.Parked
	replays  []uint32 // guids that were born with messages parked
	replayed []item   // those messages, copied into the arena: one of them may be parked again
	creation map[uint32]creation
	unknown  map[uint32]struct{} // who was made of Options.Unknown, and is there
	refused  uint64              // first sights beyond Options.MaxUnknown

	lanes lanes
}

// letters is what one message after another is decoded with.
type letters struct {
	decoder  wire.Decoder
	movement wire.Movement
	position wire.PositionEvent
	both     wire.PositionMovement
	create   wire.Create
	vector   wire.VectorUpdate
	state    wire.SetState
	remove   wire.Delete
	pickup   wire.Pickup
	parent   wire.Parent
	toState  wire.MoveToState
	report   wire.AutonomousPosition
	jump     wire.Jump
	actions  [wire.MaxActions]components.Action
}

// item is a message in the arena, or a command.
type item struct {
	at     int    // in the arena, or in commands
	length int32  // 0 is a command
	late   bool   // a create whose parent may yet be admitted
	client uint32 // not 0: an action that this player's client has sent
	done   bool   // a create that was answered when rows were applied
	row    int32  // of the remote that it is for, −1 none: see [worker.lookUp]
	lone   bool   // a message that reaches no remote but its own: see lanes
}

// open reports whether it is a message that nobody's client has sent, and that has not
// been answered yet.
func (it *item) open() bool { return it.length != 0 && it.client == 0 && !it.done }

// creation is what a create message says beyond the spawn: what the object was
// doing.
type creation struct {
	body              wire.Body
	moves, autonomous bool
	placement         uint32
}

// Inbound takes a whole game message, opcode first, for the next tick. The
// bytes are copied. What became of it is in [Engine.Outcomes] after that tick;
// here only what is no message at all is refused ([ErrMessage]).
func (e *Engine) Inbound(msg []byte) error {
	if err := CheckMessage(msg); err != nil {
		return err
	}
	b := &e.inbound
	b.items = append(b.items, item{at: len(b.arena), length: int32(len(msg))})
	b.arena = append(b.arena, msg...)
	e.tape.message(0, msg)
	return nil
}

// CheckMessage returns why [Engine.Inbound] would refuse a message unread, nil if it would not.
func CheckMessage(msg []byte) error { return checkLength(msg, 4) }

func checkLength(msg []byte, least int) error {
	if len(msg) < least || len(msg) > MaxMessage {
		return fmt.Errorf("%w: %d bytes", ErrMessage, len(msg))
	}
	return nil
}

// Command takes a typed command for the next tick, in order with messages. One
// that holds no number, place or rotation where it should is refused ([ErrCommand]).
func (e *Engine) Command(c Command) error {
	if err := c.Check(); err != nil {
		return err
	}
	b := &e.inbound
	b.items = append(b.items, item{at: len(b.commands)})
	b.commands = append(b.commands, c)
	e.tape.command(&c)
	return nil
}

// Outcomes returns what became of the inputs of the last tick, in the order in
// which they were applied: arrival, and messages that had been parked for a new
// remote before all others. Good until the next tick.
func (e *Engine) Outcomes() []Outcome { return e.inbound.outcomes }

// Counts returns how many messages were decoded and refused so far, by reason.
func (e *Engine) Counts() wire.Counts {
	c := e.workers[0].letters.decoder.Counts
	for i := range e.workers[1:] {
		c.Add(&e.workers[1+i].letters.decoder.Counts)
	}
	return c
}

// ParkedCount returns how many messages wait for their object, and how many
// were dropped for lack of room or for age so far (spec 20 §7).
func (e *Engine) ParkedCount() (waiting int, dropped, expired uint64) {
	p := &e.inbound.parked
	return p.Len(), p.Dropped, p.Expired
}

// UnknownCount returns how many remotes were made of Options.Unknown and are there,
// and how many messages so far would have made one more than Options.MaxUnknown.
func (e *Engine) UnknownCount() (there int, refused uint64) {
	return len(e.inbound.unknown), e.inbound.refused
}

// seconds is the clock of a tick.
func (e *Engine) seconds() float64 { return e.clock.now }

// admit is the first look at the tick's messages: an object that is created in
// this tick is there for the messages that follow.
func (e *Engine) admit() {
	b := &e.inbound
	late := false
	for i := range b.items {
		it := &b.items[i]
		if it.length == 0 || it.client != 0 {
			continue
		}
		msg := b.arena[it.at:][:it.length]
		switch op := wire.Opcode(msg); op {
		case wire.OpCreate, wire.OpUpdate:
			it.done, it.late = e.admitCreate(msg)
			late = late || it.late
		case wire.OpMovement, wire.OpPosition, wire.OpPositionMovement:
			if e.options.Unknown != nil {
				e.admitUnknown(op, msg)
			}
		}
	}
	for n := 1; late && n < MaxHeldDepth; n++ { // held by somebody who comes further down
		late = false
		for i := range b.items {
			if it := &b.items[i]; it.late {
				it.done, it.late = e.admitCreate(b.arena[it.at:][:it.length])
				late = late || it.late
			}
		}
	}
}

// applyInbound is the first stage: messages and commands in order of arrival, or
// what comes to the same.
func (e *Engine) applyInbound(w *worker) {
	b := &e.inbound
	b.parked.Expire(e.seconds())
	for _, guid := range b.replays {
		b.replayed = b.replayed[:0]
		for _, msg := range b.parked.Take(guid) {
			b.replayed = append(b.replayed, item{at: len(b.arena), length: int32(len(msg))})
			b.arena = append(b.arena, msg...)
		}
		for i := range b.replayed {
			w.lookUp(b.replayed[i:i+1], true)
			w.mover.apply(&b.replayed[i])
		}
	}
	b.replays = reuse(b.replays)
	e.applyItems()
	b.lanes.order = reuse(b.lanes.order[:min(len(b.items), cap(b.lanes.order))])
	b.items, b.arena, b.commands, b.replayed = reuse(b.items), reuse(b.arena), reuse(b.commands), reuse(b.replayed)
}

// apply applies one input that has been looked up, unless that has been answered already.
func (m *mover) apply(it *item) {
	b := &m.w.e.inbound
	switch {
	case it.done:
		return
	case it.client != 0:
		m.clientAction(it.client, b.arena[it.at:][:it.length])
	case it.length == 0:
		m.command(&b.commands[it.at])
	default:
		m.message(b.arena[it.at:][:it.length], it.row)
	}
	m.noted()
}

// bytes is the memory of the buffers of inputs, and of what is parked.
func (b *inbox) bytes() uintptr {
	return room(b.arena) + room(b.items) + room(b.commands) + room(b.outcomes) + room(b.replays) + room(b.replayed) + b.parked.Bytes() + b.lanes.bytes()
}

// outcome notes what became of an input.
func (b *inbox) outcome(guid, op uint32, v Verdict, err error) {
	b.outcomes = append(b.outcomes, Outcome{})
	b.outcomes[len(b.outcomes)-1].set(guid, op, v, err)
}

// set makes o what became of an input, in place: made elsewhere and copied, it stalls.
func (o *Outcome) set(guid, op uint32, v Verdict, err error) {
	o.Guid, o.Opcode, o.Verdict, o.Code, o.Err = guid, op, v, 0, err
}

// target is where a message of an opcode is decoded to, nil for those that
// mean nothing here.
func (b *letters) target(op uint32) wire.Message {
	switch op {
	case wire.OpMovement:
		return &b.movement
	case wire.OpPosition:
		return &b.position
	case wire.OpPositionMovement:
		return &b.both
	case wire.OpVector:
		return &b.vector
	case wire.OpSetState:
		return &b.state
	case wire.OpDelete:
		return &b.remove
	case wire.OpCreate, wire.OpUpdate:
		return &b.create
	case wire.OpPickup:
		return &b.pickup
	case wire.OpParent:
		return &b.parent
	}
	return nil
}

// message decodes one message and does what it says. row is that of the remote that it
// is for, −1 for one that is not there.
func (m *mover) message(msg []byte, row int32) {
	b := &m.w.letters
	op := wire.Opcode(msg)
	target := b.target(op)
	if target == nil {
		// a client's own action, or news of who the player is: well formed is all they can be
		guid, _ := wire.Guid(msg)
		if _, err := b.decoder.Decode(msg); err != nil {
			m.outcome(guid, op, Refused, err)
		} else {
			m.outcome(guid, op, Ignored, nil)
		}
		return
	}
	if err := b.decoder.Into(msg, target); err != nil {
		guid, _ := wire.Guid(msg)
		m.outcome(guid, op, Refused, err)
		return
	}
	switch x := target.(type) {
	case *wire.Movement:
		m.gated(row, x.Guid, x.Instance, op, msg, func() Verdict { return m.moves(x) })
	case *wire.PositionEvent:
		m.gated(row, x.Guid, x.Pack.Instance, op, msg, func() Verdict { return m.stands(&x.Pack) })
	case *wire.PositionMovement:
		m.gated(row, x.Guid, x.Pack.Instance, op, msg, func() Verdict {
			where, how := x.Parts()
			b.movement = how
			stood, moved := m.stands(&where.Pack), m.moves(&b.movement)
			if moved == Applied || stood != Applied {
				return moved
			}
			return stood
		})
	case *wire.VectorUpdate:
		m.gated(row, x.Guid, x.Instance, op, msg, func() Verdict { return m.flies(x) })
	case *wire.SetState:
		m.gated(row, x.Guid, x.Instance, op, msg, func() Verdict { return m.changes(x) })
	case *wire.Delete:
		m.gated(row, x.Guid, x.Instance, op, msg, func() Verdict {
			if m.isSelf() {
				return Ignored // the player himself is never deleted (20 §5.1)
			}
			m.w.e.remove(x.Guid)
			return Applied
		})
	case *wire.Create:
		m.createAgain(x, msg)
	case *wire.Pickup:
		m.gated(row, x.Guid, x.Instance, op, msg, func() Verdict { return m.pickedUp(x) })
	case *wire.Parent:
		m.parented(x, msg)
	}
}

// gated passes a message through the instance gate, points m at its remote and
// applies it (20 §5.1).
func (m *mover) gated(row int32, guid uint32, instance uint16, op uint32, msg []byte, apply func() Verdict) {
	e := m.w.e
	known := row >= 0 && !e.world.Leaving(guid)
	var slot uint16
	if known {
		m.at(int(row))
		s := m.row().Stamps
		s.Accept(wire.SlotInstance, instance)
		slot = s.Slot[wire.SlotInstance]
		if m.isOwned() {
			m.outcome(guid, op, Ignored, nil)
			return
		}
	}
	verdict := Stale
	switch wire.InstanceGate(known, slot, instance) {
	case wire.Process:
		verdict = apply()
	case wire.Park:
		verdict = Parked
		m.park(guid, msg)
	}
	var err error
	if verdict == Refused {
		err = ErrFlood
	}
	m.outcome(guid, op, verdict, err)
}

func (m *mover) isSelf() bool { return m.row().Traits.Flags&components.LocalPlayer != 0 }

// Flooded reports whether so many motions of a remote are pending ([MaxPending]) that no
// message or command adds to them.
func Flooded(r *components.Row) bool {
	return r.Pending.Motions.Len >= MaxPending || r.Pending.Anims.Len >= MaxPending
}

// isOwned reports whether m is the embedder's own, of whom no message decides.
func (m *mover) isOwned() bool { return m.row().Rest.Busy&components.Owned != 0 && !m.isSelf() }

// moves applies a movement event past the instance gate (20 §5.2, 06 §6.10).
func (m *mover) moves(x *wire.Movement) Verdict {
	if Flooded(m.row()) {
		return Refused
	}
	s := m.row().Stamps
	s.Meet(wire.SlotMovement, x.Movement)
	s.Meet(wire.SlotServerControl, x.ServerControl)
	if wire.MovementGate((*wire.Slots)(&s.Slot), x.Movement, x.ServerControl, x.Autonomous != 0, m.isSelf()) != wire.Process {
		return Stale
	}
	m.row().Interpreter.LastMoveAutonomous = x.Autonomous != 0
	return m.body(&x.Body)
}

// body applies a movement body (R6.26).
func (m *mover) body(b *wire.Body) Verdict {
	m.wake()
	m.initInterpreter()
	style, ok := b.HeaderStyle()
	if !ok {
		style = m.row().Interpreted.Style
	}
	if b.Type == wire.TypeState {
		var state motion.State
		takeState(&state, &b.State)
		m.motion.InboundState(style, &state, m.actions(&b.State), b.StandingLongJump())
		if b.Sticky != 0 {
			m.position.StickToObject(b.Sticky, m.w.e.figure)
		}
		return Applied
	}
	m.motion.InboundBegin(style)
	o := order{kind: motion.MovementType(b.Type), target: b.Target, params: paramsOf(&b.Params)}
	switch b.Type {
	case wire.TypeMoveToObject, wire.TypeMoveToPosition:
		o.place.Cell, o.place.Frame.Origin = wire.SettleOrigin(b.Cell, b.Origin)
		o.place.Frame.Rotation = space.IdentityQuat
		m.motion.SetRunRate(wire.ClampSpeed(b.RunRate))
	case wire.TypeTurnToObject:
		o.params.DesiredHeading = b.Heading
	}
	m.order(&o)
	return Applied
}

// order is a move-to or a turn-to, of movement types 6 to 9.
type order struct {
	kind   motion.MovementType
	target uint32
	place  space.Position
	params components.MoveParams
}

// order gives it to the move-to manager; one whose target is unknown falls back
// on the place or the heading (R6.26 step 4, R6.27).
func (m *mover) order(o *order) {
	m.position.SetActive(true)
	target, known := m.w.e.figure(o.target)
	top := o.target
	if target.Parent != 0 {
		top = target.Parent
	}
	switch {
	case o.kind == motion.MoveToObject && known:
		m.motion.MoveToObject(o.target, top, target.Radius, target.Height, &o.params)
	case o.kind == motion.MoveToObject, o.kind == motion.MoveToPosition:
		m.motion.MoveToPosition(o.place, &o.params)
	case o.kind == motion.TurnToObject && known:
		m.motion.TurnToObject(o.target, top, &o.params)
	default:
		m.motion.TurnToHeading(&o.params)
	}
}

// paramsOf are wire parameters in the engine's terms; the speed is clamped (20 §7).
func paramsOf(p *wire.Params) components.MoveParams {
	q := motion.DefaultParams()
	q.Flags = components.ParamFlags(p.Flags)
	q.DistanceToObject, q.MinDistance, q.FailDistance = p.DistanceToObject, p.MinDistance, p.FailDistance
	q.Speed, q.WalkRunThreshold, q.DesiredHeading = wire.ClampSpeed(p.Speed), p.WalkRunThreshold, p.DesiredHeading
	return q
}

// initInterpreter makes the interpreter of a mover without motion table, which
// has none until its first movement (R5.45).
func (m *mover) initInterpreter() {
	if !m.row().Interpreter.Initted {
		m.position.SetActive(true) // 11 §3: the movement manager is made
		m.motion.EnterDefaultState()
	}
}

// takeState has to be a wire state in the engine's terms; speeds are clamped (20 §7).
func takeState(to *motion.State, s *wire.State) {
	to.Style, to.Forward, to.Sidestep, to.Turn = s.StyleID(), s.ForwardID(), s.SidestepID(), s.TurnID()
	to.ForwardSpeed, to.SidestepSpeed, to.TurnSpeed = wire.ClampSpeed(s.ForwardSpeed), wire.ClampSpeed(s.SidestepSpeed), wire.ClampSpeed(s.TurnSpeed)
}

// actions are those of a wire state that name a command.
func (m *mover) actions(s *wire.State) []components.Action {
	out := m.w.letters.actions[:0]
	for _, a := range s.List() {
		if id, ok := a.Command(); ok {
			out = append(out, components.Action{
				Motion: id, Speed: wire.ClampSpeed(a.Speed), Stamp: a.Stamp(), Autonomous: a.Autonomous(),
			})
		}
	}
	return out
}

// stands applies a position event past the instance gate (12 §3, 20 §5.3).
func (m *mover) stands(p *wire.PositionPack) Verdict {
	p.Settle()
	s := m.row().Stamps
	s.Meet(wire.SlotPosition, p.Position)
	s.Accept(wire.SlotTeleport, p.Teleport)
	if m.isSelf() {
		return m.standsSelf(p)
	}
	v := wire.PositionGate((*wire.Slots)(&s.Slot), p.Position, p.Teleport)
	if v == wire.Drop {
		return Stale
	}
	m.freed(p)
	return m.positioned(&p.Place, p.Contact(), v == wire.HardPlace)
}

// freed is what a position event does first to anybody, whatever it moves (12 §3 step 5).
func (m *mover) freed(p *wire.PositionPack) {
	m.unsetParent()
	if p.Flags&wire.PackPlacement != 0 && m.row().Sequence.Nodes.Len == 0 {
		m.setPlacement(p.Placement)
	}
}

// standsSelf is a position event for the local player: a forced position blips
// him, heading kept, a newer teleport moves and stops him, and at normal
// autonomy nothing else does (20 §5.4). Where the server has him his leash is tied (12 §3 step 6).
func (m *mover) standsSelf(p *wire.PositionPack) Verdict {
	s, r := m.row().Stamps, m.row()
	s.Accept(wire.SlotForcePosition, p.ForcePosition)
	switch wire.SelfPositionGate((*wire.Slots)(&s.Slot), p.Position, p.Teleport, p.ForcePosition) {
	case wire.Blip:
		m.unsetParent()
		m.wake()
		place := p.Place
		place.Frame.Rotation = space.SetHeading(place.Frame.Rotation, space.Heading(r.Pose.Frame.Rotation))
		m.correct(place)
		return Applied
	case wire.HardPlace:
		m.freed(p)
		verdict := m.positioned(&p.Place, p.Contact(), true)
		m.position.LeashTo(&p.Place)
		m.position.SetVelocity(space.Vec3{})
		return verdict
	case wire.Process:
		m.wake()
		m.freed(p)
		m.position.LeashTo(&p.Place)
		return Ignored
	}
	return Stale
}

// correct sets m hard, and what it was doing goes on (20 §5.4).
func (m *mover) correct(place space.Position) {
	r := m.row()
	from, was := r.Pose.Position, m.where()
	m.Place(place, position.PlaceHard)
	m.told(Blipped, &position.Result{From: from, To: r.Pose.Position}, was)
	m.motion.ApplyCurrentMovement(false, false)
}

// positioned is what follows from a position event that passed its gates.
func (m *mover) positioned(place *space.Position, contact, teleport bool) Verdict {
	m.wake()
	from, was := m.row().Pose.Position, m.where()
	switch m.position.PositionEvent(place, contact, teleport) {
	case position.Ignored:
		return Ignored
	case position.Teleported:
		m.told(Teleported, &position.Result{From: from, To: m.row().Pose.Position}, was)
	case position.Snapped:
		m.told(Blipped, &position.Result{From: from, To: m.row().Pose.Position}, was)
	}
	return Applied
}

// flies applies a vector update past the instance gate (20 §5.5, 11 §6).
func (m *mover) flies(x *wire.VectorUpdate) Verdict {
	switch {
	case !m.takes(wire.SlotVector, x.Vector):
		return Stale
	case m.isSelf():
		return Ignored
	}
	m.wake()
	m.position.SetVelocity(x.Velocity)
	position.SetOmega(m.row().Body, wire.ClampVelocity(x.Omega))
	return Applied
}

// changes applies a state event past the instance gate (20 §5.5, 11 §2).
func (m *mover) changes(x *wire.SetState) Verdict {
	if !m.takes(wire.SlotState, x.Stamp) {
		return Stale
	}
	m.wake()
	m.setState(components.StateBits(x.State))
	return Applied
}

// setState replaces the state word; both edges of hiding end link animations (R4.14).
func (m *mover) setState(state components.StateBits) {
	if position.SetState(m.row().Body, state)&components.Hidden != 0 {
		// set_hidden (11 §2), by the new word
		switch hides, reports := state&components.Hidden != 0, state&components.ReportCollisions != 0; {
		case hides && reports:
			m.position.EndAllEncounters()
		case !hides && !reports:
			m.position.ReportEncounters()
		}
		m.hideHeld(state&components.Hidden != 0)
		m.motion.RemoveLinkAnimations()
	}
}

// wake ends the rest of the row that m is pointed at, before it is changed.
func (m *mover) wake() { m.w.e.wake(m.row()) }
