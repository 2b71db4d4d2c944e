package scenario

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/systems/position"
)

// tracer writes trace lines. The bytes of a line are put together by hand: the
// keys come in the order of the format, and floats with just the digits that
// give the same 32 bits back.
type tracer struct {
	e    *systems.Engine
	out  *bufio.Writer
	b    []byte
	more bool // a comma comes before the next item of the list in hand
	bad  bool // a number was not finite

	swept bool // lines tell of the sweep
}

// TraceLine writes the line of one entity after a tick, as a trace has it; swept has
// it tell of the sweep.
func TraceLine(w io.Writer, e *systems.Engine, guid uint32, swept bool) error {
	t := tracer{e: e, swept: swept, out: bufio.NewWriter(w)}
	if err := t.line(guid); err != nil {
		return err
	}
	return t.out.Flush()
}

// line writes the line of one entity after a tick.
func (t *tracer) line(guid uint32) error {
	t.b, t.bad = t.b[:0], false
	if !t.e.Inspect(guid, t.row) {
		return fmt.Errorf("0x%08X is gone", guid)
	}
	if t.bad {
		return fmt.Errorf("0x%08X holds a number that is not finite", guid)
	}
	_, err := t.out.Write(t.b)
	return err
}

func (t *tracer) row(r *components.Row, p *components.Pools) {
	tables := t.e.Tables()
	guid := r.Identity.Guid
	t.b = append(t.b, `{"tick":`...)
	t.b = strconv.AppendUint(t.b, t.e.Now(), 10)
	t.key("guid").id(guid)
	t.key("cell").id(uint32(r.Pose.Cell))
	t.key("origin").vector(r.Pose.Frame.Origin)
	t.key("rotation").rotation(r.Pose.Frame.Rotation)
	t.key("velocity").vector(r.Body.Velocity)
	t.key("contact").boolean(r.Body.Transient&components.Contact != 0)
	t.key("on_walkable").boolean(r.Body.Transient&components.OnWalkable != 0)

	m := r.MotionState
	t.key("style").id(m.Style)
	t.key("substate").id(m.Substate)
	t.key("substate_speed").float(m.Speed)
	t.key("modifiers").speeded(m.Modifiers.Items(&p.Speeded))
	t.key("actions").speeded(m.Actions.Items(&p.Speeded))

	s := r.Sequence
	nodes := s.Nodes.Items(&p.Nodes)
	anim, frame := uint32(0), 0.0
	if s.Curr >= 0 {
		anim, frame = tables.Anims[nodes[s.Curr].Anim].ID, s.Frame
	}
	t.key("anim").id(anim)
	t.key("frame").double(frame)
	t.key("first_cyclic").integer(int64(s.FirstCyclic()))
	t.key("list").open()
	for i := range nodes {
		n := &nodes[i]
		t.item().open()
		t.item().id(tables.Anims[n.Anim].ID)
		t.item().float(n.Rate)
		t.item().integer(int64(n.Low))
		t.item().integer(int64(n.High))
		t.close()
	}
	t.close()
	t.key("seq_velocity").vector(s.Velocity)
	t.key("seq_omega").vector(s.Omega)

	in := r.Interpreted
	t.key("forward").id(in.Forward)
	t.key("forward_speed").float(in.ForwardSpeed)
	t.key("sidestep").id(in.Sidestep)
	t.key("sidestep_speed").float(in.SidestepSpeed)
	t.key("turn").id(in.Turn)
	t.key("turn_speed").float(in.TurnSpeed)

	t.key("pending_motions").open()
	for _, n := range r.Pending.Motions.Items(&p.PendingMotions) {
		t.item().open()
		t.item().integer(int64(n.Context))
		t.item().id(n.Motion)
		t.item().integer(int64(n.JumpError))
		t.close()
	}
	t.close()
	t.key("pending_anims").open()
	for _, n := range r.Pending.Anims.Items(&p.PendingAnims) {
		t.item().open()
		t.item().id(n.Motion)
		t.item().integer(int64(n.Count))
		t.close()
	}
	t.close()
	t.key("anim_counter").integer(int64(r.Pending.Counter))
	t.key("queue").integer(int64(r.Chase.Queue.Len))
	t.key("fail").integer(int64(r.Chase.Fail))
	sticky, moving := uint32(0), uint32(0)
	if k := r.Errand.Sticky(p); k != nil {
		sticky = k.TargetID
	}
	if k := r.Errand.MoveTo(p); k != nil {
		moving = k.Type
	}
	t.key("sticky").id(sticky)
	t.key("constrained").boolean(r.Leash.Constrained)
	t.key("moving_to").integer(int64(moving))

	events := eventsOf(t.e.Events(), guid)
	t.key("done").open()
	for i := range events {
		if ev := &events[i]; ev.Kind == systems.MotionDone {
			t.item().open()
			t.item().id(ev.Motion)
			t.item().boolean(ev.Success)
			t.close()
		}
	}
	t.close()
	t.key("hooks").open()
	for i := range events {
		if ev := &events[i]; ev.Kind == systems.HookFired {
			t.item().open()
			t.item().integer(int64(tables.Hooks[ev.Hook].Type))
			t.item().id(ev.Anim)
			t.item().integer(int64(ev.Frame))
			t.close()
		}
	}
	t.close()
	if t.swept {
		t.touch(r, p)
	}
	t.b = append(t.b, "}\n"...)
}

