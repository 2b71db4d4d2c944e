package systems

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/ecs"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/collision"
)

// Options say what engine to build. Tables are needed; every other zero value has a meaning.
type Options struct {
	// Tables are what remotes play from. Engines may share them.
	Tables *dat.Tables
	// TicksPerSecond fixes the quantum, 1/TicksPerSecond rounded to 32 bits. 0 is 30.
	TicksPerSecond float64
	// Workers is how many goroutines share a tick, the caller's included. 0 is 1.
	Workers int
	// ChunkRows is how many remotes a worker takes at a time. 0 is 256. It has no effect on the answer.
	ChunkRows int
	// Capacity is how many remotes there is room for before columns must grow. It has no effect on the answer.
	Capacity int
	// Land is what remotes run into: terrain, objects, buildings and each other
	// (spec 14). Tables must be those of [dat.LoadLand]. nil: no sweep, every move
	// is accepted as it is and contact never changes by itself.
	Land *collision.Land
	// Viewer is the observing player, whose distance decides between chase and
	// snap (spec 12 §4); copied, its rotation is not read. nil: every remote is near.
	// [Engine.SetViewer] moves it.
	Viewer *space.Position
	// LocalPlayer is the guid of the player whose client this is, 0 none (spec 20 §5.4).
	LocalPlayer uint32
	// Reports has the client's own messages written for LocalPlayer, who is driven
	// by commands: [Engine.Reports] (spec 15 §7). Without him it is refused.
	Reports bool
	// Refresh is after how many seconds of silence an owned mover says again what
	// it does and where it stands: after up to a quarter more, so that those who fell
	// silent together do not speak together. 0 is never: spec 15 §6 tells of changes only,
	// which is enough where messages arrive for sure and in order (spec 22). Where
	// one may be lost for good, as the last stop of a runner, this is what repairs it.
	Refresh float64
	// Unknown is what a remote is made of whose first sight is a movement or
	// position message, and what stands in for a motion table or setup that a
	// create names and Tables lack. nil: such messages are parked, and such
	// remotes do without. Its place may be missing. Copied; checked as [Engine.Spawn] checks.
	Unknown *Spawn
	// MaxUnknown is how many remotes may be there at a time that were made of
	// Unknown; beyond that messages are parked, and counted: [Engine.UnknownCount].
	// 0 is 65536.
	MaxUnknown int
	// Lenient accepts messages with bytes left over and counts them (spec 20 §7).
	Lenient bool
	// RetailClock has the world moved on by [Engine.AdvanceTo], in the steps that
	// retail cuts its frames into (spec 11 §4), and not by [Engine.Tick]. It implies
	// AlwaysUpdate, and remotes more than 96 m from the Viewer are inactive.
	// TicksPerSecond then measures only what Outbound and Reports wait for.
	RetailClock bool
	// AlwaysUpdate takes no short way: remotes at rest are updated too, all go through
	// every stage, and every step is swept in full. It has no effect on the answer;
	// tests compare the two.
	AlwaysUpdate bool
}

// The bounds on [Options], which keep a slip from asking for all memory there is.
const (
	MaxWorkers  = 1024
	MaxCapacity = 1 << 24
	// defaultMaxUnknown is Options.MaxUnknown where that is 0.
	defaultMaxUnknown = 1 << 16
	// MaxChunkRows is over all workers, each of which has scratch for one chunk.
	MaxChunkRows = 1 << 24
)

// ErrOptions refuses options.
var ErrOptions = errors.New("systems: bad options")

// Engine moves a world of remotes. Its methods are for one goroutine at a time;
// a [View] may be read from others.
type Engine struct {
	options  Options
	tables   *dat.Tables
	world    *ecs.World
	schedule *ecs.Schedule
	quantum  float32 // s, of the step in hand
	viewed   bool    // by SetViewer, and not by Options alone
	moved    bool    // the viewer has, since the last tick
	tick     uint64
	clock    clock
	laps     laps // of what no worker shares

	tape     *Tape // nil: nobody records
	inbound  inbox
	outbound outbound
	workers  []worker
	runs     []eventRun // by chunk
	asleep   []bool     // by chunk: all its rows rest, and both views say so
	events   []Event
	part     []uint32 // rows that [Engine.HashPart] looks at
	views    views
	inspects components.Row // of [Engine.Inspect]
	held     held
	stage    func(worker, chunk, from, to int)
	land     *land // nil without a sweep

	rescales bool   // there are hooks that change somebody's scale (15 §4)
	updating bool   // remotes are being updated, side by side
	done     uint64 // the last tick in which all were
	outbox   []subscription
	due      []due
	sent     []sent
	send     func(to uint32, info components.Target)
}

