package gait

import (
	"context"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/record"
	"github.com/gait-engine/gait/systems"
)

// Engine moves a world of remotes. Inputs, views and [Engine.Stats] are for any
// goroutine at any time; everything else is for the one that ticks, or for one at
// a time, between ticks. Two at once is a mistake that is answered with a panic.
// [New], [Restore] and [Recover] make one; the zero value is none, and to use it is a
// mistake too.
type Engine struct {
	engine  *systems.Engine
	options Options
	ctx     context.Context // of logging
	log     *record.Log     // nil: not recording
	lost    error           // what ended the recording
	replay  bool            // somebody else's inputs are played

	owner owner         // what is at work
	begun atomic.Uint64 // the last tick that has

	late   []Outcome // of inputs that were refused when they were handed over
	merged []Outcome // those and the others of the last tick
	handed queue

	mu      sync.Mutex // for all below
	waiting queue
	full    bool  // inputs were refused since the last tick
	shut    error // why no input is taken
	taken   [inputKinds]uint64
	refused [Reasons]uint64 // before they waited
	stats   Stats
	view    View
}

// New returns an engine without remotes, at tick 0.
func New(o Options) (*Engine, error) {
	if err := o.fill(); err != nil {
		return nil, err
	}
	e, err := systems.New(o.systems())
	if err != nil {
		return nil, err
	}
	return wrap(e, o), nil
}

// Restore makes an engine that goes on where the one stood that wrote a snapshot
// ([Engine.Snapshot]). o are the options of that one, but that Workers, ChunkRows,
// Capacity, MaxWaiting, Log and Stopwatch may differ; Viewer is read from the
// snapshot. It reads from r as far as the snapshot goes. What it refuses is that of
// [systems.Restore].
func Restore(o Options, r io.Reader) (*Engine, error) {
	if err := o.fill(); err != nil {
		return nil, err
	}
	e, err := systems.Restore(o.systems(), r)
	if err != nil {
		return nil, err
	}
	return wrap(e, o), nil
}

// wrap makes a front of an engine; o is filled.
func wrap(s *systems.Engine, o Options) *Engine {
	e := &Engine{engine: s, options: o, ctx: context.Background()}
	e.owner.free()
	s.Measure(o.Stopwatch)
	e.begun.Store(s.Now())
	e.stats.Tick, e.stats.Remotes = s.Now(), s.Len()
	e.view = View{s.View(), s.Len(), s.Now(), &e.begun}
	return e
}

// Tick moves the world on by one quantum. In order: removals and spawns that were
// asked for, in guid order; messages and commands, by ascending [Source] and, of one
// source, in order of arrival; then every remote's update; then view, events,
// outcomes and messages to send are there. What arrives meanwhile waits for the next
// tick. A recording ([Engine.Record]) has the tick when Tick returns.
//
// A tick inside a tick, by two goroutines or after Close is a mistake that is
// answered with a panic.
func (e *Engine) Tick() {
	e.owner.take(atTick)
	defer e.owner.free()
	if e.replay {
		panic("gait: Tick was called on an engine that a replay shows: the replay runs it.")
	}
	began := e.now()
	e.begun.Store(e.engine.Now() + 1)
	e.merged = e.merged[:0]
	e.take(false)
	e.engine.Tick()
	e.handed.empty()
	e.publish(began)
}

// now reads the embedder's stopwatch.
func (e *Engine) now() int64 {
	if e.options.Stopwatch == nil {
		return 0
	}
	return e.options.Stopwatch()
}

// publish has the outside see a tick.
func (e *Engine) publish(began int64) {
	if len(e.late) > 0 {
		e.merged = append(append(e.merged, e.late...), e.engine.Outcomes()...)
		e.late = e.late[:0]
	}
	ticked := e.now()
	e.commit()
	ended := e.now()

	e.mu.Lock()
	s := e.stats
	e.mu.Unlock()
	e.tally(&s)
	s.Last = time.Duration(ended - began)
	s.Ticks += s.Last
	s.Record += time.Duration(ended - ticked)
	e.mu.Lock()
	e.stats = s
	e.view = View{e.engine.View(), e.engine.Len(), e.engine.Now(), &e.begun}
	e.mu.Unlock()
}

func (e *Engine) outcomes() []Outcome {
	if len(e.merged) > 0 {
		return e.merged
	}
	return e.engine.Outcomes()
}

// View returns what the last tick published. Any goroutine may call it, and read
// what it returns until the second tick after that begins; that this waits for it is up
// to the caller ([View]).
func (e *Engine) View() View {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.view
}

