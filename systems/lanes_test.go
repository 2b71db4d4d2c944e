package systems

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/wire"
)

// laned sets a rig's engine to use lanes however few messages are lone.
func (r *rig) laned() *rig {
	r.e.inbound.lanes.few = 1
	return r
}

// lone is a message that reaches nobody else, unless its remote's state has it do so.
func (s *script) lone(land bool) input {
	guid := (1 + s.rng.Uint32N(s.born/3+1)) * 0x9E3779B1
	place := s.near(guid)
	if land {
		place = over(s.within(90, 115), s.within(90, 115), 100.1, s.within(0, 360))
	}
	switch s.rng.IntN(8) {
	case 0, 1:
		return input{message: encode(s, s.position(guid, place))}
	case 2:
		return input{message: encode(s, s.teleportTo(guid, place))}
	case 3:
		return input{message: encode(s, s.vector(guid, space.Vec3{s.within(-3, 3), s.within(-3, 3), s.within(0, 3)}, space.Vec3{}))}
	case 4:
		p := s.position(guid, place)
		p.Pack.Instance += uint16(s.rng.IntN(2)) // nobody knows of it yet
		return input{message: encode(s, p)}
	}
	return input{message: encode(s, s.movement(guid, s.state()))}
}

// sameOutcomes reports whether two engines say the same of what they were given.
func sameOutcomes(a, b *Engine) bool {
	return slices.EqualFunc(a.Outcomes(), b.Outcomes(), func(x, y Outcome) bool {
		return x.Guid == y.Guid && x.Opcode == y.Opcode && x.Verdict == y.Verdict && x.Code == y.Code && errorText(x.Err) == errorText(y.Err)
	})
}

// House rule 2: messages that are applied side by side come to what they come to
// one by one, between others that reach from one remote to the next.
func TestLanesComeToTheSame(t *testing.T) {
	ticks := 60
	if testing.Short() {
		ticks = 25
	}
	for _, land := range []bool{false, true} {
		for seed := range uint64(4) {
			t.Run(fmt.Sprintf("land %v/seed %d", land, seed), func(t *testing.T) {
				build := newRig
				if land {
					build = onLand
				}
				s := newScript(t, 50+seed)
				s.crowd = seed == 1
				single := build(t, Options{LocalPlayer: 3 * 0x9E3779B1 & 0xFFFFFFFF})
				laned := build(t, Options{LocalPlayer: 3 * 0x9E3779B1 & 0xFFFFFFFF, Workers: 3, ChunkRows: 8}).laned()
				both := []*rig{single, laned}
				lone, others := 0, 0
				for tick := range ticks {
					for k := range 130 {
						in := s.next()
						switch {
						case tick == 0:
							v := s.spawned()
							if land {
								v.Place = over(s.within(90, 115), s.within(90, 115), 100.1, s.within(0, 360))
								v.MotionTable, v.Setup = human(1, 0, 0).MotionTable, humanSetup
								if k%8 == 0 {
									v.Setup, v.MotionTable = s.pick(0x02000A30, 0x02000A20), 0
								}
							}
							in = input{spawn: &v}
						case k > 9: // many after few that reach further, and often for the same ones
							in = s.lone(land)
						case land && in.spawn != nil:
							continue
						}
						for _, r := range both {
							r.give(in) // what one refuses at once the other does
						}
					}
					items := laned.e.inbound.items
					laned.e.lookAtItems(0, 0, 0, len(items))
					for i := range items {
						if items[i].lone {
							lone++
						} else {
							others++
						}
					}
					for _, r := range both {
						r.tick(1)
					}
					a, b := single.e, laned.e
					if !sameOutcomes(a, b) {
						t.Fatalf("tick %d: outcomes:\n%.2000v\n%.2000v", tick, a.Outcomes(), b.Outcomes())
					}
					if x, y := a.Hash(), b.Hash(); x != y {
						t.Fatalf("tick %d: %016x and %016x: %s", tick, x, y, firstDifference(a, b))
					}
					for i := range min(len(a.Events()), len(b.Events())) {
						if x, y := a.Events()[i], b.Events()[i]; x != y {
							of := func(e *Engine) (s string) {
								for _, ev := range e.Events() {
									if ev.Guid == x.Guid {
										s += fmt.Sprintf("%d/%x/%x ", ev.Kind, ev.Motion, ev.Other)
									}
								}
								return s
							}
							t.Fatalf("tick %d: 0x%08X: %s and %s", tick, x.Guid, of(a), of(b))
						}
					}
					sameCounts(t, a, b)
				}
				if lone < 2*ticks || others < 2*ticks {
					t.Errorf("%d lone inputs and %d others are no test", lone, others)
				}
			})
		}
	}
}

