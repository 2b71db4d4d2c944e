package transport

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing"
)

// talker makes the datagrams of one client's conversation, with its endpoints and times.
type talker struct {
	tb             testing.TB
	client, server netip.AddrPort // lower port
	cookie         uint64
	c2s, s2c       *Sender
	at             int64
	out            []Datagram
}

func newTalker(tb testing.TB, client string, cookie uint64) *talker {
	k := &talker{tb: tb, client: netip.MustParseAddrPort(client), server: server, cookie: cookie}
	k.c2s, k.s2c = NewSender(C2S, uint32(cookie)+1), NewSender(S2C, uint32(cookie)+2)
	k.s2c.Recipient = 11
	return k
}

func (k *talker) upper() netip.AddrPort {
	return netip.AddrPortFrom(k.server.Addr(), k.server.Port()+1)
}

func (k *talker) emit(dir Dir, server netip.AddrPort, b []byte) {
	k.at += 1e7
	d := Datagram{At: k.at, Src: k.client, Dst: server, Data: bytes.Clone(b)}
	if dir == S2C {
		d.Src, d.Dst = d.Dst, d.Src
	}
	k.out = append(k.out, d)
}

func (k *talker) plain(dir Dir, server netip.AddrPort, p Packet) {
	s := k.c2s
	if dir == S2C {
		s = k.s2c
	}
	b, err := s.Plain(nil, p)
	if err != nil {
		k.tb.Fatal(err)
	}
	k.emit(dir, server, b)
}

func (k *talker) login() { k.plain(C2S, k.server, Packet{Header: Header{Flags: LoginRequest}}) }

func (k *talker) handshake() {
	k.login()
	k.login()
	connect := Packet{Header: Header{Flags: ConnectRequest}, Cookie: k.cookie}
	connect.Connect = Connect{SeedC2S: uint32(k.cookie) + 1, SeedS2C: uint32(k.cookie) + 2}
	k.plain(S2C, k.server, connect)
	k.plain(C2S, k.upper(), Packet{Header: Header{Flags: ConnectResponse}, Cookie: k.cookie})
	k.sequenced(S2C, Packet{Header: Header{Flags: TimeSync}, GameTime: 1000})
	k.sequenced(C2S, Packet{Header: Header{Flags: Flow}})
}

func (k *talker) sequenced(dir Dir, p Packet, parts ...Fragment) {
	s, port := k.c2s, k.server
	if dir == S2C {
		s, port = k.s2c, k.upper()
	}
	b, err := s.Send(nil, p, parts...)
	if err != nil {
		k.tb.Fatal(err)
	}
	k.emit(dir, port, b)
}

func (k *talker) say(dir Dir, messages ...[]byte) {
	s, port := k.c2s, k.server
	queue := uint16(3)
	if dir == S2C {
		s, port, queue = k.s2c, k.upper(), 10
	} else {
		for i, m := range messages {
			messages[i] = append(words(0xF7B1), m[4:]...)
		}
	}
	if err := s.Messages(queue, messages, func(b []byte) { k.emit(dir, port, b) }); err != nil {
		k.tb.Fatal(err)
	}
}

// worldMessage is a message of a server's that is n bytes long.
func worldMessage(n int, of byte) []byte {
	m := make([]byte, max(n, 4))
	for i := range m {
		m[i] = of
	}
	copy(m, words(0xF748))
	return m
}

// hear has a reader read datagrams and returns it with the messages it found.
func hear(datagrams []Datagram) (*Reader, []string) {
	var heard []string
	r := NewReader(Options{}, Handler{Message: func(c *Connection, m *Message) {
		heard = append(heard, fmt.Sprintf("%d %v %d", c.ID, m.Dir, m.Data[len(m.Data)-1]))
	}})
	for i := range datagrams {
		r.Add(&datagrams[i])
	}
	r.Close()
	return r, heard
}

func wantConnections(t *testing.T, r *Reader, n int) []*Connection {
	t.Helper()
	if len(r.Connections()) != n {
		t.Fatalf("%d connections, want %d; %+v", len(r.Connections()), n, r.Counts())
	}
	return r.Connections()
}

