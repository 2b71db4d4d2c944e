package systems

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/ecs"
)

// Hash digests the whole state after the last tick, with what waits for the next:
// spawns, removals, messages that are parked. It is equal for equal inputs, whatever
// workers, chunks, machine or skipping.
func (e *Engine) Hash() uint64 {
	e.settle(e.world.Order())
	return e.hash(e.world.Order(), true)
}

// HashPart digests one of so many parts of the state, 0 to of−1, at about that part of
// what [Engine.Hash] costs, which is the hash of part 0 of 1. Whatever differs
// between two states differs in one of the parts. A remote falls to a part by its guid alone;
// what is no remote's is in part 0.
func (e *Engine) HashPart(part, of uint32) uint64 {
	e.part = e.world.AppendPart(e.part[:0], part, of)
	e.settle(e.part)
	return e.hash(e.part, part == 0)
}

// AppendPart appends the guids of those who are in a part that [Engine.HashPart] digests.
func (e *Engine) AppendPart(guids []uint32, part, of uint32) []uint32 {
	for _, row := range e.world.AppendPart(nil, part, of) {
		guids = append(guids, e.world.Guid(int(row)))
	}
	return guids
}

// hash digests some remotes, which are up to date, and what is no remote's.
func (e *Engine) hash(rows []uint32, besides bool) uint64 {
	var h ecs.Hash
	h.U64(e.tick)
	e.clock.hash(&h, e.options.RetailClock)
	e.world.HashRows(&h, rows)
	if besides {
		e.outbound.hash(&h)
	}
	e.hashCrowd(&h, rows)
	if besides {
		e.hashWaiting(&h)
	}
	return h.Sum()
}

// settle brings those of some rows that rest to the end of the last tick.
func (e *Engine) settle(rows []uint32) {
	c := e.world.Columns()
	var r components.Row
	for _, i := range rows {
		if c.Rest[i].Since != 0 {
			c.At(int(i), &r)
			e.catchUp(&r)
		}
	}
}
