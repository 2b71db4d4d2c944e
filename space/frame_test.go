package space

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// The example rotation of 10 §3.
var tilted = Quat{W: 0.8, V: Vec3{0.4, -0.2, 0.4}}

// The table of world directions of 10 §2, column by column.
func TestSpec10_2_Axes(t *testing.T) {
	for _, q := range []Quat{IdentityQuat, tilted, about(axisX, 90), about(axisY, 30), about(axisZ, -45)} {
		w, x, y, z := float64(q.W), float64(q.V[0]), float64(q.V[1]), float64(q.V[2])
		a := AxesOf(q)
		v := func(x, y, z float64) Vec3 { return Vec3{float32(x), float32(y), float32(z)} }
		wantVec(t, "X", a.X, v(1-2*(y*y+z*z), 2*(x*y+w*z), 2*(x*z-w*y)), 3e-7)
		wantVec(t, "Y", a.Y, v(2*(x*y-w*z), 1-2*(x*x+z*z), 2*(y*z+w*x)), 3e-7)
		wantVec(t, "Z", a.Z, v(2*(x*z+w*y), 2*(y*z-w*x), 1-2*(x*x+y*y)), 3e-7)
		if Forward(q) != a.Y {
			t.Errorf("Forward(%v) = %v, the Y axis is %v", q, Forward(q), a.Y)
		}
	}
	wantNear(t, "local Y's z of the example", Forward(tilted)[2], 0.48, 1e-6)
}

func TestSpec10_2_PlusNinetyAboutZ(t *testing.T) {
	q := about(axisZ, 90)
	wantVec(t, "local +X", LocalToGlobalVec(q, axisX), axisY, 1e-6)
	wantVec(t, "back", GlobalToLocalVec(q, axisY), axisX, 1e-6)
}

func TestSpec10_2_ZeroQuaternionIsIdentityMatrix(t *testing.T) {
	if a := AxesOf(Quat{}); a != (Axes{axisX, axisY, axisZ}) {
		t.Errorf("axes %v", a)
	}
	v := Vec3{1, 2, 3}
	if LocalToGlobalVec(Quat{}, v) != v || GlobalToLocalVec(Quat{}, v) != v {
		t.Error("the zero quaternion turns")
	}
	// it stays what it is, and carries origins over
	f := Combine(Frame{Origin: Vec3{10, 0, 0}}, Frame{Origin: v, Rotation: tilted})
	if f.Rotation != (Quat{}) || f.Origin != (Vec3{11, 2, 3}) {
		t.Errorf("combine with it: %v", f)
	}
}

func TestSpec10_2_SetRotate(t *testing.T) {
	old := about(axisZ, 30)
	for _, q := range []Quat{
		{},
		{W: nan32, V: axisX},
		{W: 1, V: Vec3{0, nan32, 0}},
		{W: inf32},
		{W: 1, V: Vec3{0, 0, -inf32}},
	} {
		if got := SetRotate(q, old); !exact(got, old) {
			t.Errorf("SetRotate(%v) = %v, want the former", q, got)
		}
	}
	for _, c := range []struct{ q, want Quat }{
		{Quat{W: 2}, IdentityQuat},
		{Quat{W: -3}, Quat{W: -1}},
		{Quat{W: 1, V: Vec3{1, 1, 1}}, Quat{W: 0.5, V: Vec3{0.5, 0.5, 0.5}}},
		{Quat{V: Vec3{0, 0, 1e-44}}, Quat{V: axisZ}}, // denormal, and yet a direction
		{Quat{V: Vec3{0, -math.MaxFloat32, 0}}, Quat{V: Vec3{0, -1, 0}}},
		{Quat{W: math.MaxFloat32, V: Vec3{math.MaxFloat32, math.MaxFloat32, math.MaxFloat32}},
			Quat{W: 0.5, V: Vec3{0.5, 0.5, 0.5}}},
	} {
		wantQuat(t, "SetRotate", SetRotate(c.q, old), c.want, 1e-7)
	}
}

