package wire

// Slots are an object's nine stamps (20 §5, 11 §11). The gates below look at nothing
// else than them and a message's stamps. They change them in place: small stores that
// are read back as one wide copy stall, and this is the hottest path there is.
type Slots [9]uint16

// The slots, in the order of the descriptor (20 §2.7).
const (
	SlotPosition = iota
	SlotMovement
	SlotState
	SlotVector
	SlotTeleport
	SlotServerControl
	SlotForcePosition
	SlotAppearance
	SlotInstance
)

// Newer reports whether stamp b is newer than a (20 §5).
func Newer(a, b uint16) bool {
	if a < b {
		return b-a <= 0x7FFF
	}
	return a-b > 0x7FFF
}

// Take is "test and take": ok when msg is newer than the slot, which then holds it.
func Take(s *Slots, slot int, msg uint16) (ok bool) {
	if !Newer(s[slot], msg) {
		return false
	}
	s[slot] = msg
	return true
}

// Verdict is what a gate decides about a message.
type Verdict uint8

const (
	Drop       Verdict = iota // too old, or not to be applied
	Process                   // go on
	Park                      // keep until the object's create, see Parked
	ParkOnHeld                // ParentGate: keep until the held object's create
	Build                     // CreateGate: the object is new
	Rebuild                   // CreateGate: take it down and build it again, with all nine stamps
	Merge                     // CreateGate: pass each part through its own gate
	HardPlace                 // PositionGate: place at once, a newer teleport
	Blip                      // SelfPositionGate: a forced position
)

var verdictNames = [...]string{
	"drop", "process", "park", "park on held", "build", "rebuild", "merge", "hard place", "blip",
}

// String returns the verdict in words.
func (v Verdict) String() string {
	if int(v) < len(verdictNames) {
		return verdictNames[v]
	}
	return "unknown verdict"
}

// InstanceGate comes first for every message with an instance stamp (20 §5.1):
// slot is the object's slot 8, msg the message's stamp.
func InstanceGate(known bool, slot, msg uint16) Verdict {
	switch {
	case !known || Newer(slot, msg):
		return Park
	case slot == msg:
		return Process
	}
	return Drop
}

// CreateGate decides 0xF745, or 0xF7DB when update is set (20 §5.1): Build,
// Rebuild, Merge or Drop. A parent named in the descriptor and not known parks
// the message all the same.
func CreateGate(known, update bool, slot, msg uint16) Verdict {
	switch {
	case !known:
		return Build
	case update || Newer(slot, msg):
		return Rebuild
	case slot == msg:
		return Merge
	}
	return Drop
}

// ParentGate decides 0xF749 (20 §5.1): the holder's instance first, then
// whether the held object is known. The held object's position stamp comes
// after it ([Take] of SlotPosition).
func ParentGate(holderKnown, heldKnown bool, slot, msg uint16) Verdict {
	v := InstanceGate(holderKnown, slot, msg)
	if v == Process && !heldKnown {
		return ParkOnHeld
	}
	return v
}

// MovementGate decides 0xF74C and the second half of 0xF619 (20 §5.2), after
// the instance gate. The movement slot takes its stamp even when the
// server-control stamp then stops the message. self says that the object is
// the local player; his own echo is dropped, with both slots taken.
func MovementGate(s *Slots, movement, serverControl uint16, autonomous, self bool) Verdict {
	if !Take(s, SlotMovement, movement) || Newer(serverControl, s[SlotServerControl]) {
		return Drop
	}
	s[SlotServerControl] = serverControl
	if self && autonomous {
		return Drop
	}
	return Process
}

// PositionGate decides 0xF748 and the first half of 0xF619 for a remote object
// (20 §5.3, 12 §3 steps 3 and 4), after the instance gate: Drop, HardPlace for
// a newer teleport, or Process. With an older teleport stamp the position slot
// keeps its own.
func PositionGate(s *Slots, position, teleport uint16) Verdict {
	if Newer(teleport, s[SlotTeleport]) || !Take(s, SlotPosition, position) {
		return Drop
	}
	if Take(s, SlotTeleport, teleport) {
		return HardPlace
	}
	return Process
}

// SelfPositionGate decides a position event for the local player (20 §5.4, 12
// §3 steps 2 to 4): Blip for a newer force-position stamp with a teleport stamp
// not older, otherwise as [PositionGate]; Process then moves him only below
// autonomy level 2.
func SelfPositionGate(s *Slots, position, teleport, forcePosition uint16) Verdict {
	if Newer(s[SlotForcePosition], forcePosition) && !Newer(teleport, s[SlotTeleport]) {
		s[SlotForcePosition] = forcePosition
		s[SlotPosition] = position
		return Blip
	}
	return PositionGate(s, position, teleport)
}

// TeleportPending reports whether 0xF751 announces a teleport to the player. It
// takes no slot; the position event does (20 §5.5).
func TeleportPending(s Slots, teleport uint16) bool { return Newer(s[SlotTeleport], teleport) }

// ClientGate is a server's test of a client's message: it drops those of a
// wrong instance, and those authored before the server last teleported or
// forced the player (20 §5.5).
func ClientGate(s Slots, q Quad) Verdict {
	if q.Instance != s[SlotInstance] ||
		Newer(q.Teleport, s[SlotTeleport]) || Newer(q.ForcePosition, s[SlotForcePosition]) {
		return Drop
	}
	return Process
}
