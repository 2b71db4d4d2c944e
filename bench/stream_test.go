package bench

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"testing"

	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/wire"
)

func newStream(t testing.TB, load Load, n int, population []Placement) *Stream {
	t.Helper()
	s, err := NewStream(load, n, 1, population)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func fill(t testing.TB, s *Stream, ticks int) *Window {
	t.Helper()
	var w Window
	if err := s.Fill(&w, ticks, nil); err != nil {
		t.Fatal(err)
	}
	return &w
}

// each calls f with every message of a window.
func (w *Window) each(f func(tick int, msg []byte)) {
	for t := range w.Ticks() {
		b, sizes := w.Messages(t)
		for _, n := range sizes {
			f(t, b[:n])
			b = b[n:]
		}
	}
}

// digest is a hash of a window's messages with their ticks.
func (w *Window) digest() uint64 {
	h := fnv.New64a()
	var head [5]byte
	w.each(func(tick int, msg []byte) {
		binary.LittleEndian.PutUint32(head[:], uint32(tick))
		head[4] = uint8(len(msg))
		h.Write(head[:])
		h.Write(msg)
	})
	return h.Sum64()
}

// One seed gives one stream of bytes, on every machine.
func TestLoadsAreDeterministic(t *testing.T) {
	golden := map[Load]uint64{
		Mixed: 0xF89CAB40DB10EAFE,
		Idle:  0xCBF29CE484222325, // of nothing
		Dense: 0xA2791DE5AF657E7B,
		Storm: 0x48B546640519E9A4,
		Busy:  0x28FF084CFAA20F01,
	}
	for _, load := range Loads {
		if got := fill(t, newStream(t, load, 40, nil), 900).digest(); got != golden[load] {
			t.Errorf("%s: digest 0x%016X, want 0x%016X", load, got, golden[load])
		}
	}
}

func TestSeedMatters(t *testing.T) {
	a := newStream(t, Mixed, 10, nil)
	b, err := NewStream(Mixed, 10, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	if fill(t, a, 600).digest() == fill(t, b, 600).digest() {
		t.Error("two seeds gave one stream")
	}
}

// A mover does the same whatever the count of others, and windows of any
// length say what one window says.
func TestStreamIsIndependentOfCountAndWindows(t *testing.T) {
	const few, many = 5, 50
	type sent struct {
		tick int
		msg  string
	}
	list := func(n int, windows ...int) (all []sent) {
		s := newStream(t, Mixed, n, nil)
		var w Window
		for _, ticks := range windows {
			from := s.Tick()
			if err := s.Fill(&w, ticks, nil); err != nil {
				t.Fatal(err)
			}
			w.each(func(tick int, msg []byte) {
				if guid, _ := wire.Guid(msg); guid < FirstGuid+few {
					all = append(all, sent{from + tick, string(msg)})
				}
			})
		}
		return all
	}
	want := list(few, 900)
	if len(want) < few*20 {
		t.Fatalf("only %d messages", len(want))
	}
	for name, got := range map[string][]sent{"more movers": list(many, 900), "short windows": list(few, 1, 299, 600)} {
		if len(got) != len(want) {
			t.Errorf("%s: %d messages, want %d", name, len(got), len(want))
			continue
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%s: message %d differs", name, i)
				break
			}
		}
	}
}

// Mixed and dense send about 1.07 messages per remote and second over 20 s.
func TestMixedRate(t *testing.T) {
	for _, load := range []Load{Mixed, Dense} {
		const n, ticks = 4000, 600
		w := fill(t, newStream(t, load, n, nil), ticks)
		rate := float64(len(w.sizes)) / n / (ticks * tickSeconds)
		if math.Abs(rate-1.07) > 0.05*1.07 {
			t.Errorf("%s: %.4f messages per remote and second, want 1.07 within 5%%", load, rate)
		}
		t.Logf("%s: %.4f messages per remote and second, %.1f bytes each", load, rate, float64(len(w.bytes))/float64(len(w.sizes)))
		if mean := float64(len(w.bytes)) / float64(len(w.sizes)); mean > messageBytes {
			t.Errorf("%s: %.1f bytes a message, more than room is made for", load, mean)
		}
	}
}

func TestStormAndIdleRates(t *testing.T) {
	const n, ticks = 30, 100
	if w := fill(t, newStream(t, Idle, n, nil), ticks); len(w.sizes) != 0 || w.Ticks() != ticks {
		t.Errorf("idle sent %d messages in %d ticks", len(w.sizes), w.Ticks())
	}
	w := fill(t, newStream(t, Storm, n, nil), ticks)
	for tick := range ticks {
		b, sizes := w.Messages(tick)
		if len(sizes) != 2*n {
			t.Fatalf("tick %d: %d messages, want %d", tick, len(sizes), 2*n)
		}
		for k, size := range sizes {
			op, guid := wire.Opcode(b), binary.LittleEndian.Uint32(b[4:])
			want := uint32(wire.OpMovement)
			if k%2 == 1 {
				want = wire.OpPosition
			}
			if op != want || guid != FirstGuid+uint32(k/2) {
				t.Fatalf("tick %d message %d: opcode %#x of 0x%08X", tick, k, op, guid)
			}
			b = b[size:]
		}
	}
}

// Every message decodes, says what a load may say, and carries stamps that go
// up by one from 1.
func TestMessagesDecode(t *testing.T) {
	population, err := ReadPopulation(sample())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		load       Load
		n, ticks   int
		population []Placement
	}{
		{Mixed, 200, 900, nil}, {Dense, 200, 900, nil}, {Storm, 20, 300, nil}, {Mixed, 40, 3000, population},
	} {
		var d wire.Decoder
		var mv wire.Movement
		var pe wire.PositionEvent
		moves, places := map[uint32]uint16{}, map[uint32]uint16{}
		s := newStream(t, c.load, c.n, c.population)
		fill(t, s, c.ticks).each(func(tick int, msg []byte) {
			switch op := wire.Opcode(msg); op {
			case wire.OpMovement:
				if err := d.Movement(msg, &mv); err != nil {
					t.Fatal(err)
				}
				moves[mv.Guid]++
				if mv.Body.Type != wire.TypeState || mv.Movement != moves[mv.Guid] || mv.Instance|mv.ServerControl != 0 || mv.Autonomous != 0 {
					t.Fatalf("tick %d: %+v", tick, mv)
				}
				if h, ok := mv.Body.HeaderStyle(); !ok || h != wire.CommandNonCombat || mv.Body.State.StyleID() != wire.CommandNonCombat {
					t.Fatalf("tick %d: style %#x", tick, h)
				}
			case wire.OpPosition:
				if err := d.Position(msg, &pe); err != nil {
					t.Fatal(err)
				}
				places[pe.Guid]++
				p := &pe.Pack
				if p.Position != places[pe.Guid] || p.Instance|p.Teleport|p.ForcePosition != 0 || !p.Contact() {
					t.Fatalf("tick %d: %+v", tick, pe)
				}
				settled := p.Place
				settled.Normalize()
				if settled != p.Place {
					t.Fatalf("tick %d: %+v is not where it belongs, %+v is", tick, p.Place, settled)
				}
			default:
				t.Fatalf("tick %d: opcode %#x", tick, op)
			}
		})
		if d.Counts.Pads != 0 || d.Counts.Trailing != 0 {
			t.Errorf("%s: %+v", c.load, d.Counts)
		}
		if len(moves) != c.n || len(places) != c.n {
			t.Errorf("%s: %d movers moved and %d reported, want %d", c.load, len(moves), len(places), c.n)
		}
	}
}

