package replay

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gait-engine/gait/bench"
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/wire"
	"github.com/gait-engine/gait/wire/transport"
)

// The speeds of a creature of run rate 1 (spec 05 §5.3; turning is the embedded table's).
const (
	walks   = 3.12 // m/s
	runs    = 4.0
	turns   = 1.5 // rad/s
	runTurn = 1.5 // times that under the run key
)

const me = 0x50000001

// walker is a client whose body follows the speeds of the spec, and what it sends,
// to the tick.
type walker struct {
	testing.TB
	v        *View
	tick     int
	sequence uint32
	x, y, z  float64
	heading  float64 // rad, clockwise from north
	ahead    float64 // m/s
	turn     float64 // rad/s clockwise
	up       float64 // m/s
	airborne bool
	stamps   wire.Quad
	said     int
}

func newWalker(tb testing.TB, own Own) *walker {
	w := &walker{TB: tb, v: newView(tb, own), x: 60, y: 60}
	w.v.Message(0, transport.S2C, encode(tb, &wire.CreatePlayer{Guid: me}))
	w.v.Message(0, transport.S2C, create(tb, me, place(here, 60, 60, 0), 0))
	w.pass(30)
	return w
}

// pass lets ticks go by.
func (w *walker) pass(ticks int) {
	w.tick += ticks
	for range ticks { // ahead first, and then about (R2.23)
		w.x, w.y = w.x+math.Sin(w.heading)*w.ahead/30, w.y+math.Cos(w.heading)*w.ahead/30
		w.heading += w.turn / 30
	}
	if t := float64(ticks) / 30; w.airborne {
		w.z += w.up*t - 9.8/2*t*t
		w.up -= 9.8 * t
	}
}

// at is when the tick in hand ends, in ns.
func (w *walker) at() int64 { return int64(math.Ceil(float64(w.tick) * 1e9 / 30)) }

func (w *walker) place() space.Position {
	p := place(here, float32(w.x), float32(w.y), float32(w.z))
	p.Frame.Rotation = space.SetHeading(p.Frame.Rotation, float32(w.heading*180/math.Pi))
	return p
}

func (w *walker) says(m wire.Message) {
	w.said++
	w.v.Message(w.at(), transport.C2S, encode(w, m))
}

// keys changes what is held: going ahead or not, running or not, turning or not.
func (w *walker) keys(ahead, run, right bool) {
	m := &wire.MoveToState{Sequence: w.next(), Raw: wire.NewRaw(), Place: w.place(), Stamps: w.stamps, Bits: w.bits()}
	w.ahead, w.turn, m.Raw.HoldKey = 0, 0, 1
	if ahead {
		w.ahead, m.Raw.Forward = walks, motion.WalkForward
	}
	if right {
		w.turn, m.Raw.Turn = turns, motion.TurnRight
	}
	if run {
		m.Raw.HoldKey, w.turn = 2, w.turn*runTurn
		if ahead {
			w.ahead = runs
		}
	}
	m.Raw.Fresh()
	w.says(m)
}

func (w *walker) next() uint32 { w.sequence++; return w.sequence }

func (w *walker) bits() uint8 {
	if w.airborne {
		return 0
	}
	return wire.ContactGrounded
}

// reports says where it is.
func (w *walker) reports() {
	w.says(&wire.AutonomousPosition{Sequence: w.next(), Place: w.place(), Stamps: w.stamps, Bits: w.bits()})
}

// jumps leaves the ground at a speed upwards.
func (w *walker) jumps(up float32) {
	w.says(&wire.Jump{Sequence: w.next(), Extent: 0.5, Velocity: space.Vec3{0, float32(w.ahead), up}, Place: w.place(), Stamps: w.stamps})
	w.airborne, w.up = true, float64(up)
}

// errors are the samples so far; every message of the client's was one.
func (w *walker) errors() []float32 {
	w.Helper()
	w.v.Finish(w.at())
	own := slices.Clone(w.v.samples.own) // which a report sorts
	if len(own) != w.said {
		w.Fatalf("%d samples of %d messages", len(own), w.said)
	}
	account(w, w.v, w.v.samples.fates[OwnObject])
	if err := w.v.Engine().Check(); err != nil {
		w.Fatal(err)
	}
	return own
}

