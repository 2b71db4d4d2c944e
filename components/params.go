package components

// MoveParams are movement parameters: how a motion is to be done, and how far,
// fast and close a move-to goes (spec 05 §5.2).
type MoveParams struct {
	Flags            ParamFlags
	DistanceToObject float32 // m, how near is there
	MinDistance      float32 // m, how far is away
	DesiredHeading   float32 // compass degrees
	Speed            float32
	FailDistance     float32 // m from where it began
	WalkRunThreshold float32 // m beyond DistanceToObject
	Context          uint32
	HoldKey          HoldKey
	ActionStamp      uint16
}

// Has reports whether all the flags f are set.
func (p *MoveParams) Has(f ParamFlags) bool { return p.Flags&f == f }

// ParamFlags are the yes-or-no movement parameters (spec 05 §5.2).
type ParamFlags uint32

const (
	ParamCanWalk                ParamFlags = 0x00001
	ParamCanRun                 ParamFlags = 0x00002
	ParamCanSidestep            ParamFlags = 0x00004 // read by nothing
	ParamCanWalkBackwards       ParamFlags = 0x00008 // read by nothing
	ParamCanCharge              ParamFlags = 0x00010
	ParamFailWalk               ParamFlags = 0x00020 // read by nothing
	ParamUseFinalHeading        ParamFlags = 0x00040
	ParamSticky                 ParamFlags = 0x00080
	ParamMoveAway               ParamFlags = 0x00100
	ParamMoveTowards            ParamFlags = 0x00200
	ParamUseSpheres             ParamFlags = 0x00400
	ParamSetHoldKey             ParamFlags = 0x00800
	ParamAutonomous             ParamFlags = 0x01000
	ParamModifyRawState         ParamFlags = 0x02000
	ParamModifyInterpretedState ParamFlags = 0x04000
	ParamCancelMoveTo           ParamFlags = 0x08000
	ParamStopCompletely         ParamFlags = 0x10000
	ParamDisableJumpDuringLink  ParamFlags = 0x20000
	// ParamDefaults is the flag word of default parameters (R5.8).
	ParamDefaults ParamFlags = 0x1EE0F
)
