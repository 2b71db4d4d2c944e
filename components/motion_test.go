package components

import (
	"testing"

	"pgregory.net/rapid"
)

// A raw state that lies in a box while it is not the default against one that lies
// in the row, of many rows of one pool.
func TestPropertyRawStateIsARaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p Pools
		rows, plain := make([]Values, 5), make([]Raw, 5)
		for i := range plain {
			plain[i] = DefaultRaw()
		}
		axis := rapid.Custom(func(t *rapid.T) Axis {
			return Axis{Motion: rapid.SampledFrom([]uint32{0, Ready, 0x45000005}).Draw(t, "motion"), Speed: rapid.Float32Range(0, 2).Draw(t, "speed")}
		})
		t.Repeat(map[string]func(*rapid.T){
			"set": func(t *rapid.T) {
				i := rapid.IntRange(0, len(rows)-1).Draw(t, "row")
				r, want := rows[i].Row(), &plain[i]
				raw := r.RawState(&p)
				switch rapid.IntRange(0, 4).Draw(t, "what") {
				case 0:
					raw.Actions.Clear(&p.Actions)
					raw = DefaultRaw()
				case 1:
					raw.Forward = axis.Draw(t, "forward")
				case 2:
					raw.HoldKey = HoldKey(rapid.Uint32Range(1, 2).Draw(t, "key"))
				case 3:
					raw.Actions.Push(&p.Actions, Action{Motion: 7})
				case 4:
					raw.Actions.Clear(&p.Actions)
				}
				r.SetRawState(&p, raw)
				*want = raw
			},
			"release": func(t *rapid.T) {
				i := rapid.IntRange(0, len(rows)-1).Draw(t, "row")
				r := rows[i].Row()
				r.Release(&p)
				plain[i] = DefaultRaw()
			},
			"": func(t *rapid.T) {
				boxes := map[Slab]bool{}
				for i := range rows {
					r := rows[i].Row()
					if got := r.RawState(&p); got != plain[i] {
						t.Fatalf("row %d: %+v, not %+v", i, got, plain[i])
					}
					if r.Raw.Empty() != (plain[i] == DefaultRaw()) || !r.Raw.Empty() && boxes[r.Raw.at] {
						t.Fatalf("row %d: %+v in box %d", i, plain[i], r.Raw.at)
					}
					boxes[r.Raw.at] = true
				}
			},
		})
	})
}
