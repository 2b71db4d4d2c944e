package dat

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/gait-engine/gait/space"
)

// cursor reads a record field by field. The first fault stays; after it every
// read gives zero, so that decoders check once per list and at the end.
type cursor struct {
	b   []byte
	at  int
	id  uint32 // of the record, for the refusal
	err *Error
}

// open checks that a record begins with an id of the wanted kind (spec 21 §1, §3).
func open(b []byte, k Kind) *cursor {
	c := &cursor{b: b}
	id := c.u32()
	if c.err == nil && KindOf(k.dataSet(), id) != k {
		c.failAt(0, ErrID, "0x%08X is not the id of a %s", id, k)
	}
	c.id = id
	if c.err != nil {
		c.err.Record = id
	}
	return c
}

func (c *cursor) failAt(at int, kind error, format string, a ...any) {
	if c.err == nil {
		c.err = &Error{Record: c.id, Offset: int64(at), InRecord: true, Kind: kind, Reason: fmt.Sprintf(format, a...)}
	}
}

func (c *cursor) left() int { return len(c.b) - c.at }

// take returns the next n bytes, nil when there are fewer.
func (c *cursor) take(n int) []byte {
	if c.err != nil {
		return nil
	}
	if c.left() < n {
		c.failAt(c.at, ErrTruncated, "%d bytes wanted, %d left", n, c.left())
		return nil
	}
	c.at += n
	return c.b[c.at-n : c.at]
}

