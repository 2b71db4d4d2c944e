package replay

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/wire/transport"
)

// Path is where one remote was around one of the largest errors, in metres east and
// north of where it was said to be then.
type Path struct {
	Worst
	Client [][2]float64 // where the engine had it, tick by tick
	Events [][2]float64 // what position events said, those that were not stale
}

// The span of a path around its error, in s.
const (
	pathBefore = 6
	pathAfter  = 3
)

// Paths replays captures once more, as [Run] does, and follows remotes around errors
// that a report of theirs lists.
func Paths(paths []string, o Options, worst []Worst) ([]Path, error) {
	r := &runner{options: o, room: NewRoom()}
	all := make([]trail, len(worst))
	for i := range worst {
		all[i].Worst = worst[i]
	}
	r.options.AfterTick = func(c *transport.Connection, v *View) {
		at := float64(v.tick) / v.hz
		for i := range all {
			if p := &all[i]; p.covers(v.connection, at) {
				v.engine.Inspect(p.Guid, func(row *components.Row, _ *components.Pools) {
					if row.Pose.Cell != 0 {
						p.client = append(p.client, fromAbove(&row.Pose.Position))
					}
				})
			}
		}
		if o.AfterTick != nil {
			o.AfterTick(c, v)
		}
	}
	r.placed = func(c *transport.Connection, guid uint32, ns int64, place *space.Position) {
		at := float64(ns) / 1e9
		for i := range all {
			p := &all[i]
			if p.Guid != guid || !p.covers(r.streams+c.ID, at) || place.Cell == 0 {
				continue
			}
			p.events = append(p.events, fromAbove(place))
			if at == p.Seconds {
				p.origin = fromAbove(place)
			}
		}
	}
	if _, err := r.run(paths); err != nil {
		return nil, err
	}
	out := make([]Path, len(all))
	for i := range all {
		out[i] = all[i].path()
	}
	return out, nil
}

// trail is a path that is being followed, in metres from the world's corner.
type trail struct {
	Worst
	origin         [2]float64
	client, events [][2]float64
}

func (p *trail) covers(connection int, at float64) bool {
	return p.Connection == connection && at >= p.Seconds-pathBefore && at <= p.Seconds+pathAfter
}

func (p *trail) path() Path {
	from := func(places [][2]float64) [][2]float64 {
		for i := range places {
			places[i][0] -= p.origin[0]
			places[i][1] -= p.origin[1]
		}
		return places
	}
	return Path{p.Worst, from(p.client), from(p.events)}
}

// fromAbove is a place in metres east and north of the world's corner.
func fromAbove(p *space.Position) [2]float64 {
	at := space.InWorld(p.Cell, p.Frame.Origin)
	return [2]float64(at[:2])
}
