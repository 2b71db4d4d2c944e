package motion

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// Idle reports whether advancing s any number of times moves nothing and fires
// nothing, and changes but the frame: nothing plays, or one looping animation
// without hooks whose position frames stand still, at no velocity.
func Idle(t *dat.Tables, p *NodePool, s *components.Sequence) bool {
	if !space.Zero(&s.Velocity) || !space.Zero(&s.Omega) {
		return false
	}
	if s.Nodes.Len == 0 {
		return true
	}
	if s.Nodes.Len > 1 || s.Curr != 0 {
		return false
	}
	a := &t.Anims[s.Nodes.Items(p)[0].Anim]
	return a.Still && !a.HasHooks
}

// IdleFrame returns where an idle sequence (see [Idle]) that plays n stands so
// many ticks of dt seconds after frame: what as many calls of [Advance] leave.
func IdleFrame(n components.Node, frame float64, dt float32, ticks uint32) float64 {
	step := float64(float32(n.Rate * dt))
	if step == 0 {
		return frame
	}
	low, end := float64(n.Low), float64(n.High)+1
	for ; ticks > 0; ticks-- {
		// frames from low to below high+1 end nothing, either way
		if next := frame + step; next >= low && next < end {
			frame = next
			continue
		}
		s := components.Sequence{Frame: frame}
		s.Nodes.Push(nil, n)
		Advance(nil, nil, &s, float64(dt), nil, nil) // display only: needs no tables
		frame = s.Frame
	}
	return frame
}
