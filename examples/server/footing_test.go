package main

import (
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems"
)

// Who has come to rest where a client cannot put him, here with his toes in the sea,
// is put down close by, where a client who is far away has him on the spot (12 §4).
func TestFooting(t *testing.T) {
	s := minute(1)
	s.logDir = t.TempDir()
	clean, err := s.furnish()
	if err != nil {
		t.Fatal(err)
	}
	defer clean()
	shore := space.Position{Cell: 0xA8B20011, Frame: space.Frame{Origin: space.Vec3{67.76205, 7.195794e-05, 20.005003}, Rotation: space.IdentityQuat}}
	viewer := space.Position{Cell: 0xAAB50001, Frame: space.Identity}
	e, err := systems.New(systems.Options{Tables: s.tables, Land: s.ground.Land, Viewer: &viewer})
	if err != nil {
		t.Fatal(err)
	}
	const guid = firstMonster
	spawn := systems.NewSpawn(guid, shore)
	spawn.MotionTable, spawn.Setup, spawn.Placed = 0x09000001, 0x02000001, true
	if err := e.Spawn(spawn); err != nil {
		t.Fatal(err)
	}
	e.Tick()
	f := newFooting(s)
	where := func() (own, near space.Position) {
		e.Inspect(guid, func(r *components.Row, _ *components.Pools) { own, near = r.Pose.Position, f.near(r) })
		return own, near
	}
	put := func(at space.Position) (apart float32) {
		if err := e.Command(systems.Command{Guid: guid, Do: systems.DoPosition, Place: at, Contact: true}); err != nil {
			t.Fatal(err)
		}
		e.Tick()
		own, _ := where()
		return space.Distance(&own, &at)
	}
	_, near := where()
	if d := space.Distance(&near, &shore); d < 0.04 || d > 0.06 {
		t.Errorf("%v is %v m off", near, d)
	}
	if d := put(near); d > 1e-4 {
		t.Errorf("he is put %v m from there", d)
	}
	if own, again := where(); own != again {
		t.Errorf("at %v he is to go to %v", own, again)
	}
	if d := put(shore); d < 0.04 {
		t.Errorf("he is put %v m from the shore: this tests nothing", d)
	}
}
