package systems

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/collision"
	"github.com/gait-engine/gait/systems/position"
)

// place is SetPosition where there is something to run into (11 §9).
func (m *mover) place(p space.Position, flags position.PlaceFlags) bool {
	w, r := m.w, m.row()
	g := w.e.land
	m.note()
	from := m.where()
	if !m.inWorld() {
		m.position.SetActive(true) // prepare_to_enter_world
	}
	g.world.Body(m.self(), &w.body)
	w.body.State = r.Body.State // others may see what it was when the tick began
	w.body.Target, w.body.Passes = r.Touch.Missile, r.Touch.Passes
	if !g.world.Adjust(&p, w.body.Spheres[0].Centre, true) || !g.world.Present(p.Cell) {
		r.Pose.Position = p
		r.Body.Transient |= components.Lost
		m.lost(from)
		return true
	}
	slide := flags&position.PlaceSlide != 0
	if !w.sweeper.Place(&w.body, &p, slide) || !slide && !within(&w.sweeper, &p) {
		m.position.HandleCollisions(m.arrival(), false, false)
		return false
	}
	if !w.sweeper.Present() {
		return false
	}
	m.arrive(true)
	return true
}

// within is what a placement that must not slide has to come to: differences are
// signed, as retail's are (11 §9.4).
func within(s *collision.Sweep, wanted *space.Position) bool {
	at := s.Position()
	return at.Cell == wanted.Cell &&
		at.Frame.Origin[0]-wanted.Frame.Origin[0] < 0.05 && at.Frame.Origin[1]-wanted.Frame.Origin[1] < 0.05
}

// inWorld reports whether m stands in a cell that is there.
func (m *mover) inWorld() bool {
	r := m.row()
	return r.Pose.Cell != 0 && r.Body.Transient&components.Lost == 0
}

// standUp puts a new remote into its place, as on entering the world (11 §9):
// contact follows from that, whatever its spawn says. One for which there is no
// room is in no cell.
func (m *mover) standUp() {
	r, g := m.row(), m.w.e.land
	if g == nil {
		r.Body.Transient &^= components.Placed
		return
	}
	m.note()
	placed := r.Body.Transient&components.Placed != 0
	r.Body.Transient &^= components.Placed
	p := r.Pose.Position
	switch {
	case p.Cell == 0:
	case placed:
		m.ground()
		m.w.cells = m.w.sweeper.Filled(&g.crowd.Obstacles[m.on], m.w.cells[:0])
		m.register(m.w.cells, true)
		return
	}
	r.Body.Transient &^= components.Contact | components.OnWalkable
	if p.Cell == 0 {
		return
	}
	r.Pose.Cell = 0
	r.Body.Velocity = space.Vec3{} // it takes that afterwards
	if !m.place(p, position.PlacePlacement|position.PlaceSlide) {
		m.position.SetActive(false)
	}
}

// ground has m touch the terrain below it, if it is told that it touches something.
func (m *mover) ground() {
	r, g := m.row(), m.w.e.land
	if g == nil || r.Body.Transient&components.Contact == 0 {
		return
	}
	g.world.Body(&g.crowd.Obstacles[m.on], &m.w.body)
	if plane, cell, ok := g.world.Below(&r.Pose.Position, m.w.body.Spheres[0].Centre); ok {
		r.Body.ContactNormal, r.Touch.D, r.Touch.Cell = plane.Normal, plane.D, cell
	}
}
