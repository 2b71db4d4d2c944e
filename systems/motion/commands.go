package motion

import "github.com/gait-engine/gait/components"

// Commands that the rules know by id (spec 01 §1.3).
const (
	Ready             uint32 = components.Ready
	Stop              uint32 = 0x40000004
	WalkForward       uint32 = 0x45000005
	WalkBackwards     uint32 = 0x45000006
	RunForward        uint32 = 0x44000007
	Fallen            uint32 = 0x40000008
	TurnRight         uint32 = 0x6500000D
	TurnLeft          uint32 = 0x6500000E
	SideStepRight     uint32 = 0x6500000F
	SideStepLeft      uint32 = 0x65000010
	Dead              uint32 = 0x40000011
	Crouch            uint32 = 0x41000012
	Sitting           uint32 = 0x41000013
	Sleeping          uint32 = 0x41000014
	Falling           uint32 = 0x40000015
	Reload            uint32 = 0x40000016
	Unload            uint32 = 0x40000017
	Pickup            uint32 = 0x40000018
	AimLevel          uint32 = 0x4000001E
	MagicPray         uint32 = 0x40000039
	StopTurning       uint32 = 0x2000003A
	JumpModifier      uint32 = 0x2500003B
	Sanctuary         uint32 = 0x10000057
	MagicPowerUp01    uint32 = 0x1000006F
	MagicPowerUp10    uint32 = 0x10000078
	MagicPowerUp01Prp uint32 = 0x1000012B // the Purple block
	MagicPowerUp10Prp uint32 = 0x10000134
	AITelegraphCast   uint32 = 0x1000019B
	Cheer             uint32 = 0x1300004C
)

// Styles (spec 01 §1.3).
const (
	HandCombat           uint32 = 0x8000003C
	NonCombat            uint32 = components.NonCombat // the default style
	SwordCombat          uint32 = 0x8000003E
	BowCombat            uint32 = 0x8000003F
	SwordShieldCombat    uint32 = 0x80000040
	CrossbowCombat       uint32 = 0x80000041
	UnusedCombat         uint32 = 0x80000042
	SlingCombat          uint32 = 0x80000043
	TwoHandedSwordCombat uint32 = 0x80000044
	TwoHandedStaffCombat uint32 = 0x80000045
	DualWieldCombat      uint32 = 0x80000046
	ThrownWeaponCombat   uint32 = 0x80000047
	Graze                uint32 = 0x80000048
	Magic                uint32 = 0x80000049
	BowNoAmmo            uint32 = 0x800000E8
	CrossBowNoAmmo       uint32 = 0x800000E9
	AtlatlCombat         uint32 = 0x8000013B
	ThrownShieldCombat   uint32 = 0x8000013C
)

// Class bits of a command (spec 01 §1.1).
const (
	StyleBit    uint32 = 0x80000000
	SubstateBit uint32 = 0x40000000
	ModifierBit uint32 = 0x20000000
	ActionBit   uint32 = 0x10000000
	EmoteBit    uint32 = 0x02000000
)

// The predicates are single bits; several may hold at once (R1.1).

// IsStyle reports whether c is a style.
func IsStyle(c uint32) bool { return c&StyleBit != 0 }

// IsSubstate reports whether c is a substate, which has a cycle.
func IsSubstate(c uint32) bool { return c&SubstateBit != 0 }

// IsModifier reports whether c is a modifier.
func IsModifier(c uint32) bool { return c&ModifierBit != 0 }

// IsAction reports whether c is an action, played once.
func IsAction(c uint32) bool { return c&ActionBit != 0 }

// IsEmote reports whether c is a chat emote.
func IsEmote(c uint32) bool { return c&EmoteBit != 0 }

// Ordinal returns the low 24 bits of c (R1.2).
func Ordinal(c uint32) uint32 { return c & 0x00FFFFFF }

// Key returns the packed key of a motion in a style; the shift drops the
// style's top half (R1.2).
func Key(style, c uint32) uint32 { return style<<16 | Ordinal(c) }

// Error codes (spec 01 §1.6); 0 is none.
const (
	NoAnimationTable         uint32 = 0x07
	NoPhysicsObject          uint32 = 0x08
	NoMotionInterpreter      uint32 = 0x0B
	YouCantJumpWhileInTheAir uint32 = 0x24
	ActionCancelled          uint32 = 0x36
	ObjectGone               uint32 = 0x37
	NoObject                 uint32 = 0x38
	ITeleported              uint32 = 0x3C
	YouChargedTooFar         uint32 = 0x3D
	CantCrouchInCombat       uint32 = 0x3F
	CantSitInCombat          uint32 = 0x40
	CantLieDownInCombat      uint32 = 0x41
	CantChatEmoteInCombat    uint32 = 0x42
	NoMtableData             uint32 = 0x43
	TooManyActions           uint32 = 0x45
	GeneralMovementFailure   uint32 = 0x47
	YouCantJumpFromThis      uint32 = 0x48 // YouCantJumpFromThisPosition
	CantJumpLoadedDown       uint32 = 0x49
)

// MovementType is what a movement asks for (spec 01 §1.5).
type MovementType uint32

// Types 6 to 9 belong to the move-to manager.
const (
	InvalidMovement        MovementType = 0 // no move-to in progress
	InterpretedState       MovementType = 0 // on the wire
	RawCommand             MovementType = 1
	InterpretedCommand     MovementType = 2
	StopRawCommand         MovementType = 3
	StopInterpretedCommand MovementType = 4
	StopCompletely         MovementType = 5
	MoveToObject           MovementType = 6
	MoveToPosition         MovementType = 7
	TurnToObject           MovementType = 8
	TurnToHeading          MovementType = 9
)
