package systems

import (
	"errors"
	"fmt"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems/motion"
)

// Do is what a [Command] asks for.
type Do uint8

// The commands, each with the fields it reads; spec 05 §5.11 says what each calls.
const (
	DoInterpreted    Do = iota + 1 // State, Actions: an inbound movement event of type 0, past its gates
	DoRaw                          // Raw: a whole raw state is installed and applied
	DoMotion                       // Motion, Speed, Hold: a raw command pressed
	DoStopMotion                   // the same, released
	DoStopCompletely               //
	DoPosition                     // Place, Contact, Teleport: an inbound position event, past its gates
	DoConstrain                    // Place, Start, Max: the leash
	DoUnconstrain                  //
	DoGround                       // Contact, OnWalkable: the ground flags change
	DoVelocity                     // Velocity: as by a vector update
)

// Command is a typed input for one remote, the counterpart of a wire message.
type Command struct {
	Guid       uint32
	Do         Do
	State      motion.State
	Actions    []components.Action // read when it is applied; must not change until then
	Raw        components.Raw      // without actions
	Motion     uint32              // full command
	Speed      float32
	Hold       components.HoldKey
	Place      space.Position
	Contact    bool
	OnWalkable bool
	Teleport   bool    // the teleport stamp is newer
	Start, Max float32 // m
	Velocity   space.Vec3
}

// ErrCommand refuses a command that holds something that is no number, no
// place or no rotation, or that asks for nothing known.
var ErrCommand = errors.New("systems: bad command")

func (c *Command) check() error {
	bad := func(what string) error { return fmt.Errorf("%w for 0x%08X: %s", ErrCommand, c.Guid, what) }
	if c.Do < DoInterpreted || c.Do > DoVelocity {
		return bad(fmt.Sprintf("Do is %d", c.Do))
	}
	s, r := &c.State, &c.Raw
	for _, v := range [...]float32{
		s.ForwardSpeed, s.SidestepSpeed, s.TurnSpeed, r.Forward.Speed, r.Sidestep.Speed, r.Turn.Speed, c.Speed, c.Start, c.Max,
	} {
		if !space.Finite(v) {
			return bad("a float is not finite")
		}
	}
	for _, a := range c.Actions {
		if !space.Finite(a.Speed) {
			return bad("an action's speed is not finite")
		}
	}
	if !space.FiniteVec(c.Velocity) {
		return bad("the velocity is not finite")
	}
	if c.Do == DoPosition || c.Do == DoConstrain {
		if !c.Place.Frame.Valid() {
			return bad("the place has no valid frame")
		}
		if !c.Place.Cell.IndexValid() {
			return bad("the place has no valid cell")
		}
	}
	return nil
}
