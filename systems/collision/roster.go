package collision

import (
	"unsafe"

	"github.com/gait-engine/gait/space"
)

// rosters are the rows that are registered in cells: for each cell a list whose
// order is state (14 L2). They lie in a hash table, so that a cell costs one look
// into memory, two where several stand in it. The zero rosters are empty.
type rosters struct {
	slots []roster
	spare []roster // what grew out of use, for the next time the table is cleaned
	used  int      // slots with a cell, empty lists included
	shift uint32
	runs  []entry     // lists that do not fit a slot
	free  [32][]int32 // where in runs there is room for 2<<k entries, by k
}

// roster is the list of one cell: its n entries are one, or runs[at-1:].
type roster struct {
	id   space.CellID // 0: no cell
	n    int32
	at   int32
	size int32 // the run has room for 2<<size
	one  [1]entry

	tick, guid uint32 // up to whose turn the order stands ([Crowd.bring])
	roam       int32  // how many of the entries roam
}

// entry is a row in a list, with where it stood when it was registered, in plan
// and in the axes of the cell's block, and how far it reaches from there until it
// is registered again, metres: most others are too far off for more to be looked at.
type entry struct {
	row         int32
	x, y, reach float32
}

// beyond reports whether it does not reach to within far of a point, in plan.
func (e *entry) beyond(x, y, far float32) bool {
	x, y = x-e.x, y-e.y
	far += e.reach
	return float32(x*x)+float32(y*y) > float32(far*far)
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
func (r *rosters) fetch(id space.CellID) int32 {
	if len(r.slots) == 0 {
		return 0
	}
	return r.slots[r.home(id)].n
}

// fetchList is [Crowd.FetchList].
func (r *rosters) fetchList(id space.CellID) int32 {
	if len(r.slots) == 0 {
		return 0
	}
	if s := &r.slots[r.home(id)]; s.at != 0 {
		return r.runs[s.at-1].row
	}
	return 0
}

// in returns the list of a cell, good until the next change.
func (r *rosters) in(id space.CellID) []entry {
	s := r.find(id)
	if s == nil {
		return nil
	}
	return r.list(s)
}

func (r *rosters) list(s *roster) []entry {
	if s.at != 0 {
		return r.runs[s.at-1:][:s.n]
	}
	return s.one[:s.n]
}

// index returns where in a list a row is, −1 nowhere.
func index(list []entry, row int32) int {
	for i := range list {
		if list[i].row == row {
			return i
		}
	}
	return -1
}

// add appends an entry to a cell's list.
func (r *rosters) add(s *roster, e entry) {
	s.roam += e.roaming()
	switch {
	case s.at == 0 && s.n == 0:
		s.one[0] = e
		s.n = 1
		return
	case s.at == 0:
		s.at = r.run(0) + 1
		s.size = 0
		r.runs[s.at-1] = s.one[0]
	case s.n == 2<<s.size:
		at := r.run(s.size+1) + 1
		copy(r.runs[at-1:], r.list(s))
		r.free[s.size] = append(r.free[s.size], s.at-1)
		s.at, s.size = at, s.size+1
	}
	r.runs[s.at-1+s.n] = e
	s.n++
}

// run takes room for 2<<k entries.
func (r *rosters) run(k int32) int32 {
	if last := len(r.free[k]) - 1; last >= 0 {
		at := r.free[k][last]
		r.free[k] = r.free[k][:last]
		return at
	}
	at := len(r.runs)
	r.runs = append(r.runs, make([]entry, 2<<k)...)
	return int32(at)
}

// strike takes a row out of a cell's list: the last takes its place.
func (r *rosters) strike(s *roster, row int32) {
	list := r.list(s)
	at, last := index(list, row), len(list)-1
	s.roam -= list[at].roaming()
	list[at] = list[last]
	s.n--
	if last == 0 && s.at != 0 { // not before, lest a list that breathes is moved all the time
		r.free[s.size] = append(r.free[s.size], s.at-1)
		s.at = 0
	}
}

// renew is strike and add in one: the last takes the row's place, and the row the last's.
func (r *rosters) renew(s *roster, e entry) {
	list := r.list(s)
	at, last := index(list, e.row), len(list)-1
	s.roam += e.roaming() - list[at].roaming()
	list[at] = list[last]
	list[last] = e
}

// change is renew without a change of place.
func (r *rosters) change(s *roster, e entry) {
	list := r.list(s)
	at := index(list, e.row)
	s.roam += e.roaming() - list[at].roaming()
	list[at] = e
}

// rename gives a row's place in a cell's list to another.
func (r *rosters) rename(id space.CellID, from, to int32) {
	list := r.in(id)
	list[index(list, from)].row = to
}

// claim returns the slot of a cell, taking one when it has none: then cleaning the
// table of cells that are empty, and doubling it when that does not make room enough.
func (r *rosters) claim(id space.CellID) *roster {
	if s := r.find(id); s != nil {
		return s
	}
	if (r.used+1)*4 > len(r.slots)*3 {
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
	for alive*2 > size {
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
	n := uintptr(cap(r.slots)+cap(r.spare)) * unsafe.Sizeof(roster{})
	n += uintptr(cap(r.runs)) * unsafe.Sizeof(entry{})
	for k := range r.free {
		n += uintptr(cap(r.free[k])) * 4
	}
	return n
}
