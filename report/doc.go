// Package report makes pages out of figures: one HTML file with charts and tables
// that needs neither network nor script, and reads in the dark as well.
//
// # Order
//
//	page.go    a page: facts, sections, figures, tables; written as HTML
//	chart.go   a chart of series on two axes, and what those are
//	bars.go    a chart with a bar a name
//	path.go    a chart of where somebody went
//	draw.go    either as SVG: its colours are the page's
//	ticks.go   where an axis has its marks
//	sums.go    what is drawn of many values: fewer points, histograms
//
// # Invariants
//
// A page is a function of what is in it: no clock, no map order. All text is
// escaped. What is not finite is not drawn. A chart without a point says so in
// words, and draws no axes.
package report
