package components

import (
	"math/bits"
	"reflect"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

type pair = List[int64, [2]int64]

func fill(l *pair, p *Pool[int64], from, n int) {
	for i := range n {
		l.Push(p, int64(from+i))
	}
}

func wantItems(t *testing.T, l *pair, p *Pool[int64], want ...int64) {
	t.Helper()
	if got := l.Items(p); !slices.Equal(got, want) {
		t.Fatalf("items %v, want %v", got, want)
	}
	if inline := l.Len <= 2; inline != (l.Over == 0) {
		t.Fatalf("%d items in slab %d", l.Len, l.Over)
	}
}

// A list lives inline, moves to a slab when it outgrows that, and comes back.
func TestListInlineAndOver(t *testing.T) {
	var p Pool[int64]
	var l pair
	wantItems(t, &l, &p)
	l.Push(&p, 1)
	l.Push(&p, 2)
	wantItems(t, &l, &p, 1, 2)
	l.Push(&p, 3)
	wantItems(t, &l, &p, 1, 2, 3)
	l.Insert(&p, 0, 0)
	l.Insert(&p, 2, 9)
	l.Insert(&p, 5, 4)
	wantItems(t, &l, &p, 0, 1, 9, 2, 3, 4)
	l.Remove(&p, 2, 3)
	wantItems(t, &l, &p, 0, 1, 2, 3, 4)
	l.Remove(&p, 1, 4)
	wantItems(t, &l, &p, 0, 4)
	l.Insert(&p, 1, 7)
	wantItems(t, &l, &p, 0, 7, 4)
	l.Remove(&p, 0, 3)
	wantItems(t, &l, &p)
	fill(&l, &p, 0, 100)
	l.Clear(&p)
	wantItems(t, &l, &p)
}

// Items are written in place, and a removal of nothing changes nothing.
func TestListItemsInPlace(t *testing.T) {
	var p Pool[int64]
	var l pair
	fill(&l, &p, 0, 5)
	l.Items(&p)[4] = 40
	l.Remove(&p, 3, 3)
	wantItems(t, &l, &p, 0, 1, 2, 3, 40)
	l.Remove(&p, 0, 4)
	l.Items(&p)[0]++
	wantItems(t, &l, &p, 41)
}

// What does not fit inline needs no pool.
func TestListInlineNeedsNoPool(t *testing.T) {
	var l pair
	l.Push(nil, 1)
	l.Push(nil, 2)
	l.Remove(nil, 0, 1)
	wantItems(t, &l, nil, 2)
	l.Clear(nil)
}

func TestPoolClasses(t *testing.T) {
	var p Pool[int64]
	var large Pool[[9]int64]
	if p.smallest() != 8 || large.smallest() != 1 || large.classFor(1) != 0 || large.classFor(5) != 3 {
		t.Errorf("smallest slabs of %d and %d items", p.smallest(), large.smallest())
	}
	for _, c := range []struct {
		n    int
		want uint32
	}{{1, 0}, {8, 0}, {9, 1}, {16, 1}, {17, 2}, {32, 2}, {33, 3}, {8 << 23, 23}} {
		if got := p.classFor(c.n); got != c.want {
			t.Errorf("class for %d items is %d, want %d", c.n, got, c.want)
		}
		if room := int(p.smallest()) << p.classFor(c.n); room < c.n {
			t.Errorf("class for %d items has room for %d", c.n, room)
		}
	}
}

// Slabs that were given back are used again: a population that comes and goes
// takes no more memory than it took at its largest.
func TestPoolUsesSlabsAgain(t *testing.T) {
	var p Pool[int64]
	lists := make([]pair, 300)
	var most uintptr
	for round := range 5 {
		for i := range lists {
			fill(&lists[i], &p, i, 3+i%60)
		}
		for i := range lists {
			for k, v := range lists[i].Items(&p) {
				if v != int64(i+k) {
					t.Fatalf("round %d: list %d holds %d at %d", round, i, v, k)
				}
			}
		}
		for i := range lists {
			lists[(i*7)%300].Clear(&p)
		}
		switch {
		case round == 0:
			most = p.Bytes()
		case p.Bytes() != most:
			t.Fatalf("round %d takes %d bytes, the first %d", round, p.Bytes(), most)
		}
	}
	if most == 0 {
		t.Fatal("no slab was taken")
	}
}

// Growing from class to class gives the smaller slabs back.
func TestPoolGrowthGivesBack(t *testing.T) {
	var p Pool[int64]
	var a, b pair
	fill(&a, &p, 0, int(p.smallest())+1)
	first := p.Bytes()
	fill(&b, &p, 0, int(p.smallest())) // gets the slab that a has outgrown
	if p.Bytes() != first {
		t.Fatalf("%d bytes, then %d", first, p.Bytes())
	}
	wantItems(t, &a, &p, 0, 1, 2, 3, 4, 5, 6, 7, 8)
	wantItems(t, &b, &p, 0, 1, 2, 3, 4, 5, 6, 7)
}

// The memory of a slab that one list has does not move while others take more.
func TestPoolSlabsStay(t *testing.T) {
	var p Pool[int64]
	var first pair
	fill(&first, &p, 0, 3)
	at := &first.Items(&p)[0]
	lists := make([]pair, 2000)
	for i := range lists {
		fill(&lists[i], &p, 0, 3)
	}
	if at != &first.Items(&p)[0] {
		t.Fatal("the slab has moved")
	}
}

// Once warm, lists that come and go allocate nothing.
func TestListSteadyStateAllocatesNothing(t *testing.T) {
	var p Pool[int64]
	lists := make([]pair, 50)
	round := func() {
		for i := range lists {
			fill(&lists[i], &p, 0, i)
		}
		for i := range lists {
			lists[i].Clear(&p)
		}
	}
	round()
	if n := testing.AllocsPerRun(20, round); n != 0 {
		t.Fatalf("%v allocations a round", n)
	}
}

// Many lists of one pool against plain slices, under any operations.
func TestPropertyListIsASlice(t *testing.T) {
	t.Run("inline", propertyListIsASlice[[2]int64])
	t.Run("none", propertyListIsASlice[[0]int64])
}

func propertyListIsASlice[A any](t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var pools [3]Pool[int64] // the pool, and two branches
		pools[0].branch(&pools[1])
		pools[0].branch(&pools[2])
		lay := func() { pools[1].lay(); pools[2].lay() }
		lists := make([]List[int64, A], 6)
		room := len(lists[0].inline())
		model := make([][]int64, len(lists))
		next := int64(0)
		which := rapid.IntRange(0, len(lists)-1)
		one := func() *Pool[int64] { return &pools[rapid.IntRange(0, 2).Draw(t, "pool")] }
		at := func(n int) int { return rapid.IntRange(0, n).Draw(t, "at") }
		t.Repeat(map[string]func(*rapid.T){
			"push": func(t *rapid.T) {
				i, p := which.Draw(t, "list"), one()
				for range rapid.IntRange(1, 20).Draw(t, "times") {
					next++
					lists[i].Push(p, next)
					model[i] = append(model[i], next)
				}
			},
			"insert": func(t *rapid.T) {
				i := which.Draw(t, "list")
				k := at(len(model[i]))
				next++
				lists[i].Insert(one(), k, next)
				model[i] = slices.Insert(model[i], k, next)
			},
			"remove": func(t *rapid.T) {
				i := which.Draw(t, "list")
				from := at(len(model[i]))
				to := rapid.IntRange(from, len(model[i])).Draw(t, "to")
				lists[i].Remove(one(), from, to)
				model[i] = slices.Delete(model[i], from, to)
			},
			"clear": func(t *rapid.T) {
				i := which.Draw(t, "list")
				lists[i].Clear(one())
				model[i] = model[i][:0]
			},
			"lay":  func(*rapid.T) { lay() },
			"trim": func(*rapid.T) { pools[0].Trim() },
			"keep": func(t *rapid.T) { // as a snapshot does, and is restored
				i := which.Draw(t, "list")
				l := lists[i]
				kept := slices.Clone(l.Part(one()))
				lists[i].Clear(one())
				if l.Beyond() != len(kept) {
					t.Fatalf("%d items beyond, not %d", l.Beyond(), len(kept))
				}
				beyond, ok := l.Join(one())
				if !ok {
					t.Fatal("a list that cannot have been")
				}
				copy(beyond, kept)
				lists[i] = l
			},
			"move": func(t *rapid.T) { // copying a list copies ownership
				i, j := which.Draw(t, "from"), which.Draw(t, "to")
				lists[i], lists[j] = lists[j], lists[i]
				model[i], model[j] = model[j], model[i]
			},
			"": func(t *rapid.T) {
				slabs := map[Slab]bool{}
				for i := range pools[1:] {
					for class := range pools[1+i].hand {
						h := &pools[1+i].hand[class]
						for _, s := range h.slabs[:h.n] {
							if slabs[s] || s&31 != Slab(class) {
								t.Fatalf("slab %d is in two hands, or as one of class %d", s, class)
							}
							slabs[s] = true
						}
					}
				}
				for i := range lists {
					if items := lists[i].Items(one()); !slices.Equal(items, model[i]) {
						t.Fatalf("list %d is %v, want %v", i, items, model[i])
					}
					if s := lists[i].Over; s != 0 {
						if slabs[s] {
							t.Fatalf("slab %d has two owners", s)
						}
						slabs[s] = true
					}
					if inline := len(model[i]) <= room; inline != (lists[i].Over == 0) {
						t.Fatalf("%d items in slab %d", len(model[i]), lists[i].Over)
					}
				}
				out := uint32(0)
				for i := range pools[0].at.class {
					out += pools[0].at.class[i].out
				}
				for s := range slabs {
					n, page := uint32(s>>5), bits.Len32(uint32(s>>5))-1
					if at := n - 1<<page; pools[0].at.class[s&31].free[page].words[at/64]>>(at%64)&1 != 0 {
						t.Fatalf("slab %d is free too", s)
					}
				}
				if int(out) != len(slabs) {
					t.Fatalf("%d slabs are out, %d of them in lists and hands", out, len(slabs))
				}
			},
		})
	})
}

