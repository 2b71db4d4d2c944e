package gait

import (
	"fmt"
	"iter"
	"sync/atomic"

	"github.com/gait-engine/gait/systems"
)

// View is what the outside sees of all remotes after a tick. Any goroutine may
// read it while the next tick runs; the one after that writes the same memory
// again. Who reads a view by then has made a mistake, which Remote, All and Columns
// answer with a panic, and Err with [ErrStale].
type View struct {
	columns *systems.View
	rows    int
	tick    uint64
	begun   *atomic.Uint64 // the last tick that has
}

// Remote is one remote in a [View].
type Remote struct {
	Guid     uint32
	Cell     CellID // 0: in none, and nowhere
	Origin   Vec3   // m, local to the landblock
	Rotation Quat
	Velocity Vec3 // m/s, what the last step really moved
	Flags    Flags
	Anim     uint32  // id of the animation that plays, 0 none
	Frame    float64 // where in it, in frames
}

// Position is where the remote stands.
func (r *Remote) Position() Position {
	return Position{Cell: r.Cell, Frame: Frame{Origin: r.Origin, Rotation: r.Rotation}}
}

// Tick returns after which tick the view was taken, 0 for before the first.
func (v View) Tick() uint64 { return v.tick }

// Len returns the number of remotes.
func (v View) Len() int {
	v.check()
	return v.rows
}

// Remote returns remote i of the view, in no order that stays from view to view.
func (v View) Remote(i int) Remote {
	v.check()
	if i < 0 || i >= v.rows {
		panic(fmt.Sprintf("gait: remote %d of a view of %d", i, v.rows))
	}
	defer func() { // a tick that begins meanwhile may take what is read away
		if v.Err() != nil {
			_ = recover()
			v.check()
		}
	}()
	c := v.columns
	return Remote{
		Guid: c.Guid[i], Cell: c.Cell[i], Origin: c.Origin[i], Rotation: c.Rotation[i],
		Velocity: c.Velocity[i], Flags: c.Flags[i], Anim: c.Anim[i], Frame: c.Frame(i),
	}
}

// All ranges over the remotes of the view.
func (v View) All() iter.Seq[Remote] {
	return func(yield func(Remote) bool) {
		for i := range v.Len() {
			if !yield(v.Remote(i)) {
				return
			}
		}
	}
}

// Columns returns the view as it lies in memory, a slice a column, for who reads
// much of it; nil before the first tick. It is as good as the view is: call Err
// when done, if another goroutine ticks.
func (v View) Columns() *systems.View {
	v.check()
	return v.columns
}

// Err returns [ErrStale] when the view can no longer be read, nil while it can. What
// was read before a call that returned nil was of one tick.
func (v View) Err() error {
	if v.begun == nil || v.begun.Load() <= v.tick+1 {
		return nil
	}
	return fmt.Errorf("%w: this one is of tick %d, and tick %d has begun", ErrStale, v.tick, v.begun.Load())
}

func (v View) check() {
	if v.begun != nil && v.begun.Load() > v.tick+1 {
		panic(fmt.Sprintf("gait: a view of tick %d was read after tick %d had begun, which writes its memory again. Take a new one with Engine.View, or copy what has to stay.", v.tick, v.begun.Load()))
	}
}
