package ecs

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"github.com/gait-engine/gait/components"
	"github.com/mlange-42/arche/ecs"
)

// ErrGuid refuses a spawn without a guid, or with one that is taken.
var ErrGuid = errors.New("ecs: guid is 0 or taken")

// World holds the remotes. It is not safe for concurrent use, but for
// different rows of its columns inside [World.Each].
type World struct {
	Pools components.Pools

	arche    ecs.World
	ids      [columnCount]ecs.ID
	filter   ecs.Filter
	byGuid   index
	columns  Columns
	rows     int
	guids    []uint32 // by row: who it is, without a look at cold columns
	order    []uint32 // rows by ascending guid
	sorted   bool     // the rows themselves ascend by guid
	changes  uint64   // counts the Apply calls that changed rows
	spawns   []components.Values
	waiting  map[uint32]int      // where in spawns a guid is
	leaving  map[uint32]struct{} // guids to remove
	removals []uint32            // the same, reused for sorting
}

// NewWorld returns an empty world with room for capacity remotes before it
// must grow, which copies all columns.
func NewWorld(capacity int) *World {
	capacity = max(capacity, 64)
	w := &World{
		arche:   ecs.NewWorld(capacity),
		byGuid:  newIndex(capacity),
		waiting: make(map[uint32]int),
		leaving: make(map[uint32]struct{}),
		sorted:  true,
	}
	w.ids = register(&w.arche)
	w.filter = ecs.All(w.ids[:]...)
	return w
}

// Rows returns the number of remotes.
func (w *World) Rows() int { return w.rows }

// Columns returns the components of all remotes, good until rows change.
func (w *World) Columns() *Columns { return &w.columns }

// Changes counts how often rows have come, gone or moved.
func (w *World) Changes() uint64 { return w.changes }

// Sorted reports whether rows ascend by guid as they lie.
func (w *World) Sorted() bool { return w.sorted }

// Guid returns whose a row is.
func (w *World) Guid(row int) uint32 { return w.guids[row] }

// Order returns the rows by ascending guid, good until rows change.
func (w *World) Order() []uint32 { return w.order }

// AppendPart appends the rows of those who fall to one of so many parts, in guid order.
// Who falls where depends on his guid alone. Guids that follow each other fall to one
// part by sixteens, so that their rows lie together and are read three times as fast, and
// the sixteens to all parts alike.
func (w *World) AppendPart(rows []uint32, part, of uint32) []uint32 {
	const golden = 0x9E3779B1 // 2^32 over the golden ratio: its multiples lie evenly
	for _, row := range w.order {
		if uint64((w.guids[row]>>4)*golden)*uint64(of)>>32 == uint64(part) {
			rows = append(rows, row)
		}
	}
	return rows
}

// Row returns the row of a remote, in constant time.
func (w *World) Row(guid uint32) (int, bool) {
	row, ok := w.byGuid.get(guid)
	return int(row), ok
}

// Spawn asks for a new remote. It gets its row in the next [World.Apply]. A
// guid that lives or waits already is refused, unless its removal has been
// asked for before.
func (w *World) Spawn(v *components.Values) error {
	guid := v.Identity.Guid
	_, lives := w.byGuid.get(guid)
	_, waits := w.waiting[guid]
	_, leaves := w.leaving[guid]
	if guid == 0 || waits || lives && !leaves {
		return fmt.Errorf("%w: 0x%08X", ErrGuid, guid)
	}
	w.waiting[guid] = len(w.spawns)
	w.spawns = append(w.spawns, *v)
	return nil
}

// Lives reports whether there is a remote with this guid, or will be after the
// next [World.Apply].
func (w *World) Lives(guid uint32) bool {
	_, waits := w.waiting[guid]
	_, lives := w.byGuid.get(guid)
	_, leaves := w.leaving[guid]
	return waits || lives && !leaves
}

// Leaving reports whether the removal of a remote has been asked for.
func (w *World) Leaving(guid uint32) bool {
	_, leaves := w.leaving[guid]
	return leaves
}

// Remove asks for a remote to go in the next [World.Apply]; one whose spawn
// still waits is forgotten. It reports whether there was one.
func (w *World) Remove(guid uint32) bool {
	if i, waits := w.waiting[guid]; waits { // the last takes its place: Apply sorts them
		last := len(w.spawns) - 1
		w.spawns[i] = w.spawns[last]
		w.waiting[w.spawns[i].Identity.Guid] = i
		w.spawns = w.spawns[:last]
		delete(w.waiting, guid)
		return true
	}
	_, lives := w.byGuid.get(guid)
	_, leaves := w.leaving[guid]
	if !lives || leaves {
		return false
	}
	w.leaving[guid] = struct{}{}
	return true
}

