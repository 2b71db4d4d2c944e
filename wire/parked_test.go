package wire

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func texts(msgs [][]byte) (s []string) {
	for _, m := range msgs {
		s = append(s, string(m))
	}
	return s
}

func TestSpec20_5_1_Parked(t *testing.T) {
	var p Parked
	if len(p.Take(1)) != 0 || p.Len() != 0 {
		t.Error("an empty one holds something")
	}
	p.Expire(100)
	buf := []byte("a")
	p.Add(1, 0, buf)
	buf[0] = 'x' // it is a copy
	p.Add(2, 0, []byte("b"))
	p.Add(1, 0, []byte("c"))
	p.Add(1, 1, []byte("d"))
	if p.Len() != 4 || p.Guids() != 2 {
		t.Errorf("%d messages of %d guids", p.Len(), p.Guids())
	}
	if got := texts(p.Take(1)); !slices.Equal(got, []string{"a", "c", "d"}) {
		t.Errorf("in order of arrival: %v", got)
	}
	if len(p.Take(1)) != 0 || p.Len() != 1 {
		t.Error("taken twice")
	}
	if got := texts(p.Take(2)); !slices.Equal(got, []string{"b"}) {
		t.Errorf("%v", got)
	}
	if p.Dropped != 0 || p.Expired != 0 || p.Guids() != 0 {
		t.Errorf("%+v", p)
	}
}

// Row "parked messages": 32 a guid, oldest first.
func TestSpec20_7_Parked32PerGuid(t *testing.T) {
	var p Parked
	for i := range 40 {
		p.Add(7, float64(i), fmt.Appendf(nil, "%d", i))
		p.Add(8, float64(i), nil)
	}
	got := texts(p.Take(7))
	if len(got) != 32 || got[0] != "8" || got[31] != "39" || p.Dropped != 16 {
		t.Errorf("%v, dropped %d", got, p.Dropped)
	}
}

// 4096 guids; the one with the oldest message goes whole.
func TestSpec20_7_Parked4096Guids(t *testing.T) {
	var p Parked
	for g := range uint32(4096) {
		p.Add(g+1, 0, []byte{1})
	}
	p.Add(1, 1, []byte{2})
	p.Take(2)
	p.Add(2, 2, []byte{3})
	if p.Guids() != 4096 || p.Dropped != 0 {
		t.Fatalf("%d guids, dropped %d", p.Guids(), p.Dropped)
	}
	p.Add(5000, 3, []byte{4})
	if p.Guids() != 4096 || p.Dropped != 2 || len(p.Take(1)) != 0 {
		t.Errorf("%d guids, dropped %d", p.Guids(), p.Dropped)
	}
	if len(p.Take(5000)) != 1 || len(p.Take(2)) != 1 || len(p.Take(3)) != 1 {
		t.Error("the wrong one went")
	}
}

// 30 s.
func TestSpec20_7_Parked30Seconds(t *testing.T) {
	var p Parked
	for i := range 5 {
		p.Add(uint32(i%2+1), float64(i), []byte{byte(i)})
	}
	p.Expire(30)
	if p.Len() != 5 {
		t.Error("at 30 s it is still there")
	}
	p.Expire(32.5)
	if p.Len() != 2 || p.Expired != 3 {
		t.Errorf("%d left, expired %d", p.Len(), p.Expired)
	}
	if got := p.Take(2); len(got) != 1 || got[0][0] != 3 {
		t.Errorf("%v", got)
	}
}

func TestParked_Bytes(t *testing.T) {
	var p Parked
	p.Add(1, 0, make([]byte, MaxParkedBytes+1))
	if p.Len() != 0 || p.Dropped != 1 {
		t.Error("too large a message is kept")
	}
	p.Add(1, 0, make([]byte, MaxParkedBytes/2))
	p.Add(2, 0, make([]byte, MaxParkedBytes/2))
	p.Add(3, 0, []byte{1})
	if p.Len() != 2 || p.bytes > MaxParkedBytes || len(p.Take(1)) != 0 || len(p.Take(3)) != 1 {
		t.Errorf("%d messages, %d bytes", p.Len(), p.bytes)
	}
}

