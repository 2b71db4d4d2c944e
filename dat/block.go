package dat

import (
	"errors"

	"github.com/gait-engine/gait/space"
)

// The bits of a cell portal's flags (spec 21 §8.3).
const (
	invertedSide = 2
	leadsOutside = 4
)

// noCell is the other cell of a portal that leads outside.
const noCell = 0xFFFF

// CompileBlock reads and compiles landblock (x, y): its ground, and when the
// record says that there are any, what stands on it and its indoor cells. The
// tables must hold the models, the environments and the region, as those of
// [LoadLand] do. A record that several sources have is taken from the first of
// them; portal files are passed over.
//
// It returns nil and no error when no source has the landblock. What a record of
// it names and is not there is refused as [ErrMissing].
func CompileBlock(t *Tables, x, y uint8, sources ...Source) (*Block, error) {
	land, err := readOne(sources, LandBlockID(x, y), DecodeLandBlock)
	if land == nil || err != nil {
		return nil, err
	}
	if len(t.Heights) == 0 {
		return nil, recordError(land.ID, ErrMissing, "the tables have no region, which holds its heights")
	}
	c := blockCompiler{t: t, b: &Block{X: int32(x), Y: int32(y)}}
	if err := c.b.addGround(land, t.Heights); err != nil {
		return nil, err
	}
	if land.HasObjects == 0 {
		return c.b, nil
	}
	id := LandBlockInfoID(x, y)
	info, err := readOne(sources, id, DecodeLandBlockInfo)
	if err != nil {
		return nil, err
	}
	if info == nil {
		return nil, recordError(land.ID, ErrMissing, "it has objects, and there is no record 0x%08X", id)
	}
	if info.Cells > lastIndoor-firstIndoor+1 {
		return nil, recordError(id, ErrLimit, "%d indoor cells, at most %d", info.Cells, lastIndoor-firstIndoor+1)
	}
	c.cells = info.Cells
	if err := c.addInfo(info); err != nil {
		return nil, err
	}
	for i := range info.Cells {
		id := EnvCellID(x, y, uint16(i))
		cell, err := readOne(sources, id, DecodeEnvCell)
		if err != nil {
			return nil, err
		}
		if cell == nil {
			return nil, recordError(info.ID, ErrMissing, "it has %d indoor cells, and there is no record 0x%08X", info.Cells, id)
		}
		if err := c.addCell(cell); err != nil {
			return nil, err
		}
	}
	return c.b, nil
}

// readOne reads and decodes a record of a cell file, nil when no source has it.
func readOne[T any](sources []Source, id uint32, decode func([]byte) (*T, error)) (*T, error) {
	for _, s := range sources {
		if !holds(s, Cell) {
			continue
		}
		b, err := s.Read(id)
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		v, err := decode(b)
		return v, inFile(err, s.Name(), id)
	}
	return nil, nil
}

// blockCompiler holds what is needed while a block is built.
type blockCompiler struct {
	t     *Tables
	b     *Block
	cells uint32 // how many indoor cells the block has
}

// is reports whether the low half of an id is that of an indoor cell of the block.
func (c *blockCompiler) is(cell uint16) bool { return uint32(cell)-firstIndoor < c.cells }

// haveCells refuses a list that names a cell that the block has not.
func (c *blockCompiler) haveCells(id uint32, what string, cells ...uint16) error {
	for _, cell := range cells {
		if !c.is(cell) {
			return recordError(id, ErrMissing, "%s: the block has no indoor cell 0x%04X", what, cell)
		}
	}
	return nil
}

func (c *blockCompiler) addInfo(l *LandBlockInfo) error {
	b := c.b
	if err := c.addStatics(l.ID, l.Objects); err != nil {
		return err
	}
	b.Outdoor = int32(len(b.Statics))
	b.Restrictions = l.Restrictions
	for i := range l.Buildings {
		r := &l.Buildings[i]
		shell, err := c.static(l.ID, "building", i, ObjectRecord{r.Model, r.Frame})
		if err != nil {
			return err
		}
		if shell.Setup >= 0 { // only part 0 of a building collides (spec 14 L4)
			if parts := c.t.PartHulls(shell.Setup); len(parts) > 0 {
				shell.Hull = parts[0]
			}
		}
		b.Buildings = append(b.Buildings, Building{
			Model: r.Model, Setup: shell.Setup, Hull: shell.Hull, Frame: shell.Frame, Leaves: r.Leaves,
			FirstPortal: int32(len(b.BuildingPortals)), PortalCount: int32(len(r.Portals)),
		})
		for k := range r.Portals {
			p := &r.Portals[k]
			if err := c.haveCells(l.ID, "a portal of a building", p.OtherCell); err != nil {
				return err
			}
			if err := c.haveCells(l.ID, "the list of a building's portal", p.Cells...); err != nil {
				return err
			}
			b.BuildingPortals = append(b.BuildingPortals, BuildingPortal{
				Flags: p.Flags, OtherCell: p.OtherCell, OtherPortal: int16(p.OtherPortal),
				FirstCell: int32(len(b.BuildingCells)), CellCount: int32(len(p.Cells)),
			})
			b.BuildingCells = append(b.BuildingCells, p.Cells...)
		}
	}
	return nil
}

