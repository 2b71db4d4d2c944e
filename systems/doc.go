// Package systems is what happens in a tick. An [Engine] owns a world of
// remotes and moves it on, one quantum a call, down a straight line:
//
//	messages ─▶ inbound ─▶ sequence ─▶ adjust ─▶ sweep ─▶ publish ─▶ readers, events
//	             (who)      (pose)      (where)   (may I)   (tell)
//
// Each stage has a file of its name; it walks columns and calls the rules of
// the rooms below it (motion, position). The inbound stage runs first and for
// all remotes, in order of arrival, or side by side where that comes to the same;
// the other four run chunk by chunk, so that what a stage leaves for the next
// stays in the cache. Whoever plays on, or chases, and has nothing to do with others, as
// most in most ticks, glides: he is taken through the four at once (glide.go).
//
// # Whose movers
//
// Most movers are remotes: somebody else decides, and messages say what. Those
// that the embedder owns ([Spawn.Owned]) are driven by commands, and the tick
// ends with the messages that tell others of them ([Engine.Outbound],
// [Engine.CreateMessage]; 15 §6); the local player's client reports itself
// ([Engine.Reports]; 15 §7). What one engine writes another reads as a remote.
// The rules tell of changes only; where messages may be lost for good,
// [Options.Refresh] has what stands said again.
//
// # One answer
//
// A tick is a pure function of the state and the tick's inputs. Remotes do not
// read each other while they are updated, so the answer does not depend on how
// many workers there are, on the size of a chunk, or on whether remotes at rest
// are skipped. [Engine.Hash] is how that is checked.
//
// # Taken up again
//
// [Engine.Snapshot] writes the whole state, and [Restore] makes an engine of it that
// goes on as if nothing had been. What an engine is given is all that decides what
// becomes of it: a [Tape] keeps that, and [Engine.Play] gives it to another. Package
// record keeps both in a folder.
//
// # Two clocks
//
// [Engine.Tick] moves the world on by a fixed quantum. With [Options.RetailClock] it
// is [Engine.AdvanceTo] that does, to a time, in the steps that retail cuts its
// frames into (11 §4): the time is an input of the tick.
//
// # What is held
//
// An object that was picked up is known and in no cell; one that somebody holds
// besides follows him in [View] and [Engine.PartFrames], in the same tick (15 §3).
// It has no update of its own, and no cell changes are told of it.
//
// # What is run into
//
// With [Options.Land] a step goes as far as terrain, objects, buildings and other
// bodies let it (14), and contact follows from what it comes to; without, every
// move is accepted. A body meets the others where they stood when the inbound
// stage was done, in the order in which they came into the cells; who stands
// where is brought up to date in guid order when all have been updated. The land
// may be shared by engines.
//
// # What it costs
//
// [Engine.Measure] has ticks measured stage by stage, by a clock that the embedder
// lends: the engine itself reads none, and what this one shows reaches no state.
//
// # Lifetimes
//
// A [View] may be read from any goroutine until the tick after the next one
// begins; what [Engine.Events], [Engine.Outcomes],
// [Engine.Outbound] and [Engine.Reports] return is good until the next tick begins.
package systems
