package components

import "github.com/gait-engine/gait/space"

// Errands are the managers that few movers have at a time: each is made when it is
// first needed and stays (spec 06, 13).
type Errands struct {
	Own     Box[Errand]        // which nobody else looks at
	Targets Box[TargetManager] // which others read of, also while all are updated
}

// Errand is there while there is anything in it.
type Errand struct {
	MoveTo Box[MoveTo]
	Sticky Box[Sticky]
	Ramp   Box[Ramp] // while its scale changes
	// UpdateTime, in seconds, is how far the mover's own clock has come (spec 11
	// §4.2). It is kept under the retail clock only, else 0.
	UpdateTime float64
}

// MoveTo returns the move-to manager, nil when there is none.
func (e *Errands) MoveTo(p *Pools) *MoveTo {
	if in := e.Own.Get(&p.Errands); in != nil {
		return in.MoveTo.Get(&p.MoveTos)
	}
	return nil
}

// Sticky returns the sticky manager, nil when there is none.
func (e *Errands) Sticky(p *Pools) *Sticky {
	if in := e.Own.Get(&p.Errands); in != nil {
		return in.Sticky.Get(&p.Stickies)
	}
	return nil
}

// Ramp returns how the scale changes, nil when it does not.
func (e *Errands) Ramp(p *Pools) *Ramp {
	if in := e.Own.Get(&p.Errands); in != nil {
		return in.Ramp.Get(&p.Ramps)
	}
	return nil
}

// EndRamp gives it back.
func (e *Errands) EndRamp(p *Pools) {
	if in := e.Own.Get(&p.Errands); in != nil {
		in.Ramp.Free(&p.Ramps)
		e.settle(p)
	}
}

// EndMoveTo gives the move-to manager back.
func (e *Errands) EndMoveTo(p *Pools) {
	if m := e.MoveTo(p); m != nil {
		m.Nodes.Clear(&p.MoveToNodes)
		e.Own.Get(&p.Errands).MoveTo.Free(&p.MoveTos)
		e.settle(p)
	}
}

// UpdateTime returns how far the mover's own clock has come, s ([Errand]).
func (e *Errands) UpdateTime(p *Pools) float64 {
	if in := e.Own.Get(&p.Errands); in != nil {
		return in.UpdateTime
	}
	return 0
}

// SetUpdateTime sets it.
func (e *Errands) SetUpdateTime(p *Pools, now float64) {
	if now != 0 || !e.Own.Empty() {
		e.Own.Make(&p.Errands).UpdateTime = now
		e.settle(p)
	}
}

// settle gives an errand back that there is nothing in.
func (e *Errands) settle(p *Pools) {
	if *e.Own.Get(&p.Errands) == (Errand{}) {
		e.Own.Free(&p.Errands)
	}
}

// Target returns whom the target manager targets, nil when it never had any.
func (e *Errands) Target(p *Pools) *Target {
	if m := e.Targets.Get(&p.TargetManagers); m != nil {
		return m.Target.Get(&p.Targets)
	}
	return nil
}

// Voyeurs returns who targets the mover, good until one comes or goes.
func (e *Errands) Voyeurs(p *Pools) []Voyeur {
	if m := e.Targets.Get(&p.TargetManagers); m != nil {
		return m.Voyeurs.Items(&p.Voyeurs)
	}
	return nil
}

// Release gives all of it back.
func (e *Errands) Release(p *Pools) {
	e.EndMoveTo(p)
	if in := e.Own.Get(&p.Errands); in != nil {
		in.Sticky.Free(&p.Stickies)
		in.Ramp.Free(&p.Ramps)
	}
	e.Own.Free(&p.Errands)
	if m := e.Targets.Get(&p.TargetManagers); m != nil {
		m.Target.Free(&p.Targets)
		m.Voyeurs.Clear(&p.Voyeurs)
	}
	e.Targets.Free(&p.TargetManagers)
}

// MoveTo is the move-to manager (spec 06 §6.1).
type MoveTo struct {
	Type           uint32     // movement type in progress, 6 to 9; 0 none
	Params         MoveParams // what it was ordered with
	Sought         space.Position
	Goal           space.Position // "target": where the target was
	Start          space.Position
	SoughtID       uint32
	TopID          uint32  // the sought object's parent, or itself
	SoughtRadius   float32 // m
	SoughtHeight   float32 // m
	CurrentCommand uint32
	AuxCommand     uint32
	PrevHeading    float32 // degrees
	PrevDistance   float32 // m
	OrigDistance   float32 // m
	PrevTime       float64 // s
	OrigTime       float64 // s
	FailCount      uint32
	MovingAway     bool
	Initialized    bool
	Nodes          List[MoveToNode, [3]MoveToNode]
}

// MoveToNode is a step of a move-to: go there, or face a heading.
type MoveToNode struct {
	Turn    bool    // face Heading; else go to the place sought
	Heading float32 // degrees
}

// Sticky is the sticky manager (spec 13 §2).
type Sticky struct {
	TargetID    uint32 // 0 none
	Radius      float32
	Initialized bool
	Deadline    float64 // s
	Place       space.Position
}

// TargetStatus is what is known of a target (spec 13 §5).
type TargetStatus uint32

const (
	TargetUndefined TargetStatus = iota
	TargetOK
	TargetExitWorld
	TargetTeleported
	TargetContained
	TargetParented
	TargetTimedOut
)

// Target is whom a mover targets, and what it last heard of him (spec 13 §5).
type Target struct {
	ID           uint32 // 0 none
	Context      uint32
	Radius       float32 // m
	Quantum      float32 // s
	Status       TargetStatus
	LastUpdate   float64 // s
	Place        space.Position
	Interpolated space.Position
	Heading      space.Vec3
	Velocity     space.Vec3
}

// Voyeur is somebody who targets this mover (spec 13 §5).
type Voyeur struct {
	ID       uint32
	Radius   float32 // m
	Quantum  float32 // s
	LastSent space.Position
}

// TargetManager is what a mover has that targets somebody, or is targeted (spec 13
// §5). How it stood when the tick's inbound stage was done is what others may read
// of it while they are updated.
type TargetManager struct {
	Place     space.Position
	Achieved  space.Vec3     // m/s
	Committed space.Position // where this tick's step ended, before any blip: what voyeurs are told
	Target    Box[Target]
	Voyeurs   List[Voyeur, [0]Voyeur] // who targets this mover, in order of subscription
	LastRun   float64                 // s, when the manager last checked its voyeurs
}

// Ramp is a change of scale that takes its time (spec 11 §10).
type Ramp struct {
	Start, End float32 // scales
	Seconds    float32
	Began      float64 // s
}
