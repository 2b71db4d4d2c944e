package collision

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

// Adjust brings a position into the cell that really holds it (10 §7.2
// AdjustPosition). centre is that of the body's first sphere, in its own axes;
// search is whether, indoors, all cells that can be seen are looked through and
// not only the next ones. It reports false when there is none; then only an
// outdoor p may have changed. The cell of an outdoor p need not be there.
func (w *World) Adjust(p *space.Position, centre space.Vec3, search bool) bool {
	if !p.Cell.IndexValid() {
		return false
	}
	if !p.Cell.Indoors() {
		return p.AdjustOutdoors()
	}
	start := w.Land.cell(p.Cell)
	if !start.present() {
		return false
	}
	f := finder{world: w, from: p.Cell}
	at := space.Add(p.Frame.Origin, space.LocalToGlobalVec(p.Frame.Rotation, centre))
	in := start.indoor()
	inside := func(id space.CellID) bool {
		c := w.Land.cell(id)
		if !c.present() || !c.indoors() || !holds(w.Shapes, &c, f.into(&c, at)) {
			return false
		}
		p.Cell = id
		return true
	}
	if inside(p.Cell) {
		return true
	}
	base := p.Cell & 0xFFFF0000
	if search { // W-17
		for _, v := range start.block.Land.Visible[in.FirstVisible : in.FirstVisible+in.VisibleCount] {
			if inside(base | space.CellID(v)) {
				return true
			}
		}
	} else {
		for _, v := range start.block.Land.Portals[in.FirstPortal : in.FirstPortal+in.PortalCount] {
			if !v.Outside && inside(base|space.CellID(v.OtherCell)) {
				return true
			}
		}
	}
	return in.SeenOutside && p.AdjustOutdoors()
}

// Below returns the plane of the terrain over which a body at p with a sphere
// around centre stands, and the land cell that it belongs to.
func (w *World) Below(p *space.Position, centre space.Vec3) (plane Plane, id space.CellID, ok bool) {
	at := space.Add(p.Frame.Origin, space.LocalToGlobalVec(p.Frame.Rotation, centre))
	id, at = space.AdjustToOutside(p.Cell, at)
	if c := w.Land.cell(id); c.present() {
		if t := c.block.plots[id.Index()-1].triangle(id.Index()-1, at[0], at[1]); t != nil {
			return *t, id, true
		}
	}
	return plane, 0, false
}

// Present reports whether a cell is there.
func (w *World) Present(id space.CellID) bool {
	c := w.Land.cell(id)
	return c.present()
}

// noSetupStep is the step height of a body without a setup, metres (11 §12).
const noSetupStep float32 = 0.01

// Body makes of an obstacle the body that is swept. It reports false when its
// setup has no path spheres: then [DummySphere] stands in, and it does not
// sweep in ordinary steps (11 §5.6).
func (w *World) Body(o *Obstacle, b *Body) bool {
	b.Guid, b.State, b.Traits, b.Target, b.Passes = o.Guid, o.State, o.Traits, 0, 0
	b.SphereCount, b.Spheres[0] = 1, DummySphere
	b.StepUp, b.StepDown, b.FreeRotate, b.upright = noSetupStep, noSetupStep, false, true
	b.widest = DummySphere.Radius
	if o.Setup < 0 {
		return true
	}
	figure := &w.Tables.Setups[o.Setup]
	b.StepUp, b.StepDown = float32(figure.StepUp*o.Scale), float32(figure.StepDown*o.Scale)
	b.FreeRotate = figure.FreeHeading
	spheres := w.Tables.SpheresOf(o.Setup)
	if len(spheres) == 0 {
		return false
	}
	b.SphereCount = min(len(spheres), len(b.Spheres))
	b.widest = 0
	for i := range b.SphereCount {
		of(&spheres[i].Centre).times(o.Scale).to(&b.Spheres[i].Centre)
		b.Spheres[i].Radius = float32(spheres[i].Radius * o.Scale)
		b.widest = max(b.widest, b.Spheres[i].Radius)
		b.upright = b.upright && b.Spheres[i].Centre[0] == 0 && b.Spheres[i].Centre[1] == 0
	}
	return true
}

// Overlaps reports whether any body that is registered in a cell of row's, not
// fixed and not held, would not fit where it is if row's body were solid (11 §2
// set_ethereal).
func (s *Sweep) Overlaps(row int, scratch *Body) bool {
	w := s.World
	me := w.Crowd.Obstacles[row]
	me.State &^= components.Ethereal
	for _, id := range w.Crowd.CellsOf(row) {
		for _, e := range w.Crowd.in(id) {
			o := &w.Crowd.Obstacles[e.row]
			if int(e.row) == row || o.Traits&Held != 0 || o.State&components.Static != 0 {
				continue
			}
			w.Body(o, scratch)
			if w.Crowd.Target != nil {
				scratch.Target = w.Crowd.Target(int(e.row))
			}
			s.reset(scratch)
			s.check, s.current = o.Place, o.Place
			s.checkCell = w.Land.cell(o.Place.Cell)
			s.placeSpheres()
			s.currentCheck()
			s.insert = placement
			if s.meet(&me) != OK {
				return true
			}
		}
	}
	return false
}
