package bench

import (
	"cmp"
	"math"
	"slices"

	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/wire"
)

// Watched is what a run showed to who looked on: where remotes were while their
// ideal movers were somewhere else.
type Watched struct {
	Errors []ErrorAt // over the run
	Paths  []Path    // of three remotes that moved, or of fewer if fewer did
}

// ErrorAt is how far remotes were from their ideal movers at one time, in metres.
type ErrorAt struct{ Seconds, Median, P95, P99 float64 }

// Path is where one remote was in the last seconds of a run.
type Path struct {
	Guid   uint32
	Choice string  // why this one
	Mean   float64 // m that it was off, seen from above

	// Places in metres east and north of where the path begins.
	Server, Client [][2]float64 // the ideal mover's, the remote's: one each tick
	Events         [][2]float64 // of position events
}

// The bounds on what is watched.
const (
	errorTimes   = 300    // for how many times there are errors
	errorRemotes = 10_000 // of how many remotes
	pathRemotes  = 60     // among how many remotes paths are chosen
	pathTicks    = 10 * TicksPerSecond
)

// watch is a run that is looked at.
type watch struct {
	stream *Stream
	view   *systems.View
	paths  []trail
	got    Watched
}

// trail is a path that may be chosen.
type trail struct {
	Path
	row int // where in the view it was last found
}

// Watch runs a configuration once, without a clock, and looks at every tick.
func Watch(c Config) (Watched, error) {
	if err := c.check(); err != nil {
		return Watched{}, err
	}
	stream, err := NewStreamOn(c.Ground, c.Load, c.Remotes, c.Seed, c.Population)
	if err != nil {
		return Watched{}, err
	}
	engine, err := Spawned(stream, systems.Options{Tables: c.Tables, Workers: c.Workers})
	if err != nil {
		return Watched{}, err
	}
	w := watch{stream: stream}
	n := min(pathRemotes, c.Remotes)
	for i := range n {
		w.paths = append(w.paths, trail{Path: Path{Guid: FirstGuid + uint32(i*c.Remotes/n)}})
	}
	every := max(c.Ticks/errorTimes, 1)
	var window Window
	for tick := range c.Ticks {
		if err := stream.Fill(&window, 1, nil); err != nil {
			return Watched{}, err
		}
		bytes, sizes := window.Messages(0)
		if err := Feed(engine, bytes, sizes); err != nil {
			return Watched{}, err
		}
		engine.Tick()
		w.view = engine.View()
		if (tick+1)%every == 0 {
			w.errors(float64(tick+1) / TicksPerSecond)
		}
		if tick >= c.Ticks-pathTicks {
			if err := w.follow(bytes, sizes); err != nil {
				return Watched{}, err
			}
		}
		if c.Progress != nil {
			c.Progress("looking on", tick+1, c.Ticks)
		}
	}
	w.choose()
	return w.got, nil
}

// errors notes how far remotes are off.
func (w *watch) errors(seconds float64) {
	var metres []float64
	v := w.view
	for i := 0; i < v.Len(); i += 1 + (v.Len()-1)/errorRemotes {
		if d, ok := w.stream.Error(v.Guid[i], v.Cell[i], v.Origin[i]); ok {
			metres = append(metres, d)
		}
	}
	if len(metres) == 0 {
		return
	}
	slices.Sort(metres)
	w.got.Errors = append(w.got.Errors, ErrorAt{seconds, median(metres), percentile(metres, 0.95), percentile(metres, 0.99)})
}

// follow notes where those are whose paths may be chosen.
func (w *watch) follow(bytes []byte, sizes []uint8) error {
	for k := range w.paths {
		p := &w.paths[k]
		if p.row >= w.view.Len() || w.view.Guid[p.row] != p.Guid {
			if p.row = slices.Index(w.view.Guid, p.Guid); p.row < 0 {
				p.row = 0
				continue
			}
		}
		ideal := w.stream.at(&w.stream.movers[p.Guid-FirstGuid])
		if w.view.Cell[p.row] == 0 {
			continue
		}
		client := inWorld(w.view.Cell[p.row], w.view.Origin[p.row])
		p.Server, p.Client = append(p.Server, [2]float64{ideal.x, ideal.y}), append(p.Client, [2]float64{client.x, client.y})
	}
	var decoder wire.Decoder
	var event wire.PositionEvent
	for _, n := range sizes {
		msg := bytes[:n]
		bytes = bytes[n:]
		if wire.Opcode(msg) != wire.OpPosition {
			continue
		}
		guid, _ := wire.Guid(msg)
		k, ours := slices.BinarySearchFunc(w.paths, guid, func(p trail, guid uint32) int { return cmp.Compare(p.Guid, guid) })
		if !ours || len(w.paths[k].Server) == 0 {
			continue
		}
		if err := decoder.Position(msg, &event); err != nil {
			return err
		}
		p := &w.paths[k]
		said := inWorld(event.Pack.Place.Cell, event.Pack.Place.Frame.Origin)
		p.Events = append(p.Events, [2]float64{said.x, said.y})
	}
	return nil
}

// choose ends the watching.
func (w *watch) choose() {
	all := make([]Path, len(w.paths))
	for i := range w.paths {
		all[i] = w.paths[i].Path
	}
	w.got.Paths = ChoosePaths(all)
}

// ChoosePaths takes, of those paths on which somebody moved, the middle one by how far
// he was off, one that is farther off than nine in ten, and the one that is farthest
// off. Places become those seen from where the path begins.
func ChoosePaths(paths []Path) (chosen []Path) {
	var moved []Path
	for _, p := range paths {
		if p.measure() {
			moved = append(moved, p)
		}
	}
	slices.SortStableFunc(moved, func(a, b Path) int { return cmp.Compare(a.Mean, b.Mean) })
	last := -1
	for _, c := range []struct {
		choice string
		at     int
	}{{"in the middle", len(moved) / 2}, {"farther off than nine in ten", len(moved) * 9 / 10}, {"farthest off", len(moved) - 1}} {
		if c.at <= last || c.at >= len(moved) {
			continue
		}
		last = c.at
		p := moved[c.at]
		p.Choice = c.choice
		p.begin()
		chosen = append(chosen, p)
	}
	return chosen
}

// measure finds how far off somebody was on average; it reports whether he moved,
// which is by more than a metre.
func (p *Path) measure() (moved bool) {
	p.Mean = 0
	for i, s := range p.Server {
		p.Mean += math.Hypot(s[0]-p.Client[i][0], s[1]-p.Client[i][1]) / float64(len(p.Server))
		moved = moved || math.Hypot(s[0]-p.Server[0][0], s[1]-p.Server[0][1]) > 1
	}
	return moved
}

// begin moves a path to where it begins.
func (p *Path) begin() {
	from := p.Server[0]
	for _, places := range []*[][2]float64{&p.Server, &p.Client, &p.Events} {
		*places = slices.Clone(*places)
		for i := range *places {
			(*places)[i][0] -= from[0]
			(*places)[i][1] -= from[1]
		}
	}
}
