package collision

import "github.com/gait-engine/gait/space"

// Stroll is [Sweep.Move] for the step that nearly all steps are: a walker, in
// contact with dry ground that it can walk on and not sliding, stationary or
// leaving it, goes no farther than the radius of its sphere, inside one land cell
// where nothing stands and nobody is near. body must turn freely and be no
// missile; ground is the plane it stands on, in the axes of the block it is in.
//
// It comes, bit for bit, to what Move comes to, a test holds it to that; it
// only leaves out what cannot happen: the body ends at origin, turned as it
// wants to be, on plane, in the cell where it began. It reports false, with
// nothing done, when the step may be any other.
func (s *Sweep) Stroll(body *Body, at *space.Position, to *space.Frame, ground *Plane) (origin space.Vec3, plane *Plane, ok bool) {
	i := at.Cell.Index() - 1
	if i >= 0x40 || !at.Cell.InboundValid() {
		return origin, nil, false
	}
	w := s.World
	block := w.Land.block(at.Cell.BlockX(), at.Cell.BlockY())
	if block.Land == nil || !w.Land.plain(block, i) {
		return origin, nil, false
	}
	radius := body.Spheres[0].Radius
	o := at.Frame.Origin
	v := space.Sub(to.Origin, o)
	length := space.Length(v)
	if !(length <= radius) || space.Zero(&v) {
		return origin, nil, false
	}

	axes := space.AxesOf(to.Rotation)
	var centre [2]space.Vec3
	for k := range body.SphereCount {
		centre[k] = space.Add(o, axes.Out(body.Spheres[k].Centre))
	}
	if !w.alone(body, at.Cell, &centre[0], length) {
		return origin, nil, false
	}

	v = alongPlane(v, ground.Normal) // adjust_offset
	if z := antiSink(ground, centre[0], radius); z != 0 {
		o[2] += z
		for k := range body.SphereCount {
			centre[k][2] += z
		}
	}
	if space.Length2(v) < space.Eps2 {
		return origin, nil, false
	}
	o = space.Add(o, v)
	corner := cellCorner(i)
	for k := range body.SphereCount {
		centre[k] = space.Add(centre[k], v)
		if !within(space.Sub(centre[k], corner), body.Spheres[k].Radius) {
			return origin, nil, false
		}
	}

	low := centre[0]
	low[2] -= radius
	plane = triangle(block.Land, i, low)
	if plane == nil || !(plane.Normal[2] >= FloorZ) || !settleOn(plane, &o, &centre[0], radius) ||
		space.Equal(o, at.Frame.Origin) { // it has not moved: validate_transition has more to say
		return origin, nil, false
	}
	return o, plane, true
}

// settleOn lifts a sphere out of dry ground until it touches it (14 L1
// validate_walkable); false when it is above it, or does not come to rest in the
// tries that there are.
func settleOn(p *Plane, origin, centre *space.Vec3, radius float32) bool {
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
func (w *World) alone(body *Body, id space.CellID, centre *space.Vec3, way float32) bool {
	list := w.Crowd.in(id)
	if len(list) == 0 || len(list) == 1 && w.Crowd.Obstacles[list[0]].Guid == body.Guid {
		return true
	}
	const slack = 0.1 // for the lifting
	far := body.reach() + way + slack
	for _, row := range list {
		o := &w.Crowd.Obstacles[row]
		if o.Guid != body.Guid && o.Parent == 0 && !o.beyond(id, centre, far) {
			return false
		}
	}
	return true
}
