package motion

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
	"pgregory.net/rapid"
)

func (r *rig) wantTick(dt float64, y, frame float64, fired string) {
	r.t.Helper()
	f, got := r.tick(dt)
	near(r.t, "y", float64(f.Origin[1]), y)
	near(r.t, "frame", r.Sequence.Frame, frame)
	eq(r.t, "fired", strings.Join(got, " "), fired)
}

// The hooks of the last frame never fire going forward (R2.27).
func TestSpec2_7E1_LoopOfOneCycle(t *testing.T) {
	r := seqRig(t, an('C', 10, 1)).play("C")
	r.Sequence.Velocity = space.Vec3{0, 3, 0}
	for k, hook := range strings.Fields("C0 C1 C2 C3 C4 C5 C6 C7 C8") {
		r.wantTick(1./30, 1.1, float64(k+1), hook)
	}
	r.wantTick(1./30, 1.1, 0, "")
	r.wantTick(1./30, 1.1, 1, "C0")
}

func TestSpec2_7E2_LinkThenCycle(t *testing.T) {
	r := seqRig(t, an('L', 3, 1), an('C', 10, 1)).play("LC")
	r.wantTick(0.05, 1, 1.5, "L0")
	eq(t, "list", r.list(), "LC")
	r.wantTick(0.05, 2, 0, "L1 done")
	eq(t, "list", r.list(), "C")
	r.wantTick(0.05, 1, 1.5, "C0")
	r.wantTick(0.05, 2, 3, "C1 C2")
	r.wantTick(0.05, 1, 4.5, "C3")
}

func TestSpec2_7E3_SeveralNodesInOneUpdate(t *testing.T) {
	r := seqRig(t, an('L', 2, 1), an('M', 2, 1), an('C', 2, 1)).play("LMC")
	r.wantTick(0.2, 6, 0, "L0 done M0 done C0 done")
	eq(t, "list", r.list(), "C")
}

// Those of the first never fire going back (R2.27).
func TestSpec2_7E4_BackwardThenForward(t *testing.T) {
	r := seqRig(t, an('R', 4, 1), an('C', 10, 1)).play("RC", -30, 30)
	near(t, "start", r.Sequence.Frame, 3.9998)
	r.wantTick(1./30, -1, 2.9998, "R3")
	r.wantTick(1./30, -1, 1.9998, "R2")
	r.wantTick(1./30, -1, 0.9998, "R1")
	r.wantTick(1./30, 0, 0.0002, "done")
	r.wantTick(1./30, 1, 1.0002, "C0")
}

// A rate of 0 moves the object by its velocity all the same (R2.24).
func TestSpec2_7E5_FrozenMovesByItsVelocity(t *testing.T) {
	r := seqRig(t, an('C', 4, 1)).play("C", 0)
	r.Sequence.Velocity = space.Vec3{0, 2, 0}
	for range 3 {
		r.wantTick(1./30, 0.0667-0.0000333, 0, "")
	}
}

// A quantum that crosses no frame contributes nothing (R2.25).
func TestSpec2_7E6_SlowRateMovesInLumps(t *testing.T) {
	r := seqRig(t, an('C', 10, 1)).play("C", 20)
	r.Sequence.Velocity = space.Vec3{0, 3, 0}
	for _, y := range []float64{0, 1.15, 1.15, 0, 1.15, 1.15} {
		f, _ := r.tick(1. / 30)
		near(t, "y", float64(f.Origin[1]), y)
	}
}

func TestR2_6_EmptyListMovesByItsVelocity(t *testing.T) {
	r := seqRig(t)
	r.Sequence.Velocity = space.Vec3{0, 0, 4}
	f, _ := r.tick(0.5)
	near(t, "z", float64(f.Origin[2]), 2)
}

