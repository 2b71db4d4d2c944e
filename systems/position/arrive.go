package position

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/space"
)

// Arrival is what a sweep or a placement came to (spec 11 §8, 14).
type Arrival struct {
	Place space.Position
	Lost  bool // the cell is not there

	Contact bool       // there is a contact plane:
	Normal  space.Vec3 // its normal,
	D       float32    // its distance, m, in the block
	Plane   space.CellID
	Water   bool

	Sliding       bool
	SlidingNormal space.Vec3
	Hit           bool
	HitNormal     space.Vec3 // the collision normal

	Stationary  int      // frames stationary fall, 0 to 3
	Environment bool     // something fixed was run into
	Met         []uint32 // bodies that were run into
}

// Arrive commits a sweep that succeeded (spec 11 §8 SetPositionInternal). It
// reports whether the body is still in the world; its cells are the caller's, and that one
// that is not becomes inactive, once those are left.
func (m *Mover) Arrive(a *Arrival) bool {
	b := m.Body
	contact, walkable := b.Transient&components.Contact != 0, b.Transient&components.OnWalkable != 0
	m.Pose.Position = a.Place
	if a.Lost {
		m.Pose.Normalize() // it is stored, as any is (10 §6), though the cell is not there
		b.Transient |= components.Lost
		return false
	}
	b.Transient &^= components.Lost
	m.Touch.Cell, m.Touch.D = a.Plane, a.D
	m.SetContact(a.Contact, a.Normal, a.Water, a.Normal[2] >= components.FloorZ)
	b.Transient &^= components.Sliding
	m.Touch.Sliding = space.Vec3{}
	if a.Sliding {
		b.Transient |= components.Sliding
		m.Touch.Sliding = a.SlidingNormal
	}
	m.HandleCollisions(a, contact, walkable)
	return true
}

// HandleCollisions is handle_all_collisions (spec 11 §8): what was run into is
// noted and told, and answered with a bounce or a stop. contact and walkable are
// the bits as they were. It reports whether anything was run into.
func (m *Mover) HandleCollisions(a *Arrival, contact, walkable bool) bool {
	b := m.Body
	now := b.Transient&components.OnWalkable != 0
	bounce := !(walkable && now && b.State&components.Sledding == 0)
	any := false
	for _, other := range a.Met {
		any = m.meet(other) || any
	}
	m.EndEncounters()
	switch {
	case b.Transient&components.AtWalls != 0:
		if !a.Environment {
			b.Transient &^= components.AtWalls
		}
	case a.Environment || !walkable && now:
		m.reportWall()
		any = true
	}
	if a.Stationary > 1 {
		b.Velocity = space.Vec3{}
	} else if bounce && a.Hit {
		m.bounce(a.HitNormal)
	}
	const stationary = components.StationaryFall | components.StationaryStop | components.StationaryStuck
	switch a.Stationary {
	case 1:
		b.Transient |= components.StationaryFall
	case 2:
		b.Transient |= components.StationaryStop
	default:
		b.Transient &^= stationary
	}
	return any
}

// bounce turns the velocity back at what was hit.
func (m *Mover) bounce(n space.Vec3) {
	b := m.Body
	if b.State&components.Inelastic != 0 {
		b.Velocity = space.Vec3{}
		return
	}
	if d := space.Dot(n, b.Velocity); d < 0 {
		b.Velocity = space.Sub(b.Velocity, space.Scale(n, float32((1+m.Traits.Elasticity)*d)))
	}
}

// missileBits are what makes a missile fly as one.
const missileBits = components.Missile | components.AlignPath | components.PathClipped

// reportWall is the environment report, once until the body gets clear (W-30).
func (m *Mover) reportWall() {
	b := m.Body
	if b.Transient&components.AtWalls != 0 {
		return
	}
	b.Transient |= components.AtWalls
	if b.State&components.ReportCollisions != 0 {
		m.Host.Met(0)
	}
	if b.State&components.Missile != 0 {
		b.State &^= missileBits
	}
}

// meet notes that a body was run into; only what is new is told (W-32).
func (m *Mover) meet(other uint32) bool {
	o, known := m.Host.StateOf(other)
	if !known {
		return false
	}
	e := components.Encounter{When: m.Host.Now(), Other: other, Ethereal: o&components.Ethereal != 0, Inbound: !m.Host.Stepping()}
	met := m.Touch.Met.Make(&m.Pools.Mets)
	records := met.Records.Items(&m.Pools.Encounters)
	for i := range records {
		if r := &records[i]; r.Other == other {
			*r = e
			return false
		}
	}
	met.Records.Push(&m.Pools.Encounters, e)
	m.reportMet(other, o)
	return true
}

// reportMet is the object report of a body in a state (spec 11 §8).
func (m *Mover) reportMet(other uint32, o components.StateBits) {
	b := m.Body
	switch {
	case o&components.ReportAsEnvironment != 0:
		m.reportWall()
	case o&components.IgnoreCollisions == 0:
		if b.State&components.ReportCollisions != 0 {
			m.Host.Met(other)
		}
		if b.State&components.IgnoreCollisions == 0 && o&components.ReportCollisions != 0 {
			m.Host.MetBy(other)
		}
		if b.State&components.Missile != 0 {
			b.State &^= missileBits
		}
	}
}

// ReportEncounters tells anew of whom the body is collided with: it is shown again (spec 11
// §2 set_hidden).
func (m *Mover) ReportEncounters() {
	met := m.Touch.Met.Get(&m.Pools.Mets)
	if met == nil {
		return
	}
	for _, r := range met.Records.Items(&m.Pools.Encounters) {
		if o, known := m.Host.StateOf(r.Other); known {
			m.reportMet(r.Other, o)
		}
	}
}

// EncounterLife is how long, in seconds, a body stays collided with another
// that it does not meet again (spec 11 §1).
const EncounterLife = 1.0

// EndEncounters ends those that are over (spec 11 §8).
func (m *Mover) EndEncounters() {
	met := m.Touch.Met.Get(&m.Pools.Mets)
	if met == nil {
		return
	}
	now := m.Host.Now()
	records := met.Records.Items(&m.Pools.Encounters)
	for i := 0; i < len(records); {
		r := records[i]
		if age := now - r.When; age > EncounterLife || r.Ethereal && age > 0 {
			met.Records.Remove(&m.Pools.Encounters, i, i+1)
			records = met.Records.Items(&m.Pools.Encounters)
			m.Host.Parted(r.Other)
			continue
		}
		i++
	}
	if len(records) == 0 {
		m.Touch.Met.Free(&m.Pools.Mets)
	}
}

// EndAllEncounters is for who is elsewhere, or takes part in no collision any
// more (spec 11 §2, §9).
func (m *Mover) EndAllEncounters() {
	met := m.Touch.Met.Get(&m.Pools.Mets)
	if met == nil {
		return
	}
	for _, r := range met.Records.Items(&m.Pools.Encounters) {
		m.Host.Parted(r.Other)
	}
	met.Records.Clear(&m.Pools.Encounters)
	m.Touch.Met.Free(&m.Pools.Mets)
}
