package components

import (
	"reflect"
	"testing"
)

// pointers returns the path to the first thing in a type that the collector
// would have to follow, "" when there is none.
func pointers(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		return ""
	case reflect.Array:
		if p := pointers(t.Elem()); p != "" {
			return "[]" + p
		}
		return ""
	case reflect.Struct:
		for i := range t.NumField() {
			if p := pointers(t.Field(i).Type); p != "" {
				return "." + t.Field(i).Name + p
			}
		}
		return ""
	}
	return " is a " + t.Kind().String() // int and uint too: their size is the machine's
}

// House rule 4: components hold no pointers, slices, maps or strings, and
// nothing whose size depends on the machine. Their sizes are what a column costs
// a row: one that grows is meant to be seen here.
func TestComponentsAreFlat(t *testing.T) {
	want := map[string]uintptr{
		"Identity": 20, "Traits": 32, "Pose": 32, "Anchors": 8, "Body": 64, "Sequence": 88, "MotionState": 28,
		"Interpreted": 36, "Raw": 4, "Interpreter": 20, "Pending": 40, "Chase": 32, "Leash": 16, "Stamps": 20, "Rest": 12,
		"Errand": 8, "Touch": 32,
	}
	total := uintptr(0)
	fields := parts(reflect.TypeFor[Values]())
	for _, f := range fields {
		if p := pointers(f.Type); p != "" {
			t.Errorf("%s%s", f.Name, p)
		}
		if f.Type.Size() != want[f.Name] {
			t.Errorf("%s takes %d bytes, not %d", f.Name, f.Type.Size(), want[f.Name])
		}
		total += f.Type.Size()
	}
	if len(fields) != len(want) {
		t.Errorf("%d components, %d known here", len(fields), len(want))
	}
	t.Logf("%d bytes a row", total)
}

func TestPointersFindsThem(t *testing.T) {
	for _, v := range []any{
		struct{ P *int }{}, [2][]byte{}, struct{ S struct{ M map[int]int } }{}, struct{ S string }{}, struct{ N int }{},
		struct{ F func() }{}, struct{ A any }{},
	} {
		if pointers(reflect.TypeOf(v)) == "" {
			t.Errorf("%T passes", v)
		}
	}
}

// Row and Values name the same components, and a row points at those of its values.
func TestRowPointsAtEveryComponent(t *testing.T) {
	values := map[string]reflect.Type{}
	for _, f := range parts(reflect.TypeFor[Values]()) {
		values[f.Name] = f.Type
	}
	row := reflect.TypeFor[Row]()
	if row.NumField() != len(values) {
		t.Fatalf("%d and %d components", row.NumField(), len(values))
	}
	for i := range row.NumField() {
		if f := row.Field(i); values[f.Name] != f.Type.Elem() {
			t.Errorf("%s is %v in one and %v in the other", f.Name, f.Type, values[f.Name])
		}
	}
	v := new(Values)
	r := reflect.ValueOf(v.Row())
	for i := range r.NumField() {
		if got, want := r.Field(i).Pointer(), reflect.ValueOf(v).Elem().FieldByName(row.Field(i).Name).Addr().Pointer(); got != want {
			t.Errorf("%s points elsewhere", row.Field(i).Name)
		}
	}
}

// parts are the fields of Values, those of Cold in its place.
func parts(v reflect.Type) (fields []reflect.StructField) {
	for i := range v.NumField() {
		if f := v.Field(i); f.Anonymous {
			fields = append(fields, parts(f.Type)...)
		} else {
			fields = append(fields, f)
		}
	}
	return fields
}

// A stamp that was never seen is older than whatever comes first.
func TestStampsMeet(t *testing.T) {
	const k = 1 // any slot
	s := Stamps{Unseen: 1<<9 - 1}
	s.Meet(k, 0)
	if s.Slot[k] != 0xFFFF || s.Unseen != 1<<9-1-1<<k {
		t.Errorf("%+v", s)
	}
	s.Slot[k] = 5
	s.Meet(k, 9)
	if s.Slot[k] != 5 {
		t.Errorf("meets a stamp twice: %+v", s)
	}
}
