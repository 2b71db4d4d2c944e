package scenario

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
)

// ErrTrace refuses a file that is not a trace.
var ErrTrace = errors.New("scenario: bad trace")

// The tolerance of the format: |a−b| ≤ AbsTolerance + RelTolerance·max(|a|,|b|).
const (
	AbsTolerance = 1e-3
	RelTolerance = 1e-4
)

// MaxLine is the longest line of a trace, in bytes.
const MaxLine = 16 << 20

// Difference is one field of one line that differs, or with Field "line" a
// line that only one of the traces has.
type Difference struct {
	Tick     int
	Guid     uint32
	Field    string
	Ours     string // as JSON; "" when it is missing
	Expected string
}

// String returns the difference as one line.
func (d Difference) String() string {
	return fmt.Sprintf("tick %d 0x%08X %s: %s, expected %s", d.Tick, d.Guid, d.Field, cmp.Or(d.Ours, "nothing"), cmp.Or(d.Expected, "nothing"))
}

// Compare reads two traces, JSON Lines, plain or gzip, and returns what
// differs, by tick, guid and field.
func Compare(ours, expected io.Reader) ([]Difference, error) {
	a, err := readTrace(ours)
	if err != nil {
		return nil, fmt.Errorf("%w: ours: %w", ErrTrace, err)
	}
	b, err := readTrace(expected)
	if err != nil {
		return nil, fmt.Errorf("%w: expected: %w", ErrTrace, err)
	}
	keys := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.SortFunc(keys, func(x, y lineKey) int {
		return cmp.Or(cmp.Compare(x.tick, y.tick), cmp.Compare(x.guid, y.guid))
	})
	var out []Difference
	for _, k := range slices.Compact(keys) {
		x, haveX := a[k]
		y, haveY := b[k]
		if !haveX || !haveY {
			out = append(out, Difference{k.tick, k.guid, "line", there(haveX), there(haveY)})
			continue
		}
		fields := slices.AppendSeq(slices.Collect(maps.Keys(x)), maps.Keys(y))
		slices.Sort(fields)
		for _, f := range slices.Compact(fields) {
			v, haveV := x[f]
			w, haveW := y[f]
			if haveV != haveW || !same(f, v, w) {
				out = append(out, Difference{k.tick, k.guid, f, text(v, haveV), text(w, haveW)})
			}
		}
	}
	return out, nil
}

func there(have bool) string {
	if have {
		return "a line"
	}
	return ""
}

func text(v any, have bool) string {
	if !have {
		return ""
	}
	b, _ := json.Marshal(v) // it came out of JSON
	return string(b)
}

type lineKey struct {
	tick int
	guid uint32
}

func readTrace(r io.Reader) (map[lineKey]map[string]any, error) {
	b := bufio.NewReader(r)
	if head, _ := b.Peek(2); bytes.Equal(head, []byte{0x1F, 0x8B}) {
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, err
		}
		r = z
	} else {
		r = b
	}
	lines := make(map[lineKey]map[string]any)
	scan := bufio.NewScanner(r)
	scan.Buffer(nil, MaxLine)
	for n := 1; scan.Scan(); n++ {
		if len(bytes.TrimSpace(scan.Bytes())) == 0 {
			continue
		}
		var line map[string]any
		if err := json.Unmarshal(scan.Bytes(), &line); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		tick, isTick := line["tick"].(float64)
		id, isID := value(line["guid"]).(hexID)
		if !isTick || !isID || !(math.Abs(tick) <= MaxTicks) || tick != math.Trunc(tick) || id > math.MaxUint32 {
			return nil, fmt.Errorf("line %d: no tick and guid", n)
		}
		k := lineKey{int(tick), uint32(id)}
		if _, twice := lines[k]; twice {
			return nil, fmt.Errorf("line %d: a second line of tick %d, guid 0x%08X", n, k.tick, k.guid)
		}
		lines[k] = line
	}
	return lines, scan.Err()
}

// same compares one field by its rule.
func same(field string, a, b any) bool {
	switch field {
	case "rotation":
		return alike(a, b, closeTo) || alike(a, negated(b), closeTo)
	case "tick", "first_cyclic", "anim_counter", "queue", "fail", "moving_to", "pending_motions", "pending_anims", "hooks":
		return alike(a, b, exactly)
	case "list":
		return alikeNodes(a, b)
	}
	return alike(a, b, closeTo)
}

// alikeNodes compares animation lists: of [id, framerate, low, high] only the framerate has a tolerance.
func alikeNodes(a, b any) bool {
	x, ok := a.([]any)
	y, ok2 := b.([]any)
	if !ok || !ok2 {
		return alike(a, b, exactly)
	}
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		v, ok := x[i].([]any)
		w, ok2 := y[i].([]any)
		if !ok || !ok2 { // no node of ours, but like itself all the same
			if !alike(x[i], y[i], exactly) {
				return false
			}
			continue
		}
		if len(v) != len(w) {
			return false
		}
		for k := range v {
			numbers := exactly
			if k == 1 {
				numbers = closeTo
			}
			if !alike(v[k], w[k], numbers) {
				return false
			}
		}
	}
	return true
}

// alike compares lists item by item, numbers by the given rule, and ids by value.
func alike(a, b any, numbers func(a, b float64) bool) bool {
	switch x := value(a).(type) {
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !alike(x[i], y[i], numbers) {
				return false
			}
		}
		return true
	case float64:
		y, ok := b.(float64)
		return ok && numbers(x, y)
	case hexID, string, bool, nil:
		return x == value(b)
	}
	return reflect.DeepEqual(a, b) // objects: a trace has none inside a line
}

func closeTo(a, b float64) bool {
	return math.Abs(a-b) <= AbsTolerance+RelTolerance*max(math.Abs(a), math.Abs(b))
}

func exactly(a, b float64) bool { return a == b }

func negated(v any) any {
	list, ok := v.([]any)
	if !ok {
		return v
	}
	out := slices.Clone(list)
	for i := range out {
		if x, ok := out[i].(float64); ok {
			out[i] = -x
		}
	}
	return out
}

// hexID is an id by value: "0x0" is "0x00000000".
type hexID uint64

// value turns hex ids into numbers and leaves everything else.
func value(v any) any {
	if s, ok := v.(string); ok && len(s) > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') {
		if n, err := strconv.ParseUint(s[2:], 16, 64); err == nil {
			return hexID(n)
		}
	}
	return v
}
