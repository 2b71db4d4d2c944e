package motion

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// shared is the folder of scenarios that lies beside the checkout; the test is
// skipped where it does not.
func shared(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("GAIT_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	if _, err := os.Stat(filepath.Join(dir, "scenarios")); err != nil {
		t.Skip("no shared scenarios here")
	}
	return dir
}

// TestSpec06_Traces plays the scenarios with move-tos that need no chase, stick
// or fall against their expected traces (spec scenario-format.md).
func TestSpec06_Traces(t *testing.T) {
	dir := filepath.Join(shared(t), "scenarios")
	for _, name := range []string{
		"move-away", "move-to-centre-distance", "move-to-fail-distance", "move-to-moving-object", "move-to-near-and-far",
		"move-to-object", "move-to-object-fail", "move-to-too-slow", "move-to-very-near", "raw-zero-and-heading",
		"turn-to-heading", "turn-to-heading-running", "turn-to-object", "sticky-arrival",
		"random/s-5022", "random/s-5048", "random/s-5051", "random/s-5112", "random/s-5115", "random/s-5123", "random/s-5150",
	} {
		t.Run(name, func(t *testing.T) {
			w := loadPlay(t, filepath.Join(dir, name+".json"))
			lines := traceLines(t, filepath.Join(dir, filepath.Dir(name), "expected", filepath.Base(name)+".jsonl.gz"))
			for w.tick < w.Ticks && !w.stuck {
				w.step()
				for i := range w.actors {
					a := &w.actors[i]
					if !w.stuck && !sameValue(t, fmt.Sprintf("tick %d 0x%08X", w.tick, a.Identity.Guid), a.trace(), lines[0]) {
						t.Fatal(Describe(a.Row, a.Tables, a.Pools))
					}
					lines = lines[1:]
				}
			}
		})
	}
}

// hex is a JSON string that stands for a number.
type hex uint32

func (h *hex) UnmarshalJSON(b []byte) error {
	s, err := strconv.Unquote(string(b))
	if err != nil {
		return err
	}
	v, err := strconv.ParseUint(strings.TrimPrefix(s, "0x"), 16, 32)
	*h = hex(v)
	return err
}

type placeJSON struct {
	Cell     hex
	Origin   space.Vec3
	Rotation *[4]float32
}

func (p *placeJSON) position() space.Position {
	q := space.IdentityQuat
	if r := p.Rotation; r != nil {
		q = space.Quat{W: r[0], V: space.Vec3{r[1], r[2], r[3]}}
	}
	return space.Position{Cell: space.CellID(p.Cell), Frame: space.Frame{Origin: p.Origin, Rotation: q}}
}

type actorJSON struct {
	placeJSON
	Guid        hex
	Setup       hex
	MotionTable hex      `json:"motion_table"`
	Scale       *float32 // default 1
	RunRate     *float32 `json:"run_rate"`
	Gravity     *bool
	Creature    *bool
}

type eventJSON struct {
	placeJSON
	Tick          int
	Guid, Target  hex
	Do            string
	Motion, Style hex
	Forward       hex
	Sidestep      hex
	Turn          hex
	Speed         *float32
	ForwardSpeed  *float32         `json:"forward_speed"`
	SidestepSpeed *float32         `json:"sidestep_speed"`
	TurnSpeed     *float32         `json:"turn_speed"`
	HoldKey       uint32           `json:"hold_key"`
	ForwardHold   uint32           `json:"forward_hold"`
	SidestepHold  uint32           `json:"sidestep_hold"`
	TurnHold      uint32           `json:"turn_hold"`
	Actions       [][4]any         // command, stamp, autonomous, speed
	RunRate       *float32         `json:"run_rate"`
	Heading       *float32         // degrees
	Params        *json.RawMessage // over the defaults
}

// play is a scenario being played: the motion of all its entities, targets, and
// as much of a tick as movers on level ground need.
type play struct {
	Hz       float64 `json:"tick_hz"`
	Ticks    int
	Tables   string
	Entities []actorJSON
	Events   []eventJSON

	t      *testing.T
	tick   int
	stuck  bool // somebody sticks: what follows is not motion's alone
	actors []actor
	late   []func()
}

// actor is one entity: a mover and its target manager (13 §5).
type actor struct {
	Mover
	w       *play
	queue   HookQueue
	done    [][2]any
	target  components.Target
	asked   float64 // s, when the target was subscribed to
	managed bool    // there is a target manager
	lastRun float64 // s
	voyeurs []voyeur
}

type voyeur struct {
	id              uint32
	radius, quantum float32
	sent            space.Position
}

