package collision

import (
	"math"

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
	// Stays: the body needs not be registered anew. Marches: it may be
	// so from its next step on, if it is registered by [Crowd.Step] with that. Leaps:
	// it has gone farther than [CalmStep].
	Stays, Marches, Leaps bool

	low float32 // the height of the first centre
}

// Stroll is [Sweep.Move] for the step that nearly all steps are: a walker, in
// contact with ground that it can walk on and not leaving it or stationary, goes
// in a few sub-steps at most over open land of one block, uphill or down, where
// nothing and nobody is near. body must turn freely and be no
// missile; row is its own in the crowd; on is what it stands on, whose cell is in
// its block.
//
// It comes, bit for bit, to what Move comes to, a test holds it to that; it only
// leaves out what cannot happen. It reports false, with nothing done, when the
// step may be any other; calmly, when it needs more than its own row.
func (s *Sweep) Stroll(body *Body, row int32, at *space.Position, to *space.Frame, on *Standing, calmly bool, out *Stride) bool {
	if at.Cell.Index() > 0x40 || !at.Cell.InboundValid() || !body.upright || to.Rotation.V[0] != 0 || to.Rotation.V[1] != 0 {
		return false
	}
	radius := body.Spheres[0].Radius
	vx, vy, vz := to.Origin[0]-at.Frame.Origin[0], to.Origin[1]-at.Frame.Origin[1], to.Origin[2]-at.Frame.Origin[2]
	// the length itself counts only near the radius
	l2 := float32(vx*vx) + float32(vy*vy) + float32(vz*vz)
	if !(l2 <= float32(0.999*radius*radius)) && !(space.LengthOf(vx, vy, vz) <= radius) || l2 == 0 {
		return !calmly && l2 > 0 && s.strollFar(body, row, at, space.Vec3{vx, vy, vz}, on, out)
	}
	// being upright, the body has its spheres over its origin
	out.low = at.Frame.Origin[2] + body.Spheres[0].Centre[2]
	return s.strollBy(body, row, at, vx, vy, vz, on, calmly, false, out)
}

// maxStrolled is up to how many sub-steps (14 §4) may be strolled.
const maxStrolled = 4

// strollFar is Stroll for a way of several sub-steps, none of which is calm.
func (s *Sweep) strollFar(body *Body, row int32, at *space.Position, way space.Vec3, on *Standing, out *Stride) bool {
	n := subSteps(way, body.Spheres[0].Radius)
	if n > maxStrolled || !Leaps(way[0], way[1]) {
		return false
	}
	step := divided(way, float32(n))
	from, standing := *at, *on
	out.low = at.Frame.Origin[2] + body.Spheres[0].Centre[2] // which is moved, not derived anew, by each (14 §3)
	for range n {
		if !s.strollBy(body, row, &from, step[0], step[1], step[2], &standing, false, true, out) {
			s.World.Crowd.shadows[row].calm = 0 // it may have been noted of a sub-step before
			return false
		}
		from.Cell, from.Frame.Origin = out.Cell, out.Origin
		standing.Sliding = false
		standing.Ground.Plane, standing.Ground.Cell, standing.Ground.Water = *out.Plane, out.Cell, out.Water
	}
	return true
}

