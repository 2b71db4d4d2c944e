package bench

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/gait-engine/gait/ecs"
)

// Result holds the figures of a run, or the medians of several. Its JSON is one
// object with a fixed set of keys.
type Result struct {
	Remotes        int     `json:"remotes"`
	Ticks          int     `json:"ticks"`
	Workers        int     `json:"workers"`
	Load           Load    `json:"load"`
	Sweep          string  `json:"sweep"`
	Messages       int     `json:"messages"`                  // applied in the timed part
	NsMedian       float64 `json:"ns_per_remote_tick_median"` // wall time of the median tick by remote
	NsMean         float64 `json:"ns_per_remote_tick_mean"`
	TickMsP50      float64 `json:"tick_ms_p50"`
	TickMsP99      float64 `json:"tick_ms_p99"`
	MessagesPerS   float64 `json:"messages_per_s"`   // over the time spent in ticks
	AllocsPerTick  float64 `json:"allocs_per_tick"`  // once warm: in the second half of the ticks
	BytesPerRemote float64 `json:"bytes_per_remote"` // columns, views and overflow
	ErrorMean      float64 `json:"error_m_mean"`     // of remotes to their ideal movers, at the end
	ErrorMedian    float64 `json:"error_m_median"`
	ErrorP99       float64 `json:"error_m_p99"`
	FloorNs        float64 `json:"floor_ns_per_remote_tick"` // copying the bytes that a tick touches
	TimesFloor     float64 `json:"times_floor"`              // the median over the floor
	Hash           string  `json:"hash"`                     // of the final state

	// Of the collector while ticks ran, to which a warm engine gives no reason to
	// run: its share of the CPU time of all processors, how many cycles ended, and
	// the longest pause, all of a cycle's together. Of repeats the most and the longest.
	GCShare   float64 `json:"gc_cpu_share"`
	GCs       int     `json:"gc_cycles"`
	GCPauseMs float64 `json:"gc_pause_ms"`
	// What a collection takes that is asked for when all is over, the median of some.
	OneGCMs      float64 `json:"one_gc_cpu_ms"`
	OneGCPauseMs float64 `json:"one_gc_pause_ms"`

	Stages    []StageCost `json:"stages"`               // in order; null with too few ticks to measure one
	Sharing   float64     `json:"workers_at_work"`      // on average, while stages are shared
	ClockCost float64     `json:"stage_clock_overhead"` // by what part ticks that are measured by stage take longer

	// Times are what ticks took in ns, in order, without those that were measured
	// stage by stage; of repeats the first one's.
	Times []float64 `json:"-"`

	// For the table only.
	HeapBytesPerRemote float64      `json:"-"` // what the heap grew by: a check on BytesPerRemote
	Memory             []ecs.Memory `json:"-"` // where BytesPerRemote lie
	EarlyAllocsPerTick float64      `json:"-"` // in the first half, in which buffers grow to their size
	Lost               int          `json:"-"` // remotes that are in no cell at the end
}

// medians returns the medians of results of one configuration.
func medians(all []Result) Result {
	m := all[0]
	m.Stages = slices.Clone(m.Stages)
	of := func(field func(r *Result) *float64) {
		v := make([]float64, len(all))
		for i := range all {
			v[i] = *field(&all[i])
		}
		*field(&m) = median(v)
	}
	of(func(r *Result) *float64 { return &r.NsMedian })
	of(func(r *Result) *float64 { return &r.NsMean })
	of(func(r *Result) *float64 { return &r.TickMsP50 })
	of(func(r *Result) *float64 { return &r.TickMsP99 })
	of(func(r *Result) *float64 { return &r.MessagesPerS })
	of(func(r *Result) *float64 { return &r.AllocsPerTick })
	of(func(r *Result) *float64 { return &r.BytesPerRemote })
	of(func(r *Result) *float64 { return &r.FloorNs })
	of(func(r *Result) *float64 { return &r.TimesFloor })
	of(func(r *Result) *float64 { return &r.HeapBytesPerRemote })
	of(func(r *Result) *float64 { return &r.EarlyAllocsPerTick })
	of(func(r *Result) *float64 { return &r.GCShare })
	of(func(r *Result) *float64 { return &r.OneGCMs })
	of(func(r *Result) *float64 { return &r.OneGCPauseMs })
	of(func(r *Result) *float64 { return &r.Sharing })
	of(func(r *Result) *float64 { return &r.ClockCost })
	for i := range m.Stages {
		of(func(r *Result) *float64 { return &r.Stages[i].Ns })
		of(func(r *Result) *float64 { return &r.Stages[i].Bytes })
	}
	share(m.Stages)
	for i := range all {
		m.GCs = max(m.GCs, all[i].GCs)
		m.GCPauseMs = max(m.GCPauseMs, all[i].GCPauseMs)
	}
	return m
}

// WriteTable writes the figures for reading.
func (r *Result) WriteTable(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(name, format string, a ...any) { fmt.Fprintf(t, name+"\t"+format+"\n", a...) }
	line("load", "%s, sweep %s", r.Load, r.Sweep)
	line("remotes", "%d", r.Remotes)
	line("ticks", "%d of 1/%d s", r.Ticks, TicksPerSecond)
	line("workers", "%d", r.Workers)
	line("messages", "%d, %.3f per remote and second", r.Messages,
		float64(r.Messages)/float64(r.Remotes)/float64(r.Ticks)*TicksPerSecond)
	line("per remote and tick", "%.1f ns median, %.1f ns mean", r.NsMedian, r.NsMean)
	line("tick", "%.3f ms median, %.3f ms p99", r.TickMsP50, r.TickMsP99)
	line("messages applied", "%.0f per second spent", r.MessagesPerS)
	line("allocations", "%.3f per tick once warm, %.3f while buffers grow", r.AllocsPerTick, r.EarlyAllocsPerTick)
	line("memory", "%.0f bytes per remote, %.0f of heap", r.BytesPerRemote, r.HeapBytesPerRemote)
	line("collector", "%.2f %% of CPU in %d cycles, longest pause %.3f ms; one more takes %.1f ms and pauses for %.3f ms",
		100*r.GCShare, r.GCs, r.GCPauseMs, r.OneGCMs, r.OneGCPauseMs)
	line("error", "%.3f m mean, %.3f m median, %.3f m p99", r.ErrorMean, r.ErrorMedian, r.ErrorP99)
	if r.Lost > 0 {
		line("lost", "%d remotes are in no cell and not in the error", r.Lost)
	}
	line("floor", "%.1f ns per remote and tick, a copy of %d bytes; the tick takes %.1f times that",
		r.FloorNs, BytesTouched, r.TimesFloor)
	line("state", "%s", r.Hash)
	if len(r.Stages) > 0 {
		fmt.Fprintln(t)
		line("stage, per remote and tick", "time\tbytes\tshare")
		for _, s := range r.Stages {
			if s.Ns == 0 {
				continue // there is none: nothing is run into
			}
			line("  "+s.Stage, "%7.2f ns\t%7.1f\t%5.1f %%", s.Ns, s.Bytes, 100*s.Share)
		}
		line("workers at work", "%.2f of %d, while stages are shared", r.Sharing, r.Workers)
		line("clocks", "%+.1f %% to a tick that is measured by stage; the figures above are of the others", 100*r.ClockCost)
	}
	if len(r.Memory) > 0 {
		fmt.Fprintln(t)
		line("memory, per remote", "bytes")
		for _, m := range r.Memory {
			line("  "+m.Part, "%6.1f", float64(m.Bytes)/float64(r.Remotes))
		}
	}
	return t.Flush()
}
