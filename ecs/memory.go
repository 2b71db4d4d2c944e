package ecs

import (
	"reflect"
	"unsafe"

	"github.com/gait-engine/gait/components"
)

// Memory is what some part of the state takes.
type Memory struct {
	Part  string
	Bytes uintptr
}

// entityBytes is what arche itself keeps of a row: its entity, and where that is.
const entityBytes = 8 + 16 + 8

// Memory returns what the remotes take, part by part: columns with their spare
// capacity (those of [components.Cold] one by one), what finds them by guid, and overflow pools.
func (w *World) Memory() []Memory {
	capacity := uintptr(0)
	for _, s := range w.arche.Stats().Nodes {
		capacity += uintptr(s.Capacity)
	}
	var parts []Memory
	var add func(t reflect.Type)
	add = func(t reflect.Type) {
		for i := range t.NumField() {
			if f := t.Field(i); f.Anonymous {
				add(f.Type)
			} else {
				parts = append(parts, Memory{f.Name, capacity * f.Type.Size()})
			}
		}
	}
	add(reflect.TypeFor[components.Values]())
	return append(parts,
		Memory{"entities", capacity * entityBytes},
		Memory{"index", uintptr(len(w.byGuid.slots)) * unsafe.Sizeof(indexSlot{})},
		Memory{"guids and order", uintptr(cap(w.order)+cap(w.guids)) * 4},
		Memory{"pools", w.Pools.Bytes()},
	)
}

// Bytes returns the memory that the remotes take, of all parts.
func (w *World) Bytes() (n uintptr) {
	for _, m := range w.Memory() {
		n += m.Bytes
	}
	return n
}
