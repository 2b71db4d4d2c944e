package bench

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/wire"
)

// Faults brings what the field brings to the messages of a load: messages that are
// lost, come twice, late or in another order; bytes and floats that are anything;
// strangers whose stamps run round and round; floods to one guid; and remotes that
// come and go by the hundred. It is a function of its seed and of what it is given.
type Faults struct {
	// Done counts what has been done, by kind.
	Done [faultKinds]uint64

	draw    rng
	tick    int
	late    []lateMessage
	msgs    [][]byte
	arena   []byte
	stamps  [strangers][stampKinds]uint16
	storm   uint32 // guids of the storm that passes
	weather int    // ticks that it still lasts
}

// FaultKind is something that happens to a load.
type FaultKind uint8

// The faults.
const (
	Lost FaultKind = iota
	Doubled
	Delayed
	Reordered
	Scrambled // random bytes in it
	Poisoned  // a float in it that is none, or beyond all bounds
	CutShort
	Noise   // never was a message
	Stamped // of a stranger, whose stamps run round
	Flooded // one of hundreds to one guid in a tick
	Stormed // a remote that came, or went, with hundreds

	faultKinds
)

var faultNames = [faultKinds]string{
	"lost", "doubled", "delayed", "reordered", "scrambled", "poisoned", "cut short", "noise", "stamped", "flooded", "stormed",
}

// String returns the kind in words.
func (k FaultKind) String() string { return faultNames[k] }

const (
	strangers     = 8
	stampKinds    = 9
	firstStranger = 0x60000001
	firstStorm    = 0x61000001
	firstNobody   = 0x62000001 // who is never created
	stormSize     = 200
	stormTicks    = 12
	stormEvery    = 150
	floodEvery    = 110
	floodSize     = 300
	latestTicks   = 90
)

type lateMessage struct {
	due int
	msg []byte
}

// forFaults is the purpose of the generator.
const forFaults = forErrands + 1

// NewFaults returns the faults of a seed.
func NewFaults(seed uint64) *Faults {
	f := &Faults{draw: newRNG(seed, 0, forFaults)}
	for i := range f.stamps {
		for k := range f.stamps[i] {
			f.stamps[i][k] = uint16(f.draw.next())
		}
	}
	return f
}

// Feed hands an engine what becomes of a tick's messages.
func (f *Faults) Feed(e *systems.Engine, all []byte, sizes []uint8) error {
	f.msgs, f.arena = f.msgs[:0], f.arena[:0]
	for _, n := range sizes {
		f.befall(all[:n:n])
		all = all[n:]
	}
	kept := f.late[:0]
	for _, l := range f.late {
		if l.due <= f.tick {
			f.msgs = append(f.msgs, l.msg)
		} else {
			kept = append(kept, l)
		}
	}
	f.late = kept
	f.noise()
	if err := errors.Join(f.strange(), f.flood(), f.stormy(e)); err != nil {
		return err
	}
	if f.draw.below(4) == 0 {
		f.Done[Reordered] += uint64(len(f.msgs))
		for i := len(f.msgs) - 1; i > 0; i-- {
			j := f.draw.below(uint32(i + 1))
			f.msgs[i], f.msgs[j] = f.msgs[j], f.msgs[i]
		}
	}
	for _, msg := range f.msgs {
		if err := e.Inbound(msg); err != nil && !errors.Is(err, systems.ErrMessage) {
			return err
		}
	}
	f.tick++
	return nil
}

func (f *Faults) did(k FaultKind) { f.Done[k]++ }

// befall decides what becomes of one message.
func (f *Faults) befall(msg []byte) {
	switch p := f.draw.below(1000); {
	case p < 40:
		f.did(Lost)
		return
	case p < 80:
		f.did(Doubled)
		f.msgs = append(f.msgs, msg)
	case p < 140:
		f.did(Delayed)
		f.late = append(f.late, lateMessage{f.tick + 1 + int(f.draw.below(latestTicks)), bytes.Clone(msg)})
		return
	case p < 200:
		f.did(Scrambled)
		msg = bytes.Clone(msg)
		for range 1 + f.draw.below(3) {
			msg[f.draw.below(uint32(len(msg)))] = byte(f.draw.next())
		}
	case p < 260:
		f.did(Poisoned)
		msg = bytes.Clone(msg)
		poison(msg, f.draw.below(uint32(len(msg)/4)), f.draw.below(uint32(len(poisons))))
	case p < 280:
		f.did(CutShort)
		msg = msg[:f.draw.below(uint32(len(msg)))]
	}
	f.msgs = append(f.msgs, msg)
}

