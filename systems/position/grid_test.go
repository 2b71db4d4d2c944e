package position

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

func TestSpec13_5_DueForVoyeurs(t *testing.T) {
	w := newWorld(t)
	if DueForVoyeurs(w.Row, w.Pools, 100) {
		t.Error("due without a target manager")
	}
	makeTargetManager(w.Row, w.Pools)
	for now, want := range map[float64]bool{.4999: false, .5: true, 100: true} {
		if DueForVoyeurs(w.Row, w.Pools, now) != want {
			t.Errorf("at %v: want %v", now, want)
		}
	}
	w.Errand.Targets.Get(&w.Pools.TargetManagers).LastRun = 3
	if DueForVoyeurs(w.Row, w.Pools, 3.25) || !DueForVoyeurs(w.Row, w.Pools, 3.5) {
		t.Error("the half second counts from the last run")
	}
	makeTargetManager(w.Row, w.Pools)
	if w.Errand.Targets.Get(&w.Pools.TargetManagers).LastRun != 3 {
		t.Error("a manager that is there begins anew")
	}
}

// Skipping ticks leaves the grid as running them would, to the last bit.
func TestPropertyAdvanceGrid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hz := rapid.OneOf(
			rapid.SampledFrom([]float64{.5, 1, 2, 3, 7, 11, 16, 17, 19, 20, 23, 29.97, 30, 31, 60, 1000}),
			rapid.Float64Range(.5, 1000)).Draw(t, "hz")
		from := rapid.Uint64Range(0, 1<<33).Draw(t, "from")
		last := 0.0
		if from > 0 && rapid.Bool().Draw(t, "ran") {
			last = Clock(from-min(from, rapid.Uint64Range(0, uint64(hz)+1).Draw(t, "ago")), hz)
		}
		to := from + rapid.Uint64Range(0, 3000).Draw(t, "ticks")
		want := last
		for k := from + 1; k <= to; k++ {
			if now := Clock(k, hz); !(now-want < .5) {
				want = now
			}
		}
		if got := AdvanceGrid(last, from, to, hz); got != want {
			t.Fatalf("%v, want %v", got, want)
		}
		half := from + (to-from)/2
		if got := AdvanceGrid(AdvanceGrid(last, from, half, hz), half, to, hz); got != want {
			t.Fatalf("in two goes %v, want %v", got, want)
		}
	})
}

func TestAdvanceGridToThePast(t *testing.T) {
	if got := AdvanceGrid(5, 100, 100, 16) + AdvanceGrid(5, 100, 7, 16) + AdvanceGrid(1e300, 3, 900, 16); got != 10+1e300 {
		t.Errorf("%v", got)
	}
}

// Who may rest: nothing is due of a target, and nobody who watches would be told anything.
func TestQuietTargets(t *testing.T) {
	for name, x := range map[string]struct {
		do   func(a, b *figure)
		want bool
	}{
		"nothing":         {func(a, b *figure) {}, true},
		"had a target":    {func(a, b *figure) { a.SetTarget(0, b.guid(), 1, 1); a.ClearTarget() }, true},
		"had a stick":     {func(a, b *figure) { a.StickTo(b.guid(), 1, 1); a.Unstick() }, true},
		"watched":         {func(a, b *figure) { b.SetTarget(0, a.guid(), .5, 100) }, true},
		"target":          {func(a, b *figure) { a.SetTarget(0, b.guid(), 1, 1) }, false},
		"unknown target":  {func(a, b *figure) { a.SetTarget(0, 0x77, 1, 1) }, false},
		"stick":           {func(a, b *figure) { a.StickTo(b.guid(), 1, 1) }, false},
		"stick alone":     {func(a, b *figure) { a.StickTo(b.guid(), 1, 1); a.ClearTarget() }, false},
		"watched, gone":   {func(a, b *figure) { b.SetTarget(0, a.guid(), .5, 1); a.Pose.Position = at(.6); a.stay() }, false},
		"watched, near":   {func(a, b *figure) { b.SetTarget(0, a.guid(), .5, 1); a.Pose.Position = at(.5); a.stay() }, true},
		"stood elsewhere": {func(a, b *figure) { b.SetTarget(0, a.guid(), .5, 1); a.Pose.Position = at(.1) }, false},
		"stood in motion": {func(a, b *figure) {
			b.SetTarget(0, a.guid(), .5, 1)
			a.manager().Achieved[1] = 1
		}, false},
		"in motion": {func(a, b *figure) { b.SetTarget(0, a.guid(), .5, 1); a.Body.Achieved[1] = 1 }, false},
	} {
		c := newCrowd(t, 16)
		a, b := c.add(at(0)), c.add(at(10))
		c.begin(1)
		x.do(a, b)
		if got := QuietTargets(a.Row, a.Pools); got != x.want {
			t.Errorf("%s: quiet %v", name, got)
		}
	}
}

