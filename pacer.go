package gait

import "time"

// Pacer says how many ticks are due: it fits a clock, which the embedder reads, to
// ticks of equal length. The zero value is ready; it is for one goroutine.
//
//	for now := range ticker.C {
//		for range pacer.Due(now) {
//			engine.Tick()
//		}
//	}
//
// Ticks are due at whole multiples of the quantum after the first call: no error
// adds up. After a hole longer than CatchUp ticks the rest of it is let go, and
// counted; the world is then later than the clock by so much.
type Pacer struct {
	// TicksPerSecond is that of the engine. 0, as all that is none, is 30.
	TicksPerSecond float64
	// CatchUp is how many ticks are due at once at most. 0 or less is 5.
	CatchUp int

	start time.Time // when tick 0 was
	ticks int64     // due since, and told
	let   uint64
}

// Due returns how many ticks to run now, 0 in the first call, which starts the
// clock. A clock that runs back has none due until it is where it was.
func (p *Pacer) Due(now time.Time) int {
	if p.start.IsZero() {
		p.start = now
		return 0
	}
	due := int64(now.Sub(p.start).Seconds()*p.rate()) - p.ticks
	// the division's last bits must not hold back a tick whose time has come
	if !now.Before(p.at(p.ticks + due + 1)) {
		due++
	}
	if due <= 0 {
		return 0
	}
	if most := int64(p.most()); due > most {
		p.let += uint64(due - most)
		p.ticks += due
		return int(most)
	}
	p.ticks += due
	return int(due)
}

// Next returns when the next tick is due: the time to sleep until. Before the first
// call of Due it is the zero time.
func (p *Pacer) Next() time.Time {
	if p.start.IsZero() {
		return time.Time{}
	}
	return p.at(p.ticks + 1)
}

// LetGo returns how many ticks were due and never run, for CatchUp's sake.
func (p *Pacer) LetGo() uint64 { return p.let }

// at is when a tick is due.
func (p *Pacer) at(tick int64) time.Time {
	return p.start.Add(time.Duration(float64(tick) / p.rate() * float64(time.Second)))
}

func (p *Pacer) rate() float64 {
	if p.TicksPerSecond > 0 {
		return p.TicksPerSecond
	}
	return 30
}

func (p *Pacer) most() int {
	if p.CatchUp > 0 {
		return p.CatchUp
	}
	return 5
}
