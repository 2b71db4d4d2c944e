package bench

import (
	"math"
	"testing"

	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/wire"
)

// tally counts what a window's messages are to one mover each.
type tally struct {
	goesTo, goesAfter, sticks, jumps, landings, acts, states, places int
}

func tallyOf(t *testing.T, w *Window, see func(tick int, guid uint32, m wire.Message)) map[uint32]*tally {
	t.Helper()
	var d wire.Decoder
	all := map[uint32]*tally{}
	w.each(func(tick int, msg []byte) {
		guid, _ := wire.Guid(msg)
		of := all[guid]
		if of == nil {
			of = &tally{}
			all[guid] = of
		}
		m, err := d.Decode(msg)
		if err != nil {
			t.Fatalf("tick %d: %v", tick, err)
		}
		switch m := m.(type) {
		case *wire.Movement:
			switch {
			case m.Body.Type == wire.TypeMoveToPosition:
				of.goesTo++
			case m.Body.Type == wire.TypeMoveToObject:
				of.goesAfter++
			case m.Body.Sticky != 0:
				of.sticks++
			case m.Body.State.Count != 0:
				of.acts++
			default:
				of.states++
			}
		case *wire.VectorUpdate:
			if m.Velocity[2] > 0 {
				of.jumps++
			} else {
				of.landings++
			}
		case *wire.PositionEvent:
			of.places++
		default:
			t.Fatalf("tick %d: %T", tick, m)
		}
		if see != nil {
			see(tick, guid, m)
		}
	})
	return all
}

// In every minute a mover has two move-tos, one stick, one jump that ends, and
// one action, besides the cycle of the mixed load, whose changes are the same.
func TestBusyRate(t *testing.T) {
	const n, minutes = 60, 3
	const ticks = minutes*60*TicksPerSecond + 30 // a jump's end may come later
	w := fill(t, newStream(t, Busy, n, nil), ticks)
	mixed := tallyOf(t, fill(t, newStream(t, Mixed, n, nil), ticks), nil)
	firsts := map[errandKind]int{}
	for guid, c := range tallyOf(t, w, nil) {
		if c.goesTo < minutes || c.goesTo > minutes+1 || c.landings < minutes || c.states != mixed[guid].states {
			t.Errorf("0x%08X: %+v", guid, *c)
		}
		total := c.goesTo + c.goesAfter + c.sticks + c.jumps + c.acts
		if total < 5*minutes || total > 5*minutes+1 { // the first errand of minute 4 may be there
			t.Errorf("0x%08X: %d errands, %+v", guid, total, *c)
		}
		for _, k := range []int{c.goesAfter, c.sticks, c.jumps, c.acts} {
			if k < minutes || k > minutes+1 {
				t.Errorf("0x%08X: %+v", guid, *c)
			}
		}
	}
	s := newStream(t, Busy, 5000, nil)
	for i := range s.errands {
		firsts[s.errands[i].kind()]++
	}
	for k := range errandKinds {
		if part := float64(firsts[k]) / 5000; math.Abs(part-0.2) > 0.03 {
			t.Errorf("%.3f begin with errand %d", part, k)
		}
	}
	rate := float64(len(w.sizes)) / n / (ticks * tickSeconds)
	mean := float64(len(w.bytes)) / float64(len(w.sizes))
	t.Logf("%.4f messages per remote and second, %.1f bytes each", rate, mean)
	if rate > Busy.perRemoteTick()*TicksPerSecond || mean > messageBytes {
		t.Errorf("%.4f messages per remote and second, %.1f bytes each: more than room is made for", rate, mean)
	}
}

