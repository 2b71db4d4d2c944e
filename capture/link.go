package capture

import (
	"encoding/binary"
	"net/netip"

	"github.com/gait-engine/gait/wire/transport"
)

// The link types that are read (22 §9.3).
const (
	linkNull     = 0
	linkEthernet = 1
	linkRaw12    = 12
	linkRaw14    = 14
	linkRaw      = 101
	linkLoop     = 108
	linkCooked   = 113
	linkIPv4     = 228
	linkCooked2  = 276
)

func knownLink(link uint32) bool {
	switch link {
	case linkNull, linkEthernet, linkRaw12, linkRaw14, linkRaw, linkLoop, linkCooked, linkIPv4, linkCooked2:
		return true
	}
	return false
}

const (
	protoIPv4  = 0x0800
	protoIPv6  = 0x86DD
	protoPPPoE = 0x8864
	pppIPv4    = 0x0021
	afInet     = 2
	ipUDP      = 17
)

// links gets UDP payloads out of frames.
type links struct {
	trains  trains
	unknown uint32 // a link type that was met and is not read
}

// network finds where IPv4 begins in a frame. proto is what is there instead.
func network(link uint32, b []byte) (ip []byte, proto uint32, ok bool) {
	be := binary.BigEndian
	switch link {
	case linkNull, linkLoop:
		if len(b) < 4 {
			return nil, 0, false
		}
		family := be.Uint32(b)
		if family == afInet || family == afInet<<24 {
			return b[4:], protoIPv4, true
		}
		return nil, loopbackProto(family), true
	case linkRaw12, linkRaw14, linkRaw, linkIPv4:
		if len(b) > 0 && b[0]>>4 == 6 {
			return nil, protoIPv6, true
		}
		return b, protoIPv4, true
	case linkCooked:
		if len(b) < 16 {
			return nil, 0, false
		}
		return b[16:], uint32(be.Uint16(b[14:])), true
	case linkCooked2:
		if len(b) < 20 {
			return nil, 0, false
		}
		return b[20:], uint32(be.Uint16(b)), true
	}
	at := 12
	for {
		if len(b) < at+2 {
			return nil, 0, false
		}
		proto = uint32(be.Uint16(b[at:]))
		at += 2
		switch proto {
		case 0x8100, 0x88A8, 0x9100: // a tag
			at += 2
		case protoPPPoE:
			if len(b) < at+8 {
				return nil, 0, false
			}
			if be.Uint16(b[at+6:]) == pppIPv4 {
				proto = protoIPv4
			}
			return b[at+8:], proto, true
		default:
			return b[at:], proto, true
		}
	}
}

// loopbackProto tells IPv6 by the family numbers that systems have for it.
func loopbackProto(family uint32) uint32 {
	if family > 0xFFFF {
		family >>= 24
	}
	switch family {
	case 10, 24, 28, 30:
		return protoIPv6
	}
	return 0
}

// datagram gets the UDP payload of a frame into d, or counts why there is none.
func (l *links) datagram(link uint32, frame []byte, d *transport.Datagram, c *Counts) bool {
	if !knownLink(link) {
		l.unknown = link
		c.Link++
		return false
	}
	ip, proto, ok := network(link, frame)
	switch {
	case !ok:
		c.Malformed++
		return false
	case proto != protoIPv4:
		c.NotIPv4++
		if proto == protoIPv6 {
			c.IPv6++
		}
		return false
	}
	be := binary.BigEndian
	if len(ip) < 20 || ip[0]>>4 != 4 || ip[0]&0xF < 5 || int(ip[0]&0xF)*4 > len(ip) {
		c.Malformed++
		return false
	}
	head := int(ip[0]&0xF) * 4
	if ip[9] != ipUDP {
		c.NotUDP++
		return false
	}
	whole := len(ip)
	if total := int(be.Uint16(ip[2:])); total != 0 { // 0: as long as the frame (22 §9.3)
		if total < head {
			c.Malformed++
			return false
		}
		whole = min(total, whole)
	}
	udp := ip[head:whole]
	src, dst := netip.AddrFrom4([4]byte(ip[12:16])), netip.AddrFrom4([4]byte(ip[16:20]))
	if flags := be.Uint16(ip[6:]); flags&0x3FFF != 0 { // one of several pieces
		id := train{src: [4]byte(ip[12:16]), dst: [4]byte(ip[16:20]), id: be.Uint16(ip[4:])}
		udp = l.trains.add(id, int(flags&0x1FFF)*8, flags&0x2000 != 0, udp, d.At, c)
		if udp == nil {
			return false
		}
	}
	if len(udp) < 8 {
		c.Cut++
		return false
	}
	n := int(be.Uint16(udp[4:]))
	switch {
	case n < 8:
		c.Malformed++
		return false
	case n > len(udp):
		c.Cut++
		return false
	}
	d.Src, d.Dst = netip.AddrPortFrom(src, be.Uint16(udp)), netip.AddrPortFrom(dst, be.Uint16(udp[2:]))
	d.Data = udp[8:n:n]
	return true
}

// end counts the pieces that are left.
func (l *links) end(c *Counts) { l.trains.end(c) }
