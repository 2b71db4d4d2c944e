package systems

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
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
	"github.com/gait-engine/gait/testdata/fixtures"
	"github.com/gait-engine/gait/wire"
)

// wildFixtures are the fixtures, but that many frames carry hooks that act, and some turn.
var wildFixtures = sync.OnceValues(func() (fs.FS, error) {
	rng := rand.New(rand.NewPCG(3, 3))
	hook := func() dat.Hook {
		a, kind := dat.HookArgs{}, dat.HookScale
		switch rng.IntN(8) {
		case 0:
			kind, a.Axis = dat.HookSetOmega, space.Vec3{0, 0, float32(rng.IntN(3)) - 1}
		case 1:
			kind, a.Flag = dat.HookNoDraw, uint32(rng.IntN(2))
		case 2:
			kind, a.Flag = dat.HookEthereal, uint32(rng.IntN(2))
		case 3:
			a.End, a.Time = []float32{.8, 1, 1, 1.2}[rng.IntN(4)], []float32{0, 0, .2}[rng.IntN(3)]
		default:
			kind = dat.HookSound
		}
		h, err := dat.NewHook(kind, int32(rng.IntN(3)-1), a)
		if err != nil {
			panic(err)
		}
		return h
	}
	records := fstest.MapFS{}
	err := fs.WalkDir(fixtures.FS, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := fs.ReadFile(fixtures.FS, path)
		if a, fails := dat.DecodeAnimation(b); fails == nil && strings.HasPrefix(d.Name(), "03") && rng.IntN(3) > 0 {
			for k := range a.Positions {
				if rng.IntN(12) == 0 {
					a.Positions[k].Rotation = space.SetHeading(space.IdentityQuat, float32(rng.IntN(9)-4))
				}
			}
			for k := range a.Frames {
				for range max(rng.IntN(12)-9, 0) {
					a.Frames[k].Hooks = append(a.Frames[k].Hooks, hook())
				}
			}
			if b, err = dat.EncodeAnimation(a); err != nil {
				return err
			}
		}
		records[path] = &fstest.MapFile{Data: b}
		return err
	})
	return records, err
})

// wildTables are their tables, with land and what to load it from, or all without.
var wildTables = sync.OnceValues(func() (both [2]*dat.Tables, err error) {
	files, err := wildFixtures()
	if err != nil {
		return both, err
	}
	if both[0], err = dat.LoadFolders(files.(fstest.MapFS)); err != nil {
		return both, err
	}
	sources, err := wildSources(files)
	if err != nil {
		return both, err
	}
	both[1], err = dat.LoadLand(sources...)
	return both, err
})

func wildSources(files fs.FS) (sources []dat.Source, err error) {
	for _, dir := range []string{"humanoid", "creature", "land"} {
		s, err := dat.OpenFolder(files, dir)
		if err != nil {
			return nil, err
		}
		sources = append(sources, s)
	}
	return sources, nil
}

// glideOptions are those of an engine for a kind of land: by tables that are wild or not.
func glideOptions(t testing.TB, land string, wild bool) (o Options) {
	t.Helper()
	both, err := wildTables()
	if err != nil {
		t.Fatal(err)
	}
	files, _ := wildFixtures()
	switch {
	case land == "terrain" && wild:
		sources, err := wildSources(files)
		if err != nil {
			t.Fatal(err)
		}
		o.Tables, o.Land = both[1], collision.NewLand(both[1], sources...)
	case land == "terrain":
		tables, err := landTables()
		if err != nil {
			t.Fatal(err)
		}
		sources, _ := landSource()
		o.Tables, o.Land = tables, collision.NewLand(tables, sources...)
	case wild:
		o.Tables = both[0]
	default:
		o.Tables = fixtureTables(t)
	}
	if land == "flat" {
		o.Land = collision.NewFlat(0)
	}
	return o
}

