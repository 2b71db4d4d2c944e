package motion

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// Mover is what the rules of motion see of one remote.
type Mover struct {
	components.Row
	Tables *dat.Tables
	Pools  *components.Pools
	Hooks  *HookQueue // where the sequence queues hooks; nil wants none
	Host   Host       // nil has nobody to tell, and nothing to cancel

	// Described says that the object is being described before it enters the
	// world: it counts as in no cell, though where it will stand is known (R4.16).
	Described bool
}

// Host is what motion asks of the rest of the mover, and what it tells the
// outside. Calls are synchronous and may come back into the mover (R4.12).
// Without a Host nobody is asked or told; a move-to needs one.
type Host interface {
	// Now is the simulation clock, s.
	Now() float64
	// Unstick ends sticking to an object (13 §2 clear).
	Unstick()
	// SetVelocity sets the body's dynamic velocity, m/s in world axes (11 §6).
	SetVelocity(v space.Vec3)
	// MotionDone reports a completion, before what it sets off (R4.7, D-49).
	MotionDone(motion uint32, success bool)
	// LeavesGround reports that a jump is about to clear ON_WALKABLE, before what
	// that sets off (R5.34).
	LeavesGround()
	// Activate makes the body active, as a movement of types 1 to 5 does first (R6.29).
	Activate()

	// SetTarget subscribes to an object in place of whatever was targeted (13 §5).
	// When the object is known, its first update comes back through
	// [Mover.HandleTarget] before SetTarget returns. radius in m, quantum in s.
	SetTarget(context, id uint32, radius, quantum float32)
	// ClearTarget drops the subscription (13 §5).
	ClearTarget()
	// TargetQuantum is that of the present subscription, s.
	TargetQuantum() float32
	// SetTargetQuantum changes it (13 §5).
	SetTargetQuantum(quantum float32)
	// StickTo sticks to an object of this size, m (13 §2).
	StickTo(id uint32, radius, height float32)
	// MoveToDone reports that the move-to or turn-to of this type, which is over
	// by now, has ended: code 0 is arrived, others say why not (01 §1.6). Every
	// order that was begun ends once.
	MoveToDone(kind MovementType, code uint32)
}

// Init gives the motion components their values at creation (02 §2.1, 03 §3.1,
// 05 §5.1); [Mover.EnterDefaultState] comes next. It takes over rows whose
// lists are empty or were given back by [Mover.Release].
func Init(r components.Row) {
	*r.Sequence = components.Sequence{Curr: -1, Placement: -1}
	*r.MotionState = components.MotionState{Speed: 1}
	*r.Interpreted = components.Interpreted{}
	*r.Raw = components.Box[components.Raw]{}
	*r.Interpreter = components.Interpreter{RunRate: 1, SpeedFactor: 1}
	*r.Pending = components.Pending{}
	m, s := Mover{Row: r}, DefaultState()
	m.setInterpreted(&s)
}

// Release gives back what the mover's lists hold in the pools; for a row that
// is going away.
func (m *Mover) Release() {
	m.Sequence.Nodes.Clear(&m.Pools.Nodes)
	m.MotionState.Modifiers.Clear(&m.Pools.Speeded)
	m.MotionState.Actions.Clear(&m.Pools.Speeded)
	m.Interpreted.Actions.Clear(&m.Pools.Actions)
	m.install(DefaultRaw())
	m.Pending.Anims.Clear(&m.Pools.PendingAnims)
	m.Pending.Motions.Clear(&m.Pools.PendingMotions)
	m.Errand.EndMoveTo(m.Pools)
	m.Rest.Busy &^= components.MovingTo
}

// inCell reports whether the object is in the world; the lost cell is none (11 §8.1).
func (m *Mover) inCell() bool {
	return m.Pose.Cell != 0 && m.Body.Transient&components.Lost == 0 && !m.Described
}

func (m *Mover) gravity() bool { return m.Body.State&components.Gravity != 0 }

// grounded is contact and on walkable ground (05, head).
func (m *Mover) grounded() bool {
	const both = components.Contact | components.OnWalkable
	return m.Body.Transient&both == both
}

func (m *Mover) has(f components.TraitFlags) bool { return m.Traits.Flags&f == f }

// inanimate: there is a game object, and it is not a creature.
func (m *Mover) inanimate() bool {
	return m.Traits.Flags&(components.HasGame|components.Creature) == components.HasGame
}

// OwnInput reports whether the mover gives its own input: there is no game object, or it is the local player (R5.25, R5.28).
func (m *Mover) OwnInput() bool {
	return !m.has(components.HasGame) || m.has(components.LocalPlayer)
}
