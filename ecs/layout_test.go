package ecs

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/gait-engine/gait/components"
	"pgregory.net/rapid"
)

// laidOut has every kind of field, with room left between them.
type laidOut struct {
	Flag  bool
	Small uint16
	Byte  int8
	Real  float64
	Pair  [2]float32
	Inner struct {
		On bool
		N  int32
	}
	Large uint64
	_     []int // whoever has one writes it himself
}

// Rows have one form on every machine: little-endian, field by field, without what
// lies between fields; what is the same in all rows is there once.
func TestRowsInBytes(t *testing.T) {
	one := laidOut{Flag: true, Small: 0x1234, Byte: -2, Real: 1.5, Pair: [2]float32{2, -2}, Large: 0x0102030405060708}
	one.Inner.On, one.Inner.N = true, -3
	want := []byte{
		1, 0x34, 0x12, 0xFE, 0, 0, 0, 0, 0, 0, 0xF8, 0x3F, 0, 0, 0, 0x40, 0, 0, 0, 0xC0,
		1, 0xFD, 0xFF, 0xFF, 0xFF, 8, 7, 6, 5, 4, 3, 2, 1,
	}
	if got := AppendRows([]byte("x"), []laidOut{one}); !bytes.Equal(got[1:], want) || got[0] != 'x' {
		t.Errorf("% x", got)
	}
	type two struct{ A, B uint16 }
	if got := AppendRows(nil, []two{{1, 7}, {2, 7}}); !bytes.Equal(got, []byte{oneEach, 1, 0, 2, 0, sameInAll, 7, 0}) {
		t.Errorf("% x", got)
	}
	if got := AppendRows([]byte{5}, []two{}); !bytes.Equal(got, []byte{5}) {
		t.Errorf("% x", got)
	}
}

// Whatever rows hold comes back, and nothing of what follows is taken.
func TestRowsComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) laidOut {
			x := laidOut{
				Flag: rapid.Bool().Draw(t, "flag"), Small: rapid.Uint16().Draw(t, "small"), Byte: rapid.Int8().Draw(t, "byte"),
				Real: rapid.Float64().Draw(t, "real"), Large: rapid.Uint64Max(3).Draw(t, "large"),
			}
			x.Pair[1] = rapid.Float32().Draw(t, "pair")
			x.Inner.N = rapid.Int32().Draw(t, "n")
			return x
		}), 1, 20).Draw(t, "rows")
		b := AppendRows(nil, rows)
		if most := LayoutOf[laidOut]().MostBytes(len(rows)); len(b) > most {
			t.Fatalf("%d bytes, at most %d", len(b), most)
		}
		again := make([]laidOut, len(rows))
		rest, err := ReadRows(append(b, "rest"...), again, true)
		if err != nil || string(rest) != "rest" || !reflect.DeepEqual(rows, again) {
			t.Fatalf("%v: %q, %+v", err, rest, again)
		}
		for n := range b {
			if _, err := ReadRows(b[:n], again, true); !errors.Is(err, ErrValue) {
				t.Fatalf("%d of %d bytes: %v", n, len(b), err)
			}
		}
	})
}

// A truth that is neither, and a number that is none, are no values.
func TestBadValuesAreRefused(t *testing.T) {
	type row struct {
		On bool
		F  float32
		D  float64
	}
	good := []row{{true, 1, 2}, {false, 1, 3}}
	for name, bad := range map[string]struct {
		rows   []row
		at     int
		with   byte
		finite bool
	}{
		"truth":             {good, 1, 2, false},
		"way":               {good, 0, 2, false},
		"NaN":               {[]row{{F: float32(math.NaN())}}, -1, 0, true},
		"infinite":          {[]row{{D: math.Inf(-1)}}, -1, 0, true},
		"infinite as a one": {[]row{{F: float32(math.Inf(1))}, {F: 1}}, -1, 0, true},
	} {
		b := AppendRows(nil, bad.rows)
		if bad.at >= 0 {
			b[bad.at] = bad.with
		}
		into := make([]row, len(bad.rows))
		if _, err := ReadRows(b, into, bad.finite); !errors.Is(err, ErrValue) {
			t.Errorf("%s: %v", name, err)
		}
		if bad.finite {
			if _, err := ReadRows(b, into, false); err != nil {
				t.Errorf("%s, for who looks himself: %v", name, err)
			}
		}
	}
}