// A rotation that is unit as far as 32 bits can tell keeps its bits, and what
// SetRotate returns always is: what rests stays the same, step by step.
func TestSpec10_2_SetRotateIdempotent(t *testing.T) {
	r := lcg(3)
	for range 500_000 {
		scale := math.Ldexp(1+r.unit(), int(r.next()%6)-3)
		if r.next()%2 == 0 {
			scale = 1 + 1e-5*(2*r.unit()-1) // around the ends of the short way
		}
		q := Quat{W: r.float(-1, 1), V: Vec3{r.float(-1, 1), r.float(-1, 1), r.float(-1, 1)}}
		q = SetRotate(q, IdentityQuat)
		q = Quat{W: float32(float64(q.W) * scale), V: Scale(q.V, float32(scale))}
		once := SetRotate(q, IdentityQuat)
		if twice := SetRotate(once, IdentityQuat); !exact(once, twice) {
			t.Fatalf("%v becomes %v, then %v", q, once, twice)
		}
		if e := unitError(once); !(e <= 1e-7) {
			t.Fatalf("%v becomes %v, off by %g", q, once, e)
		}
	}
}

func TestSpec10_2_Valid(t *testing.T) {
	at := func(norm2 float64) Quat { return Quat{V: Vec3{0, 0, float32(math.Sqrt(norm2))}} }
	for _, c := range []struct {
		f              Frame
		valid, heading bool
	}{
		{Identity, true, false},
		{Frame{Rotation: at(1 + 0.00099)}, true, false},
		{Frame{Rotation: at(1 - 0.00099)}, true, false},
		{Frame{Rotation: at(1 + 0.00101)}, false, false},
		{Frame{Rotation: at(1 - 0.00101)}, false, false},
		{Frame{}, false, false},
		{Frame{Origin: Vec3{0, nan32, 0}, Rotation: IdentityQuat}, false, false},
		{Frame{Origin: Vec3{inf32, 0, 0}, Rotation: IdentityQuat}, false, false},
		{Frame{Rotation: Quat{W: nan32}}, false, true},
		{Frame{Rotation: Quat{W: 1, V: Vec3{0, 0, nan32}}}, false, true},
		{Frame{Origin: Vec3{0, 0, nan32}, Rotation: Quat{W: nan32}}, false, false},
		{Frame{Rotation: Quat{W: inf32}}, false, false},
	} {
		if c.f.Valid() != c.valid || c.f.ValidExceptHeading() != c.heading {
			t.Errorf("%v: valid %v, except heading %v", c.f, c.f.Valid(), c.f.ValidExceptHeading())
		}
	}
}

func TestSpec10_2_SetFrame(t *testing.T) {
	for i := range 4 {
		f := Frame{Origin: Vec3{1, 2, 3}, Rotation: IdentityQuat}
		if i == 3 {
			f.Rotation.W = nan32
		} else {
			f.Rotation.V[i] = nan32
		}
		if got := SetFrame(f); got != (Frame{Origin: f.Origin}) {
			t.Errorf("a NaN rotation gives %v, want all zero and the origin kept", got)
		}
	}
	f := Frame{Origin: Vec3{1, 2, 3}, Rotation: tilted}
	if SetFrame(f) != f {
		t.Error("a valid frame changed")
	}
}

func TestR2_20_Combine(t *testing.T) {
	a := Frame{Origin: Vec3{10, 20, 30}, Rotation: about(axisZ, 90)}
	b := Frame{Origin: Vec3{1, 2, 3}, Rotation: about(axisX, 90)}
	f := Combine(a, b)
	wantVec(t, "origin", f.Origin, Vec3{8, 21, 33}, 1e-5) // (1,2) turned left is (−2,1)
	wantQuat(t, "rotation", f.Rotation, Quat{W: 0.5, V: Vec3{0.5, 0.5, 0.5}}, 1e-6)

	// b's rotation cannot be used: a's stays
	bad := Combine(a, Frame{Rotation: Quat{W: nan32}})
	if !exact(bad.Rotation, a.Rotation) {
		t.Errorf("an invalid rotation gave %v", bad.Rotation)
	}
}

