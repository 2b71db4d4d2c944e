package systems

import (
	"math"

	"github.com/gait-engine/gait/ecs"
	"github.com/gait-engine/gait/wire"
)

// What of the inbox and of the outbound messages is in a snapshot.

func (e *Engine) saveInbox(to *ecs.Writer) {
	to.Section(sectionInbox)
	b := &e.inbound
	counts := [1]wire.Counts{e.Counts()}
	ecs.WriteRows(to, counts[:])
	to.U64(b.refused)
	to.U64(b.parked.Dropped)
	to.U64(b.parked.Expired)
	to.U32(uint32(b.parked.Len()))
	b.parked.Each(func(guid uint32, at float64, msg []byte) {
		to.U32(guid)
		to.F64(at)
		to.String(msg)
	})
	to.U32(uint32(len(b.creation)))
	var body []byte
	for _, guid := range sortedGuids(b.creation) {
		c := b.creation[guid]
		to.U32(guid)
		to.U32(c.placement)
		to.Bool(c.moves)
		to.Bool(c.autonomous)
		if body = body[:0]; c.moves {
			body, _ = (&wire.Movement{Guid: guid, Body: c.body}).Append(body) // it was decoded, so it encodes
		}
		to.String(body)
	}
	to.U32(uint32(len(b.unknown)))
	ecs.WriteRows(to, sortedGuids(b.unknown))

	var waits Tape // messages and commands since the last tick
	for _, it := range b.items {
		if it.length == 0 {
			waits.command(&b.commands[it.at])
		} else {
			waits.message(it.client, b.arena[it.at:][:it.length])
		}
	}
	to.U64(uint64(len(waits.b)))
	to.Raw(waits.b)
}

func (e *Engine) loadInbox(from *ecs.Reader) {
	from.Section(sectionInbox)
	b := &e.inbound
	var counts [1]wire.Counts
	ecs.TakeRows(from, counts[:])
	e.workers[0].letters.decoder.Counts = counts[0]
	b.refused = from.U64()
	dropped, expired := from.U64(), from.U64()
	for n := from.U32(); n > 0 && from.Err() == nil; n-- {
		guid, at, msg := from.U32(), from.F64(), from.String(MaxMessage)
		if from.Err() != nil {
			break
		}
		if !(at >= 0 && at <= max(e.clock.now, MaxSeconds)) {
			from.Fail("a message was parked at %v s", at)
			break
		}
		b.parked.Add(guid, at, msg)
	}
	if b.parked.Dropped != 0 {
		from.Fail("more messages are parked than there may be")
	}
	b.parked.Dropped, b.parked.Expired = dropped, expired
	for n := from.U32(); n > 0 && from.Err() == nil; n-- {
		var x wire.Movement
		guid := from.U32()
		c := creation{placement: from.U32(), moves: from.Bool(), autonomous: from.Bool()}
		msg := from.String(MaxMessage)
		if from.Err() != nil {
			break
		}
		var err error
		if c.moves {
			err = wire.DecodeMovement(msg, &x)
		}
		if err != nil || c.moves != (len(msg) > 0) || c.moves && x.Guid != guid || !e.world.Waits(guid) {
			from.Fail("what 0x%08X did when it was created: %v", guid, err)
		}
		c.body = x.Body
		b.creation[guid] = c
	}
	one := make([]uint32, 1)
	for n := from.U32(); n > 0 && from.Err() == nil; n-- {
		ecs.TakeRows(from, one)
		b.unknown[one[0]] = struct{}{}
	}
	n := from.U64()
	if from.Err() != nil {
		return
	}
	if n > math.MaxInt32 {
		from.Fail("%d bytes of inputs wait", n)
		return
	}
	if tape := from.Raw(int(n)); from.Err() == nil {
		p := player{e: e, b: tape, only: []byte{tapeMessage, tapeClient, tapeCommand}}
		if err := p.all(nil); err != nil {
			from.Fail("what waits for the next tick: %v", err)
		}
	}
}

func (e *Engine) saveOutbound(to *ecs.Writer) {
	to.Section(sectionOutbound)
	o := &e.outbound
	to.U32(o.sequence)
	to.U32(uint32(len(o.owned)))
	ecs.WriteRows(to, o.owned)
	to.U32(uint32(len(o.coming)))
	for _, guid := range sortedGuids(o.coming) {
		to.U32(guid)
		to.U32(uint32(o.coming[guid]))
	}
}

func (e *Engine) loadOutbound(from *ecs.Reader) {
	from.Section(sectionOutbound)
	o := &e.outbound
	o.sequence = from.U32()
	one := make([]published, 1)
	for n := from.U32(); n > 0 && from.Err() == nil; n-- {
		ecs.TakeRows(from, one)
		p := &one[0]
		if p.kind == Remote || p.kind > reporter || p.force || p.asked || p.teleport || p.correct {
			from.Fail("what is published of 0x%08X", p.guid)
		}
		o.owned = append(o.owned, *p)
	}
	for n := from.U32(); n > 0 && from.Err() == nil; n-- {
		guid, kind := from.U32(), from.U32()
		if kind == uint32(Remote) || kind > uint32(OwnedProjectile) || !e.world.Waits(guid) {
			from.Fail("0x%08X is to come, owned as %d", guid, kind)
		}
		o.coming[guid] = Ownership(kind)
	}
}
