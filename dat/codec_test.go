package dat_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"reflect"
	"runtime"
	"testing"

	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// reencode decodes and encodes a record of a kind that has a codec.
func reencode(b []byte) (record any, out []byte, err error) {
	id := binary.LittleEndian.Uint32(b)
	switch dat.KindOf(dat.Portal, id) {
	case dat.MotionTableKind:
		return both(b, dat.DecodeMotionTable, dat.EncodeMotionTable)
	case dat.AnimationKind:
		return both(b, dat.DecodeAnimation, dat.EncodeAnimation)
	case dat.SetupKind:
		return both(b, dat.DecodeSetup, dat.EncodeSetup)
	case dat.GfxObjKind:
		return both(b, dat.DecodeGfxObj, dat.EncodeGfxObj)
	case dat.EnvironmentKind:
		return both(b, dat.DecodeEnvironment, dat.EncodeEnvironment)
	case dat.RegionKind:
		return both(b, dat.DecodeRegion, dat.EncodeRegion)
	}
	switch dat.KindOf(dat.Cell, id) {
	case dat.LandBlockKind:
		return both(b, dat.DecodeLandBlock, dat.EncodeLandBlock)
	case dat.LandBlockInfoKind:
		return both(b, dat.DecodeLandBlockInfo, dat.EncodeLandBlockInfo)
	case dat.EnvCellKind:
		return both(b, dat.DecodeEnvCell, dat.EncodeEnvCell)
	}
	return nil, nil, nil
}

func both[T any](b []byte, decode func([]byte) (*T, error), encode func(*T) ([]byte, error)) (any, []byte, error) {
	v, err := decode(b)
	if err != nil {
		return nil, nil, err
	}
	out, err := encode(v)
	return v, out, err
}

func TestSpec21_FixturesEncodeToTheirBytes(t *testing.T) {
	n := 0
	fixtureFiles(t, func(name string, b []byte) {
		record, out, err := reencode(b)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		if record == nil {
			t.Errorf("%s is of no kind", name)
		}
		n++
		if !bytes.Equal(out, b) {
			t.Errorf("%s encodes to other bytes", name)
		}
	})
	if n < 115 {
		t.Errorf("only %d records seen", n)
	}
}

