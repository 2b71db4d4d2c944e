package systems

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/ecs"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/collision"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/systems/position"
)

// worker is what one goroutine of a tick works with: its own buffers, and a
// mover that is pointed at one row after another. Between stages, row from+k of
// the chunk in hand has its scratch at k.
type worker struct {
	e        *Engine
	pools    *components.Pools // a branch of the world's
	index    int32
	laps     laps
	c        *ecs.Columns
	view     *View
	tick     uint32 // its [count]
	writeAll bool
	events   []Event
	gathered int     // how many of the tick's are among the engine's, before all are updated
	merged   []Event // scratch of merge

	letters     letters
	slot        *Outcome // in a lane: where what becomes of it is noted,
	parks       bool     // and whether one of the tick's waits for its object
	mover       mover
	spare       []*mover // for whom the mover in hand tells something, by depth
	depth       int
	outbox      []subscription // made while movers are updated, in row order a stage of a chunk
	chunkOutbox int            // where those of the chunk in hand begin
	due         []due          // rows whose voyeurs are due
	sweeper     collision.Sweep
	body        collision.Body // who is swept
	walker      collision.Body // as [worker.strider] made it last,
	walkerSetup int32          // of this
	walkerScale float32
	standing    collision.Standing // on what it stands,
	strode      collision.Stride   // where it walked
	self        collision.Obstacle // who is swept, as others see him
	arrival     position.Arrival   // what that came to
	cells       []space.CellID     // and where it stands then
	regs        []registration     // of the tick
	regCells    []space.CellID     // their cells
	metBy       []Event            // what others are to be told of
	grown       []int32            // rows whose scale may have changed
	looking     []space.CellID     // in which those of a chunk stand who have to look around
	fetched     int32              // of no meaning
	hooks       motion.HookQueue   // of the chunk, in row order
	offset      []space.Frame      // what the sequence moved, then where the step wants to go
	ends        []int32            // where a row's hooks end in hooks
	steps       []bool             // whether it takes a step, of those that stages take
	rows        []int32            // which those are: sweep and publish,
	slow        []int32            // and of them sequence and adjust
	off, next   space.Frame        // of one who glides, but not straight on
	way         space.Vec3         // of one who does, not as his animation has it
	glided      int                // how many were taken through all stages at once,
	pursued     int                // and how many chased, of those who glid
}

func (w *worker) init(e *Engine, index, chunk int) {
	w.e, w.index = e, int32(index)
	w.pools = e.world.Pools.Branch()
	w.letters.decoder.Lenient = e.options.Lenient
	if e.land != nil {
		w.sweeper.World = &e.land.world
	}
	w.offset = make([]space.Frame, chunk)
	w.steps = make([]bool, chunk)
	w.rows, w.slow = make([]int32, 0, chunk), make([]int32, 0, chunk)
	w.ends = make([]int32, chunk)
	w.mover.init(w)
}

func (w *worker) begin(v *View, writeAll bool) {
	w.c = w.e.world.Columns()
	w.view, w.tick = v, count(w.e.tick)
	w.writeAll = writeAll
	w.mover.lose()
}

// mover is one remote with the rules of both rooms, and what each room asks of
// the other and of other remotes (its Host; the latter in others.go).
type mover struct {
	motion   motion.Mover
	position position.Mover
	w        *worker
	on       int    // the row that m is pointed at, −1 none
	code     uint32 // what the last command's motion returned (01 §1.6)
}

func (m *mover) init(w *worker) {
	m.w, m.on = w, -1
	m.motion = motion.Mover{Tables: w.e.tables, Pools: w.pools, Hooks: &w.hooks, Host: m}
	m.position = position.Mover{Row: &m.motion.Row, Pools: w.pools, Host: m}
}

// at points m at a row.
func (m *mover) at(i int) {
	if m.on != i {
		m.w.e.world.Columns().At(i, &m.motion.Row)
		m.on = i
	}
}

// lose makes m forget its row, since rows may have moved.
func (m *mover) lose() { m.on = -1 }

// row is the row that m is pointed at.
func (m *mover) row() *components.Row { return &m.motion.Row }

// guid is whose row that is.
func (m *mover) guid() uint32 { return m.w.e.world.Guid(m.on) }

// emit adds an event of the mover's.
func (m *mover) emit(ev Event) {
	ev.Guid = m.guid()
	m.w.events = append(m.w.events, ev)
}

// event adds an event of the mover's, for the caller to say more of it: made elsewhere and
// copied, one stalls.
func (m *mover) event(kind EventKind) *Event { return m.w.event(m.on, kind) }

// event is the same of a row.
func (w *worker) event(i int, kind EventKind) *Event {
	w.events = append(w.events, Event{})
	ev := &w.events[len(w.events)-1]
	ev.Guid, ev.Kind = w.e.world.Guid(i), kind
	return ev
}

