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
	h.b = append(h.b, "gait tables 1"...)
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
	})
	each(&h, t.Poses, func(p *Pose) { h.put(p.Key, p.PartsAt) })
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
