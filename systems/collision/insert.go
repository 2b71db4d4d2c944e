package collision

import "github.com/gait-engine/gait/space"

// transitionalInsert puts the spheres in at check, moving them until nothing is
// in the way or n tries are over (14 §5).
func (s *Sweep) transitionalInsert(n int) (t Transition) {
	t = OK
	if !s.checkCell.present() {
		return OK
	}
	for range n {
		if t = s.insertInto(s.checkCell, n); t == OK {
			t = s.checkOtherCells()
			if t != OK {
				s.negPolyHit = false
			}
		} else {
			s.negPolyHit = false // W-36
			if t == Slid {
				s.Contact.clear()
			}
		}
		switch {
		case t == Collided:
			return Collided
		case t != OK:
			continue
		case s.collide:
			return s.land(n)
		case s.negPolyHit && !s.stepDown && !s.stepUp:
			t = s.pushOut()
			continue
		case s.Contact.Valid, !s.is(inContact), s.stepDown, !s.checkCell.present(), !s.steps():
			return OK
		}
		var stop bool
		if t, stop = s.keepGround(); stop {
			return t
		}
	}
	return t
}

// land ends the flight of a body that ran into something: it stands there if it
// can (14 §5, "if collide").
func (s *Sweep) land(n int) Transition {
	s.collide = false
	bad := true
	if s.Contact.Valid && s.canWalk(LandingZ) {
		was := s.insert
		s.insert = placement
		bad = s.transitionalInsert(n) != OK
		s.insert = was
	}
	s.walkable.ok = false
	if !bad {
		return OK
	}
	s.restore()
	s.Contact.clear()
	if s.LastKnown.Valid {
		s.killVelocity()
		s.LastKnown.Valid = false
	} else {
		s.Hit.set(s.stepUpNormal)
	}
	return Collided
}

// pushOut moves a body out of a polygon that it struck from behind.
func (s *Sweep) pushOut() Transition {
	s.negPolyHit = false
	if !s.negStepUp {
		return s.slideSphere(0, s.negNormal, 0)
	}
	if s.tryStepUp(s.negNormal) {
		return OK
	}
	return s.stepUpSlide()
}

// keepGround has a walker, under whom the ground is gone, step down to it, and
// stop or slide at the edge when there is none (14 §5). It reports whether the
// insertion ends with that.
func (s *Sweep) keepGround() (t Transition, stop bool) {
	amount, z := stepHeight, LandingZ
	if s.is(onWalkable) {
		amount, z = s.body.StepDown, FloorZ
	}
	s.allowance = z
	s.save()
	amount, halves := s.body.probe(amount)
	if s.tryStepDown(amount, z) || halves && s.tryStepDown(amount, z) {
		s.walkable.ok = false
		return OK, true
	}
	return s.edgeSlide(amount, z)
}

// probe is by how much a body steps down at once, so that it cannot pass through
// what is thinner than itself; and whether that is half of what it is to do (14 §5).
func (b *Body) probe(amount float32) (step float32, halves bool) {
	r := b.Spheres[0].Radius
	if b.SphereCount == 1 && r+r < amount {
		amount = r * 0.5
	}
	if r+r >= amount {
		return amount, false
	}
	return amount * 0.5, true
}

// insertInto asks one cell, until it does not move the spheres any more (14 §5 insert_into_cell).
func (s *Sweep) insertInto(c cell, n int) (t Transition) {
	if !c.present() {
		return Collided
	}
	for range n {
		switch t = s.collideCell(c); t {
		case OK, Collided:
			return t
		case Slid:
			s.Contact.clear()
		}
	}
	return t
}

// collideCell asks one cell once, in its own order.
func (s *Sweep) collideCell(c cell) Transition {
	var t Transition
	if c.indoors() {
		t = s.room(c)
	} else if t = s.terrain(c); t == OK {
		t = s.building(c)
	}
	if t != OK {
		return t
	}
	return s.objects(c)
}

// checkOtherCells asks the cells that the spheres touch besides check's, and
// takes check to the one that holds it now (14 §5 check_other_cells).
func (s *Sweep) checkOtherCells() Transition {
	own := s.checkCell.id
	s.hitsInterior = false
	container := s.findCells()
	for i := 0; i < len(s.cells); i++ {
		c := s.cells[i]
		if c.id == own || !c.present() {
			continue
		}
		switch t := s.collideCell(c); t {
		case Collided, Adjusted:
			return t
		case Slid:
			s.Contact.clear()
			return t
		}
	}
	s.checkCell = container
	if container.present() {
		s.enter(container.id)
		return OK
	}
	if s.stepDown {
		return Collided
	}
	if !s.check.Cell.Indoors() {
		if id, origin := space.AdjustToOutside(s.check.Cell, s.check.Frame.Origin); id != 0 {
			s.enter(id)
			s.check.Frame.Origin = origin
			return OK
		}
	}
	return Collided
}
