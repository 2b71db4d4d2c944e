package bench

import (
	"cmp"
	"slices"
	"time"

	"github.com/gait-engine/gait/systems"
)

// measureEvery is every how manieth tick is measured stage by stage. The other
// figures are of those that are not, since reading a clock costs something too. A
// period that shares no factor with a second's ticks or with anything that the
// engine does by turns sees all of it.
const measureEvery = 7

// StageCost is what a part of the tick costs a remote: feeding messages, then the
// engine's stages ([systems.Stage]).
type StageCost struct {
	Stage string  `json:"stage"`
	Ns    float64 `json:"ns_per_remote_tick"`    // of stages that workers share, the sum over workers
	Bytes float64 `json:"bytes_per_remote_tick"` // as [systems.Cost] has them
	Share float64 `json:"share"`                 // of what all of them take
}

// stageFeed is the part that is no stage: messages are copied into the engine.
const stageFeed = "feed"

// measured is one tick that was measured stage by stage.
type measured struct {
	after      int           // how many that were not came before
	took, feed time.Duration // all of it; messages
	fed        int           // bytes of these
	cost       systems.Cost
}

var clockBegan = time.Now()

// clock is what stages are measured by.
func clock() int64 { return int64(time.Since(clockBegan)) }

// stages returns the costs by stage, and how many workers were at work on average
// while stages were shared: means over the middle half of the ticks by how long
// they took, which add up as medians do not, and of which what disturbed a tick is
// no part. Nothing when no tick was measured.
func stages(ticks []measured, remotes int) (costs []StageCost, sharing float64) {
	ticks = slices.SortedFunc(slices.Values(ticks), func(a, b measured) int { return cmp.Compare(a.took, b.took) })
	ticks = ticks[len(ticks)/4 : len(ticks)-len(ticks)/4]
	if len(ticks) == 0 {
		return nil, 0
	}
	costs = make([]StageCost, 1+systems.Stages)
	costs[0].Stage = stageFeed
	for s := range systems.Stages {
		costs[1+s].Stage = systems.Stage(s).String()
	}
	var work, shared int64
	for i := range ticks {
		t := &ticks[i]
		costs[0].Ns += float64(t.feed)
		costs[0].Bytes += float64(2 * t.fed) // read and written
		for s := range systems.Stages {
			costs[1+s].Ns += float64(t.cost.Ns[s])
			costs[1+s].Bytes += float64(t.cost.Bytes[s])
			if systems.Stage(s).Shared() {
				work += t.cost.Ns[s]
			}
		}
		shared += t.cost.Shared
	}
	for i := range costs {
		costs[i].Ns /= float64(len(ticks) * remotes)
		costs[i].Bytes /= float64(len(ticks) * remotes)
	}
	share(costs)
	return costs, float64(work) / float64(max(shared, 1))
}

// share finds every stage's share.
func share(costs []StageCost) {
	total := 0.0
	for i := range costs {
		total += costs[i].Ns
	}
	for i := range costs {
		costs[i].Share = costs[i].Ns / total
	}
}

// clockCost returns by what part a tick that is measured takes longer: the median
// over these ticks, each compared with the mean of its neighbours in times, the ns of
// the others in order. 0 when no tick was measured.
func clockCost(ticks []measured, times []float64) float64 {
	var longer []float64
	for i := range ticks {
		if t := &ticks[i]; t.after > 0 && t.after < len(times) {
			longer = append(longer, float64(t.took)/((times[t.after-1]+times[t.after])/2)-1)
		}
	}
	if len(longer) == 0 {
		return 0
	}
	return median(longer)
}
