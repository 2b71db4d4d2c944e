package ecs

import (
	"math"
	"unsafe"

	"github.com/gait-engine/gait/components"
	"github.com/mlange-42/arche/ecs"
)

// Columns are the components of all remotes, a slice each; row i of every
// slice is one remote.
type Columns struct {
	Cold     []components.Cold
	Pose     []components.Pose
	Body     []components.Body
	Sequence []components.Sequence
	Pending  []components.Pending
	Chase    []components.Chase
	Leash    []components.Leash
	Rest     []components.Rest
	Touch    []components.Touch
}

// At points r at row i.
func (c *Columns) At(i int, r *components.Row) {
	r.SetCold(&c.Cold[i])
	r.Pose = &c.Pose[i]
	r.Body = &c.Body[i]
	r.Sequence = &c.Sequence[i]
	r.Pending = &c.Pending[i]
	r.Chase = &c.Chase[i]
	r.Leash = &c.Leash[i]
	r.Rest = &c.Rest[i]
	r.Touch = &c.Touch[i]
}

// Fetch reads a little of all that an event looks at of row i. Called for some rows before
// the first of them is told something, it has all their memory come at once. What it
// returns means nothing.
func (c *Columns) Fetch(i int) uint32 {
	cold, seq := &c.Cold[i], &c.Sequence[i]
	x := cold.Identity.Guid + math.Float32bits(cold.Traits.JumpHeight) + math.Float32bits(cold.Interpreted.TurnSpeed)
	if cold.Errand.Own.Empty() {
		x++
	}
	return x + uint32(c.Pose[i].Cell) + uint32(c.Body[i].State) + uint32(seq.Curr) + seq.PlacementID + c.Pending[i].Counter +
		uint32(c.Chase[i].Fail) + math.Float32bits(c.Leash[i].Max) + c.Rest[i].Since
}

// set copies v into row i.
func (c *Columns) set(i int, v *components.Values) {
	c.Cold[i] = v.Cold
	c.Pose[i] = v.Pose
	c.Body[i] = v.Body
	c.Sequence[i] = v.Sequence
	c.Pending[i] = v.Pending
	c.Chase[i] = v.Chase
	c.Leash[i] = v.Leash
	c.Rest[i] = v.Rest
	c.Touch[i] = v.Touch
}

// columnCount is the number of components of a remote.
const columnCount = 9

// register names the components to arche, in the order of Columns.
func register(w *ecs.World) [columnCount]ecs.ID {
	return [columnCount]ecs.ID{
		ecs.ComponentID[components.Cold](w),
		ecs.ComponentID[components.Pose](w),
		ecs.ComponentID[components.Body](w),
		ecs.ComponentID[components.Sequence](w),
		ecs.ComponentID[components.Pending](w),
		ecs.ComponentID[components.Chase](w),
		ecs.ComponentID[components.Leash](w),
		ecs.ComponentID[components.Rest](w),
		ecs.ComponentID[components.Touch](w),
	}
}

// take fetches the columns of the one archetype as slices of n rows. arche
// keeps each component of an archetype in one array, so the first row's address
// and the count are the column.
func (c *Columns) take(q *ecs.Query, ids *[columnCount]ecs.ID, n int) {
	c.Cold = column[components.Cold](q, ids[0], n)
	c.Pose = column[components.Pose](q, ids[1], n)
	c.Body = column[components.Body](q, ids[2], n)
	c.Sequence = column[components.Sequence](q, ids[3], n)
	c.Pending = column[components.Pending](q, ids[4], n)
	c.Chase = column[components.Chase](q, ids[5], n)
	c.Leash = column[components.Leash](q, ids[6], n)
	c.Rest = column[components.Rest](q, ids[7], n)
	c.Touch = column[components.Touch](q, ids[8], n)
}

func column[T any](q *ecs.Query, id ecs.ID, n int) []T {
	return unsafe.Slice((*T)(q.Get(id)), n)
}

// RowBytes is what one remote takes in the columns.
const RowBytes = unsafe.Sizeof(components.Cold{}) + unsafe.Sizeof(components.Pose{}) + unsafe.Sizeof(components.Body{}) +
	unsafe.Sizeof(components.Sequence{}) + unsafe.Sizeof(components.Pending{}) + unsafe.Sizeof(components.Chase{}) +
	unsafe.Sizeof(components.Leash{}) + unsafe.Sizeof(components.Rest{}) + unsafe.Sizeof(components.Touch{})
