package scenario

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/ecs"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/systems/position"
	"github.com/gait-engine/gait/wire"
)

// A thousand random scenarios: some movers who are about each other, any event
// at any tick, by command and by message, with objects that come and go. Each
// keeps every invariant in every tick, gives one answer however it is run, and
// ends with queues in bounds. One that fails is shrunk and printed; kept as
// testdata/shrunk/*.json it is run for ever.
func TestThousandRandomScenarios(t *testing.T) {
	n := uint64(1000)
	if testing.Short() {
		n = 50
	}
	const lots = 20 // subtests
	for lot := range uint64(lots) {
		t.Run(fmt.Sprint(lot), func(t *testing.T) {
			t.Parallel()
			for seed := lot + 1; seed <= n; seed += lots {
				s := random(seed)
				if err := sound(t, s); err != nil {
					s = shrink(t, s)
					file := *s
					file.Tables = filepath.Join("..", "fixtures", filepath.Base(s.Tables))
					t.Fatalf("seed %d: %v\nshrunk to %d entities and %d events: %v\n%s", seed, err, len(s.Entities), len(s.Events), sound(t, s), encode(&file))
				}
			}
		})
	}
}

// TestShrunkScenarios runs what once failed.
func TestShrunkScenarios(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(testdata, "shrunk", "*.json"))
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		s, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := sound(t, s); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Random scenarios are what they are meant to be: a seed gives one; as a file it
// is the same; and they do make movers go, stick, arrive, come and go.
func TestRandomScenariosAreScenarios(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine")
	}
	seen := map[string]int{}
	for seed := uint64(1); seed <= 120; seed++ {
		s := random(seed)
		b := encode(s)
		if !bytes.Equal(b, encode(random(seed))) {
			t.Fatalf("seed %d gives two scenarios", seed)
		}
		again, err := Parse(b)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		w, g := hashes(t, s, Options{}), hashes(t, again, Options{})
		if !slices.Equal(w, g) {
			t.Errorf("seed %d: another scenario when read from a file", seed)
		}
		err = Run(s, tables(t, s), Options{AfterTick: func(e *systems.Engine) error {
			for _, ev := range e.Events() {
				switch {
				case ev.Kind == systems.MoveToEnded:
					seen[fmt.Sprintf("order %d ends with %#x", ev.Motion, ev.Code)]++
				case ev.Kind == systems.TargetTold:
					seen[fmt.Sprint("told ", ev.Code)]++
				case ev.Kind == systems.Entered || ev.Kind == systems.Left || ev.Kind == systems.CellChanged && ev.To.Cell == 0:
					seen[ev.Kind.String()]++
				}
			}
			for _, o := range e.Outcomes() {
				if o.Opcode != 0 {
					seen[fmt.Sprintf("%#x %v", o.Opcode, o.Verdict)]++
				}
			}
			return nil
		}}, nil)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	for _, want := range []string{
		"order 6 ends with 0x0", "order 6 ends with 0x36", "order 6 ends with 0x37", "order 7 ends with 0x0", "order 8 ends with 0x0", "order 9 ends with 0x0",
		"told 1", "told 2", "told 3", "told 4", "told 5",
		"0xf74c applied", "0xf74c parked", "0xf748 applied", "0xf748 stale", "0xf745 applied", "0xf747 applied", "0xf749 applied", "0xf749 parked", "0xf74a applied",
		"cell changed", "entered", "left",
	} {
		if seen[want] == 0 {
			t.Errorf("%s: never", want)
		}
	}
}

// ways to run that must not matter.
var ways = []Options{
	{Workers: 1, ChunkRows: 1024, AlwaysUpdate: true},
	{Workers: 1, ChunkRows: 1},
	{Workers: 2, ChunkRows: 1, AlwaysUpdate: true},
	{Workers: 3, ChunkRows: 2},
	{Workers: 8, ChunkRows: 1},
	{Workers: 8, ChunkRows: 64},
}

