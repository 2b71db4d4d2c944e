package position

import (
	"fmt"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

// crowd is a world of several movers without a sweep, and the parts of a tick
// that lie between them.
type crowd struct {
	t        tester
	hz       float64
	tick     uint64
	events   bool // tick's events are being applied
	pools    components.Pools
	all      []*figure // in guid order
	prompt   bool      // word arrives at once even while movers are updated, as in retail
	updating bool
	asked    []asked  // subscriptions made while movers are updated
	letters  []letter // updates to deliver when all are
	sent     int      // updates sent in all
}

type asked struct {
	from, to        uint32
	radius, quantum float32
	remove          bool
	told            space.Position
}

type letter struct {
	to   uint32
	info components.Target
}

// figure is one of them.
type figure struct {
	*Mover
	c        *crowd
	root     space.Frame // the sequence's offset of each tick
	maxSpeed float32     // m/s, what the interpreter would answer
	gone     bool        // from the world
	parent   uint32
	movingTo uint32 // whom a move-to is about
	reached  bool   // it was told where that is
	news     []components.Target
	calls    []string
	sticks   []string // begun and ended
}

func (f *figure) Met(uint32)                                  {}
func (f *figure) Parted(uint32)                               {}
func (f *figure) MetBy(uint32)                                {}
func (f *figure) Stepping() bool                              { return f.c.updating }
func (f *figure) StateOf(uint32) (components.StateBits, bool) { return 0, false }
func (f *figure) WallNow() float64                            { return f.Now() }

func (f *figure) ActivityChanges(bool) {}

func (f *figure) GroundChanges(_, _ components.TransientBits) {}
func (f *figure) StickBegan(id uint32)                        { f.sticks = append(f.sticks, fmt.Sprintf("to %x", id&0xF)) }
func (f *figure) StickEnded(id uint32)                        { f.sticks = append(f.sticks, fmt.Sprintf("from %x", id&0xF)) }

func newCrowd(t tester, hz float64) *crowd { return &crowd{t: t, hz: hz} }

// add puts a figure of radius 0.5 m on the ground.
func (c *crowd) add(p space.Position) *figure {
	w := newWorld(c.t)
	f := &figure{Mover: w.Mover, c: c, root: space.Identity}
	f.Pools, f.Host = &c.pools, f
	f.Identity.Guid = 0x50000001 + uint32(len(c.all))
	f.Traits.Radius = .5
	f.Pose.Position = p
	c.all = append(c.all, f)
	return f
}

func (f *figure) guid() uint32 { return f.Identity.Guid }

func (c *crowd) find(id uint32) *figure {
	for _, f := range c.all {
		if f.guid() == id && !f.gone {
			return f
		}
	}
	return nil
}

func (f *figure) HitGround()   {}
func (f *figure) LeaveGround() {}
func (f *figure) MovingTo() bool {
	return f.movingTo != 0
}
func (f *figure) Now() float64 { return Clock(f.c.tick, f.c.hz) }
func (f *figure) Place(p space.Position, _ PlaceFlags) bool {
	return AcceptPlace(f.Pose, f.Body, p)
}

// CancelMoveTo ends the move-to and with it its subscription (R6.23).
func (f *figure) CancelMoveTo(code uint32) {
	f.calls = append(f.calls, fmt.Sprintf("cancel %#x", code))
	if f.movingTo != 0 {
		f.movingTo, f.reached = 0, false
		f.ClearTarget()
	}
}

// moveTo is an order to go to somebody (R6.12, 06 §6.3).
func (f *figure) moveTo(id uint32) {
	f.CancelMoveTo(CancelUnstick)
	f.Unstick()
	f.movingTo = id
	f.SetTarget(0, id, .5, 0)
}

// HandleTarget is R6.20 as far as it ends a move-to.
func (f *figure) HandleTarget(info components.Target) {
	f.news = append(f.news, info)
	switch {
	case info.ID != f.movingTo || f.movingTo == 0:
	case info.Status == components.TargetOK:
		f.reached = true
	case f.reached:
		f.CancelMoveTo(0x37)
	default:
		f.CancelMoveTo(0x38)
	}
}

// stands is how somebody stands as far as others may read it.
func (f *figure) stands() Other {
	if f.c.updating && !f.c.prompt {
		if o, ok := Stood(f.Row, f.Pools); ok {
			return o
		}
	}
	return Present(f.Row)
}

func (f *figure) Resolve(id uint32) (Other, bool) {
	o := f.c.find(id)
	if o == nil {
		return Other{}, false
	}
	return o.stands(), true
}

func (f *figure) Subscribe(id uint32, radius, quantum float32) {
	f.calls = append(f.calls, fmt.Sprintf("subscribe %v %v", radius, quantum))
	o := f.c.find(id)
	if o == nil {
		return
	}
	from := o.stands()
	isNew := false
	if f.c.updating && !f.c.prompt {
		isNew = FindVoyeur(o.Row, o.Pools, f.guid()) == nil
		for _, a := range f.c.asked {
			if a.from == f.guid() && a.to == id {
				isNew = a.remove
			}
		}
		f.c.asked = append(f.c.asked, asked{f.guid(), id, radius, quantum, false, from.Place})
	} else {
		isNew = AddVoyeur(o.Row, o.Pools, f.guid(), radius, quantum, &from.Place)
	}
	if isNew {
		f.c.sent++
		info := Answer(id, radius, quantum, &from)
		f.ReceiveUpdate(&info)
	}
}

func (f *figure) Unsubscribe(id uint32) {
	f.calls = append(f.calls, "unsubscribe")
	switch o := f.c.find(id); {
	case o == nil:
	case f.c.updating && !f.c.prompt:
		f.c.asked = append(f.c.asked, asked{from: f.guid(), to: id, remove: true})
	default:
		RemoveVoyeur(o.Row, o.Pools, f.guid())
	}
}

func (f *figure) Tell(to uint32, info components.Target) {
	f.c.sent++
	if o := f.c.find(to); o != nil {
		o.ReceiveUpdate(&info)
	}
}

// begin runs all ticks before k, then k is open for events.
func (c *crowd) begin(k uint64) {
	c.run(k - 1)
	c.tick++
	c.events = true
}

// run updates until tick k is done.
func (c *crowd) run(k uint64) {
	for c.tick < k || c.events && c.tick == k {
		c.step()
	}
}

// step updates all figures, in the tick that is open for events or the next one.
func (c *crowd) step() {
	if !c.events {
		c.tick++
	}
	c.events = false
	for _, f := range c.all {
		Stand(f.Row, f.Pools)
	}
	var due []*figure
	c.updating = true
	for _, f := range c.all {
		if f.update() {
			if c.prompt {
				CheckVoyeurs(f.Row, f.Pools, f.Now(), f.Tell)
			} else {
				due = append(due, f)
			}
		}
		f.UseTime()
		f.StickyTime()
	}
	c.updating = false
	for _, a := range c.asked {
		if o := c.find(a.to); o == nil {
			continue
		} else if a.remove {
			RemoveVoyeur(o.Row, o.Pools, a.from)
		} else {
			AddVoyeur(o.Row, o.Pools, a.from, a.radius, a.quantum, &a.told)
		}
	}
	c.asked = c.asked[:0]
	for _, f := range due {
		CheckVoyeurs(f.Row, f.Pools, f.Now(), func(to uint32, info components.Target) {
			c.letters = append(c.letters, letter{to, info})
		})
	}
	for _, l := range c.letters {
		c.sent++
		if o := c.find(l.to); o != nil {
			o.ReceiveUpdate(&l.info)
		}
	}
	c.letters = c.letters[:0]
	c.check()
}

// update is a figure's steps a to g.
func (f *figure) update() (due bool) {
	if f.gone || !Guard(f.Pose, f.Body, nil, false) || !BeginStep(f.Pose, f.Body) {
		return false
	}
	q := float32(1 / f.c.hz)
	off := f.root
	AdjustOffset(f.Mover, &off, q, f.maxSpeed, f.Stuck())
	AdjustSticky(f.Mover, &off, q, f.maxSpeed)
	AdjustLeash(f.Leash, f.Body, &off.Origin)
	next := space.Combine(f.Pose.Frame, off)
	UpdatePhysics(f.Body, q, &next)
	Commit(f.Pose, f.Body, &next, q)
	return f.TargetTime()
}

// check walks the invariants, each row's and those between them: who watches has
// whom he watches as his target, and who heard from his target watches it.
func (c *crowd) check() {
	c.t.Helper()
	for _, f := range c.all {
		if err := Check(*f.Row, f.Pools, 0); err != nil {
			c.t.Fatalf("tick %d: %#x: %v", c.tick, f.guid(), err)
		}
		for _, v := range f.voyeurs() {
			if o := c.find(v.ID); o == nil || o.target() == nil || o.target().ID != f.guid() {
				c.t.Fatalf("tick %d: %#x watches %#x, which it does not target", c.tick, v.ID, f.guid())
			}
		}
		if t := f.target(); t != nil && t.Status != components.TargetUndefined && t.Status != components.TargetTimedOut {
			if o := c.find(t.ID); o == nil || FindVoyeur(o.Row, o.Pools, f.guid()) == nil {
				c.t.Fatalf("tick %d: %#x heard from %#x, and does not watch it", c.tick, f.guid(), t.ID)
			}
		}
		if c.find(f.guid()) == nil && len(f.voyeurs()) != 0 {
			c.t.Fatalf("tick %d: %#x is gone, and watched", c.tick, f.guid())
		}
	}
}

func (f *figure) manager() *components.TargetManager {
	return f.Errand.Targets.Get(&f.Pools.TargetManagers)
}

func (f *figure) voyeurs() []components.Voyeur { return f.Errand.Voyeurs(f.Pools) }

// leave is exit_world.
func (f *figure) leave() {
	f.ExitWorld()
	f.gone = true
}

// walk sets a pace in m/s, along the way the figure faces.
func (f *figure) walk(pace float32) { f.root.Origin = space.Vec3{0, pace / float32(f.c.hz), 0} }

// y is how far north the figure is, in metres.
func (f *figure) y() float32 {
	start := space.Position{Cell: outdoors}
	return space.Offset(&start, &f.Pose.Position)[1]
}

func (f *figure) heading() float32 { return space.Heading(f.Pose.Frame.Rotation) }

// heard returns the statuses of the news since it was last asked.
func (f *figure) heard() (s []components.TargetStatus) {
	for _, n := range f.news {
		s = append(s, n.Status)
	}
	f.news = nil
	return s
}

// took returns what was asked of the host since it was last asked.
func (f *figure) took() []string {
	s := f.calls
	f.calls = nil
	return s
}
