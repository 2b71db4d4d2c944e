package systems

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/ecs"
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
	moved []registration // of all workers, in guid order
	show  func(worker, chunk, from, to int)
	late  []int32 // rows that stayed, and were joined by somebody of a lower guid: by guid
	met   []int32 // scratch

	fetched int32 // of no meaning
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

// note brings up to date what others see of m, unless all are being updated:
// then they see how it stood before.
func (m *mover) note() {
	e := m.w.e
	if e.updating {
		return
	}
	o := &e.land.crowd.Obstacles[m.on]
	reach := o.Reach
	m.describe(o)
	e.land.crowd.Sized(m.on)
	if o.Reach != reach {
		e.land.crowd.Refresh(m.on)
	}
}

// describe says how m stands, and what it consists of.
func (m *mover) describe(o *collision.Obstacle) {
	e, r := m.w.e, m.row()
	o.Guid, o.Parent, o.Setup = r.Identity.Guid, r.Identity.Parent, r.Identity.Setup
	o.Scale, o.Traits = r.Traits.Scale, r.Traits.Flags
	e.pose(o, r.Pose, r.Body, r.Sequence)
	o.Reach = e.land.world.Reach(o)
}

// self is what m consists of, scaled as it is now.
func (m *mover) self() *collision.Obstacle {
	o := &m.w.e.land.crowd.Obstacles[m.on]
	if m.row().Rest.Busy&(components.Scaled|components.Ramping) == 0 && o.Scale == 1 {
		return o
	}
	m.w.self = *o
	m.w.self.Scale = m.row().Traits.Scale
	return &m.w.self
}

// pose is what of that changes with every step.
func (e *Engine) pose(o *collision.Obstacle, pose *components.Pose, b *components.Body, s *components.Sequence) {
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
	rest, poses, bodies, touches := c.Rest[from:to], c.Pose[from:to], c.Body[from:to], c.Touch[from:to]
	todo, offsets := w.todo[:len(rest)], w.offset[:len(rest)]
	poses, bodies, touches = poses[:len(rest)], bodies[:len(rest)], touches[:len(rest)]
	for k := range rest {
		if todo[k] != skip {
			w.fetched += e.land.crowd.Fetch(poses[k].Cell) + e.land.world.Land.Fetch(poses[k].Cell)
		}
	}
	for k := range rest {
		if todo[k] != skip {
			w.fetched += e.land.crowd.FetchList(poses[k].Cell)
		}
	}
	m := &w.mover
	for k := range rest {
		if todo[k] == skip {
			continue
		}
		pose, body := &poses[k], &bodies[k]
		if !mayRest || !w.stride(from+k, rest[k].Busy, pose, body, &touches[k], &offsets[k]) {
			m.at(from + k)
			old := pose.Position
			m.step(&offsets[k])
			if pose.Cell != old.Cell && m.inWorld() {
				w.emit(from+k, Event{Kind: CellChanged, From: placeOf(&old), To: placeOf(&pose.Position)})
			}
		}
		if rest[k].Busy&clocks != 0 {
			w.clocks(from+k, &rest[k])
		}
		if mayRest && space.Zero(&body.Achieved) && w.restful(from+k) {
			rest[k].Since = tick
		}
	}
}

const (
	// striding is what a body is that may stride ([worker.stride]),
	striding = components.Contact | components.OnWalkable
	// and not what it is not: then its step has more to it.
	unlikeStriding = components.Falling | components.StationaryFall | components.StationaryStop | components.StationaryStuck
	stumbling      = components.AlignPath | components.Sledding | components.Missile | components.ParticleEmitter
)

// stride commits the step of a walker whom nothing is in the way of, which is
// nearly every step: what [mover.step] would do and no more ([Options.AlwaysUpdate]
// goes without). It reports false, with nothing done, when that may not be so.
func (w *worker) stride(i int, busy components.Busy, pose *components.Pose, b *components.Body, touch *components.Touch, next *space.Frame) bool {
	if b.Transient&(striding|unlikeStriding) != striding || b.State&stumbling != 0 ||
		touch.Cell == 0 || !touch.Cell.SameBlock(pose.Cell) || !w.strider(i, busy) {
		return false
	}
	if space.Equal(next.Origin, pose.Frame.Origin) {
		position.Refuse(pose, b, &next.Rotation)
		return true
	}
	if space.Dot(b.Velocity, b.ContactNormal) > space.Eps { // check_contact
		return false
	}
	on, at := &w.standing, &w.strode
	on.Ground.Plane.Normal, on.Ground.Plane.D = b.ContactNormal, touch.D
	on.Ground.Water = b.Transient&components.WaterContact != 0
	if on.Sliding = b.Transient&components.Sliding != 0; on.Sliding {
		on.Normal = touch.Sliding
	}
	if !w.sweeper.Stroll(&w.walker, int32(i), &pose.Position, next, on, at) {
		return false
	}
	origin := &at.Origin
	q, from, was := w.e.quantum, &pose.Frame.Origin, pose.Frame.Origin
	b.Achieved[0], b.Achieved[1], b.Achieved[2] = (origin[0]-from[0])/q, (origin[1]-from[1])/q, (origin[2]-from[2])/q
	from[0], from[1], from[2] = origin[0], origin[1], origin[2]
	r, t := &pose.Frame.Rotation, &next.Rotation
	r.W, r.V[0], r.V[1], r.V[2] = t.W, t.V[0], t.V[1], t.V[2]
	b.ContactNormal, touch.D, touch.Cell = at.Plane.Normal, at.Plane.D, at.Cell
	b.Omega = space.Vec3{} // calc_acceleration
	b.Transient &^= components.Sliding | components.AtWalls | components.WaterContact
	if at.Water {
		b.Transient |= components.WaterContact
	}
	if !touch.Met.Empty() {
		w.mover.at(i)
		w.mover.position.EndEncounters()
	}
	touch.Sliding = space.Vec3{}
	if !at.Stays || !w.e.land.crowd.Stay(i, at.Cell, uint32(w.e.tick)) {
		w.register(i, at.Cells)
	}
	if at.Cell != pose.Cell {
		ev := Event{Kind: CellChanged, From: Place{pose.Cell, was}, To: Place{at.Cell, at.Origin}}
		pose.Cell = at.Cell
		w.emit(i, ev)
	}
	return true
}

