package position

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

// Figure is what an order to stick needs to know of the object that it names.
type Figure struct {
	Parent uint32  // who holds it, 0 nobody
	Radius float32 // m, 0 without parts
	Height float32 // m
}

// StickToObject is stick_to_object (13 §2, R6.27, D-27): who is told to stick to
// something held sticks to its holder, one hop, with the holder's radius. find
// looks an object up; one that is unknown is not stuck to.
func (m *Mover) StickToObject(id uint32, find func(id uint32) (Figure, bool)) {
	m.SetActive(true)
	f, ok := find(id)
	if ok && f.Parent != 0 {
		id = f.Parent
		f, ok = find(id)
	}
	if ok {
		m.StickTo(id, f.Radius, f.Height)
	}
}

// StickTo sticks to an object of radius metres, for a second at most, in place of
// what the mover stuck to or targeted before (13 §2). The height is not used
// (O-7). A target that is known answers before StickTo returns.
func (m *Mover) StickTo(id uint32, radius, height float32) {
	m.Unstick()
	s := m.Errand.Own.Make(&m.Pools.Errands).Sticky.Make(&m.Pools.Stickies)
	s.Radius = radius
	s.TargetID = id
	s.Initialized = false
	s.Deadline = m.Host.WallNow() + StickyTimeout
	if id != 0 {
		m.Rest.Busy |= components.Stuck
		m.Host.StickBegan(id)
	}
	m.SetTarget(0, id, StickyTargetRadius, StickyTargetQuantum)
}

// Stuck reports whether a sticky target is set.
func (m *Mover) Stuck() bool { return m.Rest.Busy&components.Stuck != 0 }

// StickyID returns the sticky target, 0 none (13 §1 GetStickyObjectID).
func (m *Mover) StickyID() uint32 {
	if s := m.sticky(); s != nil {
		return s.TargetID
	}
	return 0
}

// sticky is the sticky manager while it has a target, else nil.
func (m *Mover) sticky() *components.Sticky {
	if !m.Stuck() {
		return nil
	}
	return m.Errand.Sticky(m.Pools)
}

// Unstick is the sticky manager's clear (13 §2): it lets go of the target, and
// cancels a move-to since the two share the mover's one target. Nothing without
// a sticky target. Radius, deadline and cached place stay.
func (m *Mover) Unstick() {
	s := m.sticky()
	if s == nil {
		return
	}
	id := s.TargetID
	s.TargetID = 0
	s.Initialized = false
	m.Rest.Busy &^= components.Stuck
	m.Host.StickEnded(id)
	m.ClearTarget()
	m.Host.CancelMoveTo(CancelUnstick)
}

// stickyUpdate is the sticky manager's HandleUpdateTarget (13 §2).
func (m *Mover) stickyUpdate(info *components.Target) {
	s := m.sticky()
	if s == nil || info.ID != s.TargetID {
		return
	}
	if info.Status != components.TargetOK {
		m.Unstick()
		return
	}
	s.Initialized = true
	s.Place = info.Place
}

// StickyTime is the sticky manager's UseTime: it lets go when the deadline, set
// once by [Mover.StickTo], has passed (13 §2). It comes after [Mover.UseTime].
func (m *Mover) StickyTime() {
	if s := m.sticky(); s != nil && m.Host.WallNow() > s.Deadline {
		m.Unstick()
	}
}

// AdjustSticky replaces the step's translation by one towards the target, and its
// turn by one that faces it, and reports whether it did (13 §2 adjust_offset). It
// comes after the chase and before the leash, in the air and for hidden bodies
// too. maxSpeed is the interpreter's unadjusted max speed in m/s (05 R5.12), 0
// without one; it is not read while nothing is stuck to.
func AdjustSticky(m *Mover, off *space.Frame, q, maxSpeed float32) bool {
	s := m.sticky()
	if s == nil || !s.Initialized {
		return false
	}
	target := s.Place
	if o, ok := m.Host.Resolve(s.TargetID); ok {
		target = o.Place
	}
	here := &m.Pose.Position
	way := space.GlobalToLocalVec(here.Frame.Rotation, space.Offset(here, &target))
	way[2] = 0
	way, small := space.NormalizeCheckSmall(way)
	if small {
		way = space.Vec3{}
	}
	speed := StickySpeedFactor * maxSpeed
	if !(speed >= space.Eps) {
		speed = StickyFallbackSpeed
	}
	next := space.Frame{
		Origin:   space.Scale(way, stickyStep(m.stickyGap(s.Radius, &target), float32(speed*q))),
		Rotation: space.SetHeading(off.Rotation, turnTo(here, &target)),
	}
	if !next.Valid() { // the way to the target is beyond all numbers
		return false
	}
	*off = next
	return true
}

// stickyGap is how much nearer the target the body wants to be, in metres. It
// rests on the 3-D distance, and is negative when the two overlap.
func (m *Mover) stickyGap(radius float32, target *space.Position) float32 {
	return space.CylinderDistanceNoZ(m.Traits.Radius, &m.Pose.Position, radius, target) - StickyDistance
}

// stickyStep is how far a body goes that can go step metres: the gap where that is
// no further, even backwards; else a step ahead, even into a deeper overlap.
func stickyStep(gap, step float32) float32 {
	if step >= space.Abs(gap) {
		return gap
	}
	return step
}

// turnTo is the turn from the way that here faces to the bearing of target, in
// degrees, 0 where that has no bearing, being on the spot, above or below.
func turnTo(here, target *space.Position) float32 {
	if space.DistanceXY(here, target) < space.Eps {
		return 0
	}
	h := space.HeadingDiff(here, target)
	switch {
	case space.Abs(h) < space.Eps:
		return 0
	case h < -space.Eps:
		h += 360
	}
	return h
}
