package systems

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/position"
)

// clocks are what a commit is followed by something for.
const clocks = components.Pends | components.Chases | components.MovingTo | components.Stuck | components.Targeting

// sweep is the fourth stage, for engines without land: every step and every hard
// placement is accepted as it is, and contact never changes by itself (14 §10).
// What follows from having come there are steps f to j.
func (w *worker) sweep(from, to int) {
	e, c := w.e, w.c
	q, tick, mayRest := e.quantum, w.tick, !e.options.AlwaysUpdate
	rest, poses, bodies := c.Rest[from:to], c.Pose[from:to], c.Body[from:to]
	steps, offsets := w.steps[:len(rest)], w.offset[:len(rest)]
	poses, bodies = poses[:len(rest)], bodies[:len(rest)]
	for _, k := range w.rows {
		if !steps[k] {
			continue
		}
		pose, body := &poses[k], &bodies[k]
		cell, origin := pose.Cell, pose.Frame.Origin
		if rest[k].Busy&components.Rooted != 0 {
			w.mover.at(from + int(k))
			w.mover.turns(&offsets[k].Rotation)
		} else {
			position.Commit(pose, body, &offsets[k], q)
		}
		if pose.Cell != cell {
			w.emit(from+int(k), Event{Kind: CellChanged, From: Place{cell, origin}, To: placeOf(&pose.Position)})
			if body.Transient&components.Active == 0 {
				w.emit(from+int(k), Event{Kind: Deactivated})
			}
		}
		if rest[k].Busy&clocks != 0 {
			w.clocks(from+int(k), &rest[k])
		}
		if mayRest && space.Zero(&body.Achieved) && w.restful(from+int(k)) {
			rest[k].Since = tick
		}
	}
}

// turns is the step of a body without path spheres (11 §5.6).
func (m *mover) turns(to *space.Quat) {
	r := m.row()
	if r.Body.Transient&components.OnWalkable != 0 {
		m.standStill()
	}
	position.Refuse(r.Pose, r.Body, to)
}

// standStill has a body that stands and has no movement manager be inactive (11 §5.6, §6).
// With a viewer the next update would activate it again before its step (11 §4.2).
func (m *mover) standStill() {
	if m.w.e.options.Viewer == nil && m.row().Rest.Busy&components.Unmanaged != 0 {
		m.position.SetActive(false)
	}
}

// clocks runs what follows the commit (steps g to j): targets, the move-to, the
// pending queues, the chase, and last the stick's deadline.
func (w *worker) clocks(i int, rest *components.Rest) {
	m := &w.mover
	m.at(i)
	if m.position.TargetTime() {
		w.due = append(w.due, due{int32(i), w.e.clock.sim})
	}
	if rest.Busy&components.MovingTo != 0 {
		m.motion.MoveToTime()
	}
	if rest.Busy&components.Pends != 0 {
		m.motion.CheckForCompletedMotions()
		rest.Busy &^= components.Pends // no entry without count is left at the head
	}
	if c := m.position.Chase; rest.Busy&components.Chases != 0 {
		if c.Queue.Len != 0 || c.Fail != 0 {
			m.useTime()
		}
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
		m.told(Blipped, &r, placeOf(&r.From))
	}
}

// told tells of a body that was set hard, and of another cell than it was in.
func (m *mover) told(kind EventKind, r *position.Result, was Place) {
	m.emit(Event{Kind: kind, From: placeOf(&r.From), To: placeOf(&r.To)})
	m.moved(was)
}

// Place sets the body hard (11 §9 SetPosition), asked for by position. Without
// a sweep whatever is asked for is taken, even no cell at all: the lost cell.
func (m *mover) Place(p space.Position, flags position.PlaceFlags) bool {
	if m.w.e.land != nil {
		return m.place(p, flags)
	}
	r := m.row()
	was := r.Body.Transient
	ok := position.AcceptPlace(r.Pose, r.Body, p)
	if is := r.Body.Transient & components.Active; is != was&components.Active {
		m.ActivityChanges(is != 0)
	}
	return ok
}
