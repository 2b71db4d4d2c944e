package wire

import (
	"testing"

	"pgregory.net/rapid"
)

// newerRule is 20 §5 in its own words.
func newerRule(a, b uint16) bool {
	d := int(b) - int(a)
	if d < 0 {
		d = -d
	}
	if d > 0x7FFF {
		return b < a
	}
	return a < b
}

func TestSpec20_5_Newer(t *testing.T) {
	for _, c := range []struct {
		a, b uint16
		want bool
	}{
		{5, 6, true}, {5, 5, false}, {6, 5, false}, {0xFFFF, 0, true}, {0, 0xFFFF, false},
		{0, 0x7FFF, true}, {0, 0x8000, false}, {0x8000, 0, true}, {1, 0x8001, false}, {0x8001, 1, true},
		{1, 2, true}, // 11 §11, whose other rows are above
	} {
		if Newer(c.a, c.b) != c.want {
			t.Errorf("Newer(%#x, %#x) = %v", c.a, c.b, !c.want)
		}
	}
}

func TestF63_EveryStamp(t *testing.T) {
	for a := range 0x10000 {
		for _, d := range []int{0, 1, -1, 0x7FFF, -0x7FFF, 0x8000, -0x8000} {
			a, b := uint16(a), uint16(a+d)
			if Newer(a, b) != newerRule(a, b) {
				t.Fatalf("Newer(%#x, %#x) = %v", a, b, Newer(a, b))
			}
			switch d {
			case 0:
				if Newer(a, b) {
					t.Fatalf("%#x is newer than itself", a)
				}
			case 1, 0x7FFF:
				if !Newer(a, b) || Newer(b, a) {
					t.Fatalf("%#x, %#x", a, b)
				}
			case -1, -0x7FFF:
				if Newer(a, b) || !Newer(b, a) {
					t.Fatalf("%#x, %#x", a, b)
				}
			default: // half way round the smaller counts as newer
				if Newer(a, b) != (b < a) {
					t.Fatalf("%#x, %#x", a, b)
				}
			}
		}
	}
}

