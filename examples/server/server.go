package main

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"sync/atomic"
	"time"

	"github.com/gait-engine/gait/bench"
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/record"
	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/wire"
	"github.com/gait-engine/gait/wire/transport"
)

// Players have the first guids, monsters the others of another range; what they
// have in common is the mover's index.
const (
	firstPlayer  = 0x50000001
	firstMonster = 0x80000001
)

func guidOf(index, players int) uint32 {
	if index < players {
		return firstPlayer + uint32(index)
	}
	return firstMonster + uint32(index)
}

func indexOf(guid uint32) int { return int(guid&0x0FFFFFFF) - 1 }

// server moves all movers, and tells each client of those near it.
type server struct {
	setup        *setup
	engine       *systems.Engine
	log          *record.Log
	lower, upper line
	box          *mailbox
	tick         int64
	bots         []bot // of monsters
	guests       []*guest
	byAddress    map[netip.AddrPort]*guest
	latest       atomic.Pointer[held] // where it has all, for clients to compare with
	last         []stand
	footing      *footing
	resting      []uint32 // who has come to rest in this tick

	took   []float64 // ns, by tick that was not measured by stage
	begun  []float64 // ns that a tick began late
	late   int       // ticks that took longer than there is time for
	stages systems.Cost
	staged int // ticks in stages

	messages, datagrams, bytes int // sent to clients
	refused                    int
	corrected                  int // who came to rest where no client can put him
	scratch                    [][]byte
}

// guest is a client, as the server knows it.
type guest struct {
	guid    uint32
	address netip.AddrPort
	session *session
	entered bool             // its handshake is done
	known   map[uint32]*seen // whom it has been told of
}

// seen is what the server remembers of one mover that a client knows, or knew.
type seen struct {
	told bool
	away int64 // tick since which it is out of range, 0 not
	gone int64 // tick in which the client was told that it is gone
}

// What is told of a mover: it comes when it is in the client's landblock or a
// neighbouring one (15 §5), and goes when it has not been for a while, so that who
// walks along a border does not come and go. In s.
const (
	goneAfter  = 5
	backAfter  = 3
	looksEvery = 0.2
)

func newServer(s *setup, lower, upper line) (*server, error) {
	v := &server{
		setup: s, lower: lower, upper: upper, byAddress: map[netip.AddrPort]*guest{}, box: newMailbox(s.clock, s.way, s.seed),
		last: make([]stand, s.movers), footing: newFooting(s),
	}
	var err error
	if v.engine, err = systems.New(s.serverOptions()); err != nil {
		return nil, err
	}
	if v.log, err = record.Create(s.logDir, v.engine, record.Options{}); err != nil {
		return nil, err
	}
	starts, err := bench.NewStreamOn(s.ground, bench.Mixed, s.movers, s.seed, nil)
	if err != nil {
		return nil, err
	}
	for i := range s.movers {
		_, place, gait, scale := starts.Start(i)
		spawn := systems.NewSpawn(guidOf(i, s.clients), place)
		spawn.MotionTable, spawn.Setup, spawn.Scale, spawn.Owned = gait.MotionTable, gait.Setup, scale, systems.OwnedMonster
		if i < s.clients {
			spawn.Owned = systems.OwnedPlayer
		}
		spawn.RunRate = runRate
		if err := v.engine.Spawn(spawn); err != nil {
			return nil, err
		}
		v.bots = append(v.bots, newBot(s.seed, uint64(i), s.hz))
	}
	return v, nil
}

// runRate is everybody's: 2 in the game is somebody quick.
const runRate = 1.5

// run ticks until the context ends, on a schedule: a tick that comes late is
// followed by the next at once.
func (v *server) run(ctx context.Context) error {
	for ctx.Err() == nil && wait(v.setup.clock, v.due(), ctx.Done()) {
		if err := v.step(); err != nil {
			return err
		}
	}
	return v.log.Commit()
}

// due is when the next tick is.
func (v *server) due() int64 { return v.setup.tickTime(v.tick + 1) }

// stageEvery is every how manieth tick is measured stage by stage.
const stageEvery = 7

