package motion

import (
	"math"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

func TestR6_2_Bearing(t *testing.T) {
	place := func(x, y, z float32) *space.Position {
		return &space.Position{Cell: 0xA9B40001, Frame: space.Frame{Origin: space.Vec3{x, y, z}, Rotation: space.IdentityQuat}}
	}
	for _, c := range []struct {
		x, y, z, want float32
	}{
		{0, 10, 0, 0}, {10, 0, 0, 90}, {0, -10, 0, 180}, {-10, 0, 0, 270}, {10, 10, 5, 45}, {-10, 10, -5, 315},
		{0, 0, 9, 0}, {0.0001, 0.0001, 9, 0}, {0.0003, 0, 0, 90},
	} {
		eq(t, "bearing", space.HeadingTo(place(0, 0, 0), place(c.x, c.y, c.z)), c.want)
	}
}

func TestR6_3_HeadingDiff(t *testing.T) {
	for _, c := range []struct {
		a, b        float32
		right, left float32
	}{
		{350, 10, 340, 20}, {10, 350, 20, 340}, {90, 45, 45, 315}, {45, 90, 315, 45}, {45, 45, 0, 0},
		{45.0001, 45, 0, 0}, {45, 45.0001, 0, 0}, {180, 0, 180, 180}, {0, 180, 180, 180},
	} {
		near(t, "right", float64(headingDiff(c.a, c.b, TurnRight)), float64(c.right))
		near(t, "left", float64(headingDiff(c.a, c.b, TurnLeft)), float64(c.left))
		eq(t, "anything else is left", headingDiff(c.a, c.b, WalkForward), headingDiff(c.a, c.b, TurnLeft))
	}
}

func TestR6_4_HeadingGreater(t *testing.T) {
	for _, c := range []struct {
		a, b        float32
		right, left bool
	}{
		{90, 45, true, false}, {30, 45, false, true}, {45, 45, false, true}, {350, 10, false, true}, {10, 350, true, false},
		{180, 0, true, false}, {0, 180, false, true},
	} {
		eq(t, "right", headingGreater(c.a, c.b, TurnRight), c.right)
		eq(t, "left", headingGreater(c.a, c.b, TurnLeft), c.left)
	}
}

// TestR6_5_R6_6_Distance takes the cylinders of R6.5 through R6.6: own radius .5 and height 2.
func TestR6_5_R6_6_Distance(t *testing.T) {
	for _, c := range []struct {
		name           string
		at             space.Vec3 // of the goal, seen from the mover
		radius, height float32
		want           float64
	}{
		{"same height", space.Vec3{0, 3, 0}, 0.5, 2, 2},
		{"gap 3, d 4", space.Vec3{0, 0, 5}, 0.5, 2, 5},
		{"gap 3 from above", space.Vec3{0, 0, -5}, 0.5, 2, 5},
		{"D-25 overlap in plan, 2 m above", space.Vec3{0, 0, 4}, 4, 2, 2},
		{"overlap", space.Vec3{0, 0, 0}, 0.5, 2, -math.Sqrt(1 + 4)},
		{"beside, lower", space.Vec3{0, 3, -1}, 0.5, 2, math.Sqrt(10) - 1},
	} {
		r := newRig(t, human())
		r.Traits.Radius, r.Traits.Height = 0.5, 2
		r.Pose.Frame.Origin = space.Vec3{10, 10, 10}
		s := &components.MoveTo{Goal: r.Pose.Position, SoughtRadius: c.radius, SoughtHeight: c.height}
		s.Goal.Frame.Origin = space.Add(s.Goal.Frame.Origin, c.at)
		near(t, c.name+", centres", float64(r.goalDistance(s)), float64(space.Length(c.at)))
		s.Params.Flags = components.ParamUseSpheres
		near(t, c.name, float64(r.goalDistance(s)), c.want)
	}
}

func TestR6_7_GetCommand(t *testing.T) {
	const towards, away = components.ParamMoveTowards, components.ParamMoveAway
	for _, c := range []struct {
		flags components.ParamFlags
		dist  float32
		want  uint32
		away  bool
	}{
		{towards, 0.7, WalkForward, false}, {towards, 0.6, 0, false}, {0, 0.7, WalkForward, false}, {0, 0.6, 0, false},
		{away, 0.2, WalkForward, true}, {away, 0.3, 0, false}, {away, 0.7, 0, false},
		{towards | away, 0.7, WalkForward, false}, {towards | away, 0.6, 0, false},
		{towards | away, 0.3001, WalkBackwards, true}, {towards | away, 0.2, WalkBackwards, true}, {towards | away, 0.3005, 0, false},
	} {
		p := DefaultParams()
		p.Flags, p.MinDistance = c.flags, 0.3
		got, hold, isAway := getCommand(&p, c.dist)
		if got != c.want || isAway != c.away || hold != components.HoldNone {
			t.Errorf("flags %#x at %v: %s, away %v, hold %d", c.flags, c.dist, CommandName(got), isAway, hold)
		}
	}
	const walk, run, charge = components.ParamCanWalk, components.ParamCanRun, components.ParamCanCharge
	for _, c := range []struct {
		name  string
		flags components.ParamFlags
		dist  float32
		want  components.HoldKey
	}{
		{"D-1 defaults", components.ParamDefaults, 2, components.HoldNone},
		{"D-2 charge", components.ParamDefaults | charge, 2, components.HoldRun},
		{"threshold", components.ParamDefaults, 15.6, components.HoldNone},
		{"beyond", components.ParamDefaults, 15.7, components.HoldRun},
		{"cannot walk", run, 2, components.HoldRun},
		{"cannot run", walk, 20, components.HoldNone},
		{"can nothing", 0, 20, components.HoldNone},
		{"no command, the key all the same", run, 0.1, components.HoldRun},
	} {
		p := DefaultParams()
		p.Flags = c.flags
		_, hold, _ := getCommand(&p, c.dist)
		eq(t, c.name, hold, c.want)
	}
}

func TestR6_8_DesiredOffset(t *testing.T) {
	for _, c := range []struct {
		c           uint32
		there, away float32
	}{
		{WalkForward, 0, 180}, {RunForward, 0, 180}, {WalkBackwards, 180, 0}, {TurnLeft, 180, 180}, // C-7
	} {
		eq(t, "towards", desiredOffset(c.c, false), c.there)
		eq(t, "away", desiredOffset(c.c, true), c.away)
	}
}
