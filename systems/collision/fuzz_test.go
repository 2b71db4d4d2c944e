package collision

import (
	"math"
	"testing"
	"time"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// numbers reads the numbers of a sweep out of fuzzed bytes.
type numbers struct{ b []byte }

func (n *numbers) byte() byte {
	if len(n.b) == 0 {
		return 0
	}
	v := n.b[0]
	n.b = n.b[1:]
	return v
}

// between is a number of a range, in 65,536 steps.
func (n *numbers) between(low, high float32) float32 {
	k := float32(n.byte()) + float32(n.byte())*256
	return low + (high-low)*k/65535
}

// bounded is a number that a tick could come with: mostly a small one, sometimes any that is finite.
func (n *numbers) bounded(limit float32) float32 {
	if n.byte() < 250 {
		return n.between(-limit, limit)
	}
	v := math.Float32frombits(uint32(n.byte())<<24 | uint32(n.byte())<<16 | uint32(n.byte())<<8)
	if !space.Finite(v) {
		return 0
	}
	return v
}

// oddBody is any body whose record would be taken: radii above 0, heights finite.
func (n *numbers) oddBody(r *rig) {
	switch n.byte() % 4 {
	case 0:
		r.become([]uint32{humanID, smallID, bigID, missileID, 0x02000A34}[n.byte()%5])
	default:
		r.body = twoSpheres()
		r.body.SphereCount = 1 + int(n.byte()&1)
		for i := range r.body.Spheres {
			r.body.Spheres[i] = dat.Sphere{Centre: space.Vec3{n.between(-1, 1), n.between(-1, 1), n.between(-1, 3)}, Radius: n.between(0.001, 2)}
			if n.byte()&1 == 0 {
				r.body.Spheres[i].Centre[0], r.body.Spheres[i].Centre[1] = 0, 0
			}
		}
		r.body.StepUp, r.body.StepDown = n.between(-0.1, 3), n.between(-0.1, 3)
	}
	r.body.State = components.StateBits(uint32(n.byte())<<16|uint32(n.byte())<<8|uint32(n.byte())) | components.StateBits(n.byte()&1)*components.Gravity
	r.body.Traits = components.TraitFlags(uint32(n.byte())<<8 | uint32(n.byte()))
	r.body.FreeRotate = n.byte()&1 != 0
	r.body.Target = uint32(n.byte() % 8)
}

// oddCrowd puts bodies into the land.
func (n *numbers) oddCrowd(r *rig, x, y float32) {
	r.World.Crowd = &Crowd{Known: func(guid uint32) bool { return guid&1 != 0 }}
	r.Crowd = r.World.Crowd
	for guid := range uint32(n.byte() % 6) {
		p := spot(x+n.between(-4, 4), y+n.between(-4, 4), 100+n.between(-2, 3))
		o := r.obstacle(2+guid, []uint32{humanID, doorID, crateID, bigID, smallID, boulderID, moundID, stumpID}[n.byte()%8], turned(p, n.between(0, 360)))
		if o.Scale = n.between(0.1, 3); n.byte() < 200 {
			o.Scale = 1
		}
		o.State ^= components.StateBits(n.byte())
		r.add(o)
	}
}

// check fails when a result is not what a tick may go on with.
func (r *rig) check(t *testing.T, from *space.Position) {
	s := r.s
	p := s.Position()
	if !p.Frame.Valid() && from.Frame.Valid() {
		t.Fatalf("from %v to %v", from, p)
	}
	for what, v := range map[string]space.Vec3{"contact": s.Contact.Plane.Normal, "sliding": s.Slide.Normal, "collision": s.Hit.Normal, "last known": s.LastKnown.Plane.Normal} {
		if !space.FiniteVec(v) || space.Length(v) > 1.01 {
			t.Fatalf("%s normal %v", what, v)
		}
	}
	if !space.Finite(s.Contact.Plane.D) || s.Stationary < 0 || s.Stationary > 3 {
		t.Fatalf("contact %+v, stationary %d", s.Contact, s.Stationary)
	}
	// a body whose centre is off its axis takes it to another cell by turning alone (14 §4, no steps)
	if first := r.body.Spheres[0].Centre; first[0] == 0 && first[1] == 0 && s.Present() && !p.Cell.Indoors() {
		centre := s.centre[0]
		if !p.Cell.InLandCell(p.Cell, centre) {
			t.Fatalf("cell %x does not contain the centre %v", uint32(p.Cell), centre)
		}
	}
	seen := map[uint32]bool{}
	for _, g := range s.Collisions {
		if seen[g] || g == 0 || g == r.body.Guid {
			t.Fatalf("met %v", s.Collisions)
		}
		seen[g] = true
	}
}

// Any body, anywhere on the fixture's land, with any step: no panic, nothing that
// is not finite, a place in its cell, and an end.
func FuzzSweep(f *testing.F) {
	f.Add([]byte{0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
	f.Add([]byte("\x01\x01somebody walks into the house and out of it again, and then over the hills"))
	for i := range byte(40) {
		seed := make([]byte, 96)
		for k := range seed {
			seed[k] = byte(k*int(i)*37 + k*k*11 + int(i)*101)
		}
		f.Add(seed)
	}
	land := onLand(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		n := &numbers{b}
		r := &rig{TB: t, World: &World{Tables: land.Tables, Shapes: land.Shapes, Land: land.Land, Crowd: &Crowd{}}}
		r.s = &Sweep{World: r.World}
		x, y := n.between(-10, 400), n.between(-10, 400)
		switch n.byte() % 4 {
		case 0: // where the objects are
			x, y = n.between(88, 164), n.between(6, 160)
		case 1:
			x, y = n.between(54, 66), n.between(26, 44)
		}
		p := turned(spot(x, y, n.between(55, 175)), n.between(0, 360))
		if n.byte()&1 == 0 {
			p.Frame.Origin[2] = 100 + n.between(-1, 5)
		}
		if n.byte()%8 == 0 && y < 45 {
			p.Cell = space.CellID(0xA9B40100) + space.CellID(n.byte()&1)
		}
		n.oddCrowd(r, x, y)
		n.oddBody(r)
		begun := time.Now()
		placed := n.byte()&3 == 0
		var standing Standing
		if placed {
			if !r.s.Place(&r.body, &p, n.byte()&1 != 0) {
				return
			}
			r.check(t, &p)
			p, standing = *r.s.Position(), standsOf(r.s)
		} else if n.byte()&1 == 0 {
			normal, _ := space.NormalizeCheckSmall(space.Vec3{n.between(-1, 1), n.between(-1, 1), n.between(0.01, 1)})
			standing = Standing{
				Ground:     Ground{Plane: Plane{Normal: normal, D: n.between(-200, 200)}, Cell: p.Cell, Valid: n.byte()&1 != 0, Water: n.byte()&1 != 0},
				OnWalkable: n.byte()&1 != 0, Sliding: n.byte()&1 != 0, Normal: space.Vec3{n.between(-1, 1), n.between(-1, 1), 0},
				Stationary: int(n.byte() % 4),
			}
		}
		for range 4 {
			standing.Velocity = space.Vec3{n.bounded(30), n.bounded(30), n.bounded(30)}
			from, to := p, turned(p, n.between(0, 360))
			to.Frame.Origin = space.Add(to.Frame.Origin, space.Vec3{n.bounded(2), n.bounded(2), n.bounded(2)})
			if !r.s.Move(&r.body, &from, &to, &standing) {
				continue
			}
			r.check(t, &from)
			p, standing = *r.s.Position(), standsOf(r.s)
		}
		if d := time.Since(begun); d > 2*time.Second {
			t.Fatalf("took %v", d)
		}
	})
}

// Shapes that a record could hold and a modeller would not draw.
func FuzzSweepShapes(f *testing.F) {
	for i := range byte(20) {
		seed := make([]byte, 200)
		for k := range seed {
			seed[k] = byte(k*int(i)*53 + k*k*7 + int(i)*29)
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		n := &numbers{b}
		var polygons [][]space.Vec3
		for range 1 + n.byte()%6 {
			v := make([]space.Vec3, 3+n.byte()%3)
			for k := range v {
				v[k] = space.Vec3{n.between(-2, 2), n.between(-2, 2), n.between(-1, 2)}
			}
			polygons = append(polygons, v)
		}
		g := sheet(0x01000100, polygons...)
		leaf := g.PhysicsTree
		leaf.Solid = int32(n.byte() & 1)
		for range n.byte() % 4 { // planes over it, with the leaf on one side
			normal, small := space.NormalizeCheckSmall(space.Vec3{n.between(-1, 1), n.between(-1, 1), n.between(-1, 1)})
			if small {
				break
			}
			node := &dat.BSPNode{Tag: "BPIN", Plane: dat.Plane{Normal: normal, D: n.between(-1, 1)}, Sphere: leaf.Sphere, Neg: g.PhysicsTree, Pos: &dat.BSPNode{Tag: "LEAF"}}
			if n.byte()&1 != 0 {
				node.Pos, node.Neg = node.Neg, node.Pos
			}
			g.PhysicsTree = node
		}
		odd := &dat.Setup{ID: 0x02000101}
		for range n.byte() % 3 {
			odd.Cylinders = append(odd.Cylinders, dat.Cylinder{Low: space.Vec3{n.between(-1, 1), n.between(-1, 1), n.between(-1, 1)}, Radius: n.between(0.001, 2), Height: n.between(0, 3)})
		}
		for range n.byte() % 3 {
			odd.Spheres = append(odd.Spheres, dat.Sphere{Centre: space.Vec3{n.between(-1, 1), n.between(-1, 1), n.between(-1, 1)}, Radius: n.between(0.001, 2)})
		}
		tables, err := dat.Compile(dat.Records{GfxObjs: []*dat.GfxObj{g}, Setups: []*dat.Setup{model(0x02000100, 0x01000100), odd}})
		if err != nil {
			return // refused as it should be
		}
		r := newRig(t, World{Tables: tables, Shapes: &tables.Shapes, Land: NewFlat(0)})
		for guid := range uint32(2) {
			o := r.obstacle(2+guid, 0x02000100+guid, turned(spot(100+n.between(-1, 1), 100+n.between(-1, 1), n.between(-0.5, 1)), n.between(0, 360)))
			if o.Scale = n.between(0.2, 3); n.byte() < 128 {
				o.Scale = 1
			}
			o.State |= components.StateBits(n.byte() & 1)
			r.add(o)
		}
		r.body = twoSpheres()
		if n.byte()&1 != 0 {
			r.body = oneSphere()
		}
		r.body.Spheres[0].Radius = n.between(0.05, 1)
		if n.byte()%4 == 0 {
			r.body.State |= components.Missile
		}
		p := spot(100+n.between(-3, 3), 100+n.between(-3, 3), n.between(-0.5, 3))
		if n.byte()&1 == 0 && !r.s.Place(&r.body, &p, true) {
			return
		}
		standing := Standing{}
		for range 6 {
			from, to := p, turned(p, n.between(0, 360))
			to.Frame.Origin = space.Add(to.Frame.Origin, space.Vec3{n.between(-1, 1), n.between(-1, 1), n.between(-0.5, 0.3)})
			if r.s.Move(&r.body, &from, &to, &standing) {
				r.check(t, &from)
				p, standing = *r.s.Position(), standsOf(r.s)
			}
		}
	})
}
