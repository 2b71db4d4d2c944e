package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/gait-engine/gait/space"
)

// refuse wants b refused for kind, in field at offset (−1: do not look), and counted.
func refuse(t *testing.T, b []byte, kind Kind, field string, offset int) {
	t.Helper()
	var d Decoder
	m, err := d.Decode(b)
	var e *Error
	if m != nil || !errors.As(err, &e) {
		t.Fatalf("%x: got %v, %v; want %v", b, m, err, kind)
	}
	if e.Kind != kind || !errors.Is(err, kind) || field != "" && e.Field != field || offset >= 0 && e.Offset != offset {
		t.Errorf("%x\ngot %v\nwant %v in %s at %d", b, e, kind, field, offset)
	}
	if d.Counts.Rejected(kind) != 1 || d.Counts.RejectedAll() != 1 || d.Counts.Decoded != 0 {
		t.Errorf("counts %+v", d.Counts)
	}
}

// accept wants b decoded.
func accept(t *testing.T, b []byte) (Message, Counts) {
	t.Helper()
	var d Decoder
	m, err := d.Decode(b)
	if err != nil {
		t.Fatalf("%x: %v", b, err)
	}
	return m, d.Counts
}

func put32(b []byte, at int, v uint32) []byte {
	b = bytes.Clone(b)
	binary.LittleEndian.PutUint32(b[at:], v)
	return b
}

func putF(b []byte, at int, v float32) []byte { return put32(b, at, math.Float32bits(v)) }

func put8(b []byte, at int, v byte) []byte {
	b = bytes.Clone(b)
	b[at] = v
	return b
}

func state(s State) *Movement {
	s.Fresh()
	return &Movement{Guid: 1, Body: Body{State: s}}
}

// Row "shorter than the layout needs", and F65: every prefix of every message.
func TestF65_EveryPrefix(t *testing.T) {
	for _, s := range samples() {
		b := mustAppend(t, s.m)
		if c, ok := s.m.(*Create); ok {
			b = b[:len(b)-len(c.Rest)]
		}
		for n := range len(b) {
			if _, ok := s.m.(*Delete); ok && n == 10 {
				continue // its pad may be missing
			}
			m, err := Decode(b[:n])
			var e *Error
			if !errors.As(err, &e) || m != nil {
				t.Fatalf("%s cut at %d: got %v, %v", s.name, n, m, err)
			}
			if n < 4 && e.Kind != ErrShort {
				t.Errorf("%s cut at %d: %v", s.name, n, e)
			}
			if e.Kind != ErrShort && e.Kind != ErrCount {
				t.Errorf("%s cut at %d: %v", s.name, n, e)
			}
			if e.Field == "" || e.Offset > n {
				t.Errorf("%s cut at %d: %v", s.name, n, e)
			}
		}
	}
}

func TestSpec20_7_ShortNamesFieldAndOffset(t *testing.T) {
	b := mustAppend(t, movement(TypeMoveToObject))
	refuse(t, nil, ErrShort, "opcode", 0)
	refuse(t, b[:6], ErrShort, "guid", 4)
	refuse(t, b[:9], ErrShort, "instance stamp", 8)
	refuse(t, b[:13], ErrShort, "server-control stamp", 12)
	refuse(t, b[:14], ErrShort, "autonomous", 14)
	refuse(t, b[:15], ErrShort, "pad", 15)
	refuse(t, b[:18], ErrShort, "movement type", 16)
	refuse(t, b[:22], ErrShort, "target", 20)
	refuse(t, b[:31], ErrShort, "origin", 28)
	refuse(t, b[:50], ErrShort, "min distance", 48)
	refuse(t, b[:70], ErrShort, "run rate", 68)
	p := mustAppend(t, &PositionEvent{Guid: 1, Pack: pack()})
	refuse(t, p[:len(p)-3], ErrShort, "teleport stamp", len(p)-4)
	a := mustAppend(t, &MoveToState{Raw: NewRaw(), Place: here})
	refuse(t, a[:7], ErrShort, "action sequence", 4)
	refuse(t, a[:10], ErrShort, "sub-opcode", 8)
	c := mustAppend(t, create(false))
	refuse(t, c[:len(c)-24-5], ErrShort, "appearance stamp", len(c)-24-6)
}