// step is one tick.
func (v *server) step() error {
	now := v.setup.clock.now()
	v.begun = append(v.begun, float64(now-v.due()))
	v.tick++
	for _, a := range v.box.take(func(at int64) bool { return at <= now }) {
		if err := v.receive(&a); err != nil {
			return err
		}
	}
	measured := v.tick%stageEvery == 0
	if measured {
		v.engine.Measure(v.setup.clock.now)
	}
	began := time.Now()
	for i := v.setup.clients; i < v.setup.movers; i++ {
		if raw, changed := v.bots[i].press(v.tick); changed {
			if err := v.engine.Command(systems.Command{Guid: guidOf(i, v.setup.clients), Do: systems.DoRaw, Raw: raw}); err != nil {
				return err
			}
		}
	}
	v.engine.Tick()
	took := float64(time.Since(began))
	if took > 1e9/v.setup.hz {
		v.late++
	}
	if measured {
		v.engine.Measure(nil)
		c := v.engine.Cost()
		for s := range systems.Stages {
			v.stages.Ns[s] += c.Ns[s]
			v.stages.Bytes[s] += c.Bytes[s]
		}
		v.staged++
	} else {
		v.took = append(v.took, took)
	}
	if err := v.log.Commit(); err != nil {
		return err
	}
	for _, o := range v.engine.Outcomes() {
		if o.Verdict == systems.Refused {
			v.refused++
		}
	}
	v.show()
	for _, guid := range v.resting {
		if err := v.putDown(guid); err != nil {
			return err
		}
	}
	return v.tell(now)
}

// show says where everybody is, for the clients' errors.
func (v *server) show() {
	h := &held{tick: v.tick, stands: make([]stand, len(v.last))}
	view := v.engine.View()
	v.resting = v.resting[:0]
	for i, guid := range view.Guid {
		k := indexOf(guid)
		s, place := &v.last[k], placeAt(view.Cell[i], view.Origin[i])
		if !s.there || s.place != place || v.pressing(guid) {
			s.since = v.tick
		}
		s.place, s.there = place, view.Cell[i] != 0
		if s.there && v.tick-s.since == int64(restsAfter*v.setup.hz) {
			v.resting = append(v.resting, guid)
		}
	}
	copy(h.stands, v.last)
	v.latest.Store(h)
}

// pressing reports whether a mover means to be on its way: who runs against a wall
// stands, and is not at rest.
func (v *server) pressing(guid uint32) (is bool) {
	v.engine.Inspect(guid, func(r *components.Row, _ *components.Pools) { is = underWay(r.Interpreted) })
	return is
}

func underWay(i *components.Interpreted) bool {
	return i.Forward != motion.Ready || i.Sidestep != 0 || i.Turn != 0
}

// receive takes a datagram of a client's.
func (v *server) receive(a *arrival) error {
	var p transport.Packet
	if transport.Parse(a.data, &p) != nil {
		v.refused++
		return nil
	}
	g := v.byAddress[a.src]
	switch {
	case p.Flags&transport.LoginRequest != 0:
		return v.login(a.src)
	case g == nil:
		v.refused++
		return nil
	case p.Flags&transport.ConnectResponse != 0:
		if p.Cookie == uint64(g.guid) && !g.entered {
			g.entered = true
			return v.send(g, [][]byte{encode(&wire.CreatePlayer{Guid: g.guid})})
		}
		return nil
	case p.Flags&transport.RequestRetransmit != 0:
		g.session.again(&p, func(b []byte) { v.emit(g, b) })
	}
	var failed error
	g.session.take(&p, a.at, func(msg []byte) {
		switch {
		case !isAction(msg):
		case systems.CheckAction(g.guid, msg) != nil:
			v.refused++
		default:
			failed = errors.Join(failed, v.engine.ClientAction(g.guid, msg))
		}
	})
	return failed
}

// isAction reports whether a message is what a client does.
func isAction(msg []byte) bool {
	switch wire.Opcode(msg) {
	case wire.ActMoveToState, wire.ActAutonomousPosition, wire.ActJump:
		return true
	}
	return false
}