func TestR2_28_TimeBackwards(t *testing.T) {
	r := seqRig(t, an('A', 4, 1), an('C', 4, 1)).play("AC")
	r.Sequence.Curr, r.Sequence.Frame = 1, 0.5
	r.Sequence.Velocity = space.Vec3{0, 30, 0}
	f := space.Identity
	Advance(r.Tables, &r.Pools.Nodes, r.Sequence, -1./30, &f, nil)
	// C ends at its low frame: it takes posframe 0 back and its lump; A begins at its end and gives nothing
	near(t, "y", float64(f.Origin[1]), -2)
	eq(t, "collected nothing it plays", r.list(), "AC")
	near(t, "frame", r.Sequence.Frame, 3.9998-0.5)
	r.Sequence.Frame = 0.5
	Advance(r.Tables, &r.Pools.Nodes, r.Sequence, -1./30, nil, nil)
	eq(t, "before the head is the tail", r.list(), "C")
}

func TestR2_29_DoneIsTestedOnTheHead(t *testing.T) {
	r := seqRig(t, an('L', 2, 0), an('C', 2, 0)).play("LC")
	_, fired := r.tick(4. / 30)
	eq(t, "the cycle's first wrap reports too", strings.Join(fired, " "), "L0 done C0 done")
	_, fired = r.tick(3. / 30)
	eq(t, "then no more", strings.Join(fired, " "), "C0 C0")
}

func TestR2_32_HooksByDirection(t *testing.T) {
	a := an('C', 3, 0)
	a.Frames[1].Hooks = []dat.Hook{{Direction: 1}, {Direction: -1}, {}, {Direction: -2}, {}}
	r := seqRig(t, a).play("C")
	r.Sequence.Frame = 1
	r.tick(0) // no time, no hooks
	f := space.Identity
	Advance(r.Tables, &r.Pools.Nodes, r.Sequence, 1./30, &f, &r.queue)
	var dirs []int32
	for _, h := range r.queue.Fired {
		dirs = append(dirs, r.Tables.Hooks[h.Hook].Direction)
	}
	if !reflect.DeepEqual(dirs, []int32{1, 0, 0}) {
		t.Errorf("forward: %v", dirs)
	}
	r = seqRig(t, a).play("C", -30)
	r.Sequence.Frame = 1.5
	Advance(r.Tables, &r.Pools.Nodes, r.Sequence, 1./30, &f, &r.queue)
	dirs = nil
	for _, h := range r.queue.Fired {
		dirs = append(dirs, r.Tables.Hooks[h.Hook].Direction)
	}
	if !reflect.DeepEqual(dirs, []int32{-1, 0, 0}) {
		t.Errorf("backward: %v", dirs)
	}
	r = seqRig(t, an('L', 1, 0), a).play("LC")
	Advance(r.Tables, &r.Pools.Nodes, r.Sequence, 0.2, &f, nil) // no hook target: nothing is queued
	eq(t, "list", r.list(), "C")
}

func TestD_10_DataHookOfTypeFourIsDropped(t *testing.T) {
	a := an('C', 3, 0)
	a.Frames[0].Hooks = []dat.Hook{{Type: dat.HookAnimationDone}}
	a.Frames[1].Hooks = nil
	r := seqRig(t, a).play("C")
	_, fired := r.tick(2. / 30)
	eq(t, "fired", len(fired), 0)
}

func TestR2_23_VelocityIsNotTurned(t *testing.T) {
	r := seqRig(t, an('C', 10, 0)).play("C")
	r.Sequence.Velocity, r.Sequence.Omega = space.Vec3{0, 3, 0}, space.Vec3{0, 0, -1.5}
	f, _ := r.tick(2. / 30)
	near(t, "x", float64(f.Origin[0]), 0)
	near(t, "y", float64(f.Origin[1]), 0.2)
	near(t, "half the angle", float64(f.Rotation.V[2]), -math.Sin(0.05))
}

func TestD_6_SubtractUndoesCombine(t *testing.T) {
	s := float32(0.70710677)
	a := an('R', 4, 1)
	for k := range a.Positions {
		a.Positions[k].Rotation = space.Quat{W: s, V: space.Vec3{0, s, 0}}
	}
	r := seqRig(t, a).play("R")
	f := space.Identity
	Advance(r.Tables, &r.Pools.Nodes, r.Sequence, 2./30, &f, nil)
	r.Sequence.Nodes.Items(&r.Pools.Nodes)[0].Rate = -30
	r.Sequence.Frame = 1.5
	Advance(r.Tables, &r.Pools.Nodes, r.Sequence, 1./30, &f, nil)
	r.Sequence.Frame = 1.5
	Advance(r.Tables, &r.Pools.Nodes, r.Sequence, 1./30, &f, nil)
	near(t, "w", float64(f.Rotation.W), 1)
	near(t, "|origin|", float64(space.Length(f.Origin)), 0)
}