// A conversation from its handshake on: everything verifies, and the messages come
// out as they went in (22 §2 to §7).
func TestConversation(t *testing.T) {
	k := newTalker(t, "10.0.0.1:4000", 99)
	k.handshake()
	var want []string
	for i := range byte(50) {
		k.say(S2C, worldMessage(30, i), worldMessage(3000, i+100), worldMessage(60, i+200))
		k.say(C2S, worldMessage(20, i))
		want = append(want, fmt.Sprintf("1 s2c %d", i), fmt.Sprintf("1 s2c %d", i+100), fmt.Sprintf("1 s2c %d", i+200), fmt.Sprintf("1 c2s %d", i))
	}
	k.plain(C2S, k.server, Packet{Header: Header{Flags: Acknowledge}, Acknowledged: 3})
	k.plain(C2S, k.upper(), Packet{Header: Header{Flags: KeepAlive}})
	k.plain(C2S, k.server, Packet{Header: Header{Flags: Disconnect}})
	r, heard := hear(k.out)
	c := wantConnections(t, r, 1)[0]
	if !slices.Equal(heard, want) {
		t.Errorf("heard %d messages, %.200v; want %d, %.200v", len(heard), heard, len(want), want)
	}
	for _, dir := range []Dir{C2S, S2C} {
		n := c.Counts(dir)
		if n.Verified != n.Datagrams || n.Missing+n.Duplicates+n.Head+n.Middle+n.Tail != 0 {
			t.Errorf("%v: %+v", dir, n)
		}
	}
	if !c.Whole || c.Server != server || c.Client != k.client || r.Counts().Knocks != 2 {
		t.Errorf("%+v, %+v", c, r.Counts())
	}
}

// A capture that begins after the handshake is a partial connection: all of its
// content is read, its encrypted checksums are not verifiable (22 §4.4, §7.3).
// Wherever it is cut, what is there is never misread.
func TestCutAnywhere(t *testing.T) {
	k := newTalker(t, "10.0.0.1:4000", 99)
	k.handshake()
	for i := range byte(40) {
		k.say(S2C, worldMessage(40, i))
		k.say(C2S, worldMessage(20, i))
	}
	_, all := hear(k.out)
	for from := range len(k.out) - 4 {
		for _, to := range []int{len(k.out), (from+len(k.out))/2 + 2} {
			r, heard := hear(k.out[from:to])
			for _, c := range wantConnections(t, r, 1) {
				for _, dir := range []Dir{C2S, S2C} {
					if n := c.Counts(dir); n.Failed+n.RefusedAll()+n.Missing != 0 || !c.Whole && from < 2 {
						t.Fatalf("from %d to %d, %v: %+v", from, to, dir, n)
					}
				}
			}
			if n := len(heard); n > len(all) || n > 0 && !slices.Contains(all, heard[0]) || n == 0 && to-from > 10 {
				t.Fatalf("from %d to %d: heard %d", from, to, n)
			}
			for _, dir := range []string{"s2c", "c2s"} { // in order each; what was held back of one may come after the other
				of := func(all []string) []string {
					return slices.DeleteFunc(slices.Clone(all), func(h string) bool { return !strings.Contains(h, dir) })
				}
				if mine, whole := of(heard), of(all); to == len(k.out) && !slices.Equal(mine, whole[len(whole)-len(mine):]) {
					t.Fatalf("from %d: other messages", from)
				}
			}
		}
	}
}