func loadPlay(t *testing.T, path string) *play {
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	w := &play{t: t}
	if err := json.Unmarshal(b, w); err != nil {
		t.Fatal(err)
	}
	folder, err := dat.OpenFolder(os.DirFS(filepath.Join(filepath.Dir(path), w.Tables)), ".")
	if err != nil {
		t.Fatal(err)
	}
	tables, err := dat.Load(folder)
	if err != nil {
		t.Fatal(err)
	}
	pools := &components.Pools{}
	w.actors = make([]actor, len(w.Entities))
	for i := range w.actors {
		a, e := &w.actors[i], &w.Entities[i]
		a.w = w
		a.Row, a.Tables, a.Pools, a.Hooks, a.Host = row(), tables, pools, &a.queue, a
		Init(a.Row)
		a.Identity.Guid = uint32(e.Guid)
		a.Identity.Table, _ = tables.MotionTable(uint32(e.MotionTable))
		a.Rest.Scale = orOne(e.Scale)
		if setup, ok := tables.Setup(uint32(e.Setup)); ok {
			a.Traits.Radius, a.Traits.Height = tables.Setups[setup].Radius*a.Rest.Scale, tables.Setups[setup].Height*a.Rest.Scale
		}
		a.Traits.Flags = components.HasGame | components.HasRunRate
		if e.Creature == nil || *e.Creature {
			a.Traits.Flags |= components.Creature
		}
		a.Traits.RunRate = orOne(e.RunRate)
		a.Body.State = components.DefaultState
		if e.Gravity != nil && !*e.Gravity {
			a.Body.State &^= components.Gravity
		}
		a.Body.Transient = components.Contact | components.OnWalkable
		a.Pose.Position = e.position() // in the cell that it says, until it moves
		a.EnterDefaultState()
		a.done = nil
	}
	return w
}

func orOne(v *float32) float32 {
	if v == nil {
		return 1
	}
	return *v
}

func (w *play) now() float64 { return float64(w.tick) / w.Hz }

func (w *play) find(guid uint32) *actor {
	for i := range w.actors {
		if w.actors[i].Identity.Guid == guid {
			return &w.actors[i]
		}
	}
	return nil
}

// step is one tick (scenario-format.md, tick order).
func (w *play) step() {
	w.tick++
	for i := range w.actors {
		w.actors[i].done = nil
	}
	for i := range w.Events {
		if e := &w.Events[i]; e.Tick == w.tick {
			w.find(uint32(e.Guid)).event(e)
		}
	}
	for i := range w.actors {
		w.actors[i].update(float32(1 / w.Hz))
	}
	late := w.late
	w.late = nil
	for _, deliver := range late {
		deliver()
	}
	for i := range w.actors {
		a := &w.actors[i]
		if err := Check(a.Row, a.Tables, a.Pools); err != nil {
			w.t.Fatalf("tick %d: %v", w.tick, err)
		}
	}
}

// update is steps a to i of one entity.
func (a *actor) update(q float32) {
	off := space.Identity
	Advance(a.Tables, &a.Pools.Nodes, a.Sequence, float64(q), &off, a.Hooks)
	off.Origin = space.Scale(off.Origin, a.Rest.Scale)
	next := space.Combine(a.Pose.Frame, off)
	for i := 0; i < len(a.queue.Fired); i++ {
		if a.queue.Fired[i].Hook == AnimationDone {
			a.AnimationDone(true)
		}
	}
	a.queue.Reset()
	commit(&a.Mover, next, q)
	a.handleTargetting()
	a.MoveToTime()
	a.CheckForCompletedMotions()
}

