package bench

import (
	"slices"
	"sync"
	"time"
	"unsafe"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/systems"
)

// BytesTouched is what a tick must touch of a remote that moves and for which
// nothing has come: the columns that the four stages after inbound walk, each
// whole, and its row of the view. What messages and chases touch besides is
// timed but not counted.
const BytesTouched = unsafe.Sizeof(components.Rest{}) +
	unsafe.Sizeof(components.Body{}) +
	unsafe.Sizeof(components.Pose{}) +
	unsafe.Sizeof(components.Sequence{}) +
	unsafe.Sizeof(components.Leash{}) +
	systems.ViewBytes

// The size of a floor's copy: out of every cache whatever the count of remotes,
// and no larger than it needs be.
const (
	floorMinBytes = 64 << 20
	floorMaxBytes = 256 << 20
	floorPasses   = 3
)

// floor is a streaming copy of the bytes that a tick touches, by as many
// goroutines as the engine has workers.
type floor struct {
	from, to []byte
	workers  int
	samples  []float64 // ns per remote
}

func newFloor(remotes, workers int) *floor {
	n := min(max(remotes*int(BytesTouched), floorMinBytes), floorMaxBytes)
	f := &floor{from: make([]byte, n), to: make([]byte, n), workers: workers}
	for i := 0; i < n; i += 1 << 10 { // pages of zeros are all one page until written
		f.from[i], f.to[i] = 1, 1
	}
	f.copy()
	return f
}

// measure takes a sample: the best of some passes, since what disturbs a copy
// only ever makes it slower.
func (f *floor) measure() {
	best := time.Duration(1<<63 - 1)
	for range floorPasses {
		began := time.Now()
		f.copy()
		best = min(best, time.Since(began))
	}
	f.samples = append(f.samples, float64(best.Nanoseconds())*float64(BytesTouched)/float64(len(f.from)))
}

func (f *floor) copy() {
	var wait sync.WaitGroup
	share := (len(f.from) + f.workers - 1) / f.workers
	for i := 1; i < f.workers; i++ {
		wait.Go(func() {
			at := min(i*share, len(f.from))
			end := min(at+share, len(f.from))
			copyRows(f.to[at:end], f.from[at:end])
		})
	}
	copyRows(f.to[:share], f.from[:share])
	wait.Wait()
}

// copyRows copies a remote's bytes after another's, as a tick goes through them.
// One copy of the whole would use stores that bypass the cache, which no tick can.
func copyRows(to, from []byte) {
	for len(from) > 0 {
		n := copy(to, from[:min(len(from), int(BytesTouched))])
		to, from = to[n:], from[n:]
	}
}

// perRemote returns the median of the samples, in ns per remote.
func (f *floor) perRemote() float64 { return median(f.samples) }

// median returns the middle of some numbers, the mean of both middles of an even count.
func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	n := len(v)
	return (v[(n-1)/2] + v[n/2]) / 2
}

// percentile returns the smallest of some sorted numbers that a part p of them does not exceed.
func percentile(sorted []float64, p float64) float64 {
	k := int(p * float64(len(sorted)))
	if float64(k) == p*float64(len(sorted)) && k > 0 {
		k--
	}
	return sorted[min(k, len(sorted)-1)]
}

func mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}
