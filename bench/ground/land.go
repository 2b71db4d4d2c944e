package ground

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/gait-engine/gait/dat"
)

// Rect is a rectangle of landblocks.
type Rect struct {
	West, South  int // the block in its corner, 0..254
	Width, Depth int // blocks eastwards and northwards
}

// The block about which a land lies unless it is told otherwise.
const middleEast, middleNorth = 0xA9, 0xB4

// MinSide is the least side of a land, in blocks: a shore needs one behind it.
const MinSide = 3

// MaxSide is the greatest: the world's.
const MaxSide = 255

// Around returns the square of side × side blocks around block (0xA9, 0xB4), moved
// as far as the edge of the world calls for.
func Around(side int) Rect {
	fit := func(middle int) int { return max(0, min(middle-side/2, MaxSide-side)) }
	return Rect{West: fit(middleEast), South: fit(middleNorth), Width: side, Depth: side}
}

// ErrRect refuses a rectangle that does not lie in the world or is too small for a shore.
var ErrRect = errors.New("ground: bad rectangle")

func (r Rect) check() error {
	if r.West < 0 || r.South < 0 || r.Width < MinSide || r.Depth < MinSide || r.Width > MaxSide-r.West || r.Depth > MaxSide-r.South {
		return fmt.Errorf("%w: %d × %d blocks from (%d, %d); each side has %d blocks or more, and the world ends at %d",
			ErrRect, r.Width, r.Depth, r.West, r.South, MinSide, MaxSide)
	}
	return nil
}

// Inner returns the rectangle without its outermost blocks, which are sea.
func (r Rect) Inner() Rect { return Rect{r.West + 1, r.South + 1, r.Width - 2, r.Depth - 2} }

// Records are those of a land, by file.
type Records struct{ Portal, Cell []dat.Record }

// Make returns the records of the land of a seed over a rectangle.
func Make(seed uint64, r Rect) (*Records, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	m := maker{terrain: terrain{noise: noise(mix(seed)), rect: r}}
	put(&m, &m.out.Portal, dat.RegionID, region(), dat.EncodeRegion)
	m.addModels()
	m.addHouse()
	for x := r.West; x < r.West+r.Width; x++ {
		for y := r.South; y < r.South+r.Depth; y++ {
			m.addBlock(uint8(x), uint8(y))
		}
	}
	return &m.out, m.err
}

// maker makes a land's records.
type maker struct {
	terrain
	out Records
	err error // the first
}

// put encodes a record.
func put[T any](m *maker, to *[]dat.Record, id uint32, v *T, encode func(*T) ([]byte, error)) {
	b, err := encode(v)
	if m.err == nil && err != nil {
		m.err = fmt.Errorf("ground: record 0x%08X: %w", id, err)
	}
	*to = append(*to, dat.Record{ID: id, Data: b})
}

// Write writes the land of a seed over a rectangle into a portal and a cell file.
func Write(portal, cell io.Writer, seed uint64, r Rect) error {
	records, err := Make(seed, r)
	if err != nil {
		return err
	}
	if err := dat.Write(portal, records.Portal, dat.WriteOptions{DataSet: dat.Portal}); err != nil {
		return err
	}
	return dat.Write(cell, records.Cell, dat.WriteOptions{DataSet: dat.Cell, Subset: 1})
}

// Open writes the land of a seed over a rectangle into memory and opens both files.
func Open(seed uint64, r Rect) (portal, cell *dat.File, err error) {
	var p, c bytes.Buffer
	if err := Write(&p, &c, seed, r); err != nil {
		return nil, nil, err
	}
	if portal, err = dat.Open(bytes.NewReader(p.Bytes()), int64(p.Len()), "the embedded portal file"); err != nil {
		return nil, nil, err
	}
	cell, err = dat.Open(bytes.NewReader(c.Bytes()), int64(c.Len()), "the embedded cell file")
	return portal, cell, err
}
