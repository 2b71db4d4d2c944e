package bench

import (
	"fmt"

	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/wire"
)

// FirstGuid is the guid of a load's mover 0; the others follow it.
const FirstGuid = 0x50000001

// MaxRemotes bounds a load.
const MaxRemotes = 1 << 24

// Stream makes a load's messages, tick after tick, and knows where the ideal
// movers are.
type Stream struct {
	load    Load
	ground  *Ground // nil: everything lies at height 0, or as high as it starts
	starts  []start
	movers  []mover
	errands []errands // of the busy load's movers
	tick    int32

	movement wire.Movement
	order    wire.Movement // a move-to
	position wire.PositionEvent
	vector   wire.VectorUpdate
}

// NewStream returns the stream of a load of n remotes, at its beginning. With a
// population, mover i starts as placement i·len/n, so that fewer are spread over
// all of it and more stand upon each other.
func NewStream(load Load, n int, seed uint64, population []Placement) (*Stream, error) {
	return NewStreamOn(nil, load, n, seed, population)
}

// NewStreamOn is [NewStream] over a ground. Movers without a population start
// where one can stand on it, and outdoors all of them are as high as it is. They
// know of nothing else that is in the way.
func NewStreamOn(g *Ground, load Load, n int, seed uint64, population []Placement) (*Stream, error) {
	if _, err := ParseLoad(string(load)); err != nil {
		return nil, err
	}
	if n < 1 || n > MaxRemotes {
		return nil, fmt.Errorf("%w: %d remotes, not 1 to %d", ErrConfig, n, MaxRemotes)
	}
	if load == Dense && population != nil {
		return nil, fmt.Errorf("%w: the dense load has places of its own, it cannot take a population's", ErrConfig)
	}
	if population != nil && len(population) == 0 {
		return nil, fmt.Errorf("%w: the population is empty", ErrConfig)
	}
	r, err := g.startsIn(load)
	if err != nil {
		return nil, err
	}
	var area *area
	if g != nil {
		area = &g.area
	}
	s := &Stream{load: load, ground: g, starts: make([]start, n), movers: make([]mover, n)}
	for i := range s.starts {
		if population != nil {
			s.starts[i] = population[int64(i)*int64(len(population))/int64(n)].start()
			g.settle(&s.starts[i])
		} else {
			draw := newRNG(seed, i, forStart)
			s.starts[i] = randomStart(&draw, r)
			for tries := 0; !g.settle(&s.starts[i]); tries++ {
				if tries == startTries {
					return nil, fmt.Errorf("%w: in %d tries no place was found where mover %d could stand", ErrConfig, startTries, i)
				}
				s.starts[i] = randomStart(&draw, r)
			}
			if load == Busy && i%2 == 1 {
				s.starts[i].near(&s.starts[i-1], area, &draw)
				g.settle(&s.starts[i])
			}
		}
		s.movers[i].begin(&s.starts[i], area, seed, i)
	}
	s.movement.Body.State = wire.NewState()
	s.movement.Body.Style = wire.CommandIndex(wire.CommandNonCombat)
	if load == Busy {
		s.errands = make([]errands, n)
		for i := range s.errands {
			s.errands[i].begin(seed, i)
		}
		s.order.Body.Style, s.order.Body.Params, s.order.Body.RunRate = s.movement.Body.Style, wire.DefaultParams(), 1
	}
	return s, nil
}

// Len returns the number of movers.
func (s *Stream) Len() int { return len(s.movers) }

// Tick returns how many ticks have been made.
func (s *Stream) Tick() int { return int(s.tick) }

// Start returns where and as what mover i is to be spawned.
func (s *Stream) Start(i int) (guid uint32, place space.Position, gait *Gait, scale float32) {
	a := &s.starts[i]
	return FirstGuid + uint32(i), a.position, a.gait, a.scale
}

// Error returns how far in metres a place is from where mover i ideally is
// after the ticks made; ok is false when the guid is none of the load's or the
// place is in no cell.
func (s *Stream) Error(guid uint32, cell space.CellID, origin space.Vec3) (metres float64, ok bool) {
	i := int64(guid) - FirstGuid
	if i < 0 || i >= int64(len(s.movers)) || cell == 0 {
		return 0, false
	}
	return s.at(&s.movers[i]).distance(inWorld(cell, origin)), true
}

// at is where a mover is, on the ground.
func (s *Stream) at(m *mover) worldPoint { return s.grounded(m.worldPoint, m.indoors) }

// grounded brings a point outdoors to the height of the ground there.
func (s *Stream) grounded(p worldPoint, indoors space.CellID) worldPoint {
	if s.ground != nil && indoors == 0 {
		p.z, _ = s.ground.height(p)
	}
	return p
}