func TestD_7_OmegaAboutXPitches(t *testing.T) {
	r := seqRig(t, an('C', 10, 0)).play("C", 0)
	r.Sequence.Omega = space.Vec3{1, 0, 0}
	f, _ := r.tick(0.2)
	near(t, "x", float64(f.Rotation.V[0]), math.Sin(0.1))
	near(t, "y", float64(f.Rotation.V[1]), 0)
	near(t, "z", float64(f.Rotation.V[2]), 0)
}

func TestD_8_MillionUpdatesStayOnWholeFrames(t *testing.T) {
	r := seqRig(t, an('C', 10, 0)).play("C")
	for k := 1; k <= 1_000_000; k++ {
		Advance(r.Tables, &r.Pools.Nodes, r.Sequence, 1./30, nil, nil)
		if r.Sequence.Frame != float64(k%10) {
			t.Fatalf("update %d: frame %v", k, r.Sequence.Frame)
		}
	}
}

func TestD_31_PlayedTimeCountsBothEnds(t *testing.T) {
	r := seqRig(t, an('L', 10, 0), an('C', 2, 0)).play("LC")
	for k := 1; k <= 10; k++ {
		_, fired := r.tick(1. / 30)
		done := len(fired) > 0 && fired[len(fired)-1] == "done"
		eq(t, "done", done, k == 10)
	}
}

func TestD_33_AnySpeedReturns(t *testing.T) {
	for _, rate := range []float32{1e20, -1e20, math.MaxFloat32, -math.MaxFloat32, 1e-30} {
		r := seqRig(t, an('L', 3, 1), an('C', 5, 1)).play("LC", rate, rate)
		r.Sequence.Velocity = space.Vec3{0, 1, 0}
		for range 3 {
			f := space.Identity
			Advance(r.Tables, &r.Pools.Nodes, r.Sequence, 0.2, &f, nil)
			r.check()
			if !space.FiniteVec(f.Origin) {
				t.Fatal("offset", f)
			}
		}
	}
}

func TestF4_LinkKeepsItsRate(t *testing.T) {
	r := seqRig(t, an('X', 5, 0)).play("XX")
	MultiplyCyclicRate(&r.Pools.Nodes, r.Sequence, 2)
	n := r.Sequence.Nodes.Items(&r.Pools.Nodes)
	eq(t, "link", n[0].Rate, 30)
	eq(t, "cycle", n[1].Rate, 60)
}

func TestF8_DoorOpensAndStays(t *testing.T) {
	r := seqRig(t, an('L', 10, 0), an('C', 1, 0)).play("LC")
	for k := 1; k <= 40; k++ {
		r.tick(1. / 30)
		if k < 10 {
			eq(t, "list", r.list(), "LC")
			near(t, "frame", r.Sequence.Frame, float64(k))
		} else {
			eq(t, "list", r.list(), "C")
			eq(t, "held", floor(r.Sequence.Frame), 0)
		}
	}
}

func TestF10_NegativeLoopIsTheInverse(t *testing.T) {
	r := seqRig(t, an('C', 10, 1)).play("C", -30)
	near(t, "start", r.Sequence.Frame, 9.9998)
	y, back := 0.0, 0
	for range 30 {
		before := r.Sequence.Frame
		f, _ := r.tick(1. / 30)
		y += float64(f.Origin[1])
		if r.Sequence.Frame > before {
			back++
		}
	}
	near(t, "three loops", y, -30)
	eq(t, "wraps", back, 3)
}

