package space

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestSpec10_4_Indexes(t *testing.T) {
	for i := range uint32(0x10000) {
		c := CellID(0xA9B40000 | i)
		outdoor := i >= 1 && i <= 0x40
		indoor := i >= 0x100 && i <= 0xFFFD
		if c.IndexValid() != (outdoor || indoor || i == 0xFFFF) {
			t.Fatalf("%#x: index valid %v", i, c.IndexValid())
		}
		if c.Indoors() != (i >= 0x100) {
			t.Fatalf("%#x: indoors %v", i, c.Indoors())
		}
		if _, _, ok := c.LCoord(); ok != outdoor {
			t.Fatalf("%#x: lcoord %v", i, ok)
		}
	}
}

func TestSpec10_4_InboundValidTestsBothAxes(t *testing.T) {
	for _, c := range []struct {
		id   CellID
		want bool
	}{
		{0xA9B40001, true}, {0x00000001, true}, {0xFEFE0040, true}, {0xFEFE0100, true}, {0xFEFEFFFF, true},
		{0xFFFE0001, false}, {0xFEFF0001, false}, {0xFFFF0001, false}, {0xFF000100, false}, {0x00FF0100, false},
		{0xA9B40000, false}, {0xA9B40041, false}, {0xA9B400FF, false}, {0xA9B4FFFE, false}, {0, false},
	} {
		if got := c.id.InboundValid(); got != c.want {
			t.Errorf("%#08x: %v", uint32(c.id), got)
		}
	}
}

func TestSpec10_4_RoundTripExamples(t *testing.T) {
	for _, c := range []struct {
		id   CellID
		x, y int32
	}{
		{0xFEFE0040, 2039, 2039},
		{0xA9B40001, 1352, 1440},
		{0xA9B40002, 1352, 1441}, // north first
		{0xA9B40009, 1353, 1440},
		{0x00000001, 0, 0},
	} {
		x, y, ok := c.id.LCoord()
		if x != c.x || y != c.y || !ok {
			t.Errorf("%#08x: (%d,%d) %v, want (%d,%d)", uint32(c.id), x, y, ok, c.x, c.y)
		}
		if got := LCoordToCell(c.x, c.y); got != c.id {
			t.Errorf("(%d,%d): %#08x, want %#08x", c.x, c.y, uint32(got), uint32(c.id))
		}
	}
}

func TestSpec10_4_RoundTripAll(t *testing.T) {
	seen := 0
	for x := int32(-3); x < WorldCells+3; x++ {
		for y := int32(-3); y < WorldCells+3; y++ {
			c := LCoordToCell(x, y)
			if x < 0 || y < 0 || x >= WorldCells || y >= WorldCells {
				if c != 0 {
					t.Fatalf("(%d,%d) outside the world gives %#08x", x, y, uint32(c))
				}
				continue
			}
			if gx, gy, ok := c.LCoord(); gx != x || gy != y || !ok {
				t.Fatalf("(%d,%d) → %#08x → (%d,%d) %v", x, y, uint32(c), gx, gy, ok)
			}
			seen++
		}
	}
	if seen != WorldCells*WorldCells {
		t.Errorf("%d cells", seen)
	}
	for _, v := range []int32{math.MinInt32, math.MaxInt32} {
		if LCoordToCell(v, 0) != 0 || LCoordToCell(0, v) != 0 {
			t.Errorf("%d is inside the world", v)
		}
	}
}

