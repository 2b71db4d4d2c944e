package ecs

import "github.com/gait-engine/gait/components"

// lists takes the lists and boxes of components apart from them, or joins them
// again: what is in a pool is written behind the rows that it belongs to. There is
// one walk for both, and for the digest of what is written.
type lists struct {
	pools   *components.Pools
	writing bool
	out     []byte // what was written
	from    *Reader
	sum     *Hash // neither: the types alone
}

func list[T, A any](x *lists, l *components.List[T, A], p *components.Pool[T]) {
	switch {
	case x.writing:
		x.out = appendEach(x.out, l.Part(p))
	case x.from != nil:
		if n := l.Beyond(); n > 0 && !x.from.more(n) { // an item takes a byte at least
			return
		}
		items, ok := l.Join(p)
		if !ok {
			x.from.Fail("a list of %d", l.Len)
			l.Len, l.Over = 0, 0
			return
		}
		TakeRows(x.from, items)
	default:
		x.sum.U64(LayoutOf[T]().Sum())
	}
}

func box[T any](x *lists, b *components.Box[T], p *components.Store[T], inside func(*T)) {
	switch {
	case x.writing:
		if v := b.Part(p); v != nil {
			one := [1]T{*v}
			had := x.out
			x.out = nil
			inside(&one[0])
			x.out = append(AppendRows(had, one[:]), x.out...)
		}
	case x.from != nil:
		v, ok := b.Join(p)
		if !ok {
			x.from.Fail("a box that is neither there nor not")
		}
		if v != nil {
			var one [1]T
			TakeRows(x.from, one[:])
			inside(&one[0])
			*v = one[0]
		}
	default:
		x.sum.U64(LayoutOf[T]().Sum())
		inside(new(T))
	}
}

// appendEach writes rows, each by itself: as many bytes as there are rows.
func appendEach[T any](dst []byte, rows []T) []byte {
	for i := range rows {
		dst = AppendRows(dst, rows[i:i+1])
	}
	return dst
}

func nothing[T any](*T) {}

func (x *lists) cold(c *components.Cold) {
	p := x.pools
	list(x, &c.MotionState.Modifiers, &p.Speeded)
	list(x, &c.MotionState.Actions, &p.Speeded)
	list(x, &c.Interpreted.Actions, &p.Actions)
	box(x, &c.Raw, &p.Raws, func(r *components.Raw) { list(x, &r.Actions, &p.Actions) })
	box(x, &c.Anchors.BlipTo, &p.Places, nothing)
	box(x, &c.Anchors.Leash, &p.Places, nothing)
	box(x, &c.Errand.Own, &p.Errands, x.errand)
	box(x, &c.Errand.Targets, &p.TargetManagers, func(m *components.TargetManager) {
		box(x, &m.Target, &p.Targets, nothing)
		list(x, &m.Voyeurs, &p.Voyeurs)
	})
}

func (x *lists) errand(e *components.Errand) {
	p := x.pools
	box(x, &e.MoveTo, &p.MoveTos, func(m *components.MoveTo) { list(x, &m.Nodes, &p.MoveToNodes) })
	box(x, &e.Sticky, &p.Stickies, nothing)
	box(x, &e.Ramp, &p.Ramps, nothing)
}

func (x *lists) sequence(s *components.Sequence) { list(x, &s.Nodes, &x.pools.Nodes) }

func (x *lists) pending(q *components.Pending) {
	list(x, &q.Anims, &x.pools.PendingAnims)
	list(x, &q.Motions, &x.pools.PendingMotions)
}

func (x *lists) chase(c *components.Chase) { list(x, &c.Queue, &x.pools.Chase) }

func (x *lists) touch(t *components.Touch) {
	p := x.pools
	box(x, &t.Met, &p.Mets, func(m *components.Met) { list(x, &m.Records, &p.Encounters) })
}

// values are those of one remote by value.
func (x *lists) values(v *components.Values) {
	x.cold(&v.Cold)
	x.sequence(&v.Sequence)
	x.pending(&v.Pending)
	x.chase(&v.Chase)
	x.touch(&v.Touch)
}
