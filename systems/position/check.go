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
// that does not hold.
func Check(r components.Row, p *components.Pools) error {
	if err := checkPose(&r.Pose.Position); err != nil {
		return err
	}
	if err := checkBody(r.Body); err != nil {
		return err
	}
	if err := checkChase(r.Chase, p); err != nil {
		return err
	}
	for _, a := range []*space.Position{&r.Anchors.BlipTo, &r.Anchors.Leash} {
		if !finitePosition(a) {
			return broken("anchor %v is not finite", *a)
		}
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

// checkPose: a valid frame, and outdoors a cell that contains its origin. The
// wrap into another block rounds, so a point on the edge may be either side's.
func checkPose(p *space.Position) error {
	if !p.Frame.Valid() {
		return broken("frame %v is not valid", p.Frame)
	}
	if p.Cell == 0 || p.Cell.Indoors() {
		return nil
	}
	x, y, ok := p.Cell.LCoord()
	if !ok {
		return broken("cell %#08x is not in the world", uint32(p.Cell))
	}
	for i, low := range [2]float32{float32(x&7) * space.CellSide, float32(y&7) * space.CellSide} {
		if o := p.Frame.Origin[i]; o < low-space.Eps || o > low+space.CellSide+space.Eps {
			return broken("origin %v is not in cell %#08x", p.Frame.Origin, uint32(p.Cell))
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
	if !(b.Friction >= 0 && b.Friction <= 1) || !(b.Elasticity >= 0 && b.Elasticity <= MaxElasticity) {
		return broken("friction %v, elasticity %v", b.Friction, b.Elasticity)
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
