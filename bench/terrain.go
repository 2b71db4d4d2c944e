package bench

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"

	"github.com/gait-engine/gait/bench/ground"
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/collision"
	"github.com/gait-engine/gait/testdata/fixtures"
)

// What a result says of the sweep.
const (
	SweepNone    = "none"    // every move is accepted as it is
	SweepFlat    = "flat"    // an endless plane, and each other
	SweepTerrain = "terrain" // a land with what stands on it, and each other
)

// Sweeps lists them.
var Sweeps = []string{SweepNone, SweepFlat, SweepTerrain}

// Ground is what a load's movers walk on when the engine sweeps.
type Ground struct {
	Sweep string
	Land  *collision.Land

	world collision.World
	sweep collision.Sweep
	body  collision.Body // a humanoid
	rect  ground.Rect    // in which movers start
	area  area           // in which they stay
	cell  *dat.File      // what the land is read from, nil for a plane
}

// area is a rectangle of the world, in metres.
type area struct{ west, south, east, north float64 }

// whole is where movers stay without a ground.
var whole = area{worldMargin, worldMargin, worldSide - worldMargin, worldSide - worldMargin}

// keep keeps a point in the area; of none, in the world.
func (a *area) keep(p *worldPoint) {
	if a == nil {
		a = &whole
	}
	p.x = min(max(p.x, a.west), a.east)
	p.y = min(max(p.y, a.south), a.north)
}

func areaOf(r ground.Rect) area {
	return area{
		float64(r.West)*space.BlockSide + worldMargin, float64(r.South)*space.BlockSide + worldMargin,
		float64(r.West+r.Width)*space.BlockSide - worldMargin, float64(r.South+r.Depth)*space.BlockSide - worldMargin,
	}
}

// GroundOptions say what ground to make, and with which tables.
type GroundOptions struct {
	Sweep     string // one of Sweeps
	Tables    string // folder of loose records; as in [LoadTables]
	Container string // portal file; likewise
	Cell      string // cell file, whose models Tables or Container hold; "" for the embedded land
	Side      int    // of the embedded land, in blocks; 0 is DefaultSide
}

// DefaultSide is how many landblocks the embedded land has to a side: in 62 × 62
// of them, 12 km to a side, movers start.
const DefaultSide = 64

// groundSeed is that of the embedded land, whatever the load's: figures of
// different seeds are of one land.
const groundSeed = 1

