package report

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// number writes a mark's value, large ones by their thousands.
func number(v float64) string {
	for _, u := range []struct {
		of   float64
		name string
	}{{1e9, " G"}, {1e6, " M"}, {1e3, " k"}} {
		if a := math.Abs(v); a >= u.of && (u.of > 1e3 || a >= 1e4) {
			return strconv.FormatFloat(v/u.of, 'g', 6, 64) + u.name
		}
	}
	return strconv.FormatFloat(v+0, 'g', 6, 64) // +0 is no −0
}

// logTicks marks 1, 2 and 5 of every power of ten, or less where that is too much.
func logTicks(from, to float64) (ticks []plot.Tick) {
	steps := []float64{1, 2, 5}
	decades := math.Log10(to / from)
	if decades > 3 {
		steps = steps[:1]
	}
	stride := max(1, int(math.Ceil(decades/8)))
	for e := int(math.Floor(math.Log10(from))); e <= int(math.Ceil(math.Log10(to))); e++ {
		if e%stride != 0 {
			continue
		}
		for _, s := range steps {
			if v := s * math.Pow(10, float64(e)); v >= from && v <= to {
				ticks = append(ticks, plot.Tick{Value: v, Label: number(v)})
			}
		}
	}
	return ticks
}

// linearTicks marks about six round values.
func linearTicks(from, to float64) (ticks []plot.Tick) {
	raw := (to - from) / 6
	power := math.Pow(10, math.Floor(math.Log10(raw)))
	step := 10 * power
	for _, s := range []float64{1, 2, 5} {
		if s*power >= raw {
			step = s * power
			break
		}
	}
	for k := math.Ceil(from / step); k*step <= to; k++ {
		ticks = append(ticks, plot.Tick{Value: k * step, Label: number(math.Round(k*step/power) * power)})
	}
	return ticks
}
