package systems

import (
	"math"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/systems/position"
)

// glide says which rows of a chunk the stages have to take, of all that are awake and those
// that have just come to rest, and takes through the stages at once whoever glides
// ([worker.glides]), as most do in most ticks.
func (w *worker) glide(from, to int) {
	e, c := w.e, w.c
	rest, poses, bodies, sequences, leashes := c.Rest[from:to], c.Pose[from:to], c.Body[from:to], c.Sequence[from:to], c.Leash[from:to]
	poses, bodies, sequences, leashes = poses[:len(rest)], bodies[:len(rest)], sequences[:len(rest)], leashes[:len(rest)]
	tick, refreshes, may := w.tick, e.refreshes(from/e.schedule.Chunk()), !e.options.AlwaysUpdate
	rows, slow := w.rows[:len(rest)], w.slow[:len(rest)]
	w.ahead(rest, from)
	taken, slowly, glided := 0, 0, 0
	w.pursued = 0
	for k := range rest {
		r := &rest[k]
		took := tookNone
		if r.Since != 0 {
			if refreshes {
				e.refresh(from + k)
			}
			if tick-r.Since > 1 && !w.writeAll {
				continue
			}
		} else if may && r.Busy&occupied == 0 {
			took = w.glides(from+k, k, r, &poses[k], &bodies[k], &sequences[k], &leashes[k])
			if took == tookAll {
				glided++
				continue
			}
		}
		rows[taken] = int32(k)
		taken++
		if took == tookNone {
			slow[slowly] = int32(k)
			slowly++
		}
	}
	w.rows, w.slow, w.glided = rows[:taken], slow[:slowly], glided
}

// ahead reads a little of the chases and pending queues that a chunk is going to look at, and
// where many chase of where to, all at once: one by one, between other things, each is waited for.
func (w *worker) ahead(rest []components.Rest, from int) {
	chases, pending := w.c.Chase[from:][:len(rest)], w.c.Pending[from:][:len(rest)]
	rows, n := w.rows[:len(rest)], 0
	for k := range rest {
		rows[n] = int32(k)
		n += one(rest[k].Busy&(components.Chases|components.Pends|components.Waits) != 0)
	}
	chasing := 0
	for _, k := range rows[:n] {
		if rest[k].Busy&components.Chases != 0 {
			chasing++
			w.fetched += chases[k].FrameCounter
		}
		if rest[k].Busy&(components.Pends|components.Waits) != 0 { // an animation that ends may be what is waited for
			w.fetched += int32(pending[k].Counter)
		}
	}
	if chasing <= len(rest)/8 { // going over so few once more costs what it saves
		return
	}
	for _, k := range rows[:n] {
		if rest[k].Busy&components.Chases != 0 {
			if q := &chases[k].Queue; q.Len > 0 {
				w.fetched += int32(q.Items(&w.pools.Chase)[0].Kind)
			}
		}
	}
}

// What [worker.glides] took a row through.
const (
	tookNone = iota
	tookTwo  // sequence and adjust
	tookAll  // the sweep and publish, too
)

const (
	// occupied is what nobody is who glides: it has stages do something,
	occupied = components.MovingTo | components.Stuck | components.Targeting | components.Ramping | components.Rooted | components.Unmanaged
	// gliding are the bits of a body that glides, of those that matter,
	gliding   = components.Active | components.OnWalkable | components.Contact
	stepsBits = gliding | components.Lost | components.CheckEthereal | components.Falling | components.JumpedThisFrame
	// and these are none of its.
	notGliding = components.Frozen | components.Hidden | components.AlignPath
)

