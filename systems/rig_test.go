package systems

import (
	"errors"
	"io/fs"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/testdata/fixtures"
	"github.com/gait-engine/gait/wire"
)

// The records that the fixtures hold (testdata/fixtures), and one of the actions
// that the humanoid has a link for.
const (
	humanTable, humanSetup       = 0x09000001, 0x02000001
	creatureTable, creatureSetup = 0x09000007, 0x02000007
	tinyTable, tinySetup         = 0x09000100, 0x02000100

	wave uint32 = 0x13000087

	me = 0x50000001 // the remote that most tests are about
)

var loadFixtures = sync.OnceValues(func() (*dat.Tables, error) {
	folders, err := fs.ReadDir(fixtures.FS, ".")
	if err != nil {
		return nil, err
	}
	var sources []dat.Source
	for _, f := range folders {
		s, err := dat.OpenFolder(fixtures.FS, f.Name())
		if err != nil {
			return nil, err
		}
		sources = append(sources, s)
	}
	return dat.Load(sources...)
})

func fixtureTables(t testing.TB) *dat.Tables {
	t.Helper()
	tables, err := loadFixtures()
	if err != nil {
		t.Fatal(err)
	}
	return tables
}

// rig is an engine in a test, with the stamps that its messages carry.
type rig struct {
	testing.TB
	e *Engine

	moves, places, states, vectors map[uint32]uint16 // stamps last sent
	instance, teleport             map[uint32]uint16
	unchecked                      bool // leave Check to the test
}

// newRig returns a rig without remotes.
func newRig(t testing.TB, o Options) *rig {
	t.Helper()
	o.Tables = fixtureTables(t)
	e, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	stamps := func() map[uint32]uint16 { return map[uint32]uint16{} }
	return &rig{TB: t, e: e, moves: stamps(), places: stamps(), states: stamps(), vectors: stamps(), instance: stamps(), teleport: stamps()}
}

// standing returns a rig at tick 1 with one humanoid that stands at (108, 108).
func standing(t testing.TB, o Options) *rig {
	t.Helper()
	r := newRig(t, o)
	r.spawn(human(me, 108, 108))
	r.tick(1)
	return r
}

// spot is a place in landblock A9B4, level, facing a compass heading in degrees.
// Local coordinates beyond the block lead into its neighbours.
func spot(x, y, heading float32) space.Position {
	p := space.Position{Cell: 0xA9B40001, Frame: space.Frame{
		Origin: space.Vec3{x, y, 0}, Rotation: space.SetHeading(space.IdentityQuat, heading),
	}}
	p.Normalize()
	return p
}

// human is a humanoid that stands at (x, y) and faces north.
func human(guid uint32, x, y float32) Spawn {
	s := NewSpawn(guid, spot(x, y, 0))
	s.MotionTable, s.Setup = humanTable, humanSetup
	return s
}

// creature is the four-legged one, whose cycles carry velocity.
func creature(guid uint32, x, y float32) Spawn {
	s := NewSpawn(guid, spot(x, y, 0))
	s.MotionTable, s.Setup = creatureTable, creatureSetup
	return s
}

// alone skips, of short tests, what one goroutine does for long: under the race detector there is
// nothing to find.
func alone(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("one goroutine")
	}
}

func (r *rig) spawn(s Spawn) {
	r.Helper()
	if err := r.e.Spawn(s); err != nil {
		r.Fatal(err)
	}
}

// tick ticks and checks every invariant after each.
func (r *rig) tick(n int) {
	r.Helper()
	for range n {
		r.e.Tick()
		if r.unchecked {
			continue
		}
		if err := r.e.Check(); err != nil {
			r.Fatalf("tick %d: %v", r.e.Now(), err)
		}
	}
}

// seconds ticks for so long.
func (r *rig) seconds(s float64) {
	r.Helper()
	r.tick(int(math.Round(s / float64(r.e.Quantum()))))
}

type message interface {
	Append([]byte) ([]byte, error)
}