// sound runs a scenario in every way and returns what is wrong with it.
func sound(t testing.TB, s *Scenario) error {
	var want []uint64
	var last *systems.Engine
	o := Options{AfterTick: func(e *systems.Engine) error {
		want, last = append(want, digest(e)), e
		if err := e.Check(); err != nil {
			return fmt.Errorf("tick %d: %w", e.Now(), err)
		}
		return nil
	}}
	if err := Run(s, tables(t, s), o, nil); err != nil {
		return err
	}
	if err := bounded(s, last); err != nil {
		return err
	}
	for _, o := range ways {
		tick := 0
		differs := fmt.Errorf("%d workers, chunks of %d, always %v: another answer", o.Workers, o.ChunkRows, o.AlwaysUpdate)
		o.AfterTick = func(e *systems.Engine) error {
			if tick++; digest(e) != want[tick-1] {
				return fmt.Errorf("tick %d: %w", tick, differs)
			}
			return nil
		}
		if err := Run(s, tables(t, s), o, nil); err != nil {
			return err
		}
	}
	return nil
}

// digest is the state and all that was told.
func digest(e *systems.Engine) uint64 {
	var h ecs.Hash
	h.U64(e.Hash())
	for _, v := range e.Events() {
		for _, n := range [...]uint32{v.Guid, uint32(v.Kind), v.Motion, v.Anim, uint32(v.Frame), uint32(v.Hook), v.Other, v.Code, uint32(v.From.Cell), uint32(v.To.Cell)} {
			h.U32(n)
		}
		h.Bool(v.Success)
		h.Vec(v.From.Origin)
		h.Vec(v.To.Origin)
	}
	for _, o := range e.Outcomes() {
		h.U32(o.Guid)
		h.U32(o.Opcode)
		h.U32(uint32(o.Verdict))
	}
	return h.Sum()
}

// bounded looks at every queue: nothing grows but by an event.
func bounded(s *Scenario, e *systems.Engine) (err error) {
	room := uint32(8*len(s.Events) + 16)
	for _, guid := range e.View().Guid {
		e.Inspect(guid, func(r *components.Row, p *components.Pools) {
			raw := r.RawState(p)
			for name, q := range map[string][2]uint32{
				"chase": {r.Chase.Queue.Len, position.QueueCapacity}, "animations": {r.Sequence.Nodes.Len, room},
				"pending animations": {r.Pending.Anims.Len, room}, "pending motions": {r.Pending.Motions.Len, room},
				"actions":   {r.Interpreted.Actions.Len + raw.Actions.Len + r.MotionState.Actions.Len, 3 * room},
				"modifiers": {r.MotionState.Modifiers.Len, 2}, "voyeurs": {uint32(len(r.Errand.Voyeurs(p))), uint32(e.Len())},
			} {
				if q[0] > q[1] {
					err = errors.Join(err, fmt.Errorf("0x%08X ends with %d %s", guid, q[0], name))
				}
			}
		})
	}
	if n, _, _ := e.ParkedCount(); n > wire.MaxParkedPerGuid*(len(s.Entities)+people) {
		err = errors.Join(err, fmt.Errorf("%d messages wait", n))
	}
	return err
}

// shrink takes out whatever it fails without.
func shrink(t testing.TB, s *Scenario) *Scenario {
	best := *s
	for size := len(best.Events); size > 0; size /= 2 {
		for at := 0; at+size <= len(best.Events); {
			c := best
			c.Events = slices.Delete(slices.Clone(best.Events), at, at+size)
			if sound(t, &c) != nil {
				best = c
			} else {
				at += size
			}
		}
	}
	for at := len(best.Entities) - 1; at > 0; at-- {
		c := best
		guid := best.Entities[at].Guid
		c.Entities = slices.Delete(slices.Clone(best.Entities), at, at+1)
		named := func(e Event) bool { return e.Command.Guid == guid }
		if !slices.ContainsFunc(c.Events, named) && sound(t, &c) != nil {
			best = c
		}
	}
	for best.Ticks > 1 {
		c := best
		c.Ticks--
		if len(c.Events) > 0 && c.Events[len(c.Events)-1].Tick > c.Ticks || sound(t, &c) == nil {
			break
		}
		best = c
	}
	return &best
}

// people is how many guids there are beside the entities: those come and go by messages.
const people = 3

// author makes one scenario up.
type author struct {
	*rand.Rand
	s     *Scenario
	table uint32
	setup uint32
	edge  bool // at the edge of the world

	instance, moves, places, states, vectors, teleports map[uint32]uint16
}

