package collision

import (
	"math"
	"slices"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// Obstacle is something that stands in cells and others run into: a body, or
// an object of the land. It is one line of memory.
type Obstacle struct {
	Guid   uint32 // 0 for an object of the land
	Place  space.Position
	Scale  float32
	State  components.StateBits
	Traits components.TraitFlags // and [Held]
	Setup  int32                 // in Tables.Setups, None without
	// Parts is where the frames of its parts begin in Tables.Parts, None when they are not
	// posed; without a setup, what a GfxObj consists of, in Shapes.Hulls, None nothing.
	Parts int32
	Posed int32 // how many of the parts are posed
	// Reach is how far from Place, in plan, what others run into may lie, metres:
	// [World.Reach]. 0 is not known.
	Reach float32
}

// Held, among an obstacle's Traits, says that somebody holds it: then nobody meets it.
const Held components.TraitFlags = 1 << 31

// Reach returns how far in plan from where an obstacle stands its cylinders or
// spheres reach, +Inf for one that collides by its polygons.
func (w *World) Reach(o *Obstacle) float32 {
	if o.State&components.HasPhysicsBSP != 0 {
		return float32(math.Inf(1))
	}
	return w.reach(o, space.Length) // a body may be turned any way
}

// reach is Reach, off being how far off in plan something is that lies at a point of
// the obstacle's own axes.
func (w *World) reach(o *Obstacle, off func(space.Vec3) float32) (far float32) {
	at := func(v space.Vec3, r float32) { far = max(far, off(v)+r) }
	cylinders := w.Tables.CylindersOf(o.Setup)
	for _, c := range cylinders {
		at(c.Low, c.Radius)
	}
	if len(cylinders) == 0 {
		for _, b := range w.Tables.SpheresOf(o.Setup) {
			at(b.Centre, b.Radius)
		}
	}
	return float32(far*o.Scale*reachSlack) + reachLeast
}

const (
	reachSlack = 1.001 // for what rounding does on the way
	reachLeast = 0.01  // m, of what consists of nothing too
)

// reachStill is Reach for what never moves, its polygons included.
func (w *World) reachStill(o *Obstacle) (far float32) {
	if o.State&components.HasPhysicsBSP == 0 {
		return w.reach(o, func(v space.Vec3) float32 {
			v = space.LocalToGlobalVec(o.Place.Frame.Rotation, v)
			return space.LengthOf(v[0], v[1], 0)
		})
	}
	w.eachPart(o, func(h *dat.Hull, place *space.Position, scale float32) {
		if h.Root >= 0 {
			root := &w.Shapes.Nodes[h.Root]
			d := space.Length(space.Sub(place.Frame.Origin, o.Place.Frame.Origin))
			far = max(far, d+float32((space.Length(root.Centre)+root.Radius)*scale))
		}
	})
	return float32(far*reachSlack) + reachLeast
}

// rectangle returns what of an obstacle can be touched in plan, as seen from where
// it stands, metres.
func (w *World) rectangle(o *Obstacle) (low, high space.Vec3) {
	const slack = 0.01 // for what rounding does
	if o.State&components.HasPhysicsBSP == 0 {
		return space.Vec3{-o.Reach, -o.Reach, 0}, space.Vec3{o.Reach, o.Reach, 0}
	}
	w.eachPart(o, func(h *dat.Hull, place *space.Position, scale float32) {
		polygons := w.Shapes.Polygons[h.FirstPolygon:][:h.PolygonCount]
		for k := range polygons {
			for _, v := range vertices(w.Shapes, &polygons[k]) {
				at := space.Add(place.Frame.Origin, space.LocalToGlobalVec(place.Frame.Rotation, space.Scale(v, scale)))
				at = space.Sub(at, o.Place.Frame.Origin)
				low, high = least(low, space.Sub(at, space.Vec3{slack, slack, 0})), most(high, space.Add(at, space.Vec3{slack, slack, 0}))
			}
		}
	})
	return low, high
}

// eachPart calls f with the hull of each part of an obstacle that has one, where
// the part is, and its scale.
func (w *World) eachPart(o *Obstacle, f func(h *dat.Hull, place *space.Position, scale float32)) {
	if o.Setup < 0 {
		if o.Parts >= 0 {
			f(&w.Shapes.Hulls[o.Parts], &o.Place, o.Scale)
		}
		return
	}
	scales := w.Tables.PartScales(o.Setup)
	for i, h := range w.Tables.PartHulls(o.Setup) {
		if h >= 0 {
			place := o.part(w.Tables, i)
			f(&w.Shapes.Hulls[h], &place, float32(o.Scale*scales[i][2]))
		}
	}
}

// beyond reports whether an obstacle does not reach to within far of a point of
// a cell's block, in plan.
func (o *Obstacle) beyond(id space.CellID, x, y, far float32) bool {
	if o.Reach == 0 || !o.Place.Cell.SameBlock(id) {
		return false
	}
	e := entry{x: o.Place.Frame.Origin[0], y: o.Place.Frame.Origin[1], reach: o.Reach}
	return e.beyond(x, y, far)
}

// objects asks what is registered in a cell, in list order (14 L2).
func (s *Sweep) objects(c cell) Transition {
	if s.insert == initialPlacement {
		return OK
	}
	if c.indoors() || c.block.plots[c.id.Index()-1].flags.Load() == 0 {
		s.World.Land.furnish(c.block)
	}
	centre := s.shifted(s.global[0].Centre, c.id)
	list := c.block.standing(&c)
	for i := range list {
		if list[i].beyond(centre[0], centre[1], s.reach) {
			continue
		}
		if t := s.meet(&c.block.Statics[list[i].index]); t != OK {
			return t
		}
		centre = s.shifted(s.global[0].Centre, c.id) // it may have been stepped upon
	}
	return s.bodies(c, centre)
}

// bodies asks those who are registered in a cell. In which order matters to those
// alone who are near one, and most are near nobody.
func (s *Sweep) bodies(c cell, centre space.Vec3) Transition {
	crowd := s.World.Crowd
	if !slices.ContainsFunc(crowd.in(c.id), func(e entry) bool { return s.comesNear(&e, c.id, centre) != nil }) {
		return OK
	}
	at := len(s.entries)
	list, taken, behind := crowd.ordered(c.id, s.entries)
	if s.entries = taken; behind {
		s.Asked = append(s.Asked, c.id)
	}
	defer func() { s.entries = s.entries[:at] }()
	for i := range list {
		o := s.comesNear(&list[i], c.id, centre)
		if o == nil {
			continue
		}
		if t := s.meet(o); t != OK {
			return t
		}
		centre = s.shifted(s.global[0].Centre, c.id)
	}
	return OK
}

// comesNear returns the body of an entry if it may be met where the first sphere is.
func (s *Sweep) comesNear(e *entry, id space.CellID, centre space.Vec3) *Obstacle {
	if e.beyond(centre[0], centre[1], s.reach) {
		return nil
	}
	o := &s.World.Crowd.Obstacles[e.row]
	if o.Guid == s.body.Guid || o.Traits&Held != 0 || e.roams() && o.beyond(id, centre[0], centre[1], s.reach) {
		return nil
	}
	return o
}

// meet is FindObjCollisions (14 L2).
func (s *Sweep) meet(o *Obstacle) Transition {
	const unreal = components.Ethereal | components.IgnoreCollisions
	static := o.State&components.Static != 0
	if o.State&unreal == unreal {
		return OK
	}
	ethereal := o.State&components.Ethereal != 0 || s.body.State&components.Ethereal != 0 && !static
	if ethereal && s.stepDown {
		return OK
	}
	s.obstructionEthereal = ethereal
	creature := o.State&components.Missile != 0 || o.Traits&components.Creature != 0
	t := OK
	if !s.passes(o) && !s.missileIgnores(o) {
		t = s.shapes(o, creature)
	}
	s.obstructionEthereal = false
	if t == OK || s.stepDown {
		return t
	}
	switch {
	case static:
		s.environment()
		return t
	case ethereal || creature && s.is(ignoreCreat):
		s.Hit.Valid = false
		t = OK
	}
	s.collideWith(o.Guid)
	return t
}

// passes reports whether two players go through each other (14 L2 step 4).
func (s *Sweep) passes(o *Obstacle) bool {
	me, he := s.body.Traits, o.Traits
	const player, solidly = components.Player, components.Impenetrable
	switch {
	case me&player == 0 || he&player == 0, (me|he)&solidly != 0:
		return false
	case me&he&components.PlayerKiller != 0, me&he&components.PlayerKillerLite != 0:
		return false
	}
	return true
}

// missileIgnores is missile_ignore (14 L2; W-35).
func (s *Sweep) missileIgnores(o *Obstacle) bool {
	if o.State&components.Missile != 0 {
		return true
	}
	if !s.missile() || o.Guid == s.body.Target && o.Guid != 0 {
		return false
	}
	if o.State&components.Ethereal != 0 && o.Traits&components.HasGame != 0 {
		return true
	}
	return s.body.Target != 0 && o.Traits&components.Creature != 0
}

// shapes collides with the polygons of an obstacle, else with its cylinders, else
// with its spheres.
func (s *Sweep) shapes(o *Obstacle, creature bool) Transition {
	if o.State&components.HasPhysicsBSP != 0 {
		return s.parts(o)
	}
	if o.Setup < 0 {
		return OK
	}
	if cylinders := s.World.Tables.CylindersOf(o.Setup); len(cylinders) > 0 {
		for i := range cylinders {
			if t := s.cylinder(o, &cylinders[i]); t != OK {
				return t
			}
		}
		return OK
	}
	spheres := s.World.Tables.SpheresOf(o.Setup)
	for i := range spheres {
		if t := s.ball(o, &spheres[i], creature); t != OK {
			return t
		}
	}
	return OK
}

// parts collides with the polygons of an obstacle's parts, in order (14 L3 Parts).
func (s *Sweep) parts(o *Obstacle) Transition {
	if o.Setup < 0 {
		return s.part(&s.World.Shapes.Hulls[o.Parts], &o.Place, o.Scale)
	}
	hulls, scales := s.World.Tables.PartHulls(o.Setup), s.World.Tables.PartScales(o.Setup)
	for i := range hulls {
		if hulls[i] < 0 {
			continue
		}
		place := o.part(s.World.Tables, i)
		if t := s.part(&s.World.Shapes.Hulls[hulls[i]], &place, float32(o.Scale*scales[i][2])); t != OK {
			return t
		}
	}
	return OK
}

// part returns where part i of an obstacle is (15 §3).
func (o *Obstacle) part(t *dat.Tables, i int) space.Position {
	p := o.Place
	if i < int(o.Posed) {
		p.Frame = space.CombineScaled(p.Frame, t.Parts[int(o.Parts)+i], space.Vec3{o.Scale, o.Scale, o.Scale})
	}
	return p
}

// part collides with one part, if a sphere reaches it at all.
func (s *Sweep) part(h *dat.Hull, place *space.Position, scale float32) Transition {
	if h.Root < 0 {
		return OK
	}
	s.localize(place, scale)
	root := &s.World.Shapes.Nodes[h.Root]
	for i := range s.count {
		if !miss(root, &s.local[i]) {
			return s.hull(h)
		}
	}
	return OK
}
