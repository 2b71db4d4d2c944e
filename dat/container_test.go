package dat_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/gait-engine/gait/dat"
)

// record makes n bytes that begin with an id.
func record(id uint32, n int) dat.Record {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*7 + int(id))
	}
	binary.LittleEndian.PutUint32(b, id)
	return dat.Record{ID: id, Data: b}
}

// many are n small records with even ids from 0x0A000000 up.
func many(n int) []dat.Record {
	r := make([]dat.Record, n)
	for i := range r {
		r[i] = record(0x0A000000+2*uint32(i), 8+i%5)
	}
	return r
}

func image(t testing.TB, o dat.WriteOptions, records ...dat.Record) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := dat.Write(&b, records, o); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func open(b []byte) (*dat.File, error) {
	return dat.Open(bytes.NewReader(b), int64(len(b)), "test.dat")
}

func mustOpen(t testing.TB, b []byte) *dat.File {
	t.Helper()
	f, err := open(b)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func put(b []byte, at uint32, v uint32) { binary.LittleEndian.PutUint32(b[at:], v) }

func dword(b []byte, at uint32) uint32 { return binary.LittleEndian.Uint32(b[at:]) }

// refused checks the four things every refusal names.
func refused(t *testing.T, err, kind error, id uint32, offset int64, reason string) {
	t.Helper()
	var e *dat.Error
	if !errors.Is(err, kind) || !errors.As(err, &e) {
		t.Fatalf("got %v, want %v", err, kind)
	}
	if e.File != "test.dat" || e.Record != id || e.Offset != offset || !strings.Contains(e.Reason, reason) {
		t.Errorf("got file %q record 0x%X offset 0x%X reason %q,\nwant record 0x%X offset 0x%X reason %q",
			e.File, e.Record, e.Offset, e.Reason, id, offset, reason)
	}
	if s := e.Error(); !strings.Contains(s, "test.dat") || !strings.Contains(s, reason) || strings.Contains(s, "\n") {
		t.Errorf("message %q", s)
	}
}

func TestSpec21_2_1_Header(t *testing.T) {
	b := image(t, dat.WriteOptions{DataSet: dat.Cell, Subset: 1, MasterMap: 0x1234, GamePack: 7, Version: [16]byte{1, 2, 3}, Minor: 99},
		record(0x0001FFFF, 252))
	f := mustOpen(t, b)
	h := f.Header()
	want := dat.Header{BlockSize: 256, FileSize: uint32(len(b)), DataSet: dat.Cell, Subset: 1, Root: 0x400, MasterMap: 0x1234,
		EnginePack: 22, GamePack: 7, Version: [16]byte{1, 2, 3}, Minor: 99}
	if h != want {
		t.Errorf("got %+v\nwant %+v", h, want)
	}
	for at, v := range map[uint32]uint32{0x140: 0x5442, 0x144: 256, 0x148: uint32(len(b)), 0x14C: 2, 0x150: 1, 0x160: 0x400,
		0x170: 0x1234, 0x174: 22, 0x178: 7, 0x17C: 0x00030201, 0x18C: 99} {
		if got := dword(b, at); got != v {
			t.Errorf("0x%X holds 0x%X, want 0x%X", at, got, v)
		}
	}
	if p := mustOpen(t, image(t, dat.WriteOptions{})).Header(); p.DataSet != dat.Portal || p.BlockSize != 1024 || p.EnginePack != 110 {
		t.Errorf("defaults %+v", p)
	}
	if s := f.String(); s != fmt.Sprintf("test.dat: cell data, 2 records, %d bytes in blocks of 256", len(b)) {
		t.Error(s)
	}
	// upper bytes of the use LRU, the journal slot and the banner say nothing
	put(b, 0x16C, 0xCDCDCD05)
	copy(b, bytes.Repeat([]byte{0xFF}, 0x140))
	put(b, 0x12C, 0)
	mustOpen(t, b)
}

func TestSpec21_2_1_HeaderRefusals(t *testing.T) {
	good := image(t, dat.WriteOptions{}, record(0x01000001, 10))
	for name, c := range map[string]struct {
		change func(b []byte) []byte
		kind   error
		offset int64
		reason string
	}{
		"empty":        {func([]byte) []byte { return nil }, dat.ErrFormat, 0, "the header area takes 1024"},
		"too short":    {func(b []byte) []byte { return b[:0x3FF] }, dat.ErrFormat, 0x3FF, "the header area"},
		"no magic":     {func(b []byte) []byte { put(b, 0x140, 0x5443); return b }, dat.ErrFormat, 0x140, "magic 0x00005443"},
		"old layout":   {func(b []byte) []byte { put(b, 0x140, 0); put(b, 0x12C, 0x5442); return b }, dat.ErrOldLayout, 0x12C, "0x140"},
		"block 0":      {func(b []byte) []byte { put(b, 0x144, 0); return b }, dat.ErrFormat, 0x144, "block size 0"},
		"block 4":      {func(b []byte) []byte { put(b, 0x144, 4); return b }, dat.ErrFormat, 0x144, "block size 4"},
		"block huge":   {func(b []byte) []byte { put(b, 0x144, 1<<31); return b }, dat.ErrFormat, 0x144, "block size"},
		"truncated":    {func(b []byte) []byte { return b[:len(b)-1] }, dat.ErrFormat, 0x148, "the file has"},
		"size tiny":    {func(b []byte) []byte { put(b, 0x148, 0x3FF); return b }, dat.ErrFormat, 0x148, "its own area"},
		"data set 0":   {func(b []byte) []byte { put(b, 0x14C, 0); return b }, dat.ErrFormat, 0x14C, "data set 0"},
		"data set 4":   {func(b []byte) []byte { put(b, 0x14C, 4); return b }, dat.ErrFormat, 0x14C, "data set 4"},
		"root in head": {func(b []byte) []byte { put(b, 0x160, 0x100); return b }, dat.ErrChain, 0x100, "before 0x400"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := open(c.change(bytes.Clone(good)))
			refused(t, err, c.kind, 0, c.offset, c.reason)
		})
	}
	_, err := dat.Open(bytes.NewReader(good), math.MaxUint32+1, "test.dat")
	refused(t, err, dat.ErrLimit, 0, -1, "offsets reach")
	_, err = dat.Open(bytes.NewReader(good[:0x100]), 0x500, "test.dat") // the reader is shorter than it says
	refused(t, err, io.ErrUnexpectedEOF, 0, 0, "reading the header")
	_, err = dat.Open(bytes.NewReader(good[:0x500]), int64(len(good)), "test.dat")
	refused(t, err, io.ErrUnexpectedEOF, 0, 0x400, "reading a block")
}