// strollBy is one sub-step of Stroll, with the first centre at out.low. leaps says that
// the whole way leaps.
func (s *Sweep) strollBy(body *Body, row int32, at *space.Position, vx, vy, vz float32, on *Standing, calmly, leaps bool, out *Stride) bool {
	i := at.Cell.Index() - 1
	radius := body.Spheres[0].Radius
	x, y, z := at.Frame.Origin[0], at.Frame.Origin[1], at.Frame.Origin[2]

	// adjust_offset
	low, ground := out.low, &on.Ground.Plane
	if on.Sliding {
		vx, vy, vz = on.bend(vx, vy, vz)
	} else {
		vx, vy, vz = alongPlane(vx, vy, vz, &ground.Normal)
	}
	var depth float32
	if !on.Ground.Water {
		if lift := antiSink(heightAt(ground, x, y, low), radius, ground.Normal[2]); lift != 0 {
			z += lift
			low += lift
		}
	}
	if float32(vx*vx)+float32(vy*vy)+float32(vz*vz) < space.Eps2 {
		return false
	}
	x, y, z, low = x+vx, y+vy, z+vz, low+vz

	s.near = false
	const slack = 0.01 // m, for what rounding does
	far := body.widest + slack
	o := &at.Frame.Origin
	px, py := x-float32(i>>3*space.CellSide), y-float32(i&7*space.CellSide)
	over := body.over(px, py)
	out.Leaps = leaps || Leaps(x-o[0], y-o[1])
	calm, now := &s.World.Crowd.shadows[row], s.World.Crowd.tick+1
	out.Cell, out.Marches, out.Stays = at.Cell, false, !out.Leaps && calm.treads(at.Cell, now, px, py, over)
	plane, until := &calm.plane, calm.calm
	if depth = calm.depth; !out.Stays {
		if calmly {
			return false
		}
		block := s.World.Land.block(at.Cell.BlockX(), at.Cell.BlockY())
		if block == nil { // as in open
			return false
		}
		out.Cells = append(s.ids[:0], at.Cell)
		s.calm = maxCalm
		if over == 0 {
			if !s.open(block, at.Cell, row, x, y, far) {
				return false
			}
		} else if !s.openAround(block, at.Cell, row, body, x, y, far, out) {
			return false
		}
		s.ids = out.Cells
		i = out.Cell.Index() - 1
		p := &block.plots[i]
		if plane = p.triangle(i, x, y); plane == nil {
			return false
		}
		if depth = 0; p.water != dat.Dry {
			depth = block.waterDepth(i, space.Vec3{x, y, 0})
		}
		out.Stays = !out.Leaps && calm.marches(now, out.Cells)
		if out.Marches = s.calm >= 1 && len(out.Cells) <= len(calm.cells); out.Marches {
			px, py = x-float32(i>>3*space.CellSide), y-float32(i&7*space.CellSide)
			until, calm.over, calm.piece = now+uint32(s.calm), body.over(px, py), pieceAt(p.swne, depth != 0, px, py)
			calm.plane, calm.depth = *plane, depth
			calm.calm = 0 // until it has come to where that holds
		}
	}
	out.Water = depth != 0
	if !(plane.Normal[2] >= FloorZ) {
		return false
	}
	// who steps down is then tried as if put down there, and that is about solids
	z, low, lowered, ok := body.settle(plane, x, y, z, low, depth)
	if !ok || lowered && s.near {
		return false
	}
	if space.At(o, x, y, z) {
		return false // it has not moved: validate_transition has more to say
	}
	if calm.calm = until; out.Stays {
		calm.stay = now
	}
	out.low = low
	out.Plane, out.Origin[0], out.Origin[1], out.Origin[2] = plane, x, y, z
	return true
}

// bend has a step follow what the body stands on and slides along.
func (on *Standing) bend(x, y, z float32) (float32, float32, float32) {
	var d direction
	v := space.Vec3{x, y, z}
	if d.setFlat(on.Normal); space.Dot(v, d.Normal) < 0 {
		v = alongBoth(v, d.Normal, on.Ground.Plane.Normal)
		return v[0], v[1], v[2]
	}
	return alongPlane(x, y, z, &on.Ground.Plane.Normal)
}

// open reports whether a land cell is without a restriction, and whether nothing,
// no building and nobody in it is within a body's reach of where the centres
// of its spheres have come in plan: all that is tried on the way is tried there,
// higher or lower. It takes s.calm down to for how many ticks that stays so.
func (s *Sweep) open(b *Block, id space.CellID, row int32, x, y, far float32) bool {
	if b == nil { // never: else the compiler has its first line read to find out, which nobody needs
		return false
	}
	w := s.World
	i := id.Index() - 1
	p := &b.plots[i]
	flags := p.flags.Load()
	if flags == 0 { // it may not be furnished yet
		w.Land.furnish(b)
		flags = p.flags.Load()
	}
	if flags&plotOpen == 0 {
		return false
	}
	if p.building >= 0 {
		shell, walls, rooms := s.houseGaps(b, id, x, y)
		switch gap := min(shell, rooms) - far; {
		case gap > 0:
			s.calm = min(s.calm, gap/CalmStep)
		case min(walls, rooms) > far:
			s.near, s.calm = true, 0
		default:
			return false
		}
	}
	if p.n > 0 {
		list := b.list[p.first:][:p.n]
		for k := range list {
			e := &list[k]
			switch {
			case e.beyond(x, y, far):
				s.calm = min(s.calm, (space.LengthOf(x-e.x, y-e.y, 0)-e.reach-far)/CalmStep)
			case e.beside(x, y, far):
				s.near, s.calm = true, 0
			default:
				return false
			}
		}
	}
	ticks, ok := w.Crowd.nobody(w.Crowd.in(id), id, row, x, y, far)
	s.calm = min(s.calm, ticks)
	return ok
}

const (
	// upright is what of a unit vector in plan, or of one that stands, is nothing but rounding,
	upright = 1e-6
	// and unit what of a length squared is, for distances to be told by it: files may hold
	// rotations and normals that are farther off (10 §1).
	unit = 1e-5
)

