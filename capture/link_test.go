package capture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gait-engine/gait/wire/transport"
)

// Tags, PPPoE, loopback, cooked and raw frames; what is not IPv4 or UDP, or cut, is
// counted as such (22 §9.3).
func TestLinkLayers(t *testing.T) {
	want := datagrams(40)[9:10]
	eth := frames(t, want)[0]
	ip := eth[14:]
	join := func(b ...[]byte) []byte { return bytes.Join(b, nil) }
	options := join([]byte{0x46}, ip[1:20], []byte{1, 1, 1, 1}, ip[20:])
	binary.BigEndian.PutUint16(options[2:], uint16(len(options)))
	hook := bytes.Clone(eth) // total length, id, TTL, checksums 0
	for _, i := range []int{16, 17, 18, 19, 22, 24, 25, 40, 41} {
		hook[i] = 0
	}
	wrong := func(i int, v byte) []byte {
		b := bytes.Clone(eth)
		b[i] = v
		return b
	}
	v6 := join(eth[:12], []byte{0x86, 0xDD, 0x60}, make([]byte, 60))
	for _, c := range []struct {
		name  string
		link  uint32
		frame []byte
		count func(*Counts) uint64 // nil: it is read
	}{
		{"Ethernet", 1, eth, nil},
		{"padded", 1, join(eth, make([]byte, 30)), nil},
		{"a tag", 1, join(eth[:12], []byte{0x81, 0, 0, 5}, eth[12:]), nil},
		{"three tags", 1, join(eth[:12], []byte{0x88, 0xA8, 0, 5, 0x91, 0, 0, 5, 0x81, 0, 0, 5}, eth[12:]), nil},
		{"PPPoE", 1, join(eth[:12], []byte{0x88, 0x64, 0x11, 0, 0, 1, 0, 0, 0, 0x21}, ip), nil},
		{"a tag and PPPoE", 1, join(eth[:12], []byte{0x81, 0, 0, 5, 0x88, 0x64, 0x11, 0, 0, 1, 0, 0, 0, 0x21}, ip), nil},
		{"IP options", 1, join(eth[:14], options), nil},
		{"as the client's recorder writes", 1, hook, nil},
		{"BSD loopback", 0, join([]byte{2, 0, 0, 0}, ip), nil},
		{"loopback the other way round", 0, join([]byte{0, 0, 0, 2}, ip), nil},
		{"loopback in network order", 108, join([]byte{0, 0, 0, 2}, ip), nil},
		{"raw 12", 12, ip, nil}, {"raw 14", 14, ip, nil}, {"raw 101", 101, ip, nil}, {"raw 228", 228, ip, nil},
		{"cooked", 113, join(make([]byte, 14), []byte{8, 0}, ip), nil},
		{"cooked v2", 276, join([]byte{8, 0}, make([]byte, 18), ip), nil},

		{"ARP", 1, join(eth[:12], []byte{8, 6}, make([]byte, 46)), func(c *Counts) uint64 { return c.NotIPv4 }},
		{"IPv6", 1, v6, func(c *Counts) uint64 { return c.IPv6 }},
		{"IPv6 in a tag", 1, join(v6[:12], []byte{0x81, 0, 0, 5}, v6[12:]), func(c *Counts) uint64 { return c.IPv6 }},
		{"loopback IPv6", 0, join([]byte{30, 0, 0, 0}, make([]byte, 60)), func(c *Counts) uint64 { return c.IPv6 }},
		{"raw IPv6", 101, join([]byte{0x60}, make([]byte, 60)), func(c *Counts) uint64 { return c.IPv6 }},
		{"PPPoE discovery", 1, join(eth[:12], []byte{0x88, 0x64, 0x11, 0, 0, 1, 0, 0, 0xC0, 0x21}, ip), func(c *Counts) uint64 { return c.NotIPv4 }},
		{"TCP", 1, wrong(23, 6), func(c *Counts) uint64 { return c.NotUDP }},
		{"header length 4", 1, wrong(14, 0x44), func(c *Counts) uint64 { return c.Malformed }},
		{"header beyond the frame", 1, wrong(14, 0x4F)[:60], func(c *Counts) uint64 { return c.Malformed + c.Cut }},
		{"version 5", 1, wrong(14, 0x55), func(c *Counts) uint64 { return c.Malformed }},
		{"total length 19", 1, wrong(17, 19), func(c *Counts) uint64 { return c.Malformed }},
		{"UDP length 7", 1, wrong(39, 7), func(c *Counts) uint64 { return c.Malformed }},
		{"cut frame", 1, eth[:len(eth)-1], func(c *Counts) uint64 { return c.Cut }},
		{"no UDP header", 1, eth[:38], func(c *Counts) uint64 { return c.Cut }},
		{"13 bytes", 1, eth[:13], func(c *Counts) uint64 { return c.Malformed }},
		{"tags to the end", 1, join(eth[:12], bytes.Repeat([]byte{0x81, 0, 0, 5}, 40)), func(c *Counts) uint64 { return c.Malformed }},
		{"no frame", 113, nil, func(c *Counts) uint64 { return c.Malformed }},
	} {
		got, n, err := read(bytes.NewReader(rawPcap(binary.LittleEndian, false, c.link, [][]byte{c.frame})))
		if err != nil || n.Records != n.Datagrams+n.NotOurs() {
			t.Errorf("%s: %v, %+v", c.name, err, n)
			continue
		}
		if c.count == nil {
			w := want[0]
			w.At = 0
			same(t, c.name, got, []transport.Datagram{w})
		} else if len(got) != 0 || c.count(&n) != 1 {
			t.Errorf("%s: %d datagrams, %+v", c.name, len(got), n)
		}
	}
	for _, link := range []uint32{9, 105, 127} {
		if _, _, err := read(bytes.NewReader(rawPcap(binary.LittleEndian, false, link, [][]byte{eth}))); !errors.Is(err, ErrLink) || !strings.Contains(err.Error(), fmt.Sprint(link)) {
			t.Errorf("link %d: %v", link, err)
		}
	}
}

