package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/gait-engine/gait/bench"
	"github.com/gait-engine/gait/record"
	"github.com/gait-engine/gait/systems"
)

// config says what to soak.
type config struct {
	n      int
	nGiven bool
	ticks  int     // 0: as the clock says
	hours  float64 // by the clock on the wall
	every  int     // ticks after which states are compared
	seed   uint64
	load   string
	world  string
	ground bench.GroundOptions
	faults bool
	record string
	replay string

	progress func(p progress)
	corrupt  func(tick uint64, lanes []*lane) // tests break engines with it
}

// progress is how far a soak has come.
type progress struct {
	ticks int
	wall  time.Duration
	done  float64 // of what there is to do, 0 to 1; 0 when that is not known
	lanes []*lane
}

// failure is the first difference, and how to see it again.
type failure struct {
	Tick    uint64 `json:"tick"`
	Engine  string `json:"engine"`
	Against string `json:"against,omitempty"`
	difference
	Error   string `json:"error,omitempty"` // instead of a difference
	Bundle  string `json:"bundle"`
	Command string `json:"command"`
}

// result is what a soak comes to.
type result struct {
	Load        string            `json:"load"` // "recorded": one that is replayed
	Remotes     int               `json:"remotes"`
	Seed        uint64            `json:"seed"`
	Sweep       string            `json:"sweep"`
	Ticks       int               `json:"ticks"`
	Seconds     float64           `json:"seconds"`
	GameSeconds float64           `json:"game_seconds"`
	Messages    uint64            `json:"messages"`
	Verdicts    map[string]uint64 `json:"verdicts"`
	Refused     map[string]uint64 `json:"refused_by_reason,omitempty"`
	Faults      map[string]uint64 `json:"faults,omitempty"`
	Restored    int               `json:"restored"`
	Recovered   int               `json:"recovered"`
	Every       int               `json:"every"`                      // ticks after which states were compared
	HeapEarly   uint64            `json:"heap_bytes_early,omitempty"` // after a tenth; a replay does not know when that is
	HeapLate    uint64            `json:"heap_bytes_late"`            // at the end
	Hash        string            `json:"hash"`
	Recording   string            `json:"recording,omitempty"`
	Failure     *failure          `json:"failure,omitempty"`

	lanes []*lane
}

// soak is one run.
type soak struct {
	config
	options systems.Options
	stream  *bench.Stream
	window  bench.Window
	at      int // in the window
	inject  *bench.Faults
	ground  *bench.Ground
	lanes   []*lane
	dir     string      // where what is needed to see a difference again is kept
	log     *record.Log // of the reference
	scratch string
	result  result
	began   time.Time
	stop    context.Context // is done when somebody interrupts it
}

// windowTicks is how many ticks' messages are made at a time.
const windowTicks = 64

// bundleTicks is after how many ticks the bundle of a difference to come begins anew:
// not before what it begins with has been looked at.
const bundleTicks = 512

// errInterrupted says that somebody had it end early.
var errInterrupted = errors.New("interrupted")

// errSoak says that engines differed, or that one failed: the result says how.
var errSoak = errors.New("engines differ")

// run runs it. The result is good when the error is errSoak, too.
func (c config) run() (_ *result, err error) {
	c.every = max(c.every, 1)
	s := &soak{config: c, began: time.Now()}
	stop, ignore := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer ignore()
	context.AfterFunc(stop, ignore) // another one ends it at once
	s.stop = stop
	tables, ground, err := bench.LoadGround(c.ground)
	if err != nil {
		return nil, err
	}
	s.ground = ground
	defer func() { err = errors.Join(err, ground.Close()) }()
	s.options = systems.Options{Tables: tables}
	if ground != nil {
		s.options.Land = ground.Land
	}
	if s.scratch, err = os.MkdirTemp("", "gait-soak-"); err != nil {
		return nil, err
	}
	defer func() {
		for _, l := range s.lanes {
			err = errors.Join(err, l.end())
		}
		if s.result.Failure == nil || s.dir != filepath.Join(s.scratch, "bundle") {
			err = errors.Join(err, os.RemoveAll(s.scratch))
		}
	}()
	s.lanes = lanesFor(s.options)
	s.result = result{
		Load: c.load, Seed: c.seed, Sweep: c.ground.Sweep, Every: c.every, Verdicts: map[string]uint64{}, lanes: s.lanes, Recording: c.record,
	}
	if c.replay != "" {
		s.result.Load = "recorded"
		err = s.again()
	} else {
		err = s.anew()
	}
	s.close()
	if err != nil && !errors.Is(err, errSoak) {
		return nil, err
	}
	return &s.result, err
}

