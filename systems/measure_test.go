package systems

import (
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/gait-engine/gait/components"
)

// reads is a clock that goes on by one with every reading.
type reads struct{ at atomic.Int64 }

func (r *reads) now() int64 { return r.at.Add(1) }

// group is n humanoids on the land, half of whom walk for ever.
func group(t testing.TB, n uint32, o Options) *rig {
	r := onLand(t, o)
	r.unchecked = true
	for i := range n {
		r.spawn(stander(me+i, 70+float32(i), 100, 100.1, float32(i)))
	}
	r.tick(1)
	for i := range n / 2 {
		r.move(me+i, does{forward: walk, turn: right, spin: 1})
	}
	return r
}

// A tick is what its stages took: those that one worker does alone, and the time
// in which workers share the rest, leave nothing out and count nothing twice.
func TestStagesSumUpToTheTick(t *testing.T) {
	for _, o := range []Options{{}, {Workers: 3, ChunkRows: 4}} {
		r := group(t, 50, o)
		var clock reads
		r.e.Measure(clock.now)
		for range 10 {
			first := clock.at.Load() + 1
			for i := range uint32(50) {
				r.move(me+i, does{forward: run})
			}
			r.tick(1)
			c := r.e.Cost()
			alone, shared := int64(0), int64(0)
			for s := range Stage(Stages) {
				if took, lanes := c.Ns[s] > 0, s == StageLanes; took == (lanes && o.Workers < 2) {
					t.Errorf("%d workers: %v took %d", o.Workers, s, c.Ns[s])
				}
				if s.Shared() {
					shared += c.Ns[s]
				} else {
					alone += c.Ns[s]
				}
			}
			if got, want := alone+c.Shared, clock.at.Load()-first; got != want {
				t.Errorf("%d workers: %d of %d: %+v", o.Workers, got, want, c)
			}
			if workers := int64(max(o.Workers, 1)); shared > workers*c.Shared {
				t.Errorf("%d workers spent %d in %d: %+v", workers, shared, c.Shared, c)
			}
		}
	}
}

// So it is by the retail clock, where a tick has several steps.
func TestStagesSumUpByTheRetailClock(t *testing.T) {
	r := onLand(t, Options{RetailClock: true, ChunkRows: 4})
	for i := range uint32(10) {
		r.spawn(stander(me+i, 70+float32(i), 100, 100.1, 0))
	}
	r.to(1)
	var clock reads
	r.e.Measure(clock.now)
	for _, at := range []float64{1.1, 1.7} {
		first := clock.at.Load() + 1
		r.to(at)
		c := r.e.Cost()
		alone := int64(0)
		for s := range Stage(Stages) {
			if !s.Shared() {
				alone += c.Ns[s]
			}
		}
		if got, want := alone+c.Shared, clock.at.Load()-first; got != want || c.Ns[StageSequence] == 0 || c.Ns[StagePublish] == 0 {
			t.Errorf("%d of %d: %+v", got, want, c)
		}
	}
}

// What is touched are the rows that are not skipped: nothing of a chunk in which all
// rest, and of one that rests beside others a look at that.
func TestWhatRestsIsNotTouched(t *testing.T) {
	const n, chunk = 20, 10
	r := newRig(t, Options{ChunkRows: chunk})
	r.unchecked = true // a check brings all rows up to date
	for i := range uint32(n) {
		r.spawn(human(me+i, 100, 100))
	}
	r.tick(9) // until both views show them at rest
	var clock reads
	r.e.Measure(clock.now)
	touched := func(s Stage) int64 { return r.e.Cost().Bytes[s] }
	looks := int64(chunk * unsafe.Sizeof(components.Rest{}))
	row := int64(restBytes + bodyBytes + sequenceBytes)

	r.tick(1)
	for s := range Stage(Stages) {
		same(t, s.String(), touched(s), 0)
	}

	for i := range uint32(2) {
		r.move(me+i, does{forward: run})
		r.mover(me + i).row().Body.State |= components.Hidden // then they do not glide
	}
	r.tick(1)
	same(t, "who is read of", touched(StageStand), looks)
	written := int64(leashBytes + ViewBytes)
	same(t, "all are looked at", touched(StageGlide), looks)
	same(t, "two go through the stages", touched(StageSequence), 2*row)
	same(t, "two are published", touched(StagePublish), 2*(row+written))
	if got := touched(StageInbound); got < 2*int64(messageBytes) {
		t.Errorf("two messages touch %d bytes", got)
	}

	for i := range uint32(2) {
		r.mover(me + i).row().Body.State &^= components.Hidden
	}
	r.tick(1)
	same(t, "two glide", touched(StageGlide), looks+2*(row-int64(restBytes)+written))
	for _, s := range []Stage{StageSequence, StageAdjust, StageSweep, StagePublish} {
		same(t, s.String(), touched(s), 0)
	}

	chasing(3, 0, 0)(r.mover(me).row(), r.mover(me))
	r.tick(1)
	same(t, "one chases", touched(StageGlide), looks+2*(row-int64(restBytes)+written)+int64(chaseBytes))
}

// House rule 1: what a clock shows reaches no state.
func TestMeasuringChangesNothing(t *testing.T) {
	for _, workers := range []int{1, 3} {
		plain, measured := group(t, 30, Options{Workers: workers, ChunkRows: 4}), group(t, 30, Options{Workers: workers, ChunkRows: 4})
		var wild reads
		measured.e.Measure(func() int64 { return wild.at.Add(1) * -0x61C8864680B583EB })
		for range 60 {
			plain.tick(1)
			measured.tick(1)
			same(t, "hash", measured.e.Hash(), plain.e.Hash())
		}
	}
}

// House rule 6 holds while ticks are measured, and without a clock nothing is.
func TestMeasuringAllocatesNothing(t *testing.T) {
	r := group(t, 60, Options{Workers: 2, ChunkRows: 8})
	began := time.Now()
	r.e.Measure(func() int64 { return int64(time.Since(began)) })
	r.tick(200)
	if got := testing.AllocsPerRun(100, func() { r.e.Tick(); r.e.Cost() }); got != 0 {
		t.Errorf("%v allocations a tick", got)
	}
	last := r.e.Cost()
	r.e.Measure(nil)
	r.tick(3)
	same(t, "the cost of the last tick that was measured", r.e.Cost(), last)
}

func TestStageString(t *testing.T) {
	same(t, "first", StageInbound.String(), "inbound")
	same(t, "last", Stage(Stages-1).String(), "deliver")
	same(t, "none", Stage(Stages).String(), "no stage")
}
