package ecs

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/gait-engine/gait/components"
	"pgregory.net/rapid"
)

func remote(guid uint32, mark float32) *components.Values {
	v := &components.Values{}
	v.Identity.Guid = guid
	v.Rest.Scale = mark
	v.Rest.Since = uint32(mark)
	return v
}

func spawn(t interface {
	Helper()
	Fatalf(string, ...any)
}, w *World, guid uint32, mark float32) {
	t.Helper()
	if err := w.Spawn(remote(guid, mark)); err != nil {
		t.Fatalf("%v", err)
	}
}

func nobody(int) {}

// apply applies and returns the guids that went and came.
func apply(w *World) (gone, born []uint32) {
	w.Apply(
		func(row int) { gone = append(gone, w.Columns().Cold[row].Identity.Guid) },
		func(row int) { born = append(born, w.Columns().Cold[row].Identity.Guid) })
	return gone, born
}

// wantWorld holds a world to a model: guid to mark.
func wantWorld(t interface {
	Helper()
	Fatalf(string, ...any)
}, w *World, model map[uint32]float32) {
	t.Helper()
	c := w.Columns()
	if w.Rows() != len(model) || len(c.Cold) != len(model) || len(c.Rest) != len(model) {
		t.Fatalf("%d rows, %d identities, %d rests, want %d", w.Rows(), len(c.Cold), len(c.Rest), len(model))
	}
	sorted, last := true, uint32(0)
	for i := range c.Cold {
		sorted = sorted && (i == 0 || c.Cold[i].Identity.Guid > c.Cold[i-1].Identity.Guid)
	}
	if w.Sorted() != sorted {
		t.Fatalf("Sorted is %v, the rows are %v", w.Sorted(), sorted)
	}
	for k := range w.Rows() {
		row := w.Nth(k)
		guid := c.Cold[row].Identity.Guid
		if guid <= last {
			t.Fatalf("%d after %d in order", guid, last)
		}
		last = guid
		mark, ok := model[guid]
		if !ok || c.Rest[row].Scale != mark || c.Rest[row].Since != uint32(mark) {
			t.Fatalf("row %d is %d with %v and %v, want %v, %v", row, guid, c.Rest[row].Scale, c.Rest[row].Since, mark, ok)
		}
		if at, ok := w.Row(guid); !ok || at != int(row) {
			t.Fatalf("%d is found in row %d, %v, and lies in %d", guid, at, ok, row)
		}
		var r components.Row
		c.At(int(row), &r)
		if r.Identity.Guid != guid || r.Rest.Scale != mark || r.Rest.Since != uint32(mark) {
			t.Fatalf("At(%d) points elsewhere", row)
		}
	}
}

// Rows come in guid order, whatever the order in which they were asked for, and
// not before Apply.
func TestSpawnsComeInGuidOrder(t *testing.T) {
	w := NewWorld(0)
	for _, g := range []uint32{5, 1, 0xFFFFFFFF, 3} {
		spawn(t, w, g, float32(g%7))
	}
	if w.Rows() != 0 {
		t.Fatal("rows before Apply")
	}
	if _, ok := w.Row(5); ok || !w.Lives(5) || w.Leaving(5) {
		t.Fatal("a spawn that waits has a row, or does not live")
	}
	_, born := apply(w)
	if !slices.Equal(born, []uint32{1, 3, 5, 0xFFFFFFFF}) {
		t.Fatalf("born %v", born)
	}
	wantWorld(t, w, map[uint32]float32{1: 1, 3: 3, 5: 5, 0xFFFFFFFF: 0xFFFFFFFF % 7})
	if n := w.Changes(); n != 1 {
		t.Fatalf("%d changes", n)
	}
	if w.Apply(nil, nil) || w.Changes() != 1 {
		t.Fatal("nothing was asked for, and something changed")
	}
	spawn(t, w, 2, 2)
	apply(w)
	if w.Sorted() {
		t.Fatal("2 lies behind 0xFFFFFFFF, and rows count as sorted")
	}
	wantWorld(t, w, map[uint32]float32{1: 1, 2: 2, 3: 3, 5: 5, 0xFFFFFFFF: 0xFFFFFFFF % 7})
}

