package capture

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/gait-engine/gait/wire/transport"
)

// block is a pcapng block.
func block(order binary.ByteOrder, kind uint32, body ...byte) []byte {
	for len(body)%4 != 0 {
		body = append(body, 0)
	}
	b := make([]byte, 8, 12+len(body))
	order.PutUint32(b, kind)
	order.PutUint32(b[4:], uint32(12+len(body)))
	b = append(b, body...)
	return append(b, b[4:8]...)
}

func words(order binary.ByteOrder, w ...uint32) (b []byte) {
	for _, v := range w {
		b = binary.LittleEndian.AppendUint32(b, 0)
		order.PutUint32(b[len(b)-4:], v)
	}
	return b
}

func section(order binary.ByteOrder) []byte {
	return block(order, 0x0A0D0D0A, append(words(order, byteOrderMagic, 1), bytes.Repeat([]byte{0xFF}, 8)...)...)
}

func describeInterface(order binary.ByteOrder, link uint16, options ...byte) []byte {
	b := make([]byte, 8)
	order.PutUint16(b, link)
	return block(order, 1, append(b, options...)...)
}

func option(order binary.ByteOrder, code uint16, v ...byte) []byte {
	b := make([]byte, 4)
	order.PutUint16(b, code)
	order.PutUint16(b[2:], uint16(len(v)))
	for len(v)%4 != 0 {
		v = append(v, 0)
	}
	return append(b, v...)
}

func enhanced(order binary.ByteOrder, number uint32, time uint64, frame []byte) []byte {
	return block(order, 6, append(words(order, number, uint32(time>>32), uint32(time), uint32(len(frame)), uint32(len(frame))), frame...)...)
}

// Blocks of all kinds, in either byte order, of interfaces with clocks of their own
// (22 §9.2, §12).
func TestPcapngBlocks(t *testing.T) {
	want := datagrams(10)[9:10]
	eth := frames(t, want)[0]
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		offset := make([]byte, 8)
		order.PutUint64(offset, 1000)
		old := block(order, 2, append(words(order, 0, 0, 5_000_000, uint32(len(eth)), uint32(len(eth))), eth...)...)
		file := bytes.Join([][]byte{
			section(order),
			block(order, 0xBAD, 1, 2, 3),                              // passed over
			enhanced(order, 0, 0, eth),                                // of no interface
			describeInterface(order, 1),                               // 0: µs
			describeInterface(order, 1, option(order, 9, 3)...),       // 1: ms
			describeInterface(order, 1, option(order, 9, 0x80|10)...), // 2: 1/1024 s
			describeInterface(order, 1, append(option(order, 14, offset...), option(order, 9, 9)...)...), // 3: ns, 1000 s on
			describeInterface(order, 1, option(order, 9, 64)...),                                         // 4: nobody's
			describeInterface(order, 1, option(order, 9, 12)...),                                         // 5: ps
			describeInterface(order, 147),                                                                // 6: a link that is not read
			describeInterface(order, 1, option(order, 9, 0)...),                                          // 7: s
			enhanced(order, 0, 1_000_000, eth),
			enhanced(order, 1, 2_000, eth),
			enhanced(order, 2, 3*1024+512, eth),
			enhanced(order, 5, 4e12, eth),
			old,
			block(order, 3, append(words(order, uint32(len(eth))), eth...)...), // no time
			enhanced(order, 4, 0, eth),
			enhanced(order, 6, 0, eth),
			enhanced(order, 8, 0, eth),
			enhanced(order, 7, 1<<63, eth),
			block(order, 6, words(order, 0, 0, 0, 500, 500)...), // shorter than it says
			block(order, 6, 1, 2, 3),
			enhanced(order, 3, 2e9, eth),
			section(order), // interfaces begin anew
			enhanced(order, 0, 0, eth),
			describeInterface(order, 1),
			enhanced(order, 0, 1003_000_000, eth),
		}, nil)
		got, c, err := read(bytes.NewReader(file))
		if err != nil || c.BadBlocks != 6 || c.BadTimes != 1 || c.Link != 1 || c.Untimed != 1 || c.Records != c.Datagrams+c.NotOurs() {
			t.Fatalf("%v: %v, %+v", order, err, c)
		}
		var all []transport.Datagram
		for _, at := range []int64{0, 1e9, 2.5e9, 3e9, 4e9, 4e9, 1001e9, 1002e9} {
			w := want[0]
			w.At = at
			all = append(all, w)
		}
		same(t, order.String(), got, all)
	}
}
