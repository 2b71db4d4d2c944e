package collision

import (
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/testdata/fixtures"
)

// fixtureLand is the land of the fixtures, with nobody on it.
func fixtureLand(t testing.TB) *World {
	t.Helper()
	humanoid, err := dat.OpenFolder(fixtures.FS, "humanoid")
	if err != nil {
		t.Fatal(err)
	}
	land, err := dat.OpenFolder(fixtures.FS, "land")
	if err != nil {
		t.Fatal(err)
	}
	tables, err := dat.LoadLand(humanoid, land)
	if err != nil {
		t.Fatal(err)
	}
	w := &World{Tables: tables, Shapes: &tables.Shapes, Land: NewLand(tables, land), Crowd: &Crowd{}}
	if err := w.Land.LoadAll(); err != nil {
		t.Fatal(err)
	}
	return w
}

// humanoid is the body that most remotes have.
func humanoid(t testing.TB, w *World, o *Obstacle) *Body {
	t.Helper()
	setup, ok := w.Tables.Setup(0x02000001)
	if !ok {
		t.Fatal("no humanoid")
	}
	*o = Obstacle{Guid: 1, Scale: 1, State: components.DefaultState, Traits: components.Creature | components.HasGame, Setup: setup, Parts: dat.None}
	b := &Body{}
	w.Body(o, b)
	return b
}

// BenchmarkMove is one step of a walker, from wherever the last ended; it turns
// back when it has gone far.
func BenchmarkMove(b *testing.B) {
	for _, c := range []struct {
		name string
		cell space.CellID
		at   space.Vec3
		step space.Vec3
	}{
		{"inside a cell", 0xA9B40025, space.Vec3{108, 108, 100.005}, space.Vec3{0.1, 0.02, 0}},
		{"along a border", 0xA9B40025, space.Vec3{96.2, 108, 100.005}, space.Vec3{0.001, 0.1, 0}},
		{"uphill", 0xAAB40001, space.Vec3{60, 36, 106.005}, space.Vec3{0.1, 0.01, 0}},
		{"at a wall", 0xA9B40022, space.Vec3{110, 35.2, 100.005}, space.Vec3{0.03, 0.1, 0}},
	} {
		b.Run(c.name, func(b *testing.B) {
			w := fixtureLand(b)
			var o Obstacle
			body := humanoid(b, w, &o)
			s := &Sweep{World: w}
			at := space.Position{Cell: c.cell, Frame: space.Frame{Origin: c.at, Rotation: space.IdentityQuat}}
			at.Normalize()
			if !s.Place(body, &at, true) {
				b.Fatal("no room")
			}
			start := *s.Position()
			here, ground, step := start, s.Contact, c.step
			n := 0
			b.ReportAllocs()
			for b.Loop() {
				to := here
				to.Frame.Origin = space.Add(to.Frame.Origin, step)
				if s.Move(body, &here, &to, &Standing{Ground: ground, OnWalkable: true}) {
					here, ground = *s.Position(), s.Contact
				}
				if n++; n%32 == 0 {
					here, ground = start, s.Contact
				}
			}
		})
	}
}
