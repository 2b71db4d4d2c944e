package systems

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/ecs"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/wire"
)

// Ownership says who decides what a mover does. What is not a remote is driven
// by the embedder's commands, and the engine writes the messages that tell
// others of it; how often their positions go out depends on the kind (15 §6).
type Ownership uint8

const (
	// Remote: somebody else decides. It follows messages, and none are written for it.
	Remote Ownership = iota
	// OwnedMonster tells its position every 0.2 s while that changes or it means to
	// be on its way, as one that runs against a wall does; not while it sticks to a
	// target; once more when it has come to rest; at once at the end of move-tos and turns.
	OwnedMonster
	// OwnedCreature is no monster: it tells its position at the end of move-tos and turns alone.
	OwnedCreature
	// OwnedPlayer tells its position when its client does: [Engine.ClientAction].
	// One that has no client, and is driven by commands, tells it when a client would (15 §7).
	OwnedPlayer
	// OwnedProjectile tells no position: who sees it simulates it from its velocity.
	OwnedProjectile

	reporter // the local player of [Options.Reports]; spawned as a Remote
)

// Out is a message that the last tick has to send.
type Out struct {
	Guid    uint32 // whom it is about
	Message []byte // whole, opcode first
	// Err says why there is no message: something that the wire cannot carry, such
	// as a body that has fallen out of all bounds. The stamps are taken all the same.
	Err error
}

// published is what has been told of a mover that is not a remote.
type published struct {
	guid uint32
	kind Ownership // Remote: it has gone

	place       space.Position // the last one sent; of a new mover, where it began
	normal      space.Vec3     // of the plane touched then,
	plane       float32        // and its distance, m: [components.Touch]
	contact     components.TransientBits
	settled     bool // and once more since it came to rest
	placeTick   uint64
	ruledTick   uint64       // the same, of the last one that was no refresh
	motion      motion.State // the last one sent, or implied by the end of an order
	ordered     bool         // the last one sent was an order
	autonomous  bool         // and came from its own client
	moveTick    uint64
	state       components.StateBits
	actionStamp uint16
	client      bool   // there is one
	sequence    uint32 // of its last action that was taken

	// Asked for in this tick: a position at all cost, one if a second has passed,
	// with the next teleport stamp, with the next force-position stamp.
	force, asked, teleport, correct bool
}

// outbound holds what the tick has to send, and of whom.
type outbound struct {
	owned   []published // by ascending guid
	rows    []int32     // where they are, as of changes
	changes uint64
	coming  map[uint32]Ownership // of spawns that wait

	arena    []byte
	written  []written
	outs     []Out
	reports  []Out
	sequence uint32 // of the client's next action

	think, second, refresh uint64 // ticks: 0.2 s, 1 s, Options.Refresh
	within                 uint64 // ticks that are no more than 1 s

	actions  []components.Action // scratch: those that a command has begun
	movement wire.Movement
	position wire.PositionEvent
	vector   wire.VectorUpdate
	state    wire.SetState
	remove   wire.Delete
	pickup   wire.Pickup
	parent   wire.Parent
	create   wire.Create
	toState  wire.MoveToState
	report   wire.AutonomousPosition
	jump     wire.Jump
}

// written is a message in the arena.
type written struct {
	guid   uint32
	at     int
	report bool // to the server
	err    error
}

func (o *outbound) init(ticksPerSecond, refresh float64) {
	// rounded up, but for the last bits of the product: 0.2 s of 30 ticks a second are 6
	ticks := func(seconds float64) uint64 {
		return max(uint64(math.Ceil(float64(seconds*ticksPerSecond)-1e-6)), 1)
	}
	o.think, o.second, o.within = ticks(0.2), ticks(1), uint64(ticksPerSecond+1e-6)
	if refresh > 0 {
		o.refresh = ticks(refresh)
	}
	o.coming = make(map[uint32]Ownership)
}

