package position

// WorldGate decides whether a rendered frame at time now steps the world, last
// being the time of the last one that did, −1 before the first (spec 11 §4.1).
// It returns the new last. What exceeds the quantum is not carried: bodies
// carry their own clocks. blocking says that cells are being loaded.
func WorldGate(last, now float64, blocking bool) (newLast float64, run bool) {
	elapsed := now - last
	switch {
	case blocking:
		return last, false
	case elapsed < 0:
		return now, false
	case elapsed < MinQuantum:
		return last, false
	}
	return now, true
}

// Steps are the quanta that a body's elapsed time is cut into: Whole of 0.2 s,
// then one of Rest seconds unless that is 0.
type Steps struct {
	Whole      int
	Rest       float32
	UpdateTime float64 // s, the body's clock after them
}

// Quanta cuts the time since updateTime into steps (spec 11 §4.2). What is not
// stepped stays on the body's clock, except next to nothing and more than two
// seconds, which are dropped.
func Quanta(updateTime, now float64) Steps {
	elapsed := now - updateTime
	if !(elapsed > MinStep && elapsed <= HugeQuantum) {
		return Steps{UpdateTime: now}
	}
	s := Steps{UpdateTime: updateTime}
	if elapsed > MaxQuantum {
		for elapsed > MaxQuantum {
			s.UpdateTime += MaxQuantum
			elapsed -= MaxQuantum
			s.Whole++
		}
		if elapsed <= MinQuantum { // only here: a short interval alone is stepped
			return s
		}
	}
	s.UpdateTime += elapsed
	s.Rest = float32(elapsed)
	return s
}
