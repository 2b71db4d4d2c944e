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
		"Identity": 12, "Traits": 32, "Pose": 32, "Anchors": 64, "Body": 68, "Sequence": 120, "MotionState": 60,
		"Interpreted": 48, "Raw": 64, "Interpreter": 20, "Pending": 100, "Chase": 76, "Leash": 16, "Stamps": 20, "Rest": 4,
	}
	v := reflect.TypeFor[Values]()
	total := uintptr(0)
	for i := range v.NumField() {
		f := v.Field(i)
		if p := pointers(f.Type); p != "" {
			t.Errorf("%s%s", f.Name, p)
		}
		if f.Type.Size() != want[f.Name] {
			t.Errorf("%s takes %d bytes, not %d", f.Name, f.Type.Size(), want[f.Name])
		}
		total += f.Type.Size()
	}
	if v.NumField() != len(want) {
		t.Errorf("%d components, %d known here", v.NumField(), len(want))
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

// Row and Values name the same components, in the same order.
func TestRowPointsAtEveryComponent(t *testing.T) {
	row, values := reflect.TypeFor[Row](), reflect.TypeFor[Values]()
	if row.NumField() != values.NumField() {
		t.Fatalf("%d and %d components", row.NumField(), values.NumField())
	}
	for i := range row.NumField() {
		if row.Field(i).Name != values.Field(i).Name || row.Field(i).Type.Elem() != values.Field(i).Type {
			t.Errorf("%s and %s", row.Field(i).Name, values.Field(i).Name)
		}
	}
	var v Values
	r := reflect.ValueOf(v.Row())
	for i := range r.NumField() {
		if r.Field(i).IsNil() {
			t.Errorf("Values.Row forgets %s", row.Field(i).Name)
		}
	}
	got := v.Row()
	got.Rest.Since, got.Identity.Guid = 7, 8
	if v.Rest.Since != 7 || v.Identity.Guid != 8 {
		t.Error("a row of values is not theirs")
	}
}

// A stamp that was never seen is older than whatever comes first.
func TestStampsMeet(t *testing.T) {
	s := Stamps{Unseen: 1<<9 - 1}
	s.Meet(StampMovement, 0)
	if s.Slot[StampMovement] != 0xFFFF || s.Unseen != 1<<9-1-1<<StampMovement {
		t.Errorf("%+v", s)
	}
	s.Slot[StampMovement] = 5
	s.Meet(StampMovement, 9)
	if s.Slot[StampMovement] != 5 {
		t.Errorf("meets a stamp twice: %+v", s)
	}
}