// The table of 10 §6.
func TestSpec10_6_Table(t *testing.T) {
	for _, c := range []struct {
		id   CellID
		o    Vec3
		want CellID
		at   Vec3
	}{
		{0xA9B40001, Vec3{193, 10, 5}, 0xAAB40001, Vec3{1, 10, 5}},
		{0xA9B40001, Vec3{-1, 0, 5}, 0xA8B40039, Vec3{191, 0, 5}}, // cx 7, cy 0
		{0xA9B40001, Vec3{-0.00001, 0, 5}, 0xA9B40001, Vec3{0, 0, 5}},
		{0x00010001, Vec3{-1, 0, 5}, 0, Vec3{-1, 0, 5}},
		// north and south likewise
		{0xA9B40001, Vec3{10, 193, 5}, 0xA9B50001, Vec3{10, 1, 5}},
		{0xA9B40001, Vec3{0, -1, 5}, 0xA9B30008, Vec3{0, 191, 5}},
		{0xA9B40001, Vec3{0, -0.00001, 5}, 0xA9B40001, Vec3{0, 0, 5}},
		{0x01000001, Vec3{0, -1, 5}, 0, Vec3{0, -1, 5}},
		// the border itself belongs to the far side
		{0xA9B40001, Vec3{192, 192, 0}, 0xAAB50001, Vec3{0, 0, 0}},
		{0xA9B40001, Vec3{24, 24, 0}, 0xA9B4000A, Vec3{24, 24, 0}},
		{0xA9B40001, Vec3{191.99998, 191.99998, 0}, 0xA9B40040, Vec3{191.99998, 191.99998, 0}},
		// several blocks
		{0xA9B40001, Vec3{-1000, 1000, 0}, 0xA3B90032, Vec3{152, 40, 0}}, // cells (1310,1481)
		// an indoor id counts by its block
		{0xA9B40123, Vec3{100, 50, 5}, 0xA9B40023, Vec3{100, 50, 5}},
		{0xA9B4FFFF, Vec3{-1, 10, 5}, 0xA8B40039, Vec3{191, 10, 5}},
		// not cells
		{0xA9B40000, Vec3{1, 1, 1}, 0, Vec3{1, 1, 1}},
		{0xA9B40041, Vec3{0.0001, 1, 1}, 0, Vec3{0.0001, 1, 1}},
		{0xA9B4FFFE, Vec3{1, 1, 1}, 0, Vec3{1, 1, 1}},
		// the edge of the world
		{0xFEFE0040, Vec3{191, 191, 0}, 0xFEFE0040, Vec3{191, 191, 0}},
		{0xFEFE0040, Vec3{192, 191, 0}, 0, Vec3{192, 191, 0}},
		{0xFEFE0040, Vec3{191, 192, 0}, 0, Vec3{191, 192, 0}},
		{0x00000001, Vec3{0, 0, 0}, 0x00000001, Vec3{0, 0, 0}},
		// an id outside the world with a point inside it
		{0xFFFE0001, Vec3{-1, 1, 0}, 0xFEFE0039, Vec3{191, 1, 0}},
		{0xFFFE0001, Vec3{1, 1, 0}, 0, Vec3{1, 1, 0}},
		// a small coordinate is made 0 though the other is outside
		{0x00010001, Vec3{-1, 0.0001, 5}, 0, Vec3{-1, 0, 5}},
	} {
		got, at := AdjustToOutside(c.id, c.o)
		if got != c.want || at != c.at {
			t.Errorf("%#08x %v: %#08x %v, want %#08x %v", uint32(c.id), c.o, uint32(got), at, uint32(c.want), c.at)
		}
	}
}

// adjustPlain is 10 §6 word for word, without the short way.
func adjustPlain(c CellID, o Vec3) (CellID, Vec3) {
	i := c & 0xFFFF
	if !(i >= 1 && i <= 0x40 || i >= 0x100 && i <= 0xFFFD || i == 0xFFFF) {
		return 0, o
	}
	block := [2]float64{float64(c >> 24), float64(c >> 16 & 0xFF)}
	var l [2]float64
	for k := range 2 {
		if math.Abs(float64(o[k])) < float64(Eps) {
			o[k] = 0
		}
		l[k] = block[k]*8 + math.Floor(float64(o[k])/24)
	}
	for k := range 2 {
		if !(l[k] >= 0 && l[k] < 2040) {
			return 0, o
		}
	}
	for k := range 2 {
		in := float64(o[k]) - math.Floor(float64(o[k])/192)*192 // exact
		o[k] = float32(in)
		if float64(o[k]) > in && math.Mod(float64(o[k]), 24) == 0 {
			l[k]++ // narrowing put it on the next cell's border
		}
	}
	x, y := uint32(l[0]), uint32(l[1])
	return CellID(x>>3<<24 | y>>3<<16 | (x&7*8 + y&7 + 1)), o
}

