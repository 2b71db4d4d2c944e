package dat

import (
	"cmp"
	"math"
	"slices"

	"github.com/gait-engine/gait/space"
)

// None is the index of nothing.
const None int32 = -1

// Tables are records compiled for playing: immutable, flat, without pointers
// inside, everything by index. Any number of worlds and goroutines share one.
type Tables struct {
	Motions   []Table
	Defaults  []StyleDefault // of all tables, each table's run sorted by style
	Data      []Motion
	Clips     []PlayClip
	Stored    []Clip // the same clips as the record states them, for the queries of spec 03 §3.12
	Anims     []Anim
	Positions []space.Frame // position frames of all animations
	Parts     []space.Frame // part frames of all animations and placements
	HookEnds  []uint32      // per animation frame: where its hooks end in Hooks
	Hooks     []PlayHook
	Payload   []byte // the hooks' payloads
	Setups    []Figure
	Poses     []Pose
	Holdings  []Holding

	Spheres   []Sphere     // path spheres of all setups
	Cylinders []Cylinder   // of all setups
	Hulls     []int32      // in Shapes.Hulls, of all setups' parts; None where a part has no model
	Scales    []space.Vec3 // of all setups' parts
	Shapes    Shapes
	Heights   []float32 // the region's 256 heights, metres; none without a region

	// Identity is a hash of all that playing can see. It is equal for equal
	// records, in whatever order they and the keys inside them came.
	Identity [32]byte

	crossings []Crossing // MaxCrossed per position frame
	look      lookup
	byID      map[uint32]int32 // motion tables, animations and setups by id
}

// Table is a motion table. Its cycles, modifiers, links and style defaults are
// found through the methods of [Tables].
type Table struct {
	ID           uint32
	DefaultStyle uint32
	Defaults     span // in Tables.Defaults
}

// Motion is motion data, ready to be put into a sequence.
type Motion struct {
	Clips    span // in Tables.Clips
	Flags    uint32
	Velocity space.Vec3
	Omega    space.Vec3
}

const (
	// ClearsModifiers is the flag of a motion that ends all modifiers and refuses new ones (spec 03 §3.1).
	ClearsModifiers = 1
	// FromDefaultOnly is the flag of a motion that is entered only from its style's default.
	FromDefaultOnly = 2
)

// Count is n(m) of spec 03: how many animations the record names, those that cannot be found included.
func (m *Motion) Count() uint32 { return m.Clips.n }

// PlayClip is a clip with its animation found and its bounds resolved (R2.1);
// Anim is None when there is no such animation (R2.2).
type PlayClip struct {
	Anim      int32
	Rate      float32
	Low, High int32
}

// Anim is an animation.
type Anim struct {
	ID        uint32
	Frames    uint32
	PartCount uint32
	Positions int32  // index of frame 0 in Tables.Positions, None without
	PartsAt   uint32 // index of frame 0's parts in Tables.Parts
	HooksAt   uint32 // index of frame 0 in Tables.HookEnds
	HasHooks  bool
	Still     bool // no position frame moves or turns anything
}

// PlayHook is a hook of a frame; its payload lies in Tables.Payload.
type PlayHook struct {
	Type      int32
	Direction int32
	At, Len   uint32
}

// Figure is a setup, as far as motion, position and collision read it.
type Figure struct {
	ID          uint32
	Height      float32
	Radius      float32
	StepUp      float32
	StepDown    float32
	Poses       span  // in Tables.Poses, ascending by key
	Holdings    span  // in Tables.Holdings, ascending by key
	DefaultAnim int32 // None when there is none that can be played (R2.18)
	MotionTable uint32
	PartCount   uint32

	Spheres     span // in Tables.Spheres
	Cylinders   span // in Tables.Cylinders
	Sorting     Sphere
	PartsAt     uint32 // of part 0 in Tables.Hulls and Tables.Scales
	FreeHeading bool   // does not turn within its path (spec 14 §1 FREE_ROTATE)
	PhysicsBSP  bool   // some part has a physics tree
}

// Pose is a placement of a setup's parts.
type Pose struct {
	Key     uint32
	PartsAt uint32 // index of part 0 in Tables.Parts
}

// Holding is where a figure holds something: a frame in the axes of one of its parts.
type Holding struct {
	Key   uint32
	Part  uint32
	Frame space.Frame
}

type span struct{ at, n uint32 }

// ClipsOf returns the clips of motion data i; none for None.
func (t *Tables) ClipsOf(i int32) []PlayClip {
	if uint32(i) >= uint32(len(t.Data)) {
		return nil
	}
	s := t.Data[i].Clips
	return t.Clips[s.at : s.at+s.n]
}

// HooksOf returns the hooks of frame k of animation a; none when either is
// outside. Hooks of type 4 are not among them (R2.33).
func (t *Tables) HooksOf(a int32, k int32) []PlayHook {
	an := t.frame(a, k)
	if an == nil || !an.HasHooks {
		return nil
	}
	return t.hooksAt(an.HooksAt + uint32(k))
}

// hooksAt returns the hooks of an animation frame by its index among those of all.
func (t *Tables) hooksAt(i uint32) []PlayHook {
	from := uint32(0)
	if i > 0 {
		from = t.HookEnds[i-1]
	}
	return t.Hooks[from:t.HookEnds[i]]
}

// HookPayload returns the payload of a hook, nil when it is not one of these
// tables. The caller must not change it.
func (t *Tables) HookPayload(h PlayHook) []byte {
	if uint64(h.At)+uint64(h.Len) > uint64(len(t.Payload)) {
		return nil
	}
	return t.Payload[h.At : h.At+h.Len : h.At+h.Len]
}

