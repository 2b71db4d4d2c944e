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
//	AdjustLeash     the leash scales its translation     13 §4
//	space.Combine   a frame in the current block         10 §2
//	UpdatePhysics   unless HIDDEN                        11 §6
//	Commit          or the sweep, or Refuse              11 §5.6
//	UseTime         blips, velocity nodes                12 §7
//
// What is sticky comes between chase and leash in the first group and last in
// the second.
//
// # Invariants
//
// [Check] walks them: no number is NaN or infinite, the rotation has unit
// length, an outdoor cell contains its origin, the queue holds at most
// [QueueCapacity] nodes, the leash's odometer is not negative. Positions and
// vectors handed in must be finite and rotations valid, which the decoders see
// to; in return nothing here makes them otherwise.
//
// Every mover has a movement manager and path spheres: the clauses of 11 §5 and
// §6 for bodies without them do not arise.
package position