// Row "longer".
func TestSpec20_7_Longer(t *testing.T) {
	for _, s := range samples() {
		if _, ok := s.m.(*Create); ok {
			continue // its end is not ours to find
		}
		b := mustAppend(t, s.m)
		for n := 1; n <= 3; n++ {
			if _, c := accept(t, append(bytes.Clone(b), make([]byte, n)...)); c.Trailing != 1 {
				t.Errorf("%s, %d zeros: %+v", s.name, n, c)
			}
		}
		for _, tail := range [][]byte{{1}, {0, 0, 9}, {0, 0, 0, 0}, make([]byte, 1000)} {
			long := append(bytes.Clone(b), tail...)
			refuse(t, long, ErrLong, "end", len(b))
			d := Decoder{Lenient: true}
			m, err := d.Decode(long)
			if err != nil || d.Counts.Trailing != 1 || d.Counts.Decoded != 1 {
				t.Fatalf("%s, lenient: %v, %+v", s.name, err, d.Counts)
			}
			if !bytes.Equal(mustAppend(t, m), b) {
				t.Errorf("%s: lenient decoding lost something", s.name)
			}
		}
	}
}

// Row "non-zero pad".
func TestSpec20_7_Pads(t *testing.T) {
	b := mustAppend(t, movement(TypeTurnToHeading))
	m, c := accept(t, put8(b, 15, 7))
	if c.Pads != 1 || c.Decoded != 1 {
		t.Errorf("counts %+v", c)
	}
	if !bytes.Equal(mustAppend(t, m), b) {
		t.Error("pads are written as zero")
	}
	one := NewState()
	one.Forward = 7
	b = mustAppend(t, state(one)) // its pads: one byte and two
	if _, c = accept(t, put8(put8(b, 15, 1), 27, 1)); c.Pads != 2 {
		t.Errorf("counts %+v", c)
	}
	for _, m := range []Message{&Delete{1, 2}, &PlayerTeleport{1}, &AutonomousPosition{Place: here}} {
		b = mustAppend(t, m)
		if _, c = accept(t, put8(b, len(b)-1, 1)); c.Pads != 1 {
			t.Errorf("%T: counts %+v", m, c)
		}
	}
	// 20 §2.6: the pad of a delete may be missing
	if m, _ = accept(t, mustAppend(t, &Delete{1, 2})[:10]); *m.(*Delete) != (Delete{1, 2}) {
		t.Errorf("%+v", m)
	}
	refuse(t, mustAppend(t, &Delete{1, 2})[:11], ErrShort, "pad", 10)
}

// Row "unknown opcode".
func TestSpec20_7_Opcode(t *testing.T) {
	for _, op := range []uint32{0, 1, 0xF74D, 0xF7B0, 0xFFFFFFFF} {
		refuse(t, put32(make([]byte, 40), 0, op), ErrOpcode, "opcode", 0)
	}
	refuse(t, put32(put32(make([]byte, 40), 0, OpAction), 8, 0xF7B1), ErrOpcode, "opcode", 8)
	var m Movement
	if err := DecodeMovement(mustAppend(t, &PositionEvent{Guid: 1, Pack: pack()}), &m); !errors.Is(err, ErrOpcode) {
		t.Error(err)
	}
	var d Decoder
	var a AutonomousPosition
	if err := d.Into(mustAppend(t, &Jump{Place: here}), &a); !errors.Is(err, ErrOpcode) {
		t.Error(err)
	}
}

