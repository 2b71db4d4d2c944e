package main

import (
	"encoding/binary"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/wire"
)

// handClock is a clock that is moved by hand.
type handClock struct{ at int64 }

func (c *handClock) now() int64 { return c.at }

// ether are lines without an operating system: what is sent is there at once, in order.
type ether map[netip.AddrPort]*mailbox

// thread is a line of an ether's.
type thread struct {
	ether ether
	at    netip.AddrPort
}

func (e ether) line() thread {
	at := netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), uint16(9000+len(e)))
	e[at] = nil
	return thread{e, at}
}

func (t thread) send(b []byte, to netip.AddrPort) error {
	if box := t.ether[to]; box != nil {
		box.put(t.at, to, b)
	}
	return nil
}

func (t thread) address() netip.AddrPort { return t.at }

func (t thread) read(m *mailbox) error {
	t.ether[t.at] = m
	return nil
}

func (t thread) Close() error { return nil }

// simulate plays a game by a clock of its own, one step after the other: of one
// setup it is the same game every time. After every tick of a client's it calls after.
func simulate(t *testing.T, s *setup, after func(*game, *client)) *game {
	t.Helper()
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	clock, ether := &handClock{}, ether{}
	s.clock, s.logDir = clock, t.TempDir()
	clean, err := s.furnish()
	must(err)
	defer func() { must(clean()) }()
	g := &game{setup: s, lasted: s.lasts}
	must(g.open(ether.line(), ether.line()))
	must(g.server.lower.read(g.server.box))
	must(g.server.upper.read(g.server.box))
	for i := range s.clients {
		must(g.join(ether.line(), nil))
		must(g.clients[i].line.read(g.clients[i].box))
	}
	for {
		var next *client
		due := g.server.due()
		for _, c := range g.clients {
			if at := c.due(); at < due {
				next, due = c, at
			}
		}
		if due > int64(s.lasts) {
			must(g.server.close())
			return g
		}
		clock.at = max(clock.at, due)
		if next == nil {
			must(g.server.step())
			continue
		}
		ticks := next.tick
		must(next.act())
		if next.tick > ticks {
			after(g, next)
		}
	}
}

// minute is a game of the size of a village.
func minute(seed uint64) *setup {
	return &setup{
		clients: 20, movers: 200, hz: 30, lasts: time.Minute, side: 6, refresh: 1, settle: 3, seed: seed,
		way: way{delay: 100 * time.Millisecond, jitter: 50 * time.Millisecond, loss: 0.05, reorder: 0.01},
	}
}

// At rest every client's p99 is at most 0.05 m, whatever the seed; nobody's copy is on
// its way when he has rested, but for a message that was lost and is on its way again.
func TestAtRest(t *testing.T) {
	seeds := []uint64{7, 14, 21} // monsters in one another, a stop sent again, the shore
	if testing.Short() {
		seeds = seeds[:1]
	}
	for _, seed := range seeds {
		compared, off, walking := 0, 0, 0
		s := minute(seed)
		if testing.Short() {
			s.lasts = 15 * time.Second
		}
		g := simulate(t, s, func(g *game, c *client) {
			now, v := g.server.latest.Load(), c.remotes.View()
			for i, guid := range v.Guid {
				k := indexOf(guid)
				if now == nil || guid == c.own || !now.stands[k].there || v.Cell[i] == 0 || now.tick-now.stands[k].since < c.scores.settle {
					continue
				}
				compared++
				place := placeAt(v.Cell[i], v.Origin[i])
				if space.Distance(&place, &now.stands[k].place) > 0.05 {
					off++
				}
				c.remotes.Inspect(guid, func(r *components.Row, _ *components.Pools) {
					if underWay(r.Interpreted) {
						walking++
					}
				})
			}
		})
		p99, clients := g.worstAtRest()
		t.Logf("seed %d: at most %.3f m p99 for any of %d clients; of %d at rest %d are off, %d walk; %d corrected", seed, p99, clients, compared, off, walking, g.server.corrected)
		if clients != g.setup.clients || !(p99 <= 0.05) {
			t.Errorf("seed %d: at rest p99 is %v m for one of %d clients", seed, p99, clients)
		}
		if compared < 1000*int(s.lasts.Seconds()) || off*10_000 > compared || walking*10_000 > compared {
			t.Errorf("seed %d: of %d at rest %d are more than 0.05 m off, %d are on their way", seed, compared, off, walking)
		}
	}
}

// A game by a clock of its own is the same every time.
func TestSimulatedGamesAreAlike(t *testing.T) {
	play := func() (uint64, []sample) {
		s := minute(3)
		s.lasts = 8 * time.Second
		g := simulate(t, s, func(*game, *client) {})
		return g.server.engine.Hash(), g.all()
	}
	hash, samples := play()
	again, others := play()
	if hash != again || !slices.Equal(samples, others) || len(samples) == 0 {
		t.Errorf("%016x and %016x, %d and %d errors", hash, again, len(samples), len(others))
	}
}

// A player whom the server corrects is taken there by his own client, which is heard
// again when it says so (20 §5.4, 20 §5.5).
func TestCorrection(t *testing.T) {
	s := minute(1)
	s.clients, s.movers, s.lasts = 1, 1, 5*time.Second
	const guid = firstPlayer
	standing := func(e *systems.Engine) (at space.Position, force uint16) {
		e.Inspect(guid, func(r *components.Row, _ *components.Pools) {
			at, force = r.Pose.Position, r.Stamps.Slot[wire.SlotForcePosition]
		})
		return at, force
	}
	corrected := false
	g := simulate(t, s, func(g *game, c *client) {
		if corrected || g.server.tick < 60 || c.body == nil {
			return
		}
		corrected = true
		at, _ := standing(g.server.engine)
		at.Frame.Origin[0] += 20
		at.Normalize()
		if err := g.server.engine.Command(systems.Command{Guid: guid, Do: systems.DoPosition, Place: at, Contact: true, Force: true}); err != nil {
			t.Fatal(err)
		}
	})
	server, force := standing(g.server.engine)
	client, taken := standing(g.clients[0].body)
	if d := space.Distance(&server, &client); force != 1 || taken != 1 || d > 2 {
		t.Errorf("stamps %d and %d, %v m apart", force, taken, d)
	}
}

// A client that sends actions of no possible length is one that is refused, and ends no game.
func TestActionsOfNoLength(t *testing.T) {
	s := minute(7)
	s.clients, s.movers, s.lasts, s.way = 1, 2, 3*time.Second, way{}
	bad := 0
	g := simulate(t, s, func(_ *game, c *client) {
		for _, n := range []int{4, 11, systems.MaxMessage + 1} {
			msg := make([]byte, n)
			binary.LittleEndian.PutUint32(msg, wire.ActMoveToState)
			if err := c.session.out.Messages(3, [][]byte{msg}, func(b []byte) { c.emit(c.lower, b, nil) }); err != nil {
				t.Fatal(err)
			}
			bad++
		}
	})
	if bad == 0 || g.server.refused < bad/2 {
		t.Errorf("%d of %d refused", g.server.refused, bad)
	}
}
