package capture

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"testing"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/pcapgo"

	"github.com/gait-engine/gait/wire/transport"
)

// byGopacket reads a capture with gopacket's readers: how many records there are
// before an error, with the seconds of their times.
func byGopacket(tb testing.TB, file []byte) (seconds []int64, err error) {
	var next func() ([]byte, gopacket.CaptureInfo, error)
	if starts(file, sectionMagic) {
		r, err := pcapgo.NewNgReader(bytes.NewReader(file), pcapgo.NgReaderOptions{WantMixedLinkType: true})
		if err != nil {
			tb.Fatal(err)
		}
		next = r.ZeroCopyReadPacketData
	} else {
		r, err := pcapgo.NewReader(bytes.NewReader(file))
		if err != nil {
			tb.Fatal(err)
		}
		next = r.ZeroCopyReadPacketData
	}
	for {
		_, info, err := next()
		if err != nil {
			if err == io.EOF {
				err = nil
			}
			return seconds, err
		}
		seconds = append(seconds, info.Timestamp.Unix())
	}
}

// What the rules ask of a container's reader and gopacket's do not do: why the two
// formats are read here. A line that fails is a reason less.
func TestGopacketsReaders(t *testing.T) {
	le := binary.LittleEndian
	want := datagrams(10)[9:]
	eth := frames(t, want)[0]
	ethernet := describeInterface(le, 1)
	packet := func(number uint32, second uint64) []byte { return enhanced(le, number, second*1e6, eth) }
	good := bytes.Join([][]byte{section(le), ethernet, packet(0, 1)}, nil)
	after := func(blocks ...[]byte) []byte { return bytes.Join(append([][]byte{good}, blocks...), nil) }
	// a block of some length, whose content is another one's end: who goes on reads what follows
	odd := func(size uint32) []byte {
		b := append(words(le, 0xBAD, size), make([]byte, size-8)...)
		return append(b, packet(0, 2)...)
	}
	classic := rawPcap(le, false, 1, [][]byte{eth, eth})
	le.PutUint32(classic[4:], 0x00040002) // the only version that it reads

	vast := bytes.Clone(classic)
	le.PutUint32(vast[16:], 1<<20) // as long as records may be, it says
	vast = append(append(vast, words(le, 1, 0, MaxRecord+4, MaxRecord+4)...), make([]byte, MaxRecord+4)...)

	for name, c := range map[string]struct {
		file  []byte
		ours  int  // datagrams
		ends  bool // ours refuses the rest
		right func(seconds []int64, err error) bool
	}{
		"a second header in the middle (22 §9.4)": {append(bytes.Clone(classic), classic...), 4, false, func(s []int64, err error) bool { return len(s) == 4 && err == nil }},
		"a record of more than 256 KiB (22 §12)":  {vast, 2, true, func(s []int64, err error) bool { return len(s) == 2 && err != nil }},
		"a packet of an interface that is not described, and then others (22 §12)": {after(packet(7, 2), packet(0, 3)), 2, false, func(s []int64, err error) bool {
			return len(s) == 2 && err == nil
		}},
		"a packet longer than its block, and then others": {after(block(le, 6, words(le, 0, 0, 0, 500, 500)...), packet(0, 3), packet(0, 4)), 3, false, func(s []int64, err error) bool {
			return len(s) == 3 && err == nil && s[1] == 3 && s[2] == 4
		}},
		"an interface of a resolution that is none, and another's packets": {after(describeInterface(le, 1, option(le, optScale, 64)...), packet(0, 2)), 2, false, func(s []int64, err error) bool {
			return len(s) == 2 && err == nil
		}},
		"whole seconds as a resolution (22 §9.2)": {after(describeInterface(le, 1, option(le, optScale, 0)...), enhanced(le, 1, 5, eth)), 2, false, func(s []int64, err error) bool {
			return err == nil && s[1] == 5
		}},
		"a resolution of 10⁻²²": {after(describeInterface(le, 1, option(le, optScale, 22)...), enhanced(le, 1, math.MaxUint64, eth)), 2, false, func(s []int64, err error) bool {
			return err == nil && s[1] == 0
		}},
		"a block whose length is no multiple of four": {after(odd(17)), 1, true, func(s []int64, err error) bool { return len(s) == 1 && err != nil }},
		"a block of more than 16 MiB":                 {after(odd(MaxBlock + 4)), 1, true, func(s []int64, err error) bool { return len(s) == 1 && err != nil }},
	} {
		got, _, err := read(bytes.NewReader(c.file))
		if len(got) != c.ours || (err != nil) != c.ends {
			t.Errorf("%s: read here: %d datagrams, %v", name, len(got), err)
		}
		if seconds, err := byGopacket(t, c.file); c.right(seconds, err) {
			t.Errorf("%s: gopacket's reader does it: %v, %v", name, seconds, err)
		}
	}

	many := bytes.Join([][]byte{section(le), bytes.Repeat(ethernet, MaxInterfaces+1), packet(0, 1)}, nil)
	r, err := pcapgo.NewNgReader(bytes.NewReader(many), pcapgo.NgReaderOptions{WantMixedLinkType: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.ZeroCopyReadPacketData(); err != nil || r.NInterfaces() != MaxInterfaces+1 {
		t.Errorf("gopacket's reader bounds interfaces: %d, %v", r.NInterfaces(), err)
	}
	own, err := NewReader(bytes.NewReader(many))
	if err != nil {
		t.Fatal(err)
	}
	var d transport.Datagram
	if err := own.Next(&d); err != nil || len(own.source.(*pcapng).interfaces) != MaxInterfaces || own.Counts().BadBlocks != 1 {
		t.Errorf("interfaces are not bounded here: %v, %+v", err, own.Counts())
	}
}