// stay makes where the figure is the place where it stood.
func (f *figure) stay() {
	s := f.manager()
	Stand(f.Row, f.Pools)
	s.Committed = f.Pose.Position
}

// crowdRun has a crowd do anything; each step leaves the invariants whole (crowd.check).
func crowdRun(t *rapid.T, after func(c *crowd)) {
	hz := rapid.SampledFrom([]float64{1, 3, 7, 16, 23, 30}).Draw(t, "hz")
	c := newCrowd(t, hz)
	c.prompt = rapid.Bool().Draw(t, "prompt")
	for i := range rapid.IntRange(2, 6).Draw(t, "figures") {
		f := c.add(drawPosition(t, 20, fmt.Sprint("place ", i)))
		f.Pose.Normalize()
		f.maxSpeed = rapid.SampledFrom([]float32{0, 1, 4, 1e20}).Draw(t, "speed")
	}
	c.begin(1)
	anybody := func(t *rapid.T) uint32 {
		return 0x50000000 + uint32(rapid.IntRange(0, len(c.all)+1).Draw(t, "id")) // the first and the last are nobody
	}
	one := func(t *rapid.T) *figure {
		f := c.all[rapid.IntRange(0, len(c.all)-1).Draw(t, "who")]
		if f.gone {
			t.Skip("not there")
		}
		return f
	}
	nobody := func(id uint32) uint32 {
		if id == 0x50000000 {
			return 0
		}
		return id
	}
	t.Repeat(map[string]func(*rapid.T){
		"stick": func(t *rapid.T) {
			one(t).StickTo(nobody(anybody(t)), rapid.Float32Range(0, 3).Draw(t, "radius"), 1)
		},
		"move to": func(t *rapid.T) { one(t).moveTo(anybody(t)) },
		"target": func(t *rapid.T) {
			one(t).SetTarget(rapid.Uint32Range(0, 1).Draw(t, "context"), nobody(anybody(t)), rapid.Float32Range(0, 5).Draw(t, "radius"), rapid.Float32Range(0, 5).Draw(t, "quantum"))
		},
		"quantum": func(t *rapid.T) { one(t).SetTargetQuantum(rapid.Float32Range(0, 1e20).Draw(t, "quantum")) },
		"clear":   func(t *rapid.T) { one(t).ClearTarget() },
		"unstick": func(t *rapid.T) { one(t).Unstick() },
		"cancel":  func(t *rapid.T) { one(t).CancelMoveTo(1) },
		"event": func(t *rapid.T) {
			one(t).PositionEvent(new(drawPosition(t, 90, "to")), true, rapid.IntRange(0, 3).Draw(t, "teleport") == 0)
		},
		"lost": func(t *rapid.T) { one(t).PositionEvent(&space.Position{Frame: space.Identity}, true, true) },
		"walk": func(t *rapid.T) { one(t).walk(rapid.Float32Range(-2, 8).Draw(t, "pace")) },
		"velocity": func(t *rapid.T) {
			f := one(t)
			f.GroundEvent(false, false)
			SetVelocity(f.Body, drawVec(t, 90, "v"))
		},
		"ground": func(t *rapid.T) { one(t).GroundEvent(true, true) },
		"hidden": func(t *rapid.T) { f := one(t); SetState(f.Body, f.Body.State^components.Hidden) },
		"frozen": func(t *rapid.T) {
			f := one(t)
			SetState(f.Body, f.Body.State^components.Frozen)
			SetActive(f.Body, true)
		},
		"leave": func(t *rapid.T) { one(t).leave() },
		"enter": func(t *rapid.T) {
			if f := c.all[rapid.IntRange(0, len(c.all)-1).Draw(t, "who")]; f.gone {
				f.gone = false
			}
		},
		"ticks": func(t *rapid.T) {
			for range rapid.IntRange(1, 40).Draw(t, "n") {
				after(c)
			}
			c.begin(c.tick + 1)
		},
		"": func(t *rapid.T) {
			c.check()
			for _, f := range c.all {
				f.news, f.calls = nil, nil
			}
		},
	})
}

