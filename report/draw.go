package report

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"regexp"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// pen is a colour of the page. What is drawn is drawn in a colour that stands for
// it, and has a variable of the page's style in its place afterwards: so the reader's
// choice of light or dark holds for it.
type pen struct {
	colour   color.RGBA
	variable string
	class    string // of its key
}

func penOf(i uint8, variable, class string) pen {
	return pen{color.RGBA{0xF0, 0x0D, i, 0xFF}, variable, class}
}

// The pens, those of series in the order in which they are taken.
var (
	pens = []pen{
		penOf(0, "--c0", "k0"), penOf(1, "--c1", "k1"), penOf(2, "--c2", "k2"), penOf(3, "--c3", "k3"),
		penOf(4, "--c4", "k4"), penOf(5, "--c5", "k5"), penOf(6, "--c6", "k6"),
	}
	quiet = penOf(7, "--faint", "kf")
	ink   = penOf(8, "--ink", "")
	frame = penOf(9, "--line", "")
	grid  = penOf(10, "--grid", "")
)

var variables = func() *strings.Replacer {
	var pairs []string
	for _, p := range append([]pen{quiet, ink, frame, grid}, pens...) {
		pairs = append(pairs, fmt.Sprintf("#%02X%02X%02X", p.colour.R, p.colour.G, p.colour.B), "var("+p.variable+")")
	}
	return strings.NewReplacer(pairs...)
}()

// newPlot returns a plot that has the page's look, and a grid.
func newPlot() *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Color, a.Tick.Color = frame.colour, frame.colour
		a.Label.TextStyle.Color, a.Tick.Label.Color = ink.colour, ink.colour
		a.Label.TextStyle.Font = font.Font{Typeface: "Liberation", Variant: "Sans", Size: 12}
		a.Tick.Label.Font = font.Font{Typeface: "Liberation", Variant: "Sans", Size: 11}
		a.Label.Padding = 4
		a.Padding = 2
	}
	lines := plotter.NewGrid()
	lines.Vertical.Color, lines.Horizontal.Color = grid.colour, grid.colour
	lines.Vertical.Width, lines.Horizontal.Width = 0.75, 0.75
	p.Add(lines)
	return p
}

// margin keeps what a mark's label has beyond its box inside the drawing.
const margin = 6

// blank returns the room for a plot in a drawing of a size.
func blank(width, height vg.Length) draw.Canvas {
	return draw.Crop(draw.New(vgsvg.New(width, height)), margin, -margin, margin, -margin)
}

var (
	svgHead   = regexp.MustCompile(`(?s)^.*?<svg[^>]*>`)
	svgFamily = regexp.MustCompile(`font-family:[^;"]*;font-variant:[^;"]*;font-weight:[^;"]*;font-style:[^;"]*;?`)
)

// svgOf draws a plot as an element of a page, named for those who cannot see it.
func svgOf(p *plot.Plot, width, height vg.Length, name string) (string, error) {
	c := vgsvg.New(width, height)
	p.Draw(draw.Crop(draw.New(c), margin, -margin, margin, -margin))
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return "", err
	}
	head := fmt.Sprintf(`<svg viewBox="0 0 %g %g" role="img" aria-label="%s">`, width.Points(), height.Points(), html.EscapeString(name))
	text := svgHead.ReplaceAllLiteralString(b.String(), head)
	return variables.Replace(svgFamily.ReplaceAllLiteralString(text, "")), nil
}
