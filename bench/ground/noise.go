package ground

// noise is a field of numbers over the plane, a function of its seed.
type noise uint64

// mix is the finalizer of splitmix64, a bijection in which every bit of the input
// moves every bit of the output.
func mix(z uint64) uint64 {
	z += 0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// of returns the number at a point of one of the fields; fields are told apart by use.
func (n noise) of(use, x, y int) uint64 {
	return mix(mix(mix(uint64(n)+uint64(use))+uint64(x)) + uint64(y))
}

// one is what smooth fields reach up to, exclusive.
const one = 1 << 16

// smooth returns a field in 0..one that is drawn anew at every side-th point of
// the plane and runs smoothly between those (cubic value noise).
func (n noise) smooth(use, side, x, y int) int {
	ease := func(t int) int { return t * t * (3*side - 2*t) * (one / (side * side * side)) } // of side³, a power of two up to 2¹⁵
	x0, y0 := x/side, y/side
	u, v := ease(x%side), ease(y%side)
	at := func(i, j int) int { return int(n.of(use, x0+i, y0+j) >> 48) }
	between := func(a, b, t int) int { return a + (b-a)*t/one }
	return between(between(at(0, 0), at(1, 0), u), between(at(0, 1), at(1, 1), u), v)
}

// draws are numbers drawn one after the other.
type draws struct {
	state uint64
}

func (d *draws) below(n int) int {
	d.state++
	return int(mix(d.state) >> 33 % uint64(n))
}

// drawn returns the draws of a landblock for some use.
func (n noise) drawn(use, x, y int) draws { return draws{n.of(use, x, y)} }
