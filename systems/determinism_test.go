package systems

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/wire"
)

// script makes random inputs, the same for the same seed: every kind of message
// and command, good and stale, spawns and removals.
type script struct {
	*rig  // for its stamps; its engine does nothing
	rng   *rand.Rand
	born  uint32 // guids given out
	crowd bool   // close together, and mostly about each other
}

func newScript(t testing.TB, seed uint64) *script {
	return &script{rig: newRig(t, Options{}), rng: rand.New(rand.NewPCG(seed, 99))}
}

func (s *script) pick(list ...uint32) uint32 { return list[s.rng.IntN(len(list))] }

func (s *script) within(low, high float32) float32 { return low + (high-low)*s.rng.Float32() }

func (s *script) place() space.Position {
	p := spot(s.within(-300, 300), s.within(-300, 300), s.within(0, 360))
	if s.rng.IntN(10) == 0 {
		p.Cell, p.Frame.Origin[2] = 0xA9B40100|space.CellID(s.rng.IntN(4)), s.within(-9, 9)
		p.Frame.Origin[0], p.Frame.Origin[1] = s.within(0, 30), s.within(0, 30)
	}
	return p
}

// near is where a remote that never moved much may be told to be.
func (s *script) near(guid uint32) space.Position {
	if s.crowd {
		return spot(s.within(0, 30), s.within(0, 30), s.within(0, 360))
	}
	r := rand.New(rand.NewPCG(uint64(guid), 5))
	return spot(r.Float32()*200+s.within(-4, 4), r.Float32()*200+s.within(-4, 4), s.within(0, 360))
}

func (s *script) spawned() Spawn {
	s.born++
	guid := s.born * 0x9E3779B1 // in no order
	r := rand.New(rand.NewPCG(uint64(guid), 5))
	v := human(guid, r.Float32()*200, r.Float32()*200)
	if s.crowd {
		v = human(guid, s.within(0, 30), s.within(0, 30))
	}
	switch s.rng.IntN(8) {
	case 0, 1, 2:
		v.MotionTable, v.Setup = creatureTable, creatureSetup
	case 3:
		v.MotionTable, v.Setup = tinyTable, tinySetup
	case 4:
		v.MotionTable, v.Setup = 0, uint32(s.pick(0, humanSetup))
	}
	if s.rng.IntN(5) == 0 {
		v.Place = s.place()
	}
	if s.rng.IntN(6) == 0 {
		v.Contact, v.OnWalkable = false, false
		v.Velocity = space.Vec3{s.within(-5, 5), s.within(-5, 5), s.within(0, 9)}
	}
	if scale := s.within(0.5, 2); scale < 1.25 {
		v.Scale = scale
	}
	v.Game = components.TraitFlags(s.pick(0, uint32(components.HasGame), uint32(v.Game), uint32(v.Game), uint32(v.Game)))
	v.RunRate = s.within(0, 3)
	return v
}

func (s *script) state() does {
	d := does{
		style:   s.pick(motion.NonCombat, motion.NonCombat, motion.NonCombat, motion.HandCombat, motion.SwordCombat, motion.Magic),
		forward: s.pick(ready, ready, ready, walk, run, run, motion.Dead, motion.Crouch, motion.Sitting, motion.WalkBackwards),
		speed:   s.within(-1, 3),
	}
	if s.rng.IntN(3) == 0 {
		d.turn, d.spin = right, s.within(-2, 2)
	}
	if s.rng.IntN(6) == 0 {
		d.sidestep, d.side = motion.SideStepRight, s.within(-2, 2)
	}
	if s.rng.IntN(5) == 0 {
		for range s.rng.IntN(5) {
			a := s.pick(wave, 0x1300007D, 0x1300007E, 0x10000051, 0x10000062, 0x10000068)
			d.actions = append(d.actions, wire.NewAction(wire.CommandIndex(a), uint16(s.rng.IntN(0x8000)), s.rng.IntN(4) == 0, s.within(0.5, 2)))
		}
	}
	return d
}