// Loss, second copies and another order: each message once, in order of arrival,
// and the tallies say what happened (22 §6).
func TestLossAndOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	k := newTalker(t, "10.0.0.1:4000", 5)
	k.handshake()
	first := len(k.out)
	for i := range byte(200) {
		k.say(S2C, worldMessage(40, i))
	}
	data := k.out[first:]
	resend := func(i int) Datagram {
		d := data[i]
		b, ok := k.s2c.Resend(nil, uint32(3+i))
		if !ok {
			t.Fatalf("number %d cannot be sent again", 3+i)
		}
		d.Data = b
		return d
	}
	again, late, lost := resend(50), resend(60), 70
	var out []Datagram
	out = append(out, k.out[:first]...)
	for i, d := range data {
		switch i {
		case 60, lost:
		default:
			out = append(out, d)
		}
	}
	out = slices.Insert(out, first+100, again, late, late)
	shuffled := slices.Clone(out)
	rng.Shuffle(80, func(i, j int) {
		shuffled[first+10+i], shuffled[first+10+j] = shuffled[first+10+j], shuffled[first+10+i]
	})
	for name, datagrams := range map[string][]Datagram{"in order": out, "shuffled": shuffled} {
		r, heard := hear(datagrams)
		n := wantConnections(t, r, 1)[0].Counts(S2C)
		if len(heard) != 199 || n.Missing != 1 || n.Duplicates != 2 || n.Failed != 0 || n.ByFlag[0] != 3 {
			t.Errorf("%s: %d messages, %+v", name, len(heard), n)
		}
		slices.Sort(heard)
		if len(slices.Compact(heard)) != 199 {
			t.Errorf("%s: messages came twice", name)
		}
	}
}

// A plain packet that takes a number of its own, as one server's reject does,
// draws no key: later ones still verify (22 §4.3).
func TestKeyOffset(t *testing.T) {
	k := newTalker(t, "10.0.0.1:4000", 5)
	k.handshake()
	for i := range byte(20) {
		k.say(S2C, worldMessage(20, i))
	}
	old := k.s2c.number
	k.plain(S2C, k.upper(), Packet{Header: Header{Flags: RejectRetransmit}, Rejected: NumbersOf(1)})
	shifted := newTalker(t, "10.0.0.1:4000", 5)
	shifted.at = k.at
	shifted.s2c.number = old
	for range 20 {
		n := shifted.s2c.number + 1
		key, _ := shifted.s2c.keys.Key(uint64(n - firstNumber))
		p := Packet{Header: Header{Sequence: n + 1, Flags: Encrypted | TimeSync}}
		b, err := p.Append(nil, key)
		if err != nil {
			t.Fatal(err)
		}
		shifted.emit(S2C, k.upper(), b)
		shifted.s2c.number++
	}
	r, _ := hear(append(k.out, shifted.out...))
	if n := wantConnections(t, r, 1)[0].Counts(S2C); n.Failed+n.Unverifiable != 0 || n.Missing != 1 {
		t.Errorf("%+v", n)
	}
}

// Encrypted packets that fail are kept, and refused in strict mode; sixteen in a
// row end the checking (22 §4.3, §4.4). Plain ones are refused.
func TestFailedChecksums(t *testing.T) {
	for _, strict := range []bool{false, true} {
		k := newTalker(t, "10.0.0.1:4000", 5)
		k.handshake()
		for i := range byte(maxMisses + 4) {
			k.say(S2C, worldMessage(20, i))
			k.out[len(k.out)-1].Data[50] ^= 1 // a byte of content
		}
		k.plain(S2C, k.upper(), Packet{Header: Header{Flags: Acknowledge}})
		k.out[len(k.out)-1].Data[20] ^= 1
		b, _ := k.s2c.Resend(nil, 3) // the first of them again, whole
		k.emit(S2C, k.upper(), b)
		heard := 0
		r := NewReader(Options{Strict: strict}, Handler{Message: func(*Connection, *Message) { heard++ }})
		for i := range k.out {
			r.Add(&k.out[i])
		}
		r.Close()
		n := wantConnections(t, r, 1)[0].Counts(S2C)
		want, refused, unverifiable := maxMisses+4, uint64(1), uint64(4)
		if strict { // the copy is not the second, and taken
			want, refused, unverifiable = 5, 1+maxMisses, 5
		}
		if failed := n.Failed; strict && failed != maxMisses || !strict && failed != maxMisses+1 {
			t.Errorf("strict %v: %d failed", strict, failed)
		}
		if heard != want || n.Unverifiable != unverifiable || n.Refused[ErrChecksum] != refused || !n.CheckingStopped {
			t.Errorf("strict %v: heard %d, %+v", strict, heard, n)
		}
	}
}

