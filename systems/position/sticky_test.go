package position

import (
	"math"
	"slices"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

const (
	statusOK  = components.TargetOK
	timedOut  = components.TargetTimedOut
	exitWorld = components.TargetExitWorld
)

func (f *figure) stickyBox() *components.Sticky { return f.Errand.Sticky(f.Pools) }

func TestSpec13_2_StickTo(t *testing.T) {
	c := newCrowd(t, 16)
	a, b := c.add(at(0)), c.add(at(10))
	a.Body.Transient &^= components.Active
	c.begin(8)
	a.StickTo(b.guid(), .7, 2)
	// the target answered before StickTo returned
	want := components.Sticky{TargetID: b.guid(), Radius: .7, Initialized: true, Deadline: 1.5, Place: at(10)}
	if *a.stickyBox() != want {
		t.Errorf("sticky %+v, want %+v", *a.stickyBox(), want)
	}
	if !a.Stuck() || a.StickyID() != b.guid() {
		t.Errorf("stuck %v to %#x", a.Stuck(), a.StickyID())
	}
	if got := a.took(); !slices.Equal(got, []string{"subscribe 0.5 0.5"}) {
		t.Errorf("asked %v", got)
	}
	if got := a.target(); got.ID != b.guid() || got.Context != 0 || got.Radius != .5 || got.Quantum != .5 || got.Status != statusOK {
		t.Errorf("target %+v", *got)
	}
	// once more: first clear, so a move-to ends and b's record of a is new
	a.StickTo(b.guid(), 3, 0)
	if got := a.took(); !slices.Equal(got, []string{"unsubscribe", "cancel 0x36", "subscribe 0.5 0.5"}) {
		t.Errorf("asked %v", got)
	}
	if a.stickyBox().Radius != 3 || !a.stickyBox().Initialized || len(b.voyeurs()) != 1 {
		t.Errorf("sticky %+v, voyeurs %v", *a.stickyBox(), b.voyeurs())
	}
	if got := a.sticks; !slices.Equal(got, []string{"to 2", "from 2", "to 2"}) {
		t.Errorf("told %v", got)
	}
	if a.Body.Transient&components.Active != 0 {
		t.Error("StickTo and SetTarget activate") // 11 §3: it is stick_to_object that does
	}
}

// Nobody is stuck to whom the world does not know until he answers.
func TestSpec13_2_UnknownTargetIsNotFollowed(t *testing.T) {
	c := newCrowd(t, 16)
	a := c.add(at(0))
	c.begin(1)
	a.StickTo(0x77, 1, 1)
	c.run(10)
	if a.stickyBox().Initialized || !a.Stuck() || a.y() != 0 {
		t.Errorf("sticky %+v, at %v", *a.stickyBox(), a.y())
	}
	c.run(18)
	if a.Stuck() || a.target() != nil {
		t.Errorf("sticky %+v", *a.stickyBox())
	}
}

// Sticking to nothing is sticking to nobody, and lets go of the one before.
func TestSpec13_2_StickToNothing(t *testing.T) {
	c := newCrowd(t, 16)
	a, b := c.add(at(0)), c.add(at(10))
	c.begin(1)
	a.StickTo(b.guid(), 1, 1)
	a.news, a.calls = nil, nil
	a.StickTo(0, 1, 1)
	if got := a.took(); !slices.Equal(got, []string{"unsubscribe", "cancel 0x36"}) { // of the stick before
		t.Errorf("asked %v", got)
	}
	if a.Stuck() || a.target() != nil || len(b.voyeurs()) != 0 || !slices.Equal(a.heard(), []components.TargetStatus{timedOut}) {
		t.Errorf("sticky %+v, voyeurs %v", *a.stickyBox(), b.voyeurs())
	}
	c.run(3)
}

func TestSpec13_2_Clear(t *testing.T) {
	c := newCrowd(t, 16)
	a, b := c.add(at(0)), c.add(at(10))
	c.begin(1)
	a.Unstick() // nothing to let go of
	a.moveTo(b.guid())
	a.took()
	a.Unstick()
	if got := a.took(); len(got) != 0 || a.movingTo == 0 {
		t.Errorf("asked %v", got)
	}
	a.StickTo(b.guid(), .7, 2)
	if a.movingTo == 0 { // nothing was stuck to before, so nothing was cancelled
		t.Error("the first stick cancels a move-to")
	}
	a.took()
	kept := *a.stickyBox()
	kept.TargetID, kept.Initialized = 0, false
	a.Unstick()
	if got := a.took(); !slices.Equal(got, []string{"unsubscribe", "cancel 0x36"}) {
		t.Errorf("asked %v", got)
	}
	if *a.stickyBox() != kept || a.Stuck() || a.StickyID() != 0 || a.movingTo != 0 || a.target() != nil || len(b.voyeurs()) != 0 {
		t.Errorf("sticky %+v, target %v, voyeurs %v", *a.stickyBox(), a.target(), b.voyeurs())
	}
}

func TestSpec13_2_HandleUpdateTarget(t *testing.T) {
	for status := components.TargetUndefined; status <= timedOut; status++ {
		c := newCrowd(t, 16)
		a, b := c.add(at(0)), c.add(at(10))
		c.begin(1)
		a.StickTo(b.guid(), .7, 2)
		info := components.Target{ID: 0x99, Status: status, Place: at(7)}
		a.HandleUpdateTarget(info)
		if !a.stickyBox().Initialized || a.stickyBox().Place != at(10) {
			t.Errorf("status %d of somebody else: %+v", status, *a.stickyBox())
		}
		a.stickyBox().Initialized = false
		info.ID = b.guid()
		a.HandleUpdateTarget(info)
		if ok := status == statusOK; a.Stuck() != ok || a.stickyBox().Initialized != ok || (a.stickyBox().Place == at(7)) != ok {
			t.Errorf("status %d: %+v", status, *a.stickyBox())
		}
		c.check()
	}
}

// A stick ends with the second, strictly after; updates do not lengthen it, a new StickTo does.
func TestSpec13_2_Deadline(t *testing.T) {
	c := newCrowd(t, 16)
	a, b := c.add(at(0)), c.add(at(60))
	b.walk(5)
	c.begin(3)
	a.StickTo(b.guid(), .5, 0)
	c.run(19) // the clock stands at the deadline
	if !a.Stuck() || len(a.heard()) < 2 {
		t.Errorf("let go of in time, or no news")
	}
	c.run(20)
	if a.Stuck() || len(b.voyeurs()) != 0 {
		t.Errorf("sticks beyond the deadline")
	}
	c.begin(30)
	a.StickTo(b.guid(), .5, 0)
	c.begin(40)
	a.StickTo(b.guid(), .5, 0)
	c.run(56)
	if !a.Stuck() {
		t.Errorf("the deadline is that of the first StickTo")
	}
	c.run(57)
	if a.Stuck() {
		t.Errorf("sticks beyond the second deadline")
	}
}

// Held things are stuck to by way of their holder: one hop, his radius.
func TestD_27_StickToHeldIsStickToHolder(t *testing.T) {
	c := newCrowd(t, 16)
	a, b, sword, gem := c.add(at(0)), c.add(at(10)), c.add(at(10)), c.add(at(10))
	b.Traits.Radius, sword.Traits.Radius, gem.Traits.Radius = 2, .1, .1
	sword.parent, gem.parent = b.guid(), sword.guid()
	a.parent = gem.guid() // the own parent does not matter
	find := func(id uint32) (Figure, bool) {
		f := c.find(id)
		if f == nil {
			return Figure{}, false
		}
		return Figure{f.parent, f.Traits.Radius, 1}, true
	}
	for _, x := range []struct {
		id, stuck uint32
		radius    float32
	}{{b.guid(), b.guid(), 2}, {sword.guid(), b.guid(), 2}, {gem.guid(), sword.guid(), .1}} {
		a.StickToObject(x.id, find)
		if a.StickyID() != x.stuck || a.stickyBox().Radius != x.radius {
			t.Errorf("%#x: sticky %+v", x.id, *a.stickyBox())
		}
	}
	// who is not known changes nothing but activity (11 §3)
	a.Body.Transient &^= components.Active
	a.StickToObject(0x99, find)
	if a.StickyID() != sword.guid() || a.Body.Transient&components.Active == 0 {
		t.Errorf("sticky %+v", *a.stickyBox())
	}
	b.gone = true
	a.StickToObject(sword.guid(), find)
	if a.StickyID() != sword.guid() {
		t.Errorf("sticky %+v", *a.stickyBox())
	}
}

// stuck returns a figure facing a heading at the corner that sticks to one at p.
func stuck(t tester, heading, radius float32, p space.Position, targetRadius float32) (a, b *figure) {
	c := newCrowd(t, 30)
	a, b = c.add(facing(at(0), heading)), c.add(p)
	a.Traits.Radius = radius
	c.begin(1)
	a.StickTo(b.guid(), targetRadius, 1)
	return a, b
}

func raised(p space.Position, z float32) space.Position {
	p.Frame.Origin[2] = z
	return p
}

func TestSpec13_3_Examples(t *testing.T) {
	for name, x := range map[string]struct {
		place  space.Position
		radius float32 // of both
		speed  float32 // 5 × max speed, 0 for the fallback
		q      float32
		step   float32 // m north
	}{
		"0.4 m away":            {at(.4), 0, 0, .1, .1},
		"100 m, fallback":       {at(100), 0, 0, .1, 1.5},
		"next to no speed":      {at(100), 0, .00019, .1, 1.5},
		"up a slope":            {raised(at(3), 4), .5, 0, 1, 3.7},
		"overlap":               {at(5), 3, 20, .1, -1.3},
		"overlap beyond a step": {at(5), 3, 20, 1. / 30, .66667},
	} {
		a, _ := stuck(t, 0, x.radius, x.place, x.radius)
		off := space.Identity
		if !AdjustSticky(a.Mover, &off, x.q, x.speed/5) {
			t.Errorf("%s: not adjusted", name)
		}
		if !nearVec(off.Origin, space.Vec3{0, x.step, 0}) || !near(space.Heading(off.Rotation), 0) {
			t.Errorf("%s: %v, want %v m north", name, off, x.step)
		}
	}
}

func TestSpec13_3_Approach(t *testing.T) {
	for name, x := range map[string]struct{ maxSpeed, step float32 }{
		"fallback":   {0, .5},
		"run rate 1": {4, 2. / 3},
	} {
		a, _ := stuck(t, 0, .5, at(10), .5)
		a.maxSpeed = x.maxSpeed
		for k := uint64(1); k <= 25; k++ {
			a.c.run(k)
			if want := min(float32(k)*x.step, 8.7); !near(a.y(), want) {
				t.Errorf("%s: tick %d at %v, want %v", name, k, a.y(), want)
			}
		}
	}
	a, _ := stuck(t, 0, .5, at(10), .5)
	a.maxSpeed = 4
	a.c.run(13)
	if !near(a.y(), 8.66667) {
		t.Errorf("tick 13 at %v", a.y())
	}
	a.c.run(14)
	if !near(a.y(), 8.7) {
		t.Errorf("tick 14 at %v", a.y())
	}
}

// The turn is taken whole in the first step, and relative to the way the body faces.
func TestSpec13_2_FacesItsTarget(t *testing.T) {
	for heading := float32(0); heading < 360; heading += 30 {
		for way := float32(15); way < 360; way += 30 {
			s, c := math.Sincos(float64(way) * math.Pi / 180)
			a, b := stuck(t, heading, 0, atXY(float32(8*s), float32(8*c)), 0)
			a.Pose.Position, b.Pose.Position = atXY(96, 96), atXY(96+float32(8*s), 96+float32(8*c))
			a.Pose.Frame.Rotation = space.SetHeading(a.Pose.Frame.Rotation, heading)
			off := space.Frame{Origin: space.Vec3{1, 2, 3}, Rotation: space.SetHeading(space.IdentityQuat, 77)}
			AdjustSticky(a.Mover, &off, 1./30, 4)
			next := space.Combine(a.Pose.Frame, off)
			if d := math.Abs(float64(space.Heading(next.Rotation) - way)); d > 1e-3 {
				t.Errorf("from %v: faces %v, want %v", heading, space.Heading(next.Rotation), way)
			}
			d := space.Sub(next.Origin, a.Pose.Frame.Origin)
			if !near(d[0], float32(s)*2/3) || !near(d[1], float32(c)*2/3) || d[2] != 0 {
				t.Errorf("from %v towards %v: moves %v", heading, way, d)
			}
		}
	}
}

func TestSpec13_2_NeedsTargetAndAnswer(t *testing.T) {
	a, _ := stuck(t, 0, 0, at(10), 0)
	a.stickyBox().Initialized = false
	off := space.Frame{Origin: space.Vec3{1, 2, 3}, Rotation: space.SetHeading(space.IdentityQuat, 77)}
	was := off
	if AdjustSticky(a.Mover, &off, .1, 4) || off != was {
		t.Errorf("without an answer: %v", off)
	}
	a.Unstick()
	if AdjustSticky(a.Mover, &off, .1, 4) || off != was {
		t.Errorf("without a target: %v", off)
	}
	w := newWorld(t)
	if AdjustSticky(w.Mover, &off, .1, 4) || off != was {
		t.Errorf("without a manager: %v", off)
	}
}

// In the air and hidden, too.
func TestSpec13_2_NeedsNoContact(t *testing.T) {
	a, _ := stuck(t, 0, 0, at(10), 0)
	a.Body.State &^= components.Gravity
	a.GroundEvent(false, false)
	SetState(a.Body, a.Body.State|components.Hidden)
	a.c.run(1)
	if !near(a.y(), .5) {
		t.Errorf("at %v", a.y())
	}
}

// The live place counts; the one that was told only when the target is not there.
func TestSpec13_2_LivePlaceElseCached(t *testing.T) {
	a, b := stuck(t, 0, 0, at(10), 0)
	b.Pose.Position = at(5)
	off := space.Identity
	AdjustSticky(a.Mover, &off, 1, 4)
	if !near(off.Origin[1], 4.7) {
		t.Errorf("moves %v", off.Origin)
	}
	b.gone = true
	AdjustSticky(a.Mover, &off, 1, 4)
	if !near(off.Origin[1], 9.7) {
		t.Errorf("moves %v", off.Origin)
	}
}

// While movers are updated the target stands where the inbound stage left it,
// whoever comes first.
func TestSpec13_5_ReadsWhatStoodBefore(t *testing.T) {
	for _, first := range []bool{false, true} {
		c := newCrowd(t, 30)
		a, b := c.add(at(0)), c.add(at(10))
		if first {
			a, b = b, a
			a.Pose.Position, b.Pose.Position = at(0), at(10)
		}
		b.walk(6)
		c.begin(1)
		a.maxSpeed = 1e6 // there at once
		a.StickTo(b.guid(), .5, 0)
		c.run(1)
		if !near(a.y(), 8.7) || !near(b.y(), 10.2) {
			t.Errorf("first %v: at %v, target at %v", first, a.y(), b.y())
		}
		c.run(2)
		if !near(a.y(), 8.9) {
			t.Errorf("first %v: at %v", first, a.y())
		}
	}
}

func TestSpec13_2_AcrossBlocks(t *testing.T) {
	a, b := stuck(t, 0, .5, at(10), .5)
	a.Pose.Position, b.Pose.Position = at(190), at(194)
	if a.Pose.Cell.SameBlock(b.Pose.Cell) {
		t.Fatal("one block")
	}
	off := space.Identity
	AdjustSticky(a.Mover, &off, 1, 4)
	if !nearVec(off.Origin, space.Vec3{0, 2.7, 0}) {
		t.Errorf("moves %v", off.Origin)
	}
}

// The stick has the last word on where and which way, the leash on how far (13 §1).
func TestSpec13_1_ChaseStickyLeash(t *testing.T) {
	a, _ := stuck(t, 0, 0, at(100), 0)
	a.maxSpeed = 4
	a.event(facing(atXY(30, 0), 90))
	a.Leash.Travelled = 30 // half of 10..50
	a.c.run(1)
	if !near(a.y(), 2./3/2) || a.Pose.Frame.Origin[0] != 0 || !near(a.heading(), 0) || a.Chase.Queue.Len != 1 {
		t.Errorf("at %v, queue %d", a.Pose.Position, a.Chase.Queue.Len)
	}
}

func (f *figure) event(p space.Position) { f.PositionEvent(&p, true, false) }

// Straight above there is no way to go, and no bearing.
func TestSpec13_2_TargetOverhead(t *testing.T) {
	a, _ := stuck(t, 123, .5, raised(at(0), 5), .5)
	a.c.run(10)
	if a.y() != 0 || a.Pose.Frame.Origin[0] != 0 || !near(a.heading(), 123) {
		t.Errorf("at %v, heading %v", a.Pose.Position, a.heading())
	}
}

func TestO_7_HeightIsNotUsed(t *testing.T) {
	var want []space.Position
	for _, height := range []float32{0, 1.8, -3, 1e30} {
		c := newCrowd(t, 16)
		a, b := c.add(at(0)), c.add(at(10))
		b.walk(3)
		c.begin(1)
		a.StickTo(b.guid(), .5, height)
		var got []space.Position
		for range 30 {
			c.step()
			got = append(got, a.Pose.Position)
		}
		if want == nil {
			want = got
		}
		if !slices.Equal(got, want) {
			t.Errorf("height %v: %v", height, got)
		}
	}
}

// The target leaves at 5 m/s: followed for the second that a stick lasts, then not.
func TestF40_FollowsForASecond(t *testing.T) {
	c := newCrowd(t, 16)
	a, b := c.add(at(0)), c.add(at(1.3))
	b.walk(5)
	c.begin(1)
	a.StickTo(b.guid(), .5, 0)
	c.run(1)
	for k := uint64(2); k <= 18; k++ { // the deadline is tick 17; what finds it past ends tick 18
		was := a.y()
		c.run(k)
		if !near(a.y()-was, 5./16) {
			t.Errorf("tick %d: moved %v", k, a.y()-was)
		}
		if a.Stuck() != (k < 18) {
			t.Errorf("tick %d: stuck %v", k, a.Stuck())
		}
	}
	if got := a.sticks; !slices.Equal(got, []string{"to 2", "from 2"}) {
		t.Errorf("told %v", got)
	}
	was := a.y()
	c.run(80)
	if a.y() != was {
		t.Errorf("follows on, %v m", a.y()-was)
	}
}

// Steps are 1 m. Where they overlap deeper than a step, the body goes in.
func TestF41_StepByGap(t *testing.T) {
	for _, x := range []struct{ gap, distance, radii, want float32 }{
		{2, 2.3, 0, 1},
		{1, 1.3, 0, 1},
		{.5, .8, 0, .5},
		{0, .3, 0, 0},
		{-.5, .3, .5, -.5},
		{-1, .3, 1, -1},
		{-2, .3, 2, 1},
	} {
		if got := stickyStep(x.gap, 1); got != x.want {
			t.Errorf("gap %v: step %v, want %v", x.gap, got, x.want)
		}
		a, b := stuck(t, 0, 0, at(x.distance), x.radii)
		if gap := a.stickyGap(x.radii, &b.Pose.Position); !near(gap, x.gap) {
			t.Fatalf("gap %v, want %v", gap, x.gap)
		}
		off := space.Identity
		AdjustSticky(a.Mover, &off, .2, 1)
		if !nearVec(off.Origin, space.Vec3{0, x.want, 0}) || !near(space.Heading(off.Rotation), 0) {
			t.Errorf("gap %v: moves %v, want %v", x.gap, off.Origin, x.want)
		}
	}
}

// Who arrives nearer than the radii allow backs away without turning round, and
// on the very spot of his target keeps the way he faces.
func TestF42_ArrivesAndKeepsHisHeading(t *testing.T) {
	for _, d := range []float32{0, 1e-5, .2, 1, 1.2} {
		c := newCrowd(t, 30)
		a, b := c.add(facing(at(50), 200)), c.add(at(50+d))
		want := float32(0)
		if d < space.Eps {
			want = 200
		}
		c.begin(1)
		a.maxSpeed = 12 // 2 m a tick
		a.StickTo(b.guid(), .5, 0)
		for k := uint64(1); k <= 25; k++ {
			c.run(k)
			if h := a.heading(); math.Abs(math.Remainder(float64(h-want), 360)) > .02 {
				t.Errorf("%v m: tick %d faces %v, want %v", d, k, h, want)
			}
		}
		if gap := b.y() - a.y(); d >= space.Eps && !near(gap, 1.3) {
			t.Errorf("%v m: ends %v m away", d, gap)
		}
	}
}

// Numbers at the edge of what there is do no harm.
func TestSpec13_2_BeyondAllNumbers(t *testing.T) {
	far := raised(at(0), 0)
	far.Frame.Origin = space.Vec3{math.MaxFloat32, -math.MaxFloat32, math.MaxFloat32}
	for _, maxSpeed := range []float32{0, 4, math.MaxFloat32, float32(math.NaN()), -1} {
		a, b := stuck(t, 10, .5, far, .5)
		a.Pose.Frame.Origin[2] = -math.MaxFloat32
		off := space.Identity
		AdjustSticky(a.Mover, &off, .2, maxSpeed)
		if !off.Valid() {
			t.Errorf("speed %v: %v", maxSpeed, off)
		}
		b.Pose.Position = at(3)
		a.Pose.Position = at(0)
		if AdjustSticky(a.Mover, &off, .2, maxSpeed); !off.Valid() {
			t.Errorf("speed %v, near: %v", maxSpeed, off)
		}
	}
}