// anew runs the load.
func (s *soak) anew() error {
	if err := s.prepare(); err != nil {
		return err
	}
	for tick := 0; !s.over(tick); tick++ {
		if err := s.step(); err != nil {
			return err
		}
		if err := s.stepped(tick + 1); err != nil {
			return err
		}
		if s.record == "" && (tick+1)%bundleTicks == 0 {
			if err := s.log.Snapshot(); err != nil {
				return err
			}
		}
	}
	return nil
}

// prepare makes the load and the engines.
func (s *soak) prepare() (err error) {
	var population []bench.Placement
	if s.world != "" {
		if population, err = bench.LoadPopulation(s.world); err != nil {
			return err
		}
		if !s.nGiven {
			s.n = len(population)
		}
	}
	load, err := bench.ParseLoad(s.load)
	if err != nil {
		return err
	}
	if s.stream, err = bench.NewStreamOn(s.ground, load, s.n, s.seed, population); err != nil {
		return err
	}
	if s.faults {
		s.inject = bench.NewFaults(s.seed)
	}
	s.result.Remotes = s.n
	first := s.lanes[0]
	if first.e, err = bench.Spawned(s.stream, first.options); err != nil {
		return err
	}
	if s.dir = s.record; s.dir == "" {
		s.dir = filepath.Join(s.scratch, "bundle")
	}
	if s.log, err = record.Create(s.dir, first.e, record.Options{HashEvery: s.every, Keep: 1}); err != nil {
		return err
	}
	return s.beginOthers(first.e)
}

// beginOthers has the other lanes stand where the reference stands.
func (s *soak) beginOthers(first *systems.Engine) error {
	var b bytes.Buffer
	if err := first.Snapshot(&b); err != nil {
		return err
	}
	for i, l := range s.lanes[1:] {
		if err := l.begin(b.Bytes(), filepath.Join(s.scratch, fmt.Sprint("lane", i+1))); err != nil {
			return fmt.Errorf("%s: %w", l.name, err)
		}
	}
	return nil
}

// over reports whether the run has come to its end.
func (s *soak) over(tick int) bool {
	if s.ticks > 0 {
		return tick >= s.ticks
	}
	return time.Since(s.began).Hours() >= s.hours
}

// step gives the reference the inputs of a tick, has it tick, and the others after
// it. What it was given is written down before it is known what comes of it.
func (s *soak) step() error {
	if s.at == s.window.Ticks() {
		if err := s.stream.Fill(&s.window, windowTicks, nil); err != nil {
			return err
		}
		s.at = 0
	}
	b, sizes := s.window.Messages(s.at)
	s.at++
	first := s.lanes[0]
	feed := func() error { return bench.Feed(first.e, b, sizes) }
	if s.inject != nil {
		feed = func() error { return s.inject.Feed(first.e, b, sizes) }
	}
	if err := feed(); err != nil {
		return err
	}
	first.err = guarded(func() error { first.e.Tick(); return nil })
	tape := bytes.Clone(s.log.Pending())
	commit := guarded(s.log.Commit)
	if first.err != nil {
		return s.fails(first, first.err)
	}
	if commit != nil {
		return commit
	}
	return s.follow(tape)
}

// follow has all but the reference, which has, go on by a tape, and holds all against
// each other.
func (s *soak) follow(tape []byte) error {
	first := s.lanes[0]
	tick := first.e.Now()
	chance := func(one int) bool { return mix(s.seed^tick*0x9E3779B97F4A7C15)%uint64(one) == 0 }
	looks := (s.result.Ticks+1)%s.every == 0
	var all sync.WaitGroup
	for _, l := range s.lanes[1:] {
		all.Go(func() { l.advance(tape, chance, looks) })
	}
	if looks {
		all.Go(func() { first.err = guarded(first.look) })
	}
	all.Wait()
	if s.corrupt != nil {
		s.corrupt(tick, s.lanes)
	}
	if s.corrupt != nil && looks {
		for _, l := range s.lanes {
			l.hash = l.e.Hash()
		}
	}
	for _, l := range s.lanes {
		if l.err != nil {
			return s.fails(l, l.err)
		}
	}
	for _, l := range s.lanes {
		if l.hash != first.hash {
			return s.fails(nil, nil)
		}
	}
	for _, o := range first.e.Outcomes() {
		s.result.Verdicts[o.Verdict.String()]++
		s.result.Messages++
	}
	return nil
}

