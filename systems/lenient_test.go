package systems

import "testing"

// With Lenient, what is at the end of a message is ignored and counted (20 §7), at first
// sight of an unknown remote too.
func TestSpec20_7_LenientFirstSight(t *testing.T) {
	u := human(1, 108, 108)
	r := newRig(t, Options{Unknown: &u, MaxUnknown: 3, Lenient: true})
	r.send(append(encode(t, r.movement(me, does{forward: run})), 9, 9, 9, 9, 9))
	r.tick(1)
	r.wantVerdicts(Applied)
}
