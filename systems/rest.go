package systems

import (
	"math"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/systems/position"
)

// restRefresh is after how many ticks at most a resting remote's sequence is
// brought up to date, so that waking one never replays more.
const restRefresh = 256

// restful reports whether every further tick of row i would change nothing but
// the frame of one looping animation: nothing pending, chased, fired or moved.
func (w *worker) restful(i int) bool {
	c := w.c
	busy := c.Rest[i].Busy
	if busy&^(components.Scaled|components.Targeting|components.Waits|components.Owned|components.Rooted|components.Unmanaged) != 0 {
		return false
	}
	b := &c.Body[i]
	if c.Pose[i].Cell == 0 || b.State&components.Hidden != 0 || b.Transient&components.CheckEthereal != 0 ||
		!motion.Idle(w.e.tables, &w.e.world.Pools.Nodes, &c.Sequence[i]) ||
		!position.Quiet(b, &c.Chase[i]) { // last: the chase is the only thing here that is not at hand
		return false
	}
	// without a movement manager it has yet to become inactive, or is so for good (11 §6)
	active := b.Transient&components.Active != 0
	if stays := busy&components.Unmanaged == 0 || w.e.options.Viewer != nil; active != stays {
		return false
	}
	// what it plays stands, and so does its clock of targets; rest would have them go on
	if !active && (c.Sequence[i].Nodes.Len > 0 || busy&components.Targeting != 0) {
		return false
	}
	// The distance was taken at the head of the update (11 §4.2), before what the
	// tick moved.
	if v := w.e.options.Viewer; v != nil && b.PlayerDistance != space.Distance(v, &c.Pose[i].Position) {
		return false
	}
	if g := w.e.land; g != nil && g.crowd.Obstacles[i].State&components.HasPhysicsBSP != 0 && c.Sequence[i].Nodes.Len > 0 {
		return false // others run into how it is posed
	}
	if busy&components.Targeting == 0 {
		return true
	}
	w.mover.at(i)
	return position.QuietTargets(w.mover.row(), &w.e.world.Pools)
}

// count is a tick's number where 32 bits have to do: from 1 to 2³²−2, so that one more is a number
// still, then from 1 again; 0 is no tick's.
func count(tick uint64) uint32 {
	if tick == 0 {
		return 0
	}
	return uint32((tick-1)%(math.MaxUint32-1)) + 1
}

// recount is for the tick that is counted as 1 again, which no number of before can be
// compared with: nobody rests, and nobody is known to be calm, as after [Restore].
func (e *Engine) recount() {
	c := e.world.Columns()
	var r components.Row
	for i := range c.Rest {
		if c.Rest[i].Since != 0 {
			c.At(i, &r)
			e.catchUp(&r)
			c.Rest[i].Since = 0
		}
	}
	e.stirAll()
	if e.land != nil {
		e.land.crowd.Renew()
	}
}

// catchUp brings a resting mover to the end of the last tick that is done.
func (e *Engine) catchUp(r *components.Row) { e.catchUpTo(r, e.done) }

func (e *Engine) catchUpTo(r *components.Row, tick uint64) {
	s, missed := r.Sequence, count(tick)-r.Rest.Since
	if s.Curr >= 0 {
		n := s.Nodes.Items(&e.world.Pools.Nodes)[s.Curr]
		s.Frame = motion.IdleFrame(n, s.Frame, e.quantum, missed)
	}
	if r.Rest.Busy&components.Targeting != 0 {
		m := r.Errand.Targets.Get(&e.world.Pools.TargetManagers)
		m.LastRun = position.AdvanceGrid(m.LastRun, tick-uint64(missed), tick, e.options.TicksPerSecond)
	}
	r.Rest.Since = count(tick)
}

// refreshes reports whether the tick brings those of a chunk up to date that rest.
func (e *Engine) refreshes(chunk int) bool { return (e.tick+uint64(chunk))%restRefresh == 0 }

// refresh brings a resting row up to date while others are updated; the tick
// that runs is done as far as it is concerned.
func (e *Engine) refresh(i int) {
	var r components.Row
	e.world.Columns().At(i, &r)
	e.catchUpTo(&r, e.tick)
}

// wake ends the rest of a mover before something is done to it.
func (e *Engine) wake(r *components.Row) {
	if r.Rest.Since != 0 {
		e.catchUp(r)
		r.Rest.Since = 0
		if i, ok := e.world.Row(r.Identity.Guid); ok {
			e.stir(i)
		}
	}
}

// stir has a row's chunk looked at again.
func (e *Engine) stir(i int) {
	e.asleep[i/e.schedule.Chunk()] = false
}

// stirAll has all chunks looked at again, after rows have moved.
func (e *Engine) stirAll() {
	e.asleep = sized(e.asleep, e.schedule.Chunks(e.world.Rows()), 0)
	clear(e.asleep)
}
