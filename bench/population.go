package bench

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"

	"github.com/gait-engine/gait/space"
)

// Placement is one creature of a world's population.
type Placement struct {
	Position    space.Position
	MotionTable uint32 // record ids, as the world has them
	Setup       uint32
	Scale       float32
}

// ErrPopulation refuses a population file.
var ErrPopulation = errors.New("bench: bad population")

// MaxPlacements bounds a population.
const MaxPlacements = MaxRemotes

// populationColumns are the names of the columns that are read; others are passed over.
var populationColumns = []string{"cell", "x", "y", "z", "qw", "qx", "qy", "qz", "motion_table", "setup", "scale"}

// humanTables are the motion tables of the world that move a human body: those
// that some placement plays on setup 0x02000001 or 0x0200004E, the human man and
// woman. Everybody who has one of them gets the humanoid; all others the creature.
var humanTables = []uint32{0x09000001, 0x09000025, 0x090000C5, 0x090000F3, 0x09000157}

// Gait returns which of the two bodies the placement gets: the humanoid when
// its own motion table is one that moves a human body, else the creature.
func (p *Placement) Gait() *Gait {
	if slices.Contains(humanTables, p.MotionTable) {
		return &Humanoid
	}
	return &Creature
}

func (p *Placement) start() start { return start{p.Position, p.Gait(), p.Scale} }

// LoadPopulation reads a population from a file, gzipped or not.
func LoadPopulation(path string) (_ []Placement, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	p, err := ReadPopulation(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// ReadPopulation reads a population: comma-separated lines under a line of
// names, gzipped or not. Ids are 0x-hexadecimal, positions metres local to the
// landblock, rotations about the vertical. A cell of index 0 names a landblock
// only: it becomes the outdoor cell that contains the point. An outdoor point
// beyond its cell or landblock is brought into the cell that contains it; indoor
// ones stay as they are.
func ReadPopulation(r io.Reader) ([]Placement, error) {
	b := bufio.NewReader(r)
	if magic, err := b.Peek(2); err == nil && bytes.Equal(magic, []byte{0x1F, 0x8B}) {
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrPopulation, err)
		}
		return readPopulation(z)
	}
	return readPopulation(b)
}

func readPopulation(r io.Reader) ([]Placement, error) {
	lines := csv.NewReader(r)
	lines.ReuseRecord = true
	head, err := lines.Read()
	if err != nil {
		return nil, fmt.Errorf("%w: no line of names: %w", ErrPopulation, err)
	}
	column := make([]int, len(populationColumns))
	for i, name := range populationColumns {
		if column[i] = slices.Index(head, name); column[i] < 0 {
			return nil, fmt.Errorf("%w: no column %q", ErrPopulation, name)
		}
	}
	var all []Placement
	for {
		record, err := lines.Read()
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrPopulation, err)
		}
		if len(all) == MaxPlacements {
			return nil, fmt.Errorf("%w: more than %d placements", ErrPopulation, MaxPlacements)
		}
		p, err := parsePlacement(record, column)
		if err != nil {
			line, _ := lines.FieldPos(0)
			return nil, fmt.Errorf("%w: line %d: %w", ErrPopulation, line, err)
		}
		all = append(all, p)
	}
}

// maxScale bounds a placement's scale, as the engine does.
const maxScale = 1e3

func parsePlacement(record []string, column []int) (p Placement, err error) {
	id := func(i int) uint32 {
		v, e := strconv.ParseUint(record[column[i]], 0, 32)
		if e != nil && err == nil {
			err = fmt.Errorf("%s: %w", populationColumns[i], e)
		}
		return uint32(v)
	}
	number := func(i int) float32 {
		v, e := strconv.ParseFloat(record[column[i]], 32)
		if e != nil && err == nil {
			err = fmt.Errorf("%s: %w", populationColumns[i], e)
		}
		return float32(v)
	}
	cell := space.CellID(id(0))
	f := space.Frame{
		Origin:   space.Vec3{number(1), number(2), number(3)},
		Rotation: space.Quat{W: number(4), V: space.Vec3{number(5), number(6), number(7)}},
	}
	p.MotionTable, p.Setup, p.Scale = id(8), id(9), number(10)
	if err != nil {
		return p, err
	}
	if cell.Index() == 0 {
		cell |= 1 // any outdoor cell of the block: the point decides
	}
	p.Position = space.Position{Cell: cell, Frame: f}
	switch {
	case !f.Valid():
		return p, errors.New("the position is not finite or the rotation not of unit length")
	case space.Abs(f.Origin[0]) > indoorReach || space.Abs(f.Origin[1]) > indoorReach || space.Abs(f.Origin[2]) > indoorReach:
		return p, errors.New("the point lies absurdly far from its landblock")
	case f.Rotation.V[0] != 0 || f.Rotation.V[1] != 0:
		return p, errors.New("the rotation is not about the vertical")
	case !cell.InboundValid():
		return p, fmt.Errorf("0x%08X is no cell", uint32(cell))
	case !(p.Scale > 0 && p.Scale <= maxScale):
		return p, fmt.Errorf("scale %v", p.Scale)
	}
	if p.Position.Normalize(); p.Position.Cell == 0 {
		return p, errors.New("the point lies outside the world")
	}
	return p, nil
}
