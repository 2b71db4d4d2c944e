package space

import (
	"encoding/binary"
	"hash"
	"hash/fnv"
	"math"
	"testing"
)

// digest hashes results bit by bit, in one byte order. A float32 NaN made by
// arithmetic differs between machines and counts as one; −0 counts as itself.
type digest struct{ hash.Hash64 }

func (d digest) f64(xs ...float64) {
	for _, x := range xs {
		d.u64(math.Float64bits(x))
	}
}

func (d digest) f32(xs ...float32) {
	for _, x := range xs {
		if x != x {
			x = nan32
		}
		d.u64(uint64(math.Float32bits(x)))
	}
}

func (d digest) u64(x uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], x)
	d.Write(b[:])
}

func (d digest) quat(q Quat)   { d.f32(q.W, q.V[0], q.V[1], q.V[2]) }
func (d digest) vec(v Vec3)    { d.f32(v[:]...) }
func (d digest) frame(f Frame) { d.vec(f.Origin); d.quat(f.Rotation) }

// goldens holds, for each function, what goes in and the hash of what comes
// out. A wrong hash on one machine alone is a fused or machine-made operation;
// on all of them, a changed rule or order of operations, which also changes the
// state hash of every run on record.
var goldens = []struct {
	name string
	want uint64
	run  func(d digest, r *goldenInput)
}{
	{"SinCos", 0x4e0d889cc14966e5, func(d digest, r *goldenInput) {
		for _, x := range []float64{r.f64(20), r.f64(1e4), r.f64(2e6), r.anyF64()} {
			s, c := SinCos(x)
			d.f64(s, c, Sin(x), Cos(x))
		}
	}},
	{"Atan2", 0x7ed1edaccb38fa45, func(d digest, r *goldenInput) {
		d.f64(Atan2(r.f64(1), r.f64(1)), Atan2(r.f64(1e-3), r.f64(1e3)), Atan2(r.anyF64(), r.anyF64()))
	}},
	{"Asin", 0x82610e2768ac5b38, func(d digest, r *goldenInput) {
		d.f64(Asin(r.f64(1)), Asin(r.f64(1.1)), Asin(r.anyF64()))
	}},
	{"Vec", 0x2a2f0616248a864e, func(d digest, r *goldenInput) {
		a, b := r.vec(200), r.anyVec()
		n, _ := NormalizeCheckSmall(a)
		m, _ := NormalizeCheckSmall(b)
		d.f32(Dot(a, r.vec(3)), Length2(a), Length(a), Length(b), Dot(a, b))
		d.vec(n)
		d.vec(m)
	}},
	{"Axes", 0x598a86fd74706264, func(d digest, r *goldenInput) {
		q, v := r.quat(), r.vec(200)
		a := AxesOf(q)
		d.vec(a.X)
		d.vec(a.Y)
		d.vec(a.Z)
		d.vec(a.Out(v))
		d.vec(a.In(v))
		d.vec(Forward(q))
		d.vec(LocalToGlobalVec(q, v))
		d.vec(GlobalToLocalVec(q, v))
		d.vec(LocalToGlobalVec(r.anyQuat(), v))
	}},
	{"MulQuat", 0x990b2c8a71df441c, func(d digest, r *goldenInput) {
		d.quat(MulQuat(r.quat(), r.quat()))
		d.quat(MulQuat(r.quat(), r.anyQuat()))
	}},
	{"SetRotate", 0x9db6faa52358ba3e, func(d digest, r *goldenInput) {
		q := MulQuat(r.quat(), r.quat())
		d.quat(SetRotate(q, IdentityQuat))
		d.quat(SetRotate(Quat{W: q.W + r.f32(1e-4), V: q.V}, IdentityQuat))
		d.quat(SetRotate(r.anyQuat(), q))
		d.f64(Norm2(q))
	}},
	{"Combine", 0x0e9020f8920993e8, func(d digest, r *goldenInput) {
		a, b := r.frame(200), r.frame(2)
		d.frame(Combine(a, b))
		d.frame(Subtract(a, b))
		d.frame(CombineScaled(a, b, r.vec(3)))
		d.frame(Combine(a, Frame{r.anyVec(), r.anyQuat()}))
	}},
	{"GRotate", 0x74362dbbfc516acd, func(d digest, r *goldenInput) {
		q, v := r.quat(), r.vec(0.2)
		d.quat(GRotate(q, v))
		d.quat(Rotate(q, v))
		d.quat(GRotate(q, r.vec(10)))
		d.quat(GRotate(q, r.vec(4e-4)))
		d.quat(Rotate(q, r.anyVec()))
	}},
	{"InterpolateRotation", 0x0fed293671e2d1af, func(d digest, r *goldenInput) {
		a, b := r.quat(), r.quat()
		d.quat(InterpolateRotation(a, b, r.f32(1)))
		d.quat(InterpolateRotation(a, Rotate(a, r.vec(0.05)), Abs(r.f32(1))))
		d.vec(InterpolateOrigin(r.vec(200), r.vec(200), r.f32(1)))
	}},
	{"Heading", 0x5cf2d4acbd0a938b, func(d digest, r *goldenInput) {
		q, v := r.quat(), r.vec(5)
		d.f32(Compass(v[0], v[1]), Heading(q), Compass(r.anyF32(), r.anyF32()))
		d.quat(SetHeading(q, r.f32(720)))
		d.quat(SetVectorHeading(q, v))
		d.quat(SetVectorHeading(q, r.anyVec()))
	}},
	{"AdjustToOutside", 0x945620f119eb9f4b, func(d digest, r *goldenInput) {
		for _, o := range []Vec3{r.vec(200), r.vec(1e4), r.vec(1e-3), r.anyVec()} {
			c, p := AdjustToOutside(CellID(r.next()<<8^r.next()), o)
			d.u64(uint64(c))
			d.vec(p)
		}
	}},
	{"Cells", 0xd8a30074ea037e56, func(d digest, r *goldenInput) {
		o := r.vec(200)
		list, ok := CellsTouched(nil, r.place(1).Cell, o, r.f32(14))
		for _, c := range list {
			d.u64(uint64(c))
		}
		if ok {
			d.u64(uint64(ContainingLandCell(list, list[0], o)))
		}
	}},
	{"Position", 0x3caa570a2ff5c726, func(d digest, r *goldenInput) {
		a, b := r.place(200), r.place(200)
		d.vec(Offset(&a, &b))
		d.f32(Distance(&a, &b), DistanceXY(&a, &b), HeadingTo(&a, &b), HeadingDiff(&a, &b))
		d.f32(CylinderDistance(r.f32(9), r.f32(9), &a, r.f32(9), r.f32(9), &b), CylinderDistanceNoZ(1, &a, 2, &b))
		d.vec(LocalToLocal(&a, &b, r.vec(2)))
		d.frame(Subtract2(&a, &b))
	}},
}