// random is the scenario of a seed.
func random(seed uint64) *Scenario {
	a := &author{Rand: rand.New(rand.NewPCG(seed, 1000))}
	for _, m := range []*map[uint32]uint16{&a.instance, &a.moves, &a.places, &a.states, &a.vectors, &a.teleports} {
		*m = map[uint32]uint16{}
	}
	world := []struct {
		name         string
		table, setup uint32
	}{{"humanoid", 0x09000001, 0x02000001}, {"creature", 0x09000007, 0x02000007}, {"tiny", 0x09000100, 0x02000100}}[a.IntN(3)]
	a.table, a.setup = world.table, world.setup
	a.edge = a.IntN(6) == 0
	a.s = &Scenario{
		Name: fmt.Sprint("random-", seed), Tables: filepath.Join(testdata, "fixtures", world.name),
		TickHz: []float64{30, 30, 30, 16, 10, 7}[a.IntN(6)], Ticks: 20 + a.IntN(60),
	}
	if a.IntN(5) == 0 {
		viewer := a.place()
		viewer.Frame.Rotation = space.IdentityQuat
		a.s.Viewer = &viewer
	}
	for i := range 2 + a.IntN(5) {
		e := systems.NewSpawn(0x50000001+uint32(a.IntN(7)+7*i), a.place()) // their order of rows is any, with those who come
		e.MotionTable, e.Setup = a.table, a.setup
		e.Scale, e.RunRate = a.within(0.5, 2), a.within(0, 3)
		if a.IntN(8) == 0 {
			e.Contact, e.OnWalkable = false, false
		}
		if a.IntN(8) == 0 {
			e.State &^= components.Gravity
		}
		if a.IntN(8) == 0 {
			e.Game &^= components.HasRunRate
			e.RunRate = 1 // not read
		}
		a.s.Entities = append(a.s.Entities, e)
	}
	ticks := make([]int, 3+a.IntN(40))
	if a.IntN(4) == 0 { // time to rest between them
		a.s.Ticks = 100 + a.IntN(150)
		ticks = ticks[:3+len(ticks)/8]
	}
	for i := range ticks {
		ticks[i] = 1 + a.IntN(a.s.Ticks)
	}
	slices.Sort(ticks)
	for i, tick := range ticks {
		e := Event{Index: i, Tick: tick}
		if a.IntN(2) == 0 {
			a.command(&e)
		} else {
			e.Do, e.Message = "wire", a.message()
			e.Command.Guid = a.s.Entities[0].Guid
		}
		a.s.Events = append(a.s.Events, e)
	}
	return a.s
}

func (a *author) within(low, high float32) float32 { return low + (high-low)*a.Float32() }

func pick[T any](a *author, list ...T) T { return list[a.IntN(len(list))] }

// place is within a few metres of all others.
func (a *author) place() space.Position {
	p := space.Position{Cell: 0xA9B40001, Frame: space.Frame{
		Origin:   space.Vec3{a.within(95, 110), a.within(95, 110), 0},
		Rotation: space.SetHeading(space.IdentityQuat, a.within(0, 359)),
	}}
	switch {
	case a.edge: // the last block northwards
		p.Cell, p.Frame.Origin[1] = 0xA9FE0001, a.within(180, 191.9)
		p.Frame.Rotation = space.SetHeading(space.IdentityQuat, a.within(0, 40))
	case a.IntN(12) == 0: // another one
		p.Frame.Origin[0] = a.within(-90, 290)
	}
	p.Normalize()
	return p
}

// entity is one of the entities, and anybody one of those who come and go, too.
func (a *author) entity() uint32 { return a.s.Entities[a.IntN(len(a.s.Entities))].Guid }

func (a *author) anybody() uint32 {
	if a.IntN(3) == 0 {
		return 0x5000000A + 9*a.Uint32N(people)
	}
	return a.entity()
}

func (a *author) motion() uint32 {
	if a.edge && a.IntN(2) == 0 {
		return motion.RunForward
	}
	return pick(a, motion.Ready, motion.WalkForward, motion.RunForward, motion.WalkBackwards, motion.TurnRight, motion.TurnLeft,
		motion.SideStepRight, motion.Crouch, motion.Dead, motion.HandCombat, motion.NonCombat, 0x13000087, 0x10000051)
}

func (a *author) speed() float32 { return pick(a, 1, 1, a.within(-1, 3), 0) }

