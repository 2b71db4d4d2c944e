package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"os"
	"path/filepath"
)

// Page is a report.
type Page struct {
	Title    string
	Notes    []string // what to think of before believing the numbers
	Facts    []Fact
	Sections []Section
}

// Fact is a figure in words.
type Fact struct{ Name, Value string }

// Section is a part of a page with a heading.
type Section struct {
	Title   string
	Text    string // "" for none
	Figures []Figure
	Tables  []Table
}

// Figure is a [Chart] or [Bars].
type Figure interface {
	// head is its title and what stands below it.
	head() (title, caption string)
	// drawing returns it as an SVG element, "" when there is nothing to draw, and
	// what its colours mean.
	drawing() (svg string, keys []key, err error)
	// wide is whether it takes a line of its own.
	wide() bool
}

// Table has a heading for each column, of which the first is of names.
type Table struct {
	Title string
	Head  []string
	Rows  [][]string
}

// key says what a colour is.
type key struct {
	Name, Class string
	Dots        bool
}

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{"drawing": render}).Parse(pageText))

// drawn is a figure as the page has it.
type drawn struct {
	Title, Caption string
	SVG            template.HTML
	Keys           []key
	Wide           bool
}

func render(f Figure) (d drawn, err error) {
	d.Title, d.Caption = f.head()
	d.Wide = f.wide()
	svg, keys, err := f.drawing()
	if err != nil {
		return d, fmt.Errorf("report: %s: %w", d.Title, err)
	}
	d.SVG, d.Keys = template.HTML(svg), keys //nolint:gosec // our own, its text is escaped
	return d, nil
}

// Write writes the page as one HTML file.
func (p *Page) Write(w io.Writer) error { return page.Execute(w, p) }

// WriteFile writes the page into a folder, which it makes if there is none, and
// returns the file's path.
func (p *Page) WriteFile(dir, name string) (path string, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("report: %w", err)
	}
	path = filepath.Join(dir, name)
	f, err := os.Create(path)
	if err != nil {
		return "", fmt.Errorf("report: %w", err)
	}
	err = p.Write(f)
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return "", fmt.Errorf("report: %s: %w", path, err)
	}
	return path, nil
}
