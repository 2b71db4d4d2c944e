package scenario

import (
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems"
)

// encode writes a scenario in the format that Parse reads, so that what a test
// found can be kept as a file. Events keep their order.
func encode(s *Scenario) []byte {
	top := fields{"name": s.Name, "about": s.About, "tick_hz": s.TickHz, "ticks": s.Ticks, "tables": s.Tables, "sweep": "none"}
	if s.Viewer != nil {
		top["viewer"] = placed(fields{}, s.Viewer, false)
	}
	var entities, events []fields
	for i := range s.Entities {
		entities = append(entities, entityFields(&s.Entities[i]))
	}
	for i := range s.Events {
		events = append(events, eventFields(&s.Events[i]))
	}
	top["entities"], top["events"] = entities, events
	b, err := json.MarshalIndent(top, "", " ")
	if err != nil {
		panic("a scenario of numbers that are none: " + err.Error())
	}
	return append(b, '\n')
}

type fields = map[string]any

func idText(id uint32) string { return fmt.Sprintf("0x%08X", id) }

func placed(f fields, p *space.Position, rotated bool) fields {
	f["cell"], f["origin"] = idText(uint32(p.Cell)), p.Frame.Origin
	if q := p.Frame.Rotation; rotated {
		f["rotation"] = [4]float32{q.W, q.V[0], q.V[1], q.V[2]}
	}
	return f
}

func entityFields(e *systems.Spawn) fields {
	f := placed(fields{
		"guid": idText(e.Guid), "motion_table": idText(e.MotionTable), "setup": idText(e.Setup), "scale": e.Scale,
		"contact": e.Contact, "on_walkable": e.OnWalkable,
		"gravity": e.State&components.Gravity != 0, "creature": e.Game&components.Creature != 0, "run_rate": e.RunRate,
	}, &e.Place, true)
	if e.Game&components.HasRunRate == 0 {
		f["run_rate"] = nil
	}
	return f
}

func eventFields(e *Event) fields {
	c := &e.Command
	f := fields{"tick": e.Tick, "guid": idText(c.Guid), "do": e.Do}
	switch {
	case e.Message != nil:
		f["hex"] = hex.EncodeToString(e.Message)
	case c.Do == systems.DoInterpreted:
		s := &c.State
		f["style"], f["forward"], f["forward_speed"] = idText(s.Style), idText(s.Forward), s.ForwardSpeed
		f["sidestep"], f["sidestep_speed"], f["turn"], f["turn_speed"] = idText(s.Sidestep), s.SidestepSpeed, idText(s.Turn), s.TurnSpeed
		actions := []any{}
		for _, a := range c.Actions {
			actions = append(actions, []any{idText(a.Motion), a.Stamp, a.Autonomous, a.Speed})
		}
		f["actions"] = actions
	case c.Do == systems.DoRaw:
		f["hold_key"], f["style"] = c.Raw.HoldKey, idText(c.Raw.Style)
		for name, a := range map[string]components.Axis{"forward": c.Raw.Forward, "sidestep": c.Raw.Sidestep, "turn": c.Raw.Turn} {
			f[name], f[name+"_hold"], f[name+"_speed"] = idText(a.Motion), a.Hold, a.Speed
		}
	case c.Do == systems.DoMotion || c.Do == systems.DoStopMotion:
		f["motion"], f["speed"], f["hold_key"] = idText(c.Motion), c.Speed, c.Hold
	case c.Do == systems.DoPosition:
		placed(f, &c.Place, true)
		f["contact"], f["teleport"] = c.Contact, c.Teleport
	case c.Do == systems.DoConstrain:
		placed(f, &c.Place, false)
		f["start"], f["max"] = c.Start, c.Max
	case c.Do == systems.DoGround:
		f["contact"], f["on_walkable"] = c.Contact, c.OnWalkable
	case c.Do == systems.DoVelocity:
		f["velocity"] = c.Velocity
	case c.Do == systems.DoStick:
		f["target"], f["radius"], f["height"] = idText(c.Target), c.Radius, c.Height
	case c.Do >= systems.DoMoveToObject && c.Do <= systems.DoTurnToHeading:
		orderFields(f, c)
	}
	return f
}

func orderFields(f fields, c *systems.Command) {
	p := &c.Params
	f["params"] = fields{
		"flags": idText(uint32(p.Flags)), "distance_to_object": p.DistanceToObject, "min_distance": p.MinDistance, "fail_distance": p.FailDistance,
		"speed": p.Speed, "walk_run_threshold": p.WalkRunThreshold, "desired_heading": p.DesiredHeading,
	}
	if c.HasRunRate {
		f["run_rate"] = c.RunRate
	}
	switch c.Do {
	case systems.DoMoveToPosition:
		placed(f, &c.Place, true)
	case systems.DoMoveToObject, systems.DoTurnToObject:
		f["target"] = idText(c.Target)
	}
}