// Trim takes nothing from a list, and keeps what was needed since it was last called.
func TestPropertyTrim(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p Pool[int64]
		lists := make([]pair, 2000)
		long := make([]int, len(lists))
		for range rapid.IntRange(1, 12).Draw(t, "rounds") {
			from := rapid.IntRange(0, len(lists)).Draw(t, "from")
			to := rapid.IntRange(from, len(lists)).Draw(t, "to")
			n := rapid.IntRange(0, 20).Draw(t, "long")
			for i := from; i < to; i++ {
				lists[i].Clear(&p)
				fill(&lists[i], &p, i, n)
				long[i] = n
			}
			was, again := p.Bytes(), rapid.Bool().Draw(t, "again")
			p.Trim()
			if again {
				p.Trim()
			}
			if p.Bytes() > was {
				t.Fatalf("%d bytes, before %d", p.Bytes(), was)
			}
			slabs := map[Slab]bool{}
			for i := range lists {
				items := lists[i].Items(&p)
				if len(items) != long[i] || slabs[lists[i].Over] {
					t.Fatalf("list %d has %d items, not %d, in slab %d", i, len(items), long[i], lists[i].Over)
				}
				for k, v := range items {
					if v != int64(i+k) {
						t.Fatalf("list %d has %d at %d", i, v, k)
					}
				}
				if lists[i].Over != 0 {
					slabs[lists[i].Over] = true
				}
			}
		}
	})
}