// Every shorter record is refused as truncated, every longer one as having bytes left over.
func TestSpec21_11_TruncatedAndTrailing(t *testing.T) {
	for _, name := range []string{"humanoid/09000001.bin", "humanoid/030000FF.bin", "humanoid/03000040.bin", "humanoid/02000001.bin",
		"land/01000A16.bin", "land/0D000A01.bin", "land/A9B4FFFF.bin", "land/A9B4FFFE.bin", "land/A9B40100.bin", "land/A9B40101.bin"} {
		b := fixture(t, name)
		for n := range b {
			if n < 4 {
				continue
			}
			_, _, err := reencode(b[:n])
			if !errors.Is(err, dat.ErrTruncated) {
				t.Fatalf("%s cut to %d bytes: %v", name, n, err)
			}
			var e *dat.Error
			if !errors.As(err, &e) || !e.InRecord || e.Offset > int64(n) || e.Record != binary.LittleEndian.Uint32(b) {
				t.Fatalf("%s cut to %d bytes: place is not named: %#v", name, n, e)
			}
		}
		if _, _, err := reencode(append(bytes.Clone(b), 0)); !errors.Is(err, dat.ErrTrailing) {
			t.Errorf("%s with a byte more: %v", name, err)
		}
	}
	for n := range 4 {
		if _, err := dat.DecodeSetup(make([]byte, n)); !errors.Is(err, dat.ErrTruncated) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

func TestSpec21_1_WrongKindIsRefused(t *testing.T) {
	b := fixture(t, "humanoid/09000001.bin")
	if _, err := dat.DecodeAnimation(b); !errors.Is(err, dat.ErrID) {
		t.Errorf("a motion table as an animation: %v", err)
	}
	if _, err := dat.DecodeMotionTable(word(nil, 0x09010000)); !errors.Is(err, dat.ErrID) {
		t.Errorf("an id outside 0x0900xxxx: %v", err)
	}
	if _, err := dat.EncodeSetup(&dat.Setup{ID: 0x03000001}); !errors.Is(err, dat.ErrID) {
		t.Errorf("a setup with an animation's id: %v", err)
	}
}

// A count is checked before anything is allocated.
func TestSpec21_11_HugeCounts(t *testing.T) {
	cases := map[string][]byte{
		"style defaults": word(nil, 0x09000001, 1, 0xFFFFFFFF),
		"cycles":         word(nil, 0x09000001, 1, 0, 0x20000000),
		"modifiers":      word(nil, 0x09000001, 1, 0, 0, 0x20000000),
		"link groups":    word(nil, 0x09000001, 1, 0, 0, 0, 0x20000000),
		"links":          word(nil, 0x09000001, 1, 0, 0, 0, 1, 0, 0x20000000),
		"clips":          word(nil, 0x09000001, 1, 0, 1, 0, 0xFF),
		"frames":         word(nil, 0x03000001, 0, 0xFFFFFFFF, 0xFFFFFFFF, 0),
		"empty frames":   word(nil, 0x03000001, 0, 0, 0xFFFFFFFF, 0),
		"hooks":          word(nil, 0x03000001, 0, 0, 1, 0x20000000),
		"parts":          word(nil, 0x02000001, 0, 0xFFFFFFFF, 0),
		"placements":     word(nil, 0x02000001, 0, 0, 0, 0, 0xFFFFFFFF, 0),
	}
	for name, b := range cases {
		t.Run(name, func(t *testing.T) {
			var err error
			allocated := allocatedBytes(func() { _, _, err = reencode(b) })
			if !errors.Is(err, dat.ErrTruncated) {
				t.Error(err)
			}
			if allocated > 1<<14 { // a message, not a list
				t.Errorf("%d bytes allocated for %d", allocated, len(b))
			}
		})
	}
}

// NaN and infinities are refused at any float of a record; every other bit
// pattern is kept. Flipping a dword to NaN is either refused or, in an integer
// field, kept.
func TestSpec21_11_NonFiniteFloats(t *testing.T) {
	for _, bits := range []uint32{0x7FC00000, 0x7F800001, 0x7F800000, 0xFF800000} {
		v := math.Float32frombits(bits)
		m := &dat.MotionTable{ID: 0x09000001, Cycles: []dat.KeyedMotion{{Data: dat.MotionData{
			Clips: []dat.Clip{{Rate: 1}}, Present: 3, Velocity: space.Vec3{1, 2, 3}, Omega: space.Vec3{4, 5, 6}}}}}
		floats := []*float32{&m.Cycles[0].Data.Clips[0].Rate, &m.Cycles[0].Data.Velocity[1], &m.Cycles[0].Data.Omega[2]}
		for i, p := range floats {
			old := *p
			b, err := dat.EncodeMotionTable(m)
			if err != nil {
				t.Fatal(err)
			}
			at := bytes.Index(b, word(nil, math.Float32bits(old)))
			binary.LittleEndian.PutUint32(b[at:], bits)
			var e *dat.Error
			if _, err := dat.DecodeMotionTable(b); !errors.Is(err, dat.ErrFloat) || !errors.As(err, &e) || e.Offset != int64(at) {
				t.Errorf("float %d = %v: %v, want byte 0x%X", i, v, err, at)
			}
			*p = v
			if _, err := dat.EncodeMotionTable(m); !errors.Is(err, dat.ErrFloat) {
				t.Errorf("encoding float %d = %v: %v", i, v, err)
			}
			*p = old
		}
	}
	// every dword of an animation and a setup in turn
	for _, name := range []string{"humanoid/030000FF.bin", "humanoid/02000001.bin"} {
		b := fixture(t, name)
		refused := 0
		for at := 4; at+4 <= len(b); at += 4 {
			c := bytes.Clone(b)
			binary.LittleEndian.PutUint32(c[at:], 0x7FC00001)
			_, out, err := reencode(c)
			switch {
			case errors.Is(err, dat.ErrFloat):
				refused++
			case err == nil && !bytes.Equal(out, c):
				t.Errorf("%s: byte 0x%X changed in decoding and encoding", name, at)
			}
		}
		if refused < 20 {
			t.Errorf("%s: %d floats refused", name, refused)
		}
	}
}

// A light's cone may be fill, which is a finite number (spec 21 §6).
func TestSpec21_6_LightConeFill(t *testing.T) {
	s := &dat.Setup{
		ID: 0x02000229, Flags: 1 | 2 | 4, Parts: []uint32{0x010009BF}, Parents: []uint32{0xFFFFFFFF}, Scales: []space.Vec3{{1, 1, 1}},
		Holding:     []dat.Location{{Key: 1, Part: 9, Frame: space.Identity}},
		Connections: []dat.Location{{Key: 2, Part: 3, Frame: space.Identity}},
		Placements:  []dat.Placement{{Key: 0x65, Parts: []space.Frame{space.Identity}, Hooks: []dat.Hook{{Type: dat.HookDefaultScript}}}},
		Cylinders:   []dat.Cylinder{{Low: space.Vec3{1, 2, 3}, Radius: 4, Height: 5}},
		Spheres:     []dat.Sphere{{Centre: space.Vec3{6, 7, 8}, Radius: 9}},
		Height:      10, Radius: 11, StepUp: 12, StepDown: 13,
		Lights: []dat.Light{{Key: 1, Frame: space.Identity, Colour: 0xFFFAC800, Intensity: 100, Falloff: 5,
			Cone: math.Float32frombits(0xCDCDCDCD)}},
		DefaultAnimation: 0x03000001, DefaultScript: 2, DefaultMotionTable: 3, DefaultSoundTable: 4, DefaultScriptTable: 5,
	}
	b, err := dat.EncodeSetup(s)
	if err != nil {
		t.Fatal(err)
	}
	got, err := dat.DecodeSetup(b)
	if err != nil {
		t.Fatal(err)
	}
	if got.Lights[0].Cone != -431602080 {
		t.Errorf("cone %v", got.Lights[0].Cone)
	}
	if !reflect.DeepEqual(got, s) {
		t.Errorf("got %+v\nwant %+v", got, s)
	}
	if err := binary.Read(bytes.NewReader(b), binary.LittleEndian, new(uint32)); err != nil || len(b)%4 != 0 {
		t.Errorf("%d bytes are no dwords", len(b))
	}
}

// Height comes before radius, step up before step down, a cylinder's radius before its height.
func TestSpec21_6_OrderOfSizes(t *testing.T) {
	s, err := dat.DecodeSetup(fixture(t, "humanoid/02000001.bin"))
	if err != nil {
		t.Fatal(err)
	}
	if s.Height != 1.835 || s.Radius != 0.6788225 || s.StepUp != 0.6 || s.StepDown != 1.5 {
		t.Errorf("height %v radius %v steps %v %v", s.Height, s.Radius, s.StepUp, s.StepDown)
	}
	if want := []dat.Cylinder{{Radius: 0.3, Height: 1.835}}; !reflect.DeepEqual(s.Cylinders, want) {
		t.Errorf("cylinders %v", s.Cylinders)
	}
	want := []dat.Sphere{{space.Vec3{0, 0, 0.475}, 0.48}, {space.Vec3{0, 0, 1.35}, 0.48}}
	if !reflect.DeepEqual(s.Spheres, want) {
		t.Errorf("spheres %v", s.Spheres)
	}
	if s.DefaultMotionTable != 0x09000001 || len(s.Placements) != 1 || s.Placements[0].Key != 0 {
		t.Errorf("table 0x%08X, placements %v", s.DefaultMotionTable, s.Placements)
	}
}

// The presence mask is the third byte, the behaviour the second, and the byte
// of padding is kept.
func TestSpec21_4_MotionDataHeader(t *testing.T) {
	b := word(nil, 0x09000001, nonCombat, 1, nonCombat, ready, 1, 0x003D0003)
	b = append(b, 1, 3, 0xF2, 0xCD) // one clip, both behaviours, omega, unknown bits, fill
	b = word(b, 0x03000001, 0, 0xFFFFFFFF, math.Float32bits(-30), 0, 0, math.Float32bits(-1.5), 0, 0)
	m, err := dat.DecodeMotionTable(b)
	if err != nil {
		t.Fatal(err)
	}
	want := dat.MotionData{Clips: []dat.Clip{{Anim: 0x03000001, High: -1, Rate: -30}}, Flags: 3, Present: 0xF2, Pad: 0xCD,
		Omega: space.Vec3{0, 0, -1.5}}
	if !reflect.DeepEqual(m.Cycles[0].Data, want) {
		t.Errorf("got %+v", m.Cycles[0].Data)
	}
	if out, err := dat.EncodeMotionTable(m); err != nil || !bytes.Equal(out, b) {
		t.Errorf("encodes to other bytes, %v", err)
	}
}

func TestEncodeRefusesListsThatDoNotFit(t *testing.T) {
	motion := func(d dat.MotionData) *dat.MotionTable {
		return &dat.MotionTable{ID: 0x09000001, Cycles: []dat.KeyedMotion{{Data: d}}}
	}
	check := func(name string, kind, err error) {
		if !errors.Is(err, kind) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := dat.EncodeMotionTable(motion(dat.MotionData{Velocity: space.Vec3{1, 0, 0}}))
	check("velocity without its bit", dat.ErrShape, err)
	_, err = dat.EncodeMotionTable(motion(dat.MotionData{Omega: space.Vec3{1, 0, 0}}))
	check("omega without its bit", dat.ErrShape, err)
	_, err = dat.EncodeMotionTable(motion(dat.MotionData{Clips: make([]dat.Clip, 256)}))
	check("256 clips", dat.ErrLimit, err)
	_, err = dat.EncodeAnimation(&dat.Animation{ID: 0x03000001, Positions: make([]space.Frame, 1), Frames: make([]dat.AnimFrame, 1)})
	check("positions without their bit", dat.ErrShape, err)
	_, err = dat.EncodeAnimation(&dat.Animation{ID: 0x03000001, Flags: 1, Frames: make([]dat.AnimFrame, 1)})
	check("the bit without positions", dat.ErrShape, err)
	_, err = dat.EncodeAnimation(&dat.Animation{ID: 0x03000001, Parts: 2, Frames: make([]dat.AnimFrame, 1)})
	check("a frame without parts", dat.ErrShape, err)
	_, err = dat.EncodeSetup(&dat.Setup{ID: 0x02000001, Flags: 1, Parts: []uint32{1}})
	check("no parents", dat.ErrShape, err)
	_, err = dat.EncodeSetup(&dat.Setup{ID: 0x02000001, Scales: make([]space.Vec3, 1), Parts: []uint32{1}})
	check("scales without their bit", dat.ErrShape, err)
	_, err = dat.EncodeSetup(&dat.Setup{ID: 0x02000001, Parts: []uint32{1}, Placements: make([]dat.Placement, 1)})
	check("a placement without parts", dat.ErrShape, err)
}

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	b, err := fixturesFS.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// allocatedBytes is what do allocates.
func allocatedBytes(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// word appends dwords.
func word(b []byte, v ...uint32) []byte {
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, x)
	}
	return b
}