func (a *author) params() components.MoveParams {
	p := motion.DefaultParams()
	if a.IntN(3) == 0 {
		p.Flags = components.ParamFlags(a.Uint32N(1 << 18))
	}
	if a.IntN(2) == 0 {
		p.Flags |= components.ParamSticky
	}
	p.DistanceToObject, p.MinDistance, p.Speed = a.within(0, 3), a.within(0, 2), a.within(0.3, 3)
	p.WalkRunThreshold, p.DesiredHeading = a.within(0, 20), a.within(0, 359)
	if a.IntN(4) == 0 {
		p.FailDistance = a.within(0, 20)
	}
	return p
}

// command makes up any command for an entity.
func (a *author) command(e *Event) {
	names := []string{"interpreted", "raw", "do_motion", "stop_motion", "stop_completely", "position", "constrain", "unconstrain", "ground", "velocity",
		"move_to_object", "move_to_position", "turn_to_object", "turn_to_heading", "stick", "unstick"}
	do := a.IntN(len(names) + 12)
	if do >= len(names) { // mostly about each other
		do = pick(a, 10, 10, 10, 11, 12, 13, 14, 14, 14, 0)
	}
	e.Do = names[do]
	c := &e.Command
	c.Guid, c.Do = a.entity(), systems.DoInterpreted+systems.Do(do)
	switch c.Do {
	case systems.DoInterpreted:
		c.State = motion.DefaultState()
		c.State.Forward, c.State.ForwardSpeed = a.motion(), a.speed()
		if a.IntN(3) == 0 {
			c.State.Turn, c.State.TurnSpeed = motion.TurnRight, a.speed()
		}
		if a.IntN(3) == 0 {
			c.Actions = []components.Action{{Motion: 0x13000087, Stamp: uint16(a.IntN(0x8000)), Speed: 1}}
		}
	case systems.DoRaw:
		c.Raw = motion.DefaultRaw()
		c.Raw.Forward = components.Axis{Motion: a.motion(), Hold: components.HoldKey(a.IntN(3)), Speed: a.speed()}
	case systems.DoMotion, systems.DoStopMotion:
		c.Motion, c.Speed, c.Hold = a.motion(), a.speed(), components.HoldKey(a.IntN(3))
	case systems.DoPosition:
		c.Place, c.Contact, c.Teleport = a.place(), a.IntN(4) > 0, a.IntN(5) == 0
	case systems.DoConstrain:
		c.Place, c.Start, c.Max = a.place(), a.within(0, 5), a.within(5, 50)
		c.Place.Frame.Rotation = space.IdentityQuat
	case systems.DoGround:
		c.Contact, c.OnWalkable = a.IntN(3) > 0, a.IntN(3) > 0
	case systems.DoVelocity:
		c.Velocity = space.Vec3{a.within(-9, 9), a.within(-9, 9), a.within(-9, 9)}
	case systems.DoMoveToObject, systems.DoMoveToPosition, systems.DoTurnToObject, systems.DoTurnToHeading:
		c.Params = a.params()
		if c.Do == systems.DoMoveToPosition {
			c.Place = a.place()
		}
		if c.Do == systems.DoMoveToObject || c.Do == systems.DoTurnToObject {
			c.Target = a.anybody()
		}
		c.RunRate, c.HasRunRate = a.within(0.5, 3), a.IntN(2) == 0
	case systems.DoStick:
		c.Target, c.Radius, c.Height = a.anybody(), a.within(0, 2), 1
	}
}

// next is the next stamp of a guid, now and then one that is not newer.
func (a *author) next(stamps map[uint32]uint16, guid uint32) uint16 {
	if a.IntN(12) == 0 {
		return stamps[guid]
	}
	stamps[guid]++
	return stamps[guid]
}

