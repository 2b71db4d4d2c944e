package collision

import (
	"math"

	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// cell is a cell of the world. Without a block it is not there: not loaded, or
// not on record.
type cell struct {
	id    space.CellID
	room  int32 // of an indoor cell, in block.Land.Cells
	block *Block
}

func (c *cell) present() bool { return c.block != nil }

func (c *cell) indoors() bool { return c.id.Indoors() }

// indoor is the record of an indoor cell that is there.
func (c *cell) indoor() *dat.IndoorCell { return &c.block.Land.Cells[c.room] }

// place is where an indoor cell's own axes lie.
func (c *cell) place() space.Position { return space.Position{Cell: c.id, Frame: c.indoor().Frame} }

// volume is what a body fills, for finding the cells it lies in: spheres or
// boxes, in the axes of a block.
type volume struct {
	spheres []dat.Sphere
	boxes   []box
}

// finder finds the cells that a volume lies in, which begin in one cell (14 §9
// find_cell_list). The zero finder is good for one search.
type finder struct {
	world    *World
	list     []cell
	from     space.CellID // in whose block the volume's numbers are
	in       volume
	outside  bool // the outdoor cells have been added
	interior bool // an indoor cell was reached
	absent   bool // the cell that it begins in is not there
}

// findCells makes the cell array for check and returns the cell that holds it, a
// cell that is not there for none (14 §9, 10 §7.1).
func (s *Sweep) findCells() cell {
	if s.insideLandCell() {
		s.cells = append(s.cells[:0], s.checkCell)
		return s.checkCell
	}
	f := finder{world: s.World, list: s.cells[:0], from: s.check.Cell, in: volume{spheres: s.global[:s.count]}}
	f.search()
	s.cells = f.list
	c, interior := f.container(s.global[0].Centre)
	s.hitsInterior = s.hitsInterior || f.interior || interior
	return c
}

// insideLandCell reports whether the spheres touch nothing but the land cell of
// check, and that has no building: then it is the whole of the cell array.
func (s *Sweep) insideLandCell() bool {
	c := &s.checkCell
	i := s.check.Cell.Index() - 1
	if c.block == nil || c.id != s.check.Cell || i >= 0x40 || c.block.plots[i].building >= 0 {
		return false
	}
	corner := cellCorner(i)
	for k := range s.count {
		if b := &s.global[k]; !within(b.Centre[0]-corner[0], b.Centre[1]-corner[1], b.Radius) {
			return false
		}
	}
	return true
}

// cellCorner is the south-west corner of land cell i of a block.
func cellCorner(i uint32) space.Vec3 {
	return space.Vec3{float32(i >> 3 * space.CellSide), float32(i & 7 * space.CellSide), 0}
}

// within reports whether a sphere around (x, y), a point of a land cell in plan, touches no
// other cell.
func within(x, y, radius float32) bool {
	far := space.CellSide - radius
	return x >= radius && x <= far && y >= radius && y <= far && radius > Eps
}

// search fills the list.
func (f *finder) search() {
	start := f.world.Land.cell(f.from)
	if start.indoors() {
		f.interior = true
		f.add(start)
	} else {
		f.addOutside()
	}
	if f.absent = !start.present(); f.absent {
		return
	}
	for i := 0; i < len(f.list); i++ { // those added meanwhile too
		c := f.list[i]
		switch {
		case !c.present():
		case c.indoors():
			f.leaveRoom(&c)
		default:
			f.addOutside()
			f.enterBuilding(&c)
		}
	}
}

// container returns which cell of the list holds a point: the first indoor one,
// else the last of the land (10 §7.1). A search that begins in no cell finds none (W-31).
func (f *finder) container(centre space.Vec3) (found cell, interior bool) {
	if f.absent {
		return found, false
	}
	for i := range f.list {
		c := &f.list[i]
		if !c.present() {
			continue
		}
		if !c.indoors() {
			if c.id.InLandCell(f.from, centre) {
				found = *c
			}
		} else if holds(f.world.Shapes, c, f.into(c, centre)) {
			return *c, true
		}
	}
	return found, false
}

// into returns a point of the volume in the axes of an indoor cell.
func (f *finder) into(c *cell, v space.Vec3) space.Vec3 {
	frame := &c.indoor().Frame
	if !c.id.SameBlock(f.from) {
		v = space.Add(v, space.BlockOffset(c.id, f.from))
	}
	return space.GlobalToLocalVec(frame.Rotation, space.Sub(v, frame.Origin))
}

// add is add_cell.
func (f *finder) add(c cell) {
	for i := range f.list {
		if f.list[i].id == c.id {
			return
		}
	}
	f.list = append(f.list, c)
}

// addLand adds the land cell at global cell coordinates, if that is in the world.
func (f *finder) addLand(x, y int32) {
	if id := space.LCoordToCell(x, y); id != 0 {
		f.add(f.world.Land.cell(id))
	}
}

// addOutside adds the land cells that the volume lies over, once a search (W-12).
func (f *finder) addOutside() {
	if f.outside {
		return
	}
	f.outside = true
	if f.in.boxes != nil {
		f.addRectangle()
		return
	}
	for i := range f.in.spheres {
		if !f.addTouched(f.in.spheres[i].Centre, f.in.spheres[i].Radius) {
			return
		}
	}
}

// addTouched adds the land cells that a sphere touches, in the order that
// decides which one holds a point on a border (10 §7.1). It reports false when
// its centre lies outside the world.
func (f *finder) addTouched(centre space.Vec3, radius float32) bool {
	id, o := space.AdjustToOutside(f.from, centre)
	x, y, ok := id.LCoord()
	if !ok {
		return false
	}
	f.add(f.world.Land.cell(id))
	px, py := o[0]-float32(x&7*space.CellSide), o[1]-float32(y&7*space.CellSide)
	far := space.CellSide - radius
	east, west, north, south := px > far, px < radius, py > far, py < radius
	if !(east || west || north || south) {
		return true
	}
	if east {
		f.addLand(x+1, y)
		if north {
			f.addLand(x+1, y+1)
		}
		if south {
			f.addLand(x+1, y-1)
		}
	}
	if west {
		f.addLand(x-1, y)
		if north {
			f.addLand(x-1, y+1)
		}
		if south {
			f.addLand(x-1, y-1)
		}
	}
	if north {
		f.addLand(x, y+1)
	}
	if south {
		f.addLand(x, y-1)
	}
	return true
}

// maxRectangle bounds in how many land cells, to each side of its block's corner,
// a body is registered by its boxes: nothing that stands in the world is larger,
// but what a hostile scale makes of it.
const maxRectangle = 24

// addRectangle adds the land cell of the volume's own and those under the
// rectangle that holds all its boxes.
func (f *finder) addRectangle() {
	if !f.from.Indoors() {
		f.add(f.world.Land.cell(f.from))
	}
	if len(f.in.boxes) == 0 {
		return
	}
	low, high := f.in.boxes[0].low(), f.in.boxes[0].high()
	for i := range f.in.boxes {
		low, high = least(low, f.in.boxes[i].low()), most(high, f.in.boxes[i].high())
	}
	x0, y0 := f.from.BlockX()*8, f.from.BlockY()*8
	square := func(v float32) int32 { // a box that reaches farther ends there
		return int32(math.Floor(max(-maxRectangle, min(maxRectangle, float64(v)/space.CellSide))))
	}
	for x := max(0, x0+square(low[0])); x <= min(space.WorldCells-1, x0+square(high[0])); x++ {
		for y := max(0, y0+square(low[1])); y <= min(space.WorldCells-1, y0+square(high[1])); y++ {
			if id := space.LCoordToCell(x, y); id != f.from { // no other is there already
				f.list = append(f.list, f.world.Land.cell(id))
			}
		}
	}
}

// enterBuilding adds the rooms behind the doors of a land cell's building (14 §9
// check_building_transit).
func (f *finder) enterBuilding(c *cell) {
	b, ok := c.block.building(c.id)
	if !ok {
		return
	}
	for _, p := range c.block.Land.BuildingPortals[b.FirstPortal : b.FirstPortal+b.PortalCount] {
		if p.OtherPortal < 0 {
			continue
		}
		if other := f.world.Land.cell(c.id&0xFFFF0000 | space.CellID(p.OtherCell)); other.present() && f.reaches(&other) {
			f.interior = true
			f.add(other)
		}
	}
}

// leaveRoom adds what lies behind the portals of an indoor cell (14 §9).
func (f *finder) leaveRoom(c *cell) {
	outside := false
	in := c.indoor()
	for _, p := range c.block.Land.Portals[in.FirstPortal : in.FirstPortal+in.PortalCount] {
		plane := &f.world.Shapes.Polygons[p.Polygon]
		if p.Outside {
			outside = outside || f.crosses(c, plane)
			continue
		}
		other := f.world.Land.cell(c.id&0xFFFF0000 | space.CellID(p.OtherCell)) // W-34
		if other.present() {
			if f.reaches(&other) {
				f.add(other)
			}
		} else if f.beyond(c, plane, p.Side) {
			f.add(other)
		}
	}
	if outside {
		f.addOutside()
	}
}

// reaches reports whether the volume touches what an indoor cell contains.
func (f *finder) reaches(c *cell) bool {
	for i := range f.in.spheres {
		b := &f.in.spheres[i]
		if touches(f.world.Shapes, c, f.into(c, b.Centre), b.Radius) {
			return true
		}
	}
	for i := range f.in.boxes {
		if touchesBox(f, c, &f.in.boxes[i]) {
			return true
		}
	}
	return false
}

// span returns the least and the greatest distance of part i of the volume from
// a plane of an indoor cell, reach included.
func (f *finder) span(c *cell, plane *dat.Polygon, i int) (low, high float32) {
	if f.in.boxes == nil {
		b := &f.in.spheres[i]
		d := space.Dot(plane.Normal, f.into(c, b.Centre)) + plane.D
		r := b.Radius + Eps
		return d - r, d + r
	}
	low, high = math.MaxFloat32, -math.MaxFloat32
	for _, v := range f.in.boxes[i].corners {
		d := space.Dot(plane.Normal, f.into(c, v)) + plane.D
		low, high = min(low, d), max(high, d)
	}
	return low - Eps, high + Eps
}

// crosses reports whether the volume lies in a plane of an indoor cell.
func (f *finder) crosses(c *cell, plane *dat.Polygon) bool {
	for i := range max(len(f.in.spheres), len(f.in.boxes)) {
		if low, high := f.span(c, plane, i); low < 0 && high > 0 {
			return true
		}
	}
	return false
}

// beyond reports whether the volume reaches over a portal whose other cell is not there.
func (f *finder) beyond(c *cell, plane *dat.Polygon, side bool) bool {
	for i := range max(len(f.in.spheres), len(f.in.boxes)) {
		if low, high := f.span(c, plane, i); side && high > 0 || !side && low < 0 {
			return true
		}
	}
	return false
}

// box is a part's box, turned and in its place: its corners in the axes of a block.
type box struct{ corners [8]space.Vec3 }

func (b *box) low() space.Vec3 {
	v := b.corners[0]
	for i := range b.corners {
		v = least(v, b.corners[i])
	}
	return v
}

func (b *box) high() space.Vec3 {
	v := b.corners[0]
	for i := range b.corners {
		v = most(v, b.corners[i])
	}
	return v
}

func least(a, b space.Vec3) space.Vec3 {
	return space.Vec3{min(a[0], b[0]), min(a[1], b[1]), min(a[2], b[2])}
}

func most(a, b space.Vec3) space.Vec3 {
	return space.Vec3{max(a[0], b[0]), max(a[1], b[1]), max(a[2], b[2])}
}
