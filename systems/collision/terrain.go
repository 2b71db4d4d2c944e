package collision

import (
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// terrain is what the ground of a land cell answers (14 L1).
func (s *Sweep) terrain(c cell) Transition {
	if t := s.entry(c); t != OK {
		return t
	}
	i := c.id.Index() - 1
	v := s.shifted(s.low(), c.id)
	p := &c.block.plots[i]
	plane := p.triangle(i, v[0], v[1])
	if plane == nil {
		return OK
	}
	if p.sea && !s.missile() {
		return Collided
	}
	return s.validateWalkable(s.shifted(s.global[0].Centre, c.id), plane, p.water != dat.Dry, c.block.waterDepth(i, v), c.id)
}

// validateWalkable is how a sphere stands to ground: above it, on it, or sunk
// into it and lifted out (14 L1 validate_walkable). depth is how deep it may
// sink, metres.
func (s *Sweep) validateWalkable(centre space.Vec3, plane *Plane, water bool, depth float32, cell space.CellID) Transition {
	centre[2] -= s.global[0].Radius
	h := height(plane, centre) + depth
	if h > Eps {
		return OK
	}
	sunk := h < -Eps
	if sunk && s.checkWalkable {
		return Collided
	}
	t := OK
	if s.stepDown || !s.is(onWalkable) || plane.Normal[2] >= FloorZ { // else W-13
		s.Contact.set(plane, cell, water)
		if sunk {
			lift := -h / plane.Normal[2]
			if s.stepDown && !s.lowered(lift) {
				return Collided
			}
			s.move(space.Vec3{0, 0, lift})
			t = Adjusted
		}
	}
	if !s.is(inContact) && !s.stepDown {
		s.Hit.set(plane.Normal)
		s.Environment = true
	}
	return t
}

// lowered takes what is left of a step down when the body is lifted back by so
// many metres. It reports false when the ground is out of reach.
func (s *Sweep) lowered(lift float32) bool {
	w := s.interp - lift/s.amount
	if w >= s.interp || w < -0.1 {
		return false
	}
	s.interp = w
	return true
}

// triangle returns the plane of the terrain triangle over which a point of the
// block lies, edges included, nil when it lies outside the plot, land cell i (14 L1 Mesh).
func (p *plot) triangle(i uint32, vx, vy float32) *Plane {
	x := float64(vx) - float64(i>>3*space.CellSide)
	y := float64(vy) - float64(i&7*space.CellSide)
	if !(x >= 0 && x <= space.CellSide && y >= 0 && y <= space.CellSide) {
		return nil
	}
	if firstTriangle(p.swne, x, y) {
		return &p.planes[0]
	}
	return &p.planes[1]
}

// firstTriangle reports whether a point of a plot lies in the first of its triangles.
func firstTriangle(swne bool, x, y float64) bool {
	if swne {
		return x >= y
	}
	return x+y <= space.CellSide
}

// The depths that bodies sink into water, metres (14 L1).
const (
	depthEntirely float32 = 0.9
	depthWet      float32 = 0.45 // at a corner that is water
	depthShore    float32 = 0.1
)

// waterDepth is how deep a body sinks at a point of land cell i.
func (b *Block) waterDepth(i uint32, v space.Vec3) float32 {
	switch b.plots[i].water {
	case dat.Dry:
		return 0
	case dat.EntirelyWater:
		return depthEntirely
	}
	x, y := i>>3, i&7
	if v[0]-float32(x*space.CellSide) >= space.CellSide/2 {
		x++
	}
	if v[1]-float32(y*space.CellSide) >= space.CellSide/2 {
		y++
	}
	if dat.WaterType(b.Land.Terrain[x*9+y]) {
		return depthWet
	}
	return depthShore
}
