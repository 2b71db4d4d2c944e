// Package motion holds the rules of motion of one mover: which animations a
// motion means, how they play, what is pending, and how states turn into
// motions, and how a mover goes somewhere by them (spec 01 to 06).
//
// From below upwards:
//
//   - sequence.go, advance.go, pose.go: the animation list (02)
//   - table.go, modify.go: what the motion table makes of a request (03)
//   - pending.go: the two queues and how they complete (04)
//   - state.go, speed.go, gates.go, interpreter.go, apply.go, jump.go, ground.go: the interpreter (05)
//   - inbound.go: what a movement event of type 0 does (06 §6.10)
//
// A [Mover] is a view: pointers to one remote's components, the tables and the
// pools it shares, and a [Host] for what lies outside these rules. Every call
// is synchronous and may come back through the Host (R4.12). A call changes its
// own mover alone and allocates nothing once pools are warm.
//
// Invariants, which [Check] tests: the frame lies inside its node; the node to
// wrap to is the last one; no number is infinite or NaN (what overflows is kept
// at the greatest float, what is not finite is refused at the door); the
// completion counter is 0 while nothing is pending; a move-to has at most three
// nodes, and none when there is no order; every order that was begun is told to
// have ended once.
package motion