// mostly has most remotes run and be told where they are, every now and then, and all else
// that a script has happen to them seldom.
type mostly struct {
	*script
	ref    *Engine // that it looks at to tell them
	ground float32
	speeds int
	acted  uint32
	still  int // of ten inputs of the script's own so many are none
}

func (s *mostly) input() input {
	views := s.ref.View()
	if views == nil || views.Len() == 0 {
		v := s.spawned()
		return input{spawn: &v}
	}
	i := s.rng.IntN(views.Len())
	guid := views.Guid[i]
	var p space.Position
	s.ref.Inspect(guid, func(r *components.Row, _ *components.Pools) { p = r.Pose.Position })
	switch n := s.rng.IntN(24); {
	case n < 9 && p.Cell != 0:
		reach := []float32{.03, .1, .3, 1, 3, 8, 30, 120}[s.rng.IntN(8)]
		at := space.Position{Cell: p.Cell, Frame: p.Frame}
		at.Frame.Origin[0] += s.within(-reach, reach)
		at.Frame.Origin[1] += s.within(-reach, reach)
		at.Frame.Origin[2] += s.within(-reach, reach) * float32(s.rng.IntN(2)) / 10
		at.Frame.Rotation = space.SetHeading(at.Frame.Rotation, s.within(0, 360))
		if s.rng.IntN(9) == 0 {
			at.Frame.Rotation = p.Frame.Rotation
		}
		at.Normalize()
		if at.Cell == 0 || wire.CheckPlace(&at) != nil {
			break
		}
		if s.rng.IntN(30) == 0 {
			return input{message: encode(s, s.teleportTo(guid, at))}
		}
		return input{message: encode(s, s.position(guid, at))}
	case n < 16:
		d := s.state()
		d.style = motion.NonCombat
		d.forward, d.speed = s.pick(run, run, walk, ready), s.within(.2, 3)
		if s.rng.IntN(20) == 0 {
			d.speed = []float32{0, 1e-6, -1e-6, 12, 1e30, -1e30}[s.rng.IntN(s.speeds)]
		}
		return input{message: encode(s, s.movement(guid, d))}
	case n == 16 && s.rng.IntN(3) == 0:
		c := Command{Guid: guid, Do: DoSetTraits, Game: components.TraitFlags(s.pick(0, uint32(components.HasGame), uint32(components.HasGame|components.HasRunRate))), RunRate: s.within(-1, 4)}
		return input{command: &c}
	case n == 17 && s.rng.IntN(3) == 0:
		c := Command{Guid: guid, Do: []Do{DoJump, DoChargeJump, DoHoldKey, DoHoldRun, DoUnconstrain, DoGround, DoStopCompletely, DoStopMotion}[s.rng.IntN(8)],
			Extent: s.within(0, 1), Hold: components.HoldKey(s.rng.IntN(3)), Contact: s.rng.IntN(4) > 0, OnWalkable: true, Motion: run}
		return input{command: &c}
	case n == 19 && s.rng.IntN(3) == 0:
		return input{message: encode(s, s.rig.state(guid, s.word()))}
	case n == 20 && s.rng.IntN(4) == 0:
		v := s.spawned()
		s.odd(&v)
		s.instance[guid]++
		c := creates(guid, s.instance[guid], 0, 0)
		d := &c.Physics
		d.Position, d.State, d.Setup, d.MotionTable, d.Scale, d.Velocity, d.Omega = v.Place, uint32(v.State), v.Setup, v.MotionTable, v.Scale, v.Velocity, v.Omega
		d.Position.Frame.Origin[2] = s.ground
		c.Update = s.rng.IntN(4) == 0
		d.Stamps[wire.SlotMovement], d.Stamps[wire.SlotPosition], d.Stamps[wire.SlotTeleport] = s.moves[guid], s.places[guid], s.teleport[guid]
		d.Stamps[wire.SlotState], d.Stamps[wire.SlotVector] = s.states[guid], s.vectors[guid]
		d.Fresh()
		return input{message: encode(s, c)}
	case n == 21 && s.rng.IntN(6) == 0:
		return input{message: encode(s, s.vector(guid, space.Vec3{s.within(-5, 5), s.within(-5, 5), s.within(-1, 5)}, space.Vec3{s.within(-3, 3), s.within(-3, 3), s.within(-3, 3)}))}
	case n == 22 && s.rng.IntN(2) == 0 && p.Cell != 0 && wire.CheckPlace(&p) == nil:
		return input{client: guid, action: encode(s, s.acts(guid, p))}
	case n == 18:
		start := s.within(0, 3)
		c := Command{Guid: guid, Do: DoConstrain, Place: p, Start: start, Max: start + s.within(-.5, 3)}
		if c.Check() == nil {
			return input{command: &c}
		}
	}
	if s.rng.IntN(10) < s.still {
		return input{message: encode(s, s.movement(guid, does{forward: run, speed: s.within(.5, 2)}))}
	}
	in := s.next()
	if in.spawn != nil {
		if s.odd(in.spawn); s.ground != 0 {
			in.spawn.Place.Frame.Origin[2] = s.ground
		}
	}
	return in
}

