package report

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Point is a point of a series.
type Point struct{ X, Y float64 }

// Style is how a series is drawn.
type Style uint8

// The styles.
const (
	Line   Style = iota // from point to point
	Dashed              // the same, dashed
	Dots                // each by itself
	Marked              // a line, and a dot for each point
	Area                // steps from point to point, filled down to nothing
	Broad               // a line that others may lie upon and leave in sight
)

// Series are points of one meaning, and of one colour.
type Series struct {
	Name   string // in the key; "" for not there
	Style  Style
	Points []Point
	// Quiet is for what others are to be compared with: no colour of its own.
	Quiet bool
}

// Axis is one of a chart's two.
type Axis struct {
	Label string // with its unit
	Log   bool   // what is not above 0 is not drawn
	Zero  bool   // begins at 0
}

// Chart shows series on two axes.
type Chart struct {
	Title, Caption string
	X, Y           Axis
	Series         []Series
	Map            bool // a metre is as long on both axes
	Wide           bool // takes a line of its own
}

func (c *Chart) head() (title, caption string) { return c.Title, c.Caption }

func (c *Chart) wide() bool { return c.Wide }

// The size of a drawing in points; a page scales it to the room there is.
const (
	chartWidth  = 480
	wideWidth   = 960
	chartHeight = 300
	mapHeight   = 440
	dotRadius   = vg.Length(2.5)
)

func (c *Chart) drawing() (string, []key, error) {
	p := newPlot()
	c.X.put(&p.X)
	c.Y.put(&p.Y)
	var keys []key
	colour, drawnPoints := 0, 0
	for i := range c.Series {
		s := &c.Series[i]
		pen := pens[colour%len(pens)]
		if s.Quiet {
			pen = quiet
		} else {
			colour++
		}
		for _, part := range c.parts(s) {
			drawnPoints += len(part)
			s.add(p, part, pen)
		}
		if s.Name != "" {
			keys = append(keys, key{s.Name, pen.class, s.Style == Dots})
		}
	}
	if drawnPoints == 0 {
		return "", nil, nil
	}
	c.X.fit(&p.X)
	c.Y.fit(&p.Y)
	width, height := vg.Length(chartWidth), vg.Length(chartHeight)
	if c.Wide {
		width = wideWidth
	}
	if c.Map {
		height = mapHeight
		level(p, width, height)
	}
	svg, err := svgOf(p, width, height, c.Title)
	return svg, keys, err
}

// parts cuts a series where a point cannot be drawn.
func (c *Chart) parts(s *Series) (parts []plotter.XYs) {
	var part plotter.XYs
	for _, q := range s.Points {
		if c.X.has(q.X) && c.Y.has(q.Y) {
			part = append(part, plotter.XY(q))
		} else if len(part) > 0 {
			parts, part = append(parts, part), nil
		}
	}
	if len(part) > 0 {
		parts = append(parts, part)
	}
	return parts
}

// add draws points that can be drawn.
func (s *Series) add(p *plot.Plot, points plotter.XYs, pen pen) {
	line := &plotter.Line{XYs: points, LineStyle: draw.LineStyle{Color: pen.colour, Width: 1.5}}
	switch s.Style {
	case Dashed:
		line.Dashes = []vg.Length{5, 3}
	case Broad:
		line.Width = 4
	case Area:
		line.StepStyle, line.FillColor = plotter.PostStep, pen.colour
		line.Width = 0
	}
	if s.Style != Dots && len(points) > 1 {
		p.Add(line)
	}
	if s.Style == Dots || s.Style == Marked || len(points) == 1 {
		p.Add(&plotter.Scatter{XYs: points, GlyphStyle: draw.GlyphStyle{Color: pen.colour, Radius: dotRadius, Shape: draw.CircleGlyph{}}})
	}
}

// bound keeps what is drawn to numbers that can be computed with.
const bound = 1e15

func (a *Axis) has(v float64) bool {
	return v >= -bound && v <= bound && (!a.Log || v >= 1/bound)
}

// put sets an axis up.
func (a *Axis) put(to *plot.Axis) {
	to.Label.Text = a.Label
	to.Tick.Marker = plot.TickerFunc(linearTicks)
	if a.Log {
		to.Scale, to.Tick.Marker = plot.LogScale{}, plot.TickerFunc(logTicks)
	}
	if a.Zero {
		to.Min, to.Max = 0, 0
	}
}

// fit leaves some room around what is drawn, and makes some where there is none.
func (a *Axis) fit(to *plot.Axis) {
	if a.Log {
		spread := max(to.Max/to.Min, 1.5)
		room := math.Pow(spread, 0.04)
		middle := math.Sqrt(to.Min * to.Max)
		to.Min, to.Max = min(to.Min, middle/math.Sqrt(spread))/room, max(to.Max, middle*math.Sqrt(spread))*room
		return
	}
	spread := to.Max - to.Min
	if least := max(math.Abs(to.Max), math.Abs(to.Min)) * 1e-9; spread <= least {
		spread = max(math.Abs(to.Max), 1)
		if to.Max += spread / 2; !a.Zero {
			to.Min -= spread / 2
		}
	}
	to.Max += 0.04 * spread
	if !a.Zero || to.Min < 0 {
		to.Min -= 0.04 * spread
	}
}

// level widens one axis until a metre is as long on both.
func level(p *plot.Plot, width, height vg.Length) {
	for range 3 { // the room for the marks changes with the marks
		room := p.DataCanvas(blank(width, height))
		across := (p.X.Max - p.X.Min) / float64(room.Max.X-room.Min.X)
		up := (p.Y.Max - p.Y.Min) / float64(room.Max.Y-room.Min.Y)
		if up > across {
			widen(&p.X, up/across)
		} else {
			widen(&p.Y, across/up)
		}
	}
}

func widen(a *plot.Axis, by float64) {
	more := (a.Max - a.Min) * (by - 1) / 2
	a.Min, a.Max = a.Min-more, a.Max+more
}
