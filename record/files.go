package record

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// The names of files.
const (
	snapExt = ".snap"
	logExt  = ".log"
	partExt = ".snap.part" // of a snapshot that is being written
)

func name(n uint64, ext string) string { return fmt.Sprintf("%016x%s", n, ext) }

// files are the commits that the snapshots and logs of a folder are named after,
// ascending.
type files struct{ snaps, logs, parts []uint64 }

// list reads a folder; what has another name it passes over.
func list(dir string) (f files, err error) {
	all, err := os.ReadDir(dir)
	if err != nil {
		return f, err
	}
	for _, d := range all {
		number, ext, _ := strings.Cut(d.Name(), ".")
		n, err := strconv.ParseUint(number, 16, 64)
		if err != nil || d.Name() != name(n, "."+ext) {
			continue
		}
		switch "." + ext {
		case snapExt:
			f.snaps = append(f.snaps, n)
		case logExt:
			f.logs = append(f.logs, n)
		case partExt:
			f.parts = append(f.parts, n)
		}
	}
	slices.Sort(f.snaps)
	slices.Sort(f.logs)
	slices.Sort(f.parts)
	return f, nil
}

// sector is what a disk writes whole or not at all, in bytes.
const sector = 512

// unwritten reports whether what was to stand in a file from a byte on, up to another,
// never came to be written, though the file was made long enough: from there on, or from
// a sector in it on, there are zeros alone.
func unwritten(f io.ReaderAt, from, to int64) bool {
	zeros := from
	b := make([]byte, 64<<10)
	for at := from; ; {
		n, err := f.ReadAt(b, at)
		if some := len(bytes.TrimRight(b[:n], "\x00")); some > 0 {
			zeros = (at + int64(some) + sector - 1) / sector * sector
		}
		at += int64(n)
		if err != nil {
			return err == io.EOF && zeros < min(at, to)
		}
	}
}

// sealed reports whether the last four bytes are the checksum of those before.
func sealed(b []byte) bool {
	n := len(b) - 4
	return crc32.Checksum(b[:n], castagnoli) == binary.LittleEndian.Uint32(b[n:])
}
