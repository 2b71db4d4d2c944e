package bench

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/systems"
)

// Config says what to run.
type Config struct {
	Tables     *dat.Tables // with the records of both gaits
	Ground     *Ground     // nil: no sweep
	Load       Load
	Remotes    int
	Ticks      int // that are timed
	Workers    int // 0 is 1
	Seed       uint64
	Population []Placement // nil: humanoids in random places
	Count      int         // how often; the figures are medians. 0 is 1

	// Progress is told of every tick made or run, the clock standing.
	Progress func(stage string, done, total int)
	// Timed is called before the timed part of the first run begins; what it
	// returns is called when that part is over.
	Timed func() (stop func())
}

// MaxTicks bounds a run.
const MaxTicks = 1 << 24

// warmTicks is how many ticks without messages go before the timed part: the
// one in which the remotes come, and then enough for both views to be written
// whole and for what rests to have come to rest.
const warmTicks = 4

var (
	// ErrAnswer says that repeats of one run ended in different states.
	ErrAnswer = errors.New("bench: repeats differ")
	// ErrMessages says that the engine refused what a load sent.
	ErrMessages = errors.New("bench: messages were not applied")
)

func (c *Config) check() error {
	if c.Tables == nil {
		return fmt.Errorf("%w: no tables", ErrConfig)
	}
	if c.Ticks < 1 || c.Ticks > MaxTicks {
		return fmt.Errorf("%w: %d ticks, not 1 to %d", ErrConfig, c.Ticks, MaxTicks)
	}
	if c.Count < 0 {
		return fmt.Errorf("%w: count %d", ErrConfig, c.Count)
	}
	c.Workers, c.Count = max(c.Workers, 1), max(c.Count, 1)
	return nil
}

// Run runs a load Count times and returns the medians.
func Run(c Config) (Result, error) {
	if err := c.check(); err != nil {
		return Result{}, err
	}
	floor := newFloor(c.Remotes, c.Workers)
	var window Window
	results := make([]Result, c.Count)
	for i := range results {
		r := run{Config: &c, window: &window, floor: floor, repeat: i}
		if i > 0 {
			r.Timed = nil
		}
		var err error
		if results[i], err = r.run(); err != nil {
			return Result{}, err
		}
		if a, b := results[0].Hash, results[i].Hash; a != b {
			return Result{}, fmt.Errorf("%w: state %s after run 1, %s after run %d", ErrAnswer, a, b, i+1)
		}
	}
	return medians(results), nil
}

// run is one run in progress.
type run struct {
	*Config
	window *Window
	floor  *floor
	repeat int
	steps  int

	engine  *systems.Engine
	stream  *Stream
	tick    int
	times   []float64 // ns, by tick that was not measured stage by stage
	answers int       // to messages in these
	costs   []measured
	applied int
	early   collected // in the first half of the ticks
	late    collected // and in the second
	before  look
	after   look
}

func (r *run) run() (Result, error) {
	var err error
	if r.stream, err = NewStreamOn(r.Ground, r.Load, r.Remotes, r.Seed, r.Population); err != nil {
		return Result{}, err
	}
	r.times, r.costs = make([]float64, 0, r.Ticks), make([]measured, 0, r.Ticks/measureEvery)
	_, before := collect()
	held := r.window.size()
	if r.engine, err = Spawned(r.stream, systems.Options{Tables: r.Tables, Workers: r.Workers}); err != nil {
		return Result{}, err
	}
	r.floor.samples = r.floor.samples[:0]
	r.floor.measure()
	if err := r.timed(); err != nil {
		return Result{}, err
	}
	r.floor.measure()
	result := r.result()
	_, after := collect()
	result.HeapBytesPerRemote = (float64(after) - float64(before) - float64(r.window.size()-held)) / float64(r.Remotes)
	r.stream = nil // not the engine's
	cpu, pause := collections()
	result.OneGCMs, result.OneGCPauseMs = cpu*1e3, pause*1e3
	runtime.KeepAlive(r.engine)
	return result, nil
}

// Spawned returns an engine with a stream's remotes in it, warm: see warmTicks.
// Of the options, the capacity is the stream's, and so is the land where they name none.
func Spawned(s *Stream, o systems.Options) (*systems.Engine, error) {
	o.Capacity = s.Len()
	if s.ground != nil && o.Land == nil {
		o.Land = s.ground.Land
	}
	e, err := systems.New(o)
	if err != nil {
		return nil, err
	}
	for i := range s.Len() {
		guid, place, gait, scale := s.Start(i)
		spawn := systems.NewSpawn(guid, place)
		spawn.MotionTable, spawn.Setup, spawn.Scale = gait.MotionTable, gait.Setup, scale
		if err := e.Spawn(spawn); err != nil {
			return nil, fmt.Errorf("bench: the %s: %w", gait.Name, err)
		}
	}
	for range warmTicks {
		e.Tick()
	}
	return e, nil
}

