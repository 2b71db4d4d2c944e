package main

import (
	"maps"
	"slices"

	"github.com/gait-engine/gait/wire/transport"
)

// session is one side of a connection after its handshake: what it sends is
// numbered, and what it misses it asks for again (spec 22 §4, §6). A server takes
// packets in the order of their numbers, and has those wait that come before their
// turn: a stop that is lost and sent again would else be older than what his client
// has said since, and his player run on. A client takes them as they come.
type session struct {
	out     *transport.Sender
	in      transport.Reassembly
	client  bool
	highest uint32                      // number received, or known to have been sent
	missing map[uint32]gap              // below it
	waiting map[uint32]transport.Packet // of a server, by number: there, and not yet their turn
	turn    uint32                      // the number whose turn it is
	taken   uint64                      // datagrams
	chored  int64                       // ns: when it last did its chores
	resent  int
}

// gap is a packet that has not come.
type gap struct{ since, asked int64 } // ns; asked: when it was last asked for, 0 never

// In ns: how long a packet may be late before it is asked for, how long until it
// is asked for again, when it is asked for no more, when nothing of it can be on its
// way any more, and how often a side looks.
const (
	gapAfter    = 60e6
	gapAgain    = 350e6
	gapGiveUp   = 6e9
	gapForget   = 30e9
	choresEvery = 100e6
)

// numbered are the plain packets that carry the last number used.
const numbered = transport.Acknowledge | transport.RequestRetransmit

func newSession(dir transport.Dir, seed uint32) *session {
	return &session{
		out: transport.NewSender(dir, seed), client: dir == transport.C2S, highest: 1, turn: 2,
		missing: map[uint32]gap{}, waiting: map[uint32]transport.Packet{},
	}
}

// handshake reports that a datagram is of one.
func handshake(b []byte) bool {
	var p transport.Packet
	return transport.Parse(b, &p) == nil && p.Flags&(transport.LoginRequest|transport.ConnectRequest|transport.ConnectResponse) != 0
}

// take reads a packet, and hands over the messages that are complete with it; they
// are good until it returns. A second copy is nothing. The packet's bytes are kept.
func (s *session) take(p *transport.Packet, at int64, each func(msg []byte)) {
	isNew := false
	switch {
	case p.Flags&transport.Encrypted != 0:
		isNew = s.isNew(p.Sequence, at)
	case p.Flags&numbered != 0:
		s.expect(p.Sequence, at)
	}
	if s.client {
		if isNew {
			s.read(p, at, each)
		}
		return
	}
	switch {
	case isNew && p.Sequence < s.turn: // given up, and there after all
		s.read(p, at, each)
	case isNew:
		s.waiting[p.Sequence] = *p
	}
	for ; s.turn <= s.highest; s.turn++ {
		if g, missing := s.missing[s.turn]; missing && at-g.since <= gapGiveUp {
			return
		}
		if p, ok := s.waiting[s.turn]; ok { // not given up
			delete(s.waiting, s.turn)
			s.read(&p, at, each)
		}
	}
}

// maxAhead is how far ahead of the highest number one is taken, and at a server's, where
// those wait, ahead of the one whose turn it is; what lies beyond is none of this
// connection's, or comes again.
const maxAhead = 1 << 12

// isNew reports whether a number comes for the first time.
func (s *session) isNew(n uint32, at int64) bool {
	from := s.turn
	if s.client {
		from = s.highest
	}
	if n > from && n-from > maxAhead {
		return false
	}
	if n > s.highest {
		s.expect(n-1, at)
		s.highest = n
		return true
	}
	_, late := s.missing[n]
	delete(s.missing, n)
	return late
}

// read hands over what is complete with a packet.
func (s *session) read(p *transport.Packet, at int64, each func(msg []byte)) {
	s.taken++
	for f := range p.Fragments() {
		if msg, err := s.in.Add(f, at, s.taken); err == nil && msg != nil {
			each(msg)
		}
	}
}

// expect notes that all up to a number have been sent.
func (s *session) expect(n uint32, at int64) {
	for s.highest < n && len(s.missing) < maxAhead {
		s.highest++
		s.missing[s.highest] = gap{since: at}
	}
}

// chores asks for what is missing, and tells the other side how far it has sent.
func (s *session) chores(now int64, send func(datagram []byte)) error {
	if now-s.chored < choresEvery {
		return nil
	}
	s.chored = now
	var ask []uint32
	for _, n := range slices.Sorted(maps.Keys(s.missing)) {
		g := s.missing[n]
		switch {
		case now-g.since > gapForget:
			delete(s.missing, n)
		case now-g.since > gapGiveUp:
		case now-g.since > gapAfter && now-g.asked > gapAgain && len(ask) < transport.MaxRequested:
			g.asked = now
			s.missing[n] = g
			ask = append(ask, n)
		}
	}
	var p transport.Packet
	p.Flags, p.Acknowledged = transport.Acknowledge, s.highest
	if len(ask) > 0 {
		p.Flags, p.Missing = transport.RequestRetransmit, transport.NumbersOf(ask...)
	}
	b, err := s.out.Plain(nil, p)
	if err == nil {
		send(b)
	}
	return err
}

// again sends what the other side asks for.
func (s *session) again(p *transport.Packet, send func(datagram []byte)) {
	for i := range p.Missing.Len() {
		if b, ok := s.out.Resend(nil, p.Missing.At(i)); ok {
			s.resent++
			send(b)
		}
	}
}
