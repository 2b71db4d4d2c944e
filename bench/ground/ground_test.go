package ground

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/collision"
)

var update = flag.Bool("update", false, "rewrite golden files")

// files returns the default land's files, its tables and its compiled blocks.
func files(t testing.TB, seed uint64, r Rect) (portal, cell *dat.File, tables *dat.Tables) {
	t.Helper()
	portal, cell, err := Open(seed, r)
	if err != nil {
		t.Fatal(err)
	}
	if tables, err = dat.LoadLand(portal); err != nil {
		t.Fatal(err)
	}
	return portal, cell, tables
}

// Both files pass every check of a container, and hold what they should.
func TestFilesAreValid(t *testing.T) {
	portal, cell, _ := files(t, 1, Around(16))
	for _, f := range []*dat.File{portal, cell} {
		if err := f.Check(); err != nil {
			t.Error(err)
		}
	}
	if h := portal.Header(); h.DataSet != dat.Portal || h.BlockSize != 1024 {
		t.Errorf("portal: %+v", h)
	}
	if h := cell.Header(); h.DataSet != dat.Cell || h.BlockSize != 256 || h.Subset != 1 {
		t.Errorf("cell: %+v", h)
	}
	for name, want := range map[string]struct {
		f    *dat.File
		kind dat.Kind
		data dat.DataSet
		n    int
	}{
		"region": {portal, dat.RegionKind, dat.Portal, 1}, "models": {portal, dat.GfxObjKind, dat.Portal, 10},
		"setups": {portal, dat.SetupKind, dat.Portal, 4}, "environments": {portal, dat.EnvironmentKind, dat.Portal, 1},
		"blocks": {cell, dat.LandBlockKind, dat.Cell, 256},
	} {
		n := 0
		for _, e := range want.f.Entries() {
			if dat.KindOf(want.data, e.ID) == want.kind {
				n++
			}
		}
		if n != want.n {
			t.Errorf("%s: %d, want %d", name, n, want.n)
		}
	}
	if n := len(portal.Entries()); n != 17 {
		t.Errorf("%d records in the portal file", n)
	}
}

// Every record decodes, and encodes to its own bytes.
func TestRoundTrip(t *testing.T) {
	r, err := Make(1, Around(16))
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range [][]dat.Record{r.Portal, r.Cell} {
		set := dat.Portal
		if &list[0] == &r.Cell[0] {
			set = dat.Cell
		}
		for _, rec := range list {
			var again []byte
			var err error
			switch dat.KindOf(set, rec.ID) {
			case dat.RegionKind:
				again, err = twice(rec.Data, dat.DecodeRegion, dat.EncodeRegion)
			case dat.GfxObjKind:
				again, err = twice(rec.Data, dat.DecodeGfxObj, dat.EncodeGfxObj)
			case dat.SetupKind:
				again, err = twice(rec.Data, dat.DecodeSetup, dat.EncodeSetup)
			case dat.EnvironmentKind:
				again, err = twice(rec.Data, dat.DecodeEnvironment, dat.EncodeEnvironment)
			case dat.LandBlockKind:
				again, err = twice(rec.Data, dat.DecodeLandBlock, dat.EncodeLandBlock)
			case dat.LandBlockInfoKind:
				again, err = twice(rec.Data, dat.DecodeLandBlockInfo, dat.EncodeLandBlockInfo)
			case dat.EnvCellKind:
				again, err = twice(rec.Data, dat.DecodeEnvCell, dat.EncodeEnvCell)
			default:
				t.Fatalf("0x%08X is of no kind", rec.ID)
			}
			if err != nil || !bytes.Equal(again, rec.Data) {
				t.Fatalf("0x%08X: %v", rec.ID, err)
			}
		}
	}
}

func twice[T any](b []byte, decode func([]byte) (*T, error), encode func(*T) ([]byte, error)) ([]byte, error) {
	v, err := decode(b)
	if err != nil {
		return nil, err
	}
	return encode(v)
}

// One seed gives the same bytes, today and on every machine; another gives others.
func TestGoldenBytes(t *testing.T) {
	sum := func(seed uint64) string {
		h := sha256.New()
		if err := Write(h, h, seed, Around(16)); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%x", h.Sum(nil))
	}
	one := sum(1)
	if one != sum(1) {
		t.Error("one seed gives two lands")
	}
	if one == sum(2) {
		t.Error("two seeds give one land")
	}
	golden := filepath.Join("..", "..", "testdata", "golden", "ground-1-16.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(one+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.TrimSpace(string(b)); one != want {
		t.Errorf("%s, want %s", one, want)
	}
}

