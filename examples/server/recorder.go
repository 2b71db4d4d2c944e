package main

import (
	"cmp"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/gait-engine/gait/capture"
	"github.com/gait-engine/gait/wire/transport"
)

// recorder writes what all clients see into one capture, in order of time: a
// datagram waits until no client can come with an earlier one.
type recorder struct {
	mu      sync.Mutex
	w       *capture.Writer
	waiting []transport.Datagram
	seen    []int64 // by client: all before this has been handed over
	written int64
	err     error
}

func newRecorder(w io.Writer, began time.Time, clients int) (*recorder, error) {
	out, err := capture.NewWriter(w, began)
	return &recorder{w: out, seen: make([]int64, clients)}, err
}

// add takes a client's datagrams, with which all before a time is there.
func (r *recorder) add(client int, before int64, datagrams []transport.Datagram) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting = append(r.waiting, datagrams...)
	r.seen[client] = before
	if all := slices.Min(r.seen); all-r.written > 1e9 {
		r.write(all)
	}
}

func (r *recorder) write(before int64) {
	slices.SortStableFunc(r.waiting, func(a, b transport.Datagram) int { return cmp.Compare(a.At, b.At) })
	n := 0
	for ; n < len(r.waiting) && r.waiting[n].At < before && r.err == nil; n++ {
		r.err = r.w.Write(&r.waiting[n])
	}
	r.waiting, r.written = slices.Delete(r.waiting, 0, n), before
}

// close writes the rest.
func (r *recorder) close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.write(1 << 62)
	if r.err != nil {
		return r.err
	}
	return r.w.Flush()
}
