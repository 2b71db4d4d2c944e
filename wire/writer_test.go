package wire

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"
)

// 20 §6: refuse, do not truncate.
func TestSpec20_6_WriterRefuses(t *testing.T) {
	for name, change := range map[string]func(m *Movement){
		"ErrCount: 32 actions":       func(m *Movement) { m.Body.State.Count = 32; m.Body.State.Flags |= 0xF80 },
		"count without its bits":     func(m *Movement) { m.Body.State.Count = 3 },
		"sticky without its bit":     func(m *Movement) { m.Body.Options = 0 },
		"the bit without a sticky":   func(m *Movement) { m.Body.Sticky = 0 },
		"a field without its bit":    func(m *Movement) { m.Body.State.Flags &^= StateTurn },
		"a speed without its bit":    func(m *Movement) { m.Body.State.Flags &^= StateTurnSpeed },
		"a target":                   func(m *Movement) { m.Body.Target = 7 },
		"an origin":                  func(m *Movement) { m.Body.Origin[2] = 7 },
		"a run rate":                 func(m *Movement) { m.Body.RunRate = 7 },
		"a heading":                  func(m *Movement) { m.Body.Heading = 7 },
		"params":                     func(m *Movement) { m.Body.Params = DefaultParams() },
		"ErrGuid: 0":                 func(m *Movement) { m.Guid = 0 },
		"ErrNotFinite: a speed":      func(m *Movement) { m.Body.State.TurnSpeed = float32(math.Inf(1)) },
		"ErrNotFinite: of an action": func(m *Movement) { m.Body.State.Actions[1].Speed = float32(math.NaN()) },
		"a state in a turn":          func(m *Movement) { s := m.Body.State; m.Body = body(TypeTurnToHeading); m.Body.State = s },
		"a sticky in a turn":         func(m *Movement) { m.Body = body(TypeTurnToHeading); m.Body.Sticky = 7 },
		"a target in a turn":         func(m *Movement) { m.Body = body(TypeTurnToHeading); m.Body.Target = 7 },
		"a distance in a turn":       func(m *Movement) { m.Body = body(TypeTurnToHeading); m.Body.Params.MinDistance = 7 },
		"ErrType: 5":                 func(m *Movement) { m.Body = Body{Type: 5} },
		"ErrGuid: no target":         func(m *Movement) { m.Body = body(TypeMoveToObject); m.Body.Target = 0 },
		"ErrCell: 0":                 func(m *Movement) { m.Body = body(TypeMoveToObject); m.Body.Cell = 0 },
		"ErrCoordinates: far":        func(m *Movement) { m.Body = body(TypeMoveToObject); m.Body.Origin[0] = 1e6 },
	} {
		want := ErrContent
		for k := ErrShort; k < kindCount; k++ {
			if head, _, ok := strings.Cut(name, ":"); ok && head == map[Kind]string{ErrCount: "ErrCount", ErrGuid: "ErrGuid",
				ErrNotFinite: "ErrNotFinite", ErrType: "ErrType", ErrCell: "ErrCell", ErrCoordinates: "ErrCoordinates"}[k] {
				want = k
			}
		}
		m := movement(TypeState)
		change(m)
		dst := []byte{1, 2, 3}
		got, err := m.Append(dst)
		if !errors.Is(err, want) || !bytes.Equal(got, dst) {
			t.Errorf("%s: %v, %x", name, err, got)
		}
	}
	left := movement(TypeTurnToHeading) // the distances may be left out
	left.Body.Params = Params{Flags: 1, Speed: 1, DesiredHeading: 90}
	mustAppend(t, left)

	for name, change := range map[string]func(p *PositionPack){
		"velocity":  func(p *PositionPack) { p.Velocity[0] = 1 },
		"placement": func(p *PositionPack) { p.Placement = 1 },
		"rotation":  func(p *PositionPack) { p.Flags |= PackOmitW },
	} {
		p := pack()
		change(&p)
		if _, err := (&PositionEvent{Guid: 1, Pack: p}).Append(nil); !errors.Is(err, ErrContent) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, change := range map[string]func(c *Create){
		"appearance counts": func(c *Create) { c.Appearance.Models++ },
		"appearance bytes":  func(c *Create) { c.Appearance.Raw = append(bytes.Clone(swaps), 0) },
		"no appearance":     func(c *Create) { c.Appearance.Raw = nil },
		"movement":          func(c *Create) { c.Physics.Flags &^= PhysMovement },
		"no movement":       func(c *Create) { c.Physics.HasBody = false },
		"placement":         func(c *Create) { c.Physics.Placement = 1 },
		"position":          func(c *Create) { c.Physics.Flags &^= PhysPosition },
		"setup":             func(c *Create) { c.Physics.Flags &^= PhysSetup },
		"parent":            func(c *Create) { c.Physics.Flags &^= PhysParent },
		"children":          func(c *Create) { c.Physics.Flags &^= PhysChildren },
		"scale":             func(c *Create) { c.Physics.Flags &^= PhysScale },
		"omega":             func(c *Create) { c.Physics.Flags &^= PhysOmega },
	} {
		c := create(false)
		change(c)
		if _, err := c.Append(nil); !errors.Is(err, ErrContent) {
			t.Errorf("%s: %v", name, err)
		}
	}
	raw := &MoveToState{Raw: fullRaw(2), Place: here}
	raw.Raw.Flags &^= RawTurnHold
	if _, err := raw.Append(nil); !errors.Is(err, ErrContent) {
		t.Error(err)
	}
	raw.Raw.Fresh()
	raw.Raw.Count = 32
	if _, err := raw.Append(nil); !errors.Is(err, ErrCount) {
		t.Error(err)
	}
}
