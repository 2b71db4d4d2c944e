package systems

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/systems/position"
	"github.com/gait-engine/gait/wire"
)

// everyFloat returns a message of each kind that the engine applies, with every
// float that it can carry.
func everyFloat(r *rig) map[string][]byte {
	long := does{style: 0x8000003E, forward: run, sidestep: 0x6500000F, turn: right, speed: 1.25, side: 1.5, spin: 1.75, actions: []wire.Action{
		wire.NewAction(wire.CommandIndex(wave), 1, false, 1.125), wire.NewAction(wire.CommandIndex(wave), 2, false, 1.375),
	}}
	place := space.Position{Cell: 0xA9B4001C, Frame: space.Frame{
		Origin: space.Vec3{80.5, 90.25, 10.75}, Rotation: space.Quat{W: 0.5, V: space.Vec3{-0.5, 0.5, -0.5}},
	}}
	p := r.position(me, place)
	p.Pack.Velocity = space.Vec3{3.5, 4.5, 5.5}
	p.Pack.Fresh()
	m := r.movement(me, long)
	c := creates(me+1, 1, 0, 0)
	d := &c.Physics
	d.HasBody, d.Body.State, d.Position = true, long.state(), place
	d.State |= uint32(components.Sledding) // else the ground takes the omega
	d.Scale, d.Friction, d.Elasticity, d.Translucency, d.DefaultScriptIntensity = 1.0625, 0.3125, 0.0625, 0.1875, 0.6875
	d.Velocity, d.Acceleration, d.Omega = space.Vec3{6.5, 7.5, 8.5}, space.Vec3{9.5, 10.5, 11.5}, space.Vec3{12.5, 13.5, 14.5}
	d.Fresh()
	ordered := func(b wire.Body) []byte {
		m := r.movement(me, does{})
		m.Body = b
		return encode(r, m)
	}
	params := wire.DefaultParams()
	params.Speed, params.DesiredHeading = 24.5, 26.5
	short := params
	params.DistanceToObject, params.MinDistance, params.FailDistance, params.WalkRunThreshold = 21.5, 22.5, 23.5, 25.5
	return map[string][]byte{
		"to object": ordered(wire.Body{
			Type: wire.TypeMoveToObject, Target: me + 2, Cell: place.Cell, Origin: place.Frame.Origin, Params: params, RunRate: 27.5,
		}),
		"to position":  ordered(wire.Body{Type: wire.TypeMoveToPosition, Cell: place.Cell, Origin: place.Frame.Origin, Params: params, RunRate: 27.5}),
		"turn":         ordered(wire.Body{Type: wire.TypeTurnToObject, Target: me + 2, Heading: 28.5, Params: short}),
		"turn heading": ordered(wire.Body{Type: wire.TypeTurnToHeading, Params: short}),

		"movement": encode(r, m),
		"position": encode(r, p),
		"both":     encode(r, &wire.PositionMovement{Guid: me, Pack: p.Pack, Movement: m.Movement, Body: m.Body}),
		"vector":   encode(r, r.vector(me, space.Vec3{15.5, 16.5, 17.5}, space.Vec3{18.5, 19.5, 20.5})),
		"create":   encode(r, c),
	}
}

// floats returns where a message holds floats: by what they are, since the ones
// above are unlike anything else.
func floats(b []byte) (at []int) {
	for i := 8; i+4 <= len(b); i += 2 {
		v := math.Abs(float64(math.Float32frombits(binary.LittleEndian.Uint32(b[i:]))))
		if v >= 0.0625 && v <= 100 && v*16 == math.Trunc(v*16) {
			at = append(at, i)
		}
	}
	return at
}

// What becomes of a message with a finite number out of all proportion in a float of some
// kind (20 §7); what is not finite is refused in any.
const (
	coordinate = 'c' // refused: far from the block
	turned     = 'q' // refused: no rotation
	size       = 'z' // well formed, and the engine refuses to make such a body
	speed      = 's' // taken, and what comes of it is what comes of MaxSpeed
	velocity   = 'v' // taken, and the body's is bounded
	omega      = 'o' // likewise
	bare       = 'b' // taken as it is: a distance, a heading
	unread     = 'u' // taken, and nothing comes of it
)