func TestSpec10_2_CombineScaled(t *testing.T) {
	a := Frame{Origin: Vec3{10, 20, 30}, Rotation: about(axisZ, 90)}
	b := Frame{Origin: Vec3{1, 2, 3}, Rotation: about(axisX, 90)}
	f := CombineScaled(a, b, Vec3{2, 3, 0.5})
	wantVec(t, "origin", f.Origin, Vec3{4, 22, 31.5}, 1e-5) // (2,6,1.5) turned left is (−6,2,1.5)
	if !exact(f.Rotation, Combine(a, b).Rotation) {
		t.Error("the scale changed the rotation")
	}
}

// D-6: subtract uses the new rotation, so it undoes combine; with b's own
// rotation it would not.
func TestD_6_CombineThenSubtractIsIdentity(t *testing.T) {
	b := Frame{Origin: Vec3{1, 2, 3}, Rotation: about(axisZ, 90)}
	a := Combine(Identity, b)
	f := Subtract(a, b)
	wantVec(t, "origin", f.Origin, Vec3{}, 1e-6)
	wantQuat(t, "rotation", f.Rotation, IdentityQuat, 1e-6)

	rapid.Check(t, func(t *rapid.T) {
		a, b := drawFrame(200).Draw(t, "a"), drawFrame(200).Draw(t, "b")
		f := Subtract(Combine(a, b), b)
		if !nearVec(f.Origin, a.Origin, 5e-4) || !sameTurn(f.Rotation, a.Rotation, 1e-6) {
			t.Fatalf("%v, want %v", f, a)
		}
		g := Combine(Subtract(a, b), b)
		if !nearVec(g.Origin, a.Origin, 5e-4) || !sameTurn(g.Rotation, a.Rotation, 1e-6) {
			t.Fatalf("the other way: %v, want %v", g, a)
		}
	})
}

func TestR2_21_SubtractRotationFirst(t *testing.T) {
	a := Frame{Origin: Vec3{10, 0, 0}, Rotation: about(axisZ, 180)}
	b := Frame{Origin: Vec3{1, 0, 0}, Rotation: about(axisZ, 90)}
	f := Subtract(a, b)
	// new rotation 90°: (1,0,0) → (0,1,0), taken off
	wantVec(t, "origin", f.Origin, Vec3{10, -1, 0}, 1e-5)
	wantQuat(t, "rotation", f.Rotation, about(axisZ, 90), 1e-6)
	bad := Subtract(a, Frame{Rotation: Quat{W: nan32}})
	if !exact(bad.Rotation, a.Rotation) {
		t.Errorf("an invalid rotation gave %v", bad.Rotation)
	}
}

// What rests costs nothing only if going nowhere changes no bit.
func TestCombine_IdentityKeepsBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawFrame(200).Draw(t, "f")
		if g := Combine(f, Identity); g.Origin != f.Origin || g.Rotation != f.Rotation {
			t.Fatalf("%v became %v", f, g)
		}
		if g := Subtract(f, Identity); g.Origin != f.Origin || g.Rotation != f.Rotation {
			t.Fatalf("%v became %v by subtraction", f, g)
		}
	})
}

// The combined functions are their parts, to the bit.
func TestCombine_IsItsParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawFrame(200).Draw(t, "a"), drawFrame(200).Draw(t, "b")
		axes := AxesOf(a.Rotation)
		want := Frame{
			Origin:   Add(a.Origin, axes.Out(b.Origin)),
			Rotation: SetRotate(MulQuat(a.Rotation, b.Rotation), a.Rotation),
		}
		if got := Combine(a, b); got != want {
			t.Fatalf("combine %v, want %v", got, want)
		}
		q := SetRotate(MulQuat(a.Rotation, Conj(b.Rotation)), a.Rotation)
		want = Frame{Origin: Sub(a.Origin, LocalToGlobalVec(q, b.Origin)), Rotation: q}
		if got := Subtract(a, b); got != want {
			t.Fatalf("subtract %v, want %v", got, want)
		}
		if axes.In(b.Origin) != GlobalToLocalVec(a.Rotation, b.Origin) {
			t.Fatal("In is not GlobalToLocalVec")
		}
	})
}