// Two clients behind one address, and on two servers of one host, are connections
// of their own; another's login requests open nothing (22 §7.3).
func TestSeveralClients(t *testing.T) {
	a, b, c := newTalker(t, "10.0.0.1:4000", 5), newTalker(t, "10.0.0.1:4001", 6), newTalker(t, "10.0.0.1:4000", 7)
	c.server = netip.MustParseAddrPort("10.0.0.2:9002")
	var all []Datagram
	for i, k := range []*talker{a, b, c} {
		k.handshake()
		for range 30 {
			k.say(S2C, worldMessage(30, byte(i+1)))
			k.say(C2S, worldMessage(30, byte(i+1)))
		}
		for range 16 {
			k.login() // somebody knocks with the same endpoints
		}
		all = append(all, k.out...)
	}
	slices.SortStableFunc(all, func(x, y Datagram) int { return int(x.At - y.At) })
	r, heard := hear(all)
	for _, k := range wantConnections(t, r, 3) {
		if n := k.Counts(C2S); n.Failed+n.Unverifiable+n.Missing != 0 {
			t.Errorf("%v: %+v", k.Client, n)
		}
	}
	per := map[string]int{}
	for _, h := range heard {
		per[h]++
	}
	if len(per) != 6 {
		t.Errorf("messages went astray: %v", per)
	}
	for h, n := range per {
		if n != 30 {
			t.Errorf("%q: %d", h, n)
		}
	}
}

// A connect request with another cookie is a new connection on the same key; the
// old one goes on beside it, each packet with the nearer numbers (22 §7.3).
func TestReconnect(t *testing.T) {
	a, b := newTalker(t, "10.0.0.1:4000", 5), newTalker(t, "10.0.0.1:4000", 6)
	a.handshake()
	for range 200 {
		a.say(S2C, worldMessage(30, 1))
	}
	b.at = a.at
	b.handshake()
	b.plain(S2C, b.server, Packet{Header: Header{Flags: ConnectRequest}, Cookie: 6}) // a repeat
	for range 20 {
		a.at = max(a.at, b.at)
		a.say(S2C, worldMessage(30, 1))
		b.at = max(a.at, b.at)
		b.say(S2C, worldMessage(30, 2))
	}
	all := append(a.out, b.out...)
	slices.SortStableFunc(all, func(x, y Datagram) int { return int(x.At - y.At) })
	r, heard := hear(all)
	for i, c := range wantConnections(t, r, 2) {
		n := c.Counts(S2C)
		want := 220
		if i == 1 {
			want = 20
		}
		mine := fmt.Sprintf("%d s2c %d", i+1, i+1)
		count := len(slices.DeleteFunc(slices.Clone(heard), func(h string) bool { return h != mine }))
		if n.Failed+n.Unverifiable+n.Missing != 0 || count != want {
			t.Errorf("connection %d: heard %d of %d, %+v", i+1, count, want, n)
		}
	}
}

// A silence of more than 140 s ends a connection, unless its numbers continue (22 §10).
func TestSilence(t *testing.T) {
	k := newTalker(t, "10.0.0.1:4000", 5)
	k.handshake()
	k.say(S2C, worldMessage(30, 1))
	k.at += 200e9
	k.say(S2C, worldMessage(30, 2))
	k.at += 200e9
	other := newTalker(t, "10.0.0.1:4000", 6)
	other.at = k.at
	other.s2c.number = 70_000
	for i := range byte(5) {
		other.say(S2C, worldMessage(30, i))
	}
	r, _ := hear(append(k.out, other.out...))
	c := wantConnections(t, r, 2)
	if c[0].Pauses != 1 || c[0].Counts(S2C).Messages != 2 || c[1].Whole || c[1].Counts(S2C).Messages != 5 {
		t.Errorf("%+v\n%+v", c[0].Counts(S2C), c[1].Counts(S2C))
	}
}

