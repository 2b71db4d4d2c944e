package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/systems"
)

func tables(t testing.TB) *dat.Tables {
	t.Helper()
	tables, err := EmbeddedTables()
	if err != nil {
		t.Fatal(err)
	}
	return tables
}

func spawned(t testing.TB, s *Stream, workers int) *systems.Engine {
	t.Helper()
	e, err := Spawned(s, systems.Options{Tables: tables(t), Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// A run of every load, end to end.
func TestRun(t *testing.T) {
	placements, err := ReadPopulation(sample())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []Config{
		{Load: Mixed}, {Load: Idle}, {Load: Dense}, {Load: Storm}, {Load: Busy}, {Load: Busy, Population: placements}, {Load: Mixed, Population: placements},
	} {
		if testing.Short() && c.Load != Mixed {
			continue // each has a floor to measure
		}
		c.Tables, c.Remotes, c.Ticks, c.Seed = tables(t), 60, 150, 1
		steps, timed, stopped := 0, 0, 0
		c.Progress = func(_ string, done, total int) {
			if steps++; done > total {
				t.Errorf("progress %d of %d", done, total)
			}
		}
		c.Timed = func() func() { timed++; return func() { stopped++ } }
		r, err := Run(c)
		if err != nil {
			t.Fatalf("%s: %v", c.Load, err)
		}
		if r.Load != c.Load || r.Remotes != 60 || r.Ticks != 150 || r.Workers != 1 || r.Sweep != SweepNone || len(r.Hash) != 16 || r.Lost != 0 {
			t.Errorf("%s: %+v", c.Load, r)
		}
		if !(r.NsMedian > 0 && r.NsMean > 0 && r.TickMsP50 > 0 && r.TickMsP99 >= r.TickMsP50 && r.FloorNs > 0 && r.TimesFloor > 0 && r.BytesPerRemote > 0) {
			t.Errorf("%s: %+v", c.Load, r)
		}
		if steps != 300 || timed != 1 || stopped != 1 {
			t.Errorf("%s: %d steps of progress, timed begun %d times and ended %d", c.Load, steps, timed, stopped)
		}
		switch c.Load {
		case Idle:
			if r.Messages != 0 || r.ErrorP99 != 0 {
				t.Errorf("idle: %+v", r)
			}
		case Storm:
			if r.Messages != 2*60*150 {
				t.Errorf("storm: %d messages", r.Messages)
			}
		default:
			if r.Messages < 60 {
				t.Errorf("%s: %d messages", c.Load, r.Messages)
			}
		}
	}
}

// The remotes follow their ideal movers: 20 s of the mixed load must end no
// further off than others do, and workers must not matter.
func TestMixedTracking(t *testing.T) {
	if testing.Short() {
		t.Skip("three runs of 600 ticks, of which the hashes are held elsewhere")
	}
	var results []Result
	for workers := 1; workers <= 3; workers++ {
		r, err := Run(Config{Tables: tables(t), Load: Mixed, Remotes: 1000, Ticks: 600, Workers: workers, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, r)
	}
	r := results[0]
	t.Logf("error: mean %.3f m, median %.3f m, p99 %.3f m", r.ErrorMean, r.ErrorMedian, r.ErrorP99)
	if r.ErrorMean > 0.35 || r.ErrorMedian > 0.25 || r.ErrorP99 > 1.3 {
		t.Errorf("error: mean %.3f m, median %.3f m, p99 %.3f m", r.ErrorMean, r.ErrorMedian, r.ErrorP99)
	}
	for _, other := range results[1:] {
		if other.Hash != r.Hash || other.Messages != r.Messages || other.ErrorMean != r.ErrorMean {
			t.Errorf("%d workers end elsewhere: %+v and %+v", other.Workers, other, r)
		}
	}
}

// Windows do not show in the answer.
func TestRunInWindows(t *testing.T) {
	hash := func(windows ...int) uint64 {
		s := newStream(t, Mixed, 100, nil)
		e := spawned(t, s, 1)
		var w Window
		for _, ticks := range windows {
			if err := s.Fill(&w, ticks, nil); err != nil {
				t.Fatal(err)
			}
			for tick := range ticks {
				play(t, e, &w, tick)
			}
		}
		return e.Hash()
	}
	if a, b := hash(400), hash(13, 287, 100); a != b {
		t.Errorf("one window ends in %x, three in %x", a, b)
	}
}

func play(t testing.TB, e *systems.Engine, w *Window, tick int) {
	b, sizes := w.Messages(tick)
	if err := Feed(e, b, sizes); err != nil {
		t.Fatal(err)
	}
	e.Tick()
}

// House rule 6: a warm engine allocates nothing, per tick or message.
func TestWarmTickAllocatesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("many ticks until all buffers are warm")
	}
	for _, load := range Loads {
		s := newStream(t, load, 400, nil)
		e := spawned(t, s, 1)
		w := fill(t, s, 1500)
		tick := 0
		next := func() { play(t, e, w, tick); tick++ }
		for tick < 1200 {
			next()
		}
		if n := testing.AllocsPerRun(250, next); n != 0 {
			t.Errorf("%s: %v allocations a tick", load, n)
		}
	}
}

// The engine's own count of its memory is what the heap grows by, but for the
// buffers of events: the ticks in which all remotes come fill them with an event each.
func TestBytesPerRemote(t *testing.T) {
	if testing.Short() {
		t.Skip("one worker")
	}
	r, err := Run(Config{Tables: tables(t), Load: Mixed, Remotes: 20_000, Ticks: 60, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if part := r.BytesPerRemote / r.HeapBytesPerRemote; part < 0.65 || part > 1.1 {
		t.Errorf("%.0f bytes per remote, but the heap grew by %.0f", r.BytesPerRemote, r.HeapBytesPerRemote)
	}
}

func TestRunRefuses(t *testing.T) {
	good := Config{Tables: tables(t), Load: Mixed, Remotes: 1, Ticks: 1}
	for name, change := range map[string]func(c *Config){
		"no tables": func(c *Config) { c.Tables = nil }, "no ticks": func(c *Config) { c.Ticks = 0 },
		"no remotes": func(c *Config) { c.Remotes = 0 }, "no load": func(c *Config) { c.Load = "" },
		"too many ticks": func(c *Config) { c.Ticks = MaxTicks + 1 }, "count": func(c *Config) { c.Count = -1 },
	} {
		c := good
		change(&c)
		if _, err := Run(c); !errors.Is(err, ErrConfig) {
			t.Errorf("%s: %v", name, err)
		}
	}
	c := good
	var err error
	if c.Tables, err = dat.Compile(dat.Records{}); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(c); !errors.Is(err, systems.ErrSpawn) || !strings.Contains(err.Error(), "0x09000001") {
		t.Errorf("tables without a humanoid: %v", err)
	}
}

// The JSON has exactly the keys that it is documented to have, in order.
func TestResultJSON(t *testing.T) {
	want := strings.Fields(`remotes ticks workers load sweep messages ns_per_remote_tick_median ns_per_remote_tick_mean
		tick_ms_p50 tick_ms_p99 messages_per_s allocs_per_tick bytes_per_remote error_m_mean error_m_median error_m_p99
		floor_ns_per_remote_tick times_floor hash gc_cpu_share gc_cycles gc_pause_ms one_gc_cpu_ms one_gc_pause_ms
		stages workers_at_work stage_clock_overhead`)
	b, err := json.Marshal(Result{Load: Mixed, Hash: "00"})
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	if _, err := d.Token(); err != nil {
		t.Fatal(err)
	}
	var keys []string
	for d.More() {
		k, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, k.(string))
		var v any
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(keys, want) {
		t.Errorf("keys %v, want %v", keys, want)
	}
}

func TestMedians(t *testing.T) {
	m := medians([]Result{{NsMedian: 3, FloorNs: 1, Hash: "a"}, {NsMedian: 1, FloorNs: 7, Hash: "a"}, {NsMedian: 2, FloorNs: 5, Hash: "a"}})
	if m.NsMedian != 2 || m.FloorNs != 5 || m.Hash != "a" {
		t.Errorf("%+v", m)
	}
	// stages are medians too, each its own; of pauses it is the longest
	all := make([]Result, 3)
	for i, ns := range []float64{30, 10, 20} {
		all[i] = Result{Stages: []StageCost{{"a", ns, 1, 0}, {"b", 2 * (40 - ns), ns, 0}}, GCPauseMs: ns, GCs: int(ns), OneGCMs: ns}
	}
	m = medians(all)
	if want := []StageCost{{"a", 20, 1, 1. / 3}, {"b", 40, 20, 2. / 3}}; !slices.Equal(m.Stages, want) || all[0].Stages[0].Ns != 30 {
		t.Errorf("%+v, want %+v", m.Stages, want)
	}
	if m.GCPauseMs != 30 || m.GCs != 30 || m.OneGCMs != 20 {
		t.Errorf("%+v", m)
	}
	if v := median([]float64{4, 1, 3, 2}); v != 2.5 {
		t.Error(v)
	}
	hundred := make([]float64, 100)
	for i := range hundred {
		hundred[i] = float64(i + 1)
	}
	for p, want := range map[float64]float64{0.99: 99, 0.5: 50, 1: 100, 0: 1, 0.991: 100} {
		if v := percentile(hundred, p); v != want {
			t.Errorf("percentile %v is %v, want %v", p, v, want)
		}
	}
	if v := percentile([]float64{7}, 0.99); v != 7 {
		t.Error(v)
	}
}

func TestFloor(t *testing.T) {
	for _, workers := range []int{1, 2, 5} {
		f := newFloor(10, workers)
		for i := range f.from {
			f.from[i] = byte(i * 7)
		}
		f.measure()
		if !bytes.Equal(f.from, f.to) {
			t.Errorf("%d workers copied something else", workers)
		}
		if v := f.perRemote(); !(v > 1) || math.IsInf(v, 0) {
			t.Errorf("floor %v ns", v)
		}
	}
}

func TestWriteTable(t *testing.T) {
	var b bytes.Buffer
	r := Result{Load: Storm, Sweep: SweepNone, Remotes: 10, Ticks: 30, Messages: 600, Hash: "cafe", Lost: 3, GCShare: 0.0125,
		Stages: []StageCost{{"sweep", 12.5, 61, 0.625}, {"show", 0, 0, 0}}, Sharing: 1.5, ClockCost: -0.01}
	if err := r.WriteTable(&b); err != nil {
		t.Fatal(err)
	}
	for _, says := range []string{"storm, sweep none", "600, 60.000 per remote and second", "3 remotes are in no cell", "cafe",
		"1.25 % of CPU", "12.50 ns     61.0   62.5 %", "1.50 of 0", "-1.0 %"} {
		if !strings.Contains(b.String(), says) {
			t.Errorf("no %q in\n%s", says, b.String())
		}
	}
	if strings.Contains(b.String(), "show") {
		t.Errorf("a stage that there is not:\n%s", b.String())
	}
}

// BenchmarkTick feeds and ticks; an operation is a tick of all remotes. The names of
// its cases are what benchstat compares by.
func BenchmarkTick(b *testing.B) {
	type size struct{ n, workers int }
	for _, load := range Loads {
		sizes := []size{{10_000, 1}}
		if load == Mixed {
			sizes = []size{{1000, 1}, {10_000, 1}, {100_000, 1}, {100_000, 2}}
		}
		for _, c := range sizes {
			b.Run(fmt.Sprintf("load=%s/n=%dk/workers=%d", load, c.n/1000, c.workers), func(b *testing.B) {
				benchmarkTick(b, load, c.n, c.workers)
			})
		}
	}
}

func benchmarkTick(b *testing.B, load Load, n, workers int) {
	s := newStream(b, load, n, nil)
	e := spawned(b, s, workers)
	var w Window
	tick := 0
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		if tick == w.Ticks() {
			b.StopTimer()
			if err := s.Fill(&w, min(300, WindowTicks(load, n)), nil); err != nil {
				b.Fatal(err)
			}
			runtime.GC()
			tick = 0
			b.StartTimer()
		}
		play(b, e, &w, tick)
		tick++
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/remote")
}

// BenchmarkStream makes messages; an operation is a tick of 1000 movers.
func BenchmarkStream(b *testing.B) {
	s := newStream(b, Mixed, 1000, nil)
	var w Window
	for range b.N {
		if err := s.Fill(&w, 1, nil); err != nil {
			b.Fatal(err)
		}
	}
}
