package report_test

import (
	"fmt"
	"strings"

	"github.com/gait-engine/gait/report"
)

// A page with one chart.
func ExamplePage() {
	page := report.Page{Title: "Two ticks", Sections: []report.Section{{
		Title: "Ticks",
		Figures: []report.Figure{&report.Chart{
			Title: "Tick times", X: report.Axis{Label: "tick"}, Y: report.Axis{Label: "ms", Zero: true},
			Series: []report.Series{{Points: []report.Point{{X: 1, Y: 0.25}, {X: 2, Y: 0.5}}}},
		}},
	}}}
	var html strings.Builder
	if err := page.Write(&html); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.Count(html.String(), "<svg"), "drawing")
	// Output: 1 drawing
}
