package dat

import "github.com/gait-engine/gait/space"

// Polygon is one physics polygon, compiled: a plane and a run of vertices.
type Polygon struct {
	Normal space.Vec3 // unit; the plane is Normal·p + D = 0
	D      float32    // metres
	First  int32      // its vertices are Shapes.Vertices[First:First+Count], in order
	Count  int32
	Sides  int32  // 0 one-sided, 1 two-sided, 2 two surfaces (spec 21 §7.1)
	ID     uint16 // as in the record
}

// Node is one node of a physics tree or of a containment tree.
type Node struct {
	Normal space.Vec3 // of the splitting plane; zero in a leaf
	D      float32
	Centre space.Vec3 // bounding sphere, physics trees only
	Radius float32
	Pos    int32 // child on the positive side, in Shapes.Nodes; None without
	Neg    int32
	First  int32 // leaf: its polygons are those that Shapes.Leaves[First:First+Count] index
	Count  int32
	Leaf   bool
	Solid  bool
}

// Hull is the physics half of a GfxObj or of one cell structure.
type Hull struct {
	ID           uint32 // of the GfxObj or Environment
	Number       uint32 // of the cell structure, 0 for a GfxObj
	Root         int32  // of the physics tree, in Shapes.Nodes; None without
	Cell         int32  // of the containment tree, in Shapes.Nodes; None for a GfxObj
	FirstPolygon int32  // physics polygons, in Shapes.Polygons
	PolygonCount int32
	Min, Max     space.Vec3 // box of the whole vertex array, zero when that is empty
	FirstPortal  int32      // cell structures: Shapes.Portals[FirstPortal:FirstPortal+PortalCount] index Shapes.Polygons
	PortalCount  int32
}

// Shapes are all polygons that bodies collide with, flat and by index.
type Shapes struct {
	Vertices []space.Vec3
	Polygons []Polygon
	Nodes    []Node
	Leaves   []int32 // polygon indexes
	Portals  []int32 // polygon indexes
	Hulls    []Hull

	hulls map[hullKey]int32
}

type hullKey struct{ id, number uint32 }

// GfxObj returns the hull of a GfxObj.
func (s *Shapes) GfxObj(id uint32) (int32, bool) { return s.hull(hullKey{id, 0}) }

// Structure returns the hull of a cell structure, by the environment's whole id
// and the structure's number.
func (s *Shapes) Structure(environment, number uint32) (int32, bool) {
	return s.hull(hullKey{environment, number})
}

func (s *Shapes) hull(k hullKey) (int32, bool) {
	if i, ok := s.hulls[k]; ok {
		return i, true
	}
	return None, false
}

// Plane is Normal·p + D = 0.
type Plane struct {
	Normal space.Vec3 // unit
	D      float32    // metres
}

// Water is how much of a land cell or block is water.
type Water uint8

const (
	Dry Water = iota
	PartlyWater
	EntirelyWater
)

// Block is a landblock, compiled: its ground, what stands on it and its indoor
// cells. All coordinates are local to the block, metres.
type Block struct {
	X, Y int32 // of the block, 0..254

	Heights [81]float32 // vertex x·9 + y, at (24x, 24y)
	Terrain [81]uint16  // vertex words: type in bits 2–6
	SWNE    [64]bool    // cell cx·8 + cy: the diagonal runs SW–NE, else NW–SE
	Planes  [128]Plane  // cell c has 2c and 2c + 1, in the order of Triangle
	Water   [64]Water   // by cell
	Whole   Water       // of the block
	Statics []Static    // those on the land first, then those of the indoor cells
	Outdoor int32       // how many of Statics stand on the land

	Buildings       []Building
	BuildingPortals []BuildingPortal
	BuildingCells   []uint16 // low halves of cell ids, the lists of the building portals

	Cells   []IndoorCell // Cells[i] has the id 0xXXYY0100 + i
	Portals []CellPortal
	Visible []uint16 // low halves of cell ids, the visibility lists

	Restrictions []Restriction // of the land
}

// Static is an object that belongs to the land or to an indoor cell. Exactly one of Setup and Hull is not None.
type Static struct {
	Model uint32
	Setup int32 // in Tables.Setups
	Hull  int32 // in Shapes.Hulls
	Frame space.Frame
}

// Building is the shell of indoor cells.
type Building struct {
	Model       uint32
	Setup       int32 // in Tables.Setups; None when the model is a GfxObj
	Hull        int32 // of the model's part 0
	Frame       space.Frame
	Leaves      uint32 // as in the record
	FirstPortal int32  // in Block.BuildingPortals
	PortalCount int32
}

// BuildingPortal is a way from the land into a building.
type BuildingPortal struct {
	Flags       uint16 // as stored: 1 exact match, 2 inverted side
	OtherCell   uint16 // low half of the inside cell's id
	OtherPortal int16  // −1 for none
	FirstCell   int32  // in Block.BuildingCells
	CellCount   int32
}

// IndoorCell is an environment cell.
type IndoorCell struct {
	ID           uint32
	Hull         int32 // of the cell structure, in Shapes.Hulls
	Frame        space.Frame
	FirstPortal  int32 // in Block.Portals
	PortalCount  int32
	FirstVisible int32 // in Block.Visible
	VisibleCount int32
	FirstStatic  int32 // in Block.Statics
	StaticCount  int32
	Restriction  uint32 // the restriction object, 0 for none
	SeenOutside  bool
}

// CellPortal is a way out of an indoor cell.
type CellPortal struct {
	OtherCell   uint16 // low half of the other cell's id; 0xFFFF with Outside
	OtherPortal int16  // −1 for none
	Polygon     int32  // in Shapes.Polygons, in the cell's own axes
	Flags       uint16 // as stored
	Side        bool   // portal side: bit 2 of Flags is clear
	Outside     bool
}

// Restriction is an entry of a landblock's restriction table.
type Restriction struct{ Key, Object uint32 }
