package replay

import (
	"cmp"
	"slices"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/systems/motion"
)

// Fate is what became of an inbound position of an object.
type Fate uint8

// The fates. All but Measured say why there is nothing to measure (22 §11.6).
const (
	Measured    Fate = iota
	OwnObject        // of the player whose capture it is
	NotKnown         // no create has come, or a newer one is on its way: parked
	JustCreated      // in this very tick
	Again            // the second of its object in one tick
	NoPlace          // the object was in no cell, or held by somebody: it has been placed
	Teleported       // a newer teleport stamp: it has been placed
	Stale            // a newer one has been applied
	NoContact        // sent in the air: nothing moves there
	InPortal         // the player was on his way to another place
	FarBlock         // farther than a neighbouring landblock: no distance means anything
	Broken           // refused by the decoder
	Left             // not applied, since all objects had to go
	Flooded          // beyond MaxQueued in one tick
	fateCount
)

var fateNames = [fateCount]string{
	"measured", "own object", "not known", "just created", "again in a tick", "no place", "teleported", "stale",
	"no contact", "in portal space", "far block", "broken", "left", "flooded",
}

// String names the fate.
func (f Fate) String() string { return fateNames[min(f, fateCount-1)] }

// Motion is what a remote was doing when a position of it arrived.
type Motion uint8

// The motions, in the order in which they are asked for: the first that holds.
const (
	Airborne Motion = iota
	Sticking
	MovingTo
	Turning
	Running
	Walking
	Standing
	motionCount
)

var motionNames = [motionCount]string{"airborne", "sticking", "moving to", "turning", "running", "walking", "standing"}

// String names the motion.
func (m Motion) String() string { return motionNames[min(m, motionCount-1)] }

// motionOf tells what a remote does. Who walks and turns at once walks.
func motionOf(r *components.Row, p *components.Pools) Motion {
	if r.Body.Transient&components.Contact == 0 {
		return Airborne
	}
	if s := r.Errand.Sticky.Get(&p.Stickies); s != nil && s.TargetID != 0 {
		return Sticking
	}
	if m := r.Errand.MoveTo.Get(&p.MoveTos); m != nil && m.Type != 0 {
		if k := motion.MovementType(m.Type); k == motion.TurnToObject || k == motion.TurnToHeading {
			return Turning
		}
		return MovingTo
	}
	i := r.Interpreted
	switch {
	case i.Forward == motion.RunForward:
		return Running
	case i.Forward == motion.WalkForward || i.Forward == motion.WalkBackwards || i.Sidestep != 0:
		return Walking
	case i.Turn != 0:
		return Turning
	}
	return Standing
}

// Ages are the upper edges in s of the time since the position before (22 §11.6).
var Ages = []float64{0.3, 1, 5}

var ageNames = [...]string{"up to 0.3 s", "up to 1 s", "up to 5 s", "over 5 s", "first"}

const (
	ageFirst = len(ageNames) - 1 // there was none
	kinds    = 2
	ranges   = 3
)

var (
	kindNames  = [kinds]string{"players", "others"}
	rangeNames = [ranges]string{"within 96 m", "beyond 96 m", "no viewer"}
)

// nearby is the distance in metres that decides between chase and snap (20 §5.3).
const nearby = 96

// sample is one measurement.
type sample struct {
	distance, horizontal, vertical float32 // m
	heading                        float32 // degrees
	moved                          float32 // m since the position before; negative without one
	class                          uint16  // motion, age, kind, range
}

func classOf(m Motion, age, kind, within int) uint16 {
	return uint16(m) | uint16(age)<<4 | uint16(kind)<<8 | uint16(within)<<12
}

func (s *sample) part(shift int) int { return int(s.class>>shift) & 0xF }

// isPlayer tells players by their guid (22 §11.6).
func isPlayer(guid uint32) bool { return guid >= 0x50000000 && guid <= 0x5FFFFFFF }

// Worst is one of the largest errors.
type Worst struct {
	Connection int     `json:"connection"`
	Guid       uint32  `json:"guid"`
	Seconds    float64 `json:"seconds"` // since its connection began
	Metres     float64 `json:"metres"`
	Motion     string  `json:"motion"`
	Age        float64 `json:"age"` // s since the position before; negative without one
}

// MaxWorst is how many are listed.
const MaxWorst = 10

// measurements gathers samples of one view, or of all.
type measurements struct {
	room   *Room
	kept   []sample
	beyond *splits   // those that there was no room for; nil for none
	own    []float32 // m: of the own object as others see it
	fates  [fateCount]uint64
	worst  []Worst
}

// splits are the distributions that a report has.
type splits struct {
	distance, horizontal, vertical, heading, moved, own dist
	byMotion                                            [motionCount]dist
	byAge                                               [len(ageNames)]dist
	byKind                                              [kinds]dist
	byRange                                             [ranges]dist
}

func (m *splits) add(s *sample) {
	m.distance.add(s.distance)
	m.horizontal.add(s.horizontal)
	m.vertical.add(s.vertical)
	m.heading.add(s.heading)
	if s.moved >= 0 {
		m.moved.add(s.moved)
	}
	m.byMotion[s.part(0)].add(s.distance)
	m.byAge[s.part(4)].add(s.distance)
	m.byKind[s.part(8)].add(s.distance)
	m.byRange[s.part(12)].add(s.distance)
}

