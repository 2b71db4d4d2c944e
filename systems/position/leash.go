package position

import (
	"math"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

// ConstrainTo ties the leash at p, with start and max in metres, and activates
// the body (spec 13 §4, 11 §3).
func (m *Mover) ConstrainTo(p space.Position, start, max float32) {
	m.SetActive(true)
	*m.Anchors.Leash.Make(&m.Pools.Places) = p
	*m.Leash = components.Leash{
		Constrained: true,
		Travelled:   min(space.Distance(&p, &m.Pose.Position), math.MaxFloat32),
		Start:       start,
		Max:         max,
	}
}

// UnConstrain lets go; the odometer stands (spec 13 §4).
func UnConstrain(l *components.Leash) { l.Constrained = false }

// IsFullyConstrained reports whether the body went more than nine tenths of the
// leash, tied or not (spec 13 §4).
func IsFullyConstrained(l *components.Leash) bool {
	return l.Travelled > float32(FullyConstrained*l.Max)
}

// AdjustLeash scales the step's translation down as the leash is used up, and
// counts what is left of it (spec 13 §4 adjust_offset). It counts the way gone,
// in whatever direction.
func AdjustLeash(l *components.Leash, b *components.Body, off *space.Vec3) {
	if !l.Constrained || space.Zero(off) {
		return
	}
	if b.Transient&components.Contact != 0 {
		switch {
		case !(l.Travelled < l.Max):
			*off = space.Vec3{}
		case l.Travelled > l.Start:
			space.ScaleBy(off, (l.Max-l.Travelled)/(l.Max-l.Start))
		}
	}
	CountWay(l, space.LengthOf(off[0], off[1], off[2]))
}

// Slack reports whether the leash takes nothing off the next step: then [CountWay] is all
// that [AdjustLeash] does.
func Slack(l *components.Leash) bool {
	return !l.Constrained || l.Travelled < l.Max && !(l.Travelled > l.Start)
}

// CountWay counts a way gone on the leash, m.
func CountWay(l *components.Leash, way float32) {
	if l.Constrained {
		l.Travelled = min(l.Travelled+way, math.MaxFloat32)
	}
}

// LeashTo ties the leash at p, as long as it is where the body stands. Every accepted position
// event does so: of a remote where it stands, of the local player where the event has him (spec
// 12 §3 step 6, 13 §4).
func (m *Mover) LeashTo(p *space.Position) {
	start, max := LeashStartOutdoors, LeashMaxOutdoors
	if m.Pose.Cell.Indoors() {
		start, max = LeashStartIndoors, LeashMaxIndoors
	}
	m.ConstrainTo(*p, start, max)
}
