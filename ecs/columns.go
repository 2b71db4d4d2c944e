package ecs

import (
	"unsafe"

	"github.com/gait-engine/gait/components"
	"github.com/mlange-42/arche/ecs"
)

// Columns are the components of all remotes, a slice each; row i of every
// slice is one remote.
type Columns struct {
	Identity    []components.Identity
	Traits      []components.Traits
	Pose        []components.Pose
	Anchors     []components.Anchors
	Body        []components.Body
	Sequence    []components.Sequence
	MotionState []components.MotionState
	Interpreted []components.Interpreted
	Raw         []components.Raw
	Interpreter []components.Interpreter
	Pending     []components.Pending
	Chase       []components.Chase
	Leash       []components.Leash
	Stamps      []components.Stamps
	Rest        []components.Rest
	Errand      []components.Errand
}

// At points r at row i.
func (c *Columns) At(i int, r *components.Row) {
	r.Identity = &c.Identity[i]
	r.Traits = &c.Traits[i]
	r.Pose = &c.Pose[i]
	r.Anchors = &c.Anchors[i]
	r.Body = &c.Body[i]
	r.Sequence = &c.Sequence[i]
	r.MotionState = &c.MotionState[i]
	r.Interpreted = &c.Interpreted[i]
	r.Raw = &c.Raw[i]
	r.Interpreter = &c.Interpreter[i]
	r.Pending = &c.Pending[i]
	r.Chase = &c.Chase[i]
	r.Leash = &c.Leash[i]
	r.Stamps = &c.Stamps[i]
	r.Rest = &c.Rest[i]
	r.Errand = &c.Errand[i]
}

// set copies v into row i.
func (c *Columns) set(i int, v *components.Values) {
	c.Identity[i] = v.Identity
	c.Traits[i] = v.Traits
	c.Pose[i] = v.Pose
	c.Anchors[i] = v.Anchors
	c.Body[i] = v.Body
	c.Sequence[i] = v.Sequence
	c.MotionState[i] = v.MotionState
	c.Interpreted[i] = v.Interpreted
	c.Raw[i] = v.Raw
	c.Interpreter[i] = v.Interpreter
	c.Pending[i] = v.Pending
	c.Chase[i] = v.Chase
	c.Leash[i] = v.Leash
	c.Stamps[i] = v.Stamps
	c.Rest[i] = v.Rest
	c.Errand[i] = v.Errand
}

// columnCount is the number of components of a remote.
const columnCount = 16

// register names the components to arche, in the order of Columns.
func register(w *ecs.World) [columnCount]ecs.ID {
	return [columnCount]ecs.ID{
		ecs.ComponentID[components.Identity](w),
		ecs.ComponentID[components.Traits](w),
		ecs.ComponentID[components.Pose](w),
		ecs.ComponentID[components.Anchors](w),
		ecs.ComponentID[components.Body](w),
		ecs.ComponentID[components.Sequence](w),
		ecs.ComponentID[components.MotionState](w),
		ecs.ComponentID[components.Interpreted](w),
		ecs.ComponentID[components.Raw](w),
		ecs.ComponentID[components.Interpreter](w),
		ecs.ComponentID[components.Pending](w),
		ecs.ComponentID[components.Chase](w),
		ecs.ComponentID[components.Leash](w),
		ecs.ComponentID[components.Stamps](w),
		ecs.ComponentID[components.Rest](w),
		ecs.ComponentID[components.Errand](w),
	}
}

// take fetches the columns of the one archetype as slices of n rows. arche
// keeps each component of an archetype in one array, so the first row's address
// and the count are the column.
func (c *Columns) take(q *ecs.Query, ids *[columnCount]ecs.ID, n int) {
	c.Identity = column[components.Identity](q, ids[0], n)
	c.Traits = column[components.Traits](q, ids[1], n)
	c.Pose = column[components.Pose](q, ids[2], n)
	c.Anchors = column[components.Anchors](q, ids[3], n)
	c.Body = column[components.Body](q, ids[4], n)
	c.Sequence = column[components.Sequence](q, ids[5], n)
	c.MotionState = column[components.MotionState](q, ids[6], n)
	c.Interpreted = column[components.Interpreted](q, ids[7], n)
	c.Raw = column[components.Raw](q, ids[8], n)
	c.Interpreter = column[components.Interpreter](q, ids[9], n)
	c.Pending = column[components.Pending](q, ids[10], n)
	c.Chase = column[components.Chase](q, ids[11], n)
	c.Leash = column[components.Leash](q, ids[12], n)
	c.Stamps = column[components.Stamps](q, ids[13], n)
	c.Rest = column[components.Rest](q, ids[14], n)
	c.Errand = column[components.Errand](q, ids[15], n)
}

func column[T any](q *ecs.Query, id ecs.ID, n int) []T {
	return unsafe.Slice((*T)(q.Get(id)), n)
}

// RowBytes is the size of one remote's components.
const RowBytes = unsafe.Sizeof(components.Values{})
