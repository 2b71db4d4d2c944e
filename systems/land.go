package systems

import (
	"cmp"
	"slices"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/collision"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/systems/position"
)

// land is what an engine has that sweeps: what there is to run into, and who
// stands in which cell. Rows of the crowd are rows of the world.
type land struct {
	world collision.World
	crowd collision.Crowd
	moved []registration // of all workers, to be put into guid order
}

// registration says that a row stands in other cells from the end of the tick on.
type registration struct {
	row      int32
	worker   int32
	from, to int32 // its cells in the worker's list
}

func newLand(t *dat.Tables, l *collision.Land, known func(guid uint32) bool) *land {
	g := &land{}
	g.crowd.Known = known
	g.world = collision.World{Tables: t, Shapes: &t.Shapes, Land: l, Crowd: &g.crowd}
	return g
}

// note brings up to date what others see of a row.
func (g *land) note(e *Engine, i int, r *components.Row) {
	o := &g.crowd.Obstacles[i]
	o.Guid, o.Parent, o.Setup = r.Identity.Guid, r.Identity.Parent, r.Identity.Setup
	o.Scale, o.Traits = r.Traits.Scale, r.Traits.Flags
	g.pose(e, i, r.Pose, r.Body, r.Sequence)
}

// pose is what of that changes with every step.
func (g *land) pose(e *Engine, i int, pose *components.Pose, b *components.Body, s *components.Sequence) {
	o := &g.crowd.Obstacles[i]
	o.Place, o.State = pose.Position, b.State&^components.HasPhysicsBSP
	if o.Setup >= 0 && e.tables.Setups[o.Setup].PhysicsBSP {
		o.State |= components.HasPhysicsBSP
		at, n := motion.CurrentParts(e.tables, &e.world.Pools.Nodes, s, o.Setup)
		o.Parts, o.Posed = at, n
	}
}

// sweepLand is the sweep stage where there is something to run into (11 §5.6).
func (w *worker) sweepLand(from, to int) {
	e, c := w.e, w.c
	tick, mayRest := uint32(e.tick), !e.options.AlwaysUpdate
	for i := from; i < to; i++ {
		if w.todo[i-from] == skip {
			continue
		}
		m := &w.mover
		m.at(i)
		old := c.Pose[i].Position
		m.step(&w.offset[i-from])
		if now := &c.Pose[i].Position; now.Cell != old.Cell {
			w.emit(i, Event{Kind: CellChanged, From: placeOf(&old), To: placeOf(now)})
		}
		rest := &c.Rest[i]
		if rest.Busy&clocks != 0 {
			w.clocks(i, rest)
		}
		if mayRest && space.Zero(&c.Body[i].Achieved) && w.restful(i) {
			rest.Since = tick
		}
	}
}

