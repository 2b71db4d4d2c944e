package systems

import (
	"math"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/ecs"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/collision"
	"github.com/gait-engine/gait/systems/position"
)

// land is what an engine has that sweeps: what there is to run into, and who
// stands in which cell. Rows of the crowd are rows of the world.
type land struct {
	world collision.World
	crowd collision.Crowd
	moved []registration // of all workers, in guid order
	show  func(worker, chunk, from, to int)

	fetched int32 // of no meaning
}

func newLand(t *dat.Tables, l *collision.Land, w *ecs.World) *land {
	g := &land{}
	g.crowd.Known = func(guid uint32) bool { _, ok := w.Row(guid); return ok }
	// a spawn has set it for good
	g.crowd.Target = func(row int) uint32 { return w.Columns().Touch[row].Missile }
	// nothing of tick 0 is left to be made up for, as when it is restored
	g.crowd.Turn(0, math.MaxUint32)
	g.world = collision.World{Tables: t, Shapes: &t.Shapes, Land: l, Crowd: &g.crowd}
	return g
}

// self is what m consists of, scaled as it is now.
func (m *mover) self() *collision.Obstacle {
	o := &m.w.e.land.crowd.Obstacles[m.on]
	if m.row().Rest.Busy&(components.Scaled|components.Ramping) == 0 && o.Scale == 1 {
		return o
	}
	m.w.self = *o
	m.w.self.Scale = m.row().Rest.Scale
	return &m.w.self
}

// step commits a step to next, a frame in the current block, as far as the sweep
// lets it (11 §5.6).
func (m *mover) step(next *space.Frame) {
	w, r := m.w, m.row()
	b, old := r.Body, r.Pose.Position
	g := w.e.land
	spheres := g.world.Body(m.self(), &w.body)
	w.body.State = b.State
	if !spheres {
		m.turns(&next.Rotation)
		return
	}
	d := space.Sub(next.Origin, old.Frame.Origin)
	if space.Equal(next.Origin, old.Frame.Origin) || !space.FiniteVec(d) { // 6a, W-29: the origin does not creep
		position.Refuse(r.Pose, b, &next.Rotation)
		return
	}
	to := space.Position{Cell: old.Cell, Frame: *next}
	to.Frame.Rotation = position.MoveHeading(b, next.Rotation, d)
	standing := collision.Standing{
		Ground: collision.Ground{
			Plane: collision.Plane{Normal: b.ContactNormal, D: r.Touch.D}, Cell: r.Touch.Cell,
			Valid: b.Transient&components.Contact != 0, Water: b.Transient&components.WaterContact != 0,
		},
		OnWalkable: b.Transient&components.OnWalkable != 0,
		Sliding:    b.Transient&components.Sliding != 0, Normal: r.Touch.Sliding,
		Velocity:   b.Velocity,
		Stationary: stationary(b.Transient),
	}
	w.body.Target, w.body.Passes = r.Touch.Missile, r.Touch.Passes
	s := &w.sweeper
	ok := s.Move(&w.body, &old, &to, &standing)
	if s.KillsVelocity {
		m.position.SetVelocity(space.Vec3{})
	}
	if !ok {
		position.Refuse(r.Pose, b, &to.Frame.Rotation)
		return
	}
	q := w.e.quantum
	achieved := space.Offset(&old, s.Position())
	b.Achieved = space.Vec3{achieved[0] / q, achieved[1] / q, achieved[2] / q}
	if to := s.Position(); to.Cell != old.Cell && s.Present() { // else it is lost, which is told as that
		m.emit(Event{Kind: CellChanged, From: placeOf(&old), To: placeOf(to)})
	}
	m.arrive(collision.Leaps(achieved[0], achieved[1]))
}

// stationary is what the stationary bits stand for (14 §2).
func stationary(t components.TransientBits) int {
	switch {
	case t&components.StationaryStuck != 0:
		return 3
	case t&components.StationaryStop != 0:
		return 2
	case t&components.StationaryFall != 0:
		return 1
	}
	return 0
}

// arrival is what the worker's sweep came to.
func (m *mover) arrival() *position.Arrival {
	s, a := &m.w.sweeper, &m.w.arrival
	c := &s.Contact
	*a = position.Arrival{
		Place: *s.Position(), Lost: !s.Present(),
		Contact: c.Valid, Normal: c.Plane.Normal, D: c.Plane.D, Plane: c.Cell, Water: c.Water,
		Sliding: s.Slide.Valid, SlidingNormal: s.Slide.Normal, Hit: s.Hit.Valid, HitNormal: s.Hit.Normal,
		Stationary: s.Stationary, Environment: s.Environment, Met: s.Collisions,
	}
	return a
}

// arrive commits what the sweep came to, and says in which cells the body stands now (11 §8).
// leaps is as in [collision.Crowd.Step].
func (m *mover) arrive(leaps bool) {
	w := m.w
	g := w.e.land
	from := m.where()
	if !m.position.Arrive(m.arrival()) {
		m.lost(from)
		return
	}
	m.note()
	w.cells = w.cells[:0]
	if g.crowd.Obstacles[m.on].State&components.HasPhysicsBSP != 0 {
		m.describe(&w.self)
		w.cells = w.sweeper.Filled(&w.self, w.cells)
	} else {
		w.cells = w.sweeper.Cells(w.cells)
		if len(w.cells) == 0 {
			return
		}
		if m.row().Body.State&components.ParticleEmitter != 0 {
			w.cells = append(w.cells[:0], m.row().Pose.Cell)
		}
	}
	m.register(w.cells, leaps)
}

// lost tells that m's cell is not there (11 §8.1); nobody meets it any more, and it is not
// active.
func (m *mover) lost(from Place) {
	m.register(nil, true)
	if from.Cell != 0 { // else it was lost before
		m.emit(Event{Kind: CellChanged, From: from, To: m.where()})
	}
	m.position.SetActive(false)
}

// where is where m stands: in cell 0 while its own is not there.
func (m *mover) where() Place {
	p := placeOf(&m.row().Pose.Position)
	if m.row().Body.Transient&components.Lost != 0 {
		p.Cell = 0
	}
	return p
}

// moved tells of another cell than m was in (15 §4), unless [mover.lost] has.
func (m *mover) moved(from Place) {
	if to := m.where(); to.Cell != from.Cell && m.row().Body.Transient&components.Lost == 0 {
		m.emit(Event{Kind: CellChanged, From: from, To: to})
	}
}

// bytes is the memory that the crowd takes; the land is not the engine's own.
func (g *land) bytes() uintptr {
	if g == nil {
		return 0
	}
	return g.crowd.Bytes() + room(g.moved)
}