// reference is 02 §2.6 as it stands there, without any short way.
func reference(t *dat.Tables, p *NodePool, s *components.Sequence, dt float64, f *space.Frame, hooks *HookQueue) {
	phys := func(q, t float64) {
		q32 := float32(math.Abs(float64(float32(q))))
		if t < 0 {
			q32 = -q32
		}
		f.Origin = space.Add(f.Origin, space.Scale(s.Velocity, q32))
		f.Rotation = space.Rotate(f.Rotation, space.Scale(s.Omega, q32))
	}
	eps := float64(space.Eps)
	give := func(n components.Node, k int32, dt float64) {
		if b := t.PositionFrame(n.Anim, k); b != nil {
			*f = space.Combine(*f, *b)
		}
		if math.Abs(float64(n.Rate)) > eps {
			phys(1/float64(n.Rate), dt)
		}
	}
	take := func(n components.Node, k int32, dt float64) {
		if b := t.PositionFrame(n.Anim, k); b != nil {
			*f = space.Subtract(*f, *b)
		}
		if math.Abs(float64(n.Rate)) > eps {
			phys(1/float64(n.Rate), dt)
		}
	}
	if s.Nodes.Len == 0 {
		phys(dt, dt)
		return
	}
	for range MaxNodesPassed {
		nodes := s.Nodes.Items(p)
		n := nodes[s.Curr]
		step := float64(float32(n.Rate * float32(dt)))
		k := math.Floor(s.Frame)
		s.Frame += step
		left, ended := 0.0, false
		if step == 0 {
			if math.Abs(dt) > eps {
				phys(dt, dt)
			}
			break
		}
		if step > 0 {
			if math.Floor(s.Frame) > float64(n.High) {
				if math.Abs(float64(n.Rate)) > eps {
					left = math.Max(0, s.Frame-float64(n.High)-1) / float64(n.Rate)
				}
				s.Frame, ended = float64(n.High), true
			}
			for ; k < math.Floor(s.Frame); k++ {
				give(n, int32(k), dt)
				hooks.fire(t, n.Anim, int32(k), 1)
			}
		} else {
			if math.Floor(s.Frame) < float64(n.Low) {
				if math.Abs(float64(n.Rate)) > eps {
					left = math.Min(0, s.Frame-float64(n.Low)) / float64(n.Rate)
				}
				s.Frame, ended = float64(n.Low), true
			}
			for ; k > math.Floor(s.Frame); k-- {
				take(n, int32(k), dt)
				hooks.fire(t, n.Anim, int32(k), -1)
			}
		}
		if !ended {
			break
		}
		if s.FirstCyclic() != 0 {
			hooks.Fired = append(hooks.Fired, FiredHook{n.Anim, int32(s.Frame), AnimationDone})
		}
		if dt >= 0 {
			if n.Rate < 0 {
				take(n, int32(math.Floor(s.Frame)), dt)
			}
			if s.Curr++; int(s.Curr) == len(nodes) {
				s.Curr = s.FirstCyclic()
			}
			n = nodes[s.Curr]
			s.Frame = startingFrame(&n)
			if n.Rate > 0 {
				give(n, int32(math.Floor(s.Frame)), dt)
			}
		} else {
			if n.Rate >= 0 {
				take(n, int32(math.Floor(s.Frame)), dt)
			}
			if s.Curr--; s.Curr < 0 {
				s.Curr = int32(len(nodes)) - 1
			}
			n = nodes[s.Curr]
			s.Frame = endingFrame(&n)
			if n.Rate < 0 {
				give(n, int32(math.Floor(s.Frame)), dt)
			}
		}
		dt = left
	}
	collect(p, s)
}

// TestR2_6_ShortWaysChangeNothing compares Advance with the spec's text, bit for bit,
// the order inside a crossed frame included (R2.26).
func TestR2_6_ShortWaysChangeNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tables := drawTables(t)
		var p NodePool
		one, two := components.Sequence{Curr: -1}, components.Sequence{Curr: -1}
		for range rapid.IntRange(1, 4).Draw(t, "nodes") {
			a := rapid.Int32Range(0, 2).Draw(t, "anim")
			n := components.Node{Anim: a, Rate: rapid.Float32Range(-90, 90).Draw(t, "rate"), High: int32(tables.Anims[a].Frames) - 1}
			Append(&p, &one, n)
			Append(&p, &two, n)
		}
		if rapid.Bool().Draw(t, "moves") {
			one.Velocity = drawVec(t, 5)
			two.Velocity = one.Velocity
		}
		if rapid.Bool().Draw(t, "turns") {
			one.Omega = drawVec(t, 3)
			two.Omega = one.Omega
		}
		for range 40 {
			dt := rapid.SampledFrom([]float64{1. / 30, 0.2, 0.05, 0, -1. / 30}).Draw(t, "dt")
			f, g := space.Identity, space.Identity
			var hf, hg HookQueue
			Advance(tables, &p, &one, dt, &f, &hf)
			reference(tables, &p, &two, dt, &g, &hg)
			if f != g || !reflect.DeepEqual(hf, hg) || !sameSequence(&p, &one, &two) {
				t.Fatalf("dt %v\n%v %v %+v\n%v %v %+v", dt, f, hf, one, g, hg, two)
			}
		}
	})
}