// Every float of every message, poisoned: refused with an error, counted once, and the
// state is as if it had not come; or where the rule has it, clamped.
func TestF61_PoisonedFloats(t *testing.T) {
	alone(t)
	want := map[string]string{ // in the order of the wire
		"movement": "sssss", "position": "cccqqqquuu", "both": "cccqqqquuusssss", "vector": "vvvooo",
		"create": "ssssscccqqqqzbbuvvvuuuooou", "to object": "cccbbbsbbs", "to position": "cccbbbsbbs", "turn": "bsu", "turn heading": "sb",
	}
	far := map[rune]error{coordinate: wire.ErrCoordinates, turned: wire.ErrRotation, size: ErrSpawn}
	for name, clean := range everyFloat(standing(t, Options{})) {
		places := floats(clean)
		if len(places) != len(want[name]) {
			t.Fatalf("%s holds %d floats, %d found at %v", name, len(want[name]), len(places), places)
		}
		with := func(at int, v float32) *rig {
			r := standing(t, Options{})
			b := append([]byte(nil), clean...)
			binary.LittleEndian.PutUint32(b[at:], math.Float32bits(v))
			r.send(b)
			r.tick(1) // checks every invariant
			return r
		}
		for i, kind := range want[name] {
			at := places[i]
			was := math.Float32frombits(binary.LittleEndian.Uint32(clean[at:]))
			with(at, was).wantVerdicts(Applied)
			for _, poison := range []float32{
				float32NaN, -float32NaN, float32(math.Inf(1)), float32(math.Inf(-1)), 1e30, -1e30, math.MaxFloat32, -math.MaxFloat32,
			} {
				what := fmt.Sprintf("%s, %v at %d, kind %c", name, poison, at, kind)
				r := with(at, poison)
				refusal, refused := far[kind]
				if !space.Finite(poison) {
					refusal, refused = wire.ErrNotFinite, true
				}
				if refused {
					r.wantVerdicts(Refused)
					wantErr(t, r.e.Outcomes()[0].Err, refusal)
					counts := r.e.Counts()
					same(t, what+": decoded or refused", counts.Decoded+counts.RejectedAll(), 1)
					if kind, ok := refusal.(wire.Kind); ok {
						same(t, what+": refused for "+kind.Error(), counts.Rejected(kind), 1)
					}
					twin := standing(t, Options{})
					twin.tick(1)
					same(t, what+": hash", r.e.Hash(), twin.e.Hash())
					continue
				}
				r.wantVerdicts(Applied)
				same(t, what+": decoded", r.e.Counts().Decoded, 1)
				guid := uint32(me)
				for r.has(guid + 1) {
					guid++ // whom the create made
				}
				switch body := r.row(guid).Body; kind {
				case speed:
					same(t, what+": hash", r.e.Hash(), with(at, float32(math.Copysign(wire.MaxSpeed, float64(poison)))).e.Hash())
				case unread:
					same(t, what+": hash", r.e.Hash(), with(at, was).e.Hash())
				case velocity:
					if l := space.Length(body.Velocity); !(l <= 1.001*position.MaxVelocity) {
						t.Errorf("%s: the velocity is %v", what, body.Velocity)
					}
				case omega:
					if l := space.Length(body.Omega); !(l <= 1.001*wire.MaxSpeed) {
						t.Errorf("%s: omega is %v", what, body.Omega)
					}
				}
				for guid := uint32(me); r.has(guid); guid++ { // nor does it do harm later
					r.move(guid, does{forward: walk, turn: right})
					r.place(guid, spot(120, 120, 90))
				}
				r.tick(40)
			}
		}
	}
}

// Cells that are none, and guid 0 (20 §7).
func TestF61_NoCellNoGuid(t *testing.T) {
	for _, cell := range []uint32{0, 0xA9B40000, 0xA9B40041, 0xA9B400FF} {
		r, twin := standing(t, Options{}), standing(t, Options{})
		b := encode(t, r.position(me, spot(110, 108, 0)))
		binary.LittleEndian.PutUint32(b[12:], cell)
		r.send(b)
		r.tick(1)
		twin.tick(1)
		r.wantVerdicts(Refused)
		wantErr(t, r.e.Outcomes()[0].Err, wire.ErrCell)
		same(t, "hash", r.e.Hash(), twin.e.Hash())
	}
	r := standing(t, Options{})
	b := encode(t, r.movement(me, does{}))
	clear(b[4:8])
	r.send(b)
	r.tick(1)
	r.wantVerdicts(Refused)
	wantErr(t, r.e.Outcomes()[0].Err, wire.ErrGuid)
}

