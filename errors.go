package gait

import (
	"errors"

	"github.com/gait-engine/gait/systems"
)

var (
	// ErrOptions refuses options.
	ErrOptions = systems.ErrOptions
	// ErrFull refuses an input because as much waits as [Options.MaxWaiting] lets: run a tick, or drop it.
	ErrFull = errors.New("gait: too many inputs wait for the next tick")
	// ErrClosed refuses inputs after [Engine.Close].
	ErrClosed = errors.New("gait: the engine is closed")
	// ErrReplay refuses inputs to an engine that [Replay] shows.
	ErrReplay = errors.New("gait: a replay takes no inputs of others")
	// ErrStale says that a [View] was held too long.
	ErrStale = errors.New("gait: a view is good until the second tick after its own begins")
	// ErrRecording refuses to record what is being recorded, or to note a state of what is not.
	ErrRecording = errors.New("gait: not now")
)
