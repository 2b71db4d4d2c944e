package dat

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/zlib"
	"encoding/binary"
	"io"
	"slices"
)

// Record is a record to be written: an id and bytes that begin with it.
type Record struct {
	ID   uint32
	Data []byte
}

// WriteOptions say what container to write. The zero value is a portal file
// such as every reader opens.
type WriteOptions struct {
	DataSet    DataSet  // 0 is Portal
	BlockSize  uint32   // bytes, link included; 0 is 1024 for a portal or local file, 256 for a cell file
	Subset     uint32   // cell files of the retail client have 1 here
	MasterMap  uint32   // as in Header
	EnginePack uint32   // 0 is what the retail files have: 110 portal, 22 cell
	GamePack   uint32   // as in Header
	Version    [16]byte // as in Header
	Minor      uint32   // as in Header
	Time       uint32   // unix seconds in every entry
	Iteration  int32    // of the file and every entry; 0 is 1
	Compress   bool     // deflate the records; the retail client's files never are
	// Scatter jumps backwards inside every chain, never to the neighbour where
	// there is room, as chains of a file that was patched for years do.
	Scatter bool
	// FreeBlocks are put behind everything else, ascending, which other
	// editors need.
	FreeBlocks uint32
}

func (o *WriteOptions) fill() {
	if o.DataSet == 0 {
		o.DataSet = Portal
	}
	if o.BlockSize == 0 {
		o.BlockSize = 1024
		if o.DataSet == Cell {
			o.BlockSize = 256
		}
	}
	if o.EnginePack == 0 {
		o.EnginePack = 110
		if o.DataSet == Cell {
			o.EnginePack = 22
		}
	}
	if o.Iteration == 0 {
		o.Iteration = 1
	}
}

// Write writes a container (spec 21 §2.6). The order of the records does not
// matter. An iteration record is added unless one is among them. The same
// records and options give the same bytes.
func Write(w io.Writer, records []Record, o WriteOptions) error {
	o.fill()
	if !slices.ContainsFunc(records, func(r Record) bool { return r.ID == IterationID }) {
		b, err := EncodeIterations(&Iterations{Total: o.Iteration, Runs: []IterationRun{{First: 1, Count: o.Iteration}}})
		if err != nil {
			return err
		}
		records = append(slices.Clip(records), Record{IterationID, b})
	}
	return write(w, records, o)
}

func write(w io.Writer, records []Record, o WriteOptions) error {
	if o.BlockSize < MinBlockSize || o.BlockSize > MaxBlockSize {
		return recordError(0, ErrFormat, "block size %d, not %d..%d", o.BlockSize, MinBlockSize, MaxBlockSize)
	}
	if o.DataSet > Local {
		return recordError(0, ErrFormat, "unknown data set %d", uint32(o.DataSet))
	}
	records = slices.Clone(records)
	slices.SortStableFunc(records, func(a, b Record) int { return cmp.Compare(a.ID, b.ID) })
	entries := make([]Entry, len(records))
	for i := range records {
		r := &records[i]
		if i > 0 && r.ID == records[i-1].ID {
			return recordError(r.ID, ErrTwice, "")
		}
		if len(r.Data) > MaxRecord {
			return recordError(r.ID, ErrLimit, "%d bytes, at most %d", len(r.Data), MaxRecord)
		}
		if err := checkEcho(r.Data, r.ID); err != nil && len(r.Data) > 0 {
			return err
		}
		e := Entry{Version: 2, ID: r.ID, Time: o.Time, Iteration: o.Iteration}
		if r.ID == IterationID {
			e.Version = 1
		} else if o.Compress {
			r.Data = deflate(r.Data)
			e.Flags = compressedBit
		}
		e.Size = uint32(len(r.Data))
		entries[i] = e
	}
	nodes := buildTree(entries)

	// Chains in file order: nodes with the root first, then records.
	l := layout{blockSize: o.BlockSize}
	for range nodes {
		l.add(nodeBytes)
	}
	for i := range records {
		l.add(entries[i].Size)
	}
	size := dataAt + int64(len(l.blocks)+int(o.FreeBlocks))*int64(o.BlockSize)
	if size > MaxFile {
		return recordError(0, ErrLimit, "the file would take %d bytes, offsets reach %d", size, int64(MaxFile))
	}
	l.place(o.Scatter)
	for i := range entries {
		entries[i].First = l.offset(l.first[len(nodes)+i])
	}
	chains := make([][]byte, 0, len(nodes)+len(records))
	for i := range nodes {
		chains = append(chains, nodes[i].bytes(entries, func(child int) uint32 { return l.offset(l.first[child]) }))
	}
	for i := range records {
		chains = append(chains, records[i].Data)
	}

	h := Header{
		BlockSize: o.BlockSize, FileSize: uint32(size), DataSet: o.DataSet, Subset: o.Subset, FreeCount: o.FreeBlocks,
		Root: l.offset(l.first[0]), MasterMap: o.MasterMap, EnginePack: o.EnginePack, GamePack: o.GamePack,
		Version: o.Version, Minor: o.Minor,
	}
	if o.FreeBlocks > 0 {
		h.FreeFirst = l.offset(len(l.blocks))
		h.FreeLast = l.offset(len(l.blocks) + int(o.FreeBlocks) - 1)
	}
	out := bufio.NewWriterSize(w, 1<<16)
	_, _ = out.Write(h.bytes()) // a bufio.Writer keeps its first error for Flush
	l.write(out, chains)
	for i := range o.FreeBlocks {
		link := uint32(freeBit)
		if i+1 < o.FreeBlocks {
			link |= l.offset(len(l.blocks) + int(i) + 1)
		}
		writeBlock(out, link, nil, o.BlockSize)
	}
	return out.Flush()
}

