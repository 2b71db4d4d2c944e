package systems

import (
	"fmt"
	"io"
	"slices"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/ecs"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/collision"
	"github.com/gait-engine/gait/wire"
)

// What of an engine is written besides its world.
const (
	sectionEngine = ecs.SectionOthers + iota
	sectionInbox
	sectionOutbound
	sectionCrowd
)

// snapshotLayout digests the types that a snapshot is written from.
func snapshotLayout() uint64 {
	var h ecs.Hash
	h.U64(1) // version of what is written by hand below
	for _, sum := range []uint64{
		ecs.WorldLayout(), TapeLayout(), ecs.LayoutOf[space.Position]().Sum(), ecs.LayoutOf[wire.Counts]().Sum(),
		ecs.LayoutOf[published]().Sum(), ecs.LayoutOf[collision.Entry]().Sum(),
	} {
		h.U64(sum)
	}
	return h.Sum()
}

// Settings digests those of the options that the answer depends on, and are
// neither tables nor state: an engine is restored, and a tape played, under the same.
// Of land it knows no more than whether there is any and, of level ground, how high.
func (e *Engine) Settings() uint64 {
	o := &e.options
	var h ecs.Hash
	h.F64(o.TicksPerSecond)
	h.U32(o.LocalPlayer)
	h.Bool(o.Reports)
	h.F64(o.Refresh)
	h.U64(uint64(o.MaxUnknown))
	h.Bool(o.Lenient)
	h.Bool(o.RetailClock)
	h.Bool(o.Unknown != nil)
	if o.Unknown != nil {
		h.Bytes(ecs.AppendRows(nil, []Spawn{*o.Unknown}))
	}
	h.Bool(o.Land != nil)
	if o.Land != nil {
		height, flat := o.Land.Flat()
		h.Bool(flat)
		h.F32(height)
	}
	return h.Sum()
}

// settingNames are the options that [Engine.Settings] digests, which does not tell which of
// them is another.
const settingNames = "TicksPerSecond, LocalPlayer, Reports, Refresh, MaxUnknown, Lenient, RetailClock, Unknown and Land"

// maxTick bounds the tick that a snapshot may be of: further ones than this a
// float64 does not tell apart.
const maxTick = 1 << 53

// Snapshot writes the whole state between two ticks, with what waits for the next:
// [Restore] makes an engine of it that goes on as this one does. What the last tick
// told ([Engine.Events], [Engine.Outcomes], [Engine.Outbound], [Engine.Reports]) is
// not in it, nor is a [Tape]. Equal states give equal bytes, whatever machine,
// workers, chunks and rest. It returns the first error of w.
func (e *Engine) Snapshot(w io.Writer) error {
	_, err := e.snapshot(w, true)
	return err
}

// snapshot returns how many bytes there are without compression.
func (e *Engine) snapshot(w io.Writer, compressed bool) (int64, error) {
	h := ecs.Header{
		Rows: uint32(e.world.Rows()), Layout: snapshotLayout(), Settings: e.Settings(), Tables: e.tables.Identity,
		Tick: e.tick, Hash: e.Hash(), // which brings all up to date
	}
	to := ecs.NewWriter(w, h, compressed)
	e.world.Save(to)
	e.saveEngine(to)
	e.saveInbox(to)
	e.saveOutbound(to)
	e.saveCrowd(to)
	err := to.Close()
	return to.Bytes(), err
}

// Restore makes an engine that stands where the one stood that wrote a snapshot,
// and goes on as it would have. o are the options of that one, but that Workers,
// ChunkRows, Capacity and AlwaysUpdate may differ; Viewer is read from the snapshot.
// It reads from r as far as the snapshot goes.
//
// What it refuses says why: [ecs.ErrTables], [ecs.ErrLayout], [ecs.ErrSettings],
// [ecs.ErrCutShort], [ecs.ErrDamaged], or what reading met. There is no engine then.
func Restore(o Options, r io.Reader) (*Engine, error) { return restore(o, r, false) }

// restore goes by the state hash unless it is forged, as tests do.
func restore(o Options, r io.Reader, forged bool) (*Engine, error) {
	if r == nil {
		return nil, fmt.Errorf("%w: no snapshot to read", ErrOptions)
	}
	o.Viewer = nil
	e, err := New(o)
	if err != nil {
		return nil, err
	}
	from, err := ecs.NewReader(r, snapshotLayout())
	if err != nil {
		return nil, err
	}
	h := &from.Header
	switch {
	case h.Tables != e.tables.Identity:
		return nil, fmt.Errorf("%w: %x, not %x", ecs.ErrTables, h.Tables[:8], e.tables.Identity[:8])
	case h.Settings != e.Settings():
		return nil, fmt.Errorf("%w: at least one is another of %s", ecs.ErrSettings, settingNames)
	case h.Tick > maxTick || h.Rows > MaxCapacity:
		return nil, fmt.Errorf("%w: %d remotes at tick %d", ecs.ErrDamaged, h.Rows, h.Tick)
	}
	e.tick, e.done = h.Tick, h.Tick
	e.world.Load(from)
	e.loadEngine(from)
	e.loadInbox(from)
	e.loadOutbound(from)
	if from.Err() != nil {
		return nil, from.Err()
	}
	if err := e.checkLoaded(); err != nil {
		return nil, fmt.Errorf("%w: %w", ecs.ErrDamaged, err)
	}
	e.loadCrowd(from)
	if err := from.Close(); err != nil {
		return nil, err
	}
	e.holdLoaded()
	e.stirAll()
	if err := e.checkAll(); err != nil {
		return nil, fmt.Errorf("%w: %w", ecs.ErrDamaged, err)
	}
	if got := e.Hash(); got != h.Hash && !forged {
		return nil, fmt.Errorf("%w: its state's hash is %016x, not %016x", ecs.ErrDamaged, got, h.Hash)
	}
	e.show()
	return e, nil
}