// glides takes a row through sequence and adjust, and where nothing is swept, or nothing
// is near, through the sweep and publish too: what these would do and no more
// ([Options.AlwaysUpdate] goes without). It is for who follows nothing but a chase that
// goes on, and is moved by nothing but that and what he plays. It returns what it did.
func (w *worker) glides(i, k int, rest *components.Rest, pose *components.Pose, body *components.Body, seq *components.Sequence, leash *components.Leash) int {
	e, rotation := w.e, &pose.Frame.Rotation
	if body.Transient&stepsBits != gliding || body.State&notGliding != 0 || pose.Cell == 0 ||
		anyOf(&body.Velocity, &body.Omega) || seq.Frame < 0 || seq.Curr < 0 || !space.IsUnit(rotation) {
		return tookNone
	}
	n, frame := motion.Within(seq, float64(e.quantum))
	var off *space.Vec3                          // where who goes straight on goes, in his axes,
	var way float32                              // and how far, where his animation says both
	marks, hooks, arrived := false, false, false // marks time: leaves no frame, and so stays where he is
	if n != nil && rest.Busy&components.Chases == 0 {
		first, last := int32(seq.Frame), int32(frame)
		anim := &e.tables.Anims[n.Anim]
		switch {
		case first == last:
			marks = true
		case !space.Zero(&seq.Omega):
		case anim.Positions < 0:
			off, hooks = w.goes(0, 0, 0), anim.HasHooks
			motion.Drift(off, seq, n, last-first, float64(e.quantum))
		case last-first <= dat.MaxCrossed && space.Zero(&seq.Velocity):
			if c := e.tables.Crossing(anim, first, last-first); c.Plain {
				off, way, hooks = &c.Way, c.Length, c.Hooks
			}
		}
		if hooks {
			w.hooks.Reset()
			w.hooks.Leave(e.tables, n.Anim, first, last)
		}
	}
	if e.options.Viewer != nil { // else it would only say what has just been asked
		position.Guard(pose, body, e.options.Viewer, false)
	}

	var x, y, z float32
	o := &pose.Frame.Origin
	switch {
	case marks:
		x, y, z = o[0], o[1], o[2]
		seq.Frame = frame
	case off == nil:
		var ok bool
		if ok, arrived = w.bends(i, rest, pose, body, seq, leash); !ok {
			return tookNone
		}
		n = &seq.Nodes.Items(&w.pools.Nodes)[seq.Curr]
		next := &w.next
		x, y, z = next.Origin[0], next.Origin[1], next.Origin[2]
		rotation, hooks = &next.Rotation, len(w.hooks.Fired) > 0
	default:
		if rest.Busy&components.Scaled != 0 {
			off = w.goes(off[0], off[1], off[2])
			space.ScaleBy(off, rest.Scale)
		}
		switch own := off == &w.way; {
		case !position.Slack(leash):
			off = w.goes(off[0], off[1], off[2])
			position.AdjustLeash(leash, body, off)
		case own:
			position.CountWay(leash, space.LengthOf(off[0], off[1], off[2]))
		default:
			position.CountWay(leash, way)
		}
		a, b, c, d := rotation.W, rotation.V[0], rotation.V[1], rotation.V[2]
		x, y, z = o[0]+space.OutX(a, b, c, d, off), o[1]+space.OutY(a, b, c, d, off), o[2]+space.OutZ(a, b, c, d, off)
		seq.Frame = frame
	}
	if hooks {
		w.fires(i)
	}
	dx, dy, dz := x-o[0], y-o[1], z-o[2]
	var vx, vy, vz float32
	switch {
	case e.land == nil && marks:
		position.Refuse(pose, body, rotation)
	case e.land == nil && position.Moves(dx, dy, dz) && space.Settled(pose.Cell, x, y):
		vx, vy, vz = position.Glide(pose, body, x, y, z, dx, dy, dz, e.quantum)
		if off == nil {
			position.Take(&pose.Frame.Rotation, rotation)
		}
	default:
		to := &w.offset[k]
		to.Origin[0], to.Origin[1], to.Origin[2] = x, y, z
		position.Take(&to.Rotation, rotation)
		w.steps[k] = true
		// who does not move may have come to rest, which the sweep looks at
		if e.land == nil || !e.land.crowd.Calm(i, w.tick) || space.At(&pose.Frame.Origin, x, y, z) ||
			!w.stride(i, rest.Busy, pose, body, &w.c.Touch[i], to, true) {
			return tookTwo
		}
		a := &body.Achieved
		x, y, z, vx, vy, vz = o[0], o[1], o[2], a[0], a[1], a[2]
	}
	if arrived || rest.Busy&components.Pends != 0 {
		w.clocks(i, rest)
	}
	if marks && w.restful(i) { // that is all there is to him from now on
		rest.Since, w.steps[k] = w.tick, false
		return tookTwo
	}
	v := w.view // the numbers themselves: see [View.place]
	v.place(i, pose.Cell, &pose.Frame.Rotation, x, y, z)
	v.plays(i, vx, vy, vz, seq.Frame, e.tables.Anims[n.Anim].ID, flagsOf(body, rest.Busy, leash))
	return tookAll
}

// goes makes a way of his own for who goes straight on; number by number, as [space.CombineTo] does.
func (w *worker) goes(x, y, z float32) *space.Vec3 {
	w.way[0], w.way[1], w.way[2] = x, y, z
	return &w.way
}

// bends is for who glides, but not straight on: what turns him or holds him back, where
// he chases to, and an animation that comes to its end. It makes next where that takes him,
// and leaves what fires in hooks; not ok, with nothing done, when the stages have to. He has
// arrived when the place that he chased to is reached.
func (w *worker) bends(i int, rest *components.Rest, pose *components.Pose, body *components.Body, seq *components.Sequence, leash *components.Leash) (ok, arrived bool) {
	e, off := w.e, &w.off
	off.Reset()
	moves := off
	if rest.Busy&components.Chases != 0 {
		chase := &w.c.Chase[i]
		if chase.Queue.Len == 0 || chase.Fail > position.FailLimit {
			return false, false
		}
		what := position.Pursue(chase, &chase.Queue.Items(&w.pools.Chase)[0], &pose.Position, off, e.quantum, chase.Pace, false)
		if what == position.NotPursued || what == position.Stalled {
			return false, false
		}
		w.pursued++
		if arrived = what != position.Pursued; arrived {
			w.mover.at(i)
			w.mover.position.NodeCompleted(true)
		}
		if what != position.Arrived {
			moves = nil // the chase replaces what the animation moves (12 §6)
		}
	}
	w.hooks.Reset()
	motion.Advance(e.tables, &w.pools.Nodes, seq, float64(e.quantum), moves, &w.hooks)
	if moves != nil && rest.Busy&components.Scaled != 0 {
		space.ScaleBy(&off.Origin, rest.Scale)
	}
	position.AdjustLeash(leash, body, &off.Origin)
	space.CombineTo(&w.next, &pose.Frame, off)
	return true, arrived
}

// fires carries out the hooks in the queue.
func (w *worker) fires(i int) {
	for _, h := range w.hooks.Fired {
		if h.Hook != motion.AnimationDone && !acts(&w.e.tables.Hooks[h.Hook]) {
			w.tellHook(i, h)
			continue
		}
		w.mover.at(i)
		w.mover.execute(h)
	}
}

// anyOf reports whether any component is not 0.
func anyOf(a, b *space.Vec3) bool {
	return (math.Float32bits(a[0])|math.Float32bits(a[1])|math.Float32bits(a[2])|
		math.Float32bits(b[0])|math.Float32bits(b[1])|math.Float32bits(b[2]))<<1 != 0
}
