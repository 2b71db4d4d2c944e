package wire

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/gait-engine/gait/space"
)

func sameBits(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) }

func unhex(tb testing.TB, s string) []byte {
	b, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// fresh sets a message's flags from its content.
func fresh(m Message) {
	switch m := m.(type) {
	case *Movement:
		m.Body.Fresh()
	case *PositionEvent:
		m.Pack.Fresh()
	case *PositionMovement:
		m.Pack.Fresh()
		m.Body.Fresh()
	case *Create:
		m.Physics.Fresh()
	case *MoveToState:
		m.Raw.Fresh()
	}
}

func bodyBytes(m *Body) []byte {
	var w writer
	m.write(&w)
	return w.b
}

var here = space.Position{
	Cell: 0xA9B4002A,
	Frame: space.Frame{
		Origin:   space.Vec3{126.5, 37.25, 94},
		Rotation: space.Quat{W: 0.6, V: space.Vec3{0, 0, -0.8}},
	},
}

func fullState(actions int) State {
	s := State{Style: 0x3E, Forward: 7, Sidestep: 0xF, Turn: 0xD, ForwardSpeed: 2.5, SidestepSpeed: -1.25, TurnSpeed: 1.5}
	for i := range actions {
		s.Actions[i] = NewAction(uint16(0x58+i), uint16(0x7FF0+i), i&1 == 1, 1+float32(i)/4)
	}
	s.Count = uint8(actions)
	return s
}

func body(typ MovementType) Body {
	long := DefaultParams()
	long.Flags, long.Speed, long.DesiredHeading, long.DistanceToObject = 0x1EE4F, 2, 90, 0.75
	short := DefaultParams()
	short.Flags, short.Speed, short.DesiredHeading = 0x1EE1F, 1.5, 270
	m := Body{Type: typ, Style: 0x3D}
	switch typ {
	case TypeState:
		m.State = fullState(2)
		m.Sticky = 0x80000351
		m.Options = OptionStandingLongJump
	case TypeMoveToObject:
		m.Target, m.Cell, m.Origin, m.Params, m.RunRate = 0x5000000A, here.Cell, here.Frame.Origin, long, 1.5
	case TypeMoveToPosition:
		m.Cell, m.Origin, m.Params, m.RunRate = 0x7F030144, space.Vec3{134.5, -193.25, -6}, long, 2.25
	case TypeTurnToObject:
		m.Target, m.Heading, m.Params = 0x5000000A, 45, short
	case TypeTurnToHeading:
		m.Params = short
	}
	m.Fresh()
	return m
}

func movement(typ MovementType) *Movement {
	return &Movement{Guid: 0x50000013, Instance: 4, Movement: 54, ServerControl: 28, Autonomous: 1, Body: body(typ)}
}

func pack() PositionPack {
	p := PositionPack{Place: here, Instance: 21, Position: 9, Teleport: 1, ForcePosition: 2}
	p.Fresh()
	p.Flags |= PackContact
	return p
}

func descriptor() Descriptor {
	p := NewDescriptor()
	p.State = 0x408
	p.HasBody, p.Body, p.BodyAutonomous = true, body(TypeState), 1
	p.Position = here
	p.MotionTable, p.SoundTable, p.ScriptTable, p.Setup = 0x09000001, 0x20000007, 0x3400001A, 0x02000001
	p.Parent, p.ParentLocation = 0x5000001E, 3
	p.AddChild(0x80000001, 1)
	p.AddChild(0x80000002, 2)
	p.Scale, p.Friction, p.Elasticity, p.Translucency = 0.5, 0.25, 0.0625, 0.75
	p.Velocity, p.Acceleration, p.Omega = space.Vec3{1, 2, 3}, space.Vec3{0, 0, -9.8}, space.Vec3{0, 0, 1.5}
	p.DefaultScript, p.DefaultScriptIntensity = 90, 1
	p.Stamps = Slots{1, 2, 3, 4, 5, 6, 7, 8, 9}
	p.Fresh()
	return p
}

// every swap, with packed ids of two and of four bytes
var swaps = []byte{
	0x11, 2, 1, 2,
	0x7E, 0x00, // base palette
	0x34, 0x12, 0, 8, // palette
	0x01, 0x80, 0x34, 0x12, 8, 16, // a wide one
	5, 0x10, 0x00, 0x02, 0x80, 0x99, 0x09, // texture
	1, 0x21, 0x00, 2, 0x03, 0x80, 0x22, 0x00, // models
}

func create(update bool) *Create {
	return &Create{
		Update: update, Guid: 0x8000033C, Physics: descriptor(),
		Appearance: Appearance{Palettes: 2, Textures: 1, Models: 2, Raw: swaps},
		Rest:       []byte("what follows is not ours"),
	}
}

func fullRaw(actions int) Raw {
	s := Raw{HoldKey: 2, Style: 0x8000003C, Forward: 0x45000005, ForwardHold: 2, ForwardSpeed: 1.5,
		Sidestep: 0x6500000F, SidestepHold: 1, SidestepSpeed: 0.5, Turn: 0x6500000D, TurnHold: 2, TurnSpeed: -1}
	for i := range actions {
		s.Actions[i] = NewAction(0x4C, uint16(i), true, 1)
	}
	s.Count = uint8(actions)
	s.Fresh()
	return s
}

// samples are fresh messages of every kind, each with its size by the layout.
// The ones of no recorded kind (20 §8) are all here.
func samples() []struct {
	name string
	m    Message
	size int
} {
	quad := Quad{4, 28, 1, 2}
	identity := pack()
	identity.Place.Frame.Rotation = space.IdentityQuat
	identity.Fresh()
	moving := pack()
	moving.Velocity, moving.Placement = space.Vec3{1, 0, -2}, 101
	moving.Place.Frame.Rotation = space.Quat{W: 0.5, V: space.Vec3{0.5, 0.5, 0.5}}
	moving.Fresh()
	noW := pack()
	noW.Place.Frame.Rotation = space.Quat{V: space.Vec3{0, 0, 1}}
	noW.Fresh()
	most := movement(TypeState)
	most.Body.State = fullState(31)
	most.Body.Fresh()
	odd := movement(TypeState) // one index only, so that a pad follows
	odd.Body.State = NewState()
	odd.Body.State.Forward = 7
	odd.Body.Sticky = 0
	odd.Body.Fresh()
	least := NewState()
	standing := &Movement{Guid: 1, Body: Body{State: least}}
	bare := &Create{Guid: 7, Physics: NewDescriptor()}
	resting := &Create{Guid: 7, Physics: NewDescriptor()}
	resting.Physics.Placement = 101
	resting.Physics.Fresh()
	return []struct {
		name string
		m    Message
		size int
	}{
		{"movement least", standing, 24},
		{"movement odd", odd, 28},
		{"movement state", movement(TypeState), 64},
		{"movement most", most, 296},
		{"movement to object", movement(TypeMoveToObject), 72},
		{"movement to position", movement(TypeMoveToPosition), 68},
		{"movement turn to object", movement(TypeTurnToObject), 40},
		{"movement turn to heading", movement(TypeTurnToHeading), 32},
		{"position", &PositionEvent{Guid: 0x50000002, Pack: pack()}, 44},
		{"position identity", &PositionEvent{Guid: 0x50000002, Pack: identity}, 40},
		{"position moving", &PositionEvent{Guid: 0x50000002, Pack: moving}, 68},
		{"position without w", &PositionEvent{Guid: 0x50000002, Pack: noW}, 40},
		{"position and movement", &PositionMovement{Guid: 0x50000002, Pack: moving, Movement: 3, ServerControl: 4,
			Autonomous: 1, Body: body(TypeState)}, 68 + 8 + 48},
		{"position and turn", &PositionMovement{Guid: 0x50000002, Pack: pack(), Body: body(TypeTurnToHeading)}, 44 + 8 + 16},
		{"vector", &VectorUpdate{0x50000002, space.Vec3{0, 0, 3.5}, space.Vec3{0, 1, 0}, 90, 1}, 36},
		{"set state", &SetState{0x50000002, 0x4400, 90, 1}, 16},
		{"delete", &Delete{0x80000334, 7}, 12},
		{"parent", &Parent{0x5000001D, 0x800001BB, 1, 1, 66, 2}, 24},
		{"pickup", &Pickup{0x800001BB, 7, 1}, 12},
		{"player teleport", &PlayerTeleport{9}, 8},
		{"create player", &CreatePlayer{0x50000002}, 8},
		{"create", create(false), 0},
		{"update", create(true), 0},
		{"create bare", bare, 8 + 4 + 8 + 20},
		{"create resting", resting, 8 + 4 + 8 + 4 + 20},
		{"move to state", &MoveToState{7, fullRaw(0), here, quad, 3}, 12 + 4 + 44 + 32 + 8 + 4},
		{"move to state most", &MoveToState{7, fullRaw(31), here, quad, 1}, 12 + 4 + 44 + 248 + 32 + 8 + 4},
		{"move to state least", &MoveToState{7, NewRaw(), here, quad, 0}, 12 + 4 + 32 + 8 + 4},
		{"autonomous position", &AutonomousPosition{5, here, quad, 1}, 56},
		{"jump", &Jump{22, 0.5, space.Vec3{0, 4, 6}, here, quad}, 68},
		{"turn to", &TurnTo{1, 90, -1}, 20},
		{"jump non-autonomous", &JumpNonAutonomous{2, 1}, 16},
		{"do command", &DoCommand{3, 0x1300004C, 1.5, 2}, 24},
		{"stop command", &StopCommand{4, 0x45000005, 1}, 20},
		{"autonomy level", &AutonomyLevel{5, 2}, 16},
	}
}

func mustAppend(tb testing.TB, m Message) []byte {
	tb.Helper()
	b, err := m.Append(nil)
	if err != nil {
		tb.Fatalf("%T: %v", m, err)
	}
	return b
}

// encode → decode → the same value → the same bytes, with the sizes of 20 §4.
func TestSpec20_4_SamplesRoundTrip(t *testing.T) {
	for _, s := range samples() {
		t.Run(s.name, func(t *testing.T) {
			b := mustAppend(t, s.m)
			if s.size != 0 && len(b) != s.size {
				t.Errorf("%d bytes, want %d", len(b), s.size)
			}
			var d Decoder
			m, err := d.Decode(b)
			if err != nil {
				t.Fatalf("%v\n%x", err, b)
			}
			if d.Counts.Pads != 0 || d.Counts.Decoded != 1 {
				t.Errorf("counts %+v", d.Counts)
			}
			if c, ok := s.m.(*Create); ok && len(c.Appearance.Raw) == 0 {
				c.Appearance.Raw = []byte{0x11, 0, 0, 0}
				c.Rest = []byte{}
			}
			if !reflect.DeepEqual(m, s.m) {
				t.Errorf("\n got %+v\nwant %+v", m, s.m)
			}
			if got := mustAppend(t, m); !bytes.Equal(got, b) {
				t.Errorf("\n got %x\nwant %x", got, b)
			}
			if Opcode(b) != m.Opcode() {
				t.Errorf("peeked %#x, decoded %#x", Opcode(b), m.Opcode())
			}
			// where the message starts in the buffer is nothing to its pads
			odd, err := m.Append([]byte{1, 2, 3})
			if err != nil || !bytes.Equal(odd[3:], b) {
				t.Errorf("appended at an odd place: %v\n got %x\nwant %x", err, odd[3:], b)
			}
		})
	}
}

// Messages that were never recorded, byte by byte as the layouts say.
func TestSpec20_8_UnrecordedLayouts(t *testing.T) {
	for _, c := range []struct {
		name, hex string
		check     func(m Message) bool
	}{
		{"0xF74C type 9", `4CF70000 01000050 0200 0300 0400 00 00 09 00 3D00 0FEE0100 0000C03F 0000B442`,
			func(m Message) bool {
				v := m.(*Movement)
				return v.Body.Type == TypeTurnToHeading && v.Body.Params.Speed == 1.5 && v.Body.Params.DesiredHeading == 90 &&
					v.Body.Params.WalkRunThreshold == 15 && v.Body.Params.FailDistance == math.MaxFloat32
			}},
		{"0xF619: three bytes of pad", `19F60000 01000050 78000000 2A00B4A9 00000040 00004040 00008040` +
			`0500 0600 0700 0800 0900 0A00 01 000000 00 02 3D00 00000000`, nil}, // no rotation at all: refused below
		{"0xF619", `19F60000 01000050 71000000 2A00B4A9 00000040 00004040 00008040 0000803F 0000803F 00000000 000000BF` +
			`0500 0600 0700 0800 0900 0A00 01 000000 00 02 3D00 02000000 0700 0000`,
			func(m Message) bool {
				v := m.(*PositionMovement)
				e, mv := v.Parts()
				return v.Pack.Place.Frame.Rotation == space.IdentityQuat && v.Pack.Velocity == space.Vec3{1, 0, -0.5} &&
					v.Movement == 9 && v.ServerControl == 10 && v.Autonomous == 1 && v.Body.State.Forward == 7 &&
					v.Body.StandingLongJump() && e.Pack.Position == 6 && mv.Instance == 5 && mv.Movement == 9
			}},
		{"0xF748 w omitted", `48F70000 01000050 38000000 2A00B4A9 00000040 00004040 00008040 0000803F 0100 0200 0300 0400`,
			func(m Message) bool {
				return m.(*PositionEvent).Pack.Place.Frame.Rotation == space.Quat{V: space.Vec3{0, 0, 1}}
			}},
		{"0xF649", `B1F70000 09000000 49F60000 0000B442 01000000`,
			func(m Message) bool { return *m.(*TurnTo) == TurnTo{9, 90, 1} }},
		{"0xF7C9", `B1F70000 09000000 C9F70000 0000003F`,
			func(m Message) bool { return *m.(*JumpNonAutonomous) == JumpNonAutonomous{9, 0.5} }},
		{"0xF61E", `B1F70000 09000000 1EF60000 05000045 0000803F 02000000`,
			func(m Message) bool { return *m.(*DoCommand) == DoCommand{9, 0x45000005, 1, 2} }},
		{"0xF661", `B1F70000 09000000 61F60000 05000045 02000000`,
			func(m Message) bool { return *m.(*StopCommand) == StopCommand{9, 0x45000005, 2} }},
		{"0xF752", `B1F70000 09000000 52F70000 02000000`,
			func(m Message) bool { return *m.(*AutonomyLevel) == AutonomyLevel{9, 2} }},
		{"0xF751", `51F70000 0900 0000`,
			func(m Message) bool { return *m.(*PlayerTeleport) == PlayerTeleport{9} }},
		{"0xF746", `46F70000 02000050`,
			func(m Message) bool { return *m.(*CreatePlayer) == CreatePlayer{0x50000002} }},
		{"0xF7DB", `DBF70000 02000050 11000000 00000200 08000000 65000000` +
			`0100 0200 0300 0400 0500 0600 0700 0800 0900 0000`,
			func(m Message) bool {
				v := m.(*Create)
				return v.Update && v.Physics.Placement == 101 && v.Physics.Stamps == Slots{1, 2, 3, 4, 5, 6, 7, 8, 9} &&
					v.Physics.Scale == 1 && v.Physics.Friction == 0.95 && v.Physics.Elasticity == 0.05
			}},
		{"raw state with a speed and an action", `B1F70000 09000000 1CF60000 10080000 00000040 4C00 0580 0000803F` +
			`2A00B4A9 00000040 00004040 00008040 0000803F 00000000 00000000 00000000 0100 0200 0300 0400 01 000000`,
			func(m Message) bool {
				v := m.(*MoveToState)
				return v.Raw.ForwardSpeed == 2 && v.Raw.Count == 1 && v.Raw.Actions[0] == NewAction(0x4C, 5, true, 1) &&
					v.Raw.Forward == CommandReady && v.Raw.Style == CommandNonCombat
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := unhex(t, c.hex)
			m, err := Decode(b)
			if c.check == nil {
				if !errors.Is(err, ErrRotation) {
					t.Errorf("got %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if !c.check(m) {
				t.Errorf("%+v", m)
			}
			if got := mustAppend(t, m); !bytes.Equal(got, b) {
				t.Errorf("\n got %x\nwant %x", got, b)
			}
		})
	}
}
