package transport

import (
	"bytes"
	"encoding/hex"
	"errors"
	"reflect"
	"testing"
)

func seedDatagrams(f *testing.F) {
	for _, h := range []string{ // recorded: handshake, requests, flow, three messages
		"00000000000004003042261c0b008acd2000010085414e8acd18b2410aebffa5e41f0a1000000000c13f91b7272cea5900000000",
		"04000000024000039808a9370000080010000100050000000000000000000000724d8040",
		"3d00000002100008eb4251b70000aa000e000100010000004a000000500000003cd4",
		"4a0000000600000030b64ab00b003ed41d0001005a0000000000008001001d0000000900cd02000001000000000000003d",
	} {
		b, _ := hex.DecodeString(h)
		f.Add(b)
	}
	f.Add(raw(HasFragments, append(fragmentBytes(2, 24, 1, 10, 8), fragmentBytes(1, 17, 0, 10, 1)...)...))
	f.Add(raw(LoginRequest, 4, 0, '1', '8', '0', '2', 0, 0, 0, 0, 0, 0))
	f.Add(raw(RejectRetransmit, words(2, 5, 6)...))
	f.Add(raw(Referral, make([]byte, 32)...))
}

// Whatever comes is refused for a reason that is named, or parses, is written and
// parses to the same (22 §12).
func FuzzParse(f *testing.F) {
	seedDatagrams(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		var p Packet
		if err := Parse(b, &p); err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Kind == 0 || e.Offset < 0 || e.Offset > len(b) {
				t.Fatalf("%#v", err)
			}
			return
		}
		var parts []Fragment
		for f := range p.Fragments() {
			parts = append(parts, f)
		}
		if len(parts) != p.FragmentCount() {
			t.Fatalf("%d fragments, counted %d", len(parts), p.FragmentCount())
		}
		key := uint32(0)
		if p.Flags&Encrypted != 0 {
			key = p.Key()
		}
		again, err := p.Append(nil, key, parts...)
		if err != nil {
			t.Fatalf("%+v is not written: %v", p, err)
		}
		var q Packet
		if err := Parse(again, &q); err != nil {
			t.Fatalf("%v: %x", err, again)
		}
		if p.Flags&Encrypted == 0 && !q.PlainOK() || p.Flags&Encrypted != 0 && q.Key() != key {
			t.Fatal("the checksum of what was written")
		}
		if p.Flags&(LoginRequest|Referral|LoginServer) == 0 && !p.company() && (p.Flags&Encrypted != 0 || p.PlainOK()) && !bytes.Equal(again, b) {
			t.Fatalf("\n got %x\nwant %x", again, b)
		}
		if p.Flags&LoginRequest == 0 { // of which the content is not kept; of company only the last cookie is
			p.Checksum, p.HeaderHash, p.PayloadHash = q.Checksum, q.HeaderHash, q.PayloadHash
			p.fragments, q.fragments = nil, nil
			third, _ := p.Append(nil, key, parts...)
			fourth, _ := q.Append(nil, key, parts...)
			if !bytes.Equal(third, fourth) { // as bytes: NaN is not itself
				t.Fatalf("\n got %+v\nwant %+v", q, p)
			}
		}
	})
}

// However pieces come, those that go through are whole, and what is open is bounded.
func FuzzReassembly(f *testing.F) {
	f.Add(uint16(3), []byte{2, 0, 1})
	f.Add(uint16(900), []byte{1, 1, 0, 0, 2, 0x81, 3})
	f.Fuzz(func(t *testing.T, size uint16, order []byte) {
		m := message(1, int(size)%(20*MaxFragmentPayload)+1)
		parts := cut(5, 10, m)
		var r Reassembly
		have := map[int]bool{}
		for n, o := range order {
			i := int(o&0x7F) % len(parts)
			f := parts[i]
			if o&0x80 != 0 { // against the rules, one way or another
				switch n % 4 {
				case 0:
					f.Count++
				case 1:
					f.Queue++
				case 2:
					f.Payload = append(bytes.Clone(f.Payload[1:]), ^f.Payload[0])
				case 3:
					f.Index = f.Count
				}
				if len(have) == 0 || n%4 == 2 && !have[i] {
					continue // by itself it is a message like others
				}
				if w, err := r.Add(f, 0, uint64(n)); w != nil || err == nil && !reflect.DeepEqual(f, parts[i]) && n%4 != 2 {
					t.Fatalf("%+v: %d bytes, %v", f, len(w), err)
				}
				continue
			}
			have[i] = true
			w, err := r.Add(f, 0, uint64(n))
			if err != nil || (w != nil) != (len(have) == len(parts)) || w != nil && !bytes.Equal(w, m) {
				t.Fatalf("piece %d: %d bytes, %v", i, len(w), err)
			}
			if w != nil {
				clear(have)
			}
		}
	})
}

// A reader takes whatever datagrams there are, and counts each once.
func FuzzReader(f *testing.F) {
	seedDatagrams(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		r := NewReader(Options{Strict: len(b)%2 == 0}, Handler{Message: func(c *Connection, m *Message) {
			if len(m.Data) < 4 {
				t.Fatalf("a message of %d bytes", len(m.Data))
			}
		}})
		n := uint64(0)
		for at := int64(0); len(b) > 0; at++ { // the first byte says how long, and of whom
			size := min(int(b[0])+1, len(b))
			d := Datagram{At: at << (b[0] & 63), Src: client, Dst: server, Data: b[:size]}
			switch b[0] % 4 {
			case 0:
				d.Src, d.Dst = d.Dst, d.Src
			case 1:
				d.Dir = C2S
			case 2:
				r.NextFile()
			}
			r.Add(&d)
			n++
			b = b[size:]
		}
		r.Close()
		c := r.Counts()
		sum := c.ForeignDatagrams + c.Knocks + c.TooManyConnections
		for _, k := range c.Refused {
			sum += k
		}
		for _, k := range r.Connections() {
			sum += k.Counts(C2S).Datagrams + k.Counts(S2C).Datagrams
		}
		if sum != n {
			t.Fatalf("%d of %d datagrams are counted: %+v", sum, n, c)
		}
	})
}