// What a burst took goes when nothing of it is left, at the second Trim; what is needed stays.
func TestTrimGivesBack(t *testing.T) {
	var p Pool[int64]
	lists := make([]pair, 5000)
	for i := range lists {
		fill(&lists[i], &p, 0, 3)
	}
	full := p.Bytes()
	p.Trim()
	if p.Bytes() != full {
		t.Fatalf("%d bytes of %d, with all in use", p.Bytes(), full)
	}
	for i := range lists {
		lists[i].Clear(&p)
	}
	p.Trim() // all were needed since the last
	if p.Bytes() < full {
		t.Fatalf("%d bytes of %d, which were needed", p.Bytes(), full)
	}
	p.Trim()
	if p.Bytes() > full/20 {
		t.Fatalf("%d bytes of %d, none of which is needed", p.Bytes(), full)
	}
	for range 3 { // what comes again every time stays
		for i := range lists[:100] {
			fill(&lists[i], &p, 0, 3)
		}
		needed := p.Bytes()
		for i := range lists[:100] {
			lists[i].Clear(&p)
		}
		if p.Trim(); p.Bytes() < needed {
			t.Fatalf("%d bytes of %d, which were needed", p.Bytes(), needed)
		}
	}
}

// What a branch had at hand goes with the rest once it is laid down, and it has no more
// at hand than it may.
func TestLayGivesBack(t *testing.T) {
	var p, b Pool[int64]
	p.branch(&b)
	lists := make([]pair, 5000)
	for round := range 2 {
		for i := range lists {
			fill(&lists[i], &b, 0, 3)
		}
		for i := range lists {
			lists[i].Clear(&b)
		}
		if out := p.at.class[0].out; round == 0 && (out == 0 || out > handSlabs) {
			t.Fatalf("%d slabs at hand, of at most %d", out, handSlabs)
		}
		b.lay()
		p.Trim()
		if out := p.at.class[0].out; out != 0 {
			t.Fatalf("%d slabs are out", out)
		}
	}
	full := p.Bytes()
	p.Trim()
	if p.Bytes() > full/20 {
		t.Fatalf("%d bytes of %d, none of which is needed", p.Bytes(), full)
	}
}

