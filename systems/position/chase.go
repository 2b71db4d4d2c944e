package position

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

// InterpolateTo queues target to go to, or takes its heading when the body
// stands there already; keep says to keep the body's heading (spec 12 §5). It
// returns Queued, Armed (too far: the next [UseTime] blips) or Closed.
func (m *Mover) InterpolateTo(target *space.Position, keep bool) Outcome {
	m.SetActive(true)
	c, pool := m.Chase, &m.Pools.Chase
	here := &m.Pose.Position

	ref := here
	if n := c.Queue.Items(pool); len(n) > 0 && n[len(n)-1].Kind == components.ChasePosition {
		ref = &n[len(n)-1].Place
	}
	way := space.Distance(ref, target)
	if way > blipDistance(here.Cell) {
		// The heading goes by the last target queued before (D-47).
		m.queue(target, c.KeepHeading)
		c.Fail = FailLimit + 1
		return Armed
	}
	if space.Distance(here, target) > CloseDistance {
		if way < CloseDistance { // then ref is the last node
			m.dropNear(target)
		}
		c.KeepHeading = keep
		m.queue(target, keep)
		return Queued
	}
	if !keep {
		r := &m.Pose.Frame.Rotation
		*r = space.SetHeading(*r, space.Heading(target.Frame.Rotation))
	}
	m.StopInterpolating()
	return Closed
}

// dropNear takes out the places at the end of the queue that are close to target.
func (m *Mover) dropNear(target *space.Position) {
	c, pool := m.Chase, &m.Pools.Chase
	n := c.Queue.Items(pool)
	near := len(n)
	for near > 0 && n[near-1].Kind == components.ChasePosition && space.Distance(&n[near-1].Place, target) < CloseDistance {
		near--
	}
	c.Queue.Remove(pool, near, len(n))
}

// queue appends a position node, dropping the oldest ones when the queue is full
// (12 §2). Beyond the blip distance retail does not look at the length; it must
// be bounded for bodies whose UseTime never comes, and what the next UseTime
// does is the same.
func (m *Mover) queue(target *space.Position, keep bool) {
	c, pool := m.Chase, &m.Pools.Chase
	if over := int(c.Queue.Len) - (QueueCapacity - 1); over > 0 {
		c.Queue.Remove(pool, 0, over)
	}
	n := c.Queue.Add(pool)
	n.Place = *target
	n.Velocity, n.Kind = space.Vec3{}, components.ChasePosition
	if keep {
		r := &n.Place.Frame.Rotation
		*r = space.SetHeading(*r, space.Heading(m.Pose.Frame.Rotation))
	}
	m.Rest.Busy |= components.Chases
}

// blipDistance is how far away a target may be and still be walked to, for a body in cell (spec 12 §2).
func blipDistance(cell space.CellID) float32 {
	if cell.Indoors() {
		return BlipDistanceIndoors
	}
	return BlipDistanceOutdoors
}

// StopInterpolating drops the queue and what was counted on the way (spec 12 §5).
func (m *Mover) StopInterpolating() {
	c := m.Chase
	c.Queue.Clear(&m.Pools.Chase)
	c.FrameCounter, c.Progress, c.Fail = 0, 0, 0
	c.OriginalDistance = NoDistance
}

// IsInterpolating reports whether anything is queued (spec 12 §5).
func IsInterpolating(c *components.Chase) bool { return c.Queue.Len > 0 }

// AdjustOffset replaces the step's offset by a step towards the head of the
// queue, and reports whether it did (spec 12 §6). maxSpeed is the interpreter's
// adjusted max speed in m/s (05 R5.12), 0 without one; it is not read while the
// queue is empty. stuck says that a sticky target is set.
func AdjustOffset(m *Mover, off *space.Frame, q, maxSpeed float32, stuck bool) bool {
	c := m.Chase
	if c.Queue.Len == 0 || m.Body.Transient&components.Contact == 0 {
		return false
	}
	switch Pursue(c, &c.Queue.Items(&m.Pools.Chase)[0], &m.Pose.Position, off, q, maxSpeed, stuck) {
	case Pursued:
		return true
	case Reached: // on the spot, so to say: and still move
		m.NodeCompleted(true)
		return true
	case Arrived:
		m.NodeCompleted(true)
	case Stalled:
		c.Fail++
		m.NodeCompleted(false)
	}
	return false
}

// Pursuit is what became of a step towards the head of a chase.
type Pursuit int

