package scenario

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gait-engine/gait/space"
)

// object reads the fields of one JSON object. Each field is taken out as it is
// read, so that what is left at the end is unknown. The first thing wrong is
// kept in err and the rest reads as zero.
type object struct {
	where  string // for messages
	fields map[string]json.RawMessage
	err    error
}

// newObject splits raw into fields; a key that comes twice is refused, and
// keys are compared by case, which package json alone does not do.
func newObject(where string, raw []byte) *object {
	o := &object{where: where, fields: make(map[string]json.RawMessage)}
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		o.fail("not an object")
		return o
	}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			o.fail("%v", err)
			return o
		}
		key := t.(string) // the decoder lets nothing else through here
		if _, twice := o.fields[key]; twice {
			o.fail("%q is there twice", key)
			return o
		}
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			o.fail("%q: %v", key, err)
			return o
		}
		o.fields[key] = v
	}
	if _, err := d.Token(); err != nil {
		o.fail("%v", err)
		return o
	}
	if _, err := d.Token(); err != io.EOF {
		o.fail("something follows the end")
	}
	return o
}

func (o *object) fail(format string, a ...any) {
	if o.err == nil {
		o.err = fmt.Errorf("%w: %s: %s", ErrScenario, o.where, fmt.Sprintf(format, a...))
	}
}

// bad refuses the value of a field.
func (o *object) bad(key string, raw json.RawMessage, want string) {
	const most = 40
	s := string(raw)
	if len(s) > most {
		s = s[:most] + "…"
	}
	o.fail("%q is %s, not %s", key, s, want)
}

// need refuses an object without one of these fields.
func (o *object) need(keys ...string) {
	for _, k := range keys {
		if _, ok := o.fields[k]; !ok {
			o.fail("%q is missing", k)
		}
	}
}

// skip takes fields without reading them.
func (o *object) skip(keys ...string) {
	for _, k := range keys {
		delete(o.fields, k)
	}
}

// close refuses fields that nobody has read, and returns what was wrong.
func (o *object) close() error {
	if len(o.fields) > 0 && o.err == nil {
		unknown := make([]string, 0, len(o.fields))
		for k := range o.fields {
			unknown = append(unknown, k)
		}
		slices.Sort(unknown) // one message for one input
		o.fail("%q is not a key that belongs here", unknown[0])
	}
	return o.err
}

// has reports whether a key is there, without taking it.
func (o *object) has(key string) bool {
	_, ok := o.fields[key]
	return ok
}

func (o *object) take(key string) (json.RawMessage, bool) {
	raw, ok := o.fields[key]
	delete(o.fields, key)
	return raw, ok && o.err == nil
}

func (o *object) text(key string) string {
	raw, ok := o.take(key)
	if !ok {
		return ""
	}
	var s string
	if raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		o.bad(key, raw, "a string")
	}
	return s
}

func (o *object) boolean(key string, otherwise bool) bool {
	raw, ok := o.take(key)
	if !ok {
		return otherwise
	}
	switch string(raw) {
	case "true":
		return true
	case "false":
		return false
	}
	o.bad(key, raw, "true or false")
	return false
}

// integer reads a whole number between low and high, both included.
func (o *object) integer(key string, otherwise, low, high int64) int64 {
	raw, ok := o.take(key)
	if !ok {
		return otherwise
	}
	v, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil || v < low || v > high {
		o.bad(key, raw, fmt.Sprintf("a whole number from %d to %d", low, high))
		return otherwise
	}
	return v
}

// id reads "0x…".
func (o *object) id(key string, otherwise uint32) uint32 {
	raw, ok := o.take(key)
	if !ok {
		return otherwise
	}
	v, err := parseID(raw)
	if err != nil {
		o.bad(key, raw, wantID)
	}
	return v
}

func (o *object) float(key string, otherwise float32) float32 {
	raw, ok := o.take(key)
	if !ok {
		return otherwise
	}
	v, err := parseFloat(raw)
	if err != nil {
		o.bad(key, raw, wantFloat)
	}
	return v
}