// login answers a client that knocks; one that knocks again is answered again.
func (v *server) login(from netip.AddrPort) error {
	g := v.byAddress[from]
	if g == nil {
		if len(v.guests) == v.setup.clients {
			v.refused++
			return nil
		}
		n := uint32(len(v.guests))
		g = &guest{guid: firstPlayer + n, address: from, session: newSession(transport.S2C, 2*n+1), known: map[uint32]*seen{}}
		v.guests, v.byAddress[from] = append(v.guests, g), g
	}
	hello := transport.Packet{Header: transport.Header{Flags: transport.ConnectRequest}, Cookie: uint64(g.guid)}
	hello.Connect.SeedS2C = 2*(g.guid-firstPlayer) + 1
	hello.Connect.SeedC2S = hello.Connect.SeedS2C + 1
	b, err := g.session.out.Plain(nil, hello)
	if err == nil {
		err = v.lower.send(b, from)
	}
	return err
}

// tell sends each client what there is to tell of those that it knows.
func (v *server) tell(now int64) error {
	outs := v.engine.Outbound()
	looks := max(int64(looksEvery*v.setup.hz), 1)
	for i, g := range v.guests {
		if !g.entered {
			continue
		}
		v.scratch = v.scratch[:0]
		for k := range outs {
			o := &outs[k]
			if s := g.known[o.Guid]; s != nil && s.told && o.Err == nil {
				v.scratch = append(v.scratch, o.Message)
			}
		}
		if (v.tick+int64(i))%looks == 0 {
			if err := v.look(g); err != nil {
				return err
			}
		}
		if err := v.send(g, v.scratch); err != nil {
			return err
		}
		if err := g.session.chores(now, func(b []byte) { v.emit(g, b) }); err != nil {
			return err
		}
	}
	return nil
}

// look finds who has come into a client's range, and who has left it.
func (v *server) look(g *guest) error {
	view := v.engine.View()
	me := slices.Index(view.Guid, g.guid)
	if me < 0 {
		return fmt.Errorf("player 0x%08X is not there", g.guid)
	}
	seconds := func(s float64) int64 { return int64(s * v.setup.hz) }
	for i, guid := range view.Guid {
		s := g.known[guid]
		in := guid == g.guid || view.Cell[me] != 0 && view.Cell[i] != 0 && view.Cell[me].NextTo(view.Cell[i])
		switch {
		case s == nil && in, s != nil && !s.told && in && v.tick-s.gone > seconds(backAfter):
			b, err := v.engine.CreateMessage(nil, guid)
			if err != nil {
				return err
			}
			g.known[guid] = &seen{told: true}
			v.scratch = append(v.scratch, b)
		case s == nil || !s.told:
		case in:
			s.away = 0
		case s.away == 0:
			s.away = v.tick
		case v.tick-s.away > seconds(goneAfter):
			s.told, s.gone = false, v.tick
			v.scratch = append(v.scratch, encode(&wire.Delete{Guid: guid}))
		}
	}
	return nil
}

// send packs messages into datagrams.
func (v *server) send(g *guest, messages [][]byte) error {
	v.messages += len(messages)
	const queue = 10 // of what objects do
	return g.session.out.Messages(queue, messages, func(b []byte) { v.emit(g, b) })
}

// emit sends a datagram; what the line does not take is lost like any other.
func (v *server) emit(g *guest, b []byte) {
	v.datagrams++
	v.bytes += len(b)
	_ = v.upper.send(b, g.address)
}

// close ends it, and takes the log up again: the engine that comes of it must be
// in the state that this one was left in.
func (v *server) close() (err error) {
	want, tick := v.engine.Hash(), v.engine.Now()
	if err := v.log.Close(); err != nil {
		return err
	}
	again, _, err := record.Recover(v.setup.logDir, v.setup.serverOptions())
	if err != nil {
		return err
	}
	if again.Now() != tick || again.Hash() != want {
		return fmt.Errorf("the log comes to tick %d, state %016x; the server was at tick %d, state %016x", again.Now(), again.Hash(), tick, want)
	}
	return nil
}

// encode writes a message of ours, which always can be written.
func encode(m wire.Message) []byte {
	b, err := m.Append(nil)
	if err != nil {
		panic(fmt.Sprintf("a message of the server's own cannot be written: %v.", err))
	}
	return b
}
