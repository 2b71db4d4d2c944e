package systems

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
)

// scaling returns a rig with a humanoid whose wave, on frame 10, changes its
// scale to end in so many seconds.
func scaling(t *testing.T, end, seconds float32, o Options) *rig {
	t.Helper()
	r := newRig(t, o)
	tables := *r.e.tables
	tables.Hooks, tables.Payload = slices.Clone(tables.Hooks), slices.Clone(tables.Payload)
	anim, ok := tables.Animation(0x03000030)
	if !ok {
		t.Fatal("no wave")
	}
	at := len(tables.Payload)
	for _, v := range []float32{end, seconds} {
		tables.Payload = binary.LittleEndian.AppendUint32(tables.Payload, math.Float32bits(v))
	}
	h := tables.HookEnds[tables.Anims[anim].HooksAt+10] - 1
	tables.Hooks[h] = dat.PlayHook{Type: int32(dat.HookScale), At: uint32(at), Len: 8}
	o.Tables = &tables
	e, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	r.e = e
	r.spawn(human(me, 108, 108))
	r.tick(1)
	r.command(Command{Guid: me, Do: DoMotion, Motion: wave, Speed: 1})
	for range 60 {
		r.tick(1)
		for _, ev := range r.e.Events() {
			if ev.Kind == HookFired && ev.Frame == 10 {
				return r
			}
		}
	}
	t.Fatal("no hook")
	return nil
}

func (r *rig) wantScale(want float64) {
	r.Helper()
	c := r.row(me)
	setup := &r.e.tables.Setups[c.Identity.Setup]
	near(r, "scale", float64(c.Rest.Scale), want, 1e-6)
	same(r, "radius", c.Traits.Radius, float32(setup.Radius*c.Rest.Scale))
	same(r, "height", c.Traits.Height, float32(setup.Height*c.Rest.Scale))
}

func TestSpec15_4_ScaleAtOnce(t *testing.T) {
	for _, seconds := range []float32{0, 0.0001, -1} {
		r := scaling(t, 1.5, seconds, Options{})
		r.wantScale(1.5)
		r.seconds(2)
		from := r.world(me)
		r.move(me, does{forward: run})
		r.seconds(1)
		a := r.world(me)
		r.seconds(1)
		near(t, "way of a second at 1.5 × 4 m/s", apart(a, r.world(me)), 6, 0.2)
		if apart(from, a) < 4 {
			t.Errorf("moved %v m", apart(from, a))
		}
	}
}

// A ramp runs with the clock, from the step after its hook until it is over (11 §10).
func TestSpec11_10_ScaleRamp(t *testing.T) {
	r := scaling(t, 2, 3, Options{})
	r.wantScale(1)
	for k := 1; k <= 100; k++ {
		r.tick(1)
		r.wantScale(1 + min(float64(k)/90, 1))
		same(t, "under way", r.row(me).Rest.Busy&components.Ramping != 0, k < 90)
	}
	r.seconds(3)
	if r.row(me).Rest.Since == 0 {
		t.Error("it does not rest after it")
	}
	r.wantScale(2)
}

func TestScaleOutOfRangeIsNone(t *testing.T) {
	for _, end := range []float32{0, -1, 1001, 3e38} {
		for _, seconds := range []float32{0, 1} {
			r := scaling(t, end, seconds, Options{})
			r.seconds(2)
			r.wantScale(1)
		}
	}
	r := scaling(t, 1e-45, 0.5, Options{}) // the least there is
	r.seconds(1)
	same(t, "scale", r.row(me).Rest.Scale, 1e-45)
}

// Nobody rests while the scale changes, hidden ones change too, and skipping
// does not show.
func TestScaleRampAndRest(t *testing.T) {
	a, b := scaling(t, 0.5, 5, Options{}), scaling(t, 0.5, 5, Options{AlwaysUpdate: true})
	for tick := range 300 {
		for _, r := range []*rig{a, b} {
			switch tick {
			case 50:
				r.send(r.state(me, components.DefaultState|components.Hidden))
			case 100:
				r.send(r.state(me, components.DefaultState))
			}
			r.tick(1)
		}
		if a.e.Hash() != b.e.Hash() {
			t.Fatalf("tick %d differs", tick)
		}
		a.wantScale(1 - 0.5*min(float64(tick+1)/150, 1))
	}
}
