package wire

import "fmt"

// Kind says why a message was refused (20 §7). A Kind is an error itself, so
// that it serves as a target of [errors.Is].
type Kind uint8

// The kinds. ErrContent is the encoder's alone; it uses the others too where a
// decoder would refuse what it is asked to write.
const (
	ErrShort       Kind = 1 + iota // the message ends inside a field
	ErrLong                        // bytes are left over
	ErrType                        // no layout belongs to this movement type or marker
	ErrNotFinite                   // a float is NaN or infinite
	ErrRotation                    // a quaternion is not of unit length
	ErrCell                        // a cell index names no cell
	ErrGuid                        // a guid is 0
	ErrCount                       // a count or length promises more, or other, than there is
	ErrCoordinates                 // an origin lies absurdly far from its block
	ErrOpcode                      // not this message; from Decode: not one of ours
	ErrContent                     // encode: flags and content disagree, or a type has another type's payload
	kindCount
)

var kindNames = [kindCount]string{
	"none", "message too short", "bytes left over", "no such type", "float not finite",
	"rotation not of unit length", "not a cell", "guid is 0", "count does not fit",
	"coordinates out of bounds", "unknown opcode", "flags and content disagree",
}

// Kinds returns all kinds.
func Kinds() (all []Kind) {
	for k := ErrShort; k < kindCount; k++ {
		all = append(all, k)
	}
	return all
}

// Error returns the kind in words.
func (k Kind) Error() string {
	if k < kindCount {
		return kindNames[k]
	}
	return "unknown kind"
}

// Error is every refusal of this package: what, in which field, where. It is
// the only thing that a decode allocates, and only when it refuses.
type Error struct {
	Kind   Kind
	Field  string // the spec's name of the field
	Offset int    // of the field, in bytes from the opcode
	Opcode uint32 // of the message, the action's sub-opcode for 0xF7B1; 0 when it was not read
}

// Error names the message, the field, its offset and the reason.
func (e *Error) Error() string {
	return fmt.Sprintf("wire: message %#x: %s at offset %d: %v", e.Opcode, e.Field, e.Offset, e.Kind)
}

// Unwrap returns the kind, so that errors.Is(err, ErrShort) holds.
func (e *Error) Unwrap() error { return e.Kind }

// Counts are a decoder's tallies since it was made (20 §7). They are for
// operations; nothing depends on them.
type Counts struct {
	Decoded  uint64 // messages accepted
	Pads     uint64 // pads that were not zero, in accepted messages
	Trailing uint64 // accepted messages with bytes after their end
	rejected [kindCount]uint64
}

// Rejected returns how many messages were refused for k.
func (c *Counts) Rejected(k Kind) uint64 {
	if k < kindCount {
		return c.rejected[k]
	}
	return 0
}

// RejectedAll returns how many messages were refused.
func (c *Counts) RejectedAll() uint64 {
	n := uint64(0)
	for _, r := range c.rejected {
		n += r
	}
	return n
}

// Add adds o's tallies, for workers that each have a decoder.
func (c *Counts) Add(o *Counts) {
	c.Decoded += o.Decoded
	c.Pads += o.Pads
	c.Trailing += o.Trailing
	for k := range c.rejected {
		c.rejected[k] += o.rejected[k]
	}
}
