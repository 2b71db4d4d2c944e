package capture

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"
	"github.com/klauspost/compress/zstd"

	"github.com/gait-engine/gait/wire/transport"
)

var (
	start  = time.Date(2017, 1, 29, 23, 59, 59, 123_456_000, time.UTC)
	client = netip.MustParseAddrPort("10.0.0.1:4000")
	server = netip.MustParseAddrPort("198.252.160.75:9003")
)

// datagrams are some of both directions, of all small sizes, a millisecond apart.
func datagrams(n int) (all []transport.Datagram) {
	for i := range n {
		d := transport.Datagram{At: int64(i) * 1e6, Src: client, Dst: server, Data: bytes.Repeat([]byte{byte(i)}, i%485)}
		if i%3 == 0 {
			d.Src, d.Dst = d.Dst, d.Src
		}
		all = append(all, d)
	}
	return all
}

// read reads a stream to its end.
func read(r io.Reader) (all []transport.Datagram, c Counts, err error) {
	p, err := NewReader(r)
	if err != nil {
		return nil, c, err
	}
	defer p.Close()
	for {
		var d transport.Datagram
		if err = p.Next(&d); err != nil {
			break
		}
		d.Data = bytes.Clone(d.Data)
		all = append(all, d)
	}
	if err == io.EOF {
		err = nil
	}
	return all, p.Counts(), err
}

func same(t *testing.T, name string, got, want []transport.Datagram) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d datagrams, want %d", name, len(got), len(want))
	}
	for i := range got {
		g, w := got[i], want[i]
		if g.At != w.At || g.Src != w.Src || g.Dst != w.Dst || g.Dir != w.Dir || !bytes.Equal(g.Data, w.Data) {
			t.Fatalf("%s: datagram %d is %+v, want %+v", name, i, g, w)
		}
	}
}