// A removal swaps the last row into the gap: every guid is still found.
func TestRemovalSwaps(t *testing.T) {
	w := NewWorld(0)
	model := map[uint32]float32{}
	for g := uint32(1); g <= 10; g++ {
		spawn(t, w, g, float32(g))
		model[g] = float32(g)
	}
	apply(w)
	for _, g := range []uint32{9, 2, 10, 1} {
		if !w.Remove(g) || w.Remove(g) || !w.Leaving(g) || w.Lives(g) {
			t.Fatalf("removing %d", g)
		}
		delete(model, g)
	}
	if w.Rows() != 10 {
		t.Fatal("rows went before Apply")
	}
	gone, _ := apply(w)
	if !slices.Equal(gone, []uint32{1, 2, 9, 10}) {
		t.Fatalf("gone %v", gone)
	}
	wantWorld(t, w, model)
	if w.Leaving(9) || w.Lives(9) || w.Remove(9) {
		t.Fatal("9 is still about")
	}
	for g := range model {
		w.Remove(g)
	}
	apply(w)
	wantWorld(t, w, nil)
	if _, ok := w.Row(3); ok {
		t.Fatal("a row in an empty world")
	}
	spawn(t, w, 3, 30)
	apply(w)
	wantWorld(t, w, map[uint32]float32{3: 30})
}

// A guid that is asked to go may be asked to come in the same tick: the old
// one goes, the new one comes.
func TestSpawnAfterRemoval(t *testing.T) {
	w := NewWorld(0)
	spawn(t, w, 7, 1)
	spawn(t, w, 8, 2)
	apply(w)
	w.Remove(7)
	spawn(t, w, 7, 3)
	if !w.Lives(7) || !w.Leaving(7) {
		t.Fatal("7 goes and comes")
	}
	if err := w.Spawn(remote(7, 4)); !errors.Is(err, ErrGuid) {
		t.Fatalf("a third 7: %v", err)
	}
	gone, born := apply(w)
	if !slices.Equal(gone, []uint32{7}) || !slices.Equal(born, []uint32{7}) {
		t.Fatalf("gone %v, born %v", gone, born)
	}
	wantWorld(t, w, map[uint32]float32{7: 3, 8: 2})

	// removed, asked for, and removed again before it came
	w.Remove(7)
	spawn(t, w, 7, 5)
	if !w.Remove(7) || w.Lives(7) || w.Remove(7) {
		t.Fatal("the second removal")
	}
	apply(w)
	wantWorld(t, w, map[uint32]float32{8: 2})
}

func TestSpawnRefusals(t *testing.T) {
	w := NewWorld(0)
	spawn(t, w, 7, 1)
	for _, g := range []uint32{0, 7} {
		if err := w.Spawn(remote(g, 2)); !errors.Is(err, ErrGuid) {
			t.Errorf("guid %d: %v", g, err)
		}
	}
	apply(w)
	if err := w.Spawn(remote(7, 2)); !errors.Is(err, ErrGuid) {
		t.Errorf("7 lives: %v", err)
	}
	if w.Lives(0) || w.Remove(0) || w.Remove(99) {
		t.Error("nobody is about")
	}
	apply(w)
	wantWorld(t, w, map[uint32]float32{7: 1})
}

// A spawn that was taken back leaves no trace.
func TestSpawnTakenBack(t *testing.T) {
	w := NewWorld(0)
	spawn(t, w, 1, 1)
	spawn(t, w, 2, 2)
	if !w.Remove(1) || w.Lives(1) || w.Remove(1) {
		t.Fatal("taking back")
	}
	spawn(t, w, 1, 3)
	w.Remove(2)
	_, born := apply(w)
	if !slices.Equal(born, []uint32{1}) {
		t.Fatalf("born %v", born)
	}
	wantWorld(t, w, map[uint32]float32{1: 3})
}

// Whichever of many waiting spawns are taken back, the others come as they were.
func TestSpawnsTakenBackInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := NewWorld(0)
		model := map[uint32]float32{}
		for n := range rapid.IntRange(1, 60).Draw(t, "steps") {
			g := rapid.Uint32Range(1, 12).Draw(t, "guid")
			if _, waits := model[g]; waits {
				if !w.Remove(g) {
					t.Fatalf("%d waits and is not taken back", g)
				}
				delete(model, g)
			} else {
				spawn(t, w, g, float32(n))
				model[g] = float32(n)
			}
		}
		apply(w)
		wantWorld(t, w, model)
	})
}

// Columns move when a world outgrows its capacity; what they hold does not change.
func TestGrowthBeyondCapacity(t *testing.T) {
	w := NewWorld(1)
	model := map[uint32]float32{}
	for round := range 8 {
		for i := range 1 << round * 20 {
			g := uint32(round<<16 | i + 1)
			spawn(t, w, g, float32(i))
			model[g] = float32(i)
		}
		apply(w)
		wantWorld(t, w, model)
	}
	big := NewWorld(w.Rows() * 2)
	for g, mark := range model {
		spawn(t, big, g, mark)
	}
	apply(big)
	wantWorld(t, big, model)
	if a, b := digest(w), digest(big); a != b {
		t.Fatalf("%016x grown, %016x at once", a, b)
	}
}

