package dat

// The least bytes that elements of a motion table take, for checking counts.
const (
	motionBytes      = 4
	keyedMotionBytes = 4 + motionBytes
	clipBytes        = 16
)

// The bits of MotionData.Present.
const (
	hasVelocity = 1
	hasOmega    = 2
)

// DecodeMotionTable reads a record 0x09 (spec 21 §4). Order is kept, and so is
// every duplicate; encoding gives the same bytes.
func DecodeMotionTable(b []byte) (*MotionTable, error) {
	c := open(b, MotionTableKind)
	m := &MotionTable{ID: c.id, DefaultStyle: c.u32()}
	m.StyleDefaults = list(c, c.count("style defaults", 8), func(c *cursor) StyleDefault {
		return StyleDefault{Style: c.u32(), Motion: c.u32()}
	})
	m.Cycles = list(c, c.count("cycles", keyedMotionBytes), readKeyedMotion)
	m.Modifiers = list(c, c.count("modifiers", keyedMotionBytes), readKeyedMotion)
	m.Links = list(c, c.count("link groups", 8), func(c *cursor) LinkGroup {
		return LinkGroup{Key: c.u32(), To: list(c, c.count("links", keyedMotionBytes), readKeyedMotion)}
	})
	if err := c.end(); err != nil {
		return nil, err
	}
	return m, nil
}

func readKeyedMotion(c *cursor) KeyedMotion {
	k := KeyedMotion{Key: c.u32()}
	at := c.at
	clips := c.u8()
	d := &k.Data
	d.Flags, d.Present, d.Pad = c.u8(), c.u8(), c.u8()
	d.Clips = list(c, c.fits(at, "clips", uint64(clips), clipBytes), func(c *cursor) Clip {
		return Clip{Anim: c.u32(), Low: c.i32(), High: c.i32(), Rate: c.f32()}
	})
	if d.Present&hasVelocity != 0 {
		d.Velocity = c.vec3()
	}
	if d.Present&hasOmega != 0 {
		d.Omega = c.vec3()
	}
	return k
}

// EncodeMotionTable writes a record 0x09.
func EncodeMotionTable(m *MotionTable) ([]byte, error) {
	w := begin(m.ID, MotionTableKind)
	w.u32(m.DefaultStyle)
	w.count(len(m.StyleDefaults))
	for _, d := range m.StyleDefaults {
		w.u32(d.Style)
		w.u32(d.Motion)
	}
	writeKeyedMotions(w, m.Cycles)
	writeKeyedMotions(w, m.Modifiers)
	w.count(len(m.Links))
	for _, g := range m.Links {
		w.u32(g.Key)
		writeKeyedMotions(w, g.To)
	}
	return w.done()
}

func writeKeyedMotions(w *writer, s []KeyedMotion) {
	w.count(len(s))
	for i := range s {
		d := &s[i].Data
		if len(d.Clips) > 255 {
			w.fail(ErrLimit, "motion 0x%08X has %d clips, a record holds 255", s[i].Key, len(d.Clips))
		}
		w.u32(s[i].Key)
		w.b = append(w.b, uint8(len(d.Clips)), d.Flags, d.Present, d.Pad)
		for _, c := range d.Clips {
			w.u32(c.Anim)
			w.u32(uint32(c.Low))
			w.u32(uint32(c.High))
			w.f32(c.Rate)
		}
		if d.Present&hasVelocity != 0 {
			w.vec3(d.Velocity)
		} else if d.Velocity != [3]float32{} {
			w.fail(ErrShape, "motion 0x%08X has a velocity that Present does not name", s[i].Key)
		}
		if d.Present&hasOmega != 0 {
			w.vec3(d.Omega)
		} else if d.Omega != [3]float32{} {
			w.fail(ErrShape, "motion 0x%08X has an omega that Present does not name", s[i].Key)
		}
	}
}
