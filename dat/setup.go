package dat

import "github.com/gait-engine/gait/space"

// The bits of Setup.Flags that change the layout.
const (
	hasParents = 1
	hasScales  = 2
)

// DecodeSetup reads a record 0x02 (spec 21 §6); encoding gives the same bytes.
// Every field is a dword, so the closing padding is empty.
func DecodeSetup(b []byte) (*Setup, error) {
	c := open(b, SetupKind)
	s := &Setup{ID: c.id, Flags: c.u32()}
	each := uint64(4)
	if s.Flags&hasParents != 0 {
		each += 4
	}
	if s.Flags&hasScales != 0 {
		each += 12
	}
	n := c.count("parts", each)
	s.Parts = list(c, n, (*cursor).u32)
	if s.Flags&hasParents != 0 {
		s.Parents = list(c, n, (*cursor).u32)
	}
	if s.Flags&hasScales != 0 {
		s.Scales = list(c, n, (*cursor).vec3)
	}
	s.Holding = list(c, c.count("holding locations", 8+frameBytes), readLocation)
	s.Connections = list(c, c.count("connection points", 8+frameBytes), readLocation)
	s.Placements = list(c, c.count("placements", 8+uint64(n)*frameBytes), func(c *cursor) Placement {
		p := Placement{Key: c.u32()}
		p.Parts = make([]space.Frame, c.fits(c.at, "part frames", uint64(n), frameBytes))
		readPose(c, &p.Parts, &p.Hooks)
		return p
	})
	s.Cylinders = list(c, c.count("cylinders", 20), func(c *cursor) Cylinder {
		return Cylinder{Low: c.vec3(), Radius: c.f32(), Height: c.f32()}
	})
	s.Spheres = list(c, c.count("spheres", 16), (*cursor).sphere)
	s.Height, s.Radius, s.StepUp, s.StepDown = c.f32(), c.f32(), c.f32(), c.f32()
	s.Sorting, s.Selection = c.sphere(), c.sphere()
	s.Lights = list(c, c.count("lights", 4+frameBytes+16), func(c *cursor) Light {
		return Light{Key: c.u32(), Frame: c.frame(), Colour: c.u32(), Intensity: c.f32(), Falloff: c.f32(), Cone: c.f32()}
	})
	s.DefaultAnimation, s.DefaultScript, s.DefaultMotionTable = c.u32(), c.u32(), c.u32()
	s.DefaultSoundTable, s.DefaultScriptTable = c.u32(), c.u32()
	if err := c.end(); err != nil {
		return nil, err
	}
	return s, nil
}

func readLocation(c *cursor) Location {
	return Location{Key: c.u32(), Part: c.u32(), Frame: c.frame()}
}

// EncodeSetup writes a record 0x02.
func EncodeSetup(s *Setup) ([]byte, error) {
	w := begin(s.ID, SetupKind)
	if err := s.check(); err != nil {
		return nil, err
	}
	w.u32(s.Flags)
	w.count(len(s.Parts))
	for _, v := range s.Parts {
		w.u32(v)
	}
	for _, v := range s.Parents {
		w.u32(v)
	}
	for _, v := range s.Scales {
		w.vec3(v)
	}
	writeLocations(w, s.Holding)
	writeLocations(w, s.Connections)
	w.count(len(s.Placements))
	for i := range s.Placements {
		w.u32(s.Placements[i].Key)
		writePose(w, s.Placements[i].Parts, s.Placements[i].Hooks)
	}
	w.count(len(s.Cylinders))
	for _, c := range s.Cylinders {
		w.vec3(c.Low)
		w.f32(c.Radius)
		w.f32(c.Height)
	}
	w.count(len(s.Spheres))
	for _, p := range s.Spheres {
		w.sphere(p)
	}
	w.f32(s.Height)
	w.f32(s.Radius)
	w.f32(s.StepUp)
	w.f32(s.StepDown)
	w.sphere(s.Sorting)
	w.sphere(s.Selection)
	w.count(len(s.Lights))
	for _, l := range s.Lights {
		w.u32(l.Key)
		w.frame(l.Frame)
		w.u32(l.Colour)
		w.f32(l.Intensity)
		w.f32(l.Falloff)
		w.f32(l.Cone)
	}
	w.u32(s.DefaultAnimation)
	w.u32(s.DefaultScript)
	w.u32(s.DefaultMotionTable)
	w.u32(s.DefaultSoundTable)
	w.u32(s.DefaultScriptTable)
	return w.done()
}

func writeLocations(w *writer, s []Location) {
	w.count(len(s))
	for _, l := range s {
		w.u32(l.Key)
		w.u32(l.Part)
		w.frame(l.Frame)
	}
}

// check reports lists that do not fit the counts and flags.
func (s *Setup) check() error {
	want := func(flag uint32) int {
		if s.Flags&flag != 0 {
			return len(s.Parts)
		}
		return 0
	}
	if len(s.Parents) != want(hasParents) {
		return recordError(s.ID, ErrShape, "%d parents, flags and parts call for %d", len(s.Parents), want(hasParents))
	}
	if len(s.Scales) != want(hasScales) {
		return recordError(s.ID, ErrShape, "%d scales, flags and parts call for %d", len(s.Scales), want(hasScales))
	}
	for i := range s.Placements {
		if len(s.Placements[i].Parts) != len(s.Parts) {
			return recordError(s.ID, ErrShape, "placement %d has %d parts of %d", i, len(s.Placements[i].Parts), len(s.Parts))
		}
	}
	return nil
}