// Row "movement type 1–5 or > 9".
func TestSpec20_7_MovementType(t *testing.T) {
	for typ := range 256 {
		m := movement(TypeTurnToHeading)
		b := put8(mustAppend(t, m), 16, byte(typ))
		b = append(b, make([]byte, 300)...)
		var d Decoder
		d.Lenient = true
		err := d.Movement(b, m)
		if bad := typ >= 1 && typ <= 5 || typ > 9; bad != errors.Is(err, ErrType) {
			t.Errorf("type %d: %v", typ, err)
		}
		if err == nil {
			continue
		}
		m.Body.Type = MovementType(typ)
		if _, err := m.Append(nil); err == nil {
			t.Errorf("type %d is written", typ)
		}
	}
	refuse(t, put8(mustAppend(t, movement(TypeTurnToHeading)), 16, 3), ErrType, "movement type", 16)
	refuse(t, put8(mustAppend(t, create(false)), 8, 0x10), ErrType, "appearance marker", 8)
}

// Row "option bits 2–7, state bits ≥ 12, …": ignored, preserved.
func TestSpec20_7_UnknownBits(t *testing.T) {
	for _, c := range []struct {
		m  Message
		at int
		or uint32
	}{
		{movement(TypeState), 16, 0xFC00},             // options, in the header's word
		{movement(TypeTurnToHeading), 16, 0xFF00},     // all of them mean nothing here
		{movement(TypeState), 20, 0xFFFFF000},         // state
		{movement(TypeTurnToHeading), 20, 0xFFFC0000}, // params
		{&MoveToState{Raw: fullRaw(1), Place: here}, 12, 0xFFFF0000},
		{&PositionEvent{Guid: 1, Pack: pack()}, 8, 0xFFFFFF80},
		{&Create{Guid: 7, Physics: NewDescriptor()}, 12, 0xFFF80400},
		{&AutonomousPosition{Place: here}, 52, 0xFE},
	} {
		b := mustAppend(t, c.m)
		b = put32(b, c.at, binary.LittleEndian.Uint32(b[c.at:])|c.or)
		m, _ := accept(t, b)
		if got := mustAppend(t, m); !bytes.Equal(got, b) {
			t.Errorf("%T at %d:\n got %x\nwant %x", c.m, c.at, got, b)
		}
	}
}

// Rows "action count" and "child count, …", and F65's counts.
func TestF65_Counts(t *testing.T) {
	one := fullState(1)
	b := mustAppend(t, state(one))
	for _, n := range []uint32{2, 3, 31} {
		refuse(t, put32(b, 20, binary.LittleEndian.Uint32(b[20:])&^0xF80|n<<7), ErrCount, "action count", 44)
	}
	b = mustAppend(t, state(NewState()))
	for _, n := range []uint32{255, 65535} { // five bits are the count, the rest is no bit of ours
		if m, err := Decode(put32(b, 20, n<<7)); err == nil {
			t.Errorf("count %d: %+v", n, m)
		}
	}
	raw := mustAppend(t, &MoveToState{Raw: NewRaw(), Place: here})
	for _, n := range []uint32{255, 65535} {
		refuse(t, put32(raw, 12, n<<11), ErrCount, "action count", 16)
	}
	refuse(t, put32(raw, 12, 31<<11), ErrCount, "action count", 16)

	c := create(false)
	b = mustAppend(t, c)
	children := bytes.Index(b, []byte{2, 0, 0, 0, 1, 0, 0, 0x80, 1, 0, 0, 0})
	length := 8 + 32 + 8 // guid, appearance, flags and state
	if children < 0 || binary.LittleEndian.Uint32(b[length:]) != 48 {
		t.Fatal("the sample is not laid out as thought")
	}
	for _, n := range []uint32{31, 255, 65535, 1 << 29, math.MaxUint32} {
		refuse(t, put32(b, children, n), ErrCount, "child count", children)
		if n > 31 {
			refuse(t, put32(b, length, n), ErrCount, "movement length", length)
		}
	}
	for _, n := range []uint32{1, 4, 44, 47, 49, 52} {
		refuse(t, put32(b, length, n), ErrCount, "movement length", length)
	}
	refuse(t, put32(b, length, 31), ErrCount, "action count", 80) // ends amid the actions
	bare := mustAppend(t, &Create{Guid: 7, Physics: NewDescriptor()})
	for at := 9; at <= 11; at++ {
		for _, n := range []byte{31, 255} {
			refuse(t, put8(bare, at, n), ErrCount, "appearance counts", 9)
		}
	}
	empty := put32(bare, 12, PhysMovement)
	empty = append(empty[:20:20], append([]byte{0, 0, 0, 0}, empty[20:]...)...)
	m, _ := accept(t, empty) // length 0: nothing more, no autonomous word
	if m.(*Create).Physics.HasBody || !bytes.Equal(mustAppend(t, m), empty) {
		t.Errorf("%+v", m)
	}
}