func TestSpec20_5_1_InstanceGate(t *testing.T) {
	for _, c := range []struct {
		known     bool
		slot, msg uint16
		want      Verdict
	}{
		{false, 0, 0, Park}, {false, 9, 3, Park}, {true, 3, 4, Park}, {true, 0xFFFF, 0, Park},
		{true, 3, 3, Process}, {true, 4, 3, Drop}, {true, 0, 0xFFFF, Drop},
	} {
		if got := InstanceGate(c.known, c.slot, c.msg); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestSpec20_5_1_Exceptions(t *testing.T) {
	for _, c := range []struct {
		known, update bool
		slot, msg     uint16
		want          Verdict
	}{
		{false, false, 0, 0, Build}, {false, true, 0, 0, Build}, {true, true, 5, 5, Rebuild}, {true, true, 5, 4, Rebuild},
		{true, false, 5, 6, Rebuild}, {true, false, 5, 4, Drop}, {true, false, 5, 5, Merge},
	} {
		if got := CreateGate(c.known, c.update, c.slot, c.msg); got != c.want {
			t.Errorf("create %+v: %v", c, got)
		}
	}
	for _, c := range []struct {
		holder, held bool
		slot, msg    uint16
		want         Verdict
	}{
		{false, false, 0, 0, Park}, {false, true, 0, 0, Park}, {true, true, 5, 6, Park}, {true, false, 5, 6, Park},
		{true, false, 5, 5, ParkOnHeld}, {true, true, 5, 5, Process}, {true, false, 5, 4, Drop}, {true, true, 5, 4, Drop},
	} {
		if got := ParentGate(c.holder, c.held, c.slot, c.msg); got != c.want {
			t.Errorf("parent %+v: %v", c, got)
		}
	}
}

func TestSpec20_5_2_MovementGate(t *testing.T) {
	at := func(movement, control uint16) Slots {
		return Slots{SlotPosition: 7, SlotMovement: movement, SlotServerControl: control}
	}
	for _, c := range []struct {
		name              string
		movement, control uint16
		autonomous, self  bool
		after             Slots
		want              Verdict
	}{
		{"newer", 11, 5, false, false, at(11, 5), Process},
		{"newer, newer control", 11, 6, false, false, at(11, 6), Process},
		{"equal", 10, 6, false, false, at(10, 5), Drop},
		{"older", 9, 6, false, false, at(10, 5), Drop},
		{"older control takes slot 1 all the same", 11, 4, false, false, at(11, 5), Drop},
		{"autonomous of a remote", 11, 5, true, false, at(11, 5), Process},
		{"own echo, both taken", 11, 6, true, true, at(11, 6), Drop},
		{"a server's order to the player", 11, 6, false, true, at(11, 6), Process},
	} {
		after := at(10, 5)
		got := MovementGate(&after, c.movement, c.control, c.autonomous, c.self)
		if after != c.after || got != c.want {
			t.Errorf("%s: %v %v, want %v %v", c.name, after, got, c.after, c.want)
		}
	}
}

func TestSpec20_5_3_PositionGate(t *testing.T) {
	at := func(position, teleport uint16) Slots {
		return Slots{SlotPosition: position, SlotTeleport: teleport, SlotForcePosition: 3}
	}
	for _, c := range []struct {
		name               string
		position, teleport uint16
		after              Slots
		want               Verdict
	}{
		{"newer", 11, 5, at(11, 5), Process},
		{"equal", 10, 5, at(10, 5), Drop},
		{"older", 9, 6, at(10, 5), Drop},
		{"newer teleport", 11, 6, at(11, 6), HardPlace},
		{"older teleport gives slot 0 back", 11, 4, at(10, 5), Drop}, // 12 §3 step 4
	} {
		after := at(10, 5)
		got := PositionGate(&after, c.position, c.teleport)
		if after != c.after || got != c.want {
			t.Errorf("%s: %v %v, want %v %v", c.name, after, got, c.after, c.want)
		}
	}
	// F23: a newer teleport and an ordinary position from before it, both orders
	s := at(10, 5)
	first, second := PositionGate(&s, 12, 6), PositionGate(&s, 11, 5)
	if s != at(12, 6) || first != HardPlace || second != Drop {
		t.Errorf("%v %v %v", s, first, second)
	}
	s = at(10, 5)
	first, second = PositionGate(&s, 11, 5), PositionGate(&s, 12, 6)
	if s != at(12, 6) || first != Process || second != HardPlace {
		t.Errorf("%v %v %v", s, first, second)
	}
	second = PositionGate(&s, 13, 5) // numbered later, authored before
	if s != at(12, 6) || second != Drop {
		t.Errorf("%v %v", s, second)
	}
}

func TestSpec20_5_4_SelfPositionGate(t *testing.T) {
	at := func(position, teleport, force uint16) Slots {
		return Slots{SlotPosition: position, SlotTeleport: teleport, SlotForcePosition: force}
	}
	for _, c := range []struct {
		name                      string
		position, teleport, force uint16
		after                     Slots
		want                      Verdict
	}{
		{"forced", 11, 5, 4, at(11, 5, 4), Blip},
		{"forced, teleport older", 11, 4, 4, at(10, 5, 3), Drop},
		{"teleport", 11, 6, 3, at(11, 6, 3), HardPlace},
		{"ordinary", 11, 5, 3, at(11, 5, 3), Process},
		{"old", 10, 5, 3, at(10, 5, 3), Drop},
	} {
		after := at(10, 5, 3)
		got := SelfPositionGate(&after, c.position, c.teleport, c.force)
		if after != c.after || got != c.want {
			t.Errorf("%s: %v %v, want %v %v", c.name, after, got, c.after, c.want)
		}
	}
}

func TestSpec20_5_5_TheRest(t *testing.T) {
	s := Slots{1, 2, 3, 4, 5, 6, 7, 8, 9}
	for slot := range s {
		after := s
		ok := Take(&after, slot, s[slot]+1)
		if !ok || after[slot] != s[slot]+1 {
			t.Errorf("slot %d: %v %v", slot, after, ok)
		}
		after[slot] = s[slot]
		if after != s {
			t.Errorf("slot %d: others changed: %v", slot, after)
		}
		for _, old := range []uint16{s[slot], s[slot] - 1} {
			if Take(&after, slot, old) || after != s {
				t.Errorf("slot %d: took %d", slot, old)
			}
		}
	}
	if !TeleportPending(s, 6) || TeleportPending(s, 5) || TeleportPending(s, 4) {
		t.Error("teleport pending")
	}
	for _, c := range []struct {
		q    Quad
		want Verdict
	}{
		{Quad{9, 6, 5, 7}, Process}, {Quad{9, 6, 6, 8}, Process}, {Quad{9, 0, 5, 7}, Process},
		{Quad{8, 6, 5, 7}, Drop}, {Quad{10, 6, 5, 7}, Drop}, {Quad{9, 6, 4, 7}, Drop}, {Quad{9, 6, 5, 6}, Drop},
	} {
		if got := ClientGate(s, c.q); got != c.want {
			t.Errorf("%+v: %v", c.q, got)
		}
	}
	for v := Drop; v <= Blip; v++ {
		if v.String() == "" || v.String() == "unknown verdict" {
			t.Errorf("verdict %d has no words", v)
		}
	}
}

// 20 §7: the same message twice applies once; and a gate changes no slot but its own.
func TestSpec20_7_GateIdempotence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stamp := rapid.OneOf(rapid.Uint16Range(0, 4), rapid.Uint16Range(0x7FFE, 0x8002), rapid.Uint16Range(0xFFFC, 0xFFFF))
		var s Slots
		for k := range s {
			s[k] = stamp.Draw(t, "slot")
		}
		a, b, c := stamp.Draw(t, "a"), stamp.Draw(t, "b"), stamp.Draw(t, "c")
		for name, gate := range map[string]func(*Slots) Verdict{
			"movement":      func(s *Slots) Verdict { return MovementGate(s, a, b, false, false) },
			"position":      func(s *Slots) Verdict { return PositionGate(s, a, b) },
			"self position": func(s *Slots) Verdict { return SelfPositionGate(s, a, b, c) },
			"take":          func(s *Slots) Verdict { return takeGate(s, SlotVector, a) },
		} {
			once := s
			first := gate(&once)
			twice := once
			if v := gate(&twice); v != Drop || twice != once {
				t.Fatalf("%s %v %v %v: %v", name, s, first, once, v)
			}
		}
	})
}

// takeGate is [Take] as a gate.
func takeGate(s *Slots, slot int, msg uint16) Verdict {
	if !Take(s, slot, msg) {
		return Drop
	}
	return Process
}
