package replay

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// censusLines is how many opcodes of a connection are printed.
const censusLines = 20

// Write writes the report as text.
func (r *Report) Write(w io.Writer) error {
	p := &printer{w: w}
	for _, n := range r.Notices {
		p.line("note: %s", n)
	}
	if len(r.Notices) > 0 {
		p.line("")
	}
	for i := range r.Files {
		p.file(&r.Files[i])
	}
	o := &r.Outside
	p.line("%d datagrams, of no connection: %d foreign in %d flows, %d knocks, %d beyond the bounds%s",
		o.Datagrams, o.ForeignDatagrams, o.ForeignFlows, o.Knocks, o.TooManyConnections, counted("; refused: ", o.Refused))
	for i := range r.Connections {
		p.connection(&r.Connections[i])
	}
	if len(r.Connections) == 0 {
		p.line("\nNo connection of the game was found.")
	}
	if r.Errors != nil && len(r.Connections) != 1 {
		p.line("\nall connections")
		p.errors(r.Errors)
	}
	return p.err
}

// printer remembers the first error of writing.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, a ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", a...)
	}
}

// counted lists counts by name, largest first; "" for none.
func counted(head string, m map[string]uint64) string {
	if len(m) == 0 {
		return ""
	}
	names := slices.SortedFunc(maps.Keys(m), func(a, b string) int {
		if m[a] != m[b] {
			return int(min(max(int64(m[b])-int64(m[a]), -1), 1))
		}
		return strings.Compare(a, b)
	})
	for i, n := range names {
		names[i] = fmt.Sprintf("%s %d", n, m[n])
	}
	return head + strings.Join(names, ", ")
}

// nonzero drops counts of 0.
func nonzero(m map[string]uint64) map[string]uint64 {
	maps.DeleteFunc(m, func(_ string, n uint64) bool { return n == 0 })
	return m
}

func (p *printer) file(f *File) {
	switch {
	case f.Others > 0:
		p.line("%s: %d members that are no captures", f.Name, f.Others)
		return
	case f.Format == "":
		p.line("%s: not read: %s", f.Name, f.Error)
		return
	}
	c := &f.Counts
	from := ""
	if f.Start != "" {
		from = ", from " + f.Start
	}
	p.line("%s: %s, %.3f s%s, %d records, %d datagrams", f.Name, f.Format, f.Seconds, from, c.Records, c.Datagrams)
	if s := counted("  not taken: ", nonzero(map[string]uint64{
		"of an unknown link": c.Link, "IPv6, which the game has not": c.IPv6, "neither IPv4 nor IPv6": c.NotIPv4 - c.IPv6, "not UDP": c.NotUDP,
		"malformed": c.Malformed, "cut frames": c.Cut, "IP pieces joined": c.Pieces, "IP pieces lost": c.Lost, "bad times": c.BadTimes,
		"bad blocks": c.BadBlocks, "bad lines": c.BadLines,
	})); s != "" {
		p.line("%s", s)
	}
	if c.Untimed > 0 {
		p.line("  %d records have no time and take the one before", c.Untimed)
	}
	if c.Backwards > 0 {
		p.line("  %d records lie before the one before them, and take its time%s", c.Backwards, map[bool]string{true: "; some by more than a second: the clock was set"}[c.BackwardsFar])
	}
	if c.Headers > 0 {
		p.line("  the recorder was started again %d times within the file", c.Headers)
	}
	if c.CutTail {
		p.line("  it ends inside a record")
	}
	if f.Error != "" {
		p.line("  refused from there on: %s", f.Error)
	}
}

func (p *printer) connection(c *Connection) {
	state := "its handshake is here"
	if !c.Whole {
		state = "partial: its beginning is not in the capture, encrypted checksums cannot be verified"
	}
	p.line("\nconnection %d, server port %d, %.3f s; %s", c.ID, c.Port, c.Seconds, state)
	if c.OtherGame {
		p.line("  it is Asheron's Call 2, which is not decoded")
	}
	if c.Pauses > 0 {
		p.line("  %d pauses of more than 140 s", c.Pauses)
	}
	if c.Clock.Syncs > 1 {
		p.line("  game time ran at %.5f, at most %.3f s from the capture's clock, %d syncs", c.Clock.Slope, c.Clock.MaxResidual, c.Clock.Syncs)
	}
	p.direction("from the client", &c.C2S)
	p.direction("from the server", &c.S2C)
	if !c.Played {
		p.line("  not played: %s", map[bool]string{true: "as many as are at a time were being played", false: "it has no message"}[c.Unplayed])
		return
	}
	p.seen(c)
	for i, l := range c.Census {
		if i == censusLines {
			p.line("  … %d more opcodes", len(c.Census)-i)
			break
		}
		if i == 0 {
			p.line("  messages by opcode:")
		}
		p.line("    %-8s %s %10d", l.Space, l.Opcode, l.Count)
	}
	p.errors(c.Errors)
}

