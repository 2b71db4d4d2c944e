package capture

import (
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

// Empty lines are skipped, those before the first object too, and so are a byte order mark
// and spaces around an object (22 §9.5); what else text may be is no capture.
func TestSpec22_9_5_WhatStandsBeforeTheFirstLine(t *testing.T) {
	line := `{"t": 1, "dir": "s2c", "data": "0102"}`
	for _, before := range []string{"", " ", "\t", "\n", "\r\n", "\n  ", "\xEF\xBB\xBF", "\xEF\xBB\xBF \r\n\t", strings.Repeat(" \n", 1000)} {
		all, c, err := read(strings.NewReader(before + line + "\n" + before + line))
		if strings.HasPrefix(before, bomMagic) { // it begins a file, and no line
			all, c, err = read(strings.NewReader(before + line + "\n" + line))
		}
		if err != nil || len(all) != 2 || c.Records != 2 || c.BadLines != 0 {
			t.Errorf("%.20q: %d datagrams, %+v, %v", before, len(all), c, err)
		}
		if _, _, err := read(strings.NewReader(before + "notes of a recording")); !errors.Is(err, ErrFormat) {
			t.Errorf("%.20q and a note: %v", before, err)
		}
	}
	for _, n := range []int{1, 100, 2 * MaxRecord} {
		if _, _, err := read(strings.NewReader(strings.Repeat("\n", n))); !errors.Is(err, ErrFormat) {
			t.Errorf("%d empty lines: %v", n, err)
		}
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
		"a section of 24 bytes":            {append(bytes.Clone(good), words(le, 0x0A0D0D0A, 24, byteOrderMagic, 1, 0, 24)...), ErrContainer, 3},
		"a first section of 16 bytes":      {append(words(le, 0x0A0D0D0A, 16, byteOrderMagic, 16), good...), ErrContainer, 0},
		"a block of 16 bytes, then of 20":  {append(bytes.Clone(good), words(le, 0xBAD, 16, 0, 20)...), ErrContainer, 3},
		"a packet of 32 bytes, then of 0":  {append(bytes.Clone(good), words(le, 6, 32, 0, 0, 0, 0, 0, 0)...), ErrContainer, 3},
		"empty":                            {nil, ErrFormat, 0},
		"blank":                            {[]byte("\n\r\r"), ErrFormat, 0},
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
