package dat_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/gait-engine/gait/dat"
)

// The worked example of spec 21 §2.6, with the iteration record it leaves out
// behind the record: blocks of 512, one record of 900 bytes.
func TestSpec21_2_6_WorkedExample(t *testing.T) {
	r := record(0x01000001, 900)
	b := image(t, dat.WriteOptions{BlockSize: 512, FreeBlocks: 1}, r)
	if len(b) != 0x1400 {
		t.Fatalf("file size 0x%X", len(b))
	}
	for at, link := range map[uint32]uint32{0x400: 0x600, 0x600: 0x800, 0x800: 0xA00, 0xA00: 0, // root
		0xC00: 0xE00, 0xE00: 0, // record
		0x1000: 0,          // iteration record
		0x1200: 0x80000000, // free
	} {
		if got := dword(b, at); got != link {
			t.Errorf("block 0x%X links to 0x%X, want 0x%X", at, got, link)
		}
	}
	for at, v := range map[uint32]uint32{0x154: 0x1200, 0x158: 0x1200, 0x15C: 1, 0x160: 0x400, 0x148: 0x1400} {
		if got := dword(b, at); got != v {
			t.Errorf("header 0x%X holds 0x%X, want 0x%X", at, got, v)
		}
	}
	if !bytes.Equal(b[0xC04:0xE00], r.Data[:508]) || !bytes.Equal(b[0xE04:0xE04+392], r.Data[508:]) {
		t.Error("the record is not in its blocks")
	}
	if tail := b[0xE04+392 : 0x1000]; !bytes.Equal(tail, make([]byte, len(tail))) {
		t.Error("the tail of the last block is not zero")
	}
	// the root: a leaf with two entries, unused children and entries zero
	node := slices.Concat(b[0x404:0x600], b[0x604:0x800], b[0x804:0xA00], b[0xA04:0xC00])
	want := append(make([]byte, 248), word(nil, 2,
		0x00020000, r.ID, 0xC00, 900, 0, 1,
		0x00010000, dat.IterationID, 0x1000, 12, 0, 1)...)
	want = append(want, make([]byte, len(node)-len(want))...)
	if !bytes.Equal(node, want) {
		t.Errorf("root % X", node[:320])
	}
}

// nodesOf walks the tree in an image whose nodes lie in one piece.
type treeShape struct{ leaves, depth, least, most int }

func shape(b []byte, at uint32, depth int, s *treeShape) {
	n := int(dword(b, at+4+248))
	if depth > 1 {
		s.least, s.most = min(s.least, n), max(s.most, n)
	}
	if dword(b, at+4) == 0 {
		s.leaves++
		if s.depth != 0 && s.depth != depth {
			s.depth = -1 << 30 // leaves at two depths
			return
		}
		s.depth = depth
		return
	}
	for i := 0; i <= n; i++ {
		shape(b, dword(b, at+4+4*uint32(i)), depth+1, s)
	}
}

// Up to 61 entries are one leaf; more are leaves of 30..61 with one separator
// between neighbours, repeated upward, all leaves at one depth.
func TestSpec21_2_6_TreeShape(t *testing.T) {
	for _, c := range []struct{ entries, leaves, depth int }{
		{1, 1, 1}, {60, 1, 1}, {61, 1, 1}, {62, 2, 2}, {63, 2, 2}, {122, 2, 2}, {123, 2, 2}, {124, 3, 2}, {1000, 17, 2},
		{3843, 62, 2}, {3844, 63, 3}, {5000, 81, 3},
	} {
		records := many(c.entries - 1)
		b := image(t, dat.WriteOptions{BlockSize: 2048}, records...)
		s := treeShape{least: math.MaxInt}
		shape(b, dword(b, 0x160), 1, &s)
		if s.leaves != c.leaves || s.depth != c.depth || c.depth > 1 && (s.least < 30 || s.most > 61) {
			t.Errorf("%d entries: %+v, want %+v", c.entries, s, c)
		}
		f := mustOpen(t, b)
		if len(f.Entries()) != c.entries {
			t.Errorf("%d entries read as %d", c.entries, len(f.Entries()))
		}
		for _, r := range records {
			if _, ok := f.Lookup(r.ID); !ok {
				t.Fatalf("%d entries: 0x%08X is not found", c.entries, r.ID)
			}
			if _, ok := f.Lookup(r.ID + 1); ok {
				t.Fatalf("%d entries: 0x%08X is found", c.entries, r.ID+1)
			}
		}
	}
}

