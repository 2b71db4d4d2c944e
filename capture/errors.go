package capture

import "errors"

var (
	// ErrFormat refuses what is no capture of a kind that is known.
	ErrFormat = errors.New("capture: not a capture")
	// ErrContainer refuses the rest of a file that breaks its container's rules.
	ErrContainer = errors.New("capture: broken container")
	// ErrArchive refuses an archive, or what is in it.
	ErrArchive = errors.New("capture: archive")
	// ErrUnpack refuses archives that others must unpack.
	ErrUnpack = errors.New("capture: unpack first")
	// ErrLink refuses a capture of a link layer that is not known.
	ErrLink = errors.New("capture: link layer")
)

// The bounds on what files may ask for (22 §12).
const (
	MaxRecord     = 256 << 10 // bytes of a pcap record, and of a line
	MaxBlock      = 16 << 20  // bytes of a pcapng block
	MaxInterfaces = 4096      // of a pcapng section
	MaxExpanded   = 4 << 30   // bytes out of one compressed stream
	maxRatio      = 200       // out of one byte, once
	freeExpansion = 64 << 20  // bytes are out
	MaxDepth      = 4         // archives in archives
	MaxMembers    = 100_000   // of an archive
	MaxDirectory  = 8 << 20   // bytes of an archive's directory
	MaxNested     = 16 << 30  // bytes of all archives in an archive
)

// Counts are the tallies of a capture (22 §11.7).
type Counts struct {
	Records   uint64 `json:"records"`
	Datagrams uint64 `json:"datagrams"` // UDP payloads handed on

	Link      uint64 `json:"link"`     // frames of a link layer, or an interface, that is not known
	NotIPv4   uint64 `json:"not_ipv4"` // the game has no other
	IPv6      uint64 `json:"ipv6"`     // of those
	NotUDP    uint64 `json:"not_udp"`
	Malformed uint64 `json:"malformed"` // headers that do not hold
	Cut       uint64 `json:"cut"`       // frames shorter than their UDP length
	Pieces    uint64 `json:"pieces"`    // IP fragments that were put together, but for the last of each
	Lost      uint64 `json:"lost"`      // IP fragments of datagrams that never were whole

	Untimed      uint64 `json:"untimed"`       // records without a time, which take the one before
	Backwards    uint64 `json:"backwards"`     // records earlier than the one before, whose time they take
	BackwardsFar bool   `json:"backwards_far"` // by more than a second
	BadTimes     uint64 `json:"bad_times"`     // times that no clock shows
	BadBlocks    uint64 `json:"bad_blocks"`    // pcapng packet blocks refused by themselves
	BadLines     uint64 `json:"bad_lines"`
	Headers      uint64 `json:"headers"`  // file headers in the middle, of recorders that were started again
	CutTail      bool   `json:"cut_tail"` // the file ends inside a record
}

// NotOurs returns how many records gave no datagram.
func (c *Counts) NotOurs() uint64 {
	return c.Link + c.NotIPv4 + c.NotUDP + c.Malformed + c.Cut + c.Pieces + c.Lost + c.BadTimes + c.BadBlocks + c.BadLines
}