// goldenInput draws state and, from any…, every kind of number there is.
type goldenInput struct{ lcg }

func (r *goldenInput) f64(max float64) float64 { return float64(max * float64(2*r.unit()-1)) }
func (r *goldenInput) f32(max float64) float32 { return float32(r.f64(max)) }
func (r *goldenInput) anyF64() float64 {
	return math.Float64frombits(r.next()<<33 ^ r.next()<<10 ^ r.next())
}
func (r *goldenInput) anyF32() float32         { return math.Float32frombits(uint32(r.next()<<16 ^ r.next())) }
func (r *goldenInput) vec(max float64) Vec3    { return Vec3{r.f32(max), r.f32(max), r.f32(max)} }
func (r *goldenInput) anyVec() Vec3            { return Vec3{r.anyF32(), r.anyF32(), r.anyF32()} }
func (r *goldenInput) anyQuat() Quat           { return Quat{W: r.anyF32(), V: r.anyVec()} }
func (r *goldenInput) quat() Quat              { return SetRotate(Quat{W: r.f32(1), V: r.vec(1)}, IdentityQuat) }
func (r *goldenInput) frame(max float64) Frame { return Frame{r.vec(max), r.quat()} }
func (r *goldenInput) place(max float64) Position {
	return Position{CellID(0xA9B40001 + r.next()%4<<24 + r.next()%4<<16 + r.next()%64), r.frame(max)}
}

// The same bits on every machine: this test is run on each of them.
func TestGolden_SameBitsEverywhere(t *testing.T) {
	for _, g := range goldens {
		r, d := &goldenInput{lcg: 42}, digest{fnv.New64a()}
		for range 5000 {
			g.run(d, r)
		}
		if got := d.Sum64(); got != g.want {
			t.Errorf("%s: %#016x, on record %#016x", g.name, got, g.want)
		}
	}
}
