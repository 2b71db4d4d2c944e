package systems

import (
	"fmt"

	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/wire"
)

// ViewerAt checks where a viewer stands, as [Engine.SetViewer] does, and copies it,
// without its rotation. Of nil it makes nil.
func ViewerAt(p *space.Position) (*space.Position, error) {
	if p == nil {
		return nil, nil
	}
	viewer := space.Position{Cell: p.Cell, Frame: space.Frame{Origin: p.Frame.Origin, Rotation: space.IdentityQuat}}
	if err := wire.CheckPlace(&viewer); err != nil {
		return nil, fmt.Errorf("%w: the viewer's place in cell 0x%08X: %v", ErrOptions, uint32(viewer.Cell), err)
	}
	return &viewer, nil
}

// SetViewer moves the viewer of [Options] for the ticks to come; nil takes it away,
// and every remote is near. A remote's distance is taken at the head of its update,
// so the messages of the next tick still go by where the viewer was (spec 11 §4.2).
// A place that is none is refused ([ErrOptions]).
func (e *Engine) SetViewer(p *space.Position) error {
	viewer, err := ViewerAt(p)
	if err != nil {
		return err
	}
	e.options.Viewer, e.viewed, e.moved = viewer, true, true
	e.tape.viewer(viewer)
	return nil
}

// look brings the distances of those up to date whose update does not, after the
// viewer has moved: all without a viewer, else those at rest.
func (e *Engine) look() {
	if !e.moved {
		return
	}
	e.moved = false
	c, viewer := e.world.Columns(), e.options.Viewer
	for i := range c.Rest {
		switch b := &c.Body[i]; {
		case viewer == nil:
			b.PlayerDistance = 0
		case c.Rest[i].Since != 0:
			b.PlayerDistance = space.Distance(viewer, &c.Pose[i].Position)
		}
	}
}
