package transport

// KeyStream is the generator of the keys that encrypted checksums are mixed with:
// ISAAC of 256 words, with a, b and c starting as the seed (22 §4.2). The keys of
// the last [KeyHistory] draws can be asked for again, since resends use them again.
type KeyStream struct {
	m       [256]uint32
	a, b, c uint32
	blocks  [keyBlocks]*[256]uint32 // of the last rounds, by round modulo keyBlocks
	rounds  uint64                  // made so far
}

// KeyHistory is how many draws back a key is still known, at least.
const (
	keyBlocks  = 17
	KeyHistory = (keyBlocks - 1) * 256
)

// NewKeyStream returns the stream of a seed.
func NewKeyStream(seed uint32) *KeyStream {
	k := &KeyStream{a: seed, b: seed, c: seed}
	x := [8]uint32{}
	for i := range x {
		x[i] = 0x9E3779B9
	}
	for range 4 {
		mix(&x)
	}
	for i := 0; i < len(k.m); i += 8 { // the results that are added are all 0
		mix(&x)
		copy(k.m[i:], x[:])
	}
	for i := 0; i < len(k.m); i += 8 {
		for j := range x {
			x[j] += k.m[i+j]
		}
		mix(&x)
		copy(k.m[i:], x[:])
	}
	k.round()
	return k
}

// mixShifts are the shifts of the mixing, to the left and to the right in turn.
var mixShifts = [8]uint{11, 2, 8, 16, 10, 4, 8, 9}

func mix(x *[8]uint32) {
	for i, s := range mixShifts {
		next := x[(i+1)&7]
		if i&1 == 0 {
			next <<= s
		} else {
			next >>= s
		}
		x[i] ^= next
		x[(i+3)&7] += x[i]
		x[(i+1)&7] += x[(i+2)&7]
	}
}

// round makes 256 more keys.
func (k *KeyStream) round() {
	at := &k.blocks[k.rounds%keyBlocks]
	if *at == nil {
		*at = new([256]uint32)
	}
	r := *at
	k.rounds++
	k.c++
	k.b += k.c
	a, b := k.a, k.b
	for i := range k.m {
		x := k.m[i]
		switch i & 3 {
		case 0:
			a ^= a << 13
		case 1:
			a ^= a >> 6
		case 2:
			a ^= a << 2
		case 3:
			a ^= a >> 16
		}
		a += k.m[(i+128)&255]
		y := k.m[x>>2&255] + a + b
		k.m[i] = y
		b = k.m[y>>10&255] + x
		r[i] = b
	}
	k.a, k.b = a, b
}

// Key returns the key of a draw, the first being 0. It is not ok when the draw
// lies too far back.
func (k *KeyStream) Key(draw uint64) (key uint32, ok bool) {
	block := draw / 256
	for k.rounds <= block {
		k.round()
	}
	if k.rounds-block > keyBlocks {
		return 0, false
	}
	return k.blocks[block%keyBlocks][255-draw%256], true
}