// acts is what the client of somebody sends who stands at a place, or near it.
func (s *mostly) acts(guid uint32, at space.Position) message {
	var q wire.Quad
	s.ref.Inspect(guid, func(r *components.Row, _ *components.Pools) {
		k := &r.Stamps.Slot
		q = wire.Quad{Instance: k[wire.SlotInstance], ServerControl: k[wire.SlotServerControl], Teleport: k[wire.SlotTeleport], ForcePosition: k[wire.SlotForcePosition]}
	})
	s.acted++
	beside := at
	beside.Frame.Origin[0] += s.within(-.3, .3)
	if wire.CheckPlace(&beside) == nil {
		at = beside
	}
	switch s.rng.IntN(4) {
	case 0:
		return &wire.AutonomousPosition{Sequence: s.acted, Stamps: q, Place: at}
	case 1:
		return &wire.Jump{Sequence: s.acted, Stamps: q, Place: at, Extent: s.within(0, 1), Velocity: space.Vec3{s.within(-4, 4), s.within(-4, 4), s.within(0, 9)}}
	}
	x := &wire.MoveToState{Sequence: s.acted, Stamps: q, Place: at, Raw: wire.NewRaw(), Bits: uint8(s.rng.IntN(4))}
	x.Raw.HoldKey, x.Raw.Forward, x.Raw.ForwardSpeed = s.rng.Uint32N(4), s.pick(walk, walk, ready, motion.WalkBackwards), s.within(.5, 2)
	if s.rng.IntN(3) == 0 {
		x.Raw.Turn, x.Raw.TurnSpeed, x.Raw.Sidestep = right, s.within(-2, 2), s.pick(0, motion.SideStepRight)
	}
	if s.rng.IntN(4) == 0 {
		x.Raw.Count = 1
		x.Raw.Actions[0] = wire.NewAction(wire.CommandIndex(wave), uint16(s.acted), true, s.within(.5, 2))
	}
	x.Raw.Fresh()
	return x
}

// odd makes of somebody, now and then, whatever may come over the wire: of any setup, turned over,
// a missile, with any word for its state.
func (s *mostly) odd(v *Spawn) {
	if s.rng.IntN(4) > 0 {
		return
	}
	v.Setup = s.pick(0, humanSetup, 0x02000A01, 0x02000A02, 0x02000A03, 0x02000A04, 0x02000A05, 0x02000A06, 0x02000A07, 0x02000A08,
		0x02000A20, 0x02000A20, 0x02000A30, 0x02000A31, 0x02000A32, 0x02000A32, 0x02000A33, 0x02000A34)
	v.MotionTable = s.pick(0, humanTable, creatureTable)
	v.Scale = []float32{.1, .5, 1, 1, 2, 5}[s.rng.IntN(6)]
	v.State = s.word()
	v.Game = components.TraitFlags(s.rng.Uint32()) & (components.HasGame | components.Creature | components.Player | components.PlayerKiller | components.Impenetrable)
	if s.rng.IntN(3) == 0 {
		v.Omega = space.Vec3{s.within(-2, 2), s.within(-2, 2), s.within(-2, 2)}
		v.Place.Frame.Rotation = space.GRotate(v.Place.Frame.Rotation, space.Vec3{s.within(-2, 2), s.within(-2, 2), 0})
	}
	v.Missile, v.Placed = s.pick(0, 0, s.other(v.Guid)), s.rng.IntN(2) == 0
}