// input is one of: a message, what a client sends, a command, a spawn, a removal.
type input struct {
	message []byte
	action  []byte // of the client of
	client  uint32
	command *Command
	spawn   *Spawn
	remove  uint32
}

// other is somebody for a remote to be about: a neighbour in order of birth,
// anybody, himself, or nobody there is.
func (s *script) other(guid uint32) uint32 {
	n := guid * 0x0E8B2F51 // the factor's inverse
	switch s.rng.IntN(12) {
	case 0:
		return guid
	case 1:
		return 0x12345678
	case 2, 3, 4:
		n = 1 + s.rng.Uint32N(max(s.born, 1))
	default:
		n += s.pick(1, 2, 0xFFFFFFFF)
	}
	return max(n, 1) * 0x9E3779B1
}

func (s *script) params() components.MoveParams {
	p := motion.DefaultParams()
	if s.rng.IntN(2) == 0 {
		p.Flags = components.ParamFlags(s.rng.Uint32N(1 << 18))
	}
	if s.rng.IntN(2) == 0 {
		p.Flags |= components.ParamSticky
	}
	p.DistanceToObject, p.MinDistance, p.Speed = s.within(0, 3), s.within(0, 2), s.within(0.3, 3)
	p.WalkRunThreshold, p.DesiredHeading = s.within(0, 20), s.within(0, 359)
	if s.rng.IntN(4) == 0 {
		p.FailDistance = s.within(0, 20)
	}
	return p
}

// about is an input that makes remotes read and tell each other: orders, sticks,
// and leaving the world.
func (s *script) about(guid uint32) input {
	if s.rng.IntN(3) == 0 {
		q := s.params()
		c := Command{Guid: guid, Do: DoMoveToObject + Do(s.rng.IntN(int(DoUnstick-DoMoveToObject)+1)), Target: s.other(guid),
			Params: q, Place: s.near(guid), RunRate: s.within(0.5, 3), HasRunRate: s.rng.IntN(2) == 0, Radius: s.within(0, 2)}
		return input{command: &c}
	}
	if n := s.rng.IntN(22); n > 19 {
		c := Command{Guid: guid, Do: DoPickUp + Do(n-20), Target: s.other(guid), Location: s.rng.Uint32N(3)}
		return input{command: &c}
	} else if n == 0 {
		s.places[guid]++
		return input{message: encode(s, &wire.Pickup{Guid: guid, Instance: s.instance[guid], Position: s.places[guid]})}
	} else if n == 1 {
		s.places[guid]++
		holder := s.other(guid)
		return input{message: encode(s, &wire.Parent{Holder: holder, Held: guid, Placement: 0x65,
			HolderInstance: s.instance[holder], HeldPosition: s.places[guid]})}
	}
	m := s.movement(guid, s.state())
	q := s.params()
	w := wire.Params{Flags: uint32(q.Flags), DistanceToObject: q.DistanceToObject, MinDistance: q.MinDistance,
		FailDistance: q.FailDistance, Speed: q.Speed, WalkRunThreshold: q.WalkRunThreshold, DesiredHeading: q.DesiredHeading}
	short := wire.Params{Flags: w.Flags, Speed: w.Speed, DesiredHeading: w.DesiredHeading}
	goal := s.near(guid)
	switch s.rng.IntN(6) {
	case 0, 1:
		m.Body = wire.Body{Type: wire.TypeMoveToObject, Target: s.other(guid), Cell: goal.Cell, Origin: goal.Frame.Origin, Params: w, RunRate: s.within(0.5, 3)}
	case 2:
		m.Body = wire.Body{Type: wire.TypeMoveToPosition, Cell: goal.Cell, Origin: goal.Frame.Origin, Params: w, RunRate: s.within(0.5, 3)}
	case 3:
		m.Body = wire.Body{Type: wire.TypeTurnToObject, Target: s.other(guid), Heading: s.within(0, 359), Params: short}
	case 4:
		m.Body = wire.Body{Type: wire.TypeTurnToHeading, Params: short}
	default:
		m.Body.Sticky = s.other(guid)
	}
	m.Body.Fresh()
	return input{message: encode(s, m)}
}

