package systems

import (
	"errors"
	"fmt"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/systems/position"
	"github.com/gait-engine/gait/wire"
)

// Do is what a [Command] asks for.
type Do uint8

// The commands, each with the fields it reads; spec 05 §5.11 says what each calls.
const (
	DoInterpreted    Do = iota + 1 // State, Actions: an inbound movement event of type 0, past its gates
	DoRaw                          // Raw: a whole raw state is installed and applied
	DoMotion                       // Motion, Speed, Hold: a raw command pressed
	DoStopMotion                   // the same, released
	DoStopCompletely               //
	DoPosition                     // Place, Contact, Teleport: an inbound position event, past its gates
	DoConstrain                    // Place, Start, Max: the leash
	DoUnconstrain                  //
	DoGround                       // Contact, OnWalkable: the ground flags change
	DoVelocity                     // Velocity: as by a vector update
	DoMoveToObject                 // Target, Params, RunRate: go to a remote; unknown: to Place
	DoMoveToPosition               // Place, Params, RunRate
	DoTurnToObject                 // Target, Params, RunRate: face a remote; unknown: the desired heading
	DoTurnToHeading                // Params, RunRate
	DoStick                        // Target, Radius, Height: follow for a second
	DoUnstick                      //
	DoJump                         // Extent, 0 to 1: jump (spec 05 R5.34)
	DoChargeJump                   // begin to charge one; who stands will long-jump (R5.32)
	DoHoldKey                      // Hold: the run key (R5.16)
	DoSetTraits                    // Game, RunRate, JumpHeight, Load, Stamina: what the game answers from now on
	DoState                        // Physics: the state word, as by a state event
	DoBroadcast                    // Teleport: an owned mover's position is sent after this tick, whatever 15 §6 says
	DoHoldRun                      // Hold: whether that is HoldRun, for set_hold_run (R5.17)
	DoPickUp                       // it leaves the world and stays known; DoPosition puts it back (20 §2.6)
	DoParent                       // Target, Location, Placement: somebody holds it from now on (20 §2.6)

	lastDo = DoParent
)

// moves reports whether what it asks for is put among what is pending ([MaxPending]).
func (d Do) moves() bool {
	switch d {
	case DoInterpreted, DoRaw, DoMotion, DoStopMotion, DoStopCompletely, DoJump, DoHoldKey, DoHoldRun:
		return true
	}
	return d >= DoMoveToObject && d <= DoTurnToHeading
}

// Command is a typed input for one remote, the counterpart of a wire message. Its
// speeds and rates are taken as they are, as the client does: what is told to move at Speed 0,
// or by Params that were not begun with [motion.DefaultParams], does so without moving. Those
// of messages are clamped to [wire.MaxSpeed] (20 §7), so that others see an owned mover go no faster than that.
type Command struct {
	Guid       uint32
	Do         Do
	State      motion.State
	Actions    []components.Action // read when it is applied; must not change until then
	Raw        motion.RawState
	Motion     uint32 // full command
	Speed      float32
	Hold       components.HoldKey
	Place      space.Position
	Contact    bool
	OnWalkable bool
	Teleport   bool    // the teleport stamp is newer; of an owned mover: the next one is sent
	Force      bool    // DoPosition, of an owned mover, without Teleport: set at once, and the next force-position stamp is sent; of the local player: set at once (20 §5.4)
	Start, Max float32 // m
	Velocity   space.Vec3
	Target     uint32                // guid
	Params     components.MoveParams // begin with motion.DefaultParams
	RunRate    float32               // with HasRunRate: becomes the remote's own
	HasRunRate bool
	Radius     float32 // m
	Height     float32 // m
	Extent     float32 // of a jump, 0..1
	Physics    components.StateBits
	Location   uint32 // key of where Target holds it, in his setup
	Placement  uint32 // resting pose key
	// Game and what goes with it are those of [Spawn].
	Game                      components.TraitFlags
	JumpHeight, Load, Stamina float32
}

// ErrCommand refuses a command that holds something that is no number, no
// place or no rotation, or that asks for nothing known.
var ErrCommand = errors.New("systems: bad command")

// ErrUnknown is the outcome of a command for a guid that is not there.
var ErrUnknown = errors.New("systems: no such remote")

// Check returns why [Engine.Command] would refuse the command, nil if it would not.
func (c *Command) Check() error {
	bad := func(what string) error { return fmt.Errorf("%w for 0x%08X: %s", ErrCommand, c.Guid, what) }
	if c.Do < DoInterpreted || c.Do > lastDo {
		return bad(fmt.Sprintf("Do is %d", c.Do))
	}
	s, r := &c.State, &c.Raw
	for _, v := range [...]float32{
		s.ForwardSpeed, s.SidestepSpeed, s.TurnSpeed, r.Forward.Speed, r.Sidestep.Speed, r.Turn.Speed, c.Speed, c.Start, c.Max,
		c.RunRate, c.Radius, c.Height, c.Params.DistanceToObject, c.Params.MinDistance, c.Params.FailDistance,
		c.Params.Speed, c.Params.WalkRunThreshold, c.Params.DesiredHeading, c.Extent, c.JumpHeight, c.Load, c.Stamina,
	} {
		if !space.Finite(v) {
			return bad("a float is not finite")
		}
	}
	for _, a := range c.Actions {
		if !space.Finite(a.Speed) {
			return bad("an action's speed is not finite")
		}
	}
	if !space.FiniteVec(c.Velocity) {
		return bad("the velocity is not finite")
	}
	if !space.Finite(c.Max - c.Start) { // what steps are scaled by (13 §4)
		return bad("the leash's slack is not finite")
	}
	if c.Do == DoPosition || c.Do == DoConstrain || c.Do == DoMoveToPosition {
		if err := wire.CheckPlace(&c.Place); err != nil {
			return bad(fmt.Sprintf("the place in cell 0x%08X: %v", uint32(c.Place.Cell), err))
		}
	}
	return nil
}

