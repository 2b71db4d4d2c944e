package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gait-engine/gait/record"
	"github.com/gait-engine/gait/wire/transport"
)

// small is a game of few movers, that rest soon.
func small(t *testing.T) *setup {
	return &setup{
		clients: 3, movers: 24, hz: 30, lasts: 3 * time.Second, side: 3, refresh: 0.5, settle: 1, seed: 1, logDir: filepath.Join(t.TempDir(), "log"),
		way: way{delay: 30 * time.Millisecond, jitter: 15 * time.Millisecond, loss: 0.05, reorder: 0.02},
	}
}

// A game over sockets: what the clients saw, written as a capture and replayed, comes to
// the same state in every tick (22 §11); and the server's log to the state that the
// server was left in. How far off copies are is for [TestAtRest], which no busy machine
// delays.
func TestServer(t *testing.T) {
	s := small(t)
	s.compare, s.pcap, s.out = true, filepath.Join(t.TempDir(), "seen.pcapng"), t.TempDir()
	g, err := play(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if _, clients := g.worstAtRest(); clients != s.clients {
		t.Errorf("%d clients have somebody at rest", clients)
	}
	samples := g.all()
	if moving, rest := len(of(samples, monster))+len(of(samples, player)), len(of(samples, atRest)); moving < 20 || rest < 20 {
		t.Errorf("%d errors are of who moves, %d of who is at rest: this tests nothing", moving, rest)
	}
	lost := g.server.box.losses()
	for _, c := range g.clients {
		lost += c.box.losses()
	}
	if lost == 0 || g.server.refused > 0 {
		t.Errorf("%d lost, %d refused", lost, g.server.refused)
	}
	same(t, g)
	var out strings.Builder
	g.clients[1].hashes[40]++
	g.clients[2].hashes = append(g.clients[2].hashes, make([]uint64, 100)...)
	if err := g.compare(&out); !errors.Is(err, errDiffers) || !strings.Contains(out.String(), "ticks equal\nclient 1: tick 41 differs: state ") || !strings.Contains(out.String(), "client 2: the capture ends after ") {
		t.Errorf("%v\n%s", err, out.String())
	}
	if e, _, err := record.Recover(s.logDir, s.serverOptions()); err != nil || e.Hash() != g.server.engine.Hash() {
		t.Errorf("the log comes to another state: %v", err)
	}
	var page strings.Builder
	if err := g.page().Write(&page); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Tick times over the run", "Time by stage", "Error over time", "Distribution of errors", "at rest, p99"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page has no %q", want)
		}
	}
}

// same holds a replay of the capture against what the clients were, tick by tick.
func same(t *testing.T, g *game) {
	t.Helper()
	all, err := g.replay()
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		is, ran := &all[i], len(g.clients[i].hashes)
		if is.differs != 0 || is.ticks < ran-30 || is.ticks < 30 {
			t.Fatalf("client %d: %d of %d ticks were compared; tick %d differs, state %016x, replayed %016x", i, is.ticks, ran, is.differs, is.live, is.got)
		}
		c := is.connection
		if !c.Whole || c.S2C.Failed+c.C2S.Failed+c.S2C.Unverifiable+c.C2S.Unverifiable > 0 || c.S2C.Counts.Requested+c.C2S.Counts.Requested == 0 {
			t.Errorf("client %d: whole %v, checksums %d failed, asked for %d", i, c.Whole, c.S2C.Failed+c.C2S.Failed, c.S2C.Counts.Requested+c.C2S.Counts.Requested)
		}
	}
}

// Where most is lost, packets come after they were given up, and who a client is after
// all that was said of him; still his capture comes to what he was.
func TestMostIsLost(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 8 s")
	}
	s := small(t)
	s.clients, s.movers, s.lasts, s.way.loss = 12, 40, 8*time.Second, 0.6
	s.compare, s.pcap = true, filepath.Join(t.TempDir(), "seen.pcapng")
	g, err := play(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	same(t, g)
}

// A game that cannot begin says why.
func TestNoGame(t *testing.T) {
	s := small(t)
	s.pcap = filepath.Join(t.TempDir(), "nowhere", "seen.pcapng")
	if g, err := play(t.Context(), s); g != nil || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v, %v", g, err)
	}
}

