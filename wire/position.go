package wire

import "github.com/gait-engine/gait/space"

// The flag bits of a [PositionPack] (20 §2.2). The four orientation bits are
// inverted: set means not sent, and a component not sent is 0, w included.
const (
	PackVelocity  = 0x01
	PackPlacement = 0x02
	PackContact   = 0x04
	PackOmitW     = 0x08
	PackOmitX     = 0x10
	PackOmitY     = 0x20
	PackOmitZ     = 0x40

	packFields = PackVelocity | PackPlacement | PackOmitW | PackOmitX | PackOmitY | PackOmitZ
)

// PositionPack is where an object is, with its stamps (20 §2.2).
type PositionPack struct {
	Flags         uint32         // as received; Fresh derives them from the content
	Place         space.Position // as sent; Settle it on use
	Velocity      space.Vec3     // metres a second; carried, a remote's placement does not use it
	Placement     uint32         // resting pose key, with PackPlacement
	Instance      uint16         // stamps, see PositionGate
	Position      uint16
	Teleport      uint16
	ForcePosition uint16
}

// Settle has Place be one in use, as [Settle] has it.
func (p *PositionPack) Settle() { settle(&p.Place) }

// Contact reports whether the object stands on something.
func (p *PositionPack) Contact() bool { return p.Flags&PackContact != 0 }

// Fresh sets the flags from the content (20 §6, 15 §6): what is exactly 0 is
// not sent. The contact bit and bits of no meaning stay as they are, and so
// does the placement bit when the placement is 0, which is a legal key.
func (p *PositionPack) Fresh() {
	f := p.Flags &^ (packFields &^ PackPlacement)
	set := func(bit uint32, on bool) {
		if on {
			f |= bit
		}
	}
	q := p.Place.Frame.Rotation
	set(PackVelocity, p.Velocity != space.Vec3{})
	set(PackPlacement, p.Placement != 0)
	set(PackOmitW, q.W == 0)
	set(PackOmitX, q.V[0] == 0)
	set(PackOmitY, q.V[1] == 0)
	set(PackOmitZ, q.V[2] == 0)
	p.Flags = f
}

var (
	packHead   = []field{{"position flags", 4}, {"cell", 4}, {"origin", 12}}
	packStamps = []field{{"instance stamp", 2}, {"position stamp", 2}, {"teleport stamp", 2}, {"force-position stamp", 2}}
)

// read expects a zeroed p.
func (p *PositionPack) read(r *reader) {
	at := r.i
	b := r.block(20, packHead)
	f := u32(b, 0)
	c, x, y, z := space.CellID(u32(b, 4)), f32(b, 8), f32(b, 12), f32(b, 16)
	r.inBounds(c, x, y, z, at+4)
	p.Flags, p.Place.Cell = f, c
	o, q := &p.Place.Frame.Origin, &p.Place.Frame.Rotation
	o[0], o[1], o[2] = x, y, z
	at = r.i
	var qw, qx, qy, qz float32
	if f&PackOmitW == 0 {
		qw = r.f32("qw")
	}
	if f&PackOmitX == 0 {
		qx = r.f32("qx")
	}
	if f&PackOmitY == 0 {
		qy = r.f32("qy")
	}
	if f&PackOmitZ == 0 {
		qz = r.f32("qz")
	}
	if !unit(qw, qx, qy, qz) {
		r.fail(ErrRotation, "rotation", at)
	}
	q.W, q.V[0], q.V[1], q.V[2] = qw, qx, qy, qz
	if f&PackVelocity != 0 {
		p.Velocity = r.vec3("velocity")
	}
	if f&PackPlacement != 0 {
		p.Placement = r.u32("placement")
	}
	b = r.block(8, packStamps)
	p.Instance, p.Position, p.Teleport, p.ForcePosition = u16(b, 0), u16(b, 2), u16(b, 4), u16(b, 6)
}

func (p *PositionPack) write(w *writer) {
	f, q := p.Flags, p.Place.Frame.Rotation
	w.u32(f)
	w.origin(p.Place.Cell, p.Place.Frame.Origin)
	w.unit(q)
	component := func(omit uint32, v float32, field string) {
		if f&omit == 0 {
			w.f32(v, field)
		} else {
			w.need(v == 0, field)
		}
	}
	component(PackOmitW, q.W, "qw")
	component(PackOmitX, q.V[0], "qx")
	component(PackOmitY, q.V[1], "qy")
	component(PackOmitZ, q.V[2], "qz")
	if f&PackVelocity != 0 {
		w.vec3(p.Velocity, "velocity")
	} else {
		w.need(p.Velocity == space.Vec3{}, "velocity")
	}
	if f&PackPlacement != 0 {
		w.u32(p.Placement)
	} else {
		w.need(p.Placement == 0, "placement")
	}
	w.u16(p.Instance)
	w.u16(p.Position)
	w.u16(p.Teleport)
	w.u16(p.ForcePosition)
}

// PositionEvent is 0xF748 (20 §2.2).
type PositionEvent struct {
	Guid uint32
	Pack PositionPack
}

// Opcode returns [OpPosition].
func (m *PositionEvent) Opcode() uint32 { return OpPosition }

func (m *PositionEvent) read(r *reader) {
	*m = PositionEvent{}
	m.Guid = r.head(OpPosition)
	m.Pack.read(r)
}

// Append appends the message to dst; on an error dst comes back as it was.
func (m *PositionEvent) Append(dst []byte) ([]byte, error) {
	w := write(dst, OpPosition)
	w.guid(m.Guid, "guid")
	m.Pack.write(&w)
	return w.end()
}

// PositionMovement is 0xF619, a position and a movement in one (20 §2.3). The
// position goes first; the movement follows only if the position's instance
// stamp passed its gate.
type PositionMovement struct {
	Guid          uint32
	Pack          PositionPack
	Movement      uint16 // stamps
	ServerControl uint16
	Autonomous    uint8
	Body          Body
}

// Opcode returns [OpPositionMovement].
func (m *PositionMovement) Opcode() uint32 { return OpPositionMovement }

func (m *PositionMovement) read(r *reader) {
	*m = PositionMovement{}
	m.Guid = r.head(OpPositionMovement)
	m.Pack.read(r)
	b := r.block(5, movementFields[1:])
	m.Movement, m.ServerControl, m.Autonomous = u16(b, 0), u16(b, 2), b[4]
	r.align4()
	m.Body.read(r)
}

// Append appends the message to dst; on an error dst comes back as it was.
func (m *PositionMovement) Append(dst []byte) ([]byte, error) {
	w := write(dst, OpPositionMovement)
	w.guid(m.Guid, "guid")
	m.Pack.write(&w)
	w.u16(m.Movement)
	w.u16(m.ServerControl)
	w.u8(m.Autonomous)
	w.align4()
	m.Body.write(&w)
	return w.end()
}

// Parts returns the message as the two that it stands for.
func (m *PositionMovement) Parts() (PositionEvent, Movement) {
	return PositionEvent{Guid: m.Guid, Pack: m.Pack}, Movement{
		Guid: m.Guid, Instance: m.Pack.Instance, Movement: m.Movement,
		ServerControl: m.ServerControl, Autonomous: m.Autonomous, Body: m.Body,
	}
}
