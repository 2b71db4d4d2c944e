package wire

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gait-engine/gait/space"
)

type vector struct {
	Dir     string         `json:"dir"`
	Opcode  string         `json:"opcode"`
	Hex     string         `json:"hex"`
	Decoded map[string]any `json:"decoded"`
	Excerpt string         `json:"excerpt"`
}

func readVectors(tb testing.TB) []vector {
	dir := os.Getenv("GAIT_SHARED")
	if dir == "" {
		dir = "../../shared"
	}
	f, err := os.Open(filepath.Join(dir, "vectors", "messages.jsonl"))
	if err != nil {
		tb.Skip("recorded messages are not here:", err)
	}
	defer f.Close()
	var vs []vector
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		d := json.NewDecoder(bytes.NewReader(s.Bytes()))
		d.UseNumber()
		var v vector
		if err := d.Decode(&v); err != nil {
			tb.Fatal(err)
		}
		vs = append(vs, v)
	}
	if s.Err() != nil {
		tb.Fatal(s.Err())
	}
	return vs
}

func (v *vector) bytes(tb testing.TB) []byte {
	b, err := hex.DecodeString(v.Hex)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// Every recorded message decodes to its values, to the last byte, and encodes
// to the same bytes (20 §8).
func TestSpec20_8_RecordedMessages(t *testing.T) {
	vs := readVectors(t)
	if len(vs) < 44 {
		t.Fatalf("only %d recorded messages", len(vs))
	}
	for i, v := range vs {
		t.Run(fmt.Sprintf("%02d_%s", i, v.Opcode), func(t *testing.T) {
			b := v.bytes(t)
			var d Decoder
			m, err := d.Decode(b)
			if err != nil {
				t.Fatal(err)
			}
			if d.Counts.Pads != 0 || d.Counts.Trailing != 0 {
				t.Errorf("pads or trailing bytes: %+v", d.Counts)
			}
			if op := fmt.Sprintf("0x%04X", m.Opcode()); op != v.Opcode {
				t.Errorf("opcode %s, recorded %s", op, v.Opcode)
			}
			compare(t, "", values(m), v.Decoded)
			if c, ok := m.(*Create); ok {
				if len(c.Rest) != 0 {
					t.Errorf("%d bytes after the descriptor of an excerpt", len(c.Rest))
				}
				if v.Excerpt == "" {
					t.Error("not an excerpt")
				}
			}
			got, err := m.Append(nil)
			if err != nil || !bytes.Equal(got, b) {
				t.Errorf("encoded: %v\n got %x\nwant %x", err, got, b)
			}
			fresh(m)
			again, err := m.Append(nil)
			if err != nil || len(again) > len(b) {
				t.Errorf("fresh encoding of %d bytes, recorded %d: %v", len(again), len(b), err)
			}
			switch m.(type) {
			case *PositionEvent, *MoveToState, *AutonomousPosition, *Jump: // 20 §6
				if !bytes.Equal(again, b) {
					t.Errorf("the presence rules give other bytes\n got %x\nwant %x", again, b)
				}
			}
		})
	}
}

// compare wants got and want to hold the same keys with the same values.
func compare(t *testing.T, at string, got, want any) {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			t.Errorf("%s: got %T, want an object", at, got)
			return
		}
		for k := range w {
			if _, ok := g[k]; !ok {
				t.Errorf("%s.%s: not decoded", at, k)
				continue
			}
			compare(t, at+"."+k, g[k], w[k])
		}
		for k := range g {
			if _, ok := w[k]; !ok {
				t.Errorf("%s.%s: decoded %v, not recorded", at, k, g[k])
			}
		}
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			t.Errorf("%s: got %v, want %v", at, got, want)
			return
		}
		for i := range w {
			compare(t, fmt.Sprintf("%s[%d]", at, i), g[i], w[i])
		}
	case json.Number:
		switch g := got.(type) {
		case float32:
			f, err := strconv.ParseFloat(string(w), 32)
			if err != nil || !sameBits(float32(f), g) {
				t.Errorf("%s: got %v, want %v", at, g, w)
			}
		case int:
			if fmt.Sprint(g) != string(w) {
				t.Errorf("%s: got %v, want %v", at, g, w)
			}
		default:
			t.Errorf("%s: got %T, want a number", at, got)
		}
	case string:
		n, err := strconv.ParseUint(strings.TrimPrefix(w, "0x"), 16, 32)
		if g, ok := got.(uint32); err != nil || !ok || uint64(g) != n {
			t.Errorf("%s: got %v, want %v", at, got, w)
		}
	default:
		if got != want {
			t.Errorf("%s: got %v, want %v", at, got, want)
		}
	}
}

