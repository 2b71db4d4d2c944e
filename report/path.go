package report

// PathChart shows from above where a server had somebody, where a client showed him,
// and what position events said: places in metres east and north of somewhere.
func PathChart(title, caption string, server, client, events [][2]float64) *Chart {
	points := func(places [][2]float64) []Point {
		out := make([]Point, len(places))
		for i, p := range places {
			out[i] = Point{p[0], p[1]}
		}
		return out
	}
	return &Chart{
		Title: title, Caption: caption, Map: true, X: Axis{Label: "m east"}, Y: Axis{Label: "m north"},
		Series: []Series{
			{Name: "server", Style: Line, Points: points(server)},
			{Name: "client", Style: Line, Points: points(client)},
			{Name: "position events", Style: Dots, Points: points(events)},
		},
	}
}