// double reads a number at full precision.
func (o *object) double(key string) float64 {
	raw, ok := o.take(key)
	if !ok {
		return 0
	}
	v, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || !isNumber(raw) {
		o.bad(key, raw, "a number")
	}
	return v
}

// floats fills out from a list of just as many numbers.
func (o *object) floats(key string, out []float32) {
	raw, ok := o.take(key)
	if !ok {
		return
	}
	want := fmt.Sprintf("a list of %d numbers", len(out))
	items, ok := tuple(raw, len(out))
	if !ok {
		o.bad(key, raw, want)
		return
	}
	for i, item := range items {
		var err error
		if out[i], err = parseFloat(item); err != nil {
			o.bad(key, raw, want+" of 32 bits")
			return
		}
	}
}

func (o *object) vector(key string) space.Vec3 {
	var v space.Vec3
	o.floats(key, v[:])
	return v
}

// rotation reads [w, x, y, z].
func (o *object) rotation(key string) space.Quat {
	q := [4]float32{1, 0, 0, 0}
	o.floats(key, q[:])
	return space.Quat{W: q[0], V: space.Vec3{q[1], q[2], q[3]}}
}

// place reads cell, origin and, where one belongs, rotation.
func (o *object) place(rotated bool) space.Position {
	o.need("cell", "origin")
	p := space.Position{Cell: space.CellID(o.id("cell", 0))}
	p.Frame = space.Frame{Origin: o.vector("origin"), Rotation: space.IdentityQuat}
	if rotated {
		o.need("rotation")
		p.Frame.Rotation = o.rotation("rotation")
	}
	if o.err == nil && !p.Cell.IndexValid() {
		o.fail("there is no cell 0x%08X", uint32(p.Cell))
	}
	if o.err == nil && !p.Frame.Valid() {
		o.fail("the rotation is not of unit length")
	}
	return p
}

// bytes reads a string of hex digits, with or without 0x.
func (o *object) bytes(key string) []byte {
	raw := o.fields[key]
	b, err := hex.DecodeString(strings.TrimPrefix(o.text(key), "0x"))
	if err != nil {
		o.bad(key, raw, "pairs of hex digits")
	}
	return b
}

// each calls f with the items of a JSON array, of which there may be at most most.
func each(raw []byte, most int, f func(i int, item json.RawMessage) error) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return errors.New("not a list")
	}
	for i := 0; d.More(); i++ {
		if i == most {
			return fmt.Errorf("more than %d items", most)
		}
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			return err
		}
		if err := f(i, v); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}

// tuple splits a JSON array of exactly n items.
func tuple(raw []byte, n int) ([]json.RawMessage, bool) {
	items := make([]json.RawMessage, 0, n)
	err := each(raw, n, func(_ int, v json.RawMessage) error {
		items = append(items, v)
		return nil
	})
	return items, err == nil && len(items) == n
}

const (
	wantID    = `an id of up to 8 hex digits, "0x…"`
	wantFloat = "a number that fits 32 bits"
)

func parseID(raw []byte) (uint32, error) {
	digits, ok := bytes.CutPrefix(raw, []byte(`"0x`))
	digits, closed := bytes.CutSuffix(digits, []byte(`"`))
	if !ok || !closed || len(digits) > 8 {
		return 0, strconv.ErrSyntax
	}
	v, err := strconv.ParseUint(string(digits), 16, 32)
	return uint32(v), err
}

func parseFloat(raw []byte) (float32, error) {
	if !isNumber(raw) {
		return 0, strconv.ErrSyntax
	}
	v, err := strconv.ParseFloat(string(raw), 32)
	if err != nil || math.IsInf(v, 0) {
		return 0, strconv.ErrRange
	}
	return float32(v), nil
}

// isNumber tells a JSON number from every other JSON value.
func isNumber(raw []byte) bool { return raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9' }