// A refusal allocates its error and nothing else, whatever the counts say; a
// decode into the caller's value allocates nothing.
func TestF65_Allocations(t *testing.T) {
	var d Decoder
	for _, s := range samples() {
		b := mustAppend(t, s.m)
		m := newMessage(s.m.Opcode())
		if n := testing.AllocsPerRun(20, func() {
			if err := d.Into(b, m); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%s: decoding allocates %v", s.name, n)
		}
		buf := make([]byte, 0, 1024)
		if n := testing.AllocsPerRun(20, func() {
			if _, err := s.m.Append(buf); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%s: encoding allocates %v", s.name, n)
		}
		if n := testing.AllocsPerRun(20, func() {
			if err := d.Into(b[:7], m); err == nil {
				t.Fatal("accepted")
			}
		}); n > 1 {
			t.Errorf("%s: refusing allocates %v", s.name, n)
		}
	}
	var mv Movement
	var p PositionEvent
	bm, bp := mustAppend(t, movement(TypeState)), mustAppend(t, &PositionEvent{Guid: 1, Pack: pack()})
	if n := testing.AllocsPerRun(20, func() {
		if DecodeMovement(bm, &mv) != nil || DecodePosition(bp, &p) != nil {
			t.Fatal("refused")
		}
	}); n != 0 {
		t.Errorf("the hot path allocates %v", n)
	}
	b := mustAppend(t, create(false))
	hostile := put32(b, bytes.Index(b, []byte{2, 0, 0, 0, 1, 0, 0, 0x80}), math.MaxUint32)
	var c Create
	if n := testing.AllocsPerRun(20, func() {
		if !errors.Is(d.Into(hostile, &c), ErrCount) {
			t.Fatal("accepted")
		}
	}); n > 1 {
		t.Errorf("a hostile count allocates %v", n)
	}
}

// Row "command index ≥ table".
func TestSpec20_7_CommandIndex(t *testing.T) {
	for _, i := range []uint16{0, 412, 0x1FFF, 0xFFFF} {
		s := State{Style: i, Forward: i, Sidestep: i, Turn: i, ForwardSpeed: 1, SidestepSpeed: 1, TurnSpeed: 1, Count: 1}
		s.Actions[0] = NewAction(i, 1, false, 1)
		m := state(s)
		m.Body.Style = i
		got, _ := accept(t, mustAppend(t, m))
		v := &got.(*Movement).Body
		if _, ok := v.HeaderStyle(); ok {
			t.Errorf("index %#x: a header style", i)
		}
		if _, ok := v.State.Actions[0].Command(); ok {
			t.Errorf("index %#x: an action", i)
		}
		if v.State.StyleID() != CommandNonCombat || v.State.ForwardID() != CommandReady ||
			v.State.SidestepID() != 0 || v.State.TurnID() != 0 {
			t.Errorf("index %#x: %x %x %x %x", i, v.State.StyleID(), v.State.ForwardID(), v.State.SidestepID(), v.State.TurnID())
		}
	}
	s := fullState(1)
	if s.StyleID() != 0x8000003E || s.ForwardID() != 0x44000007 || s.SidestepID() != 0x6500000F || s.TurnID() != 0x6500000D {
		t.Errorf("%x %x %x %x", s.StyleID(), s.ForwardID(), s.SidestepID(), s.TurnID())
	}
	if id, ok := s.Actions[0].Command(); id != 0x10000058 || !ok {
		t.Errorf("%x", id)
	}
	if id, ok := (&Body{Style: 0x3C}).HeaderStyle(); id != 0x8000003C || !ok {
		t.Errorf("%x", id)
	}
}

// notFinite reports whether any float in v is NaN or infinite.
func notFinite(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer:
		return notFinite(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if notFinite(v.Field(i)) {
				return true
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			if notFinite(v.Index(i)) {
				return true
			}
		}
	case reflect.Float32:
		return !space.Finite(float32(v.Float()))
	}
	return false
}

// Row "NaN or ±Inf in any float", and F61: written over any place of any
// message, none gets through.
func TestF61_NotFinite(t *testing.T) {
	for _, s := range samples() {
		b := mustAppend(t, s.m)
		if c, ok := s.m.(*Create); ok {
			b = b[:len(b)-len(c.Rest)]
		}
		refused := 0
		for at := 4; at+4 <= len(b); at++ {
			for _, v := range []uint32{0x7FC00000, 0xFFC00001, 0x7F800001, 0x7F800000, 0xFF800000, 0x7FFFFFFF} {
				m, err := Decode(put32(b, at, v))
				if err == nil && notFinite(reflect.ValueOf(m)) {
					t.Fatalf("%s: %#x at %d is accepted: %+v", s.name, v, at, m)
				}
				if errors.Is(err, ErrNotFinite) {
					refused++
				}
			}
		}
		if notFinite(reflect.ValueOf(s.m)) {
			t.Errorf("%s: a bad sample", s.name)
		}
		switch s.m.(type) {
		case *SetState, *Delete, *Parent, *Pickup, *PlayerTeleport, *CreatePlayer, *StopCommand, *AutonomyLevel:
			continue // hold no float
		}
		if refused == 0 && s.name != "movement least" && s.name != "movement odd" && s.name != "create bare" &&
			s.name != "create resting" {
			t.Errorf("%s: nothing was refused", s.name)
		}
	}
	b := mustAppend(t, movement(TypeMoveToObject))
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	refuse(t, putF(b, 32, nan), ErrNotFinite, "origin", 28)
	refuse(t, putF(b, 48, inf), ErrNotFinite, "min distance", 48)
	refuse(t, putF(b, 68, nan), ErrNotFinite, "run rate", 68)
	refuse(t, putF(mustAppend(t, movement(TypeTurnToObject)), 24, nan), ErrNotFinite, "heading", 24)
	refuse(t, putF(mustAppend(t, &Jump{Place: here}), 12, inf), ErrNotFinite, "extent", 12)
}

// Row "quaternion, squared norm off by more than 0.001".
func TestSpec20_7_Rotation(t *testing.T) {
	scaled := func(norm2 float64) PositionPack {
		p := pack()
		k := math.Sqrt(norm2)
		p.Place.Frame.Rotation = space.Quat{W: float32(0.6 * k), V: space.Vec3{0, 0, float32(-0.8 * k)}}
		return p
	}
	good := mustAppend(t, &PositionEvent{Guid: 1, Pack: pack()})
	for _, norm2 := range []float64{0.9991, 0.9999, 1, 1.0001, 1.0009} {
		p := scaled(norm2)
		b := putF(putF(good, 28, p.Place.Frame.Rotation.W), 32, p.Place.Frame.Rotation.V[2])
		m, _ := accept(t, b)
		if !bytes.Equal(mustAppend(t, m), b) {
			t.Errorf("norm² %v: the bits are not kept", norm2)
		}
		q := Settle(m.(*PositionEvent).Pack.Place).Frame.Rotation
		if math.Abs(space.Norm2(q)-1) > 2e-7 {
			t.Errorf("norm² %v: in use %v", norm2, q)
		}
	}
	for _, norm2 := range []float64{0, 0.5, 0.9989, 1.0011, 4, 1e30} {
		p := scaled(norm2)
		refuse(t, putF(putF(good, 28, p.Place.Frame.Rotation.W), 32, p.Place.Frame.Rotation.V[2]), ErrRotation, "rotation", 28)
		if _, err := (&PositionEvent{Guid: 1, Pack: p}).Append(nil); !errors.Is(err, ErrRotation) {
			t.Errorf("norm² %v is written: %v", norm2, err)
		}
	}
	c := create(false)
	b := mustAppend(t, c)
	refuse(t, putF(b, 104+16, 0.9), ErrRotation, "rotation", 104+16)
	refuse(t, putF(mustAppend(t, &AutonomousPosition{Place: here}), 28, 0), ErrRotation, "rotation", 28)
}

// Row "FLT_MAX as a distance".
func TestSpec20_7_NoLimit(t *testing.T) {
	b := mustAppend(t, movement(TypeMoveToPosition))
	for at := 36 + 4; at <= 36+12; at += 4 {
		m, _ := accept(t, putF(b, at, math.MaxFloat32))
		p := m.(*Movement).Body.Params
		if max(p.DistanceToObject, p.MinDistance, p.FailDistance) != math.MaxFloat32 {
			t.Errorf("%+v", p)
		}
	}
}

// Row "speed magnitudes": accepted, clamped on use.
func TestSpec20_7_Speed(t *testing.T) {
	s := NewState()
	s.ForwardSpeed, s.TurnSpeed = 1e30, -math.MaxFloat32
	m, _ := accept(t, mustAppend(t, state(s)))
	v := m.(*Movement).Body.State
	if v.ForwardSpeed != 1e30 || ClampSpeed(v.ForwardSpeed) != 1000 || ClampSpeed(v.TurnSpeed) != -1000 {
		t.Errorf("%+v", v)
	}
	for _, v := range []float32{0, 1, -1.5, 999, -1000, 1000} {
		if ClampSpeed(v) != v {
			t.Errorf("%v → %v", v, ClampSpeed(v))
		}
	}
	if v := (space.Vec3{600, 0, 800}); ClampVelocity(v) != v {
		t.Error(ClampVelocity(v))
	}
	for _, v := range []space.Vec3{{6000, 0, 8000}, {6e29, 0, 8e29}} {
		if d := space.Sub(ClampVelocity(v), space.Vec3{600, 0, 800}); space.Length(d) > 1e-3 {
			t.Error(ClampVelocity(v))
		}
	}
	huge := ClampVelocity(space.Vec3{math.MaxFloat32, -math.MaxFloat32, math.MaxFloat32})
	if !space.FiniteVec(huge) || math.Abs(float64(space.Length(huge))-1000) > 1e-2 || huge[1] >= 0 {
		t.Error(huge)
	}
}

// Row "coordinates", and F61's 1e30.
func TestSpec20_7_Coordinates(t *testing.T) {
	b := mustAppend(t, &PositionEvent{Guid: 1, Pack: pack()})
	indoors := put32(b, 12, 0xA9B40100)
	for axis, limit := range []float32{1e4, 1e4, 1e5} {
		at := 16 + 4*axis
		for _, sign := range []float32{1, -1} {
			accept(t, putF(b, at, sign*limit))
			refuse(t, putF(b, at, sign*limit*1.0001), ErrCoordinates, "origin", 16)
			accept(t, putF(indoors, at, sign*limit*1.0001))
			refuse(t, putF(b, at, sign*1e30), ErrCoordinates, "origin", 16)
			refuse(t, putF(indoors, at, sign*1e30), ErrCoordinates, "origin", 16)
		}
	}
	refuse(t, putF(mustAppend(t, movement(TypeMoveToObject)), 28, -20000), ErrCoordinates, "origin", 28)

	// normalised on use: one block east and one south of 0xA9B4
	m, _ := accept(t, putF(putF(b, 16, 200), 20, -10))
	p := Settle(m.(*PositionEvent).Pack.Place)
	if p.Cell != 0xAAB30008 || p.Frame.Origin[0] != 8 || p.Frame.Origin[1] != 182 {
		t.Errorf("%x %v", p.Cell, p.Frame.Origin)
	}
	if c, o := SettleOrigin(0xA9B4002A, space.Vec3{200, -10, 94}); c != p.Cell || o != p.Frame.Origin {
		t.Errorf("%x %v", c, o)
	}
	if c, o := SettleOrigin(0xA9B40100, space.Vec3{200, -10, 94}); c != 0xA9B40100 || o[0] != 200 {
		t.Errorf("%x %v", c, o)
	}
}

// Row "cell index 0 or 0x41..0xFF".
func TestSpec20_7_Cell(t *testing.T) {
	b := mustAppend(t, &PositionEvent{Guid: 1, Pack: pack()})
	for i := range uint32(0x10000) {
		c := put32(b, 12, 0xA9B40000|i)
		var e PositionEvent
		err := DecodePosition(c, &e)
		bad := i == 0 || i >= 0x41 && i <= 0xFF || i == 0xFFFE // the last is block info (10 §4)
		if bad != errors.Is(err, ErrCell) || !bad && err != nil {
			t.Fatalf("cell index %#x: %v", i, err)
		}
	}
	refuse(t, put32(b, 12, 0), ErrCell, "cell", 12) // F61
	refuse(t, put32(mustAppend(t, movement(TypeMoveToObject)), 24, 0xA9B40041), ErrCell, "cell", 24)
	refuse(t, put32(mustAppend(t, create(false)), 104, 0xA9B400FF), ErrCell, "cell", 104)
	refuse(t, put32(mustAppend(t, &AutonomousPosition{Place: here}), 12, 0xA9B40000), ErrCell, "cell", 12)
}

// Row "guid 0", of whatever names an object.
func TestSpec20_7_Guid(t *testing.T) {
	for _, s := range samples() {
		b := mustAppend(t, s.m)
		if g, ok := Guid(b); ok {
			if g == 0 {
				t.Errorf("%s: guid 0", s.name)
			}
			refuse(t, put32(b, 4, 0), ErrGuid, "", 4)
			if _, ok := Guid(put32(b, 4, 0)); ok {
				t.Errorf("%s: guid 0 is one", s.name)
			}
		} else if s.m.Opcode() != OpPlayerTeleport && binary.LittleEndian.Uint32(b) != OpAction {
			t.Errorf("%s: names no guid", s.name)
		}
	}
	refuse(t, put32(mustAppend(t, &Parent{Holder: 1, Held: 2}), 8, 0), ErrGuid, "held", 8)
	refuse(t, put32(mustAppend(t, movement(TypeMoveToObject)), 20, 0), ErrGuid, "target", 20)
	b := mustAppend(t, movement(TypeState))
	refuse(t, put32(b, len(b)-4, 0), ErrGuid, "sticky target", len(b)-4)
	b = mustAppend(t, create(false))
	at := bytes.Index(b, []byte{0x1E, 0, 0, 0x50})
	refuse(t, put32(b, at, 0), ErrGuid, "parent", at)
	at = bytes.Index(b, []byte{2, 0, 0, 0x80, 2, 0, 0, 0})
	refuse(t, put32(b, at, 0), ErrGuid, "child", at)
}

// Row "hold key > 2".
func TestSpec20_7_HoldKey(t *testing.T) {
	for v, want := range map[uint32]uint32{0: 0, 1: 1, 2: 2, 3: 0, 255: 0, math.MaxUint32: 0} {
		if HoldKey(v) != want {
			t.Errorf("%d → %d", v, HoldKey(v))
		}
		m, _ := accept(t, mustAppend(t, &DoCommand{HoldKey: v}))
		if m.(*DoCommand).HoldKey != v {
			t.Errorf("%+v", m)
		}
	}
}

// F60: the omitted components of a position pack, all sixteen ways.
func TestF60_OmittedComponents(t *testing.T) {
	for omit := range 16 {
		var q [4]float32 // w, x, y, z
		sent := 0
		for k := range q {
			if omit>>k&1 == 0 {
				sent++
			}
		}
		b := binary.LittleEndian.AppendUint32(nil, OpPosition)
		b = binary.LittleEndian.AppendUint32(b, 1)
		b = binary.LittleEndian.AppendUint32(b, uint32(omit)<<3|PackContact)
		b = binary.LittleEndian.AppendUint32(b, uint32(here.Cell))
		b = append(b, make([]byte, 12)...)
		for k := range q {
			if omit>>k&1 == 0 {
				q[k] = float32(1 / math.Sqrt(float64(sent)))
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(q[k]))
			}
		}
		b = append(b, 1, 0, 2, 0, 3, 0, 4, 0)
		if omit == 15 { // nothing sent is the zero quaternion, and no rotation
			refuse(t, b, ErrRotation, "rotation", 28)
			continue
		}
		m, c := accept(t, b)
		p := m.(*PositionEvent).Pack
		if r := p.Place.Frame.Rotation; r.W != q[0] || r.V != (space.Vec3{q[1], q[2], q[3]}) {
			t.Errorf("omit %04b: %v, want %v", omit, r, q)
		}
		if c.Trailing != 0 || len(b) != 36+4*sent || p.ForcePosition != 4 || !p.Contact() {
			t.Errorf("omit %04b: %+v", omit, p)
		}
		if !bytes.Equal(mustAppend(t, m), b) {
			t.Errorf("omit %04b: other bytes", omit)
		}
		fresh(m)
		if !bytes.Equal(mustAppend(t, m), b) {
			t.Errorf("omit %04b: the presence rule gives other bytes", omit)
		}
	}
}

// A writer drops −0.0 as well; one that was sent stays (20 §2.2, §3).
func TestSpec20_2_2_NegativeZero(t *testing.T) {
	p := pack()
	p.Place.Frame.Rotation.V[0] = float32(math.Copysign(0, -1))
	p.Fresh()
	if p.Flags&PackOmitX == 0 {
		t.Error("−0.0 is sent")
	}
	b := mustAppend(t, &AutonomousPosition{Place: p.Place})
	if !bytes.Contains(b, []byte{0, 0, 0, 0x80}) {
		t.Error("the raw components of a position lost a sign")
	}
}

func TestError_Text(t *testing.T) {
	_, err := Decode(mustAppend(t, movement(TypeMoveToObject))[:50])
	if got := err.Error(); got != "wire: message 0xf74c: min distance at offset 48: message too short" {
		t.Error(got)
	}
	for k := ErrShort; k < kindCount; k++ {
		if k.Error() == "" || k.Error() == "unknown kind" {
			t.Errorf("kind %d has no words", k)
		}
	}
	var a, b Counts
	a.Decoded, a.Pads, a.Trailing, a.rejected[ErrCell] = 1, 2, 3, 4
	b.Add(&a)
	b.Add(&a)
	if b.Decoded != 2 || b.Pads != 4 || b.Trailing != 6 || b.Rejected(ErrCell) != 8 || b.RejectedAll() != 8 || b.Rejected(200) != 0 {
		t.Errorf("%+v", b)
	}
}