// drawTables makes three animations, some with position frames, some of which turn.
func drawTables(t *rapid.T) *dat.Tables {
	var recs dat.Records
	for c := byte('A'); c < 'A'+3; c++ {
		a := an(c, rapid.IntRange(1, 6).Draw(t, "frames"), float32(rapid.IntRange(0, 1).Draw(t, "positions")))
		for i := range a.Positions {
			a.Positions[i].Origin = drawVec(t, 2)
			if rapid.IntRange(0, 3).Draw(t, "turned") == 0 {
				a.Positions[i].Rotation = space.GRotate(space.IdentityQuat, drawVec(t, 1))
			}
		}
		recs.Anims = append(recs.Anims, a)
	}
	tables, err := dat.Compile(recs)
	if err != nil {
		t.Fatal(err)
	}
	return tables
}

// What the tables keep of leaving some frames is what leaving them comes to (R2.26).
func TestR2_26_CrossingsAreWhatLeavingComesTo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tables := drawTables(t)
		for i := range tables.Anims {
			a := &tables.Anims[i]
			if a.Positions < 0 {
				continue
			}
			for k := range int32(a.Frames) {
				for n := int32(1); n <= dat.MaxCrossed; n++ {
					c := tables.Crossing(a, k, n)
					if k+n > int32(a.Frames) {
						if c.Plain {
							t.Errorf("%d frames from %d on, of %d", n, k, a.Frames)
						}
						continue
					}
					off, straight, hooked := space.Identity, true, false
					CrossForward(tables, &components.Sequence{}, &components.Node{Anim: int32(i), Rate: 30}, k, k+n, .1, &off, nil)
					for f := k; f < k+n; f++ {
						b := tables.PositionFrame(int32(i), f)
						straight = straight && (b == nil || space.Unturned(&b.Rotation))
						hooked = hooked || len(tables.HooksOf(int32(i), f)) > 0
					}
					if c.Plain != straight || straight && (c.Way != off.Origin || c.Length != space.Length(off.Origin)) || c.Hooks != hooked {
						t.Errorf("%d frames from %d on: %+v, not %v, hooks %v", n, k, *c, off, hooked)
					}
				}
			}
		}
	})
}

func sameSequence(p *NodePool, a, b *components.Sequence) bool {
	return a.Frame == b.Frame && a.Curr == b.Curr && reflect.DeepEqual(a.Nodes.Items(p), b.Nodes.Items(p))
}

func drawVec(t *rapid.T, most float32) space.Vec3 {
	g := rapid.Float32Range(-most, most)
	return space.Vec3{g.Draw(t, "x"), g.Draw(t, "y"), g.Draw(t, "z")}
}

func benchAdvance(b *testing.B, y, omega, rate float32) {
	r := seqRig(b, an('C', 24, y)).play("C", rate)
	r.Tables.Anims[0].HasHooks = false
	r.Sequence.Omega[2] = omega
	var q HookQueue
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		f := space.Identity
		Advance(r.Tables, &r.Pools.Nodes, r.Sequence, 1./30, &f, &q)
	}
}

func BenchmarkAdvanceIdle(b *testing.B)        { benchAdvance(b, 0, 0, 30) }
func BenchmarkAdvanceRun(b *testing.B)         { benchAdvance(b, 0.13, 0, 30) }
func BenchmarkAdvanceRunTwice(b *testing.B)    { benchAdvance(b, 0.13, 0, 60) }
func BenchmarkAdvanceRunTurning(b *testing.B)  { benchAdvance(b, 0.13, -1.5, 30) }
func BenchmarkAdvanceTurningOnly(b *testing.B) { benchAdvance(b, 0, -1.5, 30) }
