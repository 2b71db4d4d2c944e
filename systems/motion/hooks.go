package motion

import "github.com/gait-engine/gait/dat"

// AnimationDone is the hook that the sequence itself makes when a link ends;
// it has no place in the tables (R2.33).
const AnimationDone int32 = -1

// FiredHook is a hook that waits to be executed: its animation and part frame
// as indices, and its index into Tables.Hooks, or [AnimationDone] (then the
// animation is the one that ended).
type FiredHook struct{ Anim, Frame, Hook int32 }

// HookQueue collects hooks in the order in which they fire, duplicates kept
// (R2.32). Whoever executes them calls [Mover.AnimationDone](true) for an
// AnimationDone, takes in what executing them queues, and empties the queue.
type HookQueue struct{ Fired []FiredHook }

// Reset empties the queue and keeps its room.
func (q *HookQueue) Reset() { q.Fired = q.Fired[:0] }

// Leave queues the hooks of the part frames of animation a from k up to, not including, to.
func (q *HookQueue) Leave(t *dat.Tables, a, k, to int32) {
	for ; k < to; k++ {
		q.fire(t, a, k, +1)
	}
}

// fire queues the hooks of part frame k of animation a for a direction of +1 or −1 (R2.32).
func (q *HookQueue) fire(t *dat.Tables, a, k, direction int32) {
	an := &t.Anims[a]
	if uint32(k) >= an.Frames {
		return
	}
	i := an.HooksAt + uint32(k)
	from := uint32(0)
	if i > 0 {
		from = t.HookEnds[i-1]
	}
	for h := from; h < t.HookEnds[i]; h++ {
		if d := t.Hooks[h].Direction; d == 0 || d == direction {
			q.Fired = append(q.Fired, FiredHook{a, k, int32(h)})
		}
	}
}
