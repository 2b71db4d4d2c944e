package dat

// The bits of GfxObj.Flags that change the layout.
const (
	hasPhysics = 1
	hasDrawing = 2
	hasDegrade = 8
)

// DecodeGfxObj reads a record 0x01 (spec 21 §7.2); encoding gives the same bytes.
func DecodeGfxObj(b []byte) (*GfxObj, error) {
	c := open(b, GfxObjKind)
	g := &GfxObj{ID: c.id, Flags: c.u32()}
	g.Surfaces = list(c, c.cuint("surfaces", 4), (*cursor).u32)
	var vertices, polygons ids
	g.Vertices, vertices = readVertices(c)
	if g.Flags&hasPhysics != 0 {
		g.Physics, polygons = readPolygons(c, c.cuint("physics polygons", polygonBytes), vertices)
		g.PhysicsTree = readTree(c, physicsTree, polygons, 0)
	}
	g.SortCentre = c.vec3()
	if g.Flags&hasDrawing != 0 {
		g.Polygons, polygons = readPolygons(c, c.cuint("polygons", polygonBytes), vertices)
		g.DrawingTree = readTree(c, drawingTree, polygons, 0)
	}
	if g.Flags&hasDegrade != 0 {
		g.Degrade = c.u32()
	}
	if err := c.end(); err != nil {
		return nil, err
	}
	return g, nil
}

// EncodeGfxObj writes a record 0x01.
func EncodeGfxObj(g *GfxObj) ([]byte, error) {
	w := begin(g.ID, GfxObjKind)
	if err := g.check(); err != nil {
		return nil, err
	}
	w.u32(g.Flags)
	w.cuint(len(g.Surfaces))
	for _, v := range g.Surfaces {
		w.u32(v)
	}
	vertices := writeVertices(w, &g.Vertices)
	if g.Flags&hasPhysics != 0 {
		w.cuint(len(g.Physics))
		writeTree(w, g.PhysicsTree, physicsTree, writePolygons(w, g.Physics, vertices), 0, map[*BSPNode]struct{}{})
	}
	w.vec3(g.SortCentre)
	if g.Flags&hasDrawing != 0 {
		w.cuint(len(g.Polygons))
		writeTree(w, g.DrawingTree, drawingTree, writePolygons(w, g.Polygons, vertices), 0, map[*BSPNode]struct{}{})
	}
	if g.Flags&hasDegrade != 0 {
		w.u32(g.Degrade)
	}
	return w.done()
}

// check reports parts that do not fit the flags.
func (g *GfxObj) check() error {
	for _, part := range []struct {
		what  string
		flag  uint32
		there bool
	}{
		{"physics", hasPhysics, len(g.Physics) > 0 || g.PhysicsTree != nil},
		{"drawing", hasDrawing, len(g.Polygons) > 0 || g.DrawingTree != nil},
		{"degrade id", hasDegrade, g.Degrade != 0},
	} {
		if part.there && g.Flags&part.flag == 0 {
			return recordError(g.ID, ErrShape, "the flags say that there is no %s", part.what)
		}
	}
	return nil
}