// strider makes the worker's walker of what stands in a row, which mostly is what
// stood in the one before. It reports false for who does not walk by
// [collision.Sweep.Stroll], or is scaled otherwise than others see him: a hook may
// have changed that in this tick.
func (w *worker) strider(i int, busy components.Busy) bool {
	b := &w.walker
	g := w.e.land
	setup, scale := g.crowd.Walker(i)
	if now := float32(1); busy&(components.Scaled|components.Ramping) != 0 {
		if now = w.c.Cold[i].Traits.Scale; now != scale {
			return false
		}
	} else if scale != now {
		return false
	}
	if setup == w.walkerSetup && scale == w.walkerScale && b.SphereCount != 0 {
		return true
	}
	w.walkerSetup, w.walkerScale = setup, scale
	o := &g.crowd.Obstacles[i]
	if !g.world.Body(o, b) || !b.FreeRotate || o.State&components.HasPhysicsBSP != 0 {
		b.SphereCount = 0
		return false
	}
	return true
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
		if r.Identity.Table < 0 && b.Transient&components.OnWalkable != 0 {
			m.position.SetActive(false)
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
		m.position.SetVelocity(space.Vec3{})
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
	from := m.row().Pose.Position
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
	m.register(w.cells)
}

// lost tells that m's cell is not there (11 §8.1); nobody meets it any more.
func (m *mover) lost(from space.Position) {
	m.register(nil)
	m.emit(Event{Kind: CellChanged, From: placeOf(&from), To: Place{Origin: m.row().Pose.Frame.Origin}})
}

// register has m stand in cells: at once, or when all have been updated.
func (m *mover) register(cells []space.CellID) {
	if !m.w.e.updating {
		m.w.e.land.crowd.Register(m.on, cells)
		return
	}
	m.w.register(m.on, cells)
}

// register notes that a row stands in cells when all have been updated.
func (w *worker) register(i int, cells []space.CellID) {
	at := int32(len(w.regCells))
	w.regCells = append(w.regCells, cells...)
	w.regs = append(w.regs, registration{row: int32(i), worker: w.index, from: at, to: int32(len(w.regCells))})
}

// place is SetPosition where there is something to run into (11 §9).
func (m *mover) place(p space.Position, flags position.PlaceFlags) bool {
	w, r := m.w, m.row()
	g := w.e.land
	m.note()
	from := r.Pose.Position
	if !m.inWorld() {
		m.position.SetActive(true) // prepare_to_enter_world
	}
	g.world.Body(m.self(), &w.body)
	w.body.Target, w.body.Passes = r.Touch.Missile, r.Touch.Passes
	if !g.world.Adjust(&p, w.body.Spheres[0].Centre, true) || !g.world.Present(p.Cell) {
		r.Pose.Position = p
		r.Body.Transient |= components.Lost
		m.position.SetActive(false)
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
	m.arrive()
	m.note()
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

// crowdTick brings the crowd to the end of the tick: in which cells all stand
// who moved, one after another in guid order, and how they stand.
func (e *Engine) crowdTick() {
	g := e.land
	if g == nil {
		return
	}
	g.moved = g.moved[:0]
	for i := range e.runs[:e.schedule.Chunks(e.world.Rows())] {
		r := &e.runs[i]
		g.moved = append(g.moved, e.workers[r.worker].regs[r.regFrom:r.regTo]...)
	}
	if !e.world.Sorted() { // those of one row lie together, in order
		slices.SortStableFunc(g.moved, func(a, b registration) int { return cmp.Compare(e.world.Guid(int(a.row)), e.world.Guid(int(b.row))) })
	}
	e.schedule.Each(e.world.Rows(), g.show)
	for from := 0; from < len(g.moved); from += fetched {
		batch := g.moved[from:min(from+fetched, len(g.moved))]
		for i := range batch {
			for _, id := range e.cellsOf(&batch[i]) {
				g.fetched += g.crowd.Fetch(id)
			}
		}
		for i := range batch {
			for _, id := range e.cellsOf(&batch[i]) {
				g.fetched += g.crowd.FetchList(id)
			}
		}
		for i := range batch {
			e.enroll(int(batch[i].row), e.cellsOf(&batch[i]))
		}
	}
	e.enrollLate(math.MaxUint32)
	for i := range e.workers {
		w := &e.workers[i]
		w.regs, w.regCells = w.regs[:0], w.regCells[:0]
		for _, i := range w.grown {
			g.crowd.Refresh(int(i))
		}
		w.grown = w.grown[:0]
	}
	g.world.Land.EndTick()
}

// enroll registers one row, after those of lower guids who stayed where they were
// until somebody joined them.
func (e *Engine) enroll(row int, cells []space.CellID) {
	g, guid := e.land, e.world.Guid(row)
	e.enrollLate(guid)
	g.crowd.Staying(row, uint32(e.tick))
	g.met = g.crowd.Join(row, cells, g.met[:0])
	for _, other := range g.met {
		if g.crowd.Staying(int(other), uint32(e.tick)) && e.world.Guid(int(other)) > guid {
			at, _ := slices.BinarySearchFunc(g.late, other, func(a, b int32) int { return cmp.Compare(e.world.Guid(int(a)), e.world.Guid(int(b))) })
			g.late = slices.Insert(g.late, at, other)
		}
	}
}

// enrollLate registers anew, where they are, those up to a guid who were joined.
func (e *Engine) enrollLate(guid uint32) {
	g := e.land
	for len(g.late) > 0 && e.world.Guid(int(g.late[0])) <= guid {
		row := int(g.late[0])
		g.late = slices.Delete(g.late, 0, 1)
		g.met = g.crowd.Join(row, g.crowd.CellsOf(row), g.met[:0])
	}
}

// fetched is how many lists are fetched ahead.
const fetched = 64

func (e *Engine) cellsOf(r *registration) []space.CellID {
	return e.workers[r.worker].regCells[r.from:r.to]
}

// showRows brings up to date how some rows stand, of those that were updated.
func (e *Engine) showRows(worker, _, from, to int) {
	w, c := &e.workers[worker], e.world.Columns()
	for i := from; i < to; i++ {
		if since := c.Rest[i].Since; since == 0 || since == uint32(e.tick) {
			o := &e.land.crowd.Obstacles[i]
			e.pose(o, &c.Pose[i], &c.Body[i], &c.Sequence[i])
			if o.Scale != 1 || c.Rest[i].Busy&(components.Scaled|components.Ramping) != 0 {
				o.Scale = c.Cold[i].Traits.Scale
				e.land.crowd.Sized(i)
				if reach := e.land.world.Reach(o); reach != o.Reach {
					o.Reach = reach
					w.grown = append(w.grown, int32(i))
				}
			}
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
	m.note()
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
		m.position.SetActive(false)
	}
}

// noted keeps what others see of m up to date while one after another is told something.
func (m *mover) noted() {
	if m.w.e.land != nil && m.on >= 0 {
		m.note()
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

// hashCrowd adds in which cells all are registered, and where in the lists of
// these: those who are run into first depend on it.
func (e *Engine) hashCrowd(h *ecs.Hash) {
	if e.land == nil {
		return
	}
	g := &e.land.crowd
	for _, row := range e.world.Order() {
		for _, id := range g.CellsOf(int(row)) {
			h.U32(uint32(id))
			h.U32(uint32(g.Rank(int(row), id)))
		}
		h.U32(0)
	}
}

// checkCrowd: the crowd knows of everybody what his row says, and who is
// registered where agrees both ways.
func (e *Engine) checkCrowd() error {
	if e.land == nil {
		return nil
	}
	g := &e.land.crowd
	if err := g.Check(e.world.Rows()); err != nil {
		return err
	}
	c := e.world.Columns()
	for i := range g.Obstacles {
		o, r := &g.Obstacles[i], &c.Cold[i]
		if o.Guid != r.Identity.Guid || o.Parent != r.Identity.Parent || o.Place != c.Pose[i].Position || o.Setup != r.Identity.Setup ||
			o.Scale != r.Traits.Scale || o.Traits != r.Traits.Flags || (o.State^c.Body[i].State)&^components.HasPhysicsBSP != 0 {
			return fmt.Errorf("0x%08X stands at %+v, and is seen as %+v", r.Identity.Guid, c.Pose[i].Position, *o)
		}
		if in := len(g.CellsOf(i)) > 0; in && (o.Place.Cell == 0 || c.Body[i].Transient&components.Lost != 0) {
			return fmt.Errorf("0x%08X is in no cell, and met in %08X", o.Guid, g.CellsOf(i))
		}
	}
	return nil
}

// bytes is the memory that the crowd takes; the land is not the engine's own.
func (g *land) bytes() uintptr {
	if g == nil {
		return 0
	}
	return g.crowd.Bytes() + room(g.moved)
}
