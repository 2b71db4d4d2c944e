package collision

import (
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// hull collides the body with the polygons of a part or of an indoor cell, which
// s has been localized to (14 L3).
func (s *Sweep) hull(h *dat.Hull) Transition {
	if h.Root < 0 {
		return OK
	}
	if s.insert == initialPlacement {
		return s.placementInsert(h.Root)
	}
	return s.findCollisions(h.Root)
}

// centreCheck is whether a centre inside the solid counts. In a building's shell
// it does not for who has come in (14 L4 Building).
func (s *Sweep) centreCheck() bool { return !(s.buildingCheck && s.hitsInterior) }

// findCollisions is the table of 14 L3.
func (s *Sweep) findCollisions(root int32) Transition {
	g := s.World.Shapes
	movement := space.Sub(s.local[0].Centre, s.localCentre[0])
	switch {
	case s.insert == placement || s.obstructionEthereal:
		check := s.centreCheck()
		for i := range s.count {
			if solid(g, root, &s.local[i], check) {
				return Collided
			}
		}
		return OK
	case s.checkWalkable:
		if s.onWalkablePolygon(root, &s.local[0]) {
			return Collided
		}
		return OK
	case s.stepDown:
		return s.stepOnto(root, space.Scale(s.localUp, -(s.amount*s.interp)/s.localScale))
	case s.collide:
		return s.stepOnto(root, movement)
	}

	first := strike{polygon: dat.None}
	hit := strikes(g, root, &s.local[0], &movement, &first)
	second := strike{polygon: dat.None}
	switch {
	case s.is(inContact):
		if hit {
			return s.stepUpOrSlide(s.outwards(first.polygon))
		}
		if s.count < 2 {
			return OK
		}
		if strikes(g, root, &s.local[1], &movement, &second) {
			return s.slideSphere(0, s.outwards(second.polygon), 0)
		}
		if second.polygon >= 0 {
			s.setNegPolyHit(false, s.outwards(second.polygon))
		} else if first.polygon >= 0 {
			s.setNegPolyHit(true, s.outwards(first.polygon))
		}
		return OK
	case first.polygon >= 0 && s.is(pathClipped):
		s.Hit.set(s.outwards(first.polygon))
		return Collided
	case s.is(pathClipped):
		return OK
	case first.polygon >= 0:
		s.setCollide(s.outwards(first.polygon))
		s.allowance = LandingZ
		return Adjusted
	}
	if s.count > 1 {
		if strikes(g, root, &s.local[1], &movement, &second); second.polygon >= 0 {
			s.Hit.set(s.outwards(second.polygon))
			return Collided
		}
	}
	return OK
}

// outwards returns a polygon's normal in the axes of the world.
func (s *Sweep) outwards(polygon int32) space.Vec3 {
	return s.localAxes.Out(s.World.Shapes.Polygons[polygon].Normal)
}

// stepOnto moves the body onto the polygons that it could stand on, along
// movement, and has it stand on the last.
func (s *Sweep) stepOnto(root int32, movement space.Vec3) Transition {
	b := s.local[0]
	found := dat.None
	s.findWalkable(root, &b, &movement, &found)
	if found < 0 {
		return OK
	}
	s.moveLocal(space.Scale(space.Sub(b.Centre, s.local[0].Centre), s.localScale)) // W-8
	p := &s.World.Shapes.Polygons[found]
	plane := Plane{Normal: s.localAxes.Out(p.Normal)}
	// the distance in the world's axes, and only then the scale
	plane.D = float32((p.D - space.Dot(plane.Normal, s.origin())) * s.localScale)
	s.Contact.set(&plane, s.check.Cell, false)
	s.record(found, b)
	return Adjusted
}

// origin is where the localized obstacle stands, in the block of check.
func (s *Sweep) origin() space.Vec3 {
	return s.shiftedFrom(s.localPlace.Frame.Origin, s.localPlace.Cell)
}

// shiftedFrom returns a point of the block of cell as check's block sees it.
func (s *Sweep) shiftedFrom(v space.Vec3, cell space.CellID) space.Vec3 {
	if cell.SameBlock(s.check.Cell) {
		return v
	}
	return space.Add(v, space.BlockOffset(s.check.Cell, cell))
}

// moveLocal moves the body by v in the axes of the localized obstacle.
func (s *Sweep) moveLocal(v space.Vec3) { s.move(s.localAxes.Out(v)) }

// placementRounds bounds the pushing out of solids (14 L3).
const placementRounds = 20

// placementInsert pushes the body out of what is solid (14 L3 placement_insert).
func (s *Sweep) placementInsert(root int32) Transition {
	g := s.World.Shapes
	trial := s.local
	radius := s.local[0].Radius
	check := s.centreCheck()
	for round := range placementRounds {
		free := true
		for i := range s.count {
			in := depth{polygon: dat.None}
			if !solidPolygon(g, root, &trial[i], radius, check, &in) {
				continue
			}
			free = false
			if in.polygon < 0 {
				radius *= 2
			} else {
				push(&g.Polygons[in.polygon], &trial[i], &trial[1-i], radius, in.centre, check)
				radius = s.local[0].Radius
			}
			break
		}
		if free {
			if round == 0 {
				return OK
			}
			s.moveLocal(space.Sub(trial[0].Centre, s.local[0].Centre))
			return Adjusted
		}
	}
	return Collided
}
