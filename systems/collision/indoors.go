package collision

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

// room is what the walls of an indoor cell answer (14 L4 Environment cell).
func (s *Sweep) room(c cell) Transition {
	if t := s.entry(c); t != OK {
		return t
	}
	s.obstructionEthereal = false
	place := c.place()
	s.localize(&place, 1)
	t := s.hull(&s.World.Shapes.Hulls[c.indoor().Hull])
	if t != OK {
		s.environment()
	}
	return t
}

// building is what the shell of a land cell's building answers (14 L4 Building).
func (s *Sweep) building(c cell) Transition {
	b, ok := c.block.building(c.id)
	if !ok || b.Hull < 0 {
		return OK
	}
	s.buildingCheck = true
	t := s.part(&s.World.Shapes.Hulls[b.Hull], &space.Position{Cell: c.id, Frame: b.Frame}, 1)
	s.buildingCheck = false
	if t != OK {
		s.environment()
	}
	return t
}

// entry is the entry restriction of a cell: a player whom its restriction
// object does not let in stops at its border (14 L4). Others are never held up.
func (s *Sweep) entry(c cell) Transition {
	guid := c.restriction()
	if guid == 0 || s.body.Traits&components.Player == 0 || s.body.Traits&components.HasGame == 0 || guid == s.body.Passes {
		return OK
	}
	if !s.World.Crowd.knows(guid) {
		return Collided
	}
	if !c.indoors() { // pushed back the way it came, along one axis
		s.Hit.set(s.fromCentre(c))
	}
	return Collided
}

// fromCentre is the axis along which the body lies farthest from a land cell's centre.
func (s *Sweep) fromCentre(c cell) space.Vec3 {
	i := c.id.Index() - 1
	v := s.shifted(s.global[0].Centre, c.id)
	x := v[0] - (float32(i>>3*space.CellSide) + space.CellSide/2)
	y := v[1] - (float32(i&7*space.CellSide) + space.CellSide/2)
	sign := func(v float32) float32 {
		if v < 0 {
			return -1
		}
		return 1
	}
	if space.Abs(x) >= space.Abs(y) {
		return space.Vec3{sign(x), 0, 0}
	}
	return space.Vec3{0, sign(y), 0}
}
