package transport

import (
	"encoding/binary"
	"math"
	"math/bits"
	"net/netip"
)

// Append writes the packet that p's header, sections and parts say, with size and
// checksum filled in: an encrypted one's is mixed with key. On an error, an
// [*Error] of kind [ErrContent], dst comes back as it was. A login request is
// written with version [LoginVersion] and nothing else in it.
func (p *Packet) Append(dst []byte, key uint32, parts ...Fragment) ([]byte, error) {
	at := len(dst)
	refuse := func(flag Flags) ([]byte, error) {
		return dst[:at], &Error{Kind: ErrContent, Flag: flag, Offset: len(dst) - at}
	}
	if p.Flags&undefinedFlags != 0 {
		return refuse(p.Flags & undefinedFlags)
	}
	if (p.Flags&HasFragments != 0) != (len(parts) > 0) {
		return refuse(HasFragments)
	}
	le := binary.LittleEndian
	dst = le.AppendUint32(dst, p.Sequence)
	dst = le.AppendUint32(dst, uint32(p.Flags))
	dst = append(dst, 0, 0, 0, 0)
	dst = le.AppendUint16(dst, p.Header.Recipient)
	dst = le.AppendUint16(dst, p.Interval)
	dst = append(dst, 0, 0)
	dst = le.AppendUint16(dst, p.Iteration)
	for rest := uint32(p.Flags & sectionFlags); rest != 0; rest &= rest - 1 {
		dst = p.appendSection(dst, Flags(1)<<bits.TrailingZeros32(rest))
	}
	payload := Hash(dst[at+HeaderSize:])
	for i := range parts {
		f := &parts[i]
		last := i == len(parts)-1
		if len(f.Payload) > MaxFragmentPayload || last && len(f.Payload) == 0 {
			return refuse(HasFragments)
		}
		from := len(dst)
		dst = le.AppendUint64(dst, f.ID)
		dst = le.AppendUint16(dst, f.Count)
		dst = le.AppendUint16(dst, uint16(FragmentHeaderSize+len(f.Payload)))
		dst = le.AppendUint16(dst, f.Index)
		dst = le.AppendUint16(dst, f.Queue)
		dst = append(dst, f.Payload...)
		payload += Hash(dst[from:from+FragmentHeaderSize]) + Hash(f.Payload)
	}
	size := len(dst) - at - HeaderSize
	if size > math.MaxUint16 {
		return refuse(0)
	}
	b := dst[at:]
	le.PutUint16(b[16:], uint16(size))
	if p.Flags&Encrypted != 0 {
		payload ^= key
	}
	le.PutUint32(b[8:], headerHash(b)+payload)
	return dst, nil
}

// LoginVersion is what clients say in their login request (22 §3).
const LoginVersion = "1802"

func (p *Packet) appendSection(dst []byte, flag Flags) []byte {
	le := binary.LittleEndian
	pair := func(a, b uint32) []byte { return le.AppendUint32(le.AppendUint32(dst, a), b) }
	list := func(n Numbers) []byte {
		n = n[:len(n)/4*4]
		return append(le.AppendUint32(dst, uint32(n.Len())), n...)
	}
	switch flag {
	case ServerSwitch:
		return pair(p.Switch.Stamp, p.Switch.Kind)
	case LoginServer:
		return appendAddress(dst, p.Address)
	case Referral:
		dst = appendAddress(le.AppendUint64(dst, p.Cookie), p.Address)
		return append(le.AppendUint16(dst, p.Referred), 0, 0, 0, 0, 0, 0)
	case RequestRetransmit:
		return list(p.Missing)
	case RejectRetransmit:
		return list(p.Rejected)
	case Acknowledge:
		return le.AppendUint32(dst, p.Acknowledged)
	case LoginRequest:
		dst = append(le.AppendUint16(dst, uint16(len(LoginVersion))), LoginVersion...)
		return append(dst, 0, 0, 0, 0, 0, 0) // padded, and no authentication
	case WorldLoginRequest, ConnectResponse:
		return le.AppendUint64(dst, p.Cookie)
	case ConnectRequest:
		c := &p.Connect
		dst = le.AppendUint64(dst, math.Float64bits(c.GameTime))
		dst = le.AppendUint64(dst, p.Cookie)
		dst = le.AppendUint32(le.AppendUint32(dst, c.Recipient), c.SeedS2C)
		return le.AppendUint32(le.AppendUint32(dst, c.SeedC2S), c.Unused)
	case NetError:
		return pair(p.NetErr.A, p.NetErr.B)
	case NetErrorDisconnect:
		return pair(p.NetErrGone.A, p.NetErrGone.B)
	case KeepAlive:
		return pair(p.Command.A, p.Command.B)
	case TimeSync:
		return le.AppendUint64(dst, math.Float64bits(p.GameTime))
	case EchoRequest:
		return le.AppendUint32(dst, math.Float32bits(p.Echo))
	case EchoResponse:
		return pair(math.Float32bits(p.Echoed[0]), math.Float32bits(p.Echoed[1]))
	case Flow:
		return le.AppendUint16(le.AppendUint32(dst, p.Received.Bytes), p.Received.Interval)
	}
	return dst // empty 1, disconnect
}

// afInet is the family of every address on the wire (22 §3).
const afInet = 2

func appendAddress(dst []byte, a netip.AddrPort) []byte {
	ip := [4]byte{}
	if a.Addr().Unmap().Is4() {
		ip = a.Addr().Unmap().As4()
	}
	dst = binary.BigEndian.AppendUint16(binary.LittleEndian.AppendUint16(dst, afInet), a.Port())
	return append(append(dst, ip[:]...), 0, 0, 0, 0, 0, 0, 0, 0)
}