// poisons are what no float should be.
var poisons = [...]uint32{
	0x7FC00000, 0xFFC00001, 0x7F800000, 0xFF800000, // NaN, another, +Inf, −Inf
	0x7F7FFFFF, 0xFF7FFFFF, 0x7149F2CA, 0xF149F2CA, // the largest, 1e30
	0x00000001, 0x80000000, 0x4B800000, 0xC7C35000, // the smallest, −0, 2^24, −1e5
}

// poison puts one of them in the place of a message's word.
func poison(msg []byte, word, with uint32) {
	if at := int(word) * 4; at+4 <= len(msg) {
		binary.LittleEndian.PutUint32(msg[at:], poisons[with])
	}
}

// noise is bytes that nobody meant, half of them under an opcode that there is.
func (f *Faults) noise() {
	ops := [...]uint32{
		wire.OpMovement, wire.OpPosition, wire.OpPositionMovement, wire.OpVector, wire.OpSetState, wire.OpDelete,
		wire.OpCreate, wire.OpUpdate, wire.OpPickup, wire.OpParent,
	}
	for range 3 {
		f.did(Noise)
		msg := make([]byte, f.draw.below(200))
		for i := range msg {
			msg[i] = byte(f.draw.next())
		}
		if len(msg) >= 8 && f.draw.below(2) == 0 {
			binary.LittleEndian.PutUint32(msg, ops[f.draw.below(uint32(len(ops)))])
			if binary.LittleEndian.PutUint32(msg[4:], FirstGuid+f.draw.below(64)); f.draw.below(8) == 0 {
				clear(msg[4:8]) // nobody's
			}
		}
		f.msgs = append(f.msgs, msg)
	}
}

// send encodes a message into the tick.
func (f *Faults) send(m appender) error {
	at := len(f.arena)
	b, err := m.Append(f.arena)
	if err != nil {
		return err
	}
	f.arena = b
	f.msgs = append(f.msgs, b[at:len(b):len(b)])
	return nil
}

// leap moves a stamp of a stranger on, by up to half its range: twice and it has
// come round. Now and then it falls back.
func (f *Faults) leap(i, slot int) uint16 {
	s := &f.stamps[i][slot]
	*s += uint16(f.draw.below(0x7FFF))
	if f.draw.below(8) == 0 {
		return *s - uint16(f.draw.below(0x8000))
	}
	return *s
}

// place is somewhere in one landblock, now and then in none.
func (f *Faults) place() space.Position {
	p := space.Position{Cell: 0xA9B40001, Frame: space.Identity}
	p.Frame.Origin = space.Vec3{float32(f.draw.within(-200, 400)), float32(f.draw.within(-200, 400)), float32(f.draw.within(-5, 5))}
	p.Frame.Rotation = facing(f.draw.within(0, 2*math.Pi))
	return p
}

// create describes a humanoid.
func (f *Faults) create(guid uint32, instance uint16) *wire.Create {
	d := wire.NewDescriptor()
	d.State = uint32(components.DefaultState)
	d.Position = space.Position{Cell: 0xA9B40001, Frame: space.Frame{
		Origin:   space.Vec3{float32(f.draw.within(1, 191)), float32(f.draw.within(1, 191)), 0},
		Rotation: space.IdentityQuat,
	}}
	d.MotionTable, d.Setup = Humanoid.MotionTable, Humanoid.Setup
	d.Stamps[wire.SlotInstance] = instance
	d.Fresh()
	return &wire.Create{Guid: guid, Physics: d}
}