// WindowBytes is about how much a window holds.
const WindowBytes = 1 << 30

// messageBytes is more than a load's message has on average.
const messageBytes = 48

// WindowTicks returns how many ticks of a load fit in a window.
func WindowTicks(load Load, n int) int {
	return max(1, int(WindowBytes/(load.perRemoteTick()*float64(n)*messageBytes+1)))
}

// Window holds the encoded messages of consecutive ticks: their bytes one after
// the other, and the size of each.
type Window struct {
	bytes []byte
	sizes []uint8
	ticks []windowTick // where each tick begins, and where the last ends
}

type windowTick struct{ byte, message int }

// size is the memory that the window takes.
func (w *Window) size() int { return cap(w.bytes) + cap(w.sizes) + cap(w.ticks)*16 }

// Ticks returns how many ticks the window holds.
func (w *Window) Ticks() int { return max(0, len(w.ticks)-1) }

// Messages returns the messages of the window's tick t: their bytes, and the
// size of each.
func (w *Window) Messages(t int) (bytes []byte, sizes []uint8) {
	from, to := w.ticks[t], w.ticks[t+1]
	return w.bytes[from.byte:to.byte], w.sizes[from.message:to.message]
}

// Fill replaces the window's content with the stream's next ticks. It calls
// each, if there is one, after every tick made.
func (s *Stream) Fill(w *Window, ticks int, each func()) error {
	messages := int(s.load.perRemoteTick()*float64(len(s.movers))*float64(ticks)) + 64
	if cap(w.bytes) < messages*messageBytes {
		w.bytes = make([]byte, 0, messages*messageBytes)
		w.sizes = make([]uint8, 0, messages)
	}
	w.bytes, w.sizes, w.ticks = w.bytes[:0], w.sizes[:0], append(w.ticks[:0], windowTick{})
	for range ticks {
		if err := s.next(w); err != nil {
			return err
		}
		w.ticks = append(w.ticks, windowTick{len(w.bytes), len(w.sizes)})
		if each != nil {
			each()
		}
	}
	return nil
}

// next makes one tick: every mover changes what it does, moves on, and reports
// where it then is.
func (s *Stream) next(w *Window) error {
	if s.load != Idle {
		storm := s.load == Storm
		for i := range s.movers {
			m := &s.movers[i]
			changed := m.change(s.tick)
			if changed || storm {
				if err := s.sendMovement(w, i); err != nil {
					return err
				}
			}
			led, there, aloft := false, false, false
			if s.errands != nil {
				if err := s.runErrands(w, i, changed); err != nil {
					return err
				}
				led, there = s.advanceErrand(i)
				aloft = s.errands[i].lands != 0
			}
			if !led {
				m.advance()
			}
			if (m.reports(s.tick) || there) && !aloft || storm {
				if err := s.sendPosition(w, i); err != nil {
					return err
				}
			}
		}
	}
	s.tick++
	return nil
}

// sendMovement encodes what mover i does as a 0xF74C of type 0 (20 §2.1).
func (s *Stream) sendMovement(w *Window, i int) error {
	m, e := &s.movers[i], &s.movement
	m.moves++
	c := m.does()
	e.Guid, e.Movement = FirstGuid+uint32(i), m.moves
	st := &e.Body.State
	st.Forward, st.ForwardSpeed = wire.CommandIndex(c.forward), c.speed
	st.Turn, st.TurnSpeed = 0, c.turnSpeed
	if c.turning {
		st.Turn = wire.CommandIndex(turnRight)
	}
	e.Body.Fresh()
	return w.append(i, e)
}

// sendPosition encodes where mover i is seen as a 0xF748, on the ground (20 §2.2).
func (s *Stream) sendPosition(w *Window, i int) error {
	m, e := &s.movers[i], &s.position
	m.places++
	e.Guid = FirstGuid + uint32(i)
	p := &e.Pack
	p.Place.Cell, p.Place.Frame.Origin = s.grounded(m.seen(), m.indoors).inCell(m.indoors)
	p.Place.Frame.Rotation = facing(m.heading)
	p.Position = m.places
	p.Flags = wire.PackContact
	p.Fresh()
	return w.append(i, e)
}

type appender interface {
	Append(dst []byte) ([]byte, error)
}

func (w *Window) append(i int, m appender) error {
	from := len(w.bytes)
	b, err := m.Append(w.bytes)
	if err != nil {
		return fmt.Errorf("bench: mover %d: %w", i, err)
	}
	w.bytes, w.sizes = b, append(w.sizes, uint8(len(b)-from))
	return nil
}
