package motion

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

var rewrite = flag.Bool("update", false, "rewrite the golden files of testdata")

// golden compares text with testdata/name.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *rewrite {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; got:\n%s", name, got)
	}
}

// rig is a mover of its own with a host that remembers, and scripted targets.
type rig struct {
	Mover
	t         testing.TB
	queue     HookQueue
	now       float64 // s
	done      []string
	told      []string // everything the host was told, in order
	ended     []string // move-tos
	onUnstick func()
	target    components.Target                   // who is subscribed to
	known     map[uint32]func() components.Target // what those who are known answer
}

func (r *rig) tell(format string, v ...any) { r.told = append(r.told, fmt.Sprintf(format, v...)) }

func (r *rig) Now() float64 { return r.now }

func (r *rig) SetTarget(context, id uint32, radius, quantum float32) {
	r.tell("target %d %X %v %v", context, id, radius, quantum)
	r.target = components.Target{ID: id, Context: context, Radius: radius, Quantum: quantum}
	if id == 0 {
		r.update(components.Target{Status: components.TargetTimedOut})
	} else if answer, ok := r.known[id]; ok {
		r.update(answer())
	}
}

// update delivers news of the target.
func (r *rig) update(t components.Target) {
	t.ID, t.Context, t.Quantum = r.target.ID, r.target.Context, r.target.Quantum
	r.target = t
	r.HandleTarget(&r.target)
}

func (r *rig) ClearTarget() { r.tell("clear"); r.target = components.Target{} }

func (r *rig) TargetQuantum() float32 { return r.target.Quantum }

func (r *rig) SetTargetQuantum(q float32) { r.tell("quantum %.4g", q); r.target.Quantum = q }

func (r *rig) StickTo(id uint32, radius, height float32) {
	r.tell("stick %X %v %v", id, radius, height)
}

func (r *rig) MoveToDone(kind MovementType, code uint32) {
	s := endOf(kind, code)
	r.ended = append(r.ended, s)
	r.tell("moved %s", s)
}

func (r *rig) Unstick() {
	r.told = append(r.told, "unstick")
	if r.onUnstick != nil {
		r.onUnstick()
	}
}

func (r *rig) SetVelocity(v space.Vec3) { r.Body.Velocity = v }

func (r *rig) Activate()     {}
func (r *rig) LeavesGround() { r.told = append(r.told, "leaves ground") }

func (r *rig) MotionDone(c uint32, ok bool) {
	s := fmt.Sprintf("%s %v", CommandName(c), ok)
	r.done = append(r.done, s)
	r.told = append(r.told, s)
}

func (r *rig) raw() components.Raw { return r.RawState(r.Pools) }

func (r *rig) rawActions() []components.Action {
	raw := r.raw()
	return raw.Actions.Items(&r.Pools.Actions)
}

// keys changes the raw state.
func (r *rig) keys(change func(k *components.Raw)) {
	raw := r.raw()
	change(&raw)
	r.SetRawState(r.Pools, raw)
}

// self is the guid of a rig.
const self = 0x50000001

func row() components.Row {
	return components.Row{
		Identity: &components.Identity{Guid: self, Table: -1, Setup: -1}, Traits: &components.Traits{}, Pose: &components.Pose{},
		Anchors: &components.Anchors{}, Body: &components.Body{}, Sequence: &components.Sequence{},
		MotionState: &components.MotionState{}, Interpreted: &components.Interpreted{}, Raw: &components.Box[components.Raw]{},
		Interpreter: &components.Interpreter{}, Pending: &components.Pending{}, Chase: &components.Chase{},
		Leash: &components.Leash{}, Stamps: &components.Stamps{}, Rest: &components.Rest{Scale: 1}, Errand: &components.Errands{}, Touch: &components.Touch{},
	}
}

