package collision

import (
	"math"

	"github.com/gait-engine/gait/space"
)

// Place puts body down at a position or as near to it as it fits (14 §8
// find_placement_position); slide allows it to be elsewhere than asked. It
// reports false when there is no room.
func (s *Sweep) Place(body *Body, at *space.Position, slide bool) bool {
	s.reset(body)
	s.sliding = slide
	s.begin, s.end, s.current = *at, *at, *at
	s.currentCell = s.World.Land.cell(at.Cell)
	if !s.currentCell.present() {
		return false
	}
	s.checkCurrent()
	s.currentCheck()

	s.insert = initialPlacement
	t := s.initialInsert()
	if t == Adjusted || t == Slid {
		t = s.initialInsert()
	}
	if t != OK {
		return false
	}
	s.currentCheck()

	s.insert = placement
	if !s.findPlacement() {
		return false
	}
	s.insert = placement
	s.settle()
	s.currentCheck()
	return true
}

// initialInsert pushes the body out of what is solid (14 §8.1).
func (s *Sweep) initialInsert() Transition {
	t := s.insertInto(s.checkCell, 3)
	if t == OK {
		t = s.checkOtherCells()
	}
	return t
}

// maxSamples bounds the search for room. Who is not smaller than 3 cm comes to
// its end; for the very smallest it would not end in a tick.
const maxSamples = 1 << 16

// findPlacement looks for room at the place asked for, then on rings around it (14 §8.2).
func (s *Sweep) findPlacement() bool {
	s.Slide.Valid = false
	s.Contact.clear()
	if s.transitionalInsert(3) == OK {
		s.currentCheck()
		return true
	}
	if !s.sliding {
		return false
	}
	s.resetCollisions() // W-28
	r := s.global[0].Radius
	var reach, count float32
	if r < 0.125 {
		reach = 2
		count = 4 / r * 0.5
	} else {
		r = max(r, 0.48)
		reach = 4
		count = 4 / r
	}
	if !(count > 1 && count <= maxSamples) {
		return false
	}
	rings := int(math.Ceil(float64(count)))
	gap := reach / float32(rings)
	perRing := float32(3.1416) * gap / r
	distance, angle, tried := float32(0), float32(0), 0
	for range rings {
		distance += gap
		angle += perRing
		samples := 2 * int(math.Ceil(float64(angle)))
		if tried += samples; tried > maxSamples {
			return false
		}
		for j := range samples {
			s.checkCurrent()
			sin, cos := space.SinCos(float64(j) * (2 * math.Pi) / float64(samples))
			off := s.adjustOffset(space.Vec3{float32(sin) * distance, float32(cos) * distance, 0})
			if space.Length2(off) < space.Eps2 {
				continue
			}
			s.move(off)
			s.Slide.Valid = false
			s.Contact.clear()
			if s.transitionalInsert(3) == OK {
				s.currentCheck()
				return true
			}
		}
	}
	return false
}

// settle lowers a body that has been put down onto the ground, if there is some
// within its step-down height (14 §8.3).
func (s *Sweep) settle() {
	if !s.steps() {
		return
	}
	s.allowance = LandingZ
	s.insert = transition
	s.save()
	amount, halves := s.body.probe(s.body.StepDown)
	if !s.tryStepDown(amount, LandingZ) && !(halves && s.tryStepDown(amount, LandingZ)) {
		s.restore()
		s.Contact.clear()
	}
	s.walkable.ok = false
	s.insert = placement
}
