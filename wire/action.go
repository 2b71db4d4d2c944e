package wire

import "github.com/gait-engine/gait/space"

// Quad are the four stamps that three of the client's messages end with,
// copied from the player's slots 8, 5, 4 and 6 (20 §3). See ClientGate.
type Quad struct {
	Instance      uint16
	ServerControl uint16
	Teleport      uint16
	ForcePosition uint16
}

var quadFields = []field{{"instance stamp", 2}, {"server-control stamp", 2}, {"teleport stamp", 2}, {"force-position stamp", 2}}

func (q *Quad) read(r *reader) {
	b := r.block(8, quadFields)
	*q = Quad{u16(b, 0), u16(b, 2), u16(b, 4), u16(b, 6)}
}

func (q *Quad) write(w *writer) {
	w.u16(q.Instance)
	w.u16(q.ServerControl)
	w.u16(q.Teleport)
	w.u16(q.ForcePosition)
}

// envelope reads what every game action starts with, the counter of all
// actions between the opcodes.
func (r *reader) envelope(sub uint32) (sequence uint32) {
	if op := r.u32("opcode"); op != OpAction {
		r.opcode = op
		r.fail(ErrOpcode, "opcode", 0)
	}
	sequence = r.u32("action sequence")
	r.opcode = r.u32("sub-opcode")
	if r.opcode != sub {
		r.fail(ErrOpcode, "sub-opcode", 8)
	}
	return sequence
}

func writeAction(dst []byte, sequence, sub uint32) writer {
	w := write(dst, OpAction)
	w.opcode = sub
	w.u32(sequence)
	w.u32(sub)
	return w
}

// The bits of a contact byte (20 §3).
const (
	ContactGrounded = 0x01 // in contact and on a walkable surface
	ContactLongJump = 0x02 // standing long jump; 0xF61C only
)

// MoveToState is the action 0xF61C: the client's keys changed (20 §3).
type MoveToState struct {
	Sequence uint32
	Raw      Raw
	Place    space.Position // as sent; Settle it on use
	Stamps   Quad
	Bits     uint8 // Contact… bits
}

// Opcode returns [ActMoveToState].
func (m *MoveToState) Opcode() uint32 { return ActMoveToState }

// Contact reports whether the player stands on a walkable surface.
func (m *MoveToState) Contact() bool { return m.Bits&ContactGrounded != 0 }

// LongJump reports a standing long jump.
func (m *MoveToState) LongJump() bool { return m.Bits&ContactLongJump != 0 }

func (m *MoveToState) read(r *reader) {
	m.Sequence = r.envelope(ActMoveToState)
	m.Raw.read(r)
	m.Place = r.position()
	m.Stamps.read(r)
	m.Bits = r.u8("contact")
	r.align4()
}

// Append appends the message to dst; on an error dst comes back as it was.
func (m *MoveToState) Append(dst []byte) ([]byte, error) {
	w := writeAction(dst, m.Sequence, ActMoveToState)
	m.Raw.write(&w)
	w.position(&m.Place)
	m.Stamps.write(&w)
	w.u8(m.Bits)
	w.align4()
	return w.end()
}

// AutonomousPosition is the action 0xF753 (20 §3).
type AutonomousPosition struct {
	Sequence uint32
	Place    space.Position // as sent; Settle it on use
	Stamps   Quad
	Bits     uint8 // ContactGrounded
}

// Opcode returns [ActAutonomousPosition].
func (m *AutonomousPosition) Opcode() uint32 { return ActAutonomousPosition }

// Contact reports whether the player stands on a walkable surface.
func (m *AutonomousPosition) Contact() bool { return m.Bits&ContactGrounded != 0 }

func (m *AutonomousPosition) read(r *reader) {
	m.Sequence = r.envelope(ActAutonomousPosition)
	m.Place = r.position()
	m.Stamps.read(r)
	m.Bits = r.u8("contact")
	r.align4()
}

// Append appends the message to dst; on an error dst comes back as it was.
func (m *AutonomousPosition) Append(dst []byte) ([]byte, error) {
	w := writeAction(dst, m.Sequence, ActAutonomousPosition)
	w.position(&m.Place)
	m.Stamps.write(&w)
	w.u8(m.Bits)
	w.align4()
	return w.end()
}

// Jump is the action 0xF61B (20 §3).
type Jump struct {
	Sequence uint32
	Extent   float32    // 0..1
	Velocity space.Vec3 // metres a second in the player's own axes; clamp on use with ClampVelocity
	Place    space.Position
	Stamps   Quad
}

// Opcode returns [ActJump].
func (m *Jump) Opcode() uint32 { return ActJump }