func TestQuat_AgainstFloat64(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawQuat().Draw(t, "a"), drawQuat().Draw(t, "b")
		v := drawVec(100).Draw(t, "v")
		// a ⊗ b turns as b, then a
		p, q := LocalToGlobalVec(MulQuat(a, b), v), LocalToGlobalVec(a, LocalToGlobalVec(b, v))
		if !nearVec(p, q, 2e-4) {
			t.Fatalf("a⊗b: %v, one after the other: %v", p, q)
		}
		// In undoes Out, and both keep the length
		if back := GlobalToLocalVec(a, LocalToGlobalVec(a, v)); !nearVec(back, v, 1e-4) {
			t.Fatalf("%v came back as %v", v, back)
		}
		if !near(float64(Length(p)), float64(Length(v)), 1e-4) {
			t.Fatalf("length %v became %v", Length(v), Length(p))
		}
		if c := MulQuat(a, Conj(a)); !nearQuat(c, IdentityQuat, 3e-7) {
			t.Fatalf("a⊗ā = %v", c)
		}
	})
}

// D-7: the local omega (1,0,0) pitches about x.
func TestD_7_OmegaXPitchesAboutX(t *testing.T) {
	q := Rotate(IdentityQuat, Vec3{math.Pi / 2, 0, 0})
	wantVec(t, "forward", Forward(q), Vec3{0, 0, 1}, 1e-6)
	wantVec(t, "x axis", AxesOf(q).X, axisX, 1e-6)

	// facing east, the local x axis points south: pitching up still lifts the nose
	q = Rotate(about(axisZ, -90), Vec3{math.Pi / 2, 0, 0})
	wantVec(t, "forward", Forward(q), Vec3{0, 0, 1}, 1e-6)
	wantVec(t, "x axis", AxesOf(q).X, Vec3{0, -1, 0}, 1e-6)
}

func TestR2_22_GlobalAxisPreMultiplied(t *testing.T) {
	q := about(axisX, 90)
	wantQuat(t, "grotate about z", GRotate(q, Vec3{0, 0, math.Pi / 2}), MulQuat(about(axisZ, 90), q), 1e-6)
	wantQuat(t, "rotate about z", Rotate(q, Vec3{0, 0, math.Pi / 2}), MulQuat(q, about(axisZ, 90)), 1e-6)
	rapid.Check(t, func(t *rapid.T) {
		q, v := drawQuat().Draw(t, "q"), drawVec(3).Draw(t, "v")
		n := Length(v)
		if n < 0.01 {
			t.Skip("no axis")
		}
		r := about(Scale(v, 1/n), float64(n)*180/math.Pi)
		if got := GRotate(q, v); !sameTurn(got, MulQuat(r, q), 1e-6) {
			t.Fatalf("grotate %v, want %v", got, MulQuat(r, q))
		}
		if got := Rotate(q, v); !sameTurn(got, MulQuat(q, r), 2e-6) {
			t.Fatalf("rotate %v, want %v", got, MulQuat(q, r))
		}
		if back := GRotate(GRotate(q, v), Scale(v, -1)); !sameTurn(back, q, 1e-6) {
			t.Fatalf("there and back: %v, want %v", back, q)
		}
	})
}

func TestR2_22_BelowEpsNothing(t *testing.T) {
	below := math.Nextafter32(Eps, 0)
	for _, v := range []Vec3{{}, {below, 0, 0}, {0, 0, -below}, {nan32, 0, 0}, {inf32, 0, 0}, {0, -inf32, 1}} {
		if got := GRotate(tilted, v); !exact(got, tilted) {
			t.Errorf("GRotate(%v) = %v", v, got)
		}
		if got := Rotate(tilted, v); !exact(got, tilted) {
			t.Errorf("Rotate(%v) = %v", v, got)
		}
	}
	if got := GRotate(IdentityQuat, Vec3{0, 0, Eps}); exact(got, IdentityQuat) {
		t.Error("at Eps it must turn")
	}
	// the guard is on the length, not on each component
	if got := GRotate(IdentityQuat, Vec3{below, below, 0}); exact(got, IdentityQuat) {
		t.Error("(Eps,Eps,0) is longer than Eps: it must turn")
	}
}