// tour runs, turns, walks, jumps and stops, and says where it is on the way: two
// thirds of a second after what it does has changed, and a second later.
func (w *walker) tour() (names []string) {
	leg := func(name string, ticks int, says func()) {
		w.pass(ticks)
		says()
		names = append(names, name)
	}
	leg("stands", 0, func() { w.keys(true, true, false) })
	leg("begins to run", 20, w.reports)
	leg("runs", 30, func() { w.keys(true, true, true) })
	leg("runs in a circle", 30, func() { w.keys(true, false, false) })
	leg("begins to walk", 20, w.reports)
	leg("walks", 30, func() { w.keys(false, false, true) })
	leg("begins to stand", 20, w.reports)
	leg("turns", 30, func() { w.keys(true, true, false) })
	leg("begins to run ahead", 20, w.reports)
	leg("runs ahead", 30, func() { w.jumps(4.9) })
	leg("flies", 15, w.reports)
	leg("lands", 15, func() { w.airborne, w.z = false, 0; w.reports() }) // after a second, as 2·4.9/9.8 says
	leg("begins to run on", 20, w.reports)
	leg("runs on", 30, func() { w.keys(false, true, false) })
	leg("begins to rest", 20, w.reports)
	leg("rests", 30, w.reports)
	return names
}

// The client's raw states take the player along the path that the speeds of spec 05 and
// of a fall say, measured at each of its messages (22 §11.3, raw). Where a link plays, of
// which those speeds say nothing, he is off by what the link is; and as each message
// puts him where it says, nothing of that is left at the next.
func TestRawPath(t *testing.T) {
	w := newWalker(t, Raw)
	names := w.tour()
	for i, off := range w.errors() {
		t.Logf("%-20s %.4f m", names[i], off)
		if links := strings.HasPrefix(names[i], "begins"); off > 0.01 && !links || off > 1.6 || off < 0.05 && links {
			t.Errorf("%s: %v m off", names[i], off)
		}
	}
	if e := w.v.Errors(); e.OwnAs != "raw" || e.Own.Count != uint64(len(names)) {
		t.Errorf("%s: %+v", e.OwnAs, e.Own)
	}
	if h := headingOf(w); math.Abs(float64(headingBetween(h, float32(w.heading*180/math.Pi)))) > 0.01 {
		t.Errorf("he faces %v°, and should %v", h, w.heading*180/math.Pi)
	}
	still := newWalker(t, AsRemote) // nobody has seen him move
	still.tour()
	still.v.Finish(still.at())
	if s := still.v.Errors(); s.OwnAs != "remote" || s.Own.Largest < 4 {
		t.Errorf("without echoes: %+v", s.Own)
	}
}

func headingOf(w *walker) (h float32) {
	w.v.Engine().Inspect(me, func(r *components.Row, _ *components.Pools) { h = space.Heading(r.Pose.Frame.Rotation) })
	return h
}

// stands is where he is after the last tick.
func (w *walker) stands() (x, y, z float32) {
	w.v.advance(int64(w.tick))
	w.v.Engine().Inspect(me, func(r *components.Row, _ *components.Pools) {
		o := r.Pose.Frame.Origin
		x, y, z = o[0], o[1], o[2]
	})
	return x, y, z
}

func (w *walker) hears(m wire.Message) { w.v.Message(w.at(), transport.S2C, encode(w, m)) }

// echo is the server's word of what the client did.
func echo(stamp uint16, autonomous uint8, forward uint32, speed float32) *wire.Movement {
	m := &wire.Movement{Guid: me, Movement: stamp, ServerControl: stamp, Autonomous: autonomous}
	m.Body.State = wire.NewState()
	m.Body.State.Forward, m.Body.State.ForwardSpeed = wire.CommandIndex(forward), speed
	m.Body.Fresh()
	return m
}

// Nothing that echoes moves him: the movement, positions and vectors that the server
// sends of him (22 §11.3; 20 §5.4). A movement that the server ordered does, until he
// presses a key; and so do forced positions and teleports.
func TestRawEchoes(t *testing.T) {
	w := newWalker(t, Raw)
	w.hears(echo(1, 1, motion.WalkForward, 1))
	w.hears(&wire.VectorUpdate{Guid: me, Velocity: space.Vec3{0, 0, 9}, Vector: 1})
	w.v.Message(w.at(), transport.S2C, position(t, me, place(here, 70, 60, 0), 1, 0, true))
	w.pass(30)
	if x, y, z := w.stands(); x != 60 || y != 60 || z != 0 {
		t.Errorf("an echo moved him to %v, %v, %v", x, y, z)
	}

	w.hears(echo(2, 0, motion.WalkForward, 1))
	w.pass(30)
	if _, y, _ := w.stands(); y < 62 {
		t.Errorf("ordered to walk, he is at %v", y)
	}
	w.y = 63.5
	w.keys(false, true, false)
	w.pass(30)
	if x, y, _ := w.stands(); x != 60 || y < 63.5 || y > 64.5 {
		t.Errorf("having stopped, he is at %v, %v", x, y)
	}

	forced := &wire.PositionEvent{Guid: me}
	forced.Pack.Place, forced.Pack.Position, forced.Pack.ForcePosition = place(here, 20, 30, 0), 2, 1
	forced.Pack.Fresh()
	w.hears(forced)
	w.pass(2)
	if x, y, _ := w.stands(); x != 20 || y != 30 {
		t.Errorf("forced to 20, 30, he is at %v, %v", x, y)
	}
	w.reports() // as he was before he heard of it
	w.said--    // and nothing to compare
	w.pass(2)
	if x, y, _ := w.stands(); x != 20 || y != 30 {
		t.Errorf("a report from before took him back to %v, %v", x, y)
	}
	w.stamps.ForcePosition, w.x, w.y = 1, 20, 30
	w.reports()

	w.hears(&wire.PlayerTeleport{Teleport: 1})
	w.pass(1)
	w.v.Message(w.at(), transport.S2C, position(t, me, place(0xABB40001, 5, 6, 0), 3, 1, true))
	w.pass(30)
	if x, y, _ := w.stands(); x != 5 || y != 6 {
		t.Errorf("teleported to 5, 6, he is at %v, %v", x, y)
	}
	for _, off := range w.errors() {
		if off > 2 {
			t.Errorf("%v m off", off)
		}
	}
}