// A file of 900 + 8 bytes in blocks of 512: root 0x400…0xA00, record 1 at 0xC00,
// 0xE00, record 2 at 0x1000, iteration record at 0x1200, a free block at 0x1400.
func chainImage(t testing.TB) []byte {
	return image(t, dat.WriteOptions{BlockSize: 512, FreeBlocks: 1}, record(0x01000001, 900), record(0x01000002, 8))
}

func TestSpec21_2_2_ChainRefusals(t *testing.T) {
	const entry1 = 0x404 + 252 // the first entry of the root
	for name, c := range map[string]struct {
		change func(b []byte)
		id     uint32
		offset int64
		reason string
	}{
		"free link inside":    {func(b []byte) { put(b, 0xC00, 0x80000000|0xE00) }, 0x01000001, 0xC00, "free block inside a chain"},
		"free link at end":    {func(b []byte) { put(b, 0xE00, 0x80000000) }, 0x01000001, 0xE00, "free block inside a chain"},
		"ends early":          {func(b []byte) { put(b, 0xC00, 0) }, 0x01000001, 0xC00, "ends after 1 of 2"},
		"longer than needed":  {func(b []byte) { put(b, 0xE00, 0x1000) }, 0x01000001, 0xE00, "goes on to 0x1000"},
		"in the header":       {func(b []byte) { put(b, 0xC00, 0x200) }, 0x01000001, 0x200, "before 0x400"},
		"between blocks":      {func(b []byte) { put(b, 0xC00, 0xE04) }, 0x01000001, 0xE04, "not on a block"},
		"past the end":        {func(b []byte) { put(b, 0xC00, 0x1600) }, 0x01000001, 0x1600, "past the end"},
		"far past the end":    {func(b []byte) { put(b, 0xC00, 0x7FFFFE00) }, 0x01000001, 0x7FFFFE00, "past the end"},
		"cycle to itself":     {func(b []byte) { put(b, 0xC00, 0xC00) }, 0x01000001, 0xC00, "round in a circle"},
		"cycle of two":        {func(b []byte) { put(b, 0xE00, 0xC00) }, 0x01000001, 0xE00, "round in a circle"},
		"more than there are": {func(b []byte) { put(b, entry1+12, 0xFFFFFFF0) }, 0x01000001, 0xC00, "the file has 9"},
		"starts at 0":         {func(b []byte) { put(b, entry1+8, 0) }, 0x01000001, 0, "before 0x400"},
		"one block cycle":     {func(b []byte) { put(b, 0x1000, 0x1000) }, 0x01000002, 0x1000, "round in a circle"},
	} {
		t.Run(name, func(t *testing.T) {
			b := chainImage(t)
			c.change(b)
			f := mustOpen(t, b) // opening touches no record
			_, err := f.Read(c.id)
			refused(t, err, dat.ErrChain, c.id, c.offset, c.reason)
			if err := f.Check(); !errors.Is(err, dat.ErrChain) {
				t.Errorf("Check: %v", err)
			}
		})
	}
}

