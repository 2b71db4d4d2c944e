package ecs

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/gait-engine/gait/components"
)

// scalar is one number somewhere in a remote.
type scalar struct {
	path string
	v    reflect.Value
}

// scalars lists every number of v, which can be changed: of lists and boxes what is
// in them and not where, of a box that is empty nothing.
func scalars(path string, v reflect.Value, p *components.Pools, out []scalar) []scalar {
	switch name := v.Type().Name(); {
	case strings.HasPrefix(name, "List["):
		out = scalars(path+"[item]", call(v, "Items", p), p, out)
		return append(out, scalar{path + ".Len", v.FieldByName("Len")})
	case strings.HasPrefix(name, "Box["):
		if item := call(v, "Get", p); !item.IsNil() {
			out = scalars(path, item.Elem(), p, out)
		}
		return out
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			out = scalars(path+"."+v.Type().Field(i).Name, v.Field(i), p, out)
		}
		return out
	case reflect.Array, reflect.Slice:
		for i := range v.Len() {
			out = scalars(path+"[i]", v.Index(i), p, out)
		}
		return out
	}
	return append(out, scalar{path, v})
}

// call calls a method of a list or box with its pool.
func call(v reflect.Value, method string, pools *components.Pools, more ...reflect.Value) reflect.Value {
	m := v.Addr().MethodByName(method)
	p := reflect.ValueOf(pools).Elem()
	for i := range p.NumField() {
		if f := p.Field(i).Addr(); f.Type() == m.Type().In(0) {
			if r := m.Call(append([]reflect.Value{f}, more...)); len(r) > 0 {
				return r[0]
			}
			return reflect.Value{}
		}
	}
	panic("there is no " + m.Type().In(0).String() + ".")
}

// change makes a number another one.
func (s scalar) change() {
	switch s.v.Kind() {
	case reflect.Bool:
		s.v.SetBool(!s.v.Bool())
	case reflect.Float32, reflect.Float64:
		s.v.SetFloat(s.v.Float() + 1)
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		s.v.SetInt(s.v.Int() ^ 1)
	default:
		if len(s.path) > 4 && s.path[len(s.path)-4:] == ".Len" {
			s.v.SetUint(s.v.Uint() - 1)
			return
		}
		s.v.SetUint(s.v.Uint() ^ 1)
	}
}

// filled is one with the pools that its lists lie in.
type filled struct {
	components.Values
	pools components.Pools
}

func (r *filled) scalars() []scalar {
	return scalars("", reflect.ValueOf(&r.Values).Elem(), &r.pools, nil)
}

func (r *filled) hash() uint64 {
	row := r.Row()
	return HashRow(&row, &r.pools)
}

// full returns a remote of which every number differs from the others, with
// something in every list but those of its managers, which it has none of.
func full() *filled {
	v := new(filled)
	push := func(list any, n int) {
		l := reflect.ValueOf(list).Elem()
		for range n {
			call(l, "Push", &v.pools, reflect.Zero(l.Addr().MethodByName("Push").Type().In(1)))
		}
	}
	push(&v.Sequence.Nodes, 4)
	push(&v.MotionState.Modifiers, 2)
	push(&v.MotionState.Actions, 2)
	push(&v.Interpreted.Actions, 1)
	v.Anchors.BlipTo.Make(&v.pools.Places)
	v.Anchors.Leash.Make(&v.pools.Places)
	push(&v.Raw.Make(&v.pools.Raws).Actions, 1)
	push(&v.Pending.Anims, 4)
	push(&v.Pending.Motions, 4)
	push(&v.Chase.Queue, 1)
	for i, s := range v.scalars() {
		switch {
		case strings.HasSuffix(s.path, ".Len"):
		case s.v.Kind() == reflect.Bool:
			s.v.SetBool(i%2 == 0)
		case s.v.CanFloat():
			s.v.SetFloat(float64(i) + 0.5)
		case s.v.CanInt():
			s.v.SetInt(int64(i + 1))
		default:
			s.v.SetUint(uint64(i + 1))
		}
	}
	return v
}

// Changing any number of any component changes the hash, but for those of Rest that say
// how far the sequence was brought and repeat what others say, and the pace, which does too.
func TestHashSeesEveryField(t *testing.T) {
	want := full().hash()
	seen := map[uint64]string{}
	n := len(full().scalars())
	for i := range n {
		v := full()
		s := v.scalars()[i]
		s.change()
		h := v.hash()
		if rest := s.path == ".Rest.Since" || s.path == ".Rest.Busy" || s.path == ".Chase.Pace"; rest != (h == want) {
			t.Errorf("%s changes: %016x, before %016x", s.path, h, want)
		} else if other, ok := seen[h]; ok && !rest {
			t.Errorf("%s and %s hash alike", s.path, other)
		}
		seen[h] = s.path
	}
	if n < 180 {
		t.Errorf("only %d numbers", n)
	}
}

