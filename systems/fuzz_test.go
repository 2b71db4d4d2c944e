package systems

import (
	"testing"
)

// Any bytes, cut into messages: no panic, no broken invariant, one answer.
func FuzzInbound(f *testing.F) {
	var all []byte
	for _, b := range everyFloat(standing(f, Options{})) {
		part := append([]byte{byte(len(b)), byte(len(b) >> 8)}, b...)
		all = append(all, part...)
		f.Add(part)
	}
	f.Add(all)
	f.Fuzz(func(t *testing.T, data []byte) {
		u := human(0, 108, 108)
		a := newRig(t, Options{Unknown: &u, Lenient: true})
		b := newRig(t, Options{Unknown: &u, Lenient: true, AlwaysUpdate: true, ChunkRows: 1})
		for _, r := range []*rig{a, b} {
			r.spawn(human(me, 108, 108))
			r.tick(1)
			for rest := data; len(rest) > 2; {
				n := min(int(rest[0])|int(rest[1])<<8, len(rest)-2)
				if n >= 4 {
					r.send(rest[2 : 2+n])
				}
				if rest = rest[2+n:]; n%3 == 0 {
					r.tick(1)
				}
			}
			r.tick(5)
		}
		if a.e.Hash() != b.e.Hash() {
			t.Fatal(firstDifference(a.e, b.e))
		}
	})
}
