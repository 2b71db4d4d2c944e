package collision

import (
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// tryStepDown lowers the body by amount metres onto ground whose normal's z is at
// least z (14 §6 step_down). While stepping up the body is not lowered first:
// the place of the collision itself is probed.
func (s *Sweep) tryStepDown(amount, z float32) bool {
	s.negPolyHit = false
	s.stepDown, s.amount, s.interp = true, amount, 1
	if !s.stepUp {
		s.move(space.Vec3{0, 0, -amount})
	}
	t := s.transitionalInsert(5)
	s.stepDown = false
	if t != OK || !s.Contact.Valid || !(s.Contact.Plane.Normal[2] >= z) {
		return false
	}
	if s.is(edgeSlide) && !s.stepUp && !s.canWalk(z) {
		return false
	}
	was := s.insert
	s.insert = placement
	t = s.transitionalInsert(1)
	s.insert = was
	return t == OK
}

// tryStepUp lifts the body onto what it struck with normal n (14 §6 step_up).
func (s *Sweep) tryStepUp(n space.Vec3) bool {
	s.Contact.clear()
	s.stepUp, s.stepUpNormal = true, n
	amount, z := stepHeight, LandingZ
	if s.is(onWalkable) {
		amount, z = s.body.StepUp, FloorZ
	}
	s.allowance = z
	s.save()
	ok := s.tryStepDown(amount, z)
	s.stepUp = false
	s.walkable.ok = false
	if !ok {
		s.restore()
	}
	return ok
}

// stepUpOrSlide is what a walker does at what it struck.
func (s *Sweep) stepUpOrSlide(n space.Vec3) Transition {
	if s.tryStepUp(n) {
		return OK
	}
	return s.stepUpSlide()
}

// stepUpSlide slides along what could not be stepped on (14 §6 step_up_slide).
func (s *Sweep) stepUpSlide() Transition {
	s.Contact.clear()
	s.stepUp = false
	return s.slideSphere(0, s.stepUpNormal, 0)
}

// canWalk is check_walkable: whether something walkable is down there (14 §6).
// It leaves the backup of check alone (W-26).
func (s *Sweep) canWalk(z float32) bool {
	if !s.is(onWalkable) || s.onRecorded() {
		return true
	}
	check, in := s.check, s.checkCell
	global := s.global
	s.allowance = z
	s.checkWalkable = true
	probe, _ := s.body.probe(s.body.StepDown)
	s.move(space.Vec3{0, 0, -probe})
	t := s.transitionalInsert(1)
	s.checkWalkable = false
	s.check, s.checkCell, s.global = check, in, global
	return t != OK
}

// edgeSlide decides what a walker does where there is no ground to step down to
// (14 §6 edge_slide). It reports whether the insertion ends with that.
func (s *Sweep) edgeSlide(amount, z float32) (t Transition, stop bool) {
	switch {
	case s.info&(onWalkable|edgeSlide) != onWalkable|edgeSlide: // walks off
		s.walkable.ok = false
		s.restore()
		s.Contact.clear()
		return OK, true
	case s.Contact.Valid && s.Contact.Plane.Normal[2] < z:
		s.walkable.ok = false
		s.restore() // W-14
		t = s.cliffSlide(s.Contact.Plane.Normal)
		s.Contact.clear()
		return t, false
	case s.walkable.ok:
		s.restore()
		s.Contact.clear()
		t = s.precipiceSlide()
		return t, t == Collided
	case s.Contact.Valid:
		s.walkable.ok = false
		s.restore()
		s.Contact.clear()
		return OK, true
	}
	s.move(space.Sub(s.currentCentre(0), s.global[0].Centre))
	s.tryStepDown(amount, z)
	s.Contact.clear()
	s.restore()
	w := &s.walkable
	if !w.ok {
		return Collided, true
	}
	s.localize(&w.place, w.scale)
	w.sphere = s.local[0]
	t = s.precipiceSlide()
	return t, t == Collided
}

// cliffSlide slides along the edge of ground that is too steep (14 §6 cliff_slide).
func (s *Sweep) cliffSlide(steep space.Vec3) Transition {
	c := cross(steep, s.LastKnown.Plane.Normal)
	n, small := space.NormalizeCheckSmall(space.Vec3{-c[1], c[0], 0})
	if small {
		return OK
	}
	k := space.Dot(n, s.travel(0))
	if k > 0 {
		n = space.Vec3{-n[0], -n[1], 0}
	}
	s.move(space.Scale(n, k))
	s.Hit.set(n)
	return Adjusted
}

// precipiceSlide slides along the edge of the recorded polygon (14 §6 precipice_slide).
func (s *Sweep) precipiceSlide() Transition {
	w := &s.walkable
	n, ok := crossedEdge(s.World.Shapes, w.polygon, &w.sphere, &w.up)
	w.ok = false
	if !ok {
		return Collided
	}
	s.stepUp = false
	n = space.LocalToGlobalVec(w.place.Frame.Rotation, n)
	if space.Dot(n, s.travel(0)) > 0 {
		n = space.Vec3{-n[0], -n[1], -n[2]}
	}
	return s.slideSphere(0, n, 0)
}

// support is the plane that a body slides on: what it touches, else the last it
// knew, valid or not (14 §6 slide_sphere 2).
func (s *Sweep) support() space.Vec3 {
	if s.Contact.Valid {
		return s.Contact.Plane.Normal
	}
	return s.LastKnown.Plane.Normal
}

// slideSphere slides sphere i along something of normal n, by what it has
// travelled from the current centre of sphere from (14 §6 slide_sphere).
func (s *Sweep) slideSphere(i int, n space.Vec3, from int) Transition {
	d := space.Sub(s.global[i].Centre, s.currentCentre(from))
	if space.Zero(&n) {
		s.move(space.Scale(d, -0.5))
		return Adjusted
	}
	s.Hit.set(n)
	p := s.support()
	if t, done := s.slideAxis(n, p, d); done {
		return t
	}
	if space.Dot(n, p) >= 0 {
		s.move(space.Scale(n, -space.Dot(n, d)))
		return Slid
	}
	if !space.IsZero(d) {
		s.Hit.set(space.Vec3{-d[0], -d[1], -d[2]})
	}
	return Collided // W-2
}

// slideAxis is the common case of a slide: along the crease of n and p (14 §6
// slide_sphere 3). It reports false when they make none.
func (s *Sweep) slideAxis(n, p, d space.Vec3) (t Transition, done bool) {
	axis := cross(n, p)
	l2 := space.Length2(axis)
	if l2 < Eps {
		return 0, false
	}
	along := space.Scale(axis, space.Dot(axis, d)/l2)
	if space.Length2(along) < Eps {
		return Collided, true
	}
	s.move(space.Sub(along, d))
	return Slid, true
}

// record keeps the polygon that a step down ended on, in the axes of the
// obstacle that was localized last (14 §1).
func (s *Sweep) record(polygon int32, sphere dat.Sphere) {
	s.walkable = walkable{ok: true, polygon: polygon, sphere: sphere, up: s.localUp, place: s.localPlace, scale: s.localScale}
}
