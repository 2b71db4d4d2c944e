package motion

import (
	"math"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

const (
	farthest      = math.MaxFloat32 // m, a distance that was not measured yet (06 §6.1)
	progressTime  = 1.0             // s between two looks at the progress (R6.19)
	leastProgress = 0.25            // m/s (R6.19)
	onCourse      = 20              // degrees off the way that need no correction (R6.18)
	leastPace     = 0.1             // m/s, below which no time of arrival is guessed (R6.18)
	etaTolerance  = 1.0             // s (R6.18)
)

// MoveToTime is the manager's clock, once a quantum after the commit (R6.16,
// D-22). Nothing happens in the air, nor before the first target update.
func (m *Mover) MoveToTime() {
	s := m.Errand.MoveTo(m.Pools)
	if s == nil || m.Body.Transient&components.Contact == 0 || s.Nodes.Len == 0 ||
		s.TopID != 0 && s.Type != 0 && !s.Initialized {
		return
	}
	if n := s.Nodes.Items(&m.Pools.MoveToNodes)[0]; n.Turn {
		m.handleTurn(s, n.Heading)
	} else {
		m.handleMove(s)
	}
}

// resumeMoveTo is the manager's part of hitting ground (R6.25).
func (m *Mover) resumeMoveTo() {
	if m.MovingTo() != InvalidMovement {
		m.beginNext(m.Errand.MoveTo(m.Pools))
	}
}

// beginNext begins the node at the head, passing over those that need nothing
// done; without one the order has arrived (R6.13).
func (m *Mover) beginNext(s *components.MoveTo) {
	for s.Nodes.Len > 0 {
		n, needless := s.Nodes.Items(&m.Pools.MoveToNodes)[0], false
		if n.Turn {
			needless = m.beginTurn(s, n.Heading)
		} else {
			needless = m.beginMove(s)
		}
		if !needless {
			return
		}
		m.popNode(s)
	}
	m.arrive(s)
}

// beginMove begins to go to the goal; it reports whether that is needless. The
// choice between walking and running is made here, once (R6.14).
func (m *Mover) beginMove(s *components.MoveTo) (needless bool) {
	dist := m.goalDistance(s)
	c, hold, away := getCommand(&s.Params, dist)
	if c == 0 {
		return true
	}
	p := ownParams(s, s.Params.Speed)
	p.HoldKey = hold
	if e := m.moveToDo(c, &p); e != 0 {
		m.CancelMoveTo(e)
		return false
	}
	s.CurrentCommand, s.MovingAway = c, away // as asked for, not as adjusted
	s.Params.HoldKey = hold
	m.restartProgress(s, dist)
	return false
}

// beginTurn begins to turn to a heading, the shorter way; it reports whether
// that is needless. While motions are pending it waits for the clock (R6.15).
func (m *Mover) beginTurn(s *components.MoveTo, heading float32) (needless bool) {
	if m.MotionsPending() {
		return false
	}
	d := headingDiff(heading, m.heading(), TurnRight)
	var c uint32
	switch {
	case d <= space.Eps:
		return true
	case d <= 180:
		c = TurnRight
	case d+space.Eps < 360:
		c = TurnLeft
	default:
		return true
	}
	p := ownParams(s, s.Params.Speed)
	if e := m.moveToDo(c, &p); e != 0 {
		m.CancelMoveTo(e)
		return false
	}
	s.CurrentCommand = c
	s.PrevHeading = d // the difference, not a heading
	return false
}

// handleTurn looks whether a turn is done; then the heading snaps to what was
// asked for (R6.17).
func (m *Mover) handleTurn(s *components.MoveTo, heading float32) {
	c := s.CurrentCommand
	if c != TurnRight && c != TurnLeft {
		m.beginNext(s)
		return
	}
	h := m.heading()
	if headingGreater(h, heading, c) {
		s.FailCount = 0
		m.Pose.Frame.Rotation = space.SetHeading(m.Pose.Frame.Rotation, heading)
		m.popNode(s)
		p := ownParams(s, 1)
		m.moveToStop(c, &p)
		s.CurrentCommand = 0
		m.beginNext(s)
		return
	}
	d := headingDiff(h, s.PrevHeading, c)
	s.PrevHeading = h
	if d > space.Eps && d < 180 {
		s.FailCount = 0
	} else {
		m.countFailure(s)
	}
}

// handleMove keeps a mover on his way and looks whether he is there, or has
// gone too far (R6.18, D-24).
func (m *Mover) handleMove(s *components.MoveTo) {
	p := ownParams(s, s.Params.Speed) // one for all calls (R6.10)
	m.steer(s, &p)
	dist := m.goalDistance(s)
	if m.progress(s, dist) {
		s.FailCount = 0
		switch {
		case arrived(s, dist):
			m.popNode(s)
			m.moveToStop(s.CurrentCommand, &p)
			s.CurrentCommand = 0
			m.stopAux(s, &p)
			m.beginNext(s)
		case clamp(space.Distance(&s.Start, &m.Pose.Position)) > s.Params.FailDistance:
			m.CancelMoveTo(YouChargedTooFar)
		}
	} else {
		m.countFailure(s)
	}
	m.paceTarget(s, dist)
}

// steer turns a mover who is off his course while he walks on (R6.18 step 1).
func (m *Mover) steer(s *components.MoveTo, p *components.MoveParams) {
	if m.MotionsPending() {
		m.stopAux(s, p)
		return
	}
	want := wrapOnce(desiredOffset(s.CurrentCommand, s.MovingAway) + space.HeadingTo(&m.Pose.Position, &s.Goal))
	d := headingDiff(want, m.heading(), TurnRight)
	if d <= onCourse || d >= 360-onCourse {
		m.stopAux(s, p)
		return
	}
	c := TurnRight
	if d >= 180 {
		c = TurnLeft
	}
	if c != s.AuxCommand {
		m.moveToDo(c, p)
		s.AuxCommand = c
	}
}

func (m *Mover) stopAux(s *components.MoveTo, p *components.MoveParams) {
	if s.AuxCommand != 0 {
		m.moveToStop(s.AuxCommand, p)
		s.AuxCommand = 0
	}
}

// arrived is the test of 06 §6.5 R6.18 step 3.
func arrived(s *components.MoveTo, dist float32) bool {
	if s.MovingAway {
		return dist >= s.Params.MinDistance
	}
	return dist <= s.Params.DistanceToObject
}

// progress reports whether the mover gets on; in the first second of a window
// he does. A window that has passed without progress goes on (R6.19).
func (m *Mover) progress(s *components.MoveTo, dist float32) bool {
	now := m.Host.Now()
	t := now - s.PrevTime
	if t <= progressTime {
		return true
	}
	if closing(s, s.PrevDistance, dist) < leastProgress*t {
		return false
	}
	s.PrevDistance, s.PrevTime = dist, now
	return closing(s, s.OrigDistance, dist) >= leastProgress*(now-s.OrigTime)
}

// closing is by how much, in m, dist is better than before.
func closing(s *components.MoveTo, before, dist float32) float64 {
	if s.MovingAway {
		return float64(dist) - float64(before)
	}
	return float64(before) - float64(dist)
}

// restartProgress begins to measure anew, from dist.
func (m *Mover) restartProgress(s *components.MoveTo, dist float32) {
	now := m.Host.Now()
	s.PrevDistance, s.OrigDistance = dist, dist
	s.PrevTime, s.OrigTime = now, now
}

// countFailure counts a quantum that brought nothing, unless something else
// accounts for it. Nothing reads the count, and it never ends a move-to.
func (m *Mover) countFailure(s *components.MoveTo) {
	if m.Chase.Queue.Len == 0 && !m.MotionsPending() {
		s.FailCount++
	}
}

// paceTarget asks for news of the target about as often as it takes to get
// there (R6.18 step 4).
func (m *Mover) paceTarget(s *components.MoveTo, dist float32) {
	if s.TopID == 0 || s.Type == 0 {
		return
	}
	v := space.Length(m.Body.Achieved)
	if !(v > leastPace) {
		return
	}
	eta := clamp(dist / v)
	if space.Abs(eta-m.Host.TargetQuantum()) > etaTolerance {
		m.Host.SetTargetQuantum(eta)
	}
}

// heading is the way the mover faces, in compass degrees.
func (m *Mover) heading() float32 { return space.Heading(m.Pose.Frame.Rotation) }
