package main

import (
	"math"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/systems/collision"
)

// footing keeps movers from resting where a client cannot put them.
//
// A client puts down hard whom it sees 96 m away or farther (12 §4), and placement
// (14 §8) is stricter than the sweep that has brought him there: it refuses who stands
// in a doorway with his cell still outdoors, or with his toes in the sea, and puts
// aside who stands in somebody else, as two come to do that run into each other in
// the same tick. His copy would stay where it was, or half a metre off. So whoever
// has come to rest is put down by the server first.
type footing struct {
	world collision.World
	sweep collision.Sweep
	body  collision.Body
}

func newFooting(s *setup) *footing {
	f := &footing{world: collision.World{Tables: s.tables, Shapes: &s.tables.Shapes, Land: s.ground.Land}}
	f.sweep.World = &f.world
	return f
}

// reach are the distances, in m, at which a place is looked for, in so many directions.
var reach = []float64{0.05, 0.1, 0.2, 0.4, 0.8, 1.6}

const directions = 8

// near returns the nearest place to a mover's own at which land and houses let it be
// put down; its own if that is one, or if there is none.
func (f *footing) near(r *components.Row) space.Position {
	f.world.Body(&collision.Obstacle{Scale: r.Rest.Scale, Setup: r.Identity.Setup, State: r.Body.State}, &f.body)
	own := r.Pose.Position
	if f.takes(own) {
		return own
	}
	for _, d := range reach {
		for k := range directions {
			sin, cos := space.SinCos(float64(k) * 2 * math.Pi / directions)
			at := own
			at.Frame.Origin[0] += float32(d * sin)
			at.Frame.Origin[1] += float32(d * cos)
			if f.takes(at) {
				return *f.sweep.Position()
			}
		}
	}
	return own
}

// takes reports whether the body can be put down at a place.
func (f *footing) takes(at space.Position) bool {
	return f.world.Adjust(&at, f.body.Spheres[0].Centre, true) && f.sweep.Place(&f.body, &at, false)
}

// restsAfter is after how many seconds of standing a mover has come to rest.
const restsAfter = 0.5

// putDown puts down a mover that has come to rest. A monster always: that makes room
// between it and others. A player only where he cannot be, since that takes him from
// his client for as long as the way there and back.
func (v *server) putDown(guid uint32) error {
	c := systems.Command{Guid: guid, Do: systems.DoPosition, Contact: true, Force: true}
	own := false
	v.engine.Inspect(guid, func(r *components.Row, _ *components.Pools) {
		c.Place = v.footing.near(r)
		own = c.Place == r.Pose.Position
	})
	if own && guid < firstMonster {
		return nil
	}
	if !own {
		v.corrected++
	}
	return v.engine.Command(c)
}
