package dat_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
	"pgregory.net/rapid"
)

// Any records, in any order, into any container: read back equal, and nothing else is there.
func TestContainerRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfNDistinct(rapid.Uint32Max(dat.IterationID-1), 0, 150, rapid.ID[uint32]).Draw(t, "ids")
		var records []dat.Record
		for _, id := range ids {
			body := rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "body")
			for range rapid.IntRange(0, 6).Draw(t, "doublings") {
				body = append(body, body...)
			}
			records = append(records, dat.Record{ID: id, Data: append(binary.LittleEndian.AppendUint32(nil, id), body...)})
		}
		o := dat.WriteOptions{
			DataSet:    rapid.SampledFrom([]dat.DataSet{dat.Portal, dat.Cell, dat.Local}).Draw(t, "data set"),
			BlockSize:  rapid.OneOf(rapid.SampledFrom([]uint32{256, 512, 1024}), rapid.Uint32Range(8, 3000)).Draw(t, "block size"),
			Time:       rapid.Uint32().Draw(t, "time"),
			Iteration:  rapid.Int32Range(1, math.MaxInt32).Draw(t, "iteration"),
			Compress:   rapid.Bool().Draw(t, "compress"),
			Scatter:    rapid.Bool().Draw(t, "scatter"),
			FreeBlocks: rapid.Uint32Max(5).Draw(t, "free blocks"),
		}
		var b bytes.Buffer
		if err := dat.Write(&b, records, o); err != nil {
			t.Fatal(err)
		}
		f, err := open(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Check(); err != nil {
			t.Fatal(err)
		}
		for _, r := range records {
			got, err := f.Read(r.ID)
			if err != nil || !bytes.Equal(got, r.Data) {
				t.Fatalf("0x%08X: %d bytes, %v", r.ID, len(got), err)
			}
			if e, _ := f.Lookup(r.ID); e.Version != 2 || e.Time != o.Time || e.Iteration != o.Iteration {
				t.Fatalf("%+v", e)
			}
		}
		want := append(slices.Clone(ids), dat.IterationID)
		slices.Sort(want)
		if got := f.IDs(0, math.MaxUint32); !slices.Equal(got, want) {
			t.Fatalf("%X, want %X", got, want)
		}
		first, last := rapid.Uint32().Draw(t, "first"), rapid.Uint32().Draw(t, "last")
		in := slices.DeleteFunc(want, func(id uint32) bool { return id < first || id > last })
		if got := f.IDs(first, last); !slices.Equal(got, in) {
			t.Fatalf("%X..%X: %X, want %X", first, last, got, in)
		}
	})
}

var (
	anyFloat = rapid.Custom(func(t *rapid.T) float32 {
		bits := rapid.Uint32().Draw(t, "bits")
		if bits&0x7F800000 == 0x7F800000 {
			bits &^= 0x40000000 // finite
		}
		return math.Float32frombits(bits)
	})
	anyVec = rapid.Custom(func(t *rapid.T) space.Vec3 {
		return space.Vec3{anyFloat.Draw(t, "x"), anyFloat.Draw(t, "y"), anyFloat.Draw(t, "z")}
	})
	anyFrame = rapid.Custom(func(t *rapid.T) space.Frame {
		return space.Frame{Origin: anyVec.Draw(t, "origin"), Rotation: space.Quat{W: anyFloat.Draw(t, "w"), V: anyVec.Draw(t, "v")}}
	})
	anyHook = rapid.Custom(func(t *rapid.T) dat.Hook {
		f := func() float32 { return anyFloat.Draw(t, "float") }
		u := func() uint32 { return rapid.Uint32().Draw(t, "word") }
		typ := dat.HookType(rapid.IntRange(0, 26).Draw(t, "type"))
		a := dat.HookArgs{Wave: u(), SoundType: u(), Part: u(), Model: 0x01000000 + u()>>2, Flag: u(), Info: u(), Emitter: u(), Script: u(),
			Pause: f(), Left: [2]float32{f(), f()}, Right: [2]float32{f(), f()}, Radius: f(), Height: f(), Start: f(), End: f(), Time: f(),
			Frame: anyFrame.Draw(t, "frame"), Probability: f(), Priority: f(), Volume: f(), Axis: anyVec.Draw(t, "axis"), U: f(), V: f()}
		if typ == dat.HookReplaceObject {
			a.Part &= 0xFF
		}
		h, err := dat.NewHook(typ, rapid.Int32().Draw(t, "direction"), a)
		if err != nil {
			t.Fatal(err)
		}
		again, err := dat.NewHook(typ, h.Direction, h.Args())
		if err != nil || !bytes.Equal(again.Payload, h.Payload) {
			t.Fatalf("%v: % X, made from its own values % X", typ, h.Payload, again.Payload)
		}
		return h
	})
	anyMotions = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) dat.KeyedMotion {
		d := dat.MotionData{Flags: rapid.Byte().Draw(t, "flags"), Present: rapid.Byte().Draw(t, "present"), Pad: rapid.Byte().Draw(t, "pad")}
		for range rapid.IntRange(0, 3).Draw(t, "clips") {
			d.Clips = append(d.Clips, dat.Clip{Anim: rapid.Uint32().Draw(t, "anim"), Low: rapid.Int32().Draw(t, "low"),
				High: rapid.Int32().Draw(t, "high"), Rate: anyFloat.Draw(t, "rate")})
		}
		if d.Present&1 != 0 {
			d.Velocity = anyVec.Draw(t, "velocity")
		}
		if d.Present&2 != 0 {
			d.Omega = anyVec.Draw(t, "omega")
		}
		return dat.KeyedMotion{Key: rapid.Uint32().Draw(t, "key"), Data: d}
	}), 0, 4)
)

