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

// InWorld returns an origin in a cell in metres from the world's south-west corner.
func InWorld(c CellID, origin Vec3) [3]float64 {
	return [3]float64{
		float64(c.BlockX()*BlockSide) + float64(origin[0]), float64(c.BlockY()*BlockSide) + float64(origin[1]), float64(origin[2]),
	}
}

// Offset returns the way from one position to another in metres, whatever
// blocks they lie in (spec 10 §5 get_offset). Across blocks the sum is made in
// float64, so a border leaves no trace in it, and the way back is its negative.
func Offset(from, to *Position) (r Vec3) {
	r[0], r[1], r[2] = offset(from, to)
	return r
}

func offset(from, to *Position) (x, y, z float32) {
	f, t := &from.Frame.Origin, &to.Frame.Origin
	if !from.Cell.SameBlock(to.Cell) {
		dx := float64((to.Cell.BlockX() - from.Cell.BlockX()) * BlockSide)
		dy := float64((to.Cell.BlockY() - from.Cell.BlockY()) * BlockSide)
		return float32(dx + (float64(t[0]) - float64(f[0]))), float32(dy + (float64(t[1]) - float64(f[1]))), t[2] - f[2]
	}
	return t[0] - f[0], t[1] - f[1], t[2] - f[2]
}

// Distance returns the 3-D distance in metres.
func Distance(a, b *Position) float32 {
	return LengthOf(offset(a, b))
}

// DistanceXY returns the distance in plan in metres (spec 10 §5 xy_distance).
func DistanceXY(a, b *Position) float32 {
	x, y, _ := offset(a, b)
	fx, fy := float64(x), float64(y)
	return float32(math.Sqrt(float64(fx*fx) + float64(fy*fy)))
}

// CylinderDistance returns the gap between two standing cylinders of radius r
// and height h in metres, negative where they overlap (spec 10 §5, R6.5, D-25).
// It rests on the 3-D distance of the origins, as retail's does.
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
	x, y, _ := offset(from, to)
	fx, fy := float64(x), float64(y)
	if float32(math.Sqrt(float64(fx*fx)+float64(fy*fy))) < Eps {
		return 0
	}
	return Compass(x, y) // an angle needs no unit length
}

// HeadingDiff returns the bearing to target less the way p faces, in degrees, not normalised.
func HeadingDiff(p, target *Position) float32 {
	return HeadingTo(p, target) - Heading(p.Frame.Rotation)
}

// LocalToLocal returns v, a point in from's frame, as seen in at's (spec 10 §5).
func LocalToLocal(at, from *Position, v Vec3) Vec3 {
	return GlobalToLocalVec(at.Frame.Rotation, Add(Offset(at, from), LocalToGlobalVec(from.Frame.Rotation, v)))
}

// Subtract2 returns the frame D with combine(current, D) = target, across
// blocks (spec 10 §2). It is a new frame; neither position changes.
func Subtract2(target, current *Position) (r Frame) {
	Subtract2To(&r, target, current)
	return r
}

// Subtract2To is [Subtract2] in place: see [CombineTo].
func Subtract2To(r *Frame, target, current *Position) {
	q, t := &current.Frame.Rotation, &target.Frame.Rotation
	xx, xy, xz, yx, yy, yz, zx, zy, zz := matrix(q.W, q.V[0], q.V[1], q.V[2])
	x, y, z := offset(current, target)
	r.Origin[0] = float32(xx*x) + float32(xy*y) + float32(xz*z)
	r.Origin[1] = float32(yx*x) + float32(yy*y) + float32(yz*z)
	r.Origin[2] = float32(zx*x) + float32(zy*y) + float32(zz*z)
	w, x, y, z, ok := normal(mul(q.W, -q.V[0], -q.V[1], -q.V[2], t.W, t.V[0], t.V[1], t.V[2]))
	if !ok {
		w, x, y, z = 1, 0, 0, 0
	}
	r.Rotation.W, r.Rotation.V[0], r.Rotation.V[1], r.Rotation.V[2] = w, x, y, z
}

// Normalize stores p as an outdoor body does: the cell that contains the
// origin, the origin local to its block; whatever comes out, even cell 0
// (spec 10 §6 store_position). Indoor positions stay as they are.
func (p *Position) Normalize() {
	o := &p.Frame.Origin
	if Settled(p.Cell, o[0], o[1]) {
		return
	}
	p.Cell, o[0], o[1] = adjustToOutside(p.Cell, o[0], o[1])
}

// Settled reports that normalising changes nothing of a position indoors, or well
// inside its own land cell: what most moves come to.
func Settled(cell CellID, x, y float32) bool {
	i := cell.Index() - 1
	x, y = x-float32(i>>3*CellSide), y-float32(i&7*CellSide)
	return cell.Indoors() ||
		i < 0x40 && x >= Eps && x < CellSide && y >= Eps && y < CellSide && cell < 0xFF000000 && cell&0xFF0000 != 0xFF0000
}

// AdjustOutdoors is the half of AdjustPosition that needs no cells loaded
// (spec 10 §7.2 steps 1, 2 and 4): p goes to the land cell that contains its
// origin. It reports false, and the cell is 0, when the origin lies outside the
// world; false, and p is as it was, when the index is invalid. The caller has
// looked indoors first.
func (p *Position) AdjustOutdoors() bool {
	if !p.Cell.IndexValid() {
		return false
	}
	o := &p.Frame.Origin
	p.Cell, o[0], o[1] = adjustToOutside(p.Cell, o[0], o[1])
	return p.Cell != 0
}
