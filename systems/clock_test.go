package systems

import (
	"math"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

// The retail clock: 11 §4.1 and §4.2, through the engine.

// to moves the clock of an engine on, and checks every invariant.
func (r *rig) to(now float64) bool {
	r.Helper()
	ran, err := r.e.AdvanceTo(now)
	if err != nil {
		r.Fatal(err)
	}
	if err := r.e.Check(); err != nil {
		r.Fatalf("at %v s: %v", now, err)
	}
	return ran
}

// falling is a body in the air that plays nothing: how far it falls shows how its
// time was cut, since the first step from rest only makes it faster (11 §6).
func falling(guid uint32) Spawn {
	s := NewSpawn(guid, spot(108, 108, 0))
	s.Place.Frame.Origin[2] = 1000
	s.Contact, s.OnWalkable = false, false
	return s
}

func fallen(steps ...float64) (z, v float64) {
	for _, q := range steps {
		if v != 0 {
			z += v*q - 4.9*q*q
		}
		v -= 9.8 * q
	}
	return z, v
}

func retail(t testing.TB, o Options) *rig {
	o.RetailClock = true
	r := newRig(t, o)
	r.unchecked = true // rig.tick is not for it
	return r
}

// Every row of the table of 11 §4.2.
func TestSpec11_4_2_QuantaOfTheEngine(t *testing.T) {
	for _, c := range []struct {
		elapsed float64
		steps   []float64
		advance float64
	}{
		// less than 1/30 s does not pass the world's gate; a body's own clock may well be
		// that near (TestSpec11_4_2_ClocksOfTheirOwn)
		{.04, []float64{.04}, .04},
		{.19, []float64{.19}, .19},
		{.20, []float64{.2}, .2},
		{.21, []float64{.2}, .2},
		{.23, []float64{.2}, .2},
		{.24, []float64{.2, .04}, .24},
		{.45, []float64{.2, .2, .05}, .45},
		{2.5, nil, 2.5},
	} {
		for _, workers := range []int{1, 3} {
			r := retail(t, Options{Workers: workers, ChunkRows: 1})
			r.spawn(falling(me))
			r.to(10) // it comes: no step
			z, v := fallen()
			check := func(when string) {
				t.Helper()
				got := r.row(me)
				near(t, when+": z", float64(got.Pose.Frame.Origin[2]), 1000+z, 1e-3)
				near(t, when+": speed", float64(got.Body.Velocity[2]), v, 1e-4)
			}
			check("new")
			near(t, "its clock", r.row(me).updateTime, 10, 0)
			r.to(10 + c.elapsed)
			z, v = fallen(c.steps...)
			check("stepped")
			near(t, "its clock", r.row(me).updateTime, 10+c.advance, 1e-12)
		}
	}
}

// Two calls: what was left over of the first is in the second.
func TestSpec11_4_2_TwoCallsOfTheEngine(t *testing.T) {
	r := retail(t, Options{})
	r.spawn(falling(me))
	r.to(10)
	r.to(10.23)
	near(t, "clock", r.row(me).updateTime, 10.2, 1e-12)
	r.to(10.40)
	near(t, "clock", r.row(me).updateTime, 10.4, 1e-12)
	z, _ := fallen(.2, .2)
	near(t, "z", float64(r.row(me).Pose.Frame.Origin[2]), 1000+z, 1e-3)
}

// Who became active, or came, has a clock of his own: nothing in that frame, then
// from there, side by side with those who have something to make up for.
func TestSpec11_4_2_ClocksOfTheirOwn(t *testing.T) {
	r := retail(t, Options{})
	r.spawn(falling(me))
	r.to(10)
	r.spawn(falling(me + 1))
	r.to(10.23) // me is 0.03 behind
	r.to(10.27)
	z, _ := fallen(.2, .07)
	near(t, "z", float64(r.row(me).Pose.Frame.Origin[2]), 1000+z, 1e-3)
	z, v := fallen(.04)
	near(t, "z of the other", float64(r.row(me + 1).Pose.Frame.Origin[2]), 1000+z, 1e-3)
	near(t, "speed", float64(r.row(me + 1).Body.Velocity[2]), v, 1e-4)
	same(t, "one clock", r.row(me).updateTime, r.row(me+1).updateTime)

	// frozen: the clock stands; active again: it begins there
	r.send(r.state(me, components.DefaultState|components.Frozen))
	r.to(11)
	sameList(t, "frozen", r.kinds(me), Deactivated)
	r.to(12)
	near(t, "stands", r.row(me).updateTime, 10.27, 1e-12)
	was := r.row(me)
	r.send(r.state(me, components.DefaultState))
	r.to(12.5) // nothing activates it: its clock runs again, and it does not
	r.command(Command{Guid: me, Do: DoVelocity, Velocity: space.Vec3{1, 0, 0}})
	r.to(13)
	sameList(t, "active", r.kinds(me), Activated)
	near(t, "begins", r.row(me).updateTime, 13, 0)
	same(t, "moved", r.row(me).Pose.Position, was.Pose.Position)
	r.to(13.1)
	near(t, "x", float64(r.row(me).Pose.Frame.Origin[0]-was.Pose.Frame.Origin[0]), 0.1, 1e-4)
}

// 11 §4.1: the gate of the world.
func TestSpec11_4_1_GateOfTheEngine(t *testing.T) {
	r := retail(t, Options{})
	r.spawn(human(me, 108, 108))
	same(t, "the first", r.to(0), true)
	r.move(me, does{forward: run})
	same(t, "too soon", r.to(0.03), false)
	same(t, "ticks", r.e.Now(), 1)
	same(t, "waits", r.row(me).Interpreted.Forward, ready)
	same(t, "adds up", r.to(0.04), true)
	same(t, "forward", r.row(me).Interpreted.Forward, run)
	same(t, "back in time", r.to(0.01), false)
	same(t, "from there", r.to(0.05), true)
	near(t, "its clock", r.row(me).updateTime, 0.05, 0)
	for _, now := range []float64{-1, math.NaN(), math.Inf(1), 1e13} {
		_, err := r.e.AdvanceTo(now)
		wantErr(t, err, ErrClock)
	}
	_, err := standing(t, Options{}).e.AdvanceTo(1)
	wantErr(t, err, ErrClock)
	defer func() {
		if recover() == nil {
			t.Error("Tick runs by the retail clock")
		}
	}()
	r.e.Tick()
}

// Beyond 96 m, strictly, a body is inactive; nearer it is active again, and begins anew.
func TestSpec11_4_2_TheViewersDistance(t *testing.T) {
	at := spot(108, 12, 0)
	r := retail(t, Options{Viewer: &at})
	r.spawn(human(me, 108, 108)) // 96 m
	far := human(me+1, 108, 108.5)
	r.spawn(far)
	r.to(1)
	sameList(t, "at 96 m", r.kinds(me), Entered)
	sameList(t, "beyond", r.kinds(me+1), Entered, Deactivated)
	r.move(me, does{forward: run})
	r.move(me+1, does{forward: run})
	now := 1.0
	for len(r.kinds(me)) == 0 || r.kinds(me)[0] != Deactivated {
		if now += 0.1; now > 3 {
			t.Fatal("does not go too far")
		}
		r.to(now)
	}
	gone := r.north(me)
	r.to(now + 0.1)
	same(t, "stands", r.north(me), gone)
	near(t, "stands", r.north(me+1), 0.5, 1e-6)
	r.place(me+1, spot(108, 108.5, 0))
	r.to(now + 0.2)
	sameList(t, "each edge", r.kinds(me+1), Activated, Blipped, Deactivated)
}

// The retail clock has one answer as well, whoever follows whom.
func TestRetailClockIsDeterministic(t *testing.T) {
	run := func(o Options) uint64 {
		r := retail(t, o)
		for i := range uint32(30) {
			r.spawn(human(me+i, 20+5*float32(i), 100))
		}
		now, sum := 0.0, uint64(0)
		for i := range 200 {
			now += []float64{0.034, 0.05, 0.21, 0.04, 0.47, 0.22, 2.5, 0.035}[i*i%8]
			guid := me + uint32(i*7%30)
			switch i % 4 {
			case 0:
				r.move(guid, does{forward: walk, turn: right})
			case 1:
				r.order(guid, goTo(me+uint32(i*11%30)))
			case 2:
				r.order(guid, sticking(me+uint32(i*13%30)))
			case 3:
				r.e.Remove(guid)
				r.spawn(human(guid, 100, 100))
				r.moves[guid], r.places[guid] = 0, 0
			}
			r.to(now)
			sum = sum*31 + r.e.Hash()
			for _, ev := range r.e.Events() {
				sum = sum*31 + uint64(ev.Guid)*uint64(ev.Kind)
			}
		}
		return sum
	}
	want := run(Options{})
	for _, o := range []Options{{Workers: 4, ChunkRows: 1}, {Workers: 2, ChunkRows: 7}} {
		same(t, "hash", run(o), want)
	}
}

// A stick's second is the wall clock's, voyeurs' half seconds are the simulated
// one's (11 §4.2, 13 §2, §5).
func TestSpec11_4_2_TwoClocks(t *testing.T) {
	r := retail(t, Options{})
	r.spawn(human(me, 108, 108))
	r.spawn(human(me+1, 108, 150))
	r.to(10)
	r.to(10.1)
	r.order(me, sticking(me+1))
	r.to(10.2)
	near(t, "deadline", r.errand(me).sticky.Deadline, 11.2, 1e-9)
	r.to(10.43) // its clock shows 10.4
	near(t, "its clock", r.row(me+1).updateTime, 10.4, 1e-9)
	near(t, "checked at", r.errand(me+1).lastRun, 10.2, 1e-9)
	r.to(10.66)
	r.to(10.9) // steps to 10.86 and 10.9
	near(t, "checked at", r.errand(me+1).lastRun, 10.86, 1e-9)
	r.to(11.19)
	same(t, "sticks", r.stuck(me), true)
	r.to(11.24)
	same(t, "sticks", r.stuck(me), false)
}
