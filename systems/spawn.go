package systems

import (
	"errors"
	"fmt"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/ecs"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/systems/position"
	"github.com/gait-engine/gait/wire"
)

// ErrSpawn refuses a spawn that names tables that are not there, or holds what is no number or place.
var ErrSpawn = errors.New("systems: bad spawn")

// Spawn describes a new remote. [NewSpawn] fills in what a new body has.
type Spawn struct {
	Guid        uint32
	MotionTable uint32 // record id, 0 none
	Setup       uint32 // record id, 0 none
	Scale       float32
	Place       space.Position
	State       components.StateBits
	Contact     bool
	OnWalkable  bool
	// Placed has the remote stand where Place says, as Contact and OnWalkable say,
	// on the terrain below it, where the engine has land. Else it is placed, as on
	// entering the world (spec 11 §9), and the two say nothing.
	Placed     bool
	Missile    uint32 // whom a missile is meant for, 0 nobody: those between do not stop it (spec 14 §1)
	Passes     uint32 // the house, by its restriction object, that lets this player in
	Friction   float32
	Elasticity float32
	Velocity   space.Vec3 // m/s, world axes
	Omega      space.Vec3 // rad/s
	Game       components.TraitFlags
	RunRate    float32 // with HasRunRate in Game
	JumpHeight float32 // m, of a jump at full extent, with HasJumpHeight in Game
	Load       float32 // burden as a fraction of what it can carry
	Stamina    float32 // with HasStamina in Game
	Stamps     components.Stamps
	// Parent is the guid of who holds it, 0 nobody, at the location with the key
	// Location in its holder's setup. Place is then not read: it is in no cell.
	Parent, Location uint32
	// Owned says that the embedder drives the mover, by commands, and of what kind
	// it is: its messages are in [Engine.Outbound]. One that comes again under a
	// guid it had before needs a newer instance stamp.
	Owned Ownership

	nowhere bool // neither held nor at a place
}

// NewSpawn returns a creature with a game object that answers run rate 1,
// standing on the ground at a place, with the values of a new body (spec 11 §1).
// It does not let itself jump until Game has CanJump, and then to no height until
// it has HasJumpHeight (spec 05, head; R5.32, R5.35).
func NewSpawn(guid uint32, place space.Position) Spawn {
	return Spawn{
		Guid: guid, Scale: 1, Place: place, State: components.DefaultState, Contact: true, OnWalkable: true,
		Friction: position.DefaultFriction, Elasticity: position.DefaultElasticity,
		Game: components.HasGame | components.Creature | components.HasRunRate, RunRate: 1,
	}
}

// Spawn asks for a new remote. It is there from the beginning of the next
// tick, before that tick's messages; remotes asked for in one tick come in guid
// order. An unknown motion table or setup, a guid that is taken, a value that is
// not finite are refused.
func (e *Engine) Spawn(s Spawn) error {
	err := e.spawn(&s)
	if err == nil {
		e.tape.spawn(&s)
	}
	return err
}

func (e *Engine) spawn(s *Spawn) error {
	v, err := e.values(s)
	if err != nil {
		return err
	}
	return e.come(s, &v)
}

// come asks for the remote that a spawn comes to.
func (e *Engine) come(s *Spawn, v *components.Values) error {
	if err := e.world.Spawn(v); err != nil {
		return err
	}
	if s.Owned != Remote {
		e.outbound.coming[s.Guid] = s.Owned
	}
	return nil
}

// Remove asks for a remote to go at the beginning of the next tick, before
// spawns. It reports whether there is one, or one that waits to be spawned.
func (e *Engine) Remove(guid uint32) bool {
	e.tape.remove(guid)
	return e.remove(guid)
}

func (e *Engine) remove(guid uint32) bool {
	delete(e.inbound.creation, guid) // they belong to a spawn that waits, if there is one
	delete(e.outbound.coming, guid)
	delete(e.inbound.unknown, guid)
	return e.world.Remove(guid)
}

