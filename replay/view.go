package replay

import (
	"encoding/binary"
	"math"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/systems/collision"
	"github.com/gait-engine/gait/wire"
	"github.com/gait-engine/gait/wire/transport"
)

// The bounds on a view, against hostile captures (22 §12).
const (
	MaxGuids  = 1_000_000  // distinct ones that are known at a time, in all views of a run
	MaxTicks  = 20_000_000 // of a view: a week at 30 a second
	MaxQueued = 4 << 20    // bytes of messages for one tick
	MaxStays  = 10_000     // of a view
)

// Room is what the views of a run may still take.
type Room struct{ Samples, Guids int }

// NewRoom returns the room of a run.
func NewRoom() *Room { return &Room{MaxSamples, MaxGuids} }

// outOfSight is after how many seconds an object is dropped that is more than a
// landblock away (22 §11.4).
const outOfSight = 25

// maxPortal bounds in seconds how long a player is taken to be on his way: the end
// of it may not be in the capture.
const maxPortal = 60

// Own says what is done with the object of the player whose capture it is (22 §11.3;
// the third way there, to drive it by the raw states that the client sends, is not here).
type Own uint8

const (
	LeftOut  Own = iota // created, and not moved
	AsRemote            // moved by what the server echoes, as others see him
)

// ViewOptions say how a client's view is played.
type ViewOptions struct {
	Tables         *dat.Tables
	Land           *collision.Land // nil: nothing is run into
	TicksPerSecond float64         // 0 is 30
	Workers        int
	Own            Own
	// AfterTick is called after every tick; nil for nothing.
	AfterTick func(v *View)

	placed func(guid uint32, at int64, place *space.Position) // told of positions that are its object's newest
}

// The opcodes that mean something here and are no wire message of the engine's (22 §8, §11.2).
const (
	opEndStay  = 0xF653
	opNewStay  = 0xF7DF
	envelopeOf = 12 // bytes of an ordered event's or an action's head, with what it is
)

// View is what one client was told, played into an engine (22 §11). One goroutine at a time.
type View struct {
	Seen   Seen
	Census Census

	connection int
	options    ViewOptions
	engine     *systems.Engine
	hz         float64
	tick       int64 // of the view: engines begin anew with each stay
	stay       int
	queued     int // bytes for the next tick
	waiting    int // messages for the next tick

	own      uint32 // guid of the player, 0 unknown
	acted    bool   // the viewer is known from the client's own messages
	viewer   *space.Position
	portal   bool // the player is between places
	portalAt int64
	portals  int // so far

	remotes map[uint32]*remote
	room    *Room
	guids   int              // distinct ones that were created, of all stays
	held    int              // guids that room was taken for
	before  map[uint32]early // guids whose first message was no create
	samples measurements
	pending []pendingSample
	now     comparison
	left    map[uint32]struct{} // guids that left in this tick

	decoder  wire.Decoder
	position wire.PositionEvent
	both     wire.PositionMovement
	create   wire.Create
	state    wire.SetState
	toState  wire.MoveToState
	report   wire.AutonomousPosition
	jump     wire.Jump
}

// remote is what a view remembers of an object, beside the engine.
type remote struct {
	created   int64 // tick in which a create came, 0 none
	placed    int64 // tick of its last position
	at        int64 // ns: when that came
	last      space.Position
	known     bool           // last is
	said      space.Position // in the last position event or create, whatever came of it
	heard     int64          // ns: the last message about it
	away      int64          // ns: since when it is out of sight, 0 not
	portals   int            // at the last message
	fading    bool           // it is being dropped, by no message
	pending   int            // its place in pending, from 1; 0 none
	pendingAt int64          // tick
}

// early is where an object was last said to be that nobody had created, and in which stay.
type early struct {
	said space.Position
	stay int
}

// NewView returns a view that has seen nothing, and shares the room of a run.
func NewView(o ViewOptions, room *Room) (*View, error) {
	v := &View{options: o, hz: o.TicksPerSecond, before: map[uint32]early{}, left: map[uint32]struct{}{}}
	if v.hz == 0 {
		v.hz = 30
	}
	v.room, v.samples.room = room, room
	v.now.inspect = v.compare
	v.decoder.Lenient = true // as the engines are: what a server appends is no reason to lose a message
	v.Seen.Outcomes = map[uint32]*[systems.Refused + 1]uint64{}
	v.Seen.Reasons = map[string]uint64{}
	return v, v.begin()
}

// begin begins a stay with an engine of its own.
func (v *View) begin() (err error) {
	v.stay++
	v.room.Guids += v.held - len(v.before) // what was known of the stay before is forgotten
	v.held = len(v.before)
	v.remotes = map[uint32]*remote{}
	v.viewer, v.acted, v.portal = nil, false, false
	v.engine, err = systems.New(systems.Options{
		Tables: v.options.Tables, Land: v.options.Land, TicksPerSecond: v.hz, Workers: v.options.Workers, Lenient: true,
	})
	return err
}

