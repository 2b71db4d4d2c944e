package gait

import (
	"fmt"
	"sync/atomic"
)

// owner says which of the methods that are for one goroutine at a time is at work.
// It finds mistakes; it does not make anybody wait.
type owner struct{ at atomic.Int32 }

// method is one of them.
type method int32

const (
	atNone method = iota // the zero Engine, which is none
	atRest
	atClosed
	atTick
	atLookup
	atEvents
	atOutcomes
	atOutbound
	atReports
	atSequence
	atCreate
	atParts
	atInspect
	atNow
	atLen
	atBytes
	atHash
	atCheck
	atSnapshot
	atRecord
	atCheckpoint
	atLost
	atReplay
	atClose
)

var methodNames = [...]string{
	"nothing", "nothing", "Close", "Tick", "Lookup", "Events", "Outcomes", "Outbound", "Reports", "NextSequence", "CreateMessage", "PartFrames",
	"Inspect", "Now", "Len", "Bytes", "Hash", "Check", "Snapshot", "Record", "Checkpoint", "RecordingErr", "Replay", "Close",
}

// take has the engine be a method's until free.
func (o *owner) take(m method) {
	if !o.at.CompareAndSwap(int32(atRest), int32(m)) {
		o.misused(m)
	}
}

func (o *owner) free() { o.set(atRest) }

func (o *owner) set(m method) { o.at.Store(int32(m)) }

func (o *owner) is(m method) bool { return method(o.at.Load()) == m }

// look is take and free for methods that only look, and return at once.
func (o *owner) look(m method) {
	if !o.is(atRest) {
		o.misused(m)
	}
}

// misused panics about a method that was called when it may not be.
func (o *owner) misused(m method) {
	switch at := method(o.at.Load()); at {
	case atNone:
		panic(fmt.Sprintf("gait: %s was called on an Engine that neither New nor Restore nor Recover has made.", methodNames[m]))
	case atClosed:
		panic(fmt.Sprintf("gait: %s was called on an engine that has been closed.", methodNames[m]))
	case atRest:
		panic(fmt.Sprintf("gait: %s was called by two goroutines at once. Only inputs, View and Stats are for any goroutine.", methodNames[m]))
	default:
		panic(fmt.Sprintf("gait: %s was called while %s was at work, by what that calls or by another goroutine. Only inputs, View and Stats are for any time.", methodNames[m], methodNames[at]))
	}
}
