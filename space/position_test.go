package space

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func at(c CellID, x, y, z float32) *Position {
	return &Position{c, Frame{Vec3{x, y, z}, IdentityQuat}}
}

func TestSpec10_5_BlockOffset(t *testing.T) {
	for _, c := range []struct {
		from, to CellID
		want     Vec3
	}{
		{0xA9B40001, 0xAAB40001, Vec3{192, 0, 0}},
		{0xAAB4003F, 0xA9B40123, Vec3{-192, 0, 0}}, // the index is not looked at
		{0xA9B40001, 0xA9B50001, Vec3{0, 192, 0}},
		{0xA9B40001, 0xA9B40140, Vec3{}},
		{0x00000001, 0xFEFE0040, Vec3{254 * 192, 254 * 192, 0}},
		{0xFEFE0040, 0x00000001, Vec3{-254 * 192, -254 * 192, 0}},
		{0, 0x01020001, Vec3{192, 384, 0}}, // id 0 counts as block (0,0)
		{0x01020001, 0, Vec3{-192, -384, 0}},
		{0, 0, Vec3{}},
	} {
		if got := BlockOffset(c.from, c.to); got != c.want {
			t.Errorf("%#08x → %#08x: %v, want %v", uint32(c.from), uint32(c.to), got, c.want)
		}
	}
}

func TestSpec10_5_InWorld(t *testing.T) {
	if got := InWorld(0xA9B40140, Vec3{1, 2.5, -3}); got != [3]float64{0xA9*192 + 1, 0xB4*192 + 2.5, -3} {
		t.Error(got)
	}
}

func TestSpec15_5_NextTo(t *testing.T) {
	for d, want := range map[CellID]bool{
		0xA9B40001: true, 0xA9B40140: true, 0xAAB50001: true, 0xA8B30001: true, 0xA9B30040: true,
		0xABB40001: false, 0xA7B40001: false, 0xA9B60001: false, 0xA8B20001: false, 0: false,
	} {
		if c := CellID(0xA9B40025); c.NextTo(d) != want || d.NextTo(c) != want {
			t.Errorf("%#08x and %#08x: %v", uint32(c), uint32(d), !want)
		}
	}
}

func TestSpec10_5_OffsetAndDistance(t *testing.T) {
	a, b := at(0xA9B4003D, 190, 100, 5), at(0xAAB40005, 2, 103, 17)
	wantVec(t, "offset", Offset(a, b), Vec3{4, 3, 12}, 0)
	wantVec(t, "back", Offset(b, a), Vec3{-4, -3, -12}, 0)
	wantNear(t, "distance", Distance(a, b), 13, 0)
	wantNear(t, "xy_distance", DistanceXY(a, b), 5, 0)
	wantVec(t, "same block", Offset(at(0xA9B40001, 1, 2, 3), at(0xA9B40100, 5, 7, 9)), Vec3{4, 5, 6}, 0)
	// from corner to corner of the world nothing but the last rounding is lost
	wantNear(t, "across the world", DistanceXY(at(1, 0.5, 0, 0), at(0xFEFE0040, 0.25, 0, 0)),
		math.Hypot(254*192-0.25, 254*192), 0.004)
}

