package systems

import "testing"

// Every kind of event has words of its own, and what is no kind says so.
func TestEventKindsInWords(t *testing.T) {
	seen := map[string]EventKind{}
	for k := EventKind(0); k <= Deactivated; k++ {
		s := k.String()
		if other, twice := seen[s]; s == "" || s == "unknown event" || twice {
			t.Errorf("%d is %q, as is %d", k, s, other)
		}
		seen[s] = k
	}
	for k, want := range map[EventKind]string{MotionDone: "motion done", Entered: "entered", Met: "met", Deactivated: "deactivated", Deactivated + 1: "unknown event"} {
		if k.String() != want {
			t.Errorf("%d is %q, not %q", k, k, want)
		}
	}
}
