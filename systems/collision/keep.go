package collision

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gait-engine/gait/space"
)

// Entry is one registration of a row, as a snapshot keeps it: in which cell, where
// in its list, and where in plan the list has the row and how far it reaches, m;
// Everywhere in place of an infinite Reach.
type Entry struct {
	Cell        space.CellID
	Rank        int32
	X, Y, Reach float32
	Everywhere  bool
}

// Entries appends to dst the registrations of a row, in the order of its cells. Of
// one that marches, or may, it says what a registration would say now: how it has
// been run is no state.
func (c *Crowd) Entries(row int, dst []Entry) []Entry {
	for _, id := range c.CellsOf(row) {
		rank := c.Rank(row, id) // which brings the list up to date
		e := c.in(id)[rank]
		if e.roams() {
			e = c.entry(row, id)
		}
		x := Entry{id, int32(rank), e.x, e.y, e.reach, e.roams()}
		if x.Everywhere {
			x.Reach = 0
		}
		dst = append(dst, x)
	}
	return dst
}

// Renew has ticks be counted from 1 again: all stand as they stood, and nobody is known to
// be calm.
func (c *Crowd) Renew() {
	var entries []Entry
	counts := make([]uint32, len(c.shadows))
	for row := range c.shadows {
		before := len(entries)
		entries = c.Entries(row, entries)
		counts[row] = uint32(len(entries) - before)
	}
	c.rosters, c.many = rosters{}, nil
	for row := range c.shadows {
		s := &c.shadows[row]
		*s = shadow{setup: s.setup, scale: s.scale}
	}
	if err := c.Enter(0, counts, entries); err != nil {
		panic(err) // they were its own
	}
}

// ErrEntries refuses registrations that no crowd has.
var ErrEntries = errors.New("collision: no crowd stands like this")

// maxEntries bounds in how many cells a snapshot may have one row stand; the
// widest of bodies is in a few dozen.
const maxEntries = 1 << 12

// Enter registers the rows of a crowd that is registered nowhere, as they stood at the
// end of a tick, counts[i] entries being row i's. Nobody is known to be calm. Where it
// refuses, the crowd is good for nothing.
func (c *Crowd) Enter(tick uint32, counts []uint32, entries []Entry) error {
	c.Turn(tick, math.MaxUint32)
	type standing struct {
		Entry
		row int32
	}
	all := make([]standing, 0, len(entries))
	for row, n := range counts {
		if n > maxEntries || int(n) > len(entries) {
			return fmt.Errorf("%w: row %d in %d cells", ErrEntries, row, n)
		}
		var cells []space.CellID
		for i := range entries[:n] {
			e := &entries[i]
			if e.Cell == 0 || slices.Contains(cells, e.Cell) || !(e.Reach >= 0) || !space.Finite(e.X) || !space.Finite(e.Y) {
				return fmt.Errorf("%w: row %d in cell %08X", ErrEntries, row, uint32(e.Cell))
			}
			cells = append(cells, e.Cell)
			all = append(all, standing{*e, int32(row)})
		}
		c.stand(row, cells)
		entries = entries[n:]
	}
	slices.SortFunc(all, func(a, b standing) int {
		return cmp.Or(cmp.Compare(a.Cell, b.Cell), cmp.Compare(a.Rank, b.Rank))
	})
	for i := range all {
		e := &all[i]
		if want := int32(len(c.in(e.Cell))); e.Rank != want {
			return fmt.Errorf("%w: row %d is number %d in cell %08X, not %d", ErrEntries, e.row, e.Rank, uint32(e.Cell), want)
		}
		l := c.rosters.claim(e.Cell)
		l.tick, l.guid = c.tick, c.guid
		reach := e.Reach
		if e.Everywhere {
			reach = float32(math.Inf(1))
		}
		c.rosters.add(l, entry{e.row, e.X, e.Y, reach})
	}
	return nil
}