// deflate returns u32 size + zlib stream (spec 21 §2.4).
func deflate(b []byte) []byte {
	var out bytes.Buffer
	out.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(b))))
	z := zlib.NewWriter(&out)
	_, _ = z.Write(b) // a bytes.Buffer takes everything
	_ = z.Close()
	return out.Bytes()
}

// layout gives every piece of every chain a place among the blocks.
type layout struct {
	blockSize uint32
	first     []int   // piece with which each chain begins; pieces of a chain follow each other
	blocks    []piece // by piece number until placed
	slot      []int   // where in the file each piece is
}

type piece struct {
	chain, part int
	last        bool
}

func (l *layout) add(size uint32) {
	n := int(blocksFor(size, l.blockSize))
	l.first = append(l.first, len(l.blocks))
	for i := range n {
		l.blocks = append(l.blocks, piece{chain: len(l.first) - 1, part: i, last: i == n-1})
	}
}

// place puts pieces one after the other, or, scattered, on every second block
// from the end to the start and then on those between.
func (l *layout) place(scatter bool) {
	n := len(l.blocks)
	l.slot = make([]int, n)
	for i := range l.slot {
		l.slot[i] = i
		if scatter {
			l.slot[i] = n - 1 - 2*i
			if l.slot[i] < 0 {
				l.slot[i] += n - 1 + n&1
			}
		}
	}
}

// offset is where a piece, or what comes after the last, is in the file. A free
// block has the number of its place.
func (l *layout) offset(i int) uint32 {
	if i < len(l.slot) {
		i = l.slot[i]
	}
	return dataAt + uint32(i)*l.blockSize
}

func (l *layout) write(out *bufio.Writer, chains [][]byte) {
	at := make([]int, len(l.slot)) // piece by slot
	for i, s := range l.slot {
		at[s] = i
	}
	for _, i := range at {
		p := l.blocks[i]
		link := uint32(0)
		if !p.last {
			link = l.offset(i + 1)
		}
		room := int(l.blockSize) - 4
		data := chains[p.chain][p.part*room:]
		writeBlock(out, link, data[:min(room, len(data))], l.blockSize)
	}
}

func writeBlock(out *bufio.Writer, link uint32, data []byte, blockSize uint32) {
	var b [4]byte
	binary.LittleEndian.PutUint32(b[:], link)
	_, _ = out.Write(b[:])
	_, _ = out.Write(data)
	for n := int(blockSize) - 4 - len(data); n > 0; {
		zero := zeros[:min(n, len(zeros))]
		_, _ = out.Write(zero)
		n -= len(zero)
	}
}

var zeros [1024]byte

// treeNode is a node to be written: its entries and its children by number.
type treeNode struct {
	entries  []int
	children []int
}

// buildTree makes the directory's nodes, the root first. Up to 61 entries are
// one leaf; more are cut into leaves of 30..61 with a separator between
// neighbours, and the separators likewise upward (spec 21 §2.6).
func buildTree(entries []Entry) []treeNode {
	items := make([]int, len(entries))
	for i := range items {
		items[i] = i
	}
	var levels [][]treeNode // from the leaves up
	for children := 0; ; {
		level := make([]treeNode, len(items)/nodeChildren+1)
		var separators []int
		rest, child := items, 0
		for i := range level {
			left := len(level) - i
			n := (len(rest) - (left - 1)) / left // entries in this node, as even as can be
			level[i].entries = rest[:n]
			if children > 0 {
				for range n + 1 {
					level[i].children = append(level[i].children, child)
					child++
				}
			}
			rest = rest[n:]
			if len(rest) > 0 {
				separators = append(separators, rest[0])
				rest = rest[1:]
			}
		}
		levels = append(levels, level)
		if len(level) == 1 {
			break
		}
		items, children = separators, len(level)
	}
	var nodes []treeNode
	for i := len(levels) - 1; i >= 0; i-- {
		below := len(nodes) + len(levels[i]) // number of the next level's first node
		for _, n := range levels[i] {
			for k := range n.children {
				n.children[k] += below
			}
			nodes = append(nodes, n)
		}
	}
	return nodes
}

func (n *treeNode) bytes(entries []Entry, offset func(child int) uint32) []byte {
	b := make([]byte, nodeBytes)
	for i, c := range n.children {
		binary.LittleEndian.PutUint32(b[4*i:], offset(c))
	}
	binary.LittleEndian.PutUint32(b[countAt:], uint32(len(n.entries)))
	for i, e := range n.entries {
		entries[e].put(b[entriesAt+i*entryBytes:])
	}
	return b
}
