package gait

import (
	"github.com/gait-engine/gait/components"
	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/space"
	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/systems/collision"
)

// What the rooms below call by these names, for programs that need no more of them.
type (
	// Tables are compiled data files ([dat.Tables]).
	Tables = dat.Tables
	// Land is what remotes run into ([collision.Land]).
	Land = collision.Land
	// Position is a cell and a frame in it ([space.Position]).
	Position = space.Position
	// Frame is where, and turned how ([space.Frame]).
	Frame = space.Frame
	// Vec3 is a point or a vector: x east, y north, z up, in metres ([space.Vec3]).
	Vec3 = space.Vec3
	// Quat is a rotation ([space.Quat]).
	Quat = space.Quat
	// CellID names a cell ([space.CellID]).
	CellID = space.CellID

	// Spawn describes a new remote; begin with [NewSpawn] ([systems.Spawn]).
	Spawn = systems.Spawn
	// Command is a typed input for one remote ([systems.Command]).
	Command = systems.Command
	// Event is a notice of what happened to a remote ([systems.Event]).
	Event = systems.Event
	// Outcome is what became of an input ([systems.Outcome]).
	Outcome = systems.Outcome
	// Out is a message to send ([systems.Out]).
	Out = systems.Out
	// Flags are the yes-or-no facts of a remote ([systems.Flags]).
	Flags = systems.Flags
	// Row is all that a remote is made of ([components.Row]).
	Row = components.Row
)

// NewSpawn returns a creature that stands on the ground at a place ([systems.NewSpawn]).
func NewSpawn(guid uint32, at Position) Spawn { return systems.NewSpawn(guid, at) }

// At is a place in a cell, facing north: x east, y north, z up in metres, local to the cell's landblock.
// Outdoors the cell is found from the point: any of the block's will do.
func At(cell CellID, x, y, z float32) Position {
	return Position{Cell: cell, Frame: Frame{Origin: Vec3{x, y, z}, Rotation: space.IdentityQuat}}
}
