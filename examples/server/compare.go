package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/gait-engine/gait/replay"
	"github.com/gait-engine/gait/wire/transport"
)

// replayed is what a replay of one client's part of the capture came to.
type replayed struct {
	connection *replay.Connection // nil: the capture has none of his
	ticks      int                // that were compared
	differs    int64              // the first one in which the states differ, 0 none
	live, got  uint64             // the states then
}

// replay plays the capture, and holds it against the clients' states after every
// tick; by client (22 §11).
func (g *game) replay() ([]replayed, error) {
	all, byPort := make([]replayed, len(g.clients)), map[uint16]int{}
	for i, c := range g.clients {
		byPort[c.line.address().Port()] = i
	}
	connections := map[int]int{} // to clients
	r, err := replay.Run([]string{g.setup.pcap}, replay.Options{
		ViewOptions: replay.ViewOptions{Tables: g.setup.tables, Land: g.setup.ground.Land, TicksPerSecond: g.setup.hz, Own: replay.AsRemote},
		MaxViews:    len(g.clients),
		AfterTick: func(conn *transport.Connection, v *replay.View) {
			i, ok := byPort[conn.Client.Port()]
			if !ok {
				return
			}
			connections[conn.ID] = i
			is, tick := &all[i], v.Tick()
			if tick > int64(len(g.clients[i].hashes)) {
				return // the last one, which the client did not come to
			}
			is.ticks++
			if live, got := g.clients[i].hashes[tick-1], v.Engine().Hash(); live != got && is.differs == 0 {
				is.differs, is.live, is.got = tick, live, got
			}
		},
	})
	if err != nil {
		return nil, err
	}
	for k := range r.Connections {
		if i, ok := connections[r.Connections[k].ID]; ok {
			all[i].connection = &r.Connections[k]
		}
	}
	return all, r.Unread()
}

// errDiffers says that the capture does not tell what the clients saw.
var errDiffers = errors.New("a replay of the capture came to another state than a client")

// compare writes what the replay came to.
func (g *game) compare(w io.Writer) error {
	all, err := g.replay()
	if err != nil {
		return err
	}
	for i := range all {
		is, ran := &all[i], len(g.clients[i].hashes)
		switch {
		case ran == 0:
			fmt.Fprintf(w, "client %d: it had not come in when all ended\n", i)
		case is.differs > 0:
			fmt.Fprintf(w, "client %d: tick %d differs: state %016x, replayed %016x\n", i, is.differs, is.live, is.got)
			err = errDiffers
		case is.ticks < ran-int(g.setup.hz):
			fmt.Fprintf(w, "client %d: the capture ends after %d of its %d ticks\n", i, is.ticks, ran)
			err = errDiffers
		default:
			fmt.Fprintf(w, "client %d: %d ticks equal\n", i, is.ticks)
		}
	}
	return err
}