// Another name, type or place of a field is another layout.
func TestLayoutsDiffer(t *testing.T) {
	sums := map[uint64]string{}
	for name, sum := range map[string]uint64{
		"a":      LayoutOf[struct{ A, B uint32 }]().Sum(),
		"names":  LayoutOf[struct{ A, C uint32 }]().Sum(),
		"type":   LayoutOf[struct{ A, B int32 }]().Sum(),
		"float":  LayoutOf[struct{ A, B float32 }]().Sum(),
		"width":  LayoutOf[struct{ A, B uint16 }]().Sum(),
		"order":  LayoutOf[struct{ B, A uint32 }]().Sum(),
		"array":  LayoutOf[struct{ A [2]uint32 }]().Sum(),
		"nested": LayoutOf[struct{ A struct{ A, B uint32 } }]().Sum(),
		"less":   LayoutOf[struct{ A uint32 }]().Sum(),
	} {
		if other, taken := sums[sum]; taken {
			t.Errorf("%s is the same as %s", name, other)
		}
		sums[sum] = name
	}
	defer func() {
		if p, _ := recover().(string); !strings.Contains(p, "cannot be written") {
			t.Errorf("a pointer: %v", p)
		}
	}()
	LayoutOf[struct{ P *int }]()
}

// Every byte of a component is one field's, or padding, which is not written.
func TestLayoutsCoverComponents(t *testing.T) {
	l := LayoutOf[components.Values]()
	covered := make([]bool, unsafe.Sizeof(components.Values{}))
	for _, f := range l.fields {
		for i := range uint32(f.width) {
			if covered[f.at+i] {
				t.Fatalf("byte %d is written twice", f.at+i)
			}
			covered[f.at+i] = true
		}
	}
	n := 0
	for _, c := range covered {
		if !c {
			n++
		}
	}
	if n > len(covered)/20 {
		t.Errorf("%d of %d bytes are padding", n, len(covered))
	}
}

// lists and boxes that a type holds, those in boxes and lists not counted.
func holders(t reflect.Type, each func(reflect.Type)) {
	switch {
	case strings.HasPrefix(t.Name(), "List["), strings.HasPrefix(t.Name(), "Box["):
		each(t)
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			holders(t.Field(i).Type, each)
		}
	case t.Kind() == reflect.Array:
		for range t.Len() {
			holders(t.Elem(), each)
		}
	}
}

// The walk over lists and boxes leaves none out: what it takes apart says no more
// where anything lies in its pool.
func TestWalkTakesEveryListApart(t *testing.T) {
	n := 0
	holders(reflect.TypeFor[components.Values](), func(reflect.Type) { n++ })
	var pools components.Pools
	var v components.Values
	fill(reflect.ValueOf(&v).Elem(), &pools)
	x := lists{pools: &pools, writing: true}
	kept := v
	x.values(&v)
	left, seen := 0, 0
	var look func(a, b reflect.Value)
	look = func(a, b reflect.Value) {
		switch a.Kind() {
		case reflect.Struct:
			if strings.HasPrefix(a.Type().Name(), "List[") {
				seen++
				if a.FieldByName("Over").Uint() != 0 || b.FieldByName("Over").Uint() == 0 {
					left++
				}
				return
			}
			if strings.HasPrefix(a.Type().Name(), "Box[") {
				seen++
				if a.FieldByName("at").Uint() != 1 || b.FieldByName("at").Uint() <= 1 {
					left++
				}
				return
			}
			for i := range a.NumField() {
				look(a.Field(i), b.Field(i))
			}
		}
	}
	look(reflect.ValueOf(v), reflect.ValueOf(kept))
	if left != 0 || seen != n {
		t.Errorf("%d of %d lists and boxes, %d of them not taken apart", seen, n, left)
	}
	// and joined again they are what they were
	var again components.Pools
	r := Reader{raw: x.out}
	y := lists{pools: &again, from: &r}
	y.values(&v)
	if r.Err() != nil || r.taken != len(r.raw) {
		t.Fatalf("%d of %d bytes: %v", r.taken, len(r.raw), r.Err())
	}
	a, b := kept.Row(), v.Row()
	if HashRow(&a, &pools) != HashRow(&b, &again) {
		t.Error("another row")
	}
}

// fill gives every list and box of a value, and of what is in these, more than fits
// inline. The first of each box is taken by somebody else.
func fill(v reflect.Value, pools *components.Pools) {
	switch {
	case strings.HasPrefix(v.Type().Name(), "List["):
		push := v.Addr().MethodByName("Push")
		for i := range 9 {
			item := reflect.New(push.Type().In(1)).Elem()
			if f := item.Field(0); f.CanUint() {
				f.SetUint(uint64(i + 1))
			}
			call(v, "Push", pools, item)
		}
	case strings.HasPrefix(v.Type().Name(), "Box["):
		other := reflect.New(v.Type())
		for _, b := range []reflect.Value{other, v.Addr()} {
			in := call(b.Elem(), "Make", pools).Elem()
			if b != other {
				fill(in, pools)
			}
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), pools)
		}
	}
}
