package dat

import "math"

// DecodeLandBlock reads a record 0xXXYYFFFF (spec 21 §8.1); encoding gives the same bytes.
func DecodeLandBlock(b []byte) (*LandBlock, error) {
	c := open(b, LandBlockKind)
	l := &LandBlock{ID: c.id, HasObjects: c.u32()}
	for i := range l.Terrain {
		l.Terrain[i] = c.u16()
	}
	copy(l.Heights[:], c.take(len(l.Heights)))
	l.Pad = c.u8()
	if err := c.end(); err != nil {
		return nil, err
	}
	return l, nil
}

// EncodeLandBlock writes a record 0xXXYYFFFF.
func EncodeLandBlock(l *LandBlock) ([]byte, error) {
	w := begin(l.ID, LandBlockKind)
	w.u32(l.HasObjects)
	w.shorts(l.Terrain[:])
	w.b = append(w.b, l.Heights[:]...)
	w.b = append(w.b, l.Pad)
	return w.done()
}

// DecodeLandBlockInfo reads a record 0xXXYYFFFE (spec 21 §8.2); encoding gives the same bytes.
func DecodeLandBlockInfo(b []byte) (*LandBlockInfo, error) {
	c := open(b, LandBlockInfoKind)
	l := &LandBlockInfo{ID: c.id, Cells: c.u32()}
	l.Objects = readObjects(c)
	at := c.at
	n := c.u16()
	l.PackMask = c.u16()
	l.Buildings = list(c, c.fits(at, "buildings", uint64(n), 4+frameBytes+8), func(c *cursor) BuildingRecord {
		b := BuildingRecord{Model: c.u32(), Frame: c.frame(), Leaves: c.u32()}
		b.Portals = list(c, c.count("portals", 8), func(c *cursor) BuildingPortalRecord {
			p := BuildingPortalRecord{Flags: c.u16(), OtherCell: c.u16(), OtherPortal: c.u16()}
			p.Cells = c.shorts("cells")
			p.Pad = c.align4()
			return p
		})
		return b
	})
	if l.PackMask&hasRestrictions != 0 {
		n := c.u16()
		l.Buckets = c.u16()
		l.Restrictions = list(c, c.fits(c.at-4, "restrictions", uint64(n), 8), func(c *cursor) Restriction {
			return Restriction{c.u32(), c.u32()}
		})
	}
	if err := c.end(); err != nil {
		return nil, err
	}
	return l, nil
}

// hasRestrictions is a bit of LandBlockInfo.PackMask.
const hasRestrictions = 1

// EncodeLandBlockInfo writes a record 0xXXYYFFFE.
func EncodeLandBlockInfo(l *LandBlockInfo) ([]byte, error) {
	w := begin(l.ID, LandBlockInfoKind)
	w.u32(l.Cells)
	writeObjects(w, l.Objects)
	w.short("buildings", len(l.Buildings), math.MaxUint16)
	w.u16(l.PackMask)
	for i := range l.Buildings {
		b := &l.Buildings[i]
		w.u32(b.Model)
		w.frame(b.Frame)
		w.u32(b.Leaves)
		w.count(len(b.Portals))
		for k := range b.Portals {
			p := &b.Portals[k]
			w.u16(p.Flags)
			w.u16(p.OtherCell)
			w.u16(p.OtherPortal)
			w.short("cells", len(p.Cells), math.MaxUint16)
			w.shorts(p.Cells)
			w.align4(p.Pad)
		}
	}
	if l.PackMask&hasRestrictions != 0 {
		w.short("restrictions", len(l.Restrictions), math.MaxUint16)
		w.u16(l.Buckets)
		for _, r := range l.Restrictions {
			w.u32(r.Key)
			w.u32(r.Object)
		}
	} else if len(l.Restrictions) > 0 || l.Buckets != 0 {
		w.fail(ErrShape, "the pack mask says that there are no restrictions")
	}
	return w.done()
}

func readObjects(c *cursor) []ObjectRecord {
	return list(c, c.count("objects", 4+frameBytes), func(c *cursor) ObjectRecord {
		return ObjectRecord{Model: c.u32(), Frame: c.frame()}
	})
}

func writeObjects(w *writer, s []ObjectRecord) {
	w.count(len(s))
	for i := range s {
		w.u32(s[i].Model)
		w.frame(s[i].Frame)
	}
}
