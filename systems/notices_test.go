package systems

import (
	"slices"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/motion"
)

// Notices: 15 §4, row by row.

// Every edge of ACTIVE is told, once, and nothing else is (15 §4 "activity", 11 §3).
func TestSpec15_4_Activity(t *testing.T) {
	frozen := components.DefaultState | components.Frozen
	stand := func(c Command) func(r *rig) {
		c.Guid = me
		return func(r *rig) { r.command(c) }
	}
	// what activates a body that is frozen does so until its update
	activates := map[string]func(r *rig){
		"set_velocity":    stand(Command{Do: DoVelocity}),
		"InterpolateTo":   func(r *rig) { r.place(me, spot(108, 109, 0)) },
		"ConstrainTo":     stand(Command{Do: DoConstrain, Place: spot(108, 108, 0), Start: 1, Max: 2}),
		"stick_to_object": func(r *rig) { r.order(me, sticking(me+1)) },
		"move-to":         func(r *rig) { r.order(me, goTo(me+1)) },
	}
	activity := func(r *rig) (k []EventKind) {
		for _, e := range r.kinds(me) {
			if e == Activated || e == Deactivated {
				k = append(k, e)
			}
		}
		return k
	}
	for name, do := range activates {
		r := standing(t, Options{})
		r.spawn(human(me+1, 120, 120))
		r.tick(1)
		do(r) // active already
		r.tick(1)
		sameList(t, name+": active", activity(r))
		r.send(r.state(me, frozen))
		r.tick(1)
		sameList(t, name+": frozen", activity(r), Deactivated)
		r.tick(1)
		sameList(t, name+": and stays", activity(r))
		do(r)
		r.tick(1)
		sameList(t, name+": while frozen", activity(r), Activated, Deactivated)
		r.send(r.state(me, components.DefaultState))
		r.tick(1)
		sameList(t, name+": thawed alone", activity(r))
		do(r)
		r.tick(1)
		sameList(t, name+": thawed", activity(r), Activated)
	}
	// neither set_target nor set_omega activates
	r := standing(t, Options{})
	r.send(r.state(me, frozen))
	r.tick(1)
	r.send(r.state(me, components.DefaultState))
	r.e.Inspect(me, func(v *components.Row, _ *components.Pools) { v.Body.Omega = space.Vec3{} })
	r.tick(1)
	sameList(t, "omega", activity(r))
	// a viewer activates whoever he may see: fixed ticks know no 96 m
	at := spot(0, 0, 0)
	r = standing(t, Options{Viewer: &at})
	r.send(r.state(me, frozen))
	r.tick(1)
	sameList(t, "frozen", activity(r), Deactivated)
	r.send(r.state(me, components.DefaultState))
	r.tick(1)
	sameList(t, "thawed before a viewer", activity(r), Activated)
	// a static body refuses
	r = newRig(t, Options{})
	s := human(me, 108, 108)
	s.State |= components.Static
	r.spawn(s)
	r.tick(1)
	activates["set_velocity"](r)
	r.tick(1)
	sameList(t, "static", activity(r))
	// the lost cell, by a step and by a placement; being held, and let go
	r = newRig(t, Options{})
	s = human(me, 0, 0)
	s.Place = space.Position{Cell: 0x00000001, Frame: space.Frame{Origin: space.Vec3{0.5, 0.5, 0}, Rotation: space.SetHeading(space.IdentityQuat, 270)}}
	r.spawn(s)
	r.tick(1)
	r.move(me, does{forward: run})
	var kinds []EventKind
	for range 60 {
		r.tick(1)
		for _, k := range r.kinds(me) {
			if k == CellChanged || k == Deactivated || k == Activated {
				kinds = append(kinds, k)
			}
		}
	}
	sameList(t, "walks off the world", kinds, CellChanged, Deactivated)
	r.place(me, spot(108, 108, 0))
	r.tick(1)
	sameList(t, "back", activity(r), Activated)
	r.spawn(human(me+1, 108, 108))
	r.tick(1)
	r.send(r.holds(me+1, me))
	r.tick(1)
	sameList(t, "held", activity(r), Deactivated)
	r.place(me, spot(108, 108, 0))
	r.tick(1)
	sameList(t, "let go", activity(r), Activated)
}