func (s *script) next() input {
	guid := (1 + s.rng.Uint32N(max(s.born, 1))) * 0x9E3779B1
	if s.rng.IntN(5) == 0 || s.crowd && s.rng.IntN(5) != 0 {
		return s.about(guid)
	}
	switch s.rng.IntN(40) {
	case 0:
		v := s.spawned()
		return input{spawn: &v}
	case 1:
		if s.rng.IntN(3) == 0 {
			return input{remove: guid}
		}
		s.instance[guid]++
		c := creates(guid, s.instance[guid], 0, 0)
		c.Update = s.rng.IntN(4) == 0
		c.Physics.Position = s.place()
		c.Physics.HasBody, c.Physics.Body.State = s.rng.IntN(2) == 0, s.state().state()
		if !c.Physics.HasBody {
			c.Physics.Body = wire.Body{}
		}
		c.Physics.Stamps[wire.SlotMovement], c.Physics.Stamps[wire.SlotPosition] = s.moves[guid], s.places[guid]
		c.Physics.Stamps[wire.SlotState], c.Physics.Stamps[wire.SlotVector] = s.states[guid], s.vectors[guid]
		c.Physics.Stamps[wire.SlotTeleport] = s.teleport[guid]
		c.Physics.Fresh()
		switch s.rng.IntN(4) {
		case 0:
			c.Physics.Parent, c.Physics.ParentLocation = s.other(guid), s.rng.Uint32N(3)
			c.Physics.Fresh()
		case 1:
			c.Physics.Position = space.Position{}
			c.Physics.Fresh()
		}
		if s.rng.IntN(3) == 0 {
			s.instance[guid]-- // nobody knows of it: what is sent next is stale
		}
		return input{message: encode(s, c)}
	case 2:
		return input{message: encode(s, &wire.Delete{Guid: guid, Instance: s.instance[guid]})}
	case 3:
		return input{message: encode(s, s.teleportTo(guid, s.place()))}
	case 4:
		return input{message: encode(s, s.vector(guid, space.Vec3{s.within(-9, 9), s.within(-9, 9), s.within(-9, 9)}, space.Vec3{0, 0, s.within(-1, 1)}))}
	case 5:
		return input{message: encode(s, s.rig.state(guid, components.StateBits(s.pick(uint32(components.DefaultState), uint32(components.DefaultState|components.Hidden),
			uint32(components.DefaultState|components.Frozen), uint32(components.DefaultState|components.Sledding), 0, uint32(components.Static)))))}
	case 6, 7, 8:
		p, m := s.position(guid, s.near(guid)), s.movement(guid, s.state())
		return input{message: encode(s, &wire.PositionMovement{Guid: guid, Pack: p.Pack, Movement: m.Movement, Autonomous: uint8(s.rng.IntN(2)), Body: m.Body})}
	case 9, 10:
		c := Command{Guid: guid, Do: DoInterpreted + Do(s.rng.IntN(int(DoVelocity))), Motion: s.pick(walk, run, right, motion.Crouch, motion.HandCombat, wave),
			Speed: s.within(-2, 2), Hold: components.HoldKey(s.rng.IntN(3)), Place: s.near(guid), Contact: s.rng.IntN(3) > 0, OnWalkable: s.rng.IntN(3) > 0,
			Teleport: s.rng.IntN(4) == 0, Start: s.within(0, 5), Max: s.within(5, 50), Velocity: space.Vec3{s.within(-5, 5), 0, s.within(-5, 5)}}
		c.State, c.Raw = motion.DefaultState(), motion.DefaultRaw()
		c.State.Forward, c.State.ForwardSpeed = s.pick(walk, run, ready), s.within(0, 3)
		c.Raw.Forward = components.Axis{Motion: s.pick(walk, ready), Hold: components.HoldKey(s.rng.IntN(3)), Speed: s.within(-1, 2)}
		return input{command: &c}
	case 11, 12, 13, 14, 15, 16, 17, 18, 19, 20:
		return input{message: encode(s, s.position(guid, s.near(guid)))}
	case 21: // what nobody can read
		b := encode(s, s.movement(guid, s.state()))
		b[s.rng.IntN(len(b))] ^= byte(1 + s.rng.IntN(255))
		return input{message: b}
	case 22:
		s.moves[guid] -= 2
		s.places[guid] -= 2
	}
	return input{message: encode(s, s.movement(guid, s.state()))}
}

