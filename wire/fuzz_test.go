package wire

import (
	"bytes"
	"errors"
	"reflect"
	"testing"
)

func seed(f *testing.F, want func(m Message) bool) {
	for _, s := range samples() {
		if want == nil || want(s.m) {
			f.Add(mustAppend(f, s.m))
		}
	}
}

// roundTrip wants that b either is refused, or decodes to a value that encodes
// to bytes which decode to the same value; and those bytes are b's own, but for
// pads and what follows the end.
func roundTrip(t *testing.T, b []byte) {
	for _, lenient := range []bool{false, true} {
		d := Decoder{Lenient: lenient}
		m, err := d.Decode(b)
		if err != nil {
			var e *Error
			if m != nil || !errors.As(err, &e) || e.Kind == 0 || e.Field == "" || e.Offset < 0 || e.Offset > len(b) {
				t.Fatalf("%v, %#v", m, err)
			}
			continue
		}
		glances(t, b, m)
		if notFinite(reflect.ValueOf(m)) {
			t.Fatalf("not finite: %+v", m)
		}
		again, err := m.Append(nil)
		if err != nil {
			t.Fatalf("%+v is not written: %v", m, err)
		}
		if d.Counts.Pads == 0 && d.Counts.Trailing == 0 {
			if _, ok := m.(*Delete); !bytes.Equal(again, b) && !(ok && len(b) == 10) {
				t.Fatalf("\n got %x\nwant %x", again, b)
			}
		}
		m2, err := Decode(again)
		if err != nil {
			t.Fatal(err)
		}
		// as bytes: −0 is not 0
		third, err := m2.Append(nil)
		if err != nil || !bytes.Equal(third, again) || !reflect.DeepEqual(m2, m) {
			t.Fatalf("%v\n got %+v\nwant %+v", err, m2, m)
		}
		fresh(m)
		if _, err := m.Append(nil); err != nil {
			t.Fatalf("fresh %+v is not written: %v", m, err)
		}
	}
}

// glances wants that what is read of b without decoding it is what decoding gives.
func glances(t *testing.T, b []byte, m Message) {
	switch m := m.(type) {
	case *Movement:
		if got, want := IsState(b), m.Body.Type == TypeState && m.Body.Sticky == 0; got != want {
			t.Fatalf("a state: %v, not %v: %+v", got, want, m)
		}
	case *PositionEvent:
		if stamp, ok := TeleportStamp(b); !ok || stamp != m.Pack.Teleport {
			t.Fatalf("teleport stamp %d, %v: %+v", stamp, ok, m)
		}
		for n := range b {
			TeleportStamp(b[:n]) // does not read beyond
		}
	}
}

// The same message twice is applied once (20 §7).
func FuzzGates(f *testing.F) {
	f.Add(uint64(0), uint64(1), false, false)
	f.Add(^uint64(0), uint64(0x8000_7FFF_0001_0000), true, true)
	f.Fuzz(func(t *testing.T, held, stamps uint64, autonomous, self bool) {
		part := func(of uint64, k int) uint16 { return uint16(of >> (16 * k)) }
		s := Slots{SlotPosition: part(held, 0), SlotMovement: part(held, 1), SlotTeleport: part(held, 2),
			SlotServerControl: part(held, 3), SlotForcePosition: part(held, 1)}
		a, b, c := part(stamps, 0), part(stamps, 1), part(stamps, 2)
		for name, gate := range map[string]func(*Slots) Verdict{
			"movement":      func(s *Slots) Verdict { return MovementGate(s, a, b, autonomous, self) },
			"position":      func(s *Slots) Verdict { return PositionGate(s, a, b) },
			"self position": func(s *Slots) Verdict { return SelfPositionGate(s, a, b, c) },
			"one slot":      func(s *Slots) Verdict { return takeGate(s, SlotState, a) },
		} {
			once := s
			first := gate(&once)
			twice := once
			second := gate(&twice)
			if first != Drop && second != Drop || twice != once {
				t.Fatalf("%s: %v %v, then %v %v", name, first, once, second, twice)
			}
			if unchanged := once == s; first != Drop && unchanged {
				t.Fatalf("%s: %v and takes nothing", name, first)
			}
		}
	})
}

func FuzzDecode(f *testing.F) {
	seed(f, nil)
	f.Fuzz(roundTrip)
}

func FuzzMovement(f *testing.F) {
	seed(f, func(m Message) bool { _, ok := m.(*Movement); return ok })
	var d Decoder
	f.Fuzz(func(t *testing.T, b []byte) {
		b = append([]byte{0x4C, 0xF7, 0, 0}, b[min(4, len(b)):]...)
		var m Movement
		if d.Movement(b, &m) == nil {
			if m.Body.State.Count > MaxActions {
				t.Fatalf("%+v", m)
			}
			var fewest Movement // what was in the value before does not show
			fewest.Body = body(TypeMoveToObject)
			fewest.Body.State = fullState(31)
			if d.Movement(b, &fewest) != nil || fewest != m {
				t.Fatalf("\n got %+v\nwant %+v", fewest, m)
			}
		}
		roundTrip(t, b)
	})
}

func FuzzPosition(f *testing.F) {
	seed(f, func(m Message) bool { _, ok := m.(*PositionEvent); return ok })
	f.Fuzz(func(t *testing.T, b []byte) {
		roundTrip(t, append([]byte{0x48, 0xF7, 0, 0}, b[min(4, len(b)):]...))
	})
}

func FuzzPositionMovement(f *testing.F) {
	seed(f, func(m Message) bool { _, ok := m.(*PositionMovement); return ok })
	f.Fuzz(func(t *testing.T, b []byte) {
		roundTrip(t, append([]byte{0x19, 0xF6, 0, 0}, b[min(4, len(b)):]...))
	})
}

func FuzzCreate(f *testing.F) {
	seed(f, func(m Message) bool { _, ok := m.(*Create); return ok })
	f.Fuzz(func(t *testing.T, b []byte) {
		roundTrip(t, append([]byte{0x45, 0xF7, 0, 0}, b[min(4, len(b)):]...))
	})
}

func FuzzAction(f *testing.F) {
	seed(f, func(m Message) bool {
		return m.Opcode() != OpPositionMovement && (m.Opcode() < OpCreate || m.Opcode() > OpPlayerTeleport)
	})
	f.Fuzz(func(t *testing.T, b []byte) {
		roundTrip(t, append([]byte{0xB1, 0xF7, 0, 0}, b[min(4, len(b)):]...))
	})
}
