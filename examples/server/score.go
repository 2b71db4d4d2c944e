package main

import (
	"math"
	"slices"
	"sync/atomic"

	"github.com/gait-engine/gait/bench"
	"github.com/gait-engine/gait/report"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems"
)

// stand is where the server has a mover after a tick.
type stand struct {
	place [3]float64 // m from the world's corner
	since int64      // tick in which it last moved, or meant to
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
	moving   class = iota // in this very tick, or against something
	stopping              // it stands, but has not for as long as settling says
	atRest
	classes
)

var classNames = [classes]string{"moving", "just stopped", "at rest"}

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
		server, client := &now.stands[k], space.InWorld(v.Cell[i], v.Origin[i])
		if sampled && len(s.samples) < maxSamples {
			c := atRest
			switch still := now.tick - server.since; {
			case still == 0:
				c = moving
			case still < s.settle:
				c = stopping
			}
			s.samples = append(s.samples, sample{float32(apart(server.place, client)), second, c})
		}
		if s.trails != nil {
			t := s.trail(guid)
			t.length++
			t.Server, t.Client = append(t.Server, [2]float64(server.place[:2])), append(t.Client, [2]float64(client[:2]))
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
	t, at := s.trail(guid), space.InWorld(place.Cell, place.Frame.Origin)
	t.Events, t.at = append(t.Events, [2]float64(at[:2])), append(t.at, t.length)
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

func apart(a, b [3]float64) float64 {
	return math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2]))
}

// Errors are a summary of errors in metres.
type Errors struct {
	Count         int
	P50, P95, P99 float64
	Largest       float64
}

func summary(metres []float64) Errors {
	slices.Sort(metres)
	e := Errors{Count: len(metres), P50: report.Percentile(metres, 0.5), P95: report.Percentile(metres, 0.95), P99: report.Percentile(metres, 0.99)}
	e.Largest = report.Percentile(metres, 1)
	return e
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

// now is where the server has all, for clients to compare with.
type now struct{ latest atomic.Pointer[held] }
