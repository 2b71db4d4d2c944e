package scenario

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/systems/motion"
)

const walker = `{"guid": "0x50000001", "motion_table": "0x09000001", "cell": "0xA9B4001D", "origin": [84, 101, 10], "rotation": [1, 0, 0, 0]}`

// with returns a scenario with the given entities and events.
func with(entities, events string) string {
	return `{"name": "n", "tick_hz": 16, "ticks": 20, "tables": "../t", "sweep": "none", "entities": [` + entities + `], "events": [` + events + `]}`
}

func event(fields string) string {
	return with(walker, `{"tick": 3, "guid": "0x50000001", `+fields+`}`)
}

func parse(t *testing.T, text string) *Scenario {
	t.Helper()
	s, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestParseHead(t *testing.T) {
	s := parse(t, `{"name":"a","about":"b","tick_hz":12.5,"ticks":7,"tables":"../x","sweep":"none",
		"viewer":{"cell":"0xA9B40001","origin":[1,2,3]},"entities":[],"events":[]}`)
	want := &Scenario{Name: "a", About: "b", TickHz: 12.5, Ticks: 7, Tables: filepath.FromSlash("../x"), Sweep: "none",
		Viewer: &space.Position{Cell: 0xA9B40001, Frame: space.Frame{Origin: space.Vec3{1, 2, 3}, Rotation: space.IdentityQuat}}}
	if !reflect.DeepEqual(s, want) {
		t.Errorf("got %+v, want %+v", s, want)
	}
}

func TestParseEntityDefaults(t *testing.T) {
	e := parse(t, with(walker, "")).Entities[0]
	want := systems.NewSpawn(0x50000001, space.Position{Cell: 0xA9B4001D, Frame: space.Frame{Origin: space.Vec3{84, 101, 10}, Rotation: space.IdentityQuat}})
	want.MotionTable = 0x09000001
	if !reflect.DeepEqual(e, want) {
		t.Errorf("got %+v, want %+v", e, want)
	}
	if e.Scale != 1 || !e.Contact || !e.OnWalkable || e.State&components.Gravity == 0 || e.RunRate != 1 ||
		e.Game != components.HasGame|components.Creature|components.HasRunRate {
		t.Errorf("defaults of a new remote are not those of the format: %+v", e)
	}
}

func TestParseEntityWhole(t *testing.T) {
	e := parse(t, with(`{"guid": "0x5", "motion_table": "0x09000007", "setup": "0x02000007", "scale": 1.5,
		"cell": "0xA9B4001D", "origin": [84, 101, 10], "rotation": [0, 0, 0, -1], "contact": false, "on_walkable": false,
		"gravity": false, "creature": false, "run_rate": null, "jump_extent_height": 2.5}`, "")).Entities[0]
	if e.Guid != 5 || e.MotionTable != 0x09000007 || e.Setup != 0x02000007 || e.Scale != 1.5 || e.Contact || e.OnWalkable ||
		e.State != components.DefaultState&^components.Gravity || e.Game != components.HasGame ||
		e.Place.Frame.Rotation != (space.Quat{V: space.Vec3{0, 0, -1}}) {
		t.Errorf("got %+v", e)
	}
	if e := parse(t, with(strings.Replace(walker, "}", `, "run_rate": 0}`, 1), "")).Entities[0]; e.RunRate != 0 || e.Game&components.HasRunRate == 0 {
		t.Errorf("run rate 0 is an answer: %+v", e)
	}
}

// The defaults of "Fields left out": the whole state is replaced, not amended.
func TestParseEvents(t *testing.T) {
	ready := motion.State{Style: 0x8000003D, Forward: 0x41000003, ForwardSpeed: 1, SidestepSpeed: 1, TurnSpeed: 1}
	walk := ready
	walk.Forward, walk.ForwardSpeed = 0x45000005, 0
	place := space.Position{Cell: 0xA9B40001, Frame: space.Frame{Origin: space.Vec3{1, 2, 3}, Rotation: space.Quat{W: 0.6, V: space.Vec3{0, 0, 0.8}}}}
	spot := place
	spot.Frame.Rotation = space.IdentityQuat
	raw := motion.RawState{Style: 0x8000003D, Forward: components.Axis{Motion: 0x41000003, Speed: 1},
		Sidestep: components.Axis{Speed: 1}, Turn: components.Axis{Speed: 1}}
	run := raw
	run.HoldKey, run.Style = components.HoldRun, 0x8000003C
	run.Forward = components.Axis{Motion: 0x45000005, Hold: components.HoldNone, Speed: 2}
	run.Sidestep = components.Axis{Motion: 0x6500000F, Hold: components.HoldRun, Speed: 0}
	run.Turn = components.Axis{Motion: 0x6500000E, Hold: components.HoldInvalid, Speed: -1}

	for _, c := range []struct {
		fields string
		want   systems.Command
	}{
		{`"do": "interpreted"`, systems.Command{Do: systems.DoInterpreted, State: ready}},
		{`"do": "interpreted", "forward": "0x45000005", "forward_speed": 0`, systems.Command{Do: systems.DoInterpreted, State: walk}},
		{`"do": "interpreted", "style": "0x8000003C", "forward": "0x0", "forward_speed": 2, "sidestep": "0x6500000F",
			"sidestep_speed": 3, "turn": "0x6500000D", "turn_speed": -4, "actions": [["0x10000062", 65535, true, 1.25], ["0x10000063", 1, false, 0]]`,
			systems.Command{Do: systems.DoInterpreted, State: motion.State{Style: 0x8000003C, ForwardSpeed: 2,
				Sidestep: 0x6500000F, SidestepSpeed: 3, Turn: 0x6500000D, TurnSpeed: -4},
				Actions: []components.Action{{Motion: 0x10000062, Speed: 1.25, Stamp: 65535, Autonomous: true}, {Motion: 0x10000063, Stamp: 1}}}},
		{`"do": "raw"`, systems.Command{Do: systems.DoRaw, Raw: raw}},
		{`"do": "raw", "hold_key": 2, "style": "0x8000003C", "forward": "0x45000005", "forward_hold": 1, "forward_speed": 2,
			"sidestep": "0x6500000F", "sidestep_hold": 2, "sidestep_speed": 0, "turn": "0x6500000E", "turn_hold": 0, "turn_speed": -1`,
			systems.Command{Do: systems.DoRaw, Raw: run}},
		{`"do": "do_motion", "motion": "0x45000005"`, systems.Command{Do: systems.DoMotion, Motion: 0x45000005, Speed: 1}},
		{`"do": "stop_motion", "motion": "0x45000005", "speed": 0, "hold_key": 2`, systems.Command{Do: systems.DoStopMotion, Motion: 0x45000005, Hold: components.HoldRun}},
		{`"do": "stop_completely"`, systems.Command{Do: systems.DoStopCompletely}},
		{`"do": "position", "cell": "0xA9B40001", "origin": [1, 2, 3], "rotation": [0.6, 0, 0, 0.8], "contact": true, "teleport": true`,
			systems.Command{Do: systems.DoPosition, Place: place, Contact: true, Teleport: true}},
		{`"do": "constrain", "cell": "0xA9B40001", "origin": [1, 2, 3], "start": 5, "max": 10.5`,
			systems.Command{Do: systems.DoConstrain, Place: spot, Start: 5, Max: 10.5}},
		{`"do": "unconstrain"`, systems.Command{Do: systems.DoUnconstrain}},
		{`"do": "ground", "contact": true, "on_walkable": false`, systems.Command{Do: systems.DoGround, Contact: true}},
		{`"do": "velocity", "velocity": [1, -2, 3e0]`, systems.Command{Do: systems.DoVelocity, Velocity: space.Vec3{1, -2, 3}}},
	} {
		c.want.Guid = 0x50000001
		got := parse(t, event(c.fields)).Events[0]
		if got.Tick != 3 || got.Message != nil || !reflect.DeepEqual(got.Command, c.want) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", c.fields, got.Command, c.want)
		}
	}

	for _, hex := range []string{"0xF748FF", "f748ff"} {
		if got := parse(t, event(`"do": "wire", "hex": "`+hex+`"`)).Events[0].Message; !bytes.Equal(got, []byte{0xF7, 0x48, 0xFF}) {
			t.Errorf("message is %X", got)
		}
	}
}