// values says what a message holds in the words of the recordings: ids, flags
// and indices as uint32, counts and stamps as int, and only what was sent.
func values(m Message) map[string]any {
	switch m := m.(type) {
	case *Movement:
		v := bodyValues(&m.Body)
		v["guid"] = m.Guid
		v["instance_stamp"] = int(m.Instance)
		v["movement_stamp"] = int(m.Movement)
		v["server_control_stamp"] = int(m.ServerControl)
		v["autonomous"] = m.Autonomous == 1
		return v
	case *PositionEvent:
		p := &m.Pack
		v := map[string]any{
			"guid": m.Guid, "flags": p.Flags, "contact": p.Contact(),
			"instance_stamp": int(p.Instance), "position_stamp": int(p.Position),
			"teleport_stamp": int(p.Teleport), "force_position_stamp": int(p.ForcePosition),
		}
		placeValues(v, &p.Place)
		if p.Flags&PackVelocity != 0 {
			v["velocity"] = vec(p.Velocity)
		}
		if p.Flags&PackPlacement != 0 {
			v["placement"] = int(p.Placement)
		}
		return v
	case *SetState:
		return map[string]any{"guid": m.Guid, "state": m.State,
			"instance_stamp": int(m.Instance), "state_stamp": int(m.Stamp)}
	case *VectorUpdate:
		return map[string]any{"guid": m.Guid, "velocity": vec(m.Velocity), "omega": vec(m.Omega),
			"instance_stamp": int(m.Instance), "vector_stamp": int(m.Vector)}
	case *Delete:
		return map[string]any{"guid": m.Guid, "instance_stamp": int(m.Instance)}
	case *Parent:
		return map[string]any{"parent": m.Holder, "child": m.Held,
			"location": int(m.Location), "placement": int(m.Placement),
			"parent_instance_stamp": int(m.HolderInstance), "child_position_stamp": int(m.HeldPosition)}
	case *Pickup:
		return map[string]any{"guid": m.Guid, "instance_stamp": int(m.Instance), "position_stamp": int(m.Position)}
	case *Create:
		return createValues(m)
	case *MoveToState:
		v := actionValues(m.Sequence, &m.Place, &m.Stamps)
		v["raw"] = rawValues(&m.Raw)
		v["contact"] = m.Contact()
		v["long_jump"] = m.LongJump()
		return v
	case *AutonomousPosition:
		v := actionValues(m.Sequence, &m.Place, &m.Stamps)
		v["contact"] = m.Contact()
		return v
	case *Jump:
		v := actionValues(m.Sequence, &m.Place, &m.Stamps)
		v["extent"] = m.Extent
		v["velocity"] = vec(m.Velocity)
		return v
	}
	return nil
}

func vec(v space.Vec3) []any { return []any{v[0], v[1], v[2]} }

func placeValues(v map[string]any, p *space.Position) {
	q := p.Frame.Rotation
	v["cell"] = uint32(p.Cell)
	v["origin"] = vec(p.Frame.Origin)
	v["rotation"] = []any{q.W, q.V[0], q.V[1], q.V[2]}
}

func actionValues(sequence uint32, p *space.Position, q *Quad) map[string]any {
	v := map[string]any{"action_sequence": int(sequence),
		"instance_stamp": int(q.Instance), "server_control_stamp": int(q.ServerControl),
		"teleport_stamp": int(q.Teleport), "force_position_stamp": int(q.ForcePosition)}
	placeValues(v, p)
	return v
}

func bodyValues(m *Body) map[string]any {
	v := map[string]any{
		"movement_type": int(m.Type), "option_flags": uint32(m.Options), "style_index": uint32(m.Style),
	}
	params := map[string]any{"flags": m.Params.Flags, "speed": m.Params.Speed, "desired_heading": m.Params.DesiredHeading}
	switch m.Type {
	case TypeState:
		v["state"] = stateValues(&m.State)
		v["standing_long_jump"] = m.StandingLongJump()
		if m.Options&OptionSticky != 0 {
			v["sticky_target"] = m.Sticky
		}
		return v
	case TypeMoveToObject, TypeMoveToPosition:
		params["distance_to_object"] = m.Params.DistanceToObject
		params["min_distance"] = m.Params.MinDistance
		params["fail_distance"] = m.Params.FailDistance
		params["walk_run_threshold"] = m.Params.WalkRunThreshold
		v["cell"] = uint32(m.Cell)
		v["origin"] = vec(m.Origin)
		v["run_rate"] = m.RunRate
	case TypeTurnToObject:
		v["heading"] = m.Heading
	}
	if m.Type == TypeMoveToObject || m.Type == TypeTurnToObject {
		v["target"] = m.Target
	}
	v["params"] = params
	return v
}

