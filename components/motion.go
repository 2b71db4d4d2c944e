package components

// Speeded is a motion at a speed: a modifier or an action of the motion table.
type Speeded struct {
	Motion uint32
	Speed  float32
}

// MotionState is what the motion table remembers of one mover (spec 03 §3.1).
type MotionState struct {
	Style     uint32
	Substate  uint32
	Speed     float32                   // of the substate
	Modifiers List[Speeded, [0]Speeded] // new ones at the head
	Actions   List[Speeded, [0]Speeded] // new ones at the tail
}

// Action is a node of an action list (spec 05 §5.1).
type Action struct {
	Motion     uint32
	Speed      float32
	Stamp      uint16
	Autonomous bool
}

// Interpreted is the interpreted state: what the mover does (spec 05 §5.1).
type Interpreted struct {
	Style         uint32
	Forward       uint32
	Sidestep      uint32
	Turn          uint32
	ForwardSpeed  float32
	SidestepSpeed float32
	TurnSpeed     float32
	Actions       List[Action, [0]Action]
}

// HoldKey is walk or run (spec 01 §1.4).
type HoldKey uint32

const (
	HoldInvalid HoldKey = 0 // use the raw state's current key
	HoldNone    HoldKey = 1
	HoldRun     HoldKey = 2
)

// Axis is one axis of the raw state.
type Axis struct {
	Motion uint32
	Hold   HoldKey
	Speed  float32
}

// Raw is the raw state: which keys are held (spec 05 §5.1). Few remotes have keys of
// their own: one lies in a box while it is not [DefaultRaw], and only then.
type Raw struct {
	HoldKey  HoldKey
	Style    uint32
	Forward  Axis
	Sidestep Axis
	Turn     Axis
	Actions  List[Action, [0]Action]
}

// What both states of a mover begin with: a style, and the motion of its axis forward.
const (
	NonCombat uint32 = 0x8000003D
	Ready     uint32 = 0x41000003
)

// DefaultRaw is the raw state that a mover begins with.
func DefaultRaw() Raw {
	return Raw{
		HoldKey: HoldNone, Style: NonCombat,
		Forward: Axis{Motion: Ready, Speed: 1}, Sidestep: Axis{Speed: 1}, Turn: Axis{Speed: 1},
	}
}

// RawState returns the raw state. Its actions are the row's.
func (r *Row) RawState(p *Pools) Raw {
	if s := r.Raw.Get(&p.Raws); s != nil {
		return *s
	}
	return DefaultRaw()
}

// RawStyle returns the raw state's style.
func (r *Row) RawStyle(p *Pools) uint32 {
	if s := r.Raw.Get(&p.Raws); s != nil {
		return s.Style
	}
	return NonCombat
}

// SetRawState changes the raw state, its list of actions too.
func (r *Row) SetRawState(p *Pools, s Raw) {
	if s == DefaultRaw() {
		r.Raw.Free(&p.Raws)
	} else {
		*r.Raw.Make(&p.Raws) = s
	}
}

// Interpreter is what else the motion interpreter remembers (spec 05 §5.1).
type Interpreter struct {
	RunRate            float32 // myRunRate
	SpeedFactor        float32
	JumpExtent         float32 // 0..1
	ServerActionStamp  uint16
	Initted            bool
	StandingLongJump   bool
	LastMoveAutonomous bool
}

// PendingAnim is an entry of the motion-table manager's queue (spec 04 §4.1).
type PendingAnim struct {
	Motion uint32
	Count  uint32 // animations still to end; wraps (R4.13)
}

// PendingMotion is an entry of the interpreter's queue (spec 04 §4.1).
type PendingMotion struct {
	Context   uint32
	Motion    uint32
	JumpError uint32
}

// Pending are the two queues, paired by position (R4.1).
type Pending struct {
	Counter uint32 // animCounter
	Anims   List[PendingAnim, [1]PendingAnim]
	Motions List[PendingMotion, [1]PendingMotion]
}