// Events apply by tick, and in the order of the file within one.
func TestParseEventOrder(t *testing.T) {
	at := func(tick, motion string) string {
		return `{"tick": ` + tick + `, "guid": "0x50000001", "do": "do_motion", "motion": "` + motion + `"}`
	}
	s := parse(t, with(walker, strings.Join([]string{at("5", "0x1"), at("2", "0x2"), at("5", "0x3"), at("2", "0x4"), at("1", "0x5")}, ",")))
	var got []uint32
	for _, e := range s.Events {
		got = append(got, e.Command.Motion)
	}
	if want := []uint32{5, 2, 4, 1, 3}; !reflect.DeepEqual(got, want) {
		t.Errorf("order %v, want %v", got, want)
	}
	if s.Events[0].Index != 4 {
		t.Errorf("the first applied is event %d of the file, want 4", s.Events[0].Index)
	}
}

func TestParseRefuses(t *testing.T) {
	head := func(old, new string) string { return strings.Replace(with(walker, ""), old, new, 1) }
	entity := func(old, new string) string { return with(strings.Replace(walker, old, new, 1), "") }
	for _, c := range []struct{ text, says string }{
		{``, "not an object"},
		{`[]`, "not an object"},
		{`null`, "not an object"},
		{`{`, "scenario"},
		{`{"name": "n"`, "scenario"},
		{with("", "") + "1", "follows the end"},
		{`{}`, `"name" is missing`},
		{head(`"ticks": 20, `, ``), `"ticks" is missing`},
		{head(`"name"`, `"Name"`), `"name" is missing`},
		{head(`"name"`, `"extra": 1, "name"`), `"extra" is not a key`},
		{head(`"name"`, `"name": "m", "name"`), `"name" is there twice`},
		{head(`"n"`, `5`), "not a string"},
		{head(`16`, `0`), "not above 0"},
		{head(`16`, `-1`), "not above 0"},
		{head(`16`, `1e400`), "not a number"},
		{head(`16`, `"16"`), "not a number"},
		{head(`20`, `0`), "whole number"},
		{head(`20`, `1000001`), "whole number"},
		{head(`20`, `20.5`), "whole number"},
		{head(`"../t"`, `""`), "path relative"},
		{head(`"../t"`, `"/t"`), "path relative"},
		{head(`"none"`, `"sometimes"`), `"sweep" is "sometimes"`},
		{head(`"name"`, `"ground": 0, "name"`), `"ground" is not a key`},
		{head(`"name"`, `"land": "l", "name"`), `"land" is not a key`},
		{head(`"name"`, `"viewer": {"cell": "0xA9B40001"}, "name"`), `viewer: "origin" is missing`},
		{head(`"name"`, `"viewer": {"cell": "0xA9B40000", "origin": [0,0,0]}, "name"`), `no cell 0xA9B40000`},
		{head(`"name"`, `"viewer": null, "name"`), `viewer: not an object`},
		{head(`"events": []`, `"events": {}`), `events: not a list`},
		{strings.Replace(with("", ""), `"entities": []`, `"entities": 5`, 1), `entities: not a list`},
		{with("5", ""), "entity 0: not an object"},
		{with(walker+","+walker, ""), "entity 1: guid 0x50000001 is 0 or taken"},
		{entity(`0x50000001`, `0x0`), "guid 0x00000000 is 0 or taken"},
		{entity(`"0x50000001"`, `1342177281`), "an id"},
		{entity(`0x50000001`, `50000001`), "an id"},
		{entity(`0x50000001`, `0x500000011`), "an id"},
		{entity(`0x50000001`, `0x`), "an id"},
		{entity(`0x50000001`, `0x-1`), "an id"},
		{entity(`0x50000001`, `0x5_0`), "an id"},
		{entity(`"motion_table": "0x09000001", `, ``), `"motion_table" is missing`},
		{entity(`"rotation": [1, 0, 0, 0]`, `"scale": 1`), `"rotation" is missing`},
		{entity(`[84, 101, 10]`, `[84, 101]`), "list of 3 numbers"},
		{entity(`[84, 101, 10]`, `[84, 101, 10, 1]`), "list of 3 numbers"},
		{entity(`[84, 101, 10]`, `[84, 101, null]`), "list of 3 numbers"},
		{entity(`[84, 101, 10]`, `[84, 101, 1e39]`), "of 32 bits"},
		{entity(`[1, 0, 0, 0]`, `[2, 0, 0, 0]`), "unit length"},
		{entity(`[1, 0, 0, 0]`, `[0, 0, 0, 0]`), "unit length"},
		{entity(`0xA9B4001D`, `0xA9B40041`), "no cell 0xA9B40041"},
		{entity(`"guid"`, `"scale": "big", "guid"`), "fits 32 bits"},
		{entity(`"guid"`, `"contact": 1, "guid"`), "true or false"},
		{entity(`"guid"`, `"contact": null, "guid"`), "true or false"},
		{entity(`"guid"`, `"state": "0x1", "guid"`), `"state" is not a key`},
		{entity(`"guid"`, `"velocity": [0, 0, 0], "guid"`), `"velocity" is not a key`},
		{with(walker, "5"), "event 0: not an object"},
		{with(walker, `{"guid": "0x50000001", "do": "stop_completely"}`), `"tick" is missing`},
		{with(walker, `{"tick": 0, "guid": "0x50000001", "do": "stop_completely"}`), "whole number from 1 to 20"},
		{with(walker, `{"tick": 21, "guid": "0x50000001", "do": "stop_completely"}`), "whole number from 1 to 20"},
		{with(walker, `{"tick": 1, "guid": "0x50000002", "do": "stop_completely"}`), "there is no entity 0x50000002"},
		{event(`"do": "dance"`), `event 0 (tick 3, "dance"): "do" is nothing known`},
		{event(`"do": "stop_completely", "speed": 1`), `event 0 (tick 3, "stop_completely"): "speed" is not a key`},
		{event(`"do": "interpreted", "forward": 5`), "an id"},
		{event(`"do": "interpreted", "forward_speed": null`), "fits 32 bits"},
		{event(`"do": "interpreted", "hold_key": 1`), `"hold_key" is not a key`},
		{event(`"do": "interpreted", "actions": 5`), "not a list"},
		{event(`"do": "interpreted", "actions": [5]`), "action 0 is not"},
		{event(`"do": "interpreted", "actions": [["0x1", 1, true]]`), "action 0 is not"},
		{event(`"do": "interpreted", "actions": [["0x1", 65536, true, 1]]`), `action 0: "stamp"`},
		{event(`"do": "interpreted", "actions": [["0x1", 1, 0, 1]]`), `action 0: "autonomous"`},
		{event(`"do": "interpreted", "actions": [` + strings.Repeat(`["0x1", 1, true, 1],`, MaxActions) + `["0x1", 1, true, 1]]`), "more than 1000 items"},
		{event(`"do": "raw", "hold_key": 3`), "whole number from 0 to 2"},
		{event(`"do": "raw", "forward_hold": -1`), "whole number from 0 to 2"},
		{event(`"do": "do_motion"`), `"motion" is missing`},
		{event(`"do": "position", "cell": "0xA9B40001", "origin": [1, 2, 3], "rotation": [1, 0, 0, 0], "contact": true`), `"teleport" is missing`},
		{event(`"do": "constrain", "cell": "0xA9B40001", "origin": [1, 2, 3], "start": 5`), `"max" is missing`},
		{event(`"do": "ground", "contact": true`), `"on_walkable" is missing`},
		{event(`"do": "velocity"`), `"velocity" is missing`},
		{event(`"do": "velocity", "velocity": [1, 2, -4e38]`), "of 32 bits"},
		{event(`"do": "wire"`), `"hex" is missing`},
		{event(`"do": "wire", "hex": "F7F"`), "pairs of hex digits"},
		{event(`"do": "wire", "hex": "zz"`), "pairs of hex digits"},
		{event(`"do": "stick", "target": "0x1", "radius": 1, "width": 1`), `"width" is not a key`},
	} {
		s, err := Parse([]byte(c.text))
		if !errors.Is(err, ErrScenario) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%.200s\n  gives %v, not a refusal that says %s", c.text, err, c.says)
		}
		if s != nil {
			t.Errorf("%.200s: refused, and a scenario as well", c.text)
		}
	}
}

