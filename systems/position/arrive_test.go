package position

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

const allStationary = components.StationaryFall | components.StationaryStop | components.StationaryStuck

var up = space.Vec3{0, 0, 1}

// arrived is an arrival on level ground at a place.
func arrived(p space.Position) Arrival {
	return Arrival{Place: p, Contact: true, Normal: up, D: -3, Plane: p.Cell}
}

// 11 §8, steps 2 to 6: place, contact plane, sliding normal are taken as they are.
func TestSpec11_8_Commit(t *testing.T) {
	w := newWorld(t)
	a := arrived(at(3))
	a.Sliding, a.SlidingNormal, a.Water = true, space.Vec3{0, -1, 0}, true
	if !w.Arrive(&a) {
		t.Fatal("lost")
	}
	const bits = components.Contact | components.OnWalkable | components.Sliding | components.WaterContact
	if w.Pose.Position != a.Place || w.Touch.Cell != a.Plane || w.Touch.D != -3 || w.Body.ContactNormal != up || w.Touch.Sliding != a.SlidingNormal || w.Body.Transient&bits != bits {
		t.Errorf("pose %v touch %+v body %+v", w.Pose, *w.Touch, *w.Body)
	}
	a = arrived(at(4))
	w.Arrive(&a)
	if w.Body.Transient&(components.Sliding|components.WaterContact) != 0 {
		t.Errorf("bits %#x", w.Body.Transient)
	}
	// too steep: contact, and the ground is left
	w.calls = nil
	a.Normal = space.Vec3{-0.8, 0, 0.6}
	w.Arrive(&a)
	if w.Body.Transient&(components.Contact|components.OnWalkable) != components.Contact || !slices.Contains(w.calls, "leave") {
		t.Errorf("bits %#x, calls %v", w.Body.Transient, w.calls)
	}
	if w.Body.Transient&components.Falling == 0 {
		t.Error("no gravity on a steep slope")
	}
	w.calls = nil
	a = arrived(at(5))
	w.Arrive(&a)
	if !slices.Contains(w.calls, "hit") || w.Body.Transient&components.Falling != 0 {
		t.Errorf("calls %v", w.calls)
	}
	w.calls = nil
	a.Contact = false
	w.Arrive(&a)
	if w.Body.Transient&(components.Contact|components.OnWalkable) != 0 || !slices.Contains(w.calls, "leave") || w.Body.Transient&components.Falling == 0 {
		t.Errorf("bits %#x, calls %v", w.Body.Transient, w.calls)
	}
}

// What ends without a cell is kept where it ended; it comes back with the next arrival.
func TestW18_LostCell(t *testing.T) {
	w := newWorld(t)
	a := Arrival{Place: atXY(3, 700), Lost: true, Met: []uint32{7}}
	if w.Arrive(&a) {
		t.Fatal("it is still in the world")
	}
	if w.Pose.Position != a.Place || w.Body.Transient&components.Lost == 0 || len(w.calls) > 0 {
		t.Errorf("at %v, bits %#x, calls %v", w.Pose, w.Body.Transient, w.calls)
	}
	a = arrived(at(3))
	if !w.Arrive(&a) || w.Body.Transient&components.Lost != 0 {
		t.Errorf("bits %#x", w.Body.Transient)
	}
}

// The bounce rule, with the elasticity of .05.
func TestSpec11_8_Bounce(t *testing.T) {
	wall := space.Vec3{0, -1, 0}
	for _, c := range []struct {
		what      string
		was       components.TransientBits
		now       bool // walkable
		state     components.StateBits
		hit       bool
		v, want   space.Vec3
		elastic   float32
		leftAlone bool
	}{
		{"from the air, at a wall", 0, false, 0, true, space.Vec3{1, 2, 3}, space.Vec3{1, -0.1, 3}, 0.05, false},
		{"elastic by half", 0, false, 0, true, space.Vec3{1, 2, 3}, space.Vec3{1, -1, 3}, 0.5, false},
		{"away from the wall", 0, false, 0, true, space.Vec3{1, -2, 3}, space.Vec3{1, -2, 3}, 0.05, false},
		{"inelastic", 0, false, components.Inelastic, true, space.Vec3{1, 2, 3}, space.Vec3{}, 0.05, false},
		{"inelastic, away from it", 0, false, components.Inelastic, true, space.Vec3{1, -2, 3}, space.Vec3{}, 0.05, false},
		{"nothing was hit", 0, false, components.Inelastic, false, space.Vec3{1, 2, 3}, space.Vec3{1, 2, 3}, 0.05, false},
		{"walking before and after", components.OnWalkable, true, 0, true, space.Vec3{1, 2, 3}, space.Vec3{1, 2, 3}, 0.05, true},
		{"sledding", components.OnWalkable, true, components.Sledding, true, space.Vec3{1, 2, 3}, space.Vec3{1, -0.1, 3}, 0.05, false},
		{"landing", 0, true, 0, true, space.Vec3{1, 2, 3}, space.Vec3{1, -0.1, 3}, 0.05, false},
		{"leaving the ground", components.OnWalkable, false, 0, true, space.Vec3{1, 2, 3}, space.Vec3{1, -0.1, 3}, 0.05, false},
	} {
		w := newWorld(t)
		w.Traits.Elasticity = c.elastic
		w.Body.State = components.DefaultState | c.state
		w.Body.Transient &^= components.OnWalkable
		if c.now {
			w.Body.Transient |= components.OnWalkable
		}
		w.Body.Velocity = c.v
		w.HandleCollisions(&Arrival{Hit: c.hit, HitNormal: wall}, c.was != 0, c.was&components.OnWalkable != 0)
		if !nearVec(w.Body.Velocity, c.want) {
			t.Errorf("%s: %v, want %v", c.what, w.Body.Velocity, c.want)
		}
	}
}

