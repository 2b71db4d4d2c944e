package dat

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
)

// File is an open container. Its directory has been read and checked; records
// are read when asked for. Safe for concurrent use, as io.ReaderAt is.
type File struct {
	name    string
	r       io.ReaderAt
	head    Header
	entries []Entry // ascending by id
	close   func() error
}

// Open reads the header and the directory of the container in the first size
// bytes of r. Every node is checked (spec 21 §2.3); records are not touched.
// The name is for refusals only.
func Open(r io.ReaderAt, size int64, name string) (*File, error) {
	f := &File{name: name, r: r}
	h, err := readHeader(r, size)
	if err == nil {
		f.head = h
		f.entries, err = f.directory(nil)
	}
	if err != nil {
		return nil, inFile(err, name, 0)
	}
	return f, nil
}

// OpenFile opens the container at path. Close it when done.
func OpenFile(path string) (*File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil {
		var f *File
		if f, err = Open(file, info.Size(), path); err == nil {
			f.close = file.Close
			return f, nil
		}
	}
	_ = file.Close() // the first error is the one to report
	return nil, err
}

// directory walks the whole tree. A root of 0 is an empty container (spec 21 §2.6).
func (f *File) directory(blocks func(uint32) *Error) ([]Entry, *Error) {
	if f.head.Root == 0 {
		return nil, nil
	}
	t := treeReader{f: f, visited: map[uint32]bool{}, blocks: blocks}
	if err := t.node(f.head.Root, 0, math.MaxUint32, 1); err != nil {
		return nil, err
	}
	return t.entries, nil
}

// Close closes the file that OpenFile opened.
func (f *File) Close() error {
	if f.close == nil {
		return nil
	}
	return f.close()
}

// Name is what the container is called in refusals.
func (f *File) Name() string { return f.name }

// Header returns the head of the container.
func (f *File) Header() Header { return f.head }

// Entries returns the directory, ascending by id. The caller must not change it.
func (f *File) Entries() []Entry { return f.entries }

// Lookup finds the entry of a record.
func (f *File) Lookup(id uint32) (Entry, bool) {
	i, ok := f.index(id)
	if !ok {
		return Entry{}, false
	}
	return f.entries[i], true
}

func (f *File) index(id uint32) (int, bool) {
	return slices.BinarySearchFunc(f.entries, id, func(e Entry, id uint32) int {
		switch {
		case e.ID < id:
			return -1
		case e.ID > id:
			return 1
		}
		return 0
	})
}

// IDs returns the ids of the records in first..last, both included, ascending.
func (f *File) IDs(first, last uint32) []uint32 {
	var ids []uint32
	for i, _ := f.index(first); i < len(f.entries) && f.entries[i].ID <= last; i++ {
		ids = append(ids, f.entries[i].ID)
	}
	return ids
}

// Read returns a record's bytes, decompressed, after checking that they begin
// with its id. The iteration record has none to check.
func (f *File) Read(id uint32) ([]byte, error) {
	b, err := f.Raw(id)
	if err != nil {
		return nil, err
	}
	if e := checkEcho(b, id); e != nil {
		return nil, inFile(e, f.name, id)
	}
	return b, nil
}

// Raw is [File.Read] without the check of the id.
func (f *File) Raw(id uint32) ([]byte, error) {
	e, ok := f.Lookup(id)
	if !ok {
		return nil, inFile(&Error{Offset: -1, Kind: ErrNotFound}, f.name, id)
	}
	b, err := f.content(&e, nil)
	if err != nil {
		return nil, inFile(err, f.name, id)
	}
	return b, nil
}

func (f *File) content(e *Entry, visit func(uint32) *Error) ([]byte, *Error) {
	b, err := f.readChain(e.First, e.Size, visit)
	if err == nil && e.Flags&compressedBit != 0 {
		b, err = decompress(b)
	}
	return b, err
}

// Iterations reads the iteration record.
func (f *File) Iterations() (*Iterations, error) {
	b, err := f.Read(IterationID)
	if err != nil {
		return nil, err
	}
	it, err := DecodeIterations(b)
	if err != nil {
		return nil, inFile(err, f.name, IterationID)
	}
	return it, nil
}

