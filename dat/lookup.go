package dat

import "cmp"

// lookup is one open-addressed table for the cycles, modifiers, links and style
// defaults of all motion tables: a look-up is a hash and, mostly, one cache line.
// It is at most half full, and no key is further than maxProbes from its place.
type lookup struct {
	slots []lookSlot // a power of two of them
	mask  uint32
	seed  uint64
}

type lookSlot struct {
	where      uint32 // table and part; 0 is an empty slot
	key, inner uint32
	value      int32
}

// compare orders slots by what is looked up.
func (s lookSlot) compare(o lookSlot) int {
	return cmp.Or(cmp.Compare(s.where, o.where), cmp.Compare(s.key, o.key), cmp.Compare(s.inner, o.inner))
}

// The parts of a motion table.
const (
	inCycles = 1 + iota
	inModifiers
	inLinks
	inDefaults
	partBits = 3
)

const (
	maxProbes = 128
	maxSeeds  = 16
	// maxLookups keeps the slots' number in 32 bits.
	maxLookups = 1 << 28
	maxTables  = 1 << (32 - partBits)
)

func lookWhere(part uint32, table int32) uint32 { return uint32(table)<<partBits | part }

func (l *lookup) start(where, key, inner uint32) uint32 {
	h := uint64(key)*0x9E3779B97F4A7C15 ^ uint64(inner)*0xC2B2AE3D27D4EB4F ^ uint64(where)*0x165667B19E3779F9
	h ^= l.seed
	h ^= h >> 29
	h *= 0xBF58476D1CE4E5B9
	return uint32(h>>32) & l.mask
}

// get returns the value of a key, or None.
func (l *lookup) get(part uint32, table int32, key, inner uint32) int32 {
	if len(l.slots) == 0 {
		return None
	}
	where := lookWhere(part, table)
	for i := l.start(where, key, inner); ; i = (i + 1) & l.mask {
		s := &l.slots[i]
		if s.where == where && s.key == key && s.inner == inner {
			return s.value
		}
		if s.where == 0 {
			return None
		}
	}
}

// makeLookup builds the table from distinct keys. Keys made to collide make it
// try other seeds, so that no file can make look-ups slow; false when none does.
func makeLookup(all []lookSlot) (lookup, bool) {
	size := 16
	for size < 2*len(all) {
		size *= 2
	}
	l := lookup{slots: make([]lookSlot, size), mask: uint32(size - 1)}
	for try := range uint64(maxSeeds) {
		l.seed = try * 0xD6E8FEB86659FD93
		if l.putAll(all) {
			return l, true
		}
		clear(l.slots)
	}
	return lookup{}, false
}

func (l *lookup) putAll(all []lookSlot) bool {
	for _, s := range all {
		i := l.start(s.where, s.key, s.inner)
		for n := 0; l.slots[i].where != 0; i = (i + 1) & l.mask {
			if n++; n > maxProbes {
				return false
			}
		}
		l.slots[i] = s
	}
	return true
}
