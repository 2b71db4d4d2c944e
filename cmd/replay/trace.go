package main

import (
	"fmt"
	"io"

	"github.com/gait-engine/gait/bench/scenario"
	"github.com/gait-engine/gait/replay"
	"github.com/gait-engine/gait/wire/transport"
)

// tracer prints the lines of one remote, as one client sees it.
type tracer struct {
	guid   uint32
	of     int // the connection, 0 until one has the remote
	lines  int
	others map[int]struct{} // connections that have it too
	swept  bool
	out    io.Writer
	err    error
}

// look prints the line of a tick.
func (t *tracer) look(_ *transport.Connection, v *replay.View) {
	if t.err != nil || !v.Has(t.guid) {
		return
	}
	if t.of == 0 {
		t.of = v.Connection()
	}
	if t.of != v.Connection() {
		t.others[v.Connection()] = struct{}{}
		return
	}
	t.lines++
	t.err = scenario.TraceLine(t.out, v.Engine(), t.guid, t.swept)
}

// end says what was traced, where that may be in doubt.
func (t *tracer) end(w io.Writer) error {
	switch {
	case t.err != nil:
		return t.err
	case t.lines == 0 && t.of == 0:
		return fmt.Errorf("0x%08X was never there", t.guid)
	case t.lines == 0:
		return fmt.Errorf("0x%08X was never there in connection %d; %d others had it", t.guid, t.of, len(t.others))
	case len(t.others) > 0:
		fmt.Fprintf(w, "replay: this is 0x%08X of connection %d; %d others have it too, -connection chooses\n", t.guid, t.of, len(t.others))
	}
	return nil
}
