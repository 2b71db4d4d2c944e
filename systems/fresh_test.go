package systems

import (
	"bytes"
	"testing"
)

// An engine that is restored at tick 0 goes on as a new one does: also those who come
// into one cell in the first tick stand in its list in the order in which they came.
func TestFreshAndRestoredAtTick0(t *testing.T) {
	a := onLand(t, Options{})
	var b bytes.Buffer
	if err := a.e.Snapshot(&b); err != nil {
		t.Fatal(err)
	}
	restored, err := Restore(a.e.Options(), &b)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []*Engine{a.e, restored} {
		for i := range uint32(3) {
			if err := e.Spawn(stander(me+i, 76+4*float32(i), 100, 100.1, 0)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for range 5 {
		a.e.Tick()
		restored.Tick()
		if x, y := a.e.Hash(), restored.Hash(); x != y {
			t.Fatalf("tick %d: %016x, restored %016x", a.e.Now(), x, y)
		}
	}
}