func TestParseLimits(t *testing.T) {
	var b strings.Builder
	for i := range 5 {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('5')
	}
	err := each([]byte("["+b.String()+"]"), 4, func(int, json.RawMessage) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "more than 4") {
		t.Errorf("5 items where 4 may be: %v", err)
	}
	if _, err := Parse(make([]byte, MaxFile+1)); !errors.Is(err, ErrScenario) {
		t.Errorf("too long a file: %v", err)
	}
	if _, err := Parse([]byte(strings.Repeat("[", 100_000))); !errors.Is(err, ErrScenario) {
		t.Errorf("deep nesting: %v", err)
	}
}

// A sweep needs to know what there is to run into.
func TestParseSweep(t *testing.T) {
	for sweep, want := range map[string]string{"flat": "ground", "world": "land", "none at all": "none at all"} {
		_, err := Parse([]byte(strings.Replace(with(walker, ""), `"none"`, `"`+sweep+`"`, 1)))
		if !errors.Is(err, ErrScenario) || !strings.Contains(err.Error(), want) {
			t.Errorf("sweep %s: %v", sweep, err)
		}
	}
	s, err := Parse([]byte(strings.Replace(with(walker, ""), `"none"`, `"flat", "ground": 12.5`, 1)))
	if err != nil || s.Ground != 12.5 || !s.Entities[0].Placed {
		t.Errorf("flat: %+v, %v", s, err)
	}
}

