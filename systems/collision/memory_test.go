package collision

import (
	"fmt"
	"testing"
	"time"

	"github.com/gait-engine/gait/bench/ground"
	"github.com/gait-engine/gait/dat"
)

func island(t testing.TB, side int) (*dat.Tables, func() *Land) {
	t.Helper()
	portal, cell, err := ground.Open(1, ground.Around(side))
	if err != nil {
		t.Fatal(err)
	}
	tables, err := dat.LoadLand(portal)
	if err != nil {
		t.Fatal(err)
	}
	return tables, func() *Land { return NewLand(tables, cell) }
}

// inTime fails a test that hangs, as one that waits for itself would.
func inTime(t *testing.T, d time.Duration, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(d):
		t.Fatal("it hangs")
	}
}

// W-23: a block has the objects of its neighbours that reach over, whatever has
// been loaded before, and keeps them when the neighbours are dropped.
func TestFurnishingSurvivesDropping(t *testing.T) {
	_, land := island(t, 8)
	r := ground.Around(8)
	furniture := func(l *Land, x, y int) string {
		b := l.block(int32(x), int32(y))
		l.furnish(b)
		return fmt.Sprint(b.first, b.list, b.Statics)
	}
	inTime(t, time.Minute, func() {
		whole := land()
		if err := whole.LoadAll(); err != nil {
			t.Error(err)
		}
		shared := 0
		scarce := land()
		scarce.Limit(0)
		for x := r.West; x < r.West+r.Width; x++ {
			for y := r.South; y < r.South+r.Depth; y++ {
				want := furniture(whole, x, y)
				fresh := land()
				b := fresh.block(int32(x), int32(y))
				if got := furniture(fresh, x, y); got != want { // at first nothing else is loaded
					t.Fatalf("block (%#x, %#x) is furnished otherwise when its neighbours are not loaded", x, y)
				}
				if len(b.Statics) > len(b.Land.Statics) {
					shared++
				}
				if got := furniture(scarce, x, y); got != want {
					t.Fatalf("block (%#x, %#x) is furnished otherwise when others were dropped", x, y)
				}
				held := scarce.block(int32(x), int32(y))
				scarce.EndTick()
				scarce.EndTick()
				if n, bytes, _ := scarce.Loaded(); n != 0 || bytes != 0 {
					t.Fatalf("%d blocks of %d bytes are left", n, bytes)
				}
				if got := fmt.Sprint(held.first, held.list, held.Statics); got != want {
					t.Fatalf("block (%#x, %#x) lost something", x, y)
				}
			}
		}
		if shared < 20 {
			t.Errorf("only %d blocks have objects of their neighbours: this proves nothing", shared)
		}
	})
}

// A block that was dropped before it was furnished still is furnished right, for
// who holds it.
func TestFurnishingOfADroppedBlock(t *testing.T) {
	_, land := island(t, 8)
	whole, l := land(), land()
	l.Limit(0)
	a, b := whole.block(0xA9, 0xB4), l.block(0xA9, 0xB4)
	l.EndTick()
	l.EndTick()
	if l.block(0xA9, 0xB4) == b {
		t.Fatal("it was not dropped")
	}
	whole.furnish(a)
	l.furnish(b)
	if fmt.Sprint(a.first, a.list, a.Statics) != fmt.Sprint(b.first, b.list, b.Statics) || len(b.Statics) == 0 {
		t.Error("it is furnished otherwise")
	}
}

// What has not been met for the longest goes first, what the last tick met stays,
// and the sum of the bytes is right.
func TestLimit(t *testing.T) {
	_, land := island(t, 8)
	l := land()
	at := func(i int) (int32, int32) { return 0xA6 + int32(i%6), 0xB1 + int32(i/6) }
	meet := func(i int) *Block { x, y := at(i); return l.block(x, y) }
	there := func(i int) bool { x, y := at(i); return l.slots[x<<8|y].block.Load() != nil }
	sum := func() (n int64) {
		for _, id := range l.loaded {
			n += l.slots[id].block.Load().size()
		}
		return n
	}
	for i := range 30 {
		l.furnish(meet(i))
		l.EndTick()
	}
	n, bytes, dropped := l.Loaded()
	if n < 30 || bytes != sum() || dropped != 0 {
		t.Fatalf("%d blocks, %d bytes, %d of them, %d dropped", n, bytes, sum(), dropped)
	}
	meet(0) // the oldest, met again
	l.Limit(bytes / 2)
	l.EndTick()
	n, bytes, dropped = l.Loaded()
	if bytes > l.memory.limit || bytes < l.memory.limit*3/4 || bytes != sum() || dropped == 0 {
		t.Errorf("%d blocks, %d bytes of %d, %d of them, %d dropped", n, bytes, l.memory.limit, sum(), dropped)
	}
	if !there(0) || there(1) || !there(29) {
		t.Errorf("block 0 is there: %v, block 1: %v, block 29: %v", there(0), there(1), there(29))
	}
	all := func() {
		for i := range 30 {
			meet(i)
		}
	}
	all()
	l.Limit(1)
	l.EndTick()
	for i := range 30 {
		if !there(i) {
			t.Errorf("block %d is gone, which the tick met", i)
		}
	}
	l.Limit(1 << 30)
	l.EndTick()
	all()
	if n := testing.AllocsPerRun(100, func() { all(); l.EndTick() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if l.block(1, 1) != absent {
		t.Error("there is a block outside of the land")
	}
}
