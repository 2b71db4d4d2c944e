package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gait-engine/gait/bench"
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

// At rest no client's p99 is more than 0.05 m. What the clients saw, written as a
// capture and replayed, comes to the same state in every tick (22 §11); and the
// server's log to the state that the server was left in.
func TestServer(t *testing.T) {
	s := small(t)
	s.compare, s.pcap, s.out = true, filepath.Join(t.TempDir(), "seen.pcapng"), t.TempDir()
	g, err := play(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	p99, clients := g.worstAtRest()
	if clients != s.clients || p99 > 0.05 {
		t.Errorf("at rest p99 is %v m for one of %d clients", p99, clients)
	}
	samples := g.all()
	for _, c := range []class{moving, atRest} {
		if n := len(of(samples, c)); n < 20 {
			t.Errorf("%d errors are of who is %s: this tests nothing", n, classNames[c])
		}
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
	s.clock = &clock{time.Now()}
	var err error
	if s.tables, s.ground, err = bench.LoadGround(bench.GroundOptions{Sweep: bench.SweepTerrain, Side: s.side}); err != nil {
		t.Fatal(err)
	}
	v, err := newServer(s, &now{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := newClient(s, 0, v, nil)
	if err != nil {
		t.Fatal(err)
	}
	c.began, c.session = -365*86_400e9, newSession(transport.C2S, 1)
	ctx, over := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer over()
	if err := c.play(ctx); err != nil || c.tick == 0 || c.tick > 100_000_000 {
		t.Errorf("%d ticks, %v", c.tick, err)
	}
	if err := errors.Join(c.conn.Close(), v.lower.Close(), v.upper.Close(), v.log.Close(), s.ground.Close()); err != nil {
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

// Two sides miss packets and come to have all of them, each once, whatever is lost.
func TestWhatIsMissedIsAskedFor(t *testing.T) {
	s := &setup{clock: &clock{time.Now()}}
	box := newMailbox(s.clock, way{loss: 0.3, jitter: 0}, 5)
	from, to := newSession(transport.S2C, 9), newSession(transport.S2C, 9)
	back := newSession(transport.C2S, 10)
	got := map[string]int{}
	now := int64(1e9)
	deliver := func(b []byte) { box.put(netip.AddrPort{}, netip.AddrPort{}, b) }
	for k := range 600 {
		now += 33e6
		if k < 300 {
			if err := from.out.Messages(10, [][]byte{fmt.Appendf(nil, "message %d", k)}, deliver); err != nil {
				t.Fatal(err)
			}
		}
		if err := from.chores(now, deliver); err != nil {
			t.Fatal(err)
		}
		for _, a := range box.take(func(int64) bool { return true }) {
			var p transport.Packet
			if err := transport.Parse(a.data, &p); err != nil {
				t.Fatal(err)
			}
			to.take(&p, now, func(msg []byte) { got[string(msg)]++ })
		}
		to.out = back.out
		if err := to.chores(now, func(b []byte) {
			var p transport.Packet
			if err := transport.Parse(b, &p); err != nil {
				t.Fatal(err)
			}
			from.again(&p, deliver)
		}); err != nil {
			t.Fatal(err)
		}
	}
	for k := range 300 {
		if n := got[fmt.Sprintf("message %d", k)]; n != 1 {
			t.Errorf("message %d came %d times", k, n)
		}
	}
	if len(to.missing) > 0 || box.losses() < 50 {
		t.Errorf("%d are missing, %d were lost", len(to.missing), box.losses())
	}
}