// word is a state word, with any bits that there are.
func (s *mostly) word() components.StateBits {
	w := components.DefaultState
	for range s.rng.IntN(4) {
		w ^= 1 << s.rng.IntN(32)
	}
	if s.rng.IntN(3) == 0 {
		w |= components.HasPhysicsBSP
	}
	return w
}

// differ runs engines of one scene that must not differ from each other.
func differ(t *testing.T, seed uint64, land string, wild bool, ticks, remotes int, mess bool) {
	rng := rand.New(rand.NewPCG(seed, 77))
	var viewer *space.Position
	if rng.IntN(2) == 0 {
		p := spot(rng.Float32()*200, rng.Float32()*200, 0)
		viewer = &p
	}
	names := slices.Sorted(maps.Keys(unlikeGliding))
	if land != "none" { // else he does not stand where the crowd has him
		names = slices.DeleteFunc(names, func(name string) bool {
			return slices.Contains([]string{"at a border", "into a block", "elsewhere", "in no cell", "lost", "chasing into a block", "less than nothing"}, name)
		})
	}
	tps := []float64{30, 30, 30, 10, 60, 7, .5, 1000}[rng.IntN(8)]
	retail := rng.IntN(5) == 0
	var unknown *Spawn
	if rng.IntN(3) == 0 {
		v := human(0, 0, 0)
		unknown = &v
	}
	ways := []Options{{AlwaysUpdate: true}, {ChunkRows: 1}, {Workers: 3, ChunkRows: 7}, {Workers: 3}, {Workers: 2, ChunkRows: 7, AlwaysUpdate: true}}
	var rigs []*rig
	for _, w := range ways {
		o := glideOptions(t, land, wild)
		o.Workers, o.ChunkRows, o.AlwaysUpdate, o.Viewer, o.TicksPerSecond = w.Workers, w.ChunkRows, w.AlwaysUpdate, viewer, tps
		o.Reports, o.Refresh, o.RetailClock, o.Unknown = true, 1, retail, unknown
		o.LocalPlayer = 5 * 0x9E3779B1 & 0xFFFFFFFF
		if land == "terrain" && w.ChunkRows == 7 { // no block is kept that a tick does without
			o.Land.Limit(0)
		}
		r := newRig(t, Options{})
		e, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		r.e, r.unchecked = e, true
		rigs = append(rigs, r)
	}
	var tape Tape // of the first, which nobody else's state takes the place of
	first := rigs[0].e
	first.Record(&tape)
	s := &mostly{script: newScript(t, seed), ref: rigs[0].e}
	if land == "terrain" {
		s.ground = 100.1
	}
	s.speeds = 6
	s.still = []int{0, 8, 10, 10}[rng.IntN(4)]
	s.crowd = rng.IntN(4) == 0
	glid, pursued, fired, awake, outs := 0, 0, 0, 0, 0
	var history []given
	now := 1.0 // by the retail clock
	for tick := range ticks {
		n := rng.IntN(4)
		if tick == 0 {
			n = remotes
		}
		if rng.IntN(12) == 0 {
			n += 8
		}
		for range n {
			in := input{}
			if tick == 0 {
				v := s.spawned()
				v.Place.Frame.Origin[2] = max(s.ground, 0)
				if s.still > 0 {
					v.MotionTable, v.Setup = humanTable, humanSetup
					if rng.IntN(3) == 0 {
						v.MotionTable, v.Setup = creatureTable, creatureSetup
					}
				}
				s.odd(&v)
				if rng.IntN(3) == 0 {
					v.Owned = []Ownership{Remote, OwnedMonster, OwnedPlayer}[rng.IntN(3)]
				}
				in = input{spawn: &v}
			} else {
				in = s.input()
			}
			history = append(history, given{tick, in})
			want := rigs[0].give(in)
			for _, r := range rigs[1:] {
				if got := r.give(in); errorText(got) != errorText(want) {
					t.Fatalf("tick %d: %v and %v", tick, got, want)
				}
			}
		}
		if viewer != nil && rng.IntN(9) == 0 {
			p := spot(rng.Float32()*200, rng.Float32()*200, 0)
			for _, r := range rigs {
				if err := r.e.SetViewer(&p); err != nil {
					t.Fatal(err)
				}
			}
		}
		did := ""
		if mess && tick > 0 && rng.IntN(3) == 0 {
			view := rigs[0].e.View()
			guid, what := view.Guid[rng.IntN(view.Len())], names[rng.IntN(len(names))]
			did = fmt.Sprintf("0x%08X %s", guid, what)
			for _, r := range rigs {
				if m := r.mover(guid); m.row().Pose.Cell != 0 && m.row().Sequence.Nodes.Len > 0 && m.row().Rest.Busy&(components.Pends|components.MovingTo|components.Owned) == 0 {
					if m.row().Sequence.Nodes.Len < 3 {
						unlikeGliding[what](m.row(), m)
						m.noted()
					}
				}
				r.e.workers[0].mover.lose()
			}
		}
		if rng.IntN(25) == 0 { // one goes on from a snapshot, of another, in another way
			from, to := rng.IntN(len(rigs)), rng.IntN(len(rigs))
			var b bytes.Buffer
			if err := rigs[from].e.Snapshot(&b); err != nil {
				t.Fatal(err)
			}
			o := rigs[to].e.options
			o.Land = glideOptions(t, land, wild).Land
			e, err := Restore(o, &b)
			if err != nil && mess {
				continue
			} else if err != nil {
				t.Fatalf("seed %d, tick %d: %v", seed, tick, err)
			}
			rigs[to].e = e
			s.ref = rigs[0].e
		}
		now += []float64{.002, .01, .033, .05, .15, .7}[rng.IntN(6)]
		ticked := true
		for i, r := range rigs {
			if retail {
				if ran, err := r.e.AdvanceTo(now); i == 0 {
					ticked = ran
				} else if ran != ticked || err != nil {
					t.Fatalf("seed %d, tick %d, way %d: ticked %t, %v", seed, tick, i, ran, err)
				}
			} else {
				r.tick(1)
			}
			if !mess && (tick%9 == 0 || rng.IntN(30) == 0) {
				if err := r.e.Check(); err != nil {
					for _, x := range history {
						if strings.Contains(err.Error(), fmt.Sprintf("0x%08X", x.guid())) {
							t.Logf("%d: %+v %+v %x", x.tick, x.command, x.spawn, x.message)
						}
					}
					t.Fatalf("seed %d, tick %d, way %d: %v", seed, tick, i, err)
				}
			}
			if ways[i].ChunkRows == 0 && !ways[i].AlwaysUpdate { // all in one chunk
				for k := range r.e.workers {
					glid += r.e.workers[k].glided
					pursued += r.e.workers[k].pursued
				}
				awake += r.e.Len()
				for _, ev := range r.e.Events() {
					if ev.Kind == HookFired {
						fired++
					}
				}
			}
		}
		if !ticked { // one that was restored tells nothing of the tick before
			continue
		}
		hashed := rng.IntN(6) == 0 || tick == ticks-1 || mess
		for i, r := range rigs[1:] {
			name := fmt.Sprintf("seed %d, tick %d (%s): way %d", seed, tick, did, i+1)
			a, b := rigs[0].e, r.e
			if x, y := a.Events(), b.Events(); !slices.Equal(x, y) {
				t.Fatalf("%s: events\n%v\n%v", name, x, y)
			}
			if !slices.EqualFunc(a.Outcomes(), b.Outcomes(), func(x, y Outcome) bool {
				return x.Guid == y.Guid && x.Verdict == y.Verdict && errorText(x.Err) == errorText(y.Err)
			}) {
				t.Fatalf("%s: outcomes\n%v\n%v", name, a.Outcomes(), b.Outcomes())
			}
			same := func(x, y Out) bool {
				return x.Guid == y.Guid && bytes.Equal(x.Message, y.Message) && errorText(x.Err) == errorText(y.Err)
			}
			if !slices.EqualFunc(a.Outbound(), b.Outbound(), same) || !slices.EqualFunc(a.Reports(), b.Reports(), same) {
				t.Fatalf("%s: messages\n%v\n%v", name, a.Outbound(), b.Outbound())
			}
			outs += len(a.Outbound()) + len(a.Reports())
			if hashed && a.Hash() != b.Hash() {
				t.Fatalf("%s: %s", name, firstDifference(a, b))
			}
		}
		for _, r := range rigs[1:] {
			r.wantViewOf(rigs[0])
		}
	}
	if !mess && rigs[0].e == first {
		o := rigs[3].e.options
		o.Land, o.Viewer = glideOptions(t, land, wild).Land, viewer
		e, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Play(tape.Bytes(), nil); err != nil || e.Hash() != first.Hash() {
			t.Fatalf("seed %d: played once more: %v, %s", seed, err, firstDifference(first, e))
		}
	}
	t.Logf("%d glide of %d, %d chase, %d hooks, %d messages", glid, awake, pursued, fired, outs)
}