// eventRun is where a chunk's events, and its registrations, lie in its worker's buffers.
type eventRun struct{ worker, from, to, regFrom, regTo int }

// New returns an engine without remotes, at tick 0.
func New(o Options) (*Engine, error) {
	if o.Tables == nil {
		return nil, fmt.Errorf("%w: no tables", ErrOptions)
	}
	if o.TicksPerSecond == 0 {
		o.TicksPerSecond = 30
	}
	if !(o.TicksPerSecond >= 0.5 && o.TicksPerSecond <= 1000) {
		return nil, fmt.Errorf("%w: %v ticks a second, not 0.5 to 1000", ErrOptions, o.TicksPerSecond)
	}
	for _, c := range []struct {
		name      string
		is, bound int
	}{
		{"Workers", o.Workers, MaxWorkers}, {"ChunkRows", o.ChunkRows, MaxChunkRows / max(o.Workers, 1)},
		{"Capacity", o.Capacity, MaxCapacity}, {"MaxUnknown", o.MaxUnknown, math.MaxInt},
	} {
		if c.is < 0 || c.is > c.bound {
			return nil, fmt.Errorf("%w: %s is %d, not 0 to %d", ErrOptions, c.name, c.is, c.bound)
		}
	}
	if o.MaxUnknown == 0 {
		o.MaxUnknown = defaultMaxUnknown
	}
	if !(o.Refresh >= 0 && o.Refresh <= 1e6) {
		return nil, fmt.Errorf("%w: refreshed after %v s", ErrOptions, o.Refresh)
	}
	if o.Reports && o.LocalPlayer == 0 {
		return nil, fmt.Errorf("%w: Reports are the client's of LocalPlayer, who is nobody", ErrOptions)
	}
	viewer, err := ViewerAt(o.Viewer)
	if err != nil {
		return nil, err
	}
	o.Viewer = viewer
	if o.Land != nil {
		if err := o.Land.Check(o.Tables); err != nil {
			return nil, fmt.Errorf("%w: %v", ErrOptions, err)
		}
	}
	o.Workers = max(o.Workers, 1)
	if o.ChunkRows == 0 {
		o.ChunkRows = 256
	}
	o.AlwaysUpdate = o.AlwaysUpdate || o.RetailClock
	e := &Engine{
		options:  o,
		tables:   o.Tables,
		world:    ecs.NewWorld(o.Capacity),
		schedule: ecs.NewSchedule(o.Workers, o.ChunkRows),
		quantum:  float32(1 / o.TicksPerSecond),
		views:    views{room: o.Capacity},
	}
	e.rescales = slices.ContainsFunc(o.Tables.Hooks, func(h dat.PlayHook) bool { return dat.HookType(h.Type) == dat.HookScale })
	if o.Land != nil {
		e.land = newLand(o.Tables, o.Land, e.world)
		e.land.show = e.showRows
	}
	e.inbound.lanes.init(e)
	e.inbound.creation = make(map[uint32]creation)
	e.inbound.unknown = make(map[uint32]struct{})
	e.outbound.init(o.TicksPerSecond, o.Refresh)
	e.workers = make([]worker, o.Workers)
	for i := range e.workers {
		e.workers[i].init(e, i, o.ChunkRows)
	}
	e.stage = e.chunk
	e.clock.init(e)
	e.held.stage = e.followHolders
	if o.Unknown != nil {
		unknown := *o.Unknown
		check := unknown
		if check.Place.Cell == 0 { // without a place it waits for a position
			check.Place = space.Position{Cell: 0xA9B40001, Frame: space.Identity}
		}
		if _, err := e.values(&check); err != nil {
			return nil, fmt.Errorf("%w: the unknown: %w", ErrOptions, err)
		}
		if unknown.Owned != Remote {
			return nil, fmt.Errorf("%w: the unknown is owned, and nobody commands it", ErrOptions)
		}
		e.options.Unknown = &unknown
	}
	e.send = func(to uint32, info components.Target) { e.sent = append(e.sent, sent{to, info, e.clock.sim}) }
	return e, nil
}