// LoadGround makes the tables and the ground of a run; no ground when nothing is
// swept. The embedded land is all loaded, a cell file is read on demand.
func LoadGround(o GroundOptions) (*dat.Tables, *Ground, error) {
	if o.Sweep != SweepTerrain {
		if o.Cell != "" {
			return nil, nil, fmt.Errorf("%w: a cell file is for sweep %s", ErrConfig, SweepTerrain)
		}
		tables, err := LoadTables(o.Tables, o.Container)
		if err != nil {
			return nil, nil, err
		}
		switch o.Sweep {
		case SweepNone:
			return tables, nil, nil
		case SweepFlat:
			land := collision.NewFlat(0)
			return tables, newGround(SweepFlat, tables, land, ground.Rect{}, whole), nil
		}
		return nil, nil, fmt.Errorf("%w: no sweep is named %q, only %v", ErrConfig, o.Sweep, Sweeps)
	}
	if o.Cell != "" {
		return openCell(o)
	}
	if o.Side == 0 {
		o.Side = DefaultSide
	}
	r := ground.Around(o.Side)
	portal, cell, err := ground.Open(groundSeed, r)
	if errors.Is(err, ground.ErrRect) {
		return nil, nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	if err != nil {
		return nil, nil, err
	}
	tables, err := landTables(o, portal)
	if err != nil {
		return nil, nil, err
	}
	land := collision.NewLand(tables, cell)
	if err := land.Furnish(); err != nil {
		return nil, nil, err
	}
	g := newGround(SweepTerrain, tables, land, r.Inner(), areaOf(r.Inner()))
	g.cell = cell
	return tables, g, nil
}

func newGround(sweep string, t *dat.Tables, land *collision.Land, r ground.Rect, a area) *Ground {
	g := &Ground{
		Sweep: sweep, Land: land, rect: r, area: a,
		world: collision.World{Tables: t, Shapes: &t.Shapes, Land: land},
	}
	g.sweep.World = &g.world
	setup, ok := t.Setup(Humanoid.Setup)
	if !ok { // what spawns it says so
		setup = dat.None
	}
	g.world.Body(&collision.Obstacle{Scale: 1, Setup: setup, State: components.DefaultState}, &g.body)
	return g
}

// openCell makes the ground of a cell file: movers start all over the rectangle
// of blocks that it has on record.
func openCell(o GroundOptions) (*dat.Tables, *Ground, error) {
	if o.Tables == "" && o.Container == "" {
		return nil, nil, fmt.Errorf("%w: a cell file needs the records that it was made with", ErrConfig)
	}
	tables, err := landTables(o)
	if err != nil {
		return nil, nil, err
	}
	file, err := dat.OpenFile(o.Cell)
	if err != nil {
		return nil, nil, err
	}
	west, south, east, north := 255, 255, -1, -1
	for _, id := range file.IDs(0, math.MaxUint32) {
		if dat.KindOf(dat.Cell, id) == dat.LandBlockKind {
			x, y := int(id>>24), int(id>>16&0xFF)
			west, south, east, north = min(west, x), min(south, y), max(east, x), max(north, y)
		}
	}
	if file.Header().DataSet != dat.Cell || east < 0 {
		return nil, nil, errors.Join(fmt.Errorf("bench: %s has no landblocks", o.Cell), file.Close())
	}
	r := ground.Rect{West: west, South: south, Width: east + 1 - west, Depth: north + 1 - south}
	g := newGround(SweepTerrain, tables, collision.NewLand(tables, file), r, areaOf(r))
	g.cell = file
	return tables, g, nil
}

// landTables compiles the records of the sources before others', models and
// region included.
func landTables(o GroundOptions, before ...dat.Source) (*dat.Tables, error) {
	if o.Container != "" {
		file, err := dat.OpenFile(o.Container)
		if err != nil {
			return nil, err
		}
		tables, err := dat.LoadLand(append(before, file)...)
		return tables, errors.Join(err, file.Close())
	}
	fsys := fs.FS(fixtures.FS)
	if o.Tables != "" {
		fsys = os.DirFS(o.Tables)
	}
	folders, err := dat.OpenFolders(fsys)
	if err != nil {
		return nil, err
	}
	return dat.LoadLand(append(before, folders...)...)
}

// Close closes the files that the ground reads.
func (g *Ground) Close() error {
	if g == nil || g.cell == nil {
		return nil
	}
	return g.cell.Close()
}

// height returns how high the ground is at a point of the world, and whether a
// body can stand and walk there.
func (g *Ground) height(p worldPoint) (z float64, stands bool) {
	if g.Sweep == SweepFlat {
		return 0, true
	}
	at := space.Position{Frame: space.Frame{Rotation: space.IdentityQuat}}
	at.Cell, at.Frame.Origin = p.inCell(0)
	plane, id, ok := g.world.Below(&at, space.Vec3{})
	if !ok {
		return p.z, false
	}
	n, o := plane.Normal, at.Frame.Origin
	z = -(float64(float64(n[0])*float64(o[0])) + float64(float64(n[1])*float64(o[1])) + float64(plane.D)) / float64(n[2])
	return z, n[2] >= collision.FloorZ && !g.world.Sea(id)
}

// startRoom is how much of a start must be free around a body, metres.
const startRoom = 0.1

// settle puts a start on the ground, and reports whether a humanoid can stand
// there, in nothing solid.
func (g *Ground) settle(s *start) (stands bool) {
	if g == nil || s.position.Cell.Indoors() {
		return true
	}
	z, stands := g.height(inWorld(s.position.Cell, s.position.Frame.Origin))
	s.position.Frame.Origin[2] = float32(z)
	return stands && (g.Sweep == SweepFlat || !g.sweep.Solid(&g.body, &s.position, -startRoom))
}
