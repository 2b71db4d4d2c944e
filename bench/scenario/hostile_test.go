package scenario

import (
	"io"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/systems/motion"
	"pgregory.net/rapid"
)

// TestHostileScenarios: whatever a scenario may ask, with numbers up to the
// largest there are, the engine stays sound, nothing that is no number enters
// it, and the answer does not depend on how it was come by.
func TestHostileScenarios(t *testing.T) {
	root := filepath.Join(testdata, "scenarios")
	var bases []*Scenario // one of each set of tables
	for _, name := range []string{"run-stop", "creature-styles", "tiny-walk"} {
		bases = append(bases, load(t, root, name))
	}
	rapid.Check(t, func(t *rapid.T) {
		base := rapid.SampledFrom(bases).Draw(t, "base")
		s := *base
		s.Ticks = 40
		s.TickHz = rapid.SampledFrom([]float64{0.5, 1, 16, 30, 1000}).Draw(t, "hz")
		s.Entities = slices.Clone(base.Entities[:1])
		e := &s.Entities[0]
		e.Scale = rapid.SampledFrom([]float32{1e-30, 0.5, 1, 1000}).Draw(t, "scale")
		e.RunRate = nasty(t)
		e.Contact, e.OnWalkable = rapid.Bool().Draw(t, "contact"), rapid.Bool().Draw(t, "walkable")
		if rapid.Bool().Draw(t, "no gravity") {
			e.State &^= components.Gravity
		}
		if rapid.Bool().Draw(t, "no creature") {
			e.Game &^= components.Creature
		}
		s.Events = nil
		for i, n := 0, rapid.IntRange(0, 12).Draw(t, "events"); i < n; i++ {
			c := command(t)
			c.Guid = e.Guid
			s.Events = append(s.Events, Event{Index: i, Tick: rapid.IntRange(1, 20).Draw(t, "tick"), Command: c})
		}
		slices.SortStableFunc(s.Events, func(a, b Event) int { return a.Tick - b.Tick })

		tb, err := s.LoadTables()
		if err != nil {
			t.Fatal(err)
		}
		var hashes [2][]uint64
		for k := range hashes {
			o := Options{AlwaysUpdate: k == 1, AfterTick: func(e *systems.Engine) error {
				hashes[k] = append(hashes[k], e.Hash())
				return e.Check()
			}}
			if err := Run(&s, tb, o, io.Discard); err != nil {
				t.Fatal(err)
			}
		}
		for i := range hashes[0] {
			if hashes[0][i] != hashes[1][i] {
				t.Fatalf("skipping remotes at rest changes the state of tick %d", i+1)
			}
		}
	})
}

func nasty(t *rapid.T) float32 {
	return rapid.SampledFrom([]float32{
		0, 1, -1, 2.5, -0.65, 1e-3, 1e-30, 1e-45, 100, -1e4, 1e10, -1e20, 3.4e38, -3.4e38,
	}).Draw(t, "number")
}

