package dat_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/testdata/fixtures"
)

// Commands the tests speak of (spec 01 §1.3, fixtures).
const (
	nonCombat   uint32 = 0x8000003D
	handCombat  uint32 = 0x8000003C
	swordCombat uint32 = 0x8000003E
	ready       uint32 = 0x41000003
	walk        uint32 = 0x45000005
	run         uint32 = 0x44000007
	turn        uint32 = 0x6500000D
	sidestep    uint32 = 0x6500000F
	dead        uint32 = 0x40000011
	crouch      uint32 = 0x41000012
	sitting     uint32 = 0x41000013
	sleeping    uint32 = 0x41000014
	falling     uint32 = 0x40000015
)

var fixturesFS = fixtures.FS

func folder(t testing.TB, dir string) *dat.Folder {
	t.Helper()
	f, err := dat.OpenFolder(fixtures.FS, dir)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func load(t testing.TB, sources ...dat.Source) *dat.Tables {
	t.Helper()
	tables, err := dat.Load(sources...)
	if err != nil {
		t.Fatal(err)
	}
	return tables
}

// tableOf loads one fixture folder and returns its motion table.
func tableOf(t testing.TB, dir string, id uint32) (*dat.Tables, int32) {
	t.Helper()
	tables := load(t, folder(t, dir))
	i, ok := tables.MotionTable(id)
	if !ok {
		t.Fatalf("no motion table 0x%08X", id)
	}
	return tables, i
}

// fixtureFiles calls do with every record of the embedded fixtures and, when the
// shared folder is there, of its larger set.
func fixtureFiles(t testing.TB, do func(name string, b []byte)) {
	t.Helper()
	from := []fs.FS{fixtures.FS}
	if shared, ok := sharedFolder(); ok {
		from = append(from, os.DirFS(filepath.Join(shared, "fixtures")))
	}
	for _, fsys := range from {
		err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(name, ".bin") {
				return err
			}
			b, err := fs.ReadFile(fsys, name)
			if err == nil {
				do(name, b)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// sharedFolder is where vectors and the larger fixtures are, if at all.
func sharedFolder() (string, bool) {
	dir := os.Getenv("GAIT_SHARED")
	if dir == "" {
		dir = "../../shared"
	}
	_, err := os.Stat(dir)
	return dir, err == nil
}
