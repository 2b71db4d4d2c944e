package dat

import (
	"encoding/binary"
	"fmt"
)

// The directory's node (spec 21 §2.3).
const (
	nodeChildren  = 62
	nodeEntries   = nodeChildren - 1
	countAt       = nodeChildren * 4
	entriesAt     = countAt + 4
	entryBytes    = 24
	nodeBytes     = entriesAt + nodeEntries*entryBytes // 1716
	fill          = 0xCDCDCDCD                         // in unused children, and in a leaf's
	maxTreeDepth  = 16
	compressedBit = 1 // of Entry.Flags
)

// Entry is a record's entry in the directory (spec 21 §2.3).
type Entry struct {
	Flags     uint16 // bit 0 compressed
	Version   uint16
	ID        uint32
	First     uint32 // offset of the first block
	Size      uint32 // bytes as stored
	Time      uint32 // unix seconds
	Iteration int32
}

func decodeEntry(b []byte) Entry {
	le := binary.LittleEndian
	return Entry{le.Uint16(b), le.Uint16(b[2:]), le.Uint32(b[4:]), le.Uint32(b[8:]), le.Uint32(b[12:]),
		le.Uint32(b[16:]), int32(le.Uint32(b[20:]))}
}

func (e *Entry) put(b []byte) {
	le := binary.LittleEndian
	le.PutUint16(b, e.Flags)
	le.PutUint16(b[2:], e.Version)
	le.PutUint32(b[4:], e.ID)
	le.PutUint32(b[8:], e.First)
	le.PutUint32(b[12:], e.Size)
	le.PutUint32(b[16:], e.Time)
	le.PutUint32(b[20:], uint32(e.Iteration))
}

// treeReader walks the directory in order.
type treeReader struct {
	f       *File
	visited map[uint32]bool
	blocks  func(at uint32) *Error // sees every block of every node; may be nil
	entries []Entry
}

func treeError(at uint32, format string, a ...any) *Error {
	return &Error{Offset: int64(at), Kind: ErrTree, Reason: fmt.Sprintf(format, a...)}
}

// node reads the node at an offset and everything below it. Its ids lie in
// from..to, both ends included; 64 bits, so that an empty range can be told.
func (t *treeReader) node(at uint32, from, to int64, depth int) *Error {
	if depth > maxTreeDepth {
		return treeError(at, "deeper than %d", maxTreeDepth)
	}
	if t.visited[at] {
		return treeError(at, "a node visited twice")
	}
	t.visited[at] = true
	b, err := t.f.readChain(at, nodeBytes, t.blocks)
	if err != nil {
		return err
	}
	count := binary.LittleEndian.Uint32(b[countAt:])
	if count > nodeEntries {
		return treeError(at, "%d entries, a node holds %d", count, nodeEntries)
	}
	child := func(i uint32) uint32 { return binary.LittleEndian.Uint32(b[i*4:]) }
	leaf := child(0) == 0 || child(0) == fill
	for i := uint32(0); ; i++ {
		// ids below entry i, or above the last, are in child i
		e := Entry{}
		last := to
		if i < count {
			e = decodeEntry(b[entriesAt+i*entryBytes:])
			if id := int64(e.ID); id < from || id > to {
				return &Error{Record: e.ID, Offset: int64(at), Kind: ErrTree,
					Reason: fmt.Sprintf("entry %d is unsorted or out of the bounds 0x%08X..0x%08X", i, from, to)}
			}
			last = int64(e.ID) - 1
		}
		if !leaf {
			c := child(i)
			if c == 0 || c == fill {
				return treeError(at, "child %d of %d is missing", i, count)
			}
			if err := t.node(c, from, last, depth+1); err != nil {
				return err
			}
		}
		if i == count {
			return nil
		}
		t.entries = append(t.entries, e)
		from = int64(e.ID) + 1
	}
}