// Outbound returns the messages that a server sends after the last tick (15
// §6): to everybody who knows of the movers that they are about, the movers' own
// clients included. In guid order, those of one mover in their order. Good until
// the next tick.
//
// Newcomers need [Engine.CreateMessage] first. A mover that was removed leaves its
// delete message here.
func (e *Engine) Outbound() []Out { return e.outbound.outs }

// Reports returns the actions that the client of [Options.LocalPlayer] sends to
// its server after the last tick (15 §7), if [Options.Reports] is set: a movement
// state at each command change, a jump, an autonomous position when one is due.
// In order; good until the next tick.
func (e *Engine) Reports() []Out { return e.outbound.reports }

// NextSequence hands out the number of an action that the client sends besides
// [Engine.Reports]: there is one counter for all (20 §3).
func (e *Engine) NextSequence() uint32 {
	e.tape.op(tapeSequence)
	return e.nextSequence()
}

func (e *Engine) nextSequence() uint32 {
	n := e.outbound.sequence
	e.outbound.sequence++
	return n
}

// begin readies the buffers of a tick.
func (o *outbound) begin() { o.arena, o.written = reuse(o.arena), reuse(o.written) }

// bytes is the memory of its buffers.
func (o *outbound) bytes() uintptr {
	return room(o.arena) + room(o.written) + room(o.outs) + room(o.reports) + room(o.owned)
}

// write appends one message.
func (o *outbound) write(guid uint32, report bool, m wire.Message) {
	at := len(o.arena)
	var err error
	o.arena, err = m.Append(o.arena)
	o.written = append(o.written, written{guid, at, report, err})
}

// end makes the lists of what was written.
func (o *outbound) end() {
	o.outs, o.reports = reuse(o.outs), reuse(o.reports)
	if len(o.written) == 0 {
		return
	}
	for i := range o.written {
		w := &o.written[i]
		to := len(o.arena)
		if i+1 < len(o.written) {
			to = o.written[i+1].at
		}
		out := Out{Guid: w.guid, Err: w.err}
		if w.err == nil {
			out.Message = o.arena[w.at:to:to]
		}
		if w.report {
			o.reports = append(o.reports, out)
		} else {
			o.outs = append(o.outs, out)
		}
	}
	guid := func(a, b Out) int { return cmp.Compare(a.Guid, b.Guid) }
	if !slices.IsSortedFunc(o.outs, guid) {
		slices.SortStableFunc(o.outs, guid)
	}
}

// find returns what has been told of a mover, nil for a remote.
func (o *outbound) find(guid uint32) *published {
	i, ok := slices.BinarySearchFunc(o.owned, guid, func(p published, guid uint32) int { return cmp.Compare(p.guid, guid) })
	if !ok {
		return nil
	}
	return &o.owned[i]
}

// owns reports whether a mover that lives is the embedder's own.
func (o *outbound) owns(guid uint32) bool {
	p := o.find(guid)
	return p != nil && p.kind != reporter
}

// own begins to publish m, which is new: who sees it come learns of it by its create.
func (m *mover) own() {
	e, r := m.w.e, m.row()
	o := &e.outbound
	kind := o.coming[r.Identity.Guid]
	delete(o.coming, r.Identity.Guid)
	if kind == Remote && e.options.Reports && m.isSelf() {
		kind = reporter
	}
	if kind == Remote {
		return
	}
	r.Rest.Busy |= components.Owned
	p := published{guid: r.Identity.Guid, kind: kind, placeTick: e.clock.beat, ruledTick: e.clock.beat, moveTick: e.clock.beat, settled: true, state: r.Body.State}
	p.motion = stateNow(r)
	p.stood(r)
	o.owned = append(o.owned, p)
}

// disown ends that of a mover that goes, and tells of it (20 §2.6).
func (m *mover) disown() {
	r := m.row()
	o := &m.w.e.outbound
	if r.Rest.Busy&components.Owned == 0 {
		return
	}
	p := o.find(r.Identity.Guid)
	if p.kind != reporter {
		o.remove = wire.Delete{Guid: p.guid, Instance: r.Stamps.Slot[wire.SlotInstance]}
		o.write(p.guid, false, &o.remove)
	}
	p.kind = Remote
}

