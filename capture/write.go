package capture

import (
	"encoding/binary"
	"fmt"
	"io"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"

	"github.com/gait-engine/gait/wire/transport"
)

// Writer writes datagrams as pcapng that any reader of captures opens: Ethernet,
// IPv4 and UDP around them, times to the nanosecond.
type Writer struct {
	w     *pcapgo.NgWriter
	start time.Time
	frame []byte
	id    uint16
}

// NewWriter begins a capture whose datagrams' times count from start. Flush it at the end.
func NewWriter(w io.Writer, start time.Time) (*Writer, error) {
	ng, err := pcapgo.NewNgWriterInterface(w, pcapgo.NgInterface{
		Name: "gait", LinkType: layers.LinkTypeEthernet, TimestampResolution: 9,
	}, pcapgo.NgWriterOptions{SectionInfo: pcapgo.NgSectionInfo{Application: "gait"}})
	if err != nil {
		return nil, err
	}
	return &Writer{w: ng, start: start}, nil
}

// The headers around a payload, in bytes.
const (
	ethernetHeader = 14
	ipHeader       = 20
	udpHeader      = 8
	allHeaders     = ethernetHeader + ipHeader + udpHeader
	maxPayload     = 65_535 - ipHeader - udpHeader
	timeToLive     = 64
)

// Write writes a datagram; its endpoints must be IPv4.
func (w *Writer) Write(d *transport.Datagram) error {
	src, dst := d.Src.Addr().Unmap(), d.Dst.Addr().Unmap()
	if !src.Is4() || !dst.Is4() || len(d.Data) > maxPayload {
		return fmt.Errorf("capture: a datagram of %d bytes from %v to %v cannot be written", len(d.Data), d.Src, d.Dst)
	}
	be := binary.BigEndian
	from, to := src.As4(), dst.As4()
	b := append(w.frame[:0], 2, 0, to[0], to[1], to[2], to[3], 2, 0, from[0], from[1], from[2], from[3]) // addresses of our own making
	b = be.AppendUint16(b, protoIPv4)
	w.id++
	b = append(b, 0x45, 0)
	b = be.AppendUint16(b, uint16(ipHeader+udpHeader+len(d.Data)))
	b = be.AppendUint16(b, w.id)
	b = append(b, 0, 0, timeToLive, ipUDP, 0, 0)
	b = append(append(b, from[:]...), to[:]...)
	be.PutUint16(b[ethernetHeader+10:], internetSum(b[ethernetHeader:]))
	b = be.AppendUint16(b, d.Src.Port())
	b = be.AppendUint16(b, d.Dst.Port())
	b = be.AppendUint16(b, uint16(udpHeader+len(d.Data)))
	b = append(b, 0, 0) // no checksum, as is allowed
	w.frame = append(b, d.Data...)
	return w.w.WritePacket(gopacket.CaptureInfo{
		Timestamp: w.start.Add(time.Duration(d.At)), CaptureLength: len(w.frame), Length: len(w.frame),
	}, w.frame)
}

// internetSum is the checksum of an IPv4 header.
func internetSum(b []byte) uint16 {
	sum := uint32(0)
	for i := 0; i+1 < len(b); i += 2 {
		sum += uint32(binary.BigEndian.Uint16(b[i:]))
	}
	for sum > 0xFFFF {
		sum = sum>>16 + sum&0xFFFF
	}
	return ^uint16(sum)
}

// Flush writes what is still held.
func (w *Writer) Flush() error { return w.w.Flush() }