// Check returns why [Engine.Spawn] would refuse s on an engine with these tables,
// nil if it would not: but that the guid may be taken, or be the local player's.
func (s *Spawn) Check(t *dat.Tables) error {
	if s.Guid == 0 {
		return fmt.Errorf("%w: 0x%08X", ecs.ErrGuid, s.Guid)
	}
	_, _, err := s.check(t)
	return err
}

// placed reports whether s has a place of its own.
func (s *Spawn) placed() bool { return s.Parent == 0 && !s.nowhere }

func (s *Spawn) bad(what string) error { return fmt.Errorf("%w 0x%08X: %s", ErrSpawn, s.Guid, what) }

// check also finds the tables that s names.
func (s *Spawn) check(t *dat.Tables) (table, setup int32, err error) {
	bad := func(what string) (int32, int32, error) { return 0, 0, s.bad(what) }
	table, setup = dat.None, dat.None
	var ok bool
	if s.MotionTable != 0 {
		if table, ok = t.MotionTable(s.MotionTable); !ok {
			return bad(fmt.Sprintf("there is no motion table 0x%08X", s.MotionTable))
		}
	}
	if s.Setup != 0 {
		if setup, ok = t.Setup(s.Setup); !ok {
			return bad(fmt.Sprintf("there is no setup 0x%08X", s.Setup))
		}
	}
	if s.Parent != 0 && s.Parent == s.Guid {
		return bad("it holds itself")
	}
	if err := wire.CheckPlace(&s.Place); s.placed() && err != nil {
		return bad(fmt.Sprintf("its place in cell 0x%08X: %v", uint32(s.Place.Cell), err))
	}
	if !space.FiniteVec(s.Velocity) || !space.FiniteVec(s.Omega) || !space.Finite(s.RunRate) ||
		!space.Finite(s.JumpHeight) || !space.Finite(s.Load) || !space.Finite(s.Stamina) || !space.Finite(s.Friction) || !space.Finite(s.Elasticity) {
		return bad("a float is not finite")
	}
	if !validScale(s.Scale) {
		return bad(fmt.Sprintf("its Scale is %v (NewSpawn sets 1)", s.Scale))
	}
	if s.Owned > OwnedProjectile {
		return bad("it is no mover that can be owned")
	}
	return table, setup, nil
}

// values checks s and makes the new remote's components.
func (e *Engine) values(s *Spawn) (v components.Values, err error) {
	table, setup, err := s.check(e.tables)
	if err != nil {
		return v, err
	}
	if s.Owned != Remote && s.Guid == e.options.LocalPlayer {
		return v, s.bad("the local player is not owned: commands drive him as he is")
	}
	placed := s.placed()
	v.Identity = components.Identity{Guid: s.Guid, Table: table, Setup: setup, Parent: s.Parent, Location: s.Location}
	v.Traits = components.Traits{
		RunRate: s.RunRate, JumpHeight: s.JumpHeight, Load: s.Load, Stamina: s.Stamina,
		Flags: e.answers(s.Guid, s.Game),
	}
	e.size(&v.Traits, setup, s.Scale)
	v.Pose.Frame = space.Identity
	if placed {
		v.Pose.Position = s.Place
	}
	if !inBlock(s.Place.Frame.Origin) { // else it stands in its cell, as told, until a step moves it (11 §5.6a)
		v.Pose.Normalize()
	}
	v.Body = position.NewBody()
	v.Body.State = s.State
	if e.options.Viewer == nil {
		v.Body.PlayerDistance = 0 // everybody is near
	}
	position.SetFriction(&v.Body, s.Friction)
	position.SetElasticity(&v.Traits, s.Elasticity)
	if placed { // else it has no ground either, and nothing is updated (11 §2, §4.2)
		position.SetActive(&v.Body, true)
		if s.Contact {
			v.Body.Transient |= components.Contact
		}
		if s.OnWalkable {
			v.Body.Transient |= components.OnWalkable
		}
	}
	v.Body.Velocity, v.Body.Omega = s.Velocity, s.Omega
	v.Stamps = s.Stamps
	v.Touch.Missile, v.Touch.Passes = s.Missile, s.Passes
	if s.Placed {
		v.Body.Transient |= components.Placed
	}
	v.Rest.Scale = s.Scale
	if s.Scale != 1 {
		v.Rest.Busy |= components.Scaled
	}
	if e.rooted(setup) {
		v.Rest.Busy |= components.Rooted
	}
	if table == dat.None {
		v.Rest.Busy |= components.Unmanaged
	}
	v.Chase = position.NewChase()
	motion.Init(v.Row())
	return v, nil
}