// change is one movement event, and the position events until the next.
type change struct {
	tick      int
	state     wire.State
	positions []int
}

// The structure of the cycle, from the messages alone.
func TestMixedCycle(t *testing.T) {
	const n, ticks = 300, 3000
	changes := make([][]change, n)
	var d wire.Decoder
	var mv wire.Movement
	fill(t, newStream(t, Mixed, n, nil), ticks).each(func(tick int, msg []byte) {
		guid, _ := wire.Guid(msg)
		of := &changes[guid-FirstGuid]
		if wire.Opcode(msg) == wire.OpPosition {
			last := &(*of)[len(*of)-1]
			last.positions = append(last.positions, tick)
			return
		}
		if err := d.Movement(msg, &mv); err != nil {
			t.Fatal(err)
		}
		*of = append(*of, change{tick: tick, state: mv.Body.State})
	})
	cycles, lefts := 0, 0
	const slack = 1.01 * tickSeconds // times are put on ticks
	between := func(what string, v, from, to float64) {
		t.Helper()
		if v < from-slack || v > to+slack {
			t.Errorf("%s: %v, want %v to %v", what, v, from, to)
		}
	}
	seconds := func(a, b change) float64 { return float64(b.tick-a.tick) * tickSeconds }
	for i, all := range changes {
		between("first idle", float64(all[0].tick)*tickSeconds, 0, firstIdleMax)
		var speed float32
		for k := 0; k+7 < len(all); k += 7 {
			c := all[k : k+8]
			cycles++
			for j, want := range []struct {
				forward uint16
				turn    bool
			}{{5, false}, {7, false}, {7, true}, {7, false}, {5, false}, {7, false}, {3, false}, {5, false}} {
				st := c[j].state
				if st.Forward != want.forward || (st.Turn == 0x0D) != want.turn || st.Sidestep != 0 || st.Count != 0 {
					t.Fatalf("mover %d, change %d: %+v", i, k+j, st)
				}
				if want.forward == 7 {
					if speed == 0 {
						speed = st.ForwardSpeed
					}
					if st.ForwardSpeed != speed || speed < speedMin || speed > speedMax {
						t.Fatalf("mover %d runs at %v, its own speed is %v", i, st.ForwardSpeed, speed)
					}
				} else if st.ForwardSpeed != 1 {
					t.Fatalf("mover %d, change %d at speed %v", i, k+j, st.ForwardSpeed)
				}
			}
			if v := c[2].state.TurnSpeed; v == -turnSpeed {
				lefts++
			} else if v != turnSpeed {
				t.Fatalf("turn speed %v", v)
			}
			between("walk", seconds(c[0], c[1]), walkMin, walkMax)
			run := seconds(c[1], c[6])
			between("run", run, runMin, runMax)
			between("turn begins", seconds(c[1], c[2]), turnAtMin*run, turnAtMax*run)
			between("turn lasts", seconds(c[2], c[3]), turnMin, turnMax)
			between("turn ends", seconds(c[1], c[3]), 0, turnEnd*run)
			between("toggle begins", seconds(c[1], c[4]), toggleAtMin*run, toggleAtMax*run)
			between("toggle lasts", seconds(c[4], c[5]), toggleMin*run, toggleMax*run)
			between("stand", seconds(c[6], c[7]), standMin, standMax)
			at := c[0].tick
			for _, ch := range c[:6] {
				for _, p := range ch.positions {
					if at += TicksPerSecond; p != at {
						t.Fatalf("mover %d reports at tick %d, want %d", i, p, at)
					}
				}
			}
			if len(c[6].positions) != 0 || c[6].tick-at > TicksPerSecond {
				t.Fatalf("mover %d stopped at tick %d, reported last at %d, then %v", i, c[6].tick, at, c[6].positions)
			}
		}
	}
	if cycles < n*5 {
		t.Errorf("only %d cycles", cycles)
	}
	if part := float64(lefts) / float64(cycles); math.Abs(part-0.5) > 0.05 {
		t.Errorf("%.3f of the turns go left", part)
	}
}