func checkAdjust(fatalf func(string, ...any), c CellID, o Vec3) {
	got, at := AdjustToOutside(c, o)
	want, wantAt := adjustPlain(c, o)
	same := got == want
	for k := range at {
		same = same && (at[k] == wantAt[k] || at[k] != at[k] && wantAt[k] != wantAt[k])
	}
	if !same {
		fatalf("%#08x %v: %#08x %v, word for word %#08x %v", uint32(c), o, uint32(got), at, uint32(want), wantAt)
	}
	if got == 0 {
		return
	}
	if !(at[0] >= 0 && at[0] < BlockSide && at[1] >= 0 && at[1] < BlockSide) {
		fatalf("%#08x %v: %v is not local to the block", uint32(c), o, at)
	}
	x, y, ok := got.LCoord()
	if !ok || x&7 != int32(at[0]/CellSide) || y&7 != int32(at[1]/CellSide) {
		fatalf("%#08x %v: cell %#08x does not hold %v", uint32(c), o, uint32(got), at)
	}
	// again: the same, but for a rest below Eps
	at[2] = 0
	again, at2 := AdjustToOutside(got, at)
	for k := range 2 {
		if at[k] < Eps {
			at[k] = 0
		}
	}
	if again != got || at2 != at {
		fatalf("%#08x %v: again %#08x %v", uint32(got), at, uint32(again), at2)
	}
	if third, at3 := AdjustToOutside(again, at2); third != again || at3 != at2 {
		fatalf("%#08x %v: a third time %#08x %v", uint32(again), at2, uint32(third), at3)
	}
}

// The border that rounding reaches: cell and origin agree all the same.
func TestSpec10_6_CellAgreesWithRoundedOrigin(t *testing.T) {
	c, o := AdjustToOutside(0xA9B40001, Vec3{math.Nextafter32(-48, -inf32), 12, 0})
	if c != 0xA8B40031 || o[0] != 144 { // cx 6
		t.Errorf("%#08x %v", uint32(c), o)
	}
}

func TestSpec10_6_ShortWayIsTheLongWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := CellID(rapid.Uint32().Draw(t, "cell"))
		if rapid.Bool().Draw(t, "outdoor") {
			c = c&0xFFFF0000 | CellID(rapid.Uint32Range(1, 0x40).Draw(t, "index"))
		}
		max := rapid.SampledFrom([]float32{0.001, 200, 1e4, 1e5, math.MaxFloat32}).Draw(t, "within")
		checkAdjust(t.Fatalf, c, drawVec(max).Draw(t, "o"))
	})
}

// Every border of every cell, from both sides, and the numbers next to it.
func TestSpec10_6_Borders(t *testing.T) {
	for _, c := range []CellID{0xA9B40001, 0x00000001, 0xFEFE0040, 0xFFFF0001, 0x01FE0140} {
		for k := -20; k <= 20; k++ {
			b := float32(k) * CellSide
			for _, x := range []float32{
				b, math.Nextafter32(b, inf32), math.Nextafter32(b, -inf32),
				b + Eps, b - Eps, b + Eps/2, b - Eps/2,
				math.Nextafter32(Eps, 0), -math.Nextafter32(Eps, 0),
			} {
				checkAdjust(t.Fatalf, c, Vec3{x, 12, 0})
				checkAdjust(t.Fatalf, c, Vec3{12, x, 0})
				checkAdjust(t.Fatalf, c, Vec3{x, x, 0})
			}
		}
	}
}

// The point stays where it was in the world.
func TestSpec10_6_KeepsThePoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Position{drawOutdoorCell().Draw(t, "cell"), Frame{drawVec(380).Draw(t, "o"), IdentityQuat}}
		q := p
		q.Normalize()
		if q.Cell == 0 {
			t.Fatalf("%v left the world", p)
		}
		if d := Offset(&p, &q); !nearVec(d, Vec3{}, 2.1e-4) {
			t.Fatalf("%v moved by %v", p, d)
		}
		if q.Frame.Origin[2] != p.Frame.Origin[2] || q.Frame.Rotation != p.Frame.Rotation {
			t.Fatal("height or rotation changed")
		}
	})
}

