package systems

import (
	"fmt"
	"math"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/wire"
)

// Field cases of position and contact, as a server would cause them: by messages.

// north is how far north of y = 108 in landblock A9B4 a remote stands.
func (r *rig) north(guid uint32) float64 { r.Helper(); return r.world(guid)[1] - 0xB4*192 - 108 }

func TestF20_IdealPathAtOneHertz(t *testing.T) {
	for _, speed := range []float32{1, 1.75, 2.5} {
		r := standing(t, Options{})
		r.move(me, does{forward: run, speed: speed})
		last, ideal := r.north(me), 0.0
		for tick := 1; tick <= 20*30; tick++ {
			ideal = float64(tick) * 4 * float64(speed) / 30
			if tick%30 == 0 {
				r.place(me, spot(108, 108+float32(ideal), 0))
			}
			r.tick(1)
			if y := r.north(me); y < last-1e-4 {
				t.Fatalf("speed %v, tick %d: %v m back", speed, tick, last-y)
			} else {
				last = y
			}
		}
		near(t, "place after 20 s", last, ideal, 0.3*float64(speed))
		same(t, "substate", r.row(me).MotionState.Substate, run)
	}
}

func TestF21_SlidesOnAfterAStop(t *testing.T) {
	r := standing(t, Options{})
	r.move(me, does{forward: run})
	r.seconds(2)
	r.move(me, does{})
	r.tick(1)
	goal := r.north(me) - 0.3
	r.place(me, spot(108, 108+float32(goal), 0))
	last := r.north(me)
	for range 60 {
		r.tick(1)
		y := r.north(me)
		if step := last - y; step > 8.0/30+1e-4 {
			t.Fatalf("%v m back in one tick", step)
		}
		last = y
	}
	near(t, "where it rests", last, goal, 0.8) // the link to Ready slides on behind the node: that is its animation
	r.place(me, spot(108, 108+float32(goal), 0))
	r.seconds(2)
	near(t, "where it rests after another event", r.north(me), goal, 0.05)
}

func TestF22_FarAfterStandingLong(t *testing.T) {
	for _, c := range []struct {
		far  float32
		blip bool
	}{{99, false}, {101, true}} {
		r := standing(t, Options{})
		r.seconds(30)
		r.place(me, spot(108, 108+c.far, 0))
		r.tick(1)
		got := r.kinds(me)
		if c.blip {
			sameList(t, "events", got, Blipped, CellChanged)
			near(t, "where", r.north(me), 101, 1e-3)
			same(t, "queue", len(r.row(me).queue), 0)
		} else {
			sameList(t, "events", got)
			same(t, "queue", len(r.row(me).queue), 1)
			near(t, "where", r.north(me), 8.0/30, 1e-3)
		}
	}
}

func TestF23_TeleportAndOrdinaryInOneTick(t *testing.T) {
	for _, teleportFirst := range []bool{true, false} {
		r := standing(t, Options{})
		ordinary := func() *wire.PositionEvent { return r.position(me, spot(112, 108, 0)) }
		if teleportFirst {
			late := ordinary() // sent before, with the old teleport stamp
			r.send(r.teleportTo(me, spot(20, 20, 90)))
			r.places[me]++
			late.Pack.Position = r.places[me]
			r.send(late)
			r.tick(1)
			r.wantVerdicts(Applied, Stale)
		} else {
			r.send(ordinary())
			r.send(r.teleportTo(me, spot(20, 20, 90)))
			r.tick(1)
			r.wantVerdicts(Applied, Applied)
		}
		sameList(t, "events", r.kinds(me), Teleported, CellChanged)
		for range 60 {
			same(t, "origin", r.row(me).Pose.Frame.Origin, space.Vec3{20, 20, 0})
			same(t, "queue", len(r.row(me).queue), 0)
			r.tick(1)
		}
	}
}