// What the errands say: stamps of every kind go up by one, neighbours are the
// other of a pair, places are near and in the cell that they lie in.
func TestBusyMessages(t *testing.T) {
	const n = 61
	s := newStream(t, Busy, n, nil)
	vectors, moves, acts := map[uint32]uint16{}, map[uint32]uint16{}, map[uint32]uint16{}
	up := map[uint32]int{} // tick of the jump
	all := tallyOf(t, fill(t, s, 3600), func(tick int, guid uint32, m wire.Message) {
		pair := FirstGuid + ((guid - FirstGuid) ^ 1)
		switch m := m.(type) {
		case *wire.Movement:
			moves[guid]++
			if m.Movement != moves[guid] || m.Autonomous != 0 || m.ServerControl != 0 {
				t.Fatalf("tick %d: %+v", tick, m)
			}
			b := &m.Body
			switch {
			case b.Type != wire.TypeState:
				if b.Params != wire.DefaultParams() || b.RunRate != 1 || b.Type == wire.TypeMoveToObject && b.Target != pair {
					t.Fatalf("tick %d: %+v", tick, b)
				}
				p := space.Position{Cell: b.Cell, Frame: space.Frame{Origin: b.Origin, Rotation: space.IdentityQuat}}
				settled := p
				settled.Normalize()
				if settled != p {
					t.Fatalf("tick %d: %+v settles at %+v", tick, p, settled)
				}
			case b.Sticky != 0 && b.Sticky != pair:
				t.Fatalf("tick %d: sticks to 0x%08X", tick, b.Sticky)
			case b.State.Count != 0:
				acts[guid]++
				a := b.State.Actions[0]
				if id, ok := a.Command(); !ok || id != Humanoid.Action || a.Stamp() != acts[guid] || a.Autonomous() || b.State.Count != 1 {
					t.Fatalf("tick %d: %+v", tick, a)
				}
			}
		case *wire.VectorUpdate:
			vectors[guid]++
			if m.Vector != vectors[guid] {
				t.Fatalf("tick %d: %+v", tick, m)
			}
			v := m.Velocity
			v[2] = 0
			if v != (space.Vec3{}) || m.Omega != (space.Vec3{}) || m.Velocity[2] != 0 && (m.Velocity[2] < jumpMin || m.Velocity[2] > jumpMax) {
				t.Fatalf("tick %d: %+v", tick, m)
			}
			began, aloft := up[guid]
			if aloft != (m.Velocity[2] == 0) {
				t.Fatalf("tick %d: %+v, aloft %v", tick, m, aloft)
			}
			if aloft {
				if d := tick - began; d < 16 || d > 25 {
					t.Fatalf("a jump of %d ticks", d)
				}
				delete(up, guid)
			} else {
				up[guid] = tick
			}
		case *wire.PositionEvent:
			if _, aloft := up[guid]; aloft || !m.Pack.Contact() {
				t.Fatalf("tick %d: a position in the air", tick)
			}
		}
	})
	if last := all[FirstGuid+n-1]; last.goesAfter+last.sticks != 0 || last.goesTo < 4 {
		t.Errorf("the odd one out: %+v", *last)
	}
}

// Pairs begin near each other.
func TestBusyStartsInPairs(t *testing.T) {
	s := newStream(t, Busy, 1000, nil)
	for i := 1; i < s.Len(); i += 2 {
		if d := s.movers[i].distance(s.movers[i-1].worldPoint); d < nearMin-1e-3 || d > nearMax+1e-3 {
			t.Errorf("pair %d is %v m apart", i/2, d)
		}
	}
}