func TestSpec10_5_CylinderDistance(t *testing.T) {
	const c = 0xA9B40001
	for _, x := range []struct {
		name   string
		r1, h1 float32
		a      *Position
		r2, h2 float32
		b      *Position
		want   float64
	}{
		// the three tests of 10 §5
		{"beside", .5, 2, at(c, 10, 10, 0), .5, 2, at(c, 13, 10, 0), 2},
		{"above, fat", 3, 2, at(c, 10, 10, 0), 3, 2, at(c, 10, 10, 5), 3},
		{"above, thin", .5, 2, at(c, 10, 10, 0), .5, 2, at(c, 10, 10, 5), 5},
		// g ≤ 0, d ≤ 0
		{"inside", 2, 3, at(c, 10, 10, 0), 2, 3, at(c, 10, 10, 0), -5},                   // d −4, g −3
		{"just touching both ways", .5, 0, at(c, 10, 10, 0), .5, 0, at(c, 11, 10, 0), 0}, // d 0, g 0
		// g ≤ 0, d > 0: the border g = 0 belongs here
		{"level tops", .5, 0, at(c, 10, 10, 0), .5, 0, at(c, 15, 10, 0), 4},
		// across blocks
		{"across", .5, 2, at(0xA9B4003D, 190, 10, 0), .5, 2, at(0xAAB40005, 1, 10, 0), 2},
	} {
		for _, swap := range []bool{false, true} {
			got := CylinderDistance(x.r1, x.h1, x.a, x.r2, x.h2, x.b)
			if swap {
				got = CylinderDistance(x.r2, x.h2, x.b, x.r1, x.h1, x.a)
			}
			wantNear(t, x.name, got, x.want, 1e-6)
		}
	}
	// z is taken raw: with the lower one first, its own height counts
	wantNear(t, "tall one below", CylinderDistance(3, 4, at(c, 10, 10, 0), 3, 1, at(c, 10, 10, 5)), 1, 1e-6)
	wantNear(t, "tall one above", CylinderDistance(3, 4, at(c, 10, 10, 5), 3, 1, at(c, 10, 10, 0)), 4, 1e-6)
}

// D-25: overlap in plan, 2 m above → 2, and the other mixed case.
func TestD_25_CylinderDistanceMixedCases(t *testing.T) {
	const c = 0xA9B40001
	wantNear(t, "gap 2, d < 0", CylinderDistance(5, 1, at(c, 10, 10, 0), 5, 1, at(c, 10, 10, 3)), 2, 0)
	wantNear(t, "gap < 0, d 3", CylinderDistance(.5, 4, at(c, 10, 10, 0), .5, 4, at(c, 14, 10, 0)), 3, 0)
}

// The table of R6.5, every cell of it, from d and gap computed apart.
func TestR6_5_CylinderDistance(t *testing.T) {
	const c = 0xA9B40001
	seen := map[[2]bool]int{}
	distance := func(t interface{ Fatalf(string, ...any) }, r1, h1 float32, a *Position, r2, h2 float32, b *Position) (border bool) {
		o := Offset(a, b)
		d := math.Sqrt(float64(o[0])*float64(o[0])+float64(o[1])*float64(o[1])+float64(o[2])*float64(o[2])) - float64(r1+r2)
		gap := float64(b.Frame.Origin[2]) - float64(a.Frame.Origin[2]+h1)
		if a.Frame.Origin[2] > b.Frame.Origin[2] {
			gap = float64(a.Frame.Origin[2]) - float64(b.Frame.Origin[2]+h2)
		}
		if math.Abs(d) < 1e-4 || math.Abs(gap) < 1e-4 {
			return true
		}
		seen[[2]bool{gap > 0, d > 0}]++
		want := map[[2]bool]float64{
			{true, true}: math.Hypot(d, gap), {true, false}: gap,
			{false, true}: d, {false, false}: -math.Hypot(d, gap),
		}[[2]bool{gap > 0, d > 0}]
		if got := CylinderDistance(r1, h1, a, r2, h2, b); !near(float64(got), want, 1e-5) {
			t.Fatalf("d %v, gap %v: %v, want %v", d, gap, got, want)
		}
		return false
	}
	here := at(c, 4, 4, 0)
	distance(t, 1, 1, here, 1, 1, at(c, 8, 4, 3)) // apart both ways
	distance(t, 3, 1, here, 3, 1, at(c, 5, 4, 3)) // above
	distance(t, 1, 4, here, 1, 4, at(c, 8, 4, 1)) // beside
	distance(t, 3, 4, here, 3, 4, at(c, 5, 4, 1)) // in each other
	if len(seen) != 4 {
		t.Errorf("only these cases came up: %v", seen)
	}
	rapid.Check(t, func(t *rapid.T) {
		f := func(name string, max float32) float32 { return rapid.Float32Range(0, max).Draw(t, name) }
		a, b := at(c, f("ax", 8), f("ay", 8), f("az", 8)), at(c, f("bx", 8), f("by", 8), f("bz", 8))
		if distance(t, f("r1", 4), f("h1", 4), a, f("r2", 4), f("h2", 4), b) {
			t.Skip("on the border between two cases")
		}
	})
}

