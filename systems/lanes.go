package systems

import (
	"slices"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/systems/position"
	"github.com/gait-engine/gait/wire"
)

// Most messages reach no remote but the one that they are for, and may then be
// applied in any order that keeps those of one remote in theirs. Between two inputs
// that reach further, these are applied side by side: a lane holds those for the
// rows of one chunk, in order of arrival, and one worker does all of it. What
// becomes of them is noted where it would stand had they been applied one by one.

// fewLone is how many lone messages in a row are not worth starting workers for.
const fewLone = 32

// lanes are the messages that are being applied side by side.
type lanes struct {
	few      int // fewLone, but in tests
	items    []item
	outcomes []Outcome // of items, one each
	order    []int32   // items' numbers, by lane
	first    []int32   // by lane: where its own begin in order, and the next one's

	look, drive func(worker, chunk, from, to int)
}

func (l *lanes) init(e *Engine) {
	l.few, l.look, l.drive = fewLone, e.lookAtItems, e.drive
}

func (l *lanes) bytes() uintptr { return room(l.order) + room(l.first) }

// applyItems applies the tick's inputs.
func (e *Engine) applyItems() {
	b := &e.inbound
	w, l, items := &e.workers[0], &b.lanes, b.items
	if e.options.Workers == 1 || len(items) < l.few {
		for ; len(items) > 0; items = items[min(ahead, len(items)):] {
			batch := items[:min(ahead, len(items))]
			w.lookUp(batch, true)
			for i := range batch {
				w.mover.apply(&batch[i])
			}
		}
		return
	}
	l.order = sized(l.order, len(items), 0)
	e.schedule.Each(len(items), l.look)
	reached := false // something may have become of others since
	for len(items) > 0 {
		n := 0
		for n < len(items) && items[n].lone && (!reached || e.isLone(&items[n])) {
			n++
		}
		if n >= l.few {
			e.sideBySide(items[:n])
		} else {
			n = min(n+1, len(items))
			for i := range items[:n] {
				w.mover.apply(&items[i])
			}
			reached = true
		}
		items = items[n:]
	}
}

// lookUp finds the rows of the remotes that a few inputs are for: those that come or go in
// the tick have done so, or do when it is over. Only open ones are for one. Whether the
// inputs are applied next is for [worker.fetch].
func (w *worker) lookUp(few []item, applied bool) {
	var rows [ahead]int32
	last, at := uint32(0), int32(-1) // a server often tells of one in several messages
	for i := range few {
		it := &few[i]
		it.row = -1
		if it.open() {
			guid, _ := wire.Guid(w.e.inbound.arena[it.at:][:it.length])
			if guid != last {
				last, at = guid, -1
				if row, known := w.e.world.Row(guid); known {
					at = int32(row)
				}
			}
			it.row = at
		}
		rows[i] = it.row
	}
	w.fetch(rows[:len(few)], applied)
}

// lookAtItems finds out which inputs are lone, if none before them reaches further.
func (e *Engine) lookAtItems(worker, _, from, to int) {
	for items := e.inbound.items[from:to]; len(items) > 0; items = items[min(ahead, len(items)):] {
		batch := items[:min(ahead, len(items))]
		e.workers[worker].lookUp(batch, false)
		for i := range batch {
			batch[i].lone = e.isLone(&batch[i])
		}
	}
}

// ahead is how many inputs' rows are fetched ahead.
const ahead = 16

// fetch has the rows that the next inputs are for brought into the cache, all at once: one
// after the other, each would be waited for. A row that follows the one before comes without,
// but not where its chase ends, which only who applies an input looks at.
func (w *worker) fetch(rows []int32, applied bool) {
	c, chase := w.e.world.Columns(), &w.pools.Chase
	each := rows[:0]
	last, sum := int32(-1), uint32(0)
	for _, row := range rows {
		if row >= 0 && row != last {
			if row != last+1 {
				sum += c.Fetch(int(row))
			}
			if applied && w.e.land != nil { // whoever is told something is described anew
				sum += w.e.land.crowd.FetchRow(int(row))
			}
			each = append(each, row)
		}
		last = row
	}
	if applied {
		for _, row := range each {
			if n := c.Chase[row].Queue.Items(chase); len(n) > 0 {
				sum += uint32(n[len(n)-1].Kind)
			}
		}
	}
	w.fetched = int32(sum)
}