// Tick moves the world on by one quantum. In order: removals and spawns that
// were asked for, in guid order; the messages and commands that came since the
// last tick, in order of arrival; then every remote's update; then the view,
// the events and the messages to send are there.
func (e *Engine) Tick() {
	if e.options.RetailClock {
		panic("systems: an engine with RetailClock is moved on by AdvanceTo, not by Tick.")
	}
	e.tape.op(tapeTick)
	e.clock.fixed(e.tick+1, e.options.TicksPerSecond)
	view := e.begin()
	e.update(e.stage)
	e.done = e.tick
	e.follow(view)
	e.deliver(&e.workers[0])
	e.end(view)
}

// begin does what comes before the updates of a tick.
func (e *Engine) begin() *View {
	e.beginLaps()
	if e.tick++; e.tick > 1 && count(e.tick) == 1 {
		e.recount()
	}
	w0 := &e.workers[0]
	for i := range e.workers {
		e.workers[i].events, e.workers[i].gathered = reuse(e.workers[i].events), 0
	}
	e.events = reuse(e.events)

	e.inbound.outcomes = reuse(e.inbound.outcomes)
	e.outbound.begin()
	e.admit()
	e.applyRows(w0)
	e.laps.touch(StageInbound, len(e.inbound.arena), 1)
	e.laps.touch(StageInbound, len(e.inbound.items), messageBytes)
	e.applyInbound(w0)
	e.gatherEvents()
	e.laps.end(StageInbound)
	e.stand()
	e.look()

	view := e.views.begin(e.tick, e.world.Rows())
	view.dt = e.quantum
	for i := range e.workers {
		e.workers[i].begin(view, e.views.full > 0)
	}
	return view
}

// update takes all rows through a stage.
func (e *Engine) update(stage func(worker, chunk, from, to int)) {
	rows := e.world.Rows()
	e.runs = sized(e.runs, e.schedule.Chunks(rows), 0)
	e.laps.end(StageStand)
	e.updating = true
	e.schedule.Each(rows, stage)
	e.updating = false
	e.laps.shared()
	e.workers[0].mover.lose()
	e.crowdTick()
	for _, r := range e.runs {
		e.events = append(e.events, e.workers[r.worker].events[r.from:r.to]...)
	}
	from := len(e.events)
	for i := range e.workers {
		w := &e.workers[i]
		e.events = append(e.events, w.metBy...)
		w.metBy = w.metBy[:0]
	}
	// in an order that does not depend on which worker had whom
	slices.SortFunc(e.events[from:], func(a, b Event) int { return cmp.Or(cmp.Compare(a.Guid, b.Guid), cmp.Compare(a.Other, b.Other)) })
}

// trimEvery is after how many ticks what a flood of messages took goes at the latest
// where nobody comes or goes: twice that.
const trimEvery = 1024

// end publishes.
func (e *Engine) end(view *View) {
	// remotes came or went in this tick or in the one before; or it is time to look
	if e.views.full > 0 || e.tick%trimEvery == 0 {
		for i := range e.workers {
			e.workers[i].pools.Lay()
		}
		e.world.Pools.Trim()
	}
	e.views.full = max(e.views.full-1, 0)
	e.views.latest.Store(view)
	byGuid(e.events)
	e.publishOwned(&e.workers[0], e.events)
	e.outbound.end()
	e.laps.touch(StageDeliver, len(e.events), eventBytes)
	e.laps.end(StageDeliver)
}

