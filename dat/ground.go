package dat

import "github.com/gait-engine/gait/space"

const (
	blockCells    = 8 // cells along a block
	blockVertices = 9
	cellSide      = float32(space.CellSide)
)

// SplitValue is the number whose top bit says how a land cell is cut into two
// triangles: set, along its diagonal SW–NE; clear, NW–SE (spec 14 L1). x and y
// count cells over the whole world.
func SplitValue(x, y int32) uint32 {
	a, b := uint32(x), uint32(y)
	return a*b*0x0CCAC033 + b*0x6C1AC587 - a*0x421BE3BD - 0x519B8F25
}

// WaterType reports whether the type in a terrain word is water (spec 14 L1).
func WaterType(terrain uint16) bool {
	t := terrain >> 2 & 31
	return t >= 16 && t <= 20
}

// Vertex returns vertex (x, y) of the block, each 0..8, in its own coordinates.
func (b *Block) Vertex(x, y int32) space.Vec3 {
	return space.Vec3{float32(cellSide * float32(x)), float32(cellSide * float32(y)), b.Heights[x*blockVertices+y]}
}

// Triangle returns triangle i, 0 or 1, of cell cx·8 + cy, in the order of
// Planes: (SW,SE,NE) and (SW,NE,NW), or (SW,SE,NW) and (NE,NW,SE).
func (b *Block) Triangle(cell, i int32) [3]space.Vec3 {
	x, y := cell/blockCells, cell%blockCells
	sw, se, ne, nw := b.Vertex(x, y), b.Vertex(x+1, y), b.Vertex(x+1, y+1), b.Vertex(x, y+1)
	switch {
	case b.SWNE[cell] && i == 0:
		return [3]space.Vec3{sw, se, ne}
	case b.SWNE[cell]:
		return [3]space.Vec3{sw, ne, nw}
	case i == 0:
		return [3]space.Vec3{sw, se, nw}
	}
	return [3]space.Vec3{ne, nw, se}
}

// addGround compiles the mesh and the water (spec 14 L1).
func (b *Block) addGround(l *LandBlock, heights []float32) error {
	b.Terrain = l.Terrain
	for i, h := range l.Heights {
		b.Heights[i] = heights[h]
	}
	wet := 0 // water vertices of the block
	for i := range b.Terrain {
		if WaterType(b.Terrain[i]) {
			wet++
		}
	}
	b.Whole = waterOf(wet, len(b.Terrain))
	for cell := range int32(len(b.SWNE)) {
		x, y := cell/blockCells, cell%blockCells
		b.SWNE[cell] = SplitValue(b.X*blockCells+x, b.Y*blockCells+y)>>31 != 0
		wet := 0
		for _, i := range [4]int32{0, 1, blockVertices, blockVertices + 1} {
			if WaterType(b.Terrain[x*blockVertices+y+i]) {
				wet++
			}
		}
		b.Water[cell] = waterOf(wet, 4)
		for i := range int32(2) {
			t := b.Triangle(cell, i)
			plane, reason := planeOf(t[:])
			if reason != "" {
				return recordError(l.ID, ErrGeometry, "triangle %d of cell (%d, %d): %s", i, x, y, reason)
			}
			b.Planes[2*cell+i] = plane
		}
	}
	return nil
}

func waterOf(wet, all int) Water {
	switch wet {
	case 0:
		return Dry
	case all:
		return EntirelyWater
	}
	return PartlyWater
}
