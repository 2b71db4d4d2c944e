package systems

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

// publish is the fifth stage: what changed goes into the view. A row at rest is
// written twice more, once a buffer, and then not until it wakes.
// It reports whether there was anything to write.
func (w *worker) publish(from, to int) (wrote bool) {
	e, c, v := w.e, w.c, w.view
	tick := uint32(e.tick)
	nodes, anims := &e.world.Pools.Nodes, e.tables.Anims
	rest, poses, bodies, sequences, leashes := c.Rest[from:to], c.Pose[from:to], c.Body[from:to], c.Sequence[from:to], c.Leash[from:to]
	poses, bodies, sequences, leashes = poses[:len(rest)], bodies[:len(rest)], sequences[:len(rest)], leashes[:len(rest)]
	cell, origin, rotation, velocity := v.Cell[from:to], v.Origin[from:to], v.Rotation[from:to], v.Velocity[from:to]
	flags, anim, frame, frames := v.Flags[from:to], v.Anim[from:to], v.frame[from:to], v.rest[from:to]
	cell, origin, rotation, velocity = cell[:len(rest)], origin[:len(rest)], rotation[:len(rest)], velocity[:len(rest)]
	flags, anim, frame, frames = flags[:len(rest)], anim[:len(rest)], frame[:len(rest)], frames[:len(rest)]
	if w.writeAll { // rows have not moved otherwise
		for k := range rest {
			v.Guid[from+k] = e.world.Guid(from + k)
		}
	}
	for k := range rest {
		since := rest[k].Since
		if since != 0 && tick-since > 1 && !w.writeAll {
			continue
		}
		wrote = true
		pose, body, seq := &poses[k], &bodies[k], &sequences[k]
		cell[k] = pose.Cell
		o, q, a := &pose.Frame.Origin, &pose.Frame.Rotation, &body.Achieved
		origin[k][0], origin[k][1], origin[k][2] = o[0], o[1], o[2]
		rotation[k].W, rotation[k].V[0], rotation[k].V[1], rotation[k].V[2] = q.W, q.V[0], q.V[1], q.V[2]
		velocity[k][0], velocity[k][1], velocity[k][2] = a[0], a[1], a[2]
		flags[k] = flagsOf(body, rest[k].Busy, &leashes[k])
		frame[k] = seq.Frame
		anim[k], frames[k].since = 0, 0
		if seq.Curr >= 0 {
			n := &seq.Nodes.Items(nodes)[seq.Curr]
			anim[k] = anims[n.Anim].ID
			if since != 0 {
				frames[k] = restFrame{n.Rate, n.Low, n.High, since}
			}
		}
	}
	return wrote
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
	if busy&components.Waits != 0 {
		f |= Animating
	}
	return f
}