// give applies an input to a rig.
func (r *rig) give(in input) (err error) {
	switch {
	case in.message != nil:
		err = r.e.Inbound(in.message)
	case in.action != nil:
		err = r.e.ClientAction(in.client, in.action)
	case in.command != nil:
		err = r.e.Command(*in.command)
	case in.spawn != nil:
		err = r.e.Spawn(*in.spawn)
	default:
		r.e.Remove(in.remove)
	}
	return err
}

func errorText(err error) string { return fmt.Sprint(err) }

// House rule 2: one answer for every number of workers, any chunk, and with
// resting remotes skipped or not: hash, events and outcomes of every tick.
func TestOneAnswer(t *testing.T) {
	ticks, remotes := 80, 250
	if testing.Short() {
		ticks, remotes = 40, 120
	}
	viewer := spot(0, 0, 0)
	for seed, viewed := range []*space.Position{nil, &viewer, nil} {
		s := newScript(t, uint64(seed+1))
		s.crowd = seed == 2
		var rigs []*rig
		var names []string
		for _, workers := range []int{1, 2, 3, 8} {
			for _, chunk := range []int{1, 64, 1024} {
				for _, always := range []bool{false, true} {
					capacity := 0
					if always {
						capacity = 1000
					}
					r := newRig(t, Options{Workers: workers, ChunkRows: chunk, AlwaysUpdate: always, Capacity: capacity, Viewer: viewed, LocalPlayer: 5 * 0x9E3779B1 & 0xFFFFFFFF})
					r.unchecked = len(rigs) > 3 // the others are seen to be the same
					rigs = append(rigs, r)
					names = append(names, fmt.Sprintf("%d workers, chunks of %d, always %v", workers, chunk, always))
				}
			}
		}
		for tick := range ticks {
			n := 6
			if tick == 0 {
				n = remotes
			}
			for range n {
				in := s.next()
				if tick == 0 {
					v := s.spawned()
					in = input{spawn: &v}
				}
				want := rigs[0].give(in)
				for _, r := range rigs[1:] {
					if got := r.give(in); errorText(got) != errorText(want) {
						t.Fatalf("tick %d: %v and %v", tick, got, want)
					}
				}
			}
			if tick%7 == 3 && viewed != nil {
				p := s.place()
				for _, r := range rigs {
					if err := r.e.SetViewer(&p); err != nil {
						t.Fatal(err)
					}
				}
			}
			for i, r := range rigs {
				r.tick(1)
				if u, v := rigs[0].e.View(), r.e.View(); !slices.Equal(u.Cell, v.Cell) || !slices.Equal(u.Origin, v.Origin) ||
					!slices.Equal(u.Rotation, v.Rotation) || !slices.Equal(u.Flags, v.Flags) {
					t.Fatalf("seed %d, tick %d: views of %s and %s", seed, tick, names[0], names[i])
				}
				a, b := rigs[0].e, r.e
				if a.Hash() != b.Hash() {
					t.Fatalf("seed %d, tick %d: %s: hash %016x, %s: %016x: %s", seed, tick, names[0], a.Hash(), names[i], b.Hash(), firstDifference(a, b))
				}
				if !slices.Equal(a.Events(), b.Events()) {
					t.Fatalf("seed %d, tick %d: events of %s and %s:\n%v\n%v", seed, tick, names[0], names[i], a.Events(), b.Events())
				}
				if !slices.EqualFunc(a.Outcomes(), b.Outcomes(), func(x, y Outcome) bool {
					return x.Guid == y.Guid && x.Opcode == y.Opcode && x.Verdict == y.Verdict && errorText(x.Err) == errorText(y.Err)
				}) {
					t.Fatalf("seed %d, tick %d: outcomes of %s and %s:\n%v\n%v", seed, tick, names[0], names[i], a.Outcomes(), b.Outcomes())
				}
			}
		}
		moved, held := 0, 0
		for _, f := range rigs[0].e.View().Flags {
			if f&IsHeld != 0 {
				held++
			}
		}
		if held == 0 && !testing.Short() { // too short for the script to come to it
			t.Error("nothing is held")
		}
		for _, f := range rigs[0].e.View().Flags {
			if f&Moving != 0 {
				moved++
			}
		}
		if n := rigs[0].e.Len(); n < remotes/2 || moved < n/20 || moved == n {
			t.Errorf("%d remotes, of which %d move: no test", n, moved)
		}
	}
}

