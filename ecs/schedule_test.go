package ecs

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"
)

// Every row is in exactly one chunk, whatever the numbers; no worker is handed
// two chunks at once.
func TestScheduleCoversEachRowOnce(t *testing.T) {
	for _, workers := range []int{-1, 0, 1, 2, 3, 8} {
		for _, chunk := range []int{-1, 0, 1, 2, 7, 64, 1000} {
			s := NewSchedule(workers, chunk)
			if s.Workers() != max(workers, 1) || s.Chunk() != max(chunk, 1) {
				t.Fatalf("%d workers, chunks of %d", s.Workers(), s.Chunk())
			}
			for _, rows := range []int{0, 1, 2, 6, 7, 8, 63, 64, 65, 500} {
				times := make([]atomic.Int32, rows)
				chunks := make([]atomic.Int32, s.Chunks(rows))
				busy := make([]atomic.Bool, s.Workers())
				s.Each(rows, func(worker, c, from, to int) {
					if busy[worker].Swap(true) {
						t.Errorf("worker %d works twice at a time", worker)
					}
					chunks[c].Add(1)
					if from != c*s.Chunk() || to <= from || to > rows || to-from > s.Chunk() {
						t.Errorf("chunk %d is rows %d to %d of %d", c, from, to, rows)
					}
					for i := from; i < to; i++ {
						times[i].Add(1)
					}
					busy[worker].Store(false)
				})
				for i := range times {
					if n := times[i].Load(); n != 1 {
						t.Fatalf("%d workers, chunks of %d, %d rows: row %d %d times", workers, chunk, rows, i, n)
					}
				}
				for c := range chunks {
					if n := chunks[c].Load(); n != 1 {
						t.Fatalf("chunk %d %d times", c, n)
					}
				}
			}
		}
	}
}

// When Each returns, what the workers wrote is there to be read.
func TestScheduleJoins(t *testing.T) {
	s := NewSchedule(4, 3)
	rows := make([]int, 100)
	for round := range 200 {
		s.Each(len(rows), func(_, _, from, to int) {
			for i := from; i < to; i++ {
				rows[i]++
			}
		})
		if slices.Min(rows) != round+1 || slices.Max(rows) != round+1 {
			t.Fatalf("round %d: %v", round, rows)
		}
	}
}

// All workers take part when there are chunks for all: each waits for the others.
func TestScheduleUsesAllWorkers(t *testing.T) {
	const workers = 3
	s := NewSchedule(workers, 1)
	var meet sync.WaitGroup
	meet.Add(workers)
	var seen [workers]atomic.Bool
	s.Each(workers, func(worker, _, _, _ int) {
		seen[worker].Store(true)
		meet.Done()
		meet.Wait()
	})
	for i := range seen {
		if !seen[i].Load() {
			t.Errorf("worker %d did nothing", i)
		}
	}
}