// Many small turns neither stretch the quaternion nor lose the angle.
func TestR2_22_ManyTurns(t *testing.T) {
	q := IdentityQuat
	const n = 100_000
	for range n {
		q = Rotate(q, Vec3{0, 0, 2 * math.Pi / n * 5})
		if e := unitError(q); !(e <= 1e-7) {
			t.Fatalf("not unit: %v, off by %g", q, e)
		}
	}
	if !sameTurn(q, IdentityQuat, 3e-3) { // each step rounds to 32 bits
		t.Errorf("five times round: %v", q)
	}
}

func TestSpec10_2_InterpolateRotation(t *testing.T) {
	a, b := IdentityQuat, about(axisZ, 90)
	wantQuat(t, "half", InterpolateRotation(a, b, 0.5), about(axisZ, 45), 1e-6)
	wantQuat(t, "a third", InterpolateRotation(a, b, 1.0/3), about(axisZ, 30), 1e-6)
	wantQuat(t, "none", InterpolateRotation(a, b, 0), a, 1e-7)
	wantQuat(t, "all", InterpolateRotation(a, b, 1), b, 1e-7)
	// the shortest way: −b is the same rotation
	neg := Quat{W: -b.W, V: Scale(b.V, -1)}
	wantQuat(t, "half of −b", InterpolateRotation(a, neg, 0.5), about(axisZ, 45), 1e-6)
	// 1−|dot| ≤ Eps: linear
	near1 := about(axisZ, 1)
	wantQuat(t, "close", InterpolateRotation(a, near1, 0.5), about(axisZ, 0.5), 1e-6)
	// opposite: dot 0 is a half turn
	wantQuat(t, "half turn", InterpolateRotation(a, about(axisZ, 180), 0.5), about(axisZ, 90), 1e-6)
	// weights outside [0,1]: linear, so beyond b and normalised: 1.5·b − 0.5·a
	s := math.Sqrt2 / 2
	x, y := 1.5*s-0.5, 1.5*s
	l := math.Hypot(x, y)
	wantQuat(t, "beyond", InterpolateRotation(a, b, 1.5),
		Quat{W: float32(x / l), V: Vec3{0, 0, float32(y / l)}}, 1e-6)
	// nothing usable: a stays
	for _, bad := range []Quat{{W: nan32}, {W: inf32}, {V: Vec3{nan32, 0, 0}}} {
		if got := InterpolateRotation(a, bad, 0.5); !exact(got, a) {
			t.Errorf("towards %v: %v", bad, got)
		}
	}
	if got := InterpolateRotation(a, b, nan32); !exact(got, a) {
		t.Errorf("t NaN: %v", got)
	}
}

func TestSpec10_2_InterpolateRotationProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawQuat().Draw(t, "a"), drawQuat().Draw(t, "b")
		f := rapid.Float32Range(0, 1).Draw(t, "t")
		q := InterpolateRotation(a, b, f)
		if e := unitError(q); !(e <= 1e-7) {
			t.Fatalf("not unit: %v", q)
		}
		// the angle from a is t times the whole
		angle := func(p, q Quat) float64 {
			r := MulQuat(Conj(p), q)
			return 2 * math.Atan2(float64(Length(r.V)), math.Abs(float64(r.W)))
		}
		whole, part := angle(a, b), angle(a, q)
		if whole > math.Pi-0.01 {
			t.Skip("either way is shortest")
		}
		if !near(part, whole*float64(f), 2e-5) {
			t.Fatalf("angle %v of %v at t = %v", part, whole, f)
		}
	})
}

func TestSpec10_2_InterpolateOrigin(t *testing.T) {
	a, b := Vec3{0, 10, -4}, Vec3{8, 20, 4}
	wantVec(t, "a quarter", InterpolateOrigin(a, b, 0.25), Vec3{2, 12.5, -2}, 0)
	wantVec(t, "none", InterpolateOrigin(a, b, 0), a, 0)
	wantVec(t, "all", InterpolateOrigin(a, b, 1), b, 0)
}
