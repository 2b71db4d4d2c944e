package position

import (
	"math"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

// Clock is what the clock of a fixed tick reads during a tick, in seconds: the
// simulated clock and the wall clock in one.
func Clock(tick uint64, ticksPerSecond float64) float64 { return float64(tick) / ticksPerSecond }

// DueForVoyeurs reports whether half a second passed since the target manager of r
// last ran, if it has one (13 §5 HandleTargetting). A new one is due at once.
func DueForVoyeurs(r *components.Row, p *components.Pools, now float64) bool {
	return r.Rest.Busy&components.Targeting != 0 && due(r.Errand.Targets.Get(&p.TargetManagers).LastRun, now)
}

func due(lastRun, now float64) bool { return !(now-lastRun < TargetInterval) }

// QuietTargets reports whether [Mover.TargetTime], [Mover.StickyTime] and
// [CheckVoyeurs] would do nothing to a mover that stands still, however often
// they came, but move the half-second grid on, which [AdvanceGrid] does; and
// whether what others read of it is as it is now.
func QuietTargets(r *components.Row, p *components.Pools) bool {
	if r.Rest.Busy&(components.Stuck|components.Targeting) == 0 {
		return true
	}
	if t := r.Errand.Target(p); r.Rest.Busy&components.Stuck != 0 || t != nil && t.ID != 0 {
		return false
	}
	here := &r.Pose.Position
	if s := r.Errand.Targets.Get(&p.TargetManagers); s.Place != *here ||
		s.Achieved != (space.Vec3{}) || r.Body.Achieved != (space.Vec3{}) {
		return false
	}
	voyeurs := r.Errand.Voyeurs(p)
	for i := range voyeurs {
		if space.Distance(here, &voyeurs[i].LastSent) > voyeurs[i].Radius {
			return false
		}
	}
	return true
}

// AdvanceGrid returns when a target manager last ran once the ticks after from, up
// to and including to, have passed for a mover that was at rest in them: what
// running it every tick would have left.
func AdvanceGrid(lastRun float64, from, to uint64, ticksPerSecond float64) float64 {
	for from < to {
		tick := firstDue(lastRun, ticksPerSecond, from+1, to)
		if tick > to {
			break
		}
		lastRun = Clock(tick, ticksPerSecond)
		from = tick
	}
	return lastRun
}

// firstDue is the first tick of low to high in which a manager is due, high+1 when none is.
func firstDue(lastRun, ticksPerSecond float64, low, high uint64) uint64 {
	// The clock rounds, so the tick that this gives may be one off.
	tick := low
	if guess := math.Floor((lastRun+TargetInterval)*ticksPerSecond) - 1; guess > float64(low) {
		if guess > float64(high) {
			return high + 1
		}
		tick = uint64(guess)
	}
	for tick <= high && !due(lastRun, Clock(tick, ticksPerSecond)) {
		tick++
	}
	return tick
}
