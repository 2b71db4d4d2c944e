package ecs

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

// Hash digests state field by field: one byte order on every machine, −0 the
// same as 0, every NaN the same. The zero Hash is ready.
type Hash struct{ sum uint64 }

// Sum returns the digest so far.
func (h *Hash) Sum() uint64 {
	x := h.sum
	x ^= x >> 32
	x *= 0xD6E8FEB86659FD93
	x ^= x >> 32
	x *= 0xD6E8FEB86659FD93
	return x ^ x>>32
}

// U64 adds a number.
func (h *Hash) U64(v uint64) {
	h.sum = bits.RotateLeft64(h.sum^v*0x9E3779B97F4A7C15, 29)*0xBF58476D1CE4E5B9 + 0x94D049BB133111EB
}

// U32 adds a number.
func (h *Hash) U32(v uint32) { h.U64(uint64(v)) }

// I32 adds a number.
func (h *Hash) I32(v int32) { h.U64(uint64(uint32(v))) }

// Bool adds a truth value.
func (h *Hash) Bool(v bool) {
	if v {
		h.U64(1)
	} else {
		h.U64(0)
	}
}

// F32 adds a number.
func (h *Hash) F32(v float32) {
	switch {
	case v == 0:
		h.U64(0)
	case v != v:
		h.U64(0x7FC00000)
	default:
		h.U64(uint64(math.Float32bits(v)))
	}
}

// F64 adds a number.
func (h *Hash) F64(v float64) {
	switch {
	case v == 0:
		h.U64(0)
	case v != v:
		h.U64(0x7FF8000000000000)
	default:
		h.U64(math.Float64bits(v))
	}
}

