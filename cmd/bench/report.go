package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gait-engine/gait/bench"
	"github.com/gait-engine/gait/report"
)

// linePoints is how many points a line over a run is drawn with.
const linePoints = 1500

// pageOf makes the page of a run, or of a scan, of which the results are in order.
func pageOf(results []bench.Result, watched *bench.Watched) *report.Page {
	r := &results[len(results)-1] // of a scan the largest, and of that the most workers
	p := &report.Page{Title: fmt.Sprintf("gait: load %s, sweep %s", r.Load, r.Sweep), Facts: facts(r)}
	times := report.Section{Title: "Ticks", Figures: []report.Figure{timesOver(r), timesDistribution(r)}}
	if len(results) > 1 {
		times.Text = fmt.Sprintf("Of %d remotes on %s.", r.Remotes, workers(r.Workers))
	}
	p.Sections = append(p.Sections, times)
	if costs := costsByStage(r); len(costs.Figures) > 0 {
		p.Sections = append(p.Sections, costs)
	}
	if len(results) > 1 {
		p.Sections = append(p.Sections, growth(results))
	}
	return withWatched(p, watched)
}

func workers(n int) string {
	if n == 1 {
		return "one worker"
	}
	return fmt.Sprintf("%d workers", n)
}

func facts(r *bench.Result) []report.Fact {
	var table strings.Builder
	brief := *r
	brief.Stages, brief.Memory = nil, nil
	_ = brief.WriteTable(&table) // a builder takes all
	var facts []report.Fact
	for line := range strings.Lines(table.String()) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "  "); ok {
			facts = append(facts, report.Fact{Name: name, Value: strings.TrimSpace(value)})
		}
	}
	return facts
}

func milliseconds(ns []float64) []float64 {
	ms := make([]float64, len(ns))
	for i, v := range ns {
		ms[i] = v / 1e6
	}
	return ms
}

func timesOver(r *bench.Result) *report.Chart {
	points := make([]report.Point, len(r.Times))
	for i, ms := range milliseconds(r.Times) {
		points[i] = report.Point{X: float64(i) * float64(r.Ticks) / float64(len(r.Times)), Y: ms}
	}
	return &report.Chart{
		Title: "Tick times over the run", X: report.Axis{Label: "tick", Zero: true}, Y: report.Axis{Label: "tick, ms", Zero: true},
		Series:  []report.Series{{Points: report.Thin(points, linePoints)}},
		Caption: "From the first message fed until the tick was done. Every seventh tick is measured stage by stage and not shown.",
	}
}

func timesDistribution(r *bench.Result) *report.Chart {
	return report.TimesChart("Distribution of tick times", "tick, ms", "ms", milliseconds(r.Times))
}

func costsByStage(r *bench.Result) report.Section {
	time := &report.Bars{Title: "Time by stage", Label: "ns per remote and tick", Caption: "Of stages that workers share, the sum over workers."}
	bytes := &report.Bars{Title: "Memory touched by stage", Label: "bytes per remote and tick", Caption: "Estimated from the columns that a stage walks."}
	s := report.Section{Title: "Cost by stage"}
	for _, c := range r.Stages {
		if c.Ns == 0 {
			continue // there is none: nothing is run into
		}
		time.Bars = append(time.Bars, report.Bar{Name: c.Stage, Value: c.Ns})
		bytes.Bars = append(bytes.Bars, report.Bar{Name: c.Stage, Value: c.Bytes})
	}
	if len(time.Bars) > 0 {
		s.Figures = append(s.Figures, time, bytes)
	}
	return s
}

// growth shows a scan: a line for each number of workers, and the floor of the fewest.
func growth(results []bench.Result) report.Section {
	chart := &report.Chart{
		Title: "Cost of a remote against their number", Wide: true,
		X: report.Axis{Label: "remotes", Log: true}, Y: report.Axis{Label: "ns per remote and tick", Log: true},
		Caption: fmt.Sprintf("The median tick. The floor is what copying the %d bytes takes that a tick must touch of a remote that moves.", bench.BytesTouched),
	}
	floor := report.Series{Name: "floor, " + workers(results[0].Workers), Style: report.Dashed, Quiet: true}
	table := report.Table{Head: []string{"remotes", "workers", "ns per remote", "× floor", "tick p50, ms", "tick p99, ms", "bytes per remote"}}
	for i := range results {
		r := &results[i]
		name := workers(r.Workers)
		k := slices.IndexFunc(chart.Series, func(s report.Series) bool { return s.Name == name })
		if k < 0 {
			k = len(chart.Series)
			chart.Series = append(chart.Series, report.Series{Name: name, Style: report.Marked})
		}
		chart.Series[k].Points = append(chart.Series[k].Points, report.Point{X: float64(r.Remotes), Y: r.NsMedian})
		if r.Workers == results[0].Workers {
			floor.Points = append(floor.Points, report.Point{X: float64(r.Remotes), Y: r.FloorNs})
		}
		table.Rows = append(table.Rows, []string{
			fmt.Sprint(r.Remotes), fmt.Sprint(r.Workers), fmt.Sprintf("%.1f", r.NsMedian), fmt.Sprintf("%.2f", r.TimesFloor),
			fmt.Sprintf("%.3f", r.TickMsP50), fmt.Sprintf("%.3f", r.TickMsP99), fmt.Sprintf("%.0f", r.BytesPerRemote),
		})
	}
	chart.Series = append(chart.Series, floor)
	return report.Section{Title: "Growth", Figures: []report.Figure{chart}, Tables: []report.Table{table}}
}

// withWatched adds what was seen by looking on.
func withWatched(p *report.Page, w *bench.Watched) *report.Page {
	var median, p95, p99 []report.Point
	for _, e := range w.Errors {
		median, p95, p99 = append(median, report.Point{X: e.Seconds, Y: e.Median}), append(p95, report.Point{X: e.Seconds, Y: e.P95}), append(p99, report.Point{X: e.Seconds, Y: e.P99})
	}
	p.Sections = append(p.Sections, report.Section{Title: "Error", Figures: []report.Figure{&report.Chart{
		Title: "Error over time", Wide: true, X: report.Axis{Label: "s", Zero: true}, Y: report.Axis{Label: "m", Zero: true},
		Series:  []report.Series{{Name: "median", Points: median}, {Name: "p95", Points: p95}, {Name: "p99", Points: p99}},
		Caption: "How far remotes are from their ideal movers, those at rest among them.",
	}}})
	paths := report.Section{Title: "Paths from above", Text: "The last seconds of three remotes: where the ideal mover was, where the engine showed it, and what position events said."}
	for i := range w.Paths {
		paths.Figures = append(paths.Figures, pathOf(&w.Paths[i]))
	}
	if len(w.Paths) == 0 {
		paths.Text = "No remote moved."
	}
	p.Sections = append(p.Sections, paths)
	return p
}

func pathOf(p *bench.Path) *report.Chart {
	return report.PathChart(fmt.Sprintf("0x%08X, %s: %.3f m on average", p.Guid, p.Choice, p.Mean), "", p.Server, p.Client, p.Events)
}
