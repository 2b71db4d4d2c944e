package scenario

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/systems/collision"
)

// ErrScenario refuses a file that is not a scenario: it says where and why.
var ErrScenario = errors.New("scenario: bad scenario")

// The limits of a scenario.
const (
	MaxFile     = 256 << 20 // bytes
	MaxTicks    = 1_000_000
	MaxEntities = 100_000
	MaxEvents   = 1_000_000
	MaxActions  = 1_000 // of one event
)

// Scenario is a simulation that can be run.
type Scenario struct {
	Name, About string
	TickHz      float64 // ticks a second
	Ticks       int
	Tables      string          // folder of loose records; relative to the file, until Load has resolved it
	Sweep       string          // "none", "flat" or "world"
	Ground      float32         // m, with "flat"
	Land        string          // folder of loose records, with "world", as Tables
	Viewer      *space.Position // nil: everybody is near
	Entities    []systems.Spawn // in the order of the file, which is that of the trace
	Events      []Event         // by tick, those of one tick in the order of the file
}

// Event is one input: a command, or a whole message.
type Event struct {
	Index   int // in the file, from 0
	Tick    int
	Do      string
	Command systems.Command // unless Message
	Message []byte          // of a wire event
}

// Load reads a scenario file, and resolves the path of its tables.
func Load(path string) (*Scenario, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if err != nil {
		return nil, err
	}
	s, err := Parse(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	s.Tables = filepath.Join(filepath.Dir(path), s.Tables)
	if s.Land != "" {
		s.Land = filepath.Join(filepath.Dir(path), s.Land)
	}
	return s, nil
}

// Parse reads a scenario. Keys that do not belong, values of the wrong kind or
// out of range, missing fields that have no default, and names of entities that
// are not there are refused with [ErrScenario].
func Parse(b []byte) (*Scenario, error) {
	if len(b) > MaxFile {
		return nil, fmt.Errorf("%w: longer than %d bytes", ErrScenario, MaxFile)
	}
	o := newObject("scenario", b)
	o.need("name", "tick_hz", "ticks", "tables", "sweep", "entities", "events")
	s := &Scenario{
		Name:   o.text("name"),
		About:  o.text("about"),
		TickHz: o.double("tick_hz"),
		Ticks:  int(o.integer("ticks", 0, 1, MaxTicks)),
		Tables: filepath.FromSlash(o.text("tables")),
	}
	if o.err == nil && !(s.TickHz > 0 && s.TickHz <= math.MaxFloat32) {
		o.fail(`"tick_hz" is %v, not above 0`, s.TickHz)
	}
	if o.err == nil && (s.Tables == "" || filepath.IsAbs(s.Tables)) {
		o.fail(`"tables" is %q, not a path relative to the file`, s.Tables)
	}
	s.Sweep = o.text("sweep")
	switch s.Sweep {
	case "none":
	case "flat":
		o.need("ground")
		s.Ground = o.float("ground", 0)
	case "world":
		o.need("land")
		s.Land = filepath.FromSlash(o.text("land"))
		if o.err == nil && (s.Land == "" || filepath.IsAbs(s.Land)) {
			o.fail(`"land" is %q, not a path relative to the file`, s.Land)
		}
	default:
		if o.err == nil {
			o.fail(`"sweep" is %q, not "none", "flat" or "world"`, s.Sweep)
		}
	}
	if raw, ok := o.take("viewer"); ok {
		v := newObject("viewer", raw)
		place := v.place(false)
		s.Viewer = &place
		o.err = v.close()
	}
	entities, _ := o.take("entities")
	events, _ := o.take("events")
	if err := o.close(); err != nil {
		return nil, err
	}
	guids, err := s.parseEntities(entities)
	if err != nil {
		return nil, err
	}
	if err := s.parseEvents(events, guids); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Scenario) parseEntities(raw []byte) (guids map[uint32]struct{}, err error) {
	guids = make(map[uint32]struct{})
	err = each(raw, MaxEntities, func(i int, item json.RawMessage) error {
		o := newObject(fmt.Sprintf("entity %d", i), item)
		e := s.parseEntity(o)
		if _, twice := guids[e.Guid]; twice || e.Guid == 0 {
			o.fail("guid 0x%08X is 0 or taken", e.Guid)
		}
		guids[e.Guid] = struct{}{}
		s.Entities = append(s.Entities, e)
		return o.close()
	})
	return guids, listError("entities", err)
}

// listError names the list in an error that does not say where yet.
func listError(name string, err error) error {
	if err == nil || errors.Is(err, ErrScenario) {
		return err
	}
	return fmt.Errorf("%w: %s: %v", ErrScenario, name, err)
}

func (s *Scenario) parseEntity(o *object) systems.Spawn {
	if s.Sweep == "world" {
		o.need("guid", "setup")
	} else {
		o.need("guid", "motion_table")
	}
	guid := o.id("guid", 0)
	e := systems.NewSpawn(guid, o.place(true))
	e.MotionTable = o.id("motion_table", 0)
	e.Setup = o.id("setup", 0)
	e.Scale = o.float("scale", e.Scale)
	e.Contact = o.boolean("contact", true)
	e.OnWalkable = o.boolean("on_walkable", true)
	if !o.boolean("gravity", true) {
		e.State &^= components.Gravity
	}
	if !o.boolean("creature", true) {
		e.Game &^= components.Creature
	}
	if raw, ok := o.fields["run_rate"]; ok && string(raw) == "null" {
		o.skip("run_rate")
		e.Game &^= components.HasRunRate
	} else {
		e.RunRate = o.float("run_rate", 1)
	}
	o.float("jump_extent_height", 0) // no event starts a jump, so nothing reads it
	e.Placed = s.Sweep == "flat"
	if s.Sweep == "world" {
		gravity := components.ReportCollisions | components.Gravity | components.EdgeSlide
		e.State = components.StateBits(o.id("state", uint32(gravity))) &^ components.Static
		if o.has("velocity") {
			e.Velocity = o.vector("velocity")
		}
	}
	return e
}

func (s *Scenario) parseEvents(raw []byte, guids map[uint32]struct{}) error {
	err := each(raw, MaxEvents, func(i int, item json.RawMessage) error {
		e, err := s.parseEvent(i, item, guids)
		s.Events = append(s.Events, e)
		return err
	})
	slices.SortStableFunc(s.Events, func(a, b Event) int { return a.Tick - b.Tick })
	return listError("events", err)
}

// LoadTables reads and compiles the tables of a scenario that [Load] has read.
func (s *Scenario) LoadTables() (*dat.Tables, error) {
	folder, err := s.folder("tables", s.Tables)
	if err != nil {
		return nil, err
	}
	if s.Sweep != "world" {
		return dat.Load(folder)
	}
	land, err := s.folder("land", s.Land)
	if err != nil {
		return nil, err
	}
	return dat.LoadLand(folder, land)
}

func (s *Scenario) folder(what, path string) (*dat.Folder, error) {
	folder, err := dat.OpenFolder(os.DirFS(path), ".")
	if err != nil {
		return nil, fmt.Errorf("scenario %q: %s %s: %w", s.Name, what, path, err)
	}
	return folder, nil
}

// land is what a scenario's entities run into, nil without a sweep. All of it is
// read at once, so that a bad record is an error and not a hole in the ground.
func (s *Scenario) land(t *dat.Tables) (*collision.Land, error) {
	switch s.Sweep {
	case "flat":
		return collision.NewFlat(s.Ground), nil
	case "world":
	default:
		return nil, nil
	}
	folder, err := s.folder("land", s.Land)
	if err != nil {
		return nil, err
	}
	l := collision.NewLand(t, folder)
	return l, l.LoadAll()
}
