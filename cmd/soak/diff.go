package main

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/ecs"
	"github.com/gait-engine/gait/systems"
)

// difference is the first thing that two engines differ in.
type difference struct {
	Guid   uint32    `json:"guid"`   // 0: no remote's column
	Column string    `json:"column"` // with the field in it
	Values [2]string `json:"values"`
}

// differ finds the first remote, by guid, that two engines hold differently, and the
// first field of its that differs.
func differ(a, b *systems.Engine) difference {
	guids := append(guidsOf(a), guidsOf(b)...)
	slices.Sort(guids)
	for _, guid := range slices.Compact(guids) {
		var d *difference
		inA, inB := false, false
		inA = a.Inspect(guid, func(ra *components.Row, pa *components.Pools) {
			inB = b.Inspect(guid, func(rb *components.Row, pb *components.Pools) {
				if ecs.HashRow(ra, pa) != ecs.HashRow(rb, pb) {
					d = rowsDiffer(ra, pa, rb, pb)
				}
			})
		})
		if !inA {
			inB = b.Inspect(guid, func(*components.Row, *components.Pools) {})
		}
		if inA != inB {
			return difference{guid, "is there", [2]string{fmt.Sprint(inA), fmt.Sprint(inB)}}
		}
		if d != nil {
			d.Guid = guid
			return *d
		}
	}
	return difference{Column: "what is no remote's: what waits, what was told, who stands where in the cells",
		Values: [2]string{fmt.Sprintf("%016x", a.Hash()), fmt.Sprintf("%016x", b.Hash())}}
}

func guidsOf(e *systems.Engine) []uint32 {
	v := e.View()
	if v == nil {
		return nil
	}
	return slices.Clone(v.Guid)
}

// rowsDiffer finds the first field that differs between two rows.
func rowsDiffer(ra *components.Row, pa *components.Pools, rb *components.Row, pb *components.Pools) *difference {
	x := comparer{pools: [2]reflect.Value{reflect.ValueOf(pa).Elem(), reflect.ValueOf(pb).Elem()}}
	va, vb := reflect.ValueOf(ra).Elem(), reflect.ValueOf(rb).Elem()
	for i := range va.NumField() {
		name := va.Type().Field(i).Name
		if name == "Rest" { // how it is run, and no state
			continue
		}
		if d := x.compare(name, va.Field(i).Elem(), vb.Field(i).Elem()); d != nil {
			return d
		}
	}
	return &difference{Column: "what follows from its columns"}
}

// comparer compares values field by field, lists and boxes by what is in them.
type comparer struct{ pools [2]reflect.Value }

func (x *comparer) compare(path string, a, b reflect.Value) *difference {
	if list := a.Addr().MethodByName("Items"); list.IsValid() {
		return x.compareItems(path, x.call(a, "Items", 0), x.call(b, "Items", 1))
	}
	if box := a.Addr().MethodByName("Get"); box.IsValid() {
		in, other := x.call(a, "Get", 0), x.call(b, "Get", 1)
		if in.IsNil() || other.IsNil() {
			return unlike(path+" is there", !in.IsNil(), !other.IsNil())
		}
		return x.compare(path, in.Elem(), other.Elem())
	}
	switch a.Kind() {
	case reflect.Struct:
		for i := range a.NumField() {
			name := path
			if f := a.Type().Field(i); !f.Anonymous {
				name += "." + f.Name
			}
			if d := x.compare(name, a.Field(i), b.Field(i)); d != nil {
				return d
			}
		}
		return nil
	case reflect.Array:
		return x.compareItems(path, a, b)
	}
	return unlike(path, a.Interface(), b.Interface())
}

func (x *comparer) compareItems(path string, a, b reflect.Value) *difference {
	for i := range min(a.Len(), b.Len()) {
		if d := x.compare(fmt.Sprintf("%s[%d]", path, i), a.Index(i), b.Index(i)); d != nil {
			return d
		}
	}
	return unlike("length of "+path, a.Len(), b.Len())
}

// call calls a method that takes a pool, with the pool of that type.
func (x *comparer) call(v reflect.Value, method string, side int) reflect.Value {
	m := v.Addr().MethodByName(method)
	want := m.Type().In(0)
	pools := x.pools[side]
	for i := range pools.NumField() {
		if p := pools.Field(i).Addr(); p.Type() == want {
			return m.Call([]reflect.Value{p})[0]
		}
	}
	panic(fmt.Sprintf("soak: no pool is a %v.", want)) // a component without its pool does not compile
}

func unlike(path string, a, b any) *difference {
	if a == b || a != a && b != b {
		return nil
	}
	return &difference{Column: path, Values: [2]string{fmt.Sprint(a), fmt.Sprint(b)}}
}

// odd returns the lane that the others outvote, or the one that differs from the
// reference, and one that it is to be compared with.
func odd(lanes []*lane) (one, other *lane) {
	votes := map[uint64]int{}
	for _, l := range lanes {
		votes[l.hash]++
	}
	first := slices.MinFunc(lanes, func(a, b *lane) int { return cmp.Compare(votes[a.hash], votes[b.hash]) })
	for _, l := range lanes {
		if l.hash != first.hash && votes[l.hash] >= votes[first.hash] {
			return first, l
		}
	}
	return first, first
}
