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

// NextTo reports whether c and d lie in one landblock or in neighbouring ones, so that
// who is in one is in sight from the other (spec 15 §5).
func (c CellID) NextTo(d CellID) bool {
	dx, dy := c.BlockX()-d.BlockX(), c.BlockY()-d.BlockY()
	return dx >= -1 && dx <= 1 && dy >= -1 && dy <= 1
}

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
	if c.Indoors() || !c.InboundValid() {
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

// coordMax bounds |x| and |y| before they are converted to an integer, metres:
// twice the world's side, so that nothing it keeps out could be inside.
const coordMax = 2 * WorldCells * CellSide

// AdjustToOutside brings a point into the outdoor cell that contains it and
// returns that cell with the point local to its block. The cell is 0 when the
// index was invalid or the point lies outside the world; an x or y that is not
// finite counts as outside, z is not looked at (spec 10 §6).
//
// The cell is told from the point as it is returned, after the one rounding
// that a wrap may cost, so the two always agree: −48.000004 becomes 144, in the
// cell that begins there. Doing it all again changes nothing but this: an x or
// y that has landed less than [Eps] beyond a block's border becomes 0.
func AdjustToOutside(c CellID, o Vec3) (CellID, Vec3) {
	c, o[0], o[1] = adjustToOutside(c, o[0], o[1])
	return c, o
}

// adjustToOutside is [AdjustToOutside] in numbers: see [At].
func adjustToOutside(c CellID, x, y float32) (CellID, float32, float32) {
	if !c.IndexValid() {
		return 0, x, y
	}
	if Abs(x) < Eps {
		x = 0
	}
	if Abs(y) < Eps {
		y = 0
	}
	px, py := x, y
	bx, by := c.BlockX(), c.BlockY()
	if !(x >= 0 && x < BlockSide && y >= 0 && y < BlockSide) {
		if !(Abs(x) <= coordMax && Abs(y) <= coordMax) {
			return 0, px, py
		}
		fx, fy := math.Floor(float64(x)/BlockSide), math.Floor(float64(y)/BlockSide)
		bx, by = bx+int32(fx), by+int32(fy)
		x -= float32(fx * BlockSide)
		y -= float32(fy * BlockSide)
	}
	if uint32(bx) >= WorldCells/8 || uint32(by) >= WorldCells/8 {
		return 0, px, py
	}
	cx, cy := uint32(int32(x))/CellSide, uint32(int32(y))/CellSide // whole metres give the same cell
	return CellID(uint32(bx)<<24 | uint32(by)<<16 | (cx*8 + cy + 1)), x, y
}
