package replay

import (
	"bytes"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/gait-engine/gait/bench"
	"github.com/gait-engine/gait/capture"
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/wire"
	"github.com/gait-engine/gait/wire/transport"
)

// hz is the tick rate of server and clients.
const hz = 30

// player is a client of the recorded server: what lies between the two, and what it
// sees live.
type player struct {
	client, server netip.AddrPort
	own            uint32
	s2c, c2s       *transport.Sender
	began          int64 // ns, when its first datagram passed
	flying         []transport.Datagram
	numbers        map[uint32]bool
	assembly       transport.Reassembly
	engine         *systems.Engine
	queue          []heard
	hashes         []uint64
	sequence       uint32
}

// heard is what came to a client.
type heard struct {
	at  int64
	msg []byte
	see *space.Position
}

// recording is a server with movers, its clients, and what passed between them, as
// a recorder beside the clients saw it.
type recording struct {
	testing.TB
	rng       *rand.Rand
	e         *systems.Engine
	guids     []uint32
	raws      []motion.RawState
	players   []*player
	datagrams []transport.Datagram
}

// record runs a server for so many seconds with so many movers and clients. One
// datagram in twenty is lost and comes again, and some overtake others.
func record(tb testing.TB, seconds, movers, clients int, seed uint64) *recording {
	r := &recording{TB: tb, rng: rand.New(rand.NewPCG(seed, 22))}
	var err error
	if r.e, err = systems.New(systems.Options{Tables: tables(tb), TicksPerSecond: hz, Refresh: 1}); err != nil {
		tb.Fatal(err)
	}
	for i := range movers {
		gait, guid := bench.Humanoid, 0x50000010+uint32(i)
		if i%3 == 2 {
			gait, guid = bench.Creature, 0x80000010+uint32(i)
		}
		s := systems.NewSpawn(guid, place(here, 20+float32(i%20)*8, 20+float32(i/20)*8, 0))
		s.MotionTable, s.Setup, s.RunRate = gait.MotionTable, gait.Setup, 1+float32(i%4)/2
		s.Owned = systems.OwnedMonster
		s.Place.Normalize()
		if err := r.e.Spawn(s); err != nil {
			tb.Fatal(err)
		}
		r.guids, r.raws = append(r.guids, guid), append(r.raws, motion.DefaultRaw())
	}
	r.e.Tick()
	for i := range clients {
		p := &player{
			client: netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, 5}), uint16(50_000+i)), server: netip.MustParseAddrPort("10.0.0.9:9000"),
			own: 0x50000001 + uint32(i), numbers: map[uint32]bool{},
			s2c: transport.NewSender(transport.S2C, uint32(100+i)), c2s: transport.NewSender(transport.C2S, uint32(200+i)),
		}
		if p.engine, err = systems.New(systems.Options{Tables: tables(tb), TicksPerSecond: hz}); err != nil {
			tb.Fatal(err)
		}
		r.players = append(r.players, p)
		r.enter(p, int64(i)*7e6)
	}
	for tick := int64(1); tick <= int64(seconds*hz); tick++ {
		r.tick(tick)
	}
	slices.SortStableFunc(r.datagrams, func(a, b transport.Datagram) int { return int(a.At - b.At) })
	return r
}

func (r *recording) pass(p *player, at int64, dir transport.Dir, server netip.AddrPort, b []byte) {
	d := transport.Datagram{At: at, Src: p.client, Dst: server, Data: bytes.Clone(b)}
	if dir == transport.S2C {
		d.Src, d.Dst = d.Dst, d.Src
	}
	if dir == transport.C2S {
		r.datagrams = append(r.datagrams, d)
		return
	}
	p.flying = append(p.flying, d)
}

func (p *player) upper() netip.AddrPort {
	return netip.AddrPortFrom(p.server.Addr(), p.server.Port()+1)
}

// enter is the handshake, and what a player is told on entering the world.
func (r *recording) enter(p *player, at int64) {
	p.began = at
	plain := func(dir transport.Dir, server netip.AddrPort, k transport.Packet) {
		s := p.c2s
		if dir == transport.S2C {
			s = p.s2c
		}
		b, err := s.Plain(nil, k)
		if err != nil {
			r.Fatal(err)
		}
		if at == p.began && dir == transport.S2C { // the first to be recorded: connections begin with their connect request
			r.datagrams = append(r.datagrams, transport.Datagram{At: at, Src: server, Dst: p.client, Data: b})
			return
		}
		r.pass(p, at, dir, server, b)
	}
	i := uint32(p.own - 0x50000001)
	hello := transport.Packet{Header: transport.Header{Flags: transport.ConnectRequest}, Cookie: uint64(p.own)}
	hello.Connect.SeedS2C, hello.Connect.SeedC2S = 100+i, 200+i
	plain(transport.S2C, p.server, hello)
	at += 1e6
	plain(transport.C2S, p.upper(), transport.Packet{Header: transport.Header{Flags: transport.ConnectResponse}, Cookie: uint64(p.own)})
	messages := [][]byte{encode(r, &wire.CreatePlayer{Guid: p.own}), create(r, p.own, place(here, 100, 60, 0), 1)}
	for _, guid := range r.guids {
		m, err := r.e.CreateMessage(nil, guid)
		if err != nil {
			r.Fatal(err)
		}
		messages = append(messages, m)
	}
	messages = append(messages, append([]byte{0xB0, 0xF7, 0, 0, byte(p.own), 0, 0, 0x50, 1, 0, 0, 0, 0x13, 0, 0, 0}, make([]byte, 3000)...)) // of nine pieces
	r.send(p, at, messages)
}