// A cycle in a long chain does not make the reader go on.
func TestSpec21_2_2_ChainOfTheWholeFile(t *testing.T) {
	b := chainImage(t)
	put(b, 0x404+252+12, 9*508) // as many blocks as there are
	put(b, 0xE00, 0xC00)
	_, err := mustOpen(t, b).Read(0x01000001)
	refused(t, err, dat.ErrChain, 0x01000001, 0xC00, "round in a circle")
}

func TestSpec21_2_2_CheckFindsSharedAndFreeBlocks(t *testing.T) {
	check := func(name string, change func(b []byte), offset int64, reason string) {
		t.Run(name, func(t *testing.T) {
			b := chainImage(t)
			change(b)
			err := mustOpen(t, b).Check()
			var e *dat.Error
			if !errors.As(err, &e) || !errors.Is(err, dat.ErrChain) || e.Offset != offset || !strings.Contains(e.Reason, reason) {
				t.Errorf("%v, want offset 0x%X: %s", err, offset, reason)
			}
		})
	}
	if err := mustOpen(t, chainImage(t)).Check(); err != nil {
		t.Fatal(err)
	}
	const entry3 = 0x404 + 252 + 48 // the iteration record's, which has no id to check
	check("two records in one block", func(b []byte) { put(b, entry3+8, 0x1000) }, 0x1000, "two chains")
	check("free list of a used block", func(b []byte) { put(b, 0x154, 0x1200) }, 0x1200, "two chains")
	check("free list past the end", func(b []byte) { put(b, 0x154, 0x1600) }, 0x1600, "past the end")
	check("free list without mark", func(b []byte) { put(b, 0x1400, 0) }, 0x1400, "used block in the free list")
	check("free list too long", func(b []byte) { put(b, 0x1400, 0x80000000|0x1400) }, 0x1400, "goes on after its 1")
	check("free list too short", func(b []byte) { put(b, 0x15C, 2) }, 0, "before 0x400")
	check("free list in a circle", func(b []byte) { put(b, 0x15C, 2); put(b, 0x1400, 0x80000000|0x1400) }, 0x1400, "two chains")
	check("free list ends elsewhere", func(b []byte) { put(b, 0x158, 0x1200) }, 0x1400, "the header says 0x1200")
}

