package replay

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/gait-engine/gait/capture"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/wire/transport"
)

// DefaultViews is how many connections are played at a time, where [Options] do not
// say; a view takes some 300 KB, and what its objects take.
const DefaultViews = 256

// Options say how captures are replayed.
type Options struct {
	ViewOptions
	Strict bool // refuse encrypted packets whose checksum fails
	// MaxViews is how many connections are played at a time; 0 is [DefaultViews]. Others
	// are read, and the report says which were not played.
	MaxViews int
	// Progress is called now and then with how many of how many bytes were read; nil for nothing.
	Progress func(read, of int64)
	// Pace is called before each datagram with its time since the first; nil for as
	// fast as can be.
	Pace func(at time.Duration)
	// AfterTick is called after every tick of a connection's view; nil for nothing.
	AfterTick func(c *transport.Connection, v *View)
}

// runner feeds one stream of datagrams to views.
type runner struct {
	options Options
	placed  func(c *transport.Connection, guid uint32, at int64, place *space.Position) // told of positions; nil for nothing
	report  *Report
	all     measurements
	room    *Room
	views   map[*transport.Connection]*View // nil: not played
	played  int                             // that are not nil
	streams int                             // connections of streams that are done
	err     error
	read    int64 // bytes of parts that are done
	size    int64
	shown   int64
}

// Run replays captures: those that say when they were made are one stream, in order
// of time, in which a connection may go on from file to file; others are each a
// stream of their own (22 §9.4). A file that cannot be read is reported, and the
// others are. Run fails only if none can be.
func Run(paths []string, o Options) (*Report, error) {
	r := &runner{options: o, room: NewRoom()}
	return r.run(paths)
}

func (r *runner) run(paths []string) (*Report, error) {
	r.report, r.views = &Report{}, map[*transport.Connection]*View{}
	r.report.TicksPerSecond = r.options.TicksPerSecond
	if r.report.TicksPerSecond == 0 {
		r.report.TicksPerSecond = 30
	}
	if r.options.MaxViews == 0 {
		r.options.MaxViews = DefaultViews
	}
	r.all.room, r.all.ownAs = r.room, r.options.Own
	var parts []capture.Part
	var failed []error
	for _, path := range paths {
		found, others, err := capture.List(path)
		if err != nil {
			failed = append(failed, err)
			r.report.Files = append(r.report.Files, File{Name: path, Error: err.Error()})
			continue
		}
		if others > 0 {
			r.report.Files = append(r.report.Files, File{Name: path, Others: others})
		}
		for _, p := range found {
			if p.Err != nil {
				failed = append(failed, fmt.Errorf("%s: %w", p.Name, p.Err))
				r.report.Files = append(r.report.Files, File{Name: p.Name, Error: p.Err.Error()})
				continue
			}
			parts = append(parts, p)
			r.size += p.Size
		}
	}
	if len(parts) == 0 {
		return r.report, errors.Join(append(failed, errors.New("replay: there is no capture in it"))...)
	}
	slices.SortStableFunc(parts, func(a, b capture.Part) int { return a.Start.Compare(b.Start) })
	timed := slices.IndexFunc(parts, func(p capture.Part) bool { return !p.Start.IsZero() })
	if timed < 0 {
		timed = len(parts)
	}
	for i := range timed {
		r.stream(parts[i : i+1])
	}
	r.stream(parts[timed:])
	r.report.Errors = r.all.errors()
	return r.report, r.err
}

// stream reads parts as one.
func (r *runner) stream(parts []capture.Part) {
	if len(parts) == 0 || r.err != nil {
		return
	}
	reader := transport.NewReader(transport.Options{Strict: r.options.Strict}, transport.Handler{Message: r.message, Closed: r.closed})
	for i := range parts {
		reader.NextFile()
		r.part(&parts[i], parts[0].Start, reader)
	}
	reader.Close()
	r.streams += len(reader.Connections())
	slices.SortStableFunc(r.report.Connections, func(a, b Connection) int { return a.ID - b.ID })
	r.report.outside(reader.Counts())
}

// part reads one capture; base is when the stream began, zero as p.Start where that is not known.
func (r *runner) part(p *capture.Part, base time.Time, reader *transport.Reader) {
	file := File{Name: p.Name, Format: p.Format}
	c, err := p.Open()
	if err != nil {
		file.Error = err.Error()
		r.report.Files = append(r.report.Files, file)
		return
	}
	var d transport.Datagram
	offset := p.Start.Sub(base).Nanoseconds() // 0 in a stream of one
	for n := 0; r.err == nil; n++ {
		if err = c.Next(&d); err != nil {
			break
		}
		d.At += offset
		if r.options.Pace != nil {
			r.options.Pace(time.Duration(d.At))
		}
		reader.Add(&d)
		if n%1024 == 0 {
			r.progress(c.Offset())
		}
	}
	if err != nil && err != io.EOF {
		file.Error = err.Error()
	}
	if at, ok := c.Start(); ok {
		file.Start = at.UTC().Format(time.RFC3339Nano)
	}
	file.Seconds, file.Counts = c.Span().Seconds(), c.Counts()
	if err := c.Close(); err != nil && file.Error == "" {
		file.Error = err.Error()
	}
	r.report.Files = append(r.report.Files, file)
	r.read += p.Size
	r.progress(0)
}

func (r *runner) progress(at int64) {
	if at = min(r.read+at, r.size); r.options.Progress != nil && at != r.shown {
		r.shown = at
		r.options.Progress(at, r.size)
	}
}

// message plays a message into the view of its connection.
func (r *runner) message(c *transport.Connection, m *transport.Message) {
	v, played := r.views[c]
	if !played && r.err == nil {
		if r.played < r.options.MaxViews {
			r.played++
			o := r.options.ViewOptions
			if after := r.options.AfterTick; after != nil {
				o.AfterTick = func(v *View) { after(c, v) }
			}
			if placed := r.placed; placed != nil {
				o.placed = func(guid uint32, at int64, place *space.Position) { placed(c, guid, at, place) }
			}
			if v, r.err = NewView(o, r.room); r.err == nil {
				v.connection = r.streams + c.ID
			}
		}
		r.views[c] = v // nil: not played
	}
	if v != nil && r.err == nil {
		v.Message(m.At-c.First, m.Dir, m.Data)
	}
}

// closed ends a connection's view and reports it.
func (r *runner) closed(c *transport.Connection) {
	v, spoke := r.views[c]
	delete(r.views, c)
	if v != nil && r.err == nil {
		v.Finish(c.Last - c.First)
		for i := range v.samples.worst {
			v.samples.worst[i].Connection = v.connection
		}
		r.all.merge(&v.samples)
	}
	out := connectionOf(c, v)
	out.ID += r.streams
	if spoke && v == nil {
		out.Unplayed = true
		r.report.Unplayed++
	}
	r.report.Connections = append(r.report.Connections, out)
	if v != nil {
		r.played--
		v.Close()
	}
}