// Orders to move, turn and stick, with the parameters' defaults (05 §5.2).
func TestParseOrders(t *testing.T) {
	parse := func(fields string) systems.Command {
		t.Helper()
		s, err := Parse([]byte(event(fields)))
		if err != nil {
			t.Fatal(err)
		}
		return s.Events[0].Command
	}
	c := parse(`"do": "move_to_object", "target": "0x50000001", "params": {"flags": "0x1EE1F", "speed": 0, "distance_to_object": 2}, "run_rate": 1.5`)
	want := motion.DefaultParams()
	want.Flags, want.Speed, want.DistanceToObject = 0x1EE1F, 0, 2
	if c.Do != systems.DoMoveToObject || c.Target != 0x50000001 || c.Params != want || !c.HasRunRate || c.RunRate != 1.5 {
		t.Errorf("%+v", c)
	}
	c = parse(`"do": "move_to_position", "cell": "0xA9B40001", "origin": [1, 2, 3], "rotation": [1, 0, 0, 0]`)
	if c.Do != systems.DoMoveToPosition || c.Place.Frame.Origin[2] != 3 || c.Params != motion.DefaultParams() || c.HasRunRate {
		t.Errorf("%+v", c)
	}
	c = parse(`"do": "turn_to_object", "target": "0x50000001", "heading": 45, "params": {"desired_heading": 3}`)
	if c.Do != systems.DoTurnToObject || c.Params.DesiredHeading != 45 {
		t.Errorf("%+v", c)
	}
	if c = parse(`"do": "turn_to_heading", "params": {"desired_heading": 3}`); c.Do != systems.DoTurnToHeading || c.Params.DesiredHeading != 3 {
		t.Errorf("%+v", c)
	}
	if c = parse(`"do": "stick", "target": "0x50000001", "radius": 0.5, "height": 2`); c.Do != systems.DoStick || c.Radius != 0.5 || c.Height != 2 {
		t.Errorf("%+v", c)
	}
	if c = parse(`"do": "unstick"`); c.Do != systems.DoUnstick {
		t.Errorf("%+v", c)
	}
	for _, bad := range []string{
		`"do": "move_to_object", "params": {}`, `"do": "stick"`, `"do": "turn_to_heading", "params": {"colour": 1}`,
		`"do": "turn_to_heading", "params": 5`, `"do": "move_to_position", "params": {}`,
	} {
		if _, err := Parse([]byte(event(bad))); !errors.Is(err, ErrScenario) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "s", "a.json")
	if _, err := Load(file); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(with(walker, "")), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := Load(file)
	if err != nil || s.Tables != filepath.Join(dir, "t") {
		t.Errorf("tables %v, want them beside the scenario's folder (%v)", s, err)
	}
	if _, err := s.LoadTables(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no tables: %v", err)
	}
	if err := os.WriteFile(file, []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(file); !errors.Is(err, ErrScenario) || !strings.Contains(err.Error(), file) {
		t.Errorf("a bad file: %v", err)
	}
}

// FuzzParse: what parses runs, and nothing panics.
func FuzzParse(f *testing.F) {
	root := filepath.Join(testdata, "scenarios")
	for i, name := range files(f, root) {
		b, err := os.ReadFile(scenarioPath(root, name))
		if err != nil {
			f.Fatal(err)
		}
		if i%5 == 0 || len(b) < 2000 {
			f.Add(b)
		}
	}
	f.Add([]byte(with(walker, "")))
	f.Add([]byte(event(`"do": "velocity", "velocity": [1e30, -1e30, 1e30]`)))
	f.Add([]byte(event(`"do": "wire", "hex": "4CF70000010000500100010002000000000000000000"`)))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := Parse(b)
		if err != nil {
			if !errors.Is(err, ErrScenario) {
				t.Fatalf("not the sentinel: %v", err)
			}
			return
		}
		if len(s.Entities) > 8 || len(s.Events) > 200 {
			return
		}
		s.Ticks = min(s.Ticks, 40)
		s.Tables = filepath.Join(testdata, "fixtures", filepath.Base(s.Tables))
		if _, err := os.Stat(s.Tables); err != nil || filepath.Base(s.Tables) == ".." {
			s.Tables = filepath.Join(testdata, "fixtures", "humanoid")
		}
		if s.Land != "" {
			s.Land = filepath.Join(testdata, "fixtures", "land")
		}
		var out bytes.Buffer
		err = Run(s, tables(t, s), Options{AfterTick: (*systems.Engine).Check}, &out)
		if err == nil && bytes.Count(out.Bytes(), []byte{'\n'}) != s.Ticks*len(s.Entities) {
			t.Fatalf("%d lines of %d entities in %d ticks", bytes.Count(out.Bytes(), []byte{'\n'}), len(s.Entities), s.Ticks)
		}
		if err != nil && !permitted(err) {
			t.Fatal(err)
		}
	})
}

// permitted reports whether a run of a scenario that parses may end with err.
func permitted(err error) bool {
	for _, e := range []error{systems.ErrOptions, systems.ErrSpawn, systems.ErrCommand, systems.ErrMessage} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}