// He runs at rate 1 until an echo of his running says how fast he is; then at once
// at that rate. Each error is that of the time since the message before.
func TestRawRunRate(t *testing.T) {
	w := newWalker(t, Raw)
	w.keys(true, true, false)
	w.pass(20)
	w.hears(echo(1, 1, motion.RunForward, 2.5))
	w.pass(40)
	w.y = 80 // wherever that is
	w.reports()
	w.ahead = 10
	w.pass(30)
	w.reports()
	w.x++ // a metre to the side of where his keys take him
	w.pass(30)
	w.reports()
	w.pass(30)
	w.reports()
	own := w.errors()
	if own[2] > 0.01 || math.Abs(float64(own[3])-1) > 0.01 || own[4] > 0.01 {
		t.Errorf("%v", own)
	}
}

// It may be said who he is after he was created, or has pressed keys; of two messages in a tick one is a
// sample, and both are obeyed; an action is played once, however often it is listed.
func TestRawOrder(t *testing.T) {
	w := &walker{TB: t, v: newView(t, Raw), x: 60, y: 60}
	w.hears(&wire.VectorUpdate{Guid: me})
	w.v.Message(0, transport.S2C, create(t, me, place(here, 60, 60, 0), 0))
	w.pass(5)
	w.keys(true, true, false) // nobody knows whose that is
	w.said--
	w.hears(&wire.CreatePlayer{Guid: me})
	w.pass(5)
	if _, y, _ := w.stands(); y < 60.1 {
		t.Errorf("the keys that were down when it was said who he is do not move him: %v", y)
	}
	w.keys(true, true, false)
	w.reports()
	w.said--
	m := &wire.MoveToState{Sequence: w.next(), Raw: wire.NewRaw(), Place: w.place(), Bits: wire.ContactGrounded}
	m.Raw.Count = 1
	m.Raw.Actions[0] = wire.NewAction(wire.CommandIndex(bench.Humanoid.Action), 1, true, 1)
	m.Raw.Fresh()
	w.pass(5)
	w.says(m)
	w.pass(1)
	w.says(m)
	begun := 0
	w.v.options.AfterTick = func(v *View) {
		for _, ev := range v.Engine().Events() {
			if ev.Kind == systems.MotionDone && ev.Motion == bench.Humanoid.Action {
				begun++
			}
		}
	}
	w.pass(120)
	w.errors()
	if begun != 1 {
		t.Errorf("the action was played %d times", begun)
	}
}

// Who charges a jump where he stands goes nowhere before it (R5.32), and flies as his
// client says.
func TestRawLongJump(t *testing.T) {
	w := newWalker(t, Raw)
	m := &wire.MoveToState{Sequence: w.next(), Raw: wire.NewRaw(), Place: w.place(), Bits: wire.ContactGrounded | wire.ContactLongJump}
	m.Raw.Forward, m.Raw.HoldKey = motion.WalkForward, 2
	m.Raw.Fresh()
	w.says(m)
	w.pass(30)
	w.ahead = 6
	w.jumps(4.9)
	w.pass(15)
	w.reports()
	for i, off := range w.errors() {
		if off > 0.001 {
			t.Errorf("message %d: %v m off", i, off)
		}
	}
}

// A flood of the client's messages is bounded like one of the server's (22 §12).
func TestRawFlood(t *testing.T) {
	w := newWalker(t, Raw)
	for range MaxQueued/commandBytes + 10 {
		w.reports()
	}
	w.said = 1
	w.errors()
	if w.v.Seen.Flooded != 10 || w.v.Seen.Given != uint64(MaxQueued/commandBytes)+2 { // the create, and who he is
		t.Errorf("%+v", w.v.Seen)
	}
}