// firstDifference names a remote in which two engines differ.
func firstDifference(a, b *Engine) (s string) {
	for _, guid := range a.View().Guid {
		var x, y string
		text := func(to *string, e *Engine) func(r *components.Row, p *components.Pools) {
			return func(r *components.Row, p *components.Pools) {
				chase, touch := *r.Chase, *r.Touch
				chase.Queue.Over, touch.Met = 0, components.Box[components.Met]{} // where they lie is no state
				*to = motion.Describe(*r, e.tables, p) + fmt.Sprintf("%+v %+v %+v %+v %+v %+v", *r.Pose, *r.Body, chase, *r.Leash, touch,
					touchedBy(r, p))
			}
		}
		a.Inspect(guid, text(&x, a))
		b.Inspect(guid, text(&y, b))
		if x != y {
			return fmt.Sprintf("0x%08X\n%s\n%s", guid, x, y)
		}
	}
	return "no row differs as text"
}

// touchedBy are those whom a body has met.
func touchedBy(r *components.Row, p *components.Pools) []components.Encounter {
	if met := r.Touch.Met.Get(&p.Mets); met != nil {
		return met.Records.Items(&p.Encounters)
	}
	return nil
}

// House rule 7: what rests is as if it had not rested. Views are compared tick
// by tick with those of an engine that updates everybody, without ever looking at
// the state, which would bring it up to date; the state at the end.
func TestRestIsAsIfItWereNot(t *testing.T) {
	ticks := 900
	if testing.Short() {
		ticks = 300
	}
	for seed := range uint64(3) {
		s := newScript(t, 10+seed)
		rests := newRig(t, Options{ChunkRows: 16})
		always := newRig(t, Options{AlwaysUpdate: true})
		rests.unchecked, always.unchecked = true, true
		most := 0
		for tick := range ticks {
			n := 0
			switch {
			case tick == 0:
				n = 150
			case tick%7 == 0 || tick > 500 && tick < 505:
				n = 3
			}
			for range n {
				in := s.next()
				if tick == 0 {
					v := s.spawned()
					in = input{spawn: &v}
				}
				if in.spawn != nil && tick > 0 || in.remove != 0 {
					if tick%4 != 0 { // rows change seldom: it makes views write all
						continue
					}
				}
				if a, b := rests.give(in), always.give(in); errorText(a) != errorText(b) {
					t.Fatal(a, b)
				}
			}
			rests.tick(1)
			always.tick(1)
			rests.wantViewOf(always)
			if !slices.Equal(rests.e.Events(), always.e.Events()) {
				t.Fatalf("seed %d, tick %d: events\n%v\n%v", seed, tick, rests.e.Events(), always.e.Events())
			}
			resting := 0
			for _, r := range rests.e.world.Columns().Rest {
				if r.Since != 0 {
					resting++
				}
			}
			most = max(most, resting)
		}
		if most < 50 {
			t.Errorf("seed %d: at most %d rest", seed, most)
		}
		if a, b := rests.e.Hash(), always.e.Hash(); a != b {
			t.Errorf("seed %d: %s", seed, firstDifference(rests.e, always.e))
		}
	}
}

