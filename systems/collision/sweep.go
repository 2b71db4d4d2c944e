package collision

import (
	"math"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

// objectInfo takes the state bits that a movement sweep begins with (14 §2 get_object_info).
func (s *Sweep) objectInfo() {
	b := s.body
	if b.State&components.EdgeSlide != 0 {
		s.info |= edgeSlide
	}
	if b.FreeRotate {
		s.info |= freeRotate
	}
	if s.missile() {
		s.info |= pathClipped
	}
}

// Move sweeps body from one position to another (14 §2, §4). at is what it
// stands on. It reports false for failure: the body stays where it was
// (11 §5.6), and only KillsVelocity counts of the results.
func (s *Sweep) Move(body *Body, from, to *space.Position, at *Standing) bool {
	s.reset(body)
	s.objectInfo()
	if at.Ground.Valid {
		s.LastKnown = at.Ground
		if space.Dot(at.Velocity, at.Ground.Plane.Normal) <= Eps { // check_contact
			s.Contact = at.Ground
			s.info |= inContact
			if at.OnWalkable {
				s.info |= onWalkable
			}
		}
	}
	if at.Sliding {
		s.Slide.setFlat(at.Normal)
	}
	s.Stationary = at.Stationary
	s.begin, s.end, s.current = *from, *to, *from
	if !s.is(freeRotate) {
		s.swing = body.swing(&from.Frame.Rotation, &to.Frame.Rotation)
	}
	s.currentCell = s.World.Land.cell(from.Cell)
	if !s.currentCell.present() {
		return false
	}
	s.checkCurrent()
	s.currentCheck()
	return s.findTransitional()
}

// findTransitional is the loop over the sub-steps (14 §4).
func (s *Sweep) findTransitional() bool {
	way := space.Offset(&s.begin, &s.end)
	n := subSteps(way, s.body.Spheres[0].Radius)
	if n > maxSubSteps {
		return false
	}
	if s.is(freeRotate) {
		s.current.Frame.Rotation = s.end.Frame.Rotation
	}
	if n == 0 {
		s.current.Frame.Rotation = s.end.Frame.Rotation
		s.checkCurrent()
		s.findCells()
		return true
	}
	s.checkCurrent()
	step := divided(way, float32(n))
	result := OK
	for i := range n {
		off := s.adjustOffset(step)
		if space.Length2(off) < space.Eps2 {
			if i == 0 {
				return false
			}
			break
		}
		if !s.is(freeRotate) {
			s.check.Frame.Rotation = space.InterpolateRotation(s.begin.Frame.Rotation, s.end.Frame.Rotation, float32(i+1)/float32(n)) // the spheres stay as they were turned (14 §3)
		}
		s.Slide.Valid = false
		s.Contact.clear()
		s.move(off)
		result = s.validate(s.transitionalInsert(3))
		if s.Stationary != 0 || s.Hit.Valid && s.is(pathClipped) {
			break
		}
	}
	return result == OK
}

// maxSubSteps bounds the sub-steps of a sweep: one that is to go farther fails.
// For the smallest missile that is 400 m a tick; nothing that moves by rule does.
const maxSubSteps = 4096

// subSteps is in how many sub-steps a way is gone by a sphere of a radius (14
// §4), more than maxSubSteps for all that are too many or no number.
func subSteps(way space.Vec3, radius float32) int {
	d := space.Length(way)
	switch {
	case !(d <= maxSubSteps*radius):
		return maxSubSteps + 1
	case d > radius:
		return int(math.Ceil(float64(d / radius)))
	case space.Zero(&way):
		return 0
	}
	return 1
}

// adjustOffset bends a sub-step along what the body slides on and stands on (14 §4 adjust_offset).
func (s *Sweep) adjustOffset(v space.Vec3) space.Vec3 {
	slide := false
	if s.Slide.Valid {
		slide = space.Dot(v, s.Slide.Normal) < 0
		s.Slide.Valid = slide
	}
	n := s.Contact.Plane.Normal
	switch {
	case !s.Contact.Valid:
		if slide {
			v = space.Sub(v, space.Scale(s.Slide.Normal, space.Dot(v, s.Slide.Normal)))
		}
		return v
	case slide:
		v = alongBoth(v, s.Slide.Normal, n)
	default:
		v[0], v[1], v[2] = alongPlane(v[0], v[1], v[2], &n)
	}
	if !s.Contact.Water && s.Contact.Cell != 0 {
		h := height(&s.Contact.Plane, s.shifted(s.global[0].Centre, s.Contact.Cell))
		if z := antiSink(h, s.global[0].Radius, n[2]); z != 0 {
			s.move(space.Vec3{0, 0, z})
		}
	}
	return v
}

// alongBoth takes of v what goes along the crease of two planes.
func alongBoth(v, a, b space.Vec3) space.Vec3 {
	axis, small := space.NormalizeCheckSmall(cross(a, b))
	if small {
		return space.Vec3{}
	}
	return space.Scale(axis, space.Dot(axis, v))
}

// alongPlane takes out of a step what goes against a plane's normal, and has it
// follow the plane down. In numbers, since arrays go through memory.
func alongPlane(x, y, z float32, n *space.Vec3) (float32, float32, float32) {
	if c := float32(x*n[0]) + float32(y*n[1]) + float32(z*n[2]); c <= 0 {
		return x - float32(n[0]*c), y - float32(n[1]*c), z - float32(n[2]*c)
	}
	if space.Abs(n[2]) > Eps { // snapped to the plane
		z = -(float32(x*n[0]) + float32(y*n[1])) / n[2]
	}
	return x, y, z
}

// antiSink is by how much a sphere is lifted whose centre is at height h over the
// plane it stands on, which has a normal with this z: if it has sunk into it.
func antiSink(h, radius, nz float32) float32 {
	if h < radius-Eps {
		if z := (radius - h) / nz; space.Abs(z) < radius {
			return z
		}
	}
	return 0
}

// validate ends a sub-step: the body is where check is, or where it was (14 §7
// validate_transition).
func (s *Sweep) validate(t Transition) Transition {
	var contact bool
	if t == OK {
		contact = s.check.Cell != s.current.Cell || !equalFrames(&s.check.Frame, &s.current.Frame) // W-33
		s.currentCheck()
	} else {
		if s.LastKnown.Valid {
			s.killVelocity()
			c := s.centre[0]
			if s.LastKnown.Cell != 0 && !s.LastKnown.Cell.SameBlock(s.current.Cell) {
				c = space.Add(c, space.BlockOffset(s.LastKnown.Cell, s.current.Cell))
			}
			if space.Abs(height(&s.LastKnown.Plane, c)) < s.global[0].Radius+Eps {
				s.Contact = s.LastKnown
				contact = s.is(onWalkable)
			}
		}
		if !s.Hit.Valid {
			s.Hit.set(space.Vec3{0, 0, 1})
		}
		s.checkCurrent()
		s.findCells()
		t = OK
	}
	if s.Hit.Valid {
		s.Slide.setFlat(s.Hit.Normal)
	}
	if s.body.State&components.Gravity != 0 {
		s.fall(contact)
	}
	s.LastKnown = s.Contact
	s.info &^= inContact | onWalkable
	if s.Contact.Valid {
		s.info |= inContact
		if s.Contact.Plane.Normal[2] >= FloorZ {
			s.info |= onWalkable
		}
	}
	return t
}

// fall counts the steps that a body with gravity does not get on: at the third
// it is given ground under it (14 §7.4).
func (s *Sweep) fall(contact bool) {
	switch {
	case contact:
		s.Stationary = 0
	case s.Stationary < 2:
		s.Stationary++
	default:
		s.Stationary = 3
		up := Plane{Normal: space.Vec3{0, 0, 1}, D: s.global[0].Radius - s.global[0].Centre[2]}
		s.Contact.set(&up, s.check.Cell, false)
		if !s.is(inContact) {
			s.Hit.set(up.Normal)
			s.Environment = true
		}
	}
}

// equalFrames reports whether no component differs by more than [Eps].
func equalFrames(a, b *space.Frame) bool {
	p, q := &a.Rotation, &b.Rotation
	return space.Equal(a.Origin, b.Origin) && space.Equal(p.V, q.V) && space.Abs(p.W-q.W) <= Eps
}

func cross(a, b space.Vec3) space.Vec3 { return of(&a).cross(of(&b)).array() }
