package dat

import (
	"math/rand/v2"
	"testing"
)

func TestLookupFindsExactlyWhatWasPut(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	have := map[[3]uint32]int32{}
	var all []lookSlot
	for i := range int32(20000) {
		k := [3]uint32{lookWhere(1+r.Uint32N(4), r.Int32N(40)), r.Uint32N(64) << 16, r.Uint32N(200)}
		if _, ok := have[k]; !ok {
			have[k] = i
			all = append(all, lookSlot{k[0], k[1], k[2], i})
		}
	}
	l, ok := makeLookup(all)
	if !ok {
		t.Fatal("no seed does")
	}
	for range 100000 {
		part, table, key, inner := 1+r.Uint32N(4), r.Int32N(42), r.Uint32N(66)<<16, r.Uint32N(202)
		want, ok := have[[3]uint32{lookWhere(part, table), key, inner}]
		if !ok {
			want = None
		}
		if got := l.get(part, table, key, inner); got != want {
			t.Fatalf("%d %d 0x%X 0x%X: %d, want %d", part, table, key, inner, got, want)
		}
	}
	if (&lookup{}).get(inCycles, 0, 0, 0) != None {
		t.Error("an empty table has something")
	}
}

// Keys that all collide under the first seed make the builder take another.
func TestLookupAgainstChosenKeys(t *testing.T) {
	const n = 2000
	probe := lookup{mask: 1<<12 - 1}
	var bad []lookSlot
	for key := uint32(0); len(bad) < n; key++ {
		if probe.start(lookWhere(inCycles, 0), key, 0) == 77 {
			bad = append(bad, lookSlot{lookWhere(inCycles, 0), key, 0, int32(len(bad))})
		}
	}
	first := lookup{slots: make([]lookSlot, 1<<12), mask: probe.mask}
	if first.putAll(bad) {
		t.Fatal("the keys do not collide")
	}
	l, ok := makeLookup(bad)
	if !ok || l.seed == 0 {
		t.Fatalf("%v, seed %d", ok, l.seed)
	}
	for _, s := range bad {
		if l.get(inCycles, 0, s.key, 0) != s.value {
			t.Fatalf("key 0x%X is lost", s.key)
		}
	}
}
