package space

import "math"

// Position is a frame in a cell. The origin is local to the cell's landblock,
// indoors too (spec 10 §5).
type Position struct {
	Cell  CellID
	Frame Frame
}

// BlockOffset returns where to's block begins, seen from from's (spec 10 §5).
// An id of 0 counts as block (0,0).
func BlockOffset(from, to CellID) Vec3 {
	if from.SameBlock(to) {
		return Vec3{}
	}
	return Vec3{
		float32((to.BlockX() - from.BlockX()) * BlockSide),
		float32((to.BlockY() - from.BlockY()) * BlockSide),
		0,
	}
}

// Offset returns the way from one position to another in metres, whatever
// blocks they lie in (spec 10 §5 get_offset).
func Offset(from, to *Position) Vec3 {
	if from.Cell.SameBlock(to.Cell) {
		return Sub(to.Frame.Origin, from.Frame.Origin)
	}
	return Sub(Add(BlockOffset(from.Cell, to.Cell), to.Frame.Origin), from.Frame.Origin)
}

// Distance returns the 3-D distance in metres.
func Distance(a, b *Position) float32 { return Length(Offset(a, b)) }

// DistanceXY returns the distance in plan in metres.
func DistanceXY(a, b *Position) float32 {
	o := Offset(a, b)
	o[2] = 0
	return Length(o)
}

// CylinderDistance returns the gap between two standing cylinders of radius r
// and height h, negative or small where they overlap (spec 10 §5, R6.5). It
// rests on the 3-D distance of the origins, as retail's does.
func CylinderDistance(r1, h1 float32, a *Position, r2, h2 float32, b *Position) float32 {
	d := Distance(a, b) - (r1 + r2)
	za, zb := a.Frame.Origin[2], b.Frame.Origin[2]
	var g float32
	if za <= zb {
		g = zb - (za + h1)
	} else {
		g = za - (zb + h2)
	}
	switch {
	case g <= 0 && d > 0:
		return d
	case g > 0 && d <= 0:
		return g
	}
	l := float32(math.Sqrt(float64(float64(d)*float64(d)) + float64(float64(g)*float64(g))))
	if g <= 0 {
		return -l
	}
	return l
}

// CylinderDistanceNoZ returns the 3-D distance less both radii (spec 10 §5).
func CylinderDistanceNoZ(r1 float32, a *Position, r2 float32, b *Position) float32 {
	return Distance(a, b) - (r1 + r2)
}

// HeadingTo returns the compass bearing from one position to another, 0 when
// they are closer in plan than [Eps] (spec 10 §3, R6.2).
func HeadingTo(from, to *Position) float32 {
	o := Offset(from, to)
	o[2] = 0
	o, small := NormalizeCheckSmall(o)
	if small {
		return 0
	}
	return Compass(o[0], o[1])
}

// HeadingDiff returns the bearing to target less the way p faces, in degrees, not normalised.
func HeadingDiff(p, target *Position) float32 {
	return HeadingTo(p, target) - Heading(p.Frame.Rotation)
}

// LocalToLocal returns v, a point in from's frame, as seen in at's (spec 10 §5).
func LocalToLocal(at, from *Position, v Vec3) Vec3 {
	p := Add(BlockOffset(at.Cell, from.Cell), Add(from.Frame.Origin, LocalToGlobalVec(from.Frame.Rotation, v)))
	return GlobalToLocalVec(at.Frame.Rotation, Sub(p, at.Frame.Origin))
}

// Subtract2 returns the frame D with combine(current, D) = target, across
// blocks (spec 10 §2). It is a new frame; neither position changes.
func Subtract2(target, current *Position) Frame {
	return Frame{
		Origin:   GlobalToLocalVec(current.Frame.Rotation, Offset(current, target)),
		Rotation: SetRotate(MulQuat(Conj(current.Frame.Rotation), target.Frame.Rotation), IdentityQuat),
	}
}

// Normalize stores p as an outdoor body does: the cell that contains the
// origin, the origin local to its block (spec 10 §6 store_position). Indoor
// positions stay as they are.
func (p *Position) Normalize() {
	if !p.Cell.Indoors() {
		p.Cell, p.Frame.Origin = AdjustToOutside(p.Cell, p.Frame.Origin)
	}
}
