package collision

import (
	"math"
	"slices"
	"testing"

	"github.com/gait-engine/gait/space"
	"pgregory.net/rapid"
)

// Whatever registrations are left out while rows march, a list's order is what
// they would have made it: who is registered anew is the last, and the last takes
// its place (14 L2; W-16).
func TestW16_OrderIsMadeUpFor(t *testing.T) {
	left := 0
	rapid.Check(t, func(t *rapid.T) {
		cells := []space.CellID{0xA9B40001, 0xA9B40002, 0xA9B40009}
		cell := rapid.SampledFrom(cells)
		c := &Crowd{}
		eager := map[space.CellID][]uint32{} // guids
		in := map[uint32][]space.CellID{}
		enter := func(guid uint32, now []space.CellID) {
			for _, id := range in[guid] {
				if l := eager[id]; !slices.Contains(now, id) {
					at, last := slices.Index(l, guid), len(l)-1
					l[at] = l[last]
					eager[id] = l[:last]
				}
			}
			for _, id := range now {
				l := eager[id]
				if at := slices.Index(l, guid); at >= 0 {
					l[at], l[len(l)-1] = l[len(l)-1], guid
				} else {
					eager[id] = append(l, guid)
				}
			}
			in[guid] = now
		}
		some := func() []space.CellID {
			return rapid.SliceOfNDistinct(cell, 0, 3, rapid.ID[space.CellID]).Draw(t, "cells")
		}
		rows := rapid.IntRange(1, 6).Draw(t, "rows")
		c.Resize(rows)
		for _, i := range rapid.Permutation([]int{0, 1, 2, 3, 4, 5}[:rows]).Draw(t, "order") {
			c.Obstacles[i].Guid = uint32(i+1) * 10
			c.Obstacles[i].Place.Cell, c.Obstacles[i].Reach = cells[0], 1
			now := some()
			c.Turn(0, 0)
			c.Register(i, now)
			enter(c.Obstacles[i].Guid, now)
		}
		for tick := uint32(1); tick <= 30; tick++ {
			order := make([]int, rows)
			for i := range order {
				order[i] = i
			}
			// in the updates of a tick rows march, in whatever order;
			marched := make([]bool, rows)
			for i := range order {
				s := &c.shadows[i]
				if marched[i] = rapid.IntRange(0, 3).Draw(t, "march") > 0 && s.n > 0 && s.marches(tick, c.CellsOf(i)); marched[i] {
					s.stay = tick
					left++
				}
			}
			for i := range order {
				c.Show(i)
			}
			// then those who did not are registered, by guid
			slices.SortFunc(order, func(a, b int) int { return int(c.Obstacles[a].Guid) - int(c.Obstacles[b].Guid) })
			for _, i := range order {
				guid := c.Obstacles[i].Guid
				if marched[i] {
					enter(guid, in[guid])
					continue
				}
				c.Turn(tick, guid)
				switch rapid.IntRange(0, 5).Draw(t, "do") {
				case 0: // rests
				case 1:
					now := some()
					c.Step(i, now, rapid.Bool().Draw(t, "leaps"), false)
					enter(guid, now)
				default:
					now := slices.Clone(c.CellsOf(i))
					if len(now) == 0 {
						now = []space.CellID{cells[0]}
					}
					c.Step(i, now, false, true)
					enter(guid, now)
				}
			}
			c.Turn(tick, math.MaxUint32)
			// before the next tick
			switch i := rapid.IntRange(0, rows-1).Draw(t, "row"); rapid.IntRange(0, 8).Draw(t, "between") {
			case 0:
				c.Refresh(i)
			case 1:
				now := some()
				c.Register(i, now)
				enter(c.Obstacles[i].Guid, now)
			case 2: // it goes, and the last row takes its number
				if rows > 1 {
					c.Register(i, nil)
					enter(c.Obstacles[i].Guid, nil)
					c.Renumber(rows-1, i)
					rows--
					c.Resize(rows)
				}
			case 3, 4: // somebody asks
				id := cell.Draw(t, "asked")
				list, _, _ := c.ordered(id, nil)
				var got []uint32
				for _, e := range list {
					got = append(got, c.Obstacles[e.row].Guid)
				}
				if !slices.Equal(got, eager[id]) {
					t.Fatalf("tick %d: %x holds %v, want %v", tick, uint32(id), got, eager[id])
				}
			case 5:
				for i := range rows {
					for _, id := range c.CellsOf(i) {
						if got, want := c.Rank(i, id), slices.Index(eager[id], c.Obstacles[i].Guid); got != want {
							t.Fatalf("tick %d: %d is number %d in %x, want %d", tick, c.Obstacles[i].Guid, got, uint32(id), want)
						}
					}
				}
			}
		}
	})
	t.Log(left, "registrations were left out")
	if left == 0 {
		t.Error("nothing was left out")
	}
}

// A list whose order was asked for may be gone before it is brought up: all have
// left, and the table was cleaned.
func TestBringingUpAListThatIsGone(t *testing.T) {
	c := &Crowd{}
	c.Resize(2)
	const asked = space.CellID(0xA9B40001)
	for i := range 2 {
		c.Register(i, []space.CellID{asked})
	}
	for i := range 2 {
		c.Register(i, nil)
	}
	for k := range space.CellID(4000) { // until the table has been cleaned
		c.Register(0, []space.CellID{0x01010001 + k<<16})
	}
	if c.rosters.find(asked) != nil {
		t.Fatal("the list is still there")
	}
	c.Bring([]space.CellID{asked})
}