// checkEcho checks that a record begins with its id (spec 21 §1).
func checkEcho(b []byte, id uint32) *Error {
	if id == IterationID {
		return nil
	}
	e := &Error{Record: id, InRecord: true, Kind: ErrID}
	if len(b) < 4 {
		e.Reason = fmt.Sprintf("%d bytes hold no id", len(b))
		return e
	}
	if got := binary.LittleEndian.Uint32(b); got != id {
		e.Reason = fmt.Sprintf("the record says it is 0x%08X", got)
		return e
	}
	return nil
}

// deflateRatio is more than a deflated byte can stand for, so that a stated
// size beyond it is refused before anything is allocated.
const deflateRatio = 1040

// decompress reads u32 size + zlib stream (spec 21 §2.4).
func decompress(b []byte) ([]byte, *Error) {
	bad := func(kind error, format string, a ...any) ([]byte, *Error) {
		return nil, &Error{InRecord: true, Kind: kind, Reason: fmt.Sprintf(format, a...)}
	}
	if len(b) < 4 {
		return bad(ErrCompressed, "%d bytes hold no size", len(b))
	}
	n := uint64(binary.LittleEndian.Uint32(b))
	switch {
	case n > MaxRecord:
		return bad(ErrLimit, "%d bytes uncompressed, at most %d are read", n, MaxRecord)
	case n > uint64(len(b))*deflateRatio:
		return bad(ErrCompressed, "%d bytes cannot come out of %d", n, len(b))
	}
	in := bytes.NewReader(b[4:])
	z, err := zlib.NewReader(in)
	if err != nil {
		return bad(ErrCompressed, "%v", err)
	}
	out := make([]byte, n)
	if _, err := io.ReadFull(z, out); err != nil {
		return bad(ErrCompressed, "%v before %d bytes", err, n)
	}
	switch m, err := io.ReadFull(z, make([]byte, 1)); {
	case m > 0:
		return bad(ErrCompressed, "more than the stated %d bytes", n)
	case err != io.EOF:
		return bad(ErrCompressed, "%v", err)
	}
	if in.Len() > 0 {
		return bad(ErrCompressed, "%d bytes after the stream", in.Len())
	}
	return out, nil
}

// Check reads the whole container: every record's chain, that no block is in
// two chains, the free list against the header, the iteration record, and every
// id. It takes as long as reading the file does.
func (f *File) Check() error {
	err := f.check()
	if err != nil {
		return inFile(err, f.name, 0)
	}
	if _, err := f.Iterations(); err != nil {
		return err
	}
	return nil
}

func (f *File) check() *Error {
	used := make([]uint64, f.head.blockCount()/64+1)
	take := func(at uint32) *Error {
		i := (at - dataAt) / f.head.BlockSize
		if used[i/64]>>(i%64)&1 != 0 {
			return chainError(at, "a block in two chains")
		}
		used[i/64] |= 1 << (i % 64)
		return nil
	}
	if _, err := f.directory(take); err != nil {
		return err
	}
	for i := range f.entries {
		e := &f.entries[i]
		b, err := f.content(e, take)
		if err == nil {
			err = checkEcho(b, e.ID)
		}
		if err != nil {
			err.Record = e.ID
			return err
		}
	}
	return f.checkFree(take)
}

// checkFree walks the free list (spec 21 §2.2).
func (f *File) checkFree(take func(uint32) *Error) *Error {
	at, last := f.head.FreeFirst, uint32(0)
	for i := uint32(0); i < f.head.FreeCount; i++ {
		if err := f.head.checkBlock(at); err != nil {
			return err
		}
		if err := take(at); err != nil {
			return err
		}
		var b [4]byte
		if err := readFull(f.r, b[:], int64(at)); err != nil {
			return &Error{Offset: int64(at), Kind: err, Reason: "reading a free block"}
		}
		link := binary.LittleEndian.Uint32(b[:])
		if link&freeBit == 0 {
			return chainError(at, "link 0x%08X of a used block in the free list", link)
		}
		last, at = at, link&^freeBit
	}
	if at != 0 {
		return chainError(at, "the free list goes on after its %d blocks", f.head.FreeCount)
	}
	if last != f.head.FreeLast {
		return chainError(last, "the free list ends here, the header says 0x%X", f.head.FreeLast)
	}
	return nil
}

// String describes the container in one line.
func (f *File) String() string {
	return fmt.Sprintf("%s: %s data, %d records, %d bytes in blocks of %d", f.name, f.head.DataSet,
		len(f.entries), f.head.FileSize, f.head.BlockSize)
}
