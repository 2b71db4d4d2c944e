package report

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// Bar is one name's value.
type Bar struct {
	Name  string
	Value float64
}

// Bars shows a bar for each name, from the top down.
type Bars struct {
	Title, Caption string
	Label          string // of the values, with their unit
	Bars           []Bar
}

func (b *Bars) head() (title, caption string) { return b.Title, b.Caption }

func (b *Bars) wide() bool { return false }

// barPitch is a bar's height with the gap to the next, in points.
const barPitch = 22

func (b *Bars) drawing() (string, []key, error) {
	p := newPlot()
	values := make(plotter.Values, len(b.Bars))
	marks := make([]plot.Tick, len(b.Bars))
	for i, bar := range b.Bars {
		at := len(b.Bars) - 1 - i
		if has := (&Axis{}).has(bar.Value); has {
			values[at] = bar.Value
		}
		marks[at] = plot.Tick{Value: float64(at), Label: bar.Name}
	}
	if len(values) == 0 {
		return "", nil, nil
	}
	axis := Axis{Label: b.Label, Zero: true}
	axis.put(&p.X)
	p.Y.Tick.Marker = plot.ConstantTicks(marks)
	p.Y.Tick.Length = 0
	p.Y.Padding = 8 // a browser without the measured font takes a wider one
	p.Add(&plotter.BarChart{Values: values, Width: barPitch * 0.7, Color: pens[0].colour, Horizontal: true})
	axis.fit(&p.X)
	p.Y.Min, p.Y.Max = -0.6, float64(len(values))-0.4
	svg, err := svgOf(p, chartWidth, vg.Length(len(values)*barPitch+60), b.Title)
	return svg, nil, err
}
