package transport

import "fmt"

// Kind says why a datagram, or one fragment of it, was refused (22 §12). A Kind
// is an error itself, so that it serves as a target of [errors.Is].
type Kind uint8

// The kinds. The first group refuses a datagram, the second one fragment of it.
const (
	ErrShortHeader Kind = 1 + iota // fewer than 20 bytes
	ErrSize                        // the size field and the datagram disagree
	ErrFlags                       // a flag that nobody defines: not this protocol
	ErrSection                     // a section goes beyond the packet
	ErrFragment                    // a fragment's size is none, or no fragment where one is announced
	ErrLeftOver                    // bytes after the last section, and no fragments announced
	ErrChecksum                    // a plain packet's checksum fails, or in strict mode any

	ErrCount   // a fragment of no message, beyond its message, or of one larger than [MaxMessage]
	ErrChanged // count or queue differ from what the message began with
	ErrMiddle  // a fragment short of 448 bytes, and not the last
	ErrDiffers // the same fragment again, with other bytes

	ErrContent // writing: the packet cannot be said in this form

	kindCount
)

var kindNames = [kindCount]string{
	"none", "short header", "size", "flags", "section", "fragment", "left over", "checksum",
	"fragment count", "fragment changed", "short middle fragment", "fragment differs", "content",
}

// Error returns the kind in words.
func (k Kind) Error() string {
	if k < kindCount {
		return kindNames[k]
	}
	return "unknown kind"
}

// Kinds are all there are, for those who print counts by kind.
func Kinds() []Kind {
	all := make([]Kind, 0, kindCount-1)
	for k := ErrShortHeader; k < kindCount; k++ {
		all = append(all, k)
	}
	return all
}

// Error is every refusal of a datagram: why, at which flag, where.
type Error struct {
	Kind   Kind
	Flag   Flags // of the section, 0 outside of sections
	Offset int   // in bytes from the start of the datagram
}

// Error names the reason, the section and the offset.
func (e *Error) Error() string {
	if e.Flag != 0 {
		return fmt.Sprintf("transport: %v at offset %d (%v)", e.Kind, e.Offset, e.Flag)
	}
	return fmt.Sprintf("transport: %v at offset %d", e.Kind, e.Offset)
}

// Unwrap returns the kind, so that errors.Is(err, ErrSize) holds.
func (e *Error) Unwrap() error { return e.Kind }
