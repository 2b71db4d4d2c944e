package gait

import (
	"fmt"
	"iter"
	"sync/atomic"

	"github.com/gait-engine/gait/systems"
)

// View is what the outside sees of all remotes after a tick. Any goroutine may
// read it while the next tick runs; the one after that writes the same memory
// again, and waits for nobody. So whoever ticks must not begin that one before all
// who read are known to be done: by a lock that readers and ticks take in turn, by
// waiting for them, or by giving them a copy ([slices.Collect] of All). Time alone
// does not do it: after a hole ticks follow each other at once.
//
// Who reads a view by then has made a mistake, a data race, which Len, Remote, All and
// Columns answer with a panic, and Err with [ErrStale]. They notice it, and do not make it safe.
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
	Velocity Vec3 // m/s, what the last step that it took really moved: who is in no cell, held or frozen takes none, and keeps it
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
// much of it; nil before the first tick. It is as good as the view is, and nothing looks
// whether that is still so: Err does, when done.
func (v View) Columns() *systems.View {
	v.check()
	return v.columns
}

// Err returns [ErrStale] when the view can no longer be read, nil while it can: a check
// on what readers and ticks have agreed on, and not in place of that.
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
