package systems

import (
	"fmt"

	"github.com/gait-engine/gait/components"
)

const (
	maxScale = 1e3
	// rampAtOnce is the time in seconds under which a change of scale takes none (15 §4).
	rampAtOnce = 0.0002
)

func validScale(s float32) bool { return s > 0 && s <= maxScale }

// size finds radius and height from setup and scale (11 §12).
func (e *Engine) size(t *components.Traits, setup int32, scale float32) {
	if setup >= 0 {
		f := &e.tables.Setups[setup]
		t.Radius, t.Height = float32(f.Radius*scale), float32(f.Height*scale)
	}
}

// scaleTo is a Scale hook (15 §4). One that would make a remote nothing, or
// beyond all measure, does nothing. There is one ramp: a new one takes the place
// of what is under way.
func (m *mover) scaleTo(end, seconds float32) {
	switch r := m.row(); {
	case !validScale(end):
	case seconds < rampAtOnce:
		m.setScale(end)
	default:
		p := &m.w.e.world.Pools
		*r.Errand.Own.Make(&p.Errands).Ramp.Make(&p.Ramps) = components.Ramp{
			Start: r.Rest.Scale, End: end, Seconds: seconds, Began: m.Now(),
		}
		r.Rest.Busy |= components.Ramping
	}
}

// ramp brings the scale to where its ramp is by now; the last time to its end.
func (m *mover) ramp() {
	r, p := m.row(), &m.w.e.world.Pools
	g := r.Errand.Ramp(p)
	part := (m.Now() - g.Began) / float64(g.Seconds)
	s := g.Start + float32(float64(g.End-g.Start)*part)
	if part >= 1 || !validScale(s) {
		s = g.End
	}
	m.setScale(s)
	if part >= 1 {
		r.Errand.EndRamp(p)
		r.Rest.Busy &^= components.Ramping
	}
}

func (m *mover) setScale(s float32) {
	r := m.row()
	r.Rest.Scale = s
	m.w.e.size(r.Traits, r.Identity.Setup, s)
	r.Rest.Busy &^= components.Scaled
	if s != 1 {
		r.Rest.Busy |= components.Scaled
	}
}

// checkScale: a scale in range, which the busy bits repeat.
func (e *Engine) checkScale(r *components.Row) error {
	g := r.Errand.Ramp(&e.world.Pools)
	if s := r.Rest.Scale; !validScale(s) || (s != 1) != (r.Rest.Busy&components.Scaled != 0) {
		return fmt.Errorf("scale %v, busy %b", s, r.Rest.Busy)
	}
	if (g != nil) != (r.Rest.Busy&components.Ramping != 0) {
		return fmt.Errorf("ramp %+v, busy %b", g, r.Rest.Busy)
	}
	if g != nil && (!validScale(g.Start) || !validScale(g.End) || !(g.Seconds >= rampAtOnce) || !(g.Began >= 0)) {
		return fmt.Errorf("ramp %+v", *g)
	}
	return nil
}