func TestSpec10_6_HostileInput(t *testing.T) {
	for _, c := range []CellID{0, 1, 0xA9B40001, 0xA9B40100, 0xFFFFFFFF, 0xFFFF0001, 0xFEFE0040, 0xA9B40041} {
		for _, x := range hostile {
			for _, y := range hostile {
				o := Vec3{x, y, nan32}
				checkAdjust(t.Fatalf, c, o)
				got, _ := AdjustToOutside(c, o)
				if (!Finite(x) || !Finite(y)) && got != 0 {
					t.Errorf("%#08x %v: %#08x", uint32(c), o, uint32(got))
				}
			}
		}
	}
}

// F31: across borders in all eight directions, negative local coordinates
// included: cell and origin normalised, distance continuous.
func TestF31_AcrossBordersInAllDirections(t *testing.T) {
	for dx := -1; dx <= 1; dx++ {
		for dy := -1; dy <= 1; dy++ {
			if dx == 0 && dy == 0 {
				continue
			}
			t.Run(fmt.Sprintf("%+d%+d", dx, dy), func(t *testing.T) {
				start := Position{0xA9B4001C, Frame{Vec3{96, 84, 10}, IdentityQuat}}
				start.Normalize()
				walkAcross(t.Fatalf, start, Vec3{float32(dx) * 0.25, float32(dy) * 0.25, 0}, 1600)
			})
		}
	}
}

func TestF31_AnyWalk(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start := Position{drawOutdoorCell().Draw(t, "cell"), Frame{Vec3{}, IdentityQuat}}
		g := rapid.Float32Range(0, BlockSide)
		start.Frame.Origin = Vec3{g.Draw(t, "x"), g.Draw(t, "y"), 5}
		start.Normalize()
		if start.Cell == 0 {
			t.Skip("the edge of the world")
		}
		step := drawVec(8).Draw(t, "step")
		step[2] = 0
		walkAcross(t.Fatalf, start, step, 20)
	})
}

// walkAcross adds step n times, normalising after each, and checks after each
// that the place is normalised, that each step is as long as it was meant, that
// the distance from the start has not jumped, and that an observer who stands
// still and one who does not normalise agree.
func walkAcross(fatalf func(string, ...any), start Position, step Vec3, n int) {
	p := start
	free := [2]float64{float64(start.Frame.Origin[0]), float64(start.Frame.Origin[1])}
	snapped := 0.0 // what Eps may have taken
	for i := 1; i <= n; i++ {
		before := p
		p.Frame.Origin = Add(p.Frame.Origin, step)
		raw := p // may be local to the wrong block: negative, or beyond the side
		p.Normalize()
		if p.Cell == 0 {
			fatalf("step %d: outside the world from %v", i, raw)
		}
		o := p.Frame.Origin
		if x, y, ok := p.Cell.LCoord(); !ok || !(o[0] >= 0 && o[0] < BlockSide && o[1] >= 0 && o[1] < BlockSide) ||
			x&7 != int32(o[0]/CellSide) || y&7 != int32(o[1]/CellSide) {
			fatalf("step %d: not normalised: %v", i, p)
		}
		if Abs(raw.Frame.Origin[0]) < Eps || Abs(raw.Frame.Origin[1]) < Eps {
			snapped += float64(Eps)
		}
		tol := 3e-5 + 1e-5*float64(i) + snapped
		if d := Offset(&before, &p); !nearVec(d, step, 5e-5+float64(Eps)) {
			fatalf("step %d: moved %v, want %v; from %v to %v", i, d, step, before, p)
		}
		if d := Offset(&raw, &p); !nearVec(d, Vec3{}, 5e-5+float64(Eps)) {
			fatalf("step %d: normalising moved %v by %v", i, raw, d)
		}
		fx, fy := free[0]+float64(step[0])*float64(i), free[1]+float64(step[1])*float64(i)
		want := math.Hypot(fx-free[0], fy-free[1])
		if d := Distance(&start, &p); !near(float64(d), want, tol) {
			fatalf("step %d: distance %v, want %v", i, d, want)
		}
		if a, b := Offset(&start, &p), Offset(&p, &start); a != Scale(b, -1) {
			fatalf("step %d: there %v, back %v", i, a, b)
		}
	}
}
