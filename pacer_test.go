package gait

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

var noon = time.Date(2000, 1, 1, 12, 0, 0, 0, time.UTC)

func TestPacer_TicksAreDueAtTheirTime(t *testing.T) {
	var p Pacer
	if !p.Next().IsZero() {
		t.Error("something is due before the clock runs")
	}
	for _, c := range []struct {
		after time.Duration
		due   int
	}{
		{0, 0}, {33 * time.Millisecond, 0}, {33333333 * time.Nanosecond, 1}, {34 * time.Millisecond, 0},
		{100 * time.Millisecond, 2}, {50 * time.Millisecond, 0}, {time.Second, 5}, {time.Second, 0}, {1034 * time.Millisecond, 1},
	} {
		if due := p.Due(noon.Add(c.after)); due != c.due {
			t.Errorf("after %v %d ticks are due, not %d", c.after, due, c.due)
		}
	}
	if p.LetGo() != 22 { // of 27, five were told
		t.Errorf("%d were let go", p.LetGo())
	}
}

// TestPacer_Properties: whenever it is asked, ticks told and let go are those whose
// time has come, never more than CatchUp at once, and one is due at Next.
func TestPacer_Properties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Pacer{
			TicksPerSecond: rapid.SampledFrom([]float64{0, 0.5, 10, 29.97, 30, 60, 1000}).Draw(t, "rate"),
			CatchUp:        rapid.IntRange(0, 8).Draw(t, "catch up"),
		}
		now, told := noon, 0
		p.Due(now)
		for range 200 {
			now = now.Add(time.Duration(rapid.Int64Range(0, int64(300*time.Millisecond)).Draw(t, "step")))
			if rapid.Bool().Draw(t, "sleeps") && p.Next().After(now) {
				now = p.Next()
				if due := p.Due(now); due != 1 {
					t.Fatalf("%d are due at Next", due)
				}
				told++
				continue
			}
			due := p.Due(now)
			if due < 0 || due > p.most() {
				t.Fatalf("%d are due", due)
			}
			told += due
			n := int64(told) + int64(p.LetGo())
			if p.at(n).After(now) || !p.at(n+1).After(now) {
				t.Fatalf("%d ticks by %v", n, now.Sub(noon))
			}
		}
	})
}