// Every block compiles, and what the compiler makes of the ground is what was
// meant: its heights, its share of cliffs and of water, its yards level.
func TestGround(t *testing.T) {
	for seed := uint64(1); seed <= 3; seed++ {
		r := Around(32)
		_, cell, tables := files(t, seed, r)
		if err := collision.NewLand(tables, cell).LoadAll(); err != nil {
			t.Fatal(err)
		}
		m := terrain{noise: noise(mix(seed)), rect: r}
		in := r.Inner()
		triangles, steep, wet, cells, yards, houses, objects, crossing := 0, 0, 0, 0, 0, 0, 0, 0
		low, high := float32(1000), float32(0)
		for x := r.West; x < r.West+r.Width; x++ {
			for y := r.South; y < r.South+r.Depth; y++ {
				b, err := dat.CompileBlock(tables, uint8(x), uint8(y), cell)
				if err != nil || b == nil {
					t.Fatalf("block (%#x, %#x): %v", x, y, err)
				}
				inner := x >= in.West && y >= in.South && x < in.West+in.Width && y < in.South+in.Depth
				if (b.Whole == dat.EntirelyWater) == inner {
					t.Errorf("block (%#x, %#x): water %v", x, y, b.Whole)
				}
				if !inner {
					continue
				}
				want := m.block(x, y)
				for i, h := range b.Heights {
					low, high = min(low, h), max(high, h)
					if float64(h) != metres(want.steps[i/9][i%9]) {
						t.Fatalf("block (%#x, %#x), vertex %d: %v m", x, y, i, h)
					}
				}
				for _, p := range b.Planes {
					if triangles++; p.Normal[2] < collision.FloorZ {
						steep++
					}
				}
				for c, w := range b.Water {
					cells++
					if w != dat.Dry {
						wet++
					}
					if level := b.Planes[2*c].Normal[2] == 1 && b.Planes[2*c+1].Normal[2] == 1; want.yard && !level &&
						c/8 >= yardFrom && c/8 < yardTo && c%8 >= yardFrom && c%8 < yardTo {
						t.Errorf("block (%#x, %#x): cell %d of the yard is not level", x, y, c)
					}
				}
				if want.yard {
					yards++
				}
				houses += len(b.Buildings)
				for i := range b.Statics[:b.Outdoor] {
					o := &b.Statics[i]
					objects++
					if e, n := o.Frame.Origin[0], o.Frame.Origin[1]; e < 1.5 || n < 1.5 || e > 190.5 || n > 190.5 {
						crossing++
					}
					for i := range space.Vec3(o.Frame.Origin) {
						if v := o.Frame.Origin[i]; !space.Finite(v) || v < 0 {
							t.Errorf("block (%#x, %#x): an object at %v", x, y, o.Frame.Origin)
						}
					}
				}
			}
		}
		part := func(n, of int) float64 { return float64(n) / float64(of) }
		t.Logf("seed %d: %.0f to %.0f m, %.1f%% too steep, %.1f%% of cells wet, %d yards, %d houses, %d objects, %d across borders",
			seed, low, high, 100*part(steep, triangles), 100*part(wet, cells), yards, houses, objects, crossing)
		if p := part(steep, triangles); p < 0.015 || p > 0.2 {
			t.Errorf("seed %d: %.3f of the ground is too steep", seed, p)
		}
		if p := part(wet, cells); p < 0.005 || p > 0.1 {
			t.Errorf("seed %d: %.3f of the cells have water", seed, p)
		}
		if yards < 100 || houses < 100 || objects < 3000 || crossing < 300 || high-low < 80 || low < 16 || high > 398 {
			t.Errorf("seed %d: that is not what was meant", seed)
		}
	}
}

// Neighbouring blocks agree in the vertices that they share.
func TestBlocksMeet(t *testing.T) {
	m := terrain{noise: 7, rect: Around(20)}
	for x := m.rect.West; x < m.rect.West+19; x++ {
		for y := m.rect.South; y < m.rect.South+19; y++ {
			b, east, north := m.block(x, y), m.block(x+1, y), m.block(x, y+1)
			for i := range 9 {
				if b.steps[8][i] != east.steps[0][i] || b.steps[i][8] != north.steps[i][0] {
					t.Fatalf("block (%#x, %#x) and its neighbours differ at %d", x, y, i)
				}
			}
		}
	}
}

