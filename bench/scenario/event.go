package scenario

import (
	"encoding/json"
	"fmt"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/systems/motion"
)

func (s *Scenario) parseEvent(index int, raw []byte, guids map[uint32]struct{}) (Event, error) {
	o := newObject(fmt.Sprintf("event %d", index), raw)
	o.need("tick", "guid", "do")
	e := Event{Index: index, Tick: int(o.integer("tick", 0, 1, int64(s.Ticks))), Do: o.text("do")}
	guid := o.id("guid", 0)
	o.where = e.where()
	if _, known := guids[guid]; o.err == nil && !known {
		o.fail("there is no entity 0x%08X", guid)
	}
	e.Command.Guid = guid
	if e.Do == "wire" {
		o.need("hex")
		e.Message = o.bytes("hex")
	} else {
		parseCommand(o, e.Do, &e.Command)
	}
	return e, o.close()
}

// where names the event in messages.
func (e *Event) where() string {
	if len(e.Do) > 40 {
		return fmt.Sprintf("event %d (tick %d)", e.Index, e.Tick)
	}
	return fmt.Sprintf("event %d (tick %d, %q)", e.Index, e.Tick, e.Do)
}

// parseCommand reads the fields of an event (05 §5.11) with the defaults of the format.
func parseCommand(o *object, do string, c *systems.Command) {
	switch do {
	case "interpreted":
		c.Do = systems.DoInterpreted
		c.State = motion.State{
			Style:         o.id("style", motion.NonCombat),
			Forward:       o.id("forward", motion.Ready),
			ForwardSpeed:  o.float("forward_speed", 1),
			Sidestep:      o.id("sidestep", 0),
			SidestepSpeed: o.float("sidestep_speed", 1),
			Turn:          o.id("turn", 0),
			TurnSpeed:     o.float("turn_speed", 1),
		}
		c.Actions = parseActions(o)
	case "raw":
		c.Do = systems.DoRaw
		c.Raw.HoldKey = parseHold(o, "hold_key")
		c.Raw.Style = o.id("style", motion.NonCombat)
		c.Raw.Forward = parseAxis(o, "forward", motion.Ready)
		c.Raw.Sidestep = parseAxis(o, "sidestep", 0)
		c.Raw.Turn = parseAxis(o, "turn", 0)
	case "do_motion", "stop_motion":
		c.Do = systems.DoMotion
		if do == "stop_motion" {
			c.Do = systems.DoStopMotion
		}
		o.need("motion")
		c.Motion = o.id("motion", 0)
		c.Speed = o.float("speed", 1)
		c.Hold = parseHold(o, "hold_key")
	case "stop_completely":
		c.Do = systems.DoStopCompletely
	case "position":
		c.Do = systems.DoPosition
		o.need("contact", "teleport")
		c.Place = o.place(true)
		c.Contact = o.boolean("contact", false)
		c.Teleport = o.boolean("teleport", false)
	case "constrain":
		c.Do = systems.DoConstrain
		o.need("start", "max")
		c.Place = o.place(false)
		c.Start = o.float("start", 0)
		c.Max = o.float("max", 0)
	case "unconstrain":
		c.Do = systems.DoUnconstrain
	case "ground":
		c.Do = systems.DoGround
		o.need("contact", "on_walkable")
		c.Contact = o.boolean("contact", false)
		c.OnWalkable = o.boolean("on_walkable", false)
	case "velocity":
		c.Do = systems.DoVelocity
		o.need("velocity")
		c.Velocity = o.vector("velocity")
	case "move_to_position":
		c.Do = systems.DoMoveToPosition
		c.Place = o.place(true)
		parseOrder(o, c)
	case "move_to_object":
		c.Do = systems.DoMoveToObject
		o.need("target")
		c.Target = o.id("target", 0)
		parseOrder(o, c)
	case "turn_to_object":
		c.Do = systems.DoTurnToObject
		o.need("target")
		c.Target = o.id("target", 0)
		parseOrder(o, c)
	case "turn_to_heading":
		c.Do = systems.DoTurnToHeading
		parseOrder(o, c)
	case "stick":
		c.Do = systems.DoStick
		o.need("target")
		c.Target = o.id("target", 0)
		c.Radius = o.float("radius", 0)
		c.Height = o.float("height", 0)
	case "unstick":
		c.Do = systems.DoUnstick
	default:
		o.fail(`"do" is nothing known`)
	}
}

// parseOrder reads what the orders to move or turn share: parameters, which
// begin at their defaults, a heading that takes the place of theirs, a run rate.
func parseOrder(o *object, c *systems.Command) {
	c.Params = motion.DefaultParams()
	if raw, ok := o.take("params"); ok {
		p := newObject(o.where+": params", raw)
		q := &c.Params
		q.Flags = components.ParamFlags(p.id("flags", uint32(q.Flags)))
		q.DistanceToObject = p.float("distance_to_object", q.DistanceToObject)
		q.MinDistance = p.float("min_distance", q.MinDistance)
		q.FailDistance = p.float("fail_distance", q.FailDistance)
		q.Speed = p.float("speed", q.Speed)
		q.WalkRunThreshold = p.float("walk_run_threshold", q.WalkRunThreshold)
		q.DesiredHeading = p.float("desired_heading", q.DesiredHeading)
		if err := p.close(); err != nil && o.err == nil {
			o.err = err
		}
	}
	if o.has("heading") {
		c.Params.DesiredHeading = o.float("heading", 0)
	}
	if o.has("run_rate") {
		c.RunRate, c.HasRunRate = o.float("run_rate", 1), true
	}
}

func parseHold(o *object, key string) components.HoldKey {
	return components.HoldKey(o.integer(key, 0, int64(components.HoldInvalid), int64(components.HoldRun)))
}

func parseAxis(o *object, name string, rest uint32) components.Axis {
	return components.Axis{
		Motion: o.id(name, rest),
		Hold:   parseHold(o, name+"_hold"),
		Speed:  o.float(name+"_speed", 1),
	}
}

// parseActions reads [[command, stamp, autonomous, speed]…].
func parseActions(o *object) []components.Action {
	raw, ok := o.take("actions")
	if !ok {
		return nil
	}
	var actions []components.Action
	err := each(raw, MaxActions, func(i int, item json.RawMessage) error {
		v, ok := tuple(item, 4)
		if !ok {
			return fmt.Errorf("action %d is not [command, stamp, autonomous, speed]", i)
		}
		f := &object{where: fmt.Sprintf("%s: action %d", o.where, i), fields: map[string]json.RawMessage{
			"command": v[0], "stamp": v[1], "autonomous": v[2], "speed": v[3],
		}}
		actions = append(actions, components.Action{
			Motion:     f.id("command", 0),
			Stamp:      uint16(f.integer("stamp", 0, 0, 0xFFFF)),
			Autonomous: f.boolean("autonomous", false),
			Speed:      f.float("speed", 0),
		})
		return f.close()
	})
	if err != nil && o.err == nil {
		o.err = listError(o.where, err)
	}
	return actions
}
