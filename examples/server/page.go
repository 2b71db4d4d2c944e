package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gait-engine/gait/report"
	"github.com/gait-engine/gait/systems"
)

// page is the game as a page with charts.
func (g *game) page() *report.Page {
	p := &report.Page{Title: "gait: a server and its clients", Facts: g.facts()}
	p.Sections = []report.Section{
		{Title: "Ticks of the server", Figures: g.ticks()},
		{Title: "Cost by stage", Figures: g.costs()},
		{
			Title: "Error", Text: "How far a remote on a client is from where the server has it in the same moment. " + strings.Join(aboutErrors, " "),
			Figures: []report.Figure{g.overTime(), g.distribution()},
		},
		g.paths(),
	}
	return p
}

func (g *game) ticks() []report.Figure {
	var points []report.Point
	ms := make([]float64, len(g.server.took))
	for i, ns := range g.server.took {
		ms[i] = ns / 1e6
		points = append(points, report.Point{X: float64(i) * stageEvery / (stageEvery - 1) / g.setup.hz, Y: ms[i]})
	}
	const most = 1500
	return []report.Figure{
		&report.Chart{
			Title: "Tick times over the run", X: report.Axis{Label: "s", Zero: true}, Y: report.Axis{Label: "tick, ms", Zero: true},
			Series:  []report.Series{{Points: report.Thin(points, most)}},
			Caption: "Keys of the server's own movers, and the engine's tick; not what is sent. Every seventh tick is measured stage by stage and not shown.",
		},
		report.TimesChart("Distribution of tick times", "tick, ms", "ms", ms),
	}
}

func (g *game) costs() []report.Figure {
	b := &report.Bars{Title: "Time by stage", Label: "µs per tick"}
	for s := range systems.Stages {
		if g.server.staged > 0 {
			b.Bars = append(b.Bars, report.Bar{Name: systems.Stage(s).String(), Value: float64(g.server.stages.Ns[s]) / 1e3 / float64(g.server.staged)})
		}
	}
	return []report.Figure{b}
}

// overTime is the error of those that move and of those at rest, by second.
func (g *game) overTime() *report.Chart {
	seconds := map[[2]int][]float64{}
	last := 0
	for _, s := range g.all() {
		k := [2]int{int(s.class), int(s.second)}
		seconds[k] = append(seconds[k], float64(s.metres))
		last = max(last, int(s.second))
	}
	c := &report.Chart{
		Title: "Error over time", Wide: true, X: report.Axis{Label: "s", Zero: true}, Y: report.Axis{Label: "m", Zero: true},
		Caption: fmt.Sprintf("At rest is who has stood for %g s.", g.setup.settle),
	}
	for _, k := range []class{monster, player, atRest} {
		median, p99 := report.Series{Name: classNames[k] + ", median"}, report.Series{Name: classNames[k] + ", p99"}
		for s := range last + 1 {
			if v := seconds[[2]int{int(k), s}]; len(v) > 0 {
				slices.Sort(v)
				median.Points = append(median.Points, report.Point{X: float64(s), Y: report.Percentile(v, 0.5)})
				p99.Points = append(p99.Points, report.Point{X: float64(s), Y: report.Percentile(v, 0.99)})
			}
		}
		c.Series = append(c.Series, median, p99)
	}
	return c
}

// distribution is which part of the errors is no larger than so much.
func (g *game) distribution() *report.Chart {
	c := &report.Chart{Title: "Distribution of errors", Wide: true, X: report.Axis{Label: "m", Log: true}, Y: report.Axis{Label: "part that is no farther off", Zero: true}}
	samples := g.all()
	for k := range classes {
		metres := of(samples, k)
		slices.Sort(metres)
		s := report.Series{Name: fmt.Sprintf("%s, %d", classNames[k], len(metres))}
		for _, edge := range []float64{0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 1, 1.4, 2, 3, 5, 10, 20} {
			if n, _ := slices.BinarySearch(metres, edge); len(metres) > 0 {
				s.Points = append(s.Points, report.Point{X: edge, Y: float64(n) / float64(len(metres))})
			}
		}
		c.Series = append(c.Series, s)
	}
	return c
}

func (g *game) paths() report.Section {
	s := report.Section{Title: "Paths from above", Text: "The last seconds of three remotes of one client: where the server had them in the same moment, where the client showed them, and what position events said."}
	for _, p := range g.clients[0].scores.paths() {
		s.Figures = append(s.Figures, report.PathChart(fmt.Sprintf("0x%08X, %s: %.3f m on average", p.Guid, p.Choice, p.Mean), "", p.Server, p.Client, p.Events))
	}
	if len(s.Figures) == 0 {
		s.Text = "No remote of the first client's has moved."
	}
	return s
}