// newRig makes a creature with gravity that stands in a cell, with the first
// motion table of the records, before its default state.
func newRig(t testing.TB, recs dat.Records) *rig {
	t.Helper()
	tables, err := dat.Compile(recs)
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t}
	r.Row, r.Tables, r.Pools, r.Hooks, r.Host = row(), tables, &components.Pools{}, &r.queue, r
	Init(r.Row)
	if len(tables.Motions) > 0 {
		r.Identity.Table = 0
	}
	r.Traits.Flags = components.HasGame | components.Creature | components.HasRunRate | components.CanJump
	r.Traits.RunRate = 1
	r.Body.State = components.DefaultState
	r.Body.Transient = components.Contact | components.OnWalkable
	r.Pose.Cell = 0xA9B40025
	r.Pose.Frame = space.Identity
	return r
}

// standing enters the default state and completes what that left pending.
func (r *rig) standing() *rig {
	r.EnterDefaultState()
	r.CheckForCompletedMotions()
	r.forget()
	return r
}

func (r *rig) forget() { r.done, r.told, r.ended = nil, nil, nil }

// tick advances the sequence, executes its hooks and completes what waits for
// nothing; it returns the offset and the hooks as frames of animation ids.
func (r *rig) tick(dt float64) (space.Frame, []string) {
	r.t.Helper()
	f := space.Identity
	Advance(r.Tables, &r.Pools.Nodes, r.Sequence, dt, &f, r.Hooks)
	fired := r.fired()
	for i := 0; i < len(r.queue.Fired); i++ {
		if r.queue.Fired[i].Hook == AnimationDone {
			r.AnimationDone(true)
		}
	}
	r.queue.Reset()
	r.CheckForCompletedMotions()
	r.check()
	return f, fired
}

// fired names the queued hooks: "L0" for frame 0 of animation L, "done".
func (r *rig) fired() []string {
	var out []string
	for _, h := range r.queue.Fired {
		if h.Hook == AnimationDone {
			out = append(out, "done")
		} else {
			out = append(out, fmt.Sprintf("%c%d", rune(r.Tables.Anims[h.Anim].ID&0xFF), h.Frame))
		}
	}
	return out
}

func (r *rig) check() {
	r.t.Helper()
	if err := Check(r.Row, r.Tables, r.Pools); err != nil {
		r.t.Fatal(err)
	}
}

// checkList is check for tests that go past the interpreter.
func (r *rig) checkList() {
	r.t.Helper()
	if err := checkSequence(r.Sequence, r.Tables, r.Pools); err != nil {
		r.t.Fatal(err)
	}
}

// list names the nodes by the low byte of their animation's id.
func (r *rig) list() string {
	var b strings.Builder
	for _, n := range r.Sequence.Nodes.Items(&r.Pools.Nodes) {
		b.WriteRune(rune(r.Tables.Anims[n.Anim].ID & 0xFF))
	}
	return b.String()
}

func (r *rig) anims() string {
	var out []string
	for _, a := range r.Pending.Anims.Items(&r.Pools.PendingAnims) {
		out = append(out, fmt.Sprintf("%s %d", CommandName(a.Motion), a.Count))
	}
	return strings.Join(out, ", ")
}

func (r *rig) motions() string {
	var out []string
	for _, a := range r.Pending.Motions.Items(&r.Pools.PendingMotions) {
		out = append(out, CommandName(a.Motion))
	}
	return strings.Join(out, ", ")
}

func (r *rig) modifiers() string {
	var out []string
	for _, a := range r.MotionState.Modifiers.Items(&r.Pools.Speeded) {
		out = append(out, CommandName(a.Motion))
	}
	return strings.Join(out, ", ")
}

// ask issues a table request past the manager.
func (r *rig) ask(c uint32, speed float32) (uint32, bool) {
	budget := maxReissues
	return r.request(c, speed, false, &budget)
}

func (r *rig) askStop(c uint32) (uint32, bool) {
	budget := maxReissues
	return r.stop(c, &budget)
}

// do applies an interpreted state as an event brings it.
func (r *rig) do(s State, actions ...components.Action) {
	r.t.Helper()
	if code := r.InboundState(s.Style, &s, actions, false); code != 0 {
		r.t.Fatalf("refused 0x%02X", code)
	}
	r.check()
}

