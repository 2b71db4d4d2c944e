package systems

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/position"
)

// sweepLand is the sweep stage where there is something to run into (11 §5.6).
func (w *worker) sweepLand(from, to int) {
	e, c := w.e, w.c
	tick, mayRest := w.tick, !e.options.AlwaysUpdate
	rest, poses, bodies, touches := c.Rest[from:to], c.Pose[from:to], c.Body[from:to], c.Touch[from:to]
	steps, offsets := w.steps[:len(rest)], w.offset[:len(rest)]
	poses, bodies, touches = poses[:len(rest)], bodies[:len(rest)], touches[:len(rest)]
	w.looking = w.looking[:0]
	for _, k := range w.rows {
		if steps[k] { // who is calm and is here all the same may have come to another piece of ground
			w.looking = append(w.looking, poses[k].Cell)
			w.fetched += int32(e.land.crowd.FetchRow(from + int(k))) // who goes the long way is looked at himself
		}
	}
	for _, id := range w.looking {
		w.fetched += e.land.crowd.Fetch(id) + e.land.world.Land.Fetch(id)
	}
	for _, id := range w.looking {
		w.fetched += e.land.crowd.FetchList(id) + e.land.world.Land.FetchList(id)
	}
	for _, id := range w.looking {
		w.fetched += int32(e.land.crowd.FetchCompany(id))
	}
	m := &w.mover
	for _, k := range w.rows {
		if !steps[k] {
			continue
		}
		i, pose, body := from+int(k), &poses[k], &bodies[k]
		if !mayRest || !w.stride(i, rest[k].Busy, pose, body, &touches[k], &offsets[k], false) {
			m.at(i)
			m.step(&offsets[k])
		}
		if rest[k].Busy&clocks != 0 {
			w.clocks(i, &rest[k])
		}
		if mayRest && space.Zero(&body.Achieved) && w.restful(i) {
			rest[k].Since = tick
		}
	}
}

const (
	// striding is what a body is that may stride ([worker.stride]),
	striding = components.Contact | components.OnWalkable
	// and not what it is not: then its step has more to it.
	unlikeStriding = components.Falling | components.StationaryFall | components.StationaryStop | components.StationaryStuck
	stumbling      = components.AlignPath | components.Sledding | components.Missile | components.ParticleEmitter
)

// stride commits the step of a walker whom nothing is in the way of, which is
// nearly every step: what [mover.step] would do and no more ([Options.AlwaysUpdate]
// goes without). It reports false, with nothing done, when that may not be so; calmly,
// when it needs more than the row.
func (w *worker) stride(i int, busy components.Busy, pose *components.Pose, b *components.Body, touch *components.Touch, next *space.Frame, calmly bool) bool {
	if b.Transient&(striding|unlikeStriding) != striding || b.State&stumbling != 0 ||
		touch.Cell == 0 || !touch.Cell.SameBlock(pose.Cell) || !w.strider(i, busy) {
		return false
	}
	if space.At(&pose.Frame.Origin, next.Origin[0], next.Origin[1], next.Origin[2]) {
		position.Refuse(pose, b, &next.Rotation)
		return true
	}
	if space.Dot(b.Velocity, b.ContactNormal) > space.Eps { // check_contact
		return false
	}
	on, at := &w.standing, &w.strode
	on.Ground.Plane.Normal, on.Ground.Plane.D = b.ContactNormal, touch.D
	on.Ground.Water = b.Transient&components.WaterContact != 0
	if on.Sliding = b.Transient&components.Sliding != 0; on.Sliding {
		on.Normal = touch.Sliding
	}
	if !w.sweeper.Stroll(&w.walker, int32(i), &pose.Position, next, on, calmly, at) {
		return false
	}
	x, y, z := at.Origin[0], at.Origin[1], at.Origin[2]
	q, from, was := w.e.quantum, &pose.Frame.Origin, pose.Frame.Origin
	b.Achieved[0], b.Achieved[1], b.Achieved[2] = (x-from[0])/q, (y-from[1])/q, (z-from[2])/q
	from[0], from[1], from[2] = x, y, z
	r, t := &pose.Frame.Rotation, &next.Rotation
	r.W, r.V[0], r.V[1], r.V[2] = t.W, t.V[0], t.V[1], t.V[2]
	b.ContactNormal, touch.D, touch.Cell = at.Plane.Normal, at.Plane.D, at.Cell
	b.Omega = space.Vec3{} // calc_acceleration
	b.Transient &^= components.Sliding | components.AtWalls | components.WaterContact
	if at.Water {
		b.Transient |= components.WaterContact
	}
	touch.Sliding = space.Vec3{}
	if !at.Stays {
		w.register(i, at.Cells, at.Leaps, at.Marches)
	}
	if at.Cell != pose.Cell {
		ev := Event{Kind: CellChanged, From: Place{pose.Cell, was}, To: Place{at.Cell, at.Origin}}
		pose.Cell = at.Cell
		w.emit(i, ev)
	}
	if !touch.Met.Empty() {
		w.mover.at(i)
		w.mover.position.EndEncounters()
	}
	return true
}

// strider makes the worker's walker of what stands in a row, which mostly is what
// stood in the one before. It reports false for who does not walk by
// [collision.Sweep.Stroll], or is scaled otherwise than others see him: a hook may
// have changed that in this tick.
func (w *worker) strider(i int, busy components.Busy) bool {
	b := &w.walker
	g := w.e.land
	setup, scale := g.crowd.Walker(i)
	if now := float32(1); busy&(components.Scaled|components.Ramping) != 0 {
		if now = w.c.Rest[i].Scale; now != scale {
			return false
		}
	} else if scale != now {
		return false
	}
	if setup == w.walkerSetup && scale == w.walkerScale && b.SphereCount != 0 {
		return true
	}
	w.walkerSetup, w.walkerScale = setup, scale
	o := &g.crowd.Obstacles[i]
	if !g.world.Body(o, b) || !b.FreeRotate || o.State&components.HasPhysicsBSP != 0 {
		b.SphereCount = 0
		return false
	}
	return true
}
