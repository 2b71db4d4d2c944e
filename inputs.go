package gait

import (
	"github.com/gait-engine/gait/systems"
)

// Source is where inputs come from, of those that order matters for. Inputs are
// applied by ascending source and, of one source, in the order in which they
// came: with a source for each goroutine, what a tick makes of them does not depend
// on how goroutines take turns. [Engine.From] makes one; the zero value is none.
type Source struct {
	e  *Engine
	id uint32
}

// From returns a source of inputs. What is called on the engine itself is source 0.
func (e *Engine) From(source uint32) Source {
	if e.engine == nil {
		panic("gait: an input was fed to an Engine that neither New nor Restore nor Recover has made.")
	}
	return Source{e, source}
}

// Inbound takes a whole game message, opcode first, for the next tick; the bytes
// are copied. Any goroutine may call it, during a tick too. It refuses what is no
// message at all ([systems.ErrMessage]), [ErrFull] and [ErrClosed]; what became of
// the others is in [Engine.Outcomes] after the tick.
func (e *Engine) Inbound(msg []byte) error { return e.From(0).Inbound(msg) }

// ClientAction takes an action that the client of an owned player has sent
// ([systems.Engine.ClientAction]), otherwise as [Engine.Inbound] does.
func (e *Engine) ClientAction(guid uint32, msg []byte) error {
	return e.From(0).ClientAction(guid, msg)
}

// Command takes a typed command for the next tick, in order with messages; its
// actions are copied. Any goroutine may call it. It refuses what holds no number,
// place or rotation where it should ([systems.ErrCommand]), [ErrFull] and [ErrClosed].
func (e *Engine) Command(c Command) error { return e.From(0).Command(c) }

// Spawn asks for a new remote, there from the beginning of the next tick, before
// that tick's messages. Any goroutine may call it. It refuses tables that are not
// there and what is no number or place ([systems.ErrSpawn]), the guid 0, [ErrFull] and
// [ErrClosed]. A guid that turns out to be taken is in [Engine.Outcomes], as is one of
// [Options.LocalPlayer] that is to be owned.
func (e *Engine) Spawn(s Spawn) error { return e.From(0).Spawn(s) }

// Remove asks for a remote to go at the beginning of the next tick, before spawns.
// Any goroutine may call it. That there is none is in [Engine.Outcomes].
func (e *Engine) Remove(guid uint32) error { return e.From(0).Remove(guid) }

// SetViewer moves the viewer of [Options] for the ticks to come; nil takes it
// away, and every remote is near. Any goroutine may call it.
func (e *Engine) SetViewer(at *Position) error { return e.From(0).SetViewer(at) }

// Inbound is [Engine.Inbound] from this source.
func (s Source) Inbound(msg []byte) error {
	if err := systems.CheckMessage(msg); err != nil {
		return s.e.refuse(err)
	}
	return s.message(input{source: s.id, kind: inMessage}, msg)
}

// ClientAction is [Engine.ClientAction] from this source.
func (s Source) ClientAction(guid uint32, msg []byte) error {
	if err := systems.CheckAction(guid, msg); err != nil {
		return s.e.refuse(err)
	}
	return s.message(input{source: s.id, kind: inAction, guid: guid}, msg)
}

func (s Source) message(in input, msg []byte) error {
	q, err := s.e.enter(len(msg))
	if err != nil {
		return err
	}
	in.at, in.length = len(q.bytes), len(msg)
	q.bytes = append(q.bytes, msg...)
	s.e.enqueue(in)
	return nil
}

// Command is [Engine.Command] from this source.
func (s Source) Command(c Command) error {
	if err := c.Check(); err != nil {
		return s.e.refuse(err)
	}
	q, err := s.e.enter(commandBytes + len(c.Actions)*actionBytes)
	if err != nil {
		return err
	}
	in := input{source: s.id, kind: inCommand, at: len(q.commands), actions: len(q.actions), length: len(c.Actions)}
	q.actions = append(q.actions, c.Actions...)
	c.Actions = nil
	q.commands = append(q.commands, c)
	s.e.enqueue(in)
	return nil
}

// Spawn is [Engine.Spawn] from this source.
func (s Source) Spawn(sp Spawn) error {
	if err := sp.Check(s.e.options.Tables); err != nil {
		return s.e.refuse(err)
	}
	q, err := s.e.enter(spawnBytes)
	if err != nil {
		return err
	}
	in := input{source: s.id, kind: inSpawn, at: len(q.spawns)}
	q.spawns = append(q.spawns, sp)
	s.e.enqueue(in)
	return nil
}

// Remove is [Engine.Remove] from this source.
func (s Source) Remove(guid uint32) error {
	if _, err := s.e.enter(0); err != nil {
		return err
	}
	s.e.enqueue(input{source: s.id, kind: inRemove, guid: guid})
	return nil
}

// SetViewer is [Engine.SetViewer] from this source.
func (s Source) SetViewer(at *Position) error {
	checked, err := systems.ViewerAt(at)
	if err != nil {
		return s.e.refuse(err)
	}
	q, err := s.e.enter(viewerBytes)
	if err != nil {
		return err
	}
	in := input{source: s.id, kind: inViewer, at: len(q.viewers)}
	var v viewer
	if checked != nil {
		v = viewer{*checked, true}
	}
	q.viewers = append(q.viewers, v)
	s.e.enqueue(in)
	return nil
}
