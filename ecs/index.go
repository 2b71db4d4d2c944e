package ecs

// index finds rows by guid: open addressing with linear probing, at most half
// full, eight bytes a slot, so that one look-up is mostly one cache line.
//
// Guids come from outside, and who chooses them may choose ones that lie in one
// another's way. When one comes to lie far from home, all are laid out anew in
// another way, the next of a fixed row of ways; nothing is drawn, and slots are
// never walked but to make room. Who knows the row can make every [farthest]
// guids cost one such move, and no look-up cost more.
type index struct {
	salt  uint32 // the way
	slots []indexSlot
	shift uint32 // 32 less the binary logarithm of len(slots)
	used  int
}

type indexSlot struct{ guid, row uint32 } // guid 0 is free

// farthest is how many slots from home a guid may lie: of a million that nobody
// chose none lies half as far.
const farthest = 128

// newIndex returns an index with room for n guids before it must grow.
func newIndex(n int) index {
	x := index{shift: 32 - 4}
	for 1<<(32-x.shift) < 2*n {
		x.shift--
	}
	x.slots = make([]indexSlot, 1<<(32-x.shift))
	return x
}

// move lays all guids out anew, with room for n.
func (x *index) move(n int, salt uint32) {
	old := x.slots
	*x = newIndex(n)
	x.salt = salt
	for _, s := range old {
		if s.guid != 0 {
			x.put(s.guid, s.row)
		}
	}
}

// home is where the search for a guid begins. The multiplications spread runs; the
// shifts between them let every bit of the guid and of the salt tell.
func (x *index) home(guid uint32) uint32 {
	h := (guid ^ x.salt) * 0x9E3779B1
	h = (h ^ h>>15 ^ x.salt) * 0x85EBCA6B
	return (h ^ h>>13) * 0xC2B2AE35 >> x.shift
}

// get returns the row of a guid.
func (x *index) get(guid uint32) (row uint32, ok bool) {
	mask := uint32(len(x.slots) - 1)
	for i := x.home(guid); ; i = (i + 1) & mask {
		switch s := &x.slots[i]; s.guid {
		case guid:
			return s.row, guid != 0
		case 0:
			return 0, false
		}
	}
}

// set stores the row of a guid, which is not 0.
func (x *index) set(guid, row uint32) {
	if 2*(x.used+1) > len(x.slots) {
		x.move(2*(x.used+1), x.salt)
	}
	if x.put(guid, row) > farthest {
		x.move(len(x.slots)/2, x.salt+0x9E3779B9)
	}
}

// put is set where there is room; it returns how far from home the guid lies.
func (x *index) put(guid, row uint32) (far int) {
	mask := uint32(len(x.slots) - 1)
	for i := x.home(guid); ; i = (i + 1) & mask {
		s := &x.slots[i]
		if s.guid == guid {
			s.row = row
			return far
		}
		if s.guid == 0 {
			*s = indexSlot{guid, row}
			x.used++
			return far
		}
		far++
	}
}

// remove forgets a guid; those that it had pushed on move up.
func (x *index) remove(guid uint32) {
	mask := uint32(len(x.slots) - 1)
	i := x.home(guid)
	for x.slots[i].guid != guid {
		if x.slots[i].guid == 0 {
			return
		}
		i = (i + 1) & mask
	}
	x.used--
	for j := (i + 1) & mask; x.slots[j].guid != 0; j = (j + 1) & mask {
		// slot j may move to i unless its home lies between them
		if home := x.home(x.slots[j].guid); (j-home)&mask >= (j-i)&mask {
			x.slots[i] = x.slots[j]
			i = j
		}
	}
	x.slots[i] = indexSlot{}
}