func TestSpec21_1_EchoIsChecked(t *testing.T) {
	b := chainImage(t)
	put(b, 0xC04, 0x01000009)
	f := mustOpen(t, b)
	_, err := f.Read(0x01000001)
	refused(t, err, dat.ErrID, 0x01000001, 0, "says it is 0x01000009")
	if raw, err := f.Raw(0x01000001); err != nil || len(raw) != 900 {
		t.Errorf("raw: %d bytes, %v", len(raw), err)
	}
	if err := f.Check(); !errors.Is(err, dat.ErrID) {
		t.Errorf("Check: %v", err)
	}
	put(b, 0x404+252+12, 3) // size 3
	put(b, 0xC00, 0)
	_, err = mustOpen(t, b).Read(0x01000001)
	refused(t, err, dat.ErrID, 0x01000001, 0, "3 bytes hold no id")
	_, err = f.Read(0x01000003)
	refused(t, err, dat.ErrNotFound, 0x01000003, -1, "")
}

// twoLevels has 100 even ids under a root with one entry: the root at 0x400,
// the leaves after it, nodes of one block of 2048 each.
func twoLevels(t testing.TB) (b []byte, root, left, right uint32) {
	b = image(t, dat.WriteOptions{BlockSize: 2048}, many(100)...)
	return b, 0x404, 0xC04, 0x1404
}

func TestSpec21_2_3_TreeRefusals(t *testing.T) {
	const id0 = 252 + 4
	for name, c := range map[string]struct {
		change func(b []byte, root, left, right uint32)
		id     uint32
		offset int64
		reason string
	}{
		"62 entries":      {func(b []byte, r, _, _ uint32) { put(b, r+248, 62) }, 0, 0x400, "62 entries"},
		"huge count":      {func(b []byte, _, l, _ uint32) { put(b, l+248, math.MaxUint32) }, 0, 0xC00, "4294967295 entries"},
		"unsorted":        {func(b []byte, _, l, _ uint32) { put(b, l+id0+24, 0x0A000000) }, 0x0A000000, 0xC00, "entry 1 is unsorted"},
		"same id twice":   {func(b []byte, _, l, _ uint32) { put(b, l+id0+48, dword(b, l+id0+24)) }, 0x0A000002, 0xC00, "entry 2 is unsorted"},
		"above the bound": {func(b []byte, r, l, _ uint32) { put(b, l+id0+24*(dword(b, l+248)-1), dword(b, r+id0)) }, 0x0A000064, 0xC00, "out of the bounds"},
		"below the bound": {func(b []byte, r, _, g uint32) { put(b, g+id0, dword(b, r+id0)) }, 0x0A000064, 0x1400, "out of the bounds"},
		"visited twice":   {func(b []byte, r, _, _ uint32) { put(b, r+4, dword(b, r)) }, 0, 0xC00, "visited twice"},
		"circle":          {func(b []byte, r, _, _ uint32) { put(b, r, 0x400) }, 0, 0x400, "visited twice"},
		"missing child":   {func(b []byte, r, _, _ uint32) { put(b, r+4, 0) }, 0, 0x400, "child 1 of 1 is missing"},
		"fill child":      {func(b []byte, r, _, _ uint32) { put(b, r+4, 0xCDCDCDCD) }, 0, 0x400, "child 1 of 1 is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			b, root, left, right := twoLevels(t)
			c.change(b, root, left, right)
			_, err := open(b)
			refused(t, err, dat.ErrTree, c.id, c.offset, c.reason)
		})
	}
	t.Run("node chain", func(t *testing.T) {
		b, root, _, _ := twoLevels(t)
		put(b, root, 0xC01)
		_, err := open(b)
		refused(t, err, dat.ErrChain, 0, 0xC01, "not on a block")
	})
}

// A leaf may be marked by fill in its children, and unused children hold anything.
func TestSpec21_2_3_LeafMarks(t *testing.T) {
	b, root, left, right := twoLevels(t)
	for i := uint32(0); i < 62; i++ {
		put(b, left+4*i, 0xCDCDCDCD)
		if i > 0 {
			put(b, right+4*i, 0x12345)
		}
		if i > 1 {
			put(b, root+4*i, 0xCDCDCDCD)
		}
	}
	f := mustOpen(t, b)
	if got := f.IDs(0, math.MaxUint32); len(got) != 101 {
		t.Errorf("%d records", len(got))
	}
}

