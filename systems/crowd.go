package systems

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/ecs"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/collision"
	"github.com/gait-engine/gait/systems/motion"
)

// registration says that a row stands in other cells from the end of the tick on.
type registration struct {
	row      int32
	worker   int32
	from, to int32 // its cells in the worker's list
	// as in [collision.Crowd.Step]
	leaps, marches bool
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
	setup, scale, polygons := o.Setup, o.Scale, o.State&components.HasPhysicsBSP
	o.Guid, o.Setup = r.Identity.Guid, r.Identity.Setup
	o.Scale, o.Traits = r.Rest.Scale, traitsOf(r)
	e.pose(o, r.Pose, r.Body, r.Sequence)
	// how far it reaches follows from these alone
	if o.Reach == 0 || o.Setup != setup || o.Scale != scale || o.State&components.HasPhysicsBSP != polygons {
		o.Reach = e.land.world.Reach(o)
	}
}

// traitsOf are the traits of what stands in a row as others see it.
func traitsOf(r *components.Row) components.TraitFlags {
	if r.Identity.Parent != 0 {
		return r.Traits.Flags | collision.Held
	}
	return r.Traits.Flags
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

// register has m stand in cells: at once, or when all have been updated. leaps is
// as in [collision.Crowd.Step].
func (m *mover) register(cells []space.CellID, leaps bool) {
	if !m.w.e.updating {
		m.w.e.land.crowd.Register(m.on, cells)
		return
	}
	if m.w.e.options.AlwaysUpdate || leaps || !m.w.e.land.crowd.March(m.on, cells) {
		m.w.register(m.on, cells, leaps, false)
	}
}

// register notes that a row stands in cells when all have been updated.
func (w *worker) register(i int, cells []space.CellID, leaps, marches bool) {
	at := int32(len(w.regCells))
	w.regCells = append(w.regCells, cells...)
	w.regs = append(w.regs, registration{int32(i), w.index, at, int32(len(w.regCells)), leaps, marches})
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
	e.laps.end(StageRegister)
	e.schedule.Each(e.world.Rows(), g.show)
	e.laps.shared()
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
			r := &batch[i]
			g.crowd.Turn(e.workers[0].tick, e.world.Guid(int(r.row)))
			g.crowd.Step(int(r.row), e.cellsOf(r), r.leaps, r.marches)
		}
	}
	g.crowd.Turn(e.workers[0].tick, math.MaxUint32)
	for i := range e.workers {
		w := &e.workers[i]
		w.regs, w.regCells = w.regs[:0], w.regCells[:0]
		g.crowd.Bring(w.sweeper.Asked)
		w.sweeper.Asked = w.sweeper.Asked[:0]
		for _, i := range w.grown {
			g.crowd.Refresh(int(i))
		}
		w.grown = w.grown[:0]
	}
	g.world.Land.EndTick()
	e.laps.touch(StageRegister, len(g.moved), registrationBytes)
	e.laps.end(StageRegister)
}

// fetched is how many lists are fetched ahead.
const fetched = 64

func (e *Engine) cellsOf(r *registration) []space.CellID {
	return e.workers[r.worker].regCells[r.from:r.to]
}

// showRows brings up to date how some rows stand, of those that were updated.
func (e *Engine) showRows(worker, chunk, from, to int) {
	if e.asleep[chunk] {
		return
	}
	w, c := &e.workers[worker], e.world.Columns()
	w.laps.begin()
	shown := 0
	for i := from; i < to; i++ {
		if since := c.Rest[i].Since; since == 0 || since == w.tick {
			shown++
			o := &e.land.crowd.Obstacles[i]
			e.land.crowd.Show(i)
			pose, b := &c.Pose[i], &c.Body[i]
			o.Place.Cell = pose.Cell
			to, at := &o.Place.Frame, &pose.Frame
			to.Origin[0], to.Origin[1], to.Origin[2] = at.Origin[0], at.Origin[1], at.Origin[2]
			to.Rotation.W, to.Rotation.V[0], to.Rotation.V[1], to.Rotation.V[2] = at.Rotation.W, at.Rotation.V[0], at.Rotation.V[1], at.Rotation.V[2]
			if o.State != b.State || b.State&components.HasPhysicsBSP != 0 {
				e.pose(o, pose, b, &c.Sequence[i]) // what has a BSP is here every time, whether its state says so or not
			}
			if o.Scale != 1 || c.Rest[i].Busy&(components.Scaled|components.Ramping) != 0 {
				o.Scale = c.Rest[i].Scale
				e.land.crowd.Sized(i)
				if reach := e.land.world.Reach(o); reach != o.Reach {
					o.Reach = reach
					w.grown = append(w.grown, int32(i))
				}
			}
		}
	}
	w.laps.end(StageShow)
	w.laps.touch(StageShow, to-from, restBytes)
	w.laps.touch(StageShow, shown, bodyBytes+unsafe.Sizeof(collision.Obstacle{})+collision.WalkerBytes)
}

// noted keeps what others see of m up to date while one after another is told something.
func (m *mover) noted() {
	if m.w.e.land != nil && m.on >= 0 {
		m.note()
	}
}

// hashCrowd adds in which cells some are registered, and where in the lists of
// these: those who are run into first depend on it.
func (e *Engine) hashCrowd(h *ecs.Hash, rows []uint32) {
	if e.land == nil {
		return
	}
	g := &e.land.crowd
	for _, row := range rows {
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
	var r components.Row
	for i := range g.Obstacles {
		o := &g.Obstacles[i]
		c.At(i, &r)
		if o.Guid != r.Identity.Guid || o.Place != c.Pose[i].Position || o.Setup != r.Identity.Setup ||
			o.Scale != c.Rest[i].Scale || o.Traits != traitsOf(&r) || (o.State^c.Body[i].State)&^components.HasPhysicsBSP != 0 {
			return fmt.Errorf("0x%08X stands at %+v, and is seen as %+v", r.Identity.Guid, c.Pose[i].Position, *o)
		}
		if setup, scale := g.Walker(i); setup != o.Setup || scale != o.Scale || o.Reach != e.land.world.Reach(o) {
			return fmt.Errorf("0x%08X is as large as setup %d times %v, and walks as %d times %v and is seen to reach %v m", o.Guid, o.Setup, o.Scale, setup, scale, o.Reach)
		}
		if o.State&components.HasPhysicsBSP != 0 {
			if at, n := motion.CurrentParts(e.tables, &e.world.Pools.Nodes, &c.Sequence[i], o.Setup); at != o.Parts || n != o.Posed {
				return fmt.Errorf("0x%08X is posed as %d parts from %d on, and seen as %d from %d on", o.Guid, n, at, o.Posed, o.Parts)
			}
		}
		if in := len(g.CellsOf(i)) > 0; in && (o.Place.Cell == 0 || c.Body[i].Transient&components.Lost != 0) {
			return fmt.Errorf("0x%08X is in no cell, and met in %08X", o.Guid, g.CellsOf(i))
		}
	}
	return nil
}

// offset bounds how far a body's first sphere lay from its origin, where the sweep goes by
// that, when it last moved; metres. Its scale may have changed since.
func (e *Engine) offset(r *components.Row) float32 {
	if e.land == nil {
		return 0
	}
	if spheres := e.tables.SpheresOf(r.Identity.Setup); len(spheres) > 0 {
		scale := r.Rest.Scale
		if e.rescales {
			scale = maxScale
		}
		return float32(space.Length(spheres[0].Centre) * scale)
	}
	return space.Length(collision.DummySphere.Centre)
}
