package ecs

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"sync"
	"unsafe"
)

// A Layout is how a flat struct is written: field by field, little-endian, on
// every machine, found from the type itself. Padding is not written, nor a slice:
// whoever has one writes it himself. Rows are written a field at a time, all rows'
// first field first: equal values then lie together, and a field that has the same
// value in all rows is written once.
type Layout struct {
	fields []field
	size   uintptr
	sum    uint64
}

// field is a number in a flat struct.
type field struct {
	at    uint32 // bytes from the beginning
	width uint8
	kind  fieldKind
}

type fieldKind uint8

const (
	integer fieldKind = iota
	truth             // 0 or 1
	real              // neither NaN nor infinite
)

// ErrValue refuses bytes that are no value of their field: a truth that is
// neither 0 nor 1, a number that is not finite, or fewer bytes than there are rows.
var ErrValue = errors.New("ecs: not a value")

var layouts sync.Map // of reflect.Type: *Layout

// LayoutOf returns the layout of T. It panics where T holds a pointer.
func LayoutOf[T any]() *Layout {
	t := reflect.TypeFor[T]()
	if l, ok := layouts.Load(t); ok {
		return l.(*Layout)
	}
	l := &Layout{size: t.Size()}
	var h Hash
	l.add(t, 0, &h)
	l.sum = h.Sum()
	layouts.Store(t, l)
	return l
}

// Sum is a digest of the names, types and places of all fields: what is written
// under one cannot be read under another.
func (l *Layout) Sum() uint64 { return l.sum }

func (l *Layout) add(t reflect.Type, at uintptr, h *Hash) {
	h.Bytes([]byte(t.Kind().String()))
	h.U64(uint64(at))
	put := func(width uint8, kind fieldKind) { l.fields = append(l.fields, field{uint32(at), width, kind}) }
	switch t.Kind() {
	case reflect.Bool:
		put(1, truth)
	case reflect.Float32, reflect.Float64:
		put(uint8(t.Size()), real)
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		put(uint8(t.Size()), integer)
	case reflect.Array:
		h.U64(uint64(t.Len()))
		for i := range t.Len() {
			l.add(t.Elem(), at+uintptr(i)*t.Elem().Size(), h)
		}
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			h.Bytes([]byte(f.Name))
			l.add(f.Type, at+f.Offset, h)
		}
	case reflect.Slice:
	default:
		panic(fmt.Sprintf("ecs: a %v cannot be written field by field.", t))
	}
}

// MostBytes is the most that so many rows take.
func (l *Layout) MostBytes(rows int) int { return rows*int(l.size) + len(l.fields) }

// What stands before a field of several rows.
const (
	sameInAll byte = iota // one value
	oneEach
)

// AppendRows writes rows.
func AppendRows[T any](dst []byte, rows []T) []byte {
	if len(rows) == 0 {
		return dst
	}
	l := LayoutOf[T]()
	base := unsafe.Pointer(unsafe.SliceData(rows))
	for _, f := range l.fields {
		first := unsafe.Add(base, f.at)
		switch f.width {
		case 1:
			dst = appendField[uint8](dst, first, l.size, len(rows))
		case 2:
			dst = appendField[uint16](dst, first, l.size, len(rows))
		case 4:
			dst = appendField[uint32](dst, first, l.size, len(rows))
		default:
			dst = appendField[uint64](dst, first, l.size, len(rows))
		}
	}
	return dst
}

type word interface {
	uint8 | uint16 | uint32 | uint64
}

func appendField[W word](dst []byte, at unsafe.Pointer, step uintptr, n int) []byte {
	v := *(*W)(at)
	if n > 1 {
		same := 1
		for same < n && *(*W)(unsafe.Add(at, uintptr(same)*step)) == v {
			same++
		}
		if same == n {
			dst, n = append(dst, sameInAll), 1
		} else {
			dst = append(dst, oneEach)
		}
	}
	width := int(unsafe.Sizeof(v))
	from := len(dst)
	dst = append(dst, make([]byte, n*width)...)
	out := dst[from:]
	for i := range n {
		putWord(out, *(*W)(unsafe.Add(at, uintptr(i)*step)))
		out = out[width:]
	}
	return dst
}

func putWord[W word](b []byte, v W) {
	switch unsafe.Sizeof(v) {
	case 1:
		b[0] = byte(v)
	case 2:
		binary.LittleEndian.PutUint16(b, uint16(v))
	case 4:
		binary.LittleEndian.PutUint32(b, uint32(v))
	default:
		binary.LittleEndian.PutUint64(b, uint64(v))
	}
}

func getWord[W word](b []byte) W {
	var v W
	switch unsafe.Sizeof(v) {
	case 1:
		return W(b[0])
	case 2:
		return W(binary.LittleEndian.Uint16(b))
	case 4:
		return W(binary.LittleEndian.Uint32(b))
	default:
		return W(binary.LittleEndian.Uint64(b))
	}
}

// ReadRows reads as many rows as there are in rows, and returns what is left of
// src. finite has it refuse numbers that are not. Where it refuses ([ErrValue]), rows are good for nothing.
func ReadRows[T any](src []byte, rows []T, finite bool) (rest []byte, err error) {
	if len(rows) == 0 {
		return src, nil
	}
	l := LayoutOf[T]()
	base := unsafe.Pointer(unsafe.SliceData(rows))
	for _, f := range l.fields {
		first, kind, ok := unsafe.Add(base, f.at), f.kind, false
		if kind == real && !finite {
			kind = integer
		}
		switch f.width {
		case 1:
			src, ok = readField[uint8](src, first, l.size, len(rows), kind)
		case 2:
			src, ok = readField[uint16](src, first, l.size, len(rows), kind)
		case 4:
			src, ok = readField[uint32](src, first, l.size, len(rows), kind)
		default:
			src, ok = readField[uint64](src, first, l.size, len(rows), kind)
		}
		if !ok {
			return src, fmt.Errorf("%w, %d bytes into a %s", ErrValue, f.at, reflect.TypeFor[T]())
		}
	}
	return src, nil
}

func readField[W word](src []byte, at unsafe.Pointer, step uintptr, n int, kind fieldKind) (rest []byte, ok bool) {
	width := int(unsafe.Sizeof(*(*W)(at)))
	values := n
	if n > 1 {
		if len(src) == 0 || src[0] > oneEach {
			return src, false
		}
		if src[0] == sameInAll {
			values = 1
		}
		src = src[1:]
	}
	if len(src) < values*width {
		return src, false
	}
	in := src[:values*width]
	if kind != integer {
		for b := in; len(b) > 0; b = b[width:] {
			if !valid(getWord[W](b), kind) {
				return src, false
			}
		}
	}
	src = src[len(in):]
	if values == 1 {
		v := getWord[W](in)
		for i := range n {
			*(*W)(unsafe.Add(at, uintptr(i)*step)) = v
		}
		return src, true
	}
	for i := range n {
		*(*W)(unsafe.Add(at, uintptr(i)*step)) = getWord[W](in)
		in = in[width:]
	}
	return src, true
}

func valid[W word](v W, kind fieldKind) bool {
	switch {
	case kind == truth:
		return v <= 1
	case unsafe.Sizeof(v) == 4:
		return math.Float32frombits(uint32(v))-math.Float32frombits(uint32(v)) == 0
	}
	return math.Float64frombits(uint64(v))-math.Float64frombits(uint64(v)) == 0
}
