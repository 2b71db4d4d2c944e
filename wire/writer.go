package wire

import (
	"encoding/binary"
	"math"

	"github.com/gait-engine/gait/space"
)

// writer appends one message to dst. It remembers the first thing wrong; end
// then returns dst as it was, so nothing half-written is ever sent.
type writer struct {
	b      []byte
	base   int // where the opcode stands in b
	opcode uint32
	kind   Kind
	at     int
	field  string
}

func write(dst []byte, opcode uint32) writer {
	w := writer{b: dst, base: len(dst), opcode: opcode}
	w.u32(opcode)
	return w
}

func (w *writer) end() ([]byte, error) {
	if w.kind != 0 {
		return w.b[:w.base], &Error{Kind: w.kind, Field: w.field, Offset: w.at, Opcode: w.opcode}
	}
	return w.b, nil
}

func (w *writer) fail(k Kind, field string) {
	if w.kind == 0 {
		w.kind, w.field, w.at = k, field, len(w.b)-w.base
	}
}

// need refuses with ErrContent what must hold and does not (20 §6).
func (w *writer) need(ok bool, field string) {
	if !ok {
		w.fail(ErrContent, field)
	}
}

func (w *writer) u8(v uint8)   { w.b = append(w.b, v) }
func (w *writer) u16(v uint16) { w.b = binary.LittleEndian.AppendUint16(w.b, v) }
func (w *writer) u32(v uint32) { w.b = binary.LittleEndian.AppendUint32(w.b, v) }

func (w *writer) f32(v float32, field string) {
	if !space.Finite(v) {
		w.fail(ErrNotFinite, field)
	}
	w.u32(math.Float32bits(v))
}

func (w *writer) vec3(v space.Vec3, field string) {
	w.f32(v[0], field)
	w.f32(v[1], field)
	w.f32(v[2], field)
}

func (w *writer) guid(v uint32, field string) {
	if v == 0 {
		w.fail(ErrGuid, field)
	}
	w.u32(v)
}

func (w *writer) origin(c space.CellID, o space.Vec3) {
	if k := checkOrigin(c, o[0], o[1], o[2]); k != 0 {
		w.fail(k, "origin")
	}
	w.u32(uint32(c))
	w.vec3(o, "origin")
}

func (w *writer) unit(q space.Quat) {
	if !space.ValidQuat(q) {
		w.fail(ErrRotation, "rotation")
	}
}

func (w *writer) position(p *space.Position) {
	w.origin(p.Cell, p.Frame.Origin)
	w.unit(p.Frame.Rotation)
	w.f32(p.Frame.Rotation.W, "qw")
	w.vec3(p.Frame.Rotation.V, "qx, qy, qz")
}

// align4 pads with zeros to the next multiple of 4 from the opcode (20 §1, §6).
func (w *writer) align4() {
	for (len(w.b)-w.base)&3 != 0 {
		w.b = append(w.b, 0)
	}
}
