package position

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

func TestSpec11_7_Edges(t *testing.T) {
	w := newWorld(t)
	step := func(contact, walkable bool, falls bool, want ...string) {
		t.Helper()
		w.calls = nil
		w.GroundEvent(contact, walkable)
		if !slices.Equal(w.calls, want) {
			t.Errorf("(%v, %v): called %v, want %v", contact, walkable, w.calls, want)
		}
		if got := w.Body.Transient&components.Falling != 0; got != falls {
			t.Errorf("(%v, %v): falls %v", contact, walkable, got)
		}
	}
	step(true, true, false)
	step(true, false, true, "leave")
	step(true, true, false, "hit")
	step(false, true, true, "leave") // without contact there is no walkable ground
	if w.Body.Transient&(components.Contact|components.OnWalkable) != 0 {
		t.Errorf("bits %#x", w.Body.Transient)
	}
	step(false, false, true)
	step(true, false, true)
	step(true, true, false, "hit")
	// each change is told once, whatever it is about (15 §4)
	const c, on = components.Contact, components.OnWalkable
	want := [][2]components.TransientBits{{c | on, c}, {c, c | on}, {c | on, 0}, {0, c}, {c, c | on}}
	if !slices.Equal(w.edges, want) {
		t.Errorf("told of %v, want %v", w.edges, want)
	}
	w.SetContact(true, space.Vec3{0, .6, .8}, true, true)
	if w.Body.Transient&components.WaterContact == 0 || w.Body.ContactNormal[1] != .6 {
		t.Errorf("water: %#x, normal %v", w.Body.Transient, w.Body.ContactNormal)
	}
	w.GroundEvent(true, true)
	if w.Body.Transient&components.WaterContact != 0 || w.Body.ContactNormal != (space.Vec3{0, 0, 1}) {
		t.Errorf("land: %#x, normal %v", w.Body.Transient, w.Body.ContactNormal)
	}
}

// The bit is written before motion is told, and the fall is found after.
func TestSpec11_7_MotionSeesTheNewBit(t *testing.T) {
	w := newWorld(t)
	h := &edgeHost{world: w}
	w.Host = h
	w.GroundEvent(false, false)
	w.GroundEvent(true, true)
	want := []components.TransientBits{0, components.Contact | components.OnWalkable}
	if !slices.Equal(h.seen, want) {
		t.Errorf("seen %#x, want %#x", h.seen, want)
	}
	if v := w.Body.Velocity; v != (space.Vec3{0, 4, 6}) {
		t.Errorf("velocity %v", v)
	}
}

type edgeHost struct {
	*world
	seen []components.TransientBits
}

func (h *edgeHost) look() {
	h.seen = append(h.seen, h.Body.Transient&(components.Contact|components.OnWalkable))
}
func (h *edgeHost) HitGround() { h.look() }
func (h *edgeHost) LeaveGround() {
	h.look()
	SetLocalVelocity(h.Body, h.Pose.Frame.Rotation, space.Vec3{0, 4, 6})
}

// The bits stand as they were when their change is told, before motion hears of it.
func TestSpec15_4_GroundIsToldFirst(t *testing.T) {
	w := newWorld(t)
	h := &orderHost{world: w}
	w.Host = h
	w.GroundEvent(false, false)
	w.GroundEvent(true, false)
	w.SetOnWalkable(true)
	w.SetOnWalkable(true)
	w.ClearTransientStates()
	w.ClearTransientStates()
	if want := []string{"3 to 0 at 3", "leave", "0 to 1 at 0", "1 to 3 at 1", "hit", "3 to 0 at 3", "leave"}; !slices.Equal(h.told, want) {
		t.Errorf("told %q, want %q", h.told, want)
	}
}

type orderHost struct {
	*world
	told []string
}

func (h *orderHost) HitGround()       { h.told = append(h.told, "hit") }
func (h *orderHost) LeaveGround()     { h.told = append(h.told, "leave") }
func (h *orderHost) WallNow() float64 { return h.Now() }

func (h *orderHost) ActivityChanges(bool) {}

func (h *orderHost) GroundChanges(was, is components.TransientBits) {
	h.told = append(h.told, fmt.Sprintf("%d to %d at %d", was, is, h.Body.Transient&grounded))
}

func TestSpec11_2_ClearTransientStates(t *testing.T) {
	w := newWorld(t)
	w.Body.Transient |= components.WaterContact | components.Sliding | components.StationaryFall |
		components.StationaryStop | components.StationaryStuck | components.CheckEthereal | 0x200
	w.ClearTransientStates()
	if w.Body.Transient != components.Falling|0x200 || !slices.Equal(w.calls, []string{"leave"}) {
		t.Errorf("bits %#x, called %v", w.Body.Transient, w.calls)
	}
	w.calls = nil
	w.ClearTransientStates()
	if w.calls != nil {
		t.Errorf("called %v", w.calls)
	}
}

func TestF50_PositionEventIsNoFall(t *testing.T) {
	w := newWorld(t)
	for i := range 300 {
		if i%10 == 0 {
			w.event(atXY(0, float32(i)/20))
		}
		w.update()
	}
	if w.calls != nil {
		t.Errorf("called %v", w.calls)
	}
}

func TestSpec11_4_2_Guards(t *testing.T) {
	viewer := at(0)
	for _, c := range []struct {
		name                        string
		y                           float32
		viewer                      *space.Position
		maintenance, active, frozen bool
		lost                        bool
		ok, stays                   bool
		distance                    float32
	}{
		{name: "no viewer", y: 150, active: true, ok: true, stays: true, distance: 7},
		{name: "no viewer, asleep", y: 150, ok: true, distance: 7},
		{name: "near", y: 96, viewer: &viewer, maintenance: true, ok: true, stays: true, distance: 96},
		{name: "far", y: 97, viewer: &viewer, maintenance: true, active: true, ok: true, distance: 97},
		{name: "far, fixed ticks", y: 97, viewer: &viewer, active: true, ok: true, stays: true, distance: 97},
		{name: "frozen", y: 1, viewer: &viewer, active: true, frozen: true, distance: 7},
		{name: "lost", y: 1, viewer: &viewer, active: true, lost: true, distance: 7},
	} {
		b, pose := NewBody(), components.Pose{Position: at(c.y)}
		b.PlayerDistance = 7
		SetActive(&b, c.active)
		if c.frozen {
			b.State |= components.Frozen
		}
		if c.lost {
			pose.Cell = 0
		}
		ok := Guard(&pose, &b, c.viewer, c.maintenance)
		if active := b.Transient&components.Active != 0; ok != c.ok || active != c.stays || !near(b.PlayerDistance, c.distance) {
			t.Errorf("%s: ok %v, active %v, distance %v", c.name, ok, active, b.PlayerDistance)
		}
	}
}
