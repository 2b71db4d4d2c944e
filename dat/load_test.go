package dat_test

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gait-engine/gait/dat"
)

func TestFolder(t *testing.T) {
	f := folder(t, "tiny")
	if ids := f.IDs(0, math.MaxUint32); !slices.Equal(ids, []uint32{0x01000100, 0x02000100, 0x03000101, 0x03000102, 0x09000100}) {
		t.Errorf("%X", ids)
	}
	for _, c := range []struct {
		first, last uint32
		want        []uint32
	}{{0x03000101, 0x03000102, []uint32{0x03000101, 0x03000102}}, {0x03000102, 0x03000102, []uint32{0x03000102}},
		{0x03000103, 0x08FFFFFF, nil}, {0x09000101, math.MaxUint32, nil}, {5, 4, nil}} {
		if got := f.IDs(c.first, c.last); !slices.Equal(got, c.want) {
			t.Errorf("%X..%X: %X", c.first, c.last, got)
		}
	}
	if f.Name() != "tiny" {
		t.Error(f.Name())
	}
	if b, err := f.Read(0x09000100); err != nil || len(b) != 80 {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	_, err := f.Read(0x09000101)
	var e *dat.Error
	if !errors.Is(err, dat.ErrNotFound) || !errors.As(err, &e) || e.File != "tiny" || e.Record != 0x09000101 {
		t.Errorf("%v", err)
	}
}

func TestFolderRefusals(t *testing.T) {
	file := func(b ...byte) *fstest.MapFile { return &fstest.MapFile{Data: b} }
	good := func() fstest.MapFS {
		return fstest.MapFS{"0A000001.bin": file(1, 0, 0, 0x0A), "README.md": file(), "sub/x.bin": file()}
	}
	f, err := dat.OpenFolder(good(), ".")
	if err != nil || len(f.IDs(0, math.MaxUint32)) != 1 {
		t.Fatalf("%v", err)
	}
	for _, name := range []string{"A000001.bin", "0x000001.bin", "0A00000G.bin", "-A000001.bin", "00A000001.bin", ".bin", "notes.bin"} {
		bad := good()
		bad[name] = file()
		_, err := dat.OpenFolder(bad, ".")
		var e *dat.Error
		if !errors.Is(err, dat.ErrName) || !errors.As(err, &e) || e.File != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	twice := good()
	twice["0a000001.bin"] = file(1, 0, 0, 0x0A)
	if _, err := dat.OpenFolder(twice, "."); !errors.Is(err, dat.ErrTwice) {
		t.Errorf("both cases: %v", err)
	}
	if _, err := dat.OpenFolder(good(), "nowhere"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
	echo := good()
	echo["0A000002.bin"] = file(1, 0, 0, 0x0A)
	echo["0A000003.bin"] = file(3, 0)
	f, err = dat.OpenFolder(echo, ".")
	if err != nil {
		t.Fatal(err)
	}
	for id, reason := range map[uint32]string{0x0A000002: "says it is 0x0A000001", 0x0A000003: "2 bytes hold no id"} {
		_, err := f.Read(id)
		var e *dat.Error
		if !errors.Is(err, dat.ErrID) || !errors.As(err, &e) || e.Record != id || !strings.HasPrefix(e.File, "0A00000") || !strings.Contains(e.Reason, reason) {
			t.Errorf("0x%08X: %v", id, err)
		}
	}
	delete(echo, "0A000002.bin")
	if _, err := f.Read(0x0A000002); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("removed meanwhile: %v", err)
	}
	echo["0A000003.bin"] = &fstest.MapFile{Data: make([]byte, dat.MaxRecord+1)}
	if _, err := f.Read(0x0A000003); !errors.Is(err, dat.ErrLimit) {
		t.Errorf("too large: %v", err)
	}
}

// A container of the fixtures, however it is laid out, gives the same tables as the folder.
func TestLoadFromContainer(t *testing.T) {
	f := folder(t, "humanoid")
	want := load(t, f)
	var records []dat.Record
	for _, id := range f.IDs(0, math.MaxUint32) {
		b, err := f.Read(id)
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, dat.Record{ID: id, Data: b})
	}
	records = append(records, record(0x06000001, 77777)) // of a kind that is not needed
	for _, o := range []dat.WriteOptions{{}, {BlockSize: 256, Scatter: true}, {BlockSize: 512, FreeBlocks: 2, Compress: true}, {BlockSize: 100}} {
		got := load(t, mustOpen(t, image(t, o, records...)))
		if got.Identity != want.Identity {
			t.Errorf("%+v gives other tables", o)
		}
	}
}

// What an earlier source has hides what later ones have.
func TestLoadPrecedence(t *testing.T) {
	change, err := dat.DecodeSetup(fixture(t, "tiny/02000100.bin"))
	if err != nil {
		t.Fatal(err)
	}
	change.Height = 9
	b, err := dat.EncodeSetup(change)
	if err != nil {
		t.Fatal(err)
	}
	changes := mustOpen(t, image(t, dat.WriteOptions{}, dat.Record{ID: change.ID, Data: b}))
	first, second := load(t, changes, folder(t, "tiny")), load(t, folder(t, "tiny"), changes)
	if first.Setups[0].Height != 9 || second.Setups[0].Height != 1 || len(first.Setups) != 1 || len(first.Anims) != 2 {
		t.Errorf("heights %v, %v", first.Setups[0].Height, second.Setups[0].Height)
	}
	if load(t).Identity == first.Identity {
		t.Error("nothing loads as something")
	}
}

// A refusal while loading names file, record and offset.
func TestLoadRefusals(t *testing.T) {
	bad := fixture(t, "tiny/03000101.bin")
	bad = append(bad[:len(bad):len(bad)], 1, 2, 3, 4)
	_, err := dat.Load(mustOpen(t, image(t, dat.WriteOptions{}, dat.Record{ID: 0x03000101, Data: bad})))
	refused(t, err, dat.ErrTrailing, 0x03000101, int64(len(bad)-4), "4 bytes")
	if want := "dat: test.dat: record 0x03000101: byte 0x90: record has bytes left over: 4 bytes"; err.Error() != want {
		t.Errorf("%q", err)
	}
	for _, id := range []uint32{0x02000001, 0x03000001, 0x09000001} {
		_, err := dat.Load(mustOpen(t, image(t, dat.WriteOptions{}, record(id, 4))))
		refused(t, err, dat.ErrTruncated, id, 4, "4 bytes wanted")
		_, err = dat.Load(mustOpen(t, image(t, dat.WriteOptions{}, dat.Record{ID: id})))
		refused(t, err, dat.ErrID, id, 0, "hold no id")
	}
}

func TestOpenFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "portal.dat")
	if _, err := dat.OpenFile(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if err := os.WriteFile(path, image(t, dat.WriteOptions{}, record(0x0A000001, 5000)), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := dat.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := f.Read(0x0A000001); err != nil || len(b) != 5000 || f.Name() != path {
		t.Errorf("%d bytes of %s, %v", len(b), f.Name(), err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	var e *dat.Error
	if _, err := f.Read(0x0A000001); !errors.Is(err, fs.ErrClosed) || !errors.As(err, &e) || e.File != path || e.Record != 0x0A000001 {
		t.Errorf("closed: %v", err)
	}
	if err := os.WriteFile(path, make([]byte, 5000), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := dat.OpenFile(path); !errors.Is(err, dat.ErrFormat) {
		t.Errorf("zeros: %v", err)
	}
	if err := mustOpen(t, image(t, dat.WriteOptions{})).Close(); err != nil { // nothing to close
		t.Error(err)
	}
}

// A source that was never opened is refused.
func TestNilSource(t *testing.T) {
	if _, err := dat.Load(nil); !errors.Is(err, dat.ErrNotFound) {
		t.Error(err)
	}
	if _, err := dat.LoadLand(nil); !errors.Is(err, dat.ErrNotFound) {
		t.Error(err)
	}
}
