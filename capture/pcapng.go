package capture

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
)

// pcapng reads the container of blocks (22 §9.2).
type pcapng struct {
	b          *bufio.Reader
	order      binary.ByteOrder
	interfaces []iface
	at         int64 // offset in the file
	left       int   // of the last block, to be passed over: a view of it may be in use
}

// iface is what is described of an interface.
type iface struct {
	link   uint32
	snap   uint32
	scale  uint8 // 10^−scale, or 2^−(scale & 0x7F) when bit 7 is set, seconds a unit
	offset int64 // s
}

const (
	sectionMagic   = "\x0A\x0D\x0D\x0A"
	byteOrderMagic = 0x1A2B3C4D
	blockFrame     = 12 // bytes: type, length, length again
	sectionBlock   = 28 // bytes of a section header, at least
	interfaceBlock = 1
	packetBlock    = 2 // obsolete
	simpleBlock    = 3
	enhancedBlock  = 6
	optScale       = 9
	optOffset      = 14
	microseconds   = 6 // the default scale
	maxScale       = 63
)

func (p *pcapng) format() string { return "pcapng" }
func (p *pcapng) absolute() bool { return true }

func (p *pcapng) next(r *record, c *Counts) (bool, error) {
	for {
		n, err := p.b.Discard(p.left)
		p.at, p.left = p.at+int64(n), p.left-n
		if err != nil {
			return false, cut([]byte(sectionMagic), err)
		}
		h, err := p.b.Peek(blockFrame)
		if err != nil {
			return false, cut(h, err)
		}
		if starts(h, sectionMagic) {
			if p.order = sectionOrder(h); p.order == nil {
				return false, fmt.Errorf("%w: a section of no byte order at offset %d", ErrContainer, p.at)
			}
			p.interfaces = p.interfaces[:0]
		}
		if p.order == nil {
			return false, fmt.Errorf("%w: no section at offset %d", ErrContainer, p.at)
		}
		kind, size, least := p.order.Uint32(h), p.order.Uint32(h[4:]), uint32(blockFrame)
		if starts(h, sectionMagic) {
			least = sectionBlock
		}
		if size < least || size%4 != 0 || size > MaxBlock {
			return false, fmt.Errorf("%w: a block of %d bytes at offset %d", ErrContainer, size, p.at)
		}
		p.left = int(size)
		b, err := p.b.Peek(min(p.left, readSize)) // beyond it lie options that nobody asks for, and the length again
		if err != nil {
			return false, cut(b, err)
		}
		if end := p.left - 4; end < len(b) {
			if again := p.order.Uint32(b[end:]); again != size {
				return false, fmt.Errorf("%w: a block of %d bytes at offset %d, of %d by its end", ErrContainer, size, p.at, again)
			}
			b = b[:end]
		}
		switch kind {
		case interfaceBlock:
			p.describe(b[8:], c)
		case packetBlock, simpleBlock, enhancedBlock:
			return p.packet(kind, b[8:], r, c), nil
		}
	}
}

func sectionOrder(h []byte) binary.ByteOrder {
	for _, o := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		if o.Uint32(h[8:]) == byteOrderMagic {
			return o
		}
	}
	return nil
}

// noLink stands for an interface that is described in a way that nobody can use.
const noLink = math.MaxUint32

// describe takes an interface; one that is described wrongly takes up its number
// all the same, and its packets are refused.
func (p *pcapng) describe(b []byte, c *Counts) {
	if len(p.interfaces) == MaxInterfaces {
		c.BadBlocks++
		c.Records++
		return
	}
	i := iface{link: noLink, scale: microseconds}
	if len(b) >= 8 {
		i.link, i.snap = uint32(p.order.Uint16(b)), p.order.Uint32(b[4:])
		for o := b[8:]; len(o) >= 4; {
			code, n := p.order.Uint16(o), int(p.order.Uint16(o[2:]))
			if code == 0 || n > len(o)-4 {
				break
			}
			switch {
			case code == optScale && n >= 1:
				i.scale = o[4]
			case code == optOffset && n >= 8:
				i.offset = int64(p.order.Uint64(o[4:]))
			}
			o = o[min(4+(n+3)&^3, len(o)):]
		}
	}
	if i.scale&0x7F > maxScale {
		i.link = noLink
	}
	p.interfaces = append(p.interfaces, i)
}

// packet reads a packet block; it reports that it is refused.
func (p *pcapng) packet(kind uint32, b []byte, r *record, c *Counts) (skip bool) {
	head := 20
	if kind == simpleBlock {
		head = 4
	}
	if len(b) < head {
		c.BadBlocks++
		return true
	}
	number, captured := uint32(0), uint32(0)
	switch kind {
	case enhancedBlock:
		number, captured = p.order.Uint32(b), p.order.Uint32(b[12:])
	case packetBlock:
		number, captured = uint32(p.order.Uint16(b)), p.order.Uint32(b[12:])
	case simpleBlock:
		captured = min(p.order.Uint32(b), uint32(len(b)-head))
	}
	if uint64(number) >= uint64(len(p.interfaces)) || captured > MaxRecord || int(captured) > len(b)-head {
		c.BadBlocks++
		return true
	}
	i := &p.interfaces[number]
	if kind == simpleBlock && i.snap != 0 {
		captured = min(captured, i.snap)
	}
	if i.link == noLink {
		c.BadBlocks++
		return true
	}
	*r = record{link: i.link, frame: b[head : head+int(captured)]}
	if kind != simpleBlock {
		r.timed = true
		var ok bool
		if r.at, ok = i.time(uint64(p.order.Uint32(b[4:]))<<32 | uint64(p.order.Uint32(b[8:]))); !ok {
			c.BadTimes++
			return true
		}
	}
	return false
}

// maxTime bounds times, so that differences of them fit.
const maxTime = math.MaxInt64 / 2 // ns

// time makes ns since 1970 of an interface's units; not ok when it is no time.
func (i *iface) time(units uint64) (ns int64, ok bool) {
	var hi, lo uint64
	if e := uint(i.scale & 0x7F); i.scale&0x80 != 0 {
		hi, lo = bits.Mul64(units, 1e9)
		hi, lo = hi>>e, lo>>e|hi<<(64-e)
		if e == 0 {
			lo = units * 1e9
		}
	} else {
		for ; e < 9; e++ {
			var over uint64
			if over, units = bits.Mul64(units, 10); over != 0 {
				return 0, false
			}
		}
		for ; e > 9; e-- {
			units /= 10
		}
		lo = units
	}
	if hi != 0 || lo > maxTime || i.offset > maxTime/1_000_000_000 || i.offset < -maxTime/1_000_000_000 {
		return 0, false
	}
	ns = int64(lo) + i.offset*1e9
	return ns, ns >= -maxTime && ns <= maxTime
}
