package systems

import (
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// spinner are tables with two setups that have a default animation of ten frames: 0x02000001
// with a path sphere, 0x02000002 without.
func spinner(t testing.TB) *dat.Tables {
	t.Helper()
	a := &dat.Animation{ID: 0x03000001, Parts: 1}
	for range 10 {
		a.Frames = append(a.Frames, dat.AnimFrame{Parts: []space.Frame{space.Identity}})
	}
	setup := func(id uint32) *dat.Setup {
		return &dat.Setup{ID: id, Parts: []uint32{0x01000001}, DefaultAnimation: a.ID}
	}
	round := setup(0x02000001)
	round.Spheres = []dat.Sphere{{Radius: 1}}
	tables, err := dat.Compile(dat.Records{Anims: []*dat.Animation{a}, Setups: []*dat.Setup{round, setup(0x02000002)}})
	if err != nil {
		t.Fatal(err)
	}
	return tables
}

// 11 §6: "else if no movement manager and ON_WALKABLE: clear ACTIVE", whatever it plays, so that its default
// animation (R2.18) stands after one step; with a player it is active again before the next (11 §4.2). In
// the air, or FROZEN, it does what any body does.
func TestSpec11_6_WhoPlaysTheDefaultAnimationIsNotActiveEither(t *testing.T) {
	viewer := spot(108, 108, 0)
	for name, c := range map[string]struct {
		at     *space.Position
		air    bool
		frozen bool
		frames float64 // after twelve ticks, of ten
	}{
		"on the ground": {frames: 1}, "seen": {at: &viewer, frames: 2}, "in the air": {air: true, frames: 2},
		"frozen": {frozen: true}, "frozen in the air": {frozen: true, air: true},
	} {
		for _, setup := range []uint32{0x02000001, 0x02000002} {
			for _, always := range []bool{false, true} {
				e, err := New(Options{Tables: spinner(t), Viewer: c.at, AlwaysUpdate: always})
				if err != nil {
					t.Fatal(err)
				}
				s := NewSpawn(me, spot(108, 108, 0))
				s.Setup = setup
				if c.air {
					s.Contact, s.OnWalkable, s.State = false, false, s.State&^components.Gravity
				}
				if c.frozen {
					s.State |= components.Frozen
				}
				if err := e.Spawn(s); err != nil {
					t.Fatal(err)
				}
				for range 12 {
					e.Tick()
					if err := e.Check(); err != nil {
						t.Fatal(err)
					}
					wantView(t, e)
				}
				if got := e.View().Frame(0); got < c.frames-1e-3 || got > c.frames+1e-3 {
					t.Errorf("%s, setup %08X, always %v: frame %v, not %v", name, setup, always, got, c.frames)
				}
			}
		}
	}
}
