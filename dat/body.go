package dat

import (
	"slices"

	"github.com/gait-engine/gait/space"
)

// freeHeading is the bit of Setup.Flags that lets a body turn without sweeping.
const freeHeading = 4

// MinHeight and MaxHeight bound the heights of a region's table, metres: what is
// outside, the client does not read (spec 21 §8.4).
const (
	MinHeight float32 = 0
	MaxHeight float32 = 800
)

// SpheresOf returns the path spheres of a setup, at its own size; none for None.
func (t *Tables) SpheresOf(setup int32) []Sphere {
	if uint32(setup) >= uint32(len(t.Setups)) {
		return nil
	}
	s := t.Setups[setup].Spheres
	return t.Spheres[s.at : s.at+s.n]
}

// CylindersOf returns the cylspheres of a setup, at its own size; none for None.
func (t *Tables) CylindersOf(setup int32) []Cylinder {
	if uint32(setup) >= uint32(len(t.Setups)) {
		return nil
	}
	s := t.Setups[setup].Cylinders
	return t.Cylinders[s.at : s.at+s.n]
}

// PartHulls returns the hulls of a setup's parts, None for a part without one; none for None.
func (t *Tables) PartHulls(setup int32) []int32 {
	if uint32(setup) >= uint32(len(t.Setups)) {
		return nil
	}
	f := &t.Setups[setup]
	return t.Hulls[f.PartsAt : f.PartsAt+f.PartCount]
}

// PartScales returns the scales of a setup's parts, all 1 where the record has none; none for None.
func (t *Tables) PartScales(setup int32) []space.Vec3 {
	if uint32(setup) >= uint32(len(t.Setups)) {
		return nil
	}
	f := &t.Setups[setup]
	return t.Scales[f.PartsAt : f.PartsAt+f.PartCount]
}

// addBody compiles what others collide with of a setup, and what it sweeps with.
func (t *Tables) addBody(f *Figure, s *Setup) error {
	for i, p := range s.Spheres {
		if !bounded(p.Centre[:]...) || !bounded(p.Radius) {
			return recordError(s.ID, ErrFloat, "sphere %d is %v", i, p)
		}
		if p.Radius <= 0 {
			return recordError(s.ID, ErrGeometry, "sphere %d has the radius %v", i, p.Radius)
		}
	}
	for i, p := range s.Cylinders {
		if !bounded(p.Low[:]...) || !bounded(p.Radius, p.Height) {
			return recordError(s.ID, ErrFloat, "cylinder %d is %v", i, p)
		}
		if p.Radius <= 0 || p.Height < 0 {
			return recordError(s.ID, ErrGeometry, "cylinder %d has the radius %v and the height %v", i, p.Radius, p.Height)
		}
	}
	if !bounded(s.Sorting.Centre[:]...) || !bounded(s.Sorting.Radius) {
		return recordError(s.ID, ErrFloat, "the sorting sphere is %v", s.Sorting)
	}
	if s.Sorting.Radius < 0 {
		return recordError(s.ID, ErrGeometry, "the sorting sphere has the radius %v", s.Sorting.Radius)
	}
	if len(s.Scales) > 0 && len(s.Scales) != len(s.Parts) {
		return recordError(s.ID, ErrShape, "%d scales, %d parts", len(s.Scales), len(s.Parts))
	}
	f.Spheres = span{uint32(len(t.Spheres)), uint32(len(s.Spheres))}
	f.Cylinders = span{uint32(len(t.Cylinders)), uint32(len(s.Cylinders))}
	f.PartsAt, f.Sorting, f.FreeHeading = uint32(len(t.Hulls)), s.Sorting, s.Flags&freeHeading != 0
	t.Spheres = append(t.Spheres, s.Spheres...)
	t.Cylinders = append(t.Cylinders, s.Cylinders...)
	for i, id := range s.Parts {
		scale := space.Vec3{1, 1, 1}
		if len(s.Scales) > 0 {
			scale = s.Scales[i]
		}
		if !bounded(scale[:]...) {
			return recordError(s.ID, ErrFloat, "the scale of part %d is %v", i, scale)
		}
		hull, ok := t.Shapes.GfxObj(id)
		if ok && t.Shapes.Hulls[hull].Root >= 0 {
			f.PhysicsBSP = true
			if scale[2] <= 0 { // spheres are divided by it (spec 14 L3)
				return recordError(s.ID, ErrGeometry, "part %d has polygons to collide with and the scale %v", i, scale)
			}
		}
		t.Hulls = append(t.Hulls, hull)
		t.Scales = append(t.Scales, scale)
	}
	return nil
}

func (c *compiler) addRegion(r *Region) error {
	if r == nil {
		return nil
	}
	for i, h := range r.Heights {
		if !space.Finite(h) {
			return recordError(r.ID, ErrFloat, "height %d is %v", i, h)
		}
		if h < MinHeight || h > MaxHeight {
			return recordError(r.ID, ErrLimit, "height %d is %v, not %v..%v", i, h, MinHeight, MaxHeight)
		}
	}
	c.t.Heights = slices.Clone(r.Heights[:])
	return nil
}
