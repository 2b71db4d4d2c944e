package systems

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/position"
)

// publish is the last stage: what changed goes into the view. A row at rest is
// written twice more, once a buffer, and then not until it wakes.
func (w *worker) publish(from, to int) {
	e, c, v := w.e, w.c, w.view
	nodes, anims := &e.world.Pools.Nodes, e.tables.Anims
	rest, poses, bodies, sequences, leashes := c.Rest[from:to], c.Pose[from:to], c.Body[from:to], c.Sequence[from:to], c.Leash[from:to]
	poses, bodies, sequences, leashes = poses[:len(rest)], bodies[:len(rest)], sequences[:len(rest)], leashes[:len(rest)]
	if w.writeAll { // rows have not moved otherwise
		for k := range rest {
			v.Guid[from+k] = e.world.Guid(from + k)
		}
	}
	for _, k := range w.rows {
		since := rest[k].Since
		pose, body, seq := &poses[k], &bodies[k], &sequences[k]
		id, still := uint32(0), restFrame{}
		if seq.Curr >= 0 {
			n := &seq.Nodes.Items(nodes)[seq.Curr]
			id = anims[n.Anim].ID
			if since != 0 {
				still = restFrame{n.Rate, n.Low, n.High, since}
			}
		}
		o, a := &pose.Frame.Origin, &body.Achieved
		v.place(from+int(k), pose.Cell, &pose.Frame.Rotation, o[0], o[1], o[2])
		v.plays(from+int(k), a[0], a[1], a[2], seq.Frame, id, flagsOf(body, rest[k].Busy, &leashes[k]))
		if since != 0 {
			v.rest[from+int(k)] = still
		}
	}
}

// Of a body and of the view these are the same bits: else this is no index.
var _ = [1]int{}[Flags(components.Contact)^InContact|Flags(components.OnWalkable)^OnWalkable]

func flagsOf(b *components.Body, busy components.Busy, l *components.Leash) Flags {
	f := Flags(b.Transient & (components.Contact | components.OnWalkable))
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

// publishAll is publish of all rows, whether they rest or not.
func (w *worker) publishAll(from, to int) {
	w.rows = w.rows[:0]
	for k := range to - from {
		w.rows = append(w.rows, int32(k))
	}
	w.publish(from, to)
}

// place writes where a row is. Places and velocities come as numbers: read together where
// they have just been written one by one, they would be waited for.
func (v *View) place(i int, cell space.CellID, q *space.Quat, x, y, z float32) {
	v.Cell[i] = cell
	origin, rotation := &v.Origin[i], &v.Rotation[i]
	origin[0], origin[1], origin[2] = x, y, z
	position.Take(rotation, q)
}

// plays writes how a row moves, that is awake, or whose frame is not to be found from when
// it came to rest.
func (v *View) plays(i int, vx, vy, vz float32, frame float64, anim uint32, f Flags) {
	velocity := &v.Velocity[i]
	velocity[0], velocity[1], velocity[2] = vx, vy, vz
	v.Flags[i] = f
	v.frame[i] = frame
	v.Anim[i] = anim
	v.rest[i].since = 0
}