// step commits a step to next, a frame in the current block, as far as the sweep
// lets it (11 §5.6).
func (m *mover) step(next *space.Frame) {
	w, r := m.w, m.row()
	b, old := r.Body, r.Pose.Position
	if b.Transient&components.CheckEthereal != 0 { // 11 §5, 3
		m.setEthereal(false)
	}
	g := w.e.land
	spheres := g.world.Body(&g.crowd.Obstacles[m.on], &w.body)
	w.body.State = b.State
	if !spheres {
		if r.Identity.Table < 0 && b.Transient&components.OnWalkable != 0 {
			position.SetActive(b, false)
		}
		position.Refuse(r.Pose, b, &next.Rotation)
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
		position.SetVelocity(b, space.Vec3{})
	}
	if !ok {
		position.Refuse(r.Pose, b, &to.Frame.Rotation)
		return
	}
	q := w.e.quantum
	achieved := space.Offset(&old, s.Position())
	b.Achieved = space.Vec3{achieved[0] / q, achieved[1] / q, achieved[2] / q}
	m.arrive()
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
func (m *mover) arrive() {
	w := m.w
	g := w.e.land
	if !m.position.Arrive(m.arrival()) {
		m.register(nil)
		return
	}
	w.cells = w.cells[:0]
	if g.crowd.Obstacles[m.on].State&components.HasPhysicsBSP != 0 {
		g.note(w.e, m.on, m.row())
		w.cells = w.sweeper.Filled(&g.crowd.Obstacles[m.on], w.cells)
	} else {
		w.cells = w.sweeper.Cells(w.cells)
		if len(w.cells) == 0 {
			return
		}
		if m.row().Body.State&components.ParticleEmitter != 0 {
			w.cells = append(w.cells[:0], m.row().Pose.Cell)
		}
	}
	m.register(w.cells)
}

// register has m stand in cells: at once, or when all have been updated.
func (m *mover) register(cells []space.CellID) {
	w := m.w
	if !w.e.updating {
		w.e.land.crowd.Register(m.on, cells)
		return
	}
	at := int32(len(w.regCells))
	w.regCells = append(w.regCells, cells...)
	w.regs = append(w.regs, registration{row: int32(m.on), from: at, to: int32(len(w.regCells))})
}

// place is SetPosition where there is something to run into (11 §9).
func (m *mover) place(p space.Position, flags position.PlaceFlags) bool {
	w, r := m.w, m.row()
	g := w.e.land
	g.note(w.e, m.on, r)
	if !m.inWorld() {
		position.SetActive(r.Body, true) // prepare_to_enter_world
	}
	g.world.Body(&g.crowd.Obstacles[m.on], &w.body)
	w.body.Target, w.body.Passes = r.Touch.Missile, r.Touch.Passes
	if !g.world.Adjust(&p, w.body.Spheres[0].Centre, true) || !g.world.Present(p.Cell) {
		r.Pose.Position = p
		r.Body.Transient |= components.Lost
		position.SetActive(r.Body, false)
		m.register(nil)
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
	m.arrive()
	g.note(w.e, m.on, r)
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

// crowdTick brings the crowd to the end of the tick: how all stand who moved,
// and in which cells, in guid order.
func (e *Engine) crowdTick() {
	g := e.land
	if g == nil {
		return
	}
	g.moved = g.moved[:0]
	for i := range e.workers {
		w := &e.workers[i]
		for _, r := range w.regs {
			r.worker = int32(i)
			g.moved = append(g.moved, r)
		}
	}
	guid := func(a, b registration) int { return cmp.Compare(e.world.Guid(int(a.row)), e.world.Guid(int(b.row))) }
	if !slices.IsSortedFunc(g.moved, guid) {
		slices.SortStableFunc(g.moved, guid) // those of one row lie in one worker's list, in order
	}
	for _, r := range g.moved {
		g.crowd.Register(int(r.row), e.workers[r.worker].regCells[r.from:r.to])
	}
	for i := range e.workers {
		w := &e.workers[i]
		w.regs, w.regCells = w.regs[:0], w.regCells[:0]
	}
	c := e.world.Columns()
	for i := range c.Rest {
		if c.Rest[i].Since == 0 || c.Rest[i].Since == uint32(e.tick) {
			g.pose(e, i, &c.Pose[i], &c.Body[i], &c.Sequence[i])
		}
	}
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
	g.note(m.w.e, m.on, r)
	placed := r.Body.Transient&components.Placed != 0
	r.Body.Transient &^= components.Placed
	p := r.Pose.Position
	switch {
	case p.Cell == 0:
	case placed:
		m.ground()
		m.w.cells = m.w.sweeper.Filled(&g.crowd.Obstacles[m.on], m.w.cells[:0])
		m.register(m.w.cells)
		return
	}
	r.Body.Transient &^= components.Contact | components.OnWalkable
	if p.Cell == 0 {
		return
	}
	r.Pose.Cell = 0
	r.Body.Velocity = space.Vec3{} // it takes that afterwards
	if !m.place(p, position.PlacePlacement|position.PlaceSlide) {
		position.SetActive(r.Body, false)
	}
}

// noted keeps what others see of m up to date while one after another is told something.
func (m *mover) noted() {
	if g := m.w.e.land; g != nil && m.on >= 0 {
		g.note(m.w.e, m.on, m.row())
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