// command returns any command of the format.
func command(t *rapid.T) systems.Command {
	c := systems.Command{Do: systems.Do(rapid.IntRange(int(systems.DoInterpreted), int(systems.DoUnstick)).Draw(t, "do")), Params: motion.DefaultParams()}
	switch c.Do {
	case systems.DoInterpreted:
		c.State = motion.State{
			Style: id(t), Forward: id(t), Sidestep: id(t), Turn: id(t),
			ForwardSpeed: nasty(t), SidestepSpeed: nasty(t), TurnSpeed: nasty(t),
		}
		for range rapid.IntRange(0, 3).Draw(t, "actions") {
			c.Actions = append(c.Actions, components.Action{
				Motion: id(t), Speed: nasty(t), Stamp: rapid.Uint16().Draw(t, "stamp"), Autonomous: rapid.Bool().Draw(t, "autonomous"),
			})
		}
	case systems.DoRaw:
		c.Raw = motion.RawState{HoldKey: hold(t), Style: id(t), Forward: axis(t), Sidestep: axis(t), Turn: axis(t)}
	case systems.DoMotion, systems.DoStopMotion:
		c.Motion, c.Speed, c.Hold = id(t), nasty(t), hold(t)
	case systems.DoPosition, systems.DoConstrain:
		c.Place = place(t)
		c.Contact, c.Teleport = rapid.Bool().Draw(t, "contact"), rapid.Bool().Draw(t, "teleport")
		c.Start, c.Max = far(t, 1e30), far(t, 1e30) // a slack that overflows is refused
	case systems.DoGround:
		c.Contact, c.OnWalkable = rapid.Bool().Draw(t, "contact"), rapid.Bool().Draw(t, "walkable")
	case systems.DoMoveToObject, systems.DoMoveToPosition, systems.DoTurnToObject, systems.DoTurnToHeading, systems.DoStick:
		c.Target, c.Place = 0x50000001, place(t)
		p := &c.Params
		p.Flags = components.ParamFlags(rapid.Uint32Range(0, 1<<18-1).Draw(t, "flags"))
		p.DistanceToObject, p.MinDistance, p.FailDistance = nasty(t), nasty(t), nasty(t)
		p.Speed, p.WalkRunThreshold, p.DesiredHeading = nasty(t), nasty(t), nasty(t)
		c.RunRate, c.HasRunRate, c.Radius = nasty(t), rapid.Bool().Draw(t, "run rate"), nasty(t)
	case systems.DoVelocity:
		c.Velocity = space.Vec3{nasty(t), nasty(t), nasty(t)}
	}
	return c
}

func id(t *rapid.T) uint32 {
	return rapid.SampledFrom([]uint32{
		motion.Ready, 0, motion.WalkForward, motion.WalkBackwards, motion.RunForward, motion.TurnRight, motion.TurnLeft,
		motion.SideStepRight, motion.SideStepLeft, motion.Dead, motion.Falling, motion.Crouch, motion.NonCombat,
		motion.HandCombat, motion.SwordCombat, 0x10000062, 0x13000087, 0x2500003B, 0xFFFFFFFF, 0x12345678,
	}).Draw(t, "id")
}

func place(t *rapid.T) (p space.Position) {
	p.Cell = rapid.SampledFrom([]space.CellID{
		0xA9B4001D, 0xA9B40001, 0x00000001, 0xFEFE0040, 0xFFFF0001, 0xA9B40100, 0xA9B4FFFF,
	}).Draw(t, "cell")
	p.Frame.Origin = space.Vec3{far(t, 1e4), far(t, 1e4), far(t, 1e5)} // what is further is refused (20 §7)
	p.Frame.Rotation = rapid.SampledFrom([]space.Quat{
		{W: 1}, {W: -1}, {V: space.Vec3{0, 0, 1}}, {V: space.Vec3{1, 0, 0}}, {W: 0.6, V: space.Vec3{0, 0.8, 0}},
	}).Draw(t, "rotation")
	return p
}

func hold(t *rapid.T) components.HoldKey {
	return components.HoldKey(rapid.IntRange(0, 2).Draw(t, "hold"))
}

func axis(t *rapid.T) components.Axis {
	return components.Axis{Motion: id(t), Hold: hold(t), Speed: nasty(t)}
}

// far is a coordinate, up to a limit.
func far(t *rapid.T, limit float32) float32 { return min(max(nasty(t), -limit), limit) }

// TestLostAtRest: a body that leaves the world is in no cell and is updated no
// more (11 §8.1), its animation included, whether or not it would be at rest.
func TestLostAtRest(t *testing.T) {
	s := load(t, filepath.Join(testdata, "scenarios"), "run-stop")
	beyond := s.Entities[0].Place
	s.Entities[0].Place.Cell, beyond.Cell = 0xFEB4001D, 0xFEB4001D // in the last landblock eastwards
	beyond.Frame.Origin[0] = 200                                   // m: past it
	e := &s.Entities[0]                                            // floats still, so nothing but the animation keeps it from rest
	e.Contact, e.OnWalkable, e.State = false, false, e.State&^components.Gravity
	for _, teleport := range []bool{false, true} { // by a blip in the update, and by the event itself
		s.Events = []Event{{Tick: 1, Do: "position", Command: systems.Command{
			Guid: e.Guid, Do: systems.DoPosition, Place: beyond, Contact: true, Teleport: teleport,
		}}}
		sameHashes(t, s)
	}
}
