package dat

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/gait-engine/gait/space"
)

// Records are decoded records to compile, in any order; ids are unique.
type Records struct {
	Motions []*MotionTable
	Anims   []*Animation
	Setups  []*Setup

	// What bodies collide with; none of it is needed to move without.
	GfxObjs      []*GfxObj
	Environments []*Environment
	Region       *Region
}

// MaxMagnitude bounds every number of a frame and every size, in metres, so that
// no sum of them leaves the range of float32. No real value, and no fill, comes
// near. Rates, velocities and omegas need only be finite: they are multiplied
// by a speed that may be anything, and what plays them looks at the product.
const MaxMagnitude = 1e12

// Compile builds tables. Neither the order of the records nor that of the keys
// inside them matters; of equal keys in one record the last wins (spec 21 §4, §9), the whole
// group of one of links, and equally of placements and holding locations.
//
// An animation that a clip or setup names and that is not there is left out
// silently, as the client does (R2.2). A rotation of all zeros becomes the
// identity here; the record keeps it as stored. A number that is not finite, or
// over [MaxMagnitude], is refused, and so are lists that do not fit their counts.
// Parts of a setup whose model is not among the records collide with nothing.
// Polygons without a plane, trees that are none and spheres without size are
// refused as [ErrGeometry].
func Compile(r Records) (*Tables, error) {
	if err := checkSizes(r); err != nil {
		return nil, err
	}
	motions := slices.Clone(r.Motions)
	anims := slices.Clone(r.Anims)
	setups := slices.Clone(r.Setups)
	slices.SortFunc(motions, func(a, b *MotionTable) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortFunc(anims, func(a, b *Animation) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortFunc(setups, func(a, b *Setup) int { return cmp.Compare(a.ID, b.ID) })

	c := compiler{t: &Tables{byID: make(map[uint32]int32, len(motions)+len(anims)+len(setups))}}
	for i, a := range anims {
		if err := c.addAnim(i, a); err != nil {
			return nil, err
		}
	}
	for i, m := range motions {
		if err := c.addTable(i, m); err != nil {
			return nil, err
		}
	}
	if err := c.addShapes(r); err != nil {
		return nil, err
	}
	if err := c.addRegion(r.Region); err != nil {
		return nil, err
	}
	for i, s := range setups {
		if err := c.addSetup(i, s); err != nil {
			return nil, err
		}
	}
	var ok bool
	if c.t.look, ok = makeLookup(c.keys); !ok {
		return nil, recordError(0, ErrLimit, "the keys of the motion tables collide under %d seeds", maxSeeds)
	}
	c.t.Identity = c.t.identify(c.keys)
	return c.t, nil
}

// compiler holds what is needed while tables are built.
type compiler struct {
	t    *Tables
	keys []lookSlot // ascending
}

// checkSizes makes sure that every index of the tables fits 32 bits with a sign.
func checkSizes(r Records) error {
	var frames, parts, hooks, payload, data, clips, poses, bodies uint64
	for _, a := range r.Anims {
		frames += uint64(len(a.Frames))
		for i := range a.Frames {
			f := &a.Frames[i]
			parts += uint64(len(f.Parts))
			hooks += uint64(len(f.Hooks))
			for k := range f.Hooks {
				payload += uint64(len(f.Hooks[k].Payload))
			}
		}
	}
	count := func(s []KeyedMotion) {
		data += uint64(len(s))
		for i := range s {
			clips += uint64(len(s[i].Data.Clips))
		}
	}
	for _, m := range r.Motions {
		data += uint64(len(m.StyleDefaults))
		count(m.Cycles)
		count(m.Modifiers)
		for _, g := range m.Links {
			count(g.To)
		}
	}
	for _, s := range r.Setups {
		poses += uint64(len(s.Placements))
		parts += uint64(len(s.Placements)) * uint64(len(s.Parts))
		bodies += uint64(len(s.Parts)) + uint64(len(s.Spheres)) + uint64(len(s.Cylinders))
	}
	for _, n := range []struct {
		what   string
		n, max uint64
	}{
		{"frames", frames, math.MaxInt32}, {"part frames", parts, math.MaxInt32}, {"hooks", hooks, math.MaxInt32},
		{"bytes of hooks", payload, math.MaxInt32}, {"motions", data, maxLookups}, {"clips", clips, math.MaxInt32},
		{"placements", poses, math.MaxInt32}, {"parts and spheres", bodies, math.MaxInt32}, {"motion tables", uint64(len(r.Motions)), maxTables},
	} {
		if n.n > n.max {
			return recordError(0, ErrLimit, "%d %s, at most %d", n.n, n.what, n.max)
		}
	}
	return nil
}

func (c *compiler) register(id uint32, i int, k Kind) error {
	if KindOf(Portal, id) != k {
		return recordError(id, ErrID, "not the id of a %s", k)
	}
	if _, twice := c.t.byID[id]; twice {
		return recordError(id, ErrTwice, "")
	}
	c.t.byID[id] = int32(i)
	return nil
}

func (c *compiler) addAnim(i int, a *Animation) error {
	if err := c.register(a.ID, i, AnimationKind); err != nil {
		return err
	}
	t := c.t
	n := Anim{
		ID: a.ID, Frames: uint32(len(a.Frames)), PartCount: a.Parts, Positions: None,
		PartsAt: uint32(len(t.Parts)), HooksAt: uint32(len(t.HookEnds)), Still: true,
	}
	if len(a.Positions) > 0 {
		if len(a.Positions) != len(a.Frames) {
			return recordError(a.ID, ErrShape, "%d position frames, %d frames", len(a.Positions), len(a.Frames))
		}
		n.Positions = int32(len(t.Positions))
		for k, p := range a.Positions {
			if !sane(p) {
				return recordError(a.ID, ErrFloat, "position frame %d is %v", k, p)
			}
			p = turnable(p)
			n.Still = n.Still && p == space.Identity
			t.Positions = append(t.Positions, p)
		}
	}
	for k := range a.Frames {
		f := &a.Frames[k]
		if uint64(len(f.Parts)) != uint64(a.Parts) {
			return recordError(a.ID, ErrShape, "frame %d has %d parts of %d", k, len(f.Parts), a.Parts)
		}
		if err := c.addParts(a.ID, f.Parts); err != nil {
			return err
		}
		for j := range f.Hooks {
			h := &f.Hooks[j]
			if err := h.check(); err != nil {
				err.Record = a.ID
				err.Reason = fmt.Sprintf("frame %d: %s", k, err.Reason)
				return err
			}
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
	t.addCrossings(&n)
	return nil
}

func (c *compiler) addParts(id uint32, parts []space.Frame) error {
	for i, p := range parts {
		if !sane(p) {
			return recordError(id, ErrFloat, "the frame of part %d is %v", i, p)
		}
		c.t.Parts = append(c.t.Parts, turnable(p))
	}
	return nil
}

// turnable is f with a rotation that means something: all zeros are the
// identity, whose matrix they have (spec 10 §2).
func turnable(f space.Frame) space.Frame {
	if f.Rotation == (space.Quat{}) {
		f.Rotation = space.IdentityQuat
	}
	return f
}

func sane(f space.Frame) bool {
	return bounded(f.Origin[:]...) && bounded(f.Rotation.V[:]...) && bounded(f.Rotation.W)
}

func bounded(v ...float32) bool {
	for _, x := range v {
		if !(space.Abs(x) <= MaxMagnitude) {
			return false
		}
	}
	return true
}

func (c *compiler) addTable(i int, m *MotionTable) error {
	if err := c.register(m.ID, i, MotionTableKind); err != nil {
		return err
	}
	t := c.t
	table := int32(i)
	at := uint32(len(t.Defaults))
	for _, d := range lastWins(m.StyleDefaults, func(a, b StyleDefault) int { return cmp.Compare(a.Style, b.Style) }) {
		c.keys = append(c.keys, lookSlot{lookWhere(inDefaults, table), d.Style, 0, int32(len(t.Defaults))})
		t.Defaults = append(t.Defaults, d)
	}
	t.Motions = append(t.Motions, Table{ID: m.ID, DefaultStyle: m.DefaultStyle, Defaults: span{at, uint32(len(t.Defaults)) - at}})
	var all []placed
	for i := range m.Cycles {
		all = append(all, placed{lookSlot{where: lookWhere(inCycles, table), key: m.Cycles[i].Key}, &m.Cycles[i].Data})
	}
	for i := range m.Modifiers {
		all = append(all, placed{lookSlot{where: lookWhere(inModifiers, table), key: m.Modifiers[i].Key}, &m.Modifiers[i].Data})
	}
	for _, g := range lastWins(m.Links, func(a, b LinkGroup) int { return cmp.Compare(a.Key, b.Key) }) {
		for i := range g.To {
			all = append(all, placed{lookSlot{where: lookWhere(inLinks, table), key: g.Key, inner: g.To[i].Key}, &g.To[i].Data})
		}
	}
	for _, p := range lastWins(all, func(a, b placed) int { return a.at.compare(b.at) }) {
		if err := c.addMotion(m.ID, p); err != nil {
			return err
		}
	}
	return nil
}

// placed is motion data and where it is looked up.
type placed struct {
	at   lookSlot
	data *MotionData
}

// lastWins returns s ascending, of equal elements only the last.
func lastWins[T any](s []T, compare func(a, b T) int) []T {
	s = slices.Clone(s)
	slices.Reverse(s)
	slices.SortStableFunc(s, compare)
	return slices.CompactFunc(s, func(a, b T) bool { return compare(a, b) == 0 })
}

func (c *compiler) addMotion(id uint32, p placed) error {
	t, m := c.t, p.data
	if !space.FiniteVec(m.Velocity) || !space.FiniteVec(m.Omega) {
		return recordError(id, ErrFloat, "motion 0x%08X has velocity %v, omega %v", p.at.key, m.Velocity, m.Omega)
	}
	p.at.value = int32(len(t.Data))
	c.keys = append(c.keys, p.at)
	t.Data = append(t.Data, Motion{
		Clips: span{uint32(len(t.Clips)), uint32(len(m.Clips))},
		Flags: uint32(m.Flags), Velocity: m.Velocity, Omega: m.Omega,
	})
	for _, clip := range m.Clips {
		if !space.Finite(clip.Rate) {
			return recordError(id, ErrFloat, "motion 0x%08X has a clip at the rate %v", p.at.key, clip.Rate)
		}
		t.Clips = append(t.Clips, t.resolve(clip))
		t.Stored = append(t.Stored, clip)
	}
	return nil
}

// resolve finds the animation of c and its bounds (R2.1). An animation without
// frames cannot be played and counts as not found (R2.2).
func (t *Tables) resolve(c Clip) PlayClip {
	a := t.playable(c.Anim)
	if a < 0 {
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

// playable returns the index of an animation that has frames, or None.
func (t *Tables) playable(id uint32) int32 {
	if a, ok := t.Animation(id); ok && t.Anims[a].Frames > 0 {
		return a
	}
	return None
}

func (c *compiler) addSetup(i int, s *Setup) error {
	if err := c.register(s.ID, i, SetupKind); err != nil {
		return err
	}
	if !bounded(s.Height, s.Radius, s.StepUp, s.StepDown) {
		return recordError(s.ID, ErrFloat, "height %v, radius %v, steps %v and %v", s.Height, s.Radius, s.StepUp, s.StepDown)
	}
	t := c.t
	f := Figure{
		ID: s.ID, Height: s.Height, Radius: s.Radius, StepUp: s.StepUp, StepDown: s.StepDown,
		Poses: span{at: uint32(len(t.Poses))}, DefaultAnim: t.playable(s.DefaultAnimation),
		MotionTable: s.DefaultMotionTable, PartCount: uint32(len(s.Parts)),
	}
	for _, p := range lastWins(s.Placements, func(a, b Placement) int { return cmp.Compare(a.Key, b.Key) }) {
		if len(p.Parts) != len(s.Parts) {
			return recordError(s.ID, ErrShape, "placement 0x%X has %d parts of %d", p.Key, len(p.Parts), len(s.Parts))
		}
		t.Poses = append(t.Poses, Pose{Key: p.Key, PartsAt: uint32(len(t.Parts))})
		if err := c.addParts(s.ID, p.Parts); err != nil {
			return err
		}
	}
	f.Poses.n = uint32(len(t.Poses)) - f.Poses.at
	if err := t.addBody(&f, s); err != nil {
		return err
	}
	f.Holdings.at = uint32(len(t.Holdings))
	for _, l := range lastWins(s.Holding, func(a, b Location) int { return cmp.Compare(a.Key, b.Key) }) {
		if !sane(l.Frame) {
			return recordError(s.ID, ErrFloat, "the frame of holding location %d is %v", l.Key, l.Frame)
		}
		t.Holdings = append(t.Holdings, Holding{l.Key, l.Part, turnable(l.Frame)})
	}
	f.Holdings.n = uint32(len(t.Holdings)) - f.Holdings.at
	t.Setups = append(t.Setups, f)
	return nil
}
