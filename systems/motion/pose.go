package motion

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// DefaultPlacement is the placement id that a new object asks for (R2.17).
const DefaultPlacement uint32 = 0x65

// defaultAnimRate is the rate of a setup's default animation, frames a second (R2.18).
const defaultAnimRate float32 = 30

// SetPlacement chooses the pose that shows while no node plays (R2.17).
func SetPlacement(t *dat.Tables, s *components.Sequence, setup int32, id uint32) {
	s.Placement, s.PlacementID = t.Placement(setup, id)
}

// SetDefaultAnimation plays a setup's default animation in place of the list,
// when it has one (R2.18).
func SetDefaultAnimation(t *dat.Tables, p *NodePool, s *components.Sequence, setup int32) {
	if setup < 0 {
		return
	}
	a := t.Setups[setup].DefaultAnim
	if a < 0 || t.Anims[a].Frames == 0 {
		return
	}
	ClearAnimations(p, s)
	Append(p, s, components.Node{Anim: a, Rate: defaultAnimRate, High: int32(t.Anims[a].Frames) - 1})
}

// CurrentParts is [CurrentPose] by index: where the frames begin in the tables'
// Parts and how many there are; −1 and 0 when parts keep their place.
func CurrentParts(t *dat.Tables, p *NodePool, s *components.Sequence, setup int32) (at, n int32) {
	if s.Curr < 0 {
		if s.Placement < 0 || setup < 0 {
			return dat.None, 0
		}
		return int32(t.Poses[s.Placement].PartsAt), int32(t.Setups[setup].PartCount)
	}
	a := &t.Anims[s.Nodes.Items(p)[s.Curr].Anim]
	k := floor(s.Frame)
	if uint32(k) >= a.Frames {
		return dat.None, 0
	}
	return int32(a.PartsAt + uint32(k)*a.PartCount), int32(a.PartCount)
}

// CurrentPose returns the frames of the parts as the sequence stands: part
// frame floor(frame) of the node being played, never between two (R2.16); the
// placement when there is no node; nil when parts keep their place. Frames are
// in the object's axes, origins before scaling ([PartFrame]).
func CurrentPose(t *dat.Tables, p *NodePool, s *components.Sequence, setup int32) []space.Frame {
	at, n := CurrentParts(t, p, s, setup)
	if at < 0 {
		return nil
	}
	return t.Parts[at : at+n]
}

// PartFrame returns where a part stands in the object's outer axes: the
// object's frame, then the part's with its origin scaled (R2.19).
func PartFrame(object, part space.Frame, scale space.Vec3) space.Frame {
	part.Origin = space.Mul(part.Origin, scale)
	return space.Combine(object, part)
}