// The ideal mover turns and goes to the place, or after the other, and stays
// until its next change; a stick lasts a second.
func TestIdealErrands(t *testing.T) {
	s := newStream(t, Busy, 2, nil)
	m, e := &s.movers[0], &s.errands[0]
	stand := func() {
		*m = mover{worldPoint: worldPoint{20000, 20000, 0}, gait: &Humanoid, scale: 1, speed: 1}
		s.movers[1] = *m
		s.movers[1].y += 30
	}
	run := func(ticks int) (arrived int) {
		for k := range ticks {
			if led, there := s.advanceErrand(0); there {
				arrived = k + 1
			} else if !led {
				m.advance()
			}
			s.tick++
		}
		return arrived
	}
	stand()
	e.lead, e.after, e.goal = byMoveTo, false, worldPoint{20010, 20000, 0}
	// a quarter turn at 1.5 rad/s, 9.4 m at 3.12 m/s
	if at, want := run(200), (math.Pi/2/1.5+9.4/3.12)*TicksPerSecond; math.Abs(float64(at)-want) > 3 || e.lead != byNothing {
		t.Errorf("arrived at tick %d, want %v", at, want)
	}
	if math.Abs(m.x-20009.4) > 1e-9 || math.Abs(m.y-20000) > 1e-9 || math.Abs(m.heading-math.Pi/2) > 1e-9 {
		t.Errorf("%+v at %v", m.worldPoint, m.heading)
	}
	stand()
	e.lead, e.after = byMoveTo, true
	run(600)
	if d := m.flat(s.movers[1].worldPoint); math.Abs(d-moveToDistance-bodies) > 1e-9 || e.lead != byNothing {
		t.Errorf("stands %v m from its neighbour", d)
	}
	stand()
	e.lead, e.until = byStick, s.tick+stickTicks
	if at := run(40); at != int(stickTicks)+1 || e.lead != byCycle || math.Abs(m.y-20020) > 1e-9 {
		t.Errorf("stuck for %d ticks, %+v", at-1, m.worldPoint)
	}
	s.movers[1].y = m.y + 5
	e.lead, e.until = byStick, s.tick+stickTicks
	run(29)
	if d := m.flat(s.movers[1].worldPoint); math.Abs(d-stickDistance) > 1e-9 {
		t.Errorf("sticks at %v m", d)
	}
}

// Remotes do their errands: they follow, stick, leave and end as they were told,
// and stay near enough to their ideal movers.
func TestBusyTracking(t *testing.T) {
	if testing.Short() {
		t.Skip("a minute of the load")
	}
	var results []Result
	for workers := 1; workers <= 2; workers++ {
		r, err := Run(Config{Tables: tables(t), Load: Busy, Remotes: 1000, Ticks: 1800, Workers: workers, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, r)
	}
	r := results[0]
	t.Logf("error: mean %.3f m, median %.3f m, p99 %.3f m, %d lost", r.ErrorMean, r.ErrorMedian, r.ErrorP99, r.Lost)
	if r.ErrorMean > 1 || r.ErrorMedian > 0.5 || r.ErrorP99 > 10 || r.Lost > 0 {
		t.Errorf("error: mean %.3f m, median %.3f m, p99 %.3f m, %d lost", r.ErrorMean, r.ErrorMedian, r.ErrorP99, r.Lost)
	}
	if results[1].Hash != r.Hash {
		t.Errorf("two workers end in %s, one in %s", results[1].Hash, r.Hash)
	}
}

// What the errands set off in the remotes: every move-to ends once, every stick
// begins and ends, every jump is seen, most actions are played to their end.
func TestBusyShows(t *testing.T) {
	const n, ticks = 200, 1800
	s := newStream(t, Busy, n, nil)
	e := spawned(t, s, 1)
	w := fill(t, s, ticks)
	events := map[systems.EventKind]int{}
	acted, high := 0, map[uint32]bool{}
	for tick := range ticks {
		play(t, e, w, tick)
		for _, ev := range e.Events() {
			events[ev.Kind]++
			if ev.Kind == systems.MotionDone && ev.Success && ev.Motion == Humanoid.Action {
				acted++
			}
		}
		v := e.View()
		for i, o := range v.Origin {
			if o[2] > 0.5 {
				high[v.Guid[i]] = true
			}
		}
		if tick%100 == 0 {
			if err := e.Check(); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("%v, %d actions, %d jumped", events, acted, len(high))
	if k := events[systems.MoveToEnded]; k < 2*n*9/10 || k > 2*n {
		t.Errorf("%d move-tos ended", k)
	}
	if a, b := events[systems.StickBegan], events[systems.StickEnded]; a != n || b < n*9/10 || b > n {
		t.Errorf("%d sticks began, %d ended", a, b)
	}
	if acted < n*8/10 || acted > n {
		t.Errorf("%d actions", acted)
	}
	if len(high) != n {
		t.Errorf("%d jumped", len(high))
	}
	for i, o := range e.View().Origin {
		if o[2] > 5 {
			t.Errorf("0x%08X is up at %v", e.View().Guid[i], o)
		}
	}
}
