package space

import "math"

// CellID names a cell: landblock east, landblock north, index (spec 10 §4).
type CellID uint32

const (
	// BlockSide is the side of a landblock in metres: 8 cells.
	BlockSide = 192
	// CellSide is the side of an outdoor cell in metres.
	CellSide = 24
	// WorldCells is the number of outdoor cells along each side of the world.
	WorldCells = 0x7F8
)

// Index returns the cell's number inside its block.
func (c CellID) Index() uint32 { return uint32(c) & 0xFFFF }

// BlockX returns the landblock's number eastwards.
func (c CellID) BlockX() int32 { return int32(c >> 24) }

// BlockY returns the landblock's number northwards.
func (c CellID) BlockY() int32 { return int32(c >> 16 & 0xFF) }

// SameBlock reports whether c and d lie in one landblock.
func (c CellID) SameBlock(d CellID) bool { return c>>16 == d>>16 }

// Indoors reports whether the index is at least 0x100. An invalid index below
// that counts as outdoors (spec 10 §4).
func (c CellID) Indoors() bool { return c.Index() >= 0x100 }

// IndexValid reports whether the index is 1..0x40, 0x100..0xFFFD or 0xFFFF.
func (c CellID) IndexValid() bool {
	i := c.Index()
	return i >= 1 && i <= 0x40 || i >= 0x100 && i <= 0xFFFD || i == 0xFFFF
}

// InboundValid reports whether the index is valid and the block lies inside
// the world on both axes (blocks 0..0xFE).
func (c CellID) InboundValid() bool {
	return c.IndexValid() && c.BlockX()*8 < WorldCells && c.BlockY()*8 < WorldCells
}

// LCoord returns the global cell coordinates of an outdoor cell, each 0..2039;
// ok is false for an indoor cell, an invalid index or a block outside the world.
func (c CellID) LCoord() (x, y int32, ok bool) {
	if i := c.Index(); i < 1 || i > 0x40 || !c.InboundValid() {
		return 0, 0, false
	}
	i := int32(c.Index()) - 1
	return c.BlockX()*8 + i>>3, c.BlockY()*8 + i&7, true
}

// LCoordToCell returns the outdoor cell at global cell coordinates, 0 outside the world.
func LCoordToCell(x, y int32) CellID {
	if x < 0 || y < 0 || x >= WorldCells || y >= WorldCells {
		return 0
	}
	return CellID(uint32(x>>3)<<24 | uint32(y>>3)<<16 | uint32(x&7*8+y&7+1))
}

// AdjustToOutside brings a point into the outdoor cell that contains it and
// returns that cell with the point local to its block. The cell is 0 when the
// index was invalid or the point lies outside the world (spec 10 §6). A point
// that is not finite counts as outside.
func AdjustToOutside(c CellID, o Vec3) (CellID, Vec3) {
	if !c.IndexValid() {
		return 0, o
	}
	if Abs(o[0]) < Eps {
		o[0] = 0
	}
	if Abs(o[1]) < Eps {
		o[1] = 0
	}
	// the common case: still in the block, so no wrap
	if o[0] >= 0 && o[0] < BlockSide && o[1] >= 0 && o[1] < BlockSide && c>>24 < 0xFF && c>>16&0xFF < 0xFF {
		cx, cy := uint32(float64(o[0])/CellSide), uint32(float64(o[1])/CellSide)
		return c&0xFFFF0000 | CellID(cx*8+cy+1), o
	}
	fx, fy := math.Floor(float64(o[0])/CellSide), math.Floor(float64(o[1])/CellSide)
	if !(math.Abs(fx) < 1e6 && math.Abs(fy) < 1e6) {
		return 0, o
	}
	id := LCoordToCell(c.BlockX()*8+int32(fx), c.BlockY()*8+int32(fy))
	if id == 0 {
		return 0, o
	}
	o[0] = wrapBlock(o[0])
	o[1] = wrapBlock(o[1])
	return id, o
}

func wrapBlock(x float32) float32 {
	return x - float32(float32(math.Floor(float64(x)/BlockSide))*BlockSide)
}
