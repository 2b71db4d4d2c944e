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
	if r.left() < 4 {
		r.short(field)
		return 0
	}
	v := binary.LittleEndian.Uint32(r.b[r.i:])
	if v&exponent == exponent {
		r.fail(ErrNotFinite, field, r.i)
	}
	r.i += 4
	return math.Float32frombits(v)
}

// field is a name and a size in bytes, for blocks.
type field struct {
	name string
	size int
}

// zeros stands for a block that is not there.
var zeros [32]byte

// block returns the next n bytes, the fields of a layout that always come
// together, with one test for all; n is the sum of their sizes.
func (r *reader) block(n int, fields []field) []byte {
	if r.left() < n {
		r.shortBlock(fields)
		return zeros[:n]
	}
	b := r.b[r.i : r.i+n]
	r.i += n
	return b
}

//go:noinline
func (r *reader) shortBlock(fields []field) {
	for _, f := range fields {
		if r.left() < f.size {
			r.short(f.name)
			return
		}
		r.i += f.size
	}
}

// finite refuses NaN and infinities among the last n fields of a block just
// read, all of them f32.
func (r *reader) finite(b []byte, n int, fields []field) {
	for k := len(b) - 4*n; k < len(b); k += 4 {
		if u32(b, k)&exponent == exponent {
			r.fail(ErrNotFinite, fields[len(fields)-(len(b)-k)/4].name, r.i-len(b)+k)
		}
	}
}

func u16(b []byte, at int) uint16  { return binary.LittleEndian.Uint16(b[at:]) }
func u32(b []byte, at int) uint32  { return binary.LittleEndian.Uint32(b[at:]) }
func f32(b []byte, at int) float32 { return math.Float32frombits(u32(b, at)) }

func (r *reader) vec3(field string) space.Vec3 {
	if r.left() < 12 {
		r.short(field)
		return space.Vec3{}
	}
	b := r.b[r.i : r.i+12]
	x, y, z := u32(b, 0), u32(b, 4), u32(b, 8)
	if x&exponent == exponent || y&exponent == exponent || z&exponent == exponent {
		r.fail(ErrNotFinite, field, r.i)
	}
	r.i += 12
	return space.Vec3{math.Float32frombits(x), math.Float32frombits(y), math.Float32frombits(z)}
}

// guid refuses 0.
func (r *reader) guid(field string) uint32 {
	if r.left() < 4 {
		r.short(field)
		return 0
	}
	v := u32(r.b, r.i)
	if v == 0 {
		r.fail(ErrGuid, field, r.i)
	}
	r.i += 4
	return v
}

var originFields = []field{{"cell", 4}, {"origin", 12}}

// origin reads a cell and a place in it (20 §1).
func (r *reader) origin() (space.CellID, space.Vec3) {
	b := r.block(16, originFields)
	c, x, y, z := space.CellID(u32(b, 0)), f32(b, 4), f32(b, 8), f32(b, 12)
	r.inBounds(c, x, y, z, r.i-16)
	return c, space.Vec3{x, y, z}
}

// inBounds refuses what checkOrigin refuses of a cell and an origin at at.
func (r *reader) inBounds(c space.CellID, x, y, z float32, at int) {
	if k := checkOrigin(c, x, y, z); k == ErrCell {
		r.fail(k, "cell", at)
	} else if k != 0 {
		r.fail(k, "origin", at+4)
	}
}

var rotationFields = []field{{"qw", 4}, {"qx", 4}, {"qy", 4}, {"qz", 4}}

// rotation reads w, x, y, z (20 §1).
func (r *reader) rotation() space.Quat {
	b := r.block(16, rotationFields)
	r.finite(b, 4, rotationFields)
	w, x, y, z := f32(b, 0), f32(b, 4), f32(b, 8), f32(b, 12)
	if !unit(w, x, y, z) {
		r.fail(ErrRotation, "rotation", r.i-16)
	}
	return space.Quat{W: w, V: space.Vec3{x, y, z}}
}

// unit is [space.ValidQuat] on components: a quaternion written by parts and
// read whole stalls, and this is the hottest path there is.
func unit(w, x, y, z float32) bool {
	a, b, c, d := float64(w), float64(x), float64(y), float64(z)
	n := float64(a*a) + float64(b*b) + float64(c*c) + float64(d*d) - 1
	return n <= space.NormTolerance && n >= -space.NormTolerance
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

var headFields = []field{{"opcode", 4}, {"guid", 4}}

// head reads the opcode, refusing another than want, and the guid.
func (r *reader) head(want uint32) (guid uint32) {
	b := r.block(8, headFields)
	r.opcode = u32(b, 0)
	guid = u32(b, 4)
	if r.opcode != want {
		r.fail(ErrOpcode, "opcode", 0)
	}
	if guid == 0 {
		r.fail(ErrGuid, "guid", 4)
	}
	return guid
}

// checkOrigin applies 20 §7 to a cell and an origin: 0 when both are good.
func checkOrigin(c space.CellID, x, y, z float32) Kind {
	if !(space.Finite(x) && space.Finite(y) && space.Finite(z)) {
		return ErrNotFinite
	}
	if !c.IndexValid() {
		return ErrCell
	}
	maxXY, maxZ := float32(MaxOutdoorXY), float32(MaxOutdoorZ)
	if c.Indoors() {
		maxXY, maxZ = MaxIndoor, MaxIndoor
	}
	if space.Abs(x) > maxXY || space.Abs(y) > maxXY || space.Abs(z) > maxZ {
		return ErrCoordinates
	}
	return 0
}
