package position

import (
	"math"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

func TestW_29_NoCreeping(t *testing.T) {
	w := newWorld(t)
	w.Pose.Position = atXY(3, 4)
	w.root = space.Frame{Origin: space.Vec3{.0001, 0, 0}, Rotation: space.SetHeading(space.IdentityQuat, 1)}
	for range 1000 {
		w.update()
		if w.Pose.Frame.Origin != (space.Vec3{3, 4, 0}) || w.Body.Achieved != (space.Vec3{}) {
			t.Fatalf("tick %d: %v, achieved %v", w.tick, w.Pose.Frame.Origin, w.Body.Achieved)
		}
	}
	if h := w.heading(); math.Abs(float64(h)-1000+720) > .01 { // the rotation is taken
		t.Errorf("heading %v", h)
	}
	w.root.Origin[0] = .0003
	w.update()
	if w.Pose.Frame.Origin == (space.Vec3{3, 4, 0}) {
		t.Error("more than EPS moves")
	}
}

func TestSpec11_5_6_Achieved(t *testing.T) {
	w := newWorld(t)
	w.root.Origin = space.Vec3{0, .2, 0}
	w.update()
	if !nearVec(w.Body.Achieved, space.Vec3{0, 6, 0}) || w.Body.Velocity != (space.Vec3{}) {
		t.Errorf("achieved %v, velocity %v", w.Body.Achieved, w.Body.Velocity)
	}
	w.immovable = true
	w.root.Rotation = space.SetHeading(space.IdentityQuat, 30)
	x := w.x()
	w.update()
	if w.Body.Achieved != (space.Vec3{}) || w.x() != x || !near(w.heading(), 30) {
		t.Errorf("refused: achieved %v, x %v, heading %v", w.Body.Achieved, w.x(), w.heading())
	}
}

func TestSpec11_5_6_MoveHeading(t *testing.T) {
	commit := func(state components.StateBits, v, move space.Vec3) (heading, z float32) {
		pose, b := components.Pose{Position: atXY(5, 5)}, NewBody()
		b.State |= state
		b.Velocity = v
		Commit(&pose, &b, &space.Frame{Origin: space.Add(pose.Frame.Origin, move), Rotation: space.IdentityQuat}, .1)
		return space.Heading(pose.Frame.Rotation), space.Forward(pose.Frame.Rotation)[2]
	}
	for _, c := range []struct {
		name       string
		state      components.StateBits
		v, move    space.Vec3
		heading, z float32
	}{
		{"plain", 0, space.Vec3{1, 0, 0}, space.Vec3{0, -1, 0}, 0, 0},
		{"alignpath", components.AlignPath, space.Vec3{}, space.Vec3{3, 0, 4}, 90, .8},
		{"both", components.AlignPath | components.Sledding, space.Vec3{0, -1, 0}, space.Vec3{3, 0, 4}, 90, .8},
		{"sledding", components.Sledding, space.Vec3{0, -1, -1}, space.Vec3{3, 0, 4}, 180, 0},
		{"sledding, still", components.Sledding, space.Vec3{}, space.Vec3{3, 0, 4}, 0, 0},
	} {
		if h, z := commit(c.state, c.v, c.move); !near(h, c.heading) || !near(z, c.z) {
			t.Errorf("%s: heading %v, z %v", c.name, h, z)
		}
	}
}

func TestF31_BordersInAllDirections(t *testing.T) {
	for dx := -1; dx <= 1; dx++ {
		for dy := -1; dy <= 1; dy++ {
			if dx == 0 && dy == 0 {
				continue
			}
			w := newWorld(t)
			start := space.Position{Cell: outdoors, Frame: space.Frame{Origin: space.Vec3{96 + 95*float32(dx), 96 + 95*float32(dy), 0}, Rotation: space.IdentityQuat}}
			start.Normalize()
			w.Pose.Position = start
			target := start
			target.Frame.Origin[0] += 3 * float32(dx)
			target.Frame.Origin[1] += 3 * float32(dy)
			goal := target
			goal.Normalize()
			if goal.Cell.SameBlock(start.Cell) {
				t.Fatal("the example crosses no border")
			}
			w.event(target) // with coordinates beyond the block, negative ones too
			was := w.Pose.Position
			for w.Chase.Queue.Len > 0 && w.tick < 100 {
				w.update()
				if d := space.Distance(&was, &w.Pose.Position); d > .26667+1e-4 {
					t.Fatalf("(%d,%d): a step of %v m", dx, dy, d)
				}
				if a := space.Length(w.Body.Achieved); a > 8.01 {
					t.Fatalf("(%d,%d): achieved %v", dx, dy, a)
				}
				was = w.Pose.Position
			}
			if d := space.Distance(&goal, &w.Pose.Position); d > .001 || w.Pose.Cell != goal.Cell {
				t.Errorf("(%d,%d): at %v, want %v", dx, dy, w.Pose.Position, goal)
			}
		}
	}
}

func TestSpec11_8_LostCell(t *testing.T) {
	w := newWorld(t)
	w.Pose.Position = space.Position{Cell: 0x00010001, Frame: space.Frame{Origin: space.Vec3{.1, 5, 0}, Rotation: space.IdentityQuat}}
	w.root.Origin = space.Vec3{-.2, 0, 0}
	w.update()
	if w.Pose.Cell != 0 || w.Body.Transient&components.Active != 0 {
		t.Fatalf("cell %#x, bits %#x", w.Pose.Cell, w.Body.Transient)
	}
	stood := *w.Pose
	w.run(10)
	if *w.Pose != stood {
		t.Error("moves in the lost cell")
	}
	// any position event brings it back, with a teleport
	w.root = space.Identity
	r := w.PositionEvent(at(7), false, false)
	if r.Outcome != Teleported || w.Pose.Position != at(7) || w.Body.Transient&components.Active == 0 {
		t.Errorf("%+v, bits %#x", r, w.Body.Transient)
	}
}

// A step that is no number is refused like one into a wall.
func TestSpec11_5_6_NotFinite(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, v := range []space.Vec3{{inf, 0, 0}, {0, nan, 0}, {0, 0, -inf}, {math.MaxFloat32, 0, 0}} {
		pose, b := components.Pose{Position: at(3)}, NewBody()
		Commit(&pose, &b, &space.Frame{Origin: v, Rotation: space.IdentityQuat}, .1)
		if pose.Position != at(3) || b.Achieved != (space.Vec3{}) {
			t.Errorf("%v: %v, achieved %v", v, pose.Position, b.Achieved)
		}
	}
}

func TestSpec11_9_AcceptPlace(t *testing.T) {
	for _, c := range []struct {
		name        string
		from, to    space.CellID
		active      bool
		cell        space.CellID
		activeAfter bool
		static      bool
	}{
		{name: "enters the world", to: outdoors, cell: outdoors, activeAfter: true},
		{name: "enters the world, static", to: outdoors, cell: outdoors, static: true},
		{name: "asleep, stays so", from: outdoors, to: 0xA9B40100, cell: 0xA9B40100},
		{name: "to no place", from: outdoors, to: 0xA9B40041, active: true},
		{name: "out of the world", from: outdoors, to: 0xFFFF0001, active: true},
	} {
		pose, b := components.Pose{}, NewBody()
		pose.Cell = c.from
		SetActive(&b, c.active)
		if c.static {
			b.State |= components.Static
		}
		p := space.Position{Cell: c.to, Frame: space.Frame{Origin: space.Vec3{1, 2, 3}, Rotation: space.IdentityQuat}}
		ok := AcceptPlace(&pose, &b, p)
		if active := b.Transient&components.Active != 0; !ok || pose.Cell != c.cell || pose.Frame != p.Frame || active != c.activeAfter {
			t.Errorf("%s: ok %v, %v, active %v", c.name, ok, pose.Position, active)
		}
	}
}
