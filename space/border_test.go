package space

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// cellAt is the cell (cx,cy) of the block that the tests of 10 §7.1 use.
func cellAt(cx, cy int32) CellID { return LCoordToCell(0xA9*8+cx, 0xB4*8+cy) }

// The consequences on exact borders of 10 §7.1, for any r > 0.
func TestSpec10_7_1_ExactBorders(t *testing.T) {
	for _, r := range []float32{0.001, 0.48, 5, 11.9} {
		for _, c := range []struct {
			o          Vec3
			candidates []CellID
			holds      CellID
		}{
			{Vec3{96, 100, 0}, nil, cellAt(3, 4)},
			{Vec3{100, 96, 0}, nil, cellAt(4, 3)},
			{Vec3{96, 96, 0}, []CellID{cellAt(4, 4), cellAt(3, 4), cellAt(3, 3), cellAt(4, 3)}, cellAt(4, 3)},
			{Vec3{108, 108, 0}, []CellID{cellAt(4, 4)}, cellAt(4, 4)},
		} {
			list, ok := CellsTouched(nil, 0xA9B40001, c.o, r)
			if !ok {
				t.Fatalf("%v: failed", c.o)
			}
			if c.candidates != nil && !slices.Equal(list, c.candidates) {
				t.Errorf("%v, r %v: candidates %#x, want %#x", c.o, r, list, c.candidates)
			}
			if got := ContainingLandCell(list, 0xA9B40001, c.o); got != c.holds {
				t.Errorf("%v, r %v: in %#08x, want %#08x", c.o, r, uint32(got), uint32(c.holds))
			}
		}
	}
}

// Array order outdoors for one sphere, all eight neighbours: a radius of more
// than half a cell reaches both sides.
func TestSpec10_7_1_Order(t *testing.T) {
	list, _ := CellsTouched(nil, 0xA9B40001, Vec3{108, 108, 0}, 12.5)
	want := []CellID{
		cellAt(4, 4),
		cellAt(5, 4), cellAt(5, 5), cellAt(5, 3),
		cellAt(3, 4), cellAt(3, 5), cellAt(3, 3),
		cellAt(4, 5), cellAt(4, 3),
	}
	if !slices.Equal(list, want) {
		t.Errorf("%#x, want %#x", list, want)
	}
	for _, c := range []struct {
		o    Vec3
		want []CellID
	}{
		// one side
		{Vec3{119, 108, 0}, []CellID{cellAt(4, 4), cellAt(5, 4)}},
		{Vec3{97, 108, 0}, []CellID{cellAt(4, 4), cellAt(3, 4)}},
		{Vec3{108, 119, 0}, []CellID{cellAt(4, 4), cellAt(4, 5)}},
		{Vec3{108, 97, 0}, []CellID{cellAt(4, 4), cellAt(4, 3)}},
		// the corners: the cell beside, the diagonal, then the cell above or below
		{Vec3{119, 119, 0}, []CellID{cellAt(4, 4), cellAt(5, 4), cellAt(5, 5), cellAt(4, 5)}},
		{Vec3{119, 97, 0}, []CellID{cellAt(4, 4), cellAt(5, 4), cellAt(5, 3), cellAt(4, 3)}},
		{Vec3{97, 119, 0}, []CellID{cellAt(4, 4), cellAt(3, 4), cellAt(3, 5), cellAt(4, 5)}},
		{Vec3{97, 97, 0}, []CellID{cellAt(4, 4), cellAt(3, 4), cellAt(3, 3), cellAt(4, 3)}},
	} {
		if got, _ := CellsTouched(nil, 0xA9B40001, c.o, 2); !slices.Equal(got, c.want) {
			t.Errorf("%v: %#x, want %#x", c.o, got, c.want)
		}
	}
}

// All comparisons are strict: a sphere that just reaches the border does not touch.
func TestSpec10_7_1_StrictComparisons(t *testing.T) {
	for _, o := range []Vec3{{118, 108, 0}, {98, 108, 0}, {108, 118, 0}, {108, 98, 0}} {
		if list, _ := CellsTouched(nil, 0xA9B40001, o, 2); len(list) != 1 {
			t.Errorf("%v: %#x", o, list)
		}
	}
}

