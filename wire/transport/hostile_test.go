package transport

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"net/netip"
	"runtime"
	"testing"
)

// must writes a packet for a test.
func must(tb testing.TB, p Packet, key uint32, parts ...Fragment) []byte {
	tb.Helper()
	b, err := p.Append(nil, key, parts...)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// raw is a datagram with these flags and this payload, its size right.
func raw(flags Flags, payload ...byte) []byte {
	b := make([]byte, HeaderSize, HeaderSize+len(payload))
	binary.LittleEndian.PutUint32(b[4:], uint32(flags))
	binary.LittleEndian.PutUint16(b[16:], uint16(len(payload)))
	return append(b, payload...)
}

func words(w ...uint32) (b []byte) {
	for _, v := range w {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return b
}

// fragmentBytes is a fragment whose size field says size.
func fragmentBytes(count, size, index, queue uint16, payload int) []byte {
	b := binary.LittleEndian.AppendUint64(nil, 1)
	for _, v := range []uint16{count, size, index, queue} {
		b = binary.LittleEndian.AppendUint16(b, v)
	}
	return append(b, make([]byte, payload)...)
}

// Each refusal of a datagram has its own kind, and names section and offset (22 §12).
func TestRefusals(t *testing.T) {
	wrongSize := func(by int) []byte {
		b := raw(Acknowledge, words(1)...)
		b[16] += byte(by)
		return b
	}
	join := func(b ...[]byte) []byte { return bytes.Join(b, nil) }
	for _, c := range []struct {
		name   string
		b      []byte
		kind   Kind
		flag   Flags
		offset int
	}{
		{"nothing", nil, ErrShortHeader, 0, 0},
		{"19 bytes", make([]byte, 19), ErrShortHeader, 0, 19},
		{"size too large", wrongSize(1), ErrSize, 0, 16},
		{"size too small", wrongSize(-1), ErrSize, 0, 16},
		{"undefined flag in the middle", raw(0x00800000), ErrFlags, 0x00800000, 4},
		{"undefined flag on top", raw(0x10000000), ErrFlags, 0x10000000, 4},
		{"acknowledge cut", raw(Acknowledge, 1, 2, 3), ErrSection, Acknowledge, 20},
		{"flow cut", raw(Acknowledge|Flow, 1, 2, 3, 4, 5, 6, 7, 8, 9), ErrSection, Flow, 24},
		{"request with a count that wraps", raw(RequestRetransmit, words(0x40000000)...), ErrSection, RequestRetransmit, 20},
		{"request one short", raw(RequestRetransmit, words(3, 1, 2)...), ErrSection, RequestRetransmit, 20},
		{"reject without count", raw(RejectRetransmit, 1, 2), ErrSection, RejectRetransmit, 20},
		{"login without string", raw(LoginRequest, 1), ErrSection, LoginRequest, 20},
		{"login string too long", raw(LoginRequest, 0xFE, 0xFF, 0, 0), ErrSection, LoginRequest, 20},
		{"login long string cut", raw(LoginRequest, 0xFF, 0xFF, 0, 0), ErrSection, LoginRequest, 20},
		{"login long string of 4 GiB", raw(LoginRequest, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0), ErrSection, LoginRequest, 20},
		{"login authentication too long", raw(LoginRequest, join([]byte{0, 0, 0, 0}, words(1))...), ErrSection, LoginRequest, 20},
		{"login authentication of 4 GiB", raw(LoginRequest, join([]byte{0, 0, 0, 0}, words(math.MaxUint32))...), ErrSection, LoginRequest, 20},
		{"left over", raw(Acknowledge, words(1, 2)...), ErrLeftOver, 0, 24},
		{"no fragment", raw(HasFragments), ErrFragment, HasFragments, 20},
		{"a byte of a fragment", raw(HasFragments, 1), ErrFragment, HasFragments, 20},
		{"fragment header only", raw(HasFragments, fragmentBytes(1, 16, 0, 0, 0)...), ErrFragment, HasFragments, 20},
		{"fragment size 15", raw(HasFragments, fragmentBytes(1, 15, 0, 0, 8)...), ErrFragment, HasFragments, 20},
		{"fragment size 465", raw(HasFragments, fragmentBytes(1, 465, 0, 0, 449)...), ErrFragment, HasFragments, 20},
		{"fragment beyond the rest", raw(HasFragments, fragmentBytes(1, 25, 0, 0, 8)...), ErrFragment, HasFragments, 20},
		{"16 bytes after a fragment", raw(HasFragments, join(fragmentBytes(1, 20, 0, 0, 4), make([]byte, 16))...), ErrFragment, HasFragments, 40},
	} {
		var p Packet
		err := Parse(c.b, &p)
		var e *Error
		if !errors.As(err, &e) || !errors.Is(err, c.kind) || e.Flag != c.flag || e.Offset != c.offset || e.Error() == "" {
			t.Errorf("%s: %v, want %v at %d (%v)", c.name, err, c.kind, c.offset, c.flag)
		}
	}
}

// What a client would refuse and nothing of ours depends on is taken and counted (22 §12).
func TestTaken(t *testing.T) {
	many := make([]uint32, MaxRequested+1)
	piece := Fragment{ID: 1, Count: 1, Payload: words(5)}
	for _, c := range []struct {
		name  string
		b     []byte
		count func(*Counts) uint64
	}{
		{"116 numbers asked for", must(t, Packet{Header: Header{Flags: RequestRetransmit}, Missing: NumbersOf(many...)}, 0), func(c *Counts) uint64 { return c.LongRequests }},
		{"an alone section with company", must(t, Packet{Header: Header{Flags: KeepAlive | Acknowledge}}, 0), func(c *Counts) uint64 { return c.Company }},
		{"two alone sections", must(t, Packet{Header: Header{Flags: NetError | KeepAlive}}, 0), func(c *Counts) uint64 { return c.Company }},
		{"encrypted with number 0", must(t, Packet{Header: Header{Flags: Encrypted | HasFragments}}, 1, piece), func(c *Counts) uint64 { return c.OddlyEncrypted }},
		{"an encrypted acknowledge", must(t, Packet{Header: Header{Flags: Encrypted | Acknowledge, Sequence: 9}}, 1), func(c *Counts) uint64 { return c.OddlyEncrypted }},
		{"plain fragments", must(t, Packet{Header: Header{Flags: HasFragments, Sequence: 9}}, 0, piece), func(c *Counts) uint64 { return c.OddlyEncrypted }},
		{"ignored flags", must(t, Packet{Header: Header{Flags: 0xF8 | Acknowledge}}, 0), func(c *Counts) uint64 { return c.ByFlag[3] }},
		{"a time that is no number", must(t, Packet{Header: Header{Flags: TimeSync | Encrypted, Sequence: 9}, GameTime: math.NaN()}, 1), func(c *Counts) uint64 { return c.ByFlag[24] }},
		{"queue 12", must(t, Packet{Header: Header{Flags: HasFragments}}, 0, Fragment{ID: 1, Count: 1, Queue: 12, Payload: words(5)}), func(c *Counts) uint64 { return c.OddQueues }},
		{"a message of 3 bytes", must(t, Packet{Header: Header{Flags: HasFragments}}, 0, Fragment{ID: 1, Count: 1, Payload: []byte{1, 2, 3}}), func(c *Counts) uint64 { return c.Short }},
	} {
		r := NewReader(Options{}, Handler{})
		c1, c2 := talk(r, 0, S2C, c.b), r.Connections()
		if len(c2) != 1 || c.count(&c1) != 1 || c1.RefusedAll() != 0 {
			t.Errorf("%s: %+v", c.name, c1)
		}
		if c2[0].Clock.Syncs != 0 {
			t.Errorf("%s: is a time", c.name)
		}
	}
}

var client, server = netip.MustParseAddrPort("10.0.0.1:4000"), netip.MustParseAddrPort("10.0.0.2:9000")

// talk has r read a datagram of a known direction between client and server, and
// returns the tallies of that direction.
func talk(r *Reader, at int64, dir Dir, b []byte) Counts {
	d := Datagram{At: at, Src: client, Dst: server, Dir: dir, Data: b}
	if dir == S2C {
		d.Src, d.Dst = server, client
	}
	r.Add(&d)
	if len(r.Connections()) == 0 {
		return Counts{}
	}
	return r.Connections()[len(r.Connections())-1].Counts(dir)
}

// Whatever bytes come, in any number of flows, memory stays bounded and every
// datagram is in exactly one count (22 §11.7, §12).
func TestGarbageStaysBounded(t *testing.T) {
	datagrams := 400_000
	if testing.Short() {
		datagrams = 40_000
	}
	rng := rand.New(rand.NewPCG(1, 2))
	r := NewReader(Options{}, Handler{})
	b := make([]byte, 512)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range datagrams {
		n := rng.IntN(len(b))
		for k := 0; k+8 <= n; k += 8 {
			binary.LittleEndian.PutUint64(b[k:], rng.Uint64())
		}
		d := Datagram{At: int64(i) * 1e6, Data: b[:n]}
		if i%2 == 0 && n >= HeaderSize { // half of them with a header that holds
			binary.LittleEndian.PutUint32(b[4:], rng.Uint32()&uint32(Encrypted|HasFragments|Acknowledge|ConnectRequest|LoginRequest))
			binary.LittleEndian.PutUint16(b[16:], uint16(n-HeaderSize))
			if n >= HeaderSize+FragmentHeaderSize {
				binary.LittleEndian.PutUint16(b[HeaderSize+10:], uint16(n-HeaderSize))
			}
			binary.LittleEndian.PutUint32(b, uint32(rng.IntN(1<<rng.IntN(32))))
		}
		d.Src = netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, byte(rng.Uint32()), byte(rng.Uint32())}), uint16(rng.IntN(1<<16)))
		d.Dst = netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 1, 0, byte(rng.IntN(4))}), 9000+uint16(rng.IntN(2)))
		if i%3 == 0 {
			d.Src = netip.AddrPortFrom(d.Src.Addr(), 4000)
			d.Dir = Dir(1 + rng.IntN(2))
		}
		r.Add(&d)
	}
	r.Close()
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 256<<20 {
		t.Errorf("%d MiB are held", grown>>20)
	}
	c := r.Counts()
	sum := c.ForeignDatagrams + c.Knocks + c.TooManyConnections
	for _, n := range c.Refused {
		sum += n
	}
	for _, k := range r.Connections() {
		for _, dir := range []Dir{C2S, S2C} {
			n := k.Counts(dir)
			sum += n.Datagrams
			if taken := n.Verified + n.Failed + n.Unverifiable; taken+n.RefusedAll() != n.Datagrams {
				t.Fatalf("connection %d %v: %+v", k.ID, dir, n)
			}
		}
	}
	if sum != c.Datagrams || c.Datagrams != uint64(datagrams) {
		t.Errorf("%d of %d datagrams are in a count: %+v", sum, c.Datagrams, c)
	}
	if len(r.Connections()) > MaxConnections {
		t.Errorf("%d connections", len(r.Connections()))
	}
	runtime.KeepAlive(r)
}

