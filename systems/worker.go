package systems

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/ecs"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/systems/position"
)

// worker is what one goroutine of a tick works with: its own buffers, and a
// mover that is pointed at one row after another. Between stages, row from+k of
// the chunk in hand has its scratch at k.
type worker struct {
	e        *Engine
	c        *ecs.Columns
	view     *View
	writeAll bool
	events   []Event
	merged   []Event // scratch of merge

	mover  mover
	hooks  motion.HookQueue // of the chunk, in row order
	offset []space.Frame    // what the sequence moved, then where the step wants to go
	todo   []uint8          // per row, below
	ends   []int32          // where a row's hooks end in hooks
}

// What is to be done with a row in this tick.
const (
	skip   uint8 = iota // at rest, or in no cell
	update              // all stages
)

func (w *worker) init(e *Engine, chunk int) {
	w.e = e
	w.offset = make([]space.Frame, chunk)
	w.todo = make([]uint8, chunk)
	w.ends = make([]int32, chunk)
	w.mover.init(w)
}

func (w *worker) begin(v *View, writeAll bool) {
	w.c = w.e.world.Columns()
	w.view = v
	w.writeAll = writeAll
	w.mover.lose()
}

// mover is one remote with the rules of both rooms, and what each room asks of
// the other (its Host).
type mover struct {
	motion   motion.Mover
	position position.Mover
	w        *worker
	on       int // the row that m is pointed at, −1 none
}

func (m *mover) init(w *worker) {
	m.w, m.on = w, -1
	m.motion = motion.Mover{Tables: w.e.tables, Pools: &w.e.world.Pools, Hooks: &w.hooks, Host: m}
	m.position = position.Mover{Pools: &w.e.world.Pools, Host: m}
}

// at points m at a row.
func (m *mover) at(i int) {
	if m.on != i {
		m.w.e.world.Columns().At(i, &m.motion.Row)
		m.position.Row = m.motion.Row
		m.on = i
	}
}

// lose makes m forget its row, since rows may have moved.
func (m *mover) lose() { m.on = -1 }

// row is the row that m is pointed at.
func (m *mover) row() *components.Row { return &m.motion.Row }

// emit adds an event of the mover's.
func (m *mover) emit(ev Event) {
	ev.Guid = m.w.e.world.Guid(m.on)
	m.w.events = append(m.w.events, ev)
}

// Now is asked by motion: the clock of the tick, s.
func (m *mover) Now() float64 { return m.w.e.seconds() }

// CancelMoveTo is asked by position (06 §6.8).
func (m *mover) CancelMoveTo(code uint32) { m.motion.CancelMoveTo(code) }

// Unstick is asked by motion (13 §2).
func (m *mover) Unstick() { m.position.Unstick() }

// Now is asked by position: the clock during the running tick.
func (m *mover) Now() float64 { return position.Clock(m.w.e.tick, m.w.e.options.TicksPerSecond) }

// Resolve is asked by position (13 §2). No remote is anybody's target yet.
func (m *mover) Resolve(id uint32) (position.Other, bool) { return position.Other{}, false }

// Subscribe is asked by position (13 §5).
func (m *mover) Subscribe(id uint32, radius, quantum float32) {}

// Unsubscribe is asked by position (13 §5).
func (m *mover) Unsubscribe(id uint32) {}

// Tell is asked by position (13 §5).
func (m *mover) Tell(to uint32, info components.Target) {}

// HandleTarget is asked by position (R6.20).
func (m *mover) HandleTarget(info components.Target) {}

// MovingTo is asked by position (12 §4).
func (m *mover) MovingTo() bool { return m.motion.MovingTo() != motion.InvalidMovement }

// SetTarget and the four after it are asked by motion's move-to (13 §5, §2).
// No target is known yet, and no order is given.
func (m *mover) SetTarget(context, id uint32, radius, quantum float32) {}

// ClearTarget is the end of SetTarget.
func (m *mover) ClearTarget() {}

// TargetQuantum is that of the target, s.
func (m *mover) TargetQuantum() float32 { return 0 }

// SetTargetQuantum changes it.
func (m *mover) SetTargetQuantum(quantum float32) {}

// StickTo is asked at the end of a move-to that sticks.
func (m *mover) StickTo(id uint32, radius, height float32) {}

// MoveToDone is told by motion at the end of every order (R6.24).
func (m *mover) MoveToDone(kind motion.MovementType, code uint32) {}

// SetVelocity is asked by motion when ground is left (R5.42).
func (m *mover) SetVelocity(v space.Vec3) { position.SetVelocity(m.row().Body, v) }

// MotionDone is told by motion at every completion (R4.7).
func (m *mover) MotionDone(motion uint32, success bool) {
	m.emit(Event{Kind: MotionDone, Motion: motion, Success: success})
}

// HitGround is asked by position at the edge (11 §7).
func (m *mover) HitGround() { m.motion.HitGround() }

// LeaveGround is asked by position at the edge (11 §7).
func (m *mover) LeaveGround() { m.motion.LeaveGround() }
