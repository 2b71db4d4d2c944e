package dat

import (
	"encoding/binary"
	"fmt"
	"io"
)

// Where things are in a container (spec 21 §2.1).
const (
	headerAt   = 0x140
	headerEnd  = 0x190
	oldMagicAt = 0x12C
	dataAt     = 0x400 // the first block
	magic      = 0x5442
)

// Limits on a container.
const (
	// MinBlockSize is the least block: a link and as much again.
	MinBlockSize = 8
	// MaxBlockSize bounds what reading one block takes.
	MaxBlockSize = 1 << 16
	// MaxFile bounds a container: offsets are unsigned 32-bit.
	MaxFile = 1<<32 - 1
	// MaxRecord bounds one record, decompressed or in a loose file.
	MaxRecord = 64 << 20
)

// Header is the head of a container (spec 21 §2.1). Ignored fields are not kept.
type Header struct {
	BlockSize  uint32 // bytes, the link included
	FileSize   uint32
	DataSet    DataSet
	Subset     uint32
	FreeFirst  uint32 // offset of the first free block, 0 when there is none
	FreeLast   uint32
	FreeCount  uint32
	Root       uint32 // offset of the directory's root node
	NewLRU     uint32
	OldLRU     uint32
	UseLRU     uint32 // the low byte counts
	MasterMap  uint32
	EnginePack uint32
	GamePack   uint32
	Version    [16]byte
	Minor      uint32
}

// words are the fields before Version, in file order from 0x144.
func (h *Header) words() []*uint32 {
	return []*uint32{&h.BlockSize, &h.FileSize, (*uint32)(&h.DataSet), &h.Subset, &h.FreeFirst, &h.FreeLast,
		&h.FreeCount, &h.Root, &h.NewLRU, &h.OldLRU, &h.UseLRU, &h.MasterMap, &h.EnginePack, &h.GamePack}
}

// bytes returns the area before the first block.
func (h *Header) bytes() []byte {
	b := make([]byte, dataAt)
	binary.LittleEndian.PutUint32(b[headerAt:], magic)
	at := headerAt + 4
	for _, w := range h.words() {
		binary.LittleEndian.PutUint32(b[at:], *w)
		at += 4
	}
	copy(b[at:], h.Version[:])
	binary.LittleEndian.PutUint32(b[at+16:], h.Minor)
	return b
}

// readHeader reads and checks the head of a file of this size.
func readHeader(r io.ReaderAt, size int64) (Header, *Error) {
	var h Header
	bad := func(at int64, kind error, format string, a ...any) (Header, *Error) {
		return h, &Error{Offset: at, Kind: kind, Reason: fmt.Sprintf(format, a...)}
	}
	if size < dataAt {
		return bad(size, ErrFormat, "%d bytes, the header area takes %d", size, dataAt)
	}
	if size > MaxFile {
		return bad(-1, ErrLimit, "%d bytes, offsets reach %d", size, int64(MaxFile))
	}
	var b [headerEnd]byte
	if err := readFull(r, b[:], 0); err != nil {
		return bad(0, err, "reading the header")
	}
	if m := binary.LittleEndian.Uint32(b[headerAt:]); m != magic {
		if binary.LittleEndian.Uint32(b[oldMagicAt:]) == magic {
			return bad(oldMagicAt, ErrOldLayout, "the magic is here, not at 0x%X", headerAt)
		}
		return bad(headerAt, ErrFormat, "magic 0x%08X, not 0x%08X", m, magic)
	}
	at := headerAt + 4
	for _, w := range h.words() {
		*w = binary.LittleEndian.Uint32(b[at:])
		at += 4
	}
	copy(h.Version[:], b[at:])
	h.Minor = binary.LittleEndian.Uint32(b[at+16:])
	switch {
	case h.BlockSize < MinBlockSize || h.BlockSize > MaxBlockSize:
		return bad(0x144, ErrFormat, "block size %d, not %d..%d", h.BlockSize, MinBlockSize, MaxBlockSize)
	case int64(h.FileSize) > size:
		return bad(0x148, ErrFormat, "the header says %d bytes, the file has %d", h.FileSize, size)
	case h.FileSize < dataAt:
		return bad(0x148, ErrFormat, "the header says %d bytes, less than its own area", h.FileSize)
	case h.DataSet < Portal || h.DataSet > Local:
		return bad(0x14C, ErrFormat, "unknown data set %d", uint32(h.DataSet))
	}
	return h, nil
}

// readFull fills b from offset at. An end of file in spite of the stated size
// is an error too.
func readFull(r io.ReaderAt, b []byte, at int64) error {
	n, err := r.ReadAt(b, at)
	if n == len(b) {
		return nil
	}
	if err == nil || err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