func TestF24_TeleportDropsTheQueue(t *testing.T) {
	r := standing(t, Options{})
	for i := range 5 {
		r.place(me, spot(108+float32(i+1)*2, 108, 0))
	}
	r.tick(2)
	same(t, "queue before", len(r.row(me).queue), 5)
	r.send(r.teleportTo(me, spot(20, 20, 90)))
	for range 60 {
		r.tick(1)
		c := r.row(me)
		same(t, "queue", len(c.queue), 0)
		same(t, "fail", c.Chase.Fail, 0)
		same(t, "origin", c.Pose.Frame.Origin, space.Vec3{20, 20, 0})
		same(t, "constrained", c.Leash.Constrained, true)
	}
}

func TestF25_TwentyInOneTick(t *testing.T) {
	for _, n := range []int{20, 21} {
		r := standing(t, Options{})
		for i := range n {
			r.place(me, spot(108, 108+float32(i+1), 0))
		}
		r.tick(1)
		c := r.row(me)
		same(t, "queue", len(c.queue), 20)
		near(t, "head", float64(c.queue[0].Place.Frame.Origin[1]), float64(108+1+n-20), 1e-4)
		last := r.north(me)
		for range 30 * 6 {
			r.tick(1)
			y := r.north(me)
			if y < last-1e-5 || y-last > 8.0/30+1e-4 {
				t.Fatalf("%v m in one tick", y-last)
			}
			last = y
		}
		near(t, "where it rests", last, float64(n), 0.05)
		same(t, "queue", len(r.row(me).queue), 0)
	}
}

func TestF26_Arrives(t *testing.T) {
	for _, heading := range []float64{0, 45, 133, 270} {
		for _, far := range []float64{0.06, 0.3, 3, 7.7, 40} {
			r := standing(t, Options{})
			s, c := math.Sincos(heading * math.Pi / 180)
			goal := spot(108+float32(far*s), 108+float32(far*c), 0)
			to := inWorld(&goal)
			r.place(me, goal)
			last := apart(r.world(me), to)
			for tick := 0; ; tick++ {
				if tick > 600 {
					t.Fatalf("%v m: still chasing", far)
				}
				r.tick(1)
				d := apart(r.world(me), to)
				if d > last+1e-4 {
					t.Fatalf("%v m: distance grows from %v to %v", far, last, d)
				}
				last = d
				if len(r.row(me).queue) == 0 {
					break
				}
			}
			if last > 0.05 {
				t.Errorf("%v m towards %v: rests %v m off", far, heading, last)
			}
		}
	}
}

func TestF27_FirstStepAfterLongRest(t *testing.T) {
	r := standing(t, Options{})
	r.seconds(10)
	r.move(me, does{forward: run})
	r.tick(1)
	if y := r.north(me); y > 4.0/30+1e-6 {
		t.Errorf("the first step is %v m", y)
	}
}

func TestF28_OtherTickRates(t *testing.T) {
	for _, hz := range []float64{30, 20, 15, 10, 7} {
		t.Run(fmt.Sprint(hz), func(t *testing.T) {
			r := standing(t, Options{TicksPerSecond: hz})
			r.move(me, does{forward: run, speed: 1.5})
			r.seconds(3)
			r.move(me, does{})
			r.seconds(2)
			// the links to run and to stop move 0.726 m and 0.792 m, the first takes
			// 0.3667/1.5 s, and the rest is run at 6 m/s
			near(t, "run and stop", r.north(me), 0.726+0.792+6*(3-11.0/45), 0.01)

			start := r.world(me)
			goal := spot(111, 108+float32(r.north(me)), 0)
			r.place(me, goal)
			r.seconds(1)
			near(t, "chase", apart(r.world(me), inWorld(&goal)), 0, 0.05)
			near(t, "way of the chase", apart(r.world(me), start), 3, 0.06)
		})
	}
}

