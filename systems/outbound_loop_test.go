package systems

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/wire"
)

// network delays, loses and thereby reorders messages.
type network struct {
	rng      *rand.Rand
	delay    float64 // ticks
	jitter   float64 // ticks, to both sides
	loss     float64
	inFlight []flying
	sent     int
	lost     int
	bytes    int
}

type flying struct {
	at  float64
	n   int // in order of sending
	msg []byte
}

func (n *network) send(tick uint64, msg []byte) {
	n.sent++
	n.bytes += len(msg)
	if n.rng.Float64() < n.loss {
		n.lost++
		return
	}
	at := float64(tick) + n.delay + n.jitter*(2*n.rng.Float64()-1)
	n.inFlight = append(n.inFlight, flying{at, n.sent, bytes.Clone(msg)})
}

// arrived hands over what arrives before the next tick, in order of arrival.
func (n *network) arrived(tick uint64, to func(msg []byte)) {
	slices.SortFunc(n.inFlight, func(a, b flying) int {
		if a.at != b.at {
			return int(math.Copysign(1, a.at-b.at))
		}
		return a.n - b.n
	})
	k := 0
	for ; k < len(n.inFlight) && n.inFlight[k].at <= float64(tick); k++ {
		to(n.inFlight[k].msg)
	}
	n.inFlight = slices.Delete(n.inFlight, 0, k)
}

// roundTrip decodes a message, encodes it again, and encodes it afresh by the
// presence rules of its content (20 §6): the same bytes each time.
func roundTrip(t testing.TB, msg []byte) wire.Message {
	t.Helper()
	m, err := wire.Decode(msg)
	if err != nil {
		t.Fatalf("% x: %v", msg, err)
	}
	again := func(what string) {
		if b, err := m.Append(nil); err != nil || !bytes.Equal(b, msg) {
			t.Fatalf("%s: % x, %v\n      sent: % x", what, b, err, msg)
		}
	}
	again("encoded again")
	switch x := m.(type) {
	case *wire.Movement:
		x.Body.Fresh()
	case *wire.PositionEvent:
		x.Pack.Fresh()
	case *wire.Create:
		x.Physics.Fresh()
	case *wire.MoveToState:
		x.Raw.Fresh()
	}
	again("encoded afresh")
	return m
}

// pressed is a random change of the keys that somebody holds.
func pressed(rng *rand.Rand, raw *motion.RawState) {
	one := func(axis *components.Axis, ids ...uint32) {
		*axis = components.Axis{Motion: ids[rng.IntN(len(ids))], Speed: 1}
	}
	switch rng.IntN(6) {
	case 0:
		one(&raw.Turn, 0, 0, motion.TurnRight, motion.TurnLeft)
	case 1:
		one(&raw.Sidestep, 0, 0, motion.SideStepRight, motion.SideStepLeft)
	case 2, 3:
		one(&raw.Forward, motion.Ready, motion.WalkForward, motion.WalkForward, motion.WalkBackwards)
	default:
		raw.HoldKey = components.HoldNone + components.HoldRun - raw.HoldKey
	}
}

// loop is a server, a client, and what lies between.
type loop struct {
	server, client *rig
	net            network
	guids          []uint32
}

func newLoop(t testing.TB, refresh float64, monster func(i int) Ownership) *loop {
	l := &loop{server: newRig(t, Options{Refresh: refresh}), client: newRig(t, Options{Workers: 2, ChunkRows: 64})}
	l.server.unchecked, l.client.unchecked = true, true
	l.net = network{rng: rand.New(rand.NewPCG(15, 6)), delay: 3, jitter: 1.5, loss: 0.05} // 30 ticks a second
	for i := range 200 {
		guid := uint32(me + i)
		s := human(guid, 20+float32(i%20)*8, 20+float32(i/20)*8)
		if i%5 == 4 {
			s = creature(guid, 20+float32(i%20)*8, 20+float32(i/20)*8)
		}
		s.RunRate, s.Owned = 1+float32(i%4)/2, monster(i)
		s.Stamps.Slot = [9]uint16{0xFFF0, 0xFFF0, 1, 2, 3, 0xFFF8, 5, 6, 7} // they wrap under way
		l.server.spawn(s)
		l.guids = append(l.guids, guid)
	}
	l.server.tick(1)
	for _, guid := range l.guids {
		b, err := l.server.e.CreateMessage(nil, guid)
		if err != nil {
			t.Fatal(err)
		}
		roundTrip(t, b)
		l.client.send(b)
	}
	l.client.tick(1)
	return l
}

