package transport

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// vector is a line of the recorded datagrams (22 §13).
type vector struct {
	Recording string
	Dir       string
	Pair      int
	T         float64
	Kind      string
	Seeds     []string
	Hex       string
	Fragments []string `json:"fragments_hex"`
	Decoded   struct {
		Seq          uint32
		Flags        string
		FlagNames    []string `json:"flag_names"`
		Checksum     string
		Recipient    uint16
		Interval     uint16
		Size         uint16
		Iteration    uint16
		HeaderHash   string `json:"header_hash"`
		PayloadHash  string `json:"payload_hash"`
		ChecksumOK   *bool  `json:"checksum_ok"`
		Key          string
		KeyIndex     uint64 `json:"key_index"`
		Sections     map[string]json.RawMessage
		Fragments    []recordedFragment
		Messages     []recordedMessage
		BlobID       string `json:"blob_id"`
		Count, Queue uint16
		Message      struct {
			recordedMessage
			SHA256 string
		}
	}
}

type recordedFragment struct {
	BlobID              string `json:"blob_id"`
	Index, Count, Queue uint16
	Size                int
	PayloadAt           int `json:"payload_at"`
	PayloadBytes        int `json:"payload_bytes"`
}

type recordedMessage struct {
	Opcode string
	Bytes  int
}

// sectionNames are the vectors' names of sections that differ from ours.
var sectionNames = map[string]string{"ack": "acknowledge", "icmd": "keep-alive"}

func readVectors(tb testing.TB) (all []vector) {
	dir := os.Getenv("GAIT_SHARED")
	if dir == "" {
		dir = "../../../../shared"
	}
	f, err := os.Open(filepath.Join(dir, "vectors", "datagrams.jsonl"))
	if err != nil {
		tb.Skip("recorded datagrams are not here:", err)
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		var v vector
		if err := json.Unmarshal(s.Bytes(), &v); err != nil {
			tb.Fatal(err)
		}
		all = append(all, v)
	}
	if len(all) == 0 {
		tb.Fatal("no recorded datagrams")
	}
	return all
}

func (v *vector) dir() Dir {
	if v.Dir == "c2s" {
		return C2S
	}
	return S2C
}

func hexWord(tb testing.TB, s string) uint64 {
	n, err := strconv.ParseUint(s, 0, 64)
	if err != nil {
		tb.Fatal(err)
	}
	return n
}

