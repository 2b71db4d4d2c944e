package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/gait-engine/gait/report"
)

// all returns the errors of all clients.
func (g *game) all() (samples []sample) {
	for _, c := range g.clients {
		samples = append(samples, c.scores.samples...)
	}
	return samples
}

// worstAtRest is the largest p99 at rest of any client, and how many clients have one.
func (g *game) worstAtRest() (p99 float64, clients int) {
	for _, c := range g.clients {
		if e := spreadOf(of(c.scores.samples, atRest)); e.count > 0 {
			p99, clients = max(p99, e.p99), clients+1
		}
	}
	return p99, clients
}

// facts are the figures in words.
func (g *game) facts() (facts []report.Fact) {
	v, seconds := g.server, g.lasted.Seconds()
	line := func(name, format string, a ...any) {
		facts = append(facts, report.Fact{Name: name, Value: fmt.Sprintf(format, a...)})
	}
	entered, known, lost, resent := 0, 0, v.box.losses(), 0
	for _, c := range g.clients {
		lost += c.box.losses()
	}
	for _, x := range v.guests {
		resent += x.session.resent
		if x.entered {
			entered++
		}
		for _, s := range x.known {
			if s.told {
				known++
			}
		}
	}
	took, begun := slices.Sorted(slices.Values(v.took)), slices.Sorted(slices.Values(v.begun))
	line("ran", "%.1f s, %d ticks of 1/%g s", seconds, v.engine.Now(), g.setup.hz)
	line("clients", "%d, each of which knows %.0f movers", entered, float64(known)/float64(max(entered, 1)))
	line("movers", "%d", g.setup.movers)
	line("way", "%v ± %v, %.3g %% lost, %.3g %% late", g.setup.way.delay, g.setup.way.jitter, 100*g.setup.way.loss, 100*g.setup.way.reorder)
	line("to clients", "%.0f messages, %.0f datagrams, %.0f bytes a second", float64(v.messages)/seconds, float64(v.datagrams)/seconds, float64(v.bytes)/seconds)
	line("lost", "%d datagrams both ways; %d sent again to clients; %d refused", lost, resent, v.refused)
	line("tick", "%.3f ms p50, %.3f ms p99, %.3f ms the longest; %d took longer than there is time",
		report.Percentile(took, 0.5)/1e6, report.Percentile(took, 0.99)/1e6, report.Percentile(took, 1)/1e6, v.late)
	line("begun late", "%.3f ms p50, %.3f ms p99, %.3f ms the latest", report.Percentile(begun, 0.5)/1e6, report.Percentile(begun, 0.99)/1e6, report.Percentile(begun, 1)/1e6)
	samples := g.all()
	for c := range classes {
		e := spreadOf(of(samples, c))
		line("error, "+classNames[c], "%.3f m p50, %.3f m p95, %.3f m p99, %.3f m the largest, of %d", e.p50, e.p95, e.p99, e.largest, e.count)
	}
	p99, clients := g.worstAtRest()
	line("at rest", "at most %.3f m p99 for any of %d clients", p99, clients)
	line("put down", "%d who had come to rest where no client could put them", v.corrected)
	line("log", "taken up again: tick %d, state %016x, as the server was left", v.engine.Now(), v.engine.Hash())
	return facts
}

func (g *game) write(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, f := range g.facts() {
		fmt.Fprintf(t, "%s\t%s\n", f.Name, f.Value)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s\n", strings.Join(aboutErrors, "\n"))
	return err
}

// aboutErrors says what errors are, line by line.
var aboutErrors = []string{
	"Who moves is behind by as long as the way takes. Errors of metres are lost packets: they are sent again",
	"about half a second later, and until then the server's player, or a copy, goes on as before. Where a player",
	"is, is told about once a second, where a moving monster is, five times (15 §6). A copy that is 96 m away or",
	"farther stays where it is while it is told to be where it cannot be put down (12 §4, 14 §8).",
	"At rest a copy that is within 0.05 m of its place is there (12 §5): no closer can be expected.",
}
