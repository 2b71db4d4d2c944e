package collision

import (
	"slices"

	"github.com/gait-engine/gait/space"
)

// rosters are the rows that are registered in cells: for each cell a list whose
// order is state (14 L2). They lie in a hash table, so that a cell costs one look
// into memory, wherever it is. The zero rosters are empty.
type rosters struct {
	slots []roster
	spare []roster // what grew out of use, for the next time the table is cleaned
	used  int      // slots with a cell, empty lists included
	shift uint32
	over  [][]int32 // whole lists that do not fit a slot
	free  []int32   // in over
}

// rosterRoom is how many rows a slot holds.
const rosterRoom = 5

// roster is the list of one cell: its n rows are rows[:n], or over[rows[0]] when
// they do not fit.
type roster struct {
	id   space.CellID // 0: no cell
	n    int32
	long bool
	rows [rosterRoom]int32
}

func (r *rosters) home(id space.CellID) uint32 { return uint32(id) * 0x9E3779B1 >> r.shift }

// find returns the slot of a cell, nil when it has none.
func (r *rosters) find(id space.CellID) *roster {
	if len(r.slots) == 0 {
		return nil
	}
	mask := uint32(len(r.slots) - 1)
	for i := r.home(id); ; i = (i + 1) & mask {
		switch s := &r.slots[i]; s.id {
		case id:
			return s
		case 0:
			return nil
		}
	}
}

// fetch is [Crowd.Fetch].
func (r *rosters) fetch(id space.CellID) space.CellID {
	if len(r.slots) == 0 {
		return 0
	}
	return r.slots[r.home(id)].id
}

// in returns the rows of a cell, good until the next change.
func (r *rosters) in(id space.CellID) []int32 {
	s := r.find(id)
	if s == nil {
		return nil
	}
	return r.list(s)
}

func (r *rosters) list(s *roster) []int32 {
	if s.long {
		return r.over[s.rows[0]]
	}
	return s.rows[:s.n]
}

// add appends a row to a cell's list.
func (r *rosters) add(id space.CellID, row int32) {
	s := r.find(id)
	if s == nil {
		s = r.claim(id)
	}
	switch {
	case s.long:
		r.over[s.rows[0]] = append(r.over[s.rows[0]], row)
	case s.n < rosterRoom:
		s.rows[s.n] = row
	default:
		k := r.longList()
		r.over[k] = append(append(r.over[k][:0], s.rows[:]...), row)
		s.rows[0], s.long = k, true
	}
	s.n++
}

func (r *rosters) longList() int32 {
	if last := len(r.free) - 1; last >= 0 {
		k := r.free[last]
		r.free = r.free[:last]
		return k
	}
	r.over = append(r.over, nil)
	return int32(len(r.over) - 1)
}

// strike takes a row out of a cell's list: the last takes its place.
func (r *rosters) strike(id space.CellID, row int32) {
	s := r.find(id)
	list := r.list(s)
	last := len(list) - 1
	list[slices.Index(list, row)] = list[last]
	s.n--
	if !s.long {
		return
	}
	k := s.rows[0]
	r.over[k] = list[:last]
	if last <= rosterRoom/2 { // not at once, lest a list that breathes is moved all the time
		copy(s.rows[:], list[:last])
		s.long = false
		r.free = append(r.free, k)
	}
}

// rename gives a row's place in a cell's list to another.
func (r *rosters) rename(id space.CellID, from, to int32) {
	list := r.in(id)
	list[slices.Index(list, from)] = to
}

// claim takes a slot for a cell, cleaning the table of cells that are empty, and
// doubling it when that does not make room enough.
func (r *rosters) claim(id space.CellID) *roster {
	if (r.used+1)*2 > len(r.slots) {
		r.rebuild()
	}
	s := r.open(id)
	*s = roster{id: id}
	r.used++
	return s
}

// open finds the slot where a cell that is not there belongs.
func (r *rosters) open(id space.CellID) *roster {
	mask := uint32(len(r.slots) - 1)
	i := r.home(id)
	for r.slots[i].id != 0 {
		i = (i + 1) & mask
	}
	return &r.slots[i]
}

func (r *rosters) rebuild() {
	alive := 0
	for i := range r.slots {
		if r.slots[i].n > 0 {
			alive++
		}
	}
	size := max(1<<10, len(r.slots))
	for alive*4 > size {
		size *= 2
	}
	old := r.slots
	if cap(r.spare) >= size {
		r.slots = r.spare[:size]
		clear(r.slots)
	} else {
		r.slots = make([]roster, size)
	}
	r.spare, r.used, r.shift = old, 0, 32
	for n := size; n > 1; n >>= 1 {
		r.shift--
	}
	for i := range old {
		if old[i].n > 0 {
			*r.open(old[i].id) = old[i]
			r.used++
		}
	}
}

// bytes is the memory that the lists take.
func (r *rosters) bytes() uintptr {
	n := uintptr(cap(r.slots)+cap(r.spare)) * 32
	for i := range r.over {
		n += uintptr(cap(r.over[i]))*4 + 24
	}
	return n
}