func unhex(tb testing.TB, s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// Every recorded datagram decodes to what it was found to be, checksums included,
// the encrypted ones by the key of its number (22 §2 to §5, §13).
func TestRecordedDatagrams(t *testing.T) {
	for i, v := range readVectors(t) {
		t.Run(fmt.Sprintf("line %d", i+1), func(t *testing.T) {
			if v.Kind == "fragments" {
				recordedFragments(t, &v)
				return
			}
			b := unhex(t, v.Hex)
			var p Packet
			if err := Parse(b, &p); err != nil {
				t.Fatal(err)
			}
			d := &v.Decoded
			word := func(s string) uint32 { return uint32(hexWord(t, s)) }
			want := Header{d.Seq, Flags(word(d.Flags)), word(d.Checksum), d.Recipient, d.Interval, d.Size, d.Iteration}
			if p.Header != want {
				t.Errorf("header %+v, want %+v", p.Header, want)
			}
			var names []string
			for _, name := range d.FlagNames {
				if other, ok := sectionNames[name]; ok {
					name = other
				}
				names = append(names, strings.ReplaceAll(name, "_", " "))
			}
			if got := p.Flags.String(); got != strings.Join(names, ", ") {
				t.Errorf("flags %q, want %q", got, names)
			}
			if p.HeaderHash != word(d.HeaderHash) || p.PayloadHash != word(d.PayloadHash) {
				t.Errorf("hashes %#x %#x, want %s %s", p.HeaderHash, p.PayloadHash, d.HeaderHash, d.PayloadHash)
			}
			var key uint32
			if p.Flags&Encrypted == 0 {
				if p.PlainOK() != *d.ChecksumOK {
					t.Error("the plain checksum")
				}
			} else {
				key = p.Key()
				if key != word(d.Key) {
					t.Errorf("key %#x, want %s", key, d.Key)
				}
				stream, _ := NewKeyStream(word(v.Seeds[S2C-v.dir()])).Key(d.KeyIndex)
				if stream != key || d.KeyIndex != uint64(d.Seq-firstNumber) {
					t.Errorf("draw %d of the stream is %#x, want %#x", d.KeyIndex, stream, key)
				}
			}
			recordedSections(t, &p, d.Sections)
			n := 0
			var r Reassembly
			var messages []recordedMessage
			for f := range p.Fragments() {
				w := d.Fragments[n]
				if f.ID != hexWord(t, w.BlobID) || f.Index != w.Index || f.Count != w.Count || f.Queue != w.Queue ||
					w.Size != FragmentHeaderSize+len(f.Payload) || !bytes.Equal(f.Payload, b[w.PayloadAt:][:w.PayloadBytes]) {
					t.Errorf("fragment %d is %+v, want %+v", n, f, w)
				}
				n++
				if m, err := r.Add(f, 0, 1); err == nil && m != nil {
					messages = append(messages, recordedMessage{fmt.Sprintf("0x%04X", uint32(m[0])|uint32(m[1])<<8|uint32(m[2])<<16|uint32(m[3])<<24), len(m)})
				}
			}
			if n != len(d.Fragments) || fmt.Sprint(messages) != fmt.Sprint(d.Messages) {
				t.Errorf("%d fragments, messages %v; want %d, %v", n, messages, len(d.Fragments), d.Messages)
			}
			var parts []Fragment
			for f := range p.Fragments() {
				parts = append(parts, f)
			}
			if again, err := p.Append(nil, key, parts...); err != nil || !bytes.Equal(again, b) {
				t.Errorf("written again: %v\n got %x\nwant %x", err, again, b)
			}
		})
	}
}

// recordedSections compares the sections of p with those of a vector, each as text.
func recordedSections(t *testing.T, p *Packet, want map[string]json.RawMessage) {
	got := map[string]string{}
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	say := func(flag Flags, name, value string) {
		if p.Flags&flag != 0 {
			got[name] = value
		}
	}
	list := func(n Numbers) string {
		var s []string
		for i := range n.Len() {
			s = append(s, fmt.Sprint(n.At(i)))
		}
		return "[" + strings.Join(s, " ") + "]"
	}
	say(ConnectRequest, "connect_request", fmt.Sprint(map[string]any{
		"server_time": number(p.Connect.GameTime), "cookie": fmt.Sprintf("0x%016X", p.Cookie), "recipient_for_client": p.Connect.Recipient,
		"seed_s2c": fmt.Sprintf("0x%08X", p.Connect.SeedS2C), "seed_c2s": fmt.Sprintf("0x%08X", p.Connect.SeedC2S), "pad": p.Connect.Unused,
	}))
	say(ConnectResponse, "connect_response", fmt.Sprintf("0x%016X", p.Cookie))
	say(Acknowledge, "ack", fmt.Sprint(p.Acknowledged))
	say(RequestRetransmit, "request_retransmit", list(p.Missing))
	say(TimeSync, "time_sync", number(p.GameTime))
	say(EchoRequest, "echo_request", number(float64(p.Echo)))
	say(EchoResponse, "echo_response", fmt.Sprintf("[%s %s]", number(float64(p.Echoed[0])), number(float64(p.Echoed[1]))))
	say(Flow, "flow", fmt.Sprintf("[%d %d]", p.Received.Bytes, p.Received.Interval))
	say(KeepAlive, "icmd", fmt.Sprintf("[%d %d]", p.Command.A, p.Command.B))
	if len(got) != len(want) {
		t.Errorf("sections %v, want %s", got, want)
	}
	for name, raw := range want {
		var v any
		d := json.NewDecoder(bytes.NewReader(raw))
		d.UseNumber()
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
		if text := fmt.Sprint(normal(v)); got[name] != text {
			t.Errorf("section %s is %s, want %s", name, got[name], text)
		}
	}
}

// normal gives every number the form of [strconv.FormatFloat].
func normal(v any) any {
	switch v := v.(type) {
	case json.Number:
		f, _ := v.Float64()
		if f == math.Trunc(f) && !strings.Contains(string(v), ".") {
			return string(v)
		}
		return strconv.FormatFloat(f, 'g', -1, 64)
	case []any:
		for i := range v {
			v[i] = normal(v[i])
		}
		return v
	case map[string]any:
		for k := range v {
			v[k] = normal(v[k])
		}
		return v
	}
	return v
}

// Nine fragments of one message, the last one first (22 §5.2).
func recordedFragments(t *testing.T, v *vector) {
	var r Reassembly
	for i, h := range v.Fragments {
		f, _ := fragmentAt(unhex(t, h))
		if f.ID != hexWord(t, v.Decoded.BlobID) || f.Count != v.Decoded.Count || f.Queue != v.Decoded.Queue {
			t.Errorf("fragment %d is of %#x, %d, on %d", i, f.ID, f.Count, f.Queue)
		}
		m, err := r.Add(f, 0, uint64(i+1))
		if err != nil || (m != nil) != (i == len(v.Fragments)-1) {
			t.Fatalf("fragment %d: %d bytes, %v", i, len(m), err)
		}
		if m != nil && (len(m) != v.Decoded.Message.Bytes || fmt.Sprintf("%x", sha256.Sum256(m)) != v.Decoded.Message.SHA256) {
			t.Errorf("the message is another, of %d bytes", len(m))
		}
	}
	if n, b := r.Open(); n != 0 || b != 0 {
		t.Errorf("%d messages are open, of %d bytes", n, b)
	}
}

// The vectors of one recording are a connection each: every encrypted checksum is
// verified, the second copy of number 74 is skipped, and came late for the client (22 §6).
func TestRecordedConnections(t *testing.T) {
	byRecording := map[string][]vector{}
	for _, v := range readVectors(t) {
		if v.Kind == "" {
			byRecording[v.Recording] = append(byRecording[v.Recording], v)
		}
	}
	for name, vectors := range byRecording {
		var messages int
		r := NewReader(Options{Strict: true}, Handler{Message: func(*Connection, *Message) { messages++ }})
		want, encrypted := 0, uint64(0)
		seeded := vectors[0].Decoded.Flags == "0x00040000"
		client, server := netip.MustParseAddrPort("10.0.0.1:4000"), netip.MustParseAddrPort("10.0.0.2:9000")
		for _, v := range vectors {
			d := Datagram{At: int64(v.T * 1e9), Src: client, Dst: netip.AddrPortFrom(server.Addr(), 9000+uint16(v.Pair)), Data: unhex(t, v.Hex)}
			if v.dir() == S2C {
				d.Src, d.Dst = d.Dst, d.Src
			}
			if name == "D" { // too few of them to find out: the recorder knew
				d.Dir = v.dir()
			}
			r.Add(&d)
			if v.Decoded.Key != "" {
				encrypted++
			}
			if v.Decoded.Flags[9] != '7' {
				want += len(v.Decoded.Messages)
			}
		}
		r.Close()
		if len(r.Connections()) != 1 && len(vectors) > 1 {
			t.Errorf("%s: %d connections, %+v", name, len(r.Connections()), r.Counts())
			continue
		}
		if len(vectors) == 1 {
			continue // a disconnect alone is nobody's
		}
		c := r.Connections()[0]
		s, k := c.Counts(S2C), c.Counts(C2S)
		if s.RefusedAll()+k.RefusedAll()+s.Failed+k.Failed != 0 || messages != want || c.Whole != seeded {
			t.Errorf("%s: %d messages, want %d\n%+v\n%+v", name, messages, want, s, k)
		}
		if seeded && s.Unverifiable+k.Unverifiable != 0 {
			t.Errorf("%s: unverifiable %d and %d of %d encrypted", name, s.Unverifiable, k.Unverifiable, encrypted)
		}
		if name == "D" && (s.Duplicates != 1 || s.Late != 1 || s.Verified != 1 || s.Unverifiable != 1 || math.Abs(s.LateSeconds-2.571831) > 1e-6) {
			t.Errorf("the copy of number 74: %+v", s)
		}
		if name == "A" && !(c.Clock.Syncs == 1) {
			t.Errorf("game clock %+v", c.Clock)
		}
	}
}