func moving(forward uint32, speed float32) State {
	s := DefaultState()
	s.Forward, s.ForwardSpeed = forward, speed
	return s
}

// letter is the animation id whose low byte is c.
func letter(c byte) uint32 { return 0x03000000 | uint32(c) }

// an makes the animation of a letter with n frames; a y other than 0 gives each
// a position frame. Every frame has one hook.
func an(c byte, n int, y float32) *dat.Animation {
	a := &dat.Animation{ID: letter(c)}
	for i := 0; i < n; i++ {
		a.Frames = append(a.Frames, dat.AnimFrame{Hooks: []dat.Hook{{Type: dat.HookNoOp}}})
		if y != 0 {
			a.Positions = append(a.Positions, space.Frame{Origin: space.Vec3{0, y, 0}, Rotation: space.IdentityQuat})
		}
	}
	return a
}

func clip(c byte, rate float32) dat.Clip { return dat.Clip{Anim: letter(c), High: -1, Rate: rate} }

// md is motion data of whole animations at 30.
func md(letters string) dat.MotionData {
	var d dat.MotionData
	for i := range letters {
		d.Clips = append(d.Clips, clip(letters[i], 30))
	}
	return d
}

func vel(d dat.MotionData, x, y, z float32) dat.MotionData {
	d.Velocity = space.Vec3{x, y, z}
	return d
}

func turning(d dat.MotionData, z float32) dat.MotionData { d.Omega = space.Vec3{0, 0, z}; return d }

func flags(d dat.MotionData, f uint8) dat.MotionData { d.Flags = f; return d }

// book writes a motion table.
type book struct{ dat.MotionTable }

func newBook(style uint32) *book {
	return &book{dat.MotionTable{ID: 0x09000001, DefaultStyle: style}}
}

func (b *book) rests(style, c uint32) *book {
	b.StyleDefaults = append(b.StyleDefaults, dat.StyleDefault{Style: style, Motion: c})
	return b
}

func (b *book) cycle(style, c uint32, d dat.MotionData) *book {
	b.Cycles = append(b.Cycles, dat.KeyedMotion{Key: Key(style, c), Data: d})
	return b
}

// mod with style 0 is for any style.
func (b *book) mod(style, c uint32, d dat.MotionData) *book {
	b.Modifiers = append(b.Modifiers, dat.KeyedMotion{Key: Key(style, c), Data: d})
	return b
}

// link from 0 is from anything.
func (b *book) link(style, from, to uint32, d dat.MotionData) *book {
	key := Key(style, from)
	i := slices.IndexFunc(b.Links, func(g dat.LinkGroup) bool { return g.Key == key })
	if i < 0 {
		i = len(b.Links)
		b.Links = append(b.Links, dat.LinkGroup{Key: key})
	}
	b.Links[i].To = append(b.Links[i].To, dat.KeyedMotion{Key: to, Data: d})
	return b
}

func (b *book) with(anims ...*dat.Animation) dat.Records {
	return dat.Records{Motions: []*dat.MotionTable{&b.MotionTable}, Anims: anims}
}

// small is the table of 03 §3.9: cycles R, W, U (run), links a (R→W), b (W→R),
// c (W→U), d (R→U), e (U→R).
func small() dat.Records {
	return newBook(NonCombat).rests(NonCombat, Ready).
		cycle(NonCombat, Ready, md("R")).cycle(NonCombat, WalkForward, vel(md("W"), 0, 3.12, 0)).
		cycle(NonCombat, RunForward, vel(md("U"), 0, 4, 0)).
		link(NonCombat, Ready, WalkForward, md("a")).link(NonCombat, WalkForward, Ready, md("b")).
		link(NonCombat, WalkForward, RunForward, md("c")).link(NonCombat, Ready, RunForward, md("d")).
		link(NonCombat, RunForward, Ready, md("e")).
		with(an('R', 10, 0), an('W', 10, 0), an('U', 10, 0), an('a', 5, 0), an('b', 5, 0), an('c', 5, 0), an('d', 5, 0), an('e', 5, 0))
}