// Connection returns the number of the view's connection in the report of a [Run], 0
// outside of one.
func (v *View) Connection() int { return v.connection }

// Engine returns the engine of the stay in hand.
func (v *View) Engine() *systems.Engine { return v.engine }

// Has reports whether there is an object of a guid.
func (v *View) Has(guid uint32) bool {
	return v.engine.Inspect(guid, func(*components.Row, *components.Pools) {})
}

// Tick returns the number of the last tick, of all stays.
func (v *View) Tick() int64 { return v.tick }

// Own returns the guid of the player, 0 while it is not known.
func (v *View) Own() uint32 { return v.own }

// Errors makes the distributions of what was measured so far.
func (v *View) Errors() *Errors { return v.samples.errors() }

// tickOf is the tick at whose start a message is applied that came at a time in ns (22 §11.1).
func (v *View) tickOf(at int64) int64 {
	return int64(math.Floor(float64(max(at, 0))*v.hz/1e9)) + 1
}

// Message takes a game message at its time, in ns since the connection's first
// datagram. The bytes are copied. Fewer than four are no message.
func (v *View) Message(at int64, dir transport.Dir, msg []byte) {
	if len(msg) < 4 {
		return
	}
	v.Census.count(dir, msg)
	if v.Seen.Cut {
		return
	}
	if dir == transport.C2S {
		v.advance(v.tickOf(at) - 1)
		v.acts(msg)
		return
	}
	op := binary.LittleEndian.Uint32(msg)
	switch op {
	case wire.OpCreate, wire.OpUpdate, wire.OpMovement, wire.OpPosition, wire.OpPositionMovement, wire.OpVector,
		wire.OpSetState, wire.OpDelete, wire.OpPickup, wire.OpParent, wire.OpPlayerTeleport, wire.OpCreatePlayer, opEndStay, opNewStay:
	case wire.OpOrdered:
		if v.own != 0 || len(msg) < 8 {
			return
		}
	default:
		return
	}
	v.advance(v.tickOf(at) - 1)
	if v.Seen.Cut {
		return
	}
	switch op {
	case wire.OpOrdered:
		v.name(binary.LittleEndian.Uint32(msg[4:]))
	case wire.OpCreatePlayer:
		if guid, ok := wire.Guid(msg); ok && guid != v.own {
			if v.own != 0 {
				v.leave()
			}
			v.name(guid)
		}
	case opEndStay, opNewStay:
		v.leave()
		if op == opEndStay {
			v.own = 0
		}
	case wire.OpPlayerTeleport:
		v.portal, v.portalAt = true, at
		v.portals++
		v.give(op, 0, msg)
	default:
		v.object(op, at, msg)
	}
}

// name says which object is the player's own. It may have come before this did: the
// viewer is where it was last said to be.
func (v *View) name(guid uint32) {
	v.own = guid
	if v.acted {
		return
	}
	if r := v.remotes[guid]; r != nil {
		v.watch(&r.said)
	} else if e, ok := v.before[guid]; ok && e.stay == v.stay {
		v.watch(&e.said)
	}
}

// says notes where an object is said to be, in a position event or a create: until the
// client says more of himself, the viewer is where the own one is (22 §11.3).
func (v *View) says(r *remote, guid uint32, place *space.Position) {
	if r != nil {
		r.said = *place
	} else if _, known := v.before[guid]; known {
		v.before[guid] = early{*place, v.stay}
	}
	if guid == v.own && !v.acted {
		v.watch(place)
	}
}

// leave ends a stay: all objects go, and what is parked.
func (v *View) leave() {
	if parked, _, _ := v.engine.ParkedCount(); v.engine.Len() == 0 && len(v.remotes) == 0 && v.queued == 0 && parked == 0 {
		return
	}
	if v.Seen.Stays == MaxStays {
		v.Seen.Cut = true
		return
	}
	v.samples.fates[Left] += uint64(len(v.pending))
	v.Seen.Leftover += uint64(v.waiting)
	v.pending, v.queued, v.waiting = v.pending[:0], 0, 0
	v.settle()
	if err := v.begin(); err != nil {
		panic("replay: an engine was made once with these options, and now it is refused: " + err.Error())
	}
}

// settle adds what the engine counted itself.
func (v *View) settle() {
	waiting, dropped, expired := v.engine.ParkedCount()
	v.Seen.Waiting += uint64(waiting)
	v.Seen.Dropped += dropped
	v.Seen.Expired += expired
	if v.tick > 0 {
		v.Seen.Stays++
	}
}

// give hands a message to the engine; it reports false when it is too much for a tick.
func (v *View) give(op, guid uint32, msg []byte) bool {
	if v.queued+len(msg) > MaxQueued {
		v.Seen.Flooded++
		return false
	}
	v.queued += len(msg) + 64
	v.Seen.Given++
	if err := v.engine.Inbound(msg); err != nil {
		v.outcome(&systems.Outcome{Guid: guid, Opcode: op, Verdict: systems.Refused, Err: err})
		return false
	}
	v.waiting++
	return true
}

