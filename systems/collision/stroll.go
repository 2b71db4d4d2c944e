package collision

import (
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// Stride is what [Sweep.Stroll] came to: the body is at Origin, turned as it
// wanted to be, in contact with Plane in Cell, and lies in Cells, in the order of
// the cell array, which are good until the sweep is used again.
type Stride struct {
	Origin space.Vec3
	Plane  *Plane
	Water  bool // is it
	Cell   space.CellID
	Cells  []space.CellID
	// Stays: the body is where it was, alone in its cell, and near its entry there ([Crowd.Stay]).
	Stays bool
}

// Stroll is [Sweep.Move] for the step that nearly all steps are: a walker, in
// contact with ground that it can walk on and not leaving it or stationary, goes
// no farther than the radius of its sphere over open land of one block, uphill or
// down, where nothing and nobody is near. body must turn freely and be no
// missile; row is its own in the crowd; on is what it stands on, whose cell is in
// its block.
//
// It comes, bit for bit, to what Move comes to, a test holds it to that; it only
// leaves out what cannot happen. It reports false, with nothing done, when the
// step may be any other.
func (s *Sweep) Stroll(body *Body, row int32, at *space.Position, to *space.Frame, on *Standing, out *Stride) bool {
	i := at.Cell.Index() - 1
	if i >= 0x40 || !at.Cell.InboundValid() {
		return false
	}
	block := s.World.Land.block(at.Cell.BlockX(), at.Cell.BlockY())
	radius := body.Spheres[0].Radius
	o := at.Frame.Origin
	v := space.Sub(to.Origin, o)
	// the length itself counts only near the radius
	if l2 := space.Length2(v); !(l2 <= float32(0.999*radius*radius)) && !(space.Length(v) <= radius) || l2 == 0 {
		return false
	}

	var centre [2]space.Vec3
	body.place(&centre, o, &to.Rotation)
	v = on.bend(v) // adjust_offset
	if !on.Ground.Water {
		if z := antiSink(&on.Ground.Plane, centre[0], radius); z != 0 {
			o[2] += z
			for k := range body.SphereCount {
				centre[k][2] += z
			}
		}
	}
	if space.Length2(v) < space.Eps2 {
		return false
	}
	o = space.Add(o, v)
	corner := cellCorner(i)
	inside := true
	for k := range body.SphereCount {
		centre[k] = space.Add(centre[k], v)
		inside = inside && within(space.Sub(centre[k], corner), body.Spheres[k].Radius)
	}
	far := body.reach(&centre)
	out.Cell, out.Cells = at.Cell, append(s.ids[:0], at.Cell)
	if inside {
		if !s.open(block, at.Cell, row, &centre[0], far) {
			return false
		}
		near := s.World.Crowd.in(at.Cell)
		out.Stays = len(near) == 1 && near[0].row == row &&
			space.Abs(near[0].x-o[0])+space.Abs(near[0].y-o[1]) <= MaxDrift
	} else {
		if !s.openAround(block, at.Cell, row, body, &centre, far, out) {
			return false
		}
		out.Stays = false
	}
	s.ids = out.Cells

	i = out.Cell.Index() - 1
	p := &block.plots[i]
	depth := float32(0)
	if out.Water = p.water != dat.Dry; out.Water {
		depth = block.waterDepth(i, centre[0])
	}
	out.Plane = p.triangle(i, centre[0])
	if out.Plane == nil || !(out.Plane.Normal[2] >= FloorZ) || !body.settle(out.Plane, &o, centre[0], depth) ||
		space.Equal(o, at.Frame.Origin) { // it has not moved: validate_transition has more to say
		return false
	}
	out.Origin = o
	return true
}

// bend has v follow what the body stands on and slides along.
func (on *Standing) bend(v space.Vec3) space.Vec3 {
	if on.Sliding {
		var d direction
		if d.setFlat(on.Normal); space.Dot(v, d.Normal) < 0 {
			return alongBoth(v, d.Normal, on.Ground.Plane.Normal)
		}
	}
	return alongPlane(v, on.Ground.Plane.Normal)
}

// place finds where the spheres' centres are.
func (b *Body) place(centre *[2]space.Vec3, o space.Vec3, q *space.Quat) {
	if q.V[0] == 0 && q.V[1] == 0 && b.upright { // it changes no bit
		for k := range b.SphereCount {
			centre[k] = space.Vec3{o[0], o[1], o[2] + b.Spheres[k].Centre[2]}
		}
		return
	}
	axes := space.AxesOf(*q)
	for k := range b.SphereCount {
		centre[k] = space.Add(o, axes.Out(b.Spheres[k].Centre))
	}
}

// open reports whether a land cell is without a building or a restriction, and whether nothing and nobody in it is within a body's reach of where the
// centre of its first sphere has come: all that is tried on the way is tried there,
// higher or lower.
func (s *Sweep) open(b *Block, id space.CellID, row int32, centre *space.Vec3, far float32) bool {
	w := s.World
	i := id.Index() - 1
	flags := b.plots[i].flags.Load()
	if flags == 0 { // it may not be furnished yet
		w.Land.furnish(b)
		flags = b.plots[i].flags.Load()
	}
	if flags&plotOpen == 0 {
		return false
	}
	if p := &b.plots[i]; p.n > 0 && !p.clearAt(i, centre, far) {
		list := b.list[p.first:][:p.n]
		for k := range list {
			if !list[k].beyond(centre, far) {
				return false
			}
		}
	}
	near := w.Crowd.in(id)
	drift := driftOf(near)
	for k := range near {
		if near[k].row == row || near[k].beyond(centre, far+drift) {
			continue
		}
		if o := &w.Crowd.Obstacles[near[k].row]; o.Parent == 0 && !o.beyond(id, centre, far) {
			return false
		}
	}
	return true
}

// clearAt reports whether a point of the plot is clear of what stands still for
// who reaches so far.
func (p *plot) clearAt(i uint32, centre *space.Vec3, far float32) bool {
	x, y := centre[0]-float32(i>>3*space.CellSide), centre[1]-float32(i&7*space.CellSide)
	if !(far <= clearance && x >= 0 && x < space.CellSide && y >= 0 && y < space.CellSide) {
		return false
	}
	return p.clear>>(uint32(x/quarter)*4+uint32(y/quarter))&1 != 0
}

// openAround is open for all the cells that the spheres touch, from one cell, and
// finds which they are and which one holds the first centre.
func (s *Sweep) openAround(b *Block, from space.CellID, row int32, body *Body, centre *[2]space.Vec3, far float32, out *Stride) bool {
	f := finder{world: s.World, list: s.cells[:0], from: from}
	for k := range body.SphereCount {
		if !f.addTouched(centre[k], body.Spheres[k].Radius) {
			return false
		}
	}
	s.cells = f.list
	out.Cells = out.Cells[:0]
	for k := range f.list {
		c := &f.list[k]
		if !c.id.SameBlock(from) || !s.open(b, c.id, row, &centre[0], far) {
			return false // another block, or none
		}
		out.Cells = append(out.Cells, c.id)
	}
	x, y := centre[0][0]/space.CellSide, centre[0][1]/space.CellSide
	cx, cy := uint32(x), uint32(y) // it lies in the block, since all its cells do
	if x == float32(cx) || y == float32(cy) {
		return false // on a border
	}
	out.Cell = from&0xFFFF0000 | space.CellID(cx<<3|cy) + 1
	return true
}

// settle brings a body onto ground into which it sinks so deep: lifted out of it (14 L1
// validate_walkable), or stepping down to it (14 §5, §6). It reports false when
// that takes more than one try of either.
func (b *Body) settle(p *Plane, origin *space.Vec3, centre space.Vec3, depth float32) bool {
	h := b.above(p, &centre) + depth
	if h >= -Eps && h <= Eps {
		return true
	}
	lowered := h > Eps
	amount := b.probe()
	if lowered {
		centre[2] -= amount
		origin[2] -= amount
		if h = b.above(p, &centre) + depth; h >= -Eps {
			return false
		}
	}
	lift := -h / p.Normal[2]
	if w := 1 - lift/amount; lowered && (w >= 1 || w < -0.1) {
		return false
	}
	centre[2] += lift
	origin[2] += lift
	h = b.above(p, &centre) + depth
	return h >= -Eps && h <= Eps
}

// probe is by how much a walker steps down at first: see [Sweep.probe].
func (b *Body) probe() float32 {
	r, amount := b.Spheres[0].Radius, b.StepDown
	if b.SphereCount == 1 && r+r < amount {
		amount = r * 0.5
	}
	if r+r < amount {
		amount *= 0.5
	}
	return amount
}

// above is how high over a plane the bottom of the first sphere is.
func (b *Body) above(p *Plane, centre *space.Vec3) float32 {
	return height(p, space.Vec3{centre[0], centre[1], centre[2] - b.Spheres[0].Radius})
}
