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
	nodes := &e.world.Pools.Nodes
	rest, poses, bodies, sequences := c.Rest[from:to], c.Pose[from:to], c.Body[from:to], c.Sequence[from:to]
	steps, ends, offsets := w.steps[:len(rest)], w.ends[:len(rest)], w.offset[:len(rest)]
	poses, bodies, sequences = poses[:len(rest)], bodies[:len(rest)], sequences[:len(rest)]
	class := e.clock.of
	w.hooks.Reset()
	for _, k := range w.slow {
		steps[k] = false
		if rest[k].Since != 0 {
			continue
		}
		body, pose := &bodies[k], &poses[k]
		if class != nil {
			if class[from+int(k)] != e.clock.class {
				continue
			}
		} else {
			was := body.Transient
			awake := position.Guard(pose, body, e.options.Viewer, false)
			if (body.Transient^was)&components.Active != 0 {
				w.emit(from+int(k), Event{Kind: activity(awake)})
			}
			if !awake {
				continue
			}
		}
		if !position.BeginStep(pose, body) {
			continue
		}
		steps[k] = true
		if body.Transient&components.CheckEthereal != 0 { // 11 §5, 3
			w.mover.at(from + int(k))
			w.mover.setEthereal(false)
		}
		off := &offsets[k]
		off.Reset()
		if body.State&components.Hidden == 0 {
			motion.Advance(e.tables, nodes, &sequences[k], dt, off, &w.hooks)
			switch {
			case body.Transient&components.OnWalkable == 0:
				off.Origin = space.Vec3{}
			case rest[k].Busy&components.Scaled != 0:
				space.ScaleBy(&off.Origin, rest[k].Scale)
			}
		}
		ends[k] = int32(len(w.hooks.Fired))
	}
}
