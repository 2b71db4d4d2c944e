package dat_test

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

func compile(t testing.TB, r dat.Records) *dat.Tables {
	t.Helper()
	tables, err := dat.Compile(r)
	if err != nil {
		t.Fatal(err)
	}
	return tables
}

// still is an animation of n frames without parts.
func still(id uint32, n int) *dat.Animation {
	return &dat.Animation{ID: id, Frames: make([]dat.AnimFrame, n)}
}

func TestR1_2_Key(t *testing.T) {
	if k := dat.Key(0x80000046, ready); k != 0x00460003 {
		t.Errorf("0x%08X", k)
	}
	if k := dat.Key(nonCombat, ready); k != 0x003D0003 {
		t.Errorf("0x%08X", k)
	}
	if k := dat.Key(0, sidestep); k != 0x0000000F {
		t.Errorf("bare modifier 0x%08X", k)
	}
	if k := dat.Key(0x81230001, 0); k != 0x00010000 { // the shift drops the style's top half
		t.Errorf("0x%08X", k)
	}
}

// An ordinal of more than 16 bits, or with a bit in 20–23 (F2), is not cut.
func TestO_3_OrdinalsOf24Bits(t *testing.T) {
	m := &dat.MotionTable{ID: 0x09000001}
	motions := []uint32{0x41010003, 0x41000003, 0x41F00003, 0x41100003}
	for i, c := range motions {
		v := space.Vec3{float32(i + 1), 0, 0}
		data := dat.MotionData{Velocity: v}
		m.Cycles = append(m.Cycles, dat.KeyedMotion{Key: dat.Key(2, c), Data: data})
		m.Modifiers = append(m.Modifiers, dat.KeyedMotion{Key: dat.Key(0, c), Data: data})
		m.Links = append(m.Links, dat.LinkGroup{Key: dat.Key(2, c), To: []dat.KeyedMotion{{Key: c, Data: data}}})
	}
	tables := compile(t, dat.Records{Motions: []*dat.MotionTable{m}})
	for i, c := range motions {
		for name, found := range map[string]int32{"cycle": tables.Cycle(0, dat.Key(2, c)), "modifier": tables.Modifier(0, dat.Key(0, c)),
			"link": tables.Link(0, dat.Key(2, c), c)} {
			if found < 0 || tables.Data[found].Velocity[0] != float32(i+1) {
				t.Errorf("%s 0x%08X is %d", name, c, found)
			}
		}
	}
	if tables.Link(0, dat.Key(2, motions[0]), motions[0]&0xFFFF) >= 0 {
		t.Error("an inner key is compared by half")
	}
}

func TestR2_1_Bounds(t *testing.T) {
	const n = 10
	for _, c := range []struct{ low, high, wantLow, wantHigh int32 }{
		{0, -1, 0, 9}, {3, -1, 3, 9}, {0, 9, 0, 9}, {0, 10, 0, 9}, {0, 100, 0, 9}, {2, 5, 2, 5}, {9, 9, 9, 9},
		{10, -1, 9, 9}, {100, 100, 9, 9}, {100, 2, 9, 9}, {7, 3, 7, 7}, {0, -2, 0, 9}, {5, math.MinInt32, 5, 9},
		{math.MaxInt32, math.MaxInt32, 9, 9}, {-3, 4, -3, 4}, {math.MinInt32, -1, math.MinInt32, 9},
	} {
		tables := compile(t, dat.Records{
			Anims:   []*dat.Animation{still(0x03000001, n)},
			Motions: []*dat.MotionTable{{ID: 0x09000001, Cycles: []dat.KeyedMotion{{Key: 1, Data: dat.MotionData{Clips: []dat.Clip{{Anim: 0x03000001, Low: c.low, High: c.high, Rate: 30}}}}}}},
		})
		got := tables.ClipsOf(tables.Cycle(0, 1))
		want := []dat.PlayClip{{Anim: 0, Rate: 30, Low: c.wantLow, High: c.wantHigh}}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%d..%d of %d: %+v, want %+v", c.low, c.high, n, got, want)
		}
		if s := tables.Stored[0]; s.Low != c.low || s.High != c.high {
			t.Errorf("stored as %+v", s)
		}
	}
}