// isLone reports whether an input is a message that reaches, as all stand now, no remote
// but its own: neither whom that follows or holds, nor who follows it, nor anybody's place
// in a cell.
func (e *Engine) isLone(it *item) bool {
	if !it.open() {
		return false
	}
	msg := e.inbound.arena[it.at:][:it.length]
	op := wire.Opcode(msg)
	if op != wire.OpPosition && op != wire.OpVector && !(op == wire.OpMovement && wire.IsState(msg)) {
		return false
	}
	if it.row < 0 {
		return true // it will be parked
	}
	c := e.world.Columns()
	if c.Cold[it.row].Identity.Parent != 0 {
		return false
	}
	if e.land == nil && c.Rest[it.row].Busy&components.Targeting == 0 { // as most are: alone, and nothing else is asked
		return true
	}
	var r components.Row
	c.At(int(it.row), &r)
	if !position.Alone(&r, &e.world.Pools) {
		return false
	}
	if e.land == nil {
		return true
	}
	if e.land.crowd.Obstacles[it.row].State&components.HasPhysicsBSP != 0 { // what it plays may change how far it reaches
		return false
	}
	return op != wire.OpPosition || chased(&r, msg)
}

// chased reports whether nothing that a position event can do is to place the
// body at once (12 §4, 20 §5.4), nor can one before it in the tick have changed that.
func chased(r *components.Row, msg []byte) bool {
	teleport, ok := wire.TeleportStamp(msg)
	return !ok || // it will be refused
		r.Pose.Cell != 0 && r.Body.Transient&components.Lost == 0 && r.Body.PlayerDistance < position.FarDistance &&
			r.Traits.Flags&components.LocalPlayer == 0 &&
			r.Stamps.Unseen>>wire.SlotTeleport&1 == 0 && !wire.Newer(r.Stamps.Slot[wire.SlotTeleport], teleport)
}

// sideBySide applies messages that are lone.
func (e *Engine) sideBySide(items []item) {
	b := &e.inbound
	l := &b.lanes
	none := e.schedule.Chunks(e.world.Rows()) // the lane of those without a row
	lane := func(it *item) int {
		if it.row < 0 {
			return none
		}
		return int(it.row) / e.schedule.Chunk()
	}
	// counted one further on, so that while they are put in order each lane's number
	// grows from where it begins to where it ends
	l.first = sized(l.first, none+3, 0)
	clear(l.first)
	for i := range items {
		l.first[lane(&items[i])+2]++
	}
	for i := 2; i < len(l.first); i++ {
		l.first[i] += l.first[i-1]
	}
	for i := range items {
		at := &l.first[lane(&items[i])+1]
		l.order[*at] = int32(i)
		*at++
	}
	was := len(b.outcomes)
	b.outcomes = slices.Grow(b.outcomes, len(items))[:was+len(items)] // drive writes each
	l.items, l.outcomes = items, b.outcomes[was:]

	e.laps.end(StageInbound)
	e.schedule.Each(none*e.schedule.Chunk()+1, l.drive) // chunks are lanes, and there is one more
	e.laps.shared()
	e.gatherEvents()
	parks := false
	for i := range e.workers {
		parks = parks || e.workers[i].parks
		e.workers[i].parks = false
	}
	for i := range l.outcomes {
		if !parks {
			break
		}
		if o := &l.outcomes[i]; o.Verdict == Parked {
			b.parked.Add(o.Guid, e.seconds(), b.arena[items[i].at:][:items[i].length])
		}
	}
}

// drive applies a lane's messages.
func (e *Engine) drive(worker, lane, _, _ int) {
	w, b := &e.workers[worker], &e.inbound
	l := &b.lanes
	w.laps.begin()
	w.mover.lose() // whom it is pointed at may be in another lane
	for order := l.order[l.first[lane]:l.first[lane+1]]; len(order) > 0; order = order[min(ahead, len(order)):] {
		batch := order[:min(ahead, len(order))]
		var rows [ahead]int32
		for k, i := range batch {
			rows[k] = l.items[i].row
		}
		w.fetch(rows[:len(batch)], true)
		for _, i := range batch {
			w.slot = &l.outcomes[i]
			w.mover.apply(&l.items[i])
		}
	}
	w.slot = nil
	w.laps.end(StageLanes)
}

// gatherEvents adds what workers have told since it last did to the tick's events.
func (e *Engine) gatherEvents() {
	for i := range e.workers {
		w := &e.workers[i]
		e.events = append(e.events, w.events[w.gathered:]...)
		w.gathered = len(w.events)
	}
}

// outcome notes what became of the message in hand.
func (m *mover) outcome(guid, op uint32, v Verdict, err error) {
	if m.w.slot != nil {
		m.w.slot.set(guid, op, v, err)
		return
	}
	m.w.e.inbound.outcome(guid, op, v, err)
}

// park keeps the message in hand for when its object comes.
func (m *mover) park(guid uint32, msg []byte) {
	if m.w.slot != nil {
		m.w.parks = true // when all lanes are done, in order of arrival
		return
	}
	e := m.w.e
	e.inbound.parked.Add(guid, e.seconds(), msg)
}
