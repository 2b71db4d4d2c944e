package motion

import (
	"testing"

	"github.com/gait-engine/gait/components"
	"pgregory.net/rapid"
)

// What an idle sequence is replayed to is what ticking it gives, bit for bit.
func TestIdleFrameIsAdvance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low := rapid.Int32Range(0, 40).Draw(t, "low")
		n := components.Node{
			Rate: rapid.OneOf(rapid.Float32Range(-120, 120), rapid.SampledFrom([]float32{0, 30, -30, 1e-6, 3e4, -3e4})).Draw(t, "rate"),
			Low:  low, High: low + rapid.Int32Range(0, 60).Draw(t, "frames"),
		}
		dt := float32(1 / rapid.Float64Range(0.5, 1000).Draw(t, "hz"))
		s := components.Sequence{Frame: startingFrame(&n)}
		s.Nodes.Push(nil, n)
		for tick := uint32(1); tick <= 64; tick++ {
			Advance(nil, nil, &s, float64(dt), nil, nil)
			if tick&(tick-1) != 0 {
				continue
			}
			if got := IdleFrame(n, startingFrame(&n), dt, tick); got != s.Frame {
				t.Fatalf("after %d ticks %v, not %v", tick, got, s.Frame)
			}
		}
	})
}