// Position events are within the noise of where the ideal mover is, one in a
// hundred 1 m off.
func TestNoise(t *testing.T) {
	s := newStream(t, Storm, 200, nil)
	var w Window
	var d wire.Decoder
	var pe wire.PositionEvent
	strays, all := 0, 0
	for range 200 {
		if err := s.Fill(&w, 1, nil); err != nil {
			t.Fatal(err)
		}
		w.each(func(_ int, msg []byte) {
			if wire.Opcode(msg) != wire.OpPosition {
				return
			}
			if err := d.Position(msg, &pe); err != nil {
				t.Fatal(err)
			}
			p := inWorld(pe.Pack.Place.Cell, pe.Pack.Place.Frame.Origin)
			b := s.movers[pe.Guid-FirstGuid].worldPoint
			all++
			switch off := p.distance(b); {
			case math.Abs(p.x-b.x) <= noise+1e-4 && math.Abs(p.y-b.y) <= noise+1e-4:
			case math.Abs(off-stray) < 1e-4:
				strays++
			default:
				t.Fatalf("%v m off", off)
			}
		})
	}
	if part := float64(strays) / float64(all); math.Abs(part-strayPart) > 0.2*strayPart {
		t.Errorf("%d of %d stray", strays, all)
	}
}

// An ideal mover walks 3.12 m/s, runs 4·s m/s and turns 2.25 rad/s.
func TestIdealMover(t *testing.T) {
	for _, c := range []struct {
		step     step
		gait     *Gait
		scale    float32
		v, omega float64
	}{
		{stands, &Humanoid, 1, 0, 0},
		{walks, &Humanoid, 1, 3.12, 0},
		{toggles, &Humanoid, 1, 3.12, 0},
		{runs, &Humanoid, 1, 8, 0},
		{turns, &Humanoid, 1, 8, 2.25},
		{runsOn, &Creature, 0.5, 6, 0},
		{turns, &Creature, 0.5, 6, 3},
	} {
		m := mover{worldPoint: worldPoint{20000, 20000, 5}, gait: c.gait, scale: c.scale, speed: 2, step: c.step}
		for range 30 {
			m.advance()
		}
		want := worldPoint{20000, 20000 + c.v, 5}
		if c.omega != 0 { // a circle around a point to the right
			r := c.v / c.omega
			want.x = 20000 + r - r*math.Cos(c.omega)
			want.y = 20000 + r*math.Sin(c.omega)
		}
		if d := m.distance(want); d > 1e-6 {
			t.Errorf("step %d of a %s: at %v, want %v", c.step, c.gait.Name, m.worldPoint, want)
		}
		if math.Abs(m.heading-c.omega) > 1e-9 {
			t.Errorf("step %d of a %s: heading %v, want %v", c.step, c.gait.Name, m.heading, c.omega)
		}
	}
	m := mover{worldPoint: worldPoint{20000, 3, 0}, heading: math.Pi, gait: &Humanoid, scale: 1, speed: 2, step: runs}
	for range 60 {
		m.advance()
	}
	if m.y != worldMargin {
		t.Errorf("the mover left the world: %v", m.worldPoint)
	}
}

