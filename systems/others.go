package systems

import (
	"cmp"
	"slices"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/position"
)

// What one remote reads of another, and tells it (spec 13 §5; house rule 3).
//
// In the inbound stage and in deliveries one remote at a time acts, and word
// arrives at once. While remotes are updated, side by side, each reads of the
// others how they stood when the inbound stage was done, and changes to their
// voyeur lists wait in an outbox. After all are updated: subscriptions are
// delivered in sender guid order, then every remote whose half second is over
// checks its voyeurs, in guid order, and what they send is delivered in that order.

// due is a row whose voyeurs are due, at a time of the simulated clock.
type due struct {
	row int32
	at  float64
}

// subscription is a change to another's voyeurs that waits for its delivery.
type subscription struct {
	sender, target  uint32
	radius, quantum float32
	drop            bool
	told            bool // the sender was answered with Place
	place           space.Position
}

// sent is an update on its way from a target to a voyeur.
type sent struct {
	to   uint32
	info components.Target
	at   float64 // simulated
}

// find returns the row of a remote that is known, in the world or not.
func (e *Engine) find(guid uint32, r *components.Row) bool {
	row, ok := e.world.Row(guid)
	if ok {
		e.world.Columns().At(row, r)
	}
	return ok
}

// figure is what an order to follow needs of the object it names (R6.27).
func (e *Engine) figure(guid uint32) (position.Figure, bool) {
	var r components.Row
	if !e.find(guid, &r) || e.world.Leaving(guid) {
		return position.Figure{}, false
	}
	return position.Figure{Parent: r.Identity.Parent, Radius: r.Traits.Radius, Height: r.Traits.Height}, true
}

// Resolve is asked by position: how another stands, as far as m may read it now;
// false when it is not in the world. While all are updated, not even whether it
// is may be read of its pose.
func (m *mover) Resolve(id uint32) (o position.Other, ok bool) {
	e := m.w.e
	var r components.Row
	if !e.find(id, &r) {
		return o, false
	}
	if e.updating {
		o, ok = position.Stood(&r, &e.world.Pools)
	} else {
		o, ok = position.Present(&r), true
	}
	return o, ok && o.Place.Cell != 0
}

// Subscribe is asked by position: m becomes a voyeur of another, or changes how.
// Who is new is answered at once, in whatever stage.
func (m *mover) Subscribe(id uint32, radius, quantum float32) {
	e := m.w.e
	p := &e.world.Pools
	var r components.Row
	if !e.find(id, &r) {
		return
	}
	me := m.guid()
	if !e.updating {
		if r.Pose.Cell == 0 {
			return
		}
		e.wake(&r)
		from := position.Present(&r)
		if position.AddVoyeur(&r, p, me, radius, quantum, &from.Place) {
			info := position.Answer(id, radius, quantum, &from)
			m.position.ReceiveUpdate(&info)
		}
		return
	}
	s := subscription{sender: me, target: id, radius: radius, quantum: quantum}
	from, readable := position.Stood(&r, p)
	if readable && from.Place.Cell == 0 {
		return
	}
	s.told = readable && m.isNewTo(&r, id)
	s.place = from.Place
	m.w.outbox = append(m.w.outbox, s)
	if s.told {
		info := position.Answer(id, radius, quantum, &from)
		m.position.ReceiveUpdate(&info)
	}
}

// isNewTo reports whether m will not be a voyeur of r yet when what it has
// already put into the outbox in this tick is delivered. That may lie anywhere
// in what the chunk in hand has put there, since stages walk all its rows.
func (m *mover) isNewTo(r *components.Row, id uint32) bool {
	me := m.guid()
	for i := len(m.w.outbox) - 1; i >= m.w.chunkOutbox; i-- {
		if s := &m.w.outbox[i]; s.sender == me && s.target == id {
			return s.drop
		}
	}
	return position.FindVoyeur(r, &m.w.e.world.Pools, me) == nil
}

