package replay

import (
	"math"
	"testing"

	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/wire"
	"github.com/gait-engine/gait/wire/transport"
)

// Whatever messages come, in whatever order, every one is in a count, nothing that is
// measured is not finite, and the engine's invariants hold.
func FuzzView(f *testing.F) {
	for _, m := range [][]byte{
		create(f, 0x80000001, place(here, 5, 5, 0), 0), position(f, 0x80000001, place(here, 6, 5, 0), 1, 0, true),
		encode(f, &wire.PlayerTeleport{Teleport: 1}), encode(f, &wire.CreatePlayer{Guid: 0x80000001}), {0x53, 0xF6, 0, 0}, {0xDF, 0xF7, 0, 0},
		encode(f, &wire.AutonomousPosition{Place: place(here, 5, 5, 0)}),
	} {
		f.Add(m, m, uint8(3), uint8(LeftOut))
	}
	f.Add(create(f, 0x80000001, place(here, 5, 5, 0), 0), position(f, 0x80000001, place(here, 6, 5, 0), 1, 0, true), uint8(40), uint8(AsRemote))
	for _, m := range []wire.Message{
		&wire.MoveToState{Raw: wire.NewRaw(), Place: place(here, 6, 5, 0), Bits: wire.ContactLongJump}, &wire.Jump{Extent: 1, Place: place(here, 6, 5, 0), Velocity: space.Vec3{0, 4, 5}},
	} {
		f.Add(encode(f, &wire.CreatePlayer{Guid: 0x80000001}), encode(f, m), uint8(40), uint8(Raw))
	}
	f.Fuzz(func(t *testing.T, a, b []byte, gap, own uint8) {
		v := newView(t, Own(own%uint8(len(ownNames))))
		positions := uint64(0)
		at := int64(0)
		for i, m := range [][]byte{a, b, a, create(t, 0x80000001, place(here, 5, 5, 0), 1), b, a, b} {
			if len(m) < 4 {
				continue
			}
			dir := transport.S2C
			if i%3 == 2 && wire.Opcode(m) != 0 {
				dir = transport.C2S
			}
			v.Message(at, dir, m)
			at += int64(gap) * 1e7
		}
		v.Finish(at)
		for _, n := range v.samples.fates {
			positions += n
		}
		account(t, v, positions)
		if err := v.Engine().Check(); err != nil {
			t.Fatal(err)
		}
		e := v.Errors()
		for _, s := range []Summary{e.Distance, e.Horizontal, e.Vertical, e.Heading, e.Moved} {
			if math.IsNaN(s.Mean) || math.IsInf(s.Mean, 0) || s.Largest < 0 {
				t.Fatalf("%+v", s)
			}
		}
	})
}