func TestStarts(t *testing.T) {
	for _, load := range Loads {
		s := newStream(t, load, 3000, nil)
		for i := range s.Len() {
			guid, place, gait, scale := s.Start(i)
			if guid != FirstGuid+uint32(i) || gait != &Humanoid || scale != 1 {
				t.Fatalf("%s: start %d is 0x%08X, a %s at scale %v", load, i, guid, gait.Name, scale)
			}
			settled := place
			settled.Normalize()
			if settled != place || place.Cell.Indoors() || !place.Frame.Valid() {
				t.Fatalf("%s: %+v, settled %+v", load, place, settled)
			}
			if load == Dense && (place.Cell.BlockX() < 0xA8 || place.Cell.BlockX() > 0xAA || place.Cell.BlockY() < 0xB3 || place.Cell.BlockY() > 0xB5) {
				t.Fatalf("dense start in 0x%08X", uint32(place.Cell))
			}
			if d, ok := s.Error(guid, place.Cell, place.Frame.Origin); !ok || d != 0 {
				t.Fatalf("%s: a start is %v m from itself", load, d)
			}
			if h := s.movers[i].heading; math.Abs(math.Remainder(h-float64(space.Heading(place.Frame.Rotation))*math.Pi/180, 2*math.Pi)) > 1e-5 {
				t.Fatalf("heading %v, rotation %+v", h, place.Frame.Rotation)
			}
		}
	}
}

func TestInCell(t *testing.T) {
	for _, c := range []struct {
		p       worldPoint
		indoors space.CellID
		cell    space.CellID
		origin  space.Vec3
	}{
		{worldPoint{0, 0, 0}, 0, 0x00000001, space.Vec3{}},
		{worldPoint{-3, 1e9, 1}, 0, 0x00FE0008, space.Vec3{0, 192 - 1.0/64, 1}},
		{worldPoint{192*2 + 25, 192*3 + 191, 7}, 0, 0x02030010, space.Vec3{25, 191, 7}},
		{worldPoint{192 - 1e-9, 1, 0}, 0, 0x00000039, space.Vec3{math.Nextafter32(192, 0), 1, 0}},
		{worldPoint{192*2 - 25, 192*3 + 300, 7}, 0x02030104, 0x02030104, space.Vec3{-25, 300, 7}},
	} {
		cell, origin := c.p.inCell(c.indoors)
		if cell != c.cell || origin != c.origin {
			t.Errorf("%v: 0x%08X %v, want 0x%08X %v", c.p, uint32(cell), origin, uint32(c.cell), c.origin)
		}
	}
}

func TestNewStreamRefuses(t *testing.T) {
	one := []Placement{{Scale: 1}}
	for _, c := range []struct {
		load       Load
		n          int
		population []Placement
	}{{"rain", 1, nil}, {Mixed, 0, nil}, {Mixed, MaxRemotes + 1, nil}, {Dense, 1, one}, {Mixed, 1, []Placement{}}} {
		if _, err := NewStream(c.load, c.n, 1, c.population); err == nil {
			t.Errorf("%+v: no refusal", c)
		}
	}
	for _, l := range Loads {
		if got, err := ParseLoad(string(l)); got != l || err != nil {
			t.Error(got, err)
		}
	}
}

func TestWindowTicks(t *testing.T) {
	if n := WindowTicks(Mixed, 100_000); n < 600 {
		t.Errorf("mixed: %d ticks a window", n)
	}
	if n := WindowTicks(Storm, MaxRemotes); n != 1 {
		t.Errorf("storm: %d ticks a window", n)
	}
}
