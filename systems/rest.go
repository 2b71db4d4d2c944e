package systems

import (
	"github.com/gait-engine/gait/components"
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
	if c.Rest[i].Busy&^components.Scaled != 0 {
		return false
	}
	b := &c.Body[i]
	return c.Pose[i].Cell != 0 && b.Transient&components.Active != 0 && position.Quiet(b, &c.Chase[i]) &&
		b.State&components.Hidden == 0 && b.Transient&components.CheckEthereal == 0 &&
		motion.Idle(w.e.tables, &w.e.world.Pools.Nodes, &c.Sequence[i])
}

// catchUp brings the sequence of a resting mover to the end of a tick.
func (e *Engine) catchUp(r *components.Rest, s *components.Sequence, tick uint32) {
	if s.Curr >= 0 {
		n := s.Nodes.Items(&e.world.Pools.Nodes)[s.Curr]
		s.Frame = motion.IdleFrame(n, s.Frame, e.quantum, tick-r.Since)
	}
	r.Since = tick
}

// wake ends the rest of a mover before something is done to it in the inbound
// stage of the running tick.
func (e *Engine) wake(r *components.Row) {
	if r.Rest.Since != 0 {
		e.catchUp(r.Rest, r.Sequence, uint32(e.tick)-1)
		r.Rest.Since = 0
	}
}

// settle brings all resting movers to the end of the last tick.
func (e *Engine) settle() {
	c := e.world.Columns()
	for i := range c.Rest {
		if c.Rest[i].Since != 0 {
			e.catchUp(&c.Rest[i], &c.Sequence[i], uint32(e.tick))
		}
	}
}
