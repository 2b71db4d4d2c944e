package systems

import (
	"slices"
	"testing"

	"github.com/gait-engine/gait/components"
)

// A part of the state has one hash, however the engine is built, and taking it leaves
// no trace; all parts together are the whole.
func TestHashPart(t *testing.T) {
	for _, land := range []string{"none", "flat"} {
		o := sceneOptions(t, land)
		quiet, one := scene(t, o).e, scene(t, o).e
		o.Workers, o.ChunkRows, o.AlwaysUpdate = 3, 7, true
		other := scene(t, o).e
		for range 60 {
			for _, e := range []*Engine{quiet, one, other} {
				stir(t, e)
				e.Tick()
			}
			of := uint32(1 + one.Now()%5)
			var all []uint32
			for part := range of {
				if a, b := one.HashPart(part, of), other.HashPart(part, of); a != b {
					t.Fatalf("%s, tick %d: part %d of %d is %016x and %016x", land, one.Now(), part, of, a, b)
				}
				all = one.AppendPart(all, part, of)
			}
			slices.Sort(all)
			if len(all) != one.Len() || len(slices.Compact(all)) != one.Len() {
				t.Fatalf("%d are in the parts of %d", len(all), one.Len())
			}
			if of == 1 && one.HashPart(0, 1) != other.Hash() {
				t.Fatal("the only part is not the whole")
			}
		}
		if one.Hash() != quiet.Hash() {
			t.Errorf("%s: looking at parts changed the state", land)
		}
	}
}

// Who is in another state is so in the hash of his own part alone, and what is no remote's
// in that of the first.
func TestHashPartFinds(t *testing.T) {
	const of = 4
	e := scene(t, sceneOptions(t, "none")).e
	parts := func() (h [of]uint64) {
		for part := range h {
			h[part] = e.HashPart(uint32(part), of)
		}
		return h
	}
	hit := map[int]bool{}
	for i := range uint32(e.Len()) {
		before := parts()
		e.Inspect(me+i, func(r *components.Row, _ *components.Pools) { r.Body.Friction += 0.25 })
		for part, h := range parts() {
			in := slices.Contains(e.AppendPart(nil, uint32(part), of), me+i)
			if in != (h != before[part]) {
				t.Errorf("0x%08X: part %d, in it %v", me+i, part, in)
			}
			if in {
				hit[part] = true
			}
		}
	}
	if len(hit) < 2 {
		t.Errorf("all are in %d part", len(hit))
	}
	before := parts()
	e.Remove(me + 1)
	if after := parts(); after[0] == before[0] || !slices.Equal(after[1:], before[1:]) {
		t.Error("what waits is not in the first part alone")
	}
}