// Lookup returns a remote as the last tick left it; false when there is none.
func (e *Engine) Lookup(guid uint32) (Remote, bool) {
	e.owner.look(atLookup)
	row, ok := e.engine.Row(guid)
	if !ok || e.view.columns == nil {
		return Remote{}, false
	}
	return e.view.Remote(row), true
}

// Events returns what happened in the last tick, in guid order, those of one
// remote in their order. Good until the next tick.
func (e *Engine) Events() []Event {
	e.owner.look(atEvents)
	return e.engine.Events()
}

// Outcomes returns what became of the inputs of the last tick: first those that
// were refused when the tick began, then all others in the order in which they were
// applied. Good until the next tick.
func (e *Engine) Outcomes() []Outcome {
	e.owner.look(atOutcomes)
	return e.outcomes()
}

// Outbound returns the messages that a server sends after the last tick, to all
// who know of the movers that they are about ([systems.Engine.Outbound]). Good until
// the next tick.
func (e *Engine) Outbound() []Out {
	e.owner.look(atOutbound)
	return e.engine.Outbound()
}

// Reports returns the actions that the client of [Options.LocalPlayer] sends to its
// server after the last tick ([systems.Engine.Reports]). Good until the next tick.
func (e *Engine) Reports() []Out {
	e.owner.look(atReports)
	return e.engine.Reports()
}

// NextSequence hands out the number of an action that the client sends besides Reports.
func (e *Engine) NextSequence() uint32 {
	e.owner.take(atSequence)
	defer e.owner.free()
	return e.engine.NextSequence()
}

// CreateMessage appends to dst the message that makes a mover known to a newcomer
// ([systems.Engine.CreateMessage]).
func (e *Engine) CreateMessage(dst []byte, guid uint32) ([]byte, error) {
	e.owner.take(atCreate)
	defer e.owner.free()
	return e.engine.CreateMessage(dst, guid)
}

// PartFrames appends to dst where the parts of a remote are ([systems.Engine.PartFrames]).
func (e *Engine) PartFrames(guid uint32, dst []Frame) ([]Frame, bool) {
	e.owner.take(atParts)
	defer e.owner.free()
	return e.engine.PartFrames(guid, dst)
}

// Inspect calls f with all that a remote is made of; it reports whether there is
// one. f must neither keep nor change it, nor call the engine.
func (e *Engine) Inspect(guid uint32, f func(r *Row, p *components.Pools)) bool {
	e.owner.take(atInspect)
	defer e.owner.free()
	return e.engine.Inspect(guid, f)
}

// Now returns the number of the last tick, from 1; 0 before the first.
func (e *Engine) Now() uint64 {
	e.owner.look(atNow)
	return e.engine.Now()
}

// Len returns the number of remotes.
func (e *Engine) Len() int {
	e.owner.look(atLen)
	return e.engine.Len()
}

// Tables returns what remotes play from.
func (e *Engine) Tables() *Tables { return e.options.Tables }

// TicksPerSecond returns how many ticks there are to a second.
func (e *Engine) TicksPerSecond() float64 { return e.engine.TicksPerSecond() }

// Bytes returns the memory of remotes, views, events and messages.
func (e *Engine) Bytes() uintptr {
	e.owner.take(atBytes)
	defer e.owner.free()
	return e.engine.Bytes()
}

// Hash digests the whole state, with what waits for the next tick. Equal inputs give
// equal hashes, whatever workers, chunks and machine.
func (e *Engine) Hash() uint64 {
	e.owner.take(atHash)
	defer e.owner.free()
	e.take(true)
	return e.engine.Hash()
}

// Check walks every invariant of the state and returns the first that does not hold.
func (e *Engine) Check() error {
	e.owner.take(atCheck)
	defer e.owner.free()
	return e.engine.Check()
}

// Snapshot writes the whole state, with what waits for the next tick: [Restore]
// makes an engine of it that goes on as this one does ([systems.Engine.Snapshot]).
// What waits is put into order here, and comes before what arrives later.
func (e *Engine) Snapshot(w io.Writer) error {
	e.owner.take(atSnapshot)
	defer e.owner.free()
	e.take(true)
	return e.engine.Snapshot(w)
}

// Close ends the recording, if there is one, and the use of the engine: inputs are
// refused from now on with [ErrClosed], and what waits is dropped; all else but
// View, Stats, RecordingErr and Close is a mistake that is answered with a panic. It
// returns what ended the recording before, or what closing it met, and that again when
// it is called again.
func (e *Engine) Close() error {
	if e.owner.is(atClosed) {
		return e.lost
	}
	e.owner.take(atClose)
	e.mu.Lock()
	e.shut = ErrClosed
	e.waiting = queue{}
	e.mu.Unlock()
	e.stopRecording()
	e.owner.set(atClosed)
	return e.lost
}
