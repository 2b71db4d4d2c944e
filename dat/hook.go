package dat

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/gait-engine/gait/space"
)

// Hook is something that happens when a frame is passed (spec 21 §5). Payload
// holds the bytes between direction and padding, checked to be of the type's
// length and with finite floats; [Hook.Args] reads it.
type Hook struct {
	Type      HookType
	Direction int32 // 0 both ways, 1 forward only, −1 backward only; any other never fires (R2.32)
	Payload   []byte
	Pad       [3]byte // the padding, kept so that the record encodes to its own bytes
}

// HookType is the kind of a hook; its number in files and traces.
type HookType int32

const (
	HookNoOp HookType = iota
	HookSound
	HookSoundTable
	HookAttack
	HookAnimationDone
	HookReplaceObject
	HookEthereal
	HookTransparentPart
	HookLuminous
	HookLuminousPart
	HookDiffuse
	HookDiffusePart
	HookScale
	HookCreateParticle
	HookDestroyParticle
	HookStopParticle
	HookNoDraw
	HookDefaultScript
	HookDefaultScriptPart
	HookCallScript
	HookTransparent
	HookSoundTweaked
	HookSetOmega
	HookTextureVelocity
	HookTextureVelocityPart
	HookSetLight
	HookCreateBlockingParticle
	hookTypes // how many there are
)

// HookArgs are the values in a hook's payload; those that the type has not are zero.
type HookArgs struct {
	Wave      uint32 // 1, 21: the wave's id
	SoundType uint32 // 2
	Part      uint32 // 3, 5, 7, 9, 11, 13, 18, 24, 26; 0xFFFFFFFF in 3 is no single part
	Model     uint32 // 5: the id of the GfxObj that replaces the part
	Flag      uint32 // 6 ethereal, 16 no draw, 25 set light
	Info      uint32 // 13, 26: the id of the emitter's description
	Emitter   uint32 // 13, 14, 15, 26
	Script    uint32 // 19
	Pause     float32

	Left, Right    [2]float32 // 3: the cone's sides, x and y
	Radius, Height float32    // 3

	Start, End, Time float32 // 7–11, 20; 12 has no start

	Frame space.Frame // 13, 26: where on the part

	Probability, Priority, Volume float32 // 21

	Axis space.Vec3 // 22: radians a second
	U, V float32    // 23, 24
}

// A hookField is one value of a payload; hookFields lists the payload of each type.
type hookField uint8

const (
	fWave hookField = iota
	fSoundType
	fPart
	fFlag
	fInfo
	fEmitter
	fScript
	lastWord
	fPause
	fLeftX
	fLeftY
	fRightX
	fRightY
	fRadius
	fHeight
	fStart
	fEnd
	fTime
	fProbability
	fPriority
	fVolume
	fU
	fV
	lastFloat
	fAxis
	fFrame
	fPartByte // a byte, in type 5 only
	fModel    // a packed id: two bytes, or four when bit 15 of the first two is set
)

var hookFields = [hookTypes][]hookField{
	HookNoOp:                   {},
	HookSound:                  {fWave},
	HookSoundTable:             {fSoundType},
	HookAttack:                 {fPart, fLeftX, fLeftY, fRightX, fRightY, fRadius, fHeight},
	HookAnimationDone:          {},
	HookReplaceObject:          {fPartByte, fModel},
	HookEthereal:               {fFlag},
	HookTransparentPart:        {fPart, fStart, fEnd, fTime},
	HookLuminous:               {fStart, fEnd, fTime},
	HookLuminousPart:           {fPart, fStart, fEnd, fTime},
	HookDiffuse:                {fStart, fEnd, fTime},
	HookDiffusePart:            {fPart, fStart, fEnd, fTime},
	HookScale:                  {fEnd, fTime},
	HookCreateParticle:         {fInfo, fPart, fFrame, fEmitter},
	HookDestroyParticle:        {fEmitter},
	HookStopParticle:           {fEmitter},
	HookNoDraw:                 {fFlag},
	HookDefaultScript:          {},
	HookDefaultScriptPart:      {fPart},
	HookCallScript:             {fScript, fPause},
	HookTransparent:            {fStart, fEnd, fTime},
	HookSoundTweaked:           {fWave, fProbability, fPriority, fVolume},
	HookSetOmega:               {fAxis},
	HookTextureVelocity:        {fU, fV},
	HookTextureVelocityPart:    {fPart, fU, fV},
	HookSetLight:               {fFlag},
	HookCreateBlockingParticle: {fInfo, fPart, fFrame, fEmitter},
}

