package wire

import (
	"encoding/binary"
	"math"

	"github.com/gait-engine/gait/space"
)

// The bounds of 20 §7 on an origin, in metres from its block's corner.
const (
	MaxOutdoorXY = 1e4
	MaxOutdoorZ  = 1e5
	// MaxIndoor is ours: the spec bounds outdoor origins only, but 1e30 is refused anywhere (F61).
	MaxIndoor = 1e6
)

const exponent = 0x7F800000 // all ones in NaN and infinities

// reader walks one message. It remembers the first thing wrong and from then
// on yields zeros, so that a layout reads top to bottom without a test a field.
type reader struct {
	b      []byte
	i      int // offset from the opcode
	pads   int // pads seen that were not zero
	opcode uint32
	kind   Kind // 0 while all is well
	at     int
	field  string
}

//go:noinline
func (r *reader) fail(k Kind, field string, at int) {
	if r.kind == 0 {
		r.kind, r.field, r.at = k, field, at
	}
}

//go:noinline
func (r *reader) short(field string) {
	r.fail(ErrShort, field, r.i)
	r.i = len(r.b)
}

// left returns how many bytes are not yet read.
func (r *reader) left() int { return len(r.b) - r.i }

func (r *reader) u8(field string) uint8 {
	if r.left() < 1 {
		r.short(field)
		return 0
	}
	v := r.b[r.i]
	r.i++
	return v
}

func (r *reader) u16(field string) uint16 {
	if r.left() < 2 {
		r.short(field)
		return 0
	}
	v := binary.LittleEndian.Uint16(r.b[r.i:])
	r.i += 2
	return v
}

func (r *reader) u32(field string) uint32 {
	if r.left() < 4 {
		r.short(field)
		return 0
	}
	v := binary.LittleEndian.Uint32(r.b[r.i:])
	r.i += 4
	return v
}

// f32 refuses NaN and infinities.
func (r *reader) f32(field string) float32 {
	v := r.u32(field)
	if v&exponent == exponent {
		r.fail(ErrNotFinite, field, r.i-4)
	}
	return math.Float32frombits(v)
}

func (r *reader) vec3(field string) space.Vec3 {
	if r.left() < 12 {
		r.short(field)
		return space.Vec3{}
	}
	b := r.b[r.i : r.i+12]
	x, y, z := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:]), binary.LittleEndian.Uint32(b[8:])
	if x&exponent == exponent || y&exponent == exponent || z&exponent == exponent {
		r.fail(ErrNotFinite, field, r.i)
	}
	r.i += 12
	return space.Vec3{math.Float32frombits(x), math.Float32frombits(y), math.Float32frombits(z)}
}

// guid refuses 0.
func (r *reader) guid(field string) uint32 {
	v := r.u32(field)
	if v == 0 {
		r.fail(ErrGuid, field, r.i-4)
	}
	return v
}

// origin reads a cell and a place in it (20 §1).
func (r *reader) origin() (space.CellID, space.Vec3) {
	at := r.i
	c := space.CellID(r.u32("cell"))
	o := r.vec3("origin")
	if k, field := checkOrigin(c, o); k != 0 {
		if field == "origin" {
			at += 4
		}
		r.fail(k, field, at)
	}
	return c, o
}

// rotation reads w, x, y, z (20 §1).
func (r *reader) rotation() space.Quat {
	at := r.i
	w := r.f32("qw")
	v := r.vec3("qx, qy, qz")
	q := space.Quat{W: w, V: v}
	r.unit(q, at)
	return q
}

func (r *reader) unit(q space.Quat, at int) {
	if !space.ValidQuat(q) {
		r.fail(ErrRotation, "rotation", at)
	}
}

// position reads 32 bytes (20 §1).
func (r *reader) position() space.Position {
	c, o := r.origin()
	return space.Position{Cell: c, Frame: space.Frame{Origin: o, Rotation: r.rotation()}}
}

// align4 skips to the next multiple of 4 from the opcode (20 §1).
func (r *reader) align4() {
	n := -r.i & 3
	if n == 0 {
		return
	}
	if r.left() < n {
		r.short("pad")
		return
	}
	for _, b := range r.b[r.i : r.i+n] {
		if b != 0 {
			r.pads++
			break
		}
	}
	r.i += n
}

// bytes returns the next n bytes, a view of the message.
func (r *reader) bytes(n int, field string) []byte {
	if n < 0 || r.left() < n {
		r.short(field)
		return nil
	}
	v := r.b[r.i : r.i+n : r.i+n]
	r.i += n
	return v
}

// room refuses a count of n elements of at least size bytes each that the rest
// of the message cannot hold (20 §7).
func (r *reader) room(n uint32, size int, field string, at int) bool {
	if uint64(n)*uint64(size) > uint64(r.left()) {
		r.fail(ErrCount, field, at)
		return false
	}
	return r.kind == 0
}

// head reads the opcode and refuses another than want.
func (r *reader) head(want uint32) {
	r.opcode = r.u32("opcode")
	if r.opcode != want {
		r.fail(ErrOpcode, "opcode", 0)
	}
}

// checkOrigin applies 20 §7 to a cell and an origin: 0 when both are good.
func checkOrigin(c space.CellID, o space.Vec3) (Kind, string) {
	if !c.IndexValid() {
		return ErrCell, "cell"
	}
	xy, z := float32(MaxOutdoorXY), float32(MaxOutdoorZ)
	if c.Indoors() {
		xy, z = MaxIndoor, MaxIndoor
	}
	// as not-inside, so that a NaN is caught too
	if !(space.Abs(o[0]) <= xy && space.Abs(o[1]) <= xy && space.Abs(o[2]) <= z) {
		return ErrCoordinates, "origin"
	}
	return 0, ""
}
