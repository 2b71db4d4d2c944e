package replay

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"

	"github.com/gait-engine/gait/capture"
	"github.com/gait-engine/gait/wire/transport"
)

func put(tb testing.TB, name string, b []byte) string {
	path := filepath.Join(tb.TempDir(), name)
	if err := os.WriteFile(path, b, 0o600); err != nil {
		tb.Fatal(err)
	}
	return path
}

func options(tb testing.TB) Options {
	return Options{ViewOptions: ViewOptions{Tables: tables(tb), TicksPerSecond: hz}}
}

func mustRun(tb testing.TB, o Options, paths ...string) *Report {
	tb.Helper()
	r, err := Run(paths, o)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

func mustRunWith(tb testing.TB, r *runner, paths ...string) *Report {
	tb.Helper()
	report, err := r.run(paths)
	if err != nil {
		tb.Fatal(err)
	}
	return report
}

// balance checks that every record, datagram and message is in exactly one count (22 §11.7).
func balance(tb testing.TB, r *Report) {
	tb.Helper()
	read := uint64(0)
	for _, f := range r.Files {
		if f.Counts.Records != f.Counts.Datagrams+f.Counts.NotOurs() {
			tb.Errorf("%s: %+v", f.Name, f.Counts)
		}
		read += f.Counts.Datagrams
	}
	o := &r.Outside
	sum := o.ForeignDatagrams + o.Knocks + o.TooManyConnections
	for _, n := range o.Refused {
		sum += n
	}
	for _, c := range r.Connections {
		sum += c.S2C.Datagrams + c.C2S.Datagrams
		for _, d := range []*Direction{&c.S2C, &c.C2S} {
			if d.Verified+d.Failed+d.Unverifiable+d.RefusedAll() != d.Datagrams {
				tb.Errorf("connection %d: %+v", c.ID, d)
			}
		}
		if !c.Played {
			continue
		}
		messages, positions := c.Others, uint64(0)
		for _, l := range c.Census {
			messages += l.Count
		}
		for _, n := range c.Errors.Positions {
			positions += n
		}
		outcomes, parked := uint64(0), uint64(0)
		for _, v := range c.Verdicts {
			parked += v.Parked
			outcomes += v.Applied + v.Parked + v.Stale + v.Ignored + v.Refused
		}
		if s := c.Seen; parked != s.Replayed+s.Expired+s.Dropped+s.Waiting {
			tb.Errorf("connection %d: %d parked, %+v", c.ID, parked, s)
		}
		if messages != c.S2C.Messages+c.C2S.Messages || outcomes+c.Seen.Leftover != c.Seen.Given+c.Seen.Replayed || c.Errors.Positions["measured"] != c.Errors.Distance.Count {
			tb.Errorf("connection %d: %d messages in the census, %d positions, %d outcomes: %+v", c.ID, messages, positions, outcomes, c.Seen)
		}
	}
	if sum != read || read != o.Datagrams {
		tb.Errorf("%d datagrams were read, %d are in a count: %+v", read, sum, o)
	}
}

// text is a report as it is printed.
func text(tb testing.TB, r *Report) string {
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		tb.Fatal(err)
	}
	return b.String()
}