func TestSpec10_5_CylinderDistanceNoZ(t *testing.T) {
	const c = 0xA9B40001
	wantNear(t, "10 m apart in z", CylinderDistanceNoZ(.5, at(c, 10, 10, 0), .5, at(c, 10, 10, 10)), 9, 0)
	wantNear(t, "inside", CylinderDistanceNoZ(2, at(c, 10, 10, 0), 2, at(c, 11, 10, 0)), -3, 0)
}

func TestR6_2_Bearing(t *testing.T) {
	const c = 0xA9B40001
	from := at(c, 100, 100, 0)
	for _, x := range []struct {
		to   *Position
		want float64
	}{
		{at(c, 100, 110, 0), 0}, {at(c, 110, 110, 0), 45}, {at(c, 110, 100, 50), 90}, {at(c, 110, 90, 0), 135},
		{at(c, 100, 90, -9), 180}, {at(c, 90, 90, 0), 225}, {at(c, 90, 100, 0), 270}, {at(c, 90, 110, 0), 315},
		{at(c, 100, 100, 0), 0}, {at(c, 100, 100, 7), 0}, // z alone is no direction
		{at(c, 100, 99.9999, 0), 0}, // shorter than Eps, though south
		{at(0xA9B30008, 100, 191, 0), 180},
		{at(0xAAB40001, 1, 193, 0), 45}, // (93, 93), not yet normalised
	} {
		wantNear(t, "bearing", HeadingTo(from, x.to), x.want, 1e-4)
	}
}

func TestSpec10_3_HeadingDiffIsRaw(t *testing.T) {
	const c = 0xA9B40001
	p := &Position{c, Frame{Vec3{100, 100, 0}, about(axisZ, 90)}} // faces west, 270
	wantNear(t, "to the north", HeadingDiff(p, at(c, 100, 110, 0)), -270, 1e-4)
	wantNear(t, "to the west", HeadingDiff(p, at(c, 90, 100, 0)), 0, 1e-4)
}

func TestSpec10_5_LocalToLocal(t *testing.T) {
	a := &Position{0xA9B4003D, Frame{Vec3{190, 100, 0}, about(axisZ, 90)}}
	b := &Position{0xAAB40005, Frame{Vec3{2, 100, 1}, about(axisZ, 180)}}
	// b's point (1,2,3) is (−1,−2,3) turned out, so (3,−2,4) off a; a looks west: its x is north
	wantVec(t, "local to local", LocalToLocal(a, b, Vec3{1, 2, 3}), Vec3{-2, -3, 4}, 1e-5)
	wantVec(t, "to itself", LocalToLocal(b, b, Vec3{1, 2, 3}), Vec3{1, 2, 3}, 1e-6)
}

// combine(current, subtract2(target, current)) is target, across blocks too;
// neither position changes.
func TestSpec10_2_Subtract2(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) Position {
			p := Position{drawOutdoorCell().Draw(t, name), drawFrame(250).Draw(t, name)}
			p.Normalize()
			return p
		}
		current, target := draw("current"), draw("target")
		if rapid.Bool().Draw(t, "near") {
			target.Cell = current.Cell
		}
		c, g := current, target
		d := Subtract2(&target, &current)
		if c != current || g != target {
			t.Fatal("a position changed")
		}
		if !d.Valid() {
			t.Fatalf("not valid: %v", d)
		}
		if d.Origin != LocalToLocal(&current, &target, Vec3{}) {
			t.Fatalf("origin %v, localtolocal has %v", d.Origin, LocalToLocal(&current, &target, Vec3{}))
		}
		back := Position{current.Cell, Combine(current.Frame, d)}
		// the error is that of a 32-bit rotation over the distance
		tol := 1e-4 + 1.5e-6*float64(Distance(&current, &target))
		if o := Offset(&back, &target); !nearVec(o, Vec3{}, tol) {
			t.Fatalf("off by %v at %v m", o, Distance(&current, &target))
		}
		if !sameTurn(back.Frame.Rotation, target.Frame.Rotation, 1e-6) {
			t.Fatalf("rotation %v, want %v", back.Frame.Rotation, target.Frame.Rotation)
		}
	})
	// no usable rotation in the target: none
	bad := &Position{1, Frame{Rotation: Quat{W: nan32}}}
	if d := Subtract2(bad, at(1, 0, 0, 0)); d.Rotation != IdentityQuat {
		t.Errorf("rotation %v", d.Rotation)
	}
}

