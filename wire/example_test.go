package wire_test

import (
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/wire"
)

// A movement event: somebody runs.
func ExampleDecodeMovement() {
	b, _ := hex.DecodeString("4cf700002a0000501500020000000100000000000600000007000000c03f0000")
	var m wire.Movement // kept from message to message
	if err := wire.DecodeMovement(b, &m); err != nil {
		fmt.Println(err)
		return
	}
	s := &m.Body.State
	fmt.Printf("%#x does %#x at %.3f\n", m.Guid, s.ForwardID(), wire.ClampSpeed(s.ForwardSpeed))

	slots := wire.Slots{wire.SlotInstance: 21, wire.SlotMovement: 1}
	fmt.Println(wire.InstanceGate(true, slots[wire.SlotInstance], m.Instance))
	verdict := wire.MovementGate(&slots, m.Movement, m.ServerControl, m.Autonomous != 0, false)
	fmt.Println(verdict, slots[wire.SlotMovement])
	verdict = wire.MovementGate(&slots, m.Movement, m.ServerControl, m.Autonomous != 0, false)
	fmt.Println(verdict)
	// Output:
	// 0x5000002a does 0x44000007 at 1.500
	// process
	// process 2
	// drop
}

// A position pack of a walker: what is 0 is not sent.
func ExamplePositionEvent_Append() {
	m := wire.PositionEvent{Guid: 0x5000001E, Pack: wire.PositionPack{
		Flags: wire.PackContact,
		Place: space.Position{Cell: 0x9DAF0029, Frame: space.Frame{
			Origin: space.Vec3{141.5, 20.25, 137}, Rotation: space.IdentityQuat,
		}},
		Instance: 21, Position: 9, Teleport: 1,
	}}
	m.Pack.Fresh()
	b, err := m.Append(nil)
	fmt.Printf("%x %v\n", b, err)
	fmt.Printf("%#x\n", m.Pack.Flags)
	// Output:
	// 48f700001e000050740000002900af9d00800d430000a241000009430000803f1500090001000000 <nil>
	// 0x74
}

// Refusals say what, where and why.
func ExampleDecoder() {
	// running, at a speed that is no number
	b, _ := hex.DecodeString("4cf70000020000505a000200000001000000000006000000" + "0700" + "0000c07f" + "0000")
	var d wire.Decoder
	_, err := d.Decode(b)
	fmt.Println(err)
	fmt.Println(errors.Is(err, wire.ErrNotFinite), d.Counts.Rejected(wire.ErrNotFinite))
	// Output:
	// wire: message 0xf74c: forward speed at offset 26: float not finite
	// true 1
}