// A clip whose animation is missing, or has no frames, stays in the count and cannot be played.
func TestR2_2_MissingAnimation(t *testing.T) {
	tables := compile(t, dat.Records{
		Anims: []*dat.Animation{still(0x03000001, 5), still(0x03000002, 0)},
		Motions: []*dat.MotionTable{{ID: 0x09000001, Cycles: []dat.KeyedMotion{{Key: 1, Data: dat.MotionData{Clips: []dat.Clip{
			{Anim: 0x03000009, High: -1, Rate: 30}, {Anim: 0x03000001, High: -1, Rate: 10}, {Anim: 0x03000002, High: -1, Rate: 0},
			{Anim: 0x09000001, High: -1, Rate: 30}, {Anim: 0, High: -1, Rate: 30}}}}}}},
		Setups: []*dat.Setup{{ID: 0x02000001, DefaultAnimation: 0x03000001}, {ID: 0x02000002, DefaultAnimation: 0x03000002},
			{ID: 0x02000003, DefaultAnimation: 0x03000009}, {ID: 0x02000004}},
	})
	i := tables.Cycle(0, 1)
	if n := tables.Data[i].Count(); n != 5 {
		t.Errorf("n(m) is %d", n)
	}
	var anims []int32
	for _, c := range tables.ClipsOf(i) {
		anims = append(anims, c.Anim)
	}
	if !slices.Equal(anims, []int32{dat.None, 0, dat.None, dat.None, dat.None}) {
		t.Errorf("animations %v", anims)
	}
	if s := tables.PlaySeconds(i, 1); s != 0.5 {
		t.Errorf("plays %v s", s)
	}
	for k, want := range []int32{0, dat.None, dat.None, dat.None} {
		if got := tables.Setups[k].DefaultAnim; got != want {
			t.Errorf("setup %d has the default animation %d", k, got)
		}
	}
}

func TestR2_6_ClipSeconds(t *testing.T) {
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }
	for _, c := range []struct {
		clip  dat.PlayClip
		speed float32
		want  float64
	}{
		{dat.PlayClip{Rate: 30, Low: 0, High: 9}, 1, 10.0 / 30}, // D-31
		{dat.PlayClip{Rate: 30, Low: 0, High: 9}, 2, 10.0 / 60},
		{dat.PlayClip{Rate: 30, Low: 4, High: 4}, 1, 1.0 / 30},
		{dat.PlayClip{Rate: -30, Low: 0, High: 9}, 1, float64(float32(10)-space.Eps) / 30},
		{dat.PlayClip{Rate: 30, Low: 2, High: 9}, -1, (float64(float32(10)-space.Eps) - 2) / 30},
		{dat.PlayClip{Rate: 0, Low: 3, High: 3}, 1, math.Inf(1)},
		{dat.PlayClip{Rate: 30, Low: 3, High: 3}, 0, math.Inf(1)},
		{dat.PlayClip{Rate: 1, Low: math.MinInt32, High: math.MaxInt32}, 1, 1 << 32},
		{dat.PlayClip{Anim: dat.None}, 1, 0},
	} {
		if got := c.clip.Seconds(c.speed); got != c.want && !near(got, c.want) {
			t.Errorf("%+v at %v: %v s, want %v", c.clip, c.speed, got, c.want)
		}
	}
	// the starting frame of high 9 backward (R2.5)
	if got := (dat.PlayClip{Rate: -1, High: 9}).Seconds(1); got != 9.999799728393555 {
		t.Errorf("%v", got)
	}
}