// pcapng writes datagrams by our writer.
func writePcapng(tb testing.TB, all []transport.Datagram) []byte {
	var b bytes.Buffer
	w, err := NewWriter(&b, start)
	if err != nil {
		tb.Fatal(err)
	}
	for i := range all {
		if err := w.Write(&all[i]); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// frames are what our writer puts around datagrams, by gopacket's reader.
func frames(tb testing.TB, all []transport.Datagram) (out [][]byte) {
	r, err := pcapgo.NewNgReader(bytes.NewReader(writePcapng(tb, all)), pcapgo.DefaultNgReaderOptions)
	if err != nil {
		tb.Fatal(err)
	}
	for i := range all {
		data, ci, err := r.ReadPacketData()
		if err != nil || !ci.Timestamp.Equal(start.Add(time.Duration(all[i].At))) {
			tb.Fatalf("%v at %v", err, ci.Timestamp)
		}
		out = append(out, data)
	}
	return out
}

// rawPcap writes frames as classic pcap.
func rawPcap(order binary.ByteOrder, nano bool, link uint32, frames [][]byte) []byte {
	magic, unit := uint32(microMagic), int64(1000)
	if nano {
		magic, unit = nanoMagic, 1
	}
	var b bytes.Buffer
	word := func(v uint32) { binary.Write(&b, order, v) }
	word(magic)
	word(2)
	for range 2 {
		word(0)
	}
	word(8234)
	word(link)
	for i, f := range frames {
		at := start.Add(time.Duration(i) * time.Millisecond)
		word(uint32(at.Unix()))
		word(uint32(int64(at.Nanosecond()) / unit))
		word(uint32(len(f)))
		word(uint32(len(f)) + 8000) // as the recorder in the client has it
		b.Write(f)
	}
	return b.Bytes()
}

// What is written is read back, by others too, and they find their way in it.
func TestWriter(t *testing.T) {
	want := datagrams(600)
	file := writePcapng(t, want)
	got, c, err := read(bytes.NewReader(file))
	if err != nil || c.Records != 600 || c.Datagrams != 600 || c.CutTail {
		t.Fatalf("%v, %+v", err, c)
	}
	same(t, "pcapng", got, want)
	for i, f := range frames(t, want) {
		p := gopacket.NewPacket(f, layers.LayerTypeEthernet, gopacket.Default)
		udp, ok := p.TransportLayer().(*layers.UDP)
		if p.ErrorLayer() != nil || !ok || !bytes.Equal(udp.Payload, want[i].Data) || uint16(udp.SrcPort) != want[i].Src.Port() {
			t.Fatalf("frame %d: %v", i, p)
		}
		ip := p.NetworkLayer().(*layers.IPv4)
		if sum := internetSum(f[ethernetHeader:][:ipHeader]); sum != 0 || ip.SrcIP.String() != want[i].Src.Addr().String() {
			t.Fatalf("frame %d: IPv4 %+v, sum %04x", i, ip, sum)
		}
	}
	w, _ := NewWriter(io.Discard, start)
	if w.Write(&transport.Datagram{Src: netip.MustParseAddrPort("[::1]:1"), Dst: client}) == nil {
		t.Error("IPv6 was written")
	}
}

// The same datagrams through each container are the same (22 §9.1, §9.2, §9.6, §12).
func TestContainers(t *testing.T) {
	want := datagrams(600)
	all := frames(t, want)
	packed := func(b []byte) []byte {
		var z bytes.Buffer
		w := gzip.NewWriter(&z)
		w.Write(b)
		w.Close()
		return z.Bytes()
	}
	var gopcap bytes.Buffer
	w := pcapgo.NewWriter(&gopcap)
	w.WriteFileHeader(65536, layers.LinkTypeEthernet)
	for i, f := range all {
		w.WritePacket(gopacket.CaptureInfo{Timestamp: start.Add(time.Duration(want[i].At)), CaptureLength: len(f), Length: len(f)}, f)
	}
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	ng := writePcapng(t, want)
	for name, file := range map[string][]byte{
		"pcap":            rawPcap(binary.LittleEndian, false, 1, all),
		"pcap nano":       rawPcap(binary.LittleEndian, true, 1, all),
		"pcap big-endian": rawPcap(binary.BigEndian, false, 1, all),
		"pcap nano big":   rawPcap(binary.BigEndian, true, 1, all),
		"pcap FCS bits":   rawPcap(binary.LittleEndian, false, 0xF0000001, all),
		"gopacket's pcap": gopcap.Bytes(),
		"pcapng.gz":       packed(ng),
		"pcap.gz":         packed(gopcap.Bytes()),
		"pcapng.zst":      enc.EncodeAll(ng, nil),
	} {
		p, err := NewReader(bytes.NewReader(file))
		if err != nil {
			t.Fatal(name, err)
		}
		var d transport.Datagram
		if at, ok := p.Start(); ok {
			t.Errorf("%s starts at %v, unread", name, at)
		}
		if p.Next(&d); !strings.HasPrefix(name, p.Format()) && !strings.Contains(name, "gopacket") {
			t.Errorf("%s is %s", name, p.Format())
		}
		if at, ok := p.Start(); !ok || !at.Equal(start) {
			t.Errorf("%s starts at %v", name, at)
		}
		got, c, err := read(bytes.NewReader(file))
		if err != nil || c.Backwards+c.NotOurs() != 0 {
			t.Fatalf("%s: %v, %+v", name, err, c)
		}
		same(t, name, got, want)
	}
}

// jsonLine is a line as relays write it.
func jsonLine(d *transport.Datagram, dir string, pair int) string {
	return fmt.Sprintf(`{"t": %.6f, "dir": %q, "pair": %d, "len": %d, "data": "%x"}`, float64(d.At)/1e9, dir, pair, len(d.Data), d.Data)
}

// One datagram a line, keys in any order; bad lines are counted and skipped, others
// refuse the file with their number (22 §9.5).
func TestJSONLines(t *testing.T) {
	b := "\xEF\xBB\xBF" + `{"t": 0.5, "dir": "s2c", "pair": 0, "len": 2, "data": "00fF"}` + "\r\n\n" +
		`{"x": {"y": [1]}, "hex": "0102", "dir": "c2s", "t": 1.25}` + "\n"
	bad := []string{
		`{"t": 1, "dir": "s2c", "data": "012"}`, `{"t": 1, "dir": "s2c", "data": "0g"}`, `{"t": 1, "dir": "s2c", "len": 3, "data": "0102"}`,
		`{"t": -1, "dir": "s2c", "data": "01"}`, `{"t": 1e300, "dir": "s2c", "data": "01"}`, `{"dir": "s2c", "data": "01"}`,
		`{"t": 1, "dir": "up", "data": "01"}`, `{"t": 1, "dir": "c2s", "pair": 2, "data": "01"}`, `{"t": 1, "dir": "c2s"}`, `{"t": "1", "dir": "c2s", "data": "01"}`,
	}
	got, c, err := read(strings.NewReader(b + strings.Join(bad, "\n") + "\n" + `{"t": 2, "dir": "s2c", "data": "03"}`))
	if err != nil || c.BadLines != uint64(len(bad)) || c.Records != uint64(len(bad)+3) {
		t.Fatalf("%v, %+v", err, c)
	}
	relay, game := netip.MustParseAddrPort("127.0.0.1:12345"), netip.MustParseAddr("127.0.0.2")
	same(t, "lines", got, []transport.Datagram{
		{At: 5e8, Src: netip.AddrPortFrom(game, 9000), Dst: relay, Dir: transport.S2C, Data: []byte{0, 0xFF}},
		{At: 125e7, Src: relay, Dst: netip.AddrPortFrom(game, 9000), Dir: transport.C2S, Data: []byte{1, 2}},
		{At: 2e9, Src: netip.AddrPortFrom(game, 9000), Dst: relay, Dir: transport.S2C, Data: []byte{3}},
	})
	for _, line := range []string{"[1]\n", "x\n", `{"t": }` + "\n", `{"t": 1, "data": "` + strings.Repeat("0", MaxRecord) + `"}` + "\n"} {
		if _, _, err := read(strings.NewReader(b + line)); !errors.Is(err, ErrContainer) || !strings.Contains(err.Error(), "line 4") {
			t.Errorf("%.20s: %v", line, err)
		}
	}
	if _, c, err := read(strings.NewReader(b + `{"t": 1, "da`)); err != nil || !c.CutTail {
		t.Errorf("cut: %v, %+v", err, c)
	}
}

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

// block is a pcapng block.
func block(order binary.ByteOrder, kind uint32, body ...byte) []byte {
	for len(body)%4 != 0 {
		body = append(body, 0)
	}
	b := make([]byte, 8, 12+len(body))
	order.PutUint32(b, kind)
	order.PutUint32(b[4:], uint32(12+len(body)))
	b = append(b, body...)
	return append(b, b[4:8]...)
}

func words(order binary.ByteOrder, w ...uint32) (b []byte) {
	for _, v := range w {
		b = binary.LittleEndian.AppendUint32(b, 0)
		order.PutUint32(b[len(b)-4:], v)
	}
	return b
}

func section(order binary.ByteOrder) []byte {
	return block(order, 0x0A0D0D0A, append(words(order, byteOrderMagic, 1), bytes.Repeat([]byte{0xFF}, 8)...)...)
}

func describeInterface(order binary.ByteOrder, link uint16, options ...byte) []byte {
	b := make([]byte, 8)
	order.PutUint16(b, link)
	return block(order, 1, append(b, options...)...)
}

func option(order binary.ByteOrder, code uint16, v ...byte) []byte {
	b := make([]byte, 4)
	order.PutUint16(b, code)
	order.PutUint16(b[2:], uint16(len(v)))
	for len(v)%4 != 0 {
		v = append(v, 0)
	}
	return append(b, v...)
}

func enhanced(order binary.ByteOrder, number uint32, time uint64, frame []byte) []byte {
	return block(order, 6, append(words(order, number, uint32(time>>32), uint32(time), uint32(len(frame)), uint32(len(frame))), frame...)...)
}

// Blocks of all kinds, in either byte order, of interfaces with clocks of their own
// (22 §9.2, §12).
func TestPcapngBlocks(t *testing.T) {
	want := datagrams(10)[9:10]
	eth := frames(t, want)[0]
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		offset := make([]byte, 8)
		order.PutUint64(offset, 1000)
		old := block(order, 2, append(words(order, 0, 0, 5_000_000, uint32(len(eth)), uint32(len(eth))), eth...)...)
		file := bytes.Join([][]byte{
			section(order),
			block(order, 0xBAD, 1, 2, 3),                              // passed over
			enhanced(order, 0, 0, eth),                                // of no interface
			describeInterface(order, 1),                               // 0: µs
			describeInterface(order, 1, option(order, 9, 3)...),       // 1: ms
			describeInterface(order, 1, option(order, 9, 0x80|10)...), // 2: 1/1024 s
			describeInterface(order, 1, append(option(order, 14, offset...), option(order, 9, 9)...)...), // 3: ns, 1000 s on
			describeInterface(order, 1, option(order, 9, 64)...),                                         // 4: nobody's
			describeInterface(order, 1, option(order, 9, 12)...),                                         // 5: ps
			describeInterface(order, 147),                                                                // 6: a link that is not read
			describeInterface(order, 1, option(order, 9, 0)...),                                          // 7: s
			enhanced(order, 0, 1_000_000, eth),
			enhanced(order, 1, 2_000, eth),
			enhanced(order, 2, 3*1024+512, eth),
			enhanced(order, 5, 4e12, eth),
			old,
			block(order, 3, append(words(order, uint32(len(eth))), eth...)...), // no time
			enhanced(order, 4, 0, eth),
			enhanced(order, 6, 0, eth),
			enhanced(order, 8, 0, eth),
			enhanced(order, 7, 1<<63, eth),
			block(order, 6, words(order, 0, 0, 0, 500, 500)...), // shorter than it says
			block(order, 6, 1, 2, 3),
			enhanced(order, 3, 2e9, eth),
			section(order), // interfaces begin anew
			enhanced(order, 0, 0, eth),
			describeInterface(order, 1),
			enhanced(order, 0, 1003_000_000, eth),
		}, nil)
		got, c, err := read(bytes.NewReader(file))
		if err != nil || c.BadBlocks != 6 || c.BadTimes != 1 || c.Link != 1 || c.Untimed != 1 || c.Records != c.Datagrams+c.NotOurs() {
			t.Fatalf("%v: %v, %+v", order, err, c)
		}
		var all []transport.Datagram
		for _, at := range []int64{0, 1e9, 2.5e9, 3e9, 4e9, 4e9, 1001e9, 1002e9} {
			w := want[0]
			w.At = at
			all = append(all, w)
		}
		same(t, order.String(), got, all)
	}
}

// What breaks its container ends the file there, and what came before stands (22 §12).
func TestBrokenContainers(t *testing.T) {
	le := binary.LittleEndian
	all := frames(t, datagrams(3))
	good := writePcapng(t, datagrams(3))
	classic := rawPcap(le, false, 1, all)
	long := append(bytes.Clone(classic), words(le, 0, 0, MaxRecord+1, 0)...)
	for name, c := range map[string]struct {
		file []byte
		want error
		n    int
	}{
		"pcap record of more than 256 KiB": {long, ErrContainer, 3},
		"pcap header cut":                  {classic[:20], ErrContainer, 0},
		"block of 11 bytes":                {append(bytes.Clone(good), words(le, 6, 11, 0, 0)...), ErrContainer, 3},
		"block of 17 bytes":                {append(bytes.Clone(good), words(le, 6, 17, 0, 0, 0)...), ErrContainer, 3},
		"block of 16 MiB and more":         {append(bytes.Clone(good), words(le, 6, MaxBlock+4, 0, 0)...), ErrContainer, 3},
		"a section of no byte order":       {append(bytes.Clone(good), words(le, 0x0A0D0D0A, 28, 5, 0, 0, 0, 28)...), ErrContainer, 3},
		"empty":                            {nil, ErrFormat, 0},
		"something else":                   {[]byte("#!/bin/sh\n"), ErrFormat, 0},
		"7z":                               {[]byte("7z\xBC\xAF\x27\x1C and more of it"), ErrUnpack, 0},
		"rar":                              {[]byte("Rar!\x1A\x07\x01\x00 and more of it"), ErrUnpack, 0},
		"gzip of nothing":                  {[]byte("\x1F\x8B and no more"), ErrArchive, 0},
		"zip in a stream":                  {[]byte("PK\x03\x04 and more of it......"), ErrArchive, 0},
		"zstd of nothing":                  {[]byte("\x28\xB5\x2F\xFD and no more of it"), ErrArchive, 0},
	} {
		got, _, err := read(bytes.NewReader(c.file))
		if !errors.Is(err, c.want) || len(got) != c.n {
			t.Errorf("%s: %d datagrams, %v; want %d, %v", name, len(got), err, c.n, c.want)
		}
	}
}

// A recorder that is started again within a second writes a second header into the
// file (22 §9.4); any number of them does no harm.
func TestSecondHeader(t *testing.T) {
	all := frames(t, datagrams(5))
	one := rawPcap(binary.LittleEndian, false, 1, all)
	file := append(append(bytes.Clone(one), one...), bytes.Repeat(one[:pcapHeader], 100_000)...)
	got, c, err := read(bytes.NewReader(file))
	if err != nil || len(got) != 10 || c.Headers != 100_001 || c.Backwards != 4 {
		t.Errorf("%d datagrams, %v, %+v", len(got), err, c)
	}
}

// A record earlier than the one before takes its time; more than a second of it is
// remarked on (22 §10).
func TestBackwards(t *testing.T) {
	want := datagrams(4)
	for i, at := range []int64{0, 5e9, 4.5e9, 2e9} {
		want[i].At = at
	}
	got, c, err := read(bytes.NewReader(writePcapng(t, want)))
	if err != nil || c.Backwards != 2 || !c.BackwardsFar || got[2].At != 5e9 || got[3].At != 5e9 {
		t.Errorf("%v, %+v", err, c)
	}
}

// A capture that is cut anywhere gives the datagrams before the cut, and says that
// it is cut (22 §12).
func TestCutAtEveryByte(t *testing.T) {
	want := datagrams(12)
	lines := ""
	for i := range want {
		lines += jsonLine(&want[i], "c2s", 0) + "\n"
	}
	// where a file may end and not be cut
	pcapEnds, ngEnds := map[int]bool{pcapHeader: true}, map[int]bool{}
	at := pcapHeader
	for _, f := range frames(t, want) {
		at += recordHeader + len(f)
		pcapEnds[at] = true
	}
	ng := writePcapng(t, want)
	for at = 0; at < len(ng); {
		at += int(binary.LittleEndian.Uint32(ng[at+4:]))
		ngEnds[at] = true
	}
	for _, c := range []struct {
		name string
		file []byte
		ends map[int]bool
	}{
		{"pcap", rawPcap(binary.BigEndian, true, 1, frames(t, want)), pcapEnds}, {"pcapng", ng, ngEnds}, {"lines", []byte(lines), nil},
	} {
		all, _, _ := read(bytes.NewReader(c.file))
		before := 0
		for n := 4; n <= len(c.file); n++ { // fewer bytes tell nothing apart
			got, counts, err := read(bytes.NewReader(c.file[:n]))
			if len(got) < before || err != nil && len(got) > 0 {
				t.Fatalf("%s, %d bytes: %d datagrams, %v", c.name, n, len(got), err)
			}
			if c.ends != nil && err == nil && counts.CutTail == c.ends[n] {
				t.Fatalf("%s, %d bytes: cut %v", c.name, n, counts.CutTail)
			}
			before = len(got)
			same(t, c.name, got, all[:len(got)])
		}
		same(t, c.name, all, func() (w []transport.Datagram) {
			for _, d := range want {
				if c.name == "lines" {
					d.Src, d.Dst = relayed(transport.C2S, 0)
					d.Dir = transport.C2S
				}
				if c.name != "lines" || len(d.Data) > 0 {
					w = append(w, d)
				}
			}
			return w
		}())
	}
}

// zipOf packs named files.
func zipOf(tb testing.TB, files map[string][]byte, order ...string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range order {
		f, err := w.Create(name)
		if err != nil {
			tb.Fatal(err)
		}
		f.Write(files[name])
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// Archives give every capture in them, at any of four depths; other files are passed
// over, and names are never paths (22 §9.6, §12).
func TestArchives(t *testing.T) {
	want := datagrams(20)
	ng, classic := writePcapng(t, want), rawPcap(binary.LittleEndian, false, 1, frames(t, want))
	deep := zipOf(t, map[string][]byte{"four.pcap": classic}, "four.pcap")
	for range MaxDepth - 1 {
		deep = zipOf(t, map[string][]byte{"in.zip": deep}, "in.zip")
	}
	tooDeep := zipOf(t, map[string][]byte{"in.zip": deep}, "in.zip")
	file := zipOf(t, map[string][]byte{
		"a/": nil, "../../a/pkt.pcap": classic, "a/pkt_desc.txt": []byte("a note"), "b.pcapng": ng,
		"c.7z": []byte(sevenZip + "........."), "in.zip": zipOf(t, map[string][]byte{"x.pcap": classic}, "x.pcap"),
	}, "a/", "../../a/pkt.pcap", "a/pkt_desc.txt", "b.pcapng", "c.7z", "in.zip")
	dir := t.TempDir()
	put := func(name string, b []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	parts, others, err := List(put("all.zip", file))
	if err != nil || len(parts) != 4 || others != 1 {
		t.Fatalf("%v, %d others, %+v", err, others, parts)
	}
	for i, p := range parts {
		if i == 2 {
			if !errors.Is(p.Err, ErrUnpack) {
				t.Errorf("%+v", p)
			}
			if _, err := p.Open(); !errors.Is(err, ErrUnpack) {
				t.Error(err)
			}
			continue
		}
		r, err := p.Open()
		if err != nil || !p.Start.Equal(start) || p.Size == 0 {
			t.Fatalf("%+v: %v", p, err)
		}
		var d transport.Datagram
		n := 0
		for r.Next(&d) == nil {
			n++
		}
		if err := r.Close(); err != nil || n != len(want) {
			t.Errorf("%s: %d datagrams, %v", p.Name, n, err)
		}
	}
	if parts, _, err := List(put("deep.zip", deep)); err != nil || len(parts) != 1 || parts[0].Err != nil {
		t.Errorf("%v, %+v", err, parts)
	}
	if parts, _, err := List(put("deeper.zip", tooDeep)); err != nil || len(parts) != 1 || !errors.Is(parts[0].Err, ErrArchive) {
		t.Errorf("%v, %+v", err, parts)
	}
	if parts, _, err := List(put("plain", ng)); err != nil || len(parts) != 1 || parts[0].Format != "pcapng" || parts[0].Size != int64(len(ng)) {
		t.Errorf("%v, %+v", err, parts)
	}
	if parts, _, err := List(put("text", []byte("hello"))); err != nil || len(parts) != 1 || !errors.Is(parts[0].Err, ErrFormat) {
		t.Errorf("%v, %+v", err, parts)
	}
	if _, _, err := List(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if _, _, err := List(put("broken.zip", file[:len(file)-30])); !errors.Is(err, ErrArchive) {
		t.Error(err)
	}
}

// Not everything that is small stays small: what grows beyond measure is refused (22 §12).
func TestExpansion(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	fill := func(w io.Writer) {
		w.Write(rawPcap(binary.LittleEndian, false, 1, frames(t, datagrams(2))))
		empty := append(words(binary.LittleEndian, 0, 0, 65536, 65536), make([]byte, 65536)...)
		for range 3 * freeExpansion / len(empty) {
			w.Write(empty)
		}
	}
	var packed, zipped, zstded bytes.Buffer
	g, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	fill(g)
	g.Close()
	z := zip.NewWriter(&zipped)
	member, _ := z.Create("a.pcap")
	fill(member)
	z.Close()
	s, _ := zstd.NewWriter(&zstded)
	fill(s)
	s.Close()
	for name, b := range map[string][]byte{"gzip": packed.Bytes(), "zstd": zstded.Bytes()} {
		if got, _, err := read(bytes.NewReader(b)); !errors.Is(err, ErrArchive) || len(got) != 2 {
			t.Errorf("%s: %d datagrams, %v", name, len(got), err)
		}
	}
	path := filepath.Join(t.TempDir(), "a.zip")
	if err := os.WriteFile(path, zipped.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	parts, _, err := List(path)
	if err != nil || len(parts) != 1 {
		t.Fatal(parts, err)
	}
	r, err := parts[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	n := 0
	var d transport.Datagram
	for err = r.Next(&d); err == nil; err = r.Next(&d) {
		n++
	}
	if !errors.Is(err, ErrArchive) || n != 2 {
		t.Errorf("zip: %d datagrams, %v", n, err)
	}
}

// What the reader finds in recorded datagrams is there in the file too.
func TestRecordedLines(t *testing.T) {
	dir := os.Getenv("GAIT_SHARED")
	if dir == "" {
		dir = "../../../shared"
	}
	b, err := os.ReadFile(filepath.Join(dir, "vectors", "datagrams.jsonl"))
	if err != nil {
		t.Skip("recorded datagrams are not here:", err)
	}
	got, c, err := read(bytes.NewReader(b))
	if err != nil || len(got) < 15 || c.BadLines != 1 { // one line is of fragments
		t.Fatalf("%d datagrams, %v, %+v", len(got), err, c)
	}
	for i := range got {
		var p transport.Packet
		if err := transport.Parse(got[i].Data, &p); err != nil {
			t.Errorf("datagram %d: %v", i, err)
		}
	}
}

// Both writers and readers agree on what gopacket reads.
func TestAsGopacketReads(t *testing.T) {
	want := datagrams(50)
	file := writePcapng(t, want)
	r, err := NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	p := r.source.(*pcapng)
	other, err := pcapgo.NewNgReader(bytes.NewReader(file), pcapgo.DefaultNgReaderOptions)
	if err != nil {
		t.Fatal(err)
	}
	for range want {
		var rec record
		var c Counts
		if _, err := p.next(&rec, &c); err != nil {
			t.Fatal(err)
		}
		data, ci, err := other.ReadPacketData()
		if err != nil || !bytes.Equal(data, rec.frame) || ci.Timestamp.UnixNano() != rec.at || !reflect.DeepEqual(other.LinkType(), layers.LinkType(rec.link)) {
			t.Fatalf("%v at %v; %v at %d", hex.EncodeToString(data), ci.Timestamp, err, rec.at)
		}
	}
}
