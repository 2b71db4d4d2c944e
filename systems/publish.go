package systems

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

// publish is the fifth stage: what changed goes into the view. A row at rest is
// written twice more, once a buffer, and then not until it wakes.
func (w *worker) publish(from, to int) {
	e, c, v := w.e, w.c, w.view
	tick := uint32(e.tick)
	for i := from; i < to; i++ {
		since := c.Rest[i].Since
		if since != 0 && tick-since > 1 && !w.writeAll {
			continue
		}
		pose, body, seq := &c.Pose[i], &c.Body[i], &c.Sequence[i]
		if w.writeAll { // rows have not moved otherwise
			v.Guid[i] = e.world.Guid(i)
		}
		v.Cell[i] = pose.Cell
		v.Origin[i] = pose.Frame.Origin
		v.Rotation[i] = pose.Frame.Rotation
		v.Velocity[i] = body.Achieved
		v.Flags[i] = flagsOf(body, c.Rest[i].Busy, &c.Leash[i])
		v.frame[i] = seq.Frame
		v.Anim[i], v.rest[i].since = 0, since
		if seq.Curr >= 0 {
			n := &seq.Nodes.Items(&e.world.Pools.Nodes)[seq.Curr]
			v.Anim[i] = e.tables.Anims[n.Anim].ID
			if since != 0 {
				v.rest[i].node = *n
			}
		} else {
			v.rest[i].since = 0
		}
	}
}

func flagsOf(b *components.Body, busy components.Busy, l *components.Leash) Flags {
	var f Flags
	if b.Transient&components.Contact != 0 {
		f |= InContact
	}
	if b.Transient&components.OnWalkable != 0 {
		f |= OnWalkable
	}
	if b.State&components.Hidden != 0 {
		f |= IsHidden
	}
	if busy&components.Chases != 0 {
		f |= Chasing
	}
	if l.Constrained {
		f |= Leashed
	}
	if !space.Zero(&b.Achieved) {
		f |= Moving
	}
	if busy&components.Pends != 0 {
		f |= Animating
	}
	return f
}
