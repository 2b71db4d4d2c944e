package systems

import (
	"cmp"
	"slices"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/motion"
)

// What is held is in no cell of its own and is not updated (11 §4.2). It is seen
// where its holder's part has it (15 §3 "Children"): that is found anew each tick,
// when all are updated, from how the holder stands then, and is no state.

// MaxHeldDepth is how many times over something may be held: what a held thing
// holds that a held thing holds. What is held deeper, or in a ring, is nowhere.
const MaxHeldDepth = 8

// hold is one thing held.
type hold struct{ holder, held uint32 }

func (a hold) compare(b hold) int {
	if c := cmp.Compare(a.holder, b.holder); c != 0 {
		return c
	}
	return cmp.Compare(a.held, b.held)
}

// heldRow is one thing held, ready to be shown.
type heldRow struct {
	row, holder int32
	at          int32 // where the holder's setup holds it, in Tables.Holdings; None: at its root
}

// held are all things held.
type held struct {
	holds   []hold // ascending, but for those that came in this tick
	came    int    // how many these are, last
	gone    bool   // some are held no more, since they are not there
	changed bool   // levels are to be found anew
	rows    uint64 // the state of rows that levels are good for
	levels  [MaxHeldDepth][]heldRow
	level   []heldRow // in hand
	view    *View
	stage   func(worker, chunk, from, to int)
}

// of returns what somebody holds, good until something is taken or let go.
func (h *held) of(holder uint32) []hold {
	from, _ := slices.BinarySearchFunc(h.holds, hold{holder: holder}, hold.compare)
	to := from
	for to < len(h.holds) && h.holds[to].holder == holder {
		to++
	}
	return h.holds[from:to]
}

// enters notes a newcomer that is held. settleHeld must follow.
func (h *held) enters(holder, held uint32) {
	h.holds = append(h.holds, hold{holder, held})
	h.came++
	h.changed = true
}

// takes notes that something is held from now on.
func (h *held) takes(holder, held uint32) {
	x := hold{holder, held}
	if i, found := slices.BinarySearchFunc(h.holds, x, hold.compare); !found {
		h.holds = slices.Insert(h.holds, i, x)
	}
	h.changed = true
}

// drops notes that something is not held any more.
func (h *held) drops(holder, held uint32) {
	if i, found := slices.BinarySearchFunc(h.holds, hold{holder, held}, hold.compare); found {
		h.holds = slices.Delete(h.holds, i, i+1)
	}
	h.changed = true
}

// settleHeld puts things in order after rows have come: what came in somebody's
// hands is let go where these have no such place (20 §2.6), and is not drawn when
// he is hidden (11 §2).
func (e *Engine) settleHeld(w *worker) {
	h := &e.held
	if h.came == 0 && !h.gone {
		return
	}
	came := slices.Clone(h.holds[len(h.holds)-h.came:])
	c := e.world.Columns()
	h.holds = slices.DeleteFunc(h.holds, func(x hold) bool {
		row, ok := e.world.Row(x.held)
		return !ok || c.Cold[row].Identity.Parent != x.holder
	})
	slices.SortFunc(h.holds, hold.compare)
	h.holds = slices.Compact(h.holds)
	h.came, h.gone = 0, false
	for _, x := range came {
		row, _ := e.world.Row(x.held)
		m := &w.mover
		m.at(row)
		id := m.row().Identity
		if !e.canHold(id.Parent, id.Location) {
			id.Parent, id.Location = 0, 0
			h.drops(x.holder, x.held)
		} else {
			m.showHeld()
		}
		m.noted()
	}
}

// canHold reports whether somebody has a place to hold things at with this key
// (20 §2.6). One whose setup is not there, or names no places at all, as one that
// stands in for another, holds at his root whatever he is given.
func (e *Engine) canHold(holder, location uint32) bool {
	row, ok := e.world.Row(holder)
	if !ok {
		return true // he went meanwhile
	}
	setup := e.world.Columns().Cold[row].Identity.Setup
	return !e.tables.Holds(setup) || e.tables.Holding(setup, location) != dat.None
}

// hang puts m into somebody's hands (20 §2.6): it leaves the world, but stays
// known. A place that the holder has not refuses it, and all stays as it is.
func (m *mover) hang(holder, location, placement uint32) Verdict {
	e := m.w.e
	if !e.canHold(holder, location) {
		return Ignored
	}
	m.unsetParent()
	m.leaveWorld(components.TargetParented)
	id := m.row().Identity
	id.Parent, id.Location = holder, location
	e.held.takes(holder, id.Guid)
	m.setPlacement(placement)
	m.showHeld()
	return Applied
}