// Many branches that need one slab each keep no more than that.
func TestBranchesThatNeedLittle(t *testing.T) {
	var p Pool[int64]
	branches := make([]Pool[int64], 16)
	lists := make([]pair, len(branches))
	for i := range branches {
		p.branch(&branches[i])
	}
	round := func() {
		for i := range branches {
			fill(&lists[i], &branches[i], 0, 3)
			lists[i].Clear(&branches[i])
			branches[i].lay()
		}
		p.Trim()
	}
	round()
	if n := testing.AllocsPerRun(10, round); n != 0 || p.at.class[0].made > 5 {
		t.Errorf("%v allocations a round, %d pages", n, p.at.class[0].made)
	}
}

// A few that stay of a burst, wherever theirs lie, keep all of it no longer than until they
// have come and gone themselves: what is taken anew lies in front.
func TestTrimGivesBackAroundThoseWhoStay(t *testing.T) {
	var p Pool[int64]
	lists := make([]pair, 20000)
	for i := range lists {
		fill(&lists[i], &p, 0, 3)
	}
	full := p.Bytes()
	stays := func(i int) bool { return i%1000 == 999 }
	for i := range lists {
		if !stays(i) {
			lists[i].Clear(&p)
		}
	}
	p.Trim()
	for i := range lists {
		if stays(i) {
			lists[i].Clear(&p)
			fill(&lists[i], &p, i, 3)
		}
	}
	p.Trim()
	if p.Bytes() > full/20 {
		t.Errorf("%d bytes of %d, for 20 lists of %d", p.Bytes(), full, len(lists))
	}
	for i := range lists {
		if items := lists[i].Items(&p); stays(i) && (len(items) != 3 || items[0] != int64(i)) {
			t.Errorf("list %d: %v", i, items)
		}
	}
}

// A bitset is a set, and gives the lowest first.
func TestPropertyBitset(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := 1 << rapid.IntRange(0, 14).Draw(t, "bits")
		b, gone := allBelow(n), make([]bool, n)
		low := 0 // none below it is in the set
		for range rapid.IntRange(1, 10).Draw(t, "steps") {
			for range rapid.IntRange(0, n).Draw(t, "pops") {
				for low < n && gone[low] {
					low++
				}
				if low == n {
					break
				}
				if got := b.pop(); got != uint32(low) {
					t.Fatalf("pops %d, not %d", got, low)
				}
				gone[low] = true
			}
			for range rapid.IntRange(0, 20).Draw(t, "adds") {
				i := rapid.IntRange(0, n-1).Draw(t, "add")
				b.add(uint32(i))
				gone[i], low = false, min(low, i)
			}
		}
	})
}

// Workers grow and shrink lists of one pool at the same time, and hand them on.
func TestPoolConcurrent(t *testing.T) {
	t.Run("pool", func(t *testing.T) { poolConcurrent(t, func(p *Pool[int64]) *Pool[int64] { return p }) })
	t.Run("branches", func(t *testing.T) {
		poolConcurrent(t, func(p *Pool[int64]) *Pool[int64] {
			b := new(Pool[int64])
			p.branch(b)
			return b
		})
	})
}

func poolConcurrent(t *testing.T, of func(*Pool[int64]) *Pool[int64]) {
	const workers, rounds, each = 4, 60, 20
	var all Pool[int64]
	var pools [workers]*Pool[int64]
	var lists [workers][each]pair
	for w := range pools {
		pools[w] = of(&all)
	}
	for round := range rounds {
		var wg sync.WaitGroup
		for w := range workers {
			p, lists := pools[w], &lists[(w+round)%workers] // another's, the round before
			wg.Go(func() {
				for i := range lists {
					for k, v := range lists[i].Items(p) {
						if v != int64((round-1)*1000+i+k) {
							t.Errorf("round %d reads %d in list %d at %d", round, v, i, k)
							return
						}
					}
					if i%2 == 0 {
						lists[i].Remove(p, 0, int(lists[i].Len)/2)
					}
					lists[i].Clear(p)
				}
				for i := range lists {
					fill(&lists[i], p, round*1000+i, (round*7+i*13)%70)
				}
			})
		}
		wg.Wait()
	}
	for w := range pools {
		for i := range lists[w] {
			lists[w][i].Clear(pools[w])
		}
		pools[w].lay()
	}
	for i := range all.at.class {
		if out := all.at.class[i].out; out != 0 {
			t.Errorf("%d slabs of class %d are out", out, i)
		}
	}
}