func (e *Engine) saveEngine(to *ecs.Writer) {
	to.Section(sectionEngine)
	to.F64(e.clock.last)
	to.F64(e.clock.now)
	to.U64(e.clock.beat)
	to.Bool(e.viewed)
	to.Bool(e.moved)
	to.Bool(e.options.Viewer != nil)
	if e.options.Viewer != nil {
		ecs.WriteRows(to, []space.Position{*e.options.Viewer})
	}
}

func (e *Engine) loadEngine(from *ecs.Reader) {
	from.Section(sectionEngine)
	k := &e.clock
	last, now, beat := from.F64(), from.F64(), from.U64()
	switch {
	case e.options.RetailClock:
		if !(last >= -1 && last <= MaxSeconds && now >= 0 && now <= MaxSeconds) {
			from.Fail("the clock shows %v s, after %v s", now, last)
		}
		k.last, k.now, k.sim, k.beat = last, now, now, beat
	case e.tick > 0:
		k.fixed(e.tick, e.options.TicksPerSecond)
	}
	e.viewed, e.moved = from.Bool(), from.Bool()
	if from.Bool() {
		var at [1]space.Position
		ecs.TakeRows(from, at[:])
		viewer, err := ViewerAt(&at[0])
		if err != nil {
			from.Fail("%v", err)
		}
		e.options.Viewer = viewer
	}
}

// checkLoaded is what must hold before any rule looks at what was loaded.
func (e *Engine) checkLoaded() error {
	if err := e.checkRows(); err != nil {
		return err
	}
	return e.world.EachWaiting(func(r *components.Row) error {
		if r.Rest.Since != 0 {
			return fmt.Errorf("0x%08X rests before it comes", r.Identity.Guid)
		}
		if err := e.checkRow(r); err != nil {
			return fmt.Errorf("0x%08X, which is to come: %w", r.Identity.Guid, err)
		}
		return nil
	})
}

// holdLoaded finds who holds what.
func (e *Engine) holdLoaded() {
	c := e.world.Columns()
	h := &e.held
	for i := range c.Cold {
		if id := &c.Cold[i].Identity; id.Parent != 0 {
			h.holds = append(h.holds, hold{id.Parent, id.Guid})
		}
	}
	slices.SortFunc(h.holds, hold.compare)
	h.changed = true
}

// show publishes what was restored as the last tick did. Who rested is awake, and
// falls asleep again in the next tick.
func (e *Engine) show() {
	e.stirAll()
	if e.tick == 0 {
		return
	}
	e.views.full = 2
	view := e.views.begin(e.tick, e.world.Rows())
	view.dt = e.quantum
	for i := range e.workers {
		e.workers[i].begin(view, true)
	}
	e.schedule.Each(e.world.Rows(), func(worker, _, from, to int) { e.workers[worker].publishAll(from, to) })
	e.follow(view)
	e.views.latest.Store(view)
}

// The registrations of the crowd, in the order of rows, which is that of guids.
func (e *Engine) saveCrowd(to *ecs.Writer) {
	to.Section(sectionCrowd)
	if e.land == nil {
		return
	}
	var some []collision.Entry
	for k := range e.world.Rows() {
		some = e.land.crowd.Entries(e.world.Nth(k), some[:0])
		to.U32(uint32(len(some)))
		ecs.WriteRows(to, some)
	}
}

func (e *Engine) loadCrowd(from *ecs.Reader) {
	from.Section(sectionCrowd)
	if e.land == nil {
		return
	}
	g, rows := &e.land.crowd, e.world.Rows()
	g.Resize(rows)
	counts := make([]uint32, rows)
	var entries []collision.Entry
	var one [1]collision.Entry
	m := &e.workers[0].mover
	for i := range counts {
		counts[i] = from.U32()
		for k := uint32(0); k < counts[i] && from.Err() == nil; k++ {
			ecs.TakeRows(from, one[:])
			entries = append(entries, one[0])
		}
		if from.Err() != nil {
			return
		}
		m.at(i)
		m.describe(&g.Obstacles[i])
		g.Sized(i)
	}
	m.lose()
	if err := g.Enter(count(e.tick), counts, entries); err != nil {
		from.Fail("%v", err)
	}
}
