package transport

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// cut cuts a message into the fragments that senders make of it.
func cut(id uint64, queue uint16, m []byte) (parts []Fragment) {
	count := (len(m) + MaxFragmentPayload - 1) / MaxFragmentPayload
	for i := range count {
		parts = append(parts, Fragment{
			ID: id, Count: uint16(count), Index: uint16(i), Queue: queue,
			Payload: m[i*MaxFragmentPayload : min((i+1)*MaxFragmentPayload, len(m))],
		})
	}
	return parts
}

func message(seed byte, n int) []byte {
	m := make([]byte, n)
	for i := range m {
		m[i] = seed + byte(i*7) + byte(i>>8)
	}
	return m
}

// Shuffled, repeated and dropped pieces: complete exactly when all are there, never
// otherwise, and equal to the original (22 §12).
func TestReassembly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r Reassembly
		type entry struct{ message, piece int }
		var order []entry
		var messages [][]byte
		for k := range rapid.IntRange(1, 5).Draw(t, "messages") {
			m := message(byte(k), rapid.IntRange(1, 9*MaxFragmentPayload).Draw(t, "bytes"))
			messages = append(messages, m)
			for i := range cut(uint64(k), 10, m) {
				if !rapid.Bool().Draw(t, "dropped") || rapid.Bool().Draw(t, "not dropped") {
					for range rapid.IntRange(1, 2).Draw(t, "copies") {
						order = append(order, entry{k, i})
					}
				}
			}
		}
		order = rapid.Permutation(order).Draw(t, "order")
		have := make([]map[int]bool, len(messages))
		repeated := uint64(0)
		for n, e := range order {
			parts := cut(uint64(e.message), 10, messages[e.message])
			if have[e.message] == nil {
				have[e.message] = map[int]bool{}
			}
			if have[e.message][e.piece] {
				repeated++
			}
			have[e.message][e.piece] = true
			m, err := r.Add(parts[e.piece], 0, uint64(n+1))
			complete := len(have[e.message]) == len(parts)
			if err != nil || (m != nil) != complete || complete && !bytes.Equal(m, messages[e.message]) {
				t.Fatalf("piece %d of %d: %d bytes, %v", e.piece, len(parts), len(m), err)
			}
			if complete {
				have[e.message] = nil // the id begins anew
			}
		}
		left := 0
		for _, h := range have {
			if len(h) > 0 {
				left++
			}
		}
		open, _ := r.Open()
		if open != left || r.Counts.Repeated != repeated {
			t.Fatalf("%d open, %d repeated; want %d, %d", open, r.Counts.Repeated, left, repeated)
		}
		r.End(uint64(len(order)))
		if n, b := r.Open(); n != 0 || b != 0 || r.Counts.Head+r.Counts.Middle+r.Counts.Tail != uint64(left) {
			t.Fatalf("at the end %d open, %d bytes: %+v", n, b, r.Counts)
		}
	})
}

// What refuses a fragment refuses it alone (22 §5.2, §12).
func TestFragmentRefusals(t *testing.T) {
	full := make([]byte, MaxFragmentPayload)
	piece := func(count, index, queue uint16, payload []byte) Fragment {
		return Fragment{ID: 7, Count: count, Index: index, Queue: queue, Payload: payload}
	}
	other := bytes.Clone(full)
	other[100] = 1
	for _, c := range []struct {
		name string
		f    Fragment
		want error
	}{
		{"count 0", piece(0, 0, 10, full), ErrCount},
		{"index at count", piece(3, 3, 10, full), ErrCount},
		{"count above a MiB", piece(MaxCount+1, 0, 10, full), ErrCount},
		{"count changed", piece(4, 1, 10, full), ErrChanged},
		{"count changed to one", piece(1, 0, 10, full), ErrChanged},
		{"queue changed", piece(3, 1, 9, full), ErrChanged},
		{"short in the middle", piece(3, 1, 10, full[:447]), ErrMiddle},
		{"the same with other bytes", piece(3, 0, 10, other), ErrDiffers},
		{"the same", piece(3, 0, 10, full), nil},
	} {
		var r Reassembly
		if _, err := r.Add(piece(3, 0, 10, full), 0, 1); err != nil {
			t.Fatal(err)
		}
		_, before := r.Open()
		m, err := r.Add(c.f, 0, 2)
		_, after := r.Open()
		if m != nil || !errors.Is(err, c.want) || c.want == nil && err != nil || after != before {
			t.Errorf("%s: %d bytes, %v; %d bytes are open", c.name, len(m), err, after)
		}
		r.Add(piece(3, 2, 10, words(1)), 0, 3)
		if m, err = r.Add(piece(3, 1, 10, full), 0, 4); err != nil || len(m) != 2*MaxFragmentPayload+4 {
			t.Errorf("%s spoils the message: %d bytes, %v", c.name, len(m), err)
		}
	}
}