// event does what 05 §5.11 says of it.
func (a *actor) event(e *eventJSON) {
	p := DefaultParams()
	if e.Params != nil {
		j := struct {
			Flags            hex
			DistanceToObject float32 `json:"distance_to_object"`
			MinDistance      float32 `json:"min_distance"`
			FailDistance     float32 `json:"fail_distance"`
			Speed            float32
			WalkRunThreshold float32 `json:"walk_run_threshold"`
			DesiredHeading   float32 `json:"desired_heading"`
		}{hex(p.Flags), p.DistanceToObject, p.MinDistance, p.FailDistance, p.Speed, p.WalkRunThreshold, 0}
		if err := json.Unmarshal(*e.Params, &j); err != nil {
			a.w.t.Fatal(err)
		}
		p.Flags, p.DistanceToObject, p.MinDistance, p.FailDistance = components.ParamFlags(j.Flags), j.DistanceToObject, j.MinDistance, j.FailDistance
		p.Speed, p.WalkRunThreshold, p.DesiredHeading = j.Speed, j.WalkRunThreshold, j.DesiredHeading
	}
	or := func(v hex, d uint32) uint32 {
		if v == 0 {
			return d
		}
		return uint32(v)
	}
	order := func() {
		a.InboundBegin(a.Interpreted.Style)
		if e.RunRate != nil {
			a.Interpreter.RunRate = *e.RunRate
		}
		if e.Heading != nil {
			p.DesiredHeading = *e.Heading
		}
	}
	to := a.w.find(uint32(e.Target))
	switch e.Do {
	case "interpreted":
		s := State{or(e.Style, NonCombat), or(e.Forward, Ready), uint32(e.Sidestep), uint32(e.Turn), orOne(e.ForwardSpeed), orOne(e.SidestepSpeed), orOne(e.TurnSpeed)}
		var actions []components.Action
		for _, v := range e.Actions {
			id, err := strconv.ParseUint(strings.TrimPrefix(v[0].(string), "0x"), 16, 32)
			if err != nil {
				a.w.t.Fatal(err)
			}
			actions = append(actions, components.Action{Motion: uint32(id), Stamp: uint16(v[1].(float64)), Autonomous: v[2].(bool), Speed: float32(v[3].(float64))})
		}
		a.Interpreter.LastMoveAutonomous = false
		a.InboundState(s.Style, &s, actions, false)
	case "raw":
		axis := func(c uint32, hold uint32, speed *float32) components.Axis {
			return components.Axis{Motion: c, Hold: components.HoldKey(hold), Speed: orOne(speed)}
		}
		a.Interpreter.LastMoveAutonomous = true
		a.InstallRaw(RawState{
			HoldKey: components.HoldKey(e.HoldKey), Style: or(e.Style, NonCombat), Forward: axis(or(e.Forward, Ready), e.ForwardHold, e.ForwardSpeed),
			Sidestep: axis(uint32(e.Sidestep), e.SidestepHold, e.SidestepSpeed), Turn: axis(uint32(e.Turn), e.TurnHold, e.TurnSpeed),
		})
	case "do_motion", "stop_motion":
		a.Interpreter.LastMoveAutonomous = true
		p.Speed, p.HoldKey = orOne(e.Speed), components.HoldKey(e.HoldKey)
		kind := RawCommand
		if e.Do == "stop_motion" {
			kind = StopRawCommand
		}
		a.PerformMovement(kind, uint32(e.Motion), &p)
	case "stop_completely":
		a.PerformMovement(StopCompletely, 0, nil)
	case "unstick":
	case "move_to_position":
		order()
		a.MoveToPosition(e.position(), &p)
	case "move_to_object":
		order()
		a.MoveToObject(to.Identity.Guid, to.Identity.Guid, to.Traits.Radius, to.Traits.Height, &p)
	case "turn_to_object":
		order()
		if to == nil {
			a.TurnToHeading(&p)
		} else {
			a.TurnToObject(to.Identity.Guid, to.Identity.Guid, &p)
		}
	case "turn_to_heading":
		order()
		a.TurnToHeading(&p)
	default:
		a.w.t.Fatalf("event %q", e.Do)
	}
}

func (a *actor) Now() float64                    { return a.w.now() }
func (a *actor) Unstick()                        {}
func (a *actor) SetVelocity(v space.Vec3)        { a.Body.Velocity = v }
func (a *actor) MotionDone(c uint32, ok bool)    { a.done = append(a.done, [2]any{id(c), ok}) }
func (a *actor) LeavesGround()                   {}
func (a *actor) Activate()                       {}
func (a *actor) MoveToDone(MovementType, uint32) {}
func (a *actor) TargetQuantum() float32          { return a.target.Quantum }

func (a *actor) StickTo(id uint32, radius, height float32) { a.w.stuck = true }

func (a *actor) SetTarget(context, id uint32, radius, quantum float32) {
	a.ClearTarget()
	a.managed = true
	a.target = components.Target{ID: id, Context: context, Radius: radius, Quantum: quantum}
	a.asked = a.w.now()
	if to := a.w.find(id); to != nil {
		to.addVoyeur(a.Identity.Guid, radius, quantum)
	}
}

func (a *actor) ClearTarget() {
	if to := a.w.find(a.target.ID); to != nil && a.target.ID != 0 {
		to.voyeurs = slices.DeleteFunc(to.voyeurs, func(v voyeur) bool { return v.id == a.Identity.Guid })
	}
	a.target = components.Target{}
}

func (a *actor) SetTargetQuantum(q float32) {
	a.target.Quantum = q
	if to := a.w.find(a.target.ID); to != nil {
		to.addVoyeur(a.Identity.Guid, a.target.Radius, q)
	}
}

func (a *actor) addVoyeur(id uint32, radius, quantum float32) {
	a.managed = true
	for i := range a.voyeurs {
		if v := &a.voyeurs[i]; v.id == id {
			v.radius, v.quantum = radius, quantum
			return
		}
	}
	a.voyeurs = append(a.voyeurs, voyeur{id: id, radius: radius, quantum: quantum, sent: a.Pose.Position})
	a.w.find(id).receive(a.news(quantum, a.Pose.Position))
}