// The table of the stationary frames.
func TestSpec11_8_Stationary(t *testing.T) {
	const fall, stop, stuck = components.StationaryFall, components.StationaryStop, components.StationaryStuck
	for _, c := range []struct {
		n     int
		was   components.TransientBits
		want  components.TransientBits
		stops bool
	}{
		{0, 0, 0, false}, {0, allStationary, 0, false},
		{1, 0, fall, false}, {1, stop, fall | stop, false},
		{2, fall, fall | stop, true}, {2, 0, stop, true},
		{3, fall | stop, 0, true}, {3, stuck, 0, true},
	} {
		w := newWorld(t)
		w.Traits.Elasticity = 0
		w.Body.Transient |= c.was
		w.Body.Velocity = space.Vec3{1, 2, 0}
		w.HandleCollisions(&Arrival{Stationary: c.n, Hit: true, HitNormal: space.Vec3{0, -1, 0}}, true, false)
		want := space.Vec3{1, 0, 0} // bounced
		if c.stops {
			want = space.Vec3{}
		}
		if got := w.Body.Transient & allStationary; got != c.want || !nearVec(w.Body.Velocity, want) {
			t.Errorf("%d frames, bits %#x: %#x, want %#x; velocity %v", c.n, c.was, got, c.want, w.Body.Velocity)
		}
	}
}

// The environment is reported once, until a step is clear of it; coming to stand counts.
func TestSpec11_8_EnvironmentLatch(t *testing.T) {
	w := newWorld(t)
	w.Body.State |= components.ReportCollisions
	for i, c := range []struct {
		hit        bool
		walked     bool // stood on walkable ground before
		met, latch bool
	}{
		{false, true, false, false},
		{true, true, true, true},
		{true, true, false, true},
		{false, true, false, false},
		{true, true, true, true},
		{false, true, false, false},
		{false, false, true, true}, // it came to stand
		{false, false, false, false},
		{false, false, true, true},
	} {
		w.calls = nil
		got := w.HandleCollisions(&Arrival{Environment: c.hit}, true, c.walked)
		if got != c.met || (len(w.calls) == 1) != c.met || (w.Body.Transient&components.AtWalls != 0) != c.latch {
			t.Errorf("step %d: %v, calls %v, bits %#x", i, got, w.calls, w.Body.Transient)
		}
	}
	w.Body.State &^= components.ReportCollisions
	w.Body.Transient &^= components.AtWalls
	w.calls = nil
	if w.HandleCollisions(&Arrival{Environment: true}, true, true); len(w.calls) != 0 || w.Body.Transient&components.AtWalls == 0 {
		t.Errorf("who does not report: calls %v", w.calls)
	}
}

// Each first collision with the environment takes all three bits from a missile.
func TestW30_EnvironmentClearsAllMissileBits(t *testing.T) {
	for _, report := range []components.StateBits{0, components.ReportCollisions} {
		w := newWorld(t)
		w.Body.State = components.Missile | components.AlignPath | components.PathClipped | components.Gravity | report
		w.HandleCollisions(&Arrival{Environment: true}, false, false)
		if w.Body.State != components.Gravity|report {
			t.Errorf("state %#x", w.Body.State)
		}
		w.Body.State |= missileBits // latched: not again
		w.HandleCollisions(&Arrival{Environment: true}, false, false)
		if w.Body.State&missileBits != missileBits {
			t.Errorf("latched: state %#x", w.Body.State)
		}
	}
	if missileBits != 0x340 {
		t.Errorf("bits %#x", missileBits)
	}
	// a thing without the missile bit keeps the others
	w := newWorld(t)
	w.Body.State = components.AlignPath | components.PathClipped
	if w.HandleCollisions(&Arrival{Environment: true}, false, false); w.Body.State != components.AlignPath|components.PathClipped {
		t.Errorf("state %#x", w.Body.State)
	}
}

