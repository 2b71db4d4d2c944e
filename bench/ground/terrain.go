package ground

import "github.com/gait-engine/gait/dat"

// The uses of noise.
const (
	useRoll = iota + 1
	useHills
	useBumps
	useCliffs
	useSteep
	usePonds
	useYards
	useScatter
)

// Heights are in steps of 2 m, as the shipped height table has them. A cell is 24 m
// wide, so that 14 steps between neighbours are too steep to walk (49.4°).
const (
	seaLevel  = 10          // steps
	midLevel  = 45          // steps
	rollSteps = 40          // of the rolls, from valley to top: at most 1.9 a cell
	hillSteps = 10          // of the hills: at most 1.9 a cell
	bumpSteps = 3           // of the bumps: at most 2.3 a cell
	cliff     = 18          // steps, where the land is lifted
	lifted    = 30_000      // of 65,536: where that is
	abrupt    = 2_000       // over how much of the field, where it is a cliff
	gradual   = 30_000      // and where it is a slope
	pondy     = 57_000      // of 65,536
	shore     = 8           // cells of sea around the land: a block
	coast     = 24          // cells from there to the hills
	fine      = 1 << 8      // of a step, before it is rounded down
	rollSide  = 32          // cells
	hillSide  = 8           // cells
	bumpSide  = 2           // cells
	cliffSide = 16          // cells
	steepest  = one * 2 / 3 // where the edge of lifted land is a cliff: most of it
)

// Terrain types (spec 14 L1: 16–20 are water).
const (
	grass = 1
	sand  = 2
	pond  = 16
	sea   = 18
)

const yardFrom, yardTo = 2, 6 // vertices of a block

// terrain is the ground before it is cut into blocks. Points are its vertices, 24 m
// apart, counted over the whole world.
type terrain struct {
	noise
	rect Rect
}

// inland returns how many cells the vertex lies from the rectangle's rim.
func (t *terrain) inland(x, y int) int {
	r := &t.rect
	return min(x-r.West*8, (r.West+r.Width)*8-x, y-r.South*8, (r.South+r.Depth)*8-y)
}

// level returns the height of a vertex, in steps, without yards.
func (t *terrain) level(x, y int) int {
	field := func(use, side, steps int) int { return (t.smooth(use, side, x, y) - one/2) * steps * fine / one }
	h := midLevel*fine + field(useRoll, rollSide, rollSteps) + field(useHills, hillSide, hillSteps) + field(useBumps, bumpSide, bumpSteps)
	width := gradual
	if t.smooth(useSteep, cliffSide, x, y) < steepest {
		width = abrupt
	}
	h += max(0, min(t.smooth(useCliffs, cliffSide, x, y)-lifted, width)) * cliff * fine / width
	in := max(0, min(t.inland(x, y)-shore, coast))
	h = seaLevel*fine + (h-seaLevel*fine)*in/coast
	if t.wet(x, y) {
		h -= fine
	}
	return h / fine
}

// wet reports whether a vertex is in a pond. A block's corners never are, so that
// no block is all water: into such, nobody can go.
func (t *terrain) wet(x, y int) bool {
	return (x%8 != 0 || y%8 != 0) && t.smooth(usePonds, hillSide, x, y) > pondy
}

// block is the ground of a landblock, by vertex.
type block struct {
	x, y  int // of the block
	steps [9][9]int
	kind  [9][9]uint16
	sea   bool
	yard  bool // the vertices yardFrom..yardTo are level
	pad   int  // steps: how high those lie
}

// block returns the ground of a landblock.
func (t *terrain) block(bx, by int) *block {
	b := &block{x: bx, y: by}
	in := t.rect.Inner()
	b.sea = bx < in.West || by < in.South || bx >= in.West+in.Width || by >= in.South+in.Depth
	low, high := 255, 0
	for x := range 9 {
		for y := range 9 {
			gx, gy := bx*8+x, by*8+y
			h := t.level(gx, gy)
			b.steps[x][y], b.kind[x][y] = h, grass
			switch {
			case b.sea:
				b.kind[x][y] = sea
			case t.wet(gx, gy):
				b.kind[x][y] = pond
			case h <= seaLevel+2:
				b.kind[x][y] = sand
			}
			if x >= yardFrom && x <= yardTo && y >= yardFrom && y <= yardTo {
				low, high = min(low, h), max(high, h)
			}
		}
	}
	const uneven = 8 // steps: no yard is dug into more
	if !b.sea && high-low <= uneven && t.of(useYards, bx, by)%2 == 0 {
		b.yard, b.pad = true, (low+high)/2
		for x := yardFrom; x <= yardTo; x++ {
			for y := yardFrom; y <= yardTo; y++ {
				b.steps[x][y], b.kind[x][y] = b.pad, grass
			}
		}
	}
	return b
}

// metres returns the height of so many steps.
func metres(steps int) float64 { return float64(2 * steps) }

// height returns how high the ground is at a place of the block, metres.
func (b *block) height(x, y float64) float64 {
	cx, cy := int(x/24), int(y/24)
	u, v := (x-float64(24*cx))/24, (y-float64(24*cy))/24
	sw, se, nw, ne := metres(b.steps[cx][cy]), metres(b.steps[cx+1][cy]), metres(b.steps[cx][cy+1]), metres(b.steps[cx+1][cy+1])
	if dat.SplitValue(int32(b.x*8+cx), int32(b.y*8+cy))>>31 != 0 {
		if u >= v {
			return sw + float64(u*(se-sw)) + float64(v*(ne-se))
		}
		return sw + float64(u*(ne-nw)) + float64(v*(nw-sw))
	}
	if u+v <= 1 {
		return sw + float64(u*(se-sw)) + float64(v*(nw-sw))
	}
	return ne + float64((1-u)*(nw-ne)) + float64((1-v)*(se-ne))
}

// record returns the block's record.
func (b *block) record(objects bool) *dat.LandBlock {
	l := &dat.LandBlock{ID: dat.LandBlockID(uint8(b.x), uint8(b.y))}
	if objects {
		l.HasObjects = 1
	}
	for x := range 9 {
		for y := range 9 {
			l.Terrain[x*9+y] = b.kind[x][y] << 2
			l.Heights[x*9+y] = uint8(b.steps[x][y])
		}
	}
	return l
}

// region returns the record with the height table: 2 m a step up to 400 m, then 7 m (spec 21 §8.4).
func region() *dat.Region {
	r := &dat.Region{
		ID: dat.RegionID, Number: 1, Version: 3, Name: "The island",
		BlockLength: 255, BlockWidth: 255, Square: 24, SquaresPerBlock: 8, VerticesPerCell: 1,
		MaxObjectHeight: 200, SkyHeight: 1000, RoadWidth: 5,
	}
	for i := range r.Heights {
		r.Heights[i] = float32(2 * i)
		if i > 200 {
			r.Heights[i] = float32(400 + 7*(i-200))
		}
	}
	return r
}
