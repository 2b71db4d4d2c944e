package collision

import (
	"slices"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// In and out of the house of the fixture: door at (60, 30), floor .1 above the ground.
func TestL4_IntoTheHouseAndOut(t *testing.T) {
	r := onLand(t)
	m := r.stand(60, 27, 100)
	var cells []space.CellID
	walk := func(n int, dy float32) {
		for range n {
			z := m.z()
			m.step(0, dy, 0)
			if !m.walks() || m.z() < 100 || space.Abs(m.z()-z) > 0.11 {
				t.Fatalf("at %v in %x, from height %v, stands %v", m.where(), uint32(m.p.Cell), z, m.walks())
			}
			if n := len(cells); n == 0 || cells[n-1] != m.p.Cell {
				cells = append(cells, m.p.Cell)
			}
		}
	}
	walk(130, 0.1)
	if m.y() < 39 {
		t.Fatalf("only to %v", m.where())
	}
	walk(130, -0.1)
	want := []space.CellID{cellAt(2, 1), front, back, front, cellAt(2, 1)}
	if !slices.Equal(cells, want) {
		t.Errorf("through %x, want %x", cells, want)
	}
	if m.y() > 28 {
		t.Errorf("out to %v", m.where())
	}
}

// In the doorway it is in both cells, and runs into what stands in either.
func TestL4_InTheDoorway(t *testing.T) {
	for _, c := range []struct{ y, dy float32 }{{31.3, 0.1}, {28.7, -0.1}} {
		r := onLand(t)
		r.stand(60, 30, 100.2)
		if got := r.s.Cells(nil); !slices.Contains(got, front) || !slices.Contains(got, cellAt(2, 1)) {
			t.Fatalf("cells %x", got)
		}
		free := r.stand(60, 30, 100.2)
		free.steps(30, 0, c.dy, 0)
		p := spot(60, c.y, 100.1)
		if c.dy > 0 {
			p.Cell = front
		}
		r.add(r.obstacle(2, humanID, p))
		m := r.stand(60, 30, 100.2)
		m.steps(30, 0, c.dy, 0)
		if a, b := space.Abs(m.y()-30), space.Abs(free.y()-30); a > 0.6 || b < 2 {
			t.Errorf("towards %v: %v with, %v without somebody in the way", c.y, a, b)
		}
	}
}

// A room's wall blocks, and sliding along it keeps the ground.
func TestL4_RoomWalls(t *testing.T) {
	r := onLand(t)
	p := space.Position{Cell: front, Frame: space.Frame{Origin: space.Vec3{58, 33, 100.2}, Rotation: space.IdentityQuat}}
	m := r.standAt(p)
	for range 40 {
		m.step(-0.1, 0.05, 0)
		if !m.walks() || m.p.Cell != front || m.x() < 56.2+0.47 {
			t.Fatalf("at %v in %x", m.where(), uint32(m.p.Cell))
		}
	}
	if m.y() < 34.5 || m.x() > 56.8 {
		t.Errorf("ends at %v", m.where())
	}
	// the pillar of the back room, of the land and indoors: (62, 39)
	p.Cell, p.Frame.Origin = back, space.Vec3{62, 37.2, 100.2}
	m = r.standAt(p)
	m.steps(30, 0, 0.1, 0)
	if m.y() > 39-0.6-0.47 {
		t.Errorf("into the pillar, to %v", m.where())
	}
}

// The outer wall of the house, from outside.
func TestL4_OuterWall(t *testing.T) {
	r := onLand(t)
	m := r.stand(57.5, 28, 100)
	m.steps(60, 0.05, 0.1, 0)
	if m.y() > 30-0.47 && m.x() < 58.9 || m.p.Cell == front && m.x() < 59 {
		t.Errorf("in the wall at %v", m.where())
	}
	if !m.walks() {
		t.Error("it lost the ground")
	}
}

// Without a door to the outside nothing leads out: a walk along all walls of the
// house with its doors shut stays in it.
func TestL4_NoOutdoorIDInADungeon(t *testing.T) {
	shut := func(e *dat.EnvCell) {
		e.Flags &^= dat.SeenOutside
		e.Portals = slices.DeleteFunc(e.Portals, func(p dat.CellPortalRecord) bool { return p.OtherCell == 0xFFFF })
	}
	r := edit(t, func(l *dat.LandBlockInfo) { l.Buildings = nil },
		map[uint32]func(*dat.EnvCell){uint32(front): shut, uint32(back): shut})
	m := r.standAt(space.Position{Cell: back, Frame: space.Frame{Origin: space.Vec3{58, 38, 100.2}, Rotation: space.IdentityQuat}})
	for i, way := range []space.Vec3{{-0.1, 0, 0}, {0, 0.1, 0}, {0.1, 0.02, 0}, {0, -0.1, 0}, {-0.1, -0.03, 0}, {0.03, -0.1, 0}, {0.1, -0.1, 0}} {
		m.steps(80, way[0], way[1], 0)
		if !m.p.Cell.Indoors() {
			t.Fatalf("way %d: outdoors at %v", i, m.where())
		}
		for _, id := range r.s.Cells(nil) {
			if !id.Indoors() {
				t.Fatalf("way %d: cell %x at %v", i, uint32(id), m.where())
			}
		}
	}
}

// 14 L4 Entry restriction: of a room, and of a land cell.
func TestL4_HouseBarrier(t *testing.T) {
	const house = 0x70000001
	for _, c := range []struct {
		what   string
		traits components.TraitFlags
		passes uint32
		known  bool
		enters bool
	}{
		{"a stranger", player, 0, true, false}, {"a guest", player, house, true, true}, {"a guest elsewhere", player, house + 1, true, false},
		{"a monster", creature, 0, true, true}, {"a stranger, the house unknown", player, 0, false, false},
		{"a player without game object", components.Player, 0, true, true},
	} {
		for _, land := range []bool{false, true} {
			var r *rig
			if land {
				r = edit(t, func(l *dat.LandBlockInfo) {
					l.PackMask, l.Buckets = 1, 1
					l.Restrictions = []dat.Restriction{{Key: uint32(cellAt(2, 1)), Object: house}}
				}, nil)
			} else {
				r = edit(t, nil, map[uint32]func(*dat.EnvCell){uint32(front): func(e *dat.EnvCell) { e.Flags, e.Restriction = e.Flags|8, house }})
			}
			r.Crowd.Known = func(guid uint32) bool { return c.known && guid == house }
			m := r.stand(60, 22, 100)
			if !land {
				m = r.stand(60, 27, 100)
			}
			r.body.Traits, r.body.Passes = c.traits, c.passes
			border := float32(30)
			if land {
				border = 24
			}
			m.steps(90, 0, 0.1, 0)
			if enters := m.y() > border+1; enters != c.enters {
				t.Errorf("%s, on land %v: at %v", c.what, land, m.where())
			}
		}
	}
}

// 14 L4: the push-back of a land cell lies along one axis.
func TestL4_BarrierNormal(t *testing.T) {
	r := onFlat(t, dat.Records{})
	for _, c := range []struct {
		x, y float32
		want space.Vec3
	}{
		{2, 11, space.Vec3{-1, 0, 0}}, {22, 11, space.Vec3{1, 0, 0}}, {13, 23, space.Vec3{0, 1, 0}}, {11, -0.2, space.Vec3{0, -1, 0}},
	} {
		p := spot(96+c.x, 96+c.y, 0)
		s := r.at(p, p, true)
		if got := s.fromCentre(r.Land.cell(cellAt(4, 4))); got != c.want {
			t.Errorf("(%v,%v): %v, want %v", c.x, c.y, got, c.want)
		}
	}
}

// 14 L4: a body that comes to where no land is on record has no cell any more.
func TestL4_OffTheLand(t *testing.T) {
	r := onLand(t)
	m := r.stand(50, 2*192-2, 60)
	for range 60 {
		if m.step(0, 0.1, 0); !m.s.Present() {
			break
		}
	}
	if m.s.Present() || m.p.Cell>>16 != 0xA9B6 {
		t.Errorf("at %v in %x, present %v", m.where(), uint32(m.p.Cell), m.s.Present())
	}
	if m.step(0, 0.1, 0); !m.failed {
		t.Error("and it sweeps on")
	}
}
