package collision

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
)

// What lies beyond the reach of a sweep is not asked: it comes to what it comes to where everything in
// a cell is, whoever is swept, of whatever consists, and however he turns.
func TestNothingBeyondReachIsMet(t *testing.T) {
	lands, seed := wildLands(30)
	w := fixtureLand(t)
	met := map[string]int{}
	for i := range lands {
		reachWildly(t, w, seed+uint64(i), met)
	}
	t.Log(met)
	for _, what := range []string{"moves", "turns over", "environment", "body", "places"} {
		if met[what] == 0 {
			t.Errorf("no %s among %v", what, met)
		}
	}
}

func reachWildly(t *testing.T, fixture *World, seed uint64, met map[string]int) {
	rng := rand.New(rand.NewPCG(seed, 9))
	within := func(low, high float32) float32 { return low + (high-low)*rng.Float32() }
	turn := func() space.Quat {
		switch rng.IntN(3) {
		case 0:
			return space.IdentityQuat
		case 1:
			return space.SetHeading(space.IdentityQuat, within(0, 360))
		}
		return space.GRotate(space.SetHeading(space.IdentityQuat, within(0, 360)), space.Vec3{within(-3, 3), within(-3, 3), within(-3, 3)})
	}
	var worlds [2]*World // the second knows of nothing how far it reaches
	for i := range worlds {
		w := wildLand(t, fixture, rand.New(rand.NewPCG(seed, 8)))
		worlds[i] = w
		for x := int32(0xA8); x <= 0xAB; x++ {
			for y := int32(0xB3); y <= 0xB6; y++ {
				if b := w.Land.block(x, y); b.Land != nil {
					w.Land.furnish(b)
					for k := range b.list {
						if i == 1 {
							b.list[k].reach = float32(math.Inf(1))
						}
					}
				}
			}
		}
	}
	states := []components.StateBits{components.Missile, components.Ethereal, components.IgnoreCollisions, components.Gravity, components.EdgeSlide}
	traits := []components.TraitFlags{components.Creature, components.Player, components.HasGame, components.PlayerKiller}
	random := func(guid uint32, at space.Vec3) Obstacle {
		w := worlds[0]
		o := Obstacle{Guid: guid, Scale: []float32{1, 1, 0.3, 3, within(0.1, 2)}[rng.IntN(5)], Setup: int32(rng.IntN(len(w.Tables.Setups))), Parts: dat.None}
		o.State = components.DefaultState
		for _, b := range states {
			if rng.IntN(5) == 0 {
				o.State ^= b
			}
		}
		for _, b := range traits {
			if rng.IntN(2) == 0 {
				o.Traits |= b
			}
		}
		if f := &w.Tables.Setups[o.Setup]; f.PhysicsBSP {
			o.State |= components.HasPhysicsBSP
			if pose, _ := w.Tables.Placement(o.Setup, defaultPlacement); pose >= 0 {
				o.Parts, o.Posed = int32(w.Tables.Poses[pose].PartsAt), int32(f.PartCount)
			}
		}
		o.Place = spot(at[0], at[1], at[2])
		o.Place.Frame.Rotation = turn()
		return o
	}
	for range 60 {
		block := worlds[0].Land.block(0xA9, 0xB4)
		what := block.Land.Statics[rng.IntN(len(block.Land.Statics))].Frame.Origin
		if rng.IntN(4) == 0 {
			what = block.Land.Buildings[rng.IntN(len(block.Land.Buildings))].Frame.Origin
		}
		var others []Obstacle
		for k := range rng.IntN(5) {
			others = append(others, random(uint32(2+k), space.Add(what, space.Vec3{within(-4, 4), within(-4, 4), within(-1, 3)})))
		}
		var body Body
		me := random(1, space.Add(what, space.Vec3{within(-5, 5), within(-5, 5), within(-1, 4)}))
		worlds[0].Body(&me, &body)
		if rng.IntN(2) == 0 { // of whatever form
			body.SphereCount, body.upright, body.widest = 1+rng.IntN(2), false, 0
			for i := range body.SphereCount {
				body.Spheres[i] = dat.Sphere{Centre: space.Vec3{within(-1, 1), within(-1, 1), within(-1, 2)}, Radius: within(0.1, 0.8)}
				body.widest = max(body.widest, body.Spheres[i].Radius)
			}
		}
		body.FreeRotate = rng.IntN(3) == 0
		var sweeps [2]*Sweep
		for i, w := range worlds {
			w.Crowd = &Crowd{}
			s := &Sweep{World: w}
			sweeps[i] = s
			w.Crowd.Resize(len(others))
			for row, o := range others {
				if o.Reach = w.Reach(&o); i == 1 {
					o.Reach = 0
				}
				w.Crowd.Obstacles[row] = o
				w.Crowd.Register(row, s.Filled(&o, nil))
			}
		}
		same := func(call string, a, b bool) {
			t.Helper()
			said := func(s *Sweep, did bool) string {
				if !did {
					return fmt.Sprint(did, s.KillsVelocity)
				}
				return fmt.Sprint(did, outcomeOf(s), s.Slide, s.Hit)
			}
			if x, y := said(sweeps[0], a), said(sweeps[1], b); x != y {
				t.Fatalf("seed %d: %s of %+v comes to\n%s, with everything asked to\n%s", seed, call, body, x, y)
			}
		}
		at, on := me.Place, Standing{}
		if rng.IntN(2) == 0 {
			a, b := sweeps[0].Place(&body, &at, true), sweeps[1].Place(&body, &at, true)
			same("Place", a, b)
			met["places"]++
			if a {
				at, on = sweeps[0].current, Standing{Ground: sweeps[0].Contact, OnWalkable: sweeps[0].OnWalkable()}
			}
		}
		for range 12 {
			to := at
			far := within(0.05, 2)
			to.Frame.Origin = space.Add(to.Frame.Origin, space.Vec3{within(-far, far), within(-far, far), within(-far, far) / 2})
			if to.Frame.Rotation = turn(); to.Frame.Rotation.V[0] != 0 && !body.FreeRotate {
				met["turns over"]++
			}
			a, b := sweeps[0].Move(&body, &at, &to, &on), sweeps[1].Move(&body, &at, &to, &on)
			same("Move", a, b)
			met["moves"]++
			if !a || !sweeps[0].Present() {
				break
			}
			s := sweeps[0]
			if s.Environment {
				met["environment"]++
			}
			if len(s.Collisions) > 0 {
				met["body"]++
			}
			at = s.current
			on = Standing{Ground: s.Contact, OnWalkable: s.OnWalkable(), Sliding: s.Slide.Valid, Normal: s.Slide.Normal, Stationary: s.Stationary}
		}
	}
}
