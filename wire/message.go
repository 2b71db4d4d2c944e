package wire

import "encoding/binary"

// The opcodes of the messages that a server sends (20 §2).
const (
	OpPositionMovement uint32 = 0xF619
	OpCreate           uint32 = 0xF745
	OpCreatePlayer     uint32 = 0xF746
	OpDelete           uint32 = 0xF747
	OpPosition         uint32 = 0xF748
	OpParent           uint32 = 0xF749
	OpPickup           uint32 = 0xF74A
	OpSetState         uint32 = 0xF74B
	OpMovement         uint32 = 0xF74C
	OpVector           uint32 = 0xF74E
	OpPlayerTeleport   uint32 = 0xF751
	OpUpdate           uint32 = 0xF7DB
)

// OpOrdered is the envelope of what a server tells one player, in order (22 §8):
// nothing in it moves a remote, and it is no message here.
const OpOrdered uint32 = 0xF7B0

// OpAction is the envelope of every game action; the others are the actions'
// sub-opcodes (20 §3).
const (
	OpAction              uint32 = 0xF7B1
	ActJump               uint32 = 0xF61B
	ActMoveToState        uint32 = 0xF61C
	ActDoCommand          uint32 = 0xF61E
	ActTurnTo             uint32 = 0xF649
	ActStopCommand        uint32 = 0xF661
	ActAutonomyLevel      uint32 = 0xF752
	ActAutonomousPosition uint32 = 0xF753
	ActJumpNonAutonomous  uint32 = 0xF7C9
)

// Message is a decoded message.
type Message interface {
	// Opcode returns the message's opcode, for a game action its sub-opcode.
	Opcode() uint32
	// Append appends the encoded message to dst. On an error, an [*Error], dst
	// comes back as it was. It allocates nothing when dst has room.
	Append(dst []byte) ([]byte, error)

	read(r *reader)
}

// Opcode returns the opcode of b, for a game action its sub-opcode, 0 when b
// is too short to have one. Nothing else is checked.
func Opcode(b []byte) uint32 {
	if len(b) < 4 {
		return 0
	}
	op := binary.LittleEndian.Uint32(b)
	if op != OpAction {
		return op
	}
	if len(b) < 12 {
		return 0
	}
	return binary.LittleEndian.Uint32(b[8:])
}

// Guid returns the guid that b is about, the one whose instance gate comes
// first: of a parent message the holder. ok is false when b names none: a
// player teleport, a game action, a message that is not ours or too short.
func Guid(b []byte) (guid uint32, ok bool) {
	if len(b) < 8 {
		return 0, false
	}
	switch binary.LittleEndian.Uint32(b) {
	case OpPositionMovement, OpCreate, OpCreatePlayer, OpDelete, OpPosition, OpParent,
		OpPickup, OpSetState, OpMovement, OpVector, OpUpdate:
		guid = binary.LittleEndian.Uint32(b[4:])
		return guid, guid != 0
	}
	return 0, false
}

// Decoder decodes under one policy and counts what it sees. The zero Decoder is
// strict and ready. One goroutine at a time.
//
// The message decoded into is the caller's and is overwritten whole. After an
// error its content means nothing. Slices in it are views of the buffer.
type Decoder struct {
	// Lenient ignores, and counts, bytes after a message's end. Strict allows
	// only three zero bytes there (20 §7).
	Lenient bool
	Counts  Counts

	r reader
}

// Movement decodes a 0xF74C. It allocates nothing unless it refuses.
func (d *Decoder) Movement(b []byte, m *Movement) error {
	d.r = reader{b: b}
	m.read(&d.r)
	return d.end()
}

// Position decodes a 0xF748. It allocates nothing unless it refuses.
func (d *Decoder) Position(b []byte, m *PositionEvent) error {
	d.r = reader{b: b}
	m.read(&d.r)
	return d.end()
}

// Into decodes b into m, a message of any type; b must be of that type. It
// allocates nothing unless it refuses.
func (d *Decoder) Into(b []byte, m Message) error {
	d.r = reader{b: b}
	m.read(&d.r)
	return d.end()
}

// Decode decodes any message of this package into a new value. One that is not
// ours is ErrOpcode, and to be handed to others.
func (d *Decoder) Decode(b []byte) (Message, error) {
	m := newMessage(Opcode(b))
	if m == nil {
		d.r = reader{b: b}
		d.r.unknown()
		return nil, d.end()
	}
	if err := d.Into(b, m); err != nil {
		return nil, err
	}
	return m, nil
}

// unknown fails for a message that newMessage does not know.
func (r *reader) unknown() {
	r.opcode = r.u32("opcode")
	at := 0
	if r.opcode == OpAction {
		r.u32("action sequence")
		at = r.i
		r.opcode = r.u32("sub-opcode")
	}
	r.fail(ErrOpcode, "opcode", at)
}

// end settles what is left of the buffer, counts, and makes the error.
func (d *Decoder) end() error {
	r := &d.r
	trailing := r.left()
	if trailing > 0 && r.kind == 0 && !d.Lenient {
		at := r.i
		for _, b := range r.b[r.i:] {
			if b != 0 || trailing > 3 {
				r.fail(ErrLong, "end", at)
				break
			}
		}
	}
	r.b = nil // keep no hold of the caller's buffer
	if r.kind != 0 {
		d.Counts.rejected[r.kind]++
		return &Error{Kind: r.kind, Field: r.field, Offset: r.at, Opcode: r.opcode}
	}
	d.Counts.Decoded++
	d.Counts.Pads += uint64(r.pads)
	if trailing > 0 {
		d.Counts.Trailing++
	}
	return nil
}

// DecodeMovement decodes a 0xF74C strictly. It allocates nothing unless it refuses.
func DecodeMovement(b []byte, m *Movement) error {
	var d Decoder
	return d.Movement(b, m)
}

// DecodePosition decodes a 0xF748 strictly. It allocates nothing unless it refuses.
func DecodePosition(b []byte, m *PositionEvent) error {
	var d Decoder
	return d.Position(b, m)
}

// Decode decodes any message of this package strictly; see [Decoder.Decode].
func Decode(b []byte) (Message, error) {
	var d Decoder
	return d.Decode(b)
}

func newMessage(op uint32) Message {
	switch op {
	case OpPositionMovement:
		return new(PositionMovement)
	case OpCreate, OpUpdate:
		return new(Create)
	case OpCreatePlayer:
		return new(CreatePlayer)
	case OpDelete:
		return new(Delete)
	case OpPosition:
		return new(PositionEvent)
	case OpParent:
		return new(Parent)
	case OpPickup:
		return new(Pickup)
	case OpSetState:
		return new(SetState)
	case OpMovement:
		return new(Movement)
	case OpVector:
		return new(VectorUpdate)
	case OpPlayerTeleport:
		return new(PlayerTeleport)
	case ActJump:
		return new(Jump)
	case ActMoveToState:
		return new(MoveToState)
	case ActDoCommand:
		return new(DoCommand)
	case ActTurnTo:
		return new(TurnTo)
	case ActStopCommand:
		return new(StopCommand)
	case ActAutonomyLevel:
		return new(AutonomyLevel)
	case ActAutonomousPosition:
		return new(AutonomousPosition)
	case ActJumpNonAutonomous:
		return new(JumpNonAutonomous)
	}
	return nil
}
