package dat_test

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// The hooks of animations 0x030000FE and 0x030000FF, one of every type.
var everyHook = []struct {
	length    int
	direction int32
	args      dat.HookArgs
}{
	dat.HookNoOp:                   {0, 0, dat.HookArgs{}},
	dat.HookSound:                  {4, 1, dat.HookArgs{Wave: 0x0A000001}},
	dat.HookSoundTable:             {4, -1, dat.HookArgs{SoundType: 0x37}},
	dat.HookAttack:                 {28, 1, dat.HookArgs{Part: 7, Left: [2]float32{0.25, 0.5}, Right: [2]float32{-0.25, 0.5}, Radius: 1.5, Height: 2}},
	dat.HookAnimationDone:          {0, 0, dat.HookArgs{}},
	dat.HookReplaceObject:          {3, 1, dat.HookArgs{Part: 3, Model: 0x01000BB4}},
	dat.HookEthereal:               {4, 0, dat.HookArgs{Flag: 1}},
	dat.HookTransparentPart:        {16, 0, dat.HookArgs{Part: 2, Start: 0, End: 0.5, Time: 1.25}},
	dat.HookLuminous:               {12, 0, dat.HookArgs{Start: 0, End: 1, Time: 0.5}},
	dat.HookLuminousPart:           {16, 0, dat.HookArgs{Part: 1, Start: 0, End: 1, Time: 0.75}},
	dat.HookDiffuse:                {12, 0, dat.HookArgs{Start: 1, End: 0.25, Time: 2}},
	dat.HookDiffusePart:            {16, 0, dat.HookArgs{Part: 0, Start: 1, End: 0.25, Time: 2}},
	dat.HookScale:                  {8, 0, dat.HookArgs{End: 1.5, Time: 3}},
	dat.HookCreateParticle:         {40, 0, dat.HookArgs{Info: 0x32000001, Part: 1, Frame: at(0, 0.1, 0.2), Emitter: 9}},
	dat.HookDestroyParticle:        {4, 0, dat.HookArgs{Emitter: 9}},
	dat.HookStopParticle:           {4, 0, dat.HookArgs{Emitter: 9}},
	dat.HookNoDraw:                 {4, 0, dat.HookArgs{Flag: 1}},
	dat.HookDefaultScript:          {0, 0, dat.HookArgs{}},
	dat.HookDefaultScriptPart:      {4, 0, dat.HookArgs{Part: 1}},
	dat.HookCallScript:             {8, 0, dat.HookArgs{Script: 0x33000001, Pause: 0.5}},
	dat.HookTransparent:            {12, 0, dat.HookArgs{Start: 0, End: 0.9, Time: 1}},
	dat.HookSoundTweaked:           {16, 0, dat.HookArgs{Wave: 0x0A000002, Probability: 0.5, Priority: 2, Volume: 0.75}},
	dat.HookSetOmega:               {12, 0, dat.HookArgs{Axis: space.Vec3{0, 0, 3}}},
	dat.HookTextureVelocity:        {8, 0, dat.HookArgs{U: 0.1, V: 0.2}},
	dat.HookTextureVelocityPart:    {12, 0, dat.HookArgs{Part: 1, U: 0.3, V: 0.4}},
	dat.HookSetLight:               {4, 0, dat.HookArgs{Flag: 1}},
	dat.HookCreateBlockingParticle: {40, 0, dat.HookArgs{Info: 0x32000002, Part: 0, Frame: at(0, 0, 1), Emitter: 4}},
}

func at(x, y, z float32) space.Frame {
	return space.Frame{Origin: space.Vec3{x, y, z}, Rotation: space.IdentityQuat}
}

