package systems

import (
	"sync/atomic"
	"unsafe"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/motion"
)

// View is what the outside sees of all remotes after a tick (spec 15 §2): a
// slice a column, row i of each being one remote, in no order that stays. It is
// read-only, and complete. Readers on any goroutine may hold it while the next
// tick runs; the one after that writes its columns again, and must not begin before they are done.
type View struct {
	Tick     uint64
	Guid     []uint32
	Cell     []space.CellID
	Origin   []space.Vec3 // m, local to the landblock
	Rotation []space.Quat
	Velocity []space.Vec3 // m/s, what the last step that it took really moved; who takes none keeps it (15 §2)
	Flags    []Flags
	Anim     []uint32 // id of the animation that plays, 0 none

	frame []float64
	rest  []restFrame
	dt    float32
}

// restFrame is what the frame of a remote at rest is found from: it is not
// written every tick.
type restFrame struct {
	rate      float32 // of the node that plays
	low, high int32
	since     uint32 // tick of View.frame, 0 when it is the view's own
}

// Frame returns the position in the animation that remote i plays, in frames
// (spec 02 §2.4).
func (v *View) Frame(i int) float64 {
	r := &v.rest[i]
	if r.since == 0 {
		return v.frame[i]
	}
	n := components.Node{Rate: r.rate, Low: r.low, High: r.high}
	return motion.IdleFrame(n, v.frame[i], v.dt, count(v.Tick)-r.since)
}

// Len returns the number of remotes.
func (v *View) Len() int { return len(v.Guid) }

// Flags are the yes-or-no facts of a remote in a [View].
type Flags uint8

const (
	InContact  Flags = 1 << iota // touches ground
	OnWalkable                   // on ground that it can stand on
	Chasing                      // the interpolation queue is not empty
	Leashed                      // constrained
	Moving                       // Velocity is not zero
	Animating                    // motions are pending
	IsHidden
	IsHeld // somebody holds it: where it stands follows from where its holder does
)

// resize gives every column n rows, keeping what fits, and room for so many.
func (v *View) resize(n, room int) {
	v.Guid = sized(v.Guid, n, room)
	v.Cell = sized(v.Cell, n, room)
	v.Origin = sized(v.Origin, n, room)
	v.Rotation = sized(v.Rotation, n, room)
	v.Velocity = sized(v.Velocity, n, room)
	v.Flags = sized(v.Flags, n, room)
	v.Anim = sized(v.Anim, n, room)
	v.frame = sized(v.frame, n, room)
	v.rest = sized(v.rest, n, room)
}

// sized returns a slice of n rows. A new array when it grows, with room for so many
// or an eighth more: readers may still hold the old.
func sized[T any](s []T, n, room int) []T {
	switch {
	case n <= cap(s):
		return s[:n]
	case n > room:
		room = n + n/8
	}
	return make([]T, n, room)
}

// bytes is the memory of the view's columns.
func (v *View) bytes() uintptr {
	return uintptr(cap(v.Guid)) * (4 + 4 + 12 + 16 + 12 + unsafe.Sizeof(Flags(0)) + 4 + 8 + unsafe.Sizeof(restFrame{}))
}

// views are the two buffers that take turns.
type views struct {
	buffer [2]View
	room   int // for how many rows, as [Options] say
	full   int // how many ticks more must write every row: rows have moved
	latest atomic.Pointer[View]
}

// begin readies the buffer of a tick, rows already in place.
func (v *views) begin(tick uint64, rows int) *View {
	b := &v.buffer[tick%2]
	b.Tick = tick
	b.resize(rows, v.room)
	return b
}
