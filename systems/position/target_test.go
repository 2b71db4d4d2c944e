package position

import (
	"math"
	"slices"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

func TestSpec13_5_SetTarget(t *testing.T) {
	c := newCrowd(t, 16)
	a, b := c.add(at(0)), c.add(at(10))
	a.Body.Transient &^= components.Active
	c.begin(8)
	a.SetTarget(0, 0x77, .5, .25) // nobody that is known
	want := components.Target{ID: 0x77, Radius: .5, Quantum: .25, LastUpdate: .5}
	if *a.target() != want || a.TargetQuantum() != .25 || len(a.heard()) != 0 {
		t.Errorf("target %+v, want %+v", *a.target(), want)
	}
	a.took()
	a.SetTarget(0, b.guid(), 1, 2)
	if got := a.took(); !slices.Equal(got, []string{"unsubscribe", "subscribe 1 2"}) {
		t.Errorf("asked %v", got)
	}
	want = components.Target{ID: b.guid(), Radius: 1, Quantum: 2, LastUpdate: .5, Status: statusOK,
		Place: at(10), Interpolated: at(10), Heading: space.Vec3{0, 1, 0}}
	if *a.target() != want || !slices.Equal(a.news, []components.Target{want}) {
		t.Errorf("target %+v, heard %+v, want %+v", *a.target(), a.news, want)
	}
	if v := b.voyeurs(); len(v) != 1 || v[0] != (components.Voyeur{ID: a.guid(), Radius: 1, Quantum: 2, LastSent: at(10)}) {
		t.Errorf("voyeurs %+v", v)
	}
	a.news = nil
	a.SetTarget(0, 0, 1, 2)
	if a.target() != nil || a.TargetQuantum() != 0 || len(b.voyeurs()) != 0 {
		t.Errorf("target %+v, voyeurs %v", a.target(), b.voyeurs())
	}
	if !slices.Equal(a.news, []components.Target{{Status: timedOut}}) {
		t.Errorf("heard %+v", a.news)
	}
	a.SetTarget(7, 0, 1, 2) // somebody else's
	if len(a.news) != 1 {
		t.Errorf("heard %+v", a.news)
	}
	if a.Body.Transient&components.Active != 0 {
		t.Error("SetTarget activates")
	}
}

func TestSpec13_5_ClearTarget(t *testing.T) {
	c := newCrowd(t, 16)
	a, b := c.add(at(0)), c.add(at(10))
	c.begin(1)
	a.ClearTarget()
	a.SetTarget(0, b.guid(), 1, 2)
	a.took()
	a.ClearTarget()
	a.ClearTarget()
	if got := a.took(); !slices.Equal(got, []string{"unsubscribe"}) || a.target() != nil || len(b.voyeurs()) != 0 {
		t.Errorf("asked %v, target %v, voyeurs %v", got, a.target(), b.voyeurs())
	}
	if a.Rest.Busy&components.Targeting == 0 {
		t.Error("a target manager goes")
	}
}

// The quantum changes for both, without an update; who came into the world since answers.
func TestSpec13_5_SetTargetQuantum(t *testing.T) {
	c := newCrowd(t, 16)
	a, b := c.add(at(0)), c.add(at(10))
	c.begin(1)
	a.SetTargetQuantum(3)
	if a.TargetQuantum() != 0 || len(a.took()) != 0 {
		t.Error("a quantum without a target")
	}
	a.SetTarget(0, b.guid(), 1, 2)
	a.heard()
	b.Pose.Position = at(30)
	a.SetTargetQuantum(3)
	if v := b.voyeurs(); a.TargetQuantum() != 3 || v[0].Quantum != 3 || v[0].Radius != 1 || v[0].LastSent != at(10) || len(a.heard()) != 0 {
		t.Errorf("target %+v, voyeurs %+v", *a.target(), v)
	}
	a.SetTargetQuantum(float32(math.Inf(1)))
	if a.TargetQuantum() != 3 {
		t.Errorf("quantum %v", a.TargetQuantum())
	}
	b.gone = true
	a.SetTarget(0, b.guid(), 1, 2)
	b.gone = false
	RemoveVoyeur(b.Row, b.Pools, a.guid())
	if a.SetTargetQuantum(4); !slices.Equal(a.heard(), []components.TargetStatus{statusOK}) || a.target().Quantum != 4 {
		t.Errorf("target %+v", *a.target())
	}
}

func TestSpec13_5_AddVoyeur(t *testing.T) {
	c := newCrowd(t, 16)
	b := c.add(at(10))
	here, there := at(10), at(20)
	for _, id := range []uint32{9, 3, 5} { // kept in order of subscription
		if !AddVoyeur(b.Row, b.Pools, id, 1, 2, &here) {
			t.Errorf("%d is known", id)
		}
	}
	if AddVoyeur(b.Row, b.Pools, 3, 4, 5, &there) {
		t.Error("3 is new")
	}
	if got := FindVoyeur(b.Row, b.Pools, 3); *got != (components.Voyeur{ID: 3, Radius: 4, Quantum: 5, LastSent: here}) {
		t.Errorf("voyeur %+v", *got)
	}
	var ids []uint32
	for _, v := range b.voyeurs() {
		ids = append(ids, v.ID)
	}
	if !slices.Equal(ids, []uint32{9, 3, 5}) {
		t.Errorf("voyeurs %v", ids)
	}
	RemoveVoyeur(b.Row, b.Pools, 7)
	RemoveVoyeur(b.Row, b.Pools, 9)
	if FindVoyeur(b.Row, b.Pools, 9) != nil || len(b.voyeurs()) != 2 {
		t.Errorf("voyeurs %v", b.voyeurs())
	}
}

func TestSpec13_5_Info(t *testing.T) {
	v := components.Voyeur{ID: 9, Radius: 1, Quantum: 2}
	from, place := Other{at(10), space.Vec3{1, 2, 3}}, at(14)
	want := components.Target{ID: 0x50000001, Radius: 1, Quantum: 2, Status: components.TargetTeleported,
		Place: at(10), Interpolated: at(14), Velocity: space.Vec3{1, 2, 3}}
	if got := Info(0x50000001, &v, &from, &place, components.TargetTeleported); got != want || v.LastSent != at(14) {
		t.Errorf("%+v, want %+v; sent %v", got, want, v.LastSent)
	}
}

func TestSpec13_5_ReceiveUpdate(t *testing.T) {
	c := newCrowd(t, 16)
	a := c.add(atXY(0, 2))
	c.begin(1)
	a.ReceiveUpdate(&components.Target{ID: 0x77, Status: statusOK}) // no target
	a.SetTarget(5, 0x77, .5, .25)
	set := *a.target()
	a.ReceiveUpdate(&components.Target{ID: 0x78, Status: statusOK, Radius: 9}) // somebody else
	if *a.target() != set || len(a.news) != 0 {
		t.Errorf("target %+v, heard %v", *a.target(), a.news)
	}
	c.begin(9)
	info := components.Target{ID: 0x77, Context: 8, Radius: 9, Quantum: 8, Status: statusOK, LastUpdate: 99,
		Place: at(1), Interpolated: atXY(4, 5), Velocity: space.Vec3{1, 2, 3}, Heading: space.Vec3{1, 0, 0}}
	a.ReceiveUpdate(&info)
	want := info
	want.Context, want.LastUpdate, want.Heading = 5, 9./16, space.Vec3{.8, .6, 0}
	if got := *a.target(); got != want {
		t.Errorf("target %+v, want %+v", got, want)
	}
	if len(a.news) != 0 { // the context is somebody else's
		t.Errorf("heard %v", a.news)
	}
	info.Interpolated = a.Pose.Position
	a.ReceiveUpdate(&info)
	if h := a.target().Heading; h != (space.Vec3{0, 0, 1}) {
		t.Errorf("on the spot, heading %v", h)
	}
	info.Interpolated.Frame.Origin = space.Vec3{math.MaxFloat32, math.MaxFloat32, math.MaxFloat32}
	a.Pose.Frame.Origin[2] = -math.MaxFloat32
	a.ReceiveUpdate(&info)
	if h := a.target().Heading; h != (space.Vec3{0, 0, 1}) {
		t.Errorf("beyond all numbers, heading %v", h)
	}
}

// Whatever its status an update is passed on; ExitWorld then ends the target.
func TestSpec13_5_ReceiveUpdateByStatus(t *testing.T) {
	for status := components.TargetUndefined; status <= timedOut; status++ {
		c := newCrowd(t, 16)
		a, b := c.add(at(0)), c.add(at(10))
		c.begin(1)
		a.SetTarget(0, b.guid(), .5, .5)
		a.news = nil
		a.ReceiveUpdate(&components.Target{ID: b.guid(), Status: status})
		if got := a.heard(); !slices.Equal(got, []components.TargetStatus{status}) {
			t.Errorf("status %d: heard %v", status, got)
		}
		if kept := a.target() != nil; kept != (status != exitWorld) || kept != (len(b.voyeurs()) == 1) {
			t.Errorf("status %d: target %+v, voyeurs %v", status, a.target(), b.voyeurs())
		}
	}
}

// The move-to hears first (R6.20), so a stick that it begins hears the same news.
func TestR6_20_MoveToHearsBeforeSticky(t *testing.T) {
	c := newCrowd(t, 16)
	a, b := c.add(at(0)), c.add(at(10))
	c.begin(1)
	a.moveTo(b.guid())
	h := &arriver{figure: a, to: b.guid()}
	a.Host = h
	info := Answer(b.guid(), .5, 0, &Other{Place: at(9)})
	a.ReceiveUpdate(&info)
	// the stick's own answer, at 10, came within the news of 9
	if s := a.stickyBox(); !s.Initialized || s.Place != at(9) || len(b.voyeurs()) != 1 {
		t.Errorf("sticky %+v, voyeurs %v", *s, b.voyeurs())
	}
}

// arriver sticks as soon as it hears anything.
type arriver struct {
	*figure
	to uint32
}

func (h *arriver) HandleTarget(components.Target) {
	if h.movingTo != 0 {
		h.movingTo = 0
		h.ClearTarget()
		h.StickTo(h.to, .5, 0)
	}
}

// A stands, so B hears once; A walks 3 m/s, so B hears every half second.
func TestSpec13_5_ExampleStandAndWalk(t *testing.T) {
	c := newCrowd(t, 16)
	a, b := c.add(at(0)), c.add(at(10))
	c.begin(9)
	a.SetTarget(0, b.guid(), .5, .5)
	c.run(33)
	if got := a.heard(); !slices.Equal(got, []components.TargetStatus{statusOK}) {
		t.Errorf("standing: heard %v", got)
	}
	b.walk(3)
	c.run(34)
	ticks := []uint64{}
	for k := uint64(35); k <= 70; k++ {
		c.run(k)
		if len(a.news) > 0 {
			ticks = append(ticks, k)
			n := a.news[0]
			if !near(n.Interpolated.Frame.Origin[1]-n.Place.Frame.Origin[1], 1.5) || n.Place != b.Pose.Position || !near(n.Velocity[1], 3) {
				t.Errorf("tick %d: %+v", k, n)
			}
			a.news = nil
		}
	}
	if want := []uint64{41, 49, 57, 65}; !slices.Equal(ticks, want) {
		t.Errorf("heard in ticks %v, want %v", ticks, want)
	}
}

// Who is not there never answers: after more than 10 s, at the next look, a move-to
// fails and a stick ends. It is said once.
func TestSpec13_5_ExampleTimesOut(t *testing.T) {
	c := newCrowd(t, 16)
	a, b := c.add(at(0)), c.add(at(5))
	c.begin(8)
	a.moveTo(0x77)
	b.SetTarget(0, 0x77, 1, 1)
	a.took()
	c.run(175) // the look at 168 finds 10 s, and not more
	if len(a.heard()) != 0 || a.movingTo == 0 {
		t.Error("times out early")
	}
	c.run(176)
	if got := a.heard(); !slices.Equal(got, []components.TargetStatus{timedOut}) || a.movingTo != 0 || a.target() != nil {
		t.Errorf("heard %v", got)
	}
	if got := a.took(); !slices.Equal(got, []string{"cancel 0x38", "unsubscribe"}) {
		t.Errorf("asked %v", got)
	}
	c.run(300)
	if got := b.heard(); !slices.Equal(got, []components.TargetStatus{timedOut}) || b.target().Status != timedOut {
		t.Errorf("heard %v", got)
	}
	// a stick lasts a second, so its target cannot time out before; if it did:
	c.begin(320)
	a.StickTo(0x77, 1, 1)
	a.stickyBox().Deadline = 1e6
	c.run(500)
	if a.Stuck() || !slices.Equal(a.heard(), []components.TargetStatus{timedOut}) {
		t.Error("sticks to who is not there")
	}
}

func TestSpec13_5_ExampleLeavesTheWorld(t *testing.T) {
	c := newCrowd(t, 16)
	a, b, d := c.add(at(0)), c.add(at(10)), c.add(at(20))
	c.begin(1)
	b.StickTo(d.guid(), 1, 1)
	a.StickTo(b.guid(), .5, 0)
	a.took()
	b.took()
	c.run(3)
	b.leave()
	if got := a.heard(); !slices.Equal(got, []components.TargetStatus{statusOK, exitWorld}) {
		t.Errorf("heard %v", got)
	}
	if a.Stuck() || a.target() != nil || !slices.Equal(a.took(), []string{"unsubscribe", "cancel 0x36"}) {
		t.Errorf("sticky %+v", *a.stickyBox())
	}
	if b.Stuck() || b.target() != nil || len(d.voyeurs()) != 0 || !slices.Equal(b.took(), []string{"unsubscribe", "cancel 0x36"}) {
		t.Errorf("its own: %+v", *b.stickyBox())
	}
	c.run(40)
}

// A teleport lets go, and tells those who watch where the body was before it.
func TestSpec11_9_TeleportHook(t *testing.T) {
	c := newCrowd(t, 16)
	a, b, d := c.add(at(0)), c.add(at(10)), c.add(at(20))
	c.begin(1)
	b.StickTo(d.guid(), 1, 1)
	a.StickTo(b.guid(), .5, 0)
	d.SetTarget(0, b.guid(), .5, 0)
	b.InterpolateTo(new(at(12)), false)
	b.ConstrainTo(at(10), 1, 2)
	b.took()
	d.news = nil
	b.PositionEvent(new(at(150)), true, true)
	if got := b.took(); !slices.Equal(got, []string{"cancel 0x3c", "unsubscribe", "cancel 0x36"}) {
		t.Errorf("asked %v", got)
	}
	if b.Stuck() || b.target() != nil || b.Chase.Queue.Len != 0 || len(d.voyeurs()) != 0 {
		t.Errorf("sticky %+v, queue %d, voyeurs %v", *b.stickyBox(), b.Chase.Queue.Len, d.voyeurs())
	}
	if a.Stuck() || len(d.news) != 1 || d.news[0].Status != components.TargetTeleported || d.news[0].Place != at(10) {
		t.Errorf("told %+v", d.news)
	}
	if b.Pose.Position != at(150) || d.target() == nil || len(b.voyeurs()) != 1 {
		t.Errorf("at %v, voyeurs %v", b.Pose.Position, b.voyeurs())
	}
	d.PositionEvent(new(at(40)), true, true) // a target without a stick goes, too
	if d.target() != nil || len(b.voyeurs()) != 0 {
		t.Errorf("target %+v", d.target())
	}
	d.SetTarget(0, b.guid(), .5, 0)
	b.PositionEvent(new(at(160)), true, true)
	// who waits without a stick hears the new place with the next look
	d.news = nil
	c.run(20)
	if len(d.news) != 1 || d.news[0].Place != b.Pose.Position {
		t.Errorf("told %+v", d.news)
	}
}

// The grid of half seconds begins when there first is a target manager.
func TestSpec13_5_GridAt23(t *testing.T) {
	c := newCrowd(t, 23)
	a, b := c.add(at(0)), c.add(at(10))
	c.run(100)
	if b.Rest.Busy != 0 || b.manager() != nil {
		t.Errorf("target manager %+v of nobody's target", b.manager())
	}
	c.begin(114)
	a.SetTarget(0, b.guid(), .5, .5)
	var ticks []uint64
	for k := uint64(114); k <= 160; k++ {
		was := b.manager().LastRun
		c.run(k)
		if b.manager().LastRun != was {
			ticks = append(ticks, k)
		}
		if b.manager().LastRun != a.manager().LastRun { // with or without voyeurs
			t.Errorf("tick %d: %v and %v", k, a.manager().LastRun, b.manager().LastRun)
		}
	}
	if want := []uint64{114, 126, 138, 150}; !slices.Equal(ticks, want) {
		t.Errorf("looks in ticks %v, want %v", ticks, want)
	}
}

// B sticks to nobody known; A, moving to B, hears of it on B's grid all the same.
func TestD_48_VoyeursAreServedWhateverTheTarget(t *testing.T) {
	c := newCrowd(t, 16)
	a, b := c.add(at(0)), c.add(at(10))
	b.walk(4)
	c.begin(5)
	b.StickTo(0x77, .5, 0)
	a.moveTo(b.guid())
	var ticks []uint64
	for k := uint64(5); k <= 40; k++ {
		a.news = nil
		c.run(k)
		if len(a.news) > 0 {
			ticks = append(ticks, k)
		}
	}
	// the grid begins at 0.5 s, a new manager's last run being 0
	if want := []uint64{8, 16, 24, 32, 40}; !slices.Equal(ticks, want) {
		t.Errorf("heard in ticks %v, want %v", ticks, want)
	}
}

// The distance must be more than the radius, and is to where the body is heading.
func TestSpec13_5_CheckVoyeurs(t *testing.T) {
	for _, x := range []struct {
		place, speed, quantum float32
		sent                  bool
	}{
		{10.5, 0, 9, false}, {10.5001, 0, 9, true}, {10, 1, .5, false}, {10, 1.01, .5, true}, {11, -2, .5, false},
	} {
		c := newCrowd(t, 16)
		b := c.add(at(10))
		told := at(10)
		AddVoyeur(b.Row, b.Pools, 9, .5, x.quantum, &told)
		b.manager().Committed = at(x.place)
		b.Pose.Position = at(99) // a blip, of which nobody is told
		b.Body.Achieved = space.Vec3{0, x.speed, 0}
		var got []components.Target
		CheckVoyeurs(b.Row, b.Pools, 1, func(to uint32, info components.Target) { got = append(got, info) })
		if (len(got) == 1) != x.sent || b.manager().LastRun != 1 {
			t.Errorf("%+v: sent %+v", x, got)
		}
		heading := at(x.place)
		heading.Frame.Origin[1] += x.speed * x.quantum
		if x.sent && (got[0].Place != at(x.place) || got[0].Interpolated != heading || b.voyeurs()[0].LastSent != heading) {
			t.Errorf("%+v: sent %+v", x, got)
		}
		CheckVoyeurs(b.Row, b.Pools, 1.49, func(uint32, components.Target) { t.Errorf("%+v: not due", x) })
		if b.manager().LastRun != 1 {
			t.Errorf("last run %v", b.manager().LastRun)
		}
	}
}

// The cell of what is predicted stays (10 §8), and a speed beyond all numbers predicts nothing.
func TestSpec13_5_PredictionKeepsTheCell(t *testing.T) {
	o := Other{at(191), space.Vec3{0, 10, 0}}
	if p := o.ahead(.5); p.Cell != o.Place.Cell || p.Frame.Origin[1] != 196 {
		t.Errorf("%v", p)
	}
	o.Achieved[1] = math.MaxFloat32
	if p := o.ahead(2); p != o.Place {
		t.Errorf("%v", p)
	}
}

// Who is told may let go, come back, let go of others: each of those who watched
// is told once, in order, unless gone by then.
func TestSpec13_5_VoyeursComeAndGoMeanwhile(t *testing.T) {
	for name, x := range map[string]struct {
		on   uint32
		do   func(b *figure)
		want []uint32
	}{
		"nothing":          {0, func(*figure) {}, []uint32{1, 2, 3, 4, 5}},
		"it goes":          {3, func(b *figure) { RemoveVoyeur(b.Row, b.Pools, 3) }, []uint32{1, 2, 3, 4, 5}},
		"one before goes":  {3, func(b *figure) { RemoveVoyeur(b.Row, b.Pools, 1) }, []uint32{1, 2, 3, 4, 5}},
		"one behind goes":  {3, func(b *figure) { RemoveVoyeur(b.Row, b.Pools, 4) }, []uint32{1, 2, 3, 5}},
		"all go":           {2, func(b *figure) { b.manager().Voyeurs.Clear(&b.Pools.Voyeurs) }, []uint32{1, 2}},
		"it comes back":    {3, func(b *figure) { RemoveVoyeur(b.Row, b.Pools, 3); b.watch(3) }, []uint32{1, 2, 3, 4, 5}},
		"one before does":  {4, func(b *figure) { RemoveVoyeur(b.Row, b.Pools, 1); b.watch(1) }, []uint32{1, 2, 3, 4, 5}},
		"one behind does":  {1, func(b *figure) { RemoveVoyeur(b.Row, b.Pools, 2); b.watch(2) }, []uint32{1, 2, 3, 4, 5}},
		"many others come": {1, func(b *figure) { b.watch(10, 11, 12, 13, 14, 15) }, []uint32{1, 2, 3, 4, 5}},
	} {
		b := newCrowd(t, 16).add(at(0))
		b.watch(1, 2, 3, 4, 5)
		var told []uint32
		NotifyVoyeurs(b.Row, b.Pools, statusOK, func(to uint32, info components.Target) {
			told = append(told, to)
			if to == x.on {
				x.do(b)
			}
		})
		if !slices.Equal(told, x.want) {
			t.Errorf("%s: told %v, want %v", name, told, x.want)
		}
	}
	// all go, each when told
	b := newCrowd(t, 16).add(at(0))
	b.watch(1, 2, 3, 4, 5)
	n := 0
	NotifyVoyeurs(b.Row, b.Pools, exitWorld, func(to uint32, _ components.Target) { n++; RemoveVoyeur(b.Row, b.Pools, to) })
	if n != 5 || len(b.voyeurs()) != 0 {
		t.Errorf("told %d, voyeurs %v", n, b.voyeurs())
	}
}

func (f *figure) watch(ids ...uint32) {
	for _, id := range ids {
		AddVoyeur(f.Row, f.Pools, id, .5, .5, &f.Pose.Position)
	}
}

// D-44: nothing here asks for a completion check, nor moves anything, on an update.
func TestD_44_UpdateOnlyTells(t *testing.T) {
	c := newCrowd(t, 16)
	a, b := c.add(at(0)), c.add(at(10))
	c.begin(1)
	a.SetTarget(0, b.guid(), .5, .5)
	a.took()
	body, pose, chase := *a.Body, *a.Pose, *a.Chase
	info := Answer(b.guid(), .5, 0, &Other{Place: at(9)})
	a.ReceiveUpdate(&info)
	if *a.Body != body || *a.Pose != pose || *a.Chase != chase || len(a.took()) != 0 {
		t.Error("an update changes more than the target")
	}
}
