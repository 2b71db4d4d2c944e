package systems

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/position"
)

// sweep is the fourth stage: where the step may end, and what follows from
// having come there (steps f to j). There is no collision yet: every move and
// every hard placement is accepted as it is, and contact never changes by itself.
func (w *worker) sweep(from, to int) {
	e, c := w.e, w.c
	q := e.quantum
	for i := from; i < to; i++ {
		k := i - from
		if w.todo[k] == skip {
			continue
		}
		pose, body := &c.Pose[i], &c.Body[i]
		cell, origin := pose.Cell, pose.Frame.Origin
		position.Commit(pose, body, &w.offset[k], q)
		if pose.Cell != cell {
			w.emit(i, Event{Kind: CellChanged, From: Place{cell, origin}, To: placeOf(&pose.Position)})
		}
		const clocks = components.Pends | components.Chases | components.MovingTo | components.Stuck | components.Targeting
		if rest := &c.Rest[i]; rest.Busy&clocks != 0 {
			w.clocks(i, rest)
		}
		if !e.options.AlwaysUpdate && w.restful(i) {
			c.Rest[i].Since = uint32(e.tick)
		}
	}
}

// clocks runs what follows the commit (steps g to j): targets, the move-to, the
// pending queues, the chase, and last the stick's deadline.
func (w *worker) clocks(i int, rest *components.Rest) {
	m := &w.mover
	m.at(i)
	if m.position.TargetTime() {
		w.due = append(w.due, int32(i))
	}
	if rest.Busy&components.MovingTo != 0 {
		m.motion.MoveToTime()
	}
	if p := m.motion.Pending; rest.Busy&components.Pends != 0 {
		m.motion.CheckForCompletedMotions()
		if p.Anims.Len|p.Motions.Len == 0 {
			rest.Busy &^= components.Pends
		}
	}
	if c := m.position.Chase; rest.Busy&components.Chases != 0 {
		m.useTime()
		if c.Queue.Len == 0 && c.Fail == 0 {
			rest.Busy &^= components.Chases
		}
	}
	if rest.Busy&components.Stuck != 0 {
		m.position.StickyTime()
	}
}

func (w *worker) emit(i int, ev Event) {
	ev.Guid = w.e.world.Guid(i)
	w.events = append(w.events, ev)
}

// useTime is the clock of the position manager (12 §7).
func (m *mover) useTime() {
	if r := m.position.UseTime(); r.Outcome == position.Blipped {
		m.told(Blipped, &r)
	}
}

// told tells of a body that was set hard, and of its new cell (15 §4).
func (m *mover) told(kind EventKind, r *position.Result) {
	from, to := placeOf(&r.From), placeOf(&r.To)
	m.emit(Event{Kind: kind, From: from, To: to})
	if from.Cell != to.Cell {
		m.emit(Event{Kind: CellChanged, From: from, To: to})
	}
}

// Place sets the body hard (11 §9 SetPosition), asked for by position. Without
// a sweep whatever is asked for is taken, even no cell at all: the lost cell.
func (m *mover) Place(p space.Position, flags position.PlaceFlags) bool {
	r := m.row()
	return position.AcceptPlace(r.Pose, r.Body, p)
}
