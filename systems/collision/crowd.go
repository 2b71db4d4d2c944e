package collision

import (
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// Crowd are the bodies that sweeps may meet, by row of the world that keeps them,
// and in which cells each is registered. While sweeps run side by side nothing
// of it changes but what a row's own sweep notes of that row.
type Crowd struct {
	Obstacles []Obstacle
	// Known reports whether there is a body with this guid (14 L4 Entry restriction).
	Known func(guid uint32) bool
	// Target returns whom the missile in a row is for, 0 nobody (14 L2).
	Target func(row int) uint32

	shadows []shadow
	many    map[int32][]space.CellID // cells of the rows that are in more than a shadow holds
	rosters rosters

	tick, guid uint32 // whose turn it is: [Crowd.Turn]
}

func (c *Crowd) knows(guid uint32) bool { return c != nil && c.Known != nil && c.Known(guid) }

// Resize makes room for so many rows; new ones are registered nowhere.
func (c *Crowd) Resize(rows int) {
	for len(c.Obstacles) < rows {
		c.Obstacles = append(c.Obstacles, Obstacle{Setup: dat.None, Parts: dat.None})
		c.shadows = append(c.shadows, shadow{})
	}
	c.Obstacles, c.shadows = c.Obstacles[:rows], c.shadows[:rows]
}

// CellsOf returns the cells that a row is registered in, good until that changes.
func (c *Crowd) CellsOf(row int) []space.CellID {
	s := &c.shadows[row]
	if s.n < 0 {
		return c.many[int32(row)]
	}
	return s.cells[:s.n]
}

// in returns the rows registered in a cell, in list order.
func (c *Crowd) in(id space.CellID) []entry {
	if c == nil {
		return nil
	}
	return c.rosters.in(id)
}

// Fetch has what is known of a cell come nearer. Many of these in a row wait for
// memory all at once, where looking into one cell after another waits for each.
// What it returns says nothing; it keeps the load from being left out.
func (c *Crowd) Fetch(id space.CellID) int32 { return c.rosters.fetch(id) }

// FetchList goes on from Fetch where several stand in the cell.
func (c *Crowd) FetchList(id space.CellID) int32 { return c.rosters.fetchList(id) }

// FetchCompany goes on from FetchList with who stands in the cell, unless so many do that
// the first few are enough to know.
func (c *Crowd) FetchCompany(id space.CellID) (sum uint32) {
	if list := c.rosters.in(id); len(list) <= maxCompany {
		for _, e := range list {
			sum += c.Obstacles[e.row].Guid
		}
	}
	return sum
}

// FetchRow has what is known of a row come nearer.
func (c *Crowd) FetchRow(row int) uint32 { return c.Obstacles[row].Guid + c.shadows[row].since }

// Rank returns where in the list of one of its cells a row stands, −1 nowhere.
func (c *Crowd) Rank(row int, id space.CellID) int {
	s := c.rosters.find(id)
	if s == nil {
		return -1
	}
	c.bring(s)
	return index(c.rosters.list(s), int32(row))
}

// Register has a row stand in cells, and no more where it stood. Its entry in
// each list is a new one, the last; the entry that it leaves is filled by the
// list's last (14 L2; W-16). It may have come from anywhere.
func (c *Crowd) Register(row int, cells []space.CellID) { c.Step(row, cells, true, false) }

// Step is Register for a row that has taken a step. leaps says that it has gone
// farther than [CalmStep]; marches, that [Sweep.Stroll] asked for it (Stride.Marches).
func (c *Crowd) Step(row int, cells []space.CellID, leaps, marches bool) {
	s := &c.shadows[row]
	var room [4]space.CellID
	old := append(room[:0], c.CellsOf(row)...)
	for _, id := range old {
		if !slices.Contains(cells, id) {
			l := c.rosters.find(id)
			c.bring(l)
			c.rosters.strike(l, int32(row))
		}
	}
	if !marches {
		s.calm = 0
	}
	s.since, s.roams = c.tick, len(cells) <= len(s.cells)
	for _, id := range cells {
		l := c.rosters.claim(id)
		c.bring(l)
		anew := !slices.Contains(old, id)
		if anew || leaps {
			c.announce(l)
		}
		if anew && l.n > 0 {
			s.calm = 0 // somebody there may have come in this tick, too, and it has not looked at him
		}
		s.roams = s.roams && (marches || l.n < fewEntries)
		e := c.entry(row, id)
		if s.roams {
			e.reach = float32(math.Inf(1))
		}
		if anew {
			c.rosters.add(l, e)
		} else {
			c.rosters.renew(l, e)
		}
	}
	c.stand(row, cells)
}

// stand notes in which cells a row is registered.
func (c *Crowd) stand(row int, cells []space.CellID) {
	s := &c.shadows[row]
	if s.n < 0 {
		delete(c.many, int32(row))
	}
	if len(cells) <= len(s.cells) {
		s.n = int8(copy(s.cells[:], cells))
		return
	}
	s.n = -1
	if c.many == nil {
		c.many = make(map[int32][]space.CellID)
	}
	c.many[int32(row)] = slices.Clone(cells)
}

// entry is what a cell's list says of a row.
func (c *Crowd) entry(row int, id space.CellID) entry {
	o := &c.Obstacles[row]
	at := o.Place.Frame.Origin
	if !o.Place.Cell.SameBlock(id) {
		at = space.Add(at, space.BlockOffset(id, o.Place.Cell))
	}
	reach := o.Reach
	if reach == 0 {
		reach = float32(math.Inf(1))
	}
	return entry{int32(row), at[0], at[1], reach}
}

// Walker returns what a row consists of.
func (c *Crowd) Walker(row int) (setup int32, scale float32) {
	s := &c.shadows[row]
	return s.setup, s.scale
}

// Sized is to be called when the setup or the scale of a row's obstacle has changed.
func (c *Crowd) Sized(row int) {
	o, s := &c.Obstacles[row], &c.shadows[row]
	if s.setup != o.Setup || s.scale != o.Scale {
		s.setup, s.scale, s.calm = o.Setup, o.Scale, 0
	}
}

// Refresh is for a row whose reach has changed where it stands.
func (c *Crowd) Refresh(row int) {
	for _, id := range c.CellsOf(row) {
		l := c.rosters.find(id)
		c.bring(l)
		c.announce(l)
		c.rosters.change(l, c.entry(row, id))
	}
	c.shadows[row].roams = false
}

// Renumber gives what is known of one row to another, whose own is gone: rows
// move when one is removed.
func (c *Crowd) Renumber(from, to int) {
	if from == to {
		return
	}
	for _, id := range c.CellsOf(from) {
		c.rosters.rename(id, int32(from), int32(to))
	}
	c.Obstacles[to], c.shadows[to] = c.Obstacles[from], c.shadows[from]
	if c.shadows[from].n < 0 {
		c.many[int32(to)] = c.many[int32(from)]
		delete(c.many, int32(from))
	}
	c.shadows[from] = shadow{}
}

// Filled appends to dst the cells that a body lies in by what it consists of (14
// §9 Registration of bodies).
func (s *Sweep) Filled(o *Obstacle, dst []space.CellID) []space.CellID {
	f := finder{world: s.World, list: s.cells[:0]}
	f.register(o, false)
	s.cells = f.list
	return s.Cells(dst)
}

// maxRegistered bounds how many of its cylinders a body is registered by (14 §9).
const maxRegistered = 10

// register fills the list with the cells that an obstacle is registered in, by
// what it consists of (14 §9 Registration of bodies). still is for objects of the
// land, which go by their boxes where bodies go by their sorting sphere.
func (f *finder) register(o *Obstacle, still bool) {
	t := f.world.Tables
	f.from = o.Place.Cell
	f.in = volume{}
	var cylinders []dat.Cylinder
	if o.Setup >= 0 {
		cylinders = t.CylindersOf(o.Setup)
	}
	turn := space.AxesOf(o.Place.Frame.Rotation)
	at := func(v space.Vec3) space.Vec3 { return space.Add(o.Place.Frame.Origin, turn.Out(v)) }
	bsp := o.State&components.HasPhysicsBSP != 0
	switch {
	case bsp || still && len(cylinders) == 0:
		f.in.boxes = f.world.boxes(o)
	case len(cylinders) > 0:
		for _, c := range cylinders[:min(len(cylinders), maxRegistered)] {
			f.in.spheres = append(f.in.spheres, dat.Sphere{Centre: at(c.Low), Radius: c.Radius})
		}
	default: // at the setup's size, whatever the scale
		b := DummySphere
		if o.Setup >= 0 {
			b = t.Setups[o.Setup].Sorting
		}
		f.in.spheres = append(f.in.spheres, dat.Sphere{Centre: at(b.Centre), Radius: b.Radius})
	}
	f.search()
	if still && f.from.Indoors() {
		f.prune()
	}
}

// prune keeps of the list the indoor cell that the search began in and those that
// it sees (14 §9 do_not_load; W-11).
func (f *finder) prune() {
	start := f.world.Land.cell(f.from)
	if !start.present() {
		return
	}
	in := start.indoor()
	visible := start.block.Land.Visible[in.FirstVisible : in.FirstVisible+in.VisibleCount]
	kept := f.list[:0]
	for _, c := range f.list {
		keep := c.id == f.from
		for _, v := range visible {
			keep = keep || c.id.SameBlock(f.from) && c.id.Index() == uint32(v)
		}
		if keep {
			kept = append(kept, c)
		}
	}
	f.list = kept
}

// boxes returns the boxes of an obstacle's parts, in the axes of its block. It is
// never nil.
func (w *World) boxes(o *Obstacle) []box {
	list := []box{}
	w.eachPart(o, func(h *dat.Hull, place *space.Position, scale float32) {
		var b box
		for i := range b.corners {
			v := h.Min
			for k := range 3 {
				if i>>k&1 != 0 {
					v[k] = h.Max[k]
				}
			}
			b.corners[i] = space.Add(place.Frame.Origin, space.LocalToGlobalVec(place.Frame.Rotation, space.Scale(v, scale)))
		}
		list = append(list, b)
	})
	return list
}

// Bytes returns the memory that the crowd takes.
func (c *Crowd) Bytes() uintptr {
	return uintptr(cap(c.Obstacles))*unsafe.Sizeof(Obstacle{}) + uintptr(cap(c.shadows))*unsafe.Sizeof(shadow{}) + c.rosters.bytes()
}

// Check walks what must hold of so many rows: each is in the list of each cell
// that it says it stands in, once, and in no other.
func (c *Crowd) Check(rows int) error {
	if len(c.Obstacles) != rows || len(c.shadows) != rows {
		return fmt.Errorf("crowd: %d and %d rows, not %d", len(c.Obstacles), len(c.shadows), rows)
	}
	entries := 0
	for i := range c.shadows {
		cells := c.CellsOf(i)
		entries += len(cells)
		for k, id := range cells {
			if slices.Contains(cells[:k], id) || c.Rank(i, id) < 0 {
				return fmt.Errorf("crowd: row %d stands in %08X, and %d times in %08X", i, cells, c.Rank(i, id)+1, uint32(id))
			}
			if other := c.disturbs(i, id); other >= 0 {
				return fmt.Errorf("crowd: row %d is calm until tick %d, and row %d is near in %d", i, c.shadows[i].calm, other, c.tick)
			}
		}
	}
	for i := range c.rosters.slots {
		entries -= int(c.rosters.slots[i].n)
	}
	if entries != 0 {
		return fmt.Errorf("crowd: %d more entries are said than there are", entries)
	}
	return nil
}
