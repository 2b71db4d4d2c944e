package capture

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
)

// pcap reads the classic container (22 §9.1), and what the recorder in the client
// writes (22 §9.4).
type pcap struct {
	b     *bufio.Reader
	order binary.ByteOrder
	scale int64 // ns of a unit of the fraction
	link  uint32
	at    int64 // offset in the file
}

const (
	pcapHeader   = 24
	recordHeader = 16
	microMagic   = 0xA1B2C3D4
	nanoMagic    = 0xA1B23C4D
	linkMask     = 0x0FFFFFFF // of the word in which the link type is
)

// pcapOrder tells a byte order by a magic; nil is none.
func pcapOrder(head []byte) binary.ByteOrder {
	if len(head) < 4 {
		return nil
	}
	for _, o := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		if m := o.Uint32(head); m == microMagic || m == nanoMagic {
			return o
		}
	}
	return nil
}

func newPcap(b *bufio.Reader) (*pcap, error) {
	h, err := b.Peek(pcapHeader)
	if err != nil {
		return nil, fmt.Errorf("%w: it ends in its header", ErrContainer)
	}
	p := &pcap{b: b}
	p.header(h)
	if !knownLink(p.link) {
		return nil, fmt.Errorf("%w %d is not read; Ethernet, loopback, raw IP and Linux cooked are", ErrLink, p.link)
	}
	return p, p.skip(pcapHeader)
}

func (p *pcap) header(h []byte) {
	p.order, p.scale = pcapOrder(h), 1000
	if p.order.Uint32(h) == nanoMagic {
		p.scale = 1
	}
	p.link = p.order.Uint32(h[20:]) & linkMask
}

func (p *pcap) skip(n int) error {
	k, err := p.b.Discard(n)
	p.at += int64(k)
	return err
}

func (p *pcap) format() string { return "pcap" }
func (p *pcap) absolute() bool { return true }

func (p *pcap) next(r *record, c *Counts) (bool, error) {
	h, err := p.b.Peek(recordHeader)
	for len(h) >= 4 && pcapOrder(h) != nil { // a recorder that was started again, appending
		if h, err = p.b.Peek(pcapHeader); err != nil {
			break
		}
		c.Headers++
		p.header(h)
		if err = p.skip(pcapHeader); err == nil {
			h, err = p.b.Peek(recordHeader)
		}
	}
	if err != nil {
		return false, cut(h, err)
	}
	n := p.order.Uint32(h[8:])
	if n > MaxRecord {
		return false, fmt.Errorf("%w: a record of %d bytes at offset %d", ErrContainer, n, p.at)
	}
	b, err := p.b.Peek(recordHeader + int(n))
	if err != nil {
		return false, cut(b, err)
	}
	*r = record{
		at:    int64(p.order.Uint32(b))*1e9 + int64(p.order.Uint32(b[4:]))*p.scale,
		timed: true, link: p.link, frame: b[recordHeader:],
	}
	return false, p.skip(recordHeader + int(n))
}

// cut makes of an end in the middle of something what it is.
func cut(got []byte, err error) error {
	if err == io.EOF && len(got) > 0 {
		return io.ErrUnexpectedEOF
	}
	return err
}