// settleOwned puts the table in order after movers have gone and come.
func (o *outbound) settleOwned() {
	o.owned = slices.DeleteFunc(o.owned, func(p published) bool { return p.kind == Remote })
	guid := func(a, b published) int { return cmp.Compare(a.guid, b.guid) }
	if !slices.IsSortedFunc(o.owned, guid) {
		slices.SortFunc(o.owned, guid)
	}
}

// publishOwned is what is left to tell when all movers are updated. events are
// the tick's, in guid order.
func (e *Engine) publishOwned(w *worker, events []Event) {
	o := &e.outbound
	if len(o.owned) == 0 {
		return
	}
	if o.changes != e.world.Changes() || len(o.rows) != len(o.owned) {
		o.changes = e.world.Changes()
		o.rows = o.rows[:0]
		for i := range o.owned {
			row, _ := e.world.Row(o.owned[i].guid)
			o.rows = append(o.rows, int32(row))
		}
	}
	k := 0
	for i := range o.owned {
		p := &o.owned[i]
		for k < len(events) && events[k].Guid < p.guid {
			k++
		}
		ended, code := false, uint32(0)
		for ; k < len(events) && events[k].Guid == p.guid; k++ {
			if events[k].Kind == MoveToEnded {
				ended, code = true, events[k].Code
			}
		}
		w.mover.at(int(o.rows[i]))
		if p.kind == reporter {
			w.mover.reportPosition(p)
		} else {
			w.mover.publish(p, ended, code)
		}
		p.force, p.asked, p.teleport, p.correct = false, false, false, false
	}
}

// publish tells what m's update has changed (15 §6).
func (m *mover) publish(p *published, ended bool, code uint32) {
	r, o, now := m.row(), &m.w.e.outbound, m.w.e.clock.beat
	if r.Pose.Cell == 0 { // held, or out of the world: nobody sees it
		return
	}
	if r.Body.State != p.state {
		m.sayState(p)
	}
	if !m.MovingTo() {
		s := stateNow(r)
		switch {
		case p.ordered && ended && code == 0: // arrived: so do those who were told to go there
			p.motion, p.ordered, p.moveTick = s, false, now
		case p.ordered || p.motion != s:
			m.sayMotion(p, nil, false)
		case o.repeats(p, now, p.moveTick):
			m.sayMotion(p, nil, p.autonomous)
		}
	}
	switch {
	case m.positionDue(p, ended):
		m.sayPosition(p)
		p.ruledTick = now
	case m.repeatsPosition(p):
		m.sayPosition(p)
	}
}

// repeats reports whether what was last said at a tick is said again: after
// Options.Refresh, and then at a tick in which not everybody does.
func (o *outbound) repeats(p *published, now, last uint64) bool {
	if o.refresh == 0 || now-last < o.refresh {
		return false
	}
	turns := max(o.refresh/4, 1)
	return (now+uint64(p.guid))%turns == 0
}

// positionDue is the table of 15 §6.
func (m *mover) positionDue(p *published, ended bool) bool {
	r, o := m.row(), &m.w.e.outbound
	since := m.w.e.clock.beat - p.placeTick
	moved := r.Pose.Position != p.place
	switch {
	case p.force || p.teleport || p.correct:
		return true
	case p.kind == OwnedProjectile:
		return false
	case ended:
		return true
	case m.silent(p):
		return false
	case p.kind == OwnedMonster:
		return since >= o.think && (moved || !p.settled || underWay(r.Interpreted))
	case p.kind == OwnedPlayer && p.client:
		return p.asked && m.w.e.clock.beat-p.ruledTick >= o.second
	}
	return p.kind == OwnedPlayer && m.reportDue(p)
}