// timed runs the ticks, window by window. What is neither feeding nor ticking
// happens between a tick's end and the next one's beginning.
func (r *run) timed() error {
	fits := WindowTicks(r.Load, r.Remotes)
	middle := r.Ticks / 2
	var stop func()
	for done := 0; done < r.Ticks; {
		ticks := min(fits, r.Ticks-done)
		if err := r.stream.Fill(r.window, ticks, func() { r.progress("making messages") }); err != nil {
			return err
		}
		if done == 0 {
			runtime.GC() // now, so that none is due while the clock runs
			if r.Timed != nil {
				stop = r.Timed()
			}
		}
		for t := 0; t < ticks; {
			until := ticks
			if done < middle {
				until = min(ticks, t+middle-done)
			}
			half := &r.early
			if done >= middle {
				half = &r.late
			}
			r.before.take()
			if err := r.ticks(t, until); err != nil {
				return err
			}
			r.after.take()
			half.add(&r.before, &r.after)
			done += until - t
			t = until
			if done == middle {
				r.floor.measure()
			}
		}
	}
	if stop != nil {
		stop()
	}
	return nil
}

// ticks runs ticks from..until of the window against the clock.
func (r *run) ticks(from, until int) error {
	for t := from; t < until; t++ {
		bytes, sizes := r.window.Messages(t)
		r.tick++
		if r.tick%measureEvery == 0 {
			if err := r.measure(bytes, sizes); err != nil {
				return err
			}
		} else {
			began := time.Now()
			if err := Feed(r.engine, bytes, sizes); err != nil {
				return err
			}
			r.engine.Tick()
			r.times = append(r.times, float64(time.Since(began).Nanoseconds()))
			r.answers += len(sizes)
		}

		outcomes := r.engine.Outcomes()
		for i := range outcomes {
			if o := &outcomes[i]; o.Verdict != systems.Applied {
				return errors.Join(fmt.Errorf("%w: tick %d: message %d, %#x for 0x%08X, was %s",
					ErrMessages, r.tick-1, i, o.Opcode, o.Guid, o.Verdict), o.Err)
			}
		}
		if len(outcomes) != len(sizes) {
			return fmt.Errorf("%w: tick %d: %d of %d came out", ErrMessages, r.tick-1, len(outcomes), len(sizes))
		}
		r.applied += len(outcomes)
		r.progress("running")
	}
	return nil
}

// measure runs a tick and measures it stage by stage.
func (r *run) measure(bytes []byte, sizes []uint8) error {
	r.engine.Measure(clock)
	began := time.Now()
	if err := Feed(r.engine, bytes, sizes); err != nil {
		return err
	}
	feed := time.Since(began)
	r.engine.Tick()
	took := time.Since(began)
	r.engine.Measure(nil)
	r.costs = append(r.costs, measured{after: len(r.times), took: took, feed: feed, fed: len(bytes), cost: r.engine.Cost()})
	return nil
}

// Feed hands a tick's messages to an engine.
func Feed(e *systems.Engine, bytes []byte, sizes []uint8) error {
	for _, n := range sizes {
		if err := e.Inbound(bytes[:n]); err != nil {
			return err
		}
		bytes = bytes[n:]
	}
	return nil
}

func (r *run) progress(stage string) {
	r.steps++
	if r.Progress != nil {
		if r.Count > 1 {
			stage = fmt.Sprintf("%d/%d %s", r.repeat+1, r.Count, stage)
		}
		r.Progress(stage, r.steps, 2*r.Ticks)
	}
}

// Errors returns how far in metres every remote of an engine is from its ideal
// mover, ascending, and how many are in no cell and so nowhere.
func (s *Stream) Errors(v *systems.View) (metres []float64, lost int) {
	for i := range v.Len() {
		if d, ok := s.Error(v.Guid[i], v.Cell[i], v.Origin[i]); ok {
			metres = append(metres, d)
		} else {
			lost++
		}
	}
	slices.Sort(metres)
	return metres, lost
}

func (r *run) result() Result {
	n := float64(r.Remotes)
	clocks := clockCost(r.costs, r.times)
	total := 0.0
	for _, t := range r.times {
		total += t
	}
	inOrder := slices.Clone(r.times)
	slices.Sort(r.times)
	result := Result{
		Remotes: r.Remotes, Ticks: r.Ticks, Workers: r.Workers, Load: r.Load, Sweep: SweepNone,
		Messages:           r.applied,
		NsMedian:           median(r.times) / n,
		NsMean:             mean(r.times) / n,
		TickMsP50:          median(r.times) / 1e6,
		TickMsP99:          percentile(r.times, 0.99) / 1e6,
		MessagesPerS:       float64(r.answers) / (total / 1e9),
		AllocsPerTick:      float64(r.late.mallocs) / float64(r.Ticks-r.Ticks/2),
		BytesPerRemote:     float64(r.engine.Bytes()) / n,
		FloorNs:            r.floor.perRemote(),
		Hash:               fmt.Sprintf("%016x", r.engine.Hash()),
		EarlyAllocsPerTick: float64(r.early.mallocs) / float64(max(r.Ticks/2, 1)),
		ClockCost:          clocks,
		Times:              inOrder,
	}
	result.Stages, result.Sharing = stages(r.costs, r.Remotes)
	gc := r.early
	gc.join(&r.late)
	result.GCShare, result.GCs, result.GCPauseMs = gc.share(), gc.cycles, gc.pause*1e3
	if r.Ground != nil {
		result.Sweep = r.Ground.Sweep
	}
	result.TimesFloor = result.NsMedian / result.FloorNs
	errors, lost := r.stream.Errors(r.engine.View())
	result.Lost = lost
	if len(errors) > 0 {
		result.ErrorMean, result.ErrorMedian, result.ErrorP99 = mean(errors), median(errors), percentile(errors, 0.99)
	}
	return result
}