// A recorded run with loss and another order, replayed: every client's remotes are
// in the same state as they were live, at every tick; and the report accounts for all.
func TestAsItWasLive(t *testing.T) {
	seconds := 60
	if testing.Short() {
		seconds = 12
	}
	r := record(t, seconds, 40, 2, 1)
	compared := map[int]int{}
	o := options(t)
	o.AfterTick = func(c *transport.Connection, v *View) {
		p := r.players[c.ID-1]
		if n := int(v.Tick()); n <= len(p.hashes) {
			if h := v.Engine().Hash(); h != p.hashes[n-1] {
				t.Fatalf("connection %d, tick %d: hash %016x, live it was %016x", c.ID, n, h, p.hashes[n-1])
			}
			compared[c.ID]++
		}
	}
	o.Strict = true
	report := mustRun(t, o, put(t, "all.pcapng", pcapng(t, r.datagrams, began)))
	if len(report.Connections) != 2 || compared[1] != len(r.players[0].hashes) || compared[2] != len(r.players[1].hashes) || compared[1] < seconds*hz {
		t.Fatalf("%d connections, ticks compared %v", len(report.Connections), compared)
	}
	for i, c := range report.Connections {
		s := &c.S2C
		if !c.Whole || s.Failed+s.Unverifiable+s.RefusedAll() != 0 || s.Duplicates == 0 || c.Seen.Created != 41 ||
			c.Own != fmt.Sprintf("0x%08X", r.players[i].own) || c.Seen.Stays != 1 || c.Seen.Replayed == 0 && c.Seen.BeforeMessages > 0 {
			t.Errorf("connection %d: %+v\n%+v", c.ID, c.S2C, c.Seen)
		}
		if c.C2S.Messages != uint64(seconds) || s.Datagrams != s.Verified {
			t.Errorf("connection %d: %+v", c.ID, c.C2S)
		}
		e := c.Errors
		if e.Distance.Count < uint64(seconds*10) || e.ByMotion["running"].Count == 0 || e.ByMotion["walking"].Count == 0 ||
			e.ByMotion["standing"].Count == 0 || e.ByMotion["turning"].Count == 0 || e.ByKind["others"].Count == 0 || e.ByKind["players"].Count == 0 || len(e.Worst) != MaxWorst {
			t.Errorf("connection %d: %+v", c.ID, e)
		}
		if e.Distance.Median > 1 || e.Distance.Median >= e.Moved.Median {
			t.Errorf("connection %d: median error %v, of who predicts nothing %v", c.ID, e.Distance.Median, e.Moved.Median)
		}
	}
	balance(t, report)
	a, b := report.Connections[0].Errors, report.Connections[1].Errors
	if all := report.Errors; all.Distance.Count != a.Distance.Count+b.Distance.Count || all.Distance.Largest != max(a.Distance.Largest, b.Distance.Largest) {
		t.Errorf("all: %+v", all.Distance)
	}
	if all := text(t, report); !strings.Contains(all, "all connections") || strings.Contains(all, "10.0.0") {
		t.Errorf("it names no connection, or an address:\n%s", all)
	}
}

// More connections than are played at a time are read all the same, and said not to be
// played; the others' figures are what they are without them.
func TestNotPlayed(t *testing.T) {
	r := record(t, 3, 5, 2, 8)
	path := put(t, "two.pcapng", pcapng(t, r.datagrams, began))
	both := mustRun(t, options(t), path)
	o := options(t)
	o.MaxViews = 1
	one := mustRun(t, o, path)
	if both.Unplayed != 0 || one.Unplayed != 1 || !one.Connections[0].Played || one.Connections[1].Played || !one.Connections[1].Unplayed {
		t.Fatalf("%d and %d are not played: %+v", both.Unplayed, one.Unplayed, one.Connections)
	}
	if !reflect.DeepEqual(one.Errors.Distance, both.Connections[0].Errors.Distance) ||
		one.Connections[0].Hash != both.Connections[0].Hash || one.Connections[1].S2C.Messages != both.Connections[1].S2C.Messages {
		t.Errorf("%+v", one)
	}
	if !strings.Contains(text(t, one), "not played: as many as are at a time were being played") {
		t.Error("the report does not say so")
	}
	balance(t, one)
}

// wrapped writes the frames of a pcapng as classic pcap, each changed, with noise between.
func wrapped(tb testing.TB, file []byte, change func(f []byte) []byte, noise ...[]byte) []byte {
	in, err := pcapgo.NewNgReader(bytes.NewReader(file), pcapgo.DefaultNgReaderOptions)
	if err != nil {
		tb.Fatal(err)
	}
	var b bytes.Buffer
	w := pcapgo.NewWriterNanos(&b)
	w.WriteFileHeader(65536, layers.LinkTypeEthernet)
	for {
		f, ci, err := in.ReadPacketData()
		if err == io.EOF {
			return b.Bytes()
		}
		if err != nil {
			tb.Fatal(err)
		}
		for _, f := range append([][]byte{change(f)}, noise...) {
			if err := w.WritePacket(gopacket.CaptureInfo{Timestamp: ci.Timestamp, CaptureLength: len(f), Length: len(f)}, f); err != nil {
				tb.Fatal(err)
			}
		}
	}
}