// message makes up any message, for entities and for those who come and go;
// those alone are deleted, so that commands find whom they name.
func (a *author) message() []byte {
	guid := a.anybody()
	fleeting := !slices.ContainsFunc(a.s.Entities, func(e systems.Spawn) bool { return e.Guid == guid })
	var m interface {
		Append([]byte) ([]byte, error)
	}
	kind := a.IntN(16)
	switch {
	case fleeting && (kind < 3 || a.instance[guid] == 0 && kind < 12):
		m = a.create(guid)
	case fleeting && kind < 5:
		m = &wire.Delete{Guid: guid, Instance: a.instance[guid]}
	case kind == 8:
		m = &wire.Pickup{Guid: guid, Instance: a.instance[guid], Position: a.next(a.places, guid)}
	case kind == 9:
		holder := a.anybody()
		m = &wire.Parent{Holder: holder, Held: guid, Placement: 0x65, HolderInstance: a.instance[holder], HeldPosition: a.next(a.places, guid)}
	case kind == 10:
		m = &wire.VectorUpdate{Guid: guid, Velocity: space.Vec3{a.within(-5, 5), 0, a.within(0, 5)}, Instance: a.instance[guid], Vector: a.next(a.vectors, guid)}
	case kind == 11:
		state := pick(a, components.DefaultState, components.DefaultState, components.DefaultState|components.Hidden, components.DefaultState|components.Frozen)
		m = &wire.SetState{Guid: guid, State: uint32(state), Instance: a.instance[guid], Stamp: a.next(a.states, guid)}
	case kind > 11:
		p := &wire.PositionEvent{Guid: guid}
		p.Pack.Place, p.Pack.Flags = a.place(), wire.PackContact
		p.Pack.Instance, p.Pack.Position = a.instance[guid], a.next(a.places, guid)
		if a.IntN(6) == 0 {
			a.teleports[guid]++
		}
		p.Pack.Teleport = a.teleports[guid]
		p.Pack.Fresh()
		m = p
	default:
		m = &wire.Movement{Guid: guid, Instance: a.instance[guid], Movement: a.next(a.moves, guid), Body: a.body()}
	}
	b, err := m.Append(nil)
	if err != nil {
		panic("made up a message that is none: " + err.Error())
	}
	return b
}

func (a *author) create(guid uint32) *wire.Create {
	if a.IntN(3) > 0 {
		a.instance[guid]++
	}
	d := wire.NewDescriptor()
	d.State = uint32(components.DefaultState)
	d.Position = a.place()
	d.MotionTable, d.Setup = a.table, a.setup
	if a.IntN(2) == 0 {
		d.HasBody, d.Body = true, a.body()
	}
	d.Stamps[wire.SlotInstance] = a.instance[guid]
	d.Stamps[wire.SlotMovement], d.Stamps[wire.SlotPosition] = a.moves[guid], a.places[guid]
	d.Stamps[wire.SlotState], d.Stamps[wire.SlotVector], d.Stamps[wire.SlotTeleport] = a.states[guid], a.vectors[guid], a.teleports[guid]
	d.Fresh()
	return &wire.Create{Guid: guid, Physics: d, Update: a.IntN(6) == 0}
}

// body is any movement.
func (a *author) body() wire.Body {
	p := a.params()
	long := wire.Params{Flags: uint32(p.Flags), DistanceToObject: p.DistanceToObject, MinDistance: p.MinDistance,
		FailDistance: p.FailDistance, Speed: p.Speed, WalkRunThreshold: p.WalkRunThreshold, DesiredHeading: p.DesiredHeading}
	short := wire.Params{Flags: long.Flags, Speed: long.Speed, DesiredHeading: long.DesiredHeading}
	goal := a.place()
	style := wire.CommandIndex(motion.NonCombat)
	switch a.IntN(7) {
	case 0, 1:
		return wire.Body{Type: wire.TypeMoveToObject, Style: style, Target: a.anybody(), Cell: goal.Cell, Origin: goal.Frame.Origin, Params: long, RunRate: 1}
	case 2:
		return wire.Body{Type: wire.TypeMoveToPosition, Style: style, Cell: goal.Cell, Origin: goal.Frame.Origin, Params: long, RunRate: 1}
	case 3:
		return wire.Body{Type: wire.TypeTurnToObject, Style: style, Target: a.anybody(), Heading: a.within(0, 359), Params: short}
	case 4:
		return wire.Body{Type: wire.TypeTurnToHeading, Style: style, Params: short}
	}
	b := wire.Body{Style: style, State: wire.NewState()}
	b.State.Forward, b.State.ForwardSpeed = wire.CommandIndex(a.motion()), a.speed()
	if a.IntN(2) == 0 {
		b.Sticky = a.anybody()
	}
	if a.IntN(3) == 0 {
		b.State.Actions[0], b.State.Count = wire.NewAction(wire.CommandIndex(0x13000087), uint16(a.IntN(0x8000)), false, 1), 1
	}
	b.Fresh()
	return b
}
