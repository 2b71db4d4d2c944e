package wire

import (
	"math/bits"

	"github.com/gait-engine/gait/space"
)

// What a decoded value needs before it may be used (20 §7). Decoding keeps
// every bit as sent, so that encoding gives the same bytes.

// MaxSpeed bounds the magnitude of any speed in use.
const MaxSpeed = 1e3

// ClampSpeed brings a speed into [−MaxSpeed, MaxSpeed].
func ClampSpeed(v float32) float32 { return max(-MaxSpeed, min(MaxSpeed, v)) }

// ClampVelocity shortens a velocity longer than MaxSpeed to that length.
func ClampVelocity(v space.Vec3) space.Vec3 {
	l := space.Length(v)
	if l <= MaxSpeed {
		return v
	}
	if !space.Finite(l) { // longer than a float32 can say
		v, l = space.Scale(v, 0.25), space.Length(space.Scale(v, 0.25))
	}
	return space.Vec3{v[0] / l * MaxSpeed, v[1] / l * MaxSpeed, v[2] / l * MaxSpeed}
}

// HoldKey returns a hold key in use: what is none of invalid, none and run is
// invalid (01 §1.4).
func HoldKey(v uint32) uint32 {
	if v > 2 {
		return 0
	}
	return v
}

// Settle returns a place in use: the rotation of unit length, the origin in
// the cell that contains it. The cell is 0 when that lies outside the world.
func Settle(p space.Position) space.Position {
	settle(&p)
	return p
}

func settle(p *space.Position) {
	if q := &p.Frame.Rotation; !space.IsUnit(q) {
		*q = space.SetRotate(*q, space.IdentityQuat)
	}
	p.Normalize()
}

// CheckPlace refuses a place that a decoder would refuse, by [Kind] (20 §7):
// ErrNotFinite, ErrCell, ErrCoordinates or ErrRotation.
func CheckPlace(p *space.Position) error {
	o := &p.Frame.Origin
	if k := checkOrigin(p.Cell, o[0], o[1], o[2]); k != 0 {
		return k
	}
	if !space.ValidQuat(p.Frame.Rotation) {
		return ErrRotation
	}
	return nil
}

// SettleOrigin is [Settle] for the origin of a move-to.
func SettleOrigin(c space.CellID, o space.Vec3) (space.CellID, space.Vec3) {
	if c.Indoors() {
		return c, o
	}
	return space.AdjustToOutside(c, o)
}

// IsState reports whether b, a 0xF74C, has a state for a body, and nobody to stick
// to (20 §2.1). Nothing else is checked: it need not be well formed.
func IsState(b []byte) bool {
	const at = 16 // behind opcode, guid, stamps and what aligns the body
	return len(b) > at+1 && MovementType(b[at]) == TypeState && b[at+1]&OptionSticky == 0
}

// TeleportStamp returns the teleport stamp of b, a 0xF748, without decoding the
// rest; ok is false when b is too short to have one.
func TeleportStamp(b []byte) (stamp uint16, ok bool) {
	const flags = 8 // behind opcode and guid
	if len(b) < flags+4 {
		return 0, false
	}
	f := u32(b, flags)
	at := flags + 20 + 4*bits.OnesCount32(^f&(PackOmitW|PackOmitX|PackOmitY|PackOmitZ)) + 4
	if f&PackVelocity != 0 {
		at += 12
	}
	if f&PackPlacement != 0 {
		at += 4
	}
	if len(b) < at+2 {
		return 0, false
	}
	return u16(b, at), true
}
