package main

import (
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/gait-engine/gait/replay"
	"github.com/gait-engine/gait/report"
)

// page writes a report as a page with charts.
func page(files []string, o replay.Options, r *replay.Report, dir string) error {
	var paths []replay.Path
	if len(r.Errors.Worst) > 0 {
		var err error
		if paths, err = replay.Paths(files, o, r.Errors.Worst); err != nil {
			return err
		}
	}
	_, err := pageOf(r, paths).WriteFile(dir, "replay.html")
	return err
}

func pageOf(r *replay.Report, paths []replay.Path) *report.Page {
	p := &report.Page{Title: "gait: replay", Notes: r.Notices, Facts: facts(r)}
	p.Sections = append(p.Sections, captures(r))
	if r.Errors.Distance.Count > 0 {
		p.Sections = append(p.Sections, errorsOf(r.Errors), pathsOf(paths))
	} else {
		p.Notes = append(p.Notes, "No position could be compared with what the engine had, so there are no errors.")
	}
	for i := range r.Connections {
		if c := &r.Connections[i]; c.Played {
			p.Sections = append(p.Sections, census(c))
		}
	}
	return p
}

func facts(r *replay.Report) []report.Fact {
	positions := uint64(0)
	for _, n := range r.Errors.Positions {
		positions += n
	}
	d := &r.Errors.Distance
	return []report.Fact{
		{Name: "ticks a second", Value: fmt.Sprint(r.TicksPerSecond)},
		{Name: "datagrams", Value: fmt.Sprintf("%d, of which %d foreign", r.Outside.Datagrams, r.Outside.ForeignDatagrams)},
		{Name: "connections", Value: fmt.Sprint(len(r.Connections))},
		{Name: "inbound positions", Value: fmt.Sprintf("%d, of which %d could be measured", positions, d.Count)},
		{Name: "error", Value: fmt.Sprintf("%.3f m mean, %.3f m median, %.3f m p95, %.3f m p99, %.3f m the largest", d.Mean, d.Median, d.P95, d.P99, d.Largest)},
	}
}

// captures are what was read, and the conversations in it.
func captures(r *replay.Report) report.Section {
	files := report.Table{Title: "Files", Head: []string{"file", "format", "seconds", "records", "datagrams", "error"}}
	for _, f := range r.Files {
		files.Rows = append(files.Rows, []string{filepath.Base(f.Name), f.Format, fmt.Sprintf("%.3f", f.Seconds), count(f.Counts.Records), count(f.Counts.Datagrams), f.Error})
	}
	connections := report.Table{Title: "Connections", Head: []string{"connection", "handshake", "seconds", "from client", "from server", "missing", "checksums failed", "remotes", "state"}}
	for i := range r.Connections {
		c := &r.Connections[i]
		begins, remotes := "not there", "not played"
		if c.Whole {
			begins = "there"
		}
		if c.Played {
			remotes = count(c.Seen.Created)
		}
		connections.Rows = append(connections.Rows, []string{
			strconv.Itoa(c.ID), begins, fmt.Sprintf("%.3f", c.Seconds), count(c.C2S.Datagrams), count(c.S2C.Datagrams),
			count(c.C2S.Missing + c.S2C.Missing), count(c.C2S.Failed + c.S2C.Failed), remotes, c.Hash,
		})
	}
	return report.Section{Title: "Captures", Tables: []report.Table{files, connections}}
}

func count(n uint64) string { return strconv.FormatUint(n, 10) }

// cumulative shows which part of the values is no larger than each edge.
func cumulative(name string, s replay.Summary) report.Series {
	out := report.Series{Name: fmt.Sprintf("%s, %d", name, s.Count), Style: report.Marked}
	below := uint64(0)
	for i, edge := range replay.Edges {
		below += s.Histogram[i]
		out.Points = append(out.Points, report.Point{X: edge, Y: float64(below) / float64(s.Count)})
	}
	return out
}

