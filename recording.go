package gait

import (
	"fmt"

	"github.com/gait-engine/gait/record"
	"github.com/gait-engine/gait/systems"
)

// Record begins to record the engine, as it stands, into a folder that holds no
// recording: every tick from now on is written when [Engine.Tick] returns, so that
// a process that ends at any moment loses none ([record.Log]). A tick cannot fail;
// the first write that does ends the recording, is logged, and is what
// [Engine.RecordingErr] and [Engine.Close] return.
func (e *Engine) Record(dir string, o record.Options) error {
	e.owner.take(atRecord)
	defer e.owner.free()
	if e.log != nil || e.replay {
		return fmt.Errorf("%w: the engine is being recorded, or replayed", ErrRecording)
	}
	e.take(true)
	log, err := record.Create(dir, e.engine, o)
	if err != nil {
		return err
	}
	e.log, e.lost = log, nil
	return nil
}

// Checkpoint writes the whole state to the recording and drops what is older than
// recovery needs. It takes about as long as twenty ticks, and what the disk takes. Where
// it fails the recording may go on all the same: [Engine.RecordingErr] says.
func (e *Engine) Checkpoint() error {
	e.owner.take(atCheckpoint)
	defer e.owner.free()
	if e.log == nil {
		return fmt.Errorf("%w: the engine is not being recorded", ErrRecording)
	}
	e.take(true)
	return e.log.Snapshot()
}

// RecordingErr returns what ended the recording, or what closing it met, nil while it
// goes on or when there was none. It may be called after [Engine.Close].
func (e *Engine) RecordingErr() error {
	if !e.owner.is(atClosed) {
		e.owner.look(atLost)
	}
	if e.log != nil {
		return e.log.Err()
	}
	return e.lost
}

// commit has the recording take a tick.
func (e *Engine) commit() {
	if e.log == nil {
		return
	}
	if err := e.log.Commit(); err != nil {
		e.options.Log.Error("the recording ended: ticks from here on are not in it", "tick", e.engine.Now(), "err", err)
		e.stopRecording()
	}
}

// stopRecording closes the recording, and keeps what ended it.
func (e *Engine) stopRecording() {
	if e.log != nil {
		e.lost = e.log.Close()
		e.log = nil
	}
}

// Recover makes the engine that was recorded into a folder, as it stood after its
// last whole tick, and goes on recording it there. o are the options of the one that
// was recorded, as [Restore] has it. Where there is no recording the error is
// [record.ErrNone]. One engine at a time: the process that recorded must have ended, since of two
// that write into one folder one's ticks are lost unnoticed. What was dropped is in the report's warnings, and logged.
func Recover(dir string, o Options, r record.Options) (*Engine, record.Report, error) {
	if err := o.fill(); err != nil {
		return nil, record.Report{}, err
	}
	s, report, err := record.Recover(dir, o.systems())
	if err != nil {
		return nil, report, err
	}
	for _, w := range report.Warnings {
		o.Log.Warn("recovering", "warning", w)
	}
	log, err := record.Resume(dir, s, report, r)
	if err != nil {
		return nil, report, err
	}
	e := wrap(s, o)
	e.log = log
	return e, report, nil
}

// Replay plays a recording from its oldest snapshot that can be read on, and calls each with the
// engine as that has it and after every tick. each may look at the engine, and neither
// feed nor tick it; an error of it ends the replay and is returned. Outcomes of inputs
// that were refused as their tick began are not in a recording. Nothing in the folder
// is changed.
func Replay(dir string, o Options, each func(e *Engine) error) (record.Report, error) {
	if each == nil {
		return record.Report{}, fmt.Errorf("%w: a replay is shown to nobody", ErrOptions)
	}
	if err := o.fill(); err != nil {
		return record.Report{}, err
	}
	var e *Engine
	begin := func(s *systems.Engine) error {
		e = wrap(s, o)
		e.replay, e.shut = true, ErrReplay
		return each(e)
	}
	_, report, err := record.Replay(dir, o.systems(), begin, func(s *systems.Engine, _ []byte) error {
		if s.Now() == e.view.tick { // inputs alone, that a checkpoint found waiting
			return nil
		}
		e.owner.take(atReplay)
		e.begun.Store(s.Now())
		e.merged = e.merged[:0]
		e.publish(e.now())
		e.owner.free()
		return each(e)
	})
	return report, err
}
