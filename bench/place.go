package bench

import (
	"fmt"
	"math"

	"github.com/gait-engine/gait/bench/ground"
	"github.com/gait-engine/gait/space"
)

// The loads' places are in metres from the south-west corner of the world, in
// float64; those indoors too, with the landblock that their cell belongs to.
const (
	worldSide = space.WorldCells * space.CellSide // m
	// worldMargin is how near to the edge of the world an ideal mover gets: it
	// then runs on the spot.
	worldMargin = 2 // m
	// startMargin is how many landblocks random starts keep off the edge, which is
	// ten minutes on the way of a mover that does not turn back.
	startMargin = 8
	// indoorReach is how far from its landblock's corner an indoor ideal mover gets,
	// and a placement may lie, in each axis.
	indoorReach = 1e4 // m
)

// denseEast and denseNorth are the block around which a dense load gathers.
const denseEast, denseNorth = 0xA9, 0xB4

// dense are its nine landblocks.
var dense = ground.Rect{West: denseEast - 1, South: denseNorth - 1, Width: 3, Depth: 3}

// startTries bounds the search for a place where a mover can stand.
const startTries = 1000

// startsIn returns the landblocks in which a load's movers start.
func (g *Ground) startsIn(load Load) (ground.Rect, error) {
	const blocks = space.WorldCells / 8
	r := ground.Rect{West: startMargin, South: startMargin, Width: blocks - 2*startMargin, Depth: blocks - 2*startMargin}
	if g != nil && g.rect.Width > 0 {
		r = g.rect
	}
	if load != Dense {
		return r, nil
	}
	if dense.West < r.West || dense.South < r.South || dense.West+dense.Width > r.West+r.Width || dense.South+dense.Depth > r.South+r.Depth {
		return r, fmt.Errorf("%w: the land is too small for the nine blocks of the dense load", ErrConfig)
	}
	return dense, nil
}

// start is where and as what a mover begins.
type start struct {
	position space.Position
	gait     *Gait
	scale    float32
}

// randomStart stands a humanoid in a random outdoor cell of some landblocks.
func randomStart(r *rng, in ground.Rect) start {
	if in == dense { // its movers draw a block of the world first, and then one of these
		r.next()
		r.next()
	}
	east, north := uint32(in.West)+r.below(uint32(in.Width)), uint32(in.South)+r.below(uint32(in.Depth))
	cell := r.below(64)
	o := space.Vec3{
		float32(float64(cell>>3)*space.CellSide + r.within(0.01, space.CellSide-0.01)),
		float32(float64(cell&7)*space.CellSide + r.within(0.01, space.CellSide-0.01)),
		0,
	}
	return start{
		position: space.Position{
			Cell:  space.CellID(east<<24 | north<<16 | (cell + 1)),
			Frame: space.Frame{Origin: o, Rotation: facing(r.within(0, 2*math.Pi))},
		},
		gait:  &Humanoid,
		scale: 1,
	}
}

// near moves a start near to another one.
func (s *start) near(o *start, in *area, r *rng) {
	p := inWorld(o.position.Cell, o.position.Frame.Origin)
	sin, cos := space.SinCos(r.within(0, 2*math.Pi))
	far := r.within(nearMin, nearMax)
	p.x += float64(far * sin)
	p.y += float64(far * cos)
	in.keep(&p)
	s.position.Cell, s.position.Frame.Origin = p.inCell(0)
}

// facing returns the rotation of a compass heading in radians.
func facing(heading float64) space.Quat {
	s, c := space.SinCos(heading * 0.5)
	return space.Quat{W: float32(c), V: space.Vec3{0, 0, float32(-s)}}
}

// headingOf undoes facing.
func headingOf(q space.Quat) float64 { return -2 * space.Atan2(float64(q.V[2]), float64(q.W)) }

// worldPoint is a point in metres from the world's corner.
type worldPoint struct{ x, y, z float64 }

// inWorld returns the world point of an origin in a cell.
func inWorld(cell space.CellID, o space.Vec3) worldPoint {
	at := space.InWorld(cell, o)
	return worldPoint{at[0], at[1], at[2]}
}

// distance returns the distance of two world points in metres.
func (p worldPoint) distance(o worldPoint) float64 {
	x, y, z := p.x-o.x, p.y-o.y, p.z-o.z
	return math.Sqrt(float64(x*x) + float64(y*y) + float64(z*z))
}

// inCell returns a world point as a cell and an origin: the outdoor cell that
// contains it, or the indoor cell given, as it is.
func (p worldPoint) inCell(indoors space.CellID) (space.CellID, space.Vec3) {
	if indoors != 0 {
		return indoors, space.Vec3{
			float32(p.x - float64(indoors.BlockX())*space.BlockSide),
			float32(p.y - float64(indoors.BlockY())*space.BlockSide),
			float32(p.z),
		}
	}
	east, x := alongBlocks(p.x)
	north, y := alongBlocks(p.y)
	index := uint32(x/space.CellSide)*8 + uint32(y/space.CellSide) + 1
	return space.CellID(east<<24 | north<<16 | index), space.Vec3{x, y, float32(p.z)}
}

// alongBlocks splits a world coordinate into a landblock and what is left.
func alongBlocks(v float64) (block uint32, rest float32) {
	v = min(max(v, 0), worldSide-1.0/64)
	block = uint32(v / space.BlockSide)
	rest = float32(v - float64(block)*space.BlockSide)
	if rest >= space.BlockSide { // rounded up
		rest = math.Nextafter32(space.BlockSide, 0)
	}
	return block, rest
}