// Whatever the container, whatever else is on the line, and in one file or in
// several, the same datagrams come to the same state and the same errors.
func TestSameWhateverItComesIn(t *testing.T) {
	r := record(t, 10, 20, 2, 2)
	file := pcapng(t, r.datagrams, began)
	vlan := func(f []byte) []byte {
		return bytes.Join([][]byte{f[:12], {0x81, 0, 0, 5}, f[12:]}, nil)
	}
	v6 := append(append(bytes.Repeat([]byte{2}, 12), 0x86, 0xDD, 0x60), make([]byte, 80)...)
	arp := append(append(bytes.Repeat([]byte{2}, 12), 0x08, 0x06), make([]byte, 46)...)
	half := len(r.datagrams) / 2
	late := r.datagrams[half].At
	rest := make([]transport.Datagram, 0, half+1)
	for _, d := range r.datagrams[half:] {
		d.At -= late
		rest = append(rest, d)
	}
	dir := t.TempDir()
	write := func(name string, b []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	whole := mustRun(t, options(t), write("whole", file))
	for name, paths := range map[string][]string{
		"VLAN and IPv6": {write("vlan", wrapped(t, file, vlan, v6, arp))},
		"nano pcap":     {write("pcap", wrapped(t, file, func(f []byte) []byte { return f }))},
		"two parts, the second first": {
			write("second", pcapng(t, rest, began.Add(time.Duration(late)))), write("first", pcapng(t, r.datagrams[:half], began)),
		},
	} {
		got := mustRun(t, options(t), paths...)
		if len(got.Connections) != len(whole.Connections) {
			t.Errorf("%s: %d connections", name, len(got.Connections))
			continue
		}
		for i, c := range got.Connections {
			w := whole.Connections[i]
			a, _ := json.Marshal([]any{c.Errors, c.Verdicts, c.Census, c.Seen})
			b, _ := json.Marshal([]any{w.Errors, w.Verdicts, w.Census, w.Seen})
			if c.Hash != w.Hash || !bytes.Equal(a, b) {
				t.Errorf("%s: connection %d comes to %s, want %s\n%s\n%s", name, c.ID, c.Hash, w.Hash, a, b)
			}
		}
		if name == "VLAN and IPv6" {
			alone := mustRun(t, options(t), write("v6", wrapped(t, file, func([]byte) []byte { return v6 })))
			if f := alone.Files[0]; len(alone.Connections) != 0 || f.Seconds != whole.Files[0].Seconds || f.Counts.IPv6 != f.Counts.Records || !strings.Contains(text(t, alone), "No connection of the game") {
				t.Errorf("of IPv6 alone: %+v", f)
			}
			if n := got.Files[0].Counts; n.IPv6 != uint64(len(r.datagrams)) || n.NotIPv4 != 2*n.IPv6 || !strings.Contains(text(t, got), "IPv6, which the game has not") {
				t.Errorf("%+v", n)
			}
		}
	}
	a, _ := json.Marshal(whole)
	b, _ := json.Marshal(mustRun(t, options(t), filepath.Join(dir, "whole")))
	if !bytes.Equal(a, b) {
		t.Error("the same file twice gives two reports")
	}
}

// Blocks at the beginning of a file that say no time move nothing in time: neither records
// without one, in a part of several, nor more refused ones than are looked at to find out
// when a file begins (22 §9.2, §10).
func TestSpec22_10_WhatHasNoTimeAtTheBeginning(t *testing.T) {
	r := record(t, 10, 20, 1, 2)
	half := len(r.datagrams) / 2
	late := r.datagrams[half].At
	rest := slices.Clone(r.datagrams[half:])
	for i := range rest {
		rest[i].At -= late
	}
	word := binary.LittleEndian.AppendUint32
	block := func(kind uint32, body ...byte) []byte {
		b := append(word(word(nil, kind), uint32(len(body)+12)), body...)
		return word(b, uint32(len(body)+12))
	}
	behind := func(file, blocks []byte) []byte { // the section's header and the interface
		at := binary.LittleEndian.Uint32(file[4:])
		at += binary.LittleEndian.Uint32(file[at+4:])
		return slices.Concat(file[:at], blocks, file[at:])
	}
	foreign := r.datagrams[0]
	foreign.Src, foreign.Data = netip.MustParseAddrPort("10.9.9.9:9"), make([]byte, 12)
	frame := pcapng(t, []transport.Datagram{foreign}, began)
	frame = frame[len(frame)-4-(12+20+8+14+2):][:12+20+8+14] // two bytes of padding, and the length again
	untimed := block(3, append(word(nil, uint32(len(frame))), append(frame, 0, 0)...)...)
	refused := bytes.Repeat(block(6, append(word(nil, 9), make([]byte, 16)...)...), 1001)
	first, second := pcapng(t, r.datagrams[:half], began), pcapng(t, rest, began.Add(time.Duration(late)))
	want := mustRun(t, options(t), put(t, "first", first), put(t, "second", second)).Connections
	for name, paths := range map[string][]string{
		"a record without a time": {put(t, "first", first), put(t, "second", behind(second, untimed))},
		"refused blocks":          {put(t, "whole", behind(pcapng(t, r.datagrams, began), refused))},
	} {
		got := mustRun(t, options(t), paths...).Connections
		if len(got) != 1 || len(want) != 1 || got[0].Hash != want[0].Hash || got[0].Seconds != want[0].Seconds || got[0].Seen.Ticks != want[0].Seen.Ticks {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

// A relay's lines of one client come to what a sniffer's capture of him comes to,
// with and without the port that each datagram went through (22 §9.5).
func TestRelayedLines(t *testing.T) {
	r := record(t, 10, 10, 1, 6)
	want := mustRun(t, options(t), put(t, "file", pcapng(t, r.datagrams, began))).Connections[0]
	for _, pairs := range []bool{true, false} {
		var lines strings.Builder
		for _, d := range r.datagrams {
			dir, port := "c2s", d.Dst.Port()
			if d.Dst == r.players[0].client {
				dir, port = "s2c", d.Src.Port()
			}
			pair := ""
			if pairs {
				pair = fmt.Sprintf(`"pair": %d, `, port-9000)
			}
			fmt.Fprintf(&lines, `{"t": %.9f, "dir": %q, %s"len": %d, "data": "%x"}`+"\n", float64(d.At)/1e9, dir, pair, len(d.Data), d.Data)
		}
		got := mustRun(t, options(t), put(t, "lines", []byte(lines.String())))
		if len(got.Connections) != 1 || got.Connections[0].Hash != want.Hash || got.Connections[0].S2C.Verified != want.S2C.Verified {
			t.Errorf("pairs %v: %+v", pairs, got.Connections)
		}
	}
}

// What the recorder inside the client writes comes to the same: every client is
// 127.0.0.1:12345, and most header fields are 0; begun again, it is another file
// without handshake, or another header in the same one (22 §9.4).
func TestClientsRecorder(t *testing.T) {
	r := record(t, 10, 10, 1, 7)
	want := mustRun(t, options(t), put(t, "file", pcapng(t, r.datagrams, began))).Connections[0]
	hook := netip.MustParseAddrPort("127.0.0.1:12345")
	all := slices.Clone(r.datagrams)
	for i := range all {
		if d := &all[i]; d.Src == r.players[0].client {
			d.Src = hook
		} else {
			d.Dst = hook
		}
	}
	bare := func(f []byte) []byte {
		for _, i := range []int{16, 17, 18, 19, 22, 24, 25, 40, 41} { // lengths, ids, checksums
			f[i] = 0
		}
		return f
	}
	half := len(all) / 2
	first := wrapped(t, pcapng(t, all[:half], began), bare)
	second := wrapped(t, pcapng(t, all[half:], began), bare)
	for name, files := range map[string][]string{
		"one file":   {put(t, "pkt_2024-5-1_1714564800_log.pcap", append(slices.Clone(first), second...))},
		"two files":  {put(t, "pkt_2024-5-1_1714564805_log.pcap", second), put(t, "pkt_2024-5-1_1714564800_log.pcap", first)},
		"one client": {put(t, "x", wrapped(t, pcapng(t, all, began), bare))},
	} {
		got := mustRun(t, options(t), files...)
		if len(got.Connections) != 1 || got.Connections[0].Hash != want.Hash || got.Connections[0].S2C.Verified != want.S2C.Verified {
			t.Errorf("%s: %d connections, %+v", name, len(got.Connections), got.Files)
		}
		balance(t, got)
	}
}

// Cut anywhere, a capture gives a report that says so. Without the creates nothing
// moves and nothing is measured; where there are some, what is measured is what the
// whole capture measures at the same time (22 §11.5).
func TestCutCaptures(t *testing.T) {
	r := record(t, 8, 12, 1, 3)
	file := pcapng(t, r.datagrams, began)
	creates := 0 // datagrams until everybody was created
	o := options(t)
	whole := mustRun(t, o, put(t, "whole", file))
	for creates = range r.datagrams {
		if r.datagrams[creates].At > 800e6 {
			break
		}
	}
	for _, from := range []int{1, 2, creates, len(r.datagrams) / 2, len(r.datagrams) - 3} {
		got := mustRun(t, o, put(t, "tail", pcapng(t, r.datagrams[from:], began)))
		if len(got.Connections) != 1 {
			t.Fatalf("from %d: %d connections", from, len(got.Connections))
		}
		c, all := got.Connections[0], text(t, got)
		if c.Whole || c.S2C.Verified+c.C2S.Verified > c.S2C.Duplicates+1 || c.S2C.Failed != 0 || !strings.Contains(all, "partial") {
			t.Errorf("from %d: %+v", from, c.S2C)
		}
		if from >= creates {
			if c.Seen.Created != 0 || got.Errors.Distance.Count != 0 || c.Seen.BeforeGuids == 0 || !strings.Contains(all, "nothing is measured") || !strings.Contains(all, "before the capture") {
				t.Errorf("from %d: %+v, %s", from, c.Seen, all)
			}
		}
	}
	for n := 0; n <= len(file); n += max(len(file)/97, 1) {
		report, err := Run([]string{put(t, "cut", file[:n])}, o)
		switch {
		case n < 4 && errors.Is(err, capture.ErrFormat):
			continue
		case err != nil:
			t.Fatalf("%d bytes: %v", n, err)
		}
		if !report.Files[0].Counts.CutTail && n < len(file) && n > 4 && n%4 != 0 {
			t.Errorf("%d bytes: not known to be cut", n)
		}
		if d, w := report.Errors.Distance, whole.Errors.Distance; d.Count > w.Count || d.Largest > w.Largest || len(report.Connections) == 1 && report.Connections[0].S2C.Failed > 0 {
			t.Errorf("%d bytes: %+v", n, d)
		}
		text(t, report)
	}
}

// A file that cannot be read is reported, and the others are read.
func TestUnreadableFiles(t *testing.T) {
	r := record(t, 2, 2, 1, 4)
	good := put(t, "good", pcapng(t, r.datagrams, began))
	seven := put(t, "all.7z", []byte("7z\xBC\xAF\x27\x1C and what is in it"))
	report := mustRun(t, options(t), seven, good, filepath.Join(t.TempDir(), "none"))
	if len(report.Connections) != 1 || report.Unread() == nil || !strings.Contains(report.Unread().Error(), "unpack") {
		t.Errorf("%v", report.Unread())
	}
	if _, err := Run([]string{seven}, options(t)); !errors.Is(err, capture.ErrUnpack) {
		t.Error(err)
	}
}

// garbage is an endless classic pcap of frames that are noise, of headers that hold
// with noise in them, and of packets of the game with noise for content.
type garbage struct {
	rng  *rand.Rand
	left int
	b    []byte
	n    uint32
}

func (g *garbage) Read(p []byte) (int, error) {
	if g.left <= 0 {
		return 0, io.EOF
	}
	for len(g.b) == 0 {
		g.record()
	}
	n := copy(p, g.b)
	g.b = g.b[n:]
	g.left -= n
	return n, nil
}

func (g *garbage) word(v uint32) { g.b = append(g.b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24)) }

func (g *garbage) record() {
	g.b = make([]byte, 0, 1024)
	if g.n == 0 {
		for _, v := range []uint32{0xA1B2C3D4, 0x00040002, 0, 0, 65536, 1} {
			g.word(v)
		}
	}
	g.n++
	payload := make([]byte, g.rng.IntN(480))
	for i := range payload {
		payload[i] = byte(g.rng.Uint32())
	}
	kind := g.rng.IntN(4)
	if kind > 0 && len(payload) >= 60 { // a packet of the game, as far as its form goes
		var p transport.Packet
		p.Sequence, p.Flags = g.n/64, transport.Encrypted|transport.HasFragments
		content := payload[:40]
		if kind > 1 {
			copy(content, []byte{byte(0x45 + g.rng.IntN(10)), 0xF7, 0, 0})
			content[7] = 0x80
		}
		b, err := p.Append(nil, g.rng.Uint32(), transport.Fragment{ID: g.rng.Uint64() >> g.rng.IntN(64), Count: uint16(1 + kind&g.rng.IntN(2)), Index: uint16(kind & g.rng.IntN(2) & 1), Queue: 10, Payload: content})
		if err != nil {
			panic(err)
		}
		payload = b
	}
	client := uint16(40_000 + g.rng.IntN(1<<g.rng.IntN(14)))
	g.word(1_500_000_000 + g.n/1000 + uint32(g.rng.IntN(3)))
	g.word(g.n % 1000 * 1000)
	g.word(uint32(42 + len(payload)))
	g.word(uint32(42 + len(payload)))
	g.b = append(g.b, 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0, 0x45, 0)
	g.b = append(g.b, byte((28+len(payload))>>8), byte(28+len(payload)), 0, 1, 0, 0, 64, 17, 0, 0, 10, 0, 0, 9, 10, 0, byte(client), 5)
	g.b = append(g.b, 9001>>8, 9001&0xFF, byte(client>>8), byte(client), byte((8+len(payload))>>8), byte(8+len(payload)), 0, 0)
	g.b = append(g.b, payload...)
}

// A large capture of garbage ends in bounded time and memory. GAIT_GARBAGE_MIB says
// how large.
func TestGarbage(t *testing.T) {
	mib := 32
	if testing.Short() {
		mib = 4
	}
	if s := os.Getenv("GAIT_GARBAGE_MIB"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		mib = n
	}
	path := filepath.Join(t.TempDir(), "garbage.pcap")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(f, &garbage{rng: rand.New(rand.NewPCG(5, 6)), left: mib << 20}); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	var most uint64
	o := options(t)
	o.Progress = func(int64, int64) {
		if s := new(runtime.MemStats); true {
			runtime.ReadMemStats(s)
			most = max(most, s.HeapAlloc)
		}
	}
	start := time.Now()
	report := mustRun(t, o, path)
	took := time.Since(start)
	c := report.Files[0].Counts
	t.Logf("%d MiB, %d records: %v, %.1f MB/s, at most %d MiB held; %d connections, %d datagrams foreign, %d refused for want of room",
		mib, c.Records, took.Round(time.Millisecond), float64(mib<<20)/1e6/took.Seconds(), most>>20, len(report.Connections), report.Outside.ForeignDatagrams, report.Outside.TooManyConnections)
	if most > 1<<30 {
		t.Errorf("%d MiB are held", most>>20)
	}
	balance(t, report)
}