func TestF62_ZeroRotation(t *testing.T) {
	r, twin := standing(t, Options{}), standing(t, Options{})
	b := encode(t, r.position(me, spot(110, 108, 0))) // only w is sent
	clear(b[28:32])
	r.send(b)
	flags := encode(t, r.position(me, spot(110, 108, 0)))
	binary.LittleEndian.PutUint32(flags[8:], wire.PackContact|wire.PackOmitW|wire.PackOmitX|wire.PackOmitY|wire.PackOmitZ)
	r.send(append(flags[:28], flags[32:]...))
	r.tick(1)
	twin.tick(1)
	r.wantVerdicts(Refused, Refused)
	wantErr(t, r.e.Outcomes()[0].Err, wire.ErrRotation)
	wantErr(t, r.e.Outcomes()[1].Err, wire.ErrRotation)
	same(t, "hash", r.e.Hash(), twin.e.Hash())
}

// A message for somebody unknown waits, or is dropped; the neighbours do not
// feel it.
func TestF64_UnknownGuid(t *testing.T) {
	r, twin := standing(t, Options{}), standing(t, Options{})
	for _, guid := range []uint32{me - 1, me + 1, 1, 0xFFFFFFFF} {
		r.move(guid, does{forward: run})
		r.place(guid, spot(110, 108, 0))
		r.send(r.vector(guid, space.Vec3{1, 1, 1}, space.Vec3{}))
		r.send(r.state(guid, 0))
		r.send(&wire.Delete{Guid: guid})
	}
	r.tick(1)
	twin.tick(1)
	for _, o := range r.e.Outcomes() {
		same(t, "verdict", o.Verdict, Parked)
	}
	same(t, "outcomes", len(r.e.Outcomes()), 20)
	same(t, "hash of the neighbour", r.hashOf(me), twin.hashOf(me))
	n, _, _ := r.e.ParkedCount()
	same(t, "waiting", n, 20)
}

// What is pending of one remote is bounded, whatever he is sent: a frozen one
// completes nothing, and one that is sent actions plays them one by one.
func TestPendingIsBounded(t *testing.T) {
	for _, frozen := range []bool{true, false} {
		r := standing(t, Options{})
		if frozen {
			r.send(r.state(me, components.DefaultState|components.Frozen))
			r.tick(1)
		}
		refused, most, stamp := 0, uint32(0), uint16(0)
		for i := range 400 {
			d := does{forward: walk + uint32(i%2)}
			if i%2 == 0 {
				d.forward = run
			}
			for range wire.MaxActions {
				stamp = (stamp + 1) & 0x7FFF
				d.actions = append(d.actions, wire.NewAction(wire.CommandIndex(wave), stamp, false, 0.01))
			}
			r.move(me, d)
			r.tick(1)
			o := r.e.Outcomes()[0]
			if o.Verdict == Refused {
				refused++
				wantErr(t, o.Err, ErrFlood)
			}
			c := r.row(me)
			most = max(most, c.Pending.Motions.Len, c.Pending.Anims.Len)
		}
		if refused < 100 || most > MaxPending+64 {
			t.Errorf("frozen %v: %d refused, %d pending", frozen, refused, most)
		}
		stamps := r.row(me).Stamps
		r.move(me, does{})
		r.tick(1)
		r.wantVerdicts(Refused)
		same(t, "stamps", r.row(me).Stamps, stamps)
	}
}

// Commands are bounded too: a program that repeats one for who completes nothing, or in one tick.
func TestCommandsCannotFlood(t *testing.T) {
	params := motion.DefaultParams()
	for what, c := range map[string]Command{
		"interpreted": {Do: DoInterpreted, State: motion.DefaultState()}, "raw": {Do: DoRaw, Raw: motion.DefaultRaw()},
		"motion": {Do: DoMotion, Motion: run, Speed: 1}, "go": {Do: DoMoveToPosition, Place: spot(108, 140, 0), Params: params},
	} {
		r := standing(t, Options{})
		r.send(r.state(me, components.DefaultState|components.Frozen))
		r.tick(1)
		c.Guid = me
		for range 2000 {
			r.command(c)
		}
		r.tick(1)
		if n := r.row(me).Pending.Motions.Len; n < MaxPending || n > MaxPending+8 {
			t.Errorf("%s: %d motions are pending", what, n)
		}
		outcomes := r.e.Outcomes()
		if o := outcomes[len(outcomes)-1]; o.Verdict != Refused || !errors.Is(o.Err, ErrFlood) {
			t.Errorf("%s: %+v", what, o)
		}
	}
}