// tick runs both a tick, the server's messages through the network.
func (l *loop) tick() {
	l.server.e.Tick()
	last := uint32(0)
	for _, o := range l.server.e.Outbound() {
		if o.Err != nil || o.Guid < last {
			l.server.Fatalf("%+v after 0x%08X", o, last)
		}
		last = o.Guid
		l.net.send(l.server.e.Now(), o.Message)
	}
	newest := map[uint32]*wire.Movement{}
	l.net.arrived(l.server.e.Now(), func(msg []byte) {
		m, ok := roundTrip(l.server, msg).(*wire.Movement)
		if ok && (newest[m.Guid] == nil || wire.Newer(newest[m.Guid].Movement, m.Movement)) {
			newest[m.Guid] = m
		}
		l.client.send(msg)
	})
	l.client.e.Tick()
	for guid, m := range newest { // what a mover does is what the newest says, in the very tick
		c := l.client.row(guid)
		if s := &m.Body.State; c.Stamps.Slot[wire.SlotMovement] == m.Movement &&
			(c.Interpreted.Forward != s.ForwardID() || c.Interpreted.ForwardSpeed != s.ForwardSpeed || c.Interpreted.Turn != s.TurnID()) {
			l.server.Fatalf("0x%08X does %+v, told %+v", guid, c.Interpreted, s)
		}
	}
}

// apart returns how far every mover's copy stands from it, ascending.
func (l *loop) apart() (d []float64) {
	for _, guid := range l.guids {
		d = append(d, apart(l.server.world(guid), l.client.world(guid)))
	}
	slices.Sort(d)
	return d
}

// The closed loop: what a server writes of 200 movers under random keys, delayed
// by 100 ± 50 ms, one in twenty lost, some reordered, is read by a second engine,
// whose movers stand where the first's stand once these rest.
func TestSpec15_6_ClosedLoop(t *testing.T) {
	alone(t)
	kinds := []Ownership{OwnedMonster, OwnedMonster, OwnedPlayer, OwnedCreature}
	for _, c := range []struct {
		name string
		kind func(i int) Ownership
	}{
		{"monsters", func(int) Ownership { return OwnedMonster }},
		{"all kinds", func(i int) Ownership { return kinds[i%len(kinds)] }},
	} {
		t.Run(c.name, func(t *testing.T) { closedLoop(t, newLoop(t, 1, c.kind)) })
	}
}

func closedLoop(t *testing.T, l *loop) {
	rng := rand.New(rand.NewPCG(7, 7))
	raws := make([]motion.RawState, len(l.guids))
	for i := range raws {
		raws[i] = motion.DefaultRaw()
	}
	var moving []float64
	seen := map[uint32]uint16{} // the newest movement stamp that the client has taken
	toggles, stale := 0, 0
	step := func() {
		l.tick()
		for k, o := range l.client.e.Outcomes() {
			if o.Verdict == Refused || o.Verdict == Parked {
				t.Fatalf("outcome %d: %+v", k, o)
			}
			if o.Verdict == Stale {
				stale++
			}
		}
	}
	const active = 30 * 30
	for tick := range active {
		for i, guid := range l.guids {
			if rng.IntN(40) == 0 {
				pressed(rng, &raws[i])
				l.server.command(Command{Guid: guid, Do: DoRaw, Raw: raws[i]})
			}
			if rng.IntN(400) == 0 {
				l.server.command(Command{Guid: guid, Do: DoMotion, Motion: wave, Speed: 1})
			}
		}
		step()
		if tick%15 == 0 && tick > 60 {
			moving = append(moving, l.apart()...)
		}
		// what is late undoes nothing
		for _, guid := range l.guids {
			got := l.client.row(guid).Stamps.Slot[wire.SlotMovement]
			if was, ok := seen[guid]; ok && got != was && !wire.Newer(was, got) {
				t.Fatalf("0x%08X went back from movement %d to %d", guid, was, got)
			} else if ok && got != was {
				toggles++
			}
			seen[guid] = got
		}
	}
	for i, guid := range l.guids {
		raws[i] = motion.DefaultRaw()
		l.server.command(Command{Guid: guid, Do: DoRaw, Raw: raws[i]})
	}
	for range 30 * 20 {
		step()
	}
	slices.Sort(moving)
	t.Logf("%d messages, %d bytes, %d lost, %d stale, %d movements applied", l.net.sent, l.net.bytes, l.net.lost, stale, toggles)
	t.Logf("apart while moving: median %.3f m, p99 %.3f m, most %.3f m", moving[len(moving)/2], moving[len(moving)*99/100], moving[len(moving)-1])
	rest := l.apart()
	t.Logf("apart at rest: median %.4f m, most %.4f m", rest[len(rest)/2], rest[len(rest)-1])
	if most := rest[len(rest)-1]; !(most <= 0.05) {
		t.Errorf("at rest a mover stands %v m from its owner's", most)
	}
	if l.net.lost == 0 || stale == 0 || toggles < 1000 {
		t.Errorf("%d lost, %d stale, %d applied: this tests nothing", l.net.lost, stale, toggles)
	}
	for _, guid := range l.guids {
		a, b := l.server.row(guid), l.client.row(guid)
		if a.Interpreted.Forward != b.Interpreted.Forward || a.Interpreted.Turn != b.Interpreted.Turn || a.Body.State != b.Body.State {
			t.Errorf("0x%08X does %+v, its copy %+v", guid, a.Interpreted, b.Interpreted)
		}
		if d := space.Heading(a.Pose.Frame.Rotation) - space.Heading(b.Pose.Frame.Rotation); math.Abs(float64(d)) > 0.1 && math.Abs(float64(d)) < 359.9 {
			t.Errorf("0x%08X faces %v, its copy %v", guid, space.Heading(a.Pose.Frame.Rotation), space.Heading(b.Pose.Frame.Rotation))
		}
	}
}

