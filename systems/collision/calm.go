package collision

import (
	"math"
	"slices"
	"unsafe"

	"github.com/gait-engine/gait/space"
)

// Nearly every walker walks over the same triangle of the ground as in the tick
// before, with nobody near. One of whom that is known is calm: until some tick
// nobody can come near him, since nobody goes farther than [CalmStep] in a tick
// without being announced in the cells where he then stands. While he is, neither
// the land nor any list is looked at, and he is not registered anew with every
// step: he marches. His entries then say that he may be anywhere, and what his
// registrations would have done to the order of his cell's list is done when
// somebody asks for that order ([Crowd.bring]). Where few are in a cell who looks
// marches too. It is all derived: who is not known to be calm looks.

// CalmStep is how far in plan a walker goes in a tick at most who does not have to
// be announced, metres.
const CalmStep = 0.5

// maxCompany is up to how many in a list there may be a calm one among: among more
// nobody is for long enough.
const maxCompany = 8

// maxCalm is for how many ticks a walker is calm at most.
const maxCalm = 1 << 16

// shadow is where a row is registered, in the first n of cells or with n −1 in
// Crowd.many, what it consists of, and what a step of it needs to know that
// nobody is near: one line of memory. Of the rows that are updated side by side
// each writes its own, and reads of others shown alone.
type shadow struct {
	cells [4]space.CellID
	n     int8
	over  borders // of cells[0] it reaches, walking there, while it is calm,
	piece piece   // and walks on this,
	roams bool    // its entries say that it may be anywhere
	plane Plane   // on the triangle of that
	depth float32 // so deep in water, m
	setup int32
	scale float32
	since uint32 // the tick in which it was registered last,
	stay  uint32 // and the last in which it took a step without, each a registration left out,
	shown uint32 // as others are to know it
	calm  uint32 // the last tick in which it is
}

// maxMarch is for how many ticks a row marches at most, which bounds what there is
// to make up for.
const maxMarch = 256

// goesOn reports whether a row that may march has done so up to a tick.
func (s *shadow) goesOn(now uint32) bool {
	return s.roams && max(s.since, s.stay)+1 == now && now-s.since < maxMarch
}

// WalkerBytes is what a calm walker's step touches of the crowd.
const WalkerBytes = unsafe.Sizeof(shadow{})

// marches reports whether a row that has taken a step in a tick and lies in cells
// needs not be registered for it.
func (s *shadow) marches(now uint32, cells []space.CellID) bool {
	return s.goesOn(now) && int(s.n) == len(cells) && slices.Equal(s.cells[:s.n], cells)
}

// March reports whether a row that has taken a step in the tick in hand, no
// farther than [CalmStep], and lies in cells needs not be registered for it; then
// that is noted.
func (c *Crowd) March(row int, cells []space.CellID) bool {
	s, now := &c.shadows[row], c.tick+1
	if !s.marches(now, cells) {
		return false
	}
	s.stay = now
	return true
}

// borders are the borders of its cell over which a body's spheres reach, which say
// in which cells it lies: east, west, north and south, a sphere after the other.
type borders uint8

func (b *Body) over(x, y float32) (s borders) {
	for k := range b.SphereCount {
		r := b.Spheres[k].Radius
		far := space.CellSide - r
		if s <<= 4; x > far {
			s |= 1
		}
		if x < r {
			s |= 2
		}
		if y > far {
			s |= 4
		}
		if y < r {
			s |= 8
		}
	}
	return s
}

// piece is a part of a plot on which the ground is one plane and water equally
// deep: which way the diagonal runs and on which side of it, and in which quarter
// where there is water.
type piece uint8

const (
	pieceSWNE piece = 1 << iota
	pieceFirst
	pieceWet
	pieceEast
	pieceNorth
)

func pieceAt(swne, wet bool, x, y float32) (p piece) {
	if swne {
		p |= pieceSWNE
	}
	if firstTriangle(swne, float64(x), float64(y)) {
		p |= pieceFirst
	}
	if wet {
		p |= pieceWet
		if x >= space.CellSide/2 {
			p |= pieceEast
		}
		if y >= space.CellSide/2 {
			p |= pieceNorth
		}
	}
	return p
}

// border is how near to the border of its cell a point may be for it to be a
// question of rounding on which side it is, metres.
const border = 0.001

// treads reports whether a calm walker who comes to a point of his plot walks on
// as before.
func (s *shadow) treads(id space.CellID, now uint32, x, y float32, over borders) bool {
	return s.calm >= now && s.cells[0] == id && s.over == over && s.goesOn(now) &&
		min(x, y) >= border && max(x, y) <= space.CellSide-border && pieceAt(s.piece&pieceSWNE != 0, s.piece&pieceWet != 0, x, y) == s.piece
}

// nobody reports whether nobody in a cell's list is near a walker who has come to a
// point, and for how many ticks that stays so whoever of them goes whichever way.
func (c *Crowd) nobody(list []entry, id space.CellID, row int32, x, y, far float32) (ticks float32, ok bool) {
	if len(list) <= maxCompany {
		ticks = maxCalm
	}
	for k := range list {
		e := list[k]
		if e.row == row {
			continue
		}
		if e.beyond(x, y, far) {
			ticks = e.apart(x, y, far, ticks)
			continue
		}
		o := &c.Obstacles[e.row]
		known := o.Reach != 0 && o.Place.Cell.SameBlock(id)
		if known {
			e.x, e.y, e.reach = o.Place.Frame.Origin[0], o.Place.Frame.Origin[1], o.Reach
		}
		if o.Traits&Held == 0 && !(known && e.beyond(x, y, far)) {
			return 0, false
		}
		ticks = e.apart(x, y, far, ticks)
	}
	return ticks, true
}

