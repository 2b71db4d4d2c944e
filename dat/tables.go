package dat

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
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
	Anims     []Anim
	Positions []space.Frame // position frames of all animations
	Parts     []space.Frame // part frames of all animations and placements
	HookEnds  []uint32      // per animation frame: where its hooks end in Hooks
	Hooks     []PlayHook
	Payload   []byte // the hooks' payloads
	Setups    []Figure
	Poses     []Pose

	Identity [32]byte // of the content: equal for equal records

	look lookup
	byID map[uint32]int32 // motion tables, animations and setups by id
}

// Table is a motion table.
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

// Figure is a setup, as far as motion and position read it.
type Figure struct {
	ID          uint32
	Height      float32
	Radius      float32
	StepUp      float32
	StepDown    float32
	Poses       span // in Tables.Poses
	DefaultAnim int32
	MotionTable uint32
	PartCount   uint32
}

// Pose is a placement of a setup's parts.
type Pose struct {
	Key     uint32
	PartsAt uint32 // index of part 0 in Tables.Parts
}

type span struct{ at, n uint32 }

// ClipsOf returns the clips of motion data i, which may be None.
func (t *Tables) ClipsOf(i int32) []PlayClip {
	if i < 0 {
		return nil
	}
	s := t.Data[i].Clips
	return t.Clips[s.at : s.at+s.n]
}

// HooksOf returns the hooks of frame k of animation a; none when k is outside.
func (t *Tables) HooksOf(a int32, k int32) []PlayHook {
	an := &t.Anims[a]
	if !an.HasHooks || uint32(k) >= an.Frames {
		return nil
	}
	i := an.HooksAt + uint32(k)
	from := uint32(0)
	if i > 0 {
		from = t.HookEnds[i-1]
	}
	return t.Hooks[from:t.HookEnds[i]]
}

// PositionFrame returns position frame k of animation a, nil when it has none.
func (t *Tables) PositionFrame(a int32, k int32) *space.Frame {
	an := &t.Anims[a]
	if an.Positions < 0 || uint32(k) >= an.Frames {
		return nil
	}
	return &t.Positions[an.Positions+k]
}

// MotionTable returns the index of the motion table with this id.
func (t *Tables) MotionTable(id uint32) (int32, bool) { return t.find(id, 0x09) }

// Animation returns the index of the animation with this id.
func (t *Tables) Animation(id uint32) (int32, bool) { return t.find(id, 0x03) }

// Setup returns the index of the setup with this id.
func (t *Tables) Setup(id uint32) (int32, bool) { return t.find(id, 0x02) }

func (t *Tables) find(id, kind uint32) (int32, bool) {
	if id>>24 != kind {
		return None, false
	}
	i, ok := t.byID[id]
	if !ok {
		return None, false
	}
	return i, true
}

// Cycle returns cycles[key] of a table, as an index into Data, or None.
func (t *Tables) Cycle(table int32, key uint32) int32 { return t.look.get(inCycles, table, key, 0) }

// Modifier returns modifiers[key] of a table, or None.
func (t *Tables) Modifier(table int32, key uint32) int32 {
	return t.look.get(inModifiers, table, key, 0)
}

// Link returns links[outer][to] of a table, or None.
func (t *Tables) Link(table int32, outer, to uint32) int32 {
	return t.look.get(inLinks, table, outer, to)
}

// StyleDefault returns the default substate of a style.
func (t *Tables) StyleDefault(table int32, style uint32) (uint32, bool) {
	s := t.Motions[table].Defaults
	for _, d := range t.Defaults[s.at : s.at+s.n] {
		if d.Style == style {
			return d.Motion, true
		}
	}
	return 0, false
}

// Placement returns the pose of a setup with this key, else the one with key 0,
// else None, and the key that was found (R2.17).
func (t *Tables) Placement(setup int32, key uint32) (int32, uint32) {
	if setup < 0 {
		return None, 0
	}
	s := t.Setups[setup].Poses
	zero := None
	for i := s.at; i < s.at+s.n; i++ {
		switch t.Poses[i].Key {
		case key:
			return int32(i), key
		case 0:
			zero = int32(i)
		}
	}
	return zero, 0
}

// lookup is one open-addressed table for cycles, modifiers and links of all
// motion tables. Every key a table holds is stored, so a hit is exact.
type lookup struct {
	slots []lookSlot
	mask  uint32
	used  int
}

type lookSlot struct {
	part       uint32 // 0 is empty
	table      int32
	key, inner uint32
	data       int32
}

const (
	inCycles = 1 + iota
	inModifiers
	inLinks
)

