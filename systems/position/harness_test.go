package position

import (
	"math"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

const outdoors space.CellID = 0xA9B40001

// tester is what tests, benchmarks and property tests have in common.
type tester interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// world is one mover without a sweep, and the rest of a tick around it.
type world struct {
	*Mover
	t         tester
	q         float32
	maxSpeed  float32     // m/s, what the interpreter would answer
	root      space.Frame // the sequence's offset of each tick
	immovable bool        // the sweep refuses every move
	refuse    bool        // and every placement
	movingTo  bool
	viewer    *space.Position
	calls     []string
	places    []space.Position
	edges     [][2]components.TransientBits
	tick      int
	off       float32 // m, the step's offset
	moved     bool    // the chase gave that offset
	blip      Result
	told      []components.Target // what was sent
	news      []components.Target // what the move-to driver heard
	others    map[uint32]components.StateBits
}

func (w *world) Met(other uint32)    { w.calls = append(w.calls, "met") }
func (w *world) Parted(other uint32) { w.calls = append(w.calls, "parted") }
func (w *world) MetBy(other uint32)  { w.calls = append(w.calls, "met by") }
func (w *world) Stepping() bool      { return true }
func (w *world) StateOf(other uint32) (components.StateBits, bool) {
	return w.others[other], true
}
func (w *world) HitGround()        { w.calls = append(w.calls, "hit") }
func (w *world) LeaveGround()      { w.calls = append(w.calls, "leave") }
func (w *world) StickBegan(uint32) {}
func (w *world) StickEnded(uint32) {}
func (w *world) WallNow() float64  { return w.Now() }

func (w *world) ActivityChanges(bool) {}

func (w *world) GroundChanges(was, is components.TransientBits) {
	w.edges = append(w.edges, [2]components.TransientBits{was, is})
}
func (w *world) MovingTo() bool      { return w.movingTo }
func (w *world) CancelMoveTo(uint32) { w.calls = append(w.calls, "cancel"); w.movingTo = false }
func (w *world) Place(p space.Position, f PlaceFlags) bool {
	if f != PlaceHard {
		w.t.Fatalf("placed with %#x", f)
	}
	w.places = append(w.places, p)
	return !w.refuse && AcceptPlace(w.Pose, w.Body, p)
}

// A world of one has nobody to stick to or to target.
func (w *world) Now() float64                          { return float64(w.tick) * float64(w.q) }
func (w *world) Resolve(uint32) (Other, bool)          { return Other{}, false }
func (w *world) Subscribe(uint32, float32, float32)    { w.calls = append(w.calls, "subscribe") }
func (w *world) Unsubscribe(uint32)                    { w.calls = append(w.calls, "unsubscribe") }
func (w *world) Tell(_ uint32, info components.Target) { w.told = append(w.told, info) }
func (w *world) HandleTarget(info components.Target)   { w.news = append(w.news, info) }

// newWorld puts a grounded body at the corner of a block, facing north, at 30 ticks a second.
func newWorld(t tester) *world {
	body, chase := NewBody(), NewChase()
	body.PlayerDistance = 0
	body.Transient = components.Active | components.Contact | components.OnWalkable
	w := &world{t: t, q: 1.0 / 30, maxSpeed: 4, root: space.Identity}
	w.Mover = &Mover{
		Row: &components.Row{
			Pose:     &components.Pose{Position: at(0)},
			Anchors:  &components.Anchors{},
			Body:     &body,
			Chase:    &chase,
			Leash:    &components.Leash{},
			Stamps:   &components.Stamps{},
			Traits:   &components.Traits{},
			Rest:     &components.Rest{},
			Errand:   &components.Errands{},
			Touch:    &components.Touch{},
			Identity: &components.Identity{Guid: 0x50000001},
		},
		Pools: &components.Pools{},
		Host:  w,
	}
	return w
}

// at is y metres north of the corner.
func at(y float32) space.Position { return atXY(0, y) }

func atXY(x, y float32) space.Position {
	p := space.Position{Cell: outdoors, Frame: space.Frame{Origin: space.Vec3{x, y, 0}, Rotation: space.IdentityQuat}}
	p.Normalize()
	return p
}

func facing(p space.Position, heading float32) space.Position {
	p.Frame.Rotation = space.SetHeading(p.Frame.Rotation, heading)
	return p
}

// event is a position event with contact, near and on foot.
func (w *world) event(p space.Position) Outcome { return w.PositionEvent(p, true, false).Outcome }

// PositionEvent also says from where to where the body was set.
func (w *world) PositionEvent(p space.Position, contact, teleport bool) Result {
	from := w.Pose.Position
	r := Result{Outcome: w.Mover.PositionEvent(&p, contact, teleport)}
	if r.Outcome == Teleported || r.Outcome == Snapped {
		r.From, r.To = from, w.Pose.Position
	}
	return r
}

func (w *world) InterpolateTo(p space.Position, keep bool) Outcome {
	return w.Mover.InterpolateTo(&p, keep)
}

// update is one entity update: steps a to j of the tick order that are ours.
func (w *world) update() {
	w.tick++
	w.off, w.moved, w.blip = 0, false, Result{}
	if !Guard(w.Pose, w.Body, w.viewer, false) || !BeginStep(w.Pose, w.Body) {
		return
	}
	off := w.root
	if w.Body.State&components.Hidden != 0 {
		off = space.Identity
	} else if w.Body.Transient&components.OnWalkable == 0 {
		off.Origin = space.Vec3{}
	}
	w.moved = AdjustOffset(w.Mover, &off, w.q, w.maxSpeed, w.Stuck())
	AdjustSticky(w.Mover, &off, w.q, w.maxSpeed)
	AdjustLeash(w.Leash, w.Body, &off.Origin)
	w.off = space.Length(off.Origin)
	next := space.Combine(w.Pose.Frame, off)
	if w.Body.State&components.Hidden == 0 {
		UpdatePhysics(w.Body, w.q, &next)
	}
	if w.immovable {
		Refuse(w.Pose, w.Body, &next.Rotation)
	} else {
		Commit(w.Pose, w.Body, &next, w.q)
	}
	w.TargetTime()
	w.blip = w.UseTime()
	w.StickyTime()
	if err := Check(*w.Row, w.Pools, 0); err != nil {
		w.t.Fatalf("tick %d: %v", w.tick, err)
	}
}

// run updates until the tick given is done.
func (w *world) run(tick int) {
	for w.tick < tick {
		w.update()
	}
}

// x is how far along the body is: metres north of the corner of the first block.
func (w *world) x() float32 {
	start := space.Position{Cell: outdoors}
	return space.Offset(&start, &w.Pose.Position)[1]
}

// want checks place, queue and fail counter after a tick.
func (w *world) want(tick int, x float32, queue, fail int) {
	w.t.Helper()
	w.run(tick)
	if !near(w.x(), x) || int(w.Chase.Queue.Len) != queue || int(w.Chase.Fail) != fail {
		w.t.Errorf("tick %d: x %.5f queue %d fail %d, want x %.5f queue %d fail %d",
			tick, w.x(), w.Chase.Queue.Len, w.Chase.Fail, x, queue, fail)
	}
}

// wantWindow checks the progress window after a tick.
func (w *world) wantWindow(tick, counter int, original float32) {
	w.t.Helper()
	w.run(tick)
	if int(w.Chase.FrameCounter) != counter || !near(w.Chase.OriginalDistance, original) {
		w.t.Errorf("tick %d: counter %d original %v, want %d %v", tick, w.Chase.FrameCounter, w.Chase.OriginalDistance, counter, original)
	}
}

func near(a, b float32) bool {
	return math.Abs(float64(a-b)) <= 1e-4+2e-6*math.Max(math.Abs(float64(a)), math.Abs(float64(b)))
}

func nearVec(a, b space.Vec3) bool { return near(a[0], b[0]) && near(a[1], b[1]) && near(a[2], b[2]) }

func (w *world) heading() float32 { return space.Heading(w.Pose.Frame.Rotation) }

func (w *world) nodes() []components.ChaseNode { return w.Chase.Queue.Items(&w.Pools.Chase) }
