package motion

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

// NodePool keeps the nodes of long lists.
type NodePool = components.Pool[components.Node]

// startingFrame is where a node begins when time runs forward (02 §2.2).
func startingFrame(n *components.Node) float64 {
	if n.Rate >= 0 {
		return float64(n.Low)
	}
	return lastFrame(n)
}

// endingFrame is where a node ends when time runs forward (02 §2.2).
func endingFrame(n *components.Node) float64 {
	if n.Rate >= 0 {
		return lastFrame(n)
	}
	return float64(n.Low)
}

// lastFrame is high + 1 − EPS, computed in 32 bits, then widened (R2.5).
func lastFrame(n *components.Node) float64 { return float64(float32(n.High+1) - space.Eps) }

// Append puts a node at the tail and makes it the one to wrap to; when nothing
// plays, the head begins (R2.7). So the last node appended is the whole loop.
func Append(p *NodePool, s *components.Sequence, n components.Node) {
	s.Nodes.Push(p, n)
	if s.Curr < 0 {
		s.Curr = 0
		s.Frame = startingFrame(&s.Nodes.Items(p)[0])
	}
}

// RemoveCyclic deletes the looping block. When that was playing, the node
// before it stands at its end, so that what is appended next begins at once (R2.8).
func RemoveCyclic(p *NodePool, s *components.Sequence) {
	if at := s.FirstCyclic(); at >= 0 {
		s.Nodes.Remove(p, int(at), int(s.Nodes.Len))
		if s.Curr >= at {
			s.Curr = at - 1
			s.Frame = 0
			if s.Curr >= 0 {
				s.Frame = endingFrame(&s.Nodes.Items(p)[s.Curr])
			}
		}
	}
}

// RemoveLink deletes up to k links, the newest first; when one of them was
// playing, the cycle begins (R2.9).
func RemoveLink(p *NodePool, s *components.Sequence, k uint32) {
	cyclic := s.FirstCyclic()
	if cyclic <= 0 {
		return
	}
	if k > uint32(cyclic) {
		k = uint32(cyclic)
	}
	from := cyclic - int32(k)
	if s.Curr >= from && s.Curr < cyclic {
		s.Curr = cyclic
		s.Frame = startingFrame(&s.Nodes.Items(p)[s.Curr])
	}
	s.Nodes.Remove(p, int(from), int(cyclic))
	if s.Curr >= cyclic {
		s.Curr -= int32(k)
	}
}

// RemoveAllLink deletes every link before the looping block (R2.10).
func RemoveAllLink(p *NodePool, s *components.Sequence) { RemoveLink(p, s, ^uint32(0)) }

// MultiplyCyclicRate changes the speed of the looping block (R2.11, R2.4).
func MultiplyCyclicRate(p *NodePool, s *components.Sequence, factor float32) {
	if s.Nodes.Len == 0 {
		return
	}
	nodes := s.Nodes.Items(p)[s.FirstCyclic():]
	for i := range nodes {
		n := &nodes[i]
		if factor < 0 {
			n.Low, n.High = n.High, n.Low
		}
		n.Rate = clamp(n.Rate * factor)
	}
}

// ClearAnimations empties the list; velocity and omega stay (R2.12).
func ClearAnimations(p *NodePool, s *components.Sequence) {
	s.Nodes.Clear(p)
	s.Curr, s.Frame = -1, 0
}

// ClearPhysics sets velocity and omega to 0 (R2.13).
func ClearPhysics(s *components.Sequence) { s.Velocity, s.Omega = space.Vec3{}, space.Vec3{} }

// ClearSequence clears animations, physics and the placement (R2.13).
func ClearSequence(p *NodePool, s *components.Sequence) {
	ClearAnimations(p, s)
	ClearPhysics(s)
	s.Placement, s.PlacementID = -1, 0
}

// SetPhysics assigns velocity and omega (R2.14).
func SetPhysics(s *components.Sequence, velocity, omega space.Vec3) {
	setVec(&s.Velocity, velocity[0], velocity[1], velocity[2])
	setVec(&s.Omega, omega[0], omega[1], omega[2])
}

// setVec assigns numbers kept in range to v: vectors that calls return go through memory.
func setVec(v *space.Vec3, x, y, z float32) { v[0], v[1], v[2] = clamp(x), clamp(y), clamp(z) }

// CombinePhysics adds to velocity and omega, each times factor (R2.14, R3.7).
func CombinePhysics(s *components.Sequence, velocity, omega *space.Vec3, factor float32) {
	addVec(&s.Velocity, velocity, factor)
	addVec(&s.Omega, omega, factor)
}

func addVec(v, d *space.Vec3, factor float32) {
	x, y, z := clamp(float32(d[0]*factor)), clamp(float32(d[1]*factor)), clamp(float32(d[2]*factor))
	setVec(v, v[0]+x, v[1]+y, v[2]+z)
}

// SubtractPhysics takes from velocity and omega (R2.14, R3.7).
func SubtractPhysics(s *components.Sequence, velocity, omega *space.Vec3, factor float32) {
	CombinePhysics(s, velocity, omega, -factor)
}

// HasAnims reports whether the list holds anything (R2.15).
func HasAnims(s *components.Sequence) bool { return s.Nodes.Len > 0 }

// collect deletes played nodes: from the head up to the one playing, never the
// looping block (R2.31).
func collect(p *NodePool, s *components.Sequence) {
	n := s.Curr
	if n < 0 {
		n = int32(s.Nodes.Len)
	}
	n = min(n, s.FirstCyclic())
	if n <= 0 {
		return
	}
	s.Nodes.Remove(p, 0, int(n))
	if s.Curr >= 0 {
		s.Curr -= n
	}
}
