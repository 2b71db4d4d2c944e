package main

import (
	"cmp"
	"context"
	"math"
	"net/netip"
	"slices"
	"sync/atomic"

	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/wire"
	"github.com/gait-engine/gait/wire/transport"
)

// client is a bot with a player: it walks about, says so, and shows what it is told.
//
// It has two engines. In one are the remotes, himself as others see him among them:
// nothing goes into that but what has come over the network, at the time at which it
// came, so that a recording of it, replayed, comes to the same (22 §11). In the other
// is his own body alone, which does what the keys say, and whose reports go to the server.
type client struct {
	setup        *setup
	index        int
	line         line
	box          *mailbox
	lower, upper netip.AddrPort
	server       *atomic.Pointer[held] // where the server has all
	recorder     *recorder
	scores       scores

	began   int64 // ns: when its connect request came
	tries   int   // how often it has looked for that
	looks   int64 // ns: when it looks next
	tick    int64
	own     uint32
	session *session
	remotes *systems.Engine
	body    *systems.Engine // nil until the own object has been described
	named   bool            // it has come which of the remotes he is
	said    space.Position  // where the server last said that he is
	acted   bool            // he has said where he is
	bot     bot
	sent    []happened // not yet in a tick

	hashes []uint64 // after every tick, to compare with a replay's; else none

	create   wire.Create
	position wire.PositionEvent
	decoder  wire.Decoder
}

// happened is a datagram that came or went.
type happened struct {
	transport.Datagram
	came   bool
	viewer *space.Position // where he says to be with it, nil: nothing of that
}

func newClient(s *setup, index int, v *server, l line, r *recorder) (*client, error) {
	c := &client{
		setup: s, index: index, server: &v.latest, recorder: r, line: l, lower: v.lower.address(), upper: v.upper.address(),
		box: newMailbox(s.clock, s.way, s.seed+1+uint64(index)), scores: scores{settle: int64(s.settle * s.hz)},
	}
	var err error
	c.remotes, err = systems.New(systems.Options{Tables: s.tables, Land: s.ground.Land, TicksPerSecond: s.hz, Lenient: true})
	return c, err
}

// tickOf is the tick at whose start something is applied that came at a time (22 §11.1).
func (c *client) tickOf(at int64) int64 {
	return int64(math.Floor(float64(max(at-c.began, 0))*c.setup.hz/1e9)) + 1
}

// run is the client's life.
func (c *client) run(ctx context.Context) error {
	for ctx.Err() == nil && wait(c.setup.clock, c.due(), ctx.Done()) { // also where it never catches up with the clock
		if err := c.act(); err != nil {
			return err
		}
	}
	return nil
}

// due is when the client next has something to do.
func (c *client) due() int64 {
	if c.session == nil {
		return c.looks
	}
	return c.began + int64(float64(c.tick+1)*1e9/c.setup.hz) + 1000
}

// act looks whether the server has answered, or does a tick if it is time.
func (c *client) act() error {
	now := c.setup.clock.now()
	if c.session == nil {
		return c.enter(now)
	}
	if c.tickOf(now) <= c.tick+1 { // until all that belongs to the tick is there
		return nil
	}
	c.tick++
	return c.step()
}

// enter knocks until the server answers, and answers that.
func (c *client) enter(now int64) error {
	const patience, every = 100, 10e6 // how often it looks, every so many ns, before it knocks again
	if c.tries%patience == 0 {
		knock, err := transport.NewSender(transport.C2S, 0).Plain(nil, transport.Packet{Header: transport.Header{Flags: transport.LoginRequest}})
		if err == nil {
			err = c.line.send(knock, c.lower)
		}
		if err != nil {
			return err
		}
	}
	c.tries, c.looks = c.tries+1, now+every
	var p transport.Packet
	for _, a := range c.box.take(func(at int64) bool { return at <= now }) {
		if transport.Parse(a.data, &p) != nil || p.Flags&transport.ConnectRequest == 0 {
			continue
		}
		c.began, c.own = a.at, uint32(p.Cookie)
		c.session = newSession(transport.C2S, p.Connect.SeedC2S)
		c.bot = newBot(c.setup.seed, uint64(indexOf(c.own)), c.setup.hz)
		c.sent = append(c.sent, happened{Datagram: transport.Datagram{At: a.at, Src: a.src, Dst: a.dst, Data: a.data}, came: true})
		b, err := c.session.out.Plain(nil, transport.Packet{Header: transport.Header{Flags: transport.ConnectResponse}, Cookie: p.Cookie})
		if err != nil {
			return err
		}
		c.emit(c.upper, b, nil)
		return nil
	}
	return nil
}

// emit sends a datagram and notes it; what the line does not take is lost like any other.
func (c *client) emit(to netip.AddrPort, b []byte, viewer *space.Position) {
	d := transport.Datagram{At: c.setup.clock.now(), Src: c.line.address(), Dst: to, Data: append([]byte(nil), b...)}
	c.sent = append(c.sent, happened{Datagram: d, viewer: viewer})
	_ = c.line.send(b, to)
}

