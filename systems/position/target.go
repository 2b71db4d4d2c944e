package position

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

// SetTarget targets an object in place of what was targeted before, and asks it
// for updates when it moved radius metres off where it was heading in quantum
// seconds (13 §5). A context other than 0 is somebody else's: its updates are kept
// and told to nobody here. Nothing, id 0, is answered with TimedOut. It does not activate.
func (m *Mover) SetTarget(context, id uint32, radius, quantum float32) {
	m.ClearTarget()
	makeTargetManager(m.Row, m.Pools)
	if id == 0 {
		m.HandleUpdateTarget(components.Target{Context: context, Status: components.TargetTimedOut})
		return
	}
	*m.Errand.Targets.Get(&m.Pools.TargetManagers).Target.Make(&m.Pools.Targets) = components.Target{
		ID: id, Context: context, Radius: radius, Quantum: quantum, LastUpdate: m.Host.WallNow(),
	}
	m.Host.Subscribe(id, radius, quantum)
}

// ClearTarget forgets the target, and the target its voyeur (13 §5).
func (m *Mover) ClearTarget() {
	t := m.target()
	if t == nil {
		return
	}
	id := t.ID
	*t = components.Target{}
	m.Host.Unsubscribe(id)
}

// target is what the mover targets, nil nothing.
func (m *Mover) target() *components.Target {
	if m.Rest.Busy&components.Targeting == 0 {
		return nil
	}
	if t := m.Errand.Target(m.Pools); t != nil && t.ID != 0 {
		return t
	}
	return nil
}

// TargetQuantum returns the quantum of the subscription in seconds, 0 without a target.
func (m *Mover) TargetQuantum() float32 {
	if t := m.target(); t != nil {
		return t.Quantum
	}
	return 0
}

// SetTargetQuantum changes it (13 §5). An object that came into the world since it
// was targeted answers now. A quantum that is not finite is not taken.
func (m *Mover) SetTargetQuantum(quantum float32) {
	if t := m.target(); t != nil && space.Finite(quantum) {
		t.Quantum = quantum
		m.Host.Subscribe(t.ID, t.Radius, quantum)
	}
}

// ReceiveUpdate takes what the object with info's id sent (13 §5): from anybody but
// the target it is ignored.
func (m *Mover) ReceiveUpdate(info *components.Target) {
	t := m.target()
	if t == nil || info.ID != t.ID {
		return
	}
	status := info.Status
	t.Radius, t.Quantum = info.Radius, info.Quantum
	t.Place, t.Interpolated = info.Place, info.Interpolated
	t.Velocity = info.Velocity
	t.Status = status
	t.LastUpdate = m.Host.WallNow()
	t.Heading = space.Vec3{0, 0, 1}
	way, small := space.NormalizeCheckSmall(space.Offset(&m.Pose.Position, &t.Interpolated))
	if !small && space.FiniteVec(way) {
		t.Heading = way
	}
	m.HandleUpdateTarget(*t)
	if status == components.TargetExitWorld {
		m.ClearTarget()
	}
}

// HandleUpdateTarget tells the mover's managers what became of its target: first
// the move-to, then sticky (13 §5, R6.20).
func (m *Mover) HandleUpdateTarget(info components.Target) {
	if info.Context != 0 {
		return
	}
	m.Host.HandleTarget(info)
	m.stickyUpdate(&info)
}

// TargetTime is the mover's own half of HandleTargetting (13 §5, step g): a target
// that never answered times out. It reports whether the mover's voyeurs are due:
// then [CheckVoyeurs] must follow once all movers are updated. It comes after the
// commit and before blips, and notes where that left the body.
func (m *Mover) TargetTime() (due bool) {
	if m.Rest.Busy&components.Targeting == 0 {
		return false
	}
	m.Errand.Targets.Get(&m.Pools.TargetManagers).Committed = m.Pose.Position
	if !DueForVoyeurs(m.Row, m.Pools, m.Host.Now()) {
		return false
	}
	t := m.target()
	if t != nil && t.Status == components.TargetUndefined && t.LastUpdate+TargetTimeout < m.Host.WallNow() {
		t.Status = components.TargetTimedOut
		m.HandleUpdateTarget(*t)
	}
	return true
}
