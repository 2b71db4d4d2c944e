package position

import (
	"math"
	"slices"
	"testing"
)

func (s Steps) list() []float64 {
	var l []float64
	for range s.Whole {
		l = append(l, .2)
	}
	if s.Rest != 0 {
		l = append(l, float64(s.Rest))
	}
	return l
}

func TestSpec11_4_2_Table(t *testing.T) {
	for _, c := range []struct {
		elapsed float64
		steps   []float64
		advance float64
	}{
		{.0001, nil, .0001},
		{.03, []float64{.03}, .03},
		{.19, []float64{.19}, .19},
		{.20, []float64{.2}, .2},
		{.21, []float64{.2}, .2},
		{.23, []float64{.2}, .2},
		{.2 + 1.0/30, []float64{.2}, .2},
		{.24, []float64{.2, .04}, .24},
		{.45, []float64{.2, .2, .05}, .45},
		{2.5, nil, 2.5},
		{-1, nil, -1},
		{2, []float64{.2, .2, .2, .2, .2, .2, .2, .2, .2, .2}, 2},
	} {
		s := Quanta(0, c.elapsed)
		ok := slices.EqualFunc(s.list(), c.steps, func(a, b float64) bool { return math.Abs(a-b) < 1e-6 })
		if !ok || math.Abs(s.UpdateTime-c.advance) > 1e-12 {
			t.Errorf("%v: steps %v, to %v", c.elapsed, s.list(), s.UpdateTime)
		}
	}
}

func TestSpec11_4_2_TwoCalls(t *testing.T) {
	s := Quanta(10, 10.23)
	if s.Whole != 1 || s.Rest != 0 {
		t.Fatalf("%+v", s)
	}
	s = Quanta(s.UpdateTime, 10.40)
	if l := s.list(); len(l) != 1 || math.Abs(l[0]-.2) > 1e-6 || math.Abs(s.UpdateTime-10.4) > 1e-9 {
		t.Errorf("%+v", s)
	}
}

func TestSpec11_4_1_WorldGate(t *testing.T) {
	for _, c := range []struct {
		last, now float64
		blocking  bool
		newLast   float64
		run       bool
	}{
		{-1, 0, false, 0, true},
		{-1, 0, true, -1, false},
		{1, 1.03, false, 1, false},
		{1, 1.034, false, 1.034, true},
		{1, .5, false, .5, false},
		{1, 9, false, 9, true},
	} {
		if l, run := WorldGate(c.last, c.now, c.blocking); l != c.newLast || run != c.run {
			t.Errorf("%+v: %v, %v", c, l, run)
		}
	}
	// time accumulates at 50 frames a second: every second one steps
	last, steps := -1.0, 0
	for i := range 100 {
		var run bool
		if last, run = WorldGate(last, float64(i)*.02, false); run {
			steps++
		}
	}
	if steps != 50 {
		t.Errorf("%d steps", steps)
	}
}