// Connect requests with ever other seeds are ever other connections, up to a bound
// of one client's and one of all (22 §12).
func TestConnectionsAreBounded(t *testing.T) {
	connect := func(cookie uint64) []byte {
		return must(t, Packet{Header: Header{Flags: ConnectRequest}, Cookie: cookie, Connect: Connect{SeedS2C: uint32(cookie)}}, 0)
	}
	r := NewReader(Options{}, Handler{})
	for i := range uint64(MaxConnectionsClient + 6) {
		talk(r, int64(i), S2C, connect(i+1))
	}
	if n := r.Counts().TooManyConnections; len(r.Connections()) != MaxConnectionsClient || n != 6 {
		t.Errorf("%d connections of one client, %d refused", len(r.Connections()), n)
	}
	r = NewReader(Options{}, Handler{})
	for i := range MaxConnections + 6 {
		from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 1, byte(i >> 8), byte(i)}), 4000)
		r.Add(&Datagram{At: int64(i), Src: server, Dst: from, Dir: S2C, Data: connect(1)})
	}
	if n := r.Counts().TooManyConnections; len(r.Connections()) != MaxConnections || n != 6 {
		t.Errorf("%d connections of all clients, %d refused", len(r.Connections()), n)
	}
	r.Close()
}

// What gives no sign of who serves is held back, so long and no longer; then the
// port decides, or it is not ours (22 §7.1, §9.4).
func TestHeldBack(t *testing.T) {
	ack := must(t, Packet{Header: Header{Flags: Acknowledge, Sequence: 1}}, 0)
	odd := netip.MustParseAddrPort("10.0.0.2:33000")
	for _, c := range []struct {
		to             netip.AddrPort
		n              int
		taken, foreign uint64
	}{
		{server, MaxHeld - 1, MaxHeld - 1, 0}, // at the end the port decides
		{server, MaxHeld + 5, MaxHeld + 5, 0},
		{odd, MaxHeld - 1, 0, MaxHeld - 1},
		{odd, MaxHeld + 5, 0, MaxHeld + 5},
	} {
		r := NewReader(Options{}, Handler{})
		for i := range c.n {
			r.Add(&Datagram{At: int64(i), Src: client, Dst: c.to, Data: ack})
			if len(r.Connections()) > 0 != (c.taken > 0 && i >= MaxHeld-1) {
				t.Fatalf("to %v: decided after %d", c.to, i+1)
			}
		}
		r.Close()
		taken := uint64(0)
		for _, k := range r.Connections() {
			taken += k.Counts(C2S).Datagrams
		}
		if n := r.Counts(); taken != c.taken || n.ForeignDatagrams != c.foreign || r.held != 0 {
			t.Errorf("%d to %v: %d taken, %+v", c.n, c.to, taken, n)
		}
	}
	// many flows, all held back: their bytes have a bound
	r := NewReader(Options{}, Handler{})
	big := must(t, Packet{Header: Header{Flags: RejectRetransmit}, Rejected: make(Numbers, 60_000)}, 0)
	for i := range 1000 {
		from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 1, byte(i >> 8), byte(i)}), 4000)
		r.Add(&Datagram{At: int64(i), Src: from, Dst: odd, Data: big})
		if r.held > MaxHeldBytes+len(big) {
			t.Fatalf("%d bytes are held", r.held)
		}
	}
}