func TestSpec21_5_EveryHook(t *testing.T) {
	var hooks []dat.Hook
	for _, name := range []string{"humanoid/030000FE.bin", "humanoid/030000FF.bin"} {
		a, err := dat.DecodeAnimation(fixture(t, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Frames {
			hooks = append(hooks, f.Hooks...)
		}
	}
	if len(hooks) != 27 || len(everyHook) != 27 {
		t.Fatalf("%d hooks, %d expected", len(hooks), len(everyHook))
	}
	for i, h := range hooks {
		want := everyHook[i]
		if int(h.Type) != i || h.Direction != want.direction || len(h.Payload) != want.length {
			t.Errorf("hook %d: %v, direction %d, %d bytes", i, h.Type, h.Direction, len(h.Payload))
		}
		if got := h.Args(); got != want.args {
			t.Errorf("%v: %+v, want %+v", h.Type, got, want.args)
		}
		made, err := dat.NewHook(h.Type, h.Direction, want.args)
		if err != nil || !bytes.Equal(made.Payload, h.Payload) || made.Type != h.Type || made.Direction != h.Direction {
			t.Errorf("%v is made as %+v, %v", h.Type, made, err)
		}
	}
}

// Unknown types are refused: nothing says how long they are.
func TestSpec21_5_UnknownHook(t *testing.T) {
	for _, typ := range []int32{27, 28, 1000, -1, math.MinInt32} {
		b := word(nil, 0x03000001, 2, 0, 1, 1, uint32(typ), 0)
		var e *dat.Error
		if _, err := dat.DecodeAnimation(b); !errors.Is(err, dat.ErrHook) || !errors.As(err, &e) || e.Offset != 20 {
			t.Errorf("type %d: %v", typ, err)
		}
		if _, err := dat.NewHook(dat.HookType(typ), 0, dat.HookArgs{}); !errors.Is(err, dat.ErrHook) {
			t.Errorf("making type %d: %v", typ, err)
		}
	}
}

// Type 5: a byte, a packed id of either form, then padding; each form encodes to itself.
func TestSpec21_5_ReplaceObjectForms(t *testing.T) {
	record := func(tail ...byte) []byte {
		return append(word(nil, 0x03000001, 2, 0, 1, 1, 5, 0), tail...)
	}
	cases := []struct {
		name  string
		b     []byte
		model uint32
		n     int
	}{
		{"short", record(9, 0xB4, 0x0B, 0), 0x01000BB4, 3},
		{"short with fill behind", record(9, 0xB4, 0x0B, 0xCD), 0x01000BB4, 3},
		{"none", record(9, 0, 0, 0), 0x01000000, 3},
		{"short above 0x3FFF", record(9, 0xFF, 0x7F, 0), 0x01007FFF, 3},
		{"long", record(9, 0x01, 0x80, 0x34, 0x12, 0, 0, 0), 0x01011234, 5},
		{"long for a small id", record(9, 0x00, 0x80, 0x05, 0x00, 1, 2, 3), 0x01000005, 5},
		{"long with bit 14", record(9, 0x02, 0xC0, 0x34, 0x12, 0, 0, 0), 0x01021234, 5},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			a, err := dat.DecodeAnimation(c.b)
			if err != nil {
				t.Fatal(err)
			}
			h := a.Frames[0].Hooks[0]
			if got := h.Args(); got != (dat.HookArgs{Part: 9, Model: c.model}) || len(h.Payload) != c.n {
				t.Errorf("%+v, %d bytes", got, len(h.Payload))
			}
			if out, err := dat.EncodeAnimation(a); err != nil || !bytes.Equal(out, c.b) {
				t.Errorf("encodes to % X, %v", out, err)
			}
		})
	}
	// made hooks are short below 0x4000, which every reader takes, and long from there on
	for model, n := range map[uint32]int{0x01000000: 3, 0x01003FFF: 3, 0x01004000: 5, 0x01007FFF: 5, 0x01018000: 5} {
		h, err := dat.NewHook(dat.HookReplaceObject, 0, dat.HookArgs{Part: 1, Model: model})
		if err != nil || len(h.Payload) != n || h.Args().Model != model {
			t.Errorf("0x%08X: %d bytes, 0x%08X, %v", model, len(h.Payload), h.Args().Model, err)
		}
	}
	for _, a := range []dat.HookArgs{{Part: 256, Model: 0x01000000}, {Model: 0x00FFFFFF}, {Model: 0x41000000}} {
		if _, err := dat.NewHook(dat.HookReplaceObject, 0, a); !errors.Is(err, dat.ErrHook) {
			t.Errorf("%+v: %v", a, err)
		}
	}
}

func TestEncodeRefusesBadHooks(t *testing.T) {
	for name, c := range map[string]struct {
		h    dat.Hook
		kind error
	}{
		"unknown type":      {dat.Hook{Type: 27}, dat.ErrHook},
		"short payload":     {dat.Hook{Type: dat.HookSound, Payload: make([]byte, 3)}, dat.ErrHook},
		"long payload":      {dat.Hook{Type: dat.HookNoOp, Payload: make([]byte, 4)}, dat.ErrHook},
		"empty packed id":   {dat.Hook{Type: dat.HookReplaceObject}, dat.ErrHook},
		"padding not there": {dat.Hook{Type: dat.HookNoOp, Pad: [3]byte{1}}, dat.ErrHook},
		"NaN":               {dat.Hook{Type: dat.HookScale, Payload: word(nil, 0, 0x7FC00000)}, dat.ErrFloat},
		"NaN in a frame":    {dat.Hook{Type: dat.HookCreateParticle, Payload: word(nil, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF800000, 0)}, dat.ErrFloat},
	} {
		a := &dat.Animation{ID: 0x03000001, Frames: []dat.AnimFrame{{Hooks: []dat.Hook{c.h}}}}
		if _, err := dat.EncodeAnimation(a); !errors.Is(err, c.kind) {
			t.Errorf("%s, encoding: %v", name, err)
		}
		if _, err := dat.Compile(dat.Records{Anims: []*dat.Animation{a}}); !errors.Is(err, c.kind) {
			t.Errorf("%s, compiling: %v", name, err)
		}
		if got := c.h.Args(); got != (dat.HookArgs{}) {
			t.Errorf("%s has %+v", name, got)
		}
	}
	if _, err := dat.NewHook(dat.HookScale, 0, dat.HookArgs{End: float32(math.Inf(1))}); !errors.Is(err, dat.ErrFloat) {
		t.Errorf("making an infinite scale: %v", err)
	}
}

func TestHookTypeString(t *testing.T) {
	for typ, want := range map[dat.HookType]string{0: "NoOp", 13: "CreateParticle", 26: "CreateBlockingParticle", 27: "hook 27", -1: "hook -1"} {
		if got := typ.String(); got != want {
			t.Errorf("%d is %q", int32(typ), got)
		}
	}
	if !reflect.DeepEqual(dat.HookCreateBlockingParticle, dat.HookType(26)) {
		t.Error("types are not numbered as in the files")
	}
}
