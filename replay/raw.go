package replay

import (
	"unsafe"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/systems/motion"
	"github.com/gait-engine/gait/wire"
)

// The own object driven by what its client sends (22 §11.3, raw).
//
// It is made the engine's local player, so that the engine does with what the server
// says of it what a client does (20 §5.4): echoes of its own input, positions and vectors
// move it no more, a forced position or a teleport does, and so does a movement that the
// server ordered.
//
// A message of the client's is taken in this order. Where it says to be is compared with
// where the engine has it after the last tick (11.6). It is put there, hard, heading and
// all, as by a forced position: so an error is that of one interval between two messages,
// and the sum of all is not kept. But in the air it is not put anywhere, as a remote is
// not (20 §5.3), until its client says that it stands. Without land, whether it stands is
// what the message says.
// Then its keys are pressed: a raw state and its actions, or a jump with the velocity
// that the client had, since how high it can jump is in no message.
//
// How fast it runs is in none either. An echo of its running says so, and is believed
// from then on, at once; before that its run rate is 1.
//
// Keys that are pressed before the object is there, or before it is known which one that
// is, are pressed when it is.

// driven is what is known of the own object as its client moves it.
type driven struct {
	raw     motion.RawState // the last
	keyed   bool            // raw is
	runRate float32         // 0 unknown
	stamp   uint16          // of its last action
	placed  int64           // tick in which its client last said where it is
}

// commandBytes is what a command counts against [MaxQueued].
const commandBytes = int(unsafe.Sizeof(systems.Command{}))

// command gives the engine a command for the own object.
func (v *View) command(c systems.Command) {
	if v.queued+commandBytes > MaxQueued {
		v.Seen.Flooded++
		return
	}
	c.Guid = v.own
	v.queued += commandBytes
	v.Seen.Given++
	if err := v.engine.Command(c); err != nil {
		v.outcome(&systems.Outcome{Guid: v.own, Verdict: systems.Refused, Err: err})
		return
	}
	v.waiting++
}

// embody makes the own object the local player, who runs as fast as is known, and
// does what the keys say that are down.
func (v *View) embody() {
	if v.options.Own != Raw || v.own == 0 || !v.Has(v.own) {
		return
	}
	c := systems.Command{
		Do: systems.DoSetTraits, RunRate: v.driven.runRate,
		Game: components.HasGame | components.Creature | components.LocalPlayer | components.CanJump,
	}
	if c.RunRate > 0 {
		c.Game |= components.HasRunRate
	}
	v.command(c)
	if v.driven.keyed {
		v.command(systems.Command{Do: systems.DoRaw, Raw: v.driven.raw})
	}
}

// echoed looks at a movement that the server sends for how fast the own object runs,
// and has it go on at that rate.
func (v *View) echoed(guid uint32, msg []byte) {
	if v.options.Own != Raw || guid != v.own || v.decoder.Into(msg, &v.movement) != nil {
		return
	}
	m, d := &v.movement, &v.driven
	rate := wire.ClampSpeed(m.Body.State.ForwardSpeed)
	if m.Autonomous == 0 || m.Body.Type != wire.TypeState || m.Body.State.ForwardID() != motion.RunForward || !(rate > 0) || rate == d.runRate {
		return
	}
	d.runRate = rate
	v.embody()
}

// body is what the engine has of the own object after the last tick.
type body struct {
	there, grounded, led, stuck bool
	flooded                     bool         // so many motions are pending that no message adds to them
	gate                        wire.Verdict // of its client's message
}

// drive takes a message of the client's own, which is in v.toState, v.report or v.jump.
func (v *View) drive(op uint32, said *space.Position, stamps *wire.Quad) {
	var b body
	v.engine.Inspect(v.own, func(row *components.Row, pools *components.Pools) {
		const grounded = components.Contact | components.OnWalkable
		b.there, b.grounded = row.Pose.Cell != 0, row.Body.Transient&grounded == grounded
		sticky, moveTo := row.Errand.Sticky(pools), row.Errand.MoveTo(pools)
		b.stuck, b.led = sticky != nil && sticky.TargetID != 0, moveTo != nil && moveTo.Type != 0
		b.flooded = systems.Flooded(row)
		b.gate = wire.ClientGate(row.Stamps.Slot, *stamps)
	})
	if op == wire.ActMoveToState {
		v.driven.raw, v.driven.keyed = systems.RawOf(&v.toState.Raw), true // also where he is only about to come
	}
	if !b.there {
		return
	}
	if b.flooded {
		v.Seen.Flooded++
		return
	}
	place := wire.Settle(*said)
	if b.gate == wire.Process && place.Cell != 0 { // else it was written before the server moved him, as he did not know
		stands := op == wire.ActJump || op == wire.ActMoveToState && v.toState.Contact() || op == wire.ActAutonomousPosition && v.report.Contact()
		v.stand(&b, &place, stands)
	}
	switch op {
	case wire.ActMoveToState:
		v.press(&b)
	case wire.ActJump:
		v.command(systems.Command{Do: systems.DoJump, Extent: v.jump.Extent})
		v.command(systems.Command{Do: systems.DoVelocity, Velocity: space.LocalToGlobalVec(place.Frame.Rotation, wire.ClampVelocity(v.jump.Velocity))})
	}
}

// stand measures where the own object is, and puts it where it is said to be.
func (v *View) stand(b *body, place *space.Position, grounded bool) {
	d := &v.driven
	if r := v.remotes[v.own]; d.placed != v.tick+1 && (r == nil || r.created != v.tick+1) { // one in a tick (22 §11.6)
		v.measureOwn(place)
	}
	d.placed = v.tick + 1
	if !grounded && !b.grounded {
		return // the arc is left alone: a body that is put close above the ground is put onto it (11 §9)
	}
	v.command(systems.Command{Do: systems.DoPosition, Place: *place, Contact: grounded, Force: true})
	switch {
	case !grounded: // he has left it before the engine's did, and to be put close above it is to stand on it
		v.command(systems.Command{Do: systems.DoGround})
	case !b.grounded && v.options.Land == nil: // what it fell with ends on the ground
		v.command(systems.Command{Do: systems.DoVelocity})
		v.command(systems.Command{Do: systems.DoGround, Contact: true, OnWalkable: true})
	}
}

// press presses the keys of a movement state. Who does that takes himself back from
// where the server leads him.
func (v *View) press(b *body) {
	x, d := &v.toState, &v.driven
	if b.led {
		v.command(systems.Command{Do: systems.DoStopCompletely})
	}
	if b.stuck {
		v.command(systems.Command{Do: systems.DoUnstick})
	}
	if x.LongJump() {
		v.command(systems.Command{Do: systems.DoChargeJump})
	}
	v.command(systems.Command{Do: systems.DoRaw, Raw: d.raw})
	for _, a := range x.Raw.List() {
		id, ok := a.Command()
		if !ok || !motion.NewerAction(a.Stamp(), d.stamp) {
			continue
		}
		d.stamp = a.Stamp()
		v.command(systems.Command{Do: systems.DoMotion, Motion: id, Speed: wire.ClampSpeed(a.Speed), Hold: d.raw.HoldKey})
	}
}
