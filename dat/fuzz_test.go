package dat_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"testing"

	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// Decoded structs are larger than their bytes by a constant (an animation frame
// without parts: 4 bytes, 48 in memory); what is allocated stays within it.
const allocatedPerByte = 64

// fuzzRecord is what holds for every record: no panic, an error that is an
// [dat.Error] of that record, bounded memory, and bytes that encode to themselves.
func fuzzRecord[T any](f *testing.F, k dat.Kind, decode func([]byte) (*T, error), encode func(*T) ([]byte, error), records func(*T) dat.Records) {
	fixtureFiles(f, func(_ string, b []byte) {
		if dat.KindOf(dat.Portal, binary.LittleEndian.Uint32(b)) == k {
			f.Add(b)
		}
	})
	f.Fuzz(func(t *testing.T, b []byte) {
		var v *T
		var err error
		if n := allocatedBytes(func() { v, err = decode(b) }); n > uint64(len(b))*allocatedPerByte+1<<16 {
			t.Fatalf("%d bytes allocated for %d", n, len(b))
		}
		if err != nil {
			var e *dat.Error
			if v != nil || !errors.As(err, &e) || !e.InRecord || e.Offset < 0 || e.Offset > int64(len(b)) || e.Error() == "" {
				t.Fatalf("%#v", err)
			}
			return
		}
		out, err := encode(v)
		if err != nil || !bytes.Equal(out, b) {
			t.Fatalf("encodes to other bytes: %v\n% X\n% X", err, b, out)
		}
		if tables, err := dat.Compile(records(v)); err == nil {
			walkTables(t, tables)
		} else if !errors.Is(err, dat.ErrFloat) {
			t.Fatalf("what decodes does not compile: %v", err)
		}
	})
}

// walkTables goes everywhere that playing can go.
func walkTables(t *testing.T, tables *dat.Tables) {
	for i := range tables.Data {
		for _, c := range tables.ClipsOf(int32(i)) {
			if c.Anim >= 0 && (c.Low > c.High || uint32(c.High) >= tables.Anims[c.Anim].Frames) {
				t.Fatalf("clip %+v", c)
			}
		}
	}
	for i := range tables.Anims {
		for k := range int32(min(tables.Anims[i].Frames, 1000)) {
			for _, h := range tables.HooksOf(int32(i), k) {
				_ = tables.Hook(h).Args()
			}
			_ = tables.PartFrames(int32(i), k)
			if p := tables.PositionFrame(int32(i), k); p != nil && p.Rotation == (space.Quat{}) {
				t.Fatalf("frame %d of animation %d has no rotation", k, i)
			}
		}
	}
	for i := range tables.Motions {
		tables.RunSpeed(int32(i))
		tables.TurnSpeed(int32(i))
		tables.MotionLength(int32(i), nonCombat, walk, handCombat, 1)
		tables.AttackFrames(int32(i), nonCombat, walk)
	}
	for i := range tables.Setups {
		if p, _ := tables.Placement(int32(i), 0x65); p >= 0 {
			_ = tables.PoseParts(int32(i), p)
		}
	}
}

func FuzzDecodeMotionTable(f *testing.F) {
	fuzzRecord(f, dat.MotionTableKind, dat.DecodeMotionTable, dat.EncodeMotionTable, func(m *dat.MotionTable) dat.Records {
		return dat.Records{Motions: []*dat.MotionTable{m}, Anims: []*dat.Animation{still(0x03000001, 3), still(0x03000003, 2), still(0x03000101, 1)}}
	})
}

func FuzzDecodeAnimation(f *testing.F) {
	fuzzRecord(f, dat.AnimationKind, dat.DecodeAnimation, dat.EncodeAnimation, func(a *dat.Animation) dat.Records {
		return dat.Records{Anims: []*dat.Animation{a}}
	})
}

func FuzzDecodeSetup(f *testing.F) {
	fuzzRecord(f, dat.SetupKind, dat.DecodeSetup, dat.EncodeSetup, func(s *dat.Setup) dat.Records {
		return dat.Records{Setups: []*dat.Setup{s}}
	})
}

// FuzzContainer opens, lists, reads and checks whatever it is given.
func FuzzContainer(f *testing.F) {
	for _, o := range []dat.WriteOptions{{}, {DataSet: dat.Cell, FreeBlocks: 2}, {BlockSize: 64, Scatter: true}, {BlockSize: 512, Compress: true}} {
		f.Add(image(f, o, record(0x01000001, 900), record(0x03000101, 20)))
	}
	f.Add(image(f, dat.WriteOptions{BlockSize: 300}, many(70)...))
	f.Add(deep(17))
	f.Fuzz(func(t *testing.T, b []byte) {
		var file *dat.File
		var err error
		if n := allocatedBytes(func() { file, err = open(b) }); n > uint64(len(b))*allocatedPerByte+1<<18 {
			t.Fatalf("%d bytes allocated for %d", n, len(b))
		}
		fine := func(err error) {
			var e *dat.Error
			if !errors.As(err, &e) || e.File != "test.dat" || e.Error() == "" {
				t.Fatalf("%#v", err)
			}
		}
		if err != nil {
			fine(err)
			return
		}
		last := int64(-1)
		for i, id := range file.IDs(0, math.MaxUint32) {
			if int64(id) <= last {
				t.Fatalf("0x%08X after 0x%08X", id, last)
			}
			last = int64(id)
			if e, ok := file.Lookup(id); !ok || e.ID != id {
				t.Fatalf("0x%08X is listed and not found", id)
			}
			if i > 100 {
				continue
			}
			if got, err := file.Read(id); err != nil {
				fine(err)
			} else if id != dat.IterationID && binary.LittleEndian.Uint32(got) != id {
				t.Fatalf("0x%08X reads as another", id)
			}
		}
		if len(file.Entries()) < 100 {
			if err := file.Check(); err != nil {
				fine(err)
			}
		}
	})
}

// FuzzIterations holds the iteration record to encode to its own bytes.
func FuzzIterations(f *testing.F) {
	f.Add(word(nil, 3, 0xFFFFFFFD, 1))
	f.Add(word(nil, 3, 1, 2, 3))
	f.Fuzz(func(t *testing.T, b []byte) {
		it, err := dat.DecodeIterations(b)
		if err != nil {
			return
		}
		if out, err := dat.EncodeIterations(it); err != nil || !bytes.Equal(out, b) {
			t.Fatalf("% X encodes to % X, %v", b, out, err)
		}
	})
}