func (c *cursor) u8() uint8 {
	if b := c.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (c *cursor) u16() uint16 {
	if b := c.take(2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

func (c *cursor) i16() int16 { return int16(c.u16()) }

func (c *cursor) u32() uint32 {
	if b := c.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (c *cursor) i32() int32 { return int32(c.u32()) }

// f32 reads a float and refuses NaN and infinities (spec 21 §11).
func (c *cursor) f32() float32 {
	v := math.Float32frombits(c.u32())
	if !space.Finite(v) {
		c.failAt(c.at-4, ErrFloat, "%v", v)
		return 0
	}
	return v
}

func (c *cursor) vec3() space.Vec3 { return space.Vec3{c.f32(), c.f32(), c.f32()} }

// frame reads an origin and a rotation, which is kept as stored (spec 21 §1, §11).
func (c *cursor) frame() space.Frame {
	o := c.vec3()
	return space.Frame{Origin: o, Rotation: space.Quat{W: c.f32(), V: c.vec3()}}
}

func (c *cursor) plane() Plane { return Plane{c.vec3(), c.f32()} }

func (c *cursor) sphere() Sphere { return Sphere{c.vec3(), c.f32()} }

// count reads a count of elements that take at least size bytes each.
func (c *cursor) count(what string, size uint64) int {
	n := c.u32()
	return c.fits(c.at-4, what, uint64(n), size)
}

// shorts reads a 16-bit count and as many 16-bit numbers.
func (c *cursor) shorts(what string) []uint16 {
	n := c.u16()
	return list(c, c.fits(c.at-2, what, uint64(n), 2), (*cursor).u16)
}

// cuint reads a compressed count of elements that take at least size bytes
// each, in whatever form it is stored (spec 21 §1).
func (c *cursor) cuint(what string, size uint64) int {
	at := c.at
	n := uint64(c.u8())
	if n >= 0x80 {
		long := n&0x40 != 0
		n = n&0x3F<<8 | uint64(c.u8())
		if long {
			n = n<<16 | uint64(c.u16())
		}
	}
	return c.fits(at, what, n, size)
}

// Pad is what a record holds between a field and the next multiple of four
// bytes; only as many bytes as it takes are there. It is kept so that the record
// encodes to its own bytes.
type Pad [3]byte

// align4 reads up to the next multiple of four bytes.
func (c *cursor) align4() (p Pad) {
	copy(p[:], c.take(-c.at&3))
	return p
}

// fits checks a count against what is left, before anything is allocated (spec 21 §11).
func (c *cursor) fits(at int, what string, n, size uint64) int {
	if c.err == nil && n > 0 && n > uint64(c.left())/size {
		c.failAt(at, ErrTruncated, "%d %s of at least %d bytes, %d left", n, what, size, c.left())
	}
	if c.err != nil {
		return 0
	}
	return int(n)
}

// end asserts that the record is used up.
func (c *cursor) end() error {
	if c.err == nil && c.left() > 0 {
		c.failAt(c.at, ErrTrailing, "%d bytes", c.left())
	}
	if c.err != nil {
		return c.err
	}
	return nil
}

// list reads n elements, n having been checked; nil when there are none.
func list[T any](c *cursor, n int, read func(*cursor) T) []T {
	if n == 0 {
		return nil
	}
	s := make([]T, n)
	for i := range s {
		if c.err != nil {
			return nil
		}
		s[i] = read(c)
	}
	return s
}

// writer builds a record. Like the cursor it keeps the first fault.
type writer struct {
	b   []byte
	id  uint32
	err *Error
}

// begin starts a record with its id.
func begin(id uint32, k Kind) *writer {
	w := &writer{id: id}
	if KindOf(k.dataSet(), id) != k {
		w.fail(ErrID, "0x%08X is not the id of a %s", id, k)
	}
	w.u32(id)
	return w
}

func (w *writer) fail(kind error, format string, a ...any) {
	if w.err == nil {
		w.err = recordError(w.id, kind, format, a...)
	}
}

func (w *writer) u16(v uint16) { w.b = binary.LittleEndian.AppendUint16(w.b, v) }

func (w *writer) u32(v uint32) { w.b = binary.LittleEndian.AppendUint32(w.b, v) }

func (w *writer) f32(v float32) {
	if !space.Finite(v) {
		w.fail(ErrFloat, "%v", v)
	}
	w.u32(math.Float32bits(v))
}

func (w *writer) vec3(v space.Vec3) {
	w.f32(v[0])
	w.f32(v[1])
	w.f32(v[2])
}

func (w *writer) frame(f space.Frame) {
	w.vec3(f.Origin)
	w.f32(f.Rotation.W)
	w.vec3(f.Rotation.V)
}

func (w *writer) plane(p Plane) {
	w.vec3(p.Normal)
	w.f32(p.D)
}

func (w *writer) sphere(s Sphere) {
	w.vec3(s.Centre)
	w.f32(s.Radius)
}

// count writes the length of a list.
func (w *writer) count(n int) {
	if uint64(n) > math.MaxUint32 {
		w.fail(ErrLimit, "a list of %d", n)
	}
	w.u32(uint32(n))
}

// cuint writes the length of a list, compressed, in the shortest form (spec 21 §1).
func (w *writer) cuint(n int) {
	switch {
	case n < 0x80:
		w.b = append(w.b, byte(n))
	case n < 0x4000:
		w.b = append(w.b, 0x80|byte(n>>8), byte(n))
	case n < 0x40000000:
		w.b = append(w.b, 0xC0|byte(n>>24), byte(n>>16))
		w.u16(uint16(n))
	default:
		w.fail(ErrLimit, "a list of %d", n)
	}
}

// short writes the length of a list that may hold up to most elements, as a number of that size.
func (w *writer) short(what string, n int, most uint16) {
	if n > int(most) {
		w.fail(ErrLimit, "%d %s, at most %d", n, what, most)
	}
	if most == math.MaxUint8 {
		w.b = append(w.b, byte(n))
		return
	}
	w.u16(uint16(n))
}

func (w *writer) shorts(s []uint16) {
	for _, v := range s {
		w.u16(v)
	}
}

// align4 writes as much of p as there is room for.
func (w *writer) align4(p Pad) {
	n := -len(w.b) & 3
	for _, b := range p[n:] {
		if b != 0 {
			w.fail(ErrShape, "padding % X, there is room for %d bytes", p, n)
		}
	}
	w.b = append(w.b, p[:n]...)
}

func (w *writer) done() ([]byte, error) {
	if w.err != nil {
		return nil, w.err
	}
	return w.b, nil
}