// Whatever happens to those who glide, in whatever engine, restored or not, it comes to
// what the stages come to.
func TestGlidingAtRandom(t *testing.T) {
	seeds := uint64(2)
	if testing.Short() {
		seeds = 1
	}
	if glideSeed > 0 {
		seeds = 100
	}
	for _, land := range []string{"none", "flat", "terrain"} {
		for _, wild := range []bool{false, true} {
			for _, mess := range []bool{false, true} {
				for seed := range seeds {
					t.Run(fmt.Sprintf("%s/wild %v/mess %v/%d", land, wild, mess, seed), func(t *testing.T) {
						differ(t, glideSeed+seed, land, wild, 150, 25, mess)
					})
				}
			}
		}
	}
}

// glideSeed is from which seed on to try a hundred, for who looks for more than the few: GLIDE=1000 go test.
var glideSeed = func() (n uint64) { fmt.Sscan(os.Getenv("GLIDE"), &n); return n }()

// A step out of the land, from a block that there is into one that there is not, leaves the
// body lost, but stored in that block's cell: what is written of it is taken back.
func TestSpec11_8_WalkingOutOfTheLand(t *testing.T) {
	r := onLand(t, Options{AlwaysUpdate: true, TicksPerSecond: 7})
	s := stander(me, 11.26, 3, 100.1, 175)
	s.Scale = .85
	r.spawn(s)
	r.tick(1)
	r.move(me, does{forward: run, speed: 10})
	r.tick(9)
	var b bytes.Buffer
	if err := r.e.Snapshot(&b); err != nil {
		t.Fatal(err)
	}
	if _, err := Restore(r.e.options, &b); err != nil {
		t.Error(err)
	}
}

type given struct {
	tick int
	input
}

func (g *given) guid() uint32 {
	switch {
	case g.action != nil:
		return g.client
	case g.message != nil:
		guid, _ := wire.Guid(g.message)
		return guid
	case g.command != nil:
		return g.command.Guid
	case g.spawn != nil:
		return g.spawn.Guid
	}
	return g.remove
}
