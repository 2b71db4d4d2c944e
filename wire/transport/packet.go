package transport

import (
	"encoding/binary"
	"iter"
	"math"
	"math/bits"
	"net/netip"
)

// Sizes in bytes (22 §1, §5.1).
const (
	HeaderSize         = 20
	FragmentHeaderSize = 16
	MaxFragmentSize    = 464 // header included
	MaxFragmentPayload = MaxFragmentSize - FragmentHeaderSize
	// MaxPacketSize is the most that known senders put into one datagram.
	MaxPacketSize = 484
)

// Header is the first 20 bytes of a datagram (22 §2).
type Header struct {
	Sequence  uint32 // per direction; several plain packets repeat the last one's, 0 is unsequenced
	Flags     Flags
	Checksum  uint32
	Recipient uint16 // what the receiver calls this connection
	Interval  uint16 // the sender's own clock count, never a time
	Size      uint16 // bytes after the header
	Iteration uint16
}

// Packet is a parsed datagram. A section that its Flags do not name is zero. Its
// lists and fragments are views of the datagram.
type Packet struct {
	Header
	HeaderHash, PayloadHash uint32 // what the checksum is made of (22 §4.1)

	Switch       Switch         // ServerSwitch
	Address      netip.AddrPort // LoginServer, Referral: of the server
	Referred     uint16         // Referral: the id for that server
	Cookie       uint64         // Referral, WorldLoginRequest, ConnectRequest, ConnectResponse
	Missing      Numbers        // RequestRetransmit
	Rejected     Numbers        // RejectRetransmit
	Acknowledged uint32         // Acknowledge: the highest number received without a gap
	Connect      Connect        // ConnectRequest
	NetErr       Pair           // NetError: string hash, table
	NetErrGone   Pair           // NetErrorDisconnect: the same
	Command      Pair           // KeepAlive: command and parameter
	GameTime     float64        // TimeSync, s; as sent, even if no number
	Echo         float32        // EchoRequest: the sender's clock, s
	Echoed       [2]float32     // EchoResponse: that, and s held
	Received     Received       // Flow

	fragments []byte
	count     int
}

// Switch is the content of a server switch.
type Switch struct{ Stamp, Kind uint32 }

// Pair is the content of a section of two words.
type Pair struct{ A, B uint32 }

// Connect is the content of a connect request, beside its cookie.
type Connect struct {
	GameTime         float64 // s
	Recipient        uint32  // the id for the client
	SeedS2C, SeedC2S uint32
	Unused           uint32
}

// Received is the content of a flow section.
type Received struct {
	Bytes    uint32
	Interval uint16 // of the peer
}

// Numbers is a list of packet numbers, a view of the datagram.
type Numbers []byte

// NumbersOf makes a list, for writing.
func NumbersOf(n ...uint32) (list Numbers) {
	for _, v := range n {
		list = binary.LittleEndian.AppendUint32(list, v)
	}
	return list
}

// Len returns how many there are.
func (n Numbers) Len() int { return len(n) / 4 }

// At returns number i.
func (n Numbers) At(i int) uint32 { return binary.LittleEndian.Uint32(n[4*i:]) }

// MaxRequested is how many numbers a client takes at most in one request; more
// are read all the same, and counted (22 §12).
const MaxRequested = 115

