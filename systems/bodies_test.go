package systems

import (
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/wire"
)

// 11 §6: "else if no movement manager and ON_WALKABLE: clear ACTIVE"; 11 §3: "a body without a movement manager that is
// ON_WALKABLE with zero velocity (section 6)" is deactivated.
func TestSpec11_6_NoMovementManagerIsNotActive(t *testing.T) {
	r := onLand(t, Options{})
	s := stander(me, 100, 10, 100.005, 0)
	s.MotionTable = 0
	r.spawn(s)
	r.tick(5)
	if !r.walks(me) {
		t.Fatal("does not stand")
	}
	if r.row(me).Body.Transient&components.Active != 0 {
		t.Error("is active")
	}
	// it is active for the step of a position event, and no longer
	r.place(me, over(100, 13, 100.005, 0))
	r.tick(1)
	at := r.at(me)
	r.tick(10)
	if r.at(me) != at {
		t.Errorf("goes on from %v to %v", at, r.at(me))
	}
}

// meet has me walk into another who stands, and returns the rig in the tick in which they meet.
func meet(t *testing.T) *rig {
	r := onLand(t, Options{})
	r.spawn(stander(me, 100, 10, 100.005, 0))
	r.spawn(stander(me+1, 100, 13, 100.005, 0))
	r.tick(1)
	r.move(me, does{forward: 0x44000007})
	for range 120 {
		r.tick(1)
		if len(r.meets(me)) > 0 {
			return r
		}
	}
	t.Fatal("they do not meet")
	return nil
}

// 11 §2: "set_state(new): the whole word is replaced; then, for the bits that changed …"; "set_hidden(true): … if
// REPORT_COLLISIONS was set: end all collisions (forced)". By then the word is the new one.
func TestSpec11_2_HidingGoesByTheNewWord(t *testing.T) {
	const state = components.Gravity | components.EdgeSlide
	r := meet(t)
	r.send(r.state(me, state|components.Hidden)) // without REPORT_COLLISIONS
	r.tick(1)
	sameList(t, "meets when hidden by a word without REPORT_COLLISIONS", r.meets(me))
	r.send(r.state(me, state)) // "if REPORT_COLLISIONS is clear: set it and report collision starts again"
	r.tick(1)
	sameList(t, "meets when shown by a word without REPORT_COLLISIONS", r.meets(me), int64(me+1))

	r = meet(t)
	r.send(r.state(me, state)) // stops reporting
	r.tick(1)
	sameList(t, "meets", r.meets(me))
	r.send(r.state(me, state|components.Hidden|components.ReportCollisions))
	r.tick(1)
	sameList(t, "meets when hidden by a word with REPORT_COLLISIONS", r.meets(me), -int64(me+1))
}

// 14 §10: in "none" "the sweep call of 11 §5.6b is replaced" and "a body without a setup counts as having path spheres"; one
// with a setup that has none takes 11 §5.6's other branch: "origin := old origin; set_frame(new) (rotation only)".
func TestSpec14_10_NoPathSpheresOnlyTurns(t *testing.T) {
	tables, err := landTables()
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, Options{})
	if r.e, err = New(Options{Tables: tables}); err != nil {
		t.Fatal(err)
	}
	s := human(me, 100, 10)
	s.Setup = 0x02000A03 // cylspheres alone
	r.spawn(s)
	r.tick(1)
	was := r.row(me).Pose.Frame.Origin
	r.move(me, does{forward: 0x44000007})
	r.tick(10)
	if at := r.row(me).Pose.Frame.Origin; at != was {
		t.Errorf("goes from %v to %v", was, at)
	}
}

// 12 §6: "speed := 2 * adjusted max speed (0 without interpreter) ; if speed < 0.0002: speed := 7.5": "fallback speed
// 7.5 m/s (used when 2× speed < 0.0002, or no motion interpreter)". A body without motion table has no interpreter before its first movement.
func TestSpec12_6_NoInterpreterChasesAtTheFallbackSpeed(t *testing.T) {
	r := onLand(t, Options{})
	s := stander(me, 100, 10, 100.005, 0)
	s.MotionTable = 0
	r.spawn(s)
	r.tick(5)
	r.place(me, over(100, 13, 100.005, 0))
	r.tick(1)
	near(t, "y", float64(r.at(me)[1]), 10+7.5/30, 1e-3)
}

// 13 §2: "speed := 5 * get_max_speed (0 without interpreter) ; if speed < 0.0002: speed := 15.0"
func TestSpec13_2_NoInterpreterSticksAtTheFallbackSpeed(t *testing.T) {
	r := newRig(t, Options{})
	s := human(me, 100, 10)
	s.MotionTable = 0
	r.spawn(s)
	r.spawn(human(me+1, 100, 25))
	r.tick(2)
	r.mover(me).position.StickToObject(me+1, r.e.figure)
	r.tick(1)
	near(t, "y", r.world(me)[1]-float64(0xB4*192), 10+15.0/30, 1e-3)
}