// Unsubscribe is asked by position: m is a voyeur of another no more.
func (m *mover) Unsubscribe(id uint32) {
	e := m.w.e
	if e.updating {
		m.w.outbox = append(m.w.outbox, subscription{sender: m.guid(), target: id, drop: true})
		return
	}
	var r components.Row
	if e.find(id, &r) {
		position.RemoveVoyeur(&r, &e.world.Pools, m.guid())
	}
}

// Tell is asked by position, of whom a voyeur is to hear something at once. It
// happens in the inbound stage only.
func (m *mover) Tell(to uint32, info components.Target) { m.w.tell(to, &info) }

// tell lets a remote receive an update; one that is not in the world misses it.
func (w *worker) tell(to uint32, info *components.Target) {
	row, ok := w.e.world.Row(to)
	if !ok {
		return
	}
	if w.depth == len(w.spare) {
		n := &mover{}
		n.init(w)
		w.spare = append(w.spare, n)
	}
	n := w.spare[w.depth]
	w.depth++
	n.lose()
	n.at(row)
	w.e.wake(n.row())
	n.position.ReceiveUpdate(info)
	n.noted()
	w.depth--
}

// stand notes how those stand whom others may read while all are updated.
func (e *Engine) stand() {
	c := e.world.Columns()
	var r components.Row
	size := e.schedule.Chunk()
	for from := 0; from < len(c.Rest); from += size {
		if e.asleep[from/size] { // they stand as they stood
			continue
		}
		to := min(from+size, len(c.Rest))
		e.laps.touch(StageStand, to-from, restBytes)
		for i := from; i < to; i++ {
			if c.Rest[i].Busy&components.Targeting != 0 {
				c.At(i, &r)
				position.Stand(&r, &e.world.Pools)
			}
		}
	}
}

// deliver is what comes after all are updated: subscriptions, then voyeurs, then
// what those are sent.
func (e *Engine) deliver(w *worker) {
	e.outbox, e.due = e.outbox[:0], e.due[:0]
	for i := range e.workers {
		e.outbox = append(e.outbox, e.workers[i].outbox...)
		e.due = append(e.due, e.workers[i].due...)
		e.workers[i].outbox, e.workers[i].due = e.workers[i].outbox[:0], e.workers[i].due[:0]
	}
	if len(e.outbox)+len(e.due) == 0 {
		return
	}
	told := len(w.events)
	defer func() { e.events = append(e.events, w.events[told:]...) }()
	// a sender's own changes lie in one worker's outbox, in order
	slices.SortStableFunc(e.outbox, func(a, b subscription) int { return cmp.Compare(a.sender, b.sender) })
	p := &e.world.Pools
	var r components.Row
	for i := range e.outbox {
		if s := &e.outbox[i]; e.find(s.target, &r) {
			e.subscribe(w, s, &r)
		}
	}
	slices.SortFunc(e.due, func(a, b due) int { return cmp.Compare(e.world.Guid(int(a.row)), e.world.Guid(int(b.row))) })
	e.sent = e.sent[:0]
	for _, d := range e.due {
		e.world.Columns().At(int(d.row), &r)
		e.clock.sim = d.at
		position.CheckVoyeurs(&r, p, d.at, e.send)
	}
	for i := range e.sent {
		e.clock.sim = e.sent[i].at
		w.tell(e.sent[i].to, &e.sent[i].info)
	}
}

// subscribe delivers one change to the voyeurs of r.
func (e *Engine) subscribe(w *worker, s *subscription, r *components.Row) {
	p := &e.world.Pools
	switch {
	case s.drop:
		position.RemoveVoyeur(r, p, s.sender)
	case s.told:
		e.wake(r)
		position.AddVoyeur(r, p, s.sender, s.radius, s.quantum, &s.place)
	default: // known already, or nobody's target before: answered now if new
		if r.Pose.Cell == 0 && position.FindVoyeur(r, p, s.sender) == nil {
			return
		}
		e.wake(r)
		from := position.Present(r)
		if position.AddVoyeur(r, p, s.sender, s.radius, s.quantum, &from.Place) {
			info := position.Answer(s.target, s.radius, s.quantum, &from)
			w.tell(s.sender, &info)
		}
	}
}
