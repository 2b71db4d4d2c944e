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
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/systems/position"
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
	"turning":        func(r *components.Row, _ *mover) { r.Sequence.Omega = space.Vec3{0, 0, 1} },
	"backwards":      func(r *components.Row, _ *mover) { r.Sequence.Nodes.Inline[0].Rate *= -1 },
	"slowly":         func(r *components.Row, _ *mover) { r.Sequence.Nodes.Inline[0].Rate /= 100 },
	"in leaps":       func(r *components.Row, _ *mover) { r.Sequence.Nodes.Inline[0].Rate *= 6 },
	"not begun":      func(r *components.Row, _ *mover) { r.Sequence.Nodes.Inline[0].Low = -9; r.Sequence.Frame = -8.5 },
	"grown":          func(_ *components.Row, m *mover) { m.scaleTo(1.25, 0) },
	"growing":        func(r *components.Row, m *mover) { m.scaleTo(1.5, 1) },
	"chasing":        chasing(1.5, .7, 30),
	"close":          chasing(.04, 0, 0),
	"on the way":     chasing(.3, 0, 0),
	"chasing a step": chasing(.06, 0, 0),
	"keeping its heading": func(r *components.Row, m *mover) {
		chasing(1.5, .7, 30)(r, m)
		r.Chase.KeepHeading = true
	},
	"two to chase": func(r *components.Row, m *mover) {
		chasing(1, 1, 30)(r, m)
		chasing(2, 3, 60)(r, m)
	},
	"chasing into a block": func(r *components.Row, m *mover) {
		r.Pose.Position = spot(191.5, 100, 45)
		chasing(2, 0, 90)(r, m)
	},
	"a window ends": func(r *components.Row, m *mover) {
		chasing(3, 0, 0)(r, m)
		r.Chase.FrameCounter, r.Chase.Progress, r.Chase.OriginalDistance = position.ProgressWindow-1, .1, 9
	},
	"stalled": func(r *components.Row, m *mover) {
		chasing(3, 0, 0)(r, m)
		r.Chase.FrameCounter, r.Chase.Progress, r.Chase.OriginalDistance = position.ProgressWindow-1, .1, 3
	},
	"stalled nearby": func(r *components.Row, m *mover) {
		chasing(.15, 0, 0)(r, m)
		r.Chase.FrameCounter, r.Chase.Progress, r.Chase.OriginalDistance = position.ProgressWindow-1, .1, .15
	},
	"too often": func(r *components.Row, m *mover) {
		chasing(3, 0, 0)(r, m)
		r.Chase.Fail = position.FailLimit + 1
	},
	"in vain": func(r *components.Row, m *mover) {
		m.position.StopInterpolating()
		*r.Anchors.BlipTo.Make(&m.w.e.world.Pools.Places) = spot(130, 90, 0)
		r.Chase.Fail = 1
		r.Rest.Busy |= components.Chases
	},
	"as good as there": func(r *components.Row, m *mover) { // and still moves
		chasing(0, 0, 20)(r, m)
		nodes := r.Chase.Queue.Items(&m.w.e.world.Pools.Chase)
		if len(nodes) > 0 {
			nodes[len(nodes)-1].Place.Frame.Origin[2] += position.CloseDistance
		}
	},
	"there, and then to stop": func(r *components.Row, m *mover) {
		chasing(.04, 0, 0)(r, m)
		r.Chase.Queue.Push(&m.w.e.world.Pools.Chase, components.ChaseNode{Kind: components.ChaseStop})
	},
	"there, and then flung": func(r *components.Row, m *mover) {
		chasing(.04, 0, 0)(r, m)
		r.Chase.Queue.Push(&m.w.e.world.Pools.Chase, components.ChaseNode{Kind: components.ChaseVelocity, Velocity: space.Vec3{1, 2, 0}})
	},
	"about to stop": func(r *components.Row, m *mover) {
		r.Chase.Queue.Push(&m.w.e.world.Pools.Chase, components.ChaseNode{Kind: components.ChaseStop})
		r.Rest.Busy |= components.Chases
	},
	"pending": func(r *components.Row, m *mover) {
		p := &m.w.e.world.Pools
		r.Pending.Anims.Push(&p.PendingAnims, components.PendingAnim{Motion: motion.Ready})
		r.Pending.Motions.Push(&p.PendingMotions, components.PendingMotion{Motion: motion.Ready})
		r.Rest.Busy |= components.Pends | components.Waits
	},
	"on its way": func(r *components.Row, m *mover) { // a link, and what waits for it
		p := &m.w.e.world.Pools
		if r.Sequence.Nodes.Len > 4 {
			return
		}
		r.Sequence.Nodes.Insert(&p.Nodes, 0, components.Node{Rate: 30})
		r.Sequence.Curr, r.Sequence.Frame = 0, .5
		r.Pending.Anims.Push(&p.PendingAnims, components.PendingAnim{Motion: motion.Ready, Count: 1})
		r.Pending.Motions.Push(&p.PendingMotions, components.PendingMotion{Motion: motion.Ready})
		r.Rest.Busy |= components.Waits
	},
	"with nothing to play": func(r *components.Row, m *mover) {
		r.Sequence.Nodes.Clear(&m.w.e.world.Pools.Nodes)
		r.Sequence.Curr, r.Sequence.Frame = -1, 0
	},
	"at its end": func(r *components.Row, _ *mover) { r.Sequence.Frame = float64(r.Sequence.Nodes.Inline[0].High) + .9 },
}

// chasing has a body chase a place so far before it and to its right, m, where it is to
// look so much farther to the right, degrees.
func chasing(ahead, right, turn float32) func(r *components.Row, m *mover) {
	return func(r *components.Row, m *mover) {
		if r.Pose.Cell == 0 {
			return
		}
		p := r.Pose.Position
		p.Frame.Origin = space.Add(p.Frame.Origin, space.LocalToGlobalVec(p.Frame.Rotation, space.Vec3{right, ahead, 0}))
		p.Frame.Rotation = space.SetHeading(p.Frame.Rotation, space.Heading(p.Frame.Rotation)+turn)
		p.Normalize()
		r.Chase.Queue.Push(&m.w.e.world.Pools.Chase, components.ChaseNode{Place: p, Kind: components.ChasePosition})
		r.Rest.Busy |= components.Chases
		if r.Chase.Queue.Len == 1 {
			r.Chase.OriginalDistance = position.NoDistance
		}
	}
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
