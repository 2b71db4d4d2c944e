package space

import (
	"math"
	"testing"
)

// benchPoints is what the benchmarks walk through: enough different values to
// keep branches from being learnt, few enough to stay in the first cache.
const benchPoints = 256

type benchData struct {
	frame [benchPoints]Frame
	place [benchPoints]Position
	vec   [benchPoints]Vec3
	angle [benchPoints]float64
}

func newBenchData() *benchData {
	d := &benchData{}
	r := lcg(1)
	for i := range d.frame {
		q := SetRotate(Quat{W: r.float(-1, 1), V: Vec3{r.float(-1, 1), r.float(-1, 1), r.float(-1, 1)}}, IdentityQuat)
		d.frame[i] = Frame{Vec3{r.float(0, 192), r.float(0, 192), r.float(0, 50)}, q}
		d.place[i] = Position{0xA9B40000 | CellID(1+r.next()%64), d.frame[i]}
		if i%8 == 0 {
			d.place[i].Cell += 1 << 24
		}
		d.vec[i] = Vec3{r.float(-0.1, 0.1), r.float(-0.1, 0.1), r.float(-0.1, 0.1)}
		d.angle[i] = float64(r.float(-2*math.Pi, 2*math.Pi))
	}
	return d
}

var (
	sinkFrame Frame
	sinkQuat  Quat
	sinkVec   Vec3
	sinkCell  CellID
	sinkF32   float32
	sinkF64   float64
)

func BenchmarkCombine(b *testing.B) {
	d := newBenchData()
	for i := 0; b.Loop(); i++ {
		sinkFrame = Combine(d.frame[i%benchPoints], d.frame[(i+1)%benchPoints])
	}
}

// BenchmarkCombineChain is the latency: each result is the next one's input.
func BenchmarkCombineChain(b *testing.B) {
	d := newBenchData()
	f := Identity
	for i := 0; b.Loop(); i++ {
		f = Combine(f, d.frame[i%benchPoints])
	}
	sinkFrame = f
}

func BenchmarkSubtract(b *testing.B) {
	d := newBenchData()
	for i := 0; b.Loop(); i++ {
		sinkFrame = Subtract(d.frame[i%benchPoints], d.frame[(i+1)%benchPoints])
	}
}

func BenchmarkSubtract2(b *testing.B) {
	d := newBenchData()
	for i := 0; b.Loop(); i++ {
		sinkFrame = Subtract2(&d.place[i%benchPoints], &d.place[(i+1)%benchPoints])
	}
}

func BenchmarkMulQuat(b *testing.B) {
	d := newBenchData()
	for i := 0; b.Loop(); i++ {
		sinkQuat = MulQuat(d.frame[i%benchPoints].Rotation, d.frame[(i+1)%benchPoints].Rotation)
	}
}

func BenchmarkSetRotate(b *testing.B) {
	d := newBenchData()
	for i := range d.frame {
		d.frame[i].Rotation = MulQuat(d.frame[i].Rotation, d.frame[(i+1)%benchPoints].Rotation)
	}
	for i := 0; b.Loop(); i++ {
		sinkQuat = SetRotate(d.frame[i%benchPoints].Rotation, IdentityQuat)
	}
}

func BenchmarkGRotate(b *testing.B) {
	d := newBenchData()
	for i := 0; b.Loop(); i++ {
		sinkQuat = GRotate(d.frame[i%benchPoints].Rotation, d.vec[i%benchPoints])
	}
}

func BenchmarkInterpolateRotation(b *testing.B) {
	d := newBenchData()
	for i := 0; b.Loop(); i++ {
		sinkQuat = InterpolateRotation(d.frame[i%benchPoints].Rotation, d.frame[(i+1)%benchPoints].Rotation, 0.25)
	}
}

func BenchmarkLocalToGlobalVec(b *testing.B) {
	d := newBenchData()
	for i := 0; b.Loop(); i++ {
		sinkVec = LocalToGlobalVec(d.frame[i%benchPoints].Rotation, d.vec[i%benchPoints])
	}
}

func BenchmarkHeading(b *testing.B) {
	d := newBenchData()
	for i := 0; b.Loop(); i++ {
		sinkF32 = Heading(d.frame[i%benchPoints].Rotation)
	}
}

func BenchmarkSetHeading(b *testing.B) {
	d := newBenchData()
	for i := 0; b.Loop(); i++ {
		sinkQuat = SetHeading(d.frame[i%benchPoints].Rotation, float32(i%360))
	}
}

func BenchmarkAdjustToOutside(b *testing.B) {
	d := newBenchData()
	for i := 0; b.Loop(); i++ {
		p := &d.place[i%benchPoints]
		sinkCell, sinkVec = AdjustToOutside(p.Cell, p.Frame.Origin)
	}
}

func BenchmarkDistance(b *testing.B) {
	d := newBenchData()
	for i := 0; b.Loop(); i++ {
		sinkF32 = Distance(&d.place[i%benchPoints], &d.place[(i+1)%benchPoints])
	}
}

func BenchmarkCylinderDistance(b *testing.B) {
	d := newBenchData()
	for i := 0; b.Loop(); i++ {
		sinkF32 = CylinderDistance(0.5, 2, &d.place[i%benchPoints], 0.5, 2, &d.place[(i+1)%benchPoints])
	}
}

func BenchmarkHeadingTo(b *testing.B) {
	d := newBenchData()
	for i := 0; b.Loop(); i++ {
		sinkF32 = HeadingTo(&d.place[i%benchPoints], &d.place[(i+1)%benchPoints])
	}
}

func BenchmarkSinCos(b *testing.B) {
	d := newBenchData()
	for i := 0; b.Loop(); i++ {
		sinkF64, _ = SinCos(d.angle[i%benchPoints])
	}
}

func BenchmarkAtan2(b *testing.B) {
	d := newBenchData()
	for i := 0; b.Loop(); i++ {
		sinkF64 = Atan2(d.angle[i%benchPoints], d.angle[(i+1)%benchPoints])
	}
}