// underWay reports whether who does this is a moving one, whatever stands in its way
// (15 §6): its copies run on where nothing does.
func underWay(i *components.Interpreted) bool {
	return i.Forward == motion.WalkForward || i.Forward == motion.RunForward || i.Sidestep != 0 || i.Turn != 0
}

// silent reports whether m tells no position for the time being: it sticks to
// somebody, or is simulated by who sees it.
func (m *mover) silent(p *published) bool {
	return p.kind == OwnedProjectile || m.row().Rest.Busy&components.Stuck != 0 && p.kind != OwnedPlayer
}

// repeatsPosition reports whether m's position is said again. That is no broadcast of
// 15 §6: it does not put off what is told of a player's movement state once a second.
func (m *mover) repeatsPosition(p *published) bool {
	return !m.silent(p) && m.w.e.outbound.repeats(p, m.w.e.clock.beat, p.placeTick)
}

// reportDue is when a client reports its position (15 §7).
func (m *mover) reportDue(p *published) bool {
	r, o := m.row(), &m.w.e.outbound
	if m.w.e.clock.beat-p.placeTick > o.within {
		return r.Pose.Position != p.place
	}
	return r.Pose.Cell != p.place.Cell || r.Body.ContactNormal != p.normal || r.Touch.D != p.plane || r.Body.Transient&grounded != p.contact
}

const grounded = components.Contact | components.OnWalkable

// stood notes where r stands as what has been sent.
func (p *published) stood(r *components.Row) {
	p.place, p.contact = r.Pose.Position, r.Body.Transient&grounded
	p.normal, p.plane = r.Body.ContactNormal, r.Touch.D
}

// stateNow is the interpreted state of r.
func stateNow(r *components.Row) motion.State {
	i := r.Interpreted
	return motion.State{
		Style: i.Style, Forward: i.Forward, Sidestep: i.Sidestep, Turn: i.Turn,
		ForwardSpeed: i.ForwardSpeed, SidestepSpeed: i.SidestepSpeed, TurnSpeed: i.TurnSpeed,
	}
}

// hash adds what later messages depend on.
func (o *outbound) hash(h *ecs.Hash) {
	if len(o.owned) == 0 {
		return
	}
	h.U32(o.sequence)
	h.U64(uint64(len(o.owned)))
	for i := range o.owned {
		p := &o.owned[i]
		h.U32(p.guid)
		h.U32(uint32(p.kind))
		h.Position(&p.place)
		h.Vec(p.normal)
		h.F32(p.plane)
		h.U32(uint32(p.contact))
		h.U64(p.placeTick)
		h.U64(p.ruledTick)
		h.U64(p.moveTick)
		s := &p.motion
		for _, v := range [...]uint32{s.Style, s.Forward, s.Sidestep, s.Turn, uint32(p.state), uint32(p.actionStamp), p.sequence} {
			h.U32(v)
		}
		h.F32(s.ForwardSpeed)
		h.F32(s.SidestepSpeed)
		h.F32(s.TurnSpeed)
		h.Bool(p.settled)
		h.Bool(p.ordered)
		h.Bool(p.autonomous)
		h.Bool(p.client)
	}
}

// check is the part of [Engine.Check] about the table of owned movers.
func (o *outbound) check(w *ecs.World) error {
	last := uint32(0)
	for i := range o.owned {
		guid := o.owned[i].guid
		row, ok := w.Row(guid)
		if guid <= last || !ok || w.Columns().Rest[row].Busy&components.Owned == 0 {
			return fmt.Errorf("systems: 0x%08X is published, after 0x%08X; in the world %v", guid, last, ok)
		}
		last = guid
	}
	n := 0
	for i := range w.Columns().Rest {
		if w.Columns().Rest[i].Busy&components.Owned != 0 {
			n++
		}
	}
	if n != len(o.owned) {
		return fmt.Errorf("systems: %d movers are owned, %d published", n, len(o.owned))
	}
	return nil
}
