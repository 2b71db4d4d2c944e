package bench

// rng is a splitmix64 generator: a counter, and a mixing function that is a
// bijection, so that different counters never meet in one step.
type rng struct{ state uint64 }

const golden = 0x9E3779B97F4A7C15 // 2⁶⁴ divided by the golden ratio, odd

// newRNG returns the generator of one mover for one purpose.
func newRNG(seed uint64, mover, purpose int) rng {
	return rng{mix(mix(mix(seed+golden)+uint64(mover)+golden) + uint64(purpose) + golden)}
}

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

func (r *rng) next() uint64 {
	r.state += golden
	return mix(r.state)
}

// unit returns a number in [0,1).
func (r *rng) unit() float64 { return float64(r.next()>>11) * 0x1p-53 }

// within returns a number in [from,to).
func (r *rng) within(from, to float64) float64 { return from + float64(r.unit()*(to-from)) }

// below returns a whole number in 0..n-1; n is small, so that its bias is nothing.
func (r *rng) below(n uint32) uint32 { return uint32(r.next() >> 32 * uint64(n) >> 32) }
