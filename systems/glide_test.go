package systems

import (
	"encoding/binary"
	"io/fs"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/collision"
	"github.com/gait-engine/gait/testdata/fixtures"
)

// What may be about a body that runs, and the stages heed: each alone keeps it from gliding,
// or makes no difference.
var unlikeGliding = map[string]func(r *components.Row, m *mover){
	"nothing": func(r *components.Row, _ *mover) {},
	"frozen":  func(r *components.Row, _ *mover) { r.Body.State |= components.Frozen },
	"hidden":  func(r *components.Row, _ *mover) { r.Body.State |= components.Hidden },
	"align path": func(r *components.Row, _ *mover) {
		r.Body.State |= components.AlignPath
		r.Sequence.Velocity = space.Vec3{2, 0, 0}
	},
	"sleds": func(r *components.Row, _ *mover) {
		r.Body.State |= components.Sledding
		r.Sequence.Velocity = space.Vec3{2, 0, 0}
	},
	"sledding": func(r *components.Row, _ *mover) {
		r.Body.State |= components.Sledding
		r.Body.Velocity = space.Vec3{1, 0, 0}
	},
	"static":     func(r *components.Row, _ *mover) { r.Body.State |= components.Static },
	"lost":       func(r *components.Row, _ *mover) { r.Body.Transient |= components.Lost },
	"ethereal":   func(r *components.Row, _ *mover) { r.Body.Transient |= components.CheckEthereal },
	"falling":    func(r *components.Row, _ *mover) { r.Body.Transient |= components.Falling },
	"jumped":     func(r *components.Row, _ *mover) { r.Body.Transient |= components.JumpedThisFrame },
	"steep":      func(r *components.Row, _ *mover) { r.Body.Transient &^= components.OnWalkable },
	"in the air": func(r *components.Row, _ *mover) { r.Body.Transient &^= components.Contact },
	"inactive":   func(r *components.Row, _ *mover) { r.Body.Transient &^= components.Active },
	"in no cell": func(r *components.Row, _ *mover) { r.Pose.Cell = 0 },
	"thrown":     func(r *components.Row, _ *mover) { r.Body.Velocity = space.Vec3{0, 0, 1} },
	"spun":       func(r *components.Row, _ *mover) { r.Body.Omega = space.Vec3{0, 0, 1} },
	"not unit":   func(r *components.Row, _ *mover) { r.Pose.Frame.Rotation.W *= 1.00001 },
	"on a leash": func(r *components.Row, _ *mover) {
		*r.Leash = components.Leash{Constrained: true, Travelled: 3, Start: 10, Max: 50}
	},
	"held back": func(r *components.Row, _ *mover) {
		*r.Leash = components.Leash{Constrained: true, Travelled: 9.9, Start: 10, Max: 50}
	},
	"held": func(r *components.Row, _ *mover) {
		*r.Leash = components.Leash{Constrained: true, Travelled: 50, Start: 60, Max: 50}
	},
	"at a border":       func(r *components.Row, _ *mover) { r.Pose.Position = spot(119.9, 119.9, 45) },
	"into a block":      func(r *components.Row, _ *mover) { r.Pose.Position = spot(191.95, 191.95, 45) },
	"elsewhere":         func(r *components.Row, _ *mover) { r.Pose.Frame.Origin[0] += 50 },
	"drifting":          func(r *components.Row, _ *mover) { r.Sequence.Velocity = space.Vec3{0, 2, 0} },
	"creeping":          func(r *components.Row, _ *mover) { r.Sequence.Velocity = space.Vec3{0, .004, 0} },
	"flung":             func(r *components.Row, _ *mover) { r.Sequence.Velocity = space.Vec3{0, 0, 3e38} },
	"denormal drift":    func(r *components.Row, _ *mover) { r.Sequence.Velocity = space.Vec3{0, 0, 1e-44} },
	"less than nothing": func(r *components.Row, _ *mover) { r.Pose.Frame.Origin[2] = float32(math.Copysign(0, -1)) },
	"on the spot": func(r *components.Row, _ *mover) {
		n := &r.Sequence.Nodes.Inline[0]
		n.Anim, n.Low, n.High = 0, 0, 0
		r.Sequence.Velocity, r.Sequence.Frame = space.Vec3{}, 0
	},
	"turning":    func(r *components.Row, _ *mover) { r.Sequence.Omega = space.Vec3{0, 0, 1} },
	"backwards":  func(r *components.Row, _ *mover) { r.Sequence.Nodes.Inline[0].Rate *= -1 },
	"slowly":     func(r *components.Row, _ *mover) { r.Sequence.Nodes.Inline[0].Rate /= 100 },
	"in leaps":   func(r *components.Row, _ *mover) { r.Sequence.Nodes.Inline[0].Rate *= 6 },
	"not begun":  func(r *components.Row, _ *mover) { r.Sequence.Nodes.Inline[0].Low = -9; r.Sequence.Frame = -8.5 },
	"grown":      func(_ *components.Row, m *mover) { m.scaleTo(1.25, 0) },
	"growing":    func(r *components.Row, m *mover) { m.scaleTo(1.5, 1) },
	"at its end": func(r *components.Row, _ *mover) { r.Sequence.Frame = float64(r.Sequence.Nodes.Inline[0].High) + .9 },
}

