package components

import "github.com/gait-engine/gait/space"

// Touch is what the sweep left of a body's surroundings, and what it asks the
// game about it (spec 11 §8, 14). Without a sweep it stays zero. The contact
// plane's normal is in [Body].
type Touch struct {
	Cell    space.CellID // of the contact plane: its distance counts from that cell's block
	D       float32      // the contact plane's distance, m
	Sliding space.Vec3   // sliding normal; it may be zero, spec 14 §7.3
	Missile uint32       // whom a missile is meant for, 0 nobody
	Passes  uint32       // the restriction object that lets this player by, 0 none
	Met     Box[Met]
}

// Met are the bodies that a body has run into lately (spec 11 §8).
type Met struct{ Records List[Encounter, [3]Encounter] }

// Encounter is one of them.
type Encounter struct {
	When     float64 // s, the last time
	Other    uint32
	Ethereal bool // it was
	// Inbound: that time was while messages were applied, not in a step.
	Inbound bool
}