// mix is a bijection that spreads.
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// stepped notes that a tick is done.
func (s *soak) stepped(ticks int) error {
	r := &s.result
	r.Ticks = ticks
	p := progress{ticks: ticks, wall: time.Since(s.began), lanes: s.lanes}
	switch {
	case s.ticks > 0:
		p.done = float64(ticks) / float64(s.ticks)
	case s.hours > 0:
		p.done = p.wall.Hours() / s.hours
	}
	if r.HeapEarly == 0 && p.done >= 0.1 {
		r.HeapEarly = heap()
	}
	if s.progress != nil {
		s.progress(p)
	}
	if s.stop.Err() != nil {
		return fmt.Errorf("%w after %d ticks, with no difference found", errInterrupted, ticks)
	}
	return nil
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// fails notes the difference, or what failed.
func (s *soak) fails(l *lane, err error) error {
	f := &failure{Tick: s.lanes[0].e.Now(), Bundle: s.dir, Command: s.command()}
	if err != nil {
		f.Engine, f.Error = l.name, err.Error()
	} else {
		one, other := odd(s.lanes)
		f.Engine, f.Against = one.name, other.name
		f.difference = differ(one.e, other.e)
	}
	s.result.Failure = f
	return errSoak
}

// command is what shows it again.
func (s *soak) command() string {
	args := []string{"go run ./cmd/soak -replay", s.dir}
	add := func(flag, value string) {
		if value != "" {
			args = append(args, flag, value)
		}
	}
	if s.replay != "" {
		args[1] = s.replay
	}
	add("-seed", fmt.Sprint(s.seed))
	if s.config.ground.Sweep != bench.SweepNone {
		add("-sweep", s.config.ground.Sweep)
	}
	add("-tables", s.config.ground.Tables)
	add("-dat", s.config.ground.Container)
	add("-cell", s.config.ground.Cell)
	return strings.Join(args, " ")
}

// again runs what was recorded, in every lane.
func (s *soak) again() error {
	first := s.lanes[0]
	s.dir = s.replay
	ticks := 0
	var failed error
	_, report, err := s.replays(func(e *systems.Engine) error {
		first.e = e
		s.result.Remotes = e.Len()
		return s.beginOthers(e)
	}, func(e *systems.Engine, tape []byte) error {
		if failed = s.follow(tape); failed != nil {
			return failed
		}
		ticks++
		return s.stepped(ticks)
	})
	switch {
	case failed != nil:
		return failed
	case errors.Is(err, errPanic) || errors.Is(err, record.ErrDiverged):
		return s.fails(first, err)
	}
	for _, w := range report.Warnings {
		s.result.Recording += "; " + w
	}
	return err
}

func (s *soak) replays(begin func(*systems.Engine) error, each func(*systems.Engine, []byte) error) (e *systems.Engine, report record.Report, err error) {
	err = guarded(func() error {
		e, report, err = record.Replay(s.replay, s.lanes[0].options, begin, each)
		return err
	})
	return e, report, err
}

// close gathers what is left to tell.
func (s *soak) close() {
	r := &s.result
	r.Seconds = time.Since(s.began).Seconds()
	for _, l := range s.lanes {
		if l.restores {
			r.Restored += l.times
		}
		if l.recovers {
			r.Recovered += l.times
		}
	}
	if e := s.lanes[0].e; e != nil {
		r.GameSeconds = float64(r.Ticks) * float64(e.Quantum())
		r.Hash = fmt.Sprintf("%016x", s.lanes[0].hash)
		r.Refused = refused(e)
	}
	if s.inject != nil {
		r.Faults = map[string]uint64{}
		for k, n := range s.inject.Done {
			r.Faults[bench.FaultKind(k).String()] = n
		}
	}
	r.HeapLate = heap()
	if s.log != nil {
		_ = s.log.Close() // every commit has been written
	}
}