func TestR2_17_PlacementFallback(t *testing.T) {
	pose := func(key uint32, x float32) dat.Placement {
		return dat.Placement{Key: key, Parts: []space.Frame{at(x, 0, 0)}}
	}
	one := []uint32{0x01000001}
	tables := compile(t, dat.Records{Setups: []*dat.Setup{
		{ID: 0x02000001, Parts: one, Placements: []dat.Placement{pose(0x65, 1), pose(0, 2), pose(3, 3)}},
		{ID: 0x02000002, Parts: one, Placements: []dat.Placement{pose(3, 4)}},
		{ID: 0x02000003, Parts: one},
		{ID: 0x02000004, Parts: one, Placements: []dat.Placement{pose(0x65, 5), pose(0x65, 6)}}, // the last wins
	}})
	for _, c := range []struct {
		setup int32
		key   uint32
		found uint32
		x     float32 // 0 for none
	}{
		{0, 0x65, 0x65, 1}, {0, 0, 0, 2}, {0, 3, 3, 3}, {0, 4, 0, 2}, {1, 0x65, 0, 0}, {1, 3, 3, 4}, {2, 0x65, 0, 0}, {2, 0, 0, 0},
		{3, 0x65, 0x65, 6}, {dat.None, 0x65, 0, 0}, {99, 0, 0, 0},
	} {
		i, found := tables.Placement(c.setup, c.key)
		if found != c.found || (i < 0) != (c.x == 0) {
			t.Errorf("setup %d, key 0x%X: pose %d, key 0x%X", c.setup, c.key, i, found)
			continue
		}
		if c.x != 0 && tables.PoseParts(c.setup, i)[0].Origin[0] != c.x {
			t.Errorf("setup %d, key 0x%X: %v", c.setup, c.key, tables.PoseParts(c.setup, i))
		}
	}
	if tables.PoseParts(dat.None, 0) != nil || tables.PoseParts(0, dat.None) != nil {
		t.Error("no pose has parts")
	}
}

// D-10 too: a hook of type 4 in a file is not there to be fired.
func TestR2_33_AnimationDoneIsDropped(t *testing.T) {
	a := still(0x03000001, 3)
	a.Frames[1].Hooks = []dat.Hook{{Type: dat.HookAnimationDone}, {Type: dat.HookDefaultScript, Direction: 1}, {Type: dat.HookAnimationDone}}
	b := still(0x03000002, 1)
	b.Frames[0].Hooks = []dat.Hook{{Type: dat.HookAnimationDone}}
	tables := compile(t, dat.Records{Anims: []*dat.Animation{a, b}})
	if got := tables.HooksOf(0, 1); len(got) != 1 || got[0].Type != int32(dat.HookDefaultScript) || got[0].Direction != 1 {
		t.Errorf("%+v", got)
	}
	if tables.Anims[1].HasHooks || len(tables.HooksOf(1, 0)) != 0 {
		t.Error("an animation with such a hook only has hooks")
	}
}

// Every frame of every fixture animation, and every frame that is outside.
func TestFramesAndHooksByIndex(t *testing.T) {
	r, err := dat.ReadRecords(folder(t, "humanoid"), folder(t, "creature"), folder(t, "tiny"))
	if err != nil {
		t.Fatal(err)
	}
	tables := compile(t, r)
	for _, a := range r.Anims {
		i, ok := tables.Animation(a.ID)
		if !ok {
			t.Fatalf("0x%08X is lost", a.ID)
		}
		for k, f := range a.Frames {
			var want []dat.Hook
			for _, h := range f.Hooks {
				if h.Type != dat.HookAnimationDone {
					h.Pad = [3]byte{}
					want = append(want, h)
				}
			}
			var got []dat.Hook
			for _, h := range tables.HooksOf(i, int32(k)) {
				hook := tables.Hook(h)
				if len(hook.Payload) == 0 {
					hook.Payload = nil
				}
				got = append(got, hook)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("0x%08X frame %d: hooks %+v, want %+v", a.ID, k, got, want)
			}
			if !slices.Equal(tables.PartFrames(i, int32(k)), f.Parts) {
				t.Errorf("0x%08X frame %d: parts differ", a.ID, k)
			}
			p := tables.PositionFrame(i, int32(k))
			if (p == nil) != (a.Positions == nil) || p != nil && *p != a.Positions[k] {
				t.Errorf("0x%08X frame %d: position %v", a.ID, k, p)
			}
		}
		for _, k := range []int32{-1, int32(len(a.Frames)), math.MinInt32, math.MaxInt32} {
			if tables.PositionFrame(i, k) != nil || tables.PartFrames(i, k) != nil || tables.HooksOf(i, k) != nil {
				t.Errorf("0x%08X has a frame %d", a.ID, k)
			}
		}
	}
	for _, i := range []int32{dat.None, int32(len(tables.Anims)), math.MinInt32} {
		if tables.PositionFrame(i, 0) != nil || tables.PartFrames(i, 0) != nil || tables.HooksOf(i, 0) != nil {
			t.Errorf("there is an animation %d", i)
		}
	}
	if tables.ClipsOf(dat.None) != nil || tables.ClipsOf(int32(len(tables.Data))) != nil {
		t.Error("motion data outside has clips")
	}
	if tables.HookPayload(dat.PlayHook{At: uint32(len(tables.Payload)), Len: 1}) != nil || tables.HookPayload(dat.PlayHook{At: math.MaxUint32, Len: math.MaxUint32}) != nil {
		t.Error("a payload outside")
	}
}