// Scattered chains jump backwards and never to a neighbour.
func TestSpec21_2_6_Scatter(t *testing.T) {
	for _, n := range []int{5000, 5100} { // even and odd numbers of blocks
		r := record(0x01000001, n)
		b := image(t, dat.WriteOptions{BlockSize: 256, Scatter: true}, r)
		f := mustOpen(t, b)
		e, _ := f.Lookup(r.ID)
		back, forward := 0, 0
		for at := e.First; dword(b, at) != 0; at = dword(b, at) {
			switch jump := int(dword(b, at)) - int(at); {
			case jump == 256 || jump == -256:
				t.Errorf("a jump to the neighbour at 0x%X", at)
			case jump < 0:
				back++
			default:
				forward++
			}
		}
		if back < 15 || forward > 1 {
			t.Errorf("%d jumps back, %d forward", back, forward)
		}
		if got, err := f.Read(r.ID); err != nil || !bytes.Equal(got, r.Data) {
			t.Errorf("%v", err)
		}
		if err := f.Check(); err != nil {
			t.Error(err)
		}
	}
}

// Free blocks are contiguous, ascending and at the end.
func TestSpec21_2_6_FreeBlocks(t *testing.T) {
	for _, scatter := range []bool{false, true} {
		b := image(t, dat.WriteOptions{FreeBlocks: 3, Scatter: scatter}, many(70)...)
		end := uint32(len(b))
		if dword(b, 0x154) != end-3*1024 || dword(b, 0x158) != end-1024 || dword(b, 0x15C) != 3 {
			t.Errorf("first 0x%X last 0x%X count %d", dword(b, 0x154), dword(b, 0x158), dword(b, 0x15C))
		}
		for i := uint32(3); i > 1; i-- {
			if dword(b, end-i*1024) != 0x80000000|(end-(i-1)*1024) {
				t.Errorf("free block %d links to 0x%X", i, dword(b, end-i*1024))
			}
		}
		if dword(b, end-1024) != 0x80000000 {
			t.Error("the last free block goes on")
		}
		if err := mustOpen(t, b).Check(); err != nil {
			t.Error(err)
		}
	}
}

// A record of no bytes has one block.
func TestSpec21_2_6_EmptyRecord(t *testing.T) {
	b := image(t, dat.WriteOptions{}, dat.Record{ID: 0x01000001})
	f := mustOpen(t, b)
	if e, _ := f.Lookup(0x01000001); e.Size != 0 || e.First != 0xC00 {
		t.Errorf("%+v", e)
	}
	if raw, err := f.Raw(0x01000001); err != nil || len(raw) != 0 {
		t.Errorf("%v %v", raw, err)
	}
	if _, err := f.Read(0x01000001); !errors.Is(err, dat.ErrID) {
		t.Errorf("read: %v", err)
	}
}

func TestWriteIsTheSameInAnyOrder(t *testing.T) {
	records := many(200)
	o := dat.WriteOptions{BlockSize: 128, Scatter: true, FreeBlocks: 2, Compress: true}
	a := image(t, o, records...)
	slices.Reverse(records)
	if !bytes.Equal(a, image(t, o, records...)) {
		t.Error("the order of the records shows in the file")
	}
}

// A container written from another has the same bytes, its iteration record included.
func TestWriteFromContainer(t *testing.T) {
	o := dat.WriteOptions{DataSet: dat.Cell, Iteration: 982}
	a := image(t, o, many(200)...)
	f := mustOpen(t, a)
	var records []dat.Record
	for _, id := range f.IDs(0, math.MaxUint32) {
		b, err := f.Read(id)
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, dat.Record{ID: id, Data: b})
	}
	if !bytes.Equal(a, image(t, o, records...)) {
		t.Error("other bytes")
	}
}

func TestWriteRefusals(t *testing.T) {
	good := record(0x01000001, 8)
	for name, c := range map[string]struct {
		records []dat.Record
		o       dat.WriteOptions
		kind    error
	}{
		"twice":       {[]dat.Record{good, good}, dat.WriteOptions{}, dat.ErrTwice},
		"wrong id":    {[]dat.Record{{ID: 5, Data: good.Data}}, dat.WriteOptions{}, dat.ErrID},
		"no id":       {[]dat.Record{{ID: 5, Data: []byte{5}}}, dat.WriteOptions{}, dat.ErrID},
		"block size":  {nil, dat.WriteOptions{BlockSize: 4}, dat.ErrFormat},
		"block size+": {nil, dat.WriteOptions{BlockSize: 1 << 17}, dat.ErrFormat},
		"data set":    {nil, dat.WriteOptions{DataSet: 4}, dat.ErrFormat},
		"too large":   {nil, dat.WriteOptions{FreeBlocks: math.MaxUint32}, dat.ErrLimit},
		"iteration":   {nil, dat.WriteOptions{Iteration: -1}, dat.ErrIteration},
		"record":      {[]dat.Record{{ID: 5, Data: make([]byte, dat.MaxRecord+1)}}, dat.WriteOptions{}, dat.ErrLimit},
	} {
		var out bytes.Buffer
		if err := dat.Write(&out, c.records, c.o); !errors.Is(err, c.kind) || out.Len() > 0 {
			t.Errorf("%s: %v, %d bytes written", name, err, out.Len())
		}
	}
	if err := dat.Write(failing{}, nil, dat.WriteOptions{}); !errors.Is(err, errFull) {
		t.Errorf("a full disk: %v", err)
	}
}

var errFull = fmt.Errorf("full")

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errFull }
