package dat

import "math"

// DecodeEnvCell reads a record 0xXXYY0100… (spec 21 §8.3); encoding gives the same bytes.
func DecodeEnvCell(b []byte) (*EnvCell, error) {
	c := open(b, EnvCellKind)
	e := &EnvCell{ID: c.id, Flags: c.u32()}
	if again := c.u32(); again != e.ID {
		c.failAt(c.at-4, ErrID, "0x%08X, the record begins with 0x%08X", again, e.ID)
	}
	at := c.at
	surfaces, portals, visible := uint64(c.u8()), uint64(c.u8()), uint64(c.u16())
	e.Surfaces = list(c, c.fits(at, "surfaces", surfaces, 2), (*cursor).u16)
	e.Environment, e.Structure, e.Frame = c.u16(), c.u16(), c.frame()
	e.Portals = list(c, c.fits(at+1, "portals", portals, 8), func(c *cursor) CellPortalRecord {
		return CellPortalRecord{c.u16(), c.u16(), c.u16(), c.u16()}
	})
	e.Visible = list(c, c.fits(at+2, "visible cells", visible, 2), (*cursor).u16)
	if e.Flags&hasObjects != 0 {
		e.Objects = readObjects(c)
	}
	if e.Flags&hasRestriction != 0 {
		e.Restriction = c.u32()
	}
	if err := c.end(); err != nil {
		return nil, err
	}
	return e, nil
}

// EncodeEnvCell writes a record 0xXXYY0100….
func EncodeEnvCell(e *EnvCell) ([]byte, error) {
	w := begin(e.ID, EnvCellKind)
	if len(e.Objects) > 0 && e.Flags&hasObjects == 0 || e.Restriction != 0 && e.Flags&hasRestriction == 0 {
		w.fail(ErrShape, "the flags 0x%X say that there are no objects or no restriction", e.Flags)
	}
	w.u32(e.Flags)
	w.u32(e.ID)
	w.short("surfaces", len(e.Surfaces), math.MaxUint8)
	w.short("portals", len(e.Portals), math.MaxUint8)
	w.short("visible cells", len(e.Visible), math.MaxUint16)
	w.shorts(e.Surfaces)
	w.u16(e.Environment)
	w.u16(e.Structure)
	w.frame(e.Frame)
	for _, p := range e.Portals {
		w.shorts([]uint16{p.Flags, p.Polygon, p.OtherCell, p.OtherPortal})
	}
	w.shorts(e.Visible)
	if e.Flags&hasObjects != 0 {
		writeObjects(w, e.Objects)
	}
	if e.Flags&hasRestriction != 0 {
		w.u32(e.Restriction)
	}
	return w.done()
}
