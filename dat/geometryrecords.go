package dat

import "github.com/gait-engine/gait/space"

// VertexArray holds the points that polygons name by their ids (spec 21 §7.1).
type VertexArray struct {
	Type     uint32 // 1
	Vertices []Vertex
}

// Vertex is a point of a model.
type Vertex struct {
	ID             uint16
	Origin, Normal space.Vec3
	UVs            [][2]float32
}

// The bits of PolygonRecord.Stippling that change the layout.
const (
	noPosUVs = 4
	noNegUVs = 8
)

// PolygonRecord is a polygon as it is stored; its plane is not.
type PolygonRecord struct {
	ID                     uint16
	Stippling              uint8
	Sides                  int32 // 0 one-sided, 1 two-sided, 2 two surfaces
	PosSurface, NegSurface int16
	Vertices               []uint16 // ids, at most 255
	PosUVs                 []uint8  // one a vertex unless Stippling & 4
	NegUVs                 []uint8  // one a vertex when Sides is 2 and not Stippling & 8
}

// BSPNode is a node of a cell, physics or drawing tree. Which fields a record
// holds follows from the kind of tree and the tag; the others are zero.
type BSPNode struct {
	Tag      string // four characters: LEAF, PORT, BPnn, BPIn, BpIN, BpnN, BPIN, BPnN, or any other, which has no children
	Plane    Plane
	Pos, Neg *BSPNode
	Index    int32 // of a leaf
	Solid    int32 // of a physics leaf
	Sphere   Sphere
	Polygons []uint16 // ids
	Portals  []BSPPortal
}

// BSPPortal is a portal in a PORT node of a drawing tree.
type BSPPortal struct{ Polygon, Portal uint16 }

// GfxObj is a record 0x01: a model (spec 21 §7.2).
type GfxObj struct {
	ID          uint32
	Flags       uint32 // 1 physics, 2 drawing, 8 degrade
	Surfaces    []uint32
	Vertices    VertexArray
	Physics     []PolygonRecord // with flags & 1
	PhysicsTree *BSPNode
	SortCentre  space.Vec3
	Polygons    []PolygonRecord // with flags & 2
	DrawingTree *BSPNode
	Degrade     uint32 // with flags & 8
}

// Environment is a record 0x0D: the insides that indoor cells are made of (spec 21 §7.3).
type Environment struct {
	ID    uint32
	Cells []CellStructure
}

// CellStructure is one inside.
type CellStructure struct {
	Number      uint32
	Vertices    VertexArray
	Polygons    []PolygonRecord
	Portals     []uint16 // ids among Polygons
	PortalPad   Pad
	CellTree    *BSPNode
	Physics     []PolygonRecord
	PhysicsTree *BSPNode
	HasDrawing  uint32 // not 0: the drawing tree is there
	DrawingTree *BSPNode
	Pad         Pad
}