func TestF29_TurnOnTheSpot(t *testing.T) {
	r := standing(t, Options{})
	r.place(me, spot(108, 108, 90))
	r.tick(1)
	c := r.row(me)
	near(t, "heading", float64(space.Heading(c.Pose.Frame.Rotation)), 90, 1e-3)
	same(t, "origin", c.Pose.Frame.Origin, space.Vec3{108, 108, 0})
	same(t, "queue", len(c.queue), 0)
}

func TestF30_SpawnNearTheCellOrigin(t *testing.T) {
	for _, x := range []float32{0.5, 3, 7.9} {
		r := newRig(t, Options{})
		r.send(creates(me, 0, x, x))
		r.tick(1)
		same(t, "origin", r.row(me).Pose.Frame.Origin, space.Vec3{x, x, 0})
		r.place(me, spot(x+1, x, 0))
		r.seconds(2)
		near(t, "x", float64(r.row(me).Pose.Frame.Origin[0]), float64(x)+1, 0.05)
		near(t, "y", float64(r.row(me).Pose.Frame.Origin[1]), float64(x), 0.05)
	}
}

func TestF31_BordersInAllDirections(t *testing.T) {
	for i := range 8 {
		heading := float64(i * 45)
		s, c := math.Sincos(heading * math.Pi / 180)
		t.Run(fmt.Sprint(heading), func(t *testing.T) {
			r := newRig(t, Options{})
			start := spot(float32(96+94*s), float32(96+94*c), float32(heading))
			if i%2 != 0 {
				start = spot(float32(96+94*math.Copysign(1, s)), float32(96+94*math.Copysign(1, c)), float32(heading))
			}
			v := human(me, 0, 0)
			v.Place = start
			r.spawn(v)
			r.tick(1)
			r.move(me, does{forward: run})
			from, last := inWorld(&start), r.world(me)
			changes := 0
			for tick := range 240 {
				if tick == 120 { // over the border again, by an event in the old block's coordinates
					goal := start
					goal.Frame.Origin[0] += float32(30 * s)
					goal.Frame.Origin[1] += float32(30 * c)
					r.place(me, goal)
				}
				r.tick(1)
				row := r.row(me)
				o := row.Pose.Frame.Origin
				if o[0] < 0 || o[0] >= 192 || o[1] < 0 || o[1] >= 192 || row.Pose.Cell.Index() == 0 || row.Pose.Cell.Index() > 64 {
					t.Fatalf("tick %d: %v in cell %08X", tick, o, row.Pose.Cell)
				}
				at := r.world(me)
				if d := apart(at, last); d > 8.0/30+1e-3 {
					t.Fatalf("tick %d: %v m at once", tick, d)
				}
				last = at
				for _, e := range r.e.Events() {
					if e.Kind == CellChanged {
						changes++
						if e.From.Cell == e.To.Cell || e.To.Cell != row.Pose.Cell {
							t.Errorf("%+v in cell %08X", e, row.Pose.Cell)
						}
					}
				}
			}
			if changes < 1 {
				t.Errorf("%d changes of cell", changes)
			}
			if row := r.row(me); row.Pose.Cell.SameBlock(start.Cell) {
				t.Errorf("still in block %08X", row.Pose.Cell)
			}
			near(t, "heading", float64(space.Heading(r.row(me).Pose.Frame.Rotation)), heading, 0.02)
			near(t, "way along the heading", (last[0]-from[0])*s+(last[1]-from[1])*c, 36.684, 0.002)
		})
	}
}

func TestF50_PositionEventIsNoFall(t *testing.T) {
	r := standing(t, Options{})
	r.move(me, does{forward: run})
	r.seconds(1)
	for i := range 20 {
		r.place(me, spot(108, 108+float32(r.north(me))+0.3*float32(i%3), 0))
		r.tick(2)
		c := r.row(me)
		const ground = components.Contact | components.OnWalkable
		same(t, "contact", c.Body.Transient&(ground|components.Falling), ground)
		same(t, "substate", c.MotionState.Substate, run)
		same(t, "velocity", c.Body.Velocity, space.Vec3{})
	}
}

