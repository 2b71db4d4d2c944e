package ecs

import (
	"testing"

	"pgregory.net/rapid"
)

func TestIndexIsAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, want := newIndex(0), map[uint32]uint32{}
		// few guids, so that they collide, come back and go
		guids := rapid.SliceOfN(rapid.Uint32Range(1, 1<<32-1), 1, 60).Draw(t, "guids")
		for range rapid.IntRange(1, 400).Draw(t, "steps") {
			g := rapid.SampledFrom(guids).Draw(t, "guid")
			if rapid.Bool().Draw(t, "set") {
				row := rapid.Uint32().Draw(t, "row")
				x.set(g, row)
				want[g] = row
			} else {
				x.remove(g)
				delete(want, g)
			}
			if x.used != len(want) {
				t.Fatalf("%d used, want %d", x.used, len(want))
			}
			for _, g := range guids {
				row, ok := x.get(g)
				if w, has := want[g]; ok != has || row != w {
					t.Fatalf("guid %d: %d %v, want %d %v", g, row, ok, w, has)
				}
			}
		}
		if _, ok := x.get(0); ok {
			t.Fatal("found guid 0")
		}
	})
}

// Guids chosen so that a multiplication alone puts them all into one place, or that
// differ where it does not look, cost no more than others.
func TestIndexIsNotChosenAgainst(t *testing.T) {
	const n = 1 << 14
	var inverse uint32 = 1 // of 0x9E3779B1, by Newton
	for range 5 {
		inverse *= 2 - 0x9E3779B1*inverse
	}
	for name, guid := range map[string]func(i uint32) uint32{
		"one place": func(i uint32) uint32 { return (0xABC00000 | i) * inverse },
		"high bits": func(i uint32) uint32 { return i<<18 | 1 },
		"a run":     func(i uint32) uint32 { return 0x50000001 + i },
		"spaced":    func(i uint32) uint32 { return 7 + i*4096 },
	} {
		x := newIndex(n)
		for i := range uint32(n) {
			x.set(guid(i), i)
		}
		far, mask := 0, uint32(len(x.slots)-1)
		for i, s := range x.slots {
			if s.guid != 0 {
				far += int((uint32(i) - x.home(s.guid)) & mask)
			}
		}
		if mean := float64(far) / n; mean > 3 {
			t.Errorf("%s: guids lie %.1f slots from home", name, mean)
		}
	}
}

func BenchmarkIndexGet(b *testing.B) {
	const n = 1 << 20
	x := newIndex(n)
	for i := uint32(0); i < n; i++ {
		x.set(0x50000001+i, i)
	}
	g := uint32(1)
	for b.Loop() {
		g = g*1664525 + 1013904223
		x.get(0x50000001 + g%n)
	}
}

// Guids chosen against the very way in which an index lays them out have it take
// another, time and again, and lie near home after all.
func TestIndexTurnsFromWhatIsChosenAgainstIt(t *testing.T) {
	const n = 1 << 11
	x := newIndex(n)
	first, guid := x.salt, uint32(1)
	for row := range uint32(n) {
		for x.home(guid) > 3 { // of 4,096 homes
			guid++
		}
		x.set(guid, row)
		guid++
	}
	if x.salt == first {
		t.Error("it keeps its way")
	}
	if x.used != n {
		t.Fatalf("%d guids, want %d", x.used, n)
	}
	mask := uint32(len(x.slots) - 1)
	for i, s := range x.slots {
		if far := (uint32(i) - x.home(s.guid)) & mask; s.guid != 0 && far > farthest {
			t.Errorf("guid %d lies %d from home", s.guid, far)
		}
		if row, ok := x.get(s.guid); s.guid != 0 && (!ok || row != s.row) {
			t.Errorf("guid %d is lost", s.guid)
		}
	}
}

// Of very many guids that nobody chose none lies so far that all are moved.
func TestIndexOfAMillionKeepsItsWay(t *testing.T) {
	x := newIndex(0)
	for i := range uint32(1 << 20) {
		x.set(i*2654435761+1, i)
	}
	if x.salt != 0 {
		t.Error("it was moved")
	}
}
