package capture

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"testing"

	"github.com/gait-engine/gait/wire/transport"
)

// sound reads a stream to its end and checks what holds of any.
func sound(t *testing.T, b []byte) {
	r, err := NewReader(bytes.NewReader(b))
	if err != nil {
		if !errors.Is(err, ErrFormat) && !errors.Is(err, ErrContainer) && !errors.Is(err, ErrArchive) && !errors.Is(err, ErrUnpack) && !errors.Is(err, ErrLink) {
			t.Fatal(err)
		}
		return
	}
	defer r.Close()
	last := int64(0)
	var d transport.Datagram
	for {
		if err = r.Next(&d); err != nil {
			break
		}
		if d.At < last || !d.Src.IsValid() || !d.Dst.IsValid() || len(d.Data) > 65535 && d.Dir == transport.Unknown {
			t.Fatalf("%+v after %d", d, last)
		}
		last = d.At
	}
	if err != io.EOF && !errors.Is(err, ErrContainer) && !errors.Is(err, ErrArchive) && !errors.Is(err, ErrLink) {
		t.Fatal(err)
	}
	if again := r.Next(&d); again != err {
		t.Fatalf("%v, and then %v", err, again)
	}
	if c := r.Counts(); c.Records != c.Datagrams+c.NotOurs() {
		t.Fatalf("not every record is in a count: %+v", c)
	}
}

func FuzzPcap(f *testing.F) {
	all := frames(f, datagrams(5))
	f.Add(rawPcap(binary.LittleEndian, false, 1, all))
	f.Add(rawPcap(binary.BigEndian, true, 113, all))
	f.Fuzz(func(t *testing.T, b []byte) {
		sound(t, append(words(binary.LittleEndian, microMagic), b[min(4, len(b)):]...))
	})
}

func FuzzPcapng(f *testing.F) {
	f.Add(writePcapng(f, datagrams(5)))
	be := binary.BigEndian
	f.Add(bytes.Join([][]byte{section(be), describeInterface(be, 1, option(be, 9, 0x85)...), enhanced(be, 0, 5, make([]byte, 60)),
		block(be, 3, words(be, 4, 0)...), block(be, 2, words(be, 0, 0, 0, 4, 4, 0)...)}, nil))
	f.Fuzz(func(t *testing.T, b []byte) { sound(t, append([]byte(sectionMagic), b[min(4, len(b)):]...)) })
}

func FuzzJSONLines(f *testing.F) {
	f.Add([]byte(`{"t": 0.5, "dir": "s2c", "pair": 0, "len": 2, "data": "00fF"}` + "\r\n\n" + `{"hex": "0102", "dir": "c2s", "t": 1.25}`))
	f.Fuzz(func(t *testing.T, b []byte) { sound(t, append([]byte("{"), b...)) })
}

func FuzzCompressed(f *testing.F) {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	w.Write(writePcapng(f, datagrams(5)))
	w.Close()
	f.Add(z.Bytes(), true)
	f.Add([]byte("\x28\xB5\x2F\xFD\x04\x00\x11\x00\x00\x0A\x0D\x0A"), false)
	f.Fuzz(func(t *testing.T, b []byte, zipped bool) {
		magic := zstdMagic
		if zipped {
			magic = gzipMagic
		}
		sound(t, append([]byte(magic), b[min(len(magic), len(b)):]...))
	})
}

func FuzzFrame(f *testing.F) {
	eth := frames(f, datagrams(40))[20]
	for _, link := range []uint32{0, 1, 12, 108, 113, 276} {
		f.Add(link, eth)
		f.Add(link, eth[14:])
	}
	f.Fuzz(func(t *testing.T, link uint32, b []byte) {
		var l links
		var c Counts
		var d transport.Datagram
		took := l.datagram(link, b, &d, &c)
		l.end(&c)
		if n := c.NotOurs(); took && n != 0 || !took && n != 1 {
			t.Fatalf("%v, %+v", took, c)
		}
	})
}

func FuzzIPFragments(f *testing.F) {
	f.Add([]byte{0, 1, 8, 1, 1, 8, 2, 0, 4})
	f.Fuzz(func(t *testing.T, b []byte) {
		var all trains
		var c Counts
		whole, n := uint64(0), uint64(0)
		for ; len(b) >= 3; b = b[3:] { // where, whether more, how long
			data := bytes.Repeat([]byte{b[0]}, int(b[2]))
			if w := all.add(train{id: uint16(b[1] >> 6)}, int(b[0])*8, b[1]&1 != 0, data, int64(n)*1e9, &c); w != nil {
				whole++
				if len(w) > maxTrain {
					t.Fatalf("%d bytes", len(w))
				}
			}
			n++
		}
		all.end(&c)
		if c.Lost+c.Pieces+whole != n {
			t.Fatalf("%d pieces, %d whole: %+v", n, whole, c)
		}
	})
}

func FuzzArchive(f *testing.F) {
	f.Add(zipOf(f, map[string][]byte{"a.pcapng": writePcapng(f, datagrams(3)), "b": []byte("note")}, "a.pcapng", "b"))
	f.Fuzz(func(t *testing.T, b []byte) {
		l := lister{}
		if err := l.file(bytes.NewReader(b), int64(len(b)), "file", nil); err != nil && !errors.Is(err, ErrArchive) {
			t.Fatal(err)
		}
	})
}

// The quick way reads what a JSON decoder reads, or leaves it alone.
func FuzzQuickLine(f *testing.F) {
	f.Add([]byte(`{"t": 0.007451, "dir": "s2c", "pair": 1, "len": 52, "data": "0000"}`))
	f.Add([]byte(`{"hex":"00fF","t":0,"dir":"c2s", "t": 1.5}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		var p jsonLines
		b = append([]byte("{"), b[min(1, len(b)):]...)
		if !p.quick(b) {
			return
		}
		var l relayedLine
		if err := json.Unmarshal(b, &l); err != nil {
			t.Fatalf("%s: %v", b, err)
		}
		q := p.quickLine
		if (q.T == nil) != (l.T == nil) || q.T != nil && *q.T != *l.T || q.Dir != l.Dir || !bytes.Equal(q.Data, l.Data) || !bytes.Equal(q.Hex, l.Hex) ||
			(q.Pair == nil) != (l.Pair == nil) || q.Pair != nil && *q.Pair != *l.Pair || (q.Len == nil) != (l.Len == nil) || q.Len != nil && *q.Len != *l.Len {
			t.Fatalf("%s: %+v, want %+v", b, q, l)
		}
	})
}