// Off an edge, running, and by a jump: the velocity is of the body's own axes
// and turned into the world's once.
func TestF51_LocalJumpIsRotatedOnce(t *testing.T) {
	for _, jump := range []bool{false, true} {
		for _, heading := range []float32{0, 90, 180, 270} {
			r := newRig(t, Options{})
			s := human(me, 0, 0)
			s.Place = spot(108, 108, heading)
			s.Game |= components.CanJump | components.HasJumpHeight
			s.JumpHeight = 36 / 19.6
			r.spawn(s)
			r.tick(1)
			r.move(me, does{forward: run})
			r.seconds(1)
			up := float32(0)
			if jump {
				up = 6
				r.command(Command{Guid: me, Do: DoJump, Extent: 1})
			} else {
				r.command(Command{Guid: me, Do: DoGround})
			}
			at := r.world(me)
			r.tick(1)
			v := r.row(me).Body.Velocity
			sin, cos := space.SinCos(float64(heading) * math.Pi / 180)
			near(t, "x", float64(v[0]), 4*sin, 1e-4)
			near(t, "y", float64(v[1]), 4*cos, 1e-4)
			near(t, "z", float64(v[2]), float64(up)-9.8/30, 1e-4)
			to := r.world(me)
			near(t, "way in x", to[0]-at[0], 4*sin/30, 1e-3)
			near(t, "way in y", to[1]-at[1], 4*cos/30, 1e-3)
		}
	}
}

func TestF52_LandsMoving(t *testing.T) {
	r := standing(t, Options{})
	r.move(me, does{forward: run})
	r.seconds(1)
	r.command(Command{Guid: me, Do: DoGround})
	r.seconds(0.5)
	before := r.row(me).Body.Velocity
	near(t, "falls at", float64(before[2]), -9.8/2, 0.01)
	r.command(Command{Guid: me, Do: DoGround, Contact: true, OnWalkable: true})
	r.tick(1)
	after := r.row(me)
	same(t, "vertical", after.Body.Velocity[2], 0)
	near(t, "horizontal", float64(after.Body.Velocity[1]), float64(before[1])*math.Pow(0.05, 1.0/30), 1e-4)
	same(t, "substate", after.MotionState.Substate, run)
	frame := after.Sequence.Frame
	r.tick(1)
	if r.row(me).Sequence.Frame == frame {
		t.Error("the animation stands still")
	}
	near(t, "horizontal, a tick later", float64(r.row(me).Body.Velocity[1]), float64(before[1])*math.Pow(0.05, 2.0/30), 1e-4)
	r.seconds(3)
	same(t, "at rest", r.row(me).Body.Velocity, space.Vec3{})
}

// A hard placement through the air and back: nothing between is told of.
func TestF54_TeleportTouchesNothingBetween(t *testing.T) {
	r := standing(t, Options{})
	r.send(r.teleportTo(me, spot(-500, 900, 0)))
	r.tick(1)
	sameList(t, "events", r.kinds(me), Teleported, CellChanged)
	e := r.e.Events()[len(r.e.Events())-1]
	same(t, "from", e.From.Cell, spot(108, 108, 0).Cell)
	same(t, "to", e.To.Cell, spot(-500, 900, 0).Cell)
}

