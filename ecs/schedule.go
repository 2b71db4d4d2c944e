package ecs

import (
	"sync"
	"sync/atomic"
)

// Schedule hands chunks of rows to workers. Which worker gets which chunk is
// chance; what is done to a row must not depend on it.
type Schedule struct {
	workers int
	chunk   int
	next    atomic.Int64
	rows    int
	work    func(worker, chunk, from, to int)
	run     []func() // one a worker, made once so that starting it allocates nothing
	done    sync.WaitGroup
}

// NewSchedule returns a schedule of chunks of so many rows over so many workers.
func NewSchedule(workers, chunk int) *Schedule {
	s := &Schedule{workers: max(workers, 1), chunk: max(chunk, 1)}
	s.run = make([]func(), s.workers)
	for i := range s.run {
		s.run[i] = func() {
			s.loop(i)
			s.done.Done()
		}
	}
	return s
}

// Workers returns the number of workers.
func (s *Schedule) Workers() int { return s.workers }

// Chunk returns the rows of a chunk.
func (s *Schedule) Chunk() int { return s.chunk }

// Chunks returns the number of chunks that so many rows make.
func (s *Schedule) Chunks(rows int) int { return (rows + s.chunk - 1) / s.chunk }

// Each calls work for every chunk of rows and returns when all are done. The
// caller's goroutine is one of the workers; the others end before it returns.
func (s *Schedule) Each(rows int, work func(worker, chunk, from, to int)) {
	s.rows, s.work = rows, work
	s.next.Store(0)
	extra := min(s.workers, s.Chunks(rows)) - 1
	if extra > 0 {
		s.done.Add(extra)
		for i := 1; i <= extra; i++ {
			go s.run[i]()
		}
	}
	s.loop(0)
	s.done.Wait()
}

func (s *Schedule) loop(worker int) {
	for {
		c := int(s.next.Add(1)) - 1
		from := c * s.chunk
		if from >= s.rows {
			return
		}
		s.work(worker, c, from, min(from+s.chunk, s.rows))
	}
}
