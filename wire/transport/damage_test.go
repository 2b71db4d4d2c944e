package transport

import (
	"encoding/json"
	"net/netip"
	"testing"
)

// A connect request whose plain checksum fails is refused (22 §4.4) and must not split a
// live connection (22 §12: one bad packet never spoils another).
func TestSpec22_4_4_BadConnectRequestOpensNothing(t *testing.T) {
	k := newTalker(t, "10.0.0.1:4000", 99)
	k.handshake()
	k.say(S2C, worldMessage(30, 1))
	k.plain(S2C, k.server, Packet{Header: Header{Flags: ConnectRequest}, Cookie: 12345})
	bad := k.out[len(k.out)-1].Data
	bad[8] ^= 0x55 // the checksum
	k.at += 31e9
	k.say(S2C, worldMessage(30, 2))
	r, heard := hear(k.out)
	if n := len(r.Connections()); n != 1 {
		t.Errorf("%d connections, want 1; heard %v", n, heard)
	}
	if c := r.Connections()[0].Counts(S2C); c.Verified < 4 || c.Unverifiable != 0 {
		t.Errorf("%+v", c)
	}
}

// A bit error in the middle of a message's packet of an unknown peer: a plain packet that
// fails is no connection's beginning either.
func TestSpec22_12_BadPlainOpensNothing(t *testing.T) {
	var out []Datagram
	for i := range 70 {
		k := newTalker(t, "10.0.0.1:4000", 99)
		k.server = netip.AddrPortFrom(server.Addr(), uint16(9000+2*i))
		k.plain(C2S, k.server, Packet{Header: Header{Flags: Acknowledge}, Acknowledged: 3})
		d := k.out[0]
		d.Dir, d.At = C2S, int64(i)*1e6
		d.Data[8] ^= 0x55
		out = append(out, d)
	}
	good := newTalker(t, "10.0.0.1:4000", 99)
	good.server = netip.MustParseAddrPort("10.0.0.2:8000")
	good.at = 1e9
	good.handshake()
	good.say(S2C, worldMessage(30, 2))
	r, heard := hear(append(out, good.out...))
	if len(heard) != 1 {
		t.Errorf("%d connections, heard %v: %+v", len(r.Connections()), heard, r.Counts())
	}
}

// What others hold open must not keep a connection from ever putting a message together:
// over a bound the oldest goes first, whoever it belongs to, and in any case after 60 s of
// capture time (22 §5.3).
func TestSpec22_5_3_PiecesOfOthersGo(t *testing.T) {
	heard := 0
	r := NewReader(Options{}, Handler{Message: func(*Connection, *Message) { heard++ }})
	give := func(k *talker) {
		for i := range k.out {
			r.Add(&k.out[i])
		}
		k.out = k.out[:0]
	}
	whole := make([]byte, MaxFragmentPayload)
	for i := range 40 {
		k := newTalker(t, netip.AddrPortFrom(netip.MustParseAddr("10.0.1.1"), uint16(4000+i)).String(), uint64(i)*10+5)
		k.handshake()
		messages, pieces := uint64(3), uint16(MaxCount-1) // of 1 MiB each, but for the last piece
		if i >= 18 {
			messages, pieces = MaxOpen, 1
		}
		for id := range messages {
			for n := range pieces {
				k.sequenced(S2C, Packet{}, Fragment{ID: id, Count: MaxCount, Index: n, Queue: 10, Payload: whole})
				k.at = 1e9
			}
			give(k)
		}
	}
	if r.open.bytes < MaxReaderBytes*9/10 || r.open.bytes > MaxReaderBytes {
		t.Errorf("%d bytes of pieces wait", r.open.bytes)
	}
	first, last := r.Connections()[0].Counts(S2C), r.Connections()[39].Counts(S2C)
	if first.Head+first.Middle == 0 || last.Head+last.Middle != 0 {
		t.Errorf("the first lost %d messages, the last %d; want some, and none", first.Head+first.Middle, last.Head+last.Middle)
	}
	for i, at := range []int64{2e9, 121e9} { // at once, and two minutes later
		k := newTalker(t, netip.AddrPortFrom(netip.MustParseAddr("10.0.0.1"), uint16(4000+i)).String(), uint64(99999+i))
		k.at = at
		k.handshake()
		for i := range byte(10) {
			k.say(S2C, worldMessage(3000, i))
		}
		give(k)
		if heard != 10 {
			t.Errorf("%d messages of 10 at %d s; %d bytes of pieces wait", heard, at/1e9, r.open.bytes)
		}
		heard = 0
	}
	r.Close()
	if r.open.bytes != 0 || r.open.oldest.Len() != 0 {
		t.Errorf("at the end %d bytes, %d messages", r.open.bytes, r.open.oldest.Len())
	}
}

// Whatever a server's clock says, the report can be written (22 §10, §12).
func TestSpec22_12_ClockStaysANumber(t *testing.T) {
	for _, game := range [][2]float64{{-1.7e308, 1.7e308}, {0, 1.7e308}} {
		var g GameClock
		g.sync(0, game[0])
		g.sync(1, game[1])
		if b, err := json.Marshal(g); err != nil {
			t.Errorf("%v: %s, %v", game, b, err)
		}
	}
}

// Back by more than 16,384 numbers is a jump (22 §12); by as many it is none.
func TestSpec22_12_BackByTheWindow(t *testing.T) {
	d := direction{}
	d.number(20_000, 1, 0)
	d.number(20_000-SeenWindow, 2, 0)
	if d.counts.Jumps != 0 {
		t.Errorf("%d jumps", d.counts.Jumps)
	}
}
