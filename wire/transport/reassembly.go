package transport

import (
	"bytes"
	"container/list"
	"slices"
)

// The bounds on messages that are not complete (22 §5.3).
const (
	MaxMessage     = 1 << 20                         // bytes declared
	MaxCount       = MaxMessage / MaxFragmentPayload // 2340 pieces
	MaxOpen        = 256                             // messages of a direction
	MaxOpenBytes   = 4 << 20                         // of their pieces
	MaxReaderBytes = 64 << 20                        // of a [Reader]'s
	OpenFor        = 60 * 1_000_000_000              // ns of capture time
	edge           = 64                              // datagrams: what is cut at an end of a capture
	keepWhole      = 64 << 10                        // bytes: room for larger messages is not kept
	pieceBytes     = 64                              // what a piece takes beside its payload
)

// Reassembly puts the messages of one direction of one connection together
// (22 §5.2). Its memory grows with the pieces received, never with what they
// declare. The zero Reassembly is ready.
type Reassembly struct {
	Counts FragmentCounts

	open   []*opened // oldest first
	bytes  int
	whole  []byte
	shared *allOpen // nil without a reader
}

// allOpen are the messages of all directions of a reader of which pieces are missing.
type allOpen struct {
	bytes  int
	oldest list.List // of *opened, that one first
}

// FragmentCounts are the tallies of a direction's fragments.
type FragmentCounts struct {
	Fragments uint64            `json:"fragments"`
	Repeated  uint64            `json:"repeated"` // the same piece again
	Refused   [kindCount]uint64 `json:"-"`        // by Kind
	// Messages that never were complete: begun within the first 64 datagrams of the
	// direction, with a piece in the last 64, or lost in between, as is what was open
	// for more than a minute (22 §5.3).
	Head   uint64 `json:"head"`
	Tail   uint64 `json:"tail"`
	Middle uint64 `json:"middle"`
}

// opened is a message of which pieces are missing.
type opened struct {
	id           uint64
	count, queue uint16
	pieces       []piece // by index
	bytes        int
	began        int64  // ns
	first, last  uint64 // numbers of the datagrams of its first and last pieces
	of           *Reassembly
	place        *list.Element // among those of its reader
}

type piece struct {
	index uint16
	data  []byte
}

// Add takes a fragment that arrived at a time, in ns, in the datagram of a number
// from 1. It returns the message that the fragment completes, else nil; the bytes
// are good until the next Add, or as long as the fragment's. A fragment against
// the rules changes nothing and is a [Kind].
func (r *Reassembly) Add(f Fragment, at int64, datagram uint64) (message []byte, err error) {
	r.Counts.Fragments++
	message, kind := r.add(f, at, datagram)
	if kind != 0 {
		r.Counts.Refused[kind]++
		return nil, kind
	}
	return message, nil
}

func (r *Reassembly) add(f Fragment, at int64, datagram uint64) ([]byte, Kind) {
	if f.Count == 0 || f.Index >= f.Count || f.Count > MaxCount {
		return nil, ErrCount
	}
	r.expire(at)
	n := slices.IndexFunc(r.open, func(o *opened) bool { return o.id == f.ID })
	if n >= 0 && (r.open[n].count != f.Count || r.open[n].queue != f.Queue) {
		return nil, ErrChanged
	}
	if f.Index+1 < f.Count && len(f.Payload) != MaxFragmentPayload {
		return nil, ErrMiddle
	}
	if f.Count == 1 {
		return f.Payload[:len(f.Payload):len(f.Payload)], 0
	}
	var o *opened
	if n >= 0 {
		o = r.open[n]
	} else {
		o = &opened{id: f.ID, count: f.Count, queue: f.Queue, began: at, first: datagram, of: r}
	}
	i, known := slices.BinarySearchFunc(o.pieces, f.Index, func(p piece, index uint16) int { return int(p.index) - int(index) })
	if known {
		if !bytes.Equal(o.pieces[i].data, f.Payload) {
			return nil, ErrDiffers
		}
		r.Counts.Repeated++
		o.last = datagram
		return nil, 0
	}
	if n < 0 {
		if len(r.open) == MaxOpen {
			r.lose(0)
		}
		r.open = append(r.open, o)
		if r.shared != nil {
			o.place = r.shared.oldest.PushBack(o)
		}
	}
	o.last = datagram
	if len(o.pieces)+1 == int(o.count) {
		o.pieces = slices.Insert(o.pieces, i, piece{f.Index, f.Payload})
		whole := r.whole[:0]
		for k := range o.pieces {
			whole = append(whole, o.pieces[k].data...)
		}
		if cap(whole) <= keepWhole {
			r.whole = whole
		}
		r.close(slices.Index(r.open, o))
		return whole, 0
	}
	o.pieces = slices.Insert(o.pieces, i, piece{f.Index, bytes.Clone(f.Payload)})
	r.take(o, pieceBytes+len(f.Payload))
	for r.bytes > MaxOpenBytes {
		r.lose(0)
	}
	for r.shared != nil && r.shared.bytes > MaxReaderBytes {
		r.shared.oldest.Front().Value.(*opened).of.lose(0) // the oldest of all is the oldest of its direction
	}
	return nil, 0
}

func (r *Reassembly) take(o *opened, n int) {
	o.bytes += n
	r.bytes += n
	if r.shared != nil {
		r.shared.bytes += n
	}
}

// expire drops what has been open for too long: that was lost in between, wherever it
// began (22 §5.3).
func (r *Reassembly) expire(at int64) {
	for len(r.open) > 0 && at-r.open[0].began > OpenFor {
		r.Counts.Middle++
		r.close(0)
	}
}

// lose drops an open message, for a bound's sake.
func (r *Reassembly) lose(i int) {
	if r.open[i].first <= edge {
		r.Counts.Head++
	} else {
		r.Counts.Middle++
	}
	r.close(i)
}

func (r *Reassembly) close(i int) {
	o := r.open[i]
	r.take(o, -o.bytes)
	if r.shared != nil {
		r.shared.oldest.Remove(o.place)
	}
	r.open = slices.Delete(r.open, i, i+1)
}

// Open returns how many messages wait for pieces, and the bytes they take.
func (r *Reassembly) Open() (messages, bytes int) { return len(r.open), r.bytes }

// End drops what is open at the end of a direction of so many datagrams.
func (r *Reassembly) End(datagrams uint64) {
	for len(r.open) > 0 {
		if o := r.open[0]; o.first > edge && datagrams-o.last < edge {
			r.Counts.Tail++
			r.close(0)
			continue
		}
		r.lose(0)
	}
}
