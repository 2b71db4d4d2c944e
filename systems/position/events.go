package position

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

// Outcome says what became of a position event, or of a step's [Mover.UseTime].
type Outcome uint8

const (
	Ignored    Outcome = iota // nothing happened: in the air it is the body's own physics that count
	Teleported                // set, and everything about it reset
	Snapped                   // set, being far from the viewer
	Queued                    // chased from now on
	Armed                     // queued beyond the blip distance: the next UseTime blips
	Closed                    // the body stands there: heading taken, queue dropped
	Blipped                   // set, after a chase that failed
)

var outcomeNames = [...]string{"ignored", "teleported", "snapped", "queued", "armed", "closed", "blipped"}

func (o Outcome) String() string {
	if int(o) < len(outcomeNames) {
		return outcomeNames[o]
	}
	return "unknown outcome"
}

// Moved reports whether the body was set somewhere at once.
func (o Outcome) Moved() bool { return o == Teleported || o == Snapped || o == Blipped }

// Result is an outcome and, if that moved the body, from where to where. They
// are equal when the placement was refused.
type Result struct {
	Outcome  Outcome
	From, To space.Position
}

// PositionEvent does what an inbound position event that passed its stamps asks
// for (spec 12 §3 step 6): p by [Mover.MoveOrTeleport], and when that did
// anything the leash is tied anew where the body is. contact is the event's
// grounded flag, teleport that its teleport stamp was newer.
func (m *Mover) PositionEvent(p *space.Position, contact, teleport bool) Outcome {
	o := m.MoveOrTeleport(p, contact, teleport)
	if o != Ignored {
		m.LeashTo(&m.Pose.Position)
	}
	return o
}

// MoveOrTeleport is 12 §4 for an event whose teleport stamp is not older.
func (m *Mover) MoveOrTeleport(p *space.Position, contact, teleport bool) Outcome {
	if teleport || m.Pose.Cell == 0 || m.Body.Transient&components.Lost != 0 {
		m.TeleportHook()
		return m.set(p, Teleported)
	}
	if !contact {
		return Ignored
	}
	if m.Body.PlayerDistance >= FarDistance {
		m.StopInterpolating()
		return m.set(p, Snapped)
	}
	return m.InterpolateTo(p, m.Host.MovingTo())
}

// set places the body hard, whatever comes of it.
func (m *Mover) set(p *space.Position, o Outcome) Outcome {
	m.Host.Place(*p, PlaceHard)
	return o
}

// TeleportHook ends what the body was about before it is elsewhere (spec 11 §9).
// Velocity and contact stay.
func (m *Mover) TeleportHook() {
	m.Host.CancelMoveTo(CancelTeleport)
	m.Unstick()
	m.StopInterpolating()
	UnConstrain(m.Leash)
	m.ClearTarget()
	NotifyVoyeurs(m.Row, m.Pools, components.TargetTeleported, m.Host.Tell)
	m.EndAllEncounters()
}

// ExitWorld is the part of exit_world that is about position (spec 11 §9): the
// body lets go of whom it targets, and those who target it hear that it is gone.
// It must still be in the world for them to let go of.
func (m *Mover) ExitWorld() {
	m.Unstick()
	m.ClearTarget()
	NotifyVoyeurs(m.Row, m.Pools, components.TargetExitWorld, m.Host.Tell)
	m.EndAllEncounters()
}
