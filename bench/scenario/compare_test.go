package scenario

import (
	"bytes"
	"compress/gzip"
	"errors"
	"reflect"
	"strings"
	"testing"
)

func line(fields string) string { return `{"tick":1,"guid":"0x50000001",` + fields + "}\n" }

func compare(t *testing.T, ours, expected string) []Difference {
	t.Helper()
	d, err := Compare(strings.NewReader(ours), strings.NewReader(expected))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// One field at a time, by the rules of "Comparing two traces".
func TestCompareRules(t *testing.T) {
	for _, c := range []struct {
		rule, field, ours, expected string
		same                        bool
	}{
		{"floats within 1e-3", "frame", "5.0009", "5", true},
		{"floats beyond", "frame", "5.0016", "5", false},
		{"near 0 the absolute part holds", "frame", "0.0009", "0", true},
		{"near 0 beyond", "frame", "0.0011", "0", false},
		{"large floats within 1e-4 of them", "frame", "100000", "100009", true},
		{"large floats beyond", "frame", "100000", "100011", false},
		{"minus zero is zero", "frame", "-0", "0", true},
		{"vectors by component", "origin", "[1,2,3.0005]", "[1,2,3]", true},
		{"vectors beyond", "origin", "[1,2,3.01]", "[1,2,3]", false},
		{"vectors of another length", "origin", "[1,2]", "[1,2,3]", false},
		{"a list is not a number", "origin", "1", "[1,2,3]", false},
		{"rotation, close", "rotation", "[0.6,0,0,0.8005]", "[0.6,0,0,0.8]", true},
		{"rotation, negated", "rotation", "[-0.6,0,0,-0.8005]", "[0.6,0,0,0.8]", true},
		{"rotation, half negated", "rotation", "[-0.6,0,0,0.8]", "[0.6,0,0,0.8]", false},
		{"only rotation may be negated", "origin", "[-1,0,0]", "[1,0,0]", false},
		{"rotation that is none", "rotation", "null", "[1,0,0,0]", false},
		{"ids by value", "cell", `"0xA9B4001D"`, `"0xa9b4001d"`, true},
		{"ids without zeros", "turn", `"0x0"`, `"0x00000000"`, true},
		{"ids that differ", "turn", `"0x1"`, `"0x2"`, false},
		{"an id is not its number", "turn", `"0x1"`, `1`, false},
		{"words", "turn", `"0xyz"`, `"0xyz"`, true},
		{"flags", "contact", "true", "true", true},
		{"flags that differ", "contact", "true", "false", false},
		{"a flag is not 1", "contact", "true", "1", false},
		{"null", "contact_plane", "null", "null", true},
		{"null is not zero", "contact_plane", "null", "0", false},
		{"counters are exact", "queue", "1", "1", true},
		{"counters without tolerance", "queue", "1.0001", "1", false},
		{"first_cyclic is exact", "first_cyclic", "-1", "0", false},
		{"moving_to is exact", "moving_to", "7", "7.0001", false},
		{"anim_counter is exact", "anim_counter", "1", "1.0001", false},
		{"fail is exact", "fail", "1", "1.0001", false},
		{"modifiers have speeds", "modifiers", `[["0x6500000D",1.0005]]`, `[["0x6500000d",1]]`, true},
		{"modifiers in order", "modifiers", `[["0x1",1],["0x2",1]]`, `[["0x2",1],["0x1",1]]`, false},
		{"actions have speeds", "actions", `[["0x1",1]]`, `[["0x1",1.1]]`, false},
		{"done", "done", `[["0x1",true]]`, `[["0x1",true]]`, true},
		{"done with another outcome", "done", `[["0x1",true]]`, `[["0x1",false]]`, false},
		{"done that is longer", "done", `[["0x1",true],["0x1",true]]`, `[["0x1",true]]`, false},
		{"pending_motions are exact", "pending_motions", `[[0,"0x1",72]]`, `[[0,"0x01",72]]`, true},
		{"pending_motions without tolerance", "pending_motions", `[[0,"0x1",72.0001]]`, `[[0,"0x1",72]]`, false},
		{"pending_anims are exact", "pending_anims", `[["0x1",1]]`, `[["0x1",1.0001]]`, false},
		{"hooks are exact", "hooks", `[[2,"0x1",8]]`, `[[2,"0x1",8.0001]]`, false},
		{"list: framerate has a tolerance", "list", `[["0x3",30.001,0,10]]`, `[["0x3",30,0,10]]`, true},
		{"list: framerate beyond", "list", `[["0x3",30.1,0,10]]`, `[["0x3",30,0,10]]`, false},
		{"list: frames are exact", "list", `[["0x3",30,0.0001,10]]`, `[["0x3",30,0,10]]`, false},
		{"list: animations are exact", "list", `[["0x3",30,0,10]]`, `[["0x4",30,0,10]]`, false},
		{"list: nodes are counted", "list", `[]`, `[["0x4",30,0,10]]`, false},
		{"list: nodes are whole", "list", `[["0x4",30,0]]`, `[["0x4",30,0,10]]`, false},
		{"list: nodes are lists", "list", `[5]`, `[["0x4",30,0,10]]`, false},
	} {
		d := compare(t, line(`"`+c.field+`":`+c.ours), line(`"`+c.field+`":`+c.expected))
		if (len(d) == 0) != c.same {
			t.Errorf("%s: %s and %s: %v", c.rule, c.ours, c.expected, d)
		}
	}
}

func TestCompareReports(t *testing.T) {
	at := func(tick, guid, fields string) string {
		return `{"tick":` + tick + `,"guid":"` + guid + `"` + fields + "}\n"
	}
	ours := at("2", "0x1", `,"queue":1,"fail":0`) + at("1", "0x2", `,"fail":1,"queue":3`) + at("1", "0x1", `,"extra":1`) + at("10", "0x1", "")
	expected := at("2", "0x1", `,"queue":1,"fail":0`) + "\n" + at("1", "0x2", `,"fail":2,"queue":4`) + at("1", "0x1", `,"other":"0x1"`) + at("3", "0x1", "")
	want := []Difference{
		{1, 1, "extra", "1", ""}, {1, 1, "other", "", `"0x1"`},
		{1, 2, "fail", "1", "2"}, {1, 2, "queue", "3", "4"},
		{3, 1, "line", "", "a line"}, {10, 1, "line", "a line", ""},
	}
	got := compare(t, ours, expected)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%v\nwant\n%v", got, want)
	}
	if s := got[1].String(); s != `tick 1 0x00000001 other: nothing, expected "0x1"` {
		t.Error(s)
	}
}

