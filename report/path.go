package report

// Points makes points of places.
func Points(places [][2]float64) []Point {
	out := make([]Point, len(places))
	for i, p := range places {
		out[i] = Point{p[0], p[1]}
	}
	return out
}

// PathChart shows from above where a server had somebody, where a client showed him,
// and what position events said: places in metres east and north of somewhere.
func PathChart(title, caption string, server, client, events [][2]float64) *Chart {
	return &Chart{
		Title: title, Caption: caption, Map: true, X: Axis{Label: "m east"}, Y: Axis{Label: "m north"},
		Series: []Series{
			{Name: "server", Style: Broad, Points: Points(server)},
			{Name: "client", Style: Line, Points: Points(client)},
			{Name: "position events", Style: Dots, Points: Points(events)},
		},
	}
}