// 11 §8: what a body's own and the other's state have to say about a report.
func TestSpec11_8_ObjectReports(t *testing.T) {
	const report, ignore, asEnvironment = components.ReportCollisions, components.IgnoreCollisions, components.ReportAsEnvironment
	for _, c := range []struct {
		what     string
		me, he   components.StateBits
		told     bool
		back     bool // the other is told too
		walls    bool
		missiles bool // loses its missile bits
	}{
		{"both report", report, report, true, true, false, true},
		{"I do not", 0, report, false, true, false, true},
		{"it does not", report, 0, true, false, false, true},
		{"I ignore collisions", report | ignore, report, true, false, false, true},
		{"it ignores collisions", report, ignore, false, false, false, false},
		// its report sets the latch, and the rule of the latch, which comes after it, finds no environment
		{"it counts as environment", report, asEnvironment, true, false, false, true},
		{"it counts as environment, unheard", 0, asEnvironment, false, false, false, true},
		{"it counts as environment and ignores", report, asEnvironment | ignore, true, false, false, true},
	} {
		w := newWorld(t)
		w.Body.State = components.Missile | components.PathClipped | c.me
		w.others = map[uint32]components.StateBits{7: c.he}
		w.HandleCollisions(&Arrival{Met: []uint32{7}}, true, true)
		if slices.Contains(w.calls, "met") != c.told || slices.Contains(w.calls, "met by") != c.back || (w.Body.Transient&components.AtWalls != 0) != c.walls || (w.Body.State&components.Missile == 0) != c.missiles {
			t.Errorf("%s: calls %v, bits %#x, state %#x", c.what, w.calls, w.Body.Transient, w.Body.State)
		}
	}
}

// A record is new once: while it lasts its collisions are not told again.
func TestW32_OnlyANewRecordIsReported(t *testing.T) {
	w := newWorld(t)
	w.q = 0.25
	w.Body.State |= components.ReportCollisions
	w.others = map[uint32]components.StateBits{7: 0, 8: components.Ethereal}
	log := ""
	for tick := range 16 {
		w.tick = tick
		w.calls = nil
		var met []uint32
		switch {
		case tick <= 3 || tick == 10: // on end, then again later
			met = []uint32{7}
		case tick == 12:
			met = []uint32{8}
		}
		w.HandleCollisions(&Arrival{Met: met}, true, true)
		for _, c := range w.calls {
			log += fmt.Sprintf("%d %s; ", tick, c)
		}
	}
	// last at tick 3: over when older than 1.0 s, at tick 8; the ethereal one in the tick after
	if want := "0 met; 8 parted; 10 met; 12 met; 13 parted; 15 parted; "; log != want {
		t.Errorf("%s\nwant %s", log, want)
	}
	if w.Touch.Met.Get(&w.Pools.Mets) != nil {
		t.Error("an empty list is kept")
	}
}

// Whoever is elsewhere has met nobody any more; that he was at a wall only a step tells otherwise (11 §8).
func TestSpec11_9_EndAllEncounters(t *testing.T) {
	w := newWorld(t)
	for _, other := range []uint32{7, 8, 9, 10, 11} {
		w.HandleCollisions(&Arrival{Met: []uint32{other}, Environment: true}, true, true)
	}
	w.calls = nil
	w.EndAllEncounters()
	if len(w.calls) != 5 || w.calls[0] != "parted" || w.Body.Transient&components.AtWalls == 0 || w.Touch.Met.Get(&w.Pools.Mets) != nil {
		t.Errorf("calls %v, bits %#x", w.calls, w.Body.Transient)
	}
	if w.EndAllEncounters(); len(w.calls) != 5 {
		t.Error("they end twice")
	}
}

// 11 §8 step 4: "already colliding-with-environment → latch := (collided flag this time)" is all that changes the latch.
// 11 §9 teleport_hook: "end collisions (forced)" ends records (step 3), not the latch.
func TestSpec11_8_TeleportKeepsTheEnvironmentLatch(t *testing.T) {
	w := newWorld(t)
	w.Body.State |= components.ReportCollisions
	w.Body.Transient &^= components.Contact | components.OnWalkable
	here := w.Pose.Position
	w.Arrive(&Arrival{Place: here, Environment: true}) // runs into a wall in the air
	if !slices.Contains(w.calls, "met") {
		t.Fatal("not told of the wall")
	}
	w.calls = nil
	w.TeleportHook()
	w.Arrive(&Arrival{Place: here, Contact: true, Normal: space.Vec3{0, 0, 1}, Plane: here.Cell}) // is put on the ground
	if slices.Contains(w.calls, "met") {
		t.Error("told of the environment although the latch was set")
	}
}
