package dat

import (
	"encoding/binary"
	"math"
)

// Iterations is the record 0xFFFF0001: which patches went into a file (spec 21 §2.5).
type Iterations struct {
	Total int32
	Runs  []IterationRun
}

// IterationRun is Count consecutive iterations from First on. Count 0 is a
// single one, stored as its bare number, which is not negative.
type IterationRun struct{ First, Count int32 }

// DecodeIterations reads the iteration record; encoding gives the same bytes.
func DecodeIterations(b []byte) (*Iterations, error) {
	bad := func(at int, format string, a ...any) (*Iterations, error) {
		e := recordError(IterationID, ErrIteration, format, a...)
		e.Offset, e.InRecord = int64(at), true
		return nil, e
	}
	if len(b) < 4 || len(b)%4 != 0 {
		return bad(0, "%d bytes are no list of numbers", len(b))
	}
	word := func(at int) int32 { return int32(binary.LittleEndian.Uint32(b[at:])) }
	it := &Iterations{Total: word(0)}
	for at := 4; at < len(b); at += 4 {
		v := word(at)
		if v >= 0 {
			it.Runs = append(it.Runs, IterationRun{First: v})
			continue
		}
		if v == math.MinInt32 {
			return bad(at, "a run of %d", v)
		}
		if at+8 > len(b) {
			return bad(at, "a run of %d without its first", -v)
		}
		at += 4
		it.Runs = append(it.Runs, IterationRun{First: word(at), Count: -v})
	}
	return it, nil
}

// EncodeIterations writes the iteration record.
func EncodeIterations(it *Iterations) ([]byte, error) {
	b := binary.LittleEndian.AppendUint32(nil, uint32(it.Total))
	for i, r := range it.Runs {
		switch {
		case r.Count < 0 || r.Count == 0 && r.First < 0:
			return nil, recordError(IterationID, ErrIteration, "run %d is %d from %d", i, r.Count, r.First)
		case r.Count > 0:
			b = binary.LittleEndian.AppendUint32(b, uint32(-r.Count))
		}
		b = binary.LittleEndian.AppendUint32(b, uint32(r.First))
	}
	return b, nil
}
