package capture

import (
	"bytes"
	"encoding/binary"
	"io"
	"testing"

	"github.com/gait-engine/gait/wire/transport"
)

// game is a capture of one client's conversation as it looks in a crowd, of some MB.
func game(tb testing.TB) (all []transport.Datagram) {
	s2c, c2s := transport.NewSender(transport.S2C, 1), transport.NewSender(transport.C2S, 2)
	now := int64(0)
	emit := func(dir transport.Dir) func(b []byte) {
		return func(b []byte) {
			d := transport.Datagram{At: now, Src: client, Dst: server, Data: bytes.Clone(b)}
			if dir == transport.S2C {
				d.Src, d.Dst = d.Dst, d.Src
			}
			all = append(all, d)
		}
	}
	hello, err := s2c.Plain(nil, transport.Packet{
		Header: transport.Header{Flags: transport.ConnectRequest}, Cookie: 9, Connect: transport.Connect{SeedS2C: 1, SeedC2S: 2},
	})
	if err != nil {
		tb.Fatal(err)
	}
	emit(transport.S2C)(hello)
	message := func(op uint32, n int) []byte {
		m := make([]byte, n)
		binary.LittleEndian.PutUint32(m, op)
		return m
	}
	for i := range 20_000 {
		now += 5e7
		messages := [][]byte{message(0xF748, 48), message(0xF748, 48), message(0xF74C, 40)}[:1+i%3]
		if i%50 == 0 {
			messages = append(messages, message(0xF745, 700))
		}
		if err := s2c.Messages(10, messages, emit(transport.S2C)); err != nil {
			tb.Fatal(err)
		}
		if i%8 == 0 {
			if err := c2s.Messages(3, [][]byte{message(0xF7B1, 68)}, emit(transport.C2S)); err != nil {
				tb.Fatal(err)
			}
		}
	}
	return all
}

// The speed from a file's bytes to messages, checksums verified, in MB/s of the file.
func BenchmarkReading(b *testing.B) {
	all := game(b)
	lines := bytes.Buffer{}
	for i := range all {
		lines.WriteString(jsonLine(&all[i], "s2c", 0))
		lines.WriteByte('\n')
	}
	for _, c := range []struct {
		name string
		file []byte
	}{{"pcapng", writePcapng(b, all)}, {"pcap", rawPcap(binary.LittleEndian, false, 1, frames(b, all))}, {"lines", lines.Bytes()}} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.file)))
			b.ReportAllocs()
			for b.Loop() {
				messages := 0
				r := transport.NewReader(transport.Options{}, transport.Handler{Message: func(*transport.Connection, *transport.Message) { messages++ }})
				p, err := NewReader(bytes.NewReader(c.file))
				if err != nil {
					b.Fatal(err)
				}
				var d transport.Datagram
				for err = p.Next(&d); err == nil; err = p.Next(&d) {
					r.Add(&d)
				}
				if err != io.EOF || messages < 10_000 {
					b.Fatal(err, messages)
				}
				p.Close()
				r.Close()
			}
		})
	}
}
