package systems

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/motion"
)

// PartFrames appends to dst where the parts of a remote stand after the last
// tick, in order, each local to the landblock of the remote's cell (spec 15 §3,
// R2.16–R2.19): the part frames of the animation that plays, never between two;
// with none, the placement; their origins scaled. It allocates nothing when dst
// has room.
//
// There are as many as both the setup and the animation have parts. What the
// setup has beyond keeps the frame that it had before, which the engine does not
// remember. It reports false, and dst as it was, when nothing says where parts
// are: there is no such remote, it is in no cell nor in the hands of somebody who is in one, it has no setup, it is a
// particle emitter, or it has neither animation nor placement.
func (e *Engine) PartFrames(guid uint32, dst []space.Frame) ([]space.Frame, bool) {
	row, ok := e.world.Row(guid)
	if !ok {
		return dst, false
	}
	var r components.Row
	e.world.Columns().At(row, &r)
	cell, root := r.Pose.Cell, r.Pose.Frame
	if r.Identity.Parent != 0 { // the view has what follows from its holder
		v := e.View()
		cell, root = v.Cell[row], space.Frame{Origin: v.Origin[row], Rotation: v.Rotation[row]}
	}
	if cell == 0 || r.Identity.Setup < 0 || r.Body.State&components.ParticleEmitter != 0 {
		return dst, false
	}
	if r.Rest.Since != 0 {
		e.catchUp(&r)
	}
	parts := motion.CurrentPose(e.tables, &e.world.Pools.Nodes, r.Sequence, r.Identity.Setup)
	if parts == nil {
		return dst, false
	}
	if n := e.tables.Setups[r.Identity.Setup].PartCount; uint32(len(parts)) > n {
		parts = parts[:n]
	}
	s := r.Rest.Scale
	for i := range parts {
		dst = append(dst, motion.PartFrame(root, parts[i], space.Vec3{s, s, s}))
	}
	return dst, true
}
