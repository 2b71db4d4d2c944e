package collision

import (
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

// 14 §3: "global spheres := check frame applied to local spheres (radius copied), low point likewise"; L1 step 2:
// "Point = global low point shifted into the cell's block". The low point of a body that is not upright is the local low
// point turned with it, not the lowest point of the global sphere.
func TestSpec14_3_LowPointIsTurnedWithTheBody(t *testing.T) {
	r := onLand(t)
	r.body = oneSphere() // centre (0,0,.5), radius .5: its low point is the origin
	base := home & 0xFFFF0000
	done := 0
	for i := range uint32(64) {
		c := r.Land.cell(base | space.CellID(i+1))
		p := &c.block.plots[i]
		if !p.swne || space.Equal(p.planes[0].Normal, p.planes[1].Normal) || p.sea {
			continue
		}
		corner := cellCorner(i)
		const x = 10
		y := float32(x + 0.25) // beyond the diagonal: the second triangle
		at := space.Position{Cell: c.id, Frame: space.Frame{Origin: space.Vec3{corner[0] + x, corner[1] + y, -500}}}
		at.Frame.Rotation = space.GRotate(space.IdentityQuat, space.Vec3{1.5707964, 0, 0}) // up becomes south: the centre is at y−.5
		s := r.at(at, at, false)
		if s.terrain(c) == OK && !s.Contact.Valid {
			continue
		}
		done++
		if s.Contact.Plane != p.planes[1] {
			t.Fatalf("cell %d: stands on %v, and its low point lies over %v", i, s.Contact.Plane, p.planes[1])
		}
	}
	if done == 0 {
		t.Fatal("no cell tried")
	}
}

// 14 §4: "not FREE_ROTATE: check rotation := slerp(begin, end, (i+1)/n)" … "add_offset_to_check_pos(off)";
// 14 §3: "With an offset they are *translated* only (not re-derived)": turning within a sub-step does not swing the spheres.
func TestSpec14_4_SpheresAreNotDerivedAnewInASubStep(t *testing.T) {
	r := onFlat(t, setups(postSetup(0x02000100, 0.2, 2)))
	r.body = oneSphere()
	r.body.Spheres[0].Centre = space.Vec3{0, 0.6, 0.5}
	r.body.widest = 0.5
	r.add(r.obstacle(7, 0x02000100, spot(100.15, 99.2, 0)))
	m := r.stand(100, 100, 0)
	to := m.p
	to.Frame.Origin[0] += 0.3
	to.Frame.Rotation = space.SetHeading(space.IdentityQuat, 170)
	from := m.p
	if !m.s.Move(&m.body, &from, &to, &m.standing) {
		t.Fatal("fails")
	}
	if len(m.s.Collisions) != 0 || !near32(m.s.Position().Frame.Origin[0], 100.3, 1e-3) {
		t.Fatalf("met %v, is at %v", m.s.Collisions, m.s.Position().Frame)
	}
}

// 11 §2: the overlap test asks each other "to do a placement-type test of itself as the mover against me": what the scratch body
// was before (the worker's last swept missile) must not count. 14 L2: missile_ignore goes by the mover's own target.
func TestSpec11_2_OverlapsGoesByTheirOwnTargets(t *testing.T) {
	r := onLand(t)
	me := r.obstacle(7, humanID, spot(100, 100, 100))
	me.State |= components.Ethereal
	row := r.add(me)
	other := r.obstacle(8, missileID, spot(100, 100, 100.5))
	other.State |= components.Missile
	r.add(other)
	for _, c := range []struct {
		target uint32
		solid  bool
	}{{0, true}, {7, true}, {99, false}} {
		r.Crowd.Target = func(int) uint32 { return c.target }
		for _, before := range []uint32{0, 7, 99} { // the target of who was swept before
			scratch := Body{Target: before}
			if got := r.s.Overlaps(row, &scratch); got != c.solid {
				t.Errorf("a missile for %d, after one for %d: %v", c.target, before, got)
			}
		}
	}
}

// A rotation that is all zero turns nothing (10 §2): not even as the sweep before was turned.
func TestSpec10_2_NoRotationTurnsNothing(t *testing.T) {
	r := onFlat(t, setups())
	tilted, s := r.stand(100, 100, 0).p, r.s
	tilted.Frame.Rotation = space.GRotate(space.IdentityQuat, space.Vec3{1, 0, 0})
	for _, q := range []space.Quat{tilted.Frame.Rotation, {}} {
		s.reset(&r.body)
		s.check = tilted
		s.check.Frame.Rotation = q
		s.placeSpheres()
	}
	if got, want := s.global[0].Centre, space.Add(tilted.Frame.Origin, r.body.Spheres[0].Centre); got != want {
		t.Errorf("the first sphere is at %v, not at %v", got, want)
	}
}
