package capture

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/gait-engine/gait/wire/transport"
)

// zipOf packs named files.
func zipOf(tb testing.TB, files map[string][]byte, order ...string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range order {
		f, err := w.Create(name)
		if err != nil {
			tb.Fatal(err)
		}
		f.Write(files[name])
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// What a member is called is shown without what a terminal acts on.
func TestMemberNamesAreShownPlain(t *testing.T) {
	names := []string{"Überblick 1.pcap", "a\x1b[2J\nconnection 1\xff.pcap", "\u202Ecap.7z"}
	classic := rawPcap(binary.LittleEndian, false, 1, frames(t, datagrams(2)))
	path := filepath.Join(t.TempDir(), "all.zip")
	file := zipOf(t, map[string][]byte{names[0]: classic, names[1]: classic, names[2]: []byte(sevenZip + ".........")}, names...)
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	parts, _, err := List(path)
	if err != nil || len(parts) != 3 {
		t.Fatalf("%v, %+v", err, parts)
	}
	for i, want := range []string{"Überblick 1.pcap", "a\uFFFD[2J\uFFFDconnection 1\uFFFD.pcap", "\uFFFDcap.7z"} {
		if got := strings.TrimPrefix(parts[i].Name, path+"/"); got != want {
			t.Errorf("%q is shown as %q", names[i], got)
		}
	}
}

// Archives give every capture in them, at any of four depths; other files are passed
// over, and names are never paths (22 §9.6, §12).
func TestArchives(t *testing.T) {
	want := datagrams(20)
	ng, classic := writePcapng(t, want), rawPcap(binary.LittleEndian, false, 1, frames(t, want))
	deep := zipOf(t, map[string][]byte{"four.pcap": classic}, "four.pcap")
	for range MaxDepth - 1 {
		deep = zipOf(t, map[string][]byte{"in.zip": deep}, "in.zip")
	}
	tooDeep := zipOf(t, map[string][]byte{"in.zip": deep}, "in.zip")
	file := zipOf(t, map[string][]byte{
		"a/": nil, "../../a/pkt.pcap": classic, "a/pkt_desc.txt": []byte("a note"), "b.pcapng": ng,
		"c.7z": []byte(sevenZip + "........."), "in.zip": zipOf(t, map[string][]byte{"x.pcap": classic}, "x.pcap"),
	}, "a/", "../../a/pkt.pcap", "a/pkt_desc.txt", "b.pcapng", "c.7z", "in.zip")
	dir := t.TempDir()
	put := func(name string, b []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	parts, others, err := List(put("all.zip", file))
	if err != nil || len(parts) != 4 || others != 1 {
		t.Fatalf("%v, %d others, %+v", err, others, parts)
	}
	for i, p := range parts {
		if i == 2 {
			if !errors.Is(p.Err, ErrUnpack) {
				t.Errorf("%+v", p)
			}
			if _, err := p.Open(); !errors.Is(err, ErrUnpack) {
				t.Error(err)
			}
			continue
		}
		r, err := p.Open()
		if err != nil || !p.Start.Equal(start) || p.Size == 0 {
			t.Fatalf("%+v: %v", p, err)
		}
		var d transport.Datagram
		n := 0
		for r.Next(&d) == nil {
			n++
		}
		if err := r.Close(); err != nil || n != len(want) {
			t.Errorf("%s: %d datagrams, %v", p.Name, n, err)
		}
	}
	if parts, _, err := List(put("deep.zip", deep)); err != nil || len(parts) != 1 || parts[0].Err != nil {
		t.Errorf("%v, %+v", err, parts)
	}
	if parts, _, err := List(put("deeper.zip", tooDeep)); err != nil || len(parts) != 1 || !errors.Is(parts[0].Err, ErrArchive) {
		t.Errorf("%v, %+v", err, parts)
	}
	if parts, _, err := List(put("plain", ng)); err != nil || len(parts) != 1 || parts[0].Format != "pcapng" || parts[0].Size != int64(len(ng)) {
		t.Errorf("%v, %+v", err, parts)
	}
	if parts, _, err := List(put("text", []byte("hello"))); err != nil || len(parts) != 1 || !errors.Is(parts[0].Err, ErrFormat) {
		t.Errorf("%v, %+v", err, parts)
	}
	if _, _, err := List(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if _, _, err := List(put("broken.zip", file[:len(file)-30])); !errors.Is(err, ErrArchive) {
		t.Error(err)
	}
}

// Not everything that is small stays small: what grows beyond measure is refused (22 §12).
func TestExpansion(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	fill := func(w io.Writer) {
		w.Write(rawPcap(binary.LittleEndian, false, 1, frames(t, datagrams(2))))
		empty := append(words(binary.LittleEndian, 0, 0, 65536, 65536), make([]byte, 65536)...)
		for range 3 * freeExpansion / len(empty) {
			w.Write(empty)
		}
	}
	var packed, zipped, zstded bytes.Buffer
	g, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	fill(g)
	g.Close()
	z := zip.NewWriter(&zipped)
	member, _ := z.Create("a.pcap")
	fill(member)
	z.Close()
	s, _ := zstd.NewWriter(&zstded)
	fill(s)
	s.Close()
	for name, b := range map[string][]byte{"gzip": packed.Bytes(), "zstd": zstded.Bytes()} {
		if got, _, err := read(bytes.NewReader(b)); !errors.Is(err, ErrArchive) || len(got) != 2 {
			t.Errorf("%s: %d datagrams, %v", name, len(got), err)
		}
	}
	path := filepath.Join(t.TempDir(), "a.zip")
	if err := os.WriteFile(path, zipped.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	parts, _, err := List(path)
	if err != nil || len(parts) != 1 {
		t.Fatal(parts, err)
	}
	r, err := parts[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	n := 0
	var d transport.Datagram
	for err = r.Next(&d); err == nil; err = r.Next(&d) {
		n++
	}
	if !errors.Is(err, ErrArchive) || n != 2 {
		t.Errorf("zip: %d datagrams, %v", n, err)
	}
}

// What a small archive may have unpacked is bounded: its members lie side by side, and what
// is in it as archives comes to so much in all.
func TestArchivesThatExpandBySharing(t *testing.T) {
	inner := zipOf(t, map[string][]byte{"x.pcap": rawPcap(binary.LittleEndian, false, 1, frames(t, datagrams(2)))}, "x.pcap")
	names := []string{"1.zip", "2.zip", "3.zip"}
	whole := zipOf(t, map[string][]byte{"1.zip": inner, "2.zip": inner, "3.zip": inner}, names...)

	b := zipOf(t, map[string][]byte{"in.zip": inner}, "in.zip")
	end := len(b) - 22 // where the end of the directory is said
	from := int(binary.LittleEndian.Uint32(b[end+16:]))
	const times = 100
	shared := append(append([]byte{}, b[:from]...), bytes.Repeat(b[from:end], times)...)
	shared = append(shared, b[end:]...)
	end = len(shared) - 22
	binary.LittleEndian.PutUint16(shared[end+8:], times)
	binary.LittleEndian.PutUint16(shared[end+10:], times)
	binary.LittleEndian.PutUint32(shared[end+12:], uint32(end-from))
	l := lister{room: MaxNested}
	if err := l.file(bytes.NewReader(shared), int64(len(shared)), "", nil); !errors.Is(err, ErrArchive) {
		t.Errorf("a hundred members that are one: %v, %+v", err, l.parts)
	}

	for room, want := range map[int64]int{MaxNested: 3, 2*int64(len(inner)) + 10: 2, 10: 0} {
		l := lister{room: room}
		if err := l.file(bytes.NewReader(whole), int64(len(whole)), "", nil); err != nil {
			t.Fatal(err)
		}
		good := 0
		for _, p := range l.parts {
			if p.Err == nil {
				good++
			} else if !errors.Is(p.Err, ErrArchive) {
				t.Error(p.Err)
			}
		}
		if good != want || len(l.parts) != 3 {
			t.Errorf("with %d bytes of room %d of %d are read, want %d", room, good, len(l.parts), want)
		}
	}
}

// An archive in an archive that turns out damaged has been unpacked all the same (22 §12).
func TestDamagedNestedArchivesTakeRoom(t *testing.T) {
	inner := zipOf(t, map[string][]byte{"x.pcap": rawPcap(binary.LittleEndian, false, 1, frames(t, datagrams(2)))}, "x.pcap")
	b := zipOf(t, map[string][]byte{"in.zip": inner}, "in.zip")
	from := int(binary.LittleEndian.Uint32(b[len(b)-22+16:]))
	b[from+16] ^= 1 // its checksum
	l := lister{room: MaxNested}
	if err := l.file(bytes.NewReader(b), int64(len(b)), "", nil); err != nil {
		t.Fatal(err)
	}
	if took := MaxNested - l.room; took < int64(len(inner)) {
		t.Errorf("%d bytes were unpacked, %d are counted", len(inner), took)
	}
}