const (
	NotPursued Pursuit = iota // the head is no place
	Pursued                   // a step towards it
	Reached                   // likewise, and the last
	Arrived                   // there is no step to take: the head is reached
	Stalled                   // nor here: it is not to be reached
)

// Pursue makes off the step of q seconds from here towards the head of c's queue, and
// counts it in c; what completing the head entails is the caller's. Where no step is
// taken nothing changes.
func Pursue(c *components.Chase, head *components.ChaseNode, here *space.Position, off *space.Frame, q, maxSpeed float32, stuck bool) Pursuit {
	if head.Kind != components.ChasePosition {
		return NotPursued
	}
	d := space.Distance(here, &head.Place)
	if d < CloseDistance {
		return Arrived
	}
	speed := SpeedFactor * maxSpeed
	if !(speed >= space.Eps) {
		speed = FallbackSpeed
	}
	progress, counted := c.Progress+q, c.FrameCounter+1
	if counted >= ProgressWindow {
		made := c.OriginalDistance - d
		if !stuck && !(made >= space.Eps && made/progress/speed >= ProgressRatio) {
			if d < StallDistance {
				return Arrived
			}
			return Stalled
		}
		progress, counted = 0, 0
		c.OriginalDistance = d
	}
	c.Progress, c.FrameCounter = progress, counted
	space.Subtract2To(off, &head.Place, here)
	length := space.LengthOf(off.Origin[0], off.Origin[1], off.Origin[2])
	if reach := float32(speed * q); length > reach {
		space.ScaleBy(&off.Origin, reach/length)
	}
	if c.KeepHeading {
		off.Rotation = space.IdentityQuat
	}
	if length <= CloseDistance {
		return Reached
	}
	return Pursued
}

// NodeCompleted drops the head, reached or not (spec 12 §6). Where a failed
// chase would blip to is remembered.
func (m *Mover) NodeCompleted(success bool) {
	c, pool := m.Chase, &m.Pools.Chase
	c.FrameCounter, c.Progress = 0, 0
	popped := c.Queue.Len > 0
	var was space.Position
	if popped {
		if !success {
			was = c.Queue.Items(pool)[0].Place
		}
		c.Queue.Remove(pool, 0, 1)
	}
	if c.Queue.Len > 0 {
		if next := &c.Queue.Items(pool)[0]; next.Kind == components.ChasePosition {
			c.OriginalDistance = space.Distance(&m.Pose.Position, &next.Place)
			return
		}
	} else {
		c.OriginalDistance = NoDistance
		if success {
			m.StopInterpolating()
		}
	}
	if !success && popped {
		*m.Anchors.BlipTo.Make(&m.Pools.Places) = was
	}
}

// UseTime blips a body whose chase failed and performs the nodes that are not
// places (spec 12 §7). It returns Blipped, with from where to where, or Ignored.
func (m *Mover) UseTime() Result {
	c := m.Chase
	if c.Queue.Len == 0 && c.Fail == 0 {
		return Result{}
	}
	nodes := c.Queue.Items(&m.Pools.Chase)
	if c.Fail > FailLimit || len(nodes) == 0 && c.Fail > 0 {
		return m.blip(nodes)
	}
	switch nodes[0].Kind {
	case components.ChaseVelocity:
		m.SetVelocity(nodes[0].Velocity)
		m.NodeCompleted(true)
	case components.ChaseStop:
		m.NodeCompleted(true)
	}
	return Result{}
}

// blip sets the body to where the queue ends (spec 12 §7). When it cannot be
// placed there everything stays, and the next step tries again.
func (m *Mover) blip(nodes []components.ChaseNode) Result {
	to := m.Anchors.BlipTo.Value(&m.Pools.Places)
	var velocity space.Vec3
	leap := false // the tail is no place: its velocity is taken
	if last := len(nodes) - 1; last >= 0 {
		leap = nodes[last].Kind != components.ChasePosition
		velocity = nodes[last].Velocity
		for last >= 0 && nodes[last].Kind != components.ChasePosition {
			last--
		}
		if last >= 0 {
			to = nodes[last].Place
		} else {
			leap = false
		}
	}
	from := m.Pose.Position
	if !m.Host.Place(to, PlaceHard) {
		return Result{}
	}
	if leap {
		m.SetVelocity(velocity)
	}
	m.StopInterpolating()
	return Result{Outcome: Blipped, From: from, To: m.Pose.Position}
}