func (m *Jump) read(r *reader) {
	m.Sequence = r.envelope(ActJump)
	m.Extent = r.f32("extent")
	m.Velocity = r.vec3("local velocity")
	m.Place = r.position()
	m.Stamps.read(r)
	r.align4()
}

// Append appends the message to dst; on an error dst comes back as it was.
func (m *Jump) Append(dst []byte) ([]byte, error) {
	w := writeAction(dst, m.Sequence, ActJump)
	w.f32(m.Extent, "extent")
	w.vec3(m.Velocity, "local velocity")
	w.position(&m.Place)
	m.Stamps.write(&w)
	w.align4()
	return w.end()
}

// TurnTo is the action 0xF649 (20 §3).
type TurnTo struct {
	Sequence uint32
	Heading  float32 // degrees
	Run      int32
}

// Opcode returns [ActTurnTo].
func (m *TurnTo) Opcode() uint32 { return ActTurnTo }

func (m *TurnTo) read(r *reader) {
	m.Sequence = r.envelope(ActTurnTo)
	m.Heading = r.f32("degrees")
	m.Run = int32(r.u32("run"))
}

// Append appends the message to dst; on an error dst comes back as it was.
func (m *TurnTo) Append(dst []byte) ([]byte, error) {
	w := writeAction(dst, m.Sequence, ActTurnTo)
	w.f32(m.Heading, "degrees")
	w.u32(uint32(m.Run))
	return w.end()
}

// JumpNonAutonomous is the action 0xF7C9 (20 §3).
type JumpNonAutonomous struct {
	Sequence uint32
	Extent   float32 // 0..1
}

// Opcode returns [ActJumpNonAutonomous].
func (m *JumpNonAutonomous) Opcode() uint32 { return ActJumpNonAutonomous }

func (m *JumpNonAutonomous) read(r *reader) {
	m.Sequence = r.envelope(ActJumpNonAutonomous)
	m.Extent = r.f32("extent")
}

// Append appends the message to dst; on an error dst comes back as it was.
func (m *JumpNonAutonomous) Append(dst []byte) ([]byte, error) {
	w := writeAction(dst, m.Sequence, ActJumpNonAutonomous)
	w.f32(m.Extent, "extent")
	return w.end()
}

// DoCommand is the action 0xF61E, do movement command (20 §3).
type DoCommand struct {
	Sequence uint32
	Command  uint32  // full id
	Speed    float32 // clamp on use with ClampSpeed
	HoldKey  uint32  // pass through HoldKey on use
}

// Opcode returns [ActDoCommand].
func (m *DoCommand) Opcode() uint32 { return ActDoCommand }

func (m *DoCommand) read(r *reader) {
	m.Sequence = r.envelope(ActDoCommand)
	m.Command = r.u32("command")
	m.Speed = r.f32("speed")
	m.HoldKey = r.u32("hold key")
}

// Append appends the message to dst; on an error dst comes back as it was.
func (m *DoCommand) Append(dst []byte) ([]byte, error) {
	w := writeAction(dst, m.Sequence, ActDoCommand)
	w.u32(m.Command)
	w.f32(m.Speed, "speed")
	w.u32(m.HoldKey)
	return w.end()
}

// StopCommand is the action 0xF661, stop movement command (20 §3).
type StopCommand struct {
	Sequence uint32
	Command  uint32 // full id
	HoldKey  uint32 // pass through HoldKey on use
}

// Opcode returns [ActStopCommand].
func (m *StopCommand) Opcode() uint32 { return ActStopCommand }

func (m *StopCommand) read(r *reader) {
	m.Sequence = r.envelope(ActStopCommand)
	m.Command = r.u32("command")
	m.HoldKey = r.u32("hold key")
}

// Append appends the message to dst; on an error dst comes back as it was.
func (m *StopCommand) Append(dst []byte) ([]byte, error) {
	w := writeAction(dst, m.Sequence, ActStopCommand)
	w.u32(m.Command)
	w.u32(m.HoldKey)
	return w.end()
}

// AutonomyLevel is the action 0xF752 (20 §3).
type AutonomyLevel struct {
	Sequence uint32
	Level    uint32
}

// Opcode returns [ActAutonomyLevel].
func (m *AutonomyLevel) Opcode() uint32 { return ActAutonomyLevel }

func (m *AutonomyLevel) read(r *reader) {
	m.Sequence = r.envelope(ActAutonomyLevel)
	m.Level = r.u32("level")
}

// Append appends the message to dst; on an error dst comes back as it was.
func (m *AutonomyLevel) Append(dst []byte) ([]byte, error) {
	w := writeAction(dst, m.Sequence, ActAutonomyLevel)
	w.u32(m.Level)
	return w.end()
}
