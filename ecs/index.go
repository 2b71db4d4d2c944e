package ecs

import "math/rand/v2"

// index finds rows by guid: open addressing with linear probing, at most half
// full, eight bytes a slot, so that one look-up is mostly one cache line.
//
// Guids come from outside, and whoever can choose them must not be able to choose
// ones that lie in one another's way. So where a guid lies follows from a number
// that is drawn for each index. Nothing else does: slots are never walked but to
// make room.
type index struct {
	salt  uint32
	slots []indexSlot
	shift uint32 // 32 less the binary logarithm of len(slots)
	used  int
}

type indexSlot struct{ guid, row uint32 } // guid 0 is free

// newIndex returns an index with room for n guids before it must grow.
func newIndex(n int) index {
	x := index{salt: rand.Uint32(), shift: 32 - 4}
	for 1<<(32-x.shift) < 2*n {
		x.shift--
	}
	x.slots = make([]indexSlot, 1<<(32-x.shift))
	return x
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
		old := x.slots
		*x = newIndex(2 * (x.used + 1))
		for _, s := range old {
			if s.guid != 0 {
				x.set(s.guid, s.row)
			}
		}
	}
	mask := uint32(len(x.slots) - 1)
	for i := x.home(guid); ; i = (i + 1) & mask {
		s := &x.slots[i]
		if s.guid == guid {
			s.row = row
			return
		}
		if s.guid == 0 {
			*s = indexSlot{guid, row}
			x.used++
			return
		}
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