// 15 §7: within the second "send iff the cell id changed, or the contact plane differs from the last sent one". A plane is its
// normal and its distance: the treads of stairs are parallel, and not one plane.
func TestSpec15_7_ParallelContactPlanesDiffer(t *testing.T) {
	r := onLand(t, Options{LocalPlayer: me, Reports: true})
	s := stander(me, 160.37, 53.43, 100.005, 0)
	r.spawn(s)
	r.tick(60)
	raw := motion.DefaultRaw()
	raw.Forward.Motion = walk
	r.command(Command{Guid: me, Do: DoRaw, Raw: raw})
	r.tick(1)
	plane := func() float32 {
		row, _ := r.e.world.Row(me)
		return r.e.world.Columns().Touch[row].D
	}
	changes := 0
	for range 150 {
		d, cell := plane(), r.row(me).Pose.Cell
		r.tick(1)
		if plane() != d && r.row(me).Pose.Cell == cell && r.walks(me) {
			changes++
			if len(r.e.Reports()) != 1 {
				t.Fatalf("plane's distance went from %v to %v (z %v), and %d reports", d, plane(), r.at(me)[2], len(r.e.Reports()))
			}
		}
	}
	if changes < 3 {
		t.Fatalf("%d changes", changes)
	}
}

// 15 §7: "More than 1.0 s since the last sent position: send iff the cell id or the frame differs": at 7.5 ticks a second the
// first tick that is more than a second later is the eighth.
func TestSpec15_7_MoreThanASecondAtAnOddRate(t *testing.T) {
	r := newRig(t, Options{LocalPlayer: me, Reports: true, TicksPerSecond: 7.5})
	r.spawn(human(me, 108, 98))
	r.tick(20)
	raw := motion.DefaultRaw()
	raw.Forward.Motion = walk
	r.command(Command{Guid: me, Do: DoRaw, Raw: raw})
	r.tick(1)
	at := r.e.Now()
	cell := r.row(me).Pose.Cell
	for len(r.e.Reports()) == 0 || r.e.Now() == at {
		r.tick(1)
	}
	same(t, "cell", r.row(me).Pose.Cell, cell)
	same(t, "ticks until the position", r.e.Now()-at, 8)
}

// cells follows the cell of a remote by its CellChanged events, as a host does (15 §4: "cell changed | entity, old cell, new
// cell (0 = lost) | commit, placement, leave/enter world; one per actual change").
func (r *rig) cells(guid uint32, in *space.CellID) {
	r.Helper()
	for _, ev := range r.e.Events() {
		if ev.Guid != guid || ev.Kind != CellChanged {
			continue
		}
		if ev.From.Cell != *in || ev.To.Cell == *in {
			r.Errorf("tick %d: from %08X to %08X, and it was in %08X", r.e.Now(), uint32(ev.From.Cell), uint32(ev.To.Cell), uint32(*in))
		}
		*in = ev.To.Cell
	}
	c := r.row(guid)
	is := c.Pose.Cell
	if c.Body.Transient&components.Lost != 0 {
		is = 0
	}
	if *in != is {
		r.Errorf("tick %d: said to be in %08X, and is in %08X", r.e.Now(), uint32(*in), uint32(is))
		*in = is
	}
}

func TestSpec15_4_CellChangesOnceEach(t *testing.T) {
	begin := func(t *testing.T, own Ownership) (*rig, *space.CellID) {
		r := onLand(t, Options{})
		s := stander(me, 100, 100, 100.005, 0)
		s.Owned = own
		r.spawn(s)
		r.tick(2)
		in := r.row(me).Pose.Cell
		return r, &in
	}
	t.Run("lost and back", func(t *testing.T) {
		r, in := begin(t, Remote)
		r.send(r.teleportTo(me, over(50, 3*192, 60, 0)))
		r.tick(1)
		r.cells(me, in)
		r.send(r.teleportTo(me, over(100, 104, 100.005, 0)))
		r.tick(1)
		r.cells(me, in)
	})
	t.Run("lost and picked up", func(t *testing.T) {
		r, in := begin(t, Remote)
		r.send(r.teleportTo(me, over(50, 3*192, 60, 0)))
		r.tick(1)
		r.cells(me, in)
		r.places[me]++
		r.send(&wire.Pickup{Guid: me, Instance: r.instance[me], Position: r.places[me]})
		r.tick(1)
		r.wantVerdicts(Applied)
		r.cells(me, in)
	})
	t.Run("client reports a place that is not there", func(t *testing.T) {
		r, in := begin(t, OwnedPlayer)
		x := &wire.AutonomousPosition{Sequence: 5, Place: over(50, 3*192, 60, 0), Bits: wire.ContactGrounded}
		if err := r.e.ClientAction(me, encode(t, x)); err != nil {
			t.Fatal(err)
		}
		r.tick(1)
		r.cells(me, in)
	})
	t.Run("client reports a place in a wall", func(t *testing.T) {
		r, in := begin(t, OwnedPlayer)
		n := uint32(5)
		for y := float32(93); y < 99; y += 0.5 { // beside the border of a cell, where another stands
			for x := float32(93); x < 99; x += 0.5 {
				s := stander(me+1, x, y, 100.005, 0)
				if r.has(me + 1) {
					r.send(r.teleportTo(me+1, s.Place))
				} else {
					r.spawn(s)
				}
				r.tick(1)
				r.cells(me, in)
				at := &wire.AutonomousPosition{Sequence: n, Place: over(x+0.1, y+0.1, 100.005, 0), Bits: wire.ContactGrounded}
				n++
				if err := r.e.ClientAction(me, encode(t, at)); err != nil {
					t.Fatal(err)
				}
				r.tick(1)
				r.cells(me, in)
				if t.Failed() {
					return
				}
			}
		}
	})
}