// Every prefix of every message is refused and changes nothing (but a delete may
// lack its pad).
func TestF65_EveryPrefix(t *testing.T) {
	r, twin := standing(t, Options{}), standing(t, Options{})
	all := everyFloat(r)
	all["state"] = encode(t, r.state(me, components.DefaultState))
	all["delete"] = encode(t, &wire.Delete{Guid: me})
	all["parent"] = encode(t, &wire.Parent{Holder: me, Held: me + 2})
	all["pickup"] = encode(t, &wire.Pickup{Guid: me})
	for name, b := range all {
		end := len(b)
		if name == "delete" {
			end -= 2
		}
		for n := range end {
			if err := r.e.Inbound(b[:n:n]); (err != nil) != (n < 4) {
				t.Fatalf("%s of %d bytes: %v", name, n, err)
			}
		}
		r.tick(1)
		twin.tick(1)
		if len(r.e.Outcomes()) != end-4 {
			t.Fatalf("%s: %d outcomes of %d", name, len(r.e.Outcomes()), end-4)
		}
		for i, o := range r.e.Outcomes() {
			if o.Verdict != Refused || o.Err == nil {
				t.Errorf("%s of some %d bytes: %+v", name, i+4, o)
			}
		}
		if r.e.Hash() != twin.e.Hash() {
			t.Fatalf("prefixes of %s changed the state", name)
		}
	}
}

// Counts that promise more than there is are refused without reserving for them.
func TestF65_Counts(t *testing.T) {
	r, twin := standing(t, Options{}), standing(t, Options{})
	m := encode(t, r.movement(me, does{forward: run}))
	binary.LittleEndian.PutUint32(m[20:], binary.LittleEndian.Uint32(m[20:])|31<<7)
	r.send(m)
	c := encode(t, creates(me+1, 1, 108, 108))
	for i := 9; i < 12; i++ {
		b := append([]byte(nil), c...)
		b[i] = 255 // appearance counts
		r.send(b)
	}
	for _, n := range []uint32{255, 65535, math.MaxUint32} {
		d := creates(me+1, 1, 108, 108)
		d.Physics.AddChild(7, 1)
		d.Physics.Fresh()
		b := encode(t, d)
		for i := range b[:len(b)-8] {
			if binary.LittleEndian.Uint32(b[i:]) == 1 && binary.LittleEndian.Uint32(b[i+4:]) == 7 {
				binary.LittleEndian.PutUint32(b[i:], n)
			}
		}
		r.send(b)
	}
	r.tick(1)
	twin.tick(1)
	same(t, "outcomes", len(r.e.Outcomes()), 7)
	for i, o := range r.e.Outcomes() {
		if o.Verdict != Refused {
			t.Errorf("%d: %+v", i, o)
		}
	}
	same(t, "hash", r.e.Hash(), twin.e.Hash())
}

// A message is counted once, however often it is looked at: a create that merges, or that
// waits in its tick for its parent, is decoded again in its turn (20 §7, 22 §11.7).
func TestSpec20_7_CountedOnce(t *testing.T) {
	r := newRig(t, Options{})
	r.send(creates(me, 1, 108, 108))
	r.tick(1)
	same(t, "decoded, of one built", r.e.Counts().Decoded, 1)
	r.send(creates(me, 1, 108, 108))
	r.tick(1)
	same(t, "decoded, of one merged", r.e.Counts().Decoded, 2)
	child := creates(me+1, 1, 0, 0)
	child.Physics.Parent, child.Physics.Position = me+2, space.Position{}
	child.Physics.Fresh()
	r.send(child)
	r.send(creates(me+2, 1, 108, 108))
	r.tick(1)
	r.wantVerdicts(Applied, Applied)
	same(t, "decoded, of one that waits in its tick", r.e.Counts().Decoded, 4)
	b := encode(t, creates(me, 1, 108, 108))
	r.send(b[:20])
	r.tick(1)
	counts := r.e.Counts()
	same(t, "refused", counts.RejectedAll(), 1)
	same(t, "decoded", counts.Decoded, 4)
}