// A removal gives back what the lists of the row hold.
func TestRemovalReleasesLists(t *testing.T) {
	w := NewWorld(0)
	load := func(guid uint32) {
		spawn(t, w, guid, 1)
		apply(w)
		row, _ := w.Row(guid)
		for range 50 {
			w.columns.Chase[row].Queue.Push(&w.Pools.Chase, components.ChaseNode{})
			w.columns.Sequence[row].Nodes.Push(&w.Pools.Nodes, components.Node{})
		}
	}
	load(1)
	want := w.Pools.Bytes()
	for g := uint32(2); g < 20; g++ {
		w.Remove(g - 1)
		apply(w)
		load(g)
	}
	if got := w.Pools.Bytes(); got > want+64 {
		t.Fatalf("one remote at a time takes %d bytes after twenty, %d after one", got, want)
	}
}

// The memory reported grows with the rows and is about what components take.
func TestBytesArePlausible(t *testing.T) {
	w := NewWorld(0)
	if b := w.Bytes(); b > 256<<10 {
		t.Errorf("an empty world takes %d bytes", b)
	}
	const n = 5000
	for g := uint32(1); g <= n; g++ {
		spawn(t, w, g, 1)
	}
	apply(w)
	if b := w.Bytes(); b < n*RowBytes || b > 3*n*RowBytes {
		t.Errorf("%d rows of %d bytes take %d", n, RowBytes, b)
	}
	before := w.Bytes()
	for range 20 {
		w.columns.Chase[0].Queue.Push(&w.Pools.Chase, components.ChaseNode{})
	}
	if w.Bytes() <= before {
		t.Error("overflow takes no memory")
	}
}

// Any spawns, removals and applications, against a map.
func TestPropertyWorldIsAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := NewWorld(rapid.IntRange(0, 100).Draw(t, "capacity"))
		lives, next := map[uint32]float32{}, map[uint32]float32{}
		guid := rapid.Uint32Range(1, 40)
		mark := float32(0)
		t.Repeat(map[string]func(*rapid.T){
			"spawn": func(t *rapid.T) {
				g := guid.Draw(t, "guid")
				mark++
				_, taken := next[g]
				if err := w.Spawn(remote(g, mark)); (err != nil) != taken {
					t.Fatalf("spawn of %d, taken %v: %v", g, taken, err)
				} else if err == nil {
					next[g] = mark
				}
			},
			"remove": func(t *rapid.T) {
				g := guid.Draw(t, "guid")
				_, there := next[g]
				if w.Remove(g) != there {
					t.Fatalf("removal of %d, there %v", g, there)
				}
				delete(next, g)
			},
			"apply": func(t *rapid.T) {
				gone, born := apply(w)
				if !slices.IsSorted(gone) || !slices.IsSorted(born) {
					t.Fatalf("gone %v, born %v", gone, born)
				}
				lives = map[uint32]float32{}
				for g, m := range next {
					lives[g] = m
				}
			},
			"": func(t *rapid.T) {
				wantWorld(t, w, lives)
				for g := uint32(1); g <= 40; g++ {
					if _, there := next[g]; w.Lives(g) != there {
						t.Fatalf("Lives(%d) is %v", g, !there)
					}
				}
			},
		})
	})
}

func digest(w *World) uint64 {
	var h Hash
	w.HashRows(&h, w.AppendPart(nil, 0, 1))
	return h.Sum()
}

// Finding a row takes the same time among many as among few.
func BenchmarkRow(b *testing.B) {
	for _, n := range []int{1000, 1_000_000} {
		b.Run(map[int]string{1000: "1k", 1_000_000: "1M"}[n], func(b *testing.B) {
			if n > 1000 && testing.Short() {
				b.Skip("a million rows take a gigabyte")
			}
			w := NewWorld(n)
			for g := range n {
				if err := w.Spawn(remote(uint32(g+1), 1)); err != nil {
					b.Fatal(err)
				}
			}
			w.Apply(nobody, nobody)
			g := uint32(1)
			sum := 0
			for b.Loop() {
				g = g*1664525 + 1013904223
				row, _ := w.Row(g%uint32(n) + 1)
				sum += row
			}
			if sum == math.MinInt {
				b.Fatal(sum)
			}
		})
	}
}
