package dat

import "github.com/gait-engine/gait/space"

// LandBlock is a record 0xXXYYFFFF: the ground (spec 21 §8.1). Vertex (x, y) of
// its 9 × 9 has the index x·9 + y, x to the east.
type LandBlock struct {
	ID         uint32
	HasObjects uint32     // not 0: there is a LandBlockInfo
	Terrain    [81]uint16 // bits 0–1 road, 2–6 type, 11–15 scenery
	Heights    [81]uint8  // indexes of the region's height table
	Pad        uint8
}

// LandBlockInfo is a record 0xXXYYFFFE: what stands on the ground (spec 21 §8.2).
type LandBlockInfo struct {
	ID           uint32
	Cells        uint32 // how many indoor cells the block has
	Objects      []ObjectRecord
	Buildings    []BuildingRecord
	PackMask     uint16        // 1 has restrictions
	Restrictions []Restriction // with PackMask & 1
	Buckets      uint16        // of the restrictions' table, with PackMask & 1
}

// ObjectRecord is a model and where it stands.
type ObjectRecord struct {
	Model uint32 // a GfxObj or a Setup
	Frame space.Frame
}

// BuildingRecord is a building and its portals.
type BuildingRecord struct {
	Model   uint32
	Frame   space.Frame
	Leaves  uint32
	Portals []BuildingPortalRecord
}

// BuildingPortalRecord leads from the land to an indoor cell.
type BuildingPortalRecord struct {
	Flags       uint16
	OtherCell   uint16
	OtherPortal uint16
	Cells       []uint16
	Pad         Pad
}

// The bits of EnvCell.Flags (spec 21 §8.3).
const (
	SeenOutside    = 1
	hasObjects     = 2
	hasRestriction = 8
)

// EnvCell is a record 0xXXYY0100…: an indoor cell (spec 21 §8.3).
type EnvCell struct {
	ID          uint32
	Flags       uint32   // 1 seen outside, 2 has objects, 8 has a restriction
	Surfaces    []uint16 // at most 255
	Environment uint16   // low half of the id
	Structure   uint16   // the cell structure's number
	Frame       space.Frame
	Portals     []CellPortalRecord // at most 255
	Visible     []uint16           // low halves of cell ids
	Objects     []ObjectRecord     // with flags & 2
	Restriction uint32             // with flags & 8
}

// CellPortalRecord leads from an indoor cell to another or outside.
type CellPortalRecord struct {
	Flags       uint16 // 1 exact match, 2 inverted side, 4 outside
	Polygon     uint16 // id among the cell structure's portals
	OtherCell   uint16
	OtherPortal uint16
}

// Region is the record 0x13000000 up to its height table (spec 21 §8.4).
type Region struct {
	ID      uint32
	Number  uint32
	Version uint32
	Name    string // bytes of Windows-1252
	NamePad Pad

	// The client ignores these and uses its own.
	BlockLength     int32
	BlockWidth      int32
	Square          float32
	SquaresPerBlock int32
	VerticesPerCell int32
	MaxObjectHeight float32
	SkyHeight       float32
	RoadWidth       float32

	Heights [256]float32 // metres
	Rest    []byte       // calendar, sky, sounds, scenes, terrain, as stored
}