// With a viewer, who is 96 m away or more is set hard; before the first update
// everybody counts as far (12 §4).
func TestSpec12_4_FarFromTheViewer(t *testing.T) {
	viewer := spot(108, 108, 0)
	r := newRig(t, Options{Viewer: &viewer})
	r.spawn(human(me, 108, 108))
	r.place(me, spot(109, 108, 0))
	r.tick(1)
	sameList(t, "events of the first tick", r.kinds(me), Entered, Blipped)
	r.place(me, spot(110, 108, 0))
	r.tick(1)
	same(t, "queue, near", len(r.row(me).queue), 1)
	for _, c := range []struct {
		x    float32
		snap bool
	}{{108 + 95.9, false}, {108 + 96, true}, {108 + 120, true}} {
		r := newRig(t, Options{Viewer: &viewer})
		r.spawn(human(me, c.x, 108))
		r.tick(2)
		r.place(me, spot(c.x+5, 108, 0))
		r.tick(1)
		at := spot(c.x+5, 108, 0)
		same(t, fmt.Sprint("set hard at ", c.x), apart(r.world(me), inWorld(&at)) == 0, c.snap)
		same(t, fmt.Sprint("queue at ", c.x), len(r.row(me).queue) == 0, c.snap)
		same(t, "constrained", r.row(me).Leash.Constrained, true)
	}
}

// A body in the air is not moved by positions (12 §4.3, 12 §9 M), but a teleport
// takes it.
func TestSpec12_9M_Airborne(t *testing.T) {
	r := standing(t, Options{})
	r.command(Command{Guid: me, Do: DoGround})
	r.tick(1)
	p := r.position(me, spot(115, 108, 0))
	p.Pack.Flags &^= wire.PackContact
	r.send(p)
	r.tick(1)
	r.wantVerdicts(Ignored)
	c := r.row(me)
	same(t, "queue", len(c.queue), 0)
	same(t, "constrained", c.Leash.Constrained, false)
	r.place(me, spot(115, 108, 0)) // says contact: queued, chased after landing
	r.tick(10)
	c = r.row(me)
	same(t, "queue", len(c.queue), 1)
	near(t, "x", float64(c.Pose.Frame.Origin[0]), 108, 1e-4)
	r.command(Command{Guid: me, Do: DoGround, Contact: true, OnWalkable: true})
	r.tick(1)
	near(t, "x after landing", float64(r.row(me).Pose.Frame.Origin[0]), 108+8.0/30, 0.02)
	p = r.teleportTo(me, spot(20, 20, 0))
	p.Pack.Flags &^= wire.PackContact
	r.send(p)
	r.tick(1)
	r.wantVerdicts(Applied)
	sameList(t, "events", r.kinds(me), Teleported, CellChanged)
}

// Off the edge of the world a body is in the lost cell, not updated, and comes
// back by a position event (10 §6, 12 §4).
func TestSpec12_4_LostAndBack(t *testing.T) {
	r := newRig(t, Options{})
	s := human(me, 0, 0)
	s.Place = space.Position{Cell: 0xA9FE0008, Frame: space.Frame{Origin: space.Vec3{12, 190, 0}, Rotation: space.IdentityQuat}}
	r.spawn(s)
	r.tick(1)
	r.move(me, does{forward: run})
	lost := 0
	for range 60 {
		r.tick(1)
		for _, e := range r.e.Events() {
			if e.Kind == CellChanged {
				lost++
				same(t, "to", e.To.Cell, 0)
			}
		}
	}
	c := r.row(me)
	if lost != 1 || c.Pose.Cell != 0 || c.Body.Transient&components.Active != 0 {
		t.Fatalf("%d changes of cell, in %08X, %b", lost, c.Pose.Cell, c.Body.Transient)
	}
	same(t, "view", r.e.View().Cell[0], 0)
	r.place(me, spot(108, 108, 0))
	r.tick(1)
	sameList(t, "events", r.kinds(me), Activated, Teleported, CellChanged)
	r.tick(30)
	if r.north(me) < 1 {
		t.Error("does not run on")
	}
}

// The leash holds a chase on when the server has been silent (12 §9 K).
func TestSpec12_9K_Leash(t *testing.T) {
	r := standing(t, Options{})
	r.place(me, spot(108, 148, 0))
	for _, c := range []struct{ tick, x float64 }{
		{20, 5.3333}, {40, 10.6631}, {60, 15.5888}, {80, 19.8977}, {100, 23.6670}, {140, 29.8488}, {180, 34.5794}, {220, 38.1995}, {225, 40},
	} {
		r.tick(int(c.tick) + 1 - int(r.e.Now()))
		near(t, fmt.Sprint("tick ", c.tick), r.north(me), c.x, 1e-3)
	}
	sameList(t, "events", r.kinds(me), Blipped)
}

