package dat

// Kind is what a record is, by its id (spec 21 §3).
type Kind uint8

const (
	Other Kind = iota // a record of a kind that this package does not know
	GfxObjKind
	SetupKind
	AnimationKind
	MotionTableKind
	EnvironmentKind
	RegionKind
	LandBlockKind
	LandBlockInfoKind
	EnvCellKind
	IterationKind
)

// String returns the kind's name.
func (k Kind) String() string {
	return [...]string{"record", "GfxObj", "Setup", "Animation", "MotionTable", "Environment", "Region",
		"LandBlock", "LandBlockInfo", "EnvCell", "iteration record"}[k]
}

// dataSet is which container holds records of this kind.
func (k Kind) dataSet() DataSet {
	switch k {
	case LandBlockKind, LandBlockInfoKind, EnvCellKind:
		return Cell
	}
	return Portal
}

// DataSet is what a container holds, and so how ids are read.
type DataSet uint32

const (
	Portal DataSet = 1
	Cell   DataSet = 2
	Local  DataSet = 3
)

// String returns the data set's name.
func (d DataSet) String() string {
	if d < Portal || d > Local {
		return "unknown"
	}
	return [...]string{"portal", "cell", "local"}[d-1]
}

// IterationID is the id of the iteration record (spec 21 §2.5).
const IterationID uint32 = 0xFFFF0001

// The id ranges that playing needs, both ends included.
const (
	GfxObjFirst, GfxObjLast           uint32 = 0x01000000, 0x0100FFFF
	SetupFirst, SetupLast             uint32 = 0x02000000, 0x0200FFFF
	AnimationFirst, AnimationLast     uint32 = 0x03000000, 0x0300FFFF
	MotionTableFirst, MotionTableLast uint32 = 0x09000000, 0x0900FFFF
	EnvironmentFirst, EnvironmentLast uint32 = 0x0D000000, 0x0D00FFFF
)

// RegionID is the id of the one region record.
const RegionID uint32 = 0x13000000

// LandBlockID returns the id of the record of landblock (x, y).
func LandBlockID(x, y uint8) uint32 { return blockID(x, y) | 0xFFFF }

// LandBlockInfoID returns the id of the record of what stands on landblock (x, y).
func LandBlockInfoID(x, y uint8) uint32 { return blockID(x, y) | 0xFFFE }

// EnvCellID returns the id of indoor cell number i of landblock (x, y), counted from 0.
func EnvCellID(x, y uint8, i uint16) uint32 { return blockID(x, y) | firstIndoor + uint32(i) }

func blockID(x, y uint8) uint32 { return uint32(x)<<24 | uint32(y)<<16 }

// The low halves of the ids of a landblock's indoor cells (spec 10 §4).
const (
	firstIndoor uint32 = 0x0100
	lastIndoor  uint32 = 0xFFFD
)

// KindOf returns what the record with this id is in a container of this data
// set. In a cell file the id decides by its position, after the iteration
// record has been set aside.
func KindOf(d DataSet, id uint32) Kind {
	if id == IterationID {
		return IterationKind
	}
	if d == Cell {
		switch low := id & 0xFFFF; {
		case low == 0xFFFF:
			return LandBlockKind
		case low == 0xFFFE:
			return LandBlockInfoKind
		case low >= 0x0100:
			return EnvCellKind
		}
		return Other
	}
	if id == RegionID {
		return RegionKind
	}
	switch id >> 16 {
	case 0x0100:
		return GfxObjKind
	case 0x0200:
		return SetupKind
	case 0x0300:
		return AnimationKind
	case 0x0900:
		return MotionTableKind
	case 0x0D00:
		return EnvironmentKind
	}
	return Other
}

// Key packs a style and a motion into the key of cycles and modifiers, and the
// outer key of links: the motion's 24-bit ordinal under the low half of the
// style (R1.2). Key(0, motion) is the bare modifier's, Key(style, 0) that of
// links "from anything in this style".
func Key(style, motion uint32) uint32 { return style<<16 | motion&0xFFFFFF }
