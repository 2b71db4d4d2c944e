package systems

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/ecs"
	"github.com/gait-engine/gait/systems/position"
)

// The clocks of spec 11 §4. Under fixed ticks there is one, the tick's number over
// the rate. Under the retail clock time comes from outside, the world has a gate,
// and every body a clock of its own that is cut into steps of 0.2 s at most.
//
// Bodies differ in that clock when one has become active or has come into the
// world since (its clock then starts at that frame), or when a frame left less than
// 1/30 s over that it has still to make up for. There are few such times, so bodies
// are sorted into classes by them, and each class is updated as one: the n-th steps
// of all classes, then what they send is delivered, then the next. In retail one
// body takes all its steps before the next body takes any; that shows only in who
// hears of whom between the steps of one long frame.

// MaxSeconds is the latest time that a clock may show.
const MaxSeconds = 1e12

// ErrClock refuses a time.
var ErrClock = errors.New("systems: bad time")

// clock is what time it is.
type clock struct {
	now  float64 // s, wall clock
	sim  float64 // s, of the step in hand; now outside of steps
	beat uint64  // what Outbound and Reports count waiting in: ticks

	last    float64 // s, of the world gate
	classes []class
	order   []int32 // of classes, by the least guid in each: rows may lie anyhow
	class   int32   // in hand
	of      []int32 // by row: its class, notUpdated without; nil under fixed ticks
	step    func(worker, chunk, from, to int)
	show    func(worker, chunk, from, to int)
}

// class are the bodies whose clocks show the same.
type class struct {
	at    float64 // s, what they show
	steps position.Steps
	least uint32 // of the guids
}

// notUpdated is the class of bodies whose clock stands: held, in no cell, frozen.
const notUpdated int32 = -1

func (k *clock) init(e *Engine) {
	k.last = -1
	k.step = func(worker, chunk, from, to int) {
		w := &e.workers[worker]
		at, reg := len(w.events), len(w.regs)
		w.step(from, to)
		e.runs[chunk] = eventRun{worker, at, len(w.events), reg, len(w.regs)}
	}
	k.show = func(worker, chunk, from, to int) {
		w := &e.workers[worker]
		w.laps.begin()
		w.publishAll(from, to)
		w.laps.end(StagePublish)
		w.touchPublish()
		e.runs[chunk] = eventRun{worker: worker, from: len(w.events), to: len(w.events)}
	}
}

// fixed sets the clock to a tick: its number over the rate, not a sum of quanta,
// which are rounded (scenario-format.md).
func (k *clock) fixed(tick uint64, ticksPerSecond float64) {
	k.now = position.Clock(tick, ticksPerSecond)
	k.sim, k.beat = k.now, tick
}

// AdvanceTo moves the world of an engine with [Options.RetailClock] on to a time
// in seconds, as a rendered frame does, and reports whether it did: less than 1/30 s
// after the last one nothing happens, and inputs wait (spec 11 §4.1). An embedder
// who waits for cells does not call. Time that runs back sets the clock alone. What
// it does is what [Engine.Tick] does, but for the updates: each body is stepped by
// the time on its own clock (11 §4.2): in steps of 0.2 s and a last one of more than
// 1/30 s, or one step if it is at most 0.2 s in all, or not at all after more than
// two seconds; a body that is new, or became active, not before the next frame. A
// time that is no number, negative or beyond [MaxSeconds] is refused ([ErrClock]).
func (e *Engine) AdvanceTo(now float64) (bool, error) {
	k := &e.clock
	switch {
	case !e.options.RetailClock:
		return false, fmt.Errorf("%w: the engine runs by fixed ticks", ErrClock)
	case !(now >= 0 && now <= MaxSeconds):
		return false, fmt.Errorf("%w: %v s", ErrClock, now)
	}
	e.tape.advance(now)
	last, run := position.WorldGate(k.last, now, false)
	if k.last = last; !run {
		return false, nil
	}
	k.now, k.sim = now, now
	k.beat = max(k.beat, uint64(now*e.options.TicksPerSecond))
	quantum := e.quantum
	view := e.begin()
	told := len(e.workers[0].events)
	e.classify()
	e.events = append(e.events, e.workers[0].events[told:]...)
	for n := 0; e.stepClasses(n); n++ {
		k.sim = now
		e.deliver(&e.workers[0])
		e.laps.end(StageDeliver)
		k.sim = now
	}
	e.quantum = quantum
	cold := e.world.Columns().Cold
	for i, c := range k.of {
		if c != notUpdated {
			cold[i].Errand.SetUpdateTime(&e.world.Pools, k.classes[c].steps.UpdateTime)
		}
	}
	e.update(k.show)
	e.done = e.tick
	e.follow(view)
	e.end(view)
	return true, nil
}

// classify is the head of update_object for all (spec 11 §4.2): the guards, the
// distance to the viewer, and who has how many steps to take.
func (e *Engine) classify() {
	k, c, w, p := &e.clock, e.world.Columns(), &e.workers[0], &e.world.Pools
	k.classes = k.classes[:0]
	k.of = sized(k.of, e.world.Rows(), 0)
	for i := range k.of {
		k.of[i] = notUpdated
		body, errand := &c.Body[i], &c.Cold[i].Errand
		was := body.Transient
		guarded := position.Guard(&c.Pose[i], body, e.options.Viewer, true)
		if is := body.Transient & components.Active; is != was&components.Active {
			if is != 0 {
				errand.SetUpdateTime(p, k.now)
			}
			w.emit(i, Event{Kind: activity(is != 0)})
		}
		if guarded {
			of := k.classOf(errand.UpdateTime(p))
			k.of[i] = of
			if x, guid := &k.classes[of], e.world.Guid(i); x.least == 0 || guid < x.least {
				x.least = guid
			}
		}
	}
	k.order = k.order[:0]
	for i := range k.classes {
		k.order = append(k.order, int32(i))
	}
	slices.SortFunc(k.order, func(a, b int32) int { return cmp.Compare(k.classes[a].least, k.classes[b].least) })
}

// classOf finds the class of a body by its clock, or makes it.
func (k *clock) classOf(at float64) int32 {
	for i := range k.classes {
		if k.classes[i].at == at {
			return int32(i)
		}
	}
	k.classes = append(k.classes, class{at: at, steps: position.Quanta(at, k.now)})
	return int32(len(k.classes) - 1)
}

// stepClasses has each class take its n-th step; it reports whether one did.
func (e *Engine) stepClasses(n int) (some bool) {
	k := &e.clock
	for _, i := range k.order {
		c := &k.classes[i]
		switch s := &c.steps; {
		case n < s.Whole:
			c.at += position.MaxQuantum
			e.quantum = float32(position.MaxQuantum)
		case n == s.Whole && s.Rest != 0:
			c.at = s.UpdateTime
			e.quantum = s.Rest
		default:
			continue
		}
		k.class, k.sim = i, c.at
		e.update(k.step)
		some = true
	}
	return some
}

// restartClock has the body's clock begin now: it entered the world or became active.
func (m *mover) restartClock() {
	if e := m.w.e; e.options.RetailClock {
		m.row().Errand.SetUpdateTime(&e.world.Pools, e.clock.now)
	}
}

// hash adds what later ticks depend on. Fixed ticks follow from their number.
func (k *clock) hash(h *ecs.Hash, retail bool) {
	if retail {
		h.F64(k.last)
		h.F64(k.now)
		h.U64(k.beat)
	}
}
