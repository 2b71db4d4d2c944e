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
	SetupFirst, SetupLast             uint32 = 0x02000000, 0x0200FFFF
	AnimationFirst, AnimationLast     uint32 = 0x03000000, 0x0300FFFF
	MotionTableFirst, MotionTableLast uint32 = 0x09000000, 0x0900FFFF
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
	if id == 0x13000000 {
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
