package position

import (
	"errors"
	"fmt"
	"math"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

// ErrInvariant is what every error of [Check] wraps: a programming error in the engine.
var ErrInvariant = errors.New("position invariant broken")

// Check walks the invariants of a row's position state and returns the first
// that does not hold. offset is how far, in
// metres, its first sphere lies from its origin where that is what decides which
// cell it is in (10 §7.1), else 0.
func Check(r components.Row, p *components.Pools, offset float32) error {
	if err := checkPose(&r.Pose.Position, offset); err != nil {
		return err
	}
	if err := checkBody(r.Body); err != nil {
		return err
	}
	if err := checkChase(r.Chase, p); err != nil {
		return err
	}
	for _, b := range []*components.Box[space.Position]{&r.Anchors.BlipTo, &r.Anchors.Leash} {
		a := b.Value(&p.Places)
		if !b.Empty() && a == (space.Position{}) {
			return broken("an anchor that is nowhere lies in a box")
		}
		if !finitePosition(&a) {
			return broken("anchor %v is not finite", a)
		}
	}
	if err := checkSticky(&r, p); err != nil {
		return err
	}
	if err := checkTarget(&r, p); err != nil {
		return err
	}
	l := r.Leash
	if !space.Finite(l.Travelled) || l.Travelled < 0 || !space.Finite(l.Start) || !space.Finite(l.Max) {
		return broken("leash %+v", *l)
	}
	return nil
}

func broken(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrInvariant, fmt.Sprintf(format, args...))
}

func finitePosition(p *space.Position) bool {
	q := p.Frame.Rotation
	return space.FiniteVec(p.Frame.Origin) && space.Finite(q.W) && space.FiniteVec(q.V)
}

// checkPose: a valid frame, and outdoors an origin in the cell's landblock. The
// cell itself may be another of that block for a body that was put there and has
// not moved yet (5.6a keeps it); the wrap into another block rounds.
func checkPose(p *space.Position, offset float32) error {
	if !p.Frame.Valid() {
		return broken("frame %v is not valid", p.Frame)
	}
	if p.Cell == 0 || p.Cell.Indoors() {
		return nil
	}
	if _, _, ok := p.Cell.LCoord(); !ok {
		return broken("cell %#08x is not in the world", uint32(p.Cell))
	}
	for _, o := range p.Frame.Origin[:2] {
		if o < -space.Eps-offset || o > space.BlockSide+space.Eps+offset {
			return broken("origin %v is not in the block of cell %#08x", p.Frame.Origin, uint32(p.Cell))
		}
	}
	return nil
}

func checkBody(b *components.Body) error {
	for _, v := range []space.Vec3{b.Velocity, b.Omega, b.Achieved, b.ContactNormal} {
		if !space.FiniteVec(v) {
			return broken("body vectors %+v", *b)
		}
	}
	if !(b.Friction >= 0 && b.Friction <= 1) {
		return broken("friction %v", b.Friction)
	}
	if !(b.PlayerDistance >= 0) || math.IsInf(float64(b.PlayerDistance), 0) {
		return broken("player distance %v", b.PlayerDistance)
	}
	return nil
}

func checkChase(c *components.Chase, p *components.Pools) error {
	if c.Queue.Len > QueueCapacity {
		return broken("queue of %d nodes", c.Queue.Len)
	}
	if inline := c.Queue.Len <= uint32(len(c.Queue.Inline)); inline != (c.Queue.Over == 0) {
		return broken("queue of %d nodes in slab %d", c.Queue.Len, c.Queue.Over)
	}
	for i, n := range c.Queue.Items(&p.Chase) {
		if n.Kind < components.ChasePosition || n.Kind > components.ChaseVelocity {
			return broken("node %d of kind %d", i, n.Kind)
		}
		if !space.FiniteVec(n.Velocity) || !finitePosition(&n.Place) {
			return broken("node %d %+v", i, n)
		}
	}
	if c.Fail < 0 || c.FrameCounter < 0 || c.FrameCounter >= ProgressWindow ||
		!(c.Progress >= 0) || !space.Finite(c.Progress) || !(c.OriginalDistance >= 0) || !space.Finite(c.OriginalDistance) {
		return broken("chase: fail %d, counter %d, progress %v, original distance %v",
			c.Fail, c.FrameCounter, c.Progress, c.OriginalDistance)
	}
	return nil
}

func checkSticky(r *components.Row, p *components.Pools) error {
	s := r.Errand.Sticky(p)
	if stuck := r.Rest.Busy&components.Stuck != 0; stuck != (s != nil && s.TargetID != 0) {
		return broken("stuck %v, sticky %+v", stuck, s)
	}
	if s == nil {
		return nil
	}
	if s.Initialized && s.TargetID == 0 || !space.Finite(s.Radius) || !finiteTime(s.Deadline) || !finitePosition(&s.Place) {
		return broken("sticky %+v", *s)
	}
	return nil
}

func checkTarget(r *components.Row, p *components.Pools) error {
	m := r.Errand.Targets.Get(&p.TargetManagers)
	if managed := r.Rest.Busy&components.Targeting != 0; managed != (m != nil) {
		return broken("targeting %v, target manager %+v", managed, m)
	}
	if m == nil {
		return nil
	}
	if !finiteTime(m.LastRun) || !finitePosition(&m.Place) || !finitePosition(&m.Committed) || !space.FiniteVec(m.Achieved) {
		return broken("target manager %+v", *m)
	}
	if t := m.Target.Get(&p.Targets); t != nil {
		if t.ID == 0 && *t != (components.Target{}) || t.Status > components.TargetTimedOut || !finiteTime(t.LastUpdate) ||
			!space.Finite(t.Radius) || !space.Finite(t.Quantum) || !finitePosition(&t.Place) || !finitePosition(&t.Interpolated) ||
			!space.FiniteVec(t.Heading) || !space.FiniteVec(t.Velocity) {
			return broken("target %+v", *t)
		}
	}
	voyeurs := m.Voyeurs.Items(&p.Voyeurs)
	for i := range voyeurs {
		v := &voyeurs[i]
		if v.ID == 0 || !space.Finite(v.Radius) || !space.Finite(v.Quantum) || !finitePosition(&v.LastSent) {
			return broken("voyeur %d %+v", i, *v)
		}
		for k := range voyeurs[:i] {
			if voyeurs[k].ID == v.ID {
				return broken("voyeurs %d and %d are both %#08x", k, i, v.ID)
			}
		}
	}
	return nil
}

// finiteTime: a clock's reading in seconds.
func finiteTime(t float64) bool { return t >= 0 && t <= math.MaxFloat64 }
