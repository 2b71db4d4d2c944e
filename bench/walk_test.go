package bench

import (
	"testing"

	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/systems/collision"
	"github.com/gait-engine/gait/systems/motion"
)

// walker is who walks about at random: nobody tells it where it is, so that all
// that keeps it right is the sweep.
type walker struct {
	rng
	due   int
	moves bool

	since int        // the tick in which it last was elsewhere
	at    worldPoint // where
	tries int        // how often it has set out since
}

// walk is a world of walkers, and what has been seen of them.
type walk struct {
	testing.TB
	g       *Ground
	e       *systems.Engine
	walkers []walker
	tick    int

	deepest         float32
	bad, in, out    int
	indoors, onTops int
	last            []space.CellID
}

// newWalk stands walkers on a ground: in random places, and every tenth in a house.
func newWalk(t testing.TB, tables *dat.Tables, g *Ground, n int, o systems.Options) *walk {
	t.Helper()
	o.Tables, o.Land, o.Capacity = tables, g.Land, n
	e, err := systems.New(o)
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewStreamOn(g, Mixed, n, 7, nil)
	if err != nil {
		t.Fatal(err)
	}
	w := &walk{TB: t, g: g, e: e, walkers: make([]walker, n), last: make([]space.CellID, n)}
	doors := houses(t, tables, g)
	for i := range w.walkers {
		w.walkers[i].rng = newRNG(7, i, forErrands+1)
		guid, place, gait, _ := s.Start(i)
		if i%10 == 0 {
			place = doors[i/10*7%len(doors)]
			at := space.Vec3{float32(w.walkers[i].within(-3, 3)), float32(w.walkers[i].within(-5.5, -1.5)), 0.13}
			place.Frame.Origin = space.Add(place.Frame.Origin, space.LocalToGlobalVec(place.Frame.Rotation, at))
		}
		spawn := systems.NewSpawn(guid, place)
		spawn.MotionTable, spawn.Setup = gait.MotionTable, gait.Setup
		if err := e.Spawn(spawn); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// houses returns the front rooms of all houses of a ground.
func houses(t testing.TB, tables *dat.Tables, g *Ground) (places []space.Position) {
	t.Helper()
	for x := g.rect.West; x < g.rect.West+g.rect.Width; x++ {
		for y := g.rect.South; y < g.rect.South+g.rect.Depth; y++ {
			b, err := dat.CompileBlock(tables, uint8(x), uint8(y), g.cell)
			if err != nil {
				t.Fatal(err)
			}
			for i := 0; i < len(b.Cells); i += 2 {
				places = append(places, space.Position{Cell: space.CellID(b.Cells[i].ID), Frame: b.Cells[i].Frame})
			}
		}
	}
	return places
}

// step has those do something else whose time has come, and ticks.
func (w *walk) step() {
	for i := range w.walkers {
		r := &w.walkers[i]
		if w.tick < r.due {
			continue
		}
		r.due = w.tick + int(r.within(0.5, 4)*TicksPerSecond)
		c := systems.Command{Guid: FirstGuid + uint32(i), Do: systems.DoInterpreted, State: motion.DefaultState()}
		r.moves = true
		switch k := r.below(100); {
		case k < 40:
			c.State.Forward = walkForward
		case k < 80:
			c.State.Forward, c.State.ForwardSpeed = runForward, float32(r.within(speedMin, speedMax))
		case k < 90:
			c.State.Forward = 0x45000006 // backwards
		default:
			r.moves = false
		}
		if r.below(2) == 0 {
			c.State.Turn, c.State.TurnSpeed = turnRight, float32(r.within(-turnSpeed, turnSpeed))
		}
		if r.moves {
			r.tries++
		}
		if err := w.e.Command(c); err != nil {
			w.Fatal(err)
		}
		if r.below(20) == 0 { // a leap
			v := space.Vec3{float32(r.within(-4, 4)), float32(r.within(-4, 4)), float32(r.within(3, 7))}
			if err := w.e.Command(systems.Command{Guid: c.Guid, Do: systems.DoVelocity, Velocity: v}); err != nil {
				w.Fatal(err)
			}
		}
	}
	w.e.Tick()
	w.tick++
}

// Bounds of what is right, in metres.
const (
	deepestSunk = 0.001
	slackSolid  = 0.001
)

// check looks at all walkers after a tick.
func (w *walk) check() {
	v := w.e.View()
	for i := range v.Len() {
		at := space.Position{Cell: v.Cell[i], Frame: space.Frame{Origin: v.Origin[i], Rotation: v.Rotation[i]}}
		k := v.Guid[i] - FirstGuid
		wrong := func(format string, a ...any) {
			if w.bad++; w.bad <= 20 {
				w.Errorf("tick %d: walker %d at %v of 0x%08X: "+format, append([]any{w.tick, k, at.Frame.Origin, uint32(at.Cell)}, a...)...)
			}
		}
		if !at.Frame.Valid() {
			wrong("not a place")
			continue
		}
		if at.Cell == 0 {
			continue // there was no room for it
		}
		if !w.g.world.Contains(&w.g.body, &at) {
			wrong("outside of its cell")
		}
		if deep, ok := w.g.world.Sunk(&w.g.body, &at); ok {
			if w.deepest = max(w.deepest, deep); deep > deepestSunk {
				wrong("%v m below the ground", deep)
			}
			if deep < -0.4 {
				w.onTops++
			}
		}
		if w.g.sweep.Solid(&w.g.body, &at, slackSolid) {
			wrong("in something solid")
		}
		if at.Cell.Indoors() {
			w.indoors++
		}
		if was := w.last[k]; was != 0 && was.Indoors() != at.Cell.Indoors() {
			if at.Cell.Indoors() {
				w.in++
			} else {
				w.out++
			}
		}
		w.last[k] = at.Cell
		r := &w.walkers[k]
		if now := inWorld(at.Cell, at.Frame.Origin); now.distance(r.at) > 0.25 {
			r.at, r.since, r.tries = now, w.tick, 0
		}
	}
}

// TestWalkOnLand: a thousand walkers who walk about the embedded land for ten
// minutes never end a tick below the ground, in something solid, outside of their
// cell or nowhere, and none is stuck for ever.
func TestWalkOnLand(t *testing.T) {
	n, ticks := 1000, 10*60*TicksPerSecond
	if testing.Short() {
		n, ticks = 200, 30*TicksPerSecond
	}
	tables, g, err := LoadGround(GroundOptions{Sweep: SweepTerrain, Side: 8})
	if err != nil {
		t.Fatal(err)
	}
	w := newWalk(t, tables, g, n, systems.Options{Workers: 2})
	roomless := 0 // from the beginning
	for range ticks {
		w.step()
		w.check()
		if w.tick == 1 {
			for _, cell := range w.last {
				if cell == 0 {
					roomless++
				}
			}
		}
		if w.tick%300 == 0 {
			if err := w.e.Check(); err != nil {
				t.Fatal(err)
			}
		}
	}
	nowhere, stuck := 0, 0
	for i := range w.walkers {
		r := &w.walkers[i]
		if w.last[i] == 0 {
			nowhere++
		} else if r.tries > 12 {
			stuck++
			t.Logf("walker %d set out %d times since tick %d and is still in 0x%08X at %v", i, r.tries, r.since, uint32(w.last[i]), r.at)
		}
	}
	t.Logf("%d walkers, %d ticks: at most %.4f m below the ground; %d wrong; %d nowhere; %d stuck; %d times in and %d out of houses; %.1f%% of the time indoors, %.1f%% on things",
		n, ticks, w.deepest, w.bad, nowhere, stuck, w.in, w.out,
		100*float64(w.indoors)/float64(n*ticks), 100*float64(w.onTops)/float64(n*ticks))
	if stuck > 0 {
		t.Error("some are stuck")
	}
	if nowhere > roomless || roomless > n/100 {
		t.Errorf("%d are nowhere, and there was no room for %d", nowhere, roomless)
	}
	if w.in+w.out == 0 || w.onTops == 0 {
		t.Error("they have not been about")
	}
}

// Who walks about comes to the same places whoever updates it, in whatever
// chunks, at rest or not, and with a land that keeps nothing.
func TestWalkersAnswer(t *testing.T) {
	tables, g := island(t)
	n, ticks := 400, 450
	if testing.Short() {
		n, ticks = 200, 200
	}
	var want uint64
	for i, v := range []struct {
		o     systems.Options
		limit int64
	}{
		{systems.Options{}, collision.DefaultLandBytes}, {systems.Options{Workers: 3, ChunkRows: 16}, collision.DefaultLandBytes},
		{systems.Options{Workers: 8, ChunkRows: 1024, AlwaysUpdate: true}, 0}, {systems.Options{Workers: 2, ChunkRows: 64}, 0},
	} {
		land := collision.NewLand(tables, g.cell)
		land.Limit(v.limit)
		own := newGround(SweepTerrain, tables, land, g.rect, g.area)
		own.cell = g.cell
		w := newWalk(t, tables, own, n, v.o)
		for range ticks {
			w.step()
		}
		if _, _, dropped := land.Loaded(); (dropped > 0) != (v.limit == 0) {
			t.Errorf("with %d bytes %d blocks were dropped", v.limit, dropped)
		}
		if got := w.e.Hash(); i == 0 {
			want = got
		} else if got != want {
			t.Errorf("%+v, %d bytes: %x, want %x", v.o, v.limit, got, want)
		}
	}
}

// The checks see what is wrong: walkers who are told to go where nothing stops
// them end up in all of it.
func TestWalkChecksCanFail(t *testing.T) {
	tables, g := island(t)
	w := newWalk(t, tables, g, 100, systems.Options{})
	blind := *w
	var err error
	if blind.e, err = systems.New(systems.Options{Tables: tables}); err != nil {
		t.Fatal(err)
	}
	w.step()
	v := w.e.View()
	for i := range v.Len() {
		spawn := systems.NewSpawn(v.Guid[i], space.Position{Cell: v.Cell[i], Frame: space.Frame{Origin: v.Origin[i], Rotation: v.Rotation[i]}})
		spawn.MotionTable, spawn.Setup = Humanoid.MotionTable, Humanoid.Setup
		if err := blind.e.Spawn(spawn); err != nil {
			t.Fatal(err)
		}
	}
	deep, solid, outside := 0, 0, 0
	for range 300 {
		blind.step()
		v := blind.e.View()
		for i := range v.Len() {
			at := space.Position{Cell: v.Cell[i], Frame: space.Frame{Origin: v.Origin[i], Rotation: v.Rotation[i]}}
			if d, ok := g.world.Sunk(&g.body, &at); ok && d > deepestSunk {
				deep++
			}
			if g.sweep.Solid(&g.body, &at, slackSolid) {
				solid++
			}
			if !g.world.Contains(&g.body, &at) {
				outside++
			}
		}
	}
	if deep < 100 || solid < 10 || outside < 100 {
		t.Errorf("%d times below the ground, %d in something solid, %d outside of their cell", deep, solid, outside)
	}
}
