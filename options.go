package gait

import (
	"fmt"
	"log/slog"

	"github.com/gait-engine/gait/dat"
	"github.com/gait-engine/gait/systems"
	"github.com/gait-engine/gait/systems/collision"
	"github.com/gait-engine/gait/testdata/fixtures"
)

// Options say what engine to build. The zero value is an engine that runs: every
// field's zero has a meaning.
type Options struct {
	// Tables are what remotes play from, made by [dat.Load]; with Land, by
	// [dat.LoadLand]. Engines may share them. nil: [DefaultTables], a few made-up
	// creatures to take the first steps with.
	Tables *Tables
	// Land is what remotes run into: terrain, what stands on it, and each other.
	// nil: no sweep, every move is accepted as it is. It needs Tables, its own,
	// unless it is [FlatLand].
	Land *Land
	// TicksPerSecond fixes the quantum, 1/TicksPerSecond seconds, 0.5 to 1000. 0 is 30.
	TicksPerSecond float64
	// Workers is how many goroutines share a tick, the caller's included; the others
	// live no longer than the tick. 0 is 1. It has no effect on the answer.
	Workers int
	// ChunkRows is how many remotes a worker takes at a time. 0 is 256. No effect on the answer.
	ChunkRows int
	// Capacity is how many remotes there is room for before memory must grow. No effect on the answer.
	Capacity int

	// Viewer is the observing player, whose distance decides between chase and snap
	// (spec 12 §4). nil: every remote is near. [Engine.SetViewer] moves it.
	Viewer *Position
	// LocalPlayer is the guid of the player whose client this is, 0 none.
	LocalPlayer uint32
	// Reports has the client's own messages written for LocalPlayer, which it needs: [Engine.Reports].
	Reports bool
	// Refresh is after how many seconds of silence an owned mover says again what it
	// does and where it stands; needed where messages may be lost for good. 0 is never.
	Refresh float64
	// Unknown is what a remote is made of whose first sight is a movement or position
	// message. nil: such messages are parked until the remote is created.
	Unknown *Spawn
	// MaxUnknown is how many remotes made of Unknown there may be at a time. 0 is 65536.
	MaxUnknown int
	// Lenient accepts messages with bytes left over, and counts them.
	Lenient bool

	// MaxWaiting is how many bytes of inputs may wait for the next tick, what is kept
	// about each included: beyond that they are refused with [ErrFull], and counted.
	// 0 is 256 MiB: about 3 million messages, or half a million spawns. Memory that
	// inputs lie in is twice that at most.
	MaxWaiting int
	// Log is told of what whoever runs the engine must know (a recording that failed, land that
	// cannot be read, a full queue), and at level Debug of every input that was refused. nil is silent.
	// It is called inside of [Engine.Tick], and may not call the engine.
	Log *slog.Logger
	// Stopwatch is a clock, in ns since whenever, by which the stages of ticks are
	// measured: [Stats]. It is read from all workers at once. nil: no times. The engine reads no other clock, and
	// what this one shows has no effect on the answer.
	Stopwatch func() int64
}

// DefaultMaxWaiting is [Options.MaxWaiting] where that is 0.
const DefaultMaxWaiting = 256 << 20

// DefaultTables compiles the made-up records that come with the module: a humanoid,
// motion table 0x09000001 and setup 0x02000001, and a creature, 0x09000007 and
// 0x02000007. Real ones come out of a portal file: [dat.OpenFile], [dat.Load].
func DefaultTables() (*Tables, error) { return dat.LoadFolders(fixtures.FS) }

// FlatLand is an endless plane at a height in metres.
func FlatLand(height float32) *Land { return collision.NewFlat(height) }

// fill settles what is zero.
func (o *Options) fill() error {
	if o.MaxWaiting < 0 {
		return fmt.Errorf("%w: %d bytes of inputs may wait", ErrOptions, o.MaxWaiting)
	}
	if o.MaxWaiting == 0 {
		o.MaxWaiting = DefaultMaxWaiting
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Tables == nil {
		if o.Land != nil {
			if _, flat := o.Land.Flat(); !flat {
				return fmt.Errorf("%w: land needs the tables that it was made with", ErrOptions)
			}
		}
		var err error
		if o.Tables, err = DefaultTables(); err != nil {
			return err
		}
	}
	return nil
}

// systems are the options of the engine below.
func (o *Options) systems() systems.Options {
	return systems.Options{
		Tables: o.Tables, Land: o.Land, TicksPerSecond: o.TicksPerSecond,
		Workers: o.Workers, ChunkRows: o.ChunkRows, Capacity: o.Capacity,
		Viewer: o.Viewer, LocalPlayer: o.LocalPlayer, Reports: o.Reports, Refresh: o.Refresh,
		Unknown: o.Unknown, MaxUnknown: o.MaxUnknown, Lenient: o.Lenient,
	}
}