// step is one tick: what came before it, the remotes, his own body.
func (c *client) step() error {
	all := c.happened()
	var datagrams []transport.Datagram
	for i := range all {
		h := &all[i]
		datagrams = append(datagrams, h.Datagram)
		if h.viewer != nil {
			c.acted = true
			if err := c.remotes.SetViewer(h.viewer); err != nil {
				return err
			}
		}
		if h.came {
			if err := c.receive(h); err != nil {
				return err
			}
		}
	}
	if c.recorder != nil {
		c.recorder.add(c.index, c.began+int64(float64(c.tick)*1e9/c.setup.hz)-1, datagrams)
	}
	c.remotes.Tick()
	if c.setup.compare {
		c.hashes = append(c.hashes, c.remotes.Hash())
	}
	second := uint16(min(c.setup.clock.now()/1e9, math.MaxUint16))
	c.scores.look(c.remotes.View(), c.own, c.server.Load(), second, c.tick%c.setup.sampleEvery() == 0)
	return c.move()
}

// happened are the datagrams of the tick in hand, those that came and those that
// went, in order of time.
func (c *client) happened() (all []happened) {
	due := func(at int64) bool { return c.tickOf(at) <= c.tick }
	for _, a := range c.box.take(due) {
		all = append(all, happened{Datagram: transport.Datagram{At: a.at, Src: a.src, Dst: a.dst, Data: a.data}, came: true})
	}
	n := 0
	for ; n < len(c.sent) && due(c.sent[n].At); n++ {
		all = append(all, c.sent[n])
	}
	c.sent = slices.Delete(c.sent, 0, n)
	slices.SortStableFunc(all, func(a, b happened) int { return cmp.Compare(a.At, b.At) })
	return all
}

// receive takes a datagram of the server's.
func (c *client) receive(h *happened) (err error) {
	var p transport.Packet
	if transport.Parse(h.Data, &p) != nil {
		return nil
	}
	c.session.again(&p, func(b []byte) { c.emit(c.lower, b, nil) })
	c.session.take(&p, h.At, func(msg []byte) {
		if err == nil {
			err = c.message(msg)
		}
	})
	return err
}

// message takes a message of the server's.
func (c *client) message(msg []byte) error {
	guid, _ := wire.Guid(msg)
	switch wire.Opcode(msg) {
	case wire.OpCreatePlayer: // may be later than what it is about
		c.named = true
		return c.watch(c.said)
	case wire.OpCreate:
		if guid == c.own && c.body == nil {
			if err := c.decoder.Into(msg, &c.create); err != nil {
				return err
			}
			if err := c.embody(&c.create.Physics); err != nil {
				return err
			}
		}
	case wire.OpPosition:
		if err := c.decoder.Position(msg, &c.position); err != nil {
			return err
		}
		place := wire.Settle(c.position.Pack.Place)
		c.scores.told(guid, &place)
		if guid == c.own {
			if err := c.watch(place); err != nil {
				return err
			}
			if c.body != nil { // he may have been corrected (20 §5.4)
				if err := c.body.Inbound(msg); err != nil {
					return err
				}
			}
		}
	}
	return c.remotes.Inbound(msg)
}

// watch says from where he looks, until he says himself where he is: from where the
// server says that he is, once it has said who he is (22 §11.3).
func (c *client) watch(place space.Position) error {
	c.said = place
	if !c.named || c.acted || place.Cell == 0 {
		return nil
	}
	return c.remotes.SetViewer(&place)
}

// embody makes his own body, as the server describes it.
func (c *client) embody(d *wire.Descriptor) (err error) {
	place := wire.Settle(d.Position)
	if err := c.watch(place); err != nil {
		return err
	}
	c.body, err = systems.New(systems.Options{Tables: c.setup.tables, Land: c.setup.ground.Land, TicksPerSecond: c.setup.hz, LocalPlayer: c.own, Reports: true})
	if err != nil {
		return err
	}
	s := systems.NewSpawn(c.own, place)
	s.MotionTable, s.Setup, s.Scale, s.RunRate, s.Placed = d.MotionTable, d.Setup, d.Scale, runRate, true
	s.Stamps.Slot = d.Stamps
	return c.body.Spawn(s)
}

// move presses his keys, and reports what comes of it.
func (c *client) move() error {
	err := c.session.chores(c.setup.clock.now(), func(b []byte) { c.emit(c.lower, b, nil) })
	if c.body == nil || err != nil {
		return err
	}
	if raw, changed := c.bot.press(c.tick); changed {
		if err := c.body.Command(systems.Command{Guid: c.own, Do: systems.DoRaw, Raw: raw}); err != nil {
			return err
		}
	}
	c.body.Tick()
	for _, o := range c.body.Reports() {
		if o.Err != nil {
			return o.Err
		}
		place, err := placeOf(o.Message)
		if err != nil {
			return err
		}
		const queue = 3 // of what a client does
		err = c.session.out.Messages(queue, [][]byte{o.Message}, func(b []byte) { c.emit(c.lower, b, place) })
		if err != nil {
			return err
		}
	}
	return nil
}

// placeOf is where a report says that he is.
func placeOf(report []byte) (*space.Position, error) {
	m, err := wire.Decode(report)
	if err != nil {
		return nil, err
	}
	var p space.Position
	switch x := m.(type) {
	case *wire.MoveToState:
		p = wire.Settle(x.Place)
	case *wire.AutonomousPosition:
		p = wire.Settle(x.Place)
	case *wire.Jump:
		p = wire.Settle(x.Place)
	}
	if p.Cell == 0 {
		return nil, nil
	}
	return &p, nil
}
