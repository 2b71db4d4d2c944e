package dat_test

import (
	"bytes"
	"errors"
	"fmt"
	"log"

	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/testdata/fixtures"
)

// Tables are what an engine plays from. Loading takes any number of sources,
// the first that has a record wins.
func ExampleLoad() {
	folder, err := dat.OpenFolder(fixtures.FS, "humanoid")
	if err != nil {
		log.Fatal(err)
	}
	tables, err := dat.Load(folder)
	if err != nil {
		log.Fatal(err)
	}
	const nonCombat, ready, walk = 0x8000003D, 0x41000003, 0x45000005
	human, _ := tables.MotionTable(0x09000001)
	link := tables.Link(human, dat.Key(nonCombat, ready), walk)
	cycle := tables.Cycle(human, dat.Key(nonCombat, walk))
	fmt.Printf("from standing: %.3f s, one round of walking: %.3f s\n", tables.PlaySeconds(link, 1), tables.PlaySeconds(cycle, 1))
	// Output: from standing: 0.367 s, one round of walking: 1.000 s
}

// Opening reads the directory only; OpenFile does the same with a file on disk.
func ExampleOpen() {
	var image bytes.Buffer
	if err := dat.Write(&image, []dat.Record{{ID: 0x0A000001, Data: []byte{1, 0, 0, 10, 'h', 'i'}}}, dat.WriteOptions{}); err != nil {
		log.Fatal(err)
	}
	f, err := dat.Open(bytes.NewReader(image.Bytes()), int64(image.Len()), "portal.dat")
	if err != nil {
		log.Fatal(err)
	}
	for _, id := range f.IDs(0, 0xFFFFFFFF) {
		b, err := f.Read(id)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("0x%08X: %d bytes\n", id, len(b))
	}
	_, err = f.Read(0x0A000002)
	fmt.Println(errors.Is(err, dat.ErrNotFound), err)
	// Output:
	// 0x0A000001: 6 bytes
	// 0xFFFF0001: 12 bytes
	// true dat: portal.dat: record 0x0A000002: no such record
}

// A container of one's own records, such as every reader of these files opens.
func ExampleWrite() {
	still := &dat.Animation{ID: 0x03000001, Frames: make([]dat.AnimFrame, 4)}
	data, err := dat.EncodeAnimation(still)
	if err != nil {
		log.Fatal(err)
	}
	var out bytes.Buffer
	err = dat.Write(&out, []dat.Record{{ID: still.ID, Data: data}}, dat.WriteOptions{BlockSize: 512, FreeBlocks: 1})
	fmt.Println(out.Len(), err)
	// Output: 4608 <nil>
}

// Hooks carry their values packed; Args names them.
func ExampleHook_Args() {
	h, err := dat.NewHook(dat.HookCallScript, 1, dat.HookArgs{Script: 0x33000001, Pause: 0.5})
	if err != nil {
		log.Fatal(err)
	}
	a := h.Args()
	fmt.Printf("%v: % X is script 0x%08X after %v s\n", h.Type, h.Payload, a.Script, a.Pause)
	// Output: CallScript: 01 00 00 33 00 00 00 3F is script 0x33000001 after 0.5 s
}

// A refusal says which file, which record, where and why.
func ExampleError() {
	_, err := dat.DecodeAnimation([]byte{1, 0, 0, 3, 0, 0, 0, 0, 2, 0, 0, 0, 99, 0, 0, 0})
	var e *dat.Error
	if errors.As(err, &e) {
		fmt.Printf("0x%08X at %d: %v\n", e.Record, e.Offset, errors.Is(err, dat.ErrTruncated))
	}
	fmt.Println(err)
	// Output:
	// 0x03000001 at 12: true
	// dat: record 0x03000001: byte 0xC: record ends early: 99 frames of at least 60 bytes, 0 left
}