// The other rows of 15 §4 but for collisions: each is told when it happens, and in
// the order in which 15 §1 has them.
func TestSpec15_4_EveryNotice(t *testing.T) {
	at := spot(108, 108, 0)
	r := newRig(t, Options{Viewer: &at})
	r.spawn(human(me, 108, 108))
	r.spawn(human(me+1, 108, 120))
	r.spawn(human(me+2, 90, 50))
	r.tick(2)
	has := func(what string, want ...Event) {
		t.Helper()
		k := 0
		for _, e := range r.e.Events() {
			if k < len(want) && e.Guid == me && e.Kind == want[k].Kind &&
				(want[k].Motion == 0 || e.Motion == want[k].Motion) && (want[k].Code == 0 || e.Code == want[k].Code) &&
				(want[k].Other == 0 || e.Other == want[k].Other) {
				k++
			}
		}
		if k < len(want) {
			t.Errorf("%s: no %+v among %+v", what, want[k], r.e.Events())
		}
	}
	until := func(ticks int, kind EventKind) {
		t.Helper()
		for range ticks {
			r.tick(1)
			for _, e := range r.e.Events() {
				if e.Guid == me && e.Kind == kind {
					return
				}
			}
		}
		t.Errorf("no event of kind %d in %d ticks", kind, ticks)
	}
	r.command(Command{Guid: me, Do: DoMotion, Motion: wave, Speed: 1})
	until(60, HookFired)
	until(120, MotionDone)
	has("motion done", Event{Kind: MotionDone, Motion: wave})
	r.command(Command{Guid: me, Do: DoGround})
	r.tick(1)
	has("in the air", Event{Kind: GroundChanged}, Event{Kind: LeftGround})
	r.command(Command{Guid: me, Do: DoGround, Contact: true, OnWalkable: true})
	r.tick(1)
	has("on the ground", Event{Kind: GroundChanged}, Event{Kind: HitGround})
	r.tick(30)
	r.order(me, goTo(me+1))
	r.tick(1)
	has("target update", Event{Kind: TargetTold, Other: me + 1, Code: uint32(components.TargetOK)})
	until(400, MoveToEnded)
	has("move-to finished", Event{Kind: MoveToEnded, Motion: uint32(motion.MoveToObject)})
	r.order(me, goTo(me+2))
	r.order(me, turn(10))
	r.tick(1)
	has("given up", Event{Kind: MoveToEnded, Motion: uint32(motion.MoveToObject), Code: motion.ActionCancelled})
	r.tick(60)
	r.place(me, spot(108, 260, 0)) // too far from the viewer: snapped
	r.tick(1)
	has("blip", Event{Kind: Blipped}, Event{Kind: CellChanged})
	r.place(me, spot(108, 108, 0))
	r.tick(2)
	r.send(r.teleportTo(me, spot(300, 108, 0)))
	r.tick(1)
	has("teleported", Event{Kind: Teleported}, Event{Kind: CellChanged})
	for _, e := range r.e.Events() {
		if e.Kind == CellChanged && !e.BlockChanged() {
			t.Errorf("block changed: %+v", e)
		}
	}
	r.order(me, sticking(me+1))
	r.tick(1)
	has("stuck", Event{Kind: StickBegan, Other: me + 1})
	until(40, StickEnded)
}

// Where there is land a step's notices come as its commit goes (15 §1): first the other cell, then what follows from the
// ground there and from whom it ran into (11 §8, 2 to 7); of who is lost, that he left his cell before that he is not active
// (11 §8.1).
func TestSpec15_1_TheCellComesFirst(t *testing.T) {
	r := onLand(t, Options{})
	const falling = 40
	for k := range uint32(falling) { // some land in the very tick that takes them over x = 96
		s := stander(me+k, 92+float32(k)*.1, 4+float32(k)*2, 103, 0)
		s.Velocity[0] = 3
		r.spawn(s)
	}
	lands := 0
	for range 60 {
		r.tick(1)
		for k := range uint32(falling) {
			kinds := r.kinds(me + k)
			if slices.Contains(kinds, HitGround) && slices.Contains(kinds, CellChanged) {
				lands++
				sameList(t, "lands in another cell", kinds, CellChanged, GroundChanged, HitGround, Met)
			}
		}
	}
	if lands == 0 {
		t.Error("nobody lands in another cell")
	}

	for name, away := range map[string]func(r *rig){
		"walks out of the land": func(r *rig) { r.move(me, does{forward: run}) },
		"is placed out of it":   func(r *rig) { r.send(r.teleportTo(me, over(50, 3*192, 60, 0))) },
	} {
		r := onLand(t, Options{})
		r.spawn(stander(me, 50, 2*192-6, 60, 0))
		r.tick(2)
		away(r)
		var kinds []EventKind
		for range 200 {
			r.tick(1)
			for _, k := range r.kinds(me) {
				if (k == CellChanged || k == Deactivated) && r.row(me).Body.Transient&components.Lost != 0 {
					kinds = append(kinds, k)
				}
			}
		}
		sameList(t, name, kinds[:min(2, len(kinds))], CellChanged, Deactivated) // the leash of a teleport makes him active for a moment
	}

	parts := 0
	for y := float32(18.4); y < 18.8; y += .05 { // some part, a second after they met, in the tick that takes them over y = 24
		r := onLand(t, Options{})
		r.spawn(stander(me, 100, y, 100.005, 0))
		r.spawn(stander(me+1, 100.3, y+1.5, 100.005, 0))
		r.tick(1)
		r.move(me, does{forward: run})
		for range 80 {
			r.tick(1)
			if kinds := r.kinds(me); slices.Contains(kinds, Parted) && slices.Contains(kinds, CellChanged) {
				parts++
				sameList(t, "parts in another cell", kinds, CellChanged, Parted)
			}
		}
	}
	if parts == 0 {
		t.Error("nobody parts in another cell")
	}
}