// Without loss, and whatever the order of arrival, monsters need no refreshing:
// the position that is sent once more at rest comes after all else.
func TestSpec15_6_ClosedLoopWithoutLoss(t *testing.T) {
	l := newLoop(t, 0, func(int) Ownership { return OwnedMonster })
	l.net.loss = 0
	rng := rand.New(rand.NewPCG(3, 4))
	raws := make([]motion.RawState, len(l.guids))
	for i := range raws {
		raws[i] = motion.DefaultRaw()
	}
	for range 300 {
		for i, guid := range l.guids {
			if rng.IntN(40) == 0 {
				pressed(rng, &raws[i])
				l.server.command(Command{Guid: guid, Do: DoRaw, Raw: raws[i]})
			}
		}
		l.tick()
	}
	for _, guid := range l.guids {
		l.server.command(Command{Guid: guid, Do: DoRaw, Raw: motion.DefaultRaw()})
	}
	sent := 0
	for range 300 {
		l.tick()
		sent = len(l.server.e.Outbound())
	}
	if sent != 0 {
		t.Errorf("%d messages a tick at rest", sent)
	}
	d := l.apart()
	t.Logf("at rest at most %.4f m apart", d[len(d)-1])
	if most := d[len(d)-1]; !(most <= 0.05) {
		t.Errorf("at rest a mover stands %v m from its owner's", most)
	}
}

// A walk↔run toggle shows in the second engine on the tick in which its message
// arrives, and one that comes late changes nothing.
func TestSpec15_6_ToggleShowsOnArrival(t *testing.T) {
	l := newLoop(t, 0, func(int) Ownership { return OwnedMonster })
	guid := l.guids[0]
	raw := motion.DefaultRaw()
	raw.Forward.Motion = motion.WalkForward
	var old []byte
	for k := range 12 {
		raw.HoldKey = []components.HoldKey{components.HoldNone, components.HoldRun}[k%2]
		l.server.command(Command{Guid: guid, Do: DoRaw, Raw: raw})
		l.server.tick(1)
		var msg []byte
		for _, o := range l.server.e.Outbound() {
			if o.Guid == guid && wire.Opcode(o.Message) == wire.OpMovement {
				msg = bytes.Clone(o.Message)
			}
		}
		if msg == nil {
			t.Fatalf("toggle %d is not told", k)
		}
		l.client.send(msg)
		l.client.tick(1)
		want := []uint32{walk, run}[k%2]
		same(t, "forward", l.client.row(guid).Interpreted.Forward, want)
		same(t, "substate", l.client.row(guid).MotionState.Substate, want)
		if old != nil {
			l.client.send(old)
			l.client.tick(1)
			l.client.wantVerdicts(Stale)
			same(t, "forward after a late one", l.client.row(guid).Interpreted.Forward, want)
		}
		old = msg
	}
}