// Offsets are one rounding away from the truth and the same both ways, so
// distance cannot tell which block a point was written in.
func TestSpec10_5_DistanceIsContinuousAcrossBlocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := Position{drawOutdoorCell().Draw(t, "a"), drawFrame(192).Draw(t, "fa")}
		b := Position{drawOutdoorCell().Draw(t, "b"), drawFrame(192).Draw(t, "fb")}
		o := Offset(&a, &b)
		off := BlockOffset(a.Cell, b.Cell)
		for i := range o {
			want := float32(float64(off[i]) + (float64(b.Frame.Origin[i]) - float64(a.Frame.Origin[i])))
			if o[i] != want {
				t.Fatalf("offset %v, want %v in %d", o, want, i)
			}
		}
		if back := Offset(&b, &a); back != Scale(o, -1) {
			t.Fatalf("there %v, back %v", o, back)
		}
		if Distance(&a, &b) != Length(o) || DistanceXY(&a, &b) != Length(Vec3{o[0], o[1], 0}) {
			t.Fatal("distance is not the offset's length")
		}
	})
}

// No function panics or turns finite input into garbage integers; what comes
// out of invalid rotations is never worse than what went in.
func TestHostileInput(t *testing.T) {
	for _, x := range hostile {
		for _, y := range hostile {
			q := Quat{W: x, V: Vec3{y, 0.5, 0}}
			p := &Position{0xA9B40001, Frame{Vec3{x, y, 0}, q}}
			b := at(0xAAB40001, y, x, 1)
			for _, got := range []Quat{
				SetRotate(q, tilted), Combine(Frame{Rotation: tilted}, p.Frame).Rotation,
				Subtract(Frame{Rotation: tilted}, p.Frame).Rotation, GRotate(tilted, p.Frame.Origin),
				Rotate(tilted, p.Frame.Origin), SetHeading(tilted, x), SetVectorHeading(tilted, Vec3{x, y, 1}),
				InterpolateRotation(tilted, q, y), Subtract2(p, b).Rotation, Subtract2(b, p).Rotation,
			} {
				if !ValidQuat(got) {
					t.Fatalf("(%v, %v): rotation %v", x, y, got)
				}
			}
			Heading(q)
			Compass(x, y)
			Distance(p, b)
			CylinderDistance(x, y, p, y, x, b)
			LocalToLocal(p, b, Vec3{x, y, 0})
			InterpolateOrigin(Vec3{x, y, 0}, Vec3{y, x, 0}, x)
			if h := HeadingTo(p, b); h < 0 || h >= 360 {
				t.Fatalf("(%v, %v): bearing %v", x, y, h)
			}
			n := *p
			n.Normalize()
			CellsTouched(nil, 0xA9B40001, Vec3{x, y, 0}, y)
			CellID(0xA9B40001).InLandCell(0xFFFFFFFF, Vec3{x, y, 0})
		}
	}
}

// From valid input everything that comes out is finite and unit.
func TestValidStaysValid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawFrame(1e4).Draw(t, "a"), drawFrame(1e4).Draw(t, "b")
		v := drawVec(1e3).Draw(t, "v")
		f := rapid.Float32Range(-2, 2).Draw(t, "t")
		for i, g := range []Frame{
			a, Combine(a, b), Subtract(a, b), CombineScaled(a, b, v),
			{v, GRotate(a.Rotation, v)}, {v, Rotate(a.Rotation, v)},
			{v, SetHeading(a.Rotation, v[0])}, {v, SetVectorHeading(a.Rotation, v)},
			{InterpolateOrigin(a.Origin, b.Origin, f), InterpolateRotation(a.Rotation, b.Rotation, f)},
			Subtract2(&Position{0xA9B40001, a}, &Position{0xABB10001, b}),
			SetFrame(a),
		} {
			if !g.Valid() || !(unitError(g.Rotation) <= 1e-7) {
				t.Fatalf("%d: %v, off by %g", i, g, unitError(g.Rotation))
			}
		}
	})
}