// 12 §9, A, B, F, G, H, J and L by messages, at tick rates of their own.
func TestSpec12_9_WorkedExamples(t *testing.T) {
	trace := func(r *rig, want ...float64) {
		t.Helper()
		for i, x := range want {
			r.tick(1)
			near(t, fmt.Sprint("tick ", i+1), r.north(me), x, 1e-4)
		}
	}
	slow := func(rate float32) *rig {
		r := newRig(t, Options{})
		s := human(me, 108, 108)
		s.RunRate = rate
		r.spawn(s)
		r.tick(1)
		return r
	}
	a := slow(0)
	a.place(me, spot(108, 109, 0))
	trace(a, 0.25, 0.5, 0.75, 1, 1)
	same(t, "A queue", len(a.row(me).queue), 0)

	b := standing(t, Options{})
	b.place(me, spot(108, 109, 0))
	trace(b, 0.26667, 0.53333, 0.8, 1)
	same(t, "B queue", len(b.row(me).queue), 1)
	trace(b, 1)
	same(t, "B queue", len(b.row(me).queue), 0)

	f := standing(t, Options{})
	f.place(me, spot(108, 108.5, 0))
	f.place(me, spot(108, 110, 0))
	trace(f, .26667, .5, .5, .76667, 1.03333, 1.3, 1.56667, 1.83333, 2)
	f.tick(1)
	same(t, "F queue", len(f.row(me).queue), 0)

	g := standing(t, Options{})
	g.place(me, spot(108, 258, 0))
	trace(g, 150)
	same(t, "G fail", g.row(me).Chase.Fail, 0)

	h := standing(t, Options{TicksPerSecond: 10})
	h.place(me, spot(108, 108.7, 0))
	trace(h, 0.7, 0.7)
	same(t, "H queue", len(h.row(me).queue), 0)

	j := standing(t, Options{})
	for i := range 30 {
		j.place(me, spot(108, 109+float32(i), 0))
	}
	j.tick(1)
	q := j.row(me).queue
	same(t, "J queue", len(q), 20)
	near(t, "J head", float64(q[0].Place.Frame.Origin[1]), 119, 1e-4)

	l := standing(t, Options{})
	l.place(me, spot(108, 110, 90))
	l.tick(1)
	near(t, "L heading", float64(space.Heading(l.row(me).Pose.Frame.Rotation)), 90, 1e-3)
}

// Root motion is scaled on the ground and lost in the air; it is replaced while
// the chase runs (11 §5.1, 12 §9 C).
func TestSpec11_5_1_RootMotion(t *testing.T) {
	r := newRig(t, Options{})
	s := human(me, 108, 108)
	s.Scale = 1.5
	r.spawn(s)
	r.tick(1)
	r.move(me, does{forward: run})
	r.seconds(1)
	y := r.north(me)
	r.seconds(2)
	near(t, "way at scale 1.5", r.north(me)-y, 12, 0.21)

	r.place(me, spot(108, 108+float32(r.north(me))+2, 0))
	y = r.north(me)
	r.tick(1)
	near(t, "step of the chase, not scaled", r.north(me)-y, 8.0/30, 1e-4)
}

// Dead is exempt from the contact gate, and death begins at once (R5.46).
func TestR5_46_DiesInTheAir(t *testing.T) {
	r := standing(t, Options{})
	r.move(me, does{forward: run})
	r.seconds(1)
	r.command(Command{Guid: me, Do: DoGround})
	r.tick(5)
	r.move(me, does{forward: motion.Dead})
	r.tick(1)
	same(t, "substate", r.row(me).MotionState.Substate, motion.Dead)
}