func stateValues(s *State) map[string]any {
	v := map[string]any{"flags": s.Flags}
	for _, f := range []struct {
		bit  uint32
		name string
		v    any
	}{
		{StateStyle, "style", uint32(s.Style)},
		{StateForward, "forward", uint32(s.Forward)},
		{StateSidestep, "sidestep", uint32(s.Sidestep)},
		{StateTurn, "turn", uint32(s.Turn)},
		{StateForwardSpeed, "forward_speed", s.ForwardSpeed},
		{StateSidestepSpeed, "sidestep_speed", s.SidestepSpeed},
		{StateTurnSpeed, "turn_speed", s.TurnSpeed},
	} {
		if s.Flags&f.bit != 0 {
			v[f.name] = f.v
		}
	}
	if s.Count > 0 {
		v["actions"] = actionList(s.List())
	}
	return v
}

func actionList(actions []Action) []any {
	var list []any
	for _, a := range actions {
		list = append(list, map[string]any{"command_index": uint32(a.Index), "stamp": int(a.Stamp()),
			"autonomous": a.Autonomous(), "speed": a.Speed})
	}
	return list
}

func rawValues(s *Raw) map[string]any {
	v := map[string]any{"flags": s.Flags}
	for _, f := range []struct {
		bit  uint32
		name string
		v    any
	}{
		{RawHoldKey, "hold_key", int(s.HoldKey)},
		{RawStyle, "style", s.Style},
		{RawForward, "forward", s.Forward},
		{RawForwardHold, "forward_hold", int(s.ForwardHold)},
		{RawForwardSpeed, "forward_speed", s.ForwardSpeed},
		{RawSidestep, "sidestep", s.Sidestep},
		{RawSidestepHold, "sidestep_hold", int(s.SidestepHold)},
		{RawSidestepSpeed, "sidestep_speed", s.SidestepSpeed},
		{RawTurn, "turn", s.Turn},
		{RawTurnHold, "turn_hold", int(s.TurnHold)},
		{RawTurnSpeed, "turn_speed", s.TurnSpeed},
	} {
		if s.Flags&f.bit != 0 {
			v[f.name] = f.v
		}
	}
	if s.Count > 0 {
		v["actions"] = actionList(s.List())
	}
	return v
}

func createValues(m *Create) map[string]any {
	p := &m.Physics
	v := map[string]any{
		"guid": m.Guid, "flags": p.Flags, "state": p.State,
		"physics_offset": (8 + len(m.Appearance.Raw) + 3) &^ 3,
		"appearance": map[string]any{"palette_swaps": int(m.Appearance.Palettes),
			"texture_swaps": int(m.Appearance.Textures), "part_swaps": int(m.Appearance.Models)},
		"stamps": map[string]any{
			"position": int(p.Stamps[SlotPosition]), "movement": int(p.Stamps[SlotMovement]),
			"state": int(p.Stamps[SlotState]), "vector": int(p.Stamps[SlotVector]),
			"teleport": int(p.Stamps[SlotTeleport]), "server_control": int(p.Stamps[SlotServerControl]),
			"force_position": int(p.Stamps[SlotForcePosition]), "appearance": int(p.Stamps[SlotAppearance]),
			"instance": int(p.Stamps[SlotInstance]),
		},
	}
	if p.HasBody {
		v["movement"] = bodyValues(&p.Body)
		v["movement_length"] = len(bodyBytes(&p.Body))
		v["movement_autonomous"] = int(p.BodyAutonomous)
	} else if p.Flags&PhysPlacement != 0 {
		v["placement"] = int(p.Placement)
	}
	if p.Flags&PhysPosition != 0 {
		placeValues(v, &p.Position)
	}
	if p.Flags&PhysParent != 0 {
		v["parent"] = p.Parent
		v["parent_location"] = int(p.ParentLocation)
	}
	for _, f := range []struct {
		bit  uint32
		name string
		v    any
	}{
		{PhysMotionTable, "motion_table", p.MotionTable},
		{PhysSoundTable, "sound_table", p.SoundTable},
		{PhysScriptTable, "script_table", p.ScriptTable},
		{PhysSetup, "setup", p.Setup},
		{PhysScale, "scale", p.Scale},
		{PhysFriction, "friction", p.Friction},
		{PhysElasticity, "elasticity", p.Elasticity},
		{PhysTranslucency, "translucency", p.Translucency},
		{PhysVelocity, "velocity", vec(p.Velocity)},
		{PhysAcceleration, "acceleration", vec(p.Acceleration)},
		{PhysOmega, "omega", vec(p.Omega)},
		{PhysDefaultScript, "default_script", int(p.DefaultScript)},
		{PhysScriptIntensity, "default_script_intensity", p.DefaultScriptIntensity},
	} {
		if p.Flags&f.bit != 0 {
			v[f.name] = f.v
		}
	}
	return v
}
