package dat

import (
	"bytes"
	"math"
)

// DecodeRegion reads the record 0x13000000 up to its height table and keeps the
// rest as it is (spec 21 §8.4).
func DecodeRegion(b []byte) (*Region, error) {
	c := open(b, RegionKind)
	r := &Region{ID: c.id, Number: c.u32(), Version: c.u32()}
	r.Name = c.pstr("characters of the name")
	r.NamePad = c.align4()
	r.BlockLength, r.BlockWidth, r.Square = c.i32(), c.i32(), c.f32()
	r.SquaresPerBlock, r.VerticesPerCell = c.i32(), c.i32()
	r.MaxObjectHeight, r.SkyHeight, r.RoadWidth = c.f32(), c.f32(), c.f32()
	for i := range r.Heights {
		r.Heights[i] = c.f32()
	}
	if n := c.left(); n > 0 {
		r.Rest = bytes.Clone(c.take(n))
	}
	if err := c.end(); err != nil {
		return nil, err
	}
	return r, nil
}

// EncodeRegion writes the record 0x13000000.
func EncodeRegion(r *Region) ([]byte, error) {
	w := begin(r.ID, RegionKind)
	w.u32(r.Number)
	w.u32(r.Version)
	w.pstr(r.Name)
	w.align4(r.NamePad)
	w.u32(uint32(r.BlockLength))
	w.u32(uint32(r.BlockWidth))
	w.f32(r.Square)
	w.u32(uint32(r.SquaresPerBlock))
	w.u32(uint32(r.VerticesPerCell))
	w.f32(r.MaxObjectHeight)
	w.f32(r.SkyHeight)
	w.f32(r.RoadWidth)
	for _, h := range r.Heights {
		w.f32(h)
	}
	w.b = append(w.b, r.Rest...)
	return w.done()
}

// pstr reads a legacy string without the padding behind it (spec 21 §1).
func (c *cursor) pstr(what string) string {
	at := c.at
	n := uint64(c.u16())
	if n == math.MaxUint16 {
		n = uint64(c.u32())
	}
	return string(c.take(c.fits(at, what, n, 1)))
}

func (w *writer) pstr(s string) {
	if len(s) < math.MaxUint16 {
		w.u16(uint16(len(s)))
	} else {
		w.u16(math.MaxUint16)
		w.count(len(s))
	}
	w.b = append(w.b, s...)
}