func TestParked_Allocations(t *testing.T) {
	var p Parked
	msg := make([]byte, 300)
	round := func() {
		for g := range uint32(64) {
			for range 4 {
				p.Add(g, 0, msg)
			}
		}
		for g := range uint32(32) {
			p.Take(g)
		}
		p.Expire(31)
	}
	round()
	if n := testing.AllocsPerRun(20, round); n != 0 {
		t.Errorf("once warm it allocates %v", n)
	}
}

// What a burst took is given back when none of it is left.
func TestParked_AfterABurst(t *testing.T) {
	var p Parked
	calm := p.Bytes()
	for g := range uint32(MaxParkedGuids) {
		for range 8 {
			p.Add(g+1, 0, make([]byte, 500))
		}
	}
	if p.Bytes() < 16<<20 {
		t.Errorf("%d bytes", p.Bytes())
	}
	got := p.Take(1)
	p.Expire(31)
	if p.Bytes() != calm || p.Len() != 0 || len(got) != 8 {
		t.Errorf("%d bytes after it, %d before", p.Bytes(), calm)
	}
	p.Add(1, 32, []byte("a"))
	p.Add(1, 32, []byte("b"))
	if got := texts(p.Take(1)); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("%v", got)
	}
}

// Against a model that is a list.
func TestParked_Model(t *testing.T) {
	type message struct {
		guid uint32
		at   float64
		n    uint32
	}
	rapid.Check(t, func(t *rapid.T) {
		var p Parked
		var model []message
		now, n := 0.0, uint32(0)
		var dropped, expired uint64
		remove := func(match func(i int, m message) bool) (out []message) {
			var keep []message
			for i, m := range model {
				if match(i, m) {
					out = append(out, m)
				} else {
					keep = append(keep, m)
				}
			}
			model = keep
			return out
		}
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			guid := rapid.Uint32Range(1, 4).Draw(t, "guid")
			switch rapid.IntRange(0, 20).Draw(t, "what") {
			case 0:
				want := remove(func(_ int, m message) bool { return m.guid == guid })
				got := p.Take(guid)
				if len(got) != len(want) {
					t.Fatalf("took %d, want %d", len(got), len(want))
				}
				for i := range got {
					if binary.LittleEndian.Uint32(got[i]) != want[i].n {
						t.Fatalf("%v, want %v", got, want)
					}
				}
			case 1:
				now += rapid.Float64Range(0, 20).Draw(t, "seconds")
				p.Expire(now)
				expired += uint64(len(remove(func(_ int, m message) bool { return now-m.at > ParkedSeconds })))
			default:
				n++
				of := 0
				for _, m := range model {
					if m.guid == guid {
						of++
					}
				}
				if of == MaxParkedPerGuid {
					done := false
					remove(func(_ int, m message) bool {
						first := !done && m.guid == guid
						done = done || first
						return first
					})
					dropped++
				}
				model = append(model, message{guid, now, n})
				p.Add(guid, now, binary.LittleEndian.AppendUint32(nil, n))
			}
			i := 0
			p.Each(func(guid uint32, at float64, msg []byte) {
				if i >= len(model) || model[i] != (message{guid, at, binary.LittleEndian.Uint32(msg)}) {
					t.Fatalf("message %d is %d of %d", i, binary.LittleEndian.Uint32(msg), guid)
				}
				i++
			})
			if i != len(model) || p.Len() != i || p.Dropped != dropped || p.Expired != expired || p.bytes != 4*i {
				t.Fatalf("%d of %d; %+v", i, len(model), p)
			}
		}
	})
}

// F64: a message for a guid that is not known waits, whole, for that guid only.
func TestF64_UnknownGuid(t *testing.T) {
	b := mustAppend(t, movement(TypeMoveToObject))
	guid, ok := Guid(b)
	if !ok || InstanceGate(false, 0, 4) != Park {
		t.Fatal("not parked")
	}
	var p Parked
	p.Add(guid, 0, b)
	if len(p.Take(guid+1)) != 0 {
		t.Error("handed to the neighbour")
	}
	if got := p.Take(guid); len(got) != 1 || !bytes.Equal(got[0], b) {
		t.Errorf("%x", got)
	}
}