// strange has each stranger sent one message, of any kind.
func (f *Faults) strange() error {
	for i := range f.stamps {
		guid := uint32(firstStranger + i)
		instance := f.stamps[i][wire.SlotInstance]
		f.did(Stamped)
		var err error
		switch f.draw.below(9) {
		case 0:
			c := f.create(guid, f.leap(i, wire.SlotInstance))
			c.Update = f.draw.below(2) == 0
			for slot := range stampKinds {
				if slot != wire.SlotInstance {
					c.Physics.Stamps[slot] = f.stamps[i][slot]
				}
			}
			err = f.send(c)
		case 1, 2:
			m := wire.Movement{Guid: guid, Instance: instance, Movement: f.leap(i, wire.SlotMovement), ServerControl: f.leap(i, wire.SlotServerControl)}
			m.Body.State = wire.NewState()
			m.Body.State.Forward = wire.CommandIndex(runForward)
			m.Body.Fresh()
			err = f.send(&m)
		case 3, 4:
			p := wire.PositionEvent{Guid: guid, Pack: wire.PositionPack{
				Place: f.place(), Flags: wire.PackContact, Instance: instance, Position: f.leap(i, wire.SlotPosition),
				Teleport: f.leap(i, wire.SlotTeleport), ForcePosition: f.leap(i, wire.SlotForcePosition),
			}}
			p.Pack.Fresh()
			err = f.send(&p)
		case 5:
			err = f.send(&wire.VectorUpdate{Guid: guid, Instance: instance, Vector: f.leap(i, wire.SlotVector), Velocity: space.Vec3{0, 0, 2}})
		case 6:
			err = f.send(&wire.SetState{Guid: guid, Instance: instance, Stamp: f.leap(i, wire.SlotState), State: uint32(f.draw.next())})
		case 7:
			err = f.send(&wire.Pickup{Guid: guid, Instance: instance, Position: f.leap(i, wire.SlotPosition)})
		case 8:
			err = f.send(&wire.Parent{
				Holder: firstStranger + f.draw.below(strangers), Held: guid, Location: f.draw.below(3), HolderInstance: instance,
				HeldPosition: f.leap(i, wire.SlotPosition),
			})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// flood sends one guid hundreds of movements in a tick, and as many guids that
// nobody has created one each.
func (f *Faults) flood() error {
	if f.tick%floodEvery != floodEvery-1 {
		return nil
	}
	m := wire.Movement{Guid: FirstGuid + f.draw.below(16), Movement: uint16(f.draw.next())}
	m.Body.State = wire.NewState()
	for i := range floodSize {
		f.did(Flooded)
		m.Movement++
		m.Body.State.Forward = wire.CommandIndex([]uint32{walkForward, runForward}[i%2])
		m.Body.Fresh()
		if err := f.send(&m); err != nil {
			return err
		}
		nobody := wire.SetState{Guid: firstNobody + f.draw.below(1<<16), Stamp: uint16(i)}
		if err := f.send(&nobody); err != nil {
			return err
		}
	}
	return nil
}

// stormy has hundreds of remotes come at once, by messages and by calls, and go
// within ticks, some before they were there.
func (f *Faults) stormy(e *systems.Engine) error {
	if f.tick%stormEvery == stormEvery-1 {
		f.storm, f.weather = firstStorm+f.draw.below(2)*stormSize, stormTicks
		for i := range uint32(stormSize) {
			f.did(Stormed)
			if i%2 == 0 {
				if err := f.send(f.create(f.storm+i, uint16(f.tick))); err != nil {
					return err
				}
				continue
			}
			c := f.create(f.storm+i, 0)
			s := systems.NewSpawn(f.storm+i, c.Physics.Position)
			s.MotionTable, s.Setup = Humanoid.MotionTable, Humanoid.Setup
			_ = e.Spawn(s) // one that is there from the last storm is refused
		}
	}
	if f.weather == 0 {
		return nil
	}
	f.weather--
	for range stormSize / stormTicks {
		f.did(Stormed)
		guid := f.storm + f.draw.below(stormSize)
		switch f.draw.below(3) {
		case 0:
			e.Remove(guid)
		case 1: // whose stamp it is does not matter here
			if err := f.send(&wire.Delete{Guid: guid, Instance: uint16(f.tick)}); err != nil {
				return err
			}
		case 2:
			s := systems.NewSpawn(guid, f.create(guid, 0).Physics.Position)
			_ = e.Spawn(s) // where it is there it is refused
		}
	}
	return nil
}