// 14 §9: r .5 at x = 97.5 does not reach the west, r 1 at 96.75 does.
func TestSpec14_9_SweepCells(t *testing.T) {
	if list, _ := CellsTouched(nil, 0xA9B40001, Vec3{97.5, 108, 0}, 0.5); !slices.Equal(list, []CellID{cellAt(4, 4)}) {
		t.Errorf("r .5: %#x", list)
	}
	if list, _ := CellsTouched(nil, 0xA9B40001, Vec3{96.75, 108, 0}, 1); !slices.Equal(list, []CellID{cellAt(4, 4), cellAt(3, 4)}) {
		t.Errorf("r 1: %#x", list)
	}
}

func TestSpec14_9_CellsOutsideTheWorldAreDropped(t *testing.T) {
	if list, ok := CellsTouched(nil, 0x00000001, Vec3{1, 1, 0}, 2); !ok || !slices.Equal(list, []CellID{1}) {
		t.Errorf("south-west corner: %#x %v", list, ok)
	}
	if list, ok := CellsTouched(nil, 0xFEFE0040, Vec3{191, 191, 0}, 2); !ok || !slices.Equal(list, []CellID{0xFEFE0040}) {
		t.Errorf("north-east corner: %#x %v", list, ok)
	}
	for _, c := range []struct {
		id CellID
		o  Vec3
	}{{0x00000001, Vec3{-1, 1, 0}}, {0xA9B40041, Vec3{1, 1, 0}}, {0xA9B40001, Vec3{nan32, 1, 0}}, {0xA9B40001, Vec3{1, inf32, 0}}} {
		had := []CellID{7}
		if list, ok := CellsTouched(had, c.id, c.o, 2); ok || !slices.Equal(list, had) {
			t.Errorf("%#08x %v: %#x %v, want a failure that adds nothing", uint32(c.id), c.o, list, ok)
		}
	}
}

// Across a block's border, from an indoor id, and with a second sphere.
func TestSpec14_9_AcrossBlocksAndSpheres(t *testing.T) {
	list, ok := CellsTouched(nil, 0xA9B40123, Vec3{192.5, 12, 0}, 1)
	want := []CellID{0xAAB40001, 0xA9B40039}
	if !ok || !slices.Equal(list, want) {
		t.Fatalf("%#x, want %#x", list, want)
	}
	list, ok = CellsTouched(list, 0xA9B40123, Vec3{191.5, 23.5, 0}, 1)
	want = append(want, 0xAAB40002, 0xA9B4003A) // its own cell and the east one are there already
	if !ok || !slices.Equal(list, want) {
		t.Errorf("%#x, want %#x", list, want)
	}
}