// unsetParent lets a held object go, which a position event and a pick-up do
// first (11 §9, 12 §3 step 5).
func (m *mover) unsetParent() {
	r, e := m.row(), m.w.e
	id := r.Identity
	if id.Parent == 0 {
		return
	}
	if e.isHidden(id.Parent) {
		r.Body.State &^= components.NoDraw
	}
	e.held.drops(id.Parent, id.Guid)
	id.Parent, id.Location = 0, 0
	m.position.ClearTransientStates()
}

// showHeld keeps what a hidden one holds from being drawn (11 §2).
func (m *mover) showHeld() {
	if m.w.e.isHidden(m.row().Identity.Parent) {
		m.row().Body.State |= components.NoDraw
	}
}

// hideHeld does the same when m hides, and undoes it when it shows itself.
func (m *mover) hideHeld(hidden bool) {
	e := m.w.e
	for _, x := range e.held.of(m.guid()) {
		row, ok := e.world.Row(x.held)
		if !ok {
			continue
		}
		b := &e.world.Columns().Body[row]
		b.State &^= components.NoDraw
		if hidden {
			b.State |= components.NoDraw
		}
	}
}

func (e *Engine) isHidden(guid uint32) bool {
	row, ok := e.world.Row(guid)
	return ok && e.world.Columns().Body[row].State&components.Hidden != 0
}

// follow brings all that is held to where its holder has it, in the view: first
// what somebody holds who is in the world, then what that holds.
func (e *Engine) follow(v *View) {
	h := &e.held
	if len(h.holds) == 0 {
		return
	}
	if h.changed || h.rows != e.world.Changes() {
		e.sortHeld()
	}
	h.view = v
	for i := range h.levels {
		if h.level = h.levels[i]; len(h.level) == 0 {
			break
		}
		e.schedule.Each(len(h.level), h.stage)
	}
	h.view, h.level = nil, nil
}

// sortHeld finds how deep each thing is held.
func (e *Engine) sortHeld() {
	h, c := &e.held, e.world.Columns()
	h.changed, h.rows = false, e.world.Changes()
	for i := range h.levels {
		h.levels[i] = h.levels[i][:0]
	}
	for _, x := range h.holds {
		row, ok := e.world.Row(x.held)
		holder, has := e.world.Row(x.holder)
		if !ok || !has {
			continue
		}
		depth := 0
		for top := holder; depth < MaxHeldDepth && c.Cold[top].Identity.Parent != 0; depth++ {
			if top, ok = e.world.Row(c.Cold[top].Identity.Parent); !ok {
				depth = MaxHeldDepth
				break
			}
		}
		if depth < MaxHeldDepth {
			at := e.tables.Holding(c.Cold[holder].Identity.Setup, c.Cold[row].Identity.Location)
			h.levels[depth] = append(h.levels[depth], heldRow{int32(row), int32(holder), at})
		}
	}
}

// followHolders is the stage of [Engine.follow].
func (e *Engine) followHolders(_, _, from, to int) {
	v := e.held.view
	for _, x := range e.held.level[from:to] {
		v.Flags[x.row] |= IsHeld
		if v.Cell[x.holder] == 0 {
			continue
		}
		root := e.handOf(v, &x)
		v.Cell[x.row], v.Origin[x.row], v.Rotation[x.row] = v.Cell[x.holder], root.Origin, root.Rotation
	}
}

// handOf is the root of a thing held: the holding frame in the axes of the
// holder's part, or of his root when he has no such part (15 §3). A part that the
// animation does not pose stands as his placement has it.
func (e *Engine) handOf(v *View, x *heldRow) space.Frame {
	i := x.holder
	root := space.Frame{Origin: v.Origin[i], Rotation: v.Rotation[i]}
	if x.at < 0 {
		return root
	}
	c, hand := e.world.Columns(), &e.tables.Holdings[x.at]
	setup := c.Cold[i].Identity.Setup
	if hand.Part < e.tables.Setups[setup].PartCount && c.Body[i].State&components.ParticleEmitter == 0 {
		s := c.Sequence[i]
		s.Frame = v.Frame(int(i))
		parts := motion.CurrentPose(e.tables, &e.world.Pools.Nodes, &s, setup)
		if int(hand.Part) >= len(parts) {
			parts = e.tables.PoseParts(setup, s.Placement)
		}
		if int(hand.Part) < len(parts) {
			scale := c.Rest[i].Scale
			root = motion.PartFrame(root, parts[hand.Part], space.Vec3{scale, scale, scale})
		}
	}
	return space.Combine(root, hand.Frame)
}
