package collision

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// stroll is [Sweep.Move] for the step that nearly all steps are: a walker takes
// one sub-step over dry, walkable ground inside one land cell where nothing
// stands and nobody is near. It comes, bit for bit, to what the whole algorithm
// comes to, a test holds it to that; it only leaves out what cannot happen. It
// reports false, with nothing done, when the step may be any other.
func (s *Sweep) stroll(body *Body, from, to *space.Position, at *Standing) bool {
	g := &at.Ground
	i := from.Cell.Index() - 1
	if i >= 0x40 || to.Cell != from.Cell || !body.FreeRotate || body.State&components.Missile != 0 ||
		!g.Valid || g.Water || !at.OnWalkable || at.Sliding || at.Stationary != 0 || !g.Cell.SameBlock(from.Cell) {
		return false
	}
	n := g.Plane.Normal
	if space.Dot(at.Velocity, n) > Eps { // check_contact
		return false
	}
	c := s.World.Land.cell(from.Cell)
	if !c.present() || !s.World.Land.plain(c.block, i) {
		return false
	}
	radius := body.Spheres[0].Radius
	o := from.Frame.Origin
	v := space.Sub(to.Frame.Origin, o)
	length := space.Length(v)
	if length > radius || space.Zero(&v) {
		return false
	}

	axes := space.AxesOf(to.Frame.Rotation)
	var centre [2]space.Vec3
	for k := range body.SphereCount {
		centre[k] = space.Add(o, axes.Out(body.Spheres[k].Centre))
	}
	if !s.alone(body, from.Cell, centre[0], length) {
		return false
	}

	v = alongPlane(v, n) // adjust_offset
	if z := antiSink(&g.Plane, centre[0], radius); z != 0 {
		o[2] += z
		for k := range body.SphereCount {
			centre[k][2] += z
		}
	}
	if space.Length2(v) < space.Eps2 {
		return false
	}
	o = space.Add(o, v)
	corner := cellCorner(i)
	for k := range body.SphereCount {
		centre[k] = space.Add(centre[k], v)
		if !within(space.Sub(centre[k], corner), body.Spheres[k].Radius) {
			return false
		}
	}

	low := centre[0]
	low[2] -= radius
	plane := triangle(c.block.Land, i, low)
	if plane == nil || !(plane.Normal[2] >= FloorZ) || !s.settleOn(plane, &o, &centre[0], radius) {
		return false
	}
	if space.Equal(o, from.Frame.Origin) { // it has not moved: validate_transition has more to say
		return false
	}

	s.current = space.Position{Cell: from.Cell, Frame: space.Frame{Origin: o, Rotation: to.Frame.Rotation}}
	s.currentCell = c
	s.resetCollisions()
	s.Contact.set(plane, from.Cell, false)
	s.KillsVelocity = false
	s.cells = append(s.cells[:0], c)
	return true
}

// settleOn lifts a sphere out of dry ground until it touches it (14 L1
// validate_walkable); false when it is above it, or does not come to rest in the
// tries that there are.
func (s *Sweep) settleOn(p *dat.Plane, origin, centre *space.Vec3, radius float32) bool {
	for range 3 {
		low := *centre
		low[2] -= radius
		h := height(p, low)
		switch {
		case h > Eps:
			return false
		case h >= -Eps:
			return true
		}
		lift := -h / p.Normal[2]
		origin[2] += lift
		centre[2] += lift
	}
	return false
}

// alone reports whether nobody in a cell is near enough to a body that goes so
// far to be run into.
func (s *Sweep) alone(body *Body, id space.CellID, centre space.Vec3, way float32) bool {
	if s.World.Crowd == nil {
		return true
	}
	list := s.World.Crowd.in(id)
	if len(list) == 0 || len(list) == 1 && s.World.Crowd.Obstacles[list[0]].Guid == body.Guid {
		return true
	}
	s.check.Cell = id
	s.reach = body.reach()
	const slack = 0.1 // for the lifting
	for _, row := range list {
		o := &s.World.Crowd.Obstacles[row]
		if o.Guid != body.Guid && o.Parent == 0 && !s.clear(o, centre, way+slack) {
			return false
		}
	}
	return true
}
