package report

import (
	"encoding/xml"
	"io"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// nasty is a name that is no markup.
const nasty = `<b>"é" & 'co'</b>`

func samplePage() *Page {
	points := []Point{{1, 2}, {2, 4}, {3, 1}}
	return &Page{
		Title: nasty, Notes: []string{nasty}, Facts: []Fact{{nasty, nasty}},
		Sections: []Section{{
			Title: "part " + nasty, Text: nasty,
			Figures: []Figure{
				&Chart{Title: "lines " + nasty, Caption: nasty, X: Axis{Label: "x " + nasty}, Y: Axis{Label: "y " + nasty}, Wide: true, Series: []Series{
					{Name: nasty, Points: points}, {Style: Dashed, Points: points, Quiet: true}, {Style: Marked, Points: points},
					{Name: "dots", Style: Dots, Points: points}, {Style: Area, Points: points}, {Style: Broad, Points: points},
				}},
				&Bars{Title: "bars " + nasty, Label: "l " + nasty, Bars: []Bar{{nasty, 2}, {"b", 3}}},
				PathChart("path "+nasty, "", [][2]float64{{0, 0}, {9, 1}}, [][2]float64{{0, 0.1}, {9, 1.2}}, [][2]float64{{4, 1}}),
				&Chart{Title: "nothing"},
				&Bars{Title: "no bars"},
			},
			Tables: []Table{{Title: "table", Head: []string{"a " + nasty, "b"}, Rows: [][]string{{nasty, "1"}}}},
		}},
	}
}

// text writes a page.
func text(t testing.TB, p *Page) string {
	t.Helper()
	var b strings.Builder
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// element is what a test wants to know of an element.
type element struct {
	name       string
	text       string // of it and what is in it
	attributes []xml.Attr
}

// parse returns the elements of a page, or fails when they do not nest.
func parse(t testing.TB, page string) (all []*element) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(page))
	d.Entity = xml.HTMLEntity
	var open []*element
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, page)
		}
		switch x := token.(type) {
		case xml.StartElement:
			e := &element{name: x.Name.Local, attributes: x.Copy().Attr}
			open, all = append(open, e), append(all, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			for _, e := range open {
				e.text += string(x)
			}
		}
	}
	if len(open) > 0 {
		t.Fatalf("%s is not closed", open[len(open)-1].name)
	}
	return all
}

// A page parses; it refers to nothing outside of it, and has no script; all that it
// was given is there, as text.
func TestPageStandsAlone(t *testing.T) {
	page := text(t, samplePage())
	if s := regexp.MustCompile(`(?i)https?:|url\(|@import|//|<script|javascript`).FindString(page); s != "" {
		t.Errorf("there is %q in it", s)
	}
	counts, texts := map[string]int{}, map[string]string{}
	for _, e := range parse(t, page) {
		counts[e.name]++
		texts[e.name] += e.text + "\n"
		for _, a := range e.attributes {
			switch a.Name.Local {
			case "src", "href", "srcset", "data", "action", "onload":
				t.Errorf("%s has %s=%q", e.name, a.Name.Local, a.Value)
			}
		}
	}
	for name, want := range map[string]int{"title": 1, "h1": 1, "h2": 1, "figure": 5, "svg": 3, "table": 1, "b": 0, "script": 0, "image": 0, "link": 0} {
		if counts[name] != want {
			t.Errorf("%d times %s, want %d", counts[name], name, want)
		}
	}
	for in, want := range map[string][]string{
		"title": {nasty}, "h1": {nasty}, "h2": {"part " + nasty}, "dl": {nasty + nasty}, "li": {nasty, "dots", "position events"},
		"figcaption": {nasty}, "th": {"a " + nasty}, "td": {nasty}, "p": {nasty, "There is nothing to draw."},
		"h3":   {"lines " + nasty, "bars " + nasty, "path " + nasty, "nothing", "no bars", "table"},
		"text": {"x " + nasty, "y " + nasty, "l " + nasty, nasty, "m east", "m north"},
	} {
		for _, w := range want {
			if !strings.Contains(texts[in], w) {
				t.Errorf("in %s there is no %q: %s", in, w, texts[in])
			}
		}
	}
}

// All colours are the page's, which has two sets of them; the drawing's own fonts are not named.
func TestColoursAreThePages(t *testing.T) {
	page := text(t, samplePage())
	svgs := regexp.MustCompile(`(?s)<svg.*?</svg>`).FindAllString(page, -1)
	used := map[string]bool{}
	for _, s := range svgs {
		if c := regexp.MustCompile(`(fill|stroke):#\w+|font-family`).FindString(s); c != "" {
			t.Errorf("%s in a drawing", c)
		}
		for _, m := range regexp.MustCompile(`var\((--\w+)\)`).FindAllStringSubmatch(s, -1) {
			used[m[1]] = true
		}
	}
	for _, want := range []string{"--ink", "--grid", "--line", "--faint", "--c0", "--c1", "--c2", "--c3"} {
		if !used[want] {
			t.Errorf("%s is not used: %v", want, used)
		}
	}
	for name := range used {
		if n := strings.Count(page, name+": #"); n != 2 {
			t.Errorf("%s has %d values, not one for light and one for dark", name, n)
		}
	}
}

// A page is a function of what is in it.
func TestPageIsReproducible(t *testing.T) {
	first := text(t, samplePage())
	if again := text(t, samplePage()); again != first {
		t.Error("two pages of the same")
	}
	dir := t.TempDir()
	path, err := samplePage().WriteFile(dir+"/a/b", "page.html")
	if err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != first {
		t.Error(err)
	}
	if _, err := samplePage().WriteFile(path, "page.html"); err == nil {
		t.Error("a file was taken for a folder")
	}
}

// Whatever is to be drawn, what is drawn is finite and lies in the drawing.
func TestAnythingIsDrawn(t *testing.T) {
	number := rapid.OneOf(rapid.Float64(), rapid.Float64Range(-5, 5), rapid.Float64Range(-1e-6, 1e-6), rapid.SampledFrom([]float64{0, 1, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64}))
	coordinate := regexp.MustCompile(`(-?[\d.]+(?:e[-+]\d+)?),(-?[\d.]+(?:e[-+]\d+)?)`)
	rapid.Check(t, func(t *rapid.T) {
		c := &Chart{Title: "c", X: Axis{Log: rapid.Bool().Draw(t, "log x")}, Y: Axis{Log: rapid.Bool().Draw(t, "log y")}}
		c.X.Zero, c.Y.Zero = !c.X.Log && rapid.Bool().Draw(t, "zero x"), !c.Y.Log && rapid.Bool().Draw(t, "zero y")
		c.Map = !c.X.Log && !c.Y.Log && rapid.Bool().Draw(t, "map")
		for range rapid.IntRange(0, 3).Draw(t, "series") {
			s := Series{Style: Style(rapid.IntRange(0, int(Broad)).Draw(t, "style"))}
			for range rapid.IntRange(0, 6).Draw(t, "points") {
				s.Points = append(s.Points, Point{number.Draw(t, "x"), number.Draw(t, "y")})
			}
			c.Series = append(c.Series, s)
		}
		svg, _, err := c.drawing()
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
			t.Fatalf("not finite: %s", svg)
		}
		for _, m := range coordinate.FindAllStringSubmatch(svg, -1) {
			for _, v := range m[1:] {
				if at, err := strconv.ParseFloat(v, 64); err != nil || math.Abs(at) > 2*wideWidth {
					t.Fatalf("%s is outside of the drawing: %s", v, svg)
				}
			}
		}
	})
}
