package scenario

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// Whatever a list of known differences holds, what is read of it reads the same again.
func FuzzReadAllowed(f *testing.F) {
	for _, s := range []string{
		"", "# nothing", "walk frame 12 R2.6 and more\n", "a b c d", "a b 1", "a b -3 #x\n\na b 99999999999999999999 r", "a\u00a0b\t1 \v c",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		list, err := ReadAllowed(strings.NewReader(s))
		if err != nil {
			return
		}
		var b strings.Builder
		for _, a := range list {
			if a.Scenario == "" || a.Field == "" || a.Rule == "" || a.Scenario[0] == '#' {
				t.Errorf("%+v", a)
			}
			fmt.Fprintln(&b, a.Scenario, a.Field, a.Tick, a.Rule)
		}
		again, err := ReadAllowed(strings.NewReader(b.String()))
		if err != nil || !reflect.DeepEqual(again, list) {
			t.Errorf("%+v, then %+v (%v)", list, again, err)
		}
		unknown, absent := Settle("walk", []Difference{{Field: "frame", Tick: 12}}, list)
		if len(unknown) > 1 || len(absent) > len(list) {
			t.Errorf("%d unknown, %d absent", len(unknown), len(absent))
		}
	})
}