// Connections end when nothing can come of them any more, and are told of then and
// not at the end: nothing is held for those that are over.
func TestEnds(t *testing.T) {
	var ended []int
	r := NewReader(Options{}, Handler{Closed: func(c *Connection) { ended = append(ended, c.ID) }})
	at := int64(0)
	for i := range 3 {
		k := newTalker(t, fmt.Sprintf("10.0.0.1:%d", 4000+i), uint64(i))
		k.at = at
		k.handshake()
		if i == 1 {
			k.plain(C2S, k.server, Packet{Header: Header{Flags: Disconnect}})
		}
		for j := range k.out {
			r.Add(&k.out[j])
		}
		at = k.at + 100e9
	}
	if !slices.Equal(ended, []int{2}) {
		t.Errorf("after 200 s ended %v", ended)
	}
	late := newTalker(t, "10.0.0.1:4009", 9)
	late.at = at + maxPause
	late.handshake()
	for j := range late.out {
		r.Add(&late.out[j])
	}
	if !slices.Equal(ended, []int{2, 1, 3}) {
		t.Errorf("after 1100 s ended %v", ended)
	}
	r.Close()
	if !slices.Equal(ended, []int{2, 1, 3, 4}) {
		t.Errorf("in the end ended %v", ended)
	}
}

// One server sends from its lower port, too (22 §7.1); the sides are found, whole or cut.
func TestServerOfOnePort(t *testing.T) {
	k := newTalker(t, "10.0.0.1:4000", 5)
	k.handshake()
	for range 20 {
		k.say(S2C, worldMessage(30, 1))
		k.say(C2S, worldMessage(30, 1))
	}
	for i := range k.out {
		if d := &k.out[i]; d.Src == k.upper() {
			d.Src = k.server
		}
	}
	for _, from := range []int{0, 6, 7} {
		r, heard := hear(k.out[from:])
		c := wantConnections(t, r, 1)[0]
		if n := 40 - max(from-6, 0); len(heard) != n || c.Whole != (from == 0) {
			t.Errorf("from %d: heard %d, %+v", from, len(heard), c)
		}
	}
}

// Captures in parts: a file goes on with a connection when its numbers do (22 §9.4).
func TestParts(t *testing.T) {
	for _, continues := range []bool{true, false} {
		k := newTalker(t, "127.0.0.1:12345", 5)
		k.handshake()
		for range 10 {
			k.say(S2C, worldMessage(30, 1))
		}
		n := len(k.out)
		k.at += 60e9
		if !continues {
			k.s2c.number += 2 * continueAhead
		}
		for range 10 {
			k.say(S2C, worldMessage(30, 2))
		}
		r := NewReader(Options{}, Handler{})
		for i := range k.out {
			if i == n {
				r.NextFile()
			}
			r.Add(&k.out[i])
		}
		r.Close()
		if continues {
			if c := wantConnections(t, r, 1)[0]; c.Counts(S2C).Verified != uint64(1+1+10+10) {
				t.Errorf("%+v", c.Counts(S2C))
			}
			continue
		}
		if c := wantConnections(t, r, 2)[1]; c.Whole || c.Counts(S2C).Messages != 10 {
			t.Errorf("%+v", c.Counts(S2C))
		}
	}
}

// A conversation that two files have from its beginning is two connections, and both
// are whole: the numbers of the second do not go on where the first one's end (22 §9.4).
func TestTwoRecordingsOfOne(t *testing.T) {
	k := newTalker(t, "10.0.0.1:4000", 5)
	k.handshake()
	for range 200 {
		k.say(S2C, worldMessage(30, 1))
	}
	r := NewReader(Options{}, Handler{})
	for range 2 {
		for i := range k.out {
			r.Add(&k.out[i])
		}
		r.NextFile()
	}
	r.Close()
	for _, c := range wantConnections(t, r, 2) {
		if n := c.Counts(S2C); !c.Whole || n.Messages != 200 || n.Duplicates != 0 || n.Unverifiable != 0 {
			t.Errorf("whole %v: %+v", c.Whole, n)
		}
	}
}