// apart returns after how many ticks at the soonest, of so many that count, an
// entry's row and a walker can be near each other: in the tick that comes the
// walker has gone on, and the other in this one.
func (e *entry) apart(x, y, far, ticks float32) float32 {
	if ticks < 1 {
		return 0
	}
	return min(ticks, (space.LengthOf(x-e.x, y-e.y, 0)-e.reach-far)/(2*CalmStep))
}

// Leaps reports whether a way in plan, metres, is farther than [CalmStep].
func Leaps(x, y float32) bool {
	return !(float32(x*x)+float32(y*y) <= CalmStep*CalmStep)
}

// fewEntries is up to how many in a list may march who are not calm: of those who
// do, whoever looks has to look up where they are.
const fewEntries = 4

// announce has those in a list look around in their next step, and where there are
// many be registered with it.
func (c *Crowd) announce(l *roster) {
	list := c.rosters.list(l)
	for k := range list {
		s := &c.shadows[list[k].row]
		s.calm = 0
		s.roams = s.roams && len(list) < fewEntries
	}
}

// Calm reports whether a row may need nothing but its own in its step of a tick.
func (c *Crowd) Calm(row int, tick uint32) bool { return c.shadows[row].calm >= tick }

// disturbs returns who, in a cell's list, may come near a calm row too soon, −1 nobody.
func (c *Crowd) disturbs(row int, id space.CellID) int32 {
	s, me := &c.shadows[row], &c.Obstacles[row]
	if s.calm <= c.tick || max(s.since, s.stay) != c.tick {
		return -1
	}
	for _, e := range c.in(id) {
		o := &c.Obstacles[e.row]
		if int(e.row) == row || !o.Place.Cell.SameBlock(me.Place.Cell) {
			continue
		}
		d := space.Sub(o.Place.Frame.Origin, me.Place.Frame.Origin)
		if d[2] = 0; space.Length(d)-o.Reach+CalmStep < 2*CalmStep*float32(s.calm-c.tick) {
			return e.row
		}
	}
	return -1
}

// Show is to be called of every row that was updated, when all have been.
func (c *Crowd) Show(row int) {
	s := &c.shadows[row]
	s.shown = s.stay
}

// Turn says whose turn it is to be registered: the ticks before have been, and
// those of lower guids in this one.
func (c *Crowd) Turn(tick, guid uint32) { c.tick, c.guid = tick, guid }

// bring makes up in a list for the registrations that were left out until now.
func (c *Crowd) bring(l *roster) {
	if list := c.rosters.list(l); l.roam > 0 {
		c.replay(list, l.tick, l.guid, c.behind(list))
	}
	l.tick, l.guid = c.tick, c.guid
}

// ordered returns the rows that are registered in a cell in list order, as bring
// would bring it about, while several may ask. What it has to make up it does in
// room, of which it returns what is then taken. It reports whether there was
// something: then the list is to be brought up when all have asked.
func (c *Crowd) ordered(id space.CellID, room []entry) (list, taken []entry, behind bool) {
	if c == nil {
		return nil, room, false
	}
	l := c.rosters.find(id)
	if l == nil {
		return nil, room, false
	}
	list = c.rosters.list(l)
	if l.roam == 0 || len(list) < 2 {
		return list, room, false
	}
	until := c.behind(list)
	if behind = until >= max(l.tick, 1); behind {
		room = append(room, list...)
		list = room[len(room)-len(list):]
		c.replay(list, l.tick, l.guid, until)
	}
	return list, room, behind
}

// Bring brings up the lists of cells whose order was asked for ([Sweep.Asked]), so
// that who asks again does not make up for the same. Some may be gone by then.
func (c *Crowd) Bring(cells []space.CellID) {
	for _, id := range cells {
		if l := c.rosters.find(id); l != nil {
			c.bring(l)
		}
	}
}

// behind returns the last tick for which there may be something to make up in a list.
func (c *Crowd) behind(list []entry) (last uint32) {
	for k := range list {
		if list[k].roams() {
			last = max(last, c.shadows[list[k].row].shown)
		}
	}
	return last
}

// replay makes up, from one turn to the one in hand, for what was left out until a
// tick: in the order of ticks and guids the list's last takes a row's place, and the
// row the last's.
func (c *Crowd) replay(list []entry, tick, guid, until uint32) {
	if len(list) < 2 {
		return
	}
	for t := max(tick, 1); t <= until; t++ { // who has never marched has shown 0
		after, least := int64(-1), int64(0)
		if t == tick {
			after = int64(guid)
		}
		for {
			next := -1
			for k := range list {
				if !list[k].roams() {
					continue
				}
				if c.shadows[list[k].row].shown < t { // since when does not matter: then the list was brought up
					continue
				}
				g := int64(c.Obstacles[list[k].row].Guid)
				if g > after && (next < 0 || g < least) && (t < c.tick || g <= int64(c.guid)) {
					next, least = k, g
				}
			}
			if next < 0 {
				break
			}
			last := len(list) - 1
			list[next], list[last] = list[last], list[next]
			after = least
		}
	}
}

// roams reports whether a row may be anywhere: it marches, or reaches so far.
func (e *entry) roams() bool { return e.reach > math.MaxFloat32 }

func (e *entry) roaming() int32 {
	if e.roams() {
		return 1
	}
	return 0
}