// command does what a typed command asks for (spec 05 §5.11).
func (m *mover) command(c *Command) {
	e := m.w.e
	row, known := e.world.Row(c.Guid)
	if !known || e.world.Leaving(c.Guid) {
		e.inbound.outcome(c.Guid, 0, Refused, ErrUnknown)
		return
	}
	m.at(row)
	if c.Do.moves() && Flooded(m.row()) {
		e.inbound.outcome(c.Guid, 0, Refused, ErrFlood)
		return
	}
	m.wake()
	m.code = 0
	var verdict Verdict
	if m.row().Rest.Busy&components.Owned != 0 {
		verdict = m.doOwned(c)
	} else {
		verdict = m.do(c)
	}
	e.inbound.outcomes = append(e.inbound.outcomes, Outcome{Guid: c.Guid, Verdict: verdict, Code: m.code})
}

// do does it; of what the interpreter was asked for, its answer goes into m.code (01 §1.6).
func (m *mover) do(c *Command) Verdict {
	r := m.row()
	switch c.Do {
	case DoInterpreted:
		m.initInterpreter()
		r.Interpreter.LastMoveAutonomous = false
		m.code = m.motion.InboundState(c.State.Style, &c.State, c.Actions, false)
	case DoRaw:
		m.initInterpreter()
		r.Interpreter.LastMoveAutonomous = true
		m.code = m.motion.InstallRaw(c.Raw)
	case DoMotion, DoStopMotion:
		m.position.SetActive(true) // R6.29
		m.initInterpreter()
		r.Interpreter.LastMoveAutonomous = true
		p := motion.DefaultParams()
		p.Speed, p.HoldKey = c.Speed, c.Hold
		kind := motion.RawCommand
		if c.Do == DoStopMotion {
			kind = motion.StopRawCommand
		}
		m.code = m.motion.PerformMovement(kind, c.Motion, &p)
	case DoStopCompletely:
		m.position.SetActive(true)
		m.initInterpreter()
		m.code = m.motion.PerformMovement(motion.StopCompletely, 0, nil)
	case DoPosition:
		m.unsetParent()
		// an owned mover's copies take a newer teleport stamp, and its return, as that (12 §4)
		if c.Force && (m.isSelf() || r.Rest.Busy&components.Owned != 0 && !c.Teleport && r.Pose.Cell != 0) {
			m.correct(wire.Settle(c.Place))
			return Applied
		}
		place := wire.Settle(c.Place)
		return m.positioned(&place, c.Contact, c.Teleport)
	case DoMoveToObject, DoMoveToPosition, DoTurnToObject, DoTurnToHeading:
		m.initInterpreter()
		m.motion.InboundBegin(r.Interpreted.Style)
		if c.HasRunRate {
			m.motion.SetRunRate(c.RunRate)
		}
		kinds := [...]motion.MovementType{motion.MoveToObject, motion.MoveToPosition, motion.TurnToObject, motion.TurnToHeading}
		o := order{kind: kinds[c.Do-DoMoveToObject], target: c.Target, place: c.Place, params: c.Params}
		o.place.Normalize()
		m.order(&o)
	case DoStick:
		m.position.StickTo(c.Target, c.Radius, c.Height)
	case DoUnstick:
		m.position.Unstick()
	case DoConstrain:
		m.position.ConstrainTo(c.Place, c.Start, c.Max)
	case DoUnconstrain:
		position.UnConstrain(r.Leash)
	case DoGround:
		m.position.GroundEvent(c.Contact, c.OnWalkable)
	case DoVelocity:
		m.position.SetVelocity(c.Velocity)
	case DoJump:
		m.initInterpreter()
		m.code = m.motion.Jump(c.Extent)
	case DoChargeJump:
		m.initInterpreter()
		m.code = m.motion.ChargeJump()
	case DoHoldKey:
		m.initInterpreter()
		m.motion.SetHoldKey(c.Hold, true)
	case DoHoldRun:
		m.initInterpreter()
		m.motion.SetHoldRun(c.Hold == components.HoldRun, true)
	case DoPickUp:
		m.unsetParent()
		m.leaveWorld(components.TargetContained)
	case DoParent:
		if _, known := m.w.e.figure(c.Target); !known || c.Target == c.Guid {
			return Ignored
		}
		return m.hang(c.Target, c.Location, c.Placement)
	case DoSetTraits:
		m.answer(c)
	case DoState:
		m.setState(c.Physics)
	case DoBroadcast:
		return Ignored // of a remote nothing is sent
	}
	return Applied
}

// answer gives a remote's game object other answers. One that it had not is
// bound to it, which applies what it does anew (R5.26).
func (m *mover) answer(c *Command) {
	t := m.row().Traits
	bound := c.Game&^t.Flags&components.HasGame != 0
	t.Flags = m.w.e.answers(c.Guid, c.Game)
	t.RunRate, t.JumpHeight, t.Load, t.Stamina = c.RunRate, c.JumpHeight, c.Load, c.Stamina
	m.motion.FindPace()
	if bound {
		m.motion.ApplyCurrentMovement(true, false)
	}
}