// Who is moved at once and rests in the same tick has the distance to the viewer
// taken anew before it rests (11 §4.2).
func TestRestKeepsNoStaleDistance(t *testing.T) {
	viewer := spot(108, 108, 0)
	rests, always := newRig(t, Options{Viewer: &viewer}), newRig(t, Options{Viewer: &viewer, AlwaysUpdate: true})
	for _, r := range []*rig{rests, always} {
		r.spawn(human(me, 108, 108))
		r.tick(1)
		r.command(Command{Guid: me, Do: DoGround})
		r.command(Command{Guid: me, Do: DoGround, Contact: true, OnWalkable: true})
		there := spot(108, 138, 0)
		r.command(Command{Guid: me, Do: DoPosition, Contact: true, Place: there})
		r.command(Command{Guid: me, Do: DoConstrain, Place: there})
	}
	for tick := range 200 {
		rests.tick(1)
		always.tick(1)
		if a, b := rests.e.Hash(), always.e.Hash(); a != b {
			t.Fatalf("tick %d: %s", tick, firstDifference(rests.e, always.e))
		}
	}
	same(t, "rests", rests.row(me).Rest.Since != 0, true)
	same(t, "distance", rests.row(me).Body.PlayerDistance, 30)
}

// A remote that rests for long wakes as if it had never rested, whatever its
// idle plays and at whatever tick it is woken.
func TestLongRest(t *testing.T) {
	spawns := []Spawn{human(me, 108, 108), creature(me+1, 108, 108), human(me+2, 108, 108), human(me+3, 108, 108)}
	spawns[2].MotionTable = 0
	spawns[3].MotionTable, spawns[3].Setup = tinyTable, tinySetup
	for _, hz := range []float64{30, 16, 7} {
		for _, rest := range []int{1, 2, 254, 255, 256, 257, 258, 600, 1111} {
			rests, always := newRig(t, Options{TicksPerSecond: hz}), newRig(t, Options{TicksPerSecond: hz, AlwaysUpdate: true})
			for _, r := range []*rig{rests, always} {
				r.unchecked = true
				for _, s := range spawns {
					r.spawn(s)
				}
				r.command(Command{Guid: me, Do: DoInterpreted, State: motion.State{Style: motion.SwordCombat, Forward: ready, ForwardSpeed: 1.37}})
				r.command(Command{Guid: me + 1, Do: DoInterpreted, State: motion.State{Style: motion.NonCombat, Forward: ready, ForwardSpeed: -0.73}})
			}
			for range 100 + rest {
				rests.tick(1)
				always.tick(1)
				rests.wantViewOf(always)
			}
			for _, r := range rests.e.world.Columns().Rest {
				if r.Since == 0 {
					t.Fatal("somebody does not rest")
				}
			}
			for _, r := range []*rig{rests, always} {
				for _, s := range spawns {
					r.move(s.Guid, does{forward: run})
				}
			}
			for range 30 {
				rests.tick(1)
				always.tick(1)
				rests.wantViewOf(always)
			}
			if rests.e.Hash() != always.e.Hash() {
				t.Fatalf("%v Hz, %d ticks: %s", hz, rest, firstDifference(rests.e, always.e))
			}
		}
	}
}

