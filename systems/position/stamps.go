package position

import "github.com/gait-engine/gait/components"

// IsNewer reports whether a stamp is newer than the current one, which wraps (spec 11 §11).
func IsNewer(current, incoming uint16) bool {
	d := int32(incoming) - int32(current)
	if d > 0x7FFF || d < -0x7FFF {
		return incoming < current
	}
	return incoming > current
}

// NewerEvent reports whether stamp is newer than the slot's, and stores it if so (spec 11 §11 newer_event).
func NewerEvent(s *components.Stamps, slot int, stamp uint16) bool {
	if !IsNewer(s.Slot[slot], stamp) {
		return false
	}
	s.Slot[slot] = stamp
	return true
}

// GatePosition passes a position event's stamps (spec 12 §3 steps 3 and 4, and
// the newer_event of §4 step 2). The instance is the caller's to compare. An
// event that is not accepted leaves the stamps as they were.
func GatePosition(s *components.Stamps, position, teleport uint16) (accepted, teleported bool) {
	if !IsNewer(s.Slot[components.StampPosition], position) || IsNewer(teleport, s.Slot[components.StampTeleport]) {
		return false, false
	}
	s.Slot[components.StampPosition] = position
	return true, NewerEvent(s, components.StampTeleport, teleport)
}