// A candidate that contains the point is found, and it is one whose square
// really holds it; the point's own cell always does.
func TestSpec10_7_1_ContainerProperty(t *testing.T) {
	buf := make([]CellID, 0, 9)
	rapid.Check(t, func(t *rapid.T) {
		c := drawOutdoorCell().Draw(t, "cell")
		o := drawVec(250).Draw(t, "o")
		if rapid.Bool().Draw(t, "on a border") {
			o[0] = float32(rapid.IntRange(-10, 10).Draw(t, "kx")) * CellSide
			o[1] = float32(rapid.IntRange(-10, 10).Draw(t, "ky")) * CellSide
		}
		r := rapid.Float32Range(0.01, 20).Draw(t, "r")
		list, ok := CellsTouched(buf[:0], c, o, r)
		if !ok || len(list) > 9 {
			t.Fatalf("%#x %v", list, ok)
		}
		own, local := AdjustToOutside(c, o)
		if list[0] != own || !own.InLandCell(own, local) {
			t.Fatalf("own cell %#08x of %#x", uint32(own), list)
		}
		sorted := slices.Clone(list)
		slices.Sort(sorted)
		if len(slices.Compact(sorted)) != len(list) {
			t.Fatalf("twice in %#x", list)
		}
		held := ContainingLandCell(list, own, local)
		if held == 0 || !held.InLandCell(own, local) {
			t.Fatalf("container %#08x", uint32(held))
		}
		onBorder := float32(int32(local[0])/CellSide*CellSide) == local[0] || float32(int32(local[1])/CellSide*CellSide) == local[1]
		if !onBorder && held != own {
			t.Fatalf("inside %#08x but held by %#08x", uint32(own), uint32(held))
		}
	})
	if n := testing.AllocsPerRun(100, func() { CellsTouched(buf[:0], 0xA9B40001, Vec3{96, 96, 0}, 20) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestSpec10_7_1_InLandCell(t *testing.T) {
	for _, c := range []struct {
		cell, from CellID
		p          Vec3
		want       bool
	}{
		{0xA9B40001, 0xA9B40001, Vec3{0, 0, 0}, true},
		{0xA9B40001, 0xA9B40001, Vec3{24, 24, -500}, true},
		{0xA9B40001, 0xA9B40040, Vec3{24.001, 24, 0}, false},
		{0xAAB40001, 0xA9B40001, Vec3{192, 12, 0}, true},
		{0xA8B40039, 0xA9B40001, Vec3{0, 12, 0}, true},
		{0xA8B40039, 0xA9B40123, Vec3{-1, 12, 0}, true},
		{0xA9B40100, 0xA9B40001, Vec3{1, 1, 0}, false},
		{0, 0xA9B40001, Vec3{1, 1, 0}, false},
		{0xA9B40001, 0xA9B40001, Vec3{nan32, 1, 0}, false},
	} {
		if got := c.cell.InLandCell(c.from, c.p); got != c.want {
			t.Errorf("%#08x from %#08x %v: %v", uint32(c.cell), uint32(c.from), c.p, got)
		}
	}
	if got := ContainingLandCell([]CellID{0xA9B40100, 0xA9B40001, 0xA9B40100}, 0xA9B40001, Vec3{1, 1, 0}); got != 0xA9B40001 {
		t.Errorf("past indoor cells: %#08x", uint32(got))
	}
	if got := ContainingLandCell(nil, 0xA9B40001, Vec3{1, 1, 0}); got != 0 {
		t.Errorf("of none: %#08x", uint32(got))
	}
}

// AdjustPosition, the outdoor half.
func TestSpec10_7_2_AdjustOutdoors(t *testing.T) {
	place := func(c CellID, x, y float32) Position {
		return Position{c, Frame{Vec3{x, y, 3}, tilted}}
	}
	for _, c := range []struct {
		p, want Position
		ok      bool
	}{
		{place(0xA9B40001, 193, 10), place(0xAAB40001, 1, 10), true},
		{place(0xA9B40001, -1, 10), place(0xA8B40039, 191, 10), true},
		{place(0x00010001, -1, 10), place(0, -1, 10), false},
		{place(0xA9B40041, 0.0001, 10), place(0xA9B40041, 0.0001, 10), false}, // index invalid: unchanged
		{place(0, 1, 10), place(0, 1, 10), false},
		{place(0xA9B40123, 100, 50), place(0xA9B40023, 100, 50), true}, // step 4
		{place(0x00000123, 100, -50), place(0, 100, -50), false},
	} {
		p := c.p
		if ok := p.AdjustOutdoors(); ok != c.ok || p != c.want {
			t.Errorf("%v: %v %v, want %v %v", c.p, p, ok, c.want, c.ok)
		}
	}
}

// store_position stores whatever comes out, and only for outdoor ids.
func TestSpec10_6_StorePosition(t *testing.T) {
	in := Position{0xA9B40123, Frame{Vec3{-5, 300, 1}, IdentityQuat}}
	p := in
	if p.Normalize(); p != in {
		t.Errorf("indoors: %v", p)
	}
	for _, c := range []CellID{0x00010001, 0xA9B40041, 0} {
		p := Position{c, Frame{Vec3{-5, 10, 1}, IdentityQuat}}
		p.Normalize()
		if p.Cell != 0 || p.Frame.Origin != (Vec3{-5, 10, 1}) {
			t.Errorf("%#08x: %v", uint32(c), p)
		}
	}
}