// Apply removes and then spawns what was asked for, each in guid order. It calls
// gone with every row that goes, just before it does, and born with every new
// row when all are there, each in guid order. It reports whether anything changed.
func (w *World) Apply(gone, born func(row int)) bool {
	if len(w.spawns)+len(w.leaving) == 0 {
		return false
	}
	w.changes++
	w.removals = w.removals[:0]
	for guid := range w.leaving { // any order: sorted next
		w.removals = append(w.removals, guid)
	}
	clear(w.leaving)
	slices.Sort(w.removals)
	for _, guid := range w.removals {
		row, _ := w.Row(guid)
		gone(row)
		w.remove(guid, row)
	}

	slices.SortFunc(w.spawns, func(a, b components.Values) int { return cmp.Compare(a.Identity.Guid, b.Identity.Guid) })
	first := w.rows
	if n := len(w.spawns); n > 0 {
		w.arche.Batch().New(n, w.ids[:]...) // they get the next rows, in order
		for i := range w.spawns {
			w.byGuid.set(w.spawns[i].Identity.Guid, uint32(w.rows+i))
		}
		w.rows += n
	}
	w.refresh()
	for i := range w.spawns {
		w.columns.set(first+i, &w.spawns[i])
	}
	if cap(w.spawns) > 4096 {
		w.spawns = nil // a bulk spawn's copy is not worth keeping
	}
	w.spawns = w.spawns[:0]
	clear(w.waiting)
	w.sortRows()
	for i := first; i < w.rows; i++ {
		born(i)
	}
	return true
}

// remove takes one remote out; the last row moves into its place.
func (w *World) remove(guid uint32, row int) {
	var r components.Row
	w.columns.At(row, &r)
	r.Release(&w.Pools)
	q := w.arche.Query(w.filter)
	entity := q.EntityAt(row) // constant time: there is one archetype
	q.Close()
	w.arche.RemoveEntity(entity)
	w.byGuid.remove(guid)
	w.rows--
	if row != w.rows {
		moved := w.guids[w.rows]
		w.guids[row] = moved
		w.byGuid.set(moved, uint32(row))
	}
}

// refresh fetches the columns anew.
func (w *World) refresh() {
	if w.rows == 0 {
		w.columns = Columns{}
		return
	}
	q := w.arche.Query(w.filter)
	q.Next()
	w.columns.take(&q, &w.ids, w.rows)
	q.Close()
}

// sortRows brings order up to date.
func (w *World) sortRows() {
	w.order = slices.Grow(w.order[:0], w.rows)[:w.rows]
	w.guids = slices.Grow(w.guids[:0], w.rows)[:w.rows]
	for i := range w.guids {
		w.guids[i] = w.columns.Cold[i].Identity.Guid
	}
	w.sorted = true
	for i := range w.order {
		w.order[i] = uint32(i)
		w.sorted = w.sorted && (i == 0 || w.guids[i-1] < w.guids[i])
	}
	if !w.sorted {
		slices.SortFunc(w.order, func(a, b uint32) int { return cmp.Compare(w.guids[a], w.guids[b]) })
	}
}

// Bytes returns the memory that the remotes take: columns with their spare
// capacity, overflow pools, and what finds them by guid.
func (w *World) Bytes() uintptr {
	const entitySlot = 8 + 16 + 8 // arche: entity in its archetype, index entry, pool entry
	n := uintptr(0)
	for _, s := range w.arche.Stats().Nodes {
		n += uintptr(s.Capacity) * (RowBytes + entitySlot)
	}
	n += uintptr(len(w.byGuid.slots))*unsafe.Sizeof(indexSlot{}) + uintptr(cap(w.order)+cap(w.guids))*4
	return n + w.Pools.Bytes()
}

// Waits reports whether a remote waits to come.
func (w *World) Waits(guid uint32) bool { _, waits := w.waiting[guid]; return waits }

// EachWaiting calls f with every remote that waits to come, in guid order, and
// returns the first error.
func (w *World) EachWaiting(f func(r *components.Row) error) error {
	for _, guid := range sortedKeys(w.waiting) {
		r := w.spawns[w.waiting[guid]].Row()
		if err := f(&r); err != nil {
			return err
		}
	}
	return nil
}
