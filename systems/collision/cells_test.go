package collision

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/testdata/fixtures"
)

const (
	front space.CellID = 0xA9B40100 // the house of the fixture
	back  space.CellID = 0xA9B40101
)

// edit is the fixture's land with records of block A9B4 changed.
func edit(t testing.TB, info func(*dat.LandBlockInfo), cells map[uint32]func(*dat.EnvCell)) *rig {
	t.Helper()
	w, err := landRecords()
	if err != nil {
		t.Fatal(err)
	}
	folder, err := dat.OpenFolder(fixtures.FS, "land")
	if err != nil {
		t.Fatal(err)
	}
	m := loose{}
	must := func(b []byte, err error) []byte {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	if info != nil {
		id := dat.LandBlockInfoID(0xA9, 0xB4)
		l, err := dat.DecodeLandBlockInfo(must(folder.Read(id)))
		if err != nil {
			t.Fatal(err)
		}
		info(l)
		m[id] = must(dat.EncodeLandBlockInfo(l))
	}
	for id, change := range cells {
		e, err := dat.DecodeEnvCell(must(folder.Read(id)))
		if err != nil {
			t.Fatal(err)
		}
		change(e)
		m[id] = must(dat.EncodeEnvCell(e))
	}
	l := NewLand(w.Tables, m, folder)
	l.block(0xA9, 0xB4)
	if errs := l.Errors(); len(errs) > 0 {
		t.Fatal(errors.Join(errs...))
	}
	r := newRig(t, World{Tables: w.Tables, Shapes: w.Shapes, Land: l})
	r.become(humanID)
	return r
}

// list is the cell array of one sphere at a place, and what holds its centre.
func (r *rig) list(p space.Position, radius float32) ([]space.CellID, space.CellID) {
	r.body.SphereCount, r.body.Spheres[0] = 1, dat.Sphere{Radius: radius}
	s := r.at(p, p, false)
	c := s.findCells()
	return s.Cells(nil), c.id
}

func cellAt(x, y int32) space.CellID { return space.LCoordToCell(0xA9*8+x, 0xB4*8+y) }

// 10 §7.1: the order of the outdoor cells, and who contains what lies on a border.
func TestSpec14_9_OutdoorCells(t *testing.T) {
	r := onFlat(t, dat.Records{})
	for _, c := range []struct {
		x, y, radius float32
		want         []space.CellID
		holds        space.CellID
	}{
		{100, 100, 0.5, []space.CellID{cellAt(4, 4)}, cellAt(4, 4)},
		{97.5, 108, 0.5, []space.CellID{cellAt(4, 4)}, cellAt(4, 4)},
		{96.75, 108, 1, []space.CellID{cellAt(4, 4), cellAt(3, 4)}, cellAt(4, 4)},
		{119.9, 119.9, 0.5, []space.CellID{cellAt(4, 4), cellAt(5, 4), cellAt(5, 5), cellAt(4, 5)}, cellAt(4, 4)},
		{119.9, 96.1, 0.5, []space.CellID{cellAt(4, 4), cellAt(5, 4), cellAt(5, 3), cellAt(4, 3)}, cellAt(4, 4)},
		{96.1, 119.9, 0.5, []space.CellID{cellAt(4, 4), cellAt(3, 4), cellAt(3, 5), cellAt(4, 5)}, cellAt(4, 4)},
		{96, 96, 0.5, []space.CellID{cellAt(4, 4), cellAt(3, 4), cellAt(3, 3), cellAt(4, 3)}, cellAt(4, 3)},
		{96, 100, 0.5, []space.CellID{cellAt(4, 4), cellAt(3, 4)}, cellAt(3, 4)},
		{100, 96, 0.5, []space.CellID{cellAt(4, 4), cellAt(4, 3)}, cellAt(4, 3)},
		{191.9, 100, 0.5, []space.CellID{cellAt(7, 4), cellAt(8, 4)}, cellAt(7, 4)},
		{96.5, 100, 0.5, []space.CellID{cellAt(4, 4)}, cellAt(4, 4)}, // strictly
	} {
		got, holds := r.list(spot(c.x, c.y, 0), c.radius)
		if !slices.Equal(got, c.want) || holds != c.holds {
			t.Errorf("(%v,%v) r %v: %x held by %x, want %x held by %x", c.x, c.y, c.radius, got, uint32(holds), c.want, uint32(c.holds))
		}
	}
	// the edge of the world
	p := space.Position{Cell: 1, Frame: space.Identity}
	p.Frame.Origin = space.Vec3{0.1, 0.1, 0}
	if got, holds := r.list(p, 0.5); len(got) != 1 || holds != 1 {
		t.Errorf("in the world's corner: %x", got)
	}
	p.Frame.Origin = space.Vec3{-0.1, 0.1, 0}
	if got, holds := r.list(p, 0.5); len(got) != 0 || holds != 0 {
		t.Errorf("off the world: %x held by %x", got, uint32(holds))
	}
}

// The second sphere's cells follow those of the first; what is there already is not added again.
func TestSpec14_9_TwoSpheres(t *testing.T) {
	r := onFlat(t, dat.Records{})
	r.body.SphereCount = 2
	r.body.Spheres = [2]dat.Sphere{{Radius: 0.5}, {Centre: space.Vec3{1, 0, 0}, Radius: 0.5}}
	p := spot(119.2, 100, 0)
	s := r.at(p, p, false)
	s.findCells()
	if got := s.Cells(nil); !slices.Equal(got, []space.CellID{cellAt(4, 4), cellAt(5, 4)}) {
		t.Errorf("%x", got)
	}
}

// A cell that is not there keeps its entry, and the array is emptied before it is made anew.
func TestW22_ArraysAreEmptiedAndAbsentCellsCount(t *testing.T) {
	r := onLand(t)
	p := space.Position{Cell: 0xA9B50001, Frame: space.Identity}
	p.Frame.Origin = space.Vec3{100, 191.9, 60}
	p.Normalize()
	north, _ := r.list(p, 0.5)
	if len(north) != 2 || north[1]>>16 != 0xA9B6 {
		t.Fatalf("%x", north)
	}
	if c := r.Land.cell(north[1]); c.present() {
		t.Fatal("there is land in the north")
	}
	s := r.at(spot(100, 100, 100), spot(100, 100, 100), false)
	s.findCells()
	s.check.Frame.Origin[0] += 24 // later in the same sweep
	s.placeSpheres()
	if holds, got := s.findCells(), s.Cells(nil); len(got) != 1 || got[0] != cellAt(5, 4) || holds.id != got[0] {
		t.Errorf("after another search: %x held by %x", got, uint32(holds.id))
	}
}

// A movement sweep indoors takes in cells that its own does not see.
func TestW22_MovementIsNotPruned(t *testing.T) {
	r := edit(t, nil, map[uint32]func(*dat.EnvCell){uint32(front): func(e *dat.EnvCell) { e.Visible = nil }})
	p := space.Position{Cell: front, Frame: space.Identity}
	p.Frame.Origin = space.Vec3{60, 35.9, 101}
	got, holds := r.list(p, 0.5)
	if !slices.Equal(got, []space.CellID{front, back}) || holds != front {
		t.Errorf("%x held by %x", got, uint32(holds))
	}
}

// What belongs to the land indoors is registered where its own cell sees it: the
// start cell stays, and those in its list.
func TestW11_PruningKeepsTheStartCellAndWhatItSees(t *testing.T) {
	for _, c := range []struct {
		visible []uint16
		want    []space.CellID
	}{
		{[]uint16{0x101}, []space.CellID{front, back}},
		{nil, []space.CellID{front}},
		{[]uint16{0x100}, []space.CellID{front}},
	} {
		r := edit(t, nil, map[uint32]func(*dat.EnvCell){uint32(front): func(e *dat.EnvCell) { e.Visible = c.visible }})
		o := r.obstacle(2, pillarID, space.Position{Cell: front, Frame: space.Frame{Origin: space.Vec3{60, 35.9, 100.1}, Rotation: space.IdentityQuat}})
		f := finder{world: r.World}
		f.register(&o, true)
		var got []space.CellID
		for _, c := range f.list {
			got = append(got, c.id)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("seeing %x: %x, want %x", c.visible, got, c.want)
		}
	}
}

// Once the land cells are in the array, further ways to them add nothing: what
// counts is the place that the search began in, in its order.
func TestW12_OutdoorCellsAreAddedOnce(t *testing.T) {
	r := onLand(t)
	// in the doorway of the house, at the border of its cells (1,1), (2,1): from
	// outside the land comes first and the room after it
	p := spot(60, 30.1, 100.5)
	got, holds := r.list(p, 0.5)
	if want := []space.CellID{cellAt(2, 1), front}; !slices.Equal(got, want) || holds != front {
		t.Errorf("from outside: %x held by %x, want %x", got, uint32(holds), want)
	}
	p.Cell = front // from inside the land comes last, by way of the door
	got, holds = r.list(p, 0.5)
	if want := []space.CellID{front, cellAt(2, 1)}; !slices.Equal(got, want) || holds != front {
		t.Errorf("from inside: %x held by %x, want %x", got, uint32(holds), want)
	}
	// the search of an outdoor cell adds them all before any of them is looked into
	f := finder{world: r.World, from: cellAt(4, 4), in: volume{spheres: []dat.Sphere{{Centre: space.Vec3{96.1, 119.9, 100}, Radius: 0.5}}}}
	f.search()
	if !f.outside || len(f.list) != 4 {
		t.Fatalf("%+v", f.list)
	}
	n := len(f.list)
	f.in.spheres = []dat.Sphere{{Centre: space.Vec3{10, 10, 100}, Radius: 0.5}}
	if f.addOutside(); len(f.list) != n {
		t.Error("added twice")
	}
}

// Where the start cell is not there nothing contains a point, though its
// neighbour's edge does.
func TestW31_AbsentStartCellHasNoContainer(t *testing.T) {
	r := onLand(t)
	p := space.Position{Cell: 0xA9B60021, Frame: space.Identity} // north of the fixture's land: not on record
	p.Frame.Origin = space.Vec3{100, 0, 60}
	got, holds := r.list(p, 0.5)
	if len(got) != 2 || got[1]>>16 != 0xA9B5 {
		t.Fatalf("cells %x", got)
	}
	if holds != 0 {
		t.Errorf("held by %x", uint32(holds))
	}
	p.Cell = 0xA9B60100
	if got, holds = r.list(p, 0.5); holds != 0 || len(got) != 1 {
		t.Errorf("from a room that is not there: %x held by %x", got, uint32(holds))
	}
}

// The room behind a portal is found though the visibility list does not name it.
func TestW34_NeighboursAreLookedUpInTheWorld(t *testing.T) {
	r := edit(t, nil, map[uint32]func(*dat.EnvCell){
		uint32(front): func(e *dat.EnvCell) { e.Visible = nil },
		uint32(back):  func(e *dat.EnvCell) { e.Visible = nil },
	})
	p := space.Position{Cell: back, Frame: space.Identity}
	p.Frame.Origin = space.Vec3{60, 36.2, 101}
	if got, _ := r.list(p, 0.5); !slices.Equal(got, []space.CellID{back, front, cellAt(2, 1)}[:2]) {
		t.Errorf("%x", got)
	}
}

// AdjustPosition indoors: its own cell, those it sees, and outdoors if it is seen from there (10 §7.2).
func TestW17_AdjustPositionIndoors(t *testing.T) {
	inFront, inBack, outside, above := space.Vec3{60, 33, 101}, space.Vec3{60, 39, 101}, space.Vec3{50, 33, 101}, space.Vec3{60, 33, 110}
	for _, c := range []struct {
		what    string
		visible []uint16
		seen    bool
		start   space.CellID
		at      space.Vec3
		search  bool
		want    space.CellID
	}{
		{"its own", []uint16{0x101}, true, front, inFront, true, front},
		{"one it sees", []uint16{0x101}, true, front, inBack, true, back},
		{"one it does not see", nil, false, front, inBack, true, 0},
		{"one it does not see, seen from outside", nil, true, front, inBack, true, cellAt(2, 1)},
		{"behind a portal", nil, false, front, inBack, false, back},
		{"outside", []uint16{0x101}, true, front, outside, true, cellAt(2, 1)},
		{"outside, not seen from there", []uint16{0x101}, false, front, outside, true, 0},
		{"above the roof", []uint16{0x101}, true, front, above, true, cellAt(2, 1)},
		{"a room that is not there", nil, true, 0xA9B40150, inFront, true, 0},
		{"no cell", nil, true, 0xA9B40000, inFront, true, 0},
	} {
		r := edit(t, nil, map[uint32]func(*dat.EnvCell){uint32(front): func(e *dat.EnvCell) {
			e.Visible = c.visible
			if e.Flags &^= dat.SeenOutside; c.seen {
				e.Flags |= dat.SeenOutside
			}
		}})
		p := space.Position{Cell: c.start, Frame: space.Frame{Origin: c.at, Rotation: space.IdentityQuat}}
		was := p
		ok := r.Adjust(&p, space.Vec3{}, c.search)
		if ok != (c.want != 0) || ok && p.Cell != c.want || !ok && p != was {
			t.Errorf("%s: %v, %x, want %x", c.what, ok, uint32(p.Cell), uint32(c.want))
		}
	}
	// outdoors the cell need not be there
	r := onLand(t)
	p := space.Position{Cell: 0xA9B60001, Frame: space.Identity}
	if p.Frame.Origin[0] = 30; !r.Adjust(&p, space.Vec3{}, true) || p.Cell != 0xA9B60009 {
		t.Errorf("outdoors: %x", uint32(p.Cell))
	}
}

// 14 §9 Containment tests, on the front room: x 56.2..63.8, y 30..36, z 100..103.5.
func TestSpec14_9_Containment(t *testing.T) {
	r := onLand(t)
	c := r.Land.cell(front)
	f := finder{world: r.World, from: front}
	for _, k := range []struct {
		v       space.Vec3
		point   bool
		touches bool // by a sphere of .5
	}{
		{space.Vec3{60, 33, 101}, true, true},
		{space.Vec3{60, 29.9999, 101}, true, true},
		{space.Vec3{60, 29.99, 101}, false, true},
		{space.Vec3{60, 29.495, 101}, false, true},
		{space.Vec3{60, 29.485, 101}, false, false},
		{space.Vec3{56.1, 33, 101}, false, true},
		{space.Vec3{55.6, 33, 101}, false, false},
		{space.Vec3{60, 33, 104.1}, false, false},
	} {
		v := f.into(&c, k.v)
		if got := holds(r.Shapes, &c, v); got != k.point {
			t.Errorf("%v inside: %v", k.v, got)
		}
		if got := touches(r.Shapes, &c, v, 0.5); got != k.touches {
			t.Errorf("%v touches: %v", k.v, got)
		}
	}
	// a structure without portals contains nothing
	shapes := *r.Shapes
	shapes.Hulls = slices.Clone(shapes.Hulls)
	shapes.Hulls[c.indoor().Hull].PortalCount = 0
	if v := f.into(&c, space.Vec3{60, 33, 101}); holds(&shapes, &c, v) || touches(&shapes, &c, v, 0.5) {
		t.Error("a structure without portals contains something")
	}
}

// 14 §9 Registration of bodies.
func TestSpec14_9_Registration(t *testing.T) {
	sorting := dat.Sphere{Radius: 3}
	wide := &dat.Setup{ID: 0x02000100, Spheres: []dat.Sphere{{Radius: 0.5}}, Sorting: sorting}
	bare := &dat.Setup{ID: 0x02000101}
	posts := &dat.Setup{ID: 0x02000102, Sorting: sorting}
	for i := range 12 {
		posts.Cylinders = append(posts.Cylinders, dat.Cylinder{Low: space.Vec3{0, float32(24 * i), 0}, Radius: 0.1, Height: 1})
	}
	long := boxModel(0x01000100, space.Vec3{-30, -1, 0}, space.Vec3{1, 1, 1})
	r := onFlat(t, dat.Records{Setups: []*dat.Setup{wide, bare, posts, model(0x02000103, 0x01000100)}, GfxObjs: []*dat.GfxObj{long}})
	// the example: swept, it lies in the east cell alone, by its sorting sphere in both
	p := spot(97.5, 108, 0)
	o := r.obstacle(2, 0x02000100, p)
	if got := r.s.Filled(&o, nil); !slices.Equal(got, []space.CellID{cellAt(4, 4), cellAt(3, 4)}) {
		t.Errorf("by its sorting sphere: %x", got)
	}
	r.body.Spheres[0] = dat.Sphere{Radius: 0.5}
	m := r.float(97.5, 107, 5)
	m.step(0, 0.5, 0)
	if got := r.s.Cells(nil); !slices.Equal(got, []space.CellID{cellAt(4, 4)}) {
		t.Errorf("after its sweep: %x", got)
	}
	o.Scale = 0.1 // whatever the scale
	if got := r.s.Filled(&o, nil); len(got) != 2 {
		t.Errorf("scaled: %x", got)
	}
	o = r.obstacle(2, 0x02000102, spot(100, 5, 0))
	if got := r.s.Filled(&o, nil); len(got) != 10 || got[9] != cellAt(4, 9) {
		t.Errorf("by the first ten of its posts: %x", got)
	}
	o = r.obstacle(2, 0x02000103, spot(100, 108, 0))
	if got := r.s.Filled(&o, nil); !slices.Equal(got, []space.CellID{cellAt(4, 4), cellAt(2, 4), cellAt(3, 4)}) {
		t.Errorf("by the boxes of its parts: %x", got)
	}
	o = r.obstacle(2, 0, spot(96.05, 108, 0)) // the dummy sphere, .1
	if got := r.s.Filled(&o, nil); len(got) != 2 {
		t.Errorf("without a setup: %x", got)
	}
	// of the land: one with spheres only goes by its boxes, of which it has none
	o = r.obstacle(0, 0x02000100, p)
	f := finder{world: r.World}
	if f.register(&o, true); len(f.list) != 1 {
		t.Errorf("an object of the land with spheres: %d cells", len(f.list))
	}
}

// The wall at (190, 132) of the fixture reaches into the block in the east, and stands in its cells.
func TestW23_StaticsReachIntoNeighbours(t *testing.T) {
	r := onLand(t)
	m := r.stand(193.5, 130, 100)
	if m.p.Cell>>16 != 0xAAB4 {
		t.Fatal("not in the east")
	}
	m.steps(30, 0, 0.15, 0)
	if m.y() > 131.3 {
		t.Errorf("through the wall, to %v", m.where())
	}
	c := r.Land.cell(m.p.Cell)
	r.Land.furnish(c.block)
	if got := c.block.standing(&c); len(got) != 1 {
		t.Errorf("%d objects stand in cell %x", len(got), uint32(c.id))
	}
}

// Lists: who comes is the last, and the last takes the place of who goes.
func TestW16_OrderOfACellsObjects(t *testing.T) {
	c := &Crowd{}
	c.Resize(6)
	const cell, other = home, space.CellID(0xA9B40100)
	want := func(step string, rows ...int32) {
		t.Helper()
		var got []int32
		for _, e := range c.in(cell) {
			got = append(got, e.row)
		}
		if !slices.Equal(got, rows) {
			t.Errorf("%s: %v, want %v", step, got, rows)
		}
	}
	for i := range 4 {
		c.Register(i, []space.CellID{cell})
	}
	want("four come", 0, 1, 2, 3)
	c.Register(1, nil)
	want("the second goes", 0, 3, 2)
	c.Register(1, []space.CellID{other, cell})
	want("and comes again", 0, 3, 2, 1)
	c.Register(0, []space.CellID{cell})
	want("the first is registered anew", 1, 3, 2, 0)
	c.Renumber(3, 5)
	want("a row gets another number", 1, 5, 2, 0)
	if got := c.CellsOf(5); !slices.Equal(got, []space.CellID{cell}) || len(c.CellsOf(3)) != 0 {
		t.Errorf("cells of the new number: %x, of the old %x", got, c.CellsOf(3))
	}
	if c.Rank(1, cell) != 0 || c.Rank(0, cell) != 3 || c.Rank(4, cell) != -1 {
		t.Error("ranks")
	}
}

// Who is in a cell's list first answers first.
func TestW16_TheFirstInTheListAnswers(t *testing.T) {
	r := onFlat(t, setups(ballSetup(0x02000100, 0.5, 0.5)))
	r.body.State = components.Missile
	for guid := uint32(2); guid < 5; guid++ {
		r.add(r.obstacle(guid, 0x02000100, spot(100, 102, 0)))
	}
	met := func() string {
		r.float(100, 100, 0.3).step(0, 3, 0)
		return fmt.Sprint(r.s.Collisions)
	}
	if got := met(); got != "[2]" {
		t.Errorf("met %s", got)
	}
	r.Crowd.Register(0, r.s.Filled(&r.Crowd.Obstacles[0], nil)) // anew: 4 3 2
	if got := met(); got != "[4]" {
		t.Errorf("met %s", got)
	}
}
