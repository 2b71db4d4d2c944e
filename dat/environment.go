package dat

// structureBytes is the least that a cell structure takes: its counts, an empty
// vertex array, two leaves, and whether it has drawing.
const structureBytes = 16 + 8 + 8 + 32 + 4

// DecodeEnvironment reads a record 0x0D (spec 21 §7.3); encoding gives the same bytes.
func DecodeEnvironment(b []byte) (*Environment, error) {
	c := open(b, EnvironmentKind)
	e := &Environment{ID: c.id}
	e.Cells = list(c, c.count("cell structures", structureBytes), readStructure)
	if err := c.end(); err != nil {
		return nil, err
	}
	return e, nil
}

func readStructure(c *cursor) CellStructure {
	s := CellStructure{Number: c.u32()}
	at := c.at
	polygons, physics, portals := uint64(c.u32()), uint64(c.u32()), uint64(c.u32())
	var vertices, drawn, solid ids
	s.Vertices, vertices = readVertices(c)
	s.Polygons, drawn = readPolygons(c, c.fits(at, "polygons", polygons, polygonBytes), vertices)
	s.Portals = list(c, c.fits(at+8, "portals", portals, 2), (*cursor).u16)
	if bad := drawn.stranger("polygon", s.Portals); bad != "" {
		c.failAt(at, ErrGeometry, "cell structure %d: the portals: %s", s.Number, bad)
	}
	s.PortalPad = c.align4()
	s.CellTree = readTree(c, cellTree, ids{}, 0)
	s.Physics, solid = readPolygons(c, c.fits(at+4, "physics polygons", physics, polygonBytes), vertices)
	s.PhysicsTree = readTree(c, physicsTree, solid, 0)
	if s.HasDrawing = c.u32(); s.HasDrawing != 0 {
		s.DrawingTree = readTree(c, drawingTree, drawn, 0)
	}
	s.Pad = c.align4()
	return s
}

// EncodeEnvironment writes a record 0x0D.
func EncodeEnvironment(e *Environment) ([]byte, error) {
	w := begin(e.ID, EnvironmentKind)
	w.count(len(e.Cells))
	for i := range e.Cells {
		s := &e.Cells[i]
		if s.DrawingTree != nil && s.HasDrawing == 0 {
			w.fail(ErrShape, "cell structure %d says that it has no drawing tree", s.Number)
		}
		w.u32(s.Number)
		w.count(len(s.Polygons))
		w.count(len(s.Physics))
		w.count(len(s.Portals))
		vertices := writeVertices(w, &s.Vertices)
		drawn := writePolygons(w, s.Polygons, vertices)
		if bad := drawn.stranger("polygon", s.Portals); bad != "" {
			w.fail(ErrGeometry, "cell structure %d: the portals: %s", s.Number, bad)
		}
		w.shorts(s.Portals)
		w.align4(s.PortalPad)
		writeTree(w, s.CellTree, cellTree, ids{}, 0, map[*BSPNode]struct{}{})
		solid := writePolygons(w, s.Physics, vertices)
		writeTree(w, s.PhysicsTree, physicsTree, solid, 0, map[*BSPNode]struct{}{})
		w.u32(s.HasDrawing)
		if s.HasDrawing != 0 {
			writeTree(w, s.DrawingTree, drawingTree, drawn, 0, map[*BSPNode]struct{}{})
		}
		w.align4(s.Pad)
	}
	return w.done()
}