// An interrupt ends it as the time does: nothing is lost.
func TestInterrupt(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	time.AfterFunc(700*time.Millisecond, interrupt)
	dir := t.TempDir()
	var out, errs bytes.Buffer
	args := []string{"-movers", "6", "-clients", "2", "-side", "3", "-for", "1h", "-log", filepath.Join(dir, "log"), "-out", dir, "-pcap", filepath.Join(dir, "p.pcapng"), "-compare"}
	if code := run(ctx, args, &out, &errs); code != 0 {
		t.Fatalf("status %d: %s", code, errs.String())
	}
	for _, want := range []string{"clients", "movers", "to clients", "tick", "error, at rest", "taken up again", "client 0: ", "client 1: "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	for _, name := range []string{"server.html", "p.pcapng"} {
		if i, err := os.Stat(filepath.Join(dir, name)); err != nil || i.Size() == 0 {
			t.Error(name, err)
		}
	}
}

// Who is a year behind the clock does not make up for it when the time is over.
func TestLateClientEnds(t *testing.T) {
	s := small(t)
	s.clock = &wallClock{time.Now()}
	clean, err := s.furnish()
	if err != nil {
		t.Fatal(err)
	}
	g, ether := &game{setup: s}, ether{}
	if err := errors.Join(g.open(ether.line(), ether.line()), g.join(ether.line(), nil)); err != nil {
		t.Fatal(err)
	}
	c := g.clients[0]
	c.began, c.session = -365*86_400e9, newSession(transport.C2S, 1)
	ctx, over := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer over()
	if err := c.run(ctx); err != nil || c.tick == 0 || c.tick > 100_000_000 {
		t.Errorf("%d ticks, %v", c.tick, err)
	}
	if err := errors.Join(g.server.log.Close(), clean()); err != nil {
		t.Error(err)
	}
}

func TestCalls(t *testing.T) {
	for _, c := range []struct {
		args string
		code int
	}{
		{"-h", 0}, {"x", 2}, {"-clients 0", 2}, {"-clients 5 -movers 4", 2}, {"-hz 0", 2}, {"-loss 1", 2}, {"-reorder -1", 2},
		{"-jitter 200ms", 2}, {"-for 0s", 2}, {"-settle 0", 2}, {"-compare", 2}, {"-rain", 2}, {"-side 2 -for 1s", 1},
	} {
		var out, errs bytes.Buffer
		if code := run(t.Context(), strings.Fields(c.args), &out, &errs); code != c.code || errs.Len() == 0 {
			t.Errorf("%q: status %d, want %d: %s", c.args, code, c.code, errs.String())
		}
	}
}

// side is one side of a connection, and what comes to it.
type side struct {
	*session
	box *mailbox
	got []string
}

// Two sides miss packets and come to have all of them, each once, whatever is lost: a
// server in the order in which they were sent, a client as they come (22 §6).
func TestSpec22_6_WhatIsMissedIsAskedFor(t *testing.T) {
	clock := &handClock{at: 1e9}
	client := &side{session: newSession(transport.C2S, 9), box: newMailbox(clock, way{loss: 0.3}, 5)}
	server := &side{session: newSession(transport.S2C, 10), box: newMailbox(clock, way{loss: 0.3}, 6)}
	turn := func(me, other *side, k int) {
		send := func(b []byte) { other.box.put(netip.AddrPort{}, netip.AddrPort{}, b) }
		for _, x := range me.box.take(func(int64) bool { return true }) {
			var p transport.Packet
			if err := transport.Parse(x.data, &p); err != nil {
				t.Fatal(err)
			}
			me.again(&p, send)
			me.take(&p, clock.at, func(msg []byte) { me.got = append(me.got, string(msg)) })
		}
		if k < 300 {
			if err := me.out.Messages(10, [][]byte{fmt.Appendf(nil, "message %03d", k)}, send); err != nil {
				t.Fatal(err)
			}
		}
		if err := me.chores(clock.at, send); err != nil {
			t.Fatal(err)
		}
	}
	for k := range 600 {
		clock.at += 33e6
		turn(client, server, k)
		turn(server, client, k)
	}
	for _, s := range []*side{client, server} {
		if slices.IsSorted(s.got) != (s == server) {
			t.Errorf("a server %v: %q", s == server, s.got)
		}
		slices.Sort(s.got)
		if n := len(slices.Compact(s.got)); n != 300 || len(s.got) != n || len(s.missing)+len(s.waiting) > 0 || s.box.losses() < 50 {
			t.Errorf("a server %v: %d of 300 came, %d are missing, %d wait, %d were lost", s == server, n, len(s.missing), len(s.waiting), s.box.losses())
		}
	}
}

// What does not come is given up, and what waited for it goes on; a number from nowhere is
// nothing.
func TestWhatDoesNotComeIsGivenUp(t *testing.T) {
	from, to := newSession(transport.C2S, 9), newSession(transport.S2C, 10)
	var got []string
	now := int64(1e9)
	take := func(b []byte) {
		var p transport.Packet
		if err := transport.Parse(b, &p); err != nil {
			t.Fatal(err)
		}
		to.take(&p, now, func(msg []byte) { got = append(got, string(msg)) })
	}
	send := func(msg string, emit func([]byte)) {
		if err := from.out.Messages(3, [][]byte{[]byte(msg)}, emit); err != nil {
			t.Fatal(err)
		}
	}
	send("first", take)
	send("lost", func([]byte) {})
	send("third", take)
	if !slices.Equal(got, []string{"first"}) {
		t.Fatalf("%q", got)
	}
	for range 100 {
		now += 100e6
		if err := to.chores(now, func([]byte) {}); err != nil {
			t.Fatal(err)
		}
	}
	if err := from.chores(now, take); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, []string{"first", "third"}) {
		t.Errorf("%q", got)
	}
	if b, ok := from.out.Resend(nil, 3); ok {
		take(b)
	}
	if !slices.Equal(got, []string{"first", "third", "lost"}) {
		t.Errorf("%q, after all", got)
	}
	far := transport.Packet{}
	far.Flags, far.Sequence = transport.Encrypted, 1<<32-1
	to.take(&far, now, func(msg []byte) { t.Errorf("%q", msg) })
	if to.highest != 4 || len(to.missing) > 0 {
		t.Errorf("%d, %d missing", to.highest, len(to.missing))
	}
}

// Whatever a client sends while one of its packets is missing, no more wait than a bound.
func TestFewWaitForTheirTurn(t *testing.T) {
	s := newSession(transport.S2C, 9)
	var p transport.Packet
	p.Flags = transport.Encrypted
	for n := range uint32(4 * maxAhead) {
		p.Sequence = 3 + n // the second never comes
		s.take(&p, 1e9, func([]byte) {})
	}
	if len(s.waiting) > maxAhead || len(s.missing) > maxAhead {
		t.Errorf("%d wait, %d are missing", len(s.waiting), len(s.missing))
	}
	p.Sequence = 2
	s.take(&p, 1e9, func([]byte) {})
	p.Sequence = s.turn
	if s.take(&p, 1e9, func([]byte) {}); len(s.waiting) > 0 || s.turn != p.Sequence+1 {
		t.Errorf("%d wait for %d, after %d", len(s.waiting), s.turn, p.Sequence)
	}
}
