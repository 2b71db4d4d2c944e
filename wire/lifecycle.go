package wire

import "github.com/gait-engine/gait/space"

// VectorUpdate is 0xF74E (20 §2.4).
type VectorUpdate struct {
	Guid     uint32
	Velocity space.Vec3 // metres a second; clamp on use with ClampVelocity
	Omega    space.Vec3 // radians a second
	Instance uint16     // stamps
	Vector   uint16
}

// Opcode returns [OpVector].
func (m *VectorUpdate) Opcode() uint32 { return OpVector }

func (m *VectorUpdate) read(r *reader) {
	m.Guid = r.head(OpVector)
	m.Velocity = r.vec3("velocity")
	m.Omega = r.vec3("omega")
	m.Instance = r.u16("instance stamp")
	m.Vector = r.u16("vector stamp")
}

// Append appends the message to dst; on an error dst comes back as it was.
func (m *VectorUpdate) Append(dst []byte) ([]byte, error) {
	w := write(dst, OpVector)
	w.guid(m.Guid, "guid")
	w.vec3(m.Velocity, "velocity")
	w.vec3(m.Omega, "omega")
	w.u16(m.Instance)
	w.u16(m.Vector)
	return w.end()
}

// SetState is 0xF74B (20 §2.5).
type SetState struct {
	Guid     uint32
	State    uint32 // the physics state word (11 §2)
	Instance uint16 // stamps
	Stamp    uint16 // the state stamp
}

// Opcode returns [OpSetState].
func (m *SetState) Opcode() uint32 { return OpSetState }

func (m *SetState) read(r *reader) {
	m.Guid = r.head(OpSetState)
	m.State = r.u32("physics state")
	m.Instance = r.u16("instance stamp")
	m.Stamp = r.u16("state stamp")
}

// Append appends the message to dst; on an error dst comes back as it was.
func (m *SetState) Append(dst []byte) ([]byte, error) {
	w := write(dst, OpSetState)
	w.guid(m.Guid, "guid")
	w.u32(m.State)
	w.u16(m.Instance)
	w.u16(m.Stamp)
	return w.end()
}

// Delete is 0xF747 (20 §2.6). Its pad may be missing.
type Delete struct {
	Guid     uint32
	Instance uint16
}

// Opcode returns [OpDelete].
func (m *Delete) Opcode() uint32 { return OpDelete }

func (m *Delete) read(r *reader) {
	m.Guid = r.head(OpDelete)
	m.Instance = r.u16("instance stamp")
	if r.left() > 0 {
		r.align4()
	}
}

// Append appends the message to dst; on an error dst comes back as it was.
func (m *Delete) Append(dst []byte) ([]byte, error) {
	w := write(dst, OpDelete)
	w.guid(m.Guid, "guid")
	w.u16(m.Instance)
	w.align4()
	return w.end()
}

// Parent is 0xF749: held hangs on holder (20 §2.6).
type Parent struct {
	Holder         uint32
	Held           uint32
	Location       uint32 // key of a holding location in the holder's setup
	Placement      uint32 // resting pose key
	HolderInstance uint16 // stamps
	HeldPosition   uint16
}

// Opcode returns [OpParent].
func (m *Parent) Opcode() uint32 { return OpParent }

func (m *Parent) read(r *reader) {
	m.Holder = r.head(OpParent)
	m.Held = r.guid("held")
	m.Location = r.u32("location")
	m.Placement = r.u32("placement")
	m.HolderInstance = r.u16("holder's instance stamp")
	m.HeldPosition = r.u16("held's position stamp")
}

// Append appends the message to dst; on an error dst comes back as it was.
func (m *Parent) Append(dst []byte) ([]byte, error) {
	w := write(dst, OpParent)
	w.guid(m.Holder, "holder")
	w.guid(m.Held, "held")
	w.u32(m.Location)
	w.u32(m.Placement)
	w.u16(m.HolderInstance)
	w.u16(m.HeldPosition)
	return w.end()
}

// Pickup is 0xF74A: the object leaves the world but stays known (20 §2.6).
type Pickup struct {
	Guid     uint32
	Instance uint16 // stamps
	Position uint16
}

// Opcode returns [OpPickup].
func (m *Pickup) Opcode() uint32 { return OpPickup }

func (m *Pickup) read(r *reader) {
	m.Guid = r.head(OpPickup)
	m.Instance = r.u16("instance stamp")
	m.Position = r.u16("position stamp")
}

// Append appends the message to dst; on an error dst comes back as it was.
func (m *Pickup) Append(dst []byte) ([]byte, error) {
	w := write(dst, OpPickup)
	w.guid(m.Guid, "guid")
	w.u16(m.Instance)
	w.u16(m.Position)
	return w.end()
}

// PlayerTeleport is 0xF751: the player's teleport is pending. It moves
// nothing; the position event that follows does (20 §2.6).
type PlayerTeleport struct{ Teleport uint16 }

// Opcode returns [OpPlayerTeleport].
func (m *PlayerTeleport) Opcode() uint32 { return OpPlayerTeleport }

func (m *PlayerTeleport) read(r *reader) {
	if r.opcode = r.u32("opcode"); r.opcode != OpPlayerTeleport {
		r.fail(ErrOpcode, "opcode", 0)
	}
	m.Teleport = r.u16("teleport stamp")
	r.align4()
}

// Append appends the message to dst; on an error dst comes back as it was.
func (m *PlayerTeleport) Append(dst []byte) ([]byte, error) {
	w := write(dst, OpPlayerTeleport)
	w.u16(m.Teleport)
	w.align4()
	return w.end()
}

// CreatePlayer is 0xF746: it names the player, whose create comes later; a
// second one is to be ignored (20 §2.6).
type CreatePlayer struct{ Guid uint32 }

// Opcode returns [OpCreatePlayer].
func (m *CreatePlayer) Opcode() uint32 { return OpCreatePlayer }

func (m *CreatePlayer) read(r *reader) {
	m.Guid = r.head(OpCreatePlayer)
}

// Append appends the message to dst; on an error dst comes back as it was.
func (m *CreatePlayer) Append(dst []byte) ([]byte, error) {
	w := write(dst, OpCreatePlayer)
	w.guid(m.Guid, "guid")
	return w.end()
}