// modelBase is what the packed id of a type 5 hook counts from.
const modelBase = 0x01000000

// Args reads the payload. It is zero when the payload has not the type's length.
func (h Hook) Args() HookArgs {
	var a HookArgs
	if h.check() != nil {
		return a
	}
	c := &cursor{b: h.Payload}
	for _, f := range hookFields[h.Type] {
		switch {
		case f < lastWord:
			*a.word(f) = c.u32()
		case f < lastFloat:
			*a.float(f) = c.f32()
		case f == fAxis:
			a.Axis = c.vec3()
		case f == fFrame:
			a.Frame = c.frame()
		case f == fPartByte:
			a.Part = uint32(c.u8())
		case f == fModel:
			a.Model = unpackID(modelBase, c.take(c.left()))
		}
	}
	return a
}

// NewHook makes a hook from values; those that the type has not are ignored.
// It fails for an unknown type, a float that is not finite, and a part or
// model that type 5 cannot hold.
func NewHook(t HookType, direction int32, a HookArgs) (Hook, error) {
	h := Hook{Type: t, Direction: direction}
	if t < 0 || t >= hookTypes {
		return h, recordError(0, ErrHook, "unknown type %d", t)
	}
	w := &writer{}
	for _, f := range hookFields[t] {
		switch {
		case f < lastWord:
			w.u32(*a.word(f))
		case f < lastFloat:
			w.f32(*a.float(f))
		case f == fAxis:
			w.vec3(a.Axis)
		case f == fFrame:
			w.frame(a.Frame)
		case f == fPartByte:
			if a.Part > math.MaxUint8 {
				w.fail(ErrHook, "part %d is over a byte", a.Part)
			}
			w.b = append(w.b, uint8(a.Part))
		case f == fModel:
			n := a.Model - modelBase
			switch {
			case n < 0x4000: // what every reader takes for short
				w.b = binary.LittleEndian.AppendUint16(w.b, uint16(n))
			case n <= 0x3FFFFFFF:
				w.b = binary.LittleEndian.AppendUint16(w.b, uint16(0x8000|n>>16))
				w.b = binary.LittleEndian.AppendUint16(w.b, uint16(n))
			default:
				w.fail(ErrHook, "0x%08X cannot be packed", a.Model)
			}
		}
	}
	h.Payload = w.b
	if w.err != nil {
		return h, w.err
	}
	return h, nil
}

func (a *HookArgs) word(f hookField) *uint32 {
	return [...]*uint32{&a.Wave, &a.SoundType, &a.Part, &a.Flag, &a.Info, &a.Emitter, &a.Script}[f]
}

func (a *HookArgs) float(f hookField) *float32 {
	return [...]*float32{&a.Pause, &a.Left[0], &a.Left[1], &a.Right[0], &a.Right[1], &a.Radius, &a.Height,
		&a.Start, &a.End, &a.Time, &a.Probability, &a.Priority, &a.Volume, &a.U, &a.V}[f-lastWord-1]
}

// unpackID reads a packed id of two or four bytes (spec 21 §1).
func unpackID(base uint32, b []byte) uint32 {
	n := uint32(binary.LittleEndian.Uint16(b))
	if len(b) == 4 {
		n = n&0x3FFF<<16 | uint32(binary.LittleEndian.Uint16(b[2:]))
	}
	return base + n
}