// errorsOf are the distributions.
func errorsOf(e *replay.Errors) report.Section {
	chart := func(title string, series ...report.Series) *report.Chart {
		return &report.Chart{
			Title: title, X: report.Axis{Label: "m", Log: true}, Y: report.Axis{Label: "part that is no farther off", Zero: true}, Series: series,
		}
	}
	all := []report.Series{cumulative("engine", e.Distance)}
	if e.Moved.Count > 0 {
		still := cumulative("without predicting", e.Moved)
		still.Quiet = true
		all = append(all, still)
	}
	s := report.Section{
		Title:   "Errors",
		Text:    "For every inbound position of a remote, how far from it the engine had the remote just before.",
		Figures: []report.Figure{chart("All", all...)},
	}
	t := report.Table{Head: []string{"error, m", "count", "mean", "p50", "p90", "p95", "p99", "largest"}}
	row := func(name string, d *replay.Summary) {
		t.Rows = append(t.Rows, []string{name, count(d.Count), metres(d.Mean), metres(d.Median), metres(d.P90), metres(d.P95), metres(d.P99), metres(d.Largest)})
	}
	row("all", &e.Distance)
	row("without predicting", &e.Moved)
	if e.Own.Count > 0 {
		row("own object, to others", &e.Own)
	}
	for _, split := range e.Splits() {
		var series []report.Series
		for _, name := range split.Names {
			d := split.Of[name]
			row(name, &d)
			series = append(series, cumulative(name, d))
		}
		s.Figures = append(s.Figures, chart("By "+split.Name, series...))
	}
	s.Tables = []report.Table{t}
	return s
}

func metres(v float64) string { return fmt.Sprintf("%.3f", v) }

func pathsOf(paths []replay.Path) report.Section {
	s := report.Section{
		Title: "The largest errors from above",
		Text:  "Where the engine had the remote, tick by tick, and where position events said it was. The error is at 0, 0: there the event was.",
	}
	for _, p := range paths {
		age := "the first position since its create"
		if p.Age >= 0 {
			age = fmt.Sprintf("%.2f s after the position before", p.Age)
		}
		s.Figures = append(s.Figures, &report.Chart{
			Title: fmt.Sprintf("%.3f m, 0x%08X at %.3f s", p.Metres, p.Guid, p.Seconds), Caption: fmt.Sprintf("Connection %d, %s, %s.", p.Connection, p.Motion, age),
			Map: true, X: report.Axis{Label: "m east"}, Y: report.Axis{Label: "m north"},
			Series: []report.Series{
				{Name: "engine", Points: report.Points(p.Client)},
				{Name: "position events", Style: report.Dots, Points: report.Points(p.Events)},
			},
		})
	}
	return s
}

// census is what came, by opcode, and what became of it.
func census(c *replay.Connection) report.Section {
	t := report.Table{Head: []string{"opcode", "space", "count", "applied", "parked", "stale", "ignored", "refused"}}
	verdicts := map[string]*replay.Verdicts{}
	for i := range c.Verdicts {
		verdicts[c.Verdicts[i].Opcode] = &c.Verdicts[i]
	}
	for _, l := range c.Census {
		row := []string{l.Opcode, l.Space, count(l.Count), "", "", "", "", ""}
		if v := verdicts[l.Opcode]; v != nil && l.Space == "message" {
			row = append(row[:3], count(v.Applied), count(v.Parked), count(v.Stale), count(v.Ignored), count(v.Refused))
		}
		t.Rows = append(t.Rows, row)
	}
	return report.Section{
		Title: fmt.Sprintf("Census of connection %d", c.ID), Tables: []report.Table{t},
		Text: fmt.Sprintf("%d remotes created, %d at a time, in %d ticks. A parked message that is applied after all counts twice.", c.Seen.Created, c.Seen.Largest, c.Seen.Ticks),
	}
}
