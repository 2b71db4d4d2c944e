package collision

import (
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// Sea reports whether a land cell belongs to a landblock that is all water, which
// bodies do not enter (14 L1).
func (w *World) Sea(id space.CellID) bool {
	c := w.Land.cell(id)
	return c.present() && c.block.Land.Whole == dat.EntirelyWater
}
