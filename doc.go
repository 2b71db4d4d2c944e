// Package gait is the front door of an engine that moves remote characters as the
// retail Asheron's Call client moved them. A server, a client or a tool makes an
// [Engine], feeds it the game's messages or typed commands, runs ticks by its own
// clock, and reads where everybody is, what they play, what happened, and what to
// send.
//
//	engine, err := gait.New(gait.Options{})
//	…
//	engine.Inbound(message)           // any goroutine, any time
//	engine.Tick()                     // your loop: one quantum, 1/30 s
//	for r := range engine.View().All() {
//		fmt.Println(r.Guid, r.Cell, r.Origin)
//	}
//
// # In order
//
//	New, Restore, Recover      make an engine: empty, from a snapshot, from a recording
//	Spawn, Remove              who is there; those whom you own are driven by commands
//	Inbound, ClientAction,     what they are told, from any goroutine, for the next tick;
//	Command, SetViewer, From   From gives goroutines an order among them
//	Pacer                      how many ticks are due by your clock
//	Tick                       one quantum
//	View, Lookup               where everybody is, and what they play
//	Events, Outcomes           what happened, and what became of what you fed
//	Outbound, CreateMessage,   what to send to others
//	Reports
//	Record, Checkpoint, Replay what was fed is kept, and played again
//	Snapshot, Hash, Check      the state: written, digested, checked
//	Stats                      counters and times; package metrics has them for Prometheus
//	Close
//
// # What holds
//
// A tick is a pure function of the state and the tick's inputs. The package starts
// no goroutine that outlives a call, reads no clock, and keeps nothing outside of the engine.
// Once warm, a tick allocates nothing.
//
// Inputs may come at any time and from any goroutine; they wait, bounded by
// [Options.MaxWaiting], for the next tick. There they are applied by ascending
// [Source], and of one source in the order in which the calls came; where all come by one source,
// goroutines are in the order in which they got in. Which tick an input that races
// with [Engine.Tick] comes in is up to the race: feed between ticks what must not be.
// The order that was taken is what a recording has, so that a replay is exact in any case.
//
// A mistake of the program (a tick inside a tick, use after [Engine.Close], a [View]
// read too late) is answered with a panic that says what to do; what the
// world does wrong is an error to match with [errors.Is].
//
// The rooms below are packages of their own, and what they have is documented there:
// [systems.Command] says what can be commanded, [systems.EventKind] what can happen,
// package wire what messages hold, package dat how data files are read.
package gait