// chunk takes some rows through the stages after inbound.
func (e *Engine) chunk(worker, chunk, from, to int) {
	w := &e.workers[worker]
	at, reg := len(w.events), len(w.regs)
	if e.asleep[chunk] && !w.writeAll && !e.refreshes(chunk) {
		e.runs[chunk] = eventRun{worker, at, at, reg, reg}
		return
	}
	glid, swept := w.step(from, to)
	w.publish(from, to)
	e.asleep[chunk] = w.glided+len(w.rows) == 0
	if e.world.Sorted() {
		w.merge(at, glid, swept)
		w.merge(at, swept, len(w.events))
	}
	w.laps.end(StagePublish)
	w.touchPublish()
	e.runs[chunk] = eventRun{worker, at, len(w.events), reg, len(w.regs)}
}

// step takes some rows through one step; it returns where in the worker's events
// those of the stages begin, after those of who glides, and those of the sweep.
func (w *worker) step(from, to int) (glid, swept int) {
	w.chunkOutbox = len(w.outbox)
	w.laps.begin()
	w.glide(from, to)
	glid = len(w.events)
	w.laps.end(StageGlide)
	w.sequence(from, to)
	w.laps.end(StageSequence)
	w.adjust(from, to)
	w.laps.end(StageAdjust)
	swept = len(w.events)
	if w.e.land != nil {
		w.sweepLand(from, to)
	} else {
		w.sweep(from, to)
	}
	w.laps.end(StageSweep)
	w.touchStep(from, to)
	return glid, swept
}

// Now returns the number of the last tick, from 1; 0 before the first.
func (e *Engine) Now() uint64 { return e.tick }

// TicksPerSecond returns how many ticks there are to a second.
func (e *Engine) TicksPerSecond() float64 { return e.options.TicksPerSecond }

// Quantum returns the seconds of a tick.
func (e *Engine) Quantum() float32 { return e.quantum }

// Tables returns the tables that remotes play from.
func (e *Engine) Tables() *dat.Tables { return e.tables }

// Len returns the number of remotes.
func (e *Engine) Len() int { return e.world.Rows() }

// Row returns in which row of the [View] of the last tick a remote is.
func (e *Engine) Row(guid uint32) (int, bool) { return e.world.Row(guid) }

// View returns what the last tick published, nil before the first. Any goroutine may call it.
func (e *Engine) View() *View { return e.views.latest.Load() }

// Events returns what happened in the last tick, in guid order, those of one
// remote in the order in which they happened. Good until the next tick.
func (e *Engine) Events() []Event { return e.events }

// Inspect calls f with the row of a remote as it stands after the last tick;
// it reports whether there is one. f must neither keep nor change the row, nor call
// the engine, which has one row for all of these calls.
func (e *Engine) Inspect(guid uint32, f func(r *components.Row, p *components.Pools)) bool {
	i, ok := e.world.Row(guid)
	if !ok {
		return false
	}
	r := &e.inspects
	e.world.Columns().At(i, r)
	if r.Rest.Since != 0 {
		e.catchUp(r)
	}
	f(r, &e.world.Pools)
	*r = components.Row{} // columns that have been outgrown must not be kept by it
	return true
}

// Bytes returns the memory that the remotes take, all columns, both views and
// overflow included, and what inputs, events and messages to send lie in.
func (e *Engine) Bytes() (n uintptr) {
	for _, m := range e.Memory() {
		n += m.Bytes
	}
	return n
}

// Memory returns the same, part by part.
func (e *Engine) Memory() []ecs.Memory {
	return append(e.world.Memory(),
		ecs.Memory{Part: "views", Bytes: e.views.buffer[0].bytes() + e.views.buffer[1].bytes()},
		ecs.Memory{Part: "who stands where", Bytes: e.land.bytes()},
		ecs.Memory{Part: "inputs and events", Bytes: e.buffers()},
	)
}

// buffers is the memory of what is no remote's.
func (e *Engine) buffers() uintptr {
	n := e.inbound.bytes() + e.outbound.bytes() + room(e.events)
	for i := range e.workers {
		n += room(e.workers[i].events) + room(e.workers[i].outbox) + room(e.workers[i].due)
	}
	return n
}

// Options returns what the engine was built with, defaults filled in, and where the
// viewer is now.
func (e *Engine) Options() Options { return e.options }
