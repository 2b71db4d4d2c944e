package collision

import (
	"math"
	"sync"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/testdata/fixtures"
)

const (
	home space.CellID = 0xA9B40001 // the first cell of the block that most tests are in
	none              = dat.None

	humanID   = 0x02000001
	boulderID = 0x02000A01
	pillarID  = 0x02000A03
	stumpID   = 0x02000A04
	moundID   = 0x02000A08
	doorID    = 0x02000A20
	smallID   = 0x02000A30
	bigID     = 0x02000A31
	crateID   = 0x02000A32
	missileID = 0x02000A33
)

var up = space.Vec3{0, 0, 1}

// landRecords reads the fixture's land and its humanoid, and every block of it.
var landRecords = sync.OnceValues(func() (*World, error) {
	var sources []dat.Source
	for _, dir := range []string{"land", "humanoid"} {
		s, err := dat.OpenFolder(fixtures.FS, dir)
		if err != nil {
			return nil, err
		}
		sources = append(sources, s)
	}
	t, err := dat.LoadLand(sources...)
	if err != nil {
		return nil, err
	}
	l := NewLand(t, sources...)
	return &World{Tables: t, Shapes: &t.Shapes, Land: l}, l.LoadAll()
})

// rig is a world with a sweep in it.
type rig struct {
	testing.TB
	*World
	s    *Sweep
	body Body
}

func newRig(t testing.TB, w World) *rig {
	w.Crowd = &Crowd{}
	r := &rig{TB: t, World: &w}
	r.s = &Sweep{World: r.World}
	return r
}

// onLand is the fixture's land; who is swept is its humanoid.
func onLand(t testing.TB) *rig {
	t.Helper()
	w, err := landRecords()
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, *w)
	r.become(humanID)
	return r
}

// onFlat is a plane at height 0 with the models of some records; who is swept is
// one sphere that stands on it, steps .6.
func onFlat(t testing.TB, records dat.Records) *rig {
	t.Helper()
	tables, err := dat.Compile(records)
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, World{Tables: tables, Shapes: &tables.Shapes, Land: NewFlat(0)})
	r.body = oneSphere()
	return r
}

// loose is a source of records that were made in a test.
type loose map[uint32][]byte

func (loose) Name() string { return "folder" }

func (m loose) IDs(first, last uint32) []uint32 { return nil }

func (m loose) Read(id uint32) ([]byte, error) {
	if b, ok := m[id]; ok {
		return b, nil
	}
	return nil, dat.ErrNotFound
}

// become has the rig sweep a setup of its tables.
func (r *rig) become(setup uint32) {
	r.Helper()
	o := r.obstacle(1, setup, space.Position{Cell: home, Frame: space.Identity})
	r.World.Body(&o, &r.body)
}

const (
	walker   = components.Gravity | components.EdgeSlide | components.ReportCollisions
	creature = components.HasGame | components.Creature
	player   = creature | components.Player
)

// oneSphere is a body that stands on its origin.
func oneSphere() Body {
	return Body{
		Guid: 1, SphereCount: 1, Spheres: [2]dat.Sphere{{Centre: space.Vec3{0, 0, 0.5}, Radius: 0.5}},
		StepUp: 0.6, StepDown: 0.6, State: walker, Traits: creature,
	}
}

// twoSpheres is one with a head.
func twoSpheres() Body {
	b := oneSphere()
	b.SphereCount, b.Spheres[1] = 2, dat.Sphere{Centre: space.Vec3{0, 0, 1.5}, Radius: 0.5}
	return b
}

// obstacle is a body of a setup.
func (r *rig) obstacle(guid, setup uint32, p space.Position) Obstacle {
	r.Helper()
	o := Obstacle{Guid: guid, Place: p, Scale: 1, State: walker, Traits: creature, Setup: none, Parts: none}
	if setup == 0 {
		return o
	}
	i, ok := r.Tables.Setup(setup)
	if !ok {
		r.Fatalf("there is no setup 0x%08X", setup)
	}
	o.Setup = i
	if r.Tables.Setups[i].PhysicsBSP {
		o.State |= components.HasPhysicsBSP
		if pose, _ := r.Tables.Placement(i, defaultPlacement); pose >= 0 {
			o.Parts, o.Posed = int32(r.Tables.Poses[pose].PartsAt), int32(r.Tables.Setups[i].PartCount)
		}
	}
	return o
}

