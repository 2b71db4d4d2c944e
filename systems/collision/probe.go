package collision

import (
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// What is asked of the world by who wants to know where a body stands, and not to
// move it: tests and programs that place and check bodies.

// Sea reports whether a land cell belongs to a landblock that is all water, which
// bodies do not enter (14 L1).
func (w *World) Sea(id space.CellID) bool {
	c := w.Land.cell(id)
	return c.present() && c.block.Land.Whole == dat.EntirelyWater
}

// Sunk returns how far below the ground the lowest point of a body's first sphere
// lies, metres, and negative above it. In water it may lie as deep as that lets it
// (14 L1). Indoors, and where there is no ground, ok is false.
func (w *World) Sunk(b *Body, at *space.Position) (metres float32, ok bool) {
	if at.Cell.Indoors() {
		return 0, false
	}
	v := space.Add(at.Frame.Origin, space.LocalToGlobalVec(at.Frame.Rotation, b.Spheres[0].Centre))
	v[2] -= b.Spheres[0].Radius
	id, v := space.AdjustToOutside(at.Cell, v)
	c := w.Land.cell(id)
	if !c.present() {
		return 0, false
	}
	i := id.Index() - 1
	plane := c.block.plots[i].triangle(i, v[0], v[1])
	if plane == nil {
		return 0, false
	}
	return -(height(plane, v) + c.block.waterDepth(i, v)), true
}

// Contains reports whether the cell of a position contains the centre of a body's
// first sphere, but for [Eps] (10 §7.1).
func (w *World) Contains(b *Body, at *space.Position) bool {
	c := w.Land.cell(at.Cell)
	if !c.present() {
		return false
	}
	v := space.Add(at.Frame.Origin, space.LocalToGlobalVec(at.Frame.Rotation, b.Spheres[0].Centre))
	if c.indoors() {
		f := finder{world: w, from: at.Cell}
		return holds(w.Shapes, &c, f.into(&c, v))
	}
	i := at.Cell.Index() - 1
	x, y := v[0]-float32(i>>3*space.CellSide), v[1]-float32(i&7*space.CellSide)
	return x >= -Eps && x <= space.CellSide+Eps && y >= -Eps && y <= space.CellSide+Eps
}

// Solid reports whether a body that stands somewhere is in something solid that
// does not move: a wall, a building, an object of the land. slack is by how much
// less than its size it counts, metres; below 0, more. Of a room whose cell does
// not hold the body, to which all that is not the room is solid, only the walls count.
func (s *Sweep) Solid(b *Body, at *space.Position, slack float32) bool {
	body := *b
	for i := range body.SphereCount {
		body.Spheres[i].Radius -= slack
	}
	s.reset(&body)
	s.check, s.current = *at, *at
	s.checkCell = s.World.Land.cell(at.Cell)
	if !s.checkCell.present() {
		return false
	}
	s.placeSpheres()
	s.currentCheck()
	s.findCells()
	s.insert = placement
	for i := range s.cells {
		c := s.cells[i]
		if !c.present() {
			continue
		}
		s.hitsInterior = at.Cell.Indoors()
		if c.indoors() { // centreCheck is to fail for all but its own
			s.hitsInterior, s.buildingCheck = true, c.id != at.Cell
		}
		if s.isSolid(&c) {
			return true
		}
	}
	return false
}

// isSolid is Solid for one cell.
func (s *Sweep) isSolid(c *cell) bool {
	var t Transition
	if c.indoors() {
		t = s.room(*c)
	} else {
		t = s.building(*c)
	}
	if t != OK {
		return true
	}
	s.World.Land.furnish(c.block)
	for _, i := range c.block.standing(c) {
		if s.meet(&c.block.Statics[i.index]) != OK {
			return true
		}
	}
	return false
}
