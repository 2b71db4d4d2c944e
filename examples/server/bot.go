package main

import (
	"math/rand/v2"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/systems/motion"
)

// bot presses keys: it stands for 4–9 s, then is on its way for 2–6 s, by turns
// walking, running and turning.
type bot struct {
	rng   *rand.Rand
	next  int64 // tick of the next change
	until int64 // tick at which it stops
	hz    float64
}

func newBot(seed, index uint64, hz float64) bot {
	b := bot{rng: rand.New(rand.NewPCG(seed, index)), hz: hz}
	b.next = b.ticks(0, 4)
	return b
}

// ticks draws a time in s.
func (b *bot) ticks(from, to float64) int64 {
	return int64((from + b.rng.Float64()*(to-from)) * b.hz)
}

// press returns the keys that are down from a tick on, if they change.
func (b *bot) press(tick int64) (raw motion.RawState, changed bool) {
	if tick < b.next {
		return raw, false
	}
	raw = motion.DefaultRaw()
	switch {
	case b.until == 0: // it stood
		b.until = tick + b.ticks(2, 6)
	case tick >= b.until:
		b.until, b.next = 0, tick+b.ticks(4, 9)
		return raw, true
	}
	raw.HoldKey = []components.HoldKey{components.HoldNone, components.HoldRun}[b.rng.IntN(2)]
	raw.Forward.Motion = motion.WalkForward
	if b.rng.IntN(3) == 0 {
		raw.Turn = components.Axis{Motion: []uint32{motion.TurnRight, motion.TurnLeft}[b.rng.IntN(2)], Speed: 1}
	}
	b.next = min(tick+b.ticks(0.5, 2), b.until)
	return raw, true
}