// Nor does what he does pile up from tick to tick.
func TestRawFloodOfActions(t *testing.T) {
	w := newWalker(t, Raw)
	m := &wire.MoveToState{Raw: wire.NewRaw(), Place: w.place(), Bits: wire.ContactGrounded}
	m.Raw.Count = 1
	for k := range 4000 {
		m.Sequence = w.next()
		m.Raw.Forward = []uint32{motion.WalkForward, motion.Ready}[k%2]
		m.Raw.Actions[0] = wire.NewAction(wire.CommandIndex(0x13000087), uint16(m.Sequence), false, 1)
		m.Raw.Fresh()
		w.says(m)
		if k%100 == 99 {
			w.pass(1)
		}
	}
	w.v.Finish(w.at())
	w.v.Engine().Inspect(me, func(r *components.Row, _ *components.Pools) {
		if n := r.Pending.Motions.Len; n > 2*systems.MaxPending {
			t.Errorf("%d motions are pending", n)
		}
	})
	if w.v.Seen.Flooded == 0 {
		t.Error("nothing was too much")
	}
}

// On land, where the sweep decides who stands, a player whose client is an engine like
// the replay's runs, turns, jumps and lands as he did there, links and all, within a
// centimetre; but while he slides after a landing, where to be put somewhere is to be at
// rest there for a tick, within ten.
func TestRawOnLand(t *testing.T) {
	tables, ground, err := bench.LoadGround(bench.GroundOptions{Sweep: bench.SweepTerrain, Side: 8})
	if err != nil {
		t.Fatal(err)
	}
	defer ground.Close()
	starts, err := bench.NewStreamOn(ground, bench.Mixed, 10, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, at, _, _ := starts.Start(0)
	client, err := systems.New(systems.Options{Tables: tables, Land: ground.Land, TicksPerSecond: 30, LocalPlayer: me, Reports: true})
	if err != nil {
		t.Fatal(err)
	}
	v, err := NewView(ViewOptions{Tables: tables, Land: ground.Land, Own: Raw}, NewRoom())
	if err != nil {
		t.Fatal(err)
	}
	d := wire.NewDescriptor()
	d.State, d.Position = 0x400C08, at
	d.MotionTable, d.Setup = bench.Humanoid.MotionTable, bench.Humanoid.Setup
	d.Fresh()
	v.Message(0, transport.S2C, encode(t, &wire.CreatePlayer{Guid: me}))
	v.Message(0, transport.S2C, encode(t, &wire.Create{Guid: me, Physics: d}))
	s := systems.NewSpawn(me, at)
	s.MotionTable, s.Setup, s.JumpHeight, s.State = d.MotionTable, d.Setup, 1.5, 0x400C08
	s.Game |= components.CanJump | components.HasJumpHeight
	if err := client.Spawn(s); err != nil {
		t.Fatal(err)
	}

	keys := motion.DefaultRaw()
	flew, highest := 0, float32(0)
	for tick := 1; tick <= 600; tick++ {
		c := systems.Command{Guid: me, Do: systems.DoRaw}
		switch tick {
		case 60, 300:
			keys.HoldKey, keys.Forward.Motion = components.HoldRun, motion.WalkForward
		case 100:
			keys.Turn = components.Axis{Motion: motion.TurnRight, Speed: 1}
		case 160:
			keys.Turn.Motion = 0
		case 200, 400:
			c.Do, c.Extent = systems.DoJump, 1
		case 280, 500:
			keys.Forward.Motion = motion.Ready
		default:
			c.Do = 0
		}
		if c.Raw = keys; c.Do != 0 {
			if err := client.Command(c); err != nil {
				t.Fatal(err)
			}
		}
		client.Tick()
		for _, o := range client.Reports() {
			written := tick // a position is of the tick's end, other messages are of its beginning
			if wire.Opcode(o.Message) != wire.ActAutonomousPosition {
				written--
			}
			v.Message(int64(math.Ceil(float64(written)*1e9/30)), transport.C2S, o.Message)
		}
		client.Inspect(me, func(r *components.Row, _ *components.Pools) {
			if r.Body.Transient&components.Contact == 0 {
				flew++
				highest = max(highest, r.Body.Velocity[2])
			}
		})
	}
	v.Finish(20 * second)
	if flew < 40 || highest < 4 || v.Errors().Own.Count < 15 {
		t.Fatalf("%d ticks in the air, at most %v m/s, %d samples: he does not do what is tested", flew, highest, v.Errors().Own.Count)
	}
	if e := v.Errors().Own; e.Largest > 0.1 || e.Histogram[0] < e.Count*3/4 {
		t.Errorf("%+v", e)
	}
	if o := v.Seen.Outcomes[0]; o[systems.Applied] == 0 || o[systems.Refused]+o[systems.Ignored] != 0 {
		t.Errorf("%v", o)
	}
}
