package replay

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
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
		w.ahead, m.Raw.Forward = walks, 0x45000005
	}
	if right {
		w.turn, m.Raw.Turn = turns, 0x6500000D
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
		if links := strings.HasPrefix(names[i], "begins"); off > 0.01 && !links || off > 1.5 || off < 0.05 && links {
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