// Bytes adds a string of bytes.
func (h *Hash) Bytes(b []byte) {
	h.U64(uint64(len(b)))
	for len(b) >= 8 {
		h.U64(binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
	var last [8]byte
	copy(last[:], b)
	h.U64(binary.LittleEndian.Uint64(last[:]))
}

// Vec adds a vector.
func (h *Hash) Vec(v space.Vec3) {
	h.F32(v[0])
	h.F32(v[1])
	h.F32(v[2])
}

// Position adds a position.
func (h *Hash) Position(p *space.Position) {
	h.U32(uint32(p.Cell))
	h.Vec(p.Frame.Origin)
	h.F32(p.Frame.Rotation.W)
	h.Vec(p.Frame.Rotation.V)
}

// HashRows digests how many remotes there are, and some of them in the order given. A
// resting remote's sequence must have been brought up to date first.
func (w *World) HashRows(h *Hash, rows []uint32) {
	h.U64(uint64(w.rows))
	var r components.Row
	for _, i := range rows {
		w.columns.At(int(i), &r)
		h.row(&r, &w.Pools)
	}
}

// HashWaiting adds who waits to come and who to go, in guid order; nothing when
// nobody does.
func (w *World) HashWaiting(h *Hash) {
	if len(w.spawns)+len(w.leaving) == 0 {
		return
	}
	coming, going := sortedKeys(w.waiting), sortedKeys(w.leaving)
	h.U64(uint64(len(coming)))
	for _, guid := range coming {
		r := w.spawns[w.waiting[guid]].Row()
		h.row(&r, &w.Pools)
	}
	h.U64(uint64(len(going)))
	for _, guid := range going {
		h.U32(guid)
	}
}

// HashRow returns the digest of one remote alone, to find which of two worlds' differs.
func HashRow(r *components.Row, p *components.Pools) uint64 {
	var h Hash
	h.row(r, p)
	return h.Sum()
}

// errand adds the managers that a mover may have.
func (h *Hash) errand(e *components.Errands, p *components.Pools) {
	m := e.MoveTo(p)
	h.Bool(m != nil)
	if m != nil {
		h.U32(m.Type)
		q := &m.Params
		h.U32(uint32(q.Flags))
		for _, v := range [...]float32{q.DistanceToObject, q.MinDistance, q.DesiredHeading, q.Speed, q.FailDistance, q.WalkRunThreshold,
			m.SoughtRadius, m.SoughtHeight, m.PrevHeading, m.PrevDistance, m.OrigDistance} {
			h.F32(v)
		}
		for _, v := range [...]uint32{q.Context, uint32(q.HoldKey), uint32(q.ActionStamp), m.SoughtID, m.TopID,
			m.CurrentCommand, m.AuxCommand, m.FailCount} {
			h.U32(v)
		}
		h.Position(&m.Sought)
		h.Position(&m.Goal)
		h.Position(&m.Start)
		h.F64(m.PrevTime)
		h.F64(m.OrigTime)
		h.Bool(m.MovingAway)
		h.Bool(m.Initialized)
		h.U32(m.Nodes.Len)
		for _, n := range m.Nodes.Items(&p.MoveToNodes) {
			h.Bool(n.Turn)
			h.F32(n.Heading)
		}
	}
	s := e.Sticky(p)
	h.Bool(s != nil)
	if s != nil {
		h.U32(s.TargetID)
		h.F32(s.Radius)
		h.Bool(s.Initialized)
		h.F64(s.Deadline)
		h.Position(&s.Place)
	}
	t := e.Target(p)
	h.Bool(t != nil)
	if t != nil {
		h.U32(t.ID)
		h.U32(t.Context)
		h.F32(t.Radius)
		h.F32(t.Quantum)
		h.U32(uint32(t.Status))
		h.F64(t.LastUpdate)
		h.Position(&t.Place)
		h.Position(&t.Interpolated)
		h.Vec(t.Heading)
		h.Vec(t.Velocity)
	}
	lastRun := 0.0
	if m := e.Targets.Get(&p.TargetManagers); m != nil {
		lastRun = m.LastRun
	}
	h.F64(lastRun)
	voyeurs := e.Voyeurs(p)
	h.U32(uint32(len(voyeurs)))
	for i := range voyeurs {
		h.U32(voyeurs[i].ID)
		h.F32(voyeurs[i].Radius)
		h.F32(voyeurs[i].Quantum)
		h.Position(&voyeurs[i].LastSent)
	}
	if at := e.UpdateTime(p); at != 0 {
		h.F64(at)
	}
	if g := e.Ramp(p); g != nil { // last of a row's, so that it needs no mark when there is none
		h.F32(g.Start)
		h.F32(g.End)
		h.F32(g.Seconds)
		h.F64(g.Began)
	}
}

// row adds one remote. Rest is not state: it says how far the sequence has been
// brought, and skipping must not show.
func (h *Hash) row(r *components.Row, p *components.Pools) {
	h.U32(r.Identity.Guid)
	h.I32(r.Identity.Table)
	h.I32(r.Identity.Setup)
	h.U32(r.Identity.Parent)
	if r.Identity.Parent != 0 {
		h.U32(r.Identity.Location)
	}

	h.F32(r.Rest.Scale)
	h.F32(r.Traits.Radius)
	h.F32(r.Traits.Height)
	h.F32(r.Traits.RunRate)
	h.F32(r.Traits.Elasticity)
	h.F32(r.Traits.JumpHeight)
	h.F32(r.Traits.Load)
	h.F32(r.Traits.Stamina)
	h.U32(uint32(r.Traits.Flags))

	h.Position(&r.Pose.Position)
	for _, a := range [2]*components.Box[space.Position]{&r.Anchors.BlipTo, &r.Anchors.Leash} {
		place := a.Value(&p.Places)
		h.Position(&place)
	}

	h.U32(uint32(r.Body.State))
	h.U32(uint32(r.Body.Transient))
	h.Vec(r.Body.Velocity)
	h.Vec(r.Body.Omega)
	h.Vec(r.Body.Achieved)
	h.Vec(r.Body.ContactNormal)
	h.F32(r.Body.Friction)
	h.F32(r.Body.PlayerDistance)

	s := r.Sequence
	h.F64(s.Frame)
	h.I32(s.Curr)
	h.Vec(s.Velocity)
	h.Vec(s.Omega)
	h.I32(s.Placement)
	h.U32(s.PlacementID)
	h.U32(s.Nodes.Len)
	for _, n := range s.Nodes.Items(&p.Nodes) {
		h.I32(n.Anim)
		h.F32(n.Rate)
		h.I32(n.Low)
		h.I32(n.High)
	}

	h.U32(r.MotionState.Style)
	h.U32(r.MotionState.Substate)
	h.F32(r.MotionState.Speed)
	h.speeded(r.MotionState.Modifiers.Items(&p.Speeded))
	h.speeded(r.MotionState.Actions.Items(&p.Speeded))

	in := r.Interpreted
	h.U32(in.Style)
	h.U32(in.Forward)
	h.U32(in.Sidestep)
	h.U32(in.Turn)
	h.F32(in.ForwardSpeed)
	h.F32(in.SidestepSpeed)
	h.F32(in.TurnSpeed)
	h.actions(in.Actions.Items(&p.Actions))

	raw := r.RawState(p)
	h.U32(uint32(raw.HoldKey))
	h.U32(raw.Style)
	for _, a := range [3]*components.Axis{&raw.Forward, &raw.Sidestep, &raw.Turn} {
		h.U32(a.Motion)
		h.U32(uint32(a.Hold))
		h.F32(a.Speed)
	}
	h.actions(raw.Actions.Items(&p.Actions))

	h.F32(r.Interpreter.RunRate)
	h.F32(r.Interpreter.SpeedFactor)
	h.F32(r.Interpreter.JumpExtent)
	h.U32(uint32(r.Interpreter.ServerActionStamp))
	h.Bool(r.Interpreter.Initted)
	h.Bool(r.Interpreter.StandingLongJump)
	h.Bool(r.Interpreter.LastMoveAutonomous)

	h.U32(r.Pending.Counter)
	h.U32(r.Pending.Anims.Len)
	for _, a := range r.Pending.Anims.Items(&p.PendingAnims) {
		h.U32(a.Motion)
		h.U32(a.Count)
	}
	h.U32(r.Pending.Motions.Len)
	for _, m := range r.Pending.Motions.Items(&p.PendingMotions) {
		h.U32(m.Context)
		h.U32(m.Motion)
		h.U32(m.JumpError)
	}

	c := r.Chase
	h.I32(c.Fail)
	h.I32(c.FrameCounter)
	h.F32(c.Progress)
	h.F32(c.OriginalDistance)
	h.Bool(c.KeepHeading)
	h.U32(c.Queue.Len)
	nodes := c.Queue.Items(&p.Chase)
	for i := range nodes {
		h.Position(&nodes[i].Place)
		h.Vec(nodes[i].Velocity)
		h.U32(uint32(nodes[i].Kind))
	}

	h.Bool(r.Leash.Constrained)
	h.F32(r.Leash.Travelled)
	h.F32(r.Leash.Start)
	h.F32(r.Leash.Max)

	for _, v := range r.Stamps.Slot {
		h.U32(uint32(v))
	}
	h.U32(uint32(r.Stamps.Unseen))
	h.touch(r.Touch, p)
	h.errand(r.Errand, p)
}

// touch adds what a sweep left, which is nothing where there is none.
func (h *Hash) touch(t *components.Touch, p *components.Pools) {
	met := t.Met.Get(&p.Mets)
	if met == nil && t.Cell == 0 && t.D == 0 && t.Sliding == (space.Vec3{}) && t.Missile == 0 && t.Passes == 0 {
		return
	}
	h.U32(uint32(t.Cell))
	h.F32(t.D)
	h.Vec(t.Sliding)
	h.U32(t.Missile)
	h.U32(t.Passes)
	if met == nil {
		return
	}
	for _, r := range met.Records.Items(&p.Encounters) {
		h.F64(r.When)
		h.U32(r.Other)
		h.Bool(r.Ethereal)
		h.Bool(r.Inbound)
	}
}

func (h *Hash) speeded(list []components.Speeded) {
	h.U64(uint64(len(list)))
	for _, v := range list {
		h.U32(v.Motion)
		h.F32(v.Speed)
	}
}

func (h *Hash) actions(list []components.Action) {
	h.U64(uint64(len(list)))
	for _, a := range list {
		h.U32(a.Motion)
		h.F32(a.Speed)
		h.U32(uint32(a.Stamp))
		h.Bool(a.Autonomous)
	}
}