func TestPropertyCrowd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { crowdRun(t, (*crowd).step) })
}

// Who is quiet gets through a tick with nothing changed but the grid, and sends nothing.
func TestPropertyQuietTargetsAreQuiet(t *testing.T) {
	quiets := 0
	rapid.Check(t, func(t *rapid.T) {
		crowdRun(t, func(c *crowd) {
			was := make([]components.Values, len(c.all))
			ran := make([]float64, len(c.all))
			quiet := make([]bool, len(c.all))
			for i, f := range c.all {
				updated := !f.gone && f.Pose.Cell != 0 && f.Body.State&components.Frozen == 0 && f.Body.Transient&components.Active != 0
				quiet[i] = updated && f.root == space.Identity && Quiet(f.Body, f.Chase) && QuietTargets(f.Row, f.Pools)
				was[i] = components.Values{Pose: *f.Pose, Body: *f.Body, Rest: *f.Rest}
				if m := f.manager(); m != nil {
					ran[i] = m.LastRun
				}
			}
			tick := c.tick
			if !c.events {
				tick++
			}
			c.prompt = false // so that only deliveries come between
			voyeurs := make([][]components.Voyeur, len(c.all))
			for i, f := range c.all {
				voyeurs[i] = append([]components.Voyeur(nil), f.voyeurs()...)
			}
			c.step()
			for i, f := range c.all {
				if !quiet[i] {
					continue
				}
				quiets++
				if was[i].Rest.Busy&components.Targeting != 0 {
					if want := AdvanceGrid(ran[i], tick-1, tick, c.hz); f.manager().LastRun != want {
						c.t.Fatalf("%#x: last run %v, want %v", f.guid(), f.manager().LastRun, want)
					}
				}
				if *f.Pose != was[i].Pose || *f.Body != was[i].Body {
					c.t.Fatalf("%#x moved", f.guid())
				}
				for _, v := range f.voyeurs() { // who watches may have changed, not what was sent
					for _, o := range voyeurs[i] {
						if v.ID == o.ID && v.LastSent != o.LastSent {
							c.t.Fatalf("%#x sent to %#x", f.guid(), v.ID)
						}
					}
				}
			}
		})
	})
	if quiets == 0 {
		t.Error("nobody was ever quiet")
	}
}