// some draws up to n values, nil for none, as the decoders give.
func some[T any](t *rapid.T, g *rapid.Generator[T], least, most int, name string) []T {
	s := rapid.SliceOfN(g, least, most).Draw(t, name)
	if len(s) == 0 {
		return nil
	}
	return s
}

func TestMotionTableRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &dat.MotionTable{ID: 0x09000000 + rapid.Uint32Max(0xFFFF).Draw(t, "id"), DefaultStyle: rapid.Uint32().Draw(t, "style")}
		for range rapid.IntRange(0, 3).Draw(t, "defaults") {
			m.StyleDefaults = append(m.StyleDefaults, dat.StyleDefault{Style: rapid.Uint32().Draw(t, "s"), Motion: rapid.Uint32().Draw(t, "m")})
		}
		list := func(name string) []dat.KeyedMotion {
			if s := anyMotions.Draw(t, name); len(s) > 0 {
				return s
			}
			return nil
		}
		m.Cycles, m.Modifiers = list("cycles"), list("modifiers")
		for range rapid.IntRange(0, 3).Draw(t, "groups") {
			m.Links = append(m.Links, dat.LinkGroup{Key: rapid.Uint32().Draw(t, "outer"), To: list("links")})
		}
		b, err := dat.EncodeMotionTable(m)
		if err != nil {
			t.Fatal(err)
		}
		got, err := dat.DecodeMotionTable(b)
		if err != nil || !reflect.DeepEqual(got, m) {
			t.Fatalf("%+v\n%+v, %v", m, got, err)
		}
	})
}

func TestAnimationRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, parts := rapid.IntRange(0, 4).Draw(t, "frames"), rapid.IntRange(0, 3).Draw(t, "parts")
		a := &dat.Animation{ID: 0x03000000 + rapid.Uint32Max(0xFFFF).Draw(t, "id"), Flags: rapid.Uint32().Draw(t, "flags"), Parts: uint32(parts)}
		if a.Flags&1 != 0 {
			a.Positions = some(t, anyFrame, n, n, "positions")
		}
		for range n {
			a.Frames = append(a.Frames, dat.AnimFrame{Parts: some(t, anyFrame, parts, parts, "parts"), Hooks: some(t, anyHook, 0, 3, "hooks")})
		}
		b, err := dat.EncodeAnimation(a)
		if err != nil {
			t.Fatal(err)
		}
		got, err := dat.DecodeAnimation(b)
		if err != nil || !reflect.DeepEqual(got, a) {
			t.Fatalf("%+v\n%+v, %v", a, got, err)
		}
	})
}

func TestSetupRoundTrip(t *testing.T) {
	location := rapid.Custom(func(t *rapid.T) dat.Location {
		return dat.Location{Key: rapid.Uint32().Draw(t, "key"), Part: rapid.Uint32().Draw(t, "part"), Frame: anyFrame.Draw(t, "frame")}
	})
	sphere := rapid.Custom(func(t *rapid.T) dat.Sphere {
		return dat.Sphere{Centre: anyVec.Draw(t, "centre"), Radius: anyFloat.Draw(t, "radius")}
	})
	cylinder := rapid.Custom(func(t *rapid.T) dat.Cylinder {
		return dat.Cylinder{Low: anyVec.Draw(t, "low"), Radius: anyFloat.Draw(t, "radius"), Height: anyFloat.Draw(t, "height")}
	})
	light := rapid.Custom(func(t *rapid.T) dat.Light {
		return dat.Light{Key: rapid.Uint32().Draw(t, "key"), Frame: anyFrame.Draw(t, "frame"), Colour: rapid.Uint32().Draw(t, "colour"),
			Intensity: anyFloat.Draw(t, "intensity"), Falloff: anyFloat.Draw(t, "falloff"), Cone: anyFloat.Draw(t, "cone")}
	})
	rapid.Check(t, func(t *rapid.T) {
		f := func() float32 { return anyFloat.Draw(t, "float") }
		u := func() uint32 { return rapid.Uint32().Draw(t, "word") }
		n := rapid.IntRange(0, 3).Draw(t, "parts")
		placement := rapid.Custom(func(t *rapid.T) dat.Placement {
			return dat.Placement{Key: rapid.Uint32().Draw(t, "key"), Parts: some(t, anyFrame, n, n, "frames"), Hooks: some(t, anyHook, 0, 2, "hooks")}
		})
		s := &dat.Setup{ID: 0x02000000 + u()>>16, Flags: u(), Parts: some(t, rapid.Uint32(), n, n, "parts"),
			Holding: some(t, location, 0, 2, "holding"), Connections: some(t, location, 0, 2, "connections"),
			Placements: some(t, placement, 0, 2, "placements"), Cylinders: some(t, cylinder, 0, 2, "cylinders"),
			Spheres: some(t, sphere, 0, 2, "spheres"), Height: f(), Radius: f(), StepUp: f(), StepDown: f(),
			Sorting: sphere.Draw(t, "sorting"), Selection: sphere.Draw(t, "selection"), Lights: some(t, light, 0, 2, "lights"),
			DefaultAnimation: u(), DefaultScript: u(), DefaultMotionTable: u(), DefaultSoundTable: u(), DefaultScriptTable: u()}
		if s.Flags&1 != 0 {
			s.Parents = some(t, rapid.Uint32(), n, n, "parents")
		}
		if s.Flags&2 != 0 {
			s.Scales = some(t, anyVec, n, n, "scales")
		}
		b, err := dat.EncodeSetup(s)
		if err != nil {
			t.Fatal(err)
		}
		got, err := dat.DecodeSetup(b)
		if err != nil || !reflect.DeepEqual(got, s) {
			t.Fatalf("%+v\n%+v, %v", s, got, err)
		}
	})
}