// The height that things are stood at is the compiled plane's.
func TestHeights(t *testing.T) {
	r := Around(8)
	_, cell, tables := files(t, 5, r)
	land := collision.NewLand(tables, cell)
	w := collision.World{Tables: tables, Shapes: &tables.Shapes, Land: land}
	m := terrain{noise: noise(mix(5)), rect: r}
	d := draws{}
	for range 5000 {
		bx, by := r.West+d.below(8), r.South+d.below(8)
		x, y := float64(d.below(192*64))/64, float64(d.below(192*64))/64
		p := space.Position{Cell: space.CellID(bx<<24 | by<<16 | 1), Frame: space.Frame{Origin: space.Vec3{float32(x), float32(y), 0}, Rotation: space.IdentityQuat}}
		plane, _, ok := w.Below(&p, space.Vec3{})
		if !ok {
			t.Fatalf("nothing below %v in (%#x, %#x)", p.Frame.Origin, bx, by)
		}
		n := plane.Normal
		z := -(float64(n[0])*x + float64(n[1])*y + float64(plane.D)) / float64(n[2])
		if h := m.block(bx, by).height(x, y); math.Abs(h-z) > 0.001 {
			t.Fatalf("(%v, %v) of (%#x, %#x): %v m, compiled %v m", x, y, bx, by, h, z)
		}
	}
}

// Every polygon is behind nothing: it hangs in solid leaves only, and a tree says
// of points what the shape says.
func TestTrees(t *testing.T) {
	inBox := func(low, high space.Vec3) func(v space.Vec3) bool {
		return func(v space.Vec3) bool {
			for k := range v {
				if v[k] < low[k] || v[k] > high[k] {
					return false
				}
			}
			return true
		}
	}
	crate := inBox(space.Vec3{-1.5, -1.5, -4}, space.Vec3{1.5, 1.5, 0.5})
	wedge := func(v space.Vec3) bool {
		return v[0] >= -5 && v[0] <= 5 && v[1] <= 4 && v[2] >= -4 && v[2] <= 6 && v[1] >= -4 && v[2] <= 1.5*v[1]+3
	}
	air := inBox(space.Vec3{-inEast, half, floor}, space.Vec3{inEast, inNorth, ceiling})
	door := inBox(space.Vec3{-doorHalf, 0, floor}, space.Vec3{doorHalf, half, doorTop})
	backRoom := append(room(half, inNorth), facingY(inNorth, -inEast, inEast, floor, ceiling, -1))
	backRoom = append(append(backRoom, doorWall(half, inEast, floor, ceiling, 1)...), passage(0, half)...)
	for name, c := range map[string]struct {
		faces []face
		solid func(v space.Vec3) bool
	}{
		"crate": {box(space.Vec3{-1.5, -1.5, -4}, space.Vec3{1.5, 1.5, 0.5}), crate},
		"wedge": {prism([]space.Vec3{{0, -4, -4}, {0, 4, -4}, {0, 4, 6}, {0, 2, 6}, {0, -4, -3}}, -5, 5), wedge},
		"room":  {backRoom, func(v space.Vec3) bool { return !air(v) && !door(v) }},
	} {
		root := treeOf(c.faces)
		found := map[uint16]bool{}
		var walk func(n *dat.BSPNode)
		walk = func(n *dat.BSPNode) {
			if n.Tag != "LEAF" {
				walk(n.Pos)
				walk(n.Neg)
				return
			}
			if len(n.Polygons) > 0 && n.Solid == 0 {
				t.Errorf("%s: faces %v hang in empty space", name, n.Polygons)
			}
			for _, p := range n.Polygons {
				found[p] = true
			}
		}
		walk(root)
		if len(found) != len(c.faces) {
			t.Errorf("%s: %d of %d faces hang in the tree", name, len(found), len(c.faces))
		}
		d := draws{}
		for range 20000 {
			v := space.Vec3{float32(d.below(12000))/1000 - 6.0005, float32(d.below(15000))/1000 - 7.5005, float32(d.below(11000))/1000 - 4.5005}
			if name == "room" && v[1] < half { // behind its own wall: the other room's
				continue
			}
			n := root
			for n.Tag != "LEAF" {
				if space.Dot(n.Plane.Normal, v)+n.Plane.D >= 0 {
					n = n.Pos
				} else {
					n = n.Neg
				}
			}
			if (n.Solid != 0) != c.solid(v) {
				t.Fatalf("%s: %v is solid: %v", name, v, n.Solid)
			}
		}
	}
}

func TestRefuses(t *testing.T) {
	for _, r := range []Rect{{}, Around(2), {-1, 0, 9, 9}, {0, -1, 9, 9}, {250, 0, 6, 9}, {0, 250, 9, 6}, {0, 0, 300, 3}} {
		if _, err := Make(1, r); !errors.Is(err, ErrRect) {
			t.Errorf("%+v: %v", r, err)
		}
	}
	for _, side := range []int{3, 16, 64, 255} {
		if r := Around(side); r.check() != nil || r.Width != side {
			t.Errorf("around %d: %+v", side, r)
		}
	}
	if r := Around(16); r.West != 0xA1 || r.South != 0xAC {
		t.Errorf("%+v", r)
	}
}