func TestTargetsAllocateNothingInSteadyState(t *testing.T) {
	c := newCrowd(t, 16)
	var all []*mute
	for i := range 20 {
		m := &mute{figure: c.add(at(float32(i)))}
		m.Host = m
		all = append(all, m)
	}
	each := func() {
		c.tick += 8
		target := all[0]
		for _, m := range all[1:] {
			m.StickTo(target.guid(), .5, 1)
			AddVoyeur(target.Row, target.Pools, m.guid(), .5, .5, &m.Pose.Position)
			off := space.Identity
			AdjustSticky(m.Mover, &off, .1, 4)
			m.TargetTime()
			m.StickyTime()
		}
		Stand(target.Row, target.Pools)
		target.TargetTime()
		CheckVoyeurs(target.Row, target.Pools, target.Now(), target.Tell)
		target.TeleportHook()
		target.ExitWorld()
		for _, m := range all[1:] {
			m.Unstick()
			RemoveVoyeur(target.Row, target.Pools, m.guid())
		}
	}
	each()
	if n := testing.AllocsPerRun(50, each); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// mute is a host that keeps no record.
type mute struct{ *figure }

func (m *mute) StickBegan(uint32) {}
func (m *mute) StickEnded(uint32) {}

func (m *mute) Subscribe(uint32, float32, float32) {
	info := components.Target{ID: m.target().ID, Status: statusOK}
	m.ReceiveUpdate(&info)
}
func (m *mute) Unsubscribe(uint32)             {}
func (m *mute) CancelMoveTo(uint32)            {}
func (m *mute) HandleTarget(components.Target) {}
func (m *mute) Tell(to uint32, info components.Target) {
	if o := m.c.find(to); o != nil {
		o.ReceiveUpdate(&info)
	}
}

func TestCheckFindsBrokenErrands(t *testing.T) {
	inf := space.Vec3{0, 1e38, 0}
	inf[1] *= 10
	for name, spoil := range map[string]func(a, b *figure){
		"not stuck":        func(a, b *figure) { a.Rest.Busy &^= components.Stuck },
		"stuck to nobody":  func(a, b *figure) { a.stickyBox().TargetID = 0 },
		"no sticky":        func(a, b *figure) { b.Rest.Busy |= components.Stuck },
		"initialized":      func(a, b *figure) { a.Unstick(); a.stickyBox().Initialized = true },
		"sticky radius":    func(a, b *figure) { a.stickyBox().Radius = inf[1] },
		"deadline":         func(a, b *figure) { a.stickyBox().Deadline = -1 },
		"sticky place":     func(a, b *figure) { a.stickyBox().Place.Frame.Origin = inf },
		"not targeting":    func(a, b *figure) { b.Rest.Busy &^= components.Targeting },
		"no manager":       func(a, b *figure) { b.Errand.Targets.Free(&b.Pools.TargetManagers) },
		"last run":         func(a, b *figure) { a.manager().LastRun = float64(inf[1]) },
		"stood":            func(a, b *figure) { b.manager().Achieved = inf },
		"committed":        func(a, b *figure) { b.manager().Committed.Frame.Origin = inf },
		"status":           func(a, b *figure) { a.target().Status = 7 },
		"target of nobody": func(a, b *figure) { a.target().ID = 0 },
		"heading":          func(a, b *figure) { a.target().Heading = inf },
		"quantum":          func(a, b *figure) { a.target().Quantum = inf[1] },
		"interpolated":     func(a, b *figure) { a.target().Interpolated.Frame.Origin = inf },
		"nobody watches":   func(a, b *figure) { b.voyeurs()[0].ID = 0 },
		"watches twice":    func(a, b *figure) { b.manager().Voyeurs.Push(&b.Pools.Voyeurs, b.voyeurs()[0]) },
		"last sent":        func(a, b *figure) { b.voyeurs()[0].LastSent.Frame.Origin = inf },
		"voyeur radius":    func(a, b *figure) { b.voyeurs()[0].Radius = inf[1] },
	} {
		c := newCrowd(t, 16)
		a, b := c.add(at(0)), c.add(at(10))
		c.begin(1)
		a.StickTo(b.guid(), .5, 1)
		c.check()
		spoil(a, b)
		if Check(*a.Row, a.Pools, 0) == nil && Check(*b.Row, b.Pools, 0) == nil {
			t.Errorf("%s: not found", name)
		}
	}
}
