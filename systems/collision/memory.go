package collision

import (
	"cmp"
	"slices"
	"unsafe"

	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// DefaultLandBytes is how much of a land is kept unless [Land.Limit] says
// otherwise: all the ground there is, and most of what stands on it.
const DefaultLandBytes = 256 << 20

// memory is what a land's loaded blocks take, and what is to go when that is too
// much. Guarded by Land.mu.
type memory struct {
	limit int64 // bytes
	bytes int64
	drops int
	old   []stale // scratch
}

// stale is a block that the last tick did not meet.
type stale struct {
	used uint32 // the epoch in which it was last met
	id   int32  // x<<8 | y
}

// Limit bounds the memory that loaded landblocks take, in bytes. It holds from
// the next [Land.EndTick] on, and has no effect on what sweeps come to: a block
// that is dropped is read again when it is met again. What one tick meets is
// kept, however much that is.
func (l *Land) Limit(bytes int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.memory.limit = max(0, bytes)
}

// Loaded returns how many landblocks are loaded, the bytes that they take, and
// how many have been dropped.
func (l *Land) Loaded() (blocks int, bytes int64, dropped int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, id := range l.loaded {
		if l.slots[id].block.Load().Land != nil {
			blocks++
		}
	}
	return blocks, l.memory.bytes, l.memory.drops
}

// EndTick drops, when the loaded blocks take more memory than [Land.Limit]
// allows, those that have not been met for the longest time, until an eighth
// less than that is left. The engine calls it when a tick is over. Those that the
// tick met stay, and so do the marks of blocks that are not on record.
func (l *Land) EndTick() {
	if l.flat != nil {
		return
	}
	now := l.epoch.Add(1) - 1
	l.mu.Lock()
	defer l.mu.Unlock()
	m := &l.memory
	if m.bytes <= m.limit {
		return
	}
	m.old = m.old[:0]
	for _, id := range l.loaded {
		s := &l.slots[id]
		if used := s.used.Load(); used != now && s.block.Load().Land != nil {
			m.old = append(m.old, stale{used, id})
		}
	}
	if len(m.old) == 0 {
		return
	}
	slices.SortFunc(m.old, func(a, b stale) int { // longest ago first; the epoch wraps after years
		return cmp.Or(cmp.Compare(now-b.used, now-a.used), cmp.Compare(a.id, b.id))
	})
	for _, s := range m.old {
		if m.bytes <= m.limit-m.limit/8 {
			break
		}
		slot := &l.slots[s.id].block
		m.bytes -= slot.Load().bytes
		m.drops++
		slot.Store(nil)
	}
	l.loaded = slices.DeleteFunc(l.loaded, func(id int32) bool { return l.slots[id].block.Load() == nil })
}

// count adds what a block takes more than it did to the land's sum. l.mu is held.
func (l *Land) count(b *Block) {
	now := b.size()
	l.memory.bytes += now - b.bytes
	b.bytes = now
}

// size is the memory that a block takes.
func (b *Block) size() int64 {
	d := b.Land
	return int64(unsafe.Sizeof(*b)+unsafe.Sizeof(*d)) +
		bytesOf(b.Statics) + bytesOf(b.first) + bytesOf(b.list) +
		bytesOf(d.Statics) + bytesOf(d.Buildings) + bytesOf(d.BuildingPortals) + bytesOf(d.BuildingCells) +
		bytesOf(d.Cells) + bytesOf(d.Portals) + bytesOf(d.Visible) + bytesOf(d.Restrictions)
}

func bytesOf[T any](s []T) int64 {
	var v T
	return int64(cap(s)) * int64(unsafe.Sizeof(v))
}

// base is the id of the block's cells but for their index.
func base(b *dat.Block) space.CellID { return space.CellID(uint32(b.X)<<24 | uint32(b.Y)<<16) }

// Furnish reads every block on record and puts its objects into its cells, so that
// nothing is left to be done on demand, and returns the first error. It is for land
// that fits into its limit.
func (l *Land) Furnish() error {
	if err := l.LoadAll(); err != nil {
		return err
	}
	l.mu.Lock()
	ids := slices.Clone(l.loaded)
	l.mu.Unlock()
	for _, id := range ids {
		if b := l.block(id>>8, id&0xFF); b.Land != nil {
			l.furnish(b)
		}
	}
	return nil
}
