package replay

import (
	"math"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/wire"
)

// measure compares a position with where the engine has its object after the last
// tick, if anything can be compared (22 §11.6).
func (v *View) measure(r *remote, guid uint32, at int64, p *wire.PositionPack) (s pendingSample) {
	place := wire.Settle(p.Place)
	s.place, s.stamp, s.at = place, p.Position, at
	switch {
	case guid == v.own:
		s.fate = OwnObject
		return s
	case r == nil:
		s.fate = NotKnown
		return s
	case r.pending > 0 && r.pendingAt == v.tick+1:
		s.fate = Again
		if first := &v.pending[r.pending-1]; wire.Newer(first.stamp, p.Position) {
			first.place, first.stamp, first.at = s.place, s.stamp, s.at
		}
		return s
	case r.created == v.tick+1:
		s.fate = JustCreated
		return s
	}
	n := &v.now
	n.sample, n.fate, n.remote, n.pack, n.place, n.at = sample{}, Measured, r, *p, place, at
	if !v.engine.Inspect(guid, n.inspect) {
		n.fate = NotKnown
	}
	s.sample, s.fate = n.sample, n.fate
	if s.fate == Measured && v.portal {
		if s.fate = InPortal; at-v.portalAt > maxPortal*1e9 {
			v.portal, s.fate = false, Measured
		}
	}
	s.worst = Worst{Guid: guid, Seconds: float64(at) / 1e9, Metres: float64(s.sample.distance), Motion: Motion(s.sample.part(0)).String(), Age: -1}
	if r.known {
		s.worst.Age = float64(at-r.at) / 1e9
	}
	return s
}

// comparison is what compare works on: a function that takes it along would have to
// be made for every position.
type comparison struct {
	sample
	fate    Fate
	remote  *remote
	pack    wire.PositionPack
	place   space.Position
	at      int64
	inspect func(*components.Row, *components.Pools)
}

// compare judges by the stamps that the object has, and measures.
func (v *View) compare(row *components.Row, pools *components.Pools) {
	n := &v.now
	r, p, place := n.remote, &n.pack, &n.place
	slots := wire.Slots(row.Stamps.Slot)
	if wire.InstanceGate(true, slots[wire.SlotInstance], p.Instance) == wire.Park {
		n.fate = NotKnown
		return
	}
	gate := wire.PositionGate(&slots, p.Position, p.Teleport)
	switch {
	case slots[wire.SlotInstance] != p.Instance || gate == wire.Drop:
		n.fate = Stale
		return
	case row.Pose.Cell == 0 || row.Identity.Parent != 0:
		n.fate = NoPlace
		return
	case gate == wire.HardPlace:
		n.fate = Teleported
		return
	case !p.Contact():
		n.fate = NoContact
		return
	case place.Cell == 0 || !row.Pose.Cell.NextTo(place.Cell): // a distance would mean nothing (22 §11.4)
		n.fate = FarBlock
		return
	}
	here := &row.Pose.Position
	n.distance, n.horizontal = space.Distance(here, place), space.DistanceXY(here, place)
	n.vertical = space.Abs(place.Frame.Origin[2] - here.Frame.Origin[2])
	n.heading = headingBetween(space.Heading(here.Frame.Rotation), space.Heading(place.Frame.Rotation))
	n.moved = -1
	age := ageFirst
	if r.known {
		if r.last.Cell.NextTo(place.Cell) {
			n.moved = space.Distance(&r.last, place)
		}
		age = 0
		for age < len(Ages) && float64(n.at-r.at)/1e9 > Ages[age] {
			age++
		}
	}
	kind, within := 1, 2
	if isPlayer(row.Identity.Guid) {
		kind = 0
	}
	if v.viewer != nil {
		within = 0
		if !v.viewer.Cell.NextTo(place.Cell) || space.Distance(v.viewer, place) > nearby {
			within = 1
		}
	}
	n.class = classOf(motionOf(row, pools), age, kind, within)
}

// measureOwn compares where the client says he is with where the engine has him, if the
// own object is moved at all (22 §11.3): where others see him, or where his raw states took him.
func (v *View) measureOwn(said *space.Position) {
	place := wire.Settle(*said)
	if v.options.Own == LeftOut || v.own == 0 || v.portal || place.Cell == 0 {
		return
	}
	v.engine.Inspect(v.own, func(row *components.Row, _ *components.Pools) {
		if here := &row.Pose.Position; here.Cell != 0 && here.Cell.NextTo(place.Cell) {
			v.samples.addOwn(space.Distance(here, &place))
		}
	})
}

// headingBetween is the smallest angle between two headings, in degrees.
func headingBetween(a, b float32) float32 {
	d := float32(math.Mod(math.Abs(float64(a-b)), 360))
	return min(d, 360-d)
}

// described looks at a create: what of it the tables lack, and whether its position
// is a sample, as it is for an object that is there already (22 §11.2).
func (v *View) described(r *remote, guid uint32, at int64, msg []byte) (s pendingSample, measures bool) {
	if v.decoder.Into(msg, &v.create) != nil || r == nil {
		return s, false // refused by the engine too, and counted there
	}
	d := &v.create.Physics
	placed := d.Flags&wire.PhysPosition != 0 && d.Parent == 0
	slot, known := uint16(0), false
	v.engine.Inspect(guid, func(row *components.Row, _ *components.Pools) {
		slot, known = row.Stamps.Slot[wire.SlotInstance], true
	})
	gate := wire.CreateGate(known, v.create.Update, slot, d.Stamps[wire.SlotInstance])
	if placed && gate != wire.Drop {
		v.says(r, guid, &d.Position)
	}
	switch gate {
	case wire.Merge:
		v.Seen.Merged++
		if placed {
			p := wire.PositionPack{
				Flags: wire.PackContact, Place: d.Position, Instance: d.Stamps[wire.SlotInstance],
				Position: d.Stamps[wire.SlotPosition], Teleport: d.Stamps[wire.SlotTeleport],
			}
			return v.measure(r, guid, at, &p), true
		}
	case wire.Build, wire.Rebuild:
		r.created = v.tick + 1
		r.known = false
		if _, ok := v.options.Tables.MotionTable(d.MotionTable); !ok && d.MotionTable != 0 {
			v.Seen.NoMotionTable++
		}
		if _, ok := v.options.Tables.Setup(d.Setup); !ok && d.Setup != 0 {
			v.Seen.NoSetup++
		}
		if placed {
			r.last, r.at, r.known, r.placed = wire.Settle(d.Position), at, true, v.tick+1
		}
	}
	return s, false
}

// fade drops objects that have been out of sight for too long: the client does, and
// no message says so (22 §11.4).
func (v *View) fade() {
	view := v.engine.View()
	now := int64(float64(v.tick) / v.hz * 1e9)
	for i, guid := range view.Guid {
		r := v.remotes[guid]
		if r == nil || guid == v.own {
			continue
		}
		if view.Cell[i] == 0 { // in a pack, or held: not out of sight, as far as anybody knows
			r.away = 0
			continue
		}
		gone := false
		switch {
		case v.viewer == nil: // nothing says where he is, but that he went
			gone = v.portals > r.portals && now-r.heard > outOfSight*1e9
		case v.viewer.Cell.NextTo(view.Cell[i]):
			r.away = 0
		case r.away == 0:
			r.away = max(now, 1)
		default:
			gone = now-r.away > outOfSight*1e9
		}
		if gone && v.engine.Remove(guid) {
			r.away, r.fading = 0, true
		}
	}
}
