package motion

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

// getCommand is what brings a mover at this distance, m, to where p wants him:
// the command, 0 for none, how fast, and whether it leads away (R6.7, D-1, D-2).
func getCommand(p *components.MoveParams, dist float32) (c uint32, hold components.HoldKey, away bool) {
	tooFar := dist > p.DistanceToObject
	switch {
	case !p.Has(components.ParamMoveAway):
		if tooFar {
			c = WalkForward
		}
	case !p.Has(components.ParamMoveTowards):
		if dist < p.MinDistance {
			c, away = WalkForward, true
		}
	case tooFar:
		c = WalkForward
	case dist-p.MinDistance < space.Eps:
		c, away = WalkBackwards, true
	}
	far := dist-p.DistanceToObject > p.WalkRunThreshold
	hold = components.HoldNone
	if p.Has(components.ParamCanCharge) || p.Has(components.ParamCanRun) && (far || !p.Has(components.ParamCanWalk)) {
		hold = components.HoldRun
	}
	return c, hold, away
}

// desiredOffset is how far off the bearing to the goal one faces, degrees, when
// doing c (R6.8, C-7).
func desiredOffset(c uint32, away bool) float32 {
	if forward := c == WalkForward || c == RunForward; forward && !away || c == WalkBackwards && away {
		return 0
	}
	return 180
}

// goalDistance is the current distance to the goal in metres: that of the
// places, or of the cylinders that stand there (R6.6). It stays in range
// whatever the places are.
func (m *Mover) goalDistance(s *components.MoveTo) float32 {
	if !s.Params.Has(components.ParamUseSpheres) {
		return clamp(space.Distance(&m.Pose.Position, &s.Goal))
	}
	return clamp(space.CylinderDistance(m.Traits.Radius, m.Traits.Height, &m.Pose.Position, s.SoughtRadius, s.SoughtHeight, &s.Goal))
}
