package systems

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/systems/position"
)

// sequence is the second stage: animations advance by a quantum, and what they
// move becomes each row's offset, in the axes of the body (step a; 02 §2.6, 11 §5.1).
func (w *worker) sequence(from, to int) {
	e, c := w.e, w.c
	dt := float64(e.quantum)
	tick := uint32(e.tick)
	w.hooks.Reset()
	for i := from; i < to; i++ {
		k := i - from
		w.todo[k] = skip
		if c.Rest[i].Since != 0 {
			if (tick+uint32(i))%restRefresh == 0 {
				e.refresh(i)
			}
			continue
		}
		body, pose := &c.Body[i], &c.Pose[i]
		if !position.Guard(pose, body, e.options.Viewer, false) || !position.BeginStep(pose, body) {
			continue
		}
		w.todo[k] = update
		off := &w.offset[k]
		off.Origin[0], off.Origin[1], off.Origin[2] = 0, 0, 0
		off.Rotation.W, off.Rotation.V[0], off.Rotation.V[1], off.Rotation.V[2] = 1, 0, 0, 0
		if body.State&components.Hidden == 0 {
			motion.Advance(e.tables, &e.world.Pools.Nodes, &c.Sequence[i], dt, off, &w.hooks)
			switch {
			case body.Transient&components.OnWalkable == 0:
				off.Origin = space.Vec3{}
			case c.Rest[i].Busy&components.Scaled != 0:
				off.Origin = space.Scale(off.Origin, c.Cold[i].Traits.Scale)
			}
		}
		w.ends[k] = int32(len(w.hooks.Fired))
	}
}