// IP fragments are put together in any order; overlapping ones are dropped (22 §9.3, §12).
func TestIPFragments(t *testing.T) {
	want := datagrams(480)[479:]
	eth := frames(t, want)[0]
	udp := eth[34:]
	piece := func(id byte, from, to int, more bool) []byte {
		b := bytes.Clone(eth[:34])
		binary.BigEndian.PutUint16(b[16:], uint16(20+to-from))
		b[19] = id
		binary.BigEndian.PutUint16(b[20:], uint16(from/8))
		if more {
			b[20] |= 0x20
		}
		return append(b, udp[from:to]...)
	}
	n := len(udp)
	pieces := [][]byte{piece(1, 200, 400, true), piece(1, 400, n, false), piece(2, 0, 200, true), piece(1, 0, 200, true)}
	got, c, err := read(bytes.NewReader(rawPcap(binary.LittleEndian, false, 1, pieces)))
	if err != nil || c.Pieces != 2 || c.Lost != 1 || c.Datagrams != 1 || c.Records != c.Datagrams+c.NotOurs() {
		t.Fatalf("%v, %+v", err, c)
	}
	w := want[0]
	w.At = 3e6
	same(t, "pieces", got, []transport.Datagram{w})
	for name, bad := range map[string][][]byte{
		"overlap":        {piece(1, 0, 208, true), piece(1, 200, n, false)},
		"the same twice": {piece(1, 0, 200, true), piece(1, 0, 200, true)},
		"two ends":       {piece(1, 200, n, false), piece(1, 400, n-1, false)},
		"beyond the end": {piece(1, 200, 400, false), piece(1, 400, n, true)},
		"empty":          {piece(1, 200, 200, true)},
	} {
		got, c, err := read(bytes.NewReader(rawPcap(binary.LittleEndian, false, 1, bad)))
		if err != nil || len(got) != 0 || c.Lost != uint64(len(bad)) {
			t.Errorf("%s: %v, %d datagrams, %+v", name, err, len(got), c)
		}
	}
	var flood [][]byte
	for i := range 1000 {
		p := piece(byte(i), 0, 200, true)
		p[18] = byte(i >> 8)
		flood = append(flood, p)
	}
	if _, c, _ := read(bytes.NewReader(rawPcap(binary.LittleEndian, false, 1, flood))); c.Lost != 1000 {
		t.Errorf("%+v", c)
	}
}