// Hook returns a hook with its payload, so that [Hook.Args] can read it.
func (t *Tables) Hook(h PlayHook) Hook {
	return Hook{Type: HookType(h.Type), Direction: h.Direction, Payload: t.HookPayload(h)}
}

// PositionFrame returns position frame k of animation a, nil when it has none.
// Its rotation is never all zero.
func (t *Tables) PositionFrame(a int32, k int32) *space.Frame {
	an := t.frame(a, k)
	if an == nil || an.Positions < 0 {
		return nil
	}
	return &t.Positions[an.Positions+k]
}

// PartFrames returns the frames of the parts in frame k of animation a; none
// when either is outside (R2.16). Their rotations are never all zero.
func (t *Tables) PartFrames(a int32, k int32) []space.Frame {
	an := t.frame(a, k)
	if an == nil {
		return nil
	}
	at := an.PartsAt + uint32(k)*an.PartCount
	return t.Parts[at : at+an.PartCount]
}

// frame returns animation a when frame k is inside it.
func (t *Tables) frame(a, k int32) *Anim {
	if uint32(a) >= uint32(len(t.Anims)) || uint32(k) >= t.Anims[a].Frames {
		return nil
	}
	return &t.Anims[a]
}

// MotionTable returns the index of the motion table with this id.
func (t *Tables) MotionTable(id uint32) (int32, bool) { return t.find(id, MotionTableKind) }

// Animation returns the index of the animation with this id.
func (t *Tables) Animation(id uint32) (int32, bool) { return t.find(id, AnimationKind) }

// Setup returns the index of the setup with this id.
func (t *Tables) Setup(id uint32) (int32, bool) { return t.find(id, SetupKind) }

func (t *Tables) find(id uint32, k Kind) (int32, bool) {
	if KindOf(Portal, id) != k {
		return None, false
	}
	if i, ok := t.byID[id]; ok {
		return i, true
	}
	return None, false
}

// Cycle returns cycles[key] of a table, as an index into Data, or None (R3.2).
func (t *Tables) Cycle(table int32, key uint32) int32 { return t.look.get(inCycles, table, key, 0) }

// Modifier returns modifiers[key] of a table, or None (R3.2).
func (t *Tables) Modifier(table int32, key uint32) int32 {
	return t.look.get(inModifiers, table, key, 0)
}

// Link returns links[outer][to] of a table, or None (R3.3). to is a full command.
func (t *Tables) Link(table int32, outer, to uint32) int32 {
	return t.look.get(inLinks, table, outer, to)
}

// StyleDefault returns the default substate of a style, both full commands.
func (t *Tables) StyleDefault(table int32, style uint32) (uint32, bool) {
	i := t.look.get(inDefaults, table, style, 0)
	if i < 0 {
		return 0, false
	}
	return t.Defaults[i].Motion, true
}

// Placement returns the pose of a setup with this key, else the one with key 0,
// else None, and the key that was found (R2.17).
func (t *Tables) Placement(setup int32, key uint32) (int32, uint32) {
	if uint32(setup) >= uint32(len(t.Setups)) {
		return None, 0
	}
	s := t.Setups[setup].Poses
	poses := t.Poses[s.at : s.at+s.n]
	i, ok := slices.BinarySearchFunc(poses, key, func(p Pose, k uint32) int { return cmp.Compare(p.Key, k) })
	if ok {
		return int32(s.at) + int32(i), key
	}
	if len(poses) > 0 && poses[0].Key == 0 {
		return int32(s.at), 0
	}
	return None, 0
}

// PoseParts returns the part frames of a pose that [Tables.Placement] found for this setup.
func (t *Tables) PoseParts(setup, pose int32) []space.Frame {
	if uint32(setup) >= uint32(len(t.Setups)) || uint32(pose) >= uint32(len(t.Poses)) {
		return nil
	}
	at := t.Poses[pose].PartsAt
	return t.Parts[at : at+t.Setups[setup].PartCount]
}

// Holding returns where a setup holds what is held at the location with this key,
// as an index into Holdings, else None.
func (t *Tables) Holding(setup int32, key uint32) int32 {
	if uint32(setup) >= uint32(len(t.Setups)) {
		return None
	}
	s := t.Setups[setup].Holdings
	i, ok := slices.BinarySearchFunc(t.Holdings[s.at:s.at+s.n], key, func(l Holding, k uint32) int { return cmp.Compare(l.Key, k) })
	if !ok {
		return None
	}
	return int32(s.at) + int32(i)
}

// Holds reports whether a setup says of any location where it holds things.
func (t *Tables) Holds(setup int32) bool {
	return uint32(setup) < uint32(len(t.Setups)) && t.Setups[setup].Holdings.n > 0
}

// Seconds is how long a clip plays at a speed (R2.6): infinite for a rate of
// 0, nothing when its animation is missing and so never gets into a sequence.
func (c PlayClip) Seconds(speed float32) float64 {
	if c.Anim < 0 {
		return 0
	}
	r := float64(float32(c.Rate * speed))
	switch {
	case r > 0:
		return (float64(c.High) + 1 - float64(c.Low)) / r
	case r < 0:
		return (c.top() - float64(c.Low)) / -r
	}
	return math.Inf(1)
}

// top is high + 1 − EPS, computed in 32 bits (R2.5).
func (c PlayClip) top() float64 { return float64(float32(c.High+1) - space.Eps) }