// add registers an obstacle in the cells that it fills, as the row after the last.
func (r *rig) add(o Obstacle) int {
	row := len(r.Crowd.Obstacles)
	r.Crowd.Resize(row + 1)
	r.Crowd.Obstacles[row] = o
	r.Crowd.Register(row, r.s.Filled(&o, nil))
	return row
}

// spot is a place in the home block, level and facing north; coordinates beyond
// the block lead into its neighbours.
func spot(x, y, z float32) space.Position {
	p := space.Position{Cell: home, Frame: space.Frame{Origin: space.Vec3{x, y, z}, Rotation: space.IdentityQuat}}
	p.Normalize()
	return p
}

// turned is p facing a compass heading.
func turned(p space.Position, heading float32) space.Position {
	p.Frame.Rotation = space.SetHeading(p.Frame.Rotation, heading)
	return p
}

// at begins a sweep by hand: the body is at p, and has come there from from. It
// is in contact with level ground there, if it stands.
func (r *rig) at(from, p space.Position, stands bool) *Sweep {
	s := r.s
	s.reset(&r.body)
	s.objectInfo()
	s.current, s.currentCell = from, r.Land.cell(from.Cell)
	s.checkCurrent()
	s.currentCheck()
	s.check, s.checkCell = p, r.Land.cell(p.Cell)
	s.placeSpheres()
	s.begin, s.end = from, p
	s.amount = 0
	if stands {
		s.info |= inContact | onWalkable
		ground := Plane{Normal: up, D: -from.Frame.Origin[2]}
		s.LastKnown.set(&ground, from.Cell, false)
	}
	return s
}

// mover is a body that goes from sweep to sweep, as in 11 §8.
type mover struct {
	*rig
	p        space.Position
	standing Standing
	failed   bool // the last sweep did
}

// stand puts the rig's body down at a place where it fits.
func (r *rig) stand(x, y, z float32) *mover {
	r.Helper()
	return r.standAt(spot(x, y, z))
}

func (r *rig) standAt(p space.Position) *mover {
	r.Helper()
	if !r.s.Place(&r.body, &p, true) {
		r.Fatalf("no room at %v", p)
	}
	m := &mover{rig: r}
	m.take()
	return m
}

// float has the body in the air at a place.
func (r *rig) float(x, y, z float32) *mover { return &mover{rig: r, p: spot(x, y, z)} }

// take is what a sweep leaves a body with.
func (m *mover) take() {
	s := m.s
	m.p = *s.Position()
	m.standing.Ground = s.Contact
	m.standing.OnWalkable = s.OnWalkable()
	m.standing.Sliding, m.standing.Normal = s.Slide.Valid, s.Slide.Normal
	m.standing.Stationary = s.Stationary
	if s.Stationary == 3 {
		m.standing.Stationary = 0
	}
	if s.KillsVelocity {
		m.standing.Velocity = space.Vec3{}
	}
	for _, v := range []space.Vec3{m.p.Frame.Origin, s.Contact.Plane.Normal, s.Slide.Normal, s.Hit.Normal} {
		if !space.FiniteVec(v) {
			m.Fatalf("not finite: %v", v)
		}
	}
	if m.p.Cell != 0 && !m.p.Cell.Indoors() && s.Present() {
		q := m.p
		if q.Normalize(); q.Cell != m.p.Cell && !q.Cell.SameBlock(m.p.Cell) {
			m.Fatalf("outside its block: %v", m.p)
		}
	}
}

// step sweeps by v, metres. It returns how far the body got.
func (m *mover) step(x, y, z float32) space.Vec3 {
	to := m.p
	to.Frame.Origin = space.Add(to.Frame.Origin, space.Vec3{x, y, z})
	from := m.p
	m.failed = !m.s.Move(&m.body, &from, &to, &m.standing)
	if m.failed {
		return space.Vec3{}
	}
	m.take()
	return space.Offset(&from, &m.p)
}

// steps does so n times.
func (m *mover) steps(n int, x, y, z float32) {
	m.Helper()
	for range n {
		m.step(x, y, z)
	}
}

// x, y and z are where the body is, in the axes of the home block.
func (m *mover) x() float32 { return m.where()[0] }
func (m *mover) y() float32 { return m.where()[1] }
func (m *mover) z() float32 { return m.p.Frame.Origin[2] }

