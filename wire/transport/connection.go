package transport

import (
	"encoding/binary"
	"math"
	"net/netip"
)

// Connection is one client's conversation with one server (22 §7). What it says
// of itself is of the datagrams so far.
type Connection struct {
	ID     int            // from 1, in order of appearance
	Client netip.AddrPort // as seen; behind the client hook all clients look alike (22 §9.4)
	Server netip.AddrPort // with the lower of its two ports
	Whole  bool           // the handshake is in the capture: seeds are known
	Cookie uint64         // of the handshake

	First, Last int64 // ns: when its datagrams came
	Pauses      int   // silences after which the same connection went on (22 §10)
	Closed      bool  // it has ended, or another one took its place

	Clock GameClock

	dirs       [2]direction // client's, server's
	gone       bool         // said so
	superseded int64        // ns: when another one began on the same key
	replaced   bool
	otherGame  uint64 // messages of the kind that Asheron's Call 2 sends
}

// Message is a whole game message, opcode first.
type Message struct {
	At    int64 // ns, of the datagram that completed it
	Dir   Dir
	Queue uint16
	Data  []byte // good during the call
}

func (c *Connection) dir(d Dir) *direction { return &c.dirs[d-C2S] }

// Counts returns the tallies of a direction, which is [C2S] or [S2C].
func (c *Connection) Counts(d Dir) Counts { return c.dir(d).snapshot() }

// OtherGame reports that it is Asheron's Call 2 that is spoken: more than two
// thirds of the messages begin as its messages do (22 §7.3).
func (c *Connection) OtherGame() bool {
	return c.otherGame*3 > (c.dirs[0].counts.Messages+c.dirs[1].counts.Messages)*2
}

// GameClock compares the server's time syncs with the capture's clock (22 §10).
type GameClock struct {
	Syncs       uint64  `json:"syncs"`
	Slope       float64 `json:"slope"`        // game seconds a captured second, between the first sync and the last
	MaxResidual float64 `json:"max_residual"` // s: the farthest that a sync lay from running on since the first
	firstAt     int64
	first       float64
}

func (g *GameClock) sync(at int64, game float64) {
	if math.IsNaN(game) || math.IsInf(game, 0) {
		return
	}
	if g.Syncs++; g.Syncs == 1 {
		g.firstAt, g.first = at, game
		return
	}
	passed, gone := float64(at-g.firstAt)/1e9, game-g.first
	if math.IsInf(gone, 0) || math.IsInf(gone-passed, 0) || passed > 0 && math.IsInf(gone/passed, 0) {
		return // finite, and no time: what is reported has to be a number
	}
	g.MaxResidual = max(g.MaxResidual, math.Abs(gone-passed))
	if passed > 0 {
		g.Slope = gone / passed
	}
}

// take reads a datagram that belongs to c; parsed says what came of parsing it.
func (r *Reader) take(c *Connection, dir Dir, p *Packet, parsed *Error, d *Datagram) {
	v := c.dir(dir)
	v.counts.Datagrams++
	v.counts.Bytes += uint64(len(d.Data))
	c.Last = max(c.Last, d.At)
	if parsed != nil {
		v.counts.Refused[parsed.Kind]++
		return
	}
	duplicate := false
	if p.Flags&Encrypted == 0 {
		if !p.PlainOK() {
			v.counts.Refused[ErrChecksum]++
			return
		}
		v.counts.Verified++
	} else {
		var copyOf *recent
		copyOf, duplicate = v.number(p.Sequence, p.Key(), d.At)
		if !v.check(p, copyOf) && r.options.Strict {
			v.counts.Refused[ErrChecksum]++
			if !duplicate {
				v.unsee(p.Sequence) // its number may yet come whole
			}
			return
		}
		if duplicate {
			v.counts.Duplicates++
			if copyOf != nil && copyOf.requested {
				copyOf.requested = false
				v.counts.Late += uint64(p.FragmentCount())
				v.counts.LateSeconds += float64(d.At-copyOf.at) / 1e9 * float64(p.FragmentCount())
			}
		}
	}
	if p.Sequence != 0 && p.Flags&unsequencedFlags == 0 {
		if !v.lastAny || p.Sequence > v.last || v.last-p.Sequence > edge {
			v.last = p.Sequence
		}
		v.lastAny, v.file = true, r.file
	}
	v.note(p)
	r.sections(c, dir, p, d)
	if duplicate || p.Flags&HasFragments == 0 {
		return
	}
	for b := p.fragments; len(b) > 0; {
		f, n := fragmentAt(b)
		b = b[n:]
		if msg, err := v.assembly.Add(f, d.At, v.counts.Datagrams); err == nil && msg != nil {
			r.message(c, v, Message{At: d.At, Dir: dir, Queue: f.Queue, Data: msg})
		}
	}
}

// note counts what kind of packet it is.
func (d *direction) note(p *Packet) {
	for bit, rest := 0, uint32(p.Flags); rest != 0; bit, rest = bit+1, rest>>1 {
		d.counts.ByFlag[bit] += uint64(rest & 1)
	}
	if p.company() {
		d.counts.Company++
	}
	if p.oddlyEncrypted() {
		d.counts.OddlyEncrypted++
	}
	if p.Missing.Len() > MaxRequested || p.Rejected.Len() > MaxRequested {
		d.counts.LongRequests++
	}
}

// sections does what the sections of a packet mean to a reader.
func (r *Reader) sections(c *Connection, dir Dir, p *Packet, d *Datagram) {
	if p.Flags&ConnectRequest != 0 && !c.Whole {
		c.Whole, c.Cookie = true, p.Cookie
		c.dir(S2C).keys = NewKeyStream(p.Connect.SeedS2C)
		c.dir(C2S).keys = NewKeyStream(p.Connect.SeedC2S)
	}
	if p.Flags&ConnectResponse != 0 && c.Cookie == 0 {
		c.Cookie = p.Cookie
	}
	if p.Flags&RequestRetransmit != 0 {
		c.dir(C2S + S2C - dir).requested(p.Missing)
	}
	if p.Flags&TimeSync != 0 && dir == S2C {
		c.Clock.sync(d.At, p.GameTime)
	}
	if p.Flags&(Disconnect|NetErrorDisconnect) != 0 {
		c.gone = true
	}
}

// message hands on a whole message.
func (r *Reader) message(c *Connection, v *direction, m Message) {
	if len(m.Data) < 4 {
		v.counts.Short++
		return
	}
	v.counts.Messages++
	v.counts.MessageBytes += uint64(len(m.Data))
	if m.Queue == 0 || m.Queue >= 12 {
		v.counts.OddQueues++
	}
	if binary.LittleEndian.Uint32(m.Data)>>16 == 1 {
		c.otherGame++
	}
	if r.handler.Message != nil {
		r.told = m
		r.handler.Message(c, &r.told)
	}
}

// end closes a connection: what is not complete never will be.
func (r *Reader) end(c *Connection) {
	if c.Closed {
		return
	}
	c.Closed = true
	for i := range c.dirs {
		c.dirs[i].assembly.End(c.dirs[i].counts.Datagrams)
		c.dirs[i].keys, c.dirs[i].recent, c.dirs[i].assembly.whole = nil, nil, nil
	}
	if r.handler.Closed != nil {
		r.handler.Closed(c)
	}
}
