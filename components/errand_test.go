package components

import (
	"testing"

	"pgregory.net/rapid"
)

// plainErrand is what a row has of an [Errand], if it lay in the row.
type plainErrand struct {
	moveTo, sticky, ramp float32 // 0 none, else a number of it
	updateTime           float64
	nodes                uint32
}

// An errand that is there while there is anything in it against one that lies in the
// row, of many rows of one pool.
func TestPropertyErrandIsAnErrand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p Pools
		rows, plain := make([]Errands, 5), make([]plainErrand, 5)
		number := float32(0)
		do := func(what func(e *Errands, want *plainErrand)) func(*rapid.T) {
			return func(t *rapid.T) {
				number++
				i := rapid.IntRange(0, len(rows)-1).Draw(t, "row")
				what(&rows[i], &plain[i])
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"move-to": do(func(e *Errands, want *plainErrand) {
				m := e.Own.Make(&p.Errands).MoveTo.Make(&p.MoveTos)
				m.SoughtRadius, want.moveTo = number, number
				m.Nodes.Push(&p.MoveToNodes, MoveToNode{})
				want.nodes++
			}),
			"end of move-to": do(func(e *Errands, want *plainErrand) { e.EndMoveTo(&p); want.moveTo, want.nodes = 0, 0 }),
			"sticky": do(func(e *Errands, want *plainErrand) {
				e.Own.Make(&p.Errands).Sticky.Make(&p.Stickies).Radius = number
				want.sticky = number
			}),
			"ramp": do(func(e *Errands, want *plainErrand) {
				e.Own.Make(&p.Errands).Ramp.Make(&p.Ramps).End = number
				want.ramp = number
			}),
			"end of ramp": do(func(e *Errands, want *plainErrand) { e.EndRamp(&p); want.ramp = 0 }),
			"clock": do(func(e *Errands, want *plainErrand) {
				e.SetUpdateTime(&p, float64(number))
				want.updateTime = float64(number)
			}),
			"no clock": do(func(e *Errands, want *plainErrand) { e.SetUpdateTime(&p, 0); want.updateTime = 0 }),
			"release":  do(func(e *Errands, want *plainErrand) { e.Release(&p); *want = plainErrand{} }),
			"": func(t *rapid.T) {
				boxes := map[Slab]bool{}
				for i := range rows {
					e, want := &rows[i], plain[i]
					got := plainErrand{updateTime: e.UpdateTime(&p)}
					if m := e.MoveTo(&p); m != nil {
						got.moveTo, got.nodes = m.SoughtRadius, m.Nodes.Len
					}
					if s := e.Sticky(&p); s != nil {
						got.sticky = s.Radius
					}
					if r := e.Ramp(&p); r != nil {
						got.ramp = r.End
					}
					if got != want || e.Own.Empty() != (want == plainErrand{}) || !e.Own.Empty() && boxes[e.Own.at] {
						t.Fatalf("row %d: %+v in box %d, not %+v", i, got, e.Own.at, want)
					}
					boxes[e.Own.at] = true
				}
			},
		})
	})
}
