package systems

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Walkers who are calm, who look neither at the land nor for others and whose
// registrations are made up for when somebody asks, come to what all come to that
// always look; through starts and stops, comings and goings, and teleports into
// their midst.
func TestCalmWalkersComeToWhatOthersDo(t *testing.T) {
	const bodies, ticks = 70, 400
	play := func(seed uint64, o Options) (hashes []uint64, calm int) {
		r := onLand(t, o)
		r.unchecked = true
		rng := rand.New(rand.NewPCG(seed, 11))
		within := func(low, high float32) float32 { return low + (high-low)*rng.Float32() }
		born := uint32(0)
		come := func() {
			born++
			r.spawn(stander(born*0x9E3779B1, within(60, 185), within(60, 185), 100.1, within(0, 360)))
		}
		for range bodies {
			come()
		}
		for tick := range ticks {
			for range 3 {
				guid := (1 + rng.Uint32N(born)) * 0x9E3779B1
				forward, turn := []uint32{run, walk, run, ready}[rng.IntN(4)], []uint32{0, 0, right}[rng.IntN(3)]
				x, y := within(60, 185), within(60, 185)
				if !r.has(guid) {
					continue
				}
				switch rng.IntN(40) {
				case 0:
					r.e.Remove(guid)
					come()
				case 1:
					r.send(r.teleportTo(guid, over(x, y, 100.1, 0)))
				default:
					r.move(guid, does{forward: forward, turn: turn})
				}
			}
			r.tick(1)
			for i := range r.e.world.Rows() {
				if r.e.land.crowd.Calm(i, uint32(r.e.Now())) {
					calm++
				}
			}
			if tick%23 == 0 || tick == ticks-1 { // in between, what was left out piles up
				hashes = append(hashes, r.e.Hash())
				if err := r.e.Check(); err != nil {
					t.Fatal(err)
				}
			}
		}
		return hashes, calm
	}
	for seed := range uint64(4) {
		want, none := play(seed, Options{AlwaysUpdate: true})
		if none != 0 {
			t.Fatalf("%d are calm who always look", none)
		}
		for _, o := range []Options{{}, {Workers: 3, ChunkRows: 8}} {
			got, calm := play(seed, o)
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d, %d workers: %x, who always look %x", seed, o.Workers, got, want)
			}
			if calm < bodies*ticks/8 {
				t.Errorf("seed %d: calm %d times of %d", seed, calm, bodies*ticks)
			}
		}
	}
}

// A chunk in which all rest is not walked through until one of them is told
// something, and then that chunk alone.
func TestChunksThatRestAreNotWalked(t *testing.T) {
	r := newRig(t, Options{ChunkRows: 4})
	r.unchecked = true // a hash brings all up to date
	for i := range uint32(12) {
		r.spawn(human(i+1, 50, 50))
	}
	r.tick(10)
	sameList(t, "asleep", r.e.asleep, true, true, true)
	r.move(6, does{forward: run})
	r.tick(1)
	sameList(t, "asleep when one has been told to run", r.e.asleep, true, false, true)
	if v := r.e.View(); v.Flags[5]&Animating == 0 {
		t.Error("it is not seen to")
	}
	r.move(6, does{})
	r.seconds(10)
	sameList(t, "asleep when it has stopped", r.e.asleep, true, true, true)
	r.e.Remove(2)
	r.tick(1)
	sameList(t, "asleep when rows have moved", r.e.asleep, false, false, false)
	r.tick(3)
	sameList(t, "asleep after that", r.e.asleep, true, true, true)
}