func (v *View) outcome(o *systems.Outcome) {
	of := v.Seen.Outcomes[o.Opcode]
	if of == nil {
		of = new([systems.Refused + 1]uint64)
		v.Seen.Outcomes[o.Opcode] = of
	}
	of[o.Verdict]++
	if o.Err != nil {
		v.Seen.Reasons[Reason(o.Err)]++
	}
}

// object takes a message about an object.
func (v *View) object(op uint32, at int64, msg []byte) {
	guid, _ := wire.Guid(msg)
	creates := op == wire.OpCreate || op == wire.OpUpdate
	r := v.remotes[guid]
	if r == nil && guid != 0 {
		switch {
		case creates:
			if !v.takeGuid() {
				v.Seen.Flooded++
				return
			}
			v.guids++
			r = &remote{}
			v.remotes[guid] = r
		default:
			v.Seen.BeforeMessages++
			if _, known := v.before[guid]; !known && v.takeGuid() {
				v.before[guid] = early{}
			}
		}
	}
	if r != nil {
		r.heard, r.portals = at, v.portals
	}
	var broken error
	if op == wire.OpPosition {
		if broken = v.decoder.Position(msg, &v.position); broken == nil {
			v.says(r, guid, &v.position.Pack.Place)
		}
	}
	if guid == v.own && guid != 0 && v.options.Own == LeftOut {
		switch op {
		case wire.OpMovement, wire.OpPosition, wire.OpPositionMovement, wire.OpVector:
			v.Seen.OwnLeftOut++
			if op != wire.OpMovement && op != wire.OpVector {
				v.samples.fates[OwnObject]++
			}
			return
		}
	}
	var s pendingSample
	measures := false
	switch op {
	case wire.OpPosition:
		measures = true
		if broken != nil {
			s.fate = Broken
		} else {
			s = v.measure(r, guid, at, &v.position.Pack)
		}
	case wire.OpPositionMovement:
		measures = true
		if err := v.decoder.Into(msg, &v.both); err != nil {
			s.fate = Broken
		} else {
			s = v.measure(r, guid, at, &v.both.Pack)
		}
	case wire.OpCreate, wire.OpUpdate:
		s, measures = v.described(r, guid, at, msg)
	case wire.OpSetState:
		if guid == v.own && v.decoder.Into(msg, &v.state) == nil && v.state.State&stateHidden == 0 {
			v.portal = false
		}
	}
	given := v.give(op, guid, msg)
	if !measures {
		return
	}
	s.guid, s.opcode = guid, op
	switch {
	case s.fate == Broken:
	case !given:
		s.fate = Flooded
	}
	if r == nil || s.fate == Broken || s.fate == Flooded || s.fate == Again {
		v.samples.fates[s.fate]++
		return
	}
	v.pending = append(v.pending, s)
	r.pending, r.pendingAt = len(v.pending), v.tick+1
}

// takeGuid takes room for one more guid.
func (v *View) takeGuid() bool {
	if v.room.Guids == 0 {
		return false
	}
	v.room.Guids--
	v.held++
	return true
}

// stateHidden is the bit of the state word that hides an object (20 §2.5).
const stateHidden = 0x4000

// acts takes a message of the client's own: it says where the viewer is (22 §11.3).
func (v *View) acts(msg []byte) {
	var place *space.Position
	var err error
	if binary.LittleEndian.Uint32(msg) != wire.OpAction {
		return
	}
	switch wire.Opcode(msg) {
	case wire.ActMoveToState:
		err, place = v.decoder.Into(msg, &v.toState), &v.toState.Place
	case wire.ActAutonomousPosition:
		err, place = v.decoder.Into(msg, &v.report), &v.report.Place
	case wire.ActJump:
		err, place = v.decoder.Into(msg, &v.jump), &v.jump.Place
	default:
		return
	}
	if err == nil {
		v.acted = true
		if wire.Opcode(msg) != wire.ActJump { // he has left the ground where he says he is
			v.measureOwn(place)
		}
		v.watch(place)
	}
}

// watch moves the viewer.
func (v *View) watch(place *space.Position) {
	p := wire.Settle(*place)
	if p.Cell == 0 || v.engine.SetViewer(&p) != nil {
		return // outside of the world: he stays where he was
	}
	v.viewer = &p
}

// Finish runs the ticks up to a time in ns, and the one in which the last messages
// are applied.
func (v *View) Finish(at int64) {
	v.advance(v.tickOf(at))
	v.Seen.Distinct = v.guids
	v.Seen.BeforeGuids = len(v.before)
	v.Seen.Leftover += uint64(v.waiting)
	v.settle()
}

// Close gives the room back that the view's guids take; it takes no more messages.
func (v *View) Close() {
	v.room.Guids += v.held
	v.held, v.Seen.Cut = 0, true
}
