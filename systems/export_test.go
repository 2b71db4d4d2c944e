package systems

import (
	"io"

	"github.com/gait-engine/gait/ecs"
)

// SnapshotBytes returns how long a snapshot is without compression.
func (e *Engine) SnapshotBytes() (int64, error) { return e.snapshot(io.Discard, false) }

// StateBytes returns what the state takes where it lives: columns, and pools with
// what spare room they have.
func (e *Engine) StateBytes() uintptr {
	return uintptr(e.world.Rows())*ecs.RowBytes + e.world.Pools.Bytes()
}