// Parse reads one datagram into p, which is overwritten whole. It refuses with an
// [*Error] whatever is not consumed to its last byte; it does not judge the
// checksum, but computes its parts. It allocates only to refuse.
func Parse(b []byte, p *Packet) error {
	*p = Packet{}
	if len(b) < HeaderSize {
		return &Error{Kind: ErrShortHeader, Offset: len(b)}
	}
	p.Header = Header{
		Sequence:  binary.LittleEndian.Uint32(b),
		Flags:     Flags(binary.LittleEndian.Uint32(b[4:])),
		Checksum:  binary.LittleEndian.Uint32(b[8:]),
		Recipient: binary.LittleEndian.Uint16(b[12:]),
		Interval:  binary.LittleEndian.Uint16(b[14:]),
		Size:      binary.LittleEndian.Uint16(b[16:]),
		Iteration: binary.LittleEndian.Uint16(b[18:]),
	}
	if int(p.Size) != len(b)-HeaderSize {
		return &Error{Kind: ErrSize, Offset: 16}
	}
	if p.Flags&undefinedFlags != 0 {
		return &Error{Kind: ErrFlags, Offset: 4, Flag: p.Flags & undefinedFlags}
	}
	i := HeaderSize
	for rest := uint32(p.Flags & sectionFlags); rest != 0; rest &= rest - 1 {
		flag := Flags(1) << bits.TrailingZeros32(rest)
		n := p.section(flag, b[i:])
		if n < 0 {
			return &Error{Kind: ErrSection, Flag: flag, Offset: i}
		}
		i += n
	}
	p.PayloadHash = Hash(b[HeaderSize:i])
	if p.Flags&HasFragments == 0 {
		if i < len(b) {
			return &Error{Kind: ErrLeftOver, Offset: i}
		}
	} else if at := p.parts(b, i); at >= 0 {
		return &Error{Kind: ErrFragment, Flag: HasFragments, Offset: at}
	}
	p.HeaderHash = headerHash(b)
	return nil
}

// section reads a section from the head of b and returns its length, negative
// when it goes beyond b (22 §3).
func (p *Packet) section(flag Flags, b []byte) int {
	le := binary.LittleEndian
	n := fixedSize(flag)
	if len(b) < n {
		return -1
	}
	switch flag {
	case ServerSwitch:
		p.Switch = Switch{le.Uint32(b), le.Uint32(b[4:])}
	case LoginServer:
		p.Address = socketAddress(b)
	case Referral:
		p.Cookie, p.Address, p.Referred = le.Uint64(b), socketAddress(b[8:]), le.Uint16(b[24:])
	case RequestRetransmit, RejectRetransmit:
		count := le.Uint32(b)
		if uint64(count) > uint64(len(b)-4)/4 { // by division, never by multiplication
			return -1
		}
		n += 4 * int(count)
		if flag == RequestRetransmit {
			p.Missing = Numbers(b[4:n:n])
		} else {
			p.Rejected = Numbers(b[4:n:n])
		}
	case Acknowledge:
		p.Acknowledged = le.Uint32(b)
	case LoginRequest:
		return loginRequest(b)
	case WorldLoginRequest, ConnectResponse:
		p.Cookie = le.Uint64(b)
	case ConnectRequest:
		p.Cookie = le.Uint64(b[8:])
		p.Connect = Connect{
			GameTime: math.Float64frombits(le.Uint64(b)), Recipient: le.Uint32(b[16:]),
			SeedS2C: le.Uint32(b[20:]), SeedC2S: le.Uint32(b[24:]), Unused: le.Uint32(b[28:]),
		}
	case NetError:
		p.NetErr = Pair{le.Uint32(b), le.Uint32(b[4:])}
	case NetErrorDisconnect:
		p.NetErrGone = Pair{le.Uint32(b), le.Uint32(b[4:])}
	case KeepAlive:
		p.Command = Pair{le.Uint32(b), le.Uint32(b[4:])}
	case TimeSync:
		p.GameTime = math.Float64frombits(le.Uint64(b))
	case EchoRequest:
		p.Echo = math.Float32frombits(le.Uint32(b))
	case EchoResponse:
		p.Echoed = [2]float32{math.Float32frombits(le.Uint32(b)), math.Float32frombits(le.Uint32(b[4:]))}
	case Flow:
		p.Received = Received{le.Uint32(b), le.Uint16(b[4:])}
	}
	return n
}