func (p *printer) direction(name string, d *Direction) {
	c := &d.Counts
	p.line("  %s: %d datagrams, %d bytes%s", name, c.Datagrams, c.Bytes, counted("; refused: ", d.RefusedBy))
	if c.Datagrams == 0 {
		return
	}
	p.line("    checksums: %d verified, %d failed, %d unverifiable%s", c.Verified, c.Failed, c.Unverifiable,
		map[bool]string{true: "; checking stopped"}[c.CheckingStopped])
	p.line("    %d missing, %d second copies, %d asked for again, %d breaks in the numbers", c.Missing, c.Duplicates, c.Requested, c.Jumps)
	if c.Late > 0 {
		p.line("    %d messages came to the client by a later copy only, after %.3f s on average", c.Late, c.LateSeconds/float64(c.Late))
	}
	p.line("    %s", counted("packets with: ", d.Packets))
	p.line("    %d messages, %d bytes; never complete: %d cut at the head, %d at the tail, %d lost%s", c.Messages, c.MessageBytes, c.Head, c.Tail, c.Middle,
		counted("; fragments refused: ", d.FragmentsRefused))
	if s := counted("    odd, and taken: ", nonzero(map[string]uint64{
		"sections with company": c.Company, "oddly encrypted": c.OddlyEncrypted, "long requests": c.LongRequests, "odd queues": c.OddQueues, "short messages dropped": c.Short,
	})); s != "" {
		p.line("%s", s)
	}
}

func (p *printer) seen(c *Connection) {
	s := c.Seen
	own := "unknown, so every object counts as a remote"
	if c.Own != "" {
		own = c.Own
	}
	p.line("  played %d ticks, %d stays; own object %s; state %s", s.Ticks, s.Stays, own, c.Hash)
	p.line("  remotes: %d created, %d at a time, %d rebuilt, %d merged, %d deleted, %d out of sight", s.Created, s.Largest, s.Rebuilt, s.Merged, s.Deleted, s.Faded)
	if s.BeforeGuids > 0 {
		p.line("  before the capture: %d objects of which something was said before a create, %d such messages", s.BeforeGuids, s.BeforeMessages)
	}
	if s.Created == 0 {
		p.line("  no object was created, so nothing moves and nothing is measured")
	}
	if s.NoMotionTable+s.NoSetup > 0 {
		p.line("  not in the data files: the motion table of %d creates, the setup of %d; these are moved by positions alone", s.NoMotionTable, s.NoSetup)
	}
	p.line("  parked: %d applied after all, %d expired, %d dropped, %d waiting at the end; %d of the own object left out, %d lost with a stay, %d beyond the bounds%s",
		s.Replayed, s.Expired, s.Dropped, s.Waiting, s.OwnLeftOut, s.Leftover, s.Flooded, counted("; refused: ", s.Reasons))
	if s.Cut {
		p.line("  a bound on ticks or stays was reached; what came after is not played")
	}
	if p.err != nil || len(c.Verdicts) == 0 {
		return
	}
	t := tabwriter.NewWriter(p.w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "    opcode\tapplied\tparked\tstale\tignored\trefused\t")
	for _, v := range c.Verdicts {
		fmt.Fprintf(t, "    %s\t%d\t%d\t%d\t%d\t%d\t\n", v.Opcode, v.Applied, v.Parked, v.Stale, v.Ignored, v.Refused)
	}
	p.err = t.Flush()
}

// errors prints distributions.
func (p *printer) errors(e *Errors) {
	if e == nil {
		return
	}
	total := uint64(0)
	for _, n := range e.Positions {
		total += n
	}
	p.line("  %d inbound positions%s", total, counted(": ", e.Positions))
	if e.Distance.Count+e.Own.Count == 0 || p.err != nil {
		return
	}
	t := tabwriter.NewWriter(p.w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "    error, m\tcount\tmean\tp50\tp90\tp95\tp99\tworst\t")
	row := func(name string, s *Summary) {
		approximate := ""
		if s.Approximate {
			approximate = "~"
		}
		fmt.Fprintf(t, "    %s\t%d\t%.3f\t%s%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t\n", name, s.Count, s.Mean, approximate, s.Median, s.P90, s.P95, s.P99, s.Largest)
	}
	row("all", &e.Distance)
	row("horizontal", &e.Horizontal)
	row("vertical", &e.Vertical)
	row("without predicting", &e.Moved)
	row("heading, degrees", &e.Heading)
	if e.Own.Count > 0 {
		row("own object, to others", &e.Own)
	}
	for _, split := range e.Splits() {
		for _, n := range split.Names {
			s := split.Of[n]
			row(n, &s)
		}
	}
	if p.err = t.Flush(); p.err != nil {
		return
	}
	for i, w := range e.Worst {
		if i == 0 {
			p.line("  worst:")
		}
		age := "the first since its create"
		if w.Age >= 0 {
			age = fmt.Sprintf("%.2f s after the one before", w.Age)
		}
		p.line("    %8.3f m  0x%08X at %.3f s in connection %d, %s, %s", w.Metres, w.Guid, w.Seconds, w.Connection, w.Motion, age)
	}
}