func (m *splits) merge(o *splits) {
	for _, p := range [][2]*dist{
		{&m.distance, &o.distance}, {&m.horizontal, &o.horizontal}, {&m.vertical, &o.vertical}, {&m.heading, &o.heading}, {&m.moved, &o.moved}, {&m.own, &o.own},
	} {
		p[0].merge(p[1])
	}
	for _, p := range [][2][]dist{{m.byMotion[:], o.byMotion[:]}, {m.byAge[:], o.byAge[:]}, {m.byKind[:], o.byKind[:]}, {m.byRange[:], o.byRange[:]}} {
		for i := range p[0] {
			p[0][i].merge(&p[1][i])
		}
	}
}

func (m *measurements) add(s *sample, w *Worst) {
	if m.take() {
		m.kept = append(m.kept, *s)
	} else {
		m.beyond.add(s)
	}
	if len(m.worst) < MaxWorst || w.Metres > m.worst[len(m.worst)-1].Metres {
		m.rank(*w)
	}
}

// take takes room for a sample; without any it is one of those beyond.
func (m *measurements) take() bool {
	if m.room.Samples > 0 {
		m.room.Samples--
		return true
	}
	if m.beyond == nil {
		m.beyond = &splits{}
	}
	return false
}

// addOwn adds an error of the own object as others see it.
func (m *measurements) addOwn(metres float32) {
	if m.take() {
		m.own = append(m.own, metres)
	} else {
		m.beyond.own.add(metres)
	}
}

// rank puts an error among the worst.
func (m *measurements) rank(w Worst) {
	m.worst = append(m.worst, w)
	slices.SortStableFunc(m.worst, func(a, b Worst) int { return cmp.Compare(b.Metres, a.Metres) })
	m.worst = m.worst[:min(len(m.worst), MaxWorst)]
}

// merge adds another's.
func (m *measurements) merge(o *measurements) {
	m.kept, m.own = append(m.kept, o.kept...), append(m.own, o.own...)
	for i, n := range o.fates {
		m.fates[i] += n
	}
	for _, w := range o.worst {
		m.rank(w)
	}
	if o.beyond != nil {
		if m.beyond == nil {
			m.beyond = &splits{}
		}
		m.beyond.merge(o.beyond)
	}
}

// Errors are how far the engine was from what inbound positions say.
type Errors struct {
	Positions  map[string]uint64  `json:"positions"` // inbound positions by Fate
	Distance   Summary            `json:"distance"`  // m, in three dimensions
	Horizontal Summary            `json:"horizontal"`
	Vertical   Summary            `json:"vertical"`
	Heading    Summary            `json:"heading"` // degrees
	Moved      Summary            `json:"moved"`   // m: the error of who predicts nothing
	Own        Summary            `json:"own"`     // m: of the own object, where it is moved as others see it, from where the client says he is
	ByMotion   map[string]Summary `json:"by_motion"`
	ByAge      map[string]Summary `json:"by_age"` // since the position before
	ByKind     map[string]Summary `json:"by_kind"`
	ByRange    map[string]Summary `json:"by_range"` // from the viewer
	Worst      []Worst            `json:"worst"`
}

// Split are errors by one property: distributions, and those names in their order of
// which there are any.
type Split struct {
	Name  string
	Names []string
	Of    map[string]Summary
}

// Splits are the distributions by what the remote did, by time since the position
// before, by kind of object and by range.
func (e *Errors) Splits() []Split {
	split := func(name string, names []string, of map[string]Summary) Split {
		names = slices.DeleteFunc(slices.Clone(names), func(n string) bool { _, ok := of[n]; return !ok })
		return Split{name, names, of}
	}
	return []Split{
		split("what the remote did", motionNames[:], e.ByMotion), split("time since the position before", ageNames[:], e.ByAge),
		split("kind", kindNames[:], e.ByKind), split("range from the viewer", rangeNames[:], e.ByRange),
	}
}

// errors makes the distributions.
func (m *measurements) errors() *Errors {
	beyond := m.beyond
	if beyond == nil {
		beyond = &splits{}
	}
	values := make([]float32, 0, len(m.kept))
	of := func(d *dist, value func(*sample) float32, takes func(*sample) bool) Summary {
		values = values[:0]
		for i := range m.kept {
			if s := &m.kept[i]; takes == nil || takes(s) {
				values = append(values, value(s))
			}
		}
		return summarize(values, d)
	}
	distance := func(s *sample) float32 { return s.distance }
	e := &Errors{
		Positions:  map[string]uint64{},
		Distance:   of(&beyond.distance, distance, nil),
		Horizontal: of(&beyond.horizontal, func(s *sample) float32 { return s.horizontal }, nil),
		Vertical:   of(&beyond.vertical, func(s *sample) float32 { return s.vertical }, nil),
		Heading:    of(&beyond.heading, func(s *sample) float32 { return s.heading }, nil),
		Moved:      of(&beyond.moved, func(s *sample) float32 { return s.moved }, func(s *sample) bool { return s.moved >= 0 }),
		Own:        summarize(m.own, &beyond.own),
		Worst:      m.worst,
	}
	for f, n := range m.fates {
		if n > 0 {
			e.Positions[Fate(f).String()] = n
		}
	}
	split := func(all []dist, shift int, names []string) map[string]Summary {
		out := map[string]Summary{}
		for i := range all {
			if s := of(&all[i], distance, func(s *sample) bool { return s.part(shift) == i }); s.Count > 0 {
				out[names[i]] = s
			}
		}
		return out
	}
	e.ByMotion = split(beyond.byMotion[:], 0, motionNames[:])
	e.ByAge = split(beyond.byAge[:], 4, ageNames[:])
	e.ByKind = split(beyond.byKind[:], 8, kindNames[:])
	e.ByRange = split(beyond.byRange[:], 12, rangeNames[:])
	return e
}