// payloadLength returns how long the payload of a hook of type t is that
// begins with b, which may go on or end early.
func payloadLength(t HookType, b []byte) int {
	n := 0
	for _, f := range hookFields[t] {
		switch {
		case f < lastFloat:
			n += 4
		case f == fAxis:
			n += 12
		case f == fFrame:
			n += 28
		case f == fPartByte:
			n++
		case f == fModel:
			n += 2
			if len(b) >= n && b[n-1]&0x80 != 0 {
				n += 2
			}
		}
	}
	return n
}

// payloadFloats calls visit with the offset and value of every float of a payload of full length.
func payloadFloats(t HookType, b []byte, visit func(at int, v float32)) {
	at := 0
	for _, f := range hookFields[t] {
		n := 0 // floats
		switch {
		case f < lastWord:
			at += 4
		case f < lastFloat:
			n = 1
		case f == fAxis:
			n = 3
		case f == fFrame:
			n = 7
		}
		for ; n > 0; n-- {
			visit(at, math.Float32frombits(binary.LittleEndian.Uint32(b[at:])))
			at += 4
		}
	}
}

// check returns what is wrong with a hook, nil when it can be written.
func (h *Hook) check() *Error {
	if h.Type < 0 || h.Type >= hookTypes {
		return recordError(0, ErrHook, "unknown type %d", h.Type)
	}
	if n := payloadLength(h.Type, h.Payload); n != len(h.Payload) {
		return recordError(0, ErrHook, "a payload of type %d has %d bytes, not %d", h.Type, n, len(h.Payload))
	}
	for i := padding(len(h.Payload)); i < len(h.Pad); i++ {
		if h.Pad[i] != 0 {
			return recordError(0, ErrHook, "type %d has %d bytes of padding, more are set", h.Type, padding(len(h.Payload)))
		}
	}
	var bad *Error
	payloadFloats(h.Type, h.Payload, func(at int, v float32) {
		if !space.Finite(v) && bad == nil {
			bad = recordError(0, ErrFloat, "payload byte %d of a hook of type %d is %v", at, h.Type, v)
		}
	})
	return bad
}

// padding is how many bytes bring n to a multiple of 4. Everything around a
// hook is made of dwords, so the record's alignment is the payload's.
func padding(n int) int { return -n & 3 }

// hookBytes is the least a hook takes.
const hookBytes = 8

func readHook(c *cursor) Hook {
	start := c.at
	h := Hook{Type: HookType(c.i32()), Direction: c.i32()}
	if c.err != nil {
		return h
	}
	if h.Type < 0 || h.Type >= hookTypes {
		c.failAt(start, ErrHook, "unknown type %d", h.Type)
		return h
	}
	body := c.at
	h.Payload = append([]byte(nil), c.take(payloadLength(h.Type, c.b[c.at:]))...)
	copy(h.Pad[:], c.take(padding(len(h.Payload))))
	if c.err != nil {
		return h
	}
	payloadFloats(h.Type, h.Payload, func(at int, v float32) {
		if !space.Finite(v) {
			c.failAt(body+at, ErrFloat, "%v in a hook of type %d", v, h.Type)
		}
	})
	return h
}

func writeHook(w *writer, h *Hook) {
	if err := h.check(); err != nil {
		w.fail(err.Kind, "%s", err.Reason)
		return
	}
	w.u32(uint32(h.Type))
	w.u32(uint32(h.Direction))
	w.b = append(w.b, h.Payload...)
	w.b = append(w.b, h.Pad[:padding(len(h.Payload))]...)
}

// String returns the name of the type.
func (t HookType) String() string {
	if t < 0 || t >= hookTypes {
		return fmt.Sprintf("hook %d", int32(t))
	}
	return hookNames[t]
}

var hookNames = [hookTypes]string{
	"NoOp", "Sound", "SoundTable", "Attack", "AnimationDone", "ReplaceObject", "Ethereal", "TransparentPart",
	"Luminous", "LuminousPart", "Diffuse", "DiffusePart", "Scale", "CreateParticle", "DestroyParticle",
	"StopParticle", "NoDraw", "DefaultScript", "DefaultScriptPart", "CallScript", "Transparent", "SoundTweaked",
	"SetOmega", "TextureVelocity", "TextureVelocityPart", "SetLight", "CreateBlockingParticle",
}
