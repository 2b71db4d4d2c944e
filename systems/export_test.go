package systems

import "io"

// SnapshotBytes returns how long a snapshot is without compression.
func (e *Engine) SnapshotBytes() (int64, error) { return e.snapshot(io.Discard, false) }
