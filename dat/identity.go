package dat

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"math"

	"github.com/gait-engine/gait/space"
)

// identify hashes what playing can see, in one byte order, so that a snapshot
// or a log can say which tables it needs. keys are the look-up's, ascending as
// the compiler makes them; the slots depend on the hash function and are left out.
func (t *Tables) identify(keys []lookSlot) (id [32]byte) {
	h := hasher{h: sha256.New()}
	h.b = append(h.b, "gait tables 2"...)
	each(&h, t.Motions, func(m *Table) { h.put(m.ID, m.DefaultStyle, m.Defaults.at, m.Defaults.n) })
	each(&h, t.Defaults, func(d *StyleDefault) { h.put(d.Style, d.Motion) })
	each(&h, t.Data, func(m *Motion) {
		h.put(m.Clips.at, m.Clips.n, m.Flags)
		h.floats(m.Velocity[:]...)
		h.floats(m.Omega[:]...)
	})
	each(&h, t.Clips, func(c *PlayClip) {
		h.put(uint32(c.Anim), uint32(c.Low), uint32(c.High))
		h.floats(c.Rate)
	})
	each(&h, t.Stored, func(c *Clip) {
		h.put(c.Anim, uint32(c.Low), uint32(c.High))
		h.floats(c.Rate)
	})
	each(&h, t.Anims, func(a *Anim) {
		h.put(a.ID, a.Frames, a.PartCount, uint32(a.Positions), a.PartsAt, a.HooksAt)
	})
	each(&h, t.Positions, h.frame)
	each(&h, t.Parts, h.frame)
	each(&h, t.HookEnds, func(n *uint32) { h.put(*n) })
	each(&h, t.Hooks, func(k *PlayHook) { h.put(uint32(k.Type), uint32(k.Direction), k.At, k.Len) })
	each(&h, t.Payload, func(b *byte) { h.b = append(h.b, *b) })
	each(&h, t.Setups, func(s *Figure) {
		h.put(s.ID, s.Poses.at, s.Poses.n, uint32(s.DefaultAnim), s.MotionTable, s.PartCount)
		h.floats(s.Height, s.Radius, s.StepUp, s.StepDown)
		h.put(s.Spheres.at, s.Spheres.n, s.Cylinders.at, s.Cylinders.n, s.PartsAt)
		h.sphere(&s.Sorting)
		h.bools(s.FreeHeading, s.PhysicsBSP)
	})
	each(&h, t.Poses, func(p *Pose) { h.put(p.Key, p.PartsAt) })
	each(&h, t.Spheres, h.sphere)
	each(&h, t.Cylinders, func(c *Cylinder) {
		h.floats(c.Low[:]...)
		h.floats(c.Radius, c.Height)
	})
	each(&h, t.Hulls, func(i *int32) { h.put(uint32(*i)) })
	each(&h, t.Scales, func(v *space.Vec3) { h.floats(v[:]...) })
	each(&h, t.Heights, func(v *float32) { h.floats(*v) })
	t.Shapes.hash(&h)
	if len(t.Holdings) > 0 { // tables without any are what they were before these were read
		each(&h, t.Setups, func(s *Figure) { h.put(s.Holdings.at, s.Holdings.n) })
		each(&h, t.Holdings, func(l *Holding) {
			h.put(l.Key, l.Part)
			h.frame(&l.Frame)
		})
	}
	each(&h, keys, func(k *lookSlot) { h.put(k.where, k.key, k.inner, uint32(k.value)) })
	h.flush()
	h.h.Sum(id[:0])
	return id
}

func (s *Shapes) hash(h *hasher) {
	each(h, s.Vertices, func(v *space.Vec3) { h.floats(v[:]...) })
	each(h, s.Polygons, func(p *Polygon) {
		h.floats(p.Normal[:]...)
		h.floats(p.D)
		h.put(uint32(p.First), uint32(p.Count), uint32(p.Sides), uint32(p.ID))
	})
	each(h, s.Nodes, func(n *Node) {
		h.floats(n.Normal[:]...)
		h.floats(n.Centre[:]...)
		h.floats(n.D, n.Radius)
		h.put(uint32(n.Pos), uint32(n.Neg), uint32(n.First), uint32(n.Count))
		h.bools(n.Leaf, n.Solid)
	})
	each(h, s.Leaves, func(i *int32) { h.put(uint32(*i)) })
	each(h, s.Portals, func(i *int32) { h.put(uint32(*i)) })
	each(h, s.Hulls, func(p *Hull) {
		h.put(p.ID, p.Number, uint32(p.Root), uint32(p.Cell), uint32(p.FirstPolygon), uint32(p.PolygonCount),
			uint32(p.FirstPortal), uint32(p.PortalCount))
		h.floats(p.Min[:]...)
		h.floats(p.Max[:]...)
	})
}

// hasher gathers bytes and hashes them in large pieces.
type hasher struct {
	h hash.Hash
	b []byte
}

// each hashes the length of a list and then its elements.
func each[T any](h *hasher, s []T, put func(*T)) {
	h.put(uint32(len(s)))
	for i := range s {
		put(&s[i])
		if len(h.b) > 1<<15 {
			h.flush()
		}
	}
}

func (h *hasher) flush() {
	_, _ = h.h.Write(h.b) // a hash never fails
	h.b = h.b[:0]
}

func (h *hasher) put(v ...uint32) {
	for _, x := range v {
		h.b = binary.LittleEndian.AppendUint32(h.b, x)
	}
}

func (h *hasher) floats(v ...float32) {
	for _, x := range v {
		h.put(math.Float32bits(x))
	}
}

func (h *hasher) frame(f *space.Frame) {
	h.floats(f.Origin[:]...)
	h.floats(f.Rotation.W)
	h.floats(f.Rotation.V[:]...)
}

func (h *hasher) sphere(s *Sphere) {
	h.floats(s.Centre[:]...)
	h.floats(s.Radius)
}

func (h *hasher) bools(v ...bool) {
	for _, x := range v {
		if x {
			h.put(1)
		} else {
			h.put(0)
		}
	}
}
