package ecs

import (
	"maps"
	"slices"

	"github.com/gait-engine/gait/components"
)

// The sections of a world.
const (
	sectionGuids byte = iota + 1
	sectionColumns
	sectionWaiting
	// SectionOthers is the first of those that are not the world's.
	SectionOthers
)

// WorldLayout digests what [World.Save] writes.
func WorldLayout() uint64 {
	var h Hash
	h.U64(LayoutOf[components.Values]().Sum())
	var v components.Values
	x := lists{sum: &h, pools: &components.Pools{}}
	x.values(&v)
	return h.Sum()
}

// Save writes all remotes, in guid order whatever rows they have, and who waits to
// come and to go. What it writes follows from the state alone: neither where lists
// lie in their pools nor what lies in room that is not used is in it. A mover is
// written as awake: its sequence must have been brought up to date first.
func (w *World) Save(to *Writer) {
	to.Section(sectionGuids)
	var some [ColumnRows]uint32
	for from := 0; from < w.rows; from += ColumnRows {
		rows := some[:min(ColumnRows, w.rows-from)]
		for i := range rows {
			rows[i] = w.guids[w.Nth(from+i)]
		}
		WriteRows(to, rows)
	}
	to.Section(sectionColumns)
	x := &lists{pools: &w.Pools, writing: true}
	c := &w.columns
	save(w, to, x, c.Cold, x.cold)
	save(w, to, x, c.Pose, nothing)
	save(w, to, x, c.Body, nothing)
	save(w, to, x, c.Sequence, x.sequence)
	save(w, to, x, c.Pending, x.pending)
	save(w, to, x, c.Chase, x.chase)
	save(w, to, x, c.Leash, nothing)
	save(w, to, x, c.Rest, func(r *components.Rest) { r.Since = 0 })
	save(w, to, x, c.Touch, x.touch)

	to.Section(sectionWaiting)
	to.U32(uint32(len(w.spawns)))
	for _, guid := range sortedKeys(w.waiting) {
		v := []components.Values{w.spawns[w.waiting[guid]]}
		x.values(&v[0])
		WriteRows(to, v)
		to.Raw(x.taken())
	}
	to.U32(uint32(len(w.leaving)))
	WriteRows(to, sortedKeys(w.leaving))
}

func sortedKeys[T any](m map[uint32]T) []uint32 { return slices.Sorted(maps.Keys(m)) }

// save writes a column: some rows' numbers, then what part took from them, then the
// next rows.
func save[T any](w *World, to *Writer, x *lists, column []T, part func(*T)) {
	some := make([]T, min(ColumnRows, w.rows))
	for from := 0; from < w.rows; from += ColumnRows {
		rows := some[:min(ColumnRows, w.rows-from)]
		for i := range rows {
			rows[i] = column[w.Nth(from+i)]
			part(&rows[i])
		}
		WriteColumn(to, rows)
		to.Raw(x.taken())
	}
}

// taken returns what the walk has written since it was last called, good until it
// writes again.
func (x *lists) taken() []byte {
	b := x.out
	x.out = x.out[:0]
	return b
}

// Load fills an empty world with what [World.Save] wrote: rows are in guid order.
// What it refuses is the reader's error; the world is then good for nothing.
func (w *World) Load(from *Reader) {
	from.Section(sectionGuids)
	n := int(from.Header.Rows)
	var guids []uint32
	for last := uint32(0); len(guids) < n && from.Err() == nil; {
		some := make([]uint32, min(ColumnRows, n-len(guids)))
		TakeRows(from, some)
		for _, guid := range some {
			if guid <= last {
				from.Fail("guid 0x%08X comes after 0x%08X", guid, last)
				return
			}
			last = guid
		}
		guids = append(guids, some...) // as many as are there, whatever the header says
	}
	from.Section(sectionColumns)
	if from.Err() != nil {
		return
	}
	w.populate(guids)
	x := &lists{pools: &w.Pools, from: from}
	c := &w.columns
	load(from, c.Cold, x.cold)
	load(from, c.Pose, nothing)
	load(from, c.Body, nothing)
	load(from, c.Sequence, x.sequence)
	load(from, c.Pending, x.pending)
	load(from, c.Chase, x.chase)
	load(from, c.Leash, nothing)
	load(from, c.Rest, func(r *components.Rest) {
		if r.Since != 0 {
			from.Fail("something rests since tick %d", r.Since)
		}
	})
	load(from, c.Touch, x.touch)
	for i := range c.Cold {
		if c.Cold[i].Identity.Guid != guids[i] {
			from.Fail("0x%08X in the row of 0x%08X", c.Cold[i].Identity.Guid, guids[i])
			return
		}
	}

	from.Section(sectionWaiting)
	v := make([]components.Values, 1)
	for range from.U32() {
		TakeRows(from, v)
		x.values(&v[0])
		if from.Err() != nil {
			return
		}
		w.waits(&v[0], from)
	}
	one := make([]uint32, 1)
	for range from.U32() {
		TakeRows(from, one)
		if from.Err() != nil {
			return
		}
		if _, lives := w.byGuid.get(one[0]); !lives || w.Leaving(one[0]) {
			from.Fail("0x%08X leaves and is not there", one[0])
		}
		w.leaving[one[0]] = struct{}{}
	}
	for guid := range w.waiting {
		if _, lives := w.byGuid.get(guid); lives && !w.Leaving(guid) {
			from.Fail("0x%08X is to come, and is there", guid)
		}
	}
}

// waits notes a spawn that waits. Who goes in the same tick is not known yet.
func (w *World) waits(v *components.Values, from *Reader) {
	guid := v.Identity.Guid
	if _, twice := w.waiting[guid]; guid == 0 || twice {
		from.Fail("0x%08X is to come twice", guid)
	}
	w.waiting[guid] = len(w.spawns)
	w.spawns = append(w.spawns, *v)
}

// populate gives an empty world rows with these guids, which ascend.
func (w *World) populate(guids []uint32) {
	if len(guids) == 0 {
		return
	}
	w.arche.Batch().New(len(guids), w.ids[:]...)
	w.rows = len(guids)
	w.byGuid = newIndex(len(guids))
	for i, guid := range guids {
		w.byGuid.set(guid, uint32(i))
	}
	w.guids = guids
	w.changes++
	w.refresh()
}

func load[T any](from *Reader, column []T, join func(*T)) {
	for len(column) > 0 && from.Err() == nil {
		some := column[:min(ColumnRows, len(column))]
		TakeColumn(from, some)
		for i := range some {
			join(&some[i])
		}
		column = column[len(some):]
	}
}
