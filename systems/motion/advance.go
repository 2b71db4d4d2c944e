package motion

import (
	"math"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// MaxNodesPassed bounds the nodes that one update goes through; the rest of
// its quantum is dropped (R2.30).
const MaxNodesPassed = 4096

// Advance plays dt seconds of a sequence (02 §2.6). What it moves and turns is
// combined into f, the offset frame that the caller begins at identity; nil is
// display only. Hooks go into the queue; nil is no hook target.
//
// A frame counts when it is left: root motion and velocity come in lumps of one
// crossed frame, and a tick that crosses none moves nothing (R2.25).
func Advance(t *dat.Tables, p *NodePool, s *components.Sequence, dt float64, f *space.Frame, hooks *HookQueue) {
	if n, frame := Within(s, dt); n != nil {
		k, to := floor(s.Frame), floor(frame)
		s.Frame = frame
		if k < to {
			CrossForward(t, s, n, k, to, dt, f, hooks)
		}
		return
	}
	update(t, p, s, dt, f, hooks)
}

// Within returns the node that plays and where in it the sequence comes in dt seconds, when
// that is all there is to it: most ticks stay inside the head, forwards. Else nil.
func Within(s *components.Sequence, dt float64) (n *components.Node, frame float64) {
	if s.Curr != 0 || int(s.Nodes.Len) > len(s.Nodes.Inline) {
		return nil, 0
	}
	n = &s.Nodes.Inline[0]
	step := n.Rate * float32(dt)
	frame = s.Frame + float64(step)
	if !(step > 0 && frame < float64(n.High)+1) {
		return nil, 0
	}
	return n, frame
}

// update is 02 §2.6 for any tick.
func update(t *dat.Tables, p *NodePool, s *components.Sequence, dt float64, f *space.Frame, hooks *HookQueue) {
	if s.Curr < 0 {
		if f != nil {
			physics(s, f, dt, dt)
		}
		return
	}
	for passed := 0; passed < MaxNodesPassed; passed++ {
		n := &s.Nodes.Items(p)[s.Curr]
		step := float64(clamp(n.Rate * float32(dt)))
		k := floor(s.Frame)
		frame := s.Frame + step
		left, ended := 0.0, false
		switch {
		case step > 0:
			if high := float64(n.High); frame >= high+1 {
				left = leftover(frame-high-1, n.Rate)
				frame, ended = high, true
			}
			if to := floor(frame); k < to {
				CrossForward(t, s, n, k, to, dt, f, hooks)
			}
		case step < 0:
			if low := float64(n.Low); frame < low {
				left = leftover(frame-low, n.Rate)
				frame, ended = low, true
			}
			if to := floor(frame); k > to {
				crossBackward(t, s, n, k, to, dt, f, hooks)
			}
		default: // frozen, or no time: only the sequence's own velocity counts (R2.24)
			if f != nil && math.Abs(dt) > float64(space.Eps) {
				physics(s, f, dt, dt)
			}
		}
		s.Frame = frame
		if !ended {
			break
		}
		if hooks != nil && s.FirstCyclic() != 0 { // the test is on the head (R2.29)
			hooks.Fired = append(hooks.Fired, FiredHook{n.Anim, int32(frame), AnimationDone})
		}
		if !nextNode(t, p, s, dt, f) {
			break
		}
		dt = left
	}
	if s.Curr != 0 {
		collect(p, s)
	}
}

// floor converts a frame position that lies in some node's range.
func floor(frame float64) int32 {
	k := int32(frame)
	if float64(k) > frame {
		k--
	}
	return k
}

// leftover is the time that frames beyond a node's end stand for.
func leftover(frames float64, rate float32) float64 {
	if space.Abs(rate) > space.Eps {
		return frames / float64(rate)
	}
	return 0
}

// CrossForward leaves the frames from k up to, not including, to, of a node that plays
// (R2.26); f and hooks are as in [Advance]. Hooks only join a queue, so they may follow
// the frames.
func CrossForward(t *dat.Tables, s *components.Sequence, n *components.Node, k, to int32, dt float64, f *space.Frame, hooks *HookQueue) {
	if f == nil && hooks == nil {
		return
	}
	a := &t.Anims[n.Anim]
	if hooks != nil && a.HasHooks {
		hooks.Leave(t, n.Anim, k, to)
	}
	if f == nil || a.Positions < 0 && space.Zero(&s.Velocity) && space.Zero(&s.Omega) {
		return
	}
	if k = crossStraight(t, s, n, k, to, dt, f); k == to {
		return
	}
	q32 := float32(0)
	if space.Abs(n.Rate) > space.Eps {
		q32 = lumpSeconds(n.Rate, dt)
	}
	vx, vy, vz := float32(s.Velocity[0]*q32), float32(s.Velocity[1]*q32), float32(s.Velocity[2]*q32)
	// one for all the frames that are left
	var turn space.Quat
	turns := space.TurnTo(&turn, float32(s.Omega[0]*q32), float32(s.Omega[1]*q32), float32(s.Omega[2]*q32))
	for ; k < to; k++ {
		if b := t.PositionFrame(n.Anim, k); b != nil {
			combine(f, b)
		}
		f.Origin[0], f.Origin[1], f.Origin[2] = f.Origin[0]+vx, f.Origin[1]+vy, f.Origin[2]+vz
		if turns {
			space.SetProduct(&f.Rotation, &f.Rotation, &turn)
		}
	}
}

// lumpSeconds is how long one crossed frame lasts, against time when dt is (R2.23, R2.25).
func lumpSeconds(rate float32, dt float64) float32 {
	q := float32(1 / float64(space.Abs(rate)))
	if dt < 0 {
		return -q
	}
	return q
}

// crossStraight is the short way of CrossForward while nothing turns: where
// both rotations are the identity, combining is adding. It returns the first
// frame that it leaves to the long way.
func crossStraight(t *dat.Tables, s *components.Sequence, n *components.Node, k, to int32, dt float64, f *space.Frame) int32 {
	if !space.Zero(&s.Omega) || !space.Unturned(&f.Rotation) || k < 0 {
		return k
	}
	at := t.Anims[n.Anim].Positions
	if at < 0 {
		Drift(&f.Origin, s, n, to-k, dt)
		return to
	}
	vx, vy, vz := lumpWay(s, n, dt)
	x, y, z := f.Origin[0], f.Origin[1], f.Origin[2]
	frames := t.Positions[at+k : at+to]
	for i := range frames {
		b := &frames[i]
		if !space.Unturned(&b.Rotation) {
			break
		}
		x, y, z = x+b.Origin[0], y+b.Origin[1], z+b.Origin[2]
		x, y, z = x+vx, y+vy, z+vz
		k++
	}
	f.Origin[0], f.Origin[1], f.Origin[2] = x, y, z
	return k
}

// Drift adds to o what leaving frames of a node comes to where no position frame is and
// nothing turns: the sequence's velocity, lump by lump (R2.25).
func Drift(o *space.Vec3, s *components.Sequence, n *components.Node, frames int32, dt float64) {
	vx, vy, vz := lumpWay(s, n, dt)
	x, y, z := o[0], o[1], o[2]
	for ; frames > 0; frames-- {
		x, y, z = x+vx, y+vy, z+vz
	}
	o[0], o[1], o[2] = x, y, z
}

// lumpWay is how far the sequence's velocity goes while one frame of a node is left (R2.25).
func lumpWay(s *components.Sequence, n *components.Node, dt float64) (x, y, z float32) {
	if space.Zero(&s.Velocity) || !(space.Abs(n.Rate) > space.Eps) {
		return 0, 0, 0
	}
	q := lumpSeconds(n.Rate, dt)
	return float32(s.Velocity[0] * q), float32(s.Velocity[1] * q), float32(s.Velocity[2] * q)
}

// crossBackward leaves the frames from k down to, not including, to.
func crossBackward(t *dat.Tables, s *components.Sequence, n *components.Node, k, to int32, dt float64, f *space.Frame, hooks *HookQueue) {
	if f != nil {
		for i := k; i > to; i-- {
			if b := t.PositionFrame(n.Anim, i); b != nil {
				*f = space.Subtract(*f, *b)
			}
			lump(s, f, n.Rate, dt)
		}
	}
	if hooks != nil && t.Anims[n.Anim].HasHooks {
		for i := k; i > to; i-- {
			hooks.fire(t, n.Anim, i, -1)
		}
	}
}

// combine is space.Combine, which for two unturned frames is a sum.
func combine(f, b *space.Frame) {
	if space.Unturned(&b.Rotation) && space.Unturned(&f.Rotation) {
		f.Origin[0], f.Origin[1], f.Origin[2] = f.Origin[0]+b.Origin[0], f.Origin[1]+b.Origin[1], f.Origin[2]+b.Origin[2]
		return
	}
	space.CombineTo(f, f, b)
}

// drifts reports whether the sequence has a velocity or omega of its own.
func drifts(s *components.Sequence) bool {
	return !space.Zero(&s.Velocity) || !space.Zero(&s.Omega)
}

// lump applies the velocity of one crossed frame, 1/|rate| seconds of it (R2.25).
func lump(s *components.Sequence, f *space.Frame, rate float32, dt float64) {
	if drifts(s) && space.Abs(rate) > space.Eps {
		physics(s, f, 1/float64(rate), dt)
	}
}

// physics moves the offset by the sequence's velocity, not turned, and turns
// it by its omega: |q| seconds, against time when t is negative (R2.23).
func physics(s *components.Sequence, f *space.Frame, q, t float64) {
	q32 := space.Abs(float32(q))
	if t < 0 {
		q32 = -q32
	}
	f.Origin = space.Add(f.Origin, space.Scale(s.Velocity, q32))
	if !space.Zero(&s.Omega) {
		f.Rotation = space.Rotate(f.Rotation, space.Scale(s.Omega, q32))
	}
}

// nextNode goes from the node that ended to the next in the direction of time;
// a node played backwards takes its last frame back when left, one played
// forwards gives its first when entered (R2.28). It reports whether there is one.
func nextNode(t *dat.Tables, p *NodePool, s *components.Sequence, dt float64, f *space.Frame) bool {
	nodes := s.Nodes.Items(p)
	n := &nodes[s.Curr]
	if backwards := n.Rate < 0; f != nil && backwards == (dt >= 0) {
		if b := t.PositionFrame(n.Anim, floor(s.Frame)); b != nil {
			*f = space.Subtract(*f, *b)
		}
		lump(s, f, n.Rate, dt)
	}
	if dt >= 0 {
		s.Curr++
		if int(s.Curr) == len(nodes) {
			s.Curr = s.FirstCyclic()
		}
	} else if s.Curr--; s.Curr < 0 {
		s.Curr = int32(len(nodes)) - 1
	}
	if s.Curr < 0 {
		s.Frame = 0
		return false
	}
	n = &nodes[s.Curr]
	enters := n.Rate > 0
	if dt >= 0 {
		s.Frame = startingFrame(n)
	} else {
		s.Frame = endingFrame(n)
		enters = n.Rate < 0
	}
	if f != nil && enters {
		if b := t.PositionFrame(n.Anim, floor(s.Frame)); b != nil {
			combine(f, b)
		}
		lump(s, f, n.Rate, dt)
	}
	return true
}
