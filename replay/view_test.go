package replay

import (
	"encoding/binary"
	"math"
	"sync"
	"testing"

	"github.com/gait-engine/gait/bench"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/wire"
	"github.com/gait-engine/gait/wire/transport"
)

var embedded = sync.OnceValues(bench.EmbeddedTables)

func tables(tb testing.TB) *dat.Tables {
	t, err := embedded()
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

func place(cell space.CellID, x, y, z float32) space.Position {
	return space.Position{Cell: cell, Frame: space.Frame{Origin: space.Vec3{x, y, z}, Rotation: space.IdentityQuat}}
}

func encode(tb testing.TB, m wire.Message) []byte {
	b, err := m.Append(nil)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// here is where most objects of these tests are.
const here = space.CellID(0xA9B40001)

func create(tb testing.TB, guid uint32, at space.Position, instance uint16) []byte {
	t := tables(tb)
	d := wire.NewDescriptor()
	d.State, d.Position = 0x400C08, at
	d.MotionTable, d.Setup = t.Motions[0].ID, t.Setups[0].ID
	d.Stamps[wire.SlotInstance] = instance
	d.Fresh()
	return encode(tb, &wire.Create{Guid: guid, Physics: d})
}

func position(tb testing.TB, guid uint32, at space.Position, stamp, teleport uint16, contact bool) []byte {
	m := &wire.PositionEvent{Guid: guid}
	m.Pack.Place, m.Pack.Position, m.Pack.Teleport = at, stamp, teleport
	if contact {
		m.Pack.Flags = wire.PackContact
	}
	m.Pack.Fresh()
	return encode(tb, m)
}

func newView(tb testing.TB, own Own) *View {
	v, err := NewView(ViewOptions{Tables: tables(tb), TicksPerSecond: 30, Own: own}, NewRoom())
	if err != nil {
		tb.Fatal(err)
	}
	return v
}

const second = int64(1e9)

// account checks that every position and message is in exactly one count.
func account(tb testing.TB, v *View, positions uint64) {
	tb.Helper()
	sum := uint64(0)
	for _, n := range v.samples.fates {
		sum += n
	}
	if sum != positions || v.samples.fates[Measured] != v.Errors().Distance.Count {
		tb.Errorf("%d of %d positions are in a count: %v", sum, positions, v.Errors().Positions)
	}
	outcomes := uint64(0)
	for _, o := range v.Seen.Outcomes {
		for _, n := range o {
			outcomes += n
		}
	}
	if v.Seen.Given != outcomes+v.Seen.Leftover-v.Seen.Replayed {
		tb.Errorf("%d messages, %d outcomes: %+v", v.Seen.Given, outcomes, v.Seen)
	}
}

// A message with time t is applied at the start of tick ⌊t·hz⌋ + 1 (22 §11.1).
func TestTicks(t *testing.T) {
	for at, tick := range map[int64]int64{-5: 1, 0: 1, 33_333_333: 1, 33_333_334: 2, second: 31, 3600 * second: 108001} {
		v := newView(t, LeftOut)
		v.Message(at, transport.S2C, create(t, 0x80000001, place(here, 5, 5, 0), 1))
		if v.Engine().Len() != 0 || v.Tick() != tick-1 {
			t.Errorf("at %d ns: tick %d, want %d", at, v.Tick()+1, tick)
		}
		v.Finish(at)
		if v.Tick() != tick || v.Engine().Len() != 1 {
			t.Errorf("at %d ns: tick %d with %d remotes", at, v.Tick(), v.Engine().Len())
		}
	}
}

// A position is measured against where the engine had the object just before, and
// against the position before it (22 §11.6).
func TestSample(t *testing.T) {
	v := newView(t, LeftOut)
	const guid = 0x50000007
	v.Message(0, transport.S2C, create(t, guid, place(here, 5, 5, 0), 0))
	v.Message(2*second, transport.S2C, position(t, guid, place(here, 8, 9, 0), 1, 0, true))
	v.Message(20*second, transport.S2C, position(t, guid, place(here, 8, 9, 12), 2, 0, true)) // it has arrived
	v.Finish(21 * second)
	account(t, v, 2)
	e := v.Errors()
	if e.Distance.Count != 2 || math.Abs(e.Distance.Mean-8.5) > 0.1 || e.Horizontal.Largest < 4.9 || e.Vertical.Largest != 12 || e.Moved.Count != 2 || e.Moved.Largest != 12 {
		t.Errorf("%+v", e)
	}
	if e.ByKind["players"].Count != 2 || e.ByAge["up to 5 s"].Count != 1 || e.ByAge["over 5 s"].Count != 1 || e.ByRange["no viewer"].Count != 2 || e.ByMotion["standing"].Count != 2 {
		t.Errorf("%+v", e)
	}
	if len(e.Worst) != 2 || e.Worst[0].Guid != guid || e.Worst[0].Seconds != 20 || math.Abs(e.Worst[0].Metres-12) > 0.05 || e.Worst[0].Age != 18 {
		t.Errorf("%+v", e.Worst)
	}
}

// What cannot be measured is in a count that says why (22 §11.3 to §11.6).
func TestFates(t *testing.T) {
	const guid = 0x80000007
	type said struct {
		at  int64
		msg []byte
	}
	created := said{0, create(t, guid, place(here, 5, 5, 0), 0)}
	// seen is a position event, x metres east in the block, on the ground
	seen := func(at int64, x float32, stamp uint16) said {
		return said{at, position(t, guid, place(here, x, 5, 0), stamp, 0, true)}
	}
	again := create(t, guid, place(here, 50, 5, 0), 0)
	binary.LittleEndian.PutUint32(again, wire.OpUpdate)
	for name, c := range map[string]struct {
		said []said
		fate Fate
	}{
		"not created":                       {[]said{seen(0, 5, 1)}, NotKnown},
		"just created":                      {[]said{created, seen(1, 6, 1)}, JustCreated},
		"the second in a tick":              {[]said{created, seen(second, 6, 1), seen(second, 7, 2)}, Again},
		"a newer teleport":                  {[]said{created, {second, position(t, guid, place(here, 90, 5, 0), 1, 1, true)}}, Teleported},
		"an older stamp":                    {[]said{created, seen(second, 90, 0xFFFF)}, Stale},
		"another instance":                  {[]said{{0, create(t, guid, place(here, 5, 5, 0), 0xFFFF)}, seen(second, 90, 1)}, NotKnown},
		"in the air":                        {[]said{created, {second, position(t, guid, place(here, 6, 5, 0), 1, 0, false)}}, NoContact},
		"two blocks away":                   {[]said{created, {second, position(t, guid, place(0xABB40001, 6, 5, 0), 1, 0, true)}}, FarBlock},
		"picked up":                         {[]said{created, {second, encode(t, &wire.Pickup{Guid: guid, Position: 1})}, seen(2*second, 6, 2)}, NoPlace},
		"broken":                            {[]said{{0, seen(0, 6, 1).msg[:20]}}, Broken},
		"own object":                        {[]said{{0, encode(t, &wire.CreatePlayer{Guid: guid})}, created, seen(second, 6, 1)}, OwnObject},
		"while in portal space":             {[]said{created, {second, encode(t, &wire.PlayerTeleport{Teleport: 1})}, seen(2*second, 6, 1)}, InPortal},
		"as the stay ends":                  {[]said{created, seen(second, 6, 1), {second, binary.LittleEndian.AppendUint32(nil, opEndStay)}}, Left},
		"before a rebuild in the same tick": {[]said{created, seen(second, 6, 1), {second, again}}, JustCreated},
	} {
		v := newView(t, LeftOut)
		for _, m := range c.said {
			v.Message(m.at, transport.S2C, m.msg)
		}
		v.Finish(3 * second)
		want, positions := uint64(0), uint64(1)
		if c.fate == Again {
			want, positions = 1, 2
		}
		if v.samples.fates[c.fate] != 1 || v.Errors().Distance.Count != want {
			t.Errorf("%s: %v", name, v.Errors().Positions)
		}
		account(t, v, positions)
	}
}

// A second create of what is there is a sample too (22 §11.2).
func TestMergeIsASample(t *testing.T) {
	v := newView(t, LeftOut)
	const guid = 0x80000007
	v.Message(0, transport.S2C, create(t, guid, place(here, 5, 5, 0), 0))
	again := &wire.Create{}
	if err := new(wire.Decoder).Into(create(t, guid, place(here, 8, 9, 0), 0), again); err != nil {
		t.Fatal(err)
	}
	again.Physics.Stamps[wire.SlotPosition] = 1
	v.Message(second, transport.S2C, encode(t, again))
	v.Finish(2 * second)
	account(t, v, 1)
	if e := v.Errors(); e.Distance.Count != 1 || e.Distance.Largest != 5 || v.Seen.Merged != 1 || v.Seen.Created != 1 {
		t.Errorf("%+v, %+v", e.Distance, v.Seen)
	}
}

// A stay ends when the player leaves the world, or comes as another: all objects go
// and what is parked; the same guid may come again (22 §11.2).
func TestStays(t *testing.T) {
	for name, end := range map[string][]byte{
		"leaves": binary.LittleEndian.AppendUint32(nil, opEndStay), "enters": binary.LittleEndian.AppendUint32(nil, opNewStay),
		"is another": encode(t, &wire.CreatePlayer{Guid: 0x50000002}),
	} {
		v := newView(t, LeftOut)
		v.Message(0, transport.S2C, encode(t, &wire.CreatePlayer{Guid: 0x50000001}))
		v.Message(0, transport.S2C, create(t, 0x80000001, place(here, 5, 5, 0), 0))
		v.Message(0, transport.S2C, position(t, 0x80000002, place(here, 6, 5, 0), 1, 0, true))
		v.Message(second, transport.S2C, end)
		if v.Engine().Len() != 0 {
			t.Errorf("%s: %d objects stay", name, v.Engine().Len())
		}
		v.Message(2*second, transport.S2C, create(t, 0x80000002, place(here, 5, 5, 0), 0))
		v.Message(3*second, transport.S2C, encode(t, &wire.Delete{Guid: 0x80000002}))
		v.Finish(4 * second)
		if v.Seen.Waiting != 1 {
			t.Errorf("%s: %+v", name, v.Seen)
		}
		if v.Seen.Stays != 2 || v.Seen.Created != 2 || v.Seen.Deleted != 1 || v.Seen.Replayed != 0 || v.Seen.BeforeGuids != 1 || v.Tick() != 121 {
			t.Errorf("%s: tick %d, %+v", name, v.Tick(), v.Seen)
		}
		account(t, v, 1)
	}
}

// What was parked is applied when its create comes (20 §5.1).
func TestParked(t *testing.T) {
	v := newView(t, LeftOut)
	v.Message(0, transport.S2C, position(t, 0x80000002, place(here, 6, 5, 0), 1, 0, true))
	v.Message(second, transport.S2C, create(t, 0x80000002, place(here, 5, 5, 0), 0))
	v.Message(2*second, transport.S2C, position(t, 0x80000003, place(here, 6, 5, 0), 1, 0, true))
	v.Finish(40 * second)
	if v.Seen.Replayed != 1 || v.Seen.Expired != 1 || v.Seen.BeforeGuids != 2 || v.Seen.Outcomes[wire.OpPosition][systems.Parked] != 2 {
		t.Errorf("%+v", v.Seen)
	}
	account(t, v, 2)
}

// An object more than a landblock from the viewer goes after 25 s; without a viewer,
// 25 s after its last message and a teleport (22 §11.4).
func TestOutOfSight(t *testing.T) {
	v := newView(t, LeftOut)
	v.Message(0, transport.S2C, create(t, 0x80000001, place(here, 5, 5, 0), 0))
	v.Message(0, transport.S2C, create(t, 0x80000002, place(0xAAB40001, 5, 5, 0), 0))
	step := func(from, to int64, at space.Position) {
		for s := from; s < to; s++ {
			m := &wire.AutonomousPosition{Place: at, Bits: wire.ContactGrounded}
			v.Message(s*second, transport.C2S, encode(t, m))
		}
	}
	step(1, 60, place(here, 9, 9, 0))
	if v.Engine().Len() != 2 {
		t.Fatalf("%d objects are near", v.Engine().Len())
	}
	step(60, 80, place(0xABB40001, 9, 9, 0)) // two blocks from the first, one from the second
	if v.Engine().Len() != 2 {
		t.Fatalf("%d objects after 20 s", v.Engine().Len())
	}
	step(80, 90, place(0xABB40001, 9, 9, 0))
	if v.Engine().Len() != 1 || v.Seen.Faded != 1 || v.Seen.Deleted != 0 {
		t.Errorf("%d objects after 30 s, %+v", v.Engine().Len(), v.Seen)
	}

	// Who goes while he is out of sight, by a message or into a pack, and comes again,
	// has been out of sight since then.
	for name, gone := range map[string]wire.Message{
		"deleted": &wire.Delete{Guid: 0x80000001}, "picked up": &wire.Pickup{Guid: 0x80000001, Position: 1},
	} {
		v = newView(t, LeftOut)
		step(0, 1, place(0xABB40001, 9, 9, 0))
		v.Message(0, transport.S2C, create(t, 0x80000001, place(here, 5, 5, 0), 0))
		v.Message(10*second, transport.S2C, encode(t, gone))
		if name == "deleted" {
			v.Message(40*second, transport.S2C, create(t, 0x80000001, place(here, 5, 5, 0), 0))
		} else {
			v.Message(40*second, transport.S2C, position(t, 0x80000001, place(here, 5, 5, 0), 2, 0, true))
		}
		v.Finish(60 * second)
		if v.Engine().Len() != 1 || v.Seen.Faded != 0 {
			t.Errorf("%s: %d objects 20 s after it came again, %+v", name, v.Engine().Len(), v.Seen)
		}
		step(69, 70, place(0xABB40001, 9, 9, 0))
		if v.Engine().Len() != 0 || v.Seen.Faded != 1 {
			t.Errorf("%s: %d objects after 29 s, %+v", name, v.Engine().Len(), v.Seen)
		}
	}

	v = newView(t, LeftOut)
	v.Message(0, transport.S2C, create(t, 0x80000001, place(here, 5, 5, 0), 0))
	v.Message(60*second, transport.S2C, encode(t, &wire.PlayerTeleport{Teleport: 1}))
	v.Finish(61 * second)
	v.Message(70*second, transport.S2C, create(t, 0x80000002, place(here, 5, 5, 0), 0))
	v.Finish(80 * second)
	if v.Engine().Len() != 1 || v.Seen.Faded != 1 {
		t.Errorf("%d objects, %+v", v.Engine().Len(), v.Seen)
	}
}

// The viewer is where the client last said he is, else where his object is, and
// decides what is near (22 §11.3); which one that is may be said after it has come.
func TestViewer(t *testing.T) {
	named := encode(t, &wire.CreatePlayer{Guid: 0x50000001})
	event := append(binary.LittleEndian.AppendUint32(nil, wire.OpOrdered), 1, 0, 0, 0x50, 1, 0, 0, 0, 0x29, 0, 0, 0)
	created := create(t, 0x50000001, place(here, 5, 5, 0), 0)
	seen := position(t, 0x50000001, place(here, 5, 5, 0), 1, 0, true)
	for _, order := range [][][]byte{{named, created}, {created, named}, {created, event}, {named, seen}, {seen, named}, {seen, named, created}} {
		viewer(t, order...)
	}
	// where he was in another stay says nothing
	v := newView(t, LeftOut)
	v.Message(0, transport.S2C, seen)
	v.Message(second, transport.S2C, binary.LittleEndian.AppendUint32(nil, opEndStay))
	v.Message(2*second, transport.S2C, named)
	if v.viewer != nil {
		t.Errorf("he looks from %v", v.viewer)
	}
}

func viewer(t *testing.T, begin ...[]byte) {
	t.Helper()
	v := newView(t, LeftOut)
	positions := uint64(3)
	for _, m := range begin {
		if wire.Opcode(m) == wire.OpPosition {
			positions++
		}
		v.Message(0, transport.S2C, m)
	}
	v.Message(0, transport.S2C, create(t, 0x80000001, place(here, 120, 5, 0), 0))
	v.Message(second, transport.S2C, position(t, 0x80000001, place(here, 120, 6, 0), 1, 0, true))
	v.Message(2*second, transport.S2C, position(t, 0x50000001, place(here, 60, 5, 0), 2, 0, true))
	v.Message(3*second, transport.S2C, position(t, 0x80000001, place(here, 120, 7, 0), 2, 0, true))
	v.Finish(4 * second)
	e := v.Errors()
	if e.ByRange["beyond 96 m"].Count != 1 || e.ByRange["within 96 m"].Count != 1 || v.Seen.OwnLeftOut == 0 {
		t.Errorf("%+v, %+v", e.ByRange, v.Seen)
	}
	account(t, v, positions)
}

// The own object is created and not moved, or moved as others see it (22 §11.3).
func TestOwnObject(t *testing.T) {
	for _, own := range []Own{LeftOut, AsRemote} {
		v := newView(t, own)
		event := append(binary.LittleEndian.AppendUint32(nil, wire.OpOrdered), 1, 0, 0, 0x50, 1, 0, 0, 0, 0x29, 0, 0, 0)
		v.Message(0, transport.S2C, event)
		v.Message(0, transport.S2C, create(t, 0x50000001, place(here, 5, 5, 0), 0))
		v.Message(second, transport.S2C, position(t, 0x50000001, place(here, 15, 5, 0), 1, 1, true))
		v.Finish(2 * second)
		view := v.Engine().View()
		want := float32(5)
		if own == AsRemote {
			want = 15
		}
		v.Message(3*second, transport.C2S, encode(t, &wire.AutonomousPosition{Place: place(here, want, 8, 4), Bits: wire.ContactGrounded}))
		if own := v.Errors().Own; own.Count != uint64(v.options.Own) || own.Count > 0 && own.Largest != 5 {
			t.Errorf("mode %d: %+v", v.options.Own, own)
		}
		if v.Own() != 0x50000001 || view.Len() != 1 || view.Origin[0][0] != want {
			t.Errorf("mode %d: own 0x%08X at %v", own, v.Own(), view.Origin)
		}
		account(t, v, 1)
	}
}

// Hostile captures ask for too much: of time, of messages at once (22 §12).
func TestViewBounds(t *testing.T) {
	v := newView(t, LeftOut)
	m := create(t, 0x80000001, place(here, 5, 5, 0), 0)
	for range MaxQueued/(len(m)+64) + 10 {
		v.Message(0, transport.S2C, m)
	}
	if v.Seen.Flooded < 9 || v.Seen.Flooded > 11 {
		t.Errorf("%+v", v.Seen)
	}
	v = newView(t, LeftOut)
	for op := range uint32(3 * MaxOpcodes) {
		v.Message(0, transport.S2C, binary.LittleEndian.AppendUint32(nil, op))
	}
	if len(v.Census.Lines()) != MaxOpcodes || v.Census.Others != 2*MaxOpcodes {
		t.Errorf("%d lines and %d others", len(v.Census.Lines()), v.Census.Others)
	}
	v = newView(t, LeftOut)
	v.Seen.Stays = MaxStays
	v.Message(0, transport.S2C, m)
	v.Message(0, transport.S2C, binary.LittleEndian.AppendUint32(nil, opNewStay))
	if !v.Seen.Cut {
		t.Error("there is no bound on stays")
	}
	v = newView(t, LeftOut)
	v.room.Guids = 2
	v.Message(0, transport.S2C, position(t, 0x80000009, place(here, 5, 5, 0), 1, 0, true))
	v.Message(0, transport.S2C, create(t, 0x80000001, place(here, 5, 5, 0), 0))
	v.Message(0, transport.S2C, create(t, 0x80000002, place(here, 5, 5, 0), 0))
	v.Finish(second)
	if v.Engine().Len() != 1 || v.Seen.Flooded != 1 || v.room.Guids != 0 {
		t.Errorf("%d objects, %+v", v.Engine().Len(), v.Seen)
	}
	v.Close()
	if v.room.Guids != 2 {
		t.Errorf("room for %d is given back", v.room.Guids)
	}
	if testing.Short() {
		return
	}
	v = newView(t, LeftOut)
	v.Message(math.MaxInt64, transport.S2C, m)
	v.Finish(math.MaxInt64)
	if !v.Seen.Cut || v.Tick() != MaxTicks {
		t.Errorf("tick %d, %+v", v.Tick(), v.Seen)
	}
}
