package systems

import (
	"fmt"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/systems/position"
)

// Check walks every invariant of the state after a tick and returns the first
// that does not hold, naming the remote: rows and guids agree, indexes lie in
// their tables, queues are in bounds, frames inside their nodes, rotations of
// unit length, every float finite, every outdoor place in its cell, and who
// targets and who is watched agree.
func (e *Engine) Check() error {
	e.settle(e.world.AppendPart(nil, 0, 1))
	if err := e.checkRows(); err != nil {
		return err
	}
	return e.checkAll()
}

// checkRows is the part of Check about each remote by itself.
func (e *Engine) checkRows() error {
	c := e.world.Columns()
	var r components.Row
	for k := range e.world.Rows() {
		c.At(e.world.Nth(k), &r)
		if err := e.checkRow(&r); err != nil {
			return fmt.Errorf("systems: 0x%08X: %w", r.Identity.Guid, err)
		}
	}
	return nil
}

// checkAll is the part of Check about how remotes agree with each other and with
// what is found from them.
func (e *Engine) checkAll() error {
	w := e.world
	c := w.Columns()
	if len(c.Cold) != w.Rows() {
		return fmt.Errorf("systems: %d rows, %d in the columns", w.Rows(), len(c.Cold))
	}
	last := uint32(0)
	var r components.Row
	for k := range w.Rows() {
		i := w.Nth(k)
		c.At(i, &r)
		guid := r.Identity.Guid
		if guid <= last {
			return fmt.Errorf("systems: 0x%08X stands after 0x%08X in guid order", guid, last)
		}
		last = guid
		if row, ok := w.Row(guid); !ok || row != i {
			return fmt.Errorf("systems: 0x%08X is found in row %d, not %d", guid, row, i)
		}
		if err := e.checkTargets(&r); err != nil {
			return fmt.Errorf("systems: 0x%08X: %w", guid, err)
		}
		if err := e.checkHeld(&r); err != nil {
			return fmt.Errorf("systems: 0x%08X: %w", guid, err)
		}
		if since := uint64(r.Rest.Since); since > e.tick {
			return fmt.Errorf("systems: 0x%08X rests since tick %d, which is to come", guid, since)
		}
	}
	holds := 0
	for i := range c.Cold {
		if c.Cold[i].Identity.Parent != 0 {
			holds++
		}
	}
	if holds != len(e.held.holds) {
		return fmt.Errorf("systems: %d are held, %d noted", holds, len(e.held.holds))
	}
	if err := e.checkCrowd(); err != nil {
		return fmt.Errorf("systems: %w", err)
	}
	return e.outbound.check(w)
}

// checkRow is what holds of a remote by itself, also before it has its row.
func (e *Engine) checkRow(r *components.Row) error {
	if id := r.Identity; id.Setup < dat.None || int(id.Table) >= len(e.tables.Motions) || int(id.Setup) >= len(e.tables.Setups) {
		return fmt.Errorf("plays from table %d and setup %d, which are not there", id.Table, id.Setup)
	}
	if err := motion.Check(*r, e.tables, &e.world.Pools); err != nil {
		return err
	}
	if err := position.Check(*r, &e.world.Pools, e.offset(r)); err != nil {
		return err
	}
	if e.rooted(r.Identity.Setup) != (r.Rest.Busy&components.Rooted != 0) {
		return fmt.Errorf("setup %d, busy %b", r.Identity.Setup, r.Rest.Busy)
	}
	if managed := r.Identity.Table >= 0 || r.Interpreter.Initted; managed == (r.Rest.Busy&components.Unmanaged != 0) {
		return fmt.Errorf("motion table %d, interpreter made %v, busy %b", r.Identity.Table, r.Interpreter.Initted, r.Rest.Busy)
	}
	return e.checkScale(r)
}

// checkHeld: what is held is in no cell, and noted with its holder.
func (e *Engine) checkHeld(r *components.Row) error {
	id := r.Identity
	if id.Parent == 0 {
		return nil
	}
	if r.Pose.Cell != 0 || id.Parent == id.Guid {
		return fmt.Errorf("held by 0x%08X in cell 0x%08X", id.Parent, uint32(r.Pose.Cell))
	}
	for _, x := range e.held.of(id.Parent) {
		if x.held == id.Guid {
			return nil
		}
	}
	return fmt.Errorf("held by 0x%08X, which is not noted", id.Parent)
}

// checkTargets holds a row against those whom it targets and who target it:
// whoever watches it has it as target, and is one voyeur; a target that
// answered is watched (13 §5).
func (e *Engine) checkTargets(r *components.Row) error {
	p := &e.world.Pools
	var other components.Row
	guid := r.Identity.Guid
	voyeurs := r.Errand.Voyeurs(p)
	for i := range voyeurs {
		id := voyeurs[i].ID
		if position.FindVoyeur(r, p, id) != &voyeurs[i] {
			return fmt.Errorf("%w: 0x%08X watches it twice", position.ErrInvariant, id)
		}
		if !e.find(id, &other) {
			return fmt.Errorf("%w: 0x%08X watches it, and is not there", position.ErrInvariant, id)
		}
		if t := other.Errand.Target(p); t == nil || t.ID != guid {
			return fmt.Errorf("%w: 0x%08X watches it, and does not target it", position.ErrInvariant, id)
		}
	}
	t := r.Errand.Target(p)
	if t == nil || t.ID == 0 || t.Status == components.TargetUndefined || t.Status == components.TargetTimedOut {
		return nil
	}
	if !e.find(t.ID, &other) || position.FindVoyeur(&other, p, guid) == nil {
		return fmt.Errorf("%w: it heard from 0x%08X, and does not watch it", position.ErrInvariant, t.ID)
	}
	return nil
}
