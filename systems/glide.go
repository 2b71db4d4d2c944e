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
// that have just come to rest, and takes through the stages at once whoever only goes on
// ([worker.glides]), as most do in most ticks.
func (w *worker) glide(from, to int) {
	e, c := w.e, w.c
	rest, poses, bodies, sequences, leashes := c.Rest[from:to], c.Pose[from:to], c.Body[from:to], c.Sequence[from:to], c.Leash[from:to]
	poses, bodies, sequences, leashes = poses[:len(rest)], bodies[:len(rest)], sequences[:len(rest)], leashes[:len(rest)]
	tick, refreshes, may := uint32(e.tick), e.refreshes(from/e.schedule.Chunk()), !e.options.AlwaysUpdate
	rows, slow := w.rows[:len(rest)], w.slow[:len(rest)]
	taken, slowly, glided := 0, 0, 0
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
			took = w.glides(from+k, k, r.Busy, &poses[k], &bodies[k], &sequences[k], &leashes[k])
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

// What [worker.glides] took a row through.
const (
	tookNone = iota
	tookTwo  // sequence and adjust
	tookAll  // the sweep and publish, too
)

const (
	// occupied is what nobody is who glides: it has stages do something,
	occupied = clocks | components.Ramping
	// gliding are the bits of a body that glides, of those that matter,
	gliding   = components.Active | components.OnWalkable
	stepsBits = gliding | components.Lost | components.CheckEthereal | components.Falling | components.JumpedThisFrame
	// and these are none of its.
	notGliding = components.Frozen | components.Hidden | components.AlignPath
)

// glides takes a row through sequence and adjust, and where nothing is swept, or nothing
// is near, through the sweep and publish too: what these would do and no more
// ([Options.AlwaysUpdate] goes without). It is for who stays in the animation that plays,
// follows nothing, is moved by nothing else and, unless he is swept, comes to a place well
// inside his cell. It returns what it did.
func (w *worker) glides(i, k int, busy components.Busy, pose *components.Pose, body *components.Body, seq *components.Sequence, leash *components.Leash) int {
	e := w.e
	if body.Transient&stepsBits != gliding || body.State&notGliding != 0 || pose.Cell == 0 ||
		anyOf(&body.Velocity, &body.Omega) || !position.Slack(leash) || seq.Frame < 0 {
		return tookNone
	}
	n, frame := motion.Within(seq, float64(e.quantum))
	if n == nil {
		return tookNone
	}
	if e.options.Viewer != nil { // else it would only say what has just been asked
		position.Guard(pose, body, e.options.Viewer, false)
	}
	first, last := int32(seq.Frame), int32(frame)
	if first == last {
		return w.marksTime(i, k, busy, pose, body, seq, leash, n, frame)
	}
	if last-first > dat.MaxCrossed {
		return tookNone
	}
	anim, turns := &e.tables.Anims[n.Anim], anyOf(&seq.Velocity, &seq.Omega)
	var crossing *dat.Crossing
	hooks := anim.HasHooks
	if anim.Positions >= 0 {
		crossing = e.tables.Crossing(anim, first, last-first)
		if !crossing.Plain || crossing.Length == 0 && !turns {
			return tookNone
		}
		hooks = crossing.Hooks
	} else if !turns {
		return tookNone // he stands
	}
	rotation := &pose.Frame.Rotation
	if !space.IsUnit(rotation) || hooks && w.fires(n.Anim, first, last) {
		return tookNone
	}

	var x, y, z, way float32
	switch scaled := busy&components.Scaled != 0; {
	case turns:
		off, next := &w.off, &w.next
		*off = space.Identity
		motion.CrossForward(e.tables, seq, n, first, last, float64(e.quantum), off, nil)
		if scaled {
			off.Origin = space.Scale(off.Origin, w.c.Rest[i].Scale)
		}
		space.CombineTo(next, &pose.Frame, off)
		x, y, z = next.Origin[0], next.Origin[1], next.Origin[2]
		way, rotation = space.Length(off.Origin), &next.Rotation
	case scaled:
		off := space.Scale(crossing.Way, w.c.Rest[i].Scale)
		x, y, z = space.Moved(&pose.Frame, &off)
		way = space.Length(off)
	default:
		x, y, z = space.Moved(&pose.Frame, &crossing.Way)
		way = crossing.Length
	}
	if e.land != nil {
		to := &w.offset[k]
		to.Origin[0], to.Origin[1], to.Origin[2] = x, y, z
		position.Take(&to.Rotation, rotation)
		w.steps[k] = true
	} else if !position.Glide(pose, body, x, y, z, e.quantum) {
		return tookNone
	} else if turns {
		position.Take(&pose.Frame.Rotation, rotation)
	}
	seq.Frame = frame
	position.CountWay(leash, way)
	if hooks {
		for _, h := range w.hooks.Fired {
			w.tellHook(i, h)
		}
	}
	// who does not move may have come to rest, which the sweep looks at
	if e.land != nil && (!e.land.crowd.Calm(i, uint32(e.tick)) || space.At(&pose.Frame.Origin, x, y, z) ||
		!w.stride(i, busy, pose, body, &w.c.Touch[i], &w.offset[k], true)) {
		return tookTwo
	}
	o, a := &pose.Frame.Origin, &body.Achieved
	w.view.put(i, pose.Cell, &pose.Frame.Rotation, o[0], o[1], o[2], a[0], a[1], a[2], frame, anim.ID, flagsOf(body, busy, leash))
	return tookAll
}

// marksTime is glides for who leaves no frame, and so stays where he is: unless that is all
// there is to him from now on, and he rests.
func (w *worker) marksTime(i, k int, busy components.Busy, pose *components.Pose, body *components.Body, seq *components.Sequence, leash *components.Leash, n *components.Node, frame float64) int {
	rotation := &pose.Frame.Rotation
	if w.e.land != nil {
		return tookNone
	}
	seq.Frame = frame
	position.Refuse(pose, body, rotation)
	if w.restful(i) {
		w.c.Rest[i].Since, w.steps[k] = uint32(w.e.tick), false
		return tookTwo
	}
	o := &pose.Frame.Origin
	w.view.put(i, pose.Cell, rotation, o[0], o[1], o[2], 0, 0, 0, frame, w.e.tables.Anims[n.Anim].ID, flagsOf(body, busy, leash))
	return tookAll
}

// fires queues the hooks of some frames that are left, and reports whether one of them acts.
func (w *worker) fires(anim, from, to int32) bool {
	t := w.e.tables
	w.hooks.Reset()
	w.hooks.Leave(t, anim, from, to)
	for i := range w.hooks.Fired {
		if acts(&t.Hooks[w.hooks.Fired[i].Hook]) {
			return true
		}
	}
	return false
}

// anyOf reports whether any component is not 0.
func anyOf(a, b *space.Vec3) bool {
	return (math.Float32bits(a[0])|math.Float32bits(a[1])|math.Float32bits(a[2])|
		math.Float32bits(b[0])|math.Float32bits(b[1])|math.Float32bits(b[2]))<<1 != 0
}