// Memory grows with pieces received, not with pieces declared, and has a bound (22 §5.3).
func TestOpenMessagesAreBounded(t *testing.T) {
	full := make([]byte, MaxFragmentPayload)
	var r Reassembly
	if _, err := r.Add(Fragment{ID: 1, Count: MaxCount, Payload: full}, 0, 1); err != nil {
		t.Fatal(err)
	}
	if _, b := r.Open(); b > 1024 {
		t.Errorf("one piece takes %d bytes", b)
	}
	for id := range uint64(10_000) {
		r.Add(Fragment{ID: 2 + id, Count: 2, Payload: full}, 0, 100+id)
		if n, _ := r.Open(); n > MaxOpen {
			t.Fatalf("%d are open", n)
		}
	}
	if r.Counts.Head != 1 || r.Counts.Middle != 10_000-MaxOpen {
		t.Errorf("%+v", r.Counts)
	}
	for id := range uint64(8) { // within the number, but too large
		for i := range uint16(MaxCount - 1) {
			r.Add(Fragment{ID: 1<<40 + id, Count: MaxCount, Index: i, Payload: full}, 0, 1<<20)
			if _, b := r.Open(); b > MaxOpenBytes {
				t.Fatalf("%d bytes are open", b)
			}
		}
	}
	r.Add(Fragment{ID: 1 << 50, Count: 2, Payload: full}, OpenFor+1, 1<<21)
	if n, _ := r.Open(); n != 1 {
		t.Errorf("%d messages outlived a minute", n-1)
	}
}

// The largest message there may be goes through.
func TestLargestMessage(t *testing.T) {
	m := message(3, MaxCount*MaxFragmentPayload)
	parts := cut(9, 5, m)
	slices.Reverse(parts)
	var r Reassembly
	var got []byte
	for i, f := range parts {
		w, err := r.Add(f, 0, uint64(i))
		if err != nil {
			t.Fatal(err)
		}
		got = w
	}
	if !bytes.Equal(got, m) {
		t.Error("it is another")
	}
}

// Messages that were cut by an end of the capture, and those lost in between (22 §5.3).
func TestHeadTailMiddle(t *testing.T) {
	full := make([]byte, MaxFragmentPayload)
	var r Reassembly
	for id, at := range []uint64{64, 65, 900, 936, 937, 1000} {
		r.Add(Fragment{ID: uint64(id), Count: 2, Payload: full}, 0, at)
	}
	r.End(1000)
	if c := r.Counts; c.Head != 1 || c.Middle != 3 || c.Tail != 2 {
		t.Errorf("%+v", c)
	}
}

// What is open for more than a minute is lost in between, wherever it began (22 §5.3).
func TestSpec22_5_3_OpenForTooLong(t *testing.T) {
	full := make([]byte, MaxFragmentPayload)
	var r Reassembly
	r.Add(Fragment{ID: 1, Count: 2, Payload: full}, 0, 1)
	r.Add(Fragment{ID: 2, Count: 2, Payload: full}, OpenFor, 2)
	if n, _ := r.Open(); n != 2 {
		t.Errorf("%d are open after a minute", n)
	}
	r.Add(Fragment{ID: 3, Count: 2, Payload: full}, OpenFor+1, 3)
	if c := r.Counts; c.Head != 0 || c.Middle != 1 {
		t.Errorf("%+v", c)
	}
	r.End(1000)
	if c := r.Counts; c.Head != 2 || c.Middle != 1 {
		t.Errorf("%+v", c)
	}
}