// Now is asked by both: the simulated clock.
func (m *mover) Now() float64 { return m.w.e.clock.sim }

// WallNow is asked by position: the wall clock.
func (m *mover) WallNow() float64 { return m.w.e.clock.now }

// CancelMoveTo is asked by position (06 §6.8).
func (m *mover) CancelMoveTo(code uint32) { m.motion.CancelMoveTo(code) }

// MovingTo is asked by position (12 §4).
func (m *mover) MovingTo() bool { return m.row().Rest.Busy&components.MovingTo != 0 }

// Unstick is asked by motion (13 §2).
func (m *mover) Unstick() { m.position.Unstick() }

// StickTo is asked by motion when a move-to arrives that is to stick (R6.13).
func (m *mover) StickTo(id uint32, radius, height float32) { m.position.StickTo(id, radius, height) }

// SetTarget is asked by motion, as are the three that follow (13 §5).
func (m *mover) SetTarget(context, id uint32, radius, quantum float32) {
	m.position.SetTarget(context, id, radius, quantum)
}
func (m *mover) ClearTarget()               { m.position.ClearTarget() }
func (m *mover) TargetQuantum() float32     { return m.position.TargetQuantum() }
func (m *mover) SetTargetQuantum(q float32) { m.position.SetTargetQuantum(q) }

// HandleTarget is told by position: the move-to hears of its target before sticky does (R6.20).
func (m *mover) HandleTarget(info components.Target) {
	m.emit(Event{Kind: TargetTold, Other: info.ID, Code: uint32(info.Status), To: placeOf(&info.Place)})
	m.motion.HandleTarget(&info)
}

// SetVelocity is asked by motion when ground is left (R5.42).
func (m *mover) SetVelocity(v space.Vec3) { m.position.SetVelocity(v) }

// MotionDone is told by motion at every completion (R4.7).
func (m *mover) MotionDone(motion uint32, success bool) {
	ev := m.event(MotionDone)
	ev.Motion, ev.Success = motion, success
}

// LeavesGround is told by motion when a jump takes the body off the ground (R5.34).
func (m *mover) LeavesGround() {
	was := m.row().Body.Transient
	m.GroundChanges(was, was&^components.OnWalkable)
	m.emit(Event{Kind: LeftGround})
}

// Activate is asked by motion when it does a movement of its own (R6.29).
func (m *mover) Activate() { m.position.SetActive(true) }

// MoveToDone is told by motion when a move-to ends (06 §6.7).
func (m *mover) MoveToDone(kind motion.MovementType, code uint32) {
	m.emit(Event{Kind: MoveToEnded, Motion: uint32(kind), Code: code})
}

// Met and Parted are told by position of what the mover ran into, 0 being
// something fixed, and got clear of (11 §8).
func (m *mover) Met(other uint32)    { m.emit(Event{Kind: Met, Other: other}) }
func (m *mover) Parted(other uint32) { m.emit(Event{Kind: Parted, Other: other}) }

// MetBy tells another: at once, or when all have been updated.
func (m *mover) MetBy(other uint32) {
	ev := Event{Guid: other, Kind: Met, Other: m.guid()}
	if m.w.e.updating {
		m.w.metBy = append(m.w.metBy, ev)
	} else {
		m.w.events = append(m.w.events, ev)
	}
}

// StateOf is asked by position: the state of a body that was run into.
func (m *mover) StateOf(other uint32) (components.StateBits, bool) {
	row, ok := m.w.e.world.Row(other)
	if !ok {
		return 0, false
	}
	return m.w.e.land.crowd.Obstacles[row].State, true
}

// Stepping is asked by position: whether all are being updated.
func (m *mover) Stepping() bool { return m.w.e.updating }

// HitGround is asked by position at the edge (11 §7).
func (m *mover) HitGround() {
	m.emit(Event{Kind: HitGround})
	m.motion.HitGround()
}

// LeaveGround is asked by position at the edge (11 §7).
func (m *mover) LeaveGround() {
	m.emit(Event{Kind: LeftGround})
	m.motion.LeaveGround()
}

// GroundChanges is told by position (15 §4).
func (m *mover) GroundChanges(was, is components.TransientBits) {
	m.emit(Event{Kind: GroundChanged, Was: groundOf(was), Is: groundOf(is)})
}

// ActivityChanges is told by position (15 §4).
func (m *mover) ActivityChanges(on bool) {
	if on {
		m.restartClock()
	}
	m.emit(Event{Kind: activity(on)})
}

// activity is the kind of an edge of ACTIVE.
func activity(on bool) EventKind {
	if on {
		return Activated
	}
	return Deactivated
}

// StickBegan and StickEnded are told by position (13 §2).
func (m *mover) StickBegan(id uint32) { m.emit(Event{Kind: StickBegan, Other: id}) }
func (m *mover) StickEnded(id uint32) { m.emit(Event{Kind: StickEnded, Other: id}) }