// No pool is forgotten of a branch, nor of what lays it down.
func TestBranchHasEveryPool(t *testing.T) {
	var p Pools
	b := p.Branch()
	all, branch := reflect.ValueOf(&p).Elem(), reflect.ValueOf(b).Elem()
	for i := range all.NumField() {
		name := all.Type().Field(i).Name
		if at := all.Field(i).FieldByName("at").Pointer(); at == 0 || branch.Field(i).FieldByName("at").Pointer() != at {
			t.Errorf("%s: a branch has its own", name)
		}
		h := branch.Field(i).FieldByName("hand")
		if !h.IsValid() {
			continue // boxes
		}
		pool := branch.Field(i).Addr().Interface().(interface {
			take(uint32) Slab
			give(Slab)
		})
		pool.give(pool.take(0))
		if h.Elem().Index(0).FieldByName("n").Int() == 0 {
			t.Errorf("%s: nothing at hand", name)
		}
	}
	b.Lay()
	var bytes uintptr
	for i := range all.NumField() {
		if h := branch.Field(i).FieldByName("hand"); h.IsValid() && h.Elem().Index(0).FieldByName("n").Int() != 0 {
			t.Errorf("%s is not laid down", all.Type().Field(i).Name)
		}
		bytes += all.Field(i).Addr().Interface().(interface{ Bytes() uintptr }).Bytes()
	}
	if p.Bytes() != bytes || bytes == 0 {
		t.Errorf("%d bytes, of %d", p.Bytes(), bytes)
	}
}

// Release gives back what every list of a row holds.
func TestRowReleaseGivesAllBack(t *testing.T) {
	var p Pools
	load := func(r Row) {
		for range 40 {
			r.Sequence.Nodes.Push(&p.Nodes, Node{})
			r.MotionState.Modifiers.Push(&p.Speeded, Speeded{})
			r.MotionState.Actions.Push(&p.Speeded, Speeded{})
			r.Interpreted.Actions.Push(&p.Actions, Action{})
			r.Raw.Make(&p.Raws).Actions.Push(&p.Actions, Action{})
			r.Pending.Anims.Push(&p.PendingAnims, PendingAnim{})
			r.Pending.Motions.Push(&p.PendingMotions, PendingMotion{})
			r.Chase.Queue.Push(&p.Chase, ChaseNode{})
		}
	}
	var v Values
	var most uintptr
	for round := range 10 {
		r := v.Row()
		load(r)
		if round == 1 {
			most = p.Bytes()
		}
		r.Release(&p)
		if v != (Values{Cold: Cold{MotionState: v.MotionState, Interpreted: v.Interpreted}, Sequence: v.Sequence, Pending: v.Pending, Chase: v.Chase}) {
			t.Fatal("releasing touches what holds no list")
		}
		for name, over := range map[string]Slab{
			"nodes": v.Sequence.Nodes.Over, "modifiers": v.MotionState.Modifiers.Over, "actions": v.MotionState.Actions.Over,
			"interpreted": v.Interpreted.Actions.Over, "anims": v.Pending.Anims.Over,
			"motions": v.Pending.Motions.Over, "chase": v.Chase.Queue.Over,
		} {
			if over != 0 {
				t.Errorf("%s keep slab %d", name, over)
			}
		}
	}
	if p.Bytes() != most {
		t.Errorf("ten rows one after another take %d bytes, one %d", p.Bytes(), most)
	}
}

// A list without inline room lies in its pool alone (checked pointers find it if not).
func TestListWithoutInlineRoom(t *testing.T) {
	var p Pool[Voyeur]
	l := new(List[Voyeur, [0]Voyeur])
	if len(l.Items(&p)) != 0 {
		t.Error("a new list is not empty")
	}
	for i := range uint32(20) {
		l.Push(&p, Voyeur{ID: i})
	}
	l.Remove(&p, 0, 18)
	if got := l.Items(&p); len(got) != 2 || got[0].ID != 18 || got[1].ID != 19 {
		t.Errorf("%+v", got)
	}
	l.Clear(&p)
	if l.Over != 0 || len(l.Items(&p)) != 0 {
		t.Errorf("%+v", *l)
	}
}
