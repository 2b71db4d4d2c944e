package wire

import "github.com/gait-engine/gait/space"

// MovementType says which payload a [Body] has (20 §2.1, 01 §1.5). Only the
// types named here travel.
type MovementType uint8

const (
	TypeState          MovementType = 0
	TypeMoveToObject   MovementType = 6
	TypeMoveToPosition MovementType = 7
	TypeTurnToObject   MovementType = 8
	TypeTurnToHeading  MovementType = 9
)

// The option bits of a [Body], consulted for type 0 only (20 §2.1).
const (
	OptionSticky           = 0x01
	OptionStandingLongJump = 0x02
)

// Body is a movement body (20 §2.1). Which fields carry something follows from
// Type; the others are zero.
type Body struct {
	Type    MovementType
	Options uint8
	Style   uint16 // of the header, a command index; see HeaderStyle

	State  State  // type 0
	Sticky uint32 // type 0 with OptionSticky

	Target  uint32       // types 6 and 8: the object to go or turn to
	Cell    space.CellID // types 6 and 7; for 6 a fall-back while the target is unknown
	Origin  space.Vec3
	Heading float32 // type 8, degrees: replaces Params.DesiredHeading
	Params  Params  // types 6 to 9
	RunRate float32 // types 6 and 7: becomes the mover's own
}

// HeaderStyle returns the style to apply before the payload; ok is false when
// the index names none and nothing is to change (20 §2.1).
func (m *Body) HeaderStyle() (id uint32, ok bool) {
	id = Command(m.Style)
	return id, id != CommandInvalid
}

// StandingLongJump reports the option bit of a type 0 body.
func (m *Body) StandingLongJump() bool {
	return m.Type == TypeState && m.Options&OptionStandingLongJump != 0
}

// Fresh sets the flags of a type 0 body from its content: the state's, and the
// option bit for a sticky target.
func (m *Body) Fresh() {
	if m.Type != TypeState {
		return
	}
	m.State.Fresh()
	m.Options &^= OptionSticky
	if m.Sticky != 0 {
		m.Options |= OptionSticky
	}
}

// read expects a zeroed m.
func (m *Body) read(r *reader) {
	at := r.i
	head := r.u32("movement type")
	m.Type, m.Options, m.Style = MovementType(head), uint8(head>>8), uint16(head>>16)
	switch m.Type {
	case TypeState:
		m.State.read(r)
		if m.Options&OptionSticky != 0 {
			m.Sticky = r.guid("sticky target")
		}
	case TypeMoveToObject:
		m.Target = r.guid("target")
		m.Cell, m.Origin = r.origin()
		m.RunRate = m.Params.readLong(r)
	case TypeMoveToPosition:
		m.Cell, m.Origin = r.origin()
		m.RunRate = m.Params.readLong(r)
	case TypeTurnToObject:
		m.Target = r.guid("target")
		m.Heading = r.f32("heading")
		m.Params.readShort(r)
	case TypeTurnToHeading:
		m.Params.readShort(r)
	default:
		r.fail(ErrType, "movement type", at)
	}
}

func (m *Body) write(w *writer) {
	w.u8(uint8(m.Type))
	w.u8(m.Options)
	w.u16(m.Style)
	isState := m.Type == TypeState
	toObject, toPosition, turnToObject := m.Type == TypeMoveToObject, m.Type == TypeMoveToPosition, m.Type == TypeTurnToObject
	w.need(isState || m.State.empty(), "state")
	w.need((isState && m.Options&OptionSticky != 0) == (m.Sticky != 0), "sticky target")
	w.need(toObject || turnToObject || m.Target == 0, "target")
	w.need(toObject || toPosition || m.Cell == 0 && m.Origin == space.Vec3{} && m.RunRate == 0, "origin")
	w.need(turnToObject || m.Heading == 0, "heading")
	w.need(!isState || m.Params == Params{}, "params")
	switch m.Type {
	case TypeState:
		m.State.write(w)
		if m.Options&OptionSticky != 0 {
			w.guid(m.Sticky, "sticky target")
		}
	case TypeMoveToObject:
		w.guid(m.Target, "target")
		w.origin(m.Cell, m.Origin)
		m.Params.writeLong(w, m.RunRate)
	case TypeMoveToPosition:
		w.origin(m.Cell, m.Origin)
		m.Params.writeLong(w, m.RunRate)
	case TypeTurnToObject:
		w.guid(m.Target, "target")
		w.f32(m.Heading, "heading")
		m.Params.writeShort(w)
	case TypeTurnToHeading:
		m.Params.writeShort(w)
	default:
		w.fail(ErrType, "movement type")
	}
}

// Movement is 0xF74C, set object movement (20 §2.1). It says nothing of position.
type Movement struct {
	Guid          uint32
	Instance      uint16 // stamps, see MovementGate
	Movement      uint16
	ServerControl uint16
	Autonomous    uint8 // not 0: an echo of a client's own input
	Body          Body
}

// Opcode returns [OpMovement].
func (m *Movement) Opcode() uint32 { return OpMovement }

var movementFields = []field{{"instance stamp", 2}, {"movement stamp", 2}, {"server-control stamp", 2}, {"autonomous", 1}}

func (m *Movement) read(r *reader) {
	*m = Movement{}
	m.Guid = r.head(OpMovement)
	b := r.block(7, movementFields)
	m.Instance, m.Movement, m.ServerControl, m.Autonomous = u16(b, 0), u16(b, 2), u16(b, 4), b[6]
	r.align4()
	m.Body.read(r)
}

// Append appends the message to dst; on an error dst comes back as it was.
func (m *Movement) Append(dst []byte) ([]byte, error) {
	w := write(dst, OpMovement)
	w.guid(m.Guid, "guid")
	w.u16(m.Instance)
	w.u16(m.Movement)
	w.u16(m.ServerControl)
	w.u8(m.Autonomous)
	w.align4()
	m.Body.write(&w)
	return w.end()
}
