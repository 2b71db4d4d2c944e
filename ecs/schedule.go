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
	shares  []share // of the chunks, one a worker
	rows    int
	work    func(worker, chunk, from, to int)
	run     []func() // one a worker, made once so that starting it allocates nothing
	done    sync.WaitGroup
}

// share are chunks that follow each other. A worker does those of its own, and then helps
// with the others': neighbours in memory are then mostly one worker's, and what the machine
// fetches ahead for one is not what another writes.
type share struct {
	next atomic.Int64
	end  int64
	_    [112]byte // two lines of memory each, which no two workers write
}

// NewSchedule returns a schedule of chunks of so many rows over so many workers.
func NewSchedule(workers, chunk int) *Schedule {
	s := &Schedule{workers: max(workers, 1), chunk: max(chunk, 1), shares: make([]share, max(workers, 1))}
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
	chunks := s.Chunks(rows)
	for i := range s.shares {
		s.shares[i].next.Store(int64(chunks * i / s.workers))
		s.shares[i].end = int64(chunks * (i + 1) / s.workers)
	}
	extra := min(s.workers, chunks) - 1
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
	for i := range s.shares {
		of := &s.shares[(worker+i)%len(s.shares)]
		for c := of.next.Add(1) - 1; c < of.end; c = of.next.Add(1) - 1 {
			from := int(c) * s.chunk
			s.work(worker, int(c), from, min(from+s.chunk, s.rows))
		}
	}
}
