package bench

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gait-engine/gait/space"
)

// made up in the file's format, with columns in another order and one more
const sampleText = `kind,cell,x,y,z,qw,qx,qy,qz,motion_table,setup,scale
placed,0x01020105,-40.5,3,-18,0,0,0,1,0x09000001,0x02000001,1
placed,0x03040000,25,49,7.5,0.6,0,0,-0.8,0x09000182,0x02000002,0.5
encounter,0x0304003F,180,150,0,1,0,0,0,0x09000025,0x02000003,1.25
placed,0x05060001,193,-1,0,1,0,0,0,0x09000008,0x02000004,8
`

func sample() io.Reader { return strings.NewReader(sampleText) }

func TestReadPopulation(t *testing.T) {
	want := []struct {
		cell   space.CellID
		origin space.Vec3
		gait   *Gait
		scale  float32
	}{
		{0x01020105, space.Vec3{-40.5, 3, -18}, &Humanoid, 1}, // indoors: not normalised
		{0x0304000B, space.Vec3{25, 49, 7.5}, &Creature, 0.5}, // a landblock only
		{0x0304003F, space.Vec3{180, 150, 0}, &Humanoid, 1.25},
		{0x06050008, space.Vec3{1, 191, 0}, &Creature, 8}, // beyond its block
	}
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	if _, err := w.Write([]byte(sampleText)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]io.Reader{"plain": sample(), "gzip": &z} {
		got, err := ReadPopulation(r)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want) {
			t.Fatalf("%s: %d placements", name, len(got))
		}
		for i, p := range got {
			if p.Position.Cell != want[i].cell || p.Position.Frame.Origin != want[i].origin || p.Gait() != want[i].gait || p.Scale != want[i].scale {
				t.Errorf("%s: placement %d is %+v, a %s", name, i, p, p.Gait().Name)
			}
		}
		if q := got[1].Position.Frame.Rotation; q != (space.Quat{W: 0.6, V: space.Vec3{0, 0, -0.8}}) {
			t.Errorf("%s: rotation %v", name, q)
		}
	}
}

func TestReadPopulationRefuses(t *testing.T) {
	head, _, _ := strings.Cut(sampleText, "\n")
	for _, c := range []struct{ text, says string }{
		{"", "no line of names"},
		{"cell,x\n", `no column "y"`},
		{head + "\nplaced,0x01020105,1", "wrong number of fields"},
		{head + "\nplaced,snow,1,1,1,1,0,0,0,0x09000001,0,1", "line 2: cell"},
		{head + "\nplaced,0x01020105,1,1,NaN,1,0,0,0,0x09000001,0,1", "not finite"},
		{head + "\nplaced,0x01020105,1,1,1e30,1,0,0,0,0x09000001,0,1", "absurdly far"},
		{head + "\nplaced,0x01020105,1,1,1,2,0,0,0,0x09000001,0,1", "unit length"},
		{head + "\nplaced,0x01020105,1,1,1,0.6,0.8,0,0,0x09000001,0,1", "vertical"},
		{head + "\nplaced,0x01020041,1,1,1,1,0,0,0,0x09000001,0,1", "no cell"},
		{head + "\nplaced,0xFF020001,1,1,1,1,0,0,0,0x09000001,0,1", "no cell"},
		{head + "\nplaced,0x00020001,-1,1,1,1,0,0,0,0x09000001,0,1", "outside the world"},
		{head + "\nplaced,0x01020105,1,1,1,1,0,0,0,0x09000001,0,0", "scale"},
		{"\x1f\x8bno gzip", ""},
	} {
		_, err := ReadPopulation(strings.NewReader(c.text))
		if !errors.Is(err, ErrPopulation) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v, want %q", c.text, err, c.says)
		}
	}
	if _, err := LoadPopulation("no such file"); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// The whole file, when it is there: every placement is one, and the human
// tables are those that it plays on a human body.
func TestSharedPopulation(t *testing.T) {
	dir := os.Getenv("GAIT_SHARED")
	if dir == "" {
		dir = "../../shared"
	}
	path := dir + "/world/population.csv.gz"
	if _, err := os.Stat(path); err != nil {
		t.Skip("no shared world: ", err)
	}
	all, err := LoadPopulation(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 90678 {
		t.Errorf("%d placements", len(all))
	}
	humans, indoors := 0, 0
	for i := range all {
		p := &all[i]
		if p.Gait() == &Humanoid {
			humans++
		}
		if p.Position.Cell.Indoors() {
			indoors++
		}
	}
	if humans != 4796 || indoors != 49508 {
		t.Errorf("%d humanoids, %d indoors", humans, indoors)
	}
	var tables []uint32
	for _, p := range all {
		if p.Setup == 0x02000001 || p.Setup == 0x0200004E {
			tables = append(tables, p.MotionTable)
		}
	}
	slices.Sort(tables)
	if tables = slices.Compact(tables); !slices.Equal(tables, humanTables) {
		t.Errorf("tables that move a human body: %#x", tables)
	}
	fill(t, newStream(t, Mixed, len(all), all), 60) // everything encodes
}

// Whatever a file holds is refused, or is placements that can all be loads.
func FuzzReadPopulation(f *testing.F) {
	f.Add([]byte(sampleText))
	f.Add([]byte("cell,x,y,z,qw,qx,qy,qz,motion_table,setup,scale\n0xFEFE0000,1e30,-1,0,1,0,0,0,9,2,1\n"))
	f.Add([]byte("\x1f\x8b"))
	f.Fuzz(func(t *testing.T, b []byte) {
		all, err := ReadPopulation(bytes.NewReader(b))
		if err != nil {
			if !errors.Is(err, ErrPopulation) {
				t.Fatal(err)
			}
			return
		}
		if len(all) == 0 {
			return
		}
		s, err := NewStream(Storm, len(all), 1, all)
		if err != nil {
			t.Fatal(err)
		}
		var w Window
		if err := s.Fill(&w, 2, nil); err != nil {
			t.Fatal(err)
		}
	})
}