// Every input wakes a remote at rest, or leaves it as it is; either way nothing
// is lost.
func TestEveryInputWakes(t *testing.T) {
	for name, give := range map[string]func(r *rig){
		"movement":  func(r *rig) { r.move(me, does{forward: walk}) },
		"position":  func(r *rig) { r.place(me, spot(110, 108, 0)) },
		"heading":   func(r *rig) { r.place(me, spot(108, 108, 77)) },
		"teleport":  func(r *rig) { r.send(r.teleportTo(me, spot(50, 50, 0))) },
		"vector":    func(r *rig) { r.send(r.vector(me, space.Vec3{1, 2, 3}, space.Vec3{})) },
		"omega":     func(r *rig) { r.send(r.vector(me, space.Vec3{}, space.Vec3{0, 0, 1})) },
		"state":     func(r *rig) { r.send(r.state(me, 0)) },
		"hidden":    func(r *rig) { r.send(r.state(me, components.DefaultState|components.Hidden)) },
		"frozen":    func(r *rig) { r.send(r.state(me, components.DefaultState|components.Frozen)) },
		"merge":     func(r *rig) { r.send(creates(me, 0, 112, 108)) },
		"stale":     func(r *rig) { m := r.movement(me, does{forward: run}); m.Movement = 0; r.send(m) },
		"turn":      func(r *rig) { r.command(Command{Guid: me, Do: DoMotion, Motion: right, Speed: 1}) },
		"raw":       func(r *rig) { r.command(Command{Guid: me, Do: DoRaw, Raw: motion.DefaultRaw()}) },
		"stop":      func(r *rig) { r.command(Command{Guid: me, Do: DoStopCompletely}) },
		"constrain": func(r *rig) { r.command(Command{Guid: me, Do: DoConstrain, Place: spot(100, 100, 0), Max: 5}) },
		"ground":    func(r *rig) { r.command(Command{Guid: me, Do: DoGround}) },
		"velocity":  func(r *rig) { r.command(Command{Guid: me, Do: DoVelocity, Velocity: space.Vec3{0, 3, 0}}) },
		"not built": func(r *rig) {
			m := r.movement(me, does{})
			m.Body = wire.Body{Type: wire.TypeTurnToHeading, Params: wire.Params{Speed: 1}}
			r.send(m)
		},
		"nothing": func(r *rig) {},
	} {
		rests, always := standing(t, Options{}), standing(t, Options{AlwaysUpdate: true})
		for _, r := range []*rig{rests, always} {
			r.unchecked = true
			r.tick(77)
			if resting := r.e.world.Columns().Rest[0].Since != 0; resting == r.e.options.AlwaysUpdate {
				t.Fatalf("resting %v", resting)
			}
			give(r)
		}
		for range 40 {
			rests.tick(1)
			always.tick(1)
			rests.wantViewOf(always)
		}
		if rests.e.Hash() != always.e.Hash() {
			t.Errorf("%s: %s", name, firstDifference(rests.e, always.e))
		}
	}
}

// Looking at the state changes nothing that follows.
func TestLookingChangesNothing(t *testing.T) {
	seen, unseen := newRig(t, Options{}), newRig(t, Options{})
	seen.unchecked, unseen.unchecked = true, true
	s := newScript(t, 77)
	for tick := range 300 {
		n := 1
		if tick == 0 {
			n = 60
		}
		for range n {
			in := s.next()
			if tick == 0 {
				v := s.spawned()
				in = input{spawn: &v}
			}
			seen.give(in)
			unseen.give(in)
		}
		seen.tick(1)
		unseen.tick(1)
		seen.wantViewOf(unseen)
		switch tick % 3 {
		case 0:
			seen.e.Hash()
		case 1:
			for _, guid := range seen.e.View().Guid[:10] {
				seen.e.Inspect(guid, func(*components.Row, *components.Pools) {})
			}
		case 2:
			if err := seen.e.Check(); err != nil {
				t.Fatal(err)
			}
		}
		seen.wantViewOf(unseen)
	}
	if seen.e.Hash() != unseen.e.Hash() {
		t.Error(firstDifference(seen.e, unseen.e))
	}
}

// The same engine run twice, and inputs given to a later tick, are the same
// inputs: only order and tick count.
func TestSameTwice(t *testing.T) {
	var hashes [2][]uint64
	for i := range hashes {
		s, r := newScript(t, 3), newRig(t, Options{Workers: 2, ChunkRows: 16})
		r.unchecked = true
		for tick := range 80 {
			for range 5 + 100*max(0, 1-tick) {
				in := s.next()
				if s.born < 100 {
					v := s.spawned()
					in = input{spawn: &v}
				}
				r.give(in)
			}
			r.tick(1)
			hashes[i] = append(hashes[i], r.e.Hash())
		}
	}
	if !slices.Equal(hashes[0], hashes[1]) {
		t.Error("two runs differ")
	}
	distinct := slices.Clone(hashes[0])
	slices.Sort(distinct)
	if n := len(slices.Compact(distinct)); n != 80 {
		t.Errorf("%d hashes in 80 ticks", n)
	}
}