// deep is a tree of n nodes, each the only child of the one before; blocks of 2048.
func deep(n uint32) []byte {
	const bs = 2048
	b := make([]byte, 0x400+bs*n)
	put(b, 0x140, 0x5442)
	put(b, 0x144, bs)
	put(b, 0x148, uint32(len(b)))
	put(b, 0x14C, 1)
	put(b, 0x160, 0x400)
	for i := uint32(0); i+1 < n; i++ {
		put(b, 0x404+bs*i, 0x400+bs*(i+1))
	}
	return b
}

func TestSpec21_2_3_Depth(t *testing.T) {
	if _, err := open(deep(16)); err != nil {
		t.Errorf("depth 16: %v", err)
	}
	_, err := open(deep(17))
	refused(t, err, dat.ErrTree, 0, 0x400+2048*16, "deeper than 16")
}

func TestSpec21_2_6_EmptyContainers(t *testing.T) {
	for name, change := range map[string]func(b []byte){
		"root 0":       func(b []byte) { put(b, 0x160, 0) },
		"leaf with 0":  func(b []byte) {},
		"only a count": func(b []byte) { put(b, 0x404, 0xCDCDCDCD) },
	} {
		b := deep(1)
		change(b)
		f, err := open(b)
		if err != nil || len(f.Entries()) != 0 || f.IDs(0, math.MaxUint32) != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if _, err := f.Read(5); !errors.Is(err, dat.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
		if err := f.Check(); !errors.Is(err, dat.ErrNotFound) { // the iteration record is required
			t.Errorf("%s, Check: %v", name, err)
		}
	}
}

func TestSpec21_2_4_Compressed(t *testing.T) {
	r := record(0x0A000001, 5000)
	b := image(t, dat.WriteOptions{Compress: true}, r)
	f := mustOpen(t, b)
	e, _ := f.Lookup(r.ID)
	if e.Flags != 1 || e.Size >= 5000 {
		t.Errorf("entry %+v", e)
	}
	if it, _ := f.Lookup(dat.IterationID); it.Flags != 0 {
		t.Error("the iteration record is compressed")
	}
	if got, err := f.Read(r.ID); err != nil || !bytes.Equal(got, r.Data) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if err := f.Check(); err != nil {
		t.Error(err)
	}
	// e.First + 4: u32 uncompressed size, then the zlib stream
	for name, c := range map[string]struct {
		change func(b []byte)
		kind   error
		reason string
	}{
		"over the cap":     {func(b []byte) { put(b, e.First+4, 64<<20+1) }, dat.ErrLimit, "at most 67108864"},
		"more than can":    {func(b []byte) { put(b, e.First+4, 60<<20) }, dat.ErrCompressed, "cannot come out"},
		"less than said":   {func(b []byte) { put(b, e.First+4, 5001) }, dat.ErrCompressed, "before 5001 bytes"},
		"more than said":   {func(b []byte) { put(b, e.First+4, 4999) }, dat.ErrCompressed, "more than the stated 4999"},
		"no zlib":          {func(b []byte) { put(b, e.First+8, 0) }, dat.ErrCompressed, "zlib"},
		"wrong checksum":   {func(b []byte) { b[e.First+4+e.Size-1] ^= 1 }, dat.ErrCompressed, "checksum"},
		"bytes after it":   {func(b []byte) { put(b, 0x404+252+12, e.Size+2) }, dat.ErrCompressed, "2 bytes after"},
		"less than a size": {func(b []byte) { put(b, 0x404+252+12, 3) }, dat.ErrCompressed, "hold no size"},
	} {
		t.Run(name, func(t *testing.T) {
			c2 := bytes.Clone(b)
			c.change(c2)
			_, err := mustOpen(t, c2).Read(r.ID)
			refused(t, err, c.kind, r.ID, 0, c.reason)
		})
	}
}

func TestSpec21_2_5_Iteration(t *testing.T) {
	b := image(t, dat.WriteOptions{Iteration: 2072})
	f := mustOpen(t, b)
	raw, err := f.Read(dat.IterationID)
	if err != nil || !bytes.Equal(raw, word(nil, 2072, uint32(0xFFFFFFFF-2072+1), 1)) {
		t.Errorf("% X, %v", raw, err)
	}
	if e, _ := f.Lookup(dat.IterationID); e.Version != 1 || e.Size != 12 {
		t.Errorf("entry %+v", e)
	}
	it, err := f.Iterations()
	if err != nil || it.Total != 2072 || len(it.Runs) != 1 || it.Runs[0] != (dat.IterationRun{First: 1, Count: 2072}) {
		t.Errorf("%+v, %v", it, err)
	}
	neg := func(n int32) uint32 { return uint32(-n) }
	for _, good := range [][]byte{word(nil, 0), word(nil, 3, 1, 5, 9), word(nil, 4, neg(2), 1, 7, neg(1), 9), word(nil, 1, neg(1), neg(3))} {
		it, err := dat.DecodeIterations(good)
		if err != nil {
			t.Errorf("% X: %v", good, err)
			continue
		}
		if out, err := dat.EncodeIterations(it); err != nil || !bytes.Equal(out, good) {
			t.Errorf("% X encodes to % X, %v", good, out, err)
		}
	}
	for _, bad := range [][]byte{nil, {1, 2}, {1, 2, 3, 4, 5}, word(nil, 1, neg(2)), word(nil, 1, 0x80000000, 1)} {
		if _, err := dat.DecodeIterations(bad); !errors.Is(err, dat.ErrIteration) {
			t.Errorf("% X: %v", bad, err)
		}
	}
	for _, bad := range []dat.IterationRun{{First: -1}, {First: 1, Count: -1}} {
		if _, err := dat.EncodeIterations(&dat.Iterations{Runs: []dat.IterationRun{bad}}); !errors.Is(err, dat.ErrIteration) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	broken := image(t, dat.WriteOptions{}, dat.Record{ID: dat.IterationID, Data: []byte{1}})
	_, err = mustOpen(t, broken).Iterations()
	refused(t, err, dat.ErrIteration, dat.IterationID, 0, "no list of numbers")
}

func TestFileIsSafeForConcurrentUse(t *testing.T) {
	records := many(300)
	f := mustOpen(t, image(t, dat.WriteOptions{BlockSize: 64, Scatter: true}, records...))
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for _, r := range records {
				if b, err := f.Read(r.ID); err != nil || !bytes.Equal(b, r.Data) {
					t.Errorf("0x%08X: %v", r.ID, err)
					return
				}
			}
		})
	}
	all.Wait()
}

