package collision

import (
	"math"

	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// ball collides the body with a sphere of an obstacle (14 L2 Sphere).
func (s *Sweep) ball(o *Obstacle, sphere *dat.Sphere, creature bool) Transition {
	centre := space.Add(o.Place.Frame.Origin, space.LocalToGlobalVec(o.Place.Frame.Rotation, space.Scale(sphere.Centre, o.Scale)))
	centre = s.shiftedFrom(centre, o.Place.Cell)
	radius := float32(sphere.Radius * o.Scale)
	r := radius + s.global[0].Radius - Eps
	d := space.Sub(s.global[0].Centre, centre)
	touched := space.Length2(d) <= float32(r*r)
	var d1 space.Vec3
	touched1 := false
	if s.count > 1 {
		d1 = space.Sub(s.global[1].Centre, centre)
		touched1 = space.Length2(d1) <= float32(r*r)
	}
	any := touched || touched1
	switch {
	case s.obstructionEthereal || s.insert == placement, s.checkWalkable:
		if any {
			return Collided
		}
	case s.stepDown:
		if any && !creature {
			return s.ballStepDown(d, radius, r+Eps, centre)
		}
	case s.collide:
		if any && !creature { // W-5
			return s.ballLanding(d, r+Eps)
		}
	case s.info&(inContact|onWalkable) != 0:
		if touched {
			return s.ballStepUp(d, r+Eps, centre)
		}
		if touched1 {
			if n, small := space.NormalizeCheckSmall(space.Sub(s.currentCentre(1), centre)); !small {
				return s.slideSphere(1, n, 1)
			}
			return Collided
		}
	case s.is(pathClipped):
		if touched {
			return s.pointCollision(space.Sub(s.currentCentre(0), centre))
		}
	case touched:
		return s.landOn(space.Sub(s.currentCentre(0), centre))
	case touched1:
		return s.pointCollision(space.Sub(s.currentCentre(1), centre))
	}
	return OK
}

// pointCollision stops at something whose normal is along n.
func (s *Sweep) pointCollision(n space.Vec3) Transition {
	if n, small := space.NormalizeCheckSmall(n); !small {
		s.Hit.set(n)
	}
	return Collided
}

// landOn begins a landing on something whose normal is along n.
func (s *Sweep) landOn(n space.Vec3) Transition {
	n, small := space.NormalizeCheckSmall(n)
	if small {
		return Collided
	}
	s.setCollide(n)
	s.allowance = LandingZ
	return Adjusted
}

// ballStepUp steps onto a sphere, or slides along it when it is too high.
func (s *Sweep) ballStepUp(d space.Vec3, r float32, centre space.Vec3) Transition {
	if s.body.StepUp < r-d[2] {
		return s.ballSlide(d, centre)
	}
	return s.stepUpOrSlide(space.Sub(s.currentCentre(0), centre))
}

// ballSlide is a sphere's own slide (14 L2; W-4, W-24).
func (s *Sweep) ballSlide(d, centre space.Vec3) Transition {
	n, small := space.NormalizeCheckSmall(space.Sub(s.currentCentre(0), centre))
	if small {
		return Collided
	}
	s.Hit.set(n)
	p := s.support()
	travel := space.Sub(s.global[0].Centre, s.currentCentre(0))
	if t, done := s.slideAxis(n, p, travel); done {
		return t
	}
	if space.Dot(p, d) < 0 {
		return Collided
	}
	s.move(space.Scale(n, -space.Dot(n, travel)))
	return Slid
}

// spent is what is left of walk_interp after a share k of the way, if that lies
// within reach; it is not stored.
func (s *Sweep) spent(k float32) (w float32, ok bool) {
	w = float32((1 - k) * s.interp)
	return w, !(w >= s.interp) && !(w < -0.1)
}

// square is exact.
func square(v float32) float64 { return float64(float64(v) * float64(v)) }

// ballStepDown lifts a body that is lowered onto a sphere up to its surface.
func (s *Sweep) ballStepDown(d space.Vec3, radius, r float32, centre space.Vec3) Transition {
	a := float32(s.amount * s.interp)
	if space.Abs(a) < Eps {
		return Collided
	}
	lift := float32(math.Sqrt(max(0, square(r)-square(d[0])-square(d[1])))) - d[2]
	w, ok := s.spent(lift / a)
	if !ok {
		return Collided
	}
	n := divided(space.Vec3{d[0], d[1], d[2] + lift}, r)
	if n[2] <= s.allowance {
		return OK
	}
	s.touch(n, space.Add(centre, space.Scale(n, radius)))
	s.interp = w
	s.move(space.Vec3{0, 0, lift})
	return Adjusted
}

// touch makes the plane of normal n through a point the contact plane, flagged
// as water: the body does not rise out of it (14 L2).
func (s *Sweep) touch(n, through space.Vec3) {
	p := Plane{Normal: n, D: -space.Dot(n, through)}
	s.Contact.set(&p, s.check.Cell, true)
}

// ballLanding takes a body that has run into a sphere back along its way to
// where it touched it.
func (s *Sweep) ballLanding(d space.Vec3, r float32) Transition {
	m := space.Sub(s.currentCentre(0), s.global[0].Centre)
	a := space.Length2(m)
	if a < Eps {
		return Collided
	}
	b := -space.Dot(m, d)
	root := float32(math.Sqrt(max(0, square(b)-float64((float64(space.Length2(d))-square(r))*float64(a)))))
	t := root + b
	if t > 1 {
		t = b + b - t
	}
	t /= a
	w, ok := s.spent(t)
	if !ok {
		return Collided
	}
	n := divided(space.Add(d, space.Scale(m, t)), r)
	if !s.allowable(n[2]) {
		return OK
	}
	s.touch(n, space.Sub(s.global[0].Centre, space.Scale(n, s.global[0].Radius)))
	s.interp = w
	s.move(space.Scale(m, t))
	return Adjusted
}