// rooted reports whether a setup has no path spheres.
func (e *Engine) rooted(setup int32) bool { return setup >= 0 && len(e.tables.SpheresOf(setup)) == 0 }

// answers are the flags of a remote's game object; the player's own says that it is his.
func (e *Engine) answers(guid uint32, game components.TraitFlags) components.TraitFlags {
	if guid == e.options.LocalPlayer && guid != 0 {
		game |= components.LocalPlayer
	}
	return game
}

// inBlock reports whether a point lies in the landblock that it is local to.
func inBlock(o space.Vec3) bool {
	return o[0] >= 0 && o[0] < space.BlockSide && o[1] >= 0 && o[1] < space.BlockSide
}

// applyRows lets remotes go and come (ecs: removals, then spawns, in guid order).
func (e *Engine) applyRows(w *worker) {
	w.mover.lose()
	c := e.world.Columns()
	changed := e.world.Apply(func(i int) {
		w.mover.lose()
		w.mover.at(i)
		w.mover.exitWorld()
		w.mover.disown()
		e.held.gone = e.held.gone || c.Cold[i].Identity.Parent != 0
		w.events = append(w.events, Event{Guid: c.Cold[i].Identity.Guid, Kind: Left, From: placeOf(&c.Pose[i].Position)})
		if e.land != nil {
			e.land.crowd.Register(i, nil)
			e.land.crowd.Renumber(e.world.Rows()-1, i)
		}
	}, func(i int) {
		if e.land != nil {
			e.land.crowd.Resize(e.world.Rows())
		}
		w.mover.lose() // columns may have grown since the last row went, which had this number
		w.mover.at(i)
		w.mover.enter()
	})
	if changed && e.land != nil {
		e.land.crowd.Resize(e.world.Rows())
	}
	if changed {
		e.outbound.settleOwned()
		w.mover.lose()
		e.settleHeld(w)
		e.views.full = 2
		e.stirAll()
		w.mover.lose()
	}
}

// enter puts a new remote into its first state (R2.17, R2.18, R5.44). What
// that drops from the queues happened before the remote was there, so nobody is told.
func (m *mover) enter() {
	r, e := m.row(), m.w.e
	told := len(m.w.events)
	v := r.Body.Velocity
	m.setPlacement(motion.DefaultPlacement)
	m.standUp()
	position.CalcAcceleration(r.Body)
	if r.Identity.Table >= 0 {
		m.motion.EnterDefaultState()
	} else {
		motion.SetDefaultAnimation(e.tables, &e.world.Pools.Nodes, r.Sequence, r.Identity.Setup)
	}
	if c, ok := e.inbound.creation[r.Identity.Guid]; ok {
		delete(e.inbound.creation, r.Identity.Guid)
		m.created(&c)
	}
	if v != (space.Vec3{}) {
		m.position.SetVelocity(v)
	}
	m.own()
	m.restartClock()
	if r.Identity.Parent != 0 {
		e.held.enters(r.Identity.Parent, r.Identity.Guid)
	}
	m.noted() // how it is posed follows from what it plays
	m.w.events = m.w.events[:told]
	m.emit(Event{Kind: Entered, To: placeOf(&r.Pose.Position)})
	if e.inbound.parked.Has(r.Identity.Guid) {
		e.inbound.replays = append(e.inbound.replays, r.Identity.Guid)
	}
}

// setPlacement chooses the pose that shows while nothing plays (R2.17).
func (m *mover) setPlacement(id uint32) {
	r := m.row()
	motion.SetPlacement(m.w.e.tables, r.Sequence, r.Identity.Setup, id)
}