// fixedSize returns the bytes of a section, of those with a list their head.
func fixedSize(flag Flags) int {
	switch flag {
	case Acknowledge, EchoRequest, RequestRetransmit, RejectRetransmit:
		return 4
	case Flow:
		return 6
	case LoginServer:
		return 16
	case Referral, ConnectRequest:
		return 32
	case Empty1, Disconnect, LoginRequest:
		return 0
	}
	return 8
}

// loginRequest measures a login request: a string and a block of bytes, neither
// of which is kept, since they hold account and password (22 §3).
func loginRequest(b []byte) int {
	left := uint64(len(b))
	if left < 2 {
		return -1
	}
	at, length := uint64(2), uint64(binary.LittleEndian.Uint16(b))
	if length == 0xFFFF {
		if left < 6 {
			return -1
		}
		at, length = 6, uint64(binary.LittleEndian.Uint32(b[2:]))
	}
	at = (at + length + 3) &^ 3 // padded from the length field on
	if at > left || left-at < 4 {
		return -1
	}
	n := uint64(binary.LittleEndian.Uint32(b[at:]))
	if at += 4; n > left-at {
		return -1
	}
	return int(at + n)
}

// socketAddress reads the 16 bytes of an address; only its port and the four
// address bytes mean anything (22 §3).
func socketAddress(b []byte) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte(b[4:8])), binary.BigEndian.Uint16(b[2:]))
}

// Fragment is a piece of a message (22 §5.1).
type Fragment struct {
	ID      uint64 // opaque: one message's pieces share it
	Count   uint16 // pieces of the message
	Index   uint16 // of this one, from 0
	Queue   uint16
	Payload []byte // a view of the datagram
}

// parts measures the fragments from i to the end of b and adds their hashes; it
// returns where one is none, negative when all are good.
func (p *Packet) parts(b []byte, i int) int {
	p.fragments = b[i:]
	if i == len(b) {
		return i
	}
	for i < len(b) {
		left := len(b) - i
		if left <= FragmentHeaderSize {
			return i
		}
		size := int(binary.LittleEndian.Uint16(b[i+10:]))
		if size < FragmentHeaderSize || size > MaxFragmentSize || size > left {
			return i
		}
		p.PayloadHash += Hash(b[i:i+FragmentHeaderSize]) + Hash(b[i+FragmentHeaderSize:i+size])
		p.count++
		i += size
	}
	return -1
}

// FragmentCount returns the number of fragments.
func (p *Packet) FragmentCount() int { return p.count }

// Fragments yields the fragments in the order in which they lie.
func (p *Packet) Fragments() iter.Seq[Fragment] {
	return func(yield func(Fragment) bool) {
		for b := p.fragments; len(b) > 0; {
			f, n := fragmentAt(b)
			if !yield(f) {
				return
			}
			b = b[n:]
		}
	}
}

// fragmentAt reads the fragment at the head of b, which parts has measured.
func fragmentAt(b []byte) (Fragment, int) {
	n := int(binary.LittleEndian.Uint16(b[10:]))
	return Fragment{
		ID:    binary.LittleEndian.Uint64(b),
		Count: binary.LittleEndian.Uint16(b[8:]), Index: binary.LittleEndian.Uint16(b[12:]),
		Queue: binary.LittleEndian.Uint16(b[14:]), Payload: b[FragmentHeaderSize:n:n],
	}, n
}

// company reports that a section that ought to be alone is not (22 §3); readers
// count such packets and take them.
func (p *Packet) company() bool {
	alone := p.Flags & aloneFlags
	return alone != 0 && (alone&(alone-1) != 0 || p.Flags&^(alone|Retransmission|Encrypted|ignoredFlags) != 0)
}

// oddlyEncrypted reports that the packet breaks the rule of which packets are
// encrypted: those with fragments or lasting sections, and they have a number (22 §2, §12).
func (p *Packet) oddlyEncrypted() bool {
	encrypted := p.Flags&Encrypted != 0
	return encrypted != (p.Flags&lastingFlags != 0) || encrypted && p.Sequence == 0
}