// gated is the humanoid's way to turn and sidestep: cycles T and S, entered
// only from Ready by empty links, and modifiers.
func gated(b *book) *book {
	return b.cycle(NonCombat, TurnRight, flags(turning(md("T"), -1.5), 2)).
		cycle(NonCombat, SideStepRight, flags(vel(md("S"), 1.25, 0, 0), 2)).
		link(NonCombat, Ready, TurnRight, md("")).link(NonCombat, TurnRight, Ready, md("")).
		link(NonCombat, Ready, SideStepRight, md("")).link(NonCombat, SideStepRight, Ready, md("")).
		mod(0, TurnRight, turning(md(""), -1.5)).mod(0, SideStepRight, vel(md(""), 1.25, 0, 0))
}

// human is small with turning and sidestepping, falling (F, link f), an action
// (Cheer, link g from Ready), another style (H, link h from anything), and
// Crouch (C) and Dead (D, which clears modifiers).
func human() dat.Records {
	b := &book{*small().Motions[0]}
	gated(b).
		cycle(NonCombat, Falling, md("F")).link(NonCombat, Ready, Falling, md("f")).link(NonCombat, Falling, Ready, md("i")).
		link(NonCombat, Ready, Cheer, md("g")).
		rests(HandCombat, Ready).cycle(HandCombat, Ready, md("H")).link(NonCombat, 0, HandCombat, md("h")).link(HandCombat, 0, NonCombat, md("k")).
		cycle(NonCombat, Crouch, flags(md("C"), 1)).cycle(NonCombat, Dead, flags(md("D"), 1)).link(NonCombat, Ready, Dead, md("l"))
	recs := b.with(small().Anims...)
	for _, c := range "TSFfgHhikCDl" {
		recs.Anims = append(recs.Anims, an(byte(c), 6, 0))
	}
	return recs
}

func eq[T comparable](t testing.TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func near(t testing.TB, what string, got, want float64) {
	t.Helper()
	if !(got-want < 1e-4 && want-got < 1e-4) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// turnPending gives the mover a turn-to whose node waits: no command was issued.
func (r *rig) turnPending() *rig {
	r.t.Helper()
	s := r.order()
	r.setMovingTo(s, TurnToHeading)
	r.pushTurn(s, 90)
	r.forget()
	return r
}

// commit is step f of a tick without a sweep (11 §5.6): a frame to go to, taken.
func commit(m *Mover, next space.Frame, q float32) {
	from := m.Pose.Frame.Origin
	m.Pose.Frame.Rotation = next.Rotation
	m.Body.Achieved = space.Vec3{}
	if space.Equal(next.Origin, from) {
		return // it does not creep
	}
	move := space.Sub(next.Origin, from)
	if v := (space.Vec3{move[0] / q, move[1] / q, move[2] / q}); space.FiniteVec(v) {
		m.Body.Achieved, m.Pose.Frame = v, next
		m.Pose.Normalize()
	}
}

// quantum is a tick of a mover on level ground: steps a, c, e, f, h and i.
func (r *rig) quantum(dt float32) {
	r.t.Helper()
	r.now += float64(dt)
	off := space.Identity
	Advance(r.Tables, &r.Pools.Nodes, r.Sequence, float64(dt), &off, r.Hooks)
	for i := 0; i < len(r.queue.Fired); i++ {
		if r.queue.Fired[i].Hook == AnimationDone {
			r.AnimationDone(true)
		}
	}
	r.queue.Reset()
	commit(&r.Mover, space.Combine(r.Pose.Frame, off), dt)
	r.MoveToTime()
	r.CheckForCompletedMotions()
	r.check()
}

func fmtFloat(f float32) string { return fmt.Sprintf("%.3f", f) }

func endOf(kind MovementType, code uint32) string { return fmt.Sprintf("%d 0x%02X", kind, code) }