func TestCompareGzip(t *testing.T) {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	if _, err := w.Write([]byte(line(`"fail":1`))); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	d, err := Compare(strings.NewReader(line(`"fail":1`)), bytes.NewReader(z.Bytes()))
	if err != nil || len(d) != 0 {
		t.Error(d, err)
	}
	if _, err := Compare(strings.NewReader(""), bytes.NewReader(z.Bytes()[:z.Len()-6])); !errors.Is(err, ErrTrace) {
		t.Errorf("cut short: %v", err)
	}
}

func TestCompareRefuses(t *testing.T) {
	for _, bad := range []string{
		"x", "[]", "5", `{"tick":1}`, `{"guid":"0x1"}`, `{"tick":"1","guid":"0x1"}`, `{"tick":1,"guid":1}`,
		`{"tick":1.5,"guid":"0x1"}`, `{"tick":1e300,"guid":"0x1"}`, `{"tick":1,"guid":"0x100000000"}`,
		line(`"fail":1`) + line(`"fail":2`), "\x1f\x8bxx",
	} {
		if _, err := Compare(strings.NewReader(bad), strings.NewReader("")); !errors.Is(err, ErrTrace) || !strings.Contains(err.Error(), "ours") {
			t.Errorf("ours %q: %v", bad, err)
		}
		if _, err := Compare(strings.NewReader(""), strings.NewReader(bad)); !errors.Is(err, ErrTrace) || !strings.Contains(err.Error(), "expected") {
			t.Errorf("expected %q: %v", bad, err)
		}
	}
}

func TestReadAllowed(t *testing.T) {
	got, err := ReadAllowed(strings.NewReader("# nothing\n\n a  frame 12  R2.8: they wrap\nrandom/b done 3 R4.7\n"))
	want := []Allowed{{"a", "frame", 12, "R2.8: they wrap"}, {"random/b", "done", 3, "R4.7"}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Error(got, err)
	}
	for _, bad := range []string{"a frame 12\n", "a frame x R1\n"} {
		if _, err := ReadAllowed(strings.NewReader(bad)); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestSettle(t *testing.T) {
	found := []Difference{{Tick: 3, Field: "frame"}, {Tick: 4, Field: "frame"}, {Tick: 4, Field: "done"}}
	allow := func(scenario, field string, tick int) Allowed { return Allowed{scenario, field, tick, "R"} }
	for _, c := range []struct {
		allowed         []Allowed
		unknown, absent int
	}{
		{nil, 3, 0},
		{[]Allowed{allow("s", "frame", 3)}, 1, 0},
		{[]Allowed{allow("s", "frame", 3), allow("s", "done", 4)}, 0, 0},
		{[]Allowed{allow("other", "frame", 3)}, 3, 0},
		{[]Allowed{allow("s", "frame", 4)}, 3, 1}, // it occurs earlier
		{[]Allowed{allow("s", "hooks", 3)}, 3, 1}, // it does not occur
	} {
		unknown, absent := Settle("s", found, c.allowed)
		if len(unknown) != c.unknown || len(absent) != c.absent {
			t.Errorf("%v: %v unknown, %v absent", c.allowed, unknown, absent)
		}
	}
}

// FuzzCompare: no trace makes it panic, and a trace agrees with itself.
func FuzzCompare(f *testing.F) {
	f.Add([]byte(line(`"list":[["0x3",30,0,10]],"rotation":[1,0,0,0]`)))
	f.Add([]byte(line(`"list":[0],"anim":{}`)))
	f.Add([]byte(line(`"done":[["0x3",true]],"modifiers":[],"contact_plane":null`)))
	f.Fuzz(func(t *testing.T, b []byte) {
		if bytes.HasPrefix(b, []byte{0x1F, 0x8B}) {
			return // unpacking is not ours
		}
		d, err := Compare(bytes.NewReader(b), bytes.NewReader(b))
		if err == nil && len(d) > 0 {
			t.Fatal(d)
		}
	})
}
