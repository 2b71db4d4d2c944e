package systems

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/ecs"
	"github.com/gait-engine/gait/space"
)

// Tape is all that an engine is given, in order: a tick is a function of that and
// of the state before, so that [Engine.Play] makes the same of it at any time. What
// an engine refused at once, and did not change by, is not on it. The zero Tape is
// ready; once warm it allocates nothing.
type Tape struct {
	b []byte
}

// Bytes returns what is on the tape, good until it is next recorded to.
func (t *Tape) Bytes() []byte { return t.b }

// Reset empties the tape.
func (t *Tape) Reset() { t.b = reuse(t.b) }

// Record has an engine's inputs recorded to the end of a tape from now on; nil
// ends that. What waits for the next tick already is not on it.
func (e *Engine) Record(t *Tape) { e.tape = t }

// Recorded reports whether the engine's inputs are recorded to a tape.
func (e *Engine) Recorded() bool { return e.tape != nil }

// What is on a tape: a byte, and what belongs to it.
const (
	tapeTick     byte = iota + 1 // Tick
	tapeAdvance                  // AdvanceTo: seconds 8
	tapeMessage                  // Inbound: length 4, bytes
	tapeClient                   // ClientAction: guid 4, length 4, bytes
	tapeCommand                  // Command: its fields, number of actions 4, actions
	tapeSpawn                    // Spawn: its fields
	tapeRemove                   // Remove: guid 4
	tapeViewer                   // SetViewer: whether there is one 1, position
	tapeSequence                 // NextSequence
)

// TapeLayout is a digest of the types that are written to a tape: what was recorded
// under one cannot be played under another.
func TapeLayout() uint64 {
	var h ecs.Hash
	h.U64(1) // version of what is above
	h.U64(ecs.LayoutOf[Command]().Sum())
	h.U64(ecs.LayoutOf[components.Action]().Sum())
	h.U64(ecs.LayoutOf[Spawn]().Sum())
	h.U64(ecs.LayoutOf[space.Position]().Sum())
	return h.Sum()
}

func (t *Tape) op(op byte) {
	if t != nil {
		t.b = append(t.b, op)
	}
}

func (t *Tape) u32(v uint32) { t.b = binary.LittleEndian.AppendUint32(t.b, v) }

func (t *Tape) advance(now float64) {
	if t != nil {
		t.op(tapeAdvance)
		t.b = binary.LittleEndian.AppendUint64(t.b, math.Float64bits(now))
	}
}

// message is one of a client when guid is not 0.
func (t *Tape) message(guid uint32, msg []byte) {
	switch {
	case t == nil:
		return
	case guid == 0:
		t.op(tapeMessage)
	default:
		t.op(tapeClient)
		t.u32(guid)
	}
	t.u32(uint32(len(msg)))
	t.b = append(t.b, msg...)
}

func (t *Tape) command(c *Command) {
	if t == nil {
		return
	}
	t.op(tapeCommand)
	one := [1]Command{*c}
	t.b = ecs.AppendRows(t.b, one[:])
	t.u32(uint32(len(c.Actions)))
	for i := range c.Actions {
		t.b = ecs.AppendRows(t.b, c.Actions[i:i+1])
	}
}

func (t *Tape) spawn(s *Spawn) {
	if t != nil {
		t.op(tapeSpawn)
		one := [1]Spawn{*s}
		t.b = ecs.AppendRows(t.b, one[:])
	}
}

func (t *Tape) remove(guid uint32) {
	if t != nil {
		t.op(tapeRemove)
		t.u32(guid)
	}
}

func (t *Tape) viewer(p *space.Position) {
	if t == nil {
		return
	}
	t.op(tapeViewer)
	if p == nil {
		t.b = append(t.b, 0)
		return
	}
	t.b = append(t.b, 1)
	one := [1]space.Position{*p}
	t.b = ecs.AppendRows(t.b, one[:])
}

// ErrTape refuses what is no tape's content, or what the engine refuses of it: it
// was not recorded from an engine like this one.
var ErrTape = errors.New("systems: not a tape of this engine")

// Play gives an engine what is on a tape, ticks included, and calls each, if there
// is one, after every tick: an error of it ends the play. What came before the byte
// that is refused ([ErrTape]) has happened.
func (e *Engine) Play(tape []byte, each func() error) error {
	p := player{e: e, b: tape}
	return p.all(each)
}

func (p *player) all(each func() error) error {
	length := len(p.b)
	for len(p.b) > 0 {
		at := length - len(p.b)
		op := p.take(1)[0]
		var ticked bool
		err := errInput
		if p.only == nil || slices.Contains(p.only, op) {
			ticked, err = p.play(op)
		}
		if err == nil {
			err = p.err
		}
		if err != nil {
			return fmt.Errorf("%w: %d at byte %d: %w", ErrTape, op, at, err)
		}
		if ticked && each != nil {
			if err := each(); err != nil {
				return err
			}
		}
	}
	return nil
}

// player reads a tape.
type player struct {
	e    *Engine
	b    []byte
	err  error
	only []byte // what may be on it, nil anything
}

var (
	errTapeEnds = errors.New("it ends in the middle")
	errInput    = errors.New("no such input")
)

// take returns the next n bytes, or zeros when there are not so many.
func (p *player) take(n int) []byte {
	if n < 0 || n > len(p.b) {
		p.b, p.err = nil, errTapeEnds
		return make([]byte, min(max(n, 0), 8))
	}
	b := p.b[:n]
	p.b = p.b[n:]
	return b
}

func (p *player) u32() uint32 { return binary.LittleEndian.Uint32(p.take(4)) }

// takeRow takes one flat value.
func takeRow[T any](p *player) (v T) {
	if p.err != nil {
		return v
	}
	var one [1]T
	p.b, p.err = ecs.ReadRows(p.b, one[:], false) // the engine looks at the numbers
	return one[0]
}

// play does what one op says, once all of it has been read.
func (p *player) play(op byte) (ticked bool, err error) {
	e := p.e
	switch op {
	case tapeTick:
		if e.options.RetailClock {
			return false, errors.New("a tick of an engine that is moved on by AdvanceTo")
		}
		e.Tick()
		return true, nil
	case tapeAdvance:
		now := math.Float64frombits(binary.LittleEndian.Uint64(p.take(8)))
		if p.err != nil {
			return false, nil
		}
		return e.AdvanceTo(now)
	case tapeMessage, tapeClient:
		guid := uint32(0)
		if op == tapeClient {
			guid = p.u32()
		}
		msg := p.take(int(p.u32()))
		switch {
		case p.err != nil:
			return false, nil
		case op == tapeClient:
			return false, e.ClientAction(guid, msg)
		}
		return false, e.Inbound(msg)
	case tapeCommand:
		c := takeRow[Command](p)
		n := int(p.u32())
		if p.err == nil && n > len(p.b) { // an action takes a byte at least
			p.err = errTapeEnds
		}
		for i := 0; i < n && p.err == nil; i++ {
			c.Actions = append(c.Actions, takeRow[components.Action](p))
		}
		if p.err == nil {
			err = e.Command(c)
		}
	case tapeSpawn:
		if s := takeRow[Spawn](p); p.err == nil {
			err = e.Spawn(s)
		}
	case tapeRemove:
		if guid := p.u32(); p.err == nil {
			e.Remove(guid)
		}
	case tapeViewer:
		var v *space.Position
		if p.take(1)[0] != 0 {
			at := takeRow[space.Position](p)
			v = &at
		}
		if p.err == nil {
			err = e.SetViewer(v)
		}
	case tapeSequence:
		e.NextSequence()
	default:
		err = errInput
	}
	return false, err
}