// houseGaps is how far in plan, at least, a point lies from the shell of a land cell's
// building, from the walls of that, outside which it may still count as solid
// ([still.beside]), and from the rooms behind its doors ([finder.enterBuilding]), metres.
func (s *Sweep) houseGaps(b *Block, id space.CellID, x, y float32) (shell, walls, rooms float32) {
	g, inf := s.World.Shapes, float32(math.Inf(1))
	house, _ := b.building(id)
	shell, walls, rooms = inf, inf, inf
	if house.Hull >= 0 && g.Hulls[house.Hull].Root >= 0 {
		h, axes := &g.Hulls[house.Hull], space.AxesOf(house.Frame.Rotation)
		root := &g.Nodes[h.Root]
		at := space.Vec3{x - house.Frame.Origin[0], y - house.Frame.Origin[1]}
		c := space.Sub(axes.Out(root.Centre), at)
		shell, walls = -inf, -inf
		if n := space.Norm2(house.Frame.Rotation) - 1; n <= unit && n >= -unit {
			shell = space.LengthOf(c[0], c[1], 0) - root.Radius
		}
		if up := axes.Out(space.Vec3{0, 0, 1}); space.Abs(up[0])+space.Abs(up[1]) <= upright {
			v := axes.In(at)
			walls = max(h.Min[0]-v[0], v[0]-h.Max[0], h.Min[1]-v[1], v[1]-h.Max[1])
		}
	}
	for _, p := range b.Land.BuildingPortals[house.FirstPortal:][:house.PortalCount] {
		room := s.World.Land.cell(id&0xFFFF0000 | space.CellID(p.OtherCell))
		if p.OtherPortal >= 0 && room.present() {
			rooms = min(rooms, roomGap(g, &room, x, y))
		}
	}
	return shell, walls, rooms
}

// roomGap is how far in plan, at least, a point of an indoor cell's block lies from
// what touches that cell, at whatever height: outside one of the walls of what the cell
// contains. It may say less than 0 of one that lies outside, as where no wall is upright.
func roomGap(g *dat.Shapes, room *cell, x, y float32) float32 {
	in := room.indoor()
	h := &g.Hulls[in.Hull]
	if h.PortalCount == 0 || h.Cell < 0 {
		return float32(math.Inf(1)) // it contains nothing
	}
	axes, gap := space.AxesOf(in.Frame.Rotation), float32(math.Inf(-1))
	x, y = x-in.Frame.Origin[0], y-in.Frame.Origin[1]
	for node := h.Cell; node >= 0 && !g.Nodes[node].Leaf; node = g.Nodes[node].Pos {
		n := axes.Out(g.Nodes[node].Normal)
		if space.Abs(n[2]) <= upright && space.Length2(n) <= 1+unit {
			gap = max(gap, -(float32(n[0]*x) + float32(n[1]*y) + g.Nodes[node].D))
		}
	}
	return gap - cellReach
}

// openAround is open for all the cells that the spheres touch, from one cell, and
// finds which they are and which one holds the first centre.
func (s *Sweep) openAround(b *Block, from space.CellID, row int32, body *Body, x, y, far float32, out *Stride) bool {
	f := finder{world: s.World, list: s.cells[:0], from: from}
	for k := range body.SphereCount {
		if !f.addTouched(space.Vec3{x, y, 0}, body.Spheres[k].Radius) {
			return false
		}
	}
	s.cells = f.list
	out.Cells = out.Cells[:0]
	for k := range f.list {
		id := f.list[k].id
		block, at := b, space.Vec3{x, y}
		if !id.SameBlock(from) {
			if block = f.list[k].block; block == nil {
				return false
			}
			at = space.Add(at, space.BlockOffset(id, from))
		}
		if !s.open(block, id, row, at[0], at[1], far) {
			return false
		}
		out.Cells = append(out.Cells, id)
	}
	if !(x >= 0 && x < space.BlockSide && y >= 0 && y < space.BlockSide) {
		return false
	}
	cx, cy := uint32(x/space.CellSide), uint32(y/space.CellSide)
	px, py := x-float32(cx*space.CellSide), y-float32(cy*space.CellSide)
	if min(px, py) < border || max(px, py) > space.CellSide-border {
		return false // seen from the neighbour's block it may lie there
	}
	out.Cell = from&0xFFFF0000 | space.CellID(cx<<3|cy) + 1
	return true
}

// settle brings a body at height z, whose first centre is at low, onto ground
// into which it sinks so deep: lifted out of it (14 L1 validate_walkable), or
// stepping down to it (14 §5, §6). It is not ok when that takes more than one try
// of either.
func (b *Body) settle(p *Plane, x, y, z, low, depth float32) (at, centre float32, lowered, ok bool) {
	r := b.Spheres[0].Radius
	h := heightAt(p, x, y, low-r) + depth
	if h >= -Eps && h <= Eps {
		return z, low, false, true
	}
	lowered = h > Eps
	amount, _ := b.probe(b.StepDown)
	if lowered {
		low -= amount
		z -= amount
		if h = heightAt(p, x, y, low-r) + depth; h >= -Eps {
			return z, low, true, false
		}
	}
	lift := -h / p.Normal[2]
	if lowered {
		if w := 1 - lift/amount; w >= 1 || w < -0.1 {
			return z, low, true, false
		}
	}
	low += lift
	z += lift
	h = heightAt(p, x, y, low-r) + depth
	return z, low, lowered, h >= -Eps && h <= Eps
}