// Spec 21 §6, 15 §3: where a setup holds things, of equal keys the last.
func TestSpec15_3_HoldingLocations(t *testing.T) {
	r := dat.Records{Setups: []*dat.Setup{
		{ID: 0x02000001, Holding: []dat.Location{{Key: 7, Part: 1, Frame: at(1, 0, 0)}, {Key: 2, Part: 3, Frame: at(2, 0, 0)}, {Key: 7, Part: 9}}},
		{ID: 0x02000002},
	}}
	tables := compile(t, r)
	if len(tables.Holdings) != 2 || !tables.Holds(0) || tables.Holds(1) || tables.Holds(dat.None) {
		t.Fatalf("%+v", tables.Holdings)
	}
	for _, c := range []struct {
		setup int32
		key   uint32
		want  int32
	}{{0, 2, 0}, {0, 7, 1}, {0, 3, dat.None}, {1, 2, dat.None}, {dat.None, 2, dat.None}, {5, 2, dat.None}} {
		if got := tables.Holding(c.setup, c.key); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
	if h := tables.Holdings[1]; h.Part != 9 || h.Frame != space.Identity {
		t.Errorf("%+v", h)
	}
	was := tables.Identity
	r.Setups[0].Holding[1].Part++
	if compile(t, r).Identity == was {
		t.Error("the identity does not tell")
	}
	r.Setups[0].Holding[1].Frame.Origin[0] = float32(math.Inf(1))
	if _, err := dat.Compile(r); !errors.Is(err, dat.ErrFloat) {
		t.Error(err)
	}
}

// An all-zero rotation is the identity in tables; the record keeps its bytes.
func TestF62_ZeroRotation(t *testing.T) {
	a := &dat.Animation{ID: 0x03000001, Flags: 1, Parts: 1, Positions: []space.Frame{{Origin: space.Vec3{0, 1, 0}}, {}},
		Frames: []dat.AnimFrame{{Parts: []space.Frame{{}}}, {Parts: []space.Frame{{Rotation: space.Quat{W: 2}}}}}}
	b, err := dat.EncodeAnimation(a)
	if err != nil {
		t.Fatal(err)
	}
	back, err := dat.DecodeAnimation(b)
	if err != nil || !reflect.DeepEqual(back, a) {
		t.Fatalf("%+v, %v", back, err)
	}
	tables := compile(t, dat.Records{Anims: []*dat.Animation{back}, Setups: []*dat.Setup{
		{ID: 0x02000001, Parts: []uint32{1}, Placements: []dat.Placement{{Parts: []space.Frame{{}}}}}}})
	if *tables.PositionFrame(0, 0) != at(0, 1, 0) || *tables.PositionFrame(0, 1) != space.Identity {
		t.Errorf("positions %v", tables.Positions)
	}
	if tables.PartFrames(0, 0)[0] != space.Identity || tables.PoseParts(0, 0)[0] != space.Identity {
		t.Error("parts keep a rotation of zeros")
	}
	if tables.PartFrames(0, 1)[0].Rotation.W != 2 {
		t.Error("a rotation of another length is not kept as stored")
	}
	f := at(1, 2, 3)
	for k := range int32(2) {
		f = space.Combine(f, *tables.PositionFrame(0, k))
		f = space.Subtract(f, *tables.PositionFrame(0, 1-k))
	}
	if !f.Valid() || f != at(1, 2, 3) {
		t.Errorf("playing it leads to %v", f)
	}
	if tables.Anims[0].Still {
		t.Error("it is taken for still")
	}
	if still := compile(t, dat.Records{Anims: []*dat.Animation{{ID: 0x03000001, Positions: []space.Frame{{}}, Frames: make([]dat.AnimFrame, 1)}}}); !still.Anims[0].Still {
		t.Error("zeros only are still")
	}
}

// Of duplicate keys the last wins (spec 21 §9), of a group of links as a whole.
func TestSpec21_9_DuplicateKeys(t *testing.T) {
	data := func(x float32) dat.MotionData { return dat.MotionData{Velocity: space.Vec3{x, 0, 0}} }
	m := &dat.MotionTable{
		ID:            0x09000001,
		StyleDefaults: []dat.StyleDefault{{Style: 2, Motion: 1}, {Style: 1, Motion: 5}, {Style: 2, Motion: 3}},
		Cycles:        []dat.KeyedMotion{{Key: 7, Data: data(1)}, {Key: 8, Data: data(2)}, {Key: 7, Data: data(3)}},
		Modifiers:     []dat.KeyedMotion{{Key: 7, Data: data(4)}, {Key: 7, Data: data(5)}},
		Links: []dat.LinkGroup{
			{Key: 1, To: []dat.KeyedMotion{{Key: 1, Data: data(6)}, {Key: 1, Data: data(7)}, {Key: 2, Data: data(8)}}},
			{Key: 2, To: []dat.KeyedMotion{{Key: 1, Data: data(9)}, {Key: 2, Data: data(10)}}},
			{Key: 2, To: []dat.KeyedMotion{{Key: 1, Data: data(11)}}},
		},
	}
	tables := compile(t, dat.Records{Motions: []*dat.MotionTable{m}})
	for name, c := range map[string]struct {
		i int32
		x float32
	}{
		"cycle 7":       {tables.Cycle(0, 7), 3},
		"cycle 8":       {tables.Cycle(0, 8), 2},
		"modifier":      {tables.Modifier(0, 7), 5},
		"link 1, 1":     {tables.Link(0, 1, 1), 7},
		"link 1, 2":     {tables.Link(0, 1, 2), 8},
		"link 2, 1":     {tables.Link(0, 2, 1), 11},
		"link 2, 2":     {tables.Link(0, 2, 2), 0},
		"link 3, 1":     {tables.Link(0, 3, 1), 0},
		"another table": {tables.Cycle(1, 7), 0},
		"no table":      {tables.Cycle(dat.None, 7), 0},
	} {
		if (c.i < 0) != (c.x == 0) || c.i >= 0 && tables.Data[c.i].Velocity[0] != c.x {
			t.Errorf("%s: %d", name, c.i)
		}
	}
	for style, want := range map[uint32]uint32{1: 5, 2: 3} {
		if d, ok := tables.StyleDefault(0, style); !ok || d != want {
			t.Errorf("style %d: %d", style, d)
		}
	}
	for _, table := range []int32{0, 1, dat.None} {
		if _, ok := tables.StyleDefault(table, 3); ok {
			t.Errorf("table %d has style 3", table)
		}
	}
	if len(tables.Data) != 6 || len(tables.Defaults) != 2 {
		t.Errorf("%d motions, %d defaults", len(tables.Data), len(tables.Defaults))
	}
	// the last alone gives the same tables
	m.StyleDefaults, m.Cycles, m.Modifiers = m.StyleDefaults[1:], m.Cycles[1:], m.Modifiers[1:]
	m.Links[0].To, m.Links = m.Links[0].To[1:], []dat.LinkGroup{m.Links[0], m.Links[2]}
	if compile(t, dat.Records{Motions: []*dat.MotionTable{m}}).Identity != tables.Identity {
		t.Error("a key that lost shows in the identity")
	}
}

// The identity does not depend on the order of records or keys, and on all else it does.
func TestIdentity(t *testing.T) {
	read := func() dat.Records {
		r, err := dat.ReadRecords(folder(t, "humanoid"), folder(t, "creature"))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	want := compile(t, read()).Identity
	if want != compile(t, read()).Identity || want == [32]byte{} {
		t.Fatal("it changes from one time to the next")
	}
	r := read()
	slices.Reverse(r.Motions)
	slices.Reverse(r.Anims)
	slices.Reverse(r.Setups)
	for _, m := range r.Motions {
		slices.Reverse(m.StyleDefaults)
		slices.Reverse(m.Cycles)
		slices.Reverse(m.Modifiers)
		slices.Reverse(m.Links)
		for _, g := range m.Links {
			slices.Reverse(g.To)
		}
	}
	if compile(t, r).Identity != want {
		t.Error("it depends on order")
	}
	for name, change := range map[string]func(r dat.Records){
		"default style": func(r dat.Records) { r.Motions[0].DefaultStyle++ },
		"style default": func(r dat.Records) { r.Motions[0].StyleDefaults[0].Motion++ },
		"cycle key":     func(r dat.Records) { r.Motions[0].Cycles[0].Key++ },
		"link key":      func(r dat.Records) { r.Motions[0].Links[0].To[0].Key++ },
		"outer key":     func(r dat.Records) { r.Motions[0].Links[0].Key++ },
		"rate":          func(r dat.Records) { r.Motions[0].Cycles[0].Data.Clips[0].Rate++ },
		"stored high":   func(r dat.Records) { r.Motions[0].Cycles[0].Data.Clips[0].High = 32 },
		"behaviour":     func(r dat.Records) { r.Motions[0].Cycles[0].Data.Flags ^= 1 },
		"velocity":      func(r dat.Records) { r.Motions[0].Cycles[0].Data.Velocity[2]++ },
		"omega":         func(r dat.Records) { r.Motions[0].Cycles[0].Data.Omega[2]++ },
		"position":      func(r dat.Records) { r.Anims[2].Positions[3].Origin[0]++ },
		"part":          func(r dat.Records) { r.Anims[2].Frames[3].Parts[0].Origin[0]++ },
		"hook":          func(r dat.Records) { r.Anims[1].Frames[7].Hooks[0].Direction++ },
		"payload":       func(r dat.Records) { r.Anims[1].Frames[7].Hooks[0].Payload[0]++ },
		"frames":        func(r dat.Records) { r.Anims[0].Frames = r.Anims[0].Frames[1:] },
		"height":        func(r dat.Records) { r.Setups[0].Height++ },
		"placement key": func(r dat.Records) { r.Setups[0].Placements[0].Key++ },
	} {
		r := read()
		change(r)
		if compile(t, r).Identity == want {
			t.Errorf("%s does not show", name)
		}
	}
}

func TestCompileRefusals(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	motion := func(d dat.MotionData) dat.Records {
		return dat.Records{Motions: []*dat.MotionTable{{ID: 0x09000001, Modifiers: []dat.KeyedMotion{{Data: d}}}}}
	}
	anim := func(a dat.Animation) dat.Records { a.ID = 0x03000001; return dat.Records{Anims: []*dat.Animation{&a}} }
	setup := func(s dat.Setup) dat.Records { s.ID = 0x02000001; return dat.Records{Setups: []*dat.Setup{&s}} }
	for name, c := range map[string]struct {
		r    dat.Records
		kind error
		id   uint32
	}{
		"wrong kind":         {dat.Records{Setups: []*dat.Setup{{ID: 0x03000001}}}, dat.ErrID, 0x03000001},
		"outside the range":  {dat.Records{Motions: []*dat.MotionTable{{ID: 0x09010000}}}, dat.ErrID, 0x09010000},
		"twice":              {dat.Records{Anims: []*dat.Animation{{ID: 0x03000001}, {ID: 0x03000001}}}, dat.ErrTwice, 0x03000001},
		"velocity":           {motion(dat.MotionData{Velocity: space.Vec3{0, nan, 0}}), dat.ErrFloat, 0x09000001},
		"omega":              {motion(dat.MotionData{Omega: space.Vec3{0, 0, inf}}), dat.ErrFloat, 0x09000001},
		"far position":       {anim(dat.Animation{Positions: []space.Frame{at(0, -2e12, 0)}, Frames: make([]dat.AnimFrame, 1)}), dat.ErrFloat, 0x03000001},
		"rate":               {motion(dat.MotionData{Clips: []dat.Clip{{Rate: inf}}}), dat.ErrFloat, 0x09000001},
		"positions":          {anim(dat.Animation{Positions: make([]space.Frame, 2), Frames: make([]dat.AnimFrame, 1)}), dat.ErrShape, 0x03000001},
		"position":           {anim(dat.Animation{Positions: []space.Frame{{Rotation: space.Quat{V: space.Vec3{nan}}}}, Frames: make([]dat.AnimFrame, 1)}), dat.ErrFloat, 0x03000001},
		"parts":              {anim(dat.Animation{Parts: 1, Frames: make([]dat.AnimFrame, 1)}), dat.ErrShape, 0x03000001},
		"huge parts":         {anim(dat.Animation{Parts: math.MaxUint32, Frames: make([]dat.AnimFrame, 1)}), dat.ErrShape, 0x03000001},
		"part":               {anim(dat.Animation{Parts: 1, Frames: []dat.AnimFrame{{Parts: []space.Frame{{Rotation: space.Quat{W: inf}}}}}}), dat.ErrFloat, 0x03000001},
		"placement":          {setup(dat.Setup{Parts: []uint32{1}, Placements: make([]dat.Placement, 1)}), dat.ErrShape, 0x02000001},
		"placement's origin": {setup(dat.Setup{Parts: []uint32{1}, Placements: []dat.Placement{{Parts: []space.Frame{{Origin: space.Vec3{inf}}}}}}), dat.ErrFloat, 0x02000001},
		"height":             {setup(dat.Setup{Height: nan}), dat.ErrFloat, 0x02000001},
	} {
		_, err := dat.Compile(c.r)
		var e *dat.Error
		if !errors.Is(err, c.kind) || !errors.As(err, &e) || e.Record != c.id {
			t.Errorf("%s: %v", name, err)
		}
	}
	// fill is a number like any other, and what a speed multiplies may be anything finite
	compile(t, setup(dat.Setup{StepDown: math.Float32frombits(0xCDCDCDCD)}))
	compile(t, motion(dat.MotionData{Velocity: space.Vec3{math.MaxFloat32, 0, 0}, Clips: []dat.Clip{{Rate: -math.MaxFloat32}}}))
	// parts are counted in frames only: without frames any number is none
	compile(t, anim(dat.Animation{Parts: math.MaxUint32}))
}

func TestFindByID(t *testing.T) {
	tables := load(t, folder(t, "humanoid"), folder(t, "creature"))
	for id, ok := range map[uint32]bool{0x09000001: true, 0x09000007: true, 0x09000002: false, 0x03000001: false, 0x09010001: false} {
		i, found := tables.MotionTable(id)
		if found != ok || found && tables.Motions[i].ID != id || !found && i != dat.None {
			t.Errorf("motion table 0x%08X: %d %v", id, i, found)
		}
	}
	if i, ok := tables.Setup(0x02000007); !ok || tables.Setups[i].Height != 0.878 || tables.Setups[i].MotionTable != 0x09000007 {
		t.Errorf("setup: %d %v", i, ok)
	}
	if _, ok := tables.Animation(0x02000001); ok {
		t.Error("a setup is an animation")
	}
}

// Look-ups allocate nothing.
func TestLookupsDoNotAllocate(t *testing.T) {
	tables, table := tableOf(t, "humanoid", 0x09000001)
	anim, _ := tables.Animation(0x03000040)
	n := testing.AllocsPerRun(100, func() {
		tables.Cycle(table, dat.Key(nonCombat, walk))
		tables.Modifier(table, dat.Key(0, turn))
		tables.Link(table, dat.Key(nonCombat, ready), walk)
		tables.StyleDefault(table, swordCombat)
		tables.Placement(0, 0x65)
		for _, h := range tables.HooksOf(anim, 18) {
			_ = tables.Hook(h).Args()
		}
		tables.PlaySeconds(tables.Cycle(table, dat.Key(nonCombat, walk)), 1)
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkLookups(b *testing.B) {
	tables, table := tableOf(b, "humanoid", 0x09000001)
	b.ReportAllocs()
	sum := int32(0)
	for b.Loop() {
		sum += tables.Link(table, dat.Key(nonCombat, ready), walk) + tables.Link(table, dat.Key(nonCombat, run), walk) +
			tables.Link(table, dat.Key(nonCombat, walk), falling) + tables.Cycle(table, dat.Key(nonCombat, run)) +
			tables.Cycle(table, dat.Key(handCombat, crouch)) + tables.Modifier(table, dat.Key(nonCombat, turn)) +
			tables.Modifier(table, dat.Key(0, turn)) + tables.Link(table, dat.Key(nonCombat, 0), handCombat) +
			tables.Link(table, dat.Key(nonCombat, 0), dead) + tables.Cycle(table, dat.Key(swordCombat, sitting)) +
			tables.Cycle(table, dat.Key(nonCombat, sleeping)) + tables.Link(table, dat.Key(swordCombat, ready), 0x10000058)
		for _, style := range []uint32{nonCombat, handCombat, swordCombat} {
			m, _ := tables.StyleDefault(table, style)
			sum += int32(m)
		}
	}
	sink = sum
}

var sink int32