func lookHash(part uint32, table int32, key, inner uint32) uint32 {
	h := uint64(key)*0x9E3779B97F4A7C15 ^ uint64(inner)*0xC2B2AE3D27D4EB4F ^ uint64(uint32(table)<<2|part)*0x165667B19E3779F9
	h ^= h >> 29
	h *= 0xBF58476D1CE4E5B9
	return uint32(h >> 32)
}

func (l *lookup) get(part uint32, table int32, key, inner uint32) int32 {
	if len(l.slots) == 0 {
		return None
	}
	for i := lookHash(part, table, key, inner) & l.mask; ; i = (i + 1) & l.mask {
		s := &l.slots[i]
		if s.part == 0 {
			return None
		}
		if s.key == key && s.inner == inner && s.table == table && s.part == part {
			return s.data
		}
	}
}

func (l *lookup) put(n lookSlot) {
	for i := lookHash(n.part, n.table, n.key, n.inner) & l.mask; ; i = (i + 1) & l.mask {
		s := &l.slots[i]
		if s.part == 0 || s.key == n.key && s.inner == n.inner && s.table == n.table && s.part == n.part {
			*s = n // the last of two equal keys wins (spec 21 §9)
			return
		}
	}
}

// Records are decoded records to compile, in any order; ids are unique.
type Records struct {
	Motions []*MotionTable
	Anims   []*Animation
	Setups  []*Setup
}

// Compile builds tables. The order of the records does not matter. An
// animation that a clip or setup names and that is not there is left out
// silently, as the client does (R2.2).
func Compile(r Records) (*Tables, error) {
	motions := slices.Clone(r.Motions)
	anims := slices.Clone(r.Anims)
	setups := slices.Clone(r.Setups)
	slices.SortFunc(motions, func(a, b *MotionTable) int { return int(int64(a.ID) - int64(b.ID)) })
	slices.SortFunc(anims, func(a, b *Animation) int { return int(int64(a.ID) - int64(b.ID)) })
	slices.SortFunc(setups, func(a, b *Setup) int { return int(int64(a.ID) - int64(b.ID)) })

	t := &Tables{byID: make(map[uint32]int32, len(motions)+len(anims)+len(setups))}
	add := func(id uint32, i int, kind uint32) error {
		if id>>24 != kind {
			return fmt.Errorf("dat: record 0x%08X is not of kind 0x%02X", id, kind)
		}
		if _, twice := t.byID[id]; twice {
			return fmt.Errorf("dat: record 0x%08X is there twice", id)
		}
		t.byID[id] = int32(i)
		return nil
	}
	for i, a := range anims {
		if err := add(a.ID, i, 0x03); err != nil {
			return nil, err
		}
		t.addAnim(a)
	}
	n := 0
	for _, m := range motions {
		n += len(m.Cycles) + len(m.Modifiers)
		for _, g := range m.Links {
			n += len(g.To)
		}
	}
	size := uint32(16)
	for size < uint32(n)*2 {
		size *= 2
	}
	t.look = lookup{slots: make([]lookSlot, size), mask: size - 1}
	for i, m := range motions {
		if err := add(m.ID, i, 0x09); err != nil {
			return nil, err
		}
		t.addTable(int32(i), m)
	}
	for i, s := range setups {
		if err := add(s.ID, i, 0x02); err != nil {
			return nil, err
		}
		t.addSetup(s)
	}
	t.Identity = t.identify()
	return t, nil
}

func (t *Tables) addAnim(a *Animation) {
	n := Anim{
		ID: a.ID, Frames: uint32(len(a.Frames)), PartCount: a.Parts, Positions: None,
		PartsAt: uint32(len(t.Parts)), HooksAt: uint32(len(t.HookEnds)), Still: true,
	}
	if len(a.Positions) > 0 {
		n.Positions = int32(len(t.Positions))
		t.Positions = append(t.Positions, a.Positions...)
		for _, p := range a.Positions {
			n.Still = n.Still && p == space.Identity
		}
	}
	for _, f := range a.Frames {
		t.Parts = append(t.Parts, f.Parts...)
		for _, h := range f.Hooks {
			if h.Type == HookAnimationDone {
				continue // only the sequence makes these (R2.33)
			}
			n.HasHooks = true
			t.Hooks = append(t.Hooks, PlayHook{int32(h.Type), h.Direction, uint32(len(t.Payload)), uint32(len(h.Payload))})
			t.Payload = append(t.Payload, h.Payload...)
		}
		t.HookEnds = append(t.HookEnds, uint32(len(t.Hooks)))
	}
	t.Anims = append(t.Anims, n)
}