// Bytes at random, and good messages with bytes changed at random: no panic, no
// broken invariant, and the same on any engine.
func TestHostileBytes(t *testing.T) {
	u := human(0, 108, 108)
	engines := []*rig{
		newRig(t, Options{Unknown: &u, LocalPlayer: me + 3}),
		newRig(t, Options{Unknown: &u, LocalPlayer: me + 3, Workers: 3, ChunkRows: 1, AlwaysUpdate: true}),
	}
	rng := rand.New(rand.NewPCG(1, 7))
	good := everyFloat(engines[0])
	good["state"] = encode(t, engines[0].state(me, components.DefaultState))
	good["delete"] = encode(t, &wire.Delete{Guid: me})
	names := []string{"movement", "position", "both", "vector", "create", "state", "delete"}
	ticks := 400
	if testing.Short() {
		ticks = 80
	}
	for tick := range ticks {
		for range 40 {
			b := append([]byte(nil), good[names[rng.IntN(len(names))]]...)
			binary.LittleEndian.PutUint32(b[4:], me+rng.Uint32N(6))
			for range rng.IntN(4) {
				switch i := rng.IntN(len(b)); rng.IntN(3) {
				case 0:
					b[i] = byte(rng.Uint32())
				case 1:
					b[i] ^= 1 << rng.IntN(8)
				case 2:
					if i > 8 {
						b = b[:i]
					}
				}
			}
			if rng.IntN(10) == 0 {
				b = make([]byte, 4+rng.IntN(100))
				for i := range b {
					b[i] = byte(rng.Uint32())
				}
				binary.LittleEndian.PutUint32(b, []uint32{0xF74C, 0xF748, 0xF619, 0xF745, 0xF7DB, 0xF74E, 0xF74B, 0xF747}[rng.IntN(8)])
			}
			for _, r := range engines {
				r.send(b)
			}
		}
		for _, r := range engines {
			r.tick(1)
		}
		if a, b := engines[0].e.Hash(), engines[1].e.Hash(); a != b {
			t.Fatalf("tick %d: %016x and %016x", tick, a, b)
		}
		if a, b := fmt.Sprint(engines[0].verdicts()), fmt.Sprint(engines[1].verdicts()); a != b {
			t.Fatalf("tick %d: %s and %s", tick, a, b)
		}
	}
	counts := engines[0].e.Counts()
	if counts.Decoded < 100 || counts.RejectedAll() < 100 {
		t.Errorf("%d decoded, %d refused: no test of either", counts.Decoded, counts.RejectedAll())
	}
}

// The largest finite numbers that commands and spawns may hold do no harm.
func TestCommandsAtTheLimits(t *testing.T) {
	alone(t)
	const huge = math.MaxFloat32
	indoors := space.Position{Cell: 0xA9B40100, Frame: space.Frame{Origin: space.Vec3{1e6, -1e6, 1e6}, Rotation: space.IdentityQuat}}
	other := indoors
	other.Frame.Origin = space.Vec3{-1e6, 1e6, -1e6}
	for sign := float32(-1); sign <= 1; sign += 2 {
		r := newRig(t, Options{})
		s := human(me, 108, 108)
		s.Scale, s.RunRate, s.Velocity, s.Omega = 1e3, sign*huge, space.Vec3{huge, -huge, huge}, space.Vec3{huge, -huge, huge}
		r.spawn(s)
		s = creature(me+1, 0, 0)
		s.Place, s.Scale, s.Friction, s.Elasticity = indoors, 1e-30, sign*huge, sign*huge
		s.Contact, s.OnWalkable = false, false
		r.spawn(s)
		r.tick(3)
		for guid := uint32(me); guid <= me+1; guid++ {
			state := does{forward: run, sidestep: 0x6500000F, turn: right}.state()
			c := Command{Guid: guid, Speed: sign * huge, Velocity: space.Vec3{huge, huge, -huge}}
			c.State.Style, c.State.Forward, c.State.Sidestep, c.State.Turn = state.StyleID(), run, state.SidestepID(), right
			c.State.ForwardSpeed, c.State.SidestepSpeed, c.State.TurnSpeed = sign*huge, huge, -huge
			c.Raw.HoldKey, c.Raw.Style = components.HoldRun, c.State.Style
			c.Raw.Forward = components.Axis{Motion: walk, Speed: sign * huge}
			c.Raw.Sidestep = components.Axis{Motion: 0x6500000F, Speed: huge}
			c.Raw.Turn = components.Axis{Motion: right, Speed: -huge}
			c.Actions = []components.Action{{Motion: wave, Speed: sign * huge, Stamp: 1}}
			for _, do := range []Do{
				DoInterpreted, DoRaw, DoMotion, DoPosition, DoConstrain, DoVelocity, DoGround, DoMotion, DoPosition, DoStopMotion,
				DoUnconstrain, DoConstrain, DoStopCompletely, DoInterpreted, DoPosition,
			} {
				c.Do, c.Motion, c.Contact, c.Hold = do, walk, true, components.HoldRun
				c.Place, c.Start, c.Max = indoors, sign*huge/2, -sign*huge/2
				if do == DoGround {
					c.OnWalkable = true
				}
				r.command(c)
				r.tick(1)
				c.Place, c.Start, c.Max = other, -huge/4, huge/2
				r.command(c)
				r.tick(1) // such speeds make an update as long as it may get (R2.30)
			}
		}
	}
}