// What reaches another remote is not lone.
func TestLoneMessages(t *testing.T) {
	const other, third = me + 1, me + 2
	place := over(101, 101, 100.1, 0)
	teleport := func(r *rig) wire.Message { return r.teleportTo(me, place) }
	stands := func(r *rig) wire.Message { return r.position(me, place) }
	moves := func(r *rig) wire.Message { return r.movement(me, does{forward: run}) }
	order := func(b wire.Body) func(r *rig) wire.Message {
		return func(r *rig) wire.Message {
			m := r.movement(me, does{})
			if m.Body = b; b.Sticky != 0 {
				m.Body.State = does{forward: walk}.state()
			}
			m.Body.Fresh()
			return m
		}
	}
	goes := wire.Body{Type: wire.TypeMoveToObject, Target: other, Cell: place.Cell, Origin: place.Frame.Origin, RunRate: 1}
	sticks := wire.Body{Options: wire.OptionSticky, Sticky: other}
	for _, c := range []struct {
		name       string
		spawn      func(s *Spawn)
		before     func(r *rig)
		message    func(r *rig) wire.Message
		flat, land bool
	}{
		{"it moves", nil, nil, moves, true, true},
		{"it stands somewhere", nil, nil, stands, true, true},
		{"it teleports", nil, nil, teleport, true, false},
		{"it flies", nil, nil, func(r *rig) wire.Message { return r.vector(me, space.Vec3{0, 0, 1}, space.Vec3{}) }, true, true},
		{"its state changes", nil, nil, func(r *rig) wire.Message { return r.state(me, components.DefaultState) }, false, false},
		{"it is deleted", nil, nil, func(r *rig) wire.Message { return &wire.Delete{Guid: me} }, false, false},
		{"nobody knows it", nil, nil, func(r *rig) wire.Message { return r.position(0x77, place) }, true, true},
		{"it sticks to another", nil, nil, order(sticks), false, false},
		{"it goes to another", nil, nil, order(goes), false, false},
		{"it stands where it went to another", nil, func(r *rig) { r.send(order(goes)(r)) }, stands, false, false},
		{"another has gone to it", nil, func(r *rig) {
			m := r.movement(other, does{})
			m.Body = goes
			m.Body.Target = me
			r.send(m)
		}, moves, false, false},
		{"it went to another, and then not", nil, func(r *rig) { r.send(order(goes)(r)); r.tick(1); r.send(moves(r)) }, moves, true, true},
		{"another holds it", nil, func(r *rig) {
			r.send(&wire.Parent{Holder: third, Held: me, HeldPosition: 1, Location: 1, Placement: 0x65})
		}, stands, false, false},
		{"it is the player", nil, nil, stands, true, false},
		{"it has polygons", func(s *Spawn) { s.Setup, s.MotionTable = 0x02000A20, 0 }, nil, moves, true, false},
		{"it is far away", nil, func(r *rig) { p := over(101, 101+97, 100, 0); r.e.SetViewer(&p) }, stands, true, false},
		{"its cell is not there", nil, func(r *rig) { r.send(r.teleportTo(me, over(50, 3*192+10, 60, 0))) }, stands, true, false},
		{"nobody has told its stamps", func(s *Spawn) { s.Stamps.Unseen = 1<<wire.SlotTeleport | 1<<wire.SlotPosition }, nil, stands, true, false},
		{"it is in no cell", nil, func(r *rig) { r.send(&wire.Pickup{Guid: me, Position: 1}); r.places[me] = 1 }, stands, true, false},
	} {
		for _, land := range []bool{false, true} {
			build, want := newRig, c.flat
			if land {
				build, want = onLand, c.land
			}
			o := Options{}
			if c.name == "it is the player" {
				o.LocalPlayer = me
			}
			r := build(t, o)
			for i := range uint32(3) {
				s := stander(me+i, 101+5*float32(i), 101, 100.1, 0)
				if c.spawn != nil && i == 0 {
					c.spawn(&s)
				}
				if _, ok := r.e.tables.Setup(s.Setup); !ok {
					want = true // no such thing here
				}
				r.spawn(s)
			}
			r.tick(1)
			if c.before != nil {
				c.before(r)
				r.tick(1)
			}
			if err := r.e.Inbound(encode(r, c.message(r))); err != nil {
				t.Fatal(err)
			}
			r.e.lookAtItems(0, 0, 0, 1)
			if got := r.e.inbound.items[0].lone; got != want {
				t.Errorf("%s, on land %v: lone is %v", c.name, land, got)
			}
		}
	}
}