func TestSpec21_3_Kinds(t *testing.T) {
	for _, c := range []struct {
		set  dat.DataSet
		id   uint32
		want dat.Kind
	}{
		{dat.Portal, 0x01000000, dat.GfxObjKind}, {dat.Portal, 0x0100FFFF, dat.GfxObjKind}, {dat.Portal, 0x01010000, dat.Other},
		{dat.Portal, 0x02000001, dat.SetupKind}, {dat.Portal, 0x03000001, dat.AnimationKind}, {dat.Portal, 0x0900FFFF, dat.MotionTableKind},
		{dat.Portal, 0x0D000001, dat.EnvironmentKind}, {dat.Portal, 0x13000000, dat.RegionKind}, {dat.Portal, 0x13000001, dat.Other},
		{dat.Portal, 0xFFFF0001, dat.IterationKind}, {dat.Cell, 0xFFFF0001, dat.IterationKind},
		{dat.Cell, 0x0001FFFF, dat.LandBlockKind}, {dat.Cell, 0x02000001, dat.Other}, {dat.Cell, 0xA9B4FFFE, dat.LandBlockInfoKind},
		{dat.Cell, 0xA9B40100, dat.EnvCellKind}, {dat.Cell, 0xA9B4FFFD, dat.EnvCellKind}, {dat.Cell, 0xA9B40040, dat.Other},
	} {
		if got := dat.KindOf(c.set, c.id); got != c.want {
			t.Errorf("0x%08X in %s data is a %s, want %s", c.id, c.set, got, c.want)
		}
	}
}