// Who glides comes to what the stages bring him to: view, events and state of every tick are
// those of an engine that takes no short way, whatever else there is about him.
func TestGlidingIsWhatStagesDo(t *testing.T) {
	names := slices.Sorted(maps.Keys(unlikeGliding))
	for _, land := range []string{"none", "flat", "turning"} {
		for i, name := range names {
			t.Run(land+"/"+name, func(t *testing.T) { compareGliding(t, land, name, name) })
			if testing.Short() {
				continue
			}
			for _, other := range names[i+1:] {
				t.Run(land+"/"+name+", "+other, func(t *testing.T) { compareGliding(t, land, name, other) })
			}
		}
	}
}

// compareGliding has two engines, of which one takes no short way, run the same movers, to
// whom this and that happens.
func compareGliding(t *testing.T, land, this, that string) {
	var rigs [2]*rig
	for i := range rigs {
		viewer := spot(100, 100, 0)
		o := Options{AlwaysUpdate: i == 1, Viewer: &viewer}
		if land == "flat" {
			o.Land = collision.NewFlat(0)
		}
		r := newRig(t, o)
		if land == "turning" {
			var err error
			if o.Tables, err = loadTurning(); err != nil {
				t.Fatal(err)
			}
			if r.e, err = New(o); err != nil {
				t.Fatal(err)
			}
		}
		r.unchecked = true // a body is made what none becomes
		r.spawn(human(me, 108, 108))
		r.spawn(creature(me+1, 130, 130))
		r.tick(1)
		for k := range uint32(2) {
			r.move(me+k, does{forward: run, speed: 1.3})
		}
		r.tick(40)
		glid := 0
		for range 9 {
			r.tick(1)
			glid += r.e.workers[0].glided
		}
		if (glid == 0) != (i == 1) {
			t.Fatalf("%d glide", glid)
		}
		rigs[i] = r
	}
	for tick := range 60 {
		if tick%20 == 0 {
			for _, r := range rigs {
				for k := range uint32(2) {
					m := r.mover(me + k)
					unlikeGliding[this](m.row(), m)
					unlikeGliding[that](m.row(), m)
				}
			}
		}
		rigs[0].tick(1)
		rigs[1].tick(1)
		rigs[0].wantViewOf(rigs[1])
		if a, b := rigs[0].e.Events(), rigs[1].e.Events(); !slices.Equal(a, b) {
			t.Fatalf("tick %d: events\n%v\n%v", tick, a, b)
		}
		if a, b := rigs[0].e.Hash(), rigs[1].e.Hash(); a != b {
			t.Fatalf("tick %d: %s", tick, firstDifference(rigs[0].e, rigs[1].e))
		}
	}
}

// loadTurning loads tables that are the fixtures', but that every eighth position frame turns, and every
// eleventh frame spins whoever plays it.
var loadTurning = sync.OnceValues(func() (*dat.Tables, error) {
	records := fstest.MapFS{}
	err := fs.WalkDir(fixtures.FS, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := fs.ReadFile(fixtures.FS, path)
		if a, fails := dat.DecodeAnimation(b); fails == nil && strings.HasPrefix(d.Name(), "03") {
			for k := 3; k < len(a.Positions); k += 8 {
				a.Positions[k].Rotation = space.SetHeading(space.IdentityQuat, 1)
			}
			for k := 5; k < len(a.Frames); k += 11 {
				spin := dat.Hook{Type: dat.HookSetOmega, Payload: make([]byte, 12)}
				binary.LittleEndian.PutUint32(spin.Payload[8:], math.Float32bits(float32(k%2)))
				a.Frames[k].Hooks = append(a.Frames[k].Hooks, spin)
			}
			if b, err = dat.EncodeAnimation(a); err != nil {
				return err
			}
		}
		records[path] = &fstest.MapFile{Data: b}
		return err
	})
	if err != nil {
		return nil, err
	}
	return dat.LoadFolders(records)
})