func (c *blockCompiler) addStatics(id uint32, s []ObjectRecord) error {
	for i, o := range s {
		static, err := c.static(id, "object", i, o)
		if err != nil {
			return err
		}
		c.b.Statics = append(c.b.Statics, static)
	}
	return nil
}

// static finds the model of an object.
func (c *blockCompiler) static(id uint32, what string, i int, o ObjectRecord) (Static, error) {
	s := Static{Model: o.Model, Setup: None, Hull: None, Frame: turnable(o.Frame)}
	if err := checkPlace(id, s.Frame, "%s %d", what, i); err != nil {
		return s, err
	}
	var ok bool
	if KindOf(Portal, o.Model) == SetupKind {
		s.Setup, ok = c.t.Setup(o.Model)
	} else {
		s.Hull, ok = c.t.Shapes.GfxObj(o.Model)
	}
	if !ok {
		return s, recordError(id, ErrMissing, "%s %d is a 0x%08X, which is not among the models", what, i, o.Model)
	}
	return s, nil
}

// checkPlace refuses a frame that nothing can stand in.
func checkPlace(id uint32, f space.Frame, what string, a ...any) error {
	if sane(f) && space.ValidQuat(f.Rotation) {
		return nil
	}
	e := recordError(id, ErrFloat, what, a...)
	e.Reason += ": its frame is not a place and a rotation"
	return e
}

func (c *blockCompiler) addCell(e *EnvCell) error {
	b := c.b
	hull, ok := c.t.Shapes.Structure(EnvironmentFirst|uint32(e.Environment), uint32(e.Structure))
	if !ok {
		return recordError(e.ID, ErrMissing, "there is no cell structure %d in environment 0x%08X", e.Structure, EnvironmentFirst|uint32(e.Environment))
	}
	cell := IndoorCell{
		ID: e.ID, Hull: hull, Frame: turnable(e.Frame), Restriction: e.Restriction, SeenOutside: e.Flags&SeenOutside != 0,
		FirstPortal: int32(len(b.Portals)), PortalCount: int32(len(e.Portals)),
		FirstVisible: int32(len(b.Visible)), VisibleCount: int32(len(e.Visible)),
		FirstStatic: int32(len(b.Statics)), StaticCount: int32(len(e.Objects)),
	}
	if err := checkPlace(e.ID, cell.Frame, "the cell"); err != nil {
		return err
	}
	for i, p := range e.Portals {
		portal := CellPortal{
			Flags: p.Flags, OtherCell: p.OtherCell, OtherPortal: int16(p.OtherPortal), Side: p.Flags&invertedSide == 0,
			Outside: p.Flags&leadsOutside != 0 || p.OtherCell == noCell,
		}
		if portal.Outside {
			portal.OtherCell = noCell
		} else if err := c.haveCells(e.ID, "a portal", p.OtherCell); err != nil {
			return err
		}
		if portal.Polygon, ok = c.portalPolygon(hull, p.Polygon); !ok {
			return recordError(e.ID, ErrMissing, "portal %d: polygon %d is none of the portals of its cell structure", i, p.Polygon)
		}
		b.Portals = append(b.Portals, portal)
	}
	if err := c.haveCells(e.ID, "the visible cells", e.Visible...); err != nil {
		return err
	}
	b.Visible = append(b.Visible, e.Visible...)
	if err := c.addStatics(e.ID, e.Objects); err != nil {
		return err
	}
	b.Cells = append(b.Cells, cell)
	return nil
}

// portalPolygon finds a portal polygon of a cell structure by its id in the record.
func (c *blockCompiler) portalPolygon(hull int32, id uint16) (int32, bool) {
	s := &c.t.Shapes
	h := &s.Hulls[hull]
	for _, i := range s.Portals[h.FirstPortal : h.FirstPortal+h.PortalCount] {
		if s.Polygons[i].ID == id {
			return i, true
		}
	}
	return None, false
}
