package systems

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/systems/position"
)

// adjust is the third stage: the chase and the leash bend the offset, it is put
// on the frame, the free body moves that, and the hooks of the step are
// executed (steps b to e). What it leaves in offset is where the step wants to go.
func (w *worker) adjust(from, to int) {
	c := w.c
	q := w.e.quantum
	rest, poses, bodies, leashes := c.Rest[from:to], c.Pose[from:to], c.Body[from:to], c.Leash[from:to]
	steps, ends, offsets := w.steps[:len(rest)], w.ends[:len(rest)], w.offset[:len(rest)]
	poses, bodies, leashes = poses[:len(rest)], bodies[:len(rest)], leashes[:len(rest)]
	hook := 0
	for _, k := range w.slow {
		if !steps[k] {
			continue
		}
		off, pose, body := &offsets[k], &poses[k], &bodies[k]
		if busy := rest[k].Busy; busy&(components.Chases|components.Stuck|components.Ramping) != 0 {
			w.mover.at(from + int(k))
			w.mover.follow(off, q, busy)
		}
		if leash := &leashes[k]; leash.Constrained {
			position.AdjustLeash(leash, body, &off.Origin)
		}
		next := off
		if next.IsIdentity() { // 10 §2: combine; the identity changes no bit
			*next = pose.Frame
		} else {
			space.CombineTo(next, &pose.Frame, off)
		}
		if body.State&components.Hidden == 0 {
			if rest[k].Busy&components.Unmanaged != 0 && body.Transient&components.OnWalkable != 0 && space.Zero(&body.Velocity) {
				w.mover.at(from + int(k))
				w.mover.standStill() // 11 §6
			}
			position.UpdatePhysics(body, q, next)
		}
		if end := int(ends[k]); hook < end {
			w.mover.at(from + int(k))
			for ; hook < end; hook++ {
				w.mover.execute(w.hooks.Fired[hook])
			}
		}
	}
}

// follow bends the offset towards what is chased, then towards what is stuck to
// (13 §1). A scale that changes does so then: nothing up to the step's animation
// hooks, which come after it (11 §10), reads it.
func (m *mover) follow(off *space.Frame, q float32, busy components.Busy) {
	stuck := busy&components.Stuck != 0
	if busy&components.Chases != 0 {
		position.AdjustOffset(&m.position, off, q, m.position.Chase.Pace, stuck)
	}
	if stuck {
		position.AdjustSticky(&m.position, off, q, m.motion.MaxSpeed())
	}
	if busy&components.Ramping != 0 {
		m.ramp()
	}
}

// execute carries out one queued hook (11 §10, R2.34, R4.10; 15 §4 lists those that the
// engine acts on). ReplaceObject, which gives a part another model, is told like
// those that are the host's alone: models are no state here (21 §9).
func (m *mover) execute(h motion.FiredHook) {
	if h.Hook == motion.AnimationDone {
		m.motion.AnimationDone(true)
		return
	}
	t := m.w.e.tables
	m.w.tellHook(m.on, h)
	switch hook := t.Hook(t.Hooks[h.Hook]); hook.Type { // all of these [acts]
	case dat.HookSetOmega:
		position.SetOmega(m.row().Body, hook.Args().Axis)
	case dat.HookNoDraw:
		m.setBit(components.NoDraw, hook.Args().Flag != 0)
	case dat.HookEthereal:
		m.setEthereal(hook.Args().Flag != 0)
	case dat.HookScale:
		args := hook.Args()
		m.scaleTo(args.End, args.Time)
	}
}

// acts reports whether the engine does more about a hook of the tables than tell of it.
func acts(h *dat.PlayHook) bool {
	switch dat.HookType(h.Type) {
	case dat.HookSetOmega, dat.HookNoDraw, dat.HookEthereal, dat.HookScale:
		return true
	}
	return false
}

// tellHook tells of a hook that fired.
func (w *worker) tellHook(i int, h motion.FiredHook) {
	ev := w.event(i, HookFired)
	ev.Anim, ev.Frame, ev.Hook = w.e.tables.Anims[h.Anim].ID, h.Frame, h.Hook
}

// setBit sets or clears one bit of the state word, as a hook may.
func (m *mover) setBit(bit components.StateBits, on bool) {
	if on {
		m.row().Body.State |= bit
	} else {
		m.row().Body.State &^= bit
	}
}
