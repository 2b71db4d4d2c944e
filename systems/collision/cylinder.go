package collision

import (
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// post is a cylsphere as one sweep meets it.
type post struct {
	low    space.Vec3 // in the block of check
	height float32
	reach  float32       // both radii, less Eps
	d      [2]space.Vec3 // from low to the spheres
}

// overlaps reports whether sphere i touches the post.
func (p *post) overlaps(s *Sweep, i int) bool {
	d := &p.d[i]
	*d = space.Sub(s.global[i].Centre, p.low)
	half := float32(p.height * 0.5)
	return float32(d[0]*d[0])+float32(d[1]*d[1]) <= float32(p.reach*p.reach) && space.Abs(half-d[2]) <= s.global[i].Radius-Eps+half
}

// normal is the way sphere i came from: its side, or its top or bottom (14 L2 Cylsphere).
func (p *post) normal(s *Sweep, i int) space.Vec3 {
	o := space.Sub(s.currentCentre(i), p.low)
	if float32(p.reach*p.reach) < float32(o[0]*o[0])+float32(o[1]*o[1]) {
		return space.Vec3{o[0], o[1], 0}
	}
	if p.d[i][2]-o[2] <= 0 {
		return space.Vec3{0, 0, 1}
	}
	return space.Vec3{0, 0, -1}
}

// cylinder collides the body with a cylsphere of an obstacle (14 L2).
func (s *Sweep) cylinder(o *Obstacle, c *dat.Cylinder) Transition {
	low := space.Add(o.Place.Frame.Origin, space.LocalToGlobalVec(o.Place.Frame.Rotation, space.Scale(c.Low, o.Scale)))
	p := post{
		low:    s.shiftedFrom(low, o.Place.Cell),
		height: float32(c.Height * o.Scale),
		reach:  float32(c.Radius*o.Scale) - Eps + s.global[0].Radius,
	}
	touched := p.overlaps(s, 0)
	touched1 := s.count > 1 && p.overlaps(s, 1)
	switch {
	case !touched && !touched1:
	case s.obstructionEthereal || s.insert == placement, s.checkWalkable:
		return Collided
	case s.stepDown:
		return s.postStepDown(&p)
	case s.collide:
		return s.postLanding(&p)
	case s.info&(inContact|onWalkable) != 0:
		if touched {
			return s.postStepUp(o, &p)
		}
		return s.postSlide(&p, 1)
	case s.is(pathClipped):
		if touched {
			return s.pointCollision(p.normal(s, 0))
		}
	case touched:
		return s.landOn(p.normal(s, 0))
	default:
		return s.pointCollision(p.normal(s, 1))
	}
	return OK
}

// postSlide slides sphere i along a post.
func (s *Sweep) postSlide(p *post, i int) Transition {
	n, small := space.NormalizeCheckSmall(p.normal(s, i))
	if small {
		return Collided
	}
	return s.slideSphere(i, n, i)
}

// postStepUp steps onto a post, or slides along it when it is too high.
func (s *Sweep) postStepUp(o *Obstacle, p *post) Transition {
	if s.body.StepUp < s.global[0].Radius+p.height-p.d[0][2] {
		return s.postSlide(p, 0)
	}
	n, _ := space.NormalizeCheckSmall(p.normal(s, 0))
	// rotated although it is in the world's axes already, as retail does
	return s.stepUpOrSlide(space.LocalToGlobalVec(o.Place.Frame.Rotation, n))
}

// postTop has the body stand on a post's top with sphere 0 at centre, which move takes it to.
func (s *Sweep) postTop(centre space.Vec3, w float32, move space.Vec3) Transition {
	s.touch(space.Vec3{0, 0, 1}, space.Vec3{centre[0], centre[1], centre[2] - s.global[0].Radius})
	s.interp = w
	s.move(move)
	return Adjusted
}

// postStepDown lifts a body that is lowered onto a post up to its top (W-7, W-24).
func (s *Sweep) postStepDown(p *post) Transition {
	a := float32(s.amount * s.interp)
	if space.Abs(a) < Eps {
		return Collided
	}
	lift := space.Vec3{0, 0, p.height + s.global[0].Radius - p.d[0][2]}
	w, ok := s.spent(lift[2] / a)
	if !ok {
		return Collided
	}
	return s.postTop(space.Add(s.global[0].Centre, lift), w, lift)
}

// postLanding takes a body that has run into a post back along its way to where
// it was level with the top (W-6).
func (s *Sweep) postLanding(p *post) Transition {
	m := space.Sub(s.currentCentre(0), s.global[0].Centre)
	if space.Abs(m[2]) < Eps {
		return Collided
	}
	t := (p.height + s.global[0].Radius - p.d[0][2]) / m[2]
	back := space.Scale(m, t)
	at := space.Add(p.d[0], back)
	if float32(p.reach*p.reach) < float32(at[0]*at[0])+float32(at[1]*at[1]) {
		return OK
	}
	w, ok := s.spent(t)
	if !ok {
		return Collided
	}
	return s.postTop(space.Add(s.global[0].Centre, back), w, back)
}