// touch writes what the sweep left.
func (t *tracer) touch(r *components.Row, p *components.Pools) {
	t.key("contact_plane")
	cell := uint32(0)
	if r.Body.Transient&components.Contact != 0 {
		t.open()
		for _, x := range r.Body.ContactNormal {
			t.item().float(x)
		}
		t.item().float(r.Touch.D)
		t.close()
		cell = uint32(r.Touch.Cell)
	} else {
		t.b = append(t.b, "null"...)
	}
	t.key("contact_cell").id(cell)
	t.key("sliding")
	if r.Body.Transient&components.Sliding != 0 {
		t.vector(r.Touch.Sliding)
	} else {
		t.b = append(t.b, "null"...)
	}
	var met []uint32
	now := position.Clock(t.e.Now(), t.e.TicksPerSecond())
	if m := r.Touch.Met.Get(&p.Mets); m != nil {
		for _, e := range m.Records.Items(&p.Encounters) {
			if e.When == now && !e.Inbound {
				met = append(met, e.Other)
			}
		}
	}
	slices.Sort(met)
	t.key("collided").open()
	for _, guid := range met {
		t.item().id(guid)
	}
	t.close()
}

// eventsOf returns the events of one remote, which lie together.
func eventsOf(events []systems.Event, guid uint32) []systems.Event {
	from, _ := slices.BinarySearchFunc(events, guid, func(e systems.Event, g uint32) int { return cmp.Compare(e.Guid, g) })
	to := from
	for to < len(events) && events[to].Guid == guid {
		to++
	}
	return events[from:to]
}

func (t *tracer) key(name string) *tracer {
	t.b = append(t.b, `,"`...)
	t.b = append(t.b, name...)
	t.b = append(t.b, `":`...)
	return t
}

// item puts a comma between the items of a list.
func (t *tracer) item() *tracer {
	if t.more {
		t.b = append(t.b, ',')
	}
	t.more = true
	return t
}

func (t *tracer) open() {
	t.b = append(t.b, '[')
	t.more = false
}

func (t *tracer) close() {
	t.b = append(t.b, ']')
	t.more = true
}

func (t *tracer) id(v uint32) {
	if v == 0 {
		t.b = append(t.b, `"0x0"`...)
		return
	}
	t.b = fmt.Appendf(t.b, `"0x%08X"`, v)
}

func (t *tracer) integer(v int64) { t.b = strconv.AppendInt(t.b, v, 10) }

func (t *tracer) boolean(v bool) { t.b = strconv.AppendBool(t.b, v) }

func (t *tracer) float(v float32) { t.number(float64(v), 32) }

func (t *tracer) double(v float64) { t.number(v, 64) }

func (t *tracer) number(v float64, bits int) {
	t.bad = t.bad || math.IsNaN(v) || math.IsInf(v, 0)
	format := byte('f')
	if a := math.Abs(v); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'e'
	}
	t.b = strconv.AppendFloat(t.b, v, format, -1, bits)
}

func (t *tracer) vector(v space.Vec3) {
	t.open()
	for _, x := range v {
		t.item().float(x)
	}
	t.close()
}

func (t *tracer) rotation(q space.Quat) {
	t.open()
	t.item().float(q.W)
	for _, x := range q.V {
		t.item().float(x)
	}
	t.close()
}

func (t *tracer) speeded(list []components.Speeded) {
	t.open()
	for _, s := range list {
		t.item().open()
		t.item().id(s.Motion)
		t.item().float(s.Speed)
		t.close()
	}
	t.close()
}