func encode(t testing.TB, m message) []byte {
	t.Helper()
	b, err := m.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// send gives a message, as value or as bytes, to the next tick.
func (r *rig) send(m any) {
	r.Helper()
	var b []byte
	switch m := m.(type) {
	case []byte:
		b = m
	case message:
		b = encode(r, m)
	default:
		r.Fatalf("%T is no message", m)
	}
	if err := r.e.Inbound(b); err != nil {
		r.Fatal(err)
	}
}

func (r *rig) command(c Command) {
	r.Helper()
	if err := r.e.Command(c); err != nil {
		r.Fatal(err)
	}
}

// does is an interpreted state as the wire has it.
type does struct {
	style, forward, sidestep, turn uint32 // full commands; 0 style is NonCombat, 0 forward Ready
	speed, side, spin              float32
	actions                        []wire.Action
}

func (d does) state() wire.State {
	s := wire.NewState()
	index := func(to *uint16, id uint32) {
		if id != 0 {
			*to = wire.CommandIndex(id)
		}
	}
	speed := func(to *float32, v float32) {
		if v != 0 {
			*to = v
		}
	}
	index(&s.Style, d.style)
	index(&s.Forward, d.forward)
	index(&s.Sidestep, d.sidestep)
	index(&s.Turn, d.turn)
	speed(&s.ForwardSpeed, d.speed)
	speed(&s.SidestepSpeed, d.side)
	speed(&s.TurnSpeed, d.spin)
	s.Count = uint8(copy(s.Actions[:], d.actions))
	s.Fresh()
	return s
}

// movement is the next movement message of a remote.
func (r *rig) movement(guid uint32, d does) *wire.Movement {
	r.moves[guid]++
	m := &wire.Movement{Guid: guid, Instance: r.instance[guid], Movement: r.moves[guid]}
	m.Body.State = d.state()
	m.Body.Style = m.Body.State.Style
	m.Body.Fresh()
	return m
}

// move sends it.
func (r *rig) move(guid uint32, d does) { r.Helper(); r.send(r.movement(guid, d)) }

// position is the next position message of a remote, on the ground.
func (r *rig) position(guid uint32, p space.Position) *wire.PositionEvent {
	r.places[guid]++
	m := &wire.PositionEvent{Guid: guid}
	m.Pack.Place = p
	m.Pack.Flags = wire.PackContact
	m.Pack.Instance, m.Pack.Position, m.Pack.Teleport = r.instance[guid], r.places[guid], r.teleport[guid]
	m.Pack.Fresh()
	return m
}

// place sends it.
func (r *rig) place(guid uint32, p space.Position) { r.Helper(); r.send(r.position(guid, p)) }

// teleportTo is a position message with a newer teleport stamp.
func (r *rig) teleportTo(guid uint32, p space.Position) *wire.PositionEvent {
	r.teleport[guid]++
	return r.position(guid, p)
}

// state is the next set-state message of a remote.
func (r *rig) state(guid uint32, s components.StateBits) *wire.SetState {
	r.states[guid]++
	return &wire.SetState{Guid: guid, State: uint32(s), Instance: r.instance[guid], Stamp: r.states[guid]}
}

// vector is the next vector message of a remote.
func (r *rig) vector(guid uint32, velocity, omega space.Vec3) *wire.VectorUpdate {
	r.vectors[guid]++
	return &wire.VectorUpdate{Guid: guid, Velocity: velocity, Omega: omega, Instance: r.instance[guid], Vector: r.vectors[guid]}
}

// row is a copy of one remote, its lists as slices.
type row struct {
	components.Values
	nodes              []components.Node
	modifiers, actions []components.Speeded
	interpreted        []components.Action
	raw                components.Raw
	updateTime         float64
	anims              []components.PendingAnim
	motions            []components.PendingMotion
	queue              []components.ChaseNode
}

func (r *rig) row(guid uint32) (c row) {
	r.Helper()
	ok := r.e.Inspect(guid, func(v *components.Row, p *components.Pools) {
		c.Values = components.Values{
			Cold: components.Cold{
				Identity: *v.Identity, Traits: *v.Traits, Anchors: *v.Anchors, MotionState: *v.MotionState,
				Interpreted: *v.Interpreted, Raw: *v.Raw, Interpreter: *v.Interpreter, Stamps: *v.Stamps, Errand: *v.Errand,
			},
			Pose: *v.Pose, Body: *v.Body, Sequence: *v.Sequence, Pending: *v.Pending, Chase: *v.Chase, Leash: *v.Leash, Rest: *v.Rest,
		}
		c.nodes = slices.Clone(v.Sequence.Nodes.Items(&p.Nodes))
		c.modifiers = slices.Clone(v.MotionState.Modifiers.Items(&p.Speeded))
		c.actions = slices.Clone(v.MotionState.Actions.Items(&p.Speeded))
		c.interpreted = slices.Clone(v.Interpreted.Actions.Items(&p.Actions))
		c.raw = v.RawState(p)
		c.updateTime = v.Errand.UpdateTime(p)
		c.anims = slices.Clone(v.Pending.Anims.Items(&p.PendingAnims))
		c.motions = slices.Clone(v.Pending.Motions.Items(&p.PendingMotions))
		c.queue = slices.Clone(v.Chase.Queue.Items(&p.Chase))
	})
	if !ok {
		r.Fatalf("0x%08X is not there", guid)
	}
	return c
}

func (r *rig) has(guid uint32) bool {
	return r.e.Inspect(guid, func(*components.Row, *components.Pools) {})
}

// list is the ids of the animations in a remote's list.
func (r *rig) list(guid uint32) (ids []uint32) {
	r.Helper()
	for _, n := range r.row(guid).nodes {
		ids = append(ids, r.e.Tables().Anims[n.Anim].ID)
	}
	return ids
}

// world is where a remote stands, in metres from its world's corner.
func (r *rig) world(guid uint32) [3]float64 {
	r.Helper()
	c := r.row(guid)
	return inWorld(&c.Pose.Position)
}

func inWorld(p *space.Position) [3]float64 {
	return [3]float64{
		float64(p.Cell.BlockX())*192 + float64(p.Frame.Origin[0]),
		float64(p.Cell.BlockY())*192 + float64(p.Frame.Origin[1]),
		float64(p.Frame.Origin[2]),
	}
}

func apart(a, b [3]float64) float64 {
	x, y, z := a[0]-b[0], a[1]-b[1], a[2]-b[2]
	return math.Sqrt(x*x + y*y + z*z)
}

// verdicts are what became of the last tick's inputs.
func (r *rig) verdicts() (v []Verdict) {
	for _, o := range r.e.Outcomes() {
		v = append(v, o.Verdict)
	}
	return v
}

func (r *rig) wantVerdicts(want ...Verdict) {
	r.Helper()
	if got := r.verdicts(); !slices.Equal(got, want) {
		r.Fatalf("tick %d: outcomes %v, want %v: %+v", r.e.Now(), got, want, r.e.Outcomes())
	}
}

// done are the motions that completed in the last tick.
func (r *rig) done(guid uint32) (ids []uint32) {
	for _, e := range r.e.Events() {
		if e.Guid == guid && e.Kind == MotionDone {
			ids = append(ids, e.Motion)
		}
	}
	return ids
}

// kinds are the events of a remote in the last tick, completions left out.
func (r *rig) kinds(guid uint32) (k []EventKind) {
	for _, e := range r.e.Events() {
		if e.Guid == guid && e.Kind != MotionDone {
			k = append(k, e.Kind)
		}
	}
	return k
}

func same[T comparable](t testing.TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func sameList[T comparable](t testing.TB, what string, got []T, want ...T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func wantErr(t testing.TB, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("error %v, want %v", err, want)
	}
}

// float32NaN is no number.
var float32NaN = float32(math.NaN())

// Commands by short names.
const (
	ready = motion.Ready
	walk  = motion.WalkForward
	run   = motion.RunForward
	right = motion.TurnRight
)
