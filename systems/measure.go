package systems

import (
	"unsafe"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/collision"
)

// Stage is a part of a tick, of which [Engine.Measure] has told what it costs.
type Stage uint8

// The stages in their order. Those that are shared run chunk by chunk, side by
// side on all workers; the others run on one alone.
const (
	StageInbound  Stage = iota // who comes and goes, commands, messages that may reach further than one remote
	StageLanes                 // shared, where there are workers to share it: messages that do not
	StageStand                 // how those stand whom others read of; by the retail clock, who has steps to take
	StageGlide                 // shared: who has to take the stages that follow; who glides is taken through them at once
	StageSequence              // shared
	StageAdjust                // shared
	StageSweep                 // shared
	StagePublish               // shared; with it a chunk's events come into row order
	StageShow                  // shared: how all stand now is noted for those who run into them
	StageRegister              // in which cells they stand
	StageDeliver               // what is held, what remotes tell each other, events, messages to send

	// Stages is how many there are.
	Stages = int(iota)
)

var stageNames = [Stages]string{"inbound", "lanes", "stand", "glide", "sequence", "adjust", "sweep", "publish", "show", "register", "deliver"}

// String returns the name of the stage.
func (s Stage) String() string {
	if int(s) < Stages {
		return stageNames[s]
	}
	return "no stage"
}

// Shared reports whether workers share the stage.
func (s Stage) Shared() bool {
	return s == StageLanes || s >= StageGlide && s <= StagePublish || s == StageShow
}

// Cost is what one tick took, stage by stage.
type Cost struct {
	// Ns is time by the clock of [Engine.Measure], of shared stages the sum over workers.
	Ns [Stages]int64
	// Bytes is what the stage touches, estimated: of the rows that it does not skip
	// the columns that it walks, each whole; messages, and a row for each; events.
	// Not in it are tables, the land, what cells' lists hold, overflow of queues,
	// the rare managers ([components.Errand]), and scratch, which stays in the cache.
	// What a stage touches that the one before has touched counts again.
	Bytes [Stages]int64
	// Shared is the time in which workers shared stages, from when the first began
	// until the last was done.
	Shared int64
}

// Measure has the ticks from now on measured by a clock that the caller owns, in
// ns since whenever; nil ends it, and then costs nothing. The clock is read a few times
// a tick and seven times a chunk, from all workers at once. It has no effect on the answer.
func (e *Engine) Measure(clock func() int64) {
	e.laps.clock = clock
	for i := range e.workers {
		e.workers[i].laps.clock = clock
	}
}

// Cost returns what the last tick cost that was measured.
func (e *Engine) Cost() Cost {
	c := e.laps.cost
	for i := range e.workers {
		w := &e.workers[i].laps.cost
		for s := range Stages {
			c.Ns[s] += w.Ns[s]
			c.Bytes[s] += w.Bytes[s]
		}
	}
	return c
}

// laps is what the stages of a tick cost one goroutine. Without a clock it does nothing.
type laps struct {
	clock func() int64
	at    int64 // when the last lap ended
	cost  Cost
}

// begin begins a lap, whatever was before.
func (l *laps) begin() {
	if l.clock != nil {
		l.at = l.clock()
	}
}

// end ends a lap, all of which was in a stage; the next one begins.
func (l *laps) end(s Stage) {
	if l.clock != nil {
		now := l.clock()
		l.cost.Ns[s] += now - l.at
		l.at = now
	}
}

// shared ends a lap in which workers shared stages.
func (l *laps) shared() {
	if l.clock != nil {
		now := l.clock()
		l.cost.Shared += now - l.at
		l.at = now
	}
}

// touch adds to what a stage touches.
func (l *laps) touch(s Stage, rows int, bytes uintptr) {
	if l.clock != nil {
		l.cost.Bytes[s] += int64(rows) * int64(bytes)
	}
}

// beginLaps begins the tick's.
func (e *Engine) beginLaps() {
	if e.laps.clock == nil {
		return
	}
	e.laps.cost = Cost{}
	for i := range e.workers {
		e.workers[i].laps.cost = Cost{}
	}
	e.laps.begin()
}

// ViewBytes is what a tick writes into the view of a remote that moves.
const ViewBytes = unsafe.Sizeof(space.CellID(0)) + unsafe.Sizeof(space.Vec3{}) + unsafe.Sizeof(space.Quat{}) + unsafe.Sizeof(space.Vec3{}) +
	unsafe.Sizeof(Flags(0)) + unsafe.Sizeof(uint32(0)) + unsafe.Sizeof(float64(0)) + unsafe.Sizeof(restFrame{}.since)

// What stages touch of a row, or of a thing.
const (
	restBytes         = unsafe.Sizeof(components.Rest{})
	bodyBytes         = unsafe.Sizeof(components.Pose{}) + unsafe.Sizeof(components.Body{})
	sequenceBytes     = unsafe.Sizeof(components.Sequence{})
	leashBytes        = unsafe.Sizeof(components.Leash{})
	chaseBytes        = unsafe.Sizeof(components.Chase{})
	messageBytes      = unsafe.Sizeof(item{}) + unsafe.Sizeof(Outcome{}) + unsafe.Sizeof(components.Values{})
	eventBytes        = 2 * unsafe.Sizeof(Event{}) // where it was made, and among all
	registrationBytes = unsafe.Sizeof(registration{}) + unsafe.Sizeof(collision.Obstacle{}) + collision.WalkerBytes
)

// touchStep adds what the stages of a step have touched of some rows.
func (w *worker) touchStep(from, to int) {
	if w.laps.clock == nil {
		return
	}
	updated, chasing := 0, 0
	for _, k := range w.slow {
		is := one(w.steps[k])
		updated += is
		chasing += is & one(w.c.Rest[from+int(k)].Busy&components.Chases != 0)
	}
	half := len(w.rows) - len(w.slow) // glided up to the sweep
	w.laps.touch(StageGlide, to-from, restBytes)
	w.laps.touch(StageGlide, half+w.glided, bodyBytes+sequenceBytes+leashBytes)
	w.laps.touch(StageGlide, w.glided, ViewBytes)
	w.laps.touch(StageGlide, w.pursued, chaseBytes)
	w.laps.touch(StageSequence, updated, restBytes+bodyBytes+sequenceBytes)
	w.laps.touch(StageAdjust, updated, restBytes+bodyBytes+leashBytes)
	w.laps.touch(StageAdjust, chasing, chaseBytes)
	w.laps.touch(StageSweep, chasing, chaseBytes)
	w.laps.touch(StageSweep, half+updated, restBytes+bodyBytes)
	if w.e.land != nil {
		const around = unsafe.Sizeof(components.Touch{}) + collision.WalkerBytes
		w.laps.touch(StageSweep, half+updated, around)
		w.laps.touch(StageGlide, w.glided, around)
	}
	w.laps.begin()
}

// touchPublish adds what publishing has touched of the rows in hand.
func (w *worker) touchPublish() {
	w.laps.touch(StagePublish, len(w.rows), restBytes+bodyBytes+sequenceBytes+leashBytes+ViewBytes)
}

// one counts, without a branch that nobody could predict.
func one(is bool) int {
	if is {
		return 1
	}
	return 0
}
