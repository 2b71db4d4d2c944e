package main

import (
	"slices"

	"github.com/gait-engine/gait/bench"
	"github.com/gait-engine/gait/report"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems"
)

// stand is where the server has a mover after a tick.
type stand struct {
	place space.Position // its rotation is not kept
	since int64          // tick in which it last moved, or meant to
	there bool
}

// held is where the server has all of them.
type held struct {
	tick   int64
	stands []stand // by index
}

// class says what a mover was doing, on the server, when its error was taken.
type class uint8

const (
	monster  class = iota // that moves in this very tick, or runs against something
	player                // likewise
	stopping              // it stands, but has not for as long as settling says
	atRest
	classes
)

var classNames = [classes]string{"moving monsters", "moving players", "just stopped", "at rest"}

// sample is one error.
type sample struct {
	metres float32
	second uint16
	class  class
}

// maxSamples bounds what a client keeps.
const maxSamples = 1 << 20

// scores are one client's errors.
type scores struct {
	settle  int64 // ticks until who stands is at rest
	samples []sample
	trails  map[uint32]*trail // nil: no paths are kept
}

// trail is a remote's path, and how long it was at that time when events came.
type trail struct {
	bench.Path
	length int
	at     []int
}

// trailTicks is how much of a path is kept.
const trailTicks = 300

// look compares what a client shows with what the server holds just then.
func (s *scores) look(v *systems.View, own uint32, now *held, second uint16, sampled bool) {
	if now == nil || !sampled && s.trails == nil {
		return
	}
	for i, guid := range v.Guid {
		k := indexOf(guid)
		if guid == own || k < 0 || k >= len(now.stands) || !now.stands[k].there || v.Cell[i] == 0 {
			continue
		}
		server, client := &now.stands[k], placeAt(v.Cell[i], v.Origin[i])
		if sampled && len(s.samples) < maxSamples {
			c := atRest
			switch still := now.tick - server.since; {
			case still == 0 && guid < firstMonster:
				c = player
			case still == 0:
				c = monster
			case still < s.settle:
				c = stopping
			}
			s.samples = append(s.samples, sample{space.Distance(&server.place, &client), second, c})
		}
		if s.trails != nil {
			t := s.trail(guid)
			t.length++
			t.Server, t.Client = append(t.Server, inPlan(&server.place)), append(t.Client, inPlan(&client))
			if n := len(t.Server) - trailTicks; n > 0 {
				t.Server, t.Client = t.Server[n:], t.Client[n:]
			}
		}
	}
}

func (s *scores) trail(guid uint32) *trail {
	t := s.trails[guid]
	if t == nil {
		t = &trail{Path: bench.Path{Guid: guid}}
		s.trails[guid] = t
	}
	return t
}

// told notes what a position event said.
func (s *scores) told(guid uint32, place *space.Position) {
	if s.trails == nil || place.Cell == 0 {
		return
	}
	t := s.trail(guid)
	t.Events, t.at = append(t.Events, inPlan(place)), append(t.at, t.length)
	for len(t.at) > 0 && t.at[0] < t.length-trailTicks { // before the path that is kept begins
		t.Events, t.at = t.Events[1:], t.at[1:]
	}
}

// paths chooses three.
func (s *scores) paths() []bench.Path {
	var all []bench.Path
	for _, t := range s.trails {
		if len(t.Server) == trailTicks {
			n, _ := slices.BinarySearch(t.at, t.length-trailTicks)
			t.Events = t.Events[n:]
			all = append(all, t.Path)
		}
	}
	slices.SortFunc(all, func(a, b bench.Path) int { return int(int64(a.Guid) - int64(b.Guid)) })
	return bench.ChoosePaths(all)
}

func placeAt(cell space.CellID, origin space.Vec3) space.Position {
	return space.Position{Cell: cell, Frame: space.Frame{Origin: origin}}
}

// inPlan is where a place is, seen from above, in m from the world's corner.
func inPlan(p *space.Position) [2]float64 {
	w := space.InWorld(p.Cell, p.Frame.Origin)
	return [2]float64(w[:2])
}

// spread is how errors in metres are distributed.
type spread struct {
	count                  int
	p50, p95, p99, largest float64
}

func spreadOf(metres []float64) spread {
	slices.Sort(metres)
	at := func(part float64) float64 { return report.Percentile(metres, part) }
	return spread{len(metres), at(0.5), at(0.95), at(0.99), at(1)}
}

// of returns the errors of one class.
func of(samples []sample, c class) (metres []float64) {
	for i := range samples {
		if samples[i].class == c {
			metres = append(metres, float64(samples[i].metres))
		}
	}
	return metres
}
