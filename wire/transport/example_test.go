package transport_test

import (
	"fmt"
	"net/netip"

	"github.com/gait-engine/gait/wire/transport"
)

// Messages go out in datagrams and are found again in a recording of them, which
// begins after the handshake: all is read, and the checksums cannot be verified.
func Example() {
	server, client := netip.MustParseAddrPort("10.0.0.9:9001"), netip.MustParseAddrPort("10.0.0.5:50000")
	r := transport.NewReader(transport.Options{}, transport.Handler{
		Message: func(c *transport.Connection, m *transport.Message) {
			fmt.Printf("connection %d, %v, queue %d: %d bytes at %d ns\n", c.ID, m.Dir, m.Queue, len(m.Data), m.At)
		},
	})
	s := transport.NewSender(transport.S2C, 0xB7913FC1)
	now := int64(0)
	small, large := []byte{0x48, 0xF7, 0, 0, 1, 0, 0, 0x80}, make([]byte, 1000)
	err := s.Messages(10, [][]byte{small, large}, func(datagram []byte) {
		now += 1000
		r.Add(&transport.Datagram{At: now, Src: server, Dst: client, Data: datagram})
	})
	r.Close()
	c := r.Connections()[0].Counts(transport.S2C)
	fmt.Println(c.Datagrams, "datagrams,", c.Unverifiable, "unverifiable,", c.Missing, "missing", err)
	// Output:
	// connection 1, s2c, queue 10: 8 bytes at 1000 ns
	// connection 1, s2c, queue 10: 1000 bytes at 4000 ns
	// 4 datagrams, 4 unverifiable, 0 missing <nil>
}

// Refusals say what, where and why.
func ExampleParse() {
	b := make([]byte, 24)
	b[5], b[16] = 0x10, 4 // a request to send again, of as many numbers as the next four bytes say
	b[20], b[23] = 1, 0x40
	var p transport.Packet
	fmt.Println(transport.Parse(b, &p))
	// Output:
	// transport: section at offset 20 (request retransmit)
}
