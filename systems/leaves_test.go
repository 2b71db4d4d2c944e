package systems

import (
	"testing"

	"github.com/gait-engine/gait/systems/position"
)

// Who is placed beyond the world without a sweep is in no cell, which is told once (15 §4).
func TestSpec15_4_PlacedBeyondTheWorld(t *testing.T) {
	r := newRig(t, Options{})
	r.spawn(human(me, 108, 108))
	r.tick(1)
	m := r.mover(me)
	was, to := m.where(), m.row().Pose.Position
	to.Cell = 0xFE400001
	to.Frame.Origin[0] = 500
	m.Place(to, position.PlaceHard)
	m.moved(was)
	if n := len(m.w.events); m.row().Pose.Cell != 0 || n == 0 || m.w.events[n-1].Kind != CellChanged || m.w.events[n-1].To.Cell != 0 {
		t.Errorf("in %08X, told %v", uint32(m.row().Pose.Cell), m.w.events)
	}
}
