package capture

import (
	"slices"
	"time"
)

// The bounds on IP fragments that wait for others (22 §9.3).
const (
	maxTrains    = 256
	trainSeconds = 30 * int64(time.Second)
	maxTrain     = 65_535 // bytes
)

// train names the pieces of one IP datagram; the protocol is UDP's.
type train struct {
	src, dst [4]byte
	id       uint16
}

// opened is a datagram of which pieces are missing.
type opened struct {
	name   train
	began  int64 // ns
	pieces []piece
	total  int // bytes, 0 until the last piece has come
}

type piece struct {
	at   int
	data []byte
}

// trains puts IP fragments together.
type trains struct{ open []*opened } // oldest first

// add takes a piece and returns the whole, if that is the last of them.
func (t *trains) add(name train, at int, more bool, data []byte, now int64, c *Counts) []byte {
	for len(t.open) > 0 && now-t.open[0].began > trainSeconds {
		t.lose(0, c)
	}
	i := slices.IndexFunc(t.open, func(o *opened) bool { return o.name == name })
	if i < 0 {
		if len(t.open) == maxTrains {
			t.lose(0, c)
		}
		i = len(t.open)
		t.open = append(t.open, &opened{name: name, began: now})
	}
	o := t.open[i]
	end := at + len(data)
	k, _ := slices.BinarySearchFunc(o.pieces, at, func(p piece, at int) int { return p.at - at })
	overlaps := k > 0 && o.pieces[k-1].at+len(o.pieces[k-1].data) > at ||
		k < len(o.pieces) && o.pieces[k].at < max(end, at+1) || o.total != 0 && (end > o.total || !more)
	o.pieces = slices.Insert(o.pieces, k, piece{at, slices.Clone(data)})
	if overlaps || end > maxTrain || len(data) == 0 {
		t.lose(i, c)
		return nil
	}
	if !more {
		o.total = end
		if last := o.pieces[len(o.pieces)-1]; last.at+len(last.data) > end {
			t.lose(i, c)
			return nil
		}
	}
	next := 0
	for _, p := range o.pieces {
		if p.at != next {
			return nil
		}
		next += len(p.data)
	}
	if o.total == 0 || next != o.total {
		return nil
	}
	whole := make([]byte, 0, next)
	for _, p := range o.pieces {
		whole = append(whole, p.data...)
	}
	c.Pieces += uint64(len(o.pieces) - 1) // the last one counts as what comes of it
	t.open = slices.Delete(t.open, i, i+1)
	return whole
}

func (t *trains) lose(i int, c *Counts) {
	c.Lost += uint64(len(t.open[i].pieces))
	t.open = slices.Delete(t.open, i, i+1)
}

func (t *trains) end(c *Counts) {
	for len(t.open) > 0 {
		t.lose(0, c)
	}
}