// Numbers that jump far end the checking, and nothing is missing in between (22 §12).
func TestJumps(t *testing.T) {
	k := newTalker(t, "10.0.0.1:4000", 5)
	k.handshake()
	k.say(S2C, worldMessage(30, 1))
	k.s2c.number += MaxJump + 10
	k.say(S2C, worldMessage(30, 2))
	old := newTalker(t, "10.0.0.1:4000", 5)
	old.at, old.s2c.number = k.at, 3
	old.say(S2C, worldMessage(30, 3)) // one from long ago
	k.at = old.at
	n0 := len(k.out)
	k.say(S2C, worldMessage(30, 4))
	out := slices.Concat(k.out[:n0], old.out, k.out[n0:])
	old.out, old.at = nil, k.at
	old.say(S2C, worldMessage(30, 5)) // and now it goes on there
	old.say(S2C, worldMessage(30, 6))
	old.s2c.number++
	old.say(S2C, worldMessage(30, 7))
	r, heard := hear(append(out, old.out...))
	n := wantConnections(t, r, 1)[0].Counts(S2C)
	if len(heard) != 7 || n.Missing != 1 || n.Jumps != 4 || !n.CheckingStopped || n.Failed != 0 {
		t.Errorf("%d messages, %+v", len(heard), n)
	}
}

// What speaks another protocol is not ours, whatever its port (22 §9.4).
func TestForeignFlows(t *testing.T) {
	var all []Datagram
	for i := range 20 {
		all = append(all, Datagram{At: int64(i), Src: client, Dst: server, Data: make([]byte, 60)})
		all = append(all, Datagram{At: int64(i), Src: netip.MustParseAddrPort("[::1]:1"), Dst: netip.MustParseAddrPort("[::1]:2"), Data: make([]byte, 20)})
	}
	r, _ := hear(all)
	wantConnections(t, r, 0)
	if n := r.Counts(); n.ForeignDatagrams != 40 || n.ForeignFlows != 1 {
		t.Errorf("%+v", n)
	}
}

// Asheron's Call 2 uses the same transport; its messages begin otherwise (22 §7.3).
func TestOtherGame(t *testing.T) {
	k := newTalker(t, "10.0.0.1:4000", 5)
	k.handshake()
	for range 9 {
		k.say(S2C, words(0x00010042, 1, 2))
	}
	k.say(S2C, worldMessage(30, 1))
	r, _ := hear(k.out)
	if !wantConnections(t, r, 1)[0].OtherGame() {
		t.Error("not noticed")
	}
}

// Reading allocates nothing once warm.
func TestReadingAllocatesNothing(t *testing.T) {
	k := newTalker(t, "10.0.0.1:4000", 5)
	k.handshake()
	for range 2000 {
		k.say(S2C, worldMessage(60, 1), worldMessage(60, 1))
	}
	r := NewReader(Options{}, Handler{Message: func(*Connection, *Message) {}})
	i := 0
	for ; i < 1000; i++ {
		r.Add(&k.out[i])
	}
	if n := testing.AllocsPerRun(200, func() { r.Add(&k.out[i]); i++ }); n > 0 {
		t.Errorf("%v allocations a datagram", n)
	}
}

// The speed of parsing, verifying and putting together, in MB/s.
func BenchmarkReader(b *testing.B) {
	k := newTalker(b, "10.0.0.1:4000", 5)
	k.handshake()
	for range 2000 {
		k.say(S2C, worldMessage(60, 1), worldMessage(60, 2), worldMessage(40, 3))
		k.say(C2S, worldMessage(60, 1))
	}
	n := 0
	for _, d := range k.out {
		n += len(d.Data)
	}
	b.SetBytes(int64(n))
	b.ReportAllocs()
	for b.Loop() {
		r := NewReader(Options{}, Handler{Message: func(*Connection, *Message) {}})
		for i := range k.out {
			r.Add(&k.out[i])
		}
		r.Close()
	}
	b.ReportMetric(float64(len(k.out)), "datagrams/op")
}