// What lies in a list's room beyond its items is no state, nor is where they lie.
func TestHashIgnoresRoom(t *testing.T) {
	var p components.Pools
	var a, b components.Values
	hash := func(v *components.Values) uint64 {
		r := v.Row()
		return HashRow(&r, &p)
	}
	a.Sequence.Nodes.Push(&p.Nodes, components.Node{Anim: 9})
	a.Sequence.Nodes.Remove(&p.Nodes, 0, 1)
	if a == b || hash(&a) != hash(&b) {
		t.Error("the room of an empty list counts")
	}
	var waste components.List[components.Node, [4]components.Node]
	load := func(v *components.Values) {
		for i := range 30 {
			v.Sequence.Nodes.Push(&p.Nodes, components.Node{Anim: int32(i)})
		}
	}
	load(&a)
	for range 50 {
		waste.Push(&p.Nodes, components.Node{Anim: 9})
	}
	waste.Clear(&p.Nodes)
	load(&b)
	if a.Sequence.Nodes.Over == b.Sequence.Nodes.Over {
		t.Fatal("one slab")
	}
	if hash(&a) != hash(&b) {
		t.Error("the slab counts")
	}
	b.Sequence.Nodes.Items(&p.Nodes)[29].High = 1
	if hash(&a) == hash(&b) {
		t.Error("what lies in a slab does not count")
	}
}

// −0 is 0, a NaN is a NaN (house rule 2); other numbers are their bits.
func TestHashIsCanonical(t *testing.T) {
	f32 := func(v float32) uint64 { var h Hash; h.F32(v); return h.Sum() }
	f64 := func(v float64) uint64 { var h Hash; h.F64(v); return h.Sum() }
	negative := math.Copysign(0, -1)
	if f32(0) != f32(float32(negative)) || f64(0) != f64(negative) {
		t.Error("−0")
	}
	for _, bits := range []uint32{0x7FC00000, 0xFFC00000, 0x7F800001, 0x7FFFFFFF} {
		if f32(math.Float32frombits(bits)) != f32(float32(math.NaN())) {
			t.Errorf("NaN %x", bits)
		}
	}
	for _, bits := range []uint64{0x7FF8000000000000, 0xFFF8000000000001, 0x7FF0000000000001, 0x7FFFFFFFFFFFFFFF} {
		if f64(math.Float64frombits(bits)) != f64(math.NaN()) {
			t.Errorf("NaN %x", bits)
		}
	}
	if f32(1) == f32(math.Nextafter32(1, 2)) || f64(1) == f64(math.Nextafter(1, 2)) || f32(1) == f32(-1) ||
		f32(float32(math.Inf(1))) == f32(float32(math.NaN())) || f32(0) == f32(math.SmallestNonzeroFloat32) {
		t.Error("two numbers hash alike")
	}
}

// The order of what is added counts, and the digest is the same everywhere.
func TestHashGolden(t *testing.T) {
	var a, b Hash
	a.U32(1)
	a.U32(2)
	b.U32(2)
	b.U32(1)
	if a.Sum() == b.Sum() {
		t.Error("order does not count")
	}
	if got, want := full().hash(), uint64(goldenRow); got != want {
		t.Errorf("a full row hashes to %#x, was %#x: saved hashes hold no more", got, want)
	}
}

// The hash goes by guid, not by row: neither the order of spawning nor removals
// on the way count.
func TestHashIsInGuidOrder(t *testing.T) {
	const n = 200
	r := rand.New(rand.NewPCG(1, 2))
	var want uint64
	for round := range 4 {
		w := NewWorld(0)
		for at, g := range r.Perm(n) {
			spawn(t, w, uint32(g+1), float32(g))
			if round == 2 {
				spawn(t, w, uint32(g+1+n), 1)
			}
			if at%9 == round {
				apply(w)
			}
		}
		apply(w)
		for g := range n {
			if w.Remove(uint32(g + 1 + n)) {
				apply(w)
			}
		}
		if h := digest(w); round == 0 {
			want = h
		} else if h != want {
			t.Fatalf("round %d: %016x, want %016x", round, h, want)
		}
	}
	empty, one := NewWorld(0), NewWorld(0)
	spawn(t, one, 1, 0)
	apply(one)
	if digest(empty) == digest(one) {
		t.Error("nobody and somebody hash alike")
	}
}

// goldenRow is what a full row hashes to, on any machine.
const goldenRow = 0x2aa23b137de800a8

// The same for the managers that a mover may have: that there is one, and every
// number of it, but for how it stood, which is written anew before it is read.
func TestHashSeesEveryErrand(t *testing.T) {
	var p components.Pools
	v := new(components.Values)
	r := v.Row()
	seen := map[uint64]string{HashRow(&r, &p): "nothing"}
	look := func(path string) {
		t.Helper()
		h := HashRow(&r, &p)
		if other, ok := seen[h]; ok {
			t.Errorf("%s and %s hash alike", path, other)
		}
		seen[h] = path
	}
	each := func(path string, item any) {
		look(path)
		for _, s := range scalars(path, reflect.ValueOf(item).Elem(), &p, nil) {
			if strings.HasSuffix(s.path, ".Len") {
				continue // nodes follow
			}
			s.change()
			look(s.path)
		}
	}
	e := r.Errand.Own.Make(&p.Errands)
	each("move-to", e.MoveTo.Make(&p.MoveTos))
	nodes := &e.MoveTo.Get(&p.MoveTos).Nodes
	nodes.Push(&p.MoveToNodes, components.MoveToNode{})
	each("node", &nodes.Items(&p.MoveToNodes)[0])
	each("sticky", e.Sticky.Make(&p.Stickies))
	each("ramp", e.Ramp.Make(&p.Ramps))
	e.UpdateTime = 1
	look("update time")
	m := r.Errand.Targets.Make(&p.TargetManagers)
	each("target", m.Target.Make(&p.Targets))
	m.LastRun = 1
	look("last run")
	m.Voyeurs.Push(&p.Voyeurs, components.Voyeur{})
	each("voyeur", &m.Voyeurs.Items(&p.Voyeurs)[0])
}
