package systems

import (
	"maps"
	"slices"

	"github.com/gait-engine/gait/ecs"
	"github.com/gait-engine/gait/wire"
)

// What waits for a later tick is state too. Each list marks itself, and is left
// out of the hash when it is empty.
const (
	hashParked uint64 = iota + 1
	hashCreations
	hashComing
	hashViewer
	hashUnknown
)

// hashWaiting adds what later ticks depend on and no remote has yet.
func (e *Engine) hashWaiting(h *ecs.Hash) {
	e.world.HashWaiting(h)
	b := &e.inbound
	if b.parked.Len() > 0 {
		h.U64(hashParked)
		b.parked.Each(func(guid uint32, at float64, msg []byte) {
			h.U32(guid)
			h.F64(at)
			h.Bytes(msg)
		})
	}
	if len(b.creation) > 0 {
		h.U64(hashCreations)
		var body []byte
		for _, guid := range sortedGuids(b.creation) {
			c := b.creation[guid]
			h.U32(guid)
			h.U32(c.placement)
			h.Bool(c.moves)
			h.Bool(c.autonomous)
			body, _ = (&wire.Movement{Guid: guid, Body: c.body}).Append(body[:0]) // it was decoded, so it encodes
			h.Bytes(body)
		}
	}
	if o := &e.outbound; len(o.coming) > 0 {
		h.U64(hashComing)
		for _, guid := range sortedGuids(o.coming) {
			h.U32(guid)
			h.U32(uint32(o.coming[guid]))
		}
	}
	if len(b.unknown) > 0 {
		h.U64(hashUnknown)
		for _, guid := range sortedGuids(b.unknown) {
			h.U32(guid)
		}
	}
	if v := e.options.Viewer; e.viewed { // what Options say is no state
		h.U64(hashViewer)
		h.Bool(v != nil)
		if v != nil {
			h.Position(v)
		}
	}
}

func sortedGuids[T any](m map[uint32]T) []uint32 { return slices.Sorted(maps.Keys(m)) }
