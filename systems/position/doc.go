// Package position holds the rules of position for one mover: what a position
// event does, the chase towards what the server said, the leash, and the free
// body (spec 11, 12 and 13 §4). It knows the columns of its own mover and
// nothing else; what it needs of the rest of the mover it asks of a [Host].
//
// # The order of a step
//
// The tick calls, for each mover that [Guard] and [BeginStep] let through, with
// the offset frame that the sequence filled (spec 11 §5, 13 §1):
//
//	AdjustOffset    the chase replaces the offset        12 §6
//	AdjustSticky    sticking replaces it                 13 §2
//	AdjustLeash     the leash scales its translation     13 §4
//	space.Combine   a frame in the current block         10 §2
//	UpdatePhysics   unless HIDDEN                        11 §6
//	Commit          or the sweep, or Refuse              11 §5.6
//	TargetTime      a target that never answered         13 §5
//	UseTime         blips, velocity nodes                12 §7
//	StickyTime      a stick's deadline                   13 §2
//
// # Targets and voyeurs
//
// A mover may target one other, which has it as a voyeur: that is how sticky and
// the move-to hear where their target is (13 §5). A mover writes only its own
// row, so each half of this is a rule on one row, and the tick does what lies
// between: a [Host]'s Subscribe and Tell carry the word from one to the other.
// In events and deliveries, word arrives at once and reads [Present]. While movers
// are updated they read of each other what [Stand] noted at the end of the
// inbound stage, [Stood], and subscriptions reach the voyeur lists after all are
// updated (a new one is answered at once all the same). Then [CheckVoyeurs]
// runs for every mover whose TargetTime said so, in guid order, and what it
// sends is delivered.
//
// # Invariants
//
// [Check] walks them: no number is NaN or infinite, the rotation has unit
// length, an outdoor origin lies in its cell's block, the queue holds at most
// [QueueCapacity] nodes, the leash's odometer is not negative, the busy bits of
// sticky and target say what those are about. Positions and
// vectors handed in must be finite and rotations valid, which the decoders see
// to; in return nothing here makes them otherwise.
//
// Every mover that is handed in has path spheres: what 11 §5 and §6 have of bodies without
// them, or without a movement manager, is for the caller, who knows what they are.
package position