func (m *mover) where() space.Vec3 {
	start := space.Position{Cell: home, Frame: space.Identity}
	return space.Offset(&start, &m.p)
}

func (m *mover) walks() bool { return m.standing.Ground.Valid && m.standing.OnWalkable }

// The records of hand-made models.

// boxModel is a model of a box: a tree of six planes, behind which lies a solid leaf
// with all polygons.
func boxModel(id uint32, low, high space.Vec3) *dat.GfxObj {
	g := &dat.GfxObj{ID: id, Flags: 1, Vertices: dat.VertexArray{Type: 1}}
	for i := range 8 {
		v := low
		for k := range 3 {
			if i>>k&1 != 0 {
				v[k] = high[k]
			}
		}
		g.Vertices.Vertices = append(g.Vertices.Vertices, dat.Vertex{ID: uint16(i), Origin: v})
	}
	mid := space.Scale(space.Add(low, high), 0.5)
	ball := dat.Sphere{Centre: mid, Radius: space.Length(space.Sub(high, mid))}
	leaf := &dat.BSPNode{Tag: "LEAF", Solid: 1, Index: 7, Sphere: ball}
	tree := leaf
	for k, f := range [][4]uint16{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}} {
		g.Physics = append(g.Physics, dat.PolygonRecord{ID: uint16(k), Vertices: f[:], Stippling: 4})
		leaf.Polygons = append(leaf.Polygons, uint16(k))
		var n space.Vec3
		d := low[k/2]
		if n[k/2] = -1; k%2 == 1 {
			n[k/2], d = 1, -high[k/2]
		}
		tree = &dat.BSPNode{
			Tag: "BPIN", Plane: dat.Plane{Normal: n, D: d}, Sphere: ball, Neg: tree,
			Pos: &dat.BSPNode{Tag: "LEAF", Index: int32(k), Sphere: dat.Sphere{Centre: mid}},
		}
	}
	g.PhysicsTree = tree
	return g
}

// sheet is a model of single polygons, whose leaf is not solid.
func sheet(id uint32, polygons ...[]space.Vec3) *dat.GfxObj {
	g := &dat.GfxObj{ID: id, Flags: 1, Vertices: dat.VertexArray{Type: 1}}
	leaf := &dat.BSPNode{Tag: "LEAF", Sphere: dat.Sphere{Radius: 100}}
	for k, list := range polygons {
		p := dat.PolygonRecord{ID: uint16(k), Stippling: 4}
		for _, v := range list {
			p.Vertices = append(p.Vertices, uint16(len(g.Vertices.Vertices)))
			g.Vertices.Vertices = append(g.Vertices.Vertices, dat.Vertex{ID: uint16(len(g.Vertices.Vertices)), Origin: v})
		}
		g.Physics = append(g.Physics, p)
		leaf.Polygons = append(leaf.Polygons, uint16(k))
	}
	g.PhysicsTree = leaf
	return g
}

// tile is a level polygon of a side, facing up.
func tile(side, z float32) []space.Vec3 {
	h := side / 2
	return []space.Vec3{{-h, -h, z}, {h, -h, z}, {h, h, z}, {-h, h, z}}
}

// model is a setup of one part.
func model(id, part uint32) *dat.Setup {
	return &dat.Setup{ID: id, Parts: []uint32{part}}
}

// ballSetup and postSetup are setups of one sphere and of one cylsphere.
func ballSetup(id uint32, z, radius float32) *dat.Setup {
	b := dat.Sphere{Centre: space.Vec3{0, 0, z}, Radius: radius}
	return &dat.Setup{ID: id, Spheres: []dat.Sphere{b}, Sorting: b}
}

func postSetup(id uint32, radius, height float32) *dat.Setup {
	return &dat.Setup{ID: id, Cylinders: []dat.Cylinder{{Radius: radius, Height: height}}}
}

func setups(s ...*dat.Setup) dat.Records { return dat.Records{Setups: s} }

func near32(a, b, tolerance float32) bool {
	return math.Abs(float64(a)-float64(b)) <= float64(tolerance)
}

func nearVec(a, b space.Vec3, tolerance float32) bool {
	return near32(a[0], b[0], tolerance) && near32(a[1], b[1], tolerance) && near32(a[2], b[2], tolerance)
}

func radians(degrees float64) float64 { return degrees * math.Pi / 180 }
