package space

// CellsTouched appends to dst the outdoor cells that a sphere touches, by
// squares in plan: the cell of its centre, then up to eight neighbours in the
// order that decides which cell contains a point on a border (spec 10 §7.1). c
// and centre are as in [AdjustToOutside]; a cell that dst holds already or that
// lies outside the world is not added. It reports false, and adds nothing, when
// the centre is outside the world: with several spheres the search ends there.
func CellsTouched(dst []CellID, c CellID, centre Vec3, radius float32) ([]CellID, bool) {
	c, centre = AdjustToOutside(c, centre)
	x, y, ok := c.LCoord()
	if !ok {
		return dst, false
	}
	px := centre[0] - float32(x&7*CellSide)
	py := centre[1] - float32(y&7*CellSide)
	far := CellSide - radius
	east, west, north, south := px > far, px < radius, py > far, py < radius

	dst = addCell(dst, c)
	for _, n := range [...]struct {
		touched bool
		dx, dy  int32
	}{
		{east, 1, 0}, {east && north, 1, 1}, {east && south, 1, -1},
		{west, -1, 0}, {west && north, -1, 1}, {west && south, -1, -1},
		{north, 0, 1}, {south, 0, -1},
	} {
		if n.touched {
			dst = addCell(dst, LCoordToCell(x+n.dx, y+n.dy))
		}
	}
	return dst, true
}

// addCell appends c unless it is 0 or there already (spec 14 §9 add_cell).
func addCell(dst []CellID, c CellID) []CellID {
	if c == 0 {
		return dst
	}
	for _, d := range dst {
		if d == c {
			return dst
		}
	}
	return append(dst, c)
}

// InLandCell reports whether an outdoor cell contains a point in plan, edges
// inclusive; the point is local to the block of from (spec 10 §7.1).
func (c CellID) InLandCell(from CellID, p Vec3) bool {
	x, y, ok := c.LCoord()
	if !ok {
		return false
	}
	// in float64, where the shift into the cell is exact
	px := float64(p[0]) - float64((x-from.BlockX()*8)*CellSide)
	py := float64(p[1]) - float64((y-from.BlockY()*8)*CellSide)
	return px >= 0 && px <= CellSide && py >= 0 && py <= CellSide
}

// ContainingLandCell returns which of cells, in their order, contains a point
// local to the block of from: of several outdoor ones the last wins. It is 0
// when none does (spec 10 §7.1). Indoor cells are passed over; an indoor cell
// that contains the point wins over every outdoor one, which is the caller's to
// find.
func ContainingLandCell(cells []CellID, from CellID, p Vec3) CellID {
	for i := len(cells) - 1; i >= 0; i-- {
		if cells[i].InLandCell(from, p) {
			return cells[i]
		}
	}
	return 0
}