// send has the server send messages to a client.
func (r *recording) send(p *player, at int64, messages [][]byte) {
	if err := p.s2c.Messages(10, messages, func(b []byte) {
		late := at + 50e6 + int64(r.rng.IntN(40e6)) // up to 40 ms apart: some overtake others
		if r.rng.IntN(20) == 0 {                    // lost, and sent again when that has been noticed
			late += 600e6
			b, _ = p.s2c.Resend(nil, p.s2c.Number())
		}
		r.pass(p, late, transport.S2C, p.upper(), b)
		if r.rng.IntN(30) == 0 { // and sometimes sent again for nothing
			b, _ = p.s2c.Resend(nil, p.s2c.Number())
			r.pass(p, late+100e6, transport.S2C, p.upper(), b)
		}
	}); err != nil {
		r.Fatal(err)
	}
}

// tick is a tick of the server, and of every client.
func (r *recording) tick(tick int64) {
	for i, guid := range r.guids {
		if r.rng.IntN(40) != 0 {
			continue
		}
		raw := &r.raws[i]
		switch r.rng.IntN(5) {
		case 0:
			raw.Turn = components.Axis{Motion: []uint32{0, motion.TurnRight, motion.TurnLeft}[r.rng.IntN(3)], Speed: 1}
		case 1:
			raw.HoldKey = components.HoldNone + components.HoldRun - raw.HoldKey
		default:
			raw.Forward = components.Axis{Motion: []uint32{motion.Ready, motion.WalkForward, motion.WalkForward}[r.rng.IntN(3)], Speed: 1}
		}
		if err := r.e.Command(systems.Command{Guid: guid, Do: systems.DoRaw, Raw: *raw}); err != nil {
			r.Fatal(err)
		}
	}
	r.e.Tick()
	var messages [][]byte
	for _, o := range r.e.Outbound() {
		if o.Err != nil {
			r.Fatal(o.Err)
		}
		messages = append(messages, o.Message)
	}
	at := tick * 1e9 / hz
	for _, p := range r.players {
		r.send(p, at+p.began, messages)
		if tick%30 == 0 { // it says where it is
			p.sequence++
			m := &wire.AutonomousPosition{Sequence: p.sequence, Place: place(here, 100, 60+float32(tick%60), 0), Bits: wire.ContactGrounded}
			m.Place.Normalize()
			if err := p.c2s.Messages(3, [][]byte{encode(r, m)}, func(b []byte) { r.pass(p, at+p.began, transport.C2S, p.server, b) }); err != nil {
				r.Fatal(err)
			}
			see := wire.Settle(m.Place)
			p.queue = append(p.queue, heard{at: at, see: &see})
		}
		r.live(p, tick)
	}
}

// live is a client at work: it takes what arrives, each packet once, in order of
// arrival, and what it heard before a tick's end is applied in the next.
func (r *recording) live(p *player, tick int64) {
	slices.SortStableFunc(p.flying, func(a, b transport.Datagram) int { return int(a.At - b.At) })
	end := (tick+1)*1e9/hz + p.began
	n := 0
	for ; n < len(p.flying) && p.flying[n].At < end; n++ {
		d := p.flying[n]
		r.datagrams = append(r.datagrams, d)
		var k transport.Packet
		if err := transport.Parse(d.Data, &k); err != nil {
			r.Fatal(err)
		}
		if p.numbers[k.Sequence] {
			continue
		}
		p.numbers[k.Sequence] = true
		for f := range k.Fragments() {
			if m, err := p.assembly.Add(f, d.At, 1); err != nil {
				r.Fatal(err)
			} else if m != nil {
				p.queue = append(p.queue, heard{at: d.At - p.began, msg: bytes.Clone(m)})
			}
		}
	}
	p.flying = slices.Delete(p.flying, 0, n)
	slices.SortStableFunc(p.queue, func(a, b heard) int { return int(a.at - b.at) })
	// the ticks whose messages are all there: up to this one
	for int64(len(p.hashes)) < tick {
		next := int64(len(p.hashes)) + 1
		k := 0
		for ; k < len(p.queue) && p.queue[k].at*hz/1e9+1 <= next; k++ {
			switch h := p.queue[k]; {
			case h.see != nil:
				if err := p.engine.SetViewer(h.see); err != nil {
					r.Fatal(err)
				}
			case wire.Opcode(h.msg) != opEventInside:
				if err := p.engine.Inbound(h.msg); err != nil {
					r.Fatal(err)
				}
				if guid, _ := wire.Guid(h.msg); guid == p.own && wire.Opcode(h.msg) == wire.OpCreate {
					see := place(here, 100, 60, 0) // until it says where it is, it is where it was created
					see.Normalize()
					if err := p.engine.SetViewer(&see); err != nil {
						r.Fatal(err)
					}
				}
			}
		}
		p.queue = slices.Delete(p.queue, 0, k)
		p.engine.Tick()
		p.hashes = append(p.hashes, p.engine.Hash())
	}
}

// opEventInside is the ordered event that is sent on entering; it moves nobody.
const opEventInside = 0xF7B0

var began = time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)

// pcapng writes datagrams as our own recorder does.
func pcapng(tb testing.TB, datagrams []transport.Datagram, start time.Time) []byte {
	var b bytes.Buffer
	w, err := capture.NewWriter(&b, start)
	if err != nil {
		tb.Fatal(err)
	}
	for i := range datagrams {
		if err := w.Write(&datagrams[i]); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}