func (a *actor) news(quantum float32, p space.Position) components.Target {
	return components.Target{ID: a.Identity.Guid, Quantum: quantum, Place: a.Pose.Position, Interpolated: p, Status: components.TargetOK}
}

func (a *actor) receive(t components.Target) {
	if a.target.ID == t.ID {
		t.Radius = a.target.Radius
		a.target = t
		a.HandleTarget(&t)
	}
}

func (a *actor) handleTargetting() {
	if !a.managed || a.w.now()-a.lastRun < 0.5 {
		return
	}
	if a.target.ID != 0 && a.target.Status == components.TargetUndefined && a.asked+10 < a.w.now() {
		a.target.Status = components.TargetTimedOut
		t := a.target
		a.HandleTarget(&t)
	}
	for i := range a.voyeurs {
		v := &a.voyeurs[i]
		p := a.Pose.Position
		p.Frame.Origin = space.Add(p.Frame.Origin, space.Scale(a.Body.Achieved, v.quantum))
		if space.Distance(&p, &v.sent) > v.radius {
			v.sent = p
			to, t := v.id, a.news(v.quantum, p)
			a.w.late = append(a.w.late, func() { a.w.find(to).receive(t) })
		}
	}
	a.lastRun = a.w.now()
}

func id(c uint32) string { return fmt.Sprintf("0x%X", c) }

// trace is the mover as a line of a trace has it, what is motion's of it.
func (a *actor) trace() map[string]any {
	s, q, i, b := a.Sequence, a.Pending, a.Interpreted, a.Pose
	list, anims, motions, mods := []any{}, []any{}, []any{}, []any{}
	for _, n := range s.Nodes.Items(&a.Pools.Nodes) {
		list = append(list, []any{id(a.Tables.Anims[n.Anim].ID), n.Rate, n.Low, n.High})
	}
	for _, e := range q.Anims.Items(&a.Pools.PendingAnims) {
		anims = append(anims, []any{id(e.Motion), e.Count})
	}
	for _, e := range q.Motions.Items(&a.Pools.PendingMotions) {
		motions = append(motions, []any{e.Context, id(e.Motion), e.JumpError})
	}
	for _, e := range a.MotionState.Modifiers.Items(&a.Pools.Speeded) {
		mods = append(mods, []any{id(e.Motion), e.Speed})
	}
	done := []any{}
	for _, d := range a.done {
		done = append(done, d)
	}
	r := b.Frame.Rotation
	return map[string]any{
		"cell": id(uint32(b.Cell)), "origin": b.Frame.Origin, "rotation": []float32{r.W, r.V[0], r.V[1], r.V[2]},
		"style": id(a.MotionState.Style), "substate": id(a.MotionState.Substate), "substate_speed": a.MotionState.Speed,
		"modifiers": mods, "list": list, "frame": s.Frame, "seq_velocity": s.Velocity, "seq_omega": s.Omega,
		"forward": id(i.Forward), "forward_speed": i.ForwardSpeed, "sidestep": id(i.Sidestep), "turn": id(i.Turn), "turn_speed": i.TurnSpeed,
		"pending_motions": motions, "pending_anims": anims, "anim_counter": q.Counter, "moving_to": a.MovingTo(), "done": done,
	}
}

func traceLines(t *testing.T, path string) (lines []map[string]any) {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	sc := bufio.NewScanner(z)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		var m map[string]any
		if err := json.Unmarshal(sc.Bytes(), &m); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, m)
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	return lines
}

// sameValue compares what ours has with the expected line, floats by the
// tolerance of the format, ids as numbers, rotations up to sign.
func sameValue(t *testing.T, where string, ours, line map[string]any) bool {
	t.Helper()
	b, err := json.Marshal(ours)
	if err != nil {
		t.Fatal(err)
	}
	ours = nil
	if err := json.Unmarshal(b, &ours); err != nil {
		t.Fatal(err)
	}
	good := true
	for key, v := range ours {
		if like(v, line[key], 1) || key == "rotation" && like(v, line[key], -1) {
			continue
		}
		t.Errorf("%s %s: %v, want %v", where, key, v, line[key])
		good = false
	}
	return good
}

func like(a, b any, sign float64) bool {
	switch a := a.(type) {
	case float64:
		b, ok := b.(float64)
		b *= sign
		return ok && math.Abs(a-b) <= 1e-3+1e-4*max(math.Abs(a), math.Abs(b))
	case string:
		b, ok := b.(string)
		return ok && strings.TrimLeft(strings.ToLower(a), "0x") == strings.TrimLeft(strings.ToLower(b), "0x")
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !like(a[i], b[i], sign) {
				return false
			}
		}
		return true
	}
	return a == b
}