func (t *Tables) addTable(i int32, m *MotionTable) {
	defaults := span{at: uint32(len(t.Defaults))}
	for _, d := range m.StyleDefaults {
		run := t.Defaults[defaults.at:]
		if k := slices.IndexFunc(run, func(o StyleDefault) bool { return o.Style == d.Style }); k >= 0 {
			run[k] = d
		} else {
			t.Defaults = append(t.Defaults, d)
		}
	}
	slices.SortFunc(t.Defaults[defaults.at:], func(a, b StyleDefault) int { return int(int64(a.Style) - int64(b.Style)) })
	defaults.n = uint32(len(t.Defaults)) - defaults.at
	t.Motions = append(t.Motions, Table{ID: m.ID, DefaultStyle: m.DefaultStyle, Defaults: defaults})
	for _, k := range m.Cycles {
		t.look.put(lookSlot{inCycles, i, k.Key, 0, t.addMotion(&k.Data)})
	}
	for _, k := range m.Modifiers {
		t.look.put(lookSlot{inModifiers, i, k.Key, 0, t.addMotion(&k.Data)})
	}
	for _, g := range m.Links {
		for _, k := range g.To {
			t.look.put(lookSlot{inLinks, i, g.Key, k.Key, t.addMotion(&k.Data)})
		}
	}
}

func (t *Tables) addMotion(m *MotionData) int32 {
	d := Motion{Clips: span{uint32(len(t.Clips)), uint32(len(m.Clips))}, Flags: uint32(m.Flags), Velocity: m.Velocity, Omega: m.Omega}
	for _, c := range m.Clips {
		t.Clips = append(t.Clips, t.resolve(c))
	}
	t.Data = append(t.Data, d)
	return int32(len(t.Data)) - 1
}

// resolve finds the animation of c and its bounds (R2.1). An animation without
// frames cannot be played and counts as not found.
func (t *Tables) resolve(c Clip) PlayClip {
	a, ok := t.Animation(c.Anim)
	if !ok || t.Anims[a].Frames == 0 {
		return PlayClip{Anim: None}
	}
	n := int32(t.Anims[a].Frames)
	low, high := c.Low, c.High
	if high < 0 {
		high = n - 1
	}
	if low >= n {
		low = n - 1
	}
	if high >= n {
		high = n - 1
	}
	if low > high {
		high = low
	}
	return PlayClip{Anim: a, Rate: c.Rate, Low: low, High: high}
}

func (t *Tables) addSetup(s *Setup) {
	f := Figure{
		ID: s.ID, Height: s.Height, Radius: s.Radius, StepUp: s.StepUp, StepDown: s.StepDown,
		Poses: span{uint32(len(t.Poses)), uint32(len(s.Placements))}, DefaultAnim: None,
		MotionTable: s.DefaultMotionTable, PartCount: uint32(len(s.Parts)),
	}
	if a, ok := t.Animation(s.DefaultAnimation); ok {
		f.DefaultAnim = a
	}
	for _, p := range s.Placements {
		t.Poses = append(t.Poses, Pose{Key: p.Key, PartsAt: uint32(len(t.Parts))})
		t.Parts = append(t.Parts, p.Parts...)
	}
	t.Setups = append(t.Setups, f)
}

// identify hashes what playing can see, in one byte order, so that a snapshot
// or a log can say which tables it needs.
func (t *Tables) identify() (id [32]byte) {
	h := sha256.New()
	put := func(v ...any) { writeAll(h, v...) }
	put(t.Motions, t.Defaults, t.Data, t.Clips, t.Anims, t.Positions, t.Parts, t.HookEnds, t.Hooks, t.Payload, t.Setups, t.Poses)
	for _, s := range t.look.slots {
		put(s.part, s.table, s.key, s.inner, s.data)
	}
	h.Sum(id[:0])
	return id
}

func writeAll(h hash.Hash, v ...any) {
	for _, x := range v {
		_ = binary.Write(h, binary.LittleEndian, x) // a hash never fails, and the types are fixed-size
	}
}

// Seconds is how long a clip plays at a speed (R2.6, R3.16): infinite for a rate of 0.
func (c PlayClip) Seconds(speed float32) float64 {
	r := float64(float32(c.Rate * speed))
	switch {
	case r > 0:
		return float64(c.High+1-c.Low) / r
	case r < 0:
		return (float64(c.High+1-c.Low) - float64(space.Eps)) / -r
	}
	return math.Inf(1)
}
